//! `queenlab solve`: prints solutions.

use std::io::{BufWriter, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use crate::board::BoardSize;
use crate::board::notation::{Notation, Writer};
use crate::board::symmetry::is_canonical;
use crate::registry::Registry;
use crate::solver::{Goal, SolveError, Solver, Task};
use anyhow::{Context, Error};

use super::args::{Global, SolveArguments};
use super::{BadInput, Exit, refuse_unused, terminal};

/// The solver of boards that it can solve, unless another is named.
const USUAL: &str = "backtrack/bitmask";

/// The usual solver, or the first SAT solver, where it can be given this task.
fn able(registry: &Registry, n: BoardSize, goal: Goal) -> Result<&dyn Solver, Error> {
    let mut ids = vec![USUAL.to_owned()];
    ids.extend(registry.select("sat/*/varisat")?.into_iter().map(|selected| selected.info.id));
    for id in &ids {
        let solver = registry.get(id)?;
        if solver.info().refusal(n, goal).is_none() {
            return Ok(solver);
        }
    }
    let all = ids.join(", ");
    Err(BadInput(format!("n = {n} is too large for {all}: choose another --solver, see 'queenlab list'"))
        .into())
}

pub fn run(arguments: &SolveArguments, global: &Global, registry: &Registry) -> Result<Exit, Error> {
    let limit = if arguments.all { u64::MAX } else { arguments.limit.unwrap_or(1) };
    let goal = if limit == 1 && !arguments.fundamental { Goal::First } else { Goal::Enumerate };
    let threads = NonZeroUsize::new(arguments.threads as usize).unwrap_or(NonZeroUsize::MIN);
    let task = Task { threads, seed: global.seed(), ..Task::new(arguments.size.get(), goal) };
    let solver = match &arguments.solver {
        Some(id) => registry.get(id)?,
        None => able(&registry, task.n, goal)?,
    };
    let info = solver.info();
    refuse_unused(std::slice::from_ref(&info), Some(arguments.threads), global)?;
    if let Some(refusal) = info.refusal(task.n, goal) {
        return Err(BadInput(format!("{refusal}; choose another --solver, see 'queenlab list'")).into());
    }
    if arguments.solver.is_none() && info.id != USUAL {
        terminal::note(format_args!("n = {}: {USUAL} cannot solve this board; {} does", task.n, info.id));
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
