//! Compares docs/FORMATS.md with the code in both directions: everything that it documents exists, and everything that exists is
//! documented.
//!
//! A table of the document is found by its heading and by the first cell of its header, so there may be prose and other tables around
//! it.

mod answers;
mod results;
mod schemas;
mod specs;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::LazyLock;

use queenlab::board::{BoardSize, Placement};
use queenlab::judge::notation::{Notation, Writer};
use queenlab::record::SCHEMA_VERSION;
use queenlab::registry::Registry;
use queenlab::solver::sink::Collect;
use queenlab::solver::{Goal, Task};
use queenlab::spec::Spec;

/// Reads the document at run time, so that a change of the document needs no new build.
static DOCUMENT: LazyLock<String> = LazyLock::new(|| {
    std::fs::read_to_string("docs/FORMATS.md").expect("tests run in the package's directory")
});

/// The lines below a heading, up to the next heading of the same or a higher level.
fn section(heading: &str) -> Vec<&'static str> {
    let level = |line: &str| line.chars().take_while(|&c| c == '#').count();
    let mut lines = DOCUMENT.lines().skip_while(|line| *line != heading);
    assert!(lines.next().is_some(), "docs/FORMATS.md has no heading '{heading}'");
    let ends_section = |line: &&str| (1..=level(heading)).contains(&level(line));
    lines.take_while(|line| !ends_section(line)).collect()
}

/// The rows of all tables of a section whose header begins with `first`. A row is a list of cells.
fn rows(heading: &str, first: &str) -> Vec<Vec<&'static str>> {
    let mut rows = Vec::new();
    let mut header = "";
    for line in section(heading) {
        let Some(inner) = line.strip_prefix("| ").and_then(|line| line.strip_suffix('|')) else {
            if !line.starts_with('|') {
                header = "";
            }
            continue;
        };
        let cells: Vec<&str> = inner.split('|').map(str::trim).collect();
        if header.is_empty() {
            header = cells[0];
        } else if header == first {
            rows.push(cells);
        }
    }
    assert!(!rows.is_empty(), "'{heading}' has no table of '{first}'");
    rows
}

/// The text of a cell that consists only of code.
fn code(cell: &str) -> &str {
    let inner = cell.strip_prefix('`').and_then(|cell| cell.strip_suffix('`'));
    inner.unwrap_or_else(|| panic!("'{cell}' is not in backticks"))
}

/// The texts in backticks.
fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

fn names(heading: &str, first: &str) -> Vec<&'static str> {
    rows(heading, first).iter().map(|row| code(row[0])).collect()
}

/// The fenced blocks with this language.
fn blocks(language: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut lines = DOCUMENT.lines();
    while let Some(line) = lines.next() {
        if let Some(info_string) = line.strip_prefix("```") {
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            if info_string == language {
                blocks.push(block.join("\n") + "\n");
            }
        }
    }
    assert!(!blocks.is_empty(), "docs/FORMATS.md has no block of {language}");
    blocks
}

fn sorted<'a>(names: impl IntoIterator<Item = &'a str>) -> BTreeSet<String> {
    names.into_iter().map(str::to_owned).collect()
}

fn spec(text: &str) -> Spec {
    Spec::parse("x.toml", text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn solutions(n: usize) -> Vec<Placement> {
    let registry = Registry::builtin();
    let task = Task::new(BoardSize::new(n).expect("a small board"), Goal::Enumerate);
    let mut boards = Collect::default();
    registry.get("backtrack/bitmask").expect("a solver").solve(&task, &mut boards).expect("solved");
    boards.0
}

fn written_text(notation: Notation, n: usize, boards: &[Placement]) -> String {
    let mut writer = Writer::new(Vec::new(), notation, n).expect("the size fits");
    for board in boards {
        writer.solution(board.columns()).expect("written to memory");
    }
    String::from_utf8(writer.finish().expect("written to memory")).expect("UTF-8")
}

#[test]
fn schema_version_matches_the_documentation() {
    let sentence = format!("The version is `{SCHEMA_VERSION}` ");
    assert!(section("## 12. `schema_version`").join(" ").contains(&sentence), "{sentence}");
}

/// The anchor that GitHub gives to a heading.
fn anchor(heading: &str) -> String {
    let characters = heading.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    characters.collect::<String>().trim().to_lowercase().replace(' ', "-")
}

/// README.md, CHANGELOG.md and the pages of docs/.
fn pages() -> Vec<PathBuf> {
    let pages = std::fs::read_dir("docs").expect("a directory").map(|entry| entry.expect("an entry").path());
    let pages = pages.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    pages.chain(["README.md", "CHANGELOG.md"].map(PathBuf::from)).collect()
}

#[test]
fn every_link_between_documents_has_a_target() {
    let mut links = 0;
    for page in pages() {
        let text = std::fs::read_to_string(&page).expect("a page");
        let targets = text.split("](").skip(1).filter_map(|after| after.split(')').next());
        for target in targets.filter(|target| !target.contains("://") && !target.contains(' ')) {
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            let file = if file.is_empty() { page.clone() } else { page.with_file_name("").join(file) };
            assert!(file.exists(), "{}: there is no {target}", page.display());
            if !heading.is_empty() {
                let text = std::fs::read_to_string(&file).expect("a page");
                let mut anchors = text.lines().filter(|line| line.starts_with('#')).map(anchor);
                assert!(
                    anchors.any(|anchor| anchor == heading),
                    "{}: {target} is not a heading",
                    page.display()
                );
            }
            links += 1;
        }
    }
    assert!(links > 60, "{links} links");
}

/// Documents name a test as `FILE.rs::TEST`. In docs/TRUST.md, the test `FILE::TEST` is in `tests/all/attacks/`.
#[test]
fn tests_named_in_documents_exist() {
    let mut named_count = 0;
    for page in pages() {
        let text = std::fs::read_to_string(&page).expect("a page");
        for (file, test) in text.lines().flat_map(quoted).filter_map(|name| name.rsplit_once("::")) {
            let file = match file.ends_with(".rs") {
                true => file.to_owned(),
                false if page.ends_with("TRUST.md") => format!("tests/all/attacks/{file}.rs"),
                false => continue,
            };
            let code = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{file}: {error}"));
            assert!(code.contains(&format!("fn {test}()")), "{}: {file} has no test {test}", page.display());
            named_count += 1;
        }
    }
    assert!(named_count > 50, "{named_count} tests are named");
}
