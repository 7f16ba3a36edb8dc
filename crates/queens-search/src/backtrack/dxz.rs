//! Exact cover with a memo: all solutions as a zero-suppressed decision diagram (ZDD).
//!
//! Which queens can follow depends only on the open squares, which no queen attacks. Each set of open squares is solved once, row
//! by row. Its solutions are a node of a diagram, which has a square and leads to two others: the solutions without a queen on
//! this square, and those with one. Equal nodes are stored once. The number of solutions follows from the nodes without visiting
//! a board; boards are read from the diagram.
//! Cost: memory for every set of open squares and every node; time per set is O(n²).
//! Source: Nishino, Yasuda, Minato and Nagata, "Dancing with decision diagrams", AAAI 2017, whose algorithm DXZ keeps the squares
//! in Knuth's lists; here they are bits.

use std::collections::HashMap;
use std::ops::ControlFlow;

use super::{Flow, Info, Searcher, Stat, Task, Visitor};
use queens_board::problem::{Problem, Rule};
use queens_board::{Square, place};
use queens_solver::{Goal, SolverOption, Stop};

queens_board::words! {
    /// The row that is next.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Next {
        /// The one with the fewest open squares, of several the first one.
        #[default]
        Smallest = "smallest",
        /// From the top to the bottom.
        InOrder = "in-order",
    }
}

/// Its option.
const NEXT: SolverOption = SolverOption {
    name: "next",
    values: Next::WORDS,
    default: Next::WORDS[Next::Smallest as usize],
    about: "the row that is next: that with the fewest open squares, or from the top",
};

/// The largest size: of 20 rooks there are 20! placements, which is below 2^64.
const LARGEST: usize = 20;

/// The searcher.
pub struct Dxz;

impl Searcher for Dxz {
    fn info(&self) -> Info {
        Info {
            about: "dancing links with a memo: a decision diagram of all solutions".into(),
            sizes: 0..=LARGEST,
            sizes_reason: "it counts in 64 bits",
            statistics: vec![Stat::ZddNodes, Stat::MemoStates],
            options: vec![NEXT],
            any_problem: true,
            ..Info::named("backtrack/dxz")
        }
    }

    fn run<V: Visitor>(&self, task: &Task<'_>, visitor: &mut V) -> Flow {
        let step = &mut || visitor.step();
        let (diagram, root, states) = match task.n().get() {
            0..=8 => diagram::<1>(task, step),
            9..=16 => diagram::<4>(task, step),
            _ => diagram::<7>(task, step),
        }?;
        visitor.count(Stat::ZddNodes, diagram.nodes.len() as u64 - 2);
        visitor.count(Stat::MemoStates, states as u64);
        if !visitor.reads_boards() {
            visitor.solutions(diagram.nodes[root as usize].solutions);
            return Flow::Continue(());
        }
        diagram.visit(root, &mut Vec::new(), &mut vec![0; task.n().get()], &mut |columns| {
            visitor.step()?;
            visitor.solution(columns)
        })
    }
}

/// The diagram of all solutions with its root, and the number of sets in the memo. `step` is called for each of them, and may
/// end the search.
fn diagram<const WORDS: usize>(
    task: &Task<'_>,
    step: &mut dyn FnMut() -> Flow,
) -> ControlFlow<Stop, (Diagram, u32, usize)> {
    let next = Next::named(task.options.value(&NEXT)).unwrap_or_default();
    let mut search = Search::<WORDS>::new(&task.problem, next, task.goal == Goal::First);
    let all = (1_u32 << search.rows.len()) - 1;
    let is_possible = search.others.iter().all(|line| !is_empty(&and(&search.open, line)));
    let root = if is_possible { search.solve(search.open, all, step)? } else { FALSE };
    ControlFlow::Continue((search.diagram, root, search.memo.len()))
}

/// A set of squares, by their number.
type Squares<const WORDS: usize> = [u64; WORDS];

fn and<const WORDS: usize>(a: &Squares<WORDS>, b: &Squares<WORDS>) -> Squares<WORDS> {
    std::array::from_fn(|word| a[word] & b[word])
}

fn minus<const WORDS: usize>(a: &Squares<WORDS>, b: &Squares<WORDS>) -> Squares<WORDS> {
    std::array::from_fn(|word| a[word] & !b[word])
}

fn is_empty<const WORDS: usize>(squares: &Squares<WORDS>) -> bool {
    squares.iter().all(|&word| word == 0)
}

struct Search<const WORDS: usize> {
    n: usize,
    next: Next,
    /// Whether one solution is enough.
    is_first: bool,
    /// The squares that may hold a queen.
    open: Squares<WORDS>,
    rows: Vec<Squares<WORDS>>,
    /// The other lines that need a queen.
    others: Vec<Squares<WORDS>>,
    /// For each square, all squares on a line with it, itself included.
    attacked: Vec<Squares<WORDS>>,
    memo: HashMap<Squares<WORDS>, u32>,
    diagram: Diagram,
}

impl<const WORDS: usize> Search<WORDS> {
    fn new(problem: &Problem, next: Next, is_first: bool) -> Self {
        let n = problem.n().get();
        let number = |square: &Square| square.row * n + square.column;
        let set = |squares: &[Square]| {
            let mut set = [0; WORDS];
            squares.iter().map(number).for_each(|square| set[square / 64] |= 1 << (square % 64));
            set
        };
        let mut attacked = vec![[0; WORDS]; n * n];
        let mut needed = Vec::new();
        for line in problem.lines() {
            let squares = set(&line.squares);
            needed.extend((line.rule == Rule::ExactlyOne).then_some(squares));
            for square in &line.squares {
                attacked[number(square)].iter_mut().zip(squares).for_each(|(all, word)| *all |= word);
            }
        }
        let row = |row| (0..n).map(move |column| Square { row, column });
        let open: Vec<Square> = (0..n).flat_map(row).filter(|&square| problem.is_open(square)).collect();
        // The rows are the first lines.
        let others = needed.split_off(n);
        let (memo, diagram) = (HashMap::new(), Diagram::new());
        Self { n, next, is_first, open: set(&open), rows: needed, others, attacked, memo, diagram }
    }

    /// The node of the solutions on these open squares, with a queen in each of these rows.
    ///
    /// The memo knows a state by its open squares alone. This is sound because every row and every column needs exactly one
    /// queen, and [`Self::is_possible`] leaves every column without a queen an open square: the number of columns with open
    /// squares is the number of rows left. If as many rows have open squares, they are the rows left; if fewer, there is no
    /// solution.
    fn solve(
        &mut self,
        open: Squares<WORDS>,
        rows: u32,
        step: &mut dyn FnMut() -> Flow,
    ) -> ControlFlow<Stop, u32> {
        if rows == 0 {
            return ControlFlow::Continue(TRUE);
        }
        if let Some(&known) = self.memo.get(&open) {
            debug_assert!(known == FALSE || self.has_open_square_in_exactly(&open, rows));
            return ControlFlow::Continue(known);
        }
        step()?;
        let mut node = FALSE;
        if let Some(row) = self.next_row(&open, rows) {
            let squares = and(&open, &self.rows[row]);
            // From the right, so that the first square of a row is at the top of its nodes.
            for column in (0..self.n).rev() {
                let square = row * self.n + column;
                if squares[square / 64] >> (square % 64) & 1 == 0 {
                    continue;
                }
                let left = minus(&open, &self.attacked[square]);
                if !self.is_possible(&open, &left, square) {
                    continue;
                }
                let with = self.solve(left, rows & !(1 << row), step)?;
                if with != FALSE {
                    node = self.diagram.node(square, node, with);
                    if self.is_first {
                        return ControlFlow::Continue(node);
                    }
                }
            }
        }
        self.memo.insert(open, node);
        ControlFlow::Continue(node)
    }

    /// Whether these rows, and no others, have an open square.
    fn has_open_square_in_exactly(&self, open: &Squares<WORDS>, rows: u32) -> bool {
        (0..self.n).all(|row| is_empty(&and(open, &self.rows[row])) == (rows >> row & 1 == 0))
    }

    /// The next of these rows, which may have no open square left.
    fn next_row(&self, open: &Squares<WORDS>, rows: u32) -> Option<usize> {
        let size =
            |row: &usize| and(open, &self.rows[*row]).iter().map(|word| word.count_ones()).sum::<u32>();
        let left = || (0..self.n).filter(|row| rows >> row & 1 == 1);
        match self.next {
            Next::Smallest => left().min_by_key(size),
            Next::InOrder => left().next(),
        }
    }

    /// Whether each other line that needed a queen has it, or an open square still.
    fn is_possible(&self, before: &Squares<WORDS>, left: &Squares<WORDS>, square: usize) -> bool {
        let has_it = |line: &Squares<WORDS>| line[square / 64] >> (square % 64) & 1 == 1;
        self.others
            .iter()
            .all(|line| is_empty(&and(before, line)) || has_it(line) || !is_empty(&and(left, line)))
    }
}

/// The two ends of a diagram: no solution, and the solution without further queens.
const FALSE: u32 = 0;
const TRUE: u32 = 1;

/// A node: the solutions without its square, and those with it.
struct Node {
    square: usize,
    without: u32,
    with: u32,
    solutions: u64,
}

struct Diagram {
    /// The two ends come first, and every node comes after the nodes that it leads to.
    nodes: Vec<Node>,
    numbers: HashMap<(usize, u32, u32), u32>,
}

impl Diagram {
    fn new() -> Self {
        let end = |solutions| Node { square: 0, without: FALSE, with: FALSE, solutions };
        Self { nodes: vec![end(0), end(1)], numbers: HashMap::new() }
    }

    /// The node with this square, which is new or was stored before.
    fn node(&mut self, square: usize, without: u32, with: u32) -> u32 {
        let nodes = &mut self.nodes;
        *self.numbers.entry((square, without, with)).or_insert_with(|| {
            let solutions = nodes[without as usize].solutions + nodes[with as usize].solutions;
            nodes.push(Node { square, without, with, solutions });
            u32::try_from(nodes.len() - 1).expect("memory ends before 2^32 nodes")
        })
    }

    /// Visits the solutions of a node.
    fn visit(
        &self,
        mut node: u32,
        queens: &mut Vec<Square>,
        columns: &mut [u32],
        visit: &mut dyn FnMut(&[u32]) -> Flow,
    ) -> Flow {
        let n = columns.len();
        while node > TRUE {
            let Node { square, without, with, .. } = self.nodes[node as usize];
            queens.push(Square { row: square / n, column: square % n });
            self.visit(with, queens, columns, visit)?;
            queens.pop();
            node = without;
        }
        if node == TRUE {
            place(columns, queens.iter().copied());
            visit(columns)?;
        }
        Flow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backtrack::solver;
    use queens_board::BoardSize;
    use queens_board::problem::Variant;
    use queens_solver::sink::{Collect, Discard};
    use queens_solver::{Options, Outcome};
    use std::collections::{BTreeMap, BTreeSet};

    fn size(n: usize) -> BoardSize {
        BoardSize::new(n).expect("small")
    }

    fn counted(problem: &Problem, next: &str) -> Outcome {
        let options = Options::of([("next", next)], &Dxz.info()).expect("an option");
        let task = Task { counting: true, options, ..Task::of(problem, Goal::Count) };
        solver(Dxz).solve(&task, &mut Discard).expect("any problem")
    }

    /// The sizes that OxiDD, BuDDy and CUDD give for the diagram with the squares row by row.
    /// A counting run that visited the boards would take hours.
    #[test]
    fn counting_runs_do_not_visit_boards() {
        let (rooks, n) = (Variant::Rooks, 14);
        let outcome = counted(&Problem::new(size(n), rooks).expect("a problem"), "smallest");
        assert_eq!(outcome.solutions, (1..=14_u64).product::<u64>());
        assert!(outcome.stats.get(Stat::ZddNodes).is_some_and(|nodes| nodes > 0));
    }

    #[test]
    fn the_diagram_has_the_size_that_decision_diagram_packages_give() {
        for (n, nodes) in [(8, 373), (9, 1_309), (10, 3_120), (11, 10_503)] {
            let outcome = counted(&Problem::queens(size(n)), "in-order");
            assert_eq!(outcome.stats.get(Stat::ZddNodes), Some(nodes), "n = {n}");
        }
    }

    /// Collects the nodes of the diagram of these sets of squares by definition: a node divides its sets into those with their
    /// first square, and those without it.
    fn nodes(sets: BTreeSet<Vec<usize>>, seen: &mut BTreeMap<BTreeSet<Vec<usize>>, ()>) {
        let Some(&first) = sets.iter().filter_map(|set| set.first()).min() else { return };
        if seen.insert(sets.clone(), ()).is_some() {
            return;
        }
        let (with, without): (BTreeSet<_>, BTreeSet<_>) =
            sets.into_iter().partition(|set| set.first() == Some(&first));
        nodes(with.into_iter().map(|set| set[1..].to_vec()).collect(), seen);
        nodes(without, seen);
    }

    #[test]
    fn of_every_variant_the_solutions_and_the_size_of_the_diagram_are_those_of_brute_force() {
        for variant in Variant::NAMED {
            for n in 0..=6 {
                let problem = Problem::new(size(n), variant.clone()).expect("a problem");
                let all = (0..n.pow(n as u32)).map(|code| -> Vec<u32> {
                    (0..n).map(|row| (code / n.pow((n - 1 - row) as u32) % n) as u32).collect()
                });
                let expected: Vec<Vec<u32>> = all.filter(|columns| problem.is_solution(columns)).collect();
                for next in Next::WORDS {
                    let options = Options::of([("next", *next)], &Dxz.info()).expect("an option");
                    let task = Task { options, ..Task::of(&problem, Goal::Enumerate) };
                    let mut found = Collect::default();
                    solver(Dxz).solve(&task, &mut found).expect("any problem");
                    let mut found: Vec<Vec<u32>> =
                        found.0.iter().map(|found| found.columns().to_vec()).collect();
                    found.sort_unstable();
                    assert_eq!(found, expected, "{problem}, n = {n}, {next}");
                    let counted = solver(Dxz).solve(&Task { goal: Goal::Count, ..task }, &mut Discard);
                    assert_eq!(
                        counted.expect("any problem").solutions,
                        expected.len() as u64,
                        "{problem}, n = {n}"
                    );
                }
                let squares = |columns: &Vec<u32>| {
                    columns.iter().enumerate().map(|(row, &column)| row * n + column as usize).collect()
                };
                let mut seen = BTreeMap::new();
                nodes(expected.iter().map(squares).collect(), &mut seen);
                let size = counted(&problem, "in-order").stats.get(Stat::ZddNodes);
                assert_eq!(size, Some(seen.len() as u64), "{problem}, n = {n}");
            }
        }
    }
}
