//! Limited discrepancy search: forward checking that trusts its order of columns. A search may take at most k times a
//! column that is not the first one left, for k = 0, 1, 2, ... A search that no limit has cut short proves that there is
//! no solution. Goal first only: later searches visit the leaves of earlier ones again.
//! Source: Harvey & Ginsberg, "Limited discrepancy search", 1995.

use super::domains::{Domains, LookAhead, first_wiped, look_ahead};
use super::orders::{Orders, ROWS, VALUES};
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

struct Board<'v, D, V: ?Sized> {
    visitor: &'v mut V,
    queens: Vec<u16>,
    domains: D,
    orders: Orders,
    /// The columns that are tried at each level.
    columns: Vec<Vec<u16>>,
    /// Whether the limit has kept the search from trying a column.
    was_cut: bool,
}

impl TaskSearch for Lds {
    fn search<V: Visitor>(task: &Task<'_>, visitor: &mut V) -> Flow {
        look_ahead::<Self, V>(task, visitor)
    }
}

impl LookAhead for Lds {
    fn search<D: Domains, V: Visitor + ?Sized>(task: &Task<'_>, visitor: &mut V) -> Flow {
        let n = task.n().get();
        let mut board = Board {
            visitor,
            queens: vec![0; n],
            domains: D::of(&task.problem),
            orders: Orders::of(task, &TRUSTED_ROWS, &TRUSTED_VALUES),
            columns: vec![Vec::new(); n],
            was_cut: false,
        };
        if first_wiped(&board.domains, 0..n).is_some() {
            board.visitor.node(0)?;
            board.visitor.dead_end(0);
            return Flow::Continue(());
        }
        for limit in 0.. {
            board.place(0, limit)?;
            if !std::mem::take(&mut board.was_cut) {
                break;
            }
            board.visitor.restart();
        }
        Flow::Continue(())
    }
}

impl<D: Domains, V: Visitor + ?Sized> Board<'_, D, V> {
    fn place(&mut self, level: usize, exceptions: usize) -> Flow {
        self.visitor.node(level)?;
        if level == self.queens.len() {
            return self.visitor.solution(&self.queens);
        }
        let row = self.orders.take(&self.domains, level);
        let mut columns = std::mem::take(&mut self.columns[level]);
        self.orders.columns(&self.domains, row, &mut columns);
        let allowed = if exceptions == 0 { 1 } else { columns.len() };
        self.was_cut |= allowed < columns.len();
        for (index, &column) in columns.iter().enumerate().take(allowed) {
            self.queens[row] = column;
            if self.domains.place(row, column.into()) {
                self.place(level + 1, exceptions - usize::from(index > 0))?;
            } else {
                self.visitor.node(level + 1)?;
                self.visitor.dead_end(level + 1);
                self.orders.blame(&self.domains, row);
            }
            self.domains.undo();
        }
        self.columns[level] = columns;
        self.orders.give_back(row);
        Flow::Continue(())
    }
}
