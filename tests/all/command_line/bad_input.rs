//! Bad input: exit code 2 (1 if the system reports an error), an error message on standard error, nothing on standard output, and
//! no incomplete files.

use crate::harness::{assert_message, assert_wording, refused_in, run_in, scratch, write};

/// Runs a command in an empty directory, and asserts that the command is refused and writes no file. Returns the error message.
fn assert_refused(arguments: &[&str]) -> String {
    let directory = scratch();
    let stderr = refused_in(directory.path(), arguments);
    let entries = std::fs::read_dir(directory.path()).expect("a directory").count();
    assert_eq!(entries, 0, "{arguments:?} left files");
    assert!(stderr.starts_with("error: "), "{stderr}");
    stderr
}

#[test]
fn unknown_solver_error_suggests_the_nearest_id() {
    for command in [&["solve", "8"][..], &["verify", "4"]] {
        let error = assert_refused(&[command, &["--solver", "backtrack/bitmsk"]].concat());
        assert!(error.contains("'backtrack/bitmsk'") && error.contains("'backtrack/bitmask'"), "{error}");
    }
    let error = assert_refused(&["sweep", "--n", "4", "--solver", "sat/pairwse/varisat"]);
    assert!(error.contains("'sat/pairwise/varisat'"), "{error}");
}

#[test]
fn board_size_beyond_solver_limit_is_refused() {
    let error = assert_refused(&["solve", "65", "--solver", "backtrack/bitmask"]);
    assert!(["n = 65", "backtrack/bitmask", "0 to 64", "--solver"].iter().all(|value| error.contains(value)));
    assert_refused(&["solve", "5", "--solver", "backtrack/nested-loops"]);
    let error = assert_refused(&["sweep", "--n", "60-70", "--solver", "backtrack/bitmask"]);
    assert!(error.contains("n = 65"), "{error}");
    let error = assert_refused(&["verify", "9", "--solver", "backtrack/exhausti*"]);
    assert!(error.contains("n = 9"), "{error}");
}

#[test]
fn option_without_effect_is_refused_with_a_hint() {
    for (arguments, option, hint) in [
        (&["solve", "8", "--sat", "external=clasp {cnf}"][..], "--sat", "sat/pairwise/external"),
        (&["count", "8", "--sat", "external=clasp {cnf}"], "--sat", "sat/pairwise/external"),
        (&["verify", "4", "--sat", "external=clasp {cnf}"], "--sat", "sat/pairwise/external"),
        (&["verify", "4", "--levels", "--sat", "external=clasp {cnf}"], "--sat", "--levels"),
        (&["encode", "8", "--sat", "external=clasp {cnf}"], "'--sat'", ""),
        (&["encode", "8", "--seed", "3"], "'--seed'", ""),
        (&["list", "--quiet"], "'--quiet'", ""),
        (&["solve", "8", "--threads", "4"], "--threads", "backtrack/bitmask"),
        (&["count", "8", "--solver", "backtrack/bitmask", "-j", "4"], "--threads", "sat/*/*/cubes"),
    ] {
        let error = assert_refused(arguments);
        assert!(error.contains(option) && error.contains(hint), "{arguments:?}: {error}");
    }
}

#[test]
fn error_for_invalid_sizes_gives_valid_example() {
    for (sizes, example) in [("5-3", "3-5"), ("-1", "4-20:2"), ("abc", "4-20:2"), ("4..12", "4-12")] {
        for arguments in [&["sweep", "--n", sizes][..], &["verify", sizes]] {
            let error = assert_refused(arguments);
            assert!(error.contains(sizes) && error.contains(example), "{error}");
        }
    }
    let error = assert_refused(&["verify", "1025"]);
    assert!(error.contains("n = 1025") && error.contains("(1024)"), "{error}");
    for n in ["-1", "abc", "4-5", "1025", "99999999999999999999"] {
        assert_refused(&["solve", n]);
        assert_refused(&["encode", n]);
    }
}

#[test]
fn invalid_or_contradictory_options_are_refused() {
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
        &["sweep", "--n", "4", "--timeout", "101years"],
        &["sweep", "--n", "4", "--timeout", "99999999999h"],
        &["sweep", "--n", "4", "--memory", "much"],
        &["sweep", "--n", "4", "--memory", "99999999999TiB"],
        &["sweep", "--n", "4", "--memory", "99999999999999999999.5B"],
        &["sweep", "--n", "4", "--solver", "backtrack/forward-checking:restarts=luby:N"],
        &["sweep", "--instance", "/**/*.txt"],
        &["sweep", "--n", "4", "--threads", "0"],
        &["dance", "8"],
    ] {
        assert_refused(arguments);
    }
    assert!(assert_refused(&["encode", "4", "--encoding", "x"]).contains("pairwise"));
}

#[test]
fn error_names_missing_experiment_file() {
    let error = assert_refused(&["sweep", "nowhere.toml"]);
    assert!(error.contains("'nowhere.toml'"), "{error}");
    let error = assert_refused(&["sweep", "textbok", "--dry-run"]);
    assert!(error.contains("'textbok'") && error.contains("'textbook'"), "{error}");
}

#[test]
fn experiment_file_errors_state_line_and_column() {
    let valid_spec =
        "schema_version = 1\nname = \"x\"\n[sweep]\nn = \"4\"\n[[solver]]\nid = \"backtrack/bitmask\"\n";
    for (mistake, spec, position, suggestion) in [
        ("key of sweep", valid_spec.replace("n = \"4\"", "n = \"4\"\nrepeats = 5"), "5:1", "'repeat'"),
        ("name of table", valid_spec.replace("[[solver]]", "[[solvers]]"), "5:3", "'solver'"),
        (
            "key of sat",
            format!("{valid_spec}[[sat]]\nid = \"k\"\ncommand = \"k {{cnf}}\"\nverison = [\"k\"]\n"),
            "10:1",
            "'version'",
        ),
        (
            "key of program",
            format!("{valid_spec}[[program]]\nid = \"k\"\ncommand = [\"k\", \"{{n}}\"]\ntimeuot = \"1s\"\n"),
            "10:1",
            "'timeout'",
        ),
        ("option of solver", valid_spec.replace("bitmask\"", "dlx\"\nitem = \"natural\""), "7:1", "'items'"),
        ("range", valid_spec.replace("\"4\"", "\"5-3\""), "4:5", "3-5"),
        ("id of solver", valid_spec.replace("bitmask", "bitmsk"), "6:6", "'backtrack/bitmask'"),
        ("size of board", valid_spec.replace("\"4\"", "\"70\""), "6:6", "n = 70"),
        ("bracket", valid_spec.replace("[[solver]]", "[[solver"), "5:", ""),
        ("schema_version", valid_spec.replace("version = 1", "version = 2"), "1:18", "schema_version"),
    ] {
        let directory = scratch();
        write(directory.path(), "x.toml", &spec);
        let (code, stdout, error) = run_in(directory.path(), &["sweep", "x.toml"]);
        assert_eq!((code, stdout.as_str()), (2, ""), "{mistake}: {error}");
        assert!(
            error.starts_with(&format!("error: x.toml:{position}")) && error.contains(suggestion),
            "{error}"
        );
        // Below the message, the line of the file is printed with a marker.
        let number = position.split(':').next().expect("a line");
        let line = spec.lines().nth(number.parse::<usize>().expect("a number") - 1).expect("a line");
        let [_, _, excerpt, marker] = error.lines().collect::<Vec<_>>()[..] else { panic!("{error}") };
        assert_eq!(excerpt.trim(), format!("{number} | {line}"));
        assert!(marker.trim_start_matches(['|', ' ']).chars().all(|c| c == '^'), "{error}");
        assert_wording("sweep", &format!("mistake in a spec: {mistake}"), &error);
        assert!(!directory.path().join("results").exists());
    }
}

#[test]
fn failure_to_create_directory_exits_with_1() {
    let directory = scratch();
    write(directory.path(), "file", "");
    let arguments = ["sweep", "--n", "4", "--solver", "backtrack/bitmask", "--out", "file/results"];
    let (code, stdout, stderr) = run_in(directory.path(), &arguments);
    assert_eq!((code, stdout.as_str()), (1, ""), "{stderr}");
    assert!(stderr.starts_with("error: file/results: ") && stderr.lines().count() == 1, "{stderr}");
    assert_message(directory.path(), &arguments, &stderr);
}

#[test]
fn mistyped_option_error_suggests_the_right_option() {
    for (arguments, mistyped, suggested) in [
        (&["count", "--estimat", "8"][..], "'--estimat'", "'--estimate'"),
        (&["solve", "--al", "4"], "'--al'", "'--all'"),
        (&["encode", "--encodng", "product", "8"], "'--encodng'", "'--encoding'"),
        (&["verify", "--solvr", "x"], "'--solvr'", "'--solver'"),
        (&["check", "--frist", "8"], "'--frist'", "'--first'"),
        (&["generate", "completion", "--quens", "2", "8"], "'--quens'", "'--queens'"),
    ] {
        let error = assert_refused(arguments);
        assert!(error.contains(mistyped) && error.contains(suggested), "{error}");
    }
}

#[test]
fn invalid_value_of_option_sat_is_refused() {
    for value in [
        "kissat -q {cnf}",
        "kissat=kissat -q",
        "varisat=kissat {cnf}",
        "a/b=kissat {cnf}",
        "x=kissat {cnf} {foo}",
    ] {
        assert_refused(&["solve", "8", "--sat", value]);
    }
    assert_refused(&[
        "sweep",
        "4",
        "--solver",
        "sat/pairwise/a",
        "--sat",
        "a=true {cnf}",
        "--sat",
        "a=false {cnf}",
    ]);
}
