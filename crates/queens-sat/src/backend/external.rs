//! Runs a SAT solver as a program that reads a DIMACS file and answers with `s` and `v` lines, or
//! with MiniSat's result file. Each call starts one process, which reads all clauses again;
//! no shell is used. When the budget is spent, the process is killed.
//! Its answers are checked: a model must give each variable a value and satisfy each clause.
//!
//! In the command, `{cnf}` is replaced by the file of the formula, and `{result}`, if present, by a
//! file that the program writes: `cadical -q {cnf}`, `clasp {cnf}`, `minisat {cnf} {result}`.
//! Source: the SAT Competition's output format; MiniSat's README for the result file.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::Path;

use super::{Backend, BackendError, BackendKind, Options};
use crate::cnf::{Cnf, Lit, Variable};
use crate::dimacs;
use queens_process::command::{self, CommandLine};
use queens_process::files;
use queens_process::process::{Ended, Process, Stopped, Supervision};
use queens_solver::{Budget, Stop};

/// The table entry of external programs.
pub const KIND: BackendKind = BackendKind {
    name: "external",
    version: "external",
    about: "a program that you name, one process per call",
    statistics: &[],
    largest_board: |n| n,
    unavailable,
    open: |options| Box::new(External::new(options)),
};

/// The most bytes that a program may print, or write to its result file.
const MOST_BYTES: u64 = 64 << 20;

pub(crate) fn unavailable(command: Option<&str>) -> Option<String> {
    let Some(command) = command else {
        return Some("no program is given: name one with --external 'CMD {cnf}'".into());
    };
    let line = match CommandLine::parse(command) {
        Ok(line) => line,
        Err(reason) => return Some(format!("{reason}: use --external 'CMD {{cnf}}'")),
    };
    let program = line.program();
    if !line.mentions("{cnf}") {
        return Some(format!(
            "'{command}' does not contain {{cnf}}: write {{cnf}} where the file of the formula belongs"
        ));
    }
    command::find(program).is_none().then(|| format!("'{program}' was not found"))
}

pub(crate) struct External {
    command: String,
    budget: Budget,
    cnf: Cnf,
    model: Vec<Variable>,
}

impl External {
    pub(crate) fn new(options: &Options<'_>) -> Self {
        let command = options.external.unwrap_or_default().to_string();
        Self { command, budget: options.budget.clone(), cnf: Cnf::new(0), model: Vec::new() }
    }

    pub(crate) fn failed(&self, reason: impl std::fmt::Display) -> BackendError {
        BackendError::Failed(format!("'{}': {reason}", self.command))
    }

    /// Runs the program and returns its output, or kills it when the budget is spent.
    pub(crate) fn run(&self, cnf: &Path, result: &Path) -> Result<(String, Ended), BackendError> {
        if let Some(stop) = self.budget.exceeded(0) {
            return Err(BackendError::Stopped(stop));
        }
        let line = CommandLine::parse(&self.command).map_err(|reason| self.failed(reason))?;
        let written = || fs::metadata(result).map_or(0, |file| file.len());
        let supervision = Supervision {
            time_limit: self.budget.time_left(),
            cancel: self.budget.cancel.as_deref(),
            written: Some(&written),
            most: Some(MOST_BYTES),
            ..Supervision::default()
        };
        let command = line.command(&[("{cnf}", cnf), ("{result}", result)]);
        let (printed, ended) = Process::output(command, supervision).map_err(|error| self.failed(error))?;
        match ended.stopped {
            Some(Stopped::Deadline) => Err(BackendError::Stopped(Stop::Deadline)),
            Some(Stopped::Cancelled) => Err(BackendError::Stopped(Stop::Cancelled)),
            Some(_) => {
                Err(self
                    .failed(format!("it was stopped because it wrote more than {} MiB", MOST_BYTES >> 20)))
            }
            None => Ok((String::from_utf8_lossy(&printed).into_owned(), ended)),
        }
    }

    /// Checks an answer against the formula, and stores its model.
    fn believe(&mut self, answer: Option<Answer>, ended: &Ended) -> Result<bool, BackendError> {
        let message =
            ended.last_words().map(|line| format!("; its last message: {line}")).unwrap_or_default();
        // 10 and 20 are the exit codes of the SAT Competition; clasp ends with 30 if a model is the only one.
        let promised = match ended.status.code() {
            Some(0) => None,
            Some(10 | 30) => Some(true),
            Some(20) => Some(false),
            _ => return Err(self.failed(format!("it ended with {}{message}", ended.status))),
        };
        let Some(answer) = answer else {
            let reason = "it printed neither 's SATISFIABLE' nor 's UNSATISFIABLE'";
            return Err(self.failed(format!("{reason}{message}")));
        };
        let satisfiable = matches!(answer, Answer::Satisfiable(_));
        if promised.is_some_and(|promised| promised != satisfiable) {
            let word = if satisfiable { "SATISFIABLE" } else { "UNSATISFIABLE" };
            return Err(self.failed(format!("it answered {word}, but ended with {}", ended.status)));
        }
        let Answer::Satisfiable(model) = answer else { return Ok(false) };
        let values = values(&model, self.cnf.variables()).map_err(|reason| self.failed(reason))?;
        let holds = |lit: &Lit| values.get(lit.variable() as usize - 1) == Some(&lit.is_positive());
        if let Some(clause) = self.cnf.clauses().find(|clause| !clause.iter().any(holds)) {
            let clause: Vec<String> = clause.iter().map(|lit| lit.dimacs().to_string()).collect();
            let clause = clause.join(" ");
            return Err(BackendError::Wrong(format!(
                "'{}': it answered SATISFIABLE with a model that does not satisfy the clause '{clause} 0'",
                self.command
            )));
        }
        self.model = (1..).zip(&values).filter(|(_, value)| **value).map(|(variable, _)| variable).collect();
        Ok(true)
    }
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
        let directory = files::temporary_directory().map_err(|error| self.failed(error))?;
        let (cnf, result) = (directory.path().join("formula.cnf"), directory.path().join("result"));
        let mut file = File::create(&cnf).map_err(|error| self.failed(error))?;
        dimacs::write(&mut file, [""; 0], &self.cnf).map_err(|error| self.failed(error))?;
        drop(file);
        let (printed, ended) = self.run(&cnf, &result)?;
        let text = match files::read_regular(&result, MOST_BYTES) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) if error.kind() == ErrorKind::NotFound => printed,
            Err(error) => return Err(self.failed(format!("its result file cannot be read: {error}"))),
        };
        self.believe(answer(&text), &ended)
    }

    fn true_variables(&mut self, last: Variable, variables: &mut Vec<Variable>) {
        variables.clear();
        variables.extend(self.model.iter().filter(|&&variable| variable <= last));
    }
}

/// The answer of a program.
#[derive(Debug, PartialEq, Eq)]
enum Answer {
    /// There is a model, with these literals.
    Satisfiable(Vec<i32>),
    Unsatisfiable,
}

fn answer(text: &str) -> Option<Answer> {
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
            // MiniSat's result file has the model on a separate line, without `v`.
            line => line.strip_prefix("v ").or_else(|| {
                let number = line.trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit());
                (number && satisfiable == Some(true)).then_some(line)
            }),
        };
        let numbers = words.into_iter().flat_map(str::split_ascii_whitespace);
        model.extend(numbers.filter_map(|word| word.parse::<i32>().ok()).filter(|&literal| literal != 0));
    }
    Some(if satisfiable? { Answer::Satisfiable(model) } else { Answer::Unsatisfiable })
}

/// The value of each of the variables `1..=last` in a model.
fn values(model: &[i32], last: Variable) -> Result<Vec<bool>, String> {
    let mut values = vec![None; last as usize];
    for &literal in model {
        let value = values.get_mut(literal.unsigned_abs() as usize - 1);
        let Some(value) = value else { continue };
        if value.replace(literal > 0).is_some_and(|before| before != (literal > 0)) {
            let variable = literal.unsigned_abs();
            return Err(format!(
                "it answered SATISFIABLE, but its model has both {variable} and -{variable}"
            ));
        }
    }
    if model.is_empty() && last > 0 {
        return Err("it answered SATISFIABLE without a model: 'v' lines are missing".into());
    }
    let missing = values.iter().position(Option::is_none).map(|place| place + 1);
    match missing {
        Some(variable) => {
            Err(format!("it answered SATISFIABLE, but its model leaves out variable {variable} of {last}"))
        }
        None => Ok(values.into_iter().flatten().collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_in_both_formats() {
        assert_eq!(answer("c x\ns SATISFIABLE\nv 1 -2\nv 3 0\n"), Some(Answer::Satisfiable(vec![1, -2, 3])));
        assert_eq!(answer("SAT\n1 -2 3 0\n"), Some(Answer::Satisfiable(vec![1, -2, 3])));
        assert_eq!(answer("SAT\n-1 0\n"), Some(Answer::Satisfiable(vec![-1])));
        assert_eq!(answer("c 12\ns UNSATISFIABLE\n"), Some(Answer::Unsatisfiable));
        assert_eq!(answer("UNSAT\n"), Some(Answer::Unsatisfiable));
        assert_eq!(answer("c 5\n17 seconds\ns UNKNOWN\n"), None);
    }

    #[test]
    fn a_model_gives_each_variable_one_value() {
        assert_eq!(values(&[1, -2, 3], 3), Ok(vec![true, false, true]));
        assert_eq!(values(&[1, -2, 3, 4], 3), Ok(vec![true, false, true]), "variables beyond the formula");
        assert_eq!(values(&[], 0), Ok(vec![]));
        let refused = |model: &[i32]| values(model, 3).expect_err("no model");
        assert!(refused(&[]).contains("without a model"));
        assert!(refused(&[1, 3]).contains("leaves out variable 2 of 3"));
        assert!(refused(&[1, -2, 3, -3]).contains("both 3 and -3"));
    }

    #[test]
    fn a_missing_program_or_option_is_named() {
        let reason = |command: &str| unavailable(Some(command)).unwrap_or_default();
        assert!(unavailable(None).is_some_and(|reason| reason.contains("--external 'CMD {cnf}'")));
        assert!(reason(" ").contains("is empty"));
        assert_eq!(
            reason("sat"),
            "'sat' does not contain {cnf}: write {cnf} where the file of the formula belongs"
        );
        assert_eq!(reason("no-such-solver {cnf}"), "'no-such-solver' was not found");
        assert_eq!(reason("./no/such/solver {cnf}"), "'./no/such/solver' was not found");
    }

    #[cfg(unix)]
    fn open(command: &str, budget: Budget) -> External {
        External::new(&Options { counting: false, budget, external: Some(command) })
    }

    #[cfg(unix)]
    #[test]
    fn a_program_that_answers_nothing_is_an_error_that_names_it() {
        let error = open("true {cnf}", Budget::default()).solve().expect_err("no answer");
        assert!(error.to_string().starts_with("'true {cnf}': it printed neither"), "{error}");
        let error = open("no-such-solver {cnf}", Budget::default()).solve().expect_err("no program");
        assert!(error.to_string().starts_with("'no-such-solver {cnf}': "), "{error}");
    }

    /// Its child too: it holds the output, which is read to its end.
    #[cfg(unix)]
    #[test]
    fn a_program_that_runs_too_long_is_killed() {
        use std::time::{Duration, Instant};

        let directory = tempfile::tempdir().expect("a directory");
        let (script, id) = (directory.path().join("slow.sh"), directory.path().join("id"));
        fs::write(&script, format!("echo $$ > {}\nexec sleep 3600\n", id.display())).expect("a file");
        // A busy machine may not even have started the script at the first of these limits.
        let id = [1, 10, 100, 1000].into_iter().find_map(|limit| {
            let deadline = Instant::now() + Duration::from_millis(100 * limit);
            let budget = Budget { deadline: Some(deadline), ..Budget::default() };
            let mut backend = open(&format!("sh {} {{cnf}}", script.display()), budget);
            assert_eq!(backend.solve(), Err(BackendError::Stopped(Stop::Deadline)));
            fs::read_to_string(&id).ok().filter(|id| id.ends_with('\n'))
        });
        // It has been waited for, so that not even a zombie is left.
        let id = id.expect("the script starts");
        let alive = std::process::Command::new("kill").args(["-0", id.trim()]).output();
        assert!(!alive.expect("kill runs").status.success(), "process {id} runs on");
    }
}
