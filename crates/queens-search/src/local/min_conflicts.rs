//! Min-conflicts: in each step, a random attacked queen moves to the square of its row with the fewest attackers; ties are broken
//! at random. The greedy start places the queens row by row, each on a square with the fewest attackers so far.
//! If a maximum number of moves does not lead to a solution, the search restarts.
//! Cost: O(n) time per move. The greedy start tries the squares in a few unused columns for each queen. If all of them are attacked,
//! which is rare, the start takes O(n) time for this queen.
//! Source: Minton, Johnston, Philips & Laird, "Minimizing conflicts", 1992.

use super::{Attacks, Effort, LocalSearch, Start, UnusedColumns};
use queens_board as board;
use queens_solver::{Stop, Task};

pub(super) const MIN_CONFLICTS: LocalSearch = LocalSearch {
    id: "local/min-conflicts",
    about: "moves attacked queens to the squares with the fewest attackers (Minton et al. 1992)",
    about_start: "the first board: row by row with as few attacks as possible, or a random column in each row",
    solve,
};

fn solve(task: &Task<'_>, start: Start, effort: &mut Effort<'_>) -> Result<Vec<u32>, Stop> {
    let random = fastrand::Rng::with_seed(task.seed);
    MinConflicts::empty(task.n().get(), random).solve(start, effort)
}

struct MinConflicts {
    queens: Vec<u32>,
    attacks: Attacks,
    random: fastrand::Rng,
    unused_columns: UnusedColumns,
    /// A buffer of `least_attacked`: the columns of a row whose squares have the fewest attackers.
    best_columns: Vec<u32>,
}

impl MinConflicts {
    fn empty(n: usize, random: fastrand::Rng) -> Self {
        Self {
            queens: vec![0; n],
            attacks: Attacks::empty(n),
            random,
            unused_columns: UnusedColumns::of_empty_board(n),
            best_columns: Vec::new(),
        }
    }

    fn solve(mut self, start: Start, effort: &mut Effort<'_>) -> Result<Vec<u32>, Stop> {
        let n = self.queens.len();
        loop {
            (self.attacks, self.unused_columns) = (Attacks::empty(n), UnusedColumns::of_empty_board(n));
            for row in 0..n {
                effort.step().map_or(Ok(()), Err)?;
                let column = match start {
                    Start::Greedy => self.least_attacked(row),
                    Start::Random => self.random.usize(..n),
                };
                self.put(row, column);
            }
            effort.record_start(&self.attacks);
            // Searches that succeed need far fewer than 20n + 100 moves.
            for _ in 0..20 * n + 100 {
                effort.step().map_or(Ok(()), Err)?;
                let Some(row) = self.attacked_queen() else { return Ok(self.queens) };
                let old_column = self.take(row);
                let new_column = self.least_attacked(row);
                self.put(row, new_column);
                effort.repairs += u64::from(new_column != old_column);
            }
            effort.restarts += 1;
        }
    }

    fn put(&mut self, row: usize, column: usize) {
        self.queens[row] = board::column(column);
        self.attacks.put(row, column);
        if self.attacks.columns[column] == 1 {
            self.unused_columns.remove(column);
        }
    }

    /// Removes the queen of a row and returns its column.
    fn take(&mut self, row: usize) -> usize {
        let column = self.queens[row] as usize;
        self.attacks.remove(row, column);
        if self.attacks.columns[column] == 0 {
            self.unused_columns.add(column);
        }
        column
    }

    /// A random row whose queen is attacked; `None` if no queen is attacked.
    fn attacked_queen(&mut self) -> Option<usize> {
        const MAX_TRIES: usize = 32;
        let n = self.queens.len();
        let is_attacked = |row: &usize| self.attacks.is_attacked(*row, self.queens[*row] as usize);
        let tried_rows: Vec<usize> = (0..MAX_TRIES).map(|_| self.random.usize(..n)).collect();
        tried_rows.into_iter().find(is_attacked).or_else(|| {
            let attacked_rows: Vec<usize> = (0..n).filter(is_attacked).collect();
            self.random.choice(attacked_rows)
        })
    }

    /// The column of a square with the fewest attackers in a row; ties are broken at random.
    fn least_attacked(&mut self, row: usize) -> usize {
        const MAX_TRIES: usize = 32;
        let unused_columns = &self.unused_columns.columns;
        // At least one column is unused, because the row has no queen.
        for _ in 0..MAX_TRIES {
            let column = unused_columns[self.random.usize(..unused_columns.len())];
            if self.attacks.queens_on_lines(row, column as usize) == 0 {
                return column as usize;
            }
        }
        // A square in a column with a queen is attacked, so only unused columns may have a square without attackers.
        self.best_columns.clear();
        self.best_columns.extend(
            unused_columns.iter().filter(|&&column| self.attacks.queens_on_lines(row, column as usize) == 0),
        );
        if self.best_columns.is_empty() {
            let attackers = |column: usize| self.attacks.queens_on_lines(row, column);
            let n = self.queens.len();
            let min_attackers = (0..n).map(attackers).min().unwrap_or(0);
            self.best_columns
                .extend((0..n).filter(|&column| attackers(column) == min_attackers).map(board::column));
        }
        self.best_columns[self.random.usize(..self.best_columns.len())] as usize
    }
}
