//! Recognises boards and column labels on a single line of numbers, without regard to the other lines.

use super::sequences::{self, NO_VALUE, Number, Piece, Sequence, are_names, split};
use crate::statement;

/// The number of label sequences in a line, such as the column labels above boards that stand side by side. The result is 0 if
/// the line contains anything else. `may_have_words`: whether words may stand beside the numbers.
pub(super) fn label_sequences(text: &[u8], n: usize, may_have_words: bool) -> usize {
    let pieces = split(text, false, n);
    let is_label_sequence = |sequence: &Sequence| is_label_sequence(sequence, text, n, may_have_words);
    if pieces.iter().all(|piece| piece.sequence().is_some_and(is_label_sequence)) { pieces.len() } else { 0 }
}

/// Whether a sequence consists of `n` consecutive numbers from 0 or 1, or of `n` such digits.
fn is_label_sequence(sequence: &Sequence, text: &[u8], n: usize, may_have_words: bool) -> bool {
    let (numbers, has_no_words) = (&sequence.numbers, sequence.wording.is_empty());
    if let [Number { digits, .. }] = numbers[..]
        && digits as usize == n
        && has_no_words
    {
        let digits: Vec<u8> =
            text.iter().filter(|byte| byte.is_ascii_digit()).map(|byte| byte - b'0').collect();
        return digits[0] <= 1 && digits.windows(2).all(|two| two[1] == (two[0] + 1) % 10);
    }
    let is_label = || may_have_words && !statement::is_about_solutions(&String::from_utf8_lossy(text));
    numbers.len() == n
        // `a1 b2` are squares, not labels.
        && numbers.iter().all(|number| number.letter == numbers[0].letter)
        && !sequence.has_board_list
        && !are_names(numbers, n)
        && (has_no_words || is_label())
        && matches!(numbers[0].value, 0 | 1)
        && sequences::is_consecutive(numbers)
}

/// Whether a line may be a board: it consists of about `n` numbers, or of one number with `n` digits, perhaps behind a label.
pub(super) fn may_be_board(text: &[u8], n: usize) -> bool {
    if n < 3 {
        return false;
    }
    let text = plaintext::decode(text);
    let is_list = |list: &str| {
        let items: Vec<&str> = list.split([',', ';']).map(str::trim).collect();
        let numbers = items.iter().filter(|item| item.parse::<i64>().is_ok()).count();
        items.len() == n && numbers + 1 >= n
    };
    let mut lists = text.split(['[', '(', '{']).filter_map(|part| part.split_once([']', ')', '}']));
    if lists.any(|(list, _)| is_list(list)) {
        return true;
    }
    let is_label = |&index: &usize| {
        let label = &text[..index];
        label.len() < 40 && (!label.contains(char::is_alphabetic) || statement::is_about_solutions(label))
    };
    let label = text.rfind([':', '>', '=', ')', '#', '.']).filter(is_label);
    let text_after_label = label.and_then(|index| text.get(index + 1..));
    [Some(&text[..]), text_after_label].into_iter().flatten().any(|text| has_about_n_numbers(text, n))
}

/// Whether a text without words consists of about `n` small numbers, or of one number with `n` digits.
fn has_about_n_numbers(text: &str, n: usize) -> bool {
    let pieces = split(text.as_bytes(), false, n);
    let [Piece::Sequence(Sequence { numbers, wording, .. })] = &pieces[..] else { return false };
    let count = numbers.len();
    // Numbers such as `1 2 3` may be the labels of boards that stand side by side.
    let numbers_are_labels = count < n && count > 1 && sequences::is_consecutive(numbers);
    if !wording.is_empty() || numbers_are_labels || are_names(numbers, n) {
        return false;
    }
    let is_small = |number: &&Number| number.value == NO_VALUE || (0..=n as i64).contains(&number.value);
    let are_columns = count >= n.max(3) - 1 && numbers.iter().filter(is_small).count() + 1 >= n;
    are_columns && (count <= n + 1 || count % n == 0)
        || n > 3 && count == 1 && numbers[0].digits as usize == n
}
