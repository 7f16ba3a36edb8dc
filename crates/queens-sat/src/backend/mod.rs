//! SAT solvers with a common interface. Each file contains one solver; this file contains the table of solvers.

mod batsat;
#[cfg(feature = "cadical")]
mod cadical;
mod chrono;
mod external;
mod kind;
mod varisat;

pub use kind::{BackendError, BackendKind, BackendOptions, IncrementalSolver};

use crate::program::DimacsProgram;
use queens_solver::Budget;

/// Every backend. A backend that is not compiled into this build is listed as unavailable.
pub static ALL: [BackendKind; 5] = [varisat::KIND, batsat::KIND, chrono::KIND, CADICAL, EXTERNAL];

#[cfg(feature = "cadical")]
const CADICAL: BackendKind = cadical::KIND;

#[cfg(not(feature = "cadical"))]
const CADICAL: BackendKind = BackendKind {
    name: "cadical",
    version: "not built",
    about: "CaDiCaL 2.2, in this process",
    largest_board: |n| n / 2,
    unavailable: |_| Some("this build does not include it: use cargo build --features cadical".into()),
    ..EXTERNAL
};

/// The backend that runs a program.
pub const EXTERNAL: BackendKind = external::KIND;

/// A SAT solver: an entry of the table and, for [`EXTERNAL`], the program.
#[derive(Clone)]
pub struct Backend {
    kind: BackendKind,
    program: Option<DimacsProgram>,
}

impl Backend {
    /// Creates a backend from an entry of the table. For [`EXTERNAL`], the backend has no program and is therefore unavailable.
    pub fn new(kind: BackendKind) -> Self {
        Self { kind, program: None }
    }

    /// The entry of the table.
    pub fn kind(&self) -> &BackendKind {
        &self.kind
    }

    /// The name of the backend in solver ids.
    pub fn name(&self) -> &str {
        self.program.as_ref().map_or(self.kind.name, DimacsProgram::name)
    }

    /// The name and version of the solver; for a program, only its name.
    pub fn version(&self) -> &str {
        self.program.as_ref().map_or(self.kind.version, DimacsProgram::name)
    }

    /// The reason why the backend cannot run on this machine; `None` if it can.
    pub fn unavailable(&self) -> Option<String> {
        (self.kind.unavailable)(self.program.as_ref())
    }

    /// Creates a new solver without clauses.
    pub fn open(&self, counting: bool, budget: &Budget) -> Box<dyn IncrementalSolver> {
        (self.kind.open)(&BackendOptions { counting, budget: budget.clone(), program: self.program.as_ref() })
    }
}

impl From<DimacsProgram> for Backend {
    fn from(program: DimacsProgram) -> Self {
        Self { kind: EXTERNAL, program: Some(program) }
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::cnf::Lit;
    use queens_solver::Stat;

    fn clause(numbers: &[i32]) -> Vec<Lit> {
        numbers.iter().filter_map(|&number| Lit::from_dimacs(number)).collect()
    }

    /// External solvers. The tests use the programs that are installed.
    const PROGRAMS: [&str; 3] = ["clasp {cnf}", "cadical -q {cnf}", "minisat {cnf} {result}"];

    /// Every backend that can run here, each with and without counting.
    fn open_all() -> impl Iterator<Item = (Box<dyn IncrementalSolver>, BackendKind, bool)> {
        let programs = |kind: BackendKind| if kind.name == "external" { &PROGRAMS[..] } else { &[""] };
        let backends = move |kind: BackendKind| {
            programs(kind).iter().map(move |&command| match command {
                "" => Backend::new(kind),
                command => Backend::from(DimacsProgram::new("external", command)),
            })
        };
        let available = |backend: &Backend| match backend.unavailable() {
            Some(reason) => {
                // `scripts/test` lists the lines that begin with "skipped:". Solvers whose cargo feature is off are not listed.
                let label = if backend.program.is_some() { "skipped" } else { "not built" };
                println!("{label}: {reason}");
                false
            }
            None => true,
        };
        ALL.into_iter().flat_map(backends).filter(available).flat_map(|backend| {
            [false, true].map(|counting| (backend.open(counting, &Budget::default()), backend.kind, counting))
        })
    }

    /// In this formula, unit propagation finds each model without a conflict.
    #[test]
    fn rejected_models_are_not_counted_as_conflicts() {
        for (mut backend, kind, counting) in open_all() {
            backend.prefer_true(3);
            for numbers in [&[1, 2, 3][..], &[-1, -2], &[-1, -3], &[-2, -3]] {
                backend.add_clause(&clause(numbers));
            }
            let result = backend.models(3, &mut |_| ControlFlow::Continue(()));
            assert_eq!(result.map(|(calls, _)| calls), Ok(4), "{}", kind.name);
            if counting && kind.statistics.contains(&Stat::Conflicts) {
                assert_eq!(backend.statistics().get(Stat::Conflicts), Some(0), "{}", kind.name);
            }
        }
    }

    #[test]
    fn formula_without_clauses_is_satisfiable_unlike_empty_clause() {
        for (mut backend, kind, _) in open_all() {
            assert_eq!(backend.solve(), Ok(true), "{}", kind.name);
            backend.add_clause(&[]);
            assert_eq!(backend.solve(), Ok(false), "{}", kind.name);
            assert_eq!(backend.solve(), Ok(false), "{}", kind.name);
        }
    }

    #[test]
    fn clauses_added_between_calls_exclude_models() {
        for (mut backend, kind, _) in open_all() {
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
    fn preferred_values_do_not_change_the_models() {
        for (mut backend, kind, _) in open_all() {
            backend.prefer_true(2);
            for numbers in [[1, 2], [-1, -2], [-1, 3], [1, -3]] {
                backend.add_clause(&clause(&numbers));
            }
            let mut models = Vec::new();
            let result = backend.models(3, &mut |variables| {
                models.push(variables.to_vec());
                ControlFlow::Continue(())
            });
            assert!(result.is_ok_and(|(_, flow)| flow.is_continue()), "{}", kind.name);
            models.sort();
            assert_eq!(models, [vec![1, 3], vec![2]], "{}", kind.name);
        }
    }

    /// Five pigeons in four holes: the formula is unsatisfiable, and its refutation needs conflicts.
    #[test]
    fn statistics_are_reported_as_declared() {
        for (mut backend, kind, counting) in open_all() {
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
