//! Claims: statements about the results of an experiment that a report checks. A claim is a table `[[claim]]` of the spec.

mod bound;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::axis::text;
use super::spec::SweepSizes;
use crate::board::{BoardSize, known};
use crate::solver::{Goal, Stat};
pub use bound::Bound;
use bound::time;

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
    /// What is compared.
    #[serde(with = "text")]
    pub measure: Option<Measure>,
    /// The solver that it is about.
    pub of: String,
    /// Another solver, or the same one with `shift`.
    pub compared_with: Option<String>,
    /// The other solver is taken at n plus this.
    pub shift: Option<usize>,
    /// A number that the solver is compared with.
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
    pub goal: Option<Goal>,
    /// The canonical text of the problem that it is about, if the experiment has several.
    pub variant: Option<String>,
    /// The number of threads of the solvers that ran with several.
    pub threads: Option<usize>,
    /// Where it was written, for messages.
    #[serde(skip)]
    pub place: String,
}

/// A number; of times, a text with a unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "write a time as in \"1.5ms\", or a count as in 2057")]
pub enum Value {
    /// A count.
    Count(u64),
    /// A mean of counts.
    Mean(f64),
    /// A time.
    Time(String),
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
            Self::Half(half) => {
                if half {
                    2 * held > sizes
                } else {
                    held == sizes
                }
            }
            Self::Share(share) => held as f64 >= share * sizes as f64,
        }
    }
}

/// What a claim compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// The time of encoding and solving.
    Time,
    /// The wall time of the whole process.
    Wall,
    /// The number of solutions.
    Solutions,
    /// A count of the counting run.
    Stat(Stat),
}

impl Measure {
    /// The measures that a claim can name.
    pub fn all() -> impl Iterator<Item = Self> {
        [Self::Time, Self::Wall, Self::Solutions].into_iter().chain(Stat::ALL.iter().copied().map(Self::Stat))
    }

    /// `time`, `wall`, or a column of `nodes.csv`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Wall => "wall",
            Self::Solutions => "solutions",
            Self::Stat(stat) => stat.name(),
        }
    }

    /// Whether it is a time.
    pub fn is_time(self) -> bool {
        matches!(self, Self::Time | Self::Wall)
    }

    /// The statistic, if it is one.
    pub fn stat(self) -> Option<Stat> {
        if let Self::Stat(stat) = self { Some(stat) } else { None }
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Measure {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::all().find(|measure| measure.name() == name).ok_or_else(|| {
            let names: Vec<&str> = Self::all().map(Self::name).collect();
            format!("'{name}' cannot be measured; known: {}", names.join(", "))
        })
    }
}

/// A mistake in a claim: the key, if one is wrong rather than missing, and the reason.
pub type Mistake = (Option<&'static str>, String);

fn mistake(key: &'static str, reason: impl fmt::Display) -> Result<(), Mistake> {
    Err((Some(key), format!("{key}: {reason}")))
}

fn missing(reason: &str) -> Result<(), Mistake> {
    Err((None, reason.to_owned()))
}

/// The keys that are given.
fn given<const N: usize>(keys: [(&'static str, bool); N]) -> Vec<&'static str> {
    keys.into_iter().filter(|(_, is_given)| *is_given).map(|(key, _)| key).collect()
}

impl Claim {
    /// Checks whether its keys fit together.
    pub fn check(&self) -> Result<(), Mistake> {
        let Some(measure) = self.measure.filter(|_| !self.says.trim().is_empty() && !self.of.is_empty())
        else {
            return missing("a claim needs says, measure and of");
        };
        match given([
            ("ratio", self.ratio.is_some()),
            ("growth_per_n", self.growth_per_n.is_some()),
            ("equal", self.equal),
        ])[..]
        {
            [] => return missing("this claim has no bound: add ratio, growth_per_n or equal = true"),
            [_, second, ..] => return mistake(second, "a claim has one of ratio, growth_per_n and equal"),
            ["equal"] if measure.is_time() => {
                return mistake("equal", "times are never equal: give a ratio, as in ratio = \"0.9-1.1\"");
            }
            _ => {}
        }
        let others = given([
            ("compared_with", self.compared_with.is_some()),
            ("value", self.value.is_some()),
            ("published", self.published.is_some()),
        ]);
        match (&others[..], &self.growth_per_n) {
            ([_, second, ..], _) => {
                return mistake(second, "a claim has one of compared_with, value and published");
            }
            ([], None) => {
                return missing("this claim compares with nothing: add compared_with, value or published");
            }
            ([_], Some(_)) => {
                let reason = "this compares sizes of one solver: remove compared_with, value or published";
                return mistake("growth_per_n", reason);
            }
            ([], Some(_)) if self.sizes().len() < 2 => {
                return mistake("n", "growth_per_n needs at least two sizes");
            }
            _ => {}
        }
        self.check_values(measure)
    }

    fn check_values(&self, measure: Measure) -> Result<(), Mistake> {
        if self.value.is_some() && self.number().is_none() {
            return mistake("value", "write a time as in value = \"1.5ms\", and a count as in value = 2057");
        }
        if let Some(number) = &self.published {
            let known = known::sequences().filter(|(_, of)| *of == measure.name()).map(|(number, _)| number);
            let known: Vec<&str> = known.collect();
            if !known.contains(&number.as_str()) {
                let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
                return mistake(
                    "published",
                    format!("'{number}' is not a known sequence of {measure}; known: {known}"),
                );
            }
        }
        if self.shift.is_some() && self.compared_with.is_none() {
            return mistake("shift", "only a solver in compared_with can be taken at another size");
        }
        if self.shift.is_some_and(|shift| !(1..=BoardSize::LARGEST).contains(&shift)) {
            return mistake("shift", "this must be a number from 1 to 10000000");
        }
        match self.most {
            // Every claim holds at no size.
            Some(Most::Share(share)) if !(share > 0.0 && share < 1.0) => mistake(
                "most",
                "write most = true, or a share above 0 and below 1 as in most = 0.99, or leave it out",
            ),
            _ => Ok(()),
        }
    }

    /// The value that it names, of times in nanoseconds; `None` if it does not fit its measure.
    pub fn number(&self) -> Option<f64> {
        let is_time = self.measure.is_some_and(Measure::is_time);
        let number = match self.value.as_ref()? {
            Value::Count(count) => Some(*count as f64).filter(|_| !is_time),
            Value::Mean(mean) => Some(*mean).filter(|_| !is_time),
            Value::Time(text) => time(text).filter(|_| is_time),
        };
        number.filter(|number| *number >= 0.0)
    }

    /// The sizes at which it must hold.
    pub fn sizes(&self) -> Vec<usize> {
        self.n.iter().flat_map(|n| n.0.iter()).map(BoardSize::get).collect()
    }

    /// What the solver is compared with, in words; `None` if sizes of one solver are compared.
    pub fn other(&self) -> Option<String> {
        let value = self.value.as_ref().map(|value| match value {
            Value::Count(count) => count.to_string(),
            Value::Mean(mean) => mean.to_string(),
            Value::Time(text) => text.clone(),
        });
        let solver = self.compared_with.as_ref().map(|solver| match self.shift {
            None => solver.clone(),
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
        let kind = given([("ratio ", self.ratio.is_some()), ("growth_per_n ", self.growth_per_n.is_some())]);
        let kind = kind.first().copied().unwrap_or("equal");
        write!(f, "{kind}{}", self.bound())?;
        match self.most {
            None | Some(Most::Half(false)) => Ok(()),
            Some(Most::Half(true)) => f.write_str(", for most sizes"),
            Some(Most::Share(share)) => write!(f, ", for at least {} % of the sizes", 100.0 * share),
        }
    }
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
        assert_eq!(claim(&json!({"most": true})).to_string(), "ratio < 1, for most sizes");
    }

    #[test]
    fn mistakes_say_what_to_write() {
        for (changes, reason) in [
            (json!({"says": null}), "a claim needs says, measure and of"),
            (json!({"measure": null}), "a claim needs says, measure and of"),
            (json!({"ratio": null}), "this claim has no bound"),
            (json!({"ratio": null, "equal": true}), "times are never equal"),
            (json!({"growth_per_n": "< 1"}), "one of ratio, growth_per_n and equal"),
            (json!({"compared_with": null}), "compares with nothing"),
            (json!({"value": "1s"}), "one of compared_with, value and published"),
            (json!({"compared_with": null, "value": 7}), "value: write a time"),
            (
                json!({"compared_with": null, "published": "A000170"}),
                "not a known sequence of time; known: none",
            ),
            (json!({"ratio": null, "growth_per_n": "5-6"}), "remove compared_with"),
            (
                json!({"ratio": null, "growth_per_n": "5-6", "compared_with": null, "n": "4"}),
                "at least two sizes",
            ),
            (json!({"most": 7.5}), "most: write most = true, or a share above 0"),
            (json!({"most": 0.0}), "most: write most = true, or a share above 0"),
            (json!({"most": 0}), "most: write most = true, or a share above 0"),
            (json!({"shift": 0}), "shift: this must be a number from 1"),
            (json!({"compared_with": null, "value": "1s", "shift": 1}), "shift: only a solver"),
        ] {
            let (_, told) = claim(&changes).check().expect_err(reason);
            assert!(told.contains(reason), "{changes}: {told}");
        }
        assert!(
            "speed".parse::<Measure>().expect_err("unknown").contains("known: time, wall, solutions, nodes")
        );
    }
}
