//! Collects the facts about a build that `meta.json` records (compiler, target, revision), and says how the program is linked.

use std::env;
use std::process::Command;

fn said(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn main() {
    let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let git = |arguments: &[&str]| said(Command::new("git").args(arguments));
    // The repository around an unpacked archive may be an unrelated one, whose revision says nothing about
    // this code.
    let tracked = git(&["ls-files", "--error-unmatch", "build.rs"]).is_some();
    let revision = if tracked { git(&["rev-parse", "HEAD"]) } else { None };
    let dirty = git(&["status", "--porcelain"]).filter(|_| tracked).map(|changes| !changes.is_empty());
    let tell = |name: &str, value: String| println!("cargo:rustc-env=QUEENLAB_{name}={value}");
    tell("RUSTC", said(Command::new(rustc).arg("--version")).unwrap_or_default());
    tell("TARGET", env::var("TARGET").unwrap_or_default());
    tell("TARGET_FEATURES", env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default());
    tell("GIT_REVISION", revision.unwrap_or_default());
    tell("GIT_DIRTY", dirty.map(|dirty| dirty.to_string()).unwrap_or_default());
    // Every cross-crate call goes through a table of addresses, 50,000 of them, which the dynamic linker would fill in at
    // each start if the program could lie anywhere in memory.
    let target = |fact: &str| env::var(format!("CARGO_CFG_TARGET_{fact}")).unwrap_or_default();
    if (target("OS"), target("ENV")) == ("linux".into(), "gnu".into())
        && !target("FEATURE").contains("crt-static")
    {
        println!("cargo:rustc-link-arg-bins=-no-pie");
    }
    for path in ["build.rs", "Cargo.toml", "Cargo.lock", "src", "crates"] {
        println!("cargo:rerun-if-changed={path}");
    }
}
