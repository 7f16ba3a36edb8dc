//! The outputs of wrong and failed runs on the page.

use std::path::Path;

use crate::record::Outputs;
use crate::report::{DerivedData, ReportRun};

/// The maximum number of characters in each of the two parts of an output that the page shows: its beginning and its end.
const MAX_END_CHARS: usize = 1_000;
/// The maximum length of all outputs together, in bytes.
const MAX_TOTAL_BYTES: usize = 100_000;

/// The outputs that are stored in result directories.
pub struct PageOutputs {
    /// The outputs of each part.
    parts: Vec<Option<Outputs>>,
    /// Whether the outputs are in the same directory as the page.
    are_beside_page: bool,
}

impl PageOutputs {
    /// The outputs of results, for a page in a directory.
    pub fn of(data: &DerivedData<'_>, page_directory: &Path) -> Self {
        let parts = &data.source.parts;
        let are_beside_page = matches!(parts[..], [one] if one.directory == Some(page_directory));
        Self { parts: parts.iter().map(|part| part.directory.map(Outputs::of)).collect(), are_beside_page }
    }

    /// The beginning and the end of the output of a run; `None` if it was not stored.
    pub fn beginning_and_end(&self, run: &ReportRun<'_>) -> Option<String> {
        self.parts.get(run.part)?.as_ref()?.beginning_and_end(&run.run_id, MAX_END_CHARS)
    }

    /// The file with the output of a run, relative to the page; `None` if it was not stored or is in another directory.
    pub fn link(&self, run: &ReportRun<'_>) -> Option<String> {
        let has_output = self.are_beside_page && self.beginning_and_end(run).is_some();
        has_output.then(|| Outputs::link(&run.run_id))
    }
}

/// Distinct texts with numbers, up to [`MAX_TOTAL_BYTES`].
#[derive(Default)]
pub struct NumberedTexts {
    texts: Vec<String>,
    bytes: usize,
}

impl NumberedTexts {
    /// The number of a text, which is added if it is new; `None` if the maximum length is reached.
    pub fn number(&mut self, text: String) -> Option<usize> {
        if let Some(number) = self.texts.iter().position(|other| *other == text) {
            return Some(number);
        }
        self.bytes += text.len();
        (self.bytes <= MAX_TOTAL_BYTES).then(|| {
            self.texts.push(text);
            self.texts.len() - 1
        })
    }

    /// The texts by their numbers.
    pub fn into_texts(self) -> Vec<String> {
        self.texts
    }
}

/// Whether a run failed or is wrong, so that its output was stored.
pub fn has_output(run: &ReportRun<'_>) -> bool {
    run.verdict.is_fault() || run.status.is_failure()
}
