//! A whole experiment, which is read from TOML or made from the options of a command line. [`Spec::check`] checks it in both
//! cases.

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

/// The supported version of experiment files, in their key `schema_version`.
pub const SPEC_VERSION: u32 = 1;

/// The maximum length of a spec file, in bytes. A file that is not an experiment is not read beyond it.
const MAX_BYTES: usize = 256 << 10;

/// An experiment. Reading it from TOML checks it; a value that was made from options must be checked with [`Spec::check`].
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Spec {
    /// The version of the file; always [`SPEC_VERSION`].
    pub schema_version: u32,
    /// Name of the experiment and of its result directory.
    pub name: Located<String>,
    /// The question that the experiment answers.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub question: String,
    /// The expected answer, written before the run.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub expected: String,
    /// The interpretation of the results, written after the run.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub analysis: String,
    /// The solver and the baseline that the headline of the report compares; empty if the experiment does not name them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub headline: Vec<String>,
    /// The settings of `[sweep]`: sizes, goals, repetitions and limits.
    pub sweep: Settings,
    /// The solvers to run, by pattern.
    #[serde(rename = "solver")]
    pub solvers: Vec<SolverChoice>,
    /// Programs of the user.
    #[serde(rename = "program", skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<Program>,
    /// External SAT solvers, for example `kissat` in the solver id `sat/pairwise/kissat`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sat: Vec<FormulaProgram>,
    /// Model counters, for example `d4` in the solver id `counter/pairwise/d4`.
    #[serde(rename = "counter", skip_serializing_if = "Vec::is_empty")]
    pub counters: Vec<FormulaProgram>,
    /// Statements about the results. Reports check whether they hold.
    #[serde(rename = "claim", skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<Claim>,
    /// The text that the experiment was read from, and whether the command line removed parts of the experiment.
    #[serde(skip)]
    pub context: Context,
}

/// Information about an experiment that is not in its TOML. Two experiments can be equal although their contexts differ.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// The file or built-in experiment that the experiment was read from.
    pub source: SpecSource,
    /// The place of the header `[sweep]`.
    sweep_header: Place,
    /// Whether options of the command line removed a part of the experiment. If so, claims that the remaining parts cannot
    /// decide are removed, too.
    pub is_narrowed: bool,
}

impl PartialEq for Context {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Spec {
    /// The name of the experiment file in a result directory.
    pub const FILE: &'static str = "experiment.toml";

    /// An experiment without solvers and settings; `origin` is its name in messages.
    pub fn empty(origin: &str) -> Self {
        let context = Context { source: SpecSource::new(origin, ""), ..Context::default() };
        Self { schema_version: SPEC_VERSION, context, ..Self::default() }
    }

    /// Reads a spec file, which may be a pipe. At most `MAX_BYTES` + 1 bytes are read.
    ///
    /// # Errors
    ///
    /// The file cannot be read or is not a spec.
    pub fn read(path: &Path) -> Result<Self, SpecError> {
        let name = plaintext::path(path).to_string();
        let mut text = Vec::new();
        let result = File::open(path).and_then(|file| file.take(MAX_BYTES as u64 + 1).read_to_end(&mut text));
        result.map_err(|error| error_of_file(&name, format!("cannot be read: {error}")))?;
        Self::decode(&name, &text)
    }

    /// Parses the bytes of a spec; `origin` is its name in messages.
    ///
    /// # Errors
    ///
    /// The text is too long, not UTF-8 or UTF-16, or not a spec.
    pub fn decode(origin: &str, text: &[u8]) -> Result<Self, SpecError> {
        check_length(origin, text)?;
        let text = plaintext::utf8(text).map_err(|error| error_of_file(origin, error.to_string()))?;
        Self::parse(origin, &text)
    }

    /// Parses the text of a spec; `origin` is its name in messages.
    ///
    /// # Errors
    ///
    /// The text is too long, not TOML, or not a spec.
    pub fn parse(origin: &str, text: &str) -> Result<Self, SpecError> {
        check_length(origin, text.as_bytes())?;
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
        // The version is checked first, because other versions may have other keys.
        if *version != SPEC_VERSION && *version.place() != Place::Nowhere {
            let reason = format!("this queenlab reads only experiments of version {SPEC_VERSION}");
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
        let mut sweep_table = table.table("sweep")?;
        let sweep = sweep_table.as_mut().map_or(Ok(Settings::default()), Settings::read)?;
        let sweep_header =
            sweep_table.map_or(Ok(Place::Nowhere), |table| table.finish().map(|()| table.place().clone()))?;
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
            context: Context { source, sweep_header, is_narrowed: false },
            sweep,
        };
        table.finish()?;
        Ok(spec)
    }

    /// Checks whether the parts of the experiment are consistent.
    ///
    /// # Errors
    ///
    /// The first inconsistency.
    pub fn check(&self) -> Result<(), SpecError> {
        let Context { source, sweep_header, .. } = &self.context;
        check_file_name(&self.name).map_err(|reason| source.error("name", self.name.place(), reason))?;
        if self.sweep.n.is_none() && self.sweep.instances.is_none() {
            let reason = "the key 'n' is missing: write the sizes, as in n = \"4-8\"";
            return Err(source.error("", sweep_header, reason));
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
        check_distinct(source, "programs", self.programs.iter().map(|program| &program.id))?;
        check_distinct(source, "SAT solvers", self.sat.iter().map(|program| &program.id))?;
        check_distinct(source, "model counters", self.counters.iter().map(|program| &program.id))?;
        self.claims.iter().try_for_each(|claim| claim.check(source, &self.sweep))
    }

    /// An error in the experiment as a whole.
    pub fn error(&self, reason: impl std::fmt::Display) -> SpecError {
        self.context.source.error("", &Place::Nowhere, reason)
    }

    /// An error in the value of a key. The key is empty if the error concerns more than this value.
    pub fn error_at(&self, key: &str, place: &Place, reason: impl std::fmt::Display) -> SpecError {
        self.context.source.error(key, place, reason)
    }

    /// An error in a key itself.
    pub fn error_in_key(&self, place: &Place, reason: impl std::fmt::Display) -> SpecError {
        self.context.source.error_in_key(place, reason)
    }

    /// The name of the file or built-in experiment, for messages.
    pub fn origin(&self) -> &str {
        self.context.source.name()
    }

    /// The external SAT solvers and the model counters.
    pub fn formula_programs(&self) -> impl Iterator<Item = &FormulaProgram> {
        self.sat.iter().chain(&self.counters)
    }

    /// The external SAT solver or model counter that a solver starts; `None` for other solvers.
    pub fn formula_program_of(&self, solver: &SolverRef) -> Option<&FormulaProgram> {
        let programs = match solver.kind() {
            SolverKind::ModelCounter => &self.counters,
            SolverKind::ExternalSat => &self.sat,
            SolverKind::Builtin | SolverKind::Program => return None,
        };
        programs.iter().find(|program| Some(program.id.as_str()) == solver.program_id())
    }

    /// The text for `experiment.toml` in a result directory: the text of the file, or [`Self::to_toml`] if there is no file or
    /// options changed the experiment.
    pub fn text(&self) -> String {
        let source = &self.context.source;
        match Self::parse(source.name(), source.text()) {
            Ok(original) if original == *self => source.text().to_owned(),
            _ => self.to_toml(),
        }
    }

    /// The experiment as TOML in a uniform style, without comments.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("a spec has only texts, numbers and tables of them")
    }
}

fn error_of_file(origin: &str, reason: String) -> SpecError {
    SpecSource::new(origin, "").error("", &Place::Nowhere, reason)
}

fn check_length(origin: &str, text: &[u8]) -> Result<(), SpecError> {
    if text.len() <= MAX_BYTES {
        return Ok(());
    }
    Err(error_of_file(
        origin,
        format!("longer than {} KiB, the maximum length of an experiment file", MAX_BYTES >> 10),
    ))
}

fn one_line(message: &str) -> String {
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn check_distinct<'s>(
    source: &SpecSource,
    kinds: &str,
    ids: impl Iterator<Item = &'s Located<String>>,
) -> Result<(), SpecError> {
    let mut earlier_ids = HashSet::new();
    for id in ids {
        if !earlier_ids.insert(id.as_str()) {
            return Err(source.error("id", id.place(), format!("two {kinds} have the id '{id}'")));
        }
    }
    Ok(())
}
