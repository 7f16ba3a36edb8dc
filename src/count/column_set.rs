//! Counts one column set: lists its top halves and bottom halves, and counts the pairs that fit together.
//! Column sets are independent; they share the quarter tables, which are read-only.

use std::ops::Range;
use std::time::Duration;

use fastrand::Rng;

use super::geometry::{Geometry, Mask};
use super::halves::{self, BottomHalves, Halves, Pairs, TopHalves, list_bottoms};
use super::isa::{Bits, Isa};
use super::keys::Sorter;
use super::memory;
use super::pieces::{Counter, Piece};
use super::placements::Subsets;
use super::quarters::{Entries, Quarters};
use super::symmetry::{ColumnSet, PairClass, Symmetry, Weights};

/// The data of a board that all column sets share.
pub struct Instance {
    geometry: Geometry,
    symmetry: Symmetry,
    subsets: Subsets,
    tables: Tables,
    tuning: Tuning,
}

/// The quarter tables, or what is known without them.
enum Tables {
    Shared(Box<Quarters>),
    PerColumnSet(Entries),
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
    /// Whether two vectors are used as one, so that pieces are larger, where that is faster.
    pub wide: bool,
}

impl Tuning {
    /// The fastest setting for a board size; docs/COUNTING.md has the measurements.
    pub fn for_size(n: usize) -> Self {
        let keys = match n {
            ..=18 => 0,
            19 => 6,
            _ => 7,
        };
        Self { keys, branch: 32, shared_tables: memory::shared_tables(n), wide: n >= 20 }
    }
}

/// Counts some nodes of each column set's tree only, to estimate the solutions and the time of all.
///
/// A node is chosen with a probability in proportion to its top halves, and represents as many nodes as the inverse of
/// this probability says. Column sets without a tree are counted in full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thin {
    /// About one in this many top halves is compared; 1 for all of them.
    pub step: u32,
    /// Decides which ones.
    pub seed: u64,
}

/// The smallest board of which most column sets have a tree with more than one node, so that nodes can be left out.
const THINNEST: usize = 21;

impl Thin {
    /// All top halves.
    pub const NOT: Thin = Thin { step: 1, seed: 0 };

    /// Refuses to leave nodes out on boards whose column sets have but one.
    pub fn check(self, n: usize) -> Result<(), String> {
        if self.step == 1 || n >= THINNEST {
            return Ok(());
        }
        Err(format!(
            "--thin leaves out a part of each column set, and those of n = {n} are too small for that: choose n = \
             {THINNEST} or more, or leave out --thin"
        ))
    }

    fn random(self, set: ColumnSet) -> Rng {
        let set = u64::from(set.left) << 32 | u64::from(set.right);
        Rng::with_seed(self.seed ^ Rng::with_seed(set).u64(..))
    }
}

/// The CPU time of the calling thread; `None` if the system does not report it.
pub type Clock = fn() -> Option<Duration>;

/// A counted column set, or what its chosen nodes represent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// Number of solutions, including images under symmetry.
    pub solutions: u64,
    /// CPU time, if there is a clock.
    pub cpu: Option<Duration>,
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
}

impl Work {
    /// Adds the work of another count.
    pub fn add(&mut self, other: &Work) {
        self.column_sets += other.column_sets;
        self.top_halves += other.top_halves;
        self.bottom_halves += other.bottom_halves;
        self.pieces += other.pieces;
        self.meetings += other.meetings;
        self.comparisons += other.comparisons;
    }
}

impl Instance {
    /// Builds the tables of an n by n board that column sets share.
    pub fn new(n: usize, tuning: Tuning) -> Self {
        let geometry = Geometry::new(n);
        let symmetry = Symmetry::new(&geometry);
        let subsets = Subsets::new(geometry.h);
        let tables = match tuning.shared_tables {
            true => Tables::Shared(Box::new(Quarters::new(&geometry, &subsets))),
            false => Tables::PerColumnSet(Entries::estimate(&geometry)),
        };
        Self { geometry, symmetry, subsets, tables, tuning }
    }

    /// How the board is counted.
    pub fn tuning(&self) -> Tuning {
        self.tuning
    }

    /// Bytes of the quarter tables that column sets share.
    pub fn table_bytes(&self) -> u64 {
        match &self.tables {
            Tables::Shared(quarters) => quarters.bytes() as u64,
            Tables::PerColumnSet(_) => 0,
        }
    }

    /// The pairs of halves of a column set before diagonals are compared: their number from shared tables, or an
    /// estimate.
    pub fn pairs(&self, set: ColumnSet) -> Pairs {
        let Self { geometry, symmetry, subsets, .. } = self;
        let (weigher, sets) = (symmetry.weigh(set), [set, symmetry.complement(set)]);
        let odd = geometry.odd();
        match &self.tables {
            Tables::Shared(quarters) => {
                let joined = halves::joined(quarters, subsets, sets);
                halves::pairs(odd, &weigher, subsets, sets, joined)
            }
            Tables::PerColumnSet(entries) => {
                halves::pairs(odd, &weigher, subsets, sets, entries.joined(subsets, sets))
            }
        }
    }
}

/// The share of a column set's bottom halves that remain for a small node, about. The size of a node is the number of its
/// top halves, times one plus the share that remains for it in this unit: its solutions grow mostly with its top halves,
/// its time with the pairs, and the estimates of both have small errors by a size between.
const USUAL_SHARE: f64 = 1.0 / 32.0;

/// The maximum number of levels of the tree.
const LEVELS: usize = 6;

/// A list of top halves to be counted, and the bottom halves that remain for it.
struct Node {
    tops: Range<usize>,
    level: usize,
    /// Keys of the parent, which all tops of the list use. Bottom halves of the level above that use one of
    /// them are removed.
    ruled_out: Mask,
    /// Number of nodes that this one represents; 1 unless nodes are left out.
    represents: f64,
}

/// Buffers of one thread: about a megabyte at n = 20, and somewhat more for each larger size.
pub struct Scratch<K: Isa> {
    tops: TopHalves,
    /// Bottom halves along one path of the tree of keys.
    levels: [BottomHalves; LEVELS],
    sorter: Sorter,
    nodes: Vec<Node>,
    piece: Piece,
    counters: [Counter<K>; PairClass::COUNT],
    /// Lanes and their weights, for everything counted since the counters were cleared.
    weighting: Vec<(Bits, Weights)>,
    kept: Halves,
    /// Solutions of the column set so far, without those in the counters.
    total: u128,
    /// Estimated solutions and seconds of the nodes that were left out.
    left_out: (f64, f64),
    thin: Thin,
    random: Rng,
    clock: Clock,
    /// The work of this thread.
    pub work: Work,
}

impl<K: Isa> Scratch<K> {
    /// Creates empty buffers.
    pub fn new(k: K, thin: Thin, clock: Clock) -> Self {
        Self {
            left_out: (0.0, 0.0),
            thin,
            random: Rng::with_seed(0),
            clock,
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

/// Number of solutions that a column set represents, including its images under symmetry, or an estimate if nodes are
/// left out; `None` beyond 2^64.
pub fn count<K: Isa>(k: K, instance: &Instance, scratch: &mut Scratch<K>, set: ColumnSet) -> Option<Counted> {
    let began = (scratch.clock)();
    let Instance { geometry, symmetry, subsets, .. } = instance;
    let own;
    let quarters = match &instance.tables {
        Tables::Shared(quarters) => quarters.as_ref(),
        Tables::PerColumnSet(_) => {
            own = Quarters::of_set(geometry, subsets, [set, symmetry.complement(set)]);
            &own
        }
    };
    k.vectorize(
        #[inline(always)]
        || {
            (scratch.total, scratch.left_out) = (0, (0.0, 0.0));
            join(k, instance, quarters, scratch, set);
            scratch.settle(k);
        },
    );
    let (solutions, seconds) = scratch.left_out;
    let solutions = u64::try_from(scratch.total + solutions.round() as u128).ok()?;
    let spent = began.zip((scratch.clock)()).map(|(began, now)| now.saturating_sub(began));
    Some(Counted { solutions, cpu: spent.map(|spent| spent + Duration::from_secs_f64(seconds)) })
}

/// Lists the halves of a column set and counts the pairs that fit.
#[inline(always)]
fn join<K: Isa>(k: K, instance: &Instance, quarters: &Quarters, scratch: &mut Scratch<K>, set: ColumnSet) {
    let Instance { geometry, symmetry, subsets, tuning, .. } = instance;
    scratch.work.column_sets += 1;
    let weigher = symmetry.weigh(set);
    scratch.tops.generate(k, geometry.odd(), &weigher, subsets, &quarters.top, set);
    let tops = scratch.tops.halves.len;
    scratch.work.top_halves += tops as u64;
    if tops == 0 {
        return;
    }
    let bottoms = &mut scratch.levels[0];
    list_bottoms(k, &weigher, subsets, &quarters.bottom, symmetry.complement(set), bottoms);
    scratch.work.bottom_halves += halves::count(bottoms) as u64;
    if tuning.keys == 0 || tops <= K::WIDTH {
        return meet_pieces(k, geometry.crossing(), scratch, 0..tops, 0);
    }
    scratch.tops.tag();
    scratch.nodes.clear();
    scratch.nodes.push(Node { tops: 0..tops, level: 0, ruled_out: Mask::default(), represents: 1.0 });
    scratch.random = scratch.thin.random(set);
    // Depth first: the lists above a node do not change until the node is done.
    while let Some(node) = scratch.nodes.pop() {
        let others = node.represents - 1.0;
        let began = if others > 0.0 { (scratch.clock)() } else { None };
        if others > 0.0 {
            scratch.settle(k);
        }
        let before = scratch.total;
        if let Some(above) = node.level.checked_sub(1) {
            let (parents, children) = scratch.levels.split_at_mut(node.level);
            for (left, halves) in children[0].iter_mut().zip(&parents[above]) {
                left.keep(k, halves, node.ruled_out);
            }
        }
        descend(k, instance, scratch, node);
        if others > 0.0 {
            scratch.settle(k);
            let spent = began
                .zip((scratch.clock)())
                .map_or(0.0, |(began, now)| now.saturating_sub(began).as_secs_f64());
            scratch.left_out.0 += others * (scratch.total - before) as f64;
            scratch.left_out.1 += others * spent;
        }
    }
}

/// Sorts the tops of a node by its own keys. Counts the tops piece by piece, or branches if there are many.
#[inline(always)]
fn descend<K: Isa>(k: K, instance: &Instance, scratch: &mut Scratch<K>, node: Node) {
    let Node { tops, level, represents, .. } = node;
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
        return meet_pieces(k, used, scratch, tops, level);
    }
    let thin = scratch.thin;
    let bottoms_of = |level: usize| halves::count(&scratch.levels[level]) as f64;
    let left = bottoms_of(level) / bottoms_of(0);
    let least = f64::from(thin.step) * (instance.tuning.branch * K::WIDTH) as f64;
    let mut points = Points { next: scratch.random.f64(), sum: 0.0 };
    let mut from = tops.start;
    for &(shared, end) in scratch.sorter.parts() {
        let part = from..tops.start + end;
        from = part.end;
        let size = part.len() as f64 * (1.0 + left * scratch.sorter.avoiding(shared) / USUAL_SHARE);
        let chosen = if thin.step == 1 { Some(1.0) } else { points.choose(size, least, represents) };
        if let Some(represents) = chosen {
            let ruled_out = keys.mask(shared);
            scratch.nodes.push(Node { tops: part, level: level + 1, ruled_out, represents });
        }
    }
}

/// Systematic sampling of the children of a node: the points u, u + 1, u + 2, .. lie on a line, on which each child has
/// an interval as long as its probability. A child is chosen if a point lies in its interval.
struct Points {
    /// The first point that has chosen no child.
    next: f64,
    /// The sum of the probabilities so far.
    sum: f64,
}

impl Points {
    /// The number of nodes that the next child represents, if it is chosen. A child of size `least` or more is chosen
    /// with its parent, a smaller one with a probability in proportion to its size.
    fn choose(&mut self, size: f64, least: f64, parent: f64) -> Option<f64> {
        let represents = (least / size).max(parent);
        self.sum += parent / represents;
        let chosen = self.next < self.sum;
        self.next += f64::from(u8::from(chosen));
        chosen.then_some(represents)
    }
}

/// Counts the bottom halves of a level against top halves, piece by piece.
#[inline(always)]
fn meet_pieces<K: Isa>(k: K, used: Mask, scratch: &mut Scratch<K>, tops: Range<usize>, level: usize) {
    for from in tops.clone().step_by(K::WIDTH) {
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_child_is_chosen_as_often_as_its_weight_says() {
        let sizes = [700.0, 20.0, 300.0, 1.0, 1000.0, 90.0, 3000.0, 5.0, 400.0];
        let whole: f64 = sizes.iter().sum();
        for least in [1.0, 90.0, 1000.0, 4000.0, 50_000.0] {
            let parent = (least / whole).max(1.0);
            let mut sums = [0.0; 9];
            let runs = 1 << 16;
            for run in 0..runs {
                let mut points = Points { next: f64::from(run) / f64::from(runs), sum: 0.0 };
                for (sum, size) in sums.iter_mut().zip(sizes) {
                    let chosen = points.choose(size, least, parent);
                    assert!(chosen.is_none_or(|represents| represents >= parent));
                    assert!(chosen.is_some() || size < least, "{size} of {least}");
                    *sum += chosen.unwrap_or(0.0);
                }
            }
            for (sum, size) in sums.iter().zip(sizes) {
                let mean = sum / f64::from(runs);
                // The mean is exact up to one run more or less.
                let error = (least / size).max(1.0) / f64::from(runs);
                assert!((mean - parent).abs() <= 2.0 * error, "{size} of {least}: {mean} for {parent}");
            }
        }
    }
}
