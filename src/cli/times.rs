//! The table of median times after a sweep: one line per solver, one column per size, and all times of a column in one
//! unit.

use std::collections::BTreeMap;
use std::io::{self, Write};

use crate::board::sizes::ranges;
use crate::record::{Row, TimingsRow};
use crate::report::instances::{all_of_key, solved_ns};
use crate::report::{Data, Material, Run, Scale};

use super::units;

/// Width of a size in the table of results, including the space before it.
const SIZE_WIDTH: usize = 10;

/// Times of smaller boards mostly measure the first access to code and memory: docs/METHODOLOGY.md.
const SMALLEST_COMPARED: usize = 7;

/// The timed cells of a solver that differ in their size only, or are instances.
struct Series<'a> {
    name: String,
    cells: Vec<&'a TimingsRow>,
}

/// Median times, with one line per series and one column per size. If not all sizes fit, the largest are shown.
pub fn table(rows: &[Row], width: usize, out: &mut impl Write) -> io::Result<()> {
    let runs = Run::all(rows);
    let data = Data::of(&Material { rows: &runs, ..Material::default() });
    let all = data
        .keys
        .iter()
        .map(|(key, _)| Series { name: data.keys.name(&key, true), cells: all_of_key(&data.timings, &key) });
    let timed = all.filter(|series| !series.cells.is_empty());
    let (instances, sized): (Vec<_>, Vec<_>) =
        timed.partition(|series| series.cells[0].variant.starts_with("instance:"));
    by_size(rows, &sized, width, out)?;
    by_instance(&instances, out)
}

fn by_size(rows: &[Row], all: &[Series<'_>], width: usize, out: &mut impl Write) -> io::Result<()> {
    if all.is_empty() {
        return Ok(());
    }
    let mut sizes: Vec<usize> = all.iter().flat_map(|series| &series.cells).map(|row| row.n).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let names = all.iter().map(|series| series.name.chars().count()).max().unwrap_or(0);
    let compared = compared(all);
    let fastest = match compared {
        None => String::new(),
        Some((n, _)) if Some(&n) == sizes.last() => "  times the fastest".to_owned(),
        Some((n, _)) => format!("  times the fastest, n={n}"),
    };
    // All times of a size are in one unit.
    let scales: BTreeMap<usize, Option<Scale>> = sizes.iter().map(|&n| (n, scale_of(all, n))).collect();
    let head = |n: usize| match scales[&n] {
        Some(scale) => format!("n={n}, {}", scale.name()),
        None => format!("n={n}"),
    };
    let text = |cell: &TimingsRow| match cell.median_ns.zip(scales[&cell.n]) {
        Some((median, scale)) => scale.show(median),
        None => failure(rows, cell),
    };
    let cells = all.iter().flat_map(|series| &series.cells).map(|cell| text(cell));
    let longest = cells.chain(sizes.iter().map(|&n| head(n))).map(|text| text.chars().count()).max();
    let wide = SIZE_WIDTH.max(2 + longest.unwrap_or(0));
    let room = width.saturating_sub(names + fastest.len()) / wide;
    let (left_out, shown) = sizes.split_at(sizes.len() - room.clamp(1, sizes.len()));
    write!(out, "{:names$}", "")?;
    for n in shown {
        write!(out, "{:>wide$}", head(*n))?;
    }
    writeln!(out, "{fastest}")?;
    for Series { name, cells } in all {
        let cell = |n: usize| cells.iter().find(|row| row.n == n);
        let mut line = format!("{name:names$}");
        for &n in shown {
            line += &format!("{:>wide$}", cell(n).map_or(String::new(), |cell| text(cell)));
        }
        if let Some((n, best)) = compared
            && let Some(median) = cell(n).and_then(|cell| cell.median_ns)
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

/// The unit of the median times of a size; `None` if there is none.
fn scale_of(all: &[Series<'_>], n: usize) -> Option<Scale> {
    let cells = all.iter().flat_map(|series| &series.cells).filter(|row| row.n == n);
    Scale::of(cells.filter_map(|row| row.median_ns))
}

/// One line per solver: how many instances it solved, and its median and longest time on those.
fn by_instance(all: &[Series<'_>], out: &mut impl Write) -> io::Result<()> {
    if all.is_empty() {
        return Ok(());
    }
    let names = all.iter().map(|series| series.name.chars().count()).max().unwrap_or(0);
    let lines = all.iter().map(|Series { name, cells }| {
        let mut times: Vec<u64> = cells.iter().filter_map(|cell| solved_ns(cell)).collect();
        times.sort_unstable();
        let solved = format!("{} of {}", times.len(), cells.len());
        (name, solved, [times.get(times.len() / 2).copied(), times.last().copied()])
    });
    let lines: Vec<(&String, String, [Option<u64>; 2])> = lines.collect();
    let scales = [0, 1].map(|column| Scale::of(lines.iter().filter_map(|(.., times)| times[column])));
    let head = |what: &str, scale: Option<Scale>| {
        scale.map_or(what.to_owned(), |scale| format!("{what}, {}", scale.name()))
    };
    let (median, longest) = (head("median", scales[0]), head("longest", scales[1]));
    writeln!(out, "{:names$}{:>18}{median:>14}{longest:>14}", "", "instances solved")?;
    for (name, solved, times) in lines {
        let [median, longest] = [0, 1].map(|column| {
            times[column].zip(scales[column]).map_or(String::new(), |(time, scale)| scale.show(time))
        });
        writeln!(out, "{}", format!("{name:names$}{solved:>18}{median:>14}{longest:>14}").trim_end())?;
    }
    Ok(())
}

/// The largest size that is worth comparing and that two solvers answered, and the smallest median there.
/// `None` if they did not solve the same problem.
fn compared(all: &[Series<'_>]) -> Option<(usize, u64)> {
    let cells = || all.iter().flat_map(|series| &series.cells);
    let mut medians: BTreeMap<usize, Vec<u64>> = BTreeMap::new();
    let first = cells().next()?;
    if cells().any(|row| (&row.variant, &row.goal) != (&first.variant, &first.goal)) {
        return None;
    }
    for row in cells().filter(|row| row.n >= SMALLEST_COMPARED) {
        medians.entry(row.n).or_default().extend(row.median_ns.filter(|&median| median > 0));
    }
    let (n, medians) = medians.into_iter().rev().find(|(_, medians)| medians.len() > 1)?;
    Some((n, medians.into_iter().min()?))
}

/// Why a cell has no time: how its first run ended.
fn failure(rows: &[Row], cell: &TimingsRow) -> String {
    let mine = |row: &&Row| {
        (row.n, row.solver.clone(), &row.variant, row.threads)
            == (cell.n, cell.solver.clone(), &cell.variant, cell.threads)
            && row.goal.name() == cell.goal
            && row.is_timed()
    };
    match rows.iter().find(mine) {
        Some(row) if row.status.is_solved() => "wrong".to_owned(),
        Some(row) => row.status.to_string(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use crate::record::Status;
    use crate::solver::Goal;

    use super::*;

    fn timed(n: usize, solver: &str, solve_ns: u64) -> Row {
        let row = Row::skipped(String::new(), String::new(), n, Goal::Enumerate, solver.to_owned());
        Row { status: Status::Complete, solve_ns: Some(solve_ns), ..row }
    }

    fn shown(rows: &[Row], width: usize) -> Vec<String> {
        let mut text = Vec::new();
        table(rows, width, &mut text).expect("written to memory");
        String::from_utf8(text).expect("UTF-8").lines().map(str::to_owned).collect()
    }

    #[test]
    fn the_table_fills_the_width_with_the_largest_sizes_and_compares_at_the_largest() {
        let rows: Vec<Row> = (4..=12).flat_map(|n| [timed(n, "a", 1000), timed(n, "bb", 2500)]).collect();
        let wide = shown(&rows, 200);
        assert!(
            wide[0].contains("   n=4, µs   n=5, µs") && wide[0].ends_with("n=12, µs  times the fastest"),
            "{wide:?}"
        );
        assert!(
            wide[1].ends_with("      1.00                1.0")
                && wide[2].ends_with("      2.50                2.5"),
            "{wide:?}"
        );
        let narrow = shown(&rows, 60);
        assert_eq!(narrow[0], "    n=10, µs  n=11, µs  n=12, µs  times the fastest");
        assert_eq!(narrow[3], "n = 4-9: see timings.csv");
        assert!(narrow.iter().all(|line| line.chars().count() <= 60));
        assert_eq!(
            shown(&rows, 10)[0].trim_start(),
            "n=12, µs  times the fastest",
            "one size is always shown"
        );
    }

    #[test]
    fn the_times_of_a_size_have_one_unit_and_a_size_without_a_time_has_none() {
        let timeout = Row { status: Status::Timeout, solve_ns: None, ..timed(14, "a", 0) };
        let rows = [
            timed(12, "a", 22_100),
            timed(12, "b", 325_000),
            timed(12, "c", 6_290_000_000),
            timed(13, "a", 4_500_000),
            timeout,
        ];
        let lines = shown(&rows, 200);
        let expected = [
            "    n=12, µs   n=13, ms       n=14  times the fastest, n=12",
            "a       22.1       4.50    timeout                      1.0",
            "b        325                                             15",
            "c  6,290,000                                        284,615",
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn the_times_of_instances_have_one_unit_for_each_column() {
        let instance = |name: &str, solver: &str, time| Row {
            variant: format!("instance:{name}"),
            ..timed(8, solver, time)
        };
        let rows = [instance("x", "a", 1_000), instance("y", "a", 9_000_000), instance("x", "b", 20_000_000)];
        let lines = shown(&rows, 80);
        assert_eq!(
            lines,
            [
                "   instances solved    median, ms   longest, ms",
                "a            2 of 2          9.00          9.00",
                "b            1 of 1          20.0          20.0",
            ]
        );
    }

    #[test]
    fn solvers_are_compared_only_where_two_answered_and_times_say_something() {
        let rows =
            [timed(6, "a", 1), timed(6, "b", 2), timed(8, "a", 1000), timed(8, "b", 3000), timed(9, "a", 1)];
        let lines = shown(&rows, 80);
        assert!(lines[0].ends_with("n=9, ns  times the fastest, n=8"), "{lines:?}");
        assert!(lines[2].ends_with("3.0"), "{lines:?}");
        assert!(!shown(&rows[..2], 80)[0].contains("fastest"));
        assert!(!shown(&rows[2..3], 80)[0].contains("fastest"));
    }
}
