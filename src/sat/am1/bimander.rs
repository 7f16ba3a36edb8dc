//! Bimander at-most-one encoding: literals are grouped in pairs with at most one true literal each, and
//! the index of the pair with the true literal is encoded in binary.
//! In: k literals, m = ceil(k/2) pairs. Out: k ceil(log2 m) + floor(k/2) clauses, ceil(log2 m)
//! auxiliary variables.
//! The inputs do not determine the auxiliary variables: enumerate on the squares only.
//! Source: Nguyen & Mai, SoICT 2015 (groups of 2).

use super::bitwise::{imply_index, index_bits};
use super::{AtMostOne, pairwise};
use crate::sat::cnf::{Cnf, Lit};

const GROUP: usize = 2;

/// The bimander encoding, groups of two.
pub const BIMANDER: AtMostOne = AtMostOne {
    name: "bimander",
    about: "bimander, groups of 2 (Nguyen & Mai 2015): k ceil(log2 k/2) + k/2 clauses, ceil(log2 k/2) auxiliary variables",
    // About 4 n^2 log2 n clauses: more than 20 million at n = 768.
    largest_board: 768,
    encode,
};

fn encode(literals: &[Lit], cnf: &mut Cnf) {
    let bits = index_bits(literals.len().div_ceil(GROUP), cnf);
    for (index, group) in literals.chunks(GROUP).enumerate() {
        pairwise::encode(group, cnf);
        for &literal in group {
            imply_index(literal, index, &bits, cnf);
        }
    }
}
