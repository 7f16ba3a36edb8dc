//! Damaged proofs. No change of its proofs may make a certificate with a wrong count valid.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::num::NonZeroUsize;

use queenlab::audit::{AuditError, Certificate, Digested, audit};
use queenlab::board::BoardSize;
use queenlab::board::problem::Problem;
use queenlab::certify::{Method, Request, certify};
use queenlab::sat::symmetry::SymmetryGroup;

use crate::attacks::certificates::sha256;
use crate::harness::scratch;

type Files = BTreeMap<String, Vec<u8>>;

/// The number of solutions of a board, counted by trying all placements, independently of the tested code.
fn true_count(n: usize, columns: &mut Vec<usize>) -> u64 {
    let row = columns.len();
    if row == n {
        return 1;
    }
    let mut count = 0;
    for column in 0..n {
        let is_attacked =
            columns.iter().enumerate().any(|(r, &c)| c == column || c.abs_diff(column) == row - r);
        if !is_attacked {
            columns.push(column);
            count += true_count(n, columns);
            columns.pop();
        }
    }
    count
}

/// Converts a binary proof to text.
pub fn text(binary: &[u8]) -> String {
    let mut bytes = binary.iter().copied();
    let mut number = || {
        let mut groups = Vec::new();
        loop {
            let byte = bytes.next()?;
            groups.push(byte & 0x7f);
            if byte < 0x80 {
                return Some(groups.iter().rev().fold(0, |code: u64, &group| code << 7 | u64::from(group)));
            }
        }
    };
    let (mut text, mut last) = (String::new(), 0);
    while let Some(kind) = number() {
        let is_deletion = kind == u64::from(b'd');
        if is_deletion {
            text += &format!("{last} d");
        }
        // A lemma consists of its id and two lists that end with 0.
        let mut zeros = if is_deletion { 1 } else { 2 };
        let mut is_first = !is_deletion;
        while zeros > 0 {
            let code = number().expect("a whole step");
            let sign = if code & 1 == 1 { "-" } else { "" };
            let space = if is_first { "" } else { " " };
            text += &format!("{space}{sign}{}", code / 2);
            if is_first {
                last = code / 2;
            }
            is_first = false;
            zeros -= u32::from(code == 0);
        }
        text.push('\n');
    }
    text
}

/// Makes a certificate and its files in memory.
fn certified(n: usize, method: Method, is_binary: bool, symmetry: SymmetryGroup) -> (Certificate, Files) {
    let problem = Problem::queens(BoardSize::new(n).expect("a board size"));
    let scratch = scratch();
    let directory = Some(scratch.path().join("q"));
    let threads = NonZeroUsize::MIN;
    let request = Request { problem, symmetry, method, threads, directory, keep: true, checker: None };
    let mut certificate = certify(&request, &|_| {}).expect("a small board");
    let name_and_content = |file: &Digested| {
        (file.file.clone(), fs::read(scratch.path().join("q").join(&file.file)).expect("a stored file"))
    };
    let contents_by_name = certificate
        .parts
        .iter()
        .flat_map(|part| [name_and_content(&part.formula), name_and_content(&part.proof)]);
    let mut files: Files = contents_by_name.collect();
    if !is_binary {
        for part in &mut certificate.parts {
            let proof = files.get_mut(&part.proof.file).expect("a proof");
            *proof = text(proof).into_bytes();
            part.proof = Digested::of(part.proof.file.clone(), proof);
        }
    }
    set_claim(&mut certificate, &files);
    (certificate, files)
}

/// All rotations and reflections of these boards.
fn rotations_and_reflections(boards: &[Vec<usize>]) -> BTreeSet<Vec<usize>> {
    let rotated = |board: &[usize]| {
        let mut rotated = vec![0; board.len()];
        board.iter().enumerate().for_each(|(row, &column)| rotated[column] = board.len() - 1 - row);
        rotated
    };
    let mut images = BTreeSet::new();
    for board in boards {
        let mut board = board.clone();
        for _ in 0..4 {
            images.insert(board.clone());
            images.insert(board.iter().map(|column| board.len() - 1 - column).collect());
            board = rotated(&board);
        }
    }
    images
}

/// Sets the claimed number of solutions to the number of boards that the formulas exclude. If the certificate breaks symmetry, the
/// rotations and reflections of these boards are included.
fn set_claim(certificate: &mut Certificate, files: &Files) {
    let n = certificate.n as i64;
    let board = |clause: &str| -> Vec<usize> {
        let words = clause.split(' ').map(|word| word.parse::<i64>().expect("a literal"));
        words.filter(|&literal| literal != 0).map(|literal| ((-literal - 1) % n) as usize).collect()
    };
    let excluded = certificate.parts.iter().flat_map(|part| {
        let formula = std::str::from_utf8(&files[&part.formula.file]).expect("a text");
        formula.lines().rev().take(part.solutions as usize).map(board)
    });
    let excluded: Vec<Vec<usize>> = excluded.collect();
    let claimed_boards = if certificate.symmetry.is_some() {
        rotations_and_reflections(&excluded)
    } else {
        excluded.into_iter().collect()
    };
    let line = |columns: &Vec<usize>| {
        let columns: Vec<String> = columns.iter().map(usize::to_string).collect();
        columns.join(" ") + "\n"
    };
    certificate.solutions = claimed_boards.len() as u64;
    certificate.solutions_sha256 = sha256(claimed_boards.iter().map(line).collect::<String>().as_bytes());
}

/// Removes one excluded solution from the formula of a part, and adjusts the claimed number of solutions.
fn without_one_solution(certificate: &Certificate, files: &Files, part: usize) -> (Certificate, Files) {
    let (mut certificate, mut files) = (certificate.clone(), files.clone());
    let changed_part = &mut certificate.parts[part];
    let formula = std::str::from_utf8(&files[&changed_part.formula.file]).expect("a text");
    let mut lines: Vec<&str> = formula.lines().filter(|line| !line.starts_with(['c', 'p'])).collect();
    lines.pop();
    let n = certificate.n;
    let formula = format!("p cnf {} {}\n{}\n", n * n, lines.len(), lines.join("\n"));
    changed_part.solutions -= 1;
    changed_part.formula = Digested::of(changed_part.formula.file.clone(), formula.as_bytes());
    files.insert(changed_part.formula.file.clone(), formula.into_bytes());
    set_claim(&mut certificate, &files);
    (certificate, files)
}

/// Makes one to four random changes: changes a bit, a byte or a number, or deletes, repeats or moves a piece.
fn damage(proof: &[u8], binary: bool, random: &mut fastrand::Rng) -> Vec<u8> {
    let mut proof = proof.to_vec();
    for _ in 0..random.usize(1..5) {
        let length = proof.len();
        if length < 40 {
            break;
        }
        let position = random.usize(..length);
        let end = (position + random.usize(1..40)).min(length);
        match random.u8(..if binary { 6 } else { 9 }) {
            0 => proof[position] ^= 1 << random.u8(..8),
            1 => proof[position] = random.u8(..),
            2 => proof.truncate(position),
            3 => drop(proof.drain(position..end)),
            4 => {
                let piece = proof[position..end].to_vec();
                let target = random.usize(..length);
                proof.splice(target..target, piece);
            }
            5 => {
                let piece: Vec<u8> = proof.drain(position..end).collect();
                let target = random.usize(..=proof.len());
                proof.splice(target..target, piece);
            }
            // In the text format, lines are removed or swapped, or a number is changed.
            kind => {
                let text = String::from_utf8_lossy(&proof).into_owned();
                let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
                let (line, second_line) = (random.usize(..lines.len()), random.usize(..lines.len()));
                match kind {
                    6 => drop(lines.remove(line)),
                    7 => lines.swap(line, second_line),
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

/// A damaged proof of a true count may still be valid. A damaged proof of a false count must never be valid. The false count of
/// this test is one less than the number of solutions.
#[test]
#[ignore = "long: an attack"]
fn ten_thousand_damaged_proofs_never_prove_wrong_counts() {
    const N: usize = 6;
    const PROOFS: usize = 10_000;
    let solution_count = true_count(N, &mut Vec::new());
    let mut kinds = Vec::new();
    for method in Method::ALL {
        for symmetry in [SymmetryGroup::None, SymmetryGroup::Full] {
            kinds.extend([false, true].map(|is_binary| (method, is_binary, symmetry)));
        }
    }
    let audit_all = |certificate: &Certificate, files: &Files| {
        audit(certificate, files, None, NonZeroUsize::MIN).map(|_| ())
    };
    let mut random = fastrand::Rng::with_seed(12);
    let (mut refused, mut accepted) = (0, 0);
    for (index, &(method, is_binary, symmetry)) in kinds.iter().enumerate() {
        let (correct_certificate, files) = certified(N, method, is_binary, symmetry);
        assert_eq!(correct_certificate.solutions, solution_count);
        audit_all(&correct_certificate, &files).expect("the undamaged certificate is valid");
        let part_index = correct_certificate
            .parts
            .iter()
            .position(|part| part.solutions > 0)
            .expect("a part with a solution");
        let (false_certificate, false_files) = without_one_solution(&correct_certificate, &files, part_index);
        let name = &correct_certificate.parts[part_index].proof.file;
        let audit_with_proof = |certificate: &Certificate, files: &Files, proof: &[u8]| {
            let (mut certificate, mut files) = (certificate.clone(), files.clone());
            certificate.parts[part_index].proof = Digested::of(name.clone(), proof);
            files.insert(name.clone(), proof.to_vec());
            audit_all(&certificate, &files)
        };
        let proof = &files[name];
        let rejection =
            audit_with_proof(&false_certificate, &false_files, proof).expect_err("a solution is missing");
        // The proof is the only reason for the rejection.
        assert!(rejection.to_string().contains("checker rejects"), "{rejection}");
        for _ in (index..PROOFS).step_by(kinds.len()) {
            let damaged_proof = damage(proof, is_binary, &mut random);
            match audit_with_proof(&correct_certificate, &files, &damaged_proof) {
                Ok(()) => accepted += 1,
                Err(AuditError::Wrong(_)) => refused += 1,
                Err(error) => panic!("{method}: {error}"),
            }
            let audit_result = audit_with_proof(&false_certificate, &false_files, &damaged_proof);
            assert!(
                matches!(audit_result, Err(AuditError::Wrong(_))),
                "{method}: there are {solution_count} solutions, but the audit accepts {}: {audit_result:?}",
                false_certificate.solutions
            );
            // If the certificate has the digest of the undamaged proof, every damage is detected.
            let mut files_with_damage = files.clone();
            files_with_damage.insert(name.clone(), damaged_proof.clone());
            assert!(damaged_proof == *proof || audit_all(&correct_certificate, &files_with_damage).is_err());
        }
    }
    assert_eq!(refused + accepted, PROOFS);
    assert!(
        refused > PROOFS / 2,
        "{refused} of {PROOFS} were refused: the damage is too small for this test"
    );
}
