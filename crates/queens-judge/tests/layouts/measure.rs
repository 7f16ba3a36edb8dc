//! Judges generated texts, and counts for each axis value how many were judged as they should be.

use std::collections::BTreeMap;
use std::fmt::Write;

use fastrand::Rng;
use queens_judge::AnswerKind;

use super::boards::{Board, Fault, faulty, solution_boards};
use super::design::Combination;
use super::judged::{Faults, Outcome, outcome};

/// At least this part of the texts is judged as it should be, in percent.
const PERCENT: usize = 97;

/// Failing texts that are printed.
const MAX_FAILURES: usize = 12;

/// The seeds of the long tests: ten of them, or the one in `LAYOUTS_SEED`.
pub fn other_seeds() -> std::ops::Range<u64> {
    let seed = std::env::var("LAYOUTS_SEED").ok().map(|seed| seed.parse().expect("a seed"));
    seed.map_or(100..110, |seed: u64| seed..seed + 1)
}

/// Texts judged as they should be, of all texts.
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
        100 * self.good >= PERCENT * self.all
    }
}

/// The counts of a family of layouts.
#[derive(Default)]
pub struct Measure {
    /// For each axis and value, the shares of right and of faulty texts.
    values: BTreeMap<(&'static str, &'static str), [Share; 2]>,
    total: [Share; 2],
    /// Right texts that were called wrong, and faulty ones that were called correct.
    false_verdicts: usize,
    failures: Vec<String>,
}

impl Measure {
    /// Judges the right text of a combination and, for n >= 4, texts with a fault.
    pub fn take(
        &mut self,
        combination: &Combination,
        n: usize,
        rng: &mut Rng,
        written: &dyn Fn(&[Board]) -> Option<Vec<u8>>,
    ) {
        let boards = solution_boards(n);
        let text = written(&boards).expect("a right text can be written");
        let result = outcome(&text, n, AnswerKind::All);
        self.record(combination, "right", &text, result, result == Outcome::Correct, result.is_wrong());
        if n < 4 {
            return;
        }
        for fault in Fault::ALL {
            let Some(text) = written(&faulty(&boards, fault, rng)) else { continue };
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

    /// Panics with a table unless enough texts were judged as they should be, and none falsely.
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
        // False verdicts first.
        self.failures.sort_by_key(|failure| !failure.starts_with("--- FALSE"));
        self.failures.truncate(MAX_FAILURES);
        panic!("{} false verdicts\n{table}\n{}", self.false_verdicts, self.failures.join("\n"));
    }
}
