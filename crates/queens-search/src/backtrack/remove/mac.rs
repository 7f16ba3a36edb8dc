//! Maintaining arc consistency: after each queen, a square of a later row is removed if some row has only squares left
//! that it attacks, until nothing changes. The same is done before the first queen.
//! Source: Sabin & Freuder, "Contradicting conventional wisdom in constraint satisfaction", 1994. Branching is d-way:
//! nothing is concluded from a square that failed.

use super::domains::{Change, Domains};
use super::look_ahead::{self, Idea, SearchLimit};
use super::orders::{BRANCH, Failure, Orders, ROWS, VALUES};
use crate::backtrack::searcher::{Flow, Info, Order, Pruning, Searcher, Stat, Task, Visitor};

pub struct Mac;

impl Searcher for Mac {
    fn info(&self) -> Info {
        Info {
            about: "maintains arc consistency: keeps a square only if every other row has a compatible one (Sabin & Freuder 1994)"
                .into(),
            statistics: vec![Stat::Nodes, Stat::Failures, Stat::MaxDepth],
            order: Order::ByRow,
            options: vec![ROWS, VALUES, BRANCH],
            any_problem: true,
            tree: Some(Pruning::ArcConsistent),
            ..Info::named("backtrack/mac")
        }
    }

    fn run<V: Visitor>(&self, task: &Task<'_>, visitor: &mut V) -> Flow {
        let orders = Orders::of(task, &ROWS, &VALUES);
        look_ahead::search(Mac, task, orders, &mut std::iter::once(SearchLimit::NONE), visitor)
    }
}

impl<D: Domains> Idea<D> for Mac {
    #[inline]
    fn filter(&mut self, domains: &mut D, orders: &Orders) -> Result<(), Failure> {
        make_consistent(domains, orders)
    }
}

/// Removes squares until every square that is left has one in each other row, or other variable, that it does not attack, or one
/// has no square left.
pub fn make_consistent(domains: &mut impl Domains, orders: &Orders) -> Result<(), Failure> {
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for variable in orders.free() {
            if domains.size(variable) <= domains.most_support() {
                match domains.support(variable) {
                    Change::Nothing => {}
                    Change::Smaller => changed = true,
                    Change::Wiped => return Err(Failure::Of(variable)),
                }
            }
        }
    }
    Ok(())
}
