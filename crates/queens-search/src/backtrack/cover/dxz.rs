//! Exact cover with memoization: all solutions as a zero-suppressed decision diagram (ZDD).
//!
//! The open squares, which no queen attacks, determine which queens can follow. Each set of open squares is solved once, row
//! by row, and its solutions are a node of the ZDD. A node has a square and two children: the solutions without a queen on
//! the square, and the solutions with a queen on it. Equal nodes are stored once. The number of solutions is computed from the
//! nodes without visiting boards; an enumeration reads the boards from the ZDD.
//! Cost: memory for every set of open squares and every node; time per set is O(n²).
//! Source: Nishino, Yasuda, Minato and Nagata, "Dancing with decision diagrams", AAAI 2017. Their algorithm DXZ represents the open
//! squares by dancing links, and this file by bit masks. An `OpenBoard` would be slower: at n = 12, a set of open squares takes
//! 0.24 µs including all queens that are tried on it, which is less than placing a single queen on an `OpenBoard`.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::ops::ControlFlow;

use crate::backtrack::remove::domains::Members;
use crate::backtrack::searcher::{Flow, Info, Searcher, Stat, Task, Visitor};
use queens_board::problem::{Problem, Rule};
use queens_board::{Square, place};
use queens_solver::{Goal, SolverOption, Stop};

queens_board::words! {
    /// The order of rows.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Next {
        /// The row with the fewest open squares is next; on ties, the first such row.
        #[default]
        Smallest = "smallest",
        /// The rows from top to bottom.
        InOrder = "in-order",
    }
}

/// The option of [`Next`].
const NEXT: SolverOption = SolverOption {
    name: "next",
    values: Next::WORDS,
    default: Next::WORDS[Next::Smallest as usize],
    about: "the row that is next: that with the fewest open squares, or from the top",
};

/// The largest board: the number of solutions is at most 20!, which is below 2^64.
const MAX_SIZE: usize = 20;

/// The searcher.
pub struct Dxz;

impl Searcher for Dxz {
    fn info(&self) -> Info {
        Info {
            about: "dancing links with a memo: a decision diagram of all solutions".into(),
            sizes: 0..=MAX_SIZE,
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
            0..=8 => diagram::<1, 8>(task, step),
            9..=12 => diagram::<3, 16>(task, step),
            13..=16 => diagram::<4, 16>(task, step),
            _ => diagram::<7, 20>(task, step),
        }?;
        visitor.count(Stat::ZddNodes, diagram.nodes.len() as u64 - 2);
        visitor.count(Stat::MemoStates, states as u64);
        if !V::BOARDS {
            visitor.solutions(diagram.nodes[root as usize].solutions);
            return Flow::Continue(());
        }
        diagram.visit(root, &mut Vec::new(), &mut vec![0; task.n().get()], &mut |columns| {
            visitor.step()?;
            visitor.solution(columns)
        })
    }
}

/// Computes the diagram of all solutions. Returns the diagram, its root, and the number of memoized sets. Calls `step` for each set;
/// `step` may end the search.
fn diagram<const WORDS: usize, const WIDTH: usize>(
    task: &Task<'_>,
    step: &mut dyn FnMut() -> Flow,
) -> ControlFlow<Stop, (Diagram, u32, usize)> {
    let next = Next::named(task.options.value(&NEXT)).unwrap_or_default();
    let mut search = Search::<WORDS, WIDTH>::new(&task.problem, next, task.goal == Goal::First);
    let all = (1_u32 << search.n) - 1;
    let has_open = |line| !search.open.and(line).is_empty();
    let is_possible = search.open.columns() == u64::from(all) && search.others.iter().all(has_open);
    let root = if is_possible { search.solve(search.open, all, step)? } else { FALSE };
    ControlFlow::Continue((search.diagram, root, search.memo.len()))
}

/// A set of squares: `WIDTH` bits per row, with as many rows per word as fit.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Squares<const WORDS: usize, const WIDTH: usize>([u64; WORDS]);

impl<const WORDS: usize, const WIDTH: usize> Hash for Squares<WORDS, WIDTH> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.0.iter().for_each(|&word| hasher.write_u64(word));
    }
}

impl<const WORDS: usize, const WIDTH: usize> Squares<WORDS, WIDTH> {
    const PER_WORD: usize = 64 / WIDTH;
    const ROW: u64 = (1 << WIDTH) - 1;

    fn of(squares: &[Square]) -> Self {
        let mut set = [0; WORDS];
        for square in squares {
            set[square.row / Self::PER_WORD] |= 1 << (square.row % Self::PER_WORD * WIDTH + square.column);
        }
        Self(set)
    }

    fn and(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }

    fn or(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }

    fn minus(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] & !other.0[word]))
    }

    fn is_empty(&self) -> bool {
        self.0 == [0; WORDS]
    }

    /// The columns of a row, as a bit mask.
    fn row(&self, row: usize) -> u64 {
        self.0[row / Self::PER_WORD] >> (row % Self::PER_WORD * WIDTH) & Self::ROW
    }

    /// The columns with a square in any row, as a bit mask.
    fn columns(&self) -> u64 {
        let all = self.0.iter().fold(0, |all, word| all | word);
        (0..Self::PER_WORD).fold(0, |columns, row| columns | all >> (row * WIDTH)) & Self::ROW
    }
}

struct Search<const WORDS: usize, const WIDTH: usize> {
    n: usize,
    next: Next,
    /// Whether the search ends at the first solution.
    is_first: bool,
    /// The squares that may hold a queen.
    open: Squares<WORDS, WIDTH>,
    /// The lines other than rows and columns that need a queen.
    others: Vec<Squares<WORDS, WIDTH>>,
    /// By square, all squares on a line with it, including the square itself.
    attacked: Vec<Squares<WORDS, WIDTH>>,
    memo: Map<Squares<WORDS, WIDTH>, u32>,
    diagram: Diagram,
}

impl<const WORDS: usize, const WIDTH: usize> Search<WORDS, WIDTH> {
    fn new(problem: &Problem, next: Next, is_first: bool) -> Self {
        let n = problem.n().get();
        let mut attacked = vec![Squares([0; WORDS]); n * n];
        let mut needed = Vec::new();
        for line in problem.lines() {
            let squares = Squares::of(&line.squares);
            needed.extend((line.rule == Rule::ExactlyOne).then_some(squares));
            for square in &line.squares {
                let attacked = &mut attacked[square.row * n + square.column];
                *attacked = attacked.or(&squares);
            }
        }
        let row = |row| (0..n).map(move |column| Square { row, column });
        let open: Vec<Square> = (0..n).flat_map(row).filter(|&square| problem.is_open(square)).collect();
        // The rows are the first lines, and the columns follow.
        let others = needed.split_off(2 * n);
        let (open, memo, diagram) = (Squares::of(&open), Map::default(), Diagram::new());
        Self { n, next, is_first, open, others, attacked, memo, diagram }
    }

    /// The node of the solutions that place a queen on an open square in each of these rows.
    ///
    /// The memo's key consists of the open squares only. It need not contain the rows: every row and every column needs exactly one
    /// queen, and a child is skipped if a column without a queen has no open square, so the number of columns with open squares is
    /// the number of rows without a queen. If equally many rows have open squares, these are the rows without a queen; if fewer rows
    /// have open squares, there is no solution.
    fn solve(
        &mut self,
        open: Squares<WORDS, WIDTH>,
        rows: u32,
        step: &mut dyn FnMut() -> Flow,
    ) -> ControlFlow<Stop, u32> {
        if rows == 0 {
            return ControlFlow::Continue(TRUE);
        }
        if let Some(&memoized) = self.memo.get(&open) {
            debug_assert!(memoized == FALSE || self.has_open_square_in_exactly(&open, rows));
            return ControlFlow::Continue(memoized);
        }
        step()?;
        let mut node = FALSE;
        if let Some(row) = self.next_row(&open, rows) {
            let columns = open.columns();
            let mut left_to_try = open.row(row);
            // Nodes are built from the right, so that the leftmost square of a row is at the top.
            while let Some(last) = left_to_try.checked_ilog2() {
                left_to_try ^= 1 << last;
                let square = row * self.n + last as usize;
                let left = open.minus(&self.attacked[square]);
                if left.columns() != columns ^ 1 << last || !self.is_possible(&open, &left, square) {
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

    /// Whether exactly these rows have an open square.
    fn has_open_square_in_exactly(&self, open: &Squares<WORDS, WIDTH>, rows: u32) -> bool {
        (0..self.n).all(|row| (open.row(row) == 0) == (rows >> row & 1 == 0))
    }

    /// The next row, which may have no open square left; `None` if there are no rows.
    fn next_row(&self, open: &Squares<WORDS, WIDTH>, rows: u32) -> Option<usize> {
        let mut left = Members(u64::from(rows));
        match self.next {
            Next::Smallest => left.min_by_key(|&row| open.row(row).count_ones()),
            Next::InOrder => left.next(),
        }
    }

    /// Whether each line of `others` without a queen still has an open square after a queen is placed on `square`. `before` and `left`
    /// are the open squares before and after this move.
    fn is_possible(
        &self,
        before: &Squares<WORDS, WIDTH>,
        left: &Squares<WORDS, WIDTH>,
        square: usize,
    ) -> bool {
        let contains_square =
            |line: &Squares<WORDS, WIDTH>| line.row(square / self.n) >> (square % self.n) & 1 == 1;
        self.others
            .iter()
            .all(|line| before.and(line).is_empty() || contains_square(line) || !left.and(line).is_empty())
    }
}

/// A hash map with a multiplicative hash, which is much faster than the default hash.
type Map<K, V> = HashMap<K, V, BuildHasherDefault<Multiply>>;

/// A hash that multiplies word by word with an odd number, and combines the high and the low half of the product.
#[derive(Default)]
struct Multiply(u64);

impl Hasher for Multiply {
    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "both halves are used")]
    fn write_u64(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word) * 0x9e37_79b9_7f4a_7c15;
        self.0 = (product >> 64) as u64 ^ product as u64;
    }

    #[inline]
    fn write_u32(&mut self, number: u32) {
        self.write_u64(u64::from(number));
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(u64::from(byte)));
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}

/// The terminal nodes of a diagram: no solution, and the solution without further queens.
const FALSE: u32 = 0;
const TRUE: u32 = 1;

/// A node of the diagram: the children without and with a queen on the square, and the number of solutions.
struct DiagramNode {
    square: u32,
    without: u32,
    with: u32,
    solutions: u64,
}

struct Diagram {
    /// The terminal nodes come first, and children come before their parents.
    nodes: Vec<DiagramNode>,
    numbers: Map<(u32, u32, u32), u32>,
}

impl Diagram {
    fn new() -> Self {
        let terminal = |solutions| DiagramNode { square: 0, without: FALSE, with: FALSE, solutions };
        Self { nodes: vec![terminal(0), terminal(1)], numbers: Map::default() }
    }

    /// The index of the node with this square and these children. The node is created if it does not exist.
    fn node(&mut self, square: usize, without: u32, with: u32) -> u32 {
        let square = u32::try_from(square).expect("a board has fewer than 2^32 squares");
        let nodes = &mut self.nodes;
        *self.numbers.entry((square, without, with)).or_insert_with(|| {
            let solutions = nodes[without as usize].solutions + nodes[with as usize].solutions;
            nodes.push(DiagramNode { square, without, with, solutions });
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
            let DiagramNode { square, without, with, .. } = self.nodes[node as usize];
            queens.push(Square { row: square as usize / n, column: square as usize % n });
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
    use crate::backtrack::cover::dlx::Dlx;
    use crate::backtrack::solver;
    use queens_board::BoardSize;
    use queens_board::problem::{Regions, Variant};
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

    /// For rooks, there are n! solutions, and visiting all boards would take hours.
    #[test]
    fn counting_runs_do_not_visit_boards() {
        for n in [8, 12, 14, 17] {
            let rooks = Problem::new(size(n), Variant::Rooks).expect("a problem");
            let outcome = counted(&rooks, "smallest");
            assert_eq!(outcome.solutions, (1..=n as u64).product::<u64>(), "n = {n}");
            assert!(outcome.stats.get(Stat::ZddNodes).is_some_and(|nodes| nodes > 0));
            // Every nonempty set of columns is a memoized state.
            assert_eq!(outcome.stats.get(Stat::MemoStates), Some((1 << n) - 1), "n = {n}");
        }
    }

    /// The expected numbers of nodes are from OxiDD, BuDDy and CUDD, with the squares as variables row by row.
    #[test]
    fn diagram_size_agrees_with_other_packages() {
        for (n, nodes) in [(8, 373), (9, 1_309), (10, 3_120), (11, 10_503)] {
            let outcome = counted(&Problem::queens(size(n)), "in-order");
            assert_eq!(outcome.stats.get(Stat::ZddNodes), Some(nodes), "n = {n}");
        }
    }

    /// Compares the number of states with an implementation that checks every line of every state. Pruning by lines changes the
    /// number of states, but not the solutions.
    #[test]
    fn dxz_discards_states_with_an_unfillable_line() {
        let rows =
            ["AAABBBBH", "AAABBBBH", "CCCDDDDH", "CCCDDDDH", "EEEEFFFH", "EEEEFFFH", "GGGGGGGH", "GGGGGGGG"];
        let regions = Variant::Regions(Regions::from_rows(rows, 1).expect("eight regions"));
        for (variant, n, expected) in [
            (regions, 8, [219, 246]),
            (Variant::Queens, 8, [819, 460]),
            (Variant::Queens, 11, [50_238, 14_501]),
            (Variant::Toroidal, 7, [127, 154]),
            (Variant::Toroidal, 11, [3741, 814]),
            (Variant::Toroidal, 13, [56_304, 30_875]),
        ] {
            let outcome = counted(&Problem::new(size(n), variant).expect("a problem"), "smallest");
            let counts = [Stat::MemoStates, Stat::ZddNodes].map(|stat| outcome.stats.get(stat));
            assert_eq!(counts, expected.map(Some), "n = {n}");
        }
    }

    /// Queens are placed on the first rows, so that the trees are small. Each size uses another layout of `Squares`.
    #[test]
    fn dxz_agrees_with_dancing_links_on_large_boards() {
        let mut all = 0;
        for variant in Variant::NAMED {
            for n in [8, 11, 13, 17] {
                let given = (0..n - 7).map(|row| Square { row, column: 3 * row % n });
                let problem = Problem::new(size(n), variant.clone()).expect("a problem").place(given);
                let task = Task::of(problem.as_ref().expect("on the board"), Goal::Enumerate);
                let [boards, expected] = [solver(Dxz), solver(Dlx)].map(|solver| {
                    let mut boards = Collect::default();
                    solver.solve(&task, &mut boards).expect("any problem");
                    boards.0.sort_unstable();
                    boards.0
                });
                assert_eq!(boards, expected, "{variant:?}, n = {n}");
                all += expected.len();
            }
        }
        assert!(all > 100, "{all}");
    }

    /// Collects the nodes of a ZDD according to the definition: a node divides a family of sets into the sets without its first square
    /// and the sets with it.
    fn nodes(sets: BTreeSet<Vec<usize>>, states: &mut BTreeMap<BTreeSet<Vec<usize>>, ()>) {
        let Some(&first) = sets.iter().filter_map(|set| set.first()).min() else { return };
        if states.insert(sets.clone(), ()).is_some() {
            return;
        }
        let (with, without): (BTreeSet<_>, BTreeSet<_>) =
            sets.into_iter().partition(|set| set.first() == Some(&first));
        nodes(with.into_iter().map(|set| set[1..].to_vec()).collect(), states);
        nodes(without, states);
    }

    #[test]
    fn diagram_of_every_variant_matches_brute_force() {
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
                    let mut boards = Collect::default();
                    solver(Dxz).solve(&task, &mut boards).expect("any problem");
                    let mut boards: Vec<Vec<u32>> =
                        boards.0.iter().map(|board| board.columns().to_vec()).collect();
                    boards.sort_unstable();
                    assert_eq!(boards, expected, "{problem}, n = {n}, {next}");
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
                let mut states = BTreeMap::new();
                nodes(expected.iter().map(squares).collect(), &mut states);
                let size = counted(&problem, "in-order").stats.get(Stat::ZddNodes);
                assert_eq!(size, Some(states.len() as u64), "{problem}, n = {n}");
            }
        }
    }
}
