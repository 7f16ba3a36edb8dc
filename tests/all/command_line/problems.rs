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
fn a_generated_puzzle_repeats_and_has_one_solution() {
    let directory = scratch();
    let generate =
        |file| run_in(directory.path(), &["generate", "regions", "7", "--seed", "3", "-o", file]).0;
    assert_eq!((generate("a.txt"), generate("b.txt")), (0, 0));
    let text = read(directory.path(), "a.txt");
    assert_eq!((text.lines().count(), &text), (7, &read(directory.path(), "b.txt")));
    for solver in ["sat/pairwise/varisat", "sat/product/batsat/cubes", "backtrack/dlx"] {
        let arguments = ["solve", "--instance", "a.txt", "--solver", solver];
        let (code, stdout, stderr) = run_in(directory.path(), &arguments);
        assert_eq!((code, stdout.matches('Q').count()), (0, 7), "{solver}: {stdout}{stderr}");
        assert!(stderr.contains("this is the only solution"), "{stderr}");
    }
    for kind in [&["blocked", "8", "--squares", "20"][..], &["completion", "8", "--queens", "3"]] {
        let (code, stdout, _) = run(&[&["generate"], kind].concat());
        assert!(code == 0 && stdout.starts_with("n = 8\n"), "{stdout}");
    }
}

#[test]
fn invalid_problems_are_bad_input_with_their_place() {
    let directory = scratch();
    for (file, text, expected) in [
        ("count.txt", "AB\nCA\n", "count.txt: the puzzle has 3 different letters and 2 rows"),
        ("long.txt", "AB\nABA\n", "long.txt: line 2: 3 letters"),
        ("toml.toml", "n = 4\nplace = \"9:9\"\n", "square 9:9 is outside the board"),
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
        (&["generate", "regions", "30"], "for n from 5 to 12"),
        (&["generate", "completion", "4", "--queens", "9"], "no such instance was found"),
    ] {
        let (code, _, stderr) = run(arguments);
        assert!(code == 2 && stderr.contains(expected), "{arguments:?}: {code} {stderr}");
    }
}
