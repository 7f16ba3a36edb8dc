use super::*;
use crate::solver::sink::Digest;
use crate::solver::{Goal, Task};

fn sizes(sizes: std::ops::RangeInclusive<usize>) -> Vec<BoardSize> {
    sizes.filter_map(|n| BoardSize::new(n).ok()).collect()
}

/// The names of the mutants that only these checks catch, for n up to 8.
fn only(trials: &[Trial], checks: &[Check]) -> Vec<&'static str> {
    let by_these = |trial: &&Trial| trial.is_caught() && trial.caught.keys().eq(checks);
    trials.iter().filter(by_these).map(|trial| trial.name).collect()
}

#[test]
fn every_mutant_is_caught_and_some_by_one_check_alone() {
    let trials = all(sizes(1..=8)).expect("no mutant fails");
    let survivors: Vec<_> =
        trials.iter().filter(|trial| !trial.is_caught()).map(|trial| trial.name).collect();
    assert_eq!(survivors, [""; 0]);
    let searchers: Vec<Trial> = trials.iter().filter(|trial| trial.kind == Kind::Searcher).cloned().collect();
    assert!(searchers.len() >= 20, "{}", searchers.len());
    assert_eq!(
        only(&searchers, &[Check::Profile]),
        [
            "diagonals tested on the whole board",
            "one diagonal tested on the whole board",
            "root not counted",
            "dead ends of the last row not counted"
        ]
    );
    assert_eq!(
        only(&searchers, &[Check::Proof]),
        ["last row counted, not walked", "a rule that holds for n < 10"]
    );
    assert_eq!(only(&searchers, &[Check::Order]), ["right to left"]);
    assert_eq!(only(&trials, &[Check::Audit]).len(), 21);
    let audited = trials.iter().filter(|trial| trial.of == "pairwise");
    assert!(audited.clone().count() > 5 && audited.clone().all(|t| t.caught.contains_key(&Check::Audit)));
    let uncounted = searchers.iter().filter(|trial| !trial.caught.contains_key(&Check::Count)).count();
    assert!(uncounted >= 10, "{uncounted} searchers are not caught by their count");
}

#[test]
fn what_catches_a_mutant_is_one_of_the_checks_of_its_kind_and_names_a_board_of_its_size() {
    for trial in all(sizes(1..=6)).expect("no mutant fails") {
        assert!(trial.caught.keys().all(|check| trial.kind.checks().contains(check)), "{trial:?}");
        assert_eq!(trial.message.is_some(), trial.is_caught(), "{trial:?}");
        let Some((n, shown, board)) = &trial.board else { continue };
        assert!(*n >= trial.n().expect("caught") && board.size() == *n, "{trial:?}");
        assert_eq!(board.is_solution(), *shown != Shown::Illegal, "{trial:?}");
    }
}

#[test]
fn names_are_unique() {
    let mut names: Vec<_> =
        all(sizes(1..=1)).expect("no mutant fails").iter().map(|trial| trial.name).collect();
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all);
}

/// Unchanged originals are not caught: no check rejects everything.
#[test]
fn the_searchers_formulas_and_certificates_themselves_survive() {
    let (sizes, sizes_from_0) = (sizes(1..=7), sizes(0..=6));
    let searchers = searchers::trials(&edits::unchanged(), &sizes).expect("they search");
    let encodings = encodings::trials(&encodings::unchanged(), &sizes).expect("varisat answers");
    assert_eq!((searchers.len(), encodings.len()), (5, 3));
    for trial in searchers.iter().chain(&encodings) {
        assert_eq!((trial.n(), &trial.message), (None, &None), "{}: {:?}", trial.name, trial.caught);
    }
    for n in sizes_from_0 {
        assert!(proofs::unchanged(n).iter().flatten().all(Option::is_none), "{:?}", proofs::unchanged(n));
    }
}

#[test]
fn a_slip_that_is_right_on_small_boards_survives_them() {
    let survivors = |sizes| {
        let trials = all(sizes).expect("no mutant fails");
        trials.into_iter().filter(|trial| !trial.is_caught()).map(|trial| trial.name).collect::<Vec<_>>()
    };
    let six = survivors(sizes(1..=6));
    assert!(six.contains(&"row parity slip") && six.contains(&"32-bit mask overflow"), "{six:?}");
    assert_eq!(
        survivors(sizes(7..=7)),
        ["far diagonal off by one", "six rows back at most", "n = 4 written in"]
    );
}

/// The far edge rule: only the proof catches it where others would have to enumerate n = 10 (724 solutions).
#[test]
fn the_rule_that_holds_up_to_9_loses_two_solutions_on_10() {
    let mutants = edits::all();
    let mutant = mutants.iter().find(|mutant| mutant.name.starts_with("a rule")).expect("in the table");
    let count = |n: usize| {
        let mut digest = Digest::default();
        let task = Task::new(BoardSize::new(n).expect("small"), Goal::Enumerate);
        mutant.solve(&task, &mut digest).expect("it searches");
        digest.count()
    };
    assert_eq!([8, 9, 10].map(count), [92, 352, 722]);
}
