//! The board size of `solve`, `count` and `encode`.

use crate::board::BoardSize;
use clap::Args;

use super::values::parse_size;

/// A board size, alone or after `-n`, as `sweep` and `shard plan` take it.
#[derive(Args, Debug)]
#[group(required = true, multiple = false)]
pub struct Size {
    /// Board size.
    #[arg(value_name = "N", allow_hyphen_values = true, value_parser = parse_size)]
    size: Option<BoardSize>,
    /// Board size, the same as N alone.
    #[arg(short, long = "n", value_name = "N", allow_hyphen_values = true, value_parser = parse_size)]
    n: Option<BoardSize>,
}

impl Size {
    /// The size: the parser sees to it that there is exactly one.
    pub fn get(&self) -> BoardSize {
        self.size.or(self.n).expect("one of a required group")
    }
}
