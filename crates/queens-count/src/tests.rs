//! Compares every kernel with published counts, with the portable kernel and with scalar code, and the counts of shards and resumed jobs
//! with published counts.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};

use fastrand::Rng;

use super::column_set::{self, Instance, Scratch, Tuning};
use super::geometry::{Corner, Diagonals, Geometry, Mask, MaskTable};
use super::halves::{BottomHalves, Halves};
use super::isa::{Isa, MAX_LANES, line_of_range};
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

fn solutions(job: &Job) -> u64 {
    let counted = count(job, None, &|| false, &mut |_| {}).expect("it counts");
    assert!(counted.checkpoint.is_complete());
    counted.checkpoint.solutions
}

fn published_count(n: usize) -> u64 {
    published::solutions(n).expect("published")
}

fn tuning(keys: usize, max_leaf_pieces: usize) -> Tuning {
    Tuning { keys, max_leaf_pieces, shared_tables: true, one_word: false }
}

/// The number of solutions and the number of comparisons of every column set.
fn count_column_sets(kernel: Kernel, n: usize, tuning: Tuning) -> Vec<(u128, u64)> {
    fn count_each<K: Isa>(k: K, instance: &Instance<'_>, n: usize) -> Vec<(u128, u64)> {
        let mut scratch = Scratch::new(k);
        let mut earlier_comparisons = 0;
        let count = |set| {
            let solutions = column_set::count(k, instance, &mut scratch, set).expect("not stopped");
            let comparisons = scratch.work.comparisons - earlier_comparisons;
            earlier_comparisons = scratch.work.comparisons;
            (solutions, comparisons)
        };
        column_sets(n).into_iter().map(count).collect()
    }
    let instance = Instance::new(n, tuning, &|| false).expect("not stopped");
    dispatch!(kernel, k => match tuning.one_word {
        true => count_each(OneWord(k), &instance, n),
        false => count_each(k.wide(), &instance, n),
    })
    .expect("this machine supports the kernel")
}

fn sum_of_solutions(column_sets: &[(u128, u64)]) -> u128 {
    column_sets.iter().map(|(solutions, _)| solutions).sum()
}

#[test]
fn kernels_match_published_counts_up_to_14() {
    for kernel in kernels() {
        for n in 0..=14 {
            assert_eq!(solutions(&Job { kernel, ..Job::new(n) }), published_count(n), "{kernel:?} n = {n}");
        }
    }
}

#[test]
fn meet_in_the_middle_matches_published_counts() {
    for kernel in kernels() {
        for n in 10..=14 {
            check_tunings(kernel, n);
        }
    }
}

/// Compares the count of a board with the published count for several parameters, including boards that a [`Job`] counts by bit masks.
fn check_tunings(kernel: Kernel, n: usize) {
    let one_word = Tuning { one_word: true, ..tuning(0, 32) };
    for tuning in [one_word, tuning(0, 32), tuning(7, 32), tuning(3, 1), tuning(12, 2)] {
        assert_eq!(
            sum_of_solutions(&count_column_sets(kernel, n, tuning)),
            published_count(n).into(),
            "{kernel:?} n = {n} {tuning:?}"
        );
    }
}

#[test]
#[ignore = "long: three kernels on 15 to 18 queens"]
fn kernels_match_published_counts_for_15_to_18() {
    for kernel in kernels() {
        check_tunings(kernel, 15);
        check_tunings(kernel, 16);
        for n in [17, 18] {
            let job = Job { kernel, threads: TWO_THREADS, ..Job::new(n) };
            assert_eq!(solutions(&job), published_count(n), "{kernel:?} n = {n}");
        }
    }
    let column_sets = count_column_sets(Kernel::best(), 17, tuning(8, 4));
    assert_eq!(sum_of_solutions(&column_sets), published_count(17).into());
}

/// With the default parameters, n = 20 is the smallest board whose masks have low diagonals in both words. The count uses the
/// default number of keys.
#[test]
#[ignore = "long: 39 billion solutions"]
fn fastest_kernel_matches_published_count_for_20() {
    if Kernel::best() != Kernel::Portable {
        assert_eq!(solutions(&Job { threads: TWO_THREADS, ..Job::new(20) }), published_count(20));
    }
}

/// Also compares shared tables with separate tables for each column set, which are the default from n = 24 on.
#[test]
fn kernels_agree_on_each_column_set() {
    let solutions = |kernel, n, tuning| -> Vec<u128> {
        count_column_sets(kernel, n, tuning).into_iter().map(|(solutions, _)| solutions).collect()
    };
    for n in [13, 14] {
        let expected = solutions(Kernel::Portable, n, tuning(0, 32));
        for kernel in kernels() {
            for tuning in [tuning(10, 1), Tuning { one_word: true, ..tuning(0, 32) }] {
                assert_eq!(solutions(kernel, n, tuning), expected, "{kernel:?} n = {n} {tuning:?}");
            }
        }
        let separate_tables = Tuning { shared_tables: false, ..tuning(0, 32) };
        assert_eq!(solutions(Kernel::best(), n, separate_tables), expected, "n = {n}");
    }
}

#[test]
fn shards_contain_each_subproblem_exactly_once() {
    for (n, total) in [(13, 1), (13, 7), (14, 10), (14, 1716)] {
        let shards =
            (1..=total).map(|number| -> Shard { format!("{number}/{total}").parse().expect("a shard") });
        let mut subproblems: Vec<usize> = shards.clone().flat_map(|shard| shard.subproblems(1716)).collect();
        subproblems.sort_unstable();
        assert!(subproblems.into_iter().eq(0..1716), "{total}");
        if total < 100 {
            let sum: u64 = shards.map(|shard| solutions(&Job { shard, ..Job::new(n) })).sum();
            assert_eq!(sum, published_count(n), "n = {n}");
        }
    }
}

#[test]
fn two_threads_match_published_counts() {
    for n in [11, 14, 15, 16] {
        assert_eq!(solutions(&Job { threads: TWO_THREADS, ..Job::new(n) }), published_count(n));
    }
}

/// Counts until `stop` has been called `call_limit` times. Returns the result and the number of calls.
fn stopped_after(call_limit: usize, job: &Job) -> (Counted, usize) {
    let calls = AtomicUsize::new(0);
    let stop = || calls.fetch_add(1, Ordering::Relaxed) + 1 >= call_limit;
    let counted = count(job, None, &stop, &mut |_| {}).expect("it stops");
    (counted, calls.into_inner())
}

/// Checks that `stop` is called often in every phase of a count.
#[test]
fn stopped_count_ends_promptly_in_each_phase() {
    // Stops before and during the generation of the placements on a quarter, and during their conversion to entries.
    for (n, call_limit) in [(22, 1), (22, 2), (22, 30), (18, 300), (19, 600)] {
        let (counted, calls) = stopped_after(call_limit, &Job::new(n));
        assert_eq!((counted.checkpoint.finished, counted.work.column_sets), (0, 0), "n = {n}");
        assert!(
            (call_limit..call_limit + 4).contains(&calls),
            "n = {n}: {calls} calls instead of {call_limit}"
        );
    }
    check_stop_within_column_set(24, "676270/1352540", 1500);
}

#[test]
#[ignore = "long: a column set of 25 queens"]
fn stopped_count_of_25_ends_within_column_set() {
    check_stop_within_column_set(25, "1352078/2704156", 4400);
}

/// Stops the count of one column set while its tables are built, and while its pieces are counted. `shard` contains only a column set in
/// the middle of the list, because such column sets take long.
fn check_stop_within_column_set(n: usize, shard: &str, call_limit: usize) {
    let job = Job { shard: shard.parse().expect("a shard"), ..Job::new(n) };
    let (counted, calls) = stopped_after(20, &job);
    assert_eq!((counted.work.column_sets, calls), (0, 20), "n = {n}, building tables");
    let (counted, calls) = stopped_after(call_limit, &job);
    let (finished, work) = (counted.checkpoint.finished, counted.work);
    assert_eq!((finished, work.column_sets, calls), (0, 1, call_limit), "n = {n}");
    // There is at most one piece between two calls of `stop`.
    assert!((100..call_limit as u64).contains(&work.pieces), "n = {n}: {work:?}");
}

#[test]
fn resumed_count_counts_each_subproblem_once() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("c");
    let finished = AtomicUsize::new(0);
    let stop = || finished.load(Ordering::Relaxed) >= 100;
    let first_session = count(&Job::new(14), Some(&file), &stop, &mut |progress| {
        finished.store(progress.checkpoint.finished, Ordering::Relaxed);
    });
    let first_session = first_session.expect("it stops").checkpoint;
    assert_eq!(
        (first_session.finished, first_session.is_finished.iter().filter(|finished| **finished).count()),
        (100, 100)
    );
    let mut reports = Vec::new();
    let second_session =
        count(&Job { threads: TWO_THREADS, ..Job::new(14) }, Some(&file), &|| false, &mut |progress| {
            reports.push((progress.checkpoint.finished, progress.checkpoint.solutions));
        });
    let second_session = second_session.expect("it resumes");
    assert_eq!((second_session.earlier, second_session.work.column_sets), (100, 1616));
    assert_eq!((reports[0], reports.len()), ((100, first_session.solutions), 1617));
    assert_eq!(
        (second_session.checkpoint.finished, second_session.checkpoint.solutions),
        (1716, published_count(14))
    );
    assert!(second_session.checkpoint.wall > first_session.wall);
    let third_session = count(&Job::new(14), Some(&file), &|| true, &mut |_| {}).expect("nothing is left");
    assert_eq!((third_session.earlier, third_session.checkpoint.solutions), (1716, published_count(14)));
}

/// The expected numbers are the table in docs/COUNTING.md.
#[test]
fn maximum_weights_equal_the_documented_weights() {
    for n in [10, 12, 14] {
        let geometry = Geometry::new(n);
        let subsets = Subsets::new(geometry.h);
        let tops = column_sets(n).into_iter().flat_map(|set| {
            let weigher = geometry.weigh(set);
            weigher
                .top_ranges(subsets.same_size_sets(set.left))
                .map(|(_, weights)| weights)
                .collect::<Vec<_>>()
        });
        let max_weights =
            tops.reduce(|max, weights| std::array::from_fn(|class| max[class].max(weights[class])));
        let inner_edge_falling_rising_both = [8, 4, 8, 8, 8];
        assert_eq!(max_weights, Some(inner_edge_falling_rising_both), "n = {n}");
    }
}

#[test]
fn impossible_jobs_are_refused_with_a_reason() {
    let (shard, threads) = ("3/64".parse().expect("a shard"), NonZeroUsize::MIN);
    let (needed, available) = (memory::peak_bytes(20, threads), 100 << 20);
    for (key, job, error) in [
        ("a board that is too large", Job::new(29), JobError::TooLarge(29)),
        ("too many shards", Job { shard, ..Job::new(8) }, JobError::Shards { n: 8, max_shards: 1 }),
        (
            "too little memory",
            Job { memory: Some(available), ..Job::new(20) },
            JobError::Memory { n: 20, threads, needed, available },
        ),
    ] {
        wording::assert_wording!("job", key, error);
        let count_error = count(&job, None, &|| false, &mut |_| {}).expect_err(key);
        assert_eq!(count_error, CountError::Job(error));
    }
    let (n, threads) = (26, NonZeroUsize::new(4).expect("not 0"));
    let error = JobError::Memory { n, threads, needed: memory::peak_bytes(n, threads), available };
    wording::assert_wording!("job", "too little memory for several threads", error);
}

/// The remaining time of a count is estimated from the costs of column sets.
#[test]
fn estimated_costs_are_nearly_proportional_to_comparisons() {
    for (kernel, n) in
        [Kernel::Portable, Kernel::best()].into_iter().flat_map(|k| (13..=16).map(move |n| (k, n)))
    {
        let results = count_column_sets(kernel, n, Tuning::for_size(n));
        let counted_sets = column_sets(n).into_iter().zip(results);
        let costs: Vec<[f64; 2]> =
            counted_sets.map(|(set, (_, comparisons))| [set.cost(), comparisons as f64]).collect();
        let add_sums = |sums: [f64; 2], set: &[f64; 2]| [sums[0] + set[0], sums[1] + set[1]];
        let total = costs.iter().fold([0.0; 2], add_sums);
        let mut sums = [0.0; 2];
        for set in &costs {
            sums = add_sums(sums, set);
            let [cost, comparisons] = [0, 1].map(|measure| sums[measure] / total[measure]);
            assert!((cost - comparisons).abs() < 0.1, "{kernel:?} n = {n}: {cost} for {comparisons}");
        }
        // The first column sets have few queens on one side, and need fewer comparisons than the average. For the first tenth of
        // the column sets, the estimated share of the work must be closer to the actual share than 0.1 is.
        let first_tenth = costs.iter().take(costs.len() / 10).fold([0.0; 2], add_sums);
        let [cost, comparisons] = [0, 1].map(|measure| first_tenth[measure] / total[measure]);
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
        let mut sparse_word = || random.u32(..) & random.u32(..) & random.u32(..);
        let (a, b): (Vec<u32>, Vec<u32>) = (0..K::LANES).map(|_| (sparse_word(), sparse_word())).unzip();
        let (va, vb) = (k.load(&a), k.load(&b));
        let stored_lanes = |v| {
            let mut out = vec![0; K::LANES];
            k.store(v, &mut out);
            out
        };
        let map_lanes =
            |f: fn(u32, u32) -> u32| a.iter().zip(&b).map(|(&a, &b)| f(a, b)).collect::<Vec<u32>>();
        let lane_mask = |f: fn(u32, u32) -> bool| {
            a.iter().zip(&b).enumerate().map(|(lane, (&a, &b))| u32::from(f(a, b)) << lane).sum::<u32>()
        };
        assert_eq!(stored_lanes(k.and(va, vb)), map_lanes(|a, b| a & b));
        assert_eq!(stored_lanes(k.and_not(va, vb)), map_lanes(|a, b| a & !b));
        assert_eq!(stored_lanes(k.or(va, vb)), map_lanes(|a, b| a | b));
        assert_eq!(stored_lanes(k.xor(va, vb)), map_lanes(|a, b| a ^ b));
        assert_eq!(stored_lanes(k.shl(va, 7)), map_lanes(|a, _| a << 7));
        assert_eq!(stored_lanes(k.shr(va, 9)), map_lanes(|a, _| a >> 9));
        assert_eq!(k.zero_lanes(k.and(va, vb)), lane_mask(|a, b| a & b == 0));
        let len = random.usize(..K::LANES);
        let mut padded_words = a[..len].to_vec();
        padded_words.resize(K::LANES, 0);
        assert_eq!(stored_lanes(k.load(&a[..len])), padded_words);
        let chosen_lanes = random.u32(..) & ((1 << K::LANES) - 1);
        let expected: Vec<u32> =
            (0..K::LANES).filter(|lane| chosen_lanes >> lane & 1 == 1).map(|lane| a[lane]).collect();
        let mut packed_words = vec![0; K::LANES];
        k.compress_store(chosen_lanes, va, &mut packed_words);
        assert_eq!(packed_words[..expected.len()], expected);
        let one_bit = std::array::from_fn::<u32, MAX_LANES, _>(|lane| {
            if lane == len { 1 << (random.u32(..) % 32) } else { 0 }
        });
        assert!(!k.is_zero(k.load(&one_bit)) && k.is_zero(k.splat(0)));
        let third_words: Vec<u32> = (0..K::LANES).map(|_| random.u32(..)).collect();
        let (carry, sum) = k.full_add(va, vb, k.load(&third_words));
        let lane_values = |lane: usize| (a[lane], b[lane], third_words[lane]);
        let map_lane_values =
            |f: fn((u32, u32, u32)) -> u32| (0..K::LANES).map(lane_values).map(f).collect::<Vec<u32>>();
        assert_eq!(stored_lanes(sum), map_lane_values(|(a, b, c)| a ^ b ^ c));
        assert_eq!(stored_lanes(carry), map_lane_values(|(a, b, c)| a & b | a & c | b & c));
        let (carry, sum) = k.half_add(va, vb);
        assert_eq!(
            (stored_lanes(sum), stored_lanes(carry)),
            (map_lanes(|a, b| a ^ b), map_lanes(|a, b| a & b))
        );
    }
}

/// Random halves, each of which uses about a quarter of these diagonals.
fn random_halves(random: &mut fastrand::Rng, len: usize, diagonals: Mask) -> Halves {
    let mut sparse_words = |word: u32| {
        let mut words: Vec<u32> = (0..len).map(|_| random.u32(..) & random.u32(..) & word).collect();
        words.resize(len + MAX_LANES, !0);
        words
    };
    Halves { low: sparse_words(diagonals.low), high: sparse_words(diagonals.high), len }
}

fn masks(halves: &Halves) -> Vec<Mask> {
    (0..halves.len).map(|i| Mask { low: halves.low[i], high: halves.high[i] }).collect()
}

/// The geometries of all board sizes, with masks of two words and, if possible, of one word.
fn geometries() -> impl Iterator<Item = Geometry> {
    let one_word =
        (*Geometry::SIZES.start()..=Geometry::MAX_ONE_WORD_SIZE).map(|n| Geometry::new(n).in_one_word());
    Geometry::SIZES.map(Geometry::new).chain(one_word)
}

/// Compares a piece, the filter and the sorter of a kernel with scalar code, on random halves.
fn check_lists<K: Isa>(k: K, random: &mut fastrand::Rng, geometry: Geometry) {
    let crossing = geometry.all_crossing();
    for len in [7, 333, K::WIDTH] {
        let tops = random_halves(random, len.min(K::WIDTH), crossing);
        let bottoms = random_halves(random, 1003, crossing);
        let are_disjoint = |mask: Mask, other: Mask| mask.low & other.low == 0 && mask.high & other.high == 0;
        let mut piece = Piece::default();
        piece.build(k, crossing, &tops.low[..tops.len], &tops.high[..tops.len]);
        let shared_diagonals = masks(&tops).into_iter().reduce(|shared_diagonals, top| Mask {
            low: shared_diagonals.low & top.low,
            high: shared_diagonals.high & top.high,
        });
        assert_eq!(Some(piece.used_by_all(k, crossing)), shared_diagonals);

        let mut counter = Counter::new(k);
        piece.meet(k, crossing, &bottoms, &mut counter);
        for (i, top) in masks(&tops).into_iter().enumerate() {
            let expected =
                masks(&bottoms).into_iter().filter(|&bottom| are_disjoint(bottom, top)).count() as u64;
            assert_eq!(
                counter.sum(k, &line_of_range::<K>(i..i + 1)),
                expected,
                "{geometry:?}: top {i} of {len}"
            );
        }

        let excluded_diagonals = Mask { low: crossing.low & 0x0101, high: crossing.high & 0x0201 };
        let mut filtered_bottoms = Halves::default();
        filtered_bottoms.filter_from(k, &bottoms, excluded_diagonals);
        let mut expected = masks(&bottoms);
        expected.retain(|&bottom| are_disjoint(bottom, excluded_diagonals));
        assert_eq!(masks(&filtered_bottoms), expected, "{geometry:?}");

        if !geometry.one_word {
            check_sorter(k, crossing, random, bottoms);
        }
    }
}

/// Checks that the parts of a sorted list contain all top halves of the list, and that each top half uses the keys of its part.
fn check_sorter<K: Isa>(k: K, crossing: Mask, random: &mut fastrand::Rng, bottoms: Halves) {
    let mut classes = BottomHalves::default();
    classes[0] = bottoms;
    let mut sorter = Sorter::default();
    for (len, min_part, max_part) in [(1, 10, 10), (2000, 300, 300), (2000, 100, 2000), (999, 1, 7)] {
        let mut tops = random_halves(random, len, crossing);
        let sorted_words = |tops: &Halves| {
            let mut words: Vec<(u32, u32)> = masks(tops).iter().map(|top| (top.low, top.high)).collect();
            words.sort_unstable();
            words
        };
        let original_words = sorted_words(&tops);
        let (low, high) = (&mut tops.low[..len], &mut tops.high[..len]);
        let keys = sorter.sort(k, crossing, 6, &classes, min_part..=max_part, low, high);
        assert_eq!(sorted_words(&tops), original_words);
        let top_masks = masks(&tops);
        let mut start = 0;
        for &(shared_set, end) in &sorter.parts {
            assert!((min_part..=max_part).contains(&(end - start)) || end == len, "{start}..{end} of {len}");
            let mask = keys.mask(shared_set);
            let uses_keys = |top: &Mask| top.low & mask.low == mask.low && top.high & mask.high == mask.high;
            assert!(top_masks[start..end].iter().all(uses_keys), "{start}..{end} of {len}");
            start = end;
        }
        assert_eq!(start, len);
    }
}

#[test]
fn kernel_list_operations_match_scalar_code() {
    let mut random = fastrand::Rng::with_seed(2);
    for (kernel, geometry) in
        kernels().flat_map(|kernel| geometries().map(move |geometry| (kernel, geometry)))
    {
        dispatch!(kernel, k => match geometry.one_word {
            true => check_lists(OneWord(k), &mut random, geometry),
            false => check_lists(k.wide(), &mut random, geometry),
        })
        .expect("this machine supports the kernel");
    }
}

#[test]
fn kernel_operations_match_scalar_code() {
    for kernel in kernels() {
        dispatch!(kernel, k => [check_operations(OneWord(k)), check_operations(k.wide())])
            .expect("this machine supports the kernel");
    }
}

#[test]
fn new_counter_is_zero() {
    assert_eq!(Counter::new(Portable).sum(Portable, &[!0; MAX_LANES]), 0);
}

#[test]
fn line_for_range_sets_bit_of_each_member() {
    let padded_line = |words: &[u32]| std::array::from_fn(|lane| words.get(lane).copied().unwrap_or(0));
    // With eight lanes, top halves 0, 8, 16, ... are bits 0, 1, 2, ... of the first lane.
    assert_eq!(line_of_range::<Portable>(0..3), padded_line(&[1, 1, 1]));
    assert_eq!(line_of_range::<Portable>(7..10), padded_line(&[2, 2, 0, 0, 0, 0, 0, 1]));
    assert_eq!(line_of_range::<Portable>(256..256), padded_line(&[]));
    assert_eq!(line_of_range::<Portable>(0..256), padded_line(&[!0; 8]));
}

#[test]
fn mask_table_matches_direct_conversion() {
    let mut random = Rng::with_seed(0);
    for geometry in geometries() {
        for corner in [Corner::TopLeft, Corner::TopRight, Corner::BottomLeft, Corner::BottomRight] {
            let fields = geometry.fields(corner);
            let masks = MaskTable::new(&fields);
            for _ in 0..200 {
                let mut random_bits = || random.u32(..) & random.u32(..) & ((2 << (2 * geometry.h)) - 1);
                let diagonals = Diagonals { rising: random_bits(), falling: random_bits() };
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
                let (first_row, first_column) = geometry.start_square(corner);
                (first_row + row, first_column + column, masks.mask(geometry.diagonals(row, column)))
            })
        };
        let crossing = geometry.all_crossing();
        for (bottom_row, bottom_column, bottom_mask) in
            squares(Corner::BottomLeft).chain(squares(Corner::BottomRight))
        {
            for (row, column, top_mask) in squares(Corner::TopLeft).chain(squares(Corner::TopRight)) {
                let (n, is_odd) = (geometry.n, geometry.is_odd());
                // Masks of even boards do not contain the long diagonals.
                let rising = row + column == bottom_row + bottom_column && (is_odd || row + column != n - 1);
                let falling = row + bottom_column == bottom_row + column && (is_odd || row != column);
                let common_diagonals = Mask {
                    low: bottom_mask.low & top_mask.low & crossing.low,
                    high: bottom_mask.high & top_mask.high & crossing.high,
                };
                assert_eq!(
                    common_diagonals != Mask::default(),
                    rising || falling,
                    "n = {n}: {row} {column}, {bottom_row} {bottom_column}"
                );
            }
        }
    }
}
