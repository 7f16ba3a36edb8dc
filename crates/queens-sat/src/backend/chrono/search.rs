//! The trail of assignments: decisions, unit propagation, and conflict analysis.
//!
//! Each decision level begins with a decision. When every model with this decision has been visited, the search **closes** the
//! level: it replaces the level by a closed level, which begins with the negated decision. No clause implies the negated decision,
//! so conflict analysis treats it as a decision. Each learned clause therefore follows from the formula alone.
//!
//! A backjump never undoes a closed level, because the closed levels exclude the models that have been visited. If the learned clause
//! becomes unit at an earlier level, its asserted literal is assigned at the last closed level, and is undone together with this level.
//! (Keeping the literal assigned, as in Nadel & Ryvchin, SAT 2018, made no difference for n queens.)
//! Source: Marques-Silva & Sakallah, IEEE Trans. Computers 1999 (learning); Grumberg, Schuster & Yadgar, FMCAD 2004 (negated decisions
//! in conflict analysis).

use std::mem;

use super::clauses::{ClauseId, Clauses, IndexedLit, Watcher};

/// The reason of an assignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The literal is a decision, or follows from the formula alone.
    None,
    /// A binary clause, whose other literal is false.
    Binary(IndexedLit),
    /// A longer clause, whose other literals are all false.
    Clause(ClauseId),
}

/// A clause whose literals are all false.
#[derive(Clone, Copy, Debug)]
pub enum Conflict {
    Binary(IndexedLit, IndexedLit),
    Clause(ClauseId),
}

#[derive(Clone, Copy, Debug)]
struct DecisionLevel {
    /// The index of the decision in the trail.
    start: usize,
    decision: IndexedLit,
    is_closed: bool,
}

/// The assignments and clauses of a search.
#[derive(Debug)]
pub struct ChronoSearch {
    clauses: Clauses,
    /// Whether all models have been visited.
    pub is_exhausted: bool,
    /// By literal: 1 if true, -1 if false, 0 if not assigned.
    values: Vec<i8>,
    /// By variable: the reason of its assignment.
    reasons: Vec<Reason>,
    /// By variable: the decision level of its assignment.
    levels: Vec<usize>,
    /// All true literals, in the order of assignment.
    trail: Vec<IndexedLit>,
    /// The index in the trail of the next literal to propagate.
    next_to_propagate: usize,
    decision_levels: Vec<DecisionLevel>,
    /// By variable: VSIDS activity, which is higher for variables of recent conflicts.
    pub activity: Vec<f64>,
    /// The amount by which a conflict increases the activity of each variable in its analysis. It grows with each conflict.
    activity_increment: f64,
    /// By variable: whether conflict analysis has visited the variable, and has not resolved on it since. All false between analyses.
    marked: Vec<bool>,
    /// The last learned clause. The first literal is the asserting literal. Among the other literals, the second has the highest
    /// level.
    learned_clause: Vec<IndexedLit>,
    pub conflicts: u64,
    pub propagations: u64,
}

/// The factor by which the activity increment grows after each conflict (VSIDS decay 0.95).
const ACTIVITY_GROWTH: f64 = 1.0 / 0.95;

impl Default for ChronoSearch {
    fn default() -> Self {
        Self {
            clauses: Clauses::default(),
            is_exhausted: false,
            values: Vec::new(),
            reasons: Vec::new(),
            levels: Vec::new(),
            trail: Vec::new(),
            next_to_propagate: 0,
            decision_levels: Vec::new(),
            activity: Vec::new(),
            activity_increment: 1.0,
            marked: Vec::new(),
            learned_clause: Vec::new(),
            conflicts: 0,
            propagations: 0,
        }
    }
}

impl ChronoSearch {
    /// Allocates memory for the variables `0..variables`.
    pub fn reserve(&mut self, variables: usize) {
        if variables > self.variables() {
            self.clauses.reserve(variables);
            self.values.resize(2 * variables, 0);
            self.reasons.resize(variables, Reason::None);
            self.levels.resize(variables, 0);
            self.activity.resize(variables, 0.0);
            self.marked.resize(variables, false);
        }
    }

    /// The number of variables.
    pub fn variables(&self) -> usize {
        self.reasons.len()
    }

    /// The value of a literal; `None` if it is not assigned.
    pub fn value(&self, lit: IndexedLit) -> Option<bool> {
        match self.values[lit.index()] {
            0 => None,
            1 => Some(true),
            _ => Some(false),
        }
    }

    /// The number of clauses of two or more literals.
    #[cfg(test)]
    pub fn clauses(&self) -> usize {
        self.clauses.len()
    }

    /// Whether a variable is assigned.
    pub fn is_assigned(&self, variable: usize) -> bool {
        self.values[2 * variable] != 0
    }

    /// Adds a clause to the formula. Undoes all decisions.
    pub fn add_clause(&mut self, clause: &mut Vec<IndexedLit>) {
        self.backtrack(0);
        self.reserve(clause.iter().map(|lit| lit.variable() + 1).max().unwrap_or(0));
        clause.sort_unstable();
        clause.dedup();
        let is_true = |lit: &IndexedLit| self.value(*lit) == Some(true);
        if clause.iter().any(is_true) || clause.windows(2).any(|pair| pair[0] == !pair[1]) {
            return;
        }
        clause.retain(|&lit| self.value(lit).is_none());
        match clause[..] {
            [] => self.is_exhausted = true,
            [unit] => self.assign(unit, Reason::None),
            [first, second] => self.clauses.add_binary(first, second),
            _ => {
                self.clauses.add(clause, None);
            }
        }
    }

    /// Begins a level with a decision.
    pub fn decide(&mut self, decision: IndexedLit) {
        self.begin_level(decision, false);
    }

    fn begin_level(&mut self, decision: IndexedLit, is_closed: bool) {
        self.decision_levels.push(DecisionLevel { start: self.trail.len(), decision, is_closed });
        self.assign(decision, Reason::None);
    }

    fn assign(&mut self, lit: IndexedLit, reason: Reason) {
        self.values[lit.index()] = 1;
        self.values[(!lit).index()] = -1;
        self.reasons[lit.variable()] = reason;
        self.levels[lit.variable()] = self.decision_levels.len();
        self.trail.push(lit);
    }

    /// Undoes all assignments above this decision level.
    pub fn backtrack(&mut self, level: usize) {
        let Some(&DecisionLevel { start, .. }) = self.decision_levels.get(level) else { return };
        for lit in self.trail.drain(start..) {
            self.values[lit.index()] = 0;
            self.values[(!lit).index()] = 0;
        }
        self.decision_levels.truncate(level);
        self.next_to_propagate = start;
    }

    /// Unit propagation: assigns the last literal of each clause whose other literals are false, until a fixpoint.
    ///
    /// # Errors
    ///
    /// A clause whose literals are all false.
    pub fn propagate(&mut self) -> Result<(), Conflict> {
        while let Some(&lit) = self.trail.get(self.next_to_propagate) {
            self.next_to_propagate += 1;
            self.propagations += 1;
            self.propagate_binary(lit)?;
            self.propagate_clauses(!lit)?;
        }
        Ok(())
    }

    fn propagate_binary(&mut self, lit: IndexedLit) -> Result<(), Conflict> {
        let implied = mem::take(&mut self.clauses.implied[lit.index()]);
        let mut result = Ok(());
        for &implied_lit in &implied {
            match self.values[implied_lit.index()] {
                0 => self.assign(implied_lit, Reason::Binary(!lit)),
                1 => (),
                _ => {
                    result = Err(Conflict::Binary(!lit, implied_lit));
                    break;
                }
            }
        }
        self.clauses.implied[lit.index()] = implied;
        result
    }

    /// Visits the watch list of `lit`, which has become false. In each clause, watches another literal that is not false. If there is
    /// none, the clause is unit or false.
    fn propagate_clauses(&mut self, lit: IndexedLit) -> Result<(), Conflict> {
        let mut watches = mem::take(&mut self.clauses.watches[lit.index()]);
        let mut result = Ok(());
        let mut write_index = 0;
        let mut read_index = 0;
        while read_index < watches.len() {
            let watch = watches[read_index];
            read_index += 1;
            watches[write_index] = watch;
            write_index += 1;
            if self.values[watch.blocker.index()] > 0 {
                continue;
            }
            let clause = self.clauses.get_mut(watch.clause);
            if clause[0] == lit {
                clause.swap(0, 1);
            }
            let other_watched = clause[0];
            let value = self.values[other_watched.index()];
            if value > 0 {
                watches[write_index - 1].blocker = other_watched;
                continue;
            }
            if let Some(position) =
                (2..clause.len()).find(|&position| self.values[clause[position].index()] >= 0)
            {
                clause.swap(1, position);
                let new_watched = clause[1].index();
                self.clauses.watches[new_watched]
                    .push(Watcher { clause: watch.clause, blocker: other_watched });
                write_index -= 1;
                continue;
            }
            if value == 0 {
                self.assign(other_watched, Reason::Clause(watch.clause));
            } else {
                result = Err(Conflict::Clause(watch.clause));
                break;
            }
        }
        watches.copy_within(read_index.., write_index);
        watches.truncate(watches.len() - (read_index - write_index));
        self.clauses.watches[lit.index()] = watches;
        result
    }

    /// Learns a clause from a conflict. If the current level is not closed, jumps back to the level at which the learned clause becomes
    /// unit, but not below the last closed level. If the current level is closed, closes the last level that is not closed. Returns
    /// `false` if all levels are closed, because then every model has been visited.
    pub fn resolve(&mut self, conflict: Conflict) -> bool {
        self.conflicts += 1;
        if self.decision_levels.is_empty() {
            return false;
        }
        let unit_level = self.analyze(conflict);
        let last_closed_level = self.last_closed_level();
        if last_closed_level < self.decision_levels.len() {
            self.backtrack(unit_level.max(last_closed_level));
        } else if !self.close_last_level(usize::MAX) {
            return false;
        }
        self.learn();
        true
    }

    /// Closes the last level that is not closed and whose decision is on one of the variables `0..variables`, and undoes the later
    /// levels. Returns `false` if there is no such level, because then every model has been visited.
    pub fn close_last_level(&mut self, variables: usize) -> bool {
        let is_candidate = |level: &DecisionLevel| !level.is_closed && level.decision.variable() < variables;
        let Some(level) = self.decision_levels.iter().rposition(is_candidate) else { return false };
        let decision = self.decision_levels[level].decision;
        self.backtrack(level);
        self.begin_level(!decision, true);
        true
    }

    /// The number of the last closed level, from 1; 0 if no level is closed.
    pub fn last_closed_level(&self) -> usize {
        self.decision_levels.iter().rposition(|level| level.is_closed).map_or(0, |level| level + 1)
    }

    fn literals_of(&self, conflict: Conflict) -> impl Iterator<Item = IndexedLit> {
        let (pair, clause) = match conflict {
            Conflict::Binary(first, second) => ([first, second].into_iter().take(2), &[][..]),
            Conflict::Clause(id) => ([IndexedLit::new(0, true); 2].into_iter().take(0), self.clauses.get(id)),
        };
        pair.chain(clause.iter().copied())
    }

    /// Computes the first-UIP clause of a conflict into `learned_clause`: starting with the conflicting clause, resolves with the reasons
    /// of literals until the clause contains only one literal of the current level. This literal comes first. Among the other
    /// literals, one of the highest level comes second. Returns the level of the second literal, at which the clause is unit; 0 if
    /// the clause has one literal.
    fn analyze(&mut self, conflict: Conflict) -> usize {
        let level = self.decision_levels.len();
        self.learned_clause.clear();
        let mut clause: Vec<IndexedLit> = self.literals_of(conflict).collect();
        let mut position = self.trail.len();
        let mut unresolved_count = 0;
        let asserting = loop {
            for lit in clause.drain(..) {
                let variable = lit.variable();
                if self.marked[variable] || self.levels[variable] == 0 {
                    continue;
                }
                self.marked[variable] = true;
                self.activity[variable] += self.activity_increment;
                if self.levels[variable] == level {
                    unresolved_count += 1;
                } else {
                    self.learned_clause.push(lit);
                }
            }
            let lit = loop {
                position -= 1;
                let lit = self.trail[position];
                if self.marked[lit.variable()] && self.levels[lit.variable()] == level {
                    break lit;
                }
            };
            self.marked[lit.variable()] = false;
            unresolved_count -= 1;
            if unresolved_count == 0 {
                break !lit;
            }
            match self.reasons[lit.variable()] {
                Reason::None => (),
                Reason::Binary(false_lit) => clause.push(false_lit),
                Reason::Clause(id) => {
                    clause.extend(self.clauses.get(id).iter().filter(|false_lit| **false_lit != lit))
                }
            }
        };
        self.activity_increment *= ACTIVITY_GROWTH;
        if self.activity_increment > 1e100 {
            self.activity_increment *= 1e-100;
            self.activity.iter_mut().for_each(|activity| *activity *= 1e-100);
        }
        let unminimized = mem::take(&mut self.learned_clause);
        let minimized = unminimized.iter().copied().filter(|&lit| !self.is_redundant(lit));
        self.learned_clause = [asserting].into_iter().chain(minimized).collect();
        unminimized.iter().for_each(|lit| self.marked[lit.variable()] = false);
        let level_of = |lit: IndexedLit| self.levels[lit.variable()];
        let Some(second) =
            (1..self.learned_clause.len()).max_by_key(|&position| level_of(self.learned_clause[position]))
        else {
            return 0;
        };
        self.learned_clause.swap(1, second);
        self.levels[self.learned_clause[1].variable()]
    }

    /// Whether a literal of the learned clause is redundant: all other literals of its reason are in the clause, or are false at level 0
    /// (local clause minimization).
    fn is_redundant(&self, lit: IndexedLit) -> bool {
        let is_covered = |lit: IndexedLit| self.marked[lit.variable()] || self.levels[lit.variable()] == 0;
        match self.reasons[lit.variable()] {
            Reason::None => false,
            Reason::Binary(false_lit) => is_covered(false_lit),
            // The variable of the literal itself is marked.
            Reason::Clause(id) => self.clauses.get(id).iter().copied().all(is_covered),
        }
    }

    /// Adds the learned clause. If all literals except the first are false, assigns the first literal.
    fn learn(&mut self) {
        let clause = mem::take(&mut self.learned_clause);
        let is_unit = clause[1..].iter().all(|&lit| self.value(lit) == Some(false));
        let reason = match clause[..] {
            [_] => Reason::None,
            [first, second] => {
                // The solver may have learned the clause before, if a backjump has undone the asserted literal since.
                if !self.clauses.has_binary(first, second) {
                    self.clauses.add_binary(first, second);
                }
                Reason::Binary(second)
            }
            _ => {
                let lbd = self.count_levels(&clause);
                Reason::Clause(self.clauses.add(&clause, Some(lbd)))
            }
        };
        if is_unit && self.value(clause[0]).is_none() {
            self.assign(clause[0], reason);
        }
        self.learned_clause = clause;
    }

    /// The number of different decision levels of the literals of a clause, which is its LBD.
    fn count_levels(&self, clause: &[IndexedLit]) -> usize {
        let mut levels: Vec<usize> = clause.iter().map(|lit| self.levels[lit.variable()]).collect();
        levels.sort_unstable();
        levels.dedup();
        levels.len()
    }

    /// If there are more than `maximum` learned clauses, removes the worse half, except the reasons of current assignments.
    pub fn reduce_learned(&mut self, maximum: usize) {
        if self.clauses.learned_count() <= maximum {
            return;
        }
        let Self { clauses, trail, reasons, .. } = self;
        let mut reason_clauses: Vec<ClauseId> = Vec::new();
        for lit in &*trail {
            if let Reason::Clause(id) = reasons[lit.variable()] {
                reason_clauses.push(id);
            }
        }
        reason_clauses.sort_unstable();
        let new_ids = clauses.remove_worse_half(|id| reason_clauses.binary_search(&id).is_ok());
        for lit in trail {
            if let Reason::Clause(id) = &mut reasons[lit.variable()]
                && let Ok(position) = new_ids.binary_search_by_key(id, |&(old, _)| old)
            {
                *id = new_ids[position].1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cnf::Lit;

    /// A literal in DIMACS notation: variables from 1.
    fn lit(number: i32) -> IndexedLit {
        IndexedLit::from_lit(Lit::from_dimacs(number).expect("not 0"))
    }

    fn search(clauses: &[&[i32]]) -> ChronoSearch {
        let mut search = ChronoSearch::default();
        for clause in clauses {
            search.add_clause(&mut clause.iter().copied().map(lit).collect());
        }
        search.propagate().expect("no conflict");
        search
    }

    /// Decides these literals, and learns a clause from the conflict that the last decision causes.
    fn learn_from(search: &mut ChronoSearch, decisions: &[i32]) {
        let (last, earlier) = decisions.split_last().expect("a decision");
        for &number in earlier {
            search.decide(lit(number));
            search.propagate().expect("no conflict");
        }
        search.decide(lit(*last));
        let conflict = search.propagate().expect_err("a conflict");
        assert!(search.resolve(conflict));
    }

    /// The first-UIP clause is (-3, -1, -2). Literal -2 is redundant, because 1 implies 2. In the first formula, the implication is
    /// a clause of two literals. In the second formula, it is a clause of three literals, one of which is false without decisions.
    #[test]
    fn redundant_literals_are_removed_from_learned_clauses() {
        let conflict: [&[i32]; 3] = [&[-3, -2, 4], &[-3, -1, 5], &[-4, -5]];
        for reason in [&[&[-1, 2][..]][..], &[&[-1, -6, 2], &[6]]] {
            let mut search = search(&[reason, &conflict].concat());
            learn_from(&mut search, &[1, 3]);
            assert_eq!(search.learned_clause, [-3, -1].map(lit));
            assert!(search.clauses.has_binary(lit(-1), lit(-3)));
            assert_eq!(search.value(lit(-3)), Some(true));
            assert_eq!(search.clauses.learned_count(), 0);
        }
        // If 2 is a decision, literal -2 is not redundant.
        let mut search = search(&conflict);
        learn_from(&mut search, &[1, 2, 3]);
        assert_eq!(search.learned_clause.len(), 3);
        assert_eq!(search.clauses.learned_count(), 1);
    }

    #[test]
    fn learned_binary_clause_is_stored_once() {
        assert!(search(&[&[1, 2]]).clauses.has_binary(lit(1), lit(2)));
        let mut search = search(&[&[1, 2, 3]]);
        for _ in 0..2 {
            search.learned_clause = [1, 2].map(lit).to_vec();
            search.learn();
        }
        assert_eq!(search.clauses(), 2);
        search.learned_clause = vec![lit(3)];
        search.learn();
        assert_eq!(search.clauses(), 2);
    }

    #[test]
    fn activities_are_scaled_before_they_overflow() {
        let mut search = search(&[&[-1, 2], &[-1, -2], &[-3, 4], &[-3, -4]]);
        learn_from(&mut search, &[1]);
        search.propagate().expect("no conflict");
        assert_eq!(search.activity[0], 1.0);
        learn_from(&mut search, &[3]);
        assert_eq!(search.activity[2], ACTIVITY_GROWTH);
        assert!((1.05..1.06).contains(&ACTIVITY_GROWTH));

        let mut search = self::search(&[&[-1, 2], &[-1, -2], &[3, 4]]);
        (search.activity_increment, search.activity[2]) = (2e100, 1e100);
        learn_from(&mut search, &[1]);
        let scaled = [
            (search.activity[0], 2.0),
            (search.activity[2], 1.0),
            (search.activity_increment, 2.0 * ACTIVITY_GROWTH),
        ];
        assert!(scaled.iter().all(|(value, expected)| (value / expected - 1.0).abs() < 1e-9), "{scaled:?}");
    }

    #[test]
    fn learned_clauses_above_the_maximum_are_removed() {
        let mut search = search(&[&[1, 2, 3], &[4, 5, 6]]);
        for variable in [1, 4] {
            search.decide(lit(variable));
        }
        assert_eq!(
            [&[1, 4][..], &[1, 1], &[1]]
                .map(|clause| { search.count_levels(&clause.iter().copied().map(lit).collect::<Vec<_>>()) }),
            [2, 1, 1]
        );
        for clause in [[1, 2, 4], [1, 2, 5], [1, 2, 6], [1, 3, 4]] {
            search.clauses.add(&clause.map(lit), Some(2));
        }
        search.reduce_learned(4);
        assert_eq!(search.clauses.learned_count(), 4);
        search.reduce_learned(3);
        assert_eq!(search.clauses.learned_count(), 2);
    }
}
