//! Snapshots of messages for tests. A test itself asserts values and kinds of errors. This crate compares the words of a message with a
//! section of a snapshot file, so that changing a sentence changes snapshots and nothing else.
//!
//! ```no_run
//! wording::assert_wording!("solve", "unknown-solver", "error: unknown solver 'backtrack/bitmsk'");
//! ```
//!
//! This call compares the text with the section `unknown-solver` of `tests/wording/solve.txt` in the package of the test.
//! `scripts/wording` rewrites all snapshot files.

#![allow(clippy::disallowed_methods, reason = "only tests print the messages of this crate")]

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// The environment variable that, if it is set, makes tests write snapshots instead of comparing them.
pub const UPDATE: &str = "UPDATE_WORDING";

/// Asserts that a text equals the section with this key of `tests/wording/<file>.txt`. Each key must be used for one text only. A line feed
/// at the end of the text is ignored. Before the call, replace the parts of the text that differ between machines, such as paths and times.
#[macro_export]
macro_rules! assert_wording {
    ($file:expr, $key:expr, $text:expr $(,)?) => {
        $crate::compare(env!("CARGO_MANIFEST_DIR"), $file, $key, &$text.to_string())
    };
}

/// Compares a text with its section. This is the function behind [`assert_wording!`].
///
/// # Panics
///
/// If the section is missing or has another text, or if this process already used the key for another text.
#[track_caller]
pub fn compare(package_directory: &str, file: &str, key: &str, text: &str) {
    assert!(!key.is_empty() && !key.contains('\n'), "not a key: {key:?}");
    let path = Path::new(package_directory).join("tests/wording").join(file).with_extension("txt");
    let text = printable(text);
    register(&path, key, &text);
    if std::env::var_os(UPDATE).is_some() {
        update(&path, key, &text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        return;
    }
    let stored_file = fs::read_to_string(&path).unwrap_or_default();
    match parse(&stored_file).get(key) {
        Some(expected) if *expected == text => {}
        Some(expected) => panic!(
            "{}, section '{key}', has another text; scripts/wording updates it\n--- stored\n{expected}\n--- now\n{text}",
            path.display()
        ),
        None => panic!("{} has no section '{key}'; scripts/wording adds it\n--- now\n{text}", path.display()),
    }
}

/// Registers the text of a key. Panics if the key already has another text, because an update would store only one of the two texts.
fn register(path: &Path, key: &str, text: &str) {
    static REGISTERED: Mutex<Option<HashMap<(PathBuf, String), String>>> = Mutex::new(None);
    let mut registered_texts = REGISTERED.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let registered_texts = registered_texts.get_or_insert_default();
    let first_text =
        registered_texts.entry((path.to_owned(), key.to_owned())).or_insert_with(|| text.to_owned());
    assert!(
        first_text == text,
        "the key '{key}' of {} has two texts:\n{first_text}\n---\n{text}",
        path.display()
    );
}

/// Removes a line feed at the end of a text, and escapes control characters other than line feeds.
fn printable(text: &str) -> String {
    let text = text.strip_suffix('\n').unwrap_or(text);
    let mut printable = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() && c != '\n' {
            printable.extend(c.escape_default());
        } else {
            printable.push(c);
        }
    }
    printable
}

/// The prefix of a line that begins a section. The key of the section follows the prefix.
const SECTION: &str = "=== ";
/// The prefix of each non-empty line of a text.
const INDENT: &str = "    ";

/// The texts of a snapshot file, by their keys.
fn parse(content: &str) -> BTreeMap<String, String> {
    let mut sections: BTreeMap<String, String> = BTreeMap::new();
    let mut section: Option<&mut String> = None;
    for line in content.lines() {
        if let Some(key) = line.strip_prefix(SECTION) {
            section = Some(sections.entry(key.to_owned()).or_default());
        } else if let Some(text) = &mut section {
            text.push_str(line.strip_prefix(INDENT).unwrap_or(line));
            text.push('\n');
        }
    }
    // Each section ends with an empty line of the file.
    for text in sections.values_mut() {
        let end = text.strip_suffix("\n\n").or_else(|| text.strip_suffix('\n')).unwrap_or(text).len();
        text.truncate(end);
    }
    sections
}

/// The content of a snapshot file.
fn render(name: &str, sections: &BTreeMap<String, String>) -> String {
    let mut content = format!("Messages of {name}. scripts/wording writes this file.\n\n");
    for (key, text) in sections {
        content.push_str(&format!("{SECTION}{key}\n"));
        for line in text.split('\n') {
            let indent = if line.is_empty() { "" } else { INDENT };
            content.push_str(&format!("{indent}{line}\n"));
        }
        content.push('\n');
    }
    content
}

/// Replaces one section. The file is locked, so that other processes can replace other sections at the same time.
fn update(path: &Path, key: &str, text: &str) -> std::io::Result<()> {
    fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
    let mut file: File = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
    file.lock()?;
    let mut content = String::new();
    file.read_to_string(&mut content)?;
    let mut sections = parse(&content);
    sections.insert(key.to_owned(), text.to_owned());
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    file.set_len(0)?;
    file.rewind()?;
    file.write_all(render(&name, &sections).as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_are_read_back_unchanged() {
        let texts =
            ["one line", "", "two\nlines", "\nan empty line first\n\n    indented\n", "=== not a section"];
        let sections: BTreeMap<String, String> = texts
            .iter()
            .enumerate()
            .map(|(index, text)| (format!("key {index}"), (*text).to_owned()))
            .collect();
        assert_eq!(parse(&render("solve", &sections)), sections);
    }

    #[test]
    fn control_characters_are_visible() {
        assert_eq!(printable("a\u{1b}[1mb\n\tc\n"), "a\\u{1b}[1mb\n\\tc");
    }

    #[test]
    fn updating_one_section_preserves_the_others() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let path = directory.path().join("tests/wording/solve.txt");
        for (key, text) in [("b", "second"), ("a", "first"), ("b", "changed")] {
            update(&path, key, text).expect("a writable directory");
        }
        let stored = fs::read_to_string(&path).expect("a file");
        let expected = BTreeMap::from([("a", "first"), ("b", "changed")]);
        assert_eq!(parse(&stored), expected.into_iter().map(|(k, v)| (k.to_owned(), v.to_owned())).collect());
    }

    #[test]
    #[should_panic(expected = "has no section")]
    fn comparison_with_a_missing_section_fails() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        if std::env::var_os(UPDATE).is_some() {
            panic!("has no section: not compared while snapshots are written");
        }
        compare(&directory.path().to_string_lossy(), "solve", "missing", "text");
    }
}
