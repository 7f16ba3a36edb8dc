//! Product encoding: the literals are the points of a grid. A true literal implies the auxiliary variables of its row and its column. At
//! most one row variable and at most one column variable are true; these two constraints are encoded recursively. Up to 4 literals are
//! encoded pairwise.
//! Size for k > 4 literals: 2k + 4 sqrt(k) + O(k^(1/4)) clauses, 2 sqrt(k) + O(k^(1/4)) auxiliary variables.
//! Source: Chen, ModRef 2010 (2-product encoding).

use super::at_most_one::AtMostOne;
use super::pairwise::pairwise;
use crate::cnf::{Cnf, Lit};

/// The entry of this encoding in [`super::ALL`].
pub const PRODUCT: AtMostOne = AtMostOne {
    name: "product",
    about: "2-product (Chen 2010): about 2k + 4 sqrt(k) clauses, 2 sqrt(k) auxiliary variables",
    // About 9 million clauses at n = 1024.
    largest_board: 1024,
    encode: product,
};

fn product(literals: &[Lit], cnf: &mut Cnf) {
    let k = literals.len();
    if k <= 4 {
        return pairwise(literals, cnf);
    }
    let width = k.isqrt() + usize::from(k.isqrt().pow(2) < k);
    let rows: Vec<Lit> = (0..k.div_ceil(width)).map(|_| cnf.new_variable()).collect();
    let columns: Vec<Lit> = (0..width).map(|_| cnf.new_variable()).collect();
    for (i, &literal) in literals.iter().enumerate() {
        cnf.add_clause([!literal, rows[i / width]]);
        cnf.add_clause([!literal, columns[i % width]]);
    }
    product(&rows, cnf);
    product(&columns, cnf);
}
