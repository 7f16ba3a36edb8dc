use std::ops::ControlFlow;

use proptest::prelude::*;

use super::notation::Writer;
use super::*;
use queens_board::BoardSize;

fn queens(n: usize) -> Problem {
    Problem::queens(BoardSize::new(n).expect("a board size"))
}

/// The problem with n rows that a text such as `queens;forbid=0:0` describes.
fn problem(n: usize, variant: &str) -> Problem {
    Problem::from_text(BoardSize::new(n).expect("a board size"), variant).expect(variant)
}

/// The question about a problem in any notation.
fn question(problem: Problem, answer_kind: AnswerKind) -> Question {
    Question { problem, notation: None, symbols: Symbols::default(), answer_kind }
}

/// Judges a text with a reference that finds no solutions.
fn judge_text(text: &str, question: &Question) -> Result<Judgement, JudgeError> {
    struct NoSource;
    impl SolutionSource for NoSource {
        fn enumerate(
            &self,
            _: &Problem,
            _: &mut dyn FnMut(&[u32]) -> ControlFlow<()>,
        ) -> Option<&'static str> {
            None
        }
        fn decide(&self, _: &Problem) -> Option<(bool, &'static str)> {
            None
        }
    }
    judge(&mut text.as_bytes(), question, Some(&NoSource), &mut |_| ())
}

/// Judges all solutions of n queens with a reference that finds no solutions.
fn judge_all(n: usize, text: &str) -> Judgement {
    judge_text(text, &question(queens(n), AnswerKind::All)).expect(text)
}

#[test]
fn first_duplicates_are_listed_in_line_order() {
    // In the order of the columns, the board of the last line comes first.
    let text = "2 0 3 1\n1 3 0 2\n2 0 3 1\n2 0 3 1\n1 3 0 2\n2 0 3 1\n1 3 0 2\n";
    let report = judge_all(4, text);
    assert_eq!((report.duplicate_count, report.distinct_count, report.illegal_count), (5, 2, 0));
    let lines: Vec<(u64, u64)> =
        report.duplicate_examples.iter().map(|duplicate| (duplicate.line, duplicate.first_line)).collect();
    assert_eq!(lines, [(3, 1), (4, 1), (5, 2)]);
    assert_eq!(report.verdict(), SubmissionVerdict::Wrong);
}

#[test]
fn boards_above_20_are_stored_unpacked() {
    // 0 2 4 ... 1 3 5 ... is a solution for n = 23 (n = 1 or 5 modulo 6).
    let board: Vec<String> = (0..23).map(|row| (2 * row % 23).to_string()).collect();
    let line = board.join(" ") + "\n";
    let report = judge_all(23, &line.repeat(2));
    assert_eq!((report.board_count, report.distinct_count, report.duplicate_count), (2, 1, 1));
    assert_eq!(report.duplicate_examples[0].board.columns()[..3], [0, 2, 4]);
    let missing = report.missing.expect("all boards but one");
    assert_eq!(missing.count, Some(24_233_937_684_440 - 1));
}

/// A literal that is repeated a million times is one queen. Otherwise the search for attacks among a million queens would take
/// hours.
#[test]
fn repeated_literals_of_a_model_are_one_queen() {
    let question = Question { notation: Some(Notation::Dimacs), ..question(queens(400), AnswerKind::One) };
    let text = format!("v{} 2 0\n", " 1".repeat(1_000_000));
    let report = judge_text(&text, &question).expect("a model");
    let (first, second) = (Square { row: 0, column: 0 }, Square { row: 0, column: 1 });
    let board = &report.illegal_examples[0];
    assert_eq!(
        (report.illegal_count, &board.queens[..], &board.attacks[..]),
        (1, &[first, second][..], &[(first, second)][..])
    );
}

#[test]
fn model_with_contradictory_literals_is_malformed() {
    let model = "v 2 8 9 15 -15 0\n";
    let question = Question { notation: Some(Notation::Dimacs), ..question(queens(4), AnswerKind::One) };
    let report = judge_text(model, &question).expect("a model");
    assert_eq!((report.board_count, report.malformed_count), (1, 1));
    let fault = report.illegal_examples[0].to_string();
    assert!(fault.contains("line 1") && fault.contains("contradicts"), "{fault}");
    wording::assert_wording!("errors", "a model with contradictory literals", fault);
}

/// The text of boards in a notation.
fn text_of(notation: Notation, n: usize, boards: &[Vec<u32>]) -> String {
    let mut writer = Writer::new(Vec::new(), notation, n).expect("the size fits");
    for columns in boards {
        writer.solution(columns).expect("written to memory");
    }
    String::from_utf8(writer.finish().expect("written to memory")).expect("UTF-8")
}

/// Every assignment of a column to each row, in lexicographic order.
fn assignments(n: usize) -> impl Iterator<Item = Vec<u32>> {
    let codes = 0..n.pow(n as u32);
    codes.map(move |code| (0..n).rev().map(|row| (code / n.pow(row as u32) % n) as u32).collect())
}

fn solutions(n: usize) -> Vec<Vec<u32>> {
    assignments(n).filter(|columns| queens_board::is_solution(columns)).collect()
}

/// Whether the verdict is correct; an unreadable text is not.
fn is_correct(text: &str, n: usize, notation: Option<Notation>) -> bool {
    let question = Question { notation, ..question(queens(n), AnswerKind::All) };
    judge_text(text, &question).is_ok_and(|report| report.verdict() == SubmissionVerdict::Correct)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Outputs with all solutions in each notation are changed: a board is removed, repeated, changed or inserted, or a malformed
    /// board is added.
    #[test]
    fn output_with_a_fault_is_never_correct(
        n in 4..=6_usize,
        notation in proptest::sample::select(Notation::ALL.to_vec()),
        is_given in any::<bool>(),
        index in any::<proptest::sample::Index>(),
        row in any::<proptest::sample::Index>(),
        column in 0..6_u32,
        fault in 0..8_usize,
    ) {
        prop_assume!(notation.is_readable());
        let solutions = solutions(n);
        let hint = is_given.then_some(notation);
        let text = text_of(notation, n, &solutions);
        prop_assert!(is_correct(&text, n, hint), "{text}");
        let mut boards = solutions.clone();
        let (index, row) = (index.index(boards.len()), row.index(n));
        let list_with_entry = |number: &str| {
            let mut words: Vec<String> = solutions[index].iter().map(u32::to_string).collect();
            words[row] = number.to_owned();
            format!("[{}]\n", words.join(", "))
        };
        let mut malformed_board = String::new();
        match fault {
            0 => drop(boards.remove(index)),
            1 => boards.push(solutions[index].clone()),
            2 => boards[index][row] = (boards[index][row] + 1 + column % (n as u32 - 1)) % n as u32,
            3 => boards.insert(index, (0..n as u32).collect()),
            // If a notation is given, a list may go unrecognised as a board in that notation.
            _ if is_given => return Ok(()),
            4 => malformed_board = list_with_entry("None"),
            5 => malformed_board = list_with_entry("-1"),
            6 => malformed_board = list_with_entry(&(n + 7).to_string()),
            _ => malformed_board = list_with_entry("x"),
        }
        let text = text_of(notation, n, &boards) + &malformed_board;
        prop_assert!(!is_correct(&text, n, hint), "{text}");
        let text = format!("{malformed_board}\n{}", text_of(notation, n, &boards));
        prop_assert!(!is_correct(&text, n, hint), "{text}");
    }
}

/// Finds solutions by brute force.
struct BruteForce;

impl SolutionSource for BruteForce {
    fn enumerate(
        &self,
        problem: &Problem,
        on_solution: &mut dyn FnMut(&[u32]) -> ControlFlow<()>,
    ) -> Option<&'static str> {
        let solutions = assignments(problem.n().get()).filter(|columns| problem.is_solution(columns));
        let mut flows = solutions.map(|columns| on_solution(&columns));
        if flows.any(|flow| flow.is_break()) { None } else { Some("brute force") }
    }

    fn decide(&self, problem: &Problem) -> Option<(bool, &'static str)> {
        let has_solution = assignments(problem.n().get()).any(|columns| problem.is_solution(&columns));
        Some((has_solution, "brute force"))
    }
}

/// Judges the output of a program that may have been cut short.
fn judge_output(
    text: &str,
    cut_reason: Option<CutReason>,
    question: &Question,
    reference: &dyn SolutionSource,
) -> Result<Judgement, JudgeError> {
    judge_until(&mut text.as_bytes(), question, Some(reference), &mut |_| (), |_| Ok(cut_reason))
}

/// The judgement in words, or the message why there is none.
fn judgement_text(
    n: usize,
    variant: &str,
    answer_kind: AnswerKind,
    text: &'static str,
    cut_reason: Option<CutReason>,
) -> String {
    let question = question(problem(n, variant), answer_kind);
    let judgement = judge_output(text, cut_reason, &question, &BruteForce);
    judgement.map_or_else(|error| format!("{error}\n"), |judgement| judgement.to_string())
}

#[test]
fn first_line_has_the_verdict_and_its_reason() {
    use AnswerKind::{All, Count, One};
    let (correct, wrong, unreadable) = (Some("correct"), Some("wrong"), None);
    for (n, variant, answer_kind, text, verdict) in [
        (4, "queens", All, "1 3 0 2\n2 0 3 1\n", correct),
        (4, "queens", All, "1 3 0 2\n", wrong),
        (4, "queens", All, "1 3 0 2 2 0 3 1\n", correct),
        (4, "queens", All, "3 1 4 2 2 4 1 3\n", correct),
        (4, "queens", All, "BDAC CADB\n", correct),
        // The squares of a solution, of a board with an attack, and of a solution in the order of the rows.
        (4, "queens", One, "0 2 3 1 1 0 2 3\n", correct),
        (4, "queens", One, "0 1 2 3 1 0 3 2\n", wrong),
        (4, "queens", One, "0 1 1 3 2 0 3 2\n", correct),
        // Both halves of this line are solutions, but the rows of its pairs are in order.
        (5, "queens", One, "0 3 1 4 2 0 3 1 4 2\n", wrong),
        (1, "queens", All, "[0]\n", correct),
        (3, "queens", All, "no solution\n", correct),
        (4, "queens", All, "", wrong),
        (1, "queens", All, "no solution\n", wrong),
        (4, "queens;place=0:1", All, "1 3 0 2\n", correct),
        (5, "queens;forbid=0:0", All, "1 3 0 2 4", wrong),
        (4, "toroidal", All, "1 3 0 2\n", wrong),
        (4, "queens", One, "1 3 0 2\n0 0 0 0", correct),
        (4, "queens", One, "1 3 0 3\n1 3 0 2", wrong),
        (4, "queens", One, "no solution\n", wrong),
        (4, "queens", One, "", unreadable),
        (3, "queens", One, "", correct),
        (4, "queens;place=0:0", One, "no solution", correct),
        (4, "queens;place=0:1", One, "no solution", wrong),
        (4, "queens;place=0:1", Count, "1\n", correct),
        (4, "queens;place=0:1", Count, "2\n", wrong),
        (6, "queens", Count, "4", correct),
        (6, "queens", Count, "7", wrong),
        (6, "queens", Count, "1", wrong),
        (6, "queens", Count, "hello\nbye", unreadable),
        (6, "queens", Count, "", unreadable),
        (6, "queens", Count, "3\n4\n", unreadable),
        (6, "queens", All, "4 solutions\n", unreadable),
        (6, "queens", All, "5 solutions\n", unreadable),
        (28, "queens", All, "5 solutions\n", unreadable),
        (6, "queens", All, "hello\n", unreadable),
    ] {
        let key = format!("n = {n}, {variant}, {answer_kind:?}: {text:?}");
        assert_verdict(&key, &judgement_text(n, variant, answer_kind, text, None), verdict);
    }
}

/// Asserts that the first line of a judgement begins with a verdict, or with none if `verdict` is `None`, and compares the line
/// with its snapshot.
#[track_caller]
fn assert_verdict(key: &str, text: &str, verdict: Option<&str>) {
    let line = text.lines().next().expect("a line");
    let first_word = line.split_once(": ").map(|(word, _)| word);
    let verdicts = ["correct", "wrong", "unfinished", "unknown"];
    assert_eq!(first_word.filter(|word| verdicts.contains(word)), verdict, "{key}: {line}");
    wording::assert_wording!("first-lines", key, line);
}

#[test]
fn judgement_lists_first_boards_of_each_fault() {
    let text = "1 3 0 2\n1 3 0 2\n1 3 0 2\n0 1 2 3\n0 2 0 0\n. Q . .\n1 3 0 3\n1 3 0 2\n1 3 0 2\n2 2 0 0\n";
    let listing = judgement_text(4, "queens", AnswerKind::All, text, None);
    let is_row = |line: &&str| !line.is_empty() && line.chars().all(|c| " .QX".contains(c));
    // There are four illegal boards, four duplicates and one missing board. At most three boards of each kind are drawn.
    assert_eq!(listing.lines().filter(is_row).count(), 4 * (3 + 3 + 1));
    wording::assert_wording!("judgements", "the first boards of each fault", listing);
    let three_attacks = judgement_text(4, "queens", AnswerKind::One, "0 0 1 3\n", None);
    assert!(three_attacks.contains(": same ") && !three_attacks.contains("and more"), "{three_attacks}");
}

#[test]
fn squares_that_contradict_the_problem_are_marked() {
    let text = judgement_text(4, "queens;place=0:1;forbid=1:0,2:3,3:1", AnswerKind::One, "2 0 3 1\n", None);
    assert_eq!(text.matches('X').count(), 3);
    wording::assert_wording!("judgements", "squares that contradict the problem", text);
    let three_forbidden = judgement_text(4, "queens;forbid=1:0,2:3,3:1", AnswerKind::One, "2 0 3 1\n", None);
    assert_eq!(three_forbidden.matches("must not").count(), 3, "{three_forbidden}");
    wording::assert_wording!("judgements", "three forbidden squares", three_forbidden);
    let two_placed = judgement_text(4, "queens;place=0:1,1:3", AnswerKind::One, "2 0 3 1\n", None);
    assert_eq!(two_placed.matches("must hold").count(), 2, "{two_placed}");
    wording::assert_wording!("judgements", "two placed queens", two_placed);
}

#[test]
fn missing_boards_are_counted_and_examples_drawn() {
    let text = judgement_text(5, "queens", AnswerKind::All, "0 2 4 1 3\n", None);
    assert_eq!(text.matches('Q').count(), 3 * 5);
    wording::assert_wording!("judgements", "missing boards", text);
    let only_solution = judgement_text(4, "queens;place=0:1", AnswerKind::All, "2 0 3 1\n", None);
    assert!(only_solution.contains("\nmissing: 1\n  1 3 0 2\n"), "{only_solution}");
    assert!(
        judgement_text(4, "queens", AnswerKind::One, "no solution", None).ends_with("exist\n\nmissing: 2\n")
    );
    let unknown_number = judgement_text(4, "queens;place=0:1", AnswerKind::One, "no solution", None);
    let lines = unknown_number.lines().filter(|line| line.starts_with("missing: "));
    assert_eq!(lines.count(), 1, "{unknown_number}");
    wording::assert_wording!("judgements", "an unknown number of missing boards", unknown_number);
}

/// A board that may be incomplete is ignored. The boards before it, and a wrong number, are judged.
#[test]
fn incomplete_program_output_is_unfinished_or_wrong() {
    let failure_reason = |exit_code, signal, message: Option<&str>| {
        Some(CutReason::Failed { exit_code, signal, message: message.map(str::to_owned) })
    };
    let (all, all_solutions) = (AnswerKind::All, "1 3 0 2\n2 0 3 1\n");
    for (answer_kind, text, cut_reason, verdict) in [
        (all, "1 3 0 2\n1 3 0", Some(CutReason::Timeout(Duration::from_secs(2))), "unfinished"),
        (all, all_solutions, failure_reason(Some(3), None, Some("x")), "unfinished"),
        (all, "1 3 0 2\n1 1 1 1\n2 0 3 1\n", failure_reason(None, Some(9), None), "wrong"),
        (all, all_solutions, Some(CutReason::TooManyBoards(7)), "unfinished"),
        (all, all_solutions, Some(CutReason::TextWithoutBoard(3 << 20)), "unfinished"),
        (all, all_solutions, Some(CutReason::BoardMemory(5)), "unfinished"),
        (all, "hello\n", failure_reason(None, None, None), "unfinished"),
        (all, "9 solutions\n", failure_reason(None, None, None), "unfinished"),
        (AnswerKind::Count, "hello", failure_reason(None, None, None), "unfinished"),
        (AnswerKind::Count, "3", failure_reason(None, None, None), "wrong"),
        (AnswerKind::One, "", failure_reason(None, None, None), "unfinished"),
    ] {
        let key = format!("{answer_kind:?}: {text:?}, {cut_reason:?}");
        let judgement = judgement_text(4, "queens", answer_kind, text, cut_reason);
        assert!(
            judgement.starts_with(&format!("{verdict}: ")) && !judgement.contains("missing"),
            "{key}: {judgement}"
        );
        wording::assert_wording!("cut-short", &key, judgement);
    }
}

/// The text has only one of the solutions of 5 queens from each class under some symmetries.
#[test]
fn pattern_of_missing_boards_is_found() {
    use queens_board::symmetry::{Symmetry, images};
    let groups: [(&[Symmetry], &str); 5] = [
        (&[Symmetry::ALL[0], Symmetry::LEFT_RIGHT], "left and right"),
        (&[Symmetry::ALL[0], Symmetry::TOP_BOTTOM], "top and bottom"),
        (&Symmetry::ROTATIONS[..2], "half turn"),
        (&Symmetry::ROTATIONS, "rotations"),
        (&Symmetry::ALL, "fundamental"),
    ];
    let missing = |boards: &[Vec<u32>]| {
        judge_all_by_brute_force(5, &text_of(Notation::Columns, 5, boards))
            .missing
            .expect("not all solutions")
    };
    for (group, words) in groups {
        // The key defines an arbitrary order. The first solution of each class in this order is printed, so that no other group
        // fits.
        let key = |columns: &Vec<u32>| {
            (columns.iter().fold(0, |key, column| (2 * key + column) % 4), columns.clone())
        };
        let is_first = |columns: &Vec<u32>| images(columns, group).all(|image| key(columns) <= key(&image));
        let (boards, others): (Vec<_>, Vec<_>) = solutions(5).into_iter().partition(is_first);
        let pattern = missing(&boards).pattern.expect("a pattern").to_string();
        assert!(pattern.contains(words), "{pattern}");
        wording::assert_wording!("patterns", words, pattern);
        assert_eq!(missing(&boards).count, Some(others.len() as u64));
        assert_eq!(missing(&boards[1..]).pattern, None, "without one of the boards");
        assert_eq!(missing(&[&boards[..], &others[..1]].concat()).pattern, None, "with another board");
    }
}

#[test]
fn message_states_given_notation_without_advice() {
    let message = |n, text: &str| {
        let question = Question { notation: Some(Notation::Columns), ..question(queens(n), AnswerKind::All) };
        judge_text(text, &question).expect(text).to_string()
    };
    let illegal = message(4, "1 3 0 3\n");
    assert!(
        illegal.contains("\nnotation   columns (given)\n") && !illegal.contains("--notation"),
        "{illegal}"
    );
    assert!(!message(3, "no solution\n").contains("notation"));
}

#[test]
fn text_beyond_64_mib_without_board_is_refused() {
    let blank_lines = format!("{}\n", " ".repeat(1 << 16)).repeat(1026);
    let report = judge_all(4, &format!("1 3 0 2\n{blank_lines}"));
    assert_eq!(report.cut_reason, Some(CutReason::TextWithoutBoard(64 << 20)));
    let error =
        judge_text(&blank_lines, &question(queens(4), AnswerKind::All)).expect_err("no board").to_string();
    assert!(error.contains("64 MiB"), "{error}");
    wording::assert_wording!("errors", "64 MiB without a board", error);
}

/// The judge uses the published numbers of solutions, and the theorem that plain queens have solutions on every board with n > 3.
#[test]
fn published_numbers_take_precedence_over_reference() {
    /// A reference that states that there are no solutions.
    struct DenyingSource;
    impl SolutionSource for DenyingSource {
        fn enumerate(
            &self,
            _: &Problem,
            _: &mut dyn FnMut(&[u32]) -> ControlFlow<()>,
        ) -> Option<&'static str> {
            Some("denying")
        }
        fn decide(&self, _: &Problem) -> Option<(bool, &'static str)> {
            Some((false, "denying"))
        }
    }
    let verdict = |n, variant: &str, answer_kind, text: &'static str, cut_reason: Option<CutReason>| {
        let question = question(problem(n, variant), answer_kind);
        judge_output(text, cut_reason, &question, &DenyingSource).expect(text).verdict()
    };
    let failure_reason = || Some(CutReason::Failed { exit_code: None, signal: None, message: None });
    for (n, variant, answer_kind, text, cut_reason, expected) in [
        (29, "queens", AnswerKind::Count, "5", None, SubmissionVerdict::Unknown),
        (6, "queens", AnswerKind::Count, "4", None, SubmissionVerdict::Correct),
        (6, "toroidal", AnswerKind::Count, "0", None, SubmissionVerdict::Correct),
        (4, "queens;place=0:1", AnswerKind::Count, "1", None, SubmissionVerdict::Wrong),
        (4, "queens;place=0:1", AnswerKind::Count, "1", failure_reason(), SubmissionVerdict::Unfinished),
        (29, "queens", AnswerKind::One, "no solution", None, SubmissionVerdict::Wrong),
        (5, "toroidal", AnswerKind::One, "no solution", None, SubmissionVerdict::Wrong),
        (4, "queens;place=0:1", AnswerKind::One, "no solution", None, SubmissionVerdict::Correct),
        (
            4,
            "queens;place=0:1",
            AnswerKind::One,
            "no solution",
            failure_reason(),
            SubmissionVerdict::Unfinished,
        ),
        (4, "queens;place=0:1", AnswerKind::One, "1 3 0 2", None, SubmissionVerdict::Correct),
    ] {
        assert_eq!(
            verdict(n, variant, answer_kind, text, cut_reason),
            expected,
            "{n} {variant} {answer_kind:?} {text}"
        );
    }
}

/// A line that may be a board makes the text unreadable, unless the verdict is certain without it.
#[test]
fn error_quotes_line_that_may_be_a_board() {
    let (all, one) = (AnswerKind::All, AnswerKind::One);
    let failure_reason = || Some(CutReason::Failed { exit_code: None, signal: None, message: None });
    for (answer_kind, text, cut_reason, verdict) in [
        (all, "Trying 0 2 1 3\n1 3 0 2\n2 0 3 1\n", None, None),
        (all, "Trying 0 2 1 3\n1 3 0 2\n", None, None),
        (all, "Trying 0 2 1 3\n1 3 0 2\n", failure_reason(), Some("unfinished")),
        (all, "Trying 0 2 1 3\n1 3 0 2\n2 0 3 1\n1 1 1 1\n", None, None),
        (all, "Trying 0 2 1 3\n1 3 0 2\n1 1 1 1\n2 0 3 1\n", failure_reason(), None),
        (one, "Trying 0 2 1 3\n1 3 0 2\n", None, Some("correct")),
    ] {
        let key = format!("{answer_kind:?}: {text:?}, {cut_reason:?}");
        let judgement = judgement_text(4, "queens", answer_kind, text, cut_reason);
        assert_verdict(&key, &judgement, verdict);
        assert_eq!(judgement.contains("line 1: 'Trying 0 2 1 3'"), verdict.is_none(), "{judgement}");
    }
    let question = question(queens(4), AnswerKind::All);
    let result_without_reference =
        judge(&mut &b"Trying 0 2 1 3\n1 3 0 2\n"[..], &question, None, &mut |_| ());
    assert!(
        result_without_reference.expect_err("a board is missing").to_string().contains("'Trying 0 2 1 3'")
    );
}

#[test]
fn malformed_boards_are_counted_as_illegal() {
    let counts = |text| {
        let report = judge_all(4, text);
        (report.board_count, report.illegal_count, report.malformed_count)
    };
    assert_eq!(counts("1 3 0 2\n1 3 0\n0 1 2 3\n1 3 0 4\n"), (4, 3, 2));
    // The program was not cut short, so the last board is complete although the line feed is missing.
    assert_eq!(counts("1 3 0 2\n1 3 0"), (2, 1, 1));
}

#[test]
fn first_attacks_on_the_board_are_listed() {
    // Queens outside the board attack no queen on it, even in the same column or on the same diagonal.
    let boards = judge_all(4, "1 3 0 2\n1 3 0 2 1\n1 3 0 4\n").illegal_examples;
    assert!(boards.len() == 2 && boards.iter().all(|board| board.attacks.is_empty()), "{boards:?}");
    // All 15 pairs of queens attack each other.
    assert_eq!(judge_all(6, "0 0 0 0 0 0\n").illegal_examples[0].attacks.len(), 12);
}

/// The text has no line feed at its end, so only its last board may be incomplete.
#[test]
fn illegal_boards_on_unfinished_line_are_counted() {
    let report = judge_all(4, "[[0, 0, 2, 3], [1, 1, 3, 3], [1, 3, 0, 2], [2, 0, 3, 1]]");
    assert_eq!((report.board_count, report.illegal_count, report.distinct_count), (4, 2, 2));
}

/// A pattern is reported only if at least two boards are missing, and only with symmetries of the problem.
#[test]
fn pattern_needs_two_missing_boards_and_symmetry() {
    let pattern = |n, variant: &str, text: &str| {
        let question = question(problem(n, variant), AnswerKind::All);
        let judgement = judge(&mut text.as_bytes(), &question, Some(&BruteForce), &mut |_| ()).expect(text);
        judgement.missing.expect("not all solutions").pattern.map(|pattern| pattern.to_string())
    };
    let mirror_pattern = pattern(6, "queens", "1 3 5 0 2 4\n2 5 1 4 0 3\n");
    assert!(mirror_pattern.is_some_and(|text| text.contains("left and right")));
    assert_eq!(pattern(4, "queens", "1 3 0 2\n"), None);
    // These are half of the 8 solutions, and none of them is the mirror image of another one. Some mirror images are forbidden.
    let half_of_solutions = "1 3 0 2 4\n1 4 2 0 3\n2 0 3 1 4\n4 1 3 0 2\n";
    assert_eq!(pattern(5, "queens;forbid=0:0", half_of_solutions), None);
}

/// Judges all solutions of n queens with a reference that finds all solutions.
fn judge_all_by_brute_force(n: usize, text: &str) -> Judgement {
    let question = question(queens(n), AnswerKind::All);
    judge(&mut text.as_bytes(), &question, Some(&BruteForce), &mut |_| ()).expect(text)
}

/// The text of the board 0 2 4 ... 1 3 5 ..., which is a solution for n = 1 or 5 modulo 6.
fn regular_solution(n: usize) -> String {
    let board: Vec<String> = (0..n).map(|row| (2 * row % n).to_string()).collect();
    board.join(" ") + "\n"
}

#[test]
fn verdict_may_be_unknown_without_reference() {
    let (all, one, count) = (AnswerKind::All, AnswerKind::One, AnswerKind::Count);
    for (n, variant, answer_kind, text, verdict) in [
        (29, "queens", all, regular_solution(29), "unknown"),
        (29, "queens", one, regular_solution(29), "correct"),
        (29, "queens", count, "5\n".to_owned(), "unknown"),
        (4, "queens;forbid=0:0", all, "1 3 0 2\n".to_owned(), "unknown"),
        (4, "queens;forbid=0:0", one, "no solution\n".to_owned(), "unknown"),
        (4, "queens;forbid=0:0", count, "2\n".to_owned(), "unknown"),
        (29, "queens", one, "no solution\n".to_owned(), "wrong"),
    ] {
        let question = question(problem(n, variant), answer_kind);
        let judgement = judge_text(&text, &question).expect("readable").to_string();
        let key =
            format!("without a reference: n = {n}, {variant}, {answer_kind:?}: {:?}", text.lines().next());
        assert_verdict(&key, &judgement, Some(verdict));
    }
}

/// A002562: 1, 0, 0, 1, 2 and 1 solutions up to symmetry.
#[test]
fn fundamental_solutions_are_counted() {
    for (n, classes) in (1..).zip([1, 0, 0, 1, 2, 1]) {
        let all_solutions = solutions(n);
        let text = if all_solutions.is_empty() {
            "no solution\n".to_owned()
        } else {
            text_of(Notation::Json, n, &all_solutions)
        };
        let count = |text: &str| judge_all_by_brute_force(n, text).fundamental_count;
        assert_eq!(count(&text), Some(classes), "n = {n}");
        assert_eq!(count(&text.repeat(2)), Some(classes), "n = {n}, each board twice");
        assert_eq!(fundamental_count_of_cut_output(n, "queens", &text), Some(classes), "n = {n}, cut short");
    }
    let text = "0 2 4 1 3\n0 3 1 4 2\n1 4 2 0 3\n";
    assert_eq!(fundamental_count_of_cut_output(5, "queens", text), Some(2));
    assert_eq!(fundamental_count_of_cut_output(5, "toroidal", "0 2 4 1 3\n"), None);
}

/// The number of solutions up to symmetry in the output of a program that was stopped.
fn fundamental_count_of_cut_output(n: usize, variant: &str, text: &str) -> Option<u64> {
    let question = question(problem(n, variant), AnswerKind::All);
    let cut_reason = Some(CutReason::Timeout(Duration::from_secs(1)));
    judge_output(text, cut_reason, &question, &BruteForce).expect("boards").fundamental_count
}

#[test]
fn number_of_boards_is_limited() {
    let judge_repetitions = |count| {
        let report = judge_all(4, &"1 3 0 2\n".repeat(count));
        (report.board_count, report.cut_reason)
    };
    assert_eq!(judge_repetitions(1000), (1000, None));
    assert_eq!(judge_repetitions(1001), (1000, Some(CutReason::TooManyBoards(1000))));
    // The limit is twice the 724 solutions of 10 queens, also if a square is forbidden.
    let question = question(problem(10, "queens;forbid=9:9"), AnswerKind::All);
    let cut_reason =
        |count| judge_text(&"0 2 5 7 9 4 8 1 3 6\n".repeat(count), &question).expect("boards").cut_reason;
    assert_eq!([1448, 1449].map(cut_reason), [None, Some(CutReason::TooManyBoards(1448))]);
}

#[test]
fn count_text_above_64_kib_is_refused() {
    let question = question(queens(4), AnswerKind::Count);
    let padded_text = |length: usize| "2 solutions\n".to_owned() + &" ".repeat(length - 12);
    assert_eq!(judge_text(&padded_text(1 << 16), &question).expect("a count").stated_count, Some(2));
    let error = judge_text(&padded_text((1 << 16) + 1), &question).expect_err("too long").to_string();
    assert!(error.contains("64 KiB"), "{error}");
    wording::assert_wording!("errors", "a count in a long text", error);
}

#[test]
fn boards_up_to_size_40_are_drawn() {
    let judgement = |n: usize| judge_all(n, &format!("{}0\n", "0 ".repeat(n - 1))).to_string();
    let count_rows = |text: String| {
        text.lines().filter(|line| line.starts_with("    X") || line.starts_with("    Q")).count()
    };
    assert_eq!([40, 41].map(judgement).map(count_rows), [40, 0]);
}

#[test]
fn each_placement_is_passed_to_the_caller() {
    let mut placements = Vec::new();
    let mut on_placement = |columns: &[u32]| placements.push(columns.to_vec());
    let question = question(queens(4), AnswerKind::All);
    judge(&mut "1 3 0 2\n1 1 1 1\n1 3 0\n".as_bytes(), &question, None, &mut on_placement).expect("boards");
    assert_eq!(placements, [[1, 3, 0, 2], [1, 1, 1, 1]]);
}

#[test]
fn illegal_board_is_printed_as_error_or_columns() {
    let boards = judge_all(4, "1 3 0 2\n1 3 0\n0 1 2 3\n1 3 0 'x'\n").illegal_examples;
    let texts: Vec<String> = boards.iter().map(IllegalBoard::to_string).collect();
    assert!(texts[0].contains("line 2") && texts[1] == "0 1 2 3", "{texts:?}");
    wording::assert_wording!("errors", "a board with a column too few", texts[0]);
}

/// The trace is longer than the lines that are examined at a time, and its last lines have the words of its first lines.
#[test]
fn illegal_board_after_long_trace_is_counted() {
    let boards = "1 3 0 2\n2 0 3 1\n";
    let trace = "Placing queen at (0, 1)\n".repeat(10_000);
    assert_eq!(judge_all(4, &format!("{boards}{trace}")).illegal_count, 0);
    for board in ["_*__\n*___\n__*_\n___*\n", "[0, 1, 2, 3]\n", "a1 b2 c3 d4\n"] {
        assert_eq!(judge_all(4, &format!("{boards}{trace}{board}")).illegal_count, 1, "{board}");
    }
}

#[test]
fn boards_of_another_size_are_skipped_and_counted() {
    let text = "1 3 0 2\n2 0 3 1\n1 3 5 0 2 4\n2 5 1 4 0 3\n3 0 4 1 5 2\n4 2 0 5 3 1\n";
    let report = judge_all(4, text);
    assert_eq!((report.board_count, report.distinct_count), (2, 2));
    assert_eq!(report.skipped_sizes, [SkippedSize { side: 6, board_count: 4, first_line: 3 }]);
}

#[test]
fn solution_beside_illegal_board_is_not_correct() {
    let judgement = judge_text("1 3 0 2\n2 0 3 1\n1 3 0 2 1 1 3 0\n", &question(queens(4), AnswerKind::All));
    assert!(judgement.map_or(true, |judgement| judgement.verdict() == SubmissionVerdict::Wrong));
}

#[test]
fn illegal_board_in_two_notations_counts_once() {
    let drawn_boards = ".Q..\n.Q..\nQ...\n..Q.\n";
    let report = judge_all(4, &format!("1 3 0 2\n2 0 3 1\n1 1 0 2\n\n{drawn_boards}"));
    assert_eq!((report.board_count, report.illegal_count, report.distinct_count), (3, 1, 2));
}

#[test]
fn dots_that_show_progress_are_not_a_row() {
    let boards = ".Q..\n...Q\nQ...\n..Q.\n\n..Q.\nQ...\n...Q\n.Q..\n\n";
    let question = question(queens(4), AnswerKind::All);
    let error = judge_text(&format!("{boards}....\n"), &question).expect_err("it may be a row");
    assert!(matches!(error, JudgeError::Doubtful { line: 11, .. }), "{error}");
    assert_eq!(judge_all(4, &format!("{boards}.Q..\n")).malformed_count, 1);
}
