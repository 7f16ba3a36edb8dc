//! Domains as lines of an [`OpenBoard`], for boards of any size: the variables are the rows and, in a dual model, also the columns.
//! Cost: O(n) per queen.

use std::vec;

use super::{Change, Domains};
use queens_board::Square;
use queens_board::open_board::OpenBoard;
use queens_board::problem::Problem;

/// Domains as lines: a line is a variable, and its squares are the values. The first lines of a problem are the rows, and the next
/// lines are the columns.
pub struct LineDomains {
    n: usize,
    board: OpenBoard,
    variables: usize,
    /// By square, the number of squares of a variable that attack it. Used by `support`; all 0 between its calls.
    hits: Vec<u32>,
    most_support: usize,
}

impl LineDomains {
    /// The domains of a dual model, whose variables are the rows and the columns.
    pub fn dual(problem: &Problem) -> Self {
        Self::with_variables(problem, 2 * problem.n().get())
    }

    fn with_variables(problem: &Problem, variables: usize) -> Self {
        let n = problem.n().get();
        let board = OpenBoard::new(problem);
        // An upper bound on the number of squares of one variable that a square attacks.
        let most = |kind: fn(Square) -> usize| {
            let (mut attacked, mut on) = (vec![0; n * n], vec![0; n]);
            for line in 0..board.lines() {
                let variable = |square: usize| kind(board.square(square));
                let (mut widest, mut squares) = (0, 0);
                for square in board.squares_of(line) {
                    on[variable(square)] += 1;
                    widest = widest.max(on[variable(square)]);
                    squares += 1;
                }
                board.squares_of(line).for_each(|square| on[variable(square)] = 0);
                // A line whose squares all belong to one variable attacks no other variable.
                if widest < squares {
                    board.squares_of(line).for_each(|square| attacked[square] += widest);
                }
            }
            attacked.into_iter().max().unwrap_or(0)
        };
        let in_columns = if variables > n { most(|square| square.column) } else { 0 };
        let most_support = most(|square| square.row).max(in_columns);
        Self { n, board, variables, hits: vec![0; n * n], most_support }
    }

    fn number(&self, variable: usize, value: usize) -> usize {
        self.board.number(self.square(variable, value))
    }

    fn is_on(&self, variable: usize, square: usize) -> bool {
        let Square { row, column } = self.board.square(square);
        variable == row || variable == self.n + column
    }

    /// Calls `visit` with every square outside a variable that shares a line with `square`, once per shared line.
    fn attacked(&self, variable: usize, square: usize, mut visit: impl FnMut(usize)) {
        for line in self.board.through(square).filter(|&line| line != variable) {
            self.board.squares_of(line).filter(|&other| !self.is_on(variable, other)).for_each(&mut visit);
        }
    }

    /// The variables of a square: its row and, in a dual model, also its column.
    fn variables_of(&self, square: usize) -> impl Iterator<Item = usize> + use<> {
        let Square { row, column } = self.board.square(square);
        [row, self.n + column].into_iter().take(if self.variables > self.n { 2 } else { 1 })
    }
}

impl Domains for LineDomains {
    type Values = vec::IntoIter<usize>;

    fn of(problem: &Problem) -> Self {
        Self::with_variables(problem, problem.n().get())
    }

    fn square(&self, variable: usize, value: usize) -> Square {
        match variable.checked_sub(self.n) {
            None => Square { row: variable, column: value },
            Some(column) => Square { row: value, column },
        }
    }

    fn other_variable(&self, variable: usize, value: usize) -> Option<usize> {
        let other = if variable < self.n { self.n + value } else { value };
        (self.variables > self.n).then_some(other)
    }

    fn size(&self, variable: usize) -> usize {
        self.board.left(variable)
    }

    fn values(&self, variable: usize) -> vec::IntoIter<usize> {
        let open =
            self.board.squares_of(variable).enumerate().filter(|&(_, square)| self.board.is_open(square));
        open.map(|(value, _)| value).collect::<Vec<_>>().into_iter()
    }

    fn place(&mut self, variable: usize, value: usize) -> bool {
        self.board.place(self.number(variable, value));
        let mut closed = self.board.closed().flat_map(|square| self.variables_of(square));
        closed.all(|variable| self.board.left(variable) > 0)
    }

    fn undo(&mut self) {
        self.board.undo();
    }

    fn for_each_reduced(&self, visit: impl FnMut(usize)) {
        self.board.closed().flat_map(|square| self.variables_of(square)).for_each(visit);
    }

    fn support(&mut self, variable: usize) -> Change {
        let values: Vec<usize> = self.values(variable).collect();
        let mut hits = std::mem::take(&mut self.hits);
        let mut hit = Vec::new();
        for (index, &value) in values.iter().enumerate() {
            self.attacked(variable, self.number(variable, value), |square| {
                if hits[square] as usize == index && self.board.is_open(square) {
                    hits[square] += 1;
                    hit.extend((index == 0).then_some(square));
                }
            });
        }
        let mut change = Change::Nothing;
        for square in hit {
            if std::mem::take(&mut hits[square]) as usize == values.len() {
                self.board.close(square);
                let is_wiped = self.variables_of(square).any(|variable| self.board.left(variable) == 0);
                change = if is_wiped || change == Change::Wiped { Change::Wiped } else { Change::Smaller };
            }
        }
        self.hits = hits;
        change
    }

    fn most_support(&self) -> usize {
        self.most_support
    }

    fn removed_by(&self, variable: usize, value: usize) -> usize {
        let mut removed = Vec::new();
        self.attacked(variable, self.number(variable, value), |square| {
            removed.extend(self.board.is_open(square).then_some(square));
        });
        removed.sort_unstable();
        removed.dedup();
        removed.len()
    }
}
