//! `verify` and the cross-check of a sweep: which answers are compared, and proved node counts.

use std::collections::BTreeSet;
use std::path::Path;

use queenlab::record::CrosscheckRow;
use queenlab::solver::Goal;
use serde_json::Value;

use crate::harness::{assert_wording, refused, rows_of, run, run_in, scratch, write};

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

#[test]
fn proved_level_counts_equal_counts_of_every_searcher() {
    let (code, stdout, stderr) = run(&["verify", "0-6", "--levels"]);
    assert!(code == 0 && stderr.contains("28 levels") && stderr.contains("backtrack/bitmask"), "{stderr}");
    assert_wording("verify", "levels proved", &stderr);
    // A319284, n = 6: 1, 6, 20, 36, 46, 40, 4.
    let lines = stdout.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let levels_of_6_queens: Vec<&str> = lines.filter(|words| words[0] == "6").map(|words| words[2]).collect();
    assert_eq!(levels_of_6_queens, ["1", "6", "20", "36", "46", "40", "4"]);
    let (code, stdout, _) = run(&["verify", "4", "--levels", "--json", "--solver", "backtrack/flag-arrays"]);
    let report = json(&stdout);
    assert_eq!((code, &report["agrees"]), (0, &Value::Bool(true)));
    let level = &report["levels"][2];
    assert_eq!((level["placements"].as_u64(), level["dead_ends"].as_u64()), (Some(6), Some(2)));
    assert_eq!(level["solvers"], serde_json::json!(["backtrack/flag-arrays"]));
}

#[test]
fn sizes_above_8_with_levels_are_refused() {
    let error = refused(&["verify", "9", "--levels"]);
    assert!(error.contains("n = 8") && error.contains('9'), "{error}");
}

/// A program is compared with SAT, the rules and the published counts. The first board that differs is drawn.
#[cfg(unix)]
#[test]
fn program_is_cross_checked_board_by_board() {
    let directory = scratch();
    let boards = |name: &str, boards: &str| write(directory.path(), name, &format!("printf '{boards}'\n"));
    boards("right.sh", "1 3 0 2\\n2 0 3 1\\n");
    boards("lost.sh", "1 3 0 2\\n");
    boards("illegal.sh", "1 3 0 2\\n2 0 3 1\\n0 1 2 3\\n");
    boards("twice.sh", "1 3 0 2\\n1 3 0 2\\n");
    write(directory.path(), "dies.sh", "exit 7\n");
    for (script, expected) in [("right", 0), ("lost", 3), ("illegal", 3), ("twice", 3), ("dies", 1)] {
        let command = format!("sh {script}.sh {{n}}");
        let (code, stdout, stderr) = run_in(directory.path(), &["verify", "4", "--program", &command]);
        assert_eq!(code, expected, "{script}: {stdout}{stderr}");
        assert_wording("verify", &format!("a program: {script}"), &format!("{stdout}{stderr}"));
    }
    for (situation, command, variant) in [
        ("a file", "sh right.sh {n} {instance}", "queens"),
        ("an unknown placeholder", "sh right.sh {n} {size}", "queens"),
        ("a formula", "sh right.sh {n} {cnf}", "queens"),
        ("the plain board", "sh right.sh {n}", "toroidal"),
    ] {
        let arguments = ["verify", "4", "--variant", variant, "--program", command];
        let (code, _, stderr) = run_in(directory.path(), &arguments);
        assert_eq!(code, 2, "{situation}: {stderr}");
        assert_wording("verify", &format!("placeholders: {situation}"), &stderr);
    }
    let arguments = ["verify", "4", "--program", "sh right.sh {n}", "--program", "sh right.sh {n} 2"];
    assert_eq!(run_in(directory.path(), &arguments).0, 2, "two programs have the same name");
}

/// A program gets the same values for its placeholders as in a sweep.
#[cfg(unix)]
#[test]
fn program_gets_values_of_all_its_placeholders() {
    let directory = scratch();
    write(directory.path(), "p.sh", "echo $* > values; exec \"$6\" solve $1 --variant $4 --all\n");
    let command = "sh p.sh {n} {goal} {threads} {variant} {seed} {queenlab}";
    let arguments = ["verify", "5", "--variant", "toroidal", "--program", command];
    let (code, stdout, stderr) = run_in(directory.path(), &arguments);
    assert_eq!(code, 0, "{stdout}{stderr}");
    let values = crate::harness::read(directory.path(), "values");
    assert!(values.starts_with("5 enumerate 1 toroidal 1 "), "{values}");
    assert!(stderr.contains("program/p agrees with "), "{stderr}");
}

/// Runs `verify --json`. Returns the exit code and the comparisons.
fn comparisons(directory: &Path, arguments: &[&str]) -> (i32, Vec<Value>) {
    let (code, stdout, stderr) = run_in(directory, &[&["verify", "--json"], arguments].concat());
    let report = json(&stdout);
    assert_eq!(report["agrees"].as_bool(), Some(code == 0), "{stderr}");
    (code, report["comparisons"].as_array().expect("a list").clone())
}

/// The strategy `cubes` and the searchers share the code that tracks attacked lines. Therefore, the reference must be a solver of
/// the whole formula, which does not use this code.
#[test]
fn verify_compares_cubes_with_whole_formula_solver() {
    let arguments = ["6", "--solver", "backtrack/mac", "--solver", "sat/pairwise/varisat/cubes"];
    let (code, rows) = comparisons(Path::new("."), &arguments);
    assert_eq!(code, 0);
    for solver in ["backtrack/mac", "sat/pairwise/varisat/cubes"] {
        let comparison = rows.iter().find(|row| row["solver"] == solver).expect("a row");
        assert_eq!(comparison["against"], "sat/pairwise/varisat", "{solver}");
    }
}

#[test]
fn searcher_agrees_with_every_reference() {
    let (code, rows) = comparisons(Path::new("."), &["0-6", "--solver", "backtrack/flag-arrays"]);
    assert_eq!(code, 0);
    let rows_of_6_queens: Vec<&Value> = rows.iter().filter(|row| row["n"] == 6).collect();
    let searcher = rows_of_6_queens.iter().filter(|row| row["solver"] == "backtrack/flag-arrays");
    let references: Vec<&str> = searcher.filter_map(|row| row["against"].as_str()).collect();
    assert_eq!(references, ["sat/pairwise/varisat", "board", "A000170", "A002562", "A319284"]);
    let columns = ["solutions", "missing", "extra", "illegal", "duplicates"];
    let numbers = columns.map(|column| rows_of_6_queens[0][column].as_u64());
    assert_eq!(numbers, [Some(4), Some(0), Some(0), Some(0), Some(0)]);
}

/// The columns of the reported board are numbered from 0. The variables of the SAT solver are the squares, numbered from 1 row by
/// row.
#[test]
#[cfg(unix)]
fn board_missed_by_sat_solver_is_reported() {
    let directory = scratch();
    // The second call wrongly answers "unsatisfiable", so one of the two boards is missing.
    let script = "if [ -e once ]; then echo s UNSATISFIABLE; else echo s SATISFIABLE; touch once\n\
                  echo v -1 2 -3 -4 -5 -6 -7 8 9 -10 -11 -12 -13 -14 15 -16 0; fi\n";
    write(directory.path(), "sat.sh", script);
    let arguments = ["4", "--solver", "sat/pairwise/external", "--sat", "external=sh sat.sh {cnf}"];
    let (code, rows) = comparisons(directory.path(), &arguments);
    assert_eq!(code, 3);
    let external_rows = rows.iter().filter(|row| row["solver"] == "sat/pairwise/external");
    let agreements_with_references: Vec<(&str, bool)> = external_rows
        .clone()
        .map(|row| (row["against"].as_str().expect("text"), row["agrees"] == true))
        .collect();
    let expected = [("sat/pairwise/varisat", false), ("board", true), ("A000170", false), ("A002562", true)];
    assert_eq!(agreements_with_references, expected);
    let comparison_with_sat = external_rows.clone().next().expect("a comparison");
    // `verify` runs both solvers again to find the different boards. The file `once` exists after the first run, so the SAT solver
    // reports no board in the second run.
    assert_eq!(
        [&comparison_with_sat["solutions"], &comparison_with_sat["missing"], &comparison_with_sat["extra"]],
        [1, 2, 0]
    );
    assert_eq!(comparison_with_sat["first_difference"], "missing: 1 3 0 2");
}

/// Runs a sweep of 4 queens with all goals. The solvers are dancing links, a correct program, and a script that gets the goal as
/// its argument. Returns the exit code and the comparisons of the script.
#[cfg(unix)]
fn sweep_comparisons(script: &str) -> (i32, Vec<CrosscheckRow>) {
    let directory = scratch();
    write(directory.path(), "other.sh", script);
    write(
        directory.path(),
        "honest.sh",
        "case $1 in count) echo 2;; first) echo 2 0 3 1;; *) echo 1 3 0 2; echo 2 0 3 1;; esac\n",
    );
    let program = |id: &str| {
        format!("[[program]]\nid = \"{id}\"\ncommand = [\"sh\", \"{id}.sh\", \"{{goal}}\", \"{{n}}\"]\n")
    };
    let spec = format!(
        "schema_version = 1\nname = \"x\"\n[sweep]\nn = \"4\"\nrepeat = 2\ngoal = [\"first\", \"count\", \"enumerate\"]\n\
         [[solver]]\nid = \"backtrack/dlx\"\n{}{}",
        program("honest"),
        program("other")
    );
    write(directory.path(), "x.toml", &spec);
    let (code, _, stderr) = run_in(directory.path(), &["sweep", "x.toml", "--out", "r"]);
    let rows: Vec<CrosscheckRow> = rows_of(&directory.path().join("r"));
    let rows_of_solver =
        |solver: &str| rows.iter().filter(|row| row.solver == solver).cloned().collect::<Vec<_>>();
    for solver in ["program/honest", "backtrack/dlx"] {
        assert!(rows_of_solver(solver).iter().all(|row| row.agrees), "{solver}: {rows:?} {stderr}");
    }
    assert_eq!(rows_of_solver("program/honest").len(), 6, "{stderr}");
    (code, rows_of_solver("program/other"))
}

/// For each comparison: the goal, the reference, and whether the program agrees with it. A set does not depend on the order of the
/// runs, which are shuffled.
#[cfg(unix)]
fn agreements(rows: &[CrosscheckRow]) -> BTreeSet<(String, &str, bool)> {
    rows.iter().map(|row| (row.goal.to_string(), row.against.as_str(), row.agrees)).collect()
}

#[test]
#[cfg(unix)]
fn sweep_compares_answers_of_each_goal() {
    let (first, count, all) = (Goal::First, Goal::Count, Goal::Enumerate);
    let (dlx, published) = ("backtrack/dlx", "A000170");
    let expected = |agree: [bool; 3]| {
        let goals = [first, count, all].into_iter().zip(agree);
        let agreements_of_goal =
            |goal: Goal, agrees| [dlx, published].map(|against| (goal.to_string(), against, agrees));
        goals.flat_map(|(goal, agrees)| agreements_of_goal(goal, agrees)).collect::<BTreeSet<_>>()
    };
    let (code, rows_without_boards) =
        sweep_comparisons("case $1 in count) echo 0;; first) echo no solution;; esac\n");
    assert_eq!((code, agreements(&rows_without_boards)), (3, expected([false; 3])));
    let (code, rows_with_boards) = sweep_comparisons(
        "case $1 in count) echo 3;; first) echo 1 3 0 2;; *) echo 2 0 3 1; echo 1 3 0 2;; esac\n",
    );
    assert_eq!((code, agreements(&rows_with_boards)), (3, expected([true, false, true])));
    let boards = |row: &CrosscheckRow| [row.missing, row.extra, row.illegal, row.duplicates];
    let differences_of_goal = |rows: &[CrosscheckRow], goal| {
        boards(rows.iter().find(|row| row.goal == goal).expect("a comparison"))
    };
    assert_eq!(differences_of_goal(&rows_with_boards, count), [None; 4]);
    assert_eq!(differences_of_goal(&rows_with_boards, all)[..2], [Some(0); 2]);
    // The program printed no board, so all boards are missing. The program need not run again.
    assert_eq!(differences_of_goal(&rows_without_boards, all), [Some(2), Some(0), Some(0), Some(0)]);
    let difference = rows_without_boards
        .iter()
        .find(|row| row.goal == all)
        .and_then(|row| row.first_difference.as_deref());
    assert_eq!(difference, Some("missing: 1 3 0 2"));
}

/// The program prints the right number of boards, but wrong boards. Therefore, only the digests differ.
#[test]
#[cfg(unix)]
fn program_with_wrong_boards_disagrees() {
    for boards in ["echo 1 3 0 2; echo 1 3 0 2", "echo 1 3 0 2; echo 0 1 2 3"] {
        let script = format!("case $1 in count) echo 2;; first) echo 1 3 0 2;; *) {boards};; esac\n");
        let (code, rows) = sweep_comparisons(&script);
        assert_eq!(code, 3);
        let disagreeing: Vec<_> = rows.iter().filter(|row| !row.agrees).collect();
        let [row] = disagreeing[..] else { panic!("one comparison: {disagreeing:?}") };
        assert_eq!((row.goal, row.against.as_str(), row.solutions), (Goal::Enumerate, "backtrack/dlx", 2));
    }
}

/// If a cell has several runs, the run with a wrong answer is compared. Here, the second run of the goal `enumerate` is wrong.
#[test]
#[cfg(unix)]
fn wrong_run_among_correct_runs_is_compared() {
    let script = "case $1 in count) echo 2; exit;; first) echo 1 3 0 2; exit;; esac\n\
                  echo 1 3 0 2\nif [ -e again ]; then echo 0 1 2 3; else echo 2 0 3 1; touch again; fi\n";
    let (code, rows) = sweep_comparisons(script);
    let disagreeing_goals: Vec<Goal> = rows.iter().filter(|row| !row.agrees).map(|row| row.goal).collect();
    assert_eq!((code, disagreeing_goals), (3, vec![Goal::Enumerate]));
}
