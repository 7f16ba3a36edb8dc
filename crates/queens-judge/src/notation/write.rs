//! Writes placements as text, one by one.
//!
//! `columns`, `columns1`, `digits`, `digits0`, `squares`, `pairs` and `fen` use one line per board. `matrix`,
//! `binary`, `underscore`, `stars`, `dimacs` and `unicode` use several, with an empty line between boards.
//! `list` and `json` are a single line, and `svg` is one document. No line ends in a blank.
//!
//! The empty board (n = 0) is one empty line; in `list` and `json` it is `[[]]`, in `dimacs` `v 0`, and in `unicode` and `svg` an
//! empty frame. If there are no boards, `list` and `json` are `[]`, `svg` is a document whose title states that there is no
//! board, and the other notations print nothing.
//!
//! Memory: one board; for `svg`, all boards.

use std::io::{self, Write};

use super::{Notation, NotationError, svg};

/// The maximum length of a `v` line, including the `v`: solvers wrap below 80.
const DIMACS_WIDTH: usize = 79;

/// Prints boards of one size in one notation.
///
/// Each board reaches the output in one `write_all`; call [`Writer::finish`] after the last one.
#[derive(Debug)]
pub struct Writer<W> {
    /// The output.
    pub out: W,
    notation: Notation,
    n: usize,
    /// The number of boards that were written.
    board_count: u64,
    /// The text of the current board. The buffer is reused.
    text: Vec<u8>,
    /// All boards, if the notation is `svg`.
    svg_boards: Vec<Box<[u32]>>,
}

impl<W: Write> Writer<W> {
    /// Creates a writer of boards of side `n`.
    ///
    /// # Errors
    ///
    /// The notation cannot write boards of this size: `digits` supports n <= 9.
    pub fn new(out: W, notation: Notation, n: usize) -> Result<Self, NotationError> {
        notation.check_size(n)?;
        Ok(Self { out, notation, n, board_count: 0, text: Vec::new(), svg_boards: Vec::new() })
    }

    /// Prints the board whose queen in row `r` is in `columns[r]`.
    ///
    /// # Panics
    /// If `columns` does not have `n` entries, each below `n`.
    ///
    /// # Errors
    ///
    /// The output cannot be written.
    pub fn solution(&mut self, columns: &[u32]) -> io::Result<()> {
        let are_on_board = columns.iter().all(|&column| (column as usize) < self.n);
        assert!(columns.len() == self.n && are_on_board, "a placement on a board of side {}", self.n);
        self.text.clear();
        match self.notation {
            Notation::Columns => self.line(columns, " ", 0),
            Notation::Columns1 => self.line(columns, " ", 1),
            Notation::Digits => self.line(columns, "", 1),
            Notation::Matrix => self.rows(columns, &Cells { empty: ".", queen: "Q", between: " " }),
            Notation::Binary => self.rows(columns, &Cells { empty: "0", queen: "1", between: " " }),
            Notation::Underscore => self.rows(columns, &Cells { empty: "_", queen: "Q", between: " " }),
            Notation::Stars => self.rows(columns, &Cells { empty: "*", queen: "Q", between: "\t" }),
            Notation::List => self.list_item(columns),
            Notation::Json => self.json_item(columns),
            Notation::Dimacs => self.model(columns),
            Notation::Unicode => self.drawing(columns),
            Notation::Svg => self.svg_boards.push(columns.into()),
            Notation::Digits0 => self.line(columns, "", 0),
            Notation::Squares => self.squares(columns),
            Notation::Pairs => self.pairs(columns),
            Notation::Fen => self.fen(columns),
        }
        self.board_count += 1;
        self.out.write_all(&self.text)
    }

    /// Ends the text, flushes it and returns the output.
    ///
    /// # Errors
    ///
    /// The output cannot be written.
    pub fn finish(mut self) -> io::Result<W> {
        match self.notation {
            Notation::List | Notation::Json if self.board_count == 0 => self.out.write_all(b"[]\n")?,
            Notation::List | Notation::Json => self.out.write_all(b"]\n")?,
            Notation::Svg => svg::write(&mut self.out, self.n, &self.svg_boards)?,
            _ => {}
        }
        self.out.flush()?;
        Ok(self.out)
    }

    fn line(&mut self, columns: &[u32], between: &str, first: u32) {
        self.numbers(columns, between, first);
        self.append("\n");
    }

    fn rows(&mut self, columns: &[u32], cells: &Cells) {
        if columns.is_empty() {
            return self.append("\n");
        }
        self.empty_line_between_boards();
        for &queen in columns {
            self.row(queen, cells);
            self.append("\n");
        }
    }

    fn list_item(&mut self, columns: &[u32]) {
        self.append(if self.board_count == 0 { "[[" } else { ", [" });
        for (row, &queen) in columns.iter().enumerate() {
            self.append(if row > 0 { ", " } else { "" });
            self.row(queen, &Cells { empty: ".", queen: "Q", between: "" });
        }
        self.append("]");
    }

    fn json_item(&mut self, columns: &[u32]) {
        self.append(if self.board_count == 0 { "[[" } else { ",[" });
        self.numbers(columns, ",", 0);
        self.append("]");
    }

    fn squares(&mut self, columns: &[u32]) {
        let letter = |column| char::from_digit(column + 10, 36).expect("at most 26 columns");
        self.queens(columns, " ", |row, column| format!("{}{}", letter(column), row + 1));
        self.append("\n");
    }

    fn pairs(&mut self, columns: &[u32]) {
        let [open, close] = if columns.is_empty() { ["", "\n"] } else { ["[", "]\n"] };
        self.append(open);
        self.queens(columns, ", ", |row, column| format!("({row}, {column})"));
        self.append(close);
    }

    fn fen(&mut self, columns: &[u32]) {
        let empty_count = |count: usize| if count > 0 { count.to_string() } else { String::new() };
        let n = self.n;
        self.queens(columns, "/", |_, column| {
            format!("{}Q{}", empty_count(column as usize), empty_count(n - column as usize - 1))
        });
        self.append("\n");
    }

    fn queens(&mut self, columns: &[u32], between: &str, text: impl Fn(usize, u32) -> String) {
        for (row, &column) in columns.iter().enumerate() {
            self.append(if row > 0 { between } else { "" });
            self.append(&text(row, column));
        }
    }

    fn model(&mut self, columns: &[u32]) {
        self.empty_line_between_boards();
        self.append("v");
        let mut width = 1;
        let squares = columns.iter().flat_map(|&queen| (0..self.n).map(move |c| c == queen as usize));
        let literals = (1_i64..).zip(squares).map(|(square, queen)| if queen { square } else { -square });
        for literal in literals.chain([0]) {
            let literal = format!(" {literal}");
            if width + literal.len() > DIMACS_WIDTH {
                self.text.extend_from_slice(b"\nv");
                width = 1;
            }
            self.text.extend_from_slice(literal.as_bytes());
            width += literal.len();
        }
        self.append("\n");
    }

    /// Draws a board. With two characters per cell, it is square in most terminals.
    fn drawing(&mut self, columns: &[u32]) {
        self.empty_line_between_boards();
        let edge = "─".repeat(2 * self.n + 1);
        self.append(&format!("┌{edge}┐\n"));
        for &queen in columns {
            self.append("│ ");
            self.row(queen, &Cells { empty: "·", queen: "♛", between: " " });
            self.append(" │\n");
        }
        self.append(&format!("└{edge}┘\n"));
    }

    fn empty_line_between_boards(&mut self) {
        if self.board_count > 0 {
            self.append("\n");
        }
    }

    fn row(&mut self, queen: u32, cells: &Cells) {
        for column in 0..self.n {
            self.append(if column > 0 { cells.between } else { "" });
            self.append(if column == queen as usize { cells.queen } else { cells.empty });
        }
    }

    fn numbers(&mut self, columns: &[u32], between: &str, first: u32) {
        for (row, &column) in columns.iter().enumerate() {
            self.append(if row > 0 { between } else { "" });
            // Numbers with one digit are written fast, because an enumeration may print a hundred million of them.
            match column + first {
                digit @ 0..=9 => self.text.push(b'0' + digit.to_le_bytes()[0]),
                number => self.append(&number.to_string()),
            }
        }
    }

    fn append(&mut self, text: &str) {
        self.text.extend_from_slice(text.as_bytes());
    }
}

/// The characters of the cells of a row.
struct Cells {
    empty: &'static str,
    queen: &'static str,
    between: &'static str,
}

#[cfg(test)]
mod tests {
    use super::*;
    use Notation::*;

    fn text_of(notation: Notation, n: usize, boards: &[&[u32]]) -> String {
        let mut writer = Writer::new(Vec::new(), notation, n).expect("the size fits");
        for columns in boards {
            writer.solution(columns).expect("written to memory");
        }
        String::from_utf8(writer.finish().expect("written to memory")).expect("UTF-8")
    }

    const FOUR: &[&[u32]] = &[&[1, 3, 0, 2], &[2, 0, 3, 1]];

    #[test]
    fn four_queens_are_written_in_every_notation() {
        let text_of_four = |notation| text_of(notation, 4, FOUR);
        assert_eq!(text_of_four(Columns), "1 3 0 2\n2 0 3 1\n");
        assert_eq!(text_of_four(Columns1), "2 4 1 3\n3 1 4 2\n");
        assert_eq!(text_of_four(Digits), "2413\n3142\n");
        assert_eq!(
            text_of_four(Matrix),
            ". Q . .\n. . . Q\nQ . . .\n. . Q .\n\n. . Q .\nQ . . .\n. . . Q\n. Q . .\n"
        );
        assert_eq!(
            text_of_four(Binary),
            "0 1 0 0\n0 0 0 1\n1 0 0 0\n0 0 1 0\n\n0 0 1 0\n1 0 0 0\n0 0 0 1\n0 1 0 0\n"
        );
        assert_eq!(text_of_four(List), "[[.Q.., ...Q, Q..., ..Q.], [..Q., Q..., ...Q, .Q..]]\n");
        assert_eq!(
            text_of_four(Underscore),
            "_ Q _ _\n_ _ _ Q\nQ _ _ _\n_ _ Q _\n\n_ _ Q _\nQ _ _ _\n_ _ _ Q\n_ Q _ _\n"
        );
        assert_eq!(
            text_of_four(Stars),
            "*\tQ\t*\t*\n*\t*\t*\tQ\nQ\t*\t*\t*\n*\t*\tQ\t*\n\n*\t*\tQ\t*\nQ\t*\t*\t*\n*\t*\t*\tQ\n*\tQ\t*\t*\n"
        );
        assert_eq!(text_of_four(Json), "[[1,3,0,2],[2,0,3,1]]\n");
        assert_eq!(
            text_of_four(Dimacs),
            "v -1 2 -3 -4 -5 -6 -7 8 9 -10 -11 -12 -13 -14 15 -16 0\n\n\
             v -1 -2 3 -4 5 -6 -7 -8 -9 -10 -11 12 -13 14 -15 -16 0\n"
        );
        assert_eq!(text_of_four(Digits0), "1302\n2031\n");
        assert_eq!(text_of_four(Squares), "b1 d2 a3 c4\nc1 a2 d3 b4\n");
        assert_eq!(
            text_of_four(Pairs),
            "[(0, 1), (1, 3), (2, 0), (3, 2)]\n[(0, 2), (1, 0), (2, 3), (3, 1)]\n"
        );
        assert_eq!(text_of_four(Fen), "1Q2/3Q/Q3/2Q1\n2Q1/Q3/3Q/1Q2\n");
        assert_eq!(
            text_of_four(Unicode),
            "┌─────────┐\n│ · ♛ · · │\n│ · · · ♛ │\n│ ♛ · · · │\n│ · · ♛ · │\n└─────────┘\n\n\
             ┌─────────┐\n│ · · ♛ · │\n│ ♛ · · · │\n│ · · · ♛ │\n│ · ♛ · · │\n└─────────┘\n"
        );
    }

    #[test]
    fn picture_has_the_queens_of_all_boards() {
        let picture = text_of(Svg, 4, FOUR);
        assert!(picture.starts_with("<svg ") && picture.matches("<use ").count() == 8, "{picture}");
    }

    #[test]
    #[should_panic(expected = "a placement on a board of side 4")]
    fn queen_outside_the_board_is_not_written() {
        let _ = Writer::new(Vec::new(), Columns, 4).expect("the size fits").solution(&[1, 3, 0, 4]);
    }

    #[test]
    fn one_queen_is_written_in_every_notation() {
        let expected = [
            (Columns, "0\n"),
            (Columns1, "1\n"),
            (Digits, "1\n"),
            (Matrix, "Q\n"),
            (Binary, "1\n"),
            (List, "[[Q]]\n"),
            (Underscore, "Q\n"),
            (Stars, "Q\n"),
            (Json, "[[0]]\n"),
            (Dimacs, "v 1 0\n"),
            (Unicode, "┌───┐\n│ ♛ │\n└───┘\n"),
            (Digits0, "0\n"),
            (Squares, "a1\n"),
            (Pairs, "[(0, 0)]\n"),
            (Fen, "Q\n"),
        ];
        for (notation, text) in expected {
            assert_eq!(text_of(notation, 1, &[&[0]]), text, "{notation}");
        }
    }

    #[test]
    fn empty_board_is_written_in_every_notation() {
        for notation in
            [Columns, Columns1, Digits, Matrix, Binary, Underscore, Stars, Digits0, Squares, Pairs, Fen]
        {
            assert_eq!(text_of(notation, 0, &[&[]]), "\n", "{notation}");
        }
        assert_eq!(text_of(List, 0, &[&[]]), "[[]]\n");
        assert_eq!(text_of(Json, 0, &[&[]]), "[[]]\n");
        assert_eq!(text_of(Dimacs, 0, &[&[]]), "v 0\n");
        assert_eq!(text_of(Unicode, 0, &[&[]]), "┌─┐\n└─┘\n");
    }

    #[test]
    fn zero_boards_are_written_as_nothing_or_brackets() {
        for notation in Notation::ALL.into_iter().filter(|&notation| notation != Svg) {
            let text = if matches!(notation, List | Json) { "[]\n" } else { "" };
            assert_eq!(text_of(notation, 3, &[]), text, "{notation}");
        }
    }

    #[test]
    fn digits_are_limited_to_9_queens() {
        let error = Writer::new(Vec::new(), Digits, 10).expect_err("refused").to_string();
        assert!(error.contains("n = 10") && error.contains("columns1"), "{error}");
        wording::assert_wording!("errors", "digits of 10 queens", error);
        assert_eq!(text_of(Digits, 9, &[&[0, 2, 5, 7, 1, 3, 8, 6, 4]]), "136824975\n");
    }

    #[test]
    fn notation_writes_boards_up_to_its_limit() {
        for notation in Notation::ALL {
            let max_size = match notation {
                Digits => 9,
                Digits0 => 10,
                Squares => 26,
                Columns | Columns1 | Json => 10_000_000,
                _ => 1024,
            };
            let is_supported = |n| Writer::new(Vec::new(), notation, n).is_ok();
            assert!(is_supported(max_size) && !is_supported(max_size + 1), "{notation}");
        }
    }

    #[test]
    fn columns_of_two_digits_are_written() {
        let columns: Vec<u32> = (0..11).collect();
        assert_eq!(text_of(Columns, 11, &[&columns]), "0 1 2 3 4 5 6 7 8 9 10\n");
        assert_eq!(text_of(Columns1, 11, &[&columns]), "1 2 3 4 5 6 7 8 9 10 11\n");
    }

    #[test]
    fn model_lines_stay_below_80_characters() {
        let columns: Vec<u32> = (0..30).rev().collect();
        for notation in Notation::ALL.into_iter().filter(|notation| notation.max_size() >= 30) {
            let text = text_of(notation, 30, &[&columns, &columns]);
            assert!(text.lines().all(|line| line.trim_end() == line), "{notation}");
            if notation == Dimacs {
                assert!(text.lines().all(|line| line.len() < 80));
                assert!(text.lines().filter(|line| !line.is_empty()).all(|line| line.starts_with("v ")));
                let literals = text.split_whitespace().filter(|&word| word != "v").count();
                assert_eq!(literals, 2 * (30 * 30 + 1));
                // No line has room for the first literal of the next line.
                let lines: Vec<&str> = text.lines().collect();
                let next_literal_len = |line: &str| line.split(' ').nth(1).map_or(80, str::len);
                assert!(
                    lines
                        .windows(2)
                        .all(|two| two[0].is_empty() || two[0].len() + 1 + next_literal_len(two[1]) >= 80)
                );
            }
        }
    }
}
