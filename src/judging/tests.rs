use super::*;
use crate::model::{Answer, ProblemRef, SolverRef, Verdict};
use crate::solver::{Goal, Level, Stat, Statistics};

fn solver(id: &str) -> SolverRef {
    id.parse().expect("a solver")
}

#[test]
fn findings_about_one_answer_are_ordered_by_severity() {
    let (problem, program) = (ProblemRef::default(), solver("program/mine"));
    let fact =
        |source, goal, solutions| Evidence::new(source, 4, &problem, Answer::number_of(goal, solutions));
    let facts = [fact(Source::Published("A000170"), Goal::Count, 2), fact(Source::Proof, Goal::First, 1)];
    // The first answer has every fault. Each step corrects one fault.
    let mut boards = BoardCheck {
        claimed: Some(7),
        illegal: Some(2),
        repeated: Some(1),
        first_illegal: Some("0 1 2 3".into()),
    };
    let judge_answer = |solutions, boards: &BoardCheck| {
        let answer = Evidence {
            boards: Some(boards),
            ..Evidence::new(
                Source::Solver(&program),
                4,
                &problem,
                Answer::with_boards(Goal::Enumerate, solutions, "x"),
            )
        };
        judge(&answer, &facts)
    };
    let illegal_boards = Finding::IllegalBoards { boards: 2, first: FirstBoard::Text("0 1 2 3".to_owned()) };
    assert_eq!(judge_answer(0, &boards), (Verdict::Wrong, Some(illegal_boards)));
    boards.illegal = Some(0);
    assert_eq!(
        judge_answer(0, &boards),
        (Verdict::Wrong, Some(Finding::ClaimedNumber { claimed: 7, boards: 0 }))
    );
    boards.claimed = None;
    let proof = Reference::Problem("n = 4".to_owned());
    assert_eq!(judge_answer(0, &boards), (Verdict::Wrong, Some(Finding::NoSolution { reference: proof })));
    let published_number = Reference::Published("A000170");
    assert_eq!(
        judge_answer(3, &boards),
        (Verdict::Wrong, Some(Finding::of_solutions(3, 2, published_number)))
    );
    assert_eq!(
        judge_answer(2, &boards),
        (Verdict::Wrong, Some(Finding::RepeatedBoards { repeated: 1, boards: 2 }))
    );
    boards.repeated = None;
    assert_eq!(judge_answer(2, &boards), (Verdict::Unchecked, Some(Finding::UncheckedBoards)));
    boards.repeated = Some(0);
    assert_eq!(judge_answer(2, &boards), (Verdict::Correct, None));
}

/// A finding contains the first illegal board only if the board has one queen in each row and is not too large.
#[test]
fn malformed_or_large_illegal_boards_are_not_printed() {
    let (problem, program) = (ProblemRef::default(), solver("program/mine"));
    let boards = BoardCheck { illegal: Some(1), ..BoardCheck::default() };
    let first_finding = |n| {
        let source = Source::Solver(&program);
        Evidence {
            boards: Some(&boards),
            ..Evidence::new(source, n, &problem, Answer::none(Goal::Enumerate))
        }
        .flaws()
        .next()
    };
    let illegal_boards = |first| Some(Finding::IllegalBoards { boards: 1, first });
    let max_size = crate::board::BoardSize::MAX;
    assert_eq!(first_finding(max_size - 1), illegal_boards(FirstBoard::Malformed));
    assert_eq!(first_finding(max_size), illegal_boards(FirstBoard::Malformed));
    assert_eq!(first_finding(max_size + 1), illegal_boards(FirstBoard::NotShown));
}

/// Each kind of finding has its own rank and its own message.
#[test]
fn each_finding_has_its_own_rank_and_message() {
    let reference = || Reference::Solver(solver("backtrack/dlx"));
    let level = |fault| Finding::WrongVisit { level: 3, fault };
    let number = |quantity, number| Finding::OtherNumber {
        quantity,
        number,
        expected: 4,
        reference: Reference::ProofOfLevel,
    };
    let findings = [
        Finding::IllegalBoards { boards: 1, first: FirstBoard::Text("0 1 2 3".to_owned()) },
        Finding::IllegalBoards { boards: 2, first: FirstBoard::NotShown },
        Finding::IllegalBoards { boards: 2, first: FirstBoard::Malformed },
        Finding::ClaimedNumber { claimed: 1, boards: 0 },
        Finding::NoSolution { reference: reference() },
        Finding::NoSolution { reference: Reference::Problem("n = 4".to_owned()) },
        Finding::ImpossibleSolution { reference: reference() },
        Finding::ImpossibleSolution { reference: Reference::Problem("toroidal at n = 4".to_owned()) },
        Finding::NoBoard,
        Finding::NoNumber { run: "r7".to_owned() },
        Finding::of_solutions(1, 7, reference()),
        Finding::of_solutions(3, 2, Reference::Definition),
        number(Quantity::FundamentalSolutions, 1),
        number(Quantity::Nodes(2), 1),
        number(Quantity::DeadEnds(2), 5),
        Finding::RepeatedBoards { repeated: 1, boards: 3 },
        Finding::RepeatedBoards { repeated: 2, boards: 3 },
        Finding::OtherBoards { reference: reference() },
        Finding::OtherFirst { reference: reference() },
        Finding::TooManyLevels { levels: 7, maximum: 6 },
        level(BoardFault::Missing),
        level(BoardFault::Duplicate),
        level(BoardFault::Illegal),
        Finding::RejectedProof { level: 3, reason: "no".to_owned() },
        Finding::UncheckedBoards,
    ];
    let lines: Vec<String> =
        findings.iter().map(|finding| format!("{}: it {finding}", finding.verdict())).collect();
    wording::assert_wording!("judging", "findings, in their order", lines.join("\n"));
    let kind = |finding: &Finding| std::mem::discriminant(finding);
    for pair in findings.windows(2) {
        let (first, second) = (pair[0].precedence(), pair[1].precedence());
        assert_eq!(first == second, kind(&pair[0]) == kind(&pair[1]), "{pair:?}");
        assert!(first <= second, "{pair:?}");
    }
    let is_disagreement = |finding: &&Finding| finding.verdict() == Verdict::Disagree;
    assert_eq!(findings.iter().filter(is_disagreement).count(), 4);
}

/// An enumeration with the published number of boards becomes correct only if a built-in solver judged the same boards.
#[test]
fn equal_digest_of_judged_boards_confirms_unchecked_enumeration() {
    let (plain, corner) = (ProblemRef::default(), ProblemRef::from(&corner_problem()));
    let (builtin_solver, program) = (solver("backtrack/bitmask"), solver("program/mine"));
    let answer = |solver, problem, n, digest, goal, verdict| Evidence {
        has_judged_boards: true,
        verdict,
        ..Evidence::new(Source::Solver(solver), n, problem, Answer::with_boards(goal, 7, digest))
    };
    let verdicts = |problem, n, digest, goal| {
        let reference = answer(&builtin_solver, problem, n, "x", Goal::Enumerate, Verdict::Correct);
        let unchecked_answer = answer(&program, problem, n, digest, goal, Verdict::Unchecked);
        let reviews = review([reference, unchecked_answer].into_iter());
        reviews.into_iter().map(|review| (review.answer, review.verdict)).collect::<Vec<_>>()
    };
    assert_eq!(verdicts(&plain, 20, "x", Goal::Enumerate), [(1, Verdict::Correct)]);
    assert_eq!(verdicts(&plain, 20, "y", Goal::Enumerate), [(1, Verdict::Disagree)]);
    assert_eq!(verdicts(&plain, 20, "x", Goal::Count), []);
    // No number is published for these problems.
    assert_eq!(verdicts(&plain, 28, "x", Goal::Enumerate), []);
    assert_eq!(verdicts(&corner, 20, "x", Goal::Enumerate), []);
}

fn corner_problem() -> crate::board::problem::Problem {
    let size = crate::board::BoardSize::new(20).expect("small");
    crate::board::problem::Problem::from_text(size, "queens;place=0:0").expect("a problem")
}

/// Two built-in solvers that judged different boards contradict each other in any order.
#[test]
fn different_enumerations_disagree_in_any_order() {
    let (problem, builtin_solver) = (ProblemRef::default(), solver("backtrack/bitmask"));
    let answer = |digest| Evidence {
        has_judged_boards: true,
        ..Evidence::new(
            Source::Solver(&builtin_solver),
            28,
            &problem,
            Answer::with_boards(Goal::Enumerate, 7, digest),
        )
    };
    let verdicts = |answers: [Evidence<'_>; 2]| {
        review(answers.into_iter()).into_iter().map(|review| review.verdict).collect::<Vec<_>>()
    };
    assert_eq!(verdicts([answer("x"), answer("y")]), [Verdict::Disagree; 2]);
    assert_eq!(verdicts([answer("y"), answer("x")]), [Verdict::Disagree; 2]);
}

/// Answers to another problem or for another size are not evidence.
#[test]
fn review_compares_only_answers_of_one_problem() {
    let (plain, corner) = (ProblemRef::default(), ProblemRef::from(&corner_problem()));
    let builtin_solver = solver("backtrack/dlx");
    let count = |n, problem, solutions| {
        Evidence::new(Source::Solver(&builtin_solver), n, problem, Answer::number_of(Goal::Count, solutions))
    };
    let answers = [count(28, &plain, 7), count(29, &plain, 8), count(28, &corner, 9)];
    assert_eq!(review(answers.into_iter()), []);
}

#[test]
fn different_values_of_two_results_are_listed() {
    let (problem, solver) = (ProblemRef::default(), solver("backtrack/dlx"));
    let statistics = |nodes| -> Statistics { [(Stat::Nodes, nodes)].into() };
    let [nine_nodes, ten_nodes] = [9, 10].map(statistics);
    let answers = |statistics, digest| {
        let answer = |statistics| Evidence {
            verdict: Verdict::Correct,
            statistics,
            ..Evidence::new(
                Source::Solver(&solver),
                4,
                &problem,
                Answer { digest, ..Answer::number_of(Goal::Enumerate, 2) },
            )
        };
        Answers::of([answer(Some(&nine_nodes)), answer(statistics)].map(|answer| (answer, None)))
    };
    let text =
        |changes: &[AnswerChange]| changes.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    let old_answers = answers(Some(&nine_nodes), Some("x"));
    assert_eq!(changes(&old_answers, &old_answers), []);
    // Values are sorted as numbers, so that 9 precedes 10.
    let different_nodes = changes(&old_answers, &answers(Some(&ten_nodes), Some("x")));
    assert!(different_nodes.iter().all(|change| !change.is_wrong() && !change.is_one_sided()));
    let missing_digest = changes(&old_answers, &answers(Some(&nine_nodes), None));
    assert!(missing_digest.iter().all(|change| !change.is_wrong() && change.is_one_sided()));
    let contradiction = changes(&old_answers, &answers(Some(&ten_nodes), Some("y")));
    assert!(contradiction.iter().all(AnswerChange::is_wrong));
    assert_eq!([different_nodes.len(), missing_digest.len(), contradiction.len()], [1; 3]);
    let faulty_answers = |verdict| {
        let answer = Evidence {
            verdict,
            ..Evidence::new(Source::Solver(&solver), 4, &problem, Answer::none(Goal::Enumerate))
        };
        Answers::of([(answer, Some("it found 3 solutions"))])
    };
    let change_to_disagree = changes(&old_answers, &faulty_answers(Verdict::Disagree));
    let change_from_wrong = changes(&faulty_answers(Verdict::Wrong), &old_answers);
    assert_eq!(
        (change_to_disagree.len(), change_from_wrong.as_slice()),
        (1, &[AnswerChange::NoLongerWrong][..])
    );
    assert!(
        change_to_disagree[0].is_wrong()
            && !change_to_disagree[0].is_one_sided()
            && change_from_wrong[0].is_one_sided()
    );
    assert_eq!(changes(&faulty_answers(Verdict::Wrong), &faulty_answers(Verdict::Disagree)), []);
    let no_answers = Answers::of([]);
    let change_lists = [
        different_nodes,
        missing_digest,
        contradiction,
        change_to_disagree,
        changes(&no_answers, &faulty_answers(Verdict::Wrong)),
        change_from_wrong,
    ];
    wording::assert_wording!("judging", "changes", change_lists.map(|changes| text(&changes)).join("\n"));
}

/// The values of a wrong answer are not collected, so a column that only the new result has is not a change.
#[test]
fn columns_missing_from_a_wrong_answer_are_ignored() {
    let (problem, solver) = (ProblemRef::default(), solver("backtrack/dlx"));
    let [nine_nodes, ten_nodes] = [9, 10].map(|nodes| -> Statistics { [(Stat::Nodes, nodes)].into() });
    let answer = |verdict, digest, statistics| Evidence {
        verdict,
        statistics: Some(statistics),
        ..Evidence::new(
            Source::Solver(&solver),
            4,
            &problem,
            Answer { digest, ..Answer::number_of(Goal::Enumerate, 2) },
        )
    };
    let answers = |answers: &[Evidence<'_>]| Answers::of(answers.iter().map(|&answer| (answer, None)));
    let old_answers =
        answers(&[answer(Verdict::Wrong, None, &nine_nodes), answer(Verdict::Correct, None, &nine_nodes)]);
    let new_answers = answers(&[answer(Verdict::Correct, Some("x"), &ten_nodes)]);
    let nodes = AnswerChange::Values {
        column: ComparedColumn::Stat(Stat::Nodes),
        values: [9, 10].map(|nodes| vec![ColumnValue::Number(nodes)]),
        is_contradiction: false,
    };
    assert_eq!(changes(&old_answers, &new_answers), [AnswerChange::NoLongerWrong, nodes]);
    // If one of the results has no answer, no column changed.
    assert_eq!(changes(&answers(&[]), &new_answers), []);
    assert_eq!(changes(&new_answers, &answers(&[])), []);
}

/// The reference is the answer of a SAT solver. First solutions of solvers that search row by row are compared with each other.
#[test]
fn reference_prefers_sat_except_for_lexicographically_first_solutions() {
    let (problem, size) = (ProblemRef::from(&corner_problem()), 20);
    let cube_solver = "sat/pairwise/varisat/cubes";
    let names = ["backtrack/mac", "sat/pairwise/varisat", "backtrack/cbj", "backtrack/bitmask", cube_solver]
        .map(solver);
    let first_solution = |at: usize, digest, is_lexicographically_first, verdict| Evidence {
        is_lexicographically_first,
        verdict,
        ..Evidence::new(
            Source::Solver(&names[at]),
            size,
            &problem,
            Answer::with_boards(Goal::First, 1, digest),
        )
    };
    use Verdict::Correct;
    let answers = [
        first_solution(0, "x", true, Verdict::Wrong),
        first_solution(1, "y", false, Correct),
        first_solution(2, "z", true, Correct),
        first_solution(3, "w", true, Correct),
    ];
    assert_eq!(reference(&answers), Some(1));
    assert_eq!(reference(&[answers[3], answers[1], answers[2]]), Some(1), "SAT precedes the first one");
    let answers_with_cubes = [first_solution(4, "y", false, Correct), answers[3], answers[1]];
    assert_eq!(reference(&answers_with_cubes), Some(2), "cubes share code with searchers");
    assert_eq!(reference(&[]), None);
    let difference_from =
        |at: usize| Some(Finding::OtherFirst { reference: Reference::Solver(names[at].clone()) });
    let comparison = |answer, reference, finding| AnswerComparison {
        answer,
        reference: ComparisonReference::Answer(reference),
        finding,
    };
    let expected_comparisons =
        [comparison(0, 2, difference_from(2)), comparison(2, 1, None), comparison(3, 2, difference_from(2))];
    assert_eq!(compare(&corner_problem(), &answers), expected_comparisons);
    assert_eq!(compare(&corner_problem(), &[]), []);
}

/// Boards are unjudged if their check has no number of illegal boards.
#[test]
fn unjudged_boards_yield_no_comparison_with_the_rules() {
    let (problem, solver) = (ProblemRef::from(&corner_problem()), solver("backtrack/dlx"));
    let comparisons_with_rules = |illegal| {
        let boards = BoardCheck { illegal, ..BoardCheck::default() };
        let answer = Evidence {
            boards: Some(&boards),
            ..Evidence::new(Source::Solver(&solver), 20, &problem, Answer::none(Goal::Enumerate))
        };
        compare(&corner_problem(), &[answer])
            .into_iter()
            .map(|comparison| (comparison.reference, comparison.finding))
            .collect::<Vec<_>>()
    };
    let illegal_boards = |boards| Some(Finding::IllegalBoards { boards, first: FirstBoard::NotShown });
    assert_eq!(comparisons_with_rules(None), []);
    assert_eq!(comparisons_with_rules(Some(0)), [(ComparisonReference::Board, None)]);
    assert_eq!(comparisons_with_rules(Some(1)), [(ComparisonReference::Board, illegal_boards(1))]);
    assert_eq!(comparisons_with_rules(Some(2)), [(ComparisonReference::Board, illegal_boards(2))]);
}

/// According to A000170, 4 queens have 2 solutions.
#[test]
fn answers_are_compared_with_the_published_number() {
    let (problem, solver) = (ProblemRef::default(), solver("backtrack/dlx"));
    let size = crate::board::BoardSize::new(4).expect("small");
    let plain_problem = crate::board::problem::Problem::queens(size);
    let reference = || Reference::Published("A000170");
    for (goal, solutions, finding) in [
        (Goal::Count, 2, None),
        (Goal::Count, 3, Some(Finding::of_solutions(3, 2, reference()))),
        (Goal::First, 1, None),
        (Goal::First, 0, Some(Finding::of_solutions(0, 2, reference()))),
    ] {
        let number = Answer::number_of(goal, solutions);
        let answer = Evidence::new(Source::Solver(&solver), 4, &problem, number);
        let expected_comparison =
            AnswerComparison { answer: 0, reference: ComparisonReference::Published("A000170"), finding };
        assert_eq!(compare(&plain_problem, &[answer]), [expected_comparison]);
    }
}

/// Only the first level that differs is reported, and its nodes before its dead ends.
#[test]
fn only_the_first_different_level_is_reported() {
    let (problem, solver) = (ProblemRef::default(), solver("backtrack/dlx"));
    let size = crate::board::BoardSize::new(4).expect("small");
    let plain_problem = crate::board::problem::Problem::queens(size);
    let level = |nodes, dead_ends| Level { nodes, dead_ends };
    // A319284, n = 4: 1, 4, 6, 4 and 2 nodes; 0, 0, 2, 2 and 0 dead ends.
    let published_levels = [level(1, 0), level(4, 0), level(6, 2), level(4, 2), level(2, 0)];
    let finding = |levels: &[Level]| {
        let answer = Evidence {
            levels,
            fundamental: Some(1),
            ..Evidence::new(Source::Solver(&solver), 4, &problem, Answer::none(Goal::Enumerate))
        };
        let mut comparisons = compare(&plain_problem, &[answer]);
        assert_eq!(
            comparisons
                .iter()
                .filter(|comparison| comparison.reference == ComparisonReference::Published("A002562"))
                .count(),
            1
        );
        comparisons.pop().expect("the levels are the last").finding
    };
    let expected_finding = |quantity, number, expected| {
        Some(Finding::OtherNumber { quantity, number, expected, reference: Reference::Published("A319284") })
    };
    assert_eq!(finding(&published_levels), None);
    let mut wrong_levels = published_levels;
    wrong_levels[3].dead_ends = 3;
    assert_eq!(finding(&wrong_levels), expected_finding(Quantity::DeadEnds(3), 3, 2));
    wrong_levels[2] = level(7, 1);
    assert_eq!(finding(&wrong_levels), expected_finding(Quantity::Nodes(2), 7, 6));
}
