//! Solutions by brute force, and the output of a faulty program.

use std::sync::OnceLock;

use fastrand::Rng;

/// The squares of the queens of a board, one per row unless a queen was moved to another row, in the order of the rows.
pub type Board = Vec<(usize, usize)>;

/// The columns of all solutions. Each column is tried in each row and compared with the rows above.
pub fn solutions(n: usize) -> &'static [Vec<usize>] {
    fn extend(n: usize, columns: &mut Vec<usize>, all: &mut Vec<Vec<usize>>) {
        let row = columns.len();
        if row == n {
            return all.push(columns.clone());
        }
        for column in 0..n {
            let attacks =
                |(above, &other): (usize, &usize)| other == column || other.abs_diff(column) == row - above;
            if !columns.iter().enumerate().any(attacks) {
                columns.push(column);
                extend(n, columns, all);
                columns.pop();
            }
        }
    }
    static ALL: [OnceLock<Vec<Vec<usize>>>; 15] = [const { OnceLock::new() }; 15];
    ALL[n].get_or_init(|| {
        let mut all = Vec::new();
        extend(n, &mut Vec::new(), &mut all);
        all
    })
}

/// A permutation that is not a solution.
pub fn illegal_board(n: usize, rng: &mut Rng) -> Board {
    let mut columns: Vec<usize> = (0..n).collect();
    loop {
        rng.shuffle(&mut columns);
        if !solutions(n).contains(&columns) {
            return columns.into_iter().enumerate().collect();
        }
    }
}

/// All solutions as boards.
pub fn solution_boards(n: usize) -> Vec<Board> {
    solutions(n).iter().map(|columns| columns.iter().copied().enumerate().collect()).collect()
}

/// A fault of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// One board is left out.
    Lost,
    /// One board is printed twice.
    Repeated,
    /// One queen stands in another column.
    MovedInRow,
    /// One queen stands in another row.
    MovedToRow,
}

impl Fault {
    pub const ALL: [Self; 4] = [Self::Lost, Self::Repeated, Self::MovedInRow, Self::MovedToRow];
}

/// Adds a fault to the solutions.
pub fn with_fault(boards: &[Board], fault: Fault, rng: &mut Rng) -> Vec<Board> {
    let n = boards[0].len();
    let mut boards = boards.to_vec();
    let index = rng.usize(..boards.len());
    let queen = rng.usize(..n);
    let step = rng.usize(1..n);
    match fault {
        Fault::Lost => drop(boards.remove(index)),
        Fault::Repeated => boards.insert(rng.usize(..=boards.len()), boards[index].clone()),
        Fault::MovedInRow => boards[index][queen].1 = (boards[index][queen].1 + step) % n,
        Fault::MovedToRow => {
            boards[index][queen].0 = (boards[index][queen].0 + step) % n;
            boards[index].sort_unstable();
        }
    }
    boards
}

#[test]
fn brute_force_agrees_with_the_published_counts() {
    let counts: Vec<usize> = (1..=8).map(|n| solutions(n).len()).collect();
    assert_eq!(counts, [1, 0, 0, 2, 10, 4, 40, 92], "A000170");
}
