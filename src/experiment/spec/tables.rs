//! Reads the tables of a spec and checks them; every error has the place of its key or value.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use toml::{Spanned, Value};

use super::settings::{KEYS, OWN};
use super::values::{ExitCodes, is_file_name, is_notation, is_sat_name};
use super::{Factor, Program, SPEC_VERSION, SatProgram, Settings, SolverChoice, Spec, SpecError, SweepSizes};
use crate::board::BoardSize;
use crate::board::sizes::Sizes;
use crate::command::CommandLine;
use crate::experiment::axis::Words;
use crate::experiment::claim::Claim;
use crate::words::suggestion;

/// A spec as written in the file, before it is checked.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Raw {
    schema_version: Spanned<u32>,
    name: Spanned<String>,
    #[serde(default)]
    question: String,
    #[serde(default)]
    expected: String,
    #[serde(default)]
    analysis: String,
    sweep: Spanned<Keys>,
    #[serde(default)]
    solver: Vec<Spanned<Keys>>,
    #[serde(default)]
    program: Vec<Spanned<Keys>>,
    #[serde(default)]
    sat: Vec<Spanned<Keys>>,
    #[serde(default)]
    claim: Vec<Spanned<Keys>>,
}

/// The keys of a table with their values.
type Keys = BTreeMap<Spanned<String>, Spanned<Value>>;

/// The text of a spec, for errors that point into it.
pub(super) struct Source<'a> {
    pub(super) origin: &'a str,
    pub(super) text: &'a str,
}

impl Source<'_> {
    fn place(&self, span: Range<usize>) -> String {
        let before = &self.text[..span.start.min(self.text.len())];
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
        format!("{}:{line}:{column}", self.origin)
    }

    pub(super) fn error(&self, span: Range<usize>, reason: impl Into<String>) -> SpecError {
        SpecError { place: self.place(span), reason: reason.into() }
    }

    pub(super) fn spec(&self, raw: Raw) -> Result<Spec, SpecError> {
        if *raw.schema_version.get_ref() != SPEC_VERSION {
            let reason = format!("schema_version: this queenlab reads experiments of version {SPEC_VERSION}");
            return Err(self.error(raw.schema_version.span(), reason));
        }
        is_file_name(raw.name.get_ref()).map_err(|reason| self.error(raw.name.span(), reason))?;
        let mut table = self.table(raw.sweep);
        let sweep = table.settings(&KEYS)?;
        table.refuse_others(&KEYS)?;
        if sweep.n.is_none() && sweep.instances.is_none() {
            return Err(table.missing("n"));
        }
        if raw.solver.is_empty() && raw.program.is_empty() {
            let reason = "the experiment has no solver: add a [[solver]] with an id, or a [[program]]";
            return Err(self.error(0..0, reason));
        }
        let sizes = sweep.sizes();
        let solvers = raw.solver.into_iter().map(|table| self.solver(table, &sizes));
        let programs = raw.program.into_iter().map(|table| self.program(table, &sizes));
        let sat = raw.sat.into_iter().map(|table| self.sat(table));
        let claims = raw.claim.iter().map(|claim| self.claim(claim, &sizes));
        let spec = Spec {
            schema_version: SPEC_VERSION,
            origin: self.origin.to_owned(),
            name: raw.name.into_inner(),
            question: raw.question,
            expected: raw.expected,
            analysis: raw.analysis,
            solvers: solvers.collect::<Result<_, _>>()?,
            programs: programs.collect::<Result<_, _>>()?,
            sat: sat.collect::<Result<_, _>>()?,
            claims: claims.collect::<Result<_, _>>()?,
            sweep,
            instances: Vec::new(),
        };
        let ids = spec.programs.iter().map(|program| (&program.id, "programs", &program.place));
        let ids = ids.chain(spec.sat.iter().map(|program| (&program.id, "SAT solvers", &program.place)));
        let ids: Vec<_> = ids.collect();
        for (at, (id, what, place)) in ids.iter().enumerate() {
            if ids[..at].iter().any(|(other, kind, _)| (other, kind) == (id, what)) {
                let (place, reason) = ((*place).clone(), format!("two {what} have the id '{id}'"));
                return Err(SpecError { place, reason });
            }
        }
        Ok(spec)
    }

    fn table(&self, table: Spanned<Keys>) -> Table<'_> {
        Table { source: self, span: table.span(), keys: table.into_inner() }
    }

    fn claim(&self, raw: &Spanned<Keys>, sweep: &Sizes) -> Result<Claim, SpecError> {
        let mut table = toml::Table::new();
        for (key, value) in raw.get_ref() {
            // Keys are read one by one first, so that an error has the place of its value.
            self.one::<Claim>(key, value)?;
            table.insert(key.get_ref().clone(), value.get_ref().clone());
        }
        let value = |name: &str| raw.get_ref().iter().find(|(key, _)| key.get_ref() == name);
        let span =
            |name: Option<&'static str>| name.and_then(value).map_or(raw.span(), |(_, value)| value.span());
        let claim = table.try_into();
        let mut claim: Claim =
            claim.map_err(|error: toml::de::Error| self.error(raw.span(), told(&error)))?;
        claim.n.get_or_insert_with(|| SweepSizes(sweep.clone()));
        claim.check().map_err(|(key, reason)| self.error(span(key), reason))?;
        let shift = claim.shift.unwrap_or(0);
        let mut sizes = claim.sizes().into_iter().flat_map(|n| [n, n.saturating_add(shift)]);
        let is_outside = |n: &usize| !BoardSize::large(*n).is_ok_and(|n| sweep.contains(n));
        if let Some(n) = sizes.find(is_outside) {
            return Err(self.error(span(Some("n")), not_in_sweep(n, sweep)));
        }
        claim.place = self.place(span(Some("of")));
        Ok(claim)
    }

    /// Reads a table that has this key only.
    fn one<T: DeserializeOwned>(
        &self,
        key: &Spanned<String>,
        value: &Spanned<Value>,
    ) -> Result<T, SpecError> {
        let one = toml::Table::from_iter([(key.get_ref().clone(), value.get_ref().clone())]);
        one.try_into().map_err(|error: toml::de::Error| match told(&error) {
            reason if reason.starts_with("unknown key") => self.error(key.span(), reason),
            reason => self.error(value.span(), format!("{}: {reason}", key.get_ref())),
        })
    }

    fn solver(&self, table: Spanned<Keys>, sizes: &Sizes) -> Result<SolverChoice, SpecError> {
        let mut table = self.table(table);
        let (pattern, span) = table.needed("id")?;
        let settings = table.own(sizes)?;
        Ok(SolverChoice { pattern, settings, options: table.factors()?, place: self.place(span) })
    }

    fn program(&self, table: Spanned<Keys>, sizes: &Sizes) -> Result<Program, SpecError> {
        let mut table = self.table(table);
        let (id, span) = table.needed::<String>("id")?;
        is_file_name(&id).map_err(|reason| self.error(span.clone(), reason))?;
        let program = Program {
            id,
            place: self.place(span),
            command: table
                .command("command", "[\"python3\", \"my_queens.py\", \"{n}\"]")?
                .ok_or_else(|| table.missing("command"))?,
            notation: table.checked("notation", is_notation)?.unwrap_or_else(|| "auto".to_owned()),
            settings: table.own(sizes)?,
            accept_exit_codes: table.parsed::<ExitCodes>("accept_exit_codes")?.map(|codes| codes.0),
            build: table.command("build", "[\"make\", \"all\"]")?,
            version: table.command("version", "[\"python3\", \"--version\"]")?,
            factors: table.factors()?,
        };
        for Factor { name, values, place } in &program.factors {
            let fail = |reason: String| Err(SpecError { place: place.clone(), reason });
            let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
            if name.is_empty() || !name.chars().all(is_plain) {
                return fail(format!(
                    "'{name}' is not the name of a factor: use letters, digits, '-' and '_'"
                ));
            }
            if let Some(value) = values.iter().find(|value| value.contains([',', '\n', '\r'])) {
                let value = value.escape_debug();
                return fail(format!(
                    "{name}: the value '{value}' must not contain commas or line ends, which separate values in the tables"
                ));
            }
            if Program::PLACEHOLDERS.contains(&name.as_str()) {
                return fail(format!("'{name}' is not the name of a factor: its value is that of the run"));
            }
            if !program.mentions(name) {
                let keys = ["id", "command", "notation", "accept_exit_codes", "build", "version"];
                let known = unknown_key(name, &[&keys[..], &OWN].concat());
                return fail(format!(
                    "{known}, and factors of your own, which the command must contain, as in {{{name}}}"
                ));
            }
        }
        Ok(program)
    }

    fn sat(&self, table: Spanned<Keys>) -> Result<SatProgram, SpecError> {
        let mut table = self.table(table);
        let (id, span) = table.needed::<String>("id")?;
        is_sat_name(&id).map_err(|reason| self.error(span.clone(), reason))?;
        let (command, at) = table.needed::<String>("command")?;
        let line = CommandLine::parse(&command).map_err(|reason| self.error(at.clone(), reason))?;
        if !line.mentions("{cnf}") {
            let reason =
                "command: write {cnf} where the file of the formula belongs, as in \"kissat -q {cnf}\"";
            return Err(self.error(at, reason));
        }
        let version = table.command("version", "[\"kissat\", \"--version\"]")?;
        table.refuse_others(&["id", "command", "version"])?;
        Ok(SatProgram { id, command, version, place: self.place(span) })
    }
}

/// The message of an error; serde puts a key that does not exist, and those that do, in backquotes.
pub(super) fn told(error: &toml::de::Error) -> String {
    let message = error.message();
    let unknown = message.strip_prefix("unknown field `").map(|rest| {
        let mut names = rest.split('`').step_by(2);
        unknown_key(names.next().unwrap_or_default(), &names.collect::<Vec<_>>())
    });
    unknown.unwrap_or_else(|| message.replace('\n', " "))
}

/// The message about a key that does not exist.
pub(super) fn unknown_key(key: &str, known: &[&str]) -> String {
    let near = suggestion(key, known.iter().copied());
    format!("unknown key '{key}'; {near}the keys here are {}", known.join(", "))
}

fn not_in_sweep(n: usize, sweep: &Sizes) -> String {
    format!("n = {n} is not among the sizes of the sweep ({sweep}): extend sweep.n or restrict this n")
}

/// A table of a spec, from which keys are taken one by one.
struct Table<'a> {
    source: &'a Source<'a>,
    span: Range<usize>,
    keys: Keys,
}

impl Table<'_> {
    fn take(&mut self, key: &str) -> Option<(Spanned<String>, Spanned<Value>)> {
        let name = self.keys.keys().find(|name| name.get_ref() == key)?.clone();
        self.keys.remove_entry(&name)
    }

    fn missing(&self, key: &str) -> SpecError {
        self.source.error(self.span.clone(), format!("missing field `{key}`"))
    }

    /// The value of a key with its position, if it is there.
    fn value<T: DeserializeOwned>(&mut self, key: &str) -> Result<Option<(T, Range<usize>)>, SpecError> {
        let Some((_, value)) = self.take(key) else { return Ok(None) };
        let span = value.span();
        let read = value.into_inner().try_into::<T>();
        let read = read.map_err(|error| {
            let reason = error.message().replace('\n', " ");
            self.source.error(span.clone(), format!("{key}: {reason}"))
        });
        Ok(Some((read?, span)))
    }

    /// The value of a key that must be there.
    fn needed<T: DeserializeOwned>(&mut self, key: &str) -> Result<(T, Range<usize>), SpecError> {
        self.value(key)?.ok_or_else(|| self.missing(key))
    }

    /// A value that is read from its text.
    fn parsed<T: std::str::FromStr<Err = String>>(&mut self, key: &str) -> Result<Option<T>, SpecError> {
        let Some((words, span)) = self.value::<Words>(key)? else { return Ok(None) };
        let parsed = words.to_string().parse();
        parsed.map(Some).map_err(|reason| self.source.error(span, format!("{key}: {reason}")))
    }

    /// A text that a function accepts.
    fn checked(
        &mut self,
        key: &str,
        check: fn(&str) -> Result<(), String>,
    ) -> Result<Option<String>, SpecError> {
        let Some((text, span)) = self.value::<String>(key)? else { return Ok(None) };
        check(&text).map_err(|reason| self.source.error(span, format!("{key}: {reason}")))?;
        Ok(Some(text))
    }

    /// A command as a list of words.
    fn command(&mut self, key: &str, example: &str) -> Result<Option<Vec<String>>, SpecError> {
        let Some((Words(words), span)) = self.value(key)? else { return Ok(None) };
        if words.first().is_none_or(String::is_empty) {
            let reason = format!("{key}: name a program and its arguments, as in {example}");
            return Err(self.source.error(span, reason));
        }
        Ok(Some(words))
    }

    /// The settings among these keys. They are read one by one, so that an error has the place of its value.
    fn settings(&mut self, keys: &[&str]) -> Result<Settings, SpecError> {
        let mut settings = Settings::default();
        for key in keys {
            let Some((key, value)) = self.take(key) else { continue };
            settings = self.source.one::<Settings>(&key, &value)?.over(&settings);
        }
        Ok(settings)
    }

    /// The settings of a solver or a program of its own; its sizes must be among those of the sweep.
    fn own(&mut self, sizes: &Sizes) -> Result<Settings, SpecError> {
        let n = self.keys.iter().find(|(key, _)| key.get_ref() == "n").map(|(_, value)| value.span());
        let settings = self.settings(&OWN)?;
        let outside = settings.n.as_ref().and_then(|own| own.0.iter().find(|&n| !sizes.contains(n))).zip(n);
        match outside {
            Some((n, span)) => Err(self.source.error(span, not_in_sweep(n.get(), sizes))),
            None => Ok(settings),
        }
    }

    /// Refuses the keys that were not taken.
    fn refuse_others(&self, known: &[&str]) -> Result<(), SpecError> {
        self.keys
            .keys()
            .next()
            .map_or(Ok(()), |key| Err(self.source.error(key.span(), unknown_key(key.get_ref(), known))))
    }

    /// The keys that were not taken, as factors.
    fn factors(&mut self) -> Result<Vec<Factor>, SpecError> {
        let names: Vec<String> = self.keys.keys().map(|name| name.get_ref().clone()).collect();
        let mut factors = Vec::new();
        for name in names {
            let span = self.keys.keys().find(|key| **key.get_ref() == name).map_or(0..0, Spanned::span);
            if let Some((Words(values), _)) = self.value(&name)? {
                factors.push(Factor { name, values, place: self.source.place(span) });
            }
        }
        Ok(factors)
    }
}
