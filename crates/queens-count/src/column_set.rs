//! Counts one column set: lists its top halves and bottom halves, and counts the compatible pairs.
//! Column sets are independent; they share only the quarter tables, which are read-only.

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

/// The data that all column sets of a board share.
pub struct Instance<'a> {
    geometry: Geometry,
    subsets: Subsets,
    /// The quarter tables, unless each column set builds its own.
    quarters: Option<Quarters>,
    tuning: Tuning,
    stop: ShouldStop<'a>,
}

/// The parameters of the algorithm, which affect the time and the memory, but not the count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tuning {
    /// The number of key diagonals per node of the tree of keys, at most `keys::MAX_KEYS`; 0 means no tree.
    pub keys: usize,
    /// The maximum number of pieces of top halves in a leaf of the tree. A node with more pieces has children.
    pub max_leaf_pieces: usize,
    /// Whether all column sets share tables. Otherwise, each column set builds separate, much smaller tables.
    pub shared_tables: bool,
    /// Whether masks have one word, which requires a board up to [`Geometry::MAX_ONE_WORD_SIZE`] and no keys. With masks of two words,
    /// kernels with vectors of 8 lanes use two vectors as one vector.
    pub one_word: bool,
}

impl Tuning {
    /// The fastest parameters for a board size; NOTES.md has the measurements.
    pub fn for_size(n: usize) -> Self {
        let keys = match n {
            ..=18 => 0,
            19 => 6,
            _ => 7,
        };
        let one_word = n <= Geometry::MAX_ONE_WORD_SIZE;
        Self { keys, max_leaf_pieces: 32, shared_tables: memory::shared_tables(n), one_word }
    }
}

/// The statistics of a count. None of these numbers is a number of search nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// The number of column sets counted.
    pub column_sets: u64,
    /// The number of top halves listed.
    pub top_halves: u64,
    /// The number of bottom halves listed.
    pub bottom_halves: u64,
    /// The number of pieces: batches of up to `Isa::WIDTH` top halves.
    pub pieces: u64,
    /// The number of comparisons of a bottom half with a piece.
    pub meetings: u64,
    /// The number of pairs of a bottom half and a top half that were compared: up to `Isa::WIDTH` per meeting.
    pub comparisons: u64,
    /// The size of the shared tables, in bytes.
    pub table_bytes: u64,
}

impl Work {
    /// Adds the statistics of another thread. Threads share the tables, so `table_bytes` is not added.
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
    /// Builds the shared tables of an n by n board; `None` if `stop` returned true.
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

    /// The size of the shared quarter tables, in bytes; 0 if there are none.
    pub fn table_bytes(&self) -> u64 {
        self.quarters.as_ref().map_or(0, |quarters| quarters.bytes() as u64)
    }
}

/// The maximum number of levels of the tree of keys.
const MAX_LEVELS: usize = 6;

/// A node of the tree of keys: a range of the list of top halves. The bottom halves that may be compatible with these top halves
/// are in [`Scratch::levels`].
struct TreeNode {
    tops: Range<usize>,
    level: usize,
    /// The keys of the parent that all top halves of this node use. The list of bottom halves for this node contains no half that
    /// uses one of these keys.
    shared_keys: Mask,
}

/// The buffers of one thread: about 1 MB at n = 20, and more for larger boards.
pub struct Scratch<K: Isa> {
    tops: TopHalves,
    /// The bottom halves of each level along the current path of the tree of keys.
    levels: [BottomHalves; MAX_LEVELS],
    sorter: Sorter,
    nodes: Vec<TreeNode>,
    piece: Piece,
    counters: [Counter<K>; PairClass::COUNT],
    /// For each weight, the line of the top halves with this weight. All pairs in the counters have these weights.
    weighting: Vec<(Bits, Weights)>,
    /// The bottom halves that may be compatible with the current piece.
    candidates: Halves,
    /// The number of solutions of the column set so far, without the counters.
    total: u128,
    /// The statistics of this thread.
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
            candidates: Halves::default(),
            total: 0,
            work: Work::default(),
        }
    }

    /// Adds the weighted sum of the counters to the total, and clears the counters.
    #[inline(always)]
    fn flush_counters(&mut self, k: K) {
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

/// The number of solutions that a column set represents, including its images under symmetry; `None` if `stop` returned true.
pub fn count<K: Isa>(
    k: K,
    instance: &Instance<'_>,
    scratch: &mut Scratch<K>,
    set: ColumnSet,
) -> Option<u128> {
    let Instance { geometry, subsets, stop, .. } = instance;
    let separate_tables;
    let quarters = match &instance.quarters {
        Some(shared) => shared,
        None => {
            separate_tables =
                Quarters::for_column_set(geometry, subsets, [set, geometry.complement(set)], *stop)?;
            &separate_tables
        }
    };
    k.vectorize(
        #[inline(always)]
        || {
            scratch.total = 0;
            let completion = join(k, instance, quarters, scratch, set);
            scratch.flush_counters(k);
            completion.map(|()| scratch.total)
        },
    )
}

/// Lists the halves of a column set and counts the compatible pairs; `None` if `stop` returned true.
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
    let (weigher, bottom_set) = (geometry.weigh(set), geometry.complement(set));
    let sides = Side::left_and_right(&quarters.top, subsets, set);
    scratch.tops.list(k, &weigher, subsets.same_size_sets(set.left), sides);
    let tops = scratch.tops.halves.len;
    scratch.work.top_halves += tops as u64;
    if tops == 0 {
        return Some(());
    }
    let sides = Side::left_and_right(&quarters.bottom, subsets, bottom_set);
    list_bottoms(k, &weigher, subsets.same_size_sets(bottom_set.left), sides, &mut scratch.levels[0]);
    scratch.work.bottom_halves += halves::count(&scratch.levels[0]) as u64;
    if tuning.keys == 0 || tops <= K::WIDTH {
        return meet_pieces(k, instance, scratch, 0..tops, 0);
    }
    scratch.tops.write_tags();
    scratch.nodes.clear();
    scratch.nodes.push(TreeNode { tops: 0..tops, level: 0, shared_keys: Mask::default() });
    // The nodes are visited depth first, so the lists of a node's ancestors do not change before the node is finished.
    while let Some(node) = scratch.nodes.pop() {
        if let Some(parent_level) = node.level.checked_sub(1) {
            let (upper_levels, lower_levels) = scratch.levels.split_at_mut(node.level);
            for (bottoms, parent_bottoms) in lower_levels[0].iter_mut().zip(&upper_levels[parent_level]) {
                bottoms.filter_from(k, parent_bottoms, node.shared_keys);
            }
        }
        visit_node(k, instance, scratch, node)?;
    }
    Some(())
}

/// Chooses keys for a node, and sorts its top halves into parts with common keys. In a leaf, compares each part with the bottom halves;
/// otherwise, each part becomes a child. `None` if `stop` returned true.
#[inline(always)]
fn visit_node<K: Isa>(k: K, instance: &Instance<'_>, scratch: &mut Scratch<K>, node: TreeNode) -> Option<()> {
    let TreeNode { tops, level, .. } = node;
    let max_leaf_pieces = instance.tuning.max_leaf_pieces;
    let is_leaf = tops.len() <= max_leaf_pieces * K::WIDTH || level + 1 >= MAX_LEVELS;
    // Filtering the bottom halves for a child is worthwhile only if the child has at least a quarter of a leaf's maximum size.
    let min_part = if is_leaf { K::WIDTH } else { max_leaf_pieces.div_ceil(4) * K::WIDTH };
    let max_part = if is_leaf { K::WIDTH } else { tops.len() };
    let halves = &mut scratch.tops.halves;
    let (low, high) = (&mut halves.low[tops.clone()], &mut halves.high[tops.clone()]);
    let bottoms = &scratch.levels[level];
    let crossing = instance.geometry.all_crossing();
    let part_sizes = min_part..=max_part;
    let keys = scratch.sorter.sort(k, crossing, instance.tuning.keys, bottoms, part_sizes, low, high);
    if is_leaf {
        return meet_pieces(k, instance, scratch, tops, level);
    }
    let mut start = tops.start;
    for &(shared_set, end) in &scratch.sorter.parts {
        let part = start..tops.start + end;
        start = part.end;
        scratch.nodes.push(TreeNode { tops: part, level: level + 1, shared_keys: keys.mask(shared_set) });
    }
    Some(())
}

/// Counts the compatible pairs of the bottom halves of a level and these top halves, piece by piece. `None` if `stop` returned true.
#[inline(always)]
fn meet_pieces<K: Isa>(
    k: K,
    instance: &Instance<'_>,
    scratch: &mut Scratch<K>,
    tops: Range<usize>,
    level: usize,
) -> Option<()> {
    let crossing = instance.geometry.all_crossing();
    for start in tops.clone().step_by(K::WIDTH) {
        if (instance.stop)() {
            return None;
        }
        let piece = start..tops.end.min(start + K::WIDTH);
        let weighting = scratch.tops.weighting(k, piece.clone());
        if weighting != scratch.weighting {
            scratch.flush_counters(k);
            scratch.weighting = weighting;
        }
        let Scratch { tops: TopHalves { halves: tops, .. }, levels, candidates, counters, work, .. } =
            scratch;
        scratch.piece.build(k, crossing, &tops.low[piece.clone()], &tops.high[piece.clone()]);
        work.pieces += 1;
        let shared_diagonals = scratch.piece.used_by_all(k, crossing);
        for (class, (counter, halves)) in counters.iter_mut().zip(&levels[level]).enumerate() {
            let has_weight = scratch.weighting.iter().any(|(_, weights)| weights[class] > 0);
            if !has_weight || halves.len == 0 {
                continue;
            }
            let bottoms = if shared_diagonals == Mask::default() {
                halves
            } else {
                candidates.filter_from(k, halves, shared_diagonals);
                &*candidates
            };
            work.meetings += bottoms.len as u64;
            work.comparisons += (bottoms.len * piece.len()) as u64;
            scratch.piece.meet(k, crossing, bottoms, counter);
        }
    }
    Some(())
}
