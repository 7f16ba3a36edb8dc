//! The rest of a board after the queens of a cube, as a formula.

use super::lookahead::{Lookahead, MOST_SQUARES};
use crate::am1::AtMostOne;
use crate::cnf::{Cnf, Lit, Variable, variable};
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
    /// The variable of each square, 0 if it cannot hold a queen.
    variables: Vec<Variable>,
    /// Pairs of squares that cannot both hold queens, other than pairs on one line.
    excluded: Vec<[Square; 2]>,
    lookahead: Lookahead,
    /// The formula.
    pub cnf: Cnf,
    literals: Vec<Lit>,
}

impl<'a> Residual<'a> {
    pub fn new(lines: &'a Lines) -> Self {
        Self {
            lines,
            taken: vec![false; lines.all.len()],
            squares: Vec::new(),
            variables: vec![0; lines.n * lines.n],
            excluded: Vec::new(),
            lookahead: Lookahead::default(),
            cnf: Cnf::default(),
            literals: Vec::new(),
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
        self.excluded.clear();
        self.order();
    }

    /// Excludes squares and pairs of squares by look-ahead.
    pub fn look_ahead(&mut self) {
        if self.squares.len() > MOST_SQUARES {
            return;
        }
        self.lookahead.reset(self.squares.len());
        for ((rule, line), taken) in self.lines.all.iter().zip(&self.taken) {
            if !taken {
                let bits = variables(&self.variables, self.lines.n, line).map(|variable| 1 << (variable - 1));
                self.lookahead
                    .add_line(bits.fold(0, |line, bit: u128| line | bit), *rule == Rule::ExactlyOne);
            }
        }
        self.lookahead.run();
        let Self { lookahead, squares, excluded, .. } = self;
        excluded.extend(lookahead.excluded.iter().map(|&(one, other)| [squares[one], squares[other]]));
        let mut bits = 0..MOST_SQUARES;
        squares.retain(|_| bits.next().is_some_and(|bit| lookahead.open >> bit & 1 == 1));
        self.order();
    }

    /// Numbers the squares. Solvers decide the first variables first as long as they have learned nothing. These should
    /// be the squares of the rows and columns with the fewest free squares.
    fn order(&mut self) {
        let n = self.lines.n;
        let (mut in_row, mut in_column) = (vec![0; n], vec![0; n]);
        for square in &self.squares {
            in_row[square.row] += 1;
            in_column[square.column] += 1;
        }
        self.squares.sort_by_key(|square| in_row[square.row].min(in_column[square.column]));
        self.variables.fill(0);
        for (square, variable) in self.squares.iter().zip(1..) {
            self.variables[square.row * n + square.column] = variable;
        }
    }

    /// Writes the formula. It ends with the first line that needs a queen and has no square left.
    pub fn encode(&mut self, am1: &AtMostOne) {
        let n = self.lines.n;
        self.cnf.reset(variable(self.squares.len()));
        for ((rule, line), taken) in self.lines.all.iter().zip(&self.taken) {
            self.literals.clear();
            self.literals.extend(variables(&self.variables, n, line).map(Lit::positive));
            if *rule == Rule::ExactlyOne && !taken {
                self.cnf.add_clause(self.literals.iter().copied());
                if self.literals.is_empty() {
                    return;
                }
            }
            if self.literals.len() > 1 {
                (am1.encode)(&self.literals, &mut self.cnf);
            }
        }
        for pair in &self.excluded {
            self.cnf.add_clause(variables(&self.variables, n, pair).map(|variable| !Lit::positive(variable)));
        }
    }
}

/// The variables of the squares that have one.
fn variables<'a>(
    variables: &'a [Variable],
    n: usize,
    line: &'a [Square],
) -> impl Iterator<Item = Variable> + 'a {
    let all = line.iter().map(move |square| variables[square.row * n + square.column]);
    all.filter(|&variable| variable > 0)
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
