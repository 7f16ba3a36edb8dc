//! The solutions that a certificate denies: checked on the board, distinct, in lexicographic order. They are all
//! solutions or, if symmetry is broken, one or more solutions of each orbit, whose images are all solutions.

use std::collections::HashMap;
use std::ops::ControlFlow;

use sha2::{Digest, Sha256};

use super::{CertifyError, orbits};
use crate::backtrack::dlx::{Items, Links};
use crate::backtrack::{Bitmask, Flow, Visitor};
use crate::board::problem::Problem;
use crate::board::{self, Placement};
use crate::sat::symmetry::{Breaking, SymmetryGroup};
use crate::solver::Stop;

/// The most solutions of a problem other than plain queens: more than plain queens have for n = 16.
const MOST: usize = 16_000_000;

/// Solutions of one problem in flat storage: two bytes per queen.
#[derive(Clone, Debug)]
pub struct Solutions {
    problem: Problem,
    breaking: Breaking,
    n: usize,
    columns: Vec<u16>,
    len: usize,
    /// Whether only the boards up to the only one of these are considered.
    is_first: bool,
}

impl Solutions {
    /// The solutions that backtracking finds, or dancing links for problems other than plain queens.
    pub fn enumerate(problem: &Problem) -> Result<Self, CertifyError> {
        Self::representatives(problem, SymmetryGroup::None)
    }

    /// The solutions that satisfy the condition which breaks these symmetries. An error if the problem does
    /// not have them.
    pub fn representatives(problem: &Problem, symmetry: SymmetryGroup) -> Result<Self, CertifyError> {
        if !problem.has_symmetries(symmetry.group()) {
            return Err(CertifyError::NotSymmetric(symmetry));
        }
        let breaking = Breaking::middle(problem.n().get(), symmetry);
        if !problem.is_plain() {
            let mut found = by_dancing_links(problem)?;
            found.retain(|placement| breaking.allows(placement.columns()));
            return Self::of(problem, breaking, &found);
        }
        let mut found = Collector { breaking, columns: Vec::new(), len: 0 };
        // This visitor never stops the search.
        let _ = Bitmask::search(problem.n().get(), &mut found);
        let Collector { columns, len, .. } = found;
        Self::judged(problem, breaking, columns, len)
    }

    /// The given placements on the board of a problem.
    pub fn from_placements(problem: &Problem, placements: &[Placement]) -> Result<Self, CertifyError> {
        Self::of(problem, Breaking::middle(problem.n().get(), SymmetryGroup::None), placements)
    }

    /// The solution that is claimed to be the lexicographically first one.
    pub fn of_first(problem: &Problem, columns: &[u16]) -> Result<Self, CertifyError> {
        let only = Self::from_placements(problem, &[Placement::new(columns)])?;
        Ok(Self { is_first: true, ..only })
    }

    fn of(problem: &Problem, breaking: Breaking, placements: &[Placement]) -> Result<Self, CertifyError> {
        let n = problem.n().get();
        if let Some(other) = placements.iter().find(|placement| placement.size() != n) {
            return Err(CertifyError::Illegal(other.clone()));
        }
        let columns = placements.iter().flat_map(|placement| placement.columns().to_vec()).collect();
        Self::judged(problem, breaking, columns, placements.len())
    }

    /// Checks that each is a solution and greater than the one before.
    fn judged(
        problem: &Problem,
        breaking: Breaking,
        columns: Vec<u16>,
        len: usize,
    ) -> Result<Self, CertifyError> {
        let problem = problem.clone();
        let n = problem.n().get();
        let judged = Self { problem, breaking, n, columns, len, is_first: false };
        let mut before: Option<&[u16]> = None;
        for columns in judged.iter() {
            if !judged.problem.is_solution(columns) {
                return Err(CertifyError::Illegal(Placement::new(columns)));
            }
            if before.is_some_and(|before| before >= columns) {
                return Err(CertifyError::Duplicate(Placement::new(columns)));
            }
            before = Some(columns);
        }
        Ok(judged)
    }

    /// Some of the solutions, by their positions in ascending order: those of a problem that requires more queens.
    pub fn some(&self, problem: Problem, positions: &[usize]) -> Self {
        let columns = positions.iter().flat_map(|&position| self.get(position)).copied().collect();
        let (breaking, n, len) = (self.breaking, self.n, positions.len());
        Self { problem, breaking, n, columns, len, is_first: false }
    }

    /// The solution that is claimed to be the first one, if there is such a claim.
    pub fn first(&self) -> Option<&[u16]> {
        self.is_first.then(|| self.get(0))
    }

    /// The condition that they satisfy.
    pub fn breaking(&self) -> Breaking {
        self.breaking
    }

    /// The number of all solutions of the problem, and the SHA-256 of the output of
    /// `queenlab solve N --all --notation columns`, if these are all that satisfy the condition.
    pub fn all(&self) -> Result<(u64, String), CertifyError> {
        if self.breaking.symmetry() == SymmetryGroup::None {
            return Ok((self.len as u64, self.sha256()));
        }
        orbits::closure(&self.problem, &self.problem.symmetries(), self.iter()).map_err(CertifyError::Illegal)
    }

    /// The problem.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// The number of solutions.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no solutions.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The column of each row, for each solution.
    pub fn iter(&self) -> impl Iterator<Item = &[u16]> + Clone {
        (0..self.len).map(|index| self.get(index))
    }

    /// The solution at this position.
    pub fn get(&self, index: usize) -> &[u16] {
        &self.columns[index * self.n..(index + 1) * self.n]
    }

    /// The positions of the solutions, by the columns of their queens on these rows.
    pub fn by_rows(&self, rows: &[usize]) -> HashMap<Vec<u16>, Vec<usize>> {
        let mut positions: HashMap<Vec<u16>, Vec<usize>> = HashMap::new();
        for (position, columns) in self.iter().enumerate() {
            positions.entry(rows.iter().map(|&row| columns[row]).collect()).or_default().push(position);
        }
        positions
    }

    /// The position of a solution.
    pub fn position(&self, columns: &[u16]) -> Option<usize> {
        let (mut low, mut high) = (0, self.len);
        while low < high {
            let middle = low.midpoint(high);
            if self.get(middle) < columns { low = middle + 1 } else { high = middle }
        }
        (low < self.len && self.get(low) == columns).then_some(low)
    }

    fn sha256(&self) -> String {
        let mut hash = Sha256::new();
        for columns in self.iter() {
            hash.update(Placement::new(columns).to_string());
            hash.update("\n");
        }
        super::files::hexadecimal(&hash.finalize())
    }
}

/// The solutions of any problem, in lexicographic order.
fn by_dancing_links(problem: &Problem) -> Result<Vec<Placement>, CertifyError> {
    let mut found = Vec::new();
    let mut columns = vec![0; problem.n().get()];
    let flow = Links::new(problem, Items::default()).search(&mut |queens, is_solution| {
        if is_solution {
            queens.iter().for_each(|queen| columns[queen.row] = board::column(queen.column));
            found.push(Placement::new(&columns));
        }
        if found.len() > MOST { ControlFlow::Break(Stop::Sink) } else { ControlFlow::Continue(()) }
    });
    if flow.is_break() {
        return Err(CertifyError::TooMany(MOST));
    }
    found.sort_unstable();
    Ok(found)
}

struct Collector {
    breaking: Breaking,
    columns: Vec<u16>,
    len: usize,
}

impl Visitor for Collector {
    fn solution(&mut self, columns: &[u16]) -> Flow {
        if self.breaking.allows(columns) {
            self.columns.extend_from_slice(columns);
            self.len += 1;
        }
        Flow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::BoardSize;

    fn plain(n: usize) -> Problem {
        Problem::queens(BoardSize::new(n).expect("small"))
    }

    #[test]
    fn as_many_as_published_and_each_at_its_place() {
        for (n, expected) in [1, 1, 0, 0, 2, 10, 4, 40, 92].into_iter().enumerate() {
            let solutions = Solutions::enumerate(&plain(n)).expect("small");
            assert_eq!(solutions.len(), expected);
            for (index, columns) in solutions.iter().enumerate() {
                assert_eq!(solutions.position(columns), Some(index));
            }
        }
        let solutions = Solutions::enumerate(&plain(8)).expect("small");
        assert_eq!(solutions.position(&[0; 8]), None);
        assert_eq!(solutions.position(&[8; 8]), None);
    }

    #[test]
    fn illegal_and_repeated_solutions_are_refused() {
        let placements = |boards: &[&[u16]]| boards.iter().map(|b| Placement::new(b)).collect::<Vec<_>>();
        let of =
            |boards: &[&[u16]]| Solutions::from_placements(&plain(4), &placements(boards)).map(|s| s.len());
        let (a, b): (&[u16], &[u16]) = (&[1, 3, 0, 2], &[2, 0, 3, 1]);
        assert_eq!(of(&[a, b]).ok(), Some(2));
        assert!(matches!(of(&[a, a]), Err(CertifyError::Duplicate(_))));
        assert!(matches!(of(&[a, &[0, 1, 2, 3]]), Err(CertifyError::Illegal(_))));
        assert!(matches!(of(&[&[1, 3, 0, 4]]), Err(CertifyError::Illegal(_))));
        assert!(matches!(of(&[&[0]]), Err(CertifyError::Illegal(_))));
    }
}
