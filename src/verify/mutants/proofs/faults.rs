//! The faults of certificates: the name, the fault in a sentence, and the change of each.

use super::Files;
use crate::board::problem::Problem;
use crate::board::symmetry::Symmetry;
use crate::board::{BoardSize, column};
use crate::verify::certificate::closure;

/// A fault of a certificate.
pub(super) struct Mutant {
    /// Its name.
    pub name: &'static str,
    /// The fault, in a sentence.
    pub wrong: &'static str,
    /// Changes a certificate, given also that of the next smaller board. Returns `None` if there is nothing to
    /// change.
    pub change: fn(&mut Files, &Files) -> Option<()>,
}

/// The index of a clause that denies a solution.
fn first_solution(files: &Files) -> Option<usize> {
    let stated = &files.certificate.stated;
    let before = stated.encoding_clauses + stated.symmetry.as_ref().map_or(0, |s| s.clauses);
    usize::try_from(before).ok().filter(|_| stated.solutions > 0)
}

/// The number of solutions that the certificate says to be denied becomes larger or smaller.
fn count_denied(files: &mut Files, change: i64) {
    let certificate = &mut files.certificate;
    let stated = &mut certificate.stated;
    let number = stated.symmetry.as_mut().map_or(&mut stated.solutions, |s| &mut s.representatives);
    *number = number.saturating_add_signed(change);
    certificate.clauses = certificate.clauses.saturating_add_signed(change);
}

/// Claims the images of the denied solutions under these symmetries.
fn claim_images(files: &mut Files, symmetries: &[Symmetry]) -> Option<()> {
    let n = files.certificate.stated.n;
    let denied = files.formula.get(first_solution(files)?..)?;
    let columns = denied.iter().map(|clause| {
        let queens = clause.split(' ').filter_map(|literal| literal.parse::<isize>().ok());
        queens.filter(|&queen| queen < 0).map(|queen| column((queen.unsigned_abs() - 1) % n)).collect()
    });
    let columns: Vec<Vec<u16>> = columns.collect();
    let problem = Problem::queens(BoardSize::new(n).ok()?);
    let images = closure(&problem, symmetries, columns.iter().map(Vec::as_slice)).ok()?;
    let stated = &mut files.certificate.stated;
    (stated.solutions, stated.solutions_sha256) = images;
    Some(())
}

fn negated(literal: &str) -> String {
    literal.strip_prefix('-').map_or_else(|| format!("-{literal}"), str::to_owned)
}

/// The table of the faults: the name of each, the fault in a sentence, and the change.
macro_rules! faults {
    ($($name:literal: $wrong:literal, $change:expr;)+) => {
        [$(Mutant { name: $name, wrong: $wrong, change: $change }),+]
    };
}

/// Every fault.
pub(super) const MUTANTS: [Mutant; 24] = faults! {
    "lemma changed": "the first literal of the first lemma that has one is negated",
        |files, _| {
            let has_literal = |step: &&mut String| !matches!(step.split(' ').nth(1), Some("0" | "d"));
            let step = files.proof.iter_mut().find(has_literal)?;
            let mut words: Vec<String> = step.split(' ').map(str::to_owned).collect();
            words[1] = negated(&words[1]);
            *step = words.join(" ");
            Some(())
        };
    "hint dropped": "the first hint of the last lemma is missing",
        |files, _| {
            let last = files.proof.last_mut()?;
            let (id, hints) = last.split_once(" 0 ")?;
            *last = format!("{id} 0 {}", hints.split_once(' ')?.1);
            Some(())
        };
    "hint to nothing": "the first hint of the last lemma names a clause that does not exist",
        |files, _| {
            let last = files.proof.last_mut()?;
            let (id, hints) = last.split_once(" 0 ")?;
            *last = format!("{id} 0 99999999 {}", hints.split_once(' ')?.1);
            Some(())
        };
    "lemma dropped": "the first lemma is missing",
        |files, _| {
            files.certificate.lemmas -= 1;
            files.proof.remove(0);
            Some(())
        };
    "clause deleted too early": "the first clause of the formula is deleted before the proof begins",
        |files, _| {
            files.proof.insert(0, format!("{} d 1 0", files.certificate.clauses));
            Some(())
        };
    "proof truncated": "the last step, the empty clause, is missing",
        |files, _| {
            files.certificate.lemmas -= 1;
            files.proof.pop().map(drop)
        };
    "proof cut in a step": "the last three bytes are missing",
        |files, _| {
            let last = files.proof.pop()?;
            files.cut = last[..last.len() - 2].to_owned();
            Some(())
        };
    "byte flipped": "a bit of the last lemma's last hint is flipped",
        |files, _| {
            let last = files.proof.last_mut()?;
            let mut bytes = std::mem::take(last).into_bytes();
            let digit = bytes.len().checked_sub(3)?;
            bytes[digit] ^= 1;
            *last = String::from_utf8(bytes).ok()?;
            Some(())
        };
    "empty clause claimed": "the proof is one step: the empty clause, with the first clause as its hint",
        |files, _| {
            files.certificate.lemmas = 1;
            files.proof = vec![format!("{} 0 1 0", files.certificate.clauses + 1)];
            Some(())
        };
    "proof for n - 1": "the proof is that of the next smaller board",
        |files, smaller| {
            files.proof.clone_from(&smaller.proof);
            files.certificate.lemmas = smaller.certificate.lemmas;
            Some(())
        };
    "certificate for n - 1": "formula, proof and numbers are those of the next smaller board, but n is unchanged",
        |files, smaller| {
            let n = files.certificate.stated.n;
            *files = smaller.clone();
            files.certificate.stated.n = n;
            Some(())
        };
    "missing solution": "the first solution is neither denied nor counted",
        |files, _| {
            files.formula.remove(first_solution(files)?);
            count_denied(files, -1);
            Some(())
        };
    "wrong count": "the files are right, but the certificate claims one solution more",
        |files, _| {
            files.certificate.stated.solutions += 1;
            Some(())
        };
    "part of a solution denied": "the clause of the first solution leaves out its last queen, so it denies more than one board",
        |files, _| {
            let clause = first_solution(files)?;
            let (queens, _) = files.formula[clause].rsplit_once(' ')?;
            files.formula[clause] = format!("{} 0", queens.rsplit_once(' ')?.0);
            Some(())
        };
    "solution denied twice": "the last solution is denied and counted twice",
        |files, _| {
            first_solution(files)?;
            let last = files.formula.last()?.clone();
            files.formula.push(last);
            count_denied(files, 1);
            let shift = files.certificate.clauses - 1;
            files.proof = files.proof.iter().map(|step| renumbered(step, shift)).collect();
            Some(())
        };
    "clause too strong": "the first 'not both' says that its first square is empty",
        |files, _| {
            let pair = files.formula.iter_mut().find(|clause| clause.starts_with('-'))?;
            *pair = format!("{} 0", pair.split_once(' ')?.0);
            Some(())
        };
    "diagonal dropped": "the last 'not both' of the board is missing from the formula",
        |files, _| {
            let pairs = usize::try_from(files.certificate.stated.encoding_clauses).ok()?;
            let last = files.formula[..pairs].iter().rposition(|clause| clause.starts_with('-'))?;
            files.formula.remove(last);
            files.certificate.stated.encoding_clauses -= 1;
            files.certificate.clauses -= 1;
            Some(())
        };
    "stale certificate": "the formula was changed after its digest was computed: a blank was added",
        |files, _| {
            files.formula.last_mut()?.push(' ');
            files.digested = false;
            Some(())
        };
    "condition that loses an orbit": "the clause of the first solution denies two of its queens, as a condition that breaks symmetry",
        |files, _| {
            let first = first_solution(files)?;
            let queens: Vec<String> = files.formula[first].split(' ').map(str::to_owned).collect();
            // Queens on the last two rows; the leading row is above them.
            let two = queens.get(queens.len().checked_sub(3)?..).filter(|_| queens.len() > 4)?;
            files.formula[first] = two.join(" ");
            let symmetry = files.certificate.stated.symmetry.as_mut()?;
            symmetry.clauses += 1;
            symmetry.representatives -= 1;
            claim_images(files, &Symmetry::ALL)
        };
    "images without reflections": "the files are right, but the certificate claims only the rotations of the denied solutions",
        |files, _| {
            files.certificate.stated.symmetry.as_ref()?;
            claim_images(files, &Symmetry::ROTATIONS)
        };
    "images not counted": "the files are right, but the certificate claims only the denied solutions",
        |files, _| {
            files.certificate.stated.symmetry.as_ref()?;
            claim_images(files, &Symmetry::ALL[..1])
        };
    "condition on another row": "the files are right, but the certificate claims that the last row leads",
        |files, _| {
            let last = files.certificate.stated.n.checked_sub(1)?;
            files.certificate.stated.symmetry.as_mut()?.rows = vec![last];
            Some(())
        };
    "other variant": "the files are right, but the certificate claims them for semiqueens",
        |files, _| {
            files.certificate.stated.variant = "semiqueens".to_owned();
            Some(())
        };
    "forbidden square claimed": "the files are right, but the certificate claims them for a board with a forbidden corner",
        |files, _| {
            files.certificate.stated.variant = "queens;forbid=0:0".to_owned();
            Some(())
        };
};

/// Renumbers a step for a formula with one more clause.
fn renumbered(step: &str, clauses: u64) -> String {
    let mut in_hints = step.split(' ').nth(1) == Some("d");
    let words = step.split(' ').enumerate().map(|(place, word)| {
        let id = word.parse::<u64>().ok().filter(|&id| (place == 0 || in_hints) && id > 0);
        in_hints |= word == "0";
        id.map_or_else(|| word.to_owned(), |id| (id + u64::from(id > clauses)).to_string())
    });
    words.collect::<Vec<_>>().join(" ")
}
