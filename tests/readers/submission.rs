//! Submissions. The first two bytes choose the question, and the rest is the text. The report must agree with a judge that keeps
//! all boards in a set and knows only the definition of a solution.

use std::collections::HashSet;

use queenlab::board::problem::Problem;
use queenlab::board::{BoardSize, published};
use queenlab::judge::notation::{Parsed, ParsedBoard, Symbols};
use queenlab::judge::{AnswerKind, JudgeError, Judgement, Question, SubmissionVerdict};
use queenlab::submission::judge_text;

use super::notation::{board_size, boards, notation};

/// The maximum board size. Listing all solutions of larger boards would take too long.
const MAX_SIZE: usize = 8;

/// The maximum number of illegal, repeated and missing boards in a report.
const MAX_EXAMPLES: usize = 3;

pub fn check(bytes: &[u8]) {
    let &[side_byte, notation_byte, ref text @ ..] = bytes else { return };
    let n = (board_size(side_byte) % (MAX_SIZE + 1)).max(1);
    let size = BoardSize::new(n).expect("a small board");
    // A capital letter asks for all solutions in its notation, and the small letter for one.
    let asks_for_one = notation_byte.is_ascii_lowercase();
    let answer_kind = if asks_for_one { AnswerKind::One } else { AnswerKind::All };
    let question = Question {
        problem: Problem::queens(size),
        notation: notation(notation_byte.to_ascii_uppercase()),
        symbols: Symbols::default(),
        answer_kind,
    };
    let parsed = boards(text, n, question.notation);
    match judge_text(&mut &*text, &question) {
        Ok(report) => {
            assert!(!report.to_string().is_empty());
            let (parsed, _) = parsed.expect("a notation that is read");
            if asks_for_one {
                first_board(&report, &parsed);
            } else if report.cut_reason.is_none() {
                all_boards(&report, &parsed);
            }
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            let is_unreadable = |(_, error): (Vec<Parsed>, Option<String>)| error.is_some();
            let is_answer = !matches!(error, JudgeError::EmptyText | JudgeError::Doubtful { .. });
            assert!(
                !is_answer || parsed.is_none_or(is_unreadable),
                "the text is unreadable, although all boards were read"
            );
        }
    }
}

/// Whether there is one queen in each row and no two attack each other: they have different columns, and their distances in rows
/// and columns differ.
fn is_legal(board: &ParsedBoard) -> bool {
    let ParsedBoard::Placement(placement) = board else { return false };
    let columns = placement.columns();
    (0..columns.len()).all(|row| {
        (0..row).all(|above| {
            let distance = columns[row].abs_diff(columns[above]);
            distance != 0 && distance as usize != row - above
        })
    })
}

fn first_board(report: &Judgement, parsed: &[Parsed]) {
    let is_first_legal = parsed.first().map(|parsed| is_legal(&parsed.board));
    let is_correct = is_first_legal.unwrap_or(published::solutions(report.n()) == Some(0));
    assert_eq!(report.verdict() == SubmissionVerdict::Correct, is_correct, "{report}");
    assert_eq!(report.board_count, u64::from(is_first_legal.is_some()));
}

fn all_boards(report: &Judgement, parsed: &[Parsed]) {
    let legal_boards: Vec<&ParsedBoard> =
        parsed.iter().map(|parsed| &parsed.board).filter(|board| is_legal(board)).collect();
    let distinct_boards: HashSet<&[u32]> = legal_boards
        .iter()
        .filter_map(|board| match board {
            ParsedBoard::Placement(placement) => Some(placement.columns()),
            ParsedBoard::Malformed { .. } => None,
        })
        .collect();
    let count = |number: usize| number as u64;
    let expected = published::solutions(report.n()).expect("published");
    assert_eq!(report.board_count, count(parsed.len()), "{report}");
    assert_eq!(report.illegal_count, count(parsed.len() - legal_boards.len()), "{report}");
    assert_eq!(report.duplicate_count, count(legal_boards.len() - distinct_boards.len()), "{report}");
    assert_eq!(report.distinct_count, count(distinct_boards.len()), "{report}");
    let missing_count = expected - count(distinct_boards.len());
    let reported_count = report.missing.as_ref().map_or(0, |missing| missing.count.expect("published"));
    assert_eq!(reported_count, missing_count, "{report}");
    let is_correct = missing_count == 0 && parsed.len() == distinct_boards.len();
    assert_eq!(
        report.verdict(),
        if is_correct { SubmissionVerdict::Correct } else { SubmissionVerdict::Wrong },
        "{report}"
    );

    assert_eq!(report.illegal_examples.len(), (parsed.len() - legal_boards.len()).min(MAX_EXAMPLES));
    assert_eq!(
        report.duplicate_examples.len(),
        (legal_boards.len() - distinct_boards.len()).min(MAX_EXAMPLES)
    );
    for duplicate in &report.duplicate_examples {
        let board = ParsedBoard::Placement(duplicate.board.clone());
        let is_printed_at = |line| parsed.iter().any(|parsed| parsed.line == line && parsed.board == board);
        assert!(duplicate.first_line <= duplicate.line, "{report}");
        assert!(is_printed_at(duplicate.line) && is_printed_at(duplicate.first_line), "{report}");
    }
    let examples = report.missing.iter().flat_map(|missing| &missing.examples);
    for board in examples.clone() {
        assert!(is_legal(&ParsedBoard::Placement(board.clone())) && board.size() == report.n(), "{report}");
        assert!(
            !distinct_boards.contains(board.columns()),
            "a printed board is reported as missing: {report}"
        );
    }
    assert!(missing_count == 0 || examples.count() > 0, "{report}");
}
