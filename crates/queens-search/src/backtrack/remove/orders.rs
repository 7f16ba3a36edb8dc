//! The options of look-ahead searchers: variable order, value order, and restarts. Random choices depend on the seed only.
//! Sources: smallest domain: Haralick & Elliott 1980; dom/wdeg: Boussemart et al. 2004; restarts of randomised searches: Gomes,
//! Selman & Kautz 1998; Luby restarts: Luby, Sinclair & Zuckerman 1993; geometric restarts: Walsh 1999.

use std::iter;

use super::domains::{Domains, first_wiped};
use queens_solver::{SolverOption, Task};

queens_board::words! {
    /// The order of rows (variable order).
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum RowOrder {
        /// From top to bottom.
        #[default]
        First = "first",
        /// The row with the smallest domain; on ties, the first such row.
        Smallest = "smallest",
        /// From the middle outwards; at equal distance, the upper row first.
        MiddleOut = "middle-out",
        /// The row with the smallest ratio of domain size to the weight of its constraints; on ties, the first such row.
        DomWdeg = "dom-wdeg",
        /// A random row.
        Random = "random",
    }
}

queens_board::words! {
    /// The order of the columns of a row (value order).
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum ValueOrder {
        /// From left to right.
        #[default]
        Lowest = "lowest",
        /// From the middle outwards; at equal distance, the left column first.
        MiddleOut = "middle-out",
        /// By ascending number of squares that the column removes from other rows; on ties, the left column first.
        LeastConstraining = "least-constraining",
        /// In random order.
        Random = "random",
    }
}

queens_board::words! {
    /// The variables on which the search branches.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Branch {
        /// The variables are the rows, and their values are columns.
        #[default]
        Rows = "rows",
        /// Rows and columns are variables.
        Dual = "dual",
    }
}

/// The option of [`Branch`].
pub const BRANCH: SolverOption = SolverOption {
    name: "branch",
    values: Branch::WORDS,
    default: "rows",
    about: "the variables of the search: the rows, or (dual) the rows and the columns; option rows chooses the next one",
};

/// The option of [`RowOrder`].
pub const ROWS: SolverOption = SolverOption {
    name: "rows",
    values: RowOrder::WORDS,
    default: "first",
    about: "the row that gets the next queen; dom-wdeg prefers few remaining columns and constraints that failed often",
};

/// The option of [`ValueOrder`].
pub const VALUES: SolverOption = SolverOption {
    name: "values",
    values: ValueOrder::WORDS,
    default: "lowest",
    about: "the order in which the columns of a row are tried",
};

/// The option that [`restart_limits`] reads.
pub const RESTARTS: SolverOption = SolverOption {
    name: "restarts",
    values: &["none", "luby:N", "geometric:N:X"],
    default: "none",
    about: "restart after N failures times the Luby sequence, or times powers of X; only with goal first",
};

/// The number of failures after which each search restarts: an infinite sequence, or one unlimited search if there are no restarts.
pub fn restart_limits(restarts: &str) -> Box<dyn Iterator<Item = u64>> {
    let parts: Vec<&str> = restarts.split(':').collect();
    let number = |index: usize| parts.get(index).and_then(|part| part.parse::<f64>().ok()).unwrap_or(1.0);
    let (scale, factor) = (number(1), number(2));
    match parts[0] {
        "luby" => Box::new((1..).map(move |search| luby(search) * truncated(scale))),
        "geometric" => Box::new((0..).map(move |search| truncated(scale * factor.powi(search)))),
        _ => Box::new(iter::once(u64::MAX)),
    }
}

/// The Luby sequence 1, 1, 2, 1, 1, 2, 4, 1, ...; the first index is 1.
fn luby(index: u64) -> u64 {
    let power = (index + 1).next_power_of_two();
    if power == index + 1 { power / 2 } else { luby(index + 1 - power / 2) }
}

/// The cause of a dead end.
#[derive(Clone, Copy, Debug)]
pub enum Failure {
    /// Removing the values that conflict with the values of this variable has wiped out the domain of another variable.
    Wipeout(usize),
    /// An all-different constraint cannot be satisfied.
    AllDifferent,
}

/// The variables without a queen (free variables), and the order of variables and values. The variables are the rows; with
/// `branch=dual`, the columns follow the rows.
///
/// For dom-wdeg, the weight of a constraint is 1 plus the number of domain wipeouts that it has caused. The weighted degree of a
/// variable is the sum of the weights of its constraints with at least one other free variable. There is a constraint for each
/// pair of variables. `gac` has three more constraints, each on all rows.
pub struct Orders {
    n: usize,
    branch: Branch,
    rows: RowOrder,
    values: ValueOrder,
    free: Vec<bool>,
    random: fastrand::Rng,
    /// The weight of the constraint on each pair of variables; 0 for a pair of equal variables.
    weights: Vec<u64>,
    /// By variable, the sum of `weights` over its pairs with free variables.
    weighted_degrees: Vec<u64>,
    /// The sum of the weights of the constraints that are on all rows.
    pub shared_weight: u64,
}

/// Twice the distance of a row or column from the middle of the board.
fn distance(n: usize, index: usize) -> usize {
    (2 * index).abs_diff(n.saturating_sub(1))
}

impl Orders {
    /// Reads the orders from the options of a task whose solver declares them.
    pub fn from_options(task: &Task<'_>, rows: &SolverOption, values: &SolverOption) -> Self {
        let n = task.n().get();
        let branch = Branch::named(task.options.value(&BRANCH)).unwrap_or_default();
        let rows = RowOrder::named(task.options.value(rows)).unwrap_or_default();
        let values = ValueOrder::named(task.options.value(values)).unwrap_or_default();
        let variables = if branch == Branch::Dual { 2 * n } else { n };
        let weighted_variables = if rows == RowOrder::DomWdeg { variables } else { 0 };
        let pairs = (0..weighted_variables * weighted_variables)
            .map(|pair| u64::from(pair / weighted_variables != pair % weighted_variables));
        Self {
            n,
            branch,
            rows,
            values,
            free: vec![true; variables],
            random: fastrand::Rng::with_seed(task.seed),
            weights: pairs.collect(),
            weighted_degrees: vec![weighted_variables.saturating_sub(1) as u64; weighted_variables],
            shared_weight: 0,
        }
    }

    /// The number of rows.
    pub fn n(&self) -> usize {
        self.n
    }

    /// The variables on which the search branches.
    pub fn branch(&self) -> Branch {
        self.branch
    }

    /// The free variables, in ascending order.
    pub fn free(&self) -> impl Iterator<Item = usize> {
        self.free.iter().enumerate().filter(|(_, free)| **free).map(|(variable, _)| variable)
    }

    /// Chooses a free variable and marks it as not free. `level` is the number of queens; at least one variable must be free.
    #[inline]
    pub fn take_next(&mut self, domains: &impl Domains, level: usize) -> usize {
        // With `RowOrder::First`, columns are never chosen.
        let variable = if self.rows == RowOrder::First { level } else { self.choose(domains) };
        self.occupy(variable);
        variable
    }

    /// Marks a variable as not free, because it gets a queen.
    #[inline]
    pub fn occupy(&mut self, variable: usize) {
        self.free[variable] = false;
        if self.rows == RowOrder::DomWdeg {
            self.change_weighted_degrees(variable, |sum, weight| *sum -= weight);
        }
    }

    #[inline(never)]
    fn choose(&mut self, domains: &impl Domains) -> usize {
        let n = self.n;
        let variable = match self.rows {
            RowOrder::First => self.free().next(),
            RowOrder::Smallest => self.free().min_by_key(|&variable| domains.size(variable)),
            RowOrder::MiddleOut => self.free().min_by_key(|&variable| distance(n, variable % n)),
            RowOrder::DomWdeg => {
                let ratio = |variable: usize| {
                    (domains.size(variable) as u64, self.weighted_degrees[variable] + self.shared_weight)
                };
                let is_less = |a: usize, b: usize| ratio(a).0 * ratio(b).1 < ratio(b).0 * ratio(a).1;
                self.free().reduce(|best, next| if is_less(next, best) { next } else { best })
            }
            RowOrder::Random => {
                let free_count = self.free().count();
                let index = self.random.usize(..free_count);
                self.free().nth(index)
            }
        };
        variable.unwrap_or(0)
    }

    /// Marks a variable as free again.
    #[inline]
    pub fn release(&mut self, variable: usize) {
        self.free[variable] = true;
        if self.rows == RowOrder::DomWdeg {
            self.change_weighted_degrees(variable, |sum, weight| *sum += weight);
        }
    }

    /// Changes the weighted degree of each variable by the weight of its pair with `variable`.
    #[inline(never)]
    fn change_weighted_degrees(&mut self, variable: usize, change: fn(&mut u64, u64)) {
        let variables = self.free.len();
        let weights = &self.weights[variable * variables..][..variables];
        self.weighted_degrees.iter_mut().zip(weights).for_each(|(sum, &weight)| change(sum, weight));
    }

    /// Increases the weight of the constraint that caused a failure, if the order is dom-wdeg. If the domains of several variables are
    /// empty, only the constraint on the first of these variables counts.
    #[inline]
    pub fn record_failure(&mut self, domains: &impl Domains, failure: Failure) {
        if self.rows == RowOrder::DomWdeg {
            self.increase_weight(domains, failure);
        }
    }

    #[inline(never)]
    fn increase_weight(&mut self, domains: &impl Domains, failure: Failure) {
        match failure {
            Failure::AllDifferent => self.shared_weight += 1,
            Failure::Wipeout(variable) => {
                let Some(wiped_variable) = first_wiped(domains, self.free()) else { return };
                for (variable, neighbour) in [(variable, wiped_variable), (wiped_variable, variable)] {
                    self.weights[variable * self.free.len() + neighbour] += 1;
                    self.weighted_degrees[variable] += u64::from(self.free[neighbour]);
                }
            }
        }
    }

    /// Whether the values of a variable are tried in ascending order.
    #[inline]
    pub fn is_ascending(&self) -> bool {
        self.values == ValueOrder::Lowest
    }

    /// Replaces the content of `values` by the values in the domain of a variable, in the order in which they are tried.
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

/// The integer part of a limit.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the cast of a float saturates")]
fn truncated(limit: f64) -> u64 {
    limit as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn restart_limits_follow_the_published_sequences() {
        let first_limits = |text: &str| restart_limits(text).take(15).collect::<Vec<_>>();
        assert_eq!(first_limits("luby:1"), [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
        assert_eq!(first_limits("luby:100")[..3], [100, 100, 200]);
        assert_eq!(first_limits("geometric:100:1.5")[..4], [100, 150, 225, 337]);
        assert_eq!(first_limits("none"), [u64::MAX]);
    }
}
