//! Bad input: exit code 2 (1 if the system reports an error), one clear line on standard error, nothing on
//! standard output, and no half-written files.

use std::path::Path;

use crate::harness::{assert_message, run_in, scratch, write};

/// Runs in an empty directory, which must stay empty; the message.
fn refused(arguments: &[&str]) -> String {
    let directory = scratch();
    let stderr = refused_in(directory.path(), arguments);
    let left = std::fs::read_dir(directory.path()).expect("a directory").count();
    assert_eq!(left, 0, "{arguments:?} left something behind");
    assert_message(directory.path(), arguments, &stderr);
    stderr
}

fn refused_in(directory: &Path, arguments: &[&str]) -> String {
    let (code, stdout, stderr) = run_in(directory, arguments);
    assert_eq!((code, stdout.as_str()), (2, ""), "{arguments:?}: {stderr}");
    assert!(stderr.starts_with("error: "), "{stderr}");
    stderr
}

#[test]
fn a_solver_that_does_not_exist_is_answered_with_the_nearest() {
    let error =
        "error: unknown solver 'backtrack/bitmsk'; did you mean 'backtrack/bitmask'? see 'queenlab list'\n";
    assert_eq!(refused(&["solve", "8", "--solver", "backtrack/bitmsk"]), error);
    assert_eq!(refused(&["verify", "4", "--solver", "backtrack/bitmsk"]), error);
    let error = refused(&["sweep", "--n", "4", "--solver", "sat/pairwse/varisat"]);
    assert!(error.contains("did you mean 'sat/pairwise/varisat'?"), "{error}");
}

#[test]
fn a_board_beyond_the_limit_of_a_solver_is_refused_with_the_limit() {
    let error = refused(&["solve", "33", "--solver", "backtrack/bitmask"]);
    assert!(error.contains("n = 33 is outside the sizes of backtrack/bitmask (0 to 32"), "{error}");
    assert!(error.contains("choose another --solver"), "{error}");
    let error = refused(&["solve", "5", "--solver", "backtrack/nested-loops"]);
    assert!(error.contains("four loops place four queens"), "{error}");
    let error = refused(&["sweep", "--n", "30-40", "--solver", "backtrack/bitmask"]);
    assert!(error.contains("n = 33") && error.contains("narrow n or drop the solver"), "{error}");
    let error = refused(&["verify", "9", "--solver", "backtrack/exhausti*"]);
    assert!(error.contains("none of these solvers enumerates n = 9"), "{error}");
}

#[test]
fn an_option_without_effect_is_refused_and_says_where_it_would_have_one() {
    for (arguments, told) in [
        (&["solve", "8", "--external", "clasp {cnf}"][..], "add --solver sat/pairwise/external"),
        (&["count", "8", "--external", "clasp {cnf}"], "add --solver sat/pairwise/external"),
        (&["verify", "4", "--external", "clasp {cnf}"], "add --solver sat/pairwise/external"),
        (&["verify", "4", "--levels", "--external", "clasp {cnf}"], "which runs no external solver"),
        (&["encode", "8", "--external", "clasp {cnf}"], "unexpected argument '--external'"),
        (&["encode", "8", "--seed", "3"], "unexpected argument '--seed'"),
        (&["list", "--quiet"], "unexpected argument '--quiet'"),
        (
            &["solve", "8", "--threads", "4"],
            "--threads has no effect on backtrack/bitmask, which uses one thread",
        ),
        (
            &["count", "8", "--solver", "backtrack/bitmask", "-j", "4"],
            "count/* and sat/*/*/cubes use several",
        ),
    ] {
        let error = refused(arguments);
        assert!(error.contains(told), "{arguments:?}: {error}");
    }
}

#[test]
fn sizes_that_make_no_sense_are_told_what_to_write() {
    for (sizes, told) in [
        ("5-3", "the range 5-3 is empty: write 3-5"),
        ("-1", "'-1' is not a board size: write 8, 4-12, 4-20:2 or 4,8,10-12"),
        ("abc", "'abc' is not a board size: write 8, 4-12, 4-20:2 or 4,8,10-12"),
        ("4..12", "'4..12' is not a range: write 4-12"),
    ] {
        for arguments in [&["sweep", "--n", sizes][..], &["verify", sizes]] {
            let error = refused(arguments);
            assert!(error.lines().next().is_some_and(|line| line.ends_with(told)), "{error}");
        }
    }
    assert!(refused(&["verify", "1025"]).contains("n = 1025 exceeds the largest board (1024)"));
    for n in ["-1", "abc", "4-5", "1025", "99999999999999999999"] {
        refused(&["solve", n]);
        refused(&["encode", n]);
    }
}

#[test]
fn options_that_make_no_sense_are_refused() {
    for arguments in [
        &["solve", "8", "--notation", "matrx"][..],
        &["solve", "10", "--notation", "digits"],
        &["solve", "8", "--all", "--limit", "3"],
        &["solve", "8", "--limit", "0"],
        &["encode", "4", "--encoding", "pairwize"],
        &["sweep", "--n", "4", "--goal", "all"],
        &["sweep", "--n", "4", "--repeat", "-1"],
        &["sweep", "--n", "4", "--timeout", "ten"],
        &["sweep", "--n", "4", "--timeout", "0s"],
        &["sweep", "--n", "4", "--memory", "much"],
        &["sweep", "--n", "4", "--threads", "0"],
        &["dance", "8"],
    ] {
        refused(arguments);
    }
    assert!(refused(&["encode", "4", "--encoding", "x"]).contains("choose one of pairwise"));
}

#[test]
fn a_spec_that_does_not_exist_is_refused_by_name() {
    let error = refused(&["sweep", "nowhere.toml"]);
    assert!(
        error.starts_with("error: unknown experiment 'nowhere.toml'; give board sizes (4-8), "),
        "{error}"
    );
    let error = refused(&["sweep", "textbok", "--dry-run"]);
    assert!(
        error.starts_with("error: unknown experiment 'textbok'; did you mean 'textbook'? give "),
        "{error}"
    );
}

#[test]
fn mistakes_in_a_spec_are_told_with_line_and_column() {
    let good =
        "schema_version = 1\nname = \"x\"\n[sweep]\nn = \"4\"\n[[solver]]\nid = \"backtrack/bitmask\"\n";
    for (wrong, told) in [
        (
            good.replace("n = \"4\"", "n = \"4\"\nrepeats = 5"),
            "x.toml:5:1: unknown key 'repeats'; did you mean 'repeat'? the keys here are n, goal, variant,",
        ),
        (
            good.replace("[[solver]]", "[[solvers]]"),
            "x.toml:5:3: unknown key 'solvers'; did you mean 'solver'? the keys here are schema_version, name, question,",
        ),
        (
            format!("{good}[[sat]]\nid = \"k\"\ncommand = \"k {{cnf}}\"\nverison = [\"k\"]\n"),
            "x.toml:10:1: unknown key 'verison'; did you mean 'version'? the keys here are id, command, version",
        ),
        (
            format!("{good}[[program]]\nid = \"k\"\ncommand = [\"k\", \"{{n}}\"]\ntimeuot = \"1s\"\n"),
            "x.toml:10:1: unknown key 'timeuot'; did you mean 'timeout'? the keys here are id, command,",
        ),
        (
            good.replace("bitmask\"", "dlx\"\nitem = \"natural\""),
            "x.toml:7:1: backtrack/dlx has no option 'item'; did you mean 'items'?",
        ),
        (good.replace("\"4\"", "\"5-3\""), "x.toml:4:5: n: the range 5-3 is empty: write 3-5"),
        (good.replace("bitmask", "bitmsk"), "x.toml:6:6: unknown solver 'backtrack/bitmsk'; did you mean"),
        (good.replace("\"4\"", "\"40\""), "x.toml:6:6: n = 40 is outside the sizes of backtrack/bitmask"),
        (good.replace("[[solver]]", "[[solver"), "x.toml:5:"),
        (good.replace("version = 1", "version = 2"), "x.toml:1:18: schema_version"),
    ] {
        let directory = scratch();
        write(directory.path(), "x.toml", &wrong);
        let error = refused_in(directory.path(), &["sweep", "x.toml"]);
        assert!(error.starts_with(&format!("error: {told}")), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
        assert!(!directory.path().join("results").exists());
    }
}

#[test]
fn a_directory_that_cannot_be_made_is_exit_1() {
    let directory = scratch();
    write(directory.path(), "file", "");
    let arguments = ["sweep", "--n", "4", "--solver", "backtrack/bitmask", "--out", "file/results"];
    let (code, stdout, stderr) = run_in(directory.path(), &arguments);
    assert_eq!((code, stdout.as_str()), (1, ""), "{stderr}");
    assert!(stderr.starts_with("error: file/results: ") && stderr.lines().count() == 1, "{stderr}");
}
