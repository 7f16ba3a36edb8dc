//! The solvers and their properties.

use super::AppError;
use crate::model::SolverRef;
use crate::registry::Registry;
use crate::sat::am1::{self, AtMostOne};
use crate::sat::backend::{self, EXTERNAL};
use crate::sat::strategy::{BLOCKING, Strategy};
use crate::sat::symmetry::SymmetryGroup;
use crate::solver::{Info, Stat};
use crate::spec::FormulaProgram;

/// Solvers to list.
#[derive(Clone, Copy, Debug)]
pub struct ListInput<'a> {
    /// A pattern over ids or a part of them; `None` for all solvers.
    pub pattern: Option<&'a str>,
    /// External SAT solvers, which are listed with the backends.
    pub sat: &'a [FormulaProgram],
}

/// The solvers that match a pattern, including those that are unavailable on this machine or in this build.
///
/// # Errors
///
/// The pattern does not match any id.
pub fn list(input: ListInput<'_>, registry: &Registry) -> Result<Vec<Info>, AppError> {
    let add_solver = |all: Registry, program: &FormulaProgram| all.with_sat(&program.program());
    let registry = input.sat.iter().fold(registry.clone(), add_solver);
    Ok(registry.matching(input.pattern.unwrap_or("*"))?)
}

/// All solvers. For SAT solvers, the parts of their ids are listed instead of all combinations.
#[derive(Clone, Debug)]
pub struct Overview {
    /// The solvers that are not SAT solvers.
    pub other_solvers: Vec<Info>,
    /// The number of ids of SAT solvers.
    pub sat_ids: usize,
    /// The at-most-one encodings.
    pub encodings: Vec<&'static AtMostOne>,
    /// The backends, external ones last.
    pub backends: Vec<ListedBackend>,
    /// The strategies; the default one is the first.
    pub strategies: Vec<ListedStrategy>,
}

/// A SAT solver as a part of ids.
#[derive(Clone, Debug)]
pub struct ListedBackend {
    /// The name in ids.
    pub name: String,
    /// A description.
    pub about: BackendAbout,
    /// The statistics that the backend counts.
    pub statistics: &'static [Stat],
    /// The reason why the backend cannot run; `None` if it can.
    pub unavailable: Option<String>,
}

/// The description or the command of a SAT solver.
#[derive(Clone, Debug)]
pub enum BackendAbout {
    /// The description of a built-in SAT solver.
    BuiltIn(&'static str),
    /// The command of an external SAT solver.
    Command(String),
}

/// How solutions are enumerated, as a part of ids.
#[derive(Clone, Debug)]
pub struct ListedStrategy {
    /// The name in ids; `None` for the default of a backend.
    pub name: Option<String>,
    /// A description in one line.
    pub about: String,
    /// The statistics that the strategy counts. `None` for a strategy with symmetry breaking, which counts the same statistics as
    /// the strategy without it.
    pub statistics: Option<&'static [Stat]>,
}

/// All solvers.
///
/// # Errors
///
/// The registry has no solver.
pub fn overview(sat: &[FormulaProgram], registry: &Registry) -> Result<Overview, AppError> {
    let infos = list(ListInput { pattern: None, sat }, registry)?;
    let (sat_solvers, other_solvers): (Vec<Info>, Vec<Info>) =
        infos.into_iter().partition(|info| SolverRef::of(&info.id, []).is_sat());
    let built_in = backend::ALL.iter().map(|backend| {
        let program =
            sat.iter().find(|program| program.id.as_str() == backend.name).map(FormulaProgram::program);
        ListedBackend {
            name: backend.name.to_owned(),
            about: BackendAbout::BuiltIn(backend.about),
            statistics: backend.statistics,
            unavailable: (backend.unavailable)(program.as_ref()),
        }
    });
    let external =
        sat.iter().filter(|program| program.id.as_str() != EXTERNAL.name).map(|program| ListedBackend {
            name: program.id.to_string(),
            about: BackendAbout::Command(program.command.to_string()),
            statistics: &[],
            unavailable: program.program().check().err().map(|reason| reason.to_string()),
        });
    // A strategy without a name is a default. One of these strategies is listed: the one with blocking clauses.
    let uses_blocking = |strategy: &Strategy| std::ptr::eq(strategy.division, &BLOCKING);
    let is_listed = |strategy: &Strategy| strategy.name().is_some() || uses_blocking(strategy);
    let strategies = Strategy::all().filter(is_listed).map(|strategy| ListedStrategy {
        name: strategy.name(),
        about: strategy.about(),
        statistics: (strategy.symmetry == SymmetryGroup::None).then_some(strategy.division.statistics),
    });
    Ok(Overview {
        other_solvers,
        sat_ids: sat_solvers.len(),
        encodings: am1::ALL.into(),
        backends: built_in.chain(external).collect(),
        strategies: strategies.collect(),
    })
}
