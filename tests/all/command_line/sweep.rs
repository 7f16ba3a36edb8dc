//! `sweep`: the files in the result directory, messages, cross-checks, skipped cells and timeouts.

use std::collections::{BTreeSet, HashSet};

use queenlab::board::published;
use queenlab::record::{CrosscheckRow, Kind, ResultDir, Status, Verdict};
use queenlab::solver::{Goal, Stat};

use crate::harness::{
    assert_message, assert_wording, levels, read, refused_in, rows, rows_of, run_in, scratch, write,
};

const SMALL_SWEEP: [&str; 9] = [
    "sweep",
    "--n",
    "4-6",
    "--solver",
    "backtrack/bitmask",
    "--solver",
    "sat/pairwise/varisat",
    "--out",
    "r",
];

#[test]
fn dry_run_shows_the_plan_and_writes_nothing() {
    let directory = scratch();
    let arguments = [&SMALL_SWEEP[..], &["--dry-run"]].concat();
    let (code, stdout, stderr) = run_in(directory.path(), &arguments);
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert!(stdout.contains("6 cells") && stdout.contains("backtrack/bitmask     n = 4-6"), "{stdout}");
    assert_message(directory.path(), &arguments, &stdout);
    assert_eq!(std::fs::read_dir(directory.path()).expect("a directory").count(), 0);
}

#[test]
fn sweep_writes_all_tables_and_plots() {
    let directory = scratch();
    let (code, stdout, stderr) = run_in(directory.path(), &SMALL_SWEEP);
    assert_eq!(code, 0, "{stdout}{stderr}");
    let out = directory.path().join("r");
    for file in ["runs.csv", "levels.csv", "crosscheck.csv", "timings.csv", "nodes.csv"] {
        let text = read(&out, file);
        assert!(text.lines().count() > 1 && text.ends_with('\n') && !text.contains('\r'), "{file}");
    }
    // A column is present only if it can have a value. This sweep has no column for a memory limit, a pinned CPU or a program, for
    // example.
    let columns = "schema_version,run_id,cell_id,started_at,round,n,variant,goal,solver,threads,seed,repetition,kind,\
                   status,verdict,solutions,expected_solutions,digest,encode_ns,solve_ns,wall_ns,cpu_user_ns,cpu_sys_ns,\
                   peak_rss_bytes,nodes,dead_ends,max_depth,vars,aux_vars,clauses,solver_calls,learned_clauses,\
                   time_limit_ns,attempt,involuntary_switches,cpu_stall_ns,disturbed,outcome_reason,verdict_reason";
    assert_eq!(read(&out, "runs.csv").lines().next(), Some(columns));
    let plots = std::fs::read_dir(out.join("plots"))
        .expect("plots")
        .map(|entry| entry.expect("an entry").file_name());
    let plots: Vec<String> = plots.map(|name| name.into_string().expect("UTF-8")).collect();
    // Plots without content are not written. Here, these are the plots of seeds and of restrictions.
    assert!(plots.len() >= 4, "{plots:?}");
    for plot in plots {
        let svg = read(&out, &format!("plots/{plot}"));
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{plot}");
        // Only the SAT solver learns clauses, and only the searcher has nodes.
        let solver = match plot.as_str() {
            "learned_clauses.svg" => "sat/pairwise/varisat",
            "time.svg" | "rate.svg" | "nodes.svg" => "backtrack/bitmask",
            _ => "",
        };
        assert!(svg.contains(solver), "{plot}");
    }
    let meta: serde_json::Value = serde_json::from_str(&read(&out, "meta.json")).expect("JSON");
    let solvers = meta["solvers"].as_object().expect("solvers with their versions");
    assert!(solvers.keys().eq(["backtrack/bitmask", "sat/pairwise/varisat"]));
    assert_eq!(meta["sessions"].as_array().map(Vec::len), Some(1));
    assert!(read(&out, "meta.json").len() < 20_000);
    // The results are printed only to standard output, and progress is printed only to standard error.
    assert!(stdout.contains("backtrack/bitmask") && !stdout.contains("ETA"), "{stdout}");
    assert_wording("sweep", "heading of the results", stdout.lines().next().expect("a heading"));
    assert!(stderr.contains("48/48 runs") && !stderr.contains("median"), "{stderr}");
}

/// A series has the same name in all files, so that scripts can group and join by it.
#[test]
fn solver_has_the_same_name_in_every_file() {
    let directory = scratch();
    let script = "echo 1 3 0 2; echo 2 0 3 1";
    let spec = format!(
        "schema_version = 1\nname = \"x\"\n[sweep]\nn = \"4\"\nrepeat = 1\n[[solver]]\nid = \"backtrack/dlx\"\n\
         items = [\"natural\", \"organ-pipe\"]\n[[program]]\nid = \"py\"\ncommand = [\"sh\", \"-c\", \"{script}\", \"{{order}}\"]\n\
         order = [\"first\", \"middle\", \"a=b:c d\"]\n"
    );
    write(directory.path(), "x.toml", &spec);
    let (code, _, stderr) = run_in(directory.path(), &["sweep", "x.toml", "--out", "r"]);
    assert_eq!(code, 0, "{stderr}");
    let out = directory.path().join("r");
    let solvers = |file: &str| -> BTreeSet<String> {
        let text = read(&out, file);
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let column =
            reader.headers().expect("a header").iter().position(|name| name == "solver").expect("solver");
        reader.records().map(|record| record.expect("a row")[column].to_owned()).collect()
    };
    let dlx = ["backtrack/dlx", "backtrack/dlx:items=natural"];
    let programs = ["program/py:order=a=b:c d", "program/py:order=first", "program/py:order=middle"];
    let expected_names: BTreeSet<String> = dlx.iter().chain(&programs).map(|&name| name.to_owned()).collect();
    for file in ["runs.csv", "timings.csv", "crosscheck.csv"] {
        assert_eq!(solvers(file), expected_names, "{file}");
    }
    assert!(solvers("nodes.csv").iter().eq(dlx), "programs have no node counts");
    // The values of a factor are also in a separate column.
    for row in rows(&out) {
        let factor = row.solver.strip_prefix("program/py:order=").unwrap_or_default().to_owned();
        let text = read(&out, "runs.csv");
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let column = reader.headers().expect("a header").iter().position(|name| name == "factor.order");
        let record =
            reader.records().flatten().find(|record| record[1] == *row.run_id).expect("the row of the run");
        assert_eq!(record[column.expect("a column")], factor);
    }
}

#[test]
fn cell_is_counted_once_and_timed_as_requested() {
    let directory = scratch();
    let arguments = [&SMALL_SWEEP[..], &["--repeat", "2", "--warmup", "1", "--quiet"]].concat();
    assert_eq!(run_in(directory.path(), &arguments), (0, String::new(), String::new()));
    let rows = rows(&directory.path().join("r"));
    assert_eq!(rows.len(), 2 * 3 * (1 + 1 + 2));
    assert_eq!(rows.iter().map(|row| &row.run_id).collect::<HashSet<_>>().len(), rows.len());
    for row in &rows {
        assert_eq!((row.status, row.verdict), (Status::Complete, Verdict::Correct), "{row:?}");
        assert_eq!(row.solutions, published::solutions(row.n), "{row:?}");
        assert_eq!((row.exit_code, row.reason()), (None, None), "{row:?}");
        let is_counting = row.kind == Kind::Counting;
        assert!(row.solve_ns.is_some() && row.wall_ns >= row.solve_ns, "{row:?}");
        let is_sat = row.solver.starts_with("sat/");
        // An empty field means "not measured": timed runs count nothing, SAT solvers have no nodes, and a searcher has no clauses.
        assert_eq!(row.stats.get(Stat::Nodes).is_some(), is_counting && !is_sat, "{row:?}");
        assert_eq!(row.stats.get(Stat::Clauses).is_some(), is_counting && is_sat, "{row:?}");
        assert_eq!(row.encode_ns.is_some(), is_sat, "{row:?}");
        assert_eq!(
            (is_counting, row.kind == Kind::Warmup),
            (row.repetition == 0, row.run_id.contains(".w")),
            "{row:?}"
        );
    }
    // At each size, all solvers report the same digest.
    for n in 4..=6 {
        let digests: HashSet<_> = rows.iter().filter(|row| row.n == n).map(|row| &row.digest).collect();
        assert_eq!(digests.len(), 1, "n = {n}");
    }
}

/// A319284, row 6: 1, 6, 20, 36, 46, 40, 4.
#[test]
fn levels_match_oeis_a319284_and_sat_has_none() {
    let directory = scratch();
    run_in(directory.path(), &SMALL_SWEEP);
    let levels = levels(&directory.path().join("r"));
    assert!(levels.iter().all(|level| level.solver == "backtrack/bitmask"));
    let levels_of_6_queens: Vec<u64> =
        levels.iter().filter(|level| level.n == 6).map(|level| level.nodes).collect();
    assert_eq!(levels_of_6_queens, [1, 6, 20, 36, 46, 40, 4]);
    for level in &levels {
        assert_eq!(Some(level.nodes), level.expected_nodes);
        assert_eq!(level.expected_source.as_deref(), Some("A319284"));
    }
}

#[test]
fn cross_check_compares_with_sat_and_published_values() {
    let directory = scratch();
    run_in(directory.path(), &SMALL_SWEEP);
    let checks: Vec<CrosscheckRow> = rows_of(&directory.path().join("r"));
    assert!(checks.iter().all(|check| check.agrees));
    let references_of = |solver: &str| {
        let solver_checks = checks.iter().filter(|check| check.n == 6 && check.solver == solver);
        solver_checks.map(|check| check.against.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(references_of("backtrack/bitmask"), ["sat/pairwise/varisat", "A000170", "A319284"]);
    assert_eq!(references_of("sat/pairwise/varisat"), ["A000170"]);
}

#[test]
fn answers_to_goals_first_and_count_are_judged() {
    for (goal, status) in [("first", Status::Sat), ("count", Status::Complete)] {
        let directory = scratch();
        let (code, _, stderr) =
            run_in(directory.path(), &[&SMALL_SWEEP[..], &["--goal", goal, "--repeat", "1"]].concat());
        assert_eq!(code, 0, "{stderr}");
        let out = directory.path().join("r");
        for row in rows(&out) {
            assert_eq!((row.status, row.verdict), (status, Verdict::Correct), "{row:?}");
            assert_eq!(row.goal.name(), goal);
            let expected = if row.goal == Goal::First { Some(1) } else { published::solutions(row.n) };
            assert_eq!(row.solutions, expected);
            // The digest is computed from boards, so the goal `count` has no digest.
            assert_eq!(row.digest.is_some(), row.goal == Goal::First);
        }
        assert_eq!(levels(&out).is_empty(), goal == "first", "only a full search must have levels");
    }
}

#[test]
fn unsat_at_an_unsolvable_size_is_correct() {
    let directory = scratch();
    let (code, _, stderr) =
        run_in(directory.path(), &["sweep", "--n", "2-3", "--goal", "first", "--out", "r"]);
    assert_eq!(code, 0, "{stderr}");
    let rows = rows(&directory.path().join("r"));
    let mut executed_rows = rows.iter().filter(|row| row.status != Status::Skipped).peekable();
    assert!(executed_rows.peek().is_some());
    assert!(executed_rows.all(|row| row.status == Status::Unsat && row.verdict == Verdict::Correct));
}

#[test]
fn sweep_without_timed_runs_can_be_timed_later() {
    let directory = scratch();
    let sweep = |more: &[&str]| {
        let command =
            ["sweep", "4-8", "--solver", "backtrack/bitmask", "--solver", "backtrack/dlx", "-o", "r"];
        run_in(directory.path(), &[&command[..], more].concat())
    };
    let (code, stdout, stderr) = sweep(&["--repeat", "0"]);
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.contains("nodes.csv\n10 runs in "), "{stdout}");
    assert_wording("sweep", "results without timed runs", &stdout);
    let tables = || {
        let [nodes, timings] =
            ["nodes.csv", "timings.csv"].map(|file| read(&directory.path().join("r"), file));
        (nodes, timings.lines().count() - 1)
    };
    let (nodes, timed) = tables();
    assert_eq!((nodes.lines().count() - 1, timed), (10, 0));
    assert!(nodes.contains("\n8,queens,enumerate,backtrack/dlx,1,complete,92,1049,"), "{nodes}");
    let (code, _, stderr) = sweep(&["--repeat", "1"]);
    assert!(code == 6 && stderr.contains("--accept"), "{stderr}");
    let (code, _, stderr) = sweep(&["--repeat", "1", "--accept"]);
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(tables(), (nodes, 10));
}

#[test]
fn unsupported_cells_are_recorded_as_skipped_with_reason() {
    let directory = scratch();
    let arguments = ["sweep", "--n", "3-5", "--solver", "backtrack/nested-loops", "--out", "r"];
    let (code, stdout, _) = run_in(directory.path(), &arguments);
    assert_eq!(code, 0);
    assert!(stdout.contains("2 skipped"), "{stdout}");
    let line = stdout
        .lines()
        .find(|line| line.contains("backtrack/nested-loops, n = 3,5"))
        .expect("the line of the skipped cells");
    assert_wording("sweep", "skipped cells", line);
    let rows = rows(&directory.path().join("r"));
    let skipped_rows: Vec<_> = rows.iter().filter(|row| row.status == Status::Skipped).collect();
    assert_eq!(skipped_rows.iter().map(|row| row.n).collect::<Vec<_>>(), [3, 5]);
    for row in skipped_rows {
        let reason = row.outcome_reason.as_ref().expect("a reason");
        assert_wording("sweep", &format!("reason of the skipped cell n = {}", row.n), reason);
        assert_eq!((row.verdict, row.solve_ns, row.wall_ns), (Verdict::Unchecked, None, None));
    }
}

#[test]
fn unavailable_solver_on_command_line_is_refused() {
    let directory = scratch();
    let mut solvers = vec!["sat/pairwise/external"];
    if !cfg!(feature = "cadical") {
        solvers.push("sat/pairwise/cadical");
    }
    if !cfg!(feature = "cp") {
        solvers.push("cp/pumpkin");
    }
    for id in solvers {
        for other_solver in [&[][..], &["--solver", "backtrack/bitmask"]] {
            let call = [&["sweep", "4", "--solver", id, "--out", "r"][..], other_solver].concat();
            let error = refused_in(directory.path(), &call);
            assert!(error.contains("--solver") && error.contains(id), "{error}");
            let error =
                refused_in(directory.path(), &[&["verify", "4", "--solver", id], other_solver].concat());
            assert!(error.contains("--solver") && error.contains(id), "{error}");
        }
    }
    assert!(!directory.path().join("r").exists());
    let call = ["sweep", "4", "--solver", "backtrack/bitmask", "--sat", "external=true {cnf}", "--out", "s"];
    let error = refused_in(directory.path(), &call);
    assert!(error.contains("--sat") && error.contains("sat/pairwise/external"), "{error}");
}

#[test]
fn skipped_cell_is_recorded_once_not_per_repetition() {
    let directory = scratch();
    let call =
        ["sweep", "5", "--solver", "backtrack/nested-loops", "--repeat", "4294967295", "--warmup", "1"];
    let (code, stdout, stderr) = run_in(directory.path(), &[&call[..], &["--out", "r"]].concat());
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.contains("1 run in ") && stdout.contains("1 skipped"), "{stdout}");
}

#[test]
fn sweep_accepts_sizes_experiment_names_and_files() {
    let directory = scratch();
    let plan = |arguments: &[&str]| run_in(directory.path(), &[&["sweep", "--dry-run"], arguments].concat());
    let sizes = plan(&["4-6"]);
    assert_eq!((sizes.0, &sizes.1), (0, &plan(&["-n", "4-6"]).1));
    assert_eq!(plan(&["quick"]).1, plan(&[]).1);
    assert!(plan(&["textbook", "-n", "5"]).1.starts_with("experiment  textbook"));
    for (arguments, values) in [
        (&["qick"][..], ["'qick'", "quick, textbook"]),
        (&["8-4"], ["8-4", "4-8"]),
        (&["4-6", "--n", "5"], ["--n"; 2]),
    ] {
        let error = refused_in(directory.path(), &[&["sweep", "--dry-run"], arguments].concat());
        assert!(values.iter().all(|value| error.contains(value)), "{error}");
    }
}

/// 8^8 assignments take longer than a millisecond on any machine.
#[test]
fn timeout_fails_only_with_option_fail_on_timeout() {
    let directory = scratch();
    let arguments = ["sweep", "--n", "8", "--solver", "backtrack/exhaustive", "--timeout", "1ms"];
    let arguments = [&arguments[..], &["--repeat", "1", "--out", "r"]].concat();
    let (code, stdout, stderr) = run_in(directory.path(), &arguments);
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.contains("timeout") && stdout.contains("2 stopped by a limit"), "{stdout}");
    let rows = rows(&directory.path().join("r"));
    assert_eq!(rows.len(), 2);
    for row in &rows {
        assert_eq!((row.status, row.verdict), (Status::Timeout, Verdict::Unchecked), "{row:?}");
        assert_eq!((row.solve_ns, row.solutions, row.stats.get(Stat::Nodes)), (None, None, None));
        assert_eq!(row.time_limit_ns, Some(1_000_000));
        assert!(row.wall_ns >= row.time_limit_ns);
    }
    let (code, _, _) = run_in(directory.path(), &[&arguments[..], &["--fail-on-timeout"]].concat());
    assert_eq!(code, 4);
}

#[test]
fn directory_in_use_exits_with_1() {
    let directory = scratch();
    let _open_directory =
        ResultDir::open(&directory.path().join("r")).expect("a directory that no process uses");
    let (code, stdout, stderr) = run_in(directory.path(), &SMALL_SWEEP);
    assert_eq!((code, stdout.as_str()), (1, ""));
    assert_wording("sweep", "directory in use", &stderr);
    assert!(!directory.path().join("r/runs.csv").exists());
}

/// Version 1 had other columns and another meta.json. Either of these two files is enough to detect version 1.
#[test]
fn results_of_version_1_are_refused_and_kept() {
    let runs = "schema_version,run_id,cell_id,seq,round,started_at,n,variant,goal,solver,solver_version,threads,seed,\
                repetition,warmup,counting,status,verdict\n1,a.1,a,1,1,,4,queens,count,x,1,1,1,1,false,false,complete,correct\n";
    for (name, text) in [("meta.json", "{\"schema_version\": 1, \"plan\": {}}\n"), ("runs.csv", runs)] {
        let directory = scratch();
        assert_eq!(run_in(directory.path(), &SMALL_SWEEP).0, 0);
        let out = directory.path().join("r");
        write(&out, name, text);
        for command in [&SMALL_SWEEP[..], &["report", "r"], &["compare", "r", "r"], &["reproduce", "r"]] {
            let (code, _, stderr) = run_in(directory.path(), command);
            assert!([1, 2].contains(&code), "{command:?}: {stderr}");
            let position =
                stderr.find(&format!("r/{name}: ")).unwrap_or_else(|| panic!("{command:?}: {stderr}"));
            assert_wording("sweep", &format!("results of version 1: {name}"), &stderr[position..]);
            assert_eq!(read(&out, name), text);
        }
        let (code, _, stderr) = run_in(directory.path(), &[&SMALL_SWEEP[..], &["--fresh"]].concat());
        assert_eq!(code, 0, "{stderr}");
        assert_eq!(read(&directory.path().join("r.old-1"), name), text);
    }
}
