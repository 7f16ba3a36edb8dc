//! What a text states about the number of solutions. It matters only if the text has no board.

/// Statements of the text about the number of solutions.
#[derive(Debug, Default)]
pub(super) struct Claims {
    /// Whether a sentence or an empty list states that there is no solution (`none`) or that there are some
    /// (`some`).
    pub none: bool,
    some: bool,
    /// Whether there is a lone 0 (`zero`) or another lone number (`number`).
    zero: bool,
    number: bool,
    /// A claim at the end of the part of its line that has been read; it is valid if nothing follows on that
    /// line.
    pub unfinished: Option<u64>,
}

impl Claims {
    /// Notes the numbers of a line, if it has only one.
    pub fn numbers(&mut self, values: &[u32], n: usize) {
        if let ([number], 2..) = (values, n) {
            self.zero |= *number == 0;
            self.number |= *number != 0 && *number as usize != n;
        }
    }

    /// Whether the text states that there is no solution.
    pub fn says_none(&self) -> bool {
        if self.none || self.some { !self.some } else { self.zero && !self.number }
    }

    /// Accepts the claim at the end of a line.
    pub fn finish(&mut self) {
        match self.unfinished.take() {
            Some(0) => self.none = true,
            Some(_) => self.some = true,
            None => {}
        }
    }
}
