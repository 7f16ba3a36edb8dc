//! Sentences that state the number of solutions: `Solution does not exist`, `92 solutions`, `[]`.
//!
//! Every word of such a sentence must be known. `error: input file does not exist` contains unknown words, so
//! it states nothing about solutions.

/// Whether a list of words, separated by blanks, contains a word.
fn contains(list: &str, word: &str) -> bool {
    list.split(' ').any(|other| other == word)
}

/// Words without a meaning of their own that a sentence may contain.
const WORDS: &str = "\
    a all an and any answer answers are arrangement arrangements be been board boards by can chessboard \
    count different distinct do does exactly exist exists for found have has in is it legal number numbers \
    n of on or place placed placement placements possible problem puzzle queen queens result results size \
    so solution solutions sorry such the there this to total unique valid way ways with";

/// Negations; a sentence with two of them is not understood.
const DENIALS: &str = "no not none zero doesnt dont cannot cant isnt arent impossible unsolvable";

/// The words for the things that are counted or denied.
const SUBJECTS: &str = "\
    solution solutions answer answers arrangement arrangements placement placements way ways queens none \
    unsolvable";

/// Words that mark the following number as a count: `Total: 92`.
const COUNTS: &str = "solutions arrangements placements ways total count number";

/// Returns the number of solutions for `n` that a text states, if it is a single sentence with no other
/// content.
///
/// `Solution 1` is a heading and states nothing; nor does a sentence about another size.
pub fn stated_count(text: &str, n: usize) -> Option<u64> {
    if matches!(text, "s UNSATISFIABLE" | "UNSATISFIABLE" | "UNSAT") {
        return Some(0);
    }
    if let Some(label) = text.strip_suffix(']').and_then(|text| text.trim_end().strip_suffix('[')) {
        return (!label.contains('[') && is_label(label)).then_some(0);
    }
    // Stops at the first word of prose, however long the text is.
    if text.len() > 200 || text.contains('?') {
        return None;
    }
    let text = before_time(text).to_lowercase().replace(['\'', '’'], "");
    let words: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || ".,;:!=()\"-#*>".contains(c))
        .filter(|word| !word.is_empty())
        .collect();
    let is = |index: usize, list: &str| words.get(index).is_some_and(|word| contains(list, word));
    let (mut denials, mut counts, mut sizes) = (0, Vec::new(), Vec::new());
    for (index, &word) in words.iter().enumerate() {
        if contains(DENIALS, word) {
            denials += 1;
        } else if let Ok(number) = word.parse::<u64>() {
            let behind = index > 0 && is(index - 1, "n for size or and place on");
            if behind || is(index + 1, "queens queen") {
                sizes.push(number);
            } else {
                counts.push((index, number));
            }
        } else if !contains(WORDS, word) && word != format!("{n}x{n}") {
            return None;
        }
    }
    if !sizes.is_empty() && !sizes.contains(&(n as u64)) {
        return None;
    }
    let about = words.iter().any(|word| contains(SUBJECTS, word));
    match (denials, &counts[..]) {
        (1, [] | [(_, 0)]) if about => Some(0),
        (0, &[(index, number)]) => {
            let adjectives = "different distinct unique valid legal possible such all";
            let next = (index + 1..words.len()).find(|&next| !is(next, adjectives));
            let counted = next.is_some_and(|next| is(next, SUBJECTS));
            let announced = (0..index).any(|before| is(before, COUNTS));
            (counted || announced).then_some(number)
        }
        _ => None,
    }
}

/// Removes `in 0.31 seconds` from the end of the sentence.
fn before_time(text: &str) -> &str {
    let Some((sentence, time)) = text.rsplit_once(" in ") else { return text };
    let unit = time.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.').trim_matches([' ', '.']);
    const UNITS: &str = "s sec secs second seconds ms milliseconds us µs ns nanoseconds";
    let is_time = time.starts_with(|c: char| c.is_ascii_digit()) && contains(UNITS, unit);
    if is_time { sentence } else { text }
}

/// Whether a text is only a label that may precede a board: `Solution 1:`.
pub(super) fn is_label(text: &str) -> bool {
    let text = text.to_lowercase();
    let mut words = text
        .split(|c: char| c.is_whitespace() || ".,;:=()[]{}\"'-#>→_".contains(c))
        .filter(|word| !word.is_empty());
    words.all(|word| contains(WORDS, word) || word.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_of_known_words_says_how_many() {
        for text in [
            "Solution does not exist",
            "No solution possible",
            "no solutions found.",
            "There is no solution for n = 3",
            "[]",
            "Solutions: []",
            "solutions = [ ]",
            "0 solutions",
            "Number of solutions: 0",
            "s UNSATISFIABLE",
            "There are no solutions for n = 2 or 3",
            "It is not possible to place 3 queens on a 3x3 board",
            "Solution doesn't exist!",
            "No solution in 0.1 ms",
            "Solutions found: none",
        ] {
            assert_eq!(stated_count(text, 3), Some(0), "{text}");
        }
        for text in [
            "92 solutions",
            "Found 92 solutions in 0.31 seconds",
            "Total: 92",
            "8 queens: 92 solutions",
            "There are 92 distinct solutions for n = 8",
            "Number of solutions for 8 queens = 92",
            "Total solutions -> 92",
        ] {
            assert_eq!(stated_count(text, 8), Some(92), "{text}");
        }
    }

    #[test]
    fn a_sentence_with_another_word_says_nothing() {
        for text in [
            "error: input file does not exist",
            "does not exist",
            "error []",
            "error: no solution",
            "could not open []",
            "no solution found yet",
            "no more solutions",
            "Is there no solution?",
            "not no solution",
            "No solution for n = 7",
            "Solution 1",
            "Solution #3",
            "n = 3",
            "3 queens",
            "main(String[]",
            "[[]",
            "",
            "Warning: no solutions were written, the disk is full",
            "not found",
            "There is no board file",
        ] {
            assert_eq!(stated_count(text, 3), None, "{text}");
        }
        assert_eq!(stated_count("4 solutions for n = 6", 8), None);
        assert_eq!(stated_count("92 solutions, 12 distinct", 8), None);
    }
}
