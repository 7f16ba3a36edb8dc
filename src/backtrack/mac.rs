//! Maintaining arc consistency: after each queen, a square of a later row is removed if some row has only squares left
//! that it attacks, until nothing changes. The same is done before the first queen.
//! Source: Sabin & Freuder, "Contradicting conventional wisdom in constraint satisfaction", 1994. Branching is d-way:
//! nothing is concluded from a square that failed.

use super::domains::{Change, Domains};
use super::look_ahead::{self, LookAhead};
use super::orders::{Orders, ROWS, VALUES};
use super::{Counts, Flow, Idea, Searcher, TaskSearch, Visitor};
use crate::solver::{SolverOption, Stat, Task};

pub struct Mac;

impl Searcher for Mac {
    const IDEA: Idea = Idea {
        id: "backtrack/mac",
        about: "maintains arc consistency: keeps a square only if every other row has a compatible one (Sabin & Freuder 1994)",
        counts: Counts::Listed(&[Stat::Nodes, Stat::Failures, Stat::MaxDepth]),
        ..Idea::USUAL
    };
    const OPTIONS: &'static [SolverOption] = &[ROWS, VALUES];
    const ANY_PROBLEM: bool = true;
}

impl TaskSearch for Mac {
    fn search<V: Visitor>(task: &Task<'_>, visitor: &mut V) -> Flow {
        look_ahead::search::<Self, V>(task, visitor)
    }
}

impl<D: Domains> LookAhead<D> for Mac {
    #[inline]
    fn filter(domains: &mut D, orders: &Orders) -> bool {
        make_consistent(domains, orders)
    }
}

/// Removes squares until every square that is left has one in each other row that it does not attack. `false` if a
/// row has no square left.
pub fn make_consistent(domains: &mut impl Domains, orders: &Orders) -> bool {
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for row in orders.free() {
            if domains.size(row) <= domains.most_support() {
                match domains.support(row) {
                    Change::Nothing => {}
                    Change::Smaller => changed = true,
                    Change::Wiped => return false,
                }
            }
        }
    }
    true
}
