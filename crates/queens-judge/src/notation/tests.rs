use std::io;
use std::ops::ControlFlow;

use proptest::prelude::*;

use super::*;
use queens_board::problem::Problem;
use queens_board::{BoardSize, Placement, Square};

fn queens(n: usize) -> Problem {
    Problem::queens(BoardSize::large(n).expect("a board size"))
}

/// The boards of a text, and what else it shows.
fn shown(
    text: impl io::BufRead,
    n: usize,
    notation: Option<Notation>,
) -> Result<(Vec<Parsed>, Shown), NotationError> {
    let mut boards = Vec::new();
    let each = &mut |found| {
        boards.push(found);
        ControlFlow::Continue(())
    };
    let shown = super::read(text, &queens(n), notation, false, each)?;
    Ok((boards, shown))
}

fn read(text: &[u8], n: usize, notation: Option<Notation>) -> Result<Vec<Parsed>, ReadError> {
    let (boards, shown) = shown(text, n, notation).expect("readable");
    shown.end.map(|()| boards)
}

/// The columns of each board; a malformed board is its fault.
fn boards(text: &str, n: usize) -> Vec<Result<Vec<u32>, String>> {
    let columns = |found: Parsed| match found.board {
        ParsedBoard::Placement(placement) => Ok(placement.columns().to_vec()),
        ParsedBoard::Malformed { fault, .. } => Err(fault),
    };
    read(text.as_bytes(), n, None).expect(text).into_iter().map(columns).collect()
}

fn error(text: &str, n: usize) -> String {
    read(text.as_bytes(), n, None).expect_err(text).to_string()
}

fn good(boards: &[&[u32]]) -> Vec<Result<Vec<u32>, String>> {
    boards.iter().map(|columns| Ok(columns.to_vec())).collect()
}

fn fault(text: &str) -> Vec<Result<Vec<u32>, String>> {
    vec![Err(text.to_owned())]
}

const BOTH: &[&[u32]] = &[&[1, 3, 0, 2], &[2, 0, 3, 1]];

#[test]
fn java_lists_and_ruby_matrices_are_read() {
    assert_eq!(boards("[[.Q.., ...Q, Q..., ..Q.], [..Q., Q..., ...Q, .Q..]]\n", 4), good(BOTH));
    let ruby = "_ Q _ _ \n_ _ _ Q \nQ _ _ _ \n_ _ Q _ \n\n_ _ Q _ \nQ _ _ _ \n_ _ _ Q \n_ Q _ _ \n\n";
    assert_eq!(boards(ruby, 4), good(BOTH));
    assert_eq!(boards(&ruby.replace('\n', "\r\n"), 4), good(BOTH));
}

#[test]
fn a_count_a_time_and_a_heading_are_no_boards() {
    let text = "2\n0.000107 time was taken(in miliseconds)\nOut Of 2 solutions one is following\n\
                . . Q . \nQ . . . \n. . . Q \n. Q . . \n";
    assert_eq!(boards(text, 4), good(&[&[2, 0, 3, 1]]));
    assert_eq!(
        boards("\n\n 0  0  1  0 \n 1  0  0  0 \n 0  0  0  1 \n 0  1  0  0 \n", 4),
        good(&[&[2, 0, 3, 1]])
    );
}

#[test]
fn rows_between_which_something_is_said_are_one_board() {
    let board =
        |rows: [&str; 4]| format!("-------------\n{}", rows.map(|row| format!("Hello\n{row}\t\n")).concat());
    let text = board(["*\tQ\t*\t*", "*\t*\t*\tQ", "Q\t*\t*\t*", "*\t*\tQ\t*"])
        + &board(["*\t*\tQ\t*", "Q\t*\t*\t*", "*\t*\t*\tQ", "*\tQ\t*\t*"]);
    assert_eq!(boards(&text, 4), good(BOTH));
}

#[test]
fn pretty_printed_lists_are_read() {
    let expected = good(BOTH);
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
fn framed_boards_with_blank_cells_are_read() {
    let plus = "+---+---+---+---+\n|   | Q |   |   |\n+---+---+---+---+\n|   |   |   | Q |\n+---+---+---+---+\n\
                | Q |   |   |   |\n+---+---+---+---+\n|   |   | Q |   |\n+---+---+---+---+\n";
    assert_eq!(boards(plus, 4), good(&BOTH[..1]));
    assert_eq!(boards(&plus.replace('+', "-"), 4), good(&BOTH[..1]));
    assert_eq!(boards(&plus.replace('|', "│").replace('Q', "♛"), 4), good(&BOTH[..1]));
    assert_eq!(boards(&plus.replace(" Q |   |   |\n", "   |   |   |\n"), 4), fault("row 0 has no queen"));
}

#[test]
fn text_without_a_board_names_the_line_that_comes_nearest_to_one() {
    let nearest = |text: &str, n: usize| match read(text.as_bytes(), n, None) {
        Err(ReadError::NoBoard { line, text, .. }) => (line, text),
        other => panic!("{text}: {other:?}"),
    };
    let at = |line, text: &str| (line, text.to_owned());
    assert_eq!(nearest("\nHello\n92\n", 8), at(3, "'92'"));
    assert_eq!(nearest("Hello\nbye\n", 8), at(1, "'Hello'"));
    assert_eq!(nearest("Hello\nthe answer is 1 3 foo 0\nbye\n", 4), at(2, "'the answer is 1 3 foo 0'"));
    assert_eq!(nearest("n = 8\n1 2\n1 2 3 9 20 71\n3 2\n", 8), at(3, "'1 2 3 9 20 71'"));
    assert_eq!(nearest("n = 6\n1 3 0 2\n2 0 3 1\n", 6), at(2, "4 columns instead of 6"));
    assert_eq!(nearest("Hello\n. Q .\n. . Q\n", 6), at(2, "row 0 has 3 cells instead of 6"));
    for text in ["------\n", "0.5 ms\n", "\u{0}\u{1}", "1.5 2.5 3.5 0\n", "(took 0.000 s)\n", "2\n"] {
        assert_eq!(nearest(text, 4).0, 1, "{text}");
    }
    assert_eq!(
        error("Hello\n", 4),
        "line 1: 'Hello': no board of side 4, and this is the line that comes nearest: check n, or give --notation"
    );
    // Boards side by side, or with an empty line after each row, are none.
    let rows = [". Q . .", ". . . Q", "Q . . .", ". . Q ."];
    assert_eq!(
        nearest(&rows.map(|row| format!("{row}   {row}\n")).concat(), 4).1,
        "row 0 has 8 cells instead of 4"
    );
    assert_eq!(nearest(&(rows.join("\n\n") + "\n"), 4).1, "1 row instead of 4");
    assert_eq!(nearest("1 3 0 2   2 0 3 1\n", 4).1, "8 columns instead of 4");
    for text in ["", "\n \n"] {
        assert_eq!(boards(text, 4), [], "{text}");
    }
}

#[test]
fn ambiguous_text_names_the_notations() {
    assert_eq!(
        error("0 1\n1 0\n", 2),
        "line 1: '0 1' may be columns or binary or pairs: give --notation columns or --notation binary or --notation \
         pairs"
    );
    // The only queen, or a count.
    assert!(error("0\n", 1).starts_with("line 1: '0': no board of side 1"), "{}", error("0\n", 1));
    assert!(error("1 2 2 3\n", 4).contains("columns or columns1"));
    assert_eq!(boards("[0]\n", 1), good(&[&[0]]));
    assert_eq!(boards("[1]\n", 1), good(&[&[0]]));
    let refused = |n, notation| shown(&b""[..], n, notation).expect_err("refused").to_string();
    assert_eq!(refused(4, Some(Notation::Svg)), "notation svg can be written but not read: choose another");
    assert!(shown(&b""[..], BoardSize::MAX, None).is_ok());
    for n in [0, BoardSize::MAX + 1] {
        assert!(refused(n, None).starts_with("boards are read from n = 1 to n = 1024"), "{n}");
    }
    assert_eq!(
        refused(12, Some(Notation::Digits)),
        "notation digits: n = 12 exceeds its limit (9): choose columns1"
    );
    assert_eq!(
        "matrx".parse::<Notation>().expect_err("refused").to_string(),
        "unknown notation 'matrx': choose one of columns, columns1, digits, matrix, binary, list, \
         underscore, stars, json, dimacs, unicode, svg, digits0, squares, pairs, fen"
    );
}

/// The first line has the prompt of a program that reads n, or any other words.
#[test]
fn a_line_of_prose_that_ends_in_a_board_is_that_board() {
    for prompt in [
        "Board size? ",
        "How many queens? ",
        "> ",
        "Enter n: ",
        "n ",
        "Size (4-8): ",
        "Solution 1 ",
        "Press 4 ",
        "a. ",
    ] {
        for text in [
            "1 3 0 2\n2 0 3 1\n",
            "[1, 3, 0, 2]\n[2, 0, 3, 1]\n",
            "2413\n3142\n",
            "0 1 0 0\n0 0 0 1\n1 0 0 0\n0 0 1 0\n\n0 0 1 0\n1 0 0 0\n0 0 0 1\n0 1 0 0\n",
            ". Q . .\n. . . Q\nQ . . .\n. . Q .\n\n. . Q .\nQ . . .\n. . . Q\n. Q . .\n",
            ".Q..\n...Q\nQ...\n..Q.\n\n..Q.\nQ...\n...Q\n.Q..\n",
            "| |Q| | |\n| | | |Q|\n|Q| | | |\n| | |Q| |\n\n| | |Q| |\n|Q| | | |\n| | | |Q|\n| |Q| | |\n",
            "b1 d2 a3 c4\nc1 a2 d3 b4\n",
            "(0, 1)\n(1, 3)\n(2, 0)\n(3, 2)\n\n(0, 2)\n(1, 0)\n(2, 3)\n(3, 1)\n",
        ] {
            assert_eq!(boards(&format!("{prompt}{text}"), 4), good(BOTH), "{prompt}{text}");
        }
    }
}

#[test]
fn boards_in_prose_are_read_by_the_words_in_which_there_was_a_solution() {
    let sentence = |columns: &str| format!("Solution 1: the queens stand in columns {columns}.\n");
    let both = sentence("1, 3, 0, 2") + &sentence("2, 0, 3, 1");
    assert_eq!(boards(&both, 4), good(BOTH));
    assert_eq!(boards(&format!("{}{both}", sentence("1, 3, 1, 2")), 4)[1..], good(BOTH));
    assert_eq!(
        boards(&(both.clone() + &sentence("1, 3, 1, 4")), 4)[2],
        fault("a queen outside the board, in row 3, column 4")[0]
    );
    // Other words may be a trace: such a line is no board, but it is not forgotten.
    let trace = format!("Trying 0 1 2 3\nTrying 0 2 1 3\n{both}1 2\n");
    let (found, rest) = shown(trace.as_bytes(), 4, None).expect("readable");
    assert_eq!((found.len(), rest.passed), (2, Some((2, "Trying 0 2 1 3".to_owned()))));
}

#[test]
fn later_lines_settle_what_a_first_line_leaves_open() {
    let settled = |text: &str| boards(text, 4).last().cloned();
    assert_eq!(boards("1 2 2 3\n1 3 0 2\n", 4), good(&[&[1, 2, 2, 3], BOTH[0]]));
    assert_eq!(boards("1 2 2 3\n2 4 1 3\n", 4), good(&[&[0, 1, 1, 2], BOTH[0]]));
    assert_eq!(boards("0 0 0 0\n1 2 2 3\n", 4), good(&[&[0, 0, 0, 0], &[1, 2, 2, 3]]));
    assert_eq!(boards("1123\n2413\n", 4), good(&[&[0, 0, 1, 2], BOTH[0]]));
    // A mere number, or the columns of the board below.
    assert_eq!(boards("1123\n1 3 0 2\n", 4), good(&BOTH[..1]));
    let matrix = ". Q . .\n. . . Q\nQ . . .\n. . Q .\n";
    for before in ["1123\n", "0 1 2 3\n", "1 2 3 4\n", "4 4\n", "[4, 4]\n", "(4, 4)\n"] {
        assert_eq!(boards(&format!("{before}{matrix}"), 4), good(&BOTH[..1]), "{before}");
    }
    assert_eq!(boards("[9, 7]\n1 3 0 2\n2 0 3 1\n", 4), good(BOTH));
    assert_eq!(boards("0 1 2 3\n", 4), good(&[&[0, 1, 2, 3]]));
    assert_eq!(boards("0 0 0 0\n", 4), good(&[&[0, 0, 0, 0]]));
    assert_eq!(settled("1 2 3 4\n2 4 1 3\n"), good(&BOTH[..1]).pop());
}

#[test]
fn numbers_of_rows_and_columns_are_passed_over() {
    for text in [
        "  0 1 2 3\n0 . Q . .\n1 . . . Q\n2 Q . . .\n3 . . Q .\n\n  0 1 2 3\n0 . . Q .\n1 Q . . .\n2 . . . Q\n3 . Q . .\n",
        "  0 1 2 3\n0 0 1 0 0\n1 0 0 0 1\n2 1 0 0 0\n3 0 0 1 0\n\n  0 1 2 3\n0 0 0 1 0\n1 1 0 0 0\n2 0 0 0 1\n3 0 1 0 0\n",
        "1 | . X . .\n2 | . . . X\n3 | X . . .\n4 | . . X .\n  1 2 3 4\n1 | . . X .\n2 | X . . .\n3 | . . . X\n4 | . X . .\n  1 2 3 4\n",
        "0|0|1|0|0|\n1|0|0|0|1|\n2|1|0|0|0|\n3|0|0|1|0|\n\n0|0|0|1|0|\n1|1|0|0|0|\n2|0|0|0|1|\n3|0|1|0|0|\n",
    ] {
        assert_eq!(boards(text, 4), good(BOTH), "{text}");
    }
    // A row without a queen is a row where it has its number before it.
    let text = "1 . Q . .\n2 . . . .\n3 Q . . .\n4 . . Q .\n1 . . Q .\n2 Q . . .\n3 . . . Q\n4 . Q . .\n";
    assert_eq!(boards(text, 4), [fault("row 1 has no queen"), good(&BOTH[1..])].concat());
}

#[test]
fn more_ways_of_writing_boards_are_read() {
    for text in [
        "1. 2 4 1 3\n2. 3 1 4 2\n",
        "Solution #1 -> 2,4,1,3\nSolution #2 -> 3,1,4,2\n",
        "1 -> 3 -> 0 -> 2\n2 -> 0 -> 3 -> 1\n",
        "{0: 1, 1: 3, 2: 0, 3: 2}\n{0: 2, 1: 0, 2: 3, 3: 1}\n",
        "[{\"row\":0,\"col\":1},{\"row\":1,\"col\":3},{\"row\":2,\"col\":0},{\"row\":3,\"col\":2}]\n\
         [{\"row\":0,\"col\":2},{\"row\":1,\"col\":0},{\"row\":2,\"col\":3},{\"row\":3,\"col\":1}]\n",
        "Queen 1: row 0, column 1\nQueen 2: row 1, column 3\nQueen 3: row 2, column 0\nQueen 4: row 3, column 2\n\n\
         Queen 1: row 0, column 2\nQueen 2: row 1, column 0\nQueen 3: row 2, column 3\nQueen 4: row 3, column 1\n",
        "0,1 1,3 2,0 3,2\n0,2 1,0 2,3 3,1\n",
        "0 1\n1 3\n2 0\n3 2\n\n0 2\n1 0\n2 3\n3 1\n",
        "1 -> 2, 2 -> 4, 3 -> 1, 4 -> 3\n1 -> 3, 2 -> 1, 3 -> 4, 4 -> 2\n",
        "[1. 3. 0. 2.]\n[2.0, 0.0, 3.0, 1.0]\n(took 0.000 s)\n",
        "[[0. 1. 0. 0.]\n [0. 0. 0. 1.]\n [1. 0. 0. 0.]\n [0. 0. 1. 0.]]\n[[0. 0. 1. 0.]\n [1. 0. 0. 0.]\n \
         [0. 0. 0. 1.]\n [0. 1. 0. 0.]]\n",
        "[False, True, False, False]\n[False, False, False, True]\n[True, False, False, False]\n[False, False, True, False]\n\n\
         [False, False, True, False]\n[True, False, False, False]\n[False, False, False, True]\n[False, True, False, False]\n",
        "Row 1 -> Column 2\nRow 2 -> Column 4\nRow 3 -> Column 1\nRow 4 -> Column 3\n\n\
         Row 1 -> Column 3\nRow 2 -> Column 1\nRow 3 -> Column 4\nRow 4 -> Column 2\n",
        "Place queen in row 0 at column 1\nPlace queen in row 1 at column 3\nPlace queen in row 2 at column 0\n\
         Place queen in row 3 at column 2\n\nPlace queen in row 0 at column 2\nPlace queen in row 1 at column 0\n\
         Place queen in row 2 at column 3\nPlace queen in row 3 at column 1\n",
        "Queen 1: column 1\nQueen 2: column 3\nQueen 3: column 0\nQueen 4: column 2\n\
         Queen 1: column 2\nQueen 2: column 0\nQueen 3: column 3\nQueen 4: column 1\n",
        "Qb1 Qd2 Qa3 Qc4\nQc1, Qa2, Qd3, Qb4\n",
        "⬜👑⬜⬜\n⬜⬜⬜👑\n👑⬜⬜⬜\n⬜⬜👑⬜\n\n⬛⬜👑⬜\n👑⬛⬜⬛\n⬛⬜⬛👑\n⬜👑⬜⬛\n",
        "E Q E E\nE E E Q\nQ E E E\nE E Q E\n\nOOQO\nQOOO\nOOOQ\nOQOO\n",
        "\u{1b}[31mQ1:\u{1b}[0m 1 3 0 2\n\u{1b}[1m2 0 3 1\u{1b}[0m\n",
        "{\"n\": 4, \"count\": 2, \"solutions\": [[1,3,0,2],[2,0,3,1]]}\n",
        "[\n  [\n    1,\n    3,\n    0,\n    2\n  ],\n  [\n    2,\n    0,\n    3,\n    1\n  ]\n]\n",
    ] {
        assert_eq!(boards(text, 4), good(BOTH), "{text}");
    }
}

/// Each was once read as a part of the board, so that right programs were called wrong.
#[test]
fn the_label_of_a_solution_is_no_part_of_its_first_line() {
    let grid = |queen: &str, empty: &str, between: &str| {
        let row =
            |column: &u32| (0..4).map(|at| if at == *column { queen } else { empty }).collect::<Vec<_>>();
        [0, 1].map(|board| {
            BOTH[board].iter().map(|column| row(column).join(between) + "\n").collect::<String>()
        })
    };
    let queens = |text: fn(usize, u32) -> String| {
        [0, 1].map(|board| {
            BOTH[board].iter().enumerate().map(|(row, &column)| text(row, column)).collect::<String>()
        })
    };
    let dashed = ["1 - 3 - 0 - 2\n", "2 - 0 - 3 - 1\n"].map(str::to_owned);
    for [first, second] in [
        grid("Q", "0", " "),
        grid("*", "0", ""),
        grid("#", "0", ", "),
        grid("1", "0", ""),
        grid("1", "0", " "),
        grid("♛", ".", ", "),
        queens(|row, column| format!("{row} {column}\n")),
        queens(|row, column| format!("{row}->{column}\n")),
        queens(|row, column| format!("Q{}: {}\n", row + 1, column + 1)),
        dashed,
    ] {
        for label in ["N. ", "N: ", "Solution N: ", "- "] {
            let is_list = first.starts_with(|c: char| c.is_ascii_digit()) || first.contains(", ");
            if label == "- " && (!is_list || first.contains('-')) {
                continue;
            }
            let text = label.replace('N', "1") + &first + &label.replace('N', "2") + &second;
            assert_eq!(boards(&text, 4), good(BOTH), "{text}");
        }
    }
    // A sign in front of a row is one of its cells.
    assert!(error("- * - -\n- - - *\n* x- - -\n- - * -\n", 4).contains("row 2 has 5 cells instead of 4"));
    assert_eq!(boards("Board size? 1: 2, 2: 4, 3: 1, 4: 3\n", 4), good(&BOTH[..1]));
    // The number of a row may stand on both of its sides.
    assert_eq!(boards("0 . Q . . 0\n1 . . . Q 1\n2 Q . . . 2\n3 . . Q . 3\n", 4), good(&BOTH[..1]));
}

/// Programs print a list of columns, and the same board as a matrix of zeros and ones.
#[test]
fn a_board_that_is_repeated_in_zeros_and_ones_is_no_other_board() {
    let bits = ["0 1 0 0\n0 0 0 1\n1 0 0 0\n0 0 1 0\n", "0010\n1000\n0001\n0100\n"];
    for both in [
        ["[1, 3, 0, 2]\n", "[2, 0, 3, 1]\n"],
        ["1302\n", "2031\n"],
        ["b1 d2 a3 c4\n", "c1 a2 d3 b4\n"],
        [". Q . .\n. . . Q\nQ . . .\n. . Q .\n", ". . Q .\nQ . . .\n. . . Q\n. Q . .\n"],
    ] {
        let text = format!("{}{}{}{}", both[0], bits[0], both[1], bits[1]);
        assert_eq!(boards(&text, 4), good(BOTH), "{text}");
        // Too few rows are none, and a wrong board is one.
        let text = format!("{}0 1 0 0\n0 0 0 1\n", both.concat());
        assert_ne!(boards(&text, 4), good(BOTH), "{text}");
        let text = format!("{}0 1 0 0\n0 0 0 1\n0 0 1 0\n1 0 0 0\n", both.concat());
        assert_eq!(boards(&text, 4)[2..], good(&[&[1, 3, 2, 0]]), "{text}");
    }
    let given = read(b"1 3 0 2\n0 1 0 0\n0 0 0 1\n1 0 0 0\n0 0 1 0\n", 4, Some(Notation::Columns));
    assert_eq!(given.expect("boards").len(), 5);
    let queens = "Queen 0 in column 1, Queen 1 in column 3, Queen 2 in column 0, Queen 3 in column 2\n";
    assert_eq!(boards(queens, 4), good(&BOTH[..1]));
}

#[test]
fn text_that_resembles_a_board_is_malformed() {
    let both = "1 3 0 2\n2 0 3 1\n";
    let listed = "[1, 3, 0, 2]\n[2, 0, 3, 1]\n";
    let matrix = ". Q . .\n. . . Q\nQ . . .\n. . Q .\n\n. . Q .\nQ . . .\n. . . Q\n. Q . .\n";
    let pairs = "(0,1) (1,3) (2,0) (3,2)\n(0,2) (1,0) (2,3) (3,1)\n";
    let squares = "b1 d2 a3 c4\nc1 a2 d3 b4\n";
    let models = "v 2 8 9 15 0\nv 3 5 12 14 0\n";
    for (text, extra) in [
        (both, "-1 3 0 2\n"),
        (both, "1 3 None 2\n"),
        (both, "0 2 4 1 3\n"),
        (both, "1 3 5 0 2 4\n"),
        (both, "0 4 7 5 2 6 1 3\n"),
        (both, "1 3 0\n"),
        (both, "2 4 1 3\n"),
        (listed, "[-1, 3, 0, 2]\n"),
        (listed, "[1, 3, None, 2]\n"),
        (listed, "Solution 3: [1, 3, null, 2]\n"),
        (listed, "[1, 3, x, 2]\n"),
        (listed, "[1.5, 3, 0, 2]\n"),
        ("2413\n3142\n", "13524\n"),
        ("2413\n3142\n", "24135\n"),
        (matrix, "\n. Q . .\n. . . Q\nQ . . .\n. . X .\n"),
        (matrix, "\n. Q . .\n. . . Q\nQ . . .\n. . ? .\n\n"),
        (matrix, "\n. Q .\n. . Q\nQ . .\n"),
        (matrix, "\n0 2 3 1\n"),
        (matrix, "\n[1, 3, None, 2]\n"),
        (pairs, "(1,2) (2,4) (3,1) (4,3)\n"),
        (pairs, "(0,1) (1,3) (2,None) (3,2)\n"),
        (pairs, "(0,1) (1,3) (2,0)\n"),
        (squares, "b1 d2 a3 c4 e5\n"),
        (models, "v 2 -2 8 9 15 0\n"),
        (models, "v 2 8 nine 15 0\n"),
    ] {
        let behind = boards(&format!("{text}{extra}"), 4);
        assert!(behind[..2] == good(BOTH) && behind.len() > 2, "{text}{extra}: {behind:?}");
        // Before the others it may decide what they are read as.
        let before = boards(&format!("{extra}\n{text}"), 4);
        assert!(before != good(BOTH), "{extra}{text}: {before:?}");
    }
    // A mark instead of a queen, and a model that contradicts itself.
    assert_eq!(
        boards(&matrix.replace("Q . . .\n. . Q .", "Q . . .\n. . X ."), 4)[0],
        fault("row 3 has no queen")[0]
    );
    assert_eq!(boards("v 2 -2 8 9 15 0\n", 4), fault("variable 2 is both true and false"));
}

#[test]
fn malformed_boards_are_reported_with_their_fault() {
    assert_eq!(boards(". Q . .\n. . . .\nQ . . .\n. . Q .\n", 4), fault("row 1 has no queen"));
    assert_eq!(boards(". Q . .\n. Q . Q\nQ . . .\n. . Q .\n", 4), fault("row 1 has several queens"));
    assert_eq!(boards("1 3 0 4\n", 4), fault("a queen outside the board, in row 3, column 4"));
    assert_eq!(boards("v 2 8 9\n", 4), fault("the model does not end in 0"));
    assert_eq!(boards("a1 b9 c2 d3\n", 4), fault("a queen outside the board, in row 8, column 1"));
    for (board, extra, misshapen) in [
        (". Q . .\n. . . Q\nQ . . .\n. . Q .\n\n", ". Q . .\n. . . Q\nQ . . .\n\n", "3 rows instead of 4"),
        (
            ". Q . .\n. . . Q\nQ . . .\n. . Q .\n",
            ". Q . . .\n. . . Q\nQ . . .\n. . Q .\n",
            "row 0 has 5 cells instead of 4",
        ),
        ("1 3 0 2\n", "1 3 0\n", "3 columns instead of 4"),
        ("[(0, 1), (1, 3), (2, 0), (3, 2)]\n", "[(0, 1), (1, 3), (2, 0)]\n", "3 squares instead of 4"),
    ] {
        assert_eq!(boards(&format!("{board}{extra}"), 4), [good(&BOTH[..1]), fault(misshapen)].concat());
    }
    let after_a_good_one = boards("1 3 0 2\n2 0 3\n0 4 1 3\n", 4);
    assert_eq!(after_a_good_one.iter().filter(|board| board.is_err()).count(), 2);
}

#[test]
fn a_short_board_does_not_swallow_the_next_one() {
    let whole = ". Q . .\n. . . Q\nQ . . .\n. . Q .\n";
    let expected = [fault("3 rows instead of 4"), good(&BOTH[..1])].concat();
    for part in ["\n", "-----------\n", "=====\n"] {
        assert_eq!(boards(&format!("{}{part}{whole}", &whole[8..]), 4), expected, "{part}");
    }
    assert_eq!(boards("[[.Q.., ...Q, Q...], [.Q.., ...Q, Q..., ..Q.]]\n", 4), expected);
    assert_eq!(boards("[[.Q..], [.Q.., ...Q, Q..., ..Q.]]\n", 4)[1..], good(&BOTH[..1]));
}

/// A number that cannot be a column is a hole, and so is what stands for a missing one.
#[test]
fn words_numbers_and_holes_are_told_apart() {
    use super::tokens::{Token, tokens};
    let [holes, words] = ["-1 1.5 -0.25 1e3 None NaN inf ? -", "2x x2 -x infinity"].map(tokens);
    assert!(holes.len() == 9 && holes.iter().all(|token| *token == Token::Hole), "{holes:?}");
    assert!(words.len() == 4 && words.iter().all(|token| matches!(token, Token::Word(_))), "{words:?}");
}

#[test]
fn a_square_a_line_is_read() {
    let lines = |squares: &str| squares.replace(' ', "\n");
    assert_eq!(boards(&lines("b1 d2 a3 c4 c1 a2 d3 b4"), 4), good(BOTH));
    assert_eq!(boards(&lines("Board: b1 d2 a3 c4  c4 a1 d2 b3 "), 4)[..1], good(&BOTH[..1]));
    assert_eq!(boards("B1\r\nD2\r\nA3\r\nC4\r\n\r\nD3\r\nB4\r\nC1\r\nA2\r\n2 solutions\r\n", 4), good(BOTH));
    assert_eq!(boards(&lines("(0,1) (1,3) (2,0) (3,2)  (0,2) (1,0) (2,3) (3,1)"), 4), good(BOTH));
    assert_eq!(boards(&lines("1:(1,2) 2:(2,4) 3:(3,1) 4:(4,3)"), 4), good(&BOTH[..1]));
    // A board too short is malformed where more than half of it is there, else prose.
    assert_eq!(
        boards(&lines("b1 d2 a3  c1 a2 d3 b4"), 4),
        [fault("3 squares instead of 4"), good(&BOTH[1..])].concat()
    );
    assert_eq!(boards(&lines("b1 d2 a3 c4  c1 a2 e3 b4"), 4).len(), 2);
    assert_eq!(boards(&lines("b1 d2 a3 a3"), 4), fault("row 2 has several queens"));
    assert!(error(&lines("b1 d2"), 4).contains("no board of side 4"));
    assert_eq!(boards("a1\nb2\n1 3 0 2\nc3\nd4\n", 4), good(&BOTH[..1]));
}

#[test]
fn a_word_that_looks_like_a_square_is_no_board() {
    assert_eq!(boards("n4\nx1 y2\n1 3 0 2\n", 4), good(&BOTH[..1]));
}

#[test]
fn a_malformed_board_keeps_its_queens_and_its_line() {
    let found = read(b"Hello\n. Q . .\n. Q . Q\n. . . .\n. . Q .\n", 4, None).expect("a board").remove(0);
    assert_eq!(found.line, 2);
    let ParsedBoard::Malformed { queens, .. } = found.board else { panic!("two queens in a row") };
    let squares = [(0, 1), (1, 1), (1, 3), (3, 2)].map(|(row, column)| Square { row, column });
    assert_eq!(queens, squares);
}

#[test]
fn the_lines_of_boards_count_from_1() {
    let lines = |text: &str| -> Vec<u64> {
        read(text.as_bytes(), 4, None).expect("boards").iter().map(|found| found.line).collect()
    };
    assert_eq!(lines("1 3 0 2\n\n2 0 3 1\n"), [1, 3]);
    assert_eq!(lines("[[1,3,0,2],\n [2,0,3,1]]\n"), [1, 2]);
}

#[test]
fn an_endless_line_is_an_error_in_bounded_memory() {
    let endless = io::BufReader::new(io::Read::take(io::repeat(b'.'), 1 << 24));
    let (found, rest) = shown(endless, 8, None).expect("readable");
    assert!(found.is_empty() && matches!(rest.end, Err(ReadError::TooLong { line: 1, .. })));
}

fn written(notation: Notation, n: usize, boards: &[Vec<u32>]) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), notation, n).expect("the size fits");
    for columns in boards {
        writer.solution(columns).expect("written to memory");
    }
    writer.finish().expect("written to memory")
}

fn placements(found: Vec<Parsed>) -> Vec<ParsedBoard> {
    found.into_iter().map(|found| found.board).collect()
}

proptest! {
    #[test]
    fn written_boards_are_read_back(
        n in 1..=20_usize,
        seeds in proptest::collection::vec(any::<u64>(), 1..4),
    ) {
        let boards: Vec<Vec<u32>> = seeds.iter().map(|&seed| permutation(n, seed)).collect();
        let expected: Vec<ParsedBoard> = boards.iter().map(|columns| ParsedBoard::Placement(Placement::new(columns))).collect();
        for notation in Notation::ALL {
            if !notation.is_readable() || n > notation.max_size() {
                continue;
            }
            let text = written(notation, n, &boards);
            let given = read(&text, n, Some(notation)).expect("boards");
            prop_assert_eq!(&placements(given), &expected, "{} given", notation);
            // Numbers can be read in several ways at 1 and 2, and a lone number that counts up or down is no board.
            let count = |columns: &Vec<u32>| columns.is_sorted() || columns.iter().rev().is_sorted();
            if n > 4 && !boards.iter().any(count) {
                let detected = read(&text, n, None).unwrap_or_else(|error| panic!("{notation}: {text:?}: {error}"));
                prop_assert_eq!(&placements(detected), &expected, "{} detected", notation);
            }
        }
    }

    #[test]
    fn no_bytes_make_the_reader_panic(
        text in proptest::collection::vec(any::<u8>(), 0..400),
        n in 1..6_usize,
    ) {
        survives(&text, n)?;
    }

    #[test]
    fn no_text_of_its_own_alphabet_makes_the_reader_panic(
        text in "([0-5Q.*_|+,()'v \n-]|\\[|\\]|♛|│){0,120}",
        n in 1..6_usize,
    ) {
        survives(text.as_bytes(), n)?;
    }
}

fn survives(text: &[u8], n: usize) -> Result<(), TestCaseError> {
    for notation in [None].into_iter().chain(Notation::ALL.map(Some)) {
        let Ok((found, _)) = shown(text, n, notation) else { continue };
        for found in found {
            if let ParsedBoard::Placement(placement) = found.board {
                prop_assert_eq!(placement.size(), n);
                prop_assert!(placement.columns().iter().all(|&column| (column as usize) < n));
            }
        }
    }
    Ok(())
}

fn permutation(n: usize, seed: u64) -> Vec<u32> {
    let mut columns: Vec<u32> = (0..n as u32).collect();
    fastrand::Rng::with_seed(seed).shuffle(&mut columns);
    columns
}

/// What the reader makes of a text: its boards with their lines, and why it stopped.
fn reading(text: &str, n: usize) -> String {
    let (boards, shown) = shown(text.as_bytes(), n, None).expect("readable");
    let mut reading = format!("n = {n}: {text:?}\n");
    for found in boards {
        let open = if found.open { ", at the end" } else { "" };
        let board = match found.board {
            ParsedBoard::Placement(placement) => format!("{:?}", placement.columns()),
            ParsedBoard::Malformed { queens, fault, .. } => {
                format!("{fault}; queens: {}", queens.len())
            }
        };
        reading += &format!("  line {}{open}: {board}\n", found.line);
    }
    let notation = shown.notation.map_or("", Notation::name);
    shown.passed.iter().for_each(|(line, text)| reading += &format!("  prose in line {line}: {text}\n"));
    reading + &shown.end.map_or_else(|error| format!("  {error}\n"), |()| format!("  {notation}\n"))
}

/// Texts that are nearly boards, and boards next to others. After an intended change, look at the difference;
/// `INSTA_UPDATE=always cargo test -p queens-judge` updates the snapshot.
#[test]
fn near_misses_and_mixtures_are_read_as_they_were() {
    let texts = [
        (4, "Trying ?; ?; 0; 3; 2\n"),
        (4, "0 0 1\n"),
        (4, "1 - x - x - x\n"),
        (4, "1 - 3\n"),
        (3, "1 -\n"),
        (4, "0 -> 3\n1 - 1\n2 -> 4\n3 -> 2\n"),
        (5, "1: 3 2: 0 3: 4 4: 1 5: 2\n\n0: 1 1: 4"),
        (5, "1: 0 2: 3 3: 1"),
        (6, ".....Q\n...Q..\nQ.....\n....Q.\n..Q...\n......\n"),
        (5, "Trying [1, 4, 2, 5"),
        (6, "x [0 0 1 3\n"),
        (4, "> 1: 17 2: 2, 3: 4, 4: 3\n"),
        (4, "1: 2, 2: 4, 3: 3, 4: 16\n"),
        (4, "[1] v 2 8"),
        (4, "v 2"),
        (4, "11\nc2\na3\nd4\n"),
        (5, "314\n"),
        (5, "b1 c2 a3\n"),
        (4, "0100\n0001\n1000\n00101\n"),
        (6, "010000\n000100\n000001\n100000\n001000\n0010010\n"),
        (4, "b1\nd2\na3\nc4\n\nb1\n d2, a3, c4\n\n"),
        (5, "a1\nd2\nb3\ne4\nc5\n=====\nb1\nc2 c3\nb4\nc5\n---\n"),
        (4, "0 1 0 0\n0 0 0 1\n. 0 0 0\n0 0 1 0\n---\n. . Q .\n. Q . .\n. . . Q\nQ . . .\n"),
        (4, ". . Q .\nQ . . .\n. . . Q\n. Q . .\n----\nb1, d2, a3, c4\n\n"),
        (
            5,
            ". Q . . .\n. . . Q .\nQ . . . .\n. . Q . .\n. . . . Q\n\n1 0 0 0 0\n0 1 0 0 0\n0 0 0 1 0\n0 0 1 00\n0 0 0 0 1\n",
        ),
        (5, "| Q"),
        (4, "Place |   |    Q |   |\n| Q |   |   |   |\n|   |   |   | Q |\n|   | Q |   |   |\n"),
        (4, "1234\n\n"),
        (4, "- 24132413\n"),
        (4, "3120\n\n2413\n"),
        (4, "1 ----\n2 -Q--\n3 ---Q\n4 Q---\n"),
        (4, "10 | 0 0 1 0\n11 | 1 0 0 0\n12 | 0 0 0 1\n13 | 0 1 0 0\n"),
        (4, "#1 0 0 1 0\n1 0 0 0\n0 0 0 1\n0 1 0 0\n"),
        (4, ".Q..\n..Q.\n...Q\n...Q\n\n| | Q |\nQ ) | |\n| Q |  |\n\n"),
        (4, "----"),
        (4, "-1\n> N[2,"),
        (4, "Solution 6: 3-1-4-2\nx = (1,"),
        (4, "a1?b2 c3 d4\n"),
        (4, "0.5\nc1?a2 d3 b4\n"),
        (4, "-> 3142\n"),
        (8, "253[76401\n"),
        (4, "1 -3 - 0 -2\n"),
        (5, "[-, 1, -, 3, -]\n"),
        (6, "[1, 2, -, -, -]\n"),
        (6, "1 2 3 - - -\n"),
        (4, "2031!\n"),
        (4, "0 Q 1 3\n"),
        (4, "1 x3 b4 2\n"),
        (4, ". Q . .\n. . . QQ\nQ . . .\n. . Q .\n"),
        (4, "> ab1 d2 a3 c4\n"),
        (4, "3 1 4 2\nmoved to 0,2 1,4 2,1 3,3\n"),
        (4, "v -1 2 -3 -4 -5 16 -7 8 9 -10 -11 -12 -13 -14 15 -16\n"),
        (4, "v 1 2 4 16 -16 0\n"),
        (4, "  0 1 2 3\n0 0 1 0 0\n1 0 0 0 1\n2 1 0 0 0\n3 0 0 1 0\n"),
        (4, "  0 1 2 3\n0 0 0 1 0\n1 1 0 0 0\n2 0 0 0\n3 0 1 0 0\n"),
        (4, "  1 2 3 4\n4 0 0 1 0\n3 1 0 0 0\n2 0 0 0 1\n1 0 1 0 0\n"),
        (4, "  1 2 3 4\n3 0 0 1 0\n2 1 0 0 0\n1 0 0 0 1\n0 0 1 0 0\n"),
        (4, "  1 2 3 4\n1 0 0 1 0\n2 1 0 0 0\n3 0 0 0 1\n4 0 1 0 0\n"),
        (4, "-1 2 -3 -4 -5 -6 7 -8 -9 10 -11 -12 -13 -14 15 -16\n- - - *\n* - - -\n- - * -\n- * - -\n"),
        (4, "2100\n1 1\n3 4\n2 2\n3 4\nHello\n4 3\n"),
        (2, ". Q\nQ .\n10\n01\n"),
        (2, "1 2 2 3\n"),
        (1, "Board: Q\n"),
        (1, "xQ\n"),
        (1, "Row 11: a1\n"),
        (3, "1 0\n"),
        (1, "1 3 0\n[1]\n"),
        (1, "0: 1\n"),
    ];
    insta::assert_snapshot!("readings", texts.map(|(n, text)| reading(text, n)).concat());
}

#[test]
fn the_first_solution_decides_if_only_one_is_wanted() {
    let reading = |text: &str, first_only| {
        let mut boards = Vec::new();
        let each = &mut |found: Parsed| {
            boards.push(found.board);
            if first_only { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let shown = super::read(text.as_bytes(), &queens(4), None, first_only, each).expect("readable");
        (shown.notation, boards.len(), shown.end.map_err(|error| error.to_string()))
    };
    let text = "[2, 4, 1, 3], 1, 3, 0, 2\n";
    assert_eq!(reading(text, true), (Some(Notation::Columns1), 1, Ok(())));
    assert!(reading(text, false).2.is_err_and(|error| error.contains("may be columns or columns1")));
    // What follows is not read.
    let (boards, shown) = {
        let text = io::Read::chain(&b"1 3 0 2\n"[..], io::repeat(b'x'));
        let mut boards = 0;
        let each = &mut |_| {
            boards += 1;
            ControlFlow::Break(())
        };
        let shown = super::read(io::BufReader::new(text), &queens(4), None, true, each);
        (boards, shown.expect("readable"))
    };
    assert!(boards == 1 && shown.end.is_ok(), "{shown:?}");
    // Without a solution all of it decides.
    assert!(reading("0 0 1\n", true).2.is_err_and(|error| error.contains("row 0 has 3 cells instead of 4")));
    assert!(reading("|   | Q", true).2.is_err_and(|error| error.contains("row 0 has 2 cells instead of 4")));
}

#[test]
fn a_trace_of_the_search_does_not_decide_on_the_notation() {
    let trace = "2 1 4 3\n".repeat(20_000) + "1 3 0 2\n";
    let (boards, shown) = shown(trace.as_bytes(), 4, None).expect("readable");
    assert_eq!((boards.len(), shown.notation), (20_001, Some(Notation::Columns)));
}

#[test]
fn numbers_among_boards_of_another_notation_are_a_board_unless_the_notation_is_given() {
    let text = ". Q . .\n. . . Q\nQ . . .\n. . Q .\n\n1, 3, 1, 2\n";
    let number = |notation| read(text.as_bytes(), 4, notation).expect("readable").len();
    assert_eq!((number(None), number(Some(Notation::Matrix))), (2, 1));
}
