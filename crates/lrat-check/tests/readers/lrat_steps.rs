//! The soundness of the LRAT checker, step by step. The bytes choose a formula over six variables, lemmas and
//! deletions. Hints come from plain unit propagation, and the bytes change some of them, so that many steps
//! are correct and many nearly correct. Every accepted step is judged by the table of all 64 assignments,
//! which does not use hints; every step with unchanged hints must be accepted. Text and binary must give the
//! same answer.

use std::collections::BTreeMap;

use lrat_check::ProofVerdict;

use super::has_model;

const VARIABLES: usize = 6;
const MAX_CLAUSES: usize = 24;
const MAX_STEPS: usize = 40;

type Clause = Vec<i32>;
type Clauses = BTreeMap<u64, Clause>;

#[derive(Clone, Debug)]
enum Step {
    Lemma { id: u64, clause: Clause, hints: Vec<i64>, honest: bool },
    Deletion { ids: Vec<i64>, honest: bool },
}

pub fn check(bytes: &[u8]) {
    let mut choices = Choices(bytes);
    let formula: Vec<Clause> = (0..choices.below(MAX_CLAUSES)).map(|_| choices.clause()).collect();
    let steps = steps(&formula, &mut choices);

    let text = verdict(&formula, &text(&steps));
    let binary = verdict(&formula, &binary(&steps));
    // Only the offsets differ.
    let outcome = |verdict: &ProofVerdict| match verdict {
        ProofVerdict::Verified(checked) => Ok(*checked),
        ProofVerdict::Rejected(rejection) => Err((rejection.step, rejection.fault.clone())),
    };
    assert_eq!(outcome(&text), outcome(&binary), "text and binary: {formula:?} {steps:?}");
    judge(&formula, &steps, &text);
}

/// A lemma or a deletion at a time; the clauses that hold are those of honest steps.
fn steps(formula: &[Clause], choices: &mut Choices<'_>) -> Vec<Step> {
    let mut clauses: Clauses = (1..).zip(formula.iter().cloned()).collect();
    let mut last = formula.len() as u64;
    let mut steps = Vec::new();
    while !choices.0.is_empty() && steps.len() < MAX_STEPS {
        let kind = choices.below(256);
        if kind % 8 == 7 {
            let ids: Vec<i64> = (0..1 + kind / 8 % 2).map(|_| choices.id(last)).collect();
            let named = |(index, id): (usize, &i64)| {
                !ids[..index].contains(id) && u64::try_from(*id).is_ok_and(|id| clauses.contains_key(&id))
            };
            let honest = ids.iter().enumerate().all(named);
            for id in &ids {
                clauses.remove(&id.unsigned_abs());
            }
            steps.push(Step::Deletion { ids, honest });
            continue;
        }
        let clause = choices.clause();
        let (mut hints, mut honest) = derive(&clauses, &clause);
        let mut id = last + 1;
        if kind % 8 >= 5 {
            honest &= !choices.change(&mut hints, last);
        }
        if kind / 8 % 8 == 7 {
            id = 1 + choices.below(last as usize + 1) as u64;
            honest &= !clauses.contains_key(&id);
        }
        last = last.max(id);
        clauses.entry(id).or_insert_with(|| clause.clone());
        steps.push(Step::Lemma { id, clause, hints, honest });
    }
    steps
}

/// The bytes as choices; zeros when they are used up.
struct Choices<'a>(&'a [u8]);

impl Choices<'_> {
    fn below(&mut self, limit: usize) -> usize {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        usize::from(first) % limit
    }

    fn clause(&mut self) -> Clause {
        let length = self.below(4);
        let mut literal = || {
            let code = self.below(2 * VARIABLES) as i32;
            if code % 2 == 0 { code / 2 + 1 } else { -(code / 2 + 1) }
        };
        (0..length).map(|_| literal()).collect()
    }

    /// Mostly an id that was given, at times none.
    fn id(&mut self, last: u64) -> i64 {
        1 + self.below(last as usize + 1) as i64
    }

    /// Leaves out, replaces, adds, swaps or negates a hint; whether it did.
    fn change(&mut self, hints: &mut Vec<i64>, last: u64) -> bool {
        let kind = self.below(5);
        let at = self.below(hints.len().max(1));
        let other = self.id(last);
        match kind {
            0 if at < hints.len() => drop(hints.remove(at)),
            1 if at < hints.len() => hints[at] = other,
            2 => hints.insert(at, other),
            3 if at + 1 < hints.len() => hints.swap(at, at + 1),
            4 if at < hints.len() => hints[at] = -hints[at],
            _ => return false,
        }
        true
    }
}

/// Hints for a lemma by unit propagation over all clauses, and whether it follows by them: by a
/// conflict, or as a RAT step on its first literal. Those of a lemma that does not follow are what was found.
fn derive(clauses: &Clauses, lemma: &Clause) -> (Vec<i64>, bool) {
    let is_tautology = lemma.iter().any(|literal| lemma.contains(&-literal));
    let mut falsified = lemma.clone();
    let mut hints = Vec::new();
    if is_tautology || propagate(clauses, &mut falsified, &mut hints) {
        return (hints, true);
    }
    let Some(pivot) = lemma.first() else { return (hints, false) };
    for (&id, clause) in clauses.iter().filter(|(_, clause)| clause.contains(&-pivot)) {
        let mut more = falsified.clone();
        let others = clause.iter().copied().filter(|literal| *literal != -pivot);
        if others.clone().any(|literal| falsified.contains(&-literal)) {
            continue;
        }
        // A clause that holds by itself: its other literals contradict each other.
        if others.clone().any(|literal| clause.contains(&-literal) && literal != *pivot && -literal != *pivot)
        {
            continue;
        }
        more.extend(others);
        hints.push(-(id as i64));
        if !propagate(clauses, &mut more, &mut hints) {
            return (hints, false);
        }
    }
    (hints, true)
}

/// Whether making the literals false leads to a conflict; the clauses on the way become hints.
fn propagate(clauses: &Clauses, falsified: &mut Vec<i32>, hints: &mut Vec<i64>) -> bool {
    loop {
        let mut grown = false;
        for (&id, clause) in clauses {
            if clause.iter().any(|literal| falsified.contains(&-literal)) {
                continue;
            }
            let mut open: Vec<i32> =
                clause.iter().copied().filter(|literal| !falsified.contains(literal)).collect();
            open.dedup();
            if open.len() > 1 {
                continue;
            }
            hints.push(id as i64);
            match open.first() {
                None => return true,
                Some(literal) => falsified.push(-literal),
            }
            grown = true;
        }
        if !grown {
            return false;
        }
    }
}

fn verdict(formula: &[Clause], proof: &[u8]) -> ProofVerdict {
    let mut text = format!("p cnf {VARIABLES} {}\n", formula.len());
    for clause in formula {
        text += &format!("{} 0\n", clause.iter().map(|literal| format!(" {literal}")).collect::<String>());
    }
    lrat_check::check(text.as_bytes(), proof).expect("a formula")
}

fn text(steps: &[Step]) -> Vec<u8> {
    let numbers = |numbers: &[i64]| numbers.iter().map(|number| format!("{number} ")).collect::<String>();
    let mut text = String::new();
    for step in steps {
        text += &match step {
            Step::Lemma { id, clause, hints, .. } => {
                let clause: Vec<i64> = clause.iter().copied().map(i64::from).collect();
                format!("{id} {}0 {}0\n", numbers(&clause), numbers(hints))
            }
            Step::Deletion { ids, .. } => format!("1 d {}0\n", numbers(ids)),
        };
    }
    text.into_bytes()
}

fn binary(steps: &[Step]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let number = |number: i64, bytes: &mut Vec<u8>| {
        let mut code = 2 * number.unsigned_abs() + u64::from(number < 0);
        while code > 127 {
            bytes.push(code as u8 | 0x80);
            code >>= 7;
        }
        bytes.push(code as u8);
    };
    for step in steps {
        match step {
            Step::Lemma { id, clause, hints, .. } => {
                bytes.push(b'a');
                number(*id as i64, &mut bytes);
                clause.iter().for_each(|&literal| number(i64::from(literal), &mut bytes));
                bytes.push(0);
                hints.iter().for_each(|&hint| number(hint, &mut bytes));
            }
            Step::Deletion { ids, .. } => {
                bytes.push(b'd');
                ids.iter().for_each(|&id| number(id, &mut bytes));
            }
        }
        bytes.push(0);
    }
    bytes
}

/// Assignments as the bits of a number: bit `a` of a clause's table says whether assignment `a` makes it true.
fn table(clause: &[i32]) -> u64 {
    let holds = |assignment: u64| {
        clause.iter().any(|&literal| (assignment >> (literal.unsigned_abs() - 1) & 1 == 1) == (literal > 0))
    };
    (0..64).filter(|&assignment| holds(assignment)).fold(0, |table, assignment| table | 1 << assignment)
}

/// The assignments with this literal turned; it is false in all of them.
fn turned(assignments: u64, literal: i32) -> u64 {
    let distance = 1 << (literal.unsigned_abs() - 1);
    if literal > 0 { assignments << distance } else { assignments >> distance }
}

fn judge(formula: &[Clause], steps: &[Step], verdict: &ProofVerdict) {
    let context = || format!("{formula:?} {steps:?} {verdict:?}");
    let mut clauses: Clauses = (1..).zip(formula.iter().cloned()).collect();
    let mut refuted = formula.iter().any(Vec::is_empty);
    let rejected = match verdict {
        ProofVerdict::Verified(_) => {
            assert!(!has_model(VARIABLES, formula), "VERIFIED, and there is a model: {}", context());
            None
        }
        ProofVerdict::Rejected(rejection) => Some(rejection.step as usize - 1),
    };
    for (index, step) in steps.iter().enumerate() {
        if refuted {
            break;
        }
        if rejected == Some(index) {
            // From here on the clauses differ from what `steps` expects.
            let right =
                matches!(step, Step::Lemma { honest: true, .. } | Step::Deletion { honest: true, .. });
            assert!(!right, "step {} is right, and was rejected: {}", index + 1, context());
            return;
        }
        match step {
            Step::Lemma { id, clause, .. } => {
                let models = clauses.values().fold(u64::MAX, |models, clause| models & table(clause));
                let lost = models & !table(clause);
                let kept = clause.first().map_or(0, |&pivot| turned(lost, pivot));
                let redundant = lost == 0 || (kept & !models == 0 && kept != 0);
                assert!(redundant, "step {} does not follow: {}", index + 1, context());
                assert!(clauses.insert(*id, clause.clone()).is_none(), "an id twice: {}", context());
                refuted = clause.is_empty();
            }
            Step::Deletion { ids, .. } => {
                let deletes = |id: &i64| u64::try_from(*id).is_ok_and(|id| clauses.remove(&id).is_some());
                assert!({ ids }.iter().all(deletes), "a deletion of nothing: {}", context());
            }
        }
    }
    assert_eq!(refuted, rejected.is_none(), "{}", context());
}
