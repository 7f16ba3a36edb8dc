//! Reads boards whose rows are words, fields or lists: `.Q.. ...Q Q... ..Q.`, `Queen,Empty,Empty,Empty`, `[0, 1, 0, 0]`,
//! `1Q2/3Q/Q3/2Q1`.

use std::borrow::Cow;

use super::Notation;
use super::candidate::{Candidate, Score, keep_best};
use super::cells::{BLANK, Style, Symbol, symbols};
use super::lines::Line;
use super::query::Query;
use super::roles::{self, Roles, Symbols};
use super::sequences::{FNV_BASIS, fnv};

/// How a row is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowSyntax {
    /// The fields of a line between separators, and how many fields are before those of the board.
    Fields(char, usize),
    /// A word, whose characters are squares.
    Words,
    /// The items of a list in brackets.
    Lists,
    /// A part of a word, between slashes. Digits are numbers of empty squares.
    Fen,
}

impl RowSyntax {
    /// Whether a line has the sign that separates or encloses squares.
    fn may_have_rows(self, text: &str) -> bool {
        match self {
            Self::Fields(separator, _) => text.contains(|c| separates(separator, c)),
            Self::Words => true,
            Self::Lists => text.contains(['[', '(', '{']),
            Self::Fen => text.contains('/'),
        }
    }
}

/// The separators of the fields of a line. A blank stands for white space of any kind, and a bar for bars of any kind.
const SEPARATORS: [char; 5] = [' ', '\t', ',', ';', '|'];

fn separates(separator: char, c: char) -> bool {
    match separator {
        ' ' => c.is_whitespace(),
        '|' => matches!(c, '|' | '│' | '┃' | '║'),
        _ => c == separator,
    }
}

/// A piece of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    /// The squares of a possible row.
    Row(Vec<Symbol>),
    /// The end of a list, or a line without letters and digits.
    End,
    /// Other text.
    Other,
}

/// Splits lines into pieces.
#[derive(Clone, Debug)]
struct Splitter {
    syntax: RowSyntax,
    n: usize,
    /// The list that is being read, if there is one.
    list: Option<String>,
}

/// The maximum length of a list that is read as a row, in bytes per square.
const MAX_FIELD: usize = 64;

impl Splitter {
    fn new(syntax: RowSyntax, n: usize) -> Self {
        Self { syntax, n, list: None }
    }

    fn split_line(&mut self, text: &str, pieces: &mut Vec<Piece>) {
        match self.syntax {
            RowSyntax::Fields(separator, first) => pieces.push(self.fields_of_line(text, separator, first)),
            RowSyntax::Words => self.words(text, pieces),
            RowSyntax::Lists => self.lists(text, pieces),
            RowSyntax::Fen => self.fen(text, pieces),
        }
    }

    fn fields_of_line(&self, text: &str, separator: char, first: usize) -> Piece {
        let text = text.trim();
        if text.is_empty() {
            return Piece::End;
        }
        if text.len() > MAX_FIELD * (self.n + 8) {
            return Piece::Other;
        }
        let fields = fields(text, separator);
        if first + self.n <= fields.len() {
            let (before, squares) = fields.split_at(first);
            let (row, behind) = squares.split_at(self.n);
            // The fields beside a row are labels. If one of them also occurs in the row, it is a square, and the row is longer
            // than n.
            let is_longer_row = before.iter().chain(behind).any(|field| row.contains(field));
            return if is_longer_row { Piece::Other } else { Piece::Row(row.to_vec()) };
        }
        if text.contains(char::is_alphanumeric) { Piece::Other } else { Piece::End }
    }

    fn words(&self, text: &str, pieces: &mut Vec<Piece>) {
        if text.trim().is_empty() {
            return pieces.push(Piece::End);
        }
        let mut cells = Vec::new();
        for piece in text.split_inclusive(is_punctuation) {
            let end = piece.chars().next_back().filter(|&c| is_punctuation(c));
            let word = &piece[..piece.len() - end.map_or(0, char::len_utf8)];
            if !word.is_empty() {
                symbols(word.as_bytes(), &mut Style::default(), false, &mut cells);
                let is_row = cells.len() >= 2 && cells.len() <= self.n + 1;
                if is_row {
                    pieces.push(Piece::Row(cells.clone()));
                } else if word.contains(char::is_alphanumeric) {
                    pieces.push(Piece::Other);
                }
            }
            if end.is_some_and(|c| "])}".contains(c)) {
                pieces.push(Piece::End);
            }
        }
    }

    fn lists(&mut self, text: &str, pieces: &mut Vec<Piece>) {
        let mut unread = text;
        while let Some(at) = unread.find(['[', ']', '(', ')', '{', '}']) {
            let (before, behind) = unread.split_at(at);
            let is_open = behind.starts_with(['[', '(', '{']);
            match &mut self.list {
                _ if is_open => self.list = Some(String::new()),
                Some(list) => {
                    list.push_str(before);
                    let cells = list_fields(list);
                    pieces.push(if cells.len() >= 2 { Piece::Row(cells) } else { Piece::Other });
                    self.list = None;
                }
                None => pieces.push(Piece::End),
            }
            unread = &behind[1..];
        }
        match &mut self.list {
            Some(list) if list.len() > MAX_FIELD * self.n => self.list = None,
            Some(list) => {
                list.push_str(unread);
                list.push(' ');
            }
            None if text.trim().is_empty() => pieces.push(Piece::End),
            None => {}
        }
    }

    fn fen(&self, text: &str, pieces: &mut Vec<Piece>) {
        for word in text.split(|c: char| c.is_whitespace() || "\"',;:：[](){}".contains(c)) {
            let parts: Vec<&str> = word.split('/').collect();
            // A fraction such as `1/2` is not a board, because it has no queen.
            let has_queen = word.contains(|c: char| c != '/' && !c.is_ascii_digit());
            let is_board = parts.len() == self.n || has_queen && (2..=self.n + 1).contains(&parts.len());
            if !is_board || word.len() > 4 * self.n * self.n {
                continue;
            }
            for part in parts {
                let (mut cells, mut count) = (Vec::new(), 0_usize);
                for c in part.chars() {
                    if let Some(digit) = c.to_digit(10) {
                        count = (10 * count + digit as usize).min(2 * self.n);
                        continue;
                    }
                    cells.extend(std::iter::repeat_n(BLANK, std::mem::take(&mut count)));
                    cells.push(u64::from(u32::from(c)));
                }
                cells.extend(std::iter::repeat_n(BLANK, count));
                pieces.push(Piece::Row(cells));
            }
            pieces.push(Piece::End);
        }
    }
}

/// Whether a character separates words.
fn is_punctuation(c: char) -> bool {
    c.is_whitespace() || "\"',;/[](){}|".contains(c)
}

/// The fields of a line as symbols, without empty fields at the ends of the line.
fn fields(text: &str, separator: char) -> Vec<Symbol> {
    let trimmed_symbol =
        |field: &str| symbol(field.trim_matches(|c: char| c.is_whitespace() || "\"'[](){},;".contains(c)));
    let mut fields: Vec<Symbol> = text.split(|c| separates(separator, c)).map(trimmed_symbol).collect();
    if separator == ' ' {
        fields.retain(|&field| field != BLANK);
    } else {
        if fields.last() == Some(&BLANK) && text.ends_with(|c| separates(separator, c)) {
            fields.pop();
        }
        if fields.first() == Some(&BLANK) && separator == '|' {
            fields.remove(0);
        }
    }
    fields
}

/// The fields of a list between commas or semicolons, or else between blanks.
fn list_fields(list: &str) -> Vec<Symbol> {
    let list = list.trim_matches(|c: char| c.is_whitespace() || "|".contains(c));
    fields(list, [',', ';'].into_iter().find(|&separator| list.contains(separator)).unwrap_or(' '))
}

/// The symbol of a word: its only character, or a hash of the word.
fn symbol(word: &str) -> Symbol {
    let mut characters = word.chars();
    match (characters.next(), characters.next()) {
        (None, _) => BLANK,
        (Some(c), None) => u64::from(u32::from(c)),
        _ => fnv(FNV_BASIS, word.as_bytes()) | 1 << 63,
    }
}

/// How the rows of a text are written.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    syntax: RowSyntax,
    /// Whether an empty line or the end of a list ends a board.
    is_strict: bool,
    n: usize,
    pub roles: Roles,
}

impl Layout {
    /// The layout in which the most solutions are found among some lines.
    pub fn find(lines: &[Line], query: Query<'_>) -> Option<(Score, Self)> {
        let (n, family, given_symbols) = (query.n(), query.family(), query.hints.symbols);
        if n < 2 {
            return None;
        }
        let mut best: Option<(Score, Self)> = None;
        let fields = SEPARATORS.into_iter().flat_map(|separator| (0..3).map(move |first| (separator, first)));
        let syntaxes = [RowSyntax::Words, RowSyntax::Lists, RowSyntax::Fen]
            .into_iter()
            .chain(fields.map(|(separator, first)| RowSyntax::Fields(separator, first)));
        // Many sentences contain two or three words of two or three letters, which look like small boards.
        let syntaxes = syntaxes.filter(|syntax| {
            n > 3 || family.is_some() || matches!(syntax, RowSyntax::Lists | RowSyntax::Fen)
        });
        let is_allowed = |syntax: &RowSyntax| {
            family.is_none_or(|family| (family == Notation::Fen) == (*syntax == RowSyntax::Fen))
        };
        let texts: Vec<Option<Cow<'_, str>>> =
            lines.iter().map(|line| (!line.is_break()).then(|| plaintext::decode(&line.text))).collect();
        let occurs_in_text =
            |syntax: &RowSyntax| texts.iter().flatten().any(|text| syntax.may_have_rows(text));
        for syntax in syntaxes.filter(is_allowed).filter(occurs_in_text) {
            let pieces = pieces(&texts, syntax, n);
            for is_strict in [true, false] {
                let boards = boards(&pieces, n, is_strict, given_symbols);
                let score = Score::from_boards(boards.iter().map(|(columns, _)| &columns[..]), query.problem);
                if score.boards > 0 {
                    let rows = boards.iter().flat_map(|(columns, rows)| rows.iter().copied().zip(columns));
                    let roles = || Roles::from_rows(rows.map(|(row, &queen)| (row, queen)));
                    keep_best(&mut best, score, || Self { syntax, is_strict, n, roles: roles() });
                }
            }
        }
        best
    }

    pub fn is_fen(&self) -> bool {
        self.syntax == RowSyntax::Fen
    }
}

/// The pieces of some lines without colours; `None` where lines are left out.
fn pieces(lines: &[Option<Cow<'_, str>>], syntax: RowSyntax, n: usize) -> Vec<Piece> {
    let mut splitter = Splitter::new(syntax, n);
    let mut pieces = Vec::new();
    for line in lines {
        match line {
            Some(text) => splitter.split_line(text, &mut pieces),
            None => {
                splitter = Splitter::new(syntax, n);
                pieces.push(Piece::Other);
            }
        }
    }
    pieces
}

/// The boards among pieces. A board is `n` consecutive rows. Returns the columns of the queens, and the rows, of each board.
fn boards(
    pieces: &[Piece],
    n: usize,
    is_strict: bool,
    given_symbols: Symbols,
) -> Vec<(Vec<u32>, Vec<&[Symbol]>)> {
    let (mut all, mut rows): (Vec<_>, Vec<&[Symbol]>) = (Vec::new(), Vec::new());
    for piece in pieces {
        match piece {
            Piece::Row(cells)
                if cells.len() == n && (given_symbols.queen.is_some() || roles::may_be_row(cells)) =>
            {
                rows.push(cells);
            }
            Piece::End if !is_strict => {}
            _ => rows.clear(),
        }
        if rows.len() == n {
            match roles::queens(&rows, given_symbols) {
                Some(columns) => all.push((columns, std::mem::take(&mut rows))),
                None => drop(rows.remove(0)),
            }
        }
    }
    all
}

/// Reads the boards of a layout, line by line.
#[derive(Clone, Debug)]
pub(super) struct Reader {
    pub layout: Layout,
    splitter: Splitter,
    /// The first line of the board that is being read.
    first_line: u64,
    /// The columns of the queens in each row of this board.
    rows: Vec<Vec<u32>>,
    /// The first line of a list that goes on in the next line.
    list_line: Option<u64>,
}

impl Reader {
    pub fn new(layout: Layout) -> Self {
        let splitter = Splitter::new(layout.syntax, layout.n);
        Self { layout, splitter, first_line: 0, rows: Vec::new(), list_line: None }
    }

    /// Reads a line, and adds the boards that it completes to `out`. Returns whether the line belongs to a board.
    pub fn read_line(&mut self, line: &Line, out: &mut Vec<Candidate>) -> bool {
        let mut pieces = Vec::new();
        let text = plaintext::decode(&line.text);
        self.splitter.split_line(&text, &mut pieces);
        let mut is_explained = self.splitter.list.is_some();
        let mut has_other_text = pieces.is_empty() && !text.chars().all(is_punctuation);
        // This list has several lines, so its first lines were not offered to another reading.
        if let (Some(first), Some(Piece::Row(cells))) = (self.list_line, pieces.first())
            && cells.len() == self.layout.n
            && self.layout.roles.queens(cells).is_none()
        {
            out.push(Candidate::Doubtful { line: first });
        }
        let goes_on = self.splitter.list.is_some();
        let is_same_list = goes_on && pieces.is_empty();
        self.list_line = self.list_line.filter(|_| is_same_list).or(goes_on.then_some(line.number));
        for piece in pieces {
            match piece {
                Piece::Row(cells) => {
                    let is_complete = cells.len() == self.layout.n;
                    // Except in FEN, a row that is too short or too long belongs to a board only if another row is before it.
                    let may_be_row = |queens: &Vec<u32>| {
                        is_complete || !queens.is_empty() && (!self.rows.is_empty() || self.layout.is_fen())
                    };
                    let Some(queens) = self.layout.roles.queens(&cells).filter(may_be_row) else {
                        self.end(out);
                        has_other_text = true;
                        continue;
                    };
                    is_explained = true;
                    if self.rows.is_empty() {
                        self.first_line = line.number;
                    }
                    self.rows.push(queens);
                    if !is_complete || self.rows.len() == self.layout.n {
                        self.push(is_complete, out);
                    }
                }
                Piece::End if self.layout.is_strict => self.end(out),
                Piece::End => {}
                Piece::Other => {
                    self.end(out);
                    has_other_text = true;
                }
            }
        }
        is_explained || !has_other_text
    }

    fn push(&mut self, is_complete: bool, out: &mut Vec<Candidate>) {
        let is_complete = is_complete && self.rows.len() == self.layout.n;
        out.push(Candidate::from_rows(self.first_line, &self.rows, is_complete));
        self.rows.clear();
    }

    /// Ends a board that is not complete, because the text ends or something else follows.
    pub fn end(&mut self, out: &mut Vec<Candidate>) {
        if !self.rows.is_empty() {
            self.push(false, out);
        }
    }
}
