//! `queenlab solve`: prints solutions.

use std::io::{BufWriter, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use crate::board::problem::{Problem, Variant};
use crate::board::symmetry::{is_canonical, orbit};
use crate::board::{BoardSize, Placement, is_large_solution, known};
use crate::experiment::reference;
use crate::judge::notation::{Notation, Writer, write_large};
use crate::registry::Registry;
use crate::solver::sink::FirstOfAnySize;
use crate::solver::{Configured, Goal, SolveError, Solver, Task};
use crate::verify::certificate;
use anyhow::{Context, Error};

use super::args::{Global, SolveArguments};
use super::{BadInput, Exit, certify, color, puzzle, refuse_unused, terminal};
use crate::words::counted;

/// The solvers of `--lex`, whose first solution is the lexicographically first one: for plain queens, and for every
/// problem.
const LEXICOGRAPHIC: [&str; 2] = ["backtrack/lex", "backtrack/forward-checking"];

/// The default solvers: the first one that supports the task is used. The second one finds a
/// solution for n = 33 in 0.2 s and for n = 200 in 2 s.
const USUAL: [&str; 2] = ["backtrack/bitmask", "sat/product/varisat"];

fn usual<'r>(registry: &'r Registry, problem: &Problem, goal: Goal) -> Result<Configured<'r>, Error> {
    let n = problem.n();
    for id in USUAL {
        let solver = registry.choose(id)?;
        if solver.info().refusal(problem, goal).is_none() {
            return Ok(solver);
        }
    }
    let all = USUAL.join(" and ");
    Err(BadInput(format!("n = {n} is too large for {all}: choose another --solver, for example local/queen-search; see 'queenlab list'"))
        .into())
}

pub fn run(arguments: &SolveArguments, global: &Global, registry: &Registry) -> Result<Exit, Error> {
    let limit = if arguments.all { u64::MAX } else { arguments.limit.unwrap_or(1) };
    let problem = arguments.problem.get()?;
    // A puzzle is printed as a picture, and a second solution is looked for: puzzles should have only one.
    let picture = match problem.variant() {
        Variant::Regions(regions) if arguments.notation.is_none() && !arguments.classes => {
            Some(regions.clone())
        }
        _ => None,
    };
    let asks_for_second = picture.is_some() && limit == 1 && !arguments.lex;
    let first = limit == 1 && !arguments.fundamental && !asks_for_second;
    let goal = if first { Goal::First } else { Goal::Enumerate };
    let grouping = [("--fundamental", arguments.fundamental), ("--classes", arguments.classes)];
    let grouping = grouping.into_iter().find(|(_, given)| *given);
    if let Some((option, _)) = grouping.filter(|_| problem.symmetries().len() < 8) {
        let reason = "needs a problem that all rotations and reflections map onto itself: leave it out";
        refuse!("{option} {reason}");
    }
    if let Some(path) = &arguments.proof {
        // Fail now, not after the search.
        certificate::check_first(&problem, path).map_err(|error| BadInput(error.to_string()))?;
    }
    let threads = NonZeroUsize::new(arguments.threads as usize).unwrap_or(NonZeroUsize::MIN);
    let task = Task { threads, seed: global.seed(), ..Task::of(&problem, goal) };
    let solver = match &arguments.solver {
        Some(selection) if arguments.lex => {
            let chosen = registry.choose(selection)?;
            let id = chosen.info().id;
            chosen.lexicographically_first().ok_or_else(|| {
                BadInput(format!(
                    "{id} does not find the lexicographically first solution: leave out --solver, or choose a SAT solver \
                     without a strategy, for example sat/product/varisat"
                ))
            })?
        }
        Some(selection) => registry.choose(selection)?,
        None if arguments.lex => registry.choose(LEXICOGRAPHIC[usize::from(!problem.is_plain())])?,
        None => usual(registry, &task.problem, goal)?,
    };
    let info = solver.info();
    refuse_unused(std::slice::from_ref(&info), Some(arguments.threads), global)?;
    if let Some(refusal) = info.refusal(&task.problem, goal) {
        let is_usual = arguments.lex && arguments.solver.is_none();
        let advice =
            if is_usual { "leave out --lex" } else { "choose another --solver, see 'queenlab list'" };
        refuse!("{refusal}; {advice}");
    }
    if arguments.solver.is_none() && !arguments.lex && info.id != USUAL[0] && problem.is_plain() {
        terminal::note(format_args!(
            "n = {}: {} cannot solve this board; {} does",
            task.n(),
            USUAL[0],
            info.id
        ));
    }
    if task.n().get() > BoardSize::MAX {
        return large(&solver, &task, arguments.notation.unwrap_or(Notation::Columns));
    }
    let stdout = std::io::stdout();
    let as_lines = arguments.classes || !stdout.is_terminal();
    let usual = if as_lines { Notation::Columns } else { Notation::Unicode };
    let notation = arguments.notation.unwrap_or(usual);
    let mut writer = Writer::new(BufWriter::new(stdout.lock()), notation, task.n().get())?;
    let colour = color::is_on_for_output();
    let (mut found, mut printed) = (0, 0);
    let mut failed = None;
    let mut illegal = None;
    let mut first_found: Option<Vec<u16>> = None;
    let mut sink = |columns: &[u16]| {
        if !task.problem.is_solution(columns) {
            illegal = Some(Placement::new(columns).to_string());
            return ControlFlow::Break(());
        }
        found += 1;
        first_found.get_or_insert_with(|| columns.to_vec());
        if grouping.is_some() && !is_canonical(columns) {
            return ControlFlow::Continue(());
        }
        if printed >= limit {
            return ControlFlow::Break(());
        }
        let written = match &picture {
            Some(regions) => puzzle::print(writer.out(), regions, columns, colour, printed > 0),
            None if arguments.classes => {
                write!(writer.out(), "{}\t", orbit(columns).len()).and_then(|()| writer.solution(columns))
            }
            None => writer.solution(columns),
        };
        if let Err(error) = written {
            failed = Some(error);
            return ControlFlow::Break(());
        }
        printed += 1;
        if printed >= limit && !asks_for_second { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let solved: Result<_, SolveError> = solver.solve(&task, &mut sink);
    if let Some(error) = failed {
        return Err(error).context("cannot print");
    }
    writer.finish().and_then(|mut out| out.flush()).context("cannot print")?;
    let (n, info) = (task.n().get(), solver.info());
    let command = global.external.as_deref().filter(|_| info.uses_external);
    let solver = command.map_or(info.id.clone(), |command| format!("{} ('{command}')", info.id));
    if let Some(board) = illegal {
        terminal::error(format_args!("n={n}: {solver} printed a board that is not a solution: {board}"));
        return Ok(Exit::WrongAnswer);
    }
    let complete = solved?.stopped.is_none() && (printed < limit || asks_for_second);
    let plain = task.problem.is_plain();
    if plain && found == 0 && known::has_solution(n) {
        terminal::error(format_args!("n={n}: {solver} found no solution, but every n from 4 on has one"));
        return Ok(Exit::WrongAnswer);
    }
    // What a foreign program says of what it did not show is compared with all that can be known quickly.
    let known =
        if info.uses_external { reference::count(&task.problem) } else { known::published(&task.problem) };
    let is_all = complete && (goal == Goal::Enumerate || found == 0);
    match known {
        Some((count, source)) if is_all && count != found => {
            terminal::error(format_args!(
                "n={n}: {solver} found only {}, but {source} has {count}",
                counted(found, "solution")
            ));
            return Ok(Exit::WrongAnswer);
        }
        None if plain && is_all && !first => terminal::note(format_args!(
            "n={n}: {solver} found {}; there is no published number to compare with",
            counted(found, "solution")
        )),
        None if info.uses_external && is_all => terminal::note(format_args!(
            "n={n}: {solver} claims that there are no more solutions than the {found} that it found; nothing has \
             checked this claim"
        )),
        _ if found == 0 && plain => terminal::note(format_args!("there is no solution for n = {n}")),
        _ if found == 0 => terminal::note(format_args!("there is no solution")),
        _ if asks_for_second && found == 1 => terminal::note(format_args!("this is the only solution")),
        _ if asks_for_second => terminal::note(format_args!("there are more solutions")),
        _ => {}
    }
    match &arguments.proof {
        Some(path) => certify::prove_first(task.problem, first_found, path),
        None => Ok(Exit::Success),
    }
}

/// Prints the first solution of a board above [`BoardSize::MAX`], judged in linear time.
fn large(solver: &dyn Solver, task: &Task<'_>, notation: Notation) -> Result<Exit, Error> {
    let (n, id) = (task.n(), solver.id());
    let mut found = FirstOfAnySize::default();
    solver.solve(task, &mut found)?;
    let Some(columns) = found.0 else {
        return Err(SolveError::Failed { id, reason: format!("it found no solution for n = {n}") }.into());
    };
    if columns.len() != n.get() || !is_large_solution(&columns) {
        terminal::error(format_args!("n={n}: {id} printed a board that is not a solution"));
        return Ok(Exit::WrongAnswer);
    }
    let mut out = BufWriter::new(std::io::stdout().lock());
    write_large(&mut out, notation, &columns)?.and_then(|()| out.flush()).context("cannot print")?;
    Ok(Exit::Success)
}
