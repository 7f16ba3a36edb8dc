//! `queenlab check` as users run it: exit codes, messages, and that no process is left running.
//!
//! tests/data/submissions contains the programs and printed outputs, correct and wrong ones. The expected
//! results are computed here by brute force over permutations, or come from OEIS (A000170, A002562).

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use queenlab::judge::notation::Notation;
use serde_json::Value;

use crate::harness::{stderr, stdout};
use crate::processes::Guard;

fn queenlab(arguments: &[&str]) -> Output {
    with_input(arguments, "")
}

fn with_input(arguments: &[&str], input: &str) -> Output {
    use std::io::Write;
    let mut command = Command::new(env!("CARGO_BIN_EXE_queenlab"));
    command.args(arguments).current_dir(data());
    let mut child = Guard::start(command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()));
    // It may end before it has read everything.
    let _ = child.stdin.take().expect("piped").write_all(input.as_bytes());
    child.output()
}

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/submissions")
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("not ended by a signal")
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).expect("one JSON value on standard output")
}

/// All solutions, by trying every permutation.
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
fn right_print_outs_of_any_kind_are_correct() {
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
        assert!(stdout(&output).starts_with("correct: 4 queens: all 2 solutions, each once\n"), "{file}");
    }
}

#[test]
fn all_solutions_from_standard_input_are_correct_and_agree_with_both_sequences() {
    for n in 4..=8 {
        let all = solutions(n);
        let size = n.to_string();
        let output = with_input(&["check", &size, "--json"], &lines(&all));
        assert_eq!(code(&output), 0, "{n}");
        let report = json(&output);
        assert_eq!(report["verdict"], "correct");
        assert_eq!(report["solutions"], all.len());
        assert_eq!(report["notation"], "columns");
        assert_eq!(report["fundamental"], [1, 2, 1, 6, 12][n - 4], "A002562");
        assert_eq!((&report["missing"], &report["duplicates"]), (&Value::from(0), &Value::from(0)));
    }
}

#[test]
fn an_empty_submission_is_right_only_where_there_is_no_solution() {
    for file in ["empty.txt", "none.txt", "none_possible.txt"] {
        for (n, expected) in [("2", 0), ("3", 0), ("4", 3), ("8", 3)] {
            assert_eq!(code(&queenlab(&["check", n, file])), expected, "{n} {file}");
            // To print nothing is not to say that there is no solution.
            let expected = if expected == 3 && file == "empty.txt" { 2 } else { expected };
            assert_eq!(code(&queenlab(&["check", n, file, "--first"])), expected, "{n} {file} --first");
        }
    }
    let silent = queenlab(&["check", "8", "empty.txt", "--first"]);
    assert!(
        stderr(&silent).contains("empty.txt: it printed nothing: where there is no solution"),
        "{}",
        stderr(&silent)
    );
    for (n, text, expected) in [("0", "\n", 2), ("1", "", 3), ("1", "Q\n", 0), ("2", "Q .\n. Q\n", 3)] {
        assert_eq!(code(&with_input(&["check", n], text)), expected, "{n} {text}");
    }
    let output = queenlab(&["check", "8", "none.txt"]);
    assert!(
        stdout(&output).starts_with("wrong: 8 queens: no solution, but 92 exist\n"),
        "{}",
        stdout(&output)
    );
}

#[test]
fn text_without_a_board_is_unreadable_with_its_line() {
    let output = queenlab(&["check", "8", "prose.txt"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).starts_with("error: prose.txt: line 1: 'Hello': no board of side 8"));
    let output = queenlab(&["check", "8", "prose.txt", "--json"]);
    assert_eq!((code(&output), &json(&output)["verdict"]), (2, &Value::from("unreadable")));
}

#[test]
#[ignore = "long: a text of 64 MiB"]
fn a_long_text_without_a_board_is_not_read_to_its_end() {
    let output = with_input(&["check", "8"], &format!("{}\n", "what now ".repeat(99)).repeat(80_000));
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).starts_with("error: no board in 64 MiB of text"), "{}", stderr(&output));
}

#[test]
fn ambiguous_output_names_the_notation_to_give() {
    let output = queenlab(&["check", "4", "ambiguous_4.txt"]);
    assert_eq!(code(&output), 2);
    let complaint = stderr(&output);
    assert!(complaint.contains("give --notation columns or --notation columns1"), "{complaint}");
    assert_eq!(code(&queenlab(&["check", "4", "ambiguous_4.txt", "--notation", "columns1"])), 3);
}

#[test]
fn an_illegal_board_is_drawn_with_the_queens_that_attack_each_other() {
    let output = with_input(&["check", "4"], "1 3 0 2\n2 0 3 1\n0 2 3 1\n");
    assert_eq!(code(&output), 3);
    let text = stdout(&output);
    assert!(text.starts_with("wrong: 4 queens: 3 boards: 1 illegal\n"), "{text}");
    assert!(
        text.contains(
            "  line 3: row 1, column 2 and row 2, column 3: same diagonal\n    \
             Q . . .\n    . . X .\n    . . . X\n    . Q . .\n"
        ),
        "{text}"
    );
}

#[test]
fn two_queens_in_a_row_are_illegal_with_their_line() {
    let output = queenlab(&["check", "4", "two_in_a_row_4.txt", "--json"]);
    assert_eq!(code(&output), 3);
    let report = json(&output);
    assert_eq!((&report["illegal"], &report["malformed"]), (&Value::from(1), &Value::from(1)));
    assert_eq!(report["missing"], 1);
    let text = stdout(&queenlab(&["check", "4", "two_in_a_row_4.txt"]));
    assert!(text.contains("\n  line 1: row 1 has several queens"), "{text}");
}

#[test]
fn a_repeated_board_is_named_with_both_lines() {
    let output = queenlab(&["check", "6", "repeated_6.txt"]);
    assert_eq!(code(&output), 3);
    let text = stdout(&output);
    assert!(text.starts_with("wrong: 6 queens: 5 boards: 1 duplicate\n"), "{text}");
    assert!(text.contains("  line 4 repeats line 1: 1 3 5 0 2 4\n"), "{text}");
}

#[test]
fn each_single_missing_solution_is_found() {
    let all = solutions(6);
    for lost in 0..all.len() {
        let mut rest = all.clone();
        let board = rest.remove(lost);
        let output = with_input(&["check", "6", "--json"], &lines(&rest));
        assert_eq!(code(&output), 3);
        let report = json(&output);
        assert_eq!(report["missing"], 1);
        let board = board.iter().map(usize::to_string).collect::<Vec<_>>().join(" ");
        let text = stdout(&with_input(&["check", "6"], &lines(&rest)));
        assert!(text.contains(&format!("\n  {board}\n")), "{text}");
    }
}

#[test]
fn one_of_each_mirror_pair_and_fundamental_solutions_only_are_recognised() {
    let all = solutions(8);
    let pattern = |boards: &[Vec<usize>]| {
        let output = with_input(&["check", "8", "--json"], &lines(boards));
        assert_eq!(code(&output), 3);
        json(&output)["pattern"].clone()
    };
    let left: Vec<Vec<usize>> = all.iter().filter(|board| board[0] < 4).cloned().collect();
    assert_eq!(pattern(&left), "you print only one of each mirror pair (left and right)");
    // One of each class, by another program, and not the first of it.
    let fundamental = queenlab(&["solve", "8", "--all", "--fundamental"]);
    let mirrored: Vec<Vec<usize>> = stdout(&fundamental)
        .lines()
        .map(|line| line.split(' ').map(|column| 7 - column.parse::<usize>().expect("a column")).collect())
        .collect();
    assert_eq!(mirrored.len(), 12);
    assert_eq!(pattern(&mirrored), "you print only fundamental solutions");
    // One lost board is nearly always the mirror image of one that was printed: that says nothing about the program.
    assert_eq!(pattern(&all[..91]), Value::Null);
    assert_eq!(pattern(&all[..1]), Value::Null);
    let (four, six) = (solutions(4), solutions(6));
    let patterns = |n: &str, boards: &[Vec<usize>]| {
        json(&with_input(&["check", n, "--json"], &lines(boards)))["pattern"].clone()
    };
    assert_eq!(patterns("4", &four[..1]), Value::Null);
    for lost in 0..4 {
        let mut rest = six.clone();
        rest.remove(lost);
        assert_eq!(patterns("6", &rest), Value::Null, "{lost}");
    }
}

#[test]
fn one_solution_is_judged_by_itself() {
    let one = "4 1 3 6 2 7 0 5\n0 4 7 5 2 6 1 3\n";
    assert_eq!(code(&with_input(&["check", "8", "--first"], "0 4 7 5 2 6 1 3\nnonsense\n")), 0);
    assert_eq!(code(&with_input(&["check", "8", "--first", "--notation", "columns"], one)), 3);
    let output = with_input(&["check", "8"], "0 4 7 5 2 6 1 3\n");
    assert_eq!(code(&output), 3);
    assert!(
        stdout(&output).contains("if the task was to print one solution, use --first"),
        "{}",
        stdout(&output)
    );
}

#[test]
fn boards_of_which_none_is_well_formed_raise_the_question_of_the_notation() {
    let output = with_input(&["check", "4"], "0 0 2 3\n0 1 2 3\n");
    assert_eq!(code(&output), 3);
    assert!(stdout(&output).contains("name it with --notation"), "{}", stdout(&output));
}

#[test]
fn a_missing_file_a_directory_and_a_wrong_notation_are_errors() {
    assert_eq!(code(&queenlab(&["check", "8", "absent.txt"])), 1);
    assert_eq!(code(&queenlab(&["check", "8", "."])), 1);
    assert_eq!(code(&queenlab(&["check", "12", "empty.txt", "--notation", "digits"])), 2);
    assert_eq!(code(&queenlab(&["check", "8", "empty.txt", "--notation", "svg"])), 2);
    assert_eq!(code(&queenlab(&["check", "8", "empty.txt", "--timeout", "1s"])), 2);
    assert_eq!(code(&queenlab(&["check", "eight", "empty.txt"])), 2);
}

#[test]
fn every_notation_that_is_named_can_be_given() {
    for notation in Notation::ALL.into_iter().filter(|notation| notation.is_readable()) {
        let printed = stdout(&queenlab(&["solve", "6", "--all", "--notation", notation.name()]));
        let report = json(&with_input(&["check", "6", "--json"], &printed));
        assert_eq!(report["verdict"], "correct", "{notation}");
        let named = report["notation"].as_str().expect("a name");
        let given = json(&with_input(&["check", "6", "--json", "--notation", named], &printed));
        assert_eq!((&given["verdict"], &given["notation"]), (&Value::from("correct"), &Value::from(named)));
    }
}

#[test]
fn a_program_in_place_of_its_output_is_recognised_and_the_command_is_shown() {
    let output = queenlab(&["check", "4", "queens_lists.py"]);
    assert_eq!(code(&output), 2, "{}", stdout(&output));
    let told = "queens_lists.py is a program; to check what it prints: queenlab check 4 -- python3 queens_lists.py {n}\n";
    assert!(stderr(&output).ends_with(told), "{}", stderr(&output));
    assert!(stdout(&output).is_empty());
    let refused = json(&queenlab(&["check", "4", "queens_lists.py", "--json"]));
    assert_eq!((&refused["verdict"], &refused["exit_code"]), (&Value::from("unreadable"), &Value::from(2)));
    let output = queenlab(&["check", "4", "prose.txt"]);
    assert!(code(&output) == 2 && !stderr(&output).contains("is a program"), "{}", stderr(&output));
    let output = queenlab(&["check", "queens_lists.py"]);
    assert!(
        stderr(&output).contains("write the size before the file, as in queenlab check 8"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn quiet_says_only_what_is_not_correct() {
    let output = with_input(&["check", "4", "--quiet"], "1 3 0 2\n2 0 3 1\n");
    assert_eq!((code(&output), stdout(&output), stderr(&output)), (0, String::new(), String::new()));
    let output = with_input(&["check", "4", "--quiet"], "1 3 0 2\n1 3 0 2\n");
    assert_eq!((code(&output), stderr(&output).as_str()), (3, ""));
    assert!(
        stdout(&output).starts_with("wrong: 4 queens: 2 boards: 1 duplicate, 1 missing\n"),
        "{}",
        stdout(&output)
    );
    let directory = tempfile::tempdir().expect("a directory");
    let write = |name: &str, text: &str| std::fs::write(directory.path().join(name), text).expect("written");
    write("ada_4.txt", "1 3 0 2\n2 0 3 1\n");
    write("bob_4.txt", "1 3 0 2\n");
    let class = directory.path().to_str().expect("UTF-8");
    let output = queenlab(&["check", "--batch", class, "--n", "4", "-q"]);
    let told = "  bob_4.txt, n = 4: wrong: 1 board: 1 missing\n";
    assert_eq!((code(&output), stdout(&output).as_str(), stderr(&output).as_str()), (3, told, ""));
    // The sizes of a batch are an option.
    let output = queenlab(&["check", "--batch", class, "4"]);
    let told = "error: give the board sizes of --batch as an option: write --n 4\n";
    assert_eq!((code(&output), stderr(&output).as_str()), (2, told));
    let output = queenlab(&["check", "--batch", class, "ada_4.txt", "--n", "4"]);
    let told = "error: --batch checks the files of one directory: leave out 'ada_4.txt'\n";
    assert_eq!((code(&output), stderr(&output).as_str()), (2, told));
}

#[test]
fn one_board_and_one_solution_are_not_plurals() {
    let said = |arguments: &[&str], input: &str| stdout(&with_input(arguments, input));
    assert!(said(&["check", "1"], "Q\n").starts_with("correct: 1 queen: the only solution, once\n"));
    assert!(said(&["check", "1", "--count"], "1\n").starts_with("correct: 1 queen: 1 solution (A000170)\n"));
    assert!(said(&["check", "1", "--count"], "2\n").contains("2 solutions stated, but 1 exists (A000170)"));
}

#[test]
fn a_number_of_solutions_is_judged_as_such() {
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
        assert_eq!(count("8", text), (0, "correct: 8 queens: 92 solutions (A000170)\n".to_owned()), "{text}");
    }
    let (code, said) = count("8", "12\n");
    assert_eq!(code, 3);
    assert!(
        said.contains("12 solutions stated, but 92 exist (A000170); 12 is the number up to symmetry"),
        "{said}"
    );
    assert_eq!(count("3", "no solution\n").0, 0);
    for text in ["", "error\n", "92\n93\n", "error: 92 solutions expected\n", "9 2\n"] {
        assert_eq!(count("8", text).0, 2, "{text}");
    }
    let long = format!("92{}93\n", " ".repeat(1 << 17));
    assert_eq!(count("8", &long).0, 2);
    let report = json(&with_input(&["check", "8", "--count", "--json"], "91\n"));
    assert_eq!((&report["stated"], &report["expected"]), (&Value::from(91), &Value::from(92)));
}

#[test]
fn a_board_behind_a_prompt_is_that_board_and_prose_that_may_be_one_is_never_held_against_a_program() {
    let all = lines(&solutions(6));
    for prompt in ["Board size? ", "How many queens? ", "> ", "n ", "Enter n: "] {
        let output = with_input(&["check", "6"], &format!("{prompt}{all}"));
        assert_eq!(code(&output), 0, "{prompt}: {}", stdout(&output));
    }
    let trace = format!("Trying 0 2 4 1 3 5\n{all}");
    assert_eq!(code(&with_input(&["check", "6"], &trace)), 0, "a trace beside all solutions");
    let (first, rest) = all.split_once('\n').expect("four lines");
    let output = with_input(&["check", "6"], &format!("Trying {}\n{rest}", first.replace('5', "4")));
    assert_eq!(code(&output), 2, "{}", stdout(&output));
    assert!(
        stderr(&output).contains("line 1: 'Trying 1 3 4 0 2 4' may be a board, or not"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn boards_side_by_side_are_unreadable_and_not_wrong() {
    let output = queenlab(&["check", "4", "side_by_side_4.txt"]);
    assert_eq!(code(&output), 2, "{}", stdout(&output));
    assert!(stderr(&output).contains("row 0 has 8 cells instead of 4"), "{}", stderr(&output));
}

#[test]
fn only_a_number_is_a_count_without_boards() {
    let output = with_input(&["check", "8", "--json"], "92\n");
    assert_eq!((code(&output), &json(&output)["verdict"]), (2, &Value::from("count only")));
    assert!(
        stderr(&output).contains("it states 92 solutions, the right number, and has no board"),
        "{}",
        stderr(&output)
    );
    let output = with_input(&["check", "8"], "There are 12 solutions.\n");
    assert!(
        code(&output) == 2 && stderr(&output).contains("it states 12 solutions of 92"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn boards_of_another_size_only_are_unreadable() {
    let output = with_input(&["check", "8"], "1 3 0 2\n2 0 3 1\n1 3 0 2 4\n");
    assert_eq!(code(&output), 2, "{}", stdout(&output));
    let eight = stdout(&queenlab(&["solve", "8", "--all", "--notation", "matrix"]));
    let output = with_input(&["check", "6"], &eight);
    assert_eq!(code(&output), 2, "{}", stdout(&output));
    assert!(stderr(&output).contains("row 0 has 8 cells instead of 6"), "{}", stderr(&output));
}

#[test]
fn a_large_board_is_judged_with_first_only() {
    let output = queenlab(&["solve", "30", "--solver", "sat/pairwise/varisat"]);
    let board = stdout(&output);
    assert_eq!(code(&with_input(&["check", "30", "--first"], &board)), 0);
    let all = with_input(&["check", "40", "--json"], "");
    assert_eq!((code(&all), &json(&all)["verdict"]), (1, &Value::from("unknown")));
}

#[cfg(unix)]
mod programs {
    use std::fs;

    use super::*;
    use crate::processes::{until, until_gone, within_some_limit};

    fn python(arguments: &[&str]) -> Output {
        let (options, command) =
            arguments.split_at(arguments.iter().position(|&a| a == "--").expect("--") + 1);
        queenlab(&[&["check", "--timeout", "1h"], options, &["python3", "-B"], command].concat())
    }

    #[test]
    fn programs_are_started_and_judged() {
        for n in ["4", "6", "8"] {
            let output = python(&[n, "--", "queens_lists.py", n]);
            assert_eq!(code(&output), 0, "{}{}", stdout(&output), stderr(&output));
        }
        for n in ["2", "3", "4", "8"] {
            assert_eq!(code(&python(&[n, "--first", "--", "queens_first_matrix.py", n])), 0, "{n}");
        }
    }

    #[test]
    fn wrong_programs_are_found_out() {
        let output = python(&["8", "--", "queens_half_board.py", "8"]);
        assert_eq!(code(&output), 3);
        assert!(stdout(&output).contains("you print only one of each mirror pair (left and right)"));
        let output = python(&["5", "--", "queens_one_diagonal.py", "5"]);
        assert_eq!(code(&output), 3);
        assert!(stdout(&output).contains("same diagonal"), "{}", stdout(&output));
        assert_eq!(code(&python(&["8", "--", "queens_first_matrix.py", "8"])), 3);
    }

    #[test]
    fn the_board_size_stands_for_its_place_in_a_command_as_in_a_sweep() {
        let output = python(&["6", "--", "queens_lists.py", "{n}"]);
        assert_eq!(code(&output), 0, "{}{}", stdout(&output), stderr(&output));
        let output = queenlab(&[
            "check",
            "4",
            "--",
            "sh",
            "-c",
            "echo {n} >&2; echo 1 3 0 2; echo 2 0 3 1; [ n{n} = n4 ]",
        ]);
        assert_eq!(code(&output), 0, "{}", stdout(&output));
        // A program without its argument, and one that reads it from standard input.
        let output = python(&["5", "--", "queens_lists.py"]);
        assert_eq!(code(&output), 1, "{}", stdout(&output));
        let told = "the command does not contain the board size: write {n} where the program expects it, or add --stdin if it \
                    reads it from its standard input";
        assert!(stderr(&output).contains(told), "{}", stderr(&output));
        let read = "read n; [ $n = 4 ] && echo 1 3 0 2 && echo 2 0 3 1";
        let output = queenlab(&["check", "4", "--", "sh", "-c", &format!("echo {{n}} | sh -c '{read}'")]);
        assert_eq!(code(&output), 0, "{}{}", stdout(&output), stderr(&output));
    }

    /// Two read the size, one of them with its own message; the third has it as its argument.
    #[test]
    fn programs_that_read_the_size_from_their_standard_input_are_judged() {
        let directory = tempfile::tempdir().expect("a directory");
        let class = directory.path().to_str().expect("UTF-8");
        let boards = "print({4: '1 3 0 2\\n2 0 3 1', 6: '1 3 5 0 2 4'}[n])";
        let write = |name: &str, text: &str| fs::write(directory.path().join(name), text).expect("written");
        write("ada.py", &format!("n = int(input('Board size? '))\n{boards}\n"));
        write(
            "bob.sh",
            "read n || { echo 'end of file' >&2; exit 1; }\necho 1 3 0 2; if [ $n = 4 ]; then echo 2 0 3 1; fi\n",
        );
        write("cleo.py", &format!("import sys\nn = int(sys.argv[1])\n{boards}\n"));
        write("dora.py", "print({4: 2, 6: 4}[int(input())])\n");
        let output = queenlab(&["check", "--batch", class, "--n", "4,6", "--timeout", "1h"]);
        let text = stdout(&output);
        let cells = |name: &str| -> Vec<String> {
            let line = text.lines().find(|line| line.starts_with(name)).expect(name);
            line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).map(str::to_owned).collect()
        };
        assert_eq!(cells("ada.py"), ["ada.py", "correct", "wrong", "1 of 2"], "{text}");
        assert_eq!(cells("bob.sh"), ["bob.sh", "correct", "unreadable", "1 of 2"], "{text}");
        assert_eq!(cells("cleo.py"), ["cleo.py", "correct", "wrong", "1 of 2"], "{text}");
        assert_eq!(cells("dora.py"), ["dora.py", "count only", "count only", "0 of 2"], "{text}");
        let ada = directory.path().join("ada.py");
        let ada = ada.to_str().expect("UTF-8");
        for options in [&["--stdin"][..], &[]] {
            let output = queenlab(&[&["check", "4"], options, &["--", "python3", "-B", ada]].concat());
            assert_eq!(code(&output), 0, "{}{}", stdout(&output), stderr(&output));
        }
        let output = queenlab(&["check", "4", "--stdin", "--", "./no-such-program"]);
        assert_eq!(code(&output), 1, "{}", stdout(&output));
        assert_eq!(code(&queenlab(&["check", "4", "--stdin", "empty.txt"])), 2);
    }

    #[test]
    fn a_batch_follows_no_links_and_judges_files_as_they_were_handed_in() {
        let directory = tempfile::tempdir().expect("a directory");
        let class = directory.path().join("class");
        fs::create_dir(&class).expect("a directory");
        let secret = directory.path().join("secret");
        fs::write(&secret, "the first line of a secret\n").expect("written");
        std::os::unix::fs::symlink(&secret, class.join("ada_4.txt")).expect("a link");
        let victim = class.join("zoe_4.txt");
        fs::write(&victim, "1 3 0 2\n2 0 3 1\n").expect("written");
        let program = class.join("zed.sh");
        fs::write(&program, "echo 1 3 0 2; echo 2 0 3 1\n").expect("written");
        let [text, later] = [&victim, &program].map(|path| path.display().to_string());
        let attack =
            format!("for f in '{text}' '{later}'; do echo 0 0 0 0 > $f; done; echo 1 3 0 2; echo 2 0 3 1\n");
        fs::write(class.join("eve.sh"), attack).expect("written");
        let csv = directory.path().join("points.csv");
        let path = |path: &Path| path.to_str().expect("UTF-8").to_owned();
        let output = queenlab(&["check", "--batch", &path(&class), "--n", "4", "--csv", &path(&csv)]);
        let told = "warning: ada_4.txt is ignored: it is a symbolic link\n\
                    warning: zed.sh was changed during the batch: it is judged as it was handed in\n";
        assert_eq!((code(&output), stderr(&output).as_str()), (0, told), "{}", stdout(&output));
        let rows = fs::read_to_string(&csv).expect("a table");
        assert!(!rows.contains("secret"), "{rows}");
        assert!(
            ["zoe_4.txt", "zed.sh"].iter().all(|name| rows.contains(&format!("\n{name},4,correct,1,"))),
            "{rows}"
        );
    }

    #[test]
    fn an_interrupted_batch_writes_what_it_has_and_exits_with_130() {
        let directory = tempfile::tempdir().expect("a directory");
        let class = directory.path().join("class");
        fs::create_dir(&class).expect("a directory");
        let (csv, pid) = (directory.path().join("p.csv"), directory.path().join("pid"));
        fs::write(class.join("ada.sh"), "echo 1 3 0 2; echo 2 0 3 1\n").expect("written");
        fs::write(class.join("bob.sh"), format!("echo $$ > {}; sleep 3600\n", pid.display()))
            .expect("written");
        fs::write(class.join("cleo.sh"), "echo 1 3 0 2\n").expect("written");
        let mut command = Command::new(env!("CARGO_BIN_EXE_queenlab"));
        command.arg("check").arg("--batch").arg(&class).args(["--n", "4", "--timeout", "1h", "--csv"]);
        command.arg(&csv).stdout(Stdio::piped()).stderr(Stdio::piped());
        let batch = Guard::start(&mut command);
        let program = until("the second program tells its process", || told(&pid));
        batch.signal(rustix::process::Signal::TERM);
        let output = batch.output();
        assert_eq!(code(&output), 130, "{}", stderr(&output));
        let told = "interrupted while checking bob.sh: 1 of 3 submissions are checked, and only these are in the results\n";
        assert_eq!(stderr(&output), told);
        assert!(stdout(&output).contains("\n1 submission: 1 correct, 0 wrong,"), "{}", stdout(&output));
        let rows = fs::read_to_string(&csv).expect("a table");
        assert!(rows.lines().count() == 2 && rows.contains("\nada.sh,4,correct,1,"), "{rows}");
        until_gone(&[program]);
    }

    #[test]
    fn a_batch_judges_programs_and_print_outs_at_every_size() {
        let directory = tempfile::tempdir().expect("a directory");
        let class = directory.path().join("class");
        fs::create_dir(&class).expect("a directory");
        for file in
            ["queens_lists.py", "queens_half_board.py", "queens_dies.py", "java_lists_4.txt", "prose.txt"]
        {
            fs::copy(data().join(file), class.join(file)).expect("copied");
        }
        fs::create_dir(class.join("folder")).expect("a directory");
        let csv = directory.path().join("points.csv");
        let path = |path: &Path| path.to_str().expect("UTF-8").to_owned();
        let output = queenlab(&["check", "--batch", &path(&class), "--n", "4-6", "--csv", &path(&csv)]);
        assert_eq!(code(&output), 3, "{}{}", stdout(&output), stderr(&output));
        let text = stdout(&output);
        let line = |name: &str| text.lines().find(|line| line.starts_with(name)).expect(name).to_owned();
        assert_eq!(
            line("queens_lists.py").split_whitespace().collect::<Vec<_>>(),
            ["queens_lists.py", "correct", "correct", "correct", "3", "of", "3"]
        );
        assert!(line("java_lists_4.txt").ends_with("1 of 1"), "{text}");
        assert!(line("queens_half_board.py").ends_with("0 of 3"), "{text}");
        assert!(line("prose.txt").contains("unreadable"), "{text}");
        assert!(text.contains("5 submissions: 2 correct, 1 wrong, 1 unreadable, 1 unfinished\n"), "{text}");
        assert!(stderr(&output).contains("folder is ignored"), "{}", stderr(&output));
        let rows = fs::read_to_string(&csv).expect("a table");
        assert_eq!(rows.lines().count(), 1 + 3 * 3 + 2, "{rows}");
        assert!(rows.contains("\nqueens_half_board.py,6,wrong,0,2,2,4,0,0,2,,"), "{rows}");
        let output = queenlab(&["check", "--batch", &path(&class), "--n", "4", "--json"]);
        let submissions = json(&output).as_array().expect("a list").len();
        assert_eq!((code(&output), submissions), (3, 5));
        assert_eq!(code(&queenlab(&["check", "--batch", &path(&class)])), 2, "no sizes");
        assert_eq!(code(&queenlab(&["check", "--batch", &path(&class.join("folder")), "--n", "4"])), 2);
        assert_eq!(code(&queenlab(&["check"])), 2, "no size");
    }

    #[test]
    fn a_print_out_is_judged_only_at_the_whole_number_that_ends_its_name() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().to_str().expect("UTF-8");
        fs::copy(data().join("java_lists_4.txt"), directory.path().join("java_14.txt")).expect("copied");
        let output = queenlab(&["check", "--batch", path, "--n", "4-6"]);
        assert_eq!(code(&output), 2, "{}", stdout(&output));
        assert!(stdout(&output).contains("end its name with the size"), "{}", stdout(&output));
    }

    /// The process id that a program wrote into a file, once it is all there.
    fn told(file: &Path) -> Option<u32> {
        fs::read_to_string(file).ok()?.strip_suffix('\n')?.parse().ok()
    }

    /// Checks a program that hangs, with a time limit; the limit, and the process that the program told of.
    fn hangs(file: &Path, command: &[&str]) -> (Output, String, u32) {
        within_some_limit("a program that tells its child", |limit| {
            let limit = format!("{}s", 2 * limit.as_secs());
            let _ = fs::remove_file(file);
            let output = queenlab(&[&["check", "4", "--timeout", &limit, "--"], command].concat());
            told(file).map(|child| (output, limit, child))
        })
    }

    #[test]
    fn a_program_that_hangs_is_reported_as_that_and_ended_with_its_child() {
        let directory = tempfile::tempdir().expect("a directory");
        let file = directory.path().join("child");
        let path = file.to_str().expect("UTF-8");
        for (printed, expected) in [("1 3 0 2", 1), ("2 0 3 1\n1 3 0", 1), ("1 3 0 2\n1 3 0 2\n0 0 0 3", 3)] {
            let (output, limit, child) = hangs(&file, &["python3", "-B", "queens_hangs.py", path, printed]);
            assert_eq!(code(&output), expected, "{printed}: {}{}", stdout(&output), stderr(&output));
            let ended = format!("the program was stopped after {limit}, its time limit");
            assert!(stdout(&output).contains(&ended), "{}", stdout(&output));
            until_gone(&[child]);
        }
    }

    #[test]
    fn a_program_that_floods_is_ended() {
        let output = python(&["4", "--", "queens_floods.py"]);
        assert_eq!(code(&output), 3);
        assert!(stdout(&output).contains("reading stopped after 1000 boards"), "{}", stdout(&output));
        let one_line = "tr '\\0' x < /dev/zero";
        let output = queenlab(&["check", "4", "--json", "--timeout", "1h", "--", "sh", "-c", one_line]);
        assert_eq!((code(&output), &json(&output)["verdict"]), (2, &Value::from("unreadable")));
        assert!(stderr(&output).contains("longer than a board can be"), "{}", stderr(&output));
    }

    #[test]
    fn a_program_that_dies_is_reported_as_that_and_its_last_half_line_is_no_fault() {
        let output = python(&["4", "--", "queens_dies.py"]);
        assert_eq!(code(&output), 1);
        let text = stdout(&output);
        assert!(
            text.contains("failed with exit code 1; its last message: IndexError: list index out of range"),
            "{text}"
        );
        assert!(text.starts_with("unfinished: 4 queens: 1 board read, none of them wrong\n"), "{text}");
        let output = queenlab(&["check", "4", "--", "sh", "-c", "echo 0 2 3 1; kill -9 $$"]);
        assert_eq!(code(&output), 3);
        assert!(stdout(&output).contains("killed by signal 9"), "{}", stdout(&output));
        assert_eq!(code(&queenlab(&["check", "4", "--", "./no-such-program"])), 1);
    }

    #[test]
    fn a_child_left_behind_that_holds_the_output_is_not_waited_for() {
        let script = "echo 1 3 0 2; echo 2 0 3 1; sleep 3600 &";
        let output = queenlab(&["check", "4", "--timeout", "10m", "--", "sh", "-c", script]);
        assert_eq!(code(&output), 0, "{}", stdout(&output));
        assert!(!stdout(&output).contains("time limit"), "{}", stdout(&output));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_child_that_left_the_group_is_ended_too() {
        let directory = tempfile::tempdir().expect("a directory");
        let file = directory.path().join("child");
        let script = format!("setsid sh -c 'echo $$ > {}; exec sleep 3600' & sleep 3600", file.display());
        let (output, _, child) = hangs(&file, &["sh", "-c", &script]);
        assert_eq!(code(&output), 1, "{}", stdout(&output));
        until_gone(&[child]);
    }

    /// In a container that is started without a session of its own, `getsid` returns 0.
    #[test]
    #[cfg(target_os = "linux")]
    fn a_child_left_behind_in_a_container_is_ended_too() {
        let container = ["--user", "--map-root-user", "--pid", "--fork", "--mount-proc"];
        let starts = |command: &mut Command| command.output().is_ok_and(|output| output.status.success());
        if !starts(Command::new("unshare").args(container).arg("true")) {
            println!("not tested: this user cannot start a process in new namespaces");
            return;
        }
        let script = "echo 1 3 0 2; echo 2 0 3 1; setsid sleep 3600 & sleep 3600 &";
        let mut command = Command::new("unshare");
        command.args(container).arg(env!("CARGO_BIN_EXE_queenlab"));
        let output = command.args(["check", "4", "--timeout", "10m", "--", "sh", "-c", script]).output();
        let output = output.expect("unshare runs");
        assert_eq!(code(&output), 0, "{}{}", stdout(&output), stderr(&output));
    }

    #[test]
    fn an_interruption_ends_the_program_too() {
        let directory = tempfile::tempdir().expect("a directory");
        let file = directory.path().join("child");
        let mut command = Command::new(env!("CARGO_BIN_EXE_queenlab"));
        command.args(["check", "4", "--timeout", "1h", "--", "python3", "-B", "queens_hangs.py"]);
        command.arg(&file).arg("1 3 0 2").current_dir(data()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut check = Guard::start(&mut command);
        let child = until("the program tells its child", || told(&file));
        check.signal(rustix::process::Signal::TERM);
        assert_eq!(check.wait().expect("queenlab ends").code(), Some(130));
        until_gone(&[child]);
    }
}
