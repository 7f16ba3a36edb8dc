//! SAT solvers behind one small trait. Each file has one solver; this file has the trait and their table.

mod batsat;
#[cfg(feature = "cadical")]
mod cadical;
mod chrono;
pub(crate) mod external;
mod varisat;

use std::ops::ControlFlow;

use super::cnf::{Cnf, Lit, Variable};
use super::strategy::Division;
use queens_solver::{Budget, Stat, Statistics, Stop};

/// Why a SAT solver gave no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BackendError {
    /// The solver failed.
    #[error("{0}")]
    Failed(String),
    /// The solver gave a wrong answer.
    #[error("{0}")]
    Wrong(String),
    /// The budget ended the search.
    #[error("stopped: {0:?}")]
    Stopped(Stop),
}

/// An instance of a SAT solver: add clauses, call `solve`, then add more clauses and solve again.
pub trait Backend {
    /// Asks the solver to try the variables `1..=last` true first when it decides one. A hint, given
    /// before any clause; without it, the default of the solver applies.
    fn prefer_true(&mut self, _last: Variable) {}

    /// Adds one clause.
    fn add_clause(&mut self, clause: &[Lit]);

    /// Adds every clause of a formula.
    fn add_formula(&mut self, cnf: &Cnf) {
        cnf.clauses().for_each(|clause| self.add_clause(clause));
    }

    /// Solves: whether the clauses so far have a model.
    fn solve(&mut self) -> Result<bool, BackendError>;

    /// Replaces the content of the vector by the variables in `1..=last` that are true in the model of the
    /// last call, in ascending order.
    fn true_variables(&mut self, last: Variable, variables: &mut Vec<Variable>);

    /// Enumerates all models on the variables `1..=last`: passes the true ones among them to `visit`, until it
    /// breaks. Returns the number of solver calls, and `Break` if there may be more models.
    ///
    /// After each model, a blocking clause forbids its set of queens. It contains the queens only: they determine
    /// the empty squares, and auxiliary variables do not matter. The clauses stay in the solver, so memory grows
    /// with the number of models.
    /// Source: McMillan, CAV 2002 (all-solutions SAT by blocking clauses).
    fn models(
        &mut self,
        last: Variable,
        visit: &mut dyn FnMut(&[Variable]) -> ControlFlow<Option<Stop>>,
    ) -> Result<(u64, ControlFlow<Option<Stop>>), BackendError> {
        let mut queens: Vec<Variable> = Vec::new();
        let mut blocking: Vec<Lit> = Vec::new();
        let mut calls = 0;
        loop {
            calls += 1;
            match self.solve() {
                Ok(true) => self.true_variables(last, &mut queens),
                Ok(false) => return Ok((calls, ControlFlow::Continue(()))),
                Err(BackendError::Stopped(stop)) => return Ok((calls, ControlFlow::Break(Some(stop)))),
                Err(error) => return Err(error),
            }
            let flow = visit(&queens);
            if flow.is_break() {
                return Ok((calls, flow));
            }
            blocking.clear();
            blocking.extend(queens.iter().map(|&variable| !Lit::positive(variable)));
            self.add_clause(&blocking);
        }
    }

    /// The values so far of the statistics that the solver declares; asked for if the run counts.
    fn statistics(&self) -> Statistics {
        Statistics::default()
    }
}

/// The options for a new instance.
#[derive(Clone, Debug, Default)]
pub struct Options<'a> {
    /// Whether to collect statistics; they cost nothing if not collected.
    pub counting: bool,
    /// When to give up, for backends that can be interrupted.
    pub budget: Budget,
    /// The command of an external program.
    pub external: Option<&'a str>,
}

/// A kind of SAT solver.
#[derive(Clone, Copy)]
pub struct BackendKind {
    /// The backend's part of a solver id.
    pub name: &'static str,
    /// The solver with its version, as far as this build can know it.
    pub version: &'static str,
    /// Description in one line for `queenlab list`.
    pub about: &'static str,
    /// The statistics that it can report.
    pub statistics: &'static [Stat],
    /// How it enumerates the models of a whole formula.
    pub whole_formula: Division,
    /// The largest board whose formula and solver fit into 2 GiB, given that of the encoding.
    pub largest_board: fn(usize) -> usize,
    /// The reason why it cannot run here, if there is one, given the command of an external program.
    pub unavailable: fn(external: Option<&str>) -> Option<String>,
    /// Opens a new instance.
    pub open: fn(&Options<'_>) -> Box<dyn Backend>,
}

/// Every backend. A backend that is not part of this build is unavailable.
pub static ALL: [BackendKind; 5] = [varisat::KIND, batsat::KIND, chrono::KIND, CADICAL, external::KIND];

#[cfg(feature = "cadical")]
const CADICAL: BackendKind = cadical::KIND;

#[cfg(not(feature = "cadical"))]
const CADICAL: BackendKind = BackendKind {
    name: "cadical",
    version: "not built",
    about: "CaDiCaL 2.2, in this process",
    largest_board: |n| n / 2,
    unavailable: |_| Some("this build does not include it: use cargo build --features cadical".into()),
    ..external::KIND
};

/// The backend that runs a program.
pub const EXTERNAL: BackendKind = external::KIND;

#[cfg(test)]
mod tests {
    use super::*;

    fn clause(numbers: &[i32]) -> Vec<Lit> {
        numbers.iter().filter_map(|&number| Lit::from_dimacs(number)).collect()
    }

    /// Programs that a machine may have; the tests use the installed ones.
    const PROGRAMS: [&str; 3] = ["clasp {cnf}", "cadical -q {cnf}", "minisat {cnf} {result}"];

    /// Every backend that can run here, each with and without counting.
    fn opened() -> impl Iterator<Item = (Box<dyn Backend>, BackendKind, bool)> {
        let commands = |kind: BackendKind| if kind.name == "external" { &PROGRAMS[..] } else { &[""] };
        let with_command = move |kind| commands(kind).iter().map(move |&command| (kind, Some(command)));
        let available = |&(kind, external): &(BackendKind, Option<&str>)| match (kind.unavailable)(external) {
            Some(reason) => {
                // The gate reports lines that begin with "skipped". A cargo feature that is off is no missing program.
                let what =
                    if external.is_some_and(|command| !command.is_empty()) { "skipped" } else { "not built" };
                println!("{what}: {reason}");
                false
            }
            None => true,
        };
        ALL.into_iter().flat_map(with_command).filter(available).flat_map(|(kind, external)| {
            [false, true].map(|counting| {
                let options = Options { counting, external, ..Options::default() };
                ((kind.open)(&options), kind, counting)
            })
        })
    }

    #[test]
    fn no_clause_is_satisfiable_and_the_empty_clause_is_not() {
        for (mut backend, kind, _) in opened() {
            assert_eq!(backend.solve(), Ok(true), "{}", kind.name);
            backend.add_clause(&[]);
            assert_eq!(backend.solve(), Ok(false), "{}", kind.name);
            assert_eq!(backend.solve(), Ok(false), "{}", kind.name);
        }
    }

    #[test]
    fn clauses_added_between_calls_take_models_away() {
        for (mut backend, kind, _) in opened() {
            backend.add_clause(&clause(&[1, 2]));
            backend.add_clause(&clause(&[-1, -2]));
            backend.add_clause(&clause(&[3, 1, 2]));
            let mut models = Vec::new();
            while backend.solve() == Ok(true) {
                let mut variables = vec![9, 9];
                backend.true_variables(2, &mut variables);
                backend.add_clause(&clause(&variables.iter().map(|&v| -(v as i32)).collect::<Vec<_>>()));
                models.push(variables);
            }
            models.sort();
            assert_eq!(models, [[1], [2]], "{}", kind.name);
        }
    }

    #[test]
    fn preferred_values_change_no_model() {
        for (mut backend, kind, _) in opened() {
            backend.prefer_true(2);
            for numbers in [[1, 2], [-1, -2], [-1, 3], [1, -3]] {
                backend.add_clause(&clause(&numbers));
            }
            let mut models = Vec::new();
            let ended = backend.models(3, &mut |variables| {
                models.push(variables.to_vec());
                ControlFlow::Continue(())
            });
            assert!(ended.is_ok_and(|(_, flow)| flow.is_continue()), "{}", kind.name);
            models.sort();
            assert_eq!(models, [vec![1, 3], vec![2]], "{}", kind.name);
        }
    }

    /// Five pigeons in four holes: no model, and not without conflicts.
    #[test]
    fn statistics_are_reported_as_declared() {
        for (mut backend, kind, counting) in opened() {
            let pigeon = |pigeon: i32, hole: i32| pigeon * 4 + hole + 1;
            for p in 0..5 {
                backend.add_clause(&clause(&[0, 1, 2, 3].map(|hole| pigeon(p, hole))));
                for (q, hole) in (0..p).flat_map(|q| (0..4).map(move |hole| (q, hole))) {
                    backend.add_clause(&clause(&[-pigeon(p, hole), -pigeon(q, hole)]));
                }
            }
            assert_eq!(backend.solve(), Ok(false), "{}", kind.name);
            let stats = backend.statistics();
            for stat in Stat::ALL {
                let reported = stats.get(*stat);
                let declared = kind.statistics.contains(stat);
                assert!(declared || reported.is_none(), "{} {stat:?}", kind.name);
                assert!(!declared || !counting || reported.is_some(), "{} {stat:?}", kind.name);
                assert_ne!(reported, Some(0), "{} {stat:?}", kind.name);
            }
        }
    }
}
