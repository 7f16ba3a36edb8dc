//! `queenlab solve`: prints solutions.

use std::io::{BufWriter, IsTerminal, Write, stdout};

use crate::app::solve::{
    DEFAULTS, NumberVerdict, RequestedSolutions, SolveInput, SolveOutcome, default_solver, solve,
};
use crate::board::BoardSize;
use crate::board::problem::Problem;
use crate::board::symmetry::orbit;
use crate::judge::notation::{Notation, Writer};
use crate::registry::Registry;
use crate::solver::Solver;
use crate::spec::Bounded;
use crate::words::counted;
use anyhow::{Context, Error};
use clap::Args;

use super::options::{ProblemArguments, Quiet, SatPrograms, Seed, Threads};
use super::{Exit, RunCommand, terminal};

/// Print solutions.
///
/// Prints one solution unless --all or --limit is given. If the problem has no solution (for example n = 3), prints nothing
/// to standard output and a message to standard error.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab solve 8
  queenlab solve 4 --all --notation list
  queenlab solve 8 --all --fundamental --notation columns1
  queenlab solve 8 --all --classes
  queenlab solve 8 --solver backtrack/dlx:items=natural
  queenlab solve 1000000 --solver local/queen-search
  queenlab solve 100 --solver sat/pairwise/varisat --notation columns")]
pub struct Solve {
    #[command(flatten)]
    problem: ProblemArguments,
    /// Solver, as ID or ID:key=value,key=value; `queenlab list` shows all ids and options [default: backtrack/bitmask for
    /// plain queens up to n = 32, otherwise sat/product/varisat].
    #[arg(long, value_name = "ID")]
    solver: Option<String>,
    /// Print all solutions.
    #[arg(long, conflicts_with = "limit")]
    all: bool,
    /// Print at most K solutions, for example 10.
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,
    /// Print only fundamental solutions: of each set of rotations and reflections, the lexicographically first board.
    #[arg(long)]
    fundamental: bool,
    /// With --all, print classes of boards that are equal under rotation and reflection. Each line has the number of boards in
    /// the class, a tab, and the columns of the lexicographically first board.
    #[arg(long, requires = "all", conflicts_with_all = ["fundamental", "notation"])]
    classes: bool,
    /// Notation of the boards, for example columns, matrix or list [default: unicode on a terminal, otherwise columns].
    #[arg(long, value_name = "NOTATION")]
    notation: Option<Notation>,
    /// Number of threads.
    #[arg(short = 'j', long, value_name = "T", default_value = "1")]
    threads: Bounded<1, 1024>,
    #[command(flatten)]
    seed: Seed,
    #[command(flatten)]
    sat: SatPrograms,
    #[command(flatten)]
    quiet: Quiet,
}

impl RunCommand for Solve {
    fn run(&self, registry: &Registry) -> Result<Exit, Error> {
        let registry = self.sat.registry_with_solvers(registry);
        let problem = self.problem.get()?;
        let grouping_options = [("--fundamental", self.fundamental), ("--classes", self.classes)];
        let grouping_option = grouping_options.into_iter().find(|(_, is_given)| *is_given);
        if let Some((option, _)) = grouping_option.filter(|_| problem.symmetries().len() < 8) {
            refuse!(
                "{option} works only for problems that are symmetric under all rotations and reflections: leave it out"
            );
        }
        let limit = if self.all { u64::MAX } else { self.limit.unwrap_or(1) };
        let requested = RequestedSolutions { limit, canonical_only: self.fundamental || self.classes };
        let solver = match &self.solver {
            Some(selection) => registry.choose(selection)?,
            None => default_solver(&registry, &problem, requested.goal())?,
        };
        let info = solver.info();
        if self.solver.is_none() && info.id != DEFAULTS[0] && problem.is_plain() {
            let n = problem.n();
            let (slow, id) = (DEFAULTS[0], &info.id);
            terminal::note(format_args!("n = {n}: {slow} would take too long; {id} solves this board"));
        }
        self.sat.check_use(std::slice::from_ref(&info))?;
        let threads = Threads { threads: Some(self.threads) }.for_solver(&info)?;
        let input =
            SolveInput { problem: &problem, solver: &solver, threads, seed: self.seed.seed, requested };
        let outcome = self.print(&input)?;
        let program = self.sat.program_of_solver(&info.id);
        let name = program.map_or(info.id.clone(), |program| format!("{} ('{}')", info.id, program.command));
        Ok(conclude(&outcome, &problem, &name))
    }
}

impl Solve {
    /// Prints solutions as they are found.
    fn print(&self, input: &SolveInput<'_>) -> Result<SolveOutcome, Error> {
        let n = input.problem.n().get();
        let has_line_per_board = self.classes || n > BoardSize::MAX || !stdout().is_terminal();
        let default = if has_line_per_board { Notation::Columns } else { Notation::Unicode };
        let notation = self.notation.unwrap_or(default);
        let mut writer = Writer::new(BufWriter::new(stdout().lock()), notation, n)?;
        let mut show = |columns: &[u32]| {
            let size = if self.classes { format!("{}\t", orbit(columns).len()) } else { String::new() };
            writer.out.write_all(size.as_bytes()).and_then(|()| writer.solution(columns))
        };
        let outcome = solve(input, &mut show);
        writer.finish().and_then(|mut out| out.flush()).context("cannot print")?;
        Ok(outcome?)
    }
}

/// Prints a message about the number of solutions unless it is as expected, and returns the exit code.
fn conclude(outcome: &SolveOutcome, problem: &Problem, solver: &str) -> Exit {
    let (n, solutions) = (problem.n().get(), outcome.solutions);
    let solutions = counted(solutions, "solution");
    let wrong = |what: String| {
        terminal::error(format_args!("n={n}: {solver} {what}"));
        Exit::WrongAnswer
    };
    match &outcome.number_verdict {
        NumberVerdict::NotASolution(board) => {
            let board = board.as_ref().map_or(String::new(), |board| format!(": {board}"));
            return wrong(format!("printed a board that is not a solution{board}"));
        }
        NumberVerdict::HasSolutions => {
            return wrong("found no solution, but every board from n = 4 on has one".to_owned());
        }
        NumberVerdict::Contradicts(count, source) => {
            return wrong(format!("found {solutions}, but {source} has {count}"));
        }
        NumberVerdict::NotPublished => terminal::note(format_args!(
            "n={n}: {solver} found {solutions}; there is no published number to compare with"
        )),
        NumberVerdict::Unchecked => terminal::note(format_args!(
            "n={n}: {solver} found {solutions} and claims that there are no more; this claim was not checked"
        )),
        NumberVerdict::NoSolution if problem.is_plain() => {
            terminal::note(format_args!("there is no solution for n = {n}"));
        }
        NumberVerdict::NoSolution => terminal::note("there is no solution"),
        NumberVerdict::AsExpected => {}
    }
    Exit::Success
}
