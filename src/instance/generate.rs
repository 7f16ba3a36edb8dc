//! Random instances. The same arguments and seed give the same problem, on every machine.

use std::ops::ControlFlow;

use fastrand::Rng;

use crate::backtrack::dlx::{Items, Links};
use crate::board::problem::{Diagonal, Problem, Regions, Variant};
use crate::board::{BoardSize, Square, column, lines};
use crate::solver::Stop;

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

/// Forbids `count` random squares, as in CSPLib prob080: each row and column keeps at least `least` squares.
/// `None` if no more squares can be forbidden.
pub fn blocked(n: BoardSize, count: usize, least: usize, seed: u64) -> Option<Problem> {
    let mut random = Rng::with_seed(seed);
    let mut squares: Vec<Square> = lines::rows(n.get()).flatten().collect();
    random.shuffle(&mut squares);
    let (mut in_row, mut in_column) = (vec![n.get(); n.get()], vec![n.get(); n.get()]);
    let mut forbidden = Vec::new();
    for square in squares {
        let (row, column) = (&mut in_row[square.row], &mut in_column[square.column]);
        if forbidden.len() < count && *row > least && *column > least {
            *row -= 1;
            *column -= 1;
            forbidden.push(square);
        }
    }
    if forbidden.len() < count {
        return None;
    }
    Problem::queens(n).forbid(forbidden).ok()
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

/// A region puzzle with exactly one solution, with connected regions. `None` if none was found in
/// 1000 attempts; for 5 <= n <= 12 one is found in milliseconds. At most 26 rows: regions have letters.
pub fn regions(n: BoardSize, seed: u64) -> Option<Problem> {
    let mut random = Rng::with_seed(seed);
    let n = n.get();
    (0..ATTEMPTS).find_map(|_| {
        let mut columns: Vec<usize> = (0..n).collect();
        random.shuffle(&mut columns);
        let touches = columns.windows(2).any(|pair| pair[0].abs_diff(pair[1]) <= 1);
        if touches {
            return None;
        }
        let queens: Vec<Square> =
            columns.iter().enumerate().map(|(row, &column)| Square { row, column }).collect();
        unique(n, &queens, &mut random)
    })
}

/// Grows regions around queens, then moves squares of other solutions between regions until none is left.
fn unique(n: usize, queens: &[Square], random: &mut Rng) -> Option<Problem> {
    let mut of = grow(n, queens, random);
    for _ in 0..4 * n * n {
        let problem = puzzle(n, &of)?;
        let Some(other) = another_solution(&problem, queens) else { return Some(problem) };
        let mut squares: Vec<Square> = other.into_iter().filter(|square| !queens.contains(square)).collect();
        random.shuffle(&mut squares);
        let moved = squares.iter().find_map(|&square| {
            let mut regions: Vec<usize> =
                neighbours(n, square).map(|next| of[next.row * n + next.column]).collect();
            random.shuffle(&mut regions);
            let own = of[square.row * n + square.column];
            let region = regions.into_iter().find(|&region| region != own)?;
            let mut changed = of.clone();
            changed[square.row * n + square.column] = region;
            is_connected(n, &changed, queens[own], own).then_some(changed)
        });
        of = moved?;
    }
    None
}

fn neighbours(n: usize, square: Square) -> impl Iterator<Item = Square> {
    [(-1, 0), (1, 0), (0, -1), (0, 1)].into_iter().filter_map(move |(down, right)| {
        let row = square.row.checked_add_signed(down).filter(|&row| row < n)?;
        let column = square.column.checked_add_signed(right).filter(|&column| column < n)?;
        Some(Square { row, column })
    })
}

/// The region of each square: each queen begins one, and random squares beside a region join it.
fn grow(n: usize, queens: &[Square], random: &mut Rng) -> Vec<usize> {
    let mut of = vec![usize::MAX; n * n];
    queens.iter().enumerate().for_each(|(region, queen)| of[queen.row * n + queen.column] = region);
    let mut edge = queens.to_vec();
    while !edge.is_empty() {
        let place = random.usize(..edge.len());
        let square = edge[place];
        let free: Vec<Square> =
            neighbours(n, square).filter(|next| of[next.row * n + next.column] == usize::MAX).collect();
        match free.is_empty() {
            true => drop(edge.swap_remove(place)),
            false => {
                let next = free[random.usize(..free.len())];
                of[next.row * n + next.column] = of[square.row * n + square.column];
                edge.push(next);
            }
        }
    }
    of
}

fn is_connected(n: usize, of: &[usize], start: Square, region: usize) -> bool {
    let mut reached = vec![start];
    let mut next = 0;
    while next < reached.len() {
        let beside =
            neighbours(n, reached[next]).filter(|square| of[square.row * n + square.column] == region);
        let new: Vec<Square> = beside.filter(|square| !reached.contains(square)).collect();
        reached.extend(new);
        next += 1;
    }
    reached.len() == of.iter().filter(|&&other| other == region).count()
}

fn puzzle(n: usize, of: &[usize]) -> Option<Problem> {
    let letter = |&region: &usize| char::from(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ"[region]);
    let rows: Vec<String> = of.chunks(n).map(|row| row.iter().map(letter).collect()).collect();
    let regions = Regions::from_rows(rows.iter().map(String::as_str), 1).ok()?;
    Problem::new(BoardSize::new(n).ok()?, Variant::Regions(regions)).ok()
}

/// A solution other than the given one.
fn another_solution(problem: &Problem, queens: &[Square]) -> Option<Vec<Square>> {
    let mut found = None;
    let flow = Links::new(problem, Items::default()).search(&mut |squares, is_solution| {
        if !is_solution || squares.iter().all(|square| queens.contains(square)) {
            return ControlFlow::Continue(());
        }
        found = Some(squares.to_vec());
        ControlFlow::Break(Stop::Sink)
    });
    debug_assert_eq!(flow.is_break(), found.is_some());
    found
}

fn keeps(problem: &Problem, least: usize) -> bool {
    let n = problem.n().get();
    let enough =
        |line: Vec<Square>| line.into_iter().filter(|&square| problem.may_hold(square)).count() >= least;
    lines::rows(n).chain(lines::columns(n)).all(enough)
}
