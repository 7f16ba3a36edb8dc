//! The `queenlab` command: the command line of the library with the built-in solvers.

use std::process::ExitCode;

use queenlab::registry::Registry;

fn main() -> ExitCode {
    queenlab::cli::main(Registry::builtin())
}
