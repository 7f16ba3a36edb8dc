//! Combinations of axis values in which every pair of values of two axes occurs.

use std::collections::HashSet;

use fastrand::Rng;

/// One property of a text and the values that it can have.
pub struct Axis {
    pub name: &'static str,
    pub values: &'static [&'static str],
}

/// Values that are not combined, and the reason: the text would be ambiguous, or the values contradict each other.
pub struct Exclusion {
    pub values: &'static [(&'static str, &'static [&'static str])],
    pub reason: &'static str,
}

/// One value for each axis.
#[derive(Clone)]
pub struct Combination {
    axes: &'static [Axis],
    values: Vec<usize>,
}

impl Combination {
    /// The value of an axis.
    pub fn get(&self, axis: &str) -> &'static str {
        let index = self.axes.iter().position(|other| other.name == axis).expect(axis);
        self.axes[index].values[self.values[index]]
    }

    /// The axes with their values.
    pub fn pairs(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.axes.iter().zip(&self.values).map(|(axis, &value)| (axis.name, axis.values[value]))
    }
}

/// An exclusion as indices of axes and values.
type IndexedExclusion = Vec<(usize, Vec<usize>)>;

/// Converts the names of axes and values to indices.
fn index_exclusions(axes: &[Axis], exclusions: &[Exclusion]) -> Vec<IndexedExclusion> {
    let index = |names: &[&str], name: &str| {
        names
            .iter()
            .position(|&other| other == name)
            .unwrap_or_else(|| panic!("'{name}' is not an axis value"))
    };
    let names: Vec<&str> = axes.iter().map(|axis| axis.name).collect();
    let index_values = |&(axis, values): &(&str, &[&str])| {
        let axis = index(&names, axis);
        (axis, values.iter().map(|value| index(axes[axis].values, value)).collect())
    };
    exclusions.iter().map(|exclusion| exclusion.values.iter().map(index_values).collect()).collect()
}

/// Whether no exclusion forbids a combination. `values`: the index of the value of each axis; `None` if it is not chosen yet.
fn is_allowed(values: &[Option<usize>], exclusions: &[IndexedExclusion]) -> bool {
    let is_excluded = |(axis, excluded_values): &(usize, Vec<usize>)| {
        values[*axis].is_some_and(|value| excluded_values.contains(&value))
    };
    !exclusions.iter().any(|exclusion| exclusion.iter().all(is_excluded))
}

/// Two axes in order, each with the index of a value.
type Pair = ((usize, usize), (usize, usize));

fn ordered_pair(a: (usize, usize), b: (usize, usize)) -> Pair {
    if a.0 < b.0 { (a, b) } else { (b, a) }
}

/// All pairs of values that no exclusion forbids.
fn allowed_pairs(axes: &[Axis], exclusions: &[IndexedExclusion]) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (a, first_axis) in axes.iter().enumerate() {
        for (b, second_axis) in axes.iter().enumerate().skip(a + 1) {
            for i in 0..first_axis.values.len() {
                for j in 0..second_axis.values.len() {
                    let mut values = vec![None; axes.len()];
                    (values[a], values[b]) = (Some(i), Some(j));
                    if is_allowed(&values, exclusions) {
                        pairs.push(((a, i), (b, j)));
                    }
                }
            }
        }
    }
    pairs
}

/// Combinations that contain every allowed pair of values, chosen by a greedy algorithm. The result depends only on the seed.
///
/// Each combination starts with a pair that did not occur before. The other axes follow in random order, each with the value that
/// adds most new pairs. If no value is allowed, the combination is tried again in another order. The last axis contains the
/// sizes. A value in its second half is chosen only if it adds more new pairs than each value in its first half, because texts of
/// large sizes are long.
pub fn all_pairs(axes: &'static [Axis], exclusions: &[Exclusion], seed: u64) -> Vec<Combination> {
    let mut rng = Rng::with_seed(seed);
    let exclusions = index_exclusions(axes, exclusions);
    let mut pairs = allowed_pairs(axes, &exclusions);
    rng.shuffle(&mut pairs);
    let mut new_pairs: HashSet<Pair> = pairs.iter().copied().collect();
    let mut combinations = Vec::new();
    for &first in &pairs {
        if !new_pairs.contains(&first) {
            continue;
        }
        let values = (0..50).find_map(|_| extend(axes, &exclusions, first, &new_pairs, &mut rng));
        let values =
            values.unwrap_or_else(|| panic!("no combination contains {:?}", value_names(axes, first)));
        for a in 0..axes.len() {
            for b in a + 1..axes.len() {
                new_pairs.remove(&((a, values[a]), (b, values[b])));
            }
        }
        combinations.push(Combination { axes, values });
    }
    combinations
}

/// The names of the values of a pair.
fn value_names(axes: &[Axis], ((a, i), (b, j)): Pair) -> (&'static str, &'static str) {
    (axes[a].values[i], axes[b].values[j])
}

/// Extends a pair of values to a combination that contains many new pairs.
fn extend(
    axes: &[Axis],
    exclusions: &[IndexedExclusion],
    first: Pair,
    new_pairs: &HashSet<Pair>,
    rng: &mut Rng,
) -> Option<Vec<usize>> {
    let mut chosen_values = vec![None; axes.len()];
    chosen_values[first.0.0] = Some(first.0.1);
    chosen_values[first.1.0] = Some(first.1.1);
    let mut open_axes: Vec<usize> = (0..axes.len()).filter(|&axis| chosen_values[axis].is_none()).collect();
    rng.shuffle(&mut open_axes);
    for axis in open_axes {
        let mut best_choice: Option<(usize, usize)> = None;
        let mut values: Vec<usize> = (0..axes[axis].values.len()).collect();
        let preferred = if axis + 1 < axes.len() { values.len() } else { values.len().div_ceil(2) };
        rng.shuffle(&mut values[..preferred]);
        for value in values {
            chosen_values[axis] = Some(value);
            if !is_allowed(&chosen_values, exclusions) {
                continue;
            }
            let is_new = |&(other_axis, other_value): &(usize, &Option<usize>)| {
                other_axis != axis
                    && other_value.is_some_and(|other_value| {
                        new_pairs.contains(&ordered_pair((axis, value), (other_axis, other_value)))
                    })
            };
            let gain = chosen_values.iter().enumerate().filter(is_new).count();
            if best_choice.is_none_or(|(best_gain, _)| gain > best_gain) {
                best_choice = Some((gain, value));
            }
        }
        chosen_values[axis] = Some(best_choice?.1);
    }
    chosen_values.into_iter().collect()
}

/// Panics unless every allowed pair of values occurs, and no excluded values are combined.
pub fn assert_covers(axes: &'static [Axis], exclusions: &[Exclusion], combinations: &[Combination]) {
    let indexed_exclusions = index_exclusions(axes, exclusions);
    let mut missing = allowed_pairs(axes, &indexed_exclusions);
    missing.retain(|&((a, i), (b, j))| {
        !combinations.iter().any(|combination| combination.values[a] == i && combination.values[b] == j)
    });
    let missing: Vec<_> = missing.into_iter().map(|pair| value_names(axes, pair)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    for combination in combinations {
        let values: Vec<Option<usize>> = combination.values.iter().map(|&value| Some(value)).collect();
        assert!(is_allowed(&values, &indexed_exclusions), "{:?}", combination.pairs().collect::<Vec<_>>());
    }
    assert!(exclusions.iter().all(|exclusion| !exclusion.reason.is_empty()));
}

#[test]
fn every_allowed_pair_occurs_in_a_design() {
    const AXES: &[Axis] = &[
        Axis { name: "a", values: &["1", "2", "3", "4"] },
        Axis { name: "b", values: &["5", "6", "7"] },
        Axis { name: "c", values: &["8", "9"] },
        Axis { name: "d", values: &["10", "11", "12"] },
    ];
    const EXCLUDED_COMBINATIONS: &[Exclusion] = &[
        Exclusion { values: &[("a", &["1", "2"]), ("b", &["5"])], reason: "a pair" },
        Exclusion { values: &[("a", &["3"]), ("c", &["8"]), ("d", &["12"])], reason: "three values" },
    ];
    let combinations = all_pairs(AXES, EXCLUDED_COMBINATIONS, 1);
    assert_covers(AXES, EXCLUDED_COMBINATIONS, &combinations);
    assert!(combinations.len() < 4 * 3 * 2, "{}", combinations.len());
    let repeated = all_pairs(AXES, EXCLUDED_COMBINATIONS, 1);
    assert!(combinations.iter().zip(&repeated).all(|(first, second)| first.values == second.values));
}
