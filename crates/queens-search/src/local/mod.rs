//! Local search: starts from a board with a queen in every row, and moves queens until none attacks another. Local search is
//! incomplete: it supports only goal first, and only sizes that have a solution. It ends with a solution or at a limit of its budget.
//!
//! `Attacks` counts the queens on each line of a board, `UnusedColumns` lists the columns without a queen, and `Effort` counts the steps of
//! a search.

mod min_conflicts;
mod queen_search;

use queens_board::{self as board, BoardSize};
use queens_solver::{Goal, Info, Outcome, Sink, SolveError, Solver, SolverOption, Stat, Stop, Task};

/// Every solver of this family.
pub fn solvers() -> Vec<Box<dyn Solver>> {
    vec![Box::new(min_conflicts::MIN_CONFLICTS), Box::new(queen_search::QUEEN_SEARCH)]
}

/// A local search.
struct LocalSearch {
    id: &'static str,
    about: &'static str,
    /// The description of the option `start`.
    about_start: &'static str,
    solve: fn(&Task<'_>, Start, &mut Effort<'_>) -> Result<Vec<u32>, Stop>,
}

impl LocalSearch {
    fn start_option(&self) -> SolverOption {
        SolverOption { name: "start", values: Start::WORDS, default: "greedy", about: self.about_start }
    }
}

impl Solver for LocalSearch {
    fn info(&self) -> Info {
        Info {
            about: self.about.to_owned(),
            goals: vec![Goal::First],
            uses_seed: true,
            sizes: 4..=BoardSize::LARGEST,
            sizes_reason: "boards of 2 and 3 have no solution, which local search cannot prove",
            statistics: vec![Stat::Restarts, Stat::Repairs, Stat::StartConflicts],
            options: vec![self.start_option()],
            ..Info::named(self.id)
        }
    }

    fn search(&self, task: &Task<'_>, sink: &mut dyn Sink) -> Result<Outcome, SolveError> {
        let mut effort = Effort::new(task);
        let start = Start::named(task.options.value(&self.start_option())).unwrap_or(Start::Greedy);
        let result = (self.solve)(task, start, &mut effort);
        Ok(effort.outcome(result, sink))
    }
}

/// The number of steps between two checks of the budget, at which progress is also reported.
const POLL_INTERVAL: u64 = 1 << 12;

/// The number of queens on each column and diagonal.
struct Attacks {
    n: usize,
    columns: Vec<u32>,
    rising: Vec<u32>,
    falling: Vec<u32>,
}

impl Attacks {
    fn empty(n: usize) -> Self {
        let diagonals = vec![0; 2 * n];
        Self { n, columns: vec![0; n], rising: diagonals.clone(), falling: diagonals }
    }

    fn put(&mut self, row: usize, column: usize) {
        self.columns[column] += 1;
        self.rising[row + column] += 1;
        self.falling[self.n + column - row] += 1;
    }

    fn remove(&mut self, row: usize, column: usize) {
        self.columns[column] -= 1;
        self.rising[row + column] -= 1;
        self.falling[self.n + column - row] -= 1;
    }

    /// The sum of the numbers of queens on the column and the two diagonals of a square. A queen on the square itself counts three
    /// times.
    fn queens_on_lines(&self, row: usize, column: usize) -> u32 {
        self.columns[column] + self.rising[row + column] + self.falling[self.n + column - row]
    }

    /// The sum over columns and diagonals of the number of queens after the first; 0 for a solution.
    fn conflicts(&self) -> u64 {
        let lines = [&self.columns, &self.rising, &self.falling];
        lines.into_iter().flatten().map(|&queens| u64::from(queens.saturating_sub(1))).sum()
    }

    /// Whether another queen attacks the queen on a square.
    fn is_attacked(&self, row: usize, column: usize) -> bool {
        self.queens_on_lines(row, column) > 3
    }
}

/// The columns without a queen.
struct UnusedColumns {
    /// The columns, in any order.
    columns: Vec<u32>,
    /// By column, its index in `columns`; meaningless for a column with a queen.
    indices: Vec<u32>,
}

impl UnusedColumns {
    fn of_empty_board(n: usize) -> Self {
        let columns: Vec<u32> = (0..n).map(board::column).collect();
        Self { indices: columns.clone(), columns }
    }

    fn add(&mut self, column: usize) {
        self.indices[column] = board::column(self.columns.len());
        self.columns.push(board::column(column));
    }

    fn remove(&mut self, column: usize) {
        let index = self.indices[column] as usize;
        self.columns.swap_remove(index);
        if let Some(&moved_column) = self.columns.get(index) {
            self.indices[moved_column as usize] = board::column(index);
        }
    }
}

queens_board::words! {
    /// The initial placement of the queens.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Start {
        /// Row by row, each queen on a square with the fewest attackers.
        Greedy = "greedy",
        /// Random columns.
        Random = "random",
    }
}

/// The counters of a local search, and its budget.
struct Effort<'a> {
    task: &'a Task<'a>,
    /// The conflicts of the first full board; `None` before the first full board, and always `None` in timed runs.
    start_conflicts: Option<u64>,
    repairs: u64,
    restarts: u64,
    steps: u64,
}

impl<'a> Effort<'a> {
    fn new(task: &'a Task<'a>) -> Self {
        Self { task, start_conflicts: None, repairs: 0, restarts: 0, steps: 0 }
    }

    /// Counts the conflicts of the first full board, in a counting run. Later calls do nothing.
    fn record_start(&mut self, attacks: &Attacks) {
        if self.task.counting {
            self.start_conflicts.get_or_insert_with(|| attacks.conflicts());
        }
    }

    /// Counts one step, and checks the budget every few thousand steps. Returns the exceeded limit, if any.
    fn step(&mut self) -> Option<Stop> {
        self.steps += 1;
        if !self.steps.is_multiple_of(POLL_INTERVAL) {
            return None;
        }
        self.task.progress.advance(self.steps, 0);
        self.task.budget.exceeded(self.steps)
    }

    /// The outcome: a solution, or the reason for giving up.
    fn outcome(&self, result: Result<Vec<u32>, Stop>, sink: &mut dyn Sink) -> Outcome {
        let mut outcome = Outcome::default();
        match result {
            Ok(columns) => {
                let _ = sink.solution(&columns);
                outcome.solutions = 1;
            }
            Err(stop) => outcome.stopped = Some(stop),
        }
        if self.task.counting {
            outcome.stats = [(Stat::Restarts, self.restarts), (Stat::Repairs, self.repairs)].into();
            outcome.stats.set(Stat::StartConflicts, self.start_conflicts);
        }
        outcome
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens_board::is_solution;
    use queens_solver::Options;
    use queens_solver::sink::First;

    /// Solves a board in a counting run. Returns the columns of the queens, and the outcome.
    fn solve(solver: &dyn Solver, n: usize, seed: u64, options: &str) -> (Vec<u32>, Outcome) {
        let options = Options::parse(options, &solver.info()).expect("declared");
        let task = Task::new(BoardSize::large(n).expect("a size"), Goal::First);
        let mut sink = First::default();
        let outcome =
            solver.solve(&Task { counting: true, seed, options, ..task }, &mut sink).expect("solved");
        (sink.0.expect("a board").columns().to_vec(), outcome)
    }

    #[test]
    fn small_boards_are_solved_equally_for_equal_seeds() {
        for solver in solvers() {
            for n in 4..=40 {
                for seed in 0..4 {
                    let (board, outcome) = solve(solver.as_ref(), n, seed, "");
                    assert!(board.len() == n && is_solution(&board), "{}, n = {n}", solver.id());
                    let (repeated_board, repeated_outcome) = solve(solver.as_ref(), n, seed, "");
                    assert_eq!((board, outcome.stats), (repeated_board, repeated_outcome.stats));
                }
            }
        }
    }

    /// For n = 6, there are only four solutions, so many starts do not lead to a solution.
    #[test]
    fn local_search_restarts_if_repair_fails() {
        for solver in solvers() {
            let restarts = |seed| {
                let (board, outcome) = solve(solver.as_ref(), 6, seed, "");
                assert!(is_solution(&board));
                outcome.stats.get(Stat::Restarts).expect("counted")
            };
            let max_restarts = (0..40).map(restarts).max();
            assert!(max_restarts > Some(1), "{}: {max_restarts:?}", solver.id());
        }
    }

    /// According to Minton et al. (1992), a search needs about 50 repairs from a greedy start, for every n. From a random start, it
    /// needs a number of repairs that is proportional to n.
    #[test]
    fn greedy_start_needs_fewer_repairs_than_random_start() {
        let repairs = |start| {
            let runs = (0..5).map(|seed| solve(&min_conflicts::MIN_CONFLICTS, 500, seed, start).1);
            runs.map(|outcome| outcome.stats.get(Stat::Repairs).expect("counted")).sum::<u64>()
        };
        assert!(repairs("start=greedy") * 2 < repairs("start=random"));
    }

    /// On a random permutation, the number of queens on a diagonal is nearly Poisson-distributed. Therefore, the expected number of
    /// conflicts is 2 - 4/e = 0.5285 per queen.
    #[test]
    fn queen_search_solves_100000_queens_from_either_start() {
        let n = 100_000_u32;
        let conflicts = ["start=greedy", "start=random"].map(|start| {
            let (board, outcome) = solve(&queen_search::QUEEN_SEARCH, n as usize, 1, start);
            assert!(board.len() == n as usize && is_solution(&board));
            // One exchange reduces the number of conflicts by at most a small constant.
            let has_few_conflicts = outcome.stats.get(Stat::StartConflicts) < Some(u64::from(n) / 50);
            let has_many_repairs = outcome.stats.get(Stat::Repairs) > Some(u64::from(n) / 50);
            assert!(has_few_conflicts || has_many_repairs, "{start}");
            outcome.stats.get(Stat::StartConflicts).expect("counted") as f64 / f64::from(n)
        });
        assert!(conflicts[0] < 0.02, "{conflicts:?}");
        assert!((conflicts[1] - (2.0 - 4.0 / std::f64::consts::E)).abs() < 0.005, "{conflicts:?}");
    }

    #[test]
    fn local_search_stops_at_its_node_limit() {
        for solver in solvers() {
            let budget = queens_solver::Budget { node_limit: Some(1), ..Default::default() };
            let task = Task { budget, ..Task::new(BoardSize::large(50_000).expect("a size"), Goal::First) };
            let outcome = solver.solve(&task, &mut First::default()).expect("no failure");
            assert_eq!((outcome.solutions, outcome.stopped), (0, Some(Stop::NodeLimit)));
        }
    }
}
