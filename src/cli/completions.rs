//! `queenlab completions`: generated from the definition of the command line.

use std::io::{self, Write};

use anyhow::Error;
use clap::builder::PossibleValuesParser;
use clap::{Args, Command};
use clap_complete::Shell;

use crate::board::problem::Variant;
use crate::experiment::builtin;
use crate::judge::notation::Notation;
use crate::registry::Registry;
use crate::sat::am1;

use super::{Exit, Run, command_line};

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

impl Run for Completions {
    fn run(&self, registry: &Registry) -> Result<Exit, Error> {
        let mut text = Vec::new();
        let mut command = with_values(command_line(None), &values(self.shell, registry));
        clap_complete::generate(self.shell, &mut command, "queenlab", &mut text);
        io::stdout().lock().write_all(&text)?;
        Ok(Exit::Success)
    }
}

/// The values of arguments, by the names of the arguments, that a shell should offer.
fn values(shell: Shell, registry: &Registry) -> Vec<(&'static str, Vec<&'static str>)> {
    // clap takes texts that live as long as the program.
    let ids: Vec<&str> = registry.iter().map(|solver| &*solver.id().leak()).collect();
    let variants: Vec<&str> = Variant::NAMED.iter().map(Variant::name).collect();
    let experiments = builtin::ALL.map(|(name, _)| name).to_vec();
    let mut values = vec![
        ("solver", ids.clone()),
        ("solvers", ids),
        ("variant", variants.clone()),
        ("variants", variants),
        ("notation", Notation::ALL.map(Notation::name).to_vec()),
        ("encoding", am1::ALL.iter().map(|am1| am1.name).collect()),
    ];
    // Other shells would no longer offer files.
    values.extend((shell == Shell::Bash).then_some(("experiment", experiments)));
    values
}

/// A command and its subcommands with these values of their arguments.
fn with_values(command: Command, values: &[(&'static str, Vec<&'static str>)]) -> Command {
    let own: Vec<String> = command.get_arguments().map(|arg| arg.get_id().to_string()).collect();
    let subs: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    let known = values.iter().filter(|(name, _)| own.iter().any(|own| own == name));
    let command = known.fold(command, |command, (name, values)| {
        command.mut_arg(name, |arg| arg.value_parser(PossibleValuesParser::new(values)))
    });
    subs.into_iter()
        .fold(command, |command, name| command.mut_subcommand(name, |sub| with_values(sub, values)))
}
