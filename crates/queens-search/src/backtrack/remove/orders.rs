//! The orders in which searchers that look ahead choose rows and columns, and their restarts. They are options of these
//! searchers; everything random depends on the seed only.
//! Sources: smallest domain: Haralick & Elliott 1980; dom/wdeg: Boussemart et al. 2004; restarts of randomised searches: Gomes,
//! Selman & Kautz 1998, their sequences: Luby, Sinclair & Zuckerman 1993, and geometric ones Walsh 1999.

use std::iter;

use super::domains::{Domains, first_wiped};
use queens_solver::{SolverOption, Task};

queens_board::words! {
    /// Which row is next.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum RowOrder {
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
    pub enum ValueOrder {
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

queens_board::words! {
    /// What gets a queen.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Branch {
        /// A row: the variables are the rows, and their values are columns.
        #[default]
        Rows = "rows",
        /// A row or a column: both are variables.
        Dual = "dual",
    }
}

/// The option of [`Branch`].
pub const BRANCH: SolverOption = SolverOption {
    name: "branch",
    values: Branch::WORDS,
    default: "rows",
    about: "what gets the next queen: a row, or with dual a row or a column, in the order of the option rows",
};

/// The option of [`RowOrder`].
pub const ROWS: SolverOption = SolverOption {
    name: "rows",
    values: RowOrder::WORDS,
    default: "first",
    about: "the row that gets the next queen; dom-wdeg: few columns left and constraints that failed often first",
};

/// The option of [`ValueOrder`].
pub const VALUES: SolverOption = SolverOption {
    name: "values",
    values: ValueOrder::WORDS,
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

/// Why some variable cannot get a queen.
#[derive(Clone, Copy, Debug)]
pub enum Failure {
    /// Each of its squares is attacked from every square left of this variable.
    Of(usize),
    /// It is one of too many rows for too few columns or diagonals.
    AllDifferent,
}

/// The variables in a search that have no queen yet, and the order of variables and values. Variables are the rows, and with
/// `branch=dual` the columns after them.
///
/// For dom-wdeg, each constraint weighs 1, and 1 more for each time when it left a variable without a value. The weight of a
/// variable is the sum over its constraints with at least one other variable that has no queen yet. There is a constraint for each
/// pair of variables, and `gac` has three more, which all rows share.
pub struct Orders {
    n: usize,
    branch: Branch,
    rows: RowOrder,
    values: ValueOrder,
    free: Vec<bool>,
    random: fastrand::Rng,
    /// The weight of each pair of variables, 0 for one and itself, and the sums over the free ones.
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
        let branch = Branch::named(task.options.value(&BRANCH)).unwrap_or_default();
        let rows = RowOrder::named(task.options.value(rows)).unwrap_or_default();
        let values = ValueOrder::named(task.options.value(values)).unwrap_or_default();
        let variables = if branch == Branch::Dual { 2 * n } else { n };
        let weighted = if rows == RowOrder::DomWdeg { variables } else { 0 };
        let pairs = (0..weighted * weighted).map(|pair| u64::from(pair / weighted != pair % weighted));
        Self {
            n,
            branch,
            rows,
            values,
            free: vec![true; variables],
            random: fastrand::Rng::with_seed(task.seed),
            weights: pairs.collect(),
            sums: vec![weighted.saturating_sub(1) as u64; weighted],
            shared: 0,
        }
    }

    /// The number of rows.
    pub fn n(&self) -> usize {
        self.n
    }

    /// What gets a queen.
    pub fn branch(&self) -> Branch {
        self.branch
    }

    /// The variables without a queen, ascending.
    pub fn free(&self) -> impl Iterator<Item = usize> {
        self.free.iter().enumerate().filter(|(_, free)| **free).map(|(variable, _)| variable)
    }

    /// Chooses a variable, which is free no longer. `level` variables of each kind have a queen, and at least one has none.
    #[inline]
    pub fn take(&mut self, domains: &impl Domains, level: usize) -> usize {
        // From the top, the columns never come into question.
        let variable = if self.rows == RowOrder::First { level } else { self.choose(domains) };
        self.occupy(variable);
        variable
    }

    /// A variable gets a queen.
    #[inline]
    pub fn occupy(&mut self, variable: usize) {
        self.free[variable] = false;
        if self.rows == RowOrder::DomWdeg {
            self.weigh(variable, |sum, weight| *sum -= weight);
        }
    }

    #[inline(never)]
    fn choose(&mut self, domains: &impl Domains) -> usize {
        let n = self.n;
        let chosen = match self.rows {
            RowOrder::First => self.free().next(),
            RowOrder::Smallest => self.free().min_by_key(|&variable| domains.size(variable)),
            RowOrder::MiddleOut => self.free().min_by_key(|&variable| distance(n, variable % n)),
            RowOrder::DomWdeg => {
                let ratio =
                    |variable: usize| (domains.size(variable) as u64, self.sums[variable] + self.shared);
                let less = |a: usize, b: usize| ratio(a).0 * ratio(b).1 < ratio(b).0 * ratio(a).1;
                self.free().reduce(|best, next| if less(next, best) { next } else { best })
            }
            RowOrder::Random => {
                let free = self.free().count();
                let chosen = self.random.usize(..free);
                self.free().nth(chosen)
            }
        };
        chosen.unwrap_or(0)
    }

    /// Makes a variable free again.
    #[inline]
    pub fn give_back(&mut self, variable: usize) {
        self.free[variable] = true;
        if self.rows == RowOrder::DomWdeg {
            self.weigh(variable, |sum, weight| *sum += weight);
        }
    }

    /// Changes the sum of each variable by the weight of its pair with this one.
    #[inline(never)]
    fn weigh(&mut self, variable: usize, change: fn(&mut u64, u64)) {
        let variables = self.free.len();
        let weights = &self.weights[variable * variables..][..variables];
        self.sums.iter_mut().zip(weights).for_each(|(sum, &weight)| change(sum, weight));
    }

    /// Learns from a failure, if the order depends on them. Of several variables without a value left, the first one
    /// counts.
    #[inline]
    pub fn blame(&mut self, domains: &impl Domains, failure: Failure) {
        if self.rows == RowOrder::DomWdeg {
            self.learn(domains, failure);
        }
    }

    #[inline(never)]
    fn learn(&mut self, domains: &impl Domains, failure: Failure) {
        match failure {
            Failure::AllDifferent => self.shared += 1,
            Failure::Of(variable) => {
                let Some(wiped) = first_wiped(domains, self.free()) else { return };
                for (one, other) in [(variable, wiped), (wiped, variable)] {
                    self.weights[one * self.free.len() + other] += 1;
                    self.sums[one] += u64::from(self.free[other]);
                }
            }
        }
    }

    /// Whether the values of a variable are tried from the lowest one.
    #[inline]
    pub fn is_ascending(&self) -> bool {
        self.values == ValueOrder::Lowest
    }

    /// Puts the values left for a variable into `values`, in order.
    pub fn values(&mut self, domains: &impl Domains, variable: usize, values: &mut Vec<usize>) {
        values.clear();
        values.extend(domains.values(variable));
        match self.values {
            ValueOrder::Lowest => {}
            ValueOrder::MiddleOut => values.sort_by_key(|&value| distance(self.n, value)),
            ValueOrder::LeastConstraining => {
                values.sort_by_cached_key(|&value| domains.removed_by(variable, value));
            }
            ValueOrder::Random => self.random.shuffle(values),
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
