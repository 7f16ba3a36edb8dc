//! Properties of the board that hold for arbitrary placements, prefixes, lists of sizes and multisets.

use std::collections::BTreeSet;

use proptest::prelude::*;

use queenlab::board::prefix::Prefix;
use queenlab::board::sizes::Sizes;
use queenlab::board::symmetry::{Symmetry, canonical, is_canonical, orbit};
use queenlab::board::{BoardSize, first_attack, is_solution, squares};
use queenlab::solver::sink::{Digest, hash};

/// A permutation of up to 12 columns.
fn permutation() -> impl Strategy<Value = Vec<u32>> {
    (0..=12_u32).prop_flat_map(|n| Just((0..n).collect::<Vec<u32>>()).prop_shuffle())
}

/// Any placement: a column for each row, which may be outside the board.
fn placement() -> impl Strategy<Value = Vec<u32>> {
    (1..=9_u32).prop_flat_map(|n| prop::collection::vec(0..=n, n as usize))
}

fn solutions(n: usize) -> Vec<Vec<u32>> {
    Prefix::all(n, n).iter().map(|prefix| prefix.columns().to_vec()).collect()
}

/// A solution of 4 to 8 queens.
fn solution() -> impl Strategy<Value = Vec<u32>> {
    (4..=8_usize).prop_flat_map(|n| prop::sample::select(solutions(n)))
}

fn image(symmetry: Symmetry, columns: &[u32]) -> Vec<u32> {
    let mut image = vec![u32::MAX; columns.len()];
    symmetry.map(columns, &mut image);
    image
}

/// The number of pairs of queens that attack each other.
fn attacks(columns: &[u32]) -> usize {
    let queens: Vec<_> = squares(columns).collect();
    let pairs = queens
        .iter()
        .enumerate()
        .flat_map(|(row, queen)| queens[..row].iter().map(move |other| (queen, other)));
    pairs.filter(|(queen, other)| queen.attacks(**other)).count()
}

fn digest(boards: &[Vec<u32>]) -> Digest {
    let mut digest = Digest::default();
    boards.iter().for_each(|board| digest.add(board));
    digest
}

fn sum(digest: &Digest) -> u128 {
    u128::from_str_radix(&digest.to_string(), 16).expect("hexadecimal digits")
}

proptest! {
    #[test]
    fn placement_without_attacks_is_a_solution(columns in placement()) {
        let is_on_board = columns.iter().all(|&column| (column as usize) < columns.len());
        prop_assert_eq!(is_solution(&columns), is_on_board && attacks(&columns) == 0);
        prop_assert_eq!(first_attack(&columns).is_some(), attacks(&columns) > 0);
        if let Some((upper, lower)) = first_attack(&columns) {
            prop_assert!(upper.attacks(lower) && lower.attacks(upper) && upper.row < lower.row);
        }
    }

    #[test]
    fn symmetric_images_have_equally_many_attacks(columns in permutation()) {
        for symmetry in Symmetry::ALL {
            let image = image(symmetry, &columns);
            prop_assert_eq!(image.iter().copied().collect::<BTreeSet<_>>().len(), columns.len());
            prop_assert_eq!(attacks(&image), attacks(&columns));
            prop_assert_eq!(is_solution(&image), is_solution(&columns));
        }
    }

    #[test]
    fn symmetric_images_of_a_solution_are_solutions(columns in solution()) {
        for symmetry in Symmetry::ALL {
            prop_assert!(is_solution(&image(symmetry, &columns)));
        }
    }

    /// The symmetries form a group, so the size of an orbit divides 8, and an image of an image is an image.
    #[test]
    fn orbits_are_closed_and_their_sizes_divide_8(columns in permutation()) {
        let images = orbit(&columns);
        prop_assert!(images.contains(&columns) && 8 % images.len() == 0);
        prop_assert!(images.is_sorted());
        for member in &images {
            prop_assert_eq!(&orbit(member), &images);
        }
        for symmetry in Symmetry::ALL {
            prop_assert!(images.contains(&image(symmetry, &columns)));
        }
    }

    #[test]
    fn every_orbit_has_one_canonical_member(columns in permutation()) {
        let canonical_board = canonical(&columns);
        prop_assert_eq!(&canonical(&canonical_board), &canonical_board);
        for member in orbit(&columns) {
            prop_assert_eq!(&canonical(&member), &canonical_board);
            prop_assert_eq!(is_canonical(&member), member == canonical_board);
        }
    }

    #[test]
    fn prefixes_of_any_depth_partition_the_solutions(n in 0..=8_usize, depth in 0..=9_usize) {
        let prefixes = Prefix::all(n, depth);
        prop_assert!(prefixes.is_sorted());
        for solution in solutions(n) {
            prop_assert_eq!(prefixes.iter().filter(|prefix| prefix.is_start_of(&solution)).count(), 1);
        }
        for prefix in &prefixes {
            prop_assert_eq!(prefix.columns().len(), depth.min(n));
            prop_assert_eq!(first_attack(prefix.columns()), None);
        }
    }

    #[test]
    fn list_of_sizes_round_trips(sizes in prop::collection::btree_set(0..=BoardSize::MAX, 1..40)) {
        let list_text = sizes.iter().rev().map(usize::to_string).collect::<Vec<_>>().join(",");
        let parsed_sizes: Sizes = list_text.parse().expect("a list");
        prop_assert_eq!(parsed_sizes.iter().map(BoardSize::get).collect::<BTreeSet<_>>(), sizes);
        prop_assert_eq!(parsed_sizes.to_string().parse(), Ok(parsed_sizes));
    }

    #[test]
    fn range_with_step_k_contains_every_kth_size(first in 0..=1024_usize, length in 0..=100_usize, step in 1..=30_usize) {
        let last_size = (first + length).min(BoardSize::MAX);
        let parsed_sizes: Sizes = format!("{first}-{last_size}:{step}").parse().expect("a range");
        let expected: Vec<usize> = (first..=last_size).step_by(step).collect();
        prop_assert_eq!(parsed_sizes.iter().map(BoardSize::get).collect::<Vec<_>>(), expected);
        let all_sizes: Sizes = format!("{first}-{last_size}").parse().expect("a range");
        prop_assert_eq!(parsed_sizes.common(&all_sizes), Some(parsed_sizes));
    }

    #[test]
    fn random_lists_of_sizes_cause_no_panic(text in "[0-9,:. -]{0,12}|\\PC{0,12}") {
        if let Ok(sizes) = text.parse::<Sizes>() {
            prop_assert!(sizes.iter().count() > 0);
        }
    }

    #[test]
    fn digest_does_not_depend_on_board_order(
        (boards, shuffled) in prop::collection::vec(permutation(), 0..20)
            .prop_flat_map(|boards| (Just(boards.clone()), Just(boards).prop_shuffle())),
    ) {
        prop_assert_eq!(digest(&boards), digest(&shuffled));
    }

    /// The digest of a union of disjoint sets of boards is the sum of their digests, so subproblems can be digested separately.
    #[test]
    fn digest_of_all_boards_is_sum_of_parts(
        boards in prop::collection::vec(permutation(), 0..20),
        cut in any::<prop::sample::Index>(),
    ) {
        let (first, second) = boards.split_at(cut.index(boards.len() + 1));
        let (first, second, union) = (digest(first), digest(second), digest(&boards));
        prop_assert_eq!(sum(&union), sum(&first).wrapping_add(sum(&second)));
        prop_assert_eq!(union.count(), first.count() + second.count());
        let hashes = boards.iter().fold(0, |sum: u128, board| sum.wrapping_add(hash(board)));
        prop_assert_eq!(sum(&union), hashes);
    }

    #[test]
    fn digest_detects_missing_repeated_or_changed_board(
        boards in prop::collection::vec(permutation(), 1..20),
        at in any::<prop::sample::Index>(),
        other in permutation(),
    ) {
        let at = at.index(boards.len());
        let mut changed_boards = boards.clone();
        changed_boards[at] = other;
        prop_assert_eq!(sum(&digest(&changed_boards)) == sum(&digest(&boards)), changed_boards == boards);
        let mut boards_with_repetition = boards.clone();
        boards_with_repetition.push(boards[at].clone());
        prop_assert_ne!(sum(&digest(&boards_with_repetition)), sum(&digest(&boards)));
        let mut remaining_boards = boards.clone();
        remaining_boards.remove(at);
        prop_assert_ne!(sum(&digest(&remaining_boards)), sum(&digest(&boards)));
    }
}
