//! Wrong searchers: the real ones, each with one line changed. Each file has one kind of search, in which every
//! line to be changed is a function in a struct, and its mutants: the fault in words, and the changed line.

mod cells;
mod masks;
mod reports;

use crate::backtrack::{Flow, Visitor};
use crate::solver::stats::Level;
use crate::solver::{Info, Outcome, SearchStats, Sink, SolveError, Solver, Stop, Task};

/// Walks the tree of an `n` by `n` board. The visitor is a trait object, so that each search is compiled once.
type Search = dyn Fn(usize, &mut dyn Visitor) -> Flow + Send + Sync;

/// A wrong searcher.
pub struct Mutant {
    /// The searcher that it was made from.
    pub of: &'static str,
    /// Its name.
    pub name: &'static str,
    /// The fault, in a sentence.
    pub wrong: &'static str,
    /// The changed search.
    pub search: Box<Search>,
}

/// Every wrong searcher.
pub fn all() -> Vec<Mutant> {
    [cells::all(), masks::all(), reports::all(), vec![masks::rule()]].into_iter().flatten().collect()
}

/// The searchers with no line changed: no check may catch them.
#[cfg(test)]
pub fn unchanged() -> Vec<Mutant> {
    cells::unchanged().into_iter().chain([masks::unchanged(), reports::unchanged()]).collect()
}

fn mutant(
    of: &'static str,
    (name, wrong): (&'static str, &'static str),
    search: impl Fn(usize, &mut dyn Visitor) -> Flow + Send + Sync + 'static,
) -> Mutant {
    Mutant { of, name, wrong, search: Box::new(search) }
}

impl Solver for Mutant {
    fn info(&self) -> Info {
        Info::named(self.name)
    }

    fn search(&self, task: &Task<'_>, sink: &mut dyn Sink) -> Result<Outcome, SolveError> {
        let n = task.n.get();
        let mut counter = Counter { solutions: 0, levels: vec![Level::default(); n + 1], sink };
        let stopped = (self.search)(n, &mut counter).break_value();
        let search = SearchStats { levels: counter.levels, ..SearchStats::default() };
        Ok(Outcome { solutions: counter.solutions, stopped, search, ..Outcome::default() })
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
