//! The missing solutions of a submission, and the pattern in them if there is one: for example, only one of
//! each mirror pair or only fundamental solutions were printed.

use std::fmt;
use std::ops::ControlFlow;

use super::SHOWN;
use super::key::Key;
use crate::board::symmetry::{Symmetry, is_canonical, orbit};
use crate::board::{BoardSize, Placement, known};
use crate::registry::Registry;
use crate::solver::{Budget, Goal, Task};

/// A fast solver that enumerates in lexicographic order.
const ENUMERATOR: &str = "backtrack/bitmask";

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
    /// member of each of the first classes. Few or none on boards too large to enumerate.
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

/// Everything is missing; no example is needed.
pub(super) fn all(expected: Option<u64>) -> Missing {
    Missing { solutions: expected, ..Missing::default() }
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
        pattern: expected.and_then(|expected| pattern(boards, n, expected)),
    };
    (found, Some(missing))
}

/// The smallest group of symmetries that turns the printed boards into all solutions.
fn pattern<K: Key>(boards: &[K], n: usize, expected: u64) -> Option<Pattern> {
    let given = boards.len() as u64;
    Group::BY_SIZE.into_iter().filter(|_| given > 0).find_map(|group| {
        let symmetries = group.symmetries();
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
    let registry = Registry::builtin();
    let (Ok(solver), Ok(size)) = (registry.get(ENUMERATOR), BoardSize::new(n)) else { return shown };
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
    let _ = solver.solve(&Task { budget, ..Task::new(size, Goal::Enumerate) }, &mut sink);
    shown
}
