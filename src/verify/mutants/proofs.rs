//! Wrong certificates: right ones, made in each way, with one thing changed.
//!
//! Each goes to the checker of proofs, which sees formula and proof only, and to the audit, which also sees
//! the description. A changed file gets a new digest, unless a wrong digest is the fault.

mod faults;
mod parts;

use super::{Check, Kind, Trial};
use crate::board::BoardSize;
use crate::board::problem::Problem;
use crate::sat::dimacs;
use crate::sat::symmetry::SymmetryGroup;
use crate::verify::certificate::{
    self, Certificate, CertifyError, Digested, Format, Formula, Proof, ProofMethod, Solutions,
    audit_in_memory,
};
use crate::verify::lrat;
use faults::{MUTANTS, Mutant};

/// How a certificate is made.
type Form = (ProofMethod, SymmetryGroup);

const FORMS: [Form; 5] = [
    (ProofMethod::Cubes, SymmetryGroup::None),
    (ProofMethod::Monolithic, SymmetryGroup::None),
    (ProofMethod::Backtrack, SymmetryGroup::None),
    (ProofMethod::Cubes, SymmetryGroup::Full),
    (ProofMethod::Backtrack, SymmetryGroup::Full),
];

/// A certificate in memory.
#[derive(Clone)]
struct Files {
    certificate: Certificate,
    /// Its clauses, one line each.
    formula: Vec<String>,
    /// Its steps, one line each.
    proof: Vec<String>,
    /// Text after the last step: part of a step that was cut, or nothing.
    cut: String,
    /// Whether the digests in the certificate match the files.
    digested: bool,
}

impl Files {
    /// The certificate of a board.
    fn right(n: BoardSize, (method, symmetry): Form) -> Result<Self, CertifyError> {
        let problem = Problem::queens(n);
        let solutions = Solutions::representatives(&problem, symmetry)?;
        let formula = Formula::new(&solutions);
        let (mut cnf, mut lrat) = (Vec::new(), Vec::new());
        dimacs::write(&mut cnf, [""; 0], &formula.cnf)?;
        let mut proof = Proof::new(formula.cnf.len() as u64, &mut lrat, false);
        let cubes = certificate::prove(method, &formula, &solutions, &mut proof)?;
        let lemmas = proof.lemmas();
        proof.finish()?;
        let digested = |file: &str| Digested { file: file.to_owned(), ..Digested::default() };
        let form = (Format::Lrat, false);
        let certificate = Certificate {
            formula: digested("p.cnf"),
            proof: digested("p.lrat"),
            ..Certificate::new(method, form, &formula, &solutions, [cubes, lemmas])?
        };
        let lines =
            |text: &[u8]| String::from_utf8_lossy(text).lines().map(str::to_owned).collect::<Vec<_>>();
        let formula = lines(&cnf).split_off(1);
        Ok(Self { certificate, formula, proof: lines(&lrat), cut: String::new(), digested: true })
    }

    /// The files as bytes, and the certificate with their digests.
    fn written(mut self) -> (Certificate, String, String) {
        let lines = |lines: &[String]| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
        let variables = self.certificate.variables;
        let formula = format!("p cnf {variables} {}\n{}", self.formula.len(), lines(&self.formula));
        let proof = lines(&self.proof) + &self.cut;
        let Certificate { formula: of_formula, proof: of_proof, .. } = &mut self.certificate;
        let as_it_was = formula.replace(" \n", "\n");
        of_formula.redigest(if self.digested { formula.as_bytes() } else { as_it_was.as_bytes() });
        of_proof.redigest(proof.as_bytes());
        (self.certificate, formula, proof)
    }
}

/// Tries certificates at these sizes, in ascending order. A check catches a mutant if it catches it
/// however the certificate is made.
pub fn trials(sizes: &[BoardSize]) -> Result<Vec<Trial>, CertifyError> {
    let trial = |mutant: &Mutant| Trial::new(Kind::Proof, mutant.name, "certify", mutant.wrong);
    let mut trials: Vec<Trial> = MUTANTS.iter().map(trial).collect();
    for &size in sizes {
        let n = size.get();
        let smaller = BoardSize::new(n - 1).unwrap_or(size);
        let right = FORMS.map(|form| Ok((Files::right(size, form)?, Files::right(smaller, form)?)));
        let right = right.into_iter().collect::<Result<Vec<(Files, Files)>, CertifyError>>()?;
        for (mutant, trial) in MUTANTS.iter().zip(&mut trials) {
            let changed = right.iter().filter_map(|(files, smaller)| {
                let mut files = files.clone();
                (mutant.change)(&mut files, smaller).map(|()| files)
            });
            let verdicts: Vec<[Option<String>; 2]> = changed.map(judged).collect();
            for (index, check) in [Check::Proof, Check::Audit].into_iter().enumerate() {
                let message =
                    verdicts.iter().map(|verdict| verdict[index].clone()).collect::<Option<Vec<_>>>();
                if let Some(message) = message.and_then(|message| message.into_iter().next()) {
                    trial.caught(n, check, message, None);
                }
            }
        }
    }
    trials.extend(parts::trials(sizes)?);
    Ok(trials)
}

/// What the checks report about the right certificates.
#[cfg(test)]
pub fn unchanged(n: BoardSize) -> Vec<[Option<String>; 2]> {
    let in_parts = [None, parts::unchanged(n)];
    let whole = FORMS.map(|form| judged(Files::right(n, form).expect("a small board")));
    [&whole[..], &[in_parts]].concat()
}

/// What the checker of proofs and the audit report about a certificate, if they reject it.
fn judged(files: Files) -> [Option<String>; 2] {
    let (certificate, formula, proof) = files.written();
    let checked = match lrat::check(formula.as_bytes(), proof.as_bytes()) {
        Ok(lrat::Verdict::Verified(_)) => None,
        Ok(lrat::Verdict::Rejected(rejection)) => Some(rejection.to_string()),
        Err(error) => Some(error.to_string()),
    };
    let audited = audit_in_memory(&certificate, formula.as_bytes(), proof.as_bytes());
    [checked, audited.err().map(|error| error.to_string())]
}
