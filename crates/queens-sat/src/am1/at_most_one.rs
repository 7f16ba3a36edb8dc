//! The type of an at-most-one encoding.

use crate::cnf::{Cnf, Lit};

/// An encoding of "at most one of these literals" in clauses.
#[derive(Clone, Copy, Debug)]
pub struct AtMostOne {
    /// The encoding's part of a solver id.
    pub name: &'static str,
    /// Description: auxiliary variables and clauses for k literals, and the source of the encoding.
    pub about: &'static str,
    /// The largest board whose formula and solver fit into 2 GiB.
    pub largest_board: usize,
    /// Adds the clauses over the literals, and the new variables that the encoding needs.
    pub encode: fn(literals: &[Lit], cnf: &mut Cnf),
}
