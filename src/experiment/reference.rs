//! The digest of the set of all solutions of a small board, enumerated once per process.

use std::ops::ControlFlow;
use std::sync::OnceLock;

use crate::board::{BoardSize, is_solution, known};
use crate::registry::Registry;
use crate::solver::sink::Digest;
use crate::solver::{Goal, Task};

/// The largest board that is enumerated. It takes about 10 ms; each smaller board takes about a fifth of the
/// next.
pub const LARGEST: usize = 12;

/// The digest of all solutions on an `n` by `n` board, as in the column `solutions_digest`; `None` above
/// [`LARGEST`].
pub fn digest(n: usize) -> Option<&'static str> {
    static DIGESTS: [OnceLock<Option<String>>; LARGEST + 1] = [const { OnceLock::new() }; LARGEST + 1];
    DIGESTS.get(n)?.get_or_init(|| enumerate(n)).as_deref()
}

/// Enumerates all solutions. The result is used only if every board is legal, each is greater than the one
/// before it, and their number is the published one: then the boards are exactly the solutions.
fn enumerate(n: usize) -> Option<String> {
    let mut digest = Digest::default();
    let mut last: Option<Vec<u16>> = None;
    let mut sound = true;
    let mut sink = |columns: &[u16]| {
        sound &=
            columns.len() == n && is_solution(columns) && last.as_deref().is_none_or(|last| last < columns);
        last = Some(columns.to_vec());
        digest.add(columns);
        ControlFlow::Continue(())
    };
    let registry = Registry::builtin();
    let task = Task::new(BoardSize::new(n).ok()?, Goal::Enumerate);
    registry.get("backtrack/bitmask").ok()?.solve(&task, &mut sink).ok()?;
    (sound && Some(digest.count()) == known::solutions(n)).then(|| digest.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// docs/FORMATS.md has the digests of n = 0, 2, 3 and 4.
    #[test]
    fn small_boards_have_a_digest_and_large_ones_have_none() {
        assert_eq!(digest(4), Some("2939f457759c4537420d395ba5c1ccec"));
        assert_eq!(digest(3), Some("00000000000000000000000000000000"));
        assert_eq!(digest(0), Some("873e6848283318eb8efd1db630f52133"));
        assert!((0..=LARGEST).all(|n| digest(n).is_some()));
        assert_eq!(digest(LARGEST + 1), None);
    }
}
