//! A macro for enums whose variants have a word on the command line, in files and in output.

/// Declares an enum with the list `ALL` of its variants, their words, and `Display`.
#[macro_export]
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
                Self::WORDS.iter().zip(Self::ALL).find(|(variant_word, _)| **variant_word == word).map(|(_, variant)| variant)
            }

            /// The word of this variant.
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
