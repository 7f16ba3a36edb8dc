use std::ops::ControlFlow;

use proptest::prelude::*;

use super::notation::Writer;
use super::*;
use queens_board::BoardSize;

fn plain(n: usize) -> Problem {
    Problem::queens(BoardSize::new(n).expect("a board size"))
}

/// Judged with a reference that knows nothing.
fn judged(text: &str, question: &Question) -> Result<Judgement, JudgeError> {
    struct Nobody;
    impl Reference for Nobody {
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
    judge(&mut text.as_bytes(), question, Some(&Nobody), &mut |_| ())
}

fn report(n: usize, text: &str) -> Judgement {
    let question = Question { problem: plain(n), notation: None, asks: Asks::All };
    judged(text, &question).expect(text)
}

#[test]
fn the_first_duplicates_by_line_are_shown() {
    // Sorted by columns, the last line comes first.
    let text = "2 0 3 1\n1 3 0 2\n2 0 3 1\n2 0 3 1\n1 3 0 2\n2 0 3 1\n1 3 0 2\n";
    let report = report(4, text);
    assert_eq!((report.duplicates, report.distinct, report.illegal), (5, 2, 0));
    let lines: Vec<(u64, u64)> =
        report.duplicates_shown.iter().map(|again| (again.line, again.first_line)).collect();
    assert_eq!(lines, [(3, 1), (4, 1), (5, 2)]);
    assert_eq!(report.verdict(), Verdict::Wrong);
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

/// Queens on the same square do not attack each other: looking at all pairs of a million would take hours.
#[test]
fn a_million_queens_on_one_square_are_judged_at_once() {
    let n = 400;
    let question = Question { problem: plain(n), notation: Some(Notation::Dimacs), asks: Asks::One };
    let text = format!("v{} 2 0\n", " 1".repeat(1_000_000));
    let report = judged(&text, &question).expect("a model");
    let (one, other) = (Square { row: 0, column: 0 }, Square { row: 0, column: 1 });
    assert_eq!((report.illegal, report.illegal_shown[0].attacks.clone()), (1, vec![]));
    assert_eq!(report.illegal_shown[0].queens.len(), n * n + 1);
    let few = judged("v 1 1 2 0\n", &question).expect("a model");
    assert_eq!(few.illegal_shown[0].attacks, [(one, other)]);
}

fn printed(notation: Notation, n: usize, boards: &[Vec<u32>]) -> String {
    let mut writer = Writer::new(Vec::new(), notation, n).expect("the size fits");
    for columns in boards {
        writer.solution(columns).expect("written to memory");
    }
    String::from_utf8(writer.finish().expect("written to memory")).expect("UTF-8")
}

fn solutions(n: usize) -> Vec<Vec<u32>> {
    let codes = 0..n.pow(n as u32);
    let board =
        |code: usize| -> Vec<u32> { (0..n).map(|row| (code / n.pow(row as u32) % n) as u32).collect() };
    codes.map(board).filter(|columns| queens_board::is_solution(columns)).collect()
}

/// Whether the verdict is correct; an unreadable text is not.
fn is_correct(text: &str, n: usize, notation: Option<Notation>) -> bool {
    let question = Question { problem: plain(n), notation, asks: Asks::All };
    judged(text, &question).is_ok_and(|report| report.verdict() == Verdict::Correct)
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
        let asked = given.then_some(notation);
        prop_assert!(is_correct(&printed(notation, n, &right), n, asked), "{}", printed(notation, n, &right));
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
        prop_assert!(!is_correct(&text, n, asked), "{text}");
        let text = format!("{behind}\n{}", printed(notation, n, &boards));
        prop_assert!(!is_correct(&text, n, asked), "{text}");
    }
}
