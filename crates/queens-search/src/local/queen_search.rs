//! Queen search: the columns of the queens are a permutation, so that queens conflict on diagonals only. A move exchanges the
//! columns of two queens. The greedy start makes 3n tries to place a queen on a square that no earlier queen attacks; the few
//! queens that remain get random columns. Each of these queens is then exchanged with random queens, until neither queen of the
//! exchange is attacked.
//! Cost: O(n) time in measurements; memory for six integers per row.
//! Source: Sosič & Gu, "3,000,000 queens in less than one minute", 1991; "Efficient local search with conflict
//! minimization", 1994.

use super::{Attacks, Effort, LocalSearch, Start};
use queens_board as board;
use queens_solver::{Stop, Task};

pub(super) const QUEEN_SEARCH: LocalSearch = LocalSearch {
    id: "local/queen-search",
    about: "exchanges the columns of attacked queens, in linear time (Sosič & Gu 1991)",
    about_start: "the first permutation: greedy puts most queens on unattacked squares in 3n tries, random shuffles all columns",
    solve,
};

fn solve(task: &Task<'_>, start: Start, effort: &mut Effort<'_>) -> Result<Vec<u32>, Stop> {
    let n = task.n().get();
    let random = fastrand::Rng::with_seed(task.seed);
    QueenSearch { queens: Vec::new(), attacks: Attacks::empty(n), random }.solve(n, start, effort)
}

struct QueenSearch {
    queens: Vec<u32>,
    attacks: Attacks,
    random: fastrand::Rng,
}

impl QueenSearch {
    fn solve(mut self, n: usize, start: Start, effort: &mut Effort<'_>) -> Result<Vec<u32>, Stop> {
        loop {
            let filled_rows = self.start(n, start, effort)?;
            effort.record_start(&self.attacks);
            if self.exchange(filled_rows, effort)? {
                return Ok(self.queens);
            }
            effort.restarts += 1;
        }
    }

    /// Creates a permutation. Returns the number of rows from the top that the greedy start has filled: their queens do not attack
    /// each other. Returns 0 for a random start.
    fn start(&mut self, n: usize, start: Start, effort: &mut Effort<'_>) -> Result<usize, Stop> {
        self.queens = (0..n).map(board::column).collect();
        self.attacks = Attacks::empty(n);
        let mut filled_rows = 0;
        let tries = if start == Start::Greedy { 3 * n } else { 0 };
        for _ in 0..tries {
            effort.step().map_or(Ok(()), Err)?;
            if filled_rows == n {
                break;
            }
            self.queens.swap(filled_rows, self.random.usize(filled_rows..n));
            let column = self.queens[filled_rows] as usize;
            if self.attacks.queens_on_lines(filled_rows, column) == 0 {
                self.attacks.put(filled_rows, column);
                filled_rows += 1;
            }
        }
        self.random.shuffle(&mut self.queens[filled_rows..]);
        (filled_rows..n).for_each(|row| self.attacks.put(row, self.queens[row] as usize));
        Ok(filled_rows)
    }

    /// Repairs each attacked queen from row `first_row` on by exchanges. Returns `false` if a queen remains attacked.
    fn exchange(&mut self, first_row: usize, effort: &mut Effort<'_>) -> Result<bool, Stop> {
        const MAX_TRIES: usize = 7000;
        let n = self.queens.len();
        for row in first_row..n {
            let mut tries = 0;
            while self.is_attacked(row) {
                effort.step().map_or(Ok(()), Err)?;
                let random_row = self.random.usize(..n);
                self.swap(row, random_row);
                if self.is_attacked(row) || self.is_attacked(random_row) {
                    self.swap(row, random_row);
                } else {
                    effort.repairs += 1;
                }
                tries += 1;
                if tries == MAX_TRIES {
                    return Ok(false);
                }
            }
        }
        Ok((0..n).all(|row| !self.is_attacked(row)))
    }

    fn is_attacked(&self, row: usize) -> bool {
        self.attacks.is_attacked(row, self.queens[row] as usize)
    }

    fn swap(&mut self, a: usize, b: usize) {
        if a == b {
            return;
        }
        for row in [a, b] {
            self.attacks.remove(row, self.queens[row] as usize);
        }
        self.queens.swap(a, b);
        for row in [a, b] {
            self.attacks.put(row, self.queens[row] as usize);
        }
    }
}
