//! Runs a SAT solver as an external program, which answers with `s` and `v` lines or with MiniSat's result file. Each call starts
//! one process, which reads all clauses.
//! Each model is checked: it must satisfy every clause, and must not contain both literals of a variable.
//! Source: the SAT Competition's output format; MiniSat's README for the result file.

use super::kind::{BackendError, BackendKind, BackendOptions, IncrementalSolver};
use crate::cnf::{Cnf, Lit, Variable};
use crate::program::{DimacsProgram, DimacsProgramError, ProgramOutput, RunError};
use queens_solver::Budget;

/// The entry of external programs in the table of backends.
pub const KIND: BackendKind = BackendKind {
    name: "external",
    version: "external",
    about: "a program that you name, one process per call",
    statistics: &[],
    blocks_models: true,
    largest_board: |n| n,
    unavailable: |program| {
        let check_result = program.map_or(Err(DimacsProgramError::NotGiven), DimacsProgram::check);
        check_result.err().map(|error| error.to_string())
    },
    open: |options| Box::new(External::new(options)),
};

struct External {
    program: Option<DimacsProgram>,
    budget: Budget,
    cnf: Cnf,
    model: Vec<Variable>,
}

impl External {
    fn new(options: &BackendOptions<'_>) -> Self {
        let program = options.program.cloned();
        Self { program, budget: options.budget.clone(), cnf: Cnf::new(0), model: Vec::new() }
    }
}

/// Checks the answer of a program against the formula. Returns the true variables of the model, or `None` if the program answered
/// that there is no model.
fn model(
    program: &DimacsProgram,
    cnf: &Cnf,
    output: ProgramOutput,
) -> Result<Option<Vec<Variable>>, BackendError> {
    let status = output.status;
    let error = |reason: RunError| Err(program.error(reason).into());
    let gave_up = status.code().is_some_and(|code| program.gives_up_with(code));
    let Some(answer) = answer(&output.text).filter(|_| !gave_up) else {
        let missing_answer = |message| match program.command().contains("{result}") {
            true => RunError::NoAnswer(message),
            false => RunError::OnlyStatus(status),
        };
        return Err(program.missing_answer_error(output, missing_answer).into());
    };
    // 10 and 20 are the exit codes of the SAT Competition; clasp ends with 30 if a model is the only one.
    let expected_sat = match status.code() {
        Some(0) => None,
        Some(10 | 30) => Some(true),
        Some(20) => Some(false),
        _ => return error(RunError::Status { status, message: output.message }),
    };
    let is_satisfiable = matches!(answer, Answer::Satisfiable(_));
    if expected_sat.is_some_and(|expected_sat| expected_sat != is_satisfiable) {
        let answer = if is_satisfiable { "SATISFIABLE" } else { "UNSATISFIABLE" };
        return error(RunError::Contradiction { answer, status });
    }
    let Answer::Satisfiable(model) = answer else { return Ok(None) };
    let values =
        values(&model, cnf.variables()).map_err(|variable| program.error(RunError::BothValues(variable)))?;
    let is_true = |lit: &Lit| values.get(lit.variable() as usize - 1) == Some(&Some(lit.is_positive()));
    if let Some(clause) = cnf.clauses().find(|clause| !clause.iter().any(is_true)) {
        if model.is_empty() {
            return error(RunError::NoModel);
        }
        let unassigned = clause.iter().find(|lit| values.get(lit.variable() as usize - 1) == Some(&None));
        if let Some(lit) = unassigned {
            return error(RunError::NoValue(lit.variable()));
        }
        let clause: Vec<String> = clause.iter().map(|lit| lit.dimacs().to_string()).collect();
        let command = program.command().to_owned();
        return Err(BackendError::WrongModel { command, clause: clause.join(" ") });
    }
    // The values in the model satisfy all clauses, so a variable without a value may be treated as false.
    let positive = (1..).zip(&values).filter(|(_, value)| **value == Some(true));
    Ok(Some(positive.map(|(variable, _)| variable).collect()))
}

impl IncrementalSolver for External {
    fn add_clause(&mut self, clause: &[Lit]) {
        let last = clause.iter().map(|lit| lit.variable()).max().unwrap_or(0);
        while self.cnf.variables() < last {
            self.cnf.new_variable();
        }
        self.cnf.add_clause(clause.iter().copied());
    }

    fn solve(&mut self) -> Result<bool, BackendError> {
        let program = self.program.as_ref().ok_or(DimacsProgramError::NotGiven)?;
        let output = program.run(&program.write(&self.cnf, [""; 0])?, &self.budget)?;
        let model = model(program, &self.cnf, output)?;
        let is_satisfiable = model.is_some();
        self.model = model.unwrap_or_default();
        Ok(is_satisfiable)
    }

    fn true_variables(&mut self, last: Variable, variables: &mut Vec<Variable>) {
        variables.clear();
        variables.extend(self.model.iter().filter(|&&variable| variable <= last));
    }
}

/// The answer of a SAT solver.
#[derive(Debug, PartialEq, Eq)]
enum Answer {
    /// The formula is satisfiable, and these are the literals of its model.
    Satisfiable(Vec<i32>),
    Unsatisfiable,
}

/// Parses the output of a SAT solver; `None` if it contains no answer.
fn answer(text: &str) -> Option<Answer> {
    let mut satisfiable = None;
    let mut model = Vec::new();
    for line in text.lines() {
        let mut words = line.split_ascii_whitespace();
        match (words.next(), words.clone().next()) {
            (Some("s"), Some("SATISFIABLE")) | (Some("SAT"), None) => satisfiable = Some(true),
            (Some("s"), Some("UNSATISFIABLE")) | (Some("UNSAT"), None) => satisfiable = Some(false),
            (Some("v"), _) => add_literals(&mut model, words),
            // MiniSat's result file has the model on a separate line, without `v`.
            (Some(first), _) if satisfiable == Some(true) && first.parse::<i32>().is_ok() => {
                add_literals(&mut model, line.split_ascii_whitespace());
            }
            _ => {}
        }
    }
    Some(if satisfiable? { Answer::Satisfiable(model) } else { Answer::Unsatisfiable })
}

fn add_literals<'a>(model: &mut Vec<i32>, words: impl Iterator<Item = &'a str>) {
    model.extend(words.filter_map(|word| word.parse::<i32>().ok()).filter(|&literal| literal != 0));
}

/// The values of the variables `1..=last` in a model; `None` for a variable that the model does not contain.
///
/// # Errors
///
/// A variable that occurs both positive and negated.
fn values(model: &[i32], last: Variable) -> Result<Vec<Option<bool>>, Variable> {
    let mut values = vec![None; last as usize];
    for &literal in model {
        let value = values.get_mut(literal.unsigned_abs() as usize - 1);
        let Some(value) = value else { continue };
        if value.replace(literal > 0).is_some_and(|old_value| old_value != (literal > 0)) {
            return Err(literal.unsigned_abs());
        }
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use queens_solver::Stop;

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
    fn answers_may_contain_any_whitespace() {
        for text in
            ["s\tSATISFIABLE\nv\t1 -2\t3 0\n", "s  SATISFIABLE \r\n v  1 -2 3\r\nv 0\r\n", "SAT \n 1\t-2 3 0"]
        {
            assert_eq!(answer(text), Some(Answer::Satisfiable(vec![1, -2, 3])), "{text:?}");
        }
        assert_eq!(answer("s\tUNSATISFIABLE"), Some(Answer::Unsatisfiable));
        assert_eq!(answer("verbose 1\ns UNKNOWN\n"), None);
    }

    #[test]
    fn model_gives_each_variable_at_most_one_value() {
        let expected = vec![Some(true), Some(false), Some(true)];
        assert_eq!(values(&[1, -2, 3], 3), Ok(expected.clone()));
        assert_eq!(values(&[1, -2, 3, 4], 3), Ok(expected), "variables beyond the formula");
        assert_eq!(values(&[1, 3], 3), Ok(vec![Some(true), None, Some(true)]));
        assert_eq!(values(&[], 0), Ok(vec![]));
        assert_eq!(values(&[1, -2, 3, -3], 3), Err(3));
    }

    /// Solves the formula "1 or 2" with a program that prints this text.
    #[cfg(unix)]
    fn solve_with_output(output: &str) -> Result<Vec<Variable>, BackendError> {
        let directory = tempfile::tempdir().expect("a directory");
        let (file, mut model) = (directory.path().join("answer"), Vec::new());
        fs::write(&file, output).expect("a file");
        // The formula becomes an argument of `sh` that `cat` does not print.
        let mut backend = open(&format!("sh -c 'cat {}' {{cnf}}", file.display()), Budget::default());
        backend.add_clause(&[Lit::positive(1), Lit::positive(2)]);
        backend.solve().map(|_| backend.true_variables(2, &mut model))?;
        Ok(model)
    }

    #[cfg(unix)]
    fn reason_of(error: BackendError) -> RunError {
        match error {
            BackendError::Program(DimacsProgramError::Run { reason, .. }) => reason,
            error => panic!("{error}"),
        }
    }

    /// The error of a program that prints this text.
    #[cfg(unix)]
    fn error_with_output(output: &str) -> RunError {
        reason_of(solve_with_output(output).expect_err("not a model"))
    }

    #[cfg(unix)]
    #[test]
    fn model_may_omit_irrelevant_variables() {
        assert_eq!(solve_with_output("s SATISFIABLE\nv 2 0\n"), Ok(vec![2]));
        assert_eq!(solve_with_output("s SATISFIABLE\nv\t1\n"), Ok(vec![1]));
        assert!(matches!(
            solve_with_output("s SATISFIABLE\nv -1 -2 0\n"),
            Err(BackendError::WrongModel { .. })
        ));
        assert_eq!(error_with_output("s SATISFIABLE\nv -1 0\n"), RunError::NoValue(2));
        assert_eq!(error_with_output("s SATISFIABLE\nv 1 -1 0\n"), RunError::BothValues(1));
        assert_eq!(error_with_output("s SATISFIABLE\n"), RunError::NoModel);
    }

    #[cfg(unix)]
    fn open(command: &str, budget: Budget) -> External {
        let program = DimacsProgram::new("external", command);
        External::new(&BackendOptions { counting: false, budget, program: Some(&program) })
    }

    #[cfg(unix)]
    #[test]
    fn missing_answer_error_identifies_solver_program() {
        let error = open("true {cnf}", Budget::default()).solve().expect_err("no answer");
        assert!(matches!(reason_of(error.clone()), RunError::GaveUp { .. }), "{error}");
        wording::assert_wording!("external", "no answer", error);
        let error = open("sh -c 'exit 20' {cnf}", Budget::default()).solve().expect_err("no answer");
        assert!(matches!(reason_of(error.clone()), RunError::OnlyStatus(_)), "{error}");
        wording::assert_wording!("external", "only a status", error);
        let error = open("sh -c 'exit 20' {cnf} {result}", Budget::default()).solve().expect_err("no answer");
        assert_eq!(reason_of(error), RunError::NoAnswer(None), "it has a result file");
        let error = open("no-such-solver {cnf}", Budget::default()).solve().expect_err("no program");
        assert!(matches!(reason_of(error.clone()), RunError::System(_)), "{error}");
        wording::assert_wording!("external", "a program that does not start", error);
    }

    #[cfg(unix)]
    #[test]
    fn giving_up_is_distinguished_from_failure() {
        let reason = |script: &str, codes: &[i32]| {
            let program = DimacsProgram::new("external", format!("sh -c '{script}' {{cnf}}"));
            let program = program.with_unknown_exit_codes(codes);
            let options =
                BackendOptions { counting: false, budget: Budget::default(), program: Some(&program) };
            External::new(&options).solve().err().map(reason_of)
        };
        for script in [
            "echo s UNKNOWN",
            "echo s INDETERMINATE; exit 2",
            "echo c UNKNOWN",
            "echo INDET; exit 1",
            "echo INDETERMINATE",
            "echo c nothing",
            "exit 15",
        ] {
            assert!(matches!(reason(script, &[]), Some(RunError::GaveUp { .. })), "{script}");
        }
        assert!(matches!(reason("echo s UNSATISFIABLE; exit 124", &[124]), Some(RunError::GaveUp { .. })));
        for script in ["exit 1", "exit 124", "echo s UNKNOWN; kill -KILL $$", "echo s UNSATISFIABLE; exit 15"]
        {
            assert!(matches!(reason(script, &[]), Some(RunError::Status { .. })), "{script}");
        }
        assert_eq!(reason("echo s UNSATISFIABLE", &[124]), None);
    }

    /// The program would run for an hour. It is killed, and the solver waits for its end, so that no zombie process remains.
    #[cfg(unix)]
    #[test]
    fn external_solver_is_killed_at_the_deadline() {
        use std::time::{Duration, Instant};

        let directory = tempfile::tempdir().expect("a directory");
        let (script, id) = (directory.path().join("slow.sh"), directory.path().join("id"));
        fs::write(&script, format!("echo $$ > {}\nexec sleep 3600\n", id.display())).expect("a file");
        // On a busy machine, the shorter limits may expire before the script has started.
        let id = [1, 10, 100, 1000].into_iter().find_map(|limit| {
            let deadline = Instant::now() + Duration::from_millis(100 * limit);
            let budget = Budget { deadline: Some(deadline), ..Budget::default() };
            let mut backend = open(&format!("sh {} {{cnf}}", script.display()), budget);
            assert_eq!(backend.solve(), Err(BackendError::Stopped(Stop::Deadline)));
            fs::read_to_string(&id).ok().filter(|id| id.ends_with('\n'))
        });
        let id = id.expect("the script starts");
        let kill_output = std::process::Command::new("kill").args(["-0", id.trim()]).output();
        assert!(!kill_output.expect("kill runs").status.success(), "process {id} still exists");
    }
}
