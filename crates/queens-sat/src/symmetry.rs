//! Symmetry breaking and the expansion of orbits. The orbit of a solution consists of its images under the symmetries. A condition
//! excludes most solutions of each orbit, so that a solver finds fewer models. Each orbit is then expanded from one of its models, the
//! representative.
//!
//! The condition refers to one row, the leading row. With `mirror`, the queen of the leading row is in the left half of the board. With
//! `full`, in addition, the distance of this queen from the left end of the row is at most the distance of each corresponding queen from
//! the nearer end of its line. The corresponding queens are on the other lines to which the symmetries of the square map the leading
//! row. Both conditions are sets of pairs of squares that must not both hold queens. [`SymmetryBreaking::forbids`] defines the conditions
//! for clauses and searches.
//!
//! **Shifts.** On the torus, each cyclic shift of the columns also maps the problem onto itself. The shifts and the left-right mirror
//! image together generate 2n symmetries. On the torus, `full` breaks these symmetries instead of the eight symmetries of the square:
//! the queen of the leading row is in the left column, and the queen of the opposite row is in the left half of the other columns.
//!
//! **Ties.** On boards of odd size, a queen in the middle of the leading row is its own mirror image. In this case, `mirror` uses the
//! next row instead. With `full`, several members of an orbit may satisfy the condition. Therefore, the representative of an orbit is
//! its lexicographically first member that satisfies the condition. Whether a solution is the representative is decided without a
//! record of earlier solutions.
//! Source: Crawford, Ginsberg, Luks & Roy, KR 1996 (lex-leader symmetry breaking), applied to one row only.

use std::ops::ControlFlow;
use std::str::FromStr;

use queens_board::problem::Problem;
use queens_board::{self as board, Square, squares};

queens_board::words! {
    /// The group of symmetries to break.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum SymmetryGroup {
        /// No symmetry is broken: every solution is a model.
        None = "none",
        /// The left-right mirror image.
        Mirror = "mirror",
        /// All eight symmetries of the square; for problems whose columns can be shifted, all shifts and their mirror images instead.
        Full = "full",
    }
}

impl SymmetryGroup {
    /// The symmetries of the square in this group, including the identity.
    pub fn group(self) -> &'static [board::symmetry::Symmetry] {
        let symmetries = &board::symmetry::Symmetry::ALL;
        match self {
            SymmetryGroup::None => &symmetries[..1],
            SymmetryGroup::Mirror => &symmetries[..2],
            SymmetryGroup::Full => symmetries,
        }
    }
}

impl FromStr for SymmetryGroup {
    type Err = UnknownSymmetry;

    fn from_str(word: &str) -> Result<Self, UnknownSymmetry> {
        Self::named(word).ok_or_else(|| UnknownSymmetry(word.to_owned()))
    }
}

/// A word that is not a group of symmetries.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown symmetry '{0}': choose none, mirror or full")]
pub struct UnknownSymmetry(pub String);

/// A condition on solutions that at least one member of each orbit satisfies.
#[derive(Clone, Copy, Debug)]
pub struct SymmetryBreaking {
    n: usize,
    /// The symmetries that are broken.
    pub symmetry: SymmetryGroup,
    /// The leading row.
    pub row: usize,
    /// Whether shifts are broken.
    shifts: bool,
}

impl SymmetryBreaking {
    /// The condition whose leading row is the top row.
    pub fn on_top_row(n: usize, symmetry: SymmetryGroup) -> Self {
        Self { n, symmetry, row: 0, shifts: false }
    }

    /// The condition whose leading row is the last row above the middle of the board. The symmetries of the square map this row to four
    /// different lines. The middle row of a board of odd size is mapped to two lines only.
    pub fn on_middle_row(n: usize, symmetry: SymmetryGroup) -> Self {
        Self { row: (n / 2).saturating_sub(1), ..Self::on_top_row(n, symmetry) }
    }

    /// Also breaks shifts, if the symmetry is `full` and the columns of this problem can be shifted.
    pub fn with_shifts_of(self, problem: &Problem) -> Self {
        let is_full = self.symmetry == SymmetryGroup::Full && self.n > 1;
        Self { shifts: is_full && problem.is_invariant_under_column_shifts(), ..self }
    }

    /// The row to which the condition refers if the queen of the leading row is its own mirror image. It is the row after the leading
    /// row.
    pub fn tie_row(&self) -> usize {
        self.row + 1
    }

    /// Whether a queen on this square of the leading row is its own mirror image, so that the condition refers to the tie row.
    pub fn is_tie(&self, leader: Square) -> bool {
        self.symmetry == SymmetryGroup::Mirror && leader.column * 2 + 1 == self.n && self.tie_row() < self.n
    }

    /// Whether a leading queen on `leader` and a queen on `other` violate the condition. If the squares are equal, whether the leading
    /// queen violates the condition, whatever the other queens are.
    pub fn forbids(&self, leader: Square, other: Square) -> bool {
        let opposite = |line: usize| self.n - 1 - line;
        let distance_to_border = |line: usize| line.min(opposite(line));
        if self.symmetry == SymmetryGroup::None {
            return false;
        }
        let line = leader.row;
        if self.shifts {
            return if leader == other {
                leader.column > 0
            } else {
                other.row == opposite(line) && other.column > self.n - other.column
            };
        }
        if leader == other {
            return leader.column > opposite(leader.column);
        }
        self.symmetry == SymmetryGroup::Full
            && (other.row == opposite(line) && distance_to_border(other.column) < leader.column
                || (other.column == line || other.column == opposite(line))
                    && distance_to_border(other.row) < leader.column)
    }

    /// The squares in other rows that a leading queen in this row can forbid.
    pub fn partners(&self, leading_row: usize) -> impl Iterator<Item = Square> {
        let (n, opposite) = (self.n, self.n - 1 - leading_row);
        let columns = [leading_row, opposite].into_iter().take(if leading_row == opposite { 1 } else { 2 });
        let column_squares = columns.flat_map(move |column| (0..n).map(move |row| Square { row, column }));
        let row_squares = (0..n).map(move |column| Square { row: opposite, column });
        let max_partners = if self.symmetry == SymmetryGroup::Full { 3 * n } else { 0 };
        column_squares.filter(move |square| square.row != opposite).chain(row_squares).take(max_partners)
    }

    /// Whether a solution satisfies the condition.
    pub fn allows(&self, columns: &[u32]) -> bool {
        let queen = |row: usize| Square { row, column: columns[row] as usize };
        if self.symmetry == SymmetryGroup::None || columns.is_empty() {
            return true;
        }
        let leader = queen(self.row);
        let leader = if self.is_tie(leader) { queen(self.tie_row()) } else { leader };
        !squares(columns).any(|other| self.forbids(leader, other))
    }

    /// Visits all members of a model's orbit if the model is the representative of the orbit, and no boards otherwise. Ends early if
    /// the visitor breaks.
    pub fn expand(
        &self,
        columns: &[u32],
        visit: &mut dyn FnMut(&[u32]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if self.symmetry == SymmetryGroup::None {
            return visit(columns);
        }
        let orbit = self.orbit(columns);
        match orbit.iter().find(|image| self.allows(image)) {
            Some(representative) if representative == columns => {
                orbit.iter().try_for_each(|image| visit(image))
            }
            _ => ControlFlow::Continue(()),
        }
    }

    /// The distinct images of a solution under the group, in lexicographic order.
    fn orbit(&self, columns: &[u32]) -> Vec<Vec<u32>> {
        let group = if self.shifts { SymmetryGroup::Mirror } else { self.symmetry }.group();
        let shifted = |image: Vec<u32>| {
            let shifts = if self.shifts { self.n } else { 1 };
            (0..shifts).map(move |shift| {
                image.iter().map(|&column| board::column((column as usize + shift) % self.n)).collect()
            })
        };
        let mut orbit: Vec<Vec<u32>> = board::symmetry::images(columns, group).flat_map(shifted).collect();
        orbit.sort_unstable();
        orbit.dedup();
        orbit
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens_board::BoardSize;
    use queens_board::prefix::Prefix;

    fn conditions(n: usize) -> impl Iterator<Item = SymmetryBreaking> {
        SymmetryGroup::ALL
            .into_iter()
            .flat_map(move |s| [SymmetryBreaking::on_top_row(n, s), SymmetryBreaking::on_middle_row(n, s)])
    }

    #[test]
    fn allowed_solutions_expand_to_each_solution_exactly_once() {
        for n in 0..=10 {
            let solutions: Vec<Vec<u32>> = Prefix::all(n, n).iter().map(|p| p.columns().to_vec()).collect();
            for breaking in conditions(n) {
                let mut expanded_solutions = Vec::new();
                for columns in solutions.iter().filter(|columns| breaking.allows(columns)) {
                    let flow = breaking.expand(columns, &mut |image| {
                        expanded_solutions.push(image.to_vec());
                        ControlFlow::Continue(())
                    });
                    assert!(flow.is_continue());
                }
                expanded_solutions.sort();
                assert_eq!(expanded_solutions, solutions, "n = {n}, {breaking:?}");
            }
        }
    }

    #[test]
    fn allowed_solutions_expand_with_shifts_exactly_once() {
        for (text, sizes) in [("rooks", 1..=6), ("toroidal", 1..=7)] {
            for n in sizes {
                let problem = Problem::from_text(BoardSize::new(n).expect("small"), text).expect("a problem");
                let mut solutions: Vec<Vec<u32>> = vec![vec![]];
                for _ in 0..n {
                    let append_column = |columns: &[u32], column| [columns, &[column]].concat();
                    let columns = |before: &Vec<u32>| {
                        (0..n as u32)
                            .filter(|c| !before.contains(c))
                            .map(|c| append_column(before, c))
                            .collect::<Vec<_>>()
                    };
                    solutions = solutions.iter().flat_map(columns).collect();
                }
                solutions.retain(|columns| problem.is_solution(columns));
                for breaking in conditions(n).map(|breaking| breaking.with_shifts_of(&problem)) {
                    let mut expanded_solutions = Vec::new();
                    for columns in solutions.iter().filter(|columns| breaking.allows(columns)) {
                        let _ = breaking.expand(columns, &mut |image| {
                            expanded_solutions.push(image.to_vec());
                            ControlFlow::Continue(())
                        });
                    }
                    expanded_solutions.sort();
                    assert_eq!(expanded_solutions, solutions, "{problem}, n = {n}, {breaking:?}");
                }
            }
        }
    }

    /// `mirror` allows half of the solutions, and `full` at most a quarter (an eighth would be optimal).
    #[test]
    fn symmetry_conditions_allow_few_members_per_orbit() {
        for n in 8..=10 {
            let solutions = Prefix::all(n, n);
            for breaking in conditions(n) {
                let allowed = solutions.iter().filter(|p| breaking.allows(p.columns())).count();
                match breaking.symmetry {
                    SymmetryGroup::None => assert_eq!(allowed, solutions.len()),
                    SymmetryGroup::Mirror => assert_eq!(allowed * 2, solutions.len()),
                    SymmetryGroup::Full => {
                        assert!(allowed * 4 <= solutions.len(), "n = {n}: {allowed} {breaking:?}")
                    }
                }
            }
        }
    }

    #[test]
    fn expansion_ends_when_its_visitor_breaks() {
        let breaking = SymmetryBreaking::on_top_row(8, SymmetryGroup::Full);
        let mut visits = 0;
        let first = Prefix::all(8, 8).into_iter().find(|p| breaking.allows(p.columns())).expect("8 queens");
        let flow = breaking.expand(first.columns(), &mut |_| {
            visits += 1;
            ControlFlow::Break(())
        });
        assert!(flow.is_break());
        assert_eq!(visits, 1);
    }

    #[test]
    fn symmetry_group_names_round_trip() {
        assert_eq!(SymmetryGroup::ALL.map(|symmetry| symmetry.name().parse()), SymmetryGroup::ALL.map(Ok));
        assert_eq!("half".parse::<SymmetryGroup>(), Err(UnknownSymmetry("half".to_owned())));
    }
}
