//! Verdicts of rows. When a run ends, its answer is judged by published and computed facts about the problem ([`References`]).
//! When the sweep ends, all answers are compared with each other ([`review`]).

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use super::reference;
use crate::board::problem::Problem;
use crate::board::published;
use crate::judging::{self, BoardCheck, Evidence, Review, Source};
use crate::model::{Answer, ProblemRef, Verdict};
use crate::record::Row;
use crate::solver::Goal;
use crate::solver::definition::SolutionsByDefinition;

/// The solutions according to the definition, by size and variant; `None` if their computation would take too long or the problem
/// is unknown.
type DefinedProblems = HashMap<(usize, ProblemRef), Option<Rc<SolutionsByDefinition>>>;

/// Facts about problems that are published or computed from the definition of a solution.
#[derive(Default)]
pub struct References {
    /// The solutions that were computed so far, for problems other than plain queens.
    by_definition: RefCell<DefinedProblems>,
}

impl References {
    /// Judges a row. `problem` is `None` if it is unknown. The returned text is the reason of the verdict.
    pub fn judge(
        &self,
        row: &Row,
        problem: Option<&Problem>,
        boards: &BoardCheck,
    ) -> (Verdict, Option<String>) {
        let answer = Evidence { boards: Some(boards), ..row.evidence() };
        let fact = |source, answer| Evidence::new(source, row.n, &row.variant, answer);
        let published = published::of_variant(row.n, &row.variant);
        let is_plain = row.variant.is_plain();
        let defined_solutions = if is_plain { None } else { self.solutions_by_definition(row, problem) };
        let mut facts = Vec::new();
        let solutions =
            published.map(|(solutions, _)| solutions).or(defined_solutions.as_ref().map(|all| all.solutions));
        let is_solvable = if is_plain {
            Some(published::has_solution(row.n))
        } else {
            solutions.map(|solutions| solutions > 0)
        };
        if row.goal == Goal::First || solutions.is_none() {
            facts.extend(
                is_solvable.map(|one| fact(Source::Proof, Answer::number_of(Goal::First, u64::from(one)))),
            );
        } else {
            facts.extend(published.map(|(solutions, source)| {
                fact(Source::Published(source), Answer::number_of(Goal::Count, solutions))
            }));
            let digest = defined_solutions.as_ref().map(|all| all.digest.as_str());
            let digest = digest
                .or_else(|| reference::digest(row.n).filter(|_| is_plain && row.goal == Goal::Enumerate));
            let enumeration = digest.zip(defined_solutions.as_ref().map(|all| all.solutions).or(solutions));
            facts.extend(enumeration.map(|(digest, solutions)| {
                fact(Source::Definition, Answer::with_boards(Goal::Enumerate, solutions, digest))
            }));
        }
        let (verdict, finding) = judging::judge(&answer, &facts);
        (verdict, finding.map(|finding| finding_text(&finding)))
    }

    fn solutions_by_definition(
        &self,
        row: &Row,
        problem: Option<&Problem>,
    ) -> Option<Rc<SolutionsByDefinition>> {
        let key = (row.n, row.variant.clone());
        let mut cache = self.by_definition.borrow_mut();
        cache.entry(key).or_insert_with(|| SolutionsByDefinition::of(problem?).map(Rc::new)).clone()
    }
}

/// A finding as the reason of a verdict.
fn finding_text(finding: &judging::Finding) -> String {
    format!("it {finding}")
}

/// Compares the answers of all rows of a table with each other, after each row was judged separately. Only rows for which
/// `is_compared` is true are used, because an instance of an earlier plan may be a different problem with the same name. Returns
/// whether a verdict has changed.
pub fn review(rows: &mut [Row], is_compared: impl Fn(&Row) -> bool) -> bool {
    let answered_indices: Vec<usize> = (0..rows.len())
        .filter(|&index| rows[index].status.is_solved() && is_compared(&rows[index]))
        .collect();
    let reviews = judging::review(answered_indices.iter().map(|&index| rows[index].evidence()));
    let mut has_changed = false;
    for Review { answer, verdict, finding } in reviews {
        let row = &mut rows[answered_indices[answer]];
        has_changed |= row.verdict != verdict;
        (row.verdict, row.verdict_reason) = (verdict, finding.as_ref().map(finding_text));
    }
    has_changed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Kind, SolverRef};
    use crate::registry::Registry;

    /// An enumeration of 13 queens. For this size, the digest of all solutions is not computed.
    fn row(solver: &str, digest: &str) -> Row {
        Row {
            solutions: Some(73_712),
            digest: Some(digest.to_owned()),
            ..Row::skipped("r", "c", 13, Goal::Enumerate, solver)
        }
    }

    fn board_check(illegal: Option<u64>, repeated: Option<u64>) -> BoardCheck {
        BoardCheck { illegal, repeated, ..BoardCheck::default() }
    }

    fn verdict(row: &Row, boards: &BoardCheck) -> Verdict {
        References::default().judge(row, None, boards).0
    }

    /// `starts_programs` depends only on the id of a solver. Its value must be that of `uses_external`, which the solver itself
    /// reports.
    #[test]
    fn only_solvers_with_a_program_are_external() {
        for solver in Registry::builtin().iter() {
            let info = solver.info();
            assert_eq!(SolverRef::of(&info.id, []).starts_programs(), info.uses_external, "{}", info.id);
        }
    }

    #[test]
    fn external_enumeration_needs_duplicate_check_to_be_correct() {
        for solver in ["program/p", "sat/pairwise/external", "sat/product/external/cubes"] {
            let row = row(solver, "x");
            assert_eq!(verdict(&row, &board_check(Some(0), Some(0))), Verdict::Correct);
            assert_eq!(verdict(&row, &board_check(Some(0), Some(1))), Verdict::Wrong);
            assert_eq!(verdict(&row, &board_check(Some(1), Some(0))), Verdict::Wrong);
            assert_eq!(verdict(&row, &board_check(Some(0), None)), Verdict::Unchecked, "{solver}");
        }
        assert_eq!(verdict(&row("backtrack/bitmask", "x"), &board_check(None, None)), Verdict::Correct);
    }

    /// Reviews rows of a problem without published values, in the given and in the reverse order.
    fn review_in_both_orders(rows: &[Row]) -> Vec<Verdict> {
        let review = |mut rows: Vec<Row>| {
            super::review(&mut rows, |_| true);
            assert!(!super::review(&mut rows, |_| true), "a second review changes nothing");
            rows.iter().map(|row| row.verdict).collect::<Vec<_>>()
        };
        let verdicts = review(rows.to_vec());
        let mut reversed_verdicts = review(rows.iter().rev().cloned().collect());
        reversed_verdicts.reverse();
        assert_eq!(verdicts, reversed_verdicts);
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
        let row = Row::skipped("r", "c", 18, goal, solver);
        Row { variant, status, verdict, solutions, kind, digest, ..row }
    }

    #[test]
    fn legal_board_refutes_answers_without_solutions() {
        use Verdict::{Correct, Disagree, Unchecked, Wrong};
        let first_solution = answer("sat/pairwise/varisat", Goal::First, 1);
        for liar in ["program/silent", "sat/pairwise/liar", "backtrack/bitmask"] {
            let no_solution = |goal| answer(liar, goal, 0);
            let count = answer("program/honest", Goal::Count, 7);
            let rows = [
                no_solution(Goal::First),
                no_solution(Goal::Count),
                no_solution(Goal::Enumerate),
                first_solution.clone(),
                count,
            ];
            assert_eq!(review_in_both_orders(&rows), [Wrong, Wrong, Wrong, Correct, Unchecked], "{liar}");
            // Neither answer has boards, and neither is from a built-in solver, so both may be wrong.
            let rows = [answer("program/a", Goal::First, 0), answer("program/b", Goal::Count, 7)];
            assert_eq!(review_in_both_orders(&rows), [Disagree; 2]);
        }
    }

    #[test]
    fn count_that_differs_from_builtin_solvers_disagrees() {
        use Verdict::{Disagree, Unchecked};
        let count = |solver: &str, solutions| answer(solver, Goal::Count, solutions);
        let builtin_count = count("backtrack/dlx", 7);
        let rows = [count("program/a", 7), count("sat/pairwise/liar", 5), builtin_count.clone()];
        assert_eq!(review_in_both_orders(&rows), [Unchecked, Disagree, Unchecked]);
        assert_eq!(review_in_both_orders(&[count("program/a", 5), count("program/b", 5)]), [Unchecked; 2]);
        assert_eq!(review_in_both_orders(&[count("backtrack/mac", 5), builtin_count.clone()]), [Disagree; 2]);
        // Answers to different problems are not compared.
        let other_problem =
            Row { variant: "queens;place=0:1".parse().expect("a problem"), ..count("program/a", 5) };
        assert_eq!(review_in_both_orders(&[other_problem, builtin_count]), [Unchecked; 2]);
    }

    #[test]
    fn enumeration_that_differs_from_builtin_solver_disagrees() {
        let builtin_row =
            Row { verdict: Verdict::Correct, kind: Kind::Counting, ..row("backtrack/bitmask", "x") };
        let builtin_row =
            Row { status: crate::record::Status::Complete, expected_solutions: Some(73_712), ..builtin_row };
        let row_of = |solver: &str, digest: &str| Row {
            solver: solver.parse().expect("a solver"),
            digest: Some(digest.to_owned()),
            kind: Kind::Timed,
            verdict: Verdict::Unchecked,
            ..builtin_row.clone()
        };
        let rows = [
            builtin_row.clone(),
            row_of("program/honest", "x"),
            row_of("program/liar", "y"),
            row_of("sat/x/varisat", "y"),
        ];
        let expected_verdicts = [Verdict::Correct, Verdict::Correct, Verdict::Disagree, Verdict::Disagree];
        assert_eq!(review_in_both_orders(&rows), expected_verdicts);
    }

    #[test]
    fn illegal_board_above_1024_queens_is_not_printed() {
        let judge_illegal_board = |n| {
            let row = Row { n, goal: Goal::First, solutions: Some(1), ..row("test/solver", "x") };
            References::default().judge(&row, None, &board_check(Some(1), None))
        };
        for n in [2000, 8] {
            let (verdict, reason) = judge_illegal_board(n);
            assert_eq!(verdict, Verdict::Wrong);
            let key = format!("a wrong board of {n} queens");
            wording::assert_wording!("runner", &key, reason.expect("a reason"));
        }
    }

    #[test]
    fn digest_decides_verdict_of_unchecked_boards() {
        let row_of_8_queens = |digest: &str| Row { n: 8, solutions: Some(92), ..row("program/p", digest) };
        let correct_digest = reference::digest(8).expect("small");
        let references = References::default();
        for check in [board_check(None, None), board_check(Some(0), None)] {
            assert_eq!(references.judge(&row_of_8_queens(correct_digest), None, &check).0, Verdict::Correct);
            assert_eq!(references.judge(&row_of_8_queens("y"), None, &check).0, Verdict::Wrong);
        }
    }
}
