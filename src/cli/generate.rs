//! `queenlab generate`: random instances.

use anyhow::Error;

use super::args::{GenerateArguments, GenerateKind, Global};
use super::{BadInput, Exit, write_out};
use crate::board::problem::Variant;
use crate::instance::{generate, to_toml};

pub fn run(arguments: &GenerateArguments, global: &Global) -> Result<Exit, Error> {
    let seed = global.seed();
    let problem = match arguments.kind {
        GenerateKind::Regions { n } if !(5..=12).contains(&n.get()) => {
            refuse!("n = {n}: region puzzles are generated for n from 5 to 12");
        }
        GenerateKind::Regions { n } => generate::regions(n, seed),
        GenerateKind::ExcludedDiagonals { n, count, keep } => {
            generate::excluded_diagonals(n, count, keep, seed)
        }
        GenerateKind::Completion { n, queens } => generate::completion(n, queens, seed),
        GenerateKind::Blocked { n, squares, keep } => generate::blocked(n, squares, keep, seed),
    };
    let problem = problem.ok_or_else(|| {
        BadInput(format!(
            "no such instance was found with seed {seed}: ask for fewer squares, queens or diagonals, or choose \
             another --seed"
        ))
    })?;
    let text = match problem.variant() {
        Variant::Regions(regions) => regions.rows().map(|row| row + "\n").collect(),
        _ => to_toml(&problem),
    };
    write_out(arguments.output.as_deref(), text.as_bytes())?;
    Ok(Exit::Success)
}
