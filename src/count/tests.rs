//! Compares every kernel with published counts and with the portable one, and the block search with the
//! prefixes of the board. The conformance suite in `tests/` checks the solvers as it checks all others.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use fastrand::Rng;

use super::block::Block;
use super::geometry::{Corner, Diagonals, Geometry, Mask, MaskTable};
use super::halves::{BottomHalves, Halves};
use super::isa::{Isa, MAX_LANES, lanes};
use super::kernel::dispatch;
use super::keys::Sorter;
use super::pieces::{Counter, Piece};
use super::portable::Portable;
use super::{Count, Finished, Kernel, Method, Setup, Share, Tuning, solvers};
use crate::board::{BoardSize, known, prefix::Prefix};
use crate::solver::sink::Discard;
use crate::solver::{Budget, Goal, Stop, Task};

const ONE: NonZeroUsize = NonZeroUsize::MIN;
const TWO: NonZeroUsize = NonZeroUsize::MIN.saturating_add(1);

fn kernels() -> impl Iterator<Item = Kernel> {
    Kernel::ALL.into_iter().filter(|kernel| kernel.detect().is_ok())
}

fn open(kernel: Kernel, n: usize, method: Method, threads: NonZeroUsize) -> Count {
    Setup { n, kernel, method, threads }.open().expect("it opens")
}

fn meet(kernel: Kernel, n: usize, keys: usize, branch: usize, wide: bool) -> Count {
    open(kernel, n, Method::Meet(Tuning { keys, branch, shared_tables: true, wide }), ONE)
}

fn all(board: &Count) -> u128 {
    share(board, Share::ALL)
}

fn share(board: &Count, share: Share) -> u128 {
    let total = board.run(share, &Budget::unlimited(), &|_| false, &|_| {}).expect("it runs");
    assert_eq!(total.stopped, None);
    total.solutions
}

fn published(n: usize) -> u128 {
    u128::from(known::solutions(n).expect("published"))
}

#[test]
fn every_counter_agrees_with_the_published_counts_to_14() {
    for solver in solvers() {
        let info = solver.info();
        for n in (0..=14).filter(|_| info.unavailable.is_none()) {
            let task = Task::new(BoardSize::new(n).expect("a size"), Goal::Count);
            let found = solver.solve(&task, &mut Discard).expect("it counts");
            assert_eq!(Some(found.solutions), known::solutions(n), "{} n = {n}", info.id);
            assert_eq!(found.stopped, None);
        }
    }
}

#[test]
fn every_kernel_meets_in_the_middle_from_10_to_14_with_and_without_keys() {
    for kernel in kernels() {
        for n in 10..=14 {
            meets_in_the_middle(kernel, n);
        }
    }
}

fn meets_in_the_middle(kernel: Kernel, n: usize) {
    for (keys, branch, wide) in [(0, 32, false), (0, 32, true), (7, 32, true), (3, 1, false), (12, 2, true)] {
        let found = all(&meet(kernel, n, keys, branch, wide));
        assert_eq!(found, published(n), "{kernel:?} n = {n} keys = {keys} branch = {branch} wide = {wide}");
    }
}

#[test]
#[ignore = "long: three kernels on 15 to 18 queens"]
fn every_kernel_is_right_on_15_to_18_queens() {
    for kernel in kernels() {
        assert_eq!(all(&open(kernel, 15, Method::block(15), TWO)), published(15), "{kernel:?}");
        meets_in_the_middle(kernel, 15);
        meets_in_the_middle(kernel, 16);
        for n in [17, 18] {
            let board = open(kernel, n, Method::for_size(n, kernel), TWO);
            assert_eq!(all(&board), published(n), "{kernel:?} n = {n}");
        }
    }
    assert_eq!(all(&meet(Kernel::best(), 17, 8, 4, false)), published(17));
}

/// The first board whose low diagonals are in both words, with the default keys.
#[test]
#[ignore = "long: 39 billion solutions"]
fn the_best_kernel_is_right_on_20_queens() {
    let kernel = Kernel::best();
    if kernel != Kernel::Portable {
        assert_eq!(all(&open(kernel, 20, Method::for_size(20, kernel), TWO)), published(20), "{kernel:?}");
    }
}

#[test]
fn every_column_set_has_the_same_count_with_every_kernel_and_key() {
    let finished = |board: &Count| {
        let sets = Mutex::new(vec![0; board.subproblems()]);
        let record = |done: Finished| sets.lock().expect("no panic")[done.subproblem] = done.solutions;
        board.run(Share::ALL, &Budget::unlimited(), &|_| false, &record).expect("it runs");
        sets.into_inner().expect("no panic")
    };
    for n in [13, 14] {
        let oracle = finished(&meet(Kernel::Portable, n, 0, 32, false));
        for kernel in kernels() {
            for wide in [false, true] {
                assert_eq!(
                    finished(&meet(kernel, n, 10, 1, wide)),
                    oracle,
                    "{kernel:?} n = {n} wide = {wide}"
                );
            }
        }
        assert_eq!(finished(&without_shared_tables(n)), oracle, "n = {n}");
    }
}

fn without_shared_tables(n: usize) -> Count {
    open(
        Kernel::best(),
        n,
        Method::Meet(Tuning { keys: 0, branch: 32, shared_tables: false, wide: true }),
        TWO,
    )
}

/// As for n = 24 and beyond: each column set builds tables of its own, and random descents estimate their sizes.
#[test]
fn without_shared_tables_counts_are_the_same_and_estimated_pairs_are_close() {
    for n in 10..=15 {
        let (own, shared) = (without_shared_tables(n), meet(Kernel::best(), n, 0, 32, false));
        assert_eq!((all(&own), own.table_bytes()), (published(n), 0), "n = {n}");
        let errors = (0..own.subproblems()).map(|set| {
            let [estimated, exact] = [&own, &shared].map(|board| board.pairs(set));
            [estimated.number - exact.number, estimated.weight - exact.weight, exact.number, exact.weight]
        });
        let sums = errors
            .fold([0.0; 4], |sums: [f64; 4], errors| std::array::from_fn(|i| sums[i] + errors[i].abs()));
        let [number, weight] = [sums[0] / sums[2], sums[1] / sums[3]];
        assert!(number < 0.2 && weight < 0.2, "n = {n}: {number:.3} and {weight:.3} off");
    }
}

#[test]
fn shares_of_the_subproblems_add_up() {
    let keys = Method::Meet(Tuning { keys: 4, branch: 1, shared_tables: true, wide: true });
    let prefixes = [1, 4, 5, 6, 9, 10, 11].map(|n| (n, Method::block(n), 3));
    for (n, method, of) in prefixes.into_iter().chain([(12, keys, 1), (13, keys, 7), (14, keys, 10)]) {
        let board = open(Kernel::best(), n, method, ONE);
        let sum: u128 = (0..of).map(|index| share(&board, Share { index, of })).sum();
        assert_eq!(sum, published(n), "n = {n}");
        let beyond = Share { index: board.subproblems(), of: board.subproblems() + 1 };
        assert_eq!(share(&board, beyond), 0);
    }
}

#[test]
fn two_threads_count_what_one_counts() {
    for n in [11, 14, 15, 16] {
        assert_eq!(all(&open(Kernel::best(), n, Method::for_size(n, Kernel::best()), TWO)), published(n));
    }
}

#[test]
fn a_run_resumes_where_a_cancelled_one_ended() {
    let board = meet(Kernel::best(), 14, 0, 32, false);
    let cancel = Arc::new(AtomicBool::new(false));
    let budget = Budget { cancel: Some(cancel.clone()), ..Budget::default() };
    let done = Mutex::new(Vec::new());
    let first = board.run(Share::ALL, &budget, &|_| false, &|finished| {
        let mut done = done.lock().expect("no panic");
        done.push(finished);
        cancel.store(done.len() == 100, Ordering::Relaxed);
    });
    let first = first.expect("it runs");
    assert_eq!((first.finished, first.stopped), (100, Some(Stop::Cancelled)));
    let done = done.into_inner().expect("no panic");
    assert_eq!(first.solutions, done.iter().map(|finished| u128::from(finished.solutions)).sum());
    let skip = |subproblem| done.iter().any(|finished| finished.subproblem == subproblem);
    let second = board.run(Share::ALL, &Budget::unlimited(), &skip, &|_| {}).expect("it runs");
    assert_eq!(second.finished, board.subproblems() - 100);
    assert_eq!(first.solutions + second.solutions, published(14));
}

/// Progress and the remaining time are estimated from the costs of column sets. The wider the vectors of a kernel are, the
/// larger are its pieces, and the fewer comparisons are left out.
fn costs_predict_comparisons(n: usize) {
    for kernel in [Kernel::Portable, Kernel::best()] {
        let board = meet(kernel, n, 0, 32, false);
        let of = board.subproblems();
        let comparisons = |index| {
            let total = board.run(Share { index, of }, &Budget::unlimited(), &|_| false, &|_| {});
            total.expect("it runs").work.comparisons as f64
        };
        let mut sets: Vec<[f64; 2]> = (0..of).map(|set| [board.cost(set), comparisons(set)]).collect();
        sets.sort_unstable_by(|a, b| a[0].total_cmp(&b[0]));
        let sum = |sets: &[[f64; 2]], of: usize| sets.iter().map(|set| set[of]).sum::<f64>();
        let share = |eighth: usize, of: usize| {
            sum(&sets[eighth * sets.len() / 8..(eighth + 1) * sets.len() / 8], of) / sum(&sets, of)
        };
        let [costs, work] = [0, 1].map(|of| (0..8).map(|eighth| share(eighth, of)).collect::<Vec<f64>>());
        assert!(work.is_sorted(), "{kernel:?}, n = {n}: dearer column sets take more comparisons: {work:?}");
        let close = costs.iter().zip(&work).all(|(cost, work)| (cost - work).abs() < 0.04);
        assert!(close, "{kernel:?}, n = {n}: {costs:?} of the costs, {work:?} of the comparisons");
    }
}

#[test]
fn costs_predict_the_comparisons_that_column_sets_take() {
    costs_predict_comparisons(14);
}

#[test]
#[ignore = "long: all column sets of 16 queens, twice"]
fn costs_predict_the_comparisons_of_15_and_16_queens() {
    [15, 16].into_iter().for_each(costs_predict_comparisons);
}

/// Boards of a search with kernel `kernel`, below a prefix.
fn boards(kernel: Kernel, n: usize, prefix: &[u16]) -> Vec<Vec<u16>> {
    let mut block = Block::new(n);
    block.fix(prefix);
    let mut boards = Vec::new();
    let found = kernel.search(
        &mut block,
        Some(&mut |block: &Block| {
            for solution in 0..block.solutions() {
                let mut board = vec![0; n];
                block.read(solution, &mut board);
                boards.push(board);
            }
            true
        }),
    );
    assert_eq!(found, Ok(boards.len() as u64));
    boards
}

#[test]
fn the_block_search_yields_the_boards_of_a_search_square_by_square() {
    for n in (1..=9).chain([12]) {
        let expected = Prefix::all(n, n);
        for kernel in kernels() {
            let mut found = boards(kernel, n, &[]);
            found.sort_unstable();
            assert!(found.iter().eq(expected.iter().map(Prefix::columns)), "{kernel:?} n = {n}");
        }
    }
}

#[test]
fn the_block_search_stays_below_its_prefix() {
    let all = Prefix::all(8, 8);
    for kernel in kernels() {
        for prefix in Prefix::all(8, 3) {
            let expected = all.iter().map(Prefix::columns).filter(|board| prefix.begins(board));
            let mut found = boards(kernel, 8, prefix.columns());
            found.sort_unstable();
            assert!(found.iter().eq(expected), "{kernel:?} {prefix:?}");
        }
    }
}

/// Checks a kernel's operations against plain words and bits, on random inputs.
fn check_operations<K: Isa>(k: K) {
    let mut random = fastrand::Rng::with_seed(1);
    for _ in 0..2_000 {
        // Few bits, so that disjoint lanes occur.
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
        assert_eq!(stored(k.sub(va, vb)), each(u32::wrapping_sub));
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

/// Random halves whose masks use only these diagonals, each with about a quarter of them.
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

/// Checks a piece, the filter and the sorter of a kernel against one comparison at a time, on random halves.
fn check_lists<K: Isa>(k: K) {
    let mut random = fastrand::Rng::with_seed(2);
    for (n, len) in [
        (11, 7),
        (16, 200),
        (16, 512),
        (17, 333),
        (19, 480),
        (20, 257),
        (22, 100),
        (23, 511),
        (24, 64),
        (25, 300),
        (28, 512),
    ] {
        let used = Geometry::new(n).crossing();
        let tops = random_halves(&mut random, len.min(K::WIDTH), used);
        let bottoms = random_halves(&mut random, 1003, used);
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
            assert_eq!(counter.sum(k, &lanes::<K>(i..i + 1)), expected, "n = {n}: top {i} of {len}");
        }

        let ruled_out = Mask { low: used.low & 0x0101, high: used.high & 0x0201 };
        let mut kept = Halves::default();
        kept.keep(k, &bottoms, ruled_out);
        let mut expected = masks(&bottoms);
        expected.retain(|&bottom| avoids(bottom, ruled_out));
        assert_eq!(masks(&kept), expected, "n = {n}");

        check_sorter(k, used, &mut random, bottoms);
    }
}

/// Checks that the parts of a sorted list contain all of its tops, and that each top uses the keys of its
/// part.
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
        for &(shared, to) in sorter.parts() {
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
fn pieces_filters_and_sorters_of_every_kernel_do_what_single_comparisons_do() {
    for kernel in kernels() {
        dispatch!(kernel, k => check_lists(k)).expect("this machine has it");
    }
}

#[test]
fn operations_of_every_kernel_do_what_they_say_on_random_inputs() {
    for kernel in kernels() {
        dispatch!(kernel, k => check_operations(k)).expect("this machine has it");
    }
}

#[test]
fn a_new_counter_sums_to_0_and_lanes_are_counted_from_the_first() {
    assert_eq!(Counter::new(Portable).sum(Portable, &[!0; MAX_LANES]), 0);
    let start = |words: &[u32]| std::array::from_fn(|lane| words.get(lane).copied().unwrap_or(0));
    // Eight lanes of 32: tops 0, 8, 16 ... are bits 0, 1, 2 ... of the first.
    assert_eq!(lanes::<Portable>(0..3), start(&[1, 1, 1]));
    assert_eq!(lanes::<Portable>(7..10), start(&[2, 2, 0, 0, 0, 0, 0, 1]));
    assert_eq!(lanes::<Portable>(256..256), start(&[]));
    assert_eq!(lanes::<Portable>(0..256), start(&[!0; 8]));
}

#[test]
fn the_mask_of_several_diagonals_is_the_same_by_bytes() {
    let mut random = Rng::with_seed(0);
    for n in Geometry::SIZES {
        let geometry = Geometry::new(n);
        for corner in [Corner::TopLeft, Corner::TopRight, Corner::BottomLeft, Corner::BottomRight] {
            let fields = geometry.fields(corner);
            let masks = MaskTable::new(&fields);
            for _ in 0..200 {
                let mut some = || random.u32(..) & random.u32(..) & ((2 << (2 * geometry.h)) - 1);
                let diagonals = Diagonals { rising: some(), falling: some() };
                assert_eq!(
                    masks.mask(diagonals),
                    fields.mask(diagonals),
                    "n = {n}: {corner:?}, {diagonals:?}"
                );
            }
        }
    }
}

#[test]
fn crossing_diagonals_of_all_squares_meet_exactly_where_the_queens_attack_each_other() {
    for n in Geometry::SIZES {
        let geometry = Geometry::new(n);
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
                let (n, odd) = (n as u32, geometry.odd());
                let rising = row + column == r + c && (odd || r + c != n - 1);
                let falling = row + c == r + column && (odd || r != c);
                let met = below.high & above.high & crossing.high | below.low & above.low & crossing.low;
                assert_eq!(met != 0, rising || falling, "n = {n}: {row} {column}, {r} {c}");
            }
        }
    }
}
