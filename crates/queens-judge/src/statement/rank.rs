//! Estimates from the words beside a number how certainly the number counts solutions.

use super::parts::Part;
use super::words::{CLASSES, ONE_SOLUTION, OTHERS, SIZES, SOLUTIONS, TOTALS, begins_with_any, is_unit};

/// How certainly a number counts solutions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    /// A number without a word.
    Bare,
    /// The second number of a row that begins with n.
    Row,
    /// A number of solutions up to symmetry.
    Classes,
    /// A number behind a word such as `total`.
    Total,
    /// A number beside a word for solutions.
    Solutions,
}

/// Whether the part `parts[index]` is the size of the board, as in `n = 8`, `8 queens` and `8x8`.
pub(super) fn is_size(parts: &[Part], index: usize) -> bool {
    let word = |index: usize| parts.get(index).and_then(Part::word).unwrap_or_default();
    let word_before = index.checked_sub(1).map_or("", word);
    let word_before_link = if index >= 2 && parts[index - 1] == Part::Link { word(index - 2) } else { "" };
    let word_behind = word(index + 1);
    word_before_link == "n"
        || matches!(word_before, "n" | "size" | "x")
        || begins_with_any(word_behind, SIZES)
        || matches!(word_behind, "x" | "by")
}

/// How certainly the number `parts[index]` counts solutions, according to the words beside it. `None` if it counts something else.
pub(super) fn rank(parts: &[Part], index: usize) -> Option<Rank> {
    if is_size(parts, index) {
        return None;
    }
    let words_behind: Vec<&str> = parts[index + 1..].iter().map_while(Part::word).take(5).collect();
    if words_behind.first().is_some_and(|word| is_unit(word)) {
        return None;
    }
    let is_word_for_solutions =
        |part: &Part| part.word().is_some_and(|word| begins_with_any(word, SOLUTIONS));
    // In `Solution 1   Solution 2`, the numbers are labels. In `92 solutions 91 solutions`, the numbers are counts.
    let first_word = parts.iter().position(is_word_for_solutions);
    let numbers_come_first = first_word.is_some_and(|place| place > 0 && parts[place - 1].number().is_some());
    if index > 0 && is_word_for_solutions(&parts[index - 1]) && !numbers_come_first {
        return None;
    }
    let is_class = |words: &[&str]| words.iter().any(|word| begins_with_any(word, CLASSES));
    if let Some(place) = words_behind.iter().position(|word| begins_with_any(word, SOLUTIONS)) {
        return Some(if is_class(&words_behind[..place]) { Rank::Classes } else { Rank::Solutions });
    }
    if is_class(&words_behind[..words_behind.len().min(3)]) {
        return Some(Rank::Classes);
    }
    if words_behind.first().is_some_and(|word| begins_with_any(word, OTHERS)) {
        return None;
    }
    // The words between the end of the previous clause and the number, in reverse order.
    let mut words_before: Vec<&str> = Vec::new();
    let mut is_linked = false;
    let mut has_only_links = true;
    for (place, part) in parts[..index].iter().enumerate().rev() {
        match part {
            Part::Link => is_linked |= has_only_links,
            Part::Word(word) => {
                if matches!(word.as_str(), "is" | "are" | "ist" | "son" | "est") && has_only_links {
                    is_linked = true;
                    continue;
                }
                has_only_links = false;
                words_before.push(word);
            }
            Part::Number(_) if words_before.is_empty() || is_size(parts, place) => {}
            Part::Stop if words_before.is_empty() => return None,
            Part::Number(_) | Part::OtherNumber | Part::Stop => break,
        }
    }
    let contains_any = |list: &[&str]| words_before.iter().any(|word| begins_with_any(word, list));
    if contains_any(OTHERS) && !contains_any(SOLUTIONS) {
        return None;
    }
    if is_linked && contains_any(SOLUTIONS) {
        let is_label =
            words_before.len() == 1 && ONE_SOLUTION.contains(&words_before[0]) && words_before[0].is_ascii();
        return (!is_label).then_some(if is_class(&words_before) { Rank::Classes } else { Rank::Solutions });
    }
    if is_linked && is_class(&words_before) {
        return Some(Rank::Classes);
    }
    let is_named =
        |word: Option<&&str>| word.is_some_and(|word| *word == "all" || begins_with_any(word, TOTALS));
    let is_total =
        is_named(words_before.first()) || contains_any(TOTALS) && is_linked || is_named(words_behind.first());
    is_total.then_some(Rank::Total)
}
