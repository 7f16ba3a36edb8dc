//! Shards, through the program and through the library: planned, run, killed, damaged, merged.

mod faults;
mod logs;
mod plans;
mod samples;
mod searches;
mod sweeps;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use queenlab::cluster::{self, ClusterError, Merged, Ran, ShardPlan};
use queenlab::registry::Registry;
use tempfile::TempDir;

use crate::harness::{stderr, stdout};
use crate::processes::{Guard, until};

/// A directory with a plan in it, and `shards/` for its results.
struct Work {
    directory: TempDir,
    plan: ShardPlan,
}

impl Work {
    /// Plans with these options.
    fn new(options: &[&str]) -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let work = plan_in(directory.path(), options);
        assert!(work.status.success(), "{options:?}: {}", stderr(&work));
        let plan = ShardPlan::read(&directory.path().join("plan.json")).expect("a plan");
        Self { directory, plan }
    }

    fn path(&self) -> &Path {
        self.directory.path()
    }

    fn out(&self) -> PathBuf {
        self.path().join("shards")
    }

    fn result(&self, index: usize) -> PathBuf {
        self.out().join(format!("shard-{index}.json"))
    }

    fn command(&self, verb: &str) -> Command {
        let mut command = queenlab(self.path());
        command.args(["shard", verb, "--plan", "plan.json", "--out", "shards"]);
        command
    }

    fn run(&self, index: usize) -> Output {
        output(self.command("run").arg("--index").arg(index.to_string()))
    }

    /// Runs every shard.
    fn run_all(&self) {
        for index in 0..self.plan.shards {
            let ran = self.run(index);
            assert!(ran.status.success(), "shard {index}: {}", stderr(&ran));
        }
    }

    fn merge(&self) -> Output {
        output(&mut self.command("merge"))
    }

    /// The total of a merge that goes well.
    fn total(&self) -> u128 {
        let merged = self.merge();
        assert!(merged.status.success(), "{}", stderr(&merged));
        stdout(&merged).trim_end().parse().expect("standard output is the total alone")
    }

    /// `merged.json`.
    fn summary(&self) -> serde_json::Value {
        let text = std::fs::read(self.out().join("merged.json")).expect("merged.json");
        serde_json::from_slice(&text).expect("JSON")
    }

    fn missing(&self, options: &[&str]) -> String {
        let listed = output(self.command("missing").args(options));
        assert!(listed.status.success(), "{}", stderr(&listed));
        stdout(&listed)
    }
}

fn queenlab(directory: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_queenlab"));
    command.current_dir(directory);
    command
}

fn plan_in(directory: &Path, options: &[&str]) -> Output {
    output(queenlab(directory).args(["shard", "plan", "-o", "plan.json"]).args(options))
}

fn output(command: &mut Command) -> Output {
    command.output().expect("the program starts")
}

/// A failure with this exit code, whose message has all these words.
fn refused(output: &Output, code: i32, words: &[&str]) {
    let told = stderr(output);
    assert_eq!(output.status.code(), Some(code), "{told}");
    assert_eq!(stdout(output), "", "{told}");
    for word in words {
        assert!(told.contains(word), "'{word}' is not in: {told}");
    }
}

/// A shard of a search without a process of its own.
fn run_here(plan: &ShardPlan, index: usize, out: &Path) -> Result<Ran, ClusterError> {
    cluster::search(plan, index, out, std::num::NonZeroUsize::MIN)
}

/// Every shard, then the merge, without processes.
fn merged_here(plan: &ShardPlan) -> Merged {
    let out = tempfile::tempdir().expect("a temporary directory");
    for index in 0..plan.shards {
        run_here(plan, index, out.path()).unwrap_or_else(|error| panic!("{plan:?}: {error}"));
    }
    cluster::merge(plan, out.path(), &Registry::builtin()).unwrap_or_else(|error| panic!("{plan:?}: {error}"))
}

/// Bytes of the files below a directory with this name, or this ending.
fn bytes_of(directory: &Path, name: &str) -> u64 {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    entries
        .map(|entry| match entry.metadata() {
            Ok(found) if found.is_dir() => bytes_of(&entry.path(), name),
            Ok(found) if entry.file_name().to_string_lossy().ends_with(name) => found.len(),
            _ => 0,
        })
        .sum()
}

/// Starts a shard and kills it as soon as its files have grown so much; whether it had ended before.
fn run_until(work: &Work, index: usize, name: &str, growth: u64) -> bool {
    let directory = work.out().join(format!("shard-{index}.work"));
    let before = bytes_of(&directory, name);
    let mut command = work.command("run");
    command.args(["--index", &index.to_string(), "--quiet"]);
    let mut shard = Guard::start(&mut command);
    let ended = until("a shard that ends or gets on", || match shard.try_wait().expect("a process") {
        Some(ended) => Some(Some(ended)),
        None => (bytes_of(&directory, name) >= before + growth).then_some(None),
    });
    let ended = ended.unwrap_or_else(|| {
        shard.kill().expect("a process");
        shard.wait().expect("a process")
    });
    ended.success()
}

/// The same for a shard that nothing was done for yet; tried again until it was killed before its end.
fn kill_midway(work: &Work, index: usize, name: &str, growth: u64) {
    until("a shard that is killed in its middle", || {
        let ended = run_until(work, index, name, growth);
        if ended {
            std::fs::remove_file(work.result(index)).expect("its result");
        }
        (!ended).then_some(())
    });
}
