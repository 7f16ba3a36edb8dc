//! Reads the tables of a spec and checks them; every error has the place of its key or value.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;
use std::path::Path;

use plaintext::{Escaped, misread};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use toml::{Spanned, Value};

use super::claim::Claim;
use super::settings::OWN;
use super::texts::folded;
use super::{
    Factors, FormulaProgram, LAST_LINE, Program, SPEC_VERSION, Settings, SolverChoice, Spec, SpecError,
    SweepSizes,
};
use crate::board::BoardSize;
use crate::board::sizes::Sizes;
use crate::command::CommandLine;
use crate::judge::notation::Notation;
use crate::record::table;
use crate::sat;
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
    headline: Option<Spanned<Vec<String>>>,
    sweep: Spanned<Keys>,
    #[serde(default)]
    solver: Vec<Spanned<Keys>>,
    #[serde(default)]
    program: Vec<Spanned<Keys>>,
    #[serde(default)]
    sat: Vec<Spanned<Keys>>,
    #[serde(default)]
    counter: Vec<Spanned<Keys>>,
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
        let sweep: Settings = self.read(&raw.sweep, &[])?;
        if sweep.n.is_none() && sweep.instances.is_none() {
            return Err(
                self.error(raw.sweep.span(), "the key 'n' is missing: write the sizes, as in n = \"4-8\"")
            );
        }
        if raw.solver.is_empty() && raw.program.is_empty() {
            let reason = "the experiment has no solver: add a [[solver]] with an id, or a [[program]]";
            return Err(self.error(0..0, reason));
        }
        let sizes = sweep.sizes();
        let solvers = raw.solver.iter().map(|table| self.solver(table, &sizes));
        let programs = raw.program.iter().map(|table| self.program(table, &sizes));
        let sat = raw.sat.iter().map(|table| self.reads_formula(table, true));
        let counters = raw.counter.iter().map(|table| self.reads_formula(table, false));
        let claims = raw.claim.iter().map(|claim| self.claim(claim, &sweep));
        let spec = Spec {
            schema_version: SPEC_VERSION,
            origin: self.origin.to_owned(),
            name: raw.name.into_inner(),
            question: folded(&raw.question),
            expected: folded(&raw.expected),
            analysis: folded(&raw.analysis),
            headline: self.headline(raw.headline)?,
            solvers: solvers.collect::<Result<_, _>>()?,
            programs: programs.collect::<Result<_, _>>()?,
            sat: sat.collect::<Result<_, _>>()?,
            counters: counters.collect::<Result<_, _>>()?,
            claims: claims.collect::<Result<_, _>>()?,
            sweep,
            is_narrowed: false,
            instances: Vec::new(),
        };
        let ids = spec.programs.iter().map(|program| ("programs", &program.id, &program.place));
        let ids = ids.chain(spec.sat.iter().map(|program| ("SAT solvers", &program.id, &program.place)));
        let counters = spec.counters.iter();
        let ids = ids.chain(counters.map(|program| ("model counters", &program.id, &program.place)));
        let mut seen = HashSet::new();
        for (what, id, place) in ids {
            if !seen.insert((what, id)) {
                return Err(SpecError {
                    place: place.clone(),
                    reason: format!("two {what} have the id '{id}'"),
                });
            }
        }
        Ok(spec)
    }

    /// The two solvers that the headline compares.
    fn headline(&self, solvers: Option<Spanned<Vec<String>>>) -> Result<Vec<String>, SpecError> {
        let Some(solvers) = solvers else { return Ok(Vec::new()) };
        if solvers.get_ref().len() != 2 {
            let reason =
                "headline: name two solvers, as in [\"backtrack/bitmask\", \"backtrack/column-scan\"]";
            return Err(self.error(solvers.span(), reason));
        }
        Ok(solvers.into_inner())
    }

    /// Reads a table. Each key is read alone first, so that an error has the place of its value.
    fn read<T: DeserializeOwned>(&self, table: &Spanned<Keys>, needed: &[&str]) -> Result<T, SpecError> {
        let mut all = toml::Table::new();
        for (key, value) in table.get_ref() {
            let one = toml::Table::from_iter([(key.get_ref().clone(), value.get_ref().clone())]);
            one.clone().try_into::<T>().map_err(|error| match told(&error) {
                reason if reason.starts_with("unknown key") => self.error(key.span(), reason),
                reason => self.error(value.span(), format!("{}: {reason}", key.get_ref())),
            })?;
            all.extend(one);
        }
        if let Some(missing) = needed.iter().find(|key| !all.contains_key(**key)) {
            return Err(self.error(table.span(), format!("the key '{missing}' is missing")));
        }
        all.try_into().map_err(|error| self.error(table.span(), told(&error)))
    }

    /// An error at the value of a key.
    fn wrong(&self, table: &Spanned<Keys>, key: &str, reason: String) -> SpecError {
        self.error(of_key(table, key).map_or(table.span(), |(_, value)| value.span()), reason)
    }

    /// Where the value of a key is.
    fn place_of(&self, table: &Spanned<Keys>, key: &str) -> String {
        self.wrong(table, key, String::new()).place
    }

    fn claim(&self, table: &Spanned<Keys>, sweep: &Settings) -> Result<Claim, SpecError> {
        let mut claim: Claim = self.read(table, &[])?;
        if claim.n.as_ref().is_some_and(SweepSizes::is_by_goal) {
            return Err(self.wrong(
                table,
                "n",
                "n: a claim has one list of sizes; see its key goal".to_owned(),
            ));
        }
        let own = sweep.n.as_ref().zip(claim.goal).and_then(|(n, goal)| n.of_goal(goal).cloned());
        let sweep = &own.unwrap_or_else(|| sweep.sizes());
        claim.n.get_or_insert_with(|| SweepSizes::of(sweep.clone()));
        claim.check().map_err(|(key, reason)| self.wrong(table, key.unwrap_or_default(), reason))?;
        let shift = claim.shift.unwrap_or(0);
        let mut sizes = claim.sizes().into_iter().flat_map(|n| [n, n.saturating_add(shift)]);
        let is_outside = |n: &usize| !BoardSize::large(*n).is_ok_and(|n| sweep.contains(n));
        if let Some(n) = sizes.find(is_outside) {
            return Err(self.wrong(table, "n", not_in_sweep(n, sweep)));
        }
        for text in [Some(&mut claim.says), claim.source.as_mut(), claim.note.as_mut()].into_iter().flatten()
        {
            *text = folded(text);
        }
        claim.place = self.place_of(table, "of");
        Ok(claim)
    }

    fn solver(&self, table: &Spanned<Keys>, sizes: &Sizes) -> Result<SolverChoice, SpecError> {
        let mut choice: SolverChoice = self.read(table, &["id"])?;
        self.own(table, &choice.settings, &["id", "idea", "label", "group", "exclude"], sizes)?;
        for (key, text) in [("idea", &choice.idea), ("label", &choice.naming.label)] {
            if !text.is_empty() && choice.pattern.contains(['*', '?', '[', '{']) {
                let reason =
                    format!("{key}: '{}' may select several solvers; name one by its id", choice.pattern);
                return Err(self.wrong(table, key, reason));
            }
        }
        self.exclude(table, &choice.exclude, &choice.options)?;
        let first = choice.options.keys().next().and_then(|name| of_key(table, name));
        choice.place_of_options = first.map_or(String::new(), |(key, _)| self.place(key.span()));
        choice.idea = folded(&choice.idea);
        choice.place = self.place_of(table, "id");
        Ok(choice)
    }

    fn program(&self, table: &Spanned<Keys>, sizes: &Sizes) -> Result<Program, SpecError> {
        const KEYS: [&str; 12] = [
            "id",
            "command",
            "notation",
            "answer",
            "accept_exit_codes",
            "files",
            "build",
            "version",
            "install",
            "label",
            "group",
            "exclude",
        ];
        let mut program: Program = self.read(table, &["id", "command"])?;
        let wrong = |key: &str, reason: String| Err(self.wrong(table, key, format!("{key}: {reason}")));
        self.own(table, &program.settings, &KEYS, sizes)?;
        is_file_name(&program.id).map_err(|reason| self.wrong(table, "id", reason))?;
        self.command(table, "command", Some(&program.command), "[\"python3\", \"my_queens.py\", \"{n}\"]")?;
        self.command(table, "build", program.build.as_ref(), "[\"make\", \"all\"]")?;
        self.command(table, "version", program.version.as_ref(), "[\"python3\", \"--version\"]")?;
        if program.notation != "auto"
            && let Err(error) = program.notation.parse::<Notation>()
        {
            return wrong("notation", error.to_string());
        }
        if let Some(answer) = program.answer.as_deref().filter(|answer| *answer != LAST_LINE)
            && let Err(error) = regex_lite::Regex::new(answer)
        {
            return wrong("answer", format!("write \"{LAST_LINE}\" or a regular expression: {error}"));
        }
        let are_codes =
            |codes: &Vec<i32>| !codes.is_empty() && codes.iter().all(|code| (0..=255).contains(code));
        if !program.accept_exit_codes.as_ref().is_none_or(are_codes) {
            let reason = "give at least one exit code from 0 to 255, as in [0, 10, 20]".to_owned();
            return wrong("accept_exit_codes", reason);
        }
        for (name, values) in &program.factors {
            is_factor(&program, name, &values.0, &[&KEYS[..], &OWN].concat()).map_err(|reason| {
                self.error(of_key(table, name).map_or(table.span(), |(key, _)| key.span()), reason)
            })?;
        }
        let factors = program.factors.keys().map(String::as_str);
        let known: Vec<&str> = Program::PLACEHOLDERS.into_iter().chain(factors).collect();
        let words = program.command.iter().map(String::as_str);
        placeholders(words, &known).map_err(|reason| self.wrong(table, "command", reason))?;
        self.exclude(table, &program.exclude, &program.factors)?;
        program.place = self.place_of(table, "id");
        Ok(program)
    }

    /// A program that reads a formula: a SAT solver or a model counter.
    fn reads_formula(&self, table: &Spanned<Keys>, is_sat: bool) -> Result<FormulaProgram, SpecError> {
        let known = &["id", "command", "version", "install", "projects"][..if is_sat { 4 } else { 5 }];
        if let Some(key) = table.get_ref().keys().find(|key| !known.contains(&key.get_ref().as_str())) {
            return Err(self.error(key.span(), unknown_key(key.get_ref(), known)));
        }
        let mut own: FormulaProgram = self.read(table, &["id", "command"])?;
        check_formula_program(&own, is_sat).map_err(|(key, reason)| self.wrong(table, key, reason))?;
        self.command(table, "version", own.version.as_ref(), "[\"kissat\", \"--version\"]")?;
        own.place = self.place_of(table, "id");
        Ok(own)
    }

    /// Checks that excluded combinations are of values that there are.
    fn exclude(&self, table: &Spanned<Keys>, all: &[Factors], factors: &Factors) -> Result<(), SpecError> {
        for (name, values) in all.iter().flatten() {
            let known = factors.get(name).map_or(&[][..], |words| &words.0);
            if known.is_empty() || values.0.iter().any(|value| !known.contains(value)) {
                let (values, known) = (values.0.join(", "), known.join(", "));
                let reason = format!("exclude: {name} = {values} is not among its values ({known})");
                return Err(self.wrong(table, "exclude", reason));
            }
        }
        match all.iter().any(Factors::is_empty) {
            true => Err(self.wrong(table, "exclude", "exclude: this would leave out everything".to_owned())),
            false => Ok(()),
        }
    }

    /// Checks that a command has words.
    fn command(
        &self,
        table: &Spanned<Keys>,
        key: &str,
        words: Option<&Vec<String>>,
        example: &str,
    ) -> Result<(), SpecError> {
        if words.is_none_or(|words| words.first().is_some_and(|word| !word.is_empty())) {
            return Ok(());
        }
        let reason = format!("{key}: name a program and its arguments, as in {example}");
        Err(self.wrong(table, key, reason))
    }

    /// Checks the settings of a solver or a program of its own; its sizes must be among those of the sweep.
    fn own(
        &self,
        table: &Spanned<Keys>,
        settings: &Settings,
        others: &[&str],
        sizes: &Sizes,
    ) -> Result<(), SpecError> {
        let given = toml::Table::try_from(settings).unwrap_or_default();
        if let Some((key, _)) =
            given.keys().find(|key| !OWN.contains(&key.as_str())).and_then(|key| of_key(table, key))
        {
            return Err(self.error(key.span(), unknown_key(key.get_ref(), &[others, &OWN].concat())));
        }
        let outside = settings.n.as_ref().and_then(|own| own.all.iter().find(|&n| !sizes.contains(n)));
        outside.map_or(Ok(()), |n| Err(self.wrong(table, "n", not_in_sweep(n.get(), sizes))))
    }
}

/// Checks that a command has nothing in braces but what is known. `${name}` belongs to a shell.
pub(super) fn placeholders<'w>(words: impl Iterator<Item = &'w str>, known: &[&str]) -> Result<(), String> {
    let is_name = |name: &&str| {
        name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c))
    };
    for word in words {
        let braced = word.match_indices('{').filter(|(at, _)| !word[..*at].ends_with('$'));
        let names = braced.filter_map(|(at, _)| word[at + 1..].split_once('}').map(|(name, _)| name));
        match names.filter(is_name).find(|name| !known.contains(name)) {
            None => {}
            Some("cnf") => {
                return Err("command: {cnf} is for [[sat]] and [[counter]]; here, write a script that calls {queenlab} encode"
                    .to_owned());
            }
            Some(name) => {
                let near = suggestion(name, known.iter().copied());
                let known: Vec<String> = known.iter().map(|name| format!("{{{name}}}")).collect();
                return Err(format!(
                    "command: unknown placeholder {{{name}}}; {near}the placeholders here are {}; put a command that needs \
                     other braces into a script",
                    known.join(" ")
                ));
            }
        }
    }
    Ok(())
}

/// A key of a table with its value.
fn of_key<'t>(table: &'t Spanned<Keys>, key: &str) -> Option<(&'t Spanned<String>, &'t Spanned<Value>)> {
    table.get_ref().iter().find(|(name, _)| name.get_ref() == key)
}

/// Checks a key of a program that is not one of `known`.
fn is_factor(program: &Program, name: &str, values: &[String], known: &[&str]) -> Result<(), String> {
    if !table::is_name(name) {
        let most = table::MAX_NAME;
        return Err(format!(
            "'{name}' is not the name of a factor: use up to {most} letters, digits, '-' and '_'"
        ));
    }
    if let Some(value) = values.iter().find(|value| value.contains([',', '\n', '\r'])) {
        let value = Escaped(value);
        return Err(format!(
            "{name}: the value '{value}' must not contain commas or line ends, which separate values in the tables"
        ));
    }
    if Program::PLACEHOLDERS.contains(&name) {
        return Err(format!("'{name}' is not the name of a factor: its value is that of the run"));
    }
    if !program.mentions(name) {
        let known = unknown_key(name, known);
        return Err(format!(
            "{known}, and factors of your own, which the command must contain, as in {{{name}}}"
        ));
    }
    Ok(())
}

/// The message of an error; serde puts an unknown key, and the known keys, in backquotes.
pub(super) fn told(error: &toml::de::Error) -> String {
    let message = error.message();
    let unknown = message.strip_prefix("unknown field `").map(|rest| {
        let mut names = rest.split('`').step_by(2);
        unknown_key(names.next().unwrap_or_default(), &names.collect::<Vec<_>>())
    });
    unknown.unwrap_or_else(|| misread(message))
}

/// The message about a key that does not exist.
pub(super) fn unknown_key(key: &str, known: &[&str]) -> String {
    let near = suggestion(key, known.iter().copied());
    format!("unknown key '{key}'; {near}the keys here are {}", known.join(", "))
}

fn not_in_sweep(n: usize, sweep: &Sizes) -> String {
    format!("n = {n} is not among the sizes of the sweep ({sweep}): extend sweep.n or restrict this n")
}

/// Turns the stem of a path into a name that [`super::Spec`] accepts.
pub fn as_file_name(path: &Path) -> String {
    let stem = path.file_stem().map_or(String::new(), |stem| stem.to_string_lossy().into_owned());
    let allowed = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' };
    let name: String = stem.chars().map(allowed).collect();
    let name = name.trim_start_matches(|c: char| !c.is_ascii_alphanumeric());
    if name.is_empty() { "program".to_owned() } else { name.to_owned() }
}

/// Checks a SAT solver or a model counter; an error has the key that is wrong.
pub(super) fn check_formula_program(
    own: &FormulaProgram,
    is_sat: bool,
) -> Result<(), (&'static str, String)> {
    let is_built_in = is_sat && sat::backend::ALL.iter().any(|backend| backend.name == own.id);
    if is_built_in && own.id != super::EXTERNAL {
        return Err(("id", format!("'{}' is a built-in SAT solver: choose another id", own.id)));
    }
    is_file_name(&own.id).map_err(|reason| ("id", reason))?;
    let line = CommandLine::parse(&own.command).map_err(|error| ("command", error.to_string()))?;
    if !line.mentions("{cnf}") {
        let reason = "command: write {cnf} where the file of the formula belongs, as in \"kissat -q {cnf}\"";
        return Err(("command", reason.to_owned()));
    }
    let known = ["cnf", "result"].into_iter().chain(FormulaProgram::PLACEHOLDERS);
    placeholders(std::iter::once(own.command.as_str()), &known.collect::<Vec<_>>())
        .map_err(|reason| ("command", reason))
}

/// Checks that a name is safe as a file name: letters, digits, `-`, `_` and `.`, beginning with a letter or digit.
fn is_file_name(name: &str) -> Result<(), String> {
    // File systems allow 255 bytes, and the names of results and of temporary files are longer than this one.
    const MAX_BYTES: usize = 100;
    if name.len() > MAX_BYTES {
        return Err(format!("a name of {} bytes is too long: use at most {MAX_BYTES}", name.len()));
    }
    let allowed = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if name.chars().all(allowed) && name.starts_with(|c: char| c.is_ascii_alphanumeric()) {
        return Ok(());
    }
    Err(format!(
        "'{name}' is not a valid name: use letters, digits, '-', '_' and '.', and begin with a letter or digit"
    ))
}
