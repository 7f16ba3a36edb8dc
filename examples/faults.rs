//! A `queenlab` with solvers that fail in ways that a harness must survive, for `tests/all/faults.rs`.

use std::fs::File;
use std::io::Write;
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use queenlab::board::prefix::Prefix;
use queenlab::registry::Registry;
use queenlab::solver::{Info, Outcome, Sink, SolveError, Solver, Task};

fn main() -> ExitCode {
    let mut registry = Registry::builtin();
    solvers().into_iter().for_each(|solver| registry.register(solver));
    queenlab::cli::main(registry)
}

struct Fault {
    name: &'static str,
    about: &'static str,
    act: fn(&Task<'_>, &mut dyn Sink) -> Result<Outcome, SolveError>,
}

/// All faulty solvers, with ids `faults/<name>`.
fn solvers() -> Vec<Box<dyn Solver>> {
    let all = [
        Fault { name: "abort", about: "is killed by a signal", act: |_, _| std::process::abort() },
        Fault { name: "panic", about: "panics", act: |_, _| panic!("a queen fell off the board") },
        Fault { name: "fail", about: "reports a failure", act: |_, _| Err(failed("no more queens")) },
        Fault {
            name: "exit",
            about: "exits with success but without an answer",
            act: |_, _| std::process::exit(0),
        },
        Fault { name: "hang", about: "never ends", act: |_, _| hang() },
        Fault { name: "mute", about: "closes its output and never ends", act: |_, _| mute() },
        Fault { name: "memory", about: "allocates memory until none is left", act: |_, _| exhaust_memory() },
        Fault { name: "garbage", about: "prints something other than a report", act: garbage },
        Fault { name: "flood", about: "prints without end", act: |_, _| flood() },
        Fault {
            name: "wrong",
            about: "leaves out a solution",
            act: |task, sink| solve(task, sink, 1, false),
        },
        Fault {
            name: "twice",
            about: "shows the right number of boards, one of them twice",
            act: |task, sink| solve(task, sink, 1, true),
        },
        Fault {
            name: "no-board",
            about: "claims a solution and shows none",
            act: |_, _| Ok(Outcome { solutions: 1, ..Outcome::default() }),
        },
        Fault { name: "small-board", about: "shows a solution of 4 queens", act: small_board },
        Fault { name: "litter", about: "answers correctly, but leaves a process behind", act: litter },
    ];
    all.into_iter().map(|fault| Box::new(fault) as Box<dyn Solver>).collect()
}

impl Solver for Fault {
    fn info(&self) -> Info {
        Info { about: self.about.to_owned(), ..Info::named(format!("faults/{}", self.name)) }
    }

    fn search(&self, task: &Task<'_>, sink: &mut dyn Sink) -> Result<Outcome, SolveError> {
        (self.act)(task, sink)
    }
}

fn failed(reason: &str) -> SolveError {
    SolveError::Failed { id: "faults".to_owned(), reason: reason.to_owned() }
}

fn hang() -> ! {
    loop {
        std::thread::sleep(Duration::from_secs(3600));
    }
}

/// Closes the standard output, so that the reader gets the end of the output, and keeps running.
fn mute() -> ! {
    if let Ok(nowhere) = File::options().write(true).open("/dev/null") {
        let _ = rustix::stdio::dup2_stdout(nowhere);
    }
    hang()
}

/// Allocates memory up to the limit, or 1 GiB if there is no limit. It also allocates small pieces, so that memory for an error
/// message is not available either.
fn exhaust_memory() -> Result<Outcome, SolveError> {
    let mut pieces = Vec::new();
    let mut remaining_large_pieces = 64;
    for size in [16 << 20, 64 << 10, 64] {
        while remaining_large_pieces > 0 {
            let mut piece = Vec::new();
            if piece.try_reserve_exact(size).is_err() {
                break;
            }
            piece.resize(size, 1u8);
            pieces.push(piece);
            remaining_large_pieces -= usize::from(size == 16 << 20);
        }
    }
    if remaining_large_pieces > 0 {
        pieces.push(vec![1; 16 << 20]);
    }
    Err(failed(&format!("{} pieces were not too much", pieces.len())))
}

fn garbage(task: &Task<'_>, sink: &mut dyn Sink) -> Result<Outcome, SolveError> {
    // The text before the answer must not be read as an answer.
    let _ = std::io::stdout().write_all(b"{\"report\": \xff\xfe 92 queens\n");
    solve(task, sink, 0, false)
}

fn flood() -> ! {
    let block = [b'Q'; 1 << 16];
    loop {
        let _ = std::io::stdout().write_all(&block);
    }
}

/// Reports a solution of 4 queens for any size.
fn small_board(_: &Task<'_>, sink: &mut dyn Sink) -> Result<Outcome, SolveError> {
    let _ = sink.solution(&[1, 3, 0, 2]);
    Ok(Outcome { solutions: 1, ..Outcome::default() })
}

fn litter(task: &Task<'_>, sink: &mut dyn Sink) -> Result<Outcome, SolveError> {
    // The child process keeps the standard output and standard error open as long as it runs.
    let child = Command::new("sleep").arg("600").stdin(Stdio::null()).spawn();
    child.map_err(|error| failed(&error.to_string()))?;
    solve(task, sink, 0, false)
}

/// Reports all solutions except the last `omitted` ones. With `repeat_first`, the first one is repeated at the end.
fn solve(
    task: &Task<'_>,
    sink: &mut dyn Sink,
    omitted: usize,
    repeat_first: bool,
) -> Result<Outcome, SolveError> {
    let n = task.n().get();
    let mut boards: Vec<Prefix> = Prefix::all(n, n).into_iter().collect();
    boards.truncate(boards.len().saturating_sub(omitted));
    if repeat_first {
        boards.extend(boards.first().cloned());
    }
    let mut outcome = Outcome::default();
    for board in &boards {
        outcome.solutions += 1;
        if sink.solution(board.columns()).is_break() {
            break;
        }
    }
    Ok(outcome)
}
