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
    fn has(self, square: (usize, usize)) -> bool {
        match self {
            Line::Row(row) => square.0 == row,
            Line::Column(column) => square.1 == column,
        }
    }

    fn place(self) -> usize {
        match self {
            Line::Row(place) | Line::Column(place) => place,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Order {
    First,
    Smallest,
    MiddleOut,
}

struct Dual<'a> {
    problem: &'a Problem,
    order: Order,
    is_middle_out: bool,
    is_arc_consistent: bool,
    first: bool,
    nodes: u64,
    failures: u64,
    checks: u64,
    solutions: Vec<Squares>,
    was_cut: bool,
}

impl Dual<'_> {
    fn n(&self) -> usize {
        self.problem.n().get()
    }

    fn attack(&self, a: (usize, usize), b: (usize, usize)) -> bool {
        let square = |(row, column)| queens_board::Square { row, column };
        a != b && self.problem.variant().attacks(self.n(), square(a), square(b))
    }

    fn lines(&self, queens: &Squares) -> Vec<Line> {
        let all = (0..self.n()).map(Line::Row).chain((0..self.n()).map(Line::Column));
        all.filter(|line| !queens.iter().any(|&queen| line.has(queen))).collect()
    }

    fn on(left: &Squares, line: Line) -> Vec<(usize, usize)> {
        left.iter().copied().filter(|&square| line.has(square)).collect()
    }

    fn middle(&self, place: usize) -> usize {
        (2 * place).abs_diff(self.n() - 1)
    }

    /// The squares left after arc consistency, or `None` if a line has no square left.
    fn arc_consistent(&self, mut left: Squares, lines: &[Line]) -> Option<Squares> {
        loop {
            let mut smaller = left.clone();
            for &line in lines {
                let on = Self::on(&left, line);
                smaller.retain(|&square| {
                    line.has(square) || on.iter().any(|&other| !self.attack(square, other))
                });
            }
            if lines.iter().any(|&line| Self::on(&smaller, line).is_empty()) {
                return None;
            }
            if smaller == left {
                return Some(left);
            }
            left = smaller;
        }
    }

    fn root(&mut self, discrepancies: usize) {
        let n = self.n();
        let square = |row, column| queens_board::Square { row, column };
        let squares = (0..n).flat_map(|row| (0..n).map(move |column| (row, column)));
        let left: Squares =
            squares.filter(|&(row, column)| self.problem.is_open(square(row, column))).collect();
        let lines = self.lines(&Squares::new());
        let is_full = lines.iter().all(|&line| !Self::on(&left, line).is_empty());
        let left = match self.is_arc_consistent {
            true if is_full => self.arc_consistent(left, &lines),
            _ => is_full.then_some(left),
        };
        match left {
            Some(left) => self.visit(&Squares::new(), &left, discrepancies),
            None => {
                self.nodes += 1;
                self.failures += 1;
            }
        }
    }

    fn visit(&mut self, queens: &Squares, left: &Squares, mut discrepancies: usize) {
        self.nodes += 1;
        let lines = self.lines(queens);
        let size = |line: &&Line| Self::on(left, **line).len();
        let chosen = match self.order {
            Order::First => lines.first(),
            Order::Smallest => lines.iter().min_by_key(size),
            Order::MiddleOut => lines.iter().min_by_key(|line| self.middle(line.place())),
        };
        let Some(&line) = chosen else {
            self.solutions.push(queens.clone());
            return;
        };
        let mut squares = Self::on(left, line);
        if self.is_middle_out {
            let value = |&(row, column): &(usize, usize)| if line == Line::Row(row) { column } else { row };
            squares.sort_by_key(|square| self.middle(value(square)));
        }
        for (index, queen) in squares.into_iter().enumerate() {
            if index == 1 {
                let Some(fewer) = discrepancies.checked_sub(1) else {
                    self.was_cut = true;
                    return;
                };
                discrepancies = fewer;
            }
            let queens: Squares = queens.iter().copied().chain([queen]).collect();
            let after: Squares = left.iter().copied().filter(|&square| !self.attack(queen, square)).collect();
            let lines = self.lines(&queens);
            let wiped = lines.iter().position(|&line| Self::on(&after, line).is_empty());
            let tested = wiped.map_or(lines.len(), |wiped| wiped + 1);
            self.checks += lines[..tested].iter().map(|&line| Self::on(left, line).len() as u64).sum::<u64>();
            let after = match (wiped, self.is_arc_consistent) {
                (Some(_), _) => None,
                (None, true) => self.arc_consistent(after, &lines),
                (None, false) => Some(after),
            };
            match after {
                Some(after) => self.visit(&queens, &after, discrepancies),
                None => {
                    self.nodes += 1;
                    self.failures += 1;
                }
            }
            if self.first && !self.solutions.is_empty() {
                return;
            }
        }
    }
}

fn searcher(id: &str) -> Box<dyn Solver> {
    solvers().into_iter().find(|solver| solver.id() == id).expect(id)
}

fn second<'a>(problem: &'a Problem, order: Order, is_middle_out: bool, id: &str, goal: Goal) -> Dual<'a> {
    let (is_arc_consistent, first) = (id == "backtrack/mac", goal == Goal::First);
    let (nodes, failures, checks, solutions, was_cut) = (0, 0, 0, Vec::new(), false);
    let mut second = Dual {
        problem,
        order,
        is_middle_out,
        is_arc_consistent,
        first,
        nodes,
        failures,
        checks,
        solutions,
        was_cut,
    };
    let least = if id == "backtrack/lds" { 0 } else { 1000 };
    for discrepancies in least.. {
        second.was_cut = false;
        second.root(discrepancies);
        if !second.was_cut || !second.solutions.is_empty() {
            break;
        }
    }
    second
}

fn compare(id: &str, problem: &Problem, goal: Goal) {
    let solver = searcher(id);
    for (order, rows) in
        [(Order::First, "first"), (Order::Smallest, "smallest"), (Order::MiddleOut, "middle-out")]
    {
        for (is_middle_out, values) in [(false, "lowest"), (true, "middle-out")] {
            let second = second(problem, order, is_middle_out, id, goal);
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
            let at = format!("{id}, n = {}, {problem}, {rows}, {values}", problem.n());
            assert_eq!(boards, second.solutions, "{at}");
            assert_eq!(outcome.stats.get(Stat::Nodes), Some(second.nodes), "{at}");
            assert_eq!(outcome.stats.get(Stat::Failures), Some(second.failures), "{at}");
            if let Some(checks) = outcome.stats.get(Stat::ConsistencyChecks) {
                assert_eq!(checks, second.checks, "{at}");
            }
        }
    }
}

fn problem(n: usize, text: &str) -> Problem {
    Problem::from_text(BoardSize::new(n).expect("small"), text).expect("a problem")
}

#[test]
fn dual_search_has_tree_of_a_second_implementation() {
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
    let plain = problem(8, "queens");
    for (id, nodes, failures) in [("backtrack/forward-checking", 1199, 254), ("backtrack/mac", 655, 108)] {
        let second = second(&plain, Order::Smallest, false, id, Goal::Count);
        assert_eq!((second.nodes, second.failures, second.solutions.len()), (nodes, failures, 92), "{id}");
        let solver = searcher(id);
        let options = Options::parse("branch=dual,rows=smallest", &solver.info()).expect("declared");
        let task = Task { counting: true, options, ..Task::of(&plain, Goal::Count) };
        let outcome = solver.solve(&task, &mut Discard).expect("any size");
        let stats = [Stat::Nodes, Stat::Failures].map(|stat| outcome.stats.get(stat));
        assert_eq!((stats, outcome.solutions), ([Some(nodes), Some(failures)], 92), "{id}");
    }
}

/// The second implementation has no weights and no random orders, so only the solutions are compared.
#[test]
fn every_order_of_a_dual_search_is_complete() {
    let solver = searcher("backtrack/forward-checking");
    for (rows, values) in [("dom-wdeg", "least-constraining"), ("random", "random"), ("dom-wdeg", "lowest")] {
        let options = Options::parse(&format!("branch=dual,rows={rows},values={values}"), &solver.info());
        let task =
            Task { options: options.expect("declared"), ..Task::of(&problem(7, "queens"), Goal::Count) };
        assert_eq!(solver.solve(&task, &mut Discard).expect("any size").solutions, 40, "{rows} {values}");
    }
}
