//! Properties of the program that users build, and the build information that it prints.

use std::process::Command;

use crate::harness::{read, run_in, scratch};

/// Debian and other distributions refuse programs that are not position-independent.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[test]
fn program_is_position_independent() {
    const ET_DYN: u16 = 3;
    let program = std::fs::read(env!("CARGO_BIN_EXE_queenlab")).expect("readable");
    assert_eq!(program.get(..4), Some(&b"\x7fELF"[..]));
    assert_eq!(u16::from_le_bytes([program[16], program[17]]), ET_DYN);
}

/// The unoptimised crates print excerpts in error messages, complete command lines, draw progress bars, choose colours or
/// name temporary files. This work does not grow with the number of rows.
#[test]
fn only_listed_crates_are_unoptimised_in_release_profile() {
    let manifest: toml::Table = include_str!("../../Cargo.toml").parse().expect("TOML");
    let profile = &manifest["profile"]["release"];
    assert!(profile.get("opt-level").is_none(), "level 3 is the default of the profile");
    let packages = profile["package"].as_table().expect("a table").iter();
    let unoptimised = packages.filter(|(_, settings)| settings["opt-level"].as_integer() == Some(0));
    let names: Vec<&str> = unoptimised.map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names,
        [
            "annotate-snippets",
            "anstream",
            "clap_complete",
            "console",
            "indicatif",
            "portable-atomic",
            "tempfile"
        ]
    );
}

#[test]
fn meta_json_names_the_git_revision() {
    let git = |arguments: &[&str]| {
        let output =
            Command::new("git").args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let directory = scratch();
    let sweep = ["sweep", "--n", "4", "--solver", "backtrack/bitmask", "--repeat", "1", "--out", "out", "-q"];
    assert_eq!(run_in(directory.path(), &sweep).0, 0);
    let meta: serde_json::Value =
        serde_json::from_str(&read(directory.path(), "out/meta.json")).expect("JSON");
    let tracked = git(&["ls-files", "--error-unmatch", "build.rs"]).is_some();
    let head = git(&["rev-parse", "HEAD"]).filter(|_| tracked);
    assert_eq!(meta["git_revision"].as_str(), head.as_deref());
}
