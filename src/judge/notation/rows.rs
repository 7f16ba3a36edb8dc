//! Rows of cells: `. Q . .`, `.Q..`, `[.Q.., ...Q, Q..., ..Q.]`, `['.', 'Q', '.', '.']`, `|   | Q |   |   |`,
//! `8 | . Q . . | 8`, and whole boards in the notation of chess programs: `1Q2/3Q/Q3/2Q1`.

use super::Notation;
use super::tokens::{NO_VALUE, is_number, is_punctuation, value};

/// Rows of cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Rows {
    /// The rows, top first.
    pub rows: Vec<Row>,
    /// How the cells are written.
    pub glyphs: Glyphs,
    /// Whether bars frame the cells.
    pub framed: bool,
    /// Whether it is one run of a single character without a queen, which may also be a rule.
    pub uniform: bool,
}

/// How cells are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Glyphs {
    /// One character per cell.
    Drawn,
    /// 1 is a queen, 0 an empty cell.
    Bits,
    /// Numbers of empty cells.
    Fen,
}

impl Glyphs {
    /// The notation whose reader reads them.
    pub fn notation(self) -> Notation {
        match self {
            Glyphs::Drawn => Notation::Matrix,
            Glyphs::Bits => Notation::Binary,
            Glyphs::Fen => Notation::Fen,
        }
    }
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
    /// A cell that is neither empty nor a queen nor a mark.
    pub strange: Option<char>,
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
    if let Some(row) = fen(text) {
        return Some(row);
    }
    let fits = |rows: &Rows| rows.rows.len() > 1 || rows.rows[0].width == n;
    let rows = cells(text, n);
    match rows {
        Some(rows) if fits(&rows) => Some(rows),
        rows => numbered(text, n).filter(fits).or(rows),
    }
}

/// `8 | . Q . . |`, `8  . Q . .  8`.
fn numbered(text: &str, n: usize) -> Option<Rows> {
    let digit = |c: char| c.is_ascii_digit();
    let row = text.trim_start_matches(digit);
    let cells_only = row.trim_end_matches(digit).trim();
    let rows = cells(cells_only.trim_start_matches(is_bar), n)?;
    let one_row = row.len() < text.len() && rows.rows.len() == 1 && rows.rows[0].strange.is_none();
    one_row.then_some(Rows { uniform: false, ..rows })
}

fn cells(text: &str, n: usize) -> Option<Rows> {
    let inner = text.trim_matches(is_bar);
    let framed = inner.len() < text.len() || inner.contains(is_bar);
    let pieces: Vec<&str> = if inner.contains(is_bar) {
        inner.split(is_bar).collect()
    } else {
        inner.split(is_punctuation).filter(|piece| !piece.trim().is_empty()).collect()
    };
    // One glyph per piece: the pieces are the cells of one row. Otherwise each piece is a row.
    let glyphs = |piece: &&str| -> Vec<char> { piece.chars().filter(|&c| !is_blank(c)).collect() };
    let mut rows: Vec<Vec<char>> = pieces.iter().map(glyphs).collect();
    if rows.iter().all(|row| row.len() <= 1) {
        rows = vec![rows.iter().map(|cell| cell.first().copied().unwrap_or('.')).collect()];
    }
    if rows.is_empty() || rows.iter().any(Vec::is_empty) {
        return None;
    }
    let all = || rows.iter().flatten().copied();
    let bits = all().all(|c| matches!(c, '0' | '1'));
    let rows: Vec<Row> = rows.iter().map(|row| if bits { bit_row(row) } else { drawn_row(row) }).collect();
    // Only letters are words, and only digits are numbers; text with any other cell may resemble a row.
    let drawn = all().any(|c| is_queen(c) || is_empty_cell(c) || is_mark(c));
    let strange = rows.iter().any(|row| row.strange.is_some());
    let resembles =
        || rows.len() == 1 && rows[0].width == n && n > 2 && 2 * all().filter(|&c| is_drawn(c)).count() > n;
    let uniform = rows.len() == 1
        && rows[0].queens.is_empty()
        && text.chars().next().is_some_and(|first| text.chars().all(|c| c == first));
    if !(bits || (drawn || uniform) && !strange || resembles()) {
        return None;
    }
    let glyphs = if bits { Glyphs::Bits } else { Glyphs::Drawn };
    Some(Rows { rows, glyphs, framed, uniform })
}

fn bit_row(cells: &[char]) -> Row {
    let queens = (0..cells.len()).filter(|&column| cells[column] == '1').collect();
    Row { width: cells.len(), queens, ..Row::default() }
}

fn drawn_row(cells: &[char]) -> Row {
    let mut row = Row { width: cells.len(), ..Row::default() };
    for (column, &cell) in cells.iter().enumerate() {
        match cell {
            _ if is_queen(cell) => row.queens.push(column),
            _ if is_mark(cell) => row.marks.push(column),
            'E' | 'e' | 'O' | 'o' | '0' => {}
            _ if is_empty_cell(cell) => {}
            _ => row.strange = row.strange.or(Some(cell)),
        }
    }
    row
}

/// Reads `1Q2/3Q/Q3/2Q1`, and the fields that chess programs write after it.
fn fen(text: &str) -> Option<Rows> {
    let mut fields = text.split_ascii_whitespace();
    let board = fields.next().filter(|board| board.contains('/'))?;
    if !fields.all(|field| matches!(field, "w" | "b" | "-") || is_number(field)) {
        return None;
    }
    let row = |text: &str| -> Option<Row> {
        let mut row = Row::default();
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            match c {
                'Q' | 'q' => {
                    row.queens.push(row.width);
                    row.width += 1;
                }
                _ if digits > 0 => {
                    row.width = row.width.saturating_add(value(&rest.as_bytes()[..digits]) as usize);
                }
                _ => return None,
            }
            rest = &rest[digits.max(1)..];
        }
        Some(row)
    };
    let rows: Vec<Row> = board.split('/').map(row).collect::<Option<_>>()?;
    let date = rows.iter().all(|row| row.queens.is_empty());
    (!date && rows.iter().all(|row| row.width < NO_VALUE as usize)).then_some(Rows {
        rows,
        glyphs: Glyphs::Fen,
        framed: false,
        uniform: false,
    })
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

/// A character that occurs in cells but not in words.
fn is_drawn(c: char) -> bool {
    is_empty_cell(c) || is_queen(c)
}

/// Blanks, and the variation selector that makes a queen an emoji.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == '\u{fe0f}'
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
            assert_eq!((row.width, &row.queens[..], row.strange), (4, &[1][..], None), "{text}");
        }
        let row = row("2  . . . .");
        assert_eq!((row.width, row.queens.len()), (4, 0));
    }

    #[test]
    fn a_row_with_a_strange_cell_resembles_a_row() {
        for text in [". Q ? .", ".Q.?", "| . | Q | ! | . |"] {
            assert_eq!(row(text).width, 4, "{text}");
            assert!(row(text).strange.is_some(), "{text}");
        }
        for text in ["oxen", "e.g.", "Que?", "4.50", "a.b.", "what now"] {
            assert!(read(text, 4).is_none_or(|rows| rows.rows[0].strange.is_none()), "{text}");
        }
    }

    #[test]
    fn boards_of_chess_programs_are_read() {
        let rows = read("1Q2/3Q/Q3/2Q1 w - - 0 1", 4).expect("a board");
        assert_eq!((rows.rows.len(), rows.glyphs), (4, Glyphs::Fen));
        assert!(rows.rows.iter().all(|row| row.width == 4 && row.queens.len() == 1));
        assert_eq!(read("12/10/2024", 4), None);
        assert_eq!(read("src/main.rs", 4), None);
    }
}
