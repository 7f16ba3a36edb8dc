//! The nearest word for a typo; plurals.

pub use queens_board::number::{counted, thousands};

/// The word that someone probably meant: the first one that begins with what was written or is its beginning, otherwise
/// the one with the fewest different letters, at most two. Never what was written.
pub fn nearest<'w>(written: &str, words: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    // The edit distance takes memory in proportion to the length, and no word is this long.
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

/// `did you mean 'x'? `, with the word that was probably meant; empty if there is none.
pub fn suggestion<'w>(written: &str, words: impl IntoIterator<Item = &'w str>) -> String {
    nearest(written, words).map(|word| format!("did you mean '{word}'? ")).unwrap_or_default()
}
