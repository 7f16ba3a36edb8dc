//! The `queenlab` command: the library's command line, with the solvers of this crate.

use std::process::ExitCode;

use queenlab::registry::Registry;

fn main() -> ExitCode {
    queenlab::cli::main(Registry::builtin())
}
