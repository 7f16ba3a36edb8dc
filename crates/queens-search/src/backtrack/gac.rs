//! All-different by matching: the columns of the queens differ, and so do their rising and falling diagonals. Of each of
//! these three conditions, a square is kept only if it is part of a matching of all rows to different lines; besides, the
//! squares are kept arc-consistent as by `backtrack/mac`.
//! Source: Régin, "A filtering algorithm for constraints of difference in CSPs", 1994.

use super::domains::Masks;
use super::look_ahead::{self, Filter, Limit};
use super::mac::make_consistent;
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
            let n = orders.rows();
            let before = domains.rows();
            for line in [|_, _| 0, |row, _| row, |row, n| n - 1 - row] as [fn(usize, usize) -> usize; 3] {
                let lines = domains.rows().into_iter().enumerate().take(n);
                let mut lines: Vec<u64> = lines.map(|(row, left)| u64::from(left) << line(row, n)).collect();
                if !all_different(&mut lines) {
                    return Err(Failure::AllDifferent);
                }
                for (row, lines) in lines.into_iter().enumerate() {
                    domains.set_row(row, columns(lines >> line(row, n)));
                }
            }
            if domains.rows() == before {
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

/// Removes from each row the lines that it has in no choice of different lines. `false` if there is no such choice.
///
/// A matching gives each row a line of its own. A row can have another line, too, if that line is free, if the row that
/// has it is in one strongly connected component with this row (each can displace the other, step by step), or if
/// that row can move on to a free line. The rows that a row can displace are bit masks, closed by Warshall's algorithm.
/// Cost: O(n^2) steps. At most 64 rows and lines.
fn all_different(rows: &mut [u64]) -> bool {
    // The row that has each line, and the line of each row.
    let mut owner = [usize::MAX; 64];
    let mut own = vec![0; rows.len()];
    for row in 0..rows.len() {
        if !augment(rows, row, &mut owner, &mut 0) {
            return false;
        }
    }
    let taken = |line: &usize| owner[*line] != usize::MAX;
    let all_taken: u64 = (0..64).filter(taken).map(|line| 1 << line).sum();
    (0..64).filter(taken).for_each(|line| own[owner[line]] = line);
    // The rows whose lines each row can take, and the rows that can be displaced after one another.
    let displaced =
        |lines: u64| own.iter().enumerate().map(move |(row, line)| (lines >> line & 1) << row).sum();
    let mut reach: Vec<u64> = rows.iter().map(|&lines| displaced(lines)).collect();
    for middle in 0..rows.len() {
        for row in 0..rows.len() {
            reach[row] |= if reach[row] >> middle & 1 == 1 { reach[middle] } else { 0 };
        }
    }
    let to_free: u64 =
        rows.iter().enumerate().map(|(row, lines)| u64::from(lines & !all_taken != 0) << row).sum();
    for (row, lines) in rows.iter_mut().enumerate() {
        let can = |&other: &usize| reach[other] & (to_free | 1 << row) != 0;
        let kept: u64 = (0..own.len()).filter(can).map(|other| 1 << own[other]).sum();
        *lines &= kept | !all_taken;
    }
    true
}

/// Gives a row a line, if need be by moving other rows to other lines. `tried` are the lines that were looked at.
fn augment(rows: &[u64], row: usize, owner: &mut [usize; 64], tried: &mut u64) -> bool {
    while rows[row] & !*tried != 0 {
        let line = (rows[row] & !*tried).trailing_zeros() as usize;
        *tried |= 1 << line;
        if owner[line] == usize::MAX || augment(rows, owner[line], owner, tried) {
            owner[line] = row;
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All rows of up to 4 lines out of 4, for up to 3 rows.
    #[test]
    fn lines_are_kept_that_some_choice_of_different_lines_has() {
        for code in 0..1_u32 << 12 {
            let rows = [code & 15, code >> 4 & 15, code >> 8].map(u64::from);
            for count in 1..=3 {
                let mut expected = vec![0; count];
                for choice in 0..4_usize.pow(count as u32) {
                    let lines: Vec<u64> = (0..count).map(|row| 1 << (choice >> (2 * row) & 3)).collect();
                    let differ = lines.iter().fold(0, |all, line| all | line).count_ones() as usize == count;
                    if differ && rows.iter().zip(&lines).all(|(row, line)| row & line != 0) {
                        expected.iter_mut().zip(lines).for_each(|(kept, line)| *kept |= line);
                    }
                }
                let mut kept = rows[..count].to_vec();
                assert_eq!(all_different(&mut kept), expected[0] != 0, "{rows:?}");
                assert!(expected[0] == 0 || kept == expected, "{rows:?}: {kept:?}, expected {expected:?}");
            }
        }
    }
}
