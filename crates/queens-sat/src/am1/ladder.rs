//! Ladder (regular, order) encoding: the auxiliary variables are the rungs of a ladder. The rungs before the position of the true literal
//! are true, and the other rungs are false.
//! Size for k >= 2 literals: 3k-4 clauses, k-1 auxiliary variables.
//! The clauses are those of the sequential counter with negated auxiliary variables. Because solvers try a fixed value of a variable
//! first, they search the two formulas in different orders.
//! Source: Gent & Nightingale, 2004; Ansotegui & Manya, SAT 2004.

use super::at_most_one::AtMostOne;
use crate::cnf::{Cnf, Lit};

/// The entry of this encoding in [`super::ALL`].
pub const LADDER: AtMostOne = AtMostOne {
    name: "ladder",
    about: "ladder, regular, order (Gent & Nightingale 2004): 3k-4 clauses, k-1 auxiliary variables",
    // About 12 million clauses at n = 1024.
    largest_board: 1024,
    encode: ladder,
};

fn ladder(literals: &[Lit], cnf: &mut Cnf) {
    // If literal i is true, the rungs from i on are false and the rungs before i are true.
    let rungs: Vec<Lit> = literals.iter().skip(1).map(|_| cnf.new_variable()).collect();
    for pair in rungs.windows(2) {
        cnf.add_clause([!pair[1], pair[0]]);
    }
    for (&literal, &rung) in literals.iter().zip(&rungs) {
        cnf.add_clause([!literal, !rung]);
    }
    for (&literal, &rung) in literals.iter().skip(1).zip(&rungs) {
        cnf.add_clause([!literal, rung]);
    }
}
