//! The missing solutions of a submission, and the pattern in them if there is one: for example, only one of each mirror
//! pair or only fundamental solutions were printed.

use std::fmt;
use std::ops::ControlFlow;

use super::key::Key;
use super::{Judgement, MAX_EXAMPLES};
use queens_board::Placement;
use queens_board::problem::Problem;
use queens_board::symmetry::{Symmetry, images};

/// Finds solutions for the judge. The caller implements it, so that the judge depends on no solver.
pub trait SolutionSource {
    /// Passes the solutions of a problem to `show` until `show` breaks; those of plain queens in lexicographic order.
    /// Returns the name of the solver if it found all solutions, and `None` if it gave up.
    fn enumerate(
        &self,
        problem: &Problem,
        show: &mut dyn FnMut(&[u32]) -> ControlFlow<()>,
    ) -> Option<&'static str>;

    /// Whether a problem has a solution, and the name of the solver; `None` if the solver gave up.
    fn decide(&self, problem: &Problem) -> Option<(bool, &'static str)>;
}

/// The missing solutions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Missing {
    /// The number of missing solutions, if the total is known.
    pub solutions: Option<u64>,
    /// The first missing solutions; few or none on boards too large to enumerate.
    pub examples: Vec<Placement>,
    /// What the missing solutions have in common.
    pub pattern: Option<Pattern>,
}

/// What a program printed instead of all solutions: only one image of each solution under some symmetries, or no solution with a queen in a
/// certain corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pattern {
    symmetries: &'static [Symmetry],
    words: &'static str,
}

const PATTERNS: [Pattern; 5] = {
    const SAME: Symmetry = Symmetry::ROTATIONS[0];
    const fn of(symmetries: &'static [Symmetry], words: &'static str) -> Pattern {
        Pattern { symmetries, words }
    }
    [
        of(&[SAME, Symmetry::LEFT_RIGHT], "only one of each mirror pair (left and right)"),
        of(&[SAME, Symmetry::TOP_BOTTOM], "only one of each mirror pair (top and bottom)"),
        of(
            &[SAME, Symmetry::ROTATIONS[1]],
            "only one of each pair of solutions that a half turn maps to each other",
        ),
        of(&Symmetry::ROTATIONS, "only one of the rotations of each solution"),
        of(&Symmetry::ALL, "only fundamental solutions"),
    ]
};

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "you print {}", self.words)
    }
}

impl Pattern {
    /// The printed part: `only fundamental solutions`.
    pub fn printed(&self) -> &'static str {
        self.words
    }
}

/// The pattern of a program that never put a queen in the first or last column of the first row.
fn unused_corner<K: Key>(boards: &[K], problem: &Problem, expected: u64) -> Option<Pattern> {
    const WORDS: [&str; 3] = [
        "no board with a queen in the first column of the first row",
        "no board with a queen in the last column of the first row",
        "no board with a queen in the first or last column of the first row",
    ];
    let n = problem.n().get();
    let missing = expected.saturating_sub(boards.len() as u64);
    if !problem.is_plain() || boards.is_empty() || missing == 0 {
        return None;
    }
    let last = u32::try_from(n - 1).ok()?;
    // At most one corner holds a queen, and by symmetry each corner holds one in equally many solutions.
    let mut corners = [0; 4];
    for key in boards {
        let columns = key.columns(n);
        let ends = [columns[0], columns[n - 1]];
        let corner = ends.iter().zip([0, 2]).find_map(|(&column, row)| match column {
            0 => Some(row),
            column if column == last => Some(row + 1),
            _ => None,
        });
        if let Some(corner) = corner {
            corners[corner] += 1;
        }
    }
    let words = match corners {
        [0, other, ..] if other == missing => WORDS[0],
        [other, 0, ..] if other == missing => WORDS[1],
        [0, 0, one, other] if one + other == missing => WORDS[2],
        _ => return None,
    };
    Some(Pattern { symmetries: &[], words })
}

/// Finds the solutions that are not in `boards` (legal, distinct and sorted), their total if no total is published, and the number of
/// symmetry classes of plain queens.
pub(super) fn find<K: Key>(boards: &[K], report: &mut Judgement, reference: &dyn SolutionSource) {
    let (n, published) = (report.n(), report.expected);
    report.fundamental = report.problem.is_plain().then(|| classes(boards, n));
    if published == Some(boards.len() as u64) {
        return;
    }
    let mut first_keys: Vec<K> = Vec::new();
    let mut total = 0;
    let found_by = reference.enumerate(&report.problem, &mut |columns| {
        total += 1;
        let key = K::of(columns);
        if boards.binary_search(&key).is_err() {
            first_keys.insert(first_keys.partition_point(|other| *other < key), key);
            first_keys.truncate(MAX_EXAMPLES);
        }
        let enough = published.is_some() && first_keys.len() == MAX_EXAMPLES;
        if enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    if let (None, Some(solver)) = (published, found_by) {
        (report.expected, report.expected_source) = (Some(total), Some(solver));
    }
    let solutions = report.expected.map(|all| all.saturating_sub(boards.len() as u64));
    if solutions == Some(0) || solutions.is_none() && first_keys.is_empty() {
        return;
    }
    let examples: Vec<Placement> = first_keys.iter().map(|key| Placement::new(&key.columns(n))).collect();
    report.missing = Some(Missing {
        solutions,
        examples,
        pattern: report.expected.and_then(|all| {
            pattern(boards, &report.problem, all).or_else(|| unused_corner(boards, &report.problem, all))
        }),
    });
}

/// The pattern with the fewest symmetries; `None` if fewer than two boards are missing, because some pattern fits nearly every missing board.
fn pattern<K: Key>(boards: &[K], problem: &Problem, expected: u64) -> Option<Pattern> {
    let (printed, n) = (boards.len() as u64, problem.n().get());
    if printed == 0 || expected.saturating_sub(printed) < 2 {
        return None;
    }
    let preserved = problem.symmetries();
    PATTERNS.into_iter().find(|Pattern { symmetries, .. }| {
        let is_possible = printed.saturating_mul(symmetries.len() as u64) >= expected
            && symmetries.iter().all(|symmetry| preserved.contains(symmetry));
        let images = |key: &K| {
            let mut images: Vec<Vec<u32>> = images(&key.columns(n), symmetries).collect();
            images.sort_unstable();
            images.dedup();
            images.len() as u64
        };
        is_possible
            && representatives(boards, n, symmetries).len() as u64 == printed
            && boards.iter().map(images).sum::<u64>() == expected
    })
}

/// The number of symmetry classes of boards.
pub(super) fn classes<K: Key>(boards: &[K], n: usize) -> u64 {
    representatives(boards, n, &Symmetry::ALL).len() as u64
}

/// The least image of each board under a group, each once.
fn representatives<K: Key>(boards: &[K], n: usize, symmetries: &[Symmetry]) -> Vec<K> {
    let least = |key: &K| images(&key.columns(n), symmetries).min().map(|image| K::of(&image));
    let mut least: Vec<K> = boards.iter().filter_map(least).collect();
    least.sort_unstable();
    least.dedup();
    least
}
