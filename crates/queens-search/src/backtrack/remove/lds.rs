//! Limited discrepancy search: forward checking that trusts its order of columns. A search may take at most k times a
//! column that is not the first one left, for k = 0, 1, 2, ... A search that no limit has cut short proves that there is
//! no solution. Goal first only: later searches visit the leaves of earlier ones again.
//! Source: Harvey & Ginsberg, "Limited discrepancy search", 1995.

use super::domains::Domains;
use super::look_ahead::{self, Idea, SearchLimit};
use super::orders::{BRANCH, Orders, ROWS, VALUES};
use crate::backtrack::searcher::{Flow, Info, Searcher, Stat, Task, Visitor};
use queens_solver::{Goal, SolverOption};

pub struct Lds;

const TRUSTED_ROWS: SolverOption = SolverOption { default: "smallest", ..ROWS };
const TRUSTED_VALUES: SolverOption = SolverOption { default: "middle-out", ..VALUES };

impl Searcher for Lds {
    fn info(&self) -> Info {
        Info {
            about: "forward checking that departs from its preferred order at most 0, 1, 2, ... times (Harvey & Ginsberg 1995)"
                .into(),
            statistics: vec![Stat::Nodes, Stat::Failures, Stat::MaxDepth, Stat::Restarts],
            goals: vec![Goal::First],
            options: vec![TRUSTED_ROWS, TRUSTED_VALUES, BRANCH],
            any_problem: true,
            ..Info::named("backtrack/lds")
        }
    }

    fn run<V: Visitor>(&self, task: &Task<'_>, visitor: &mut V) -> Flow {
        let orders = Orders::of(task, &TRUSTED_ROWS, &TRUSTED_VALUES);
        let mut limits = (0..).map(|discrepancies| SearchLimit { discrepancies, ..SearchLimit::NONE });
        look_ahead::search(Lds, task, orders, &mut limits, visitor)
    }
}

impl<D: Domains> Idea<D> for Lds {}
