//! Forged certificates, and files that change during an audit.

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use queenlab::certify::audit;
use sha2::{Digest, Sha256};
use tempfile::TempDir;

use crate::attacks::damage;
use crate::harness::{assert_wording, queenlab, run, scratch};

/// The time limit of an audit. An audit takes milliseconds, but the machine may be busy.
const TIME_LIMIT: Duration = Duration::from_secs(120);

const FORMULA: &str = "part-0001.cnf";
const PROOF: &str = "part-0001.lrat";

/// A certificate of one part with its files.
struct StoredCertificate {
    _directory: TempDir,
    path: PathBuf,
}

impl StoredCertificate {
    fn new(n: usize, options: &[&str]) -> Self {
        let directory = scratch();
        let path = directory.path().join("q");
        let arguments =
            ["certify", &n.to_string(), "--quiet", "--keep", "--out", path.to_str().expect("UTF-8")];
        let (code, _, stderr) = run(&[&arguments, options].concat());
        assert_eq!(code, 0, "{stderr}");
        Self { _directory: directory, path }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.path.join(name)
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

    fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.read("certificate.json")).expect("JSON")
    }

    fn edit_json(&self, change: impl FnOnce(&mut serde_json::Value)) {
        let mut json = self.json();
        change(&mut json);
        self.write("certificate.json", json.to_string());
    }

    /// Updates the sizes and digests in the certificate to match the current files.
    fn update_digests(&self) {
        self.edit_json(|json| {
            for key in ["formula", "proof"] {
                let file = &mut json["parts"][0][key];
                let content = self.read(file["file"].as_str().expect("a name"));
                file["bytes"] = content.len().into();
                file["sha256"] = sha256(&content).into();
            }
        });
    }

    /// Audits the certificate in its directory. Returns the exit code, standard output and standard error.
    fn audit(&self, options: &[&str]) -> (i32, String, String) {
        let mut command = queenlab(&[&["certify", "--audit", "certificate.json"], options].concat());
        let output =
            command.current_dir(&self.path).timeout(TIME_LIMIT).output().expect("the program starts");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        (
            output.status.code().expect("the audit ends before the time limit"),
            text(output.stdout),
            text(output.stderr),
        )
    }
}

pub fn sha256(content: &[u8]) -> String {
    Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A checker that accepts every proof, and keeps copies of its input files.
struct RecordingChecker {
    directory: TempDir,
}

impl RecordingChecker {
    fn new() -> Self {
        let directory = scratch();
        let script = r#"
            copies=$1; shift
            cp -- "$1" "$copies/cnf"; cp -- "$2" "$copies/proof"; printf '%s\n' "$1" "$2" > "$copies/paths"
            echo 's VERIFIED'
        "#;
        fs::write(directory.path().join("checker.sh"), script).expect("writable");
        Self { directory }
    }

    fn command(&self) -> String {
        let folder = self.directory.path().display();
        format!("sh '{folder}/checker.sh' '{folder}' {{cnf}} {{proof}}")
    }

    fn input(&self, name: &str) -> String {
        fs::read_to_string(self.directory.path().join(name)).expect("a file that the checker wrote")
    }

    fn assert_absolute_paths(&self) {
        let paths = self.input("paths");
        let is_absolute_path =
            |path: &Path| path.is_absolute() && !path.ends_with("-S") && !path.ends_with("-S.lrat");
        assert!(paths.lines().map(Path::new).all(is_absolute_path), "{paths}");
    }
}

/// External checkers parse comments, blanks and numbers differently, and some take the first line that contains "cnf" as the
/// header. Therefore, the audit writes files without comments and unusual blanks for the external checker.
#[test]
#[ignore = "long: an attack"]
fn external_checker_receives_normalized_formula_and_proof() {
    let checker = RecordingChecker::new();
    for method in ["cubes", "backtrack"] {
        let stored = StoredCertificate::new(5, &["--method", method]);
        let (formula, proof) = (stored.text(FORMULA), damage::text(&stored.read(PROOF)));
        assert_eq!(stored.audit(&["--checker", &checker.command()]).0, 0);
        assert_eq!(
            checker.input("proof"),
            proof,
            "{method}: the checker must receive a binary proof as text"
        );
        stored.write(FORMULA, format!("cc cnf 1 2\nc 1 0 -1 0\n{}", formula.replace(" 0\n", "\n\t 0\n")));
        stored.write(PROOF, format!("c cnf 1 2\n{}c the end\n", proof.replace(' ', "\n ")));
        stored.update_digests();
        let (code, _, stderr) = stored.audit(&["--checker", &checker.command()]);
        assert_eq!(code, 0, "{stderr}");
        let clauses: Vec<&str> = formula.lines().filter(|line| !line.starts_with('c')).collect();
        assert_eq!(checker.input("cnf"), clauses.join("\n") + "\n");
        assert_eq!(checker.input("proof"), proof, "{method}");
    }
}

#[test]
#[ignore = "long: an attack"]
fn file_named_like_an_option_is_audited() {
    for (key, name) in [("formula", "-S"), ("proof", "-S.lrat")] {
        let (stored, checker) = (StoredCertificate::new(4, &[]), RecordingChecker::new());
        let original_name = if key == "formula" { FORMULA } else { PROOF };
        fs::rename(stored.path(original_name), stored.path(name)).expect("writable");
        stored.edit_json(|json| json["parts"][0][key]["file"] = name.into());
        let (code, _, stderr) = stored.audit(&["--checker", &checker.command()]);
        assert_eq!(code, 0, "{stderr}");
        checker.assert_absolute_paths();
    }
}

#[test]
#[ignore = "long: an attack"]
fn certify_passes_absolute_paths_to_checker() {
    let (directory, checker) = (scratch(), RecordingChecker::new());
    let arguments = ["certify", "4", "--out=-S", "--checker", &checker.command()];
    let mut command = queenlab(&arguments);
    fs::create_dir(directory.path().join("temporary")).expect("writable");
    command.current_dir(directory.path()).env("TMPDIR", "temporary");
    assert_eq!(command.output().expect("the program starts").status.code(), Some(0));
    checker.assert_absolute_paths();
}

#[cfg(unix)]
#[test]
#[ignore = "long: an attack"]
fn only_regular_files_are_audited() {
    for name in ["certificate.json", FORMULA, PROOF] {
        for file_type in ["a FIFO", "a device", "a directory"] {
            let stored = StoredCertificate::new(4, &[]);
            let path = stored.path(name);
            fs::remove_file(&path).expect("writable");
            match file_type {
                "a FIFO" => {
                    let status = std::process::Command::new("mkfifo").arg(&path).status().expect("mkfifo");
                    assert!(status.success());
                }
                "a device" => std::os::unix::fs::symlink("/dev/zero", &path).expect("a link"),
                _ => fs::create_dir(&path).expect("a directory"),
            }
            let (code, stdout, stderr) = stored.audit(&["--checker", "echo s VERIFIED {cnf} {proof}"]);
            assert_eq!((code, stdout.as_str()), (2, ""), "{name}, {file_type}: {stderr}");
            assert!(stderr.contains(name), "{stderr}");
            assert_wording("certify", &format!("{name} is {file_type}"), &stderr);
        }
    }
}

/// A sparse file is a regular file and can have any size.
#[test]
#[ignore = "long: an attack"]
fn oversized_file_is_refused_before_reading() {
    let stored = StoredCertificate::new(4, &[]);
    let file = fs::File::create(stored.path(FORMULA)).expect("writable");
    file.set_len(1 << 42).expect("a sparse file");
    let (code, _, stderr) = stored.audit(&[]);
    assert_eq!(code, 3, "{stderr}");
    assert!(stderr.contains("part-0001.cnf: "), "{stderr}");
    assert_wording("certify", "a sparse file", &stderr);
    stored.edit_json(|json| json["parts"][0]["formula"]["bytes"] = (1_u64 << 42).into());
    let (code, _, stderr) = stored.audit(&[]);
    assert_eq!(code, 2, "{stderr}");
    assert!(stderr.contains("1099511627776"), "{stderr}");
    assert_wording("certify", "a sparse file that is claimed", &stderr);
}

/// The file that matches the digest in the certificate is invalid. During the audit, a valid file repeatedly replaces this file.
#[test]
#[ignore = "long: an attack"]
fn file_replaced_during_the_audit_is_rejected() {
    for name in [FORMULA, PROOF] {
        let stored = StoredCertificate::new(5, &[]);
        let valid_content = stored.read(name);
        let mut invalid_content = valid_content.clone();
        invalid_content.fill(b' ');
        stored.write(name, &invalid_content);
        stored.update_digests();
        let (json, target) = (stored.path("certificate.json"), stored.path(name));
        let audits_are_done = AtomicBool::new(false);
        let acceptances = std::thread::scope(|scope| {
            scope.spawn(|| {
                let replacement = stored.path("replacement");
                let contents = [&valid_content, &invalid_content];
                for turn in (0..2).cycle() {
                    fs::write(&replacement, contents[turn]).expect("writable");
                    fs::rename(&replacement, &target).expect("writable");
                    if audits_are_done.load(Ordering::Relaxed) {
                        return;
                    }
                }
            });
            let acceptances: Vec<bool> =
                (0..1000).map(|_| audit(&json, None, NonZeroUsize::MIN).is_ok()).collect();
            audits_are_done.store(true, Ordering::Relaxed);
            acceptances
        });
        assert!(
            !acceptances.contains(&true),
            "{name}: the audit accepted a file that does not match its digest"
        );
    }
}

/// The shell limits the size of files to 512 bytes. Only `certificate.json` is larger.
#[cfg(unix)]
#[test]
#[ignore = "long: an attack"]
fn failed_certify_leaves_no_file() {
    let stored = StoredCertificate::new(1, &[]);
    assert!(stored.read("certificate.json").len() > 512 && stored.read(FORMULA).len() < 512);
    let limited_command = "trap '' XFSZ; ulimit -f 1; exec \"$0\" certify 1 --quiet --keep --out new";
    let output = std::process::Command::new("sh")
        .args(["-c", limited_command, env!("CARGO_BIN_EXE_queenlab")])
        .current_dir(&stored.path)
        .output()
        .expect("sh");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(stderr.contains("certificate.json"), "{stderr}");
    assert!(!stored.path("new").exists(), "{stderr}");
}

#[cfg(unix)]
#[test]
#[ignore = "long: an attack"]
fn certify_refuses_link_or_existing_directory_as_output() {
    let directory = scratch();
    fs::create_dir(directory.path().join("there")).expect("writable");
    std::os::unix::fs::symlink("there", directory.path().join("link")).expect("a link");
    std::os::unix::fs::symlink("nowhere", directory.path().join("dangling")).expect("a link");
    for name in ["there", "link", "dangling"] {
        let mut command = queenlab(&["certify", "4", "--keep", "--out", name]);
        let output = command.current_dir(directory.path()).output().expect("the program starts");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert_wording("certify", &format!("an output directory that exists: {name}"), &stderr);
    }
    assert_eq!(fs::read_dir(directory.path().join("there")).expect("a directory").count(), 0);
}

#[test]
#[ignore = "long: an attack"]
fn audit_lists_every_unchecked_field() {
    let stored = StoredCertificate::new(5, &["--symmetry", "full"]);
    let original_certificate = stored.json();
    let (code, stdout, stderr) = stored.audit(&[]);
    assert_eq!(code, 0, "{stderr}");
    let unchecked_keys = stdout
        .lines()
        .find_map(|line| line.strip_prefix("not checked: "))
        .expect("a line with the unchecked fields");
    let unchecked_keys: Vec<&str> = unchecked_keys.split(", ").collect();
    // A changed value must be refused, unless the output lists its key as not checked.
    let changed_value = |value: &serde_json::Value| match value {
        serde_json::Value::Bool(value) => (!value).into(),
        serde_json::Value::Number(value) => (value.as_u64().expect("a count") + 1).into(),
        serde_json::Value::String(value) => format!("{value}0").into(),
        serde_json::Value::Array(_) => serde_json::json!([]),
        other => panic!("{other}"),
    };
    let objects = ["", "/symmetry", "/parts/0", "/parts/0/formula", "/parts/0/proof"];
    for object in objects {
        for (key, value) in
            original_certificate.pointer(object).and_then(|value| value.as_object()).expect("an object")
        {
            if value.is_object() || matches!(key.as_str(), "cube_rows" | "cube") {
                continue;
            }
            stored.edit_json(|json| json.pointer_mut(object).expect("an object")[key] = changed_value(value));
            assert_eq!(stored.audit(&[]).0 == 0, unchecked_keys.contains(&key.as_str()), "{object}/{key}");
            stored.write("certificate.json", original_certificate.to_string());
        }
    }
}
