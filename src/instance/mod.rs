//! Instances: problems in files. Reads region puzzles, instances of CSPLib, and queenlab's own TOML format, which can express
//! every problem. [`excluded_diagonals`] and [`completion`] generate random problems. The same arguments and seed give the same
//! problem on every machine.
//!
//! | format | example |
//! |---|---|
//! | region puzzle | one row per line, one letter per region: `AAB` |
//! | excluded diagonals, CSPLib prob079 | `n = 10`, `diags = [[4, 1], [2, 0]]`: number and type, 1 for row + column, 0 for row - column + n - 1 |
//! | completion, CSPLib prob079 | `letting n = 8`, `letting init = [[0, 3]]`: row and column of each placed queen, counted from 0 |
//! | blocked squares, CSPLib prob080 | `letting n = 8`, `letting blocks = [[1, 4]]`: row and column of each blocked square, counted from 1 |
//! | TOML of queenlab | the keys `n`, `variant`, `regions`, `place`, `forbid`, `exclude_diagonals` |

mod error;
mod file;
mod select;
#[cfg(test)]
mod tests;

use fastrand::Rng;

use crate::board::problem::{Diagonal, Problem, Regions, Variant};
use crate::board::{BoardSize, ProblemError, Square, column, lines};
pub use error::{InstanceError, InstanceFault};
pub use file::to_toml;
pub use select::{Instance, SelectError, select};

/// Reads an instance in any of the formats, in UTF-8.
///
/// # Errors
///
/// The text has none of the formats, or the rules do not define a valid problem.
pub fn read(text: impl AsRef<[u8]>) -> Result<Problem, InstanceError> {
    let text = &*plaintext::utf8(text.as_ref())?;
    if text.contains('=') || text.contains(" be ") {
        return file::read(text);
    }
    // Blank lines before or after a puzzle are not rows.
    let blank_lines = text.lines().take_while(|line| line.trim().is_empty()).count();
    let rows: Vec<&str> = text.trim().lines().map(str::trim).collect();
    if rows.is_empty() {
        return Err(InstanceFault::Empty.into());
    }
    Ok(puzzle(&rows, blank_lines + 1)?)
}

fn puzzle(rows: &[&str], first_line: usize) -> Result<Problem, ProblemError> {
    let regions = Regions::from_rows(rows.iter().copied(), first_line)?;
    Problem::new(BoardSize::new(regions.size())?, Variant::Regions(regions))
}

/// The number of random placements that [`completion`] tries.
const MAX_PLACEMENTS: usize = 1000;

/// Excludes `count` random diagonals of the plain board, as in CSPLib prob079. Each row and column keeps at least `minimum`
/// squares that may hold a queen. `None` if this many diagonals could not be excluded.
pub fn excluded_diagonals(n: BoardSize, count: usize, minimum: usize, seed: u64) -> Option<Problem> {
    let mut random = Rng::with_seed(seed);
    let size = column(n.get());
    let mut directions = [
        (0..(2 * size).saturating_sub(1)).map(Diagonal::Sum).collect::<Vec<_>>(),
        (1 - size.cast_signed()..size.cast_signed()).map(Diagonal::Difference).collect(),
    ];
    directions.iter_mut().for_each(|diagonals| random.shuffle(diagonals));
    let mut problem = Problem::queens(n);
    let mut number_of_excluded = 0;
    while number_of_excluded < count {
        let direction = random.usize(..2);
        let diagonal = directions[direction].pop().or_else(|| directions[1 - direction].pop())?;
        let candidate = problem.clone().exclude([diagonal]).ok()?;
        if has_enough_squares(&candidate, minimum) {
            problem = candidate;
            number_of_excluded += 1;
        }
    }
    Some(problem)
}

/// Places `count` random queens that do not attack each other. The problem may have no solution. `None` if `MAX_PLACEMENTS` random
/// placements all ended with fewer queens.
pub fn completion(n: BoardSize, count: usize, seed: u64) -> Option<Problem> {
    let mut random = Rng::with_seed(seed);
    let all_squares: Vec<Square> = lines::rows(n.get()).flatten().collect();
    (0..MAX_PLACEMENTS).find_map(|_| {
        let mut squares = all_squares.clone();
        random.shuffle(&mut squares);
        let mut queens: Vec<Square> = Vec::new();
        for square in squares {
            if queens.len() < count && !queens.iter().any(|queen| queen.attacks(square)) {
                queens.push(square);
            }
        }
        (queens.len() == count).then(|| Problem::queens(n).place(queens).ok())?
    })
}

fn has_enough_squares(problem: &Problem, minimum: usize) -> bool {
    let n = problem.n().get();
    let has_enough =
        |line: Vec<Square>| line.into_iter().filter(|&square| problem.may_hold(square)).count() >= minimum;
    lines::rows(n).chain(lines::columns(n)).all(has_enough)
}
