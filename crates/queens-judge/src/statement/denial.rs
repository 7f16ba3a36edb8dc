//! Recognises sentences that state that there is no solution.

use super::parts::{Part, words_of};
use super::rank::{is_size, rank};
use super::words::{DENIALS, DENYING_LINES, IMPOSSIBLE, POSSIBLE, SOLUTIONS, begins_with_any};

/// Whether a line says that there is no solution for `n`.
pub(super) fn is_denial(line: &str, parts: &[Part], n: usize) -> bool {
    let text = line.trim().trim_matches(|c: char| "=-*.!\"' \t".contains(c)).to_lowercase();
    if line.trim() == "-1" || DENYING_LINES.contains(&text.as_str()) {
        return true;
    }
    if let Some(label) = text.strip_suffix(']').and_then(|text| text.trim_end().strip_suffix('[')) {
        return !label.contains('[') && words_of(label).iter().all(|word| begins_with_any(word, SOLUTIONS));
    }
    let words: Vec<&str> = parts.iter().filter_map(Part::word).collect();
    let numbers: Vec<u64> = parts.iter().filter_map(Part::number).collect();
    // `N must be at least 4`
    let is_bound = words.contains(&"must") && numbers.iter().any(|&bound| bound > n as u64);
    if is_bound {
        return true;
    }
    let text_after_prompt = line.rsplit_once(['?', '>']).map_or(line, |(_, text)| text);
    if text_after_prompt.trim().is_empty() || words.len() > 16 {
        return false;
    }
    let is_restriction =
        |word: &&str| matches!(*word, "yet" | "more" | "other" | "further" | "was" | "were" | "written");
    // In Chinese, Japanese and Korean, a word of denial may be a part of a longer run of letters, because blanks do not separate
    // words.
    let is_denying_word = |word: &&&str| {
        DENIALS.contains(word)
            || ["无", "無", "없", "なし", "没有"].iter().any(|denial| word.contains(denial))
    };
    let denials = words.iter().filter(is_denying_word).count();
    let is_impossible = words.iter().any(|word| begins_with_any(word, IMPOSSIBLE));
    let is_about_solutions = words.iter().any(|word| {
        begins_with_any(word, SOLUTIONS) || word.contains('解') || begins_with_any(word, POSSIBLE)
    });
    let has_number = |predicate: &dyn Fn(usize, u64) -> bool| {
        parts
            .iter()
            .enumerate()
            .any(|(position, part)| part.number().is_some_and(|value| predicate(position, value)))
    };
    let size = n as u64;
    let names_other_size = || !numbers.contains(&size) && has_number(&|position, _| is_size(parts, position));
    let states_number = || has_number(&|position, value| value > 0 && rank(parts, position).is_some());
    (is_impossible && denials == 0 || denials == 1 && is_about_solutions)
        && !words.iter().any(is_restriction)
        && !names_other_size()
        && !states_number()
}
