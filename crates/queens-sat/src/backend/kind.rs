//! The interface between strategies and SAT solvers, and the type of an entry in the table of backends.

use std::ops::ControlFlow;

use crate::cnf::{Cnf, Lit, Variable};
use crate::program::{DimacsProgram, DimacsProgramError};
use queens_solver::{Budget, Stat, Statistics, Stop};

/// The reasons why a SAT solver gives no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BackendError {
    /// The program of an external backend failed.
    #[error(transparent)]
    Program(DimacsProgramError),
    /// A solver in this process failed, with its message.
    #[error("{0}")]
    Library(String),
    /// A solver in this process ended without an answer, although it was not interrupted.
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
    /// The system refused to start a thread.
    #[error("the system refused to start a thread")]
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

/// An incremental SAT solver: clauses can be added between calls of `solve`.
pub trait IncrementalSolver {
    /// Sets the initial phase of the variables `1..=last` to true: when the solver decides one of these variables, it should try
    /// the value true first. Must be called before the first clause is added. Solvers may ignore the phase.
    fn prefer_true(&mut self, _last: Variable) {}

    /// Adds one clause.
    fn add_clause(&mut self, clause: &[Lit]);

    /// Adds every clause of a formula.
    fn add_formula(&mut self, cnf: &Cnf) {
        cnf.clauses().for_each(|clause| self.add_clause(clause));
    }

    /// Returns whether the clauses added so far are satisfiable.
    ///
    /// # Errors
    ///
    /// The solver gave up or failed.
    fn solve(&mut self) -> Result<bool, BackendError>;

    /// Replaces the content of the vector by the variables in `1..=last` that are true in the last model, in ascending order.
    fn true_variables(&mut self, last: Variable, variables: &mut Vec<Variable>);

    /// Enumerates all models projected to the variables `1..=last`: passes the true variables of each model to `visit`, until
    /// `visit` breaks. Returns the number of solver calls, and `Break` if there may be more models.
    ///
    /// After each model, a blocking clause forbids its queens. The clause need not contain the false variables, because the queens
    /// determine the empty squares, nor the auxiliary variables, because models are projected to the squares. The blocking clauses stay
    /// in the solver, so memory grows with the number of models.
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
        let mut blocking_clause: Vec<Lit> = Vec::new();
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
            blocking_clause.clear();
            blocking_clause.extend(queens.iter().map(|&variable| !Lit::positive(variable)));
            self.add_clause(&blocking_clause);
        }
    }

    /// The statistics that the solver declares, with the values since the solver was created. Called in counting runs only.
    fn statistics(&self) -> Statistics {
        Statistics::default()
    }
}

/// The options for a new solver.
#[derive(Clone, Debug, Default)]
pub struct BackendOptions<'a> {
    /// Whether to collect statistics, which takes time.
    pub counting: bool,
    /// The budget. Backends that can be interrupted give up when it is exceeded.
    pub budget: Budget,
    /// The program of an external backend.
    pub program: Option<&'a DimacsProgram>,
}

/// A kind of SAT solver.
#[derive(Clone, Copy)]
pub struct BackendKind {
    /// The name of the backend in solver ids.
    pub name: &'static str,
    /// The name and version of the solver. For external programs, only a name.
    pub version: &'static str,
    /// Description in one line for `queenlab list`.
    pub about: &'static str,
    /// The statistics that the backend can report.
    pub statistics: &'static [Stat],
    /// Whether enumeration adds a blocking clause for each model.
    pub blocks_models: bool,
    /// The largest board whose formula and solver fit into 2 GiB. The argument is the largest board of the encoding.
    pub largest_board: fn(usize) -> usize,
    /// The reason why the backend cannot run on this machine; `None` if it can.
    pub unavailable: fn(Option<&DimacsProgram>) -> Option<String>,
    /// Opens a new solver.
    pub open: fn(&BackendOptions<'_>) -> Box<dyn IncrementalSolver>,
}
