//! Which symbol of a board is a queen: the one that stands once in every row.

use std::collections::HashMap;

use super::cells::{BLANK, Symbol, character, plain};

/// The symbols of queens and empty squares, as the user names them; `None` to detect them.
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
    pub fn of<'r>(rows: impl Iterator<Item = (&'r [Symbol], u32)>) -> Self {
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

/// Empty squares look the same, or alternate between two symbols.
const MAX_EMPTY: usize = 2;

/// The columns of the queens of `rows`: of the only symbol that stands exactly once in every row, or else of the only square in each row
/// that differs from the other squares, which are one symbol, or two that alternate as on a chessboard.
pub(super) fn queens(rows: &[&[Symbol]], named: Symbols) -> Option<Vec<u32>> {
    let columns = match named.queen {
        Some(queen) => positions(rows, |symbol| plain(symbol) == u64::from(u32::from(queen))),
        None => single(rows).or_else(|| exceptions(rows)),
    }?;
    // Brackets and separators are signs of lists.
    let is_sign = |(row, &column): (&&[Symbol], &u32)| {
        character(row[column as usize]).is_some_and(|c| "[](){},;".contains(c))
    };
    if named.queen.is_none() && rows.iter().zip(&columns).all(is_sign) {
        return None;
    }
    let is_empty =
        |symbol: Symbol| named.empty.is_none_or(|empty| plain(symbol) == u64::from(u32::from(empty)));
    let others_are_empty = rows
        .iter()
        .zip(&columns)
        .all(|(row, &column)| (0..).zip(*row).all(|(other, &symbol)| other == column || is_empty(symbol)));
    others_are_empty.then_some(columns)
}

/// Whether a row has no more different symbols than a queen and empty squares have.
pub(super) fn may_be_row(row: &[Symbol]) -> bool {
    different(MAX_EMPTY + 1, row).is_some()
}

/// The different symbols, if there are at most `max`.
fn different<'s>(max: usize, symbols: impl IntoIterator<Item = &'s Symbol>) -> Option<Vec<Symbol>> {
    let mut different = Vec::with_capacity(max + 1);
    let is_within = symbols.into_iter().all(|symbol| {
        if !different.contains(symbol) {
            different.push(*symbol);
        }
        different.len() <= max
    });
    is_within.then_some(different)
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

/// Whether a symbol is a letter, or a sign that is not on every keyboard.
fn is_letter(symbol: Symbol) -> bool {
    character(symbol).is_some_and(|c| c.is_alphanumeric() && c != '0' || !c.is_ascii() && c != '·')
}

/// The columns of the only symbol that stands exactly once in every row, if the other symbols can be empty squares.
fn single(rows: &[&[Symbol]]) -> Option<Vec<u32>> {
    let mut all: Option<(Symbol, Vec<u32>)> = None;
    let first = rows.first()?;
    for (column, &symbol) in first.iter().enumerate() {
        if first.iter().enumerate().any(|(other, &one)| one == symbol && other != column) {
            continue;
        }
        let Some(columns) = positions(rows, |other| other == symbol) else { continue };
        match &all {
            // On a board of two rows, queens and empty squares are interchangeable, and both boards have the same faults.
            Some((other, _)) if rows.len() == 2 && is_letter(symbol) <= is_letter(*other) => {}
            Some(_) if rows.len() > 2 => return None,
            _ => all = Some((symbol, columns)),
        }
    }
    let (queen, columns) = all?;
    let empty = different(MAX_EMPTY, rows.iter().copied().flatten().filter(|symbol| **symbol != queen))?;
    // A symbol that is missing in several rows belongs to a heading. In one row, the queen may stand on its only square.
    let is_in_rows = |symbol| rows.iter().filter(|row| row.contains(symbol)).count() + 1 >= rows.len();
    empty.iter().all(is_in_rows).then_some(columns)
}

/// The columns of the squares that differ from the ground, if there is exactly one in each row.
fn exceptions(rows: &[&[Symbol]]) -> Option<Vec<u32>> {
    if rows.len() < 3 {
        return None;
    }
    // A row with one exception has few squares that differ from the one two columns before. Most sentences have more.
    let first = rows[0];
    let differs = |column: usize| column >= 2 && first[column] != first[column - 2];
    if (0..first.len()).filter(|&column| differs(column)).count() > 4 {
        return None;
    }
    let ground = [majority(rows, 0)?, majority(rows, 1)?];
    let exception = |(row, cells): (usize, &&[Symbol])| {
        let differs = |(column, symbol): &(usize, &Symbol)| **symbol != ground[(row + column) % 2];
        let mut exceptions = cells.iter().enumerate().filter(differs);
        let (column, symbol) = exceptions.next()?;
        let is_queen = exceptions.next().is_none() && !ground.contains(symbol);
        if is_queen { u32::try_from(column).ok() } else { None }
    };
    let columns: Vec<u32> = rows.iter().enumerate().map(exception).collect::<Option<_>>()?;
    // Queens on the same ground look the same, or queens are numbered.
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
    let are_two = symbols.iter().all(is_repeated);
    symbols.dedup();
    queens.sort_unstable();
    queens.dedup();
    let is_same = queens.windows(2).all(|two| two[0].0 != two[1].0);
    (is_same || symbols.len() == 2 && are_two || symbols.len() == rows.len()).then_some(columns)
}

/// The symbol on more than half of the squares of one colour of a chessboard, by the vote of Boyer and Moore.
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

    fn read(board: &[&str], named: Symbols) -> Option<Vec<u32>> {
        let rows: Vec<Vec<Symbol>> =
            board.iter().map(|row| row.chars().map(|c| u64::from(u32::from(c))).collect()).collect();
        queens(&rows.iter().map(Vec::as_slice).collect::<Vec<_>>(), named)
    }

    #[test]
    fn only_symbol_once_per_row_is_queen() {
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
    fn rows_without_one_queen_are_not_boards() {
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
    fn symbols_of_the_user_decide() {
        let board = [".Qx.", "x..Q", "Q..x", ".xQ."];
        let named = |queen, empty| Symbols { queen, empty };
        assert_eq!(read(&board, named(Some('Q'), None)), Some(vec![1, 3, 0, 2]));
        assert_eq!(read(&board, named(Some('x'), None)), Some(vec![2, 0, 3, 1]));
        assert_eq!(read(&board, named(Some('Q'), Some('.'))), None);
        assert_eq!(read(&[".Q", "Q."], Symbols::default()), Some(vec![1, 0]));
    }
}
