//! Compares `branch=dual` with a second implementation that shares no code with the first: it represents domains as a set of squares,
//! and tests pairs of squares for attacks.

use std::collections::BTreeSet;

use queens_board::BoardSize;
use queens_board::problem::Problem;
use queens_solver::sink::{Collect, Discard};
use queens_solver::{Goal, Options, Solver, Stat, Task};

use crate::backtrack::solvers;

type Squares = BTreeSet<(usize, usize)>;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Line {
    Row(usize),
    Column(usize),
}

impl Line {
    fn contains(self, square: (usize, usize)) -> bool {
        match self {
            Line::Row(row) => square.0 == row,
            Line::Column(column) => square.1 == column,
        }
    }

    fn index(self) -> usize {
        match self {
            Line::Row(index) | Line::Column(index) => index,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Order {
    First,
    Smallest,
    MiddleOut,
}

struct DualSearch<'a> {
    problem: &'a Problem,
    order: Order,
    is_middle_out: bool,
    is_arc_consistent: bool,
    stops_at_first: bool,
    nodes: u64,
    failures: u64,
    checks: u64,
    solutions: Vec<Squares>,
    was_cut_off: bool,
}

impl DualSearch<'_> {
    fn n(&self) -> usize {
        self.problem.n().get()
    }

    fn are_attacking(&self, a: (usize, usize), b: (usize, usize)) -> bool {
        let square = |(row, column)| queens_board::Square { row, column };
        a != b && self.problem.variant().attacks(self.n(), square(a), square(b))
    }

    fn lines(&self, queens: &Squares) -> Vec<Line> {
        let lines = (0..self.n()).map(Line::Row).chain((0..self.n()).map(Line::Column));
        lines.filter(|line| !queens.iter().any(|&queen| line.contains(queen))).collect()
    }

    fn squares_on(open: &Squares, line: Line) -> Vec<(usize, usize)> {
        open.iter().copied().filter(|&square| line.contains(square)).collect()
    }

    fn distance_from_middle(&self, index: usize) -> usize {
        (2 * index).abs_diff(self.n() - 1)
    }

    /// The open squares after arc consistency; `None` if a line has no open square.
    fn arc_consistent(&self, mut open: Squares, lines: &[Line]) -> Option<Squares> {
        loop {
            let mut supported_squares = open.clone();
            for &line in lines {
                let on_line = Self::squares_on(&open, line);
                supported_squares.retain(|&square| {
                    line.contains(square) || on_line.iter().any(|&other| !self.are_attacking(square, other))
                });
            }
            if lines.iter().any(|&line| Self::squares_on(&supported_squares, line).is_empty()) {
                return None;
            }
            if supported_squares == open {
                return Some(open);
            }
            open = supported_squares;
        }
    }

    fn root(&mut self, discrepancies: usize) {
        let n = self.n();
        let square = |row, column| queens_board::Square { row, column };
        let squares = (0..n).flat_map(|row| (0..n).map(move |column| (row, column)));
        let open: Squares =
            squares.filter(|&(row, column)| self.problem.is_open(square(row, column))).collect();
        let lines = self.lines(&Squares::new());
        let every_line_is_open = lines.iter().all(|&line| !Self::squares_on(&open, line).is_empty());
        let open = match self.is_arc_consistent {
            true if every_line_is_open => self.arc_consistent(open, &lines),
            _ => every_line_is_open.then_some(open),
        };
        match open {
            Some(open) => self.visit(&Squares::new(), &open, discrepancies),
            None => {
                self.nodes += 1;
                self.failures += 1;
            }
        }
    }

    fn visit(&mut self, queens: &Squares, open: &Squares, mut discrepancies: usize) {
        self.nodes += 1;
        let lines = self.lines(queens);
        let size = |line: &&Line| Self::squares_on(open, **line).len();
        let next_line = match self.order {
            Order::First => lines.first(),
            Order::Smallest => lines.iter().min_by_key(size),
            Order::MiddleOut => lines.iter().min_by_key(|line| self.distance_from_middle(line.index())),
        };
        let Some(&line) = next_line else {
            self.solutions.push(queens.clone());
            return;
        };
        let mut squares = Self::squares_on(open, line);
        if self.is_middle_out {
            let value = |&(row, column): &(usize, usize)| if line == Line::Row(row) { column } else { row };
            squares.sort_by_key(|square| self.distance_from_middle(value(square)));
        }
        for (index, queen) in squares.into_iter().enumerate() {
            if index == 1 {
                let Some(remaining) = discrepancies.checked_sub(1) else {
                    self.was_cut_off = true;
                    return;
                };
                discrepancies = remaining;
            }
            let queens: Squares = queens.iter().copied().chain([queen]).collect();
            let open_after: Squares =
                open.iter().copied().filter(|&square| !self.are_attacking(queen, square)).collect();
            let lines = self.lines(&queens);
            let wiped_line = lines.iter().position(|&line| Self::squares_on(&open_after, line).is_empty());
            let tested_lines = wiped_line.map_or(lines.len(), |wiped_line| wiped_line + 1);
            self.checks += lines[..tested_lines]
                .iter()
                .map(|&line| Self::squares_on(open, line).len() as u64)
                .sum::<u64>();
            let open_after = match (wiped_line, self.is_arc_consistent) {
                (Some(_), _) => None,
                (None, true) => self.arc_consistent(open_after, &lines),
                (None, false) => Some(open_after),
            };
            match open_after {
                Some(open_after) => self.visit(&queens, &open_after, discrepancies),
                None => {
                    self.nodes += 1;
                    self.failures += 1;
                }
            }
            if self.stops_at_first && !self.solutions.is_empty() {
                return;
            }
        }
    }
}

fn searcher(id: &str) -> Box<dyn Solver> {
    solvers().into_iter().find(|solver| solver.id() == id).expect(id)
}

fn run_second_implementation<'a>(
    problem: &'a Problem,
    order: Order,
    is_middle_out: bool,
    id: &str,
    goal: Goal,
) -> DualSearch<'a> {
    let (is_arc_consistent, stops_at_first) = (id == "backtrack/mac", goal == Goal::First);
    let (nodes, failures, checks, solutions, was_cut_off) = (0, 0, 0, Vec::new(), false);
    let mut second_search = DualSearch {
        problem,
        order,
        is_middle_out,
        is_arc_consistent,
        stops_at_first,
        nodes,
        failures,
        checks,
        solutions,
        was_cut_off,
    };
    let first_limit = if id == "backtrack/lds" { 0 } else { 1000 };
    for discrepancies in first_limit.. {
        second_search.was_cut_off = false;
        second_search.root(discrepancies);
        if !second_search.was_cut_off || !second_search.solutions.is_empty() {
            break;
        }
    }
    second_search
}

fn compare(id: &str, problem: &Problem, goal: Goal) {
    let solver = searcher(id);
    for (order, rows) in
        [(Order::First, "first"), (Order::Smallest, "smallest"), (Order::MiddleOut, "middle-out")]
    {
        for (is_middle_out, values) in [(false, "lowest"), (true, "middle-out")] {
            let second_search = run_second_implementation(problem, order, is_middle_out, id, goal);
            let options = Options::parse(&format!("branch=dual,rows={rows},values={values}"), &solver.info());
            let options = options.expect("declared");
            let task = Task { counting: true, options, ..Task::of(problem, goal) };
            let mut boards = Collect::default();
            let outcome = solver.solve(&task, &mut boards).expect("any problem");
            let boards: Vec<Squares> = boards
                .0
                .iter()
                .map(|board| board.columns().iter().map(|&column| column as usize).enumerate().collect())
                .collect();
            let context = format!("{id}, n = {}, {problem}, {rows}, {values}", problem.n());
            assert_eq!(boards, second_search.solutions, "{context}");
            assert_eq!(outcome.stats.get(Stat::Nodes), Some(second_search.nodes), "{context}");
            assert_eq!(outcome.stats.get(Stat::Failures), Some(second_search.failures), "{context}");
            if let Some(checks) = outcome.stats.get(Stat::ConsistencyChecks) {
                assert_eq!(checks, second_search.checks, "{context}");
            }
        }
    }
}

fn problem(n: usize, text: &str) -> Problem {
    Problem::from_text(BoardSize::new(n).expect("small"), text).expect("a problem")
}

#[test]
fn dual_search_tree_matches_a_second_implementation() {
    let regions = "regions;regions=AABBB/AABBB/CCDDD/CCEED/CEEED";
    let problems = (0..=6).map(|n| problem(n, "queens")).chain([
        problem(5, "toroidal"),
        problem(5, "superqueens"),
        problem(4, "rooks"),
        problem(5, regions),
        problem(6, "queens;place=1:3;forbid=0:0,4:1"),
    ]);
    for problem in problems {
        for (id, goals) in [
            ("backtrack/forward-checking", &[Goal::Enumerate, Goal::First][..]),
            ("backtrack/mac", &[Goal::Enumerate, Goal::First]),
            ("backtrack/lds", &[Goal::First]),
        ] {
            goals.iter().for_each(|&goal| compare(id, &problem, goal));
        }
    }
}

/// The expected numbers are from the second implementation.
#[test]
fn dual_searches_of_8_queens_have_expected_trees() {
    let queens_problem = problem(8, "queens");
    for (id, nodes, failures) in [("backtrack/forward-checking", 1199, 254), ("backtrack/mac", 655, 108)] {
        let second_search =
            run_second_implementation(&queens_problem, Order::Smallest, false, id, Goal::Count);
        assert_eq!(
            (second_search.nodes, second_search.failures, second_search.solutions.len()),
            (nodes, failures, 92),
            "{id}"
        );
        let solver = searcher(id);
        let options = Options::parse("branch=dual,rows=smallest", &solver.info()).expect("declared");
        let task = Task { counting: true, options, ..Task::of(&queens_problem, Goal::Count) };
        let outcome = solver.solve(&task, &mut Discard).expect("any size");
        let stats = [Stat::Nodes, Stat::Failures].map(|stat| outcome.stats.get(stat));
        assert_eq!((stats, outcome.solutions), ([Some(nodes), Some(failures)], 92), "{id}");
    }
}

/// The second implementation has no weights and no random orders, so only the solutions are compared.
#[test]
fn dual_search_is_complete_in_further_orders() {
    let solver = searcher("backtrack/forward-checking");
    for (rows, values) in [("dom-wdeg", "least-constraining"), ("random", "random"), ("dom-wdeg", "lowest")] {
        let options = Options::parse(&format!("branch=dual,rows={rows},values={values}"), &solver.info());
        let task =
            Task { options: options.expect("declared"), ..Task::of(&problem(7, "queens"), Goal::Count) };
        assert_eq!(solver.solve(&task, &mut Discard).expect("any size").solutions, 40, "{rows} {values}");
    }
}
