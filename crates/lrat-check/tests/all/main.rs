//! The checker as its users call it, and on hostile input.

mod command;
mod corpus;
#[path = "../readers/mod.rs"]
mod readers;
