//! Lines that are not boards: prompts, sentences and repeated lines.

use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

use super::lines::Line;
use super::{excerpt, single_line};

/// The maximum number of bytes of prose that are stored from the beginning of a text, and from its end.
const MAX_PROSE: usize = 32 << 10;

/// The first and the last lines of a text that are not boards, each with its number.
#[derive(Debug, Default)]
pub(super) struct Prose {
    first_lines: Vec<(u64, String)>,
    last_lines: VecDeque<(u64, String)>,
    /// The number of bytes of the first lines, and of the last lines.
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
            return self.first_lines.push((line.number, text));
        }
        self.bytes[0] = MAX_PROSE;
        self.bytes[1] += text.len() + 1;
        self.last_lines.push_back((line.number, text));
        while self.bytes[1] > MAX_PROSE
            && let Some((_, text)) = self.last_lines.pop_front()
        {
            self.bytes[1] -= text.len() + 1;
        }
    }

    pub fn lines(self) -> Vec<(u64, String)> {
        self.first_lines.into_iter().chain(self.last_lines).collect()
    }
}

/// The line that is most similar to a board: the first line that may be a board, or else the first line that is not empty.
/// Returns the number and the beginning of the line.
pub(super) fn closest_line(lines: &[Line], n: usize) -> Option<(u64, String)> {
    let nonempty = || lines.iter().filter(|line| !matches!(line.text.trim_ascii(), b"" | b"[]"));
    let line =
        nonempty().find(|line| single_line::may_be_board(&line.text, n)).or_else(|| nonempty().next())?;
    Some((line.number, excerpt(&line.text)))
}

/// Moves the text that follows a prompt on the first line (`N? 1 3 0 2`) to a separate line. A prefix that other lines share is a
/// label, not a prompt. If the text behind the prompt is the size of the board, the line is not divided.
pub(super) fn split_prompt(mut lines: Vec<Line>, n: usize) -> Vec<Line> {
    let Some(index) = lines.iter().position(|line| !line.text.trim_ascii().is_empty()) else { return lines };
    let line = &lines[index];
    let ends_prompt = |at: &usize| {
        let is_arrow = matches!(line.text[at.saturating_sub(1)..=*at], [b'-' | b'=', b'>']);
        matches!(line.text[*at..], [b':' | b'?' | b'>', b' ', ..]) && !is_arrow
    };
    let Some(end) = (0..line.text.len()).find(ends_prompt) else { return lines };
    let (prompt, text_behind) = line.text.split_at(end + 2);
    let letters =
        |text: &[u8]| text.iter().filter(|byte| byte.is_ascii_alphabetic()).copied().collect::<Vec<u8>>();
    let words = letters(prompt);
    let is_label = lines.iter().enumerate().any(|(other, line)| {
        let beginning = &line.text[..line.text.len().min(prompt.len() + 4)];
        other != index && !words.is_empty() && letters(beginning).starts_with(&words)
    });
    let is_failure = crate::statement::is_failure(&String::from_utf8_lossy(prompt));
    let is_size = n > 1 && text_behind.trim_ascii() == n.to_string().as_bytes();
    if is_label || is_failure || is_size || words.len() < 2 || text_behind.trim_ascii().is_empty() {
        return lines;
    }
    let prompt = Line { number: line.number, text: prompt.to_vec(), is_open: false };
    let behind_prompt = Line { number: line.number, text: text_behind.to_vec(), is_open: line.is_open };
    lines.splice(index..=index, [prompt, behind_prompt]);
    lines
}

/// A hash of the words of a sentence, without its numbers. The result is `None` if the line may be a board: if it has no word of
/// at least three letters, repeats a word, or has at least `n` numbers.
pub(super) fn sentence_hash(line: &[u8], n: usize) -> Option<u64> {
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

/// The maximum number of repetitions of a sentence among the lines from which the reading is chosen.
const MAX_REPEATS: usize = 100;

/// Removes sentences that are repeated more than [`MAX_REPEATS`] times, such as the trace of a search.
pub(super) fn without_repeats(lines: &[Line], n: usize) -> Vec<Line> {
    let (mut counts, mut remaining) = (HashMap::new(), Vec::<Line>::new());
    for line in lines {
        let count = sentence_hash(&line.text, n).map_or(0, |hash| {
            let count = counts.entry(hash).or_insert(0_usize);
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

/// Adds an empty line wherever line numbers are missing, because the lines before and behind the gap do not belong together.
pub(super) fn with_gaps(lines: Vec<Line>) -> Vec<Line> {
    let mut all_lines: Vec<Line> = Vec::with_capacity(lines.len());
    for line in lines {
        if let Some(last) = all_lines.last()
            && !last.is_break()
            && last.number + 1 < line.number
        {
            all_lines.push(Line { number: last.number + 1, ..Line::default() });
        }
        all_lines.push(line);
    }
    all_lines
}
