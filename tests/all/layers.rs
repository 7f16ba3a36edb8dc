//! Enforces the table of docs/ARCHITECTURE.md: which module may import which, and which module uses each
//! dependency.
//!
//! Sources are scanned line by line, without comments and string literals; this needs no parser. A violation
//! is reported as `file:line: what`.

use std::fs;
use std::path::Path;

/// The modules of the library, each with those of its sisters that it may name. A layer that is not in
/// this table is a crossing, too: add its line.
const LAYERS: [(&str, &[&str]); 17] = [
    ("board", &["escape"]),
    ("command", &[]),
    ("escape", &[]),
    ("files", &[]),
    ("os", &[]),
    ("solver", &["board"]),
    ("backtrack", &["board", "solver"]),
    ("count", &["board", "os", "solver"]),
    ("sat", &["board", "command", "os", "solver"]),
    ("faults", &["board", "os", "solver"]),
    ("registry", &["board", "solver", "backtrack", "count", "sat", "faults"]),
    ("record", &["board", "files", "os", "solver"]),
    (
        "verify",
        &[
            "board",
            "command",
            "escape",
            "files",
            "os",
            "solver",
            "backtrack",
            "count",
            "sat",
            "registry",
            "record",
        ],
    ),
    (
        "experiment",
        &[
            "board",
            "command",
            "escape",
            "files",
            "os",
            "solver",
            "backtrack",
            "count",
            "sat",
            "registry",
            "record",
        ],
    ),
    ("cluster", &["board", "files", "os", "solver", "count", "registry", "record", "experiment"]),
    (
        "report",
        &[
            "board",
            "escape",
            "solver",
            "backtrack",
            "count",
            "sat",
            "registry",
            "record",
            "verify",
            "experiment",
        ],
    ),
    (
        "cli",
        &[
            "board",
            "escape",
            "os",
            "solver",
            "backtrack",
            "count",
            "sat",
            "registry",
            "record",
            "verify",
            "experiment",
            "cluster",
            "report",
        ],
    ),
];

/// What is named in its home only: a word and the files, by the beginning of their path, that may.
const HOMES: [(&str, &[&str]); 27] = [
    ("clap", &["src/cli/"]),
    ("anyhow", &["src/cli/", "src/sat/backend/varisat.rs", "src/sat/proof.rs"]),
    ("ctrlc", &["src/cli/interrupt.rs"]),
    ("indicatif", &["src/cli/terminal.rs"]),
    ("signal_hook", &["src/cli/interrupt.rs"]),
    ("terminal_size", &["src/cli/terminal.rs"]),
    ("csv", &["src/record/"]),
    ("varisat", &["src/sat/backend/varisat.rs", "src/sat/proof.rs"]),
    ("varisat_internal_proof", &["src/sat/backend/varisat.rs"]),
    ("clap_complete", &["src/cli/"]),
    ("clap_mangen", &["src/cli/shell.rs"]),
    ("anstream", &["src/cli/color.rs"]),
    ("askama", &["src/report/page/"]),
    ("statrs", &["src/report/"]),
    ("plotters", &["src/report/plots/"]),
    ("toml", &["src/experiment/spec.rs"]),
    ("humantime", &["src/experiment/", "src/cli/units.rs"]),
    ("wait4", &["src/os/"]),
    ("rustix", &["src/os/", "src/files.rs"]),
    ("wildmatch", &["src/registry.rs"]),
    ("shlex", &["src/command.rs"]),
    ("strsim", &["src/registry.rs"]),
    ("batsat", &["src/sat/backend/batsat.rs"]),
    ("rayon", &["src/count/"]),
    ("rustsat", &["src/sat/backend/cadical.rs"]),
    ("rustsat_cadical", &["src/sat/backend/cadical.rs"]),
    // In files.rs, report/, doctor/ and spec.rs by their tests only.
    (
        "tempfile",
        &[
            "src/files.rs",
            "src/record/",
            "src/cluster/",
            "src/experiment/",
            "src/verify/certificate/",
            "src/report/mod.rs",
            "src/sat/backend/external.rs",
        ],
    ),
];

/// Nothing prints by these: they panic where an output cannot be written to. The command line writes data by `writeln!`
/// and messages by src/cli/terminal.rs, which alone knows of standard error; the library writes nothing.
const PRINTING: [&str; 5] = ["println!", "print!", "eprintln!", "eprint!", "dbg!"];
const STANDARD_ERROR: [&str; 2] = ["src/cli/terminal.rs", "src/cli/color.rs"];

/// Solvers read no clock beyond their budget.
const CLOCKS: [&str; 2] = ["Instant::now", "SystemTime"];
const CLOCKLESS: [&str; 5] = ["src/board/", "src/solver/", "src/backtrack/", "src/count/", "src/sat/"];
const CLOCK_OF_SOLVERS: &str = "src/solver/budget.rs";

fn starts_with_any(path: &str, beginnings: &[&str]) -> bool {
    beginnings.iter().any(|beginning| path.starts_with(beginning))
}

/// The code of a source with comments, string and character literals blanked; its lines stay.
fn code(source: &str) -> String {
    let mut code = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(c) = rest.chars().next() {
        let raw = rest.strip_prefix('r').map(|tail| tail.len() - tail.trim_start_matches('#').len());
        let raw = raw.filter(|&hashes| rest[1 + hashes..].starts_with('"') && !ends_in_word(&code));
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if let Some(hashes) = raw {
            let end = format!("\"{}", "#".repeat(hashes));
            let body = 2 + hashes;
            rest[body..].find(&end).map_or(rest.len(), |at| body + at + end.len())
        } else if c == '"' {
            literal(rest, '"').unwrap_or(rest.len())
        } else if c == '\'' {
            // A lifetime has no closing quote right behind it.
            character(rest).unwrap_or(0)
        } else {
            0
        };
        if length == 0 {
            code.push(c);
            rest = &rest[c.len_utf8()..];
        } else {
            let (blanked, tail) = rest.split_at(length);
            code.push(' ');
            code.extend(blanked.chars().filter(|&c| c == '\n'));
            rest = tail;
        }
    }
    code
}

fn ends_in_word(text: &str) -> bool {
    text.chars().next_back().is_some_and(is_word)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The length of a literal with its quotes.
fn literal(text: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    let end = text[1..].find(|c| {
        let ends = c == quote && !escaped;
        escaped = c == '\\' && !escaped;
        ends
    });
    end.map(|end| end + 2)
}

fn character(text: &str) -> Option<usize> {
    let second = text[1..].chars().next()?;
    if second == '\\' {
        return literal(text, '\'');
    }
    text[1 + second.len_utf8()..].starts_with('\'').then(|| 2 + second.len_utf8())
}

/// Where a word stands alone, and is not part of a path (`self::csv`) or a field.
fn mentions(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let (before, after) = (&line[..at], &line[at + word.len()..]);
        let bounded = word.ends_with(['!', ':']) || !after.starts_with(is_word);
        bounded && !ends_in_word(before) && (word.contains("::") || !before.ends_with(['.', ':']))
    })
}

/// Whether a line names a crate: `crate_name::...`, `use crate_name;`, `extern crate crate_name`.
fn names_crate(line: &str, name: &str) -> bool {
    let used = |keyword: &str| line.trim_start().trim_start_matches("pub ").strip_prefix(keyword);
    let imported = used("use ").or(used("extern crate ")).is_some_and(|path| {
        path.trim_start_matches(':').strip_prefix(name).is_some_and(|tail| !tail.starts_with(is_word))
    });
    imported || mentions(line, &format!("{name}::"))
}

/// The modules that a text names by paths from `root` (`crate` or `queenlab`), with the offset of each;
/// groups `crate::{a, b::c}` too.
fn named_modules(code: &str, root: &str) -> Vec<(usize, String)> {
    let mut named = Vec::new();
    for (at, path) in code.match_indices(&format!("{root}::")) {
        if ends_in_word(&code[..at]) {
            continue;
        }
        let start = at + path.len();
        let Some(group) = code[start..].strip_prefix('{') else {
            named.push((at, code[start..].chars().take_while(|&c| is_word(c)).collect()));
            continue;
        };
        let mut depth = 0;
        let mut first = true;
        for (offset, c) in group.char_indices() {
            match c {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => first = true,
                c if is_word(c) && depth == 0 && first => {
                    let name = group[offset..].chars().take_while(|&c| is_word(c)).collect();
                    named.push((start + 1 + offset, name));
                    first = false;
                }
                _ => {}
            }
        }
    }
    named.sort();
    named
}

/// The sisters of the file's layer that it names by way of `super::`, with the offset of each.
fn reached_by_super(path: &str, code: &str) -> Vec<(usize, String)> {
    let module = path.trim_start_matches("src/").trim_end_matches(".rs").trim_end_matches("/mod");
    let to_the_root = "super::".repeat(module.split('/').count());
    let named = named_modules(code, to_the_root.trim_end_matches("::"));
    named.into_iter().filter(|(_, name)| LAYERS.iter().any(|(layer, _)| layer == name)).collect()
}

/// The module of the library that a file belongs to; `None` for main.rs and lib.rs.
fn layer(path: &str) -> Option<&str> {
    if ["src/main.rs", "src/lib.rs"].contains(&path) {
        return None;
    }
    path.strip_prefix("src/")?.split(['/', '.']).next()
}

/// Every crossing in a source, as `file:line: what`.
fn crossings(path: &str, source: &str) -> Vec<String> {
    let code = code(source);
    let mut found: Vec<(usize, String)> = Vec::new();
    if let Some(own) = layer(path) {
        let allowed = LAYERS.iter().find(|(name, _)| *name == own).map(|(_, allowed)| *allowed);
        if allowed.is_none() {
            found.push((1, format!("{own} is no layer that this test knows")));
        }
        for (at, name) in [named_modules(&code, "crate"), reached_by_super(path, &code)].concat() {
            if name != own && !allowed.unwrap_or(&[]).contains(&name.as_str()) {
                found.push((line_of(&code, at), format!("{own} may not import {name}")));
            }
        }
        for (at, name) in named_modules(&code, "queenlab") {
            found.push((line_of(&code, at), format!("the library names itself: queenlab::{name}")));
        }
    }
    // A unit test may say that it is skipped, and set a deadline.
    let tests_begin = code.find("#[cfg(test)]\nmod tests {").map_or(usize::MAX, |at| line_of(&code, at));
    for (number, line) in (1..).zip(code.lines()) {
        let in_tests = number > tests_begin;
        for (name, homes) in HOMES {
            // A module of the same name stands before the crate.
            let own_module = code.contains(&format!("mod {name};"));
            if names_crate(line, name) && !own_module && !starts_with_any(path, homes) {
                found.push((number, format!("{name} is at home in {}", homes.join(", "))));
            }
        }
        for name in PRINTING {
            if mentions(line, name) && !in_tests {
                found.push((number, format!("{name} panics on a broken output: see src/cli/terminal.rs")));
            }
        }
        if line.contains("io::stderr") && !in_tests && !starts_with_any(path, &STANDARD_ERROR) {
            found.push((number, "only src/cli/terminal.rs writes to standard error".to_owned()));
        }
        for name in CLOCKS {
            let clockless = starts_with_any(path, &CLOCKLESS) && path != CLOCK_OF_SOLVERS;
            if mentions(line, name) && clockless && !in_tests {
                found.push((number, format!("solvers read no clock beyond their budget: {name}")));
            }
        }
    }
    found.sort();
    found.into_iter().map(|(line, what)| format!("{path}:{line}: {what}")).collect()
}

fn line_of(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

/// Every source of the crate: its path from the root, and its text.
fn sources() -> Vec<(String, String)> {
    fn walk(directory: &Path, found: &mut Vec<(String, String)>) {
        for entry in fs::read_dir(directory).expect("a readable directory") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path.strip_prefix(env!("CARGO_MANIFEST_DIR")).expect("inside the crate");
                let name = name.to_string_lossy().replace('\\', "/");
                found.push((name, fs::read_to_string(&path).expect("UTF-8")));
            }
        }
    }
    let mut found = Vec::new();
    walk(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
    found.sort();
    found
}

#[test]
fn no_source_crosses_a_layer_leaves_a_home_prints_or_reads_the_clock() {
    let sources = sources();
    assert!(sources.len() > 40, "{} sources", sources.len());
    let found: Vec<String> = sources.iter().flat_map(|(path, source)| crossings(path, source)).collect();
    assert!(found.is_empty(), "{} crossings:\n{}", found.len(), found.join("\n"));
}

/// Were a layer or a home renamed, its line here would guard nothing.
#[test]
fn every_rule_still_has_something_to_guard() {
    let sources = sources();
    let later = ["count"];
    for (name, _) in LAYERS.iter().filter(|(name, _)| !later.contains(name)) {
        assert!(sources.iter().any(|(path, _)| layer(path) == Some(*name)), "there is no layer {name}");
    }
    for (name, homes) in HOMES {
        let lives_in = |home: &str| {
            let own = sources.iter().filter(|(path, _)| path.starts_with(home));
            own.into_iter().any(|(_, source)| code(source).lines().any(|line| names_crate(line, name)))
        };
        assert!(homes.iter().any(|home| lives_in(home)), "nobody uses {name}");
    }
}

#[test]
fn the_scanner_finds_every_kind_of_crossing_and_its_line() {
    let source = "//! use crate::cli;\nuse crate::board::Square;\nuse crate::{board, sat::cnf, solver};\n\
                  use varisat::Solver;\nfn f() {\n    println!(\"x\");\n    let now = Instant::now();\n}\n";
    assert_eq!(
        crossings("src/backtrack/x.rs", source),
        [
            "src/backtrack/x.rs:3: backtrack may not import sat",
            "src/backtrack/x.rs:4: varisat is at home in src/sat/backend/varisat.rs, src/sat/proof.rs",
            "src/backtrack/x.rs:6: println! panics on a broken output: see src/cli/terminal.rs",
            "src/backtrack/x.rs:7: solvers read no clock beyond their budget: Instant::now",
        ]
    );
    let finds = |path, source, told: &str| {
        let found = crossings(path, source);
        assert!(found.len() == 1 && found[0].contains(told), "{source}: {found:?}");
    };
    finds("src/board/mod.rs", "fn f() -> crate::solver::Goal {}", "board may not import solver");
    finds("src/board/mod.rs", "use crate::{\n    solver::Goal,\n};", "src/board/mod.rs:2: ");
    finds("src/sat/mod.rs", "pub use crate::backtrack::x;", "sat may not import backtrack");
    finds("src/verify/mod.rs", "use crate::experiment::plan;", "verify may not import experiment");
    finds("src/experiment/plan.rs", "use crate::verify;", "experiment may not import verify");
    finds("src/record/row.rs", "use crate::registry::Registry;", "record may not import registry");
    finds("src/report/mod.rs", "use crate::cli::main;", "report may not import cli");
    finds("src/cli/list.rs", "use crate::os;", "cli may not import os");
    finds("src/cli/list.rs", "eprintln!();", "eprintln! panics on a broken output");
    finds("src/cli/list.rs", "std::io::stderr().lock()", "only src/cli/terminal.rs writes");
    finds("src/sat/mod.rs", "use super::backtrack::x;", "sat may not import backtrack");
    finds("src/sat/am1/mod.rs", "use super::super::{board, backtrack};", "sat may not import backtrack");
    finds("src/sat/backend/mod.rs", "use varisat::Solver;", "varisat is at home");
    finds("src/report/mod.rs", "use queenlab::board;", "the library names itself");
    finds("src/report/mod.rs", "let x = csv::Writer::new();", "csv is at home in src/record/");
    finds("src/report/mod.rs", "use ::csv;", "csv is at home in src/record/");
    finds("src/utils.rs", "fn f() {}", "utils is no layer");
    finds("src/experiment/runner/process.rs", "use rustix::process;", "rustix is at home");
}

#[test]
fn the_scanner_lets_pass_what_is_allowed_or_only_said() {
    for (path, source) in [
        ("src/solver/budget.rs", "let now = Instant::now();"),
        ("src/experiment/runner/mod.rs", "let now = Instant::now();"),
        ("src/sat/backend/mod.rs", "mod varisat;\npub static ALL: [Kind; 1] = [varisat::KIND];"),
        ("src/registry.rs", "use crate::{backtrack, sat};"),
        ("src/record/table.rs", "let writer = csv::Writer::new();"),
        ("src/cli/list.rs", "use crate::registry::Registry;\nwriteln!(out)?;"),
        ("src/main.rs", "use queenlab::registry::Registry;"),
        (
            "src/board/mod.rs",
            "// println!(\"crate::sat::x\")\n/* csv::x\n clap::y */\nlet text = \"toml::x \\\" clap::y\";",
        ),
        (
            "src/board/mod.rs",
            "let text = r#\"clap::x \" csv::y\"#; let quote = '\"'; let a: &'a str = \"csv::z\";",
        ),
        ("src/board/mod.rs", "let my_csv = mycsv::x(); self.eprintln_count();"),
        ("src/board/mod.rs", "use mycrate::sat; fn super_sat() {}"),
        ("src/sat/am1/mod.rs", "use super::cnf::Cnf; use super::backend;"),
    ] {
        assert_eq!(crossings(path, source), Vec::<String>::new(), "{source}");
    }
}
