//! Checks how much of an unreadable input is read, and prints the speed of reading.

use std::io::{self, BufRead, Read};
use std::time::Instant;

use fastrand::Rng;
use queens_board::BoardSize;
use queens_board::problem::Problem;
use queens_judge::notation::Symbols;
use queens_judge::{AnswerKind, Question, judge};

use super::boards::solutions;
use super::judged::{Outcome, outcome_of};

/// The maximum number of bytes of a binary input that are read, in addition to one buffer.
const MAX_BINARY_BYTES: usize = 64 << 10;

const BUFFER: usize = 4 << 10;

/// A source that counts the bytes that are consumed.
struct CountingSource<'a> {
    unread: &'a [u8],
    consumed: usize,
}

impl Read for CountingSource<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for CountingSource<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        Ok(&self.unread[..self.unread.len().min(BUFFER)])
    }

    fn consume(&mut self, count: usize) {
        self.unread = &self.unread[count..];
        self.consumed += count;
    }
}

#[track_caller]
fn assert_refused_early(bytes: &[u8], what: &str) {
    for answer_kind in [AnswerKind::All, AnswerKind::One, AnswerKind::Count] {
        let mut source = CountingSource { unread: bytes, consumed: 0 };
        assert_eq!(outcome_of(&mut source, 8, answer_kind), Outcome::Unreadable, "{what}");
        assert!(source.consumed <= MAX_BINARY_BYTES + BUFFER, "{what}: {} bytes", source.consumed);
    }
}

#[test]
fn random_bytes_are_refused_within_64_kib() {
    let mut rng = Rng::with_seed(64);
    let random_bytes: Vec<u8> = (0..2 << 20).map(|_| rng.u8(..)).collect();
    assert_refused_early(&random_bytes, "random bytes");
    let without_lines: Vec<u8> = random_bytes.iter().copied().filter(|&byte| byte != b'\n').collect();
    assert_refused_early(&without_lines, "random bytes without a line feed");
    assert_refused_early(&vec![0; 2 << 20], "zero bytes");
    assert_refused_early("\x1b[31m".repeat(1 << 18).as_bytes(), "colours without a text");
}

#[test]
fn executable_is_refused_within_64_kib() {
    let path = std::env::current_exe().expect("the path of this test");
    assert_refused_early(&std::fs::read(path).expect("a readable file"), "an executable");
}

/// A board with lines around each square.
fn framed_board(columns: &[usize], corner: &str, horizontal: &str, side: &str, queen: &str) -> String {
    let rule = corner.to_owned() + &(horizontal.repeat(3) + corner).repeat(columns.len()) + "\n";
    let mut text = rule.clone();
    for &queen_column in columns {
        for column in 0..columns.len() {
            let symbol = if column == queen_column { queen } else { " " };
            text += &format!("{side} {symbol} ");
        }
        text += &format!("{side}\n{rule}");
    }
    text + "\n"
}

/// Prints the times for reading three texts: `cargo test --release -p queens-judge --test layouts -- --ignored --nocapture`. On
/// an idle machine, the first text takes less than 1 s. The second is read with at least 10 MB/s, and the third with at least 50
/// MB/s.
#[test]
#[ignore = "prints times, which depend on the machine"]
#[allow(clippy::disallowed_methods, reason = "it prints how long reading takes")]
fn speed_of_reading_is_printed() {
    let line = |columns: &Vec<usize>| {
        let words: Vec<String> = columns.iter().map(usize::to_string).collect();
        words.join(" ") + "\n"
    };
    let ascii_boards: String =
        solutions(12).iter().map(|board| framed_board(board, "+", "-", "|", "Q")).collect();
    let unicode_boards: String =
        solutions(12).iter().map(|board| framed_board(board, "┼", "─", "│", "♛")).collect();
    let columns: String = solutions(14).iter().map(line).collect();
    for (name, n, text) in [
        ("framed, ASCII", 12, ascii_boards),
        ("framed, Unicode", 12, unicode_boards),
        ("columns", 14, columns),
    ] {
        let problem = Problem::queens(BoardSize::new(n).expect("a board size"));
        let question =
            Question { problem, notation: None, symbols: Symbols::default(), answer_kind: AnswerKind::All };
        let start = Instant::now();
        let judgement = judge(&mut text.as_bytes(), &question, None, &mut |_| ()).expect("boards");
        let seconds = start.elapsed().as_secs_f64();
        let megabytes = text.len() as f64 / 1e6;
        println!(
            "{name}, n = {n}: {} boards, {megabytes:.1} MB, {seconds:.2} s, {:.1} MB/s, {:?}",
            judgement.board_count,
            megabytes / seconds,
            judgement.verdict()
        );
    }
}
