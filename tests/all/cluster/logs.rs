//! Logs of shards and checkpoints of counts, written here as docs/FORMATS.md describes them: any truncation
//! or damage costs at most the subproblems behind it, and no line of another owner is believed.

use std::path::Path;

use proptest::prelude::*;
use queenlab::cluster::{ClusterError, Ran, Search, ShardPlan};
use queenlab::count::{Kernel, Method, Thin};
use queenlab::record::sha256_hex;
use queenlab::solver::Budget;

use crate::cluster::run_here;

fn plan(shards: usize) -> ShardPlan {
    ShardPlan::enumerate(6, Some(2), Some(shards)).expect("a plan")
}

fn checked(body: &str, key: &str) -> String {
    format!("{body} {}\n", &sha256_hex(format!("{key}{body}").as_bytes())[..8])
}

/// The log of shard `index`, which claims these numbers of solutions.
fn log_of(plan: &ShardPlan, index: usize, found: &[(usize, u64)]) -> String {
    let key = format!("{} {index}", plan.sha256);
    let line = |&(subproblem, solutions): &(usize, u64)| {
        checked(&format!("{subproblem} {solutions} {:032x}", 5), &format!("{key} "))
    };
    checked(&format!("queenlab shard log 1 {key}"), "") + &found.iter().map(line).collect::<String>()
}

/// More solutions than six queens have, each a power of its own, so that the sum shows which were believed.
const THREE: [(usize, u64); 3] = [(1, 1 << 20), (5, 1 << 21), (9, 1 << 22)];

/// Runs shard 1 after an attempt that left this log; returns which lines of [`THREE`] it believed, or `None` if
/// it refused the log as that of another owner.
fn believed(text: &[u8], plan: &ShardPlan) -> Option<Vec<(usize, u64)>> {
    let out = tempfile::tempdir().expect("a temporary directory");
    let work = out.path().join("shard-1.work");
    std::fs::create_dir(&work).expect("a directory");
    std::fs::write(work.join("x.log"), text).expect("a writable directory");
    match run_here(plan, 1, out.path()) {
        Ok(Ran::Now(result)) => {
            let solutions = result.solutions().expect("a number");
            let found: Vec<_> =
                THREE.into_iter().filter(|(_, found)| solutions & u128::from(*found) != 0).collect();
            assert_eq!(result.resumed, found.len());
            Some(found)
        }
        Ok(ran) => panic!("{ran:?}"),
        Err(error) => {
            assert!(matches!(error, ClusterError::Foreign(_)), "{error}");
            None
        }
    }
}

#[test]
fn every_byte_of_a_log_may_be_the_last_one_and_whole_lines_count() {
    let plan = plan(4);
    let text = log_of(&plan, 1, &THREE);
    for end in 0..=text.len() {
        let lines = text[..end].matches('\n').count().saturating_sub(1);
        assert_eq!(believed(&text.as_bytes()[..end], &plan), Some(THREE[..lines].to_vec()), "{end}");
    }
}

/// A shard of a search for the first solution believes a smaller solution or a refutation, but not a digest.
#[test]
fn a_log_of_smaller_prefixes_has_solutions_and_no_digests() {
    let plan = ShardPlan::lex(6, Some(vec![4, 2, 0, 5, 3, 1]), Some(2), Some(1)).expect("a plan");
    let key = format!("{} 0", plan.sha256);
    let digest = format!("{:032x}", 5);
    let cases = [("1,3,5,0,2,4", true), ("-", true), (&digest, false), ("1,3,5,x", false)];
    for (detail, is_believed) in cases {
        let out = tempfile::tempdir().expect("a temporary directory");
        let work = out.path().join("shard-0.work");
        std::fs::create_dir(&work).expect("a directory");
        // A queen in the corner is in no solution: the line is believed, not the board.
        let line = checked(&format!("0 {} {detail}", 1_u64 << 40), &format!("{key} "));
        let text = checked(&format!("queenlab shard log 1 {key}"), "") + &line;
        std::fs::write(work.join("x.log"), text).expect("a writable directory");
        let Ok(Ran::Now(result)) = run_here(&plan, 0, out.path()) else { panic!("{detail}: no result") };
        assert_eq!(result.resumed, usize::from(is_believed), "{detail}");
        assert_eq!(result.nodes().expect("nodes") >> 40 == 1, is_believed, "{detail}");
        assert_eq!(result.smaller(), Some(vec![1, 3, 5, 0, 2, 4]), "{detail}");
    }
}

#[test]
fn a_log_of_another_plan_or_shard_is_refused() {
    let (one, other) = (plan(4), plan(5));
    assert_eq!(believed(log_of(&one, 1, &THREE).as_bytes(), &other), None);
    assert_eq!(believed(log_of(&one, 3, &THREE).as_bytes(), &one), None);
}

#[test]
fn a_damaged_header_costs_nothing_and_lines_of_another_plan_are_not_believed_behind_one() {
    let plan = plan(4);
    let text = log_of(&plan, 1, &THREE);
    let length = text.find('\n').expect("a header");
    for at in 0..length {
        let mut changed = text.clone().into_bytes();
        changed[at] ^= 1 << (at % 8);
        // A new line end makes a second line, and no line after one that fails its check is used.
        let expected = if changed[at] == b'\n' { Vec::new() } else { THREE.to_vec() };
        assert_eq!(believed(&changed, &plan), Some(expected), "byte {at}");
    }
    let foreign = log_of(&plan, 3, &[(1, 1 << 20)]).replacen("queenlab", "queenlap", 1);
    assert_eq!(believed(foreign.as_bytes(), &plan), Some(Vec::new()));
}

#[test]
fn a_line_that_does_not_fit_the_shard_is_not_believed() {
    let plan = plan(4);
    for subproblem in [2, 1_000_001] {
        let text = log_of(&plan, 1, &[(subproblem, 1 << 20)]);
        assert_eq!(believed(text.as_bytes(), &plan), Some(Vec::new()), "{text}");
    }
    let key = format!("{} 1 ", plan.sha256);
    let without_digest = log_of(&plan, 1, &[]) + &checked("1 1048576 -", &key);
    assert_eq!(believed(without_digest.as_bytes(), &plan), Some(Vec::new()));
}

fn single_count(n: usize) -> ShardPlan {
    ShardPlan::single_count(n, Method::block(n)).expect("a plan")
}

/// Resumes the count of a checkpoint and completes it; returns how many subproblems were finished before.
fn complete(plan: &ShardPlan, path: &Path) -> usize {
    let mut search = Search::single(plan, Some((path, "ab"))).expect("a checkpoint");
    let before = search.tally().finished;
    let board = search.open(Kernel::Portable, std::num::NonZeroUsize::MIN).expect("a board");
    search.run(&board, &Budget::unlimited(), &mut |_, _| {}).expect("a count");
    search.save().expect("written");
    assert_eq!((search.tally().is_complete(), search.tally().number), (true, 92));
    before
}

#[test]
#[ignore = "long: two counts for each byte"]
fn a_checkpoint_is_completed_from_any_byte_behind_its_header() {
    let plan = single_count(8);
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("c");
    assert_eq!(complete(&plan, &path), 0);
    let text = std::fs::read_to_string(&path).expect("ASCII");
    assert_eq!(complete(&plan, &path), plan.subproblems);
    let header = text.find('\n').expect("a header") + 1;
    for end in header..text.len() {
        std::fs::write(&path, &text[..end]).expect("a writable directory");
        let finished = text[..end].matches('\n').count() - 1;
        assert_eq!(complete(&plan, &path), finished.min(plan.subproblems), "{end}");
        assert_eq!(complete(&plan, &path), plan.subproblems, "what was cut off was replaced: {end}");
    }
}

#[test]
fn a_checkpoint_of_another_count_is_refused_with_what_differs() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("c");
    let plan = single_count(8);
    complete(&plan, &path);
    let before = std::fs::read(&path).expect("a checkpoint");
    let version = format!("version ({} there, 2 here)", env!("CARGO_PKG_VERSION"));
    let sample = ShardPlan::sample(14, "count/auto", 9, Thin { step: 1, seed: 4 }, Some(1)).expect("a plan");
    for (plan, executable, words) in [
        (single_count(9), "ab", "n (8 there, 9 here), subproblems ("),
        (ShardPlan { queenlab_version: "2".into(), ..plan.clone() }, "ab", version.as_str()),
        (ShardPlan { partition_sha256: "x".into(), ..plan.clone() }, "ab", "partition ("),
        (sample, "ab", "sample (all there, 9,seed:4,thin:1 here)"),
        (plan, "cd", "executable (ab there, cd here)"),
    ] {
        let refusal = Search::single(&plan, Some((&path, executable))).err().expect("another count");
        assert!(matches!(refusal, ClusterError::Foreign(_)), "{refusal}");
        assert!(refusal.to_string().contains(words), "{refusal}");
        assert_eq!(std::fs::read(&path).expect("a checkpoint"), before);
    }
}

#[test]
fn a_file_that_is_not_a_checkpoint_is_refused_and_left_as_it_was() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("c");
    let plan = single_count(8);
    complete(&plan, &path);
    let text = std::fs::read_to_string(&path).expect("ASCII");
    let header = text.split_inclusive('\n').next().expect("a header");
    for text in ["", "notes", "{\"schema_version\":1}\n", &header[1..], &header[..header.len() - 1]] {
        std::fs::write(&path, text).expect("a writable directory");
        let refusal = Search::single(&plan, Some((&path, "ab"))).err().expect("not a checkpoint");
        assert!(matches!(refusal, ClusterError::File { .. }), "{refusal}");
        assert_eq!(std::fs::read_to_string(&path).expect("text"), text);
    }
}

proptest! {
    #[test]
    fn no_changed_byte_of_a_log_is_believed(at in 0_usize..1000, byte: u8) {
        let plan = plan(4);
        let text = log_of(&plan, 1, &THREE);
        let mut changed = text.clone().into_bytes();
        let lines = text.find('\n').expect("a header") + 1;
        let at = lines + at % (changed.len() - lines);
        prop_assume!(changed[at] != byte);
        changed[at] = byte;
        let found = believed(&changed, &plan).unwrap_or_default();
        let line = text[..at].matches('\n').count().saturating_sub(1);
        prop_assert!(found.len() <= line && THREE.starts_with(&found), "{found:?}");
    }

    #[test]
    fn any_bytes_are_read_as_a_log_without_a_panic(bytes: Vec<u8>) {
        let plan = plan(4);
        let _ = believed(&bytes, &plan);
        let after = [log_of(&plan, 1, &THREE).into_bytes(), bytes].concat();
        prop_assert_eq!(believed(&after, &plan), Some(THREE.to_vec()));
    }
}
