//! Parses an experiment from a TOML file: the question, the expected answer, the sweep, the solvers. Every
//! error has a line and a column; docs/FORMATS.md describes every key.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::marker::PhantomData;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, Visitor};
use toml::Spanned;

use super::axis::{Axis, Words};
use super::claim::{self, Claim};
use super::cpus::CpuList;
use super::plan::{only_zero, sat_program};
use crate::board::BoardSize;
use crate::board::problem::{Problem, Variant};
use crate::board::sizes::{Sizes, SizesError};
use crate::command::{self, CommandLine};
use crate::record::SCHEMA_VERSION;
use crate::sat;
use crate::solver::{Goal, Info};

/// A spec as written in the file, before it is checked.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    schema_version: Spanned<u32>,
    name: Spanned<String>,
    #[serde(default)]
    question: String,
    #[serde(default)]
    expected: String,
    #[serde(default)]
    analysis: String,
    sweep: Sweep,
    #[serde(default)]
    solver: Vec<Spanned<Keys>>,
    #[serde(default)]
    program: Vec<Spanned<Keys>>,
    #[serde(default)]
    sat: Vec<Spanned<Keys>>,
    #[serde(default)]
    claim: Vec<Spanned<RawClaim>>,
}

/// A claim by its keys.
type RawClaim = BTreeMap<Spanned<String>, Spanned<toml::Value>>;

/// The keys of a table with their values.
#[derive(Clone, Debug)]
struct Keys(Vec<(Spanned<String>, Spanned<Words>)>);

impl<'de> Deserialize<'de> for Keys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Table;
        impl<'de> Visitor<'de> for Table {
            type Value = Keys;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a table")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Keys, M::Error> {
                let mut keys = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    keys.push(entry);
                }
                Ok(Keys(keys))
            }
        }
        deserializer.deserialize_map(Table)
    }
}

/// A checked spec.
#[derive(Clone, Debug)]
pub struct Spec {
    /// The file or built-in experiment that it was read from, for messages.
    pub origin: String,
    /// Name of the experiment and of its result directory.
    pub name: String,
    /// The question that the experiment asks.
    pub question: String,
    /// The expected answer, written before the run.
    pub expected: String,
    /// What the results showed, written after the run.
    pub analysis: String,
    /// Sizes, goal, repetitions and limits.
    pub sweep: Sweep,
    /// The solvers to run, by pattern.
    pub solvers: Vec<SolverChoice>,
    /// The user's own programs.
    pub programs: Vec<Program>,
    /// External SAT solvers, for example `kissat` of `sat/pairwise/kissat`.
    pub sat: Vec<SatProgram>,
    /// The instances that `sweep.instances` selects, once [`Spec::with_instances`] has read them.
    pub instances: Vec<Instance>,
    /// What the results show, for reports to check.
    pub claims: Vec<Claim>,
    /// The command of the external SAT solver (`sat/*/external`), which only the command line can set.
    pub external: Option<String>,
}

/// Passes the keys of `[sweep]` to a macro, except `n`. Each entry declares a key: its name, the type of its value and of
/// its field, its default; its type in TOML, and its parser, also for the command line; its meaning, as in the help, and
/// the default there; the properties of its option, if `queenlab sweep` has one.
macro_rules! sweep_keys {
    ($declare:ident) => {
        $declare! {
            goal: Axis<Goal> => Axis<Goal> = Axis::of(Goal::Enumerate), Words => goals,
                "What solvers compute: first (one solution), count (the number of solutions) or enumerate (all \
                 solutions); or several of them, for example first,count", "enumerate", [long, value_name = "GOAL"];
            variant: Vec<String> => Vec<String> = Vec::new(), Words => variants,
                "Rules of the board, for example toroidal", "queens";
            instances: Vec<String> => Vec<String> = Vec::new(), Words => patterns,
                "Files with one problem each, for example puzzles/*.txt", "none";
            repeat: u32 => u32 = 3, u64 => at_least_one::<u32>,
                "Timed runs per cell, which is one solver at one board size", "3", [long, value_name = "R"];
            warmup: u32 => u32 = 0, u64 => u32::from_str,
                "Warm-up runs per cell (recorded, excluded from statistics)", "0", [long, value_name = "W"];
            timeout: Duration => Duration = Duration::from_secs(60), String => parse_duration,
                "Time limit (wall clock) of a run, for example 500ms, 10s or 5m", "60s", [long, value_name = "D"];
            memory: u64 => Option<u64> = None, String => parse_memory,
                "Memory limit of a run, for example 512MiB or 2GiB", "no limit", [long, value_name = "B"];
            threads: Axis<usize> => Axis<usize> = Axis::of(1), Words => threads,
                "Number of threads per run, for example 4, or several numbers, for example 1,2", "1",
                [long, value_name = "T"];
            seed: Axis<u64> => Axis<u64> = Axis::of(1), Words => seeds,
                "Random seed of randomized solvers, or several, for example 1-50; the first is also that of the order of \
                 runs", "1";
            jobs: usize => usize = 1, u64 => at_most_1024::<usize>,
                "Number of parallel runs, for example 4. Times are not comparable if it is more than 1", "1",
                [short, long, value_name = "J"];
            pin: CpuList => Option<CpuList> = None, String => CpuList::from_str,
                "CPUs that runs are bound to, for example 0, 0-3 or 0,2-3. Parallel runs divide them equally", "all CPUs",
                [long, value_name = "CPUS"];
            stop_after_timeouts: usize => Option<usize> = None, u64 => at_least_one::<usize>,
                "Once a solver has timed out at K sizes in a row, skip its larger sizes; for example 2", "never",
                [long, value_name = "K"];
        }
    };
}
#[cfg(feature = "cli")]
pub(crate) use sweep_keys;

macro_rules! declare_sweep {
    ($($key:ident: $value:ty => $field:ty = $default:expr, $toml:ty => $parse:expr,
        $meaning:literal, $shown:literal $(, [$($option:tt)+])?;)+) => {
        /// The settings common to all cells.
        #[derive(Clone, Debug)]
        pub struct Sweep {
            /// Board sizes.
            pub n: Sizes,
            $(#[doc = $meaning] pub $key: $field,)+
        }

        impl Default for Sweep {
            /// The default of every key; the sizes are those of the built-in experiment.
            fn default() -> Self {
                Self { n: Sizes::from_str("1-10").expect("a range"), $($key: $default),+ }
            }
        }

        impl<'de> Visitor<'de> for SweepKeys {
            type Value = Sweep;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a table")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Sweep, M::Error> {
                let (mut n, mut sweep) = (None, Sweep::default());
                let known = ["n", $(stringify!($key)),+];
                while let Some(key) = map.next_key_seed(Parsed::<String, _>::by(|key| one_of(key, &known)))? {
                    match key {
                        $(stringify!($key) => {
                            let value: $value = map.next_value_seed(Parsed::<$toml, _>::by(|text| {
                                $parse(text).map_err(|error| format!("sweep.{key}: {error}"))
                            }))?;
                            sweep.$key = value.into();
                        })+
                        _ => n = Some(map.next_value_seed(Parsed::<String, _>::by(|text| {
                            text.parse::<Sizes>().map_err(|error| format!("sweep.n: {error}"))
                        }))?),
                    }
                }
                let n = match n {
                    // Each instance has its own size.
                    None if !sweep.instances.is_empty() => Sizes::all(),
                    n => n.ok_or_else(|| M::Error::missing_field("n"))?,
                };
                Ok(Sweep { n, ..sweep })
            }
        }
    };
}
sweep_keys!(declare_sweep);

/// Reads the table `[sweep]`.
struct SweepKeys;

impl<'de> Deserialize<'de> for Sweep {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(SweepKeys)
    }
}

fn one_of(key: &str, known: &[&'static str]) -> Result<&'static str, String> {
    let found = known.iter().copied().find(|known| *known == key);
    found.ok_or_else(|| format!("unknown field `{key}`, expected one of `{}`", known.join("`, `")))
}

/// Reads a value of type `V` and passes its text to a parser. An error has the place of the value.
struct Parsed<V, F>(F, PhantomData<V>);

impl<V, F> Parsed<V, F> {
    fn by<T>(parse: F) -> Self
    where
        F: Fn(&str) -> Result<T, String>,
    {
        Self(parse, PhantomData)
    }
}

impl<'de, V, T, F> DeserializeSeed<'de> for Parsed<V, F>
where
    V: Deserialize<'de> + ToString,
    F: Fn(&str) -> Result<T, String>,
{
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        (self.0)(&V::deserialize(deserializer)?.to_string()).map_err(D::Error::custom)
    }
}

/// Settings of one solver or program that replace those of the sweep.
#[derive(Clone, Debug, Default)]
#[expect(missing_docs, reason = "the fields are those of Sweep")]
pub struct Own {
    pub n: Option<Sizes>,
    pub goal: Option<Axis<Goal>>,
    pub timeout: Option<Duration>,
    pub memory: Option<u64>,
    pub threads: Option<Axis<usize>>,
    pub seed: Option<Axis<u64>>,
}

impl Own {
    /// The keys of these settings.
    pub const KEYS: [&str; 6] = ["n", "goal", "timeout", "memory", "threads", "seed"];

    /// The settings of the sweep with these in their places.
    pub fn over(&self, sweep: &Sweep) -> Sweep {
        let own = self.clone();
        let sweep = sweep.clone();
        Sweep {
            n: own.n.unwrap_or(sweep.n),
            goal: own.goal.unwrap_or(sweep.goal),
            timeout: own.timeout.unwrap_or(sweep.timeout),
            memory: own.memory.or(sweep.memory),
            threads: own.threads.unwrap_or(sweep.threads),
            seed: own.seed.unwrap_or(sweep.seed),
            ..sweep
        }
    }
}

/// A parameter of a solver or a program with its values.
#[derive(Clone, Debug)]
pub struct Factor {
    /// Name of the parameter.
    pub name: String,
    /// Its values.
    pub values: Vec<String>,
    /// Where it was given.
    pub place: String,
}

/// A pattern that selects solvers, optionally with their own settings.
#[derive(Clone, Debug)]
pub struct SolverChoice {
    /// Glob pattern over solver ids.
    pub pattern: String,
    /// Settings that replace those of the sweep.
    pub own: Own,
    /// Options of the solvers.
    pub options: Vec<Factor>,
    /// Where the pattern was given: `experiments/x.toml:12:6`, or the command-line option.
    pub place: String,
}

/// A user's program.
#[derive(Clone, Debug)]
pub struct Program {
    /// `program/<id>` in the tables.
    pub id: String,
    /// Program and arguments; [`Program::PLACEHOLDERS`] and factors in braces are replaced by their values.
    pub command: Vec<String>,
    /// The notation in which it prints boards, or `auto`.
    pub notation: String,
    /// Settings that replace those of the sweep.
    pub own: Own,
    /// The user's own parameters of the command.
    pub factors: Vec<Factor>,
    /// Exit codes that mean success.
    pub accept_exit_codes: Vec<i32>,
    /// A command to carry out once before the sweep.
    pub build: Option<Vec<String>>,
    /// A command that prints the version of the program.
    pub version: Option<Vec<String>>,
}

/// An external SAT solver: a part of solver ids.
#[derive(Clone, Debug)]
pub struct SatProgram {
    /// Its part of solver ids, as in `sat/pairwise/kissat`.
    pub id: String,
    /// Its command, with `{cnf}` for the file of the formula.
    pub command: String,
    /// A command that prints its version.
    pub version: Option<Vec<String>>,
}

/// A problem in a file.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The name of the file without its extension.
    pub name: String,
    /// The file.
    pub path: PathBuf,
    /// SHA-256 of the file.
    pub digest: String,
    /// The problem.
    pub problem: Problem,
}

/// An error in a spec.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {reason}")]
pub struct SpecError {
    /// `file:line:column`.
    pub place: String,
    /// What is wrong, and how to correct it.
    pub reason: String,
}

/// The largest spec file, in bytes; anything longer is some other file.
const LONGEST: usize = 256 << 10;

impl Spec {
    /// The command of a SAT solver that is an external program.
    pub fn command_of(&self, info: &Info) -> Option<String> {
        let name = sat_program(&info.id);
        let own = self.sat.iter().find(|program| program.id == name).map(|program| &program.command);
        own.or(self.external.as_ref()).filter(|_| info.uses_external).cloned()
    }

    /// Reads a spec file.
    pub fn read(path: &Path) -> Result<Self, SpecError> {
        let origin = path.display().to_string();
        let mut text = String::new();
        let file = File::open(path).map(|file| file.take(LONGEST as u64 + 1));
        file.and_then(|mut file| file.read_to_string(&mut text)).map_err(|error| SpecError {
            place: origin.clone(),
            reason: format!("cannot be read: {error}"),
        })?;
        Self::parse(&origin, &text)
    }

    /// Parses the text of a spec; `origin` names it in messages.
    pub fn parse(origin: &str, text: &str) -> Result<Self, SpecError> {
        if text.len() > LONGEST {
            let reason = format!("longer than {} KiB; an experiment file is never that long", LONGEST >> 10);
            return Err(SpecError { place: origin.to_owned(), reason });
        }
        let source = Source { origin, text };
        let raw: Raw = toml::from_str(text).map_err(|error| {
            source.error(error.span().unwrap_or(0..0), error.message().replace('\n', " "))
        })?;
        source.spec(raw)
    }
}

/// The text of a spec, for errors that point into it.
struct Source<'a> {
    origin: &'a str,
    text: &'a str,
}

impl Source<'_> {
    fn place(&self, span: Range<usize>) -> String {
        let before = &self.text[..span.start.min(self.text.len())];
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
        format!("{}:{line}:{column}", self.origin)
    }

    fn error(&self, span: Range<usize>, reason: impl Into<String>) -> SpecError {
        SpecError { place: self.place(span), reason: reason.into() }
    }

    /// Applies a parser to a value; an error gets the position of the value.
    fn parse<T, E: ToString>(
        &self,
        value: &Spanned<String>,
        parse: impl Fn(&str) -> Result<T, E>,
    ) -> Result<T, SpecError> {
        parse(value.get_ref()).map_err(|error| self.error(value.span(), error.to_string()))
    }

    fn spec(&self, raw: Raw) -> Result<Spec, SpecError> {
        if *raw.schema_version.get_ref() != SCHEMA_VERSION {
            let reason = format!("schema_version: this queenlab reads version {SCHEMA_VERSION}");
            return Err(self.error(raw.schema_version.span(), reason));
        }
        self.parse(&raw.name, is_file_name)?;
        let sweep = raw.sweep;
        if raw.solver.is_empty() && raw.program.is_empty() {
            let reason = "the experiment has no solver: add a [[solver]] with an id, or a [[program]]";
            return Err(self.error(0..0, reason));
        }
        let solvers = raw.solver.into_iter().map(|table| self.solver(table, &sweep.n));
        let solvers = solvers.collect::<Result<Vec<_>, _>>()?;
        let mut programs: Vec<Program> = Vec::new();
        for table in raw.program {
            let span = table.span();
            let program = self.program(table, &sweep.n)?;
            if programs.iter().any(|other| other.id == program.id) {
                return Err(self.error(span, format!("two programs have the id '{}'", program.id)));
            }
            programs.push(program);
        }
        let mut sat: Vec<SatProgram> = Vec::new();
        for table in raw.sat {
            let span = table.span();
            let program = self.sat(table)?;
            if sat.iter().any(|other| other.id == program.id) {
                return Err(self.error(span, format!("two SAT solvers have the id '{}'", program.id)));
            }
            sat.push(program);
        }
        Ok(Spec {
            origin: self.origin.to_owned(),
            name: raw.name.into_inner(),
            question: raw.question,
            expected: raw.expected,
            analysis: raw.analysis,
            claims: raw.claim.iter().map(|claim| self.claim(claim, &sweep.n)).collect::<Result<_, _>>()?,
            sweep,
            solvers,
            programs,
            sat,
            instances: Vec::new(),
            external: None,
        })
    }

    fn claim(&self, raw: &Spanned<RawClaim>, sweep: &Sizes) -> Result<Claim, SpecError> {
        let mut table = serde_json::Map::new();
        for (key, value) in raw.get_ref() {
            one_of(key.get_ref(), &claim::KEYS).map_err(|reason| self.error(key.span(), reason))?;
            let value = serde_json::to_value(value.get_ref()).unwrap_or_default();
            table.insert(key.get_ref().clone(), value);
        }
        let value =
            |name: &str| raw.get_ref().iter().find(|(key, _)| key.get_ref() == name).map(|(_, value)| value);
        let span = |name: Option<&'static str>| name.and_then(value).map_or(raw.span(), Spanned::span);
        let claim = Claim::of_table(table, Some(sweep));
        let mut claim = claim.map_err(|mistake| self.error(span(mistake.key), mistake.reason))?;
        let shifted = claim.n.iter().map(|n| BoardSize::new(n.get() + claim.shift).unwrap_or(n));
        if let Some(n) = claim.n.iter().chain(shifted).find(|&n| !sweep.contains(n)) {
            return Err(self.error(span(Some("n")), not_in_sweep(n, sweep)));
        }
        claim.place = self.place(span(Some("of")));
        Ok(claim)
    }

    fn section(&self, table: Spanned<Keys>) -> Section<'_> {
        Section { source: self, span: table.span(), keys: table.into_inner().0 }
    }

    fn solver(&self, table: Spanned<Keys>, sizes: &Sizes) -> Result<SolverChoice, SpecError> {
        let mut section = self.section(table);
        let (id, span) = section.required("id")?;
        let own = section.own(sizes)?;
        Ok(SolverChoice { pattern: id, own, options: section.factors(), place: self.place(span) })
    }

    fn program(&self, table: Spanned<Keys>, sizes: &Sizes) -> Result<Program, SpecError> {
        let mut section = self.section(table);
        let (id, span) = section.required("id")?;
        let id = is_file_name(&id).map_err(|reason| self.error(span, reason))?;
        let Some(command) = section.take("command") else { return Err(section.missing("command")) };
        let span = command.span();
        let command = command.into_inner().0;
        if command.first().is_none_or(String::is_empty) {
            let reason = "command: name a program, as in [\"python3\", \"my_queens.py\", \"{n}\"]";
            return Err(self.error(span, reason));
        }
        let program = Program {
            id,
            notation: section.parse("notation", is_notation)?.unwrap_or_else(|| "auto".to_owned()),
            own: section.own(sizes)?,
            accept_exit_codes: section.parse("accept_exit_codes", exit_codes)?.unwrap_or_else(only_zero),
            build: section.command("build")?,
            version: section.command("version")?,
            factors: section.factors(),
            command,
        };
        for factor in &program.factors {
            let name = &factor.name;
            let fail = |reason: String| Err(SpecError { place: factor.place.clone(), reason });
            if Program::PLACEHOLDERS.contains(&name.as_str()) {
                return fail(format!("'{name}' is not the name of a factor: its value is that of the run"));
            }
            if !program.mentions(name) {
                let keys = ["id", "command", "notation", "accept_exit_codes", "build", "version"];
                let keys = [&keys[..], &Own::KEYS].concat().join("`, `");
                return fail(format!(
                    "unknown key `{name}`, expected one of `{keys}`, or a factor of your own, which the command must \
                     contain as {{{name}}}"
                ));
            }
        }
        Ok(program)
    }

    fn sat(&self, table: Spanned<Keys>) -> Result<SatProgram, SpecError> {
        let mut section = self.section(table);
        let (id, span) = section.required("id")?;
        let id = is_sat_name(&id).map_err(|reason| self.error(span, reason))?;
        let (command, span) = section.required("command")?;
        let line = CommandLine::parse(&command).map_err(|reason| self.error(span.clone(), reason))?;
        if !line.mentions("{cnf}") {
            let reason =
                "command: write {cnf} where the file of the formula belongs, as in \"kissat -q {cnf}\"";
            return Err(self.error(span, reason));
        }
        let version = section.command("version")?;
        match section.factors().first() {
            None => Ok(SatProgram { id, command, version }),
            Some(Factor { name, place, .. }) => Err(SpecError {
                place: place.clone(),
                reason: format!("unknown key `{name}`, expected one of `id`, `command`, `version`"),
            }),
        }
    }
}

/// A table of a spec, from which keys are taken one by one.
struct Section<'a> {
    source: &'a Source<'a>,
    span: Range<usize>,
    keys: Vec<(Spanned<String>, Spanned<Words>)>,
}

impl Section<'_> {
    fn take(&mut self, key: &str) -> Option<Spanned<Words>> {
        let at = self.keys.iter().position(|(name, _)| name.get_ref() == key)?;
        Some(self.keys.remove(at).1)
    }

    /// Passes the text of a value, if there is one, to a parser; an error gets the position of the value.
    fn parse<T, E: ToString>(
        &mut self,
        key: &str,
        parse: impl Fn(&str) -> Result<T, E>,
    ) -> Result<Option<T>, SpecError> {
        let Some(value) = self.take(key) else { return Ok(None) };
        let parsed = parse(&value.get_ref().to_string());
        parsed.map(Some).map_err(|error| self.source.error(value.span(), error.to_string()))
    }

    fn missing(&self, key: &str) -> SpecError {
        self.source.error(self.span.clone(), format!("missing field `{key}`"))
    }

    /// The single value of a key that must be there, and its position.
    fn required(&mut self, key: &str) -> Result<(String, Range<usize>), SpecError> {
        let value = self.take(key).ok_or_else(|| self.missing(key))?;
        match value.get_ref().0.as_slice() {
            [one] => Ok((one.clone(), value.span())),
            _ => Err(self.source.error(value.span(), format!("{key}: give a single value"))),
        }
    }

    /// A command as a list of words.
    fn command(&mut self, key: &str) -> Result<Option<Vec<String>>, SpecError> {
        let Some(value) = self.take(key) else { return Ok(None) };
        if value.get_ref().0.first().is_none_or(String::is_empty) {
            let reason = format!("{key}: name a program and its arguments, as in [\"make\", \"all\"]");
            return Err(self.source.error(value.span(), reason));
        }
        Ok(Some(value.into_inner().0))
    }

    fn own(&mut self, sizes: &Sizes) -> Result<Own, SpecError> {
        let within = |text: &str| {
            let own: Sizes =
                text.replace('\n', ",").parse().map_err(|error: SizesError| error.to_string())?;
            let outside = own.iter().find(|&n| !sizes.contains(n));
            match outside {
                Some(n) => Err(format!(
                    "n = {n} is not among the sizes of the sweep ({sizes}): extend sweep.n or restrict this n"
                )),
                None => Ok(own),
            }
        };
        Ok(Own {
            n: self.parse("n", within)?,
            goal: self.parse("goal", goals)?,
            timeout: self.parse("timeout", parse_duration)?,
            memory: self.parse("memory", parse_memory)?,
            threads: self.parse("threads", threads)?,
            seed: self.parse("seed", seeds)?,
        })
    }

    /// The keys that were not taken.
    fn factors(&mut self) -> Vec<Factor> {
        let keys = std::mem::take(&mut self.keys);
        let factor = |(name, values): (Spanned<String>, Spanned<Words>)| Factor {
            place: self.source.place(name.span()),
            name: name.into_inner(),
            values: values.into_inner().0,
        };
        keys.into_iter().map(factor).collect()
    }
}

/// Parses the goals of a sweep, for example `first,count`.
pub fn goals(text: &str) -> Result<Axis<Goal>, String> {
    Axis::read(text, Goal::from_str)
}

/// Parses numbers of threads, for example `1,2`.
pub fn threads(text: &str) -> Result<Axis<usize>, String> {
    let number = |word: &str| at_most_1024::<u64>(word);
    Ok(Axis::read_numbers(text, number)?.map(|number| usize::try_from(number).unwrap_or(1024)))
}

/// Parses seeds, for example `1-50`.
pub fn seeds(text: &str) -> Result<Axis<u64>, String> {
    Axis::read_numbers(text, |word| {
        word.parse().map_err(|_| {
            format!("'{word}' is not a seed: write a whole number from 0, or a range such as 1-50")
        })
    })
}

/// Parses the texts of problems, one per line. What follows the name depends on the size of the board.
fn variants(text: &str) -> Result<Vec<String>, String> {
    let check = |text: &str| match text.split(';').next() {
        Some("regions") => Ok(text.to_owned()),
        name => Variant::from_str(name.unwrap_or_default()).map(|_| text.to_owned()),
    };
    text.lines().map(check).collect()
}

/// The patterns of instances, one per line.
fn patterns(text: &str) -> Result<Vec<String>, String> {
    Ok(text.lines().map(str::to_owned).collect())
}

/// Parses exit codes, one per line.
fn exit_codes(text: &str) -> Result<Vec<i32>, String> {
    let code = |word: &str| word.parse().ok().filter(|code| (0..=255).contains(code));
    let codes: Option<Vec<i32>> = text.lines().map(code).collect();
    codes.filter(|codes| !codes.is_empty()).ok_or_else(|| {
        "accept_exit_codes: give at least one exit code from 0 to 255, as in [0, 10, 20]".to_owned()
    })
}

fn not_in_sweep(n: BoardSize, sweep: &Sizes) -> String {
    format!("n = {n} is not among the sizes of the sweep ({sweep}): extend sweep.n or restrict this n")
}

impl Program {
    /// Parses a program from a command line in which `{n}` marks the board size; `place` names its origin in
    /// errors. The id is the name of its script or executable.
    pub fn of_command(place: &str, command: &str) -> Result<Self, SpecError> {
        let fail = |reason: String| SpecError { place: place.to_owned(), reason };
        let line = CommandLine::parse(command).map_err(fail)?;
        if !line.mentions("{n}") {
            let reason =
                format!("'{command}' does not contain {{n}}: write {{n}} where the board size belongs");
            return Err(fail(reason));
        }
        let command = line.words();
        let script = command[1..].iter().find(|word| Path::new(word).is_file()).unwrap_or(&command[0]);
        let id = as_file_name(Path::new(script));
        Ok(Self {
            id,
            command,
            notation: "auto".to_owned(),
            own: Own::default(),
            factors: Vec::new(),
            accept_exit_codes: only_zero(),
            build: None,
            version: None,
        })
    }

    /// What a command may contain in braces beside factors.
    pub const PLACEHOLDERS: [&str; 6] = ["n", "seed", "threads", "goal", "variant", "instance"];

    /// Whether the command contains this name in braces.
    pub fn mentions(&self, name: &str) -> bool {
        let place = format!("{{{name}}}");
        self.command.iter().any(|word| word.contains(&place))
    }

    /// Whether its executable exists.
    pub fn is_found(&self) -> bool {
        command::find(&self.command[0]).is_some()
    }
}

/// Turns the stem of a path into a name that [`Spec`] accepts.
pub fn as_file_name(path: &Path) -> String {
    let stem = path.file_stem().map_or(String::new(), |stem| stem.to_string_lossy().into_owned());
    let allowed = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' };
    let name: String = stem.chars().map(allowed).collect();
    let name = name.trim_start_matches(|c: char| !c.is_ascii_alphanumeric());
    if name.is_empty() { "program".to_owned() } else { name.to_owned() }
}

/// Checks that a name is safe as a file name: letters, digits, `-`, `_` and `.`, beginning with a letter or
/// digit.
fn is_file_name(name: &str) -> Result<String, String> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if name.chars().all(allowed) && name.starts_with(|c: char| c.is_ascii_alphanumeric()) {
        Ok(name.to_owned())
    } else {
        Err(format!(
            "'{name}' is not a valid name: use letters, digits, '-', '_' and '.', and begin with a letter or digit"
        ))
    }
}

/// Checks a part of SAT solver ids: a file name that is not that of a built-in solver.
fn is_sat_name(name: &str) -> Result<String, String> {
    if sat::backend::ALL.iter().any(|backend| backend.name == name) {
        return Err(format!("'{name}' is a built-in SAT solver: choose another id"));
    }
    is_file_name(name)
}

fn is_notation(name: &str) -> Result<String, String> {
    if name != "auto" {
        name.parse::<crate::board::notation::Notation>().map_err(|error| error.to_string())?;
    }
    Ok(name.to_owned())
}

/// Parses a whole number of at least 1.
pub fn at_least_one<T: FromStr + PartialOrd + From<u16>>(text: &str) -> Result<T, String> {
    let number = text.parse().ok().filter(|number| *number >= T::from(1));
    number.ok_or_else(|| "must be a whole number from 1".to_owned())
}

/// Parses a number of threads or of parallel jobs: no machine has more CPUs than a [`CpuList`] can have.
pub fn at_most_1024<T: FromStr + PartialOrd + From<u16>>(text: &str) -> Result<T, String> {
    let number = text.parse().ok().filter(|number| (T::from(1)..=T::from(1024)).contains(number));
    number.ok_or_else(|| "must be a whole number from 1 to 1024".to_owned())
}

/// Parses a duration greater than zero: `500ms`, `10s`, `5m`.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    match humantime::parse_duration(text) {
        Ok(duration) if !duration.is_zero() => Ok(duration),
        _ => Err(format!("'{text}' is not a duration greater than zero: write 500ms, 10s or 5m")),
    }
}

/// Parses a number of bytes greater than zero: `512MiB`, `2GiB`.
pub fn parse_memory(text: &str) -> Result<u64, String> {
    match text.parse::<bytesize::ByteSize>() {
        Ok(size) if size.as_u64() > 0 => Ok(size.as_u64()),
        _ => Err(format!("'{text}' is not a memory size greater than zero: write 512MiB or 2GiB")),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::experiment::plan::Plan;
    use crate::registry::Registry;

    const GOOD: &str = r#"
schema_version = 1
name = "test"
[sweep]
n = "4-6"
[[solver]]
id = "backtrack/*"
"#;

    fn error(text: &str) -> String {
        Spec::parse("x.toml", text).expect_err("a mistake").to_string()
    }

    #[test]
    fn missing_keys_have_defaults() {
        let spec = Spec::parse("x.toml", GOOD).expect("complete");
        let goal = Axis::of(Goal::Enumerate);
        assert_eq!((spec.sweep.goal, spec.sweep.repeat, spec.sweep.warmup), (goal, 3, 0));
        assert_eq!(spec.sweep.timeout, Duration::from_secs(60));
        assert_eq!(spec.solvers[0].place, "x.toml:7:6");
    }

    #[test]
    fn mistakes_are_reported_with_line_and_column() {
        let unknown = GOOD.replace("n = \"4-6\"", "n = \"4-6\"\nrepeats = 5");
        assert!(error(&unknown).starts_with("x.toml:6:1: unknown field `repeats`"), "{}", error(&unknown));
        let backwards = GOOD.replace("4-6", "6-4");
        assert_eq!(error(&backwards), "x.toml:5:5: sweep.n: the range 6-4 is empty: write 4-6");
        let outside = format!("{GOOD}n = \"4-9\"\n");
        assert!(error(&outside).starts_with("x.toml:8:5: n = 7 is not among"), "{}", error(&outside));
        let version = GOOD.replace("schema_version = 1", "schema_version = 2");
        assert!(error(&version).starts_with("x.toml:2:18: schema_version"), "{}", error(&version));
        let torn = GOOD.replace("name = \"test\"", "name = \"test");
        assert!(error(&torn).starts_with("x.toml:3:"), "{}", error(&torn));
    }

    #[test]
    fn a_mistake_in_a_claim_is_told_with_line_and_column() {
        let claim = "[[claim]]\nsays = \"x\"\nmeasure = \"nodes\"\nof = \"a\"\ncompared_with = \"b\"\nratio = \"< 1\"\n";
        let with = |from: &str, to: &str| error(&format!("{GOOD}{}", claim.replace(from, to)));
        let spec = Spec::parse("x.toml", &format!("{GOOD}{claim}")).expect("a claim");
        assert_eq!((spec.claims[0].n.to_string(), &*spec.claims[0].place), ("4-6".to_owned(), "x.toml:11:6"));
        assert_eq!(with("< 1", "1").split(": ratio:").next(), Some("x.toml:13:9"));
        assert!(with("says", "sais").starts_with("x.toml:9:1: unknown field `sais`, expected one of `says`"));
        assert!(with("ratio = \"< 1\"", "").starts_with("x.toml:8:1: this claim has no bound"));
        let outside = with("ratio", "n = \"4-7\"\nratio");
        assert!(outside.starts_with("x.toml:13:5: n = 7 is not among the sizes"), "{outside}");
    }

    #[test]
    fn oversized_files_are_not_read_to_their_end() {
        let told = "x.toml: longer than 256 KiB; an experiment file is never that long";
        assert_eq!(error(&format!("{GOOD}#{}", "x".repeat(256 << 10))), told);
        assert!(error(&format!("x = {}", "[".repeat(200 << 10))).starts_with("x.toml:1:"));
        #[cfg(target_os = "linux")]
        {
            let told = "/dev/zero: longer than 256 KiB; an experiment file is never that long";
            assert_eq!(Spec::read(Path::new("/dev/zero")).expect_err("no end").to_string(), told);
        }
    }

    #[test]
    fn empty_lists_and_contradictions_are_mistakes() {
        let no_solver = GOOD.split("[[solver]]").next().expect("head").to_owned();
        assert!(error(&no_solver).contains("the experiment has no solver"));
        for (key, value) in [
            ("repeat", "0"),
            ("threads", "0"),
            ("timeout", "\"0s\""),
            ("timeout", "\"ten\""),
            ("memory", "\"0\""),
            ("memory", "\"much\""),
            ("goal", "\"all\""),
            ("repeat", "-1"),
            ("jobs", "0"),
            ("jobs", "2000"),
            ("pin", "\"\""),
            ("pin", "\"3-1\""),
            ("stop_after_timeouts", "0"),
        ] {
            let text = GOOD.replace("n = \"4-6\"", &format!("n = \"4-6\"\n{key} = {value}"));
            assert!(error(&text).starts_with("x.toml:6:"), "{key} = {value}: {}", error(&text));
        }
        let program = |lines: &str| format!("{GOOD}[[program]]\n{lines}\n");
        assert!(error(&program("id = \"p\"\ncommand = []")).contains("name a program"));
        for codes in ["[]", "[256]", "[-1]", "[true]"] {
            let text = program(&format!("id = \"p\"\ncommand = [\"p\"]\naccept_exit_codes = {codes}"));
            assert!(error(&text).starts_with("x.toml:11:"), "{codes}: {}", error(&text));
        }
        assert!(error(&program("id = \"../p\"\ncommand = [\"p\"]")).contains("is not a valid name"));
        assert!(error(&program("id = \"p\"\ncommand = [\"p\"]\nnotation = \"x\"")).contains("x.toml:11:12"));
        let twice = program("id = \"p\"\ncommand = [\"p\"]\n[[program]]\nid = \"p\"\ncommand = [\"q\"]");
        assert!(error(&twice).contains("two programs have the id 'p'"));
    }

    const FULL: &str = r#"schema_version = 1
name = "test"
question = "Wärum?"
[sweep]
n = "4-6"
goal = "first"
repeat = 2
warmup = 1
timeout = "10s"
memory = "1GiB"
threads = 1
seed = 3
jobs = 2
pin = "0-1"
stop_after_timeouts = 2
[[solver]]
id = "backtrack/*"
n = "4-5"
[[program]]
id = "p"
command = ["p", "{n}"]
notation = "auto"
"#;

    /// Any text gives a spec or an error with a place, never a panic; any spec gives a plan or an error.
    fn survives(text: &str) {
        match Spec::parse("x.toml", text) {
            Err(error) => assert!(error.place.starts_with("x.toml:"), "{error}"),
            Ok(spec) => {
                // Large plans are valid, but slow to make.
                if spec.sweep.repeat.saturating_add(spec.sweep.warmup) > 1000 {
                    return;
                }
                if let Ok(plan) = Plan::new(&spec, &Registry::builtin()) {
                    let _ = (plan.worst_case(), plan.sha256());
                }
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn any_text_is_a_spec_or_an_error_with_a_place(
            any in "\\PC{0,80}",
            at in any::<prop::sample::Index>(),
            removed in 0..30_usize,
            put in prop_oneof!["[\\[\\]\"=#{},0-9a-zé\n-]{0,10}", "\\PC{0,8}"],
        ) {
            survives(&any);
            let mut text: Vec<char> = FULL.chars().collect();
            let at = at.index(text.len());
            let end = text.len().min(at + removed);
            text.splice(at..end, put.chars());
            survives(&text.into_iter().collect::<String>());
        }
    }

    #[test]
    fn binary_and_deeply_nested_files_are_errors() {
        assert!(Spec::parse("x.toml", FULL).is_ok());
        let directory = tempfile::tempdir().expect("temporary directory");
        let path = directory.path().join("x.toml");
        std::fs::write(&path, b"name = \"\xff\xfe\"\n").expect("write");
        let error = Spec::read(&path).expect_err("not UTF-8").to_string();
        assert!(error.contains("x.toml: cannot be read: "), "{error}");
        survives(&format!("n = {}", "[".repeat(1 << 16)));
        survives(&format!("{} = 1", "a.".repeat(1 << 14) + "a"));
    }
}
