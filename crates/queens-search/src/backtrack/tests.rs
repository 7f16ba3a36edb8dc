use super::*;
use queens_board::{BoardSize, column};
use queens_solver::sink::{Collect, Discard};
use queens_solver::{Goal, Options};

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

/// Smallest domain first, columns from the middle outwards, and whether a solution departs at most this often from the first
/// column; with the squares that each row has left as a list.
fn departs(left: &[Option<Vec<usize>>], queens: &mut Vec<(usize, usize)>, departures: usize) -> bool {
    let open = left.iter().enumerate().filter_map(|(row, left)| Some((row, left.as_ref()?)));
    let Some((row, columns)) = open.min_by_key(|(row, left)| (left.len(), *row)) else { return true };
    let mut columns = columns.clone();
    columns.sort_by_key(|column| (2 * column).abs_diff(left.len() - 1));
    for (index, column) in columns.into_iter().enumerate() {
        if index > 0 && departures == 0 {
            return false;
        }
        let mut after = left.to_vec();
        after[row] = None;
        for (other, left) in after.iter_mut().enumerate() {
            if let Some(left) = left {
                left.retain(|&c| c != column && c.abs_diff(column) != other.abs_diff(row));
            }
        }
        queens.push((row, column));
        let dead = after.iter().flatten().any(Vec::is_empty);
        if !dead && departs(&after, queens, departures - usize::from(index > 0)) {
            return true;
        }
        queens.pop();
    }
    false
}

#[test]
fn limited_discrepancy_search_departs_as_rarely_as_possible() {
    let solver = solver(lds::Lds);
    let mut most = 0;
    for n in 4..=24 {
        let mut queens = Vec::new();
        let left = vec![Some((0..n).collect()); n];
        let fewest = (0..).find(|&departures| departs(&left, &mut queens, departures)).expect("a solution");
        queens.sort_unstable();
        let mut found = Collect::default();
        let task = Task { counting: true, ..Task::new(board(n), Goal::First) };
        let outcome = solver.solve(&task, &mut found).expect("solved");
        assert_eq!(outcome.stats.get(Stat::Restarts), Some(fewest as u64), "n = {n}");
        let columns: Vec<u32> = queens.into_iter().map(|(_, column_)| column(column_)).collect();
        assert_eq!(found.0[0].columns(), columns, "n = {n}");
        most = most.max(fewest);
    }
    assert!(most > 1, "{most}");
    for n in [2, 3] {
        let outcome = solver.solve(&Task::new(board(n), Goal::First), &mut Discard).expect("solved");
        assert_eq!(outcome.solutions, 0, "n = {n}");
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

/// The nodes of each level with forward checking, and those of them from which a row lost its last square.
fn forward(left: &[Vec<usize>], level: usize, levels: &mut [[u64; 2]]) {
    levels[level][0] += 1;
    let Some((columns, below)) = left.split_first() else { return };
    for &column in columns {
        let mut after = below.to_vec();
        for (row, left) in (1..).zip(&mut after) {
            left.retain(|&c| c != column && c.abs_diff(column) != row);
        }
        if after.iter().any(Vec::is_empty) {
            levels[level + 1][0] += 1;
            levels[level + 1][1] += 1;
        } else {
            forward(&after, level + 1, levels);
        }
    }
}

#[test]
fn forward_checking_visits_the_nodes_of_its_definition() {
    struct Levels(Vec<[u64; 2]>);
    impl Visitor for Levels {
        fn node(&mut self, level: usize) -> Flow {
            self.0[level][0] += 1;
            Flow::Continue(())
        }

        fn dead_end(&mut self, level: usize) {
            self.0[level][1] += 1;
        }

        fn solution(&mut self, _columns: &[u32]) -> Flow {
            Flow::Continue(())
        }
    }
    for n in [1, 4, 6, 8, 9, 17] {
        let mut found = Levels(vec![[0; 2]; n + 1]);
        // The lower half of a larger board is enough.
        let problem = queens_board::problem::Problem::queens(board(n));
        let given = (0..n / 3).map(|row| queens_board::Square { row, column: (2 * row + 1) % n });
        let problem = if n > 9 { problem.place(given.clone()).expect("legal") } else { problem };
        let run = forward_checking::ForwardChecking.run(&Task::of(&problem, Goal::Count), &mut found);
        assert!(run.is_continue());
        let open =
            |row| (0..n).filter(|&column| problem.is_open(queens_board::Square { row, column })).collect();
        let mut expected = vec![[0; 2]; n + 1];
        forward(&(0..n).map(open).collect::<Vec<_>>(), 0, &mut expected);
        assert_eq!(found.0, expected, "n = {n}");
    }
    // docs/FORMATS.md
    let task = Task { counting: true, ..Task::new(board(8), Goal::Count) };
    let outcome = solver(forward_checking::ForwardChecking).solve(&task, &mut Discard).expect("solved");
    let stats = [Stat::Failures, Stat::ConsistencyChecks].map(|stat| outcome.stats.get(stat));
    assert_eq!(stats, [Some(560), Some(13_024)]);
}
