//! Wrong searchers: the real ones, each with one line changed. Each file has one searcher, in which every
//! line to be changed is a method, and its mutants: the fault in words, and the changed line.

mod flags;
mod masks;
mod scan;
mod shortcuts;
mod squares;
mod told;

use crate::backtrack::{ANY_SIZE, Counts, Idea, Textbook, searcher};
use crate::solver::{CellsAsked, Order, Solver};
use crate::verify::certificate::{CertifyError, Formula, Proof, Solutions, write_search};

/// Writes the proof of a searcher.
pub type Prove = fn(&Formula, &Solutions, &mut Proof<'_>) -> Result<(), CertifyError>;

/// A wrong searcher.
pub struct Mutant {
    /// Its name.
    pub name: &'static str,
    /// The searcher that it was made from.
    pub of: &'static str,
    /// The fault, in a sentence.
    pub wrong: &'static str,
    /// The solver that `verify` runs.
    pub solver: Box<dyn Solver>,
    /// The searcher that `certify --method backtrack` follows.
    pub prove: Prove,
}

/// Every wrong searcher.
pub fn all() -> Vec<Mutant> {
    let files = [scan::all, flags::all, squares::all, masks::all, told::all, shortcuts::all];
    files.into_iter().flat_map(|mutants| mutants()).collect()
}

/// The searchers with no line changed: no check may catch them.
#[cfg(test)]
pub fn unchanged() -> Vec<Mutant> {
    vec![scan::unchanged(), flags::unchanged(), squares::unchanged(), masks::unchanged(), told::unchanged()]
}

fn mutant<T: Textbook>(of: &'static str) -> Mutant {
    let Idea { id: name, about: wrong, .. } = T::IDEA;
    Mutant { name, of, wrong, solver: searcher::<T>(), prove: write_search::<T> }
}

/// What a mutant claims: the tree of the textbooks, row by row.
const fn idea(name: &'static str, wrong: &'static str) -> Idea {
    Idea {
        id: name,
        about: wrong,
        sizes: ANY_SIZE,
        pattern_limit: None,
        counts: Counts::Nodes { cells: CellsAsked::None, comparisons: false },
        order: Order::ByRow,
    }
}

/// Types with a name, a fault and the changed method, and the list of them.
macro_rules! mutants {
    ($lines:ident, $edited:ident, $of:literal; $($kind:ident $name:literal: $wrong:literal { $($edit:item)* })*) => {
        $(
            struct $kind;

            impl $lines for $kind {
                $($edit)*
            }

            impl $crate::backtrack::Textbook for $edited<$kind> {
                const IDEA: $crate::backtrack::Idea = super::idea($name, $wrong);
            }
        )*

        pub fn all() -> Vec<super::Mutant> {
            vec![$(super::mutant::<$edited<$kind>>($of)),*]
        }

        #[cfg(test)]
        pub fn unchanged() -> super::Mutant {
            struct Unchanged;

            impl $lines for Unchanged {}

            impl $crate::backtrack::Textbook for $edited<Unchanged> {
                const IDEA: $crate::backtrack::Idea = super::idea(concat!($of, ", unchanged"), "nothing");
            }

            super::mutant::<$edited<Unchanged>>($of)
        }
    };
}
use mutants;
