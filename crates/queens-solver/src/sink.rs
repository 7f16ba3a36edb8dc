//! Sinks, the destinations of solutions. There are sinks that store every solution or only the first, compute a digest, judge each
//! solution, or discard it.

use std::fmt;
use std::ops::ControlFlow;

use queens_board::problem::Problem;
use queens_board::{BoardSize, Placement, published};

/// Receives solutions, one at a time.
pub trait Sink {
    /// Receives one solution, as the column of each row. Returns `Break` to end the search.
    fn solution(&mut self, columns: &[u32]) -> ControlFlow<()>;
}

/// Stores the first solution, and ends the search.
#[derive(Debug, Default)]
pub struct First(pub Option<Placement>);

impl Sink for First {
    fn solution(&mut self, columns: &[u32]) -> ControlFlow<()> {
        self.0 = Some(Placement::new(columns));
        ControlFlow::Break(())
    }
}

impl<F: FnMut(&[u32]) -> ControlFlow<()>> Sink for F {
    fn solution(&mut self, columns: &[u32]) -> ControlFlow<()> {
        self(columns)
    }
}

/// Discards every solution.
#[derive(Debug, Default)]
pub struct Discard;

impl Sink for Discard {
    fn solution(&mut self, _columns: &[u32]) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Stores every solution, in order of arrival.
#[derive(Debug, Default)]
pub struct Collect(pub Vec<Placement>);

impl Sink for Collect {
    fn solution(&mut self, columns: &[u32]) -> ControlFlow<()> {
        self.0.push(Placement::new(columns));
        ControlFlow::Continue(())
    }
}

/// An order-independent digest of a multiset of placements, in constant memory: the sum of [`hash`] over all placements modulo
/// 2^128. A repeated placement changes the digest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Digest {
    sum: u128,
    count: u64,
    /// A number that is combined with the hash of each placement; 0 for the plain board.
    salt: u128,
}

impl Digest {
    /// Creates an empty digest for the solutions of a problem. Equal placements have different digests for different problems. For the
    /// plain board, this is [`Digest::default`].
    pub fn of(problem: &Problem) -> Self {
        if problem.is_plain() {
            return Self::default();
        }
        let text: Vec<u32> = problem.canonical_text().bytes().map(u32::from).collect();
        Self { salt: hash(&text), ..Self::default() }
    }

    /// Adds a placement of a board of any size.
    pub fn add(&mut self, columns: &[u32]) {
        self.sum = self.sum.wrapping_add(hash(columns) ^ self.salt);
        self.count += 1;
    }

    /// The number of placements added.
    pub fn count(&self) -> u64 {
        self.count
    }
}

impl Sink for Digest {
    fn solution(&mut self, columns: &[u32]) -> ControlFlow<()> {
        self.add(columns);
        ControlFlow::Continue(())
    }
}

impl fmt::Display for Digest {
    /// The sum as 32 hexadecimal digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.sum)
    }
}

/// The 128-bit hash of a board size and a placement; docs/FORMATS.md has the same function in Python.
///
/// The columns are packed into 64-bit words, with the first column in the lowest bits: four columns per word, or two on boards above
/// [`BoardSize::MAX`]. Each word is mixed into two 64-bit lanes by multiplications and shifts. This is not a cryptographic hash.
pub fn hash(columns: &[u32]) -> u128 {
    const K: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0xd6e8_feb8_6659_fd93];
    let mix = |lane: u64, word: u64, k: u64| {
        let x = (lane ^ word).wrapping_mul(k);
        x ^ x >> 32
    };
    let n = columns.len() as u64;
    let mut lanes = [mix(K[1], n, K[0]), mix(K[0], n, K[1])];
    let (per_word, bits) = if columns.len() > BoardSize::MAX { (2, 32) } else { (4, 16) };
    for part in columns.chunks(per_word) {
        let word = part.iter().rev().fold(0, |word, &column| word << bits | u64::from(column));
        lanes = [mix(lanes[0], word, K[0]), mix(lanes[1], word, K[1])];
    }
    let [high, low] = [mix(lanes[0], n, K[1]), mix(lanes[1], n, K[0])];
    u128::from(high) << 64 | u128::from(low)
}

/// A sink that computes the digest of the boards that it receives, and checks each board against the rules of the problem.
#[derive(Clone, Debug)]
pub struct Judge {
    problem: Problem,
    /// The digest of all boards received, including illegal boards.
    pub digest: Digest,
    /// The number of boards that are not solutions.
    pub illegal: u64,
    /// The first board that is not a solution and has at most [`BoardSize::MAX`] rows.
    pub first_illegal: Option<Placement>,
    /// The legal boards, as keys with 4 bits per column; `None` if repetitions are not detected.
    keys: Option<Vec<u64>>,
}

impl Judge {
    /// The largest board whose columns fit into a key.
    const MAX_KEYED_SIZE: usize = 16;
    /// The maximum number of keys: the number of solutions for n = 16.
    const MAX_KEYS: u64 = 14_772_512;

    /// Creates a judge for a problem.
    pub fn of(problem: &Problem) -> Self {
        let digest = Digest::of(problem);
        Self { problem: problem.clone(), digest, illegal: 0, first_illegal: None, keys: None }
    }

    /// Creates a judge that also detects repeated boards, see [`Judge::repeated`]. Memory: 8 bytes per solution (118 MB at n = 16).
    /// Repetitions are not detected for n > 16, for problems with more than 14,772,512 solutions, for problems whose number of solutions
    /// is not published, and if the memory cannot be allocated.
    pub fn of_distinct(problem: &Problem) -> Self {
        let n = problem.n().get();
        let expected = published::of_problem(problem)
            .map(|(count, _)| count)
            .filter(|&count| n <= Self::MAX_KEYED_SIZE && count <= Self::MAX_KEYS);
        let keys = expected.and_then(|expected| {
            let mut keys = Vec::new();
            keys.try_reserve_exact(usize::try_from(expected).ok()?).ok().map(|()| keys)
        });
        Self { keys, ..Self::of(problem) }
    }

    /// The number of legal boards that were repetitions; `None` if repetitions are not detected, or if more
    /// legal boards were received than the problem has solutions.
    pub fn repeated(&mut self) -> Option<u64> {
        let keys = self.keys.as_mut()?;
        keys.sort_unstable();
        Some(keys.windows(2).filter(|pair| pair[0] == pair[1]).count() as u64)
    }
}

impl Sink for Judge {
    fn solution(&mut self, columns: &[u32]) -> ControlFlow<()> {
        self.digest.add(columns);
        if !self.problem.is_solution(columns) {
            self.illegal += 1;
            if columns.len() <= BoardSize::MAX {
                self.first_illegal.get_or_insert_with(|| Placement::new(columns));
            }
        } else if let Some(keys) = &mut self.keys {
            if keys.len() < keys.capacity() {
                keys.push(columns.iter().fold(0, |key, &column| key << 4 | u64::from(column)));
            } else {
                self.keys = None;
            }
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain_problem(n: usize) -> Problem {
        Problem::queens(BoardSize::new(n).expect("a small board"))
    }

    #[test]
    fn digests_of_the_same_boards_differ_between_problems() {
        let n = BoardSize::new(5).expect("a small board");
        let digest = |text: &str| {
            let mut digest = Digest::of(&Problem::from_text(n, text).expect("a problem"));
            digest.add(&[0_u32, 2, 4, 1, 3]);
            digest.to_string()
        };
        let mut digest_of_queens = Digest::default();
        digest_of_queens.add(&[0_u32, 2, 4, 1, 3]);
        assert_eq!(digest("queens"), digest_of_queens.to_string());
        assert_ne!(digest("queens"), digest("toroidal"));
        assert_ne!(digest("toroidal"), digest("toroidal;place=0:0"));
        let regions = "AAABB/ACCBB/ACCDB/EEDDD/EEEDD";
        let puzzle = |regions: &str| digest(&format!("regions;regions={regions}"));
        assert_eq!(
            puzzle(regions),
            puzzle(&regions.replace('A', "x")),
            "the letters of regions do not matter"
        );
    }

    fn digest(boards: &[&[u32]]) -> Digest {
        let mut digest = Digest::default();
        boards.iter().for_each(|board| digest.add(board));
        digest
    }

    #[test]
    fn digest_ignores_order_and_detects_repeated_boards() {
        let (a, b): (&[u32], &[u32]) = (&[1, 3, 0, 2], &[2, 0, 3, 1]);
        assert_eq!(digest(&[a, b]), digest(&[b, a]));
        assert_ne!(digest(&[a, b]).to_string(), digest(&[a, a]).to_string());
        assert_ne!(digest(&[a, b]).to_string(), digest(&[a]).to_string());
        assert_ne!(digest(&[&[]]).to_string(), digest(&[]).to_string());
        assert_ne!(digest(&[&[0]]).to_string(), digest(&[&[0, 0]]).to_string());
    }

    #[test]
    fn hashes_of_permutations_of_8_columns_are_distinct() {
        let mut columns: Vec<u32> = (0..8).collect();
        let mut hash_halves = [Vec::new(), Vec::new()];
        permute(&mut columns, 0, &mut |c| {
            hash_halves[0].push((hash(c) >> 64) as u64);
            hash_halves[1].push(hash(c) as u64);
        });
        for half in &mut hash_halves {
            half.sort_unstable();
            half.dedup();
            assert_eq!(half.len(), 40320);
        }
    }

    fn permute(columns: &mut [u32], k: usize, visit: &mut impl FnMut(&[u32])) {
        if k == columns.len() {
            return visit(columns);
        }
        for i in k..columns.len() {
            columns.swap(k, i);
            permute(columns, k + 1, visit);
            columns.swap(k, i);
        }
    }

    #[test]
    fn judge_stores_the_first_illegal_board() {
        let mut judge = Judge::of(&plain_problem(4));
        for board in [[1, 3, 0, 2], [0, 1, 2, 3], [0, 0, 0, 0]] {
            assert!(judge.solution(&board).is_continue());
        }
        assert_eq!((judge.digest.count(), judge.illegal, judge.repeated()), (3, 2, None));
        assert_eq!(judge.first_illegal, Some(Placement::new(&[0, 1, 2, 3])));
    }

    #[test]
    fn solution_of_a_smaller_board_is_illegal() {
        let mut judge = Judge::of(&plain_problem(8));
        let _ = judge.solution(&[1, 3, 0, 2]);
        assert_eq!((judge.digest.count(), judge.illegal), (1, 1));
    }

    #[test]
    fn digests_above_1024_use_all_bits_of_columns() {
        let n = 70_000;
        let problem = Problem::queens(BoardSize::large(n as usize).expect("a size"));
        // Queens a knight's move apart are a solution for even n, unless n mod 6 is 2.
        let solution: Vec<u32> = (0..n).map(|row| (2 * row + 1) % (n + 1)).collect();
        let judge_board = |board: &[u32]| {
            let mut judge = Judge::of(&problem);
            let _ = judge.solution(board);
            (judge.illegal, judge.digest.to_string())
        };
        let (illegal, digest) = judge_board(&solution);
        assert_eq!(illegal, 0);
        let mut exchanged_columns = solution.clone();
        exchanged_columns.swap(0, 40_000);
        assert_eq!(judge_board(&exchanged_columns).0, 1);
        assert_eq!(judge_board(&solution[1..]).0, 1, "a board of another size");
        // Columns that differ by 65536 have equal lowest 16 bits.
        let mut changed_columns = solution;
        let column = changed_columns.iter_mut().find(|column| **column < n - 65_536).expect("a low column");
        *column += 65_536;
        assert_ne!(judge_board(&changed_columns).1, digest);
    }

    #[test]
    fn repeated_boards_are_counted_up_to_n_16() {
        let count_repeated = |boards: &[&[u32]]| {
            let mut judge = Judge::of_distinct(&plain_problem(boards[0].len()));
            boards.iter().for_each(|board| assert!(judge.solution(board).is_continue()));
            judge.repeated()
        };
        let (a, b): (&[u32], &[u32]) = (&[1, 3, 0, 2], &[2, 0, 3, 1]);
        assert_eq!(count_repeated(&[a, b]), Some(0));
        assert_eq!(count_repeated(&[b, b]), Some(1));
        let copies = vec![a; 200];
        assert_ne!(count_repeated(&copies), Some(0), "more legal boards than the problem has solutions");
        let large_board: Vec<u32> = (0..17).collect();
        assert_eq!(count_repeated(&[&large_board]), None);
    }
}
