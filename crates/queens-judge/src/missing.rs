//! Finds the missing solutions of a submission, and their pattern: for example, only fundamental solutions were printed.

use std::fmt;
use std::ops::ControlFlow;

use super::key::Key;
use super::{Judgement, MAX_EXAMPLES};
use queens_board::Placement;
use queens_board::problem::Problem;
use queens_board::symmetry::{Symmetry, images};

/// Finds solutions for the judge. The caller implements it, so that the judge depends on no solver.
pub trait SolutionSource {
    /// Passes the solutions of a problem to `on_solution` until `on_solution` breaks. Solutions of plain queens come in
    /// lexicographic order. Returns the name of the solver if it found all solutions; otherwise `None`.
    fn enumerate(
        &self,
        problem: &Problem,
        on_solution: &mut dyn FnMut(&[u32]) -> ControlFlow<()>,
    ) -> Option<&'static str>;

    /// Whether a problem has a solution, and the name of the solver; `None` if the solver gave up.
    fn decide(&self, problem: &Problem) -> Option<(bool, &'static str)>;
}

/// The missing solutions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Missing {
    /// The number of missing solutions, if the number of all solutions is known.
    pub count: Option<u64>,
    /// The first missing solutions, at most [`MAX_EXAMPLES`]. There may be none on boards that are too large to enumerate.
    pub examples: Vec<Placement>,
    /// What the missing solutions have in common.
    pub pattern: Option<Pattern>,
}

/// What a program printed instead of all solutions: only one image of each solution under some symmetries, or no solution with a
/// queen in a certain corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pattern {
    symmetries: &'static [Symmetry],
    words: &'static str,
}

const PATTERNS: [Pattern; 5] = {
    const IDENTITY: Symmetry = Symmetry::ROTATIONS[0];
    const fn pattern(symmetries: &'static [Symmetry], words: &'static str) -> Pattern {
        Pattern { symmetries, words }
    }
    [
        pattern(&[IDENTITY, Symmetry::LEFT_RIGHT], "only one of each mirror pair (left and right)"),
        pattern(&[IDENTITY, Symmetry::TOP_BOTTOM], "only one of each mirror pair (top and bottom)"),
        pattern(
            &[IDENTITY, Symmetry::ROTATIONS[1]],
            "only one of each pair of solutions that a half turn maps to each other",
        ),
        pattern(&Symmetry::ROTATIONS, "only one of the rotations of each solution"),
        pattern(&Symmetry::ALL, "only fundamental solutions"),
    ]
};

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "you print {}", self.words)
    }
}

impl Pattern {
    /// What the program printed: `only fundamental solutions`.
    pub fn printed_boards(&self) -> &'static str {
        self.words
    }
}

/// The pattern of a program that never put a queen into the first column, the last column, or either of them, in the first row.
fn unused_corner_pattern<K: Key>(boards: &[K], problem: &Problem, expected: u64) -> Option<Pattern> {
    const WORDS: [&str; 3] = [
        "no board with a queen in the first column of the first row",
        "no board with a queen in the last column of the first row",
        "no board with a queen in the first or last column of the first row",
    ];
    let n = problem.n().get();
    let missing_count = expected.saturating_sub(boards.len() as u64);
    if !problem.is_plain() || boards.is_empty() || missing_count == 0 {
        return None;
    }
    let last_column = u32::try_from(n - 1).ok()?;
    // In a solution, at most one corner holds a queen. By symmetry, each corner holds a queen in equally many solutions.
    let mut corners = [0; 4];
    for key in boards {
        let columns = key.columns(n);
        let ends = [columns[0], columns[n - 1]];
        let corner = ends.iter().zip([0, 2]).find_map(|(&column, row)| match column {
            0 => Some(row),
            column if column == last_column => Some(row + 1),
            _ => None,
        });
        if let Some(corner) = corner {
            corners[corner] += 1;
        }
    }
    let words = match corners {
        [0, right, ..] if right == missing_count => WORDS[0],
        [left, 0, ..] if left == missing_count => WORDS[1],
        [0, 0, left, right] if left + right == missing_count => WORDS[2],
        _ => return None,
    };
    Some(Pattern { symmetries: &[], words })
}

/// Adds to a report the solutions that are not in `boards`, and the number of solutions if it is not published. For plain queens,
/// also adds the number of symmetry classes. `boards`: different solutions, sorted.
pub(super) fn find_missing<K: Key>(boards: &[K], report: &mut Judgement, reference: &dyn SolutionSource) {
    let (n, published_count) = (report.n(), report.expected_count);
    report.fundamental_count = report.problem.is_plain().then(|| count_classes(boards, n));
    if published_count == Some(boards.len() as u64) {
        return;
    }
    let mut first_keys: Vec<K> = Vec::new();
    let mut count = 0;
    let solver = reference.enumerate(&report.problem, &mut |columns| {
        count += 1;
        let key = K::from_columns(columns);
        if boards.binary_search(&key).is_err() {
            first_keys.insert(first_keys.partition_point(|other| *other < key), key);
            first_keys.truncate(MAX_EXAMPLES);
        }
        let is_enough = published_count.is_some() && first_keys.len() == MAX_EXAMPLES;
        if is_enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    if let (None, Some(solver)) = (published_count, solver) {
        (report.expected_count, report.expected_source) = (Some(count), Some(solver));
    }
    let missing_count = report.expected_count.map(|expected| expected.saturating_sub(boards.len() as u64));
    if missing_count == Some(0) || missing_count.is_none() && first_keys.is_empty() {
        return;
    }
    let examples: Vec<Placement> = first_keys.iter().map(|key| Placement::new(&key.columns(n))).collect();
    let pattern = report.expected_count.and_then(|expected| {
        pattern_of_symmetry(boards, &report.problem, expected)
            .or_else(|| unused_corner_pattern(boards, &report.problem, expected))
    });
    report.missing = Some(Missing { count: missing_count, examples, pattern });
}

/// The pattern with the fewest symmetries. If a single board is missing, the result is `None`, because nearly every board would
/// fit some pattern.
fn pattern_of_symmetry<K: Key>(boards: &[K], problem: &Problem, expected: u64) -> Option<Pattern> {
    let (printed, n) = (boards.len() as u64, problem.n().get());
    if printed == 0 || expected.saturating_sub(printed) < 2 {
        return None;
    }
    let preserved = problem.symmetries();
    PATTERNS.into_iter().find(|Pattern { symmetries, .. }| {
        let is_possible = printed.saturating_mul(symmetries.len() as u64) >= expected
            && symmetries.iter().all(|symmetry| preserved.contains(symmetry));
        let count_images = |key: &K| {
            let mut images: Vec<Vec<u32>> = images(&key.columns(n), symmetries).collect();
            images.sort_unstable();
            images.dedup();
            images.len() as u64
        };
        is_possible
            && representatives(boards, n, symmetries).len() as u64 == printed
            && boards.iter().map(count_images).sum::<u64>() == expected
    })
}

/// The number of symmetry classes of boards.
pub(super) fn count_classes<K: Key>(boards: &[K], n: usize) -> u64 {
    representatives(boards, n, &Symmetry::ALL).len() as u64
}

/// The least image of each board under a group of symmetries, without repetitions.
fn representatives<K: Key>(boards: &[K], n: usize, symmetries: &[Symmetry]) -> Vec<K> {
    let least_image =
        |key: &K| images(&key.columns(n), symmetries).min().map(|image| K::from_columns(&image));
    let mut images: Vec<K> = boards.iter().filter_map(least_image).collect();
    images.sort_unstable();
    images.dedup();
    images
}
