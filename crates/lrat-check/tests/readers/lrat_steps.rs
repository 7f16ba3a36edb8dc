//! Checks that the LRAT checker accepts only sound steps. The input bytes choose a formula over six variables, lemmas and deletions. Plain
//! unit propagation computes the hints, and the bytes change some hints, so that many steps are valid and many are nearly valid. Every
//! accepted step is compared with the truth table of all 64 assignments, which does not use hints. Every step that is valid by
//! construction must be accepted. The text format and the binary format must result in the same verdict.

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
    Lemma { id: u64, clause: Clause, hints: Vec<i64>, is_valid: bool },
    Deletion { ids: Vec<i64>, is_valid: bool },
}

pub fn check(bytes: &[u8]) {
    let mut choices = Choices(bytes);
    let formula: Vec<Clause> = (0..choices.number_below(MAX_CLAUSES)).map(|_| choices.clause()).collect();
    let steps = steps(&formula, &mut choices);

    let text = verdict(&formula, &text(&steps));
    let binary = verdict(&formula, &binary(&steps));
    // The offsets of the two formats differ, so they are not compared.
    let outcome = |verdict: &ProofVerdict| match verdict {
        ProofVerdict::Verified(checked) => Ok(*checked),
        ProofVerdict::Rejected(rejection) => Err((rejection.step, rejection.fault.clone())),
    };
    assert_eq!(outcome(&text), outcome(&binary), "text and binary: {formula:?} {steps:?}");
    judge(&formula, &steps, &text);
}

/// Returns the steps that the bytes choose. `is_valid` means that the checker must accept the step if it accepts all earlier steps.
fn steps(formula: &[Clause], choices: &mut Choices<'_>) -> Vec<Step> {
    let mut clauses: Clauses = (1..).zip(formula.iter().cloned()).collect();
    let mut last_id = formula.len() as u64;
    let mut steps = Vec::new();
    while !choices.0.is_empty() && steps.len() < MAX_STEPS {
        let kind = choices.number_below(256);
        if kind % 8 == 7 {
            let ids: Vec<i64> = (0..1 + kind / 8 % 2).map(|_| choices.id(last_id)).collect();
            let is_active = |(index, id): (usize, &i64)| {
                !ids[..index].contains(id) && u64::try_from(*id).is_ok_and(|id| clauses.contains_key(&id))
            };
            let is_valid = ids.iter().enumerate().all(is_active);
            for id in &ids {
                clauses.remove(&id.unsigned_abs());
            }
            steps.push(Step::Deletion { ids, is_valid });
            continue;
        }
        let clause = choices.clause();
        let (mut hints, mut is_valid) = derive(&clauses, &clause);
        let mut id = last_id + 1;
        if kind % 8 >= 5 {
            is_valid &= !choices.change_hint(&mut hints, last_id);
        }
        if kind / 8 % 8 == 7 {
            id = 1 + choices.number_below(last_id as usize + 1) as u64;
            is_valid &= !clauses.contains_key(&id);
        }
        last_id = last_id.max(id);
        clauses.entry(id).or_insert_with(|| clause.clone());
        steps.push(Step::Lemma { id, clause, hints, is_valid });
    }
    steps
}

/// The input bytes as a sequence of choices. After the last byte, every choice is 0.
struct Choices<'a>(&'a [u8]);

impl Choices<'_> {
    fn number_below(&mut self, limit: usize) -> usize {
        let Some((&first, later_bytes)) = self.0.split_first() else { return 0 };
        self.0 = later_bytes;
        usize::from(first) % limit
    }

    fn clause(&mut self) -> Clause {
        let length = self.number_below(4);
        let mut literal = || {
            let code = self.number_below(2 * VARIABLES) as i32;
            if code % 2 == 0 { code / 2 + 1 } else { -(code / 2 + 1) }
        };
        (0..length).map(|_| literal()).collect()
    }

    /// A number from 1 to `last_id + 1`, which usually is the id of a clause.
    fn id(&mut self, last_id: u64) -> i64 {
        1 + self.number_below(last_id as usize + 1) as i64
    }

    /// Removes, replaces, adds, swaps or negates a hint, if possible. Returns whether the hints were changed.
    fn change_hint(&mut self, hints: &mut Vec<i64>, last_id: u64) -> bool {
        let kind = self.number_below(5);
        let index = self.number_below(hints.len().max(1));
        let new_hint = self.id(last_id);
        match kind {
            0 if index < hints.len() => drop(hints.remove(index)),
            1 if index < hints.len() => hints[index] = new_hint,
            2 => hints.insert(index, new_hint),
            3 if index + 1 < hints.len() => hints.swap(index, index + 1),
            4 if index < hints.len() => hints[index] = -hints[index],
            _ => return false,
        }
        true
    }
}

/// Computes hints for a lemma by unit propagation over all clauses. Returns the hints, and whether they prove the lemma, by a conflict or
/// as a RAT step on its first literal.
fn derive(clauses: &Clauses, lemma: &Clause) -> (Vec<i64>, bool) {
    let is_tautology = lemma.iter().any(|literal| lemma.contains(&-literal));
    let mut false_literals = lemma.clone();
    let mut hints = Vec::new();
    if is_tautology || propagate(clauses, &mut false_literals, &mut hints) {
        return (hints, true);
    }
    let Some(pivot) = lemma.first() else { return (hints, false) };
    for (&id, clause) in clauses.iter().filter(|(_, clause)| clause.contains(&-pivot)) {
        let mut false_literals_with_clause = false_literals.clone();
        let other_literals = clause.iter().copied().filter(|literal| *literal != -pivot);
        if other_literals.clone().any(|literal| false_literals.contains(&-literal)) {
            continue;
        }
        // The clause is a tautology, because two of its other literals are complementary.
        if other_literals
            .clone()
            .any(|literal| clause.contains(&-literal) && literal != *pivot && -literal != *pivot)
        {
            continue;
        }
        false_literals_with_clause.extend(other_literals);
        hints.push(-(id as i64));
        if !propagate(clauses, &mut false_literals_with_clause, &mut hints) {
            return (hints, false);
        }
    }
    (hints, true)
}

/// Unit propagation with these literals false. Returns whether there is a conflict, and adds the propagated clauses to the hints.
fn propagate(clauses: &Clauses, false_literals: &mut Vec<i32>, hints: &mut Vec<i64>) -> bool {
    loop {
        let mut has_propagated = false;
        for (&id, clause) in clauses {
            if clause.iter().any(|literal| false_literals.contains(&-literal)) {
                continue;
            }
            let mut unassigned: Vec<i32> =
                clause.iter().copied().filter(|literal| !false_literals.contains(literal)).collect();
            unassigned.dedup();
            if unassigned.len() > 1 {
                continue;
            }
            hints.push(id as i64);
            match unassigned.first() {
                None => return true,
                Some(literal) => false_literals.push(-literal),
            }
            has_propagated = true;
        }
        if !has_propagated {
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
    let push_number = |number: i64, bytes: &mut Vec<u8>| {
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
                push_number(*id as i64, &mut bytes);
                clause.iter().for_each(|&literal| push_number(i64::from(literal), &mut bytes));
                bytes.push(0);
                hints.iter().for_each(|&hint| push_number(hint, &mut bytes));
            }
            Step::Deletion { ids, .. } => {
                bytes.push(b'd');
                ids.iter().for_each(|&id| push_number(id, &mut bytes));
            }
        }
        bytes.push(0);
    }
    bytes
}

/// The truth table of a clause: bit `a` is set if assignment `a` makes the clause true.
fn truth_table(clause: &[i32]) -> u64 {
    let is_true = |assignment: u64| {
        clause.iter().any(|&literal| (assignment >> (literal.unsigned_abs() - 1) & 1 == 1) == (literal > 0))
    };
    (0..64).filter(|&assignment| is_true(assignment)).fold(0, |table, assignment| table | 1 << assignment)
}

/// Makes a literal true in a set of assignments, in all of which the literal is false.
fn make_true(assignments: u64, literal: i32) -> u64 {
    let distance = 1 << (literal.unsigned_abs() - 1);
    if literal > 0 { assignments << distance } else { assignments >> distance }
}

fn judge(formula: &[Clause], steps: &[Step], verdict: &ProofVerdict) {
    let context = || format!("{formula:?} {steps:?} {verdict:?}");
    let mut clauses: Clauses = (1..).zip(formula.iter().cloned()).collect();
    let mut is_refuted = formula.iter().any(Vec::is_empty);
    let rejected_step = match verdict {
        ProofVerdict::Verified(_) => {
            assert!(!has_model(VARIABLES, formula), "VERIFIED, and there is a model: {}", context());
            None
        }
        ProofVerdict::Rejected(rejection) => Some(rejection.step as usize - 1),
    };
    for (index, step) in steps.iter().enumerate() {
        if is_refuted {
            break;
        }
        if rejected_step == Some(index) {
            // A rejected step ends the proof.
            let is_valid =
                matches!(step, Step::Lemma { is_valid: true, .. } | Step::Deletion { is_valid: true, .. });
            assert!(!is_valid, "step {} is valid, but was rejected: {}", index + 1, context());
            return;
        }
        match step {
            Step::Lemma { id, clause, .. } => {
                let models = clauses.values().fold(u64::MAX, |models, clause| models & truth_table(clause));
                // A RAT lemma may exclude models, but making the pivot true turns each excluded model into another model.
                let excluded_models = models & !truth_table(clause);
                let changed_models = clause.first().map_or(0, |&pivot| make_true(excluded_models, pivot));
                let is_sound = excluded_models == 0 || (changed_models & !models == 0 && changed_models != 0);
                assert!(is_sound, "step {} does not follow: {}", index + 1, context());
                assert!(
                    clauses.insert(*id, clause.clone()).is_none(),
                    "the id of an active clause: {}",
                    context()
                );
                is_refuted = clause.is_empty();
            }
            Step::Deletion { ids, .. } => {
                let delete = |id: &i64| u64::try_from(*id).is_ok_and(|id| clauses.remove(&id).is_some());
                assert!({ ids }.iter().all(delete), "a deletion of an inactive clause: {}", context());
            }
        }
    }
    assert_eq!(is_refuted, rejected_step.is_none(), "{}", context());
}
