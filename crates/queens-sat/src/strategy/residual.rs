//! The residual problem of a cube is to place queens on the squares that the queens of the cube do not attack. This file encodes the
//! residual problem as a formula.

use super::lookahead::{Lookahead, MAX_SQUARES};
use crate::am1::AtMostOne;
use crate::cnf::{Cnf, Lit, variable};
use queens_board::Square;
use queens_board::open_board::OpenBoard;

/// The residual problem of one cube after another, and its formula. The memory is reused.
pub struct ResidualProblem {
    board: OpenBoard,
    /// The queens of the cube.
    cube: Vec<Square>,
    /// The square of each variable.
    pub squares: Vec<Square>,
    /// The squares that hold a queen in every solution. These squares have no variables.
    pub forced: Vec<Square>,
    /// By line, whether a square of `forced` is on the line.
    has_forced: Vec<bool>,
    /// By line, the literals of its squares.
    line_literals: Vec<Vec<Lit>>,
    /// By line, its squares as a bit mask over the indices of `squares`, for look-ahead.
    line_masks: Vec<u64>,
    lookahead: Lookahead,
    /// The formula.
    pub cnf: Cnf,
}

impl ResidualProblem {
    /// Creates the residual problem of a cube without queens.
    pub fn new(board: OpenBoard) -> Self {
        Self {
            cube: Vec::new(),
            squares: Vec::new(),
            forced: Vec::new(),
            has_forced: vec![false; board.lines()],
            line_literals: vec![Vec::new(); board.lines()],
            line_masks: vec![0; board.lines()],
            lookahead: Lookahead::default(),
            cnf: Cnf::default(),
            board,
        }
    }

    /// Replaces the queens of the last cube by the queens of this cube, and sets `squares` to the free squares, which are neither
    /// attacked by a queen nor forbidden. `is_forbidden` may depend on the cube. It is not called for a cube without queens.
    ///
    /// The queens of the longest common prefix of both cubes are not placed again, and squares that were excluded while the board
    /// held only these queens stay excluded. Therefore, a square that is forbidden for some cube must also be forbidden for every
    /// cube that begins with this cube.
    pub fn restrict(&mut self, cube: &[Square], is_forbidden: impl Fn(Square) -> bool) {
        let Self { board, squares, .. } = self;
        let common_length = self.cube.iter().zip(cube).take_while(|(old, new)| old == new).count();
        for _ in self.cube.drain(common_length..) {
            board.undo();
        }
        for &queen in &cube[common_length..] {
            board.place(board.index(queen));
            self.cube.push(queen);
        }
        squares.clear();
        squares.extend(
            board
                .open_squares()
                .map(|square| board.square(square))
                .filter(|square| !board.has_queen(square.row)),
        );
        if !cube.is_empty() {
            squares.retain(|&square| {
                let is_forbidden = is_forbidden(square);
                if is_forbidden {
                    board.close(board.index(square));
                }
                !is_forbidden
            });
        }
    }

    /// The free squares of the line that needs a queen and has the fewest free squares.
    pub fn branching_squares(&self) -> impl Iterator<Item = Square> {
        let squares =
            self.board.most_constrained_line().into_iter().flat_map(|line| self.board.squares_of(line));
        squares.filter(|&square| self.board.is_open(square)).map(|square| self.board.square(square))
    }

    /// Excludes squares by look-ahead, and moves squares that hold a queen in every solution to `forced`.
    pub fn look_ahead(&mut self) {
        self.forced.clear();
        self.has_forced.fill(false);
        let is_simplified = self.squares.len() <= MAX_SQUARES;
        if is_simplified {
            let Self { board, squares, line_masks, lookahead, .. } = self;
            line_masks.fill(0);
            for (index, &square) in squares.iter().enumerate() {
                board.lines_through(board.index(square)).for_each(|line| line_masks[line] |= 1 << index);
            }
            let lines_of = |&square: &Square| board.lines_through(board.index(square));
            let attacked =
                squares.iter().map(|square| lines_of(square).fold(0, |mask, line| mask | line_masks[line]));
            let required = (0..board.required_lines())
                .filter(|&line| !board.has_queen(line))
                .map(|line| line_masks[line]);
            lookahead.reset(attacked, required);
            lookahead.run();
            let mut indices = 0..MAX_SQUARES;
            squares.retain(|_| indices.next().is_some_and(|index| lookahead.open_squares >> index & 1 == 1));
        }
        self.order_squares(is_simplified);
    }

    /// Orders the squares by the number of free squares in their row or their column, whichever is smaller, because a solver decides the
    /// variables in their order until it has learned a clause. After look-ahead, the only free square of a row or a column becomes a
    /// forced queen. Look-ahead has excluded all squares that this queen attacks.
    fn order_squares(&mut self, has_looked_ahead: bool) {
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
                self.board
                    .lines_through(self.board.index(square))
                    .for_each(|line| self.has_forced[line] = true);
            }
        }
        self.squares.sort_by_key(fewest);
    }

    /// Numbers the variables in the order of the squares, and collects the literals of each line.
    fn assign_variables(&mut self) {
        self.line_literals.iter_mut().for_each(Vec::clear);
        for (&square, variable) in self.squares.iter().zip(1..) {
            let lines = self.board.lines_through(self.board.index(square));
            lines.for_each(|line| self.line_literals[line].push(Lit::positive(variable)));
        }
    }

    /// Encodes the residual problem in `cnf`. After an empty clause, which makes the formula unsatisfiable, no clauses are added.
    pub fn encode(&mut self, at_most_one: &AtMostOne) {
        self.assign_variables();
        self.cnf.reset(variable(self.squares.len()));
        for (line, literals) in self.line_literals.iter().enumerate() {
            if needs_queen(&self.board, line) && !self.has_forced[line] {
                self.cnf.add_clause(literals.iter().copied());
                if literals.is_empty() {
                    return;
                }
            }
            if literals.len() > 1 {
                (at_most_one.encode)(literals, &mut self.cnf);
            }
        }
    }
}

fn needs_queen(board: &OpenBoard, line: usize) -> bool {
    line < board.required_lines() && !board.has_queen(line)
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
        for at_most_one in ALL {
            for n in 0..=8 {
                let mut residual = ResidualProblem::new(board(n));
                residual.restrict(&[], |_| false);
                residual.encode(at_most_one);
                let formula = direct(n, at_most_one);
                assert_eq!((residual.cnf, residual.squares), (formula.cnf, formula.squares));
            }
        }
    }

    #[test]
    fn look_ahead_excludes_squares_outside_all_solutions() {
        let mut residual = ResidualProblem::new(board(6));
        let queen = |row, column| Square { row, column };
        // For n = 6, one solution has the first queen in column 1 and one in column 4, but none in column 0.
        for (column, forced) in [(0, 0), (1, 5), (4, 5)] {
            residual.restrict(&[queen(0, column)], |_| false);
            residual.look_ahead();
            assert_eq!(residual.squares, [], "column {column}");
            assert_eq!(residual.forced.len(), forced, "column {column}: {:?}", residual.forced);
            residual.encode(ALL[0]);
            assert_eq!(
                residual.cnf.clauses().map(<[Lit]>::len).collect::<Vec<_>>(),
                vec![0; usize::from(forced == 0)]
            );
        }
    }
}
