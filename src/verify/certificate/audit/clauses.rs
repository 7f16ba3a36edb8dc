//! Checks clause by clause that a formula is a problem with the claimed number of solutions denied.
//! Uses the definition of the problem, `Variant::attacks` and `Problem::is_solution`, and its lines that must hold a
//! queen, but nothing of the code that writes formulas.
//! Memory: O(n^4) bytes, for any number of solutions.

use sha2::{Digest, Sha256};

use super::{CertificateFault, is_so};
use crate::board::problem::{Problem, Rule, Variant};
use crate::board::symmetry::Symmetry;
use crate::board::{Placement, Square, column};
use crate::verify::certificate::files::hexadecimal;
use crate::verify::certificate::{BrokenSymmetry, orbits};

/// Squares of which at least one must hold a queen.
struct Needed {
    /// The squares, in ascending order.
    squares: Vec<Square>,
    /// The line in words.
    line: String,
    /// Whether a clause has stated it.
    stated: bool,
}

/// The state after the clauses read so far.
pub(super) struct Clauses {
    problem: Problem,
    n: usize,
    encoding_clauses: u64,
    /// The broken symmetry with the symmetries of the problem, and the solutions whose images are to be counted.
    symmetry: Option<(BrokenSymmetry, Vec<Symmetry>, Vec<Placement>)>,
    taken: u64,
    /// The lines that must hold a queen, and the squares that must.
    needed: Vec<Needed>,
    /// The squares that clauses say to be empty, and the pairs of squares that must not both hold a queen.
    empty: Vec<bool>,
    pairs: Vec<bool>,
    /// The last solution, the number of solutions, and their digest.
    last: Option<Placement>,
    solutions: u64,
    digest: Sha256,
}

impl Clauses {
    /// Nothing read yet. With `symmetry`, the clauses that break it may use these symmetries of the problem.
    pub fn new(
        problem: &Problem,
        encoding_clauses: u64,
        symmetry: Option<(BrokenSymmetry, Vec<Symmetry>)>,
    ) -> Self {
        let n = problem.n().get();
        Self {
            problem: problem.clone(),
            n,
            encoding_clauses,
            symmetry: symmetry.map(|(broken, symmetries)| (broken, symmetries, Vec::new())),
            taken: 0,
            needed: needed(problem),
            empty: vec![false; n * n],
            pairs: vec![false; n.pow(4)],
            last: None,
            solutions: 0,
            digest: Sha256::new(),
        }
    }

    /// The number of clauses read.
    pub fn taken(&self) -> u64 {
        self.taken
    }

    fn square(&self, literal: i64) -> Option<Square> {
        let index = usize::try_from(literal.unsigned_abs()).ok()?.checked_sub(1)?;
        (index < self.n * self.n).then_some(Square { row: index / self.n, column: index % self.n })
    }

    /// Takes the next clause.
    pub fn take(&mut self, clause: &[i64]) -> Result<(), CertificateFault> {
        self.taken += 1;
        let breaking = self.symmetry.as_ref().map_or(0, |(broken, ..)| broken.clauses);
        let after = self.taken.checked_sub(self.encoding_clauses.saturating_add(1));
        let belongs = match after {
            None => self.line_or_pair(clause),
            Some(number) if number < breaking => self.breaks_symmetry(clause),
            Some(_) => self.solution(clause),
        };
        belongs.map_err(|reason| CertificateFault::Clause { number: self.taken, reason })
    }

    /// "There is a queen in this line", "not on this square", or "not on both of these squares".
    fn line_or_pair(&mut self, clause: &[i64]) -> Result<(), String> {
        let squares: Option<Vec<Square>> = clause.iter().map(|&literal| self.square(literal)).collect();
        let mut squares = squares.ok_or("it has a variable that does not stand for a square")?;
        let has_positive = clause.iter().any(|&literal| literal > 0);
        if let ([a, b], false) = (&squares[..], has_positive) {
            if a == b || !self.problem.variant().attacks(self.n, *a, *b) {
                return Err(format!(
                    "it forbids two queens that do not attack each other: {}",
                    shown(&squares)
                ));
            }
            return self.first_time_pair(*a, *b);
        }
        let stated = if let (&[square], false) = (&squares[..], has_positive) {
            let empty = &mut self.empty[square.row * self.n + square.column];
            !self.problem.may_hold(square) && !std::mem::replace(empty, true)
        } else {
            squares.sort_unstable();
            let is_line = |needed: &&mut Needed| !needed.stated && needed.squares == squares;
            let all_positive = clause.iter().all(|&literal| literal > 0);
            let line = self.needed.iter_mut().find(is_line).filter(|_| all_positive);
            line.map(|needed| needed.stated = true).is_some()
        };
        if stated {
            return Ok(());
        }
        let other = if self.problem.is_plain() { "" } else { ", nor another rule of the problem" };
        Err(format!(
            "it is neither a row or column of the board nor two squares of a line{other}, or it is repeated"
        ))
    }

    fn first_time_pair(&mut self, a: Square, b: Square) -> Result<(), String> {
        let number = |square: Square| square.row * self.n + square.column;
        let (a, b) = (number(a), number(b));
        let index = a.min(b) * self.n * self.n + a.max(b);
        if std::mem::replace(&mut self.pairs[index], true) {
            return Err("it is repeated".into());
        }
        Ok(())
    }

    /// "Not all of these queens", where a symmetry maps every placement with these queens to an earlier one.
    fn breaks_symmetry(&self, clause: &[i64]) -> Result<(), String> {
        let square = |&literal: &i64| self.square(literal).filter(|_| literal < 0);
        let queens: Option<Vec<Square>> = clause.iter().map(square).collect();
        let queens = queens.ok_or("it does not deny queens, so it breaks no symmetry")?;
        let is_earlier = |(broken, symmetries, _): &(BrokenSymmetry, Vec<Symmetry>, _)| {
            let mut symmetries = symmetries.iter();
            symmetries.any(|&symmetry| orbits::is_mapped_to_earlier(self.n, symmetry, &broken.rows, &queens))
        };
        if self.symmetry.as_ref().is_some_and(is_earlier) {
            return Ok(());
        }
        Err(format!(
            "no symmetry of the problem maps every solution with these queens to an earlier one: {}",
            shown(&queens)
        ))
    }

    /// "Not all of these queens", where the queens are a solution.
    fn solution(&mut self, clause: &[i64]) -> Result<(), String> {
        let queens: Option<Vec<Square>> =
            clause.iter().filter(|&&literal| literal < 0).map(|&literal| self.square(literal)).collect();
        let in_rows = queens.filter(|queens| {
            queens.len() == clause.len()
                && queens.len() == self.n
                && queens.iter().enumerate().all(|(row, queen)| queen.row == row)
        });
        let queens = in_rows.ok_or("it does not deny one queen per row, top row first")?;
        let columns: Vec<u16> = queens.iter().map(|queen| column(queen.column)).collect();
        let board = Placement::new(&columns);
        if !self.problem.is_solution(&columns) {
            return Err(format!("the board that it denies is not a solution: {board}"));
        }
        if self.last.as_ref().is_some_and(|last| *last >= board) {
            return Err(format!("it denies a solution twice or out of order: {board}"));
        }
        match &mut self.symmetry {
            Some((.., listed)) => listed.push(board.clone()),
            None => {
                self.digest.update(board.to_string());
                self.digest.update("\n");
            }
        }
        self.solutions += 1;
        self.last = Some(board);
        Ok(())
    }

    /// Checks that no clause of the problem is missing.
    fn complete(&self) -> Result<(), CertificateFault> {
        let n = self.n;
        if let Some(needed) = self.needed.iter().find(|needed| !needed.stated) {
            return Err(CertificateFault::Missing(format!("{} holds a queen", needed.line)));
        }
        let square = |index: usize| Square { row: index / n, column: index % n };
        for a in 0..n * n {
            if !self.problem.may_hold(square(a)) && !self.empty[a] {
                let fault = format!("{} holds no queen", shown(&[square(a)]));
                return Err(CertificateFault::Missing(fault));
            }
            for b in a + 1..n * n {
                if self.problem.variant().attacks(n, square(a), square(b)) && !self.pairs[a * n * n + b] {
                    let both = shown(&[square(a), square(b)]);
                    return Err(CertificateFault::Missing(format!(
                        "these squares do not both hold a queen: {both}"
                    )));
                }
            }
        }
        Ok(())
    }

    /// Checks that no clause is missing, and returns the denied solutions if symmetry is broken.
    pub fn denied(self) -> Result<Vec<Placement>, CertificateFault> {
        self.complete()?;
        Ok(self.symmetry.map(|(.., listed)| listed).unwrap_or_default())
    }

    /// Checks that no clause is missing, and returns the digest of the solutions.
    pub fn end(self, solutions: u64) -> Result<String, CertificateFault> {
        self.complete()?;
        let Some((broken, symmetries, listed)) = self.symmetry else {
            is_so("solutions", solutions, self.solutions)?;
            return Ok(hexadecimal(&self.digest.finalize()));
        };
        is_so("symmetry.representatives", broken.representatives, self.solutions)?;
        let listed = listed.iter().map(Placement::columns);
        let (all, digest) = orbits::closure(&self.problem, &symmetries, listed)
            .map_err(|image| CertificateFault::Image(image.to_string()))?;
        is_so("solutions", solutions, all)?;
        Ok(digest)
    }
}

/// The lines of a problem that must hold a queen, and the squares that must.
fn needed(problem: &Problem) -> Vec<Needed> {
    let n = problem.n().get();
    let lines = problem.lines().filter(|line| line.rule == Rule::ExactlyOne).map(|line| line.squares);
    let lines = lines.enumerate().map(|(index, mut squares)| {
        squares.sort_unstable();
        let line = match problem.variant() {
            _ if index < n => format!("row {}", index + 1),
            _ if index < 2 * n => format!("column {}", index + 1 - n),
            Variant::Regions(regions) => format!("region {}", regions.letter(squares[0])),
            _ => shown(&squares),
        };
        Needed { squares, line, stated: false }
    });
    let placed = problem.placed().iter().map(|&square| Needed {
        squares: vec![square],
        line: shown(&[square]),
        stated: false,
    });
    lines.chain(placed).collect()
}

/// Squares in words, rows and columns from 1.
fn shown(squares: &[Square]) -> String {
    let one = |square: &Square| format!("row {}, column {}", square.row + 1, square.column + 1);
    squares.iter().map(one).collect::<Vec<_>>().join(" and ")
}
