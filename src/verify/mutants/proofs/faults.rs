//! The faults of certificates: a name, what is wrong, and the change.

use super::Files;

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
    (files.certificate.solutions > 0).then_some(files.certificate.encoding_clauses as usize)
}

fn negated(literal: &str) -> String {
    literal.strip_prefix('-').map_or_else(|| format!("-{literal}"), str::to_owned)
}

/// Every fault.
pub(super) const MUTANTS: [Mutant; 18] = [
    Mutant {
        name: "lemma changed",
        wrong: "the first literal of the first lemma that has one is negated",
        change: |files, _| {
            let has_literal = |step: &&mut String| !matches!(step.split(' ').nth(1), Some("0" | "d"));
            let step = files.proof.iter_mut().find(has_literal)?;
            let mut words: Vec<String> = step.split(' ').map(str::to_owned).collect();
            words[1] = negated(&words[1]);
            *step = words.join(" ");
            Some(())
        },
    },
    Mutant {
        name: "hint dropped",
        wrong: "the first hint of the last lemma is missing",
        change: |files, _| {
            let last = files.proof.last_mut()?;
            let (id, hints) = last.split_once(" 0 ")?;
            *last = format!("{id} 0 {}", hints.split_once(' ')?.1);
            Some(())
        },
    },
    Mutant {
        name: "hint to nothing",
        wrong: "the first hint of the last lemma names a clause that does not exist",
        change: |files, _| {
            let last = files.proof.last_mut()?;
            let (id, hints) = last.split_once(" 0 ")?;
            *last = format!("{id} 0 99999999 {}", hints.split_once(' ')?.1);
            Some(())
        },
    },
    Mutant {
        name: "lemma dropped",
        wrong: "the first lemma is missing",
        change: |files, _| {
            files.certificate.lemmas -= 1;
            files.proof.remove(0);
            Some(())
        },
    },
    Mutant {
        name: "clause deleted too early",
        wrong: "the first clause of the formula is deleted before the proof begins",
        change: |files, _| {
            files.proof.insert(0, format!("{} d 1 0", files.certificate.clauses));
            Some(())
        },
    },
    Mutant {
        name: "proof truncated",
        wrong: "the last step, the empty clause, is missing",
        change: |files, _| {
            files.certificate.lemmas -= 1;
            files.proof.pop().map(drop)
        },
    },
    Mutant {
        name: "proof cut in a step",
        wrong: "the last three bytes are missing",
        change: |files, _| {
            let last = files.proof.pop()?;
            files.cut = last[..last.len() - 2].to_owned();
            Some(())
        },
    },
    Mutant {
        name: "byte flipped",
        wrong: "a bit of the last lemma's last hint is flipped",
        change: |files, _| {
            let last = files.proof.last_mut()?;
            let mut bytes = std::mem::take(last).into_bytes();
            let digit = bytes.len().checked_sub(3)?;
            bytes[digit] ^= 1;
            *last = String::from_utf8(bytes).ok()?;
            Some(())
        },
    },
    Mutant {
        name: "empty clause claimed",
        wrong: "the proof is one step: the empty clause, with the first clause as its hint",
        change: |files, _| {
            files.certificate.lemmas = 1;
            files.proof = vec![format!("{} 0 1 0", files.certificate.clauses + 1)];
            Some(())
        },
    },
    Mutant {
        name: "proof for n - 1",
        wrong: "the proof is that of the next smaller board",
        change: |files, smaller| {
            files.proof.clone_from(&smaller.proof);
            files.certificate.lemmas = smaller.certificate.lemmas;
            Some(())
        },
    },
    Mutant {
        name: "certificate for n - 1",
        wrong: "formula, proof and numbers are those of the next smaller board, but n is unchanged",
        change: |files, smaller| {
            let n = files.certificate.n;
            *files = smaller.clone();
            files.certificate.n = n;
            Some(())
        },
    },
    Mutant {
        name: "missing solution",
        wrong: "the first solution is neither denied nor counted",
        change: |files, _| {
            files.formula.remove(first_solution(files)?);
            files.certificate.solutions -= 1;
            files.certificate.clauses -= 1;
            Some(())
        },
    },
    Mutant {
        name: "wrong count",
        wrong: "the files are right, but the certificate claims one solution more",
        change: |files, _| {
            files.certificate.solutions += 1;
            Some(())
        },
    },
    Mutant {
        name: "part of a solution denied",
        wrong: "the clause of the first solution leaves out its last queen, so it denies more than one board",
        change: |files, _| {
            let clause = first_solution(files)?;
            let (queens, _) = files.formula[clause].rsplit_once(' ')?;
            files.formula[clause] = format!("{} 0", queens.rsplit_once(' ')?.0);
            Some(())
        },
    },
    Mutant {
        name: "solution denied twice",
        wrong: "the last solution is denied and counted twice",
        change: |files, _| {
            first_solution(files)?;
            let last = files.formula.last()?.clone();
            files.formula.push(last);
            files.certificate.solutions += 1;
            files.certificate.clauses += 1;
            let shift = files.certificate.clauses - 1;
            files.proof = files.proof.iter().map(|step| renumbered(step, shift)).collect();
            Some(())
        },
    },
    Mutant {
        name: "clause too strong",
        wrong: "the first 'not both' says that its first square is empty",
        change: |files, _| {
            let pair = files.formula.iter_mut().find(|clause| clause.starts_with('-'))?;
            *pair = format!("{} 0", pair.split_once(' ')?.0);
            Some(())
        },
    },
    Mutant {
        name: "diagonal dropped",
        wrong: "the last 'not both' of the board is missing from the formula",
        change: |files, _| {
            let pairs = files.certificate.encoding_clauses as usize;
            let last = files.formula[..pairs].iter().rposition(|clause| clause.starts_with('-'))?;
            files.formula.remove(last);
            files.certificate.encoding_clauses -= 1;
            files.certificate.clauses -= 1;
            Some(())
        },
    },
    Mutant {
        name: "stale certificate",
        wrong: "the formula was changed after its digest was computed: a blank was added",
        change: |files, _| {
            files.formula.last_mut()?.push(' ');
            files.digested = false;
            Some(())
        },
    },
];

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
