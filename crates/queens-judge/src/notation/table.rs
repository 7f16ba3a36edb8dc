//! Tables of numbers. Their rows follow each other and have equally many numbers, as boards may have, but they cannot be boards.

use super::lines::Line;
use super::units::{Number, Piece, Splitter, Unit, is_counting, is_pairs, is_range};
use crate::statement;

/// Whether each of some lines is a row of a table.
pub(super) fn rows(lines: &[&Line], n: usize) -> Vec<bool> {
    let mut is_row = vec![false; lines.len()];
    // The rows that follow each other, with their indices, and the number of fields of the heading above.
    let (mut rows, mut heading, mut last): (Vec<(usize, Unit)>, usize, u64) = (Vec::new(), 0, 0);
    for (at, line) in lines.iter().enumerate().filter(|_| n > 3) {
        let text = plaintext::decode(&line.text);
        let mut pieces = Vec::new();
        // Each line is one unit, as for boards of one square.
        Splitter::new(false, 1).take(line.number, &line.text, &mut pieces);
        // A rule may be between two rows.
        let is_next = !line.is_break() && !text.trim().is_empty() && line.number <= last + 2;
        last = line.number;
        match (pieces.pop(), is_next) {
            (Some(Piece::End), true) if !text.contains(char::is_alphabetic) => {}
            (Some(Piece::Unit(unit)), true) => rows.push((at, unit)),
            (piece, _) => {
                mark_tables(&std::mem::take(&mut rows), heading, n, &mut is_row);
                heading = statement::fields(&text).len();
                if let Some(Piece::Unit(unit)) = piece {
                    (rows, heading) = (vec![(at, unit)], 0);
                }
            }
        }
    }
    mark_tables(&rows, heading, n, &mut is_row);
    is_row
}

fn mark_tables(rows: &[(usize, Unit)], heading: usize, n: usize, is_row: &mut [bool]) {
    // A heading may lack the label that rows have.
    let go_on = |(_, one): &(usize, Unit), (_, next): &(usize, Unit)| {
        let (count, next_count) = (one.numbers.len(), next.numbers.len());
        let is_long = count >= n;
        count == next_count && (is_long || one.words == next.words) || is_long && count + 1 == next_count
    };
    for (number, table) in rows.chunk_by(go_on).enumerate() {
        let units: Vec<&Unit> = table.iter().map(|(_, unit)| unit).collect();
        if is_table(&units, if number == 0 { heading } else { 0 }, n) {
            table.iter().for_each(|(at, _)| is_row[*at] = true);
        }
    }
}

/// Whether rows are a table: they have a heading for each column, or names, and not all of their numbers are on one board.
fn is_table(rows: &[&Unit], heading: usize, n: usize) -> bool {
    let count = rows[0].numbers.len();
    let values = |numbers: &[Number]| numbers.iter().map(|number| number.value).collect::<Vec<i64>>();
    let is_board = |numbers: &[Number]| is_range(values(numbers)) && !is_counting(numbers);
    let are_digits = |number: &Number| number.digits as usize == n && is_range(number.values().collect());
    let has_board = |unit: &&Unit| {
        let numbers = &unit.numbers;
        let has_brackets = unit.words.has_brackets;
        has_brackets
            || numbers.windows(n).any(is_board)
            || is_pairs(numbers, n)
            || numbers.iter().any(are_digits)
    };
    // Each of several rows may be one queen.
    let place =
        |rows: &[&Unit], place: usize| rows.iter().map(|unit| unit.numbers[place]).collect::<Vec<_>>();
    let are_queens = |rows: &[&Unit]| count < n && (0..count).any(|at| is_board(&place(rows, at)));
    if rows.len() < 2 || count < 2 || rows.iter().any(has_board) || rows.windows(n).any(are_queens) {
        return false;
    }
    let max = i64::try_from(n).unwrap_or(i64::MAX);
    // Numbers of one board count from 0, or from 1.
    let are_on_board = |numbers: &dyn Fn(&Unit) -> Vec<i64>| {
        let is_on_board = |base: &i64| {
            rows.iter().flat_map(|unit| numbers(unit)).all(|value| (*base..base + max).contains(&value))
        };
        [0, 1].iter().any(is_on_board)
    };
    let is_possible = if count < n {
        // A row and a column, or several.
        (0..count).all(|place| are_on_board(&|unit| vec![unit.numbers[place].value]))
    } else {
        // Before the columns may be a label.
        are_on_board(&|unit| values(&unit.numbers[unit.numbers.len() - n..]))
    };
    let is_named = heading == count && rows.iter().all(|unit| unit.words.is_empty());
    is_named || !is_possible && (rows.len() > 2 || rows[0].words != rows[1].words)
}
