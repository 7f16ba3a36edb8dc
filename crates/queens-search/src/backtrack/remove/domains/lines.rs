//! Domains that are lines of an [`OpenBoard`], for boards of any size. The variables are the rows and, in a dual model, also the
//! columns.
//! Cost: O(n) time per queen.

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
    /// By square, the number of squares of a variable that attack it. Used by `remove_unsupported`; all 0 between its calls.
    attack_counts: Vec<u32>,
    max_support: usize,
}

impl LineDomains {
    /// The domains of a dual model, whose variables are the rows and the columns.
    pub fn dual(problem: &Problem) -> Self {
        Self::with_variables(problem, 2 * problem.n().get())
    }

    fn with_variables(problem: &Problem, variables: usize) -> Self {
        let n = problem.n().get();
        let board = OpenBoard::new(problem);
        // An upper bound on the number of squares of one variable that a square attacks. `variable_of` is the row or the column of a
        // square.
        let max_attacked = |variable_of: fn(Square) -> usize| {
            let (mut attacked, mut per_variable) = (vec![0; n * n], vec![0; n]);
            for line in 0..board.lines() {
                let variable = |square: usize| variable_of(board.square(square));
                let (mut max_per_variable, mut squares) = (0, 0);
                for square in board.squares_of(line) {
                    per_variable[variable(square)] += 1;
                    max_per_variable = max_per_variable.max(per_variable[variable(square)]);
                    squares += 1;
                }
                board.squares_of(line).for_each(|square| per_variable[variable(square)] = 0);
                // A line whose squares all belong to one variable attacks no other variable.
                if max_per_variable < squares {
                    board.squares_of(line).for_each(|square| attacked[square] += max_per_variable);
                }
            }
            attacked.into_iter().max().unwrap_or(0)
        };
        let max_in_columns = if variables > n { max_attacked(|square| square.column) } else { 0 };
        let max_support = max_attacked(|square| square.row).max(max_in_columns);
        Self { n, board, variables, attack_counts: vec![0; n * n], max_support }
    }

    fn square_index(&self, variable: usize, value: usize) -> usize {
        self.board.index(self.square(variable, value))
    }

    fn contains(&self, variable: usize, square: usize) -> bool {
        let Square { row, column } = self.board.square(square);
        variable == row || variable == self.n + column
    }

    /// Calls `visit` with every square outside a variable that shares a line with `square`, once per shared line.
    fn attacked(&self, variable: usize, square: usize, mut visit: impl FnMut(usize)) {
        for line in self.board.lines_through(square).filter(|&line| line != variable) {
            self.board.squares_of(line).filter(|&other| !self.contains(variable, other)).for_each(&mut visit);
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

    fn initial(problem: &Problem) -> Self {
        Self::with_variables(problem, problem.n().get())
    }

    fn square(&self, variable: usize, value: usize) -> Square {
        match variable.checked_sub(self.n) {
            None => Square { row: variable, column: value },
            Some(column) => Square { row: value, column },
        }
    }

    fn dual_variable(&self, variable: usize, value: usize) -> Option<usize> {
        let dual_variable = if variable < self.n { self.n + value } else { value };
        (self.variables > self.n).then_some(dual_variable)
    }

    fn size(&self, variable: usize) -> usize {
        self.board.open_count(variable)
    }

    fn values(&self, variable: usize) -> vec::IntoIter<usize> {
        let open_squares =
            self.board.squares_of(variable).enumerate().filter(|&(_, square)| self.board.is_open(square));
        open_squares.map(|(value, _)| value).collect::<Vec<_>>().into_iter()
    }

    fn place(&mut self, variable: usize, value: usize) -> bool {
        self.board.place(self.square_index(variable, value));
        let mut reduced_variables =
            self.board.closed_since_last_queen().flat_map(|square| self.variables_of(square));
        reduced_variables.all(|variable| self.board.open_count(variable) > 0)
    }

    fn undo(&mut self) {
        self.board.undo();
    }

    fn for_each_reduced(&self, visit: impl FnMut(usize)) {
        self.board.closed_since_last_queen().flat_map(|square| self.variables_of(square)).for_each(visit);
    }

    fn remove_unsupported(&mut self, variable: usize) -> Change {
        let values: Vec<usize> = self.values(variable).collect();
        let mut attack_counts = std::mem::take(&mut self.attack_counts);
        let mut attacked = Vec::new();
        for (index, &value) in values.iter().enumerate() {
            self.attacked(variable, self.square_index(variable, value), |square| {
                if attack_counts[square] as usize == index && self.board.is_open(square) {
                    attack_counts[square] += 1;
                    attacked.extend((index == 0).then_some(square));
                }
            });
        }
        let mut change = Change::Nothing;
        for square in attacked {
            if std::mem::take(&mut attack_counts[square]) as usize == values.len() {
                self.board.close(square);
                let is_wiped = self.variables_of(square).any(|variable| self.board.open_count(variable) == 0);
                change = if is_wiped || change == Change::Wiped { Change::Wiped } else { Change::Smaller };
            }
        }
        self.attack_counts = attack_counts;
        change
    }

    fn max_support(&self) -> usize {
        self.max_support
    }

    fn removed_by(&self, variable: usize, value: usize) -> usize {
        let mut removed = Vec::new();
        self.attacked(variable, self.square_index(variable, value), |square| {
            removed.extend(self.board.is_open(square).then_some(square));
        });
        removed.sort_unstable();
        removed.dedup();
        removed.len()
    }
}
