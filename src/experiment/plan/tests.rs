use std::path::Path;

use super::*;
use crate::experiment::commands;
use crate::model::Kind;
use crate::record::RecordError;
use crate::registry::Registry;
use crate::solver::{Info, Outcome, Sink, SolveError, Solver, Task};

fn parse_spec(text: &str) -> Result<Spec, String> {
    let head = "schema_version = 1\nname = \"test\"\n";
    Spec::parse("x.toml", &format!("{head}{text}")).map_err(|error| error.to_string())
}

fn plan(text: &str) -> Result<Plan, String> {
    Plan::new(parse_spec(text)?, &Registry::builtin()).map_err(|error| error.to_string())
}

/// The error of an experiment that cannot be planned. The message begins with `place`, the position in the file.
#[track_caller]
fn planning_error(text: &str, place: &str) -> String {
    let error = plan(text).expect_err(text);
    assert!(error.starts_with(place), "{error}");
    error
}

const TWO_SOLVERS: &str = "[sweep]\nn = \"4-8\"\nwarmup = 1\n[[solver]]\nid = \"backtrack/bitmask\"\n[[solver]]\nid = \"backtrack/flag-arrays\"\n";

#[test]
fn cells_have_counting_warmup_and_timed_runs() {
    let plan = plan(TWO_SOLVERS).expect("a plan");
    assert_eq!(plan.cells.len(), 5 * 2);
    let round = |round| plan.runs.iter().filter(move |run| run.round == round);
    assert!(round(0).all(|run| run.kind == Kind::Counting && run.repetition == 0));
    assert!(round(1).all(|run| run.kind == Kind::Warmup && run.repetition == 1));
    for timed in 1..=8 {
        let mut cells: Vec<usize> = round(timed).map(|run| run.cell).collect();
        assert!(!cells.is_sorted(), "round {timed} is not shuffled");
        cells.sort_unstable();
        cells.dedup();
        assert_eq!(cells.len(), 10);
    }
    assert_eq!(plan.runs.len(), 10 + 8 * 10);
}

#[test]
fn equal_specs_give_equal_plans_unless_seeds_differ() {
    let first = plan(TWO_SOLVERS).expect("a plan");
    let second = plan(TWO_SOLVERS).expect("a plan");
    assert_eq!((&second.cells, &second.runs), (&first.cells, &first.runs));
    let plan_with_other_seed = plan(&TWO_SOLVERS.replace("[sweep]", "[sweep]\nseed = 2")).expect("a plan");
    assert_ne!(plan_with_other_seed.runs, first.runs);
}

#[test]
fn sizes_ascend_if_timeouts_end_a_series() {
    let shuffled_plan = plan(TWO_SOLVERS).expect("a plan");
    let plan = plan(&TWO_SOLVERS.replace("[sweep]", "[sweep]\nstop_after_timeouts = 1")).expect("a plan");
    for round in 1..=4 {
        let solvers = |plan: &Plan| {
            let runs = plan.runs.iter().filter(|run| run.round == round);
            runs.map(|run| plan.cells[run.cell].key.solver.clone()).collect::<Vec<_>>()
        };
        assert_eq!(
            solvers(&plan),
            solvers(&shuffled_plan),
            "the shuffled order of the solvers stays the same"
        );
        for solver in ["backtrack/bitmask", "backtrack/flag-arrays"] {
            let runs = plan.runs.iter().filter(|run| run.round == round);
            let cells = runs.map(|run| &plan.cells[run.cell]).filter(|cell| cell.key.solver == solver);
            assert!(cells.map(|cell| cell.key.n).eq(4..=8), "{solver}");
        }
    }
}

#[test]
fn run_ids_are_distinct_and_independent_of_repetitions() {
    let ids = |text: &str| {
        let plan = plan(text).expect("a plan");
        plan.runs.iter().map(|run| plan.run_id(run)).collect::<std::collections::HashSet<_>>()
    };
    let ids_of_default = ids(TWO_SOLVERS);
    assert_eq!(ids_of_default.len(), 90);
    let ids_of_8_repetitions = ids(&TWO_SOLVERS.replace("[sweep]", "[sweep]\nrepeat = 8"));
    assert!(ids_of_default.is_subset(&ids_of_8_repetitions));
}

/// A pattern selects only the sizes that a solver supports. A solver named by its exact id is planned for all sizes, and the
/// unsupported ones are recorded as skipped.
#[test]
fn unsupported_sizes_are_recorded_only_for_exact_ids() {
    let sizes = |id: &str| {
        let text = format!("[sweep]\nn = \"4-12\"\n[[solver]]\nid = \"{id}\"\n");
        let plan = plan(&text).expect("a plan");
        let sizes = |skipped: bool| {
            let cells = plan.cells.iter().filter(move |cell| cell.skip.is_some() == skipped);
            cells.map(|cell| cell.key.n).collect::<Vec<_>>()
        };
        (sizes(false), sizes(true))
    };
    assert_eq!(sizes("backtrack/exhausti*"), ((4..=8).collect(), vec![]));
    assert_eq!(sizes("backtrack/exhaustive"), ((4..=12).collect(), vec![]));
    assert_eq!(sizes("backtrack/nested-l*"), (vec![4], vec![]));
    assert_eq!(sizes("backtrack/nested-loops"), (vec![4], (5..=12).collect()));
    let unsupported_sizes = "[sweep]\nn = \"9-12\"\n[[solver]]\nid = \"backtrack/nested-l*\"\n";
    wording::assert_wording!(
        "plan",
        "no solver for the sizes",
        planning_error(unsupported_sizes, "x.toml: ")
    );
}

#[test]
fn exact_id_overrides_the_size_limit_of_pattern() {
    let text = "[sweep]\nn = \"8-9\"\n[[solver]]\nid = \"backtrack/exhaust*\"\n\
                [[solver]]\nid = \"backtrack/exhaustive\"\nn = \"9\"\n";
    let plan = plan(text).expect("a plan");
    assert_eq!(plan.cells.iter().map(|cell| cell.key.n).collect::<Vec<_>>(), [8, 9]);
}

#[test]
fn shards_of_a_plan_partition_its_runs() {
    let whole_plan = plan(TWO_SOLVERS).expect("a plan");
    let shards =
        ["1/3", "2/3", "3/3"].map(|shard| whole_plan.clone().of_shard(shard.parse().expect("a shard")));
    let ids = |plan: &Plan| plan.runs.iter().map(|run| plan.run_id(run)).collect::<Vec<_>>();
    let mut parts: Vec<String> = shards.iter().flat_map(ids).collect();
    let mut all_ids = ids(&whole_plan);
    parts.sort_unstable();
    all_ids.sort_unstable();
    assert_eq!(parts, all_ids);
    let sizes = shards.map(|shard| shard.cells.iter().map(|cell| cell.key.n).collect::<BTreeSet<_>>());
    assert!(sizes[0].is_disjoint(&sizes[1]) && sizes[1].is_disjoint(&sizes[2]), "{sizes:?}");
}

#[test]
fn size_beyond_limit_of_named_solver_is_refused() {
    let text = "[sweep]\nn = \"60-70\"\n[[solver]]\nid = \"backtrack/bitmask\"\n";
    let error = planning_error(text, "x.toml:6:6: n = 65 ");
    wording::assert_wording!("plan", "n = 65 of backtrack/bitmask", error);
}

#[test]
fn plan_with_too_many_runs_is_refused() {
    let error = planning_error(
        &TWO_SOLVERS.replace("[sweep]", "[sweep]\nrepeat = 4000000000"),
        "x.toml: 40000000020 runs ",
    );
    wording::assert_wording!("plan", "too many runs", error);
}

#[test]
fn program_command_contains_the_size() {
    let text = "[sweep]\nn = \"5\"\n[[program]]\nid = \"mine\"\ncommand = [\"python3\", \"q.py\", \"{n}\"]\n";
    let plan = plan(text).expect("a plan");
    let call = plan.cells[0].program.clone().expect("a program");
    assert_eq!((plan.cells.len(), call.command), (1, vec!["python3".into(), "q.py".into(), "5".into()]));
    assert_eq!(plan.cells[0].key.solver, "program/mine");
}

#[test]
fn plan_with_only_skipped_cells_has_no_rounds() {
    let text = "[sweep]\nn = \"5-6\"\nrepeat = 4294967295\nwarmup = 1\n[[solver]]\nid = \"backtrack/nested-loops\"\n";
    let plan = plan(text).expect("a plan");
    assert!(plan.cells.iter().all(|cell| cell.skip.is_some()));
    assert_eq!(plan.runs.len(), 2);
}

/// A plan with `repeat = 0` has no timed cells. Its counting cells have the same ids as in other plans.
#[test]
fn plan_without_repetitions_contains_no_timed_runs() {
    let text = "[sweep]\nn = \"5-6\"\n[[solver]]\nid = \"backtrack/bitmask\"\n";
    let plan_with_keys = |keys: &str| plan(&text.replace("[sweep]", &format!("[sweep]\n{keys}")));
    let timed_plan = plan_with_keys("repeat = 1").expect("a plan");
    let counting_plan = plan_with_keys("repeat = 0").expect("a plan");
    let ids = |plan: &Plan| Vec::from_iter(plan.cells.iter().map(|cell| cell.id.clone()));
    assert_eq!(
        (ids(&counting_plan), counting_plan.cells.len(), counting_plan.runs.len()),
        (ids(&timed_plan), 2, 2)
    );
    let error = plan_with_keys("repeat = 0\nwarmup = 1").expect_err("warm-up runs of nothing");
    wording::assert_wording!("plan", "repeat = 0, warmup = 1", error);
    let program = format!("{text}[[program]]\nid = \"p\"\ncommand = [\"p\", \"{{n}}\"]\n");
    let error =
        plan(&program.replace("[sweep]", "[sweep]\nrepeat = 0")).expect_err("a program is timed only");
    assert!(error.contains("'p'"), "{error}");
    wording::assert_wording!("plan", "repeat = 0 with a program", error);
}

/// If a command does not name files, the id of its cell must be equal to the id in published results.
#[test]
fn cell_id_changes_only_if_command_names_files() {
    let text = format!(
        "{TWO_SOLVERS}[[program]]\nid = \"p\"\ncommand = [\"Cargo.toml\", \"src/lib.rs\", \"{{n}}\"]\n"
    );
    let plan_without_files = plan(&text).expect("a plan");
    let plan_with_files = plan_without_files.clone().with_files(&commands::digests(&plan_without_files));
    for (before, after) in plan_without_files.cells.iter().zip(&plan_with_files.cells) {
        assert_eq!(before.id == after.id, before.program.is_none(), "{after:?}");
        assert_eq!(after.files.contains_key("src/lib.rs"), after.program.is_some());
    }
}

#[test]
fn oversized_plan_is_refused_before_it_takes_memory() {
    let text = "[sweep]\nn = \"4\"\nrepeat = 4294967295\nwarmup = 4294967295\n[[solver]]\nid = \"backtrack/bitmask\"\n";
    let error = planning_error(text, "x.toml: 8589934591 runs ");
    wording::assert_wording!("plan", "oversized: repetitions", error);
    let many_cells = "goal = \"first\"\nseed = \"1-10000\"\n[[solver]]\nid = \"local/min-conflicts\"\n";
    let error = planning_error(&format!("[sweep]\nn = \"4-1024\"\n{many_cells}"), "x.toml: ");
    assert!(error.contains("200000 cells"), "{error}");
    wording::assert_wording!("plan", "oversized: seeds", error);
}

#[test]
fn claim_names_one_series_and_one_existing_statistic() {
    let claim = |of: &str, measure: &str| {
        let text = format!(
            "[sweep]\nn = \"4-5\"\n[[solver]]\nid = \"backtrack/dlx\"\nitems = [\"organ-pipe\", \"natural\"]\n[[program]]\nid = \"p\"\ncommand = [\"p\", \"{{h}}\"]\n\
             h = [1, 2]\n[[claim]]\nsays = \"x\"\nmeasure = \"{measure}\"\nof = \"{of}\"\nvalue = 1\nratio = \"> 1\"\n"
        );
        plan(&text).map(drop)
    };
    assert_eq!(claim("backtrack/dlx:items=natural", "nodes"), Ok(()));
    assert_eq!(claim("program/p:h=1", "solutions"), Ok(()));
    for (of, measure, names) in [
        ("backtrack/dlx:item=natural", "nodes", "'items'"),
        ("backtrack/dlx:items=organ-pipe", "nodes", "'backtrack/dlx'"),
        ("program/q", "solutions", "'program/q'"),
        ("program/p", "solutions", "'program/p:h=1' or 'program/p:h=2'"),
        ("backtrack/dlx", "learned_clauses", "learned_clauses"),
        ("backtrack/dlx", "stat.mine", "mine"),
    ] {
        let error = claim(of, measure).expect_err(of);
        assert!(error.contains(names), "{error}");
        wording::assert_wording!("plan", &format!("a claim about {measure} of {of}"), error);
    }
    // A program may print any statistic.
    assert_eq!(claim("program/p:h=1", "nodes"), Ok(()));
    assert_eq!(claim("program/p:h=1", "stat.mine"), Ok(()));
    assert_eq!(claim("backtrack/dlx", "stat.nodes"), Ok(()));
}

/// A solver that cannot run on the processor of this machine.
struct Unavailable;

impl Solver for Unavailable {
    fn info(&self) -> Info {
        Info {
            sizes: 0..=8,
            unavailable: Some("no such processor".to_owned()),
            depends_on_machine: true,
            ..Info::named("test/lacking")
        }
    }

    fn search(&self, _: &Task<'_>, _: &mut dyn Sink) -> Result<Outcome, SolveError> {
        unreachable!("it is never run")
    }
}

#[test]
fn claim_needs_runs_unless_options_exclude_them() {
    let text = |sweep: &str, claim: &str| {
        format!(
            "[sweep]\n{sweep}\n[[solver]]\nid = \"backtrack/dlx\"\n[[solver]]\nid = \"backtrack/bitmask\"\nn = \"4\"\n\
             [[claim]]\nsays = \"x\"\nmeasure = \"time\"\nof = \"backtrack/dlx\"\nratio = \"> 1\"\n{claim}\n"
        )
    };
    let two_sizes = "n = \"4-5\"";
    assert_eq!(plan(&text(two_sizes, "compared_with = \"backtrack/bitmask\"\nn = \"4\"")).map(drop), Ok(()));
    for (sweep, claim, key) in [
        (two_sizes, "compared_with = \"backtrack/bitmask\"", "a size that one of them lacks"),
        (two_sizes, "compared_with = \"sat/pairwise/varisat\"", "a solver that is not run"),
        (
            "n = { count = \"4-5\", first = \"4\" }\ngoal = [\"count\", \"first\"]",
            "value = \"1s\"\ngoal = \"first\"\nn = \"5\"",
            "a size of another goal",
        ),
        ("n = \"4\"\nrepeat = 0", "value = \"1s\"", "times of counting runs"),
    ] {
        let error = plan(&text(sweep, claim)).expect_err(claim);
        wording::assert_wording!("plan", &format!("a claim that no run can decide: {key}"), error);
    }
    // A claim about a solver that is not installed or not supported on this machine is not an error.
    let sat = "compared_with = \"sat/pairwise/gone\"\n[[sat]]\nid = \"gone\"\ncommand = \"no-such-program {cnf}\"\n\
               [[solver]]\nid = \"sat/pairwise/gone\"";
    assert_eq!(plan(&text(two_sizes, sat)).map(drop), Ok(()));
    let mut registry = Registry::builtin();
    registry.register(Box::new(Unavailable));
    let unavailable = "compared_with = \"test/lacking\"\n[[solver]]\nid = \"test/lacking\"";
    let unavailable_spec = parse_spec(&text(two_sizes, unavailable)).expect("a spec");
    assert!(Plan::new(unavailable_spec, &registry).is_ok());
    let mut spec = parse_spec(&text(two_sizes, "compared_with = \"backtrack/bitmask\"")).expect("a spec");
    spec.context.is_narrowed = true;
    let narrowed_plan = Plan::new(spec, &Registry::builtin()).expect("a plan");
    assert_eq!(narrowed_plan.spec.claims.len(), 0);
}

#[test]
fn sizes_per_goal_and_excluded_combinations_are_planned() {
    let text = "[sweep]\nn = { count = \"4-6\", first = \"5,8\" }\ngoal = [\"count\", \"first\"]\n[[program]]\nid = \"p\"\n\
                command = [\"p\", \"{n}\", \"{goal}\", \"{a}\", \"{b}\", \"{timeout}\"]\na = [1, 2]\nb = [\"x\", \"y\"]\n\
                timeout = \"1500ms\"\nexclude = [{ a = 2, b = [\"x\", \"y\"] }]\nlabel = \"P {a}\"\ngroup = \"G\"\n";
    let plan = plan(text).expect("a plan");
    let calls: Vec<String> = plan.cells.iter().map(|cell| cell.command().join(" ")).collect();
    let call = |n: usize, goal: &str, b: &str| format!("p {n} {goal} 1 {b} 1.5");
    let mut expected = Vec::new();
    for (n, goal) in [(4, "count"), (5, "count"), (5, "first"), (6, "count"), (8, "first")] {
        expected.extend([call(n, goal, "x"), call(n, goal, "y")]);
    }
    let mut sorted_calls = calls.clone();
    sorted_calls.sort();
    expected.sort();
    assert_eq!(sorted_calls, expected);
    let naming = &plan.names["program/p:a=1,b=y"];
    assert_eq!((naming.label.as_str(), naming.group.as_str()), ("P 1 (b=y)", "G"));
}

#[test]
fn program_not_installed_is_skipped_with_install_command() {
    let plan_with_keys = |keys: &str| {
        let text = format!("{TWO_SOLVERS}[[program]]\nid = \"p\"\ncommand = [\"sh\", \"{{n}}\"]\n{keys}\n");
        let plan = plan(&text).expect("a plan");
        let installed_programs = commands::installed_programs(&plan).map_err(|error| error.to_string())?;
        Ok::<Plan, String>(plan.with_programs(installed_programs))
    };
    let skip_reason = |plan: &Plan| plan.cells.iter().find_map(|cell| cell.skip.clone()).unwrap_or_default();
    let failing_version = "version = [\"sh\", \"-c\", \"echo no module >&2; exit 1\"]";
    let plan = plan_with_keys(&format!("install = \"setup it\"\n{failing_version}")).expect("skipped");
    assert!(skip_reason(&plan).ends_with("setup it"), "{}", skip_reason(&plan));
    wording::assert_wording!("plan", "a program that is not installed", skip_reason(&plan));
    assert_eq!(plan.runs.iter().filter(|run| plan.cells[run.cell].program.is_some()).count(), 5);
    // If there is no `install` command, any output of the version command counts as the version, on stdout or stderr and with any
    // exit code.
    assert_eq!(plan_with_keys(failing_version).expect("a plan").versions["program/p"], "no module");
    let printing_version = "install = \"x\"\nversion = [\"sh\", \"-c\", \"echo; echo 1.2; exit 1\"]";
    assert_eq!(plan_with_keys(printing_version).expect("a plan").versions["program/p"], "1.2");
    let error = plan_with_keys("version = [\"true\"]").expect_err("nothing");
    assert!(error.contains("'program/p'"), "{error}");
    wording::assert_wording!("plan", "a program that prints no version", error);
}

/// Ten factors of ten values each have ten billion combinations, which would not fit in memory.
#[test]
fn too_many_combinations_are_refused_before_expansion() {
    let names: Vec<String> = (0..10).map(|factor| format!("f{factor}")).collect();
    let command: String = names.iter().map(|name| format!("{{{name}}}")).collect();
    let factors: String = names.iter().map(|name| format!("{name} = [0,1,2,3,4,5,6,7,8,9]\n")).collect();
    let text =
        format!("[sweep]\nn = \"4\"\n[[program]]\nid = \"p\"\ncommand = [\"p\", \"{command}\"]\n{factors}");
    wording::assert_wording!("plan", "oversized: factors", planning_error(&text, "x.toml: "));
}

/// Every kind of cell: options, an external SAT solver that is missing, programs with factors and labels, variants, goals.
const ALL_KINDS: &str = "[sweep]\nn = \"4-5\"\nrepeat = 2\ngoal = [\"count\", \"first\"]\nvariant = [\"queens\", \"toroidal;place=0:1\"]\n\
    seed = [1, 2]\nmemory = \"1GiB\"\n[[sat]]\nid = \"gone\"\ncommand = \"no-such-program {seed} {cnf}\"\ninstall = \"get it\"\n\
    [[solver]]\nid = \"sat/pairwise/gone\"\n[[solver]]\nid = \"backtrack/{dlx,mac}\"\ntimeout = \"7s\"\n\
    [[program]]\nid = \"p\"\ncommand = [\"sh\", \"Cargo.toml\", \"{n}\", \"{h}\", \"{goal}\"]\nh = [1, \"b c\"]\nn = \"5\"\nlabel = \"P {h}\"\ngroup = \"G\"\n";

/// The plan with the programs and files of this machine, and the experiment parsed from its written copy.
fn resolve_plan(text: &str) -> (Plan, Spec) {
    let plan = plan(text).expect("a plan");
    let digests = commands::digests(&plan);
    let plan = plan.with_files(&digests);
    let installed_programs = commands::installed_programs(&plan).expect("what is missing can be installed");
    let plan = plan.with_programs(installed_programs);
    let spec = Spec::parse("experiment.toml", &plan.spec.to_toml()).expect("a spec");
    (plan, spec)
}

fn parse_plan(text: &[u8], spec: &Spec) -> Result<Plan, RecordError> {
    Plan::of_json(Path::new("r/plan.json"), text, spec.clone(), BTreeMap::new(), None)
}

#[test]
fn plan_json_is_read_back_unchanged() {
    for text in [TWO_SOLVERS, ALL_KINDS] {
        let (plan, spec) = resolve_plan(text);
        let read_back = parse_plan(plan.to_json().as_bytes(), &spec).expect("what was written");
        assert_eq!((&read_back.cells, &read_back.runs), (&plan.cells, &plan.runs));
        assert_eq!(
            (&read_back.statistics, read_back.repeat.maximum),
            (&plan.statistics, plan.repeat.maximum)
        );
        let count_names =
            |plan: &Plan| plan.names.values().filter(|naming| **naming != Naming::default()).count();
        assert_eq!(count_names(&read_back), count_names(&plan));
        assert_eq!(read_back.to_json(), plan.to_json());
    }
    let (plan, _) = resolve_plan(ALL_KINDS);
    assert!(plan.cells.iter().any(|cell| cell.skip.is_some() && cell.external.is_some()));
    assert!(plan.cells.iter().any(|cell| cell.files.contains_key("Cargo.toml")));
}

/// The stored rules of an instance are checked, because its answers are judged by them.
#[test]
fn instances_in_plan_json_are_read_and_checked() {
    let problem =
        Problem::from_text(BoardSize::new(4).expect("a size"), "queens;place=0:1").expect("a problem");
    let text =
        InstanceText { n: 4, problem: problem.to_string(), path: "i.txt".to_owned(), sha256: "0".to_owned() };
    let instance = Instance { name: "i".to_owned(), text: text.clone(), problem };
    let spec = "[sweep]\ninstances = \"i.txt\"\n[[solver]]\nid = \"backtrack/dlx\"\n";
    let spec = parse_spec(spec).expect("a spec");
    let plan = Plan::with_instances(spec, vec![instance], &Registry::builtin()).expect("a plan");
    let (written, spec) = (plan.to_json(), Spec::parse("x.toml", &plan.spec.to_toml()).expect("a spec"));
    let read_back = parse_plan(written.as_bytes(), &spec).expect("what was written");
    assert_eq!((read_back.instances(), &read_back.cells), ([("i".to_owned(), text)].into(), &plan.cells));
    assert_eq!(read_back.to_json(), written);
    for (from, to) in
        [("queens;place=0:1", "queens;place=0:4"), ("{\"n\":4", "{\"n\":5"), ("\"i\":", "\"j\":")]
    {
        let error = parse_plan(written.replacen(from, to, 1).as_bytes(), &spec).expect_err(to);
        assert!(matches!(error, RecordError::Table { .. }), "{error}");
    }
}

#[test]
fn truncated_plan_json_is_refused() {
    let (plan, spec) = resolve_plan(TWO_SOLVERS);
    let text = plan.to_json();
    for end in 0..text.trim_end().len() {
        let error = parse_plan(&text.as_bytes()[..end], &spec).expect_err("torn");
        assert!(matches!(error, RecordError::Table { .. }), "{error}");
    }
}

/// Reports and `reproduce` rely on `plan.json`: a changed cell would change counts or start another command.
#[test]
fn plan_json_that_contradicts_its_experiment_is_refused() {
    let (plan, spec) = resolve_plan(ALL_KINDS);
    let text = plan.to_json();
    let cell = |which: &str| text.lines().find(|line| line.contains(which)).expect(which).to_owned();
    let program = cell("\"solver\":\"program/p:h=1\"");
    let id_of_program = program.split('"').find(|text| text.len() == 17 && text.starts_with('c'));
    let id_of_program = id_of_program.expect("an id").to_owned();
    let repeated_line = format!("{program}\n{program}");
    for (key, from, to) in [
        ("another size", "\"n\":5,", "\"n\":6,"),
        ("another goal", "\"goal\":\"first\"", "\"goal\":\"enumerate\""),
        ("another problem", "toroidal;place=0:1", "toroidal;place=0:2"),
        ("an invalid problem", "toroidal;place=0:1", "no such problem"),
        ("another limit", "\"time_limit_ns\":7000000000", "\"time_limit_ns\":8000000000"),
        ("no limit of memory", "\"memory_limit_bytes\":1073741824", "\"more\":1"),
        ("another seed", "\"seed\":2", "\"seed\":3"),
        ("another solver", "backtrack/mac", "backtrack/bitmask"),
        ("another factor", "program/p:h=1", "program/p:h=2"),
        ("no factor", "program/p:h=1", "program/p"),
        ("another program", "program/p:h=1", "program/q:h=1"),
        ("another command", "\"Cargo.toml\",\"5\"", "\"-c\",\"5\""),
        ("another command of a SAT solver", "no-such-program 1", "rm -r 1"),
        ("another digest", "\"Cargo.toml\":\"", "\"Cargo.toml\":\"0"),
        ("another id", "\"id\":\"c", "\"id\":\"d"),
        ("a cell twice", &program, &repeated_line),
        ("version 2", "\"schema_version\": 3", "\"schema_version\": 2"),
        ("an empty solver", "\"backtrack/mac\"", "\"\""),
        ("a number below 0", "\"n\":5,", "\"n\":-5,"),
    ] {
        assert!(text.contains(from), "{key}: {from}");
        // Labels are stored in the part before the cells, which stays unchanged.
        let (head, cells) = text.split_once("\"cells\"").expect("cells");
        let cells = cells.replacen(from, to, 1);
        let head = if from.contains("version") { head.replace(from, to) } else { head.to_owned() };
        let error = parse_plan(format!("{head}\"cells\"{cells}").as_bytes(), &spec).expect_err(key);
        assert!(matches!(error, RecordError::Table { .. }), "{error}");
        // The id depends on the digest of a file.
        let error = error.to_string().replace(&id_of_program, "ID");
        wording::assert_wording!("plan", &format!("plan.json: {key}"), error);
    }
    let head = text.split("  \"cells\"").next().expect("a head");
    let error = parse_plan(format!("{head}  \"cells\": []\n}}\n").as_bytes(), &spec).expect_err("no cell");
    wording::assert_wording!("plan", "plan.json: no cell", error.to_string());
}

/// The labels in figures and tables are those of the experiment, regardless of the version of queenlab that reads it.
#[test]
fn plan_json_labels_must_match_the_experiment() {
    let options =
        "[[solver]]\nid = \"backtrack/dlx\"\nitems = [\"natural\", \"organ-pipe\"]\nlabel = \"D\"\n";
    let (plan, spec) = resolve_plan(&format!("{ALL_KINDS}{options}"));
    let text = plan.to_json();
    let key = "names";
    assert_eq!(parse_plan(text.as_bytes(), &spec).expect(key).names["program/p:h=1"].label, "P 1");
    for (from, to) in [
        ("\"label\":\"P 1\"", "\"label\":\"Q 1\""),
        ("\"label\":\"P 1\"", "\"label\":\"P b c\""),
        ("\"label\":\"P 1\",", ""),
        ("\"group\":\"G\"", "\"group\":\"H\""),
        ("\"label\":\"D (items=natural)\"", "\"label\":\"D (items=organ)\""),
        ("\"program/p:h=1\":{", "\"program/p:h=2\":{"),
        ("\"program/p:h=1\":{", "\"backtrack/bitmask\":{"),
        ("\"program/p:h=1\":{", "\":{"),
        ("\"names\"", "\"no_names\""),
    ] {
        assert!(text.contains(from), "{from} in {text}");
        let error = parse_plan(text.replacen(from, to, 1).as_bytes(), &spec).expect_err(to);
        assert!(matches!(error, RecordError::Table { .. }), "{error}");
    }
    let other_label = text.replacen("\"P 1\"", "\"Q\"", 1);
    let error = parse_plan(other_label.as_bytes(), &spec).expect_err(key).to_string();
    wording::assert_wording!("plan", "plan.json: another label", error);
}

/// A solver that is not part of this build.
struct NotBuilt;

impl Solver for NotBuilt {
    fn info(&self) -> Info {
        Info { depends_on_machine: false, ..Info { id: "test/not-built".to_owned(), ..Unavailable.info() } }
    }

    fn search(&self, _: &Task<'_>, _: &mut dyn Sink) -> Result<Outcome, SolveError> {
        unreachable!("it is never run")
    }
}

#[test]
fn named_solver_missing_from_the_build_is_refused() {
    let mut registry = Registry::builtin();
    registry.register(Box::new(Unavailable));
    registry.register(Box::new(NotBuilt));
    let plan_with_solvers = |ids: &[&str]| {
        let solvers: String = ids.iter().map(|id| format!("[[solver]]\nid = \"{id}\"\n")).collect();
        let spec = parse_spec(&format!("[sweep]\nn = \"4\"\n{solvers}")).expect("a spec");
        Plan::new(spec, &registry).map(|plan| plan.cells.len()).map_err(|error| error.place)
    };
    let supported_id = "backtrack/bitmask";
    assert_eq!(plan_with_solvers(&["test/not-built"]), Err("x.toml:6:6".to_owned()));
    assert_eq!(plan_with_solvers(&[supported_id, "test/not-built"]), Err("x.toml:8:6".to_owned()));
    assert_eq!(plan_with_solvers(&[supported_id, "test/{lacking,not-built}"]), Err("x.toml:8:6".to_owned()));
    // The solver may exist on another machine, and the plan has other runs that work here.
    assert_eq!(plan_with_solvers(&[supported_id, "test/lacking"]), Ok(2));
    assert_eq!(plan_with_solvers(&["test/lacking"]), Err("x.toml:6:6".to_owned()));
    assert!(plan_with_solvers(&[supported_id, "test/not-b*"]).is_ok(), "a pattern names nothing");
}

#[test]
fn every_built_in_experiment_has_a_plan() {
    for (name, _) in crate::spec::builtin::ALL {
        let spec = crate::spec::builtin::named(name).expect("listed").expect("a spec");
        assert!(Plan::new(spec, &Registry::builtin()).is_ok(), "{name}");
    }
}
