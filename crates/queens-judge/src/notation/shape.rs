//! Which numbers of a text are boards.

use std::collections::HashMap;

use super::Notation;
use super::candidate::{Score, is_permutation};
use super::lines::Line;
use super::units::{
    self, MAX_EXTRA, NO_VALUE, Number, Piece, Splitter, Unit, Words, is_column, is_pairs, is_range, is_row,
};
use queens_board::BoardSize;
use queens_board::problem::Problem;

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

/// How a board is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub n: usize,
    pub is_list: bool,
    /// The number of numbers in a unit.
    count: usize,
    pick: Pick,
    /// The first row and column.
    base: [i64; 2],
    /// The words of units that are boards.
    words: Vec<Words>,
    /// Whether the numbers may count from 0 or from 1.
    pub is_ambiguous: bool,
    /// Whether these may be the lines of a table, without a solution: `n` lines, or one column of several.
    pub is_table: bool,
}

/// The maximum number of different sentences around boards.
const MAX_WORDS: usize = 16;

impl Shape {
    pub fn notation(&self) -> Notation {
        match (self.pick, self.base[1]) {
            (Pick::Squares(_) | Pick::Square, _) => Notation::Squares,
            (Pick::Groups { row: Some(_), .. } | Pick::Queen { row: Some(_), .. }, _) => Notation::Pairs,
            (Pick::Digits(_), 0) => Notation::Digits0,
            (Pick::Digits(_), _) => Notation::Digits,
            (_, 0) => Notation::Columns,
            _ => Notation::Columns1,
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

    /// Whether columns stand in a sentence.
    pub fn has_words(&self) -> bool {
        matches!(self.notation(), Notation::Columns | Notation::Columns1)
            && !self.is_list
            && !self.words.iter().all(|words| words.is_empty())
    }

    /// Whether a unit is nothing but the columns of a board.
    fn is_exact_values(&self) -> bool {
        matches!(self.pick, Pick::Values(_)) && self.count == self.n
    }

    /// Whether all numbers of a unit belong to the board.
    fn is_exact(&self) -> bool {
        let has_other_items = |words: &Words| !words.is_empty() && (self.is_list || words.has_brackets());
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

    /// The board of a line that is nothing but `n` columns between blanks, if boards are written so. The general way finds the same.
    pub fn bare_columns(&self, text: &[u8]) -> Option<Vec<u32>> {
        if self.is_list || self.pick != Pick::Values(0) || self.count != self.n || self.words != [Words::NONE]
        {
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
    pub fn queens(&self, numbers: &[Number]) -> Vec<[i64; 2]> {
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
    pub fn is_one_queen(&self) -> bool {
        matches!(self.pick, Pick::Queen { .. } | Pick::Square)
    }

    /// The words that boards of this shape have in common.
    fn words(&self, unit: &Unit) -> Words {
        if self.is_list && self.is_one_queen() { unit.all_words() } else { unit.words }
    }

    /// Whether the words around a unit are those of a board.
    pub fn is_known(&self, unit: &Unit) -> bool {
        self.words.contains(&self.words(unit))
    }

    /// Whether a unit may be a board, or a queen of one.
    pub fn is_fitting(&self, unit: &Unit) -> bool {
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
                let is_small = |number: &Number| {
                    (0..=max).contains(&number.value) && number.has_fraction == values[0].has_fraction
                };
                let is_open = unit.words.is_empty() && unit.numbers[offset + self.n..].iter().any(is_small);
                let is_plain = values.iter().all(|number| number.letter == values[0].letter);
                // Names of columns: `q1,q2,q3`.
                let are_names = values[0].letter != 0 && units::is_counting(values);
                let is_other = is_row || is_open || are_names && self.n > 1;
                is_plain && !is_other && !is_pairs(&unit.numbers, self.n)
            }
            Pick::Square => is_column(unit.numbers[0].letter, self.n),
            // A number with n digits is a board by itself.
            Pick::Queen { .. } if self.n > 3 => {
                unit.numbers.iter().all(|number| (number.digits as usize) < self.n)
            }
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
    pub fn part(&self) -> &'static str {
        if let Pick::Values(_) = self.pick { "column" } else { "number" }
    }

    /// The queens of a unit that has too few or too many columns.
    pub fn squares_of(&self, unit: &Unit) -> Vec<[u32; 2]> {
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
    pub fn board(&self, queens: &[[i64; 2]]) -> Result<Vec<u32>, Vec<[u32; 2]>> {
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

    /// The best shape in which there are boards among some lines. `is_exact`: whether lists with other numbers than those of a board
    /// are left alone.
    pub fn find(
        lines: &[Line],
        problem: &Problem,
        given: Option<Notation>,
        is_exact: bool,
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
                for pick in picks(n, count, given.is_some()) {
                    let shape = Self {
                        n,
                        is_list,
                        count,
                        pick,
                        base: [0, 0],
                        words: Vec::new(),
                        is_ambiguous: false,
                        is_table: false,
                    };
                    let Some((shape, score)) = shape.evaluated(&pieces, problem, given, is_exact) else {
                        continue;
                    };
                    let is_better = |(other, most): &(Self, Score)| {
                        (score, shape.preference()) > (*most, other.preference())
                    };
                    if (!is_exact || shape.is_exact()) && best.as_ref().is_none_or(is_better) {
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
        given: Option<Notation>,
        is_exact: bool,
    ) -> Option<(Self, Score)> {
        let n = self.n;
        let boards = self.boards(pieces, is_exact);
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
        for &base in bases {
            self.base = base;
            if given.is_some_and(|given| given != self.notation()) {
                continue;
            }
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
                if is_counting(&columns) && may_count && given.is_none() {
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
        self.is_ambiguous = score.permutations == 0 && given.is_none() && {
            self.base = [0, 0];
            let fits = |shape: &Self| boards.iter().all(|(_, queens)| shape.board(queens).is_ok());
            let from_zero = fits(&self);
            self.base = [0, 1];
            from_zero && fits(&self)
        };
        self.base = base;
        let is_column = self.is_one_queen() && boards.len() == 1 && boards[0].0.is_empty();
        self.is_table = n > 3 && score.solutions == 0 && (boards.len() == n || is_column);
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
        let is_larger = |unit: &Unit| is_range(unit.values());
        let is_label = |place: usize| {
            let values: Vec<i64> = units().map(|unit| unit.numbers[place].value).collect();
            let mut steps = values.windows(2).map(|two| two[1].wrapping_sub(two[0]));
            let step = steps.next().unwrap_or(0);
            // Other lines may be between: most of the steps are equal.
            steps.len() < 2 || 4 * steps.filter(|&other| other == step).count() >= values.len()
        };
        !units().all(is_larger) && (0..offset).all(is_label)
    }

    /// The words and the queens of what may be boards. `is_whole`: boards of single queens are all that follows each other, not the
    /// beginning of a larger one.
    fn boards(&self, pieces: &[Piece], is_whole: bool) -> Vec<(Words, Vec<[i64; 2]>)> {
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
        let words = |piece: &Piece| match piece {
            Piece::Unit(unit) if self.is_fitting(unit) => Some(self.words(unit)),
            _ => None,
        };
        // For the words of runs: how many are boards, and how many are not.
        let mut runs: HashMap<Words, [usize; 2]> = HashMap::new();
        for run in pieces.chunk_by(|one, next| words(one) == words(next)) {
            let Some(words) = words(&run[0]) else { continue };
            if is_whole && run.len() % self.n != 0 {
                continue;
            }
            let before = boards.len();
            let mut queens: Vec<[i64; 2]> = Vec::new();
            for piece in run {
                let Piece::Unit(unit) = piece else { continue };
                queens.extend(self.queens(&unit.numbers));
                self.number_rows(&mut queens);
                if queens.len() < self.n {
                    continue;
                }
                if self.is_plausible(&queens, words) {
                    boards.push((words, std::mem::take(&mut queens)));
                } else {
                    queens.remove(0);
                    self.number_rows(&mut queens);
                }
            }
            let is_part = (boards.len() - before) * self.n < run.len();
            runs.entry(words).or_default()[usize::from(is_part)] += 1;
        }
        // The steps of a search are seldom boards.
        boards.retain(|(words, _)| words.is_empty() || runs[words][0] >= runs[words][1]);
        boards
    }

    /// Queens without a row stand in the rows of their order.
    pub fn number_rows(&self, queens: &mut [[i64; 2]]) {
        if let Pick::Queen { row: None, .. } = self.pick {
            for (row, queen) in (self.base[0]..).zip(queens) {
                queen[0] = row;
            }
        }
    }

    /// Whether single queens are a board: their rows are all different, and without rows their columns, unless nothing but
    /// small numbers is there.
    fn is_plausible(&self, queens: &[[i64; 2]], words: Words) -> bool {
        let max = i64::try_from(self.n).unwrap_or(i64::MAX);
        let are_small = || queens.iter().all(|queen| (0..=max).contains(&queen[1]));
        let are_columns = || is_range(queens.iter().map(|queen| queen[1]).collect());
        match self.pick {
            Pick::Queen { row: None, .. } => are_columns() || words.is_empty() && are_small(),
            _ => {
                let is_ascending = queens.windows(2).all(|two| two[1][0] == two[0][0] + 1);
                let are_rows = is_range(queens.iter().map(|queen| queen[0]).collect());
                // Steps of a search have such squares, too, but not one for each row in order, or all squares of a column.
                let is_one_column = queens.iter().all(|queen| queen[1] == queens[0][1]);
                are_rows && are_small() && (are_columns() || is_ascending && !is_one_column)
            }
        }
    }

    /// The side of the board of queens that a unit with another count of numbers is.
    pub fn other_size(&self, unit: &Unit) -> Option<usize> {
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
        is_whole_line && self.count == self.n && self.words.iter().all(|words| words.is_empty())
    }

    /// Whether a unit is written as a board, with the same words and nearly as many numbers, but is not one.
    pub fn is_near(&self, unit: &Unit) -> bool {
        let (n, count) = (self.n, unit.numbers.len());
        // A list of n numbers is a board by itself, not one with a label in it.
        let is_list_in_line = unit.has_board_list && !self.is_exact_values();
        if n < 3 || is_list_in_line || !self.is_known(unit) {
            return false;
        }
        match self.pick {
            Pick::Values(offset) => {
                count + 1 >= self.count
                    && count < self.count + n
                    && count > offset + 1
                    && unit.numbers.iter().all(|number| number.letter == unit.numbers[0].letter)
                    && !is_row(&unit.numbers)
                    && !(count == n && is_range(unit.values()))
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
