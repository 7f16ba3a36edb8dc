//! Reads the tables of a spec and checks them; every error has the place of its key or value.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use toml::Spanned;

use super::keys::{one_of, unknown_key};
use super::values::{
    exit_codes, goals, is_file_name, is_notation, is_sat_name, not_in_sweep, parse_duration, parse_memory,
    seeds, threads,
};
use super::{Factor, Own, Program, SatProgram, SolverChoice, Spec, SpecError, Sweep};
use crate::board::BoardSize;
use crate::board::sizes::{Sizes, SizesError};
use crate::command::CommandLine;
use crate::experiment::axis::Words;
use crate::experiment::claim::{self, Claim};
use crate::experiment::plan::only_zero;
use crate::record::SCHEMA_VERSION;

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

    /// Applies a parser to a value; an error gets the position of the value.
    fn parse<T, E: ToString>(
        &self,
        value: &Spanned<String>,
        parse: impl Fn(&str) -> Result<T, E>,
    ) -> Result<T, SpecError> {
        parse(value.get_ref()).map_err(|error| self.error(value.span(), error.to_string()))
    }

    pub(super) fn spec(&self, raw: Raw) -> Result<Spec, SpecError> {
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
        let shifted = claim.n.iter().map(|n| BoardSize::large(n.get() + claim.shift).unwrap_or(n));
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
            let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
            if name.is_empty() || !name.chars().all(is_plain) {
                return fail(format!(
                    "'{name}' is not the name of a factor: use letters, digits, '-' and '_'"
                ));
            }
            if let Some(value) = factor.values.iter().find(|value| value.contains([',', '\n', '\r'])) {
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
                let known = unknown_key(name, &[&keys[..], &Own::KEYS].concat());
                return fail(format!(
                    "{known}, and factors of your own, which the command must contain, as in {{{name}}}"
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
                reason: unknown_key(name, &["id", "command", "version"]),
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
            let own =
                Sizes::of_large(&text.replace('\n', ",")).map_err(|error: SizesError| error.to_string())?;
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
            cpu_timeout: self.parse("cpu_timeout", parse_duration)?,
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
