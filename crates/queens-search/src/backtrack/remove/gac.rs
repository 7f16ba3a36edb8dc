//! Generalized arc consistency of three all-different constraints: the queens are on different columns, different rising and
//! different falling diagonals. A square is kept only if each constraint has a matching of all rows to different lines that
//! contains the square. In addition, the squares are kept arc-consistent, as by `backtrack/mac`.
//! Source: Régin, "A filtering algorithm for constraints of difference in CSPs", 1994.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

use super::domains::{Domains, Masks, Members};
use super::look_ahead::{self, Idea, SearchLimit};
use super::mac::make_consistent;
use super::orders::{Failure, Orders, ROWS, VALUES};
use crate::backtrack::searcher::{Flow, Info, Order, Searcher, Stat, Task, Visitor};

pub struct Gac;

impl Searcher for Gac {
    fn info(&self) -> Info {
        Info {
            about: "mac, and all-different by matching for columns and diagonals (Régin 1994)".into(),
            sizes: 0..=Masks::MAX,
            sizes_reason: "a mask holds 64 columns",
            statistics: vec![Stat::Nodes, Stat::Failures, Stat::MaxDepth],
            order: Order::ByRow,
            options: vec![ROWS, VALUES],
            ..Info::named("backtrack/gac")
        }
    }

    fn run<V: Visitor>(&self, task: &Task<'_>, visitor: &mut V) -> Flow {
        let mut orders = Orders::of(task, &ROWS, &VALUES);
        // One constraint each for columns, rising and falling diagonals.
        orders.shared = 3;
        let limits = &mut std::iter::once(SearchLimit::NONE);
        let domains = Masks::of(&task.problem);
        match task.n().get() {
            n @ ..=32 => look_ahead::search_in(domains, AllDifferent::<u64>::of(n), orders, limits, visitor),
            n => look_ahead::search_in(domains, AllDifferent::<u128>::of(n), orders, limits, visitor),
        }
    }
}

/// A set of lines of one constraint, as a bit set. The bit of a column is its number; the bit of a diagonal is the column of one of its
/// squares plus a shift that depends on the row.
trait LineSet:
    Copy
    + Default
    + Eq
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Not<Output = Self>
    + BitAndAssign
    + BitOrAssign
{
    /// The lines through these columns of a row. `shift` is 0 if the lines are columns.
    fn of(columns: u64, shift: usize) -> Self;

    /// The columns of these lines in a row with this shift.
    fn columns(self, shift: usize) -> u64;

    /// The set of the line with the lowest number; empty if this set is empty.
    fn first(self) -> Self;
}

/// The lines of boards up to 32, whose shifts are at most 31.
impl LineSet for u64 {
    #[inline]
    fn of(columns: u64, shift: usize) -> Self {
        columns << shift
    }

    #[inline]
    fn columns(self, shift: usize) -> u64 {
        self >> shift
    }

    #[inline]
    fn first(self) -> Self {
        self & self.wrapping_neg()
    }
}

impl LineSet for u128 {
    #[inline]
    fn of(columns: u64, shift: usize) -> Self {
        Self::from(columns) << shift
    }

    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "a board has at most 64 columns")]
    fn columns(self, shift: usize) -> u64 {
        (self >> shift) as u64
    }

    #[inline]
    fn first(self) -> Self {
        self & self.wrapping_neg()
    }
}

/// The three all-different constraints.
struct AllDifferent<L> {
    /// By constraint and row, the line of the row in the last matching, which is the start of the next matching.
    matchings: [Vec<L>; 3],
    /// The rows without a queen, with their lines of one constraint and their matching.
    rows: Vec<usize>,
    lines: Vec<L>,
    matched: Vec<L>,
}

impl<L: LineSet> AllDifferent<L> {
    fn of(n: usize) -> Self {
        let none = || vec![L::default(); n];
        Self { matchings: [none(), none(), none()], rows: vec![], lines: vec![], matched: vec![] }
    }

    /// Removes the columns of each row that are in no matching of this constraint. Returns whether any were removed.
    fn filter_by(
        &mut self,
        condition: usize,
        shift: impl Fn(usize) -> usize,
        domains: &mut Masks,
    ) -> Result<bool, Failure> {
        let Self { matchings, rows, lines, matched } = self;
        let matching = &mut matchings[condition];
        lines.clear();
        lines.extend(rows.iter().map(|&row| L::of(domains.row(row), shift(row))));
        matched.clear();
        matched.extend(rows.iter().map(|&row| matching[row]));
        let is_smaller = all_different(lines, matched).ok_or(Failure::AllDifferent)?;
        for ((&row, lines), matched) in rows.iter().zip(lines).zip(matched) {
            matching[row] = *matched;
            if is_smaller {
                domains.set_row(row, lines.columns(shift(row)));
            }
        }
        Ok(is_smaller)
    }
}

impl<L: LineSet> Idea<Masks> for AllDifferent<L> {
    /// Removes squares until a fixpoint, or until a constraint cannot be satisfied. Rows with a queen are not considered: no other row
    /// has a square on their lines.
    fn filter(&mut self, domains: &mut Masks, orders: &Orders) -> Result<(), Failure> {
        let n = orders.n();
        self.rows.clear();
        self.rows.extend(orders.free());
        loop {
            make_consistent(domains, orders)?;
            let mut is_smaller = self.filter_by(0, |_| 0, domains)?;
            is_smaller |= self.filter_by(1, |row| row, domains)?;
            is_smaller |= self.filter_by(2, |row| n - 1 - row, domains)?;
            if !is_smaller {
                return Ok(());
            }
        }
    }
}

/// Removes from each row the lines that are in no matching of all rows to different lines, and returns whether there were such lines;
/// `None` if there is no matching. `matched` contains the line of each row in an earlier matching, which need not be valid any more, and
/// is replaced by the new matching.
///
/// A row can have a line other than its matched line exactly if an alternating path leads from this line to a free line, or if the row
/// and this line are on an alternating cycle (Berge's theorem).
fn all_different<L: LineSet>(rows: &mut [L], matched: &mut [L]) -> Option<bool> {
    let mut taken = L::default();
    for (lines, matched) in rows.iter().zip(matched.iter_mut()) {
        *matched &= *lines & !taken;
        taken |= *matched;
    }
    for row in 0..rows.len() {
        if matched[row] == L::default() && !augment(rows, row, matched, &mut L::default()) {
            return None;
        }
    }
    // The free lines, and the lines from which an alternating path leads to a free line.
    let mut movable = !matched.iter().fold(L::default(), |all, matched| all | *matched);
    close(rows.iter().zip(matched.iter()), &mut movable);
    let mut is_smaller = false;
    let mut keep = |lines: &mut L, kept: L| {
        is_smaller |= *lines & !kept != L::default();
        *lines &= kept;
    };
    let mut others = 0_u64;
    for (row, lines) in rows.iter_mut().enumerate() {
        if matched[row] & movable == L::default() {
            others |= 1 << row;
        } else {
            keep(lines, movable);
        }
    }
    while others != 0 {
        let first = matched[others.trailing_zeros() as usize];
        let (mut displaced, mut displaces) = (first, first);
        let pairs = || Members(others).map(|row| (&rows[row], &matched[row]));
        close(pairs().map(|(lines, matched)| (matched, lines)), &mut displaced);
        close(pairs(), &mut displaces);
        let component = displaced & displaces;
        for row in Members(others) {
            if matched[row] & component != L::default() {
                keep(&mut rows[row], component);
                others &= !(1 << row);
            }
        }
    }
    Some(is_smaller)
}

/// Closes `lines` under reachability: as long as `lines` contains a line of a pair's first set, adds the lines of its second set.
fn close<'a, L: LineSet + 'a>(pairs: impl Iterator<Item = (&'a L, &'a L)> + Clone, lines: &mut L) {
    let mut before = !*lines;
    while before != *lines {
        before = *lines;
        for (&from, &to) in pairs.clone() {
            if from & *lines != L::default() {
                *lines |= to;
            }
        }
    }
}

/// Matches a row to a line along an augmenting path, which may match other rows to other lines. `tried` contains the visited lines.
fn augment<L: LineSet>(rows: &[L], row: usize, matched: &mut [L], tried: &mut L) -> bool {
    loop {
        let line = (rows[row] & !*tried).first();
        if line == L::default() {
            return false;
        }
        *tried |= line;
        let owner = matched.iter().position(|matched| *matched == line);
        if owner.is_none_or(|owner| augment(rows, owner, matched, tried)) {
            matched[row] = line;
            return true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with brute force, for lines numbered from `first`.
    fn keeps_lines_with_support<L: LineSet + std::fmt::Debug>(first: usize) {
        let line = |line: usize| L::of(1 << line, first);
        let has = |row: L, other: L| row & other != L::default();
        let number = |lines: L| lines.columns(first).count_ones() as usize;
        let cases = (1..=4).flat_map(|count| (0..1_u32 << (4 * count)).map(move |code| (count, code)));
        for (count, code) in cases {
            let rows: Vec<L> =
                (0..count).map(|row| L::of(u64::from(code >> (4 * row) & 15), first)).collect();
            let mut expected = vec![L::default(); count];
            for choice in 0..4_usize.pow(count as u32) {
                let lines: Vec<L> = (0..count).map(|row| line(choice >> (2 * row) & 3)).collect();
                let differ = number(lines.iter().fold(L::default(), |all, &line| all | line)) == count;
                if differ && rows.iter().zip(&lines).all(|(&row, &line)| has(row, line)) {
                    expected.iter_mut().zip(lines).for_each(|(kept, line)| *kept |= line);
                }
            }
            // Earlier matchings with a line of no row, with one line for several rows, and with a valid line.
            for hint in [L::default(), line(0), line(3)] {
                let (mut kept, mut matched) = (rows.clone(), vec![hint; count]);
                for _ in 0..2 {
                    let before = kept.clone();
                    let is_smaller = all_different(&mut kept, &mut matched);
                    assert_eq!(is_smaller.is_some(), has(expected[0], !L::default()), "{rows:?}");
                    let Some(is_smaller) = is_smaller else { break };
                    assert_eq!((&kept, is_smaller), (&expected, before != expected), "{rows:?}");
                    let all = matched.iter().fold(L::default(), |all, &matched| all | matched);
                    assert!(
                        number(all) == count
                            && matched.iter().zip(&rows).all(|(&matched, &row)| has(row, matched))
                    );
                }
            }
        }
    }

    /// Tries all sets of up to 4 lines for up to 4 rows.
    #[test]
    fn gac_retains_exactly_the_supported_lines() {
        keeps_lines_with_support::<u64>(60);
        keeps_lines_with_support::<u128>(62);
    }
}
