//! Checks names in experiments: ids, which become file names, and the placeholders of commands.

use std::path::Path;

use super::value_error::NameError;
use crate::words::suggestion;

/// The maximum length of a name in bytes. File systems allow 255 bytes, and the names of result files and temporary files contain
/// further parts.
const MAX_BYTES: usize = 100;

/// Converts the stem of a path to a name that `check_file_name` accepts.
pub fn as_file_name(path: &Path) -> String {
    let stem = path.file_stem().map_or(String::new(), |stem| stem.to_string_lossy().into_owned());
    let as_allowed_char = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' };
    let name: String = stem.chars().map(as_allowed_char).collect();
    let name = name.trim_start_matches(|c: char| !c.is_ascii_alphanumeric());
    if name.is_empty() { "program".to_owned() } else { name.chars().take(MAX_BYTES).collect() }
}

/// Checks that a name is safe as a file name: at most [`MAX_BYTES`] letters, digits, `-`, `_` and `.`, beginning with a letter or
/// digit.
pub(super) fn check_file_name(name: &str) -> Result<(), NameError> {
    if name.len() > MAX_BYTES {
        return Err(NameError::TooLong { bytes: name.len(), max: MAX_BYTES });
    }
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if name.chars().all(is_allowed) && name.starts_with(|c: char| c.is_ascii_alphanumeric()) {
        return Ok(());
    }
    Err(NameError::Invalid(name.to_owned()))
}

/// Checks that all names in braces are placeholders. `${name}` is a variable of a shell and therefore not checked.
pub(super) fn check_placeholders<'w>(
    words: impl Iterator<Item = &'w str>,
    placeholders: &[&str],
) -> Result<(), NameError> {
    let is_name = |name: &&str| {
        name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c))
    };
    for word in words {
        let opening_braces = word.match_indices('{').filter(|(index, _)| !word[..*index].ends_with('$'));
        let names =
            opening_braces.filter_map(|(index, _)| word[index + 1..].split_once('}').map(|(name, _)| name));
        match names.filter(is_name).find(|name| !placeholders.contains(name)) {
            None => {}
            Some("cnf") => return Err(NameError::NoFormula),
            Some(name) => {
                let suggestion = suggestion(name, placeholders.iter().copied());
                let placeholders: Vec<String> =
                    placeholders.iter().map(|name| format!("{{{name}}}")).collect();
                return Err(NameError::UnknownPlaceholder {
                    name: name.to_owned(),
                    suggestion,
                    placeholders: placeholders.join(" "),
                });
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_name_derived_from_any_path_is_valid() {
        let long_name = "x".repeat(300);
        for (path, name) in [
            ("a/my queens.py", "my-queens"),
            (".hidden", "hidden"),
            ("--ü", "program"),
            ("/", "program"),
            (long_name.as_str(), &long_name[..MAX_BYTES]),
        ] {
            assert_eq!(as_file_name(Path::new(path)), name);
            assert_eq!(check_file_name(name), Ok(()));
        }
    }
}
