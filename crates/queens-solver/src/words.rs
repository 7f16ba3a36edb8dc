//! Helpers for messages: suggestions for typos, plurals, durations, and thousands separators.

pub use queens_board::number::{counted, seconds, thousands};

/// The word that a user probably meant: the first word of which `written` is a prefix, or which (up to a colon) is a prefix of
/// `written`; otherwise, the word with the smallest edit distance, if it is at most two. The result is never `written` itself.
pub fn nearest<'w>(written: &str, words: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    // Computing the edit distance takes memory proportional to the length, and every word is shorter than this.
    const MAX_CHARS: usize = 80;
    let written: String = written.trim().chars().take(MAX_CHARS).collect();
    let words: Vec<&str> = words.into_iter().filter(|word| *word != written).collect();
    let head = |text: &str| text.split(':').next().unwrap_or_default().to_owned();
    let begins = |word: &&str| {
        let shorter = written.len().min(head(word).len());
        shorter >= 3 && (written.starts_with(&head(word)) || word.starts_with(&written))
    };
    let distance = |word: &str| strsim::damerau_levenshtein(&written, word);
    let by_prefix = words.iter().copied().find(|word| begins(word));
    by_prefix.or_else(|| {
        words
            .into_iter()
            .map(|word| (distance(word), word))
            .filter(|(distance, _)| *distance <= 2)
            .min()
            .map(|(_, word)| word)
    })
}

/// The text `did you mean 'x'? ` with the nearest word; empty if there is none.
pub fn suggestion<'w>(written: &str, words: impl IntoIterator<Item = &'w str>) -> String {
    nearest(written, words).map(|word| format!("did you mean '{word}'? ")).unwrap_or_default()
}
