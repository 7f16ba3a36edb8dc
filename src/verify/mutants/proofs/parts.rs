//! Wrong certificates in parts: right ones with one thing changed. Only the audit sees that they are in parts; each part
//! for itself is right, or its digest is wrong.

use std::collections::BTreeMap;

use super::super::{Check, Kind, Trial};
use crate::board::BoardSize;
use crate::board::problem::Problem;
use crate::board::symmetry::Symmetry;
use crate::sat::symmetry::SymmetryGroup;
use crate::verify::certificate::{
    CertifyError, Composition, Solutions, audit_parts_in_memory, closure, parts_in_memory,
};

/// A certificate with its files in memory.
struct InParts {
    composition: Composition,
    files: BTreeMap<String, Vec<u8>>,
    solutions: Solutions,
}

/// The name of a fault, the fault in a sentence, and the change, which is `None` if there is nothing to change.
type Mutant = (&'static str, &'static str, fn(&mut InParts) -> Option<()>);

const MUTANTS: [Mutant; 8] = [
    ("part left out", "the first part and its solutions are neither listed nor counted", |it| {
        it.leave_out(0)
    }),
    ("part left out, rows repeated", "the same, and the certificate claims the first cube row twice", |it| {
        it.leave_out(0)?;
        let row = *it.composition.stated.cube_rows.first()?;
        it.composition.stated.cube_rows.push(row);
        it.composition.parts.iter_mut().for_each(|part| part.cube.push(part.cube[0]));
        Some(())
    }),
    (
        "parts swapped",
        "the certificate claims the cube of the first part for the second one, and vice versa",
        |it| {
            let [first, second, ..] = it.composition.parts.as_mut_slice() else { return None };
            std::mem::swap(&mut first.cube, &mut second.cube);
            Some(())
        },
    ),
    ("part repeated", "the first part is listed and counted twice", |it| {
        let first = it.composition.parts.first()?.clone();
        it.composition.stated.symmetry.as_mut()?.representatives += first.solutions;
        it.composition.parts.push(first);
        Some(())
    }),
    ("proof of another part", "the first part has the proof of the second one, with its digest", |it| {
        let [first, second, ..] = it.composition.parts.as_mut_slice() else { return None };
        first.proof = second.proof.clone();
        first.lemmas = second.lemmas;
        Some(())
    }),
    ("another part than the listed one", "the files of the first part are those of the second one", |it| {
        let [first, second, ..] = it.composition.parts.as_slice() else { return None };
        for (to, from) in [(&first.formula, &second.formula), (&first.proof, &second.proof)] {
            let content = it.files.get(&from.file)?.clone();
            it.files.insert(to.file.clone(), content);
        }
        Some(())
    }),
    (
        "part with a lemma changed",
        "the first lemma of the first proof is the empty clause, with its digest",
        |it| {
            let part = it.composition.parts.first_mut()?;
            let proof = it.files.get_mut(&part.proof.file)?;
            let text = String::from_utf8(proof.clone()).ok()?;
            let (id, rest) = text.split_once(' ').filter(|(_, rest)| !rest.starts_with("0 "))?;
            *proof = format!("{id} 0 {}", rest.split_once(" 0 ")?.1).into_bytes();
            part.proof.redigest(proof);
            Some(())
        },
    ),
    (
        "images of the parts without reflections",
        "the parts are right, but the certificate claims only the rotations of their solutions",
        |it| it.claim(|_| true, &Symmetry::ROTATIONS),
    ),
];

impl InParts {
    fn right(n: BoardSize) -> Result<Self, CertifyError> {
        let problem = Problem::queens(n);
        let (composition, files) = parts_in_memory(&problem, SymmetryGroup::Full)?;
        let solutions = Solutions::representatives(&problem, SymmetryGroup::Full)?;
        Ok(Self { composition, files, solutions })
    }

    /// Claims the images of some solutions under these symmetries.
    fn claim(&mut self, counts: impl Fn(&[u16]) -> bool, symmetries: &[Symmetry]) -> Option<()> {
        let some: Vec<&[u16]> = self.solutions.iter().filter(|columns| counts(columns)).collect();
        let images = closure(self.solutions.problem(), symmetries, some.into_iter()).ok()?;
        let stated = &mut self.composition.stated;
        (stated.solutions, stated.solutions_sha256) = images;
        Some(())
    }

    /// Leaves out a part and claims the numbers of the others.
    fn leave_out(&mut self, index: usize) -> Option<()> {
        (self.composition.parts.len() > 1).then_some(())?;
        let part = self.composition.parts.remove(index);
        self.composition.stated.symmetry.as_mut()?.representatives -= part.solutions;
        let rows = self.composition.stated.cube_rows.clone();
        let is_in_part =
            |columns: &[u16]| rows.iter().zip(&part.cube).all(|(&row, &c)| usize::from(columns[row]) == c);
        self.claim(|columns| !is_in_part(columns), &Symmetry::ALL)
    }

    fn audited(&self) -> Option<String> {
        let audited = audit_parts_in_memory(&self.composition, &self.files);
        audited.err().map(|error| error.to_string())
    }
}

/// Tries certificates in parts at these sizes, in ascending order.
pub fn trials(sizes: &[BoardSize]) -> Result<Vec<Trial>, CertifyError> {
    let trial = |&(name, wrong, _): &Mutant| Trial::new(Kind::Proof, name, "certify", wrong);
    let mut trials: Vec<Trial> = MUTANTS.iter().map(trial).collect();
    for &size in sizes {
        for ((.., change), trial) in MUTANTS.iter().zip(&mut trials) {
            let mut changed = InParts::right(size)?;
            if let Some(message) = change(&mut changed).and_then(|()| changed.audited()) {
                trial.caught(size.get(), Check::Audit, message, None);
            }
        }
    }
    Ok(trials)
}

/// What the audit reports about the right certificate.
#[cfg(test)]
pub fn unchanged(n: BoardSize) -> Option<String> {
    InParts::right(n).expect("a small board").audited()
}
