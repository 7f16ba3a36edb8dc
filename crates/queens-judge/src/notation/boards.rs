//! The boards of one notation, read piece by piece: of `n` rows, of `n` squares on one line or each on its own, of the
//! literals of a model, or one to a piece.
//!
//! An empty line, the end of a list, a rule (unless bars frame the cells) and the end of the text end a board early: it is
//! malformed, not ignored.

use super::Notation;
use super::line::{Kind, Numbers, Piece, counts, lone_one};
use super::rows::{Row, Rows};
use super::tokens::NO_VALUE;
use crate::counted;
use queens_board::problem::Problem;
use queens_board::{Placement, Square, column as stored};

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
        let (mut fault, mut queens) = (self.fault, Vec::new());
        let mut columns: Vec<Option<u32>> = vec![None; n];
        for [row, column] in if self.queens.is_empty() { self.marks } else { self.queens } {
            let found = match (row.checked_sub(first[0]), column.checked_sub(first[1])) {
                _ if row == NO_VALUE || column == NO_VALUE => "a row or column is not a number".to_owned(),
                (Some(row), Some(column)) => {
                    let (row, column) = (row as usize, column as usize);
                    queens.push(Square { row, column });
                    match columns
                        .get_mut(row)
                        .filter(|_| column < n)
                        .map(|queen| queen.replace(stored(column)))
                    {
                        Some(None) => continue,
                        Some(Some(_)) => format!("row {row} has several queens"),
                        None => format!("a queen outside the board, in row {row}, column {column}"),
                    }
                }
                _ => format!("row {row}: there is no column {column}"),
            };
            fault.get_or_insert(found);
        }
        let misshapen = misfit.is_some();
        let empty = columns.iter().position(Option::is_none).map(|row| format!("row {row} has no queen"));
        match misfit.or(fault).or(empty) {
            Some(fault) => ParsedBoard::Malformed { queens, fault, misshapen },
            None => {
                ParsedBoard::Placement(Placement::new(&columns.into_iter().flatten().collect::<Vec<_>>()))
            }
        }
    }
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
    /// Where rows and columns begin.
    first: [u32; 2],
    certainty: Certainty,
    pub problem: &'a Problem,
    n: usize,
    /// The boards that were read.
    pub found: Vec<Parsed>,
    draft: Draft,
    /// Whether bars frame the cells of the last row.
    framed: bool,
    /// Whether even a few pairs are an incomplete board, because there was a whole one.
    strict: bool,
    /// The value given to each square of a model so far.
    values: Vec<Option<bool>>,
    /// The words before boards in prose that were solutions. Other prose may be a trace of the search.
    frames: Vec<String>,
}

impl<'a> Boards<'a> {
    pub fn new(notation: Notation, first: [u32; 2], certainty: Certainty, problem: &'a Problem) -> Self {
        Self {
            notation,
            first,
            certainty,
            problem,
            n: problem.n().get(),
            found: Vec::new(),
            draft: Draft::default(),
            framed: false,
            strict: false,
            values: Vec::new(),
            frames: Vec::new(),
        }
    }

    /// Reads the text from its beginning, now that the notation is known.
    pub fn chosen(&self) -> Self {
        let is_given = self.certainty == Certainty::Given;
        let certainty = if is_given { Certainty::Given } else { Certainty::Detected };
        Self { frames: self.frames.clone(), ..Self::new(self.notation, self.first, certainty, self.problem) }
    }

    /// Reads one piece of text; whether it is a board, a part of one, or parts two of them.
    pub fn take(&mut self, at: u64, piece: &Piece) -> bool {
        let is_given = self.certainty == Certainty::Given;
        match (self.notation, &piece.kind) {
            (_, Kind::End) => self.end(),
            // A count, or the only queen.
            (_, Kind::Numbers(Numbers { values, bracketed: false, .. }))
                if self.n == 1 && values.len() == 1 && !is_given =>
            {
                return false;
            }
            (Notation::Columns | Notation::Columns1, Kind::Numbers(numbers)) => {
                return self.columns(at, piece, &numbers.values, self.n);
            }
            // More or fewer digits than n may be a count or a time.
            (Notation::Digits | Notation::Digits0, Kind::Numbers(numbers)) => {
                return self.columns(at, piece, &numbers.each_digit(), self.n + 1);
            }
            (Notation::Binary, Kind::Numbers(numbers)) => return self.bits(at, numbers),
            (Notation::Matrix, Kind::Rows(rows)) if !rows.bits => self.rows(at, rows),
            (Notation::Binary, Kind::Rows(rows)) if rows.bits => self.rows(at, rows),
            (Notation::Squares, Kind::Squares(pairs)) | (Notation::Pairs, Kind::Pairs(pairs)) => {
                self.squares(at, pairs);
            }
            (Notation::Pairs, Kind::Numbers(Numbers { values, .. })) if values.len() == 2 => {
                self.squares(at, &[[values[0], values[1]]]);
            }
            (Notation::Dimacs, Kind::Literals(literals)) => self.model(at, literals.as_deref()),
            _ => return false,
        }
        true
    }

    /// Ends the board on the way, if there is one, whether it is complete or not.
    pub fn end(&mut self) {
        self.framed = false;
        let mut draft = std::mem::take(&mut self.draft);
        let of_squares = matches!(self.notation, Notation::Squares | Notation::Pairs);
        // A few squares may be any words.
        if draft.parts == 0 || of_squares && 2 * draft.parts <= self.n && !self.strict {
            return;
        }
        if self.notation == Notation::Dimacs {
            draft.fault.get_or_insert_with(|| "the model does not end in 0".to_owned());
        }
        self.strict |= self.notation == Notation::Pairs && draft.parts == self.n;
        self.push(draft, if of_squares { "square" } else { "row" });
    }

    fn push(&mut self, draft: Draft, what: &str) {
        let line = draft.line;
        self.found.push(Parsed::new(line, draft.board(self.n, self.first, what)));
    }

    /// Reads a board of columns: `n` values, or about as many, more than half of `least`. In prose it must be a solution, or
    /// stand behind words behind which there was one before.
    fn columns(&mut self, at: u64, piece: &Piece, values: &[u32], least: usize) -> bool {
        let below = values.len().max(self.n);
        let resembles = || {
            let may_be = |&value: &u32| value as usize <= below || value == NO_VALUE;
            2 * values.len() > least && values.iter().all(may_be)
        };
        if self.is_row(values) || values.len() != self.n && (piece.frame.is_some() || !resembles()) {
            return false;
        }
        let board = self.board(values);
        if let Some(frame) = piece.frame.as_ref().filter(|frame| !self.frames.contains(frame)) {
            if !self.is_solution(&board) {
                return false;
            }
            if self.frames.len() < FRAMES {
                self.frames.push(frame.clone());
            }
        }
        self.found.push(Parsed::new(at, board));
        true
    }

    /// Whether numbers speak for a matrix of zeros and ones, because all queens but one would be in the first column.
    fn is_row(&self, values: &[u32]) -> bool {
        self.certainty == Certainty::Tried && self.n > 2 && lone_one(values).is_some()
    }

    /// A board of columns in one piece.
    fn board(&self, values: &[u32]) -> ParsedBoard {
        let first = self.first[1];
        let on_board = |&value: &u32| value >= first && ((value - first) as usize) < self.n;
        // A hundred million boards may come this way.
        if values.len() == self.n && values.iter().all(on_board) {
            let columns: Vec<u32> = values.iter().map(|&value| stored((value - first) as usize)).collect();
            return ParsedBoard::Placement(Placement::new(&columns));
        }
        Draft::of_columns(self.n, values).board(self.n, [0, first], "column")
    }

    /// Takes numbers among boards that are not made of numbers for a board, if they resemble one that is no solution.
    /// Column numbers do not.
    pub fn among_others(&mut self, at: u64, numbers: &Numbers) {
        let (n, values) = (self.n, &numbers.values[..]);
        let on_board = values.iter().all(|&value| value as usize <= n);
        if values.len() != n || n == 1 || counts(values) || !on_board && !numbers.bracketed {
            return;
        }
        let first = u32::from(!values.contains(&0));
        self.in_other_notation(at, Draft::of_columns(n, values).board(n, [0, first], "column"));
    }

    /// Takes a board in another notation if it is no solution; solutions may repeat the boards of this notation.
    pub fn in_other_notation(&mut self, at: u64, board: ParsedBoard) {
        if !self.is_solution(&board) {
            self.found.push(Parsed::new(at, board));
        }
    }

    /// Whether the last board is a solution.
    pub fn ends_in_solution(&self) -> bool {
        self.found.last().is_some_and(|found| self.is_solution(&found.board))
    }

    fn is_solution(&self, board: &ParsedBoard) -> bool {
        matches!(board, ParsedBoard::Placement(board) if self.problem.is_solution(board.columns()))
    }

    /// Reads the rows of one line or list.
    fn rows(&mut self, at: u64, rows: &Rows) {
        // A run of dashes, dots or stars separates boards, unless it can be a row of one.
        let is_row = self.draft.parts > 0 && rows.rows[0].width == self.n && !self.framed;
        if rows.uniform && !is_row {
            if !self.framed {
                self.end();
            }
            return;
        }
        // Several rows in one list are one board or several, never a part of one.
        let whole = rows.rows.len() > 1;
        if whole {
            self.end();
        }
        rows.rows.iter().for_each(|row| self.row(at, row));
        self.framed = rows.framed;
        if whole {
            self.end();
        }
    }

    /// Reads a row of zeros and ones, each a number or all of them one number, perhaps preceded by the number of the row.
    fn bits(&mut self, at: u64, numbers: &Numbers) -> bool {
        let (n, row) = (self.n, self.draft.parts);
        let digits = numbers.each_digit();
        let mut values = if digits.is_empty() { &numbers.values[..] } else { &digits };
        if values.len() == n + 1 && [row, row + 1, n - row, n - row - 1].contains(&(values[0] as usize)) {
            values = &values[1..];
        }
        if !values.iter().all(|&value| value <= 1) || values.len() != n && 2 * values.len() <= n + 1 {
            return false;
        }
        let queens = (0..values.len()).filter(|&column| values[column] == 1).collect();
        self.row(at, &Row { width: values.len(), queens, ..Row::default() });
        true
    }

    fn row(&mut self, at: u64, row: &Row) {
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
            self.end();
        }
    }

    /// Reads some queens of one line, each as row and column.
    fn squares(&mut self, at: u64, queens: &[[u32; 2]]) {
        let several = queens.len() > 1;
        if several {
            // A few words such as `x1 y2` are a heading.
            if 2 * queens.len() <= self.n && !self.strict {
                return;
            }
            self.end();
        }
        if self.draft.parts == 0 {
            self.draft.line = at;
        }
        self.draft.parts += queens.len();
        self.draft.queens.extend(queens);
        if several || self.draft.parts == self.n {
            self.end();
        }
    }

    /// Reads literals up to 0; literals beyond the squares belong to auxiliary variables. `None`: not all words are
    /// numbers.
    fn model(&mut self, at: u64, literals: Option<&[i64]>) {
        let (n, squares) = (self.n, self.n * self.n);
        for &literal in literals.unwrap_or(&[i64::MAX]) {
            if self.draft.parts == 0 {
                self.draft = Draft { line: at, parts: n, ..Draft::default() };
                self.values.clear();
                self.values.resize(squares, None);
            }
            if literal == 0 {
                let draft = std::mem::take(&mut self.draft);
                self.push(draft, "row");
                continue;
            }
            let variable = usize::try_from(literal.unsigned_abs()).unwrap_or(usize::MAX);
            let is_queen = literal > 0;
            let earlier = self.values.get_mut(variable - 1).and_then(|value| value.replace(is_queen));
            let fault = match literals {
                None => Some("a literal that is not a number".to_owned()),
                Some(_) if earlier == Some(!is_queen) => {
                    Some(format!("variable {variable} is both true and false"))
                }
                Some(_) => None,
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
