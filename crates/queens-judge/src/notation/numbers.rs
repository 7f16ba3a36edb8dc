//! Boards as numbers: `n` positions, whatever words and brackets are around them.
//!
//! The numbers of a line, or of a list in brackets, are a board if they are a column for each row, a row and a column for each
//! queen, a number with `n` digits, or squares such as `b1`; or if each of `n` lines or lists is one queen. Which of their numbers
//! these are, whether they count from 0 or 1, and which of them is the row is decided by all boards of a text together.

use std::collections::HashMap;

use super::found::{Found, Score, is_permutation};
use super::lines::Line;
use crate::statement;
use queens_board::BoardSize;
use queens_board::problem::Problem;

/// The value of what is no whole number.
const NO_VALUE: i64 = i64::MIN;

/// A number in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Number {
    value: i64,
    digits: u32,
    /// The letter before it, as in `b1`; 0 if there is none.
    letter: u8,
}

/// The numbers of a line, or of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Unit {
    line: u64,
    numbers: Vec<Number>,
    /// A hash of the words around the numbers.
    words: u64,
    /// Of a list, a hash of the words before it, behind the list before.
    before: u64,
    /// Whether there is a list of n numbers in this line: then its lists are the boards, not the line.
    has_board_list: bool,
}

/// Other numbers than those of a board in a line: its label, a time.
const MAX_EXTRA: usize = 6;

/// Splits lines into units.
#[derive(Clone, Debug)]
struct Splitter {
    /// Whether units are lists rather than lines.
    is_list: bool,
    n: usize,
    max: usize,
    /// The list that is being read.
    list: Option<Unit>,
}

/// A unit, or something that ends a board of several units.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Unit(Unit),
    End,
}

const NO_WORDS: u64 = 0xcbf2_9ce4_8422_2325;

/// A bit that tells lines with brackets from others.
const BRACKETS: u64 = 1;

fn is_bare(words: u64) -> bool {
    words | BRACKETS == NO_WORDS | BRACKETS
}

fn hashed(hash: u64, byte: u8) -> u64 {
    (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
}

impl Splitter {
    fn new(is_list: bool, n: usize) -> Self {
        Self { is_list, n, max: 3 * n + MAX_EXTRA, list: None }
    }

    /// Splits a line. Unless units are lists, it is one unit.
    fn take(&mut self, line: u64, text: &[u8], pieces: &mut Vec<Piece>) {
        let mut unit = Unit { line, words: NO_WORDS, before: NO_WORDS, ..Unit::default() };
        let mut before = NO_WORDS;
        // Of a line: the count of its numbers where the last bracket was opened.
        let mut opened = None;
        let mut at = 0;
        let mut letter = 0;
        while let Some(&byte) = text.get(at) {
            match byte {
                b'0'..=b'9' => {
                    let (number, end) = number(text, at, letter);
                    let list = if self.is_list { self.list.as_mut() } else { Some(&mut unit) };
                    if let Some(unit) = list
                        && unit.numbers.len() <= self.max
                    {
                        unit.numbers.push(number);
                    }
                    (at, letter) = (end, 0);
                    continue;
                }
                b'[' | b'(' | b'{' if !self.is_list => opened = Some(unit.numbers.len()),
                b']' | b')' | b'}' if !self.is_list => {
                    let count = opened.take().map(|opened| unit.numbers.len() - opened);
                    unit.has_board_list |= count == Some(self.n);
                }
                b'[' | b'(' | b'{' if self.is_list => {
                    self.list = Some(Unit { line, words: NO_WORDS, before, ..Unit::default() });
                }
                b']' | b')' | b'}' if self.is_list => {
                    before = NO_WORDS;
                    pieces.push(match self.list.take() {
                        Some(list) if !list.numbers.is_empty() => Piece::Unit(list),
                        _ => Piece::End,
                    });
                }
                0x1B => {
                    let end = text[at..].iter().position(|&byte| byte == b'm');
                    at += end.map_or(text.len(), |end| end + 1);
                    continue;
                }
                _ if byte.is_ascii_alphabetic() || byte >= 0x80 => {
                    let end = text[at..].iter().position(|byte| !byte.is_ascii_alphabetic() && *byte < 0x80);
                    let word = &text[at..at + end.unwrap_or(text.len() - at)];
                    let unit = if self.is_list { self.list.as_mut() } else { Some(&mut unit) };
                    if let Some(unit) = unit {
                        if is_hole(word) {
                            unit.numbers.push(Number { value: NO_VALUE, digits: 0, letter: 0 });
                        } else {
                            // A letter before a number is a column, or a name.
                            let is_name =
                                word.len() <= 2 && text.get(at + word.len()).is_some_and(u8::is_ascii_digit);
                            let word = if is_name { &word[..word.len() - 1] } else { word };
                            unit.words = word
                                .iter()
                                .fold(unit.words, |hash, byte| hashed(hash, byte.to_ascii_lowercase()));
                        }
                    }
                    before = word.iter().fold(before, |hash, byte| hashed(hash, byte.to_ascii_lowercase()));
                    at += word.len();
                    letter = word.last().filter(|byte| byte.is_ascii()).map_or(0, u8::to_ascii_lowercase);
                    continue;
                }
                _ => {}
            }
            // `q_1` is a name, too.
            letter = if byte == b'_' { letter } else { 0 };
            at += 1;
        }
        if !self.is_list {
            if text.iter().any(|byte| matches!(byte, b'[' | b'(' | b'{')) && !text.starts_with(b"\x1b") {
                unit.words = unit.words & !BRACKETS | (NO_WORDS ^ BRACKETS) & BRACKETS;
            } else {
                unit.words = unit.words & !BRACKETS | NO_WORDS & BRACKETS;
            }
            pieces.push(if unit.numbers.is_empty() { Piece::End } else { Piece::Unit(unit) });
        } else if text.trim_ascii().is_empty() {
            pieces.push(Piece::End);
        }
    }
}

/// What programs print in place of a number.
fn is_hole(word: &[u8]) -> bool {
    ["none", "null", "nil", "nan", "undefined"].iter().any(|hole| word.eq_ignore_ascii_case(hole.as_bytes()))
}

/// The number at a place, and the end of it.
fn number(text: &[u8], at: usize, letter: u8) -> (Number, usize) {
    let run = |from: usize| text[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let digits = run(at);
    let mut value = text[at..at + digits]
        .iter()
        .fold(0_i64, |value, digit| value.saturating_mul(10).saturating_add(i64::from(digit - b'0')));
    let mut end = at + digits;
    let before = |back: usize| at.checked_sub(back).map_or(b' ', |at| text[at]);
    let is_free = |byte: u8| !byte.is_ascii_alphanumeric() && !matches!(byte, b')' | b']' | b'-' | b'>');
    if before(1) == b'-' && is_free(before(2)) {
        value = -value;
    }
    // `1.0` is whole, `0.5` is not; `1.` and `1..4` are.
    if text.get(end) == Some(&b'.') {
        let fraction = run(end + 1);
        if fraction > 0 {
            if text[end + 1..end + 1 + fraction].iter().any(|&digit| digit != b'0') {
                value = NO_VALUE;
            }
            end += 1 + fraction;
        }
    }
    (Number { value, digits: u32::try_from(digits).unwrap_or(u32::MAX), letter }, end)
}

/// Which numbers of a unit are the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pick {
    /// `n` numbers from this one on.
    Values(usize),
    /// `n` groups of numbers from `offset` on: the place of the row in each, if it is there, and that of the column.
    Groups { offset: usize, stride: usize, row: Option<usize>, column: usize },
    /// `n` squares, from this number on.
    Squares(usize),
    /// The digits of this number.
    Digits(usize),
    /// One queen, of the `n` units of a board.
    Queen { row: Option<usize>, column: usize },
    /// One square such as `b1`, of the `n` units of a board.
    Square,
}

/// The family of notations that a shape belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    Values,
    Digits,
    Squares,
    Pairs,
}

/// How a board is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    n: usize,
    is_list: bool,
    /// The numbers of a unit.
    count: usize,
    pick: Pick,
    /// The first row and column.
    base: [i64; 2],
    /// The words of units that are boards, as hashes.
    words: Vec<u64>,
    /// Whether the numbers may count from 0 or from 1.
    pub is_ambiguous: bool,
}

/// At most so many different sentences around boards are kept.
const MAX_WORDS: usize = 16;

impl Shape {
    pub fn family(&self) -> Family {
        match self.pick {
            Pick::Values(_) | Pick::Groups { row: None, .. } | Pick::Queen { row: None, .. } => {
                Family::Values
            }
            Pick::Digits(_) => Family::Digits,
            Pick::Squares(_) | Pick::Square => Family::Squares,
            Pick::Groups { .. } | Pick::Queen { .. } => Family::Pairs,
        }
    }

    /// Which of two shapes with the same boards is taken: a list of columns, whatever is around it, or a whole line.
    fn preference(&self) -> u8 {
        match (self.is_list, self.pick) {
            (true, Pick::Values(_)) => 2,
            (false, _) => 1,
            (true, _) => 0,
        }
    }

    /// Whether a unit is a list in brackets.
    pub fn is_list(&self) -> bool {
        self.is_list
    }

    /// Whether columns stand in a sentence.
    pub fn has_words(&self) -> bool {
        self.family() == Family::Values && !self.is_list && !self.words.iter().all(|&words| is_bare(words))
    }

    /// Whether a unit is nothing but the columns of a board.
    fn is_exact_values(&self) -> bool {
        matches!(self.pick, Pick::Values(_)) && self.count == self.n
    }

    /// Whether all numbers of a unit belong to the board.
    pub fn is_exact(&self) -> bool {
        let has_other_items =
            |&words: &u64| !is_bare(words) && (self.is_list || words & BRACKETS != NO_WORDS & BRACKETS);
        if self.words.iter().any(has_other_items) {
            return false;
        }
        match self.pick {
            Pick::Values(_) | Pick::Squares(_) => self.count == self.n,
            Pick::Groups { stride, .. } => self.count == stride * self.n,
            Pick::Digits(_) => self.count == 1,
            Pick::Queen { .. } | Pick::Square => true,
        }
    }

    /// The first column: 0 or 1.
    pub fn first_column(&self) -> i64 {
        self.base[1]
    }

    /// The board of a line that is nothing but `n` columns between blanks, if boards are written so. The general way finds the same.
    fn bare_columns(&self, text: &[u8]) -> Option<Vec<u32>> {
        if self.is_list || self.pick != Pick::Values(0) || self.count != self.n || self.words != [NO_WORDS] {
            return None;
        }
        let first = u32::try_from(self.base[1]).ok()?;
        let mut columns = Vec::with_capacity(self.n);
        let mut number: Option<u32> = None;
        for &byte in text.iter().chain(b" ") {
            match byte {
                b'0'..=b'9' => number = Some(number.unwrap_or(0).checked_mul(10)? + u32::from(byte - b'0')),
                b' ' => {
                    if let Some(number) = number.take() {
                        columns.push(number.checked_sub(first)?);
                    }
                }
                _ => return None,
            }
        }
        (columns.len() == self.n && is_permutation(&columns)).then_some(columns)
    }

    /// Row and column of each queen of a unit, as they are written.
    fn queens(&self, numbers: &[Number]) -> Vec<[i64; 2]> {
        let row = |index: usize| i64::try_from(index).unwrap_or(i64::MAX) + self.base[0];
        let value = |number: &Number| number.value;
        match self.pick {
            Pick::Values(offset) => {
                let values = numbers[offset..offset + self.n].iter().map(value);
                values.enumerate().map(|(index, value)| [row(index), value]).collect()
            }
            Pick::Groups { offset, stride, row: place, column } => {
                let groups = numbers[offset..].chunks_exact(stride).take(self.n).enumerate();
                groups
                    .map(|(index, group)| {
                        [place.map_or(row(index), |place| value(&group[place])), value(&group[column])]
                    })
                    .collect()
            }
            Pick::Squares(offset) => {
                let squares = numbers[offset..offset + self.n].iter();
                let column = |number: &Number| {
                    if number.letter.is_ascii_lowercase() {
                        i64::from(number.letter - b'a') + self.base[1]
                    } else {
                        NO_VALUE
                    }
                };
                squares.map(|number| [value(number), column(number)]).collect()
            }
            Pick::Digits(offset) => {
                let Number { value, digits, .. } = numbers[offset];
                (0..digits)
                    .map(|index| {
                        let place = 10_i64.checked_pow(digits - 1 - index);
                        let digit = place.map_or(NO_VALUE, |place| value / place % 10);
                        [row(index as usize), digit]
                    })
                    .collect()
            }
            Pick::Square => {
                let column = i64::from(numbers[0].letter.saturating_sub(b'a')) + self.base[1];
                vec![[numbers[0].value, column]]
            }
            Pick::Queen { row: place, column } => {
                vec![[place.map_or(self.base[0], |place| value(&numbers[place])), value(&numbers[column])]]
            }
        }
    }

    /// Whether a board has several units, of one queen each.
    fn is_one_queen(&self) -> bool {
        matches!(self.pick, Pick::Queen { .. } | Pick::Square)
    }

    /// The words that boards of this shape have in common.
    fn words(&self, unit: &Unit) -> u64 {
        let is_one_queen = self.is_one_queen();
        if self.is_list && is_one_queen { unit.words ^ unit.before.rotate_left(32) } else { unit.words }
    }

    fn is_fitting(&self, unit: &Unit) -> bool {
        let digits = || match self.pick {
            Pick::Digits(offset) => unit.numbers[offset].digits as usize == self.n,
            Pick::Squares(offset) => {
                unit.numbers[offset..offset + self.n].iter().all(|number| is_column(number.letter, self.n))
            }
            // Squares such as `b1` are something else, and so are the rows of a matrix.
            Pick::Values(offset) => {
                let values = &unit.numbers[offset..offset + self.n];
                let is_row = self.n > 2 && is_row(values);
                // Without a word, small numbers behind it are a part of the board.
                let max = i64::try_from(self.n).unwrap_or(i64::MAX);
                let is_small = |number: &Number| (0..=max).contains(&number.value);
                let is_open = is_bare(unit.words) && unit.numbers[offset + self.n..].iter().any(is_small);
                let is_plain = values.iter().all(|number| number.letter == values[0].letter);
                // Names of columns: `q1,q2,q3`.
                let are_names =
                    values[0].letter != 0 && values.windows(2).all(|two| two[1].value == two[0].value + 1);
                let is_other = is_row || is_open || are_names && self.n > 1;
                is_plain && !is_other && !is_pairs(&unit.numbers, self.n)
            }
            Pick::Square => is_column(unit.numbers[0].letter, self.n),
            // What is passed over is the same for all queens.
            Pick::Groups { offset, stride, row: None, column } => {
                let groups = || unit.numbers[offset..].chunks_exact(stride).take(self.n);
                let first = groups().next();
                groups().all(|group| {
                    (0..stride).all(|place| {
                        place == column || first.is_some_and(|first| first[place] == group[place])
                    })
                })
            }
            _ => true,
        };
        let is_line_of_lists = unit.has_board_list && self.n > 3 && !self.is_exact_values();
        unit.numbers.len() == self.count && !is_line_of_lists && digits()
    }

    /// The name of what a unit has too few or too many of.
    fn part(&self) -> &'static str {
        if let Pick::Values(_) = self.pick { "column" } else { "number" }
    }

    /// The queens of a unit that has too few or too many columns.
    fn squares_of(&self, unit: &Unit) -> Vec<[u32; 2]> {
        let Pick::Values(offset) = self.pick else { return Vec::new() };
        let column = |number: &Number| {
            number
                .value
                .checked_sub(self.base[1])
                .and_then(|column| u32::try_from(column).ok())
                .unwrap_or(u32::MAX)
        };
        (0..)
            .zip(unit.numbers.iter().skip(offset).take(2 * self.n))
            .map(|(row, number)| [row, column(number)])
            .collect()
    }

    /// Whether all squares are on the board.
    fn is_on_board(&self, queens: &[[i64; 2]]) -> bool {
        let n = i64::try_from(self.n).unwrap_or(i64::MAX);
        queens
            .iter()
            .all(|queen| (0..2).all(|place| (self.base[place]..self.base[place] + n).contains(&queen[place])))
    }

    /// The board of queens as they are written.
    fn board(&self, queens: &[[i64; 2]]) -> Result<Vec<u32>, Vec<[u32; 2]>> {
        let index = |value: i64, base: i64| {
            if value == NO_VALUE { u32::MAX } else { u32::try_from(value - base).unwrap_or(u32::MAX) }
        };
        let mut columns = vec![None; self.n];
        let mut is_whole = queens.len() == self.n;
        for &[row, column] in queens {
            let column = index(column, self.base[1]);
            match columns.get_mut(index(row, self.base[0]) as usize) {
                Some(place @ None) if (column as usize) < self.n => *place = Some(column),
                _ => is_whole = false,
            }
        }
        let columns: Option<Vec<u32>> = columns.into_iter().collect();
        columns.filter(|_| is_whole).ok_or_else(|| {
            queens
                .iter()
                .map(|&[row, column]| [index(row, self.base[0]), index(column, self.base[1])])
                .collect()
        })
    }

    /// The shapes in which there are boards among some lines, the best first.
    pub fn find(
        lines: &[Line],
        problem: &Problem,
        column: Option<i64>,
        is_given: bool,
        is_allowed: impl Fn(&Self) -> bool,
    ) -> Option<(Self, Score)> {
        let n = problem.n().get();
        let mut best: Option<(Self, Score)> = None;
        for is_list in [false, true] {
            let mut splitter = Splitter::new(is_list, n);
            let mut pieces = Vec::new();
            for line in lines {
                splitter.take(line.number, &line.text, &mut pieces);
            }
            let counts = pieces.iter().filter_map(|piece| match piece {
                Piece::Unit(unit) => Some(unit.numbers.len()),
                Piece::End => None,
            });
            let mut counts: Vec<usize> = counts.collect();
            counts.sort_unstable();
            counts.dedup();
            for count in counts {
                for pick in picks(n, count, is_given) {
                    let shape = Self {
                        n,
                        is_list,
                        count,
                        pick,
                        base: [0, 0],
                        words: Vec::new(),
                        is_ambiguous: false,
                    };
                    let Some((shape, score)) = shape.evaluated(&pieces, problem, column, is_given) else {
                        continue;
                    };
                    let is_better = |(other, most): &(Self, Score)| {
                        (score, shape.preference()) > (*most, other.preference())
                    };
                    if is_allowed(&shape) && best.as_ref().is_none_or(is_better) {
                        best = Some((shape, score));
                    }
                }
            }
        }
        best
    }

    /// The shape with its bases and words, and how much speaks for it.
    fn evaluated(
        mut self,
        pieces: &[Piece],
        problem: &Problem,
        column: Option<i64>,
        is_given: bool,
    ) -> Option<(Self, Score)> {
        let boards = self.boards(pieces);
        if boards.is_empty() || !self.explains(pieces) {
            return None;
        }
        let mut best: Option<(Score, [i64; 2])> = None;
        let bases: &[[i64; 2]] = match self.pick {
            Pick::Squares(_) | Pick::Square => &[[1, 0]],
            Pick::Groups { row: Some(_), .. } | Pick::Queen { row: Some(_), .. } => {
                &[[0, 0], [1, 1], [0, 1], [1, 0]]
            }
            _ => &[[0, 0], [0, 1]],
        };
        for &base in bases.iter().filter(|base| column.is_none_or(|column| base[1] == column)) {
            self.base = base;
            let mut score = Score::default();
            for (_, queens) in &boards {
                let Ok(columns) = self.board(queens) else {
                    // Squares of a board, but two in a row.
                    score.boards +=
                        usize::from(matches!(self.pick, Pick::Squares(_)) && self.is_on_board(queens));
                    continue;
                };
                let may_count = match self.pick {
                    Pick::Queen { row: None, .. } => true,
                    Pick::Values(_) | Pick::Digits(_) => !self.is_list,
                    _ => false,
                };
                if is_counting(&columns) && may_count && !is_given {
                    // Such a line may number the columns of a board.
                    score.boards += usize::from(matches!(self.pick, Pick::Values(_)));
                    continue;
                }
                score.add(&columns, problem);
            }
            if best.is_none_or(|(other, _)| score > other) {
                best = Some((score, base));
            }
        }
        let (score, base) = best.filter(|(score, _)| score.boards > 0)?;
        self.is_ambiguous = score.permutations == 0 && column.is_none() && {
            self.base = [0, 0];
            let fits = |shape: &Self| boards.iter().all(|(_, queens)| shape.board(queens).is_ok());
            let from_zero = fits(&self);
            self.base = [0, 1];
            from_zero && fits(&self)
        };
        self.base = base;
        for (words, queens) in &boards {
            let is_board = match self.board(queens) {
                Ok(columns) if score.solutions > 0 => problem.is_solution(&columns),
                Ok(columns) => is_permutation(&columns) || score.permutations == 0,
                Err(_) => score.permutations == 0 && self.is_on_board(queens),
            };
            if is_board && !self.words.contains(words) && self.words.len() < MAX_WORDS {
                self.words.push(*words);
            }
        }
        Some((self, score))
    }

    /// Whether the numbers before and behind a board are something else: nothing in a list, and before the board its number, a
    /// constant, or anything in a sentence. A board of n + 1 numbers has no board of n with a label in it.
    fn explains(&self, pieces: &[Piece]) -> bool {
        let Pick::Values(offset) = self.pick else { return true };
        if self.count == self.n {
            return true;
        }
        if self.is_list {
            return false;
        }
        let units = || {
            pieces.iter().filter_map(|piece| match piece {
                Piece::Unit(unit) if self.is_fitting(unit) => Some(unit),
                _ => None,
            })
        };
        let is_larger = |unit: &Unit| is_range(unit.numbers.iter().map(|number| number.value).collect());
        let is_label = |place: usize| {
            let values: Vec<i64> = units().map(|unit| unit.numbers[place].value).collect();
            let mut steps = values.windows(2).map(|two| two[1].wrapping_sub(two[0]));
            let step = steps.next().unwrap_or(0);
            // Other lines may be between: most of the steps are equal.
            steps.len() < 2 || 4 * steps.filter(|&other| other == step).count() >= values.len()
        };
        !units().all(is_larger) && (0..offset).all(is_label)
    }

    /// The words and the queens of what may be boards.
    fn boards(&self, pieces: &[Piece]) -> Vec<(u64, Vec<[i64; 2]>)> {
        let mut boards = Vec::new();
        if !self.is_one_queen() {
            for piece in pieces {
                if let Piece::Unit(unit) = piece
                    && self.is_fitting(unit)
                {
                    boards.push((self.words(unit), self.queens(&unit.numbers)));
                }
            }
            return boards;
        }
        let mut queens: Vec<[i64; 2]> = Vec::new();
        let mut words = 0;
        for piece in pieces {
            match piece {
                Piece::Unit(unit) if self.is_fitting(unit) => {
                    if self.words(unit) != words {
                        queens.clear();
                    }
                    words = self.words(unit);
                    queens.extend(self.queens(&unit.numbers));
                    self.number_rows(&mut queens);
                    if queens.len() == self.n {
                        if self.is_plausible(&queens, words) {
                            boards.push((words, std::mem::take(&mut queens)));
                        } else {
                            queens.remove(0);
                            self.number_rows(&mut queens);
                        }
                    }
                }
                _ => queens.clear(),
            }
        }
        boards
    }

    /// Queens without a row stand in the rows of their order.
    fn number_rows(&self, queens: &mut [[i64; 2]]) {
        if let Pick::Queen { row: None, .. } = self.pick {
            for (row, queen) in (self.base[0]..).zip(queens) {
                queen[0] = row;
            }
        }
    }

    /// Whether single queens are a board: their rows are all different, and without rows their columns, unless nothing but
    /// small numbers is there.
    fn is_plausible(&self, queens: &[[i64; 2]], words: u64) -> bool {
        let max = i64::try_from(self.n).unwrap_or(i64::MAX);
        let are_small = || queens.iter().all(|queen| (0..=max).contains(&queen[1]));
        let are_columns = || is_range(queens.iter().map(|queen| queen[1]).collect());
        match self.pick {
            Pick::Queen { row: None, .. } => are_columns() || is_bare(words) && are_small(),
            _ => {
                let is_ascending = queens.windows(2).all(|two| two[1][0] == two[0][0] + 1);
                let are_rows = is_range(queens.iter().map(|queen| queen[0]).collect());
                // Steps of a search have such squares, too, but not one for each row in order.
                are_rows && are_small() && (are_columns() || is_ascending)
            }
        }
    }

    /// The side of the board of queens that a unit with another count of numbers is.
    fn other_size(&self, unit: &Unit) -> Option<usize> {
        let Pick::Values(offset) = self.pick else { return None };
        let values = unit.numbers.get(offset..)?;
        let values = &values[..values.len().checked_sub(self.count - offset - self.n)?];
        let columns = values.iter().map(|number| u32::try_from(number.value.checked_sub(self.base[1])?).ok());
        let columns: Vec<u32> = columns.collect::<Option<_>>()?;
        let problem = Problem::queens(BoardSize::new(columns.len()).ok()?);
        (columns.len() != self.n && is_permutation(&columns) && problem.is_solution(&columns))
            .then_some(columns.len())
    }

    /// Whether nothing but numbers is in the units of this shape, so that they are boards whatever their numbers are.
    pub fn is_bare(&self) -> bool {
        // On small boards, many sentences have such lists.
        let is_whole_line = !self.is_list || self.n > 3;
        is_whole_line && self.count == self.n && self.words.iter().all(|&words| is_bare(words))
    }

    /// Whether a unit that is no board is written as one: with the same words and nearly so many numbers.
    fn is_near(&self, unit: &Unit) -> bool {
        let (n, count) = (self.n, unit.numbers.len());
        if n < 3 || !self.words.contains(&self.words(unit)) {
            return false;
        }
        match self.pick {
            Pick::Values(offset) => {
                count + 1 >= self.count
                    && count < self.count + n
                    && count > offset + 1
                    && unit.numbers.iter().all(|number| number.letter == unit.numbers[0].letter)
                    && !is_row(&unit.numbers)
                    && !(count == n && is_range(unit.numbers.iter().map(|number| number.value).collect()))
                    && !is_pairs(&unit.numbers, n)
            }
            Pick::Squares(_) => {
                count + 1 >= self.count.max(3)
                    && unit.numbers.iter().filter(|number| is_column(number.letter, n)).count() + 1 >= n
            }
            Pick::Groups { stride, .. } => {
                let is_like_first = |number: &Number| (number.letter == 0) == (unit.numbers[0].letter == 0);
                (self.count - stride..=self.count + stride).contains(&count)
                    && unit.numbers.iter().step_by(stride).all(is_like_first)
            }
            Pick::Digits(offset) => {
                let numbers = unit.numbers.get(offset..).unwrap_or_default();
                let has_word = numbers.iter().any(|number| number.digits as usize + 1 >= n);
                (self.count..=self.count + 1).contains(&count) && has_word
            }
            Pick::Queen { .. } | Pick::Square => false,
        }
    }
}

/// Whether numbers are `n` pairs or triples of which one number each is different.
fn is_pairs(numbers: &[Number], n: usize) -> bool {
    [2, 3].into_iter().filter(|stride| stride * n == numbers.len()).any(|stride| {
        let place = |place| numbers.iter().skip(place).step_by(stride).map(|number| number.value);
        (0..stride).any(|one| is_range(place(one).collect()))
    })
}

/// Whether a letter names a column.
fn is_column(letter: u8, n: usize) -> bool {
    letter.is_ascii_lowercase() && usize::from(letter - b'a') < n
}

/// Whether numbers are zeros and a one: a row of a matrix.
fn is_row(numbers: &[Number]) -> bool {
    numbers.iter().all(|number| matches!(number.value, 0 | 1))
        && numbers.iter().filter(|number| number.value == 1).count() == 1
}

/// Whether values are all the numbers from 0 or 1 on, in any order.
fn is_range(mut values: Vec<i64>) -> bool {
    values.sort_unstable();
    let is_next = |two: &[i64]| two[0].checked_add(1) == Some(two[1]);
    values.windows(2).all(is_next) && matches!(values.first(), Some(0 | 1))
}

/// Whether columns count up or down, as the numbers of columns above a board do.
pub(super) fn is_counting(columns: &[u32]) -> bool {
    columns.len() > 1
        && (columns.windows(2).all(|two| two[1] == two[0].wrapping_add(1))
            || columns.windows(2).all(|two| two[0] == two[1].wrapping_add(1)))
}

/// The ways to find a board in units with `count` numbers.
fn picks(n: usize, count: usize, is_given: bool) -> Vec<Pick> {
    let mut picks = Vec::new();
    if let Some(extra) = count.checked_sub(n).filter(|&extra| extra <= MAX_EXTRA) {
        picks.extend((0..=extra).map(Pick::Values));
        picks.extend((0..=extra).map(Pick::Squares));
    }
    const PAIRS: [(Option<usize>, usize); 4] = [(Some(0), 1), (Some(1), 0), (None, 1), (None, 0)];
    const TRIPLES: [(Option<usize>, usize); 3] = [(Some(1), 2), (Some(0), 2), (Some(0), 1)];
    for (stride, places) in [(2, &PAIRS[..]), (3, &TRIPLES[..])] {
        let Some(extra) = count.checked_sub(stride * n).filter(|&extra| extra <= MAX_EXTRA) else { continue };
        for offset in 0..=extra {
            picks.extend(places.iter().map(|&(row, column)| Pick::Groups { offset, stride, row, column }));
        }
    }
    if (n > 3 || is_given) && n <= 10 && count <= MAX_EXTRA {
        picks.extend((0..count).map(Pick::Digits));
    }
    match count {
        1 => picks.extend([Pick::Queen { row: None, column: 0 }, Pick::Square]),
        2 => picks.extend([(Some(0), 1), (Some(1), 0)].map(|(row, column)| Pick::Queen { row, column })),
        3 => picks.extend(TRIPLES.map(|(row, column)| Pick::Queen { row, column })),
        _ => {}
    }
    picks
}

/// Reads the boards of a shape, line by line.
#[derive(Clone, Debug)]
pub(super) struct Reader {
    shape: Shape,
    splitter: Splitter,
    pieces: Vec<Piece>,
    /// The queens of the board that is being read, and its first line.
    queens: Vec<[i64; 2]>,
    line: u64,
}

impl Reader {
    pub fn new(shape: Shape) -> Self {
        let splitter = Splitter::new(shape.is_list, shape.n);
        Self { shape, splitter, pieces: Vec::new(), queens: Vec::new(), line: 0 }
    }

    /// Takes a line. Returns whether it belongs to boards.
    pub fn take(&mut self, line: &Line, out: &mut Vec<Found>) -> bool {
        // Enumerations print a hundred million of these lines.
        if let Some(columns) = self.shape.bare_columns(&line.text) {
            out.push(Found::Board { line: line.number, columns, is_open: line.is_open });
            return true;
        }
        let mut pieces = std::mem::take(&mut self.pieces);
        let has_numbers =
            |splitter: &Splitter| splitter.list.as_ref().is_some_and(|list| !list.numbers.is_empty());
        let was_list = has_numbers(&self.splitter);
        self.splitter.take(line.number, &line.text, &mut pieces);
        let (before, mut is_explained) = (out.len(), false);
        for piece in pieces.drain(..) {
            match piece {
                Piece::Unit(unit) => is_explained |= self.unit(&unit, line.number, line.is_open, out),
                Piece::End => self.end(false, out),
            }
        }
        self.pieces = pieces;
        let is_in_list = was_list || has_numbers(&self.splitter);
        is_explained || out.len() > before || is_in_list || line.text.trim_ascii().is_empty()
    }

    fn unit(&mut self, unit: &Unit, line: u64, is_open: bool, out: &mut Vec<Found>) -> bool {
        let is_known = self.shape.words.contains(&self.shape.words(unit));
        if is_known && self.shape.is_fitting(unit) {
            let queens = self.shape.queens(&unit.numbers);
            if !self.shape.is_one_queen() {
                out.push(self.found(unit.line, &queens, is_open));
                return true;
            }
            if self.queens.is_empty() {
                self.line = unit.line;
            }
            self.queens.extend(queens);
            self.shape.number_rows(&mut self.queens);
            if self.queens.len() == self.shape.n {
                let queens = std::mem::take(&mut self.queens);
                out.push(self.found(self.line, &queens, is_open));
            }
            return true;
        }
        self.end(false, out);
        if self.shape.is_near(unit) {
            if let Some(side) = self.shape.other_size(unit) {
                out.push(Found::Other { line: unit.line, side });
                return true;
            }
            let rows = unit.numbers.len();
            let queens = self.shape.squares_of(unit);
            out.push(Found::Part { line: unit.line, queens, rows, what: self.shape.part(), is_open });
            return true;
        }
        // The lines before the end of this list were not offered to another reading.
        if unit.line < line && unit.numbers.len() >= self.shape.n {
            out.push(Found::Doubtful { line: unit.line });
        }
        false
    }

    fn found(&self, line: u64, queens: &[[i64; 2]], is_open: bool) -> Found {
        match self.shape.board(queens) {
            Ok(columns) => Found::Board { line, columns, is_open },
            Err(queens) => Found::Malformed { line, queens, is_open },
        }
    }

    /// The text ends, or something else follows.
    pub fn end(&mut self, is_open: bool, out: &mut Vec<Found>) {
        let queens = std::mem::take(&mut self.queens);
        if !queens.is_empty() && (queens.len() > 1 || self.shape.is_list) {
            out.push(Found::Part {
                line: self.line,
                queens: Vec::new(),
                rows: queens.len(),
                what: "queen",
                is_open,
            });
        }
    }

    /// Whether a line may be the board of one square: a list of zeros and ones, or else such numbers behind names.
    pub fn is_one(text: &[u8]) -> Option<bool> {
        let is_small = |unit: &Unit, least: usize| {
            unit.numbers.len() >= least
                && unit.numbers.len() <= 3
                && unit.numbers.iter().all(|number| matches!(number.value, 0 | 1))
        };
        let mut pieces = Vec::new();
        Splitter::new(true, 1).take(1, text, &mut pieces);
        if pieces.iter().any(|piece| matches!(piece, Piece::Unit(unit) if is_small(unit, 1))) {
            return Some(true);
        }
        pieces.clear();
        Splitter::new(false, 1).take(1, text, &mut pieces);
        let is_label = statement::is_about_solutions(&String::from_utf8_lossy(text));
        let is_positions = pieces.iter().any(|piece| matches!(piece, Piece::Unit(unit) if is_small(unit, 2)));
        (is_positions && !is_label).then_some(false)
    }

    /// Whether a line counts from 0 or 1 to n, as numbers of columns do.
    pub fn counts(text: &[u8], n: usize) -> bool {
        let mut pieces = Vec::new();
        Splitter::new(false, n).take(1, text, &mut pieces);
        let [Piece::Unit(unit)] = &pieces[..] else { return false };
        let numbers = &unit.numbers;
        let first = numbers[0].value;
        if let [Number { digits, .. }] = numbers[..]
            && digits as usize == n
            && is_bare(unit.words)
        {
            let digits = text.iter().filter(|byte| byte.is_ascii_digit());
            let mut expected = *text.iter().find(|byte| byte.is_ascii_digit()).unwrap_or(&b'0');
            return matches!(expected, b'0' | b'1')
                && digits.into_iter().all(|&digit| {
                    let is_next = digit == expected;
                    expected = if expected == b'9' { b'0' } else { expected + 1 };
                    is_next
                });
        }
        is_bare(unit.words)
            && numbers.len() == n
            && matches!(first, 0 | 1)
            && (first..).zip(numbers).all(|(value, number)| number.value == value)
    }

    /// Whether a line may be a board of numbers, behind a label: it has as many numbers as a board, or a number with so many
    /// digits, and nothing else.
    pub fn resembles(text: &[u8], n: usize) -> bool {
        if n < 3 {
            return false;
        }
        let text = plaintext::decode(text);
        let is_list = |list: &str| {
            let items: Vec<&str> = list.split([',', ';']).map(str::trim).collect();
            let numbers = items.iter().filter(|item| item.parse::<i64>().is_ok()).count();
            items.len() == n && numbers + 1 >= n
        };
        if text
            .split(['[', '(', '{'])
            .filter_map(|rest| rest.split_once([']', ')', '}']))
            .any(|(list, _)| is_list(list))
        {
            return true;
        }
        let is_label = |&at: &usize| {
            let label = &text[..at];
            label.len() < 40 && (!label.contains(char::is_alphabetic) || statement::is_about_solutions(label))
        };
        let label = text.rfind([':', '>', '=', ')', '#', '.']).filter(is_label);
        let behind = label.and_then(|at| text.get(at + 1..));
        [Some(&text[..]), behind].into_iter().flatten().any(|text| {
            let mut pieces = Vec::new();
            Splitter::new(false, n).take(1, text.as_bytes(), &mut pieces);
            let [Piece::Unit(unit)] = &pieces[..] else { return false };
            let max = i64::try_from(n).unwrap_or(i64::MAX);
            let is_small = |number: &Number| number.value == NO_VALUE || (0..=max).contains(&number.value);
            let (count, is_bare) = (unit.numbers.len(), is_bare(unit.words));
            // The numbers of boards beside each other.
            if count < n
                && count > 1
                && unit.numbers.windows(2).all(|two| two[0].value.checked_add(1) == Some(two[1].value))
            {
                return false;
            }
            let are_values = count >= n.max(3) - 1
                && unit.numbers.iter().filter(|number| is_small(number)).count() + 1 >= n;
            let is_word = n > 3 && count == 1 && unit.numbers[0].digits as usize == n;
            is_bare && (are_values && count <= n + 1 || is_word)
        })
    }
}

/// Reads the models of a SAT solver: literals up to a 0. Row r and column c are literal r * n + c + 1; others are left out.
#[derive(Clone, Debug)]
pub(super) struct Models {
    n: usize,
    line: u64,
    /// Whether lines of models begin with a `v`.
    has_sign: bool,
    /// The literals of the model that is being read.
    literals: usize,
    /// The sign of each square in it, and whether a square has both.
    signs: HashMap<u64, bool>,
    is_contradictory: bool,
    queens: Vec<[u32; 2]>,
}

impl Models {
    pub fn new(n: usize) -> Self {
        Self {
            n,
            line: 0,
            has_sign: false,
            literals: 0,
            signs: HashMap::new(),
            is_contradictory: false,
            queens: Vec::new(),
        }
    }

    /// How much speaks for models: a negative literal, or the sign of a value line.
    pub fn score(lines: &[Line], problem: &Problem) -> Score {
        let (mut models, mut found, mut score) = (Self::new(problem.n().get()), Vec::new(), Score::default());
        let is_model =
            |line: &Line| line.text.starts_with(b"v ") || line.text.windows(2).any(|two| two == b" -");
        for line in lines {
            if models.literals > 0 || is_model(line) {
                models.take(line, &mut found);
            }
        }
        for found in found {
            if let Found::Board { columns, .. } = found {
                score.add(&columns, problem);
            }
        }
        score
    }

    /// Takes a line. Returns whether it belongs to a model.
    pub fn take(&mut self, line: &Line, out: &mut Vec<Found>) -> bool {
        let text = plaintext::decode(&line.text);
        let text = text.trim_start();
        let signed = text.strip_prefix('v').filter(|rest| rest.starts_with(|c: char| c.is_whitespace()));
        if self.has_sign && signed.is_none() {
            return text.is_empty();
        }
        self.has_sign |= signed.is_some();
        let text = signed.unwrap_or(text);
        if !text.split_ascii_whitespace().all(|word| word.parse::<i64>().is_ok()) {
            return false;
        }
        let squares = (self.n * self.n) as u64;
        for literal in text.split_ascii_whitespace().filter_map(|word| word.parse::<i64>().ok()) {
            if literal == 0 {
                if self.literals > 0 {
                    out.push(self.board(line.is_open));
                }
                continue;
            }
            if self.literals == 0 {
                self.line = line.number;
            }
            self.literals += 1;
            if literal.unsigned_abs() <= squares {
                let sign = self.signs.entry(literal.unsigned_abs()).or_insert(literal > 0);
                self.is_contradictory |= *sign != (literal > 0);
            }
            if let Ok(square) = u64::try_from(literal - 1)
                && square < squares
                && self.queens.len() <= self.n * self.n
            {
                let n = self.n as u64;
                let place = |value: u64| u32::try_from(value).unwrap_or(u32::MAX);
                self.queens.push([place(square / n), place(square % n)]);
            }
        }
        true
    }

    fn board(&mut self, is_open: bool) -> Found {
        let mut queens = std::mem::take(&mut self.queens);
        self.literals = 0;
        self.signs.clear();
        let is_contradictory = std::mem::take(&mut self.is_contradictory);
        let line = self.line;
        let is_row = |(index, queen): (usize, &[u32; 2])| queen[0] as usize == index;
        if queens.len() == self.n && !is_contradictory {
            queens.sort_unstable();
            if queens.iter().enumerate().all(is_row) {
                return Found::Board {
                    line,
                    columns: queens.iter().map(|queen| queen[1]).collect(),
                    is_open,
                };
            }
        }
        Found::Malformed { line, queens, is_open }
    }

    /// The text ends: a model that is not whole is no board.
    pub fn end(&mut self, is_open: bool, out: &mut Vec<Found>) {
        let queens = std::mem::take(&mut self.queens);
        if std::mem::take(&mut self.literals) > 0 {
            out.push(Found::Part { line: self.line, rows: queens.len(), queens, what: "queen", is_open });
        }
    }
}
