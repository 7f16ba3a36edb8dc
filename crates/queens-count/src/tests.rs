//! Compares every kernel with published counts and with the portable kernel, lists of halves with single comparisons, and the sums of
//! shards and of resumed counts with whole counts.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};

use fastrand::Rng;

use super::column_set::{self, Instance, Scratch, Tuning};
use super::geometry::{Corner, Diagonals, Geometry, Mask, MaskTable};
use super::halves::{BottomHalves, Halves};
use super::isa::{Isa, MAX_LANES, lanes};
use super::kernel::dispatch;
use super::keys::Sorter;
use super::one_word::OneWord;
use super::pieces::{Counter, Piece};
use super::placements::Subsets;
use super::portable::Portable;
use super::symmetry::column_sets;
use super::{CountError, Counted, Job, JobError, Kernel, Shard, count, memory};
use queens_board::published;

const TWO_THREADS: NonZeroUsize = NonZeroUsize::MIN.saturating_add(1);

fn kernels() -> impl Iterator<Item = Kernel> {
    Kernel::ALL.into_iter().filter(|kernel| kernel.detect().is_ok())
}

fn counted(job: &Job) -> Counted {
    let counted = count(job, None, &|| false, &mut |_| {}).expect("it counts");
    assert!(counted.checkpoint.is_complete());
    counted
}

fn solutions(job: &Job) -> u64 {
    counted(job).checkpoint.solutions
}

fn published(n: usize) -> u64 {
    published::solutions(n).expect("published")
}

fn tuning(keys: usize, branch: usize) -> Tuning {
    Tuning { keys, branch, shared_tables: true, one_word: false }
}

/// The number of solutions and the number of comparisons of every column set.
fn sets(kernel: Kernel, n: usize, tuning: Tuning) -> Vec<(u128, u64)> {
    fn each<K: Isa>(k: K, instance: &Instance<'_>, n: usize) -> Vec<(u128, u64)> {
        let mut scratch = Scratch::new(k);
        let mut before = 0;
        let count = |set| {
            let solutions = column_set::count(k, instance, &mut scratch, set).expect("not stopped");
            let comparisons = scratch.work.comparisons - before;
            before = scratch.work.comparisons;
            (solutions, comparisons)
        };
        column_sets(n).into_iter().map(count).collect()
    }
    let instance = Instance::new(n, tuning, &|| false).expect("not stopped");
    let one_word = tuning.one_word;
    dispatch!(kernel, k => if one_word { each(OneWord(k), &instance, n) } else { each(k.wide(), &instance, n) })
        .expect("this machine has it")
}

fn sum(sets: &[(u128, u64)]) -> u128 {
    sets.iter().map(|(solutions, _)| solutions).sum()
}

#[test]
fn kernels_match_published_counts_up_to_n_14() {
    for kernel in kernels() {
        for n in 0..=14 {
            assert_eq!(solutions(&Job { kernel, ..Job::new(n) }), published(n), "{kernel:?} n = {n}");
        }
    }
}

#[test]
fn meet_in_the_middle_counts_agree_from_10() {
    for kernel in kernels() {
        for n in 10..=14 {
            meets_in_the_middle(kernel, n);
        }
    }
}

fn meets_in_the_middle(kernel: Kernel, n: usize) {
    let one_word = Tuning { one_word: true, ..tuning(0, 32) };
    for tuning in [one_word, tuning(0, 32), tuning(7, 32), tuning(3, 1), tuning(12, 2)] {
        assert_eq!(sum(&sets(kernel, n, tuning)), published(n).into(), "{kernel:?} n = {n} {tuning:?}");
    }
}

#[test]
#[ignore = "long: three kernels on 15 to 18 queens"]
fn every_kernel_finds_published_counts_15_to_18() {
    for kernel in kernels() {
        meets_in_the_middle(kernel, 15);
        meets_in_the_middle(kernel, 16);
        for n in [17, 18] {
            let job = Job { kernel, threads: TWO_THREADS, ..Job::new(n) };
            assert_eq!(solutions(&job), published(n), "{kernel:?} n = {n}");
        }
    }
    assert_eq!(sum(&sets(Kernel::best(), 17, tuning(8, 4))), published(17).into());
}

/// n = 20 is the smallest board whose low diagonals are in both words. It uses the default keys.
#[test]
#[ignore = "long: 39 billion solutions"]
fn fastest_kernel_finds_published_count_of_20() {
    if Kernel::best() != Kernel::Portable {
        assert_eq!(solutions(&Job { threads: TWO_THREADS, ..Job::new(20) }), published(20));
    }
}

/// This includes separate tables per column set, as for n >= 24.
#[test]
fn column_sets_count_the_same_in_every_kernel() {
    let solutions = |kernel, n, tuning| -> Vec<u128> {
        sets(kernel, n, tuning).into_iter().map(|(solutions, _)| solutions).collect()
    };
    for n in [13, 14] {
        let oracle = solutions(Kernel::Portable, n, tuning(0, 32));
        for kernel in kernels() {
            for tuning in [tuning(10, 1), Tuning { one_word: true, ..tuning(0, 32) }] {
                assert_eq!(solutions(kernel, n, tuning), oracle, "{kernel:?} n = {n} {tuning:?}");
            }
        }
        let separate_tables = Tuning { shared_tables: false, ..tuning(0, 32) };
        assert_eq!(solutions(Kernel::best(), n, separate_tables), oracle, "n = {n}");
    }
}

#[test]
fn shards_contain_each_subproblem_exactly_once() {
    for (n, of) in [(13, 1), (13, 7), (14, 10), (14, 1716)] {
        let shards = (1..=of).map(|number| -> Shard { format!("{number}/{of}").parse().expect("a shard") });
        let mut subproblems: Vec<usize> = shards.clone().flat_map(|shard| shard.of_all(1716)).collect();
        subproblems.sort_unstable();
        assert!(subproblems.into_iter().eq(0..1716), "{of}");
        if of < 100 {
            let sum: u64 = shards.map(|shard| solutions(&Job { shard, ..Job::new(n) })).sum();
            assert_eq!(sum, published(n), "n = {n}");
        }
    }
}

#[test]
fn two_threads_count_the_published_number() {
    for n in [11, 14, 15, 16] {
        assert_eq!(solutions(&Job { threads: TWO_THREADS, ..Job::new(n) }), published(n));
    }
}

/// Counts until `stop` has been called `call_limit` times. Returns the result and the number of calls.
fn stopped_after(call_limit: usize, job: &Job) -> (Counted, usize) {
    let calls = AtomicUsize::new(0);
    let stop = || calls.fetch_add(1, Ordering::Relaxed) + 1 >= call_limit;
    let counted = count(job, None, &stop, &mut |_| {}).expect("it stops");
    (counted, calls.into_inner())
}

/// The tables for n = 22 and a column set of n = 25 take seconds, but `stop` must be called often in every phase.
#[test]
fn count_ends_promptly_when_stopped_anywhere() {
    // The placements of a quarter, and then its arrangement.
    for (n, call_limit) in [(22, 1), (22, 2), (22, 30), (18, 300), (19, 600)] {
        let (counted, calls) = stopped_after(call_limit, &Job::new(n));
        assert_eq!((counted.checkpoint.finished, counted.work.column_sets), (0, 0), "n = {n}");
        assert!(
            (call_limit..call_limit + 4).contains(&calls),
            "n = {n}: asked {calls} times instead of {call_limit}"
        );
    }
    ends_in_a_column_set(24, "676270/1352540", 1500);
}

#[test]
#[ignore = "long: a column set of 25 queens"]
fn count_of_25_queens_stops_within_column_set() {
    ends_in_a_column_set(25, "1352078/2704156", 4400);
}

/// The shard is a column set in the middle of the list, which is large.
fn ends_in_a_column_set(n: usize, shard: &str, call_limit: usize) {
    let job = Job { shard: shard.parse().expect("a shard"), ..Job::new(n) };
    let (counted, calls) = stopped_after(20, &job);
    assert_eq!((counted.work.column_sets, calls), (0, 20), "n = {n}: its tables ask");
    let (counted, calls) = stopped_after(call_limit, &job);
    let (finished, work) = (counted.checkpoint.finished, counted.work);
    assert_eq!((finished, work.column_sets, calls), (0, 1, call_limit), "n = {n}");
    // There is at most one piece between two calls of `stop`.
    assert!((100..call_limit as u64).contains(&work.pieces), "n = {n}: {work:?}");
}

#[test]
fn resumed_count_repeats_no_subproblem() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("c");
    let finished = AtomicUsize::new(0);
    let stop = || finished.load(Ordering::Relaxed) >= 100;
    let first = count(&Job::new(14), Some(&file), &stop, &mut |progress| {
        finished.store(progress.checkpoint.finished, Ordering::Relaxed);
    });
    let first = first.expect("it stops").checkpoint;
    assert_eq!((first.finished, first.done.iter().filter(|done| **done).count()), (100, 100));
    let mut reports = Vec::new();
    let second =
        count(&Job { threads: TWO_THREADS, ..Job::new(14) }, Some(&file), &|| false, &mut |progress| {
            reports.push((progress.checkpoint.finished, progress.checkpoint.solutions));
        });
    let second = second.expect("it resumes");
    assert_eq!((second.earlier, second.work.column_sets), (100, 1616));
    assert_eq!((reports[0], reports.len()), ((100, first.solutions), 1617));
    assert_eq!((second.checkpoint.finished, second.checkpoint.solutions), (1716, published(14)));
    assert!(second.checkpoint.wall > first.wall);
    let third = count(&Job::new(14), Some(&file), &|| true, &mut |_| {}).expect("nothing is left");
    assert_eq!((third.earlier, third.checkpoint.solutions), (1716, published(14)));
}

/// The expected numbers are the table in docs/COUNTING.md.
#[test]
fn column_set_pairs_have_the_documented_weights() {
    for n in [10, 12, 14] {
        let geometry = Geometry::new(n);
        let subsets = Subsets::new(geometry.h);
        let tops = column_sets(n).into_iter().flat_map(|set| {
            let weigher = geometry.weigh(set);
            weigher.tops(subsets.like(set.left)).map(|(_, weights)| weights).collect::<Vec<_>>()
        });
        let most = tops.reduce(|most, weights| std::array::from_fn(|class| most[class].max(weights[class])));
        let inner_edge_falling_rising_both = [8, 4, 8, 8, 8];
        assert_eq!(most, Some(inner_edge_falling_rising_both), "n = {n}");
    }
}

#[test]
fn impossible_jobs_are_refused_with_a_reason() {
    let (shard, threads) = ("3/64".parse().expect("a shard"), NonZeroUsize::MIN);
    let (needed, available) = (memory::peak_bytes(20, threads), 100 << 20);
    for (key, job, error) in [
        ("a board that is too large", Job::new(29), JobError::TooLarge(29)),
        ("too many shards", Job { shard, ..Job::new(8) }, JobError::Shards { n: 8, most: 1 }),
        (
            "too little memory",
            Job { memory: Some(available), ..Job::new(20) },
            JobError::Memory { n: 20, threads, needed, available },
        ),
    ] {
        wording::assert_wording!("job", key, error);
        let refused = count(&job, None, &|| false, &mut |_| {}).expect_err(key);
        assert_eq!(refused, CountError::Job(error));
    }
    let (n, threads) = (26, NonZeroUsize::new(4).expect("not 0"));
    let error = JobError::Memory { n, threads, needed: memory::peak_bytes(n, threads), available };
    wording::assert_wording!("job", "too little memory for several threads", error);
}

/// Progress is estimated from the costs of column sets. Kernels with wider vectors have larger pieces, and skip fewer comparisons.
#[test]
fn estimated_costs_are_proportional_to_actual_comparisons() {
    for (kernel, n) in
        [Kernel::Portable, Kernel::best()].into_iter().flat_map(|k| (13..=16).map(move |n| (k, n)))
    {
        let counted_sets = column_sets(n).into_iter().zip(sets(kernel, n, Tuning::for_size(n)));
        let costs: Vec<[f64; 2]> =
            counted_sets.map(|(set, (_, comparisons))| [set.cost(), comparisons as f64]).collect();
        let add = |sums: [f64; 2], set: &[f64; 2]| [sums[0] + set[0], sums[1] + set[1]];
        let all = costs.iter().fold([0.0; 2], add);
        let mut sums = [0.0; 2];
        for set in &costs {
            sums = add(sums, set);
            let [cost, comparisons] = [0, 1].map(|of| sums[of] / all[of]);
            assert!((cost - comparisons).abs() < 0.1, "{kernel:?} n = {n}: {cost} for {comparisons}");
        }
        // The first column sets have few queens on one side, and take less time than the average.
        let tenth = costs.iter().take(costs.len() / 10).fold([0.0; 2], add);
        let [cost, comparisons] = [0, 1].map(|of| tenth[of] / all[of]);
        assert!(
            (cost - comparisons).abs() < (0.1 - comparisons).abs(),
            "{kernel:?} n = {n}: {cost} for {comparisons}"
        );
    }
}

/// Compares the operations of a kernel with scalar code, on random inputs.
fn check_operations<K: Isa>(k: K) {
    let mut random = fastrand::Rng::with_seed(1);
    for _ in 0..2_000 {
        // Words with few bits, so that some lanes are disjoint.
        let mut sparse = || random.u32(..) & random.u32(..) & random.u32(..);
        let (a, b): (Vec<u32>, Vec<u32>) = (0..K::LANES).map(|_| (sparse(), sparse())).unzip();
        let (va, vb) = (k.load(&a), k.load(&b));
        let stored = |v| {
            let mut out = vec![0; K::LANES];
            k.store(v, &mut out);
            out
        };
        let each = |f: fn(u32, u32) -> u32| a.iter().zip(&b).map(|(&a, &b)| f(a, b)).collect::<Vec<u32>>();
        let mask = |f: fn(u32, u32) -> bool| {
            a.iter().zip(&b).enumerate().map(|(lane, (&a, &b))| u32::from(f(a, b)) << lane).sum::<u32>()
        };
        assert_eq!(stored(k.and(va, vb)), each(|a, b| a & b));
        assert_eq!(stored(k.and_not(va, vb)), each(|a, b| a & !b));
        assert_eq!(stored(k.or(va, vb)), each(|a, b| a | b));
        assert_eq!(stored(k.xor(va, vb)), each(|a, b| a ^ b));
        assert_eq!(stored(k.shl(va, 7)), each(|a, _| a << 7));
        assert_eq!(stored(k.shr(va, 9)), each(|a, _| a >> 9));
        assert_eq!(k.zero_lanes(k.and(va, vb)), mask(|a, b| a & b == 0));
        let few = random.usize(..K::LANES);
        let mut padded = a[..few].to_vec();
        padded.resize(K::LANES, 0);
        assert_eq!(stored(k.load(&a[..few])), padded);
        let chosen = random.u32(..) & ((1 << K::LANES) - 1);
        let expected: Vec<u32> =
            (0..K::LANES).filter(|lane| chosen >> lane & 1 == 1).map(|lane| a[lane]).collect();
        let mut packed = vec![0; K::LANES];
        k.compress_store(chosen, va, &mut packed);
        assert_eq!(packed[..expected.len()], expected);
        let one_bit = std::array::from_fn::<u32, MAX_LANES, _>(|lane| {
            if lane == few { 1 << (random.u32(..) % 32) } else { 0 }
        });
        assert!(!k.is_zero(k.load(&one_bit)) && k.is_zero(k.splat(0)));
        let third: Vec<u32> = (0..K::LANES).map(|_| random.u32(..)).collect();
        let (carry, sum) = k.full_add(va, vb, k.load(&third));
        let three = |lane: usize| (a[lane], b[lane], third[lane]);
        let lanes = |f: fn((u32, u32, u32)) -> u32| (0..K::LANES).map(three).map(f).collect::<Vec<u32>>();
        assert_eq!(stored(sum), lanes(|(a, b, c)| a ^ b ^ c));
        assert_eq!(stored(carry), lanes(|(a, b, c)| a & b | a & c | b & c));
        let (carry, sum) = k.half_add(va, vb);
        assert_eq!((stored(sum), stored(carry)), (each(|a, b| a ^ b), each(|a, b| a & b)));
    }
}

/// Random halves, each of which uses about a quarter of the diagonals in `used`.
fn random_halves(random: &mut fastrand::Rng, len: usize, used: Mask) -> Halves {
    let mut sparse = |used: u32| {
        let mut words: Vec<u32> = (0..len).map(|_| random.u32(..) & random.u32(..) & used).collect();
        words.resize(len + MAX_LANES, !0);
        words
    };
    Halves { low: sparse(used.low), high: sparse(used.high), len }
}

fn masks(halves: &Halves) -> Vec<Mask> {
    (0..halves.len).map(|i| Mask { low: halves.low[i], high: halves.high[i] }).collect()
}

/// The geometries of all board sizes, with masks of two words and, if possible, of one word.
fn geometries() -> impl Iterator<Item = Geometry> {
    let one_word = (*Geometry::SIZES.start()..=Geometry::ONE_WORD).map(|n| Geometry::new(n).in_one_word());
    Geometry::SIZES.map(Geometry::new).chain(one_word)
}

/// Compares a piece, the filter and the sorter of a kernel with scalar code, on random halves.
fn check_lists<K: Isa>(k: K, random: &mut fastrand::Rng, geometry: Geometry) {
    let used = geometry.crossing();
    for len in [7, 333, K::WIDTH] {
        let tops = random_halves(random, len.min(K::WIDTH), used);
        let bottoms = random_halves(random, 1003, used);
        let avoids = |mask: Mask, other: Mask| mask.low & other.low == 0 && mask.high & other.high == 0;
        let mut piece = Piece::default();
        piece.build(k, used, &tops.low[..tops.len], &tops.high[..tops.len]);
        let all = masks(&tops)
            .into_iter()
            .reduce(|all, top| Mask { low: all.low & top.low, high: all.high & top.high });
        assert_eq!(Some(piece.used_by_all(k, used)), all);

        let mut counter = Counter::new(k);
        piece.meet(k, used, &bottoms, &mut counter);
        for (i, top) in masks(&tops).into_iter().enumerate() {
            let expected = masks(&bottoms).into_iter().filter(|&bottom| avoids(bottom, top)).count() as u64;
            assert_eq!(counter.sum(k, &lanes::<K>(i..i + 1)), expected, "{geometry:?}: top {i} of {len}");
        }

        let ruled_out = Mask { low: used.low & 0x0101, high: used.high & 0x0201 };
        let mut kept = Halves::default();
        kept.keep(k, &bottoms, ruled_out);
        let mut expected = masks(&bottoms);
        expected.retain(|&bottom| avoids(bottom, ruled_out));
        assert_eq!(masks(&kept), expected, "{geometry:?}");

        if !geometry.one_word {
            check_sorter(k, used, random, bottoms);
        }
    }
}

/// Checks that the parts of a sorted list contain all of its top halves, and that each top half uses the keys of its part.
fn check_sorter<K: Isa>(k: K, used: Mask, random: &mut fastrand::Rng, bottoms: Halves) {
    let mut classes = BottomHalves::default();
    classes[0] = bottoms;
    let mut sorter = Sorter::default();
    for (len, least, most) in [(1, 10, 10), (2000, 300, 300), (2000, 100, 2000), (999, 1, 7)] {
        let mut tops = random_halves(random, len, used);
        let together = |tops: &Halves| {
            let mut all: Vec<(u32, u32)> = masks(tops).iter().map(|top| (top.low, top.high)).collect();
            all.sort_unstable();
            all
        };
        let before = together(&tops);
        let (low, high) = (&mut tops.low[..len], &mut tops.high[..len]);
        let keys = sorter.sort(k, used, 6, &classes, least..=most, low, high);
        assert_eq!(together(&tops), before);
        let sorted = masks(&tops);
        let mut from = 0;
        for &(shared, to) in &sorter.parts {
            assert!((least..=most).contains(&(to - from)) || to == len, "{from}..{to} of {len}");
            let mask = keys.mask(shared);
            let uses = |top: &Mask| top.low & mask.low == mask.low && top.high & mask.high == mask.high;
            assert!(sorted[from..to].iter().all(uses), "{from}..{to} of {len}");
            from = to;
        }
        assert_eq!(from, len);
    }
}

#[test]
fn kernel_pieces_filters_and_sorters_match_scalar_code() {
    let mut random = fastrand::Rng::with_seed(2);
    for (kernel, geometry) in kernels().flat_map(|kernel| geometries().map(move |of| (kernel, of))) {
        dispatch!(kernel, k => match geometry.one_word {
            true => check_lists(OneWord(k), &mut random, geometry),
            false => check_lists(k.wide(), &mut random, geometry),
        })
        .expect("this machine has it");
    }
}

#[test]
fn operations_of_every_kernel_match_on_random_inputs() {
    for kernel in kernels() {
        dispatch!(kernel, k => [check_operations(OneWord(k)), check_operations(k.wide())])
            .expect("this machine has it");
    }
}

#[test]
fn new_counter_is_zero_and_sets_requested_lanes() {
    assert_eq!(Counter::new(Portable).sum(Portable, &[!0; MAX_LANES]), 0);
    let start = |words: &[u32]| std::array::from_fn(|lane| words.get(lane).copied().unwrap_or(0));
    // With eight lanes, top halves 0, 8, 16, ... are bits 0, 1, 2, ... of the first lane.
    assert_eq!(lanes::<Portable>(0..3), start(&[1, 1, 1]));
    assert_eq!(lanes::<Portable>(7..10), start(&[2, 2, 0, 0, 0, 0, 0, 1]));
    assert_eq!(lanes::<Portable>(256..256), start(&[]));
    assert_eq!(lanes::<Portable>(0..256), start(&[!0; 8]));
}

#[test]
fn byte_tables_combine_masks_of_several_diagonals() {
    let mut random = Rng::with_seed(0);
    for geometry in geometries() {
        for corner in [Corner::TopLeft, Corner::TopRight, Corner::BottomLeft, Corner::BottomRight] {
            let fields = geometry.fields(corner);
            let masks = MaskTable::new(&fields);
            for _ in 0..200 {
                let mut some = || random.u32(..) & random.u32(..) & ((2 << (2 * geometry.h)) - 1);
                let diagonals = Diagonals { rising: some(), falling: some() };
                assert_eq!(
                    masks.mask(diagonals),
                    fields.mask(diagonals),
                    "{geometry:?}: {corner:?}, {diagonals:?}"
                );
            }
        }
    }
}

#[test]
fn diagonal_masks_intersect_iff_queens_attack() {
    for geometry in geometries() {
        let squares = |corner| {
            let squares = (0..geometry.h * geometry.h).map(move |i| (i / geometry.h, i % geometry.h));
            let masks = MaskTable::new(&geometry.fields(corner));
            squares.map(move |(row, column)| {
                let (down, across) = geometry.corner(corner);
                (row + down, column + across, masks.mask(geometry.diagonals(row, column)))
            })
        };
        let crossing = geometry.crossing();
        for (r, c, below) in squares(Corner::BottomLeft).chain(squares(Corner::BottomRight)) {
            for (row, column, above) in squares(Corner::TopLeft).chain(squares(Corner::TopRight)) {
                let (n, odd) = (geometry.n, geometry.odd());
                let rising = row + column == r + c && (odd || r + c != n - 1);
                let falling = row + c == r + column && (odd || r != c);
                let met = below.high & above.high & crossing.high | below.low & above.low & crossing.low;
                assert_eq!(met != 0, rising || falling, "n = {n}: {row} {column}, {r} {c}");
            }
        }
    }
}
