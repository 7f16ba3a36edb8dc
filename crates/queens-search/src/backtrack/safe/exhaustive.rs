//! The naive algorithm: generates every choice of a column for each row, and tests each complete assignment.
//! There are n^n candidates. The algorithm has no nodes, because it never tests a partial placement.
//! Cost: n^n tests of up to n(n-1)/2 pairs of queens.

use crate::backtrack::searcher::{Flow, Info, Order, Searcher, Stat, Task, Visitor};
use queens_board::column;

pub struct Exhaustive;

impl Searcher for Exhaustive {
    fn info(&self) -> Info {
        Info {
            about: "all n^n choices of a column per row, tested when complete".into(),
            pattern_limit: Some(8),
            statistics: vec![Stat::Candidates],
            order: Order::ByRow,
            ..Info::named("backtrack/exhaustive")
        }
    }

    fn run<V: Visitor>(&self, task: &Task<'_>, visitor: &mut V) -> Flow {
        let mut queens = vec![0; task.n().get()];
        loop {
            visitor.count(Stat::Candidates, 1);
            visitor.step()?;
            if !some_queens_attack(&queens) {
                visitor.solution(&queens)?;
            }
            if !advance(&mut queens) {
                return Flow::Continue(());
            }
        }
    }
}

/// Advances to the next assignment like an odometer, with the last row changing fastest. Returns `false` after the last assignment.
fn advance(queens: &mut [u32]) -> bool {
    let n = column(queens.len());
    for column in queens.iter_mut().rev() {
        *column += 1;
        if *column < n {
            return true;
        }
        *column = 0;
    }
    false
}

fn some_queens_attack(queens: &[u32]) -> bool {
    (1..queens.len()).any(|row| {
        (0..row).any(|above| {
            let distance = queens[row].abs_diff(queens[above]);
            distance == 0 || distance as usize == row - above
        })
    })
}
