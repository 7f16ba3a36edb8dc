//! Hostile results that are mostly well-formed. The bytes choose names of columns, values, `meta.json` and an experiment,
//! most of which fit together. Results that are accepted must give a page, tables and plots.

use std::fs;

use queenlab::experiment::plan::{Plan, run_id};
use queenlab::experiment::stored_results::{self, StoredPlan};
use queenlab::record::{Kind, Meta, SCHEMA_VERSION, Status};
use queenlab::registry::Registry;
use queenlab::solver::Goal;
use queenlab::spec::Spec;
use serde_json::{Value, json};

use super::directory;

/// Texts with a meaning for terminals, spreadsheets, pages, LaTeX or Markdown tables, or parsers of names.
const TEXTS: [&str; 32] = [
    "backtrack/bitmask",
    "sat/pairwise/varisat",
    "program/p:h=1",
    "program/p:h=\u{e9},h=2,k==",
    "counter/x",
    "queens",
    "toroidal",
    "instance:a",
    "",
    " ",
    "a",
    "\u{e9}\u{301}\u{2028}",
    "line\nrow,\"x\"",
    "\r",
    "\0",
    "\u{1b}[2J",
    "\u{202e}abc",
    "\u{feff}\u{fffe}",
    "=1+1",
    "@x",
    "-1",
    "</script><script>alert(1)</script>",
    "<svg onload=x>",
    "]]>&amp;",
    "--> <!--",
    "|a|\\|",
    "[b]\\\\*",
    "%$#_{}~^\"",
    "{{x}}",
    "2026-11-26T12:00:00Z",
    "/",
    ":::,,,===",
];

/// Names of columns in addition to those of every table. Names from index `ACCEPTED_COLUMNS` on are refused.
const COLUMNS: [&str; 16] = [
    "nodes",
    "dead_ends",
    "conflicts",
    "clauses",
    "vars",
    "candidates",
    "stat.a",
    "stat.A-_9",
    "factor.h",
    "\u{e9}",
    "=x",
    "__proto__",
    "stat.\u{e9}",
    "stat.",
    "stat.a.b",
    "factor.\u{202e}",
];
const ACCEPTED_COLUMNS: usize = 12;

/// Numbers as texts. Texts from index `ACCEPTED_NUMBERS` on are refused.
const NUMBERS: [&str; 16] = [
    "",
    "0",
    "1",
    "2",
    "3",
    "1000",
    "1001",
    "999999",
    "4294967295",
    "4294967296",
    "9223372036854775808",
    "18446744073709551615",
    "-1",
    "1.5",
    "1e9",
    "x",
];
const ACCEPTED_NUMBERS: usize = 12;

const SIZES: [&str; 8] = ["0", "1", "4", "5", "6", "8", "27", "1048576"];

/// The bytes of the input, followed by zeros without end.
struct Choices<'b> {
    bytes: std::slice::Iter<'b, u8>,
    /// Whether some of the choices are values that are refused.
    has_refused: bool,
}

impl Choices<'_> {
    fn byte(&mut self) -> usize {
        usize::from(self.bytes.next().copied().unwrap_or(0))
    }

    /// True for one in `count` values of the next byte.
    fn one_in(&mut self, count: usize) -> bool {
        self.byte() % count == 1
    }

    fn choose<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.byte() % texts.len()]
    }

    fn text(&mut self) -> String {
        match self.byte() {
            255 => "long ".repeat(100),
            254 => format!("{}{}", self.choose(&TEXTS), self.choose(&TEXTS)),
            other => TEXTS[other % TEXTS.len()].to_owned(),
        }
    }

    /// A text for a field of a table, which has one line.
    fn field(&mut self) -> String {
        self.text().replace(['\n', '\r'], " ")
    }

    fn number(&mut self) -> &'static str {
        let choice = self.byte();
        NUMBERS[choice % if self.has_refused && choice > 240 { NUMBERS.len() } else { ACCEPTED_NUMBERS }]
    }

    fn columns(&mut self) -> Vec<&'static str> {
        let column_count = if self.has_refused { COLUMNS.len() } else { ACCEPTED_COLUMNS };
        let (first, step) = (self.byte(), 1 + 2 * (self.byte() % 4));
        let mut columns: Vec<&str> =
            (0..self.byte() % 5).map(|at| COLUMNS[(first + at * step) % column_count]).collect();
        columns.sort_unstable();
        columns.dedup();
        columns
    }

    fn value(&mut self) -> Value {
        serde_json::from_str(self.number()).unwrap_or(Value::Null)
    }
}

pub fn check(bytes: &[u8]) {
    let choices = &mut Choices { bytes: bytes.iter(), has_refused: false };
    choices.has_refused = choices.one_in(8);
    let directory = tempfile::tempdir().expect("a temporary directory");
    let directory = directory.path();
    let write_file =
        |name: &str, text: &str| fs::write(directory.join(name), text).expect("a writable directory");
    if !choices.one_in(8) {
        write_file("meta.json", &meta(choices).to_string());
    }
    let has_experiment = choices.byte().is_multiple_of(2);
    if has_experiment {
        let text = experiment(choices);
        write_file("experiment.toml", &text);
        write_file("plan.json", &plan(choices, &text));
    }
    write_file("runs.csv", &runs(choices, directory));
    if choices.one_in(4) {
        write_file("crosscheck.csv", &crosscheck(choices));
    }
    directory::check_directory(directory);
}

fn meta(choices: &mut Choices<'_>) -> Value {
    let mut meta = json!({
        "schema_version": SCHEMA_VERSION,
        "queenlab_version": choices.text(),
        "git_revision": choices.text(),
        "git_dirty": true,
        "executable_sha256": choices.text(),
        "rustc": choices.text(),
        "target": choices.text(),
        "target_features": choices.text(),
        "cargo_lock_sha256": null,
        "solvers": { "backtrack/bitmask": choices.text(), "backtrack/column-scan": choices.text(), choices.text(): choices.text() },
        "files": { choices.text(): choices.text() },
        "machine": {
            "host": choices.text(),
            "os": choices.text(),
            "kernel": choices.text(),
            "cpu_model": choices.text(),
            "cores": choices.value(),
            "governor": choices.text(),
            "turbo": null,
            "memory_bytes": choices.value(),
            "cpu_quota": null,
            "memory_limit_bytes": choices.value(),
        },
        "sessions": [{
            "started_at": choices.text(),
            "ended_at": choices.text(),
            "argv": [choices.text(), choices.text()],
            "jobs": choices.value(),
            "accounting": choices.text(),
            "load_before": 1e300,
            "load_after": -0.0,
            "runs": choices.value(),
            "findings": [{
                "check": choices.text(), "health": "disturbs", "found": choices.text(), "advice": choices.text(),
            }],
        }],
        "warnings": [choices.text()],
    });
    for name in ["cores", "memory_bytes"] {
        if meta["machine"][name].is_null() && !choices.has_refused {
            meta["machine"][name] = 2.into();
        }
    }
    if meta["sessions"][0]["jobs"].is_null() && !choices.has_refused {
        meta["sessions"][0]["jobs"] = 1.into();
    }
    if choices.one_in(4) {
        meta["shard"] = format!("{}/{}", choices.choose(&["1", "2", "0"]), choices.number()).into();
    }
    meta
}

/// An experiment with texts that a reader may accept. Strings are written as JSON, which is also valid TOML.
fn experiment(choices: &mut Choices<'_>) -> String {
    let mut line = |name: &str| {
        let text = choices.text();
        // An experiment with unprintable characters is refused, and then there is no plan.
        let is_kept = choices.one_in(16) || text.chars().all(|c| c.is_alphanumeric() || c.is_ascii_graphic());
        let text = if is_kept { text } else { "x".to_owned() };
        format!("{name} = {}\n", json!(text))
    };
    let texts: String = ["question", "expected"].map(&mut line).concat();
    let [label, group, other] = ["label", "group", "label"].map(&mut line);
    let mut spec = format!(
        "schema_version = 1\nname = \"x\"\n{texts}[sweep]\nn = \"{}\"\nrepeat = {}\n[[solver]]\nid = \"backtrack/bitmask\"\n\
         {label}{group}[[solver]]\nid = \"backtrack/column-scan\"\n{other}",
        ["4", "4-8", "0-3", "8,27"][choices.byte() % 4],
        1 + choices.byte() % 5,
    );
    if choices.one_in(2) {
        spec += "[[claim]]\nsays = \"c\"\nmeasure = \"time\"\nof = \"backtrack/bitmask\"\n\
                 compared_with = \"backtrack/column-scan\"\nratio = \">= 1\"\n";
    }
    spec
}

/// The plan of the experiment. In rare cases it is truncated, or a byte is changed.
fn plan(choices: &mut Choices<'_>, experiment: &str) -> String {
    let spec = Spec::parse("experiment.toml", experiment).ok();
    let plan = spec.and_then(|spec| Plan::new(spec, &Registry::builtin()).ok());
    let mut text = plan.map_or_else(|| choices.text(), |plan| plan.to_json());
    if choices.one_in(4)
        && let Ok(Value::Object(mut plan)) = serde_json::from_str(&text)
    {
        let instance = json!({
            "n": choices.byte(), "problem": choices.choose(&["queens", "toroidal", "x"]), "path": choices.text(), "sha256": choices.text(),
        });
        plan.insert("instances".to_owned(), json!({ choices.text(): instance }));
        text = Value::Object(plan).to_string();
    }
    let position = (choices.byte() * 256 + choices.byte()) % text.len().max(1);
    if choices.has_refused && choices.one_in(2) && text.is_char_boundary(position) {
        text.truncate(position);
    } else if choices.has_refused && choices.one_in(2) && text.is_char_boundary(position) {
        text.insert_str(position, choices.choose(&["1", "-", "\"", "}", "é"]));
    }
    text
}

fn runs(choices: &mut Choices<'_>, directory: &std::path::Path) -> String {
    let meta = Meta::read(directory).ok().flatten();
    let plan = match stored_results::plan(directory, meta.as_ref()) {
        Ok(StoredPlan::Read(plan)) => Some(plan),
        _ => None,
    };
    let extra_columns = choices.columns();
    let mut table = line(HEAD.iter().copied().chain(extra_columns.iter().copied()).map(str::to_owned));
    for at in 0..choices.byte() % 48 {
        let cell_count = plan.as_ref().map_or(0, |plan| plan.cells.len()).max(1);
        let cell = plan.as_ref().and_then(|plan| plan.cells.get(at % cell_count));
        // A cell has one counting run, followed by its timed runs.
        let repetition = (at / cell_count) as u32;
        let kind = match repetition {
            0 => Kind::Counting,
            _ => [Kind::Timed, Kind::Timed, Kind::Timed, Kind::Warmup][choices.byte() % 4],
        };
        let (n, goal) = match cell {
            Some(cell) => (cell.key.n.to_string(), cell.key.goal),
            None => (
                choices.choose(&SIZES).to_owned(),
                [Goal::First, Goal::Count, Goal::Enumerate][choices.byte() % 3],
            ),
        };
        let cell_id = cell.map_or_else(|| format!("{at}{}", choices.field()), |cell| cell.id.clone());
        let status = match choices.byte() % 8 {
            0 => Status::Timeout,
            1 => Status::Crashed,
            2 => Status::Skipped,
            _ if goal == Goal::First => Status::Sat,
            _ => Status::Complete,
        };
        let is_solved = status.is_solved();
        let mut values = vec![
            SCHEMA_VERSION.to_string(),
            run_id(&plaintext::one_line(&cell_id), kind, repetition),
            cell_id,
            choices.field(),
            "1".to_owned(),
            n,
            cell.map_or_else(|| choices.field(), |cell| cell.key.problem.to_string()),
            goal.to_string(),
            cell.map_or_else(|| choices.field(), |cell| cell.key.solver.to_string()),
            cell.map_or("1".to_owned(), |cell| cell.key.threads.to_string()),
            cell.map_or("1".to_owned(), |cell| cell.key.seed.to_string()),
            repetition.to_string(),
            kind.to_string(),
            status.to_string(),
            ["correct", "wrong", "disagree", "unchecked"][choices.byte() % 4].to_owned(),
            if is_solved { ["1", "2", "92", "18446744073709551615"][choices.byte() % 4] } else { "" }
                .to_owned(),
            if is_solved { format!("d{}", choices.field()) } else { String::new() },
        ];
        values.extend((0..5).map(|_| choices.number().to_owned()));
        values.push(cell.map_or_else(|| choices.number().to_owned(), |cell| cell.time_limit_ns.to_string()));
        values.extend([choices.field(), choices.field()]);
        values.extend(extra_columns.iter().map(|_| choices.number().to_owned()));
        table += &line(values.into_iter());
    }
    table
}

const HEAD: [&str; 25] = [
    "schema_version",
    "run_id",
    "cell_id",
    "started_at",
    "round",
    "n",
    "variant",
    "goal",
    "solver",
    "threads",
    "seed",
    "repetition",
    "kind",
    "status",
    "verdict",
    "solutions",
    "digest",
    "encode_ns",
    "solve_ns",
    "wall_ns",
    "peak_rss_bytes",
    "reported_solve_ns",
    "time_limit_ns",
    "cpu",
    "outcome_reason",
];

fn crosscheck(choices: &mut Choices<'_>) -> String {
    let names = "schema_version,n,variant,goal,solver,against,solutions,agrees,first_difference";
    let (goal, number) = (choices.choose(&["first", "count"]).to_owned(), format!("0{}", choices.number()));
    let [variant, solver, against, difference] = std::array::from_fn(|_| choices.field());
    let agrees = choices.choose(&["true", "false"]).to_owned();
    let row = [
        SCHEMA_VERSION.to_string(),
        choices.choose(&SIZES).to_owned(),
        variant,
        goal,
        solver,
        against,
        number,
        agrees,
        difference,
    ];
    format!("{names}\n{}", line(row.into_iter()))
}

/// A line of a table, with quotes if they are needed.
fn line(fields: impl Iterator<Item = String>) -> String {
    let quoted = fields.map(|field| match field.contains([',', '"']) {
        true => format!("\"{}\"", field.replace('"', "\"\"")),
        false => field,
    });
    quoted.collect::<Vec<_>>().join(",") + "\n"
}
