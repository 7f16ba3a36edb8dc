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
        let references_of_solver = references.entry(solver).or_default();
        references_of_solver.entry(against).or_default().insert(*n);
    }
    // The key begins with `false` for the programs of the user, so that these do not share a sentence with other solvers and come
    // first.
    let mut solvers: BTreeMap<(bool, BTreeMap<&ComparedWith, SizeSet>), Vec<&SolverRef>> = BTreeMap::new();
    for (solver, references) in references {
        solvers.entry((!solver.is_program(), references)).or_default().push(solver);
    }
    let mut groups: Vec<_> = solvers.into_iter().collect();
    groups.sort_by_key(|((is_builtin, _), solvers)| (*is_builtin, usize::MAX - solvers.len()));
    let hidden_count = groups.len().saturating_sub(MAX_SENTENCES);
    let printed_sentences =
        groups.iter().take(MAX_SENTENCES).map(|((_, references), solvers)| sentence(references, solvers));
    printed_sentences
        .chain((hidden_count > 0).then(|| "more comparisons are in crosscheck.csv".to_owned()))
        .collect()
}

fn sentence(references: &BTreeMap<&ComparedWith, SizeSet>, solvers: &[&SolverRef]) -> String {
    let solvers = match solvers {
        [single] => format!("{single} agrees"),
        solvers if solvers.len() <= MAX_NAMES => {
            format!("{} agree", list(&solvers.iter().map(|solver| solver.as_str()).collect::<Vec<_>>()))
        }
        solvers => format!("{} solvers agree", solvers.len()),
    };
    let mut names_by_sizes: BTreeMap<&SizeSet, Vec<&str>> = BTreeMap::new();
    for (reference, sizes) in references {
        let name = if **reference == ComparedWith::Board { "the rules" } else { reference.as_str() };
        names_by_sizes.entry(sizes).or_default().push(name);
    }
    let clauses = names_by_sizes.into_iter().map(|(sizes, names)| {
        format!("with {} at n = {}", list(&names), ranges(&Vec::from_iter(sizes.iter().copied())))
    });
    format!("{solvers} {}", list(&clauses.collect::<Vec<_>>()))
}

/// Joins items to a list such as `a, b and c`.
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

    fn comparison_rows(
        solver: &str,
        against: &str,
        sizes: std::ops::RangeInclusive<usize>,
    ) -> Vec<CrosscheckRow> {
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
        let mut comparisons =
            [comparison_rows("program/bt", SAT, 4..=10), comparison_rows("program/bt", "A000170", 4..=10)]
                .concat();
        wording::assert_wording!("sweep", "agreement: a program", sentences(&comparisons).join("\n"));
        comparisons.extend(comparison_rows(SAT, "A000170", 4..=10));
        for solver in ["backtrack/a", "backtrack/b"] {
            comparisons.extend(
                [comparison_rows(solver, SAT, 4..=10), comparison_rows(solver, "A000170", 4..=10)].concat(),
            );
        }
        wording::assert_wording!(
            "sweep",
            "agreement: a program and solvers",
            sentences(&comparisons).join("\n")
        );
        comparisons.extend(
            [comparison_rows("backtrack/c", SAT, 4..=8), comparison_rows("backtrack/c", "A000170", 4..=9)]
                .concat(),
        );
        comparisons.extend(comparison_rows("backtrack/d", "board", 4..=4));
        assert_eq!(sentences(&comparisons).len(), MAX_SENTENCES + 1);
        wording::assert_wording!("sweep", "agreement: several sizes", sentences(&comparisons).join("\n"));
        assert_eq!(sentences(&[]).len(), 0);
    }
}
