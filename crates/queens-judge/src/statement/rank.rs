//! Estimates from the words beside a number how certainly the number counts solutions.

use super::parts::Part;
use super::words::{CLASSES, ONE_SOLUTION, OTHERS, SIZES, SOLUTIONS, TOTALS, begins, is_unit};

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

/// Whether the part with index `at` is the size of the board, as in `n = 8`, `8 queens` and `8x8`.
pub(super) fn is_size(parts: &[Part], at: usize) -> bool {
    let word = |at: usize| parts.get(at).and_then(Part::word).unwrap_or_default();
    let before = at.checked_sub(1).map_or("", word);
    let before_link = if at >= 2 && parts[at - 1] == Part::Link { word(at - 2) } else { "" };
    let behind = word(at + 1);
    before_link == "n"
        || matches!(before, "n" | "size" | "x")
        || begins(behind, SIZES)
        || matches!(behind, "x" | "by")
}

/// How certainly the number with index `at` counts solutions, according to the words beside it. `None` if it counts something else.
pub(super) fn rank(parts: &[Part], at: usize) -> Option<Rank> {
    if is_size(parts, at) {
        return None;
    }
    let behind: Vec<&str> = parts[at + 1..].iter().map_while(Part::word).take(5).collect();
    if behind.first().is_some_and(|word| is_unit(word)) {
        return None;
    }
    let is_word_for_solutions = |part: &Part| part.word().is_some_and(|word| begins(word, SOLUTIONS));
    // In `Solution 1   Solution 2`, the numbers are labels. In `92 solutions 91 solutions`, the numbers are counts.
    let first_word = parts.iter().position(is_word_for_solutions);
    let numbers_come_first = first_word.is_some_and(|place| place > 0 && parts[place - 1].number().is_some());
    if at > 0 && is_word_for_solutions(&parts[at - 1]) && !numbers_come_first {
        return None;
    }
    let is_class = |words: &[&str]| words.iter().any(|word| begins(word, CLASSES));
    if let Some(place) = behind.iter().position(|word| begins(word, SOLUTIONS)) {
        return Some(if is_class(&behind[..place]) { Rank::Classes } else { Rank::Solutions });
    }
    if is_class(&behind[..behind.len().min(3)]) {
        return Some(Rank::Classes);
    }
    if behind.first().is_some_and(|word| begins(word, OTHERS)) {
        return None;
    }
    // The words between the end of the previous clause and the number, in reverse order.
    let mut before: Vec<&str> = Vec::new();
    let mut is_linked = false;
    let mut only_links = true;
    for (place, part) in parts[..at].iter().enumerate().rev() {
        match part {
            Part::Link => is_linked |= only_links,
            Part::Word(word) => {
                if matches!(word.as_str(), "is" | "are" | "ist" | "son" | "est") && only_links {
                    is_linked = true;
                    continue;
                }
                only_links = false;
                before.push(word);
            }
            Part::Number(_) if before.is_empty() || is_size(parts, place) => {}
            Part::Stop if before.is_empty() => return None,
            Part::Number(_) | Part::OtherNumber | Part::Stop => break,
        }
    }
    let has = |list: &[&str]| before.iter().any(|word| begins(word, list));
    if has(OTHERS) && !has(SOLUTIONS) {
        return None;
    }
    if is_linked && has(SOLUTIONS) {
        let is_label = before.len() == 1 && ONE_SOLUTION.contains(&before[0]) && before[0].is_ascii();
        return (!is_label).then_some(if is_class(&before) { Rank::Classes } else { Rank::Solutions });
    }
    if is_linked && is_class(&before) {
        return Some(Rank::Classes);
    }
    let is_named = |word: Option<&&str>| word.is_some_and(|word| *word == "all" || begins(word, TOTALS));
    let is_total = is_named(before.first()) || has(TOTALS) && is_linked || is_named(behind.first());
    is_total.then_some(Rank::Total)
}
