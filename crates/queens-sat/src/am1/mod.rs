//! At-most-one encodings: clauses that are satisfiable exactly if at most one of k literals is true.
//! In most encodings, the k literals do not determine the values of the auxiliary variables. Models must therefore be enumerated and
//! compared on the square variables only.
//! Each file contains one encoding; this file contains the table of encodings.

mod at_most_one;
mod bimander;
mod bitwise;
mod commander;
mod index;
mod ladder;
mod pairwise;
mod product;
mod sequential;

pub use at_most_one::AtMostOne;
pub use pairwise::PAIRWISE;
pub use sequential::SEQUENTIAL;

/// Every encoding.
pub const ALL: [&AtMostOne; 7] = [
    &PAIRWISE,
    &SEQUENTIAL,
    &ladder::LADDER,
    &product::PRODUCT,
    &commander::COMMANDER,
    &bitwise::BITWISE,
    &bimander::BIMANDER,
];

/// The encoding with this name.
pub fn by_name(name: &str) -> Option<&'static AtMostOne> {
    ALL.into_iter().find(|encoding| encoding.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cnf::{Cnf, Lit};

    fn encode(encoding: &AtMostOne, k: u32) -> Cnf {
        let mut cnf = Cnf::new(k);
        let literals: Vec<Lit> = (1..=k).map(Lit::positive).collect();
        (encoding.encode)(&literals, &mut cnf);
        cnf
    }

    /// Checks the full truth table: an assignment of the literals can be extended to a model exactly if at most one literal is true.
    #[test]
    fn model_exists_iff_at_most_one_literal_holds() {
        for encoding in ALL {
            for k in 0..=8 {
                let cnf = encode(encoding, k);
                let auxiliary = cnf.variables() - k;
                for inputs in 0..1_u32 << k {
                    let has_model = (0..1_u32 << auxiliary).any(|auxiliary_values| {
                        let bits = u64::from(auxiliary_values) << k | u64::from(inputs);
                        let assignment: Vec<bool> =
                            (0..cnf.variables()).map(|variable| bits >> variable & 1 == 1).collect();
                        cnf.is_satisfied_by(&assignment)
                    });
                    let name = encoding.name;
                    assert_eq!(
                        has_model,
                        inputs.count_ones() <= 1,
                        "{name}, k = {k}: {inputs:0k$b}",
                        k = k as usize
                    );
                }
            }
        }
    }

    /// The numbers of auxiliary variables and clauses of an encoding of k literals.
    fn size(name: &str, k: u32) -> (u32, usize) {
        let cnf = encode(by_name(name).expect("in the table"), k);
        (cnf.variables() - k, cnf.len())
    }

    #[test]
    fn fewer_than_two_literals_need_no_clause() {
        for encoding in ALL {
            assert_eq!([0, 1].map(|k| size(encoding.name, k)), [(0, 0); 2], "{}", encoding.name);
        }
    }

    #[test]
    fn pairwise_has_k_choose_2_clauses() {
        for k in 0..=40_u32 {
            assert_eq!(size("pairwise", k), (0, (k * k.saturating_sub(1) / 2) as usize));
        }
    }

    #[test]
    fn sequential_and_ladder_have_3k_minus_4_clauses() {
        for name in ["sequential", "ladder"] {
            assert_eq!([0, 1].map(|k| size(name, k)), [(0, 0); 2]);
            for k in 2..=40 {
                assert_eq!(size(name, k), (k - 1, 3 * k as usize - 4));
            }
        }
    }

    /// For k = p^2 literals, there are 2k clauses, and the clauses of two encodings of p literals (the rows and the columns of the grid).
    #[test]
    fn product_has_the_documented_clauses_and_variables() {
        assert_eq!([2, 3, 4].map(|k| size("product", k)), [(0, 1), (0, 3), (0, 6)]);
        assert_eq!([9, 16].map(|k| size("product", k)), [(6, 18 + 3 + 3), (8, 32 + 6 + 6)]);
        assert_eq!(size("product", 256), (32 + 8 + 8, 512 + 44 + 44));
        // 5 literals form a grid of 2 rows and 3 columns, and 7 literals form a grid of 3 rows and 3 columns.
        assert_eq!([5, 7].map(|k| size("product", k)), [(5, 10 + 1 + 3), (6, 14 + 3 + 3)]);
        for k in 100..1000_usize {
            let bound = 2 * k + 4 * k.isqrt() + 16 * k.isqrt().isqrt();
            assert!(size("product", k as u32).1 <= bound, "{k}");
        }
    }

    /// For powers of 3, each group has 7 clauses and one variable; the last group needs no commander.
    #[test]
    fn commander_has_the_documented_clauses_and_variables() {
        for k in [3_u32, 9, 27, 81, 243] {
            assert_eq!(size("commander", k), ((k - 3) / 2, 7 * (k as usize - 3) / 2 + 3));
        }
        // 4 literals form groups of 3 and 1, 5 literals form groups of 3 and 2, and 7 literals form groups of 3, 3 and 1.
        assert_eq!([4, 5, 7].map(|k| size("commander", k)), [(1, 7 + 1), (2, 7 + 4 + 1), (2, 14 + 3)]);
    }

    #[test]
    fn bitwise_has_the_documented_clauses_and_variables() {
        let log2 = |k: u32| (0..).find(|&bits| 1 << bits >= k).unwrap_or(0);
        for k in 1..=70 {
            assert_eq!(size("bitwise", k), (log2(k), (k * log2(k)) as usize));
        }
        assert_eq!(size("bitwise", 0), (0, 0));
    }

    #[test]
    fn bitwise_and_bimander_encode_indices_in_binary() {
        for (name, group) in [("bitwise", 1), ("bimander", 2)] {
            let cnf = encode(by_name(name).expect("in the table"), 12);
            let indices = 1_u32 << (cnf.variables() - 12);
            for (literal, bits) in (0..12).flat_map(|literal| (0..indices).map(move |bits| (literal, bits))) {
                let values = 1 << literal | bits << 12;
                let assignment: Vec<bool> = (0..cnf.variables()).map(|v| values >> v & 1 == 1).collect();
                assert_eq!(cnf.is_satisfied_by(&assignment), bits == literal / group, "{name}, {literal}");
            }
        }
    }

    #[test]
    fn bimander_has_the_documented_clauses_and_variables() {
        let log2 = |k: u32| (0..).find(|&bits| 1 << bits >= k).unwrap_or(0);
        for k in 1..=70_u32 {
            let bits = log2(k.div_ceil(2));
            assert_eq!(size("bimander", k), (bits, (k * bits + k / 2) as usize));
        }
        assert_eq!(size("bimander", 0), (0, 0));
    }

    #[test]
    fn negative_literals_are_constrained_like_positive_ones() {
        for encoding in ALL {
            let mut cnf = Cnf::new(5);
            let literals: Vec<Lit> = (1..=5).map(|variable| !Lit::positive(variable)).collect();
            (encoding.encode)(&literals, &mut cnf);
            let auxiliary = cnf.variables() - 5;
            let has_model = |inputs: u32| {
                (0..1_u32 << auxiliary).any(|auxiliary_values| {
                    let bits = auxiliary_values << 5 | inputs;
                    let assignment: Vec<bool> = (0..cnf.variables()).map(|v| bits >> v & 1 == 1).collect();
                    cnf.is_satisfied_by(&assignment)
                })
            };
            assert!(has_model(0b11101) && has_model(0b11111), "{}", encoding.name);
            assert!(!has_model(0b10101) && !has_model(0), "{}", encoding.name);
        }
    }

    #[test]
    fn encoding_names_are_unique() {
        for encoding in ALL {
            assert_eq!(by_name(encoding.name).map(|entry| entry.about), Some(encoding.about));
        }
        assert!(by_name("pairwse").is_none());
    }
}
