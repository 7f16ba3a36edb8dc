//! Sequential counter encoding: after each literal, a variable records "one was true so far".
//! In: k >= 2 literals. Out: 3k-4 clauses, k-1 auxiliary variables.
//! Source: Sinz, CP 2005 (LT-SEQ for one).

use super::at_most_one::AtMostOne;
use crate::cnf::{Cnf, Lit};

/// The table entry.
pub const SEQUENTIAL: AtMostOne = AtMostOne {
    name: "sequential",
    about: "sequential counter (Sinz 2005): 3k-4 clauses, k-1 auxiliary variables",
    // 12 million clauses.
    largest_board: 1024,
    encode: sequential,
};

fn sequential(literals: &[Lit], cnf: &mut Cnf) {
    let [first, rest @ ..] = literals else { return };
    let mut any_before: Option<Lit> = None;
    let mut literal = *first;
    for &next in rest {
        // True if one of the literals up to and including `literal` is true.
        let any_so_far = cnf.new_variable();
        cnf.add_clause([!literal, any_so_far]);
        if let Some(any_before) = any_before {
            cnf.add_clause([!any_before, any_so_far]);
        }
        cnf.add_clause([!next, !any_so_far]);
        any_before = Some(any_so_far);
        literal = next;
    }
}
