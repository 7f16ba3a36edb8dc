//! Copies for another checker: formula and proof as the audit has read them, as text. Programs disagree about comments,
//! headers and blanks, so that a crafted file could show a checker another formula than the audit.
//! Memory: the two texts of one part.

use std::fmt::Display;

use lrat_check::{Literal, Step};

/// The copies of one part.
pub struct Copies {
    pub formula: String,
    pub proof: String,
    /// The id of the last lemma, which a deletion repeats in the text form.
    last: u64,
}

impl Copies {
    /// Begins the copy of a formula with this number of variables and clauses.
    pub fn new(variables: usize, clauses: u64) -> Self {
        Self { formula: format!("p cnf {variables} {clauses}\n"), proof: String::new(), last: clauses }
    }

    pub fn clause(&mut self, clause: &[Literal]) {
        self.formula += &format!("{}\n", numbers(clause));
    }

    pub fn step(&mut self, step: Step<'_>) {
        self.proof += &match step {
            Step::Lemma { id, clause, hints } => {
                self.last = id;
                format!("{id} {} {}\n", numbers(clause), numbers(hints))
            }
            Step::Deletion { ids } => format!("{} d {}\n", self.last, numbers(ids)),
        };
    }
}

/// Numbers, and the 0 that ends them.
fn numbers<T: Display>(numbers: &[T]) -> String {
    numbers.iter().map(|number| format!("{number} ")).collect::<String>() + "0"
}
