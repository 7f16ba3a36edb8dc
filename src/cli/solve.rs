//! `queenlab solve`: prints solutions.

use std::io::{BufWriter, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use anyhow::{Context, Error};
use queenlab::board::BoardSize;
use queenlab::board::notation::{Notation, Writer};
use queenlab::board::symmetry::is_canonical;
use queenlab::registry::Registry;
use queenlab::solver::{Goal, SolveError, Solver, Task};

use super::args::{Global, SolveArguments};
use super::{BadInput, Exit, refuse_unused, terminal};

/// Which solver solves unless another is named: the first of these that can be given the task. The second finds a
/// solution for n = 33 in 0.2 s and for n = 200 in 2 s.
const USUAL: [&str; 2] = ["backtrack/bitmask", "sat/product/varisat"];

fn usual(registry: &Registry, n: BoardSize, goal: Goal) -> Result<&dyn Solver, Error> {
    for id in USUAL {
        let solver = registry.get(id)?;
        if solver.info().refusal(n, goal).is_none() {
            return Ok(solver);
        }
    }
    let all = USUAL.join(" and ");
    Err(BadInput(format!("n = {n} is too large for {all}: choose another --solver, see 'queenlab list'"))
        .into())
}

pub fn run(arguments: &SolveArguments, global: &Global) -> Result<Exit, Error> {
    let registry = Registry::with_external(global.external.as_deref());
    let limit = if arguments.all { u64::MAX } else { arguments.limit.unwrap_or(1) };
    let goal = if limit == 1 && !arguments.fundamental { Goal::First } else { Goal::Enumerate };
    let threads = NonZeroUsize::new(arguments.threads as usize).unwrap_or(NonZeroUsize::MIN);
    let task = Task { threads, seed: global.seed(), ..Task::new(arguments.size.get(), goal) };
    let solver = match &arguments.solver {
        Some(id) => registry.get(id)?,
        None => usual(&registry, task.n, goal)?,
    };
    let info = solver.info();
    refuse_unused(std::slice::from_ref(&info), Some(arguments.threads), global)?;
    if let Some(refusal) = info.refusal(task.n, goal) {
        return Err(BadInput(format!("{refusal}; choose another --solver, see 'queenlab list'")).into());
    }
    if arguments.solver.is_none() && info.id != USUAL[0] {
        terminal::note(format_args!(
            "n = {}: {} cannot solve this board; {} does",
            task.n, USUAL[0], info.id
        ));
    }
    let stdout = std::io::stdout();
    let usual = if stdout.is_terminal() { Notation::Unicode } else { Notation::Columns };
    let notation = arguments.notation.unwrap_or(usual);
    let mut writer = Writer::new(BufWriter::new(stdout.lock()), notation, task.n.get())?;
    let mut printed = 0;
    let mut failed = None;
    let mut sink = |columns: &[u16]| {
        if arguments.fundamental && !is_canonical(columns) {
            return ControlFlow::Continue(());
        }
        if let Err(error) = writer.solution(columns) {
            failed = Some(error);
            return ControlFlow::Break(());
        }
        printed += 1;
        if printed >= limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let solved: Result<_, SolveError> = solver.solve(&task, &mut sink);
    if let Some(error) = failed {
        return Err(error).context("cannot print");
    }
    solved?;
    writer.finish().and_then(|mut out| out.flush()).context("cannot print")?;
    if printed == 0 {
        terminal::note(format_args!("there is no solution for n = {}", task.n));
    }
    Ok(Exit::Success)
}
