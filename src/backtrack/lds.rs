//! Limited discrepancy search: forward checking that trusts its order of columns. A search may take at most k times a
//! column that is not the first one left, for k = 0, 1, 2, ... A search that no limit has cut short proves that there is
//! no solution. Goal first only: later searches visit the leaves of earlier ones again.
//! Source: Harvey & Ginsberg, "Limited discrepancy search", 1995.

use super::domains::Domains;
use super::look_ahead::{self, Limit, LookAhead};
use super::orders::{ROWS, VALUES};
use super::{Counts, Flow, Idea, Order, Searcher, TaskSearch, Visitor};
use crate::solver::{Goal, SolverOption, Stat, Task};

pub struct Lds;

const TRUSTED_ROWS: SolverOption = SolverOption { default: "smallest", ..ROWS };
const TRUSTED_VALUES: SolverOption = SolverOption { default: "middle-out", ..VALUES };

impl Searcher for Lds {
    const IDEA: Idea = Idea {
        id: "backtrack/lds",
        about: "forward checking that departs from its preferred order at most 0, 1, 2, ... times (Harvey & Ginsberg 1995)",
        counts: Counts::Listed(&[Stat::Nodes, Stat::Failures, Stat::MaxDepth, Stat::Restarts]),
        order: Order::Unspecified,
        ..Idea::USUAL
    };
    const OPTIONS: &'static [SolverOption] = &[TRUSTED_ROWS, TRUSTED_VALUES];
    const GOALS: &'static [Goal] = &[Goal::First];
    const ANY_PROBLEM: bool = true;
}

impl TaskSearch for Lds {
    fn search<V: Visitor>(task: &Task<'_>, visitor: &mut V) -> Flow {
        look_ahead::search::<Self, V>(task, visitor)
    }
}

impl<D: Domains> LookAhead<D> for Lds {
    const ROWS: SolverOption = TRUSTED_ROWS;
    const VALUES: SolverOption = TRUSTED_VALUES;

    fn limits(_task: &Task<'_>) -> Box<dyn Iterator<Item = Limit>> {
        Box::new((0..).map(|discrepancies| Limit { discrepancies, ..Limit::NONE }))
    }
}
