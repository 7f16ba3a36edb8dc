//! Commander encoding: the literals are divided into groups of three. At most one literal of a group is true, and an auxiliary
//! variable, the commander of the group, is true exactly if a literal of the group is true. The encoding is applied recursively to the
//! commanders.
//! Size for k literals: about 7k/2 clauses and k/2 auxiliary variables.
//! Source: Klieber & Kwon, CFV 2007 (groups of 3).

use super::at_most_one::AtMostOne;
use super::pairwise::pairwise;
use crate::cnf::{Cnf, Lit};

/// The number of literals in a group.
const GROUP_SIZE: usize = 3;

/// The entry of this encoding in [`super::ALL`].
pub const COMMANDER: AtMostOne = AtMostOne {
    name: "commander",
    about: "commander, groups of 3 (Klieber & Kwon 2007): about 7k/2 clauses, k/2 auxiliary variables",
    // About 14 million clauses at n = 1024.
    largest_board: 1024,
    encode: commander,
};

fn commander(literals: &[Lit], cnf: &mut Cnf) {
    if literals.len() <= GROUP_SIZE {
        return pairwise(literals, cnf);
    }
    let mut commanders = Vec::with_capacity(literals.len().div_ceil(GROUP_SIZE));
    for group in literals.chunks(GROUP_SIZE) {
        // A group of one literal is its own commander.
        if let &[literal] = group {
            commanders.push(literal);
            continue;
        }
        pairwise(group, cnf);
        let commander = cnf.new_variable();
        for &literal in group {
            cnf.add_clause([!literal, commander]);
        }
        cnf.add_clause(group.iter().copied().chain([!commander]));
        commanders.push(commander);
    }
    commander(&commanders, cnf);
}
