//! Generalized arc consistency of three all-different constraints: the queens are on different columns, different rising and
//! different falling diagonals. For each constraint, the rows are matched to the lines of the constraint, such as columns. A square is
//! removed if no matching of all rows to different lines contains the square. In addition, the domains are made arc-consistent, as by
//! `backtrack/mac`.
//! Source: Régin, "A filtering algorithm for constraints of difference in CSPs", 1994.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

use super::domains::{Domains, Masks, Members};
use super::look_ahead::{self, LookAheadExtension, SearchLimit};
use super::mac::make_consistent;
use super::orders::{Failure, Orders, ROWS, VALUES};
use crate::backtrack::searcher::{Flow, Info, Order, Searcher, Stat, Task, Visitor};

pub struct Gac;

impl Searcher for Gac {
    fn info(&self) -> Info {
        Info {
            about: "mac, with all-different constraints on columns and diagonals, filtered by matching (Régin 1994)".into(),
            sizes: 0..=Masks::MAX,
            sizes_reason: "a mask holds 64 columns",
            statistics: vec![Stat::Nodes, Stat::Failures, Stat::MaxDepth],
            order: Order::ByRow,
            options: vec![ROWS, VALUES],
            ..Info::named("backtrack/gac")
        }
    }

    fn run<V: Visitor>(&self, task: &Task<'_>, visitor: &mut V) -> Flow {
        let mut orders = Orders::from_options(task, &ROWS, &VALUES);
        // One constraint each for columns, rising and falling diagonals.
        orders.shared_weight = 3;
        let limits = &mut std::iter::once(SearchLimit::NONE);
        let domains = Masks::initial(&task.problem);
        match task.n().get() {
            n @ ..=32 => {
                look_ahead::search_with_domains(domains, AllDifferent::<u64>::new(n), orders, limits, visitor)
            }
            n => look_ahead::search_with_domains(
                domains,
                AllDifferent::<u128>::new(n),
                orders,
                limits,
                visitor,
            ),
        }
    }
}

/// A set of lines of one constraint, as a bit set. The bit of a column is its number. The bit of a diagonal is the column of any of its
/// squares plus a shift that depends on the row of the square.
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
    fn from_columns(columns: u64, shift: usize) -> Self;

    /// The columns at which these lines cross a row with this shift.
    fn columns(self, shift: usize) -> u64;

    /// The set with only the line of the lowest number; empty if this set is empty.
    fn lowest(self) -> Self;
}

/// The lines of boards up to 32, whose shifts are at most 31.
impl LineSet for u64 {
    #[inline]
    fn from_columns(columns: u64, shift: usize) -> Self {
        columns << shift
    }

    #[inline]
    fn columns(self, shift: usize) -> u64 {
        self >> shift
    }

    #[inline]
    fn lowest(self) -> Self {
        self & self.wrapping_neg()
    }
}

impl LineSet for u128 {
    #[inline]
    fn from_columns(columns: u64, shift: usize) -> Self {
        Self::from(columns) << shift
    }

    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "a board has at most 64 columns")]
    fn columns(self, shift: usize) -> u64 {
        (self >> shift) as u64
    }

    #[inline]
    fn lowest(self) -> Self {
        self & self.wrapping_neg()
    }
}

/// The three all-different constraints.
struct AllDifferent<L> {
    /// By constraint and row, the line of the row in the last matching, from which the next matching is computed.
    matchings: [Vec<L>; 3],
    /// The rows without a queen.
    rows: Vec<usize>,
    /// For each row of `rows`, its lines of one constraint.
    lines: Vec<L>,
    /// For each row of `rows`, its line in the matching.
    matched: Vec<L>,
}

impl<L: LineSet> AllDifferent<L> {
    fn new(n: usize) -> Self {
        let empty_matching = || vec![L::default(); n];
        Self {
            matchings: [empty_matching(), empty_matching(), empty_matching()],
            rows: vec![],
            lines: vec![],
            matched: vec![],
        }
    }

    /// Removes from each row the columns that are in no matching of this constraint. Returns whether any column was removed.
    fn filter_constraint(
        &mut self,
        constraint: usize,
        shift: impl Fn(usize) -> usize,
        domains: &mut Masks,
    ) -> Result<bool, Failure> {
        let Self { matchings, rows, lines, matched } = self;
        let matching = &mut matchings[constraint];
        lines.clear();
        lines.extend(rows.iter().map(|&row| L::from_columns(domains.row(row), shift(row))));
        matched.clear();
        matched.extend(rows.iter().map(|&row| matching[row]));
        let has_changed = all_different(lines, matched).ok_or(Failure::AllDifferent)?;
        for ((&row, lines), matched) in rows.iter().zip(lines).zip(matched) {
            matching[row] = *matched;
            if has_changed {
                domains.set_row(row, lines.columns(shift(row)));
            }
        }
        Ok(has_changed)
    }
}

impl<L: LineSet> LookAheadExtension<Masks> for AllDifferent<L> {
    /// Removes squares until a fixpoint, or until a constraint cannot be satisfied. Ignores rows with a queen, because no other row
    /// has a square on the lines through this queen.
    fn filter(&mut self, domains: &mut Masks, orders: &Orders) -> Result<(), Failure> {
        let n = orders.n();
        self.rows.clear();
        self.rows.extend(orders.free());
        loop {
            make_consistent(domains, orders)?;
            let mut has_changed = self.filter_constraint(0, |_| 0, domains)?;
            has_changed |= self.filter_constraint(1, |row| row, domains)?;
            has_changed |= self.filter_constraint(2, |row| n - 1 - row, domains)?;
            if !has_changed {
                return Ok(());
            }
        }
    }
}

/// Removes from each row the lines that are in no matching of all rows to different lines. Returns whether lines were removed; `None`
/// if there is no matching. On entry, `matched` contains the line of each row in an earlier matching, which may be invalid. On return,
/// it contains the new matching.
///
/// A line is free if no row is matched to it. Berge's theorem: a row can be matched to another of its lines exactly if an alternating
/// path leads from the other line to a free line, or if the row and the other line are on an alternating cycle. A line and the lines
/// on alternating cycles through it are a strongly connected component.
fn all_different<L: LineSet>(rows: &mut [L], matched: &mut [L]) -> Option<bool> {
    let mut used_lines = L::default();
    for (lines, matched) in rows.iter().zip(matched.iter_mut()) {
        *matched &= *lines & !used_lines;
        used_lines |= *matched;
    }
    for row in 0..rows.len() {
        if matched[row] == L::default() && !augment(rows, row, matched, &mut L::default()) {
            return None;
        }
    }
    // The free lines, and the lines from which an alternating path leads to a free line. If a row is matched to a line of this set,
    // the row can be matched to each of its lines in the set.
    let mut reaching_free = !matched.iter().fold(L::default(), |all, matched| all | *matched);
    close(rows.iter().zip(matched.iter()), &mut reaching_free);
    let mut has_changed = false;
    let mut restrict = |lines: &mut L, allowed: L| {
        has_changed |= *lines & !allowed != L::default();
        *lines &= allowed;
    };
    let mut remaining_rows = 0_u64;
    for (row, lines) in rows.iter_mut().enumerate() {
        if matched[row] & reaching_free == L::default() {
            remaining_rows |= 1 << row;
        } else {
            restrict(lines, reaching_free);
        }
    }
    // For the other rows, only alternating cycles matter. The component of a line consists of the lines that are reachable from it
    // and from which it is reachable.
    while remaining_rows != 0 {
        let first_line = matched[remaining_rows.trailing_zeros() as usize];
        let (mut reachable, mut reaching) = (first_line, first_line);
        let pairs = || Members(remaining_rows).map(|row| (&rows[row], &matched[row]));
        close(pairs().map(|(lines, matched)| (matched, lines)), &mut reachable);
        close(pairs(), &mut reaching);
        let component = reachable & reaching;
        for row in Members(remaining_rows) {
            if matched[row] & component != L::default() {
                restrict(&mut rows[row], component);
                remaining_rows &= !(1 << row);
            }
        }
    }
    Some(has_changed)
}

/// Closes `lines` under reachability: whenever `lines` contains a line of the first set of a pair, adds the lines of its second set.
fn close<'a, L: LineSet + 'a>(pairs: impl Iterator<Item = (&'a L, &'a L)> + Clone, lines: &mut L) {
    let mut previous = !*lines;
    while previous != *lines {
        previous = *lines;
        for (&from, &to) in pairs.clone() {
            if from & *lines != L::default() {
                *lines |= to;
            }
        }
    }
}

/// Matches a row to a line by an augmenting path. The rows that are already matched and on this path are matched to other lines.
/// `visited` contains the visited lines. Returns `false` if there is no augmenting path.
fn augment<L: LineSet>(rows: &[L], row: usize, matched: &mut [L], visited: &mut L) -> bool {
    loop {
        let line = (rows[row] & !*visited).lowest();
        if line == L::default() {
            return false;
        }
        *visited |= line;
        let matched_row = matched.iter().position(|matched| *matched == line);
        if matched_row.is_none_or(|matched_row| augment(rows, matched_row, matched, visited)) {
            matched[row] = line;
            return true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares `all_different` with brute force, for lines of a row with this shift.
    fn check_filtered_lines<L: LineSet + std::fmt::Debug>(shift: usize) {
        let line = |line: usize| L::from_columns(1 << line, shift);
        let intersects = |row: L, other: L| row & other != L::default();
        let number = |lines: L| lines.columns(shift).count_ones() as usize;
        let cases = (1..=4).flat_map(|count| (0..1_u32 << (4 * count)).map(move |code| (count, code)));
        for (count, code) in cases {
            let rows: Vec<L> =
                (0..count).map(|row| L::from_columns(u64::from(code >> (4 * row) & 15), shift)).collect();
            let mut expected = vec![L::default(); count];
            for choice in 0..4_usize.pow(count as u32) {
                let lines: Vec<L> = (0..count).map(|row| line(choice >> (2 * row) & 3)).collect();
                let are_different = number(lines.iter().fold(L::default(), |all, &line| all | line)) == count;
                if are_different && rows.iter().zip(&lines).all(|(&row, &line)| intersects(row, line)) {
                    expected.iter_mut().zip(lines).for_each(|(filtered, line)| *filtered |= line);
                }
            }
            // The earlier matching assigns the same line to every row, or no line. It may therefore be invalid.
            for matching in [L::default(), line(0), line(3)] {
                let (mut filtered, mut matched) = (rows.clone(), vec![matching; count]);
                for _ in 0..2 {
                    let lines_before = filtered.clone();
                    let has_changed = all_different(&mut filtered, &mut matched);
                    assert_eq!(has_changed.is_some(), intersects(expected[0], !L::default()), "{rows:?}");
                    let Some(has_changed) = has_changed else { break };
                    assert_eq!((&filtered, has_changed), (&expected, lines_before != expected), "{rows:?}");
                    let used_lines =
                        matched.iter().fold(L::default(), |used_lines, &matched| used_lines | matched);
                    assert!(
                        number(used_lines) == count
                            && matched.iter().zip(&rows).all(|(&matched, &row)| intersects(row, matched))
                    );
                }
            }
        }
    }

    /// Tries all sets of up to 4 lines for up to 4 rows.
    #[test]
    fn all_different_retains_exactly_the_lines_of_matchings() {
        check_filtered_lines::<u64>(60);
        check_filtered_lines::<u128>(62);
    }
}
