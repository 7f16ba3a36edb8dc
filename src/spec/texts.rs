//! What can be said of a spec before its tables are read: which keys of the document are tables and which are texts, and that its
//! texts can be shown on one line of a terminal, a table or a page.

use std::borrow::Cow;
use std::ops::Range;

use plaintext::{Escaped, is_plain, is_printable};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::SpecError;
use super::tables::Source;

/// Texts for readers. They may have several lines in the file, and are shown as one.
const PROSE: [&str; 7] = ["question", "expected", "analysis", "says", "source", "note", "idea"];
/// Texts for shells and programs, which may contain anything.
const COMMANDS: [&str; 4] = ["command", "build", "version", "files"];
const LISTS: [&str; 5] = ["solver", "program", "sat", "counter", "claim"];

/// A text for readers as one line.
pub(super) fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Checks the types of the keys at the top, and all texts.
pub(super) fn check(source: &Source<'_>, document: &DeTable<'_>) -> Result<(), SpecError> {
    for (key, value) in document {
        let key: &str = key.get_ref();
        let (is_list, is_table) = match value.get_ref() {
            DeValue::Array(list) => (list.iter().all(|item| item.get_ref().is_table()), false),
            other => (false, other.is_table()),
        };
        let reason = match key {
            _ if LISTS.contains(&key) && is_table => {
                format!("{key}: write [[{key}]], in double brackets: there can be several of them")
            }
            _ if LISTS.contains(&key) && !is_list => format!("{key}: write [[{key}]] above its keys"),
            "sweep" if is_list => "sweep: write [sweep], in single brackets: there is one of it".to_owned(),
            "sweep" if !is_table => "sweep: write [sweep] above its keys".to_owned(),
            _ => continue,
        };
        return Err(source.error(value.span(), reason));
    }
    is_shown(source, "", document)
}

fn is_shown(source: &Source<'_>, parent: &str, table: &DeTable<'_>) -> Result<(), SpecError> {
    for (key, value) in table {
        if !is_plain(key.get_ref()) {
            let reason = format!("'{}' is not a key: {}", Escaped(key.get_ref()), odd(key.get_ref()));
            return Err(source.error(key.span(), reason));
        }
        // The factors of an `exclude` are named by keys below it.
        let name: &str =
            if PROSE.contains(&parent) || COMMANDS.contains(&parent) { parent } else { key.get_ref() };
        of_value(source, name, value)?;
    }
    Ok(())
}

fn of_value(source: &Source<'_>, key: &str, value: &Spanned<DeValue<'_>>) -> Result<(), SpecError> {
    match value.get_ref() {
        DeValue::Table(table) => is_shown(source, key, table),
        DeValue::Array(values) => values.iter().try_for_each(|value| of_value(source, key, value)),
        DeValue::String(text) => of_text(source, key, text, value.span()),
        _ => Ok(()),
    }
}

fn of_text(source: &Source<'_>, key: &str, text: &str, span: Range<usize>) -> Result<(), SpecError> {
    let text: Cow<'_, str> = match key {
        _ if COMMANDS.contains(&key) => return Ok(()),
        _ if PROSE.contains(&key) => folded(text).into(),
        _ => text.into(),
    };
    match is_plain(&text) {
        true => Ok(()),
        false => Err(source.error(span, format!("{key}: {}", odd(&text)))),
    }
}

/// What to do about the first character of a text that is not printable.
fn odd(text: &str) -> String {
    let c = text.chars().find(|&c| !is_printable(c)).unwrap_or_default();
    let what = match c {
        '\n' | '\r' => "a line end".to_owned(),
        c => format!("the character {}, which is not printable", Escaped(c)),
    };
    format!("it has {what}: leave it out, since this text is shown on one line")
}
