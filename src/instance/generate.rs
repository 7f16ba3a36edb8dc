//! Random instances. The same arguments and seed give the same problem, on every machine.

use fastrand::Rng;

use crate::board::problem::{Diagonal, Problem};
use crate::board::{BoardSize, Square, column, lines};

/// How often a generator starts again before it gives up.
const ATTEMPTS: usize = 1000;

/// Excludes `count` random diagonals of the plain board, as in CSPLib prob079: each row and column keeps at
/// least `least` squares that may hold a queen. `None` if no more diagonals can be excluded.
pub fn excluded_diagonals(n: BoardSize, count: usize, least: usize, seed: u64) -> Option<Problem> {
    let mut random = Rng::with_seed(seed);
    let size = column(n.get());
    let mut directions = [
        (0..(2 * size).saturating_sub(1)).map(Diagonal::Sum).collect::<Vec<_>>(),
        (1 - size.cast_signed()..size.cast_signed()).map(Diagonal::Difference).collect(),
    ];
    directions.iter_mut().for_each(|diagonals| random.shuffle(diagonals));
    let mut problem = Problem::queens(n);
    let mut excluded = 0;
    while excluded < count {
        let first = random.usize(..2);
        let diagonal = directions[first].pop().or_else(|| directions[1 - first].pop())?;
        let next = problem.clone().exclude([diagonal]).ok()?;
        if keeps(&next, least) {
            problem = next;
            excluded += 1;
        }
    }
    Some(problem)
}

/// Places `count` random queens that do not attack each other; it may be impossible to complete them. `None`
/// if 1000 random placements ended earlier.
pub fn completion(n: BoardSize, count: usize, seed: u64) -> Option<Problem> {
    let mut random = Rng::with_seed(seed);
    let all: Vec<Square> = lines::rows(n.get()).flatten().collect();
    (0..ATTEMPTS).find_map(|_| {
        let mut squares = all.clone();
        random.shuffle(&mut squares);
        let mut queens: Vec<Square> = Vec::new();
        for square in squares {
            if queens.len() < count && !queens.iter().any(|queen| queen.attacks(square)) {
                queens.push(square);
            }
        }
        (queens.len() == count).then(|| Problem::queens(n).place(queens).ok())?
    })
}

fn keeps(problem: &Problem, least: usize) -> bool {
    let n = problem.n().get();
    let enough =
        |line: Vec<Square>| line.into_iter().filter(|&square| problem.may_hold(square)).count() >= least;
    lines::rows(n).chain(lines::columns(n)).all(enough)
}
