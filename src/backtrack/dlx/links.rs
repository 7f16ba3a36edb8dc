//! The lists of dancing links: covering an item removes its options from all other lists, and uncovering it puts them
//! back in the opposite order.

use std::ops::Range;

use super::Items;
use crate::backtrack::Flow;
use crate::board::Square;
use crate::board::problem::{Line, Problem, Rule};

/// An index of a header or a node. Header 0 is the head of the list of primary items.
type Index = u32;

fn index(number: usize) -> Index {
    Index::try_from(number).expect("a problem has fewer than 2^32 options and nodes")
}

/// The head of an item's list of nodes, in the list of the primary items that are not covered.
struct Header {
    left: Index,
    right: Index,
    /// The number of nodes in the item's list.
    options: u32,
}

/// An option in the list of an item. The first nodes are the ends of these lists, one per header.
struct Node {
    up: Index,
    down: Index,
    item: Index,
    /// Its number in `options`.
    option: Index,
}

/// An option of the exact cover: a queen on a square.
struct Choice {
    square: Square,
    /// Its nodes.
    nodes: Range<Index>,
}

/// A problem as lists.
pub struct Links {
    headers: Vec<Header>,
    nodes: Vec<Node>,
    options: Vec<Choice>,
    /// The removals of nodes from lists so far.
    pub updates: u64,
}

impl Links {
    /// Builds the lists. A line without squares that may hold a queen becomes an item without options.
    pub fn new(problem: &Problem, items: Items) -> Self {
        let mut lines: Vec<Line> = problem.lines().collect();
        lines.iter_mut().for_each(|line| line.squares.retain(|&square| problem.is_open(square)));
        lines.retain(|line| line.rule == Rule::ExactlyOne || line.squares.len() > 1);
        Self::of_lines(problem.n().get(), lines, items)
    }

    /// Builds the lists of these lines: the `n` rows, the `n` columns, then others.
    pub(super) fn of_lines(n: usize, mut lines: Vec<Line>, items: Items) -> Self {
        if items == Items::OrganPipe {
            let middle_out = (0..n).map(|step| if step % 2 == 1 { n - 1 - step } else { n + step } / 2);
            let order = middle_out.flat_map(|line| [line, n + line]).chain(2 * n..lines.len());
            lines = order.map(|line| lines[line].clone()).collect();
        }
        lines.sort_by_key(|line| line.rule);
        let primary = lines.iter().filter(|line| line.rule == Rule::ExactlyOne).count();

        let mut links = Self { headers: Vec::new(), nodes: Vec::new(), options: Vec::new(), updates: 0 };
        for item in 0..=index(lines.len()) {
            links.headers.push(Header { left: item, right: item, options: 0 });
            links.nodes.push(Node { up: item, down: item, item, option: 0 });
        }
        for item in 1..=index(primary) {
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
        let first = index(self.nodes.len());
        for (&item, node) in items.iter().zip(first..) {
            let last = self.nodes[item as usize].up;
            self.nodes.push(Node { up: last, down: item, item, option: index(self.options.len()) });
            self.nodes[last as usize].down = node;
            self.nodes[item as usize].up = node;
            self.headers[item as usize].options += 1;
        }
        self.options.push(Choice { square, nodes: first..index(self.nodes.len()) });
    }

    /// Searches the whole tree. `visit` is called at each node with the chosen squares, and whether they are a solution;
    /// it may end the search.
    pub fn search(&mut self, visit: &mut impl FnMut(&[Square], bool) -> Flow) -> Flow {
        self.place(&mut Vec::new(), visit)
    }

    fn place(&mut self, chosen: &mut Vec<Square>, visit: &mut impl FnMut(&[Square], bool) -> Flow) -> Flow {
        let smallest = self.smallest();
        visit(chosen, smallest.is_none())?;
        let Some(item) = smallest else { return Flow::Continue(()) };
        self.cover(item);
        let mut at = self.nodes[item as usize].down;
        while at != item {
            let option = self.nodes[at as usize].option as usize;
            let nodes = self.options[option].nodes.clone();
            for other in nodes.clone().filter(|&other| other != at) {
                self.cover(self.nodes[other as usize].item);
            }
            chosen.push(self.options[option].square);
            self.place(chosen, visit)?;
            chosen.pop();
            for other in nodes.rev().filter(|&other| other != at) {
                self.uncover(self.nodes[other as usize].item);
            }
            at = self.nodes[at as usize].down;
        }
        self.uncover(item);
        Flow::Continue(())
    }

    /// The first primary item with the fewest options; `None` if all are covered.
    fn smallest(&self) -> Option<Index> {
        let mut item = self.headers[0].right;
        let mut smallest = None;
        let mut fewest = u32::MAX;
        while item != 0 {
            let header = &self.headers[item as usize];
            if header.options < fewest {
                (fewest, smallest) = (header.options, Some(item));
            }
            item = header.right;
        }
        smallest
    }

    /// Removes an item from the list of items, and its options from the lists of all other items.
    fn cover(&mut self, item: Index) {
        let Self { headers, nodes, options, updates } = self;
        let Header { left, right, .. } = headers[item as usize];
        headers[left as usize].right = right;
        headers[right as usize].left = left;
        let mut removed = 1;
        let mut at = nodes[item as usize].down;
        while at != item {
            let Node { down: next, option, .. } = nodes[at as usize];
            let all = options[option as usize].nodes.clone();
            removed += u64::from(all.end - all.start) - 1;
            for others in [all.start..at, at + 1..all.end] {
                for other in others {
                    let Node { up, down, item, .. } = nodes[other as usize];
                    nodes[up as usize].down = down;
                    nodes[down as usize].up = up;
                    headers[item as usize].options -= 1;
                }
            }
            at = next;
        }
        *updates += removed;
    }

    /// Takes back [`Links::cover`], step by step in the opposite order.
    fn uncover(&mut self, item: Index) {
        let Self { headers, nodes, options, .. } = self;
        let mut at = nodes[item as usize].up;
        while at != item {
            let Node { up: next, option, .. } = nodes[at as usize];
            let all = options[option as usize].nodes.clone();
            for others in [at + 1..all.end, all.start..at] {
                for other in others.rev() {
                    let Node { up, down, item, .. } = nodes[other as usize];
                    nodes[up as usize].down = other;
                    nodes[down as usize].up = other;
                    headers[item as usize].options += 1;
                }
            }
            at = next;
        }
        let Header { left, right, .. } = headers[item as usize];
        headers[left as usize].right = item;
        headers[right as usize].left = item;
    }
}
