//! Rows of cells: `. Q . .`, `.Q..`, `[.Q.., ...Q, Q..., ..Q.]`, `['.', 'Q', '.', '.']`, `|   | Q |   |   |`,
//! `8 | . Q . . | 8`.

use super::tokens::is_punctuation;

/// Rows of cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Rows {
    /// The rows, top first.
    pub rows: Vec<Row>,
    /// Whether 1 is a queen, and 0 an empty cell.
    pub bits: bool,
    /// Whether bars frame the cells.
    pub framed: bool,
    /// Whether it is one run of a single character without a queen, which may also be a rule.
    pub uniform: bool,
}

/// A row of cells.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(super) struct Row {
    /// The number of cells.
    pub width: usize,
    /// The columns of its queens, from 0.
    pub queens: Vec<usize>,
    /// The columns of its marks, such as `*` or `X`, which are queens if the board has no other ones.
    pub marks: Vec<usize>,
}

/// Reads `. Q . .` and `.Q..` like [`read`], at a tenth of the cost.
pub(super) fn plain(text: &[u8]) -> Option<Row> {
    let mut row = Row::default();
    for byte in text {
        match byte {
            b'Q' => row.queens.push(row.width),
            b'*' => row.marks.push(row.width),
            b'.' | b'_' | b'-' => {}
            b' ' | b'\t' | b'\r' => continue,
            _ => return None,
        }
        row.width += 1;
    }
    (!row.queens.is_empty()).then_some(row)
}

/// Reads rows of a board of side `n`; a row may have its number before or after it.
pub(super) fn read(text: &str, n: usize) -> Option<Rows> {
    let fits = |rows: &Rows| rows.rows[0].width == n;
    let whole = cells(text);
    if whole.as_ref().is_some_and(fits) {
        return whole;
    }
    let is_digit = |c: char| c.is_ascii_digit();
    let behind_number = text.trim_start_matches(is_digit);
    let number = &text[..text.len() - behind_number.len()];
    // Its number again, or none: `0` may be a cell.
    let row = behind_number.strip_suffix(number).unwrap_or(behind_number).trim();
    let row = cells(row).filter(|rows| !number.is_empty() && rows.rows.len() == 1 && fits(rows));
    row.map(|rows| Rows { uniform: false, ..rows }).or(whole)
}

fn cells(text: &str) -> Option<Rows> {
    let inner = text.trim_matches(is_bar);
    let has_bars = inner.contains(is_bar);
    let ends = |c: char| if has_bars { is_bar(c) } else { is_punctuation(c) };
    let is_blank = |c: char| c.is_whitespace() || c == '\u{fe0f}';
    let glyphs = |piece: &str| -> Vec<char> { piece.chars().filter(|&c| !is_blank(c)).collect() };
    let mut rows: Vec<Vec<char>> = inner.split(ends).map(glyphs).collect();
    rows.retain(|row| has_bars || !row.is_empty());
    // One glyph per piece: the pieces are the cells of one row. Otherwise each piece is a row.
    if rows.iter().all(|row| row.len() <= 1) {
        rows = vec![rows.iter().map(|cell| cell.first().copied().unwrap_or('.')).collect()];
    }
    if rows.iter().any(Vec::is_empty) {
        return None;
    }
    let all = || rows.iter().flatten().copied();
    // Only letters are words, and only digits are numbers.
    let is_empty = |c: char| is_empty_cell(c) || matches!(c, 'E' | 'e' | 'O' | 'o' | '0');
    let drawn = all().all(|c| is_queen(c) || is_mark(c) || is_empty(c))
        && all().any(|c| is_queen(c) || is_mark(c) || is_empty_cell(c));
    let bits = all().all(|c| matches!(c, '0' | '1'));
    let first = text.chars().next()?;
    let uniform = rows.len() == 1 && !is_queen(first) && text.chars().all(|c| c == first);
    if !(bits || drawn || uniform) {
        return None;
    }
    let row = |cells: &Vec<char>| {
        let columns = |is: fn(char) -> bool| (0..cells.len()).filter(|&at| is(cells[at])).collect();
        let queens = if bits { columns(|c| c == '1') } else { columns(is_queen) };
        Row { width: cells.len(), queens, marks: columns(is_mark) }
    };
    Some(Rows { rows: rows.iter().map(row).collect(), bits, framed: has_bars, uniform })
}

fn is_queen(c: char) -> bool {
    matches!(c, 'Q' | 'q' | '♕' | '♛' | '👑' | '👸')
}

fn is_mark(c: char) -> bool {
    matches!(c, '*' | 'X' | 'x' | '#' | '@')
}

fn is_empty_cell(c: char) -> bool {
    matches!(c, '.' | '_' | '-' | '·' | '•' | '■'..='▫' | '░' | '▒' | '▓' | '█' | '◻'..='◾' | '⬛' | '⬜' | '🔲' | '🔳')
        || matches!(c, '🟥'..='🟫')
}

fn is_bar(c: char) -> bool {
    matches!(c, '|' | '│' | '┃' | '║')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(text: &str) -> Row {
        let mut rows = read(text, 4).unwrap_or_else(|| panic!("{text}")).rows;
        assert_eq!(rows.len(), 1, "{text}");
        rows.remove(0)
    }

    #[test]
    fn the_short_way_to_a_row_finds_what_the_long_way_finds() {
        for text in [". Q . .", "*\t*\tQ\t*\r", "_Q__", "Q", "--Q-", "QQ.Q", "Q Q"] {
            assert_eq!(plain(text.as_bytes()).expect(text), row(text.trim()), "{text}");
        }
        for text in ["", "....", ".Q..,", "hello", "|Q|"] {
            assert_eq!(plain(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn cells_and_row_numbers_of_any_kind_are_read() {
        for text in [
            "E Q E E",
            "OQOO",
            "0 Q 0 0",
            "⬜👑⬜⬜",
            "🟫♛\u{fe0f}🟨🟫",
            "1 . Q . .",
            "4 | . Q . . | 4",
            "0|.|Q|.|.|",
            "10|.|Q|.|.",
            "1.Q..",
            "|_|Q|_|_|",
            "| |Q| | |",
        ] {
            let row = row(text);
            assert_eq!((row.width, &row.queens[..]), (4, &[1][..]), "{text}");
        }
        let row = row("2  . . . .");
        assert_eq!((row.width, row.queens.len()), (4, 0));
    }
}
