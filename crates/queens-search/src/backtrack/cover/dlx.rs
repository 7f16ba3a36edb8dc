//! Dancing links: exact cover with secondary items, for any problem.
//!
//! A line with exactly one queen is a primary item, a line with at most one queen is a secondary item, and each square that
//! may hold a queen is an option. The search branches on the primary item with the fewest options; on ties, it takes the
//! first such item of the list. An *update* removes a node from a doubly linked list. Covering an item takes one update for
//! the item, and one for each other node of its options.
//! If shifting all columns maps the problem onto itself, as on the torus, only solutions with a queen
//! in the top left corner are searched. Each of these solutions represents `n` solutions: its shifts by 0 to `n` - 1 columns.
//! Cost: memory for six integers per pair of a square and a line through the square. The time per node grows with the number of
//! nodes that are updated.
//! Source: Knuth, "Dancing links", 2000; TAOCP 7.2.2.1, Algorithm D with secondary items.

use crate::backtrack::searcher::{Flow, Info, Searcher, Stat, Task, Visitor};
use queens_board::problem::{Line, Problem, Rule};
use queens_board::{Square, place};
use queens_solver::{Goal, SolverOption};

queens_board::words! {
    /// The order of the primary items, which decides ties.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Items {
        /// From the middle of the board outwards, alternating between rows and columns.
        #[default]
        OrganPipe = "organ-pipe",
        /// All rows from the top, then all columns from the left.
        Natural = "natural",
    }
}

/// The option of [`Items`].
const ITEMS: SolverOption = SolverOption {
    name: "items",
    values: Items::WORDS,
    default: Items::WORDS[Items::OrganPipe as usize],
    about: "the order of rows and columns; among those with the fewest free squares, the first gets the next queen",
};

/// The searcher.
pub struct Dlx;

impl Searcher for Dlx {
    fn info(&self) -> Info {
        Info {
            about: "dancing links: the row, column or region with the fewest free squares first".into(),
            statistics: vec![Stat::Nodes, Stat::MaxDepth, Stat::Updates],
            options: vec![ITEMS],
            any_problem: true,
            ..Info::named("backtrack/dlx")
        }
    }

    fn run<V: Visitor>(&self, task: &Task<'_>, visitor: &mut V) -> Flow {
        let items = Items::named(task.options.value(&ITEMS)).unwrap_or_default();
        let n = task.n().get();
        let corner_problem = with_corner_queen(task);
        let shifts = if corner_problem.is_some() { n } else { 1 };
        let mut links = Links::new(corner_problem.as_ref().unwrap_or(&task.problem), items);
        let mut columns = vec![0; n];
        let flow = links.search(&mut |queens, is_solution| {
            visitor.node(queens.len())?;
            if !is_solution {
                return Flow::Continue(());
            }
            place(&mut columns, queens.iter().copied());
            for _ in 0..shifts {
                visitor.solution(&columns)?;
                columns
                    .iter_mut()
                    .for_each(|column| *column = if *column as usize + 1 == n { 0 } else { *column + 1 });
            }
            Flow::Continue(())
        });
        visitor.count(Stat::Updates, links.updates);
        flow
    }
}

/// The problem with a queen in the top left corner, if the goal needs all solutions and every solution is a shift of a solution of
/// that problem; `None` otherwise.
fn with_corner_queen(task: &Task<'_>) -> Option<Problem> {
    if task.goal == Goal::First || task.n().get() < 2 || !task.problem.is_invariant_under_column_shifts() {
        return None;
    }
    task.problem.clone().place([Square { row: 0, column: 0 }]).ok()
}

/// An index of a header or a node. Header 0 is the head of the list of primary items.
type Index = u32;

fn index(number: usize) -> Index {
    Index::try_from(number).expect("a problem has fewer than 2^32 options and nodes")
}

/// An item, as an element of the list of primary items that are not covered. Secondary items are not in this list.
struct Header {
    left: Index,
    right: Index,
    /// The number of nodes in the item's list.
    options: u32,
}

/// A node: one option in the vertical list of one item. The first nodes are the list heads, one per item.
struct LinkNode {
    up: Index,
    down: Index,
    item: Index,
    /// The index of the option in `squares`. The nodes of the option are `first..end`.
    option: Index,
    first: Index,
    end: Index,
}

/// The dancing links of a problem: covering an item removes its options from all other lists, and uncovering it restores them in
/// the opposite order.
pub struct Links {
    headers: Vec<Header>,
    nodes: Vec<LinkNode>,
    /// The square of each option.
    squares: Vec<Square>,
    /// The number of updates so far. An update removes a node from a list.
    pub updates: u64,
}

impl Links {
    /// Builds the lists. A line without squares that may hold a queen becomes an item without options.
    pub fn new(problem: &Problem, items: Items) -> Self {
        let mut lines: Vec<Line> = problem.lines().collect();
        lines.iter_mut().for_each(|line| line.squares.retain(|&square| problem.is_open(square)));
        lines.retain(|line| line.rule == Rule::ExactlyOne || line.squares.len() > 1);
        Self::from_lines(problem.n().get(), lines, items)
    }

    /// Builds the lists of these lines: the `n` rows, the `n` columns, then all other lines.
    fn from_lines(n: usize, mut lines: Vec<Line>, items: Items) -> Self {
        if items == Items::OrganPipe {
            let middle_out = (0..n).map(|step| if step % 2 == 1 { n - 1 - step } else { n + step } / 2);
            let order = middle_out.flat_map(|line| [line, n + line]).chain(2 * n..lines.len());
            lines = order.map(|line| lines[line].clone()).collect();
        }
        lines.sort_by_key(|line| line.rule);
        let primary_items = lines.iter().filter(|line| line.rule == Rule::ExactlyOne).count();

        let mut links = Self { headers: Vec::new(), nodes: Vec::new(), squares: Vec::new(), updates: 0 };
        for item in 0..=index(lines.len()) {
            links.headers.push(Header { left: item, right: item, options: 0 });
            links.nodes.push(LinkNode { up: item, down: item, item, option: 0, first: 0, end: 0 });
        }
        for item in 1..=index(primary_items) {
            links.headers[item as usize].left = item - 1;
            links.headers[item as usize].right = 0;
            links.headers[item as usize - 1].right = item;
            links.headers[0].left = item;
        }
        let mut items_of = vec![Vec::new(); n * n];
        for (item, line) in (1..).zip(&lines) {
            line.squares.iter().for_each(|square| items_of[square.row * n + square.column].push(item));
        }
        for (index, items) in items_of.iter().enumerate().filter(|(_, items)| !items.is_empty()) {
            links.add(Square { row: index / n, column: index % n }, items);
        }
        links
    }

    fn add(&mut self, square: Square, items: &[Index]) {
        let (option, first) = (index(self.squares.len()), index(self.nodes.len()));
        let end = first + index(items.len());
        for (&item, node) in items.iter().zip(first..) {
            let last_node = self.nodes[item as usize].up;
            self.nodes.push(LinkNode { up: last_node, down: item, item, option, first, end });
            self.nodes[last_node as usize].down = node;
            self.nodes[item as usize].up = node;
            self.headers[item as usize].options += 1;
        }
        self.squares.push(square);
    }

    /// Walks the whole tree. Calls `visit` at each node with the chosen squares, and with `true` if these squares are a solution.
    /// `visit` may end the search.
    pub fn search(&mut self, visit: &mut impl FnMut(&[Square], bool) -> Flow) -> Flow {
        self.place(&mut Vec::new(), visit)
    }

    fn place(&mut self, squares: &mut Vec<Square>, visit: &mut impl FnMut(&[Square], bool) -> Flow) -> Flow {
        let next_item = self.smallest_item();
        visit(squares, next_item.is_none())?;
        let Some(item) = next_item else { return Flow::Continue(()) };
        if self.headers[item as usize].options == 0 {
            // Covering this item would remove only the item itself.
            self.updates += 1;
            return Flow::Continue(());
        }
        self.cover(item);
        let mut node = self.nodes[item as usize].down;
        while node != item {
            let LinkNode { option, first, end, .. } = self.nodes[node as usize];
            let option_nodes = first..end;
            for other_node in option_nodes.clone().filter(|&other_node| other_node != node) {
                self.cover(self.nodes[other_node as usize].item);
            }
            squares.push(self.squares[option as usize]);
            self.place(squares, visit)?;
            squares.pop();
            for other_node in option_nodes.rev().filter(|&other_node| other_node != node) {
                self.uncover(self.nodes[other_node as usize].item);
            }
            node = self.nodes[node as usize].down;
        }
        self.uncover(item);
        Flow::Continue(())
    }

    /// The first primary item with the fewest options; `None` if all primary items are covered.
    fn smallest_item(&self) -> Option<Index> {
        let mut item = self.headers[0].right;
        let mut smallest_item = None;
        let mut fewest_options = u32::MAX;
        while item != 0 && fewest_options > 0 {
            let header = &self.headers[item as usize];
            if header.options < fewest_options {
                (fewest_options, smallest_item) = (header.options, Some(item));
            }
            item = header.right;
        }
        smallest_item
    }

    /// Removes an item from the list of items, and its options from the lists of all other items.
    fn cover(&mut self, item: Index) {
        let Self { headers, nodes, updates, .. } = self;
        let Header { left, right, .. } = headers[item as usize];
        headers[left as usize].right = right;
        headers[right as usize].left = left;
        let mut removed_nodes = 1;
        let mut node = nodes[item as usize].down;
        while node != item {
            let LinkNode { down: next, first, end, .. } = nodes[node as usize];
            removed_nodes += u64::from(end - first) - 1;
            for other_nodes in [first..node, node + 1..end] {
                for other_node in other_nodes {
                    let LinkNode { up, down, item, .. } = nodes[other_node as usize];
                    nodes[up as usize].down = down;
                    nodes[down as usize].up = up;
                    headers[item as usize].options -= 1;
                }
            }
            node = next;
        }
        *updates += removed_nodes;
    }

    /// Undoes [`Links::cover`], step by step in the opposite order.
    fn uncover(&mut self, item: Index) {
        let Self { headers, nodes, .. } = self;
        let mut node = nodes[item as usize].up;
        while node != item {
            let LinkNode { up: next, first, end, .. } = nodes[node as usize];
            for other_nodes in [node + 1..end, first..node] {
                for other_node in other_nodes.rev() {
                    let LinkNode { up, down, item, .. } = nodes[other_node as usize];
                    nodes[up as usize].down = other_node;
                    nodes[down as usize].up = other_node;
                    headers[item as usize].options += 1;
                }
            }
            node = next;
        }
        let Header { left, right, .. } = headers[item as usize];
        headers[left as usize].right = item;
        headers[right as usize].left = item;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backtrack::solver;
    use queens_board::problem::Variant;
    use queens_board::{BoardSize, lines};
    use queens_solver::Stop;
    use queens_solver::sink::Collect;

    /// Returns the number of nodes by level, the number of updates, and the solutions.
    fn search(problem: &Problem, items: Items) -> (Vec<u64>, u64, Vec<Vec<Square>>) {
        walk(Links::new(problem, items), problem.n().get())
    }

    fn walk(mut links: Links, n: usize) -> (Vec<u64>, u64, Vec<Vec<Square>>) {
        let mut levels = vec![0; n + 1];
        let mut solutions = Vec::new();
        let flow = links.search(&mut |squares, is_solution| {
            levels[squares.len()] += 1;
            solutions.extend(is_solution.then(|| squares.to_vec()));
            Flow::Continue(())
        });
        assert!(flow.is_continue());
        (levels, links.updates, solutions)
    }

    /// The expected values are from another program (tests/data/dlx_nodes_updates.csv).
    #[test]
    fn nodes_and_updates_match_knuths_algorithm() {
        let table = include_str!("../../../../../tests/data/dlx_nodes_updates.csv");
        let mut compared = 0;
        for row in table.lines().skip(1) {
            let fields: Vec<&str> = row.split(',').collect();
            let items = if fields[0] == "organ_pipe" { Items::OrganPipe } else { Items::Natural };
            let n: usize = fields[2].parse().expect("a size");
            if n > 10 {
                continue;
            }
            let problem = Problem::queens(BoardSize::new(n).expect("small"));
            let mut links = Links::new(&problem, items);
            // In rows with "kept", the diagonals of a single square are items, too.
            if fields[1] == "kept" {
                let single_squares = lines::diagonals(n).filter(|squares| squares.len() == 1);
                let single_squares = single_squares.map(|squares| Line { rule: Rule::AtMostOne, squares });
                links = Links::from_lines(n, problem.lines().chain(single_squares).collect(), items);
            }
            let (levels, updates, solutions) = walk(links, n);
            let levels: Vec<String> = levels.iter().map(u64::to_string).collect();
            assert_eq!(solutions.len().to_string(), fields[3], "{row}");
            assert_eq!(
                (updates.to_string().as_str(), levels.join(" ").as_str()),
                (fields[5], fields[8]),
                "{row}"
            );
            compared += 1;
        }
        assert_eq!(compared, 40);
    }

    /// The number of solutions is A051906, and each solution satisfies the definition and occurs once.
    #[test]
    fn dlx_expands_shifts_of_toroidal_solutions() {
        let problem = |n, text| Problem::from_text(BoardSize::new(n).expect("small"), text).expect(text);
        for (n, text, count, shifts) in [
            (5, "toroidal", 10, true),
            (7, "toroidal", 28, true),
            (8, "toroidal", 0, true),
            (11, "toroidal", 88, true),
            (4, "rooks", 24, true),
            (8, "queens", 92, false),
            (7, "toroidal;place=0:1", 4, false),
            (7, "toroidal;forbid=0:0", 24, false),
        ] {
            let problem = problem(n, text);
            assert_eq!(problem.is_invariant_under_column_shifts(), shifts, "{problem}, n = {n}");
            let mut boards = Collect::default();
            let task = Task { counting: true, ..Task::of(&problem, Goal::Enumerate) };
            let outcome = solver(Dlx).solve(&task, &mut boards).expect("any problem");
            let all_nodes: u64 = search(&problem, Items::default()).0.iter().sum();
            let is_reduced = n > 1 && shifts;
            assert_eq!(outcome.stats.get(Stat::Nodes) < Some(all_nodes), is_reduced, "{problem}, n = {n}");
            assert!(boards.0.iter().all(|board| problem.is_solution(board.columns())), "{problem}, n = {n}");
            boards.0.sort_unstable();
            boards.0.dedup();
            assert_eq!((outcome.solutions, boards.0.len()), (count, count as usize), "{problem}, n = {n}");
            let count_outcome =
                solver(Dlx).solve(&Task::of(&problem, Goal::Count), &mut boards).expect("any problem");
            assert_eq!(count_outcome.solutions, count);
        }
        let natural_order = queens_solver::Options::parse("items=natural", &Dlx.info());
        assert!(natural_order.is_ok_and(|options| options.value(&ITEMS) == "natural"));
        // The sink ends the search at the first solution.
        let mut stop_at_first = |_: &[u32]| std::ops::ControlFlow::Break(());
        let outcome =
            solver(Dlx).solve(&Task::of(&problem(7, "toroidal"), Goal::Enumerate), &mut stop_at_first);
        let outcome = outcome.expect("any problem");
        assert_eq!((outcome.solutions, outcome.stopped), (1, Some(Stop::Sink)));
    }

    #[test]
    fn problem_with_attacking_queens_has_no_solution() {
        let plain_problem = || Problem::queens(BoardSize::new(4).expect("small"));
        for second in [Square { row: 0, column: 2 }, Square { row: 3, column: 1 }] {
            let problem = plain_problem().place([Square { row: 0, column: 1 }, second]).expect("a problem");
            assert!(search(&problem, Items::default()).2.is_empty(), "{problem}");
        }
    }

    #[test]
    fn solutions_of_every_variant_match_brute_force() {
        for variant in Variant::NAMED {
            for n in 0..=6 {
                let problem =
                    Problem::new(BoardSize::new(n).expect("small"), variant.clone()).expect("a problem");
                let (.., solutions) = search(&problem, Items::default());
                let mut placements: Vec<Vec<u32>> = solutions
                    .into_iter()
                    .map(|mut squares| {
                        squares.sort_unstable();
                        squares.into_iter().map(|square| square.column as u32).collect()
                    })
                    .collect();
                placements.sort_unstable();
                let assignments = (0..n.pow(n as u32)).map(|code| -> Vec<u32> {
                    (0..n).map(|row| (code / n.pow((n - 1 - row) as u32) % n) as u32).collect()
                });
                let expected: Vec<Vec<u32>> =
                    assignments.filter(|columns| problem.is_solution(columns)).collect();
                assert_eq!(placements, expected, "{problem}, n = {n}");
            }
        }
    }
}
