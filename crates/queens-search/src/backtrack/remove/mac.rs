//! Maintaining arc consistency (MAC): before the first queen and after each queen, every square that attacks all remaining squares
//! of some row is removed. This is repeated until a fixpoint.
//! Source: Sabin & Freuder, "Contradicting conventional wisdom in constraint satisfaction", 1994. Unlike in this paper, branching
//! is d-way: a square that failed is not removed from its domain before the next square is tried.

use super::domains::{Change, Domains};
use super::look_ahead::{self, LookAheadExtension, SearchLimit};
use super::orders::{BRANCH, Failure, Orders, ROWS, VALUES};
use crate::backtrack::searcher::{Flow, Info, Order, Pruning, Searcher, Stat, Task, Visitor};

pub struct Mac;

impl Searcher for Mac {
    fn info(&self) -> Info {
        Info {
            about: "maintains arc consistency: each square has a compatible square in every other row (Sabin & Freuder 1994)"
                .into(),
            statistics: vec![Stat::Nodes, Stat::Failures, Stat::MaxDepth],
            order: Order::ByRow,
            options: vec![ROWS, VALUES, BRANCH],
            any_problem: true,
            pruning: Some(Pruning::ArcConsistent),
            ..Info::named("backtrack/mac")
        }
    }

    fn run<V: Visitor>(&self, task: &Task<'_>, visitor: &mut V) -> Flow {
        let orders = Orders::from_options(task, &ROWS, &VALUES);
        look_ahead::search(Mac, task, orders, &mut std::iter::once(SearchLimit::NONE), visitor)
    }
}

impl<D: Domains> LookAheadExtension<D> for Mac {
    #[inline]
    fn filter(&mut self, domains: &mut D, orders: &Orders) -> Result<(), Failure> {
        make_consistent(domains, orders)
    }
}

/// Makes the domains arc-consistent: removes squares until every square has support in each other variable, which is a square that it
/// does not attack.
///
/// # Errors
///
/// A variable has no remaining value.
pub fn make_consistent(domains: &mut impl Domains, orders: &Orders) -> Result<(), Failure> {
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for variable in orders.free() {
            if domains.size(variable) <= domains.max_support() {
                match domains.remove_unsupported(variable) {
                    Change::Nothing => {}
                    Change::Smaller => changed = true,
                    Change::Wiped => return Err(Failure::Wipeout(variable)),
                }
            }
        }
    }
    Ok(())
}
