//! Notations. The first two bytes choose the board size and the notation, and the rest is the text. The boards must not depend on
//! the chunks in which the text arrives. The line number of each board must exist in the text. Boards that are written must be read
//! again.

use std::io::{BufRead, BufReader};
use std::ops::ControlFlow;

use queenlab::board::problem::Problem;
use queenlab::board::{BoardSize, Placement};
use queenlab::judge::notation::{Hints, Notation, Parsed, ParsedBoard, Writer, read};

/// The board size: the value of the byte as a digit `0` to `9` or `a` to `z`; the value of any other byte is its remainder modulo
/// 36.
pub fn board_size(byte: u8) -> usize {
    char::from(byte).to_digit(36).unwrap_or(u32::from(byte % 36)) as usize
}

/// The notation: `A` means none, `B` the first one, and so on.
pub fn notation(byte: u8) -> Option<Notation> {
    let index = usize::from(byte.wrapping_sub(b'A')) % (Notation::ALL.len() + 1);
    index.checked_sub(1).map(|index| Notation::ALL[index])
}

/// The boards of a text up to its first error, and this error.
pub fn boards(
    input: impl BufRead,
    n: usize,
    notation: Option<Notation>,
) -> Option<(Vec<Parsed>, Option<String>)> {
    let problem = Problem::queens(BoardSize::new(n).ok()?);
    let mut boards = Vec::new();
    let mut keep_board = |parsed| {
        boards.push(parsed);
        ControlFlow::Continue(())
    };
    let summary = read(input, &problem, Hints { notation, ..Hints::default() }, &mut keep_board).ok()?;
    Some((boards, summary.end.err().map(|error| error.to_string())))
}

pub fn check(bytes: &[u8]) {
    let &[side_byte, notation_byte, ref text @ ..] = bytes else { return };
    let (n, notation) = (board_size(side_byte).max(1), notation(notation_byte));
    let Some((parsed, error)) = boards(text, n, notation) else { return };
    let boards_in_pieces = boards(BufReader::with_capacity(3, text), n, notation);
    assert_eq!(boards_in_pieces, Some((parsed.clone(), error)), "the boards depend on the chunks");

    let lines = 1 + text.iter().filter(|&&byte| byte == b'\n').count() as u64;
    for Parsed { line, board, .. } in &parsed {
        assert!((1..=lines).contains(line), "line {line} of {lines}");
        match board {
            ParsedBoard::Placement(placement) => {
                let is_on_board = placement.columns().iter().all(|&column| (column as usize) < n);
                assert!(placement.size() == n && is_on_board, "{placement:?} on a board of size {n}");
            }
            ParsedBoard::Malformed { fault, .. } => assert!(!fault.is_empty()),
        }
    }
    let placements: Vec<&Placement> = parsed
        .iter()
        .filter_map(|board| match &board.board {
            ParsedBoard::Placement(placement) => Some(placement),
            ParsedBoard::Malformed { .. } => None,
        })
        .collect();
    for notation in Notation::ALL.into_iter().filter(|notation| notation.is_readable()) {
        assert_round_trips(&placements, n, notation);
    }
}

fn assert_round_trips(placements: &[&Placement], n: usize, notation: Notation) {
    assert!(n <= BoardSize::MAX);
    // A single drawn square may be read as the same board more than once.
    if n == 1 && !matches!(notation, Notation::Columns | Notation::Columns1) {
        return;
    }
    let Ok(mut writer) = Writer::new(Vec::new(), notation, n) else { return };
    for placement in placements {
        writer.solution(placement.columns()).expect("written to memory");
    }
    let text = writer.finish().expect("written to memory");
    let (parsed, error) = boards(text.as_slice(), n, Some(notation)).expect("a notation that is read");
    assert_eq!(error, None, "{notation}: {}", String::from_utf8_lossy(&text));
    let parsed_placements: Vec<&Placement> = parsed
        .iter()
        .filter_map(|board| match &board.board {
            ParsedBoard::Placement(placement) => Some(placement),
            ParsedBoard::Malformed { .. } => None,
        })
        .collect();
    assert_eq!(parsed_placements, placements, "{notation}: {}", String::from_utf8_lossy(&text));
    assert_eq!(parsed_placements.len(), parsed.len());
}
