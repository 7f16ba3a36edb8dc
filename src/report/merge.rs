//! Combines several result directories. Shards of one experiment are one result. Any other directory, for example from another
//! machine or another day, is a separate result with the name of its directory, so that times of different machines are not
//! mixed.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use super::compare::differences;
use crate::board::sizes::ranges;
use crate::experiment::StoredResults;
use crate::experiment::runner::count_done;
use crate::model::SolverRef;
use crate::record::InstanceText;
use crate::spec::Spec;

/// Directories that cannot be combined.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GatherError {
    /// Two shards have the same cell.
    #[error(
        "{first} and {second}: both have runs of {solver} at n = {n}, so they are not shards of the same plan; were they made \
         by different versions?"
    )]
    SharedCell {
        /// The first directory.
        first: String,
        /// The second directory.
        second: String,
        /// The solver of the cell.
        solver: SolverRef,
        /// The size of the cell.
        n: usize,
    },
    /// Two instances of the same name are different problems.
    #[error(
        "{path} and {other}: the instance '{name}' is a different problem in each; rename one of the files, and run its sweep again"
    )]
    OtherInstance {
        /// The name.
        name: String,
        /// The directory of the second instance.
        path: String,
        /// The directory of the first instance.
        other: String,
    },
}

/// A result directory that was read.
#[derive(Debug)]
pub struct Directory {
    /// The path, for messages.
    pub path: String,
    /// The name of the result that the directory belongs to; empty if all directories belong to one result.
    pub result: String,
    /// The content of the directory.
    pub stored: StoredResults,
}

/// The shards of an experiment, or a single directory.
struct ResultGroup {
    /// The text of the experiment, and the number of its shards; `None` if the directory is not a shard.
    experiment: Option<(String, usize)>,
    /// The numbers of the existing shards.
    shards: BTreeSet<usize>,
    directories: Vec<usize>,
}

/// Groups the directories by experiments: shards of the same experiment become one result. Returns the directories, and remarks
/// about missing parts and about differences between machines and versions.
///
/// # Errors
///
/// Two shards have the same cell, or two instances with the same name are different.
pub fn gather(read: Vec<(String, StoredResults)>) -> Result<(Vec<Directory>, Vec<String>), GatherError> {
    check_instances(&read)?;
    let result_groups = result_groups(&read);
    let mut remarks = Vec::new();
    let mut names = vec![String::new(); read.len()];
    for group in &result_groups {
        let paths: Vec<&str> = group.directories.iter().map(|&at| read[at].0.as_str()).collect();
        check_cells(&read, group)?;
        if let Some((_, count)) = group.experiment {
            let present_shards = ranges(&group.shards.iter().copied().collect::<Vec<_>>());
            let missing = missing_numbers(&group.shards, count);
            remarks.push(format!(
                "{}: shards {present_shards} of {count}; missing: {missing}",
                paths.join(", ")
            ));
        }
        let name = Path::new(paths[0]).file_name().map_or(paths[0].into(), |name| name.to_string_lossy());
        let suffix = if paths.len() > 1 { format!(" and {} more", paths.len() - 1) } else { String::new() };
        let short_name = format!("{name}{suffix}");
        let name = if names.contains(&short_name) { paths[0].to_owned() + &suffix } else { short_name };
        group
            .directories
            .iter()
            .filter(|_| result_groups.len() > 1)
            .for_each(|&at| names[at].clone_from(&name));
    }
    for (path, StoredResults { plan, rows, .. }) in read.iter() {
        let counts = plan.as_ref().map(|plan| (count_done(plan, rows), plan.runs.len()));
        if let Some((done, all)) = counts.filter(|(done, all)| done < all && read.len() > 1) {
            remarks.push(format!("{path}: {done} of {all} runs are done; repeat its sweep to resume it"));
        }
    }
    remarks.extend(machine_differences(&read));
    let directories = read.into_iter().zip(names);
    Ok((directories.map(|((path, stored), result)| Directory { path, result, stored }).collect(), remarks))
}

/// Descriptions of missing shards and missing runs; empty if the results are complete.
pub fn missing_parts(read: &[(String, StoredResults)]) -> Vec<String> {
    let shards = result_groups(read).into_iter().filter_map(|group| {
        let (_, count) = group.experiment?;
        let path = &read[*group.directories.first()?].0;
        (group.shards.len() < count).then(|| {
            format!("{path}: shards {} of {count} are missing", missing_numbers(&group.shards, count))
        })
    });
    let runs = read.iter().filter_map(|(path, StoredResults { plan, rows, .. })| {
        let Some(plan) = plan else { return Some(format!("{path}: its plan is unknown")) };
        let (done, all) = (count_done(plan, rows), plan.runs.len());
        (done < all).then(|| format!("{path}: {done} of {all} runs are done"))
    });
    shards.chain(runs).collect()
}

/// The missing numbers up to `count`, as a list of ranges. The cost depends on the number of present numbers and not on `count`,
/// which comes from an untrusted file.
fn missing_numbers(present: &BTreeSet<usize>, count: usize) -> String {
    let numbers = || present.iter().map(|&number| number as u128);
    let gaps = std::iter::once(0).chain(numbers()).zip(numbers().chain([count as u128 + 1]));
    let gaps = gaps.filter(|(before, after)| after - before > 1);
    let gaps = gaps.map(|(before, after)| match (before + 1, after - 1) {
        (first, last) if first == last => first.to_string(),
        (first, last) => format!("{first}-{last}"),
    });
    let gaps = gaps.collect::<Vec<_>>().join(",");
    if gaps.is_empty() { "none".to_owned() } else { gaps }
}

/// Groups the directories. Shards of the same experiment with different numbers are in one group, and any other directory is a
/// group.
fn result_groups(read: &[(String, StoredResults)]) -> Vec<ResultGroup> {
    let mut result_groups: Vec<ResultGroup> = Vec::new();
    for (at, (_, stored)) in read.iter().enumerate() {
        let shard = stored.plan.as_ref().and_then(|plan| Some((plan, plan.shard?)));
        let experiment = shard.map(|(plan, shard)| {
            // Claims and pinned CPUs may differ, because claims may be added later, and machines have different CPU numbers.
            let mut spec = Spec { claims: Vec::new(), ..plan.spec.clone() };
            spec.sweep.pin = None;
            (spec.to_toml(), shard.total())
        });
        let index = shard.map_or(0, |(_, shard)| shard.number());
        match result_groups.iter_mut().find(|group| {
            experiment.is_some() && group.experiment == experiment && !group.shards.contains(&index)
        }) {
            Some(group) => {
                group.shards.insert(index);
                group.directories.push(at);
            }
            None => {
                result_groups.push(ResultGroup { experiment, shards: [index].into(), directories: vec![at] })
            }
        }
    }
    result_groups
}

/// Checks that no two shards of a result have the same cell.
fn check_cells(read: &[(String, StoredResults)], group: &ResultGroup) -> Result<(), GatherError> {
    let mut first_use: HashMap<&str, usize> = HashMap::new();
    for &at in &group.directories {
        for row in &read[at].1.rows {
            let first_position = *first_use.entry(&row.cell_id).or_insert(at);
            if first_position != at {
                return Err(GatherError::SharedCell {
                    first: read[first_position].0.clone(),
                    second: read[at].0.clone(),
                    solver: row.solver.clone(),
                    n: row.n,
                });
            }
        }
    }
    Ok(())
}

/// Checks that instances with the same name are the same problem.
fn check_instances(read: &[(String, StoredResults)]) -> Result<(), GatherError> {
    let mut instances: BTreeMap<&str, (&InstanceText, &str)> = BTreeMap::new();
    for (path, stored) in read {
        for instance in stored.plan.iter().flat_map(|plan| &plan.instances) {
            let (name, text) = (&instance.name, &instance.text);
            let (other, from) = *instances.entry(name).or_insert((text, path));
            if other != text {
                let (name, path, other) = (name.clone(), path.clone(), from.to_owned());
                return Err(GatherError::OtherInstance { name, path, other });
            }
        }
    }
    Ok(())
}

/// The differences between the machines and versions of directories, as in `CPU: X (a), Y (b, c)`.
fn machine_differences(read: &[(String, StoredResults)]) -> Vec<String> {
    let Some(((first, before), others)) = read.split_first() else { return Vec::new() };
    let mut by_difference: BTreeMap<String, BTreeMap<String, Vec<&str>>> = BTreeMap::new();
    for (path, stored) in others {
        for (what, was, is) in differences(before, stored) {
            let values = by_difference.entry(what).or_insert_with(|| [(was, vec![first.as_str()])].into());
            values.entry(is).or_default().push(path);
        }
    }
    let value_with_paths = |(value, paths): (String, Vec<&str>)| match paths[..] {
        [a, b, c, _, ..] => format!("{value} ({a}, {b}, {c} and {} more)", paths.len() - 3),
        _ => format!("{value} ({})", paths.join(", ")),
    };
    let line = |(what, values): (String, BTreeMap<String, Vec<&str>>)| {
        format!("{what}: {}", values.into_iter().map(value_with_paths).collect::<Vec<_>>().join("; "))
    };
    by_difference.into_iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_shards_are_printed_as_ranges() {
        let missing_numbers =
            |present: &[usize], count| missing_numbers(&present.iter().copied().collect(), count);
        assert_eq!(missing_numbers(&[1, 2, 3], 3), "none");
        assert_eq!(missing_numbers(&[2, 5], 8), "1,3-4,6-8");
        assert_eq!(missing_numbers(&[2], usize::MAX), format!("1,3-{}", usize::MAX));
    }
}
