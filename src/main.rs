//! The `queenlab` command: parses, runs, and turns an error into an exit code.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = cli::color::parse();
    match cli::run(&arguments) {
        Ok(code) => code,
        Err(error) if cli::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            cli::color::say("error", &format!("{error:#}"));
            cli::exit_code(&error)
        }
    }
}
