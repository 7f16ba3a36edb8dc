mod reference;

use std::ops::ControlFlow;

use super::*;
use queens_board::{BoardSize, column};
use queens_solver::sink::Discard;
use queens_solver::{Goal, Options, Stop};

#[derive(Clone, Debug, PartialEq, Eq)]
enum Event {
    Node,
    Enter,
    DeadEnd,
    Leave,
    Solution,
}

/// What a search reports, with the queens on the first rows at that moment.
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
fn searchers_of_the_published_tree_report_the_same_events_and_bit_masks_also_below_given_queens() {
    for n in 0..=7 {
        let all = events(&column_scan::ColumnScan, n);
        let nodes = all.iter().filter(|(event, _)| *event == Event::Node).count();
        assert_eq!(nodes, [1, 2, 3, 6, 17, 54, 153, 552][n], "A319283");
        assert_eq!(events(&board_scan::BoardScan, n), all, "n = {n}");
        assert_eq!(events(&flag_arrays::FlagArrays, n), all, "n = {n}");
        assert_eq!(events(&Bitmask, n), all, "n = {n}");
        for (_, prefix) in all.iter().filter(|(event, _)| *event == Event::Node) {
            let mut below = Recorder { path: prefix.clone(), ..Recorder::default() };
            let squares: Vec<_> = queens_board::squares(prefix).collect();
            assert!(Bitmask::search_below(&squares, n, &mut below).is_continue());
            let own = |(event, path): &&(Event, Vec<u32>)| {
                path.starts_with(prefix) && (*event != Event::Enter || path != prefix)
            };
            assert_eq!(
                below.events,
                all.iter().filter(own).cloned().collect::<Vec<_>>(),
                "n = {n} {prefix:?}"
            );
        }
    }
}

#[test]
fn every_searcher_says_what_it_does_counts_and_why_sizes_are_limited() {
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

#[test]
fn a_search_begins_again_after_as_many_failures_as_it_is_told() {
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
    // Every search is the same, so that only the one that may fail often enough ends with a solution.
    for limit in 1..=failures {
        let searches = (0..).take_while(|&search| limit << search <= failures).count() as u64;
        let failed = failures + (0..searches).map(|search| limit << search).sum::<u64>();
        assert_eq!(solve(&format!("restarts=geometric:{limit}:2")), (failed, searches), "{limit}");
    }
}

/// The trees of 8 and 10 queens have 2,057 and 35,539 nodes.
#[test]
fn a_search_ends_at_its_node_limit_and_counting_passes_no_boards() {
    let searchers = solvers().into_iter().filter(|solver| {
        let info = solver.info();
        info.walks_published_tree && info.sizes.contains(&10)
    });
    for solver in searchers {
        let stopped = |n, limit| {
            let budget = queens_solver::Budget { node_limit: Some(limit), ..Default::default() };
            let task = Task { budget, ..Task::new(board(n), Goal::Count) };
            solver.solve(&task, &mut Discard).expect("solved").stopped
        };
        let at = solver.id();
        assert_eq!([stopped(10, 10_000), stopped(10, 1 << 40)], [Some(Stop::NodeLimit), None], "{at}");
        assert_eq!(stopped(8, 10_000), None, "{at}");
        for (goal, counting) in [(Goal::Count, false), (Goal::Count, true), (Goal::Enumerate, true)] {
            let mut boards = Boards(0);
            let task = Task { counting, ..Task::new(board(8), goal) };
            let found = solver.solve(&task, &mut boards).expect("solved").solutions;
            assert_eq!((found, boards.0), (92, if goal == Goal::Count { 0 } else { 92 }), "{at}");
        }
    }
}

/// Counts the boards that it gets.
struct Boards(u64);

impl Sink for Boards {
    fn solution(&mut self, _: &[u32]) -> ControlFlow<()> {
        self.0 += 1;
        ControlFlow::Continue(())
    }
}

#[test]
fn restarts_are_refused_unless_one_solution_is_wanted() {
    let solver = solver(forward_checking::ForwardChecking);
    let refused = |goal, options: &str| {
        let options = Options::parse(options, &solver.info()).expect("declared");
        solver.solve(&Task { options, ..Task::new(board(6), goal) }, &mut Discard).err()
    };
    for goal in [Goal::Count, Goal::Enumerate] {
        assert_eq!(refused(goal, "restarts=none"), None);
        let error = refused(goal, "restarts=luby:1").expect("refused");
        assert!(matches!(error, SolveError::Refused(_)), "{error}");
        wording::assert_wording!("restarts", goal.name(), error);
    }
    assert_eq!(refused(Goal::First, "restarts=luby:1"), None);
}

#[test]
fn a_board_without_solutions_ends_every_search_and_wiped_out_nodes_have_a_depth() {
    for (searcher, options) in [("lds", ""), ("fc-cbj", ""), ("forward-checking", "restarts=luby:1")] {
        let solvers = solvers();
        let solver =
            solvers.iter().find(|solver| solver.id() == format!("backtrack/{searcher}")).expect("it");
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
fn every_order_of_rows_and_columns_finds_all_solutions() {
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
