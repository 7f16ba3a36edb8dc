//! Wrong certificates: a right one with one thing changed, by each method.
//!
//! Each goes to the checker of proofs, formula and proof alone, and to the audit, which knows the
//! description, too. Whoever changed a file has digested it anew, unless that is the fault.

use super::{Check, Kind, Trial};
use crate::board::BoardSize;
use crate::sat::dimacs;
use crate::verify::certificate::{
    self, Certificate, CertifyError, Digested, Format, Formula, Method, Proof, Solutions, audit_in_memory,
};
use crate::verify::lrat;

const METHODS: [Method; 3] = [Method::Cubes, Method::Monolithic, Method::Backtrack];

/// A certificate in memory.
#[derive(Clone)]
struct Files {
    certificate: Certificate,
    /// Its clauses, a line each.
    formula: Vec<String>,
    /// Its steps, a line each.
    proof: Vec<String>,
    /// What follows the last step: part of one that was cut, else nothing.
    cut: String,
    /// Whether the certificate digests the files as they are.
    digested: bool,
}

/// A fault of a certificate; none where the board has nothing to change.
struct Mutant {
    name: &'static str,
    wrong: &'static str,
    change: fn(&Files, &Files) -> Option<Files>,
}

/// Changes a copy.
fn changed(files: &Files, change: impl FnOnce(&mut Files) -> Option<()>) -> Option<Files> {
    let mut files = files.clone();
    change(&mut files)?;
    Some(files)
}

/// The number of a clause that denies a solution, from 0.
fn first_solution(files: &Files) -> Option<usize> {
    (files.certificate.solutions > 0).then_some(files.certificate.encoding_clauses as usize)
}

fn negated(literal: &str) -> String {
    literal.strip_prefix('-').map_or_else(|| format!("-{literal}"), str::to_owned)
}

const MUTANTS: [Mutant; 18] = [
    Mutant {
        name: "lemma changed",
        wrong: "the first literal of the first lemma that has one is negated",
        change: |files, _| {
            changed(files, |files| {
                let has_literal = |step: &&mut String| !matches!(step.split(' ').nth(1), Some("0" | "d"));
                let step = files.proof.iter_mut().find(has_literal)?;
                let mut words: Vec<String> = step.split(' ').map(str::to_owned).collect();
                words[1] = negated(&words[1]);
                *step = words.join(" ");
                Some(())
            })
        },
    },
    Mutant {
        name: "hint dropped",
        wrong: "the first hint of the last lemma is not there",
        change: |files, _| {
            changed(files, |files| {
                let last = files.proof.last_mut()?;
                let (id, hints) = last.split_once(" 0 ")?;
                *last = format!("{id} 0 {}", hints.split_once(' ')?.1);
                Some(())
            })
        },
    },
    Mutant {
        name: "hint to nothing",
        wrong: "the first hint of the last lemma names a clause that is not there",
        change: |files, _| {
            changed(files, |files| {
                let last = files.proof.last_mut()?;
                let (id, hints) = last.split_once(" 0 ")?;
                *last = format!("{id} 0 99999999 {}", hints.split_once(' ')?.1);
                Some(())
            })
        },
    },
    Mutant {
        name: "lemma dropped",
        wrong: "the first lemma is not there",
        change: |files, _| {
            changed(files, |files| {
                files.certificate.lemmas -= 1;
                files.proof.remove(0);
                Some(())
            })
        },
    },
    Mutant {
        name: "clause deleted too early",
        wrong: "the first clause of the formula is deleted before the proof begins",
        change: |files, _| {
            changed(files, |files| {
                files.proof.insert(0, format!("{} d 1 0", files.certificate.clauses));
                Some(())
            })
        },
    },
    Mutant {
        name: "proof truncated",
        wrong: "the last step, the empty clause, is not there",
        change: |files, _| {
            changed(files, |files| {
                files.certificate.lemmas -= 1;
                files.proof.pop().map(drop)
            })
        },
    },
    Mutant {
        name: "proof cut in a step",
        wrong: "the last three bytes are not there",
        change: |files, _| {
            changed(files, |files| {
                let last = files.proof.pop()?;
                files.cut = last[..last.len() - 2].to_owned();
                Some(())
            })
        },
    },
    Mutant {
        name: "byte flipped",
        wrong: "a bit of the last lemma's last hint is flipped",
        change: |files, _| {
            changed(files, |files| {
                let last = files.proof.last_mut()?;
                let mut bytes = std::mem::take(last).into_bytes();
                let digit = bytes.len().checked_sub(3)?;
                bytes[digit] ^= 1;
                *last = String::from_utf8(bytes).ok()?;
                Some(())
            })
        },
    },
    Mutant {
        name: "empty clause claimed",
        wrong: "the proof is one step: the empty clause, because of the first clause",
        change: |files, _| {
            changed(files, |files| {
                files.certificate.lemmas = 1;
                files.proof = vec![format!("{} 0 1 0", files.certificate.clauses + 1)];
                Some(())
            })
        },
    },
    Mutant {
        name: "proof for n - 1",
        wrong: "the proof is that of the next smaller board",
        change: |files, smaller| {
            changed(files, |files| {
                files.proof.clone_from(&smaller.proof);
                files.certificate.lemmas = smaller.certificate.lemmas;
                Some(())
            })
        },
    },
    Mutant {
        name: "certificate for n - 1",
        wrong: "formula, proof and numbers are those of the next smaller board, the claim is n",
        change: |files, smaller| {
            let n = files.certificate.n;
            changed(smaller, |smaller| {
                smaller.certificate.n = n;
                Some(())
            })
        },
    },
    Mutant {
        name: "missing solution",
        wrong: "the first solution is not denied, and not counted",
        change: |files, _| {
            changed(files, |files| {
                files.formula.remove(first_solution(files)?);
                files.certificate.solutions -= 1;
                files.certificate.clauses -= 1;
                Some(())
            })
        },
    },
    Mutant {
        name: "wrong count",
        wrong: "the files are right, the certificate claims a solution more",
        change: |files, _| {
            changed(files, |files| {
                files.certificate.solutions += 1;
                Some(())
            })
        },
    },
    Mutant {
        name: "part of a solution denied",
        wrong: "the first solution's clause leaves out its last queen: it denies more than one board",
        change: |files, _| {
            changed(files, |files| {
                let clause = first_solution(files)?;
                let (queens, _) = files.formula[clause].rsplit_once(' ')?;
                files.formula[clause] = format!("{} 0", queens.rsplit_once(' ')?.0);
                Some(())
            })
        },
    },
    Mutant {
        name: "solution denied twice",
        wrong: "the last solution is denied twice, and counted twice",
        change: |files, _| {
            changed(files, |files| {
                first_solution(files)?;
                let last = files.formula.last()?.clone();
                files.formula.push(last);
                files.certificate.solutions += 1;
                files.certificate.clauses += 1;
                let shift = files.certificate.clauses - 1;
                files.proof = files.proof.iter().map(|step| renumbered(step, shift)).collect();
                Some(())
            })
        },
    },
    Mutant {
        name: "clause too strong",
        wrong: "the first 'not both' says that its first square is empty",
        change: |files, _| {
            changed(files, |files| {
                let pair = files.formula.iter_mut().find(|clause| clause.starts_with('-'))?;
                *pair = format!("{} 0", pair.split_once(' ')?.0);
                Some(())
            })
        },
    },
    Mutant {
        name: "diagonal dropped",
        wrong: "the last 'not both' of the board is not in the formula",
        change: |files, _| {
            changed(files, |files| {
                let pairs = files.certificate.encoding_clauses as usize;
                let last = files.formula[..pairs].iter().rposition(|clause| clause.starts_with('-'))?;
                files.formula.remove(last);
                files.certificate.encoding_clauses -= 1;
                files.certificate.clauses -= 1;
                Some(())
            })
        },
    },
    Mutant {
        name: "stale certificate",
        wrong: "the formula was changed after it was digested: a blank more at its end",
        change: |files, _| {
            changed(files, |files| {
                files.formula.last_mut()?.push(' ');
                files.digested = false;
                Some(())
            })
        },
    },
];

/// The step of a proof for a formula of one clause more.
fn renumbered(step: &str, clauses: u64) -> String {
    let mut in_hints = step.split(' ').nth(1) == Some("d");
    let words = step.split(' ').enumerate().map(|(place, word)| {
        let id = word.parse::<u64>().ok().filter(|&id| (place == 0 || in_hints) && id > 0);
        in_hints |= word == "0";
        id.map_or_else(|| word.to_owned(), |id| (id + u64::from(id > clauses)).to_string())
    });
    words.collect::<Vec<_>>().join(" ")
}

impl Files {
    /// The certificate of a board.
    fn right(n: usize, method: Method) -> Result<Self, CertifyError> {
        let solutions = Solutions::enumerate(n)?;
        let formula = Formula::new(&solutions);
        let (mut cnf, mut lrat) = (Vec::new(), Vec::new());
        dimacs::write(&mut cnf, [""; 0], &formula.cnf)?;
        let mut proof = Proof::new(formula.cnf.len() as u64, &mut lrat, false);
        let cubes = certificate::prove(method, &formula, &solutions, &mut proof)?;
        let lemmas = proof.lemmas();
        proof.finish()?;
        let digested = |file: &str| Digested { file: file.to_owned(), bytes: 0, sha256: String::new() };
        let certificate = Certificate {
            schema_version: 1,
            n,
            solutions: solutions.len() as u64,
            solutions_sha256: solutions.sha256(),
            method,
            cube_rows: Vec::new(),
            cubes,
            formula: digested("p.cnf"),
            variables: u64::from(formula.cnf.variables()),
            encoding_clauses: formula.encoding_clauses,
            clauses: formula.cnf.len() as u64,
            proof: digested("p.lrat"),
            format: Format::Lrat,
            binary: false,
            lemmas,
            checkers: Vec::new(),
            enumerate_ns: 0,
            formula_ns: 0,
            prove_ns: 0,
            queenlab_version: env!("CARGO_PKG_VERSION").to_owned(),
        };
        let lines =
            |text: &[u8]| String::from_utf8_lossy(text).lines().map(str::to_owned).collect::<Vec<_>>();
        let formula = lines(&cnf).split_off(1);
        Ok(Self { certificate, formula, proof: lines(&lrat), cut: String::new(), digested: true })
    }

    /// The files as bytes, and the certificate that digests them.
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

/// Tries certificates at these sizes, in ascending order. A mutant is caught by a check that catches it
/// whatever the method of the proof.
pub fn trials(sizes: &[BoardSize]) -> Vec<Trial> {
    let trial = |mutant: &Mutant| Trial::new(Kind::Proof, mutant.name, "certify", mutant.wrong);
    let mut trials: Vec<Trial> = MUTANTS.iter().map(trial).collect();
    for &n in sizes {
        let n = n.get();
        let right: Result<Vec<(Files, Files)>, CertifyError> = METHODS
            .into_iter()
            .map(|method| Ok((Files::right(n, method)?, Files::right(n - 1, method)?)))
            .collect();
        let right = match right {
            Ok(right) => right,
            // A right certificate cannot be made: nothing is caught on this board.
            Err(_) => continue,
        };
        for (mutant, trial) in MUTANTS.iter().zip(&mut trials) {
            let files = right.iter().filter_map(|(files, smaller)| (mutant.change)(files, smaller));
            let verdicts: Vec<[Option<String>; 2]> = files.map(judged).collect();
            for (index, check) in [Check::Proof, Check::Audit].into_iter().enumerate() {
                let said = verdicts.iter().map(|verdict| verdict[index].clone()).collect::<Option<Vec<_>>>();
                if let Some(said) = said.and_then(|said| said.into_iter().next()) {
                    trial.caught(n, check, said, None);
                }
            }
        }
    }
    trials
}

/// The right certificates: what is said against them.
#[cfg(test)]
pub fn unchanged(n: usize) -> Vec<[Option<String>; 2]> {
    METHODS.map(|method| judged(Files::right(n, method).expect("a small board"))).to_vec()
}

/// What the checker of proofs and the audit have against a certificate.
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
