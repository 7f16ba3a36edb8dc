//! Classes of solutions under rotations and reflections, from the number of all solutions.
//!
//! No solution of n >= 2 is its own mirror image. Of Q solutions, P are fixed by a half turn, and R of these by a quarter
//! turn (OEIS A000170, A032522, A033148), so that (Q - P) / 8 classes have 8 boards, (P - R) / 4 have 4, and R / 2
//! have 2. Their sum is the number of fundamental solutions F (A002562), and 8 F = Q + P + 2 R (Burnside's lemma).
//! Cost: P and R are searched by placing a queen together with its images; n = 18 takes milliseconds, n = 22 seconds.

/// Occupied lines: rows, columns, rising and falling diagonals. Boards up to n = 32.
#[derive(Clone, Copy, Default)]
struct Taken {
    rows: u64,
    columns: u64,
    rising: u64,
    falling: u64,
}

impl Taken {
    /// Adds a queen on each of the squares; `None` if any two queens attack each other.
    fn with(mut self, n: usize, squares: &[(usize, usize)]) -> Option<Self> {
        for &(row, column) in squares {
            let queen = Taken {
                rows: 1 << row,
                columns: 1 << column,
                rising: 1 << (row + column),
                falling: 1 << (row + n - 1 - column),
            };
            let attacked = self.rows & queen.rows | self.columns & queen.columns;
            if attacked | self.rising & queen.rising | self.falling & queen.falling != 0 {
                return None;
            }
            self.rows |= queen.rows;
            self.columns |= queen.columns;
            self.rising |= queen.rising;
            self.falling |= queen.falling;
        }
        Some(self)
    }
}

/// Maps the row and column of a square of an n by n board to all images of the square.
type Images<const IMAGES: usize> = fn(usize, usize, usize) -> [(usize, usize); IMAGES];

/// Counts boards that contain all images of each of their queens.
fn closed<const IMAGES: usize>(n: usize, images: Images<IMAGES>) -> u64 {
    fn search<const IMAGES: usize>(n: usize, images: Images<IMAGES>, taken: Taken) -> u64 {
        let row = taken.rows.trailing_ones() as usize;
        if row == n {
            return 1;
        }
        let free = (0..n).filter(|column| taken.columns >> column & 1 == 0);
        let next = free.filter_map(|column| taken.with(n, &images(n, row, column)));
        next.map(|taken| search(n, images, taken)).sum()
    }
    // Only the centre is its own image, and the middle row needs a queen.
    let centre = [(n / 2, n / 2)];
    let start = Taken::default().with(n, if n.is_multiple_of(2) { &[] } else { &centre });
    start.map_or(0, |taken| search(n, images, taken))
}

/// Number of solutions that a half turn maps to themselves (A032522), 1 <= n <= 32.
pub fn fixed_by_half_turn(n: usize) -> u64 {
    closed(n, |n, row, column| [(row, column), (n - 1 - row, n - 1 - column)])
}

/// Number of solutions that a quarter turn maps to themselves (A033148), 1 <= n <= 32.
pub fn fixed_by_quarter_turn(n: usize) -> u64 {
    closed(n, |n, row, column| {
        let (r, c) = (n - 1 - row, n - 1 - column);
        [(row, column), (column, r), (r, c), (c, row)]
    })
}

/// The classes of boards that rotations and reflections map to each other, by their size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Classes {
    /// Without any symmetry (A260320).
    pub of_eight: u128,
    /// That a half turn maps to themselves (A260319).
    pub of_four: u128,
    /// That a quarter turn maps to themselves (A260318 from n = 2 on).
    pub of_two: u128,
    /// The only board of n = 0 or 1.
    pub of_one: u128,
}

impl Classes {
    /// The classes of a board with `solutions` solutions; n <= 32. `None` if `solutions` cannot be right, because the
    /// classes would not be whole.
    pub fn of(n: usize, solutions: u128) -> Option<Self> {
        if n <= 1 {
            return Some(Self { of_eight: 0, of_four: 0, of_two: 0, of_one: solutions });
        }
        let (half, quarter) = (fixed_by_half_turn(n).into(), fixed_by_quarter_turn(n).into());
        let whole = |boards: u128, fixed: u128, size: u128| {
            boards.checked_sub(fixed).filter(|left| left.is_multiple_of(size)).map(|left| left / size)
        };
        Some(Self {
            of_eight: whole(solutions, half, 8)?,
            of_four: whole(half, quarter, 4)?,
            of_two: whole(quarter, 0, 2)?,
            of_one: 0,
        })
    }

    /// The numbers of classes with the size of each, large classes first.
    pub fn by_size(&self) -> [(u8, u128); 4] {
        [(8, self.of_eight), (4, self.of_four), (2, self.of_two), (1, self.of_one)]
    }

    /// Number of fundamental solutions (A002562): one per class.
    pub fn fundamental(&self) -> u128 {
        self.by_size().iter().map(|(_, classes)| classes).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens_board::{known, prefix::Prefix, symmetry::Symmetry};

    #[test]
    fn fixed_boards_are_those_among_all_solutions_that_a_turn_maps_to_themselves() {
        for n in 1..=10 {
            let all = Prefix::all(n, n);
            let fixed = |turn: Symmetry| {
                let image = |board: &[u32]| {
                    let mut image = vec![0; n];
                    turn.map(board, &mut image);
                    image
                };
                all.iter().filter(|board| image(board.columns()) == board.columns()).count() as u64
            };
            let [_, half, quarter, _] = Symmetry::ROTATIONS;
            assert_eq!(fixed_by_half_turn(n), fixed(half), "n = {n}");
            assert_eq!(fixed_by_quarter_turn(n), fixed(quarter), "n = {n}");
        }
    }

    #[test]
    fn fundamental_solutions_are_as_published() {
        for n in 1..=16 {
            let solutions = known::solutions(n).expect("published");
            let published = known::fundamental_solutions(n).map(u128::from);
            let classes = Classes::of(n, u128::from(solutions));
            assert_eq!(classes.map(|classes| classes.fundamental()), published, "n = {n}");
        }
        assert_eq!(Classes::of(8, 91), None);
    }

    /// OEIS A032522, A033148, A260320, A260319 and A260318, and Burnside's lemma: 8 F = Q + P + 2 R.
    #[test]
    fn classes_are_as_published() {
        for line in include_str!("../../queens-board/src/known/solution_counts.csv").lines().skip(1).take(18)
        {
            let fields: Vec<u128> = line.split(',').map_while(|field| field.parse().ok()).collect();
            let [n, all, fundamental, half, quarter, eight, four, two] = fields[..] else { panic!("{line}") };
            let size = usize::try_from(n).expect("a size");
            let classes = Classes::of(size, all).expect("whole");
            let of_two = classes.of_two + classes.of_one;
            assert_eq!((classes.of_eight, classes.of_four, of_two), (eight, four, two), "n = {n}");
            if n >= 2 {
                assert_eq!(classes.of_one, 0);
                assert_eq!(8 * fundamental, all + half + 2 * quarter, "n = {n}");
                assert_eq!(u128::from(fixed_by_half_turn(size)), half, "n = {n}");
                assert_eq!(u128::from(fixed_by_quarter_turn(size)), quarter, "n = {n}");
            }
        }
    }
}
