//! A binary index of literals, for `bitwise` and `bimander`.

use crate::cnf::{Cnf, Lit};

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
