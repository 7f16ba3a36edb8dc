//! Pairwise encoding: a clause for each pair of literals forbids that both are true.
//! Size for k literals: k(k-1)/2 clauses, no auxiliary variables.
//! Source: folklore; the "naive" encoding of Prestwich, Handbook of Satisfiability 2009, ch. 2.

use super::at_most_one::AtMostOne;
use crate::cnf::{Cnf, Lit};

/// The entry of this encoding in [`super::ALL`].
pub const PAIRWISE: AtMostOne = AtMostOne {
    name: "pairwise",
    about: "pairwise, a clause for every two literals: k(k-1)/2 clauses, no auxiliary variable",
    // A board has about 5/3 n^3 clauses: 28 million at n = 256, 0.6 GiB with varisat and 1.3 GiB with batsat.
    largest_board: 256,
    encode: pairwise,
};

pub(super) fn pairwise(literals: &[Lit], cnf: &mut Cnf) {
    for (i, &first) in literals.iter().enumerate() {
        for &second in &literals[i + 1..] {
            cnf.add_clause([!first, !second]);
        }
    }
}
