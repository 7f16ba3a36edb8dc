//! Which numbers of a text are boards.

use std::collections::HashMap;

use super::Notation;
use super::candidate::{Candidate, Score, is_permutation, keep_best};
use super::lines::Line;
use super::units::{
    self, MAX_EXTRA, NO_VALUE, Number, Piece, Splitter, Unit, Words, is_column, is_pairs, is_range, is_row,
};
use queens_board::BoardSize;
use queens_board::problem::Problem;

/// Which numbers of a unit are the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pick {
    /// Groups of `stride` numbers from `offset` on, one for each queen: the place of the row in a group, or `None` if the queens are in
    /// the order of the rows, and that of the column, or `None` if it is the letter before the number, as in `b1`.
    Groups { offset: usize, stride: usize, row: Option<usize>, column: Option<usize> },
    /// The digits of this number.
    Digits(usize),
}

/// How a board is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub n: usize,
    pub is_list: bool,
    /// The number of numbers in a unit.
    count: usize,
    pick: Pick,
    /// Whether a unit is one queen of a board, rather than a board.
    pub is_one_queen: bool,
    /// The first row and column.
    base: [i64; 2],
    /// The words of units that are boards.
    words: Vec<Words>,
    /// Whether the text does not decide if the numbers begin at 0 or at 1.
    pub is_ambiguous: bool,
    /// Whether these may be the lines of a table, without a solution: `n` lines, or one column of several.
    pub is_table: bool,
}

/// The maximum number of different sentences around boards.
const MAX_WORDS: usize = 16;

impl Shape {
    pub fn notation(&self) -> Notation {
        match (self.pick, self.base[1]) {
            (Pick::Groups { column: None, .. }, _) => Notation::Squares,
            (Pick::Groups { row: Some(_), .. }, _) => Notation::Pairs,
            (Pick::Digits(_), 0) => Notation::Digits0,
            (Pick::Digits(_), _) => Notation::Digits,
            (_, 0) => Notation::Columns,
            _ => Notation::Columns1,
        }
    }

    /// The first number of a board that is `n` columns.
    fn first_column(&self) -> Option<usize> {
        match self.pick {
            Pick::Groups { offset, stride: 1, row: None, .. } if !self.is_one_queen => Some(offset),
            _ => None,
        }
    }

    /// Which of two shapes with the same boards is taken: a list of columns, whatever is around it, or a whole line.
    fn preference(&self) -> u8 {
        match self.first_column() {
            Some(_) if self.is_list => 2,
            _ => u8::from(!self.is_list),
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
        self.first_column().is_some() && self.count == self.n
    }

    /// Whether all numbers of a unit belong to the board.
    fn is_exact(&self) -> bool {
        let has_other_items = |words: &Words| !words.is_empty() && (self.is_list || words.has_brackets);
        if self.words.iter().any(has_other_items) {
            return false;
        }
        match self.pick {
            Pick::Groups { stride, .. } => self.is_one_queen || self.count == stride * self.n,
            Pick::Digits(_) => self.count == 1,
        }
    }

    /// The board of a line that is nothing but `n` columns between blanks, if boards are written so. The general way finds the same.
    pub fn bare_columns(&self, text: &[u8]) -> Option<Vec<u32>> {
        if self.is_list || !self.is_exact_values() || self.words != [Words::NONE] {
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
        let rows = self.base[0]..;
        match self.pick {
            Pick::Groups { offset, stride, row, column } => {
                let letter = |number: &Number| match number.letter {
                    letter @ b'a'..=b'z' => i64::from(letter - b'a') + self.base[1],
                    _ => NO_VALUE,
                };
                let queen = |(order, group): (i64, &[Number])| {
                    let column = column.map_or_else(|| letter(&group[0]), |column| group[column].value);
                    [row.map_or(order, |row| group[row].value), column]
                };
                rows.zip(numbers[offset..].chunks_exact(stride).take(self.n)).map(queen).collect()
            }
            Pick::Digits(offset) => {
                rows.zip(numbers[offset].values()).map(|(row, digit)| [row, digit]).collect()
            }
        }
    }

    /// The words that boards of this shape have in common.
    fn words(&self, unit: &Unit) -> Words {
        if self.is_list && self.is_one_queen { unit.all_words() } else { unit.words }
    }

    /// Whether the words around a unit are those of a board.
    pub fn is_known(&self, unit: &Unit) -> bool {
        self.words.contains(&self.words(unit))
    }

    /// Whether a unit may be a board, or a queen of one.
    pub fn is_fitting(&self, unit: &Unit) -> bool {
        let is_board = || match self.pick {
            Pick::Digits(offset) => unit.numbers[offset].digits as usize == self.n,
            Pick::Groups { offset, column: None, .. } => {
                unit.numbers[offset..].iter().take(self.n).all(|number| is_column(number.letter, self.n))
            }
            // A number with n digits is a board by itself.
            Pick::Groups { .. } if self.is_one_queen => {
                self.n <= 3 || unit.numbers.iter().all(|number| (number.digits as usize) < self.n)
            }
            // Squares such as `b1` and the rows of a matrix are not lists of columns.
            Pick::Groups { offset, stride: 1, .. } => {
                let values = &unit.numbers[offset..offset + self.n];
                let is_row = self.n > 2 && is_row(values);
                // If no word separates them, small numbers behind the list belong to the board.
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
            // The other numbers of each group are the same for all queens.
            Pick::Groups { offset, stride, row: None, column } => {
                let mut groups = unit.numbers[offset..].chunks_exact(stride).take(self.n);
                let first = &unit.numbers[offset..];
                groups.all(|group| {
                    (0..stride).all(|place| Some(place) == column || first[place] == group[place])
                })
            }
            Pick::Groups { .. } => true,
        };
        let is_line_of_lists = unit.has_board_list && self.n > 3 && !self.is_exact_values();
        unit.numbers.len() == self.count && !is_line_of_lists && is_board()
    }

    /// A unit that has too few or too many columns, or other numbers.
    pub fn part(&self, unit: &Unit) -> Candidate {
        let (line, count) = (unit.line, unit.numbers.len());
        let Some(offset) = self.first_column() else {
            return Candidate::Part { line, queens: Vec::new(), count, unit: "number" };
        };
        let columns = unit.numbers[offset..].iter().take(2 * self.n);
        let queens =
            (0..).zip(columns).map(|(row, number)| [row, index(number.value, self.base[1])]).collect();
        Candidate::Part { line, queens, count, unit: "column" }
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
    ) -> Option<(Score, Self)> {
        let n = problem.n().get();
        let mut best: Option<((Score, u8), Self)> = None;
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
                for (pick, is_one_queen) in picks(n, count, given.is_some()) {
                    let shape = Self {
                        n,
                        is_list,
                        count,
                        pick,
                        is_one_queen,
                        base: [0, 0],
                        words: Vec::new(),
                        is_ambiguous: false,
                        is_table: false,
                    };
                    if let Some((score, shape)) = shape.evaluated(&pieces, problem, given, is_exact)
                        && (!is_exact || shape.is_exact())
                    {
                        keep_best(&mut best, (score, shape.preference()), || shape);
                    }
                }
            }
        }
        best.map(|((score, _), shape)| (score, shape))
    }

    /// The shape with its bases and words, and how much speaks for it.
    fn evaluated(
        mut self,
        pieces: &[Piece],
        problem: &Problem,
        given: Option<Notation>,
        is_exact: bool,
    ) -> Option<(Score, Self)> {
        let n = self.n;
        let boards = self.boards(pieces, is_exact);
        if boards.is_empty() || !self.explains(pieces) {
            return None;
        }
        let mut best: Option<(Score, [i64; 2])> = None;
        let bases: &[[i64; 2]] = match self.pick {
            Pick::Groups { column: None, .. } => &[[1, 0]],
            Pick::Groups { row: Some(_), .. } => &[[0, 0], [1, 1], [0, 1], [1, 0]],
            _ => &[[0, 0], [0, 1]],
        };
        let may_count = given.is_none()
            && match self.pick {
                Pick::Groups { stride: 1, row: None, .. } => self.is_one_queen || !self.is_list,
                Pick::Groups { .. } => false,
                Pick::Digits(_) => !self.is_list,
            };
        let are_squares = matches!(self.pick, Pick::Groups { column: None, .. }) && !self.is_one_queen;
        for &base in bases {
            self.base = base;
            if given.is_some_and(|given| given != self.notation()) {
                continue;
            }
            let mut score = Score::default();
            for (words, queens) in &boards {
                let Ok(columns) = self.board(queens) else {
                    // All squares are on the board, but two queens share a row.
                    score.boards += usize::from(are_squares && self.is_on_board(queens));
                    continue;
                };
                if may_count && is_counting(&columns) {
                    // One such line may number the columns of a board; several lines may be anything.
                    let is_bare = self.is_one_queen && words.is_empty();
                    score.boards += usize::from(self.first_column().is_some() || is_bare);
                    continue;
                }
                score.add(&columns, problem);
            }
            keep_best(&mut best, score, || base);
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
        let is_column = self.is_one_queen && boards.len() == 1 && boards[0].0.is_empty();
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
        Some((score, self))
    }

    /// Whether the numbers before and behind a board are something else: nothing in a list, and before the board its number, a
    /// constant, or anything in a sentence. A board of n + 1 numbers has no board of n with a label in it.
    fn explains(&self, pieces: &[Piece]) -> bool {
        let Some(offset) = self.first_column() else { return true };
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
        if !self.is_one_queen {
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
        // For each wording, the number of runs that are boards and of those that are not.
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
        if let Pick::Groups { row: None, .. } = self.pick {
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
            Pick::Groups { row: None, .. } => are_columns() || words.is_empty() && are_small(),
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
        let offset = self.first_column()?;
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
        if n < 3 || is_list_in_line || self.is_one_queen || !self.is_known(unit) {
            return false;
        }
        match self.pick {
            Pick::Groups { offset, stride: 1, row: None, .. } => {
                count + 1 >= self.count
                    && count < self.count + n
                    && count > offset + 1
                    && unit.numbers.iter().all(|number| number.letter == unit.numbers[0].letter)
                    && !is_row(&unit.numbers)
                    && !(count == n && is_range(unit.values()))
                    && !is_pairs(&unit.numbers, n)
            }
            Pick::Groups { column: None, .. } => {
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
        }
    }
}

/// The index of a row or column that counts from `base`; `u32::MAX` if it is none.
fn index(value: i64, base: i64) -> u32 {
    value.checked_sub(base).and_then(|index| u32::try_from(index).ok()).unwrap_or(u32::MAX)
}

/// Whether columns count up or down, as the numbers of columns above a board do.
pub(super) fn is_counting(columns: &[u32]) -> bool {
    columns.len() > 1
        && (columns.windows(2).all(|two| two[1] == two[0].wrapping_add(1))
            || columns.windows(2).all(|two| two[0] == two[1].wrapping_add(1)))
}

/// The places of row and column in groups of one, two and three numbers.
const PLACES: [&[(Option<usize>, Option<usize>)]; 3] = [
    &[(None, Some(0)), (Some(0), None)],
    &[(Some(0), Some(1)), (Some(1), Some(0)), (None, Some(1)), (None, Some(0))],
    &[(Some(1), Some(2)), (Some(0), Some(2)), (Some(0), Some(1))],
];

/// The ways to find a board in units with `count` numbers, and whether such a unit is one queen.
fn picks(n: usize, count: usize, is_given: bool) -> Vec<(Pick, bool)> {
    let (mut boards, mut queens) = (Vec::new(), Vec::new());
    for (stride, places) in (1..).zip(PLACES) {
        let extra = count.checked_sub(stride * n).filter(|&extra| extra <= MAX_EXTRA);
        let picks =
            |offset| places.iter().map(move |&(row, column)| Pick::Groups { offset, stride, row, column });
        boards.extend(extra.into_iter().flat_map(|extra| 0..=extra).flat_map(picks));
        if count == stride {
            // A column alone is a queen, a number beside it is its row.
            let is_queen = |pick: &Pick| stride == 1 || !matches!(pick, Pick::Groups { row: None, .. });
            queens.extend(picks(0).filter(is_queen));
        }
    }
    if (n > 3 || is_given) && n <= 10 && count <= MAX_EXTRA {
        boards.extend((0..count).map(Pick::Digits));
    }
    let with = |is_one_queen| move |pick| (pick, is_one_queen);
    boards.into_iter().map(with(false)).chain(queens.into_iter().map(with(true))).collect()
}
