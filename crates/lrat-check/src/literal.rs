//! Literals of the checker: `2 * variable + 1` for a negation, the code that binary LRAT writes.

use std::fmt;
use std::ops::Not;

/// The checker uses one byte per literal, up to the largest variable in its input.
pub const MAX_VARIABLE: u32 = 1 << 27;

/// A literal as its code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Literal(u32);

impl Literal {
    /// The limit of codes: every code is smaller.
    pub const CODES: usize = 2 * MAX_VARIABLE as usize + 2;

    /// The literal of a code; `None` if there is none, or if its variable is too large.
    pub fn from_code(code: u64) -> Option<Self> {
        let code = u32::try_from(code).ok()?;
        (1..=MAX_VARIABLE).contains(&(code / 2)).then_some(Self(code))
    }

    /// The literal of a DIMACS number.
    pub fn from_dimacs(number: i64) -> Option<Self> {
        let code = number.unsigned_abs().checked_mul(2)?;
        Self::from_code(code + u64::from(number < 0))
    }

    /// Its DIMACS number.
    pub fn dimacs(self) -> i64 {
        let variable = i64::from(self.0 / 2);
        if self.0 & 1 == 1 { -variable } else { variable }
    }

    /// Its code, as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Not for Literal {
    type Output = Self;

    fn not(self) -> Self {
        Self(self.0 ^ 1)
    }
}

impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 & 1 == 1 { "-" } else { "" };
        write!(f, "{sign}{}", self.0 / 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_dimacs_numbers_name_the_same_literals() {
        assert_eq!(Literal::from_dimacs(3), Literal::from_code(6));
        assert_eq!(Literal::from_dimacs(-3), Literal::from_code(7));
        assert_eq!(Literal::from_code(7).map(|lit| (!lit).to_string()).as_deref(), Some("3"));
        let none = [0, 1, Literal::CODES as u64, u64::MAX].map(Literal::from_code);
        assert_eq!(none, [None; 4]);
        assert_eq!([0, i64::MIN, i64::MAX].map(Literal::from_dimacs), [None; 3]);
        let largest = Literal::from_dimacs(-i64::from(MAX_VARIABLE));
        assert_eq!(largest.map(|lit| lit.to_string()), Some(format!("-{MAX_VARIABLE}")));
    }
}
