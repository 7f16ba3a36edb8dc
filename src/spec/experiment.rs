//! An experiment as a whole: read from TOML or made from the options of a command line, and checked by the same function.

use std::collections::HashSet;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde::Serialize;
use toml::de::DeTable;

use super::claim::Claim;
use super::formula::FormulaProgram;
use super::names::check_file_name;
use super::place::{Located, Place, SpecError, SpecSource};
use super::program::Program;
use super::settings::Settings;
use super::solver::SolverChoice;
use super::table::{SpecTable, arguments, line, number, prose, unprintable};
use crate::model::{SolverKind, SolverRef};

/// The version of experiment files.
pub const SPEC_VERSION: u32 = 1;

/// The largest spec file, in bytes; anything longer is some other file.
const MAX_BYTES: usize = 256 << 10;

/// An experiment. It is checked if it was read from TOML; [`Spec::check`] checks what was put together from options.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Spec {
    /// [`SPEC_VERSION`].
    pub schema_version: u32,
    /// Name of the experiment and of its result directory.
    pub name: Located<String>,
    /// The question that the experiment asks.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub question: String,
    /// The expected answer, written before the run.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub expected: String,
    /// What the results showed, written after the run.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub analysis: String,
    /// The solver and the baseline that the headline of the report compares; empty if the experiment names none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub headline: Vec<String>,
    /// Sizes, goal, repetitions and limits.
    pub sweep: Settings,
    /// The solvers to run, by pattern.
    #[serde(rename = "solver")]
    pub solvers: Vec<SolverChoice>,
    /// The user's own programs.
    #[serde(rename = "program", skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<Program>,
    /// External SAT solvers, for example `kissat` of `sat/pairwise/kissat`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sat: Vec<FormulaProgram>,
    /// Model counters, for example `d4` of `counter/pairwise/d4`.
    #[serde(rename = "counter", skip_serializing_if = "Vec::is_empty")]
    pub counters: Vec<FormulaProgram>,
    /// What the results show, for reports to check.
    #[serde(rename = "claim", skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<Claim>,
    /// Where it was written.
    #[serde(skip)]
    pub context: Context,
}

/// What belongs to an experiment and not to its text. It makes no difference between two experiments.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// The file or built-in experiment that it was read from.
    pub source: SpecSource,
    /// Where the header of the sweep is.
    sweep: Place,
    /// Whether a command line has left out a part of it; claims about that part are left out, too.
    pub is_narrowed: bool,
}

impl PartialEq for Context {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Spec {
    /// Name of the file in a result directory.
    pub const FILE: &'static str = "experiment.toml";

    /// An experiment without anything; `origin` names it in messages.
    pub fn empty(origin: &str) -> Self {
        let context = Context { source: SpecSource::new(origin, ""), ..Context::default() };
        Self { schema_version: SPEC_VERSION, context, ..Self::default() }
    }

    /// Reads a spec file, which may be a pipe; the end of a text that is too long is left out.
    ///
    /// # Errors
    ///
    /// The file cannot be read or is not a spec.
    pub fn read(path: &Path) -> Result<Self, SpecError> {
        let name = plaintext::path(path).to_string();
        let mut text = Vec::new();
        let read = File::open(path).and_then(|file| file.take(MAX_BYTES as u64 + 1).read_to_end(&mut text));
        read.map_err(|error| whole(&name, format!("cannot be read: {error}")))?;
        Self::decode(&name, &text)
    }

    /// Parses the bytes of a spec; `origin` names it in messages.
    ///
    /// # Errors
    ///
    /// They are not a spec.
    pub fn decode(origin: &str, text: &[u8]) -> Result<Self, SpecError> {
        is_short(origin, text)?;
        let text = plaintext::utf8(text).map_err(|error| whole(origin, error.to_string()))?;
        Self::parse(origin, &text)
    }

    /// Parses the text of a spec; `origin` names it in messages.
    ///
    /// # Errors
    ///
    /// It is not TOML, or not a spec.
    pub fn parse(origin: &str, text: &str) -> Result<Self, SpecError> {
        is_short(origin, text.as_bytes())?;
        let source = SpecSource::new(origin, text);
        let document = DeTable::parse(text)
            .map_err(|error| source.error_at(error.span().unwrap_or(0..0), one_line(error.message())))?;
        let spec = Self::from_table(SpecTable::new(&source, document.get_ref()))?;
        spec.check()?;
        Ok(spec)
    }

    fn from_table(mut table: SpecTable<'_>) -> Result<Self, SpecError> {
        let source = table.source().clone();
        let version = table.required("schema_version", number::<u32>)?;
        // Other versions may have other keys.
        if *version != SPEC_VERSION && *version.place() != Place::Nowhere {
            let reason = format!("this queenlab reads experiments of version {SPEC_VERSION}");
            return Err(source.error("schema_version", version.place(), reason));
        }
        let name = table.required("name", line)?;
        let [question, expected, analysis] = ["question", "expected", "analysis"]
            .map(|key| Ok(table.optional(key, prose)?.map_or(String::new(), |text| text.to_string())));
        let headline = table.optional("headline", arguments)?;
        if let Some(solvers) = headline.as_ref().filter(|solvers| solvers.len() != 2) {
            let reason = "name two solvers, as in [\"backtrack/bitmask\", \"backtrack/column-scan\"]";
            return Err(source.error("headline", solvers.place(), reason));
        }
        let mut keys = table.table("sweep")?;
        let sweep = keys.as_mut().map_or(Ok(Settings::default()), Settings::read)?;
        let header = keys.map_or(Ok(Place::Nowhere), |keys| keys.finish().map(|()| keys.place().clone()))?;
        let spec = Self {
            schema_version: SPEC_VERSION,
            name,
            question: question?,
            expected: expected?,
            analysis: analysis?,
            headline: headline.map_or(Vec::new(), |solvers| solvers.to_vec()),
            solvers: table.tables("solver")?.into_iter().map(SolverChoice::read).collect::<Result<_, _>>()?,
            programs: table.tables("program")?.into_iter().map(Program::read).collect::<Result<_, _>>()?,
            sat: table.tables("sat")?.into_iter().map(FormulaProgram::read_sat).collect::<Result<_, _>>()?,
            counters: table
                .tables("counter")?
                .into_iter()
                .map(FormulaProgram::read_counter)
                .collect::<Result<_, _>>()?,
            claims: table
                .tables("claim")?
                .into_iter()
                .map(|claim| Ok(Claim::read(claim)?.with_sizes_of(&sweep)))
                .collect::<Result<_, _>>()?,
            context: Context { source, sweep: header, is_narrowed: false },
            sweep,
        };
        table.finish()?;
        Ok(spec)
    }

    /// Checks whether its parts fit together, wherever they come from: a file or options of a command line.
    ///
    /// # Errors
    ///
    /// The first part that does not.
    pub fn check(&self) -> Result<(), SpecError> {
        let Context { source, sweep, .. } = &self.context;
        check_file_name(&self.name).map_err(|reason| source.error("name", self.name.place(), reason))?;
        if self.sweep.n.is_none() && self.sweep.instances.is_none() {
            let reason = "the key 'n' is missing: write the sizes, as in n = \"4-8\"";
            return Err(source.error("", sweep, reason));
        }
        if self.solvers.is_empty() && self.programs.is_empty() {
            let reason = "the experiment has no solver: add a [[solver]] with an id, or a [[program]]";
            return Err(self.error(reason));
        }
        if let Some(patterns) = &self.sweep.instances
            && let Some(reason) = patterns.0.iter().find_map(|pattern| unprintable(pattern))
        {
            return Err(source.error("instances", patterns.place(), reason));
        }
        let sizes = self.sweep.sizes();
        self.solvers.iter().try_for_each(|choice| choice.check(source, &sizes))?;
        self.programs.iter().try_for_each(|program| program.check(source, &sizes))?;
        self.sat.iter().try_for_each(|program| program.check_sat(source))?;
        self.counters.iter().try_for_each(|program| program.check(source))?;
        are_distinct(source, "programs", self.programs.iter().map(|program| &program.id))?;
        are_distinct(source, "SAT solvers", self.sat.iter().map(|program| &program.id))?;
        are_distinct(source, "model counters", self.counters.iter().map(|program| &program.id))?;
        self.claims.iter().try_for_each(|claim| claim.check(source, &self.sweep))
    }

    /// An error in the experiment as a whole.
    pub fn error(&self, reason: impl std::fmt::Display) -> SpecError {
        self.context.source.error("", &Place::Nowhere, reason)
    }

    /// An error in the value of a key; the key is empty if it is not one of the value alone.
    pub fn error_at(&self, key: &str, place: &Place, reason: impl std::fmt::Display) -> SpecError {
        self.context.source.error(key, place, reason)
    }

    /// An error in a key itself.
    pub fn error_in_key(&self, place: &Place, reason: impl std::fmt::Display) -> SpecError {
        self.context.source.error_in_key(place, reason)
    }

    /// The file or built-in experiment that it was read from, for messages.
    pub fn origin(&self) -> &str {
        self.context.source.name()
    }

    /// The external SAT solvers and the model counters.
    pub fn foreign(&self) -> impl Iterator<Item = &FormulaProgram> {
        self.sat.iter().chain(&self.counters)
    }

    /// The external SAT solver or the model counter that a solver runs, if it runs one.
    pub fn foreign_of(&self, solver: &SolverRef) -> Option<&FormulaProgram> {
        let programs = match solver.kind() {
            SolverKind::ModelCounter => &self.counters,
            SolverKind::ExternalSat => &self.sat,
            SolverKind::Builtin | SolverKind::Program => return None,
        };
        programs.iter().find(|programs| Some(programs.id.as_str()) == solver.started())
    }

    /// The text for `experiment.toml` in a result directory: as it was written if it is in a file and options have not changed
    /// it, else as [`Self::to_toml`] prints it.
    pub fn text(&self) -> String {
        let source = &self.context.source;
        match Self::parse(source.name(), source.text()) {
            Ok(written) if written == *self => source.text().to_owned(),
            _ => self.to_toml(),
        }
    }

    /// The experiment as TOML, without comments, every text and list in the same way.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("a spec has only texts, numbers and tables of them")
    }
}

fn whole(origin: &str, reason: String) -> SpecError {
    SpecSource::new(origin, "").error("", &Place::Nowhere, reason)
}

fn is_short(origin: &str, text: &[u8]) -> Result<(), SpecError> {
    if text.len() <= MAX_BYTES {
        return Ok(());
    }
    Err(whole(origin, format!("longer than {} KiB; an experiment file is never that long", MAX_BYTES >> 10)))
}

fn one_line(message: &str) -> String {
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn are_distinct<'s>(
    source: &SpecSource,
    what: &str,
    ids: impl Iterator<Item = &'s Located<String>>,
) -> Result<(), SpecError> {
    let mut used = HashSet::new();
    for id in ids {
        if !used.insert(id.as_str()) {
            return Err(source.error("id", id.place(), format!("two {what} have the id '{id}'")));
        }
    }
    Ok(())
}
