//! Forward checking: a queen removes the squares that it attacks from the rows without a queen, and a row without a square left is
//! a dead end. The remaining squares need no test.
//! With `rows=smallest`, the row with the fewest squares left is next. With `restarts`, the search begins again after a number of
//! failures, which is useful only if its order is random or learned (`rows=dom-wdeg`).
//! A *check* tests one remaining square of a row without a queen. Rows after the first row without a square left are not tested.
//! Source: Haralick & Elliott, "Increasing tree search efficiency for constraint satisfaction problems", 1980.

use super::domains::Domains;
use super::look_ahead::{self, Idea, SearchLimit};
use super::orders::{self, BRANCH, Orders, RESTARTS, ROWS, VALUES};
use crate::backtrack::searcher::{Flow, Info, Order, Pruning, Searcher, Stat, Task, Visitor};
use queens_solver::Goal;

pub struct ForwardChecking;

impl Searcher for ForwardChecking {
    fn info(&self) -> Info {
        Info {
            about: "removes attacked squares from the rows below and sees empty rows at once (Haralick & Elliott 1980)"
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
            tree: Some(Pruning::Forward),
            ..Info::named("backtrack/forward-checking")
        }
    }

    fn objection(&self, task: &Task<'_>) -> Option<String> {
        let restarts = task.options.value(&RESTARTS);
        let all = task.goal != Goal::First && restarts != "none";
        all.then(|| format!("option restarts: '{restarts}' works only with the goal first: leave it out"))
    }

    fn run<V: Visitor>(&self, task: &Task<'_>, visitor: &mut V) -> Flow {
        let orders = Orders::of(task, &ROWS, &VALUES);
        let failures = orders::limits(task.options.value(&RESTARTS));
        let mut limits = failures.map(|failures| SearchLimit { failures, ..SearchLimit::NONE });
        look_ahead::search(ForwardChecking, task, orders, &mut limits, visitor)
    }
}

impl<D: Domains> Idea<D> for ForwardChecking {}
