//! What a text states about the number of solutions: a number alone on a line, a row of a table that begins with n, or a number
//! beside a word for solutions; or that there is none.
//!
//! A sentence may be in any language and have any other words: only the words beside a number, and denials, are looked at.

use super::notation::ascii_digit;
use queens_board::number::counted;

/// Beginnings of words for solutions.
const SOLUTIONS: &[&str] = &[
    "solu", "soln", "sols", "lösung", "loesung", "losung", "реше", "розв", "rozwi", "oploss", "løsning",
    "lösning", "ratkais", "çözüm", "řešen", "placem", "arrang", "way", "config", "models", "answers",
    "maneras", "formas", "解", "해", "방법",
];

/// Of these, words for a single solution: a number behind them is a label.
const ONE_SOLUTION: &[&str] = &["solution", "soluzione"];

/// Beginnings of words that announce a total.
const TOTALS: &[&str] =
    &["total", "count", "sum", "result", "gesamt", "insges", "всего", "итого", "found", "合計", "总数", "共"];

/// Beginnings of words for solutions up to symmetry.
const CLASSES: &[&str] = &["unique", "fundam", "inequiv", "essent", "primit", "symmetr", "basic"];

/// Beginnings of words for what else is counted or named by a number.
const OTHERS: &[&str] = &[
    "node", "knoten", "backtr", "step", "schritt", "iterat", "call", "conflict", "recurs", "attempt",
    "version", "line", "error", "exit", "code", "depth", "level", "thread", "row", "column", "byte",
    "solver", "check", "test",
];

/// Beginnings of words of messages about something else: their lines state nothing.
const FAILURES: &[&str] = &[
    "error", "exit", "except", "traceb", "warning", "fault", "fail", "usage", "killed", "abort", "panic",
    "file", "direct", "command", "parse", "fehler", "erreur",
];

/// Words that deny; a sentence with two of them is not understood.
const DENIALS: &[&str] = &[
    "no", "not", "none", "zero", "doesnt", "dont", "cannot", "cant", "isnt", "arent", "kein", "keine",
    "keinen", "nicht", "ningún", "ninguna", "aucune", "aucun", "pas", "nessuna", "nessun", "não", "nenhuma",
    "нет", "brak", "geen", "无", "無", "なし", "ない", "없", "没有", "yok", "tidak", "unable", "не",
];

/// Lines that deny.
const DENYING_LINES: &[&str] = &[
    "no",
    "none",
    "false",
    "null",
    "nil",
    "[]",
    "[ ]",
    "()",
    "{}",
    "unsat",
    "unsatisfiable",
    "s unsatisfiable",
    "not possible",
];

/// Beginnings of words that are a denial alone or of anything.
const IMPOSSIBLE: &[&str] = &["impossi", "unsat", "unsolv", "infeas", "unmögl", "imposib"];

/// Beginnings of what a denial may be about, besides solutions.
const POSSIBLE: &[&str] = &["possible", "möglich", "posible", "существ", "place"];

/// Units, which stand behind a number that counts no solutions.
const UNITS: &[&str] = &["s", "ms", "us", "µs", "μs", "ns", "kb", "mb", "mib", "x", "%", "msec"];

/// Beginnings of names of units.
const LONG_UNITS: &[&str] = &["sec", "sek", "seg", "milli", "milis", "min"];

/// Beginnings of words of questions to the user, besides `n`.
const PROMPTS: &[&str] =
    &["enter", "input", "how", "please", "bitte", "introduc", "ingrese", "введ", "type", "give", "size"];

/// Beginnings of words for queens.
const SIZES: &[&str] = &["queen", "damen", "reinas", "dames", "reines", "regine", "rainhas", "ферз"];

fn is_unit(word: &str) -> bool {
    UNITS.contains(&word) || begins(word, LONG_UNITS)
}

/// A part of a line.
#[derive(Clone, Debug, PartialEq)]
enum Part {
    Number(u64),
    /// A decimal fraction, a negative number, or a number of something in hexadecimal.
    Fraction,
    Word(String),
    /// `:`, `=` or an arrow.
    Link,
    /// A comma, a bracket or another sign that ends a clause.
    Stop,
}

impl Part {
    fn word(&self) -> Option<&str> {
        if let Self::Word(word) = self { Some(word) } else { None }
    }

    fn number(&self) -> Option<u64> {
        if let Self::Number(value) = self { Some(*value) } else { None }
    }
}

fn parts(line: &str) -> Vec<Part> {
    let characters: Vec<char> = line.to_lowercase().replace('\'', "’").chars().map(ascii_digit).collect();
    let mut parts = Vec::new();
    let mut at = 0;
    let at_digit = |at: usize| characters.get(at).is_some_and(char::is_ascii_digit);
    while let Some(&c) = characters.get(at) {
        if c.is_ascii_digit() {
            let (part, end) = number(&characters, at);
            parts.push(part);
            // Python writes `92L`, JavaScript `92n`.
            let is_suffix = matches!(characters.get(end), Some('l' | 'n'))
                && !characters.get(end + 1).is_some_and(|c| c.is_alphanumeric());
            at = end + usize::from(is_suffix);
        } else if c.is_alphabetic() || c == '%' {
            let is_ideograph = |c: char| c >= '\u{2E80}';
            let length = characters[at..]
                .iter()
                .take_while(|&&other| {
                    (other.is_alphabetic() || other == '’' || other == '%')
                        && is_ideograph(other) == is_ideograph(c)
                })
                .count();
            let word: String = characters[at..at + length].iter().filter(|c| **c != '’').collect();
            parts.push(Part::Word(word));
            at += length;
        } else {
            let is_arrow = matches!(c, '-' | '=') && characters.get(at + 1) == Some(&'>');
            let is_minus = c == '-'
                && at_digit(at + 1)
                && at.checked_sub(1).is_none_or(|before| characters[before].is_whitespace());
            if is_minus {
                let (_, end) = number(&characters, at + 1);
                parts.push(Part::Fraction);
                at = end;
                continue;
            }
            match c {
                ':' | '=' | '→' | '：' => parts.push(Part::Link),
                _ if is_arrow => parts.push(Part::Link),
                ',' | ';' | '(' | ')' | '.' | '|' | '[' | ']' | '{' | '}' | '?' | '，' | '。' => {
                    parts.push(Part::Stop)
                }
                _ => {}
            }
            at += if is_arrow { 2 } else { 1 };
        }
    }
    parts
}

/// The number at a place, with separators of thousands, and its end.
fn number(characters: &[char], at: usize) -> (Part, usize) {
    let run = |from: usize| {
        characters[from.min(characters.len())..].iter().take_while(|c| c.is_ascii_digit()).count()
    };
    let first = run(at);
    let mut end = at + first;
    let mut digits: String = characters[at..end].iter().collect();
    let mut separator = None;
    while let Some(&c) = characters.get(end) {
        let is_group =
            run(end + 1) == 3 && first <= 3 && digits != "0" && separator.is_none_or(|other| other == c);
        let is_counted = || {
            // Dots and blanks separate thousands only before a word for solutions.
            let mut groups = end;
            while characters.get(groups) == Some(&c) && run(groups + 1) == 3 {
                groups += 4;
            }
            let rest: String = characters[groups.min(characters.len())..].iter().collect();
            let word = rest.trim_start().split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
            begins(word, SOLUTIONS)
        };
        let is_separator =
            matches!(c, ',' | '_' | '’') || matches!(c, '.' | ' ' | '\u{a0}' | '\u{202f}') && is_counted();
        if !(is_group && is_separator) {
            break;
        }
        separator = Some(c);
        digits.extend(&characters[end + 1..end + 4]);
        end += 4;
    }
    let is_fraction = characters.get(end) == Some(&'.') && run(end + 1) > 0;
    let is_power = matches!(characters.get(end), Some('e' | 'x')) && run(end + 1) > 0 && digits != "0";
    if is_fraction || is_power && characters[end] == 'e' || digits == "0" && characters.get(end) == Some(&'x')
    {
        end += 1;
        end += characters[end..].iter().take_while(|c| c.is_ascii_alphanumeric()).count();
        // `8x8` is a size, `1.5` is not a number of anything.
        return (Part::Fraction, end);
    }
    (digits.parse().map_or(Part::Fraction, Part::Number), end)
}

fn begins(word: &str, list: &[&str]) -> bool {
    list.iter().any(|beginning| word.starts_with(beginning))
}

/// How sure it is that a number counts solutions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// A number without a word.
    Bare,
    /// The second number of a row that begins with n.
    Row,
    /// Solutions up to symmetry.
    Classes,
    /// Behind `total`.
    Total,
    /// Beside a word for solutions.
    Solutions,
}

/// The numbers of solutions that a line states.
fn statements(line: &str, n: usize) -> Vec<(Rank, u64)> {
    let parts = parts(line);
    let words = || parts.iter().filter_map(Part::word);
    if line.len() > 400 || words().any(|word| begins(word, FAILURES)) {
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
        // The input may be a part of the output.
        return if value == size && n > 1 { Vec::new() } else { vec![(Rank::Bare, value)] };
    }
    let is_size = |at: usize| is_size(&parts, at);
    let is_time = |at: usize| parts.get(at + 1).and_then(Part::word).is_some_and(is_unit);
    let numbers = parts.iter().enumerate().filter_map(|(at, part)| Some((at, part.number()?)));
    let numbers: Vec<(usize, u64)> = numbers.collect();
    if numbers.iter().any(|&(at, value)| value != size && is_size(at)) {
        return Vec::new();
    }
    let mut candidates: Vec<(Rank, u64)> =
        numbers.iter().filter_map(|&(at, value)| Some((rank(&parts, at)?, value))).collect();
    // `12 unique of 92`
    if numbers.len() > candidates.len() && candidates.iter().all(|(rank, _)| *rank == Rank::Classes) {
        let is_other =
            |&(at, value): &(usize, u64)| rank(&parts, at).is_none() && value != size && !is_time(at);
        if !candidates.is_empty() && numbers.iter().any(is_other) {
            return Vec::new();
        }
    }
    let is_strange = |word: &str| {
        !(begins(word, SIZES)
            || begins(word, TOTALS)
            || is_unit(word)
            || matches!(word, "n" | "q" | "in" | "is" | "are" | "time" | "a" | "val" | "it" | "int" | "ans"))
    };
    let is_table_row =
        candidates.is_empty() && !words().any(is_strange) && !words().any(|word| begins(word, OTHERS));
    if is_table_row {
        let is_first =
            |at: usize| parts[..at].iter().all(|part| !matches!(part, Part::Number(_) | Part::Fraction));
        let second = numbers.get(1).filter(|(at, _)| !is_time(*at));
        match (numbers.first(), second) {
            (Some(&(at, first)), Some(&(_, count))) if first == size && is_first(at) => {
                candidates.push((Rank::Row, count))
            }
            (Some(&(at, value)), None) if is_first(at) && !is_size(at) && !is_time(at) => {
                let is_alone = !parts.contains(&Part::Fraction) && numbers.len() == 1;
                let is_named = words().next().is_some();
                let is_behind_link = at.checked_sub(1).is_some_and(|before| parts[before] == Part::Link);
                if is_alone && (!is_named || is_behind_link) {
                    candidates.push((Rank::Bare, value));
                }
            }
            _ => {}
        }
        // R prints the number of the first element of each line.
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
            .any(|part| matches!(part, Part::Word(word) if word == "n" || begins(word, PROMPTS)))
}

/// Whether the number at a place is the size of the board: `n = 8`, `8 queens`, `8x8`.
fn is_size(parts: &[Part], at: usize) -> bool {
    let word = |at: usize| parts.get(at).and_then(Part::word).unwrap_or_default();
    let before = at.checked_sub(1).map_or("", word);
    let before_link = if at >= 2 && parts[at - 1] == Part::Link { word(at - 2) } else { "" };
    let behind = word(at + 1);
    before_link == "n"
        || matches!(before, "n" | "size" | "x")
        || begins(behind, SIZES)
        || matches!(behind, "x" | "by")
}

/// How a number is named by the words beside it.
fn rank(parts: &[Part], at: usize) -> Option<Rank> {
    if is_size(parts, at) {
        return None;
    }
    let behind: Vec<&str> = parts[at + 1..].iter().map_while(Part::word).take(5).collect();
    if behind.first().is_some_and(|word| is_unit(word)) {
        return None;
    }
    // `Solution 1   Solution 2`
    if at > 0 && parts[at - 1].word().is_some_and(|word| begins(word, SOLUTIONS)) {
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
    // The words before the number, up to the end of the clause before.
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
            Part::Number(_) | Part::Fraction | Part::Stop => break,
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

/// Whether a line says that there is no solution for `n`.
fn is_denial(line: &str, parts: &[Part], n: usize) -> bool {
    let text = line.trim().trim_matches(|c: char| "=-*.!\"' \t".contains(c)).to_lowercase();
    if line.trim() == "-1" || DENYING_LINES.contains(&text.as_str()) {
        return true;
    }
    if let Some(label) = text.strip_suffix(']').and_then(|text| text.trim_end().strip_suffix('[')) {
        return !label.contains('[')
            && words_of(label).iter().all(|word| begins(word, SOLUTIONS))
            && !label.trim().is_empty();
    }
    let words: Vec<&str> = parts.iter().filter_map(Part::word).collect();
    let numbers: Vec<u64> = parts.iter().filter_map(Part::number).collect();
    // `N must be at least 4`
    let is_bound = words.contains(&"must") && numbers.iter().any(|&bound| bound > n as u64);
    if is_bound {
        return true;
    }
    let behind_question = line.rsplit_once(['?', '>']).map_or(line, |(_, behind)| behind);
    if behind_question.trim().is_empty() || words.len() > 16 {
        return false;
    }
    let is_other =
        |word: &&str| matches!(*word, "yet" | "more" | "other" | "further" | "was" | "were" | "written");
    // In Chinese, Japanese and Korean, no blank stands between a denial and what it is about.
    let is_denial = |word: &&&str| {
        DENIALS.contains(word)
            || ["无", "無", "없", "なし", "没有"].iter().any(|denial| word.contains(denial))
    };
    let denials = words.iter().filter(is_denial).count();
    let is_impossible = words.iter().any(|word| begins(word, IMPOSSIBLE));
    let is_about =
        words.iter().any(|word| begins(word, SOLUTIONS) || word.contains('解') || begins(word, POSSIBLE));
    let has_number = |is: &dyn Fn(usize, u64) -> bool| {
        parts.iter().enumerate().any(|(at, part)| part.number().is_some_and(|value| is(at, value)))
    };
    let size = n as u64;
    let names_other_size = || !numbers.contains(&size) && has_number(&|at, _| is_size(parts, at));
    let states_number = || has_number(&|at, value| value > 0 && rank(parts, at).is_some());
    (is_impossible && denials == 0 || denials == 1 && is_about)
        && !words.iter().any(is_other)
        && !names_other_size()
        && !states_number()
}

fn words_of(text: &str) -> Vec<String> {
    parts(text).iter().filter_map(Part::word).map(str::to_owned).collect()
}

/// Why a text does not state one number of solutions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StatementError {
    /// It is too long to be only a number.
    #[error("the text is longer than {} KiB: print only the number", .0 >> 10)]
    TooLong(usize),
    /// It states none.
    #[error(
        "no number of solutions found{}: print it alone on a line, or as '92 solutions'",
        first_line.as_ref().map_or(String::new(), |line| format!(" in '{line}'"))
    )]
    Missing {
        /// The beginning of its first line; `None` if that is empty.
        first_line: Option<String>,
    },
    /// It states two different ones, for which equally much speaks.
    #[error("line {line} states {}, but line {earlier_line} states {earlier}: print one number", counted(*number, "solution"))]
    Several {
        /// A line, from 1.
        line: u64,
        /// Its number.
        number: u64,
        /// An earlier line.
        earlier_line: u64,
        /// Its number.
        earlier: u64,
    },
}

/// The number of solutions that a text states: the one that most speaks for.
///
/// # Errors
///
/// [`StatementError::Several`], with two lines and their numbers.
pub(super) fn count(lines: &[(u64, String)], n: usize) -> Result<Option<u64>, StatementError> {
    let mut candidates: Vec<(Rank, u64, u64)> = Vec::new();
    let mut heading: Vec<String> = Vec::new();
    for (number, line) in lines {
        if let Some(value) = table_value(line, &heading, n) {
            candidates.push((Rank::Solutions, *number, value));
        } else {
            candidates.extend(statements(line, n).into_iter().map(|(rank, value)| (rank, *number, value)));
        }
        if words_of(line).len() > 1 && parts(line).iter().all(|part| !matches!(part, Part::Number(_))) {
            heading = fields(line);
        }
    }
    // Lines with one number each, of which none is named, may be anything.
    let Some(best) = candidates.iter().map(|(rank, ..)| *rank).max() else { return Ok(None) };
    let mut first: Option<(u64, u64)> = None;
    for &(_, number, value) in candidates.iter().filter(|(rank, ..)| *rank == best) {
        match *first.get_or_insert((number, value)) {
            (_, other) if other == value => {}
            (earlier_line, earlier) => {
                return Err(StatementError::Several { line: number, number: value, earlier_line, earlier });
            }
        }
    }
    Ok(first.map(|(_, value)| value))
}

/// Whether a line is a message about something else.
pub(super) fn is_failure(line: &str) -> bool {
    words_of(line).iter().any(|word| begins(word, FAILURES))
}

/// Whether a line has a word for solutions.
pub(super) fn is_about_solutions(line: &str) -> bool {
    words_of(line).iter().any(|word| begins(word, SOLUTIONS))
}

/// The fields of a line: between commas, semicolons or bars, or else between blanks.
pub(super) fn fields(line: &str) -> Vec<String> {
    let line = line.to_lowercase();
    match [',', ';', '|', '\t'].into_iter().find(|&c| line.contains(c)) {
        Some(c) => line.trim().trim_matches('|').split(c).map(|field| field.trim().to_owned()).collect(),
        None => line.split_whitespace().map(str::to_owned).collect(),
    }
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
    let is = |list: &'static [&'static str]| move |field: &&String| begins(field, list);
    let column = heading
        .iter()
        .position(is(&["total", "all", "count"]))
        .or_else(|| heading.iter().position(is(SOLUTIONS)))?;
    let field = row.get(column)?;
    match parts(field)[..] {
        [Part::Number(value)] => Some(value),
        _ => None,
    }
}

/// The total that a text with boards states, if it states one.
pub(super) fn total(lines: &[(u64, String)], n: usize) -> Option<u64> {
    let all = lines.iter().flat_map(|(_, line)| statements(line, n));
    let is_total = |line: &(Rank, u64)| matches!(line.0, Rank::Solutions | Rank::Total);
    // The end of a search is often a denial.
    let mut totals: Vec<u64> =
        all.filter(is_total).map(|(_, value)| value).filter(|&value| value > 0).collect();
    totals.sort_unstable();
    totals.dedup();
    if let [total] = totals[..] { Some(total) } else { None }
}

/// Whether a text is only a question to the user.
pub(super) fn is_prompt(lines: &[(u64, String)]) -> bool {
    lines.last().is_some_and(|(_, line)| line.trim_end().ends_with([':', '?', '>']) && is_question(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str, n: usize) -> Option<u64> {
        count(&[(1, text.to_owned())], n).expect("one number")
    }

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
            assert_eq!(one(text, 3), Some(0), "{text}");
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
            assert_eq!(one(text, 8), Some(92), "{text}");
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
            "exit code: 0",
            "Solution: 1",
            "Is it 3?",
            "(took 0.000 s)",
        ] {
            assert_eq!(one(text, 3), None, "{text}");
        }
        assert_eq!(one("4 solutions for n = 6", 8), None);
    }
}
