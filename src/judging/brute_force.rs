//! Judging against a slow definition that enumerates worlds: every set of boards that could be the solutions. A statement is
//! wrong if it is true in no world in which the facts are true, and two statements disagree if no world has both.

use super::*;
use crate::board::problem::Problem;
use crate::board::{BoardSize, Placement};
use crate::model::{self, ProblemRef, SolverRef, Verdict};
use crate::solver::Goal;

/// A set of boards, a bit for each. There are three boards that could be solutions.
type Boards = u8;

const WORLDS: std::ops::Range<Boards> = 0..8;

/// A board that is not a solution in any world.
const ILLEGAL: Boards = 8;

/// What an answer says, and the boards that it shows.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Says {
    /// There is no solution.
    None,
    /// There is one: this board.
    First(Boards),
    /// There is one, without a board.
    FirstWithoutBoard,
    /// The number of solutions.
    Count(u64),
    /// These are the solutions, some of them twice.
    All(Boards, Boards),
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Answer {
    is_external: bool,
    /// Whether all boards were judged, and repetitions looked for.
    is_checked: bool,
    says: Says,
}

/// What is certain.
#[derive(Clone, Copy, Debug, Default)]
struct Facts {
    solutions: Option<u64>,
    all: Option<Boards>,
    is_solvable: Option<bool>,
}

fn number_of(boards: Boards) -> u64 {
    u64::from(boards.count_ones())
}

impl Answer {
    /// Whether it is true in a world, as far as that is known: a set of boards that were not judged is known by its digest only.
    fn is_true_in(self, world: Boards) -> bool {
        match self.says {
            Says::None => world == 0,
            Says::First(board) => world & board == board,
            Says::FirstWithoutBoard => false,
            Says::Count(solutions) => number_of(world) == solutions,
            Says::All(boards, twice) => world == boards && twice == 0,
        }
    }

    /// Whether it can be true, by the number of its boards alone.
    fn has_number_of(self, world: Boards) -> bool {
        match self.says {
            Says::None => world == 0,
            Says::First(_) | Says::FirstWithoutBoard => world != 0,
            Says::Count(solutions) => number_of(world) == solutions,
            Says::All(boards, twice) => number_of(world) == number_of(boards) + number_of(twice),
        }
    }

    /// Whether its boards were judged: those of a count are not there.
    fn is_judged(self) -> bool {
        match self.says {
            Says::First(_) => true,
            Says::All(..) => self.is_external || self.is_checked,
            _ => false,
        }
    }

    fn shows_board(self) -> bool {
        self.is_judged() && matches!(self.says, Says::First(_) | Says::All(1.., _))
    }

    fn claims_number(self) -> bool {
        !matches!(self.says, Says::First(_) | Says::FirstWithoutBoard)
    }

    fn is_enumeration(self) -> bool {
        matches!(self.says, Says::All(..))
    }
}

impl Facts {
    fn allow(self, world: Boards) -> bool {
        self.solutions.is_none_or(|solutions| number_of(world) == solutions)
            && self.all.is_none_or(|all| world == all)
            && self.is_solvable.is_none_or(|is_solvable| (world != 0) == is_solvable)
    }

    fn worlds(self) -> impl Iterator<Item = Boards> + Clone {
        WORLDS.filter(move |&world| self.allow(world))
    }

    fn know_number(self) -> bool {
        self.solutions.is_some() || self.all.is_some()
    }
}

/// The verdict of an answer by itself.
fn alone(answer: Answer, facts: Facts) -> Verdict {
    let Answer { is_external, is_checked, says } = answer;
    // The boards of an enumeration can be named, and compared by name, where nobody judged them.
    let has_evidence = answer.is_judged() && (is_checked || !answer.is_enumeration());
    let knows_boards = has_evidence || facts.all.is_some();
    let is_possible = |world: Boards| match knows_boards {
        true => answer.is_true_in(world),
        false => answer.has_number_of(world),
    };
    let bad_board = has_evidence && matches!(says, Says::First(ILLEGAL..) | Says::All(ILLEGAL.., _));
    let repeats = has_evidence && matches!(says, Says::All(_, 1..));
    // A first board is compared with what is proven, and not with the boards of an enumeration.
    let is_possible = |world: Boards| match says {
        Says::First(ILLEGAL..) | Says::FirstWithoutBoard => false,
        Says::First(_) => world != 0,
        _ => is_possible(world),
    };
    if bad_board || repeats || !facts.worlds().any(is_possible) {
        return Verdict::Wrong;
    }
    let is_proven = match says {
        Says::First(_) => true,
        Says::None => facts.worlds().all(|world| world == 0),
        _ if !facts.know_number() => false,
        Says::Count(_) => true,
        _ => has_evidence || facts.all.is_some() || !is_external,
    };
    if is_proven { Verdict::Correct } else { Verdict::Unchecked }
}

/// The verdicts of answers by each other.
fn together(answers: &[(Answer, Verdict)]) -> Vec<Verdict> {
    let open = |&&(_, verdict): &&(Answer, Verdict)| verdict != Verdict::Wrong;
    let is_shown = answers.iter().filter(open).any(|(answer, _)| answer.shows_board());
    let is_refuted = |answer: Answer| is_shown && answer.claims_number() && answer.has_number_of(0);
    let rest: Vec<Answer> = answers
        .iter()
        .filter(open)
        .map(|&(answer, _)| answer)
        .filter(|&answer| !is_refuted(answer))
        .collect();
    let claims: Vec<Answer> = rest.iter().copied().filter(|answer| answer.claims_number()).collect();
    let builtin: Vec<Answer> = claims.iter().copied().filter(|answer| !answer.is_external).collect();
    let numbers = if builtin.is_empty() { &claims } else { &builtin };
    let judged = |answer: &Answer| answer.is_enumeration() && answer.shows_board() && !answer.is_external;
    let sets: Vec<Answer> = rest.iter().copied().filter(judged).collect();
    let disagrees = |answer: Answer| {
        let agrees_in_number = |other: &Answer| {
            WORLDS.clone().any(|world| answer.has_number_of(world) && other.has_number_of(world))
        };
        let is_same = |other: &Answer| answer.says == other.says;
        answer.claims_number() && !numbers.iter().all(agrees_in_number)
            || answer.is_enumeration() && !sets.iter().all(is_same)
    };
    let verdict = |&(answer, verdict): &(Answer, Verdict)| match verdict {
        Verdict::Wrong => Verdict::Wrong,
        _ if is_refuted(answer) => Verdict::Wrong,
        _ if disagrees(answer) => Verdict::Disagree,
        verdict => verdict,
    };
    answers.iter().map(verdict).collect()
}

/// Texts that evidence borrows.
struct Names {
    problem: ProblemRef,
    builtin: SolverRef,
    external: SolverRef,
    digests: Vec<Vec<String>>,
    checks: Vec<BoardCheck>,
}

impl Names {
    fn new() -> Self {
        let digest = |boards, twice| format!("{boards} {twice}");
        let check = |illegal, repeated| BoardCheck { illegal, repeated, ..BoardCheck::default() };
        Self {
            // Nothing is published about it, so that only the facts of a test are known.
            problem: "queens;place=0:0".parse().expect("a problem"),
            builtin: "test/solver".parse().expect("a solver"),
            external: "program/mine".parse().expect("a solver"),
            digests: (0..16).map(|boards| (0..16).map(|twice| digest(boards, twice)).collect()).collect(),
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
        let goal = match answer.says {
            Says::None | Says::First(_) | Says::FirstWithoutBoard => Goal::First,
            Says::Count(_) => Goal::Count,
            Says::All(..) => Goal::Enumerate,
        };
        let (solutions, digest, check) = match answer.says {
            Says::None => (0, None, 0),
            Says::First(board) => {
                (1, Some(&*self.digests[usize::from(board)][0]), 1 + usize::from(board & ILLEGAL != 0))
            }
            Says::FirstWithoutBoard => (1, None, 0),
            Says::Count(solutions) => (solutions, None, 0),
            Says::All(boards, twice) => {
                let is_illegal = usize::from(boards & ILLEGAL != 0);
                let check = if answer.is_checked { 3 + 2 * is_illegal + usize::from(twice != 0) } else { 0 };
                let digest = &*self.digests[usize::from(boards)][usize::from(twice)];
                (number_of(boards) + number_of(twice), Some(digest), check)
            }
        };
        let words = model::Answer { goal, solutions: Some(solutions), digest };
        Evidence {
            has_judged_boards: answer.is_judged(),
            boards: Some(&self.checks[check]),
            verdict,
            ..Evidence::new(source, 4, &self.problem, words)
        }
    }

    fn facts(&self, facts: Facts) -> Vec<Evidence<'_>> {
        let fact = |source, goal, solutions, digest| {
            let words = model::Answer { goal, solutions: Some(solutions), digest };
            Evidence::new(source, 4, &self.problem, words)
        };
        let mut all = Vec::new();
        let solutions = facts.solutions;
        all.extend(solutions.map(|solutions| fact(Source::Published("A0"), Goal::Count, solutions, None)));
        all.extend(facts.all.map(|boards| {
            let digest = &*self.digests[usize::from(boards)][0];
            fact(Source::Definition, Goal::Enumerate, number_of(boards), Some(digest))
        }));
        let solvable = facts.is_solvable;
        all.extend(solvable.map(|is| fact(Source::Proof, Goal::First, u64::from(is), None)));
        all
    }
}

/// Every answer, with illegal and repeated boards.
fn every_answer() -> Vec<Answer> {
    let mut says =
        vec![Says::None, Says::FirstWithoutBoard, Says::First(1), Says::First(2), Says::First(ILLEGAL)];
    says.extend((0..=3).map(Says::Count));
    for boards in 0..16 {
        let twice = (0..16).filter(|twice| twice & boards == *twice);
        // No world has more than three solutions.
        let twice = twice.filter(|&twice| number_of(boards) + number_of(twice) <= 3);
        says.extend(twice.map(|twice| Says::All(boards, twice)));
    }
    let with = |says| {
        let kinds = [(false, false), (false, true), (true, false), (true, true)];
        kinds.map(|(is_external, is_checked)| Answer { is_external, is_checked, says })
    };
    says.into_iter().flat_map(with).collect()
}

/// Every combination of facts that is true in a world.
fn every_fact() -> Vec<Facts> {
    let mut all = Vec::new();
    for solutions in [None, Some(0), Some(1), Some(2), Some(3)] {
        for boards in WORLDS.map(Some).chain([None]) {
            for is_solvable in [None, Some(false), Some(true)] {
                let facts = Facts { solutions, all: boards, is_solvable };
                all.extend(facts.worlds().next().map(|_| facts));
            }
        }
    }
    all
}

#[test]
fn judgement_agrees_with_enumeration_of_possible_worlds() {
    let names = Names::new();
    let mut verdicts = std::collections::HashSet::new();
    for facts in every_fact() {
        let facts_of_names = names.facts(facts);
        for answer in every_answer() {
            let (verdict, finding) = judge(&names.evidence(answer, Verdict::Unchecked), &facts_of_names);
            assert_eq!(verdict, alone(answer, facts), "{answer:?}, {facts:?}: {finding:?}");
            assert!(finding.is_none_or(|finding| finding.verdict() == verdict));
            verdicts.insert(verdict);
        }
    }
    assert_eq!(verdicts.len(), 3, "correct, wrong and unchecked");
}

/// Answers that have different effects on the verdicts of others: legal boards, none of them repeated, and no facts but that of a count.
fn answers_to_review() -> Vec<(Answer, Verdict)> {
    let mut says = vec![Says::None, Says::First(1)];
    says.extend([0, 1, 2].map(Says::Count));
    says.extend([0, 1, 2, 3].map(|boards| Says::All(boards, 0)));
    let mut answers = Vec::new();
    for says in says {
        for (is_external, is_checked) in [(false, false), (false, true), (true, true)] {
            let answer = Answer { is_external, is_checked, says };
            answers.push((answer, alone(answer, Facts::default())));
        }
    }
    answers.push((Answer { is_external: false, is_checked: true, says: Says::All(3, 0) }, Verdict::Wrong));
    answers
}

/// All combinations of up to four answers of two kinds of solvers: 35,000 combinations of four answers, each in two orders.
#[test]
fn review_agrees_with_enumeration_of_possible_worlds() {
    let names = Names::new();
    let domain = answers_to_review();
    let mut verdicts = std::collections::HashMap::new();
    let mut check = |answers: &[(Answer, Verdict)]| {
        let reviewed = |answers: &[(Answer, Verdict)]| {
            let mut verdicts: Vec<Verdict> = answers.iter().map(|&(_, verdict)| verdict).collect();
            let evidence = answers.iter().map(|&(answer, verdict)| names.evidence(answer, verdict));
            for Review { answer, verdict, finding } in review(evidence) {
                assert!(finding.is_none_or(|finding| finding.verdict() == verdict));
                verdicts[answer] = verdict;
            }
            verdicts
        };
        let expected = together(answers);
        let verdicts_found = reviewed(answers);
        assert_eq!(verdicts_found, expected, "{answers:?}");
        // Neither the order nor a second review matters.
        let backwards: Vec<_> = answers.iter().rev().copied().collect();
        assert!(reviewed(&backwards).iter().rev().eq(&expected), "backwards: {answers:?}");
        let again: Vec<_> =
            answers.iter().zip(&verdicts_found).map(|(&(answer, _), &verdict)| (answer, verdict)).collect();
        assert_eq!(reviewed(&again), expected, "again: {answers:?}");
        verdicts_found.into_iter().for_each(|verdict| *verdicts.entry(verdict).or_insert(0) += 1);
    };
    for (a, &first) in domain.iter().enumerate() {
        check(&[first]);
        for (b, &second) in domain.iter().enumerate().skip(a) {
            check(&[first, second]);
            for (c, &third) in domain.iter().enumerate().skip(b) {
                check(&[first, second, third]);
                domain[c..].iter().for_each(|&fourth| check(&[first, second, third, fourth]));
            }
        }
    }
    assert_eq!(verdicts.len(), 4, "{verdicts:?}");
}

/// Each answer agrees with the reference if a world has both; a first solution says only that there is one.
#[test]
fn reference_comparison_agrees_with_possible_worlds() {
    let names = Names::new();
    let size = BoardSize::new(4).expect("small");
    let problem = Problem::from_text(size, "queens;place=0:0").expect("a problem");
    let domain: Vec<Answer> = answers_to_review().into_iter().map(|(answer, _)| answer).collect();
    let is_true_in = |answer: Answer, world| match answer.says {
        Says::First(_) => world != 0,
        _ => answer.is_true_in(world),
    };
    for &a in &domain {
        for &b in &domain {
            for &c in &domain {
                let answers = [a, b, c];
                let evidence = answers.map(|answer| names.evidence(answer, Verdict::Unchecked));
                let rank = |answer: &Answer| {
                    let goal = match answer.says {
                        Says::All(..) => 0,
                        Says::Count(_) => 1,
                        _ => 2,
                    };
                    (answer.is_external, goal)
                };
                let best = (0..3).min_by_key(|&index| rank(&answers[index])).expect("three");
                assert_eq!(reference(&evidence), Some(best));
                let others = compare(&problem, &evidence);
                let others: Vec<_> = others.iter().filter(|one| one.with == With::Answer(best)).collect();
                assert_eq!(others.len(), 2);
                for AnswerComparison { answer, finding, .. } in others {
                    let agree = WORLDS
                        .clone()
                        .any(|world| [*answer, best].iter().all(|&one| is_true_in(answers[one], world)));
                    assert_eq!(finding.is_none(), agree, "{:?}, {:?}", answers[*answer], answers[best]);
                }
            }
        }
    }
}

/// Both complete and right as far as known: one is wrong if no world has both.
#[test]
fn result_comparison_agrees_with_possible_worlds() {
    let names = Names::new();
    for (old, was) in answers_to_review() {
        for (new, is) in answers_to_review() {
            let goals = [old, new].map(|answer| names.evidence(answer, Verdict::Unchecked).answer.goal);
            if goals[0] != goals[1] {
                continue;
            }
            let answers = |answer, verdict| Answers::of([(names.evidence(answer, verdict), None)]);
            let changes = changes(&answers(old, was), &answers(new, is));
            let is_wrong = changes.iter().any(AnswerChange::is_wrong);
            let agree = WORLDS.clone().any(|world| old.is_true_in(world) && new.is_true_in(world));
            let expected = match [was.is_fault(), is.is_fault()] {
                [false, true] => true,
                [true, _] => false,
                [false, false] => goals[0] != Goal::First && !agree,
            };
            assert_eq!(is_wrong, expected, "{old:?}, {new:?}: {changes:?}");
        }
    }
}

/// All lists of up to three boards of 4 queens, legal or not, against all sets of solutions.
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
            let mut faulty = Vec::new();
            for board in &boards {
                let times = list.iter().filter(|other| *other == board).count() as u64;
                let is_illegal = board == &boards[0];
                let is_expected = reference.contains(board);
                duplicates += times.saturating_sub(1);
                illegal += u64::from(is_illegal && times > 0);
                extra += u64::from(!is_illegal && times > 0 && !is_expected);
                missing += u64::from(times == 0 && is_expected);
                let fault = match () {
                    () if is_illegal && times > 0 => Some(BoardFault::Illegal),
                    () if times > 1 => Some(BoardFault::Duplicate),
                    () if times > 0 && !is_expected => Some(BoardFault::Extra),
                    () if times == 0 && is_expected => Some(BoardFault::Missing),
                    () => None,
                };
                faulty.extend(fault.map(|fault| (fault, board.clone())));
            }
            // The only illegal board is also the first one.
            let expected =
                BoardDifference { missing, extra, illegal, duplicates, first: faulty.first().cloned() };
            assert_eq!(difference, expected, "{list:?}, {reference:?}");
        }
    }
}
