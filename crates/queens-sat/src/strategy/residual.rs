//! The rest of a board after the queens of a cube, as a formula.

use super::lookahead::{Lookahead, MOST_SQUARES};
use crate::am1::AtMostOne;
use crate::cnf::{Cnf, Lit, variable};
use queens_board::Square;
use queens_board::problem::{Problem, Rule};

/// The lines of a problem, and the lines of each square.
pub struct Lines {
    n: usize,
    all: Vec<(Rule, Vec<Square>)>,
    of: Vec<Vec<usize>>,
}

impl Lines {
    pub fn new(problem: &Problem) -> Self {
        let n = problem.n().get();
        let all: Vec<_> = problem.lines().map(|line| (line.rule, line.squares)).collect();
        let mut of = vec![Vec::new(); n * n];
        for (number, (_, line)) in all.iter().enumerate() {
            for square in line {
                of[square.row * n + square.column].push(number);
            }
        }
        Self { n, all, of }
    }

    /// The numbers of the lines that contain a square.
    fn of(&self, square: Square) -> &[usize] {
        &self.of[square.row * self.n + square.column]
    }
}

/// The rest of a board, and its formula: both are built again for each cube, in the same memory.
pub struct Residual<'a> {
    lines: &'a Lines,
    /// Whether a queen of the cube is on a line.
    taken: Vec<bool>,
    /// The square of each variable.
    pub squares: Vec<Square>,
    /// The variables on each line.
    on: Vec<Vec<Lit>>,
    lookahead: Lookahead,
    /// The formula.
    pub cnf: Cnf,
}

impl<'a> Residual<'a> {
    pub fn new(lines: &'a Lines) -> Self {
        Self {
            lines,
            taken: vec![false; lines.all.len()],
            squares: Vec::new(),
            on: vec![Vec::new(); lines.all.len()],
            lookahead: Lookahead::default(),
            cnf: Cnf::default(),
        }
    }

    /// Finds the squares that the queens of a cube do not attack, and that may hold a queen.
    pub fn restrict(&mut self, cube: &[Square], may_hold: impl Fn(Square) -> bool) {
        self.taken.fill(false);
        for &queen in cube {
            self.lines.of(queen).iter().for_each(|&line| self.taken[line] = true);
        }
        let Self { lines, taken, squares, .. } = self;
        let free = |&square: &Square| lines.of(square).iter().all(|&line| !taken[line]) && may_hold(square);
        let n = lines.n;
        let all = (0..n).flat_map(|row| (0..n).map(move |column| Square { row, column }));
        squares.clear();
        squares.extend(all.filter(free));
        self.number();
    }

    /// The free squares of the line that needs a queen and has the fewest.
    pub fn fewest(&self) -> impl Iterator<Item = Square> {
        let lines = self.lines.all.iter().zip(&self.taken).zip(&self.on);
        let needed = lines.filter(|(((rule, _), taken), _)| *rule == Rule::ExactlyOne && !**taken);
        let fewest = needed.map(|(_, on)| &on[..]).min_by_key(|on| on.len()).unwrap_or_default();
        fewest.iter().map(|lit| self.squares[lit.variable() as usize - 1])
    }

    /// Excludes squares by look-ahead.
    pub fn look_ahead(&mut self) {
        let Self { lines, taken, squares, on, lookahead, .. } = self;
        if squares.len() <= MOST_SQUARES {
            lookahead.reset(squares.len());
            for (((rule, _), taken), on) in lines.all.iter().zip(taken).zip(on) {
                let line = on.iter().fold(0, |line, lit| line | 1 << (lit.variable() - 1));
                lookahead.add_line(line, *rule == Rule::ExactlyOne && !*taken);
            }
            lookahead.run();
            let mut bits = 0..MOST_SQUARES;
            squares.retain(|_| bits.next().is_some_and(|bit| lookahead.open >> bit & 1 == 1));
        }
        self.order();
    }

    /// Solvers decide the first variables first as long as they have learned nothing. These should be the squares of the
    /// rows and columns with the fewest free squares.
    fn order(&mut self) {
        let n = self.lines.n;
        let (mut in_row, mut in_column) = (vec![0; n], vec![0; n]);
        for square in &self.squares {
            in_row[square.row] += 1;
            in_column[square.column] += 1;
        }
        self.squares.sort_by_key(|square| in_row[square.row].min(in_column[square.column]));
        self.number();
    }

    /// Numbers the squares.
    fn number(&mut self) {
        self.on.iter_mut().for_each(Vec::clear);
        for (&square, variable) in self.squares.iter().zip(1..) {
            self.lines.of(square).iter().for_each(|&line| self.on[line].push(Lit::positive(variable)));
        }
    }

    /// Writes the formula. It ends with the first line that needs a queen and has no square left.
    pub fn encode(&mut self, am1: &AtMostOne) {
        self.cnf.reset(variable(self.squares.len()));
        for (((rule, _), taken), on) in self.lines.all.iter().zip(&self.taken).zip(&self.on) {
            if *rule == Rule::ExactlyOne && !taken {
                self.cnf.add_clause(on.iter().copied());
                if on.is_empty() {
                    return;
                }
            }
            if on.len() > 1 {
                (am1.encode)(on, &mut self.cnf);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::am1::ALL;
    use crate::encoding::direct;
    use queens_board::BoardSize;

    #[test]
    fn beside_no_queens_the_residual_formula_is_the_direct_encoding() {
        for am1 in ALL {
            for n in 0..=8 {
                let lines = Lines::new(&Problem::queens(BoardSize::new(n).expect("a small board")));
                let mut residual = Residual::new(&lines);
                residual.restrict(&[], |_| true);
                residual.encode(am1);
                let formula = direct(n, am1);
                assert_eq!((residual.cnf, residual.squares), (formula.cnf, formula.squares));
            }
        }
    }

    #[test]
    fn look_ahead_leaves_only_the_squares_of_solutions_on_a_small_board() {
        let lines = Lines::new(&Problem::queens(BoardSize::new(6).expect("a small board")));
        let mut residual = Residual::new(&lines);
        let queen = |row, column| Square { row, column };
        // 6 queens have four solutions, one of which begins with column 1 and one with column 4; none with column 0.
        for (column, left) in [(0, 0), (1, 5), (4, 5)] {
            residual.restrict(&[queen(0, column)], |_| true);
            residual.look_ahead();
            assert_eq!(residual.squares.len(), left, "column {column}: {:?}", residual.squares);
        }
    }
}
