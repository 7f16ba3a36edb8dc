//! The words, numbers and signs of a line, whatever separates them.

/// The value of what is not a column number, such as `None`, and of numbers too large for any board.
pub(super) const NO_VALUE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// The digits of a whole number, also of `1.0`; `dot`: `1.`. `True` and `False` are 1 and 0.
    Number { digits: &'a str, dot: bool },
    /// What programs print in place of a number: `None`, `-1`, `0.5`, `?`.
    Hole,
    /// Any other word.
    Word(&'a str),
    /// `:` or `=`.
    Link,
    /// `→`, as which `->` and `=>` are read.
    Arrow,
    /// An opening bracket.
    Open,
    /// A comma, a semicolon or a closing bracket.
    Separator,
}

impl<'a> Token<'a> {
    /// The value of a number or a hole.
    pub fn value(self) -> Option<u32> {
        match self {
            Token::Number { digits, .. } => Some(value(digits.as_bytes())),
            Token::Hole => Some(NO_VALUE),
            _ => None,
        }
    }

    fn of_word(word: &'a str) -> Option<Self> {
        const HOLES: [&str; 8] = ["none", "null", "nil", "nan", "undefined", "inf", "?", "-"];
        let is = |other: &&str| word.eq_ignore_ascii_case(other);
        if word.chars().all(|c| ".!…".contains(c)) {
            return None;
        }
        if let Some(bit) = ["false", "true"].iter().position(is) {
            return Some(Token::Number { digits: ["0", "1"][bit], dot: false });
        }
        let (digits, fraction) = word.split_once('.').unwrap_or((word, ""));
        if is_whole_number(digits) && fraction.bytes().all(|byte| byte == b'0') {
            return Some(Token::Number { digits, dot: word.ends_with('.') });
        }
        let is_number =
            word.starts_with(|c: char| c == '-' || c.is_ascii_digit()) && word.parse::<f64>().is_ok();
        Some(if is_number || HOLES.iter().any(is) { Token::Hole } else { Token::Word(word) })
    }

    fn of_sign(sign: char) -> Option<Self> {
        match sign {
            ':' | '=' => Some(Token::Link),
            '→' => Some(Token::Arrow),
            '[' | '(' | '{' => Some(Token::Open),
            ',' | ';' | ']' | ')' | '}' => Some(Token::Separator),
            _ => None,
        }
    }
}

/// The tokens of a line; blanks, quotes, `!` and `#` are left out.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let is_sign = |c: char| c.is_whitespace() || "\"'!#".contains(c) || Token::of_sign(c).is_some();
    let mut tokens = Vec::new();
    for piece in text.split_inclusive(is_sign) {
        let sign = piece.chars().next_back().filter(|&c| is_sign(c));
        tokens.extend(Token::of_word(&piece[..piece.len() - sign.map_or(0, char::len_utf8)]));
        tokens.extend(sign.and_then(Token::of_sign));
    }
    tokens
}

/// The value of decimal digits; [`NO_VALUE`] if there are too many.
pub(super) fn value(digits: &[u8]) -> u32 {
    digits.iter().fold(0_u32, |value, digit| match value.checked_mul(10) {
        Some(tens) => tens.saturating_add(u32::from(digit - b'0')),
        None => NO_VALUE,
    })
}

pub(super) fn is_whole_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// What separates the items of a list.
pub(super) fn is_punctuation(c: char) -> bool {
    matches!(c, '[' | '(' | '{' | ']' | ')' | '}' | ',' | ';' | '"' | '\'')
}
