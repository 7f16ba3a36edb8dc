//! What a text without a board states about the number of solutions: a number alone on a line, `[]`, or a sentence such as
//! `Solution does not exist` or `92 solutions`.
//!
//! Every word of such a sentence must be known. `error: input file does not exist` contains unknown words, so it states
//! nothing about solutions.

use super::counted;

/// Words without a meaning of their own that a sentence may contain.
const WORDS: &str = "\
    a all an and any answer answers are arrangement arrangements be been board boards by can chessboard \
    count different distinct do does elapsed exactly exist exists for found have has in is it legal number numbers \
    n of on or place placed placement placements possible problem puzzle queen queens result results runtime size \
    so solution solutions sorry such taken the there this time to took total unique valid way ways with";

/// Words that a prompt may contain besides.
const PROMPTS: &str = "choose dimension enter give how input many please type value what your";

/// Negations; a sentence with two of them is not understood.
const DENIALS: &str = "no not none zero doesnt dont cannot cant isnt arent impossible unsolvable";

/// The words for the things that are counted or denied.
const SUBJECTS: &str = "\
    solution solutions answer answers arrangement arrangements placement placements way ways queens none \
    unsolvable";

/// Words that mark the following number as a count: `Total: 92`.
const COUNTS: &str = "solutions arrangements placements ways total count number";

const UNITS: &str = "s sec secs second seconds ms milliseconds us µs ns nanoseconds";

/// Whether a list of words, separated by blanks, contains a word.
fn contains(list: &str, word: &str) -> bool {
    list.split(' ').any(|other| other == word)
}

/// The number of solutions for `n` that a text states, if it states one; other lines are skipped. Two different
/// numbers are an error that names both.
pub(super) fn stated(text: &str, n: usize) -> Result<Option<u64>, String> {
    let mut first: Option<(usize, u64)> = None;
    for (number, line) in (1..).zip(text.lines()) {
        let Some(count) = count(line.trim(), n) else { continue };
        match *first.get_or_insert((number, count)) {
            (_, known) if known == count => {}
            (at, known) => {
                return Err(format!(
                    "line {number} states {}, but line {at} states {known}: print one number",
                    counted(count, "solution")
                ));
            }
        }
    }
    Ok(first.map(|(_, count)| count))
}

/// The number of solutions that a line states, perhaps behind a prompt.
fn count(line: &str, n: usize) -> Option<u64> {
    let number_or_sentence = |text: &str| text.parse().ok().or_else(|| sentence(text, n));
    if line.len() > 200 {
        return None;
    }
    let behind_prompt = || {
        let (prompt, answer) = line.rsplit_once(['?', '>', ':'])?;
        let asks = line[prompt.len()..].starts_with(['?', '>'])
            || words(prompt).any(|word| contains(PROMPTS, &word));
        let is_prompt = asks && words(prompt).all(|word| is_known(&word) || contains(PROMPTS, &word));
        if is_prompt { number_or_sentence(answer.trim()) } else { None }
    };
    number_or_sentence(line).or_else(behind_prompt)
}

/// The words of a text in small letters, without punctuation.
fn words(text: &str) -> impl Iterator<Item = String> {
    let text = text.to_lowercase().replace(['\'', '’'], "");
    let words = text.split(|c: char| c.is_whitespace() || ",;:=→()[]{}\"-#*>_".contains(c));
    let words: Vec<String> = words.map(|word| word.trim_matches(['.', '!', '?']).to_owned()).collect();
    words.into_iter().filter(|word| !word.is_empty())
}

fn is_known(word: &str) -> bool {
    contains(WORDS, word) || word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a text is only a label that may precede a board: `Solution 1:`.
pub(super) fn is_label(text: &str) -> bool {
    words(text).all(|word| is_known(&word))
}

/// The number that a sentence states, if it has no other content. `Solution 1` is a heading and states nothing; nor does
/// a sentence about another size.
fn sentence(text: &str, n: usize) -> Option<u64> {
    if matches!(text, "s UNSATISFIABLE" | "UNSATISFIABLE" | "UNSAT") {
        return Some(0);
    }
    if let Some(label) = text.strip_suffix(']').and_then(|text| text.trim_end().strip_suffix('[')) {
        return (!label.contains('[') && is_label(label)).then_some(0);
    }
    if text.contains('?') {
        return None;
    }
    let words: Vec<String> = words(text).collect();
    let is = |index: usize, list: &str| words.get(index).is_some_and(|word| contains(list, word));
    let is_time = |index: usize| {
        let number = words[index].trim_end_matches(char::is_alphabetic);
        let unit = &words[index][number.len()..];
        number.parse::<f64>().is_ok() && (contains(UNITS, unit) || unit.is_empty() && is(index + 1, UNITS))
    };
    let (mut denials, mut counts, mut sizes) = (0, Vec::new(), Vec::new());
    for (index, word) in words.iter().enumerate() {
        if contains(DENIALS, word) {
            denials += 1;
        } else if is_time(index) || index > 0 && is(index, UNITS) && is_time(index - 1) {
        } else if let Ok(number) = word.parse::<u64>() {
            let behind = index > 0 && is(index - 1, "n for size or and place on");
            if behind || is(index + 1, "queens queen") {
                sizes.push(number);
            } else {
                counts.push((index, number));
            }
        } else if !contains(WORDS, word) && *word != format!("{n}x{n}") {
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
            let is_counted = next.is_some_and(|next| is(next, SUBJECTS));
            let is_announced = (0..index).any(|before| is(before, COUNTS));
            (is_counted || is_announced).then_some(number)
        }
        _ => None,
    }
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
            assert_eq!(count(text, 3), Some(0), "{text}");
        }
        for text in [
            "92 solutions",
            "Found 92 solutions in 0.31 seconds",
            "Total: 92",
            "8 queens: 92 solutions",
            "There are 92 distinct solutions for n = 8",
            "Number of solutions for 8 queens = 92",
            "Total solutions -> 92",
            "92 solutions (took 0.000 s)",
            "Found 92 solutions (0.31s).",
            "Enter n: 92",
            "Board size? 92",
            "How many queens? Total: 92",
            "> 92 solutions",
            "92",
        ] {
            assert_eq!(count(text, 8), Some(92), "{text}");
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
            "error: 92",
            "s 92 solutions",
            "exit code: 0",
            "Solution: 1",
            "Is it 3?",
            "(took 0.000 s)",
        ] {
            assert_eq!(count(text, 3), None, "{text}");
        }
        assert_eq!(count("4 solutions for n = 6", 8), None);
        assert_eq!(count("92 solutions, 12 distinct", 8), None);
        // A longer line is no sentence.
        let padded = |length: usize| format!("92{}solutions", " ".repeat(length - 11));
        assert_eq!([200, 201].map(|length| count(&padded(length), 8)), [Some(92), None]);
    }
}
