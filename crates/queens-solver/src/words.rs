//! Helpers for messages: suggestions for typos, plurals, durations, and thousands separators.

pub use queens_board::number::{counted, seconds, thousands};

/// Returns the word that a user who wrote `written` probably meant. This is the first word that begins with `written`, or whose
/// part before the first colon is a prefix of `written`; the prefix must have at least three bytes. If there is no such word, it is
/// the word with the smallest edit distance to `written`, if this distance is at most two. The result is never `written` itself.
pub fn nearest<'w>(written: &str, words: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    // Longer texts are cut, because computing the edit distance takes memory proportional to the length.
    const MAX_CHARS: usize = 80;
    let written: String = written.trim().chars().take(MAX_CHARS).collect();
    let words: Vec<&str> = words.into_iter().filter(|word| *word != written).collect();
    let head = |text: &str| text.split(':').next().unwrap_or_default().to_owned();
    let has_common_prefix = |word: &&str| {
        let prefix_length = written.len().min(head(word).len());
        prefix_length >= 3 && (written.starts_with(&head(word)) || word.starts_with(&written))
    };
    let distance = |word: &str| strsim::damerau_levenshtein(&written, word);
    let word_with_prefix = words.iter().copied().find(|word| has_common_prefix(word));
    word_with_prefix.or_else(|| {
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
