//! The boards of one notation, read piece by piece: of `n` rows, of `n` squares on one line or each on its own, of the
//! literals of a model, or one to a piece.
//!
//! An empty line, the end of a list, a rule (unless bars frame the cells) and the end of the text end a board early: it is
//! malformed, not ignored.

use std::collections::VecDeque;

use super::Notation;
use super::line::{Line, Numbers, counts};
use super::rows::{Row, Rows};
use super::tokens::NO_VALUE;
use crate::board::problem::Problem;
use crate::board::{Placement, Square, column as stored};
use crate::judge::counted;

/// A board and the place where it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed {
    /// The line of its first row, from 1.
    pub line: u64,
    /// The board.
    pub board: ParsedBoard,
    /// Whether the text ends in it, so that it may be incomplete.
    pub open: bool,
}

impl Parsed {
    pub(super) fn new(line: u64, board: ParsedBoard) -> Self {
        Self { line, board, open: false }
    }
}

/// A board as it is in the text. Attacks between queens are not checked here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParsedBoard {
    /// One queen per row, all on the board.
    Placement(Placement),
    /// Anything else.
    Malformed {
        /// Its queens in the order of the text, from 0; they may be outside the board.
        queens: Vec<Square>,
        /// The first fault, such as `row 2 has no queen`.
        fault: String,
        /// Whether even its size differs from the expected size.
        misshapen: bool,
    },
}

/// A board on the way, as it is written.
#[derive(Debug, Default)]
struct Draft {
    line: u64,
    /// How many rows or squares it has; all of them for a model.
    parts: usize,
    /// Row and column of each queen, and of marks such as `X`, which are queens if there are no other ones.
    queens: Vec<[u32; 2]>,
    marks: Vec<[u32; 2]>,
    fault: Option<String>,
    /// Why it is a board of another size.
    misfit: Option<String>,
}

impl Draft {
    /// A board of columns.
    fn of_columns(n: usize, values: &[u32]) -> Self {
        // More columns would only take memory.
        let queens = (0..).zip(values).map(|(row, &column)| [row, column]).take(2 * n).collect();
        Self { parts: values.len(), queens, ..Self::default() }
    }

    /// The board, whose rows and columns count from `first`. `what`: the name of its parts.
    fn board(self, n: usize, first: [u32; 2], what: &str) -> ParsedBoard {
        let misfit = self.misfit.or_else(|| {
            (self.parts != n).then(|| format!("{} instead of {n}", counted(self.parts as u64, what)))
        });
        let mut fault = self.fault;
        let mut queens = Vec::new();
        let mut columns: Vec<Option<u16>> = vec![None; n];
        for [row, column] in if self.queens.is_empty() { self.marks } else { self.queens } {
            let square = match (row.checked_sub(first[0]), column.checked_sub(first[1])) {
                _ if row == NO_VALUE || column == NO_VALUE => {
                    Err("a row or column is not a number".to_owned())
                }
                (Some(row), Some(column)) => Ok(Square { row: row as usize, column: column as usize }),
                _ => Err(format!("row {row}: there is no column {column}")),
            };
            queens.extend(&square);
            let found = match square {
                Err(fault) => fault,
                Ok(Square { row, column }) => match columns.get_mut(row) {
                    Some(queen) if column < n => match queen.replace(stored(column)) {
                        None => continue,
                        Some(_) => format!("row {row} has several queens"),
                    },
                    _ => format!("a queen outside the board, in row {row}, column {column}"),
                },
            };
            fault.get_or_insert(found);
        }
        let misshapen = misfit.is_some();
        let empty = columns.iter().position(Option::is_none).map(|row| format!("row {row} has no queen"));
        match misfit.or(fault).or(empty) {
            Some(fault) => ParsedBoard::Malformed { queens, fault, misshapen },
            None => {
                ParsedBoard::Placement(Placement::new(&columns.into_iter().flatten().collect::<Vec<u16>>()))
            }
        }
    }
}

/// What became of a piece of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taken {
    /// It is a board, a part of one, or parts two of them.
    Yes,
    /// It is none of these.
    No,
    /// It is prose that holds as many numbers as a board, which are not taken for one.
    Passed,
}

/// At most this many ways to introduce a board are remembered.
const FRAMES: usize = 16;

/// How the notation is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Certainty {
    /// It may be another one.
    Tried,
    /// The text decided.
    Detected,
    /// It was given.
    Given,
}

/// Reads the boards of one notation.
#[derive(Debug)]
pub(super) struct Boards<'a> {
    /// The notation.
    pub notation: Notation,
    problem: &'a Problem,
    n: usize,
    certainty: Certainty,
    draft: Draft,
    /// Whether bars frame the cells of the last row.
    framed: bool,
    /// Where rows and columns of pairs begin: decided by the first board that shows it.
    first: [Option<u32>; 2],
    /// Whether even a few pairs are an incomplete board, because there was a whole one.
    strict: bool,
    /// The value given to each square of a model so far.
    values: Vec<Option<bool>>,
    /// The words around boards in prose that were solutions. Other prose may be a trace of the search.
    pub frames: Vec<String>,
}

impl<'a> Boards<'a> {
    pub fn new(notation: Notation, problem: &'a Problem, certainty: Certainty) -> Self {
        let first = match notation {
            Notation::Columns1 | Notation::Digits => [Some(0), Some(1)],
            Notation::Pairs => [None; 2],
            _ => [Some(0); 2],
        };
        Self {
            notation,
            problem,
            n: problem.n().get(),
            certainty,
            draft: Draft::default(),
            framed: false,
            first,
            strict: false,
            values: Vec::new(),
            frames: Vec::new(),
        }
    }

    /// Reads one piece of text; whole boards go to `out`.
    pub fn take(&mut self, at: u64, line: &Line, out: &mut VecDeque<Parsed>) -> Taken {
        let is_given = self.certainty == Certainty::Given;
        match (self.notation, line) {
            (_, Line::End { rule: true }) if self.framed => {}
            (_, Line::End { .. }) => self.end(out),
            // A count, or the only queen.
            (_, Line::Numbers(Numbers { values, bracketed: false, .. }))
                if self.n == 1 && values.len() == 1 && !is_given =>
            {
                return Taken::No;
            }
            (Notation::Columns | Notation::Columns1, Line::Numbers(numbers)) => {
                return self.columns(at, numbers, out);
            }
            (Notation::Digits | Notation::Digits0, Line::Numbers(numbers)) => {
                return self.digits(at, numbers, out);
            }
            (Notation::Binary, Line::Numbers(numbers)) => return self.bits(at, numbers, out),
            (Notation::Matrix, Line::Rows(rows)) if !rows.bits => self.rows(at, rows, out),
            (Notation::Binary, Line::Rows(rows)) if rows.bits => self.rows(at, rows, out),
            (Notation::Squares, Line::Squares(pairs)) | (Notation::Pairs, Line::Pairs(pairs)) => {
                self.squares(at, pairs, out);
            }
            (Notation::Pairs, Line::Numbers(Numbers { values, frame, .. })) if values.len() == 2 => {
                if frame.is_some() {
                    return Taken::Passed;
                }
                self.squares(at, &[[values[0], values[1]]], out);
            }
            (Notation::Dimacs, Line::Literals(literals)) => self.model(at, literals.as_deref(), out),
            _ => return Taken::No,
        }
        Taken::Yes
    }

    /// Ends the board on the way, if there is one, whether it is complete or not.
    pub fn end(&mut self, out: &mut VecDeque<Parsed>) {
        self.framed = false;
        let mut draft = std::mem::take(&mut self.draft);
        if draft.parts == 0 {
            return;
        }
        if self.notation == Notation::Dimacs {
            draft.fault.get_or_insert_with(|| "the model does not end in 0".to_owned());
        }
        let of_squares = matches!(self.notation, Notation::Squares | Notation::Pairs);
        // A few squares may be any words.
        if of_squares && 2 * draft.parts <= self.n && !self.strict {
            return;
        }
        for (axis, first) in self.first.iter_mut().enumerate().filter(|(_, first)| first.is_none()) {
            let has = |number: usize| draft.queens.iter().any(|queen| queen[axis] as usize == number);
            *first = if has(0) { Some(0) } else { (draft.parts == self.n && has(self.n)).then_some(1) };
        }
        self.strict |= self.notation == Notation::Pairs && draft.parts == self.n;
        self.push(draft, if of_squares { "square" } else { "row" }, out);
    }

    fn push(&mut self, draft: Draft, what: &str, out: &mut VecDeque<Parsed>) -> Taken {
        let (line, first) = (draft.line, self.first.map(|first| first.unwrap_or(0)));
        out.push_back(Parsed::new(line, draft.board(self.n, first, what)));
        Taken::Yes
    }

    /// Reads a board of columns. Too few numbers may be a count or a time.
    fn columns(&mut self, at: u64, numbers: &Numbers, out: &mut VecDeque<Parsed>) -> Taken {
        let (n, values) = (self.n, &numbers.values[..]);
        if let Some(frame) = &numbers.frame {
            return self.in_prose(at, values, frame, out);
        }
        if self.is_row(values) {
            return Taken::No;
        }
        let below = values.len().max(n);
        let resembles =
            2 * values.len() > n && values.iter().all(|&value| value as usize <= below || value == NO_VALUE);
        let is_board = values.len() == n || values.len() > 1 && resembles;
        if is_board { self.whole(at, values, out) } else { Taken::No }
    }

    /// Reads a number in which each digit is a column.
    fn digits(&mut self, at: u64, numbers: &Numbers, out: &mut VecDeque<Parsed>) -> Taken {
        let n = self.n;
        let values: Vec<u32> = numbers.digits.iter().map(|digit| u32::from(digit - b'0')).collect();
        // More or fewer digits than n may be a count or a time.
        let resembles =
            2 * values.len() > n + 1 && values.iter().all(|&digit| digit as usize <= n.max(values.len()));
        match &numbers.frame {
            _ if self.is_row(&values) => Taken::No,
            Some(frame) => self.in_prose(at, &values, frame, out),
            None if values.len() == n || resembles => self.whole(at, &values, out),
            None => Taken::No,
        }
    }

    /// Reads a board in prose: a solution, or a board in the words in which there was a solution before.
    fn in_prose(&mut self, at: u64, values: &[u32], frame: &String, out: &mut VecDeque<Parsed>) -> Taken {
        let is_known = self.frames.contains(frame);
        let is_solution = values.len() == self.n
            && {
                let mut found = VecDeque::new();
                self.whole(at, values, &mut found);
                matches!(&found[0].board, ParsedBoard::Placement(board) if self.problem.is_solution(board.columns()))
            };
        if is_solution && !is_known && self.frames.len() < FRAMES {
            self.frames.push(frame.clone());
        }
        match values.len() >= self.n {
            true if is_solution || is_known => self.whole(at, values, out),
            true if !counts(values) => Taken::Passed,
            _ => Taken::No,
        }
    }

    /// Whether numbers speak for a matrix of zeros and ones, because all queens but one would be in the first column.
    fn is_row(&self, values: &[u32]) -> bool {
        let bits = || values.iter().map(|&value| u64::from(value));
        self.certainty == Certainty::Tried
            && self.n > 2
            && bits().max() == Some(1)
            && bits().sum::<u64>() == 1
    }

    /// A board of columns in one piece.
    fn whole(&mut self, at: u64, values: &[u32], out: &mut VecDeque<Parsed>) -> Taken {
        let first = self.first[1].unwrap_or(0);
        let on_board = |&value: &u32| value >= first && ((value - first) as usize) < self.n;
        // A hundred million boards may come this way.
        if values.len() == self.n && values.iter().all(on_board) {
            let columns: Vec<u16> = values.iter().map(|&value| stored((value - first) as usize)).collect();
            out.push_back(Parsed::new(at, ParsedBoard::Placement(Placement::new(&columns))));
            return Taken::Yes;
        }
        self.push(Draft { line: at, ..Draft::of_columns(self.n, values) }, "column", out)
    }

    /// Numbers among boards that are not made of numbers: as a board that is no solution, if they resemble one.
    /// Column numbers do not.
    pub fn among_others(problem: &Problem, numbers: &Numbers) -> Option<ParsedBoard> {
        let (n, values) = (problem.n().get(), &numbers.values[..]);
        let on_board = values.iter().all(|&value| value as usize <= n);
        let resembles =
            numbers.frame.is_none() && values.len() == n && n > 1 && (on_board || numbers.bracketed);
        if !resembles || counts(values) {
            return None;
        }
        let board = Draft::of_columns(n, values).board(n, [0, u32::from(!values.contains(&0))], "column");
        let is_solution =
            matches!(&board, ParsedBoard::Placement(board) if problem.is_solution(board.columns()));
        Some(board).filter(|_| !is_solution)
    }

    /// Reads the rows of one line or list.
    fn rows(&mut self, at: u64, rows: &Rows, out: &mut VecDeque<Parsed>) {
        // A run of dashes, dots or stars separates boards, unless it can be a row of one.
        let is_row = self.draft.parts > 0 && rows.rows[0].width == self.n && !self.framed;
        if rows.uniform && !is_row {
            if !self.framed {
                self.end(out);
            }
            return;
        }
        // Several rows in one list are one board or several, never a part of one.
        let whole = rows.rows.len() > 1;
        if whole {
            self.end(out);
        }
        rows.rows.iter().for_each(|row| self.row(at, row, out));
        self.framed = rows.framed;
        if whole {
            self.end(out);
        }
    }

    /// Reads a row of zeros and ones, each a number or all of them one number, perhaps preceded by the number of the row.
    fn bits(&mut self, at: u64, numbers: &Numbers, out: &mut VecDeque<Parsed>) -> Taken {
        let (n, row) = (self.n, self.draft.parts);
        let digits: Vec<u32> = numbers.digits.iter().map(|digit| u32::from(digit - b'0')).collect();
        let mut values = if digits.is_empty() { &numbers.values[..] } else { &digits };
        if values.len() == n + 1 && [row, row + 1, n - row, n - row - 1].contains(&(values[0] as usize)) {
            values = &values[1..];
        }
        let queens = || (0..values.len()).filter(|&column| values[column] == 1);
        let is_row = values.iter().all(|&value| value <= 1) && 2 * values.len() > n + 1;
        if numbers.frame.is_some() && (values.len() != n || queens().count() != 1) {
            return if values.len() < n { Taken::No } else { Taken::Passed };
        }
        if !is_row && values.len() != n || !values.iter().all(|&value| value <= 1) {
            return Taken::No;
        }
        self.row(at, &Row { width: values.len(), queens: queens().collect(), ..Row::default() }, out);
        Taken::Yes
    }

    fn row(&mut self, at: u64, row: &Row, out: &mut VecDeque<Parsed>) {
        let (n, index) = (self.n, self.draft.parts);
        // A lone glyph is an initial or a bullet; cells without a queen may be an ellipsis.
        if row.width != n && (row.width < 2 || row.queens.is_empty() && row.marks.is_empty()) {
            return;
        }
        let draft = &mut self.draft;
        if index == 0 {
            draft.line = at;
        }
        if row.width != n {
            let cells = counted(row.width as u64, "cell");
            draft.misfit.get_or_insert_with(|| format!("row {index} has {cells} instead of {n}"));
        }
        // A board cannot be wider than this; reading on would only take memory.
        let squares = |columns: &[usize]| {
            let numbers = columns.iter().take(2 * n).map(|&column| [index, column].map(number));
            numbers.collect::<Vec<_>>()
        };
        draft.queens.extend(squares(&row.queens));
        draft.marks.extend(squares(&row.marks));
        draft.parts += 1;
        if draft.parts == n {
            self.end(out);
        }
    }

    /// Reads some queens of one line, each as row and column.
    fn squares(&mut self, at: u64, queens: &[[u32; 2]], out: &mut VecDeque<Parsed>) {
        let several = queens.len() > 1;
        if several {
            // A few words such as `x1 y2` are a heading.
            if 2 * queens.len() <= self.n && !self.strict {
                return;
            }
            self.end(out);
        }
        if self.draft.parts == 0 {
            self.draft.line = at;
        }
        self.draft.parts += queens.len();
        self.draft.queens.extend(queens);
        if several || self.draft.parts == self.n {
            self.end(out);
        }
    }

    /// Reads literals up to 0; literals beyond the squares belong to auxiliary variables. `None`: not all words are
    /// numbers.
    fn model(&mut self, at: u64, literals: Option<&[i64]>, out: &mut VecDeque<Parsed>) {
        let (n, squares) = (self.n, self.n * self.n);
        for &literal in literals.unwrap_or(&[i64::MAX]) {
            if self.draft.parts == 0 {
                self.draft = Draft { line: at, parts: n, ..Draft::default() };
                self.values.clear();
                self.values.resize(squares, None);
            }
            if literal == 0 {
                let draft = std::mem::take(&mut self.draft);
                self.push(draft, "row", out);
                continue;
            }
            let variable = usize::try_from(literal.unsigned_abs()).unwrap_or(usize::MAX);
            let is_queen = literal > 0;
            let value = self.values.get_mut(variable - 1);
            let fault = match value.map(|value| value.replace(is_queen)) {
                _ if literals.is_none() => Some("a literal that is not a number".to_owned()),
                Some(Some(value)) if value != is_queen => {
                    Some(format!("variable {variable} is both true and false"))
                }
                _ => None,
            };
            self.draft.fault = self.draft.fault.take().or(fault);
            if is_queen && variable <= squares && self.draft.queens.len() <= squares {
                self.draft.queens.push([(variable - 1) / n, (variable - 1) % n].map(number));
            }
        }
    }
}

/// A row or column as it is written.
fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(NO_VALUE)
}
