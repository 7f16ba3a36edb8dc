//! Prints the first solution of a board that a given solver finds:
//! `cargo run --release --example first_solution -- 20 backtrack/bitmask`

#![allow(clippy::print_stdout, reason = "an example prints for its reader")]

use std::error::Error;

use queenlab::board::BoardSize;
use queenlab::registry::Registry;
use queenlab::solver::sink::Collect;
use queenlab::solver::{Goal, Task};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let n: usize = arguments.next().map_or(Ok(8), |n| n.parse())?;
    let id = arguments.next().unwrap_or_else(|| "backtrack/bitmask".to_owned());

    let registry = Registry::builtin();
    let mut boards = Collect::default();
    registry.get(&id)?.solve(&Task::new(BoardSize::new(n)?, Goal::First), &mut boards)?;
    match boards.0.first() {
        Some(board) => println!("{board}"),
        None => println!("there is no solution for n = {n}"),
    }
    Ok(())
}
