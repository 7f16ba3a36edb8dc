//! Wrong outputs that resemble right outputs.

use crate::harness::{queenlab, read, run_in, scratch, write};

/// Runs `check` on a text. Returns the exit code, and standard output followed by standard error.
fn check(arguments: &[&str], text: &[u8]) -> (i32, String) {
    let arguments = [&["check"], arguments].concat();
    let output = queenlab(&arguments).write_stdin(text).output().expect("the program starts");
    let both_outputs = [output.stdout, output.stderr].concat();
    (output.status.code().expect("an exit code"), String::from_utf8(both_outputs).expect("UTF-8"))
}

#[test]
#[ignore = "long: an attack"]
fn only_clear_sentences_are_read_as_no_solution() {
    for wrong_text in [
        "error: input file does not exist\n",
        "error: no solution\n",
        "could not parse input []\n",
        "Traceback: main(argv=[])\n",
        "main(argv) []\n",
        "no solution (yet)\n",
        "[] is what I got, and 2 boards\n",
        "[[], []]\n",
        "No solution for n = 7\n",
        "no solution\n5 solutions\n",
        "0\n15\n",
    ] {
        for n in ["2", "3"] {
            let (code, printed) = check(&[n], wrong_text.as_bytes());
            assert_eq!(code, 2, "n = {n}: {wrong_text}{printed}");
        }
    }
    for claim in
        ["Solution does not exist\n", "No solution possible\n", "[]\n", "0\n", "Hello\nno solutions\n", ""]
    {
        assert_eq!(check(&["3"], claim.as_bytes()).0, 0, "{claim}");
    }
    for (n, wrong_text) in [("1", "error: [0]\n"), ("1", "exit code [1]\n"), ("0", "error\n\n")] {
        assert_eq!(check(&[n], wrong_text.as_bytes()).0, 2, "{wrong_text}");
    }
}

#[test]
#[ignore = "long: an attack"]
fn malformed_board_among_solutions_makes_output_wrong() {
    let columns = "1 3 0 2\n2 0 3 1\n";
    let lists = "[1, 3, 0, 2]\n[2, 0, 3, 1]\n";
    let matrix = ". Q . .\n. . . Q\nQ . . .\n. . Q .\n\n. . Q .\nQ . . .\n. . . Q\n. Q . .\n";
    for (text, extra) in [
        (lists, "[-1, 3, 0, 2]\n"),
        (lists, "[1, 3, None, 2]\n"),
        (matrix, "\n. Q . .\n. . . Q\nQ . . .\n. . X .\n"),
        ("(0,1) (1,3) (2,0) (3,2)\n(0,2) (1,0) (2,3) (3,1)\n", "(1,3) (2,1) (3,4) (4,2)\n"),
        ("v 2 8 9 15 0\nv 3 5 12 14 0\n", "v 2 -2 8 9 15 0\n"),
        ("Queens in columns 1, 3, 0, 2.\nQueens in columns 2, 0, 3, 1.\n", "Queens in columns 1, 3, 1, 2.\n"),
        ("Board 1: queens at 1 3 0 2\nBoard 2: queens at 2 0 3 1\n", "Board 3: queens at 0 1 2 3\n"),
    ] {
        assert_eq!(check(&["4"], text.as_bytes()).0, 0, "{text}");
        assert_eq!(check(&["4"], format!("{text}{extra}").as_bytes()).0, 3, "{text}{extra}");
    }
    // Boards of another size are skipped.
    for (text, extra) in [
        (columns, "0 4 7 5 2 6 1 3\n"),
        (columns, "0 2 4 1 3\n"),
        (matrix, "\n. Q . . .\n. . . Q .\nQ . . . .\n. . Q . .\n. . . . Q\n"),
    ] {
        assert_eq!(check(&["4"], format!("{text}{extra}").as_bytes()).0, 0, "{text}{extra}");
    }
    let matrix_with_invalid_sign = matrix.replace("Q . . .\n. . Q .", "Q . . .\n. . X .");
    assert_eq!(check(&["4"], matrix_with_invalid_sign.as_bytes()).0, 3);
    let mixed_bases = "(0,1) (1,3) (2,0) (3,2)\n(1,3) (2,1) (3,4) (4,2)\n";
    assert_eq!(
        check(&["4"], mixed_bases.as_bytes()).0,
        3,
        "columns are counted from 0 in the first board and from 1 in the second board"
    );
    let contradictory_model = "v 2 -2 8 9 15 0\nv 3 5 12 14 0\n";
    assert_eq!(check(&["4"], contradictory_model.as_bytes()).0, 3);
}

#[test]
#[ignore = "long: an attack"]
fn control_characters_do_not_reach_the_terminal() {
    for text in [&b"\x1b]0;correct\x07 board\n"[..], b"1\x08 2 2 \x7f3\n", "\u{202e}tcerroc\n".as_bytes()] {
        let (code, printed) = check(&["4"], text);
        assert_eq!(code, 2);
        assert!(!printed.contains(|c: char| c.is_control() && c != '\n' || c == '\u{202e}'), "{printed:?}");
    }
    let (_, printed) =
        check(&["4", "--", "sh", "-c", "printf '\\033[31mcorrect\\033[0m\\n' >&2; exit 1"], b"");
    assert!(printed.contains("correct") && !printed.contains('\u{1b}'), "{printed:?}");
}

#[test]
#[ignore = "long: an attack"]
fn check_batch_gives_no_points_for_wrong_output() {
    let directory = scratch();
    let class = directory.path().join("class");
    std::fs::create_dir(&class).expect("a directory");
    write(&class, "error_3.txt", "error: input file does not exist\n");
    write(&class, "near_4.txt", "[1, 3, 0, 2]\n[2, 0, 3, 1]\n[1, 3, None, 2]\n");
    write(&class, "right_4.txt", "[1, 3, 0, 2]\n[2, 0, 3, 1]\n");
    write(&class, "-c.sh", "printf '1 3 0 2\\n'\n");
    let (code, printed, stderr) = run_in(directory.path(), &["check", "--batch", "class", "--n", "3-4"]);
    assert_eq!(code, 3, "{printed}{stderr}");
    let points = |name: &str| {
        let line = printed
            .lines()
            .find(|line| line.starts_with(name))
            .unwrap_or_else(|| panic!("{name}: {printed}"));
        line.rsplit("  ").next().expect("points").to_owned()
    };
    assert_eq!(points("error_3.txt"), "0 of 1");
    assert_eq!(points("near_4.txt"), "0 of 1");
    assert_eq!(points("right_4.txt"), "1 of 1");
    assert_eq!(points("-c.sh"), "0 of 2");
}

#[test]
fn submission_name_is_escaped_in_points_table() {
    let directory = scratch();
    std::fs::create_dir(directory.path().join("class")).expect("a directory");
    for name in ["=1+1_4.txt", "-2+3_4.txt", "ada_4.txt"] {
        write(&directory.path().join("class"), name, "1 3 0 2\n2 0 3 1\n");
    }
    let check = ["check", "--batch", "class", "--n", "4", "--csv", "points.csv", "-q"];
    let (code, _, stderr) = run_in(directory.path(), &check);
    assert_eq!(code, 0, "{stderr}");
    let points = read(directory.path(), "points.csv");
    let names: Vec<&str> = points.lines().skip(1).filter_map(|line| line.split(',').next()).collect();
    assert_eq!(names, ["'-2+3_4.txt", "'=1+1_4.txt", "ada_4.txt"]);
}
