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
use crate::strategy::Division;
use queens_solver::{Budget, Stop};
use supervise::command::{self, CommandLine};
use supervise::files;
use supervise::process::{Ended, Process, Stopped, Supervision};

/// The table entry of external programs.
pub const KIND: BackendKind = BackendKind {
    name: "external",
    version: "external",
    about: "a program that you name, one process per call",
    statistics: &[],
    whole_formula: Division::Blocking,
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
        Err(error) => return Some(format!("{error}: use --external 'CMD {{cnf}}'")),
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
        let line = CommandLine::parse(&self.command).map_err(|error| self.failed(error))?;
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
            None => Ok((plaintext::decode(&printed).into_owned(), ended)),
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
        let values = values(&model, self.cnf.variables()).map_err(|variable| {
            self.failed(format!("it answered SATISFIABLE, but its model has both {variable} and -{variable}"))
        })?;
        let holds = |lit: &Lit| values.get(lit.variable() as usize - 1) == Some(&Some(lit.is_positive()));
        if let Some(clause) = self.cnf.clauses().find(|clause| !clause.iter().any(holds)) {
            if model.is_empty() {
                return Err(self.failed("it answered SATISFIABLE without a model: 'v' lines are missing"));
            }
            let open = clause.iter().find(|lit| values.get(lit.variable() as usize - 1) == Some(&None));
            if let Some(lit) = open {
                let variable = lit.variable();
                return Err(self.failed(format!(
                    "it answered SATISFIABLE, but its model leaves out variable {variable}, which a clause needs"
                )));
            }
            let clause: Vec<String> = clause.iter().map(|lit| lit.dimacs().to_string()).collect();
            let clause = clause.join(" ");
            return Err(BackendError::Wrong(format!(
                "'{}': it answered SATISFIABLE with a model that does not satisfy the clause '{clause} 0'",
                self.command
            )));
        }
        // The clauses hold whatever value a variable has that the model leaves out; it becomes false.
        let positive = (1..).zip(&values).filter(|(_, value)| **value == Some(true));
        self.model = positive.map(|(variable, _)| variable).collect();
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
            Ok(bytes) => plaintext::decode(&bytes).into_owned(),
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
        let mut words = line.split_ascii_whitespace();
        match (words.next(), words.clone().next()) {
            (Some("s"), Some("SATISFIABLE")) | (Some("SAT"), None) => satisfiable = Some(true),
            (Some("s"), Some("UNSATISFIABLE")) | (Some("UNSAT"), None) => satisfiable = Some(false),
            (Some("v"), _) => add(&mut model, words),
            // MiniSat's result file has the model on a separate line, without `v`.
            (Some(first), _) if satisfiable == Some(true) && first.parse::<i32>().is_ok() => {
                add(&mut model, line.split_ascii_whitespace());
            }
            _ => {}
        }
    }
    Some(if satisfiable? { Answer::Satisfiable(model) } else { Answer::Unsatisfiable })
}

fn add<'a>(model: &mut Vec<i32>, words: impl Iterator<Item = &'a str>) {
    model.extend(words.filter_map(|word| word.parse::<i32>().ok()).filter(|&literal| literal != 0));
}

/// The value of each of the variables `1..=last` in a model; `None` for a variable that it leaves out. The error is
/// a variable with both values.
fn values(model: &[i32], last: Variable) -> Result<Vec<Option<bool>>, Variable> {
    let mut values = vec![None; last as usize];
    for &literal in model {
        let value = values.get_mut(literal.unsigned_abs() as usize - 1);
        let Some(value) = value else { continue };
        if value.replace(literal > 0).is_some_and(|before| before != (literal > 0)) {
            return Err(literal.unsigned_abs());
        }
    }
    Ok(values)
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
    fn answers_may_have_any_blanks() {
        for text in
            ["s\tSATISFIABLE\nv\t1 -2\t3 0\n", "s  SATISFIABLE \r\n v  1 -2 3\r\nv 0\r\n", "SAT \n 1\t-2 3 0"]
        {
            assert_eq!(answer(text), Some(Answer::Satisfiable(vec![1, -2, 3])), "{text:?}");
        }
        assert_eq!(answer("s\tUNSATISFIABLE"), Some(Answer::Unsatisfiable));
        assert_eq!(answer("verbose 1\ns UNKNOWN\n"), None);
    }

    #[test]
    fn a_model_gives_each_variable_at_most_one_value() {
        let all = vec![Some(true), Some(false), Some(true)];
        assert_eq!(values(&[1, -2, 3], 3), Ok(all.clone()));
        assert_eq!(values(&[1, -2, 3, 4], 3), Ok(all), "variables beyond the formula");
        assert_eq!(values(&[1, 3], 3), Ok(vec![Some(true), None, Some(true)]));
        assert_eq!(values(&[], 0), Ok(vec![]));
        assert_eq!(values(&[1, -2, 3, -3], 3), Err(3));
    }

    /// What a program that prints this text says of `1 or 2`.
    #[cfg(unix)]
    fn solved(printed: &str) -> Result<Vec<Variable>, BackendError> {
        let directory = tempfile::tempdir().expect("a directory");
        let (file, mut model) = (directory.path().join("answer"), Vec::new());
        fs::write(&file, printed).expect("a file");
        // The formula is an argument that `cat` is not to print.
        let mut backend = open(&format!("sh -c 'cat {}' {{cnf}}", file.display()), Budget::default());
        backend.add_clause(&[Lit::positive(1), Lit::positive(2)]);
        backend.solve().map(|_| backend.true_variables(2, &mut model))?;
        Ok(model)
    }

    #[cfg(unix)]
    #[test]
    fn a_model_may_leave_out_variables_that_no_clause_needs() {
        assert_eq!(solved("s SATISFIABLE\nv 2 0\n"), Ok(vec![2]));
        assert_eq!(solved("s SATISFIABLE\nv\t1\n"), Ok(vec![1]));
        assert!(matches!(solved("s SATISFIABLE\nv -1 -2 0\n"), Err(BackendError::Wrong(_))));
        assert!(matches!(solved("s SATISFIABLE\nv -1 0\n"), Err(BackendError::Failed(_))));
        assert!(matches!(solved("s SATISFIABLE\n"), Err(BackendError::Failed(_))));
    }

    #[test]
    fn a_missing_program_or_option_is_named() {
        for (key, command) in [
            ("no program", None),
            ("an empty command", Some(" ")),
            ("no placeholder", Some("sat")),
            ("a missing program", Some("no-such-solver {cnf}")),
            ("a missing file", Some("./no/such/solver {cnf}")),
        ] {
            wording::assert_wording!("external", key, unavailable(command).expect(key));
        }
        assert_eq!(unavailable(Some("sh {cnf}")), None);
    }

    #[cfg(unix)]
    fn open(command: &str, budget: Budget) -> External {
        External::new(&Options { counting: false, budget, external: Some(command) })
    }

    #[cfg(unix)]
    #[test]
    fn a_program_that_answers_nothing_is_an_error_that_names_it() {
        let error = open("true {cnf}", Budget::default()).solve().expect_err("no answer");
        assert!(matches!(error, BackendError::Failed(_)), "{error}");
        wording::assert_wording!("external", "no answer", error);
        let error = open("no-such-solver {cnf}", Budget::default()).solve().expect_err("no program");
        assert!(matches!(error, BackendError::Failed(_)), "{error}");
        wording::assert_wording!("external", "a program that does not start", error);
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
