//! References to solvers by their full name, as in all files.

use std::fmt;
use std::ops::Deref;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, de};

use crate::sat::backend::{ALL, BackendKind, EXTERNAL};
use crate::sat::strategy::Strategy;

const SAT: &str = "sat";
const COUNTER: &str = "counter";
const PROGRAM: &str = "program";

/// Which code a solver runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SolverKind {
    /// Code of queenlab, or a solver that the user of the library registered.
    #[default]
    Builtin,
    /// A SAT solver of `--sat` or `[[sat]]`: `sat/<encoding>/<id>`, perhaps with a strategy.
    ExternalSat,
    /// A model counter of `[[counter]]`: `counter/<encoding>/<id>`.
    ModelCounter,
    /// A program of `[[program]]` or `--program`: `program/<id>`.
    Program,
}

/// The full name of a solver: `ID`, or `ID:key=value,key=value`. The pairs are options of the solver or factors of a program.
/// Values are ordered by this text.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SolverRef {
    text: String,
    kind: SolverKind,
}

/// Why a text does not name a solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolverError {
    /// Nothing precedes the options.
    #[error("the id of the solver is missing: write, for example, backtrack/bitmask")]
    NoId,
    /// `program/` without a name.
    #[error("the name of the program is missing: write, for example, program/mine")]
    NoProgram,
    /// An option without a name or without a value.
    #[error("the options of a solver are pairs NAME=VALUE, as in backtrack/dlx:items=natural")]
    NotAPair,
}

impl SolverRef {
    /// The program with this id and these factors, in their order.
    pub fn program<'a>(id: &str, factors: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        Self::of(&format!("{PROGRAM}/{id}"), factors)
    }

    /// The solver with this id and these options, in the given order.
    pub fn of<'a>(id: &str, options: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let mut text = id.to_owned();
        for (at, (name, value)) in options.into_iter().enumerate() {
            text.push(if at == 0 { ':' } else { ',' });
            text.push_str(name);
            text.push('=');
            text.push_str(value);
        }
        Self { kind: kind_of(id), text }
    }

    /// The full name.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The id, without options or factors.
    pub fn id(&self) -> &str {
        self.text.split_once(':').map_or(&self.text, |(id, _)| id)
    }

    /// Which code the solver runs.
    pub fn kind(&self) -> SolverKind {
        self.kind
    }

    /// Whether runs of this solver start a program that is not part of queenlab.
    pub fn starts_programs(&self) -> bool {
        self.kind != SolverKind::Builtin
    }

    /// Whether the solver is a user's program, `program/<id>`.
    pub fn is_program(&self) -> bool {
        self.kind == SolverKind::Program
    }

    /// Whether the solver passes formulas to a SAT solver, built-in or external.
    pub fn is_sat(&self) -> bool {
        family(self.id()) == SAT
    }

    /// Whether the solver passes the formula of the whole board to a SAT solver. Its answer then does not depend on any
    /// built-in searcher. False for the strategy `cubes`, because a searcher places the queens of each cube.
    pub fn encodes_whole_board(&self) -> bool {
        let strategy = self.id().split('/').nth(3);
        let is_strategy_of_solver = |candidate: &Strategy| candidate.name().as_deref() == strategy;
        let encodes_whole_board =
            |candidate: Strategy| is_strategy_of_solver(&candidate) && candidate.division.encodes_whole_board;
        self.is_sat() && (strategy.is_none() || Strategy::all().any(encodes_whole_board))
    }

    /// The id of the external program, as in the experiment: `kissat`, `d4` or `mine`; `None` for a built-in solver.
    pub fn program_id(&self) -> Option<&str> {
        match self.kind {
            SolverKind::Builtin => None,
            SolverKind::Program => self.id().split_once('/').map(|(_, id)| id),
            SolverKind::ExternalSat | SolverKind::ModelCounter => self.id().split('/').nth(2),
        }
    }

    /// The names and values of the options, or of the factors of a program.
    pub fn options(&self) -> impl Iterator<Item = (&str, &str)> {
        let options = self.text.split_once(':').map(|(_, options)| options.split(','));
        options.into_iter().flatten().filter_map(|pair| pair.split_once('='))
    }

    /// The names and values of the factors of a program; empty for other solvers.
    pub fn factors(&self) -> impl Iterator<Item = (&str, &str)> {
        self.options().filter(|_| self.is_program())
    }

    /// The value of `--solver` that selects this solver. For a program, this is the id, because the experiment lists the
    /// factors.
    pub fn selection(&self) -> &str {
        if self.is_program() { self.id() } else { self.as_str() }
    }

    /// Whether a selection `ID` or `ID:key=value,key=value` selects this solver: the ids are equal, and the options of the
    /// solver begin with those of the selection.
    pub fn is_selected_by(&self, selection: &str) -> bool {
        let suffix = self.text.strip_prefix(selection);
        suffix.is_some_and(|suffix| matches!(suffix.chars().next(), None | Some(':' | ',')))
    }
}

/// Splits a selection `ID:key=value,key=value` into the id or pattern and the options, which may be empty.
pub fn split_selection(selection: &str) -> (&str, &str) {
    selection.split_once(':').unwrap_or((selection, ""))
}

/// The parts of an id, between slashes; the first one is the family.
pub fn id_parts(id: &str) -> impl Iterator<Item = &str> {
    id.split('/')
}

/// The first part of an id: `backtrack`.
pub fn family(id: &str) -> &str {
    id.split_once('/').map_or(id, |(family, _)| family)
}

/// Whether a SAT solver with this name is part of queenlab.
fn is_builtin(backend: &str) -> bool {
    let is_named_solver = |kind: &&BackendKind| kind.name != EXTERNAL.name;
    ALL.iter().filter(is_named_solver).any(|kind| kind.name == backend)
}

fn kind_of(name: &str) -> SolverKind {
    let id = name.split_once(':').map_or(name, |(id, _)| id);
    match (family(id), id.split('/').nth(2)) {
        (PROGRAM, _) => SolverKind::Program,
        (SAT, Some(backend)) if !is_builtin(backend) => SolverKind::ExternalSat,
        (COUNTER, Some(_)) => SolverKind::ModelCounter,
        _ => SolverKind::Builtin,
    }
}

impl FromStr for SolverRef {
    type Err = SolverError;

    fn from_str(text: &str) -> Result<Self, SolverError> {
        let (id, options) = text.split_once(':').map_or((text, None), |(id, options)| (id, Some(options)));
        if id.is_empty() {
            return Err(SolverError::NoId);
        }
        let kind = kind_of(id);
        if kind == SolverKind::Program && id.split_once('/').is_none_or(|(_, name)| name.is_empty()) {
            return Err(SolverError::NoProgram);
        }
        let is_pair = |pair: &str| pair.split_once('=').is_some_and(|(name, _)| !name.is_empty());
        if options.is_some_and(|options| !options.split(',').all(is_pair)) {
            return Err(SolverError::NotAPair);
        }
        Ok(Self { text: text.to_owned(), kind })
    }
}

#[cfg(test)]
impl From<&str> for SolverRef {
    fn from(text: &str) -> Self {
        text.parse().expect("a valid text")
    }
}

impl fmt::Display for SolverRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl fmt::Debug for SolverRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.text)
    }
}

impl Deref for SolverRef {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl PartialEq<str> for SolverRef {
    fn eq(&self, text: &str) -> bool {
        self.text == text
    }
}

impl PartialEq<&str> for SolverRef {
    fn eq(&self, text: &&str) -> bool {
        self.text == *text
    }
}

impl Serialize for SolverRef {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

impl<'de> Deserialize<'de> for SolverRef {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        // The child process of a run leaves the solver of its row empty; the parent process fills it in.
        if text.is_empty() { Ok(Self::default()) } else { text.parse().map_err(de::Error::custom) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solver_names_round_trip_and_have_a_kind() {
        use SolverKind::{Builtin, ExternalSat, ModelCounter, Program};
        for (text, kind, id, program_id) in [
            ("backtrack/dlx:items=natural", Builtin, "backtrack/dlx", None),
            ("sat/pairwise/varisat", Builtin, "sat/pairwise/varisat", None),
            ("sat/product/cadical/cubes", Builtin, "sat/product/cadical/cubes", None),
            ("sat/product/kissat/cubes:a=1", ExternalSat, "sat/product/kissat/cubes", Some("kissat")),
            ("counter/pairwise/d4", ModelCounter, "counter/pairwise/d4", Some("d4")),
            ("program/mine:h=0.5,k=a=b", Program, "program/mine", Some("mine")),
            ("sat/mine", Builtin, "sat/mine", None),
            ("s", Builtin, "s", None),
        ] {
            let solver: SolverRef = text.parse().expect(text);
            assert_eq!((solver.to_string().as_str(), solver.kind(), solver.id()), (text, kind, id));
            assert_eq!(
                (solver.program_id(), solver.starts_programs()),
                (program_id, kind != Builtin),
                "{text}"
            );
            assert_eq!(solver.selection(), if kind == Program { id } else { text });
            let read_back: SolverRef = serde_json::from_value(serde_json::json!(solver)).expect(text);
            assert_eq!(read_back, solver);
            assert_eq!(SolverRef::of(solver.id(), solver.options()), solver);
        }
        let program: SolverRef = "program/mine:h=0.5,k=a=b".parse().expect("a program");
        assert_eq!(program.factors().collect::<Vec<_>>(), [("h", "0.5"), ("k", "a=b")]);
        assert_eq!(SolverRef::program("mine", program.factors()), program);
    }

    #[test]
    fn sat_strategies_except_cubes_encode_the_whole_board() {
        for (text, encodes_whole_board) in [
            ("sat/pairwise/varisat", true),
            ("sat/pairwise/varisat/blocking-full", true),
            ("sat/pairwise/chrono/whole-mirror", true),
            ("sat/pairwise/kissat", true),
            ("sat/pairwise/varisat/cubes", false),
            ("sat/pairwise/kissat/cubes-full", false),
            ("sat/pairwise/varisat/new", false),
            ("counter/pairwise/d4", false),
            ("backtrack/bitmask", false),
        ] {
            assert_eq!(SolverRef::from(text).encodes_whole_board(), encodes_whole_board, "{text}");
        }
    }

    #[test]
    fn each_malformed_name_has_its_error() {
        for (text, error) in [
            ("", SolverError::NoId),
            (":a=1", SolverError::NoId),
            ("program", SolverError::NoProgram),
            ("program/:a=1", SolverError::NoProgram),
            ("backtrack/dlx:", SolverError::NotAPair),
            ("backtrack/dlx:items", SolverError::NotAPair),
            ("program/p:h=1,=2", SolverError::NotAPair),
        ] {
            assert_eq!(text.parse::<SolverRef>(), Err(error), "{text}");
        }
    }
}
