//! `queenlab completions`: prints shell completions, generated from the definition of the command line.

use std::io::{self, Write};

use anyhow::Error;
use clap::Args;
use clap_complete::Shell;

use crate::registry::Registry;

use super::{Exit, RunCommand, command_line};

/// Print shell completions.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab completions bash > ~/.local/share/bash-completion/completions/queenlab
  queenlab completions zsh > ~/.zfunc/_queenlab
  queenlab completions fish > ~/.config/fish/completions/queenlab.fish")]
pub struct Completions {
    /// Shell to print completions for.
    shell: Shell,
}

impl RunCommand for Completions {
    fn run(&self, _registry: &Registry) -> Result<Exit, Error> {
        let mut text = Vec::new();
        clap_complete::generate(self.shell, &mut command_line(None), "queenlab", &mut text);
        io::stdout().lock().write_all(&text)?;
        Ok(Exit::Success)
    }
}
