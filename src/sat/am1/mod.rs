//! At-most-one encodings: clauses that hold exactly when at most one of k literals is true.
//! One encoding a file, all the same shape; this is their contract and their table.

mod pairwise;

use super::cnf::{Cnf, Lit};
pub use pairwise::Pairwise;

/// A way to say "at most one of these literals" in clauses.
pub trait AtMostOne: Sync {
    /// The encoding's part of a solver id.
    fn name(&self) -> &'static str;

    /// Auxiliary variables and clauses for k literals, and where the encoding comes from.
    fn about(&self) -> &'static str;

    /// The largest board whose formula and solver fit into 1 GiB.
    fn largest_board(&self) -> usize;

    /// Adds the clauses, over the literals and as many new variables as the encoding takes.
    fn encode(&self, literals: &[Lit], cnf: &mut Cnf);
}

/// Every encoding.
pub static ALL: [&dyn AtMostOne; 1] = [&Pairwise];

/// The encoding of this name.
pub fn by_name(name: &str) -> Option<&'static dyn AtMostOne> {
    ALL.into_iter().find(|encoding| encoding.name() == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(encoding: &dyn AtMostOne, k: u32) -> Cnf {
        let mut cnf = Cnf::new(k);
        let literals: Vec<Lit> = (1..=k).map(Lit::positive).collect();
        encoding.encode(&literals, &mut cnf);
        cnf
    }

    /// Full truth table: all assignments of the inputs, and for each all of the auxiliary variables.
    #[test]
    fn exactly_the_assignments_with_at_most_one_true_literal_extend_to_a_model() {
        for encoding in ALL {
            for k in 0..=8 {
                let cnf = encoded(encoding, k);
                let auxiliary = cnf.variables() - k;
                for inputs in 0..1_u32 << k {
                    let extends = (0..1_u32 << auxiliary).any(|others| {
                        let bits = u64::from(others) << k | u64::from(inputs);
                        let assignment: Vec<bool> =
                            (0..cnf.variables()).map(|variable| bits >> variable & 1 == 1).collect();
                        cnf.is_satisfied_by(&assignment)
                    });
                    let name = encoding.name();
                    assert_eq!(
                        extends,
                        inputs.count_ones() <= 1,
                        "{name}, k = {k}: {inputs:0k$b}",
                        k = k as usize
                    );
                }
            }
        }
    }

    /// Auxiliary variables and clauses of an encoding of k literals.
    fn size(name: &str, k: u32) -> (u32, usize) {
        let cnf = encoded(by_name(name).expect("in the table"), k);
        (cnf.variables() - k, cnf.len())
    }

    #[test]
    fn pairwise_has_k_choose_2_clauses() {
        for k in 0..=40_u32 {
            assert_eq!(size("pairwise", k), (0, (k * k.saturating_sub(1) / 2) as usize));
        }
    }

    #[test]
    fn negative_literals_are_literals_too() {
        for encoding in ALL {
            let mut cnf = Cnf::new(5);
            let literals: Vec<Lit> = (1..=5).map(|variable| !Lit::positive(variable)).collect();
            encoding.encode(&literals, &mut cnf);
            let auxiliary = cnf.variables() - 5;
            let extends = |inputs: u32| {
                (0..1_u32 << auxiliary).any(|others| {
                    let bits = others << 5 | inputs;
                    let assignment: Vec<bool> = (0..cnf.variables()).map(|v| bits >> v & 1 == 1).collect();
                    cnf.is_satisfied_by(&assignment)
                })
            };
            assert!(extends(0b11101) && extends(0b11111), "{}", encoding.name());
            assert!(!extends(0b10101) && !extends(0), "{}", encoding.name());
        }
    }

    #[test]
    fn names_are_unique() {
        for encoding in ALL {
            assert_eq!(by_name(encoding.name()).map(|found| found.about()), Some(encoding.about()));
        }
        assert!(by_name("pairwse").is_none());
    }
}
