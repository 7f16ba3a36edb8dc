//! The colours and markers of series by solver. A solver has the same colour in all plots, so that the figures of a paper match.
//! Adding a solver does not change the colours of other solvers. The exceptions are series in groups, and results with a single
//! solver; `series` chooses their styles.

use std::collections::BTreeSet;

use lineplot::Style;

/// Solvers with fixed colours. There are 11 colours, which are assigned in the order of this list. Solvers that are often drawn
/// together have different colours. New solvers are added at the end. The colour of any other solver is computed from its name.
const SOLVERS: [&str; 33] = [
    "backtrack/exhaustive",
    "backtrack/permutations",
    "backtrack/permutations-pruned",
    "backtrack/board-scan",
    "backtrack/column-scan",
    "backtrack/flag-arrays",
    "backtrack/bitmask",
    "sat/pairwise/varisat",
    "backtrack/nested-loops",
    "backtrack/board-scan-columns",
    "backtrack/dlx",
    // From here on, the colours repeat.
    "sat/sequential/varisat",
    "sat/ladder/varisat",
    "sat/product/varisat",
    "sat/commander/varisat",
    "sat/bitwise/varisat",
    "sat/bimander/varisat",
    "backtrack/forward-checking",
    "sat/pairwise/batsat",
    "backtrack/backmarking",
    "backtrack/backjumping",
    "backtrack/cbj",
    "count/avx512",
    "count/avx2",
    "count/portable",
    "count/auto",
    "local/min-conflicts",
    "local/queen-search",
    "construct/pauls",
    "sat/pairwise/chrono",
    "backtrack/unit-propagation",
    "backtrack/mac",
    "sat/pairwise/cadical",
];

/// The colours and markers that are already in use.
#[derive(Default)]
pub struct StyleAssigner(BTreeSet<usize>);

impl StyleAssigner {
    /// The style of the next series of this solver. All series of a solver have the same colour and different markers.
    pub fn of(&mut self, solver: &str) -> Style {
        let position = SOLVERS.iter().position(|name| *name == solver).map(Style);
        let mut style = position.unwrap_or_else(|| Style::of_name(solver));
        for _ in 0..7 {
            if self.0.insert(style.0) {
                break;
            }
            style = style.with_next_marker();
        }
        style
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn styles(solvers: &[&str]) -> Vec<Style> {
        let mut styles = StyleAssigner::default();
        solvers.iter().map(|solver| styles.of(solver)).collect()
    }

    #[test]
    fn adding_a_solver_changes_no_other_colour() {
        let [a, b] = ["backtrack/bitmask", "program/mine"];
        let styles_of_both = styles(&[a, b]);
        assert_eq!(
            styles(&["backtrack/dlx", a, "program/other", b])[1..=3],
            [styles_of_both[0], styles(&["program/other"])[0], styles_of_both[1]]
        );
        assert_eq!(styles(&[b]), styles_of_both[1..]);
    }

    #[test]
    fn series_of_one_solver_share_only_the_colour() {
        let all_styles = styles(&["program/mine"; 7]);
        let colour = |style: &Style| style.0 % 11;
        assert!(all_styles.iter().all(|style| colour(style) == colour(&all_styles[0])), "{all_styles:?}");
        assert_eq!(
            all_styles.iter().map(|style| style.0 % 7).collect::<BTreeSet<_>>().len(),
            7,
            "{all_styles:?}"
        );
    }

    #[test]
    fn first_eleven_solvers_have_different_colours() {
        let colours: BTreeSet<usize> = styles(&SOLVERS[..11]).into_iter().map(|style| style.0 % 11).collect();
        assert_eq!(colours.len(), 11);
        assert_eq!(SOLVERS.iter().collect::<BTreeSet<_>>().len(), SOLVERS.len());
    }
}
