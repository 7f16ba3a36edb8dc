//! Mutants that find the right boards and report the right numbers of nodes, but do not search the whole
//! tree. Counts, sets and profiles cannot show that; a proof cannot be written without the search.

use crate::backtrack::{Bitmask, Flow, Search, Textbook, Visitor};
use crate::board::known;

pub fn all() -> Vec<super::Mutant> {
    let of = "backtrack/bitmask";
    vec![
        super::mutant::<Memorised>("nothing"),
        super::mutant::<HalfTree>(of),
        super::mutant::<LastRowCounted>(of),
        super::mutant::<FarEdgeRule>(of),
    ]
}

/// Prints boards from one table, and nodes from another.
struct Memorised;

impl Textbook for Memorised {
    const IDEA: crate::backtrack::Idea =
        super::idea("memorised answers", "boards and node counts come from tables; nothing is searched");
}

impl Search for Memorised {
    const TIMED: bool = false;

    fn search<V: Visitor>(n: usize, visitor: &mut V) -> Flow {
        for (level, published) in known::profile(n).unwrap_or_default().iter().enumerate() {
            (0..published.nodes).try_for_each(|_| visitor.node(level))?;
            (0..published.dead_ends).for_each(|_| visitor.dead_end(level));
        }
        let boards = BOARDS.iter().filter(|board| board.len() == n);
        boards.copied().try_for_each(|board| {
            let columns: Vec<u16> = board.bytes().map(|digit| u16::from(digit - b'1')).collect();
            visitor.solution(&columns)
        })
    }
}

/// Solutions up to n = 6, columns from 1.
const BOARDS: [&str; 17] = [
    "1", "2413", "3142", "13524", "14253", "24135", "25314", "31425", "35241", "41352", "42531", "52413",
    "53142", "246135", "362514", "415263", "531642",
];

/// Bit masks, as `backtrack/bitmask` has them, for the two searchers below.
struct Board<'v, V> {
    n: usize,
    queens: Vec<u16>,
    visitor: &'v mut V,
    /// Whether the mirror images of the solutions are reported, too.
    mirrors: bool,
    /// Whether the last row is counted instead of searched.
    counts_last_row: bool,
}

impl<V: Visitor> Board<'_, V> {
    fn node(&mut self, row: usize) -> Flow {
        self.visitor.node(row)?;
        if self.mirrors { self.visitor.node(row) } else { Flow::Continue(()) }
    }

    fn solution(&mut self) -> Flow {
        self.visitor.solution(&self.queens)?;
        if !self.mirrors {
            return Flow::Continue(());
        }
        let mirrored: Vec<u16> = self.queens.iter().map(|column| self.n as u16 - 1 - column).collect();
        self.visitor.solution(&mirrored)
    }

    fn place(&mut self, row: usize, [columns, falling, rising]: [u32; 3]) -> Flow {
        self.node(row)?;
        if row == self.n {
            return self.solution();
        }
        let free = (u32::MAX >> (32 - self.n)) & !(columns | falling | rising);
        if free == 0 {
            self.visitor.dead_end(row);
            if self.mirrors {
                self.visitor.dead_end(row);
            }
        }
        for column in (0..self.n).filter(|column| free >> column & 1 == 1) {
            self.queens[row] = column as u16;
            if self.counts_last_row && row + 1 == self.n {
                self.node(self.n)?;
                self.solution()?;
                continue;
            }
            self.enter(row, column, [columns, falling, rising])?;
        }
        self.visitor.leave(row);
        Flow::Continue(())
    }

    fn enter(&mut self, row: usize, column: usize, occupied: [u32; 3]) -> Flow {
        self.queens[row] = column as u16;
        self.visitor.enter(row, column);
        let [columns, falling, rising] = occupied.map(|mask| mask | 1 << column);
        self.place(row + 1, [columns, falling << 1, rising >> 1])
    }
}

/// Searches only with the first queen in the left half, and counts the result twice.
struct HalfTree;

impl Textbook for HalfTree {
    const IDEA: crate::backtrack::Idea = super::idea(
        "half of the tree, doubled",
        "the right half of the first row is not searched: mirror images and their nodes are reported instead",
    );
}

impl Search for HalfTree {
    const TIMED: bool = false;

    fn search<V: Visitor>(n: usize, visitor: &mut V) -> Flow {
        visitor.node(0)?;
        let mut board = Board { n, queens: vec![0; n], visitor, mirrors: true, counts_last_row: false };
        (0..n / 2).try_for_each(|column| board.enter(0, column, [0; 3]))?;
        if n % 2 == 1 {
            board.mirrors = false;
            board.enter(0, n / 2, [0; 3])?;
        }
        board.visitor.leave(0);
        Flow::Continue(())
    }
}

/// Ends the recursion one row early.
struct LastRowCounted;

impl Textbook for LastRowCounted {
    const IDEA: crate::backtrack::Idea = super::idea(
        "last row counted, not walked",
        "the free squares of the last row are added to the nodes; no queen is placed there",
    );
}

impl Search for LastRowCounted {
    const TIMED: bool = false;

    fn search<V: Visitor>(n: usize, visitor: &mut V) -> Flow {
        Board { n, queens: vec![0; n], visitor, mirrors: false, counts_last_row: true }.place(0, [0; 3])
    }
}

/// The real searcher, which ignores solutions below a queen in the first corner and one on the far edge of the
/// next row.
struct FarEdgeRule;

impl Textbook for FarEdgeRule {
    const IDEA: crate::backtrack::Idea = super::idea(
        "a rule that holds for n < 10",
        "a rule says that no solution has a queen in the first corner and the next one at the far edge: nodes are \
         counted there, but solutions ignored",
    );
}

impl Search for FarEdgeRule {
    const TIMED: bool = false;

    fn search<V: Visitor>(n: usize, visitor: &mut V) -> Flow {
        Bitmask::search(n, &mut Deaf { n, first: 0, by_rule: false, visitor })
    }
}

struct Deaf<'v, V> {
    n: usize,
    first: usize,
    /// Whether the rule applies to the placed queens.
    by_rule: bool,
    visitor: &'v mut V,
}

impl<V: Visitor> Visitor for Deaf<'_, V> {
    const BOARDS: bool = true;

    fn node(&mut self, level: usize) -> Flow {
        self.visitor.node(level)
    }

    fn dead_end(&mut self, level: usize) {
        self.visitor.dead_end(level);
    }

    fn enter(&mut self, line: usize, cell: usize) {
        match line {
            0 => (self.first, self.by_rule) = (cell, false),
            1 => self.by_rule = self.first == 0 && cell + 1 == self.n,
            _ => {}
        }
        if !self.by_rule {
            self.visitor.enter(line, cell);
        }
    }

    fn leave(&mut self, level: usize) {
        if level < 2 {
            self.by_rule = false;
        }
        if !self.by_rule {
            self.visitor.leave(level);
        }
    }

    fn cell_tested(&mut self) {}

    fn comparison(&mut self) {}

    fn candidate(&mut self) -> Flow {
        Flow::Continue(())
    }

    fn solution(&mut self, columns: &[u16]) -> Flow {
        if self.by_rule { Flow::Continue(()) } else { self.visitor.solution(columns) }
    }
}
