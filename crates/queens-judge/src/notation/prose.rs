//! Lines that are not boards: prompts, sentences and repeated lines.

use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

use super::lines::Line;
use super::{excerpt, single_line};

/// The maximum number of bytes of prose that are stored from the beginning of a text, and from its end.
const MAX_PROSE: usize = 32 << 10;

/// The first and the last lines of a text that are not boards.
#[derive(Debug, Default)]
pub(super) struct Prose {
    first: Vec<(u64, String)>,
    last: VecDeque<(u64, String)>,
    bytes: [usize; 2],
}

impl Prose {
    pub fn push(&mut self, line: &Line) {
        let text = plaintext::decode(&line.text).into_owned();
        if text.trim().is_empty() {
            return;
        }
        if self.bytes[0] + text.len() <= MAX_PROSE {
            self.bytes[0] += text.len() + 1;
            return self.first.push((line.number, text));
        }
        self.bytes[0] = MAX_PROSE;
        self.bytes[1] += text.len() + 1;
        self.last.push_back((line.number, text));
        while self.bytes[1] > MAX_PROSE
            && let Some((_, text)) = self.last.pop_front()
        {
            self.bytes[1] -= text.len() + 1;
        }
    }

    pub fn lines(self) -> Vec<(u64, String)> {
        self.first.into_iter().chain(self.last).collect()
    }
}

/// The first line that may be a board, or else the first one: its number and its beginning, in quotes.
pub(super) fn nearest(lines: &[Line], n: usize) -> Option<(u64, String)> {
    let written = || lines.iter().filter(|line| !matches!(line.text.trim_ascii(), b"" | b"[]"));
    let line =
        written().find(|line| single_line::may_be_board(&line.text, n)).or_else(|| written().next())?;
    Some((line.number, format!("'{}'", excerpt(&line.text))))
}

/// Moves the text that follows a prompt on the first line (`N? 1 3 0 2`) to a separate line. A prefix that other lines share is a label,
/// not a prompt. If the text is the size of the board, the line is not divided, because the size does not belong to the board that follows.
pub(super) fn split_prompt(mut lines: Vec<Line>, n: usize) -> Vec<Line> {
    let Some(at) = lines.iter().position(|line| !line.text.trim_ascii().is_empty()) else { return lines };
    let line = &lines[at];
    let ends_prompt = |at: &usize| {
        let is_arrow = matches!(line.text[at.saturating_sub(1)..=*at], [b'-' | b'=', b'>']);
        matches!(line.text[*at..], [b':' | b'?' | b'>', b' ', ..]) && !is_arrow
    };
    let Some(end) = (0..line.text.len()).find(ends_prompt) else { return lines };
    let (prompt, answer) = line.text.split_at(end + 2);
    let letters =
        |text: &[u8]| text.iter().filter(|byte| byte.is_ascii_alphabetic()).copied().collect::<Vec<u8>>();
    let words = letters(prompt);
    let is_label = lines.iter().enumerate().any(|(other, line)| {
        let beginning = &line.text[..line.text.len().min(prompt.len() + 4)];
        other != at && !words.is_empty() && letters(beginning).starts_with(&words)
    });
    let is_failure = crate::statement::is_failure(&String::from_utf8_lossy(prompt));
    let is_size = n > 1 && answer.trim_ascii() == n.to_string().as_bytes();
    if is_label || is_failure || is_size || words.len() < 2 || answer.trim_ascii().is_empty() {
        return lines;
    }
    let prompt = Line { number: line.number, text: prompt.to_vec(), is_open: false };
    let answer = Line { number: line.number, text: answer.to_vec(), is_open: line.is_open };
    lines.splice(at..=at, [prompt, answer]);
    lines
}

/// A hash of a sentence that ignores its numbers. `None` if the line has no word of at least three letters, repeats a word, or has
/// at least `n` numbers, because it may then be a board.
pub(super) fn sentence(line: &[u8], n: usize) -> Option<u64> {
    let text = plaintext::decode(line);
    let mut words: Vec<&str> =
        text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()).collect();
    let numbers = text.split(|c: char| !c.is_ascii_digit()).filter(|digits| !digits.is_empty()).count();
    let has_word = words.iter().any(|word| word.chars().count() > 2);
    if !has_word || numbers >= n {
        return None;
    }
    let mut hasher = DefaultHasher::new();
    words.hash(&mut hasher);
    words.sort_unstable();
    let is_repeated = words.windows(2).any(|two| two[0] == two[1]);
    (!is_repeated).then(|| hasher.finish())
}

/// The maximum number of repetitions of a sentence among the lines that decide how a text is read.
const MAX_REPEATS: usize = 100;

/// Removes sentences that are repeated more than [`MAX_REPEATS`] times, such as the trace of a search.
pub(super) fn without_repeats(lines: &[Line], n: usize) -> Vec<Line> {
    let (mut counts, mut remaining) = (HashMap::new(), Vec::<Line>::new());
    for line in lines {
        let count = sentence(&line.text, n).map_or(0, |sentence| {
            let count = counts.entry(sentence).or_insert(0_usize);
            *count += 1;
            *count
        });
        if count <= MAX_REPEATS {
            remaining.push(line.clone());
        } else if remaining.last().is_some_and(|last| !last.is_break()) {
            remaining.push(Line::BREAK);
        }
    }
    remaining
}

/// Adds an empty line wherever line numbers are missing.
pub(super) fn separated(lines: Vec<Line>) -> Vec<Line> {
    let mut all: Vec<Line> = Vec::with_capacity(lines.len());
    for line in lines {
        if let Some(last) = all.last()
            && !last.is_break()
            && last.number + 1 < line.number
        {
            all.push(Line { number: last.number + 1, ..Line::default() });
        }
        all.push(line);
    }
    all
}
