//! `queenlab check`: verdicts on printed outputs and on programs, exit codes, messages, and the end of all started processes.
//!
//! tests/data/submissions contains correct and wrong programs and printed outputs. The expected results are computed in this file
//! by brute force over permutations, or are published in the OEIS (A000170, A002562).

#[cfg(unix)]
mod class;
#[cfg(unix)]
mod programs;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use queenlab::judge::notation::Notation;
use serde_json::Value;

use crate::harness::{assert_wording, stderr, stdout};
use crate::processes::Guard;

fn queenlab(arguments: &[&str]) -> Output {
    with_input(arguments, "")
}

fn with_input(arguments: &[&str], input: &str) -> Output {
    use std::io::Write;
    let mut command = Command::new(env!("CARGO_BIN_EXE_queenlab"));
    command.args(arguments).current_dir(data());
    let mut child = Guard::start(command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()));
    // The program may end before it has read the whole input.
    let _ = child.stdin.take().expect("piped").write_all(input.as_bytes());
    child.output()
}

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/submissions")
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("not ended by a signal")
}

/// The verdict: the first line of the report.
fn verdict(output: &Output) -> String {
    stdout(output).lines().next().unwrap_or_default().to_owned()
}

/// The number before a word: in `8 queens: 12 boards: 3 missing`, the number before `missing` is 3.
fn number_before(text: &str, word: &str) -> Option<u64> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let words: Vec<&str> = words.collect();
    words.windows(2).find(|pair| pair[1] == word).and_then(|pair| pair[0].parse().ok())
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).expect("one JSON value on standard output")
}

/// All solutions, by brute force over permutations.
fn solutions(n: usize) -> Vec<Vec<usize>> {
    fn extend(n: usize, columns: &mut Vec<usize>, all: &mut Vec<Vec<usize>>) {
        if columns.len() == n {
            let pairs = (0..n).flat_map(|i| (0..i).map(move |j| (i, j)));
            if pairs.into_iter().all(|(i, j)| columns[i].abs_diff(columns[j]) != i - j) {
                all.push(columns.clone());
            }
            return;
        }
        for column in 0..n {
            if !columns.contains(&column) {
                columns.push(column);
                extend(n, columns, all);
                columns.pop();
            }
        }
    }
    let mut all = Vec::new();
    extend(n, &mut Vec::new(), &mut all);
    all
}

fn lines(boards: &[Vec<usize>]) -> String {
    let line = |board: &Vec<usize>| board.iter().map(usize::to_string).collect::<Vec<_>>().join(" ") + "\n";
    boards.iter().map(line).collect()
}

#[test]
fn correct_output_in_any_notation_is_accepted() {
    for file in [
        "java_lists_4.txt",
        "java_tabs_4.txt",
        "ruby_crlf_4.txt",
        "ruby_pp_4.txt",
        "unicode_bom_4.txt",
        "framed_4.txt",
        "labelled_4.txt",
        "coloured_4.txt",
        "objects_4.txt",
        "emoji_4.txt",
    ] {
        let output = queenlab(&["check", "4", file]);
        assert_eq!(code(&output), 0, "{file}: {}{}", stdout(&output), stderr(&output));
        assert_wording("check", "verdict: all solutions", &verdict(&output));
    }
}

#[test]
fn numbers_of_solutions_match_both_published_sequences() {
    for n in 4..=8 {
        let all_solutions = solutions(n);
        let size = n.to_string();
        let output = with_input(&["check", &size, "--json"], &lines(&all_solutions));
        assert_eq!(code(&output), 0, "{n}");
        let report = json(&output);
        assert_eq!(report["verdict"], "correct");
        assert_eq!(report["solutions"], all_solutions.len());
        assert_eq!(report["notation"], "columns");
        assert_eq!(report["fundamental"], [1, 2, 1, 6, 12][n - 4], "A002562");
        assert_eq!((&report["missing"], &report["duplicates"]), (&Value::from(0), &Value::from(0)));
    }
}

#[test]
fn empty_output_is_correct_only_for_unsolvable_sizes() {
    for file in ["empty.txt", "none.txt", "none_possible.txt"] {
        for (n, expected) in [("2", 0), ("3", 0), ("4", 3), ("8", 3)] {
            assert_eq!(code(&queenlab(&["check", n, file])), expected, "{n} {file}");
            // Empty output is not a statement that there is no solution.
            let expected = if expected == 3 && file == "empty.txt" { 2 } else { expected };
            assert_eq!(code(&queenlab(&["check", n, file, "--first"])), expected, "{n} {file} --first");
        }
    }
    let output = queenlab(&["check", "8", "empty.txt", "--first"]);
    assert!(stderr(&output).contains("empty.txt: "), "{}", stderr(&output));
    assert_wording("check", "nothing printed", &stderr(&output));
    for (n, text, expected) in [("0", "\n", 2), ("1", "", 3), ("1", "Q\n", 0), ("2", "Q .\n. Q\n", 3)] {
        assert_eq!(code(&with_input(&["check", n], text)), expected, "{n} {text}");
    }
    let output = queenlab(&["check", "8", "none.txt"]);
    assert_eq!(number_before(&verdict(&output), "solutions"), Some(92), "{}", stdout(&output));
    assert_wording("check", "verdict: no solution of 8 queens", &verdict(&output));
}

#[test]
fn text_without_a_board_is_unreadable() {
    let output = queenlab(&["check", "8", "prose.txt"]);
    assert_eq!(code(&output), 2);
    assert!(
        stderr(&output).contains("prose.txt: ") && stderr(&output).contains("line 1: 'Hello'"),
        "{}",
        stderr(&output)
    );
    assert_wording("check", "text without a board", &stderr(&output));
    let output = queenlab(&["check", "8", "prose.txt", "--json"]);
    assert_eq!((code(&output), &json(&output)["verdict"]), (2, &Value::from("unreadable")));
}

#[test]
#[ignore = "long: a text of 64 MiB"]
fn text_over_64_mib_without_board_is_refused() {
    let output = with_input(&["check", "8"], &format!("{}\n", "what now ".repeat(99)).repeat(80_000));
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("64 MiB"), "{}", stderr(&output));
    assert_wording("check", "a long text without a board", &stderr(&output));
}

#[test]
fn error_for_ambiguous_output_lists_possible_notations() {
    let output = queenlab(&["check", "4", "ambiguous_4.txt"]);
    assert_eq!(code(&output), 2);
    let error = stderr(&output);
    assert!(error.contains("--notation columns or --notation columns1"), "{error}");
    assert_wording("check", "two notations that fit", &error);
    assert_eq!(code(&queenlab(&["check", "4", "ambiguous_4.txt", "--notation", "columns1"])), 3);
}

#[test]
fn illegal_board_is_drawn_with_attacking_queens() {
    let output = with_input(&["check", "4"], "1 3 0 2\n2 0 3 1\n0 2 3 1\n");
    assert_eq!(code(&output), 3);
    let text = stdout(&output);
    assert_eq!(number_before(&text, "illegal"), Some(1), "{text}");
    let board = "\n    Q . . .\n    . . X .\n    . . . X\n    . Q . .\n";
    assert!(text.contains("\n  line 3: row 1, column 2 ") && text.contains(board), "{text}");
    assert_wording("check", "an illegal board", &text);
}

#[test]
fn two_queens_in_one_row_are_illegal() {
    let output = queenlab(&["check", "4", "two_in_a_row_4.txt", "--json"]);
    assert_eq!(code(&output), 3);
    let report = json(&output);
    assert_eq!((&report["illegal"], &report["malformed"]), (&Value::from(1), &Value::from(1)));
    assert_eq!(report["missing"], 1);
    let text = stdout(&queenlab(&["check", "4", "two_in_a_row_4.txt"]));
    assert!(text.contains("\n  line 1: row 1 "), "{text}");
    assert_wording("check", "two queens in a row", &text);
}

#[test]
fn repeated_board_is_reported_with_both_line_numbers() {
    let output = queenlab(&["check", "6", "repeated_6.txt"]);
    assert_eq!(code(&output), 3);
    let text = stdout(&output);
    assert_eq!(number_before(&text, "duplicate"), Some(1), "{text}");
    assert!(text.contains("  line 4 repeats line 1: 1 3 5 0 2 4\n"), "{text}");
    assert_wording("check", "a repeated board", &text);
}

#[test]
fn any_single_missing_solution_is_detected() {
    let all_solutions = solutions(6);
    for index in 0..all_solutions.len() {
        let mut remaining_boards = all_solutions.clone();
        let board = remaining_boards.remove(index);
        let output = with_input(&["check", "6", "--json"], &lines(&remaining_boards));
        assert_eq!(code(&output), 3);
        let report = json(&output);
        assert_eq!(report["missing"], 1);
        let board = board.iter().map(usize::to_string).collect::<Vec<_>>().join(" ");
        let text = stdout(&with_input(&["check", "6"], &lines(&remaining_boards)));
        assert!(text.contains(&format!("\n  {board}\n")), "{text}");
    }
}

#[test]
fn check_recognizes_mirror_pairs_and_fundamental_solutions() {
    let all_solutions = solutions(8);
    let pattern = |boards: &[Vec<usize>]| {
        let output = with_input(&["check", "8", "--json"], &lines(boards));
        assert_eq!(code(&output), 3);
        json(&output)["pattern"].clone()
    };
    let left_half: Vec<Vec<usize>> = all_solutions.iter().filter(|board| board[0] < 4).cloned().collect();
    let text = |pattern: &Value| pattern.as_str().expect("a text").to_owned();
    assert_wording("check", "pattern: one of each mirror pair", &text(&pattern(&left_half)));
    // Mirrored fundamental solutions: one board of each symmetry class, but not the board that `solve --fundamental` prints.
    let output = queenlab(&["solve", "8", "--all", "--fundamental"]);
    let mirrored_fundamental: Vec<Vec<usize>> = stdout(&output)
        .lines()
        .map(|line| line.split(' ').map(|column| 7 - column.parse::<usize>().expect("a column")).collect())
        .collect();
    assert_eq!(mirrored_fundamental.len(), 12);
    assert_wording("check", "pattern: fundamental solutions", &text(&pattern(&mirrored_fundamental)));
    // A single missing board is nearly always the mirror image of a printed board, so `check` does not report a pattern.
    assert_eq!(pattern(&all_solutions[..91]), Value::Null);
    assert_eq!(pattern(&all_solutions[..1]), Value::Null);
    let (four, six) = (solutions(4), solutions(6));
    let patterns = |n: &str, boards: &[Vec<usize>]| {
        json(&with_input(&["check", n, "--json"], &lines(boards)))["pattern"].clone()
    };
    assert_eq!(patterns("4", &four[..1]), Value::Null);
    for index in 0..4 {
        let mut remaining_boards = six.clone();
        remaining_boards.remove(index);
        assert_eq!(patterns("6", &remaining_boards), Value::Null, "{index}");
    }
}

#[test]
fn option_first_judges_a_single_solution() {
    let two_solutions = "4 1 3 6 2 7 0 5\n0 4 7 5 2 6 1 3\n";
    assert_eq!(code(&with_input(&["check", "8", "--first"], "0 4 7 5 2 6 1 3\nnonsense\n")), 0);
    assert_eq!(code(&with_input(&["check", "8", "--first", "--notation", "columns"], two_solutions)), 3);
    let output = with_input(&["check", "8"], "0 4 7 5 2 6 1 3\n");
    assert_eq!(code(&output), 3);
    assert!(stdout(&output).contains("--first"), "{}", stdout(&output));
    assert_wording("check", "one of 92 solutions", &stdout(&output));
}

#[test]
fn report_on_malformed_boards_suggests_option_notation() {
    let output = with_input(&["check", "4"], "0 0 2 3\n0 1 2 3\n");
    assert_eq!(code(&output), 3);
    assert!(stdout(&output).contains("--notation"), "{}", stdout(&output));
    assert_wording("check", "no board is well-formed", &stdout(&output));
}

#[test]
fn invalid_check_arguments_exit_with_1_or_2() {
    assert_eq!(code(&queenlab(&["check", "8", "absent.txt"])), 1);
    assert_eq!(code(&queenlab(&["check", "8", "."])), 1);
    assert_eq!(code(&queenlab(&["check", "12", "empty.txt", "--notation", "digits"])), 2);
    assert_eq!(code(&queenlab(&["check", "8", "empty.txt", "--notation", "svg"])), 2);
    assert_eq!(code(&queenlab(&["check", "8", "empty.txt", "--timeout", "1s"])), 2);
    assert_eq!(code(&queenlab(&["check", "eight", "empty.txt"])), 2);
}

#[test]
fn reported_notation_can_be_passed_as_option() {
    for notation in Notation::ALL.into_iter().filter(|notation| notation.is_readable()) {
        let printed_boards = stdout(&queenlab(&["solve", "6", "--all", "--notation", notation.name()]));
        let report = json(&with_input(&["check", "6", "--json"], &printed_boards));
        assert_eq!(report["verdict"], "correct", "{notation}");
        let reported_notation = report["notation"].as_str().expect("a name");
        let report_with_option =
            json(&with_input(&["check", "6", "--json", "--notation", reported_notation], &printed_boards));
        assert_eq!(
            (&report_with_option["verdict"], &report_with_option["notation"]),
            (&Value::from("correct"), &Value::from(reported_notation))
        );
    }
}

#[test]
fn program_file_instead_of_output_is_recognised() {
    let output = queenlab(&["check", "4", "queens_lists.py"]);
    assert_eq!(code(&output), 2, "{}", stdout(&output));
    let command = "queenlab check 4 -- python3 queens_lists.py {n}\n";
    assert!(stderr(&output).ends_with(command), "{}", stderr(&output));
    assert!(stdout(&output).is_empty());
    assert_wording("check", "a program in place of its output", &stderr(&output));
    let report = json(&queenlab(&["check", "4", "queens_lists.py", "--json"]));
    assert_eq!((&report["verdict"], &report["exit_code"]), (&Value::from("unreadable"), &Value::from(2)));
    let output = queenlab(&["check", "4", "prose.txt"]);
    assert!(code(&output) == 2 && !stderr(&output).contains("queenlab check"), "{}", stderr(&output));
    let output = queenlab(&["check", "queens_lists.py"]);
    assert!(code(&output) == 2 && stderr(&output).contains("queenlab check 8"), "{}", stderr(&output));
    assert_wording("check", "a program without the size", &stderr(&output));
}

#[test]
fn option_quiet_prints_only_wrong_verdicts() {
    let output = with_input(&["check", "4", "--quiet"], "1 3 0 2\n2 0 3 1\n");
    assert_eq!((code(&output), stdout(&output), stderr(&output)), (0, String::new(), String::new()));
    let output = with_input(&["check", "4", "--quiet"], "1 3 0 2\n1 3 0 2\n");
    assert_eq!((code(&output), stderr(&output).lines().count()), (3, 1));
    let numbers = ["duplicate", "missing"].map(|word| number_before(&verdict(&output), word));
    assert_eq!(numbers, [Some(1), Some(1)], "{}", stdout(&output));
    assert_wording("check", "verdict: a duplicate and a missing solution", &verdict(&output));
    let directory = tempfile::tempdir().expect("a directory");
    let write = |name: &str, text: &str| std::fs::write(directory.path().join(name), text).expect("written");
    write("ada_4.txt", "1 3 0 2\n2 0 3 1\n");
    write("bob_4.txt", "1 3 0 2\n");
    let class = directory.path().to_str().expect("UTF-8");
    let output = queenlab(&["check", "--batch", class, "--n", "4", "-q"]);
    assert_eq!((code(&output), stdout(&output).lines().count(), stderr(&output).lines().count()), (3, 1, 1));
    assert!(stdout(&output).starts_with("  bob_4.txt, n = 4: wrong: "), "{}", stdout(&output));
    assert_wording("check", "a quiet batch", &(stdout(&output) + &stderr(&output)));
    // In a batch, the sizes must be passed with `--n`.
    let output = queenlab(&["check", "--batch", class, "4"]);
    assert!(code(&output) == 2 && stderr(&output).contains("--n 4"), "{}", stderr(&output));
    assert_wording("check", "--batch DIR 4", &stderr(&output));
    let output = queenlab(&["check", "--batch", class, "ada_4.txt", "--n", "4"]);
    assert!(code(&output) == 2 && stderr(&output).contains("'ada_4.txt'"), "{}", stderr(&output));
    assert_wording("check", "--batch DIR ada_4.txt --n 4", &stderr(&output));
}

#[test]
fn verdict_uses_singular_for_one_queen() {
    for (situation, arguments, input, expected) in [
        ("the only solution", &["check", "1"][..], "Q\n", 0),
        ("one solution stated", &["check", "1", "--count"], "1\n", 0),
        ("two solutions stated, and one exists", &["check", "1", "--count"], "2\n", 3),
    ] {
        let output = with_input(arguments, input);
        assert_eq!(code(&output), expected, "{situation}");
        assert!(verdict(&output).contains("1 queen:"), "{}", stdout(&output));
        assert_wording("check", &format!("verdict: {situation}"), &verdict(&output));
    }
}

#[test]
fn option_count_judges_a_printed_number() {
    let count = |n: &str, text: &str| {
        let output = with_input(&["check", n, "--count"], text);
        (code(&output), stdout(&output) + &stderr(&output))
    };
    for text in [
        "92\n",
        "92 solutions\n",
        "Searching...\nTotal: 92\n",
        "There are 92 solutions for n = 8 in 0.2 s\n",
        "Board size? 92\n",
        "92 solutions (took 0.000 s)\n",
    ] {
        let (code, report) = count("8", text);
        assert_eq!((code, number_before(&report, "solutions")), (0, Some(92)), "{text}: {report}");
        assert_wording("check", "92 solutions stated", &report);
    }
    let (code, report) = count("8", "12\n");
    assert_eq!((code, number_before(&report, "exist")), (3, Some(92)), "{report}");
    assert_wording("check", "12 solutions stated", &report);
    assert_eq!(count("3", "no solution\n").0, 0);
    for text in ["", "error\n", "92\n93\n", "error: 92 solutions expected\n", "9 2\n"] {
        assert_eq!(count("8", text).0, 2, "{text}");
    }
    let long_line = format!("92{}93\n", " ".repeat(1 << 17));
    assert_eq!(count("8", &long_line).0, 2);
    let report = json(&with_input(&["check", "8", "--count", "--json"], "91\n"));
    assert_eq!((&report["stated"], &report["expected"]), (&Value::from(91), &Value::from(92)));
}

#[test]
fn sentence_that_may_contain_a_board_is_unreadable() {
    let all_boards = lines(&solutions(6));
    for prompt in ["Board size? ", "How many queens? ", "> ", "n ", "Enter n: "] {
        let output = with_input(&["check", "6"], &format!("{prompt}{all_boards}"));
        assert_eq!(code(&output), 0, "{prompt}: {}", stdout(&output));
    }
    let trace = format!("Trying 0 2 4 1 3 5\n{all_boards}");
    assert_eq!(code(&with_input(&["check", "6"], &trace)), 2, "the first line may be a board");
    let (first_board, other_boards) = all_boards.split_once('\n').expect("four lines");
    let output =
        with_input(&["check", "6"], &format!("Trying {}\n{other_boards}", first_board.replace('5', "4")));
    assert_eq!(code(&output), 2, "{}", stdout(&output));
    assert!(stderr(&output).contains("line 1: 'Trying 1 3 4 0 2 4' "), "{}", stderr(&output));
    assert_wording("check", "a line that may be a board", &stderr(&output));
}

#[test]
fn boards_side_by_side_are_read() {
    let output = queenlab(&["check", "4", "side_by_side_4.txt"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
}

#[test]
fn output_with_only_a_number_is_count_only() {
    let output = with_input(&["check", "8", "--json"], "92\n");
    assert_eq!((code(&output), &json(&output)["verdict"]), (2, &Value::from("count only")));
    let first_number = |text: &str| text.split_whitespace().find_map(|word| word.parse::<u64>().ok());
    assert_eq!(first_number(&stderr(&output)), Some(92), "{}", stderr(&output));
    assert_wording("check", "only the right number", &stderr(&output));
    let output = with_input(&["check", "8"], "There are 12 solutions.\n");
    assert_eq!((code(&output), first_number(&stderr(&output))), (2, Some(12)));
    assert_wording("check", "only a wrong number", &stderr(&output));
}

#[test]
fn boards_of_another_size_are_unreadable() {
    let output = with_input(&["check", "8"], "1 3 0 2\n2 0 3 1\n1 3 0 2 4\n");
    assert_eq!(code(&output), 2, "{}", stdout(&output));
    let boards_of_8_queens = stdout(&queenlab(&["solve", "8", "--all", "--notation", "matrix"]));
    let output = with_input(&["check", "6"], &boards_of_8_queens);
    assert_eq!(code(&output), 2, "{}", stdout(&output));
    assert_wording("check", "boards of another size", &stderr(&output));
}

#[test]
fn check_above_published_sizes_requires_option_first() {
    let output = queenlab(&["solve", "30", "--solver", "sat/pairwise/varisat"]);
    let board = stdout(&output);
    assert_eq!(code(&with_input(&["check", "30", "--first"], &board)), 0);
    let output = with_input(&["check", "40", "--json"], "");
    assert_eq!((code(&output), &json(&output)["verdict"]), (1, &Value::from("unknown")));
}

#[test]
fn options_queen_and_empty_select_the_symbols() {
    let boards = ".Qx.\nx..Q\nQ..x\n.xQ.\n\n.xQ.\nQ..x\nx..Q\n.Qx.\n";
    let check = |options: &[&str]| with_input(&[&["check", "4", "--json"], options].concat(), boards);
    assert_eq!(code(&check(&[])), 2);
    for queen in ["Q", "x"] {
        let output = check(&["--queen", queen]);
        assert_eq!((code(&output), &json(&output)["solutions"]), (0, &2.into()), "{queen}");
    }
    assert_eq!(code(&check(&["--queen", "Q", "--empty", "."])), 2);
    assert_eq!(code(&check(&["--queen", "QQ"])), 2);
}

#[test]
fn json_lists_the_first_boards_of_each_error() {
    let text = "1 3 0 2\n0 1 2 3\n1 3 0 2\n0 2 4 1 3\ntotal: 5 solutions\n";
    let output = with_input(&["check", "4", "--json"], text);
    let report = json(&output);
    assert_eq!(code(&output), 3);
    assert_eq!(report["first_illegal"][0]["line"], 2);
    assert_eq!(report["first_illegal"][0]["queens"], serde_json::json!([[0, 0], [1, 1], [2, 2], [3, 3]]));
    assert_eq!(report["first_missing"], serde_json::json!([[2, 0, 3, 1]]));
    assert_eq!(
        (&report["first_duplicates"][0]["line"], &report["first_duplicates"][0]["first_line"]),
        (&3.into(), &1.into())
    );
    assert_eq!((&report["total"], &report["skipped"]), (&5.into(), &1.into()));
}
