//! Variants, restricted squares and instances on the command line.

use crate::harness::{read, run, run_in, scratch, write};

#[test]
fn variants_are_solved_counted_by_definition_and_cross_checked() {
    let (code, stdout, stderr) = run(&["solve", "5", "--variant", "toroidal", "--all"]);
    assert_eq!((code, stderr.as_str(), stdout.lines().count()), (0, "", 10));
    for line in stdout.lines() {
        let columns: Vec<i32> = line.split(' ').map(|column| column.parse().expect("a column")).collect();
        for (row, column) in columns.iter().enumerate() {
            for (other_row, other) in columns.iter().enumerate().filter(|(other, _)| *other < row) {
                let rows = (row - other_row) as i32;
                let columns = column - other;
                assert!(columns != 0 && (rows - columns) % 5 != 0 && (rows + columns) % 5 != 0, "{line}");
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
fn queens_are_placed_and_squares_forbidden() {
    let all = |arguments: &[&str]| run(&[&["solve", "6", "--all"], arguments].concat()).1;
    assert_eq!(all(&[]).lines().count(), 4);
    assert_eq!(all(&["--place", "0:1"]), "1 3 5 0 2 4\n");
    assert_eq!(all(&["--forbid", "0:1,0:2"]).lines().count(), 2);
    assert_eq!(all(&["--exclude-diagonals", "s1"]).lines().count(), 2);
    let (code, stdout, stderr) = run(&["solve", "6", "--place", "0:0"]);
    assert_eq!((code, stdout.as_str()), (0, ""), "no solution is an answer");
    assert!(stderr.contains("there is no solution"), "{stderr}");
    for solver in ["backtrack/dlx", "sat/pairwise/varisat", "sat/pairwise/batsat/cubes"] {
        let (code, stdout, _) = run(&["solve", "6", "--place", "0:1,0:2", "--all", "--solver", solver]);
        assert_eq!((code, stdout.as_str()), (0, ""), "{solver}: two queens in one row");
    }
    let dimacs = run(&["encode", "6", "--place", "0:1", "--forbid", "5:0"]).1;
    assert!(dimacs.lines().any(|line| line == "2 0") && dimacs.lines().any(|line| line == "-31 0"));
}

#[test]
fn a_puzzle_has_one_solution_for_every_solver() {
    let directory = scratch();
    write(directory.path(), "a.txt", "BBBAAAD\nBCBAADD\nECCCFDD\nEEEEFFD\nEEEFFFF\nEEEEEFF\nEEGEFFF\n");
    for solver in ["sat/pairwise/varisat", "sat/product/batsat/cubes", "backtrack/dlx"] {
        let arguments = ["solve", "--instance", "a.txt", "--solver", solver, "--all", "--notation", "matrix"];
        let (code, stdout, stderr) = run_in(directory.path(), &arguments);
        assert_eq!((code, stdout.matches('Q').count()), (0, 7), "{solver}: {stdout}{stderr}");
    }
}

#[test]
fn a_generated_instance_repeats() {
    for kind in [&["excluded-diagonals", "8", "--count", "6"][..], &["completion", "8", "--queens", "3"]] {
        let generate = |seed: &str| run(&[&["generate"], kind, &["--seed", seed]].concat());
        let (code, stdout, _) = generate("3");
        assert!(code == 0 && stdout.starts_with("n = 8\n"), "{stdout}");
        assert_eq!(generate("3").1, stdout);
        assert_ne!(generate("4").1, stdout);
    }
}

#[test]
fn invalid_problems_are_bad_input_with_their_place() {
    let directory = scratch();
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZa\n".repeat(27);
    for (file, text, expected) in [
        ("count.txt", "AB\nCA\n", "count.txt: the puzzle has 3 different letters and 2 rows"),
        ("long.txt", "AB\nABA\n", "long.txt: line 2: 3 letters"),
        ("few.txt", "AA\nAA\n", "few.txt: the puzzle has 1 different letters and 2 rows"),
        ("letters.txt", &letters, "letters.txt: line 1, column 27: 'a' is the letter of a 27th region"),
        ("sign.txt", "AB\nA[\n", "sign.txt: line 2, column 2: '[' is not a letter"),
        ("toml.toml", "n = 4\nplace = \"9:9\"\n", "square 9:9 is outside the board"),
        (
            "both.toml",
            "n = 4\nplace = \"0:1\"\nforbid = \"0:1\"\n",
            "both.toml: square 0:1 must hold a queen, but",
        ),
        ("diagonal.toml", "n = 4\nexclude_diagonals = \"s7\"\n", "diagonal s7 has no square on the board"),
        (
            "row.toml",
            "n = 3\nforbid = \"1:0,1:1,1:2\"\n",
            "row.toml: row 1 needs a queen, but all its squares are",
        ),
        (
            "region.toml",
            "n = 2\nregions = [\"AA\", \"AB\"]\nforbid = \"1:1\"\n",
            "region.toml: region B needs a queen, but all its squares are",
        ),
        ("column.param", "letting n = 2\nletting blocks = [[1, 2], [2, 2]]\n", "column 1 needs a queen, but"),
    ] {
        write(directory.path(), file, text);
        let (code, _, stderr) = run_in(directory.path(), &["solve", "--instance", file]);
        assert!(code == 2 && stderr.contains(expected), "{code} {stderr}");
    }
    for (arguments, expected) in [
        (&["solve"][..], "a board size is missing"),
        (&["solve", "8", "--variant", "kings"], "unknown variant 'kings'"),
        (&["solve", "8", "--place", "8:0"], "square 8:0 is outside the board"),
        (&["solve", "8", "--place", "1:1", "--forbid", "1:1"], "square 1:1 must hold a queen, but"),
        (
            &["solve", "8", "--variant", "toroidal", "--solver", "backtrack/bitmask"],
            "solves only the plain board",
        ),
        (&["encode", "8", "--variant", "semiqueens", "--symmetry", "full"], "leave out --symmetry"),
        (&["solve", "8", "--forbid", "0:0", "--fundamental"], "--fundamental needs a problem"),
        (&["solve", "3", "--exclude-diagonals", "s0,s1,d-2"], "row 0 needs a queen, but all its squares are"),
        (&["check"], "required arguments were not provided"),
        (&["check", "eight", "--variant", "toroidal"], "'eight': a board size is a whole number from 0"),
        (&["check", "--batch", "."], "--batch needs board sizes, for example --n 4-8"),
        (
            &["certify", "33", "--variant", "toroidal"],
            "n = 33 exceeds 32, the largest board for certificates of",
        ),
        (&["certify"], "a board size is missing"),
        (&["count", "9", "--variant", "toroidal", "--solver", "count/auto"], "use sat/*, backtrack/dlx"),
        (
            &["count", "9", "--variant", "toroidal", "--fundamental"],
            "--fundamental works only for plain queens",
        ),
        (
            &["count", "9", "--variant", "toroidal", "--checkpoint", "x"],
            "--checkpoint works only for plain queens",
        ),
        (
            &["count", "9", "--variant", "toroidal", "--shard", "1/2", "--out", "x"],
            "--shard works only for plain queens",
        ),
        (&["count", "9", "--place", "0:1", "--merge", "x"], "--merge works only for plain queens"),
        (&["generate", "completion", "4", "--queens", "9"], "no such instance was found"),
    ] {
        let (code, _, stderr) = run(arguments);
        assert!(code == 2 && stderr.contains(expected), "{arguments:?}: {code} {stderr}");
    }
    // Two queens in one row are a problem without a solution.
    let (code, stdout, stderr) = run(&["solve", "6", "--place", "0:1,0:4"]);
    assert!(code == 0 && stdout.is_empty() && stderr.contains("there is no solution"), "{stderr}");
}

/// A puzzle whose only solution is 0 4 2 5 3 1, found by trying all permutations.
const PUZZLE: &str = "AAAAAA\nAABBBA\nAACAAA\nAACAAD\nAEEFFD\nAEEDDD\n";

/// Runs `check` with these arguments on a file with these boards.
fn check(arguments: &[&str], boards: &str) -> (i32, String) {
    let directory = scratch();
    write(directory.path(), "boards.txt", boards);
    write(directory.path(), "puzzle.txt", PUZZLE);
    let (code, stdout, stderr) =
        run_in(directory.path(), &[&["check"], arguments, &["--notation", "columns"]].concat());
    (code, stdout + &stderr)
}

#[test]
fn print_outs_of_a_variant_are_judged_by_its_rules() {
    let all = run(&["solve", "7", "--variant", "toroidal", "--all"]).1;
    let toroidal = ["7", "--variant", "toroidal", "boards.txt"];
    let (code, said) = check(&toroidal, &all);
    assert!(
        code == 0 && said.starts_with("correct: 7 queens (toroidal): all 28 solutions, each once\n"),
        "{said}"
    );
    assert!(said.contains("solutions  28 different of 28 (A051906), 28 boards read\n"), "{said}");
    assert!(!said.contains("up to symmetry"), "{said}");

    let (first, others) = all.split_once('\n').expect("28 lines");
    let (code, said) = check(&toroidal, others);
    assert!(
        code == 3 && said.contains("\nmissing: 1\n") && said.contains(&format!("\n  {first}\n")),
        "{said}"
    );
    let (code, said) = check(&toroidal, &format!("{all}{first}\n"));
    assert!(code == 3 && said.contains("29 boards: 1 duplicate"), "{said}");
    let mirrored = |line: &str| -> Vec<u32> {
        line.split(' ').map(|column| 6 - column.parse::<u32>().expect("a column")).collect()
    };
    let columns = |line: &str| -> Vec<u32> { mirrored(line).into_iter().map(|column| 6 - column).collect() };
    let half: String =
        all.lines().filter(|line| columns(line) < mirrored(line)).map(|line| format!("{line}\n")).collect();
    let (code, said) = check(&toroidal, &half);
    assert!(code == 3 && said.contains("you print only one of each mirror pair (left and right)"), "{said}");

    // A solution of the plain board.
    for (arguments, board, fault) in [
        (&toroidal[..], "1 3 0 6 4 2 5", "same diagonal, which continues on the opposite side"),
        (&["6", "--variant", "superqueens", "boards.txt"], "1 3 5 0 2 4", "a knight's move apart"),
        (&["5", "--variant", "reflecting", "boards.txt"], "0 2 4 1 3", "which is reflected at the top"),
        (&["4", "--variant", "semiqueens", "boards.txt"], "3 2 1 0", "same diagonal"),
        (
            &["4", "--variant", "rooks", "boards.txt"],
            "3 2 3 0",
            "row 0, column 3 and row 2, column 3: same column",
        ),
    ] {
        let (code, said) = check(&[arguments, &["--first"]].concat(), &format!("{board}\n"));
        assert!(code == 3 && said.contains(fault) && said.contains("X"), "{arguments:?}: {said}");
    }
    // A solution of semiqueens with two queens on a falling diagonal.
    assert_eq!(check(&["4", "--variant", "semiqueens", "boards.txt", "--first"], "0 1 2 3\n").0, 0);
}

#[test]
fn placed_queens_and_forbidden_squares_are_judged_and_their_solutions_counted() {
    let all = "1 3 5 0 2 4\n2 5 1 4 0 3\n3 0 4 1 5 2\n4 2 0 5 3 1\n";
    let placed = ["6", "boards.txt", "--place", "0:1", "--forbid", "5:5"];
    let (code, said) = check(&placed, all);
    assert!(
        code == 3 && said.starts_with("wrong: 6 queens (1 placed, 1 forbidden): 4 boards: 3 illegal\n"),
        "{said}"
    );
    assert!(said.contains("1 different of 1 (backtrack/dlx), 4 boards read"), "{said}");
    assert!(said.contains("  line 2: row 0, column 1 must hold a queen\n"), "{said}");
    let (code, said) = check(&placed, "1 3 5 0 2 4\n");
    assert!(code == 0 && said.contains("the only solution, once"), "{said}");
    let (code, said) = check(&placed, "");
    assert!(
        code == 3 && said.contains("no solution, but 1 exist") && said.contains("  1 3 5 0 2 4\n"),
        "{said}"
    );
    // The forbidden square is marked.
    let none = ["6", "boards.txt", "--place", "0:1", "--forbid", "2:5"];
    let (code, said) = check(&none, "1 3 5 0 2 4\n");
    assert!(code == 3 && said.contains("row 2, column 5 must not hold a queen\n"), "{said}");
    assert!(said.contains("    . . . . . X\n"), "{said}");
    for arguments in [&none[..], &[&none[..], &["--first"]].concat()] {
        let (code, said) = check(arguments, "");
        assert!(code == 0 && said.contains("no solution, and none exists"), "{said}");
    }
    assert_eq!(check(&[&placed[..], &["--first"]].concat(), "").0, 2, "to print nothing says nothing");
    assert_eq!(check(&[&placed[..], &["--first"]].concat(), "no solution\n").0, 3);
    assert_eq!(check(&[&placed[..], &["--first"]].concat(), "1 3 5 0 2 4\n").0, 0);

    let directory = scratch();
    for (stated, expected, words) in
        [("1", 0, "1 solution (backtrack/dlx)"), ("4", 3, "4 solutions stated, but 1 exists (backtrack/dlx)")]
    {
        write(directory.path(), "count.txt", stated);
        let arguments = ["check", "6", "count.txt", "--count", "--place", "0:1"];
        let (code, stdout, _) = run_in(directory.path(), &arguments);
        assert!(code == expected && stdout.contains(words), "{stdout}");
    }
}

#[test]
fn boards_of_a_puzzle_are_judged_by_its_regions() {
    let puzzle = ["--instance", "puzzle.txt", "boards.txt"];
    let (code, said) = check(&puzzle, "0 4 2 5 3 1\n");
    assert!(code == 0 && said.starts_with("correct: 6 queens (regions): the only solution, once"), "{said}");
    let (code, said) = check(&puzzle, "1 4 2 5 3 0\n");
    assert!(code == 3 && said.contains("row 0, column 1 and row 5, column 0: same region A\n"), "{said}");
    assert!(said.contains("missing: 1\n  0 4 2 5 3 1\n"), "{said}");
    let (code, said) = check(&puzzle, "0 3 2 5 4 1\n");
    assert!(code == 3 && said.contains("row 1, column 3 and row 2, column 2: touching"), "{said}");
    // A board with a queen outside: no region is looked up.
    assert_eq!(check(&puzzle, "0 4 2 5 3 9\n").0, 3);
    assert_eq!(check(&["6", "boards.txt", "--instance", "puzzle.txt"], "0 4 2 5 3 1\n").0, 0);
    let (code, said) = check(&["5", "boards.txt", "--instance", "puzzle.txt"], "0 4 2 5 3 1\n");
    assert!(
        code == 2 && said.contains("puzzle.txt is a board of n = 6, not 5: leave out the size"),
        "{said}"
    );
    let (_, said) = check(&["--json", "--instance", "puzzle.txt", "boards.txt"], "0 4 2 5 3 1\n");
    let json: serde_json::Value = serde_json::from_str(&said).expect("JSON");
    assert_eq!((&json["n"], &json["expected_source"]), (&6.into(), &"backtrack/dlx".into()));
    assert_eq!(json["variant"], "regions;regions=AAAAAA/AABBBA/AACAAA/AACAAD/AEEFFD/AEEDDD");
    assert_eq!((&json["fundamental"], &json["verdict"]), (&serde_json::Value::Null, &"correct".into()));
}

#[cfg(unix)]
#[test]
fn programs_and_a_class_are_judged_by_the_rules_of_a_problem() {
    let directory = scratch();
    let class = directory.path().join("class");
    std::fs::create_dir(&class).expect("writable");
    write(directory.path(), "puzzle.txt", PUZZLE);
    for n in ["5", "7"] {
        let all = run(&["solve", n, "--variant", "toroidal", "--all"]).1;
        write(&class, &format!("ada_{n}.txt"), &all);
    }
    write(&class, "bob_7.txt", &run(&["solve", "7", "--all"]).1);
    let command = ["check", "7", "--variant", "toroidal", "--", "cat", "class/ada_7.txt"];
    assert_eq!(run_in(directory.path(), &command).0, 0);
    let command = ["check", "--instance", "puzzle.txt", "--", "echo", "0 4 2 5 3 1"];
    let (code, stdout, stderr) = run_in(directory.path(), &command);
    assert_eq!(code, 0, "{stdout}{stderr}");
    let batch = ["check", "--batch", "class", "--n", "5,7", "--variant", "toroidal"];
    let (code, stdout, _) = run_in(directory.path(), &batch);
    assert!(code == 3 && stdout.contains("3 submissions: 2 correct, 1 wrong"), "{stdout}");
    write(&class, "cora_6.txt", "0 4 2 5 3 1\n");
    let batch = ["check", "--batch", "class", "--instance", "puzzle.txt", "--json"];
    let (_, stdout, _) = run_in(directory.path(), &batch);
    let json: serde_json::Value = serde_json::from_str(&stdout).expect("JSON");
    assert_eq!((&json[3]["verdict"], &json[3]["points"]), (&"correct".into(), &1.into()), "{stdout}");
    assert_eq!(json[0]["points"], 0, "{stdout}");
}

#[test]
fn the_solutions_of_any_problem_are_certified_and_audited() {
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
            assert!(code == 0 && stdout.contains(&format!(": exactly {solutions}, proved\n")), "{stderr}");
            let audit = || run_in(directory.path(), &["certify", "--audit", "q/certificate.json"]);
            let (code, stdout, stderr) = audit();
            assert!(code == 0 && stdout.contains(&format!(": exactly {solutions}\n")), "{stderr}");
            // Its files are those of another problem.
            let text = read(directory.path(), "q/certificate.json");
            let changed = text.replacen(change.0, change.1, 1);
            assert_ne!(changed, text);
            write(directory.path(), "q/certificate.json", &changed);
            assert_eq!(audit().0, 3, "{arguments:?}: {change:?}");
        }
    }
}

#[test]
fn other_problems_are_counted_by_a_search_that_is_named() {
    let (code, stdout, stderr) = run(&["count", "11", "--variant", "toroidal"]);
    assert_eq!((code, stdout.as_str()), (0, "88\n"), "{stderr}");
    assert!(
        stderr.contains("count/auto counts only plain queens; backtrack/dlx counts this problem"),
        "{stderr}"
    );
    for solver in ["sat/pairwise/varisat/cubes", "backtrack/dlx"] {
        let arguments = ["count", "8", "--variant", "semiqueens", "--solver", solver];
        assert_eq!(run(&arguments), (0, "2113\n".to_owned(), String::new()));
    }
    let (code, stdout, _) = run(&["count", "6", "--place", "0:1", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&stdout).expect("JSON");
    assert_eq!((code, &json["solutions"], &json["variant"]), (0, &1.into(), &"queens;place=0:1".into()));
    assert_eq!(run(&["count", "6", "--place", "0:0", "-q"]), (0, "0\n".to_owned(), String::new()));
}
