//! Exact cover with memoization: all solutions as a zero-suppressed decision diagram (ZDD).
//!
//! The open squares, which no queen attacks, determine all ways to complete a board. Each set of open squares is solved once, row by
//! row; the result is memoized as a node of the ZDD. A node has a square and two children: the *low* child represents the solutions
//! without a queen on the square, and the *high* child those with a queen on the square. Equal nodes are stored once. The number of
//! solutions is computed from the nodes without visiting boards; an enumeration reads the boards from the ZDD.
//! Cost: memory for every set of open squares and every node; time per set is O(n²).
//! Source: Nishino, Yasuda, Minato and Nagata, "Dancing with decision diagrams", AAAI 2017. Their algorithm DXZ represents the open
//! squares by dancing links; this file represents them by bit masks. An `OpenBoard` would be slower: at n = 12, solving a set of open
//! squares takes 0.24 µs, which is less than the time for placing a single queen on an `OpenBoard`.

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
    pub enum NextRow {
        /// The row with the fewest open squares gets the next queen; on ties, the first such row.
        #[default]
        Smallest = "smallest",
        /// The rows get queens from top to bottom.
        InOrder = "in-order",
    }
}

/// The option of [`NextRow`].
const NEXT: SolverOption = SolverOption {
    name: "next",
    values: NextRow::WORDS,
    default: NextRow::WORDS[NextRow::Smallest as usize],
    about: "the row that gets the next queen: the row with the fewest open squares, or the topmost row",
};

/// The largest board, for which counts fit into 64 bits: there are at most 20! solutions, which is less than 2^64.
const MAX_SIZE: usize = 20;

/// The searcher.
pub struct Dxz;

impl Searcher for Dxz {
    fn info(&self) -> Info {
        Info {
            about: "dancing links with a memo: a decision diagram of all solutions".into(),
            sizes: 0..=MAX_SIZE,
            sizes_reason: "the numbers of solutions must fit into 64 bits",
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
    let next = NextRow::named(task.options.value(&NEXT)).unwrap_or_default();
    let mut search = Search::<WORDS, WIDTH>::new(&task.problem, next, task.goal == Goal::First);
    let all_rows = (1_u32 << search.n) - 1;
    let has_open_square = |line| !search.open.and(line).is_empty();
    let is_possible =
        search.open.columns() == u64::from(all_rows) && search.extra_lines.iter().all(has_open_square);
    let root = if is_possible { search.solve(search.open, all_rows, step)? } else { FALSE };
    ControlFlow::Continue((search.diagram, root, search.memo.len()))
}

/// A set of squares, as `WIDTH` bits per row. A word contains `64 / WIDTH` rows.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Squares<const WORDS: usize, const WIDTH: usize>([u64; WORDS]);

impl<const WORDS: usize, const WIDTH: usize> Hash for Squares<WORDS, WIDTH> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.0.iter().for_each(|&word| hasher.write_u64(word));
    }
}

impl<const WORDS: usize, const WIDTH: usize> Squares<WORDS, WIDTH> {
    const ROWS_PER_WORD: usize = 64 / WIDTH;
    const ROW_MASK: u64 = (1 << WIDTH) - 1;

    fn from_squares(squares: &[Square]) -> Self {
        let mut set = [0; WORDS];
        for square in squares {
            set[square.row / Self::ROWS_PER_WORD] |=
                1 << (square.row % Self::ROWS_PER_WORD * WIDTH + square.column);
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
        self.0[row / Self::ROWS_PER_WORD] >> (row % Self::ROWS_PER_WORD * WIDTH) & Self::ROW_MASK
    }

    /// The columns with a square in any row, as a bit mask.
    fn columns(&self) -> u64 {
        let union = self.0.iter().fold(0, |union, word| union | word);
        (0..Self::ROWS_PER_WORD).fold(0, |columns, row| columns | union >> (row * WIDTH)) & Self::ROW_MASK
    }
}

struct Search<const WORDS: usize, const WIDTH: usize> {
    n: usize,
    next: NextRow,
    /// Whether the search ends at the first solution.
    stops_at_first: bool,
    /// The squares that may hold a queen.
    open: Squares<WORDS, WIDTH>,
    /// The lines that need a queen, other than rows and columns (for example, regions).
    extra_lines: Vec<Squares<WORDS, WIDTH>>,
    /// By square, all squares on a line with it, including the square itself.
    attacked: Vec<Squares<WORDS, WIDTH>>,
    memo: Map<Squares<WORDS, WIDTH>, u32>,
    diagram: Diagram,
}

impl<const WORDS: usize, const WIDTH: usize> Search<WORDS, WIDTH> {
    fn new(problem: &Problem, next: NextRow, stops_at_first: bool) -> Self {
        let n = problem.n().get();
        let mut attacked = vec![Squares([0; WORDS]); n * n];
        let mut exactly_one_lines = Vec::new();
        for line in problem.lines() {
            let squares = Squares::from_squares(&line.squares);
            exactly_one_lines.extend((line.rule == Rule::ExactlyOne).then_some(squares));
            for square in &line.squares {
                let attacked = &mut attacked[square.row * n + square.column];
                *attacked = attacked.or(&squares);
            }
        }
        let row = |row| (0..n).map(move |column| Square { row, column });
        let open: Vec<Square> = (0..n).flat_map(row).filter(|&square| problem.is_open(square)).collect();
        // The rows are the first lines, and the columns follow.
        let extra_lines = exactly_one_lines.split_off(2 * n);
        let (open, memo, diagram) = (Squares::from_squares(&open), Map::default(), Diagram::new());
        Self { n, next, stops_at_first, open, extra_lines, attacked, memo, diagram }
    }

    /// The node that represents all ways to place a queen on an open square in each of these rows.
    ///
    /// The key of the memo is the set of open squares, without the set of rows, because the open squares determine the rows. A
    /// child is skipped if a column without a queen has no open square. Therefore, the number of columns with open squares is the
    /// number of rows without a queen. If equally many rows have open squares, these are the rows without a queen. If fewer rows
    /// have open squares, some row without a queen has no open square, so there is no solution.
    fn solve(
        &mut self,
        open: Squares<WORDS, WIDTH>,
        rows: u32,
        step: &mut dyn FnMut() -> Flow,
    ) -> ControlFlow<Stop, u32> {
        if rows == 0 {
            return ControlFlow::Continue(TRUE);
        }
        if let Some(&memoized_node) = self.memo.get(&open) {
            debug_assert!(memoized_node == FALSE || self.has_open_square_in_exactly(&open, rows));
            return ControlFlow::Continue(memoized_node);
        }
        step()?;
        let mut node = FALSE;
        if let Some(row) = self.next_row(&open, rows) {
            let columns = open.columns();
            let mut untried_columns = open.row(row);
            // The node of a square is created after the nodes of the squares to its right, which are below it in the diagram.
            while let Some(column) = untried_columns.checked_ilog2() {
                untried_columns ^= 1 << column;
                let square = row * self.n + column as usize;
                let open_after = open.minus(&self.attacked[square]);
                if open_after.columns() != columns ^ 1 << column
                    || !self.extra_lines_have_square(&open, &open_after, square)
                {
                    continue;
                }
                let high = self.solve(open_after, rows & !(1 << row), step)?;
                if high != FALSE {
                    node = self.diagram.node(square, node, high);
                    if self.stops_at_first {
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

    /// The next of these rows, which may be a row without open squares; `None` if there are no rows.
    fn next_row(&self, open: &Squares<WORDS, WIDTH>, rows: u32) -> Option<usize> {
        let mut rows = Members(u64::from(rows));
        match self.next {
            NextRow::Smallest => rows.min_by_key(|&row| open.row(row).count_ones()),
            NextRow::InOrder => rows.next(),
        }
    }

    /// Whether each line of `extra_lines` without a queen still has an open square after a queen is placed on `square`. `before` and
    /// `after` are the open squares before and after this move.
    fn extra_lines_have_square(
        &self,
        before: &Squares<WORDS, WIDTH>,
        after: &Squares<WORDS, WIDTH>,
        square: usize,
    ) -> bool {
        let contains_square =
            |line: &Squares<WORDS, WIDTH>| line.row(square / self.n) >> (square % self.n) & 1 == 1;
        self.extra_lines
            .iter()
            .all(|line| before.and(line).is_empty() || contains_square(line) || !after.and(line).is_empty())
    }
}

/// A hash map with a multiplicative hash, which is much faster than the default hash.
type Map<K, V> = HashMap<K, V, BuildHasherDefault<MultiplicativeHasher>>;

/// A hash that multiplies each word by an odd number, and combines the high and the low half of the product by exclusive or.
#[derive(Default)]
struct MultiplicativeHasher(u64);

impl Hasher for MultiplicativeHasher {
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

/// The terminal node that represents no solution.
const FALSE: u32 = 0;
/// The terminal node that represents one solution, without further queens.
const TRUE: u32 = 1;

/// A node of the diagram.
struct DiagramNode {
    square: u32,
    /// The index of the child without a queen on the square.
    low: u32,
    /// The index of the child with a queen on the square.
    high: u32,
    /// The number of solutions that the node represents.
    solutions: u64,
}

struct Diagram {
    /// The terminal nodes come first, and children come before their parents.
    nodes: Vec<DiagramNode>,
    /// The index of the node with this square, low child and high child.
    unique_table: Map<(u32, u32, u32), u32>,
}

impl Diagram {
    fn new() -> Self {
        let terminal = |solutions| DiagramNode { square: 0, low: FALSE, high: FALSE, solutions };
        Self { nodes: vec![terminal(0), terminal(1)], unique_table: Map::default() }
    }

    /// The index of the node with this square and these children. The node is created if it does not exist.
    fn node(&mut self, square: usize, low: u32, high: u32) -> u32 {
        let square = u32::try_from(square).expect("a board has fewer than 2^32 squares");
        let nodes = &mut self.nodes;
        *self.unique_table.entry((square, low, high)).or_insert_with(|| {
            let solutions = nodes[low as usize].solutions + nodes[high as usize].solutions;
            nodes.push(DiagramNode { square, low, high, solutions });
            u32::try_from(nodes.len() - 1).expect("memory ends before 2^32 nodes")
        })
    }

    /// Calls `visit` with the columns of each solution that a node represents.
    fn visit(
        &self,
        mut node: u32,
        queens: &mut Vec<Square>,
        columns: &mut [u32],
        visit: &mut dyn FnMut(&[u32]) -> Flow,
    ) -> Flow {
        let n = columns.len();
        while node > TRUE {
            let DiagramNode { square, low, high, .. } = self.nodes[node as usize];
            queens.push(Square { row: square as usize / n, column: square as usize % n });
            self.visit(high, queens, columns, visit)?;
            queens.pop();
            node = low;
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

    fn counting_outcome(problem: &Problem, next: &str) -> Outcome {
        let options = Options::of([("next", next)], &Dxz.info()).expect("an option");
        let task = Task { counting: true, options, ..Task::of(problem, Goal::Count) };
        solver(Dxz).solve(&task, &mut Discard).expect("any problem")
    }

    /// For rooks, there are n! solutions, and visiting all boards would take hours.
    #[test]
    fn counting_runs_do_not_visit_boards() {
        for n in [8, 12, 14, 17] {
            let rooks = Problem::new(size(n), Variant::Rooks).expect("a problem");
            let outcome = counting_outcome(&rooks, "smallest");
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
            let outcome = counting_outcome(&Problem::queens(size(n)), "in-order");
            assert_eq!(outcome.stats.get(Stat::ZddNodes), Some(nodes), "n = {n}");
        }
    }

    /// The expected numbers of states are from an implementation that checks every line of every state. Pruning by lines changes the
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
            let outcome = counting_outcome(&Problem::new(size(n), variant).expect("a problem"), "smallest");
            let counts = [Stat::MemoStates, Stat::ZddNodes].map(|stat| outcome.stats.get(stat));
            assert_eq!(counts, expected.map(Some), "n = {n}");
        }
    }

    /// Queens are placed on the first rows, so that the trees are small. Each size uses another layout of `Squares`.
    #[test]
    fn dxz_agrees_with_dancing_links_on_large_boards() {
        let mut total = 0;
        for variant in Variant::NAMED {
            for n in [8, 11, 13, 17] {
                let prefix = (0..n - 7).map(|row| Square { row, column: 3 * row % n });
                let problem = Problem::new(size(n), variant.clone()).expect("a problem").place(prefix);
                let task = Task::of(problem.as_ref().expect("on the board"), Goal::Enumerate);
                let [boards, expected] = [solver(Dxz), solver(Dlx)].map(|solver| {
                    let mut boards = Collect::default();
                    solver.solve(&task, &mut boards).expect("any problem");
                    boards.0.sort_unstable();
                    boards.0
                });
                assert_eq!(boards, expected, "{variant:?}, n = {n}");
                total += expected.len();
            }
        }
        assert!(total > 100, "{total}");
    }

    /// Collects the nodes of a ZDD according to the definition: a node divides a family of sets into the sets that contain its
    /// first square and the sets that do not.
    fn nodes(sets: BTreeSet<Vec<usize>>, families: &mut BTreeMap<BTreeSet<Vec<usize>>, ()>) {
        let Some(&first) = sets.iter().filter_map(|set| set.first()).min() else { return };
        if families.insert(sets.clone(), ()).is_some() {
            return;
        }
        let (high, low): (BTreeSet<_>, BTreeSet<_>) =
            sets.into_iter().partition(|set| set.first() == Some(&first));
        nodes(high.into_iter().map(|set| set[1..].to_vec()).collect(), families);
        nodes(low, families);
    }

    #[test]
    fn diagram_of_every_variant_matches_brute_force() {
        for variant in Variant::NAMED {
            for n in 0..=6 {
                let problem = Problem::new(size(n), variant.clone()).expect("a problem");
                let assignments = (0..n.pow(n as u32)).map(|code| -> Vec<u32> {
                    (0..n).map(|row| (code / n.pow((n - 1 - row) as u32) % n) as u32).collect()
                });
                let expected: Vec<Vec<u32>> =
                    assignments.filter(|columns| problem.is_solution(columns)).collect();
                for next in NextRow::WORDS {
                    let options = Options::of([("next", *next)], &Dxz.info()).expect("an option");
                    let task = Task { options, ..Task::of(&problem, Goal::Enumerate) };
                    let mut boards = Collect::default();
                    solver(Dxz).solve(&task, &mut boards).expect("any problem");
                    let mut boards: Vec<Vec<u32>> =
                        boards.0.iter().map(|board| board.columns().to_vec()).collect();
                    boards.sort_unstable();
                    assert_eq!(boards, expected, "{problem}, n = {n}, {next}");
                    let count_outcome = solver(Dxz).solve(&Task { goal: Goal::Count, ..task }, &mut Discard);
                    assert_eq!(
                        count_outcome.expect("any problem").solutions,
                        expected.len() as u64,
                        "{problem}, n = {n}"
                    );
                }
                let squares = |columns: &Vec<u32>| {
                    columns.iter().enumerate().map(|(row, &column)| row * n + column as usize).collect()
                };
                let mut families = BTreeMap::new();
                nodes(expected.iter().map(squares).collect(), &mut families);
                let size = counting_outcome(&problem, "in-order").stats.get(Stat::ZddNodes);
                assert_eq!(size, Some(families.len() as u64), "{problem}, n = {n}");
            }
        }
    }
}
