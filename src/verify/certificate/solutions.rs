//! The solutions that a certificate counts: checked on the board, distinct, in lexicographic order.

use sha2::{Digest, Sha256};

use super::CertifyError;
use crate::backtrack::{Bitmask, Flow, Search, Visitor};
use crate::board::{Placement, first_attack};

/// Solutions of one board size in flat storage: two bytes per queen.
#[derive(Clone, Debug)]
pub struct Solutions {
    n: usize,
    columns: Vec<u16>,
    len: usize,
}

impl Solutions {
    /// The solutions that backtracking finds.
    pub fn enumerate(n: usize) -> Result<Self, CertifyError> {
        let mut found = Collector { columns: Vec::new(), len: 0 };
        // This visitor never stops the search.
        let _ = Bitmask::search(n, &mut found);
        Self { n, columns: found.columns, len: found.len }.judged()
    }

    /// The given placements, all of one size.
    pub fn from_placements(n: usize, placements: &[Placement]) -> Result<Self, CertifyError> {
        if let Some(other) = placements.iter().find(|placement| placement.size() != n) {
            return Err(CertifyError::Illegal(other.clone()));
        }
        let columns = placements.iter().flat_map(|placement| placement.columns().to_vec()).collect();
        Self { n, columns, len: placements.len() }.judged()
    }

    /// Checks that each is a solution and greater than the one before.
    fn judged(self) -> Result<Self, CertifyError> {
        let mut before: Option<&[u16]> = None;
        for columns in self.iter() {
            let on_the_board = columns.iter().all(|&column| usize::from(column) < self.n);
            if !on_the_board || first_attack(columns).is_some() {
                return Err(CertifyError::Illegal(Placement::new(columns)));
            }
            if before.is_some_and(|before| before >= columns) {
                return Err(CertifyError::Duplicate(Placement::new(columns)));
            }
            before = Some(columns);
        }
        Ok(self)
    }

    /// Side length of the board.
    pub fn n(&self) -> usize {
        self.n
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
    pub fn iter(&self) -> impl Iterator<Item = &[u16]> {
        (0..self.len).map(|index| self.get(index))
    }

    /// The solution at this position.
    pub fn get(&self, index: usize) -> &[u16] {
        &self.columns[index * self.n..(index + 1) * self.n]
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

    /// SHA-256 of the output of `queenlab solve N --all --notation columns`.
    pub fn sha256(&self) -> String {
        let mut hash = Sha256::new();
        for columns in self.iter() {
            hash.update(Placement::new(columns).to_string());
            hash.update("\n");
        }
        super::files::hexadecimal(&hash.finalize())
    }
}

struct Collector {
    columns: Vec<u16>,
    len: usize,
}

impl Visitor for Collector {
    fn solution(&mut self, columns: &[u16]) -> Flow {
        self.columns.extend_from_slice(columns);
        self.len += 1;
        Flow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_as_published_and_each_at_its_place() {
        for (n, expected) in [1, 1, 0, 0, 2, 10, 4, 40, 92].into_iter().enumerate() {
            let solutions = Solutions::enumerate(n).expect("small");
            assert_eq!(solutions.len(), expected);
            for (index, columns) in solutions.iter().enumerate() {
                assert_eq!(solutions.position(columns), Some(index));
            }
        }
        let solutions = Solutions::enumerate(8).expect("small");
        assert_eq!(solutions.position(&[0; 8]), None);
        assert_eq!(solutions.position(&[8; 8]), None);
    }

    #[test]
    fn illegal_and_repeated_solutions_are_refused() {
        let placements = |boards: &[&[u16]]| boards.iter().map(|b| Placement::new(b)).collect::<Vec<_>>();
        let of = |boards: &[&[u16]]| Solutions::from_placements(4, &placements(boards)).map(|s| s.len());
        let (a, b): (&[u16], &[u16]) = (&[1, 3, 0, 2], &[2, 0, 3, 1]);
        assert_eq!(of(&[a, b]).ok(), Some(2));
        assert!(matches!(of(&[a, a]), Err(CertifyError::Duplicate(_))));
        assert!(matches!(of(&[a, &[0, 1, 2, 3]]), Err(CertifyError::Illegal(_))));
        assert!(matches!(of(&[&[1, 3, 0, 4]]), Err(CertifyError::Illegal(_))));
        assert!(matches!(of(&[&[0]]), Err(CertifyError::Illegal(_))));
    }
}
