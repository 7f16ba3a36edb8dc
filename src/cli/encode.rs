//! `queenlab encode`: a formula in DIMACS CNF.

use std::io::{BufWriter, Write};

use crate::record::write_atomically;
use crate::sat::symmetry::Breaking;
use crate::sat::{am1, encoding};
use anyhow::Error;

use super::Exit;
use super::args::EncodeArguments;

pub fn run(arguments: &EncodeArguments) -> Result<Exit, Error> {
    let Some(am1) = am1::by_name(&arguments.encoding) else {
        let names: Vec<&str> = am1::ALL.iter().map(|am1| am1.name).collect();
        refuse!("unknown encoding '{}': choose one of {}", arguments.encoding, names.join(", "));
    };
    let problem = arguments.problem.get()?;
    let n = problem.n().get();
    if n > am1.largest_board {
        refuse!(
            "n = {n} exceeds the limit of encoding {} ({}): its formula would not fit in 2 GiB",
            am1.name,
            am1.largest_board
        );
    }
    if !problem.has_symmetries(arguments.symmetry.group()) {
        refuse!("the symmetries do not map this problem onto itself: leave out --symmetry");
    }
    let mut formula = encoding::encode(&problem, am1);
    formula.break_symmetry(&Breaking::border(n, arguments.symmetry));
    match &arguments.output {
        Some(path) => {
            let mut text = Vec::new();
            formula.write_dimacs(&mut text)?;
            write_atomically(path, &text)?;
        }
        None => {
            let mut out = BufWriter::new(std::io::stdout().lock());
            formula.write_dimacs(&mut out)?;
            out.flush()?;
        }
    }
    Ok(Exit::Success)
}
