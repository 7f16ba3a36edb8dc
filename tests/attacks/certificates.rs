//! Forged certificates, and files that change during an audit.

use std::collections::BTreeSet;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use queenlab::board::BoardSize;
use queenlab::board::problem::Problem;
use queenlab::sat::symmetry::SymmetryGroup;
use queenlab::verify::certificate::{
    AuditError, BrokenSymmetry, Certificate, Format, ProofMethod, Request, audit, audit_in_memory, certify,
};
use sha2::{Digest, Sha256};
use tempfile::TempDir;

use crate::harness::{queenlab, run, scratch};

/// An audit takes milliseconds; one that never ends is stopped.
const LONGEST: Duration = Duration::from_secs(120);

const METHODS: [ProofMethod; 3] = [ProofMethod::Cubes, ProofMethod::Monolithic, ProofMethod::Backtrack];

/// A certificate `p.json` in a directory of its own.
struct Stored {
    directory: TempDir,
}

impl Stored {
    fn new(n: usize, options: &[&str]) -> Self {
        let stored = Self { directory: scratch() };
        let (size, proof) = (n.to_string(), stored.path("p.lrat"));
        let proof = proof.to_str().expect("UTF-8");
        let (code, _, stderr) = run(&[&["certify", &size, "--quiet", "--proof", proof], options].concat());
        assert_eq!(code, 0, "{stderr}");
        stored
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).expect("UTF-8")
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).expect("a writable directory");
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.directory.path()).expect("a directory");
        let mut names: Vec<String> =
            entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8")).collect();
        names.sort();
        names
    }

    fn edit_json(&self, change: impl FnOnce(&mut serde_json::Value)) {
        let mut json = serde_json::from_slice(&self.read("p.json")).expect("JSON");
        change(&mut json);
        self.write("p.json", json.to_string());
    }

    /// Digests the files as they are now.
    fn redigest(&self) {
        self.edit_json(|json| {
            for key in ["formula", "proof"] {
                let content = self.read(json[key]["file"].as_str().expect("a name"));
                json[key]["bytes"] = content.len().into();
                json[key]["sha256"] = sha256(&content).into();
            }
        });
    }

    /// Audits `p.json` from within its directory: exit code and both outputs.
    fn audit(&self, options: &[&str]) -> (i32, String, String) {
        let mut command = queenlab(&[&["certify", "--audit", "p.json"], options].concat());
        let output = command.current_dir(self.directory.path()).timeout(LONGEST).output().expect("it starts");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        (output.status.code().expect("it ended in time"), text(output.stdout), text(output.stderr))
    }
}

fn sha256(content: &[u8]) -> String {
    Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A checker that can be fooled as others can: it takes the first line with "cnf" for the header, and verifies whatever
/// belongs to a formula that it finds small; and a file whose name begins with `-` is an option that turns checks off.
/// It keeps what it was given in its directory.
struct Gullible {
    directory: TempDir,
}

impl Gullible {
    fn new() -> Self {
        let directory = scratch();
        let script = r#"
            kept=$1; shift
            cp -- "$1" "$kept/cnf"; cp -- "$2" "$kept/proof"; printf '%s\n' "$1" "$2" > "$kept/paths"
            case $1$2 in -*) echo 's VERIFIED'; exit;; esac
            case $(grep -a -m 1 cnf -- "$1") in
                *' cnf 1 2') echo 's VERIFIED';;
                *) echo 's NOT VERIFIED';;
            esac
        "#;
        fs::write(directory.path().join("checker.sh"), script).expect("writable");
        Self { directory }
    }

    fn command(&self) -> String {
        let at = self.directory.path().display();
        format!("sh '{at}/checker.sh' '{at}' {{cnf}} {{proof}}")
    }

    fn given(&self, name: &str) -> Vec<u8> {
        fs::read(self.directory.path().join(name)).expect("what the checker was given")
    }
}

/// "8 queens have no solution", with a proof that says nothing.
fn forged() -> Stored {
    let stored = Stored::new(8, &["--format", "drat"]);
    let formula = stored.text("p.cnf");
    let clauses: Vec<&str> = formula.lines().filter(|line| !line.starts_with(['c', 'p'])).collect();
    let encoding = clauses[..clauses.len() - 92].join("\n");
    let count = clauses.len() - 92;
    stored.write("p.cnf", format!("cc cnf 1 2\nc 1 0 -1 0\np cnf 64 {count}\n{encoding}\n"));
    stored.write("p.lrat", "0\n");
    stored.edit_json(|json| {
        json["solutions"] = 0.into();
        json["solutions_sha256"] = sha256(b"").into();
        json["clauses"] = count.into();
        json["lemmas"] = 1.into();
    });
    stored.redigest();
    stored
}

#[test]
fn a_comment_that_a_checker_takes_for_a_header_does_not_reach_it() {
    let (stored, checker) = (forged(), Gullible::new());
    let (code, stdout, stderr) = stored.audit(&["--checker", &checker.command()]);
    assert_eq!((code, stdout.as_str()), (3, ""), "{stderr}");
    assert!(stderr.contains("did not verify the proof"), "{stderr}");
    let given = String::from_utf8(checker.given("cnf")).expect("UTF-8");
    assert!(given.starts_with("p cnf 64 744\n"), "{given:.99}");
    assert_eq!(given.lines().count(), 1 + 744);
}

#[test]
fn a_file_named_like_an_option_is_none() {
    for (key, name) in [("formula", "-S"), ("proof", "-S.drat")] {
        let (stored, checker) = (forged(), Gullible::new());
        let before = if key == "formula" { "p.cnf" } else { "p.lrat" };
        fs::rename(stored.path(before), stored.path(name)).expect("writable");
        stored.edit_json(|json| json[key]["file"] = name.into());
        let (code, stdout, stderr) = stored.audit(&["--checker", &checker.command()]);
        assert_eq!((code, stdout.as_str()), (3, ""), "{stderr}");
        let paths = String::from_utf8(checker.given("paths")).expect("UTF-8");
        assert!(paths.lines().all(|path| Path::new(path).is_absolute()), "{paths}");
        assert!(!paths.contains("-S"), "{paths}");
    }
}

#[test]
fn certify_gives_its_checker_absolute_paths() {
    let (directory, checker) = (scratch(), Gullible::new());
    let arguments = ["certify", "4", "--proof=-S.lrat", "--checker", &checker.command()];
    let output = queenlab(&arguments).current_dir(directory.path()).output().expect("it starts");
    assert_eq!(output.status.code(), Some(3));
    let paths = String::from_utf8(checker.given("paths")).expect("UTF-8");
    assert!(paths.lines().all(|path| Path::new(path).is_absolute()), "{paths}");
}

#[test]
fn another_checker_gets_all_that_was_understood_and_nothing_else() {
    let checker = Gullible::new();
    for method in ["cubes", "monolithic", "backtrack"] {
        for format in ["lrat", "drat"] {
            for binary in [&["--binary"][..], &[]] {
                let stored = Stored::new(6, &[&["--method", method, "--format", format], binary].concat());
                let (formula, proof) = (stored.text("p.cnf"), stored.read("p.lrat"));
                if binary.is_empty() {
                    stored.write("p.lrat", [b"c cnf 1 2\n", proof.as_slice(), b"c the end\n"].concat());
                }
                stored.redigest();
                assert_eq!(stored.audit(&["--checker", &checker.command()]).0, 3, "it verifies nothing");
                let clauses: Vec<&str> = formula.lines().filter(|line| !line.starts_with('c')).collect();
                let given = checker.given("cnf");
                assert_eq!(String::from_utf8(given).expect("UTF-8"), clauses.join("\n") + "\n");
                assert!(checker.given("proof") == proof, "{method}, {format}, {binary:?}");
            }
        }
    }
    let stored = Stored::new(6, &[]);
    let honest = format!("'{}' proof-check {{cnf}} {{proof}}", env!("CARGO_BIN_EXE_queenlab"));
    let (code, stdout, stderr) = stored.audit(&["--checker", &honest]);
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(stdout.lines().filter(|line| line.starts_with("checked")).count(), 2, "{stdout}");
}

#[test]
fn a_checker_that_is_killed_after_its_yes_has_not_verified() {
    let stored = Stored::new(5, &[]);
    let (code, _, stderr) = stored.audit(&["--checker", "sh -c 'echo s VERIFIED; kill -9 $$' {cnf} {proof}"]);
    assert_eq!(code, 3, "{stderr}");
}

#[test]
fn drat_has_the_claimed_form_and_number_of_lemmas() {
    for (key, value) in [("binary", serde_json::json!(true)), ("lemmas", 7.into()), ("format", "lrat".into())]
    {
        let stored = Stored::new(5, &["--format", "drat"]);
        stored.edit_json(|json| json[key] = value);
        let (code, stdout, stderr) = stored.audit(&["--checker", "echo s VERIFIED"]);
        assert_eq!((code, stdout.as_str()), (3, ""), "{key}: {stderr}");
    }
    let stored = Stored::new(5, &["--binary"]);
    stored.edit_json(|json| json["binary"] = false.into());
    let (code, _, stderr) = stored.audit(&[]);
    assert_eq!(code, 3);
    assert!(
        stderr.contains("the certificate claims binary false, but the correct value is true"),
        "{stderr}"
    );
}

#[cfg(unix)]
#[test]
fn only_regular_files_are_audited() {
    for name in ["p.json", "p.cnf", "p.lrat"] {
        for what in ["a FIFO", "a device", "a directory"] {
            let stored = Stored::new(4, &[]);
            let path = stored.path(name);
            fs::remove_file(&path).expect("writable");
            match what {
                "a FIFO" => {
                    let made = std::process::Command::new("mkfifo").arg(&path).status().expect("mkfifo");
                    assert!(made.success());
                }
                "a device" => std::os::unix::fs::symlink("/dev/zero", &path).expect("a link"),
                _ => fs::create_dir(&path).expect("a directory"),
            }
            let (code, stdout, stderr) = stored.audit(&["--checker", "echo s VERIFIED"]);
            assert_eq!((code, stdout.as_str()), (2, ""), "{name}, {what}: {stderr}");
            assert!(stderr.contains(name), "{stderr}");
            assert!(stderr.contains(&format!("this is {what}, not a regular file")), "{stderr}");
        }
    }
}

/// A sparse file is regular, and has any size.
#[test]
fn a_file_that_seems_endless_is_not_read() {
    let stored = Stored::new(4, &[]);
    let file = fs::File::create(stored.path("p.cnf")).expect("writable");
    file.set_len(1 << 42).expect("a sparse file");
    let (code, _, stderr) = stored.audit(&[]);
    assert_eq!(code, 3, "{stderr}");
    assert!(stderr.contains("p.cnf: the certificate claims bytes "), "{stderr}");
    stored.edit_json(|json| json["formula"]["bytes"] = (1_u64 << 42).into());
    let (code, _, stderr) = stored.audit(&[]);
    assert_eq!(code, 2, "{stderr}");
    assert!(stderr.contains("the limit is 1099511627776"), "{stderr}");
}

/// The certificate's own formula is junk; another file of that name would be right.
#[test]
fn a_file_that_is_exchanged_during_the_audit_is_not_believed() {
    for name in ["p.cnf", "p.lrat"] {
        let stored = Stored::new(6, &[]);
        let right = stored.read(name);
        let mut junk = right.clone();
        junk.fill(b' ');
        stored.write(name, &junk);
        stored.redigest();
        let (json, target) = (stored.path("p.json"), stored.path(name));
        let done = AtomicBool::new(false);
        let audits = std::thread::scope(|scope| {
            scope.spawn(|| {
                let beside = stored.path("beside");
                let contents = [&right, &junk];
                for turn in (0..2).cycle() {
                    fs::write(&beside, contents[turn]).expect("writable");
                    fs::rename(&beside, &target).expect("writable");
                    if done.load(Ordering::Relaxed) {
                        return;
                    }
                }
            });
            let audits: Vec<bool> =
                (0..1000).map(|_| audit(&json, None, NonZeroUsize::MIN).is_ok()).collect();
            done.store(true, Ordering::Relaxed);
            audits
        });
        assert!(
            !audits.contains(&true),
            "{name}: an exchanged file was audited in place of the certificate's"
        );
    }
}

/// A disk that is full after 512 bytes: the certificate is longer, the other files of this board are not.
#[cfg(unix)]
#[test]
fn a_certify_that_fails_leaves_no_file() {
    let stored = Stored::new(1, &[]);
    assert!(stored.read("p.json").len() > 512 && stored.read("p.cnf").len() < 512);
    let limited = "trap '' XFSZ; ulimit -f 1; exec \"$0\" certify 1 --quiet --proof p.lrat";
    for before in [&["p.cnf", "p.json", "p.lrat"][..], &[]] {
        assert_eq!(stored.names(), before);
        let output = std::process::Command::new("sh")
            .args(["-c", limited, env!("CARGO_BIN_EXE_queenlab")])
            .current_dir(stored.directory.path())
            .output()
            .expect("sh");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{stderr}");
        assert!(stderr.contains("p.json"), "{stderr}");
        assert_eq!(stored.names(), [""; 0], "{stderr}");
    }
}

#[test]
fn a_certify_whose_checker_says_no_leaves_no_file() {
    let directory = scratch();
    let arguments = ["certify", "5", "--proof", "p.lrat", "--checker", "echo s NOT VERIFIED"];
    for format in ["lrat", "drat"] {
        let arguments = [&arguments[..], &["--format", format]].concat();
        let output = queenlab(&arguments).current_dir(directory.path()).output().expect("it starts");
        assert_eq!(output.status.code(), Some(3));
        assert_eq!(fs::read_dir(directory.path()).expect("a directory").count(), 0);
    }
}

#[cfg(unix)]
#[test]
fn certify_replaces_regular_files_only() {
    for name in ["p.json", "p.cnf", "p.lrat"] {
        let directory = scratch();
        let link = directory.path().join(name);
        std::os::unix::fs::symlink("/dev/null", &link).expect("a link");
        let mut command = queenlab(&["certify", "4", "--proof", "p.lrat"]);
        let output = command.current_dir(directory.path()).output().expect("it starts");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains(&format!("{name}: not a regular file")), "{stderr}");
        assert!(link.is_symlink());
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_name_that_the_certificate_cannot_hold_is_refused_before_the_work() {
    use std::os::unix::ffi::OsStrExt;
    let directory = scratch();
    let name = std::ffi::OsStr::from_bytes(b"\xff.lrat");
    let output = queenlab(&["certify", "4", "--proof"])
        .arg(name)
        .current_dir(directory.path())
        .output()
        .expect("it starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert_eq!(fs::read_dir(directory.path()).expect("a directory").count(), 0);
}

#[test]
fn the_audit_says_what_it_did_not_check() {
    let stored = Stored::new(5, &[]);
    stored.edit_json(|json| {
        json["method"] = "backtrack".into();
        json["cubes"] = 77.into();
        json["cube_rows"] = serde_json::json!([9, 9]);
        json["checkers"] = serde_json::json!([{"name": "cake_lpr", "check_ns": 1}]);
        json["queenlab_version"] = "99".into();
    });
    let (code, stdout, stderr) = stored.audit(&[]);
    assert_eq!(code, 0, "{stderr}");
    let claimed =
        stdout.lines().find_map(|line| line.strip_prefix("not checked: ")).expect("a line on claims");
    for key in ["method", "cubes", "cube_rows", "checkers", "prove_ns", "queenlab_version"] {
        assert!(claimed.contains(key), "{claimed}");
    }
    // Every other key is checked: to change it is to be refused.
    let right: serde_json::Value = serde_json::from_slice(&stored.read("p.json")).expect("JSON");
    for (key, value) in right.as_object().expect("an object") {
        let checked = !claimed.split([' ', ',']).any(|word| word == key);
        let changed = match value {
            serde_json::Value::Bool(value) => (!value).into(),
            serde_json::Value::Number(value) => (value.as_u64().expect("a count") + 1).into(),
            serde_json::Value::String(value) if key == "format" && value == "lrat" => "drat".into(),
            serde_json::Value::String(value) => format!("{value}0").into(),
            other => other.clone(),
        };
        if checked && changed != *value {
            stored.edit_json(|json| json[key] = changed);
            assert_ne!(stored.audit(&[]).0, 0, "{key}");
            stored.write("p.json", right.to_string());
        }
    }
}

/// With broken symmetry, the formula denies some solutions only, and has clauses that could deny others.
#[test]
fn a_clause_that_breaks_no_symmetry_and_rows_without_end_are_refused() {
    let stored = || Stored::new(6, &["--symmetry", "full"]);
    let refused = |stored: &Stored, code: i32, told: &str| {
        stored.redigest();
        let (exit, stdout, stderr) = stored.audit(&["--checker", "echo s VERIFIED"]);
        assert_eq!((exit, stdout.as_str()), (code, ""), "{stderr}");
        assert!(stderr.contains(told), "{stderr}");
    };
    // A clause that denies the only orbit of solutions in the name of symmetry.
    let forged = stored();
    let formula = forged.text("p.cnf");
    let mut lines: Vec<String> =
        formula.lines().filter(|line| !line.starts_with(['c', 'p'])).map(str::to_owned).collect();
    let encoding =
        serde_json::from_slice::<serde_json::Value>(&forged.read("p.json")).expect("JSON")["encoding_clauses"]
            .as_u64()
            .expect("a number") as usize;
    lines[encoding] = "-2 0".to_owned();
    forged.write("p.cnf", format!("p cnf 36 {}\n{}\n", lines.len(), lines.join("\n")));
    refused(&forged, 3, "no symmetry of the problem maps every solution with these queens to an earlier one");
    let endless = stored();
    endless.edit_json(|json| json["symmetry"]["rows"] = serde_json::json!(vec![0; 100_000]));
    refused(&endless, 2, "symmetry.rows has more rows than the board");
    let fewer = stored();
    fewer.edit_json(|json| json["solutions"] = 8.into());
    refused(&fewer, 3, "the certificate claims solutions 8");
}

/// The command that the audit advises to run is copied into a shell.
#[test]
fn names_of_files_are_quoted_in_the_command_that_the_audit_advises() {
    let stored = Stored::new(4, &["--format", "veripb"]);
    for (name, shown) in
        [("-S", "./-S"), ("p; touch owned", "'p; touch owned'"), ("$(touch owned)", "'$(touch owned)'")]
    {
        stored.edit_json(|json| json["formula"]["file"] = name.into());
        stored.write(name, stored.read("p.opb"));
        let (code, stdout, stderr) = stored.audit(&[]);
        assert_eq!((code, stdout.as_str()), (2, ""), "{stderr}");
        assert!(stderr.contains(&format!("run veripb {shown} p.lrat")), "{stderr}");
    }
}

/// How many solutions a board has, by trying all: what is true does not depend on the code under test.
fn true_count(n: usize, columns: &mut Vec<usize>) -> u64 {
    let row = columns.len();
    if row == n {
        return 1;
    }
    let mut count = 0;
    for column in 0..n {
        let attacked = columns.iter().enumerate().any(|(r, &c)| c == column || c.abs_diff(column) == row - r);
        if !attacked {
            columns.push(column);
            count += true_count(n, columns);
            columns.pop();
        }
    }
    count
}

/// A certificate in memory, its formula and its proof.
fn made(
    n: usize,
    method: ProofMethod,
    binary: bool,
    symmetry: SymmetryGroup,
) -> (Certificate, String, Vec<u8>) {
    let directory = scratch();
    let path = directory.path().join("p.lrat");
    let proof = Some(path.clone());
    let problem = Problem::queens(BoardSize::new(n).expect("a board size"));
    let request = Request {
        problem,
        symmetry,
        first: None,
        method,
        format: Format::Lrat,
        binary,
        proof,
        checker: None,
    };
    let certificate = certify(&request, |_| {}).expect("a small board");
    let formula = fs::read_to_string(path.with_extension("cnf")).expect("the formula");
    (certificate, formula, fs::read(&path).expect("the proof"))
}

/// The boards that rotations and reflections make of these.
fn images(boards: &[Vec<usize>]) -> BTreeSet<Vec<usize>> {
    let turned = |board: &[usize]| {
        let mut turned = vec![0; board.len()];
        board.iter().enumerate().for_each(|(row, &column)| turned[column] = board.len() - 1 - row);
        turned
    };
    let mut all = BTreeSet::new();
    for board in boards {
        let mut board = board.clone();
        for _ in 0..4 {
            all.insert(board.clone());
            all.insert(board.iter().map(|column| board.len() - 1 - column).collect());
            board = turned(&board);
        }
    }
    all
}

/// The same certificate with its last solution left out, claimed to be all the same.
fn with_a_solution_less(certificate: &Certificate, formula: &str) -> (Certificate, String) {
    let mut lines: Vec<&str> = formula.lines().filter(|line| !line.starts_with(['c', 'p'])).collect();
    lines.pop();
    let formula = format!("p cnf {} {}\n{}\n", certificate.variables, lines.len(), lines.join("\n"));
    let broken = certificate.symmetry.as_ref().map_or(0, |broken| broken.clauses);
    let denied = &lines[(certificate.encoding_clauses + broken) as usize..];
    let n = certificate.n as i64;
    let board = |clause: &&str| -> Vec<usize> {
        let queens =
            clause.split(' ').map(|word| word.parse::<i64>().expect("a literal")).filter(|&x| x != 0);
        queens.map(|literal| ((-literal - 1) % n) as usize).collect()
    };
    let listed: Vec<Vec<usize>> = denied.iter().map(board).collect();
    let all = if broken > 0 { images(&listed) } else { listed.iter().cloned().collect() };
    let line = |columns: &Vec<usize>| {
        let columns: Vec<String> = columns.iter().map(usize::to_string).collect();
        columns.join(" ") + "\n"
    };
    let list: String = all.iter().map(line).collect();
    let symmetry = certificate.symmetry.clone();
    let certificate = Certificate {
        solutions: all.len() as u64,
        solutions_sha256: sha256(list.as_bytes()),
        clauses: lines.len() as u64,
        symmetry: symmetry.map(|broken| BrokenSymmetry { representatives: listed.len() as u64, ..broken }),
        ..certificate.clone()
    };
    (certificate, formula)
}

/// One to four changes anywhere: a bit, a byte, a piece that goes, comes twice or moves, a number that changes a little.
fn damage(proof: &[u8], binary: bool, random: &mut fastrand::Rng) -> Vec<u8> {
    let mut proof = proof.to_vec();
    for _ in 0..random.usize(1..5) {
        let length = proof.len();
        if length < 40 {
            break;
        }
        let at = random.usize(..length);
        let end = (at + random.usize(1..40)).min(length);
        match random.u8(..if binary { 6 } else { 9 }) {
            0 => proof[at] ^= 1 << random.u8(..8),
            1 => proof[at] = random.u8(..),
            2 => proof.truncate(at),
            3 => drop(proof.drain(at..end)),
            4 => {
                let piece = proof[at..end].to_vec();
                let to = random.usize(..length);
                proof.splice(to..to, piece);
            }
            5 => {
                let piece: Vec<u8> = proof.drain(at..end).collect();
                let to = random.usize(..=proof.len());
                proof.splice(to..to, piece);
            }
            // In a text, whole lines and numbers.
            kind => {
                let text = String::from_utf8_lossy(&proof).into_owned();
                let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
                let (line, other) = (random.usize(..lines.len()), random.usize(..lines.len()));
                match kind {
                    6 => drop(lines.remove(line)),
                    7 => lines.swap(line, other),
                    _ => {
                        let mut words: Vec<String> = lines[line].split(' ').map(str::to_owned).collect();
                        let word = random.usize(..words.len());
                        if let Ok(number) = words[word].parse::<i64>() {
                            words[word] = (number + random.i64(-2..=2)).to_string();
                        }
                        lines[line] = words.join(" ");
                    }
                }
                proof = (lines.join("\n") + "\n").into_bytes();
            }
        }
    }
    proof
}

/// A damaged proof of what is true may still prove it. One of what is not true may not, however right it looks: here the
/// certificate counts one solution less than there are.
#[test]
fn ten_thousand_damaged_proofs_are_all_refused_or_still_prove() {
    const N: usize = 6;
    const DAMAGED: usize = 10_000;
    let truth = true_count(N, &mut Vec::new());
    let symmetries = [SymmetryGroup::None, SymmetryGroup::Full];
    let kinds: Vec<(ProofMethod, bool, SymmetryGroup)> = METHODS
        .into_iter()
        .flat_map(|method| [false, true].map(|binary| (method, binary)))
        .flat_map(|(method, binary)| symmetries.map(|symmetry| (method, binary, symmetry)))
        .collect();
    let mut random = fastrand::Rng::with_seed(12);
    let (mut refused, mut proved) = (0, 0);
    for (index, &(method, binary, symmetry)) in kinds.iter().enumerate() {
        let (right, formula, proof) = made(N, method, binary, symmetry);
        assert_eq!(right.solutions, truth);
        audit_in_memory(&right, formula.as_bytes(), &proof).expect("nothing is damaged yet");
        let (mut short, short_formula) = with_a_solution_less(&right, &formula);
        short.formula.redigest(short_formula.as_bytes());
        let verdict = |certificate: &Certificate, formula: &str, proof: &[u8]| {
            let mut certificate = certificate.clone();
            certificate.proof.redigest(proof);
            audit_in_memory(&certificate, formula.as_bytes(), proof)
        };
        let told = verdict(&short, &short_formula, &proof).expect_err("a solution is missing").to_string();
        assert!(told.contains("the checker rejects the proof"), "nothing else is wrong: {told}");
        for _ in (index..DAMAGED).step_by(kinds.len()) {
            let damaged = damage(&proof, binary, &mut random);
            match verdict(&right, &formula, &damaged) {
                Ok(()) => proved += 1,
                Err(AuditError::Wrong(_)) => refused += 1,
                Err(other) => panic!("{method:?}: {other}"),
            }
            let told = verdict(&short, &short_formula, &damaged);
            assert!(
                matches!(told, Err(AuditError::Wrong(_))),
                "{method:?}: {truth} solutions are not {}: {told:?}",
                short.solutions
            );
            // Without a digest of its own, no damage at all passes.
            assert!(damaged == proof || audit_in_memory(&right, formula.as_bytes(), &damaged).is_err());
        }
    }
    assert_eq!(refused + proved, DAMAGED);
    assert!(refused > DAMAGED / 2, "{refused} of {DAMAGED} were refused: the damage is too small to tell");
}
