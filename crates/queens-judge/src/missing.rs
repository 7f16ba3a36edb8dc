//! The missing solutions of a submission, and the pattern in them if there is one: for example, only one of each mirror
//! pair or only fundamental solutions were printed.

use std::fmt;
use std::ops::ControlFlow;

use super::key::Key;
use super::{Judgement, SHOWN};
use queens_board::Placement;
use queens_board::problem::Problem;
use queens_board::symmetry::{Symmetry, images};

/// Finds solutions for the judge: a solver that the judge does not know.
pub trait Reference {
    /// Passes the solutions of a problem to `show`, those of plain queens in lexicographic order, until it breaks.
    /// Returns the name of the solver if it found all of them, and `None` if it gave up.
    fn enumerate(
        &self,
        problem: &Problem,
        show: &mut dyn FnMut(&[u32]) -> ControlFlow<()>,
    ) -> Option<&'static str>;

    /// Whether a problem has a solution, and the name of the solver; `None` if that was not found out.
    fn decide(&self, problem: &Problem) -> Option<(bool, &'static str)>;
}

/// The missing solutions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Missing {
    /// The number of missing solutions, if the total is known.
    pub solutions: Option<u64>,
    /// The first missing solutions; few or none on boards too large to enumerate.
    pub shown: Vec<Placement>,
    /// The symmetries of which exactly one image of each solution was printed.
    pub pattern: Option<Pattern>,
}

/// Symmetries of which a program may have printed only one image of each solution, and the words for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pattern {
    symmetries: &'static [Symmetry],
    words: &'static str,
}

const PATTERNS: [Pattern; 5] = {
    const SAME: Symmetry = Symmetry::ROTATIONS[0];
    [
        Pattern {
            symmetries: &[SAME, Symmetry::LEFT_RIGHT],
            words: "you print only one of each mirror pair (left and right)",
        },
        Pattern {
            symmetries: &[SAME, Symmetry::TOP_BOTTOM],
            words: "you print only one of each mirror pair (top and bottom)",
        },
        Pattern {
            symmetries: &[SAME, Symmetry::ROTATIONS[1]],
            words: "you print only one of each pair of solutions that a half turn maps to each other",
        },
        Pattern {
            symmetries: &Symmetry::ROTATIONS,
            words: "you print only one of the rotations of each solution",
        },
        Pattern { symmetries: &Symmetry::ALL, words: "you print only fundamental solutions" },
    ]
};

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words)
    }
}

/// Finds the solutions that are not in `boards` (legal, distinct and sorted), the number of all solutions if none is
/// published, and the classes of plain queens.
pub(super) fn find<K: Key>(boards: &[K], report: &mut Judgement, reference: &dyn Reference) {
    let (n, published) = (report.n(), report.expected);
    report.fundamental = report.problem.is_plain().then(|| classes(boards, n));
    if published == Some(boards.len() as u64) {
        return;
    }
    let mut shown: Vec<K> = Vec::new();
    let mut total = 0;
    let found_by = reference.enumerate(&report.problem, &mut |columns| {
        total += 1;
        let key = K::of(columns);
        if boards.binary_search(&key).is_err() {
            shown.insert(shown.partition_point(|other| *other < key), key);
            shown.truncate(SHOWN);
        }
        let enough = published.is_some() && shown.len() == SHOWN;
        if enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    if let (None, Some(solver)) = (published, found_by) {
        (report.expected, report.expected_source) = (Some(total), Some(solver));
    }
    let solutions = report.expected.map(|all| all.saturating_sub(boards.len() as u64));
    if solutions == Some(0) || solutions.is_none() && shown.is_empty() {
        return;
    }
    let shown: Vec<Placement> = shown.iter().map(|key| Placement::new(&key.columns(n))).collect();
    report.missing = Some(Missing {
        solutions,
        shown,
        pattern: report.expected.and_then(|all| pattern(boards, &report.problem, all)),
    });
}

/// The pattern with the fewest symmetries. At least two boards are missing: of a single one, it would nearly always be true.
fn pattern<K: Key>(boards: &[K], problem: &Problem, expected: u64) -> Option<Pattern> {
    let (printed, n) = (boards.len() as u64, problem.n().get());
    if printed == 0 || expected.saturating_sub(printed) < 2 {
        return None;
    }
    let kept = problem.symmetries();
    PATTERNS.into_iter().find(|Pattern { symmetries, .. }| {
        let is_possible = printed.saturating_mul(symmetries.len() as u64) >= expected
            && symmetries.iter().all(|symmetry| kept.contains(symmetry));
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
