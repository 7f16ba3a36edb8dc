//! Problems, and the definition of their solutions.
//!
//! A problem has `n` by `n` squares and *lines*, which are sets of squares. In a solution, each line holds exactly one queen or
//! at most one queen. In addition, a problem may have squares that must hold a queen and squares that must be empty. In every problem,
//! each row holds exactly one queen, so a solution is a [`super::Placement`].
//!
//! A [`Variant`] is defined twice: by its lines, for solvers, and by the pairs of squares that
//! attack each other, for [`Problem::is_solution`], which judges the solvers. The two definitions share no code.

mod diagonal;
mod regions;
mod text;
mod variant;

use super::symmetry::Symmetry;
use super::{BoardSize, FullLine, ProblemError, Square, squares};
pub use diagonal::Diagonal;
pub use regions::Regions;
pub use text::{read_diagonals, read_squares};
pub use variant::Variant;

/// The number of queens that a line holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// Exactly one queen.
    ExactlyOne,
    /// At most one queen.
    AtMostOne,
}

/// A set of squares, and the number of queens that these squares hold.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Line {
    /// The number of queens on the squares.
    pub rule: Rule,
    /// The squares, each once. An `AtMostOne` line has at least two.
    pub squares: Vec<Square>,
}

/// A problem. The default is the plain problem on the board without squares.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Problem {
    n: BoardSize,
    variant: Variant,
    /// The squares that must hold a queen, top row first.
    placed: Vec<Square>,
    /// The squares that are forbidden one by one, top row first.
    forbidden: Vec<Square>,
    /// The diagonals whose squares must not hold a queen, in ascending order.
    excluded: Vec<Diagonal>,
    /// All squares that must not hold a queen, top row first: forbidden squares, and the squares of excluded diagonals.
    barred: Vec<Square>,
}

impl Problem {
    /// The plain problem: `n` queens that do not attack each other.
    pub fn queens(n: BoardSize) -> Self {
        Self { n, ..Self::default() }
    }

    /// A variant on an `n` by `n` board.
    ///
    /// # Errors
    ///
    /// The variant has regions of another board, or the board is too large for it.
    pub fn new(n: BoardSize, variant: Variant) -> Result<Self, ProblemError> {
        match &variant {
            Variant::Regions(regions) if regions.size() != n.get() => {
                Err(ProblemError::OtherSize { rows: regions.size(), n })
            }
            Variant::Queens => Ok(Self::queens(n)),
            _ => Self { variant, ..Self::queens(n) }.validate(),
        }
    }

    /// Adds squares that must hold a queen. If two of these queens attack each other, the problem is valid, but has no solution.
    ///
    /// # Errors
    ///
    /// A square is outside the board or must not hold a queen.
    pub fn place(mut self, squares: impl IntoIterator<Item = Square>) -> Result<Self, ProblemError> {
        self.placed.extend(squares);
        self.validate()
    }

    /// Adds squares that must not hold a queen.
    ///
    /// # Errors
    ///
    /// A square is outside the board or must hold a queen, or a row, column or region has no other square.
    pub fn forbid(mut self, squares: impl IntoIterator<Item = Square>) -> Result<Self, ProblemError> {
        self.forbidden.extend(squares);
        self.validate()
    }

    /// Adds diagonals whose squares must not hold a queen.
    ///
    /// # Errors
    ///
    /// A diagonal has no square on the board or a square that must hold a queen, or a row, column or region has no other square.
    pub fn exclude(mut self, diagonals: impl IntoIterator<Item = Diagonal>) -> Result<Self, ProblemError> {
        self.excluded.extend(diagonals);
        self.validate()
    }

    /// Checks the problem, and sorts its squares and diagonals.
    fn validate(mut self) -> Result<Self, ProblemError> {
        if self.is_plain() {
            return Ok(self);
        }
        let n = self.n.get();
        if n > BoardSize::MAX {
            return Err(ProblemError::TooLarge(self.n));
        }
        let on_board = |square: &&Square| square.row < n && square.column < n;
        if let Some(&square) = self.placed.iter().chain(&self.forbidden).find(|square| !on_board(square)) {
            return Err(ProblemError::Outside { square, n: self.n });
        }
        if let Some(&diagonal) = self.excluded.iter().find(|diagonal| diagonal.squares(n).next().is_none()) {
            return Err(ProblemError::NoSuchDiagonal { diagonal, n: self.n });
        }
        let diagonal_squares = self.excluded.iter().flat_map(|diagonal| diagonal.squares(n));
        self.barred = self.forbidden.iter().copied().chain(diagonal_squares).collect();
        for squares in [&mut self.placed, &mut self.forbidden, &mut self.barred] {
            squares.sort_unstable();
            squares.dedup();
        }
        self.excluded.sort_unstable();
        self.excluded.dedup();
        if let Some(&square) = self.placed.iter().find(|&&square| !self.may_hold(square)) {
            return Err(ProblemError::Contradiction(square));
        }
        match self.full_line() {
            Some(line) => Err(ProblemError::FullLine(line)),
            None => Ok(self),
        }
    }

    /// A line that needs a queen, but has no square that may hold a queen.
    fn full_line(&self) -> Option<FullLine> {
        if self.barred.is_empty() {
            return None;
        }
        let n = self.n.get();
        let required_lines = self.lines().take_while(|line| line.rule == Rule::ExactlyOne);
        let is_full = |line: &Line| line.squares.iter().all(|&square| !self.may_hold(square));
        let (number, line) = required_lines.enumerate().find(|(_, line)| is_full(line))?;
        Some(match &self.variant {
            _ if number < n => FullLine::Row(number),
            Variant::Regions(regions) if number >= 2 * n => FullLine::Region(regions.letter(line.squares[0])),
            _ => FullLine::Column(number - n),
        })
    }

    /// The size of the board.
    pub fn n(&self) -> BoardSize {
        self.n
    }

    /// The variant.
    pub fn variant(&self) -> &Variant {
        &self.variant
    }

    /// The size and the rules in a few words, for messages: `8 queens`, `8 queens (toroidal, 2 placed)`.
    pub fn title(&self) -> String {
        let n = self.n.get();
        let squares = |count: usize, kind: &str| (count > 0).then(|| format!("{count} {kind}"));
        let variant = (self.variant != Variant::Queens).then(|| self.variant.name().to_owned());
        let rules: Vec<String> =
            [variant, squares(self.placed.len(), "placed"), squares(self.barred.len(), "forbidden")]
                .into_iter()
                .flatten()
                .collect();
        if rules.is_empty() { format!("{n} queens") } else { format!("{n} queens ({})", rules.join(", ")) }
    }

    /// The squares that must hold a queen, top row first.
    pub fn placed(&self) -> &[Square] {
        &self.placed
    }

    /// The squares that must not hold a queen, top row first. Squares of excluded diagonals are included only if they are also
    /// forbidden one by one.
    pub fn forbidden(&self) -> &[Square] {
        &self.forbidden
    }

    /// The diagonals whose squares must not hold a queen.
    pub fn excluded(&self) -> &[Diagonal] {
        &self.excluded
    }

    /// Whether this is the plain problem, which the textbook searchers and the counters solve.
    pub fn is_plain(&self) -> bool {
        self.variant == Variant::Queens && !self.is_restricted()
    }

    /// Whether any square must hold a queen or must not hold a queen.
    pub fn is_restricted(&self) -> bool {
        self.restrictions() > 0
    }

    /// The number of placed queens, forbidden squares and excluded diagonals.
    pub fn restrictions(&self) -> usize {
        self.placed.len() + self.forbidden.len() + self.excluded.len()
    }

    /// Whether a search may put a queen on a square: the square may hold a queen, and no other square of its row must hold a queen.
    pub fn is_open(&self, square: Square) -> bool {
        let first_in_row = self.placed.partition_point(|queen| queen.row < square.row);
        let queens_of_row = self.placed[first_in_row..].iter().take_while(|queen| queen.row == square.row);
        self.may_hold(square) && queens_of_row.into_iter().all(|&queen| queen == square)
    }

    /// Whether a square may hold a queen: it is neither forbidden nor on an excluded diagonal.
    pub fn may_hold(&self, square: Square) -> bool {
        self.barred.binary_search(&square).is_err()
    }

    /// The lines: the `n` rows from top to bottom, the `n` columns from left to right, then the other lines. Lines include
    /// squares that must not hold a queen.
    pub fn lines(&self) -> impl Iterator<Item = Line> + '_ {
        self.variant.lines(self.n.get())
    }

    /// The symmetries of the square that map the problem onto itself, the identity first.
    pub fn symmetries(&self) -> Vec<Symmetry> {
        if self.is_plain() {
            return Symmetry::ALL.to_vec();
        }
        let n = self.n.get();
        let is_symmetry = |symmetry: &Symmetry| self.is_invariant(|square| symmetry.square(n, square));
        Symmetry::ALL.into_iter().filter(is_symmetry).collect()
    }

    /// Whether cyclic shifts of the columns map the problem onto itself, as on the torus.
    pub fn is_invariant_under_column_shifts(&self) -> bool {
        let n = self.n.get();
        !self.is_plain() && self.is_invariant(|square| Square { column: (square.column + 1) % n, ..square })
    }

    /// Whether a permutation of the squares maps the problem onto itself.
    fn is_invariant(&self, map: impl Fn(Square) -> Square) -> bool {
        let sorted_image = |squares: &[Square], map: &dyn Fn(Square) -> Square| {
            let mut image: Vec<Square> = squares.iter().copied().map(map).collect();
            image.sort_unstable();
            image
        };
        let lines = |map: &dyn Fn(Square) -> Square| {
            let mut image: Vec<Line> =
                self.lines().map(|line| Line { squares: sorted_image(&line.squares, map), ..line }).collect();
            image.sort_unstable();
            image.dedup();
            image
        };
        sorted_image(&self.placed, &map) == self.placed
            && sorted_image(&self.barred, &map) == self.barred
            && lines(&map) == lines(&|square| square)
    }

    /// Whether all of these symmetries map the problem onto itself.
    pub fn has_symmetries(&self, symmetries: &[Symmetry]) -> bool {
        // Comparing all lines takes long on a large board; the identity needs no comparison.
        self.is_plain() || symmetries.iter().all(|symmetry| *symmetry == Symmetry::ALL[0]) || {
            let problem_symmetries = self.symmetries();
            symmetries.iter().all(|symmetry| problem_symmetries.contains(symmetry))
        }
    }

    /// Whether a placement is a solution.
    pub fn is_solution(&self, columns: &[u32]) -> bool {
        if self.is_plain() {
            return columns.len() == self.n.get() && super::is_solution(columns);
        }
        self.satisfies_rules(columns)
    }

    /// Checks each square and each pair of queens, in O(n^2) time. This function shares no code with any solver, because it is used
    /// to judge solvers.
    fn satisfies_rules(&self, columns: &[u32]) -> bool {
        let n = self.n.get();
        let attacks_an_upper_queen = |(row, lower): (usize, Square)| {
            squares(&columns[..row]).any(|upper| self.variant.attacks(n, upper, lower))
        };
        columns.len() == n
            && squares(columns).all(|square| square.column < n && self.may_hold(square))
            && self.placed.iter().all(|square| columns[square.row] as usize == square.column)
            && !squares(columns).enumerate().any(attacks_an_upper_queen)
    }
}

#[cfg(test)]
mod tests;
