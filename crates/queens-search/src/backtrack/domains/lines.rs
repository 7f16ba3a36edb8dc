//! Domains as sets of squares: a queen removes the squares on the lines through it, and they are put back one by one. Any
//! size. Cost: O(n) per queen, and memory for two integers per square and line through it.

use std::vec;

use super::{Change, Domains};
use queens_board::problem::Problem;
use queens_board::{Square, lines};

/// Domains as sets of squares, with the lines through each square. A square is a number, row by row.
pub struct Lines {
    n: usize,
    /// Whether a square is left.
    left: Vec<bool>,
    sizes: Vec<usize>,
    /// The squares of each line that is not a row.
    lines: Vec<Vec<u32>>,
    /// The lines through square `s` are `through[from[s]..from[s + 1]]`.
    through: Vec<u32>,
    from: Vec<usize>,
    /// The removed squares, and their number at each queen.
    trail: Vec<u32>,
    marks: Vec<usize>,
    /// The number of columns of a row that attack a square; 0 between calls.
    hits: Vec<u32>,
    most_support: usize,
}

impl Lines {
    /// Calls `visit` with every square of another row on a line with `square`, once for each such line.
    fn attacked(&self, square: usize, mut visit: impl FnMut(usize)) {
        let row = square / self.n;
        for &line in &self.through[self.from[square]..self.from[square + 1]] {
            let others = self.lines[line as usize].iter().map(|&other| other as usize);
            others.filter(|other| other / self.n != row).for_each(&mut visit);
        }
    }

    /// Removes squares and returns whether every row has a column left.
    fn remove(&mut self, squares: &[u32]) -> bool {
        let mut wiped = false;
        for &square in squares {
            if std::mem::take(&mut self.left[square as usize]) {
                self.trail.push(square);
                self.sizes[square as usize / self.n] -= 1;
                wiped |= self.sizes[square as usize / self.n] == 0;
            }
        }
        !wiped
    }
}

impl Domains for Lines {
    type Columns = vec::IntoIter<usize>;

    fn of(problem: &Problem) -> Self {
        let n = problem.n().get();
        let number = |square: &Square| number_of(square.row * n + square.column);
        let lines: Vec<Vec<u32>> =
            problem.lines().skip(n).map(|line| line.squares.iter().map(number).collect()).collect();
        let mut from = vec![0; n * n + 1];
        lines.iter().flatten().for_each(|&square| from[square as usize + 1] += 1);
        (0..n * n).for_each(|square| from[square + 1] += from[square]);
        let mut next = from.clone();
        let mut through = vec![0; from[n * n]];
        // How many squares of one row a square attacks by its lines, at most.
        let mut attacked = vec![0; n * n];
        for (line, squares) in lines.iter().enumerate() {
            let mut rows: Vec<u32> = squares.iter().map(|square| square / number_of(n)).collect();
            rows.sort_unstable();
            let widest = rows.chunk_by(|a, b| a == b).map(<[u32]>::len).max().unwrap_or(0);
            for &square in squares {
                through[next[square as usize]] = number_of(line);
                next[square as usize] += 1;
                attacked[square as usize] += widest;
            }
        }
        let squares = lines::rows(n).flatten();
        let left: Vec<bool> = squares.map(|square| problem.is_open(square)).collect();
        let sizes = left.chunks(n.max(1)).map(|row| row.iter().filter(|&&left| left).count()).collect();
        let most_support = attacked.into_iter().max().unwrap_or(0);
        let hits = vec![0; n * n];
        Self {
            n,
            left,
            sizes,
            lines,
            through,
            from,
            trail: Vec::new(),
            marks: Vec::new(),
            hits,
            most_support,
        }
    }

    fn size(&self, row: usize) -> usize {
        self.sizes[row]
    }

    fn columns(&self, row: usize) -> vec::IntoIter<usize> {
        let left = &self.left[row * self.n..][..self.n];
        (0..self.n).filter(|&column| left[column]).collect::<Vec<_>>().into_iter()
    }

    fn place(&mut self, row: usize, column: usize) -> bool {
        self.marks.push(self.trail.len());
        let queen = row * self.n + column;
        let mut removed: Vec<u32> = Vec::new();
        self.attacked(queen, |square| removed.push(number_of(square)));
        removed.extend((row * self.n..(row + 1) * self.n).filter(|&own| own != queen).map(number_of));
        self.remove(&removed)
    }

    fn undo(&mut self) {
        let mark = self.marks.pop().unwrap_or(0);
        for square in self.trail.drain(mark..) {
            self.left[square as usize] = true;
            self.sizes[square as usize / self.n] += 1;
        }
    }

    fn for_each_reduced_row(&self, visit: impl FnMut(usize)) {
        let removed = self.trail[self.marks.last().copied().unwrap_or(0)..].iter();
        removed.map(|&square| square as usize / self.n).for_each(visit);
    }

    fn support(&mut self, row: usize) -> Change {
        let columns: Vec<usize> = self.columns(row).collect();
        let mut hits = std::mem::take(&mut self.hits);
        let mut hit = Vec::new();
        for (index, &column) in columns.iter().enumerate() {
            self.attacked(row * self.n + column, |square| {
                if hits[square] as usize == index && self.left[square] {
                    hits[square] += 1;
                    hit.extend((index == 0).then_some(number_of(square)));
                }
            });
        }
        let all = |square: &u32| hits[*square as usize] as usize == columns.len();
        let removed: Vec<u32> = hit.iter().copied().filter(all).collect();
        hit.iter().for_each(|&square| hits[square as usize] = 0);
        self.hits = hits;
        match self.remove(&removed) {
            false => Change::Wiped,
            true if removed.is_empty() => Change::Nothing,
            true => Change::Smaller,
        }
    }

    fn most_support(&self) -> usize {
        self.most_support
    }

    fn removed_by(&self, row: usize, column: usize) -> usize {
        let mut removed = Vec::new();
        self.attacked(row * self.n + column, |square| removed.extend(self.left[square].then_some(square)));
        removed.sort_unstable();
        removed.dedup();
        removed.len()
    }
}

/// The number of a square or a line.
#[allow(
    clippy::cast_possible_truncation,
    reason = "a board has at most 2^20 squares, and fewer than 2^32 lines"
)]
fn number_of(number: usize) -> u32 {
    number as u32
}
