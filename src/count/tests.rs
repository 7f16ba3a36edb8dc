//! Compares every kernel with published counts and with the portable one, and the block search with brute
//! force.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, atomic::Ordering};

use super::block::Block;
use super::column_set::Tuning;
use super::geometry::{Corner, Geometry, Mask};
use super::halves::{BottomHalves, Halves};
use super::isa::Isa;
use super::keys::Sorter;
use super::parallel::{Finished, Method, Share};
use super::pieces::{Counter, Piece, lanes};
use super::portable::Portable;
use super::{Count, Kernel, solvers};
use crate::board::{BoardSize, is_solution, known, prefix::Prefix};
use crate::solver::sink::{Collect, Digest, Discard, First, Judge};
use crate::solver::{Budget, Goal, Solver, Stop, Task};

const ONE: NonZeroUsize = NonZeroUsize::MIN;
const TWO: NonZeroUsize = NonZeroUsize::MIN.saturating_add(1);

fn kernels() -> impl Iterator<Item = Kernel> {
    Kernel::ALL.into_iter().filter(|kernel| kernel.detect().is_ok())
}

fn open(kernel: Kernel, n: usize, keys: usize, branch: usize) -> Box<dyn Count> {
    kernel.open_with(n, Method::Meet, Tuning { keys, branch }, ONE).expect("it opens")
}

fn all(board: &dyn Count) -> u128 {
    share(board, Share::ALL)
}

fn share(board: &dyn Count, share: Share) -> u128 {
    let total = board.run(share, &Budget::unlimited(), &|_| false, &|_| {}).expect("it runs");
    assert_eq!(total.stopped, None);
    total.solutions
}

fn published(n: usize) -> u128 {
    u128::from(known::solutions(n).expect("published"))
}

fn task(n: usize, goal: Goal) -> Task<'static> {
    Task::new(BoardSize::new(n).expect("a size"), goal)
}

#[test]
fn every_counter_agrees_with_the_published_counts_to_15() {
    for solver in solvers() {
        let info = solver.info();
        for n in (0..=15).filter(|_| info.unavailable.is_none()) {
            let found = solver.solve(&task(n, Goal::Count), &mut Discard).expect("it counts");
            assert_eq!(Some(found.solutions), known::solutions(n), "{} n = {n}", info.id);
            assert_eq!(found.stopped, None);
        }
    }
}

#[test]
fn every_kernel_meets_in_the_middle_from_10_to_15_with_and_without_keys() {
    for kernel in kernels() {
        for n in 10..=15 {
            meets_in_the_middle(kernel, n);
        }
    }
}

fn meets_in_the_middle(kernel: Kernel, n: usize) {
    for (keys, branch) in [(0, 32), (7, 32), (3, 1), (12, 2)] {
        let found = all(&*open(kernel, n, keys, branch));
        assert_eq!(found, published(n), "{kernel:?} n = {n} keys = {keys} branch = {branch}");
    }
}

#[test]
fn the_best_kernel_is_right_on_16_queens() {
    assert_eq!(all(&*Kernel::best().open(16, TWO).expect("it opens")), published(16));
}

#[test]
#[ignore = "long: three kernels on 16, 17 and 18 queens"]
fn every_kernel_is_right_on_16_to_18_queens() {
    for kernel in kernels() {
        meets_in_the_middle(kernel, 16);
        for n in [17, 18] {
            let board = kernel.open(n, TWO).expect("it opens");
            assert_eq!(all(&*board), published(n), "{kernel:?} n = {n}");
        }
    }
    assert_eq!(all(&*open(Kernel::best(), 17, 8, 4)), published(17));
}

/// The first board whose low diagonals are in both words, with the default keys.
#[test]
#[ignore = "long: 39 billion solutions"]
fn the_best_kernel_is_right_on_20_queens() {
    let kernel = Kernel::best();
    if kernel != Kernel::Portable {
        let board = kernel.open(20, TWO).expect("it opens");
        assert_eq!(all(&*board), published(20), "{kernel:?}");
    }
}

#[test]
fn every_column_set_has_the_same_count_with_every_kernel_and_key() {
    let finished = |board: &dyn Count| {
        let sets = Mutex::new(vec![0; board.subproblems()]);
        let tell = |done: Finished| sets.lock().expect("no panic")[done.subproblem] = done.solutions;
        board.run(Share::ALL, &Budget::unlimited(), &|_| false, &tell).expect("it runs");
        sets.into_inner().expect("no panic")
    };
    for n in [13, 14] {
        let oracle = finished(&*open(Kernel::Portable, n, 0, 32));
        for kernel in kernels() {
            assert_eq!(finished(&*open(kernel, n, 10, 1)), oracle, "{kernel:?} n = {n}");
        }
    }
}

#[test]
fn shares_of_the_column_sets_add_up() {
    for (n, of) in [(12, 1), (13, 7), (14, 10)] {
        let board = open(Kernel::best(), n, 4, 1);
        let sum: u128 = (0..of).map(|index| share(&*board, Share { index, of })).sum();
        assert_eq!(sum, published(n));
        let beyond = Share { index: board.subproblems(), of: board.subproblems() + 1 };
        assert_eq!(share(&*board, beyond), 0);
    }
}

#[test]
fn shares_of_the_prefixes_add_up() {
    for n in [1, 4, 5, 6, 9, 10, 11] {
        let board = Kernel::best().open_with(n, Method::Block, Tuning::for_size(n), ONE).expect("it opens");
        let sum: u128 = (0..3).map(|index| share(&*board, Share { index, of: 3 })).sum();
        assert_eq!(sum, published(n), "n = {n}");
    }
}

#[test]
fn two_threads_count_what_one_counts() {
    for (n, method) in [(11, Method::Block), (14, Method::Meet), (15, Method::Meet)] {
        let board = Kernel::best().open_with(n, method, Tuning::for_size(n), TWO).expect("it opens");
        assert_eq!(all(&*board), published(n));
    }
}

#[test]
fn a_run_goes_on_where_a_cancelled_one_ended() {
    let board = open(Kernel::best(), 14, 0, 32);
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

#[test]
fn costs_are_positive_where_there_is_work() {
    let board = open(Kernel::best(), 12, 0, 32);
    assert!((0..board.subproblems()).map(|set| board.cost(set)).sum::<f64>() > 0.0);
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

/// All solutions below a prefix, found by trying every column of every row.
fn brute_force(n: usize, board: &mut Vec<u16>, found: &mut Vec<Vec<u16>>) {
    if board.len() == n {
        return found.push(board.clone());
    }
    for column in 0..n as u16 {
        let row = board.len();
        let attacked = board
            .iter()
            .enumerate()
            .any(|(above, &other)| other == column || usize::from(other.abs_diff(column)) == row - above);
        if !attacked {
            board.push(column);
            brute_force(n, board, found);
            board.pop();
        }
    }
}

#[test]
fn the_block_search_yields_the_boards_of_a_brute_force_search() {
    for kernel in kernels() {
        for n in 1..=9 {
            let mut expected = Vec::new();
            brute_force(n, &mut Vec::new(), &mut expected);
            let mut found = boards(kernel, n, &[]);
            found.sort_unstable();
            assert_eq!(found, expected, "{kernel:?} n = {n}");
        }
    }
}

#[test]
fn the_block_search_stays_below_its_prefix() {
    for kernel in kernels() {
        for prefix in Prefix::all(8, 3) {
            let mut expected = Vec::new();
            brute_force(8, &mut prefix.columns().to_vec(), &mut expected);
            let mut found = boards(kernel, 8, prefix.columns());
            found.sort_unstable();
            assert_eq!(found, expected, "{kernel:?} {prefix:?}");
        }
    }
}

#[test]
fn every_board_of_12_queens_is_a_solution_and_digests_agree() {
    let digests: Vec<String> = kernels()
        .map(|kernel| {
            let mut digest = Digest::default();
            for board in boards(kernel, 12, &[]) {
                assert!(is_solution(&board));
                digest.add(&board);
            }
            assert_eq!(digest.count(), 14_200);
            digest.to_string()
        })
        .collect();
    assert!(digests.windows(2).all(|pair| pair[0] == pair[1]));
    let mut judge = Judge::of(&crate::board::problem::Problem::queens(BoardSize::new(12).expect("small")));
    let solver = super::BlockCounter;
    let outcome = solver.solve(&task(12, Goal::Enumerate), &mut judge).expect("it enumerates");
    assert_eq!((outcome.solutions, judge.illegal, outcome.stopped), (14_200, 0, None));
    assert_eq!(judge.digest.to_string(), digests[0]);
}

#[test]
fn goals_and_sinks_end_a_block_search() {
    let solver = super::BlockCounter;
    for n in [0, 1, 4, 8, 20] {
        let mut first = First::default();
        let outcome = solver.solve(&task(n, Goal::First), &mut first).expect("it searches");
        assert_eq!(outcome.solutions, 1, "n = {n}");
        assert!(first.0.expect("a board").is_solution());
    }
    for n in [2, 3] {
        let mut first = First::default();
        let outcome = solver.solve(&task(n, Goal::First), &mut first).expect("it searches");
        assert_eq!((outcome.solutions, outcome.stopped, first.0), (0, None, None));
    }
    let mut left = 5;
    let mut five = |_: &[u16]| {
        left -= 1;
        if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let outcome = solver.solve(&task(8, Goal::Enumerate), &mut five).expect("it enumerates");
    assert_eq!((outcome.solutions, outcome.stopped), (5, Some(Stop::Sink)));
    let mut all = Collect::default();
    let outcome = solver.solve(&task(0, Goal::Enumerate), &mut all).expect("it enumerates");
    assert_eq!((outcome.solutions, all.0.len()), (1, 1));
}

#[test]
fn sizes_and_goals_beyond_a_counter_are_refused() {
    for solver in solvers().into_iter().filter(|solver| solver.info().unavailable.is_none()) {
        assert!(solver.solve(&task(33, Goal::Count), &mut Discard).is_err());
        if !solver.info().goals.contains(&Goal::Enumerate) {
            assert!(solver.solve(&task(8, Goal::Enumerate), &mut Discard).is_err());
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
        assert_eq!(stored(k.or(va, vb)), each(|a, b| a | b));
        assert_eq!(stored(k.xor(va, vb)), each(|a, b| a ^ b));
        assert_eq!(stored(k.sub(va, vb)), each(u32::wrapping_sub));
        assert_eq!(stored(k.shl(va, 7)), each(|a, _| a << 7));
        assert_eq!(stored(k.shr(va, 9)), each(|a, _| a >> 9));
        assert_eq!(k.disjoint(va, vb), mask(|a, b| a & b == 0));
        let few = random.usize(..K::LANES);
        let mut padded = a[..few].to_vec();
        padded.resize(K::LANES, 0);
        assert_eq!(stored(k.load(&a[..few])), padded);
        let chosen = random.u32(..) & ((1 << K::LANES) - 1);
        let mut expected: Vec<u32> =
            (0..K::LANES).filter(|lane| chosen >> lane & 1 == 1).map(|lane| a[lane]).collect();
        expected.resize(K::LANES, 0);
        assert_eq!(stored(k.compress(chosen, va)), expected);
        let mut packed = vec![0; K::LANES];
        k.pack(chosen, va, &mut packed);
        let count = chosen.count_ones() as usize;
        assert_eq!(packed[..count], expected[..count]);
        check_lines(k, &mut random);
    }
}

fn check_lines<K: Isa>(k: K, random: &mut fastrand::Rng) {
    let mut bits =
        || std::array::from_fn::<u64, 8, _>(|word| if word < K::WIDTH / 64 { random.u64(..) } else { 0 });
    let (a, b, c) = (bits(), bits(), bits());
    let (la, lb, lc) = (k.line(&a), k.line(&b), k.line(&c));
    let each = |f: &dyn Fn(usize) -> u64| std::array::from_fn::<u64, 8, _>(f);
    let bits = |line| {
        let mut bits = [0; 8];
        k.put(line, &mut bits);
        bits
    };
    assert_eq!(bits(k.both(la, lb)), each(&|i| a[i] & b[i]));
    assert_eq!(bits(k.without(la, lb)), each(&|i| a[i] & !b[i]));
    let (carry, sum) = k.add3(la, lb, lc);
    assert_eq!(bits(sum), each(&|i| a[i] ^ b[i] ^ c[i]));
    assert_eq!(bits(carry), each(&|i| a[i] & b[i] | a[i] & c[i] | b[i] & c[i]));
    let (carry, sum) = k.add2(la, lb);
    assert_eq!(bits(sum), each(&|i| a[i] ^ b[i]));
    assert_eq!(bits(carry), each(&|i| a[i] & b[i]));
    assert!(!k.is_empty(la) && k.is_empty(k.line(&[0; 8])));
}

/// Random halves whose masks use only these diagonals, each with about a quarter of them.
fn random_halves(random: &mut fastrand::Rng, len: usize, used: Mask, high_is_shared: bool) -> Halves {
    let mut sparse =
        |used: u32| (0..len).map(|_| random.u32(..) & random.u32(..) & used).collect::<Vec<u32>>();
    let (low, high) = (sparse(used.low), sparse(used.high));
    let (mut shared, mut own) = if high_is_shared { (high, low) } else { (low, high) };
    shared.resize(len + 16, !0);
    own.resize(len + 16, !0);
    Halves { shared, own, len }
}

/// Checks a piece, the filter and the sorter of a kernel against one comparison at a time, on random halves.
fn check_lists<K: Isa>(k: K) {
    let mut random = fastrand::Rng::with_seed(2);
    for (n, len) in
        [(11, 7), (16, 200), (16, 512), (17, 333), (19, 480), (20, 257), (22, 100), (23, 511), (24, 64)]
    {
        let geometry = Geometry::new(n);
        let used = geometry.crossing();
        let tops = random_halves(&mut random, len.min(K::WIDTH), used, false);
        let bottoms = random_halves(&mut random, 1003, used, true);
        let masks = |halves: &Halves| -> Vec<(u32, u32)> {
            (0..halves.len).map(|i| (halves.shared[i], halves.own[i])).collect()
        };
        let mut piece = Piece::default();
        piece.build(k, used, &tops.shared[..tops.len], &tops.own[..tops.len]);
        let all = masks(&tops).into_iter().fold((!0, !0), |all, top| (all.0 & top.0, all.1 & top.1));
        assert_eq!(piece.used_by_all(k, used), Mask { low: all.0, high: all.1 });

        let mut counter = Counter::new(k);
        piece.meet(k, used, &bottoms, &mut counter);
        for (i, (low, high)) in masks(&tops).into_iter().enumerate() {
            let fits =
                |&(bottom_high, bottom_low): &(u32, u32)| bottom_high & high == 0 && bottom_low & low == 0;
            let expected = masks(&bottoms).iter().filter(|bottom| fits(bottom)).count() as u64;
            assert_eq!(counter.sum(k, &lanes::<K>(i, i + 1)), expected, "n = {n}: top {i} of {len}");
        }

        let ruled_out = Mask { low: used.low & 0x0101, high: used.high & 0x0201 };
        let mut kept = Halves::default();
        kept.keep(k, &bottoms, (ruled_out.high, ruled_out.low));
        let mut expected = masks(&bottoms);
        expected.retain(|&(high, low)| high & ruled_out.high == 0 && low & ruled_out.low == 0);
        assert_eq!(masks(&kept), expected, "n = {n}");

        check_sorter(k, &geometry, &mut random, bottoms);
    }
}

/// Checks that the parts of a sorted list contain all of its tops, and that each top uses the keys of its
/// part.
fn check_sorter<K: Isa>(k: K, geometry: &Geometry, random: &mut fastrand::Rng, bottoms: Halves) {
    let mut classes = BottomHalves::default();
    classes.classes[0] = bottoms;
    let mut sorter = Sorter::default();
    for (len, least, most) in [(1, 10, 10), (2000, 300, 300), (2000, 100, 2000), (999, 1, 7)] {
        let tops = random_halves(random, len, geometry.crossing(), false);
        let (mut low, mut high) = (tops.shared[..len].to_vec(), tops.own[..len].to_vec());
        let keys = sorter.sort(k, geometry, 6, &classes, least..=most, &mut low, &mut high);
        let together = |low: &[u32], high: &[u32]| {
            let mut all: Vec<(u32, u32)> = low.iter().copied().zip(high.iter().copied()).collect();
            all.sort_unstable();
            all
        };
        assert_eq!(together(&low, &high), together(&tops.shared[..len], &tops.own[..len]));
        let mut from = 0;
        for &(shared, to) in sorter.parts() {
            assert!((least..=most).contains(&(to - from)) || to == len, "{from}..{to} of {len}");
            let mask = keys.mask(shared);
            let uses = |i: usize| low[i] & mask.low == mask.low && high[i] & mask.high == mask.high;
            assert!((from..to).all(uses), "{from}..{to} of {len}");
            from = to;
        }
        assert_eq!(from, len);
    }
}

#[test]
fn pieces_filters_and_sorters_of_every_kernel_do_what_single_comparisons_do() {
    check_lists(Portable);
    #[cfg(target_arch = "x86_64")]
    {
        let _ = super::arch::avx2::Avx2::detect().map(check_lists);
        let _ = super::arch::avx512::Avx512::detect().map(check_lists);
    }
}

#[test]
fn operations_of_every_kernel_do_what_they_say_on_random_inputs() {
    check_operations(Portable);
    #[cfg(target_arch = "x86_64")]
    {
        let _ = super::arch::avx2::Avx2::detect().map(check_operations);
        let _ = super::arch::avx512::Avx512::detect().map(check_operations);
    }
}

#[test]
fn a_new_counter_sums_to_0_and_lanes_are_counted_from_the_first() {
    assert_eq!(Counter::new(Portable).sum(Portable, &[!0; 8]), 0);
    // Eight lanes of 32: tops 0, 8, 16 ... are bits 0, 1, 2 ... of the first.
    assert_eq!(lanes::<Portable>(0, 3), [1 | 1 << 32, 1, 0, 0, 0, 0, 0, 0]);
    assert_eq!(lanes::<Portable>(7, 10), [2 | 2 << 32, 0, 0, 1 << 32, 0, 0, 0, 0]);
    assert_eq!(lanes::<Portable>(256, 256), [0; 8]);
    assert_eq!(lanes::<Portable>(0, 256), [!0, !0, !0, !0, 0, 0, 0, 0]);
}

#[test]
fn crossing_diagonals_of_all_squares_meet_exactly_where_the_queens_attack_each_other() {
    for n in Geometry::SIZES {
        let geometry = Geometry::new(n);
        let squares = |corner| {
            let squares = (0..geometry.h * geometry.h).map(move |i| (i / geometry.h, i % geometry.h));
            let fields = geometry.fields(corner);
            squares.map(move |(row, column)| {
                let (down, across) = geometry.corner(corner);
                (row + down, column + across, fields.mask(geometry.diagonals(row, column)))
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
