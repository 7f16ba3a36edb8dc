//! Enforces the layers of docs/ARCHITECTURE.md: which module may import which, and which module uses each
//! dependency. A violation is reported as `file:line: what`.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use proc_macro2::{TokenStream, TokenTree};

/// The modules of the library, each with the other ones that it may name. A module that is not in this table is a
/// violation, too: add its line.
const LAYERS: &[(&str, &str)] = &[
    ("words", ""),
    ("board", ""),
    ("command", ""),
    ("escape", ""),
    ("files", ""),
    ("judge", "board"),
    ("os", ""),
    ("solver", "board words"),
    ("audit", "board"),
    ("backtrack", "board solver"),
    ("construct", "board solver"),
    ("count", "board"),
    ("counters", "board count os solver"),
    ("cp", "board solver"),
    ("local", "board solver"),
    ("sat", "board command files os solver"),
    ("instance", "board solver backtrack"),
    ("registry", "board solver backtrack construct counters cp local sat"),
    ("record", "board files os solver"),
    ("certify", "board words command escape files os solver audit backtrack sat record"),
    ("submission", "board judge escape os solver registry"),
    (
        "verify",
        "board judge words command escape files os solver backtrack count sat registry record certify submission",
    ),
    (
        "experiment",
        "board judge words command escape files instance os solver backtrack count sat registry record submission",
    ),
    ("report", "board words command escape solver backtrack count sat registry record verify experiment"),
    (
        "cli",
        "board judge words command escape os solver audit backtrack count counters sat registry record certify submission verify experiment report instance files",
    ),
];

/// The files, by the beginning of their path, in which a crate may be named.
const HOMES: &[(&str, &[&str])] = &[
    ("clap", &["src/cli/", "src/experiment/spec/settings.rs"]),
    ("anyhow", &["src/cli/", "src/sat/backend/varisat.rs", "src/certify/refute.rs"]),
    ("indicatif", &["src/cli/terminal.rs"]),
    ("signal_hook", &["src/cli/interrupt.rs"]),
    ("terminal_size", &["src/cli/terminal.rs"]),
    ("csv", &["src/record/"]),
    ("glob", &["src/experiment/instances.rs"]),
    ("varisat", &["src/sat/backend/varisat.rs", "src/certify/refute.rs"]),
    ("varisat_internal_proof", &["src/sat/backend/varisat.rs"]),
    ("clap_complete", &["src/cli/"]),
    ("anstream", &["src/cli/terminal.rs"]),
    ("askama", &["src/report/page/"]),
    ("statrs", &["src/report/"]),
    (
        "toml",
        &[
            "src/experiment/axis.rs",
            "src/experiment/claim.rs",
            "src/experiment/repeat.rs",
            "src/experiment/resume.rs",
            "src/experiment/spec/",
            "src/instance/file.rs",
        ],
    ),
    ("humantime", &["src/experiment/", "src/cli/units.rs"]),
    ("nix", &["src/os/"]),
    ("wait4", &["src/os/"]),
    ("rustix", &["src/os/", "src/files.rs"]),
    ("wildmatch", &["src/registry.rs"]),
    ("shlex", &["src/command.rs"]),
    ("strsim", &["src/registry.rs", "src/words.rs"]),
    ("batsat", &["src/sat/backend/batsat.rs"]),
    ("pumpkin_core", &["src/cp/pumpkin.rs"]),
    ("pumpkin_constraints", &["src/cp/pumpkin.rs"]),
    ("pumpkin_conflict_resolvers", &["src/cp/pumpkin.rs"]),
    ("lrat_check", &["src/audit/", "src/certify/", "src/verify/levels.rs"]),
    ("rayon", &["src/count/", "src/backtrack/probe.rs"]),
    ("rustsat", &["src/sat/backend/cadical.rs"]),
    ("rustsat_cadical", &["src/sat/backend/cadical.rs"]),
    // In os/, report/, spec/ and external.rs by their tests only.
    (
        "tempfile",
        &[
            "src/files.rs",
            "src/os/proc.rs",
            "src/record/",
            "src/count/",
            "src/experiment/",
            "src/certify/",
            "src/submission.rs",
            "src/report/mod.rs",
            "src/sat/backend/external.rs",
        ],
    ),
];

/// Nothing prints by these: they panic where an output cannot be written to. The command line writes data by `writeln!`
/// and messages by src/cli/terminal.rs, which alone knows of standard error; the library writes nothing.
const PRINTING: [&str; 5] = ["println!", "print!", "eprintln!", "eprint!", "dbg!"];
const STANDARD_ERROR: [&str; 1] = ["src/cli/terminal.rs"];

/// Solvers read no clock beyond their budget.
const CLOCKLESS: [&str; 6] =
    ["src/board/", "src/solver/", "src/backtrack/", "src/count/", "src/cp", "src/sat/"];
/// The budget, and the checkpoint of a count, which is saved every two seconds.
const CLOCKS_OF_SOLVERS: [&str; 2] = ["src/solver/budget.rs", "src/count/run.rs"];

fn starts_with_any(path: &str, beginnings: &[&str]) -> bool {
    beginnings.iter().any(|beginning| path.starts_with(beginning))
}

/// A path such as `crate::board::Square`, as its names; the name of a macro ends in `!`.
struct Named {
    names: Vec<String>,
    line: usize,
    /// Whether it is in a `use`.
    imported: bool,
    /// Whether it is in a unit test.
    in_tests: bool,
}

impl Named {
    fn has(&self, names: &[&str]) -> bool {
        self.names.windows(names.len()).any(|window| window == names)
    }

    /// Whether this names a crate.
    fn is_of(&self, name: &str) -> bool {
        self.names[0] == name && (self.imported || self.names.len() > 1)
    }
}

/// Words behind which a path may begin with `::`.
const KEYWORDS: [&str; 8] = ["use", "return", "in", "as", "dyn", "impl", "mut", "for"];

/// Every path in a source, and the modules that it declares.
#[derive(Default)]
struct Source {
    named: Vec<Named>,
    modules: Vec<String>,
}

impl Source {
    fn of(text: &str) -> Self {
        let mut source = Self::default();
        source.read(text.parse().expect("Rust"), false);
        source
    }

    fn read(&mut self, tokens: TokenStream, in_tests: bool) {
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        let word = |at: Option<usize>| match at.and_then(|at| trees.get(at)) {
            Some(tree) => tree.to_string(),
            None => String::new(),
        };
        let mut at = 0;
        while at < trees.len() {
            // Before the `::` of a path that begins with it, or behind generics.
            let colons = at >= 2 && is_colons(&trees, at - 2);
            let before = word(at.checked_sub(if colons { 3 } else { 1 }));
            let is_use = before == "use" || before == "crate" && word(at.checked_sub(2)) == "extern";
            match &trees[at] {
                TokenTree::Group(group) if is_use => self.group(group.stream(), &[], in_tests),
                TokenTree::Group(group) => {
                    let is_tests = before == "tests" && word(at.checked_sub(2)) == "mod";
                    self.read(group.stream(), in_tests || is_tests);
                }
                TokenTree::Ident(_) if KEYWORDS.contains(&word(Some(at)).as_str()) => {}
                TokenTree::Ident(_) if before == "mod" => self.modules.push(word(Some(at))),
                TokenTree::Ident(_) if before != "." && !(colons && before == ">") => {
                    at = self.path(&trees, at, Vec::new(), is_use, in_tests);
                    continue;
                }
                _ => {}
            }
            at += 1;
        }
    }

    /// Reads a path and returns the place behind it.
    fn path(
        &mut self,
        trees: &[TokenTree],
        mut at: usize,
        mut names: Vec<String>,
        imported: bool,
        in_tests: bool,
    ) -> usize {
        let line = trees[at].span().start().line;
        while let Some(TokenTree::Ident(name)) = trees.get(at) {
            names.push(name.to_string());
            at += 1;
            if !is_colons(trees, at) {
                if let (Some(TokenTree::Punct(mark)), Some(TokenTree::Group(_))) =
                    (trees.get(at), trees.get(at + 1))
                    && mark.as_char() == '!'
                {
                    names.last_mut().expect("a name").push('!');
                }
                break;
            }
            at += 2;
            if let Some(TokenTree::Group(group)) = trees.get(at) {
                self.group(group.stream(), &names, in_tests);
                return at + 1;
            }
        }
        self.named.push(Named { names, line, imported, in_tests });
        at
    }

    /// Reads the group of a `use`.
    fn group(&mut self, tokens: TokenStream, before: &[String], in_tests: bool) {
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        let is_comma = |tree: &TokenTree| matches!(tree, TokenTree::Punct(mark) if mark.as_char() == ',');
        for item in trees.split(is_comma).filter(|item| matches!(item.first(), Some(TokenTree::Ident(_)))) {
            self.path(item, 0, before.to_vec(), true, in_tests);
        }
    }
}

fn is_colons(trees: &[TokenTree], at: usize) -> bool {
    let is_colon = |at: usize| matches!(trees.get(at), Some(TokenTree::Punct(mark)) if mark.as_char() == ':');
    is_colon(at) && is_colon(at + 1)
}

/// The module of the library that a file belongs to; `None` for main.rs and lib.rs.
fn layer(path: &str) -> Option<&str> {
    if ["src/main.rs", "src/lib.rs"].contains(&path) {
        return None;
    }
    path.strip_prefix("src/")?.split(['/', '.']).next()
}

/// The module of the library that a path names by way of `crate` or `super`.
fn named_layer<'n>(path: &str, named: &'n Named) -> Option<&'n str> {
    let module = path.trim_start_matches("src/").trim_end_matches(".rs").trim_end_matches("/mod");
    let depth = module.split('/').count();
    let supers = named.names.iter().take_while(|name| *name == "super").count();
    match named.names[0].as_str() {
        "crate" => named.names.get(1).map(String::as_str),
        "super" if supers == depth => named
            .names
            .get(supers)
            .map(String::as_str)
            .filter(|name| LAYERS.iter().any(|layer| layer.0 == *name)),
        _ => None,
    }
}

/// Every violation in a source, as `file:line: what`.
fn crossings(path: &str, source: &Source) -> Vec<String> {
    let mut found: Vec<(usize, String)> = Vec::new();
    let own = layer(path);
    let allowed = LAYERS.iter().find(|(name, _)| Some(*name) == own).map(|(_, allowed)| *allowed);
    if let (Some(own), None) = (own, allowed) {
        found.push((1, format!("{own} is no layer that this test knows")));
    }
    for named in &source.named {
        let mut wrong = |what: String| found.push((named.line, what));
        if let Some(own) = own {
            let may_name =
                |name: &str| name == own || allowed.unwrap_or("").split(' ').any(|other| other == name);
            if let Some(name) = named_layer(path, named).filter(|name| !may_name(name)) {
                wrong(format!("{own} may not import {name}"));
            }
            if named.is_of("queenlab") {
                wrong(format!("the library names itself: {}", named.names.join("::")));
            }
        }
        for (name, homes) in HOMES {
            // A module of the same name stands before the crate.
            let is_module = source.modules.iter().any(|module| module == name);
            if named.is_of(name) && !is_module && !starts_with_any(path, homes) {
                wrong(format!("{name} is at home in {}", homes.join(", ")));
            }
        }
        // A unit test may report that it is skipped, and set a deadline.
        if named.in_tests {
            continue;
        }
        if let Some(name) = PRINTING.iter().find(|name| named.has(&[name])) {
            wrong(format!("{name} panics on a broken output: see src/cli/terminal.rs"));
        }
        if named.has(&["io", "stderr"]) && !starts_with_any(path, &STANDARD_ERROR) {
            wrong("only src/cli/terminal.rs writes to standard error".to_owned());
        }
        if (named.has(&["Instant", "now"]) || named.has(&["SystemTime"]))
            && starts_with_any(path, &CLOCKLESS)
            && !CLOCKS_OF_SOLVERS.contains(&path)
        {
            wrong(format!("solvers read no clock beyond their budget: {}", named.names.join("::")));
        }
    }
    found.sort();
    found.into_iter().map(|(line, what)| format!("{path}:{line}: {what}")).collect()
}

/// Every source of the crate, with its path from the root.
static SOURCES: LazyLock<Vec<(String, Source)>> = LazyLock::new(|| {
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
    found.into_iter().map(|(path, text)| (path, Source::of(&text))).collect()
});

#[test]
fn no_source_crosses_a_layer_leaves_a_home_prints_or_reads_the_clock() {
    assert!(SOURCES.len() > 40, "{} sources", SOURCES.len());
    let found: Vec<String> = SOURCES.iter().flat_map(|(path, source)| crossings(path, source)).collect();
    assert!(found.is_empty(), "{} crossings:\n{}", found.len(), found.join("\n"));
}

#[test]
fn the_documented_homes_of_a_dependency_are_its_homes() {
    let rows: Vec<&str> =
        include_str!("../../docs/INTERNALS.md").lines().filter(|line| line.starts_with("| ")).collect();
    for (name, homes) in HOMES {
        let is_named = |row: &&&str| {
            let words = row.split('|').nth(1).unwrap_or_default().split([',', ' ']);
            words.map(|word| word.replace('-', "_")).any(|word| word == *name)
        };
        let row = rows.iter().find(is_named).unwrap_or_else(|| panic!("{name} has no row"));
        assert!(homes.iter().all(|home| row.contains(&format!("`{home}`"))), "{name}: {homes:?}\n{row}");
    }
}

/// If a layer or a home was renamed, its line here would guard nothing.
#[test]
fn every_rule_still_has_something_to_guard() {
    for (name, _) in LAYERS {
        assert!(SOURCES.iter().any(|(path, _)| layer(path) == Some(name)), "there is no layer {name}");
    }
    for (name, homes) in HOMES {
        let used = |(path, source): &(String, Source)| {
            starts_with_any(path, homes) && source.named.iter().any(|named| named.is_of(name))
        };
        assert!(SOURCES.iter().any(used), "nobody uses {name}");
    }
}

#[test]
fn the_scanner_finds_every_kind_of_crossing_and_its_line() {
    let crossings = |path: &str, text: &str| crossings(path, &Source::of(text));
    let source = "//! use crate::cli;\nuse crate::board::Square;\nuse crate::{board, sat::cnf, solver};\n\
                  use varisat::Solver;\nfn f() {\n    println!(\"x\");\n    let now = Instant::now();\n}\n";
    assert_eq!(
        crossings("src/backtrack/x.rs", source),
        [
            "src/backtrack/x.rs:3: backtrack may not import sat",
            "src/backtrack/x.rs:4: varisat is at home in src/sat/backend/varisat.rs, src/certify/refute.rs",
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
    finds("src/experiment/plan/mod.rs", "use crate::verify;", "experiment may not import verify");
    finds("src/record/rows.rs", "use crate::registry::Registry;", "record may not import registry");
    finds("src/report/mod.rs", "use crate::cli::main;", "report may not import cli");
    finds("src/cli/list.rs", "use crate::local;", "cli may not import local");
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
        assert_eq!(crossings(path, &Source::of(source)), Vec::<String>::new(), "{source}");
    }
}
