//! Generates every permutation of the columns, and tests each complete permutation. No two queens share a row or a column, so only the
//! diagonals are tested. There are n! candidates. The algorithm has no nodes, because it never tests a partial placement.
//! Cost: n! tests of up to n(n-1)/2 pairs of queens. Source of the next permutation: Narayana Pandita, 14th century.

use crate::backtrack::searcher::{Flow, Info, Order, Searcher, Stat, Task, Visitor};
use queens_board::column;

pub struct Permutations;

impl Searcher for Permutations {
    fn info(&self) -> Info {
        Info {
            about: "all n! permutations of the columns, tested when complete".into(),
            pattern_limit: Some(10),
            statistics: vec![Stat::Candidates],
            order: Order::ByRow,
            ..Info::named("backtrack/permutations")
        }
    }

    fn run<V: Visitor>(&self, task: &Task<'_>, visitor: &mut V) -> Flow {
        let mut queens: Vec<u32> = (0..column(task.n().get())).collect();
        loop {
            visitor.count(Stat::Candidates, 1);
            visitor.step()?;
            if !some_queens_share_a_diagonal(&queens) {
                visitor.solution(&queens)?;
            }
            if !next_permutation(&mut queens) {
                return Flow::Continue(());
            }
        }
    }
}

/// Advances to the lexicographically next permutation. Returns `false` after the last permutation.
fn next_permutation(queens: &mut [u32]) -> bool {
    let Some(ascent) = queens.windows(2).rposition(|pair| pair[0] < pair[1]) else { return false };
    let Some(larger) = queens.iter().rposition(|&column| column > queens[ascent]) else { return false };
    queens.swap(ascent, larger);
    queens[ascent + 1..].reverse();
    true
}

fn some_queens_share_a_diagonal(queens: &[u32]) -> bool {
    (1..queens.len())
        .any(|row| (0..row).any(|above| queens[row].abs_diff(queens[above]) as usize == row - above))
}
