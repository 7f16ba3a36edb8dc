//! Helpers for messages: suggestions for typos, plurals, durations, and thousands separators.

pub use queens_board::number::{counted, seconds, thousands};

/// Returns the word that a user who typed `typed_word` probably meant. This is the first word that begins with `typed_word`, or
/// whose part before the first colon is a prefix of `typed_word`; the prefix must have at least three bytes. If there is no such
/// word, it is the word with the smallest edit distance to `typed_word`, if this distance is at most two. The result is never
/// `typed_word` itself.
pub fn nearest<'w>(typed_word: &str, words: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    // Longer texts are cut, because computing the edit distance takes memory proportional to the length.
    const MAX_CHARS: usize = 80;
    let typed_word: String = typed_word.trim().chars().take(MAX_CHARS).collect();
    let words: Vec<&str> = words.into_iter().filter(|word| *word != typed_word).collect();
    let first_part = |text: &str| text.split(':').next().unwrap_or_default().to_owned();
    let has_common_prefix = |word: &&str| {
        let prefix_length = typed_word.len().min(first_part(word).len());
        prefix_length >= 3 && (typed_word.starts_with(&first_part(word)) || word.starts_with(&typed_word))
    };
    let distance = |word: &str| strsim::damerau_levenshtein(&typed_word, word);
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
pub fn suggestion<'w>(typed_word: &str, words: impl IntoIterator<Item = &'w str>) -> String {
    nearest(typed_word, words).map(|word| format!("did you mean '{word}'? ")).unwrap_or_default()
}
