//! Colour on standard error and in help: `--color`, NO_COLOR, CLICOLOR_FORCE. The home of anstream.

use std::ffi::OsString;

use super::args::ColorChoice;

/// Applies `--color` before the command line is parsed, because clap colours its own messages.
pub fn choose() -> clap::ColorChoice {
    let choice = asked(std::env::args_os().skip(1));
    apply(choice);
    match choice {
        ColorChoice::Auto => clap::ColorChoice::Auto,
        ColorChoice::Always => clap::ColorChoice::Always,
        ColorChoice::Never => clap::ColorChoice::Never,
    }
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

/// Whether standard output may be coloured.
pub fn is_on_for_output() -> bool {
    anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never
}

/// Whether standard error may be coloured.
pub fn is_on() -> bool {
    anstream::AutoStream::choice(&std::io::stderr()) != anstream::ColorChoice::Never
}

/// ANSI colour codes.
pub const RED: &str = "31";
pub const YELLOW: &str = "33";

/// A word in bold and in a colour, where standard error may be coloured.
pub fn heading(word: &str, color: &str) -> String {
    if is_on() { format!("\u{1b}[1;{color}m{word}\u{1b}[0m") } else { word.to_owned() }
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
