//! Claims of experiments: the verdicts that `sweep` and `report` print, and the verdicts of the recorded experiments.

use std::collections::BTreeMap;
use std::path::Path;

use queenlab::experiment::StoredResults;
use queenlab::record::{ClaimRow, ClaimVerdict, Row, table};
use queenlab::report::{ReportData, ReportPart, claims, runs};
use queenlab::spec::Spec;
use queenlab::spec::claim::Claim;

use crate::harness::{assert_wording, read, record, refused_in, run_in, scratch, without_numbers, write};

/// An experiment with three claims, one for each verdict.
const SPEC: &str = r#"schema_version = 1
name = "claims"
[sweep]
n = "4-6"
repeat = 1
[[solver]]
id = "backtrack/bitmask"
[[solver]]
id = "backtrack/permutations"
n = "4-5"

[[claim]]
says = "Published nodes"
source = "OEIS"
measure = "nodes"
of = "backtrack/bitmask"
published = "A319283"
equal = true

[[claim]]
says = "At most ten"
measure = "solutions"
of = "backtrack/bitmask"
value = 4
ratio = "<= 1"

[[claim]]
says = "Slower permutations"
measure = "time"
of = "backtrack/permutations"
compared_with = "backtrack/bitmask"
ratio = "> 1"
n = "4-5"
"#;

fn verdicts(directory: &Path) -> Vec<ClaimVerdict> {
    let rows: Vec<ClaimRow> = table::read(directory).expect("claims.csv").0;
    rows.into_iter().map(|row| row.verdict).collect()
}

#[test]
fn option_fail_on_claim_exits_with_7() {
    let directory = scratch();
    let path = directory.path();
    write(path, "x.toml", SPEC);
    let (code, out, err) = run_in(path, &["sweep", "x.toml", "-o", "r"]);
    assert_eq!(code, 0, "{err}");
    let lines: Vec<&str> = out.lines().skip_while(|line| !line.starts_with("claims: 1 ")).take(3).collect();
    let [summary, fails, undecided] = lines[..] else { panic!("{out}") };
    assert_wording("sweep", "claims: summary", summary);
    assert!(fails.starts_with("  fails: At most ten (n = 5: 2.50 "), "{out}");
    assert_wording("sweep", "claims: one that fails", fails);
    assert!(undecided.starts_with("  undecided: Slower permutations (n = 4: "), "{out}");
    assert_wording("sweep", "claims: one that is undecided", &without_numbers(undecided));
    let expected_verdicts = [ClaimVerdict::Holds, ClaimVerdict::Fails, ClaimVerdict::Undecided];
    assert_eq!(verdicts(&path.join("r")), expected_verdicts);
    let csv = read(&path.join("r"), "claims.csv");
    let first_row = "3,1,Published nodes,OEIS,nodes,backtrack/bitmask,A319283,4-6,0,equal,holds,,before\n";
    assert!(csv.contains(first_row), "{csv}");
    let page = read(&path.join("r"), "report.html");
    let position = |text: &str| page.find(text).unwrap_or_else(|| panic!("the page has no '{text}'"));
    assert!(position("id=\"times\"") < position("At most ten"), "the plot must come before the claims");
    assert!(
        position("<td>equal</td>") < position("Slower permutations"),
        "a difference of 0 must be written as 'equal'"
    );

    // `report` reads the claims in experiment.toml.
    std::fs::remove_file(path.join("r/claims.csv")).expect("a file");
    assert_eq!(run_in(path, &["report", "r"]).0, 0);
    assert_eq!(verdicts(&path.join("r")), expected_verdicts);
    assert_eq!(run_in(path, &["report", "r", "--fail-on-claim"]).0, 7);
    assert_eq!(run_in(path, &["sweep", "x.toml", "-o", "r", "--fail-on-claim", "-q"]).0, 7);

    // A claim that is edited after the runs does not change the plan, so no run is repeated.
    let runs = read(&path.join("r"), "runs.csv");
    let edited_spec = SPEC.replace("value = 4", "value = 10");
    write(path, "later.toml", &edited_spec);
    assert_eq!(run_in(path, &["report", "r", "--spec", "later.toml", "--fail-on-claim"]).0, 0);
    assert_eq!(verdicts(&path.join("r"))[1], ClaimVerdict::Holds);
    let (code, _, err) = run_in(path, &["sweep", "later.toml", "-o", "r", "--fail-on-claim"]);
    assert_eq!(code, 0, "{err}");
    assert_eq!(run_in(path, &["report", "r"]).0, 0);
    assert_eq!(verdicts(&path.join("r"))[1], ClaimVerdict::Holds);
    assert_eq!(read(&path.join("r"), "runs.csv"), runs);

    // A solver that does not exist, and an experiment that does not exist.
    write(
        path,
        "bad.toml",
        &SPEC.replace("compared_with = \"backtrack/bitmask\"", "compared_with = \"backtrack/bitmaks\""),
    );
    let error = refused_in(path, &["sweep", "bad.toml", "--dry-run"]);
    assert!(error.contains("bad.toml:31:17: ") && error.contains("'backtrack/bitmaks'"), "{error}");
    let error = refused_in(path, &["report", "r", "--spec", "nothing.toml"]);
    assert!(error.contains("'nothing.toml'"), "{error}");
}

/// An experiment with three claims: about solvers with options, about most sizes, and about a mean over seeds.
const OPTIONS: &str = r#"schema_version = 1
name = "options"
[sweep]
n = "4-9"
variant = ["queens", "queens;forbid=0:0"]
goal = "first"
repeat = 1
seed = "1-5"
[[solver]]
id = "backtrack/forward-checking"
rows = ["first", "smallest"]
[[solver]]
id = "local/min-conflicts"

[[claim]]
says = "Fail-first is not worse"
measure = "nodes"
of = "backtrack/forward-checking:rows=smallest"
compared_with = "backtrack/forward-checking"
ratio = "<= 1"
variant = "queens"

[[claim]]
says = "An odd board is quicker"
note = "nodes stand for time"
measure = "nodes"
of = "backtrack/forward-checking"
compared_with = "backtrack/forward-checking"
shift = 1
ratio = "> 1"
n = "4-8:2"
most = true
variant = "queens"

[[claim]]
says = "Few repairs are enough"
measure = "repairs"
of = "local/min-conflicts"
value = 1000
ratio = "< 1"
variant = "queens"
"#;

#[test]
fn claims_may_select_options_seeds_sizes_and_variants() {
    let directory = scratch();
    let path = directory.path();
    write(path, "x.toml", OPTIONS);
    let (code, out, err) = run_in(path, &["sweep", "x.toml", "-o", "r", "-q"]);
    assert_eq!(code, 0, "{out}{err}");
    assert_eq!(verdicts(&path.join("r")), [ClaimVerdict::Holds; 3]);
    let csv = read(&path.join("r"), "claims.csv");
    assert!(csv.contains("backtrack/forward-checking at n + 1,\"4,6,8\","), "{csv}");
    // The names of solvers and problems in a claim must be the names in the result tables.
    for (key, from, to, place) in [
        (
            "another name of a solver",
            "of = \"backtrack/forward-checking:rows=smallest\"",
            "of = \"backtrack/forward-checking:values=lowest,rows=smallest\"",
            "18:6: ",
        ),
        ("an unknown value of an option", "rows=smallest\"\ncompared", "rows=smalest\"\ncompared", "18:6: "),
        (
            "a problem that is not in the sweep",
            "variant = \"queens\"",
            "variant = \"toroidal\"",
            "21:11: variant: ",
        ),
        ("a size that is not in the sweep", "n = \"4-8:2\"", "n = \"4-9\"", "31:5: n: 10 "),
        ("several problems", "ratio = \"<= 1\"\nvariant = \"queens\"", "ratio = \"<= 1\"", "18:6: "),
    ] {
        assert_refused(path, (key, OPTIONS), (from, to), place);
    }
}

/// An experiment with two goals and two numbers of threads.
const CHOICES: &str = r#"schema_version = 1
name = "choices"
[sweep]
n = "4-6"
goal = ["first", "count"]
repeat = 1
threads = "1,2"
[[solver]]
id = "backtrack/bitmask"
[[solver]]
id = "count/portable"
goal = "count"
[[solver]]
id = "backtrack/dlx"
goal = "first"

[[claim]]
says = "x"
measure = "solutions"
of = "backtrack/bitmask"
compared_with = "count/portable"
equal = true
goal = "count"
threads = 2
"#;

#[test]
fn claim_selects_one_goal_and_one_thread_count() {
    let directory = scratch();
    let path = directory.path();
    write(path, "x.toml", CHOICES);
    let (code, out, err) = run_in(path, &["sweep", "x.toml", "-o", "r", "-q"]);
    assert_eq!(code, 0, "{out}{err}");
    assert_eq!(verdicts(&path.join("r")), [ClaimVerdict::Holds]);
    let dlx = "compared_with = \"backtrack/dlx\"";
    for (key, from, to, place) in [
        ("several goals", "goal = \"count\"\nthreads", "threads", "20:6: "),
        ("several numbers of threads", "threads = 2\n", "", "20:6: "),
        ("another number of threads", "threads = 2\n", "threads = 3\n", "24:11: threads: "),
        ("another goal", "compared_with = \"count/portable\"", dlx, "23:8: goal: "),
        ("a share of 0", "equal = true", "equal = true\nmost = 0", "23:8: most: "),
        ("an unknown measure", "\"solutions\"", "\"speed\"", "19:11: measure: "),
        (
            "a measure that a solver lacks",
            "measure = \"solutions\"",
            "measure = \"nodes\"",
            "19:11: measure: ",
        ),
    ] {
        assert_refused(path, (key, CHOICES), (from, to), place);
    }
}

/// Asserts that an experiment with one change is refused, and that the error message states the line and column.
#[track_caller]
fn assert_refused(path: &Path, (key, text): (&str, &str), (from, to): (&str, &str), place: &str) {
    let changed_spec = text.replacen(from, to, 1);
    assert_ne!(changed_spec, text, "{from}");
    write(path, "x.toml", &changed_spec);
    let (code, _, error) = run_in(path, &["sweep", "x.toml", "--dry-run"]);
    assert!(code == 2 && error.contains(&format!("x.toml:{place}")), "{key}: {error}");
    assert_wording("sweep", &format!("a claim: {key}"), &error);
}

/// Reads a recorded experiment and judges its claims.
fn read_and_judge(record: &Path) -> (StoredResults, Vec<ClaimRow>) {
    let stored = StoredResults::read(record).expect("a record");
    let report_data = ReportData { parts: vec![ReportPart::of(&stored, "")], ..ReportData::default() };
    let judged_claims =
        claims::judge(&report_data, &runs(&report_data.parts)).into_iter().map(|(_, row)| row).collect();
    (stored, judged_claims)
}

/// Each claim about counts must hold. A claim about times may fail or be undecided; the reason is then recorded.
#[test]
fn claims_about_counts_hold_in_every_record() {
    let (mut verdicts, mut records) = (BTreeMap::new(), 0);
    for entry in
        std::fs::read_dir("experiments/record").expect("tests run in the package's directory").flatten()
    {
        let record = entry.path();
        if !record.join("runs.csv").exists() {
            continue;
        }
        let (_, judged_claims) = read_and_judge(&record);
        records += 1;
        for claim in judged_claims {
            let reason = claim.counterexample.unwrap_or_default();
            if claim.verdict != ClaimVerdict::Holds {
                eprintln!("{:?}: {}: {}: {reason}", claim.verdict, record.display(), claim.says);
                let is_about_time = ["time", "wall", "reported_solve_ns"].contains(&claim.measure.as_str());
                assert!(
                    is_about_time && !reason.is_empty(),
                    "{}: {}: {reason}",
                    record.display(),
                    claim.says
                );
            }
            *verdicts.entry(claim.verdict).or_insert(0) += 1;
        }
    }
    assert!(records >= 8 && verdicts[&ClaimVerdict::Holds] >= 45, "{records} {verdicts:?}");
}

/// Each experiment of `experiments/literature` has a record with the same claims. The source of each claim says whether its value
/// was seen in the publication, is quoted from memory, or is only for comparison.
#[test]
fn every_claim_of_literature_is_recorded_with_source() {
    let specs =
        std::fs::read_dir("experiments/literature").expect("tests run in the package's directory").flatten();
    let specs =
        specs.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|end| end == "toml"));
    let (mut claim_count, mut experiment_count) = (0, 0);
    for path in specs {
        let text = std::fs::read_to_string(&path).expect("a spec");
        let spec = Spec::parse(&path.display().to_string(), &text).expect("a spec");
        assert_eq!(path.file_stem().and_then(|name| name.to_str()), Some(spec.name.as_str()));
        let record = record(&spec.name);
        let (stored, judged_claims) = read_and_judge(&record);
        let claims_json = |claims: &[Claim]| serde_json::to_string_pretty(claims).expect("JSON");
        let recorded_claims = stored.plan.expect("a plan").spec.claims;
        // A record of an earlier version has no digests of the claims, and its claims may differ.
        if stored.meta.expect("a description").stated.is_some() {
            assert_eq!(claims_json(&recorded_claims), claims_json(&spec.claims), "{}", record.display());
        }
        for claim in &recorded_claims {
            let source = claim.source.as_ref().map_or("", |source| source.as_str());
            assert!(
                ["(seen", "(from memory", "for comparison"].iter().any(|how| source.contains(how)),
                "{source}"
            );
        }
        let stored_rows: Vec<ClaimRow> = table::read(&record).expect("claims.csv").0;
        assert_eq!(stored_rows, judged_claims, "{}", record.display());
        claim_count += judged_claims.len();
        experiment_count += 1;
    }
    assert!(
        claim_count >= 30 && experiment_count >= 10,
        "{claim_count} claims of {experiment_count} experiment_count"
    );
}

#[test]
fn claims_about_another_goal_are_omitted() {
    let directory = tempfile::tempdir().expect("temporary directory");
    let arguments = ["sweep", "quick", "--n", "9-10", "--goal", "first", "--repeat", "1", "-o", "r"];
    let (code, out, err) = run_in(directory.path(), &arguments);
    let line = err.lines().find(|line| line.contains("0 of 9 ")).unwrap_or_else(|| panic!("{err}"));
    assert_eq!(code, 0, "{err}");
    assert_wording("sweep", "claims about another goal", line);
    assert!(!out.contains("claims:"), "{out}");
}

#[test]
fn report_page_states_speedup_of_each_idea() {
    let directory = tempfile::tempdir().expect("temporary directory");
    let path = directory.path();
    let solver = |id: &str, idea: &str| format!("[[solver]]\nid = \"{id}\"\nidea = \"{idea}\"\n");
    let spec = [
        "schema_version = 1\nname = \"x\"\n[sweep]\nn = \"4-6\"\nrepeat = 3\n".to_owned(),
        solver("backtrack/exhaustive", "try all"),
        solver("backtrack/bitmask", "use <bits>"),
        "[[solver]]\nid = \"backtrack/dlx\"\n".to_owned(),
        solver("backtrack/permutations", "permute"),
    ];
    std::fs::write(path.join("x.toml"), spec.concat()).expect("written");
    assert_eq!(run_in(path, &["sweep", "x.toml", "-o", "r", "-q"]).0, 0);
    // The measured times are replaced, so that the factors do not depend on the machine.
    let mut rows: Vec<Row> = table::read(&path.join("r")).expect("runs.csv").0;
    for row in rows.iter_mut().filter(|row| row.is_timed()) {
        let time = match row.solver.as_str() {
            "backtrack/exhaustive" => 6_000_000,
            "backtrack/bitmask" => 1_500_000,
            "backtrack/permutations" => 4_500_000,
            _ => 1,
        };
        (row.encode_ns, row.solve_ns, row.wall_ns) = (None, Some(time), Some(time));
    }
    table::write(&path.join("r"), &rows).expect("written");
    assert_eq!(run_in(path, &["report", "r", "-q"]).0, 0);
    let page = read(&path.join("r"), "report.html");
    assert!(page.contains("<dd>try all</dd>"), "the first idea must have no factor");
    let factor = |key: &str, idea: &str| {
        let end_of_page =
            page.split_once(&format!("<dd>{idea}: ")).unwrap_or_else(|| panic!("no '{idea}'")).1;
        let speedup_text =
            end_of_page.split_once("</dd>").expect("the end of the element").0.replace('\u{a0}', " ");
        let number = speedup_text.split(' ').find_map(|word| word.parse::<f64>().ok()).expect("a factor");
        assert!(speedup_text.ends_with("n = 6"), "{speedup_text}");
        assert_wording("report", key, &without_numbers(&speedup_text));
        number
    };
    assert_eq!(factor("an idea that is faster", "use &#60;bits&#62;"), 4.0);
    // The solver between these two solvers has no `idea` and is skipped.
    assert_eq!(factor("an idea that is slower", "permute"), 3.0);
}
