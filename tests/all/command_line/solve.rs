//! `solve`: its notations, the boards that published programs print, symmetry classes, large boards, and pipes that close early.

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

use crate::harness::{assert_wording, refused, run};

/// Runs `solve`, asserts that standard error is empty, and returns standard output.
fn solve(arguments: &[&str]) -> String {
    let (code, stdout, stderr) = run(&[&["solve"], arguments].concat());
    assert_eq!((code, stderr.as_str()), (0, ""), "{arguments:?}");
    stdout
}

/// The blog post "Solve the N queen's problem using backtracking" (2015) ends with this list.
#[test]
fn solutions_of_4_queens_match_java_blog_post() {
    let stdout = solve(&["4", "--all", "--notation", "list"]);
    assert_eq!(stdout, "[[.Q.., ...Q, Q..., ..Q.], [..Q., Q..., ...Q, .Q..]]\n");
}

/// The program of the tutorial "N Queen Problem | Backtracking-3" prints these two boards, with a blank at the end of each line.
#[test]
fn solver_board_scan_columns_prints_the_tutorial_board() {
    let arguments = ["4", "--solver", "backtrack/board-scan-columns", "--notation"];
    let matrix = solve(&[&arguments[..], &["matrix"]].concat());
    assert_eq!(matrix, ". . Q .\nQ . . .\n. . . Q\n. Q . .\n");
    let binary = solve(&[&arguments[..], &["binary"]].concat());
    assert_eq!(binary, "0 0 1 0\n1 0 0 0\n0 0 0 1\n0 1 0 0\n");
}

/// The first solution in the blog post "How to solve the 4 queens puzzle in Java" has queens at (1,0) (3,1) (0,2) (2,3).
#[test]
fn nested_loops_find_solutions_in_published_order() {
    let stars = ["4", "--all", "--notation", "stars", "--solver", "backtrack/nested-loops"];
    let [first, second] = [
        "*\t*\tQ\t*\nQ\t*\t*\t*\n*\t*\t*\tQ\n*\tQ\t*\t*\n",
        "*\tQ\t*\t*\n*\t*\t*\tQ\nQ\t*\t*\t*\n*\t*\tQ\t*\n",
    ];
    assert_eq!(solve(&stars), format!("{first}\n{second}"));
}

/// The Ruby program of the blog post "N queen problem" prints underscores for empty squares.
#[test]
fn column_scan_finds_board_of_ruby_program() {
    let stdout = solve(&["4", "--solver", "backtrack/column-scan", "--notation", "underscore"]);
    assert_eq!(stdout, "_ Q _ _\n_ _ _ Q\nQ _ _ _\n_ _ Q _\n");
}

/// The numbers are published in A000170 and A002562.
#[test]
fn eight_queens_have_12_fundamental_and_92_solutions() {
    assert_eq!(solve(&["8", "--all"]).lines().count(), 92);
    let fundamental_boards = solve(&["8", "--all", "--fundamental"]);
    assert_eq!(fundamental_boards.lines().count(), 12);
    assert_eq!(fundamental_boards.lines().next(), Some("0 4 7 5 2 6 1 3"));
    let boards_of_sat = solve(&["8", "--all", "--fundamental", "--solver", "sat/pairwise/varisat"]);
    let sorted_lines = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted_lines(&boards_of_sat), sorted_lines(&fundamental_boards));
}

/// `solve` computes the symmetry classes from the boards. `count` computes the numbers of classes from numbers of solutions.
#[test]
fn classes_are_printed_with_size_and_first_board() {
    assert_eq!(solve(&["5", "--all", "--classes"]), "8\t0 2 4 1 3\n2\t1 4 2 0 3\n");
    for n in ["0", "1", "6", "8", "10"] {
        let class_list = solve(&[n, "--all", "--classes"]);
        let class_counts: Vec<String> = ["8", "4", "2", "1"]
            .map(|size| {
                format!(
                    "{size}\t{}\n",
                    class_list.lines().filter(|line| line.split('\t').next() == Some(size)).count()
                )
            })
            .into();
        assert_eq!(run(&["count", n, "--classes"]).1, class_counts.concat(), "n = {n}");
        let boards: Vec<&str> =
            class_list.lines().map(|line| line.split_once('\t').expect("a size").1).collect();
        let fundamental_boards = solve(&[n, "--all", "--fundamental"]);
        assert_eq!(boards, fundamental_boards.lines().collect::<Vec<_>>());
    }
    assert!(refused(&["solve", "8", "--classes"]).contains("--all"));
    assert!(refused(&["solve", "8", "--all", "--classes", "--forbid", "0:0"]).contains("--classes"));
}

#[test]
fn one_solution_is_printed_by_default() {
    assert_eq!(solve(&["6"]), "1 3 5 0 2 4\n");
    assert_eq!(solve(&["6", "--limit", "3"]).lines().count(), 3);
    assert_eq!(solve(&["6", "--limit", "9"]).lines().count(), 4);
    assert_eq!(solve(&["6", "--fundamental", "--limit", "9"]), "1 3 5 0 2 4\n");
    assert_eq!(solve(&["4", "--notation", "columns1"]), "2 4 1 3\n");
    assert_eq!(solve(&["4", "--all", "--notation", "json"]), "[[1,3,0,2],[2,0,3,1]]\n");
}

#[test]
fn error_about_unknown_solver_option_lists_valid_options() {
    let first_board = |solver| solve(&["8", "--solver", solver]);
    assert_eq!(first_board("backtrack/dlx:items=organ-pipe"), first_board("backtrack/dlx"));
    assert_ne!(first_board("backtrack/dlx:items=natural"), first_board("backtrack/dlx"));
    for (solver, suggestion) in [
        ("backtrack/dlx:item=natural", "'items'"),
        ("backtrack/dlx:items=naturl", "'natural'"),
        ("backtrack/bitmask:items=natural", "'items'"),
        ("backtrack/dlx:natural", "key=value"),
    ] {
        let error = refused(&["solve", "8", "--solver", solver]);
        assert!(error.contains(suggestion), "{error}");
    }
}

/// Constructions, local search and the judge take linear time, so that large boards are possible.
#[test]
fn boards_of_a_hundred_thousand_rows_are_printed() {
    for solver in ["construct/pauls", "local/queen-search"] {
        let printed_board = solve(&["100000", "--solver", solver, "--notation", "columns1"]);
        let columns: Vec<u32> = printed_board
            .split(' ')
            .map(|column| column.trim().parse::<u32>().expect("a number") - 1)
            .collect();
        assert!(columns.len() == 100_000 && queenlab::board::is_solution(&columns), "{solver}");
        assert_eq!(
            solve(&["100000", "--solver", solver, "--notation", "columns1"]),
            printed_board,
            "the same seed must give the same board"
        );
    }
    for (arguments, value) in [
        (&["2000", "--solver", "construct/pauls", "--notation", "matrix"][..], "(1024)"),
        (&["2000"], "local/queen-search"),
        (&["2000", "--solver", "backtrack/forward-checking"], "0 to 1024"),
        (&["3", "--solver", "local/queen-search"], "n = 3"),
        (&["20000000", "--solver", "construct/pauls"], "(10000000)"),
        (&["5000", "--all", "--solver", "construct/pauls"], "enumerate"),
    ] {
        let error = refused(&[&["solve"], arguments].concat());
        assert!(error.contains(value), "{arguments:?}: {error}");
    }
    let (code, stdout, stderr) = run(&["solve", "3", "--solver", "construct/pauls"]);
    assert_eq!((code, stdout.as_str()), (0, ""));
    assert_wording("solve", "no solution for n = 3", &stderr);
}

#[test]
fn unsolvable_size_is_reported_with_exit_code_0() {
    for n in ["2", "3"] {
        let (code, stdout, stderr) = run(&["solve", n]);
        assert_eq!((code, stdout.as_str()), (0, ""));
        assert_wording("solve", &format!("no solution for n = {n}"), &stderr);
    }
    let (code, stdout, _) = run(&["solve", "3", "--all", "--notation", "list"]);
    assert_eq!((code, stdout.as_str()), (0, "[]\n"));
}

/// The first term of A000170 is 1, for the empty board.
#[test]
fn empty_board_is_printed_as_a_solution() {
    assert_eq!(solve(&["0", "--notation", "columns"]), "\n");
    assert_eq!(solve(&["0", "--all"]), "\n");
    assert_eq!(solve(&["0", "--notation", "list"]), "[[]]\n");
}

#[test]
fn solve_succeeds_if_pipe_closes_early() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_queenlab"));
    command.args(["solve", "12", "--all"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = crate::processes::Guard::start(&mut command);
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
    assert_eq!(line, "0 2 4 7 9 11 5 10 1 6 8 3\n");
    let mut stderr = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut stderr).expect("UTF-8");
    assert_eq!(stderr, "");
    assert_eq!(child.wait().expect("the program ends").code(), Some(0));
}

/// Backtracking takes too long for n = 33.
#[test]
fn solve_uses_sat_above_32_queens() {
    let (code, stdout, stderr) = run(&["solve", "33"]);
    assert_eq!(code, 0, "{stderr}");
    let columns: Vec<u32> =
        stdout.split_whitespace().map(|column| column.parse::<u32>().expect("a column")).collect();
    assert!(queenlab::board::is_solution(&columns) && columns.len() == 33, "{stdout}");
    assert!(stderr.contains("sat/product/varisat") && stderr.lines().count() == 1, "{stderr}");
    assert_wording("solve", "another solver for n = 33", &stderr);
}

#[test]
fn closed_pipe_is_not_an_error() {
    for command in ["solve 8 --all", "list", "list --json", "encode 20", "verify 4", "verify 4 --json"] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let output = Command::new(env!("CARGO_BIN_EXE_queenlab"))
            .args(command.split(' '))
            .stdout(writer)
            .output()
            .expect("the program starts");
        let stderr = String::from_utf8_lossy(&output.stderr);
        let lines = usize::from(command.starts_with("verify"));
        assert_eq!((output.status.code(), stderr.lines().count()), (Some(0), lines), "{command}: {stderr}");
    }
}
