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
    /// `->`, `=>` or `→`.
    Arrow,
    /// An opening bracket.
    Open,
    /// A comma, a semicolon or a closing bracket.
    Separator,
}

impl Token<'_> {
    /// The value of a number or a hole.
    pub fn value(self) -> Option<u32> {
        match self {
            Token::Number { digits, .. } => Some(value(digits.as_bytes())),
            Token::Hole => Some(NO_VALUE),
            _ => None,
        }
    }

    /// Whether it ends a run of numbers.
    pub fn parts(self) -> bool {
        matches!(self, Token::Word(_) | Token::Link | Token::Arrow)
    }

    fn of_word(word: &str) -> Option<Token<'_>> {
        const HOLES: [&str; 8] = ["none", "null", "nil", "nan", "undefined", "inf", "?", "-"];
        let is = |other: &&str| word.eq_ignore_ascii_case(other);
        let bit = ["false", "true"].iter().position(is);
        if let Some(bit) = bit {
            return Some(Token::Number { digits: ["0", "1"][bit], dot: false });
        }
        if word.chars().all(|c| ".!…".contains(c)) {
            return None;
        }
        let (digits, fraction) = word.split_once('.').unwrap_or((word, ""));
        if is_number(digits) && fraction.bytes().all(|byte| byte == b'0') {
            return Some(Token::Number { digits, dot: word.ends_with('.') });
        }
        let is_float = word.ends_with(|c: char| c.is_ascii_digit()) && word.parse::<f64>().is_ok();
        Some(if is_float || HOLES.iter().any(|hole| is(hole)) { Token::Hole } else { Token::Word(word) })
    }
}

/// The tokens of a line; quotes and `#` are left out.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let (token, length) = match c {
            _ if rest.starts_with("->") || rest.starts_with("=>") => (Some(Token::Arrow), 2),
            '→' => (Some(Token::Arrow), c.len_utf8()),
            ':' | '=' => (Some(Token::Link), 1),
            _ if is_opening(c) => (Some(Token::Open), 1),
            ',' | ';' | ']' | ')' | '}' => (Some(Token::Separator), 1),
            _ if c.is_whitespace() || "\"'#".contains(c) => (None, c.len_utf8()),
            _ => {
                let ends = |(at, c): (usize, char)| {
                    let at_end =
                        c.is_whitespace() || "\"'#:=→,;[](){}".contains(c) || rest[at..].starts_with("->");
                    at_end.then_some(at)
                };
                let length = rest.char_indices().find_map(ends).unwrap_or(rest.len());
                (Token::of_word(&rest[..length]), length)
            }
        };
        tokens.extend(token);
        rest = &rest[length..];
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

pub(super) fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

pub(super) fn is_opening(c: char) -> bool {
    matches!(c, '[' | '(' | '{')
}

/// What separates the items of a list.
pub(super) fn is_punctuation(c: char) -> bool {
    is_opening(c) || matches!(c, ']' | ')' | '}' | ',' | ';' | '"' | '\'')
}
