//! Judges the answers of runs: each one by published counts, the definition and its own boards ([`References`]), then all of
//! a table by each other ([`review`]).

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use super::attempt::Seen;
use crate::board::problem::Problem;
use crate::board::{BoardSize, known};
use crate::experiment::reference;
use crate::model::{Kind, ProblemRef, SolverRef, Verdict};
use crate::record::Row;
use crate::solver::Goal;
use crate::solver::definition::Defined;
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
}

/// Judges the answer in a row. `seen` has what was found on the boards during the run. Returns the verdict,
/// and what is wrong or why a correct count proves nothing. The result depends on the arguments only.
pub fn judge(row: &Row, seen: &Seen, reference: Reference<'_>) -> (Verdict, Option<String>) {
    let solutions = row.solutions.unwrap_or(0);
    if let Some(reason) = contradiction(row, solutions, seen, reference) {
        return (Verdict::Wrong, Some(reason));
    }
    if row.goal == Goal::First {
        // A board that was shown is a proof; for its absence there must be another one.
        let proven = solutions > 0 || reference.solvable.is_some();
        return (if proven { Verdict::Correct } else { Verdict::Unchecked }, None);
    }
    if reference.count.is_none() {
        return (Verdict::Unchecked, None);
    }
    // If all boards are legal, none is repeated, and their number is right, they are exactly the solutions.
    let were_checked = seen.illegal == Some(0) && seen.repeated == Some(0);
    if row.goal == Goal::Count || were_checked || reference.digest.is_some() || !row.solver.starts_programs()
    {
        return (Verdict::Correct, None);
    }
    let reason = "the number of solutions is right, but the boards were not checked for repetitions";
    (Verdict::Unchecked, Some(reason.to_owned()))
}

/// How an answer contradicts a published number, a proven fact, or the boards themselves.
fn contradiction(row: &Row, solutions: u64, seen: &Seen, reference: Reference<'_>) -> Option<String> {
    if let Some(illegal) = seen.illegal.filter(|&illegal| illegal > 0) {
        let boards = if illegal == 1 { "board is not a solution" } else { "boards are not solutions" };
        let shown = match seen.first_illegal.as_deref() {
            // A board above this size is not shown.
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
    match row.variant.is_plain() {
        true => format!("n = {}", row.n),
        false => format!("{} at n = {}", row.variant, row.n),
    }
}

/// Size and variant: what identifies a problem in rows.
type Key = (usize, ProblemRef);

fn key(row: &Row) -> Key {
    (row.n, row.variant.clone())
}

/// What is known about problems: published, or by the definition.
#[derive(Default)]
pub struct References {
    /// What the definition says about problems other than the plain one; `None` if it takes too long.
    defined: RefCell<HashMap<Key, Option<Rc<Defined>>>>,
}

impl References {
    /// Judges a row of a problem, which is `None` if it is not known; the text says what is wrong.
    pub fn judge(&self, row: &Row, problem: Option<&Problem>, seen: &Seen) -> (Verdict, Option<String>) {
        let published = known::of_variant(row.n, &row.variant);
        if row.variant.is_plain() {
            let digest = if row.goal == Goal::Enumerate { reference::digest(row.n) } else { None };
            let solvable = Some(known::has_solution(row.n));
            return judge(row, seen, Reference { count: published, digest, solvable });
        }
        let mut defined = self.defined.borrow_mut();
        let defined = defined.entry(key(row)).or_insert_with(|| Defined::of(problem?).map(Rc::new)).clone();
        let defined = defined.as_deref();
        let count = published.or(defined.map(|defined| (defined.solutions, "the definition")));
        let digest = defined.filter(|_| row.goal == Goal::Enumerate).map(|defined| defined.digest.as_str());
        judge(row, seen, Reference { count, digest, solvable: count.map(|(count, _)| count > 0) })
    }
}

/// Judges the rows of a table by each other, after each was judged alone: a board that was shown refutes every answer that
/// there is no solution, and numbers or boards that differ are a disagreement. Only rows that `counts` are read, because one
/// of an earlier plan may be about another instance of the same name. Returns whether a verdict has changed.
pub fn review(rows: &mut [Row], counts: impl Fn(&Row) -> bool) -> bool {
    let is_open = |row: &Row| row.status.is_solved() && row.verdict != Verdict::Wrong && counts(row);
    let mut answers: HashMap<Key, Answers> = HashMap::new();
    for row in rows.iter().filter(|row| is_open(row)) {
        answers.entry(key(row)).or_default().add(row);
    }
    let mut changed = false;
    for row in rows.iter_mut().filter(|row| is_open(row)) {
        if let Some((verdict, reason)) = answers.get(&key(row)).and_then(|answers| answers.judge(row)) {
            changed |= row.verdict != verdict;
            (row.verdict, row.verdict_reason) = (verdict, reason);
        }
    }
    changed
}

/// The answers to one problem that are not known to be wrong.
#[derive(Default)]
struct Answers {
    /// A solver that showed a solution.
    shown: Option<SolverRef>,
    /// The numbers of solutions that solvers of this program found, and that foreign programs found.
    own: BTreeMap<u64, SolverRef>,
    foreign: BTreeMap<u64, SolverRef>,
    /// A solver of this program whose boards were all judged, and their digest.
    judged: Option<(SolverRef, String)>,
}

/// The number of solutions that an answer claims.
fn claim(row: &Row) -> Option<u64> {
    row.solutions.filter(|&solutions| row.goal != Goal::First || solutions == 0)
}

impl Answers {
    fn add(&mut self, row: &Row) {
        let is_foreign = row.solver.starts_programs();
        let digest = row.digest.as_ref().filter(|_| row.solutions > Some(0));
        if digest.is_some() && (row.kind == Kind::Counting || is_foreign || row.goal == Goal::First) {
            self.shown.get_or_insert_with(|| row.solver.clone());
        }
        if let Some(digest) =
            digest.filter(|_| row.goal == Goal::Enumerate && row.kind == Kind::Counting && !is_foreign)
        {
            self.judged.get_or_insert_with(|| (row.solver.clone(), digest.clone()));
        }
        let claims = if is_foreign { &mut self.foreign } else { &mut self.own };
        if let Some(solutions) = claim(row) {
            claims.entry(solutions).or_insert_with(|| row.solver.clone());
        }
    }

    fn judge(&self, row: &Row) -> Option<(Verdict, Option<String>)> {
        if let Some(found) = claim(row) {
            if let Some(solver) = self.shown.as_ref().filter(|_| found == 0) {
                return Some((
                    Verdict::Wrong,
                    Some(format!("it found no solution, but {solver} showed one")),
                ));
            }
            // The number that foreign programs agree on is all that is known without one of our own.
            let claims = if self.own.is_empty() { &self.foreign } else { &self.own };
            let differs = |&(&other, _): &(&u64, _)| other != found && (other > 0 || self.shown.is_none());
            if let Some((other, solver)) = claims.iter().find(differs) {
                let found = counted(found, "solution");
                return Some((
                    Verdict::Disagree,
                    Some(format!("it found {found}, but {solver} found {other}")),
                ));
            }
        }
        let (solver, digest) = self.judged.as_ref().filter(|_| row.goal == Goal::Enumerate)?;
        if row.digest.as_ref() != Some(digest) {
            let reason = format!(
                "it found the same number of solutions as {solver}, but different ones: the digests differ"
            );
            return Some((Verdict::Disagree, Some(reason)));
        }
        // The number is the published one, and so are the boards the solutions.
        let is_proven = row.verdict == Verdict::Unchecked && row.expected_solutions.is_some();
        is_proven.then_some((Verdict::Correct, None))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::Registry;

    /// An enumeration of 13 queens, for which there is no digest of all solutions.
    fn row(solver: &str, digest: &str) -> Row {
        Row {
            solutions: Some(73_712),
            digest: Some(digest.to_owned()),
            ..Row::skipped("r".into(), "c".into(), 13, Goal::Enumerate, solver.into())
        }
    }

    fn seen(illegal: Option<u64>, repeated: Option<u64>) -> Seen {
        Seen { illegal, repeated, ..Seen::default() }
    }

    fn verdict(row: &Row, seen: &Seen) -> Verdict {
        let count = known::of_variant(row.n, "queens");
        judge(row, seen, Reference { count, digest: None, solvable: Some(true) }).0
    }

    /// Reports take the time of a foreign solver from its process.
    #[test]
    fn exactly_the_solvers_with_a_program_are_foreign() {
        for solver in Registry::builtin().iter() {
            let info = solver.info();
            assert_eq!(SolverRef::of(&info.id, []).starts_programs(), info.uses_external, "{}", info.id);
        }
    }

    #[test]
    fn a_foreign_enumeration_is_correct_only_if_repetitions_were_checked() {
        for solver in ["program/p", "sat/pairwise/external", "sat/product/external/cubes"] {
            let row = row(solver, "x");
            assert_eq!(verdict(&row, &seen(Some(0), Some(0))), Verdict::Correct);
            assert_eq!(verdict(&row, &seen(Some(0), Some(1))), Verdict::Wrong);
            assert_eq!(verdict(&row, &seen(Some(1), Some(0))), Verdict::Wrong);
            assert_eq!(verdict(&row, &seen(Some(0), None)), Verdict::Unchecked, "{solver}");
        }
        assert_eq!(verdict(&row("backtrack/bitmask", "x"), &seen(None, None)), Verdict::Correct);
    }

    /// Rows of one problem for which nothing is published, in this order and the other way round.
    fn reviewed(rows: &[Row]) -> Vec<Verdict> {
        let review = |mut rows: Vec<Row>| {
            super::review(&mut rows, |_| true);
            assert!(!super::review(&mut rows, |_| true), "the second time changes nothing");
            rows.iter().map(|row| row.verdict).collect::<Vec<_>>()
        };
        let verdicts = review(rows.to_vec());
        let mut backwards = review(rows.iter().rev().cloned().collect());
        backwards.reverse();
        assert_eq!(verdicts, backwards);
        verdicts
    }

    fn answer(solver: &str, goal: Goal, solutions: u64) -> Row {
        let status = match (goal, solutions) {
            (Goal::First, 0) => crate::record::Status::Unsat,
            (Goal::First, _) => crate::record::Status::Sat,
            _ => crate::record::Status::Complete,
        };
        let digest = (goal != Goal::Count && solutions > 0).then(|| format!("digest of {solutions}"));
        let verdict =
            if status == crate::record::Status::Sat { Verdict::Correct } else { Verdict::Unchecked };
        let variant = "queens;place=0:0".parse().expect("a problem");
        let solutions = Some(solutions);
        let kind = if goal == Goal::Enumerate { Kind::Counting } else { Kind::Timed };
        let row = Row::skipped("r".into(), "c".into(), 18, goal, solver.into());
        Row { variant, status, verdict, solutions, kind, digest, ..row }
    }

    #[test]
    fn a_board_that_was_shown_refutes_every_answer_that_there_is_none() {
        use Verdict::{Correct, Disagree, Unchecked, Wrong};
        let shown = answer("sat/pairwise/varisat", Goal::First, 1);
        for liar in ["program/silent", "sat/pairwise/liar", "backtrack/bitmask"] {
            let none = |goal| answer(liar, goal, 0);
            let count = answer("program/honest", Goal::Count, 7);
            let rows = [none(Goal::First), none(Goal::Count), none(Goal::Enumerate), shown.clone(), count];
            assert_eq!(reviewed(&rows), [Wrong, Wrong, Wrong, Correct, Unchecked], "{liar}");
            // Nobody showed a board, and nobody of our own counted: both may be wrong.
            let rows = [answer("program/a", Goal::First, 0), answer("program/b", Goal::Count, 7)];
            assert_eq!(reviewed(&rows), [Disagree; 2]);
        }
    }

    #[test]
    fn numbers_that_differ_are_a_disagreement_with_the_solvers_of_this_program() {
        use Verdict::{Disagree, Unchecked};
        let count = |solver: &str, solutions| answer(solver, Goal::Count, solutions);
        let own = count("backtrack/dlx", 7);
        let rows = [count("program/a", 7), count("sat/pairwise/liar", 5), own.clone()];
        assert_eq!(reviewed(&rows), [Unchecked, Disagree, Unchecked]);
        assert_eq!(reviewed(&[count("program/a", 5), count("program/b", 5)]), [Unchecked; 2]);
        assert_eq!(reviewed(&[count("backtrack/mac", 5), own.clone()]), [Disagree; 2]);
        // Another problem has another number.
        let other = Row { variant: "queens;place=0:1".parse().expect("a problem"), ..count("program/a", 5) };
        assert_eq!(reviewed(&[other, own]), [Unchecked; 2]);
    }

    #[test]
    fn an_enumeration_with_other_boards_than_one_of_our_own_disagrees() {
        let own = Row { verdict: Verdict::Correct, kind: Kind::Counting, ..row("backtrack/bitmask", "x") };
        let own = Row { status: crate::record::Status::Complete, expected_solutions: Some(73_712), ..own };
        let with = |solver: &str, digest: &str| Row {
            solver: solver.parse().expect("a solver"),
            digest: Some(digest.to_owned()),
            kind: Kind::Timed,
            verdict: Verdict::Unchecked,
            ..own.clone()
        };
        let rows =
            [own.clone(), with("program/honest", "x"), with("program/liar", "y"), with("sat/x/varisat", "y")];
        let expected = [Verdict::Correct, Verdict::Correct, Verdict::Disagree, Verdict::Disagree];
        assert_eq!(reviewed(&rows), expected);
    }

    #[test]
    fn a_wrong_board_of_more_than_1024_queens_is_not_shown() {
        let wrong = |n| {
            let row = Row { n, goal: Goal::First, solutions: Some(1), ..row("test/solver", "x") };
            judge(&row, &seen(Some(1), None), Reference::default())
        };
        for n in [2000, 8] {
            let (verdict, reason) = wrong(n);
            assert_eq!(verdict, Verdict::Wrong);
            let key = format!("a wrong board of {n} queens");
            wording::assert_wording!("runner", &key, reason.expect("a reason"));
        }
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
