//! The `queenlab` command: parses, runs, and turns an error into an exit code.

mod cli;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let arguments = cli::args::Arguments::parse();
    match cli::run(&arguments) {
        Ok(code) => code,
        Err(error) if cli::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            cli::exit_code(&error)
        }
    }
}
