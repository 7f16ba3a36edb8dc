//! Compares `judging` with a slow implementation that enumerates worlds. A world is a set of boards that could be the solutions. An
//! answer is wrong if it is false in all worlds in which the facts are true. Two answers disagree if at least one of them is
//! false in each world.

use super::*;
use crate::board::problem::Problem;
use crate::board::{BoardSize, Placement};
use crate::model::{self, ProblemRef, SolverRef, Verdict};
use crate::solver::Goal;

/// A set of boards, with one bit for each. Three boards can be solutions.
type Boards = u8;

/// All worlds: the sets of the three boards.
const WORLDS: std::ops::Range<Boards> = 0..8;

/// The bit of a board that is not a solution in any world.
const ILLEGAL: Boards = 8;

/// The content of an answer.
#[derive(Clone, Copy, Debug, PartialEq)]
enum AnswerContent {
    /// There is no solution.
    None,
    /// There is a solution: this board.
    First(Boards),
    /// There is a solution; the answer has no board.
    FirstWithoutBoard,
    /// The number of solutions.
    Count(u64),
    /// The listed boards, and the boards that are listed twice.
    All(Boards, Boards),
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Answer {
    is_external: bool,
    /// Whether all boards were judged, and repeated boards were detected.
    is_checked: bool,
    content: AnswerContent,
}

/// Facts about the problem. `None` if a fact is unknown.
#[derive(Clone, Copy, Debug, Default)]
struct Facts {
    solutions: Option<u64>,
    all: Option<Boards>,
    is_solvable: Option<bool>,
}

fn board_count(boards: Boards) -> u64 {
    u64::from(boards.count_ones())
}

impl Answer {
    /// Whether the answer is true in a world.
    fn is_true_in(self, world: Boards) -> bool {
        match self.content {
            AnswerContent::None => world == 0,
            AnswerContent::First(board) => world & board == board,
            AnswerContent::FirstWithoutBoard => false,
            AnswerContent::Count(solutions) => board_count(world) == solutions,
            AnswerContent::All(boards, repeated) => world == boards && repeated == 0,
        }
    }

    /// Whether the answer states the number of solutions of a world.
    fn has_count_of(self, world: Boards) -> bool {
        match self.content {
            AnswerContent::None => world == 0,
            AnswerContent::First(_) | AnswerContent::FirstWithoutBoard => world != 0,
            AnswerContent::Count(solutions) => board_count(world) == solutions,
            AnswerContent::All(boards, repeated) => {
                board_count(world) == board_count(boards) + board_count(repeated)
            }
        }
    }

    /// Whether the boards of the answer were judged. A count has no boards.
    fn is_judged(self) -> bool {
        match self.content {
            AnswerContent::First(_) => true,
            AnswerContent::All(..) => self.is_external || self.is_checked,
            _ => false,
        }
    }

    fn shows_board(self) -> bool {
        self.is_judged() && matches!(self.content, AnswerContent::First(_) | AnswerContent::All(1.., _))
    }

    fn claims_number(self) -> bool {
        !matches!(self.content, AnswerContent::First(_) | AnswerContent::FirstWithoutBoard)
    }

    fn is_enumeration(self) -> bool {
        matches!(self.content, AnswerContent::All(..))
    }
}

impl Facts {
    fn allows(self, world: Boards) -> bool {
        self.solutions.is_none_or(|solutions| board_count(world) == solutions)
            && self.all.is_none_or(|all| world == all)
            && self.is_solvable.is_none_or(|is_solvable| (world != 0) == is_solvable)
    }

    fn worlds(self) -> impl Iterator<Item = Boards> + Clone {
        WORLDS.filter(move |&world| self.allows(world))
    }

    fn knows_number(self) -> bool {
        self.solutions.is_some() || self.all.is_some()
    }
}

/// The verdict of one answer, without other answers.
fn single_verdict(answer: Answer, facts: Facts) -> Verdict {
    let Answer { is_external, is_checked, content } = answer;
    // If the boards of an enumeration were not judged, only their digest is known.
    let has_evidence = answer.is_judged() && (is_checked || !answer.is_enumeration());
    let knows_boards = has_evidence || facts.all.is_some();
    let is_possible = |world: Boards| match knows_boards {
        true => answer.is_true_in(world),
        false => answer.has_count_of(world),
    };
    let bad_board =
        has_evidence && matches!(content, AnswerContent::First(ILLEGAL..) | AnswerContent::All(ILLEGAL.., _));
    let repeats = has_evidence && matches!(content, AnswerContent::All(_, 1..));
    // The board of the goal `first` is judged by itself, and only the existence of a solution is compared with the facts.
    let is_possible = |world: Boards| match content {
        AnswerContent::First(ILLEGAL..) | AnswerContent::FirstWithoutBoard => false,
        AnswerContent::First(_) => world != 0,
        _ => is_possible(world),
    };
    if bad_board || repeats || !facts.worlds().any(is_possible) {
        return Verdict::Wrong;
    }
    let is_proven = match content {
        AnswerContent::First(_) => true,
        AnswerContent::None => facts.worlds().all(|world| world == 0),
        _ if !facts.knows_number() => false,
        AnswerContent::Count(_) => true,
        _ => has_evidence || facts.all.is_some() || !is_external,
    };
    if is_proven { Verdict::Correct } else { Verdict::Unchecked }
}

/// The verdicts after comparing the answers with each other.
fn reviewed_verdicts(answers: &[(Answer, Verdict)]) -> Vec<Verdict> {
    let is_not_wrong = |&&(_, verdict): &&(Answer, Verdict)| verdict != Verdict::Wrong;
    let has_board = answers.iter().filter(is_not_wrong).any(|(answer, _)| answer.shows_board());
    let is_refuted = |answer: Answer| has_board && answer.claims_number() && answer.has_count_of(0);
    let remaining: Vec<Answer> = answers
        .iter()
        .filter(is_not_wrong)
        .map(|&(answer, _)| answer)
        .filter(|&answer| !is_refuted(answer))
        .collect();
    let claims: Vec<Answer> = remaining.iter().copied().filter(|answer| answer.claims_number()).collect();
    let builtin_claims: Vec<Answer> = claims.iter().copied().filter(|answer| !answer.is_external).collect();
    let compared_claims = if builtin_claims.is_empty() { &claims } else { &builtin_claims };
    let has_judged_boards =
        |answer: &Answer| answer.is_enumeration() && answer.shows_board() && !answer.is_external;
    let enumerations: Vec<Answer> = remaining.iter().copied().filter(has_judged_boards).collect();
    let disagrees = |answer: Answer| {
        let agrees_in_number = |other: &Answer| {
            WORLDS.clone().any(|world| answer.has_count_of(world) && other.has_count_of(world))
        };
        let is_same = |other: &Answer| answer.content == other.content;
        answer.claims_number() && !compared_claims.iter().all(agrees_in_number)
            || answer.is_enumeration() && !enumerations.iter().all(is_same)
    };
    let verdict = |&(answer, verdict): &(Answer, Verdict)| match verdict {
        Verdict::Wrong => Verdict::Wrong,
        _ if is_refuted(answer) => Verdict::Wrong,
        _ if disagrees(answer) => Verdict::Disagree,
        verdict => verdict,
    };
    answers.iter().map(verdict).collect()
}

/// Values that [`Evidence`] borrows.
struct BorrowedValues {
    problem: ProblemRef,
    builtin: SolverRef,
    external: SolverRef,
    digests: Vec<Vec<String>>,
    checks: Vec<BoardCheck>,
}

impl BorrowedValues {
    fn new() -> Self {
        let digest = |boards, repeated| format!("{boards} {repeated}");
        let check = |illegal, repeated| BoardCheck { illegal, repeated, ..BoardCheck::default() };
        Self {
            // A problem without published values, so that only the facts of a test are known.
            problem: "queens;place=0:0".parse().expect("a problem"),
            builtin: "test/solver".parse().expect("a solver"),
            external: "program/mine".parse().expect("a solver"),
            digests: (0..16)
                .map(|boards| (0..16).map(|repeated| digest(boards, repeated)).collect())
                .collect(),
            checks: vec![
                check(None, None),
                check(Some(0), None),
                check(Some(1), None),
                check(Some(0), Some(0)),
                check(Some(0), Some(1)),
                check(Some(1), Some(0)),
                check(Some(1), Some(1)),
            ],
        }
    }

    fn evidence(&self, answer: Answer, verdict: Verdict) -> Evidence<'_> {
        let source = Source::Solver(if answer.is_external { &self.external } else { &self.builtin });
        let goal = match answer.content {
            AnswerContent::None | AnswerContent::First(_) | AnswerContent::FirstWithoutBoard => Goal::First,
            AnswerContent::Count(_) => Goal::Count,
            AnswerContent::All(..) => Goal::Enumerate,
        };
        let (solutions, digest, check) = match answer.content {
            AnswerContent::None => (0, None, 0),
            AnswerContent::First(board) => {
                (1, Some(&*self.digests[usize::from(board)][0]), 1 + usize::from(board & ILLEGAL != 0))
            }
            AnswerContent::FirstWithoutBoard => (1, None, 0),
            AnswerContent::Count(solutions) => (solutions, None, 0),
            AnswerContent::All(boards, repeated) => {
                let is_illegal = usize::from(boards & ILLEGAL != 0);
                let check =
                    if answer.is_checked { 3 + 2 * is_illegal + usize::from(repeated != 0) } else { 0 };
                let digest = &*self.digests[usize::from(boards)][usize::from(repeated)];
                (board_count(boards) + board_count(repeated), Some(digest), check)
            }
        };
        let model_answer = model::Answer { goal, solutions: Some(solutions), digest };
        Evidence {
            has_judged_boards: answer.is_judged(),
            boards: Some(&self.checks[check]),
            verdict,
            ..Evidence::new(source, 4, &self.problem, model_answer)
        }
    }

    fn facts(&self, facts: Facts) -> Vec<Evidence<'_>> {
        let fact = |source, goal, solutions, digest| {
            let model_answer = model::Answer { goal, solutions: Some(solutions), digest };
            Evidence::new(source, 4, &self.problem, model_answer)
        };
        let mut evidence_list = Vec::new();
        let solutions = facts.solutions;
        evidence_list
            .extend(solutions.map(|solutions| fact(Source::Published("A0"), Goal::Count, solutions, None)));
        evidence_list.extend(facts.all.map(|boards| {
            let digest = &*self.digests[usize::from(boards)][0];
            fact(Source::Definition, Goal::Enumerate, board_count(boards), Some(digest))
        }));
        let is_solvable = facts.is_solvable;
        evidence_list.extend(
            is_solvable.map(|is_solvable| fact(Source::Proof, Goal::First, u64::from(is_solvable), None)),
        );
        evidence_list
    }
}

/// Every answer, with illegal and repeated boards.
fn every_answer() -> Vec<Answer> {
    let mut content = vec![
        AnswerContent::None,
        AnswerContent::FirstWithoutBoard,
        AnswerContent::First(1),
        AnswerContent::First(2),
        AnswerContent::First(ILLEGAL),
    ];
    content.extend((0..=3).map(AnswerContent::Count));
    for boards in 0..16 {
        let repeated_boards = (0..16).filter(|repeated_boards| repeated_boards & boards == *repeated_boards);
        // No world has more than three solutions.
        let repeated_boards = repeated_boards
            .filter(|&repeated_boards| board_count(boards) + board_count(repeated_boards) <= 3);
        content.extend(repeated_boards.map(|repeated_boards| AnswerContent::All(boards, repeated_boards)));
    }
    let variations = |content| {
        let kinds = [(false, false), (false, true), (true, false), (true, true)];
        kinds.map(|(is_external, is_checked)| Answer { is_external, is_checked, content })
    };
    content.into_iter().flat_map(variations).collect()
}

/// Every combination of facts that is true in at least one world.
fn every_combination_of_facts() -> Vec<Facts> {
    let mut combinations = Vec::new();
    for solutions in [None, Some(0), Some(1), Some(2), Some(3)] {
        for boards in WORLDS.map(Some).chain([None]) {
            for is_solvable in [None, Some(false), Some(true)] {
                let facts = Facts { solutions, all: boards, is_solvable };
                combinations.extend(facts.worlds().next().map(|_| facts));
            }
        }
    }
    combinations
}

#[test]
fn judgement_agrees_with_enumeration_of_possible_worlds() {
    let borrowed = BorrowedValues::new();
    let mut verdicts = std::collections::HashSet::new();
    for facts in every_combination_of_facts() {
        let fact_evidence = borrowed.facts(facts);
        for answer in every_answer() {
            let (verdict, finding) = judge(&borrowed.evidence(answer, Verdict::Unchecked), &fact_evidence);
            assert_eq!(verdict, single_verdict(answer, facts), "{answer:?}, {facts:?}: {finding:?}");
            assert!(finding.is_none_or(|finding| finding.verdict() == verdict));
            verdicts.insert(verdict);
        }
    }
    assert_eq!(verdicts.len(), 3, "correct, wrong and unchecked");
}

/// Answers that have different effects on the verdicts of other answers. The answers contain no illegal or repeated boards and are
/// judged without facts, because these have no effect on other answers.
fn answers_to_review() -> Vec<(Answer, Verdict)> {
    let mut content = vec![AnswerContent::None, AnswerContent::First(1)];
    content.extend([0, 1, 2].map(AnswerContent::Count));
    content.extend([0, 1, 2, 3].map(|boards| AnswerContent::All(boards, 0)));
    let mut answers = Vec::new();
    for content in content {
        for (is_external, is_checked) in [(false, false), (false, true), (true, true)] {
            let answer = Answer { is_external, is_checked, content };
            answers.push((answer, single_verdict(answer, Facts::default())));
        }
    }
    answers.push((
        Answer { is_external: false, is_checked: true, content: AnswerContent::All(3, 0) },
        Verdict::Wrong,
    ));
    answers
}

/// Reviews all combinations of up to four answers, forwards and backwards. There are 35,000 combinations of four answers.
#[test]
fn review_agrees_with_enumeration_of_possible_worlds() {
    let borrowed = BorrowedValues::new();
    let domain = answers_to_review();
    let mut verdicts = std::collections::HashMap::new();
    let mut check_answers = |answers: &[(Answer, Verdict)]| {
        let verdicts_after_review = |answers: &[(Answer, Verdict)]| {
            let mut verdicts: Vec<Verdict> = answers.iter().map(|&(_, verdict)| verdict).collect();
            let evidence = answers.iter().map(|&(answer, verdict)| borrowed.evidence(answer, verdict));
            for Review { answer, verdict, finding } in review(evidence) {
                assert!(finding.is_none_or(|finding| finding.verdict() == verdict));
                verdicts[answer] = verdict;
            }
            verdicts
        };
        let expected_verdicts = reviewed_verdicts(answers);
        let actual_verdicts = verdicts_after_review(answers);
        assert_eq!(actual_verdicts, expected_verdicts, "{answers:?}");
        // Neither the order of the answers nor a second review changes a verdict.
        let reversed_answers: Vec<_> = answers.iter().rev().copied().collect();
        assert!(
            verdicts_after_review(&reversed_answers).iter().rev().eq(&expected_verdicts),
            "backwards: {answers:?}"
        );
        let reviewed_answers: Vec<_> =
            answers.iter().zip(&actual_verdicts).map(|(&(answer, _), &verdict)| (answer, verdict)).collect();
        assert_eq!(verdicts_after_review(&reviewed_answers), expected_verdicts, "again: {answers:?}");
        actual_verdicts.into_iter().for_each(|verdict| *verdicts.entry(verdict).or_insert(0) += 1);
    };
    for (a, &first) in domain.iter().enumerate() {
        check_answers(&[first]);
        for (b, &second) in domain.iter().enumerate().skip(a) {
            check_answers(&[first, second]);
            for (c, &third) in domain.iter().enumerate().skip(b) {
                check_answers(&[first, second, third]);
                domain[c..].iter().for_each(|&fourth| check_answers(&[first, second, third, fourth]));
            }
        }
    }
    assert_eq!(verdicts.len(), 4, "{verdicts:?}");
}

/// An answer agrees with the reference if both are true in some world. For the goal `first`, only the existence of a solution is
/// compared.
#[test]
fn reference_comparison_agrees_with_possible_worlds() {
    let borrowed = BorrowedValues::new();
    let size = BoardSize::new(4).expect("small");
    let problem = Problem::from_text(size, "queens;place=0:0").expect("a problem");
    let domain: Vec<Answer> = answers_to_review().into_iter().map(|(answer, _)| answer).collect();
    let is_true_in = |answer: Answer, world| match answer.content {
        AnswerContent::First(_) => world != 0,
        _ => answer.is_true_in(world),
    };
    for &a in &domain {
        for &b in &domain {
            for &c in &domain {
                let answers = [a, b, c];
                let evidence = answers.map(|answer| borrowed.evidence(answer, Verdict::Unchecked));
                let rank = |answer: &Answer| {
                    let goal = match answer.content {
                        AnswerContent::All(..) => 0,
                        AnswerContent::Count(_) => 1,
                        _ => 2,
                    };
                    (answer.is_external, goal)
                };
                let best_index = (0..3).min_by_key(|&index| rank(&answers[index])).expect("three");
                assert_eq!(reference(&evidence), Some(best_index));
                let comparisons = compare(&problem, &evidence);
                let comparisons_with_best: Vec<_> = comparisons
                    .iter()
                    .filter(|comparison| comparison.reference == ComparisonReference::Answer(best_index))
                    .collect();
                assert_eq!(comparisons_with_best.len(), 2);
                for AnswerComparison { answer, finding, .. } in comparisons_with_best {
                    let are_compatible = WORLDS.clone().any(|world| {
                        [*answer, best_index].iter().all(|&index| is_true_in(answers[index], world))
                    });
                    assert_eq!(
                        finding.is_none(),
                        are_compatible,
                        "{:?}, {:?}",
                        answers[*answer],
                        answers[best_index]
                    );
                }
            }
        }
    }
}

/// Two complete answers, neither of which has the verdict `wrong`, contradict each other if no world makes both true.
#[test]
fn result_comparison_agrees_with_possible_worlds() {
    let borrowed = BorrowedValues::new();
    for (old, old_verdict) in answers_to_review() {
        for (new, new_verdict) in answers_to_review() {
            let goals = [old, new].map(|answer| borrowed.evidence(answer, Verdict::Unchecked).answer.goal);
            if goals[0] != goals[1] {
                continue;
            }
            let answers = |answer, verdict| Answers::of([(borrowed.evidence(answer, verdict), None)]);
            let changes = changes(&answers(old, old_verdict), &answers(new, new_verdict));
            let is_wrong = changes.iter().any(AnswerChange::is_wrong);
            let are_compatible = WORLDS.clone().any(|world| old.is_true_in(world) && new.is_true_in(world));
            let is_expected_wrong = match [old_verdict.is_fault(), new_verdict.is_fault()] {
                [false, true] => true,
                [true, _] => false,
                [false, false] => goals[0] != Goal::First && !are_compatible,
            };
            assert_eq!(is_wrong, is_expected_wrong, "{old:?}, {new:?}: {changes:?}");
        }
    }
}

/// Compares all lists of up to three boards of 4 queens, legal or not, with all sets of solutions.
#[test]
fn board_differences_agree_with_direct_count() {
    let size = BoardSize::new(4).expect("small");
    let problem = Problem::queens(size);
    let boards = [[0, 1, 2, 3], [1, 3, 0, 2], [2, 0, 3, 1]].map(|columns: [u32; 4]| Placement::new(&columns));
    let lists = |length: usize| {
        (0..3_usize.pow(length as u32))
            .map(move |code| (0..length).map(move |at| code / 3_usize.pow(at as u32) % 3))
    };
    for list in (0..=3).flat_map(lists) {
        let list: Vec<Placement> = list.map(|index| boards[index].clone()).collect();
        for set in 0..4_usize {
            let reference: Vec<Placement> =
                (0..2).filter(|at| set >> at & 1 == 1).map(|at| boards[at + 1].clone()).collect();
            let difference = BoardDifference::between(&problem, list.clone(), reference.clone());
            let (mut missing, mut extra, mut illegal, mut duplicates) = (0, 0, 0, 0);
            let mut faulty_boards = Vec::new();
            for board in &boards {
                let occurrences = list.iter().filter(|other| *other == board).count() as u64;
                let is_illegal = board == &boards[0];
                let is_expected = reference.contains(board);
                duplicates += occurrences.saturating_sub(1);
                illegal += u64::from(is_illegal && occurrences > 0);
                extra += u64::from(!is_illegal && occurrences > 0 && !is_expected);
                missing += u64::from(occurrences == 0 && is_expected);
                let fault = match () {
                    () if is_illegal && occurrences > 0 => Some(BoardFault::Illegal),
                    () if occurrences > 1 => Some(BoardFault::Duplicate),
                    () if occurrences > 0 && !is_expected => Some(BoardFault::Extra),
                    () if occurrences == 0 && is_expected => Some(BoardFault::Missing),
                    () => None,
                };
                faulty_boards.extend(fault.map(|fault| (fault, board.clone())));
            }
            // Only one board is illegal, and it precedes all others in lexicographic order, so `first` is the first faulty board.
            let expected_difference = BoardDifference {
                missing,
                extra,
                illegal,
                duplicates,
                first: faulty_boards.first().cloned(),
            };
            assert_eq!(difference, expected_difference, "{list:?}, {reference:?}");
        }
    }
}
