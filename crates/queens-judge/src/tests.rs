use std::ops::ControlFlow;

use proptest::prelude::*;

use super::notation::Writer;
use super::*;
use queens_board::BoardSize;

fn plain(n: usize) -> Problem {
    Problem::queens(BoardSize::new(n).expect("a board size"))
}

/// Judges a text with a reference that finds no solutions.
fn judged(text: &str, question: &Question) -> Result<Judgement, JudgeError> {
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

fn report(n: usize, text: &str) -> Judgement {
    let question = Question {
        problem: plain(n),
        notation: None,
        symbols: Default::default(),
        answer_kind: AnswerKind::All,
    };
    judged(text, &question).expect(text)
}

#[test]
fn the_first_duplicates_by_line_are_shown() {
    // Sorted by columns, the last line comes first.
    let text = "2 0 3 1\n1 3 0 2\n2 0 3 1\n2 0 3 1\n1 3 0 2\n2 0 3 1\n1 3 0 2\n";
    let report = report(4, text);
    assert_eq!((report.duplicates, report.distinct, report.illegal), (5, 2, 0));
    let lines: Vec<(u64, u64)> =
        report.duplicates_shown.iter().map(|duplicate| (duplicate.line, duplicate.first_line)).collect();
    assert_eq!(lines, [(3, 1), (4, 1), (5, 2)]);
    assert_eq!(report.verdict(), SubmissionVerdict::Wrong);
}

#[test]
fn boards_above_20_are_stored_unpacked() {
    // 0 2 4 ... 1 3 5 ... is a solution for n = 23 (n = 1 or 5 modulo 6).
    let board: Vec<String> = (0..23).map(|row| (2 * row % 23).to_string()).collect();
    let line = board.join(" ") + "\n";
    let report = report(23, &line.repeat(2));
    assert_eq!((report.boards, report.distinct, report.duplicates), (2, 1, 1));
    assert_eq!(report.duplicates_shown[0].board.columns()[..3], [0, 2, 4]);
    let missing = report.missing.expect("nearly all");
    assert_eq!(missing.solutions, Some(24_233_937_684_440 - 1));
}

/// A literal that is repeated a million times is one queen: looking at all pairs of a million would take hours.
#[test]
fn repeated_literals_of_a_model_are_one_queen() {
    let question = Question {
        problem: plain(400),
        notation: Some(Notation::Dimacs),
        symbols: Default::default(),
        answer_kind: AnswerKind::One,
    };
    let text = format!("v{} 2 0\n", " 1".repeat(1_000_000));
    let report = judged(&text, &question).expect("a model");
    let (one, other) = (Square { row: 0, column: 0 }, Square { row: 0, column: 1 });
    let board = &report.illegal_shown[0];
    assert_eq!(
        (report.illegal, &board.queens[..], &board.attacks[..]),
        (1, &[one, other][..], &[(one, other)][..])
    );
}

fn printed(notation: Notation, n: usize, boards: &[Vec<u32>]) -> String {
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
    let question =
        Question { problem: plain(n), notation, symbols: Default::default(), answer_kind: AnswerKind::All };
    judged(text, &question).is_ok_and(|report| report.verdict() == SubmissionVerdict::Correct)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// A right print-out in each notation, of which a board is lost, changed, repeated or followed by one that is
    /// none, is never correct.
    #[test]
    fn no_print_out_with_a_fault_is_correct(
        n in 4..=6_usize,
        notation in proptest::sample::select(Notation::ALL.to_vec()),
        given in any::<bool>(),
        which in any::<proptest::sample::Index>(),
        row in any::<proptest::sample::Index>(),
        column in 0..6_u32,
        fault in 0..8_usize,
    ) {
        prop_assume!(notation.is_readable());
        let right = solutions(n);
        let hint = given.then_some(notation);
        prop_assert!(is_correct(&printed(notation, n, &right), n, hint), "{}", printed(notation, n, &right));
        let mut boards = right.clone();
        let (which, row) = (which.index(boards.len()), row.index(n));
        let list = |columns: &[u32], other: &str| {
            let mut words: Vec<String> = columns.iter().map(u32::to_string).collect();
            words[row] = other.to_owned();
            format!("[{}]\n", words.join(", "))
        };
        let mut behind = String::new();
        match fault {
            0 => drop(boards.remove(which)),
            1 => boards.push(right[which].clone()),
            2 => {
                let changed = (boards[which][row] + 1 + column % (n as u32 - 1)) % n as u32;
                boards[which][row] = changed;
            }
            3 => boards.insert(which, (0..n as u32).collect()),
            // Some malformed boards are not recognised as boards in any detected notation.
            _ if given => return Ok(()),
            4 => behind = list(&right[which], "None"),
            5 => behind = list(&right[which], "-1"),
            6 => behind = list(&right[which], &(n + 7).to_string()),
            _ => behind = list(&right[which], "x"),
        }
        let text = printed(notation, n, &boards) + &behind;
        prop_assert!(!is_correct(&text, n, hint), "{text}");
        let text = format!("{behind}\n{}", printed(notation, n, &boards));
        prop_assert!(!is_correct(&text, n, hint), "{text}");
    }
}

/// Finds solutions by trying every board.
struct Trying;

impl SolutionSource for Trying {
    fn enumerate(
        &self,
        problem: &Problem,
        show: &mut dyn FnMut(&[u32]) -> ControlFlow<()>,
    ) -> Option<&'static str> {
        let all = assignments(problem.n().get()).filter(|columns| problem.is_solution(columns));
        let mut all = all.map(|columns| show(&columns));
        if all.any(|flow| flow.is_break()) { None } else { Some("trying") }
    }

    fn decide(&self, problem: &Problem) -> Option<(bool, &'static str)> {
        let has_solution = assignments(problem.n().get()).any(|columns| problem.is_solution(&columns));
        Some((has_solution, "trying"))
    }
}

/// Judges the text of a program that was cut short.
fn judge_cut(
    text: &str,
    cut: Option<CutReason>,
    question: &Question,
    reference: &dyn SolutionSource,
) -> Result<Judgement, JudgeError> {
    judge_until(&mut text.as_bytes(), question, Some(reference), &mut |_| (), |_| Ok(cut))
}

/// The judgement in words, or why there is none.
fn judgement_text(
    n: usize,
    variant: &str,
    answer_kind: AnswerKind,
    text: &'static str,
    cut: Option<CutReason>,
) -> String {
    let problem = Problem::from_text(BoardSize::new(n).expect("small"), variant).expect(variant);
    let question = Question { problem, notation: None, symbols: Default::default(), answer_kind };
    let judgement = judge_cut(text, cut, &question, &Trying);
    judgement.map_or_else(|error| format!("{error}\n"), |judgement| judgement.to_string())
}

#[test]
fn first_line_has_the_verdict_and_its_reason() {
    use AnswerKind::{All, Count, One};
    let (correct, wrong, unreadable) = (Some("correct"), Some("wrong"), None);
    for (n, variant, answer_kind, text, verdict) in [
        (4, "queens", All, "1 3 0 2\n2 0 3 1\n", correct),
        (4, "queens", All, "1 3 0 2\n", wrong),
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

/// Asserts that the first line of a judgement begins with a verdict, or with none of them, and compares the line with its
/// section of the snapshots.
#[track_caller]
fn assert_verdict(key: &str, text: &str, verdict: Option<&str>) {
    let line = text.lines().next().expect("a line");
    let first = line.split_once(": ").map(|(word, _)| word);
    let verdicts = ["correct", "wrong", "unfinished", "unknown"];
    assert_eq!(first.filter(|word| verdicts.contains(word)), verdict, "{key}: {line}");
    wording::assert_wording!("first-lines", key, line);
}

#[test]
fn judgement_shows_the_first_boards_of_each_error() {
    let text = "1 3 0 2\n1 3 0 2\n1 3 0 2\n0 1 2 3\n0 2 0 0\n. Q . .\n1 3 0 3\n1 3 0 2\n1 3 0 2\n2 2 0 0\n";
    let listing = judgement_text(4, "queens", AnswerKind::All, text, None);
    let is_row = |line: &&str| !line.is_empty() && line.chars().all(|c| " .QX".contains(c));
    // 4 illegal boards, 4 that repeat, 1 that is missing: three of each kind are drawn.
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
    let three = judgement_text(4, "queens;forbid=1:0,2:3,3:1", AnswerKind::One, "2 0 3 1\n", None);
    assert_eq!(three.matches("must not").count(), 3, "{three}");
    wording::assert_wording!("judgements", "three forbidden squares", three);
    let placed = judgement_text(4, "queens;place=0:1,1:3", AnswerKind::One, "2 0 3 1\n", None);
    assert_eq!(placed.matches("must hold").count(), 2, "{placed}");
    wording::assert_wording!("judgements", "two placed queens", placed);
}

#[test]
fn missing_boards_are_counted_and_the_first_drawn() {
    let text = judgement_text(5, "queens", AnswerKind::All, "0 2 4 1 3\n", None);
    assert_eq!(text.matches('Q').count(), 3 * 5);
    wording::assert_wording!("judgements", "missing boards", text);
    let only = judgement_text(4, "queens;place=0:1", AnswerKind::All, "2 0 3 1\n", None);
    assert!(only.contains("\nmissing: 1\n  1 3 0 2\n"), "{only}");
    assert!(
        judgement_text(4, "queens", AnswerKind::One, "no solution", None).ends_with("exist\n\nmissing: 2\n")
    );
    let unknown = judgement_text(4, "queens;place=0:1", AnswerKind::One, "no solution", None);
    assert_eq!(unknown.lines().filter(|line| line.starts_with("missing: ")).count(), 1, "{unknown}");
    wording::assert_wording!("judgements", "an unknown number of missing boards", unknown);
}

/// A board that may be incomplete is left out; the boards before it, and a wrong number, still count.
#[test]
fn output_of_a_program_cut_short_is_judged() {
    let died = |exit_code, signal, message: Option<&str>| {
        Some(CutReason::Died { exit_code, signal, message: message.map(str::to_owned) })
    };
    let (all, whole) = (AnswerKind::All, "1 3 0 2\n2 0 3 1\n");
    for (answer_kind, text, cut, verdict) in [
        (all, "1 3 0 2\n1 3 0", Some(CutReason::Timeout(Duration::from_secs(2))), "unfinished"),
        (all, whole, died(Some(3), None, Some("x")), "unfinished"),
        (all, "1 3 0 2\n1 1 1 1\n2 0 3 1\n", died(None, Some(9), None), "wrong"),
        (all, whole, Some(CutReason::Boards(7)), "unfinished"),
        (all, whole, Some(CutReason::Text(3 << 20)), "unfinished"),
        (all, whole, Some(CutReason::Memory(5)), "unfinished"),
        (all, "hello\n", died(None, None, None), "unfinished"),
        (all, "9 solutions\n", died(None, None, None), "unfinished"),
        (AnswerKind::Count, "hello", died(None, None, None), "unfinished"),
        (AnswerKind::Count, "3", died(None, None, None), "wrong"),
        (AnswerKind::One, "", died(None, None, None), "unfinished"),
    ] {
        let key = format!("{answer_kind:?}: {text:?}, {cut:?}");
        let judgement = judgement_text(4, "queens", answer_kind, text, cut);
        assert!(
            judgement.starts_with(&format!("{verdict}: ")) && !judgement.contains("missing"),
            "{key}: {judgement}"
        );
        wording::assert_wording!("cut-short", &key, judgement);
    }
}

/// Of the solutions of 5 queens, only one of each class under some symmetries.
#[test]
fn a_pattern_in_the_missing_boards_is_found() {
    use queens_board::symmetry::{Symmetry, images};
    let groups: [(&[Symmetry], &str); 5] = [
        (&[Symmetry::ALL[0], Symmetry::LEFT_RIGHT], "left and right"),
        (&[Symmetry::ALL[0], Symmetry::TOP_BOTTOM], "top and bottom"),
        (&Symmetry::ROTATIONS[..2], "half turn"),
        (&Symmetry::ROTATIONS, "rotations"),
        (&Symmetry::ALL, "fundamental"),
    ];
    for (group, words) in groups {
        // Of each class any one, so that no other group fits.
        let key = |columns: &Vec<u32>| {
            (columns.iter().fold(0, |key, column| (2 * key + column) % 4), columns.clone())
        };
        let is_first = |columns: &Vec<u32>| images(columns, group).all(|image| key(columns) <= key(&image));
        let some: Vec<Vec<u32>> = solutions(5).into_iter().filter(is_first).collect();
        let missing = report_with(5, &printed(Notation::Columns, 5, &some)).missing.expect("not all");
        let pattern = missing.pattern.expect("a pattern").to_string();
        assert!(pattern.contains(words), "{pattern}");
        wording::assert_wording!("patterns", words, pattern);
        assert_eq!(missing.solutions, Some(10 - some.len() as u64));
        // A board too few follows no pattern, and neither does one too many.
        let fewer = report_with(5, &printed(Notation::Columns, 5, &some[1..])).missing.expect("not all");
        assert_eq!(fewer.pattern, None);
        let other = solutions(5).into_iter().find(|columns| !is_first(columns)).expect("not all");
        let more = report_with(5, &printed(Notation::Columns, 5, &[&some[..], &[other]].concat()));
        assert_eq!(more.missing.expect("not all").pattern, None);
    }
}

#[test]
fn message_states_given_notation_without_advice() {
    let given = |n, text: &str| {
        let question = Question {
            problem: plain(n),
            notation: Some(Notation::Columns),
            symbols: Default::default(),
            answer_kind: AnswerKind::All,
        };
        judged(text, &question).expect(text).to_string()
    };
    let illegal = given(4, "1 3 0 3\n");
    assert!(
        illegal.contains("\nnotation   columns (given)\n") && !illegal.contains("--notation"),
        "{illegal}"
    );
    assert!(!given(3, "no solution\n").contains("notation"));
}

#[test]
fn text_beyond_64_mib_without_board_is_refused() {
    let blank = format!("{}\n", " ".repeat(1 << 16)).repeat(1026);
    assert_eq!(report(4, &format!("1 3 0 2\n{blank}")).cut, Some(CutReason::Text(64 << 20)));
    let question = Question {
        problem: plain(4),
        notation: None,
        symbols: Default::default(),
        answer_kind: AnswerKind::All,
    };
    let error = judged(&blank, &question).expect_err("no board").to_string();
    assert!(error.contains("64 MiB"), "{error}");
    wording::assert_wording!("errors", "64 MiB without a board", error);
}

/// Published numbers of solutions are used, and so is the theorem that plain queens have solutions on every larger board.
#[test]
fn published_number_is_not_computed_by_a_reference() {
    struct Denies;
    impl SolutionSource for Denies {
        fn enumerate(
            &self,
            _: &Problem,
            _: &mut dyn FnMut(&[u32]) -> ControlFlow<()>,
        ) -> Option<&'static str> {
            Some("denies")
        }
        fn decide(&self, _: &Problem) -> Option<(bool, &'static str)> {
            Some((false, "denies"))
        }
    }
    let verdict = |n, variant: &str, answer_kind, text: &'static str, cut: Option<CutReason>| {
        let problem = Problem::from_text(BoardSize::new(n).expect("small"), variant).expect(variant);
        let question = Question { problem, notation: None, symbols: Default::default(), answer_kind };
        judge_cut(text, cut, &question, &Denies).expect(text).verdict()
    };
    let died = || Some(CutReason::Died { exit_code: None, signal: None, message: None });
    for (n, variant, answer_kind, text, cut, expected) in [
        (29, "queens", AnswerKind::Count, "5", None, SubmissionVerdict::Unknown),
        (6, "queens", AnswerKind::Count, "4", None, SubmissionVerdict::Correct),
        (6, "toroidal", AnswerKind::Count, "0", None, SubmissionVerdict::Correct),
        (4, "queens;place=0:1", AnswerKind::Count, "1", None, SubmissionVerdict::Wrong),
        (4, "queens;place=0:1", AnswerKind::Count, "1", died(), SubmissionVerdict::Unfinished),
        (29, "queens", AnswerKind::One, "no solution", None, SubmissionVerdict::Wrong),
        (5, "toroidal", AnswerKind::One, "no solution", None, SubmissionVerdict::Wrong),
        (4, "queens;place=0:1", AnswerKind::One, "no solution", None, SubmissionVerdict::Correct),
        (4, "queens;place=0:1", AnswerKind::One, "no solution", died(), SubmissionVerdict::Unfinished),
        (4, "queens;place=0:1", AnswerKind::One, "1 3 0 2", None, SubmissionVerdict::Correct),
    ] {
        assert_eq!(
            verdict(n, variant, answer_kind, text, cut),
            expected,
            "{n} {variant} {answer_kind:?} {text}"
        );
    }
}

/// A line that may be a board makes the text unreadable unless the verdict is certain without it.
#[test]
fn error_names_the_line_that_may_be_board() {
    let (all, one) = (AnswerKind::All, AnswerKind::One);
    let died = || Some(CutReason::Died { exit_code: None, signal: None, message: None });
    for (answer_kind, text, cut, verdict) in [
        (all, "Trying 0 2 1 3\n1 3 0 2\n2 0 3 1\n", None, None),
        (all, "Trying 0 2 1 3\n1 3 0 2\n", None, None),
        (all, "Trying 0 2 1 3\n1 3 0 2\n", died(), Some("unfinished")),
        (all, "Trying 0 2 1 3\n1 3 0 2\n2 0 3 1\n1 1 1 1\n", None, None),
        (all, "Trying 0 2 1 3\n1 3 0 2\n1 1 1 1\n2 0 3 1\n", died(), None),
        (one, "Trying 0 2 1 3\n1 3 0 2\n", None, Some("correct")),
    ] {
        let key = format!("{answer_kind:?}: {text:?}, {cut:?}");
        let judgement = judgement_text(4, "queens", answer_kind, text, cut);
        assert_verdict(&key, &judgement, verdict);
        assert_eq!(judgement.contains("line 1: 'Trying 0 2 1 3'"), verdict.is_none(), "{judgement}");
    }
    let question = Question {
        problem: plain(4),
        notation: None,
        symbols: Default::default(),
        answer_kind: AnswerKind::All,
    };
    let unsearched = judge(&mut &b"Trying 0 2 1 3\n1 3 0 2\n"[..], &question, None, &mut |_| ());
    assert!(unsearched.expect_err("a board is missing").to_string().contains("'Trying 0 2 1 3'"));
}

#[test]
fn malformed_boards_are_counted_as_illegal() {
    let faulty_boards = |text| {
        let report = report(4, text);
        (report.boards, report.illegal, report.malformed)
    };
    assert_eq!(faulty_boards("1 3 0 2\n1 3 0\n0 1 2 3\n1 3 0 4\n"), (4, 3, 2));
    // Queens outside the board attack none on it, even in the same column or on the same diagonal.
    let outside = report(4, "1 3 0 2\n1 3 0 2 1\n1 3 0 4\n").illegal_shown;
    assert!(outside.len() == 2 && outside.iter().all(|board| board.attacks.is_empty()), "{outside:?}");
    // Of the 15 pairs that attack each other.
    assert_eq!(report(6, "0 0 0 0 0 0\n").illegal_shown[0].attacks.len(), 12);
    // The end of a text that is whole.
    assert_eq!(faulty_boards("1 3 0 2\n1 3 0"), (2, 1, 1));
}

/// The last line may be incomplete without a line end, but not the boards before its last one.
#[test]
fn faulty_boards_on_open_line_are_all_counted() {
    let faulty = report(4, "[[0, 0, 2, 3], [1, 1, 3, 3], [1, 3, 0, 2], [2, 0, 3, 1]]");
    assert_eq!((faulty.boards, faulty.illegal, faulty.distinct), (4, 2, 2));
}

/// A pattern is reported only if at least two boards are missing, and only with symmetries of the problem.
#[test]
fn pattern_needs_two_missing_boards_and_symmetry() {
    let pattern = |n, variant: &str, text: &str| {
        let problem = Problem::from_text(BoardSize::new(n).expect("small"), variant).expect(variant);
        let question =
            Question { problem, notation: None, symbols: Default::default(), answer_kind: AnswerKind::All };
        let judgement = judge(&mut text.as_bytes(), &question, Some(&Trying), &mut |_| ()).expect(text);
        judgement.missing.expect("not all").pattern.map(|pattern| pattern.to_string())
    };
    let mirrored = pattern(6, "queens", "1 3 5 0 2 4\n2 5 1 4 0 3\n");
    assert!(mirrored.is_some_and(|text| text.contains("left and right")));
    assert_eq!(pattern(4, "queens", "1 3 0 2\n"), None);
    // Half of the 8 solutions, none of which is the mirror image of another; some mirror images are forbidden.
    let half = "1 3 0 2 4\n1 4 2 0 3\n2 0 3 1 4\n4 1 3 0 2\n";
    assert_eq!(pattern(5, "queens;forbid=0:0", half), None);
}

fn report_with(n: usize, text: &str) -> Judgement {
    let question = Question {
        problem: plain(n),
        notation: None,
        symbols: Default::default(),
        answer_kind: AnswerKind::All,
    };
    judge(&mut text.as_bytes(), &question, Some(&Trying), &mut |_| ()).expect(text)
}

/// The board 0 2 4 ... 1 3 5 ..., a solution for n = 1 or 5 modulo 6.
fn knights(n: usize) -> String {
    let board: Vec<String> = (0..n).map(|row| (2 * row % n).to_string()).collect();
    board.join(" ") + "\n"
}

#[test]
fn uncertain_verdicts_are_unknown() {
    let (all, one, count) = (AnswerKind::All, AnswerKind::One, AnswerKind::Count);
    for (n, variant, answer_kind, text, verdict) in [
        (29, "queens", all, knights(29), "unknown"),
        (29, "queens", one, knights(29), "correct"),
        (29, "queens", count, "5\n".to_owned(), "unknown"),
        (4, "queens;forbid=0:0", all, "1 3 0 2\n".to_owned(), "unknown"),
        (4, "queens;forbid=0:0", one, "no solution\n".to_owned(), "unknown"),
        (4, "queens;forbid=0:0", count, "2\n".to_owned(), "unknown"),
        (29, "queens", one, "no solution\n".to_owned(), "wrong"),
    ] {
        let problem = Problem::from_text(BoardSize::new(n).expect("small"), variant).expect(variant);
        let question = Question { problem, notation: None, symbols: Default::default(), answer_kind };
        let judgement = judged(&text, &question).expect("readable").to_string();
        let key =
            format!("without a reference: n = {n}, {variant}, {answer_kind:?}: {:?}", text.lines().next());
        assert_verdict(&key, &judgement, Some(verdict));
    }
}

/// A002562: 1, 0, 0, 1, 2 and 1 solutions up to symmetry.
#[test]
fn fundamental_solutions_are_counted_from_any_boards() {
    for (n, classes) in (1..).zip([1, 0, 0, 1, 2, 1]) {
        let all = solutions(n);
        let text = if all.is_empty() { "no solution\n".to_owned() } else { printed(Notation::Json, n, &all) };
        assert_eq!(report_with(n, &text).fundamental, Some(classes), "n = {n}");
        let twice = format!("{text}{text}");
        assert_eq!(report_with(n, &twice).fundamental, Some(classes), "n = {n}, twice");
        let question = Question {
            problem: plain(n),
            notation: None,
            symbols: Default::default(),
            answer_kind: AnswerKind::All,
        };
        let cut = Some(CutReason::Timeout(Duration::from_secs(1)));
        let judgement = judge_cut(&text, cut, &question, &Trying);
        assert_eq!(judgement.expect("boards").fundamental, Some(classes), "n = {n}, cut short");
    }
    let cut_short = |variant: &str, text: &'static str| {
        let problem = Problem::from_text(BoardSize::new(5).expect("small"), variant).expect(variant);
        let question =
            Question { problem, notation: None, symbols: Default::default(), answer_kind: AnswerKind::All };
        let cut = Some(CutReason::Timeout(Duration::from_secs(1)));
        judge_cut(text, cut, &question, &Trying).expect("boards").fundamental
    };
    assert_eq!(cut_short("queens", "0 2 4 1 3\n0 3 1 4 2\n1 4 2 0 3\n"), Some(2));
    assert_eq!(cut_short("toroidal", "0 2 4 1 3\n"), None);
}

#[test]
fn excess_boards_and_bytes_are_not_read() {
    let boards = |count| report(4, &"1 3 0 2\n".repeat(count));
    assert_eq!((boards(1000).boards, boards(1000).cut), (1000, None));
    assert_eq!((boards(1001).boards, boards(1001).cut), (1000, Some(CutReason::Boards(1000))));
    // Twice the 724 solutions of 10 queens, also where some of them are forbidden.
    let restricted = Problem::from_text(BoardSize::new(10).expect("small"), "queens;forbid=9:9");
    let question = Question {
        problem: restricted.expect("a problem"),
        notation: None,
        symbols: Default::default(),
        answer_kind: AnswerKind::All,
    };
    let cut = |count| judged(&"0 2 5 7 9 4 8 1 3 6\n".repeat(count), &question).expect("boards").cut;
    assert_eq!([1448, 1449].map(cut), [None, Some(CutReason::Boards(1448))]);
    let question = Question {
        problem: plain(4),
        notation: None,
        symbols: Default::default(),
        answer_kind: AnswerKind::Count,
    };
    let padded = |length: usize| "2 solutions\n".to_owned() + &" ".repeat(length - 12);
    assert_eq!(judged(&padded(1 << 16), &question).expect("a count").stated, Some(2));
    let error = judged(&padded((1 << 16) + 1), &question).expect_err("too long").to_string();
    assert!(error.contains("64 KiB"), "{error}");
    wording::assert_wording!("errors", "a count in a long text", error);
}

#[test]
fn boards_up_to_40_are_drawn() {
    let drawn = |n: usize| report(n, &format!("{}0\n", "0 ".repeat(n - 1))).to_string();
    let rows = |text: String| {
        text.lines().filter(|line| line.starts_with("    X") || line.starts_with("    Q")).count()
    };
    assert_eq!([40, 41].map(drawn).map(rows), [40, 0]);
    let mut passed = Vec::new();
    let question = Question {
        problem: plain(4),
        notation: None,
        symbols: Default::default(),
        answer_kind: AnswerKind::All,
    };
    let mut each = |columns: &[u32]| passed.push(columns.to_vec());
    judge(&mut "1 3 0 2\n1 1 1 1\n1 3 0\n".as_bytes(), &question, None, &mut each).expect("boards");
    assert_eq!(passed, [[1, 3, 0, 2], [1, 1, 1, 1]]);
}

#[test]
fn board_as_text_has_its_error_or_columns() {
    let illegal = report(4, "1 3 0 2\n1 3 0\n0 1 2 3\n1 3 0 'x'\n").illegal_shown;
    let texts: Vec<String> = illegal.iter().map(Illegal::to_string).collect();
    assert!(texts[0].contains("line 2") && texts[1] == "0 1 2 3", "{texts:?}");
    wording::assert_wording!("errors", "a board with a column too few", texts[0]);
}

/// The trace is longer than what is offered to other readings at a time, and has the words of earlier lines.
#[test]
fn illegal_board_after_long_trace_is_counted() {
    let boards = "1 3 0 2\n2 0 3 1\n";
    let trace = "Placing queen at (0, 1)\n".repeat(10_000);
    assert_eq!(report(4, &format!("{boards}{trace}")).illegal, 0);
    for board in ["_*__\n*___\n__*_\n___*\n", "[0, 1, 2, 3]\n", "a1 b2 c3 d4\n"] {
        assert_eq!(report(4, &format!("{boards}{trace}{board}")).illegal, 1, "{board}");
    }
}

#[test]
fn lines_of_another_size_are_skipped_and_counted() {
    let text = "1 3 0 2\n2 0 3 1\n1 3 5 0 2 4\n2 5 1 4 0 3\n3 0 4 1 5 2\n4 2 0 5 3 1\n";
    let report = report(4, text);
    assert_eq!((report.boards, report.distinct, &report.skipped[..]), (2, 2, &[(6, 4, 3)][..]));
}

#[test]
fn board_beside_a_faulty_one_is_not_correct() {
    let question = Question {
        problem: plain(4),
        notation: None,
        symbols: Default::default(),
        answer_kind: AnswerKind::All,
    };
    let judgement = judged("1 3 0 2\n2 0 3 1\n1 3 0 2 1 1 3 0\n", &question);
    assert!(judgement.map_or(true, |judgement| judgement.verdict() == SubmissionVerdict::Wrong));
}

#[test]
fn illegal_board_in_two_notations_counts_once() {
    let drawn = ".Q..\n.Q..\nQ...\n..Q.\n";
    let report = report(4, &format!("1 3 0 2\n2 0 3 1\n1 1 0 2\n\n{drawn}"));
    assert_eq!((report.boards, report.illegal, report.distinct), (3, 1, 2));
}

#[test]
fn dots_that_show_progress_are_not_a_row() {
    let boards = ".Q..\n...Q\nQ...\n..Q.\n\n..Q.\nQ...\n...Q\n.Q..\n\n";
    let question = Question {
        problem: plain(4),
        notation: None,
        symbols: Symbols::default(),
        answer_kind: AnswerKind::All,
    };
    let error = judged(&format!("{boards}....\n"), &question).expect_err("perhaps a row");
    assert!(matches!(error, JudgeError::Doubtful { line: 11, .. }), "{error}");
    assert_eq!(report(4, &format!("{boards}.Q..\n")).malformed, 1);
}
