//! A SAT solver as the strategies see it, and its entry in the table of backends.

use std::ops::ControlFlow;

use crate::cnf::{Cnf, Lit, Variable};
use crate::program::{DimacsProgram, DimacsProgramError};
use queens_solver::{Budget, Stat, Statistics, Stop};

/// Why a SAT solver gave no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BackendError {
    /// The program of an external backend failed.
    #[error(transparent)]
    Program(DimacsProgramError),
    /// A solver in this process failed, with its message.
    #[error("{0}")]
    Library(String),
    /// A solver in this process ended before it had an answer, although nothing asked it to stop.
    #[error("{0} returned no answer")]
    NoAnswer(&'static str),
    /// The model of a program does not satisfy a clause of its formula.
    #[error(
        "'{command}': it answered SATISFIABLE with a model that does not satisfy the clause '{clause} 0'"
    )]
    WrongModel {
        /// The command of the program.
        command: String,
        /// The literals of the clause, as in DIMACS.
        clause: String,
    },
    /// The system starts no thread.
    #[error("the system starts no thread")]
    NoThread,
    /// A thread of the search panicked.
    #[error("a thread panicked")]
    Panicked,
    /// The budget ended the search.
    #[error("stopped: {0:?}")]
    Stopped(Stop),
}

impl From<DimacsProgramError> for BackendError {
    fn from(error: DimacsProgramError) -> Self {
        match error {
            DimacsProgramError::Stopped(stop) => Self::Stopped(stop),
            error => Self::Program(error),
        }
    }
}

/// A new SAT solver: add clauses, call `solve`, then add more clauses and solve again.
pub trait IncrementalSolver {
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
    ///
    /// # Errors
    ///
    /// The solver gave up or failed.
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
    ///
    /// # Errors
    ///
    /// The solver gave up or failed.
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

/// The options for a new solver.
#[derive(Clone, Debug, Default)]
pub struct BackendOptions<'a> {
    /// Whether to collect statistics; they cost nothing if not collected.
    pub counting: bool,
    /// When to give up, for backends that can be interrupted.
    pub budget: Budget,
    /// The program of an external backend.
    pub program: Option<&'a DimacsProgram>,
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
    /// Whether it gets a clause for each model that forbids it, to find the next one.
    pub blocks_models: bool,
    /// The largest board whose formula and solver fit into 2 GiB, given that of the encoding.
    pub largest_board: fn(usize) -> usize,
    /// The reason why it cannot run here, if there is one.
    pub unavailable: fn(Option<&DimacsProgram>) -> Option<String>,
    /// Opens a new solver.
    pub open: fn(&BackendOptions<'_>) -> Box<dyn IncrementalSolver>,
}
