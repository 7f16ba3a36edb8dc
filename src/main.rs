//! The `queenlab` command.
fn main() {}
