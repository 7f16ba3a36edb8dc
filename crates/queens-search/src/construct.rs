//! Constructs one solution of a board by a formula, in linear time. Source: Pauls, "Das Maximalproblem der Damen auf dem
//! Schachbrete", Deutsche Schachzeitung 29, 1874.
//!
//! For even n with n mod 6 other than 2, consecutive queens of each half are a knight's move apart; the first queen of the upper
//! half is in the second column, and that of the lower half in the first column. For n mod 6 = 2, the first queen of the upper half
//! is near the middle, and the lower half is the upper half rotated by 180 degrees. Both constructions leave the diagonal from the
//! top left to the bottom right corner empty. For odd n, the solution for n - 1 is extended by a row and a column with a queen in
//! their common corner. There is no solution for n = 2 and 3.

use queens_board::{BoardSize, column};
use queens_solver::{Goal, Info, Outcome, Sink, SolveError, Solver, Task};

/// Every solver of this family.
pub fn solvers() -> Vec<Box<dyn Solver>> {
    vec![Box::new(Pauls)]
}

struct Pauls;

impl Solver for Pauls {
    fn info(&self) -> Info {
        Info {
            about: "a solution of any board by a formula (Pauls 1874)".to_owned(),
            goals: vec![Goal::First],
            sizes: 0..=BoardSize::LARGEST,
            ..Info::named("construct/pauls")
        }
    }

    fn search(&self, task: &Task<'_>, sink: &mut dyn Sink) -> Result<Outcome, SolveError> {
        let Some(columns) = solution(task.n().get()) else { return Ok(Outcome::default()) };
        let _ = sink.solution(&columns);
        Ok(Outcome { solutions: 1, ..Outcome::default() })
    }
}

/// The column of each row; `None` for n = 2 and 3.
fn solution(n: usize) -> Option<Vec<u32>> {
    if n == 2 || n == 3 {
        return None;
    }
    let even_size = n & !1;
    let half = even_size / 2;
    let mut columns = vec![0; n];
    for row in 0..half {
        let lower_row = even_size - 1 - row;
        let (upper_column, lower_column) = match even_size % 6 {
            2 => {
                let column = (2 * row + half - 1) % even_size;
                (column, even_size - 1 - column)
            }
            _ => (2 * row + 1, even_size - 2 - 2 * row),
        };
        (columns[row], columns[lower_row]) = (column(upper_column), column(lower_column));
    }
    if n > even_size {
        columns[even_size] = column(even_size);
    }
    Some(columns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens_board::is_solution;
    use queens_solver::sink::First;

    #[test]
    fn solver_passes_the_constructed_board_to_the_sink() {
        for n in 0..=8 {
            let task = Task::new(BoardSize::new(n).expect("small"), Goal::First);
            let mut first_solution = First::default();
            let outcome = Pauls.solve(&task, &mut first_solution).expect("within its sizes");
            assert_eq!(first_solution.0.map(|board| board.columns().to_vec()), solution(n), "n = {n}");
            assert_eq!(outcome.solutions, u64::from(n != 2 && n != 3), "n = {n}");
            assert_eq!(outcome.stopped, None);
        }
    }

    #[test]
    fn formula_solves_every_board_except_2_and_3() {
        for n in 0..=300 {
            let columns = solution(n);
            assert_eq!(columns.is_some(), n != 2 && n != 3, "n = {n}");
            assert!(columns.is_none_or(|columns| columns.len() == n && is_solution(&columns)), "n = {n}");
        }
    }
}
