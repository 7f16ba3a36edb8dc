use super::*;

/// All four clauses with one literal of each of two variables.
const FORMULA: &str = "p cnf 2 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n";
/// A proof for [`FORMULA`]: lemma 5 is the unit clause 2, and lemma 6 is the empty clause.
const PROOF: &str = "5 2 0 1 2 0\n5 d 1 2 0\n6 0 5 3 4 0\n";
/// [`PROOF`] in the binary format.
const BINARY: &[u8] = &[97, 10, 4, 0, 2, 4, 0, 100, 2, 4, 0, 97, 12, 0, 10, 6, 8, 0];
/// [`FORMULA`] without its last clause. This formula has a model, so every proof must be rejected.
const SATISFIABLE: &str = "p cnf 2 3\n1 2 0\n-1 2 0\n1 -2 0\n";

fn verdict(formula: &str, proof: &[u8]) -> ProofVerdict {
    check(formula.as_bytes(), proof).expect("readable")
}

fn fault(formula: &str, proof: &str) -> Fault {
    match verdict(formula, proof.as_bytes()) {
        ProofVerdict::Rejected(rejection) => rejection.fault,
        ProofVerdict::Verified(_) => panic!("accepted: {proof}"),
    }
}

#[test]
fn proof_is_verified_in_text_and_in_binary() {
    let counts = ProofCounts { clauses: 4, lemmas: 2, deletions: 2 };
    assert_eq!(verdict(FORMULA, PROOF.as_bytes()), ProofVerdict::Verified(counts));
    assert_eq!(verdict(FORMULA, BINARY), ProofVerdict::Verified(counts));
}

#[test]
fn formula_with_empty_clause_needs_no_proof() {
    assert!(verdict("p cnf 0 1\n0\n", b"").is_verified());
    assert_eq!(fault("p cnf 0 0\n", ""), Fault::NotRefuted);
}

#[test]
fn text_after_the_empty_clause_is_ignored() {
    assert!(verdict(FORMULA, format!("{PROOF}not a step").as_bytes()).is_verified());
}

#[test]
fn invalid_step_is_rejected_with_its_reason() {
    assert_eq!(fault(FORMULA, ""), Fault::NotRefuted);
    assert_eq!(fault(FORMULA, "5 2 0 1 2 0\n"), Fault::NotRefuted);
    assert_eq!(fault(FORMULA, "4 2 0 1 2 0\n"), Fault::IdInUse);
    assert_eq!(fault(FORMULA, "5 2 0 1 9 0\n"), Fault::UnknownHint(9));
    assert_eq!(fault(FORMULA, "5 0 1 0\n"), Fault::NotUnit(1));
    assert_eq!(fault(FORMULA, "5 2 0 1 1 2 0\n"), Fault::Satisfied(1));
    assert_eq!(fault(FORMULA, "5 2 0 1 0\n"), Fault::NoConflict);
    assert_eq!(fault(FORMULA, "5 2 0 0\n"), Fault::NoConflict);
    assert_eq!(fault(FORMULA, "5 d 9 0\n"), Fault::UnknownDeletion(9));
    assert_eq!(fault(FORMULA, "5 d -1 0\n"), Fault::UnknownDeletion(-1));
    assert_eq!(fault(FORMULA, "5 0 -1 0\n"), Fault::NoPivot);
    assert!(matches!(fault(FORMULA, "5 2 0 1 2"), Fault::Malformed(Malformed::Truncated)));
    let rejection = Rejection { step: 2, id: Some(6), byte: 21, fault: Fault::NoConflict };
    let verdict = verdict(FORMULA, b"5 2 0 1 2 0\n6 0 5 3 0\n");
    assert_eq!(verdict, ProofVerdict::Rejected(rejection));
}

#[test]
fn rejection_states_the_position_and_the_reason() {
    let rejection = |id, fault| Rejection { step: 2, id, byte: 21, fault };
    for (key, fault) in [
        ("id in use", Fault::IdInUse),
        ("unknown hint", Fault::UnknownHint(9)),
        ("not unit", Fault::NotUnit(1)),
        ("satisfied", Fault::Satisfied(1)),
        ("no conflict", Fault::NoConflict),
        ("no pivot", Fault::NoPivot),
        ("unresolved", Fault::Unresolved(2)),
        ("malformed", Fault::Malformed(Malformed::Truncated)),
    ] {
        wording::assert_wording!("rejection", key, rejection(Some(6), fault));
    }
    wording::assert_wording!("rejection", "unknown deletion", rejection(None, Fault::UnknownDeletion(-1)));
    wording::assert_wording!("rejection", "not refuted", rejection(None, Fault::NotRefuted));
}

#[test]
fn rejection_has_an_id_only_for_a_lemma() {
    let id = |proof: &[u8]| match verdict(FORMULA, proof) {
        ProofVerdict::Rejected(rejection) => rejection.id,
        ProofVerdict::Verified(_) => panic!("accepted"),
    };
    assert_eq!(id(b"5 0 1 0\n"), Some(5));
    assert_eq!(id(b"5 2 0 1 2"), Some(5));
    assert_eq!([id(b""), id(b"hello"), id(b"5 d 9 0\n"), id(b"5 d x"), id(b"5 d 1"), id(b"b")], [None; 6]);
}

#[test]
fn clauses_and_steps_reach_callbacks_as_written() {
    let numbers = |clause: &[Literal]| clause.iter().map(|literal| literal.dimacs()).collect::<Vec<_>>();
    for proof in [PROOF.as_bytes(), BINARY] {
        let (mut clauses, mut steps) = (Vec::new(), Vec::new());
        let checker = Checker::read(FORMULA.as_bytes(), |clause| clauses.push(numbers(clause)));
        let verdict = checker.expect("readable").check(proof, |step| {
            steps.push(match step {
                Step::Lemma { id, clause, hints } => (Some(id), numbers(clause), hints.to_vec()),
                Step::Deletion { ids } => (None, vec![], ids.to_vec()),
            });
        });
        assert!(verdict.expect("readable").is_verified());
        assert_eq!(clauses, [[1, 2], [-1, 2], [1, -2], [-1, -2]]);
        let deletion = (None, vec![], vec![1, 2]);
        assert_eq!(steps, [(Some(5), vec![2], vec![1, 2]), deletion, (Some(6), vec![], vec![5, 3, 4])]);
    }
}

#[test]
fn number_of_more_than_18_digits_is_malformed() {
    let eighteen_digits = "9".repeat(18);
    assert_eq!(
        fault(FORMULA, &format!("5 2 0 {eighteen_digits} 0\n")),
        Fault::UnknownHint(999_999_999_999_999_999)
    );
    let too_long = Fault::Malformed(Malformed::LongNumber);
    assert_eq!(fault(FORMULA, &format!("5 2 0 9{eighteen_digits} 0\n")), too_long);
}

#[test]
fn hints_are_applied_in_order_without_further_propagation() {
    assert_eq!(fault(FORMULA, "5 2 0 1 2 0\n6 0 3 5 4 0\n"), Fault::NotUnit(3));
    assert_eq!(fault(FORMULA, "5 2 0 1 2 0\n6 0 5 4 0\n"), Fault::NoConflict);
}

#[test]
fn deleted_clause_is_unusable_and_its_id_reusable() {
    assert_eq!(fault(FORMULA, "5 d 1 0\n5 2 0 1 2 0\n"), Fault::UnknownHint(1));
    assert_eq!(fault(FORMULA, "5 d 1 1 0\n"), Fault::UnknownDeletion(1));
    assert!(verdict(FORMULA, b"5 2 0 1 2 0\n5 d 1 0\n1 0 5 3 4 0\n").is_verified());
}

#[test]
fn repeated_literal_counts_once_and_tautology_is_accepted() {
    assert!(verdict("p cnf 1 2\n1 1 0\n-1 -1 -1 0\n", b"3 0 1 2 0\n").is_verified());
    let proof = format!("9 1 -1 0 0\n{PROOF}");
    assert!(verdict(FORMULA, proof.as_bytes()).is_verified());
    assert_eq!(fault(SATISFIABLE, "9 1 -1 0 0\n10 0 9 0\n"), Fault::NotUnit(9));
}

/// Three RAT steps define variable 3 as "1 and 2". When the first step is checked, no clause contains its negated pivot.
#[test]
fn rat_steps_can_define_a_new_variable() {
    let definition = "5 -3 1 0 0\n6 -3 2 0 0\n7 3 -1 -2 0 -5 -6 0\n";
    let proof = format!("{definition}8 3 2 0 1 2 0\n9 2 0 8 6 0\n10 0 9 3 4 0\n");
    assert!(verdict(FORMULA, proof.as_bytes()).is_verified());
    // Both resolvents are satisfied: -1 and -2 are false literals of the lemma.
    assert!(verdict(FORMULA, proof.replace(" -5 -6 0", " 0").as_bytes()).is_verified());
    assert!(!verdict(SATISFIABLE, proof.as_bytes()).is_verified());
}

#[test]
fn rat_step_resolves_each_clause_with_negated_pivot() {
    // The lemma -1 is valid as a RAT step on its only literal if its resolvents with clauses 1 and 2 follow.
    let formula = "p cnf 3 3\n1 2 0\n1 3 0\n-2 3 0\n";
    assert_eq!(fault(formula, "4 -1 0 -2 0\n"), Fault::Unresolved(1));
    assert_eq!(fault(formula, "4 -1 0 -1 3 0\n"), Fault::NotUnit(3));
    assert_eq!(fault(formula, "4 -1 0 0\n"), Fault::NoConflict);
    assert_eq!(fault(formula, "4 -1 0 -3 0\n"), Fault::UnknownHint(-3));
    assert_eq!(fault(formula, "4 -1 0 -1 -1 0\n"), Fault::UnknownHint(-1));
    let formula = "p cnf 3 4\n1 2 0\n1 3 0\n2 3 0\n2 -3 0\n";
    assert_eq!(fault(formula, "5 -1 0 -1 3 4 0\n"), Fault::Unresolved(2));
    assert_eq!(fault(formula, "5 -1 0 -1 3 4 -2 3 0\n"), Fault::NoConflict);
    let formula = "p cnf 3 5\n1 2 0\n1 3 0\n2 3 0\n2 -3 0\n3 -2 0\n";
    assert_eq!(fault(formula, "6 -1 0 -1 3 4 -2 3 5 0\n7 0 6 0\n"), Fault::NoConflict);
}

#[test]
fn truncated_proof_is_rejected() {
    for length in 0..PROOF.len() - 2 {
        assert!(!verdict(FORMULA, &PROOF.as_bytes()[..length]).is_verified(), "{length} bytes");
    }
    for length in 0..BINARY.len() {
        assert!(!verdict(FORMULA, &BINARY[..length]).is_verified(), "{length} bytes");
    }
}

#[test]
fn proof_with_changed_byte_never_refutes_satisfiable_formula() {
    for proof in [PROOF.as_bytes(), BINARY] {
        for index in 0..proof.len() {
            for byte in 0..=255 {
                let mut changed_proof = proof.to_vec();
                changed_proof[index] = byte;
                assert!(!verdict(SATISFIABLE, &changed_proof).is_verified(), "byte {index} is {byte}");
                verdict(FORMULA, &changed_proof);
            }
        }
    }
}

#[test]
fn unreadable_input_is_an_error_instead_of_rejection() {
    assert!(matches!(
        check(&b"p cnf"[..], &b""[..]),
        Err(LratReadError::Formula(FormulaError::Invalid { .. }))
    ));
    struct BrokenReader;
    impl Read for BrokenReader {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("broken"))
        }
    }
    let proof = check(FORMULA.as_bytes(), BrokenReader).expect_err("unreadable");
    assert!(
        matches!(&proof, LratReadError::Proof(error) if error.kind() == io::ErrorKind::Other),
        "{proof:?}"
    );
    wording::assert_wording!("unreadable", "proof", proof);
    let formula = check(BrokenReader, PROOF.as_bytes()).expect_err("unreadable");
    assert!(matches!(formula, LratReadError::Formula(FormulaError::Io(_))), "{formula:?}");
    wording::assert_wording!("unreadable", "formula", formula);
}

/// The steps have small numbers, so that many of the numbers are ids of existing clauses.
#[test]
fn random_steps_never_prove_satisfiable_formula_unsatisfiable() {
    let mut state = 1_u64;
    let mut random_below = move |limit: u64| {
        // xorshift64.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % limit
    };
    for _ in 0..20_000 {
        let length = random_below(60);
        let numbers: Vec<i64> = (0..length).map(|_| random_below(15) as i64 - 7).collect();
        let text = numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(" ");
        let code = |number: &i64| 2 * number.unsigned_abs() as u8 + u8::from(*number < 0);
        let binary: Vec<u8> =
            numbers.iter().map(code).map(|code| if code % 5 == 0 { b'a' } else { code }).collect();
        for proof in [text.as_bytes(), &binary] {
            assert!(!verdict(SATISFIABLE, proof).is_verified(), "{proof:?}");
            verdict(FORMULA, proof);
        }
    }
}

#[test]
fn codes_and_dimacs_numbers_name_the_same_literals() {
    assert_eq!(Literal::from_dimacs(3), Literal::from_code(6));
    assert_eq!(Literal::from_dimacs(-3), Literal::from_code(7));
    assert_eq!(Literal::from_code(7).map(|lit| (!lit).to_string()).as_deref(), Some("3"));
    let invalid_literals = [0, 1, Literal::CODES as u64, u64::MAX].map(Literal::from_code);
    assert_eq!(invalid_literals, [None; 4]);
    assert_eq!([0, i64::MIN, i64::MAX].map(Literal::from_dimacs), [None; 3]);
    let largest_literal = Literal::from_dimacs(-i64::from(MAX_VARIABLE));
    assert_eq!(largest_literal.map(|lit| lit.to_string()), Some(format!("-{MAX_VARIABLE}")));
}
