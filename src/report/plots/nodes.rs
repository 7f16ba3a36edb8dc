//! Nodes against n: what the counting run of each searcher visited. Searchers without nodes show the
//! candidates that they tested, dashed. SAT solvers have neither and are left out: a learned clause is
//! not a node. Searchers that visit the same tree are one line that bears all their names.

use std::collections::BTreeMap;

use super::Data;
use super::axis::Unit;
use super::canvas::Drawn;
use super::chart::{Chart, Series};
use super::style::Style;
use crate::record::NodesRow;

/// Names of searchers that share a line, above which the rest is only counted.
const MOST_NAMES: usize = 12;

pub(super) fn draw(data: &Data<'_>) -> Drawn<String> {
    chart(data).svg()
}

/// What one searcher counted.
struct Counts {
    name: String,
    style: Style,
    candidates: bool,
    at: BTreeMap<usize, u64>,
}

fn chart(data: &Data<'_>) -> Chart {
    let keys = data.keys();
    let mut counts: Vec<Counts> = Vec::new();
    let mut notes: Vec<String> = Vec::new();
    for (key, style) in keys.without_threads() {
        let mine = |row: &&NodesRow| {
            (row.solver.as_str(), row.variant.as_str(), row.goal.as_str())
                == (key.solver, key.variant, key.goal.name())
        };
        let name = keys.name(&key, false);
        let rows: Vec<&NodesRow> = data.nodes.iter().filter(mine).collect();
        let all = |of: fn(&NodesRow) -> Option<u64>| -> BTreeMap<usize, u64> {
            rows.iter().filter_map(|row| Some((row.n, of(row)?))).collect()
        };
        let (nodes, candidates) = (all(|row| row.nodes), all(|row| row.candidates));
        if !nodes.is_empty() {
            counts.push(Counts { name, style, candidates: false, at: nodes });
        } else if !candidates.is_empty() {
            counts.push(Counts { name, style, candidates: true, at: candidates });
        } else if rows.iter().any(|row| row.clauses.is_some() || row.learned_clauses.is_some()) {
            note(&mut notes, "SAT solvers have no nodes; left out", name);
        } else if !rows.is_empty() {
            note(&mut notes, "Counted nothing; left out", name);
        }
    }
    let how = if counts.iter().any(|counts| counts.candidates) {
        "counted in a run of its own; dashed: no nodes but complete candidates tested"
    } else {
        "counted in a run of its own"
    };
    let (title, subtitle) = data.headings("Nodes against n", how);
    Chart {
        id: "nodes",
        title,
        subtitle,
        axis: "nodes visited",
        unit: Unit::Count,
        series: merge(counts),
        notes: notes.into_iter().map(|note| note + ".").collect(),
        empty: "no nodes counted",
    }
}

/// Adds a name to the note that begins so.
fn note(notes: &mut Vec<String>, begin: &str, name: String) {
    match notes.iter_mut().find(|note| note.starts_with(begin)) {
        Some(note) => *note += &format!(", {name}"),
        None => notes.push(format!("{begin}: {name}")),
    }
}

/// One series for all searchers whose counts are those of the searcher that got furthest.
fn merge(mut counts: Vec<Counts>) -> Vec<Series> {
    counts.sort_by_key(|counts| std::cmp::Reverse(counts.at.len()));
    let mut groups: Vec<Vec<Counts>> = Vec::new();
    for counts in counts {
        let same = |group: &&mut Vec<Counts>| {
            let leader = &group[0];
            let agrees = |(n, count)| leader.at.get(n) == Some(count);
            leader.candidates == counts.candidates && counts.at.iter().all(agrees)
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.push(counts),
            None => groups.push(vec![counts]),
        }
    }
    groups.into_iter().map(|group| series(&group)).collect()
}

fn series(group: &[Counts]) -> Series {
    let leader = &group[0];
    let mut name = match group {
        [_] => vec![leader.name.clone()],
        _ => vec![format!("{} searchers, the same counts", group.len())],
    };
    if group.len() > 1 {
        name.extend(
            group.iter().take(MOST_NAMES).map(|counts| format!("{}{}", counts.name, range(counts, leader))),
        );
    }
    if group.len() > MOST_NAMES {
        name.push(format!("and {} more", group.len() - MOST_NAMES));
    }
    if leader.candidates {
        name.push("candidates tested".to_owned());
    }
    Series {
        name,
        style: leader.style,
        dashed: leader.candidates,
        line: leader.at.iter().map(|(&n, &count)| (n, count)).collect(),
        dots: Vec::new(),
        band: Vec::new(),
        limits: Vec::new(),
    }
}

/// Where a searcher counted, if not everywhere that its line goes.
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
