//! Forward checking: after a queen is placed, the squares that it attacks are removed from the domains of the rows without a queen.
//! If a domain becomes empty, the node is a dead end. No square in a domain is attacked, so squares need no test when they are
//! tried. With `rows=smallest`, the row with the smallest domain gets the next queen. With `restarts`, the search begins again
//! after a number of failures. Restarts are useful only if the order of the search is random or learned (`rows=dom-wdeg`).
//! A *check* tests one square in the domain of a row without a queen. Rows after the first empty domain are not tested.
//! Source: Haralick & Elliott, "Increasing tree search efficiency for constraint satisfaction problems", 1980.

use super::domains::Domains;
use super::look_ahead::{self, LookAheadExtension, SearchLimit};
use super::orders::{self, BRANCH, Orders, RESTARTS, ROWS, VALUES};
use crate::backtrack::searcher::{Flow, Info, Order, Pruning, Searcher, Stat, Task, Visitor};
use queens_solver::Goal;

pub struct ForwardChecking;

impl Searcher for ForwardChecking {
    fn info(&self) -> Info {
        Info {
            about: "removes attacked squares from the rows without a queen; an empty row is a dead end (Haralick & Elliott 1980)"
                .into(),
            statistics: vec![
                Stat::Nodes,
                Stat::Failures,
                Stat::MaxDepth,
                Stat::ConsistencyChecks,
                Stat::Restarts,
            ],
            order: Order::ByRow,
            options: vec![ROWS, VALUES, RESTARTS, BRANCH],
            any_problem: true,
            pruning: Some(Pruning::Forward),
            ..Info::named("backtrack/forward-checking")
        }
    }

    fn objection(&self, task: &Task<'_>) -> Option<String> {
        let restarts = task.options.value(&RESTARTS);
        let is_refused = task.goal != Goal::First && restarts != "none";
        is_refused.then(|| format!("restarts={restarts} works only with goal first: omit this option"))
    }

    fn run<V: Visitor>(&self, task: &Task<'_>, visitor: &mut V) -> Flow {
        let orders = Orders::from_options(task, &ROWS, &VALUES);
        let failures = orders::restart_limits(task.options.value(&RESTARTS));
        let mut limits = failures.map(|failures| SearchLimit { failures, ..SearchLimit::NONE });
        look_ahead::search(ForwardChecking, task, orders, &mut limits, visitor)
    }
}

impl<D: Domains> LookAheadExtension<D> for ForwardChecking {}
