//! The `queenlab` command: parses, runs, and turns an error into an exit code.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    match cli::run() {
        Ok(code) => code,
        Err(error) if cli::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            cli::terminal::error(format_args!("{error:#}"));
            cli::exit_code(&error)
        }
    }
}
