//! Limited discrepancy search: forward checking in iterations k = 0, 1, 2, ... A *discrepancy* is a decision for a column that
//! is not the first in the column order. Iteration k allows at most k discrepancies on each path. If an iteration without a solution
//! did not reach this limit, there is no solution. The search supports only goal first, because later iterations visit the leaves
//! of earlier iterations again.
//! Source: Harvey & Ginsberg, "Limited discrepancy search", 1995.

use super::domains::Domains;
use super::look_ahead::{self, LookAheadExtension, SearchLimit};
use super::orders::{BRANCH, Orders, ROWS, VALUES};
use crate::backtrack::searcher::{Flow, Info, Searcher, Stat, Task, Visitor};
use queens_solver::{Goal, SolverOption};

pub struct Lds;

const LDS_ROWS: SolverOption = SolverOption { default: "smallest", ..ROWS };
const LDS_VALUES: SolverOption = SolverOption { default: "middle-out", ..VALUES };

impl Searcher for Lds {
    fn info(&self) -> Info {
        Info {
            about: "forward checking that departs from its preferred order at most 0, 1, 2, ... times (Harvey & Ginsberg 1995)"
                .into(),
            statistics: vec![Stat::Nodes, Stat::Failures, Stat::MaxDepth, Stat::Restarts],
            goals: vec![Goal::First],
            options: vec![LDS_ROWS, LDS_VALUES, BRANCH],
            any_problem: true,
            ..Info::named("backtrack/lds")
        }
    }

    fn run<V: Visitor>(&self, task: &Task<'_>, visitor: &mut V) -> Flow {
        let orders = Orders::from_options(task, &LDS_ROWS, &LDS_VALUES);
        let mut limits = (0..).map(|discrepancies| SearchLimit { discrepancies, ..SearchLimit::NONE });
        look_ahead::search(Lds, task, orders, &mut limits, visitor)
    }
}

impl<D: Domains> LookAheadExtension<D> for Lds {}
