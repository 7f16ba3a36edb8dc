//! Counts and enumerations in shards give the same result as the whole.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;

use queenlab::board::{BoardSize, known};
use queenlab::cluster::{Partition, Ran, ShardPlan, merge, ranges};
use queenlab::count::{Share, counter};
use queenlab::registry::Registry;
use queenlab::solver::sink::Digest;
use queenlab::solver::{Budget, Goal, Task};

use crate::cluster::{Work, merged_here, plan_in, refused, run_here};
use crate::harness::{stderr, stdout};

fn count(n: usize, solver: Option<&str>, depth: Option<usize>, shards: usize) -> ShardPlan {
    ShardPlan::count(n, solver.unwrap_or("count/auto"), depth, Some(shards)).expect("a plan")
}

#[test]
fn shards_of_a_count_add_up_to_the_published_number() {
    let few = [(0, 1), (1, 1), (2, 1), (3, 1), (4, 3), (5, 2), (8, 7), (11, 5), (12, 64)];
    for (n, shards) in few.into_iter().chain([(14, 1), (14, 9), (15, 13), (16, 8)]) {
        let total = merged_here(&count(n, None, None, shards)).total;
        assert_eq!(total, known::solutions(n).map(u128::from), "n={n} in {shards}");
    }
}

#[test]
fn both_ways_of_cutting_a_count_agree() {
    let plans = [
        (count(14, None, Some(3), 4), Partition::Prefixes { depth: 3 }),
        (count(14, Some("count/block"), None, 4), Partition::Prefixes { depth: 3 }),
        (count(14, Some("count/portable"), None, 4), Partition::ColumnSets),
    ];
    for (plan, partition) in plans {
        assert_eq!(plan.job.board(), Some((14, partition)));
        assert_eq!(merged_here(&plan).total, Some(365_596), "{plan:?}");
    }
}

/// The textbook searcher's digest, of boards that it finds one by one without any symmetry.
fn digest_of_all(n: usize) -> Digest {
    let registry = Registry::builtin();
    let searcher = registry.get("backtrack/bitmask").expect("it is built in");
    let mut digest = Digest::default();
    let task = Task::new(BoardSize::new(n).expect("a size"), Goal::Enumerate);
    searcher.solve(&task, &mut digest).expect("a size that it can do");
    digest
}

#[test]
fn the_digest_of_merged_shards_is_that_of_the_whole_enumeration() {
    for n in 0..=9 {
        let whole = digest_of_all(n);
        for depth in [0, 1, n / 2, n.saturating_sub(1)] {
            if depth > n.saturating_sub(1) {
                continue;
            }
            let plan = |shards| ShardPlan::enumerate(n, Some(depth), shards);
            let subproblems = plan(None).expect("a plan").subproblems;
            let merged = merged_here(&plan(Some(subproblems.min(3))).expect("a plan"));
            assert_eq!(merged.total, Some(u128::from(whole.count())), "n={n} depth {depth}");
            assert_eq!(merged.summary.digest, Some(whole.to_string()), "n={n} depth {depth}");
        }
    }
}

#[test]
fn threads_find_what_one_thread_finds() {
    for task in ["count", "enumerate"] {
        let work = Work::new(&["--task", task, "--n", "14", "--shards", "2"]);
        for index in ["0", "1"] {
            let ran = crate::cluster::output(work.command("run").args(["--index", index, "--threads", "3"]));
            assert!(ran.status.success(), "{}", crate::cluster::stderr(&ran));
        }
        assert_eq!(work.total(), 365_596, "{task}");
    }
}

/// Against all solutions. If another solution than the first one is known, some shard finds a smaller one.
#[test]
fn shards_confirm_the_first_solution_and_no_other_one() {
    for n in [6, 7, 8, 10, 12] {
        let mut all: Vec<Vec<u16>> =
            queenlab::solutions(n).expect("a size").map(|board| board.columns().to_vec()).collect();
        all.sort_unstable();
        let mut trees = BTreeSet::new();
        for (depth, shards) in [(None, 1), (Some(0), 1), (Some(4), 2), (Some(4), 3)] {
            // None if fewer subproblems are left.
            let Ok(plan) = ShardPlan::lex(n, Some(all[0].clone()), depth, Some(shards)) else { continue };
            let summary = merged_here(&plan).summary;
            let first: Vec<u16> = columns(&summary.first.expect("a solution"));
            assert_eq!(first, all[0], "n={n}");
            if depth == Some(4) {
                trees.insert(summary.nodes);
            }
        }
        assert!(trees.len() <= 1, "n={n}: the nodes depend on the number of shards: {trees:?}");
        for known in [&all[1], &all[all.len() / 2], &all[all.len() - 1]] {
            let plan = ShardPlan::lex(n, Some(known.clone()), Some(3), Some(1)).expect("a plan");
            let out = tempfile::tempdir().expect("a temporary directory");
            let Ok(Ran::Now(result)) = run_here(&plan, 0, out.path()) else { panic!("n={n}: no result") };
            let smaller = columns(&result.smaller.expect("a smaller solution"));
            assert!(smaller < *known && all.contains(&smaller), "n={n}: {smaller:?} for {known:?}");
            let refused = merge(&plan, out.path(), &Registry::builtin()).expect_err("another solution");
            assert!(refused.to_string().contains("make a new plan with --known"), "{refused}");
        }
    }
}

fn columns(text: &str) -> Vec<u16> {
    text.split(',').map(|column| column.parse().expect("a column")).collect()
}

/// The plan finds its known solution itself.
#[test]
fn the_first_solution_of_12_queens_is_confirmed_by_its_shards() {
    let work = Work::new(&["--task", "lex", "--n", "12", "--shards", "4"]);
    work.run_all();
    let merged = work.merge();
    assert_eq!(stdout(&merged), "0,2,4,7,9,11,5,10,1,6,8,3\n", "{}", stderr(&merged));
    assert_eq!(work.summary()["first"], stdout(&merged).trim_end());
}

#[test]
fn a_search_for_the_first_solution_that_cannot_be_planned_is_refused() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    for (options, word) in [
        (&["--task", "lex", "--n", "3"][..], "no solution"),
        (&["--task", "lex", "--n", "5"], "0,2,4,1,3"),
        (&["--task", "lex", "--n", "65"], "n = 64"),
        (&["--task", "lex", "--n", "6", "--known", "1,3,5,0,2,5"], "not a solution"),
        (&["--task", "lex", "--n", "6", "--known", "1,3"], "not a solution"),
        (&["--task", "lex", "--n", "6", "--solver", "backtrack/bitmask"], "backtrack/lex"),
        (&["--task", "count", "--n", "6", "--known", "1,3,5,0,2,4"], "--task lex"),
    ] {
        refused(&plan_in(directory.path(), options), 2, &[word]);
    }
}

#[test]
fn every_subproblem_belongs_to_exactly_one_shard() {
    for (subproblems, shards) in [(10, 1), (10, 3), (10, 10), (7, 4)] {
        let plan = ShardPlan::count(8, "count/auto", None, None).expect("a plan");
        let plan = ShardPlan { subproblems, shards, ..plan };
        let lengths: Vec<usize> = (0..shards).map(|index| plan.len_of(index)).collect();
        let strided: Vec<usize> = (0..shards).map(|i| (i..subproblems).step_by(shards).count()).collect();
        assert_eq!(lengths, strided);
    }
}

/// By all that is listed, computed and met, which is the same on every machine.
#[test]
#[ignore = "long: a count of 16 queens by each column set"]
fn strided_shards_of_16_queens_weigh_alike_and_contiguous_ones_do_not() {
    let problem = counter("count/portable", 16, NonZeroUsize::MIN).expect("a counter");
    let board = problem.open().expect("a board");
    let mut strided = vec![0_u64; 64];
    let mut contiguous = vec![0_u64; 64];
    let all = board.subproblems();
    for subproblem in 0..all {
        let share = Share { index: subproblem, of: all };
        let work = board.run(share, &Budget::unlimited(), &|_| false, &|_| {}).expect("a count").work;
        let work = work.top_halves + work.bottom_halves + work.meetings;
        strided[subproblem % 64] += work;
        contiguous[subproblem * 64 / all] += work;
    }
    let imbalance = |work: &[u64]| {
        let longest = work.iter().max().copied().unwrap_or(0) as f64;
        longest * work.len() as f64 / work.iter().sum::<u64>() as f64
    };
    assert!(imbalance(&strided) <= 1.05, "{}", imbalance(&strided));
    assert!(imbalance(&contiguous) > 1.2, "{}", imbalance(&contiguous));
}

#[test]
fn missing_shards_are_listed_as_indices_and_as_ranges() {
    let work = Work::new(&["--n", "10", "--shards", "16"]);
    assert_eq!(work.missing(&["--ranges"]), "0-15\n");
    for index in [0, 1, 2, 4, 5, 6, 7, 8, 15] {
        assert!(work.run(index).status.success());
    }
    assert_eq!(work.missing(&["--ranges"]), "3,9-14\n");
    assert_eq!(work.missing(&["--ranges", "--max", "3"]), "3,9-10\n");
    assert_eq!(work.missing(&[]), "3\n9\n10\n11\n12\n13\n14\n");
    assert_eq!(work.missing(&["--max", "2"]), "3\n9\n");
    for index in [3, 9, 10, 11, 12, 13, 14] {
        assert!(work.run(index).status.success());
    }
    assert_eq!((work.missing(&["--ranges"]).as_str(), work.missing(&[]).as_str()), ("", ""));
    assert_eq!(ranges(&[3, 9, 10, 11, 12, 13, 14]), "3,9-14");
}

#[test]
fn a_shard_that_has_its_result_is_left_alone() {
    let work = Work::new(&["--n", "12", "--shards", "4"]);
    work.run_all();
    let before = std::fs::read(work.result(2)).expect("a result");
    let again = work.run(2);
    assert!(again.status.success() && crate::cluster::stderr(&again).contains("already done"));
    assert_eq!(std::fs::read(work.result(2)).expect("a result"), before);
    let names: Vec<String> = std::fs::read_dir(work.out())
        .expect("a directory")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    assert_eq!(names.len(), 4, "nothing else is left behind: {names:?}");
}

#[test]
fn a_result_takes_less_than_a_kilobyte() {
    for options in [["--task", "enumerate", "--n", "12"], ["--task", "count", "--n", "16"]] {
        let work = Work::new(&options);
        assert!(work.run(0).status.success());
        let bytes = std::fs::metadata(work.result(0)).expect("a result").len();
        assert!(bytes < 1000, "{bytes}");
    }
}
