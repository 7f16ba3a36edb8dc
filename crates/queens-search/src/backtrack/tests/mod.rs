mod dual;
mod reference;

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use super::back::conflicts::Conflicts;
use super::back::row_by_row;
use super::cover::dlx;
use super::remove::domains::{LineDomains, Masks};
use super::remove::{fc_cbj, forward_checking, gac, orders, unit_propagation};
use super::safe::{bitmask_recursive, board_scan, column_scan, flag_arrays};
use super::searcher::Task;
use super::*;
use queens_board::problem::Problem;
use queens_board::{BoardSize, column};
use queens_solver::sink::{Collect, Discard};
use queens_solver::{Goal, Options, Sink, SolveError, Stat, Stop};

#[derive(Clone, Debug, PartialEq, Eq)]
enum Event {
    Node,
    Enter,
    DeadEnd,
    Leave,
    Solution,
}

/// Records the events of a search, with the queens on the first rows at each event.
#[derive(Default)]
struct Recorder {
    path: Vec<u32>,
    events: Vec<(Event, Vec<u32>)>,
}

impl Recorder {
    fn record(&mut self, event: Event, level: usize) {
        self.events.push((event, self.path[..level].to_vec()));
    }
}

impl Visitor for Recorder {
    fn node(&mut self, level: usize) -> Flow {
        self.record(Event::Node, level);
        Flow::Continue(())
    }

    fn dead_end(&mut self, level: usize) {
        self.record(Event::DeadEnd, level);
    }

    fn enter(&mut self, line: usize, cell: usize) {
        self.path.truncate(line);
        self.path.push(column(cell));
        self.record(Event::Enter, line + 1);
    }

    fn leave(&mut self, level: usize) {
        self.record(Event::Leave, level);
    }

    fn solution(&mut self, columns: &[u32]) -> Flow {
        assert_eq!(columns, self.path);
        self.record(Event::Solution, columns.len());
        Flow::Continue(())
    }
}

fn board(n: usize) -> BoardSize {
    BoardSize::new(n).expect("small")
}

fn events(searcher: &impl Searcher, n: usize) -> Vec<(Event, Vec<u32>)> {
    let mut recorder = Recorder::default();
    assert!(searcher.run(&Task::new(board(n), Goal::Enumerate), &mut recorder).is_continue());
    recorder.events
}

#[test]
fn searchers_of_the_published_tree_report_equal_events() {
    for n in 0..=7 {
        let expected = events(&column_scan::ColumnScan, n);
        let nodes = expected.iter().filter(|(event, _)| *event == Event::Node).count();
        assert_eq!(nodes, [1, 2, 3, 6, 17, 54, 153, 552][n], "A319283");
        assert_eq!(events(&board_scan::BoardScan, n), expected, "n = {n}");
        assert_eq!(events(&flag_arrays::FlagArrays, n), expected, "n = {n}");
        assert_eq!(events(&bitmask_recursive::BitmaskRecursive, n), expected, "n = {n}");
        assert_eq!(events(&Bitmask, n), expected, "n = {n}");
        for (_, prefix) in expected.iter().filter(|(event, _)| *event == Event::Node) {
            let mut subtree = Recorder { path: prefix.clone(), ..Recorder::default() };
            let squares: Vec<_> = queens_board::squares(prefix).collect();
            assert!(Bitmask::search_below(&squares, n, &mut subtree).is_continue());
            let is_in_subtree = |(event, path): &&(Event, Vec<u32>)| {
                path.starts_with(prefix) && (*event != Event::Enter || path != prefix)
            };
            assert_eq!(
                subtree.events,
                expected.iter().filter(is_in_subtree).cloned().collect::<Vec<_>>(),
                "n = {n} {prefix:?}"
            );
        }
    }
}

#[test]
fn every_searcher_has_description_statistics_and_size_reason() {
    for info in solvers().iter().map(|solver| solver.info()) {
        assert!(!info.about.is_empty() && !info.statistics.is_empty(), "{}", info.id);
        assert_eq!(
            *info.sizes.end() == BoardSize::MAX,
            info.sizes_reason == "the largest board",
            "{}",
            info.id
        );
    }
}

/// Records the events from which statistics are computed, in order.
#[derive(Default, PartialEq, Eq, Debug)]
struct StatisticEvents {
    nodes: Vec<usize>,
    dead_ends: Vec<usize>,
    checks: u64,
    boards: Vec<Vec<u32>>,
}

impl Visitor for StatisticEvents {
    const COUNTERS: bool = true;

    fn node(&mut self, level: usize) -> Flow {
        self.nodes.push(level);
        Flow::Continue(())
    }

    fn dead_end(&mut self, level: usize) {
        self.dead_ends.push(level);
    }

    fn count(&mut self, _: Stat, number: u64) {
        self.checks += number;
    }

    fn solution(&mut self, columns: &[u32]) -> Flow {
        self.boards.push(columns.to_vec());
        Flow::Continue(())
    }
}

/// The searchers represent conflict sets by trees only on boards above 64, on which a full search would take too long. Therefore,
/// this test uses trees on small boards.
#[test]
fn mask_and_tree_conflict_sets_give_equal_searches() {
    type Tree = BTreeSet<usize>;
    for n in 0..=8 {
        let task = Task::new(board(n), Goal::Enumerate);
        let events_of = |search: &dyn Fn(&mut StatisticEvents) -> Flow| {
            let mut events = StatisticEvents::default();
            assert!(search(&mut events).is_continue());
            events
        };
        let masks = events_of(&|events| row_by_row::search(n, Conflicts::<u64>::empty(n), events));
        let trees = events_of(&|events| row_by_row::search(n, Conflicts::<Tree>::empty(n), events));
        assert_eq!(trees, masks, "n = {n}");
        let masks = events_of(&|events| fc_cbj::search::<Masks, u64, _>(&task, events));
        assert_eq!(
            events_of(&|events| fc_cbj::search::<LineDomains, Tree, _>(&task, events)),
            masks,
            "n = {n}"
        );
    }
}

/// The queens of a solution are placed on all rows except the last 14, so that the trees are small.
#[test]
fn mask_searchers_agree_with_dancing_links() {
    let mut total = 0;
    for (n, seed) in [32, 33, 64].into_iter().flat_map(|n| (0..8).map(move |seed| (n, seed))) {
        let mut solution = Collect::default();
        let task = Task { seed, ..Task::new(board(n), Goal::First) };
        crate::local::solvers()[0].solve(&task, &mut solution).expect("every size");
        let columns = solution.0[0].columns().to_vec();
        let prefix: Vec<_> = queens_board::squares(&columns[..n - 14]).collect();
        let problem = Problem::queens(board(n)).place(prefix.iter().copied()).expect("on the board");
        let boards_of = |solver: Box<dyn Solver>| {
            let mut boards = Collect::default();
            solver.solve(&Task::of(&problem, Goal::Enumerate), &mut boards).expect("within its sizes");
            let mut boards: Vec<Vec<u32>> = boards.0.iter().map(|board| board.columns().to_vec()).collect();
            boards.sort_unstable();
            boards
        };
        let expected = boards_of(solver(dlx::Dlx));
        assert!(expected.contains(&columns), "n = {n}");
        total += expected.len();
        assert_eq!(boards_of(solver(unit_propagation::UnitPropagation)), expected, "n = {n}");
        let mut completions = Vec::new();
        let mut collect = |columns: &[u32]| {
            completions.push(columns.to_vec());
            Flow::Continue(())
        };
        assert!(Bitmask::search_below(&prefix, n, &mut collect).is_continue());
        assert_eq!(completions, expected, "n = {n}");
    }
    assert!(total > 24, "{total}");
}

#[test]
fn gac_solves_boards_above_32() {
    for n in [33, 64] {
        let options = Options::parse("rows=smallest,values=middle-out", &gac::Gac.info()).expect("declared");
        let mut boards = Collect::default();
        let task = Task { options, ..Task::new(board(n), Goal::First) };
        solver(gac::Gac).solve(&task, &mut boards).expect("within its sizes");
        assert!(boards.0.len() == 1 && boards.0[0].is_solution(), "n = {n}");
    }
}

#[test]
fn search_restarts_after_its_limit_of_failures() {
    let solver = solver(forward_checking::ForwardChecking);
    let solve = |restarts: &str| {
        let options = Options::parse(restarts, &solver.info()).expect("declared");
        let task = Task { counting: true, options, ..Task::new(board(12), Goal::First) };
        let outcome = solver.solve(&task, &mut Discard).expect("solved");
        let stat = |stat| outcome.stats.get(stat).expect("counted");
        (stat(Stat::Failures), stat(Stat::Restarts))
    };
    let (failures, restarts) = solve("");
    assert_eq!(restarts, 0);
    // Every restart repeats the same search, so a solution is found by the first search whose limit of failures suffices.
    for limit in 1..=failures {
        let searches = (0..).take_while(|&search| limit << search <= failures).count() as u64;
        let total_failures = failures + (0..searches).map(|search| limit << search).sum::<u64>();
        assert_eq!(solve(&format!("restarts=geometric:{limit}:2")), (total_failures, searches), "{limit}");
    }
}

/// For 8 and 10 queens, the trees have 2,057 and 35,539 nodes.
#[test]
fn search_ends_at_its_node_limit() {
    let searchers = solvers().into_iter().filter(|solver| {
        let info = solver.info();
        info.walks_published_tree && info.sizes.contains(&10)
    });
    for solver in searchers {
        let stop_reason = |n, limit| {
            let budget = queens_solver::Budget { node_limit: Some(limit), ..Default::default() };
            let task = Task { budget, ..Task::new(board(n), Goal::Count) };
            solver.solve(&task, &mut Discard).expect("solved").stopped
        };
        let id = solver.id();
        assert_eq!(
            [stop_reason(10, 10_000), stop_reason(10, 1 << 40)],
            [Some(Stop::NodeLimit), None],
            "{id}"
        );
        assert_eq!(stop_reason(8, 10_000), None, "{id}");
        for (goal, counting) in [(Goal::Count, false), (Goal::Count, true), (Goal::Enumerate, true)] {
            let mut boards = CountBoards(0);
            let task = Task { counting, ..Task::new(board(8), goal) };
            let solutions = solver.solve(&task, &mut boards).expect("solved").solutions;
            assert_eq!((solutions, boards.0), (92, if goal == Goal::Count { 0 } else { 92 }), "{id}");
        }
    }
}

/// A sink that counts boards.
struct CountBoards(u64);

impl Sink for CountBoards {
    fn solution(&mut self, _: &[u32]) -> ControlFlow<()> {
        self.0 += 1;
        ControlFlow::Continue(())
    }
}

#[test]
fn restarts_are_refused_unless_goal_is_first() {
    let solver = solver(forward_checking::ForwardChecking);
    let refusal = |goal, options: &str| {
        let options = Options::parse(options, &solver.info()).expect("declared");
        solver.solve(&Task { options, ..Task::new(board(6), goal) }, &mut Discard).err()
    };
    for goal in [Goal::Count, Goal::Enumerate] {
        assert_eq!(refusal(goal, "restarts=none"), None);
        let error = refusal(goal, "restarts=luby:1").expect("refused");
        assert!(matches!(error, SolveError::Refused(_)), "{error}");
        wording::assert_wording!("restarts", goal.name(), error);
    }
    assert_eq!(refusal(Goal::First, "restarts=luby:1"), None);
}

#[test]
fn unsolvable_boards_report_depth_of_last_wipeout() {
    for (searcher, options) in [("lds", ""), ("fc-cbj", ""), ("forward-checking", "restarts=luby:1")] {
        let solvers = solvers();
        let solver =
            solvers.iter().find(|solver| solver.id() == format!("backtrack/{searcher}")).expect("a searcher");
        for (n, depth) in [(2, 1), (3, 2)] {
            let options = Options::parse(options, &solver.info()).expect("declared");
            let task = Task { counting: true, options, ..Task::new(board(n), Goal::First) };
            let outcome = solver.solve(&task, &mut Discard).expect("solved");
            assert_eq!(
                (outcome.solutions, outcome.stats.get(Stat::MaxDepth)),
                (0, Some(depth)),
                "{searcher} {n}"
            );
        }
    }
}

#[test]
fn forward_checking_is_complete_in_every_order() {
    let solver = solver(forward_checking::ForwardChecking);
    for rows in orders::ROWS.values {
        for values in orders::VALUES.values {
            let options =
                Options::parse(&format!("rows={rows},values={values}"), &solver.info()).expect("declared");
            let task = Task { options, ..Task::new(board(7), Goal::Count) };
            assert_eq!(solver.solve(&task, &mut Discard).expect("solved").solutions, 40, "{rows} {values}");
        }
    }
}
