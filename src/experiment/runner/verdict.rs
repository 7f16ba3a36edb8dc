//! Judges the answer of a run against published counts, the boards themselves, the digest of all solutions,
//! and the digests of earlier runs that were correct.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use super::protocol::Report;
use crate::board::problem::Problem;
use crate::board::{BoardSize, known};
use crate::experiment::reference::{self, Defined};
use crate::record::{Kind, Row, VARIANT, Verdict, is_foreign};
use crate::solver::Goal;
use crate::words::counted;

/// The references that an answer is compared with.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reference<'a> {
    /// The number of solutions, and its source.
    pub count: Option<(u64, &'a str)>,
    /// The digest of all solutions.
    pub digest: Option<&'a str>,
    /// Whether there is a solution; `None` if it is not known.
    pub solvable: Option<bool>,
    /// A solver whose boards were all judged, and the digest of its boards.
    pub judged: Option<(&'a str, &'a str)>,
}

/// Judges the answer in a row. `seen` has what was found on the boards during the run. Returns the verdict,
/// and what is wrong or why a correct count proves nothing. The result depends on the arguments only.
pub fn judge(row: &Row, seen: &Report, reference: Reference<'_>) -> (Verdict, Option<String>) {
    let solutions = row.solutions.unwrap_or(0);
    if let Some(reason) = contradiction(row, solutions, seen, reference) {
        return (Verdict::Wrong, Some(reason));
    }
    if row.goal == Goal::First {
        // A board that was shown is a proof; for its absence there must be another one.
        let proven = solutions > 0 || reference.solvable.is_some();
        return (if proven { Verdict::Correct } else { Verdict::Unchecked }, None);
    }
    // If all boards are legal, none is repeated, and their number is right, they are exactly the solutions.
    let proven = reference.digest.is_some() || (seen.illegal == Some(0) && seen.repeated == Some(0));
    if reference.count.is_some() && (row.goal == Goal::Count || proven) {
        return (Verdict::Correct, None);
    }
    let judged = reference.judged.filter(|_| row.goal == Goal::Enumerate);
    match judged {
        Some((_, digest)) if reference.count.is_none() && row.digest.as_deref() == Some(digest) => {
            (Verdict::Unchecked, None)
        }
        Some((_, digest)) if row.digest.as_deref() == Some(digest) => (Verdict::Correct, None),
        Some((solver, _)) => {
            let reason = format!(
                "it found the same number of solutions as {solver}, but different ones: the digests differ"
            );
            (Verdict::Disagree, Some(reason))
        }
        None if reference.count.is_none() => (Verdict::Unchecked, None),
        None if is_foreign(&row.solver) => {
            let reason = "the number of solutions is right, but the boards were not checked for repetitions";
            (Verdict::Unchecked, Some(reason.to_owned()))
        }
        None => (Verdict::Correct, None),
    }
}

/// How an answer contradicts a published number, a proven fact, or the boards themselves.
fn contradiction(row: &Row, solutions: u64, seen: &Report, reference: Reference<'_>) -> Option<String> {
    if let Some(illegal) = seen.illegal.filter(|&illegal| illegal > 0) {
        let boards = if illegal == 1 { "board is not a solution" } else { "boards are not solutions" };
        let shown = match seen.first_illegal.as_deref() {
            // A board of so many queens is not shown.
            None if row.n > BoardSize::MAX => String::new(),
            shown => format!("; the first one: {}", shown.unwrap_or("a row does not have exactly one queen")),
        };
        return Some(format!("{illegal} {boards}{shown}"));
    }
    if let Some(claimed) = seen.claimed {
        return Some(format!("it reported {}, but showed {solutions}", counted(claimed, "solution")));
    }
    if row.goal == Goal::First {
        return match (solutions > 0, reference.solvable) {
            (false, Some(true)) => Some(format!("it found no solution, but {} has one", problem(row))),
            (true, Some(false)) => Some(format!("it claimed a solution, but {} has none", problem(row))),
            (true, _) if row.digest.is_none() => {
                Some("it claimed a solution, but showed no board".to_owned())
            }
            _ => None,
        };
    }
    if let Some((expected, source)) = reference.count.filter(|&(expected, _)| expected != solutions) {
        return Some(format!("it found {}, but {source} has {expected}", counted(solutions, "solution")));
    }
    if solutions == 0 && reference.solvable == Some(true) {
        return Some(format!("it found no solution, but {} has one", problem(row)));
    }
    if row.goal == Goal::Count {
        return None;
    }
    if let Some(repeated) = seen.repeated.filter(|&repeated| repeated > 0) {
        let repeat = if repeated == 1 { "repeats" } else { "repeat" };
        return Some(format!("{repeated} of its {solutions} boards {repeat} an earlier one"));
    }
    let differs = reference.digest.is_some_and(|digest| row.digest.as_deref() != Some(digest));
    differs.then(|| {
        format!(
            "the number of boards is right, but they are not the solutions: their digest differs from that of {}",
            problem(row)
        )
    })
}

fn problem(row: &Row) -> String {
    match row.variant.as_str() {
        VARIANT => format!("n = {}", row.n),
        variant => format!("{variant} at n = {}", row.n),
    }
}

/// Judges runs, and remembers the digests of correct ones.
#[derive(Default)]
pub struct References {
    /// For each problem, a built-in solver whose boards were all judged, and the digest of its boards.
    judged: HashMap<Key, (String, String)>,
    /// What the definition says about problems other than the plain one; `None` if it takes too long.
    defined: RefCell<HashMap<Key, Option<Rc<Defined>>>>,
}

/// Size and variant: what identifies a problem in rows.
type Key = (usize, String);

fn key(row: &Row) -> Key {
    (row.n, row.variant.clone())
}

impl References {
    /// Judges a row of a problem, which is `None` if it is not known; the text says what is wrong.
    pub fn judge(&self, row: &Row, problem: Option<&Problem>, seen: &Report) -> (Verdict, Option<String>) {
        let key = key(row);
        let judged = self.judged.get(&key).map(|(solver, digest)| (solver.as_str(), digest.as_str()));
        let published = known::of_variant(row.n, &row.variant);
        if row.variant == VARIANT {
            let digest = if row.goal == Goal::Enumerate { reference::digest(row.n) } else { None };
            let solvable = Some(known::has_solution(row.n));
            return judge(row, seen, Reference { count: published, digest, solvable, judged });
        }
        let mut defined = self.defined.borrow_mut();
        let defined = defined.entry(key).or_insert_with(|| Defined::of(problem?).map(Rc::new)).clone();
        let defined = defined.as_deref();
        let count = published.or(defined.map(|defined| (defined.solutions, "the definition")));
        let digest = defined.filter(|_| row.goal == Goal::Enumerate).map(|defined| defined.digest.as_str());
        judge(row, seen, Reference { count, digest, solvable: count.map(|(count, _)| count > 0), judged })
    }

    /// Remembers a correct enumeration by a built-in solver whose boards were all judged, which is a counting
    /// run. Foreign programs are never used as a reference.
    pub fn remember(&mut self, row: &Row) {
        let trusted = row.kind == Kind::Counting && !is_foreign(&row.solver);
        if row.goal != Goal::Enumerate || !trusted || row.verdict != Verdict::Correct {
            return;
        }
        if let Some(digest) = &row.digest {
            self.judged.entry(key(row)).or_insert_with(|| (row.solver.clone(), digest.clone()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An enumeration of 13 queens, for which there is no digest of all solutions.
    fn row(solver: &str, digest: &str) -> Row {
        Row {
            solutions: Some(73_712),
            digest: Some(digest.to_owned()),
            ..Row::skipped("r".into(), "c".into(), 13, Goal::Enumerate, solver.into())
        }
    }

    fn seen(illegal: Option<u64>, repeated: Option<u64>) -> Report {
        Report { illegal, repeated, ..Report::default() }
    }

    fn verdict(row: &Row, seen: &Report, judged: Option<(&str, &str)>) -> Verdict {
        let count = known::of_variant(row.n, "queens");
        judge(row, seen, Reference { count, digest: None, solvable: Some(true), judged }).0
    }

    #[test]
    fn a_foreign_enumeration_is_correct_only_if_repetitions_were_checked_or_a_judged_one_agrees() {
        let judged = Some(("backtrack/bitmask", "x"));
        for solver in ["program/p", "sat/pairwise/external", "sat/product/external/cubes"] {
            let row = row(solver, "x");
            assert_eq!(verdict(&row, &seen(Some(0), Some(0)), None), Verdict::Correct);
            assert_eq!(verdict(&row, &seen(Some(0), Some(1)), None), Verdict::Wrong);
            assert_eq!(verdict(&row, &seen(Some(1), Some(0)), None), Verdict::Wrong);
            assert_eq!(verdict(&row, &seen(Some(0), None), None), Verdict::Unchecked, "{solver}");
            assert_eq!(verdict(&row, &seen(Some(0), None), judged), Verdict::Correct);
            assert_eq!(verdict(&row, &seen(Some(0), None), Some(("s", "y"))), Verdict::Disagree);
        }
        let own = row("backtrack/bitmask", "x");
        assert_eq!(verdict(&own, &seen(None, None), None), Verdict::Correct);
        assert_eq!(verdict(&own, &seen(None, None), Some(("s", "y"))), Verdict::Disagree);
    }

    #[test]
    fn a_wrong_board_of_more_than_1024_queens_is_not_shown() {
        let wrong = |n| {
            let row = Row { n, goal: Goal::First, solutions: Some(1), ..row("test/solver", "x") };
            judge(&row, &seen(Some(1), None), Reference::default())
        };
        assert_eq!(wrong(2000), (Verdict::Wrong, Some("1 board is not a solution".to_owned())));
        assert!(wrong(8).1.expect("a reason").contains("; the first one: "));
    }

    /// The second of two programs is not judged by the first, in either order.
    #[test]
    fn answers_of_programs_are_no_reference() {
        let mut references = References::default();
        let liar = Row {
            verdict: Verdict::Correct,
            kind: crate::record::Kind::Counting,
            ..row("program/liar", "y")
        };
        references.remember(&liar);
        let honest = row("program/honest", "x");
        assert_eq!(references.judge(&honest, None, &seen(Some(0), Some(0))).0, Verdict::Correct);
        assert_eq!(
            references.judge(&row("backtrack/bitmask", "x"), None, &seen(None, None)).0,
            Verdict::Correct
        );
    }

    #[test]
    fn the_digest_of_all_solutions_decides_whether_or_not_boards_were_checked() {
        let eight = |digest: &str| Row { n: 8, solutions: Some(92), ..row("program/p", digest) };
        let known = reference::digest(8).expect("small");
        let references = References::default();
        for seen in [seen(None, None), seen(Some(0), None)] {
            assert_eq!(references.judge(&eight(known), None, &seen).0, Verdict::Correct);
            assert_eq!(references.judge(&eight("y"), None, &seen).0, Verdict::Wrong);
        }
    }
}
