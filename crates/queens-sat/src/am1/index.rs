//! The binary index that the encodings `bitwise` and `bimander` use.

use crate::cnf::{Cnf, Lit};

/// Creates the ceil(log2 `count`) variables of a binary index, whose values are 0 to `count - 1`.
pub(super) fn index_bits(count: usize, cnf: &mut Cnf) -> Vec<Lit> {
    let bits = count.checked_sub(1).map_or(0, |last| usize::BITS - last.leading_zeros());
    (0..bits).map(|_| cnf.new_variable()).collect()
}

/// Adds one clause per bit, so that the literal implies that `bits` have the value `index`.
pub(super) fn imply_index(literal: Lit, index: usize, bits: &[Lit], cnf: &mut Cnf) {
    for (bit_index, &bit) in bits.iter().enumerate() {
        cnf.add_clause([!literal, if index >> bit_index & 1 == 1 { bit } else { !bit }]);
    }
}
