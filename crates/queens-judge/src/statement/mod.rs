//! Finds the number of solutions that a text states: a number alone on a line, a row of a table that begins with n, a number
//! beside a word for solutions, or the statement that there is no solution.
//!
//! Only denials and the words beside a number are examined, so that a sentence may be in many languages and contain any other
//! words.

mod denial;
mod parts;
mod rank;
#[cfg(test)]
mod tests;
mod words;

use denial::is_denial;
pub(super) use parts::fields;
use parts::{Part, parts, words_of};
use queens_board::number::counted;
use rank::{Rank, is_size, rank};
use words::{FAILURES, OTHERS, PROMPTS, SIZES, SOLUTIONS, TOTALS, begins_with_any, is_unit};

/// The numbers of solutions that a line states, each with its rank.
fn stated_counts(line: &str, n: usize) -> Vec<(Rank, u64)> {
    let parts = parts(line);
    let words = || parts.iter().filter_map(Part::word);
    if line.len() > 400 || words().any(|word| begins_with_any(word, FAILURES)) {
        return Vec::new();
    }
    let size = n as u64;
    if is_denial(line, &parts, n) {
        return vec![(Rank::Solutions, 0)];
    }
    if let Some((prompt, answer)) = line.rsplit_once([':', '?', '>'])
        && !prompt.contains(|c: char| c.is_ascii_digit())
        && is_question(prompt)
        && let Ok(value) = answer.trim().parse()
    {
        // The number may be the input of the user instead of an answer.
        return if value == size && n > 1 { Vec::new() } else { vec![(Rank::Bare, value)] };
    }
    let is_size = |index: usize| is_size(&parts, index);
    let is_time = |index: usize| parts.get(index + 1).and_then(Part::word).is_some_and(is_unit);
    let numbers = parts.iter().enumerate().filter_map(|(index, part)| Some((index, part.number()?)));
    let numbers: Vec<(usize, u64)> = numbers.collect();
    if numbers.iter().any(|&(index, value)| value != size && is_size(index)) {
        return Vec::new();
    }
    let mut candidates: Vec<(Rank, u64)> =
        numbers.iter().filter_map(|&(index, value)| Some((rank(&parts, index)?, value))).collect();
    // `12 unique of 92`
    if numbers.len() > candidates.len() && candidates.iter().all(|(rank, _)| *rank == Rank::Classes) {
        let is_possible_total = |&(index, value): &(usize, u64)| {
            rank(&parts, index).is_none() && value != size && !is_time(index)
        };
        if !candidates.is_empty() && numbers.iter().any(is_possible_total) {
            return Vec::new();
        }
    }
    let is_sentence_word = |word: &str| {
        !(begins_with_any(word, SIZES)
            || begins_with_any(word, TOTALS)
            || is_unit(word)
            || matches!(word, "n" | "q" | "in" | "is" | "are" | "time" | "a" | "val" | "it" | "int" | "ans"))
    };
    let is_table_row = candidates.is_empty()
        && !words().any(is_sentence_word)
        && !words().any(|word| begins_with_any(word, OTHERS));
    if is_table_row {
        let is_first = |index: usize| {
            parts[..index].iter().all(|part| !matches!(part, Part::Number(_) | Part::OtherNumber))
        };
        let second_number = numbers.get(1).filter(|(index, _)| !is_time(*index));
        match (numbers.first(), second_number) {
            (Some(&(index, first)), Some(&(_, count))) if first == size && is_first(index) => {
                candidates.push((Rank::Row, count))
            }
            (Some(&(index, value)), None) if is_first(index) && !is_size(index) && !is_time(index) => {
                let is_alone = !parts.contains(&Part::OtherNumber) && numbers.len() == 1;
                let is_named = words().next().is_some();
                let is_behind_link = index.checked_sub(1).is_some_and(|before| parts[before] == Part::Link);
                if is_alone && (!is_named || is_behind_link) {
                    candidates.push((Rank::Bare, value));
                }
            }
            _ => {}
        }
        // The language R prints `[1]` before the first element of a vector.
        if let [(_, 1), (_, value)] = numbers[..]
            && line.trim_start().starts_with("[1]")
        {
            candidates = vec![(Rank::Bare, value)];
        }
    }
    candidates
}

fn is_question(prompt: &str) -> bool {
    prompt.trim().is_empty()
        || parts(prompt)
            .iter()
            .any(|part| matches!(part, Part::Word(word) if word == "n" || begins_with_any(word, PROMPTS)))
}

/// Why a text does not state one number of solutions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StatementError {
    /// The text is longer than this number of bytes.
    #[error("the text is longer than {} KiB: print only the number", .0 >> 10)]
    TooLong(usize),
    /// The text states no number.
    #[error(
        "no number of solutions found{}: print the number alone on a line, or as '92 solutions'",
        first_line.as_ref().map_or(String::new(), |line| format!(" in '{line}'"))
    )]
    Missing {
        /// The beginning of the first line of the text; `None` if the text is empty.
        first_line: Option<String>,
    },
    /// The text states two different numbers of the same rank.
    #[error("line {line} states {}, but line {earlier_line} states {earlier_count}: print one number", counted(*count, "solution"))]
    Several {
        /// The number of a line, from 1.
        line: u64,
        /// The number of solutions that this line states.
        count: u64,
        /// The number of an earlier line, from 1. It may be the same line.
        earlier_line: u64,
        /// The number of solutions that the earlier line states.
        earlier_count: u64,
    },
}

/// The number of solutions that a text states. If there are several numbers, the rank decides.
///
/// # Errors
///
/// [`StatementError::Several`] if two different numbers have the highest rank.
pub(super) fn count(lines: &[(u64, String)], n: usize) -> Result<Option<u64>, StatementError> {
    let mut candidates: Vec<(Rank, u64, u64)> = Vec::new();
    let mut heading: Vec<String> = Vec::new();
    for (number, line) in lines {
        if let Some(value) = table_value(line, &heading, n) {
            candidates.push((Rank::Solutions, *number, value));
        } else {
            candidates.extend(stated_counts(line, n).into_iter().map(|(rank, value)| (rank, *number, value)));
        }
        if words_of(line).len() > 1 && parts(line).iter().all(|part| !matches!(part, Part::Number(_))) {
            heading = fields(line);
        }
    }
    let Some(best_rank) = candidates.iter().map(|(rank, ..)| *rank).max() else { return Ok(None) };
    let mut first_statement: Option<(u64, u64)> = None;
    for &(_, line, count) in candidates.iter().filter(|(rank, ..)| *rank == best_rank) {
        let (earlier_line, earlier_count) = *first_statement.get_or_insert((line, count));
        if count != earlier_count {
            return Err(StatementError::Several { line, count, earlier_line, earlier_count });
        }
    }
    Ok(first_statement.map(|(_, count)| count))
}

/// Whether a line has a word of error messages.
pub(super) fn is_failure(line: &str) -> bool {
    words_of(line).iter().any(|word| begins_with_any(word, FAILURES))
}

/// Whether a line has a word for solutions.
pub(super) fn is_about_solutions(line: &str) -> bool {
    words_of(line).iter().any(|word| begins_with_any(word, SOLUTIONS))
}

/// The number of solutions in the row of `n` of a table whose heading names its columns.
fn table_value(line: &str, heading: &[String], n: usize) -> Option<u64> {
    let row = fields(line);
    let heading: Vec<&String> =
        heading.iter().filter(|field| field.chars().any(char::is_alphabetic)).collect();
    let size: u64 = row.first()?.parse().ok()?;
    if heading.len() < 2 || row.len() < 2 || size != n as u64 {
        return None;
    }
    let begins_with_one_of =
        |list: &'static [&'static str]| move |field: &&String| begins_with_any(field, list);
    let column = heading
        .iter()
        .position(begins_with_one_of(&["total", "all", "count"]))
        .or_else(|| heading.iter().position(begins_with_one_of(SOLUTIONS)))?;
    let field = row.get(column)?;
    match parts(field)[..] {
        [Part::Number(value)] => Some(value),
        _ => None,
    }
}

/// The number of solutions that a text with boards states; `None` if the text states no number or different numbers.
pub(super) fn total(lines: &[(u64, String)], n: usize) -> Option<u64> {
    let counts = lines.iter().flat_map(|(_, line)| stated_counts(line, n));
    let is_total = |(rank, _): &(Rank, u64)| matches!(rank, Rank::Solutions | Rank::Total);
    // The number 0 is ignored, because a search often ends with a message such as `no more solutions`.
    let mut totals: Vec<u64> =
        counts.filter(is_total).map(|(_, count)| count).filter(|&count| count > 0).collect();
    totals.sort_unstable();
    totals.dedup();
    if let [total] = totals[..] { Some(total) } else { None }
}

/// Whether a text ends with a prompt.
pub(super) fn is_prompt(lines: &[(u64, String)]) -> bool {
    lines.last().is_some_and(|(_, line)| line.trim_end().ends_with([':', '?', '>']) && is_question(line))
}
