use std::io;
use std::ops::ControlFlow;

use proptest::prelude::*;

use super::*;
use queens_board::problem::Problem;
use queens_board::{BoardSize, Placement};

fn queens(n: usize) -> Problem {
    Problem::queens(BoardSize::large(n).expect("a board size"))
}

/// The boards of a text, and its other properties.
fn read_with_summary(
    text: impl io::BufRead,
    n: usize,
    notation: Option<Notation>,
) -> Result<(Vec<Parsed>, TextSummary), NotationError> {
    let mut boards = Vec::new();
    let on_board = &mut |board| {
        boards.push(board);
        ControlFlow::Continue(())
    };
    let summary = super::read(text, &queens(n), Hints { notation, ..Hints::default() }, on_board)?;
    Ok((boards, summary))
}

fn read(text: &[u8], n: usize, notation: Option<Notation>) -> Result<Vec<Parsed>, ReadError> {
    let (boards, summary) = read_with_summary(text, n, notation).expect("a supported notation");
    summary.end.map(|()| boards)
}

/// The columns of each board, or the fault of a malformed board.
fn boards(text: &str, n: usize) -> Vec<Result<Vec<u32>, String>> {
    let columns = |parsed: Parsed| match parsed.board {
        ParsedBoard::Placement(placement) => Ok(placement.columns().to_vec()),
        ParsedBoard::Malformed { fault, .. } => Err(fault),
    };
    read(text.as_bytes(), n, None).expect(text).into_iter().map(columns).collect()
}

/// The expected result for placements with these columns.
fn expected_boards(boards: &[&[u32]]) -> Vec<Result<Vec<u32>, String>> {
    boards.iter().map(|columns| Ok(columns.to_vec())).collect()
}

/// The expected result for one malformed board.
fn fault(text: &str) -> Vec<Result<Vec<u32>, String>> {
    vec![Err(text.to_owned())]
}

/// Both solutions of 4 queens.
const SOLUTIONS: &[&[u32]] = &[&[1, 3, 0, 2], &[2, 0, 3, 1]];

#[test]
fn java_lists_and_ruby_matrices_are_read() {
    assert_eq!(
        boards("[[.Q.., ...Q, Q..., ..Q.], [..Q., Q..., ...Q, .Q..]]\n", 4),
        expected_boards(SOLUTIONS)
    );
    let ruby = "_ Q _ _ \n_ _ _ Q \nQ _ _ _ \n_ _ Q _ \n\n_ _ Q _ \nQ _ _ _ \n_ _ _ Q \n_ Q _ _ \n\n";
    assert_eq!(boards(ruby, 4), expected_boards(SOLUTIONS));
    assert_eq!(boards(&ruby.replace('\n', "\r\n"), 4), expected_boards(SOLUTIONS));
}

#[test]
fn lines_with_count_or_time_are_not_boards() {
    let text = "2\n0.000107 time was taken(in miliseconds)\nOut Of 2 solutions one is following\n\
                . . Q . \nQ . . . \n. . . Q \n. Q . . \n";
    assert_eq!(boards(text, 4), expected_boards(&[&[2, 0, 3, 1]]));
    assert_eq!(
        boards("\n\n 0  0  1  0 \n 1  0  0  0 \n 0  0  0  1 \n 0  1  0  0 \n", 4),
        expected_boards(&[&[2, 0, 3, 1]])
    );
}

#[test]
fn line_repeated_between_rows_is_ignored() {
    let board =
        |rows: [&str; 4]| format!("-------------\n{}", rows.map(|row| format!("Hello\n{row}\t\n")).concat());
    let text = board(["*\tQ\t*\t*", "*\t*\t*\tQ", "Q\t*\t*\t*", "*\t*\tQ\t*"])
        + &board(["*\t*\tQ\t*", "Q\t*\t*\t*", "*\t*\t*\tQ", "*\tQ\t*\t*"]);
    assert_eq!(boards(&text, 4), expected_boards(SOLUTIONS));
}

/// The heading `解 1` has the symbol `1` at a place where rows have zeros and ones. The first board has two queens in a column.
#[test]
fn short_heading_is_not_first_row() {
    let text = "解 1\n[[0. 1. 0. 0.]\n [0. 1. 0. 0.]\n [1. 0. 0. 0.]\n [0. 0. 1. 0.]]\n\n\
                解 2\n[[0. 0. 1. 0.]\n [1. 0. 0. 0.]\n [0. 0. 0. 1.]\n [0. 1. 0. 0.]]\n";
    assert_eq!(boards(text, 4), expected_boards(&[&[1, 1, 0, 2], SOLUTIONS[1]]));
}

#[test]
fn boards_in_common_notations_are_read() {
    let expected = expected_boards(SOLUTIONS);
    for text in [
        "[[\".Q..\", \"...Q\", \"Q...\", \"..Q.\"],\n [\"..Q.\", \"Q...\", \"...Q\", \".Q..\"]]\n",
        "[['.Q..',\n  '...Q',\n  'Q...',\n  '..Q.'],\n ['..Q.',\n  'Q...',\n  '...Q',\n  '.Q..']]\n",
        "['.Q..', '...Q', 'Q...', '..Q.']\n['..Q.', 'Q...', '...Q', '.Q..']\n",
        "[['.', 'Q', '.', '.'], ['.', '.', '.', 'Q'], ['Q', '.', '.', '.'], ['.', '.', 'Q', '.']]\n\
         [['.', '.', 'Q', '.'], ['Q', '.', '.', '.'], ['.', '.', '.', 'Q'], ['.', 'Q', '.', '.']]\n",
        "[(1, 3, 0, 2), (2, 0, 3, 1)]",
        "[[1,\n  3,\n  0,\n  2],\n [2,\n  0,\n  3,\n  1]]\n",
        "[[0 1 0 0]\n [0 0 0 1]\n [1 0 0 0]\n [0 0 1 0]]\n\n[[0 0 1 0]\n [1 0 0 0]\n [0 0 0 1]\n [0 1 0 0]]\n",
        "[0100, 0001, 1000, 0010]\n[0010, 1000, 0001, 0100]\n",
        "Solution 1: [1, 3, 0, 2]\nSolution 2: [2, 0, 3, 1]\n2 solutions\n",
        "2 4 1 3\n3 1 4 2\n2\n",
        "2413\n3142\n2\n",
        "1302\n2031\n",
        "['1', '3', '0', '2']\n['2', '0', '3', '1']\n",
        "[[\"2\", \"4\", \"1\", \"3\"], [\"3\", \"1\", \"4\", \"2\"]]\n",
        "4 | . Q . . |\n3 | . . . Q |\n2 | Q . . . |\n1 | . . Q . |\n   a b c d\n\n\
         4 | . . Q . |\n3 | Q . . . |\n2 | . . . Q |\n1 | . Q . . |\n   a b c d\n",
        "1  .Q..  1\n2  ...Q  2\n3  Q...  3\n4  ..Q.  4\n\n1  ..Q.\n2  Q...\n3  ...Q\n4  .Q..\n",
        "1 |   | Q |   |   |\n2 |   |   |   | Q |\n3 | Q |   |   |   |\n4 |   |   | Q |   |\n\n\
         1 |   |   | Q |   |\n2 | Q |   |   |   |\n3 |   |   |   | Q |\n4 |   | Q |   |   |\n",
        "b1 d2 a3 c4\nc1 a2 d3 b4\n",
        "[(0, 1), (1, 3), (2, 0), (3, 2)]\n[(0, 2), (1, 0), (2, 3), (3, 1)]\n",
        "[ {1,2} , {2,4} , {3,1} , {4,3} ]\n[ {1,3} , {2,1} , {3,4} , {4,2} ]\n",
        "\u{feff}. ♛ . .\n. . . ♕\nq . . .\n. . Q .\n\n. . * .\n* . . .\n. . . *\n. * . .\n",
    ] {
        assert_eq!(boards(text, 4), expected, "{text}");
    }
}

#[test]
fn base_of_columns_is_decided_by_all_lines() {
    let last_board = |text: &str| boards(text, 4).last().cloned();
    assert_eq!(boards("1 2 2 3\n1 3 0 2\n", 4), expected_boards(&[&[1, 2, 2, 3], SOLUTIONS[0]]));
    assert_eq!(boards("1 2 2 3\n2 4 1 3\n", 4), expected_boards(&[&[0, 1, 1, 2], SOLUTIONS[0]]));
    assert_eq!(boards("0 0 0 0\n1 2 2 3\n", 4), expected_boards(&[&[0, 0, 0, 0], &[1, 2, 2, 3]]));
    assert_eq!(boards("1123\n2413\n", 4), expected_boards(&[&[0, 0, 1, 2], SOLUTIONS[0]]));
    // A line before the boards may be an unrelated number, or the column labels of the board below.
    assert_eq!(boards("1123\n1 3 0 2\n", 4), expected_boards(&SOLUTIONS[..1]));
    let matrix = ". Q . .\n. . . Q\nQ . . .\n. . Q .\n";
    for before in ["1123\n", "0 1 2 3\n", "1 2 3 4\n", "4 4\n", "[4, 4]\n", "(4, 4)\n"] {
        assert_eq!(boards(&format!("{before}{matrix}"), 4), expected_boards(&SOLUTIONS[..1]), "{before}");
    }
    assert_eq!(boards("[9, 7]\n1 3 0 2\n2 0 3 1\n", 4), expected_boards(SOLUTIONS));
    assert_eq!(boards("0 1 2 3\n", 4), expected_boards(&[&[0, 1, 2, 3]]));
    assert_eq!(boards("0 0 0 0\n", 4), expected_boards(&[&[0, 0, 0, 0]]));
    assert_eq!(last_board("1 2 3 4\n2 4 1 3\n"), expected_boards(&SOLUTIONS[..1]).pop());
}

/// Each of these labels was once read as a part of the board, so that correct programs were called wrong.
#[test]
fn label_of_solution_is_not_part_of_board() {
    let grid = |queen: &str, empty: &str, between: &str| {
        let row =
            |column: &u32| (0..4).map(|at| if at == *column { queen } else { empty }).collect::<Vec<_>>();
        [0, 1].map(|board| {
            SOLUTIONS[board].iter().map(|column| row(column).join(between) + "\n").collect::<String>()
        })
    };
    let dashed_boards = ["1 - 3 - 0 - 2\n", "2 - 0 - 3 - 1\n"].map(str::to_owned);
    for [first, second] in [
        grid("Q", "0", " "),
        grid("*", "0", ""),
        grid("#", "0", ", "),
        grid("1", "0", ""),
        grid("1", "0", " "),
        grid("♛", ".", ", "),
        dashed_boards,
    ] {
        for label in ["N. ", "N: ", "Solution N: ", "- "] {
            let is_list = first.starts_with(|c: char| c.is_ascii_digit()) || first.contains(", ");
            if label == "- " && (!is_list || first.contains('-')) {
                continue;
            }
            let text = label.replace('N', "1") + &first + &label.replace('N', "2") + &second;
            assert_eq!(boards(&text, 4), expected_boards(SOLUTIONS), "{text}");
        }
    }
    assert_eq!(boards("Board size? 1: 2, 2: 4, 3: 1, 4: 3\n", 4), expected_boards(&SOLUTIONS[..1]));
    // The number of a row may stand on both of its sides.
    assert_eq!(
        boards("0 . Q . . 0\n1 . . . Q 1\n2 Q . . . 2\n3 . . Q . 3\n", 4),
        expected_boards(&SOLUTIONS[..1])
    );
}

#[test]
fn numbers_with_fractions_and_dashes_are_read() {
    for text in ["[1.0, 3.0, 0.0, 2.0]\n[2.0, 0.0, 3.0, 1.0]\n", "1-3-0-2\n2-0-3-1\n"] {
        assert_eq!(boards(text, 4), expected_boards(SOLUTIONS), "{text}");
    }
    for text in ["1.5 3.5 0.5 2.5\n", "1 -3 0 2\n"] {
        assert!(read(text.as_bytes(), 4, None).is_err() || boards(text, 4)[0].is_err(), "{text}");
    }
}

#[test]
fn column_numbers_that_include_n_start_at_1() {
    assert_eq!(boards("1 2 2 4\n", 4), expected_boards(&[&[0, 1, 1, 3]]));
}

#[test]
fn digit_boards_before_a_constant_column_are_read() {
    let text = "13524 7\n14253 7\n24135 7\n25314 7\n31425 7\n35241 7\n41352 7\n42531 7\n52413 7\n53142 7\n";
    assert_eq!(boards(text, 5).iter().filter(|board| board.is_ok()).count(), 10);
}

#[test]
fn short_word_after_boards_is_not_a_row() {
    let text = ".Q.. ...Q Q... ..Q.\n..Q. Q... ...Q .Q..\nQ.\n";
    assert_eq!(boards(text, 4), expected_boards(SOLUTIONS));
}

#[test]
fn fen_with_additional_row_is_malformed() {
    let read_boards = boards("1Q2/3Q/Q3/2Q1\n2Q1/Q3/3Q/1Q2\n1Q2/3Q/Q3/2Q1/Q3\n", 4);
    assert!(read_boards.len() > 2 && read_boards.iter().any(Result::is_err), "{read_boards:?}");
}

#[test]
fn single_symbol_is_read_as_one_square_board() {
    for text in ["Q\n", "| Q |\n", "+---+\n| ♛ |\n+---+\n"] {
        assert_eq!(boards(text, 1), expected_boards(&[&[0]]), "{text}");
    }
}

#[test]
fn boards_are_read_up_to_1024_queens() {
    let columns: Vec<u32> = (0..512).map(|row| 2 * row + 1).chain((0..512).map(|row| 2 * row)).collect();
    let text = columns.iter().map(u32::to_string).collect::<Vec<_>>().join(" ") + "\n";
    let read_size = |n| read_with_summary(text.as_bytes(), n, Some(Notation::Columns));
    let (boards, _) = read_size(1024).expect("the size fits");
    assert_eq!(boards[0].board, ParsedBoard::Placement(Placement::new(&columns)));
    assert!(read_size(1025).is_err());
}

#[test]
fn board_behind_prompt_is_read() {
    for text in ["Solución 1 = 1 -> 1\n\nDone.\n", "Solution 1 = 0 => 0\n"] {
        assert_eq!(boards(text, 1), expected_boards(&[&[0]]), "{text}");
    }
    for prompt in ["Board size: ", "How many queens? ", "queens> "] {
        assert_eq!(
            boards(&format!("{prompt}.Q..\n...Q\nQ...\n..Q.\n"), 4),
            expected_boards(&SOLUTIONS[..1]),
            "{prompt}"
        );
    }
}

#[test]
fn incomplete_board_does_not_continue_in_next_board() {
    let board = ". Q . .\n. . . Q\nQ . . .\n. . Q .\n";
    let expected = [fault("3 rows instead of 4"), expected_boards(&SOLUTIONS[..1])].concat();
    for separator in ["\n", "-----------\n", "=====\n"] {
        assert_eq!(boards(&format!("{}{separator}{board}", &board[8..]), 4), expected, "{separator}");
    }
    assert_eq!(boards("[[.Q.., ...Q, Q...], [.Q.., ...Q, Q..., ..Q.]]\n", 4), expected);
    assert_eq!(boards("[[.Q..], [.Q.., ...Q, Q..., ..Q.]]\n", 4)[1..], expected_boards(&SOLUTIONS[..1]));
}

#[test]
fn squares_on_consecutive_lines_are_one_board() {
    let lines = |squares: &str| squares.replace(' ', "\n");
    assert_eq!(boards(&lines("b1 d2 a3 c4 c1 a2 d3 b4"), 4), expected_boards(SOLUTIONS));
    assert_eq!(boards(&lines("Board: b1 d2 a3 c4  c4 a1 d2 b3 "), 4)[..1], expected_boards(&SOLUTIONS[..1]));
    assert_eq!(
        boards("B1\r\nD2\r\nA3\r\nC4\r\n\r\nD3\r\nB4\r\nC1\r\nA2\r\n2 solutions\r\n", 4),
        expected_boards(SOLUTIONS)
    );
    assert_eq!(
        boards(&lines("(0,1) (1,3) (2,0) (3,2)  (0,2) (1,0) (2,3) (3,1)"), 4),
        expected_boards(SOLUTIONS)
    );
    assert_eq!(boards(&lines("1:(1,2) 2:(2,4) 3:(3,1) 4:(4,3)"), 4), expected_boards(&SOLUTIONS[..1]));
    // A board with too few squares is malformed. Two squares alone are prose.
    assert_eq!(
        boards(&lines("b1 d2 a3  c1 a2 d3 b4"), 4),
        [fault("3 queens instead of 4"), expected_boards(&SOLUTIONS[1..])].concat()
    );
    assert_eq!(boards(&lines("b1 d2 a3 c4  c1 a2 e3 b4"), 4).len(), 2);
    assert!(matches!(read(lines("b1 d2").as_bytes(), 4, None), Err(ReadError::NoBoard { line: 1, .. })));
    assert_eq!(boards("a1\nb2\n1 3 0 2\nc3\nd4\n", 4), expected_boards(&SOLUTIONS[..1]));
}

#[test]
fn lines_with_names_of_squares_are_not_boards() {
    assert_eq!(boards("n4\nx1 y2\n1 3 0 2\n", 4), expected_boards(&SOLUTIONS[..1]));
}

#[test]
fn lines_of_boards_are_counted_from_1() {
    let lines = |text: &str| -> Vec<u64> {
        read(text.as_bytes(), 4, None).expect("boards").iter().map(|board| board.line).collect()
    };
    assert_eq!(lines("1 3 0 2\n\n2 0 3 1\n"), [1, 3]);
    assert_eq!(lines("[[1,3,0,2],\n [2,0,3,1]]\n"), [1, 2]);
}

#[test]
fn endless_line_is_an_error_in_bounded_memory() {
    let endless = io::BufReader::new(io::Read::take(io::repeat(b'.'), 1 << 24));
    let (boards, summary) = read_with_summary(endless, 8, None).expect("a supported notation");
    assert!(boards.is_empty() && matches!(summary.end, Err(ReadError::TooLong { line: 1, .. })));
}

/// An input that repeats a line without end.
struct EndlessTrace;

impl io::Read for EndlessTrace {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let line = format!("{:1023}\n", "still searching");
        let lines = buffer.chunks_exact_mut(line.len());
        Ok(lines.map(|chunk| chunk.copy_from_slice(line.as_bytes())).count() * line.len())
    }
}

#[test]
fn endless_trace_is_an_error_in_bounded_memory() {
    let trace = io::BufReader::with_capacity(1 << 16, EndlessTrace);
    let (boards, summary) = read_with_summary(trace, 8, None).expect("a supported notation");
    assert!(boards.is_empty() && matches!(summary.end, Err(ReadError::Endless(_))));
}

fn text_of(notation: Notation, n: usize, boards: &[Vec<u32>]) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), notation, n).expect("the size fits");
    for columns in boards {
        writer.solution(columns).expect("written to memory");
    }
    writer.finish().expect("written to memory")
}

fn placements(boards: Vec<Parsed>) -> Vec<ParsedBoard> {
    boards.into_iter().map(|parsed| parsed.board).collect()
}

proptest! {
    #[test]
    fn written_boards_are_read_back(
        n in 2..=20_usize,
        seeds in proptest::collection::vec(any::<u64>(), 1..4),
    ) {
        let boards: Vec<Vec<u32>> = seeds.iter().map(|&seed| permutation(n, seed)).collect();
        let expected: Vec<ParsedBoard> = boards.iter().map(|columns| ParsedBoard::Placement(Placement::new(columns))).collect();
        for notation in Notation::ALL {
            if !notation.is_readable() || n > notation.max_size() {
                continue;
            }
            let text = text_of(notation, n, &boards);
            let boards_with_notation = read(&text, n, Some(notation)).expect("boards");
            prop_assert_eq!(&placements(boards_with_notation), &expected, "{} given", notation);
            // On small boards, numbers can be read in several ways. Consecutive numbers may be column labels.
            let is_consecutive = |columns: &Vec<u32>| columns.is_sorted() || columns.iter().rev().is_sorted();
            if n > 4 && !boards.iter().any(is_consecutive) {
                let boards_by_detection = read(&text, n, None).unwrap_or_else(|error| panic!("{notation}: {text:?}: {error}"));
                prop_assert_eq!(&placements(boards_by_detection), &expected, "{} detected", notation);
            }
        }
    }

    #[test]
    fn random_bytes_cause_no_panic(
        text in proptest::collection::vec(any::<u8>(), 0..400),
        n in 1..6_usize,
    ) {
        check_all_notations(&text, n)?;
    }

    #[test]
    fn random_symbols_of_boards_cause_no_panic(
        text in "([0-5Q.*_|+,()'v \n-]|\\[|\\]|♛|│){0,120}",
        n in 1..6_usize,
    ) {
        check_all_notations(text.as_bytes(), n)?;
    }
}

/// Reads a text in every notation, and checks the placements.
fn check_all_notations(text: &[u8], n: usize) -> Result<(), TestCaseError> {
    for notation in [None].into_iter().chain(Notation::ALL.map(Some)) {
        let Ok((boards, _)) = read_with_summary(text, n, notation) else { continue };
        for board in boards {
            if let ParsedBoard::Placement(placement) = board.board {
                prop_assert_eq!(placement.size(), n);
                prop_assert!(placement.columns().iter().all(|&column| (column as usize) < n));
            }
        }
    }
    Ok(())
}

/// A random permutation.
fn permutation(n: usize, seed: u64) -> Vec<u32> {
    let mut columns: Vec<u32> = (0..n as u32).collect();
    fastrand::Rng::with_seed(seed).shuffle(&mut columns);
    columns
}

#[test]
fn long_trace_does_not_decide_the_notation() {
    let trace = "2 1 4 3\n".repeat(20_000) + "1 3 0 2\n";
    let (boards, summary) = read_with_summary(trace.as_bytes(), 4, None).expect("a supported notation");
    assert_eq!((boards.len(), summary.notation), (20_001, Some(Notation::Columns)));
}
