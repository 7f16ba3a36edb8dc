//! The table of median times after a sweep: one line per solver, one column per size.

use std::collections::BTreeMap;
use std::io::{self, Write};

use crate::board::sizes::ranges;
use crate::escape::Escaped;
use crate::record::TimingsRow;
use crate::report::grid::{Grid, shown};
use crate::report::instances::solved_ns;
use crate::report::series::Series;
use crate::report::{Data, Unit};

use super::units;

/// Times of smaller boards mostly measure the first access to code and memory: docs/METHODOLOGY.md.
const SMALLEST_COMPARED: usize = 7;

/// The largest number of lines about limits.
const MOST_LIMITS: usize = 8;

/// Median times, with one line per series and one column per size; instances have one line per series. If not all sizes fit, the
/// largest are shown.
pub fn table(data: &Data<'_>, width: usize, out: &mut impl Write) -> io::Result<()> {
    let of_instances = |series: &Series<'_>| series.key.variant == "instances";
    let grid = Grid::of(data, |series| !of_instances(series));
    by_size(&grid, width, out)?;
    by_instance(data, data.series.iter().filter(|series| of_instances(series)).collect(), out)?;
    if grid.rows.iter().flat_map(|(_, cells)| cells.values()).any(|cell| !shown(cell, None).lost.is_empty()) {
        writeln!(
            out,
            "* not every run has an answer; one that a limit stopped counts as longer than all others"
        )?;
    }
    data.started().map_or(Ok(()), |note| writeln!(out, "{note}"))?;
    let limits = limits(data);
    for line in limits.iter().take(MOST_LIMITS) {
        writeln!(out, "{line}")?;
    }
    match limits.len().saturating_sub(MOST_LIMITS) {
        0 => Ok(()),
        more => writeln!(out, "limits: {more} more lines (see timings.csv and nodes.csv)"),
    }
}

fn by_size(Grid { sizes, rows }: &Grid<'_>, width: usize, out: &mut impl Write) -> io::Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let names = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let compared = compared(rows);
    let fastest = match compared {
        None => String::new(),
        Some((n, _)) if Some(&n) == sizes.last() => "  times the fastest".to_owned(),
        Some((n, _)) => format!("  times the fastest, n={n}"),
    };
    let head = |n: usize| format!("n={n} ");
    // A mark behind a time, or a space.
    let text = |cell: &TimingsRow| {
        let cell = shown(cell, None);
        cell.text + if cell.lost.is_empty() { " " } else { "*" }
    };
    let cells = rows.iter().flat_map(|(_, cells)| cells.values()).map(|cell| text(cell));
    let longest = cells.chain(sizes.iter().map(|&n| head(n))).map(|text| text.chars().count()).max();
    let wide = 2 + longest.unwrap_or(0);
    let room = width.saturating_sub(names + fastest.len()) / wide;
    let (left_out, shown) = sizes.split_at(sizes.len() - room.clamp(1, sizes.len()));
    let heads: String = shown.iter().map(|&n| format!("{:>wide$}", head(n))).collect();
    writeln!(out, "{:names$}{}", "", (heads + &fastest).trim_end())?;
    for (name, cells) in rows {
        let cell = |n: &usize| format!("{:>wide$}", cells.get(n).map_or(String::new(), |cell| text(cell)));
        let mut line = format!("{name:names$}") + &shown.iter().map(cell).collect::<String>();
        if let Some((n, best)) = compared
            && let Some(median) = cells.get(&n).and_then(|cell| cell.median_ns)
        {
            line += &format!("{:>1$}", units::factor(median as f64 / best as f64), fastest.len());
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    if !left_out.is_empty() {
        writeln!(out, "n = {}: see timings.csv", ranges(left_out))?;
    }
    Ok(())
}

/// One line per solver: how many instances it solved, and its median and longest time on those.
fn by_instance(data: &Data<'_>, all: Vec<&Series<'_>>, out: &mut impl Write) -> io::Result<()> {
    let lines = all.into_iter().map(|series| (data.name(&series.key), data.cells(series)));
    let lines: Vec<_> = lines.filter(|(_, cells)| !cells.is_empty()).collect();
    let names = lines.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    if !lines.is_empty() {
        writeln!(out, "{:names$}{:>18}{:>12}{:>12}", "", "instances solved", "median", "longest")?;
    }
    for (name, cells) in lines {
        let mut times: Vec<u64> = cells.iter().filter_map(|cell| solved_ns(cell)).collect();
        times.sort_unstable();
        let solved = format!("{} of {}", times.len(), cells.len());
        let time = |at: usize| times.get(at).map_or(String::new(), |&time| units::time(time));
        let (median, longest) = (time(times.len() / 2), time(times.len().saturating_sub(1)));
        writeln!(out, "{}", format!("{name:names$}{solved:>18}{median:>12}{longest:>12}").trim_end())?;
    }
    Ok(())
}

/// The largest size that is worth comparing and that two solvers answered, and the smallest median there.
/// `None` if they did not solve the same problem.
fn compared(rows: &[(String, BTreeMap<usize, &TimingsRow>)]) -> Option<(usize, u64)> {
    let cells = || rows.iter().flat_map(|(_, cells)| cells.values());
    let first = cells().next()?;
    if cells().any(|row| (&row.variant, &row.goal) != (&first.variant, &first.goal)) {
        return None;
    }
    let mut medians: BTreeMap<usize, Vec<u64>> = BTreeMap::new();
    for row in cells().filter(|row| row.n >= SMALLEST_COMPARED) {
        medians.entry(row.n).or_default().extend(row.median_ns.filter(|&median| median > 0));
    }
    let (n, medians) = medians.into_iter().rev().find(|(_, medians)| medians.len() > 1)?;
    Some((n, medians.into_iter().min()?))
}

/// Which cells reached which limit, and which counting runs have no counts: a line for all sizes at which a solver ended alike.
fn limits(data: &Data<'_>) -> Vec<String> {
    let mut sizes: BTreeMap<(String, String), Vec<usize>> = BTreeMap::new();
    let mut add =
        |name: &str, how: String, n: usize| sizes.entry((name.to_owned(), how)).or_default().push(n);
    for series in &data.series {
        for cell in data.cells(series) {
            let limit = cell
                .limit_ns
                .map_or(String::new(), |limit| format!("time limit ({})", Unit::Time.show(limit)));
            for (count, limit) in [(cell.timeouts, limit.as_str()), (cell.memouts, "memory limit")] {
                let runs = if count == cell.runs {
                    "all runs".to_owned()
                } else {
                    format!("{count} of {} runs", cell.runs)
                };
                if count > 0 {
                    add(&data.name(&series.key), format!("{runs} reached the {limit}"), cell.n);
                }
            }
        }
    }
    for series in data.without_threads() {
        for row in data.counts(series).iter().filter(|row| !row.status.is_solved()) {
            let how = format!("no counts, because the counting run ended with {}", row.status);
            add(&data.count_name(&series.key), how, row.n);
        }
    }
    let line = |((name, how), mut sizes): ((String, String), Vec<usize>)| {
        sizes.sort_unstable();
        sizes.dedup();
        format!("{}, n = {}: {how}", Escaped(name), ranges(&sizes))
    };
    sizes.into_iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Kind, Row, Status, Verdict};
    use crate::report::Material;
    use crate::solver::Goal;

    fn timed(n: usize, solver: &str, solve_ns: u64) -> Row {
        let row = Row::skipped(String::new(), String::new(), n, Goal::Enumerate, solver.to_owned());
        Row { status: Status::Complete, solve_ns: Some(solve_ns), ..row }
    }

    fn lines(rows: &[Row], width: usize) -> Vec<String> {
        let mut text = Vec::new();
        table(&Data::of(&Material::of_rows(rows)), width, &mut text).expect("written to memory");
        String::from_utf8(text).expect("UTF-8").lines().map(str::to_owned).collect()
    }

    #[test]
    fn the_table_fills_the_width_with_the_largest_sizes_and_compares_at_the_largest() {
        let rows: Vec<Row> = (4..=12).flat_map(|n| [timed(n, "a", 1000), timed(n, "bb", 2500)]).collect();
        let wide = lines(&rows, 200);
        assert!(
            wide[0].contains("      n=4       n=5 ") && wide[0].ends_with("n=12   times the fastest"),
            "{wide:?}"
        );
        assert!(wide[1].ends_with("   1.00 µs                 1.0"), "{wide:?}");
        assert!(wide[2].ends_with("   2.50 µs                 2.5"), "{wide:?}");
        let narrow = lines(&rows, 60);
        assert_eq!(narrow[0], "       n=10      n=11      n=12   times the fastest");
        assert_eq!(narrow[3], "n = 4-9: see timings.csv");
        assert!(narrow.iter().all(|line| line.chars().count() <= 60));
        assert_eq!(lines(&rows, 10)[0].trim_start(), "n=12   times the fastest", "one size is always shown");
    }

    #[test]
    fn every_time_has_its_unit_and_a_stopped_run_is_marked_and_listed() {
        let ended = |n, status| Row {
            status,
            verdict: Verdict::Unchecked,
            solve_ns: None,
            time_limit_ns: Some(10_000_000_000),
            ..timed(n, "a", 0)
        };
        let rows = [
            timed(12, "a", 22_100),
            timed(12, "b", 325_000),
            timed(12, "c", 6_290_000_000),
            timed(13, "a", 4_500_000),
            timed(13, "a", 4_600_000),
            ended(13, Status::Timeout),
            ended(14, Status::Timeout),
            Row { kind: Kind::Counting, ..ended(14, Status::Timeout) },
            ended(14, Status::Timeout),
            ended(15, Status::Memout),
        ];
        let expected = [
            "      n=12       n=13     n=14            n=15   times the fastest, n=12",
            "a  22.1 µs    4.60 ms*  > 10 s    out of memory                       1.0",
        ];
        let shown = lines(&rows, 200);
        let squeezed = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(squeezed(&shown[0]), squeezed(expected[0]));
        assert_eq!(squeezed(&shown[1]), squeezed(expected[1]));
        assert_eq!(
            shown[4..],
            [
                "* not every run has an answer; one that a limit stopped counts as longer than all others",
                "a, n = 13: 1 of 3 runs reached the time limit (10 s)",
                "a, n = 15: all runs reached the memory limit",
                "a, n = 14: all runs reached the time limit (10 s)",
                "a, n = 14: no counts, because the counting run ended with timeout",
            ]
        );
    }

    #[test]
    fn instances_have_one_line_for_each_solver() {
        let instance = |name: &str, solver: &str, time| Row {
            variant: format!("instance:{name}"),
            ..timed(8, solver, time)
        };
        let rows = [instance("x", "a", 1_000), instance("y", "a", 9_000_000), instance("x", "b", 20_000_000)];
        assert_eq!(
            lines(&rows, 80),
            [
                "   instances solved      median     longest",
                "a            2 of 2     9.00 ms     9.00 ms",
                "b            1 of 1     20.0 ms     20.0 ms",
            ]
        );
    }

    #[test]
    fn solvers_are_compared_only_where_two_answered_and_times_say_something() {
        let rows =
            [timed(6, "a", 1), timed(6, "b", 2), timed(8, "a", 1000), timed(8, "b", 3000), timed(9, "a", 1)];
        let shown = lines(&rows, 80);
        assert!(shown[0].ends_with("n=9   times the fastest, n=8"), "{shown:?}");
        assert!(shown[2].ends_with("3.0"), "{shown:?}");
        assert!(!lines(&rows[..2], 80)[0].contains("fastest"));
        assert!(!lines(&rows[2..3], 80)[0].contains("fastest"));
    }
}
