//! All-different by matching: the columns of the queens differ, and so do their rising and falling diagonals. Of each of
//! these three conditions, a square is kept only if it is part of a matching of all rows to different lines; besides, the
//! squares are kept arc-consistent as by `backtrack/mac`.
//! Source: Régin, "A filtering algorithm for constraints of difference in CSPs", 1994.

use super::domains::Masks;
use super::look_ahead::{self, Filter, Limit};
use super::mac::make_consistent;
use super::matching::all_different;
use super::orders::{Failure, Orders, ROWS, VALUES};
use super::{Flow, Info, Order, Searcher, Stat, Task, Visitor};

pub struct Gac;

impl Searcher for Gac {
    fn info(&self) -> Info {
        Info {
            about: "mac, and all-different by matching for columns and diagonals (Régin 1994)".into(),
            sizes: 0..=Masks::MAX,
            sizes_reason: "a mask holds 32 columns",
            statistics: vec![Stat::Nodes, Stat::Failures, Stat::MaxDepth],
            order: Order::ByRow,
            options: vec![ROWS, VALUES],
            ..Info::named("backtrack/gac")
        }
    }

    fn run<V: Visitor>(&self, task: &Task<'_>, visitor: &mut V) -> Flow {
        let mut orders = Orders::of(task, &ROWS, &VALUES);
        // The columns, the rising and the falling diagonals differ.
        orders.shared = 3;
        look_ahead::search_in::<Masks, Self, V>(task, orders, &mut std::iter::once(Limit::NONE), visitor)
    }
}

impl Filter<Masks> for Gac {
    /// Removes squares until nothing changes, or a condition cannot be met.
    fn filter(domains: &mut Masks, orders: &Orders) -> Result<(), Failure> {
        loop {
            make_consistent(domains, orders)?;
            let before = domains.rows().to_vec();
            let n = before.len();
            for line in [|_, _| 0, |row, _| row, |row, n| n - 1 - row] as [fn(usize, usize) -> usize; 3] {
                let lines = domains.rows().iter().enumerate();
                let mut lines: Vec<u64> = lines.map(|(row, &left)| u64::from(left) << line(row, n)).collect();
                if !all_different(&mut lines) {
                    return Err(Failure::AllDifferent);
                }
                let kept = lines.iter().enumerate().map(|(row, lines)| columns(lines >> line(row, n)));
                domains.rows().iter_mut().zip(kept).for_each(|(row, kept)| *row = kept);
            }
            if *domains.rows() == before {
                return Ok(());
            }
        }
    }
}

/// The lines of the first 32 columns.
#[allow(clippy::cast_possible_truncation, reason = "the lines behind them are left out on purpose")]
fn columns(lines: u64) -> u32 {
    lines as u32
}
