//! Digests and counts of all solutions, which answers are compared with. The solutions of a small board are enumerated at most
//! once per process.

use std::sync::OnceLock;

use crate::backtrack::solutions;
use crate::board::problem::Problem;
use crate::board::{Placement, published};
use crate::solver::definition::SolutionsByDefinition;
use crate::solver::sink::Digest;

/// The maximum size of boards that are enumerated. The enumeration for this size takes about 10 ms. Each size takes about five
/// times as long as the next smaller size.
pub const MAX_SIZE: usize = 12;

/// The digest of all solutions on an `n` by `n` board, as in the column `digest`; `None` above [`MAX_SIZE`].
pub fn digest(n: usize) -> Option<&'static str> {
    static DIGESTS: [OnceLock<Option<String>>; MAX_SIZE + 1] = [const { OnceLock::new() }; MAX_SIZE + 1];
    DIGESTS.get(n)?.get_or_init(|| enumerate(n)).as_deref()
}

/// Enumerates all solutions. Returns a digest only if every board is legal, each is greater than the previous one, and their
/// number is the published one. The boards are then exactly the solutions.
fn enumerate(n: usize) -> Option<String> {
    let boards: Vec<Placement> = solutions(n).ok()?.collect();
    let is_sound = boards.iter().all(|board| board.size() == n && board.is_solution())
        && boards.windows(2).all(|pair| pair[0] < pair[1])
        && published::solutions(n) == Some(boards.len() as u64);
    let mut digest = Digest::default();
    boards.iter().for_each(|board| digest.add(board.columns()));
    is_sound.then(|| digest.to_string())
}

/// The number of solutions of a problem, and its source: a publication, or counting by the definition if that is fast.
pub fn count(problem: &Problem) -> Option<(u64, &'static str)> {
    published::of_problem(problem)
        .or_else(|| Some((SolutionsByDefinition::of(problem)?.solutions, "the definition")))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// docs/FORMATS.md has the digests of n = 0, 2, 3 and 4.
    #[test]
    fn digest_exists_only_for_small_boards() {
        assert_eq!(digest(4), Some("2939f457759c4537420d395ba5c1ccec"));
        assert_eq!(digest(3), Some("00000000000000000000000000000000"));
        assert_eq!(digest(0), Some("873e6848283318eb8efd1db630f52133"));
        assert!((0..=MAX_SIZE).all(|n| digest(n).is_some()));
        assert_eq!(digest(MAX_SIZE + 1), None);
    }
}
