//! Estimates the size of a search tree by random probes. A probe walks from the root to a leaf and chooses each child with
//! equal probability; on each level, the product of the numbers of children so far is an unbiased estimate of the
//! number of nodes. The estimate is the mean of many probes, and its standard error follows from their variance.
//!
//! The tree is defined by the squares that a queen removes ([`Pruning`]), not by the code of the searcher. A test compares this
//! tree with the nodes that the searcher visits. A searcher whose next step depends on earlier failures (backjumping, restarts,
//! `rows=dom-wdeg`) has no such tree.
//! Cost of a probe: one placement per level, which takes O(n) time up to n = 64 without arc consistency.
//! Source: Knuth, "Estimating the efficiency of backtrack programs", 1975.

use rayon::prelude::*;

use super::remove::domains::{Domains, LineDomains, Masks, first_wiped};
use super::remove::mac::make_consistent;
use super::remove::orders::{BRANCH, Orders, RESTARTS, ROWS, RowOrder, VALUES};
use queens_solver::{Pruning, Task};

/// The reason why the tree of a task cannot be estimated: an option makes the search depend on random numbers or earlier failures, or
/// it selects a tree that probes do not model. `None` if the tree can be estimated.
pub fn objection(task: &Task<'_>) -> Option<String> {
    let rows = RowOrder::named(task.options.value(&ROWS));
    let restarts = task.options.value(&RESTARTS);
    if let Some(rows @ (RowOrder::Random | RowOrder::DomWdeg)) = rows {
        return Some(format!("rows={} has no fixed search tree: choose another order of rows", rows.name()));
    }
    if task.options.value(&BRANCH) != BRANCH.default {
        return Some("branch=dual has a search tree that cannot be estimated: omit this option".to_owned());
    }
    (restarts != "none").then(|| format!("restarts={restarts} has no fixed search tree: omit this option"))
}

/// The estimate of the expected value of a probe, from independent probes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ProbeEstimate {
    /// The mean of the probes.
    pub mean: f64,
    /// The standard error of the mean.
    pub standard_error: f64,
    probes: f64,
    /// The sum of the squared deviations from the mean.
    squared_deviations: f64,
}

impl ProbeEstimate {
    /// Adds the value of a probe. Source: Welford, "Note on a method for calculating corrected sums of squares and products", 1962.
    fn add(&mut self, value: f64) {
        self.probes += 1.0;
        let deviation = value - self.mean;
        self.mean += deviation / self.probes;
        self.squared_deviations += deviation * (value - self.mean);
        self.set_error();
    }

    fn set_error(&mut self) {
        let variance = self.squared_deviations / (self.probes - 1.0).max(1.0);
        self.standard_error = (variance / self.probes).sqrt();
    }

    /// Adds the probes of another estimate. Source: Chan, Golub and LeVeque, "Updating formulae and a pairwise algorithm
    /// for computing sample variances", 1979.
    fn merge(&mut self, other: &Self) {
        let probes = self.probes + other.probes;
        let difference = other.mean - self.mean;
        self.mean += difference * other.probes / probes;
        self.squared_deviations +=
            other.squared_deviations + difference * difference * self.probes * other.probes / probes;
        self.probes = probes;
        self.set_error();
    }

    /// The 95 % interval by the normal approximation; its lower end is at least 0. `None` if every probe has the value 0, because
    /// then the variance says nothing about the error.
    pub fn interval(&self) -> Option<(f64, f64)> {
        let margin = 1.959_964 * self.standard_error;
        (self.mean > 0.0).then(|| ((self.mean - margin).max(0.0), self.mean + margin))
    }
}

/// The estimated sizes of a tree.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The number of nodes on each level from 0 to n. The root is level 0, and the solutions are level n.
    pub levels: Vec<ProbeEstimate>,
    /// The number of nodes on all levels.
    pub nodes: ProbeEstimate,
}

/// A callback that receives the number of probes so far, and the estimates from them.
pub type TreeObserver<'a> = dyn FnMut(u64, &Tree) + 'a;

impl Tree {
    /// The estimates before the first probe.
    fn empty(n: usize) -> Self {
        Self { levels: vec![ProbeEstimate::default(); n + 1], nodes: ProbeEstimate::default() }
    }

    fn merge(&mut self, other: &Self) {
        self.levels.iter_mut().zip(&other.levels).for_each(|(level, other)| level.merge(other));
        self.nodes.merge(&other.nodes);
    }
}

/// The number of probes in a batch. Each batch runs on one thread and has a separate random generator.
const PROBES_PER_BATCH: u64 = 1 << 16;

/// The number of batches per thread between two calls of the observer.
const BATCHES_PER_THREAD: u64 = 8;

/// Estimates the tree of a task from `probes` probes. The result depends on the seed of the task, but not on the number of threads.
/// `None` if an estimate exceeds the range of `f64`. Calls `observer` after every few batches of probes, and at the end.
///
/// # Errors
///
/// The system cannot start the threads.
pub fn estimate(
    task: &Task<'_>,
    pruning: Pruning,
    probes: u64,
    observer: &mut TreeObserver<'_>,
) -> Result<Option<Tree>, rayon::ThreadPoolBuildError> {
    let threads = rayon::ThreadPoolBuilder::new().num_threads(task.threads.get()).build()?;
    let fits_masks = task.n().get() <= Masks::MAX;
    let estimate_batch = if fits_masks { estimate_batch::<Masks> } else { estimate_batch::<LineDomains> };
    let mut tree = Tree::empty(task.n().get());
    let batches = probes.div_ceil(PROBES_PER_BATCH);
    let round_size = BATCHES_PER_THREAD * threads.current_num_threads() as u64;
    let mut start = 0;
    while start < batches {
        let end = batches.min(start + round_size);
        let batch = |batch: u64| {
            let probes_before = batch * PROBES_PER_BATCH;
            estimate_batch(task, pruning, batch, PROBES_PER_BATCH.min(probes - probes_before))
        };
        let round: Vec<u64> = (start..end).collect();
        let trees: Vec<Tree> = threads.install(|| round.into_par_iter().with_max_len(1).map(batch).collect());
        // Merging in the order of the batches makes the floating-point sums independent of the threads.
        trees.iter().for_each(|batch| tree.merge(batch));
        start = end;
        observer(probes.min(end * PROBES_PER_BATCH), &tree);
    }
    Ok(tree.nodes.squared_deviations.is_finite().then_some(tree))
}

/// Estimates the tree from the probes of one batch.
fn estimate_batch<D: Domains>(task: &Task<'_>, pruning: Pruning, batch: u64, probes: u64) -> Tree {
    let mut level_sizes = vec![0.0; task.n().get() + 1];
    let mut tree = Tree::empty(task.n().get());
    // Tasks with different seeds must not have equal batches, even if the seeds are consecutive.
    let mut random =
        fastrand::Rng::with_seed(task.seed.wrapping_add(batch.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
    let mut position = ProbePosition::<D>::root(task, pruning);
    for _ in 0..probes {
        position.probe(&mut |children| random.usize(..children), &mut level_sizes);
        tree.levels.iter_mut().zip(&level_sizes).for_each(|(level, &nodes)| level.add(nodes));
        tree.nodes.add(level_sizes.iter().sum());
    }
    tree
}

/// The node of the tree that a probe has reached.
struct ProbePosition<D> {
    domains: D,
    orders: Orders,
    pruning: Pruning,
    /// Whether the root may have children or is a solution.
    is_root_alive: bool,
    /// The columns of the children of the current node.
    columns: Vec<usize>,
    /// The rows with a queen, in the order of the levels.
    rows: Vec<usize>,
}

impl<D: Domains> ProbePosition<D> {
    fn root(task: &Task<'_>, pruning: Pruning) -> Self {
        let mut domains = D::initial(&task.problem);
        let orders = Orders::from_options(task, &ROWS, &VALUES);
        let is_root_alive = match pruning {
            Pruning::Nothing => true,
            _ if first_wiped(&domains, orders.free()).is_some() => false,
            Pruning::Forward => true,
            Pruning::ArcConsistent => make_consistent(&mut domains, &orders).is_ok(),
        };
        Self { domains, orders, pruning, is_root_alive, columns: Vec::new(), rows: Vec::new() }
    }

    /// Runs one probe: `choose` receives the number of children and returns the index of a child. Writes the estimated number of
    /// nodes of each level to `level_sizes`.
    fn probe(&mut self, choose: &mut dyn FnMut(usize) -> usize, level_sizes: &mut [f64]) {
        level_sizes.fill(0.0);
        level_sizes[0] = 1.0;
        let mut is_alive = self.is_root_alive;
        let mut queens = 0;
        while is_alive && self.rows.len() + 1 < level_sizes.len() {
            let row = self.orders.take_next(&self.domains, self.rows.len());
            self.rows.push(row);
            self.orders.values(&self.domains, row, &mut self.columns);
            if self.columns.is_empty() {
                break;
            }
            let level = self.rows.len();
            level_sizes[level] = level_sizes[level - 1] * self.columns.len() as f64;
            let column = self.columns[choose(self.columns.len())];
            is_alive = self.put(row, column);
            queens += 1;
        }
        (0..queens).for_each(|_| self.domains.undo());
        self.rows.drain(..).rev().for_each(|row| self.orders.release(row));
    }

    /// Puts a queen on a square. Returns whether the new node may have children or is a solution.
    fn put(&mut self, row: usize, column: usize) -> bool {
        let has_no_wipeout = self.domains.place(row, column);
        match self.pruning {
            Pruning::Nothing => true,
            Pruning::Forward => has_no_wipeout,
            Pruning::ArcConsistent => {
                has_no_wipeout && make_consistent(&mut self.domains, &self.orders).is_ok()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backtrack::safe::column_scan::ColumnScan;
    use crate::backtrack::{solver, solvers};
    use queens_board::problem::Problem;
    use queens_board::{BoardSize, Square};
    use queens_solver::sink::Discard;
    use queens_solver::{Goal, Options, Solver};

    fn column_scan() -> Box<dyn Solver> {
        solver(ColumnScan)
    }

    fn task(solver: &dyn Solver, n: usize, options: &str) -> Task<'static> {
        let options = Options::parse(options, &solver.info()).expect("declared");
        Task { counting: true, options, ..Task::new(BoardSize::new(n).expect("small"), Goal::Count) }
    }

    /// Every possible probe of a tree, with its probability.
    fn all_probes<D: Domains>(task: &Task<'_>, pruning: Pruning) -> Vec<(f64, Vec<f64>)> {
        let mut position = ProbePosition::<D>::root(task, pruning);
        let mut probes = Vec::new();
        // The choices of a probe: the index of the chosen child, and the number of children. For the next probe, the last choice
        // that can be increased is increased, as in an odometer.
        let mut choices: Vec<(usize, usize)> = Vec::new();
        loop {
            let (mut step, mut level_sizes) = (0, vec![0.0; task.n().get() + 1]);
            let mut choose = |children: usize| {
                if step == choices.len() {
                    choices.push((0, children));
                }
                step += 1;
                choices[step - 1].0
            };
            position.probe(&mut choose, &mut level_sizes);
            probes.push((choices.iter().map(|(_, children)| 1.0 / *children as f64).product(), level_sizes));
            while choices.pop_if(|(child, children)| *child + 1 == *children).is_some() {}
            match choices.last_mut() {
                Some((child, _)) => *child += 1,
                None => return probes,
            }
        }
    }

    /// For every searcher that has a tree, the expected number of nodes on each level is the number that the searcher visits.
    #[test]
    fn mean_of_all_probes_equals_searcher_node_count() {
        let mut compared = 0;
        for solver in solvers() {
            let Some(pruning) = solver.info().pruning else { continue };
            let options: &[&str] = if pruning == Pruning::Nothing {
                &[""]
            } else {
                &["", "rows=smallest", "rows=middle-out,values=least-constraining"]
            };
            for (n, options) in (0..7).flat_map(|n| options.iter().map(move |options| (n, options))) {
                let info = solver.info();
                let task = task(solver.as_ref(), n, options);
                if info.refusal(&task.problem, task.goal).is_some() {
                    continue;
                }
                let outcome = solver.solve(&task, &mut Discard).expect("within its sizes");
                for probes in [all_probes::<Masks>(&task, pruning), all_probes::<LineDomains>(&task, pruning)]
                {
                    let mean = |value: &dyn Fn(&[f64]) -> f64| {
                        probes
                            .iter()
                            .map(|(probability, level_sizes)| probability * value(level_sizes))
                            .sum::<f64>()
                    };
                    let check = |mean: f64, count: u64, unit: &str| {
                        let context = format!("{} {options} n = {n}: {unit} {mean} {count}", info.id);
                        assert!((mean - count as f64).abs() < 1e-6, "{context}");
                    };
                    let nodes = outcome.stats.get(queens_solver::Stat::Nodes).expect("counted");
                    check(mean(&|level_sizes| level_sizes.iter().sum()), nodes, "nodes");
                    check(mean(&|level_sizes| level_sizes[n]), outcome.solutions, "solutions");
                    for (level, counted) in outcome.levels.iter().enumerate() {
                        check(mean(&|level_sizes| level_sizes[level]), counted.nodes, "a level");
                    }
                }
                compared += 1;
            }
        }
        assert!(compared >= 80, "{compared}");
    }

    /// The expected values are exact integers from another program (tests/data/knuth_probe_moments.csv).
    #[test]
    fn single_probe_matches_reference_mean_and_variance() {
        for line in include_str!("../../../../tests/data/knuth_probe_moments.csv").lines().skip(1) {
            let fields: Vec<&str> = line.split(',').collect();
            let number = |field: usize| fields[field].parse::<f64>().expect("a number");
            if number(0) > 8.0 {
                continue;
            }
            let n = fields[0].parse().expect("a size");
            let probes = all_probes::<Masks>(&task(column_scan().as_ref(), n, ""), Pruning::Nothing);
            for (value, mean, variance) in [
                (
                    &(|level_sizes: &[f64]| level_sizes.iter().sum()) as &dyn Fn(&[f64]) -> f64,
                    number(1),
                    number(2),
                ),
                (&|level_sizes: &[f64]| level_sizes[n], number(4), number(5)),
            ] {
                let moment = |power: i32| {
                    probes
                        .iter()
                        .map(|(probability, level_sizes)| probability * value(level_sizes).powi(power))
                        .sum::<f64>()
                };
                assert!((moment(1) - mean).abs() < 1e-6 * mean.max(1.0), "n = {n}: {}", moment(1));
                let actual = moment(2) - moment(1).powi(2);
                assert!((actual - variance).abs() < 1e-6 * variance.max(1.0), "n = {n}: {actual}");
            }
        }
    }

    #[test]
    fn estimate_has_mean_and_standard_error_of_probes() {
        let mut estimate = ProbeEstimate::default();
        [2.0, 4.0, 9.0].into_iter().for_each(|value| estimate.add(value));
        // The variance of the sample is (9 + 1 + 16) / 2 = 13.
        assert!((estimate.mean - 5.0).abs() < 1e-12);
        assert!((estimate.standard_error - (13.0_f64 / 3.0).sqrt()).abs() < 1e-12);
        let (low, high) = estimate.interval().expect("an interval");
        let margin = 1.96 * estimate.standard_error;
        assert!((high - 5.0 - margin).abs() < 1e-3 && (5.0 - margin - low).abs() < 1e-3);
    }

    #[test]
    fn probes_without_solution_have_no_interval() {
        let mut estimate = ProbeEstimate::default();
        estimate.add(0.0);
        assert_eq!(estimate.interval(), None);
    }

    #[test]
    fn options_without_estimable_search_tree_are_refused() {
        let solvers = solvers();
        let searcher = solvers.iter().find(|solver| solver.id() == "backtrack/forward-checking");
        let refusal = |options: &str| objection(&task(searcher.expect("a searcher").as_ref(), 6, options));
        assert_eq!(refusal(""), None);
        assert_eq!(refusal("rows=smallest,restarts=none"), None);
        let assert_refused = |option: &str| {
            let message = refusal(option).expect(option);
            assert!(message.starts_with(option), "{message}");
            wording::assert_wording!("probe", option, message);
        };
        ["rows=random", "rows=dom-wdeg", "restarts=luby:8", "branch=dual"]
            .into_iter()
            .for_each(assert_refused);
    }

    /// A row with two required queens has no square on which a single queen is allowed.
    #[test]
    fn pruned_tree_with_empty_row_has_one_node() {
        let required_queens = [(2, 1), (2, 3)].map(|(row, column)| Square { row, column });
        let problem =
            Problem::queens(BoardSize::new(4).expect("small")).place(required_queens).expect("on the board");
        let nodes = |pruning| {
            let task = Task { problem: problem.clone(), ..task(column_scan().as_ref(), 4, "") };
            let result = estimate(&task, pruning, 1, &mut |_, _| {});
            result.expect("one thread").expect("small numbers").nodes.mean
        };
        assert!(
            [Pruning::Forward, Pruning::ArcConsistent].map(nodes) == [1.0; 2]
                && nodes(Pruning::Nothing) > 1.0
        );
    }

    #[test]
    fn estimate_beyond_range_of_f64_is_none() {
        let solver = column_scan();
        let has_estimate = |n| {
            let result = estimate(&task(solver.as_ref(), n, ""), Pruning::Nothing, 10, &mut |_, _| {});
            result.expect("one thread").is_some()
        };
        assert!(has_estimate(40) && !has_estimate(400));
    }

    #[test]
    fn merging_estimates_equals_estimating_all_probes_together() {
        let values = [2.0, 4.0, 9.0, 1.0, 7.5, 0.0];
        let estimate_of = |values: &[f64]| {
            let mut estimate = ProbeEstimate::default();
            values.iter().for_each(|&value| estimate.add(value));
            estimate
        };
        for split in 0..=values.len() {
            let (mut merged, estimate_of_all) = (estimate_of(&values[..split]), estimate_of(&values));
            merged.merge(&estimate_of(&values[split..]));
            assert!((merged.mean - estimate_of_all.mean).abs() < 1e-12, "{split}: {merged:?}");
            assert!(
                (merged.standard_error - estimate_of_all.standard_error).abs() < 1e-12,
                "{split}: {merged:?}"
            );
        }
    }

    #[test]
    fn estimates_do_not_depend_on_threads() {
        let (solver, probes) = (column_scan(), 2 * PROBES_PER_BATCH + 5);
        let estimate_on = |threads: usize| {
            let threads = std::num::NonZeroUsize::new(threads).expect("threads");
            let task = Task { threads, seed: 3, ..task(solver.as_ref(), 8, "") };
            let mut observed = 0;
            let result =
                estimate(&task, Pruning::Nothing, probes, &mut |probes_so_far, _| observed = probes_so_far);
            assert_eq!(observed, probes);
            result.expect("threads").expect("small numbers")
        };
        let (serial, parallel) = (estimate_on(1), estimate_on(3));
        assert_eq!((&serial.levels, serial.nodes), (&parallel.levels, parallel.nodes));
        assert!((serial.nodes.probes - probes as f64).abs() < 0.5);
        // Equal batches would have equal means.
        let task = Task { seed: 3, ..task(solver.as_ref(), 8, "") };
        let batch =
            |batch| estimate_batch::<Masks>(&task, Pruning::Nothing, batch, PROBES_PER_BATCH).nodes.mean;
        assert!(batch(0) != batch(1) && batch(1) != batch(2));
    }
}
