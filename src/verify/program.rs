//! A user's program as a solver that enumerates. Each enumeration starts the program once and reads the boards that it prints.

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::board::BoardSize;
use crate::command::filled;
use crate::judge::notation::Symbols;
use crate::judge::{AnswerKind, CutReason, Question};
use crate::os;
use crate::solver::{Goal, Info, Outcome, Sink, SolveError, Solver, Task};
use crate::spec::{QUEENLAB, placeholders_of_run};
use crate::submission::{Conditions, read_program};

/// The time limit of the program: a week, so that in practice only the user stops it.
const TIME_LIMIT: Duration = Duration::from_secs(7 * 24 * 3600);

/// A program that prints all solutions.
pub struct ProgramSolver {
    id: String,
    command: Vec<String>,
}

impl ProgramSolver {
    /// A program with this id and command. The command may contain the placeholders of experiments except `{instance}`.
    pub fn new(id: String, command: Vec<String>) -> Self {
        Self { id, command }
    }

    /// The words of the command for a task.
    fn command_for(&self, task: &Task<'_>) -> io::Result<Vec<OsString>> {
        let executable = os::shared_executable()?;
        let (n, threads) = (task.n().get(), task.threads.get());
        let run_placeholders = placeholders_of_run(n, task.goal, task.seed, threads, TIME_LIMIT);
        let variant = ("{variant}", task.problem.to_string());
        let values: Vec<(&str, String)> = run_placeholders.into_iter().chain([variant]).collect();
        let texts = values.iter().map(|(placeholder, value)| (*placeholder, Path::new(value)));
        let queenlab = format!("{{{QUEENLAB}}}");
        let placeholders: Vec<(&str, &Path)> =
            texts.chain([(queenlab.as_str(), executable.as_path())]).collect();
        Ok(self.command.iter().map(|word| filled(word, &placeholders)).collect())
    }
}

impl Solver for ProgramSolver {
    fn info(&self) -> Info {
        let sizes = 0..=BoardSize::MAX;
        Info { goals: vec![Goal::Enumerate], sizes, any_problem: true, ..Info::named(&self.id) }
    }

    fn search(&self, task: &Task<'_>, sink: &mut dyn Sink) -> Result<Outcome, SolveError> {
        let failure = |reason: String| SolveError::Failed { id: self.id.clone(), reason };
        let n = task.n().to_string();
        let command = self
            .command_for(task)
            .map_err(|error| failure(format!("cannot find the executable of queenlab: {error}")))?;
        let question = Question {
            problem: task.problem.clone(),
            notation: None,
            symbols: Symbols::default(),
            answer_kind: AnswerKind::All,
        };
        let (mut solutions, is_cancelled) = (0, AtomicBool::new(false));
        // Even if the sink does not need more boards, the rest of the output is read.
        let mut on_board = |columns: &[u32]| {
            solutions += 1;
            let _ = sink.solution(columns);
        };
        let judged = read_program(
            &command,
            Conditions::with_time_limit(TIME_LIMIT),
            &is_cancelled,
            &question,
            None,
            &mut on_board,
        );
        let judgement = judged.map_err(|error| failure(error.to_string()))?;
        if judgement.malformed_count > 0 {
            let reason = format!("a board without one queen in each row, at n = {n}");
            return Err(SolveError::Wrong { id: self.id.clone(), reason });
        }
        match judgement.cut_reason {
            None => Ok(Outcome { solutions, ..Outcome::default() }),
            Some(CutReason::Failed { message: Some(message), .. }) => Err(failure(message)),
            Some(CutReason::Failed { exit_code, .. }) => {
                let ending = exit_code.map_or("a signal".to_owned(), |code| format!("exit code {code}"));
                Err(failure(format!("the program ended with {ending}, at n = {n}")))
            }
            Some(CutReason::TooManyBoards(max_boards)) => {
                let reason = format!("more than {max_boards} boards, at n = {n}");
                Err(SolveError::Wrong { id: self.id.clone(), reason })
            }
            Some(reason @ (CutReason::ProgramMemory(_) | CutReason::Processes(_))) => {
                Err(failure(format!("{reason}, at n = {n}")))
            }
            Some(
                CutReason::Timeout(_)
                | CutReason::CpuTime(_)
                | CutReason::Files(_)
                | CutReason::TextWithoutBoard(_)
                | CutReason::BoardMemory(_),
            ) => Err(failure(format!("too much output, at n = {n}"))),
        }
    }
}
