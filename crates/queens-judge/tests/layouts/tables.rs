//! Tables of counts, times, memory and percentages. They are not boards, whether they stand alone or beside boards.

use fastrand::Rng;
use queens_judge::AnswerKind;
use queens_judge::notation::Notation;

use super::boards::{Fault, solution_boards, with_fault};
use super::judged::Outcome;
use super::judged::outcome;
use super::pairs::Syntax;

/// The numbers from 1 to `n`, each as a field of a line.
fn fields(n: usize, separator: &str, field: impl Fn(usize) -> String) -> String {
    (1..=n).map(field).collect::<Vec<_>>().join(separator)
}

/// The lines of the rows from 1 to `n`.
fn rows(n: usize, row: impl Fn(usize) -> String) -> String {
    fields(n, "\n", row) + "\n"
}

/// The numbers of solutions for n = 1 to 8.
const SOLUTIONS: [usize; 8] = [1, 0, 0, 2, 10, 4, 40, 92];

/// A name, and the function that writes a table for sizes up to `n`.
type Table = (&'static str, fn(usize) -> String);

#[rustfmt::skip]
const TABLES: &[Table] = &[
    ("Markdown, sizes in the heading", |n| format!("|  | {} |\n|---|{}\n| solutions | {} |\n| nodes | {} |\n", fields(n, " | ", |i| i.to_string()), "---|".repeat(n), fields(n, " | ", |i| SOLUTIONS[i - 1].to_string()), fields(n, " | ", |i| (i * i + 1).to_string()))),
    ("Markdown, multiplication", |n| format!("|  | {} |\n|---|{}\n{}", fields(n, " | ", |i| i.to_string()), "---|".repeat(n), rows(n, |row| format!("| {row} | {} |", fields(n, " | ", |i| (row * i).to_string()))))),
    ("Markdown, sizes in rows", |n| format!("| n | solutions | unique |\n|--:|--:|--:|\n{}", rows(n, |i| format!("| {i} | {} | {} |", SOLUTIONS[i - 1], SOLUTIONS[i - 1].div_ceil(8))))),
    ("Markdown, times", |n| format!("|  | {} |\n|---|{}\n| time | {} |\n", fields(n, " | ", |i| i.to_string()), ":-:|".repeat(n), fields(n, " | ", |i| format!("0.{i} ms")))),
    ("box drawing", |n| format!("┌───┬─────┬───────┐\n│ n │ all │ time  │\n├───┼─────┼───────┤\n{}└───┴─────┴───────┘\n", rows(n, |i| format!("│ {i} │ {:>3} │ 0.{i:02}s │", SOLUTIONS[i - 1])))),
    ("box drawing, sizes in the heading", |n| format!("┌───────┬{}┐\n│ n     │{}│\n├───────┼{}┤\n│ count │{}│\n└───────┴{}┘\n", fields(n, "┬", |_| "────".into()), fields(n, "│", |i| format!("{i:3} ")), fields(n, "┼", |_| "────".into()), fields(n, "│", |i| format!("{:3} ", SOLUTIONS[i - 1])), fields(n, "┴", |_| "────".into()))),
    ("CSV", |n| "n,solutions,seconds\n".to_owned() + &rows(n, |i| format!("{i},{},0.00{i}", SOLUTIONS[i - 1]))),
    ("CSV, sizes in the heading", |n| format!("measure,{}\ntime,{}\nmemory,{}\n", fields(n, ",", |i| i.to_string()), fields(n, ",", |i| format!("0.{i}")), fields(n, ",", |i| (2000 + 8 * i).to_string()))),
    ("CSV, runs", |n| "run;wall;user;sys\n".to_owned() + &rows(n, |i| format!("{i};0.1{i};0.0{i};0.00"))),
    ("aligned columns", |n| "   N     All  Unique   Time\n".to_owned() + &rows(n, |i| format!("{i:4} {:7} {:7}   0.{i:02}", SOLUTIONS[i - 1], SOLUTIONS[i - 1].div_ceil(8)))),
    ("aligned, sizes in the heading", |n| format!("n      {}\ncount  {}\n", fields(n, "", |i| format!("{i:5}")), fields(n, "", |i| format!("{:5}", SOLUTIONS[i - 1])))),
    ("named columns", |n| format!("      {}\n{}", fields(n, "", |i| format!("   c{i}")), rows(n, |row| format!("r{row}    {}", fields(n, "", |i| format!("{:5}", 10 * row + i)))))),
    ("times", |n| rows(n, |i| format!("run {i}: {}.{i} ms", 12 + i)) + "mean: 13.2 ms, median: 13.1 ms\n"),
    ("memory", |n| rows(n, |i| format!("n = {i}   VmPeak: {} kB   VmRSS: {} kB", 20_480 + i, 2048 + i))),
    ("percentages", |n| format!("column  {}\nshare   {}\n", fields(n, " ", |i| format!("{i:>5}")), fields(n, " ", |i| format!("{:>4}%", 100 / n + i)))),
    ("percentages in rows", |n| rows(n, |i| format!("column {i}: {}.{i} %", 100 / n))),
    ("nodes of levels", |n| "level\tnodes\tfails\n".to_owned() + &rows(n, |i| format!("{i}\t{}\t{}", 2 * i * i, i + 3))),
    ("tabs, sizes in the heading", |n| format!("\t{}\nnodes\t{}\n", fields(n, "\t", |i| i.to_string()), fields(n, "\t", |i| (7 * i).to_string()))),
    ("psql", |n| format!(" n | solutions | ms \n---+-----------+----\n{}({n} rows)\n", rows(n, |i| format!(" {i} | {:9} | {:2}", SOLUTIONS[i - 1], 3 * i)))),
    ("LaTeX", |n| format!("\\begin{{tabular}}{{rrr}}\n{}\\end{{tabular}}\n", rows(n, |i| format!("{i} & {} & 0.{i} \\\\", SOLUTIONS[i - 1])))),
    ("HTML", |n| format!("<table>\n{}</table>\n", rows(n, |i| format!("<tr><td>{i}</td><td>{}</td><td>0.{i}</td></tr>", SOLUTIONS[i - 1])))),
    ("conflicts of columns", |n| format!("     {}\n{}", fields(n, " ", |i| format!("{i:2}")), rows(n, |row| format!("{row:2} | {}", fields(n, " ", |i| format!("{:2}", 3 * row + 2 * i)))))),
    ("bars", |n| rows(n, |i| format!("{i} | {} {}", "#".repeat(i * i), i * i))),
    ("symmetries", |_| "identity  2\nquarter turn  0\nhalf turn  2\nmirror  0\n".to_owned()),
    ("a comparison of solvers", |n| format!("solver       {}\nbacktrack    {}\nbitmask      {}\nspeedup      {}\n", fields(n, "  ", |i| format!("n={i}")), fields(n, "  ", |i| format!("1.{i}")), fields(n, "  ", |i| format!("0.{i}")), fields(n, "  ", |i| format!("{i}.5x")))),
    ("a perf listing", |_| "  12.50%  queens  [.] place\n  25.00%  queens  [.] safe\n  50.00%  queens  [.] solve\n  12.50%  libc    [.] puts\n".to_owned()),
];

/// The notations of the boards beside a table.
const NOTATIONS: [Notation; 8] = [
    Notation::Matrix,
    Notation::Unicode,
    Notation::Binary,
    Notation::Columns,
    Notation::Columns1,
    Notation::Digits,
    Notation::Squares,
    Notation::Pairs,
];

#[test]
fn tables_are_not_boards() {
    let mut failures = Vec::new();
    for (name, table) in TABLES {
        for n in [4, 5] {
            let text = table(n);
            let result = outcome(text.as_bytes(), n, AnswerKind::All);
            if result != Outcome::Unreadable {
                failures.push(format!("--- {name}, n = {n}: {result:?}\n{text}"));
            }
        }
    }
    assert!(failures.is_empty(), "{}\n{}", failures.len(), failures.join("\n"));
}

/// A table may stand before, between or after the boards. All solutions are still correct, and a missing solution is still
/// reported.
#[test]
fn tables_beside_boards_do_not_change_the_verdict() {
    let mut rng = Rng::with_seed(47);
    let mut failures = Vec::new();
    for (name, table) in TABLES {
        for notation in NOTATIONS {
            for n in [4, 5] {
                let boards = solution_boards(n);
                let incomplete_boards = with_fault(&boards, Fault::Lost, &mut rng);
                for (boards, is_right) in [(&boards, true), (&incomplete_boards, false)] {
                    let texts = Syntax::BuiltIn(notation).board_texts(boards, n);
                    for position in [0, 1, texts.len()] {
                        let text =
                            [texts[..position].concat(), table(n), "\n".into(), texts[position..].concat()]
                                .concat();
                        let result = outcome(text.as_bytes(), n, AnswerKind::All);
                        let is_good = if is_right { result == Outcome::Correct } else { result.is_wrong() };
                        if !is_good {
                            failures.push(format!(
                                "--- {name}, {notation}, n = {n}, table at {position}: {result:?}\n{text}"
                            ));
                        }
                    }
                }
            }
        }
    }
    if let Some(path) = std::env::var_os("LAYOUTS_FAILURES") {
        std::fs::write(std::path::PathBuf::from(path).join("tables"), failures.join("\n"))
            .expect("a folder for the failing texts");
    }
    let count = failures.len();
    failures.truncate(12);
    assert!(count == 0, "{count}\n{}", failures.join("\n"));
}
