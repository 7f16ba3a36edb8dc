//! Finds the symbol of the queens of a board: the symbol that stands exactly once in every row.

use std::collections::HashMap;

use super::cells::{BLANK, Symbol, character, without_colours};

/// The symbols of queens and empty squares, as the user gave them; `None` to detect them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Symbols {
    /// The symbol of a queen.
    pub queen: Option<char>,
    /// The symbol of an empty square.
    pub empty: Option<char>,
}

/// The symbols of the queens and of the empty squares of some boards.
#[derive(Clone, Debug, Default)]
pub(super) struct Roles {
    queens: Vec<Symbol>,
    empty: Vec<Symbol>,
}

impl Roles {
    /// The roles of the symbols in some rows. `rows`: the symbols of each row, and the column of its queen.
    pub fn from_rows<'r>(rows: impl Iterator<Item = (&'r [Symbol], u32)>) -> Self {
        let mut counts: HashMap<Symbol, [usize; 2]> = HashMap::new();
        for (row, queen) in rows {
            for (column, &symbol) in (0..).zip(row) {
                counts.entry(symbol).or_default()[usize::from(column == queen)] += 1;
            }
        }
        let (queens, empty) =
            counts.into_iter().partition::<Vec<_>, _>(|(_, [empty, queens])| queens > empty);
        let symbols = |counts: Vec<(Symbol, _)>| counts.into_iter().map(|(symbol, _)| symbol).collect();
        Self { queens: symbols(queens), empty: symbols(empty) }
    }

    /// The columns of the queens in a row; `None` if the row has a symbol without a role.
    pub fn queens(&self, row: &[Symbol]) -> Option<Vec<u32>> {
        let mut queens = Vec::new();
        for (column, symbol) in (0..).zip(row) {
            if self.queens.contains(symbol) {
                queens.push(column);
            } else if !self.empty.contains(symbol) {
                return None;
            }
        }
        Some(queens)
    }

    /// Whether a symbol has a role.
    pub fn contains(&self, symbol: Symbol) -> bool {
        self.queens.contains(&symbol) || self.empty.contains(&symbol)
    }

    /// Whether queens are ones and empty squares zeros.
    pub fn is_binary(&self) -> bool {
        self.queens == [u64::from(b'1')] && self.empty == [u64::from(b'0')]
    }
}

/// The maximum number of symbols of empty squares: all are the same, or they alternate between two symbols.
const MAX_EMPTY: usize = 2;

/// The columns of the queens in `rows`. The queens are the only symbol that stands exactly once in every row. If there is none,
/// the queen of each row is the only square that differs from the empty squares, whose symbols are equal or alternate as on a
/// chessboard.
pub(super) fn queens(rows: &[&[Symbol]], given_symbols: Symbols) -> Option<Vec<u32>> {
    let columns = match given_symbols.queen {
        Some(queen) => positions(rows, |symbol| without_colours(symbol) == u64::from(u32::from(queen))),
        None => columns_of_single_symbol(rows).or_else(|| columns_of_exceptions(rows)),
    }?;
    // Brackets and separators are not queens, but parts of lists.
    let is_sign = |(row, &column): (&&[Symbol], &u32)| {
        character(row[column as usize]).is_some_and(|c| "[](){},;".contains(c))
    };
    if given_symbols.queen.is_none() && rows.iter().zip(&columns).all(is_sign) {
        return None;
    }
    let is_empty = |symbol: Symbol| {
        given_symbols.empty.is_none_or(|empty| without_colours(symbol) == u64::from(u32::from(empty)))
    };
    let others_are_empty = rows
        .iter()
        .zip(&columns)
        .all(|(row, &column)| (0..).zip(*row).all(|(other, &symbol)| other == column || is_empty(symbol)));
    others_are_empty.then_some(columns)
}

/// Whether the number of different symbols in a row is at most that of a queen and empty squares.
pub(super) fn may_be_row(row: &[Symbol]) -> bool {
    distinct_symbols(MAX_EMPTY + 1, row).is_some()
}

/// The different symbols, if there are at most `max`.
fn distinct_symbols<'s>(max: usize, symbols: impl IntoIterator<Item = &'s Symbol>) -> Option<Vec<Symbol>> {
    let mut distinct = Vec::with_capacity(max + 1);
    let is_within_max = symbols.into_iter().all(|symbol| {
        if !distinct.contains(symbol) {
            distinct.push(*symbol);
        }
        distinct.len() <= max
    });
    is_within_max.then_some(distinct)
}

/// The position of the only symbol in each row for which `is_queen` holds.
fn positions(rows: &[&[Symbol]], is_queen: impl Fn(Symbol) -> bool) -> Option<Vec<u32>> {
    let mut columns = Vec::new();
    for row in rows {
        let mut queen = None;
        for (column, &symbol) in row.iter().enumerate() {
            if is_queen(symbol) && queen.replace(column).is_some() {
                return None;
            }
        }
        columns.push(u32::try_from(queen?).ok()?);
    }
    Some(columns)
}

/// Whether a symbol is a letter, a digit other than 0, or a sign outside of ASCII other than `·`.
fn is_likely_queen(symbol: Symbol) -> bool {
    character(symbol).is_some_and(|c| c.is_alphanumeric() && c != '0' || !c.is_ascii() && c != '·')
}

/// The columns of the only symbol that stands exactly once in every row, if the other symbols can be empty squares.
fn columns_of_single_symbol(rows: &[&[Symbol]]) -> Option<Vec<u32>> {
    let mut single_symbol: Option<(Symbol, Vec<u32>)> = None;
    let first_row = rows.first()?;
    for (column, &symbol) in first_row.iter().enumerate() {
        if first_row.iter().enumerate().any(|(other, &one)| one == symbol && other != column) {
            continue;
        }
        let Some(columns) = positions(rows, |other| other == symbol) else { continue };
        match &single_symbol {
            // In two rows, queens and empty squares are interchangeable: the board has the same faults either way.
            Some((other, _)) if rows.len() == 2 && is_likely_queen(symbol) <= is_likely_queen(*other) => {}
            Some(_) if rows.len() > 2 => return None,
            _ => single_symbol = Some((symbol, columns)),
        }
    }
    let (queen, columns) = single_symbol?;
    let empty_symbols =
        distinct_symbols(MAX_EMPTY, rows.iter().copied().flatten().filter(|symbol| **symbol != queen))?;
    // An empty square may be missing in one row, where the queen stands on its only square. A symbol that is missing in several
    // rows belongs to a heading.
    let is_in_rows = |symbol| rows.iter().filter(|row| row.contains(symbol)).count() + 1 >= rows.len();
    empty_symbols.iter().all(is_in_rows).then_some(columns)
}

/// The columns of the squares that differ from the empty squares, if there is exactly one in each row.
fn columns_of_exceptions(rows: &[&[Symbol]]) -> Option<Vec<u32>> {
    if rows.len() < 3 {
        return None;
    }
    // In a row with one exception, few squares differ from the square two columns before. In most sentences, more letters differ
    // from the letter two columns before.
    let first_row = rows[0];
    let differs = |column: usize| column >= 2 && first_row[column] != first_row[column - 2];
    if (0..first_row.len()).filter(|&column| differs(column)).count() > 4 {
        return None;
    }
    // The symbols of light and dark empty squares.
    let empty_symbols = [majority(rows, 0)?, majority(rows, 1)?];
    let exception = |(row, cells): (usize, &&[Symbol])| {
        let differs = |(column, symbol): &(usize, &Symbol)| **symbol != empty_symbols[(row + column) % 2];
        let mut exceptions = cells.iter().enumerate().filter(differs);
        let (column, symbol) = exceptions.next()?;
        let is_queen = exceptions.next().is_none() && !empty_symbols.contains(symbol);
        if is_queen { u32::try_from(column).ok() } else { None }
    };
    let columns: Vec<u32> = rows.iter().enumerate().map(exception).collect::<Option<_>>()?;
    // The queens must be digits, look the same on squares of the same colour, be of two repeated kinds, or all be different.
    let mut queens: Vec<(usize, Symbol)> = (0..)
        .zip(rows.iter().zip(&columns))
        .map(|(row, (cells, &column)): (usize, _)| ((row + column as usize) % 2, cells[column as usize]))
        .collect();
    let is_digit = |&(_, symbol): &(usize, Symbol)| character(symbol).is_some_and(|c| c.is_ascii_digit());
    if queens.iter().all(is_digit) {
        return Some(columns);
    }
    let mut symbols: Vec<Symbol> = queens.iter().map(|(_, symbol)| *symbol).collect();
    symbols.sort_unstable();
    let is_repeated = |symbol: &Symbol| symbols.iter().filter(|&other| other == symbol).count() > 1;
    let are_all_repeated = symbols.iter().all(is_repeated);
    symbols.dedup();
    queens.sort_unstable();
    queens.dedup();
    let look_same_by_colour = queens.windows(2).all(|two| two[0].0 != two[1].0);
    let are_two_kinds = symbols.len() == 2 && are_all_repeated;
    (look_same_by_colour || are_two_kinds || symbols.len() == rows.len()).then_some(columns)
}

/// The symbol on more than half of the squares of one colour of a chessboard, by the majority vote algorithm of Boyer and Moore.
fn majority(rows: &[&[Symbol]], parity: usize) -> Option<Symbol> {
    let squares =
        || rows.iter().enumerate().flat_map(|(row, cells)| cells[(row + parity) % 2..].iter().step_by(2));
    let (mut candidate, mut votes) = (BLANK, 0_usize);
    for &square in squares() {
        match votes {
            _ if square == candidate => votes += 1,
            0 => (candidate, votes) = (square, 1),
            _ => votes -= 1,
        }
    }
    let count = squares().filter(|&&square| square == candidate).count();
    (2 * count > squares().count()).then_some(candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(board: &[&str], given_symbols: Symbols) -> Option<Vec<u32>> {
        let rows: Vec<Vec<Symbol>> =
            board.iter().map(|row| row.chars().map(|c| u64::from(u32::from(c))).collect()).collect();
        queens(&rows.iter().map(Vec::as_slice).collect::<Vec<_>>(), given_symbols)
    }

    #[test]
    fn symbol_that_occurs_once_per_row_is_queen() {
        let expected = Some(vec![1, 3, 0, 2]);
        for board in [
            [".Q..", "...Q", "Q...", "..Q."],
            ["QOQQ", "QQQO", "OQQQ", "QQOQ"],
            [".1..", "...2", "3...", "..4."],
            [" Q .", ". .Q", "Q. .", ". Q "],
            [" a .", ". .b", "b. .", ". a "],
        ] {
            assert_eq!(read(&board, Symbols::default()), expected, "{board:?}");
        }
    }

    #[test]
    fn rows_without_exactly_one_queen_are_not_board() {
        for board in [
            ["this", "that", "them", "then"],
            [".Q..", "...Q", "....", "..Q."],
            [".Qx.", "x..Q", "Q..x", ".xQ."],
            ["####", "####", "####", "####"],
            ["....", "....", "QQQQ", "...."],
        ] {
            assert_eq!(read(&board, Symbols::default()), None, "{board:?}");
        }
    }

    #[test]
    fn specified_symbols_determine_which_squares_have_queens() {
        let board = [".Qx.", "x..Q", "Q..x", ".xQ."];
        let symbols = |queen, empty| Symbols { queen, empty };
        assert_eq!(read(&board, symbols(Some('Q'), None)), Some(vec![1, 3, 0, 2]));
        assert_eq!(read(&board, symbols(Some('x'), None)), Some(vec![2, 0, 3, 1]));
        assert_eq!(read(&board, symbols(Some('Q'), Some('.'))), None);
        assert_eq!(read(&[".Q", "Q."], Symbols::default()), Some(vec![1, 0]));
    }
}
