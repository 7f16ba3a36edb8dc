//! What a submission lacks, and whether the lack has a pattern: only one of each mirror pair, only
//! fundamental solutions.

use std::fmt;
use std::ops::ControlFlow;

use super::SHOWN;
use super::key::Key;
use crate::board::symmetry::{Symmetry, is_canonical, orbit};
use crate::board::{BoardSize, Placement, known};
use crate::registry::Registry;
use crate::solver::{Budget, Goal, Task};

/// Who enumerates in lexicographic order, and fast.
const ENUMERATOR: &str = "backtrack/bitmask";

/// Examples of what is missing are worth so many nodes: all of n = 16.
const NODE_LIMIT: u64 = 2_000_000_000;

/// What is missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Missing {
    /// How many solutions, where it is known how many there are.
    pub solutions: Option<u64>,
    /// How many symmetry classes of which nothing was printed, where that is known.
    pub classes: Option<u64>,
    /// The lexicographically first missing solutions; where whole classes are missing, the first
    /// ones of the first classes. Few or none on boards too large to enumerate.
    pub shown: Vec<Placement>,
    /// For each shown one, the size of its class if all of it is missing.
    pub class_sizes: Vec<Option<usize>>,
    /// What the printed ones have in common.
    pub pattern: Option<Pattern>,
}

/// The images of the printed boards under some symmetries are all the solutions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// Those symmetries.
    pub group: Group,
    /// Whether exactly one board of each orbit was printed.
    pub one_of_each: bool,
}

/// Symmetries that a program may have left out.
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
            (true, Group::HalfTurn) => "you print only one of each pair that a half turn maps to each other",
            (true, Group::Rotations) => "you print only one of the rotations of each solution",
            (true, Group::All) => "you print only fundamental solutions",
            (false, Group::LeftRight) => {
                "each missing one is the left-right mirror image of one that you print"
            }
            (false, Group::TopBottom) => {
                "each missing one is the top-bottom mirror image of one that you print"
            }
            (false, Group::HalfTurn) => "each missing one is one that you print, turned by half a turn",
            (false, Group::Rotations) => "each missing one is a rotation of one that you print",
            (false, Group::All) => "each missing one is a rotation or mirror image of one that you print",
        })
    }
}

/// Everything is missing, and nothing need be shown.
pub(super) fn all(expected: Option<u64>) -> Missing {
    Missing { solutions: expected, ..Missing::default() }
}

/// The number of symmetry classes among different legal boards, sorted, and what they lack.
/// Without `examples` nothing is enumerated, and nothing counts as missing.
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

/// The smallest set of symmetries that makes all solutions of the printed ones.
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

/// The first solutions that are not among `boards`; of whole classes, the canonical ones only.
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
    // An error is a board too large for the enumerator: there is no example then.
    let _ = solver.solve(&Task { budget, ..Task::new(size, Goal::Enumerate) }, &mut sink);
    shown
}
