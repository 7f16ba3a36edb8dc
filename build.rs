//! Collects properties of the build that `meta.json` records: compiler, target and revision.

use std::env;
use std::path::Path;
use std::process::Command;

fn output_of(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn main() {
    let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let git = |arguments: &[&str]| output_of(Command::new("git").args(arguments));
    // A source archive may be unpacked inside an unrelated repository, whose revision would be misleading.
    let is_tracked = git(&["ls-files", "--error-unmatch", "build.rs"]).is_some();
    let revision = if is_tracked { git(&["rev-parse", "HEAD"]) } else { None };
    let is_dirty = git(&["status", "--porcelain"]).filter(|_| is_tracked).map(|changes| !changes.is_empty());
    let set = |name: &str, value: String| println!("cargo:rustc-env=QUEENLAB_{name}={value}");
    set("RUSTC", output_of(Command::new(rustc).arg("--version")).unwrap_or_default());
    set("TARGET", env::var("TARGET").unwrap_or_default());
    set("TARGET_FEATURES", env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default());
    set("GIT_REVISION", revision.unwrap_or_default());
    set("GIT_DIRTY", is_dirty.map(|is_dirty| is_dirty.to_string()).unwrap_or_default());
    // These files change with a commit, an amendment or a change of branch. Files that do not exist are omitted, because Cargo
    // would otherwise rebuild the package in every build.
    let reference = git(&["rev-parse", "--symbolic-full-name", "HEAD"]).unwrap_or_default();
    for file in ["HEAD", "logs/HEAD", "packed-refs", &reference].into_iter().filter(|_| is_tracked) {
        let path = git(&["rev-parse", "--git-path", file]).filter(|path| Path::new(path).is_file());
        path.into_iter().for_each(|path| println!("cargo:rerun-if-changed={path}"));
    }
    for path in ["build.rs", "Cargo.toml", "Cargo.lock", "src", "crates"] {
        println!("cargo:rerun-if-changed={path}");
    }
}
