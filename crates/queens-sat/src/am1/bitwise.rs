//! Bitwise (binary, logarithmic) encoding: auxiliary variables encode the index of the true literal in binary.
//! Size for k literals: k ceil(log2 k) clauses, ceil(log2 k) auxiliary variables.
//! If no literal is true, the auxiliary variables may have any values. Therefore, each of the 4 solutions for 6 queens has 4096
//! models, because the 6 diagonals without a queen have 12 auxiliary variables.
//! Source: Prestwich, 2007; Frisch, Peugniez, Doggett & Nightingale, JAR 2005.

use super::at_most_one::AtMostOne;
use super::index::{imply_index, index_bits};
use crate::cnf::{Cnf, Lit};

/// The entry of this encoding in [`super::ALL`].
pub const BITWISE: AtMostOne = AtMostOne {
    name: "bitwise",
    about: "bitwise (Prestwich 2007): k ceil(log2 k) clauses, ceil(log2 k) auxiliary variables",
    // About 4 n^2 log2 n clauses: more than 20 million at n = 768.
    largest_board: 768,
    encode: bitwise,
};

fn bitwise(literals: &[Lit], cnf: &mut Cnf) {
    let bits = index_bits(literals.len(), cnf);
    for (index, &literal) in literals.iter().enumerate() {
        imply_index(literal, index, &bits, cnf);
    }
}
