use super::*;
use crate::sat::dimacs;

const METHODS: [ProofMethod; 3] = [ProofMethod::Cubes, ProofMethod::Monolithic, ProofMethod::Backtrack];

fn proved(
    method: ProofMethod,
    solutions: &Solutions,
    binary: bool,
) -> Result<(Vec<u8>, Vec<u8>), CertifyError> {
    let formula = Formula::new(solutions);
    let mut cnf = Vec::new();
    dimacs::write(&mut cnf, [""; 0], &formula.cnf)?;
    let mut lrat = Vec::new();
    let mut proof = Proof::new(formula.cnf.len() as u64, &mut lrat, binary);
    prove(method, &formula, solutions, &mut proof)?;
    proof.finish()?;
    Ok((cnf, lrat))
}

#[test]
fn every_method_proves_every_small_board_in_text_and_in_binary() {
    for method in METHODS {
        for n in 0..=8 {
            let solutions = Solutions::enumerate(n).expect("small");
            for binary in [false, true] {
                let (cnf, proof) = proved(method, &solutions, binary).expect("all solutions are there");
                let verdict = lrat::check(cnf.as_slice(), proof.as_slice()).expect("readable");
                assert!(verdict.is_verified(), "{method:?}, n = {n}: {verdict:?}");
            }
        }
    }
}

/// A319284: 2057 nodes, 92 of them solutions.
#[test]
fn the_searcher_writes_a_lemma_a_node_that_is_no_solution() {
    let (cnf, proof) =
        proved(ProofMethod::Backtrack, &Solutions::enumerate(8).expect("small"), false).expect("whole");
    let Verdict::Verified(checked) = lrat::check(cnf.as_slice(), proof.as_slice()).expect("readable") else {
        panic!("rejected")
    };
    assert_eq!((checked.lemmas, checked.clauses), (2057 - 92, 744 + 92));
    // All lemmas are deleted except the eight of the first row, the children of the root.
    assert_eq!(checked.deleted, 2057 - 92 - 1 - 8);
}

#[test]
fn every_method_finds_the_solution_that_is_missing() {
    for method in METHODS {
        for n in [1, 4, 6, 8] {
            let all = Solutions::enumerate(n).expect("small");
            for missing in [0, all.len() / 2, all.len() - 1] {
                let mut kept: Vec<Placement> = all.iter().map(Placement::new).collect();
                let removed = kept.remove(missing);
                let some = Solutions::from_placements(n, &kept).expect("legal");
                match proved(method, &some, false) {
                    Err(CertifyError::Missing(found)) => assert_eq!(found, removed),
                    other => panic!("{method:?}, n = {n}: {other:?}"),
                }
            }
        }
    }
}

#[test]
fn middle_rows_come_first() {
    assert_eq!(cubes::rows(5), Vec::<usize>::new());
    assert_eq!(cubes::rows(8), [4, 3]);
    assert_eq!(cubes::rows(13), [6, 5, 7, 4]);
    assert_eq!(cubes::rows(14), [7, 6, 8, 5, 9]);
}
