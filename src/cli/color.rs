//! Colour on standard error and in help: `--color`, NO_COLOR, CLICOLOR_FORCE. The home of anstream.

use std::ffi::OsString;

use clap::{CommandFactory, FromArgMatches};
use queenlab::escape::EscapedLines;

use super::args::{Arguments, ColorChoice};

/// Parses the command line. clap colours its own messages, so what `--color` says is looked up before.
pub fn parse() -> Arguments {
    let choice = asked(std::env::args_os().skip(1));
    apply(choice);
    let clap = match choice {
        ColorChoice::Auto => clap::ColorChoice::Auto,
        ColorChoice::Always => clap::ColorChoice::Always,
        ColorChoice::Never => clap::ColorChoice::Never,
    };
    let matches = Arguments::command().color(clap).get_matches();
    Arguments::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
}

fn asked(arguments: impl Iterator<Item = OsString>) -> ColorChoice {
    let mut arguments = arguments.take_while(|argument| argument != "--");
    let mut choice = ColorChoice::Auto;
    while let Some(argument) = arguments.next() {
        let value = match argument.to_str() {
            Some("--color") => arguments.next().and_then(|value| value.into_string().ok()),
            Some(argument) => argument.strip_prefix("--color=").map(str::to_owned),
            None => None,
        };
        match value.as_deref() {
            Some("always") => choice = ColorChoice::Always,
            Some("never") => choice = ColorChoice::Never,
            Some("auto") => choice = ColorChoice::Auto,
            _ => {}
        }
    }
    choice
}

fn apply(choice: ColorChoice) {
    let global = match choice {
        ColorChoice::Auto => anstream::ColorChoice::Auto,
        ColorChoice::Always => anstream::ColorChoice::AlwaysAnsi,
        ColorChoice::Never => anstream::ColorChoice::Never,
    };
    global.write_global();
}

/// Whether standard error may be coloured.
pub fn is_on() -> bool {
    anstream::AutoStream::choice(&std::io::stderr()) != anstream::ColorChoice::Never
}

/// A line on standard error after a word in bold: `error` red, `warning` yellow. Control characters in the text are
/// shown, not obeyed.
pub fn say(word: &str, text: &str) {
    let color = if word == "error" { "31" } else { "33" };
    anstream::eprintln!("\u{1b}[1;{color}m{word}:\u{1b}[0m {}", EscapedLines(text));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_choice_before_a_command_counts() {
        let asked = |arguments: &[&str]| asked(arguments.iter().map(OsString::from));
        assert_eq!(asked(&[]), ColorChoice::Auto);
        assert_eq!(asked(&["list", "--color", "never"]), ColorChoice::Never);
        assert_eq!(asked(&["--color=never", "list", "--color=always"]), ColorChoice::Always);
        assert_eq!(asked(&["check", "8", "--", "ls", "--color=always"]), ColorChoice::Auto);
    }
}
