//! The type of an at-most-one encoding.

use crate::cnf::{Cnf, Lit};

/// An encoding of "at most one of these literals" in clauses.
#[derive(Clone, Copy, Debug)]
pub struct AtMostOne {
    /// The name of the encoding in solver ids.
    pub name: &'static str,
    /// The description in one line: the numbers of auxiliary variables and clauses for k literals, and the source of the encoding.
    pub about: &'static str,
    /// The largest board whose formula and solver fit into 2 GiB.
    pub largest_board: usize,
    /// Adds the clauses that allow at most one of the literals to be true, and the auxiliary variables that the encoding needs.
    pub encode: fn(literals: &[Lit], cnf: &mut Cnf),
}
