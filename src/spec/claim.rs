//! Claims: statements about the results of an experiment that a report checks. A claim is a table `[[claim]]` of the spec.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use toml::Value;

use super::SweepSizes;
use super::axis::text;
use crate::board::sizes::Sizes;
use crate::board::{BoardSize, known};
use crate::model::{Measure, SolverRef};
use crate::solver::Goal;
use timestats::Range;

/// A statement about the results of an experiment.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Claim {
    /// The statement in words.
    pub says: String,
    /// Who made it.
    pub source: Option<String>,
    /// How what is measured differs from what the source states.
    pub note: Option<String>,
    /// What is compared: a time, the number of solutions or a statistic.
    pub measure: String,
    /// The solver that it is about.
    pub of: SolverRef,
    /// Another solver, or the same one with `shift`.
    pub compared_with: Option<SolverRef>,
    /// The other solver is taken at n plus this.
    pub shift: Option<usize>,
    /// A number that the solver is compared with; of times, a text with a unit.
    pub value: Option<Value>,
    /// A published sequence that it is compared with, by its OEIS number.
    pub published: Option<String>,
    /// The bound of the value over the other one.
    #[serde(with = "text")]
    pub ratio: Option<Bound>,
    /// The bound of the factor per n from one size of the claim to the next.
    #[serde(with = "text")]
    pub growth_per_n: Option<Bound>,
    /// Whether both values must be the same.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub equal: bool,
    /// The sizes at which it must hold.
    #[serde(with = "text")]
    pub n: Option<SweepSizes>,
    /// Whether it must hold only at some of these sizes.
    pub most: Option<Most>,
    /// The goal that it is about, if the experiment has several.
    #[serde(with = "text")]
    pub goal: Option<Goal>,
    /// The canonical text of the problem that it is about, if the experiment has several.
    pub variant: Option<String>,
    /// The number of threads of the solvers that ran with several.
    pub threads: Option<usize>,
    /// Where it was written, for messages.
    #[serde(skip)]
    pub place: String,
}

/// At how many of its sizes a claim must hold.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "write true, or a share as in 0.99")]
pub enum Most {
    /// `true`: at more than half of them.
    Half(bool),
    /// At this share of them or more.
    Share(f64),
}

impl Most {
    /// Whether this many of all sizes are enough.
    pub fn is_met(self, held: usize, sizes: usize) -> bool {
        match self {
            Self::Half(true) => 2 * held > sizes,
            Self::Half(false) => held == sizes,
            Self::Share(share) => held as f64 >= share * sizes as f64,
        }
    }
}

/// A mistake in a claim: the key, if one is wrong rather than missing, and the reason.
pub type Mistake = (Option<&'static str>, String);

/// A mistake if a rule is broken; the key is empty if none is wrong.
fn rule(is_kept: bool, key: &'static str, reason: &str) -> Result<(), Mistake> {
    match (is_kept, key) {
        (true, _) => Ok(()),
        (false, "") => Err((None, reason.to_owned())),
        (false, key) => Err((Some(key), format!("{key}: {reason}"))),
    }
}

impl Claim {
    /// Checks whether its keys fit together.
    pub fn check(&self) -> Result<(), Mistake> {
        let (grows, count) =
            (self.growth_per_n.is_some(), |given: [bool; 3]| given.iter().filter(|is| **is).count());
        let bounds = count([self.ratio.is_some(), grows, self.equal]);
        let others = count([self.compared_with.is_some(), self.value.is_some(), self.published.is_some()]);
        let is_said = [&*self.says, &*self.measure, &*self.of].iter().all(|text| !text.trim().is_empty());
        rule(is_said, "", "a claim needs says, measure and of")?;
        let measure: Result<Measure, _> = self.measure.parse();
        measure.map_err(|error| (Some("measure"), format!("measure: {error}")))?;
        rule(bounds == 1, "", "a claim needs one bound: ratio, growth_per_n or equal = true")?;
        rule(!self.equal || !self.is_time(), "equal", "times are never equal: give ratio = \"0.9-1.1\"")?;
        let reason =
            "a claim compares with one of compared_with, value and published; growth_per_n with none of them";
        rule(others == usize::from(!grows), "", reason)?;
        rule(!grows || self.sizes().len() > 1, "n", "growth_per_n needs at least two sizes")?;
        let fits = self.value.is_none() || self.number().is_some();
        rule(fits, "value", "write a time as in value = \"1.5ms\", and a count as in value = 2057")?;
        let measure = self.statistic().unwrap_or(self.measure.clone());
        let mut sequences = known::sequences().filter(|(_, of)| *of == measure);
        let is_known = self.published.as_ref().is_none_or(|own| sequences.any(|(number, _)| number == own));
        rule(is_known, "published", &format!("no such sequence is known for {}", self.measure))?;
        let shift = self.shift.is_none_or(|shift| shift > 0 && self.compared_with.is_some());
        rule(
            shift,
            "shift",
            "write a number above 0; only a solver in compared_with can be taken at another size",
        )?;
        // Every claim holds at a share of 0.
        let most =
            self.most.is_none_or(|most| !matches!(most, Most::Share(share) if !(share > 0.0 && share < 1.0)));
        rule(
            most,
            "most",
            "write most = true, or a share above 0 and below 1 as in most = 0.99, or leave it out",
        )
    }

    /// What is compared; `None` in a claim that was not checked.
    pub fn measured(&self) -> Option<Measure> {
        self.measure.parse().ok()
    }

    /// The solvers that it names.
    pub fn solvers(&self) -> impl Iterator<Item = &SolverRef> {
        std::iter::once(&self.of).chain(&self.compared_with)
    }

    /// The same claim at those of its sizes that are among others; `None` if too few are left.
    pub fn at(&self, sizes: &Sizes) -> Option<Self> {
        let has = |n: usize| BoardSize::large(n).is_ok_and(|n| sizes.contains(n));
        let kept = self.sizes().into_iter().filter(|&n| has(n) && has(n + self.shift.unwrap_or(0)));
        let kept: Vec<String> = kept.map(|n| n.to_string()).collect();
        if self.growth_per_n.is_some() && kept.len() < 2 {
            return None;
        }
        let n = SweepSizes::of(Sizes::of_large(&kept.join(",")).ok()?);
        Some(Self { n: Some(n), ..self.clone() })
    }

    /// Whether it is about times.
    pub fn is_time(&self) -> bool {
        self.measured().is_some_and(|measure| measure.is_time())
    }

    /// The name of the statistic that it is about, if it is one.
    pub fn statistic(&self) -> Option<String> {
        self.measured()?.statistic().map(str::to_owned)
    }

    /// The value that it names, of times in nanoseconds; `None` if it does not fit its measure.
    pub fn number(&self) -> Option<f64> {
        let number = match self.value.as_ref()? {
            Value::Integer(count) => Some(*count as f64).filter(|_| !self.is_time()),
            Value::Float(mean) => Some(*mean).filter(|_| !self.is_time()),
            Value::String(text) => time(text).filter(|_| self.is_time()),
            _ => None,
        };
        number.filter(|number| *number >= 0.0)
    }

    /// The sizes at which it must hold.
    pub fn sizes(&self) -> Vec<usize> {
        self.n.iter().flat_map(|n| n.all.iter()).map(BoardSize::get).collect()
    }

    /// What the solver is compared with, in words; `None` if sizes of one solver are compared.
    pub fn other(&self) -> Option<String> {
        let value = self.value.as_ref().map(|value| value.as_str().map_or(value.to_string(), str::to_owned));
        let solver = self.compared_with.as_ref().map(|solver| match self.shift {
            None => solver.to_string(),
            Some(shift) => format!("{solver} at n + {shift}"),
        });
        solver.or(value).or(self.published.clone())
    }

    /// The numbers for which it holds; those of an equal are differences.
    pub fn bound(&self) -> Bound {
        self.ratio.as_ref().or(self.growth_per_n.as_ref()).cloned().unwrap_or_else(Bound::zero)
    }
}

/// The bound of a claim in words: `ratio < 1`, `equal`.
impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match (&self.ratio, &self.growth_per_n) {
            (Some(_), _) => "ratio ",
            (None, Some(_)) => "growth_per_n ",
            (None, None) => "equal",
        };
        write!(f, "{kind}{}", self.bound())?;
        match self.most {
            None | Some(Most::Half(false)) => Ok(()),
            Some(Most::Half(true)) => f.write_str(", for most sizes"),
            Some(Most::Share(share)) => write!(f, ", for at least {} % of the sizes", 100.0 * share),
        }
    }
}

/// A range of numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    low: f64,
    high: f64,
    /// Whether the ends belong to the range.
    closed: bool,
    /// The text that it was read from.
    text: String,
}

impl Bound {
    /// The bound of a claim that two numbers are equal: their difference is 0.
    fn zero() -> Self {
        Self { low: 0.0, high: 0.0, closed: true, text: String::new() }
    }

    /// Whether all numbers of an interval are in the range.
    pub fn includes(&self, interval: Range) -> bool {
        self.is_above_low(interval.low) && self.is_below_high(interval.high)
    }

    /// Whether no number of an interval is in the range.
    pub fn excludes(&self, interval: Range) -> bool {
        !self.is_above_low(interval.high) || !self.is_below_high(interval.low)
    }

    fn is_above_low(&self, number: f64) -> bool {
        // A range without an end holds infinite numbers, too.
        number > self.low || (number == self.low && (self.closed || self.low.is_infinite()))
    }

    fn is_below_high(&self, number: f64) -> bool {
        number < self.high || (number == self.high && (self.closed || self.high.is_infinite()))
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Bound {
    type Err = String;

    /// Parses `< 1`, `<= 1`, `> 2`, `>= 2` or the range `5.2-5.8`, whose ends belong to it.
    fn from_str(text: &str) -> Result<Self, String> {
        let (none, all) = (f64::NEG_INFINITY, f64::INFINITY);
        let signs = [("<=", true), (">=", true), ("<", false), (">", false)];
        let sign = signs
            .into_iter()
            .find_map(|(sign, closed)| Some((sign, closed, text.trim().strip_prefix(sign)?)));
        let ends = match sign {
            Some((sign, closed, rest)) => number(rest.trim()).map(|value| {
                let (low, high) = if sign.starts_with('<') { (none, value) } else { (value, all) };
                (low, high, closed)
            }),
            None => text.trim().match_indices('-').find_map(|(at, _)| {
                let (low, high) = text.trim().split_at(at);
                let (low, high) = (number(low.trim())?, number(high[1..].trim())?);
                (low <= high).then_some((low, high, true))
            }),
        };
        let (low, high, closed) = ends.ok_or_else(|| {
            format!("'{text}' is not a bound: write \"< 1\", \"<= 1\", \"> 2\", \">= 2\" or a range as in \"5.2-5.8\"")
        })?;
        Ok(Self { low, high, closed, text: text.trim().to_owned() })
    }
}

/// A number.
fn number(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

/// A time with its unit, in nanoseconds.
fn time(text: &str) -> Option<f64> {
    let text = text.trim();
    let digits = text.trim_end_matches(|c: char| c.is_alphabetic());
    let unit = match &text[digits.len()..] {
        "ns" => 1.0,
        "us" | "µs" => 1e3,
        "ms" => 1e6,
        "s" => 1e9,
        "m" => 60e9,
        "h" => 3600e9,
        _ => return None,
    };
    Some(number(digits.trim())? * unit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn claim(changes: &serde_json::Value) -> Claim {
        let mut table = json!({
            "says": "a is faster", "measure": "time", "of": "a", "compared_with": "b", "ratio": "< 1", "n": "4-6",
        });
        for (key, value) in changes.as_object().expect("changes") {
            table[key] = value.clone();
        }
        let table = table.as_object_mut().expect("a table");
        table.retain(|_, value| !value.is_null());
        serde_json::from_value(table.clone().into()).expect("the types are right")
    }

    #[test]
    fn a_claim_survives_the_file_of_its_experiment() {
        for changes in [
            json!({"goal": "first", "variant": "queens", "threads": 2, "shift": 1, "most": 0.5}),
            json!({"compared_with": null, "value": "1.5ms", "most": true, "measure": "wall"}),
            json!({"compared_with": null, "value": 137_061_093_093_u64, "measure": "nodes"}),
            json!({"compared_with": null, "value": 4.875, "measure": "nodes", "ratio": null, "equal": true}),
        ] {
            let claim = claim(&changes);
            assert_eq!(claim.check(), Ok(()), "{claim:?}");
            let text = toml::to_string(&claim).expect("TOML");
            assert_eq!(toml::from_str::<Claim>(&text).expect("the same"), claim, "{text}");
        }
        wording::assert_wording!("claim", "for most sizes", claim(&json!({"most": true})));
    }

    #[test]
    fn a_claim_is_restricted_to_the_sizes_that_are_measured() {
        let at = |changes: serde_json::Value, sizes: &str| {
            claim(&changes)
                .at(&sizes.parse().expect("sizes"))
                .map(|claim| claim.n.expect("sizes").all.to_string())
        };
        assert_eq!(at(json!({}), "5-9").as_deref(), Some("5-6"));
        assert_eq!(at(json!({}), "7-9"), None);
        assert_eq!(at(json!({"shift": 1, "of": "b"}), "4-6").as_deref(), Some("4-5"));
        let growth = json!({"ratio": null, "compared_with": null, "growth_per_n": "5-6"});
        assert_eq!(at(growth.clone(), "4,6").as_deref(), Some("4,6"));
        assert_eq!(at(growth, "4"), None);
    }

    #[test]
    fn mistakes_say_what_to_write() {
        let two_sizes = json!({"ratio": null, "growth_per_n": "5-6", "compared_with": null, "n": "4"});
        for (changes, key) in [
            (json!({"says": null}), ""),
            (json!({"measure": null}), ""),
            (json!({"measure": "speed"}), "measure"),
            (json!({"ratio": null}), ""),
            (json!({"ratio": null, "equal": true}), "equal"),
            (json!({"growth_per_n": "< 1"}), ""),
            (json!({"compared_with": null}), ""),
            (json!({"value": "1s"}), ""),
            (json!({"compared_with": null, "value": 7}), "value"),
            (json!({"compared_with": null, "published": "A000170"}), "published"),
            (json!({"ratio": null, "growth_per_n": "5-6"}), ""),
            (two_sizes, "n"),
            (json!({"most": 7.5}), "most"),
            (json!({"most": 0.0}), "most"),
            (json!({"most": 0}), "most"),
            (json!({"shift": 0}), "shift"),
            (json!({"compared_with": null, "value": "1s", "shift": 1}), "shift"),
        ] {
            let changed = changes.to_string();
            let (at, reason) = claim(&changes).check().expect_err(&changed);
            assert_eq!(at.unwrap_or_default(), key, "{changed}: {reason}");
            wording::assert_wording!("claim", &changed, reason);
        }
    }

    #[test]
    fn a_bound_includes_an_interval_excludes_it_or_crosses_it() {
        let bound = |text: &str| text.parse::<Bound>().expect("a bound");
        for (text, (low, high), includes, excludes) in [
            ("< 1", (0.2, 0.9), true, false),
            ("< 1", (0.9, 1.0), false, false),
            ("< 1", (1.0, 1.0), false, true),
            ("<= 1", (1.0, 1.0), true, false),
            ("> 2", (2.0, 3.0), false, false),
            (">= 2", (2.0, f64::INFINITY), true, false),
            ("> 2", (2.1, f64::INFINITY), true, false),
            ("> 2", (1.0, 2.0), false, true),
            ("5.2-5.8", (5.2, 5.8), true, false),
            ("5.2-5.8", (5.1, 5.8), false, false),
            ("5.2-5.8", (5.9, 6.0), false, true),
            ("-3--1", (-2.0, -1.0), true, false),
            ("1e-3-2", (1.0, 2.0), true, false),
            ("> 1", (f64::INFINITY, f64::INFINITY), true, false),
            ("< 5", (f64::INFINITY, f64::INFINITY), false, true),
        ] {
            let (bound, interval) = (bound(text), Range { low, high });
            assert_eq!(
                (bound.includes(interval), bound.excludes(interval)),
                (includes, excludes),
                "{text} {interval:?}"
            );
        }
        for text in ["1", "2-1", "= 3", ""] {
            let error = text.parse::<Bound>().expect_err("no bound");
            wording::assert_wording!("claim", &format!("bound '{text}'"), error);
        }
        assert_eq!(
            [time("1.5ms"), time("2 µs"), time("10s"), time("3"), time("x s")],
            [Some(1.5e6), Some(2e3), Some(1e10), None, None]
        );
    }
}
