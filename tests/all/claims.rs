//! Claims through the program: verdicts after a sweep and by `report`, and those of the recorded experiments.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use queenlab::experiment::Stored;
use queenlab::experiment::claim::Claim;
use queenlab::experiment::spec::Spec;
use queenlab::record::{ClaimRow, Judgement, table};
use queenlab::registry::Registry;
use queenlab::report::{Material, Part, claims, runs};

use crate::harness::{read, run_in, scratch, write};

/// An experiment with a claim of each verdict.
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
says = "Bit masks visit the published number of nodes"
source = "OEIS"
measure = "nodes"
of = "backtrack/bitmask"
published = "A319283"
equal = true

[[claim]]
says = "There are at most ten solutions"
measure = "solutions"
of = "backtrack/bitmask"
value = 4
ratio = "<= 1"

[[claim]]
says = "Permutations are slower"
measure = "time"
of = "backtrack/permutations"
compared_with = "backtrack/bitmask"
ratio = "> 1"
n = "4-5"
"#;

fn verdicts(directory: &Path) -> Vec<Judgement> {
    let rows: Vec<ClaimRow> = table::read(directory).expect("claims.csv").0;
    rows.into_iter().map(|row| row.verdict).collect()
}

#[test]
fn a_sweep_and_a_report_judge_the_claims_and_fail_on_request() {
    let directory = scratch();
    let here = directory.path();
    write(here, "x.toml", SPEC);
    let (code, out, said) = run_in(here, &["sweep", "x.toml", "-o", "r"]);
    assert_eq!(code, 0, "{said}");
    assert!(out.contains("claims: 1 holds, 1 fails, 1 is undecided\n"), "{out}");
    assert!(out.contains("  fails: There are at most ten solutions (n = 5: 2.50 (10 against 4))\n"), "{out}");
    assert!(
        out.contains("  undecided: Permutations are slower (n = 4: ") && out.contains("but 1 round give"),
        "{out}"
    );
    let all = [Judgement::Holds, Judgement::Fails, Judgement::Undecided];
    assert_eq!(verdicts(&here.join("r")), all);
    let csv = read(&here.join("r"), "claims.csv");
    let first = "2,1,Bit masks visit the published number of nodes,OEIS,nodes,backtrack/bitmask,A319283,4-6,0,equal,holds,\n";
    assert!(csv.contains(first), "{csv}");
    let page = read(&here.join("r"), "report.html");
    let at = |text: &str| page.find(text).unwrap_or_else(|| panic!("the page has no '{text}'"));
    assert!(at("id=\"times\"") < at("There are at most ten solutions"), "the picture comes first");
    assert!(at("<td>equal</td>") < at("Permutations are slower"), "an observed difference of 0 is in words");

    // experiment.toml has the claims.
    std::fs::remove_file(here.join("r/claims.csv")).expect("a file");
    assert_eq!(run_in(here, &["report", "r"]).0, 0);
    assert_eq!(verdicts(&here.join("r")), all);
    assert_eq!(run_in(here, &["report", "r", "--fail-on-claim"]).0, 7);
    assert_eq!(run_in(here, &["sweep", "x.toml", "-o", "r", "--fail-on-claim", "-q"]).0, 7);

    // Claims that are written after the runs change no plan, and no run is repeated.
    let runs = read(&here.join("r"), "runs.csv");
    let later = SPEC.replace("value = 4", "value = 10");
    write(here, "later.toml", &later);
    assert_eq!(run_in(here, &["report", "r", "--spec", "later.toml", "--fail-on-claim"]).0, 0);
    assert_eq!(verdicts(&here.join("r"))[1], Judgement::Holds);
    let (code, _, said) = run_in(here, &["sweep", "later.toml", "-o", "r", "--fail-on-claim"]);
    assert_eq!(code, 0, "{said}");
    assert_eq!(run_in(here, &["report", "r"]).0, 0);
    assert_eq!(verdicts(&here.join("r"))[1], Judgement::Holds);
    assert_eq!(read(&here.join("r"), "runs.csv"), runs);

    // A solver that does not exist, and an experiment that does not.
    write(
        here,
        "bad.toml",
        &SPEC.replace("compared_with = \"backtrack/bitmask\"", "compared_with = \"backtrack/bitmaks\""),
    );
    let (code, _, said) = run_in(here, &["sweep", "bad.toml", "--dry-run"]);
    assert!(code == 2 && said.contains("bad.toml:30:6: unknown solver 'backtrack/bitmaks'"), "{said}");
    let (code, _, said) = run_in(here, &["report", "r", "--spec", "nothing.toml"]);
    assert!(code == 2 && said.contains("unknown experiment 'nothing.toml'"), "{said}");
}

/// A claim about solvers with options, about most sizes, and about a mean over seeds.
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
fn claims_name_solvers_with_options_seeds_neighbouring_sizes_and_variants() {
    let directory = scratch();
    let here = directory.path();
    write(here, "x.toml", OPTIONS);
    let (code, out, said) = run_in(here, &["sweep", "x.toml", "-o", "r", "-q"]);
    assert_eq!(code, 0, "{out}{said}");
    assert_eq!(verdicts(&here.join("r")), [Judgement::Holds; 3]);
    let csv = read(&here.join("r"), "claims.csv");
    assert!(csv.contains("backtrack/forward-checking at n + 1,\"4,6,8\","), "{csv}");
    // Names in claims are those of the tables, and so are problems.
    for (from, to, told) in [
        (
            "of = \"backtrack/forward-checking:rows=smallest\"",
            "of = \"backtrack/forward-checking:values=lowest,rows=smallest\"",
            "write 'backtrack/forward-checking:values=lowest,rows=smallest' as 'backtrack/forward-checking:rows=smallest'",
        ),
        ("rows=smallest\"\ncompared", "rows=smalest\"\ncompared", "option rows has no value 'smalest'"),
        (
            "variant = \"queens\"",
            "variant = \"toroidal\"",
            "variant: 'toroidal' is not in this sweep, which has queens, queens;forbid=0:0",
        ),
        ("n = \"4-8:2\"", "n = \"4-9\"", "x.toml:31:5: n = 10 is not"),
        (
            "ratio = \"<= 1\"\nvariant = \"queens\"",
            "ratio = \"<= 1\"",
            "x.toml:18:6: the sweep has several problems at n = 4 (queens, queens;forbid=0:0), and this claim does not say \
             which one it is about: add, for example, variant = \"queens\"",
        ),
    ] {
        let text = OPTIONS.replacen(from, to, 1);
        assert_ne!(text, OPTIONS);
        write(here, "x.toml", &text);
        let (code, _, said) = run_in(here, &["sweep", "x.toml", "--dry-run"]);
        assert!(code == 2 && said.contains(told), "{said}");
    }
}

/// An experiment with several goals and a program with a factor.
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
fn a_claim_says_which_of_several_goals_and_numbers_of_threads_it_is_about() {
    let directory = scratch();
    let here = directory.path();
    write(here, "x.toml", CHOICES);
    let (code, out, said) = run_in(here, &["sweep", "x.toml", "-o", "r", "-q"]);
    assert_eq!(code, 0, "{out}{said}");
    assert_eq!(verdicts(&here.join("r")), [Judgement::Holds]);
    for (from, to, told) in [
        ("goal = \"count\"\nthreads", "threads", "with several values of goal (count, first)"),
        ("threads = 2\n", "", "count/portable with several values of threads (1, 2)"),
        (
            "threads = 2\n",
            "threads = 3\n",
            "threads: count/portable: the sweep has no runs with 3, only with 1, 2",
        ),
        (
            "compared_with = \"count/portable\"",
            "compared_with = \"backtrack/dlx\"",
            "goal: backtrack/dlx: the sweep has no runs with count, only with first",
        ),
        ("equal = true", "equal = true\nmost = 0", "most: write most = true, or a share above 0"),
        (
            "\"solutions\"",
            "\"speed\"",
            "measure: this cannot be measured; known: time, wall, reported_solve_ns, solutions",
        ),
        ("measure = \"solutions\"", "measure = \"nodes\"", "count/portable does not count nodes"),
    ] {
        let text = CHOICES.replacen(from, to, 1);
        assert_ne!(text, CHOICES, "{from}");
        write(here, "x.toml", &text);
        let (code, _, said) = run_in(here, &["sweep", "x.toml", "--dry-run"]);
        assert!(code == 2 && said.contains("x.toml:") && said.contains(told), "{said}");
    }
}

/// The verdicts of the claims of a recorded experiment.
fn judged(record: &Path) -> (Stored, Vec<ClaimRow>) {
    let stored = Stored::read(record, &Registry::builtin()).expect("a record");
    let material = Material { parts: vec![Part::of(&stored, "")], ..Material::default() };
    let judged = claims::judge(&material, &runs(&material.parts));
    (stored, judged)
}

#[test]
fn the_claims_of_every_recorded_experiment_have_a_verdict_and_none_fails() {
    let (mut verdicts, mut records) = (BTreeMap::new(), 0);
    for entry in
        std::fs::read_dir("experiments/record").expect("tests run in the package's directory").flatten()
    {
        let record = entry.path();
        if !record.join("runs.csv").exists() {
            continue;
        }
        let (_, judged) = judged(&record);
        assert!(!judged.is_empty(), "{} has no claims", record.display());
        records += 1;
        for claim in judged {
            let why = claim.counterexample.unwrap_or_default();
            assert_ne!(claim.verdict, Judgement::Fails, "{}: {}: {why}", record.display(), claim.says);
            // A claim about counts is decided; one about times may be too narrow for the noise of the runs.
            if claim.verdict == Judgement::Undecided {
                eprintln!("undecided: {}: {}: {why}", record.display(), claim.says);
                assert!(claim.measure == "time" && why.contains("(95 %: "), "{}: {why}", claim.says);
            }
            *verdicts.entry(claim.verdict).or_insert(0) += 1;
        }
    }
    assert!(records >= 8 && verdicts[&Judgement::Holds] >= 45, "{records} {verdicts:?}");
}

/// The experiments of the literature: each is recorded, its claims are those of the record, and each names its source and how
/// it is known.
#[test]
fn every_claim_of_the_literature_is_recorded_with_its_source() {
    let specs =
        std::fs::read_dir("experiments/literature").expect("tests run in the package's directory").flatten();
    let specs =
        specs.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|end| end == "toml"));
    let (mut claimed, mut papers) = (0, 0);
    for path in specs {
        let text = std::fs::read_to_string(&path).expect("a spec");
        let spec = Spec::parse(&path.display().to_string(), &text).expect("a spec");
        assert_eq!(path.file_stem().and_then(|name| name.to_str()), Some(spec.name.as_str()));
        let records = std::fs::read_dir("experiments/literature/record").expect("records").flatten();
        // The name of a record is a date and the name of its experiment.
        let is_of = |record: &PathBuf| {
            let folder = record.file_name().and_then(|folder| folder.to_str());
            folder.and_then(|folder| folder.splitn(4, '-').nth(3)) == Some(&spec.name)
        };
        let record = records.map(|entry| entry.path()).find(is_of).expect(&spec.name);
        let (stored, judged) = judged(&record);
        let written = |claims: &[Claim]| serde_json::to_string_pretty(claims).expect("JSON");
        let recorded = stored.plan.expect("a plan").spec.claims;
        assert_eq!(
            written(&recorded),
            written(&spec.claims),
            "{}: queenlab sweep updates it",
            record.display()
        );
        for claim in &recorded {
            let source = claim.source.as_deref().unwrap_or_default();
            assert!(
                ["(seen", "(from memory", "for comparison"].iter().any(|how| source.contains(how)),
                "{source}"
            );
        }
        let kept: Vec<ClaimRow> = table::read(&record).expect("claims.csv").0;
        assert_eq!(kept, judged, "{}", record.display());
        claimed += judged.len();
        papers += 1;
    }
    assert!(claimed >= 30 && papers >= 10, "{claimed} claims of {papers} papers");
}

#[test]
fn claims_about_another_goal_than_that_of_the_sweep_are_left_out() {
    let directory = tempfile::tempdir().expect("temporary directory");
    let arguments = ["sweep", "quick", "--n", "9-10", "--goal", "first", "--repeat", "1", "-o", "r"];
    let (code, out, said) = run_in(directory.path(), &arguments);
    assert!(code == 0 && said.contains("0 of 6 claims are about what this sweep measures"), "{said}");
    assert!(!out.contains("claims:"), "{out}");
}

#[test]
fn the_page_says_what_each_idea_gained_over_the_one_before_it() {
    let directory = tempfile::tempdir().expect("temporary directory");
    let here = directory.path();
    let solver = |id: &str, idea: &str| format!("[[solver]]\nid = \"{id}\"\nidea = \"{idea}\"\n");
    let spec = [
        "schema_version = 1\nname = \"x\"\n[sweep]\nn = \"4-6\"\nrepeat = 3\n".to_owned(),
        solver("backtrack/exhaustive", "try all"),
        solver("backtrack/bitmask", "use <bits>"),
        "[[solver]]\nid = \"backtrack/dlx\"\n".to_owned(),
        solver("backtrack/permutations", "permute"),
    ];
    std::fs::write(here.join("x.toml"), spec.concat()).expect("written");
    assert_eq!(run_in(here, &["sweep", "x.toml", "-o", "r", "-q"]).0, 0);
    let timings = read(&here.join("r"), "timings.csv");
    let mut table = csv::Reader::from_reader(timings.as_bytes());
    let heads = table.headers().expect("heads").clone();
    let at = |name: &str| heads.iter().position(|head| head == name).expect("a column");
    let (n, solver, median) = (at("n"), at("solver"), at("median_ns"));
    let rows: Vec<csv::StringRecord> = table.records().map(|row| row.expect("a row")).collect();
    let median = |id: &str| {
        let row = rows.iter().find(|row| &row[n] == "6" && &row[solver] == id).expect("a median");
        row[median].parse::<f64>().expect("a number")
    };
    let page = read(&here.join("r"), "report.html");
    assert!(page.contains("<dd>try all</dd>"), "the first idea is compared with nothing");
    let said = |begin: &str, end: &str| {
        let rest = page.split_once(begin).unwrap_or_else(|| panic!("no '{begin}'")).1;
        rest.split_once(end).expect("an end").0.parse::<f64>().expect("a factor")
    };
    let faster = said("<dd>use &#60;bits&#62;: ", " times as fast at n = 6</dd>");
    assert!((faster / (median("backtrack/exhaustive") / median("backtrack/bitmask")) - 1.0).abs() < 0.01);
    // The solver between them has no idea.
    let slower = said("<dd>permute: takes ", " times as long at n = 6</dd>");
    assert!((slower / (median("backtrack/permutations") / median("backtrack/bitmask")) - 1.0).abs() < 0.01);
}
