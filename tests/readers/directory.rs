//! A whole result directory in one string of bytes. Reports, comparisons and exports read the directory, and a sweep resumes it. A
//! comparison of the directory with itself must find no difference, and a sweep must accept the tables that it repaired.

use std::fs;
use std::path::Path;

use queenlab::experiment::stored_results::{self, StoredPlan, of_plan};
use queenlab::experiment::{self, StoredResults};
use queenlab::record::{ClaimRow, Meta, NodesRow, TimingsRow, table};
use queenlab::report::compare::Comparison;
use queenlab::report::plots::{self, PictureLayout};
use queenlab::report::{self, DerivedData, ReportData, ReportPart, export};
use serde_json::Value;

/// The files, in the order of their contents in the input.
const FILES: [&str; 6] =
    ["runs.csv", "meta.json", "levels.csv", "crosscheck.csv", "experiment.toml", "plan.json"];

/// The byte between the contents of two files.
const SEPARATOR: u8 = 0x1c;

pub fn check(bytes: &[u8]) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let directory = directory.path();
    for (name, content) in FILES.iter().zip(bytes.split(|&byte| byte == SEPARATOR)) {
        fs::write(directory.join(name), content).expect("a writable directory");
    }
    check_directory(directory);
}

/// Reads a directory by every command that reads one.
pub fn check_directory(directory: &Path) {
    let stored_results = StoredResults::read(directory);
    match &stored_results {
        Ok(stored) => assert_report(stored),
        Err(error) => {
            let error = error.to_string();
            assert!(FILES.iter().any(|name| error.contains(name)), "{error}");
        }
    }
    let Ok(meta) = Meta::read(directory) else { return };
    let Ok(StoredPlan::Read(plan)) = stored_results::plan(directory, meta.as_ref()) else { return };
    let Ok((_, rows, _)) = experiment::open(&plan, directory, &|_| {}) else { return };
    if let Ok(stored) = stored_results {
        assert_eq!(of_plan(rows.clone(), &plan), stored.rows, "a sweep and a report read different rows");
    }
    let (_, reopened_rows, _) =
        experiment::open(&plan, directory, &|_| {}).expect("tables that a sweep repaired");
    assert_eq!(reopened_rows, rows);
}

fn assert_report(stored: &StoredResults) {
    let out = tempfile::tempdir().expect("a temporary directory");
    let report_data = ReportData { parts: vec![ReportPart::of(stored, "")], ..ReportData::default() };
    let data = DerivedData::of(&report_data);
    for layout in [PictureLayout::panels(), PictureLayout::default()] {
        report::write(out.path(), &data, &layout).expect("a report of whatever was read");
    }
    assert_written_files(out.path());
    assert_exports(&data);
    let Comparison { wrong, changed, lost, gained, one_sided, only_first, only_second, .. } =
        Comparison::of(stored, stored, 5.0);
    for changes in [wrong, changed, lost, gained, one_sided] {
        assert_eq!(changes, [], "the directory differs from itself");
    }
    assert!(only_first.is_empty() && only_second.is_empty());
}

/// Checks the files that a report wrote, for any texts in the results: the files consist of lines of plain text, tables can be
/// read again, and no text of the results is markup.
fn assert_written_files(directory: &Path) {
    table::read::<TimingsRow>(directory).expect("timings.csv");
    table::read::<NodesRow>(directory).expect("nodes.csv");
    table::read::<ClaimRow>(directory).expect("claims.csv");
    for name in ["timings.csv", "nodes.csv", "claims.csv", "report.html"] {
        assert_printable(&fs::read_to_string(directory.join(name)).expect("UTF-8"));
    }
    for entry in fs::read_dir(directory.join("plots")).expect("plots") {
        let svg = fs::read_to_string(entry.expect("an entry").path()).expect("UTF-8");
        assert_printable(&svg);
        assert_balanced(&svg);
    }
    let page = fs::read_to_string(directory.join("report.html")).expect("UTF-8");
    let (before, after) =
        page.split_once("<script type=\"application/json\" id=\"island\">").expect("the data");
    let (island, script) = after.split_once("</script>").expect("the end of the data");
    serde_json::from_str::<Value>(island).expect("JSON");
    assert!(!before.contains("<script") && script.matches("<script").count() == 1);
    assert!(!before.contains("<svg onload"));
}

fn assert_exports(data: &DerivedData<'_>) {
    let json = plaintext::json(&format!("{:#}\n", export::json(data)));
    assert_printable(&json);
    serde_json::from_str::<Value>(&json).expect("JSON");
    let markdown = export::markdown(data);
    assert_printable(&markdown);
    let bar_count = |line: &str| line.replace("\\\\", "").replace("\\|", "").matches('|').count();
    let rows: Vec<&str> = markdown
        .lines()
        .skip_while(|line| !line.starts_with('|'))
        .take_while(|line| !line.is_empty())
        .collect();
    assert!(
        rows.iter().all(|row| row.starts_with('|') && bar_count(row) == bar_count(rows[0])),
        "{markdown}"
    );
    let latex = export::latex(data);
    assert_printable(&latex);
    let separator_count = |line: &str| line.replace("\\&", "").matches('&').count();
    let rows: Vec<&str> = latex.lines().filter(|line| line.ends_with("\\\\")).collect();
    assert!(
        rows.iter()
            .all(|row| !row.starts_with(['[', '*']) && separator_count(row) == separator_count(rows[0])),
        "{latex}"
    );
    for plot in plots::all(data) {
        for layout in [PictureLayout::figure(false, Some("<\u{1b}>")), PictureLayout::figure(true, None)] {
            let picture = plot.draw(data, &layout).expect("finite values");
            picture.iter().for_each(|picture| assert_balanced(&picture.svg));
            let code = plot.pgfplots(data, &layout).expect("finite values");
            code.iter().for_each(|code| assert_printable(code));
        }
    }
}

/// Panics if the text has an unprintable character other than a line feed.
fn assert_printable(text: &str) {
    let c = text.chars().find(|&c| c != '\n' && !plaintext::is_printable(c));
    assert_eq!(c, None, "{text}");
}

/// Panics if the elements of a picture do not end in the reverse order of their beginning.
fn assert_balanced(svg: &str) {
    let mut open_elements = Vec::new();
    for tag in svg.split('<').skip(1) {
        let (tag, text) = tag.split_once('>').expect("a tag that ends");
        assert!(!text.contains('>'), "{svg}");
        match tag.strip_prefix('/') {
            Some(name) => assert_eq!(open_elements.pop(), Some(name), "{svg}"),
            None if tag.ends_with('/') => {}
            None => open_elements.push(tag.split([' ', '\n']).next().expect("a name")),
        }
    }
    assert_eq!(open_elements, [] as [&str; 0], "{svg}");
}
