//! The solutions that a certificate denies, in lexicographic order: all solutions or, if symmetry is broken, at least one
//! solution of each orbit. This file does not check the solutions, because the audit checks them.

use std::collections::HashMap;

use super::CertifyError;
use queens_board::problem::Problem;
use queens_board::{self as board, Placement};
use queens_sat::symmetry::SymmetryBreaking;
use queens_search::backtrack::dlx::{Items, Links};
use queens_search::backtrack::{Bitmask, Flow};
use queens_solver::Stop;

/// The maximum number of solutions of a problem other than plain queens. Plain queens have fewer solutions up to n = 16, the largest
/// board of a certificate.
const MAX_SOLUTIONS: usize = 16_000_000;

/// The solutions of a problem in flat storage, with four bytes per queen.
#[derive(Clone, Debug)]
pub struct Solutions {
    n: usize,
    columns: Vec<u32>,
    len: usize,
}

impl Solutions {
    /// The solutions that satisfy the condition, found by backtracking, or by dancing links for problems other than plain
    /// queens.
    pub fn enumerate(problem: &Problem, breaking: SymmetryBreaking) -> Result<Self, CertifyError> {
        let n = problem.n().get();
        let mut solutions = Self::from_sorted(n, []);
        let mut add_if_allowed = |columns: &[u32]| {
            if breaking.allows(columns) {
                solutions.push(columns);
            }
            Flow::Continue(())
        };
        // The result is ignored, because this visitor never stops the search.
        let _ = match problem.is_plain() {
            true => Bitmask::search(n, &mut add_if_allowed),
            false => solve_by_dancing_links(problem)?.iter().try_for_each(|columns| add_if_allowed(columns)),
        };
        Ok(solutions)
    }

    /// Stores solutions of a board of this size, which must be in lexicographic order.
    pub fn from_sorted<'c>(n: usize, solutions: impl IntoIterator<Item = &'c [u32]>) -> Self {
        let mut list = Self { n, columns: Vec::new(), len: 0 };
        solutions.into_iter().for_each(|columns| list.push(columns));
        list
    }

    fn push(&mut self, columns: &[u32]) {
        self.columns.extend_from_slice(columns);
        self.len += 1;
    }

    /// The number of solutions.
    pub fn len(&self) -> usize {
        self.len
    }

    /// An iterator over the solutions, each as the column of each row.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> + Clone {
        (0..self.len).map(|index| self.get(index))
    }

    /// The solution with this index.
    pub fn get(&self, index: usize) -> &[u32] {
        &self.columns[index * self.n..(index + 1) * self.n]
    }

    /// The indices of the solutions, by the columns of their queens on these rows.
    pub fn indices_by_rows(&self, rows: &[usize]) -> HashMap<Vec<u32>, Vec<usize>> {
        let mut positions: HashMap<Vec<u32>, Vec<usize>> = HashMap::new();
        for (position, columns) in self.iter().enumerate() {
            positions.entry(rows.iter().map(|&row| columns[row]).collect()).or_default().push(position);
        }
        positions
    }

    /// The index of a solution. Returns an error if the solution is not in the list.
    pub fn position(&self, columns: &[u32]) -> Result<usize, CertifyError> {
        let (mut low, mut high) = (0, self.len);
        while low < high {
            let middle = low.midpoint(high);
            if self.get(middle) < columns { low = middle + 1 } else { high = middle }
        }
        let is_present = low < self.len && self.get(low) == columns;
        if is_present { Ok(low) } else { Err(CertifyError::Missing(Placement::new(columns))) }
    }
}

/// The solutions of any problem, in lexicographic order.
fn solve_by_dancing_links(problem: &Problem) -> Result<Vec<Vec<u32>>, CertifyError> {
    let mut solutions = Vec::new();
    let mut columns = vec![0; problem.n().get()];
    let flow = Links::new(problem, Items::default()).search(&mut |queens, is_solution| {
        if is_solution {
            queens.iter().for_each(|queen| columns[queen.row] = board::column(queen.column));
            solutions.push(columns.clone());
        }
        if solutions.len() > MAX_SOLUTIONS { Flow::Break(Stop::Sink) } else { Flow::Continue(()) }
    });
    if flow.is_break() {
        return Err(CertifyError::Request(format!(
            "the problem has more than {MAX_SOLUTIONS} solutions, the maximum for a certificate"
        )));
    }
    solutions.sort_unstable();
    Ok(solutions)
}
