//! Compares searchers with reference values: sizes of whole trees, and steps up to the first solution.
//! tests/data/README.md gives the source of each value.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use queens_board::{BoardSize, Placement, Square};
use queens_solver::sink::Collect;
use queens_solver::{Goal, Options, Order, Outcome, Solver, Stat, Task};

use crate::backtrack::solvers;

/// A row of a table, with its fields by column name.
#[derive(Debug)]
struct Record {
    columns: Vec<&'static str>,
    fields: Vec<&'static str>,
}

impl Record {
    fn text(&self, column: &str) -> &'static str {
        let position = self.columns.iter().position(|name| *name == column);
        self.fields[position.unwrap_or_else(|| panic!("there is no column {column}"))]
    }

    fn number(&self, column: &str) -> u64 {
        self.text(column).parse().unwrap_or_else(|_| panic!("{column} holds no number"))
    }

    fn size(&self) -> usize {
        self.text("n").parse().expect("a board size")
    }
}

fn records(table: &'static str) -> impl Iterator<Item = Record> {
    let mut lines = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let columns = lines.next().expect("a header");
    lines.map(move |fields| Record { columns: columns.clone(), fields })
}

fn totals() -> impl Iterator<Item = Record> {
    records(include_str!("../../../../../tests/data/backtrack_totals.csv"))
}

fn first_solution_steps() -> impl Iterator<Item = Record> {
    records(include_str!("../../../../../tests/data/first_solution_steps.csv"))
}

/// Carries out a counting run of a searcher (`ID` or `ID:key=value,key=value`). Returns the outcome and the boards.
fn count(searcher: &str, n: usize, goal: Goal) -> (Outcome, Vec<Placement>) {
    let (id, options) = searcher.split_once(':').unwrap_or((searcher, ""));
    let solver = solvers().into_iter().find(|solver| solver.id() == id).expect("a searcher");
    let options = Options::parse(options, &solver.info()).expect("its options");
    let n = BoardSize::new(n).expect("a small board");
    let mut boards = Collect::default();
    let task = Task { counting: true, options, ..Task::new(n, goal) };
    let outcome = solver.solve(&task, &mut boards).expect("within its sizes");
    assert_eq!(outcome.stopped, None);
    (outcome, boards.0)
}

/// Calls `check` for each searcher that walks the published tree. The tables of this file describe this tree.
fn for_each_tree_searcher(mut check: impl FnMut(&dyn Solver)) {
    let searchers = solvers().into_iter().filter(|solver| solver.info().walks_published_tree);
    let compared_searchers = searchers.map(|solver| check(&*solver)).count();
    assert!(compared_searchers >= 6, "{compared_searchers} searchers");
}

/// The searchers that test every cell of the next row at each node, as the tables assume.
const CELL_TESTERS: [&str; 4] = [
    "backtrack/board-scan",
    "backtrack/board-scan-columns",
    "backtrack/column-scan",
    "backtrack/flag-arrays",
];

/// Compares the whole tree for a size with the table.
fn check_totals(solver: &dyn Solver, record: &Record) {
    let (info, n) = (solver.info(), record.size());
    let (outcome, _) = count(&info.id, n, Goal::Count);
    let context = format!("{}, n = {n}", info.id);
    let nodes: u64 = record.number("nodes_incl_root_A319283");
    assert_eq!(outcome.stats.get(Stat::Nodes), Some(nodes), "{context}");
    assert_eq!(nodes, record.number("queens_placed") + 1, "{context}");
    assert_eq!(outcome.stats.get(Stat::DeadEnds), Some(record.number("dead_ends")), "{context}");
    assert_eq!(outcome.levels[n].nodes, record.number("solutions"), "{context}");
    // The first of the widest levels. For n = 1, both levels have one node.
    let widest = outcome.levels.iter().rev().max_by_key(|level| level.nodes).expect("the root's level");
    assert_eq!(outcome.levels[record.number("widest_level") as usize], *widest, "{context}");
    if CELL_TESTERS.contains(&info.id.as_str()) {
        assert_eq!(outcome.stats.get(Stat::CellsTested), Some(record.number("cells_tested")), "{context}");
        if let Some(comparisons) = outcome.stats.get(Stat::Comparisons) {
            assert_eq!(comparisons, record.number("pair_comparisons"), "{context}");
        }
    } else if ["backtrack/bitmask", "backtrack/bitmask-recursive"].contains(&info.id.as_str()) {
        assert_eq!(outcome.stats.get(Stat::CellsTested), None, "it tests no cells");
    }
}

/// Compares the whole trees for these sizes with the table, for each searcher that supports the size.
fn check_whole_trees(sizes: RangeInclusive<usize>) {
    for_each_tree_searcher(|solver| {
        let info = solver.info();
        totals()
            .filter(|record| sizes.contains(&record.size()) && info.sizes.contains(&record.size()))
            .for_each(|record| check_totals(solver, &record));
    });
}

#[test]
fn full_search_has_published_nodes_and_comparisons() {
    check_whole_trees(1..=11);
}

#[test]
#[ignore = "long: trees of 856,189 nodes"]
fn full_search_of_12_queens_has_published_numbers() {
    check_whole_trees(12..=12);
}

#[test]
fn column_scan_makes_46752_comparisons_on_8_queens() {
    let (outcome, _) = count("backtrack/column-scan", 8, Goal::Enumerate);
    assert_eq!(
        (
            outcome.stats.get(Stat::Nodes),
            outcome.stats.get(Stat::CellsTested),
            outcome.stats.get(Stat::Comparisons),
            outcome.stats.get(Stat::DeadEnds)
        ),
        (Some(2057), Some(15720), Some(46752), Some(644))
    );
}

/// Compares the steps up to the first solution with the table.
fn check_first_steps(solver: &dyn Solver, record: &Record) {
    let (info, n) = (solver.info(), record.size());
    let (outcome, boards) = count(&info.id, n, Goal::First);
    let context = format!("{}, n = {n}", info.id);
    assert_eq!(outcome.stats.get(Stat::Nodes), Some(record.number("queens_placed") + 1), "{context}");
    assert_eq!(outcome.stats.get(Stat::DeadEnds), Some(record.number("dead_ends")), "{context}");
    if CELL_TESTERS.contains(&info.id.as_str()) {
        assert_eq!(
            outcome.stats.get(Stat::CellsTested),
            Some(record.number("cells_tested_A140450")),
            "{context}"
        );
    }
    let actual: Vec<String> =
        boards.iter().map(|board| board_in_search_order(info.order, board).to_string()).collect();
    let expected = Some(record.text("columns_0based")).filter(|_| record.text("solution_exists") == "1");
    assert_eq!(actual, Vec::from_iter(expected), "{context}");
    assert!(boards.iter().all(Placement::is_solution), "{context}");
}

/// Exchanges rows and columns of a board if the searcher places queens column by column.
fn board_in_search_order(order: Order, board: &Placement) -> Placement {
    if order != Order::ByColumn {
        return board.clone();
    }
    let mut rows = vec![0; board.size()];
    for (row, &column) in board.columns().iter().enumerate() {
        rows[column as usize] = row as u32;
    }
    Placement::new(&rows)
}

/// Checks the first solution of every searcher. The sizes are those for which the number of queens placed, according to the table,
/// is in this range.
fn check_first_solutions(queens: std::ops::Range<u64>) {
    for_each_tree_searcher(|solver| {
        let info = solver.info();
        if info.order == Order::Unspecified {
            return;
        }
        let steps = first_solution_steps().filter(|record| info.sizes.contains(&record.size()));
        let steps = steps.filter(|record| queens.contains(&record.number("queens_placed")));
        steps.for_each(|record| check_first_steps(solver, &record));
    });
}

/// In the table, the searches for all sizes up to 21, and for 23, place fewer than 400,000 queens.
#[test]
fn first_solutions_and_step_counts_match_reference_table() {
    check_first_solutions(0..400_000);
}

#[test]
#[ignore = "long: searches of two million queens"]
fn first_solutions_above_21_queens_match_reference_table() {
    check_first_solutions(400_000..u64::MAX);
}

/// The searcher that implements an algorithm of `search_counts.csv`.
fn searcher(algorithm: &str) -> &'static str {
    match algorithm {
        "bt" => "backtrack/column-scan",
        "bm" => "backtrack/backmarking",
        "bj" => "backtrack/backjumping",
        "cbj" => "backtrack/cbj",
        "fc" => "backtrack/forward-checking",
        "fc-mrv" | "mrv" => "backtrack/forward-checking:rows=smallest",
        "fc-mrv-mid" => "backtrack/forward-checking:rows=smallest,values=middle-out",
        "fc-cbj" => "backtrack/fc-cbj",
        "mac" => "backtrack/mac",
        "mac-mrv" => "backtrack/mac:rows=smallest",
        "lds" => "backtrack/lds",
        unknown => panic!("there is no searcher for {unknown}"),
    }
}

/// Carries out a counting run with the size and the goal of a row of the table.
fn count_record(record: &Record, algorithm: &str) -> Outcome {
    let goal = if record.text("goal") == "first" { Goal::First } else { Goal::Enumerate };
    count(searcher(record.text(algorithm)), record.size(), goal).0
}

/// Compares every row of the table. docs/SEARCH.md defines the numbers in the same way as the papers.
#[test]
fn searchers_match_nodes_and_checks_of_reference_program() {
    let mut compared = 0;
    for record in records(include_str!("../../../../../tests/data/search_counts.csv")) {
        let outcome = count_record(&record, "algorithm");
        let context = format!("{record:?}");
        let stat = |stat: Stat| outcome.stats.get(stat);
        assert_eq!(outcome.solutions, record.number("solutions"), "{context}");
        assert_eq!(stat(Stat::Nodes), Some(record.number("nodes")), "{context}");
        let dead_ends = stat(Stat::Failures).or(stat(Stat::DeadEnds));
        assert_eq!(dead_ends, Some(record.number("dead_ends")), "{context}");
        if let Some(checks) = stat(Stat::ConsistencyChecks).or(stat(Stat::Comparisons)) {
            assert_eq!(checks, record.number("checks"), "{context}");
        }
        compared += 1;
    }
    assert_eq!(compared, 293);
}

/// A second implementation of backmarking with `rows=smallest`. It counts the nodes, the dead ends, and the comparisons of a square
/// with a queen that it has not made before.
#[derive(Default)]
struct RememberingBackmarking {
    n: usize,
    /// The row and the column of each queen, and a unique number.
    queens: Vec<(usize, usize, u64)>,
    /// Pairs of a square and the number of a queen that have been compared.
    compared: HashSet<(usize, usize, u64)>,
    /// The number of queens placed so far, which is also the number of the last queen.
    placed: u64,
    /// The numbers of nodes, dead ends and comparisons.
    counts: [u64; 3],
}

impl RememberingBackmarking {
    fn count(n: usize) -> [u64; 3] {
        let mut search = Self { n, ..Self::default() };
        search.place();
        search.counts
    }

    fn place(&mut self) {
        self.counts[0] += 1;
        let free = (0..self.n).filter(|row| self.queens.iter().all(|queen| queen.0 != *row));
        let mut rows: Vec<(usize, Vec<usize>)> = Vec::new();
        for row in free.collect::<Vec<_>>() {
            let columns: Vec<usize> = (0..self.n).filter(|&column| self.is_safe(row, column)).collect();
            let is_wiped = columns.is_empty();
            rows.push((row, columns));
            if is_wiped {
                self.counts[1] += 1;
                return;
            }
        }
        let Some((row, columns)) = rows.into_iter().min_by_key(|(_, columns)| columns.len()) else { return };
        for column in columns {
            self.placed += 1;
            self.queens.push((row, column, self.placed));
            self.place();
            self.queens.pop();
        }
    }

    fn is_safe(&mut self, row: usize, column: usize) -> bool {
        self.queens.iter().all(|&(queen_row, queen_column, number)| {
            self.counts[2] += u64::from(self.compared.insert((row, column, number)));
            !Square { row, column }.attacks(Square { row: queen_row, column: queen_column })
        })
    }
}

#[test]
fn backmarking_by_smallest_row_repeats_no_comparison() {
    let (backmarking, forward_checking) =
        ("backtrack/backmarking:rows=smallest", "backtrack/forward-checking:rows=smallest");
    for n in 1..=8 {
        let (outcome, _) = count(backmarking, n, Goal::Enumerate);
        let counts =
            [Stat::Nodes, Stat::DeadEnds, Stat::ConsistencyChecks].map(|stat| outcome.stats.get(stat));
        assert_eq!(counts, RememberingBackmarking::count(n).map(Some), "n = {n}");
        assert!(outcome.levels.is_empty(), "these are not the levels of A319284");
        // Forward checking with the same order walks the same tree.
        let (looked_ahead, _) = count(forward_checking, n, Goal::Enumerate);
        assert_eq!(
            counts[..2],
            [Stat::Nodes, Stat::Failures].map(|stat| looked_ahead.stats.get(stat)),
            "n = {n}"
        );
        assert_eq!(outcome.solutions, looked_ahead.solutions);
    }
}

#[test]
fn forward_checking_matches_wipeouts_of_reference_program() {
    for record in records(include_str!("../../../../../tests/data/forward_checking_nodes.csv")) {
        let outcome = count_record(&record, "strategy");
        assert_eq!(
            (outcome.solutions, outcome.stats.get(Stat::Nodes), outcome.stats.get(Stat::Failures)),
            (record.number("solutions"), Some(record.number("nodes")), Some(record.number("wipeouts"))),
            "{record:?}"
        );
    }
}

/// The numbers for n = 10 are Kullmann's counts of inner nodes (OKlibrary, Results_080); the others are from a second program.
#[test]
fn unit_propagation_has_the_published_inner_nodes() {
    for (rows, n, inner, leaves) in [
        ("smallest", 10, 3485, 4840),
        ("largest", 10, 3237, 10_614),
        ("first", 10, 3435, 6026),
        ("smallest", 11, 14_812, 20_314),
        ("largest", 11, 14_684, 49_118),
        ("first", 8, 239, 398),
        ("smallest", 4, 3, 6),
    ] {
        let outcome = count(&format!("backtrack/unit-propagation:rows={rows}"), n, Goal::Enumerate).0;
        let counts = [Stat::InnerNodes, Stat::Failures, Stat::Nodes].map(|stat| outcome.stats.get(stat));
        let failures = leaves - outcome.solutions;
        assert_eq!(counts, [Some(inner), Some(failures), Some(inner + leaves)], "rows = {rows}, n = {n}");
    }
}

/// Matching removes at least the squares that arc consistency removes. For 9 queens, `gac` visits fewer nodes than `mac`.
#[test]
fn gac_needs_no_more_nodes_than_arc_consistency() {
    for rows in ["first", "smallest"] {
        let nodes = |id: &str, n| {
            count(&format!("{id}:rows={rows}"), n, Goal::Enumerate).0.stats.get(Stat::Nodes).expect("counted")
        };
        for n in 0..=9 {
            assert!(nodes("backtrack/gac", n) <= nodes("backtrack/mac", n), "rows = {rows}, n = {n}");
        }
        assert!(nodes("backtrack/gac", 9) < nodes("backtrack/mac", 9), "rows = {rows}");
    }
}

/// A second implementation of dom/wdeg, as in the paper: a constraint is a set of rows and a relation between their queens. The weight
/// of a constraint increases by 1 when the revision of a row by the constraint removes the last column of the row.
struct DomWdegSearch {
    n: usize,
    propagation: Propagation,
    constraints: Vec<Constraint>,
    /// The numbers of nodes and failures.
    counts: [u64; 2],
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd)]
enum Propagation {
    ForwardChecking,
    ArcConsistency,
    AllDifferent,
}

struct Constraint {
    rows: Vec<usize>,
    weight: u64,
    allows: fn(Square, Square) -> bool,
}

/// The remaining columns of each row, and the rows with a queen.
type State = (Vec<Vec<usize>>, Vec<usize>);

impl DomWdegSearch {
    /// Returns the numbers of nodes and failures of a full search.
    fn count(n: usize, propagation: Propagation) -> [u64; 2] {
        let pair = |rows: Vec<usize>| Constraint { rows, weight: 1, allows: |a, b| !a.attacks(b) };
        let pairs = (0..n).flat_map(|row| (0..row).map(move |above| vec![above, row]));
        let mut constraints: Vec<Constraint> = pairs.map(pair).collect();
        if propagation == Propagation::AllDifferent {
            let lines: [fn(Square, Square) -> bool; 3] = [
                |a, b| a.column != b.column,
                |a, b| a.row + a.column != b.row + b.column,
                |a, b| a.row + b.column != b.row + a.column,
            ];
            constraints.extend(lines.map(|allows| Constraint { rows: (0..n).collect(), weight: 1, allows }));
        }
        let mut search = Self { n, propagation, constraints, counts: [0, 0] };
        let mut state = (vec![(0..n).collect(); n], Vec::new());
        let is_open = search.filter(&mut state);
        search.visit(state, is_open);
        search.counts
    }

    fn visit(&mut self, state: State, is_open: bool) {
        self.counts[0] += 1;
        if !is_open {
            self.counts[1] += 1;
            return;
        }
        let free: Vec<usize> = (0..self.n).filter(|row| !state.1.contains(row)).collect();
        let degree = |row: usize| {
            let is_active = |constraint: &&Constraint| {
                let rows = &constraint.rows;
                rows.contains(&row) && rows.iter().any(|other| *other != row && free.contains(other))
            };
            self.constraints.iter().filter(is_active).map(|constraint| constraint.weight).sum::<u64>()
        };
        let ratio = |row: usize| state.0[row].len() as f64 / degree(row) as f64;
        let Some(row) = free.iter().copied().min_by(|&a, &b| ratio(a).total_cmp(&ratio(b))) else { return };
        for &column in &state.0[row] {
            let mut next_state = state.clone();
            next_state.0[row] = vec![column];
            next_state.1.push(row);
            let is_open = self.revise_others(row, &mut next_state) && self.filter(&mut next_state);
            self.visit(next_state, is_open);
        }
    }

    /// Revises every other row without a queen by its constraint with `row`, from the top. Returns `false` if a row has no
    /// remaining column.
    fn revise_others(&mut self, row: usize, state: &mut State) -> bool {
        let free: Vec<usize> =
            (0..self.n).filter(|other| *other != row && !state.1.contains(other)).collect();
        free.into_iter().all(|other| {
            let is_between = |constraint: &Constraint| constraint.rows == [row.min(other), row.max(other)];
            let constraint = self.constraints.iter().position(is_between).expect("one for each pair");
            self.revise(constraint, other, state)
        })
    }

    /// Revises rows until a fixpoint. Returns `false` if a row has no remaining column.
    fn filter(&mut self, state: &mut State) -> bool {
        loop {
            let columns_before = state.0.clone();
            let free = (0..self.n).filter(|row| !state.1.contains(row)).collect::<Vec<_>>();
            if self.propagation >= Propagation::ArcConsistency
                && !free.into_iter().all(|row| self.revise_others(row, state))
            {
                return false;
            }
            if columns_before != state.0 {
                continue;
            }
            for constraint in self.n * (self.n - 1) / 2..self.constraints.len() {
                if !(0..self.n).all(|row| self.revise(constraint, row, state)) {
                    return false;
                }
            }
            if columns_before == state.0 {
                return true;
            }
        }
    }

    /// Removes the columns of a row without support in a constraint. Returns `false` if the row has no column left.
    fn revise(&mut self, constraint: usize, row: usize, state: &mut State) -> bool {
        let Constraint { rows, allows, .. } = &self.constraints[constraint];
        let other_rows: Vec<usize> = rows.iter().copied().filter(|other| *other != row).collect();
        let mut supported_columns = state.0[row].clone();
        supported_columns.retain(|&column| {
            has_completion(&state.0, &other_rows, *allows, &mut vec![Square { row, column }])
        });
        state.0[row] = supported_columns;
        if state.0[row].is_empty() {
            self.constraints[constraint].weight += 1;
        }
        !state.0[row].is_empty()
    }
}

/// Whether `queens` can be extended by one queen on each of these rows so that the constraint allows all queens together. Only the
/// remaining columns of each row are tried.
fn has_completion(
    columns: &[Vec<usize>],
    rows: &[usize],
    allows: fn(Square, Square) -> bool,
    queens: &mut Vec<Square>,
) -> bool {
    let Some((&row, rows)) = rows.split_first() else { return true };
    columns[row].iter().any(|&column| {
        let square = Square { row, column };
        let is_allowed = queens.iter().all(|&queen| allows(queen, square));
        queens.push(square);
        let is_complete = is_allowed && has_completion(columns, rows, allows, queens);
        queens.pop();
        is_complete
    })
}

#[test]
fn dom_wdeg_matches_a_second_implementation() {
    for (id, propagation, max_n) in [
        ("forward-checking", Propagation::ForwardChecking, 9),
        ("mac", Propagation::ArcConsistency, 10),
        ("gac", Propagation::AllDifferent, 10),
    ] {
        let id = format!("backtrack/{id}:rows=dom-wdeg");
        for n in 1..=max_n {
            let (outcome, _) = count(&id, n, Goal::Enumerate);
            let counts = [Stat::Nodes, Stat::Failures].map(|stat| outcome.stats.get(stat));
            assert_eq!(counts, DomWdegSearch::count(n, propagation).map(Some), "{id}, n = {n}");
        }
    }
}

/// For 40 queens, masks have 64 bits.
#[test]
fn forward_checking_of_40_queens_is_reproducible() {
    for rows in ["smallest", "dom-wdeg"] {
        for values in ["middle-out", "least-constraining", "random"] {
            let id = format!("backtrack/forward-checking:rows={rows},values={values},restarts=luby:100");
            let first_run = count(&id, 40, Goal::First);
            assert!(first_run.1.len() == 1 && first_run.1[0].is_solution(), "{id}");
            let second_run = count(&id, 40, Goal::First);
            assert_eq!((first_run.0.stats, first_run.1), (second_run.0.stats, second_run.1), "{id}");
        }
    }
}

/// For 4 queens, the table has 60 tested cells; the 4 cells of the first queen are not tested here.
#[test]
fn nested_loops_test_56_cells_with_84_comparisons() {
    let (outcome, boards) = count("backtrack/nested-loops", 4, Goal::Enumerate);
    assert_eq!(
        (outcome.stats.get(Stat::CellsTested), outcome.stats.get(Stat::Comparisons)),
        (Some(56), Some(84))
    );
    assert_eq!(
        (outcome.stats.get(Stat::Nodes), outcome.stats.get(Stat::DeadEnds), boards.len()),
        (Some(17), Some(4), 2)
    );
}

/// Only unused columns are tested, so that 4 queens need 4 * 1 + 3 * 4 + 2 * 6 + 1 * 4 tests (A319284, row 4: 1, 4, 6, 4, 2).
#[test]
fn permutations_pruned_searcher_tests_only_unused_columns() {
    assert_eq!(
        count("backtrack/permutations-pruned", 4, Goal::Enumerate).0.stats.get(Stat::CellsTested),
        Some(32)
    );
}

/// There are n^n assignments of a column per row; for n = 0, the empty board is the only one.
#[test]
fn exhaustive_search_tests_n_to_the_n_candidates() {
    for n in 0..=7 {
        let (outcome, _) = count("backtrack/exhaustive", n, Goal::Enumerate);
        assert_eq!(outcome.stats.get(Stat::Candidates), Some((n as u64).pow(n as u32)), "n = {n}");
    }
    // 1 3 0 2 is the number 114 in base 4, and the first tested assignment is the number 0.
    assert_eq!(count("backtrack/exhaustive", 4, Goal::First).0.stats.get(Stat::Candidates), Some(115));
}

/// There are n! permutations.
#[test]
fn permutations_test_n_factorial_candidates() {
    for n in 0..=9 {
        let (outcome, _) = count("backtrack/permutations", n, Goal::Enumerate);
        assert_eq!(outcome.stats.get(Stat::Candidates), Some((1..=n as u64).product()), "n = {n}");
    }
    // 1 3 0 2 is the eleventh permutation: 6 permutations begin with 0, 2 with 1 0, and 2 with 1 2.
    assert_eq!(count("backtrack/permutations", 4, Goal::First).0.stats.get(Stat::Candidates), Some(11));
}
