//! Enums whose variants have a word: on the command line, in files and in output; the nearest word for a typo; plurals.

use std::fmt::Display;

/// The word that someone probably meant: the first one that begins with what was written or is its beginning, otherwise
/// the one with the fewest different letters, at most two.
pub fn nearest<'w>(written: &str, words: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    // The edit distance takes memory in proportion to the length, and no word is this long.
    const COMPARED: usize = 80;
    let written: String = written.trim().chars().take(COMPARED).collect();
    let words: Vec<&str> = words.into_iter().collect();
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

/// `1 run`, `2 runs`.
pub fn counted<N: Display + PartialEq + From<u8>>(count: N, what: &str) -> String {
    format!("{count} {what}{}", if count == N::from(1) { "" } else { "s" })
}

/// Declares an enum, the list `ALL` of its variants, the word of each (`name`), and its `Display`.
macro_rules! words {
    (
        $(#[$about:meta])*
        pub enum $name:ident { $($(#[$meaning:meta])* $variant:ident = $word:literal,)+ }
    ) => {
        $(#[$about])*
        pub enum $name { $($(#[$meaning])* $variant,)+ }

        impl $name {
            /// Every variant.
            pub const ALL: [Self; Self::WORDS.len()] = [$(Self::$variant),+];

            /// Every word, in the same order.
            pub const WORDS: &[&str] = &[$($word),+];

            /// The variant with this word.
            pub fn named(word: &str) -> Option<Self> {
                Self::WORDS.iter().zip(Self::ALL).find(|(own, _)| **own == word).map(|(_, variant)| variant)
            }

            /// Its word.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }
    };
}
