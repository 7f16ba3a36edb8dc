//! The search for completions of prefixes that shards of the task lex need.
//!
//! The search branches on the row or column with the fewest free squares. Before that, it removes squares in two ways:
//!
//! 1. In a line with two or three free squares, one of them holds a queen. A square that all of them attack is not free.
//! 2. *Sums.* Let `d = column - row` and `a = row + column` of the queens to come. Their rows and columns are known, so
//!    the sums of `d`, of `a` and of `d² + a²` are, too, and so is the sum of `(d - x)² + (a - y)²` for any `x` and `y`.
//!    The diagonals differ, so that the m terms in `d` add up to at least the m smallest that free diagonals have, and
//!    those in `a` likewise. What a square has beyond the largest of these m terms is added to the bound; each row, then
//!    each column, adds at least the smallest such excess of its squares. A bound above the known sum refutes the node,
//!    and a square whose excess would exceed it is not free.
//!
//! A node is a legal placement that the search steps into; the search for each prefix counts its own. State: for each
//! level, one mask per row and per column. Sizes 0..=64. No allocation during the search.

mod sums;

use std::ops::ControlFlow;

use super::{Flow, Visitor};
use crate::board::{Square, column};
use crate::solver::Stop;
use sums::Sums;

/// The largest board: a mask holds the squares of a line.
const MAX: usize = 64;

/// The rows or the columns of the board.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Rows,
    Columns,
}

impl Side {
    /// The square of this line at this place.
    fn square(self, line: usize, place: usize) -> Square {
        match self {
            Side::Rows => Square { row: line, column: place },
            Side::Columns => Square { row: place, column: line },
        }
    }
}

/// What some queens leave of the board.
#[derive(Clone)]
struct Level {
    /// The free columns of each row, none where the row has a queen; and the free rows of each column.
    rows: [u64; MAX],
    columns: [u64; MAX],
    /// The rows and the columns without a queen.
    open_rows: u64,
    open_columns: u64,
    /// The sums over the queens to come.
    sums: Sums,
}

impl Level {
    fn empty(n: usize) -> Self {
        let full = (0..n).map(|place| 1 << place).sum();
        let mut lines = [0; MAX];
        lines[..n].fill(full);
        Self { rows: lines, columns: lines, open_rows: full, open_columns: full, sums: Sums::of_empty(n) }
    }

    /// The lines of a side without a queen, and the free squares of each.
    fn side(&self, side: Side) -> (u64, &[u64; MAX]) {
        match side {
            Side::Rows => (self.open_rows, &self.rows),
            Side::Columns => (self.open_columns, &self.columns),
        }
    }

    /// Removes a free square. Whether it was free.
    fn remove(&mut self, square: Square) -> bool {
        let was_free = self.rows[square.row] & (1 << square.column) != 0;
        self.rows[square.row] &= !(1 << square.column);
        self.columns[square.column] &= !(1 << square.row);
        was_free
    }

    /// Removes the squares that every free square of a line attacks. Whether there were any. Two squares of a line at
    /// distance k have six such squares outside the line: each at distance k opposite the other one, and at half the
    /// distance opposite the middle. Three have two, if they are equally far apart; more have none.
    fn remove_attacked(&mut self, n: usize, side: Side, line: usize, free: u64) -> bool {
        let first = free.trailing_zeros() as usize;
        let last = 63 - free.leading_zeros() as usize;
        let (distance, middle) = (last - first, first.midpoint(last));
        let mut removed = false;
        let mut opposite = |place: usize, distance: usize| {
            let lines = [line.checked_sub(distance), Some(line + distance).filter(|&line| line < n)];
            for line in lines.into_iter().flatten() {
                removed |= self.remove(side.square(line, place));
            }
        };
        let between = free & !(1 << first) & !(1 << last);
        if between == 0 {
            opposite(first, distance);
            opposite(last, distance);
        }
        if distance.is_multiple_of(2) && (between == 0 || between == 1 << middle) {
            opposite(middle, distance / 2);
        }
        removed
    }

    /// Removes squares until nothing changes. The line with the fewest free squares, or `None` if a line has none.
    fn propagate(&mut self, n: usize) -> Option<(Side, usize)> {
        loop {
            let mut changed = false;
            let mut fewest = (u32::MAX, Side::Rows, 0);
            for side in [Side::Rows, Side::Columns] {
                let mut open = self.side(side).0;
                while open != 0 {
                    let line = open.trailing_zeros() as usize;
                    open &= open - 1;
                    let free = self.side(side).1[line];
                    let but_two = without_lowest(without_lowest(free));
                    if but_two == 0 {
                        match free {
                            0 => return None,
                            _ if free.is_power_of_two() => return Some((side, line)),
                            _ => {}
                        }
                    }
                    if without_lowest(but_two) == 0 {
                        changed |= self.remove_attacked(n, side, line, free);
                    }
                    // Counting takes longer than these tests.
                    if but_two == 0 && fewest.0 > 2 {
                        fewest = (2, side, line);
                    } else if fewest.0 > 3 && free.count_ones() < fewest.0 {
                        fewest = (free.count_ones(), side, line);
                    }
                }
            }
            if !changed {
                return Some((fewest.1, fewest.2));
            }
        }
    }
}

/// The set without its lowest element.
fn without_lowest(set: u64) -> u64 {
    set & set.wrapping_sub(1)
}

/// How a search for a completion ends: with one (`Break(None)`), early, or without (`Continue`).
type Completed = ControlFlow<Option<Stop>>;

struct Board<'v, V> {
    visitor: &'v mut V,
    n: usize,
    /// For each square, the columns of each row that a queen on it leaves; none of its own row.
    keeps: Vec<u64>,
    /// For each number of queens, what they leave.
    levels: Vec<Level>,
    queens: [u16; MAX],
}

fn keeps(n: usize) -> Vec<u64> {
    let squares = || (0..n * n).map(|index| Square { row: index / n, column: index % n });
    let left = |queen: Square, row: usize| {
        let columns = (0..n).filter(|&column| !queen.attacks(Square { row, column }) && queen.row != row);
        columns.map(|column| 1 << column).sum::<u64>()
    };
    squares().flat_map(|queen| (0..n).map(move |row| left(queen, row))).collect()
}

impl<'v, V: Visitor> Board<'v, V> {
    fn new(n: usize, visitor: &'v mut V) -> Self {
        Self { visitor, n, keeps: keeps(n), levels: vec![Level::empty(n); n + 1], queens: [0; MAX] }
    }

    /// Goes to a node of the search below a prefix. Fails if the search does not come there.
    fn go_to(&mut self, prefix: &[u16], path: &[Square]) -> Option<()> {
        for (row, &column) in prefix.iter().enumerate() {
            self.place(row, Square { row, column: column.into() });
        }
        for (level, &queen) in (prefix.len()..).zip(path) {
            self.branching(level)?;
            let is_free = self.levels[level].rows[queen.row] & (1 << queen.column) != 0;
            is_free.then(|| self.place(level, queen))?;
        }
        Some(())
    }

    /// The module's `each_node` from a node on.
    fn each_node(
        &mut self,
        level: usize,
        queens: usize,
        path: &mut Vec<Square>,
        visit: &mut dyn FnMut(&[Square]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if level >= queens {
            return visit(path);
        }
        let Some((side, line)) = self.branching(level) else { return ControlFlow::Continue(()) };
        let mut free = self.levels[level].side(side).1[line];
        while free != 0 {
            let queen = side.square(line, free.trailing_zeros() as usize);
            free &= free - 1;
            self.place(level, queen);
            path.push(queen);
            self.each_node(level + 1, queens, path, visit)?;
            path.pop();
        }
        ControlFlow::Continue(())
    }

    /// Looks for a completion of the queens of this level, and leaves it in `queens`.
    fn complete(&mut self, level: usize) -> Completed {
        if let Flow::Break(stop) = self.visitor.node(level) {
            return ControlFlow::Break(Some(stop));
        }
        if level == self.n {
            return ControlFlow::Break(None);
        }
        let Some((side, line)) = self.branching(level) else {
            self.visitor.dead_end(level);
            return ControlFlow::Continue(());
        };
        let mut free = self.levels[level].side(side).1[line];
        while free != 0 {
            self.place(level, side.square(line, free.trailing_zeros() as usize));
            free &= free - 1;
            self.complete(level + 1)?;
        }
        ControlFlow::Continue(())
    }

    /// The line to branch on, or `None` if there is no completion.
    fn branching(&mut self, level: usize) -> Option<(Side, usize)> {
        let here = &mut self.levels[level];
        let (side, line) = here.propagate(self.n)?;
        let is_forced = here.side(side).1[line].is_power_of_two();
        if is_forced || !here.sums.are_worth_comparing() {
            return Some((side, line));
        }
        if sums::remove_too_far(here, self.n)? { here.propagate(self.n) } else { Some((side, line)) }
    }

    /// Puts a queen on a free square: the next level is what it leaves.
    fn place(&mut self, level: usize, queen: Square) {
        let Square { row, column: at } = queen;
        self.queens[row] = column(at);
        let (above, below) = self.levels.split_at_mut(level + 1);
        let (old, new) = (&above[level], &mut below[0]);
        let keeps = |square: usize| &self.keeps[square * self.n..][..self.n];
        let masked = |new: &mut [u64; MAX], old: &[u64; MAX], keeps: &[u64]| {
            for ((new, old), keep) in new.iter_mut().zip(old).zip(keeps) {
                *new = old & keep;
            }
        };
        masked(&mut new.rows, &old.rows, keeps(row * self.n + at));
        // A queen attacks the squares of columns as one on the transposed square attacks those of rows.
        masked(&mut new.columns, &old.columns, keeps(at * self.n + row));
        new.open_rows = old.open_rows & !(1 << row);
        new.open_columns = old.open_columns & !(1 << at);
        new.sums = old.sums.without(queen);
    }
}

/// Counts nodes, up to a limit.
struct Nodes {
    found: u64,
    most: u64,
}

impl Visitor for Nodes {
    fn node(&mut self, _level: usize) -> Flow {
        self.found += 1;
        if self.found > self.most { Flow::Break(Stop::NodeLimit) } else { Flow::Continue(()) }
    }

    fn solution(&mut self, _columns: &[u16]) -> Flow {
        Flow::Continue(())
    }
}

/// Calls `visit` with the path to each node with this number of queens below a prefix (queens on the first rows that do not
/// attack each other), in the order of the search, until it ends the walk. A path has the queens that the search adds to
/// the prefix; none, if the prefix has enough queens. n is at most 64.
pub fn each_node(
    n: usize,
    prefix: &[u16],
    queens: usize,
    visit: &mut dyn FnMut(&[Square]) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut nodes = Nodes { found: 0, most: u64::MAX };
    let mut board = Board::new(n, &mut nodes);
    let mut path = Vec::new();
    match board.go_to(prefix, &[]) {
        Some(()) => board.each_node(prefix.len(), queens, &mut path, visit),
        None => ControlFlow::Continue(()),
    }
}

/// Some solution below a node of [`each_node`], and the nodes that were visited: no solution, if there is none or if this
/// number of nodes is not enough.
pub fn completion(n: usize, prefix: &[u16], path: &[Square], most: u64) -> (u64, Option<Vec<u16>>) {
    let mut nodes = Nodes { found: 0, most };
    let mut board = Board::new(n, &mut nodes);
    let found = board.go_to(prefix, path).is_some()
        && board.complete(prefix.len() + path.len()) == ControlFlow::Break(None);
    let found = found.then(|| board.queens[..n].to_vec());
    (nodes.found, found)
}

/// An unbiased estimate of the number of nodes of the tree below a node of [`each_node`], from one random probe (Knuth
/// 1975). If the tree has a solution, the search ends before it has visited all of them.
pub fn probe(n: usize, prefix: &[u16], path: &[Square], random: &mut fastrand::Rng) -> f64 {
    let mut nodes = Nodes { found: 0, most: u64::MAX };
    let mut board = Board::new(n, &mut nodes);
    let (mut weight, mut total) = (1.0, 1.0);
    if board.go_to(prefix, path).is_none() {
        return total;
    }
    for level in prefix.len() + path.len()..n {
        let Some((side, line)) = board.branching(level) else { break };
        let mut free = board.levels[level].side(side).1[line];
        weight *= f64::from(free.count_ones());
        total += weight;
        (0..random.u32(..free.count_ones())).for_each(|_| free &= free - 1);
        board.place(level, side.square(line, free.trailing_zeros() as usize));
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tree that is searched in full: as many nodes as the nodes above some level and the trees below it have together,
    /// and as the mean of many probes.
    #[test]
    fn parts_and_probes_of_a_tree_have_its_nodes() {
        let mut random = fastrand::Rng::with_seed(1);
        let n = 20;
        for prefix in [[0, 2, 4, 1, 3, 8], [0, 2, 4, 1, 3, 9], [0, 2, 4, 1, 3, 10]] {
            let (nodes, found) = completion(n, &prefix, &[], u64::MAX);
            assert_eq!(found, None, "{prefix:?}");
            let (mut parts, mut above) = (0, 0);
            for queens in prefix.len()..=9 {
                let walk = each_node(n, &prefix, queens, &mut |path| {
                    if queens < 9 {
                        above += 1;
                    } else {
                        parts += completion(n, &prefix, path, u64::MAX).0;
                    }
                    ControlFlow::Continue(())
                });
                assert_eq!(walk, ControlFlow::Continue(()));
            }
            assert_eq!(above + parts, nodes, "{prefix:?}");
            let values: Vec<f64> = (0..300).map(|_| probe(n, &prefix, &[], &mut random)).collect();
            let mean = values.iter().sum::<f64>() / 300.0;
            let squares = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
            let error = (squares / 299.0 / 300.0).sqrt();
            assert!((mean - nodes as f64).abs() <= 4.0 * error, "{prefix:?}: {nodes}, but {mean} +- {error}");
        }
    }

    /// By the definition of attacks: what all free squares of a line attack.
    #[test]
    fn squares_attacked_by_a_whole_line_are_removed_and_no_others() {
        let n = 9;
        for side in [Side::Rows, Side::Columns] {
            for (line, free) in (0..n).flat_map(|line| (1..1_u64 << n).map(move |free| (line, free))) {
                if !(2..=3).contains(&free.count_ones()) {
                    continue;
                }
                let mut level = Level::empty(n);
                level.remove_attacked(n, side, line, free);
                let in_line: Vec<Square> = (0..n)
                    .filter(|place| free >> place & 1 == 1)
                    .map(|place| side.square(line, place))
                    .collect();
                for square in (0..n * n).map(|index| Square { row: index / n, column: index % n }) {
                    let is_outside = if side == Side::Rows { square.row } else { square.column } != line;
                    let attacked = is_outside && in_line.iter().all(|queen| queen.attacks(square));
                    assert_eq!(level.rows[square.row] >> square.column & 1 == 0, attacked, "{in_line:?}");
                    assert_eq!(level.columns[square.column] >> square.row & 1 == 0, attacked, "{in_line:?}");
                }
            }
        }
    }
}
