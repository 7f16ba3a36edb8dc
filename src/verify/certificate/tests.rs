use std::num::NonZeroUsize;

use super::*;
use crate::board::problem::Variant;
use crate::board::{BoardSize, Placement};
use crate::sat::dimacs;

const METHODS: [ProofMethod; 3] = [ProofMethod::Cubes, ProofMethod::Monolithic, ProofMethod::Backtrack];

fn problem(n: usize, text: &str) -> Problem {
    Problem::from_text(BoardSize::new(n).expect("small"), text).expect(text)
}

fn plain(n: usize) -> Problem {
    problem(n, "queens")
}

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
            let solutions = Solutions::enumerate(&plain(n)).expect("small");
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
        proved(ProofMethod::Backtrack, &Solutions::enumerate(&plain(8)).expect("small"), false)
            .expect("whole");
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
            let all = Solutions::enumerate(&plain(n)).expect("small");
            for missing in [0, all.len() / 2, all.len() - 1] {
                let mut kept: Vec<Placement> = all.iter().map(Placement::new).collect();
                let removed = kept.remove(missing);
                let some = Solutions::from_placements(&plain(n), &kept).expect("legal");
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

/// Variants, puzzles, and squares that must or must not hold a queen, also where no solution is left.
#[test]
fn every_method_proves_every_small_problem() {
    let puzzle = "regions;regions=AAAAAA/AABBBA/AACAAA/AACAAD/AEEFFD/AEEDDD";
    let rows = "regions;regions=AAAA/BBBB/CCCC/DDDD";
    let mut problems: Vec<Problem> = Vec::new();
    for variant in Variant::NAMED {
        let all = (0..=6).map(|n| problem(n, variant.name()));
        problems.extend(all);
    }
    problems.extend([
        problem(10, "superqueens"),
        problem(6, puzzle),
        problem(6, &format!("{puzzle};place=0:0")),
        problem(4, rows),
        problem(1, "queens;place=0:0"),
        problem(6, "queens;place=0:1"),
        problem(6, "queens;place=0:0"),
        problem(6, "queens;place=0:1,2:5,5:4"),
        problem(6, "queens;place=0:1,1:1"),
        problem(6, "queens;place=0:1,0:4"),
        problem(8, "queens;place=5:0,6:2;forbid=0:0,7:7"),
        problem(6, "queens;forbid=2:0,2:1,2:2,2:4,2:5;place=0:3"),
        problem(7, "queens;forbid=0:0,3:3,4:1;exclude=s6,d0"),
        problem(6, "toroidal;forbid=1:1;exclude=s1"),
        problem(7, "toroidal;place=3:3"),
        problem(5, "reflecting;place=4:2;forbid=0:0"),
    ]);
    for problem in problems {
        let solutions = Solutions::enumerate(&problem).expect("small");
        for method in METHODS {
            let (cnf, proof) = proved(method, &solutions, false).expect("all solutions are there");
            let verdict = lrat::check(cnf.as_slice(), proof.as_slice()).expect("readable");
            assert!(verdict.is_verified(), "{method:?}, {problem}: {verdict:?}");
        }
        let formula = Formula::new(&solutions);
        let audited = audit_formula(&problem, formula.encoding_clauses, solutions.len() as u64, &formula.cnf);
        assert!(audited.is_ok(), "{problem}: {audited:?}");
    }
}

/// The audit counts the images of the denied solutions, and the proof need not deny them.
#[test]
fn every_method_proves_boards_whose_symmetry_is_broken() {
    let plain = (0..=8).map(plain);
    let others =
        [(5, "toroidal"), (7, "toroidal"), (4, "rooks"), (6, "queens;exclude=s5,d0"), (5, "reflecting")];
    for problem in plain.chain(others.map(|(n, text)| problem(n, text))) {
        let all = Solutions::enumerate(&problem).expect("small");
        for symmetry in [SymmetryGroup::Mirror, SymmetryGroup::Full] {
            let some = match Solutions::representatives(&problem, symmetry) {
                Err(CertifyError::NotSymmetric(_)) if problem.symmetries().len() < symmetry.group().len() => {
                    continue;
                }
                some => some.expect("small"),
            };
            let counted = |solutions: &Solutions| solutions.all().expect("solutions");
            assert_eq!(counted(&some), counted(&all), "{symmetry}, {problem}");
            assert!(some.len() < all.len() || all.len() < 2, "{symmetry}, {problem}");
            for method in METHODS {
                let (cnf, lrat) = proved(method, &some, false).expect("all representatives are there");
                let certificate = described(method, &some, &cnf, &lrat);
                let audited = audit_in_memory(&certificate, &cnf, &lrat);
                assert!(audited.is_ok(), "{method:?}, {symmetry}, {problem}: {audited:?}");
            }
        }
    }
}

/// The certificate of these files.
fn described(method: ProofMethod, solutions: &Solutions, cnf: &[u8], lrat: &[u8]) -> Certificate {
    let lemmas = String::from_utf8_lossy(lrat).lines().filter(|line| !line.contains(" d ")).count();
    let form = (Format::Lrat, false);
    let certificate = Certificate::new(method, form, &Formula::new(solutions), solutions, [0, lemmas as u64]);
    let mut certificate = certificate.expect("solutions");
    for (file, name, content) in
        [(&mut certificate.formula, "p.cnf", cnf), (&mut certificate.proof, "p.lrat", lrat)]
    {
        name.clone_into(&mut file.file);
        file.redigest(content);
    }
    certificate
}

fn in_parts(problem: Problem, symmetry: SymmetryGroup, threads: usize) -> Result<Composition, CertifyError> {
    let threads = NonZeroUsize::new(threads).expect("a number of threads");
    let (binary, directory, keep, checker) = (false, None, false, None);
    let request = PartsRequest { problem, symmetry, binary, threads, directory, keep, checker };
    certify_parts(&request, &|_| {})
}

/// The parts are the same with any number of threads, and the count is that of a certificate that is not in parts.
#[test]
fn boards_are_certified_in_parts() {
    let plain = (0..=9).map(plain);
    let others = [
        (5, "toroidal"),
        (7, "toroidal"),
        (6, "rooks"),
        (8, "queens;exclude=s7,d0"),
        (6, "reflecting"),
        (6, "queens;place=0:1"),
        (8, "queens;place=3:0;forbid=0:4"),
        (6, "queens;place=0:0,1:1"),
        (6, "regions;regions=AAAAAA/AABBBA/AACAAA/AACAAD/AEEFFD/AEEDDD"),
    ];
    for problem in plain.chain(others.map(|(n, text)| problem(n, text))) {
        let all = Solutions::enumerate(&problem).and_then(|all| all.all()).expect("small");
        for symmetry in SymmetryGroup::ALL {
            let found = match in_parts(problem.clone(), symmetry, 2) {
                Err(CertifyError::NotSymmetric(_)) if !problem.has_symmetries(symmetry.group()) => continue,
                found => found.unwrap_or_else(|error| panic!("{symmetry}, {problem}: {error}")),
            };
            assert_eq!(
                (found.stated.solutions, &found.stated.solutions_sha256),
                (all.0, &all.1),
                "{symmetry}, {problem}"
            );
            let (mut same, files) = parts_in_memory(&problem, symmetry).expect("all solutions are there");
            assert_eq!(found.parts, same.parts, "{symmetry}, {problem}");
            assert_eq!(files.len(), 2 * found.parts.len());
            let audited = audit_parts_in_memory(&same, &files);
            assert!(audited.is_ok(), "{symmetry}, {problem}: {audited:?}");
            same.kept = false;
            let audited = audit_parts_in_memory(&same, &files);
            assert!(matches!(audited, Err(AuditError::NotKept { .. })), "{audited:?}");
        }
    }
    assert!(in_parts(problem(8, "queens"), SymmetryGroup::Full, 1).expect("small").parts.len() > 2);
}

#[test]
fn symmetry_is_broken_by_default_on_large_plain_boards_only() {
    assert_eq!(usual_symmetry(&plain(12), Format::Lrat), SymmetryGroup::None);
    assert_eq!(usual_symmetry(&plain(13), Format::Drat), SymmetryGroup::Full);
    assert_eq!(usual_symmetry(&plain(13), Format::Veripb), SymmetryGroup::None);
    assert_eq!(usual_symmetry(&problem(13, "toroidal"), Format::Lrat), SymmetryGroup::None);
}

#[test]
fn the_formula_of_one_problem_is_not_that_of_another() {
    let others = [
        ("queens", "semiqueens"),
        ("queens", "toroidal"),
        ("toroidal", "queens"),
        ("superqueens", "queens"),
        ("reflecting", "queens"),
        ("rooks", "queens"),
        ("queens;place=0:1", "queens"),
        ("queens;place=0:1", "queens;place=0:2"),
        ("queens", "queens;place=0:1"),
        ("queens;forbid=0:1", "queens"),
        ("queens;forbid=0:1", "queens;forbid=0:2"),
        ("queens", "queens;exclude=s1"),
        ("regions;regions=AAAAAA/AABBBA/AACAAA/AACAAD/AEEFFD/AEEDDD", "queens"),
        (
            "regions;regions=AAAAAA/AABBBA/AACAAA/AACAAD/AEEFFD/AEEDDD",
            "regions;regions=AAAAAA/AABBBA/AACAAA/AACAAD/AEEFFD/AEEFDD",
        ),
    ];
    for (of, claimed) in others {
        let solutions = Solutions::enumerate(&problem(6, of)).expect("small");
        let formula = Formula::new(&solutions);
        let audited = audit_formula(
            &problem(6, claimed),
            formula.encoding_clauses,
            solutions.len() as u64,
            &formula.cnf,
        );
        assert!(audited.is_err(), "{of} as {claimed}");
    }
}
