//! Parses an experiment from a TOML file: the question, the expected answer, the sweep, the solvers. Every
//! error has a line and a column; docs/FORMATS.md describes every key.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::marker::PhantomData;
use std::ops::Range;
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, Visitor};
use toml::Spanned;

use super::claim::{self, Claim};
use super::cpus::CpuList;
use super::plan::only_zero;
use crate::board::BoardSize;
use crate::board::sizes::Sizes;
use crate::command::{self, CommandLine};
use crate::record::SCHEMA_VERSION;
use crate::solver::Goal;

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
    solver: Vec<RawSolver>,
    #[serde(default)]
    program: Vec<RawProgram>,
    #[serde(default)]
    claim: Vec<Spanned<RawClaim>>,
}

/// A claim by its keys.
type RawClaim = BTreeMap<Spanned<String>, Spanned<toml::Value>>;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawSolver {
    id: Spanned<String>,
    n: Option<Spanned<String>>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawProgram {
    id: Spanned<String>,
    command: Spanned<Vec<String>>,
    notation: Option<Spanned<String>>,
    n: Option<Spanned<String>>,
    accept_exit_codes: Option<Spanned<Vec<i32>>>,
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
            goal: Goal => Goal = Goal::Enumerate, String => Goal::from_str,
                "What solvers compute: first (one solution), count (the number of solutions) or enumerate (all \
                 solutions)", "enumerate", [long];
            repeat: u32 => u32 = 3, u64 => at_least_one::<u32>,
                "Timed runs per cell, which is one solver at one board size", "3", [long, value_name = "R"];
            warmup: u32 => u32 = 0, u64 => u32::from_str,
                "Warm-up runs per cell (recorded, excluded from statistics)", "0", [long, value_name = "W"];
            timeout: Duration => Duration = Duration::from_secs(60), String => parse_duration,
                "Time limit (wall clock) of a run, for example 500ms, 10s or 5m", "60s", [long, value_name = "D"];
            memory: u64 => Option<u64> = None, String => parse_memory,
                "Memory limit of a run, for example 512MiB or 2GiB", "no limit", [long, value_name = "B"];
            threads: usize => usize = 1, u64 => at_most_1024::<usize>,
                "Number of threads per run, for example 4", "1", [long, value_name = "T"];
            seed: u64 => u64 = 1, u64 => u64::from_str,
                "Random seed for the order of runs and for randomized solvers", "1";
            jobs: usize => usize = 1, u64 => at_most_1024::<usize>,
                "Number of parallel runs, for example 4. Times are not comparable if it is more than 1", "1",
                [short, long, value_name = "J"];
            pin: CpuList => Option<CpuList> = None, String => CpuList::from_str,
                "CPUs to run on, for example 0, 0-3 or 0,2-3. Parallel runs get an equal share each", "all CPUs",
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
                Ok(Sweep { n: n.ok_or_else(|| M::Error::missing_field("n"))?, ..sweep })
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

/// A pattern that selects solvers, optionally with its own sizes.
#[derive(Clone, Debug)]
pub struct SolverChoice {
    /// Glob pattern over solver ids.
    pub pattern: String,
    /// A subset of the sweep's sizes; `None` means all of them.
    pub n: Option<Sizes>,
    /// Where the pattern was given: `experiments/x.toml:12:6`, or the command-line option.
    pub place: String,
}

/// A user's program.
#[derive(Clone, Debug)]
pub struct Program {
    /// `program/<id>` in the tables.
    pub id: String,
    /// Program and arguments; `{n}` is replaced by the board size.
    pub command: Vec<String>,
    /// The notation in which it prints boards, or `auto`.
    pub notation: String,
    /// A subset of the sweep's sizes; `None` means all of them.
    pub n: Option<Sizes>,
    /// Exit codes that mean success.
    pub accept_exit_codes: Vec<i32>,
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
        let mut solvers = Vec::new();
        for solver in &raw.solver {
            solvers.push(SolverChoice {
                pattern: solver.id.get_ref().clone(),
                n: self.sizes_within(solver.n.as_ref(), &sweep.n)?,
                place: self.place(solver.id.span()),
            });
        }
        let mut programs: Vec<Program> = Vec::new();
        for program in &raw.program {
            self.parse(&program.id, is_file_name)?;
            if programs.iter().any(|other| other.id == *program.id.get_ref()) {
                let reason = format!("two programs have the id '{}'", program.id.get_ref());
                return Err(self.error(program.id.span(), reason));
            }
            let command = program.command.get_ref();
            if command.first().is_none_or(String::is_empty) {
                let reason = "command: name a program, as in [\"python3\", \"my_queens.py\", \"{n}\"]";
                return Err(self.error(program.command.span(), reason));
            }
            let notation = match &program.notation {
                None => "auto".to_owned(),
                Some(name) => self.parse(name, is_notation)?,
            };
            programs.push(Program {
                id: program.id.get_ref().clone(),
                command: command.clone(),
                notation,
                n: self.sizes_within(program.n.as_ref(), &sweep.n)?,
                accept_exit_codes: self.exit_codes(program.accept_exit_codes.as_ref())?,
            });
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
        if let Some(n) = claim.n.iter().find(|&n| !sweep.contains(n)) {
            return Err(self.error(span(Some("n")), not_in_sweep(n, sweep)));
        }
        claim.place = self.place(span(Some("of")));
        Ok(claim)
    }

    fn exit_codes(&self, value: Option<&Spanned<Vec<i32>>>) -> Result<Vec<i32>, SpecError> {
        let Some(value) = value else { return Ok(only_zero()) };
        let codes = value.get_ref();
        if codes.is_empty() || codes.iter().any(|code| !(0..=255).contains(code)) {
            let reason = "accept_exit_codes: give at least one exit code from 0 to 255, as in [0, 10, 20]";
            return Err(self.error(value.span(), reason));
        }
        Ok(codes.clone())
    }

    fn sizes_within(&self, own: Option<&Spanned<String>>, sweep: &Sizes) -> Result<Option<Sizes>, SpecError> {
        let Some(own) = own else { return Ok(None) };
        let sizes = self.parse(own, Sizes::from_str)?;
        let outside = sizes.iter().find(|&n| !sweep.contains(n));
        match outside {
            Some(n) => Err(self.error(own.span(), not_in_sweep(n, sweep))),
            None => Ok(Some(sizes)),
        }
    }
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
        Ok(Self { id, command, notation: "auto".to_owned(), n: None, accept_exit_codes: only_zero() })
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
    fn what_is_not_said_has_a_default() {
        let spec = Spec::parse("x.toml", GOOD).expect("complete");
        assert_eq!((spec.sweep.goal, spec.sweep.repeat, spec.sweep.warmup), (Goal::Enumerate, 3, 0));
        assert_eq!(spec.sweep.timeout, Duration::from_secs(60));
        assert_eq!(spec.solvers[0].place, "x.toml:7:6");
    }

    #[test]
    fn mistakes_are_told_with_line_and_column() {
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
    fn a_file_that_is_no_experiment_is_not_read_to_its_end() {
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
    fn a_file_that_is_no_text_or_nests_too_deep_is_an_error() {
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
