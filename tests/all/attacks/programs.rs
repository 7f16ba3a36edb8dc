//! Programs and external solvers that give wrong answers to `sweep` and `verify`.
#![cfg(unix)]

use std::path::Path;

use queenlab::record::{CrosscheckRow, Row, Status, Verdict};

use crate::harness::{assert_wording, read, rows, rows_of, run_in, scratch, write};

/// Prints one legal board of 8 queens 92 times, which is the right number of boards.
const LIAR: &str = "i=0; while [ $i -lt 92 ]; do echo 0 4 7 5 2 6 1 3; i=$((i+1)); done\n";

/// Enumerates the solutions of 8 queens correctly.
const HONEST: &str = r#"
place() {
  if [ $1 = 8 ]; then echo $2; return; fi
  local c=0
  while [ $c -lt 8 ]; do
    local row=0 free=1
    for q in $2; do
      local d=$(($1-row)) e=$((c-q))
      if [ $e = 0 ] || [ $e = $d ] || [ $e = -$d ]; then free=0; break; fi
      row=$((row+1))
    done
    [ $free = 1 ] && place $(($1+1)) "$2 $c"
    c=$((c+1))
  done
}
place 0 ""
"#;

fn sweep(directory: &Path, programs: &[&str], options: &[&str]) -> (i32, Vec<Row>, String) {
    let mut spec = "schema_version = 1\nname = \"x\"\n[sweep]\nn = \"8\"\nrepeat = 1\n".to_owned();
    for program in programs {
        spec += &format!("[[program]]\nid = \"{program}\"\ncommand = [\"sh\", \"{program}.sh\"]\n");
    }
    write(directory, "x.toml", &spec);
    let call = [&["sweep", "x.toml", "--out", "r"], options].concat();
    let (code, _, stderr) = run_in(directory, &call);
    (code, rows(&directory.join("r")), stderr)
}

fn verdict(rows: &[Row], solver: &str) -> Verdict {
    let row = rows.iter().find(|row| row.solver == solver).expect("a row of the solver");
    assert_eq!((row.status, row.solutions), (Status::Complete, Some(92)), "{row:?}");
    row.verdict
}

#[test]
#[ignore = "long: an attack"]
fn one_legal_board_printed_92_times_is_wrong() {
    let directory = scratch();
    write(directory.path(), "liar.sh", LIAR);
    let (code, rows, stderr) = sweep(directory.path(), &["liar"], &[]);
    assert_eq!((code, verdict(&rows, "program/liar")), (3, Verdict::Wrong), "{stderr}");
    let reason = rows[0].reason().expect("a reason");
    assert!(reason.contains("91") && stderr.contains(reason), "{reason}: {stderr}");
    assert_wording("sweep", "one board printed 92 times", reason);
}

/// The order of the runs depends on the seed, but the verdicts must not depend on it.
#[test]
#[ignore = "long: an attack"]
fn correct_program_is_correct_beside_wrong_program() {
    let mut orders = std::collections::HashSet::new();
    for seed in 1..=8 {
        let directory = scratch();
        write(directory.path(), "liar.sh", LIAR);
        write(directory.path(), "honest.sh", HONEST);
        let (code, rows, stderr) =
            sweep(directory.path(), &["liar", "honest"], &["--seed", &seed.to_string()]);
        assert_eq!(code, 3, "{stderr}");
        assert_eq!(verdict(&rows, "program/liar"), Verdict::Wrong, "seed {seed}");
        assert_eq!(verdict(&rows, "program/honest"), Verdict::Correct, "seed {seed}: {stderr}");
        let checks: Vec<CrosscheckRow> = rows_of(&directory.path().join("r"));
        let disagreeing_solvers: Vec<&str> =
            checks.iter().filter(|row| !row.agrees).map(|row| row.solver.as_str()).collect();
        assert_eq!(disagreeing_solvers, ["program/liar"], "seed {seed}");
        orders.insert(rows[0].solver.clone());
    }
    assert_eq!(orders.len(), 2, "all seeds give the same order of the programs");
}

/// A SAT solver that returns the same model as many times as there are solutions, and then answers "unsatisfiable".
#[test]
#[ignore = "long: an attack"]
fn external_solver_repeating_one_model_is_wrong() {
    let directory = scratch();
    let model = "v -1 2 -3 -4 -5 -6 -7 8 9 -10 -11 -12 -13 -14 15 -16 0";
    let script = format!(
        "echo x >> calls\n\
         if [ $(($(wc -l < calls) % 3)) = 0 ]; then echo s UNSATISFIABLE; exit 20; fi\n\
         echo s SATISFIABLE; echo '{model}'; exit 10\n"
    );
    write(directory.path(), "liar.sh", &script);
    let call = ["sweep", "4", "--solver", "sat/pairwise/external", "--sat", "external=sh liar.sh {cnf}"];
    let (code, _, stderr) = run_in(directory.path(), &[&call[..], &["--repeat", "2", "--out", "r"]].concat());
    let rows = rows(&directory.path().join("r"));
    assert_eq!(rows.len(), 3);
    for row in &rows {
        assert_eq!(row.verdict, Verdict::Wrong, "{row:?}");
    }
    // The second model contradicts the clause that excludes the first model.
    assert!(rows.iter().any(|row| row.status == Status::Crashed), "{rows:?}");
    assert_eq!(code, 3, "{stderr}");
}

/// 18 queens with eight placed queens, of which one is in a corner. No count is published for this problem, and enumeration by
/// brute force takes too long.
const CORNER: &str = "queens;place=0:0,1:2,2:4,3:1,4:7,5:14,6:11,7:15";

/// A program that prints nothing, and a SAT solver that always answers "unsatisfiable", are compared with a built-in solver during
/// a sweep and when `report` reads the rows again.
#[test]
#[ignore = "long: an attack"]
fn built_in_solver_refutes_unsat_without_published_counts() {
    let directory = scratch();
    write(directory.path(), "liar.sh", "echo s UNSATISFIABLE\n");
    let wrong_verdict = ("wrong", Verdict::Wrong);
    for (goal, (word, verdict)) in
        [("first", wrong_verdict), ("count", ("disagree", Verdict::Disagree)), ("enumerate", wrong_verdict)]
    {
        let spec = format!(
            "schema_version = 1\nname = \"x\"\n[sweep]\nn = \"18\"\nvariant = \"{CORNER}\"\ngoal = \"{goal}\"\n\
             repeat = 1\n[[sat]]\nid = \"liar\"\ncommand = \"sh liar.sh {{cnf}}\"\n\
             [[program]]\nid = \"silent\"\ncommand = [\"true\", \"{{variant}}\"]\n\
             [[solver]]\nid = \"sat/pairwise/{{varisat,liar}}\"\n[[solver]]\nid = \"backtrack/dlx\"\n"
        );
        write(directory.path(), "x.toml", &spec);
        let (code, _, stderr) = run_in(directory.path(), &["sweep", "x.toml", "-o", goal, "-q"]);
        assert_eq!(code, 3, "{goal}: {stderr}");
        let results = directory.path().join(goal);
        let recorded_rows = rows(&results);
        let is_external = |row: &&Row| row.solver.contains("liar") || row.solver.contains("silent");
        let (external_rows, built_in_rows): (Vec<&Row>, Vec<&Row>) =
            recorded_rows.iter().partition(is_external);
        assert!(
            external_rows.iter().all(|row| row.verdict == verdict || row.solutions.is_none()),
            "{external_rows:?}"
        );
        assert!(built_in_rows.iter().all(|row| !row.verdict.is_fault()), "{built_in_rows:?}");
        let checks: Vec<CrosscheckRow> = rows_of(&results);
        assert!(checks.iter().all(|row| row.agrees != (row.solutions == 0)), "{checks:?}");
        assert!(checks.iter().all(|row| row.agrees == row.first_difference.is_none()), "{checks:?}");
        let edited_table = read(&results, "runs.csv").replace(&format!(",{word},"), ",unchecked,");
        write(&results, "runs.csv", &edited_table);
        let (_, _, stderr) = run_in(directory.path(), &["report", goal]);
        assert!(stderr.contains("runs.csv: "), "{stderr}");
        assert_wording("report", &format!("verdicts that were edited, {goal}"), &stderr);
    }
}

#[test]
#[ignore = "long: an attack"]
fn published_count_contradicts_wrong_unsat_of_external_solver() {
    let solver =
        ["--solver", "sat/pairwise/external", "--sat", "external=sh -c 'echo s UNSATISFIABLE' {cnf}"];
    let arguments = [&["verify", "5", "--variant", "rooks"], &solver[..]].concat();
    let (code, stdout, _) = run_in(scratch().path(), &arguments);
    assert!(code == 3 && stdout.contains("sat/pairwise/external") && stdout.contains("A000142"), "{stdout}");
    assert!(stdout.contains("sat/pairwise/varisat found 120"), "{stdout}");
    let lines: Vec<&str> = stdout.lines().filter(|line| line.contains(" found ")).collect();
    assert_wording("verify", "a solver without solutions", &lines.join("\n"));
}

/// By default, a SAT solver is the reference. If the SAT solver is wrong, its row must disagree, and not the row of the built-in
/// solver.
#[test]
#[ignore = "long: an attack"]
fn wrong_external_solver_is_not_the_reference() {
    let directory = scratch();
    write(directory.path(), "liar.sh", "echo s UNSATISFIABLE\n");
    let call = ["sweep", "4", "--solver", "sat/pairwise/external", "--solver", "backtrack/bitmask"];
    let options = ["--sat", "external=sh liar.sh {cnf}", "--repeat", "1", "--out", "r"];
    let (code, _, stderr) = run_in(directory.path(), &[&call[..], &options].concat());
    assert_eq!(code, 3, "{stderr}");
    let checks: Vec<CrosscheckRow> = rows_of(&directory.path().join("r"));
    assert!(checks.iter().any(|row| !row.agrees));
    assert!(checks.iter().all(|row| row.agrees || row.solver == "sat/pairwise/external"), "{stderr}");
}

/// The temporary directory of a run is removed even if the program replaces it.
#[test]
#[ignore = "long: an attack"]
fn replaced_temporary_directory_of_program_is_removed() {
    let directory = scratch();
    let [temporary, work] = ["tmp", "work"].map(|name| directory.path().join(name));
    std::fs::create_dir(&temporary).and_then(|()| std::fs::create_dir(&work)).expect("directories");
    write(&work, "p.sh", "rmdir \"$TMPDIR\"; echo mine >\"$TMPDIR\"; echo 1 3 0 2; echo 2 0 3 1\n");
    let status = std::process::Command::new(env!("CARGO_BIN_EXE_queenlab"))
        .args(["sweep", "--n", "4", "--program", "sh p.sh {n}", "--repeat", "2", "--out", "r", "--quiet"])
        .current_dir(&work)
        .env("TMPDIR", &temporary)
        .status()
        .expect("the program starts");
    assert!(status.success());
    let remaining =
        std::fs::read_dir(&temporary).expect("a directory").flatten().map(|entry| entry.file_name());
    assert_eq!(remaining.collect::<Vec<_>>(), Vec::<std::ffi::OsString>::new());
}
