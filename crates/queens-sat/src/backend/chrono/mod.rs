//! A CDCL solver for the enumeration of models. It learns a clause from each conflict, and backtracks chronologically after each
//! model.
//!
//! A common way to enumerate models adds a *blocking clause* for each model, so that memory grows with the number of models. This
//! solver uses no blocking clauses. After a model, it takes the last decision on a square that has not been negated yet, negates the
//! decision, and continues from its level. All models with the original decision have been visited then, so the solver visits each
//! model once. Squares are decided before auxiliary variables, so that models that differ only in auxiliary variables are visited once.
//!
//! The decision heuristic chooses the row or column without a queen that has the fewest unassigned squares, and in this line the square
//! with the highest VSIDS activity. The number of learned clauses is limited.
//! Source: Spallitta, Sebastiani & Biere, AAAI 2024 (enumeration without blocking clauses), and Artificial Intelligence 2025
//! (with projection); Grumberg, Schuster & Yadgar, FMCAD 2004.

mod clauses;
mod search;

use std::mem;
use std::ops::ControlFlow;

use super::kind::{BackendError, BackendKind, BackendOptions, IncrementalSolver};
use crate::cnf::{self, Variable, variable};
use clauses::IndexedLit;
use queens_solver::{Budget, Stat, Statistics, Stop};
use search::ChronoSearch;

/// The entry of this solver in the table of backends.
pub const KIND: BackendKind = BackendKind {
    name: "chrono",
    version: env!("CARGO_PKG_VERSION"),
    about: "the SAT solver of queenlab, with chronological backtracking, in this process",
    statistics: &[Stat::Decisions, Stat::Conflicts, Stat::Propagations],
    blocks_models: false,
    largest_board: |n| n,
    unavailable: |_| None,
    open: |options| Box::new(Chrono::new(options)),
};

/// The number of decisions and conflicts between two checks of the budget.
const CHECK_INTERVAL: u64 = 64;

/// The maximum number of learned clauses after the first model. There are few conflicts between two models, and each learned clause
/// slows down propagation. At n = 12, maxima from 30 to 300 take the same time, and 2000 takes twice this time.
const MAX_LEARNED: usize = 100;

/// The maximum number of learned clauses before the first model.
const MAX_LEARNED_BEFORE_MODEL: usize = 2000;

/// The number of conflicts before the first restart. The intervals between restarts are the Luby sequence, multiplied by this number.
const RESTART_UNIT: u64 = 64;

struct Chrono {
    search: ChronoSearch,
    budget: Budget,
    /// The clauses of two or more literals, none of them negated. These are the rows, columns and other lines that need a queen.
    lines: Vec<Vec<IndexedLit>>,
    clause: Vec<IndexedLit>,
    model: Vec<Variable>,
    decisions: u64,
    restarts: u64,
    /// The number of conflicts at which the next restart occurs.
    next_restart: u64,
    /// The maximum number of learned clauses after the first model.
    max_learned: usize,
}

impl Chrono {
    fn new(options: &BackendOptions<'_>) -> Self {
        Self {
            search: ChronoSearch::default(),
            budget: options.budget.clone(),
            lines: Vec::new(),
            clause: Vec::new(),
            model: Vec::new(),
            decisions: 0,
            restarts: 0,
            next_restart: RESTART_UNIT,
            max_learned: MAX_LEARNED,
        }
    }

    /// Searches for the next model, and stores its true variables in `model`. The variables `0..squares` are squares. Returns `false`
    /// if there is no further model.
    fn next_model(&mut self, squares: usize, lines: &[Vec<IndexedLit>]) -> Result<bool, Stop> {
        if self.search.is_exhausted {
            return Ok(false);
        }
        let mut first_unassigned = 0;
        for step in 1_u64.. {
            if let Err(conflict) = self.search.propagate() {
                if !self.search.resolve(conflict) {
                    self.search.is_exhausted = true;
                    return Ok(false);
                }
                self.reduce_or_restart();
                first_unassigned = 0;
            } else if let Some(decision) = self.choose(squares, lines, &mut first_unassigned) {
                self.decisions += 1;
                self.search.decide(decision);
            } else {
                break;
            }
            if step.is_multiple_of(CHECK_INTERVAL)
                && let Some(stop) = self.budget.exceeded(0)
            {
                return Err(stop);
            }
        }
        let is_true = |&variable: &usize| self.search.value(IndexedLit::new(variable, true)) == Some(true);
        self.model.clear();
        self.model.extend((0..self.search.variables()).filter(is_true).map(|index| variable(index + 1)));
        Ok(true)
    }

    /// Deletes learned clauses above the maximum, and restarts if a restart is due. There are no restarts after the first model,
    /// because a restart would undo the negated decisions that exclude the visited models.
    fn reduce_or_restart(&mut self) {
        if self.search.last_closed_level() > 0 {
            self.search.reduce_learned(self.max_learned);
            return;
        }
        self.search.reduce_learned(MAX_LEARNED_BEFORE_MODEL);
        if self.search.conflicts >= self.next_restart {
            self.restarts += 1;
            self.next_restart = self.search.conflicts + RESTART_UNIT * luby(self.restarts + 1);
            self.search.backtrack(0);
        }
    }

    /// The next decision; `None` if all variables are assigned. All variables below `first_unassigned` are assigned. This function
    /// raises `first_unassigned`, so that repeated calls do not scan the same variables.
    fn choose(
        &self,
        squares: usize,
        lines: &[Vec<IndexedLit>],
        first_unassigned: &mut usize,
    ) -> Option<IndexedLit> {
        if *first_unassigned < squares
            && let Some(square) = self.most_constrained(lines)
        {
            return Some(square);
        }
        *first_unassigned = (*first_unassigned..self.search.variables())
            .find(|&variable| !self.search.is_assigned(variable))?;
        Some(IndexedLit::new(*first_unassigned, *first_unassigned < squares))
    }

    /// The most active unassigned square of the line without a queen that has the fewest unassigned squares.
    fn most_constrained(&self, lines: &[Vec<IndexedLit>]) -> Option<IndexedLit> {
        let mut fewest_squares = usize::MAX;
        let mut shortest_line = None;
        for line in lines {
            let mut unassigned = 0;
            let is_shorter = line.iter().all(|&lit| {
                let value = self.search.value(lit);
                unassigned += usize::from(value.is_none());
                value != Some(true) && unassigned < fewest_squares
            });
            if is_shorter {
                fewest_squares = unassigned;
                shortest_line = Some(line);
            }
        }
        let unassigned = shortest_line?.iter().copied().filter(|&lit| self.search.value(lit).is_none());
        let activity = |lit: IndexedLit| self.search.activity[lit.variable()];
        unassigned.reduce(|best, next| if activity(next) > activity(best) { next } else { best })
    }
}

/// The Luby sequence 1, 1, 2, 1, 1, 2, 4, ...; the first index is 1.
/// Source: Luby, Sinclair & Zuckerman, Information Processing Letters 1993.
fn luby(index: u64) -> u64 {
    // 2^k - 1 is the end of the k-th repetition, where the value is 2^(k - 1).
    let end = (index + 1).next_power_of_two() - 1;
    if index == end { end.div_ceil(2) } else { luby(index - end / 2) }
}

impl IncrementalSolver for Chrono {
    fn prefer_true(&mut self, last: Variable) {
        self.search.reserve(last as usize);
    }

    fn add_clause(&mut self, clause: &[cnf::Lit]) {
        self.clause.clear();
        self.clause.extend(clause.iter().copied().map(IndexedLit::from_lit));
        if clause.len() > 1 && self.clause.iter().all(|lit| lit.is_positive()) {
            self.lines.push(self.clause.clone());
        }
        self.search.add_clause(&mut self.clause);
    }

    fn solve(&mut self) -> Result<bool, BackendError> {
        self.search.backtrack(0);
        let lines = mem::take(&mut self.lines);
        let model = self.next_model(self.search.variables(), &lines);
        self.lines = lines;
        model.map_err(BackendError::Stopped)
    }

    fn true_variables(&mut self, last: Variable, variables: &mut Vec<Variable>) {
        variables.clear();
        variables.extend(self.model.iter().copied().take_while(|&variable| variable <= last));
    }

    fn models(
        &mut self,
        last: Variable,
        visit: &mut dyn FnMut(&[Variable]) -> ControlFlow<Option<Stop>>,
    ) -> Result<(u64, ControlFlow<Option<Stop>>), BackendError> {
        let squares = last as usize;
        self.search.backtrack(0);
        self.search.reserve(squares);
        let has_only_squares = |line: &&Vec<IndexedLit>| line.iter().all(|lit| lit.variable() < squares);
        let lines: Vec<Vec<IndexedLit>> = self.lines.iter().filter(has_only_squares).cloned().collect();
        let mut calls = 0;
        loop {
            calls += 1;
            match self.next_model(squares, &lines) {
                Ok(true) => (),
                Ok(false) => return Ok((calls, ControlFlow::Continue(()))),
                Err(stop) => return Ok((calls, ControlFlow::Break(Some(stop)))),
            }
            let queens = self.model.partition_point(|&variable| variable <= last);
            let flow = visit(&self.model[..queens]);
            if flow.is_break() {
                return Ok((calls, flow));
            }
            if !self.search.close_last_level(squares) {
                return Ok((calls + 1, ControlFlow::Continue(())));
            }
        }
    }

    fn statistics(&self) -> Statistics {
        [
            (Stat::Decisions, self.decisions),
            (Stat::Conflicts, self.search.conflicts),
            (Stat::Propagations, self.search.propagations),
        ]
        .into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::am1::PAIRWISE;
    use crate::encoding::direct;

    fn enumerate(chrono: &mut Chrono, last: Variable) -> Vec<Vec<Variable>> {
        let mut models = Vec::new();
        let mut visit = |queens: &[Variable]| {
            models.push(queens.to_vec());
            ControlFlow::Continue(())
        };
        let (calls, flow) = chrono.models(last, &mut visit).expect("no failure");
        assert_eq!((calls, flow), (models.len() as u64 + 1, ControlFlow::Continue(())));
        models
    }

    /// Whether the values of the variables up to `last` can be completed to a model. Bit `v - 1` of `values` is the value of variable `v`.
    fn can_be_completed(clauses: &[Vec<cnf::Lit>], variables: u32, last: u32, values: u32) -> bool {
        (0..1_u32 << (variables - last)).any(|auxiliary_values| {
            let values = values | auxiliary_values << last;
            let is_true = |lit: &cnf::Lit| (values >> (lit.variable() - 1) & 1 == 1) == lit.is_positive();
            clauses.iter().all(|clause| clause.iter().any(is_true))
        })
    }

    /// Compares the models of random formulas with brute force. The formulas have eleven variables, some of which are auxiliary.
    #[test]
    fn each_model_of_a_formula_is_visited_once() {
        const VARIABLES: u32 = 11;
        let mut random = fastrand::Rng::with_seed(1);
        let (mut conflicts, mut restarts) = (0, 0);
        for _ in 0..2000 {
            let last = random.u32(1..=VARIABLES);
            let literal = |random: &mut fastrand::Rng| {
                let lit = cnf::Lit::positive(random.u32(1..=VARIABLES));
                if random.bool() { lit } else { !lit }
            };
            let clauses: Vec<Vec<cnf::Lit>> = (0..random.u32(20..60))
                .map(|_| (0..random.u32(2..=5)).map(|_| literal(&mut random)).collect())
                .collect();
            let (max_learned, next_restart) = (random.usize(0..4), random.u64(0..4));
            let mut chrono = Chrono { max_learned, next_restart, ..Chrono::new(&BackendOptions::default()) };
            clauses.iter().for_each(|clause| chrono.add_clause(clause));
            let mut models = enumerate(&mut chrono, last);
            conflicts += chrono.search.conflicts;
            restarts += chrono.restarts;
            let members = |values: u32| (1..=last).filter(|v| values >> (v - 1) & 1 == 1).collect::<Vec<_>>();
            let projected_models =
                (0..1 << last).filter(|&values| can_be_completed(&clauses, VARIABLES, last, values));
            let mut expected: Vec<Vec<Variable>> = projected_models.map(members).collect();
            models.sort();
            expected.sort();
            assert_eq!(models, expected, "{last} of {VARIABLES} variables: {clauses:?}");
        }
        assert!(conflicts > 2_500 && restarts > 300, "{conflicts} conflicts, {restarts} restarts");
    }

    #[test]
    fn decision_is_most_active_square_of_shortest_line() {
        let mut chrono = Chrono::new(&BackendOptions::default());
        let clause = |numbers: &[i32]| {
            numbers.iter().filter_map(|&number| cnf::Lit::from_dimacs(number)).collect::<Vec<_>>()
        };
        // Variables 1 to 9 are squares. Only clauses without negated literals are lines.
        for numbers in [&[1, 2, 3, 4][..], &[5, 6, 7], &[8, 9, 1], &[-9, 10], &[-1, -5, -6], &[10, 11], &[12]]
        {
            chrono.add_clause(&clause(numbers));
        }
        // The literal of a unit clause is assigned at once, and the clause is not a line.
        assert_eq!(chrono.lines.iter().map(Vec::len).collect::<Vec<_>>(), [4, 3, 3, 2]);
        let lines: Vec<Vec<IndexedLit>> = chrono.lines[..3].to_vec();
        for (variable, activity) in [(4, 3.0), (5, 1.0), (6, 2.0), (7, 2.0), (8, 4.0)] {
            chrono.search.activity[variable - 1] = activity;
        }
        let mut decision_after = |decision: Option<i32>| {
            if let Some(lit) = decision.and_then(cnf::Lit::from_dimacs) {
                chrono.search.decide(IndexedLit::from_lit(lit));
                chrono.search.propagate().expect("no conflict");
            }
            let mut first_unassigned = 0;
            let choice = chrono.choose(9, &lines, &mut first_unassigned);
            choice.map(|lit| (lit.variable() + 1, lit.is_positive()))
        };
        // Two lines have three squares. The decision is in the first of these lines, on the first of its two most active squares.
        assert_eq!(decision_after(None), Some((6, true)));
        // If square 9 is empty, the line 8, 9, 1 has the fewest unassigned squares.
        assert_eq!(decision_after(Some(-9)), Some((8, true)));
        assert_eq!(decision_after(Some(8)), Some((6, true)));
        // Only the line 1 to 4 has no queen.
        assert_eq!(decision_after(Some(6)), Some((4, true)));
        // Every line has a queen, so the first unassigned variable is next: true for a square, false for an auxiliary variable.
        assert_eq!(decision_after(Some(4)), Some((1, true)));
        for square in [-1, -2, -3, -5] {
            decision_after(Some(square));
        }
        assert_eq!(decision_after(None), Some((7, true)));
        assert_eq!(decision_after(Some(-7)), Some((10, false)));
        assert_eq!(decision_after(Some(-10)), None);
    }

    #[test]
    fn number_of_clauses_stays_bounded_during_enumeration() {
        let formula = direct(10, &PAIRWISE);
        let mut chrono = Chrono::new(&BackendOptions::default());
        chrono.add_formula(&formula.cnf);
        assert_eq!(enumerate(&mut chrono, formula.square_variables()).len(), 724);
        assert!(chrono.search.clauses() <= formula.cnf.len() + MAX_LEARNED);
    }

    #[test]
    fn solver_branches_on_lines_of_the_board() {
        let mut chrono = Chrono::new(&BackendOptions::default());
        let clause = |numbers: &[u32]| numbers.iter().copied().map(cnf::Lit::positive).collect::<Vec<_>>();
        for numbers in [&[1, 2, 3][..], &[4, 5], &[6, 7]] {
            chrono.add_clause(&clause(numbers));
        }
        for pair in [[1, 2], [1, 3], [2, 3], [4, 5]] {
            let pair = pair.map(|number| !cnf::Lit::positive(number));
            chrono.add_clause(&pair);
        }
        // The line of two squares is decided before the line of three squares, and the last decision is negated first. The third clause
        // has auxiliary variables, so it is not a line of squares.
        assert_eq!(enumerate(&mut chrono, 5), [[1, 4], [2, 4], [3, 4], [1, 5], [2, 5], [3, 5]]);
    }

    #[test]
    fn variable_without_clause_is_in_the_model() {
        let mut chrono = Chrono::new(&BackendOptions::default());
        chrono.prefer_true(3);
        chrono.add_clause(&[1, 2].map(cnf::Lit::positive));
        assert!(chrono.solve().expect("no failure"));
        let mut variables = Vec::new();
        chrono.true_variables(3, &mut variables);
        assert!(variables.contains(&3), "{variables:?}");
    }

    #[test]
    fn tautology_and_satisfied_clause_are_not_stored() {
        let mut chrono = Chrono::new(&BackendOptions::default());
        let lit = |number| cnf::Lit::from_dimacs(number).expect("not 0");
        for numbers in [&[1, -1][..], &[2, 3, -2], &[4], &[4, 5, 6]] {
            let clause: Vec<_> = numbers.iter().copied().map(lit).collect();
            chrono.add_clause(&clause);
        }
        assert_eq!(chrono.search.clauses(), 0);
        chrono.add_clause(&[1, 2, 2].map(lit));
        assert_eq!(chrono.search.clauses(), 1);
    }

    #[test]
    fn restart_intervals_before_a_model_follow_luby_sequence() {
        let mut chrono = Chrono::new(&BackendOptions::default());
        chrono.search.reserve(1);
        let (mut last_restart, mut intervals) = (0, Vec::new());
        for conflicts in 1..=RESTART_UNIT * 16 {
            chrono.search.conflicts = conflicts;
            chrono.search.decide(IndexedLit::new(0, true));
            chrono.reduce_or_restart();
            if !chrono.search.is_assigned(0) {
                intervals.push(conflicts - last_restart);
                last_restart = conflicts;
            }
            chrono.search.backtrack(0);
        }
        assert_eq!(intervals, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2].map(|value| value * RESTART_UNIT));
        assert_eq!(chrono.restarts, 10);
    }

    #[test]
    fn luby_is_the_published_sequence() {
        let sequence: Vec<u64> = (1..=15).map(luby).collect();
        assert_eq!(sequence, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }
}
