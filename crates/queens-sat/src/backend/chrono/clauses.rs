//! The clause database of the solver: the clauses of the formula, and a bounded number of learned clauses.
//!
//! A binary clause is stored as two implications. In a longer clause, the first two literals are *watched*: as long as neither of
//! them is false, the clause is neither unit nor false, so propagation need not read it. The *watch list* of a literal contains the
//! clauses in which it is watched.
//! Source: Moskewicz, Madigan, Zhao, Zhang & Malik, DAC 2001 (watched literals); Audemard & Simon, IJCAI 2009 (deletion of learned
//! clauses with a high LBD).

use std::cmp::Reverse;
use std::ops::Not;

use crate::cnf;

/// A literal as an index: `2 * v` for variable `v`, and `2 * v + 1` for its negation. Variables are numbered from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct IndexedLit(u32);

impl IndexedLit {
    /// Converts a literal of a formula, whose variables are numbered from 1.
    pub fn from_lit(lit: cnf::Lit) -> Self {
        Self(2 * (lit.variable() - 1) + u32::from(!lit.is_positive()))
    }

    /// The literal of a variable, which is numbered from 0.
    pub fn new(variable: usize, is_positive: bool) -> Self {
        Self(2 * cnf::variable(variable) + u32::from(!is_positive))
    }

    /// The number of this literal, for arrays with one element per literal.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The variable of this literal, numbered from 0.
    pub fn variable(self) -> usize {
        self.0 as usize / 2
    }

    /// Whether this literal is the variable itself, not its negation.
    pub fn is_positive(self) -> bool {
        self.0.is_multiple_of(2)
    }
}

impl Not for IndexedLit {
    type Output = IndexedLit;

    fn not(self) -> IndexedLit {
        IndexedLit(self.0 ^ 1)
    }
}

/// The index of a clause of three or more literals.
pub type ClauseId = u32;

/// An element of a watch list: a clause, and its blocking literal, which is another literal of the clause. If the blocking literal is
/// true, the clause is satisfied and need not be read.
#[derive(Clone, Copy, Debug)]
pub struct Watcher {
    pub clause: ClauseId,
    pub blocker: IndexedLit,
}

/// The position of a clause in [`Clauses::literals`], and its LBD.
#[derive(Clone, Copy, Debug)]
struct ClauseSpan {
    start: usize,
    end: usize,
    /// The literal block distance (LBD): the number of different decision levels of the literals when the clause was learned. 0 for a
    /// clause of the formula.
    lbd: usize,
}

/// The clauses of two or more literals. Unit clauses are assignments instead.
#[derive(Debug, Default)]
pub struct Clauses {
    /// By literal, the literals that binary clauses imply if this literal is true.
    pub implied: Vec<Vec<IndexedLit>>,
    /// By literal, its watch list.
    pub watches: Vec<Vec<Watcher>>,
    literals: Vec<IndexedLit>,
    spans: Vec<ClauseSpan>,
    /// The index of the first learned clause that may be removed. All later clauses are learned, too.
    first_learned: usize,
}

impl Clauses {
    /// Allocates memory for the variables `0..variables`.
    pub fn reserve(&mut self, variables: usize) {
        self.implied.resize_with(2 * variables, Vec::new);
        self.watches.resize_with(2 * variables, Vec::new);
    }

    /// Adds a binary clause.
    pub fn add_binary(&mut self, first: IndexedLit, second: IndexedLit) {
        self.implied[(!first).index()].push(second);
        self.implied[(!second).index()].push(first);
    }

    /// Whether there is a binary clause with these two literals.
    pub fn has_binary(&self, first: IndexedLit, second: IndexedLit) -> bool {
        self.implied[(!first).index()].contains(&second)
    }

    /// Adds a clause of three or more literals, of which the first two are watched. `lbd` is the LBD of a learned clause, and `None`
    /// for a clause of the formula. Learned clauses that were added before a clause of the formula are never removed.
    pub fn add(&mut self, clause: &[IndexedLit], lbd: Option<usize>) -> ClauseId {
        let start = self.literals.len();
        self.literals.extend_from_slice(clause);
        self.spans.push(ClauseSpan { start, end: self.literals.len(), lbd: lbd.unwrap_or(0) });
        if lbd.is_none() {
            self.first_learned = self.spans.len();
        }
        let id = cnf::variable(self.spans.len() - 1);
        self.watch(id);
        id
    }

    fn watch(&mut self, id: ClauseId) {
        let &[first, second, ..] = self.get(id) else { return };
        self.watches[first.index()].push(Watcher { clause: id, blocker: second });
        self.watches[second.index()].push(Watcher { clause: id, blocker: first });
    }

    /// The literals of a clause.
    pub fn get(&self, id: ClauseId) -> &[IndexedLit] {
        let ClauseSpan { start, end, .. } = self.spans[id as usize];
        &self.literals[start..end]
    }

    /// The literals of a clause, whose order the caller may change.
    pub fn get_mut(&mut self, id: ClauseId) -> &mut [IndexedLit] {
        let ClauseSpan { start, end, .. } = self.spans[id as usize];
        &mut self.literals[start..end]
    }

    /// The number of all clauses.
    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.spans.len() + self.implied.iter().map(Vec::len).sum::<usize>() / 2
    }

    /// The number of learned clauses that may be removed. They have three or more literals.
    pub fn learned_count(&self) -> usize {
        self.spans.len() - self.first_learned
    }

    /// Removes the half of the learned clauses with the highest LBD, except clauses for which `is_reason` is true. Removing clauses
    /// changes the ids of later clauses. Returns the old and the new id of each remaining learned clause, by ascending old id.
    pub fn remove_worse_half(&mut self, is_reason: impl Fn(ClauseId) -> bool) -> Vec<(ClauseId, ClauseId)> {
        let first = cnf::variable(self.first_learned);
        let mut by_quality: Vec<ClauseId> = (first..cnf::variable(self.spans.len())).collect();
        // Among clauses of equal LBD and length, newer clauses are kept.
        by_quality.sort_by_key(|&id| (self.spans[id as usize].lbd, self.get(id).len(), Reverse(id)));
        let half = by_quality.len() / 2;
        let worse_half = by_quality.split_off(half);
        let mut remaining = by_quality;
        remaining.extend(worse_half.into_iter().filter(|&id| is_reason(id)));
        remaining.sort_unstable();

        self.watches.iter_mut().for_each(|watches| watches.retain(|watch| watch.clause < first));
        let mut end = self.spans.get(self.first_learned).map_or(self.literals.len(), |span| span.start);
        let mut new_ids = Vec::with_capacity(remaining.len());
        for (old, new) in remaining.into_iter().zip(first..) {
            let span = self.spans[old as usize];
            self.literals.copy_within(span.start..span.end, end);
            let start = end;
            end += span.end - span.start;
            self.spans[new as usize] = ClauseSpan { start, end, ..span };
            self.watch(new);
            new_ids.push((old, new));
        }
        self.literals.truncate(end);
        self.spans.truncate(self.first_learned + new_ids.len());
        new_ids
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lits(numbers: &[usize]) -> Vec<IndexedLit> {
        numbers.iter().map(|&number| IndexedLit::new(number, true)).collect()
    }

    #[test]
    fn binary_clause_is_found_in_either_order() {
        let [a, b, c] = [0, 1, 2].map(|variable| IndexedLit::new(variable, true));
        let mut clauses = Clauses::default();
        clauses.reserve(3);
        clauses.add_binary(a, b);
        clauses.add_binary(!a, c);
        assert!(clauses.has_binary(a, b) && clauses.has_binary(b, a) && clauses.has_binary(c, !a));
        assert!(!clauses.has_binary(a, c) && !clauses.has_binary(!a, b) && !clauses.has_binary(!a, !b));
        assert_eq!(clauses.len(), 2);
    }

    #[test]
    fn reduction_removes_worse_half_except_reasons() {
        let mut clauses = Clauses::default();
        clauses.reserve(10);
        clauses.add(&lits(&[7, 8, 9]), None);
        assert_eq!(clauses.learned_count(), 0);
        // The learned clauses have the ids 1 to 6. A lower LBD is better; then fewer literals; then a higher id.
        let learned = [
            (&[0, 1, 2][..], 3),
            (&[1, 2, 3, 4], 2),
            (&[2, 3, 4], 2),
            (&[3, 4, 5], 2),
            (&[4, 5, 6], 9),
            (&[5, 6, 0], 8),
        ];
        for (numbers, lbd) in learned {
            clauses.add(&lits(numbers), Some(lbd));
        }
        assert_eq!(clauses.learned_count(), 6);
        assert_eq!(clauses.remove_worse_half(|id| id == 5), [(2, 1), (3, 2), (4, 3), (5, 4)]);
        assert_eq!(clauses.learned_count(), 4);
        let remaining: [&[usize]; 5] = [&[7, 8, 9], &[1, 2, 3, 4], &[2, 3, 4], &[3, 4, 5], &[4, 5, 6]];
        for (id, numbers) in (0..).zip(remaining) {
            assert_eq!(clauses.get(id), lits(numbers));
        }
        let watched = |number: usize| -> Vec<(ClauseId, IndexedLit)> {
            clauses.watches[IndexedLit::new(number, true).index()]
                .iter()
                .map(|watch| (watch.clause, watch.blocker))
                .collect()
        };
        let expected = remaining
            .iter()
            .zip(0..)
            .flat_map(|(numbers, id)| [(numbers[0], (id, numbers[1])), (numbers[1], (id, numbers[0]))]);
        for number in 0..10 {
            let watch_list = expected.clone().filter(|&(watched, _)| watched == number);
            let expected: Vec<_> =
                watch_list.map(|(_, (id, blocker))| (id, IndexedLit::new(blocker, true))).collect();
            assert_eq!(watched(number), expected, "{number}");
        }
        // Two of the five learned clauses remain: those with the lowest LBD and, among these, with the fewest literals.
        clauses.add(&lits(&[0, 1, 9]), Some(2));
        assert_eq!(clauses.remove_worse_half(|_| false), [(3, 1), (5, 2)]);
        assert_eq!(clauses.get(2), lits(&[0, 1, 9]));
    }
}
