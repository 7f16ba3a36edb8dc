//! Wrong searchers: the real ones, each with one line changed. Each file has one kind of search, in which every
//! line to be changed is a function in a struct, and its mutants: the fault in words, and the changed line.

mod cells;
mod masks;
mod reports;

use std::sync::Arc;

use crate::backtrack::{Flow, Visitor};
use crate::solver::stats::Level;
use crate::solver::{Info, Outcome, Sink, SolveError, Solver, Stop, Task};

/// Walks the tree of an `n` by `n` board. The visitor is a trait object, so that each search is compiled once.
type Search = dyn Fn(usize, &mut dyn Visitor) -> Flow + Send + Sync;

/// The name of a mutant, and its fault in a sentence.
pub(super) type Names = (&'static str, &'static str);

/// A wrong searcher.
#[derive(Clone)]
pub struct Mutant {
    /// The searcher that it was made from.
    pub of: &'static str,
    /// Its name.
    pub name: &'static str,
    /// The fault, in a sentence.
    pub wrong: &'static str,
    /// The changed search.
    pub search: Arc<Search>,
}

/// Every wrong searcher.
pub fn all() -> Vec<Mutant> {
    [cells::all(), masks::all(), reports::all(), masks::rule()].concat()
}

/// The searchers with no line changed: no check may catch them.
#[cfg(test)]
pub fn unchanged() -> Vec<Mutant> {
    cells::unchanged().into_iter().chain([masks::unchanged(), reports::unchanged()]).collect()
}

/// Mutants of one searcher: the name and the fault of each, and its changed lines.
macro_rules! edits {
    ($mutant:ident, $lines:ident, $right:ident; $($name:literal: $wrong:literal { $($line:ident: $edit:expr),+ })+) => {
        vec![$($mutant(($name, $wrong), $lines { $($line: $edit,)+ ..$right })),+]
    };
}
pub(super) use edits;

fn mutant(
    of: &'static str,
    (name, wrong): Names,
    search: impl Fn(usize, &mut dyn Visitor) -> Flow + Send + Sync + 'static,
) -> Mutant {
    Mutant { of, name, wrong, search: Arc::new(search) }
}

impl Solver for Mutant {
    fn info(&self) -> Info {
        Info::named(self.name)
    }

    fn search(&self, task: &Task<'_>, sink: &mut dyn Sink) -> Result<Outcome, SolveError> {
        let n = task.n().get();
        let mut counter = Counter { solutions: 0, levels: vec![Level::default(); n + 1], sink };
        let stopped = (self.search)(n, &mut counter).break_value();
        Ok(Outcome { solutions: counter.solutions, stopped, levels: counter.levels, ..Outcome::default() })
    }
}

/// Counts the nodes of each level and passes the solutions on.
struct Counter<'s> {
    solutions: u64,
    levels: Vec<Level>,
    sink: &'s mut dyn Sink,
}

impl Visitor for Counter<'_> {
    fn node(&mut self, level: usize) -> Flow {
        self.levels[level].nodes += 1;
        Flow::Continue(())
    }

    fn dead_end(&mut self, level: usize) {
        self.levels[level].dead_ends += 1;
    }

    fn solution(&mut self, columns: &[u16]) -> Flow {
        self.solutions += 1;
        self.sink.solution(columns).map_break(|()| Stop::Sink)
    }
}
