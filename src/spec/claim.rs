//! Claims: statements about the results of an experiment. Each claim is a table `[[claim]]` of the spec, and reports check
//! whether it holds.

use std::fmt;

use serde::Serialize;
use toml::Spanned;
use toml::de::DeValue;

use super::axis::as_text;
use super::bound::Bound;
use super::place::{Located, Place, SpecError, SpecSource};
use super::settings::{Settings, size_not_in_sweep};
use super::sizes::SweepSizes;
use super::table::{
    self, ExpectedType, Mismatch, SpecTable, boolean, line, number, parsed, prose, sizes, to_f64, to_i64,
    type_mismatch,
};
use super::values::parse_duration;
use crate::board::sizes::Sizes;
use crate::board::{BoardSize, published};
use crate::model::{Measure, SolverRef};
use crate::solver::Goal;

/// A statement about the results of an experiment.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Claim {
    /// The statement in words.
    pub says: Located<String>,
    /// The source of the claim, for example a paper.
    pub source: Option<Located<String>>,
    /// How the measured quantity differs from that of the source.
    pub note: Option<Located<String>>,
    /// The measure: a time, the number of solutions or a statistic.
    pub measure: Located<Measure>,
    /// The solver that the claim is about.
    pub of: Located<SolverRef>,
    /// The solver to compare with. With `shift`, it may be the same solver as `of`.
    pub compared_with: Option<Located<SolverRef>>,
    /// The value of `of` at size n is compared with the value of `compared_with` at size n + `shift`.
    pub shift: Option<Located<usize>>,
    /// The number to compare with; for times, a text with a unit.
    pub value: Option<Located<ClaimedValue>>,
    /// The OEIS number of a published sequence to compare with.
    pub published: Option<Located<String>>,
    /// The bound of the ratio: the value of `of` divided by the value to compare with.
    #[serde(serialize_with = "as_text")]
    pub ratio: Option<Located<Bound>>,
    /// The bound of the growth factor per n: the factor of an exponential function that is fitted to the values at all sizes of
    /// the claim.
    #[serde(serialize_with = "as_text")]
    pub growth_per_n: Option<Located<Bound>>,
    /// Whether the two values must be equal.
    #[serde(skip_serializing_if = "is_false")]
    pub equal: Located<bool>,
    /// The sizes at which the claim must hold.
    #[serde(serialize_with = "as_text")]
    pub n: Option<Located<SweepSizes>>,
    /// The share of these sizes at which the claim must hold; if missing, all of them.
    pub most: Option<Located<RequiredShare>>,
    /// The goal of the compared runs, if the experiment has several goals.
    #[serde(serialize_with = "as_text")]
    pub goal: Option<Located<Goal>>,
    /// The canonical text of the problem of the compared runs, if the experiment has several problems.
    pub variant: Option<Located<String>>,
    /// The number of threads of the compared runs, if the experiment has several numbers of threads.
    pub threads: Option<Located<usize>>,
    /// The place of the header `[[claim]]`.
    #[serde(skip)]
    pub header: Located<()>,
}

fn is_false(truth: &Located<bool>) -> bool {
    !**truth
}

/// The number that the measured value is compared with. A time is a text with its unit.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum ClaimedValue {
    /// A count.
    Count(i64),
    /// A mean of counts.
    Mean(f64),
    /// A time.
    Time(String),
}

impl fmt::Display for ClaimedValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count(count) => count.fmt(f),
            // `Debug` prints a whole number with a decimal point, `2.0`.
            Self::Mean(mean) => write!(f, "{mean:?}"),
            Self::Time(text) => text.fmt(f),
        }
    }
}

/// The share of the sizes of a claim at which the claim must hold.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum RequiredShare {
    /// `true`: more than half of the sizes. `false`: all sizes.
    MoreThanHalf(bool),
    /// At least this share of the sizes.
    Share(f64),
}

impl RequiredShare {
    /// Whether a claim with `size_count` sizes holds as a whole if it holds at `holding_count` of them.
    pub fn is_met(self, holding_count: usize, size_count: usize) -> bool {
        match self {
            Self::MoreThanHalf(true) => 2 * holding_count > size_count,
            Self::MoreThanHalf(false) => holding_count == size_count,
            Self::Share(share) => holding_count as f64 >= share * size_count as f64,
        }
    }
}

fn read_value(value: &Spanned<DeValue<'_>>) -> Result<ClaimedValue, Mismatch> {
    let number = match value.get_ref() {
        DeValue::Integer(number) => to_i64(number).map(ClaimedValue::Count),
        DeValue::Float(number) => to_f64(number).map(ClaimedValue::Mean),
        DeValue::String(_) => return line(value).map(ClaimedValue::Time),
        _ => None,
    };
    number.ok_or_else(|| type_mismatch(ExpectedType::NumberOrTime, value.get_ref()))
}

fn read_most(value: &Spanned<DeValue<'_>>) -> Result<RequiredShare, Mismatch> {
    let most = match value.get_ref() {
        DeValue::Boolean(truth) => Some(RequiredShare::MoreThanHalf(*truth)),
        DeValue::Integer(number) => to_i64(number).map(|number| RequiredShare::Share(number as f64)),
        DeValue::Float(number) => to_f64(number).map(RequiredShare::Share),
        _ => None,
    };
    most.ok_or_else(|| "write true, or a share as in 0.99".to_owned().into())
}

impl Claim {
    pub(super) fn read(mut table: SpecTable<'_>) -> Result<Self, SpecError> {
        let has_measure;
        let claim = Self {
            says: table.optional("says", prose)?.unwrap_or_default(),
            source: table.optional("source", prose)?,
            note: table.optional("note", prose)?,
            measure: {
                let measure = table.optional("measure", parsed)?;
                has_measure = measure.is_some();
                measure.unwrap_or_default()
            },
            of: table.optional("of", parsed)?.unwrap_or_default(),
            compared_with: table.optional("compared_with", parsed)?,
            shift: table.optional("shift", number)?,
            value: table.optional("value", read_value)?,
            published: table.optional("published", line)?,
            ratio: table.optional("ratio", parsed)?,
            growth_per_n: table.optional("growth_per_n", parsed)?,
            equal: table.optional("equal", boolean)?.unwrap_or_default(),
            n: table.optional("n", sizes)?,
            most: table.optional("most", read_most)?,
            goal: table.optional("goal", parsed)?,
            variant: table.optional("variant", line)?,
            threads: table.optional("threads", number)?,
            header: Located::new((), table.place().clone()),
        };
        table.finish()?;
        let has_text = |text: &str| !text.trim().is_empty();
        if !(has_measure && has_text(&claim.says) && has_text(&claim.of)) {
            let reason = "a claim needs says, measure and of";
            return Err(table.source().error("", table.place(), reason));
        }
        Ok(claim)
    }

    /// If the claim has no sizes, adds the sizes that the sweep has for the goal of the claim.
    pub(super) fn with_sizes_of(self, sweep: &Settings) -> Self {
        let n = self.n.clone().unwrap_or_else(|| SweepSizes::of(self.sizes_in(sweep)).into());
        Self { n: Some(n), ..self }
    }

    /// The sizes at which the sweep runs the goal of the claim; all sizes of the sweep if the claim has no goal, or if the goal has
    /// no sizes.
    fn sizes_in(&self, sweep: &Settings) -> Sizes {
        let goal_sizes = sweep.n.as_ref().zip(self.goal()).and_then(|(n, goal)| n.of_goal(goal).cloned());
        goal_sizes.unwrap_or_else(|| sweep.sizes())
    }

    /// Checks whether the keys of the claim are consistent, and whether the sweep has the sizes of the claim.
    pub(super) fn check(&self, source: &SpecSource, sweep: &Settings) -> Result<(), SpecError> {
        let key_error = |key: &str, place, reason: &str| Err(source.error(key, place, reason));
        let table_error = |reason: &str| Err(source.error("", self.header.place(), reason));
        let has_growth = self.growth_per_n.is_some();
        let count_true = |conditions: [bool; 3]| conditions.iter().filter(|condition| **condition).count();
        if count_true([self.ratio.is_some(), has_growth, *self.equal]) != 1 {
            return table_error("a claim needs exactly one bound: ratio, growth_per_n or equal = true");
        }
        if *self.equal && self.is_time() {
            return key_error(
                "equal",
                self.equal.place(),
                "times are never exactly equal: write a range of ratios, as in ratio = \"0.9-1.1\"",
            );
        }
        let comparison_count =
            count_true([self.compared_with.is_some(), self.value.is_some(), self.published.is_some()]);
        if comparison_count != usize::from(!has_growth) {
            return table_error(
                "a claim needs exactly one of compared_with, value and published; with growth_per_n, it has none of them",
            );
        }
        if let Some(value) = self.value.as_ref().filter(|_| self.number().is_none()) {
            let reason = "write a time as in value = \"1.5ms\", and a count as in value = 2057";
            return key_error("value", value.place(), reason);
        }
        let measure = self.measure.to_string();
        let measure = self.statistic().unwrap_or(&measure);
        let is_sequence = |number: &str| published::sequences().any(|sequence| sequence == (number, measure));
        if let Some(number) = self.published.as_ref().filter(|number| !is_sequence(number)) {
            let reason = format!("queenlab has no published sequence {number} for {}", self.measure);
            return key_error("published", number.place(), &reason);
        }
        if let Some(shift) = self.shift.as_ref().filter(|shift| ***shift == 0 || self.compared_with.is_none())
        {
            let reason =
                "write a number above 0, and compare with a solver: only compared_with can have another size";
            return key_error("shift", shift.place(), reason);
        }
        // A share of 0 would make every claim hold.
        let is_valid_share = |most: &RequiredShare| !matches!(*most, RequiredShare::Share(share) if !(share > 0.0 && share < 1.0));
        if let Some(most) = self.most.as_ref().filter(|most| !is_valid_share(most)) {
            let reason =
                "write most = true, or a share above 0 and below 1 as in most = 0.99, or leave it out";
            return key_error("most", most.place(), reason);
        }
        if let Some(most) = self.most.as_ref().filter(|_| has_growth) {
            return key_error(
                "most",
                most.place(),
                "growth_per_n is one number for all sizes: leave most out",
            );
        }
        let texts = [("variant", &self.variant), ("published", &self.published)];
        for (key, text) in texts.into_iter().filter_map(|(key, text)| Some((key, text.as_ref()?))) {
            if let Some(reason) = table::unprintable(text) {
                return key_error(key, text.place(), &reason);
            }
        }
        self.check_sizes(source, sweep)
    }

    fn check_sizes(&self, source: &SpecSource, sweep: &Settings) -> Result<(), SpecError> {
        let Some(n) = &self.n else { return Ok(()) };
        // If the file has no sizes for the claim, the claim has those of the sweep. An error in these sizes is reported at
        // the place of the key `of`.
        let place = if *n.place() == Place::Nowhere { self.of.place() } else { n.place() };
        let size_error = |reason: String| Err(source.error("n", place, reason));
        if n.is_by_goal() {
            return size_error("write one list of sizes; the key goal selects a goal".to_owned());
        }
        if self.growth_per_n.is_some() && self.sizes().len() < 2 {
            return size_error("growth_per_n needs at least two sizes".to_owned());
        }
        let sizes = self.sizes_in(sweep);
        let mut compared_sizes = self.sizes().into_iter().flat_map(|n| [n, n.saturating_add(self.shift())]);
        let is_outside = |n: &usize| !BoardSize::large(*n).is_ok_and(|n| sizes.contains(n));
        compared_sizes.find(is_outside).map_or(Ok(()), |n| size_error(size_not_in_sweep(n, &sizes)))
    }

    /// The one or two solvers that the claim names.
    pub fn solvers(&self) -> impl Iterator<Item = &SolverRef> {
        std::iter::once(&*self.of).chain(self.compared_with.as_deref())
    }

    /// The claim restricted to these sizes; `None` if too few sizes remain.
    pub fn restricted_to(&self, sizes: &Sizes) -> Option<Self> {
        let has_size = |n: usize| BoardSize::large(n).is_ok_and(|n| sizes.contains(n));
        let remaining = self.sizes().into_iter().filter(|&n| has_size(n) && has_size(n + self.shift()));
        let remaining: Vec<String> = remaining.map(|n| n.to_string()).collect();
        if self.growth_per_n.is_some() && remaining.len() < 2 {
            return None;
        }
        let sizes = SweepSizes::of(Sizes::parse_large(&remaining.join(",")).ok()?);
        let n = self.n.clone()?.map(|_| sizes);
        Some(Self { n: Some(n), ..self.clone() })
    }

    /// Whether the measure is a time.
    pub fn is_time(&self) -> bool {
        self.measure.is_time()
    }

    /// The name of the measured statistic; `None` if the measure is not a statistic.
    pub fn statistic(&self) -> Option<&str> {
        self.measure.statistic()
    }

    /// The number in the key `value`; times are in nanoseconds. `None` if the key is missing, if the number is negative, or if only
    /// one of the value and the measure is a time.
    pub fn number(&self) -> Option<f64> {
        let number = match &**self.value.as_ref()? {
            ClaimedValue::Count(count) => Some(*count as f64).filter(|_| !self.is_time()),
            ClaimedValue::Mean(mean) => Some(*mean).filter(|_| !self.is_time()),
            ClaimedValue::Time(text) => {
                parse_duration(text).ok().map(|time| time.as_nanos() as f64).filter(|_| self.is_time())
            }
        };
        number.filter(|number| *number >= 0.0)
    }

    /// The size of `compared_with` minus the size of `of`.
    pub fn shift(&self) -> usize {
        self.shift.as_deref().copied().unwrap_or(0)
    }

    /// The key `goal`.
    pub fn goal(&self) -> Option<Goal> {
        self.goal.as_deref().copied()
    }

    /// The key `threads`.
    pub fn threads(&self) -> Option<usize> {
        self.threads.as_deref().copied()
    }

    /// The key `variant`.
    pub fn variant(&self) -> Option<&str> {
        self.variant.as_ref().map(|variant| variant.as_str())
    }

    /// The sizes at which the claim must hold.
    pub fn sizes(&self) -> Vec<usize> {
        self.n.iter().flat_map(|n| n.all.iter()).map(BoardSize::get).collect()
    }

    /// The solver, number or published sequence to compare with, as a text; `None` for a claim about growth.
    pub fn comparison_text(&self) -> Option<String> {
        let value = self.value.as_ref().map(ToString::to_string);
        let solver = self.compared_with.as_ref().map(|solver| match &self.shift {
            None => solver.to_string(),
            Some(shift) => format!("{solver} at n + {shift}"),
        });
        solver.or(value).or_else(|| self.published.as_ref().map(ToString::to_string))
    }

    /// The range that must include the ratio or the growth factor. For `equal`, it must include the difference of the two values.
    pub fn bound(&self) -> Bound {
        self.ratio.as_deref().or(self.growth_per_n.as_deref()).cloned().unwrap_or_else(Bound::zero)
    }
}

impl Claim {
    /// The bound for reports: `ratio ≥ 2`, `growth per n < 5`, `equal`.
    pub fn bound_text_for_reports(&self) -> String {
        self.bound_text_with("growth per n ", &self.bound().text_for_reports())
    }

    /// The bound as a text, with this name for the growth factor and this text for the range.
    fn bound_text_with(&self, growth: &str, range: &str) -> String {
        let kind = match (&self.ratio, &self.growth_per_n) {
            (Some(_), _) => "ratio ",
            (None, Some(_)) => growth,
            (None, None) => "equal",
        };
        let sizes = match self.most.as_deref() {
            None | Some(RequiredShare::MoreThanHalf(false)) => String::new(),
            Some(RequiredShare::MoreThanHalf(true)) => ", for most sizes".to_owned(),
            Some(RequiredShare::Share(share)) => format!(", for at least {} % of the sizes", percent(*share)),
        };
        format!("{kind}{range}{sizes}")
    }
}

/// Converts a share to percent, without the rounding errors of the product, such as 28.999999999999996 for 0.29.
fn percent(share: f64) -> f64 {
    (share * 1e10).round() / 1e8
}

/// The bound of a claim in `claims.csv`: `ratio < 1`, `growth_per_n < 5`, `equal`.
impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.bound_text_with("growth_per_n ", &self.bound().to_string()))
    }
}

#[cfg(test)]
pub(crate) mod tests;
