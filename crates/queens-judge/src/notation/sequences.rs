//! Splits lines into sequences of numbers, with a fingerprint of the words around the numbers.

/// The value of a number that is not an integer.
pub(super) const NO_VALUE: i64 = i64::MIN;

/// A number in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Number {
    pub value: i64,
    pub digits: u32,
    /// The letter before it, as in `b1`; 0 if there is none.
    pub letter: u8,
    /// Whether it is written with a fraction, like `1.0`.
    pub has_fraction: bool,
}

impl Number {
    /// Stands for a missing number, which is printed for example as `None`.
    const MISSING: Self = Self { value: NO_VALUE, digits: 0, letter: 0, has_fraction: false };

    /// The values of its digits. A digit that does not fit into an `i64` is [`NO_VALUE`].
    pub fn digit_values(self) -> impl Iterator<Item = i64> {
        let digit =
            move |exponent| 10_i64.checked_pow(exponent).map_or(NO_VALUE, |power| self.value / power % 10);
        (0..self.digits).rev().map(digit)
    }
}

/// A fingerprint of the words around some numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Wording {
    hash: u64,
    /// Whether there are brackets. The brackets around a list do not count.
    pub has_brackets: bool,
    /// Whether the numbers are written as letters.
    has_letters: bool,
}

impl Wording {
    /// No words, and no brackets.
    pub const NONE: Self = Self { hash: FNV_BASIS, has_brackets: false, has_letters: false };

    pub fn is_empty(self) -> bool {
        self.hash == Self::NONE.hash
    }

    /// Adds a word. Upper and lower case are not distinguished.
    fn add(&mut self, word: &[u8]) {
        self.hash = fnv(self.hash, &word.to_ascii_lowercase());
    }
}

/// The FNV-1a hash of no bytes.
pub(super) const FNV_BASIS: u64 = 0xcbf2_9ce4_8422_2325;

/// Extends an FNV-1a hash by some bytes.
pub(super) fn fnv(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The numbers of a line, of a list in brackets, or of one of several boards on a line, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sequence {
    /// The line in which it begins, from 1.
    pub line: u64,
    pub numbers: Vec<Number>,
    /// The words around the numbers.
    pub wording: Wording,
    /// For a list: the words of its line between the previous list and this list.
    wording_before: Wording,
    /// For a line: whether it contains a list of n numbers. Then the lists are the boards, not the line.
    pub has_board_list: bool,
}

impl Sequence {
    fn new(line: u64, wording_before: Wording) -> Self {
        Self { line, numbers: Vec::new(), wording: Wording::NONE, wording_before, has_board_list: false }
    }

    /// The words around the numbers and before them.
    pub fn full_wording(&self) -> Wording {
        Wording { hash: self.wording.hash ^ self.wording_before.hash.rotate_left(32), ..self.wording }
    }

    pub fn values(&self) -> Vec<i64> {
        values(&self.numbers)
    }
}

/// The values of numbers.
pub(super) fn values(numbers: &[Number]) -> Vec<i64> {
    numbers.iter().map(|number| number.value).collect()
}

/// The maximum number of numbers in the line of a board that are not part of the board, such as a label or a time.
pub(super) const MAX_EXTRA: usize = 6;

/// The maximum number of boards in a list of boards that are written as digits. At n = 10, there are 724 solutions.
const MAX_STRINGS: usize = 1024;

/// Splits lines into sequences.
#[derive(Clone, Debug)]
pub(super) struct Splitter {
    /// Whether sequences are lists rather than lines.
    is_list: bool,
    n: usize,
    /// The maximum number of numbers in a list. Further numbers are ignored.
    max_numbers: usize,
    /// The list that is being read.
    list: Option<Sequence>,
    /// If sequences are lines: the beginning of a line that goes on in the next line.
    open_line: Option<Sequence>,
}

/// The sequences of one line.
pub(super) fn split(text: &[u8], is_list: bool, n: usize) -> Vec<Piece> {
    let mut pieces = Vec::new();
    Splitter::new(is_list, n).split_line(1, text, &mut pieces);
    pieces
}

/// A sequence, or the end of a board of several sequences.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Sequence(Sequence),
    End,
}

impl Piece {
    pub fn sequence(&self) -> Option<&Sequence> {
        if let Self::Sequence(sequence) = self { Some(sequence) } else { None }
    }
}

impl Splitter {
    pub fn new(is_list: bool, n: usize) -> Self {
        let max_numbers = (3 * n + MAX_EXTRA).max(MAX_STRINGS);
        Self { is_list, n, max_numbers, list: None, open_line: None }
    }

    /// Whether a list or a line that has numbers goes on in the next line.
    pub fn is_open(&self) -> bool {
        self.open_line.is_some() || self.list.as_ref().is_some_and(|list| !list.numbers.is_empty())
    }

    /// Splits a line. If sequences are lines, a line is one sequence, or one sequence for each of several boards side by side.
    pub fn split_line(&mut self, line: u64, text: &[u8], pieces: &mut Vec<Piece>) {
        let text_with_numbers = numbers_for_letters(text, self.n);
        let (text, has_letters) = (text_with_numbers.as_deref().unwrap_or(text), text_with_numbers.is_some());
        let (mut sequence, may_go_on) = match self.open_line.take() {
            Some(sequence) => (sequence, false),
            None => (Sequence::new(line, Wording::NONE), true),
        };
        // Signs that may separate boards, and for each occurrence of each sign how many numbers are before it.
        const SIGNS: &[u8] = b";/|";
        let mut separators: [Vec<usize>; SIGNS.len()] = Default::default();
        let mut wording_before = Wording::NONE;
        // How many numbers of the line are before the last opening bracket.
        let mut count_before_bracket = None;
        sequence.wording.has_letters |= has_letters;
        let mut index = 0;
        let mut letter = 0;
        while let Some(&byte) = text.get(index) {
            if let Some(sign) = SIGNS.iter().position(|&sign| sign == byte) {
                separators[sign].push(sequence.numbers.len());
            }
            let current_sequence = if self.is_list { self.list.as_mut() } else { Some(&mut sequence) };
            match byte {
                b'0'..=b'9' => {
                    let (number, end) = number(text, index, letter);
                    let has_space = |sequence: &&mut Sequence| {
                        !self.is_list || sequence.numbers.len() <= self.max_numbers
                    };
                    if let Some(sequence) = current_sequence.filter(has_space) {
                        sequence.numbers.push(number);
                    }
                    (index, letter) = (end, 0);
                    continue;
                }
                b'[' | b'(' | b'{' if self.is_list => {
                    let mut list = Sequence::new(line, wording_before);
                    list.wording.has_letters = has_letters;
                    self.list = Some(list);
                }
                b']' | b')' | b'}' if self.is_list => {
                    wording_before = Wording::NONE;
                    match self.list.take() {
                        Some(list) => self.push(list, &[], pieces),
                        None => pieces.push(Piece::End),
                    }
                }
                b'[' | b'(' | b'{' => {
                    sequence.wording.has_brackets = true;
                    count_before_bracket = Some(sequence.numbers.len());
                }
                b']' | b')' | b'}' => {
                    let count = count_before_bracket.take().map(|before| sequence.numbers.len() - before);
                    sequence.has_board_list |= count == Some(self.n);
                }
                0x1B => {
                    let end = text[index..].iter().position(|&byte| byte == b'm');
                    index += end.map_or(text.len(), |end| end + 1);
                    continue;
                }
                _ if byte.is_ascii_alphabetic() || byte >= 0x80 => {
                    let end =
                        text[index..].iter().position(|byte| !byte.is_ascii_alphabetic() && *byte < 0x80);
                    let word = &text[index..index + end.unwrap_or(text.len() - index)];
                    // One or two letters before a number are a column or a name. The last letter is not a part of the wording.
                    let is_name =
                        word.len() <= 2 && text.get(index + word.len()).is_some_and(u8::is_ascii_digit);
                    match current_sequence {
                        Some(sequence) if is_missing_number(word) => sequence.numbers.push(Number::MISSING),
                        Some(sequence) => sequence.wording.add(&word[..word.len() - usize::from(is_name)]),
                        None => {}
                    }
                    wording_before.add(word);
                    index += word.len();
                    letter = word.last().filter(|byte| byte.is_ascii()).map_or(0, u8::to_ascii_lowercase);
                    continue;
                }
                _ => {}
            }
            // `q_1` is a name, as `q1` is.
            letter = if byte == b'_' { letter } else { 0 };
            index += 1;
        }
        let goes_on = || {
            let text = text.trim_ascii_end();
            text.ends_with(b"=>")
                || text.iter().filter(|&&byte| byte == b'(').count()
                    > text.iter().filter(|&&byte| byte == b')').count()
        };
        if !self.is_list {
            if may_go_on && sequence.numbers.len() == 1 && goes_on() {
                self.open_line = Some(sequence);
                return;
            }
            self.push(sequence, &separators, pieces);
        } else if text.trim_ascii().is_empty() {
            pieces.push(Piece::End);
        }
    }

    /// Adds a sequence, or one sequence for each board in it. `separators`: for each of several signs, how many numbers are
    /// before each of its occurrences.
    fn push(&self, sequence: Sequence, separators: &[Vec<usize>], pieces: &mut Vec<Piece>) {
        if sequence.numbers.is_empty() {
            return pieces.push(Piece::End);
        }
        let boards = |size: usize| {
            let board = |numbers: &[Number]| Sequence { numbers: numbers.to_vec(), ..sequence.clone() };
            sequence.numbers.chunks(size).map(board).map(Piece::Sequence).collect::<Vec<Piece>>()
        };
        let numbers = &sequence.numbers;
        if self.n > 3 && numbers.len() > 1 && numbers.iter().all(|number| number.digits as usize == self.n) {
            pieces.extend(boards(1));
        } else if !self.is_list && self.has_boards(numbers, separators) {
            pieces.extend(boards(self.n));
        } else {
            pieces.push(Piece::Sequence(sequence));
        }
    }

    /// Whether the numbers of a line are several boards of `n` numbers: separators stand exactly between the boards, or each
    /// board is a permutation. The rows of a matrix are not boards. Neither are pairs of row and column, unless only the
    /// permutations are solutions, and neither the rows nor the columns of the pairs are in order.
    fn has_boards(&self, numbers: &[Number], separators: &[Vec<usize>]) -> bool {
        let is_possible = self.n > 3 && numbers.len() > self.n && numbers.len().is_multiple_of(self.n);
        let are_separated = |ends: &Vec<usize>| {
            ends.iter().all(|end| end % self.n == 0)
                && (1..numbers.len() / self.n).all(|board| ends.contains(&(board * self.n)))
        };
        let boards = || numbers.chunks(self.n);
        let is_board = |numbers: &[Number]| is_full_range(values(numbers));
        is_possible
            && !boards().any(is_matrix_row)
            && (separators.iter().any(are_separated)
                || boards().all(is_board)
                    && (boards().all(is_consecutive)
                        || !is_pairs(numbers, self.n)
                        || boards().all(are_columns_of_solution) && !are_probably_pairs(numbers)))
    }
}

/// Replaces boards that are written as letters by numbers: `b d a c` and `BDAC` become `2 4 1 3`. Returns `None` if the line has
/// no such board.
fn numbers_for_letters(text: &[u8], n: usize) -> Option<Vec<u8>> {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    // A word such as `added` repeats more letters than a board with a moved queen.
    let is_board = |word: &[u8]| {
        let distinct_count = (0..word.len()).filter(|&index| !word[..index].contains(&word[index])).count();
        word.len() == n && (distinct_count == 1 || distinct_count + 1 >= n)
    };
    let are_columns = |word: &[u8]| {
        word.iter().all(|letter| is_column(letter.to_ascii_lowercase(), n))
            && (word.len() == 1 || is_board(word))
    };
    let words = || text.chunk_by(|&one, &next| is_word(one) == is_word(next));
    if n < 4 || !words().any(are_columns) {
        return None;
    }
    let is_other_word = |word: &[u8]| is_word(word[0]) && !are_columns(word);
    let (mut out, mut is_changed) = (Vec::with_capacity(2 * text.len()), false);
    // A run consists of words that may be columns, or of other words, and of the characters between them.
    let words: Vec<&[u8]> = words().collect();
    for run in words.chunk_by(|one, next| is_other_word(one) == is_other_word(next)) {
        let letters: usize = run.iter().filter(|word| is_word(word[0])).map(|word| word.len()).sum();
        let are_boards = !is_other_word(run[0]) && letters.is_multiple_of(n);
        for &byte in run.iter().copied().flatten() {
            if are_boards && byte.is_ascii_alphabetic() {
                is_changed = true;
                let number = byte.to_ascii_lowercase() - b'a' + 1;
                out.extend_from_slice(format!(" {number} ").as_bytes());
            } else {
                out.push(byte);
            }
        }
    }
    is_changed.then_some(out)
}

/// Whether a word stands for a missing number.
fn is_missing_number(word: &[u8]) -> bool {
    ["none", "null", "nil", "nan", "undefined"].iter().any(|name| word.eq_ignore_ascii_case(name.as_bytes()))
}

/// The number that begins at an index, and the index behind it. `letter`: the letter before it, or 0.
fn number(text: &[u8], index: usize, letter: u8) -> (Number, usize) {
    let count_digits = |from: usize| text[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let digits = count_digits(index);
    let mut value = text[index..index + digits]
        .iter()
        .fold(0_i64, |value, digit| value.saturating_mul(10).saturating_add(i64::from(digit - b'0')));
    let mut end = index + digits;
    let byte_before = |back: usize| index.checked_sub(back).map_or(b' ', |index| text[index]);
    let is_boundary = |byte: u8| !byte.is_ascii_alphanumeric() && !matches!(byte, b')' | b']' | b'-' | b'>');
    if byte_before(1) == b'-' && is_boundary(byte_before(2)) {
        value = -value;
    }
    // `1.0` is an integer, and so are the numbers of `1.` and `1..4`; `0.5` is not.
    let mut has_fraction = false;
    if text.get(end) == Some(&b'.') {
        let fraction = count_digits(end + 1);
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

/// Whether numbers are `n` pairs or triples whose first, second or third numbers are a permutation.
pub(super) fn is_pairs(numbers: &[Number], n: usize) -> bool {
    [2, 3].into_iter().filter(|stride| stride * n == numbers.len()).any(|stride| {
        let values_at = |place| numbers.iter().skip(place).step_by(stride).map(|number| number.value);
        (0..stride).any(|place| is_full_range(values_at(place).collect()))
    })
}

/// Whether values, which are a permutation from 0 or 1, are the columns of queens that do not attack each other.
fn is_solution(values: &[i64]) -> bool {
    let first = values.iter().min().copied().unwrap_or(0);
    let columns: Option<Vec<u32>> =
        values.iter().map(|value| u32::try_from(value.checked_sub(first)?).ok()).collect();
    columns.is_some_and(|columns| queens_board::is_solution(&columns))
}

/// Whether numbers are the columns of queens that do not attack each other.
fn are_columns_of_solution(numbers: &[Number]) -> bool {
    is_solution(&values(numbers))
}

/// Whether numbers are probably pairs of row and column: the rows or the columns are in order, or the queens do not attack each other.
fn are_probably_pairs(numbers: &[Number]) -> bool {
    let (pairs, unpaired) = numbers.as_chunks::<2>();
    let mut squares: Vec<(i64, i64)> = pairs.iter().map(|[row, column]| (row.value, column.value)).collect();
    let (rows, columns): (Vec<i64>, Vec<i64>) = squares.iter().copied().unzip();
    squares.sort_unstable();
    let columns_by_row: Vec<i64> = squares.iter().map(|&(_, column)| column).collect();
    let is_solution =
        || is_full_range(rows.clone()) && is_full_range(columns.clone()) && is_solution(&columns_by_row);
    let is_in_order = |values: &[i64]| values.is_sorted() || values.iter().rev().is_sorted();
    unpaired.is_empty() && (is_in_order(&rows) || is_in_order(&columns) || is_solution())
}

/// Whether numbers are the names of columns in the heading of a table: `q1 q2 q3`.
pub(super) fn are_names(numbers: &[Number], n: usize) -> bool {
    let Some(&Number { letter, .. }) = numbers.first() else { return false };
    letter != 0
        && !is_column(letter, n)
        && numbers.iter().all(|number| number.letter == letter)
        && is_consecutive(numbers)
}

/// Whether a letter names a column.
pub(super) fn is_column(letter: u8, n: usize) -> bool {
    letter.is_ascii_lowercase() && usize::from(letter - b'a') < n
}

/// Whether each number is greater by one than the number before it.
pub(super) fn is_consecutive(numbers: &[Number]) -> bool {
    numbers.windows(2).all(|two| two[0].value.checked_add(1) == Some(two[1].value))
}

/// Whether numbers are zeros and exactly one 1, like a row of a matrix.
pub(super) fn is_matrix_row(numbers: &[Number]) -> bool {
    numbers.iter().all(|number| matches!(number.value, 0 | 1))
        && numbers.iter().filter(|number| number.value == 1).count() == 1
}

/// Whether values are consecutive numbers from 0 or 1, in any order.
pub(super) fn is_full_range(mut values: Vec<i64>) -> bool {
    values.sort_unstable();
    let is_next = |two: &[i64]| two[0].checked_add(1) == Some(two[1]);
    values.windows(2).all(is_next) && matches!(values.first(), Some(0 | 1))
}
