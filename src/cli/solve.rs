//! `queenlab solve`: prints solutions.

use std::io::{BufWriter, IsTerminal, Write, stdout};
use std::ops::ControlFlow;

use crate::board::problem::Problem;
use crate::board::symmetry::{is_canonical, orbit};
use crate::board::{BoardSize, Placement, known};
use crate::experiment::reference;
use crate::judge::notation::{Notation, Writer};
use crate::registry::Registry;
use crate::solver::{Configured, Goal, Info, SolveError, Solver, Task};
use crate::spec::Bounded;
use crate::words::counted;
use anyhow::{Context, Error};
use clap::Args;

use super::options::{ProblemArguments, Quiet, SatPrograms, Seed, Threads};
use super::{Exit, Run, terminal};

/// The default solvers: the first one that supports the task is used. The second one finds a
/// solution for n = 33 in 0.2 s and for n = 200 in 2 s.
const USUAL: [&str; 2] = ["backtrack/bitmask", "sat/product/varisat"];

/// The largest board for which the first default solver is used: on larger ones it would take minutes.
const LARGEST_BACKTRACKED: usize = 32;

/// Print solutions.
///
/// Prints one solution unless --all or --limit is given. If there is none (n = 2 and 3), a message on standard error
/// reports it.
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
    /// Solver to use, as ID or ID:key=value,key=value; `queenlab list` shows all with their options [default: backtrack/bitmask for plain queens up to n = 32, otherwise
    /// sat/product/varisat].
    #[arg(long, value_name = "ID")]
    solver: Option<String>,
    /// Print all solutions.
    #[arg(long, conflicts_with = "limit")]
    all: bool,
    /// Print at most K solutions, for example 10.
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,
    /// Print only fundamental solutions: the lexicographically first board of each set of rotations and reflections.
    #[arg(long)]
    fundamental: bool,
    /// With --all, print classes instead of boards: two boards are in the same class if a rotation or reflection maps one
    /// to the other. Each line has the number of boards in a class, a tab, and the columns of the lexicographically first
    /// board of the class.
    #[arg(long, requires = "all", conflicts_with_all = ["fundamental", "notation"])]
    classes: bool,
    /// How to print boards, for example columns, matrix or list [default: unicode on a terminal, otherwise columns].
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

impl Run for Solve {
    fn run(&self, registry: &Registry) -> Result<Exit, Error> {
        let registry = self.sat.with(registry);
        let request = Request::of(self)?;
        let mut task = Task { seed: self.seed.seed, ..Task::of(&request.problem, request.goal()) };
        let solver = match &self.solver {
            Some(selection) => registry.choose(selection)?,
            None => usual(&registry, &task)?,
        };
        let info = solver.info();
        self.sat.must_act_on(std::slice::from_ref(&info))?;
        task.threads = Threads { threads: Some(self.threads) }.of(&info)?;
        if let Some(refusal) = info.refusal(&task.problem, task.goal) {
            refuse!("{refusal}; choose another --solver, see 'queenlab list'");
        }
        let program = self.sat.of(&info.id);
        let name = program.map_or(info.id.clone(), |own| format!("{} ('{}')", info.id, own.command));
        let printed = request.print(&solver, &task)?;
        conclude(&request, &printed, &info, &name)
    }
}

fn usual<'r>(registry: &'r Registry, task: &Task<'_>) -> Result<Configured<'r>, Error> {
    let n = task.n();
    for id in USUAL {
        let solver = registry.choose(id)?;
        let is_slow = id == USUAL[0] && n.get() > LARGEST_BACKTRACKED;
        if !is_slow && solver.info().refusal(&task.problem, task.goal).is_none() {
            if id != USUAL[0] && task.problem.is_plain() {
                terminal::note(format_args!(
                    "n = {n}: {} would take too long; {id} solves this board",
                    USUAL[0]
                ));
            }
            return Ok(solver);
        }
    }
    let all = USUAL.join(" and ");
    refuse!(
        "n = {n} is too large for {all}: choose another --solver, for example local/queen-search; see 'queenlab list'"
    )
}

/// What to print.
struct Request<'a> {
    arguments: &'a Solve,
    problem: Problem,
    limit: u64,
}

/// What was printed.
struct Printed {
    /// The solutions that were found.
    found: u64,
    /// Whether they are all, or one if one was asked for.
    is_complete: bool,
    /// A board that is not a solution and ended the search, as the end of a sentence; empty if it is too large to show.
    illegal: Option<String>,
}

impl<'a> Request<'a> {
    fn of(arguments: &'a Solve) -> Result<Self, Error> {
        let problem = arguments.problem.get()?;
        let grouping = [("--fundamental", arguments.fundamental), ("--classes", arguments.classes)];
        let grouping = grouping.into_iter().find(|(_, given)| *given);
        if let Some((option, _)) = grouping.filter(|_| problem.symmetries().len() < 8) {
            refuse!(
                "{option} needs a problem that all rotations and reflections map onto itself: leave it out"
            );
        }
        let limit = if arguments.all { u64::MAX } else { arguments.limit.unwrap_or(1) };
        Ok(Self { arguments, problem, limit })
    }

    fn goal(&self) -> Goal {
        let is_first = self.limit == 1 && !self.arguments.fundamental;
        if is_first { Goal::First } else { Goal::Enumerate }
    }

    /// Prints solutions as they are found.
    fn print(&self, solver: &dyn Solver, task: &Task<'_>) -> Result<Printed, Error> {
        let Solve { fundamental, classes, .. } = *self.arguments;
        let is_large = task.n().get() > BoardSize::MAX;
        let as_lines = classes || is_large || !stdout().is_terminal();
        let usual = if as_lines { Notation::Columns } else { Notation::Unicode };
        let notation = self.arguments.notation.unwrap_or(usual);
        let mut writer = Writer::new(BufWriter::new(stdout().lock()), notation, task.n().get())?;
        let mut printed = 0;
        let mut outcome = Printed { found: 0, is_complete: false, illegal: None };
        let mut failed = None;
        let mut sink = |columns: &[u32]| {
            if !task.problem.is_solution(columns) {
                let board = if is_large { String::new() } else { format!(": {}", Placement::new(columns)) };
                outcome.illegal = Some(board);
                return ControlFlow::Break(());
            }
            outcome.found += 1;
            if (fundamental || classes) && !is_canonical(columns) {
                return ControlFlow::Continue(());
            }
            if printed >= self.limit {
                return ControlFlow::Break(());
            }
            let size = if classes { format!("{}\t", orbit(columns).len()) } else { String::new() };
            let written = writer.out.write_all(size.as_bytes()).and_then(|()| writer.solution(columns));
            if let Err(error) = written {
                failed = Some(error);
                return ControlFlow::Break(());
            }
            printed += 1;
            if printed >= self.limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let solved: Result<_, SolveError> = solver.solve(task, &mut sink);
        failed.map_or(Ok(()), Err).context("cannot print")?;
        writer.finish().and_then(|mut out| out.flush()).context("cannot print")?;
        if outcome.illegal.is_none() {
            outcome.is_complete = solved?.stopped.is_none() && printed < self.limit;
        }
        Ok(outcome)
    }
}

/// Judges the number of solutions, and says what it means.
fn conclude(request: &Request<'_>, printed: &Printed, info: &Info, solver: &str) -> Result<Exit, Error> {
    let (problem, found) = (&request.problem, printed.found);
    let (n, is_plain) = (problem.n().get(), problem.is_plain());
    let wrong = |what: String| {
        terminal::error(format_args!("n={n}: {solver} {what}"));
        Ok(Exit::WrongAnswer)
    };
    if let Some(board) = &printed.illegal {
        return wrong(format!("printed a board that is not a solution{board}"));
    }
    if is_plain && found == 0 && known::has_solution(n) {
        return wrong("found no solution, but every n from 4 on has one".to_owned());
    }
    let is_all = printed.is_complete && (request.goal() == Goal::Enumerate || found == 0);
    let solutions = counted(found, "solution");
    // What a foreign program says of what it did not show is compared with all that can be known quickly.
    let known = if info.uses_external { reference::count(problem) } else { known::published(problem) };
    match known {
        Some((count, source)) if is_all && count != found => {
            return wrong(format!("found only {solutions}, but {source} has {count}"));
        }
        None if is_plain && is_all => terminal::note(format_args!(
            "n={n}: {solver} found {solutions}; there is no published number to compare with"
        )),
        None if info.uses_external && is_all => terminal::note(format_args!(
            "n={n}: {solver} claims that there are no more solutions than the {found} that it found; nothing has \
             checked this claim"
        )),
        _ if found == 0 && is_plain => terminal::note(format_args!("there is no solution for n = {n}")),
        _ if found == 0 => terminal::note("there is no solution"),
        _ => {}
    }
    Ok(Exit::Success)
}
