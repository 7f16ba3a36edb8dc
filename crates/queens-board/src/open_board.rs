//! A board on which queens are placed and removed. It records which squares are *open* (no placed queen attacks them) and how many
//! squares are open on each line that needs a queen. Several searchers, the SAT strategy `cubes` and the prover use this state.
//!
//! Placing a queen closes all other open squares on the lines through the queen's square. Removing the queen opens these squares again.
//! The square of a queen stays open. Lines and squares are represented by indices: lines in the order of [`Problem::lines`], which begins
//! with the rows and the columns, and squares row by row.
//!
//! [`Problem::is_solution`], which judges solvers, does not use this file. The solvers based on dancing links, decision diagrams, bit masks
//! and formulas of whole boards do not use it either, so that `verify` can compare solvers with different states for every problem.
//! Cost: placing a queen visits the squares on the lines through its square, which takes O(n) time in most problems. Memory: two
//! integers per pair of a square and a line through it.

use std::sync::Arc;

use super::Square;
use super::problem::{Problem, Rule};

/// The lines of a problem, which do not change during a search.
#[derive(Debug)]
struct Lines {
    n: usize,
    /// The number of lines that need a queen. These lines come first.
    required: usize,
    /// The squares of line `l` are `squares[first_square[l]..first_square[l + 1]]`.
    squares: Vec<u32>,
    first_square: Vec<usize>,
    /// The lines through square `s` are `through[first_line[s]..first_line[s + 1]]`, ascending.
    through: Vec<u32>,
    first_line: Vec<u32>,
}

impl Lines {
    fn new(problem: &Problem) -> Self {
        let n = problem.n().get();
        let (mut squares, mut first_square, mut required) = (Vec::new(), vec![0], 0);
        for line in problem.lines() {
            debug_assert!(line.rule == Rule::AtMostOne || required + 1 == first_square.len());
            required += usize::from(line.rule == Rule::ExactlyOne);
            squares.extend(line.squares.iter().map(|square| stored_index(square.row * n + square.column)));
            first_square.push(squares.len());
        }
        let mut first_line = vec![0; n * n + 1];
        squares.iter().for_each(|&square| first_line[square as usize + 1] += 1);
        (0..n * n).for_each(|square| first_line[square + 1] += first_line[square]);
        let (mut next, mut through) = (first_line.clone(), vec![0; squares.len()]);
        for (line, ends) in first_square.windows(2).enumerate() {
            for &square in &squares[ends[0]..ends[1]] {
                through[next[square as usize] as usize] = stored_index(line);
                next[square as usize] += 1;
            }
        }
        Self { n, required, squares, first_square, through, first_line }
    }

    fn squares_of(&self, line: usize) -> &[u32] {
        &self.squares[self.first_square[line]..self.first_square[line + 1]]
    }

    /// Calls `visit` with the lines through a square that need a queen. The indices of the row and the column are computed, which is
    /// faster than reading these indices from memory.
    #[inline]
    fn for_each_required_line(&self, square: u32, mut visit: impl FnMut(usize)) {
        let n = stored_index(self.n);
        visit((square / n) as usize);
        visit(self.n + (square % n) as usize);
        if self.required > 2 * self.n {
            let other_lines = self.lines_through(square as usize)[2..].iter().map(|&line| line as usize);
            other_lines.take_while(|&line| line < self.required).for_each(visit);
        }
    }

    fn lines_through(&self, square: usize) -> &[u32] {
        &self.through[self.first_line[square] as usize..self.first_line[square + 1] as usize]
    }
}

/// A board with its queens and open squares. Clones share the lines of the problem.
#[derive(Clone, Debug)]
pub struct OpenBoard {
    lines: Arc<Lines>,
    /// For each square, a bit that is set if the square is open.
    open: Vec<u64>,
    /// For each line that needs a queen, the number of open squares.
    open_counts: Vec<u32>,
    /// For each line, the number of queens.
    queen_counts: Vec<u32>,
    queens: Vec<usize>,
    /// The squares that were closed after the board was created, in the order in which they were closed.
    closed: Vec<u32>,
    /// For each queen, the number of squares that were closed before the queen was placed.
    closed_before: Vec<usize>,
}

impl OpenBoard {
    /// Creates a board without queens. A square is open if a search may put a queen on it, see [`Problem::is_open`].
    pub fn new(problem: &Problem) -> Self {
        Self::with_open_squares(problem, |square| problem.is_open(square))
    }

    /// Creates a board without queens, on which the squares that satisfy a condition are open.
    pub fn with_open_squares(problem: &Problem, is_open: impl Fn(Square) -> bool) -> Self {
        let lines = Lines::new(problem);
        let n = lines.n;
        let mut open = vec![0; (n * n).div_ceil(64)];
        for square in (0..n * n).filter(|&square| is_open(Square { row: square / n, column: square % n })) {
            open[square / 64] |= 1 << (square % 64);
        }
        let is_open = |square: &&u32| open[**square as usize / 64] >> (**square % 64) & 1 == 1;
        let open_squares = |line: usize| stored_index(lines.squares_of(line).iter().filter(is_open).count());
        let open_counts = (0..lines.required).map(open_squares).collect();
        let queen_counts = vec![0; lines.first_square.len() - 1];
        let (queens, closed, closed_before) = (Vec::new(), Vec::new(), Vec::new());
        Self { lines: Arc::new(lines), open, open_counts, queen_counts, queens, closed, closed_before }
    }

    /// The side length of the board.
    pub fn n(&self) -> usize {
        self.lines.n
    }

    /// The number of lines.
    pub fn lines(&self) -> usize {
        self.queen_counts.len()
    }

    /// The number of lines that need a queen. These lines come first.
    pub fn required_lines(&self) -> usize {
        self.open_counts.len()
    }

    /// All squares of a line, including closed squares.
    #[inline]
    pub fn squares_of(&self, line: usize) -> impl Iterator<Item = usize> + Clone + '_ {
        self.lines.squares_of(line).iter().map(|&square| square as usize)
    }

    /// The lines through a square, in ascending order.
    #[inline]
    pub fn lines_through(&self, square: usize) -> impl Iterator<Item = usize> + '_ {
        self.lines.lines_through(square).iter().map(|&line| line as usize)
    }

    /// The square with this index.
    #[inline]
    pub fn square(&self, square: usize) -> Square {
        Square { row: square / self.lines.n, column: square % self.lines.n }
    }

    /// The index of a square.
    #[inline]
    pub fn index(&self, square: Square) -> usize {
        square.row * self.lines.n + square.column
    }

    /// Whether a square is open. Squares with a queen are open.
    #[inline]
    pub fn is_open(&self, square: usize) -> bool {
        self.open[square / 64] >> (square % 64) & 1 == 1
    }

    /// The open squares, in ascending order.
    pub fn open_squares(&self) -> impl Iterator<Item = usize> + '_ {
        self.open.iter().enumerate().flat_map(|(index, &word)| {
            let mut word = word;
            std::iter::from_fn(move || {
                let first = (word != 0).then(|| index * 64 + word.trailing_zeros() as usize);
                word &= word.wrapping_sub(1);
                first
            })
        })
    }

    /// The number of open squares of a line that needs a queen.
    #[inline]
    pub fn open_count(&self, line: usize) -> usize {
        self.open_counts[line] as usize
    }

    /// Whether a line has a queen.
    #[inline]
    pub fn has_queen(&self, line: usize) -> bool {
        self.queen_counts[line] > 0
    }

    /// The line with the fewest open squares among the lines that need a queen and have none. On ties, the first of these lines.
    pub fn most_constrained_line(&self) -> Option<usize> {
        (0..self.required_lines())
            .filter(|&line| !self.has_queen(line))
            .min_by_key(|&line| self.open_counts[line])
    }

    /// Puts a queen on an open square.
    #[inline]
    pub fn place(&mut self, queen: usize) {
        self.closed_before.push(self.closed.len());
        self.queens.push(queen);
        let Self { lines, open, open_counts, queen_counts, closed, .. } = self;
        for &line in lines.lines_through(queen) {
            queen_counts[line as usize] += 1;
            for &square in lines.squares_of(line as usize) {
                if square as usize != queen {
                    close(lines, open, open_counts, closed, square);
                }
            }
        }
    }

    /// Closes an open square until the last queen is removed. Does nothing if the square is closed.
    #[inline]
    pub fn close(&mut self, square: usize) {
        let Self { lines, open, open_counts, closed, .. } = self;
        close(lines, open, open_counts, closed, stored_index(square));
    }

    /// Removes the last queen, and opens the squares that were closed since this queen was placed.
    #[inline]
    pub fn undo(&mut self) {
        let (Some(start), Some(queen)) = (self.closed_before.pop(), self.queens.pop()) else { return };
        let Self { lines, open, open_counts, queen_counts, closed, .. } = self;
        for square in closed.drain(start..) {
            open[square as usize / 64] |= 1 << (square % 64);
            lines.for_each_required_line(square, |line| open_counts[line] += 1);
        }
        lines.lines_through(queen).iter().for_each(|&line| queen_counts[line as usize] -= 1);
    }

    /// The squares that were closed since the last queen was placed.
    #[inline]
    pub fn closed_since_last_queen(&self) -> impl Iterator<Item = usize> + '_ {
        let first_index = self.closed_before.last().copied().unwrap_or(0);
        self.closed[first_index..].iter().map(|&square| square as usize)
    }
}

#[inline]
fn close(lines: &Lines, open: &mut [u64], open_counts: &mut [u32], closed: &mut Vec<u32>, square: u32) {
    let (word, bit) = (&mut open[square as usize / 64], 1 << (square % 64));
    if *word & bit == 0 {
        return;
    }
    *word ^= bit;
    closed.push(square);
    lines.for_each_required_line(square, |line| open_counts[line] -= 1);
}

/// Converts an index or a number of squares or lines to the type in which boards store it.
#[allow(
    clippy::cast_possible_truncation,
    reason = "the largest board has 2^20 squares, and fewer than 2^32 lines"
)]
fn stored_index(index: usize) -> u32 {
    index as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BoardSize;
    use crate::problem::{Regions, Variant};

    /// The expected squares are computed from the pairs of squares that attack each other, without lines.
    #[test]
    fn open_squares_are_the_unattacked_squares() {
        let square = |n: usize, square: usize| Square { row: square / n, column: square % n };
        let regions = Regions::from_rows(["AABB", "ACBB", "CCDB", "CDDD"], 1).expect("four regions");
        let named_variants =
            Variant::NAMED.into_iter().flat_map(|variant| (0..=6).map(move |n| (variant.clone(), n)));
        for (variant, n) in named_variants.chain([(Variant::Regions(regions), 4)]) {
            let problem =
                Problem::new(BoardSize::new(n).expect("small"), variant.clone()).expect("a problem");
            let problem = if n == 5 { problem.forbid([square(n, 7)]).expect("a problem") } else { problem };
            let mut board = OpenBoard::new(&problem);
            let lines: Vec<_> = problem.lines().collect();
            let mut queens: Vec<usize> = Vec::new();
            let mut step = 0;
            loop {
                let is_open = |other: usize| {
                    problem.is_open(square(n, other))
                        && queens.iter().all(|&queen| {
                            queen == other || !variant.attacks(n, square(n, queen), square(n, other))
                        })
                };
                let open_squares: Vec<usize> = (0..n * n).filter(|&square| is_open(square)).collect();
                assert_eq!(board.open_squares().collect::<Vec<_>>(), open_squares, "{problem} {queens:?}");
                assert!((0..n * n).all(|square| board.is_open(square) == open_squares.contains(&square)));
                let count_on_line = |line: usize, squares: &[usize]| {
                    squares.iter().filter(|&&other| lines[line].squares.contains(&square(n, other))).count()
                };
                let required_lines = lines.iter().filter(|line| line.rule == Rule::ExactlyOne).count();
                assert_eq!(
                    (board.required_lines(), board.lines(), board.n()),
                    (required_lines, lines.len(), n)
                );
                for square in 0..n * n {
                    let contains_square = |&line: &usize| count_on_line(line, &[square]) > 0;
                    assert!(
                        board.lines_through(square).eq((0..lines.len()).filter(contains_square)),
                        "{problem} {square}"
                    );
                }
                for (line, squares) in lines.iter().map(|line| &line.squares).enumerate() {
                    let line_squares = squares.iter().map(|&square| board.index(square));
                    assert!(board.squares_of(line).eq(line_squares), "{problem} {line}");
                    assert_eq!(board.has_queen(line), count_on_line(line, &queens) > 0);
                    assert!(
                        line >= required_lines
                            || board.open_count(line) == count_on_line(line, &open_squares)
                    );
                }
                let expected_line = (0..required_lines)
                    .filter(|&line| count_on_line(line, &queens) == 0)
                    .min_by_key(|&line| count_on_line(line, &open_squares));
                assert_eq!(board.most_constrained_line(), expected_line);
                // Places a queen on an open square, or removes the last queen at a dead end or after 60 steps.
                step += 1;
                let next_square =
                    open_squares.iter().copied().filter(|square| !queens.contains(square)).nth(step % 3);
                match next_square {
                    Some(next_square) if step < 60 => {
                        board.place(next_square);
                        queens.push(next_square);
                        let other_open = open_squares.iter().filter(|&&other| other != next_square);
                        let attacked_squares = other_open
                            .filter(|&&other| variant.attacks(n, square(n, next_square), square(n, other)));
                        let mut closed: Vec<usize> = board.closed_since_last_queen().collect();
                        closed.sort_unstable();
                        assert_eq!(closed, attacked_squares.copied().collect::<Vec<_>>());
                    }
                    _ if queens.pop().is_some() => board.undo(),
                    _ => break,
                }
            }
        }
    }

    #[test]
    fn undo_reopens_squares_closed_since_the_last_queen() {
        let mut board = OpenBoard::new(&Problem::queens(BoardSize::new(5).expect("small")));
        let initial_squares: Vec<usize> = board.open_squares().collect();
        let corner = board.index(Square { row: 0, column: 0 });
        board.place(corner);
        let distant_square = board.index(Square { row: 4, column: 3 });
        assert_eq!(
            (board.square(distant_square), board.is_open(distant_square)),
            (Square { row: 4, column: 3 }, true)
        );
        let open_count = board.open_count(4);
        board.close(distant_square);
        board.close(distant_square);
        assert_eq!((board.is_open(distant_square), board.open_count(4)), (false, open_count - 1));
        assert!(board.closed_since_last_queen().any(|square| square == distant_square));
        board.undo();
        assert_eq!(board.open_squares().collect::<Vec<_>>(), initial_squares);
        assert_eq!((board.open_count(4), board.has_queen(0)), (5, false));
    }
}
