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
/// The pattern matches nothing.
pub fn list(input: ListInput<'_>, registry: &Registry) -> Result<Vec<Info>, AppError> {
    let add = |all: Registry, program: &FormulaProgram| all.with_sat(&program.program());
    let registry = input.sat.iter().fold(registry.clone(), add);
    Ok(registry.matching(input.pattern.unwrap_or("*"))?)
}

/// All solvers. For SAT solvers, the parts of their ids are listed instead of all combinations.
#[derive(Clone, Debug)]
pub struct Overview {
    /// The solvers that are not SAT solvers.
    pub others: Vec<Info>,
    /// The number of ids of SAT solvers.
    pub sat_ids: usize,
    /// The at-most-one encodings.
    pub encodings: Vec<&'static AtMostOne>,
    /// The backends, external ones last.
    pub backends: Vec<ListedBackend>,
    /// The strategies, the default of the backends first.
    pub strategies: Vec<ListedStrategy>,
}

/// A SAT solver as a part of ids.
#[derive(Clone, Debug)]
pub struct ListedBackend {
    /// The name in ids.
    pub name: String,
    /// Which kind of SAT solver it is.
    pub about: BackendAbout,
    /// The statistics that it counts.
    pub statistics: &'static [Stat],
    /// If it cannot run here: the reason.
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
    /// The statistics that it counts; symmetries do not change them.
    pub statistics: Option<&'static [Stat]>,
}

/// All solvers.
///
/// # Errors
///
/// The registry has no solver.
pub fn overview(sat: &[FormulaProgram], registry: &Registry) -> Result<Overview, AppError> {
    let infos = list(ListInput { pattern: None, sat }, registry)?;
    let (sat_solvers, others): (Vec<Info>, Vec<Info>) =
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
    // By default, each backend enumerates the whole formula in its own way, with the same statistics.
    let is_baseline = |strategy: &Strategy| std::ptr::eq(strategy.division, &BLOCKING);
    let is_listed = |strategy: &Strategy| strategy.name().is_some() || is_baseline(strategy);
    let strategies = Strategy::all().filter(is_listed).map(|strategy| ListedStrategy {
        name: strategy.name(),
        about: strategy.about(),
        statistics: (strategy.symmetry == SymmetryGroup::None).then_some(strategy.division.statistics),
    });
    Ok(Overview {
        others,
        sat_ids: sat_solvers.len(),
        encodings: am1::ALL.into(),
        backends: built_in.chain(external).collect(),
        strategies: strategies.collect(),
    })
}
