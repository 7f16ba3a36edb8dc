//! Candidates: the boards and possible boards that a reader finds in a text.

use queens_board::problem::Problem;

/// Whether each column occurs once.
pub(super) fn is_permutation(columns: &[u32]) -> bool {
    if columns.len() <= 64 {
        // This case needs no allocation, because an enumeration has millions of boards.
        let used = columns.iter().try_fold(0_u64, |used, &column| {
            let bit = 1_u64.checked_shl(column).filter(|_| (column as usize) < columns.len())?;
            (used & bit == 0).then_some(used | bit)
        });
        return used.is_some();
    }
    let mut is_used = vec![false; columns.len()];
    columns.iter().all(|&column| match is_used.get_mut(column as usize) {
        Some(is_used) => !std::mem::replace(is_used, true),
        None => false,
    })
}

/// A board or possible board in a text. `line` is the line where it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Candidate {
    /// A board with one queen per row. The columns may be outside the board.
    Board { line: u64, columns: Vec<u32> },
    /// A board in which a row has no queen or several queens, or another fault. `queens`: the row and column of each queen, from 0.
    Malformed { line: u64, queens: Vec<[u32; 2]> },
    /// A board with too few or too many rows, queens or numbers. `count` is their number, and `noun` is `row`, `queen`, `number` or
    /// `column`.
    WrongLength { line: u64, queens: Vec<[u32; 2]>, count: usize, noun: &'static str },
    /// Several lines that may be a board.
    Doubtful { line: u64 },
    /// A board of another size.
    OtherSize { line: u64, side: usize },
}

impl Candidate {
    /// The candidate that consists of some rows. `rows`: the columns of the queens in each row. `is_complete`: whether there are
    /// as many rows as a board has, each of the right length.
    pub fn from_rows(line: u64, rows: &[Vec<u32>], is_complete: bool) -> Self {
        if is_complete && rows.iter().all(|queens| queens.len() == 1) {
            return Self::Board { line, columns: rows.iter().map(|queens| queens[0]).collect() };
        }
        let queens =
            (0..).zip(rows).flat_map(|(row, queens)| queens.iter().map(move |&column| [row, column]));
        let queens: Vec<[u32; 2]> = queens.collect();
        match is_complete {
            true => Self::Malformed { line, queens },
            // Dots that show progress look like a row without a queen.
            false if queens.is_empty() => Self::Doubtful { line },
            false => Self::WrongLength { line, queens, count: rows.len(), noun: "row" },
        }
    }
}

/// Replaces the best value by a new value if the new value has a higher score.
pub(super) fn keep_best<S: PartialOrd, T>(best: &mut Option<(S, T)>, score: S, value: impl FnOnce() -> T) {
    if best.as_ref().is_none_or(|(best_score, _)| score > *best_score) {
        *best = Some((score, value()));
    }
}

/// The evidence for a reading: how many solutions, permutations and boards a text has if it is read in this way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Score {
    pub solutions: usize,
    pub permutations: usize,
    pub boards: usize,
}

impl Score {
    /// The score of boards. `boards`: the columns of each.
    pub fn from_boards<'b>(boards: impl Iterator<Item = &'b [u32]>, problem: &Problem) -> Self {
        let mut score = Self::default();
        boards.for_each(|columns| score.add(columns, problem));
        score
    }

    pub fn add(&mut self, columns: &[u32], problem: &Problem) {
        self.boards += 1;
        if is_permutation(columns) {
            self.permutations += 1;
            self.solutions += usize::from(problem.is_solution(columns));
        }
    }
}
