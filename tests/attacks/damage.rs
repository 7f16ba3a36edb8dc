//! Damaged proofs: whatever happens to a proof, no certificate with a wrong count holds.

use std::collections::BTreeSet;
use std::fs;

use queenlab::board::BoardSize;
use queenlab::board::problem::Problem;
use queenlab::sat::symmetry::SymmetryGroup;
use queenlab::verify::certificate::{
    AuditError, BrokenSymmetry, Certificate, Format, ProofMethod, Request, Stated, audit_in_memory, certify,
};

use crate::certificates::sha256;
use crate::harness::scratch;

const METHODS: [ProofMethod; 3] = [ProofMethod::Cubes, ProofMethod::Monolithic, ProofMethod::Backtrack];

/// How many solutions a board has, by trying all: what is true does not depend on the code under test.
fn true_count(n: usize, columns: &mut Vec<usize>) -> u64 {
    let row = columns.len();
    if row == n {
        return 1;
    }
    let mut count = 0;
    for column in 0..n {
        let attacked = columns.iter().enumerate().any(|(r, &c)| c == column || c.abs_diff(column) == row - r);
        if !attacked {
            columns.push(column);
            count += true_count(n, columns);
            columns.pop();
        }
    }
    count
}

/// A certificate in memory, its formula and its proof.
fn made(
    n: usize,
    method: ProofMethod,
    binary: bool,
    symmetry: SymmetryGroup,
) -> (Certificate, String, Vec<u8>) {
    let directory = scratch();
    let path = directory.path().join("p.lrat");
    let proof = Some(path.clone());
    let problem = Problem::queens(BoardSize::new(n).expect("a board size"));
    let request = Request { problem, symmetry, method, format: Format::Lrat, binary, proof, checker: None };
    let certificate = certify(&request, |_| {}).expect("a small board");
    let formula = fs::read_to_string(path.with_extension("cnf")).expect("the formula");
    (certificate, formula, fs::read(&path).expect("the proof"))
}

/// The boards that rotations and reflections make of these.
fn images(boards: &[Vec<usize>]) -> BTreeSet<Vec<usize>> {
    let turned = |board: &[usize]| {
        let mut turned = vec![0; board.len()];
        board.iter().enumerate().for_each(|(row, &column)| turned[column] = board.len() - 1 - row);
        turned
    };
    let mut all = BTreeSet::new();
    for board in boards {
        let mut board = board.clone();
        for _ in 0..4 {
            all.insert(board.clone());
            all.insert(board.iter().map(|column| board.len() - 1 - column).collect());
            board = turned(&board);
        }
    }
    all
}

/// The same certificate with its last solution left out, claimed to be all the same.
fn with_a_solution_less(certificate: &Certificate, formula: &str) -> (Certificate, String) {
    let mut lines: Vec<&str> = formula.lines().filter(|line| !line.starts_with(['c', 'p'])).collect();
    lines.pop();
    let formula = format!("p cnf {} {}\n{}\n", certificate.variables, lines.len(), lines.join("\n"));
    let broken = certificate.stated.symmetry.as_ref().map_or(0, |broken| broken.clauses);
    let denied = &lines[(certificate.stated.encoding_clauses + broken) as usize..];
    let n = certificate.stated.n as i64;
    let board = |clause: &&str| -> Vec<usize> {
        let queens =
            clause.split(' ').map(|word| word.parse::<i64>().expect("a literal")).filter(|&x| x != 0);
        queens.map(|literal| ((-literal - 1) % n) as usize).collect()
    };
    let listed: Vec<Vec<usize>> = denied.iter().map(board).collect();
    let all = if broken > 0 { images(&listed) } else { listed.iter().cloned().collect() };
    let line = |columns: &Vec<usize>| {
        let columns: Vec<String> = columns.iter().map(usize::to_string).collect();
        columns.join(" ") + "\n"
    };
    let list: String = all.iter().map(line).collect();
    let symmetry = certificate.stated.symmetry.clone();
    let stated = Stated {
        solutions: all.len() as u64,
        solutions_sha256: sha256(list.as_bytes()),
        symmetry: symmetry.map(|broken| BrokenSymmetry { representatives: listed.len() as u64, ..broken }),
        ..certificate.stated.clone()
    };
    (Certificate { stated, clauses: lines.len() as u64, ..certificate.clone() }, formula)
}

/// One to four changes anywhere: a bit, a byte, a piece that goes, comes twice or moves, a number that changes a little.
fn damage(proof: &[u8], binary: bool, random: &mut fastrand::Rng) -> Vec<u8> {
    let mut proof = proof.to_vec();
    for _ in 0..random.usize(1..5) {
        let length = proof.len();
        if length < 40 {
            break;
        }
        let at = random.usize(..length);
        let end = (at + random.usize(1..40)).min(length);
        match random.u8(..if binary { 6 } else { 9 }) {
            0 => proof[at] ^= 1 << random.u8(..8),
            1 => proof[at] = random.u8(..),
            2 => proof.truncate(at),
            3 => drop(proof.drain(at..end)),
            4 => {
                let piece = proof[at..end].to_vec();
                let to = random.usize(..length);
                proof.splice(to..to, piece);
            }
            5 => {
                let piece: Vec<u8> = proof.drain(at..end).collect();
                let to = random.usize(..=proof.len());
                proof.splice(to..to, piece);
            }
            // In a text, whole lines and numbers.
            kind => {
                let text = String::from_utf8_lossy(&proof).into_owned();
                let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
                let (line, other) = (random.usize(..lines.len()), random.usize(..lines.len()));
                match kind {
                    6 => drop(lines.remove(line)),
                    7 => lines.swap(line, other),
                    _ => {
                        let mut words: Vec<String> = lines[line].split(' ').map(str::to_owned).collect();
                        let word = random.usize(..words.len());
                        if let Ok(number) = words[word].parse::<i64>() {
                            words[word] = (number + random.i64(-2..=2)).to_string();
                        }
                        lines[line] = words.join(" ");
                    }
                }
                proof = (lines.join("\n") + "\n").into_bytes();
            }
        }
    }
    proof
}

/// A damaged proof of what is true may still prove it. One of what is not true may not, however right it looks: here the
/// certificate counts one solution less than there are.
#[test]
fn ten_thousand_damaged_proofs_are_all_refused_or_still_prove() {
    const N: usize = 6;
    const DAMAGED: usize = 10_000;
    let truth = true_count(N, &mut Vec::new());
    let symmetries = [SymmetryGroup::None, SymmetryGroup::Full];
    let kinds: Vec<(ProofMethod, bool, SymmetryGroup)> = METHODS
        .into_iter()
        .flat_map(|method| [false, true].map(|binary| (method, binary)))
        .flat_map(|(method, binary)| symmetries.map(|symmetry| (method, binary, symmetry)))
        .collect();
    let mut random = fastrand::Rng::with_seed(12);
    let (mut refused, mut proved) = (0, 0);
    for (index, &(method, binary, symmetry)) in kinds.iter().enumerate() {
        let (right, formula, proof) = made(N, method, binary, symmetry);
        assert_eq!(right.stated.solutions, truth);
        audit_in_memory(&right, formula.as_bytes(), &proof).expect("nothing is damaged yet");
        let (mut short, short_formula) = with_a_solution_less(&right, &formula);
        short.formula.redigest(short_formula.as_bytes());
        let verdict = |certificate: &Certificate, formula: &str, proof: &[u8]| {
            let mut certificate = certificate.clone();
            certificate.proof.redigest(proof);
            audit_in_memory(&certificate, formula.as_bytes(), proof)
        };
        let told = verdict(&short, &short_formula, &proof).expect_err("a solution is missing").to_string();
        assert!(told.contains("the checker rejects the proof"), "nothing else is wrong: {told}");
        for _ in (index..DAMAGED).step_by(kinds.len()) {
            let damaged = damage(&proof, binary, &mut random);
            match verdict(&right, &formula, &damaged) {
                Ok(()) => proved += 1,
                Err(AuditError::Wrong(_)) => refused += 1,
                Err(other) => panic!("{method:?}: {other}"),
            }
            let told = verdict(&short, &short_formula, &damaged);
            assert!(
                matches!(told, Err(AuditError::Wrong(_))),
                "{method:?}: {truth} solutions are not {}: {told:?}",
                short.stated.solutions
            );
            // Without a digest of its own, no damage at all passes.
            assert!(damaged == proof || audit_in_memory(&right, formula.as_bytes(), &damaged).is_err());
        }
    }
    assert_eq!(refused + proved, DAMAGED);
    assert!(refused > DAMAGED / 2, "{refused} of {DAMAGED} were refused: the damage is too small to tell");
}
