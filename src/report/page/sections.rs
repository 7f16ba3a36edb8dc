//! The content of the page's sections: lists and tables from rows.

use std::collections::{BTreeMap, BTreeSet};

use super::SessionText;
use super::table::{Cell, Table};
use crate::record::{
    ClaimRow, CrosscheckRow, Judgement, Meta, NodesRow, Row, Status, Table as _, TimingsRow, Verdict,
};
use crate::report::growth::{Growth, Law, Unfitted};
use crate::report::portfolio::{Member, Portfolio};
use crate::report::ranking::{Place, Ranking};
use crate::report::ratios::{OverallRatio, PairedRatio, Ratios};
use crate::report::unit::{digits, thousands};
use crate::report::{Data, Fault, Run, Scale, Unit, counted, instances};
use crate::solver::Stat;

/// Most rows and columns of a table of solvers.
const MOST_ROWS: usize = 200;
const MOST_SIZES: usize = 24;

/// Most comparisons that are shown.
const MOST_COMPARISONS: usize = 500;

/// Most faults that are shown.
const MOST_FAULTS: usize = 100;

/// The command whose output has all rows of a table that is in no file.
const JSON: &str = "'export --format json'";

/// The number of runs by how they ended. `others`: the number of runs of earlier plans.
pub fn summary(rows: &[Run], others: usize) -> Vec<(&'static str, String)> {
    let count = |is: &dyn Fn(&Run) -> bool| thousands(rows.iter().filter(|row| is(row)).count() as u64);
    let status = |status: Status| count(&|row: &Run| row.status == status);
    let solvers: BTreeSet<&str> = rows.iter().map(|row| &*row.solver).collect();
    let sizes: BTreeSet<usize> = rows.iter().map(|row| row.n).collect();
    let others = (others > 0).then(|| ("Runs of earlier plans, left out", thousands(others as u64)));
    let counts = [
        ("Solvers", solvers.len().to_string()),
        ("Board sizes", ends(&sizes)),
        ("Answers judged correct", count(&|row| row.verdict == Verdict::Correct)),
        ("Wrong answers", count(&|row| row.verdict.is_fault())),
        ("Crashed", status(Status::Crashed)),
        ("Output unreadable", status(Status::Unreadable)),
        ("Timeouts", status(Status::Timeout)),
        ("Out of memory", status(Status::Memout)),
        ("Skipped", status(Status::Skipped)),
        ("Disturbed by others", count(&|row| row.is_disturbed)),
    ];
    std::iter::once(("Runs", thousands(rows.len() as u64))).chain(others).chain(counts).collect()
}

/// The smallest and the largest size.
fn ends(sizes: &BTreeSet<usize>) -> String {
    match (sizes.first(), sizes.last()) {
        (Some(first), Some(last)) if first < last => format!("{first} to {last}"),
        (Some(first), _) => first.to_string(),
        _ => "none".to_owned(),
    }
}

/// Wrong answers and crashes.
pub fn faults(rows: &[Run]) -> Option<Table> {
    let mut faults: Vec<(&Run, &Fault)> =
        rows.iter().filter_map(|row| Some((row, row.fault.as_deref()?))).collect();
    faults.sort_by_key(|(row, _)| (row.seq, row.n, &row.solver, row.repetition));
    let heads = ["Solver", "n", "How it ended:", "Solutions", "Expected", "Error:"];
    let row = |(row, fault): (&Run, &Fault)| {
        let how = if row.verdict.is_fault() { format!("{:?}", row.verdict) } else { row.status.to_string() };
        vec![
            Cell::words(&*row.solver),
            Cell::of(row.n.to_string()),
            Cell::words(how.to_lowercase()),
            number(row.solutions),
            number(fault.expected_solutions),
            Cell::long(fault.error.as_deref().unwrap_or_default()),
        ]
    };
    let title = ("Faults", "Wrong answers and crashes");
    Table::of(title, heads, faults.into_iter(), row, (MOST_FAULTS, Row::FILE))
}

/// The claims with their verdicts.
pub fn claims(claims: &[ClaimRow]) -> Option<Table> {
    let heads =
        ["Claim", "Verdict:", "Observed", "Bound:", "n:", "Counterexample, or what is missing:", "Source:"];
    let row = |claim: &ClaimRow| {
        let class = if claim.verdict == Judgement::Fails { "text fault" } else { "text" };
        let mark = match claim.verdict {
            Judgement::Holds => "✓",
            Judgement::Fails => "✗",
            Judgement::Undecided => "?",
        };
        vec![
            Cell::long(&*claim.says),
            Cell { class, ..Cell::of(format!("{mark} {}", claim.verdict)) },
            Cell::of(claim.observed.clone().unwrap_or_default()),
            Cell::words(&*claim.bound),
            Cell::words(&*claim.n),
            Cell::long(claim.counterexample.as_deref().unwrap_or_default()),
            Cell::long(claim.source.as_deref().unwrap_or_default()),
        ]
    };
    let title = ("Claims", "What the experiment claims, and whether the runs agree");
    Table::of(title, heads, claims.iter(), row, (MOST_ROWS, ClaimRow::FILE))
}

/// The verdicts in numbers.
pub fn claims_about(claims: &[ClaimRow]) -> String {
    let claimed = counted(claims.len(), "claim");
    format!(
        "Of {claimed}, {}. claims.csv has what each one compares.",
        crate::report::claims::summary(claims)
    )
}

fn number(value: Option<u64>) -> Cell {
    Cell::of(value.map(thousands).unwrap_or_default())
}

/// A table with one row per series and one column per size, given name and cells of each series.
fn by_size(
    label: &str,
    caption: &str,
    file: &str,
    series: impl Iterator<Item = (String, BTreeMap<usize, Cell>)>,
    unit: impl Fn(usize) -> Option<&'static str>,
) -> Option<Table> {
    let series: Vec<_> = series.collect();
    let all: BTreeSet<usize> = series.iter().flat_map(|(_, cells)| cells.keys().copied()).collect();
    let sizes: Vec<usize> = all.iter().skip(all.len().saturating_sub(MOST_SIZES)).copied().collect();
    let mut caption = caption.to_owned();
    if sizes.len() < all.len() {
        caption = format!("{caption}. The largest {} of {} sizes; {file} has all", sizes.len(), all.len());
    }
    let heads = std::iter::once("Solver".to_owned()).chain(sizes.iter().map(|&n| match unit(n) {
        Some(unit) => format!("n = {n}, {unit}"),
        None => format!("n = {n}"),
    }));
    let shown = series.into_iter().filter(|(_, cells)| sizes.iter().any(|n| cells.contains_key(n)));
    let row = |(name, mut cells): (String, BTreeMap<usize, Cell>)| {
        let cells = sizes.iter().map(|n| cells.remove(n).unwrap_or_default());
        std::iter::once(Cell::words(name)).chain(cells).collect()
    };
    Table::of((label, &caption), heads, shown, row, (MOST_ROWS, file))
}

/// Medians with their intervals. All times of a size are in one unit.
pub fn times(data: &Data<'_>) -> Option<Table> {
    let mut medians: BTreeMap<usize, Vec<u64>> = BTreeMap::new();
    for cell in &data.timings {
        medians.entry(cell.n).or_default().extend(cell.median_ns);
    }
    let scales: BTreeMap<usize, Scale> =
        medians.into_iter().filter_map(|(n, times)| Some((n, Scale::of(times)?))).collect();
    let show = |cell: &TimingsRow| {
        // Without a median of its size, a cell has no time.
        let scale = scales.get(&cell.n).copied().unwrap_or(Scale::Nanoseconds);
        let interval = cell.ci95_low_ns.zip(cell.ci95_high_ns);
        let interval = interval.map(|(low, high)| format!("{} to {}", scale.show(low), scale.show(high)));
        let some = cell.median_ns.is_some() && cell.solved < cell.runs;
        let solved = some.then(|| format!("{} of {} runs", cell.solved, cell.runs));
        let faults = Some(instances::faults(cell)).filter(|faults| some && !faults.is_empty());
        let small: Vec<String> = interval.into_iter().chain(solved).chain(faults).collect();
        let small = Some(small.join("; ")).filter(|text| !text.is_empty());
        let text =
            cell.median_ns.map_or_else(|| instances::failure(cell).to_owned(), |time| scale.show(time));
        Cell { small, ..Cell::of(text) }
    };
    let series = data.keys.iter().map(|(key, _)| {
        let cells = instances::of_key(&data.timings, &key).into_iter();
        (data.keys.name(&key, true), cells.map(|cell| (cell.n, show(cell))).collect())
    });
    let caption = "Median of the timed runs; below it, for at least five runs, its 95 % interval (bootstrap)";
    let unit = |n| scales.get(&n).map(|scale| scale.name());
    by_size("Times", caption, "timings.csv", series, unit)
}

/// The nodes that searchers visited.
pub fn nodes(data: &Data<'_>) -> Option<Table> {
    counts(data, "Nodes", "Nodes visited, or complete candidates tested", |row| {
        match row.stats.get(Stat::Nodes) {
            Some(nodes) => Some(Cell::of(thousands(nodes))),
            None => {
                let candidates = thousands(row.stats.get(Stat::Candidates)?);
                Some(Cell { small: Some("candidates".to_owned()), ..Cell::of(candidates) })
            }
        }
    })
}

/// Sizes of formulas.
pub fn encodings(data: &Data<'_>) -> Option<Table> {
    counts(data, "Encodings", "Clauses, and below them the variables", |row| {
        let vars = row.stats.get(Stat::Vars).map(|vars| format!("{} variables", thousands(vars)));
        Some(Cell { small: vars, ..Cell::of(thousands(row.stats.get(Stat::Clauses)?)) })
    })
}

fn counts(
    data: &Data<'_>,
    label: &str,
    caption: &str,
    show: impl Fn(&NodesRow) -> Option<Cell>,
) -> Option<Table> {
    let series = data.keys.without_threads().map(|(key, _)| {
        let rows = instances::counts_of_key(&data.nodes, &key).into_iter();
        (data.keys.name(&key, false), rows.filter_map(|row| Some((row.n, show(row)?))).collect())
    });
    by_size(label, caption, "nodes.csv", series, |_| None)
}

/// The fitted laws.
pub fn growth(data: &Data<'_>) -> Option<Table> {
    let fits = data.keys.iter().filter_map(|(key, _)| {
        let fit = Growth::of(&instances::of_key(&data.timings, &key)).ok()?;
        Some((data.keys.name(&key, true), fit.points.first()?.0, fit.points.last()?.0, fit))
    });
    let row = |(name, first, last, fit): (String, usize, usize, Growth)| {
        let rate = if fit.law == Law::Exponential { "×" } else { "n^" };
        vec![
            Cell::words(name),
            Cell::words(fit.law.name()),
            Cell::of(format!("{rate}{}", digits(fit.rate))),
            Cell::of(format!("{} to {}", digits(fit.ci95.0), digits(fit.ci95.1))),
            Cell::of(format!("{} ({first} to {last})", fit.points.len())),
            Cell::of(format!("×{}", digits(fit.residual.exp()))),
        ]
    };
    let heads =
        ["Solver", "Law:", "Factor per n, or power", "95 % interval", "Sizes", "Spread around the curve"];
    let caption = "Growth of the median with n; the spread is the factor by which medians typically differ from the curve";
    Table::of(("Growth", caption), heads, fits, row, (MOST_ROWS, JSON))
}

/// The series whose growth neither law describes, with the typical deviation of their medians.
pub fn poor_growth(data: &Data<'_>) -> Option<String> {
    let poor =
        data.keys.iter().filter_map(|(key, _)| match Growth::of(&instances::of_key(&data.timings, &key)) {
            Err(Unfitted::Poor(spread)) => {
                Some(format!("{} (×{})", data.keys.name(&key, true), digits(spread)))
            }
            _ => None,
        });
    let poor: Vec<String> = poor.collect();
    (!poor.is_empty()).then(|| format!("That is so for {}.", poor.join(", ")))
}

pub fn ranking_about(ranking: &Ranking<'_>) -> String {
    let left_out = match ranking.short {
        0 => String::new(),
        1 => " One instance is left out, because a solver took less than 100 µs for it.".to_owned(),
        short => format!(
            " {short} instances are left out, because a solver took less than 100 µs for each of them."
        ),
    };
    match ranking.common {
        0 => format!(
            "There is no ranking: no instance was solved by all solvers that solved at least half as many instances as \
             the most successful one.{left_out}"
        ),
        common => format!(
            "Geometric mean of the medians on the {} that all ranked solvers solved. PAR-2 is a mean on the instances \
             that all of them attempted, where an unsolved run counts as twice its limit.{left_out}",
            counted(common, "instance")
        ),
    }
}

/// A column of times in one unit: its head, and what shows a time.
fn times_in_one_unit(what: &str, times: impl IntoIterator<Item = u64>) -> (String, impl Fn(u64) -> String) {
    let scale = Scale::of(times).unwrap_or(Scale::Nanoseconds);
    (format!("{what}, {}", scale.name()), move |time| scale.show(time))
}

pub fn ranking(ranking: &Ranking<'_>, data: &Data<'_>) -> Option<Table> {
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
pub fn unranked(ranking: &Ranking<'_>, data: &Data<'_>) -> Option<String> {
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

pub fn portfolio_about(portfolio: &Portfolio<'_>) -> String {
    format!(
        "The virtual best solver takes on each instance the time of the fastest solver. Its mean PAR-2 on the {} that all of \
         these solvers attempted is {}. The marginal contribution of a solver is by how much this mean would be worse without \
         it; 0 means that another solver is always as fast. The places are by mean PAR-2, with their 95 % interval (bootstrap over the \
         instances).",
        counted(portfolio.instances, "instance"),
        Unit::Time.show(portfolio.best_ns)
    )
}

/// What each solver contributes to the virtual best one.
pub fn portfolio(portfolio: &Portfolio<'_>, data: &Data<'_>) -> Option<Table> {
    let (par2, show_par2) = times_in_one_unit("Mean PAR-2", portfolio.members.iter().map(|of| of.par2_ns));
    let contributions = portfolio.members.iter().map(|of| of.contribution_ns);
    let (contribution, show_contribution) = times_in_one_unit("Marginal contribution", contributions);
    let heads = ["Solver", "Place", "95 % interval", &par2, "Fastest on", &contribution];
    let row = |member: &Member<'_>| {
        let (first, last) = member.places;
        vec![
            Cell::words(instances::name(&data.keys, member.entrant)),
            Cell::of(member.place.to_string()),
            Cell::of(if first == last { first.to_string() } else { format!("{first} to {last}") }),
            Cell::of(show_par2(member.par2_ns)),
            Cell::of(member.wins.to_string()),
            Cell::of(show_contribution(member.contribution_ns)),
        ]
    };
    let title = ("Virtual best solver", "Solvers by mean PAR-2");
    Table::of(title, heads, portfolio.members.iter(), row, (MOST_ROWS, JSON))
}

pub fn ratios_about(ratios: &Ratios<'_>) -> String {
    format!(
        "How many times as long as {} each solver takes. The runs of one round are neighbours in time and are compared with \
         each other; the ratio is the Hodges-Lehmann estimate from these pairs, with its 95 % interval. p is that of the signed-rank \
         test, corrected by Holm for all rows of its table ({} in the second one): if no solver differs, some p is below 0.05 in at most one of twenty tables. \
         The first table is over all sizes at which both take at least 100 µs, the second one for each size. Fewer than six rounds \
         cannot give a p below 0.05.",
        ratios.reference.solver,
        counted(ratios.cells.len(), "cell")
    )
}

/// Ratios over all sizes.
pub fn overall_ratios(ratios: &Ratios<'_>, data: &Data<'_>) -> Option<Table> {
    let heads = ["Solver", "Ratio", "95 % interval", "p", "Sizes", "Rounds"];
    let row = |overall: &OverallRatio<'_>| {
        let OverallRatio { sizes, ratio } = overall;
        let all: BTreeSet<usize> = sizes.iter().copied().collect();
        vec![
            Cell::words(data.keys.name(&ratio.key, true)),
            Cell::of(digits(ratio.ratio)),
            Cell::of(
                ratio
                    .ci95
                    .map_or(String::new(), |(low, high)| format!("{} to {}", digits(low), digits(high))),
            ),
            Cell::of(ratio.p.map_or(String::new(), probability)),
            Cell::of(ends(&all)),
            Cell::of(ratio.rounds.to_string()),
        ]
    };
    let caption = format!("Time over that of {}, over all sizes", data.keys.name(&ratios.reference, true));
    Table::of(("Ratios over all sizes", &caption), heads, ratios.overall.iter(), row, (MOST_ROWS, JSON))
}

fn probability(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_owned() } else { format!("{p:.3}") }
}

/// Ratios within rounds.
pub fn ratios(ratios: &Ratios<'_>, data: &Data<'_>) -> Option<Table> {
    let show = |cell: &PairedRatio<'_>| {
        let interval = cell.ci95.map(|(low, high)| format!("{} to {}", digits(low), digits(high)));
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

pub fn crosscheck_about(rows: &[CrosscheckRow], disagreements: usize) -> String {
    match (rows.len(), disagreements) {
        (0, _) => "No comparison was made.".to_owned(),
        (all, 0) => format!("All {all} comparisons agree."),
        (all, some) => format!("{some} of {all} comparisons disagree."),
    }
}

/// Disagreements, and one row per solver.
pub fn crosscheck(rows: &[CrosscheckRow]) -> Vec<Table> {
    let disagree = rows.iter().filter(|row| !row.agrees);
    let disagreements = compared("Disagreements", "Comparisons that disagree", disagree, MOST_FAULTS);
    let mut solvers: BTreeMap<&str, Vec<&CrosscheckRow>> = BTreeMap::new();
    for row in rows {
        solvers.entry(&row.solver).or_default().push(row);
    }
    let row = |(solver, own): (&str, Vec<&CrosscheckRow>)| {
        let sizes: BTreeSet<usize> = own.iter().map(|row| row.n).collect();
        let against: BTreeSet<&str> = own.iter().map(|row| row.against.as_str()).collect();
        vec![
            Cell::words(solver),
            Cell::words(ends(&sizes)),
            Cell::long(against.into_iter().collect::<Vec<_>>().join(", ")),
            Cell::of(own.len().to_string()),
            Cell::of(own.iter().filter(|row| row.agrees).count().to_string()),
        ]
    };
    let heads = ["Solver", "Board sizes:", "Against:", "Comparisons", "Agree"];
    let title = ("Cross-check", "Solvers, and what they were compared with");
    let table = Table::of(title, heads, solvers.into_iter(), row, (MOST_ROWS, CrosscheckRow::FILE));
    disagreements.into_iter().chain(table).collect()
}

/// Every comparison.
pub fn comparisons(rows: &[CrosscheckRow]) -> Option<Table> {
    compared("Comparisons", "Comparisons, by solver and size", rows.iter(), MOST_COMPARISONS)
}

fn compared<'a>(
    label: &str,
    caption: &str,
    rows: impl Iterator<Item = &'a CrosscheckRow>,
    most: usize,
) -> Option<Table> {
    let heads =
        ["Solver", "n", "Against:", "Solutions", "Agrees:", "Missing", "Extra", "Illegal", "Repeated"];
    let heads = heads.into_iter().chain(["First difference:"]);
    let row = |row: &CrosscheckRow| {
        vec![
            Cell::words(&row.solver),
            Cell::of(row.n.to_string()),
            Cell::words(&row.against),
            number(Some(row.solutions)),
            Cell::words(if row.agrees { "yes" } else { "no" }),
            number(row.missing),
            number(row.extra),
            number(row.illegal),
            number(row.duplicates),
            Cell::long(row.first_difference.as_deref().unwrap_or_default()),
        ]
    };
    Table::of((label, caption), heads, rows, row, (most, CrosscheckRow::FILE))
}

/// The commands that wrote the results, as a shell reads them.
pub fn sessions(meta: &Meta) -> Vec<SessionText> {
    let text = |session: &crate::record::Session| {
        let ended = session.ended_at.as_deref().unwrap_or("an unknown time");
        let load = |load: Option<f64>| load.map_or("unknown".to_owned(), |load| format!("{load:.2}"));
        SessionText {
            command: session.argv.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" "),
            about: format!(
                "{} to {ended}: {}; load average {} before and {} after.",
                session.started_at,
                counted(session.runs, "run"),
                load(session.load_before),
                load(session.load_after)
            ),
        }
    };
    meta.sessions.iter().map(text).collect()
}

/// A word, quoted for a POSIX shell.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

pub fn machine(meta: &Meta) -> Vec<(&'static str, String)> {
    let machine = &meta.machine;
    let unknown = || "unknown".to_owned();
    vec![
        ("CPU", machine.cpu_model.clone()),
        ("Cores", machine.cores.to_string()),
        ("Memory", machine.memory_bytes.map_or_else(unknown, |bytes| format!("{} MiB", bytes >> 20))),
        ("Operating system", machine.os.clone()),
        ("Kernel", machine.kernel.clone()),
        ("Governor", machine.governor.clone().unwrap_or_else(unknown)),
        ("Turbo", machine.turbo.map_or_else(unknown, |on| if on { "on" } else { "off" }.to_owned())),
        ("Host", machine.host.clone()),
    ]
}

pub fn build(meta: &Meta) -> Vec<(&'static str, String)> {
    let dirty = if meta.git_dirty == Some(true) { ", with local changes" } else { "" };
    let versions = meta.solver_versions.iter().map(|(solver, version)| format!("{solver} {version}"));
    vec![
        ("queenlab", meta.queenlab_version.clone()),
        ("Revision", meta.git_revision.as_ref().map_or("unknown".to_owned(), |git| format!("{git}{dirty}"))),
        ("Executable", format!("SHA-256 {}", meta.executable_sha256)),
        ("Compiler", meta.rustc.clone()),
        ("Target", meta.target.clone()),
        ("Plan", format!("SHA-256 {}", meta.plan_sha256)),
        ("Order seed", meta.order_seed.to_string()),
        ("Solvers", versions.collect::<Vec<_>>().join(", ")),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_shown_as_a_shell_takes_it() {
        let shown = ["queenlab", "--n=4-8", "sat/*", "it's", ""].map(quoted);
        assert_eq!(shown, ["queenlab", "--n=4-8", "'sat/*'", r"'it'\''s'", "''"]);
    }
}
