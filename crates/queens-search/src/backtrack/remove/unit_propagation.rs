//! Unit propagation, as in SAT solvers: as long as a row or a column has exactly one remaining square, a queen is placed there. The
//! search branches on the squares of a row. A node consists of the decisions so far and all propagated queens.
//! Source: Kullmann, OKlibrary, Satisfiability/Transformers/Generators/Queens, 2020.

use super::domains::{Domains, Masks, Members};
use crate::backtrack::searcher::{Flow, Info, Order, Searcher, Stat, Task, Visitor};
use queens_board as board;
use queens_solver::SolverOption;

pub struct UnitPropagation;

const ROWS: SolverOption = SolverOption {
    name: "rows",
    values: &["first", "smallest", "largest"],
    default: "first",
    about: "the row whose squares are tried: the topmost row, or the row with the fewest or the most remaining columns",
};

impl Searcher for UnitPropagation {
    fn info(&self) -> Info {
        Info {
            about: "puts a queen on the only remaining square of a row or column at once (Kullmann 2020)"
                .into(),
            sizes: 0..=Masks::MAX,
            sizes_reason: "a mask has 64 bits",
            statistics: vec![Stat::Nodes, Stat::Failures, Stat::MaxDepth, Stat::InnerNodes],
            order: Order::ByRow,
            options: vec![ROWS],
            any_problem: true,
            ..Info::named("backtrack/unit-propagation")
        }
    }

    fn run<V: Visitor>(&self, task: &Task<'_>, visitor: &mut V) -> Flow {
        let n = task.n().get();
        let rank: fn(u32) -> u32 = match task.options.value(&ROWS) {
            "smallest" => |columns| columns,
            "largest" => |columns| u32::MAX - columns,
            _ => |_| 0,
        };
        let free = (0..n).map(|row| 1 << row).sum();
        let domains = Masks::initial(&task.problem);
        let remaining_columns = [0; Masks::MAX];
        Search { visitor, queens: vec![0; n], domains, free, remaining_columns, rank }.visit()
    }
}

struct Search<'v, V> {
    visitor: &'v mut V,
    queens: Vec<u32>,
    domains: Masks,
    /// The rows without a queen.
    free: u64,
    /// For each row without a queen, its remaining columns. Used by `propagate`.
    remaining_columns: [u64; Masks::MAX],
    /// Maps the number of remaining columns of a row to a rank; the search branches on the row with the smallest rank.
    rank: fn(u32) -> u32,
}

impl<V: Visitor> Search<'_, V> {
    /// Propagates after the last decision, and visits the resulting node and its subtree.
    fn visit(&mut self) -> Flow {
        let free_before = self.free;
        let is_alive = self.propagate();
        let level = self.queens.len() - self.free.count_ones() as usize;
        self.visitor.node(level)?;
        if !is_alive {
            self.visitor.dead_end(level);
        } else if self.free == 0 {
            self.visitor.solution(&self.queens)?;
        } else {
            self.branch()?;
        }
        Members(free_before & !self.free).for_each(|_| self.domains.undo());
        self.free = free_before;
        Flow::Continue(())
    }

    fn branch(&mut self) -> Flow {
        let row = Members(self.free)
            .min_by_key(|&row| (self.rank)(self.domains.row(row).count_ones()))
            .unwrap_or(0);
        for column in self.domains.values(row) {
            self.put(row, column);
            self.visit()?;
            self.domains.undo();
            self.free |= 1 << row;
        }
        Flow::Continue(())
    }

    fn put(&mut self, row: usize, column: usize) {
        self.queens[row] = board::column(column);
        self.domains.place(row, column);
        self.free &= !(1 << row);
    }

    /// Places a queen in each row and each column with exactly one remaining square, until a fixpoint. Returns `false` if a row or a
    /// column without a queen has no remaining square.
    fn propagate(&mut self) -> bool {
        loop {
            // The columns with a remaining square in at least one row, and those with remaining squares in at least two rows.
            let (mut in_any_row, mut in_several_rows) = (0_u64, 0);
            for row in Members(self.free) {
                let columns = self.domains.row(row);
                if columns == 0 {
                    return false;
                }
                self.remaining_columns[row] = columns;
                in_several_rows |= in_any_row & columns;
                in_any_row |= columns;
            }
            if in_any_row.count_ones() < self.free.count_ones() {
                return false;
            }
            let columns_in_one_row = in_any_row & !in_several_rows;
            let forced_columns = |row: usize| {
                let columns = self.remaining_columns[row];
                if columns.is_power_of_two() { columns } else { columns & columns_in_one_row }
            };
            let Some((row, square)) = Members(self.free)
                .map(|row| (row, forced_columns(row)))
                .find(|(_, forced_columns)| *forced_columns != 0)
            else {
                return true;
            };
            self.put(row, square.trailing_zeros() as usize);
        }
    }
}
