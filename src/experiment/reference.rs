//! The digest of the set of all solutions of a small board, enumerated once per process.

use std::sync::OnceLock;

use crate::backtrack::solutions;
use crate::board::problem::Problem;
use crate::board::{self, Placement, Square, known};
use crate::solver::sink::Digest;

/// The largest board that is enumerated. It takes about 10 ms; each smaller board takes about a fifth of the
/// next.
pub const LARGEST: usize = 12;

/// The digest of all solutions on an `n` by `n` board, as in the column `digest`; `None` above
/// [`LARGEST`].
pub fn digest(n: usize) -> Option<&'static str> {
    static DIGESTS: [OnceLock<Option<String>>; LARGEST + 1] = [const { OnceLock::new() }; LARGEST + 1];
    DIGESTS.get(n)?.get_or_init(|| enumerate(n)).as_deref()
}

/// Enumerates all solutions. The result is used only if every board is legal, each is greater than the one
/// before it, and their number is the published one: then the boards are exactly the solutions.
fn enumerate(n: usize) -> Option<String> {
    let boards: Vec<Placement> = solutions(n).ok()?.collect();
    let is_sound = boards.iter().all(|board| board.size() == n && board.is_solution())
        && boards.windows(2).all(|pair| pair[0] < pair[1])
        && known::solutions(n) == Some(boards.len() as u64);
    let mut digest = Digest::default();
    boards.iter().for_each(|board| digest.add(board.columns()));
    is_sound.then(|| digest.to_string())
}

/// The number of solutions of a problem, and its source: published, or counted by the definition if that is quick.
pub fn count(problem: &Problem) -> Option<(u64, &'static str)> {
    known::published(problem).or_else(|| Some((Defined::of(problem)?.solutions, "the definition")))
}

/// The solutions of a problem by its definition: an independent search that knows only which squares attack each
/// other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Defined {
    /// The number of solutions.
    pub solutions: u64,
    /// The digest of all solutions, as in the column `digest`.
    pub digest: String,
}

impl Defined {
    /// The largest board that is searched: its rows fit into 32 bits, and the table of attacks into 300 kB.
    const LARGEST: usize = 16;
    /// The most placements that are looked at, which takes some 20 ms.
    const MOST_NODES: u32 = 200_000;

    /// Enumerates all solutions; `None` if that would take too long. A row with the fewest squares left is filled
    /// first.
    pub fn of(problem: &Problem) -> Option<Self> {
        let n = problem.n().get();
        if n > Self::LARGEST {
            return None;
        }
        let squares = || (0..n * n).map(|at| Square { row: at / n, column: at % n });
        let mut left = vec![0_u32; n];
        for square in squares().filter(|&square| problem.is_open(square)) {
            left[square.row] |= 1 << square.column;
        }
        let in_row = |queen: Square, row: usize| {
            let free = |&column: &usize| !problem.variant().attacks(n, queen, Square { row, column });
            (0..n).filter(free).fold(0, |mask, column| mask | 1 << column)
        };
        let kept = squares().map(|queen| (0..n).map(|row| in_row(queen, row)).collect()).collect();
        let mut search = Definition { n, kept, digest: Digest::of(problem), nodes: 0, columns: vec![0; n] };
        search
            .fill(left, (1_u32 << n) - 1)
            .then(|| Self { solutions: search.digest.count(), digest: search.digest.to_string() })
    }
}

struct Definition {
    n: usize,
    /// For each square, the columns of each row that a queen there does not attack.
    kept: Vec<Vec<u32>>,
    digest: Digest,
    nodes: u32,
    columns: Vec<u16>,
}

impl Definition {
    /// Fills the rows in `open` with the columns that are left in each; false if that takes too long.
    fn fill(&mut self, left: Vec<u32>, open: u32) -> bool {
        self.nodes += 1;
        let rows = (0..self.n).filter(|row| open >> row & 1 == 1);
        let Some(row) = rows.min_by_key(|&row| left[row].count_ones()) else {
            self.digest.add(&self.columns);
            return true;
        };
        (0..self.n).filter(|column| left[row] >> column & 1 == 1).all(|column| {
            self.columns[row] = board::column(column);
            let kept = &self.kept[row * self.n + column];
            let left = left.iter().zip(kept).map(|(left, kept)| left & kept).collect();
            self.nodes < Defined::MOST_NODES && self.fill(left, open & !(1 << row))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::BoardSize;

    /// docs/FORMATS.md has the digests of n = 0, 2, 3 and 4.
    #[test]
    fn small_boards_have_a_digest_and_large_ones_have_none() {
        assert_eq!(digest(4), Some("2939f457759c4537420d395ba5c1ccec"));
        assert_eq!(digest(3), Some("00000000000000000000000000000000"));
        assert_eq!(digest(0), Some("873e6848283318eb8efd1db630f52133"));
        assert!((0..=LARGEST).all(|n| digest(n).is_some()));
        assert_eq!(digest(LARGEST + 1), None);
    }

    #[test]
    fn the_definition_agrees_with_published_counts_and_with_the_plain_board() {
        use crate::board::problem::Variant;
        for variant in Variant::NAMED {
            for n in 1..=7 {
                let problem =
                    Problem::new(BoardSize::new(n).expect("small"), variant.clone()).expect("a problem");
                let defined = Defined::of(&problem).expect("small");
                let published = known::published(&problem).map(|(count, _)| count);
                assert!(published.is_none_or(|count| count == defined.solutions), "{problem} {n}");
                if problem.is_plain() {
                    assert_eq!(Some(defined.digest.as_str()), digest(n));
                }
            }
        }
        let large = |n| Defined::of(&Problem::queens(BoardSize::new(n).expect("a board")));
        assert_eq!((large(16), large(17)), (None, None), "too many nodes, too many rows");
    }
}
