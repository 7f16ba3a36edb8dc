use super::*;

fn report(n: usize, text: &str) -> Report {
    let question = Question { n: BoardSize::new(n).expect("small"), notation: None, goal: Goal::Enumerate };
    judge(&mut text.as_bytes(), &question).expect(text)
}

#[test]
fn the_first_duplicates_by_line_are_shown() {
    // Sorted by columns the last line comes first.
    let text = "2 0 3 1\n1 3 0 2\n2 0 3 1\n2 0 3 1\n1 3 0 2\n2 0 3 1\n1 3 0 2\n";
    let report = report(4, text);
    assert_eq!((report.duplicates, report.distinct, report.illegal), (5, 2, 0));
    let lines: Vec<(u64, u64)> =
        report.duplicates_shown.iter().map(|again| (again.line, again.first_line)).collect();
    assert_eq!(lines, [(3, 1), (4, 1), (5, 2)]);
    assert_eq!(report.verdict(), Verdict::Wrong);
}

#[test]
fn orders_are_told_apart() {
    let order = |text: &str| report(5, text).order;
    let (a, b, c) = ("0 2 4 1 3\n", "0 3 1 4 2\n", "1 3 0 2 4\n");
    assert_eq!(order(a), Order::None);
    assert_eq!(order(&format!("{a}{a}")), Order::None);
    assert_eq!(order(&format!("{a}{b}{b}{c}")), Order::Lexicographic);
    assert_eq!(order(&format!("{c}{b}{a}")), Order::Reversed);
    assert_eq!(order(&format!("{a}{c}{b}")), Order::Other);
}

#[test]
fn no_board_is_the_only_right_answer_for_2_and_3() {
    assert_eq!(
        [0, 1, 2, 3, 4].map(|n| report(n, "").verdict() == Verdict::Correct),
        [false, false, true, true, false]
    );
    assert_eq!(report(0, "\n").verdict(), Verdict::Correct);
    assert_eq!(report(1, "Q\n").verdict(), Verdict::Correct);
    assert_eq!(report(2, "Q .\n. Q\n").verdict(), Verdict::Wrong);
}

#[test]
fn boards_above_20_are_kept_whole() {
    // 0 2 4 ... 1 3 5 ... is a solution for n = 23 (n = 1 or 5 modulo 6).
    let board: Vec<String> = (0..23).map(|row| (2 * row % 23).to_string()).collect();
    let line = board.join(" ") + "\n";
    let report = report(23, &line.repeat(2));
    assert_eq!((report.boards, report.distinct, report.duplicates), (2, 1, 1));
    assert_eq!(report.duplicates_shown[0].board.columns()[..3], [0, 2, 4]);
    let missing = report.missing.expect("nearly all");
    assert_eq!(missing.solutions, Some(24_233_937_684_440 - 1));
}

/// Queens on one square do not attack each other: all pairs of a million would be looked at for hours.
#[test]
fn a_million_queens_on_one_square_are_judged_at_once() {
    let n = 400;
    let question =
        Question { n: BoardSize::new(n).expect("fits"), notation: Some(Notation::Dimacs), goal: Goal::First };
    let text = format!("v{} 2 0\n", " 1".repeat(1_000_000));
    let report = judge(&mut text.as_bytes(), &question).expect("a model");
    let (one, other) = (Square { row: 0, column: 0 }, Square { row: 0, column: 1 });
    assert_eq!((report.illegal, report.illegal_shown[0].attacks.clone()), (1, vec![]));
    assert_eq!(report.illegal_shown[0].queens.len(), n * n + 1);
    let few = judge(&mut &b"v 1 1 2 0\n"[..], &question).expect("a model");
    assert_eq!(few.illegal_shown[0].attacks, [(one, other)]);
}
