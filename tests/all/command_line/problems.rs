//! Options for variants, placed queens, forbidden squares and instances.

use queenlab::record::Status;
use serde_json::Value;

use crate::harness::{assert_wording, read, refused, refused_in, rows, run, run_in, scratch, write};

#[test]
fn variants_are_solved_and_cross_checked() {
    let (code, stdout, stderr) = run(&["solve", "5", "--variant", "toroidal", "--all"]);
    assert_eq!((code, stderr.as_str(), stdout.lines().count()), (0, "", 10));
    for line in stdout.lines() {
        let columns: Vec<i32> = line.split(' ').map(|column| column.parse().expect("a column")).collect();
        for (row, column) in columns.iter().enumerate() {
            for (earlier_row, earlier_column) in columns.iter().enumerate().take(row) {
                let row_distance = (row - earlier_row) as i32;
                let column_distance = column - earlier_column;
                assert_ne!(column_distance, 0, "{line}");
                assert_ne!((row_distance - column_distance) % 5, 0, "{line}");
                assert_ne!((row_distance + column_distance) % 5, 0, "{line}");
            }
        }
    }
    let (code, stdout, _) = run(&["verify", "1-6", "--variant", "all", "--quiet"]);
    assert_eq!(code, 0, "{stdout}");
    for source in ["A000170", "A051906", "A099152", "A051223", "A007631"] {
        assert!(stdout.contains(source), "{source}: {stdout}");
    }
}

#[test]
fn options_place_and_forbid_restrict_solutions() {
    let solve_all = |arguments: &[&str]| run(&[&["solve", "6", "--all"], arguments].concat()).1;
    assert_eq!(solve_all(&[]).lines().count(), 4);
    assert_eq!(solve_all(&["--place", "0:1"]), "1 3 5 0 2 4\n");
    assert_eq!(solve_all(&["--forbid", "0:1,0:2"]).lines().count(), 2);
    assert_eq!(solve_all(&["--exclude-diagonals", "s1"]).lines().count(), 2);
    let (code, stdout, stderr) = run(&["solve", "6", "--place", "0:0"]);
    assert_eq!((code, stdout.as_str()), (0, ""), "a problem without solutions must not be an error");
    assert_wording("solve", "no solution with a placed queen", &stderr);
    for solver in ["backtrack/dlx", "sat/pairwise/varisat", "sat/pairwise/batsat/cubes"] {
        let (code, stdout, _) = run(&["solve", "6", "--place", "0:1,0:2", "--all", "--solver", solver]);
        assert_eq!((code, stdout.as_str()), (0, ""), "{solver}: two queens in one row");
    }
    let dimacs = run(&["encode", "6", "--place", "0:1", "--forbid", "5:0"]).1;
    assert!(dimacs.lines().any(|line| line == "2 0") && dimacs.lines().any(|line| line == "-31 0"));
}

#[test]
fn puzzle_is_solved_by_each_kind_of_solver() {
    let directory = scratch();
    write(directory.path(), "a.txt", "BBBAAAD\nBCBAADD\nECCCFDD\nEEEEFFD\nEEEFFFF\nEEEEEFF\nEEGEFFF\n");
    for solver in ["sat/pairwise/varisat", "sat/product/batsat/cubes", "backtrack/dlx"] {
        let arguments = ["solve", "--instance", "a.txt", "--solver", solver, "--all", "--notation", "matrix"];
        let (code, stdout, stderr) = run_in(directory.path(), &arguments);
        assert_eq!((code, stdout.matches('Q').count()), (0, 7), "{solver}: {stdout}{stderr}");
    }
}

#[test]
fn generated_instance_depends_only_on_its_arguments() {
    for kind in [&["excluded-diagonals", "8", "--count", "6"][..], &["completion", "8", "--queens", "3"]] {
        let generate = |seed: &str| run(&[&["generate"], kind, &["--seed", seed]].concat());
        let (code, stdout, _) = generate("3");
        assert!(code == 0 && stdout.starts_with("n = 8\n"), "{stdout}");
        assert_eq!(generate("3").1, stdout);
        assert_ne!(generate("4").1, stdout);
    }
}

#[test]
fn invalid_problem_is_refused_with_position() {
    let directory = scratch();
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZa\n".repeat(27);
    for (file, text, place) in [
        ("count.txt", "AB\nCA\n", ""),
        ("long.txt", "AB\nABA\n", "line 2"),
        ("few.txt", "AA\nAA\n", ""),
        ("letters.txt", &letters, "line 1, column 27"),
        ("sign.txt", "AB\nA[\n", "line 2, column 2"),
        ("toml.toml", "n = 4\nplace = \"9:9\"\n", "9:9"),
        ("both.toml", "n = 4\nplace = \"0:1\"\nforbid = \"0:1\"\n", "0:1"),
        ("diagonal.toml", "n = 4\nexclude_diagonals = \"s7\"\n", "s7"),
        ("row.toml", "n = 3\nforbid = \"1:0,1:1,1:2\"\n", "row 1"),
        ("region.toml", "n = 2\nregions = [\"AA\", \"AB\"]\nforbid = \"1:1\"\n", "region B"),
        ("column.param", "letting n = 2\nletting blocks = [[1, 2], [2, 2]]\n", "column 1"),
    ] {
        write(directory.path(), file, text);
        let error = refused_in(directory.path(), &["solve", "--instance", file]);
        assert!(error.contains(file) && error.contains(place), "{error}");
    }
    for (arguments, value) in [
        (&["solve"][..], ""),
        (&["solve", "8", "--variant", "kings"], "'kings'"),
        (&["solve", "8", "--place", "8:0"], "8:0"),
        (&["solve", "8", "--place", "1:1", "--forbid", "1:1"], "1:1"),
        (&["solve", "8", "--variant", "toroidal", "--solver", "backtrack/bitmask"], "backtrack/bitmask"),
        (&["encode", "8", "--variant", "semiqueens", "--symmetry", "full"], "--symmetry"),
        (&["solve", "8", "--forbid", "0:0", "--fundamental"], "--fundamental"),
        (&["solve", "3", "--exclude-diagonals", "s0,s1,d-2"], "row 0"),
        (&["check"], "<N>"),
        (&["check", "eight", "--variant", "toroidal"], "'eight'"),
        (&["check", "--batch", "."], "--n"),
        (&["certify", "33", "--variant", "toroidal"], "32"),
        (&["certify"], ""),
        (&["count", "9", "--variant", "toroidal", "--solver", "count/auto"], "backtrack/dlx"),
        (&["count", "9", "--variant", "toroidal", "--fundamental"], "--fundamental"),
        (&["count", "9", "--variant", "toroidal", "--checkpoint", "x"], "--checkpoint"),
        (&["count", "9", "--variant", "toroidal", "--shard", "1/2", "--out", "x"], "--shard"),
        (&["count", "9", "--place", "0:1", "--merge", "x"], "--merge"),
        (&["generate", "completion", "4", "--queens", "9"], ""),
    ] {
        let error = refused(arguments);
        assert!(error.contains(value), "{arguments:?}: {error}");
    }
    // Two queens in one row are a problem without a solution.
    let (code, stdout, stderr) = run(&["solve", "6", "--place", "0:1,0:4"]);
    assert_eq!((code, stdout.as_str()), (0, ""), "{stderr}");
    assert_wording("solve", "no solution with two queens in a row", &stderr);
}

/// A puzzle whose only solution is 0 4 2 5 3 1, found by trying all permutations.
const PUZZLE: &str = "AAAAAA\nAABBBA\nAACAAA\nAACAAD\nAEEFFD\nAEEDDD\n";

/// Runs `check` with these arguments on a file with these boards, as text and as JSON. Compares the text with its snapshot. Returns
/// the exit code, the JSON and the text.
fn check(situation: &str, arguments: &[&str], boards: &str) -> (i32, Value, String) {
    let directory = scratch();
    write(directory.path(), "boards.txt", boards);
    write(directory.path(), "puzzle.txt", PUZZLE);
    let arguments = [&["check"], arguments, &["--notation", "columns"]].concat();
    let (code, stdout, stderr) = run_in(directory.path(), &arguments);
    let text = stdout + &stderr;
    assert_wording("check", situation, &text);
    let (json_code, stdout, stderr) = run_in(directory.path(), &[&arguments[..], &["--json"]].concat());
    assert_eq!(json_code, code, "{stdout}{stderr}");
    (code, serde_json::from_str(&stdout).unwrap_or_default(), text)
}

/// The numbers of illegal, duplicate and missing boards in the JSON.
fn error_counts(json: &Value) -> [Option<u64>; 3] {
    ["illegal", "duplicates", "missing"].map(|key| json[key].as_u64())
}

#[test]
fn boards_of_variant_are_judged_by_variant_rules() {
    let all_solutions = run(&["solve", "7", "--variant", "toroidal", "--all"]).1;
    let toroidal_arguments = ["7", "--variant", "toroidal", "boards.txt"];
    let (code, json, _) = check("all toroidal solutions", &toroidal_arguments, &all_solutions);
    assert_eq!((code, error_counts(&json)), (0, [Some(0); 3]), "{json}");
    assert_eq!(
        (&json["solutions"], &json["expected"], &json["boards"]),
        (&28.into(), &28.into(), &28.into())
    );
    assert_eq!((&json["expected_source"], &json["fundamental"]), (&"A051906".into(), &Value::Null));

    let (first_board, other_boards) = all_solutions.split_once('\n').expect("28 lines");
    let (code, json, text) = check("a missing toroidal solution", &toroidal_arguments, other_boards);
    assert_eq!((code, error_counts(&json)), (3, [Some(0), Some(0), Some(1)]));
    assert!(text.contains(&format!("\n  {first_board}\n")), "{text}");
    let (code, json, _) =
        check("a toroidal solution twice", &toroidal_arguments, &format!("{all_solutions}{first_board}\n"));
    assert_eq!((code, error_counts(&json)), (3, [Some(0), Some(1), Some(0)]));
    let mirror_image = |line: &str| -> Vec<u32> {
        line.split(' ').map(|column| 6 - column.parse::<u32>().expect("a column")).collect()
    };
    let columns =
        |line: &str| -> Vec<u32> { mirror_image(line).into_iter().map(|column| 6 - column).collect() };
    let one_of_each_pair: String = all_solutions
        .lines()
        .filter(|line| columns(line) < mirror_image(line))
        .map(|line| format!("{line}\n"))
        .collect();
    let (code, json, _) = check("one of each mirror pair", &toroidal_arguments, &one_of_each_pair);
    assert_eq!((code, error_counts(&json)), (3, [Some(0), Some(0), Some(14)]));
    assert!(json["pattern"].is_string(), "{json}");

    // Boards that are not solutions of the variant. Some of these boards are solutions of plain queens.
    for (arguments, board) in [
        (&toroidal_arguments[..], "1 3 0 6 4 2 5"),
        (&["6", "--variant", "superqueens", "boards.txt"], "1 3 5 0 2 4"),
        (&["5", "--variant", "reflecting", "boards.txt"], "0 2 4 1 3"),
        (&["4", "--variant", "semiqueens", "boards.txt"], "3 2 1 0"),
        (&["4", "--variant", "rooks", "boards.txt"], "3 2 3 0"),
    ] {
        let situation = format!("not a solution of {}", arguments[2]);
        let (code, json, text) =
            check(&situation, &[arguments, &["--first"]].concat(), &format!("{board}\n"));
        assert_eq!((code, json["illegal"].as_u64()), (3, Some(1)), "{arguments:?}: {text}");
        assert!(text.contains('X'), "{arguments:?}: {text}");
    }
    // A solution of semiqueens with two queens on a falling diagonal.
    let semiqueens = ["4", "--variant", "semiqueens", "boards.txt", "--first"];
    assert_eq!(check("a solution of semiqueens", &semiqueens, "0 1 2 3\n").0, 0);
}

#[test]
fn boards_violating_placed_or_forbidden_squares_are_wrong() {
    let plain_solutions = "1 3 5 0 2 4\n2 5 1 4 0 3\n3 0 4 1 5 2\n4 2 0 5 3 1\n";
    let solution = "1 3 5 0 2 4\n";
    let placed_arguments = ["6", "boards.txt", "--place", "0:1", "--forbid", "5:5"];
    let (code, json, _) = check("boards without the placed queen", &placed_arguments, plain_solutions);
    assert_eq!((code, error_counts(&json)), (3, [Some(3), Some(0), Some(0)]));
    assert_eq!((&json["expected"], &json["boards"]), (&1.into(), &4.into()));
    assert_eq!(json["expected_source"], "backtrack/dlx");
    let (code, json, _) = check("the only solution", &placed_arguments, solution);
    assert_eq!((code, error_counts(&json)), (0, [Some(0); 3]));
    let (code, json, text) = check("nothing, but one exists", &placed_arguments, "");
    assert_eq!((code, error_counts(&json)), (3, [Some(0), Some(0), Some(1)]));
    assert!(text.contains("  1 3 5 0 2 4\n"), "{text}");
    // The board of the report marks the queen on the forbidden square.
    let unsolvable_arguments = ["6", "boards.txt", "--place", "0:1", "--forbid", "2:5"];
    let (code, json, text) = check("a queen on a forbidden square", &unsolvable_arguments, solution);
    assert_eq!((code, json["illegal"].as_u64()), (3, Some(1)));
    assert!(text.contains("    . . . . . X\n"), "{text}");
    for (situation, arguments) in [
        ("nothing, and none exists", &unsolvable_arguments[..]),
        ("nothing, and none exists, --first", &[&unsolvable_arguments[..], &["--first"]].concat()),
    ] {
        let (code, json, _) = check(situation, arguments, "");
        assert_eq!((code, json["verdict"].as_str()), (0, Some("correct")));
    }
    for (situation, boards, code) in
        [("nothing", "", 2), ("\"no solution\"", "no solution\n", 3), ("a solution", solution, 0)]
    {
        let situation = format!("{situation} instead of the first of the placed");
        assert_eq!(
            check(&situation, &[&placed_arguments[..], &["--first"]].concat(), boards).0,
            code,
            "{situation}"
        );
    }

    let directory = scratch();
    for (stated, expected) in [("1", 0), ("4", 3)] {
        write(directory.path(), "count.txt", stated);
        let arguments = ["check", "6", "count.txt", "--count", "--place", "0:1"];
        let (code, stdout, _) = run_in(directory.path(), &arguments);
        assert!(code == expected && stdout.contains("backtrack/dlx"), "{stdout}");
        assert_wording("check", &format!("number {stated} of one solution"), &stdout);
    }
}

#[test]
fn boards_of_a_puzzle_are_judged_by_regions() {
    let puzzle = ["--instance", "puzzle.txt", "boards.txt"];
    let (code, json, _) = check("the solution of a puzzle", &puzzle, "0 4 2 5 3 1\n");
    assert_eq!((code, error_counts(&json)), (0, [Some(0); 3]));
    assert_eq!((&json["n"], &json["expected_source"]), (&6.into(), &"backtrack/dlx".into()));
    assert_eq!(json["variant"], "regions;regions=AAAAAA/AABBBA/AACAAA/AACAAD/AEEFFD/AEEDDD");
    assert_eq!((&json["fundamental"], &json["verdict"]), (&Value::Null, &"correct".into()));
    let (code, json, text) = check("two queens in a region", &puzzle, "1 4 2 5 3 0\n");
    assert_eq!((code, error_counts(&json)), (3, [Some(1), Some(0), Some(1)]));
    assert!(text.contains("\n  0 4 2 5 3 1\n"), "{text}");
    let (code, json, _) = check("two queens that touch", &puzzle, "0 3 2 5 4 1\n");
    assert_eq!((code, json["illegal"].as_u64()), (3, Some(1)));
    // A queen outside the board has no region.
    assert_eq!(check("a queen outside", &puzzle, "0 4 2 5 3 1\n0 4 2 5 3 9\n").0, 3);
    let with_size = |n| [n, "boards.txt", "--instance", "puzzle.txt"];
    assert_eq!(check("the size of a puzzle", &with_size("6"), "0 4 2 5 3 1\n").0, 0);
    let (code, _, text) = check("another size than the puzzle's", &with_size("5"), "0 4 2 5 3 1\n");
    assert!(code == 2 && text.contains("puzzle.txt") && text.contains("size 6"), "{text}");
}

#[cfg(unix)]
#[test]
fn programs_and_submissions_are_judged_by_problem_rules() {
    let directory = scratch();
    let class = directory.path().join("class");
    std::fs::create_dir(&class).expect("writable");
    write(directory.path(), "puzzle.txt", PUZZLE);
    for n in ["5", "7"] {
        let all_solutions = run(&["solve", n, "--variant", "toroidal", "--all"]).1;
        write(&class, &format!("ada_{n}.txt"), &all_solutions);
    }
    write(&class, "bob_7.txt", &run(&["solve", "7", "--all"]).1);
    let command = ["check", "7", "--variant", "toroidal", "--", "cat", "class/ada_7.txt"];
    assert_eq!(run_in(directory.path(), &command).0, 0);
    let command = ["check", "--instance", "puzzle.txt", "--", "echo", "0 4 2 5 3 1"];
    let (code, stdout, stderr) = run_in(directory.path(), &command);
    assert_eq!(code, 0, "{stdout}{stderr}");
    let batch = ["check", "--batch", "class", "--n", "5,7", "--variant", "toroidal"];
    let (code, stdout, _) = run_in(directory.path(), &batch);
    let summary = stdout.lines().find(|line| line.starts_with("3 submissions: "));
    assert_eq!(code, 3, "{stdout}");
    assert_wording("check", "a batch of toroidal boards", summary.unwrap_or_else(|| panic!("{stdout}")));
    write(&class, "cora_6.txt", "0 4 2 5 3 1\n");
    let batch = ["check", "--batch", "class", "--instance", "puzzle.txt", "--json"];
    let (_, stdout, _) = run_in(directory.path(), &batch);
    let json: Value = serde_json::from_str(&stdout).expect("JSON");
    assert_eq!((&json[3]["verdict"], &json[3]["points"]), (&"correct".into(), &1.into()), "{stdout}");
    assert_eq!(json[0]["points"], 0, "{stdout}");
}

#[test]
fn solutions_of_any_problem_are_certified_and_audited() {
    for (arguments, solutions, change) in [
        (&["7", "--variant", "toroidal"][..], "28 solutions", ("toroidal", "superqueens")),
        (&["7", "--variant", "toroidal"], "28 solutions", ("\"variant\": \"toroidal\",", "")),
        (&["7", "--variant", "toroidal"], "28 solutions", ("toroidal", "toroidal;forbid=0:0")),
        (&["--instance", "puzzle.txt"], "1 solution", ("AEEFFD", "AEFFFD")),
        (&["--instance", "puzzle.txt"], "1 solution", ("AEEDDD", "AEEDDD;place=0:0")),
        (&["6", "--place", "0:1", "--forbid", "5:5"], "1 solution", ("place=0:1", "place=0:2")),
        (&["6", "--place", "0:1", "--forbid", "5:5"], "1 solution", (";forbid=5:5", "")),
        (&["6"], "4 solutions", ("\"n\": 6,", "\"n\": 6, \"variant\": \"semiqueens\",")),
    ] {
        for method in ["cubes", "backtrack"] {
            let directory = scratch();
            write(directory.path(), "puzzle.txt", PUZZLE);
            let certify = ["certify", "--method", method, "--out", "q", "--keep", "-q"];
            let (code, stdout, stderr) = run_in(directory.path(), &[&certify, arguments].concat());
            assert!(code == 0 && stdout.contains(&format!(" {solutions}, ")), "{stderr}");
            let audit = || run_in(directory.path(), &["certify", "--audit", "q/certificate.json"]);
            let (code, stdout, stderr) = audit();
            assert!(code == 0 && stdout.contains(&format!(" {solutions}\n")), "{stderr}");
            // After the change, the certificate names another problem than its files prove.
            let text = read(directory.path(), "q/certificate.json");
            let changed = text.replacen(change.0, change.1, 1);
            assert_ne!(changed, text);
            write(directory.path(), "q/certificate.json", &changed);
            assert_eq!(audit().0, 3, "{arguments:?}: {change:?}");
        }
    }
}

#[test]
fn message_about_variant_count_names_the_solver() {
    let (code, stdout, stderr) = run(&["count", "11", "--variant", "toroidal"]);
    assert_eq!((code, stdout.as_str()), (0, "88\n"), "{stderr}");
    assert!(stderr.contains("backtrack/dlx") && stderr.lines().count() == 1, "{stderr}");
    assert_wording("count", "a toroidal board", &stderr);
    for solver in ["sat/pairwise/varisat/cubes", "backtrack/dlx"] {
        let arguments = ["count", "8", "--variant", "semiqueens", "--solver", solver];
        assert_eq!(run(&arguments), (0, "2113\n".to_owned(), String::new()));
    }
    let (code, stdout, _) = run(&["count", "6", "--place", "0:1", "--json"]);
    let json: Value = serde_json::from_str(&stdout).expect("JSON");
    assert_eq!((code, &json["solutions"], &json["variant"]), (0, &1.into(), &"queens;place=0:1".into()));
    assert_eq!(run(&["count", "6", "--place", "0:0", "-q"]), (0, "0\n".to_owned(), String::new()));
}

/// The list of squares is longer than the longest argument of a process. Therefore, the run reads its problem from standard input.
#[test]
fn sweep_measures_an_instance_with_20000_forbidden_squares() {
    let directory = scratch();
    let squares = (0..20_000).map(|square| (square / 100, 2 * (square % 100) + square / 100 % 2));
    let squares = squares.map(|(row, column)| format!("{row}:{column}"));
    let forbidden_squares = squares.collect::<Vec<_>>().join(",");
    assert!(forbidden_squares.len() > 128 << 10, "the list must be longer than any argument on Linux");
    write(directory.path(), "large.toml", &format!("n = 200\nforbid = \"{forbidden_squares}\"\n"));
    let sweep_with = |solver: &[&str]| {
        let sweep =
            ["sweep", "--instance", "large.toml", "--goal", "first", "--repeat", "1", "--fresh", "-o", "r"];
        let (_, _, stderr) = run_in(directory.path(), &[&sweep, solver].concat());
        // A sweep of a program also has solvers for comparison. These solvers solve only plain queens and are skipped.
        let rows = rows(&directory.path().join("r")).into_iter().filter(|row| row.status != Status::Skipped);
        (rows.map(|row| (row.status, row.exit_code)).collect::<Vec<_>>(), stderr)
    };
    // The run may time out, but it must have received the complete problem.
    let (runs, stderr) = sweep_with(&["--solver", "backtrack/dlx", "--timeout", "1s"]);
    assert!(runs.len() == 2 && runs.iter().all(|(status, _)| *status != Status::Crashed), "{stderr}");
    let program = ["--program", "sh -c 'echo {instance}; exit 7' {n}", "--timeout", "1h"];
    let (runs, stderr) = sweep_with(&program);
    assert_eq!(runs, [(Status::Crashed, Some(7))], "{stderr}");
}
