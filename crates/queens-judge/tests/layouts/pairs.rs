//! Two notations in one text: a board that is not a solution makes the text incorrect in either notation.

use fastrand::Rng;
use queens_judge::AnswerKind;
use queens_judge::notation::{Notation, Writer};

use super::boards::{Board, illegal_board, solution_boards};
use super::judged::{Outcome, outcome};
use super::numbers::{SYNTAXES, numbers_of};

/// A way to write a board.
#[derive(Clone, Copy)]
pub enum Syntax {
    /// A notation of the crate.
    BuiltIn(Notation),
    /// A syntax of another language, as an index of [`SYNTAXES`], and the number of the first row and column.
    External(usize, usize),
}

impl Syntax {
    fn all() -> Vec<Self> {
        let built_in = Notation::ALL.into_iter().filter(|notation| !matches!(notation, Notation::Svg));
        let external = (0..SYNTAXES.len()).map(|index| Self::External(index, index % 2));
        built_in.map(Self::BuiltIn).chain(external).collect()
    }

    fn name(self) -> String {
        match self {
            Self::BuiltIn(notation) => notation.name().to_owned(),
            Self::External(index, base) => format!("{} from {base}", SYNTAXES[index].0),
        }
    }

    /// Whether a queen is written as a letter and a number, such as `b1`.
    fn has_squares(self) -> bool {
        self.name().starts_with("squares")
    }

    /// The text of each board, followed by an empty line.
    pub fn board_texts(self, boards: &[Board], n: usize) -> Vec<String> {
        let write = |board: &Board| match self {
            Self::BuiltIn(notation) => {
                let mut writer = Writer::new(Vec::new(), notation, n).expect("the size fits");
                let columns: Vec<u32> = board.iter().map(|&(_, column)| column as u32).collect();
                writer.solution(&columns).expect("written to memory");
                String::from_utf8(writer.finish().expect("written to memory")).expect("UTF-8") + "\n"
            }
            Self::External(index, base) => {
                SYNTAXES[index].1(&numbers_of(board, n, base).expect("one queen in each row")) + "\n\n"
            }
        };
        boards.iter().map(write).collect()
    }
}

/// Judges texts in all ordered pairs of notations. `mixed_text` writes a text in two notations. `is_good` decides whether an
/// outcome is acceptable.
fn assert_for_all_pairs(
    mixed_text: &dyn Fn(Syntax, Syntax, usize, &mut Rng) -> String,
    is_good: &dyn Fn(Outcome) -> bool,
) {
    let mut rng = Rng::with_seed(196);
    let mut failures = Vec::new();
    for first in Syntax::all() {
        for second in Syntax::all() {
            let n = rng.usize(4..=6);
            let text = mixed_text(first, second, n, &mut rng);
            let result = outcome(text.as_bytes(), n, AnswerKind::All);
            if !is_good(result) {
                failures.push(format!(
                    "--- {} and {}, n = {n}: {result:?}\n{text}",
                    first.name(),
                    second.name()
                ));
            }
        }
    }
    let count = failures.len();
    if let Some(path) = std::env::var_os("LAYOUTS_FAILURES") {
        let name = std::thread::current().name().unwrap_or_default().replace("::", "_");
        std::fs::write(std::path::PathBuf::from(path).join(name), failures.join("\n"))
            .expect("a folder for the failing texts");
    }
    failures.truncate(8);
    assert!(count == 0, "{count} pairs\n{}", failures.join("\n"));
}

/// Inserts the text of a board at a random place among the texts of other boards.
fn insert(mut boards: Vec<String>, board: &[String], rng: &mut Rng) -> String {
    boards.insert(rng.usize(..=boards.len()), board.concat());
    boards.concat()
}

#[test]
fn illegal_board_in_another_notation_is_incorrect() {
    assert_for_all_pairs(
        &|first, second, n, rng| {
            let wrong_board = illegal_board(n, rng);
            insert(first.board_texts(&solution_boards(n), n), &second.board_texts(&[wrong_board], n), rng)
        },
        &|result| result != Outcome::Correct,
    );
}

#[test]
fn shared_column_in_another_notation_is_incorrect() {
    assert_for_all_pairs(
        &|first, second, n, rng| {
            let boards = solution_boards(n);
            let mut moved_board = boards[rng.usize(..boards.len())].clone();
            let row = rng.usize(..n);
            moved_board[row].1 = (moved_board[row].1 + rng.usize(1..n)) % n;
            insert(first.board_texts(&boards, n), &second.board_texts(&[moved_board], n), rng)
        },
        &|result| result != Outcome::Correct,
    );
}

#[test]
fn copy_in_another_notation_leaves_board_missing() {
    assert_for_all_pairs(
        &|first, second, n, rng| {
            let mut boards = solution_boards(n);
            boards.remove(rng.usize(..boards.len()));
            let repeated_board = boards[rng.usize(..boards.len())].clone();
            // If letters are columns in one notation and rows in the other, the repeated board would be another solution.
            let second = if first.has_squares() && second.has_squares() { first } else { second };
            insert(first.board_texts(&boards, n), &second.board_texts(&[repeated_board], n), rng)
        },
        &|result| result != Outcome::Correct,
    );
}

/// A solution in a second notation may be a copy of an earlier board, so it is not counted. Here it is the missing solution, so
/// that the text has all solutions. Any outcome is acceptable except that a board is illegal.
#[test]
fn missing_solution_in_another_notation_is_not_illegal() {
    let first_number = |syntax: Syntax| match syntax {
        Syntax::BuiltIn(Notation::Columns1 | Notation::Digits) | Syntax::External(_, 1) => 1,
        _ => 0,
    };
    assert_for_all_pairs(
        &|first, second, n, rng| {
            let mut boards = solution_boards(n);
            let missing_board = boards.remove(rng.usize(..boards.len()));
            // If one notation counts from 0 and the other from 1, the board in the second notation may be illegal.
            let second = if first_number(first) == first_number(second) { second } else { first };
            insert(first.board_texts(&boards, n), &second.board_texts(&[missing_board], n), rng)
        },
        &|result| !matches!(result, Outcome::Wrong(faults) if faults.illegal > 0),
    );
}

#[test]
fn labelled_board_that_is_not_solution_is_incorrect() {
    let columns = "1 3 0 2\n2 0 3 1\n";
    let digits = "2413\n3142\n";
    let labelled_boards = "Solution 1: 1 3 0 2\nSolution 2: 2 0 3 1\n";
    for (text, line) in [
        (labelled_boards, "Solution 3: 1 3 0"),
        (labelled_boards, "Solution 3: 1 3 0 0"),
        (labelled_boards, "Solution 3: 0 1 2 3"),
        (labelled_boards, "Solution 3: [1, 3, 0]"),
        (columns, "Solution 3: 1 3 0"),
        (columns, "3. 0 1 2 3"),
        (columns, "-> 0 1 2 3"),
        (columns, "0 1 2 3 solution"),
        (columns, "third: 0, 1, 2, 3"),
        (digits, "-> 1111"),
        (digits, "-> 1234"),
        (digits, "3. 1234"),
        (digits, "3. 314"),
        (digits, "Solution 3: 1234"),
        (digits, "1234 is a solution"),
        ("1. 2413\n2. 3142\n", "3. 314"),
        ("1. 2413\n2. 3142\n", "3. 1234"),
        ("1 -> 2413\n2 -> 3142\n", "3 -> 1111"),
        ("-> 2413\n-> 3142\n", "-> 1111"),
        ("[1, 3, 0, 2]\n[2, 0, 3, 1]\n", "[1, 3, 0]"),
        ("[1, 3, 0, 2]\n[2, 0, 3, 1]\n", "[1, 3, 0, None]"),
        ("b1 d2 a3 c4\nc1 a2 d3 b4\n", "a1 b2 c3 d4"),
        ("b1 d2 a3 c4\nc1 a2 d3 b4\n", "Solution 3: a1 b2 c3 d4"),
        ("b1 d2 a3 c4\nc1 a2 d3 b4\n", "b1 d2 a3"),
    ] {
        for text in [format!("{text}{line}\n"), format!("{line}\n{text}")] {
            assert_ne!(outcome(text.as_bytes(), 4, AnswerKind::All), Outcome::Correct, "{text}");
        }
    }
}

#[test]
fn a_total_that_contradicts_the_boards_is_wrong() {
    for boards in ["1 3 0 2\n2 0 3 1\n", ".Q..\n...Q\nQ...\n..Q.\n\n..Q.\nQ...\n...Q\n.Q..\n\n"] {
        for (right, pattern) in [
            ("2", "total: #\n"),
            ("2", "total: # solutions\n"),
            ("2", "Total number of solutions: #\n"),
            ("2", "# solutions\n"),
            ("2", "Found # solutions in 3 ms\n"),
            ("2", "Anzahl der Lösungen: #\n"),
            ("2", "Número de soluciones: #\n"),
            ("2", "There are # solutions.\n"),
        ] {
            let text = |count: &str| format!("{boards}{}", pattern.replace('#', count));
            assert_eq!(
                outcome(text(right).as_bytes(), 4, AnswerKind::All),
                Outcome::Correct,
                "{}",
                text(right)
            );
            for count in ["3", "1", "92"] {
                let text = text(count);
                assert!(outcome(text.as_bytes(), 4, AnswerKind::All).is_wrong(), "{text}");
            }
        }
        // These numbers are not totals.
        for line in ["3 ms", "took 3 seconds", "nodes: 17", "4 queens", "n = 4", "3 backtracks", "size 4"] {
            let text = format!("{boards}{line}\n");
            assert_eq!(outcome(text.as_bytes(), 4, AnswerKind::All), Outcome::Correct, "{text}");
        }
    }
}
