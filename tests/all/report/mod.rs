//! report.html in headless Chromium. If Chromium is not installed, these tests report that they are skipped; scripts/setup
//! installs it.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use queenlab::board::published;
use queenlab::model::{ProblemRef, SolverRef};
use queenlab::record::{
    CrosscheckRow, Kind, NodesRow, Row, SCHEMA_VERSION, Status, Table, TimingsRow, Verdict, table,
};
use queenlab::report::thousands;
use queenlab::solver::{Goal, Stat};

use serde_json::Value;

use crate::harness::{record, row, with_ids};

/// A width in pixels that is narrower than the screen of any current phone.
const PHONE_WIDTH: u32 = 360;

/// A width in pixels at which plots contain the names of series.
const WIDE_WIDTH: u32 = 1200;

/// The browser; `None` if none is installed.
fn browser() -> Option<&'static str> {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let can_start = |name: &&&str| {
        let version =
            Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        version.is_ok_and(|status| status.success())
    };
    let first_match = names.iter().find(can_start).copied();
    if first_match.is_none() {
        eprintln!("skipped: no chromium; report.html is not opened in a browser");
    }
    first_match
}

/// Opens a file in a browser without network access. Returns standard output and the messages of the console.
fn open(browser: &str, file: &Path, options: &[&str]) -> (String, String) {
    let profile = tempfile::tempdir().expect("temporary directory");
    let output = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--hide-scrollbars",
        ])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .args(["--allow-file-access-from-files", "--enable-logging=stderr", "--virtual-time-budget=20000"])
        .arg("--host-resolver-rules=MAP * ~NOTFOUND")
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .args(options)
        .arg(format!("file://{}", file.display()))
        .output()
        .expect("the browser starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let console: Vec<String> =
        text(&output.stderr).lines().filter(|line| line.contains("CONSOLE")).map(str::to_owned).collect();
    (text(&output.stdout), console.join("\n"))
}

fn queenlab(arguments: &[&str]) {
    let output = Command::new(env!("CARGO_BIN_EXE_queenlab")).args(arguments).output().expect("starts");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Runs a script on a report in a frame, and returns its result. `call` calls the function of the script, and `sandbox` is an
/// attribute of the frame.
fn findings_of(
    browser: &str,
    directory: &Path,
    (script, call): (&str, &str),
    (width, sandbox, dark): (u32, &str, bool),
) -> Value {
    let wrapper = format!(
        "<!doctype html><meta charset=utf-8><pre id=findings></pre>\
         <iframe id=frame {sandbox} src=report.html style='border:0;width:{width}px;height:800px'></iframe>\
         <script>{script}\nonload = async () => {{ let findings; \
         try {{ findings = await {call}; }} catch (error) {{ findings = {{ faults: [error.stack] }}; }} \
         document.getElementById('findings').textContent = JSON.stringify(findings); frame.remove(); }};</script>"
    );
    let file = directory.join("probe.html");
    fs::write(&file, wrapper).expect("written");
    let scheme = if dark {
        "--blink-settings=preferredColorScheme=0"
    } else {
        "--blink-settings=preferredColorScheme=1"
    };
    let (dom, console) = open(browser, &file, &["--dump-dom", scheme]);
    // The browser reports that it runs no script in a frame without scripts.
    let console: Vec<&str> = console.lines().filter(|line| !line.contains("frame is sandboxed")).collect();
    assert_eq!(console, [] as [&str; 0], "the browser printed messages");
    let findings = dom.split("<pre id=\"findings\">").nth(1).and_then(|rest| rest.split("</pre>").next());
    let findings =
        findings.expect("the script ran").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    serde_json::from_str(&findings).unwrap_or_else(|error| panic!("{error}: {dom}"))
}

/// Asserts that a page has no faults, in both colour schemes and also without scripts.
fn assert_no_findings(browser: &str, directory: &Path, pictures: std::ops::RangeInclusive<u64>) {
    for (dark, scripted) in [(false, true), (true, true), (false, false)] {
        let sandbox = if scripted { "" } else { "sandbox=allow-same-origin" };
        let call = format!("probe(frame, {PHONE_WIDTH}, {scripted})");
        let findings =
            findings_of(browser, directory, (include_str!("probe.js"), &call), (PHONE_WIDTH, sandbox, dark));
        assert_eq!(findings["faults"], serde_json::json!([]), "dark: {dark}, scripted: {scripted}");
        assert_eq!(findings["dark"], dark, "the page ignores the colour scheme of the browser");
        assert!(findings["measured"].as_u64() > Some(2), "{findings}");
        assert!(findings["pictures"].as_u64().is_some_and(|number| pictures.contains(&number)), "{findings}");
    }
}

#[test]
#[ignore = "long: a browser"]
fn report_is_usable_on_phones_and_screen_readers() {
    let Some(browser) = browser() else { return };
    let directory = tempfile::tempdir().expect("temporary directory");
    let out = directory.path().to_str().expect("UTF-8");
    queenlab(&[
        "sweep",
        "--n",
        "4-9",
        "--repeat",
        "6",
        "--solver",
        "backtrack/b*",
        "--solver",
        "sat/*wise/varisat",
        "--out",
        out,
        "-q",
    ]);
    assert_no_findings(browser, directory.path(), 3..=8);
    for width in [PHONE_WIDTH, WIDE_WIDTH] {
        let findings = findings_of(
            browser,
            directory.path(),
            (include_str!("touch.js"), "touch(frame)"),
            (width, "", false),
        );
        assert_eq!(findings["faults"], serde_json::json!([]), "mouse and keyboard, {width} px wide");
    }
}

/// Runs an experiment with programs that fail, are wrong, give up, take too long, or run at one size only. Returns the directory in
/// which it was started; the results are in `out`.
fn failing_results() -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("temporary directory");
    let solutions = "4) printf '1 3 0 2\\n2 0 3 1\\n';; 1) echo 0;; *) ";
    let programs = [
        ("crash", format!("case $1 in {solutions} echo '<b>bold</b>'; echo 'too large' >&2; exit 3;; esac")),
        ("wrong", format!("case $1 in {solutions} echo 0 2 4 1 3;; esac")),
        ("unknown", format!("case $1 in {solutions} echo unknown;; esac")),
        ("slow", format!("case $1 in {solutions} exec sleep 60;; esac")),
    ];
    let mut toml = "schema_version = 1\nname = \"troubled\"\n[sweep]\nn = \"4,5\"\ngoal = \"enumerate\"\nrepeat = 2\n\
        warmup = 0\ntimeout = \"1h\"\n[[solver]]\nid = \"backtrack/dlx\"\nitems = [\"organ-pipe\", \"natural\"]\n\
        [[solver]]\nid = \"backtrack/bitmask\"\nn = \"5\"\n"
        .to_owned();
    for (name, script) in programs {
        fs::write(directory.path().join(format!("{name}.sh")), script).expect("written");
        let timeout = if name == "slow" { "timeout = \"50ms\"\n" } else { "" };
        toml +=
            &format!("[[program]]\nid = \"{name}\"\ncommand = [\"sh\", \"{name}.sh\", \"{{n}}\"]\n{timeout}");
    }
    toml += "[[claim]]\nsays = \"c\"\nmeasure = \"time\"\nof = \"program/wrong\"\ncompared_with = \"program/crash\"\nratio = \"> 0\"\n";
    fs::write(directory.path().join("troubled.toml"), toml).expect("written");
    let output = command(directory.path(), "queenlab sweep troubled.toml --out out -q");
    assert_eq!(output.status.code(), Some(3), "{}", String::from_utf8_lossy(&output.stderr));
    directory
}

/// Runs a command line in a directory. `queenlab` is this build.
fn command(directory: &Path, line: &str) -> std::process::Output {
    let programs = Path::new(env!("CARGO_BIN_EXE_queenlab")).parent().expect("a directory");
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap_or_default());
    let mut shell = Command::new("sh");
    shell.args(["-c", line]).current_dir(directory).env("PATH", path).output().expect("a shell")
}

/// A cell of a table opens the list of its runs, the output of failed runs, and a command that repeats the runs in the directory
/// of the sweep.
#[test]
#[ignore = "long: a browser"]
fn opened_table_cell_lists_runs_and_command() {
    let Some(browser) = browser() else { return };
    let directory = failing_results();
    let out = directory.path().join("out");
    for (series, solver, status, printed) in [
        ("program/crash", "program/crash", "crashed", vec!["<b>bold</b>", "too large"]),
        ("program/wrong", "program/wrong", "complete", vec!["0 2 4 1 3"]),
        ("program/unknown", "program/unknown", "unknown", vec![]),
        ("backtrack/dlx:items=natural", "backtrack/dlx:items=natural", "complete", vec![]),
        ("backtrack/bitmask", "backtrack/bitmask", "complete", vec![]),
    ] {
        let call = format!("runs(frame, '{series}', 5)");
        let opened_cell =
            findings_of(browser, &out, (include_str!("runs.js"), &call), (WIDE_WIDTH, "", false));
        let rows = opened_cell["rows"].as_array().unwrap_or_else(|| panic!("{series}: {opened_cell}"));
        assert!(rows.iter().all(|row| row[3] == status), "{series}: {opened_cell}");
        let texts = opened_cell["printed"].as_array().expect("a list");
        assert_eq!(texts.len(), usize::from(!printed.is_empty()), "{series}: {opened_cell}");
        assert!(
            printed.iter().all(|part| texts[0].as_str().is_some_and(|text| text.contains(part))),
            "{opened_cell}"
        );
        for link in opened_cell["links"].as_array().expect("a list") {
            let file = fs::read_to_string(out.join(link.as_str().expect("a path"))).expect("a file");
            assert!(printed.iter().all(|part| file.contains(part)), "{file}");
        }
        let line = opened_cell["command"].as_str().expect("a command");
        command(directory.path(), line);
        let repeated_directory = directory.path().join("again");
        let (repeated_rows, _) = table::read::<Row>(&repeated_directory).expect("runs");
        assert_eq!(repeated_rows.len(), rows.len(), "{line}");
        let is_of_cell = |row: &Row| row.solver == solver && row.n == 5 && row.status.name() == status;
        assert!(repeated_rows.iter().all(is_of_cell), "{line}: {repeated_rows:?}");
        fs::remove_dir_all(repeated_directory).expect("removed");
    }
}

/// Without scripts, a table links to the output of failed runs. A page in another directory names the command that prints the
/// output.
#[test]
fn page_links_failed_runs_to_their_output() {
    let directory = failing_results();
    let out = directory.path().join("out");
    let (rows, _) = table::read::<Row>(&out).expect("runs");
    let crashed_row = rows.iter().find(|row| row.status == Status::Crashed).expect("a crash");
    let link = format!("href=\"outputs/{}.txt\"", crashed_row.run_id);
    let page = fs::read_to_string(out.join("report.html")).expect("a page");
    assert!(page.contains(&link) && page.contains(r"\u003cb>bold\u003c/b>"), "{link}");
    command(directory.path(), "queenlab report out --out elsewhere -q");
    let page_elsewhere = fs::read_to_string(directory.path().join("elsewhere/report.html")).expect("a page");
    assert!(
        !page_elsewhere.contains("href=\"outputs") && page_elsewhere.contains(r"\u003cb>bold"),
        "{page_elsewhere}"
    );
    // The output is untrusted. A run id that is a path to another place is not opened.
    fs::write(directory.path().join("secret.txt"), "a secret").expect("written");
    let csv = fs::read_to_string(out.join("runs.csv")).expect("a table");
    fs::write(out.join("runs.csv"), csv.replace(&crashed_row.run_id, "../../secret")).expect("written");
    command(directory.path(), "queenlab report out -q");
    let page = fs::read_to_string(out.join("report.html")).expect("a page");
    assert!(!page.contains("a secret"));
}

/// The first plot and its axis are on the first screen. The page of `quick`, which has nine claims, is at most four screens high.
#[test]
#[ignore = "long: a browser"]
fn first_plot_is_visible_without_scrolling() {
    let Some(browser) = browser() else { return };
    let names = ["quick", "textbook", "paradigms", "sat-vs-backtracking"];
    let records = names.map(|name| (name, page_of_record(name)));
    let failing_results = failing_results();
    let pages = records.iter().map(|(name, page)| (*name, page.path().to_owned()));
    for (name, page) in pages.chain([("troubled", failing_results.path().join("out"))]) {
        for (width, height) in [(1400, 900), (390, 844)] {
            let call = format!("extent(frame, {height})");
            let extent = findings_of(browser, &page, (include_str!("runs.js"), &call), (width, "", false));
            let pixels = |key: &str| extent[key].as_f64().unwrap_or_else(|| panic!("{name}: {extent}"));
            assert!(
                pixels("bottom") > 300.0 && pixels("bottom") <= f64::from(height),
                "{name}, {width} px: {extent}"
            );
            assert!(name != "quick" || width != 1400 || pixels("height") <= 3600.0, "{name}: {extent}");
        }
    }
}

/// The page with its plots and tables scrambled: all texts are equal, and all shapes have the same position.
fn scrambled(page: &str) -> String {
    let (visible, script) = page.split_at(page.find("<script").expect("a script"));
    let rules = [
        (r#" points="[^"]*""#, r#" points="1,1""#),
        (r#" (cx|cy|y)="[^"]*""#, r#" $1="1""#),
        (r"translate\([^)]*\)", "translate(1 1)"),
        (r"<(text|t[dh]|small|title)( [^>]*)?>[^<]*", "<$1$2>1"),
        (r"</svg> [^<]*</li>", "</svg> 1</li>"),
    ];
    let scrambled_page = rules.iter().fold(visible.to_owned(), |page, (pattern, instead)| {
        regex_lite::Regex::new(pattern).expect("valid").replace_all(&page, *instead).into_owned()
    });
    scrambled_page + script
}

/// Makes the page of a recorded result in a temporary directory.
fn page_of_record(name: &str) -> tempfile::TempDir {
    let record = record(name);
    let directory = tempfile::tempdir().expect("temporary directory");
    let out = directory.path().to_str().expect("UTF-8");
    queenlab(&["report", record.to_str().expect("UTF-8"), "--out", out, "-q"]);
    directory
}

fn scramble(directory: &Path) {
    let file = directory.join("report.html");
    let page = fs::read_to_string(&file).expect("written");
    fs::write(&file, scrambled(&page)).expect("written");
}

/// Series with everything that a plot can show: dots, bands, limits, medians that include a stopped run, and grey lines.
fn rows_with_all_plot_features() -> Vec<Row> {
    let largest_size = |series| if series == 0 { 80 } else { 9 };
    let runs = (0..14_u64).flat_map(|series| (4..=largest_size(series)).map(move |n| (series, n)));
    let repeated_runs =
        runs.flat_map(|(series, n)| (0..5_u32).map(move |repetition| (series, n, repetition)));
    let row_of = |(series, n, repetition): (u64, usize, u32)| {
        let time = (series + 1) * 100 * (n as u64).pow(3) * u64::from(repetition + 1);
        let row = Row {
            repetition,
            time_limit_ns: Some(if series == 5 { 10_000_000_000 } else { 1_000_000_000 }),
            ..row(n, Goal::Count, &format!("a/{series}"))
        };
        // One series has no answers.
        let is_stopped = series == 7 || n == 9 && (repetition == 4 || series == 3);
        with_ids(match is_stopped {
            true => Row { status: Status::Timeout, verdict: Verdict::Unchecked, ..row },
            false => {
                // For the larger boards, there is no count.
                let solutions = published::solutions(n).or(Some(1));
                Row {
                    status: Status::Complete,
                    verdict: Verdict::Correct,
                    solutions,
                    solve_ns: Some(time),
                    ..row
                }
            }
        })
    };
    repeated_runs.map(row_of).collect()
}

#[test]
#[ignore = "long: a browser"]
fn plots_are_equal_with_and_without_script() {
    let Some(browser) = browser() else { return };
    let directory = tempfile::tempdir().expect("temporary directory");
    // If a plot has only ten series, none of them is grey.
    let rows = rows_with_all_plot_features();
    let ten_series = rows.iter().filter(|row| row.solver.len() == "a/0".len()).cloned().collect::<Vec<_>>();
    for (rows, min_shapes) in [(ten_series, 500), (rows, 100)] {
        table::write(directory.path(), &rows).expect("written");
        queenlab(&["report", directory.path().to_str().expect("UTF-8")]);
        assert_drawn_alike(browser, directory.path(), min_shapes);
    }
}

/// The violations of WCAG 2.2, levels A and AA, that axe-core finds; `None` if it is not installed.
fn violations(browser: &str, directory: &Path, dark: bool) -> Option<Value> {
    let axe = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/peers/node_modules/axe-core/axe.min.js");
    let Ok(axe) = fs::read_to_string(axe) else {
        eprintln!("skipped: no axe-core in target/peers; its rules for report.html are not checked");
        return None;
    };
    let page = fs::read_to_string(directory.join("report.html")).expect("written");
    // The page's content security policy allows no other script, so the policy is removed.
    let policy = regex_lite::Regex::new("<meta http-equiv=[^>]*>").expect("valid");
    let axe_script = "onload = async () => { \
        document.querySelectorAll('details').forEach((details) => { details.open = true; }); \
        const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']; \
        const found = await axe.run(document, { runOnly: { type: 'tag', values: tags } }); \
        const findings = { passes: found.passes.length, violations: found.violations.map(({ id, nodes }) => [id, ...nodes.map((node) => node.html.slice(0, 200))]) }; \
        const pre = document.createElement('pre'); pre.id = 'axe'; pre.textContent = JSON.stringify(findings); document.body.append(pre); };";
    let page = policy.replace(&page, "");
    let page =
        page.replace("</body>", &format!("<script>{axe}</script><script>{axe_script}</script></body>"));
    let file = directory.join("axe.html");
    fs::write(&file, page).expect("written");
    let scheme = format!("--blink-settings=preferredColorScheme={}", u8::from(!dark));
    let (dom, _) = open(browser, &file, &["--dump-dom", &scheme, "--window-size=1400,900"]);
    let findings = dom.split("<pre id=\"axe\">").nth(1).and_then(|rest| rest.split("</pre>").next());
    let findings = findings.expect("axe ran").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    Some(serde_json::from_str(&findings).expect("JSON"))
}

#[test]
#[ignore = "long: a browser"]
fn axe_reports_no_violation_in_either_theme() {
    let Some(browser) = browser() else { return };
    let hostile = hostile_results();
    queenlab(&["report", hostile.path().to_str().expect("UTF-8")]);
    for directory in [page_of_record("quick"), page_of_record("paradigms"), hostile] {
        for dark in [false, true] {
            let Some(audit) = violations(browser, directory.path(), dark) else { return };
            assert!(audit["passes"].as_u64() > Some(15), "{audit}");
            assert_eq!(audit["violations"], serde_json::json!([]), "dark: {dark}");
        }
    }
}

/// Figures for papers compile, fit into their columns, and may have labels with any character.
#[test]
#[ignore = "long: LaTeX"]
fn latex_figures_compile_in_one_and_two_columns() {
    let is_installed = |program: &str, argument: &str| {
        Command::new(program).arg(argument).output().is_ok_and(|output| output.status.success())
    };
    if !(is_installed("pdflatex", "--version") && is_installed("kpsewhich", "pgfplots.sty")) {
        eprintln!("skipped: no pdflatex with pgfplots; figures for papers are not compiled");
        return;
    }
    let unusual_labels = tempfile::tempdir().expect("temporary directory");
    let ascii: String = (' '..='~').filter(|c| *c != ':').collect();
    let labels = [ascii.as_str(), "é ß † · µ – 日本 🙂 ½ Ž"];
    let mut rows = rows_with_all_plot_features();
    for row in &mut rows {
        if row.solver.as_str() == "a/0" || row.solver.as_str() == "a/5" {
            let label = labels[usize::from(row.solver.as_str() == "a/5")];
            *row = with_ids(Row { solver: format!("b/{label}").parse().expect("an id"), ..row.clone() });
        }
    }
    rows.retain(|row| row.n < 12);
    table::write(unusual_labels.path(), &rows).expect("written");
    let directories = [
        (record("quick"), "time"),
        (record("paradigms-limits"), "time-count"),
        (record("textbook"), "nodes"),
        (unusual_labels.path().to_owned(), "time"),
    ];
    for (directory, name) in directories {
        let paper = tempfile::tempdir().expect("temporary directory");
        for columns in ["1", "2"] {
            let path = directory.to_str().expect("UTF-8");
            let output = Command::new(env!("CARGO_BIN_EXE_queenlab"))
                .args(["report", path, "--figure", name, "--format", "pgfplots", "--columns", columns])
                .output()
                .expect("starts");
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            fs::write(paper.path().join(format!("figure{columns}.tex")), output.stdout).expect("written");
        }
        let document = "\\documentclass[twocolumn]{article}\n\\usepackage{pgfplots}\n\\pgfplotsset{compat=1.17}\n\\begin{document}\n\
            \\begin{figure}\\centering\\input{figure1}\\end{figure}\n\\begin{figure*}\\centering\\input{figure2}\\end{figure*}\n\\end{document}\n";
        fs::write(paper.path().join("paper.tex"), document).expect("written");
        let output = Command::new("pdflatex")
            .args(["-interaction=nonstopmode", "-halt-on-error", "paper.tex"])
            .current_dir(paper.path())
            .output()
            .expect("starts");
        let log = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{}: {log}", directory.display());
        let is_wide = log.contains("Overfull \\hbox") && directory != unusual_labels.path();
        assert!(!is_wide, "{}: {log}", directory.display());
    }
}

/// The script of a page draws the same shapes as the page without scripts, and at least `min_shapes`.
fn assert_drawn_alike(browser: &str, directory: &Path, min_shapes: usize) {
    let places = |sandbox| {
        findings_of(
            browser,
            directory,
            (include_str!("read.js"), "places(frame)"),
            (WIDE_WIDTH, sandbox, false),
        )
    };
    let drawn = places("sandbox=allow-same-origin");
    scramble(directory);
    let redrawn = places("");
    let plots = |places: &Value| places.as_array().expect("a list").clone();
    let shapes = |plot: &Value| plot.as_array().expect("a list").clone();
    let count = plots(&drawn).iter().flat_map(shapes).count();
    assert!(count >= min_shapes, "{count} shapes");
    for (drawn, redrawn) in plots(&drawn).iter().zip(&plots(&redrawn)) {
        let mut pairs = shapes(drawn).into_iter().zip(shapes(redrawn));
        assert_eq!(pairs.find(|(drawn, redrawn)| drawn != redrawn), None);
    }
    assert_eq!(drawn, redrawn);
}

/// The times of a result, and its node counts by solver and size.
type Expected = (Vec<TimingsRow>, Vec<(SolverRef, usize, u64)>);

/// Asserts that every point in the plots has the value in `timings.csv` or `nodes.csv`, and that every value has a point.
fn assert_exact_values(directory: &Path, page_values: &Value) -> Expected {
    let texts = |plot: &str| -> Vec<&str> {
        page_values["points"][plot].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
    };
    let has_point = |plot: &str, solver: &str, n: usize, exact: &str| {
        let point = format!(", n = {n}: ");
        let is_value = |text: &&str| {
            let Some((names, value)) = text.split_once(&point) else { return false };
            names.split(", ").any(|name| name == solver)
                && (value == exact
                    || value.starts_with(&format!("{exact}, "))
                    || value.ends_with(&format!("; exactly {exact}")))
        };
        texts(plot).iter().any(is_value)
    };
    let (timings, _) = table::read::<TimingsRow>(directory).expect("read");
    let (nodes, _) = table::read::<NodesRow>(directory).expect("read");
    // Other solvers have no search tree.
    let nodes = nodes.iter().filter_map(|row| Some((row.solver.clone(), row.n, row.stats.get(Stat::Nodes)?)));
    let nodes: Vec<(SolverRef, usize, u64)> = nodes.collect();
    let medians = timings.iter().filter_map(|row| Some((&row.solver, row.n, row.median_ns?)));
    assert!(medians.clone().count() > 20 && nodes.len() > 20);
    for (solver, n, time) in medians.clone() {
        let exact_time = format!("{} ns", thousands(time));
        assert!(has_point("time", solver, n, &exact_time), "{solver} {n} {exact_time}: {:?}", texts("time"));
    }
    assert_eq!(texts("time").len(), medians.count());
    for (solver, n, count) in &nodes {
        let exact_count = thousands(*count);
        assert!(
            has_point("nodes", solver, *n, &exact_count),
            "{solver} {n} {exact_count}: {:?}",
            texts("nodes")
        );
    }
    (timings, nodes)
}

#[test]
#[ignore = "long: a browser"]
fn tooltips_have_the_values_of_the_tables() {
    let Some(browser) = browser() else { return };
    for name in ["textbook", "sat-vs-backtracking"] {
        let directory = page_of_record(name);
        let page_values = findings_of(
            browser,
            directory.path(),
            (include_str!("read.js"), "read(frame)"),
            (WIDE_WIDTH, "", false),
        );
        assert_exact_values(directory.path(), &page_values);
    }
}

/// Everything in the page of `quick` is scrambled except the JSON island, and the script still shows the right values.
#[test]
#[ignore = "long: a browser"]
fn page_script_takes_values_only_from_json() {
    let Some(browser) = browser() else { return };
    let directory = page_of_record("quick");
    scramble(directory.path());
    // A spreadsheet would interpret this cell as a formula.
    let file = directory.path().join("report.html");
    let page = fs::read_to_string(&file).expect("written");
    fs::write(&file, page.replace("\"heads\":[\"Solver\"", r#""heads":["=1+\"1\"""#)).expect("written");
    let page_values = findings_of(
        browser,
        directory.path(),
        (include_str!("read.js"), "read(frame)"),
        (WIDE_WIDTH, "", false),
    );
    let (timings, nodes) = assert_exact_values(directory.path(), &page_values);
    // The tables as they are shown, and as exact values.
    let csv = page_values["tables"]["Table Nodes"].as_str().expect("a table");
    assert!(csv.starts_with(r#""'=1+""1""",n = "#), "{csv}");
    let line =
        |solver: &str| csv.lines().find(|line| line.starts_with(&format!("{solver},"))).expect("a row");
    for (solver, _, count) in &nodes {
        assert!(line(solver).contains(&thousands(*count)), "{solver} {count}: {csv}");
    }
    let largest_size = timings.iter().map(|row| row.n).max();
    let mut largest_rows: Vec<&TimingsRow> =
        timings.iter().filter(|row| Some(row.n) == largest_size).collect();
    largest_rows.sort_by_key(|row| row.median_ns);
    let expected: Vec<&str> = largest_rows.iter().map(|row| row.solver.as_str()).collect();
    let sorted_lines = page_values["sorted"].as_str().expect("a table").lines().skip(1).take(expected.len());
    assert_eq!(sorted_lines.filter_map(|line| line.split(',').next()).collect::<Vec<_>>(), expected);
}

#[test]
fn page_of_the_quick_experiment_is_small() {
    let directory = page_of_record("quick");
    let size = fs::metadata(directory.path().join("report.html")).expect("written").len();
    assert!((100_000..450_000).contains(&size), "{size} bytes");
}

/// A program chooses the name of a statistic, which becomes a column, the name of a file, and titles of a plot and of a table.
#[test]
fn unusual_statistic_names_are_shown_or_refused() {
    let directory = tempfile::tempdir().expect("temporary directory");
    let longest_name = "x".repeat(64);
    let names = ["-", "_", "DD", "9", "nodes-", longest_name.as_str()];
    let rows: Vec<Row> = (4_u32..8)
        .map(|n| {
            let statistics = (11_u64..).zip(names).map(|(base, name)| (name.to_owned(), base.pow(n)));
            with_ids(Row {
                kind: Kind::Timed,
                repetition: 1,
                round: 1,
                status: Status::Complete,
                solutions: published::solutions(n as usize),
                digest: Some("0".repeat(32)),
                solve_ns: Some(1000),
                program_stats: statistics.collect(),
                ..row(n as usize, Goal::Count, "program/p")
            })
        })
        .collect();
    table::write(directory.path(), &rows).expect("written");
    let out = directory.path().to_str().expect("UTF-8");
    queenlab(&["report", out]);
    let page = fs::read_to_string(directory.path().join("report.html")).expect("written");
    for (base, name) in (11_u64..).zip(names) {
        let plot = directory.path().join(format!("plots/stat.{name}.svg"));
        assert!(plot.exists() && page.contains(&base.pow(7).to_string()), "{name}");
    }
    let runs = fs::read_to_string(directory.path().join(Row::FILE)).expect("written");
    for broken in
        ["stat.", "stat.é", "stat.../x", "stat.a b", "stat.<b>", "stat.\u{1b}", "factor.", "factor.é"]
    {
        fs::write(directory.path().join(Row::FILE), runs.replacen("stat.DD", broken, 1)).expect("written");
        let output =
            Command::new(env!("CARGO_BIN_EXE_queenlab")).args(["report", out]).output().expect("starts");
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{broken}: {message}");
        assert!(message.contains("runs.csv"), "{broken}: {message}");
    }
}

/// Results with hostile names, errors and boards.
fn hostile_results() -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("temporary directory");
    let markup = "</svg></style><script>document.title='taken'</script><img src=http://example.org/x onerror=alert(1)>";
    let solvers =
        [format!("sat/{markup}"), "program/../../../x".to_owned(), format!("a/{}", "wide".repeat(5000))];
    // For these sizes, no digest of all solutions is known, so the answers are not wrong and are drawn.
    let rows: Vec<Row> = (13..18)
        .flat_map(|n| solvers.iter().map(move |solver| (n, solver)))
        .map(|(n, solver)| {
            let row = row(n, Goal::Enumerate, solver);
            let verdict_reason = Some(format!("{markup}\u{7}\u{202e}{}", "long ".repeat(2000)));
            let verdict = if n == 13 { Verdict::Wrong } else { Verdict::Correct };
            let solve_ns = Some(u64::MAX - n as u64);
            with_ids(Row {
                status: Status::Complete,
                solutions: published::solutions(n),
                digest: Some(markup.to_owned()),
                kind: if n == 14 { Kind::Counting } else { Kind::Timed },
                stats: [(Stat::Clauses, u64::MAX), (Stat::Vars, 1)].into(),
                solve_ns,
                verdict,
                verdict_reason,
                ..row
            })
        })
        .collect();
    table::write(directory.path(), &rows).expect("written");
    let difference = CrosscheckRow {
        variant: ProblemRef::default(),
        schema_version: SCHEMA_VERSION,
        n: 4,
        goal: queenlab::solver::Goal::Enumerate,
        solver: markup.parse().expect("a solver"),
        against: markup.parse().expect("a solver"),
        solutions: 0,
        digest: None,
        agrees: false,
        missing: Some(2),
        extra: None,
        illegal: None,
        duplicates: None,
        first_difference: Some(markup.into()),
    };
    table::write(directory.path(), &[difference]).expect("written");
    directory
}

#[test]
#[ignore = "long: a browser"]
fn text_from_untrusted_files_is_never_markup() {
    let directory = hostile_results();
    let out = directory.path().to_str().expect("UTF-8");
    queenlab(&["report", out]);
    let page = fs::read_to_string(directory.path().join("report.html")).expect("written");
    assert!(
        page.matches("<script").count() == 2 && !page.contains("<img") && page.contains("&#60;script&#62;")
    );
    let Some(browser) = browser() else { return };
    assert_no_findings(browser, directory.path(), 1..=12);
    let (dom, _) = open(browser, &directory.path().join("report.html"), &["--dump-dom"]);
    assert!(dom.contains("<title>Results · queenlab</title>"), "{}", &dom[..500.min(dom.len())]);
}

#[test]
#[ignore = "long: a browser"]
fn report_without_runs_passes_browser_checks() {
    let directory = tempfile::tempdir().expect("temporary directory");
    table::write::<Row>(directory.path(), &[]).expect("written");
    queenlab(&["report", directory.path().to_str().expect("UTF-8")]);
    let Some(browser) = browser() else { return };
    assert_no_findings(browser, directory.path(), 0..=0);
}

#[test]
#[ignore = "long: a browser"]
fn report_page_prints_to_pdf() {
    let Some(browser) = browser() else { return };
    let directory = hostile_results();
    queenlab(&["report", directory.path().to_str().expect("UTF-8")]);
    let pdf = directory.path().join("report.pdf");
    let print_option = format!("--print-to-pdf={}", pdf.display());
    let options = [print_option.as_str(), "--no-pdf-header-footer"];
    open(browser, &directory.path().join("report.html"), &options);
    let bytes = fs::read(&pdf).expect("printed");
    assert!(bytes.starts_with(b"%PDF-") && bytes.len() > 10_000, "{} bytes", bytes.len());
}
