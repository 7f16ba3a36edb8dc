//! `outputs/<run_id>.txt`: the output of a failed or wrong run.

use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{RecordError, bytes_if_any, write_derived};
use crate::files;
use plaintext::EscapedLines;

/// A text, or only its beginning and end if it is long.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Excerpt {
    /// The text. If bytes are omitted, a line in the middle gives their number.
    pub text: String,
    /// The number of omitted bytes.
    pub left_out: u64,
}

impl Excerpt {
    /// The length of the beginning and of the end of a long text, in bytes.
    pub const END_BYTES: u64 = 64 << 10;

    /// Makes an excerpt of a text in memory.
    pub fn of_bytes(bytes: Vec<u8>) -> Self {
        // Reading from memory does not fail.
        Self::of(io::Cursor::new(bytes)).unwrap_or_default()
    }

    /// Makes an excerpt of a file.
    ///
    /// # Errors
    ///
    /// The file cannot be read.
    pub fn of(mut source: impl Read + Seek) -> io::Result<Self> {
        let length = source.seek(SeekFrom::End(0))?;
        let omitted_bytes = length.saturating_sub(2 * Self::END_BYTES);
        source.rewind()?;
        let mut bytes = Vec::new();
        if omitted_bytes == 0 {
            source.take(length).read_to_end(&mut bytes)?;
            return Ok(Self { text: plaintext::decode(&bytes).into_owned(), left_out: omitted_bytes });
        }
        source.by_ref().take(Self::END_BYTES).read_to_end(&mut bytes)?;
        let beginning = plaintext::decode(&bytes).into_owned();
        bytes.clear();
        source.seek(SeekFrom::Start(length - Self::END_BYTES))?;
        source.take(Self::END_BYTES).read_to_end(&mut bytes)?;
        let end = plaintext::decode(&bytes);
        Ok(Self {
            text: format!("{beginning}\n[{omitted_bytes} bytes are left out here]\n{end}"),
            left_out: omitted_bytes,
        })
    }
}

/// The output of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunOutput {
    /// The standard output.
    pub output: Excerpt,
    /// The end of the standard error.
    pub error: String,
}

const OUTPUT: &str = "standard output";
const ERROR: &str = "standard error";
const COMPLETE: &str = "all of it";

impl RunOutput {
    /// Whether the run did not print anything.
    pub fn is_empty(&self) -> bool {
        self.output.text.is_empty() && self.error.is_empty()
    }

    /// The content of the file. Each of its two parts begins with a line that gives the number of lines of the part.
    fn to_text(&self) -> String {
        let part = |name: &str, how_much: &str, text: &str| {
            let text = EscapedLines(text.trim_end_matches('\n')).to_string();
            let lines = text.lines().count();
            let end = if lines == 0 { "" } else { "\n" };
            format!("{name}, {how_much}, lines: {lines}\n{text}{end}")
        };
        let omission = match self.output.left_out {
            0 => COMPLETE.to_owned(),
            bytes => format!("without {bytes} bytes"),
        };
        part(OUTPUT, &omission, &self.output.text) + &part(ERROR, "the end of it", &self.error)
    }

    /// The standard output in the text of a file; `None` if a part of it was omitted.
    fn whole_output(text: &str) -> Option<&str> {
        let (head, body) = text.split_once('\n')?;
        let lines: usize = head.strip_prefix(&format!("{OUTPUT}, {COMPLETE}, lines: "))?.parse().ok()?;
        let end = body.split_inclusive('\n').take(lines).map(str::len).sum();
        body.get(..end)
    }
}

/// The files of a result directory with the outputs of runs.
#[derive(Debug)]
pub struct Outputs {
    directory: PathBuf,
    bytes: u64,
}

/// The maximum total size of the files of a directory, in bytes.
const MAX_BYTES: u64 = 64 << 20;

impl Outputs {
    /// The name of the directory of these files in a result directory.
    pub const DIRECTORY: &'static str = "outputs";

    /// Opens the files of a result directory.
    pub fn of(results: &Path) -> Self {
        let directory = results.join(Self::DIRECTORY);
        let files = std::fs::read_dir(&directory).into_iter().flatten().flatten();
        let bytes = files.filter_map(|file| file.metadata().ok()).map(|file| file.len()).sum();
        Self { directory, bytes }
    }

    fn path(&self, run_id: &str) -> PathBuf {
        self.directory.join(format!("{run_id}.txt"))
    }

    /// The file of a run, relative to its result directory.
    pub fn link(run_id: &str) -> String {
        format!("{}/{run_id}.txt", Self::DIRECTORY)
    }

    /// Stores the output of a run, unless the files would become larger than `MAX_BYTES`. The output of an earlier attempt at
    /// the run is replaced.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn store(&mut self, run_id: &str, output: &RunOutput) -> Result<(), RecordError> {
        let (path, text) = (self.path(run_id), output.to_text());
        let bytes = self.bytes.saturating_add(text.len() as u64);
        if output.is_empty() || bytes > MAX_BYTES {
            return Ok(());
        }
        files::create_directory(&self.directory).map_err(|error| RecordError::io(&self.directory, error))?;
        self.bytes = bytes;
        write_derived(&path, text.as_bytes())
    }

    /// Removes the output of an earlier attempt at a run.
    ///
    /// # Errors
    ///
    /// The file cannot be removed.
    pub fn remove(&self, run_id: &str) -> Result<(), RecordError> {
        let path = self.path(run_id);
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(RecordError::io(&path, error)),
            _ => Ok(()),
        }
    }

    /// The output of a run; `None` if there is no file. The text may come from an untrusted source.
    ///
    /// # Errors
    ///
    /// The file cannot be read.
    pub fn read(&self, run_id: &str) -> Result<Option<String>, RecordError> {
        let bytes = bytes_if_any(&self.path(run_id))?;
        Ok(bytes.map(|bytes| plaintext::decode(&bytes).into_owned()))
    }

    /// The beginning and the end of the output of a run, each of at most `max_chars` characters; `None` if there is no file, or
    /// the id of the run is not a valid file name.
    pub fn beginning_and_end(&self, run_id: &str, max_chars: usize) -> Option<String> {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '.';
        if run_id.starts_with('.') || !run_id.chars().all(is_plain) {
            return None;
        }
        let text = self.read(run_id).ok()??;
        let chars: Vec<char> = text.chars().collect();
        let omitted_chars = chars.len().saturating_sub(2 * max_chars);
        if omitted_chars == 0 {
            return Some(text);
        }
        let text_of = |chars: &[char]| chars.iter().collect::<String>();
        let (beginning, end) = (text_of(&chars[..max_chars]), text_of(&chars[chars.len() - max_chars..]));
        Some(format!("{beginning}\n[{omitted_chars} characters are left out here]\n{end}"))
    }

    /// The complete standard output of a run; `None` if there is no file or a part was omitted.
    pub fn whole_output(&self, run_id: &str) -> Option<String> {
        let text = self.read(run_id).ok()??;
        RunOutput::whole_output(&text).map(ToOwned::to_owned)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    fn run_output(output: &str) -> RunOutput {
        let output = Excerpt::of(Cursor::new(output.as_bytes().to_vec())).expect("memory");
        RunOutput { output, error: "a\nstandard output, all of it, lines: 9\n".to_owned() }
    }

    #[test]
    fn stored_output_is_read_back_unchanged() {
        for text in ["", "1 3 0 2\n", &["a\tb\n\n\n", ERROR, "\nx\n"].concat()] {
            let directory = tempfile::tempdir().expect("temporary directory");
            let mut outputs = Outputs::of(directory.path());
            outputs.store("c1", &run_output(text)).expect("it is written");
            assert_eq!(Outputs::of(directory.path()).whole_output("c1").as_deref(), Some(text), "{text:?}");
            assert_eq!(outputs.whole_output("c2"), None);
        }
    }

    #[test]
    fn long_output_keeps_only_beginning_and_end() {
        let end = usize::try_from(Excerpt::END_BYTES).expect("small");
        let text = "a".repeat(end) + &"b".repeat(1000) + &"c".repeat(end);
        let Excerpt { text: excerpt, left_out } = run_output(&text).output;
        let lines: Vec<&str> = excerpt.lines().collect();
        assert_eq!((left_out, lines.len()), (1000, 3));
        assert_eq!((lines[0], lines[2]), (&*"a".repeat(end), &*"c".repeat(end)));
        assert!(lines[1].contains("1000"), "{}", lines[1]);
        assert_eq!(RunOutput::whole_output(&run_output(&text).to_text()), None);
    }

    #[test]
    fn excerpt_of_an_output_has_limited_length() {
        let directory = tempfile::tempdir().expect("temporary directory");
        let mut outputs = Outputs::of(directory.path());
        outputs
            .store("c1.2", &run_output(&["a".repeat(50), "b".repeat(50)].concat()))
            .expect("it is written");
        let excerpt = outputs.beginning_and_end("c1.2", 40).expect("a stored output");
        let lines: Vec<&str> = excerpt.lines().collect();
        assert!(lines[0].starts_with(OUTPUT) && !excerpt.contains('b'), "{excerpt}");
        assert!(excerpt.len() < 130 && excerpt.ends_with("lines: 9\n"), "{excerpt}");
        assert_eq!(outputs.beginning_and_end("c1.2", 1000), outputs.read("c1.2").expect("readable"));
        assert_eq!(outputs.beginning_and_end("c2", 40), None);
        std::fs::write(directory.path().join("x.txt"), "not an output").expect("written");
        assert_eq!(outputs.beginning_and_end("../x", 40), None);
    }

    #[test]
    fn outputs_directory_never_exceeds_its_maximum_size() {
        let directory = tempfile::tempdir().expect("temporary directory");
        let mut outputs = Outputs { bytes: MAX_BYTES - 200, ..Outputs::of(directory.path()) };
        outputs.store("small", &run_output("1")).expect("it is written");
        outputs.store("large", &run_output(&"1".repeat(200))).expect("not an error");
        assert!(outputs.whole_output("small").is_some() && outputs.whole_output("large").is_none());
    }
}
