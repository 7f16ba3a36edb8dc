//! Shards from outside and through the library: cut, run, killed, spoiled, merged.

mod faults;
mod plans;
mod searches;
mod sweeps;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use queenlab::cluster::ShardPlan;
use tempfile::TempDir;

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

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
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
