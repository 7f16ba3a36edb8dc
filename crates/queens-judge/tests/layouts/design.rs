//! Combinations of axis values in which every pair of values of two axes occurs.

use std::collections::HashMap;

use fastrand::Rng;

/// One property of a text and the values that it can have.
pub struct Axis {
    pub name: &'static str,
    pub values: &'static [&'static str],
}

/// Values that do not go together, and why: what they make is ambiguous, or contradicts itself.
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

/// An exclusion by numbers of axes and values.
type Excluded = Vec<(usize, Vec<usize>)>;

fn excluded(axes: &[Axis], exclusions: &[Exclusion]) -> Vec<Excluded> {
    let number = |names: &[&str], name: &str| {
        names
            .iter()
            .position(|&other| other == name)
            .unwrap_or_else(|| panic!("'{name}' is not an axis value"))
    };
    let names: Vec<&str> = axes.iter().map(|axis| axis.name).collect();
    let of = |&(axis, values): &(&str, &[&str])| {
        let axis = number(&names, axis);
        (axis, values.iter().map(|value| number(axes[axis].values, value)).collect())
    };
    exclusions.iter().map(|exclusion| exclusion.values.iter().map(of).collect()).collect()
}

/// Whether no exclusion holds, as far as the values are chosen.
fn is_allowed(chosen: &[Option<usize>], excluded: &[Excluded]) -> bool {
    let holds =
        |(axis, values): &(usize, Vec<usize>)| chosen[*axis].is_some_and(|value| values.contains(&value));
    !excluded.iter().any(|exclusion| exclusion.iter().all(holds))
}

type Pair = ((usize, usize), (usize, usize));

fn pair(one: (usize, usize), other: (usize, usize)) -> Pair {
    if one.0 < other.0 { (one, other) } else { (other, one) }
}

/// All pairs of values that no exclusion forbids.
fn allowed_pairs(axes: &[Axis], excluded: &[Excluded]) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (a, one) in axes.iter().enumerate() {
        for (b, other) in axes.iter().enumerate().skip(a + 1) {
            for i in 0..one.values.len() {
                for j in 0..other.values.len() {
                    let mut chosen = vec![None; axes.len()];
                    (chosen[a], chosen[b]) = (Some(i), Some(j));
                    if is_allowed(&chosen, excluded) {
                        pairs.push(((a, i), (b, j)));
                    }
                }
            }
        }
    }
    pairs
}

/// Combinations that contain every allowed pair of values, chosen greedily; the same ones for the same seed.
///
/// Each combination starts with a pair that did not occur yet. The other axes follow in random order, each with the value that
/// adds most new pairs; if no value is left, the combination is tried again in another order. The last axis is that of sizes:
/// where the values of its second half add no more pairs than those of the first, they are not taken, because their texts are
/// long.
pub fn all_pairs(axes: &'static [Axis], exclusions: &[Exclusion], seed: u64) -> Vec<Combination> {
    let mut rng = Rng::with_seed(seed);
    let excluded = excluded(axes, exclusions);
    let mut open: HashMap<Pair, ()> = HashMap::new();
    let mut order = allowed_pairs(axes, &excluded);
    rng.shuffle(&mut order);
    open.extend(order.iter().map(|&pair| (pair, ())));
    let mut combinations = Vec::new();
    for &first in &order {
        if !open.contains_key(&first) {
            continue;
        }
        let values = (0..50).find_map(|_| extended(axes, &excluded, first, &open, &mut rng));
        let values = values.unwrap_or_else(|| panic!("no combination contains {:?}", named(axes, first)));
        for a in 0..axes.len() {
            for b in a + 1..axes.len() {
                open.remove(&((a, values[a]), (b, values[b])));
            }
        }
        combinations.push(Combination { axes, values });
    }
    combinations
}

fn named(axes: &[Axis], ((a, i), (b, j)): Pair) -> (&'static str, &'static str) {
    (axes[a].values[i], axes[b].values[j])
}

fn extended(
    axes: &[Axis],
    excluded: &[Excluded],
    first: Pair,
    open: &HashMap<Pair, ()>,
    rng: &mut Rng,
) -> Option<Vec<usize>> {
    let mut chosen = vec![None; axes.len()];
    chosen[first.0.0] = Some(first.0.1);
    chosen[first.1.0] = Some(first.1.1);
    let mut rest: Vec<usize> = (0..axes.len()).filter(|&axis| chosen[axis].is_none()).collect();
    rng.shuffle(&mut rest);
    for axis in rest {
        let mut best: Option<(usize, usize)> = None;
        let mut values: Vec<usize> = (0..axes[axis].values.len()).collect();
        let common = if axis + 1 < axes.len() { values.len() } else { values.len().div_ceil(2) };
        rng.shuffle(&mut values[..common]);
        for value in values {
            chosen[axis] = Some(value);
            if !is_allowed(&chosen, excluded) {
                continue;
            }
            let others = chosen.iter().enumerate().filter(|&(other, _)| other != axis);
            let new = |&(other, is): &(usize, &Option<usize>)| {
                is.is_some_and(|is| open.contains_key(&pair((axis, value), (other, is))))
            };
            let gain = others.filter(new).count();
            if best.is_none_or(|(most, _)| gain > most) {
                best = Some((gain, value));
            }
        }
        chosen[axis] = Some(best?.1);
    }
    chosen.into_iter().collect()
}

/// Panics unless every pair of values that is not excluded occurs, and none that is.
pub fn assert_covers(axes: &'static [Axis], exclusions: &[Exclusion], combinations: &[Combination]) {
    let excluded = excluded(axes, exclusions);
    let mut missing = allowed_pairs(axes, &excluded);
    missing.retain(|&((a, i), (b, j))| {
        !combinations.iter().any(|combination| combination.values[a] == i && combination.values[b] == j)
    });
    let missing: Vec<_> = missing.into_iter().map(|pair| named(axes, pair)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    for combination in combinations {
        let chosen: Vec<Option<usize>> = combination.values.iter().map(|&value| Some(value)).collect();
        assert!(is_allowed(&chosen, &excluded), "{:?}", combination.pairs().collect::<Vec<_>>());
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
    const EXCLUSIONS: &[Exclusion] = &[
        Exclusion { values: &[("a", &["1", "2"]), ("b", &["5"])], reason: "a pair" },
        Exclusion { values: &[("a", &["3"]), ("c", &["8"]), ("d", &["12"])], reason: "three values" },
    ];
    let combinations = all_pairs(AXES, EXCLUSIONS, 1);
    assert_covers(AXES, EXCLUSIONS, &combinations);
    assert!(combinations.len() < 4 * 3 * 2, "{}", combinations.len());
    let same = all_pairs(AXES, EXCLUSIONS, 1);
    assert!(combinations.iter().zip(&same).all(|(one, other)| one.values == other.values));
}
