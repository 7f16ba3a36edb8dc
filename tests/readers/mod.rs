//! The guarantees of every reader of the library for any input bytes. Each reader has a function that panics if a guarantee is
//! broken. tests/all/corpus.rs runs these functions on the corpus, and fuzz/ runs them on inputs that a fuzzer generates.

mod audit;
mod command_line;
mod dimacs;
mod directory;
mod instance;
mod notation;
mod page;
mod record;
#[path = "../../crates/lrat-check/tests/readers/simple.rs"]
mod simple;
mod spec;
mod submission;

use std::alloc::System;

use cap::Cap;

/// Counts the allocated memory, and refuses more than a reader may allocate.
#[global_allocator]
static HEAP: Cap<System> = Cap::new(System, usize::MAX);

/// A reader, and the memory that it may allocate.
#[derive(Clone, Copy)]
pub struct Reader {
    /// The name of the fuzz target and of the folder in tests/corpus.
    pub name: &'static str,
    /// Reads the bytes and checks the guarantees.
    check: fn(&[u8]),
    /// The number of bytes that the reader may allocate for any input.
    fixed: usize,
    /// The number of bytes that the reader may allocate in addition for each byte of the input.
    per_byte: usize,
}

const MIB: usize = 1 << 20;

/// Every reader.
pub const ALL: [Reader; 10] = [
    Reader { name: "command_line", check: command_line::check, fixed: 32 * MIB, per_byte: 3000 },
    Reader { name: "notation", check: notation::check, fixed: 4 * MIB, per_byte: 300 },
    Reader { name: "submission", check: submission::check, fixed: 4 * MIB, per_byte: 300 },
    Reader { name: "dimacs", check: dimacs::check, fixed: dimacs::MAX_BYTES, per_byte: 100 },
    Reader { name: "spec", check: spec::check, fixed: 16 * MIB, per_byte: 600 },
    Reader { name: "record", check: record::check, fixed: MIB, per_byte: 300 },
    Reader { name: "audit", check: audit::check, fixed: dimacs::MAX_BYTES, per_byte: 100 },
    Reader { name: "instance", check: instance::check, fixed: 32 * MIB, per_byte: 600 },
    Reader { name: "directory", check: directory::check, fixed: 32 * MIB, per_byte: 4000 },
    Reader { name: "page", check: page::check, fixed: 64 * MIB, per_byte: 20_000 },
];

impl Reader {
    /// The reader of this name.
    pub fn named(name: &str) -> Reader {
        ALL.into_iter().find(|reader| reader.name == name).expect("a reader of this name")
    }

    /// The maximum number of bytes that the reader may allocate for an input of this length.
    pub fn max_memory(&self, bytes: usize) -> usize {
        self.fixed + self.per_byte * bytes
    }

    /// Reads the bytes. The message of a panic names the broken guarantee; too much memory ends the process. Only one reader may
    /// run at a time, because all share one heap.
    pub fn read(&self, bytes: &[u8]) {
        HEAP.set_limit(HEAP.allocated() + self.max_memory(bytes.len())).expect("more than is allocated");
        let _unlimited = Unlimited;
        (self.check)(bytes);
    }
}

/// Removes the limit, because the report of a panic needs memory, too.
pub fn unlimited() {
    HEAP.set_limit(usize::MAX).expect("more than is allocated");
}

struct Unlimited;

impl Drop for Unlimited {
    fn drop(&mut self) {
        unlimited();
    }
}
