//! Forward checking: a queen removes the squares that it attacks from the rows below, and a row without a square left is
//! a dead end at once. Squares that are left need no test.
//! With `rows=smallest` the row with the fewest squares left is next; with `restarts` the search begins again when it has
//! failed too often, which pays if something in it is random or learned (`rows=dom-wdeg`).
//! A *check* tests one square that is left in a later row; rows after the first one without a square are not tested.
//! Source: Haralick & Elliott, "Increasing tree search efficiency for constraint satisfaction problems", 1980.

use super::domains::{Domains, first_wiped};
use super::look_ahead::{self, Board, Limit, LookAhead};
use super::orders::{self, RESTARTS, ROWS, VALUES};
use super::{Counts, Flow, Idea, Searcher, TaskSearch, Visitor};
use crate::solver::{Goal, SolverOption, Stat, Task};

pub struct ForwardChecking;

impl Searcher for ForwardChecking {
    const IDEA: Idea = Idea {
        id: "backtrack/forward-checking",
        about: "removes attacked squares from the rows below and sees empty rows at once (Haralick & Elliott 1980)",
        counts: Counts::Listed(&[
            Stat::Nodes,
            Stat::Failures,
            Stat::MaxDepth,
            Stat::ConsistencyChecks,
            Stat::Restarts,
        ]),
        ..Idea::USUAL
    };
    const OPTIONS: &'static [SolverOption] = &[ROWS, VALUES, RESTARTS];
    const ANY_PROBLEM: bool = true;

    fn objection(task: &Task<'_>) -> Option<String> {
        let restarts = task.options.value(&RESTARTS);
        let all = task.goal != Goal::First && restarts != "none";
        all.then(|| format!("option restarts: '{restarts}' works only with the goal first: leave it out"))
    }
}

impl TaskSearch for ForwardChecking {
    fn search<V: Visitor>(task: &Task<'_>, visitor: &mut V) -> Flow {
        look_ahead::search::<Self, V>(task, visitor)
    }
}

impl<D: Domains> LookAhead<D> for ForwardChecking {
    fn limits(task: &Task<'_>) -> Box<dyn Iterator<Item = Limit>> {
        let limits = orders::limits(task.options.value(&RESTARTS));
        Box::new(limits.map(|failures| Limit { failures, ..Limit::NONE }))
    }

    #[inline]
    fn put<V: Visitor + ?Sized>(board: &mut Board<'_, D, V>, row: usize, column: usize) -> bool {
        let Board { visitor, domains, orders, .. } = board;
        if !visitor.counts() {
            return domains.place(row, column);
        }
        let tests: Vec<_> = orders.free().map(|row| (row, domains.size(row) as u64)).collect();
        let alive = domains.place(row, column);
        let wiped = if alive { None } else { first_wiped(domains, orders.free()) };
        let tested = tests.iter().filter(|(row, _)| wiped.is_none_or(|wiped| *row <= wiped));
        visitor.consistency_checks(tested.map(|(_, tests)| tests).sum());
        wiped.is_none()
    }
}
