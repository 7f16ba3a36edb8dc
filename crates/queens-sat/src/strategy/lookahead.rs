//! Look-ahead on the free squares of a cube, before its formula goes to a solver: a square whose queen would leave
//! some row or column without a free square is excluded. If queens on two squares together would do so, the two squares count as
//! attacking each other. Both rules are repeated until nothing changes.
//!
//! Both kinds of exclusions are implied by the constraints, so the formula has the same models. The free squares are numbered anew, as bits of
//! one word, because this is the innermost loop: at n = 12 it takes 3 µs for a cube, in which it tries a queen on each of more than
//! 20 squares, and one queen on an `OpenBoard` takes more than 0.24 µs. Boards with more than `MAX_SQUARES` free squares are left as
//! they are.
//! Source: look-ahead solvers, which cube and conquer uses to choose cubes (Heule & van Maaren, Handbook of
//! Satisfiability, 2009).

/// The maximum number of squares that fit into a word.
pub const MAX_SQUARES: usize = u64::BITS as usize;

/// The known facts about the free squares 0, 1, ... of a cube.
#[derive(Default)]
pub struct Lookahead {
    /// Squares that are not excluded.
    pub open: u64,
    /// For each square, the squares that cannot hold a queen if this square does.
    attacked: Vec<u64>,
    /// Lines that need a queen.
    needed: Vec<u64>,
}

impl Lookahead {
    /// Starts with all squares open: for each of them, the squares on the lines through it, and the lines that need a queen.
    pub fn reset(&mut self, on_lines: impl Iterator<Item = u64>, needed: impl Iterator<Item = u64>) {
        self.attacked.clear();
        self.attacked.extend(on_lines.zip(0..).map(|(squares, square)| squares & !(1 << square)));
        self.needed.clear();
        self.needed.extend(needed);
        let squares = self.attacked.len();
        debug_assert!(squares <= MAX_SQUARES);
        self.open = if squares == MAX_SQUARES { u64::MAX } else { (1 << squares) - 1 };
    }

    /// Excludes squares and pairs of squares until nothing changes.
    pub fn run(&mut self) {
        // This alone excludes most squares, and costs less.
        self.exclude_starving();
        // The number of consecutive squares that led to no new exclusion.
        let mut unchanged = 0;
        while self.open != 0 {
            for square in bits(self.open) {
                unchanged = if self.exclude_by(square) { 0 } else { unchanged + 1 };
                if unchanged >= self.open.count_ones() {
                    return;
                }
            }
        }
    }

    /// Excludes squares whose queen would leave some line without a square, until there are no more.
    fn exclude_starving(&mut self) {
        let mut changed = true;
        while changed {
            changed = false;
            for square in bits(self.open) {
                let free = self.open & !self.attacked[square];
                // Checking all lines is faster than stopping at the first match, because that branch is unpredictable.
                if self.needed.iter().fold(false, |starves, line| starves | (line & free == 0)) {
                    self.open &= !(1 << square);
                    changed = true;
                }
            }
        }
    }

    /// Tries a queen on this square. If some line then has no free square, excludes this square. Otherwise, every square that
    /// attacks all remaining free squares of some line counts as attacked by this square.
    fn exclude_by(&mut self, square: usize) -> bool {
        let Self { open, attacked, needed } = self;
        let mut free = *open & !attacked[square];
        for line in needed {
            let mut beside = bits(*line & free);
            let mut fall = free;
            while fall != 0
                && let Some(other) = beside.next()
            {
                fall &= attacked[other];
            }
            free &= !fall;
            if free >> square & 1 == 0 {
                *open &= !(1 << square);
                return true;
            }
        }
        let new = *open & !attacked[square] & !free;
        attacked[square] |= new;
        for other in bits(new) {
            attacked[other] |= 1 << square;
        }
        new != 0
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

    /// All lines, with whether each needs a queen.
    type Lines = Vec<(u32, bool)>;

    fn random(random: &mut fastrand::Rng, squares: u32) -> Lines {
        let line = |random: &mut fastrand::Rng| {
            (0..squares).filter(|_| random.u8(..) < 90).fold(0, |line, bit| line | 1 << bit)
        };
        (0..random.usize(2..8)).map(|_| (line(random), random.bool())).collect()
    }

    /// Whether a set of queens has at most one on each line, and one on each line that needs it.
    fn is_model(queens: u32, lines: &Lines) -> bool {
        lines.iter().all(|&(line, needed)| {
            let count = (queens & line).count_ones();
            count == 1 || (count == 0 && !needed)
        })
    }

    #[test]
    fn models_are_exactly_preserved() {
        let mut generator = fastrand::Rng::with_seed(12);
        let (mut squares_excluded, mut pairs_excluded, mut with_models) = (0, 0, 0);
        for _ in 0..3000 {
            let squares = generator.u32(1..=12);
            let lines = random(&mut generator, squares);
            let mut lookahead = Lookahead::default();
            let on_lines = |square: u32| lines.iter().filter(move |(line, _)| line >> square & 1 == 1);
            let attacked = (0..squares).map(|square| on_lines(square).fold(0, |all, (line, _)| all | line));
            let needed = lines.iter().filter(|(_, needed)| *needed);
            lookahead.reset(attacked.map(u64::from), needed.map(|&(line, _)| line.into()));
            let before = lookahead.attacked.clone();
            lookahead.run();
            let models: Vec<u32> = (0..1 << squares).filter(|&queens| is_model(queens, &lines)).collect();
            for model in models.iter().map(|&model| u64::from(model)) {
                assert_eq!(model & !lookahead.open, 0, "{lines:?}");
                assert!(bits(model).all(|queen| lookahead.attacked[queen] & model == 0), "{lines:?}");
            }
            let starves = |attacked: u64| {
                let left = lookahead.open & !attacked;
                lookahead.needed.iter().any(|line| line & left == 0)
            };
            for one in bits(lookahead.open) {
                assert!(!starves(lookahead.attacked[one]), "{lines:?}");
                for other in bits(lookahead.open) {
                    let attacks = |a: usize, b: usize| lookahead.attacked[a] >> b & 1;
                    assert_eq!(attacks(one, other), attacks(other, one), "{lines:?}");
                }
                for other in bits(lookahead.open & !lookahead.attacked[one]) {
                    let both = lookahead.attacked[one] | lookahead.attacked[other];
                    assert!(other == one || !starves(both), "{lines:?}");
                }
            }
            squares_excluded += squares - lookahead.open.count_ones();
            let new = |square: usize| lookahead.attacked[square] & !before[square] & lookahead.open;
            pairs_excluded += bits(lookahead.open).map(|square| new(square).count_ones()).sum::<u32>() / 2;
            with_models += usize::from(!models.is_empty());
        }
        assert!(squares_excluded > 1000 && pairs_excluded > 100 && with_models > 1000);
    }
}
