//! A macro for enums whose variants have names on the command line, in files and in output.

/// Declares an enum whose variants have names. Defines the lists `ALL` and `WORDS`, conversions from and to names, and `Display`.
#[macro_export]
macro_rules! words {
    (
        $(#[$about:meta])*
        pub enum $name:ident { $($(#[$meaning:meta])* $variant:ident = $word:literal,)+ }
    ) => {
        $(#[$about])*
        pub enum $name { $($(#[$meaning])* $variant,)+ }

        impl $name {
            /// All variants.
            pub const ALL: [Self; Self::WORDS.len()] = [$(Self::$variant),+];

            /// The names of all variants, in the same order.
            pub const WORDS: &[&str] = &[$($word),+];

            /// The variant with this name.
            pub fn named(word: &str) -> Option<Self> {
                Self::WORDS.iter().zip(Self::ALL).find(|(variant_word, _)| **variant_word == word).map(|(_, variant)| variant)
            }

            /// The name of this variant.
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
