//! Tables with one row per solver: the ranking and ratios; and the texts above them.

use std::collections::{BTreeMap, BTreeSet};

use super::super::table::{Cell, Table};
use super::series::by_size;
use super::{JSON, MOST_ROWS, Part, Section, ends};
use crate::report::ranking::{self, Place, Ranking};
use crate::report::ratios::{OverallRatio, PairedRatio, Ratios};
use crate::report::unit::digits;
use crate::report::{Data, Scale, counted, instances};

/// The ranking.
pub fn ranking(data: &Data<'_>) -> Section {
    let ranking = ranking::ranking(&data.timings);
    let left_out = match ranking.short {
        0 => String::new(),
        1 => " One instance is left out, because a solver took less than 100 µs for it.".to_owned(),
        short => format!(
            " {short} instances are left out, because a solver took less than 100 µs for each of them."
        ),
    };
    let about = match ranking.common {
        0 => format!(
            "There is no ranking: no instance was solved by all solvers that solved at least half as many instances as \
             the most successful one.{left_out}"
        ),
        common => format!(
            "Geometric mean of the medians on the {} that all ranked solvers solved. PAR-2 is a mean on the instances \
             that all of them attempted, where an unsolved run counts as twice its limit.{left_out}",
            counted(common, "instance")
        ),
    };
    let mut parts = vec![Part::text(about)];
    parts.extend(ranked(&ranking, data).map(Part::Table));
    parts.extend(unranked(&ranking, data).map(|text| Part::Text("soft", text)));
    Section { id: "ranking", heading: "Ranking", parts }
}

/// A column of times in one unit: its head, and what shows a time.
fn times_in_one_unit(what: &str, times: impl IntoIterator<Item = u64>) -> (String, impl Fn(u64) -> String) {
    let scale = Scale::of(times).unwrap_or(Scale::Nanoseconds);
    (format!("{what}, {}", scale.name()), move |time| scale.show(time))
}

fn ranked(ranking: &Ranking<'_>, data: &Data<'_>) -> Option<Table> {
    let (mean, show_mean) = times_in_one_unit("Geometric mean", ranking.ranked.iter().map(|of| of.mean_ns));
    let (par2, show_par2) = times_in_one_unit("PAR-2", ranking.ranked.iter().filter_map(|of| of.par2_ns));
    let heads = ["Solver", "Place", &mean, "Times the fastest", &par2, "Solved", "Attempted"];
    let row = |(place, of): (usize, &Place<'_>)| {
        vec![
            Cell::words(instances::name(&data.keys, of.entrant)),
            Cell::of(place.to_string()),
            Cell::of(show_mean(of.mean_ns)),
            Cell::of(digits(of.ratio)),
            Cell::of(of.par2_ns.map(&show_par2).unwrap_or_default()),
            Cell::of(of.solved.to_string()),
            Cell::of(of.attempted.to_string()),
        ]
    };
    let places = (1..).zip(&ranking.ranked);
    Table::of(("Ranking", "Solvers, fastest first"), heads, places, row, (MOST_ROWS, JSON))
}

/// The solvers that are not ranked.
fn unranked(ranking: &Ranking<'_>, data: &Data<'_>) -> Option<String> {
    let solvers = ranking.unranked.iter().map(|&(entrant, solved, attempted)| {
        format!("{} (solved {solved} of {attempted})", instances::name(&data.keys, entrant))
    });
    let mut solvers: Vec<String> = solvers.take(MOST_ROWS).collect();
    if ranking.unranked.len() > MOST_ROWS {
        solvers.push(format!("{} more", ranking.unranked.len() - MOST_ROWS));
    }
    (!solvers.is_empty())
        .then(|| format!("Not ranked, because they solved too few instances: {}.", solvers.join(", ")))
}

/// The ratios of times within rounds; none if there is nothing to compare.
pub fn ratios(data: &Data<'_>) -> Option<Section> {
    let ratios = Ratios::of(data);
    let table = by_cell(&ratios, data)?;
    let about = format!(
        "How many times as long as {} each solver takes. The runs of one round are neighbours in time and are compared with \
         each other; the ratio is the Hodges-Lehmann estimate from these pairs, with its 95 % interval. p is that of the signed-rank \
         test, corrected by Holm for all rows of its table ({} in the second one): if no solver differs, some p is below 0.05 in at most one of twenty tables. \
         The first table is over all sizes at which both take at least 100 µs, the second one for each size. Fewer than six rounds \
         cannot give a p below 0.05.",
        ratios.reference.solver,
        counted(ratios.cells.len(), "cell")
    );
    let tables = overall(&ratios, data).into_iter().chain([table]).map(Part::Table);
    let parts = std::iter::once(Part::text(about)).chain(tables).collect();
    Some(Section { id: "ratios", heading: "Ratios", parts })
}

/// Ratios over all sizes.
fn overall(ratios: &Ratios<'_>, data: &Data<'_>) -> Option<Table> {
    let heads = ["Solver", "Ratio", "95 % interval", "p", "Sizes", "Rounds"];
    let row = |overall: &OverallRatio<'_>| {
        let OverallRatio { sizes, ratio } = overall;
        let all: BTreeSet<usize> = sizes.iter().copied().collect();
        vec![
            Cell::words(data.keys.name(&ratio.key, true)),
            Cell::of(digits(ratio.ratio)),
            Cell::of(ratio.ci95.map_or(String::new(), interval)),
            Cell::of(ratio.p.map_or(String::new(), probability)),
            Cell::of(ends(&all)),
            Cell::of(ratio.rounds.to_string()),
        ]
    };
    let caption = format!("Time over that of {}, over all sizes", data.keys.name(&ratios.reference, true));
    Table::of(("Ratios over all sizes", &caption), heads, ratios.overall.iter(), row, (MOST_ROWS, JSON))
}

fn interval((low, high): (f64, f64)) -> String {
    format!("{} to {}", digits(low), digits(high))
}

fn probability(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_owned() } else { format!("{p:.3}") }
}

/// Ratios within rounds.
fn by_cell(ratios: &Ratios<'_>, data: &Data<'_>) -> Option<Table> {
    let show = |cell: &PairedRatio<'_>| {
        let interval = cell.ci95.map(interval);
        let p = cell.p.map(|p| format!("p {}{}", if p < 0.001 { "" } else { "= " }, probability(p)));
        let small = interval.into_iter().chain(p).collect::<Vec<_>>().join("; ");
        Cell { small: Some(small).filter(|text| !text.is_empty()), ..Cell::of(digits(cell.ratio)) }
    };
    let series = data.keys.iter().map(|(key, _)| {
        let own = ratios.cells.iter().filter(|cell| cell.key == key);
        (data.keys.name(&key, true), own.map(|cell| (cell.n, show(cell))).collect::<BTreeMap<_, _>>())
    });
    let caption = format!("Time over that of {}, within rounds", data.keys.name(&ratios.reference, true));
    by_size("Ratios", &caption, JSON, series.filter(|(_, cells)| !cells.is_empty()), |_| None)
}
