//! What a line of numbers may be by itself.

use super::units::{self, NO_VALUE, Number, Piece, Splitter, Unit, are_names};
use crate::statement;

/// Whether a line may be the board of one square: a list of zeros and ones, or else such numbers behind names.
pub(super) fn is_one_square(text: &[u8]) -> Option<bool> {
    let is_small = |unit: &Unit, least: usize| {
        unit.numbers.len() >= least
            && unit.numbers.len() <= 3
            && unit.numbers.iter().all(|number| matches!(number.value, 0 | 1))
    };
    let mut pieces = Vec::new();
    Splitter::new(true, 1).take(1, text, &mut pieces);
    if pieces.iter().any(|piece| matches!(piece, Piece::Unit(unit) if is_small(unit, 1))) {
        return Some(true);
    }
    pieces.clear();
    Splitter::new(false, 1).take(1, text, &mut pieces);
    let is_label = statement::is_about_solutions(&String::from_utf8_lossy(text));
    let is_positions = pieces.iter().any(|piece| matches!(piece, Piece::Unit(unit) if is_small(unit, 2)));
    (is_positions && !is_label).then_some(false)
}

/// How often a line counts from 0 or 1 to n, as numbers of columns above boards do; 0 if it has anything else. `may_have_name`: words may
/// be beside the numbers.
pub(super) fn countings(text: &[u8], n: usize, may_have_name: bool) -> usize {
    let mut pieces = Vec::new();
    Splitter::new(false, n).take(1, text, &mut pieces);
    let is_counting =
        |piece: &Piece| matches!(piece, Piece::Unit(unit) if is_counting(unit, text, n, may_have_name));
    if pieces.iter().all(is_counting) { pieces.len() } else { 0 }
}

fn is_counting(unit: &Unit, text: &[u8], n: usize, may_have_name: bool) -> bool {
    let numbers = &unit.numbers;
    let first = numbers[0].value;
    if let [Number { digits, .. }] = numbers[..]
        && digits as usize == n
        && unit.words.is_empty()
    {
        let digits: Vec<u8> =
            text.iter().filter(|byte| byte.is_ascii_digit()).map(|byte| byte - b'0').collect();
        return digits[0] <= 1 && digits.windows(2).all(|two| two[1] == (two[0] + 1) % 10);
    }
    let is_label = || may_have_name && !statement::is_about_solutions(&String::from_utf8_lossy(text));
    numbers.len() == n
        // `a1 b2` are squares.
        && numbers.iter().all(|number| number.letter == numbers[0].letter)
        && !unit.has_board_list
        && !are_names(numbers, n)
        && (unit.words.is_empty() || is_label())
        && matches!(first, 0 | 1)
        && units::is_counting(numbers)
}

/// Whether a line may be a board of numbers, perhaps behind a label: it consists of about `n` numbers, or of one number with `n` digits.
pub(super) fn resembles(text: &[u8], n: usize) -> bool {
    if n < 3 {
        return false;
    }
    let text = plaintext::decode(text);
    let is_list = |list: &str| {
        let items: Vec<&str> = list.split([',', ';']).map(str::trim).collect();
        let numbers = items.iter().filter(|item| item.parse::<i64>().is_ok()).count();
        items.len() == n && numbers + 1 >= n
    };
    if text
        .split(['[', '(', '{'])
        .filter_map(|rest| rest.split_once([']', ')', '}']))
        .any(|(list, _)| is_list(list))
    {
        return true;
    }
    let is_label = |&at: &usize| {
        let label = &text[..at];
        label.len() < 40 && (!label.contains(char::is_alphabetic) || statement::is_about_solutions(label))
    };
    let label = text.rfind([':', '>', '=', ')', '#', '.']).filter(is_label);
    let behind = label.and_then(|at| text.get(at + 1..));
    [Some(&text[..]), behind].into_iter().flatten().any(|text| {
        let mut pieces = Vec::new();
        Splitter::new(false, n).take(1, text.as_bytes(), &mut pieces);
        let [Piece::Unit(unit)] = &pieces[..] else { return false };
        let max = i64::try_from(n).unwrap_or(i64::MAX);
        let is_small = |number: &Number| number.value == NO_VALUE || (0..=max).contains(&number.value);
        let (count, is_bare) = (unit.numbers.len(), unit.words.is_empty());
        // The numbers of boards beside each other.
        if count < n && count > 1 && units::is_counting(&unit.numbers) {
            return false;
        }
        let are_values =
            count >= n.max(3) - 1 && unit.numbers.iter().filter(|number| is_small(number)).count() + 1 >= n;
        let is_word = n > 3 && count == 1 && unit.numbers[0].digits as usize == n;
        is_bare
            && !are_names(&unit.numbers, n)
            && (are_values && (count <= n + 1 || count % n == 0) || is_word)
    })
}
