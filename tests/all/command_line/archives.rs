//! `queenlab pack`, and `queenlab reproduce` with an archive.

use queenlab::experiment::archive::unpack;

use crate::harness::{read, run_in, scratch, write};

#[test]
fn an_archive_has_everything_is_the_same_each_time_and_is_reproduced_without_the_directory() {
    let directory = scratch();
    let path = directory.path();
    assert_eq!(run_in(path, &["generate", "regions", "6", "--seed", "1", "-o", "a.txt"]).0, 0);
    let spec = "schema_version = 1\nname = \"x\"\nquestion = \"Why?\"\n[sweep]\nn = \"4-6\"\nrepeat = 1\nvariant = \"queens\"\n\
                instances = \"a.txt\"\n[[solver]]\nid = \"backtrack/dlx\"\n[[program]]\nid = \"p\"\nn = \"4\"\n\
                command = [\"sh\", \"p.sh\", \"{n}\"]\n";
    write(path, "x.toml", spec);
    write(path, "p.sh", "echo 1 3 0 2; echo 2 0 3 1\n");
    let (code, stdout, stderr) = run_in(path, &["sweep", "x.toml", "-o", "r"]);
    assert_eq!(code, 0, "{stdout}{stderr}");
    for name in ["one.tar.zst", "two.tar.zst"] {
        let (code, _, stderr) = run_in(path, &["pack", "r", "--spec", "x.toml", "-o", name]);
        assert!(code == 0 && stderr.contains(&format!("{name}: ")), "{stderr}");
    }
    let bytes = |name: &str| std::fs::read(path.join(name)).expect("packed");
    assert!(bytes("one.tar.zst") == bytes("two.tar.zst"), "an archive depends on more than its content");
    let unpacked = unpack(&path.join("one.tar.zst")).expect("an archive");
    for name in ["meta.json", "runs.csv", "levels.csv", "timings.csv", "report.html", "plots/time.svg"] {
        assert_eq!(read(unpacked.path(), &format!("results/{name}")), read(&path.join("r"), name));
    }
    assert_eq!(read(unpacked.path(), "spec.toml"), spec);
    assert_eq!(read(unpacked.path(), "Cargo.lock"), read(std::path::Path::new("."), "Cargo.lock"));
    let program = std::fs::read(unpacked.path().join("queenlab")).expect("packed");
    assert!(program == std::fs::read(env!("CARGO_BIN_EXE_queenlab")).expect("built"));
    assert_eq!(std::fs::read_dir(unpacked.path().join("instances")).expect("a folder").count(), 1);
    let metadata: serde_json::Value =
        serde_json::from_str(&read(unpacked.path(), "ro-crate-metadata.json")).expect("JSON");
    let graph = metadata["@graph"].as_array().expect("entities");
    let entity =
        |id: &str| graph.iter().find(|entity| entity["@id"] == id).unwrap_or_else(|| panic!("no {id}"));
    assert_eq!(
        (entity("./")["name"].as_str(), entity("./")["description"].as_str()),
        (Some("x"), Some("Why?"))
    );
    let parts = entity("./")["hasPart"].as_array().expect("parts");
    let names = parts.iter().map(|part| part["@id"].as_str().expect("a name"));
    assert!(names.is_sorted(), "the order of the files on disk decides: {parts:?}");
    for part in parts {
        let name = part["@id"].as_str().expect("a name");
        let size = std::fs::metadata(unpacked.path().join(name)).expect("packed").len();
        assert_eq!(entity(name)["contentSize"], size.to_string());
    }
    assert!(graph.iter().any(|entity| entity["name"] == "p.sh" && entity["sha256"].is_string()));
    drop(unpacked);

    for old in ["r", "x.toml", "a.txt"] {
        let old = path.join(old);
        if old.is_dir() { std::fs::remove_dir_all(&old) } else { std::fs::remove_file(&old) }
            .expect("removed");
    }
    let (code, _, stderr) = run_in(path, &["reproduce", "one.tar.zst"]);
    assert!(code == 2 && stderr.contains("--allow-programs") && stderr.contains("sh p.sh 4"), "{stderr}");
    assert!(stderr.starts_with("error: one.tar.zst/results/meta.json: its plan starts these"), "{stderr}");
    let (code, _, stderr) = run_in(path, &["reproduce", "one.tar.zst", "--allow-programs"]);
    assert!(code == 0 && stderr.contains("reproduced: all answers"), "{code} {stderr}");
    assert!(path.join("one-reproduced/runs.csv").is_file());
}

#[test]
fn what_is_no_result_is_not_packed_and_what_is_no_archive_is_not_reproduced() {
    let directory = scratch();
    let path = directory.path();
    write(path, "no.tar.zst", "no archive");
    for (arguments, expected) in [
        (&["pack", "nowhere", "-o", "x"][..], "nowhere: this result directory does not exist"),
        (&["reproduce", "no.tar.zst"], "no.tar.zst: this is not a .tar.zst archive"),
    ] {
        let (code, _, stderr) = run_in(path, arguments);
        assert!(code == 2 && stderr.contains(expected), "{stderr}");
    }
    assert!(!path.join("x").exists());
}
