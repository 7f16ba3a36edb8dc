//! Any SAT solver that is a program: it reads a DIMACS file and answers with `s` and `v` lines, or
//! with MiniSat's result file. A process a call, so that each call starts anew and reads all clauses;
//! no shell in between. When the budget is spent the process is killed, in the middle of its search.
//!
//! In the command `{cnf}` stands for the formula's file, and `{result}`, where it is there, for a
//! file that the program writes: `cadical -q {cnf}`, `clasp {cnf}`, `minisat {cnf} {result}`.
//! Source: the SAT Competition's output format; MiniSat's README for the result file.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use super::{Backend, BackendError, BackendKind, Capabilities, Options};
use crate::command::{self, CommandLine};
use crate::sat::cnf::{Cnf, Lit, Variable};
use crate::sat::dimacs;
use crate::solver::{Budget, SatStats};

/// What the table says about external programs.
pub const KIND: BackendKind = BackendKind {
    name: "external",
    version: "external",
    about: "a program of the user's, a process a call",
    capabilities: Capabilities { incremental: false, proof: false, interrupt: true, statistics: &[] },
    largest_board: |n| n,
    unavailable,
    open: |options| Box::new(External::new(options)),
};

/// How often the budget is looked at while the program runs.
const LOOK: Duration = Duration::from_millis(5);

fn unavailable(command: Option<&str>) -> Option<String> {
    let Some(command) = command else {
        return Some("no program is named: give --external 'CMD {cnf}'".into());
    };
    let line = match CommandLine::parse(command) {
        Ok(line) => line,
        Err(reason) => return Some(format!("{reason}: give --external 'CMD {{cnf}}'")),
    };
    let program = line.program();
    if !line.mentions("{cnf}") {
        return Some(format!("'{command}' does not say where the formula goes: write {{cnf}} there"));
    }
    command::find(program).is_none().then(|| format!("'{program}' was not found"))
}

struct External {
    command: String,
    budget: Budget,
    cnf: Cnf,
    model: Vec<Variable>,
}

impl External {
    fn new(options: &Options<'_>) -> Self {
        let command = options.external.unwrap_or_default().to_string();
        Self { command, budget: options.budget.clone(), cnf: Cnf::new(0), model: Vec::new() }
    }

    fn failed(&self, reason: impl std::fmt::Display) -> BackendError {
        BackendError::Failed(format!("'{}': {reason}", self.command))
    }

    /// Runs the program to its end and returns what it printed, or kills it.
    fn output(&self, cnf: &Path, result: &Path) -> Result<String, BackendError> {
        let line = CommandLine::parse(&self.command).map_err(|reason| self.failed(reason))?;
        let mut command = line.command(&[("{cnf}", cnf), ("{result}", result)]);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|error| self.failed(error))?;
        let Some(mut stdout) = child.stdout.take() else { return Err(self.failed("no standard output")) };
        let (sender, finished) = channel();
        thread::spawn(move || {
            let mut bytes = Vec::new();
            let read = stdout.read_to_end(&mut bytes).map(|_| bytes);
            // Nobody listens any more after a kill.
            let _ = sender.send(read);
        });
        let bytes = loop {
            match finished.recv_timeout(LOOK) {
                Ok(read) => break read.map_err(|error| self.failed(error))?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(self.failed("its output was lost")),
            }
            if let Some(stop) = self.budget.exceeded(0) {
                end(&mut child);
                return Err(BackendError::Stopped(stop));
            }
        };
        child.wait().map_err(|error| self.failed(error))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// Kills and reaps a process; one that is gone already is fine.
fn end(child: &mut Child) {
    let _ = child.kill();
    let _ = child.wait();
}

impl Backend for External {
    fn add_clause(&mut self, clause: &[Lit]) {
        let last = clause.iter().map(|lit| lit.variable()).max().unwrap_or(0);
        while self.cnf.variables() < last {
            self.cnf.new_variable();
        }
        self.cnf.add_clause(clause.iter().copied());
    }

    fn solve(&mut self) -> Result<bool, BackendError> {
        let directory = tempfile::tempdir().map_err(|error| self.failed(error))?;
        let (cnf, result) = (directory.path().join("formula.cnf"), directory.path().join("result"));
        let mut file = File::create(&cnf).map_err(|error| self.failed(error))?;
        dimacs::write(&mut file, [""; 0], &self.cnf).map_err(|error| self.failed(error))?;
        let printed = self.output(&cnf, &result)?;
        let text = fs::read_to_string(&result).unwrap_or(printed);
        match answer(&text) {
            Some(Some(model)) => {
                self.model = model;
                Ok(true)
            }
            Some(None) => Ok(false),
            None => Err(self.failed("neither 's SATISFIABLE' nor 's UNSATISFIABLE' was answered")),
        }
    }

    fn true_variables(&mut self, last: Variable, variables: &mut Vec<Variable>) {
        variables.clear();
        variables.extend(self.model.iter().filter(|&&variable| variable <= last));
    }

    fn statistics(&self) -> SatStats {
        SatStats::default()
    }
}

/// `None` if there is no answer, `Some(None)` if there is no model, else its true variables.
fn answer(text: &str) -> Option<Option<Vec<Variable>>> {
    let mut satisfiable = None;
    let mut model = Vec::new();
    for line in text.lines() {
        let words = match line.trim() {
            "s SATISFIABLE" | "SAT" => {
                satisfiable = Some(true);
                continue;
            }
            "s UNSATISFIABLE" | "UNSAT" => {
                satisfiable = Some(false);
                continue;
            }
            // MiniSat's result file has the model on a line of its own.
            line => line.strip_prefix("v ").or_else(|| {
                let number = line.trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit());
                (number && satisfiable == Some(true)).then_some(line)
            }),
        };
        let numbers = words.into_iter().flat_map(str::split_ascii_whitespace);
        model.extend(
            numbers.filter_map(|word| word.parse::<Variable>().ok()).filter(|&variable| variable > 0),
        );
    }
    model.sort_unstable();
    satisfiable.map(|satisfiable| satisfiable.then_some(model))
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::solver::Stop;

    #[test]
    fn answers_are_read_in_both_formats() {
        assert_eq!(answer("c x\ns SATISFIABLE\nv 1 -2\nv 3 0\n"), Some(Some(vec![1, 3])));
        assert_eq!(answer("SAT\n1 -2 3 0\n"), Some(Some(vec![1, 3])));
        assert_eq!(answer("SAT\n-1 0\n"), Some(Some(vec![])));
        assert_eq!(answer("c 12\ns UNSATISFIABLE\n"), Some(None));
        assert_eq!(answer("UNSAT\n"), Some(None));
        assert_eq!(answer("c 5\n17 seconds\ns UNKNOWN\n"), None);
    }

    #[test]
    fn what_is_missing_is_said() {
        let reason = |command: &str| unavailable(Some(command)).unwrap_or_default();
        assert!(unavailable(None).is_some_and(|reason| reason.contains("--external 'CMD {cnf}'")));
        assert!(reason(" ").contains("is empty"));
        assert_eq!(reason("sat"), "'sat' does not say where the formula goes: write {cnf} there");
        assert_eq!(reason("no-such-solver {cnf}"), "'no-such-solver' was not found");
        assert_eq!(reason("./no/such/solver {cnf}"), "'./no/such/solver' was not found");
    }

    fn open(command: &str, budget: Budget) -> External {
        External::new(&Options { counting: false, budget, external: Some(command) })
    }

    #[cfg(unix)]
    #[test]
    fn a_program_that_answers_nothing_is_an_error_that_names_it() {
        let error = open("true {cnf}", Budget::unlimited()).solve().expect_err("no answer");
        assert!(error.to_string().starts_with("'true {cnf}': neither"), "{error}");
        let error = open("no-such-solver {cnf}", Budget::unlimited()).solve().expect_err("no program");
        assert!(error.to_string().starts_with("'no-such-solver {cnf}': "), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn a_program_that_runs_too_long_is_killed() {
        let directory = tempfile::tempdir().expect("a directory");
        let (script, survived) = (directory.path().join("slow.sh"), directory.path().join("survived"));
        fs::write(&script, format!("sleep 0.4\necho yes > {}\n", survived.display())).expect("a file");
        let deadline = Instant::now() + Duration::from_millis(50);
        let budget = Budget { deadline: Some(deadline), ..Budget::default() };
        let mut backend = open(&format!("sh {} {{cnf}}", script.display()), budget);
        assert_eq!(backend.solve(), Err(BackendError::Stopped(Stop::Deadline)));
        thread::sleep(Duration::from_millis(700));
        assert!(!survived.exists());
    }
}
