//! Bimander encoding: the literals are divided into pairs. At most one literal of a pair is true, and auxiliary variables encode, in
//! binary, the index of the pair that contains the true literal.
//! Size for k literals in m = ceil(k/2) pairs: k ceil(log2 m) + floor(k/2) clauses, ceil(log2 m) auxiliary variables.
//! Source: Nguyen & Mai, SoICT 2015 (groups of 2).

use super::at_most_one::AtMostOne;
use super::index::{imply_index, index_bits};
use super::pairwise::pairwise;
use crate::cnf::{Cnf, Lit};

/// The number of literals in a group.
const GROUP_SIZE: usize = 2;

/// The entry of this encoding in [`super::ALL`].
pub const BIMANDER: AtMostOne = AtMostOne {
    name: "bimander",
    about: "bimander, groups of 2 (Nguyen & Mai 2015): k ceil(log2 k/2) + k/2 clauses, ceil(log2 k/2) auxiliary variables",
    // About 4 n^2 log2 n clauses: more than 20 million at n = 768.
    largest_board: 768,
    encode: bimander,
};

fn bimander(literals: &[Lit], cnf: &mut Cnf) {
    let bits = index_bits(literals.len().div_ceil(GROUP_SIZE), cnf);
    for (index, group) in literals.chunks(GROUP_SIZE).enumerate() {
        pairwise(group, cnf);
        for &literal in group {
            imply_index(literal, index, &bits, cnf);
        }
    }
}
