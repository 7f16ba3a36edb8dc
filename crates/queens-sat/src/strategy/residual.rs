//! The rest of a board after the queens of a cube, as a formula.

use super::lookahead::{Lookahead, MAX_SQUARES};
use crate::am1::AtMostOne;
use crate::cnf::{Cnf, Lit, variable};
use queens_board::Square;
use queens_board::open_board::OpenBoard;

/// The rest of a board, and its formula: both are made again for each cube, in the same memory.
pub struct Residual {
    board: OpenBoard,
    /// The queens of the cube.
    cube: Vec<Square>,
    /// The square of each variable.
    pub squares: Vec<Square>,
    /// Squares that hold a queen in every solution. They are not part of the formula.
    pub forced: Vec<Square>,
    /// By line, whether a square of `forced` is on it.
    is_served: Vec<bool>,
    /// The variables on each line.
    on: Vec<Vec<Lit>>,
    /// The squares on each line, for look-ahead.
    bits: Vec<u64>,
    lookahead: Lookahead,
    /// The formula.
    pub cnf: Cnf,
}

impl Residual {
    /// The rest of a board without queens.
    pub fn new(board: OpenBoard) -> Self {
        let (on, is_served) = (vec![Vec::new(); board.lines()], vec![false; board.lines()]);
        let bits = vec![0; board.lines()];
        let (lookahead, cnf) = (Lookahead::default(), Cnf::default());
        let (cube, squares, forced) = (Vec::new(), Vec::new(), Vec::new());
        Self { board, cube, squares, forced, is_served, on, bits, lookahead, cnf }
    }

    /// Puts the queens of a cube on the board in place of the last ones. Beside them, the squares are left that they do not
    /// attack, without those that are forbidden; in an empty cube, none is. What is forbidden beside some queens must be
    /// forbidden beside these and more: queens with which both cubes begin stay, with the squares closed since.
    pub fn restrict(&mut self, cube: &[Square], is_forbidden: impl Fn(Square) -> bool) {
        let Self { board, squares, .. } = self;
        let kept = self.cube.iter().zip(cube).take_while(|(before, now)| before == now).count();
        for _ in self.cube.drain(kept..) {
            board.undo();
        }
        for &queen in &cube[kept..] {
            board.place(board.number(queen));
            self.cube.push(queen);
        }
        squares.clear();
        squares.extend(
            board.open().map(|square| board.square(square)).filter(|square| !board.has_queen(square.row)),
        );
        if !cube.is_empty() {
            squares.retain(|&square| {
                let is_forbidden = is_forbidden(square);
                if is_forbidden {
                    board.close(board.number(square));
                }
                !is_forbidden
            });
        }
    }

    /// The squares of the line that needs a queen and has the fewest.
    pub fn fewest(&self) -> impl Iterator<Item = Square> {
        let squares = self.board.fewest().into_iter().flat_map(|line| self.board.squares_of(line));
        squares.filter(|&square| self.board.is_open(square)).map(|square| self.board.square(square))
    }

    /// Excludes squares by look-ahead, and finds the forced ones.
    pub fn look_ahead(&mut self) {
        self.forced.clear();
        self.is_served.fill(false);
        let is_small = self.squares.len() <= MAX_SQUARES;
        if is_small {
            let Self { board, squares, bits, lookahead, .. } = self;
            bits.fill(0);
            for (bit, &square) in squares.iter().enumerate() {
                board.through(board.number(square)).for_each(|line| bits[line] |= 1 << bit);
            }
            let through = |&square: &Square| board.through(board.number(square));
            let on_lines = squares.iter().map(|square| through(square).fold(0, |all, line| all | bits[line]));
            let needed = (0..board.needed()).filter(|&line| !board.has_queen(line)).map(|line| bits[line]);
            lookahead.reset(on_lines, needed);
            lookahead.run();
            let mut bits = 0..MAX_SQUARES;
            squares.retain(|_| bits.next().is_some_and(|bit| lookahead.open >> bit & 1 == 1));
        }
        self.order(is_small);
    }

    /// Solvers decide the first variables first as long as they have learned nothing. These should be the squares of the
    /// rows and columns with the fewest free squares. After look-ahead, the only square of a row or a column is forced: the
    /// squares that it attacks have been excluded.
    fn order(&mut self, has_looked_ahead: bool) {
        let n = self.board.n();
        let (mut in_row, mut in_column) = (vec![0; n], vec![0; n]);
        for square in &self.squares {
            in_row[square.row] += 1;
            in_column[square.column] += 1;
        }
        let fewest = |square: &Square| in_row[square.row].min(in_column[square.column]);
        if has_looked_ahead {
            self.forced.extend(self.squares.extract_if(.., |square| fewest(square) == 1));
            for &square in &self.forced {
                self.board.through(self.board.number(square)).for_each(|line| self.is_served[line] = true);
            }
        }
        self.squares.sort_by_key(fewest);
    }

    /// Numbers the squares.
    fn number(&mut self) {
        self.on.iter_mut().for_each(Vec::clear);
        for (&square, variable) in self.squares.iter().zip(1..) {
            let lines = self.board.through(self.board.number(square));
            lines.for_each(|line| self.on[line].push(Lit::positive(variable)));
        }
    }

    /// Writes the formula. It ends with the first line that needs a queen and has no square left.
    pub fn encode(&mut self, am1: &AtMostOne) {
        self.number();
        self.cnf.reset(variable(self.squares.len()));
        for (line, on) in self.on.iter().enumerate() {
            if needs_queen(&self.board, line) && !self.is_served[line] {
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

fn needs_queen(board: &OpenBoard, line: usize) -> bool {
    line < board.needed() && !board.has_queen(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::am1::ALL;
    use crate::encoding::direct;
    use queens_board::BoardSize;
    use queens_board::problem::Problem;

    fn board(n: usize) -> OpenBoard {
        OpenBoard::new(&Problem::queens(BoardSize::new(n).expect("a small board")))
    }

    #[test]
    fn residual_formula_without_queens_is_the_direct_encoding() {
        for am1 in ALL {
            for n in 0..=8 {
                let mut residual = Residual::new(board(n));
                residual.restrict(&[], |_| false);
                residual.encode(am1);
                let formula = direct(n, am1);
                assert_eq!((residual.cnf, residual.squares), (formula.cnf, formula.squares));
            }
        }
    }

    #[test]
    fn look_ahead_leaves_only_squares_of_solutions() {
        let mut residual = Residual::new(board(6));
        let queen = |row, column| Square { row, column };
        // 6 queens have four solutions, one of which begins with column 1 and one with column 4; none with column 0.
        for (column, left) in [(0, 0), (1, 5), (4, 5)] {
            residual.restrict(&[queen(0, column)], |_| false);
            residual.look_ahead();
            assert_eq!(residual.squares, [], "column {column}");
            assert_eq!(residual.forced.len(), left, "column {column}: {:?}", residual.forced);
            residual.encode(ALL[0]);
            assert_eq!(
                residual.cnf.clauses().map(<[Lit]>::len).collect::<Vec<_>>(),
                vec![0; usize::from(left == 0)]
            );
        }
    }
}
