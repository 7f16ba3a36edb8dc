//! Counts one column set: lists its top halves and bottom halves, and counts the pairs that fit together.
//! Column sets are independent; they share the quarter tables, which are read-only.

use std::ops::Range;

use super::geometry::{Geometry, Mask};
use super::halves::{self, BottomHalves, Halves, Side, TopHalves, list_bottoms};
use super::isa::{Bits, Isa};
use super::keys::Sorter;
use super::pieces::{Counter, Piece};
use super::placements::Subsets;
use super::quarters::Quarters;
use super::symmetry::{ColumnSet, PairClass, Weights};
use super::{ShouldStop, memory};

/// What all column sets of a board share.
pub struct Instance<'a> {
    geometry: Geometry,
    subsets: Subsets,
    /// The quarter tables, unless each column set builds its own.
    quarters: Option<Quarters>,
    tuning: Tuning,
    stop: ShouldStop<'a>,
}

/// How a board is counted; every setting gives the same count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tuning {
    /// Key diagonals per node of the tree, at most `keys::MAX_KEYS`; 0 means no tree.
    pub keys: usize,
    /// A node with more pieces of top halves than this branches.
    pub branch: usize,
    /// Whether all column sets share tables; otherwise each builds its own, much smaller ones.
    pub shared_tables: bool,
    /// Whether masks have one word, for boards up to [`Geometry::ONE_WORD`] without keys. With two words, two vectors are
    /// used as one, so that pieces are larger, where that is faster.
    pub one_word: bool,
}

impl Tuning {
    /// The fastest setting for a board size; docs/COUNTING.md has the measurements.
    pub fn for_size(n: usize) -> Self {
        let keys = match n {
            ..=18 => 0,
            19 => 6,
            _ => 7,
        };
        let one_word = n <= Geometry::ONE_WORD;
        Self { keys, branch: 32, shared_tables: memory::shared_tables(n), one_word }
    }
}

/// Statistics reported with a count. None of these are nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Column sets joined.
    pub column_sets: u64,
    /// Top halves listed.
    pub top_halves: u64,
    /// Bottom halves listed.
    pub bottom_halves: u64,
    /// Pieces of top halves.
    pub pieces: u64,
    /// Bottom halves joined with a piece.
    pub meetings: u64,
    /// Pairs of a bottom half and a top half: 0 to `Isa::WIDTH` per meeting.
    pub comparisons: u64,
    /// Bytes of the tables that column sets share.
    pub table_bytes: u64,
}

impl Work {
    /// Adds the work of another thread.
    pub fn add(&mut self, other: &Work) {
        self.column_sets += other.column_sets;
        self.top_halves += other.top_halves;
        self.bottom_halves += other.bottom_halves;
        self.pieces += other.pieces;
        self.meetings += other.meetings;
        self.comparisons += other.comparisons;
    }
}

impl<'a> Instance<'a> {
    /// Builds the tables of an n by n board that column sets share; `None` if it was stopped.
    pub fn new(n: usize, tuning: Tuning, stop: ShouldStop<'a>) -> Option<Self> {
        let two_words = Geometry::new(n);
        let geometry = if tuning.one_word { two_words.in_one_word() } else { two_words };
        let subsets = Subsets::new(geometry.h);
        let quarters = match tuning.shared_tables {
            true => Some(Quarters::new(&geometry, &subsets, stop)?),
            false => None,
        };
        Some(Self { geometry, subsets, quarters, tuning, stop })
    }

    /// Bytes of the quarter tables that column sets share.
    pub fn table_bytes(&self) -> u64 {
        self.quarters.as_ref().map_or(0, |quarters| quarters.bytes() as u64)
    }
}

/// The maximum number of levels of the tree.
const LEVELS: usize = 6;

/// A list of top halves to be counted, and the bottom halves that remain for it.
struct TopList {
    tops: Range<usize>,
    level: usize,
    /// Keys of the parent, which all tops of the list use. Bottom halves of the level above that use one of
    /// them are removed.
    ruled_out: Mask,
}

/// Buffers of one thread: about a megabyte at n = 20, and somewhat more for each larger size.
pub struct Scratch<K: Isa> {
    tops: TopHalves,
    /// Bottom halves along one path of the tree of keys.
    levels: [BottomHalves; LEVELS],
    sorter: Sorter,
    nodes: Vec<TopList>,
    piece: Piece,
    counters: [Counter<K>; PairClass::COUNT],
    /// Lanes and their weights, for everything counted since the counters were cleared.
    weighting: Vec<(Bits, Weights)>,
    kept: Halves,
    /// Solutions of the column set so far, without those in the counters.
    total: u128,
    /// The work of this thread.
    pub work: Work,
}

impl<K: Isa> Scratch<K> {
    /// Creates empty buffers.
    pub fn new(k: K) -> Self {
        Self {
            tops: TopHalves::default(),
            levels: Default::default(),
            sorter: Sorter::default(),
            nodes: Vec::new(),
            piece: Piece::default(),
            counters: std::array::from_fn(|_| Counter::new(k)),
            weighting: Vec::new(),
            kept: Halves::default(),
            total: 0,
            work: Work::default(),
        }
    }

    /// Moves the weighted sum of the counters to the total.
    #[inline(always)]
    fn settle(&mut self, k: K) {
        for (class, counter) in self.counters.iter_mut().enumerate() {
            for (lanes, weights) in &self.weighting {
                if weights[class] > 0 {
                    self.total += u128::from(counter.sum(k, lanes)) * u128::from(weights[class]);
                }
            }
            counter.clear(k);
        }
        self.weighting.clear();
    }
}

/// Number of solutions that a column set represents, including its images under symmetry; `None` if it was stopped.
pub fn count<K: Isa>(
    k: K,
    instance: &Instance<'_>,
    scratch: &mut Scratch<K>,
    set: ColumnSet,
) -> Option<u128> {
    let Instance { geometry, subsets, stop, .. } = instance;
    let new_tables;
    let quarters = match &instance.quarters {
        Some(shared) => shared,
        None => {
            new_tables = Quarters::of_set(geometry, subsets, [set, geometry.complement(set)], *stop)?;
            &new_tables
        }
    };
    k.vectorize(
        #[inline(always)]
        || {
            scratch.total = 0;
            let joined = join(k, instance, quarters, scratch, set);
            scratch.settle(k);
            joined.map(|()| scratch.total)
        },
    )
}

/// Lists the halves of a column set and counts the pairs that fit; `None` if it was stopped.
#[inline(always)]
fn join<K: Isa>(
    k: K,
    instance: &Instance<'_>,
    quarters: &Quarters,
    scratch: &mut Scratch<K>,
    set: ColumnSet,
) -> Option<()> {
    let Instance { geometry, subsets, tuning, .. } = instance;
    scratch.work.column_sets += 1;
    let (weigher, below) = (geometry.weigh(set), geometry.complement(set));
    let sides = Side::both(&quarters.top, subsets, set);
    scratch.tops.generate(k, &weigher, subsets.like(set.left), sides);
    let tops = scratch.tops.halves.len;
    scratch.work.top_halves += tops as u64;
    if tops == 0 {
        return Some(());
    }
    let sides = Side::both(&quarters.bottom, subsets, below);
    list_bottoms(k, &weigher, subsets.like(below.left), sides, &mut scratch.levels[0]);
    scratch.work.bottom_halves += halves::count(&scratch.levels[0]) as u64;
    if tuning.keys == 0 || tops <= K::WIDTH {
        return meet_pieces(k, instance, scratch, 0..tops, 0);
    }
    scratch.tops.tag();
    scratch.nodes.clear();
    scratch.nodes.push(TopList { tops: 0..tops, level: 0, ruled_out: Mask::default() });
    // Depth first: the lists above a node do not change until the node is done.
    while let Some(node) = scratch.nodes.pop() {
        if let Some(above) = node.level.checked_sub(1) {
            let (parents, children) = scratch.levels.split_at_mut(node.level);
            for (left, halves) in children[0].iter_mut().zip(&parents[above]) {
                left.keep(k, halves, node.ruled_out);
            }
        }
        descend(k, instance, scratch, node)?;
    }
    Some(())
}

/// Sorts the tops of a node by its own keys. Counts the tops piece by piece, or branches if there are many.
#[inline(always)]
fn descend<K: Isa>(k: K, instance: &Instance<'_>, scratch: &mut Scratch<K>, node: TopList) -> Option<()> {
    let TopList { tops, level, .. } = node;
    let branch = tops.len() > instance.tuning.branch * K::WIDTH && level + 1 < LEVELS;
    // A part with at least a quarter of the limit is worth filtering the bottom halves for.
    let least = if branch { instance.tuning.branch.div_ceil(4) * K::WIDTH } else { K::WIDTH };
    let most = if branch { tops.len() } else { K::WIDTH };
    let halves = &mut scratch.tops.halves;
    let (low, high) = (&mut halves.low[tops.clone()], &mut halves.high[tops.clone()]);
    let bottoms = &scratch.levels[level];
    let used = instance.geometry.crossing();
    let keys = scratch.sorter.sort(k, used, instance.tuning.keys, bottoms, least..=most, low, high);
    if !branch {
        return meet_pieces(k, instance, scratch, tops, level);
    }
    let mut from = tops.start;
    for &(shared, end) in &scratch.sorter.parts {
        let part = from..tops.start + end;
        from = part.end;
        scratch.nodes.push(TopList { tops: part, level: level + 1, ruled_out: keys.mask(shared) });
    }
    Some(())
}

/// Counts the bottom halves of a level against top halves, piece by piece.
#[inline(always)]
fn meet_pieces<K: Isa>(
    k: K,
    instance: &Instance<'_>,
    scratch: &mut Scratch<K>,
    tops: Range<usize>,
    level: usize,
) -> Option<()> {
    let used = instance.geometry.crossing();
    for from in tops.clone().step_by(K::WIDTH) {
        if (instance.stop)() {
            return None;
        }
        let piece = from..tops.end.min(from + K::WIDTH);
        let weighting = scratch.tops.weighting(k, piece.clone());
        if weighting != scratch.weighting {
            scratch.settle(k);
            scratch.weighting = weighting;
        }
        let Scratch { tops: TopHalves { halves: tops, .. }, levels, kept, counters, work, .. } = scratch;
        scratch.piece.build(k, used, &tops.low[piece.clone()], &tops.high[piece.clone()]);
        work.pieces += 1;
        let ruled_out = scratch.piece.used_by_all(k, used);
        for (class, (counter, halves)) in counters.iter_mut().zip(&levels[level]).enumerate() {
            let counts = scratch.weighting.iter().any(|(_, weights)| weights[class] > 0);
            if !counts || halves.len == 0 {
                continue;
            }
            let left = if ruled_out == Mask::default() {
                halves
            } else {
                kept.keep(k, halves, ruled_out);
                &*kept
            };
            work.meetings += left.len as u64;
            work.comparisons += (left.len * piece.len()) as u64;
            scratch.piece.meet(k, used, left, counter);
        }
    }
    Some(())
}
