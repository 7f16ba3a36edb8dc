//! The missing solutions of a submission, and the pattern in them if there is one: for example, only one of
//! each mirror pair or only fundamental solutions were printed.

use std::fmt;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use super::key::Key;
use super::{Judgement, SHOWN};
use crate::board::problem::Problem;
use crate::board::symmetry::{Symmetry, is_canonical, orbit};
use crate::board::{BoardSize, Placement, known};
use crate::registry::Registry;
use crate::solver::sink::Discard;
use crate::solver::{Budget, Goal, Outcome, Sink, Task};

/// A fast solver that enumerates in lexicographic order.
const ENUMERATOR: &str = "backtrack/bitmask";

/// A solver that enumerates the solutions of any problem.
const ENUMERATOR_OF_ANY: &str = "backtrack/dlx";

/// A solver that finds out whether a problem has a solution, and the time that it has.
const DECIDER: (&str, Duration) = ("sat/product/varisat", Duration::from_secs(60));

/// The number of nodes of [`ENUMERATOR_OF_ANY`], which visits about a million per second.
const NODE_LIMIT_OF_ANY: u64 = 30_000_000;

/// The search for missing solutions stops after this many nodes: enough for all of n = 16.
const NODE_LIMIT: u64 = 2_000_000_000;

/// The missing solutions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Missing {
    /// The number of missing solutions, if the total is known.
    pub solutions: Option<u64>,
    /// The number of symmetry classes of which no board was printed, if the total is known.
    pub classes: Option<u64>,
    /// The lexicographically first missing solutions; if whole classes are missing, the first
    /// member of each of the first classes. For problems with a published number of solutions, the first that
    /// the solver finds. Few or none on boards too large to enumerate.
    pub shown: Vec<Placement>,
    /// For each board in `shown`, the size of its class if the whole class is missing.
    pub class_sizes: Vec<Option<usize>>,
    /// The pattern in the printed boards.
    pub pattern: Option<Pattern>,
}

/// The images of the printed boards under some symmetries are all the solutions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// The symmetries.
    pub group: Group,
    /// Whether exactly one board of each orbit was printed.
    pub one_of_each: bool,
}

/// Groups of symmetries that a program may have left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// The left-right mirror.
    LeftRight,
    /// The top-bottom mirror.
    TopBottom,
    /// The half turn.
    HalfTurn,
    /// The four rotations.
    Rotations,
    /// All eight symmetries.
    All,
}

impl Group {
    const BY_SIZE: [Group; 5] =
        [Group::LeftRight, Group::TopBottom, Group::HalfTurn, Group::Rotations, Group::All];

    fn symmetries(self) -> Vec<Symmetry> {
        let [same, half, ..] = Symmetry::ROTATIONS;
        match self {
            Group::LeftRight => vec![same, Symmetry::LEFT_RIGHT],
            Group::TopBottom => vec![same, Symmetry::TOP_BOTTOM],
            Group::HalfTurn => vec![same, half],
            Group::Rotations => Symmetry::ROTATIONS.to_vec(),
            Group::All => Symmetry::ALL.to_vec(),
        }
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match (self.one_of_each, self.group) {
            (true, Group::LeftRight) => "you print only one of each mirror pair (left and right)",
            (true, Group::TopBottom) => "you print only one of each mirror pair (top and bottom)",
            (true, Group::HalfTurn) => {
                "you print only one of each pair of solutions that a half turn maps to each other"
            }
            (true, Group::Rotations) => "you print only one of the rotations of each solution",
            (true, Group::All) => "you print only fundamental solutions",
            (false, Group::LeftRight) => {
                "each missing solution is the left-right mirror image of one that you print"
            }
            (false, Group::TopBottom) => {
                "each missing solution is the top-bottom mirror image of one that you print"
            }
            (false, Group::HalfTurn) => "each missing solution is one that you print, rotated by half a turn",
            (false, Group::Rotations) => "each missing solution is a rotation of one that you print",
            (false, Group::All) => {
                "each missing solution is a rotation or mirror image of one that you print"
            }
        })
    }
}

/// Finds out whether a program that printed no board should have printed one; no example is needed.
pub(super) fn find_first(report: &mut Judgement) {
    if report.expected.is_none() && !report.problem.is_plain() {
        let deadline = Instant::now().checked_add(DECIDER.1);
        let budget = Budget { deadline, ..Budget::default() };
        let ended = search(DECIDER.0, &report.problem, Goal::First, budget, &mut Discard);
        match ended {
            Some(Outcome { solutions: 0, stopped: None, .. }) => {
                (report.expected, report.expected_source) = (Some(0), Some(DECIDER.0));
            }
            Some(Outcome { solutions: 1.., .. }) => {}
            _ => return,
        }
    }
    let solutions = report.expected;
    report.missing = (solutions != Some(0)).then(|| Missing { solutions, ..Missing::default() });
}

/// Counts the solutions of a problem for which no number is published.
pub(super) fn count(report: &mut Judgement) {
    find_any::<u64>(&[], report);
    report.missing = None;
}

/// Finds solutions that are not in `boards` (legal, distinct and sorted), and the number of all solutions if none is
/// published.
pub(super) fn find_any<K: Key>(boards: &[K], report: &mut Judgement) {
    let mut shown: Vec<K> = Vec::new();
    let published = report.expected;
    let mut sink = |columns: &[u16]| {
        let key = K::of(columns);
        if boards.binary_search(&key).is_err() {
            let place = shown.partition_point(|other| *other < key);
            shown.insert(place, key);
            shown.truncate(SHOWN);
        }
        if published.is_some() && shown.len() == SHOWN {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let budget = Budget { node_limit: Some(NODE_LIMIT_OF_ANY), ..Budget::default() };
    let ended = search(ENUMERATOR_OF_ANY, &report.problem, Goal::Enumerate, budget, &mut sink);
    if let (None, Some(Outcome { solutions, stopped: None, .. })) = (published, ended) {
        (report.expected, report.expected_source) = (Some(solutions), Some(ENUMERATOR_OF_ANY));
    }
    let solutions = report.expected.map(|all| all.saturating_sub(boards.len() as u64));
    if solutions == Some(0) || solutions.is_none() && shown.is_empty() {
        return;
    }
    let n = report.n();
    let kept = report.problem.symmetries();
    let pattern = report.expected.and_then(|expected| pattern(boards, n, expected, &kept));
    let class_sizes = vec![None; shown.len()];
    let shown = shown.iter().map(|key| Placement::new(&key.columns(n))).collect();
    report.missing = Some(Missing { solutions, classes: None, shown, class_sizes, pattern });
}

/// Runs a solver; `None` if it does not support the task.
fn search(id: &str, problem: &Problem, goal: Goal, budget: Budget, sink: &mut dyn Sink) -> Option<Outcome> {
    let registry = Registry::builtin();
    registry.get(id).ok()?.solve(&Task { budget, ..Task::of(problem, goal) }, sink).ok()
}

/// The number of symmetry classes among `boards` (legal, distinct and sorted), and the missing solutions.
/// Without `examples`, nothing is enumerated and nothing counts as missing.
pub(super) fn find<K: Key>(boards: &[K], n: usize, examples: bool) -> (u64, Option<Missing>) {
    let classes = representatives(boards, n, Group::All);
    let found = classes.len() as u64;
    let expected = known::solutions(n);
    let count = expected.map(|expected| expected.saturating_sub(boards.len() as u64));
    if count == Some(0) || !examples {
        return (found, None);
    }
    let whole_classes = known::fundamental_solutions(n).map(|all| all.saturating_sub(found));
    let shown = enumerate(boards, &classes, n, whole_classes != Some(0));
    if expected.is_none() && shown.is_empty() {
        return (found, None);
    }
    let class_size = |board: &Placement| {
        let columns = board.columns();
        let missing = classes.binary_search(&least_image(columns, &Symmetry::ALL)).is_err();
        missing.then(|| orbit(columns).len())
    };
    let missing = Missing {
        solutions: count,
        classes: whole_classes,
        class_sizes: shown.iter().map(class_size).collect(),
        shown,
        pattern: expected.and_then(|expected| pattern(boards, n, expected, &Symmetry::ALL)),
    };
    (found, Some(missing))
}

/// The smallest group of symmetries that turns the printed boards into all solutions. The symmetries in `kept` map the
/// problem onto itself.
fn pattern<K: Key>(boards: &[K], n: usize, expected: u64, kept: &[Symmetry]) -> Option<Pattern> {
    let given = boards.len() as u64;
    Group::BY_SIZE.into_iter().filter(|_| given > 0).find_map(|group| {
        let symmetries = group.symmetries();
        if !symmetries.iter().all(|symmetry| kept.contains(symmetry)) {
            return None;
        }
        if given.saturating_mul(symmetries.len() as u64) < expected {
            return None;
        }
        let orbits = representatives(boards, n, group);
        let images: u64 = orbits.iter().map(|key| orbit_size(&key.columns(n), &symmetries)).sum();
        let one_of_each = orbits.len() as u64 == given;
        (images == expected).then_some(Pattern { group, one_of_each })
    })
}

fn representatives<K: Key>(boards: &[K], n: usize, group: Group) -> Vec<K> {
    let symmetries = group.symmetries();
    let mut least: Vec<K> = boards.iter().map(|key| least_image(&key.columns(n), &symmetries)).collect();
    least.sort_unstable();
    least.dedup();
    least
}

fn least_image<K: Key>(columns: &[u16], symmetries: &[Symmetry]) -> K {
    let mut least = columns.to_vec();
    let mut image = columns.to_vec();
    for symmetry in symmetries {
        symmetry.map(columns, &mut image);
        if image < least {
            least.copy_from_slice(&image);
        }
    }
    K::of(&least)
}

fn orbit_size(columns: &[u16], symmetries: &[Symmetry]) -> u64 {
    let mut image = columns.to_vec();
    let fixing = symmetries.iter().filter(|symmetry| {
        symmetry.map(columns, &mut image);
        image == columns
    });
    (symmetries.len() / fixing.count().max(1)) as u64
}

/// The first solutions that are not in `boards`; with `whole_classes`, only canonical ones of missing classes.
fn enumerate<K: Key>(boards: &[K], classes: &[K], n: usize, whole_classes: bool) -> Vec<Placement> {
    let mut shown = Vec::new();
    let Ok(size) = BoardSize::new(n) else { return shown };
    let mut printed = boards.iter().peekable();
    let mut sink = |columns: &[u16]| {
        let key = K::of(columns);
        let missing = if whole_classes {
            is_canonical(columns) && classes.binary_search(&key).is_err()
        } else {
            while printed.next_if(|&printed| *printed < key).is_some() {}
            printed.next_if(|&printed| *printed == key).is_none()
        };
        if missing {
            shown.push(Placement::new(columns));
        }
        if shown.len() == SHOWN { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let budget = Budget { node_limit: Some(NODE_LIMIT), ..Budget::default() };
    // An error means that the board is too large for the enumerator: then there is no example.
    search(ENUMERATOR, &Problem::queens(size), Goal::Enumerate, budget, &mut sink);
    shown
}
