//! Claims: statements about the results of an experiment that a report checks. A claim is a table of the spec
//! (`[[claim]]`); the plan in `meta.json` has it in the same form, so that a report needs no spec.

mod bound;

use std::fmt;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use crate::board::sizes::Sizes;
use crate::board::{BoardSize, known};
use crate::solver::Stat;
pub use bound::Bound;
use bound::{number, time};

/// The keys of a claim.
pub const KEYS: [&str; 16] = [
    "says",
    "source",
    "note",
    "measure",
    "of",
    "compared_with",
    "shift",
    "value",
    "published",
    "ratio",
    "difference",
    "growth_per_n",
    "equal",
    "n",
    "most",
    "variant",
];

/// A statement about the results of an experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// The statement in words.
    pub says: String,
    /// Who made it.
    pub source: Option<String>,
    /// How what is measured differs from what the source states.
    pub note: Option<String>,
    /// What is compared.
    pub measure: Measure,
    /// The solver that it is about.
    pub of: String,
    /// What the solver is compared with; `None` if it is about the growth of one solver.
    pub against: Option<Against>,
    /// The other solver is taken at n plus this.
    pub shift: usize,
    /// How the two are combined to one number.
    pub kind: Kind,
    /// The numbers for which the claim holds.
    pub bound: Bound,
    /// The sizes at which it must hold.
    pub n: Sizes,
    /// Whether it must hold only at some of these sizes.
    pub most: Option<Most>,
    /// The canonical text of the problem that it is about, if the experiment has several.
    pub variant: Option<String>,
    /// Where it was written, for messages; empty if it was not read from a spec.
    pub place: String,
    /// The table as it was written, with `n`.
    written: Map<String, Value>,
}

/// At how many of its sizes a claim must hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Most {
    /// At more than half of them.
    Half,
    /// At this share of them or more.
    Share(f64),
}

impl Most {
    /// Whether this many of all sizes are enough.
    pub fn is_met(self, held: usize, sizes: usize) -> bool {
        match self {
            Self::Half => 2 * held > sizes,
            Self::Share(share) => held as f64 >= share * sizes as f64,
        }
    }
}

/// What a claim compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// The time of the timed runs.
    Time,
    /// The number of solutions.
    Solutions,
    /// A count of the counting run.
    Stat(Stat),
}

/// What a solver is compared with.
#[derive(Clone, Debug, PartialEq)]
pub enum Against {
    /// Another solver at the same size.
    Solver(String),
    /// A number; of nanoseconds, if times are compared.
    Value(f64, String),
    /// A published sequence, by its OEIS number.
    Published(String),
}

/// How the values of a claim are combined to one number for each size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The value over the other one.
    Ratio,
    /// The value minus the other one.
    Difference,
    /// The factor per n from one size of the claim to the next.
    Growth,
    /// The same as a difference, which must be exactly 0.
    Equal,
}

/// A mistake in a claim: the key, if one is wrong rather than missing, and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The key whose value is wrong.
    pub key: Option<&'static str>,
    /// What is wrong, and what to write.
    pub reason: String,
}

fn mistake(key: &'static str, reason: impl fmt::Display) -> Mistake {
    Mistake { key: Some(key), reason: format!("{key}: {reason}") }
}

fn missing(reason: &str) -> Mistake {
    Mistake { key: None, reason: reason.to_owned() }
}

impl Claim {
    /// Checks a table whose keys are among [`KEYS`]; `all` is used if it has no sizes of its own.
    pub fn of_table(mut table: Map<String, Value>, all: Option<&Sizes>) -> Result<Self, Mistake> {
        if let (false, Some(all)) = (table.contains_key("n"), all) {
            table.insert("n".to_owned(), all.to_string().into());
        }
        let text = |key: &'static str| match table.get(key) {
            None => Ok(None),
            Some(Value::String(text)) if !text.trim().is_empty() => Ok(Some(text.as_str())),
            Some(_) => Err(mistake(key, "this must be a text in quotes that is not empty")),
        };
        let required = |key| {
            text(key)?
                .ok_or_else(|| missing(&format!("this claim has no {key}: it needs says, measure and of")))
        };
        let says = required("says")?.to_owned();
        let measure = Measure::named(required("measure")?).map_err(|reason| mistake("measure", reason))?;
        let of = required("of")?.to_owned();
        let (kind, bound) = kind(&table, measure, &text)?;
        let against = against(&table, measure, &text)?;
        match (&against, kind) {
            (None, Kind::Growth) | (Some(_), Kind::Ratio | Kind::Difference | Kind::Equal) => {}
            (Some(_), Kind::Growth) => {
                let reason = "this compares sizes of one solver: remove compared_with, value or published";
                return Err(mistake("growth_per_n", reason));
            }
            (None, _) => {
                let reason = "this claim compares with nothing: add compared_with, value or published";
                return Err(missing(reason));
            }
        }
        let n = Sizes::of_large(required("n")?).map_err(|error| mistake("n", error))?;
        if kind == Kind::Growth && n.iter().nth(1).is_none() {
            return Err(mistake("n", "growth_per_n needs at least two sizes"));
        }
        let [source, note, variant] =
            ["source", "note", "variant"].map(|key| text(key).map(|text| text.map(str::to_owned)));
        let share = |value: &Value| value.as_f64().filter(|share| (0.0..1.0).contains(share));
        let most = match table.get("most") {
            None | Some(Value::Bool(false)) => None,
            Some(Value::Bool(true)) => Some(Most::Half),
            Some(value) => Some(share(value).map(Most::Share).ok_or_else(|| {
                mistake("most", "write most = true, or a share below 1 as in most = 0.99, or leave it out")
            })?),
        };
        let shift = match (table.get("shift"), &against) {
            (None, _) => 0,
            (Some(_), None | Some(Against::Value(..) | Against::Published(_))) => {
                return Err(mistake("shift", "only a solver in compared_with can be taken at another size"));
            }
            (Some(shift), _) => shift
                .as_u64()
                .and_then(|shift| usize::try_from(shift).ok())
                .filter(|shift| (1..=BoardSize::LARGEST).contains(shift))
                .ok_or_else(|| mistake("shift", "this must be a number from 1 to 10000000"))?,
        };
        let (source, note, variant, place) = (source?, note?, variant?, String::new());
        let written = table;
        Ok(Self {
            says,
            source,
            note,
            measure,
            of,
            against,
            shift,
            kind,
            bound,
            n,
            most,
            variant,
            place,
            written,
        })
    }

    /// The solvers that it names.
    pub fn solvers(&self) -> impl Iterator<Item = &str> {
        let other = match &self.against {
            Some(Against::Solver(id)) => Some(id.as_str()),
            _ => None,
        };
        std::iter::once(self.of.as_str()).chain(other)
    }

    /// The same claim at those of its sizes that are among others; `None` if too few are left.
    pub fn at(&self, sizes: &Sizes) -> Option<Self> {
        let has = |n: usize| BoardSize::large(n).is_ok_and(|n| sizes.contains(n));
        let kept = self.n.iter().filter(|n| has(n.get()) && has(n.get() + self.shift));
        let kept: Vec<String> = kept.map(|n| n.to_string()).collect();
        if self.kind == Kind::Growth && kept.len() < 2 {
            return None;
        }
        let n = Sizes::of_large(&kept.join(",")).ok()?;
        let mut written = self.written.clone();
        written.insert("n".to_owned(), n.to_string().into());
        Some(Self { n, written, ..self.clone() })
    }

    /// The sizes at which it must hold, in words; empty for all of them.
    fn sizes(&self) -> String {
        match self.most {
            None => String::new(),
            Some(Most::Half) => ", for most sizes".to_owned(),
            Some(Most::Share(share)) => format!(", for at least {} % of the sizes", 100.0 * share),
        }
    }
}

type Text<'a> = dyn Fn(&'static str) -> Result<Option<&'a str>, Mistake> + 'a;

/// The one kind that a table has, with its bound.
fn kind(table: &Map<String, Value>, measure: Measure, text: &Text<'_>) -> Result<(Kind, Bound), Mistake> {
    let given: Vec<&'static str> = ["ratio", "difference", "growth_per_n", "equal"]
        .into_iter()
        .filter(|key| table.contains_key(*key))
        .collect();
    let key = match given[..] {
        [key] => key,
        [] => return Err(missing("this claim has no bound: add ratio, difference, growth_per_n or equal")),
        [_, second, ..] => {
            return Err(mistake(second, "a claim has one of ratio, difference, growth_per_n and equal"));
        }
    };
    if key == "equal" {
        return match (table.get(key), measure) {
            (_, Measure::Time) => {
                Err(mistake(key, "times are never equal: give a ratio, as in ratio = \"0.9-1.1\""))
            }
            (Some(Value::Bool(true)), _) => Ok((Kind::Equal, Bound::zero())),
            _ => Err(mistake(key, "write equal = true, or give a difference")),
        };
    }
    let kind = match key {
        "ratio" => Kind::Ratio,
        "difference" => Kind::Difference,
        _ => Kind::Growth,
    };
    let number = if (kind, measure) == (Kind::Difference, Measure::Time) { time } else { number };
    let bound =
        Bound::parse(text(key)?.unwrap_or_default(), number).map_err(|reason| mistake(key, reason))?;
    Ok((kind, bound))
}

/// What a table compares with.
fn against(
    table: &Map<String, Value>,
    measure: Measure,
    text: &Text<'_>,
) -> Result<Option<Against>, Mistake> {
    let given: Vec<&'static str> =
        ["compared_with", "value", "published"].into_iter().filter(|key| table.contains_key(*key)).collect();
    Ok(Some(match given[..] {
        [] => return Ok(None),
        [_, second, ..] => {
            return Err(mistake(second, "a claim has one of compared_with, value and published"));
        }
        ["compared_with"] => Against::Solver(text("compared_with")?.unwrap_or_default().to_owned()),
        ["published"] => {
            let number = text("published")?.unwrap_or_default();
            let column = measure.name();
            let known = known::sequences().filter(|(_, of)| *of == column).map(|(number, _)| number);
            let known: Vec<&str> = known.collect();
            if !known.contains(&number) {
                let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
                let reason = format!("'{number}' is not a known sequence of {column}; known: {known}");
                return Err(mistake("published", reason));
            }
            Against::Published(number.to_owned())
        }
        _ => {
            let value = match (&table["value"], measure) {
                (Value::String(text), Measure::Time) => time(text).map(|value| (value, text.clone())),
                (Value::Number(number), Measure::Solutions | Measure::Stat(_)) => {
                    number.as_f64().map(|value| (value, number.to_string()))
                }
                _ => None,
            };
            let (value, text) = value.filter(|(value, _)| *value >= 0.0).ok_or_else(|| {
                mistake("value", "write a time as in value = \"1.5ms\", and a count as in value = 2057")
            })?;
            Against::Value(value, text)
        }
    }))
}

impl Measure {
    /// The measures that a claim can name.
    pub fn all() -> impl Iterator<Item = Self> {
        [Self::Time, Self::Solutions].into_iter().chain(Stat::ALL.iter().copied().map(Self::Stat))
    }

    /// `time`, or a column of `nodes.csv`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Solutions => "solutions",
            Self::Stat(stat) => stat.name(),
        }
    }

    /// The statistic, if it is one.
    pub fn stat(self) -> Option<Stat> {
        match self {
            Self::Stat(stat) => Some(stat),
            Self::Time | Self::Solutions => None,
        }
    }

    fn named(name: &str) -> Result<Self, String> {
        Self::all().find(|measure| measure.name() == name).ok_or_else(|| {
            let names: Vec<&str> = Self::all().map(Self::name).collect();
            format!("'{name}' cannot be measured; known: {}", names.join(", "))
        })
    }
}

impl fmt::Display for Against {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Solver(text) | Self::Value(_, text) | Self::Published(text) => f.write_str(text),
        }
    }
}

/// The bound of a claim in words: `ratio < 1`, `equal`.
impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            Kind::Equal => return f.write_str("equal"),
            Kind::Ratio => "ratio",
            Kind::Difference => "difference",
            Kind::Growth => "growth_per_n",
        };
        write!(f, "{kind} {}{}", self.bound.text, self.sizes())
    }
}

impl Serialize for Claim {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.written.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Claim {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let table = Map::deserialize(deserializer)?;
        Self::of_table(table, None).map_err(|mistake| D::Error::custom(mistake.reason))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn table(changes: &Value) -> Map<String, Value> {
        let mut table = Map::new();
        for (key, value) in [
            ("says", json!("a is faster")),
            ("measure", json!("time")),
            ("of", json!("a")),
            ("compared_with", json!("b")),
            ("ratio", json!("< 1")),
            ("n", json!("4-6")),
        ] {
            table.insert(key.to_owned(), value);
        }
        for (key, value) in changes.as_object().expect("changes") {
            match value {
                Value::Null => table.remove(key),
                value => table.insert(key.clone(), value.clone()),
            };
        }
        table
    }

    fn told(changes: &Value) -> String {
        Claim::of_table(table(changes), None).expect_err("a mistake").reason
    }

    #[test]
    fn a_claim_survives_meta_json() {
        let claim = Claim::of_table(table(&json!({"n": null})), Some(&"8-9".parse().expect("sizes")));
        let claim = claim.expect("a claim");
        assert_eq!((claim.n.to_string(), claim.to_string()), ("8-9".to_owned(), "ratio < 1".to_owned()));
        let text = serde_json::to_string(&claim).expect("JSON");
        assert_eq!(serde_json::from_str::<Claim>(&text).expect("the same"), claim);
    }

    #[test]
    fn a_claim_is_restricted_to_the_sizes_that_are_measured() {
        let at = |changes: Value, sizes: &str| {
            let claim = Claim::of_table(table(&changes), None).expect("a claim");
            claim
                .at(&sizes.parse().expect("sizes"))
                .map(|claim| (claim.n.to_string(), claim.written["n"].clone()))
        };
        assert_eq!(at(json!({}), "5-9"), Some(("5-6".to_owned(), json!("5-6"))));
        assert_eq!(at(json!({}), "7-9"), None);
        assert_eq!(at(json!({"shift": 1}), "4-6"), Some(("4-5".to_owned(), json!("4-5"))));
        let growth = json!({"ratio": null, "compared_with": null, "growth_per_n": "5-6"});
        assert_eq!(at(growth.clone(), "4,6").map(|(n, _)| n), Some("4,6".to_owned()));
        assert_eq!(at(growth, "4"), None);
    }

    #[test]
    fn mistakes_say_what_to_write() {
        for (changes, reason) in [
            (json!({"says": null}), "this claim has no says"),
            (json!({"measure": "speed"}), "'speed' cannot be measured; known: time, solutions, nodes"),
            (json!({"ratio": "1"}), "'1' is not a bound"),
            (json!({"ratio": "2-1"}), "'2-1' is not a bound"),
            (json!({"ratio": null}), "this claim has no bound"),
            (json!({"ratio": null, "equal": true}), "times are never equal"),
            (json!({"difference": "< 1ms"}), "one of ratio, difference, growth_per_n and equal"),
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
            (json!({"n": "6-4"}), "the range 6-4 is empty"),
            (json!({"of": 7}), "of: this must be a text"),
            (json!({"most": 7}), "most: write most = true, or a share below 1"),
            (json!({"shift": 0}), "shift: this must be a number from 1"),
            (json!({"compared_with": null, "value": "1s", "shift": 1}), "shift: only a solver"),
        ] {
            assert!(told(&changes).contains(reason), "{changes}: {}", told(&changes));
        }
    }
}
