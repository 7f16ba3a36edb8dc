//! The numbers of lines and lists, with the words around them.

/// The value of a number that is not whole.
pub(super) const NO_VALUE: i64 = i64::MIN;

/// A number in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Number {
    pub value: i64,
    pub digits: u32,
    /// The letter before it, as in `b1`; 0 if there is none.
    pub letter: u8,
    /// Whether it is written with a fraction, as `1.0`.
    pub has_fraction: bool,
}

impl Number {
    /// Stands for a number that is missing.
    const NONE: Self = Self { value: NO_VALUE, digits: 0, letter: 0, has_fraction: false };

    /// The values of its digits; there may be more than an `i64` has.
    pub fn values(self) -> impl Iterator<Item = i64> {
        let digit = move |place| 10_i64.checked_pow(place).map_or(NO_VALUE, |power| self.value / power % 10);
        (0..self.digits).rev().map(digit)
    }
}

/// The words around some numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Words {
    hash: u64,
    /// Whether there are brackets; of a list, those around it do not count.
    pub has_brackets: bool,
    /// Whether the numbers are written as letters.
    has_letters: bool,
}

impl Words {
    /// No words, and no brackets.
    pub const NONE: Self = Self { hash: 0xcbf2_9ce4_8422_2325, has_brackets: false, has_letters: false };

    pub fn is_empty(self) -> bool {
        self.hash == Self::NONE.hash
    }

    /// Adds a word; capitals do not matter.
    fn add(&mut self, word: &[u8]) {
        self.hash = word.iter().fold(self.hash, |hash, byte| {
            (hash ^ u64::from(byte.to_ascii_lowercase())).wrapping_mul(0x0100_0000_01b3)
        });
    }

    /// These words and those before them.
    fn behind(self, before: Self) -> Self {
        Self { hash: self.hash ^ before.hash.rotate_left(32), ..self }
    }
}

/// The numbers of a line, or of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unit {
    pub line: u64,
    pub numbers: Vec<Number>,
    /// The words around the numbers.
    pub words: Words,
    /// Of a list, the words before it in its line, behind the list before.
    before: Words,
    /// Whether there is a list of n numbers in this line: then its lists are the boards, not the line.
    pub has_board_list: bool,
}

impl Unit {
    fn new(line: u64, before: Words) -> Self {
        Self { line, numbers: Vec::new(), words: Words::NONE, before, has_board_list: false }
    }

    /// The words around the numbers and before them.
    pub fn all_words(&self) -> Words {
        self.words.behind(self.before)
    }

    pub fn values(&self) -> Vec<i64> {
        self.numbers.iter().map(|number| number.value).collect()
    }
}

/// The maximum of other numbers in the line of a board: its label, a time.
pub(super) const MAX_EXTRA: usize = 6;

/// The maximum number of boards as digits in one list: those of n = 10 are 724.
const MAX_STRINGS: usize = 1024;

/// Splits lines into units.
#[derive(Clone, Debug)]
pub(super) struct Splitter {
    /// Whether units are lists rather than lines.
    is_list: bool,
    n: usize,
    max: usize,
    /// The list that is being read.
    list: Option<Unit>,
    /// Of lines: the beginning of one that goes on in the next.
    open: Option<Unit>,
}

/// A unit, or something that ends a board of several units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Unit(Unit),
    End,
}

impl Splitter {
    pub fn new(is_list: bool, n: usize) -> Self {
        Self { is_list, n, max: (3 * n + MAX_EXTRA).max(MAX_STRINGS), list: None, open: None }
    }

    /// Whether a list or a line that has numbers goes on in the next line.
    pub fn is_open(&self) -> bool {
        self.open.is_some() || self.list.as_ref().is_some_and(|list| !list.numbers.is_empty())
    }

    /// Splits a line. Unless units are lists, it is one unit, or one for each of several boards beside each other.
    pub fn take(&mut self, line: u64, text: &[u8], pieces: &mut Vec<Piece>) {
        let numbered = numbers_for_letters(text, self.n);
        let (text, has_letters) = (numbered.as_deref().unwrap_or(text), numbered.is_some());
        let (mut unit, may_go_on) = match self.open.take() {
            Some(unit) => (unit, false),
            None => (Unit::new(line, Words::NONE), true),
        };
        // Where the numbers are separated by these signs.
        const SIGNS: &[u8] = b";/|";
        let mut separated: [Vec<usize>; SIGNS.len()] = Default::default();
        let mut before = Words::NONE;
        // Of a line: the count of its numbers where the last bracket was opened.
        let mut opened = None;
        unit.words.has_letters |= has_letters;
        let mut at = 0;
        let mut letter = 0;
        while let Some(&byte) = text.get(at) {
            if let Some(sign) = SIGNS.iter().position(|&sign| sign == byte) {
                separated[sign].push(unit.numbers.len());
            }
            let current = if self.is_list { self.list.as_mut() } else { Some(&mut unit) };
            match byte {
                b'0'..=b'9' => {
                    let (number, end) = number(text, at, letter);
                    if let Some(unit) = current.filter(|unit| !self.is_list || unit.numbers.len() <= self.max)
                    {
                        unit.numbers.push(number);
                    }
                    (at, letter) = (end, 0);
                    continue;
                }
                b'[' | b'(' | b'{' if self.is_list => {
                    let mut list = Unit::new(line, before);
                    list.words.has_letters = has_letters;
                    self.list = Some(list);
                }
                b']' | b')' | b'}' if self.is_list => {
                    before = Words::NONE;
                    match self.list.take() {
                        Some(list) => self.push(list, &[], pieces),
                        None => pieces.push(Piece::End),
                    }
                }
                b'[' | b'(' | b'{' => {
                    unit.words.has_brackets = true;
                    opened = Some(unit.numbers.len());
                }
                b']' | b')' | b'}' => {
                    let count = opened.take().map(|opened| unit.numbers.len() - opened);
                    unit.has_board_list |= count == Some(self.n);
                }
                0x1B => {
                    let end = text[at..].iter().position(|&byte| byte == b'm');
                    at += end.map_or(text.len(), |end| end + 1);
                    continue;
                }
                _ if byte.is_ascii_alphabetic() || byte >= 0x80 => {
                    let end = text[at..].iter().position(|byte| !byte.is_ascii_alphabetic() && *byte < 0x80);
                    let word = &text[at..at + end.unwrap_or(text.len() - at)];
                    // A letter before a number is a column, or a name.
                    let is_name =
                        word.len() <= 2 && text.get(at + word.len()).is_some_and(u8::is_ascii_digit);
                    match current {
                        Some(unit) if is_hole(word) => unit.numbers.push(Number::NONE),
                        Some(unit) => unit.words.add(&word[..word.len() - usize::from(is_name)]),
                        None => {}
                    }
                    before.add(word);
                    at += word.len();
                    letter = word.last().filter(|byte| byte.is_ascii()).map_or(0, u8::to_ascii_lowercase);
                    continue;
                }
                _ => {}
            }
            // `q_1` is a name as well.
            letter = if byte == b'_' { letter } else { 0 };
            at += 1;
        }
        let goes_on = || {
            let text = text.trim_ascii_end();
            text.ends_with(b"=>")
                || text.iter().filter(|&&byte| byte == b'(').count()
                    > text.iter().filter(|&&byte| byte == b')').count()
        };
        if !self.is_list {
            if may_go_on && unit.numbers.len() == 1 && goes_on() {
                self.open = Some(unit);
                return;
            }
            self.push(unit, &separated, pieces);
        } else if text.trim_ascii().is_empty() {
            pieces.push(Piece::End);
        }
    }

    /// Adds a unit, or one for each of its boards. `separated`: the counts of numbers before each of several signs.
    fn push(&self, unit: Unit, separated: &[Vec<usize>], pieces: &mut Vec<Piece>) {
        if unit.numbers.is_empty() {
            return pieces.push(Piece::End);
        }
        let boards = |size: usize| {
            let board = |numbers: &[Number]| Unit { numbers: numbers.to_vec(), ..unit.clone() };
            unit.numbers.chunks(size).map(board).map(Piece::Unit).collect::<Vec<Piece>>()
        };
        let numbers = &unit.numbers;
        if self.n > 3 && numbers.len() > 1 && numbers.iter().all(|number| number.digits as usize == self.n) {
            pieces.extend(boards(1));
        } else if !self.is_list && self.has_boards(numbers, separated) {
            pieces.extend(boards(self.n));
        } else {
            pieces.push(Piece::Unit(unit));
        }
    }

    /// Whether the numbers of a line are boards, `n` numbers each: between separators, or each in any order. The rows of a matrix are not
    /// boards.
    fn has_boards(&self, numbers: &[Number], separated: &[Vec<usize>]) -> bool {
        let is_possible = self.n > 3 && numbers.len() > self.n && numbers.len().is_multiple_of(self.n);
        let are_separated = |ends: &Vec<usize>| {
            ends.iter().all(|end| end % self.n == 0)
                && (1..numbers.len() / self.n).all(|board| ends.contains(&(board * self.n)))
        };
        let boards = || numbers.chunks(self.n);
        let is_board = |numbers: &[Number]| is_range(numbers.iter().map(|number| number.value).collect());
        is_possible
            && !boards().any(is_row)
            && (separated.iter().any(are_separated)
                || boards().all(is_board) && (boards().all(is_counting) || !is_pairs(numbers, self.n)))
    }
}

/// The line with numbers for letters of columns: `b d a c` and `BDAC` are the board `2 4 1 3`. `None` if it has no such board.
fn numbers_for_letters(text: &[u8], n: usize) -> Option<Vec<u8>> {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    // A word such as `added` repeats more letters than a board with a moved queen.
    let is_board = |word: &[u8]| {
        let distinct = (0..word.len()).filter(|&at| !word[..at].contains(&word[at])).count();
        word.len() == n && (distinct == 1 || distinct + 1 >= n)
    };
    let are_columns = |word: &[u8]| {
        word.iter().all(|letter| is_column(letter.to_ascii_lowercase(), n))
            && (word.len() == 1 || is_board(word))
    };
    let words = || text.chunk_by(|&one, &next| is_word(one) == is_word(next));
    if n < 4 || !words().any(are_columns) {
        return None;
    }
    let is_other = |word: &[u8]| is_word(word[0]) && !are_columns(word);
    let (mut numbered, mut is_changed) = (Vec::with_capacity(2 * text.len()), false);
    // The words of letters that follow each other, with what is between them, and the other words.
    let words: Vec<&[u8]> = words().collect();
    for run in words.chunk_by(|one, next| is_other(one) == is_other(next)) {
        let letters: usize = run.iter().filter(|word| is_word(word[0])).map(|word| word.len()).sum();
        let are_boards = !is_other(run[0]) && letters > 0 && letters.is_multiple_of(n);
        is_changed |= are_boards;
        for &byte in run.iter().copied().flatten() {
            if are_boards && byte.is_ascii_alphabetic() {
                let number = byte.to_ascii_lowercase() - b'a' + 1;
                numbered.extend_from_slice(format!(" {number} ").as_bytes());
            } else {
                numbered.push(byte);
            }
        }
    }
    is_changed.then_some(numbered)
}

/// Whether a word stands for a number that is missing.
fn is_hole(word: &[u8]) -> bool {
    ["none", "null", "nil", "nan", "undefined"].iter().any(|hole| word.eq_ignore_ascii_case(hole.as_bytes()))
}

/// The number at a place, and the end of it.
fn number(text: &[u8], at: usize, letter: u8) -> (Number, usize) {
    let run = |from: usize| text[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let digits = run(at);
    let mut value = text[at..at + digits]
        .iter()
        .fold(0_i64, |value, digit| value.saturating_mul(10).saturating_add(i64::from(digit - b'0')));
    let mut end = at + digits;
    let before = |back: usize| at.checked_sub(back).map_or(b' ', |at| text[at]);
    let is_free = |byte: u8| !byte.is_ascii_alphanumeric() && !matches!(byte, b')' | b']' | b'-' | b'>');
    if before(1) == b'-' && is_free(before(2)) {
        value = -value;
    }
    // `1.0` is whole, `0.5` is not; `1.` and `1..4` are.
    let mut has_fraction = false;
    if text.get(end) == Some(&b'.') {
        let fraction = run(end + 1);
        has_fraction = fraction > 0;
        if fraction > 0 {
            if text[end + 1..end + 1 + fraction].iter().any(|&digit| digit != b'0') {
                value = NO_VALUE;
            }
            end += 1 + fraction;
        }
    }
    (Number { value, digits: u32::try_from(digits).unwrap_or(u32::MAX), letter, has_fraction }, end)
}

/// Whether numbers are `n` pairs or triples of which one number each is different.
pub(super) fn is_pairs(numbers: &[Number], n: usize) -> bool {
    [2, 3].into_iter().filter(|stride| stride * n == numbers.len()).any(|stride| {
        let place = |place| numbers.iter().skip(place).step_by(stride).map(|number| number.value);
        (0..stride).any(|one| is_range(place(one).collect()))
    })
}

/// Whether numbers are the names of columns in the heading of a table: `q1 q2 q3`.
pub(super) fn are_names(numbers: &[Number], n: usize) -> bool {
    let Some(&Number { letter, .. }) = numbers.first() else { return false };
    letter != 0
        && !is_column(letter, n)
        && numbers.iter().all(|number| number.letter == letter)
        && is_counting(numbers)
}

/// Whether a letter names a column.
pub(super) fn is_column(letter: u8, n: usize) -> bool {
    letter.is_ascii_lowercase() && usize::from(letter - b'a') < n
}

/// Whether each number is the one before plus one.
pub(super) fn is_counting(numbers: &[Number]) -> bool {
    numbers.windows(2).all(|two| two[0].value.checked_add(1) == Some(two[1].value))
}

/// Whether numbers are zeros and a one: a row of a matrix.
pub(super) fn is_row(numbers: &[Number]) -> bool {
    numbers.iter().all(|number| matches!(number.value, 0 | 1))
        && numbers.iter().filter(|number| number.value == 1).count() == 1
}

/// Whether values are all the numbers from 0 or 1 on, in any order.
pub(super) fn is_range(mut values: Vec<i64>) -> bool {
    values.sort_unstable();
    let is_next = |two: &[i64]| two[0].checked_add(1) == Some(two[1]);
    values.windows(2).all(is_next) && matches!(values.first(), Some(0 | 1))
}
