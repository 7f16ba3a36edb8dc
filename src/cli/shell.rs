//! `queenlab completions` and `queenlab man`: both are generated from the definition of the command line.

use std::io::{self, Write};

use anyhow::Error;
use clap::Command;

use super::Exit;
use super::args::{self, CompletionsArguments};

pub fn completions(arguments: &CompletionsArguments) -> Result<Exit, Error> {
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, &mut args::command(), "queenlab", &mut text);
    io::stdout().lock().write_all(&text)?;
    Ok(Exit::Success)
}

/// One page for the command and all subcommands, including those of `shard`.
pub fn man() -> Result<Exit, Error> {
    let mut command = args::command();
    command.build();
    let mut text = Vec::new();
    let man = clap_mangen::Man::new(command.clone());
    man.render(&mut text)?;
    subcommands(&command, "", &mut text)?;
    io::stdout().lock().write_all(&text)?;
    Ok(Exit::Success)
}

/// Subcommands as sections of the one page; a second title line would begin another page.
fn subcommands(command: &Command, path: &str, text: &mut Vec<u8>) -> io::Result<()> {
    for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
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
