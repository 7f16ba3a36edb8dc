//! Mutants of the searchers that test the cells of a row one by one: `backtrack/column-scan`,
//! `backtrack/flag-arrays` and `backtrack/board-scan`.

use super::{Mutant, Names, edits, mutant};
use crate::backtrack::{Flow, Visitor};
use crate::board;

/// How a searcher tests cells, and what it remembers of its queens.
trait Board {
    fn is_safe(&self, queens: &[u16], column: usize) -> bool;

    fn put(&mut self, _row: usize, _column: usize) {}

    fn remove(&mut self, _row: usize, _column: usize) {}
}

fn search(board: &mut dyn Board, n: usize, queens: &mut Vec<u16>, visitor: &mut dyn Visitor) -> Flow {
    let row = queens.len();
    visitor.node(row)?;
    if row == n {
        return visitor.solution(queens);
    }
    let mut dead_end = true;
    for column in 0..n {
        if board.is_safe(queens, column) {
            dead_end = false;
            board.put(row, column);
            queens.push(board::column(column));
            visitor.enter(row, column);
            search(board, n, queens, visitor)?;
            queens.pop();
            board.remove(row, column);
        }
    }
    if dead_end {
        visitor.dead_end(row);
    }
    visitor.leave(row);
    Flow::Continue(())
}

pub fn all() -> Vec<Mutant> {
    let overflow = (
        "32-bit mask overflow",
        "squares are the bits of a 32-bit word, and the 33rd shares the first bit: right for n < 7",
    );
    let overflow = squares(overflow, |square| 1 << (square % 32));
    [scans(), flags(), vec![overflow]].concat()
}

#[cfg(test)]
pub fn unchanged() -> Vec<Mutant> {
    vec![
        scan(("column-scan, unchanged", "nothing"), SCAN),
        flag_arrays(("flag-arrays, unchanged", "nothing"), FLAGS),
        squares(("board-scan, unchanged", "nothing"), |square| 1 << square),
    ]
}

/// The lines of `backtrack/column-scan`: each queen is compared with every earlier one.
#[derive(Clone, Copy)]
struct Scan {
    /// Whether queens in two columns, `rows` rows apart, attack each other.
    attack: fn(n: usize, column: usize, other: usize, rows: usize) -> bool,
    /// Whether a queen can be placed in this column of the next row.
    is_safe: fn(&Scan, n: usize, queens: &[u16], column: usize) -> bool,
}

const SCAN: Scan = Scan {
    attack: |_, column, other, rows| column == other || column.abs_diff(other) == rows,
    is_safe: |lines, n, queens, column| (0..queens.len()).all(|row| lines.allows(n, queens, row, column)),
};

impl Scan {
    /// Whether a queen in this column of the next row is not attacked by the queen of an earlier row.
    fn allows(&self, n: usize, queens: &[u16], row: usize, column: usize) -> bool {
        !(self.attack)(n, column, queens[row].into(), queens.len() - row)
    }
}

fn scan(names: Names, lines: Scan) -> Mutant {
    struct Scanned(Scan, usize);

    impl Board for Scanned {
        fn is_safe(&self, queens: &[u16], column: usize) -> bool {
            (self.0.is_safe)(&self.0, self.1, queens, column)
        }
    }
    mutant("backtrack/column-scan", names, move |n, visitor| {
        search(&mut Scanned(lines, n), n, &mut Vec::new(), visitor)
    })
}

#[expect(clippy::needless_update, reason = "one mutant changes every line")]
fn scans() -> Vec<Mutant> {
    edits! { scan, Scan, SCAN;
        "falling diagonal not checked": "queens on the same falling diagonal are accepted" {
            attack: |_, column, other, rows| column == other || column + rows == other
        }
        "rising diagonal not checked": "queens on the same rising diagonal are accepted" {
            attack: |_, column, other, rows| column == other || other + rows == column
        }
        "column not checked": "queens in the same column are accepted" {
            attack: |_, column, other, rows| column.abs_diff(other) == rows
        }
        "far diagonal off by one": "diagonals are checked over n - 2 squares instead of n - 1" {
            attack: |n, column, other, rows| {
                column == other || column.abs_diff(other) == rows && rows + 1 < n
            }
        }
        "row above not compared": "a queen is compared with all earlier ones except the last" {
            is_safe: |lines, n, queens, column| {
                (1..queens.len()).all(|row| lines.allows(n, queens, row - 1, column))
            }
        }
        "first queen not compared": "the loop over the earlier queens starts at the second one" {
            is_safe: |lines, n, queens, column| {
                (1..queens.len()).all(|row| lines.allows(n, queens, row, column))
            }
        }
        "six rows back at most": "a queen is compared only with the six before it: right for n < 8" {
            attack: |_, column, other, rows| {
                rows <= 6 && (column == other || column.abs_diff(other) == rows)
            }
        }
        "diagonals tested on the whole board":
            "the search continues below placements with attacks: the right boards, from a larger tree" {
            is_safe: |_, n, queens, column| {
                !queens.contains(&board::column(column))
                    && is_whole(n, queens, column, |column, other, rows| column.abs_diff(other) == rows)
            }
        }
        "one diagonal tested on the whole board":
            "rising diagonals are tested only when all queens are placed" {
            attack: |_, column, other, rows| column == other || other + rows == column,
            is_safe: |lines, n, queens, column| {
                (SCAN.is_safe)(lines, n, queens, column)
                    && is_whole(n, queens, column, |column, other, rows| column + rows == other)
            }
        }
    }
}

/// Whether a board is incomplete or has no attack; used by the mutants that test late.
fn is_whole(n: usize, queens: &[u16], column: usize, attack: fn(usize, usize, usize) -> bool) -> bool {
    let board: Vec<usize> = queens.iter().map(|&queen| queen.into()).chain([column]).collect();
    let lets_be = |row: usize| (0..row).all(|above| !attack(board[row], board[above], row - above));
    board.len() < n || (0..n).all(lets_be)
}

/// The lines of `backtrack/flag-arrays`: three boolean arrays record the occupied lines.
#[derive(Clone, Copy)]
struct Flags {
    /// The rising diagonal of a square.
    rising: fn(row: usize, column: usize) -> usize,
    /// The falling diagonal of a square.
    falling: fn(n: usize, row: usize, column: usize) -> usize,
    /// Which flags are cleared when a queen is removed from a row: column, rising and falling diagonal.
    cleared: fn(n: usize, row: usize) -> [bool; 3],
}

const FLAGS: Flags = Flags {
    rising: |row, column| row + column,
    falling: |n, row, column| n + row - column,
    cleared: |_, _| [true; 3],
};

fn flag_arrays(names: Names, lines: Flags) -> Mutant {
    struct Arrays {
        lines: Flags,
        n: usize,
        /// Columns, rising and falling diagonals.
        occupied: [Vec<bool>; 3],
    }

    impl Arrays {
        fn indices(&self, row: usize, column: usize) -> [usize; 3] {
            [column, (self.lines.rising)(row, column), (self.lines.falling)(self.n, row, column)]
        }

        fn set(&mut self, row: usize, column: usize, which: [bool; 3], value: bool) {
            let indices = self.indices(row, column);
            for line in (0..3).filter(|&line| which[line]) {
                self.occupied[line][indices[line]] = value;
            }
        }
    }

    impl Board for Arrays {
        fn is_safe(&self, queens: &[u16], column: usize) -> bool {
            let indices = self.indices(queens.len(), column);
            self.occupied.iter().zip(indices).all(|(flags, index)| !flags[index])
        }

        fn put(&mut self, row: usize, column: usize) {
            self.set(row, column, [true; 3], true);
        }

        fn remove(&mut self, row: usize, column: usize) {
            self.set(row, column, (self.lines.cleared)(self.n, row), false);
        }
    }
    mutant("backtrack/flag-arrays", names, move |n, visitor| {
        let occupied = std::array::from_fn(|_| vec![false; 2 * n]);
        search(&mut Arrays { lines, n, occupied }, n, &mut Vec::new(), visitor)
    })
}

fn flags() -> Vec<Mutant> {
    edits! { flag_arrays, Flags, FLAGS;
        "queen not removed": "the flag of its column stays set when a queen is removed" {
            cleared: |_, _| [false, true, true]
        }
        "diagonal not cleared": "the flag of its falling diagonal stays set when a queen is removed" {
            cleared: |_, _| [true, true, false]
        }
        "last queen not removed":
            "the flag of its rising diagonal stays set when a queen is removed from the last row" {
            cleared: |n, row| [true, row + 1 < n, true]
        }
        "distance without its sign": "falling diagonals left and right of the main one share a flag" {
            falling: |_, row, column| row.abs_diff(column)
        }
        "diagonal modulo n": "a falling diagonal that leaves the board continues on the other side" {
            falling: |n, row, column| (n + row - column) % n
        }
        "array of eleven diagonals": "rising diagonals from the 11th on share a flag: right for n < 7" {
            rising: |row, column| (row + column).min(10)
        }
    }
}

/// A mutant of `backtrack/board-scan`: the squares with queens are the bits of a word. `bit` is the bit of a square
/// by its number.
fn squares(names: Names, bit: fn(square: usize) -> u128) -> Mutant {
    struct Squares {
        n: usize,
        queens: u128,
        bit: fn(usize) -> u128,
    }

    impl Squares {
        fn bit(&self, row: usize, column: usize) -> u128 {
            (self.bit)(row * self.n + column)
        }
    }

    impl Board for Squares {
        fn is_safe(&self, queens: &[u16], column: usize) -> bool {
            let row = queens.len();
            !(1..=row).any(|up| {
                let columns =
                    [Some(column), column.checked_sub(up), Some(column + up).filter(|&c| c < self.n)];
                columns.into_iter().flatten().any(|column| self.queens & self.bit(row - up, column) != 0)
            })
        }

        fn put(&mut self, row: usize, column: usize) {
            self.queens |= self.bit(row, column);
        }

        fn remove(&mut self, row: usize, column: usize) {
            self.queens &= !self.bit(row, column);
        }
    }
    mutant("backtrack/board-scan", names, move |n, visitor| {
        search(&mut Squares { n, queens: 0, bit }, n, &mut Vec::new(), visitor)
    })
}
