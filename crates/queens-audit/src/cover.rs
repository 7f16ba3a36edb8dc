//! The last step of an audit: the cubes cover the search space. This file uses the definitions of the problem and of
//! its symmetries, but no code that generates cubes.
//!
//! Each solution has one queen in each of the cube rows. If a symmetry maps every placement with some of these queens to an earlier
//! placement (`orbits.rs`), the solution is not the first solution of its orbit and need not be in a part. Therefore, the check
//! enumerates the legal placements on the cube rows that no symmetry maps to an earlier placement. Each of these placements must be
//! a listed cube. Then the first solution of each orbit contains a listed cube.
//! Cost: visits each legal placement on the cube rows.

use std::collections::HashSet;

use super::clauses::BoardRules;
use super::{CubeFault, orbits};
use queens_board::Square;
use queens_board::symmetry::Symmetry;

/// The maximum number of placements on the cube rows, including illegal placements.
const MAX_PLACEMENTS: usize = 1 << 20;

/// Checks that each placement that may be the first of its orbit contains one of these cubes. A cube has one column for each cube
/// row.
pub fn check(board: &BoardRules, cube_rows: &[usize], cubes: &[&[usize]]) -> Result<(), CubeFault> {
    let n = board.n();
    let mut rows = cube_rows.to_vec();
    rows.sort_unstable();
    rows.dedup();
    if rows.len() < cube_rows.len() || rows.last().is_some_and(|&row| row >= n) {
        return Err(CubeFault::Rows);
    }
    let placements = rows.iter().try_fold(1_usize, |placements, _| placements.checked_mul(n));
    if placements.is_none_or(|placements| placements > MAX_PLACEMENTS) {
        return Err(CubeFault::TooManyPlacements(MAX_PLACEMENTS));
    }
    let cube_set: HashSet<&[usize]> = cubes.iter().copied().collect();
    if cube_set.len() < cubes.len() {
        return Err(CubeFault::Repeated);
    }
    check_extensions(board, cube_rows, &mut Vec::new(), &cube_set)
}

/// Checks each placement that extends these queens on the cube rows and may be the first of its orbit.
fn check_extensions(
    board: &BoardRules,
    cube_rows: &[usize],
    queens: &mut Vec<Square>,
    cubes: &HashSet<&[usize]>,
) -> Result<(), CubeFault> {
    let Some(&row) = cube_rows.get(queens.len()) else {
        let columns: Vec<usize> = queens.iter().map(|queen| queen.column).collect();
        if cubes.contains(columns.as_slice()) {
            return Ok(());
        }
        return Err(CubeFault::Missing(queens.clone()));
    };
    for column in 0..board.n() {
        let cell = Square { row, column };
        queens.push(cell);
        if may_be_first(board, queens, cell) {
            check_extensions(board, cube_rows, queens, cubes)?;
        }
        queens.pop();
    }
    Ok(())
}

/// Whether the first solution of an orbit may contain these queens. `last_queen` is the last of them; the other queens have been
/// checked.
fn may_be_first(board: &BoardRules, queens: &[Square], last_queen: Square) -> bool {
    let (n, problem) = (board.n(), &board.problem);
    let mut other_queens = queens.iter().chain(problem.placed()).filter(|&&other| other != last_queen);
    let is_legal = problem.may_hold(last_queen)
        && !other_queens.any(|&other| problem.variant().attacks(n, other, last_queen));
    let is_mapped = |&symmetry: &Symmetry| orbits::is_mapped_to_earlier(n, symmetry, &board.order, queens);
    is_legal && !board.symmetries.iter().any(is_mapped)
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens_board::prefix::Prefix;
    use queens_board::problem::Problem;
    use queens_board::{BoardSize, squares};

    const ORDER: [usize; 1] = [2];
    const ROWS: [usize; 2] = [2, 3];

    fn board(n: usize) -> BoardRules {
        let problem = Problem::queens(BoardSize::new(n).expect("small"));
        BoardRules::new(problem, Symmetry::ALL.to_vec(), ORDER.to_vec(), 0)
    }

    fn check_cubes(cubes: &[Vec<usize>]) -> Result<(), CubeFault> {
        check(&board(6), &ROWS, &cubes.iter().map(Vec::as_slice).collect::<Vec<_>>())
    }

    /// The pairs of columns that may be part of the first solution of an orbit.
    fn necessary_cubes() -> Vec<Vec<usize>> {
        let mut cubes: Vec<Vec<usize>> = (0..36).map(|index| vec![index / 6, index % 6]).collect();
        let all_cubes = cubes.clone();
        for cube in &all_cubes {
            let remaining_cubes: Vec<Vec<usize>> =
                cubes.iter().filter(|other| *other != cube).cloned().collect();
            if check_cubes(&remaining_cubes).is_ok() {
                cubes = remaining_cubes;
            }
        }
        cubes
    }

    #[test]
    fn cubes_must_cover_first_solution_of_every_orbit() {
        let cubes = necessary_cubes();
        assert!((3..12).contains(&cubes.len()), "{cubes:?}");
        assert_eq!(check_cubes(&cubes), Ok(()));
        for (index, cube) in cubes.iter().enumerate() {
            let mut remaining_cubes = cubes.clone();
            remaining_cubes.remove(index);
            let missing = ROWS.iter().zip(cube).map(|(&row, &column)| Square { row, column }).collect();
            assert_eq!(check_cubes(&remaining_cubes), Err(CubeFault::Missing(missing)));
        }
        for solution in Prefix::all(6, 6) {
            let columns = solution.columns();
            let has_earlier = Symmetry::ALL.iter().any(|&symmetry| {
                let queens: Vec<Square> = squares(columns).collect();
                orbits::is_mapped_to_earlier(6, symmetry, &ORDER, &queens)
            });
            let cube = ROWS.map(|row| columns[row] as usize);
            assert!(has_earlier || cubes.contains(&cube.to_vec()), "{columns:?}");
        }
    }

    #[test]
    fn repeated_cubes_and_invalid_rows_are_refused() {
        let mut cubes = necessary_cubes();
        cubes.push(cubes[0].clone());
        assert_eq!(check_cubes(&cubes), Err(CubeFault::Repeated));
        for rows in [&[2, 2][..], &[6]] {
            assert_eq!(check(&board(6), rows, &[]), Err(CubeFault::Rows), "{rows:?}");
        }
        for (n, rows) in [(6, &[0, 1, 2, 3, 4, 5][..]), (16, &[0, 1, 2, 3, 4])] {
            let error = check(&board(n), rows, &[]).expect_err("no part");
            assert!(matches!(&error, CubeFault::Missing(queens) if queens.len() == rows.len()), "{error}");
        }
        let error = check(&board(16), &[0, 1, 2, 3, 4, 5], &[]);
        assert_eq!(error, Err(CubeFault::TooManyPlacements(1 << 20)));
    }
}
