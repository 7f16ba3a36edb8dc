//! The rules that every solver of the registry must follow. The tests name no solver, so a new solver is tested as soon as it is
//! registered. The references are brute force (every legal placement row by row, built only from `Square::attacks`), the trees of
//! A319284, and the properties that the solvers declare.

use std::cell::Cell;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use queenlab::board::prefix::Prefix;
use queenlab::board::problem::{Problem, Variant};
use queenlab::board::published;
use queenlab::board::{BoardSize, Placement};
use queenlab::registry::Registry;
use queenlab::solver::budget::Budget;
use queenlab::solver::sink::{Collect, Digest, Discard};
use queenlab::solver::{
    Goal, Info, Level, Options, Order, Outcome, SolveError, Solver, Stat, Statistics, Stop, Task,
};

/// The largest board that every solver enumerates in these tests: 7, or 8 with `scripts/test --full`, where they take three times
/// as long.
fn largest_tested_size() -> usize {
    if std::env::args().any(|argument| argument == "--include-ignored") { 8 } else { 7 }
}

/// Solvers check their budget at least once per this number of nodes or candidates.
const POLL_INTERVAL: u64 = 4096;

fn task(n: usize, goal: Goal) -> Task<'static> {
    Task::new(BoardSize::new(n).expect("a small board"), goal)
}

/// All solutions, in the lexicographic order of the columns of their queens.
fn brute_force(n: usize) -> Vec<Placement> {
    Prefix::all(n, n).iter().map(|prefix| Placement::new(prefix.columns())).collect()
}

/// The row of the queen in each column.
fn rows(board: &Placement) -> Vec<usize> {
    let row_of = |column| board.columns().iter().position(|&c| c as usize == column);
    (0..board.size()).map(|column| row_of(column).expect("a queen in every column")).collect()
}

/// All solutions in the order in which a solver promises to visit them; row by row if it promises no order.
fn solutions_in_order(n: usize, order: Order) -> Vec<Placement> {
    let mut boards = brute_force(n);
    if order == Order::ByColumn {
        boards.sort_by_key(rows);
    }
    boards
}

/// Whether these tests run the solver at this size.
fn is_tested_at(info: &Info, n: usize) -> bool {
    info.sizes.contains(&n) && info.pattern_limit.is_none_or(|limit| n <= limit)
}

fn available(registry: &Registry) -> impl Iterator<Item = &dyn Solver> {
    registry.iter().filter(|solver| solver.info().unavailable.is_none())
}

/// Tasks with and without counting; also on several threads if the solver supports them.
fn tasks(info: &Info, n: usize, goal: Goal) -> Vec<Task<'static>> {
    let threads = if info.uses_threads { &[1, 2, 3][..] } else { &[1] };
    let settings =
        |&threads| [false, true].map(|counting| (counting, NonZeroUsize::new(threads).expect("some")));
    let all_settings = threads.iter().flat_map(settings);
    all_settings.map(|(counting, threads)| Task { counting, threads, ..task(n, goal) }).collect()
}

/// Calls `check` for every available solver at every size up to [`largest_tested_size`] for which it supports `goal`.
fn for_each_solver_and_size(goal: Goal, mut check: impl FnMut(&dyn Solver, &Info, usize)) {
    let mut checked = 0;
    for solver in available(&Registry::builtin()) {
        let info = solver.info();
        if info.goals.contains(&goal) {
            for n in (0..=largest_tested_size()).filter(|&n| is_tested_at(&info, n)) {
                check(solver, &info, n);
                checked += 1;
            }
        }
    }
    assert!(checked > 0, "no solver supports the goal {goal}");
}

fn solve(solver: &dyn Solver, task: &Task<'_>) -> (Outcome, Vec<Placement>) {
    let mut boards = Collect::default();
    let outcome = solver.solve(task, &mut boards).expect("within its sizes and goals");
    (outcome, boards.0)
}

#[test]
fn every_solver_has_valid_metadata() {
    let registry = Registry::builtin();
    let mut ids: Vec<String> = registry.iter().map(|solver| solver.info().id).collect();
    for solver in registry.iter() {
        let info = solver.info();
        let parts: Vec<&str> = info.id.split('/').collect();
        assert!(parts.len() >= 2 && parts.iter().all(|part| !part.is_empty()), "{}", info.id);
        assert!(!info.about.is_empty() && !info.version.is_empty(), "{}", info.id);
        assert!(!info.goals.is_empty() && !info.sizes.is_empty(), "{}", info.id);
        assert!(registry.get(&info.id).is_ok_and(|solver| solver.id() == info.id), "{}", info.id);
    }
    let id_count = ids.len();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), id_count, "two solvers share an id");
}

#[test]
fn goal_first_returns_first_solution_in_declared_order() {
    for_each_solver_and_size(Goal::First, |solver, info, n| {
        for task in tasks(info, n, Goal::First) {
            let (outcome, boards) = solve(solver, &task);
            let solvable = n != 2 && n != 3;
            let case = format!("{}, n = {n}", info.id);
            assert_eq!((outcome.solutions, outcome.stopped), (u64::from(solvable), None), "{case}");
            assert_eq!(boards.len(), usize::from(solvable), "{case}");
            assert!(boards.iter().all(|board| board.size() == n && board.is_solution()), "{case}");
            if info.order != Order::Unspecified {
                assert_eq!(boards.first(), solutions_in_order(n, info.order).first(), "{case}");
            }
        }
    });
}

#[test]
fn goal_count_is_exact_and_delivers_no_boards() {
    for_each_solver_and_size(Goal::Count, |solver, info, n| {
        for task in tasks(info, n, Goal::Count) {
            let (outcome, boards) = solve(solver, &task);
            let expected = brute_force(n).len() as u64;
            assert_eq!((outcome.solutions, outcome.stopped), (expected, None), "{}, n = {n}", info.id);
            assert_eq!(boards, [], "{}, n = {n}", info.id);
        }
    });
}

#[test]
fn goal_enumerate_visits_solutions_once_in_declared_order() {
    for_each_solver_and_size(Goal::Enumerate, |solver, info, n| {
        for task in tasks(info, n, Goal::Enumerate) {
            let (outcome, mut boards) = solve(solver, &task);
            let case = format!("{}, n = {n}", info.id);
            assert_eq!((outcome.solutions, outcome.stopped), (boards.len() as u64, None), "{case}");
            if info.order == Order::Unspecified {
                boards.sort();
            }
            assert_eq!(boards, solutions_in_order(n, info.order), "{case}");
        }
    });
}

/// Brute force takes too long for 9 and 10 queens, so SAT is the reference.
#[test]
#[ignore = "long: every searcher enumerates 10 queens"]
fn searchers_agree_with_sat_on_larger_boards() {
    let registry = Registry::builtin();
    let digest = |solver: &dyn Solver, n: usize| {
        let mut digest = Digest::default();
        let outcome =
            solver.solve(&task(n, Goal::Enumerate), &mut digest).expect("within its sizes and goals");
        assert_eq!(
            (outcome.solutions, outcome.stopped),
            (digest.count(), None),
            "{}, n = {n}",
            solver.info().id
        );
        digest
    };
    let mut comparison_count = 0;
    for n in [9, 10] {
        let expected = digest(registry.get("sat/pairwise/varisat").expect("a solver"), n);
        for solver in available(&registry) {
            let info = solver.info();
            // Constraint programming takes too long for 10 queens in a build without optimisation.
            let takes_too_long = info.id.starts_with("sat/") || (info.id.starts_with("cp/") && n > 9);
            if !takes_too_long && info.goals.contains(&Goal::Enumerate) && is_tested_at(&info, n) {
                assert_eq!(digest(solver, n), expected, "{}, n = {n}", info.id);
                comparison_count += 1;
            }
        }
    }
    assert!(comparison_count > 30, "{comparison_count}");
}

/// All placements with one queen in each row that are solutions according to the definition.
fn solutions_by_definition(problem: &Problem) -> Vec<Placement> {
    let n = problem.n().get();
    let mut placements: Vec<Vec<u32>> = vec![Vec::new()];
    for _ in 0..n {
        let with_next_queen = |columns: &Vec<u32>| {
            (0..n as u32).map(|column| [columns.as_slice(), &[column]].concat()).collect::<Vec<_>>()
        };
        placements = placements.iter().flat_map(with_next_queen).collect();
    }
    placements
        .iter()
        .filter(|columns| problem.is_solution(columns))
        .map(|columns| Placement::new(columns))
        .collect()
}

#[test]
fn solutions_of_every_problem_match_the_definition() {
    let restricted_texts =
        ["queens;place=0:1", "queens;forbid=0:0,1:3", "regions;regions=AABB/AABB/CCDD/CCDD"];
    let sizes = 0..=6;
    let variant_problems = Variant::NAMED.into_iter().flat_map(|variant| {
        sizes
            .clone()
            .map(move |n| Problem::new(task(n, Goal::First).n(), variant.clone()).expect("a problem"))
    });
    let restricted_problems =
        restricted_texts.map(|text| Problem::from_text(task(4, Goal::First).n(), text).expect("a problem"));
    let mut comparison_count = 0;
    for problem in variant_problems.chain(restricted_problems) {
        let expected = solutions_by_definition(&problem);
        for solver in available(&Registry::builtin()) {
            let info = solver.info();
            if is_tested_at(&info, problem.n().get()) && info.refusal(&problem, Goal::Enumerate).is_none() {
                let (outcome, mut boards) = solve(solver, &Task::of(&problem, Goal::Enumerate));
                boards.sort();
                assert_eq!(boards, expected, "{}, {problem}, n = {}", info.id, problem.n());
                assert_eq!(outcome.stopped, None);
                comparison_count += 1;
            }
        }
    }
    assert!(comparison_count > 1000, "{comparison_count}");
}

/// Tests each value of each option separately. The test replaces N and X by 3 in values such as `luby:N`.
#[test]
fn every_option_value_gives_the_same_solutions() {
    let problems = [Problem::queens, |n| Problem::new(n, Variant::Toroidal).expect("a problem")];
    for solver in available(&Registry::builtin()) {
        let info = solver.info();
        let values =
            info.options.iter().flat_map(|option| option.values.iter().map(move |value| (option, value)));
        for (option, value) in values {
            let value = value.replace(['N', 'X'], "3");
            let options = Options::of([(option.name, value.as_str())], &info).expect("declared");
            for problem in
                problems.iter().flat_map(|problem| [3, 5, 6, 7].map(|n| problem(task(n, Goal::First).n())))
            {
                if info.refusal(&problem, info.goals[0]).is_some() {
                    continue;
                }
                let expected: Vec<Placement> = brute_force(problem.n().get());
                let is_legal = |board: &&Placement| problem.is_solution(board.columns());
                let expected: Vec<Placement> = expected.iter().filter(is_legal).cloned().collect();
                let solve = |goal| {
                    let mut boards = Collect::default();
                    let task = Task { options: options.clone(), ..Task::of(&problem, goal) };
                    solver.solve(&task, &mut boards).map(|_| boards.0)
                };
                let case = format!("{}:{options}, {problem}, n = {}", info.id, problem.n());
                if info.goals.contains(&Goal::Enumerate) {
                    match solve(Goal::Enumerate) {
                        Ok(mut boards) => {
                            boards.sort();
                            assert_eq!(boards, expected, "{case}");
                        }
                        // An option may require the goal `first`.
                        Err(error) => assert!(matches!(error, SolveError::Refused(_)), "{case}: {error}"),
                    }
                }
                let first = solve(Goal::First).expect("every option supports the goal first");
                assert_eq!(first.len(), expected.len().min(1), "{case}");
                assert!(first.iter().all(|board| expected.contains(board)), "{case}");
            }
        }
    }
}

/// Some of the problems have a row without a free square, and in some, placed queens attack each other.
#[test]
fn general_solvers_find_all_solutions_of_restricted_problems() {
    let n = 5;
    let placements = (0..n).fold(vec![vec![]], |all: Vec<Vec<u32>>, _| {
        let with_next_queen =
            |columns: Vec<u32>| (0..n).map(move |column| [&columns[..], &[column]].concat());
        all.into_iter().flat_map(with_next_queen).collect()
    });
    for text in [
        "queens;place=0:1;forbid=2:0;exclude=d2",
        "queens;place=0:1,0:3",
        "queens;place=0:1,1:2",
        "toroidal;place=2:2",
        "superqueens;place=0:0,1:2",
        "regions;regions=AAABB/ACCBB/ACCDB/EEDDD/EEEDD",
        "regions;regions=AAABB/ACCBB/ACCDB/EEDDD/EEEDD;place=0:0,4:0",
    ] {
        let problem = Problem::from_text(task(5, Goal::First).n(), text).expect("a problem");
        let expected: Vec<&Vec<u32>> =
            placements.iter().filter(|columns| problem.is_solution(columns)).collect();
        let solvers = Registry::builtin();
        let general_solvers = available(&solvers).filter(|solver| solver.info().any_problem);
        for solver in
            general_solvers.filter(|solver| solver.info().refusal(&problem, Goal::Enumerate).is_none())
        {
            let mut boards = Collect::default();
            solver.solve(&Task::of(&problem, Goal::Enumerate), &mut boards).expect("it takes any problem");
            boards.0.sort();
            let actual: Vec<Vec<u32>> = boards.0.iter().map(|board| board.columns().to_vec()).collect();
            assert_eq!(actual.iter().collect::<Vec<_>>(), expected, "{}: {text}", solver.info().id);
        }
    }
}

#[test]
fn counting_runs_report_exactly_the_declared_statistics() {
    for goal in Goal::ALL {
        for_each_solver_and_size(goal, |solver, info, n| {
            let case = format!("{} {goal}, n = {n}", info.id);
            let (outcome, _) = solve(solver, &task(n, goal));
            assert_eq!((&outcome.stats, &outcome.levels[..]), (&Statistics::default(), &[][..]), "{case}");
            let (outcome, _) = solve(solver, &Task { counting: true, ..task(n, goal) });
            for &stat in Stat::ALL {
                let value = outcome.stats.get(stat);
                assert_eq!(value.is_some(), info.statistics.contains(&stat), "{case}: {}", stat.name());
            }
            let levels = if info.walks_published_tree { n + 1 } else { 0 };
            assert_eq!(outcome.levels.len(), levels, "{case}");
        });
    }
}

/// The expected numbers are A319284 and the dead ends of its trees. For n = 0, the only node is the empty board, which is not a
/// dead end.
#[test]
fn exhaustive_searches_visit_the_published_tree() {
    for goal in [Goal::Count, Goal::Enumerate] {
        for_each_solver_and_size(goal, |solver, info, n| {
            if !info.walks_published_tree {
                return;
            }
            let outcome = solve(solver, &Task { counting: true, ..task(n, goal) }).0;
            let empty_board = vec![Level { nodes: 1, dead_ends: 0 }];
            let published = published::profile(n).map_or(empty_board, |profile| {
                profile.iter().map(|l| Level { nodes: l.nodes, dead_ends: l.dead_ends }).collect()
            });
            let case = format!("{} {goal}, n = {n}", info.id);
            assert_eq!(outcome.levels, published, "{case}");
            let nodes: Vec<u64> = published.iter().map(|level| level.nodes).collect();
            assert_eq!(outcome.stats.get(Stat::Nodes), Some(nodes.iter().sum()), "{case}");
            assert_eq!(
                outcome.stats.get(Stat::DeadEnds),
                Some(published.iter().map(|level| level.dead_ends).sum()),
                "{case}"
            );
            let max_depth = nodes.iter().rposition(|&nodes| nodes > 0).map(|depth| depth as u64);
            assert_eq!(outcome.stats.get(Stat::MaxDepth), max_depth, "{case}");
        });
    }
}

#[test]
fn generate_and_test_solvers_report_no_nodes() {
    for_each_solver_and_size(Goal::Enumerate, |solver, info, n| {
        if info.statistics.contains(&Stat::Candidates) {
            assert!(!info.statistics.contains(&Stat::Nodes), "{}", info.id);
            let (outcome, boards) = solve(solver, &Task { counting: true, ..task(n, Goal::Enumerate) });
            assert!(outcome.stats.get(Stat::Candidates) > Some(0), "{}, n = {n}", info.id);
            assert!(outcome.stats.get(Stat::Candidates) >= Some(boards.len() as u64), "{}, n = {n}", info.id);
        }
    });
}

#[test]
fn sink_that_breaks_off_ends_enumeration_immediately() {
    for_each_solver_and_size(Goal::Enumerate, |solver, info, n| {
        let expected = solutions_in_order(n, info.order);
        let board_limits = [1, 2, expected.len()]
            .into_iter()
            .filter(|board_limit| (1..=expected.len()).contains(board_limit));
        for (board_limit, task) in board_limits.flat_map(|board_limit| {
            tasks(info, n, Goal::Enumerate).into_iter().map(move |t| (board_limit, t))
        }) {
            let mut boards = Vec::new();
            let mut sink = |columns: &[u32]| {
                boards.push(Placement::new(columns));
                if boards.len() == board_limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let outcome = solver.solve(&task, &mut sink).expect("within its sizes");
            let case = format!("{}, n = {n}, broken off at {board_limit}", info.id);
            assert_eq!(
                (outcome.solutions, outcome.stopped),
                (board_limit as u64, Some(Stop::Sink)),
                "{case}"
            );
            assert_eq!(boards.len(), board_limit, "{case}");
            if info.order != Order::Unspecified {
                assert_eq!(boards, expected[..board_limit], "{case}");
            }
        }
    });
}

/// The sink cancels the search as soon as a solution is reported, while other threads may still be searching.
#[test]
fn goal_first_is_answered_despite_later_cancellation() {
    for_each_solver_and_size(Goal::First, |solver, info, n| {
        for task in tasks(info, n, Goal::First) {
            let cancel = Arc::new(AtomicBool::new(false));
            let budget = Budget { cancel: Some(Arc::clone(&cancel)), ..Budget::default() };
            let mut reported_solutions = 0;
            let mut sink = |_: &[u32]| {
                reported_solutions += 1;
                cancel.store(true, Ordering::Relaxed);
                if task.threads.get() > 1 {
                    // Gives the other threads time to notice the cancellation.
                    std::thread::sleep(std::time::Duration::from_millis(2));
                }
                ControlFlow::Break(())
            };
            let outcome = solver.solve(&Task { budget, ..task }, &mut sink).expect("within its sizes");
            assert_eq!(
                (outcome.solutions, outcome.stopped),
                (reported_solutions, None),
                "{}, n = {n}",
                info.id
            );
        }
    });
}

/// Limits that a search exceeds at its first check.
fn limits() -> [(Stop, Budget); 3] {
    let cancel = Some(Arc::new(AtomicBool::new(true)));
    [
        (Stop::Cancelled, Budget { cancel, ..Budget::default() }),
        (Stop::NodeLimit, Budget { node_limit: Some(1), ..Budget::default() }),
        (Stop::Deadline, Budget { deadline: Some(Instant::now()), ..Budget::default() }),
    ]
}

/// n = 12 has 856,189 nodes, so a solver that checks every 4,096 nodes must reach its limit. A solver that supports only smaller
/// boards may finish before its first check, but then it must have fewer nodes.
#[test]
fn outcome_names_the_limit_that_ended_search() {
    for solver in available(&Registry::builtin()) {
        let info = solver.info();
        let n = info.pattern_limit.unwrap_or(12).min(*info.sizes.end()).min(12);
        let steps = [Stat::Nodes, Stat::Candidates];
        for (stop, budget) in limits() {
            // A solver that does not count nodes has no node limit.
            if stop == Stop::NodeLimit && !steps.iter().any(|stat| info.statistics.contains(stat)) {
                continue;
            }
            for goal in [Goal::Count, Goal::Enumerate].into_iter().filter(|goal| info.goals.contains(goal)) {
                for counting in [false, true] {
                    let task = Task { budget: budget.clone(), counting, ..task(n, goal) };
                    let (outcome, boards) = solve(solver, &task);
                    let case = format!("{} {goal}, n = {n}, {stop:?}, counting {counting}", info.id);
                    if outcome.stopped.is_none() && n < 12 {
                        let (unlimited, _) =
                            solve(solver, &Task { counting: true, budget: Budget::default(), ..task });
                        let steps =
                            unlimited.stats.get(Stat::Nodes).or(unlimited.stats.get(Stat::Candidates));
                        assert!(steps.is_some_and(|steps| steps < POLL_INTERVAL), "{case}");
                        continue;
                    }
                    assert_eq!(outcome.stopped, Some(stop), "{case}");
                    assert!(published::solutions(n).is_some_and(|all| outcome.solutions < all), "{case}");
                    assert!(boards.iter().all(Placement::is_solution), "{case}");
                    let steps = outcome.stats.get(Stat::Nodes).or(outcome.stats.get(Stat::Candidates));
                    assert!(steps.is_none_or(|steps| steps <= POLL_INTERVAL), "{case}: {steps:?} nodes");
                }
            }
        }
    }
}

#[test]
fn running_search_ends_early_when_cancelled() {
    for solver in available(&Registry::builtin()) {
        let info = solver.info();
        let size = (8..=10).rev().find(|&n| is_tested_at(&info, n));
        let Some(n) = size.filter(|_| info.goals.contains(&Goal::Enumerate)) else { continue };
        let cancel = Arc::new(AtomicBool::new(false));
        let budget = Budget { cancel: Some(Arc::clone(&cancel)), ..Budget::default() };
        let visits = Cell::new(0);
        let mut sink = |_: &[u32]| {
            visits.set(visits.get() + 1);
            cancel.store(true, Ordering::Relaxed);
            ControlFlow::Continue(())
        };
        let task = Task { budget, ..task(n, Goal::Enumerate) };
        let outcome = solver.solve(&task, &mut sink).expect("within its sizes");
        let is_incomplete = published::solutions(n).is_some_and(|all| outcome.solutions < all);
        // 8 queens have half as many nodes as the polling interval, so the search may be complete before the first check.
        let ended_before_first_check = outcome.stopped.is_none() && n == 8;
        assert!(
            ended_before_first_check || (outcome.stopped == Some(Stop::Cancelled) && is_incomplete),
            "{}: {outcome:?}",
            info.id
        );
        assert_eq!(outcome.solutions, visits.get(), "{}", info.id);
    }
}

/// Starts every searcher on its largest board, or on `largest` if that is smaller. SAT solvers are left out, because formulas of
/// that size would take a gibibyte.
fn assert_searchers_start_on(largest: usize, is_selected: impl Fn(&Info) -> bool) {
    for solver in available(&Registry::builtin()) {
        let info = solver.info();
        if !is_selected(&info) {
            continue;
        }
        let is_searcher = [Stat::Nodes, Stat::Candidates].iter().any(|stat| info.statistics.contains(stat));
        let [_, (_, budget), _] = limits();
        if is_searcher {
            let n = largest.min(*info.sizes.end());
            let goal = *info.goals.last().expect("a goal");
            let (outcome, _) = solve(solver, &Task { counting: true, budget, ..task(n, goal) });
            // A good heuristic may find a solution before the first check of the limit.
            let solved_before_first_check = goal == Goal::First && outcome.solutions == 1;
            assert!(
                outcome.stopped == Some(Stop::NodeLimit) || n < 12 || solved_before_first_check,
                "{}, n = {n}",
                info.id
            );
        }
    }
}

/// Tests boards around the largest size for masks, and boards with more columns than a byte can represent. Searchers that scan the
/// board take too long, so only `scripts/test --full` tests them.
#[test]
fn searchers_start_on_largest_supported_board_below_258() {
    assert_searchers_start_on(257, |info| {
        ![Stat::CellsTested, Stat::ConsistencyChecks].iter().any(|stat| info.statistics.contains(stat))
    });
}

/// Tests the largest supported boards, which need the largest arrays and the deepest recursion.
#[test]
#[ignore = "long: scans of boards with a million squares"]
fn searchers_start_on_largest_supported_board() {
    assert_searchers_start_on(257, |_| true);
    assert_searchers_start_on(BoardSize::MAX, |_| true);
}

#[test]
fn undeclared_sizes_and_goals_are_refused() {
    for solver in available(&Registry::builtin()) {
        let info = solver.info();
        let unsupported_sizes = [info.sizes.start().checked_sub(1), info.sizes.end().checked_add(1)];
        for n in unsupported_sizes.into_iter().flatten().filter(|&n| n <= BoardSize::MAX) {
            let error = solver.solve(&task(n, info.goals[0]), &mut Discard).expect_err("outside its sizes");
            assert!(matches!(error, SolveError::Size(_)), "{error}");
            let message = error.to_string();
            assert!(message.contains(&info.id) && message.contains(info.sizes_reason), "{message}");
        }
        for goal in Goal::ALL.into_iter().filter(|goal| !info.goals.contains(goal)) {
            let error =
                solver.solve(&task(*info.sizes.start(), goal), &mut Discard).expect_err("an undeclared goal");
            assert!(matches!(error, SolveError::Refused(_)), "{error}");
        }
    }
}
