//! Tables of numbers. Their rows follow each other and have equally many numbers, as boards may have, but they cannot be boards.

use super::lines::Line;
use super::sequences::{Number, Piece, Sequence, is_consecutive, is_full_range, is_pairs, split, values};
use crate::statement;

/// Whether each of some lines is a row of a table.
pub(super) fn rows(lines: &[&Line], n: usize) -> Vec<bool> {
    let mut is_row = vec![false; lines.len()];
    // The rows that follow each other, with their indices, and the number of fields of the heading above.
    let (mut rows, mut heading, mut last): (Vec<(usize, Sequence)>, usize, u64) = (Vec::new(), 0, 0);
    for (at, line) in lines.iter().enumerate().filter(|_| n > 3) {
        let text = plaintext::decode(&line.text);
        // Each line is one sequence, as for boards of one square.
        let piece = split(&line.text, false, 1).pop();
        // A rule may be between two rows.
        let is_next = !line.is_break() && !text.trim().is_empty() && line.number <= last + 2;
        last = line.number;
        match (piece, is_next) {
            (Some(Piece::End), true) if !text.contains(char::is_alphabetic) => {}
            (Some(Piece::Sequence(sequence)), true) => rows.push((at, sequence)),
            (piece, _) => {
                mark_tables(&std::mem::take(&mut rows), heading, n, &mut is_row);
                heading = statement::fields(&text).len();
                if let Some(Piece::Sequence(sequence)) = piece {
                    (rows, heading) = (vec![(at, sequence)], 0);
                }
            }
        }
    }
    mark_tables(&rows, heading, n, &mut is_row);
    is_row
}

/// Marks the rows of tables among rows that follow each other. `heading`: the number of fields of the heading above.
fn mark_tables(rows: &[(usize, Sequence)], heading: usize, n: usize, is_row: &mut [bool]) {
    // A heading may lack the label that rows have.
    let go_on = |(_, one): &(usize, Sequence), (_, next): &(usize, Sequence)| {
        let (count, next_count) = (one.numbers.len(), next.numbers.len());
        let is_long = count >= n;
        count == next_count && (is_long || one.wording == next.wording) || is_long && count + 1 == next_count
    };
    for (index, table) in rows.chunk_by(go_on).enumerate() {
        let sequences: Vec<&Sequence> = table.iter().map(|(_, sequence)| sequence).collect();
        if is_table(&sequences, if index == 0 { heading } else { 0 }, n) {
            table.iter().for_each(|(at, _)| is_row[*at] = true);
        }
    }
}

/// Whether rows are a table: they have a heading for each column, or names, and not all of their numbers are on one board.
fn is_table(rows: &[&Sequence], heading: usize, n: usize) -> bool {
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
    // Each of several rows may be one queen.
    let column =
        |rows: &[&Sequence], at: usize| rows.iter().map(|row| row.numbers[at]).collect::<Vec<Number>>();
    let are_queens = |rows: &[&Sequence]| count < n && (0..count).any(|at| is_board(&column(rows, at)));
    if rows.len() < 2 || count < 2 || rows.iter().any(has_board) || rows.windows(n).any(are_queens) {
        return false;
    }
    // The numbers of one board count from 0, or from 1.
    let are_on_board = |numbers: &[Number]| {
        [0, 1]
            .iter()
            .any(|base| numbers.iter().all(|number| (*base..*base + n as i64).contains(&number.value)))
    };
    let may_be_board = if count < n {
        // A row and a column, or several.
        (0..count).all(|at| are_on_board(&column(rows, at)))
    } else {
        // Before the columns may be a label.
        let columns = rows.iter().flat_map(|row| &row.numbers[row.numbers.len() - n..]);
        are_on_board(&columns.copied().collect::<Vec<Number>>())
    };
    let has_names = heading == count && rows.iter().all(|row| row.wording.is_empty());
    has_names || !may_be_board && (rows.len() > 2 || rows[0].wording != rows[1].wording)
}
