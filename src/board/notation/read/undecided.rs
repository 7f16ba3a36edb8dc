//! Finds the notation of numbers that can be read in several ways: they are kept until a later line decides.

use super::super::error::{ReadError, excerpt};
use super::super::line::Numbers;
use super::Notation;
use super::columns::Readings;

/// Numbers whose meaning is not decided yet.
#[derive(Debug)]
pub(super) struct Undecided {
    n: usize,
    held: Vec<(u64, Numbers)>,
    /// Number of values in `held`.
    values: usize,
    /// Possible families of the lines that can be boards, unless they are the same for all lines.
    families: Vec<Notation>,
    /// The first line that can be read in several ways.
    ambiguous: Option<(u64, String, bool)>,
    /// Whether a line resembles a board, or is a board that may also be a heading.
    columns: bool,
}

/// The maximum number of values held back.
const HELD: usize = 1 << 16;

impl Undecided {
    pub fn new(n: usize) -> Self {
        Self { n, held: Vec::new(), values: 0, families: Vec::new(), ambiguous: None, columns: false }
    }

    /// Whether too many values are held back to wait for more text.
    pub fn is_full(&self) -> bool {
        self.values > HELD
    }

    /// The lines held back, with their numbers; then none is held.
    pub fn take(&mut self) -> Vec<(u64, Numbers)> {
        std::mem::replace(self, Self::new(self.n)).held
    }

    /// Adds the numbers of a line. Returns the notation if they decide it.
    pub fn add(&mut self, at: u64, numbers: Numbers, text: &[u8]) -> Option<Notation> {
        let readings = Readings::of(&numbers, self.n);
        if readings.families.is_empty() && !readings.malformed {
            return None;
        }
        self.columns |= readings.malformed || readings.or_heading;
        self.values += numbers.values.len();
        self.held.push((at, numbers));
        let certain = !readings.or_number && !readings.or_heading;
        if !readings.or_heading && !readings.malformed {
            // The readings that all lines allow; a line that allows none of them is malformed.
            let is_common = |family: &Notation| readings.families.contains(family);
            match self.families.iter().any(is_common) {
                true => self.families.retain(is_common),
                false if self.families.is_empty() || certain && readings.families.len() == 1 => {
                    self.families.clone_from(&readings.families);
                }
                false => {}
            }
            if self.ambiguous.is_none() && (readings.families.len() > 1 || readings.or_number) {
                self.ambiguous = Some((at, excerpt(text), readings.or_number));
            }
        }
        match self.families[..] {
            [family] if certain && !readings.malformed => Some(family),
            _ => None,
        }
    }

    /// Decides at the end, when no more text can. An error names the possible notations.
    pub fn settle(&mut self) -> Result<Option<Notation>, ReadError> {
        if let Some((line, text, or_number)) = self.ambiguous.take() {
            let readings = self.families.clone();
            return Err(ReadError::Ambiguous { line, text, readings, or_number });
        }
        // Only malformed boards, or the board with all queens on a diagonal.
        let top = |numbers: &Numbers| {
            numbers.values.iter().any(|&value| value as usize == self.n) && !numbers.values.contains(&0)
        };
        let from_1 = self.held.iter().all(|(_, numbers)| top(numbers));
        Ok(self.columns.then_some(if from_1 { Notation::Columns1 } else { Notation::Columns }))
    }
}
