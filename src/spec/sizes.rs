//! The sizes of a sweep, which may differ between goals.

use std::fmt::{self, Display};
use std::str::FromStr;

use super::value_error::ValueError;
use crate::board::sizes::Sizes;
use crate::solver::Goal;

/// The sizes of a sweep: one list for all goals, or a list for each goal. The sizes may exceed the maximum size of most solvers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SweepSizes {
    /// The sizes of all goals together.
    pub all: Sizes,
    by_goal: Vec<(Goal, Sizes)>,
}

impl SweepSizes {
    /// The same sizes for all goals.
    pub fn of(all: Sizes) -> Self {
        Self { all, by_goal: Vec::new() }
    }

    /// The sizes of a goal; `None` if only other goals have sizes.
    pub fn of_goal(&self, goal: Goal) -> Option<&Sizes> {
        match self.by_goal.is_empty() {
            true => Some(&self.all),
            false => {
                self.by_goal.iter().find(|(listed_goal, _)| *listed_goal == goal).map(|(_, sizes)| sizes)
            }
        }
    }

    /// The intersection with these sizes; `None` if it is empty.
    pub fn common(&self, allowed: &Sizes) -> Option<Self> {
        let common_of_goal = |(goal, sizes): &(Goal, Sizes)| Some((*goal, sizes.common(allowed)?));
        Some(Self {
            all: self.all.common(allowed)?,
            by_goal: self.by_goal.iter().filter_map(common_of_goal).collect(),
        })
    }

    /// Whether the sizes differ between goals.
    pub fn is_by_goal(&self) -> bool {
        !self.by_goal.is_empty()
    }
}

impl FromStr for SweepSizes {
    type Err = ValueError;

    /// Parses sizes, or lines such as `count: 4-12`.
    fn from_str(text: &str) -> Result<Self, ValueError> {
        let sizes = |text: &str| Sizes::parse_large(text);
        let goal_and_sizes = |line: &str| {
            line.split_once(": ").and_then(|(goal, text)| Some((Goal::named(goal)?, text.to_owned())))
        };
        let by_goal: Vec<(Goal, String)> = text.lines().filter_map(goal_and_sizes).collect();
        if by_goal.is_empty() {
            return Ok(Self::of(sizes(&text.replace('\n', ","))?));
        }
        if by_goal.len() < text.lines().count() {
            return Err(ValueError::SizesWithoutGoal);
        }
        let all_texts: Vec<&str> = by_goal.iter().map(|(_, text)| text.as_str()).collect();
        let all = sizes(&all_texts.join(","))?;
        let sizes_of_goal = |(goal, text): &(Goal, String)| Ok((*goal, sizes(text)?));
        Ok(Self { all, by_goal: by_goal.iter().map(sizes_of_goal).collect::<Result<_, ValueError>>()? })
    }
}

impl Display for SweepSizes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> =
            self.by_goal.iter().map(|(goal, sizes)| format!("{goal}: {sizes}")).collect();
        if lines.is_empty() { self.all.fmt(f) } else { f.write_str(&lines.join("\n")) }
    }
}
