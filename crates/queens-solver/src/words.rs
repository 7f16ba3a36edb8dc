//! Helpers for messages: suggestions for typos, plurals, and thousands separators.

pub use queens_board::number::{counted, thousands};

/// The word that a user probably meant: the first word that begins with the written text or is a prefix of it, otherwise the word with
/// the smallest edit distance, which is at most two. Never the written text itself.
pub fn nearest<'w>(written: &str, words: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    // The edit distance needs memory proportional to the length, and every word is shorter than this.
    const COMPARED: usize = 80;
    let written: String = written.trim().chars().take(COMPARED).collect();
    let words: Vec<&str> = words.into_iter().filter(|word| *word != written).collect();
    let head = |text: &str| text.split(':').next().unwrap_or_default().to_owned();
    let begins = |word: &&str| {
        let shorter = written.len().min(head(word).len());
        shorter >= 3 && (written.starts_with(&head(word)) || word.starts_with(&written))
    };
    let typos = |word: &str| strsim::damerau_levenshtein(&written, word);
    let like = words.iter().copied().find(|word| begins(word));
    like.or_else(|| {
        words
            .into_iter()
            .map(|word| (typos(word), word))
            .filter(|(typos, _)| *typos <= 2)
            .min()
            .map(|(_, word)| word)
    })
}

/// The text `did you mean 'x'? ` with the nearest word; empty if there is none.
pub fn suggestion<'w>(written: &str, words: impl IntoIterator<Item = &'w str>) -> String {
    nearest(written, words).map(|word| format!("did you mean '{word}'? ")).unwrap_or_default()
}
