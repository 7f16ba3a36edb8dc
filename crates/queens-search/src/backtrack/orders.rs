//! The orders in which searchers that look ahead choose rows and columns, and their restarts. They are options of these
//! searchers; everything random depends on the seed only.
//! Sources: smallest domain: Haralick & Elliott 1980; dom/wdeg: Boussemart et al. 2004; restarts: Gomes, Selman & Kautz
//! 1998; Luby, Sinclair & Zuckerman 1993.

use std::iter;

use super::domains::{Domains, first_wiped};
use queens_solver::{SolverOption, Task};

queens_board::words! {
    /// Which row is next.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Rows {
        /// From the top.
        #[default]
        First = "first",
        /// The one with the fewest columns left, the first on ties.
        Smallest = "smallest",
        /// From the middle outwards, the upper one first.
        MiddleOut = "middle-out",
        /// The one with the smallest ratio of columns left to the weights of its constraints, the first on ties.
        DomWdeg = "dom-wdeg",
        /// Any.
        Random = "random",
    }
}

queens_board::words! {
    /// The order of the columns of a row.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Values {
        /// From the left.
        #[default]
        Lowest = "lowest",
        /// From the middle outwards, the left one first.
        MiddleOut = "middle-out",
        /// The column that removes the fewest squares from other rows first, the left one on ties.
        LeastConstraining = "least-constraining",
        /// Shuffled.
        Random = "random",
    }
}

/// The option of [`Rows`].
pub const ROWS: SolverOption = SolverOption {
    name: "rows",
    values: Rows::WORDS,
    default: "first",
    about: "the row that gets the next queen; dom-wdeg: few columns left and constraints that failed often first",
};

/// The option of [`Values`].
pub const VALUES: SolverOption = SolverOption {
    name: "values",
    values: Values::WORDS,
    default: "lowest",
    about: "the order in which the columns of a row are tried",
};

/// The option of [`limits`].
pub const RESTARTS: SolverOption = SolverOption {
    name: "restarts",
    values: &["none", "luby:N", "geometric:N:X"],
    default: "none",
    about: "begin again after N failures, times the Luby sequence or powers of X; goal first only",
};

/// The failures after which a search begins again, for each search; without end unless there are no restarts.
pub fn limits(restarts: &str) -> Box<dyn Iterator<Item = u64>> {
    let parts: Vec<&str> = restarts.split(':').collect();
    let number = |place: usize| parts.get(place).and_then(|part| part.parse::<f64>().ok()).unwrap_or(1.0);
    let (scale, factor) = (number(1), number(2));
    match parts[0] {
        "luby" => Box::new((1..).map(move |search| luby(search) * whole(scale))),
        "geometric" => Box::new((0..).map(move |search| whole(scale * factor.powi(search)))),
        _ => Box::new(iter::once(u64::MAX)),
    }
}

/// The Luby sequence, from 1: 1, 1, 2, 1, 1, 2, 4, 1, ...
fn luby(index: u64) -> u64 {
    let full = (index + 1).next_power_of_two();
    if full == index + 1 { full / 2 } else { luby(index + 1 - full / 2) }
}

/// Why some row cannot get a queen.
#[derive(Clone, Copy, Debug)]
pub enum Failure {
    /// Each of its squares is attacked from every square left in this row.
    Row(usize),
    /// It is one of too many rows for too few columns or diagonals.
    AllDifferent,
}

/// The rows in a search that have no queen yet, and the order of rows and columns.
///
/// For dom-wdeg, each constraint weighs 1, and 1 more for each time when it left a row without a column. The weight of a row
/// is the sum over its constraints with at least one other row that has no queen yet. There is a constraint for each pair of
/// rows, and `gac` has three more, which all rows share.
pub struct Orders {
    rows: Rows,
    values: Values,
    free: Vec<bool>,
    random: fastrand::Rng,
    /// The weight of each pair of rows, 0 for a row and itself, and the sums over the free rows.
    weights: Vec<u64>,
    sums: Vec<u64>,
    /// The weight of the constraints that all rows share.
    pub shared: u64,
}

/// Twice the distance of a row or column from the middle of the board.
fn distance(n: usize, index: usize) -> usize {
    (2 * index).abs_diff(n.saturating_sub(1))
}

impl Orders {
    /// The orders of a task whose solver declares these options.
    pub fn of(task: &Task<'_>, rows: &SolverOption, values: &SolverOption) -> Self {
        let n = task.n().get();
        let rows = Rows::named(task.options.value(rows)).unwrap_or_default();
        let values = Values::named(task.options.value(values)).unwrap_or_default();
        let weighted = if rows == Rows::DomWdeg { n } else { 0 };
        let pairs = (0..weighted * weighted).map(|pair| u64::from(pair / n != pair % n));
        Self {
            rows,
            values,
            free: vec![true; n],
            random: fastrand::Rng::with_seed(task.seed),
            weights: pairs.collect(),
            sums: vec![weighted.saturating_sub(1) as u64; weighted],
            shared: 0,
        }
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.free.len()
    }

    /// The rows without a queen, ascending.
    pub fn free(&self) -> impl Iterator<Item = usize> {
        self.free.iter().enumerate().filter(|(_, free)| **free).map(|(row, _)| row)
    }

    /// Chooses a row, which is free no longer. `level` rows have a queen, and at least one row has none.
    #[inline]
    pub fn take(&mut self, domains: &impl Domains, level: usize) -> usize {
        let row = if self.rows == Rows::First { level } else { self.choose(domains, level) };
        self.free[row] = false;
        if self.rows == Rows::DomWdeg {
            self.weigh(row, |sum, weight| *sum -= weight);
        }
        row
    }

    #[inline(never)]
    fn choose(&mut self, domains: &impl Domains, level: usize) -> usize {
        let n = self.free.len();
        match self.rows {
            Rows::First => level,
            Rows::Smallest => self.free().min_by_key(|&row| domains.size(row)).unwrap_or(0),
            Rows::MiddleOut => self.free().min_by_key(|&row| distance(n, row)).unwrap_or(0),
            Rows::DomWdeg => {
                let ratio = |row: usize| (domains.size(row) as u64, self.sums[row] + self.shared);
                let less = |a: usize, b: usize| ratio(a).0 * ratio(b).1 < ratio(b).0 * ratio(a).1;
                self.free().reduce(|best, row| if less(row, best) { row } else { best }).unwrap_or(0)
            }
            Rows::Random => {
                let chosen = self.random.usize(..n - level);
                self.free().nth(chosen).unwrap_or(0)
            }
        }
    }

    /// Makes a row free again.
    #[inline]
    pub fn give_back(&mut self, row: usize) {
        self.free[row] = true;
        if self.rows == Rows::DomWdeg {
            self.weigh(row, |sum, weight| *sum += weight);
        }
    }

    /// Changes the sum of each row by the weight of its pair with this one.
    #[inline(never)]
    fn weigh(&mut self, row: usize, change: fn(&mut u64, u64)) {
        let n = self.free.len();
        let weights = &self.weights[row * n..][..n];
        self.sums.iter_mut().zip(weights).for_each(|(sum, &weight)| change(sum, weight));
    }

    /// Learns from a failure, if the order depends on them. Of several rows without a column left, the first one counts.
    #[inline]
    pub fn blame(&mut self, domains: &impl Domains, failure: Failure) {
        if self.rows == Rows::DomWdeg {
            self.learn(domains, failure);
        }
    }

    #[inline(never)]
    fn learn(&mut self, domains: &impl Domains, failure: Failure) {
        match failure {
            Failure::AllDifferent => self.shared += 1,
            Failure::Row(row) => {
                let Some(wiped) = first_wiped(domains, self.free()) else { return };
                for (one, other) in [(row, wiped), (wiped, row)] {
                    self.weights[one * self.free.len() + other] += 1;
                    self.sums[one] += u64::from(self.free[other]);
                }
            }
        }
    }

    /// Whether the columns of a row are tried from the left.
    #[inline]
    pub fn is_from_the_left(&self) -> bool {
        self.values == Values::Lowest
    }

    /// Puts the columns left for a row into `columns`, in order.
    pub fn columns(&mut self, domains: &impl Domains, row: usize, columns: &mut Vec<usize>) {
        columns.clear();
        columns.extend(domains.columns(row));
        let n = self.free.len();
        match self.values {
            Values::Lowest => {}
            Values::MiddleOut => columns.sort_by_key(|&column| distance(n, column)),
            Values::LeastConstraining => {
                columns.sort_by_cached_key(|&column| domains.removed_by(row, column));
            }
            Values::Random => self.random.shuffle(columns),
        }
    }
}

/// The whole part of a limit.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the cast of a float stops at both ends"
)]
fn whole(limit: f64) -> u64 {
    limit as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn restarts_come_after_the_published_sequences_of_failures() {
        let first = |text: &str| limits(text).take(15).collect::<Vec<_>>();
        assert_eq!(first("luby:1"), [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
        assert_eq!(first("luby:100")[..3], [100, 100, 200]);
        assert_eq!(first("geometric:100:1.5")[..4], [100, 150, 225, 337]);
        assert_eq!(first("none"), [u64::MAX]);
    }
}
