//! Checks of symmetry, which the proofs do not contain: which clauses may break symmetry, and how many solutions the orbits of
//! the denied solutions contain. This file uses the definitions of the symmetries and of the problem, but no code that breaks
//! symmetry.
//!
//! Placements are ordered lexicographically by the columns of some rows. A clause may deny a set of queens if a
//! symmetry of the problem maps every placement with these queens to an earlier placement. Then the first solution of each
//! orbit does not contain all of these queens and satisfies the clause, so the formula excludes no orbit completely.

use sha2::{Digest, Sha256};

use super::hexadecimal;
use queens_board::problem::Problem;
use queens_board::symmetry::Symmetry;
use queens_board::{Placement, Square};

/// Whether a symmetry maps every placement with these queens to an earlier placement, in the lexicographic order of these rows.
pub fn is_mapped_to_earlier(n: usize, symmetry: Symmetry, rows: &[usize], queens: &[Square]) -> bool {
    for &row in rows {
        let queen = queens.iter().find(|queen| queen.row == row);
        let image = queens.iter().map(|&queen| symmetry.square(n, queen)).find(|image| image.row == row);
        match (queen, image) {
            (Some(queen), Some(image)) if image.column == queen.column => {}
            (Some(queen), Some(image)) => return image.column < queen.column,
            _ => return false,
        }
    }
    false
}

/// Expands solutions by symmetries. Returns the number of distinct images and their SHA-256 digest. If the images are all solutions of
/// the problem, the digest is that of the output of `queenlab solve N --all --notation columns`.
/// Memory: the images with the same column in the top row.
///
/// # Errors
///
/// An image that is not a solution.
pub fn count_images<'a>(
    problem: &Problem,
    symmetries: &[Symmetry],
    solutions: impl Iterator<Item = &'a [u32]> + Clone,
) -> Result<(u64, String), Placement> {
    let n = problem.n().get();
    let (mut count, mut digest) = (0, Sha256::new());
    let mut image = vec![0; n];
    let mut images: Vec<Placement> = Vec::new();
    for first in 0..n.max(1) {
        images.clear();
        for solution in solutions.clone() {
            for symmetry in symmetries {
                symmetry.map(solution, &mut image);
                if image.first().is_none_or(|&column| column as usize == first) {
                    images.push(Placement::new(&image));
                }
            }
        }
        images.sort_unstable();
        images.dedup();
        for image in &images {
            if !problem.is_solution(image.columns()) {
                return Err(image.clone());
            }
            digest.update(image.to_string());
            digest.update("\n");
        }
        count += images.len() as u64;
    }
    Ok((count, hexadecimal(&digest.finalize())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens_board::prefix::Prefix;
    use queens_board::published;
    use queens_board::symmetry::canonical;
    use queens_board::{BoardSize, squares};

    /// Compares the result for every set of at most two queens with all solutions that contain these queens.
    #[test]
    fn accepted_clause_never_denies_first_solution_of_orbit() {
        let n = 5;
        let all_squares = (0..n * n).map(|index| Square { row: index / n, column: index % n });
        let all_squares: Vec<Square> = all_squares.collect();
        let sort_key = |columns: &[u32]| [columns[1], columns[2]];
        let mut accepted_count = 0;
        for (index, &a) in all_squares.iter().enumerate() {
            for queens in all_squares[..=index].iter().map(|&b| [a, b]) {
                let is_accepted = Symmetry::ALL.iter().any(|&s| is_mapped_to_earlier(n, s, &[1, 2], &queens));
                accepted_count += usize::from(is_accepted);
                let solutions = Prefix::all(n, n).into_iter().map(|prefix| prefix.columns().to_vec());
                for columns in
                    solutions.filter(|columns| queens.iter().all(|q| squares(columns).any(|s| s == *q)))
                {
                    let mut image = vec![0; n];
                    let has_earlier = Symmetry::ALL.iter().any(|symmetry| {
                        symmetry.map(&columns, &mut image);
                        sort_key(&image) < sort_key(&columns)
                    });
                    assert!(has_earlier || !is_accepted, "{queens:?} {columns:?}");
                }
            }
        }
        assert!(accepted_count > 20, "{accepted_count} pairs");
    }

    #[test]
    fn image_that_violates_the_problem_is_an_error() {
        let size = BoardSize::new(4).expect("small");
        let problem = Problem::from_text(size, "queens;place=0:1").expect("a problem");
        let solution: [&[u32]; 1] = [&[1, 3, 0, 2]];
        let image = count_images(&problem, &Symmetry::ALL, solution.into_iter()).expect_err("a mirror image");
        assert_eq!(image.columns(), [2, 0, 3, 1]);
    }

    #[test]
    fn one_solution_per_orbit_expands_to_all_solutions() {
        for n in 0..=8 {
            let problem = Problem::queens(BoardSize::new(n).expect("small"));
            let all_solutions: Vec<Vec<u32>> =
                Prefix::all(n, n).iter().map(|p| p.columns().to_vec()).collect();
            let expected =
                count_images(&problem, &Symmetry::ALL[..1], all_solutions.iter().map(Vec::as_slice))
                    .expect("legal");
            let mut representatives: Vec<Vec<u32>> =
                all_solutions.iter().map(|columns| canonical(columns)).collect();
            representatives.sort();
            representatives.dedup();
            let actual = count_images(&problem, &Symmetry::ALL, representatives.iter().map(Vec::as_slice))
                .expect("legal");
            assert_eq!(actual, expected);
            assert_eq!(actual.0, published::solutions(n).expect("published"), "n = {n}");
        }
    }
}
