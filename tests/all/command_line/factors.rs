//! Specs that vary problems, goals, seeds, threads, options and factors of programs, in addition to sizes and solvers.
#![cfg(unix)]

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::ops::RangeInclusive;
use std::path::Path;
use std::process::{Command, Stdio};

use queenlab::board::Placement;
use queenlab::board::prefix::Prefix;
use queenlab::record::{Kind, Meta, Row, Status, TimingsRow, Verdict, table};

use crate::harness::{PUZZLES, assert_wording, read, rows, run_in, scratch, without_numbers, write};
use crate::processes::Guard;

/// A spec with one timed run per cell, these lines in `[sweep]`, and these tables.
fn spec(sweep: &str, tables: &str) -> String {
    format!("schema_version = 1\nname = \"x\"\n[sweep]\nrepeat = 1\n{sweep}\n{tables}\n")
}

const DLX: &str = "[[solver]]\nid = \"backtrack/dlx\"\n";

/// A Python program that solves plain queens and ignores the rules of other problems.
const QUEENS: &str = "import itertools, sys\n\
n, goal = int(sys.argv[1]), sys.argv[2]\n\
for p in itertools.permutations(range(n)):\n\
\x20   if len({i + c for i, c in enumerate(p)}) == n == len({i - c for i, c in enumerate(p)}):\n\
\x20       print(*p)\n\
\x20       if goal == 'first': break\n";

/// A script that prints all solutions of the size in its first argument.
fn solution_script(sizes: RangeInclusive<usize>) -> String {
    let case = |n: usize| {
        let boards = Prefix::all(n, n);
        let lines = boards.iter().map(|board| format!("echo {}\n", Placement::new(board.columns())));
        format!("if [ $1 = {n} ]; then\n{}fi\n", lines.collect::<String>())
    };
    sizes.map(case).collect()
}

/// The different values of a column.
fn values_of_column(rows: &[Row], value: impl Fn(&Row) -> String) -> BTreeSet<String> {
    rows.iter().map(value).collect()
}

#[test]
fn every_combination_of_factors_is_one_cell() {
    let directory = scratch();
    write(directory.path(), "mine.sh", &solution_script(4..=5));
    let text = spec(
        "n = \"4-5\"\ngoal = [\"first\", \"enumerate\"]\nvariant = [\"queens\", \"toroidal;place=0:1\"]\n\
         threads = \"1,2\"\nseed = \"1-3\"",
        &format!(
            "{DLX}items = [\"natural\", \"organ-pipe\"]\n\
             [[solver]]\nid = \"sat/pairwise/varisat/cubes\"\ntimeout = \"30s\"\n\
             [[program]]\nid = \"mine\"\ncommand = [\"sh\", \"mine.sh\", \"{{n}}\", \"{{h}}\", \"{{seed}}\"]\n\
             h = [\"a\", 0.5]\ngoal = \"enumerate\"\n"
        ),
    );
    write(directory.path(), "x.toml", &text);
    let (code, stdout, stderr) = run_in(directory.path(), &["sweep", "x.toml", "-o", "r"]);
    assert_eq!(code, 0, "{stdout}{stderr}");
    let all_rows = rows(&directory.path().join("r"));
    let timed_run_count = |id: &str| {
        let is_timed_run = |row: &&Row| row.solver.split(':').next() == Some(id) && row.kind == Kind::Timed;
        all_rows.iter().filter(is_timed_run).count()
    };
    // 2 sizes x 2 problems x 2 goals x 2 orders of items. Dancing links use neither threads nor seeds.
    assert_eq!(timed_run_count("backtrack/dlx"), 16);
    assert_eq!(timed_run_count("sat/pairwise/varisat/cubes"), 16);
    // 2 sizes x 2 problems x 3 seeds x 2 values of h. Half of the cells are skipped, because the command has no placeholder for the
    // problem.
    assert_eq!(timed_run_count("program/mine"), 24);
    let skipped_rows: Vec<&Row> = all_rows.iter().filter(|row| row.status == Status::Skipped).collect();
    assert_eq!(skipped_rows.len(), 12);
    let is_placed_problem_of_program =
        |row: &&Row| row.variant == "toroidal;place=0:1" && row.solver.starts_with("program/mine:");
    assert!(skipped_rows.iter().all(is_placed_problem_of_program), "{skipped_rows:?}");
    assert!(
        all_rows.iter().all(|row| row.status == Status::Skipped || row.verdict == Verdict::Correct),
        "{all_rows:?}"
    );
    let solvers = values_of_column(&all_rows, |row| row.solver.to_string());
    let expected = [
        "backtrack/dlx",
        "backtrack/dlx:items=natural",
        "program/mine:h=0.5",
        "program/mine:h=a",
        "sat/pairwise/varisat/cubes",
    ];
    assert!(solvers.iter().eq(expected), "{solvers:?}");
    let limits = values_of_column(&all_rows, |row| {
        format!("{} {:?}", row.solver.starts_with("sat/"), row.time_limit_ns)
    });
    assert_eq!(limits.len(), 2, "only the SAT solver must have another limit");
    let run_ids = values_of_column(&all_rows, |row| row.run_id.clone());
    assert_eq!(run_ids.len(), all_rows.len(), "a run is recorded twice");
    let (code, _, stderr) = run_in(directory.path(), &["sweep", "x.toml", "-o", "r"]);
    assert!(code == 0 && stderr.contains(&format!(" {} runs ", all_rows.len())), "{stderr}");
    assert_eq!(rows(&directory.path().join("r")).len(), all_rows.len());
    let (code, stdout, _) = run_in(directory.path(), &["sweep", "x.toml", "--dry-run"]);
    assert!(code == 0 && stdout.contains("problem     queens or toroidal;place=0:1"), "{stdout}");
    assert!(stdout.contains("1 min or 30 s") && stdout.contains("44 cells"), "{stdout}");
    assert_wording("sweep", "plan with all axes", &stdout);
    let (code, _, stderr) = run_in(directory.path(), &["reproduce", "r", "--allow-programs"]);
    assert!(code == 0 && stderr.contains("\nreproduced: "), "{stderr}");
}

#[test]
fn instances_are_reproduced_without_the_instance_files() {
    let directory = scratch();
    std::fs::create_dir(directory.path().join("puzzles")).expect("a new directory");
    write(directory.path(), "puzzles/a.txt", PUZZLES[0]);
    write(directory.path(), "puzzles/b.txt", PUZZLES[1]);
    write(directory.path(), "mine.py", QUEENS);
    let program = "[[program]]\nid = \"mine\"\ncommand = [\"python3\", \"mine.py\", \"{n}\", \"{goal}\", \"{instance}\"]\n";
    let text = spec(
        "instances = \"puzzles/*.txt\"",
        &format!("{DLX}[[solver]]\nid = \"sat/product/varisat/cubes-full\"\n{program}"),
    );
    write(directory.path(), "x.toml", &text);
    let (code, stdout, stderr) = run_in(directory.path(), &["sweep", "x.toml", "-o", "r"]);
    assert_eq!(code, 3, "the program ignores the regions, so it must be wrong: {stdout}{stderr}");
    let all_rows = rows(&directory.path().join("r"));
    assert_eq!(
        values_of_column(&all_rows, |row| row.variant.to_string()),
        BTreeSet::from(["instance:a".into(), "instance:b".into()])
    );
    let plan = std::fs::read_to_string(directory.path().join("r/plan.json")).expect("a plan");
    let plan: serde_json::Value = serde_json::from_str(&plan).expect("JSON");
    let instances = plan["instances"].as_object().expect("an object");
    assert!(instances.keys().eq(["a", "b"]), "{instances:?}");
    assert!(
        instances
            .values()
            .all(|instance| instance["sha256"].as_str().is_some_and(|digest| digest.len() == 64))
    );
    for row in &all_rows {
        // A puzzle is not symmetric, so the run of the solver that breaks symmetries is skipped.
        let (status, verdict) = match row.solver.as_str() {
            "backtrack/dlx" => (Status::Complete, Verdict::Correct),
            "program/mine" => (Status::Complete, Verdict::Wrong),
            _ => (Status::Skipped, Verdict::Unchecked),
        };
        assert_eq!((row.status, row.verdict, row.n), (status, verdict, 6), "{row:?}");
    }
    assert!(stdout.contains("instances solved") && stdout.contains("2 of 2"), "{stdout}");
    let crosscheck = read(&directory.path().join("r"), "crosscheck.csv");
    assert!(crosscheck.contains(",instance:a,enumerate,program/mine,backtrack/dlx,"), "{crosscheck}");
    std::fs::remove_dir_all(directory.path().join("puzzles")).expect("removed");
    let (_, _, stderr) = run_in(directory.path(), &["reproduce", "r", "--allow-programs", "-o", "again"]);
    assert!(stderr.contains("\nreproduced: "), "{stderr}");
    let (code, stdout, stderr) = run_in(directory.path(), &["report", "r"]);
    assert_eq!((code, stdout.as_str()), (0, "r/report.html\n"), "{stderr}");
}

#[test]
fn version_of_sat_solver_is_recorded() {
    if std::process::Command::new("clasp").arg("--version").output().is_err() {
        println!("skipped: clasp not found; no [[sat]] solver is measured");
        return;
    }
    let directory = scratch();
    let tables = "[[sat]]\nid = \"mine\"\ncommand = \"clasp {cnf}\"\nversion = [\"clasp\", \"--version\"]\n\
                  [[solver]]\nid = \"sat/*/mine\"\n[[solver]]\nid = \"sat/pairwise/varisat\"\n";
    write(directory.path(), "x.toml", &spec("n = \"4-5\"", tables));
    let (code, stdout, stderr) = run_in(directory.path(), &["sweep", "x.toml", "-o", "r"]);
    assert_eq!(code, 0, "{stdout}{stderr}");
    let all_rows = rows(&directory.path().join("r"));
    let rows_of_clasp: Vec<&Row> = all_rows.iter().filter(|row| row.solver.ends_with("/mine")).collect();
    assert!(rows_of_clasp.len() > 8, "every encoding must have counting and timed runs of two sizes");
    assert!(rows_of_clasp.iter().all(|row| row.verdict == Verdict::Correct), "{rows_of_clasp:?}");
    let meta = Meta::read(&directory.path().join("r")).expect("read").expect("written");
    assert!(meta.solvers["mine"].starts_with("clasp version"), "{:?}", meta.solvers);
    // The plan contains the command of the SAT solver, so `reproduce` needs no option for the solver.
    let (code, _, stderr) = run_in(directory.path(), &["reproduce", "r", "--allow-programs"]);
    assert_eq!(code, 0, "{stderr}");
}

#[test]
fn sweep_builds_program_once_and_stops_on_failure() {
    let directory = scratch();
    let program = |build: &str| {
        format!(
            "[[program]]\nid = \"mine\"\nbuild = [\"sh\", \"-c\", \"{build}\"]\nversion = [\"echo\", \"mine 2.0\"]\n\
             command = [\"sh\", \"built.sh\", \"{{n}}\"]\n"
        )
    };
    write(directory.path(), "x.toml", &spec("n = \"4\"", &program("echo no >&2; exit 7")));
    let (code, _, stderr) = run_in(directory.path(), &["sweep", "x.toml", "-o", "r"]);
    assert_eq!(code, 2, "{stderr}");
    assert!(stderr.contains("'mine'") && stderr.contains("\n  no"), "{stderr}");
    assert_wording("sweep", "build that fails", &stderr);
    assert!(!directory.path().join("r").exists());
    let script = "echo x >> log; printf 'echo 1 3 0 2; echo 2 0 3 1' > built.sh";
    write(directory.path(), "x.toml", &spec("n = \"4\"\nwarmup = 2", &program(script)));
    assert_eq!(run_in(directory.path(), &["sweep", "x.toml", "--dry-run"]).0, 0);
    assert!(!directory.path().join("log").exists(), "a dry run must not build a program");
    let (code, _, stderr) = run_in(directory.path(), &["sweep", "x.toml", "-o", "r"]);
    assert_eq!((code, read(directory.path(), "log").as_str()), (0, "x\n"), "{stderr}");
    let meta = Meta::read(&directory.path().join("r")).expect("read").expect("written");
    assert_eq!(meta.solvers["program/mine"], "mine 2.0");
}

#[test]
fn cells_repeat_until_precise_but_not_after_resuming() {
    let directory = scratch();
    let tables =
        "[[solver]]\nid = \"backtrack/bitmask\"\n[[program]]\nid = \"fails\"\ncommand = [\"false\"]\n";
    let text = spec("n = \"8\"", tables).replace("repeat = 1", "repeat = \"until 5%, at most 9\"");
    write(directory.path(), "x.toml", &text);
    let (code, stdout, stderr) = run_in(directory.path(), &["sweep", "x.toml", "--dry-run"]);
    assert!(code == 0 && stdout.contains("2 cells, "), "{stdout}{stderr}");
    assert_wording("sweep", "plan until medians are precise", &stdout);
    let (code, stdout, stderr) = run_in(directory.path(), &["sweep", "x.toml", "-o", "r"]);
    assert!(code == 1 && stdout.starts_with("x: "), "{stdout}{stderr}");
    assert_wording("sweep", "heading of precise medians", stdout.lines().next().expect("a heading"));
    // The numbers of all repetitions of a solver, and how many of these repetitions are not replaced by a later repetition.
    let repetitions = |solver: &str| {
        let mut all_rows = rows(&directory.path().join("r"));
        all_rows.retain(|row| row.solver == solver && row.kind != Kind::Counting);
        (
            all_rows.iter().map(|row| row.repetition).collect::<Vec<_>>(),
            all_rows.iter().filter(|row| row.is_timed()).count(),
        )
    };
    let (failed, not_replaced) = repetitions("program/fails");
    assert!(
        not_replaced == 6 || failed.len() == 9,
        "a failing program must have 6 repetitions that are not replaced: {not_replaced} of {failed:?}"
    );
    let (precise, _) = repetitions("backtrack/bitmask");
    for repetition_numbers in [&failed, &precise] {
        assert!(
            (6..=9).contains(&repetition_numbers.len())
                && repetition_numbers.iter().copied().eq(1..=repetition_numbers.len() as u32),
            "{repetition_numbers:?}"
        );
    }
    let (_, _, stderr) = run_in(directory.path(), &["sweep", "x.toml", "-o", "r"]);
    let run_count = 1 + failed.len() + precise.len();
    assert!(stderr.contains(&format!(" {run_count} runs ")), "{stderr}");
    assert_eq!(repetitions("backtrack/bitmask").0, precise);
    let (code, _, stderr) = run_in(directory.path(), &["reproduce", "r", "--allow-programs", "-o", "again"]);
    assert!(code == 1 && stderr.contains("\nreproduced: "), "{code} {stderr}");
    write(directory.path(), "x.toml", &text.replace("5%", "4%"));
    let (code, _, stderr) = run_in(directory.path(), &["sweep", "x.toml", "-o", "r"]);
    assert!(code == 6 && stderr.contains("sweep.repeat: until 5%"), "{code} {stderr}");
    let lines: Vec<String> = stderr.lines().map(without_numbers).collect();
    assert_wording("sweep", "resume: another precision", &lines.join("\n"));
}

#[test]
fn maximum_duration_is_printed_before_the_sweep() {
    let directory = scratch();
    let program = "[[program]]\nid = \"p\"\ncommand = [\"true\", \"{n}\", \"{seed}\"]\n";
    let text = spec("n = \"4\"\nseed = \"1-1000\"\ntimeout = \"1s\"", program);
    write(directory.path(), "x.toml", &text.replace("repeat = 1", "repeat = 11"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_queenlab"));
    command.args(["sweep", "x.toml", "-o", "r", "--progress", "plain"]).current_dir(directory.path());
    let mut sweep = Guard::start(command.stdout(Stdio::null()).stderr(Stdio::piped()));
    let mut lines = BufReader::new(sweep.stderr.take().expect("a pipe"))
        .lines()
        .map(|line| line.expect("UTF-8"))
        .take(20);
    let line = lines.find(|line| line.starts_with("x: 11,000 runs to go, ")).expect("the plan");
    sweep.kill().expect("a running process");
    assert!(line.contains("3 h 3 min"), "{line}");
    assert_wording("sweep", "plan before it starts", &line);
    let (code, stdout, _) = run_in(directory.path(), &["sweep", "x.toml", "--dry-run"]);
    let (to_go, _) = line.trim_start_matches("x: ").rsplit_once("; ").expect("a remark about the estimate");
    assert!(code == 0 && stdout.contains(to_go), "{stdout}");
}

#[test]
fn errors_in_factors_state_the_position() {
    let directory = scratch();
    write(directory.path(), "square.txt", "AB\nABA\n");
    let program = "[[program]]\nid = \"p\"\ncommand = [\"p\", \"{n}\"]\n";
    let size_4 = "n = \"4\"";
    for (mistake, sweep, tables, place) in [
        ("option of solver", size_4, format!("{DLX}item = \"natural\"\n"), "x.toml:8:1: "),
        ("value of option", size_4, format!("{DLX}items = \"nature\"\n"), "x.toml:8:1: "),
        ("key of program", size_4, format!("{program}notaton = \"auto\"\n"), "x.toml:9:1: "),
        ("name of factor", size_4, format!("{program}\"h,i\" = 1\n"), "x.toml:9:1: "),
        ("value of factor", size_4, format!("{program}h = [\"a\", \"b,c\"]\n"), "x.toml:9:1: "),
        ("range of seeds", size_4, format!("{program}seed = \"5-1\"\n"), "x.toml:9:8: "),
        ("number of threads", size_4, format!("{program}threads = 0\n"), "x.toml:9:11: "),
        ("program without goal", "n = \"4\"\ngoal = [\"first\", \"count\"]", program.to_owned(), "{goal}"),
        ("name of goal", "n = \"4\"\ngoal = [\"first\", \"counts\"]", DLX.to_owned(), "x.toml:6:8: "),
        ("name of variant", "n = \"4\"\nvariant = \"kings\"", DLX.to_owned(), "x.toml:6:11: "),
        ("square of variant", "n = \"4\"\nvariant = \"queens;place=9:9\"", DLX.to_owned(), "9:9"),
        ("no instance", "instances = \"none/*.txt\"", DLX.to_owned(), "'none/*.txt'"),
        ("instance", "instances = \"square.txt\"", DLX.to_owned(), "square.txt: line 2: "),
        (
            "id of built-in SAT solver",
            size_4,
            "[[sat]]\nid = \"varisat\"\ncommand = \"x {cnf}\"\n".to_owned() + DLX,
            "x.toml:7:6: ",
        ),
        (
            "SAT solver that does not exist",
            size_4,
            "[[sat]]\nid = \"k\"\ncommand = \"no-such-program {cnf}\"\n[[solver]]\nid = \"sat/pairwise/k\"\n"
                .to_owned(),
            "x.toml:7:6: ",
        ),
        (
            "SAT solver without formula",
            size_4,
            "[[sat]]\nid = \"k\"\ncommand = \"x\"\n".to_owned() + DLX,
            "x.toml:8:11: ",
        ),
    ] {
        write(directory.path(), "x.toml", &spec(sweep, &tables));
        let (code, _, stderr) = run_in(directory.path(), &["sweep", "x.toml", "-o", "r"]);
        assert!(code == 2 && stderr.contains(place), "{mistake}: {code} {stderr}");
        assert_wording("sweep", &format!("mistake in factors: {mistake}"), &stderr);
        assert!(!directory.path().join("r").exists());
    }
}

#[test]
fn answer_of_model_counter_is_judged_or_refused() {
    let directory = scratch();
    let run = |output: &str, keys: &str, id: &str| {
        let command = format!("sh -c 'grep -q \\\"^c p show 1 .* 36 0$\\\" $0 && echo {output}' {{cnf}}");
        let tables =
            format!("[[solver]]\nid = \"{id}\"\n[[counter]]\nid = \"c\"\ncommand = \"{command}\"\n{keys}");
        write(directory.path(), "x.toml", &spec("n = \"6\"\ngoal = \"count\"", &tables));
        let (code, _, stderr) = run_in(directory.path(), &["sweep", "x.toml", "-o", "r", "--fresh"]);
        (code, stderr, directory.path().join("r"))
    };
    let verdicts = |directory: &Path| {
        rows(directory)
            .iter()
            .map(|row| format!("{} {} {}", row.solver, row.status, row.verdict))
            .collect::<BTreeSet<_>>()
    };
    let (code, stderr, out) = run("c s exact arb int 4", "", "counter/pairwise/c");
    assert_eq!(code, 0, "{stderr}");
    let row =
        |status: Status, verdict: Verdict| BTreeSet::from([format!("counter/pairwise/c {status} {verdict}")]);
    assert_eq!(verdicts(&out), row(Status::Complete, Verdict::Correct));
    let (code, _, out) = run("c s exact arb int 5", "", "counter/pairwise/c");
    assert_eq!((code, verdicts(&out)), (3, row(Status::Complete, Verdict::Wrong)));
    let (_, _, out) = run("c s approx arb int 4", "", "counter/pairwise/c");
    assert_eq!(verdicts(&out), row(Status::Crashed, Verdict::Unchecked));
    let reason = |out: &Path| rows(out).remove(0).outcome_reason.expect("a reason");
    assert_wording("sweep", "approximate count", &reason(&out));
    // A pattern selects the count from the other output. If the pattern does not match, the run is recorded as crashed.
    let pattern = "answer = '^Models: ([0-9,]+)'\n";
    let (code, stderr, out) = run("7; echo Models: 4", pattern, "counter/pairwise/c");
    assert_eq!((code, verdicts(&out)), (0, row(Status::Complete, Verdict::Correct)), "{stderr}");
    let (code, _, out) = run("models: 4", pattern, "counter/pairwise/c");
    assert_eq!((code, verdicts(&out)), (1, row(Status::Crashed, Verdict::Unchecked)));
    assert_wording("sweep", "pattern of a counter without a match", &reason(&out));
    let (code, _, out) = run("s UNKNOWN", pattern, "counter/pairwise/c");
    assert_eq!((code, verdicts(&out)), (0, row(Status::Unknown, Verdict::Unchecked)));
    let (code, stderr, _) = run("4", "answer = '('\n", "counter/pairwise/c");
    assert!(code == 2 && stderr.contains("answer"), "{code} {stderr}");
    // A counter with `projects = false` cannot count encodings whose auxiliary variables do not follow from the squares. A pattern
    // such as `counter/*` does not select these encodings. If such an encoding is selected by its id, its run is skipped.
    let (_, _, out) = run("c s exact arb int 4", "projects = false\n", "counter/*");
    let solvers: BTreeSet<String> = rows(&out).into_iter().map(|row| row.solver.to_string()).collect();
    assert_eq!(Vec::from_iter(solvers), ["counter/commander/c", "counter/pairwise/c"]);
    let (_, _, out) = run("c s exact arb int 4", "projects = false\n", "counter/ladder/c");
    assert!(reason(&out).contains("projects = false"), "{}", reason(&out));
    assert_wording("sweep", "counter without projection", &reason(&out));
}

/// The statistics that a program prints become columns, even if the table was created without them. An invalid statistic makes the
/// run unreadable.
#[test]
fn statistics_printed_by_program_become_columns() {
    let directory = scratch();
    let program = |id: &str, statistics: &str, keys: &str| {
        let script = format!("echo Searching; (echo {statistics}) >&2; echo 'found 2 boards'");
        format!(
            "[[program]]\nid = \"{id}\"\ncommand = [\"sh\", \"-c\", \"{script}\"]\nanswer = \"found (.*) boards\"\n{keys}\n"
        )
    };
    let claim = |id: &str, keys: &str| format!("[[claim]]\nsays = \"{id}\"\nof = \"program/{id}\"\n{keys}\n");
    let tables = [
        DLX.to_owned(),
        program("a", "stat size=7; echo solve_ns=1", "label = \"The first\"\ngroup = \"Programs\""),
        program("b", "stat size=8", "group = \"Programs\""),
        program("liar", "stat size=nan", ""),
        program("twice", "stat size=1; echo stat size=1", ""),
        claim("a", "measure = \"stat.size\"\nvalue = 7\nequal = true"),
        claim("b", "measure = \"stat.size\"\ncompared_with = \"program/a\"\nratio = \"> 1\""),
        claim("a", "measure = \"reported_solve_ns\"\nvalue = \"1ms\"\nratio = \"< 1\""),
    ];
    let text = spec("n = \"4\"\ngoal = \"count\"", &tables.concat()).replace("repeat = 1", "repeat = 5");
    write(directory.path(), "x.toml", &text);
    let (code, out, stderr) = run_in(directory.path(), &["sweep", "x.toml", "-o", "r"]);
    assert_eq!(code, 1, "{stderr}");
    let lines: Vec<&str> = out.lines().collect();
    let group = lines.iter().position(|line| *line == "Programs").expect("a line with the group");
    assert!(
        lines[group + 1].starts_with("The first †") && lines[group + 2].starts_with("program/b †"),
        "{out}"
    );
    assert!(out.contains("claims: 3 hold"), "{out}");
    let result = directory.path().join("r");
    let rows: Vec<Row> = table::read(&result).expect("runs.csv").0;
    let timed_rows =
        |solver: &'static str| rows.iter().filter(move |row| row.solver == solver && row.kind == Kind::Timed);
    assert!(
        timed_rows("program/a").all(|row| row.program_stats["size"] == 7 && row.reported_solve_ns == Some(1))
    );
    assert!(
        timed_rows("program/b").all(|row| row.program_stats["size"] == 8 && row.verdict == Verdict::Correct)
    );
    assert!(
        timed_rows("backtrack/dlx").all(|row| row.program_stats.is_empty() && row.status == Status::Complete)
    );
    for (solver, value) in [("program/liar", "stat size=nan"), ("program/twice", "size")] {
        assert_eq!(timed_rows(solver).count(), 5, "{solver}");
        for row in timed_rows(solver) {
            let reason = row.outcome_reason.as_deref().expect("a reason");
            assert!(row.status == Status::Unreadable && reason.contains(value), "{solver}: {reason}");
            assert_wording("sweep", &format!("statistic of {solver}"), reason);
        }
    }
    let timings: Vec<TimingsRow> = table::read(&result).expect("timings.csv").0;
    let startup =
        |solver: &str| timings.iter().find(|row| row.solver == solver).and_then(|row| row.startup_ns);
    assert!(startup("program/a").is_some() && startup("program/b").is_none());
    let page = read(&result, "report.html");
    assert!(
        page.contains("Start of programs") && page.contains("<td class=\"text\">Programs</td>"),
        "{page}"
    );
    // The sweep has rewritten the table with a new column. The repeated command can read and resume the rewritten table.
    assert_eq!(run_in(directory.path(), &["sweep", "x.toml", "-o", "r", "-q"]).0, 1);
    assert!(read(&result, "runs.csv").lines().next().is_some_and(|line| line.ends_with(",stat.size")));
}

/// Runs experiments/paradigms.toml. Programs that are not installed are skipped.
#[test]
#[ignore = "long: other programs"]
fn programs_of_other_paradigms_enumerate_small_boards() {
    let directory = scratch();
    let out = directory.path().join("r").display().to_string();
    let sweep = ["sweep", "experiments/paradigms.toml", "-n", "4,6", "--repeat", "1", "-o", &out];
    let (code, _, stderr) = run_in(Path::new(env!("CARGO_MANIFEST_DIR")), &sweep);
    assert_eq!(code, 0, "{stderr}");
    let rows: Vec<Row> = table::read(Path::new(&out)).expect("runs.csv").0;
    for id in ["program/clingo", "program/gprolog:order=leftmost", "program/oxidd:diagram=zdd"] {
        let rows_of_solver = || rows.iter().filter(|row| row.solver == id);
        assert!(rows_of_solver().count() >= 2, "{id}");
        match rows_of_solver().find(|row| row.status == Status::Skipped) {
            Some(row) => println!("skipped: {id}: {}", row.outcome_reason.as_deref().unwrap_or_default()),
            None => assert!(rows_of_solver().all(|row| row.verdict == Verdict::Correct), "{id}"),
        }
    }
    let is_explained = |row: &Row| {
        row.outcome_reason.as_ref().is_some_and(|error| error.contains("scripts/setup paradigms"))
    };
    assert!(rows.iter().filter(|row| row.status == Status::Skipped).all(is_explained));
}
