//! What a piece of text holds by itself, whatever stands around it.
//!
//! A line of prose that ends in a board is that board: numbers, squares or a row of cells behind a prompt, a label or any
//! other words.

use super::rows::{self, Rows};
use super::tokens::{NO_VALUE, Token, is_punctuation, is_whole_number, tokens, value};
use crate::statement;

/// A piece of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub kind: Kind,
    /// The words before a board in prose, without digits. Words that announce a board, such as `Solution 1:`, are no prose.
    pub frame: Option<String>,
}

/// The kinds of text between line ends or brackets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Only blanks, or closing brackets: the end of a board of several lines.
    End,
    /// Numbers.
    Numbers(Numbers),
    /// Rows and columns of queens, at least one.
    Pairs(Vec<[u32; 2]>),
    /// Rows of cells, at least one.
    Rows(Rows),
    /// Rows and columns of squares such as `b1`, from 0, at least one.
    Squares(Vec<[u32; 2]>),
    /// Literals of a `v` line; `None` if one of them is not a number.
    Literals(Option<Vec<i64>>),
    /// Anything else.
    Prose,
}

/// Numbers separated by blanks, commas, brackets or arrows.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(super) struct Numbers {
    /// Their values; [`NO_VALUE`] for a word that is not a number, or for a number that is too large.
    pub values: Vec<u32>,
    /// Whether a bracket opens before them.
    pub bracketed: bool,
    /// The digits of a lone number.
    pub digits: Vec<u8>,
}

impl Numbers {
    /// The column of the queen, if they are a row of `n` zeros and ones, above n = 2.
    pub fn lone_one(&self, n: usize) -> Option<usize> {
        let digits = self.each_digit();
        let values = if digits.is_empty() { &self.values } else { &digits };
        lone_one(values).filter(|_| n > 2 && values.len() == n)
    }

    /// The digits of a lone number, each as a value.
    pub fn each_digit(&self) -> Vec<u32> {
        self.digits.iter().map(|digit| u32::from(digit - b'0')).collect()
    }
}

/// At most this many beginnings of a board are tried in a line of prose.
const BEGINNINGS: usize = 64;

impl Piece {
    /// Reads a segment of a text about boards of side `n`.
    pub fn of(text: &[u8], n: usize) -> Self {
        // These two are first, because enumerations have a hundred million such lines.
        if let Some(numbers) = plain_numbers(text) {
            return Self::alone(Kind::of_numbers(numbers, n));
        }
        if let Some(row) = rows::plain(text) {
            let rows = Rows { rows: vec![row], bits: false, framed: false, uniform: false };
            return Self::alone(Kind::Rows(rows));
        }
        let text = String::from_utf8_lossy(text).replace("->", "→").replace("=>", "→");
        // The end of a prompt such as `n (4-8)?`.
        let text = text.trim_start_matches(|c: char| c.is_whitespace() || c == '?').trim_end();
        if text.chars().all(|c| matches!(c, ',' | ']' | ')' | '}')) {
            return Self::alone(Kind::End);
        }
        if let Some(literals) = text.strip_prefix('v').filter(|rest| rest.starts_with([' ', '\t'])) {
            let literals = literals.split_ascii_whitespace().map(|word| word.parse().ok()).collect();
            return Self::alone(Kind::Literals(literals));
        }
        let alone = || bare(text, n).map(Self::alone);
        let piece = behind_label(text, n).or_else(alone).or_else(|| behind_words(text, n));
        piece.unwrap_or(Self::alone(Kind::Prose))
    }

    fn alone(kind: Kind) -> Self {
        Self { kind, frame: None }
    }
}

/// Reads a line of only numbers and separators. Several numbers with leading zeros are rows of cells.
fn plain_numbers(text: &[u8]) -> Option<Numbers> {
    let is_opening = |byte: &u8| matches!(byte, b'[' | b'(' | b'{');
    let is_separator = |byte: &u8| b",;])}'\"".contains(byte) || byte.is_ascii_whitespace();
    let begin = text.iter().position(u8::is_ascii_digit)?;
    let (before, list) = text.split_at(begin);
    if !before.iter().all(|byte| is_opening(byte) || is_separator(byte)) {
        return None;
    }
    let mut numbers = Numbers { bracketed: before.iter().any(is_opening), ..Numbers::default() };
    numbers.values.reserve_exact(list.len() / 2 + 1);
    let (mut first, mut rows_of_cells): (&[u8], _) = (&[], false);
    for word in list.split(is_separator).filter(|word| !word.is_empty()) {
        if !word.iter().all(u8::is_ascii_digit) {
            return None;
        }
        if numbers.values.is_empty() {
            first = word;
        }
        rows_of_cells |= word[0] == b'0' && word.len() > 1;
        numbers.values.push(value(word));
    }
    if numbers.values.len() == 1 {
        numbers.digits = first.into();
    }
    (!rows_of_cells || numbers.values.len() == 1).then_some(numbers)
}

/// Reads a line that holds nothing but numbers, cells, squares or pairs.
fn bare(text: &str, n: usize) -> Option<Kind> {
    // `1 - 3 - 0 - 2`
    let is_dashed = text.split(" - ").all(is_whole_number) && text.split(" - ").count() > 2;
    let dashed = is_dashed.then(|| text.replace(" - ", " "));
    if let Some(numbers) = plain_numbers(dashed.as_deref().unwrap_or(text).as_bytes()) {
        return Some(Kind::of_numbers(numbers, n));
    }
    let tokens = tokens(text);
    let listed = || numbers(&tokens, n).map(Kind::Numbers);
    // `0.` is one cell, not two.
    if tokens.iter().any(|token| matches!(token, Token::Number { dot: true, .. }))
        && let Some(numbers) = listed()
    {
        return Some(numbers);
    }
    let pairs = linked(&tokens, n).or_else(|| named(&tokens)).map(Kind::Pairs);
    pairs
        .or_else(|| squares(text).map(Kind::Squares))
        .or_else(|| rows::read(text, n).map(Kind::Rows))
        .or_else(listed)
}

/// Reads numbers, of which at most half may be something else, such as `None`.
fn numbers(tokens: &[Token<'_>], n: usize) -> Option<Numbers> {
    let opening = tokens.iter().rposition(|token| *token == Token::Open);
    let list = &tokens[opening.map_or(0, |at| at + 1)..];
    let is_word = |token: &Token<'_>| matches!(token, Token::Word(_));
    // `[1, 3, x, 2]`
    let stands_for_number = |token: &Token<'_>| opening == Some(0) && is_word(token);
    let value = |token: &Token<'_>| token.value().or(stands_for_number(token).then_some(NO_VALUE));
    let values: Vec<u32> = list.iter().filter_map(value).collect();
    let has_words = tokens.iter().any(is_word);
    let is_bare = !tokens.contains(&Token::Link) && (!has_words || opening == Some(0) && values.len() == n);
    let is_pair = tokens.contains(&Token::Arrow) && (has_words || values.len() <= 2);
    let holes = list.iter().filter(|token| **token == Token::Hole || is_word(token)).count();
    if !is_bare || is_pair || values.is_empty() || holes > 0 && values.len() < (2 * holes).max(holes + 2) {
        return None;
    }
    let digits = match list {
        [Token::Number { digits, .. }, ..] if values.len() == 1 => digits.as_bytes().into(),
        _ => Vec::new(),
    };
    Some(Numbers { values, bracketed: opening.is_some(), digits })
}

/// Reads `n` pairs in a line of only numbers, of which every second one counts the rows: `0,1 1,3 2,0 3,2`.
fn flat_pairs(values: &[u32], n: usize) -> Option<Vec<[u32; 2]>> {
    let pairs = || values.chunks_exact(2).map(|pair| [pair[0], pair[1]]);
    let counted = n > 2
        && values.len() == 2 * n
        && values[0] <= 1
        && (values[0]..).zip(pairs()).all(|(row, pair)| row == pair[0]);
    counted.then(|| pairs().collect())
}

/// Reads queens as `{0: 1, 1: 3}` or `0 -> 1`, perhaps behind words. A lone `(0, 1)` is two numbers, whose meaning
/// depends on the following text.
fn linked(tokens: &[Token<'_>], n: usize) -> Option<Vec<[u32; 2]>> {
    let mut pairs = Vec::new();
    let items = tokens.split(|token| matches!(token, Token::Separator | Token::Open));
    for pair in items.filter(|item| !item.is_empty()).flat_map(|item| item.chunks(3)) {
        let &[row, Token::Link | Token::Arrow, column] = pair else { return None };
        // `1: 13524` is a board with its number, and `2: 0010` a row.
        let is_longer =
            matches!(column, Token::Number { digits, .. } if digits.len() > 1 && digits.starts_with('0'));
        let (row, column) = (row.value()?, column.value()?);
        if is_longer || column as usize > n * n && column != NO_VALUE {
            return None;
        }
        pairs.push([row, column]);
    }
    (!pairs.is_empty()).then_some(pairs)
}

/// Reads numbers behind words for rows, columns and queens: `{"row": 0, "col": 1}`, `Place queen in row 0 at column 1`,
/// `Queen 1: column 3`.
fn named(tokens: &[Token<'_>]) -> Option<Vec<[u32; 2]>> {
    let mut pairs = Vec::new();
    // The numbers of the row, the column and the queen, and which of them comes next.
    let mut found = [None; 3];
    let mut next = None;
    for token in tokens {
        if let Token::Word(word) = token {
            let word = word.rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
            next = match word.to_ascii_lowercase().as_str() {
                "row" | "r" | "y" => Some(0),
                "column" | "col" | "c" | "x" => Some(1),
                "queen" | "q" => Some(2),
                _ => next,
            };
            if let (Some(2), [None, Some(column), Some(row)]) = (next, found) {
                pairs.push([row, column]);
                found = [None; 3];
            }
        } else if let (Some(value), Some(which)) = (token.value(), next.take_if(|_| token.value().is_some()))
        {
            found[which] = Some(value);
            if let [Some(row), Some(column), _] = found {
                pairs.push([row, column]);
                found = [None; 3];
            }
        }
    }
    // Queens are numbered like rows.
    if let [None, Some(column), Some(row)] = found {
        pairs.push([row, column]);
    }
    (!pairs.is_empty()).then_some(pairs)
}

/// Reads a line of only squares such as `b1 d2 a3 c4` or `Qb1 Qd2`, in which the letter is the column and the number
/// is the row, from 1.
fn squares(text: &str) -> Option<Vec<[u32; 2]>> {
    let words = text.split(|c: char| c.is_whitespace() || is_punctuation(c)).filter(|word| !word.is_empty());
    let squares: Vec<[u32; 2]> = words.map(square).collect::<Option<_>>()?;
    (!squares.is_empty()).then_some(squares)
}

fn square(word: &str) -> Option<[u32; 2]> {
    // `Q1` is itself a square.
    let word = word.strip_prefix('Q').filter(|rest| rest.starts_with(char::is_alphabetic)).unwrap_or(word);
    let letter = word.chars().next().filter(char::is_ascii_alphabetic)?;
    let row = Some(&word[1..]).filter(|digits| is_whole_number(digits) && digits.len() <= 2)?;
    Some([value(row.as_bytes()).checked_sub(1)?, u32::from(letter.to_ascii_lowercase()) - u32::from('a')])
}

/// Reads a board, a row of cells or a queen behind what could be read as a part of it: the number or the bullet of a list
/// (`2. 0 Q 0 0`, `- 0 1 0 0`), or the number of a solution (`Solution 2: 0010`, `2: Q1: 3`).
fn behind_label(text: &str, n: usize) -> Option<Piece> {
    let is_whole = |text: &str| bare(text, n).is_some_and(|kind| kind.is_whole(n, true));
    let listed = || {
        let (mark, rest) = text.split_once(char::is_whitespace)?;
        let is_number = mark.strip_suffix('.').is_some_and(is_whole_number);
        // `- Q - -` and `* Q - -` are rows.
        let is_list = rest.contains(',') || rest.trim_start().starts_with(|c: char| c.is_ascii_digit());
        let is_bullet = matches!(mark, "-" | "*" | "•") && is_list && !rest.contains(mark);
        (is_number || is_bullet && !is_whole(text)).then_some(rest)
    };
    let announced = || {
        let (label, rest) = text.split_once(':')?;
        let rest = rest.trim_start();
        let has_words = label.contains(char::is_alphabetic) || rest.starts_with(char::is_alphabetic);
        // `Board size? 1: 1, 2: 3, 3: 0, 4: 2`
        let number = label.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        let is_part = label.to_lowercase().contains("queen") || is_whole(&text[number..]);
        (has_words && !is_part && statement::is_label(label)).then_some(rest)
    };
    let rest = listed().or_else(announced)?.trim_start();
    match bare(rest, n) {
        Some(kind) => (kind.is_whole(n, true) || kind.is_queen(n)).then_some(Piece::alone(kind)),
        None => behind_words(rest, n).filter(|piece| piece.kind.is_queen(n)),
    }
}

/// Reads a board, or a row of cells, at the end of a line of prose.
fn behind_words(text: &str, n: usize) -> Option<Piece> {
    // Most prose ends in a word.
    if text.ends_with(|c: char| c.is_lowercase() && !"qxoe".contains(c)) {
        return None;
    }
    let class = |c: char| match c {
        _ if c.is_whitespace() => ' ',
        _ if c.is_ascii_digit() => '0',
        _ if c.is_lowercase() => 'a',
        _ => '.',
    };
    let mut before = [' '; 2];
    let begins = |&(_, c): &(usize, char)| {
        let last = before;
        before = [last[1], c];
        // `0.5` and `-1` are each one number.
        let goes_on =
            c.is_ascii_digit() && (last[1] == '-' || last[0].is_ascii_digit() && ".,".contains(last[1]));
        class(c) != ' ' && (class(c) != class(last[1]) || class(c) == '.') && !goes_on
    };
    text.char_indices().filter(begins).take(BEGINNINGS).find_map(|(at, _)| {
        let (words, rest) = text.split_at(at);
        let is_label = statement::is_label(words);
        let has_digits = words.contains(|c: char| c.is_ascii_digit());
        let is_announced = is_label || words.trim_end().ends_with([':', '=', '→', '?', '>']);
        let is_first = is_announced || !has_digits;
        let kind = bare(rest, n).filter(|kind| kind.is_whole(n, is_label) || is_first && kind.is_queen(n))?;
        let in_prose = match &kind {
            Kind::Numbers(numbers) => !numbers.digits.is_empty() || !is_announced && !numbers.bracketed,
            _ => !is_announced,
        };
        let frame = in_prose.then(|| words.replace(|c: char| c.is_ascii_digit(), ""));
        Some(Piece { kind, frame })
    })
}

impl Kind {
    fn of_numbers(numbers: Numbers, n: usize) -> Self {
        flat_pairs(&numbers.values, n).map_or(Self::Numbers(numbers), Self::Pairs)
    }

    /// Whether it is a board of side `n`, a row of one, or a list, behind other words.
    fn is_whole(&self, n: usize, is_labelled: bool) -> bool {
        // The notation of one queen is so short that `error: [0]` must not be a board.
        if n == 1 && !is_labelled {
            return false;
        }
        match self {
            Kind::Numbers(Numbers { values, bracketed, digits, .. }) => {
                digits.len() == n || values.len() == n || *bracketed && values.len() > 1
            }
            Kind::Pairs(queens) | Kind::Squares(queens) => queens.len() == n,
            Kind::Rows(Rows { rows, .. }) => {
                let shows = rows.iter().any(|row| !row.queens.is_empty() || !row.marks.is_empty());
                rows.iter().all(|row| row.width == n) && (is_labelled || shows)
            }
            _ => false,
        }
    }

    /// Whether it is one queen of a board of side `n`.
    fn is_queen(&self, n: usize) -> bool {
        match self {
            Kind::Numbers(Numbers { values, .. }) => {
                values.len() == 2 && values.iter().all(|&value| value as usize <= n)
            }
            Kind::Pairs(queens) | Kind::Squares(queens) => queens.len() == 1 && n > 1,
            _ => false,
        }
    }
}

/// How many numbers, or words with digits, a line of prose holds in a row, if they do not just count up or down; counted to
/// `n`.
pub(super) fn numbers_in_a_row(text: &[u8], n: usize) -> usize {
    let text = String::from_utf8_lossy(text);
    let (mut run, mut most) = (Vec::new(), 0);
    for token in tokens(&text) {
        match token {
            Token::Word(word) if word.contains(|c: char| c.is_ascii_digit()) => run.push(NO_VALUE),
            Token::Number { .. } | Token::Hole => run.extend(token.value()),
            Token::Separator | Token::Open | Token::Arrow => {}
            Token::Word(_) | Token::Link => run.clear(),
        }
        if !counts(&run) {
            most = most.max(run.len());
        }
        if most >= n {
            return n;
        }
    }
    most
}

/// The place of the only 1 among zeros.
pub(super) fn lone_one(values: &[u32]) -> Option<usize> {
    let one = values.iter().position(|&value| value != 0)?;
    (values[one] == 1 && values[one + 1..].iter().all(|&value| value == 0)).then_some(one)
}

/// Whether numbers count up or down by one, like column numbers.
pub(super) fn counts(values: &[u32]) -> bool {
    values.windows(2).all(|two| two[1] == two[0].wrapping_add(1))
        || values.windows(2).all(|two| two[0] == two[1].wrapping_add(1))
}
