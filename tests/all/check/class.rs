//! `check --batch --grades`: the grades and feedback of a class, and submissions that attack other submissions.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::{code, stderr, stdout};
use crate::harness::assert_wording;

const COMPILER: &str = "c=cc -O1 -o {exe} {file}";

/// The grades of the submissions in a directory.
struct Graded {
    output: Output,
    /// For each student: the points, the maximum of the points, and the feedback.
    grades: BTreeMap<String, [String; 3]>,
}

/// Runs `check --batch` with the option `--grades` on a class.
fn grade_class(class: &Path, arguments: &[&str]) -> Graded {
    grade_class_with_temporary(class, &std::env::temp_dir(), arguments)
}

/// Like [`grade_class`], with another directory for temporary files.
fn grade_class_with_temporary(class: &Path, temporary: &Path, arguments: &[&str]) -> Graded {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("grades.csv");
    let output = Command::new(env!("CARGO_BIN_EXE_queenlab"))
        .args(["check", "--progress", "none", "--batch"])
        .arg(class)
        .arg("--grades")
        .arg(&file)
        .args(arguments)
        .env("TMPDIR", temporary)
        .output()
        .expect("queenlab starts");
    let text = fs::read_to_string(&file).unwrap_or_default();
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let rows = reader.records().map(|row| row.expect("a row"));
    let grades =
        rows.map(|row| (row[0].to_owned(), [row[1].to_owned(), row[2].to_owned(), row[3].to_owned()]));
    Graded { output, grades: grades.collect() }
}

impl Graded {
    /// The points of a student, and the maximum of the points.
    fn points(&self, student: &str) -> [&str; 2] {
        let [points, maximum, _] = self
            .grades
            .get(student)
            .unwrap_or_else(|| panic!("{student}: {}{}", stdout(&self.output), stderr(&self.output)));
        [points, maximum]
    }

    fn feedback(&self, student: &str) -> &str {
        &self.grades[student][2]
    }
}

/// Makes a directory with these files. Returns a temporary directory, and the path of the class in this directory.
fn class_of(files: &[(&str, &str)]) -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir().expect("a directory");
    let class = directory.path().join("class");
    fs::create_dir(&class).expect("a directory");
    for (name, text) in files {
        let path = class.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a directory");
        fs::write(path, text).expect("written");
    }
    (directory, class)
}

/// A script that prints both solutions of 4 queens.
const RIGHT: &str = "echo 1 3 0 2; echo 2 0 3 1\n";

#[test]
fn grades_of_the_class_match_manual_grades() {
    let class = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/class");
    let arguments = ["-n", "4-6", "--cpu-timeout", "2s", "--timeout", "1h", "--build", COMPILER, "-j", "2"];
    let graded = grade_class(&class, &arguments);
    assert_eq!(code(&graded.output), 3, "{}", stderr(&graded.output));
    for (student, points, maximum) in [
        ("ada", "3", "3"),
        ("bob", "0", "3"),
        ("Cleo Smith", "0", "3"),
        ("dora", "3", "3"),
        ("emil", "0", "3"),
        ("finn", "0", "3"),
        ("gina", "0", "3"),
        ("hugo", "0", "3"),
        ("ines", "0", "3"),
        ("jan", "0", "3"),
        ("kim", "0", "3"),
        ("Lea Weber_2048_assignsubmission_file", "3", "3"),
        ("mona", "3", "3"),
        ("nils", "", ""),
        ("olga_6", "1", "1"),
        ("pia", "2", "3"),
        ("quinn", "3", "3"),
        ("rosa", "0", "3"),
    ] {
        let student = student.split("_2048_").next().expect("a name");
        assert_eq!(graded.points(student), [points, maximum], "{student}: {}", graded.feedback(student));
    }
    assert_eq!(graded.grades.len(), 18);
    assert!(graded.feedback("emil").contains("emil.c:"), "{}", graded.feedback("emil"));
    // The feedback to `emil` contains the error message of the compiler, which depends on the compiler.
    let lines = graded.grades.iter().filter(|(student, _)| *student != "emil");
    let lines = lines.map(|(student, [.., feedback])| format!("{student}: {feedback}\n"));
    assert_wording("check", "feedback to a class", &lines.collect::<String>());
}

#[test]
fn nonzero_exit_gets_no_points_with_strict_exit() {
    let failing_script = format!("{RIGHT}exit 8\n");
    let (_directory, class) =
        class_of(&[("ada.sh", failing_script.as_str()), ("bob.sh", "echo 1 3 0 2; exit 8\n")]);
    let without_option = grade_class(&class, &["-n", "4"]);
    assert_eq!(without_option.points("ada"), ["1", "1"]);
    assert_eq!(without_option.points("bob"), ["0", "1"]);
    assert!(without_option.feedback("ada").contains("exit code 8"), "{}", without_option.feedback("ada"));
    assert_eq!(grade_class(&class, &["-n", "4", "--strict-exit"]).points("ada"), ["0", "1"]);
}

#[test]
fn script_runs_with_interpreter_of_first_line() {
    let awk_script = "#!/usr/bin/env -S awk -f\nBEGIN { print \"1 3 0 2\"; print \"2 0 3 1\"; exit }\n";
    let bash_script = "#!/bin/bash\nfor board in '1 3 0 2' '2 0 3 1'; do [[ $board ]] && echo $board; done\n";
    let missing_interpreter = format!("#!/no/such/shell\n{RIGHT}");
    let (_directory, class) =
        class_of(&[("ada", awk_script), ("bob.sh", bash_script), ("cleo.sh", &missing_interpreter)]);
    let graded = grade_class(&class, &["-n", "4"]);
    for student in ["ada", "bob", "cleo"] {
        assert_eq!(graded.points(student), ["1", "1"], "{student}: {}", graded.feedback(student));
    }
}

#[test]
fn files_that_are_not_submissions_are_not_graded() {
    let (_directory, class) = class_of(&[
        ("ada.sh", RIGHT),
        ("ada.rs", "fn main() {}\n"),
        ("bob.c", "int main(void) { return 0; }\n"),
        ("README.md", "1 3 0 2\n"),
        ("board.png", "x"),
        ("all.zip", "x"),
        ("cleo/one.sh", RIGHT),
        ("cleo/two.sh", RIGHT),
        ("dora/helper.py", "boards = '1 3 0 2\\n2 0 3 1'\n"),
        ("dora/main.py", "import helper\nprint(helper.boards)\n"),
        ("emil/README.txt", "nothing\n"),
    ]);
    let graded = grade_class(&class, &["-n", "4", "--build", "c=no-such-compiler {file} {exe}"]);
    assert_eq!(graded.points("ada.sh"), ["1", "1"]);
    assert_eq!(graded.points("ada.rs"), ["", ""]);
    assert_eq!(graded.points("bob"), ["", ""]);
    assert_eq!(graded.points("cleo"), ["0", "1"]);
    assert_eq!(graded.points("dora"), ["1", "1"]);
    assert_eq!(graded.points("emil"), ["0", "1"]);
    assert_eq!(graded.grades.len(), 6);
    let text = stdout(&graded.output) + &stderr(&graded.output);
    assert_wording("check", "files that are no submissions", &text);
    let (_directory, class) = class_of(&[("README", "x"), (".hidden", "x")]);
    let output_for_empty_class =
        super::queenlab(&["check", "--batch", class.to_str().expect("UTF-8"), "-n", "4"]);
    assert_eq!(code(&output_for_empty_class), 2);
    assert!(stderr(&output_for_empty_class).contains("class"), "{}", stderr(&output_for_empty_class));
}

#[test]
fn program_starts_in_the_folder_of_its_file() {
    let file_reading_program = "import sys\nprint(open(f'boards{sys.argv[1]}').read())\n";
    let (_directory, class) = class_of(&[
        ("ada/homework/src/queens.py", file_reading_program),
        ("ada/homework/src/boards4", "1 3 0 2\n2 0 3 1\n"),
        ("ada/__MACOSX/queens.py", "print(1)\n"),
        ("bob/queens.sh", "exec sh lib/helper.sh\n"),
        ("bob/lib/helper.sh", RIGHT),
        ("cleo/a/one.sh", RIGHT),
        ("cleo/b/two.sh", RIGHT),
        ("dora/work.zip", "x"),
        ("fay/all.txt", "1 3 0 2\n2 0 3 1\n"),
        ("fay/first.txt", "1 3 0 2\n"),
    ]);
    fs::create_dir(class.join("emil")).expect("a directory");
    let graded = grade_class(&class, &["-n", "4"]);
    let expected = [("ada", "1"), ("bob", "1"), ("cleo", "0"), ("dora", "0"), ("emil", "0"), ("fay", "0")];
    for (student, points) in expected {
        assert_eq!(graded.points(student), [points, "1"], "{student}: {}", graded.feedback(student));
    }
    assert!(graded.feedback("fay").contains("2 text files"), "{}", graded.feedback("fay"));
    let lines = graded.grades.iter().map(|(student, [.., feedback])| format!("{student}: {feedback}\n"));
    assert_wording("check", "feedback to nested folders", &lines.collect::<String>());
}

/// A program of two files, which prints both solutions of 4 queens in a function of the second file.
const C_FILES: [(&str, &str); 3] = [
    ("src/queens.c", "#include \"board.h\"\nint main(void) { boards(); return 0; }\n"),
    ("src/board.c", "#include <stdio.h>\nvoid boards(void) { puts(\"1 3 0 2\"); puts(\"2 0 3 1\"); }\n"),
    ("src/board.h", "void boards(void);\n"),
];

#[test]
fn build_command_with_files_placeholder_compiles_all_files() {
    let files = C_FILES.map(|(name, text)| (format!("ada/{name}"), text));
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), *text)).collect();
    let (_directory, class) = class_of(&files);
    let one_file = grade_class(&class, &["-n", "4", "--build", COMPILER]);
    assert_eq!(one_file.points("ada"), ["0", "1"]);
    let all_files = grade_class(&class, &["-n", "4", "--build", "c=cc -O1 -o {exe} {files}"]);
    assert_eq!(all_files.points("ada"), ["1", "1"], "{}", all_files.feedback("ada"));
}

/// The program consists of two files of a package. `java FILE.java` could not run it.
#[test]
fn java_files_of_a_package_are_compiled() {
    if Command::new("javac").arg("-version").output().is_ok() {
        let board =
            "package edu.school;\nclass Board { static String[] all = { \"1 3 0 2\", \"2 0 3 1\" }; }\n";
        let main = "package edu.school;\npublic class Queens {\n  public static void main(String[] words) {\n\
                    for (String board : Board.all) System.out.println(board);\n  }\n}\n";
        let (_directory, class) =
            class_of(&[("ada/edu/school/Board.java", board), ("ada/edu/school/Queens.java", main)]);
        let build = ["-n", "4", "--build", "java=javac -d {dir} {files}", "--timeout", "1h"];
        let graded = grade_class(&class, &build);
        assert_eq!(graded.points("ada"), ["1", "1"], "{}", graded.feedback("ada"));
    }
}

#[test]
fn build_command_without_required_placeholder_is_refused() {
    let (_directory, class) = class_of(&[("ada.sh", RIGHT)]);
    let mut messages = String::new();
    for build in ["c=cc -o {exe}", "c=cc {file}", "c=sh -c 'cc -o {exe} {files}'", "cc -o {exe} {file}"] {
        let graded_class = grade_class(&class, &["-n", "4", "--build", build]);
        assert_eq!(code(&graded_class.output), 2, "{build}");
        messages += stderr(&graded_class.output).lines().next().unwrap_or_default();
        messages += "\n";
    }
    assert_wording("check", "build commands that are refused", &messages);
}

/// The first two programs sleep for an hour. If a limit does not stop its program, the program times out, and its feedback differs.
#[test]
fn memory_and_processes_of_a_program_are_limited() {
    let (_directory, class) = class_of(&[
        ("ada.py", "import time\ntext = 'x' * (300 << 20)\ntime.sleep(3600)\n"),
        ("bob.sh", "for i in $(seq 300); do sleep 3600 & done; wait\n"),
        ("zoe.sh", RIGHT),
    ]);
    let graded = grade_class(&class, &["-n", "4,5", "--memory", "200MiB", "--timeout", "2m"]);
    assert!(graded.feedback("ada").contains("200 MiB"), "{}", graded.feedback("ada"));
    assert!(graded.feedback("bob").contains("256 processes"), "{}", graded.feedback("bob"));
    assert_eq!(graded.points("zoe"), ["1", "2"]);
    let lines = graded.grades.iter().map(|(student, [.., feedback])| format!("{student}: {feedback}\n"));
    assert_wording("check", "feedback on limits", &lines.collect::<String>());
}

#[test]
fn submissions_with_special_characters_in_names_are_graded() {
    let (_directory, class) = class_of(&[
        ("=1+1.sh", RIGHT),
        ("two words.sh", RIGHT),
        ("line\nbreak.sh", RIGHT),
        ("مريم.sh", RIGHT),
        ("-c.sh", RIGHT),
    ]);
    let graded = grade_class(&class, &["-n", "4"]);
    assert_eq!(code(&graded.output), 0, "{}{}", stdout(&graded.output), stderr(&graded.output));
    for student in ["'=1+1", "two words", "line\\nbreak", "مريم", "'-c"] {
        assert_eq!(graded.points(student), ["1", "1"]);
    }
}

/// The grades of the other submissions must not change when attackers are added to the class.
#[test]
fn attacking_submissions_do_not_change_other_grades() {
    let other_submissions = [("ben.sh", RIGHT), ("zoe.sh", RIGHT), ("yan.sh", "echo 1 3 0 2\n")];
    let (directory, class) = class_of(&other_submissions);
    let grades_without_attackers = grade_class(&class, &["-n", "4"]).grades;
    let temporary = directory.path().join("temporary");
    fs::create_dir(&temporary).expect("a directory");
    let [class_path, temporary_path] = [&class, &temporary].map(|path| path.display().to_string());
    let deleting_script = format!("rm -rf '{class_path}'/* '{temporary_path}'/*\n");
    let overwriting_script = format!("for f in '{class_path}'/*.sh; do echo 'echo 0 0 0 0' > \"$f\"; done\n");
    let forking_script = "for i in $(seq 64); do sleep 3600 & done; exit 0\n".to_owned();
    // The parent directory of the run's temporary directory contains a file of another process.
    let neighbour = temporary.join("neighbour");
    fs::write(&neighbour, "mine").expect("written");
    let parent_writing_script =
        "for f in ../*; do [ -f \"$f\" ] && echo x > \"$f\"; done; touch ../stray\n".to_owned();
    let disk_filling_script =
        "dd if=/dev/zero of=big bs=1 seek=1G count=1 2> /dev/null; sleep 3600\n".to_owned();
    fs::write(class.join("abel.sh"), parent_writing_script).expect("written");
    let grades_with_abel = grade_class_with_temporary(&class, &temporary, &["-n", "4"]);
    assert_eq!(grades_with_abel.points("abel"), ["0", "1"]);
    let entries = fs::read_dir(&temporary).expect("a directory").count();
    assert_eq!((entries, fs::read_to_string(&neighbour).expect("a file")), (1, "mine".to_owned()));
    fs::remove_file(class.join("abel.sh")).expect("removed");
    for (name, text) in [
        ("adam.sh", overwriting_script),
        ("cain.sh", deleting_script),
        ("dan.sh", forking_script),
        ("eve.sh", disk_filling_script),
    ] {
        fs::write(class.join(name), text).expect("written");
    }
    let mut grades_with_attackers =
        grade_class_with_temporary(&class, &temporary, &["-n", "4", "--timeout", "2m"]);
    assert!(
        grades_with_attackers.feedback("eve").contains("256 MiB"),
        "{}",
        grades_with_attackers.feedback("eve")
    );
    for attacker in ["adam", "cain", "dan", "eve"] {
        assert_eq!(grades_with_attackers.points(attacker), ["0", "1"]);
        grades_with_attackers.grades.remove(attacker);
    }
    assert_eq!(grades_with_attackers.grades, grades_without_attackers);
}

#[test]
fn program_is_not_started_again_after_a_timeout() {
    let directory = tempfile::tempdir().expect("a directory");
    let start_log = directory.path().join("starts");
    let endless_script = format!("echo $1 >> '{}'; while :; do :; done\n", start_log.display());
    let (_directory, class) = class_of(&[("ada.sh", &endless_script)]);
    let graded = grade_class(&class, &["-n", "4-8", "--cpu-timeout", "500ms", "--timeout", "2m"]);
    assert_eq!(graded.points("ada"), ["0", "5"]);
    assert_eq!(fs::read_to_string(&start_log).expect("the file that the program writes"), "4\n");
    assert_wording("check", "a class with an endless program", &stdout(&graded.output));
}

#[test]
fn option_input_sets_standard_input_of_programs() {
    let two_line_reader =
        "read n; read what; [ \"$n $what\" = '4 all' ] || exit 1; echo 1 3 0 2; echo 2 0 3 1\n";
    let (_directory, class) = class_of(&[("ada.sh", two_line_reader)]);
    assert_eq!(grade_class(&class, &["-n", "4"]).points("ada"), ["0", "1"]);
    assert_eq!(grade_class(&class, &["-n", "4", "--input", "{n}\\nall"]).points("ada"), ["1", "1"]);
    let special_characters = "read line; [ \"$line\" = '$HOME `x` 4' ] && { echo 1 3 0 2; echo 2 0 3 1; }\n";
    fs::write(class.join("ada.sh"), special_characters).expect("written");
    assert_eq!(grade_class(&class, &["-n", "4", "--input", "$HOME `x` {n}"]).points("ada"), ["1", "1"]);
}

/// Tests patterns of mistakes that do not occur in `tests/data/class`.
#[test]
fn feedback_names_common_pattern_of_wrong_boards() {
    let solutions = "import sys\nfrom itertools import permutations\nn = int(sys.argv[1])\n\
                     pairs = [(i, j) for i in range(n) for j in range(i)]\n\
                     all = [p for p in permutations(range(n)) if all(abs(p[i] - p[j]) != i - j for i, j in pairs)]\n";
    let program_ending = |end: &str| format!("{solutions}{end}");
    let (permutations, bases) = (
        program_ending("for p in permutations(range(n)): print(*p)\n"),
        program_ending("for k, p in enumerate(all): print(*[c + k % 2 for c in p])\n"),
    );
    let last_column = program_ending("for p in all:\n    if p[0] != n - 1: print(*p)\n");
    let half_turns =
        program_ending("for p in all:\n    if p <= tuple(n - 1 - c for c in reversed(p)): print(*p)\n");
    let counting_program = program_ending("print(len(all))\n");
    let one_solution = "print('0 2 4 1 3')\n";
    let crashing_program = "import os\nprint('0 2 4 1 3')\nos.kill(os.getpid(), 11)\n";
    let wrong_total = program_ending("for p in all: print(*p)\nprint(len(all) + 1, 'solutions')\n");
    let (_directory, class) = class_of(&[
        ("bases.py", &bases),
        ("counts.py", &counting_program),
        ("dies.py", crashing_program),
        ("half turns.py", &half_turns),
        ("last column.py", &last_column),
        ("one.py", one_solution),
        ("permutations.py", &permutations),
        ("states.py", &wrong_total),
    ]);
    let graded = grade_class(&class, &["-n", "5,7", "--timeout", "1h"]);
    let lines = graded.grades.iter().map(|(student, [points, maximum, feedback])| {
        assert_eq!([points.as_str(), maximum], ["0", "2"], "{student}");
        format!("{student}: {feedback}\n")
    });
    assert_wording("check", "feedback on wrong boards", &lines.collect::<String>());
}

#[test]
fn parallel_jobs_change_neither_grades_nor_order() {
    let files: Vec<(String, &str)> =
        (1..12).map(|k| (format!("s{k}.sh"), if k % 3 == 0 { "echo 1 3 0 2\n" } else { RIGHT })).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), *text)).collect();
    let (_directory, class) = class_of(&files);
    let [serial, parallel] = ["1", "4"].map(|jobs| grade_class(&class, &["-n", "4", "-j", jobs]));
    assert_eq!(stdout(&serial.output), stdout(&parallel.output));
    assert_eq!(serial.grades, parallel.grades);
    let text = stdout(&serial.output);
    let names: Vec<&str> =
        text.lines().skip(1).take(11).filter_map(|line| line.split_whitespace().next()).collect();
    let expected: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, expected);
}

/// The first run of `ada` lasts until `mallory`, which runs at the same time, has deleted the file of `ada`.
#[test]
fn program_deleted_while_running_is_rerun_alone() {
    let temporary = tempfile::tempdir().expect("a directory");
    let marker = temporary.path().join("ada-has-started");
    let (marker, temporary_path) = (marker.display(), temporary.path().display());
    let ada = format!(
        "if ! [ -e '{marker}' ]; then touch '{marker}'; while [ -e \"$0\" ]; do sleep 0.01; done; exit 1; fi\n{RIGHT}"
    );
    let mallory = format!(
        "while ! [ -e '{marker}' ]; do sleep 0.01; done\nrm -f '{temporary_path}'/queenlab-*/run/ada.sh\necho 2\n"
    );
    let (_directory, class) = class_of(&[("ada.sh", &ada), ("mallory.sh", &mallory)]);
    let graded =
        grade_class_with_temporary(&class, temporary.path(), &["-n", "4", "-j", "2", "--timeout", "1h"]);
    assert_eq!([graded.points("ada"), graded.points("mallory")], [["1", "1"], ["0", "1"]]);
    let warning = stderr(&graded.output);
    let warning = warning.lines().find(|line| line.contains("ada.sh")).expect("a warning");
    assert_wording("check", "a program whose copy was deleted", warning);
}
