//! The board size of `solve`, `count` and `encode`.

use crate::board::BoardSize;
use clap::Args;

use super::values::parse_size;

/// A board size, as an argument or as the option `-n`.
#[derive(Args, Debug)]
#[group(required = true, multiple = false)]
pub struct Size {
    /// Board size, for example 8.
    #[arg(value_name = "N", allow_hyphen_values = true, value_parser = parse_size)]
    size: Option<BoardSize>,
    /// Board size, for example 8; may be given instead of the argument.
    #[arg(short, long = "n", value_name = "N", allow_hyphen_values = true, value_parser = parse_size)]
    n: Option<BoardSize>,
}

impl Size {
    /// The size. The parser guarantees that exactly one is given.
    pub fn get(&self) -> BoardSize {
        self.size.or(self.n).expect("one of a required group")
    }
}
