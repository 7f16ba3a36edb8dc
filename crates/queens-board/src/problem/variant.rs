//! Variants: rules that decide which squares attack each other. Each variant is defined twice: by lines for solvers, and by pairs of
//! squares for judges. The two definitions share no code.

use std::collections::BTreeMap;

use super::regions::{Regions, touching_blocks};
use super::{Line, Rule};
use crate::{Square, lines};

/// Rules that decide which squares attack each other.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Variant {
    /// Rows, columns and diagonals (A000170).
    #[default]
    Queens,
    /// Queens on a torus, also called modular queens: diagonals continue on the opposite side (A051906).
    Toroidal,
    /// Rows, columns and rising diagonals (A099152).
    Semiqueens,
    /// Queens that also move like a knight, also called amazons (A051223).
    Superqueens,
    /// Reflecting queens: there is a row of mirrors above the top row. A diagonal that reaches a mirror continues along the other
    /// diagonal through this mirror (A007631; Klarner, Amer. Math. Monthly 74, 1967).
    Reflecting,
    /// Rows and columns. The solutions are the n! permutations (A000142).
    Rooks,
    /// Rows, columns and coloured regions; no two queens are on adjacent squares.
    Regions(Regions),
}

impl Variant {
    /// The variants that are defined for every board size.
    pub const NAMED: [Variant; 6] = [
        Variant::Queens,
        Variant::Toroidal,
        Variant::Semiqueens,
        Variant::Superqueens,
        Variant::Reflecting,
        Variant::Rooks,
    ];

    /// The name on the command line and in CSV files.
    pub fn name(&self) -> &'static str {
        match self {
            Variant::Queens => "queens",
            Variant::Toroidal => "toroidal",
            Variant::Semiqueens => "semiqueens",
            Variant::Superqueens => "superqueens",
            Variant::Reflecting => "reflecting",
            Variant::Rooks => "rooks",
            Variant::Regions(_) => "regions",
        }
    }

    /// The lines of an `n` by `n` board: the rows from top to bottom, the columns from left to right, then the other lines.
    pub(super) fn lines(&self, n: usize) -> impl Iterator<Item = Line> + '_ {
        let other_lines: Box<dyn Iterator<Item = Vec<Square>>> = match self {
            Variant::Queens => Box::new(lines::diagonals(n)),
            Variant::Toroidal => Box::new(continued_diagonals(n)),
            Variant::Semiqueens => Box::new(lines::rising_diagonals(n)),
            Variant::Superqueens => Box::new(lines::diagonals(n).chain(knight_moves(n))),
            Variant::Reflecting => Box::new(reflected_diagonals(n)),
            Variant::Rooks => Box::new(std::iter::empty()),
            Variant::Regions(_) => Box::new(touching_blocks(n)),
        };
        let regions = match self {
            Variant::Regions(regions) => regions.squares(),
            _ => Vec::new(),
        };
        let required_lines = lines::rows(n).chain(lines::columns(n)).chain(regions);
        let other_lines = other_lines.filter(|squares| squares.len() > 1);
        required_lines
            .map(|squares| Line { rule: Rule::ExactlyOne, squares })
            .chain(other_lines.map(|squares| Line { rule: Rule::AtMostOne, squares }))
    }

    /// Whether queens on two different squares attack each other.
    pub fn attacks(&self, n: usize, a: Square, b: Square) -> bool {
        let distances = (a.row.abs_diff(b.row), a.column.abs_diff(b.column));
        match self {
            _ if a.row == b.row || a.column == b.column => true,
            Variant::Queens => a.attacks(b),
            Variant::Toroidal => {
                let sums = (a.row + a.column).abs_diff(b.row + b.column);
                let differences = (a.row + b.column).abs_diff(b.row + a.column);
                sums.is_multiple_of(n) || differences.is_multiple_of(n)
            }
            Variant::Semiqueens => a.row + a.column == b.row + b.column,
            Variant::Superqueens => a.attacks(b) || matches!(distances, (1, 2) | (2, 1)),
            // The queens attack each other if diagonals of both queens reach the same mirror.
            Variant::Reflecting => mirrors(a).iter().any(|mirror| mirrors(b).contains(mirror)),
            Variant::Rooks => false,
            Variant::Regions(regions) => regions.attacks(a, b),
        }
    }

    /// Describes why two squares attack each other, for example `same diagonal`. The squares must attack each other.
    pub fn shared(&self, a: Square, b: Square) -> String {
        let description = match self {
            _ if a.row == b.row => "same row",
            _ if a.column == b.column => "same column",
            Variant::Regions(regions) if regions.region(a) == regions.region(b) => {
                return format!("same region {}", regions.letter(a));
            }
            Variant::Regions(_) => "touching",
            _ if a.attacks(b) => "same diagonal",
            Variant::Toroidal => "same diagonal, which continues on the opposite side",
            Variant::Reflecting => "same diagonal, which is reflected at the top",
            _ => "a knight's move apart",
        };
        description.to_owned()
    }
}

/// The diagonals of a torus: `n` falling and `n` rising diagonals of `n` squares each.
fn continued_diagonals(n: usize) -> impl Iterator<Item = Vec<Square>> {
    let squares = move |column: &dyn Fn(usize) -> usize| -> Vec<Square> {
        (0..n).map(|row| Square { row, column: column(row) % n }).collect()
    };
    let falling = (0..n).map(move |start| squares(&|row| start + row));
    let rising = (0..n).map(move |start| squares(&|row| start + n - row));
    falling.chain(rising)
}

/// Each pair of squares that are a knight's move apart.
fn knight_moves(n: usize) -> impl Iterator<Item = Vec<Square>> {
    let step = move |square: Square, down: usize, right: isize| {
        let column = square.column.checked_add_signed(right).filter(|&column| column < n)?;
        Some(Square { row: square.row + down, column }).filter(|square| square.row < n)
    };
    lines::rows(n).flatten().flat_map(move |square| {
        let moves = [(1, -2), (1, 2), (2, -1), (2, 1)];
        moves.into_iter().filter_map(move |(down, right)| Some(vec![square, step(square, down, right)?]))
    })
}

/// The columns in which the rising and the falling diagonal of a queen reach the row of mirrors. A column outside `0..n` has no mirror, but
/// still identifies the diagonal.
fn mirrors(square: Square) -> [isize; 2] {
    let (row, column) = (square.row as isize, square.column as isize);
    [column + row + 1, column - row - 1]
}

/// All diagonals of a reflecting board. The two diagonals that reach the same mirror are one line.
fn reflected_diagonals(n: usize) -> impl Iterator<Item = Vec<Square>> {
    let mut squares_of: BTreeMap<isize, Vec<Square>> = BTreeMap::new();
    for square in lines::rows(n).flatten() {
        mirrors(square).into_iter().for_each(|mirror| squares_of.entry(mirror).or_default().push(square));
    }
    squares_of.into_values()
}
