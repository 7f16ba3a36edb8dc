//! Recognises tables of numbers. The rows of a table follow each other and have equally many numbers, as boards may have, but the
//! numbers cannot be boards.

use super::lines::Line;
use super::sequences::{Number, Piece, Sequence, is_consecutive, is_full_range, is_pairs, split, values};
use crate::statement;

/// For each line, whether it is a row of a table.
pub(super) fn rows(lines: &[&Line], n: usize) -> Vec<bool> {
    let mut is_row = vec![false; lines.len()];
    // Consecutive rows with their indices.
    let mut rows: Vec<(usize, Sequence)> = Vec::new();
    // The number of fields of the heading above these rows, and the number of the last line.
    let (mut heading_fields, mut last) = (0, 0);
    for (index, line) in lines.iter().enumerate().filter(|_| n > 3) {
        let text = plaintext::decode(&line.text);
        // With n = 1, each line is one sequence.
        let piece = split(&line.text, false, 1).pop();
        // A rule may stand between two rows.
        let is_next = !line.is_break() && !text.trim().is_empty() && line.number <= last + 2;
        last = line.number;
        match (piece, is_next) {
            (Some(Piece::End), true) if !text.contains(char::is_alphabetic) => {}
            (Some(Piece::Sequence(sequence)), true) => rows.push((index, sequence)),
            (piece, _) => {
                mark_tables(&std::mem::take(&mut rows), heading_fields, n, &mut is_row);
                heading_fields = statement::fields(&text).len();
                if let Some(Piece::Sequence(sequence)) = piece {
                    (rows, heading_fields) = (vec![(index, sequence)], 0);
                }
            }
        }
    }
    mark_tables(&rows, heading_fields, n, &mut is_row);
    is_row
}

/// Marks the rows of tables among consecutive rows. `heading_fields`: the number of fields of the heading above.
fn mark_tables(rows: &[(usize, Sequence)], heading_fields: usize, n: usize, is_row: &mut [bool]) {
    // A heading of numbers may have no number above the labels of the rows.
    let may_be_same_table = |(_, row): &(usize, Sequence), (_, next): &(usize, Sequence)| {
        let (count, next_count) = (row.numbers.len(), next.numbers.len());
        let is_long = count >= n;
        count == next_count && (is_long || row.wording == next.wording) || is_long && count + 1 == next_count
    };
    for (index, table) in rows.chunk_by(may_be_same_table).enumerate() {
        let sequences: Vec<&Sequence> = table.iter().map(|(_, sequence)| sequence).collect();
        if is_table(&sequences, if index == 0 { heading_fields } else { 0 }, n) {
            table.iter().for_each(|(index, _)| is_row[*index] = true);
        }
    }
}

/// Whether rows are a table. They must not contain a board. Either the heading has a field for each column and the rows have no
/// words, or not all numbers are rows and columns of a board.
fn is_table(rows: &[&Sequence], heading_fields: usize, n: usize) -> bool {
    let count = rows[0].numbers.len();
    let is_board = |numbers: &[Number]| is_full_range(values(numbers)) && !is_consecutive(numbers);
    let are_digits =
        |number: &Number| number.digits as usize == n && is_full_range(number.digit_values().collect());
    let has_board = |row: &&Sequence| {
        row.wording.has_brackets
            || row.numbers.windows(n).any(is_board)
            || is_pairs(&row.numbers, n)
            || row.numbers.iter().any(are_digits)
    };
    // Each row may be one queen of a board.
    let column =
        |rows: &[&Sequence], index: usize| rows.iter().map(|row| row.numbers[index]).collect::<Vec<Number>>();
    let are_queens = |rows: &[&Sequence]| count < n && (0..count).any(|index| is_board(&column(rows, index)));
    if rows.len() < 2 || count < 2 || rows.iter().any(has_board) || rows.windows(n).any(are_queens) {
        return false;
    }
    // Whether numbers are rows or columns of a board that are counted from 0, or from 1.
    let are_on_board = |numbers: &[Number]| {
        [0, 1]
            .iter()
            .any(|base| numbers.iter().all(|number| (*base..*base + n as i64).contains(&number.value)))
    };
    let may_be_board = if count < n {
        // Each row may be the row and column of a queen.
        (0..count).all(|index| are_on_board(&column(rows, index)))
    } else {
        // A label may stand before the last `n` numbers of each row.
        let columns = rows.iter().flat_map(|row| &row.numbers[row.numbers.len() - n..]);
        are_on_board(&columns.copied().collect::<Vec<Number>>())
    };
    let has_heading = heading_fields == count && rows.iter().all(|row| row.wording.is_empty());
    has_heading || !may_be_board && (rows.len() > 2 || rows[0].wording != rows[1].wording)
}
