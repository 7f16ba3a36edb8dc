//! Tables with one row per solver: the ranking and ratios; and the texts above them.

use std::collections::{BTreeMap, BTreeSet};

use super::super::table::{Cell, Table};
use super::series::by_size;
use super::{JSON, MOST_ROWS, Part, Section, ends};
use crate::report::ranking::{self, Place, Ranking};
use crate::report::ratios::{PairedRatio, Ratios};
use crate::report::unit::{digits, range};
use crate::report::{Data, Unit, counted, instances};

/// The ranking.
pub fn ranking(data: &Data<'_>) -> Section {
    let ranking = ranking::ranking(&data.timings);
    let left_out = match ranking.short {
        0 => String::new(),
        short => format!(" Left out because a solver took less than 100 µs: {}.", counted(short, "instance")),
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
    Section { id: "ranking", heading: "Ranking".to_owned(), parts }
}

fn ranked(ranking: &Ranking<'_>, data: &Data<'_>) -> Option<Table> {
    let heads = ["Solver", "Place", "Geometric mean", "Times the fastest", "PAR-2", "Solved", "Attempted"];
    let time = |time| Unit::Time.show_padded(time);
    let row = |(place, of): (usize, &Place<'_>)| {
        vec![
            Cell::words(instances::name(data, of.entrant)),
            Cell::of(place.to_string()),
            Cell::of(time(of.mean_ns)),
            Cell::of(digits(of.ratio)),
            Cell::of(of.par2_ns.map(time).unwrap_or_default()),
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
        format!("{} (solved {solved} of {attempted})", instances::name(data, entrant))
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
    let reference = data.name(&ratios.reference?);
    let table = by_cell(&ratios, data, &reference)?;
    let about = format!(
        "How many times as long as {reference} each solver takes. The runs of one round are neighbours in time and are compared \
         with each other; the ratio is the Hodges-Lehmann estimate from these pairs, with its 95 % interval. p is that of the \
         signed-rank test, corrected for all rows of its table: if no solver differs, some p is below 0.05 in at most one of \
         twenty tables. It is left out where the rounds are too few to show anything. The first table is over all sizes at \
         which both take at least 100 µs, the second one for each size."
    );
    let tables = overall(&ratios, data, &reference).into_iter().chain([table]).map(Part::Table);
    let parts = std::iter::once(Part::text(about)).chain(tables).collect();
    Some(Section { id: "ratios", heading: "Ratios".to_owned(), parts })
}

/// Ratios over all sizes.
fn overall(ratios: &Ratios<'_>, data: &Data<'_>, reference: &str) -> Option<Table> {
    let heads = ["Solver", "Ratio", "95 % interval", "p", "Sizes", "Rounds", "Stopped by a limit"];
    let row = |ratio: &PairedRatio<'_>| {
        let sizes: BTreeSet<usize> = ratio.sizes.iter().copied().collect();
        vec![
            Cell::words(data.name(&ratio.key)),
            Cell::of(range((ratio.ratio.least, ratio.ratio.most))),
            Cell::of(ratio.ci95.map_or(String::new(), range)),
            Cell::of(ratio.p.map_or(String::new(), probability)),
            Cell::of(ends(&sizes)),
            Cell::of(ratio.rounds.to_string()),
            Cell::of(if ratio.stopped > 0 { ratio.stopped.to_string() } else { String::new() }),
        ]
    };
    let caption = format!("Time over that of {reference}, over all sizes");
    Table::of(("Ratios over all sizes", &caption), heads, ratios.overall.iter(), row, (MOST_ROWS, JSON))
}

fn probability(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_owned() } else { format!("{p:.3}") }
}

/// Ratios within rounds.
fn by_cell(ratios: &Ratios<'_>, data: &Data<'_>, reference: &str) -> Option<Table> {
    let show = |cell: &PairedRatio<'_>| {
        let interval = cell.ci95.map(range);
        let p = cell.p.map(|p| format!("p {}{}", if p < 0.001 { "" } else { "= " }, probability(p)));
        let stopped = (cell.stopped > 0).then(|| format!("{} of {} stopped", cell.stopped, cell.rounds));
        let small = interval.into_iter().chain(p).chain(stopped).collect::<Vec<_>>().join("; ");
        let text = range((cell.ratio.least, cell.ratio.most));
        Cell { small: Some(small).filter(|text| !text.is_empty()), ..Cell::of(text) }
    };
    let series = data.series.iter().map(|series| {
        let own = ratios.cells.iter().filter(|cell| cell.key == series.key);
        let cells = own.flat_map(|cell| cell.sizes.iter().map(|&n| (n, show(cell))));
        (data.name(&series.key), cells.collect::<BTreeMap<_, _>>())
    });
    let caption = format!("Time over that of {reference}, within rounds");
    by_size("Ratios", &caption, JSON, series.filter(|(_, cells)| !cells.is_empty()))
}
