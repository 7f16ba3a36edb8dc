//! Compares a new searcher with a SAT solver, board by board, and prints the differences:
//! `cargo run --release --example compare_with_sat`

#![allow(clippy::print_stdout, reason = "an example prints for its reader")]

use std::error::Error;

use queenlab::board::problem::Problem;
use queenlab::board::{BoardSize, is_solution};
use queenlab::registry::Registry;
use queenlab::solver::Silent;
use queenlab::solver::{Goal, Info, Outcome, Sink, SolveError, Solver, Task};
use queenlab::verify::crosscheck::{Entrant, crosscheck};

/// Tries every column in every row, and checks a board only when it is full.
struct GenerateAndTest;

impl Solver for GenerateAndTest {
    fn info(&self) -> Info {
        Info { sizes: 0..=6, goals: vec![Goal::Enumerate], ..Info::named("mine/generate-and-test") }
    }

    fn search(&self, task: &Task<'_>, sink: &mut dyn Sink) -> Result<Outcome, SolveError> {
        let n = task.n().get();
        let mut outcome = Outcome::default();
        for number in 0..n.pow(n as u32) {
            let columns: Vec<u32> = (0..n as u32).map(|row| (number / n.pow(row) % n) as u32).collect();
            if is_solution(&columns) {
                outcome.solutions += 1;
                let _ = sink.solution(&columns);
            }
        }
        Ok(outcome)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let registry = Registry::builtin();
    let sat = registry.get("sat/pairwise/varisat")?;
    let entrants = [&GenerateAndTest as &dyn Solver, sat].map(Entrant::new);
    let problems = (0..=6).map(|n| BoardSize::new(n).map(Problem::queens)).collect::<Result<Vec<_>, _>>()?;
    let report = crosscheck(&entrants, problems, &|_, _| &Silent)?;
    for discrepancy in &report.discrepancies {
        println!("{discrepancy}");
    }
    if !report.agrees() {
        return Err("the two differ".into());
    }
    println!("both find the same boards for n = 0 to 6");
    Ok(())
}
