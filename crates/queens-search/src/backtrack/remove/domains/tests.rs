use std::collections::BTreeSet;

use super::*;
use queens_board::problem::{Regions, Variant};
use queens_board::{self as board, BoardSize, Square};

fn rows(domains: &impl Domains, n: usize) -> Vec<Vec<u32>> {
    let values = |row| {
        let values: Vec<u32> = domains.values(row).map(board::column).collect();
        assert_eq!(values.len(), domains.size(row));
        values
    };
    (0..n).map(values).collect()
}

/// The expected domains after `remove_unsupported`, computed from the pairs of squares that attack each other.
fn expected_domains(problem: &Problem, domains: &[Vec<u32>], row: usize) -> Vec<Vec<u32>> {
    let n = domains.len();
    let square = |row: usize, column: u32| Square { row, column: column as usize };
    let has_support = |other: usize, column: u32| {
        let supports = domains[row].iter().map(|&column| square(row, column));
        other == row
            || supports
                .into_iter()
                .any(|support| !problem.variant().attacks(n, support, square(other, column)))
    };
    let supported_columns =
        |other: usize| domains[other].iter().copied().filter(|&column| has_support(other, column)).collect();
    (0..n).map(supported_columns).collect()
}

/// Compares the two implementations with each other and with [`expected_domains`], while queens are placed on random squares and
/// removed.
fn compare(problem: &Problem, steps: usize, random: &mut fastrand::Rng) {
    let n = problem.n().get();
    let (mut masks, mut lines) = (Masks::initial(problem), LineDomains::initial(problem));
    let mut history = vec![rows(&masks, n)];
    for _ in 0..steps {
        let domains_before = rows(&masks, n);
        assert_eq!(rows(&lines, n), domains_before, "{problem}, n = {n}");
        let row = random.usize(..n);
        let must_undo = history.len() > n || domains_before.iter().any(Vec::is_empty);
        if must_undo || (history.len() > 1 && random.u8(..4) == 0) {
            masks.undo();
            lines.undo();
            assert_eq!(rows(&masks, n), history.pop().expect("a level"), "{problem}, n = {n}");
            continue;
        }
        let column = domains_before[row][random.usize(..domains_before[row].len())];
        let removed = |domains: &dyn Fn(usize) -> usize| {
            domains(column as usize).cast_signed() - domains(domains_before[row][0] as usize).cast_signed()
        };
        assert_eq!(
            removed(&|column| masks.removed_by(row, column)),
            removed(&|column| lines.removed_by(row, column)),
            "{problem}, n = {n}"
        );
        history.push(domains_before.clone());
        let mut assigned = domains_before.clone();
        assigned[row] = vec![column];
        let expected = expected_domains(problem, &assigned, row);
        let is_alive = expected.iter().all(|row| !row.is_empty());
        assert_eq!(masks.place(row, column as usize), is_alive);
        assert_eq!(lines.place(row, column as usize), is_alive);
        assert_eq!(rows(&masks, n), expected, "{problem}, n = {n}");
        let reduced: BTreeSet<usize> =
            (0..n).filter(|&row| expected[row].len() < domains_before[row].len()).collect();
        let (mut reduced_in_masks, mut reduced_in_lines) = (BTreeSet::new(), BTreeSet::new());
        masks.for_each_reduced(|row| _ = reduced_in_masks.insert(row));
        lines.for_each_reduced(|row| _ = reduced_in_lines.insert(row));
        assert_eq!([reduced_in_masks, reduced_in_lines], [reduced.clone(), reduced], "{problem}, n = {n}");
        let filter_row = random.usize(..n);
        if is_alive {
            let supported_domains = expected_domains(problem, &expected, filter_row);
            let changes = [masks.remove_unsupported(filter_row), lines.remove_unsupported(filter_row)];
            assert_eq!(rows(&masks, n), supported_domains, "{problem}, n = {n}");
            let change = match supported_domains.iter().any(Vec::is_empty) {
                true => Change::Wiped,
                false if supported_domains == expected => Change::Nothing,
                false => Change::Smaller,
            };
            assert_eq!(changes, [change; 2]);
            for bound in [masks.max_support(), lines.max_support()] {
                assert!(change == Change::Nothing || expected[filter_row].len() <= bound);
            }
        }
    }
}

#[test]
fn mask_and_line_domains_remove_and_restore_equally() {
    let mut random = fastrand::Rng::with_seed(1);
    for variant in Variant::NAMED {
        for n in 1..=7 {
            let problem = Problem::new(BoardSize::new(n).expect("small"), variant.clone());
            compare(&problem.expect("a problem"), 200, &mut random);
        }
    }
}

/// A mask has 16, 32 or 64 bits.
#[test]
fn masks_of_each_width_remove_the_same_squares() {
    let mut random = fastrand::Rng::with_seed(2);
    for n in [16, 17, 32, 33, 64] {
        compare(&Problem::queens(BoardSize::new(n).expect("small")), 40, &mut random);
    }
}

#[test]
fn attacked_square_count_never_exceeds_max_support() {
    let regions = Regions::from_rows(["AABBC", "AABBC", "DDEEC", "DDEEC", "DDEEC"], 1).expect("five regions");
    let variants = Variant::NAMED.into_iter().chain([Variant::Regions(regions)]);
    for problem in variants.map(|variant| Problem::new(BoardSize::new(5).expect("small"), variant)) {
        let problem = problem.expect("a problem");
        let squares = || (0..25).map(|square| Square { row: square / 5, column: square % 5 });
        let attacked = |square: Square, row| {
            let in_row = squares().filter(|other| other.row == row && row != square.row);
            in_row.filter(|&other| problem.variant().attacks(5, square, other)).count()
        };
        let expected = squares().flat_map(|square| (0..5).map(move |row| attacked(square, row))).max();
        assert_eq!(Some(Masks::initial(&problem).max_support()), expected, "{problem}");
        let bound = LineDomains::initial(&problem).max_support();
        assert!(
            Some(bound) >= expected && (bound == 3 || problem != Problem::queens(problem.n())),
            "{problem}: {bound}"
        );
    }
}
