//! Sequential counter encoding: for each literal except the last, an auxiliary variable is true if this literal or an earlier one is
//! true.
//! Size for k >= 2 literals: 3k-4 clauses, k-1 auxiliary variables.
//! Source: Sinz, CP 2005 (LT_SEQ for "at most one").

use super::at_most_one::AtMostOne;
use crate::cnf::{Cnf, Lit};

/// The entry of this encoding in [`super::ALL`].
pub const SEQUENTIAL: AtMostOne = AtMostOne {
    name: "sequential",
    about: "sequential counter (Sinz 2005): 3k-4 clauses, k-1 auxiliary variables",
    // About 12 million clauses at n = 1024.
    largest_board: 1024,
    encode: sequential,
};

fn sequential(literals: &[Lit], cnf: &mut Cnf) {
    let [first, remaining @ ..] = literals else { return };
    let mut any_before: Option<Lit> = None;
    let mut literal = *first;
    for &next in remaining {
        // True if one of the literals up to and including `literal` is true.
        let any_up_to_here = cnf.new_variable();
        cnf.add_clause([!literal, any_up_to_here]);
        if let Some(any_before) = any_before {
            cnf.add_clause([!any_before, any_up_to_here]);
        }
        cnf.add_clause([!next, !any_up_to_here]);
        any_before = Some(any_up_to_here);
        literal = next;
    }
}
