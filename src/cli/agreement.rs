//! Sentences about the comparisons of a sweep without wrong answers: `program/bt agrees with sat/pairwise/varisat and A000170
//! at n = 4-10`.

use std::collections::{BTreeMap, BTreeSet};

use crate::board::sizes::ranges;
use crate::model::{ComparedWith, SolverRef};
use crate::record::CrosscheckRow;

/// The maximum number of sentences.
const MAX_SENTENCES: usize = 3;

/// The maximum number of names of solvers in a sentence.
const MAX_NAMES: usize = 3;

type SizeSet = BTreeSet<usize>;

/// Makes the sentences. Solvers that were compared with the same references at the same sizes share a sentence. Sentences about
/// programs come first. All comparisons must agree.
pub fn sentences<'c>(comparisons: impl IntoIterator<Item = &'c CrosscheckRow>) -> Vec<String> {
    let mut references: BTreeMap<&SolverRef, BTreeMap<&ComparedWith, SizeSet>> = BTreeMap::new();
    for CrosscheckRow { solver, against, n, .. } in comparisons {
        let of_solver = references.entry(solver).or_default();
        of_solver.entry(against).or_default().insert(*n);
    }
    // The key begins with `false` for the programs of the user, so that these do not share a sentence with other solvers and come
    // first.
    let mut solvers: BTreeMap<(bool, BTreeMap<&ComparedWith, SizeSet>), Vec<&SolverRef>> = BTreeMap::new();
    for (solver, references) in references {
        solvers.entry((!solver.is_program(), references)).or_default().push(solver);
    }
    let mut groups: Vec<_> = solvers.into_iter().collect();
    groups.sort_by_key(|((is_builtin, _), solvers)| (*is_builtin, usize::MAX - solvers.len()));
    let more = groups.len().saturating_sub(MAX_SENTENCES);
    let printed =
        groups.iter().take(MAX_SENTENCES).map(|((_, references), solvers)| sentence(references, solvers));
    printed.chain((more > 0).then(|| "more comparisons are in crosscheck.csv".to_owned())).collect()
}

fn sentence(references: &BTreeMap<&ComparedWith, SizeSet>, solvers: &[&SolverRef]) -> String {
    let solvers = match solvers {
        [single] => format!("{single} agrees"),
        solvers if solvers.len() <= MAX_NAMES => {
            format!("{} agree", list(&solvers.iter().map(|solver| solver.as_str()).collect::<Vec<_>>()))
        }
        solvers => format!("{} solvers agree", solvers.len()),
    };
    let mut by_sizes: BTreeMap<&SizeSet, Vec<&str>> = BTreeMap::new();
    for (reference, sizes) in references {
        let name = if **reference == ComparedWith::Board { "the rules" } else { reference.as_str() };
        by_sizes.entry(sizes).or_default().push(name);
    }
    let with = by_sizes.into_iter().map(|(sizes, names)| {
        format!("with {} at n = {}", list(&names), ranges(&Vec::from_iter(sizes.iter().copied())))
    });
    format!("{solvers} {}", list(&with.collect::<Vec<_>>()))
}

/// `a, b and c`.
fn list(items: &[impl AsRef<str>]) -> String {
    let items: Vec<&str> = items.iter().map(AsRef::as_ref).collect();
    match &items[..] {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        items => items.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compared(solver: &str, against: &str, sizes: std::ops::RangeInclusive<usize>) -> Vec<CrosscheckRow> {
        let row = |n| CrosscheckRow {
            n,
            solver: solver.into(),
            against: against.parse().expect("a reference"),
            agrees: true,
            ..CrosscheckRow::default()
        };
        sizes.map(row).collect()
    }

    const SAT: &str = "sat/pairwise/varisat";

    #[test]
    fn solvers_with_the_same_references_share_a_sentence() {
        let mut all =
            [compared("program/bt", SAT, 4..=10), compared("program/bt", "A000170", 4..=10)].concat();
        wording::assert_wording!("sweep", "agreement: a program", sentences(&all).join("\n"));
        all.extend(compared(SAT, "A000170", 4..=10));
        for solver in ["backtrack/a", "backtrack/b"] {
            all.extend([compared(solver, SAT, 4..=10), compared(solver, "A000170", 4..=10)].concat());
        }
        wording::assert_wording!("sweep", "agreement: a program and solvers", sentences(&all).join("\n"));
        all.extend([compared("backtrack/c", SAT, 4..=8), compared("backtrack/c", "A000170", 4..=9)].concat());
        all.extend(compared("backtrack/d", "board", 4..=4));
        assert_eq!(sentences(&all).len(), MAX_SENTENCES + 1);
        wording::assert_wording!("sweep", "agreement: several sizes", sentences(&all).join("\n"));
        assert_eq!(sentences(&[]).len(), 0);
    }
}
