//! Judges generated texts, and counts for each axis value how many texts have the expected verdict.

use std::collections::BTreeMap;
use std::fmt::Write;

use fastrand::Rng;
use queens_judge::AnswerKind;

use super::boards::{Board, Fault, solution_boards, with_fault};
use super::design::Combination;
use super::judged::{Faults, Outcome, outcome};

/// The minimum percentage of texts with the expected verdict.
const MIN_PERCENT: usize = 97;

/// The maximum number of failing texts that are printed.
const MAX_FAILURES: usize = 12;

/// The seeds of the long tests: 100 to 109, or only the seed in `LAYOUTS_SEED`.
pub fn other_seeds() -> std::ops::Range<u64> {
    let seed = std::env::var("LAYOUTS_SEED").ok().map(|seed| seed.parse().expect("a seed"));
    seed.map_or(100..110, |seed: u64| seed..seed + 1)
}

/// The number of texts with the expected verdict, and the number of all texts.
#[derive(Clone, Copy, Default)]
struct Share {
    good: usize,
    all: usize,
}

impl Share {
    fn count(&mut self, is_good: bool) {
        self.all += 1;
        self.good += usize::from(is_good);
    }

    fn is_enough(self) -> bool {
        100 * self.good >= MIN_PERCENT * self.all
    }
}

/// The counts of a family of layouts.
#[derive(Default)]
pub struct Measure {
    /// For each axis and value, the share of texts without a fault, and the share of texts with a fault.
    values: BTreeMap<(&'static str, &'static str), [Share; 2]>,
    total: [Share; 2],
    /// The number of texts without a fault that were called wrong, and of texts with a fault that were called correct.
    false_verdicts: usize,
    failures: Vec<String>,
}

impl Measure {
    /// Judges the text of a combination without a fault and, for n >= 4, with each fault.
    pub fn judge(
        &mut self,
        combination: &Combination,
        n: usize,
        rng: &mut Rng,
        text_of: &dyn Fn(&[Board]) -> Option<Vec<u8>>,
    ) {
        let boards = solution_boards(n);
        let text = text_of(&boards).expect("solutions can be written");
        let result = outcome(&text, n, AnswerKind::All);
        self.record(combination, "right", &text, result, result == Outcome::Correct, result.is_wrong());
        if n < 4 {
            return;
        }
        for fault in Fault::ALL {
            let Some(text) = text_of(&with_fault(&boards, fault, rng)) else { continue };
            let result = outcome(&text, n, AnswerKind::All);
            let expected = match fault {
                Fault::Lost => Faults { missing: 1, ..Faults::default() },
                Fault::Repeated => Faults { repeated: 1, ..Faults::default() },
                Fault::MovedInRow => Faults { illegal: 1, missing: 1, ..Faults::default() },
                Fault::MovedToRow => {
                    if result == Outcome::Correct {
                        self.record(combination, "MovedToRow", &text, result, false, true);
                    }
                    continue;
                }
            };
            let is_good = result == Outcome::Wrong(expected);
            let name = format!("{fault:?}");
            self.record(combination, &name, &text, result, is_good, result == Outcome::Correct);
        }
    }

    fn record(
        &mut self,
        combination: &Combination,
        what: &str,
        text: &[u8],
        result: Outcome,
        is_good: bool,
        is_false: bool,
    ) {
        let kind = usize::from(what != "right");
        for pair in combination.pairs() {
            self.values.entry(pair).or_default()[kind].count(is_good);
        }
        self.total[kind].count(is_good);
        self.false_verdicts += usize::from(is_false);
        if !is_good {
            let values: Vec<String> =
                combination.pairs().map(|(axis, value)| format!("{axis}={value:?}")).collect();
            let excerpt = String::from_utf8_lossy(&text[..text.len().min(600)]).replace('\u{1b}', "␛");
            let mark = if is_false { "FALSE VERDICT, " } else { "" };
            self.failures.push(format!("--- {mark}{what}: {result:?}\n{}\n{excerpt}", values.join(" ")));
        }
    }

    /// Panics with a table unless enough texts have the expected verdict and no verdict is false.
    pub fn assert_good(mut self, family: &str) {
        let is_enough = |shares: &[Share; 2]| shares.iter().all(|share| share.is_enough());
        let is_good =
            self.false_verdicts == 0 && is_enough(&self.total) && self.values.values().all(is_enough);
        if let Some(path) = std::env::var_os("LAYOUTS_FAILURES") {
            let path = std::path::PathBuf::from(path).join(family);
            std::fs::write(path, self.failures.join("\n")).expect("a folder for the failing texts");
        }
        if is_good {
            return;
        }
        let mut table = String::new();
        let mut line = |name: &str, [right, faulty]: &[Share; 2]| {
            let mark = if right.is_enough() && faulty.is_enough() { ' ' } else { '!' };
            let _ = writeln!(
                table,
                "{mark} {name:<45} right {:>5} of {:>5}   faulty {:>5} of {:>5}",
                right.good, right.all, faulty.good, faulty.all
            );
        };
        line(family, &self.total);
        for ((axis, value), shares) in &self.values {
            line(&format!("{axis} {value:?}"), shares);
        }
        // False verdicts come first.
        self.failures.sort_by_key(|failure| !failure.starts_with("--- FALSE"));
        self.failures.truncate(MAX_FAILURES);
        panic!("{} false verdicts\n{table}\n{}", self.false_verdicts, self.failures.join("\n"));
    }
}
