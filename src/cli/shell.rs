//! `queenlab completions` and `queenlab man`: both are generated from the definition of the command line.

use std::io::{self, Write};

use anyhow::Error;
use clap::Command;
use clap::builder::PossibleValuesParser;
use clap_complete::Shell;

use crate::board::problem::Variant;
use crate::experiment::builtin;
use crate::judge::notation::Notation;
use crate::registry::Registry;
use crate::sat::am1;

use super::Exit;
use super::args::{self, CompletionsArguments};

pub fn completions(completions: &CompletionsArguments, registry: &Registry) -> Result<Exit, Error> {
    let mut text = Vec::new();
    let mut command = with_values(args::command(), &values(completions.shell, registry));
    clap_complete::generate(completions.shell, &mut command, "queenlab", &mut text);
    io::stdout().lock().write_all(&text)?;
    Ok(Exit::Success)
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

/// One page for the command and all subcommands, including those of `shard`.
pub fn man() -> Result<Exit, Error> {
    let mut command = args::command();
    command.build();
    let mut text = Vec::new();
    let man = clap_mangen::Man::new(command.clone());
    man.render(&mut text)?;
    // clap_mangen refers to a page for each subcommand; here they are sections of this page.
    let mut text = String::from_utf8_lossy(&text).into_owned();
    for sub in command.get_subcommands() {
        let name = sub.get_name().replace('-', "\\-");
        text = text.replace(&format!("\nqueenlab\\-{name}(1)\n"), &format!("\nqueenlab {name}\n"));
    }
    let mut text = text.into_bytes();
    subcommands(&command, "", &mut text)?;
    text.extend(SEE_ALSO.as_bytes());
    io::stdout().lock().write_all(&text)?;
    Ok(Exit::Success)
}

/// Where to read on: pages that the program itself prints, and programs that it can work with.
const SEE_ALSO: &str = ".SH SEE ALSO
.TP
queenlab help formats
Every key of an experiment, column, notation and exit code.
.TP
queenlab help checking
How to judge the programs of other people.
.TP
queenlab help problems
Boards other than the plain one.
.TP
queenlab help certificates
What a proof of a count proves, and how to check it with other programs.
.PP
minisat(1), kissat(1), cadical(1), clasp(1): SAT solvers for \\-\\-external.
";

/// Subcommands as sections of the one page; a second title line would begin another page.
fn subcommands(command: &Command, path: &str, text: &mut Vec<u8>) -> io::Result<()> {
    for sub in command.get_subcommands() {
        let path = format!("{path} {}", sub.get_name());
        writeln!(text, ".SH {}", path.trim_start().to_uppercase())?;
        let man = clap_mangen::Man::new(sub.clone());
        let mut section = Vec::new();
        man.render_synopsis_section(&mut section)?;
        man.render_description_section(&mut section)?;
        man.render_options_section(&mut section)?;
        man.render_extra_section(&mut section)?;
        // The sections are placed below the name of the subcommand.
        let section = String::from_utf8_lossy(&section).replace(".SH ", ".SS ");
        text.write_all(section.as_bytes())?;
        subcommands(sub, &path, text)?;
    }
    Ok(())
}
