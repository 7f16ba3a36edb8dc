//! Look-ahead on the free squares of a cube, before a solver gets the formula. It has two rules, which are repeated until a fixpoint:
//!
//! - A square is excluded if a queen on it would leave a row or a column without a free square.
//! - A pair of squares is excluded if two queens on them would leave a row or a column without a free square. From then on, the two
//!   squares count as attacking each other.
//!
//! The constraints imply both kinds of exclusions, so look-ahead does not change the models. The free squares of a cube are renumbered
//! as the bits of one word, because look-ahead is the innermost loop. At n = 12, it takes 3 µs per cube, although it tries a queen on
//! each of more than 20 squares; placing a single queen on an `OpenBoard` takes more than 0.24 µs. Cubes with more than `MAX_SQUARES`
//! free squares are not simplified.
//! Source: look-ahead SAT solvers (Heule & van Maaren, Handbook of Satisfiability, 2009), which also choose the cubes in cube and
//! conquer.

/// The maximum number of squares: the bits of a word.
pub const MAX_SQUARES: usize = u64::BITS as usize;

/// The free squares of a cube, numbered from 0, and the attacks between them. Each `u64` is a set of squares.
#[derive(Default)]
pub struct Lookahead {
    /// The squares that are not excluded.
    pub open_squares: u64,
    /// By square, the squares that cannot hold a queen together with it.
    attacked: Vec<u64>,
    /// The squares of each line that needs a queen.
    required: Vec<u64>,
}

impl Lookahead {
    /// Replaces the board by one on which all squares are open. `attacked` has one item per square: the squares on all lines through
    /// the square, which may include the square itself. `required` has the squares of each line that needs a queen.
    pub fn reset(&mut self, attacked: impl Iterator<Item = u64>, required: impl Iterator<Item = u64>) {
        self.attacked.clear();
        self.attacked.extend(attacked.zip(0..).map(|(squares, square)| squares & !(1 << square)));
        self.required.clear();
        self.required.extend(required);
        let squares = self.attacked.len();
        debug_assert!(squares <= MAX_SQUARES);
        self.open_squares = if squares == MAX_SQUARES { u64::MAX } else { (1 << squares) - 1 };
    }

    /// Excludes squares and pairs of squares until nothing changes.
    pub fn run(&mut self) {
        // The rule for single squares is cheaper and excludes most squares.
        self.exclude_single_squares();
        // The number of squares that were tried since the last new exclusion.
        let mut tries_without_exclusion = 0;
        while self.open_squares != 0 {
            for square in bits(self.open_squares) {
                tries_without_exclusion =
                    if self.exclude_pairs_with(square) { 0 } else { tries_without_exclusion + 1 };
                if tries_without_exclusion >= self.open_squares.count_ones() {
                    return;
                }
            }
        }
    }

    /// Excludes each square on which a queen would leave a line that needs a queen without a free square; repeats this until a
    /// fixpoint.
    fn exclude_single_squares(&mut self) {
        let mut has_changed = true;
        while has_changed {
            has_changed = false;
            for square in bits(self.open_squares) {
                let free = self.open_squares & !self.attacked[square];
                // Checking all lines is faster than stopping at the first empty line, because the branch would be unpredictable.
                if self.required.iter().fold(false, |is_empty, line| is_empty | (line & free == 0)) {
                    self.open_squares &= !(1 << square);
                    has_changed = true;
                }
            }
        }
    }

    /// Tries a queen on `square`. If a line that needs a queen has no free square then, excludes `square`. Otherwise, excludes each
    /// pair of `square` and a square that attacks all free squares of such a line. Returns whether anything was excluded.
    fn exclude_pairs_with(&mut self, square: usize) -> bool {
        let Self { open_squares, attacked, required } = self;
        let mut free = *open_squares & !attacked[square];
        for line in required {
            let mut squares_on_line = bits(*line & free);
            // The squares that attack every free square of the line.
            let mut excluded_squares = free;
            while excluded_squares != 0
                && let Some(square_on_line) = squares_on_line.next()
            {
                excluded_squares &= attacked[square_on_line];
            }
            free &= !excluded_squares;
            if free >> square & 1 == 0 {
                *open_squares &= !(1 << square);
                return true;
            }
        }
        let newly_attacked = *open_squares & !attacked[square] & !free;
        attacked[square] |= newly_attacked;
        for attacked_square in bits(newly_attacked) {
            attacked[attacked_square] |= 1 << square;
        }
        newly_attacked != 0
    }
}

fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = word.trailing_zeros() as usize;
        (word != 0).then(|| word &= word - 1)?;
        Some(bit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// For each line, its squares as a set, and whether the line needs a queen.
    type Lines = Vec<(u32, bool)>;

    fn random_lines(random: &mut fastrand::Rng, squares: u32) -> Lines {
        let line = |random: &mut fastrand::Rng| {
            (0..squares).filter(|_| random.u8(..) < 90).fold(0, |line, bit| line | 1 << bit)
        };
        (0..random.usize(2..8)).map(|_| (line(random), random.bool())).collect()
    }

    /// Whether a set of queens has at most one queen on each line, and exactly one on each line that needs a queen.
    fn is_model(queens: u32, lines: &Lines) -> bool {
        lines.iter().all(|&(line, required)| {
            let count = (queens & line).count_ones();
            count == 1 || (count == 0 && !required)
        })
    }

    #[test]
    fn look_ahead_preserves_exactly_the_models() {
        let mut generator = fastrand::Rng::with_seed(12);
        let (mut squares_excluded, mut pairs_excluded, mut with_models) = (0, 0, 0);
        for _ in 0..3000 {
            let squares = generator.u32(1..=12);
            let lines = random_lines(&mut generator, squares);
            let mut lookahead = Lookahead::default();
            let lines_through = |square: u32| lines.iter().filter(move |(line, _)| line >> square & 1 == 1);
            let attacked =
                (0..squares).map(|square| lines_through(square).fold(0, |all, (line, _)| all | line));
            let required = lines.iter().filter(|(_, required)| *required);
            lookahead.reset(attacked.map(u64::from), required.map(|&(line, _)| line.into()));
            let attacked_before = lookahead.attacked.clone();
            lookahead.run();
            let models: Vec<u32> = (0..1 << squares).filter(|&queens| is_model(queens, &lines)).collect();
            for model in models.iter().map(|&model| u64::from(model)) {
                assert_eq!(model & !lookahead.open_squares, 0, "{lines:?}");
                assert!(bits(model).all(|queen| lookahead.attacked[queen] & model == 0), "{lines:?}");
            }
            // At the fixpoint, neither rule applies.
            let empties_a_line = |attacked: u64| {
                let free = lookahead.open_squares & !attacked;
                lookahead.required.iter().any(|line| line & free == 0)
            };
            for first in bits(lookahead.open_squares) {
                assert!(!empties_a_line(lookahead.attacked[first]), "{lines:?}");
                for second in bits(lookahead.open_squares) {
                    let attacks = |a: usize, b: usize| lookahead.attacked[a] >> b & 1;
                    assert_eq!(attacks(first, second), attacks(second, first), "{lines:?}");
                }
                for second in bits(lookahead.open_squares & !lookahead.attacked[first]) {
                    let attacked_by_both = lookahead.attacked[first] | lookahead.attacked[second];
                    assert!(second == first || !empties_a_line(attacked_by_both), "{lines:?}");
                }
            }
            squares_excluded += squares - lookahead.open_squares.count_ones();
            let newly_attacked = |square: usize| {
                lookahead.attacked[square] & !attacked_before[square] & lookahead.open_squares
            };
            pairs_excluded +=
                bits(lookahead.open_squares).map(|square| newly_attacked(square).count_ones()).sum::<u32>()
                    / 2;
            with_models += usize::from(!models.is_empty());
        }
        assert!(squares_excluded > 1000 && pairs_excluded > 100 && with_models > 1000);
    }
}
