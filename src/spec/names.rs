//! Checks names in experiments: ids, which become file names, and the placeholders of commands.

use std::path::Path;

use super::value_error::NameError;
use crate::words::suggestion;

/// Converts the stem of a path to a name that `check_file_name` accepts.
pub fn as_file_name(path: &Path) -> String {
    let stem = path.file_stem().map_or(String::new(), |stem| stem.to_string_lossy().into_owned());
    let allowed = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' };
    let name: String = stem.chars().map(allowed).collect();
    let name = name.trim_start_matches(|c: char| !c.is_ascii_alphanumeric());
    if name.is_empty() { "program".to_owned() } else { name.to_owned() }
}

/// Checks that a name is safe as a file name: letters, digits, `-`, `_` and `.`, beginning with a letter or digit.
pub(super) fn check_file_name(name: &str) -> Result<(), NameError> {
    // File systems allow 255 bytes. Names of results and temporary files consist of this name and more.
    const MAX_BYTES: usize = 100;
    if name.len() > MAX_BYTES {
        return Err(NameError::TooLong { bytes: name.len(), max: MAX_BYTES });
    }
    let allowed = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if name.chars().all(allowed) && name.starts_with(|c: char| c.is_ascii_alphanumeric()) {
        return Ok(());
    }
    Err(NameError::Invalid(name.to_owned()))
}

/// Checks that all names in braces are placeholders, except in `${name}`, which is a variable of a shell.
pub(super) fn check_placeholders<'w>(
    words: impl Iterator<Item = &'w str>,
    placeholders: &[&str],
) -> Result<(), NameError> {
    let is_name = |name: &&str| {
        name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c))
    };
    for word in words {
        let braced = word.match_indices('{').filter(|(at, _)| !word[..*at].ends_with('$'));
        let names = braced.filter_map(|(at, _)| word[at + 1..].split_once('}').map(|(name, _)| name));
        match names.filter(is_name).find(|name| !placeholders.contains(name)) {
            None => {}
            Some("cnf") => return Err(NameError::NoFormula),
            Some(name) => {
                let near = suggestion(name, placeholders.iter().copied());
                let placeholders: Vec<String> =
                    placeholders.iter().map(|name| format!("{{{name}}}")).collect();
                return Err(NameError::UnknownPlaceholder {
                    name: name.to_owned(),
                    near,
                    placeholders: placeholders.join(" "),
                });
            }
        }
    }
    Ok(())
}
