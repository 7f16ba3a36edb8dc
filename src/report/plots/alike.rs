//! Solvers that count the same are one line that bears all their names.

use std::collections::BTreeMap;

use super::chart::Series;
use super::style::Style;

/// Names that share a line, above which the rest is only counted.
const MOST_NAMES: usize = 12;

/// What one solver counted.
pub struct Counts {
    /// What it is called.
    pub name: String,
    /// Its look.
    pub style: Style,
    /// What is counted, if the line is to be dashed.
    pub dashed: Option<&'static str>,
    /// The count at each n.
    pub at: BTreeMap<usize, u64>,
}

/// One series for all whose counts are those of the one that got furthest; `what` they are, in the plural.
pub fn merge(mut counts: Vec<Counts>, what: &str) -> Vec<Series> {
    counts.sort_by_key(|counts| std::cmp::Reverse(counts.at.len()));
    let mut groups: Vec<Vec<Counts>> = Vec::new();
    for counts in counts {
        let same = |group: &&mut Vec<Counts>| {
            let leader = &group[0];
            let agrees = |(n, count)| leader.at.get(n) == Some(count);
            leader.dashed == counts.dashed && counts.at.iter().all(agrees)
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.push(counts),
            None => groups.push(vec![counts]),
        }
    }
    groups.into_iter().map(|group| series(&group, what)).collect()
}

fn series(group: &[Counts], what: &str) -> Series {
    let leader = &group[0];
    let mut name = match group {
        [_] => vec![leader.name.clone()],
        _ => vec![format!("{} {what}, the same counts", group.len())],
    };
    if group.len() > 1 {
        name.extend(
            group.iter().take(MOST_NAMES).map(|counts| format!("{}{}", counts.name, range(counts, leader))),
        );
    }
    if group.len() > MOST_NAMES {
        name.push(format!("and {} more", group.len() - MOST_NAMES));
    }
    name.extend(leader.dashed.map(str::to_owned));
    Series {
        name,
        style: leader.style,
        dashed: leader.dashed.is_some(),
        line: leader.at.iter().map(|(&n, &count)| (n, count)).collect(),
        dots: Vec::new(),
        band: Vec::new(),
        limits: Vec::new(),
        fit: None,
    }
}

/// Where one counted, if not everywhere that its line goes.
fn range(counts: &Counts, leader: &Counts) -> String {
    let ends = |counts: &Counts| Some((*counts.at.first_key_value()?.0, *counts.at.last_key_value()?.0));
    match (ends(counts), ends(leader)) {
        (mine, all) if mine == all => String::new(),
        (Some((low, high)), _) if low == high => format!(" (n = {low})"),
        (Some((low, high)), Some((first, _))) if low == first => format!(" (to n = {high})"),
        (Some((low, high)), _) => format!(" (n = {low}–{high})"),
        (None, _) => String::new(),
    }
}
