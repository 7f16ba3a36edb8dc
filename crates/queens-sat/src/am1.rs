//! At-most-one encodings: clauses that are satisfiable exactly if at most one of k literals is true.
//! The inputs determine the auxiliary variables of `commander` only: enumerate on the squares.

use super::cnf::{Cnf, Lit};

/// An encoding of "at most one of these literals" in clauses.
#[derive(Clone, Copy, Debug)]
pub struct AtMostOne {
    /// The encoding's part of a solver id.
    pub name: &'static str,
    /// Description: auxiliary variables and clauses for k literals, and the source of the encoding.
    pub about: &'static str,
    /// The largest board whose formula and solver fit into 2 GiB.
    pub largest_board: usize,
    /// Adds the clauses over the literals, and the new variables that the encoding needs.
    pub encode: fn(literals: &[Lit], cnf: &mut Cnf),
}

/// Every encoding.
pub static ALL: [&AtMostOne; 7] =
    [&PAIRWISE, &SEQUENTIAL, &LADDER, &PRODUCT, &COMMANDER, &BITWISE, &BIMANDER];

/// The encoding with this name.
pub fn by_name(name: &str) -> Option<&'static AtMostOne> {
    ALL.into_iter().find(|encoding| encoding.name == name)
}

/// Pairwise encoding: no two literals are both true.
/// In: k literals. Out: k(k-1)/2 clauses, no auxiliary variable.
/// Source: folklore; the "naive" encoding of Prestwich, Handbook of Satisfiability 2009, ch. 2.
pub const PAIRWISE: AtMostOne = AtMostOne {
    name: "pairwise",
    about: "pairwise, a clause for every two literals: k(k-1)/2 clauses, no auxiliary variable",
    // A board has about 5/3 n^3 clauses: 28 million at n = 256, 0.6 GiB with varisat and 1.3 GiB with batsat.
    largest_board: 256,
    encode: pairwise,
};

fn pairwise(literals: &[Lit], cnf: &mut Cnf) {
    for (i, &first) in literals.iter().enumerate() {
        for &second in &literals[i + 1..] {
            cnf.add_clause([!first, !second]);
        }
    }
}

/// Sequential counter encoding: after each literal, a variable records "one was true so far".
/// In: k >= 2 literals. Out: 3k-4 clauses, k-1 auxiliary variables.
/// Source: Sinz, CP 2005 (LT-SEQ for one).
pub const SEQUENTIAL: AtMostOne = AtMostOne {
    name: "sequential",
    about: "sequential counter (Sinz 2005): 3k-4 clauses, k-1 auxiliary variables",
    // 12 million clauses.
    largest_board: 1024,
    encode: sequential,
};

fn sequential(literals: &[Lit], cnf: &mut Cnf) {
    let [first, rest @ ..] = literals else { return };
    let mut seen: Option<Lit> = None;
    let mut literal = *first;
    for &next in rest {
        // One of the literals up to and including `literal` is true.
        let seen_now = cnf.new_variable();
        cnf.add_clause([!literal, seen_now]);
        if let Some(seen) = seen {
            cnf.add_clause([!seen, seen_now]);
        }
        cnf.add_clause([!next, !seen_now]);
        seen = Some(seen_now);
        literal = next;
    }
}

/// Ladder (regular, order) encoding: rungs that are true up to the position of the true literal.
/// In: k >= 2 literals. Out: 3k-4 clauses, k-1 auxiliary variables.
/// Without at-least-one clauses, this is the sequential counter with negated auxiliary literals; to a
/// solver that tries one sign first, the two formulas are different.
/// Source: Gent & Nightingale, 2004; Ansotegui & Manya, SAT 2004.
pub const LADDER: AtMostOne = AtMostOne {
    name: "ladder",
    about: "ladder, regular, order (Gent & Nightingale 2004): 3k-4 clauses, k-1 auxiliary variables",
    // 12 million clauses.
    largest_board: 1024,
    encode: ladder,
};

fn ladder(literals: &[Lit], cnf: &mut Cnf) {
    // Rung i: the true literal, if any, comes after literal i.
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

/// Product encoding: the literals are points of a grid with at most one true row and one true column.
/// In: k > 4 literals. Out: 2k + 4 sqrt(k) + O(k^(1/4)) clauses, 2 sqrt(k) + O(k^(1/4)) auxiliary
/// variables. Rows and columns of the grid use the same encoding, up to 4 literals the pairwise one.
/// Source: Chen, ModRef 2010 (2-product encoding).
pub const PRODUCT: AtMostOne = AtMostOne {
    name: "product",
    about: "2-product (Chen 2010): about 2k + 4 sqrt(k) clauses, 2 sqrt(k) auxiliary variables",
    // 9 million clauses.
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

/// The literals of a group of `commander`.
const TRIO: usize = 3;

/// Commander encoding: groups of three, each with a commander that is true exactly if
/// a literal of the group is. At most one literal per group is true, and at most one commander, by the
/// same encoding.
/// In: k literals. Out: about 7k/2 clauses and k/2 auxiliary variables.
/// Source: Klieber & Kwon, CFV 2007 (groups of 3).
pub const COMMANDER: AtMostOne = AtMostOne {
    name: "commander",
    about: "commander, groups of 3 (Klieber & Kwon 2007): about 7k/2 clauses, k/2 auxiliary variables",
    // 14 million clauses.
    largest_board: 1024,
    encode: commander,
};

fn commander(literals: &[Lit], cnf: &mut Cnf) {
    if literals.len() <= TRIO {
        return pairwise(literals, cnf);
    }
    let mut commanders = Vec::with_capacity(literals.len().div_ceil(TRIO));
    for group in literals.chunks(TRIO) {
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

/// Bitwise (binary, logarithmic) encoding: the index of the true literal in binary.
/// In: k literals. Out: k ceil(log2 k) clauses, ceil(log2 k) auxiliary variables.
/// The auxiliary variables are free if no literal is true, so that 6 queens would have 256 models.
/// Source: Prestwich, 2007; Frisch, Peugniez, Doggett & Nightingale, JAR 2005.
pub const BITWISE: AtMostOne = AtMostOne {
    name: "bitwise",
    about: "bitwise (Prestwich 2007): k ceil(log2 k) clauses, ceil(log2 k) auxiliary variables",
    // About 4 n^2 log2 n clauses: more than 20 million at n = 768.
    largest_board: 768,
    encode: bitwise,
};

fn bitwise(literals: &[Lit], cnf: &mut Cnf) {
    let bits = index_bits(literals.len(), cnf);
    for (index, &literal) in literals.iter().enumerate() {
        imply_index(literal, index, &bits, cnf);
    }
}

/// The variables of a binary index below `count`.
fn index_bits(count: usize, cnf: &mut Cnf) -> Vec<Lit> {
    let bits = count.checked_sub(1).map_or(0, |last| usize::BITS - last.leading_zeros());
    (0..bits).map(|_| cnf.new_variable()).collect()
}

/// Adds one clause per bit: the literal implies that the bits are those of `index`.
fn imply_index(literal: Lit, index: usize, bits: &[Lit], cnf: &mut Cnf) {
    for (place, &bit) in bits.iter().enumerate() {
        cnf.add_clause([!literal, if index >> place & 1 == 1 { bit } else { !bit }]);
    }
}

/// The literals of a group of `bimander`.
const PAIR: usize = 2;

/// Bimander encoding: literals are grouped in pairs with at most one true literal each, and
/// the index of the pair with the true literal is encoded in binary.
/// In: k literals, m = ceil(k/2) pairs. Out: k ceil(log2 m) + floor(k/2) clauses, ceil(log2 m)
/// auxiliary variables.
/// Source: Nguyen & Mai, SoICT 2015 (groups of 2).
pub const BIMANDER: AtMostOne = AtMostOne {
    name: "bimander",
    about: "bimander, groups of 2 (Nguyen & Mai 2015): k ceil(log2 k/2) + k/2 clauses, ceil(log2 k/2) auxiliary variables",
    // About 4 n^2 log2 n clauses: more than 20 million at n = 768.
    largest_board: 768,
    encode: bimander,
};

fn bimander(literals: &[Lit], cnf: &mut Cnf) {
    let bits = index_bits(literals.len().div_ceil(PAIR), cnf);
    for (index, group) in literals.chunks(PAIR).enumerate() {
        pairwise(group, cnf);
        for &literal in group {
            imply_index(literal, index, &bits, cnf);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(encoding: &AtMostOne, k: u32) -> Cnf {
        let mut cnf = Cnf::new(k);
        let literals: Vec<Lit> = (1..=k).map(Lit::positive).collect();
        (encoding.encode)(&literals, &mut cnf);
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
                    let name = encoding.name;
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
    fn of_one_literal_or_none_nothing_is_said() {
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
    fn sequential_and_ladder_have_3k_minus_4_clauses_and_k_minus_1_variables() {
        for name in ["sequential", "ladder"] {
            assert_eq!([0, 1].map(|k| size(name, k)), [(0, 0); 2]);
            for k in 2..=40 {
                assert_eq!(size(name, k), (k - 1, 3 * k as usize - 4));
            }
        }
    }

    /// On a square grid of p by p: 2k + 2 f(p); Chen's bound is 2k + 4 sqrt(k) + O(k^(1/4)).
    #[test]
    fn product_has_2k_clauses_and_those_of_two_lines_of_its_grid() {
        assert_eq!([2, 3, 4].map(|k| size("product", k)), [(0, 1), (0, 3), (0, 6)]);
        assert_eq!([9, 16].map(|k| size("product", k)), [(6, 18 + 3 + 3), (8, 32 + 6 + 6)]);
        assert_eq!(size("product", 256), (32 + 8 + 8, 512 + 44 + 44));
        // 5 and 7 literals: grids of 2 rows of 3 and 3 rows of 3.
        assert_eq!([5, 7].map(|k| size("product", k)), [(5, 10 + 1 + 3), (6, 14 + 3 + 3)]);
        for k in 100..1000_usize {
            let bound = 2 * k + 4 * k.isqrt() + 16 * k.isqrt().isqrt();
            assert!(size("product", k as u32).1 <= bound, "{k}");
        }
    }

    /// Powers of 3: 7 clauses and a variable a group, none for the last.
    #[test]
    fn commander_has_7_halves_k_clauses_and_k_halves_variables() {
        for k in [3_u32, 9, 27, 81, 243] {
            assert_eq!(size("commander", k), ((k - 3) / 2, 7 * (k as usize - 3) / 2 + 3));
        }
        // Groups of 3 and 1; 3 and 2; 3, 3 and 1.
        assert_eq!([4, 5, 7].map(|k| size("commander", k)), [(1, 7 + 1), (2, 7 + 4 + 1), (2, 14 + 3)]);
    }

    #[test]
    fn bitwise_has_k_log_k_clauses_and_log_k_variables() {
        let log2 = |k: u32| (0..).find(|&bits| 1 << bits >= k).unwrap_or(0);
        for k in 1..=70 {
            assert_eq!(size("bitwise", k), (log2(k), (k * log2(k)) as usize));
        }
        assert_eq!(size("bitwise", 0), (0, 0));
    }

    #[test]
    fn a_true_literal_of_bitwise_and_its_pair_in_bimander_are_written_in_binary() {
        for (name, group) in [("bitwise", 1), ("bimander", 2)] {
            let cnf = encoded(by_name(name).expect("in the table"), 12);
            let indices = 1_u32 << (cnf.variables() - 12);
            for (literal, bits) in (0..12).flat_map(|literal| (0..indices).map(move |bits| (literal, bits))) {
                let all = 1 << literal | bits << 12;
                let assignment: Vec<bool> = (0..cnf.variables()).map(|v| all >> v & 1 == 1).collect();
                assert_eq!(cnf.is_satisfied_by(&assignment), bits == literal / group, "{name}, {literal}");
            }
        }
    }

    #[test]
    fn bimander_has_k_log_m_clauses_and_one_a_pair_and_log_m_variables() {
        let log2 = |k: u32| (0..).find(|&bits| 1 << bits >= k).unwrap_or(0);
        for k in 1..=70_u32 {
            let bits = log2(k.div_ceil(2));
            assert_eq!(size("bimander", k), (bits, (k * bits + k / 2) as usize));
        }
        assert_eq!(size("bimander", 0), (0, 0));
    }

    #[test]
    fn negative_literals_are_literals_too() {
        for encoding in ALL {
            let mut cnf = Cnf::new(5);
            let literals: Vec<Lit> = (1..=5).map(|variable| !Lit::positive(variable)).collect();
            (encoding.encode)(&literals, &mut cnf);
            let auxiliary = cnf.variables() - 5;
            let extends = |inputs: u32| {
                (0..1_u32 << auxiliary).any(|others| {
                    let bits = others << 5 | inputs;
                    let assignment: Vec<bool> = (0..cnf.variables()).map(|v| bits >> v & 1 == 1).collect();
                    cnf.is_satisfied_by(&assignment)
                })
            };
            assert!(extends(0b11101) && extends(0b11111), "{}", encoding.name);
            assert!(!extends(0b10101) && !extends(0), "{}", encoding.name);
        }
    }

    #[test]
    fn names_are_unique() {
        for encoding in ALL {
            assert_eq!(by_name(encoding.name).map(|found| found.about), Some(encoding.about));
        }
        assert!(by_name("pairwse").is_none());
    }
}
