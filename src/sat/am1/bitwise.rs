//! Bitwise (binary, logarithmic) at-most-one encoding: the index of the true literal in binary.
//! In: k literals. Out: k ceil(log2 k) clauses, ceil(log2 k) auxiliary variables.
//! The inputs do not determine the auxiliary variables: they are free if no literal is true,
//! so that 6 queens would have 256 models. Enumerate on the squares only.
//! Source: Prestwich, 2007; Frisch, Peugniez, Doggett & Nightingale, JAR 2005.

use super::AtMostOne;
use crate::sat::cnf::{Cnf, Lit};

/// The bitwise encoding.
pub const BITWISE: AtMostOne = AtMostOne {
    name: "bitwise",
    about: "bitwise (Prestwich 2007): k ceil(log2 k) clauses, ceil(log2 k) auxiliary variables",
    // About 4 n^2 log2 n clauses: more than 20 million at n = 768.
    largest_board: 768,
    encode,
};

fn encode(literals: &[Lit], cnf: &mut Cnf) {
    let bits = index_bits(literals.len(), cnf);
    for (index, &literal) in literals.iter().enumerate() {
        imply_index(literal, index, &bits, cnf);
    }
}

/// The variables of a binary index below `count`.
pub(super) fn index_bits(count: usize, cnf: &mut Cnf) -> Vec<Lit> {
    let bits = count.checked_sub(1).map_or(0, |last| usize::BITS - last.leading_zeros());
    (0..bits).map(|_| cnf.new_variable()).collect()
}

/// Adds one clause per bit: the literal implies that the bits are those of `index`.
pub(super) fn imply_index(literal: Lit, index: usize, bits: &[Lit], cnf: &mut Cnf) {
    for (place, &bit) in bits.iter().enumerate() {
        cnf.add_clause([!literal, if index >> place & 1 == 1 { bit } else { !bit }]);
    }
}
