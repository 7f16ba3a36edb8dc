//! Published numbers of solutions and sizes of search trees, each with its source. These numbers are used to judge results, never to
//! produce results.
//!
//! The tables are in the folder `known`: `solution_counts.csv` (OEIS A000170 and A002562, n = 1..27), `backtrack_profile.csv` (A319284
//! and the numbers of dead ends, n = 1..12), `cells_to_first.csv` (A140450, n = 1..33), and `variant_counts.csv` (other variants, with the number
//! of the OEIS sequence of each row). OEIS content is CC BY-SA 4.0.

use std::str::FromStr;
use std::sync::LazyLock;

use super::problem::{Problem, Variant};

/// Source of [`solutions`].
pub const SOLUTIONS_SOURCE: &str = "A000170";
/// Source of [`fundamental_solutions`].
pub const FUNDAMENTAL_SOURCE: &str = "A002562";
/// Source of the number of nodes of the row-by-row search, which is the sum of the levels of [`profile`].
pub const NODES_SOURCE: &str = "A319283";
/// Source of [`profile`].
pub const PROFILE_SOURCE: &str = "A319284";

/// Source of the number of cells that the row-by-row search tests up to its first solution, for n = 1..33.
pub const CELLS_TO_FIRST_SOURCE: &str = "A140450";

/// A level of the tree of the row-by-row search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublishedLevel {
    /// The number of legal placements of this many queens on the first rows.
    pub nodes: u64,
    /// The number of these placements that are not solutions and for which the next row has no legal cell.
    pub dead_ends: u64,
}

/// The number of solutions on an `n` by `n` board (A000170); `None` above 27.
pub fn solutions(n: usize) -> Option<u64> {
    // A000170 begins at n = 0, with the empty board; the table begins at n = 1.
    if n == 0 { Some(1) } else { COUNTS.get(n - 1).map(|&(solutions, _)| solutions) }
}

/// The number of solutions of a problem, and its source. `None` if no number is published, for example for problems with placed queens
/// or forbidden squares.
pub fn of_problem(problem: &Problem) -> Option<(u64, &'static str)> {
    if problem.is_restricted() { None } else { of_variant(problem.n().get(), problem.variant().name()) }
}

/// The number of solutions of the problem with this canonical text, and its source.
pub fn of_variant(n: usize, variant: &str) -> Option<(u64, &'static str)> {
    if variant == Variant::Queens.name() {
        return solutions(n).map(|count| (count, SOLUTIONS_SOURCE));
    }
    VARIANT_ROWS.iter().find(|row| (row.0, row.2) == (variant, n)).map(|row| (row.3, row.1))
}

/// Whether a board of this size has solutions. Only n = 2 and n = 3 have none (Pauls 1874).
pub fn has_solution(n: usize) -> bool {
    !matches!(n, 2 | 3)
}

/// The number of solutions up to symmetry (A002562), for 1 <= n <= 27.
pub fn fundamental_solutions(n: usize) -> Option<u64> {
    COUNTS.get(n.checked_sub(1)?).map(|&(_, fundamental)| fundamental)
}

/// Nodes and dead ends of each level 0..=n of the row-by-row search (A319284), 1 <= n <= 12.
pub fn profile(n: usize) -> Option<&'static [PublishedLevel]> {
    PROFILES.get(n.checked_sub(1)?).map(Vec::as_slice)
}

/// The OEIS sequences that [`term`] supports, each with the column of result files that has the same values.
pub fn sequences() -> impl Iterator<Item = (&'static str, &'static str)> {
    [(SOLUTIONS_SOURCE, "solutions"), (NODES_SOURCE, "nodes"), (CELLS_TO_FIRST_SOURCE, "cells_tested")]
        .into_iter()
}

/// A term of a sequence; `None` if it is not published.
pub fn term(sequence: &str, n: usize) -> Option<u64> {
    match sequence {
        SOLUTIONS_SOURCE => solutions(n),
        CELLS_TO_FIRST_SOURCE => {
            rows(include_str!("known/cells_to_first.csv")).nth(n.checked_sub(1)?).map(|row| number(row[1]))
        }
        NODES_SOURCE => profile(n).map(|levels| levels.iter().map(|level| level.nodes).sum()),
        _ => None,
    }
}

/// The rows of `variant_counts.csv`: variant, source, size and number of solutions.
static VARIANT_ROWS: LazyLock<Vec<(&str, &str, usize, u64)>> = LazyLock::new(|| {
    let table = rows(include_str!("known/variant_counts.csv"));
    table.map(|row| (row[0], row[1], number(row[2]), number(row[3]))).collect()
});

/// For n = 1, 2, ...: the number of solutions, and the number of fundamental solutions.
static COUNTS: LazyLock<Vec<(u64, u64)>> = LazyLock::new(|| {
    let table = rows(include_str!("known/solution_counts.csv"));
    table.map(|row| (number(row[1]), number(row[2]))).collect()
});

/// For n = 1, 2, ...: the levels of the search tree.
static PROFILES: LazyLock<Vec<Vec<PublishedLevel>>> = LazyLock::new(|| {
    let mut profiles: Vec<Vec<PublishedLevel>> = Vec::new();
    for row in rows(include_str!("known/backtrack_profile.csv")) {
        if row[1] == "0" {
            profiles.push(Vec::new());
        }
        let level = PublishedLevel { nodes: number(row[2]), dead_ends: number(row[3]) };
        profiles.last_mut().expect("a profile begins with its level 0").push(level);
    }
    profiles
});

fn rows(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    table.lines().skip(1).map(|line| line.split(',').collect())
}

fn number<T: FromStr>(field: &str) -> T {
    field.parse().ok().expect("the built-in tables hold numbers")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prefix::{Placements, Prefix};
    use crate::{BoardSize, Square};

    #[test]
    fn published_tables_have_the_documented_ranges() {
        assert_eq!([0, 1, 2, 3, 8].map(solutions), [1, 1, 0, 0, 92].map(Some));
        assert_eq!(solutions(27), Some(234_907_967_154_122_528));
        assert_eq!(solutions(28), None);
        assert_eq!([0, 1, 8].map(fundamental_solutions), [None, Some(1), Some(12)]);
        assert_eq!(profile(0), None);
        assert_eq!(profile(13), None);
        for n in 1..=12 {
            let profile = profile(n).expect("published");
            assert_eq!(profile.len(), n + 1);
            assert_eq!(Some(profile[n].nodes), solutions(n));
        }
        assert_eq!(profile(8).map(|p| p.iter().map(|l| l.nodes).sum()), Some(2057));
    }

    #[test]
    fn board_has_solutions_iff_published_count_is_positive() {
        for n in 0..=27 {
            assert_eq!(solutions(n).map(|count| count > 0), Some(has_solution(n)), "n = {n}");
        }
    }

    #[test]
    fn published_variant_counts_match_a_search() {
        let sources = ["A000170", "A051906", "A099152", "A051223", "A007631", "A000142"];
        for (variant, source) in Variant::NAMED.into_iter().zip(sources) {
            for n in 1..=5 {
                let problem = Problem::new(BoardSize::new(n).expect("small"), variant.clone());
                let problem = problem.expect("a problem");
                let solutions = Placements::new(&problem, 0..n, |_, _| true).count() as u64;
                assert_eq!(of_problem(&problem), Some((solutions, source)), "{problem}, n = {n}");
            }
        }
        let problem_with_queen = Problem::from_text(BoardSize::new(4).expect("small"), "queens;place=0:0");
        assert_eq!(of_problem(&problem_with_queen.expect("a problem")), None);
        assert_eq!(of_variant(8, "queens;place=0:0"), None);
    }

    /// The number of cells that the row-by-row search tests up to its first solution.
    fn cells_to_first(n: usize) -> u64 {
        let (mut columns, mut column, mut cells) = (Vec::new(), 0, 0);
        while columns.len() < n {
            if column == n {
                column = columns.pop().expect("a solution exists") + 1;
                continue;
            }
            let square = Square { row: columns.len(), column };
            let mut queens = columns.iter().enumerate().map(|(row, &column)| Square { row, column });
            cells += 1;
            if queens.any(|queen| queen.attacks(square)) {
                column += 1;
            } else {
                columns.push(column);
                column = 0;
            }
        }
        cells
    }

    #[test]
    fn published_terms_match_a_search() {
        let columns = [("A000170", "solutions"), ("A319283", "nodes"), ("A140450", "cells_tested")];
        assert!(sequences().eq(columns));
        for n in 4..=8 {
            let nodes: usize = (0..=n).map(|depth| Prefix::all(n, depth).len()).sum();
            assert_eq!(term("A000170", n), Some(Prefix::all(n, n).len() as u64));
            assert_eq!(term("A319283", n), Some(nodes as u64));
            assert_eq!(term("A140450", n), Some(cells_to_first(n)));
        }
        assert_eq!([("A000170", 28), ("A140450", 0), ("A000001", 1)].map(|(id, n)| term(id, n)), [None; 3]);
    }
}
