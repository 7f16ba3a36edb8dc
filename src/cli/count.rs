//! `queenlab count`: how many solutions there are.

use std::io::Write;
use std::num::NonZeroUsize;
use std::time::Instant;

use anyhow::Error;
use queenlab::board::known;
use queenlab::record::nanoseconds;
use queenlab::registry::Registry;
use queenlab::solver::sink::Discard;
use queenlab::solver::{Goal, Task};
use serde_json::json;

use super::args::{CountArguments, Global};
use super::{BadInput, Exit};

pub fn run(arguments: &CountArguments, global: &Global) -> Result<Exit, Error> {
    let registry = Registry::with_external(global.external.as_deref());
    let solver = registry.get(&arguments.solver)?;
    let all = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let asked = arguments.threads.and_then(|threads| NonZeroUsize::new(threads as usize));
    let threads = asked.unwrap_or_else(all);
    let task = Task { threads, seed: global.seed(), ..Task::new(arguments.n, Goal::Count) };
    if let Some(refusal) = solver.info().refusal(task.n, task.goal) {
        return Err(BadInput(format!("{refusal}; choose another --solver, see 'queenlab list'")).into());
    }
    let started = Instant::now();
    let solutions = solver.solve(&task, &mut Discard)?.solutions;
    let wall_ns = nanoseconds(started.elapsed());
    let mut out = std::io::stdout().lock();
    if arguments.json {
        let (n, threads) = (task.n.get(), task.threads);
        let found = json!({
            "n": n, "solver": arguments.solver, "threads": threads, "solutions": solutions, "wall_ns": wall_ns,
        });
        writeln!(out, "{found}")?;
    } else {
        writeln!(out, "{solutions}")?;
    }
    let published = known::solutions(task.n.get()).filter(|&published| published != solutions);
    if let Some(published) = published {
        let source = known::SOLUTIONS_SOURCE;
        eprintln!("n={}: {} counted {solutions}, {source} says {published}", task.n, arguments.solver);
    }
    Ok(if published.is_some() { Exit::WrongAnswer } else { Exit::Success })
}
