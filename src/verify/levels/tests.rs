use super::*;
use crate::backtrack::Bitmask;
use crate::board::published;
use crate::registry::Registry;

fn sizes(sizes: std::ops::RangeInclusive<usize>) -> impl Iterator<Item = BoardSize> {
    sizes.filter_map(|n| BoardSize::new(n).ok())
}

#[test]
fn proved_level_counts_of_searchers_match_oeis_a319284() {
    let registry = Registry::builtin();
    let solvers: Vec<&dyn Solver> =
        registry.iter().filter(|solver| solver.info().id.starts_with("backtrack/")).collect();
    let report = levels(&Bitmask, &solvers, sizes(0..=7)).expect("no solver fails");
    assert!(report.agrees(), "{:?}", report.discrepancies);
    for level in &report.levels {
        let published = published::profile(level.n).map(|profile| profile[level.level]);
        let proved_counts = (level.placements, level.dead_ends);
        let expected = published.map_or((1, 0), |published| (published.nodes, published.dead_ends));
        assert_eq!(proved_counts, expected, "n = {}, level {}", level.n, level.level);
        assert!(level.solvers.len() >= 6 && level.lemmas > 0, "{level:?}");
    }
    assert_eq!(report.levels.len(), (0..=7).map(|n| n + 1).sum::<usize>());
}

/// The order of rows changes the search tree.
#[test]
fn searcher_with_dynamic_row_order_is_not_compared() {
    let registry = Registry::builtin();
    let searcher = registry.choose("backtrack/backmarking:rows=smallest").expect("a solver of this crate");
    let report = levels(&Bitmask, &[&searcher], sizes(6..=6)).expect("no solver fails");
    assert!(report.agrees(), "{:?}", report.discrepancies);
    assert!(report.levels.iter().all(|level| level.solvers.is_empty()));
}

fn placements(n: usize, level: usize) -> Vec<Placement> {
    let prefixes = crate::board::prefix::Prefix::all(n, level);
    prefixes.iter().map(|prefix| Placement::new(prefix.columns())).collect()
}

#[test]
fn missing_duplicate_or_illegal_placement_is_reported() {
    let board_fault = |placements| match prove(6, 3, placements).expect("nothing fails") {
        LevelProof::Fault(
            Finding::WrongVisit { level: 3, fault },
            DiscrepancyBoards::Single(displayed, board),
        ) if fault == displayed => (displayed, board),
        other => panic!("{other:?}"),
    };
    for missing in 0..placements(6, 3).len() {
        let mut incomplete_placements = placements(6, 3);
        let removed_placement = incomplete_placements.remove(missing);
        assert_eq!(board_fault(incomplete_placements), (BoardFault::Missing, removed_placement));
    }
    let placements_with =
        |columns: &[u32]| placements(6, 3).into_iter().chain([Placement::new(columns)]).collect();
    assert_eq!(board_fault(placements_with(&[0, 2, 4])), (BoardFault::Duplicate, Placement::new(&[0, 2, 4])));
    for illegal in [&[0, 1, 3][..], &[0, 2], &[0, 2, 6]] {
        assert_eq!(board_fault(placements_with(illegal)), (BoardFault::Illegal, Placement::new(illegal)));
    }
}

/// A solver with the correct solutions, and with a function that changes its levels.
struct ChangedLevels(fn(&mut Vec<crate::solver::Level>));

impl Solver for ChangedLevels {
    fn info(&self) -> crate::solver::Info {
        crate::solver::Info { walks_published_tree: true, ..crate::solver::Info::named("test/changing") }
    }

    fn search(
        &self,
        task: &Task<'_>,
        sink: &mut dyn crate::solver::Sink,
    ) -> Result<crate::solver::Outcome, SolveError> {
        let registry = Registry::builtin();
        let mut outcome = registry.get("backtrack/bitmask").expect("built in").solve(task, sink)?;
        (self.0)(&mut outcome.levels);
        Ok(outcome)
    }
}

/// The solver reports one dead end too many on level 2 (A319284: 0) and one node too few on level 3 (A319284: 14).
#[test]
fn discrepancy_names_solver_with_different_level_counts() {
    let counts = ChangedLevels(|levels| {
        levels[2].dead_ends += 1;
        levels[3].nodes -= 1;
    });
    let report = levels(&Bitmask, &[&counts], sizes(5..=5)).expect("no solver fails");
    let [dead_ends, nodes] = &report.discrepancies[..] else { panic!("two: {:?}", report.discrepancies) };
    let other_number = |quantity, number, expected| Finding::OtherNumber {
        quantity,
        number,
        expected,
        reference: Reference::ProofOfLevel,
    };
    for (key, discrepancy, finding) in [
        ("dead ends", dead_ends, other_number(Quantity::DeadEnds(2), 1, 0)),
        ("nodes", nodes, other_number(Quantity::Nodes(3), 13, 14)),
    ] {
        assert_eq!(
            (discrepancy.n, discrepancy.solver.as_str(), &discrepancy.finding),
            (5, "test/changing", &finding)
        );
        wording::assert_wording!("crosscheck", &format!("levels of a proof: {key}"), discrepancy);
    }
    assert!(!report.agrees());
}

/// The solver reports a level below the last row.
#[test]
fn solver_with_too_many_levels_disagrees() {
    let solver = ChangedLevels(|levels| levels.push(crate::solver::Level { nodes: 1, dead_ends: 0 }));
    let report = levels(&Bitmask, &[&solver], sizes(5..=5)).expect("no solver fails");
    assert_eq!(report.discrepancies.len(), 1);
    assert!(!report.agrees());
}
