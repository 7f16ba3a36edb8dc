//! Computes the numbers of classes of solutions under rotations and reflections from the number of all solutions.
//!
//! For n >= 2, no solution is its own mirror image. Of Q solutions (OEIS A000170), P are fixed by a half turn (A032522), and R of these P
//! are also fixed by a quarter turn (A033148). Therefore (Q - P) / 8 classes have 8 boards, (P - R) / 4 classes have 4 boards, and R / 2
//! classes have 2 boards. Their sum is the number of fundamental solutions F (A002562), and 8 F = Q + P + 2 R (Burnside's lemma).
//! P and R are counted by a search that places each queen together with its images. Cost: milliseconds for n = 18, seconds for
//! n = 22.

/// The lines that have a queen, as bit masks of the rows, columns, rising and falling diagonals. For boards up to n = 32.
type OccupiedLines = [u64; 4];

/// Places a queen on each of these squares; `None` if any two queens attack each other.
fn place(mut occupied: OccupiedLines, n: usize, squares: &[(usize, usize)]) -> Option<OccupiedLines> {
    for &(row, column) in squares {
        let queen_lines = [row, column, row + column, row + n - 1 - column];
        for (lines, line) in occupied.iter_mut().zip(queen_lines) {
            if *lines >> line & 1 == 1 {
                return None;
            }
            *lines |= 1 << line;
        }
    }
    Some(occupied)
}

/// A function that maps `n` and the row and column of a square to all images of the square.
type Images<const IMAGES: usize> = fn(usize, usize, usize) -> [(usize, usize); IMAGES];

/// Counts the solutions that contain all images of each of their queens.
fn count_symmetric<const IMAGES: usize>(n: usize, images: Images<IMAGES>) -> u64 {
    fn search<const IMAGES: usize>(n: usize, images: Images<IMAGES>, occupied: OccupiedLines) -> u64 {
        let [rows, columns, ..] = occupied;
        let row = rows.trailing_ones() as usize;
        if row == n {
            return 1;
        }
        let free_columns = (0..n).filter(|column| columns >> column & 1 == 0);
        let children = free_columns.filter_map(|column| place(occupied, n, &images(n, row, column)));
        children.map(|child| search(n, images, child)).sum()
    }
    // On odd boards, the middle row needs a queen, and the centre is its only square that is its own image.
    let centre = [(n / 2, n / 2)];
    let start = place(OccupiedLines::default(), n, if n.is_multiple_of(2) { &[] } else { &centre });
    start.map_or(0, |occupied| search(n, images, occupied))
}

/// The number of solutions that a half turn maps to themselves (A032522), for 1 <= n <= 32.
pub fn fixed_by_half_turn(n: usize) -> u64 {
    count_symmetric(n, |n, row, column| [(row, column), (n - 1 - row, n - 1 - column)])
}

/// The number of solutions that a quarter turn maps to themselves (A033148), for 1 <= n <= 32.
pub fn fixed_by_quarter_turn(n: usize) -> u64 {
    count_symmetric(n, |n, row, column| {
        let (r, c) = (n - 1 - row, n - 1 - column);
        [(row, column), (column, r), (r, c), (c, row)]
    })
}

/// The sizes and the numbers of the classes of solutions under rotations and reflections, as pairs (boards per class, number of
/// classes), largest classes first: boards without symmetry (A260320), boards that a half turn maps to themselves (A260319), boards
/// that a quarter turn maps to themselves (A260318 from n = 2 on), and the only board for n = 0 or 1. One board of each class is
/// fundamental (A002562). For n <= 32. `None` if `solutions` is not possible, because a number of classes would not be an integer.
pub fn classes(n: usize, solutions: u128) -> Option<[(u8, u128); 4]> {
    if n <= 1 {
        return Some([(8, 0), (4, 0), (2, 0), (1, solutions)]);
    }
    let (half, quarter) = (fixed_by_half_turn(n).into(), fixed_by_quarter_turn(n).into());
    // The number of classes that have `size` boards each. `boards` counts the boards with the symmetry of these classes, and
    // `more_symmetric` counts those among them that have more symmetries.
    let class = |boards: u128, more_symmetric: u128, size: u8| {
        let difference = boards.checked_sub(more_symmetric)?;
        difference.is_multiple_of(size.into()).then(|| (size, difference / u128::from(size)))
    };
    Some([class(solutions, half, 8)?, class(half, quarter, 4)?, class(quarter, 0, 2)?, (1, 0)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens_board::{prefix::Prefix, published, symmetry::Symmetry};

    #[test]
    fn fixed_counts_match_solutions_preserved_by_rotation() {
        for n in 1..=10 {
            let solutions = Prefix::all(n, n);
            let fixed_count = |turn: Symmetry| {
                let image = |board: &[u32]| {
                    let mut image = vec![0; n];
                    turn.map(board, &mut image);
                    image
                };
                solutions.iter().filter(|board| image(board.columns()) == board.columns()).count() as u64
            };
            let [_, half, quarter, _] = Symmetry::ROTATIONS;
            assert_eq!(fixed_by_half_turn(n), fixed_count(half), "n = {n}");
            assert_eq!(fixed_by_quarter_turn(n), fixed_count(quarter), "n = {n}");
        }
    }

    #[test]
    fn numbers_of_fundamental_solutions_match_published_values() {
        for n in 1..=16 {
            let solutions = published::solutions(n).expect("published");
            let published_count = published::fundamental_solutions(n).map(u128::from);
            let classes = classes(n, u128::from(solutions)).expect("whole numbers of classes");
            assert_eq!(Some(classes.iter().map(|(_, number)| number).sum()), published_count, "n = {n}");
        }
        assert_eq!(classes(8, 91), None);
    }

    /// OEIS A032522, A033148, A260320, A260319 and A260318, and Burnside's lemma: 8 F = Q + P + 2 R.
    #[test]
    fn numbers_of_symmetry_classes_match_published_values() {
        for line in include_str!("../../queens-board/src/known/solution_counts.csv").lines().skip(1).take(18)
        {
            let fields: Vec<u128> = line.split(',').map_while(|field| field.parse().ok()).collect();
            let [n, solutions, fundamental, half, quarter, eight, four, two] = fields[..] else {
                panic!("{line}")
            };
            let size = usize::try_from(n).expect("a size");
            let [(8, of_eight), (4, of_four), (2, of_two), (1, of_one)] =
                classes(size, solutions).expect("whole numbers of classes")
            else {
                panic!("other sizes")
            };
            assert_eq!((of_eight, of_four, of_two + of_one), (eight, four, two), "n = {n}");
            if n >= 2 {
                assert_eq!(of_one, 0);
                assert_eq!(8 * fundamental, solutions + half + 2 * quarter, "n = {n}");
                assert_eq!(u128::from(fixed_by_half_turn(size)), half, "n = {n}");
                assert_eq!(u128::from(fixed_by_quarter_turn(size)), quarter, "n = {n}");
            }
        }
    }
}
