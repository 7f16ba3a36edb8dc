//! A command given as one text: `clasp '{cnf}'`, `"/opt/my solver/run" -q {cnf}`. The text is split into words as by a POSIX shell
//! (quotes, backslashes), but no shell is started, and other shell syntax is not supported. Placeholders such as `{cnf}` are replaced
//! by paths. A path stays one word, whatever characters it contains.

use std::env;
use std::error::Error;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A command, split into words, of which the first one is the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandLine(Vec<String>);

impl CommandLine {
    /// Splits a text into words.
    ///
    /// # Errors
    ///
    /// The text has no words, or ends inside a quotation or with a backslash.
    pub fn parse(text: &str) -> Result<Self, CommandError> {
        let words = shlex::split(text).ok_or_else(|| CommandError::Unclosed(text.to_owned()))?;
        let has_program = words.first().is_some_and(|program| !program.is_empty());
        if has_program { Ok(Self(words)) } else { Err(CommandError::Empty) }
    }

    /// The program.
    pub fn program(&self) -> &str {
        &self.0[0]
    }

    /// The program and its arguments.
    pub fn words(&self) -> Vec<String> {
        self.0.clone()
    }

    /// Whether a placeholder occurs in the command.
    pub fn mentions(&self, placeholder: &str) -> bool {
        self.0.iter().any(|word| word.contains(placeholder))
    }

    /// The command with its placeholders replaced by paths.
    pub fn command(&self, placeholders: &[(&str, &Path)]) -> Command {
        let mut command = Command::new(filled(&self.0[0], placeholders));
        command.args(self.0[1..].iter().map(|word| filled(word, placeholders)));
        command
    }
}

/// The reason why a text is not a command.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CommandError {
    /// This text ends inside a quotation or with a backslash.
    Unclosed(String),
    /// The text has no words, or its first word is empty.
    Empty,
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unclosed(text) => write!(
                f,
                "'{text}' ends inside a quotation or with a backslash: close the quotation, or write \\' for a quote"
            ),
            Self::Empty => f.write_str("the command is empty"),
        }
    }
}

impl Error for CommandError {}

/// A word with its placeholders replaced by paths or other values. Placeholders inside a value are not replaced.
pub fn filled(word: &str, placeholders: &[(&str, &Path)]) -> OsString {
    let positions = placeholders
        .iter()
        .filter_map(|(placeholder, path)| Some((word.find(placeholder)?, placeholder.len(), path)));
    let Some((start, length, path)) = positions.min() else { return word.into() };
    let mut filled_word = OsString::from(&word[..start]);
    filled_word.push(path);
    filled_word.push(filled(&word[start + length..], placeholders));
    filled_word
}

/// A file name as one word of a shell command. Programs cannot mistake the word for an option.
pub fn quoted(name: &str) -> String {
    let name = if name.starts_with('-') { format!("./{name}") } else { name.to_owned() };
    shlex::try_quote(&name).map_or_else(|_| name.clone(), |quoted| quoted.into_owned())
}

/// Words as one line that a shell splits into the same words. The name of an option is not quoted: `--n=4-8`.
pub fn joined<'w>(words: impl IntoIterator<Item = &'w str>) -> String {
    let quoted =
        |word: &str| shlex::try_quote(word).map_or_else(|_| word.to_owned(), |quoted| quoted.into_owned());
    let words = words.into_iter().map(|word| match word.split_once('=') {
        Some((option, value)) if option.starts_with("--") => format!("{}={}", quoted(option), quoted(value)),
        _ => quoted(word),
    });
    words.collect::<Vec<_>>().join(" ")
}

/// The file of a program: the path itself if it contains a `/`, otherwise the first match in the directories
/// of PATH.
pub fn find(program: &str) -> Option<PathBuf> {
    if program.contains('/') {
        return Some(PathBuf::from(program)).filter(|path| path.is_file());
    }
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).map(|directory| directory.join(program)).find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let line = CommandLine::parse(text).expect(text);
        let placeholders = [("{cnf}", Path::new("/a b/x.cnf")), ("{proof}", Path::new("/p"))];
        let command = line.command(&placeholders);
        let arguments = command.get_args().map(|word| word.to_string_lossy().into_owned());
        [command.get_program().to_string_lossy().into_owned()].into_iter().chain(arguments).collect()
    }

    #[test]
    fn joined_command_splits_back_into_its_words() {
        let words = ["queenlab", "--n=4-8", "--a=", "--b c=d e", "--x==y", "x=y", "sat/*", "it's", ""];
        let line = joined(words);
        assert!(line.starts_with("queenlab --n=4-8 "), "{line}");
        assert_eq!(shlex::split(&line).as_deref(), Some(&words.map(str::to_owned)[..]));
    }

    #[test]
    fn command_splits_into_words_as_in_a_shell() {
        assert_eq!(words("lrat-check {cnf} {proof}"), ["lrat-check", "/a b/x.cnf", "/p"]);
        assert_eq!(
            words("'my checker' \"a b\" c\\ d --in={cnf}"),
            ["my checker", "a b", "c d", "--in=/a b/x.cnf"]
        );
        assert_eq!(words("  x   y  "), ["x", "y"]);
        assert_eq!(words("sh -c 'exec \"$0\" | tail' ''"), ["sh", "-c", "exec \"$0\" | tail", ""]);
    }

    #[test]
    fn placeholders_within_paths_are_not_replaced() {
        let line = CommandLine::parse("x --in={cnf}:{proof}:{cnf}").expect("words");
        let command = line.command(&[("{cnf}", Path::new("/{proof}{cnf}")), ("{proof}", Path::new("/p"))]);
        assert_eq!(command.get_args().collect::<Vec<_>>(), ["--in=/{proof}{cnf}:/p:/{proof}{cnf}"]);
    }

    #[cfg(unix)]
    #[test]
    fn path_that_is_not_utf8_arrives_unchanged() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;
        let path = OsStr::from_bytes(b"/\xff.cnf");
        let line = CommandLine::parse("x {cnf}").expect("words");
        let command = line.command(&[("{cnf}", Path::new(path))]);
        assert_eq!(command.get_args().collect::<Vec<_>>(), [path]);
    }

    #[test]
    fn text_that_is_not_a_command_is_refused() {
        for text in ["'x", "x \"y", "x \\"] {
            assert_eq!(CommandLine::parse(text), Err(CommandError::Unclosed(text.to_owned())));
        }
        for text in ["", "   ", "'' x"] {
            assert_eq!(CommandLine::parse(text), Err(CommandError::Empty), "{text}");
        }
        wording::assert_wording!("command", "unclosed", CommandError::Unclosed("'x".to_owned()));
        wording::assert_wording!("command", "empty", CommandError::Empty);
    }

    #[test]
    fn command_line_finds_its_placeholders() {
        let line = CommandLine::parse("x '{cnf}' -o{result}").expect("words");
        assert!(line.mentions("{cnf}") && line.mentions("{result}") && !line.mentions("{proof}"));
        assert_eq!(line.program(), "x");
    }
}
