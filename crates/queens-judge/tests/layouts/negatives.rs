//! Texts without boards, or with boards that are not solutions. None may be called correct. Only texts that are understood may be
//! called wrong.

use fastrand::Rng;
use queens_judge::AnswerKind;

use super::boards::solutions;
use super::judged::{Outcome, outcome};

/// The expected outcome of a text.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Expected {
    Unreadable,
    NotCorrect,
    Wrong,
}

use Expected::{NotCorrect, Unreadable, Wrong};

impl Expected {
    fn accepts(self, result: Outcome) -> bool {
        match self {
            Unreadable => result == Outcome::Unreadable,
            NotCorrect => result != Outcome::Correct,
            Wrong => result.is_wrong(),
        }
    }
}

/// Sizes, expected outcomes and texts.
const TEXTS: &[(usize, Expected, &str)] = &[
    // Incomplete and illegal boards.
    (4, Unreadable, "....\n....\n....\n....\n"),
    (4, Unreadable, ". . . .\n. . . .\n. . . .\n. . . .\n"),
    (4, NotCorrect, "0 0 0 0\n0 0 0 0\n0 0 0 0\n0 0 0 0\n"),
    (4, Unreadable, ".Q..\n...Q\nQ...\n"),
    (4, Unreadable, ".Q..\n...Q\n"),
    (4, Unreadable, ". Q . .\n. . . Q\nQ . . .\n"),
    (
        4,
        Unreadable,
        "+---+---+---+---+\n|   | Q |   |   |\n+---+---+---+---+\n|   |   |   | Q |\n+---+---+---+---+\n",
    ),
    (4, Unreadable, "+-------+\n| . Q . . |\n| . . . Q |\n| Q . . . |\n"),
    (4, Unreadable, "┌───┬───┬───┬───┐\n│   │ ♛ │   │   │\n├───┼───┼───┼───┤\n"),
    (4, Unreadable, "╔════╗\n║    ║\n║    ║\n║    ║\n║    ║\n╚════╝\n"),
    (4, NotCorrect, ".Q..\n...Q\nQ...\n..Q\n"),
    (4, NotCorrect, ".Q..\n...Q\nQ...\n..Q.\n\n..Q.\nQ...\n...Q\n"),
    (4, NotCorrect, ".Q..\n...Q\nQ...\n..Q.\n\n..Q.\nQ...\n...Q\n....\n"),
    (4, NotCorrect, ".Q..\n...Q\nQ...\n..Q.\n\n..Q.\nQ...\n...Q\n.QQ.\n"),
    (4, NotCorrect, ".Q..\n...Q\nQ...\n..Q.\n\n..Q.\nQ...\n...Q\n.?..\n"),
    (4, NotCorrect, ".Q..\n...Q\nQ...\n..Q.\n\n..Q.\nQ...\n\n...Q\n"),
    (4, NotCorrect, ".Q..\n...Q\nQ...\n..Q.\n\n..Q.\nQ....\n...Q\n.Q..\n"),
    (4, Wrong, ".Q..\n...Q\nQ...\n..Q.\n\n..Q.\nQ...\n...Q\n.Q..\n\nQ...\nQ...\n...Q\n.Q..\n"),
    (4, Wrong, "1 3 0 2\n1 3 0 2\n"),
    (4, Wrong, "[1, 3, 0, 2]\n[2, 0, 3, 3]\n"),
    (4, NotCorrect, "1 3 0 2\n2 0 3\n"),
    (4, NotCorrect, "1 3 0 2\n2 0 3 1 \n4 4 4 4\n"),
    (4, NotCorrect, "[1, 3, 0, 2]\n[2, 0, 3, 1]\n[1, 3, 0, 2, 4, 4]\n[0]\n[0, 0, 0, 0]\n"),
    (4, NotCorrect, "[[1, 3, 0, 2], [2, 0, 3, 1], [1, 3, 0]]\n"),
    (4, NotCorrect, "[[1, 3, 0, 2], [2, 0, 3"),
    (4, NotCorrect, "Solution 1: 1 3 0 2\nSolution 2: 2 0 3 1\nSolution 3: 3 2 1 0\n"),
    (4, NotCorrect, "(0,1) (1,3) (2,0) (3,2)\n(0,2) (1,0) (2,3)\n"),
    (4, NotCorrect, "(0,1) (1,3) (2,0) (3,2)\n(0,2) (1,0) (2,3) (3,1) (3,2)\n"),
    (4, NotCorrect, "b1 d2 a3 c4\nc1 a2 d3 b5\n"),
    (4, NotCorrect, "2413\n3142\n3143\n"),
    (4, NotCorrect, "q1=2 q2=4 q3=1 q4=3\nq1=3 q2=1 q3=4 q4=2\nq1=1 q2=2 q3=3 q4=4\n"),
    (4, NotCorrect, "q1=2 q2=4 q3=1 q4=3\nq1=3 q2=1 q3=4\n"),
    (
        4,
        NotCorrect,
        "queen(1,2) queen(2,4) queen(3,1) queen(4,3)\nqueen(1,3) queen(2,1) queen(3,4) queen(3,2)\n",
    ),
    (4, NotCorrect, "1Q2/3Q/Q3/2Q1\n2Q1/Q3/3Q/2Q1\n"),
    (4, NotCorrect, "1Q2/3Q/Q3/2Q1\n2Q1/Q3/3Q\n"),
    // Boards of another size.
    (8, Unreadable, ".Q..\n...Q\nQ...\n..Q.\n\n..Q.\nQ...\n...Q\n.Q..\n"),
    (5, Unreadable, "1 3 0 2\n2 0 3 1\n"),
    (4, Unreadable, "[0, 2, 4, 1, 3]\n[0, 3, 1, 4, 2]\n"),
    (6, Unreadable, "2413\n3142\n"),
    (
        4,
        Unreadable,
        "+---+---+---+\n| Q |   |   |\n+---+---+---+\n|   |   | Q |\n+---+---+---+\n|   | Q |   |\n+---+---+---+\n",
    ),
    // Tables and counts.
    (
        4,
        Unreadable,
        "           4           2\n           5          10\n           6           4\n           7          40\n",
    ),
    (8, Unreadable, "1 1\n2 0\n3 0\n4 2\n5 10\n6 4\n7 40\n8 92\n"),
    (5, Unreadable, "0\n2\n1\n3\n4\n"),
    // A board in FEN with an additional row.
    (4, NotCorrect, "1Q2/3Q/Q3/2Q1\n2Q1/Q3/3Q/1Q2\n1Q2/3Q/Q3/2Q1/Q3\n"),
    (4, Unreadable, "n,solutions,seconds\n4,2,0.000\n5,10,0.000\n6,4,0.001\n7,40,0.002\n"),
    (4, Unreadable, "| n | solutions |\n|---|-----------|\n| 4 | 2 |\n| 5 | 10 |\n"),
    (4, Unreadable, "N  All  Unique  Time\n4  2  1  0\n5  10  2  0\n6  4  1  0\n7  40  6  1\n"),
    (3, NotCorrect, "1 2 3\n4 5 6\n7 8 9\n"),
    (4, Unreadable, "12 7 3 44\n8 19 2 5\n6 6 1 90\n3 14 15 92\n"),
    // Logs and traces.
    (
        4,
        Unreadable,
        "Placing queen at (0, 0)\nPlacing queen at (1, 2)\nbacktrack\nPlacing queen at (1, 3)\nPlacing queen at (2, 1)\n",
    ),
    (4, Unreadable, "Trying row 1\nTrying row 2\nTrying row 3\nTrying row 4\n"),
    (
        4,
        Unreadable,
        "[INFO] 2026-11-26 08:00:01 start\n[INFO] 2026-11-26 08:00:02 depth 4\n[WARN] 2026-11-26 08:00:03 slow\n",
    ),
    (4, Unreadable, "10.0.0.1\n10.0.0.2\n192.168.1.1\n127.0.0.1\n"),
    (8, Unreadable, "2026-11-26\n2026-11-27\n"),
    (
        4,
        Unreadable,
        "thread 'main' panicked at src/main.rs:14:9:\nindex out of bounds: the len is 4 but the index is 4\n",
    ),
    (
        4,
        Unreadable,
        "Traceback (most recent call last):\n  File \"q.py\", line 3, in <module>\n    solve(4)\nIndexError: list index out of range\n",
    ),
    (
        4,
        Unreadable,
        "==1234== Memcheck, a memory error detector\n==1234== Command: ./queens 4\n==1234== ERROR SUMMARY: 0 errors from 0 contexts\n",
    ),
    (4, Unreadable, "Compiling queens v0.1.0\nFinished dev in 0.3s\nRunning target/debug/queens\n"),
    (4, Unreadable, "test a ... ok\ntest b ... ok\ntest c ... FAILED\ntest d ... ok\n"),
    // Prose, for example four lines with one word each.
    (4, Unreadable, "Hello\nmy program works\n"),
    (4, Unreadable, "The queen moves in any direction.\nTwo queens attack each other in a row.\n"),
    (4, Unreadable, "this\nthat\nthem\nthen\n"),
    (4, Unreadable, "Rosen sind rot\nVeilchen sind blau\nZucker ist suess\nund du bist es auch\n"),
    (4, Unreadable, "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor.\n"),
    (5, Unreadable, "three\nseven\neight\nqueen\nboard\n"),
    (4, Unreadable, "yes no no no\nno yes yes no\nmaybe no yes no\nno no no no\n"),
    // Source code, and data without boards.
    (
        4,
        Unreadable,
        "#include <stdio.h>\nint main(void) {\n    int board[4] = {0};\n    for (int i = 0; i < 4; i++) board[i] = -1;\n    return 0;\n}\n",
    ),
    (
        4,
        Unreadable,
        "def safe(b, r, c):\n    return all(c != b[i] for i in range(r))\n\nfor i in range(4):\n    print(i)\n",
    ),
    (
        4,
        Unreadable,
        "fn main() {\n    let n = 4;\n    let mut q = vec![0; n];\n    println!(\"{:?}\", q);\n}\n",
    ),
    (4, Unreadable, "{\"name\": \"ada\", \"age\": 36, \"scores\": [9, 7, 10]}\n"),
    (
        4,
        Unreadable,
        "[{\"id\": 1, \"x\": 10}, {\"id\": 2, \"x\": 20}, {\"id\": 3, \"x\": 30}, {\"id\": 4, \"x\": 40}]\n",
    ),
    (4, Unreadable, "<html><body><table><tr><td>1</td><td>2</td></tr></table></body></html>\n"),
    (4, Unreadable, "[package]\nname = \"queens\"\nversion = \"0.1.0\"\nedition = \"2024\"\n"),
    (4, Unreadable, "%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n"),
    (4, Unreadable, "root:x:0:0:root:/root:/bin/bash\nbin:x:1:1:bin:/bin:/sbin/nologin\n"),
    (4, Unreadable, "p cnf 4 3\n1 -2 0\n2 3 0\n-1 4 0\n"),
    // Pictures that are not boards of queens.
    (4, Unreadable, " /\\_/\\\n( o.o )\n > ^ <\n"),
    (4, Unreadable, "  *  \n *** \n*****\n  |  \n"),
    (5, Unreadable, "*\n**\n***\n****\n*****\n"),
    (4, Unreadable, "####\n####\n####\n####\n"),
    (5, Unreadable, "#...#\n.#.#.\n..#..\n.#.#.\n#...#\n"),
    (8, Unreadable, "rnbqkbnr\npppppppp\n........\n........\n........\n........\nPPPPPPPP\nRNBQKBNR\n"),
    (8, Unreadable, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n"),
    (3, Unreadable, "X O X\nO X O\nO X O\n"),
    (
        9,
        Unreadable,
        "530070000\n600195000\n098000060\n800060003\n400803001\n700020006\n060000280\n000419005\n000080079\n",
    ),
    (4, Unreadable, "[=>  ] 25%\n[==> ] 50%\n[===>] 75%\n[====] 100%\n"),
    (4, Unreadable, "|--a\n|--b\n|  |--c\n|--d\n"),
    (4, Unreadable, "====\n----\n====\n----\n"),
    // Squares of numbers and letters.
    (4, Unreadable, "1 2 3 4\n3 4 1 2\n2 1 4 3\n4 3 2 1\n"),
    (4, Unreadable, "1234\n3412\n2143\n4321\n"),
    (4, Unreadable, "[[1, 2, 3, 4], [3, 4, 1, 2], [2, 1, 4, 3], [4, 3, 2, 1]]\n"),
    (4, Unreadable, "+---+---+\n|1 2|3 4|\n|3 4|1 2|\n+---+---+\n|2 1|4 3|\n|4 3|2 1|\n+---+---+\n"),
    (4, Unreadable, "1 2 3 4\n2 4 6 8\n3 6 9 12\n4 8 12 16\n"),
    (4, Unreadable, " x 1 2 3 4\n 1 1 2 3 4\n 2 2 4 6 8\n 3 3 6 9 12\n 4 4 8 12 16\n"),
    (4, Unreadable, "1 * 1 = 1\n2 * 1 = 2\n3 * 1 = 3\n4 * 1 = 4\n"),
    (5, Unreadable, "1 2 3 4 5\n2 3 4 5 1\n3 4 5 1 2\n4 5 1 2 3\n5 1 2 3 4\n"),
    (4, Unreadable, "A B C D\nC D A B\nB A D C\nD C B A\n"),
    (5, Unreadable, "the number was\nadded\n"),
    // Boards whose rows stand side by side, one board per line.
    (
        4,
        NotCorrect,
        ". Q . . & . . . Q & Q . . . & . . Q .\n. . Q . & Q . . . & . . . Q & . Q . .\n. . Q . & Q . . . & . . . Q & Q . . .\n",
    ),
    // Ambiguous numbers.
    (4, Unreadable, "1 2 2 3\n"),
    (4, Unreadable, "11\n22\n33\n44\n"),
];

#[test]
fn texts_that_are_not_solutions_are_never_correct() {
    let mut failures = Vec::new();
    for &(n, expected, text) in TEXTS {
        for text in [text.to_owned(), text.replace('\n', "\r\n"), format!("\n{text}\n")] {
            let result = outcome(text.as_bytes(), n, AnswerKind::All);
            if !expected.accepts(result) {
                failures.push(format!("n = {n}: {result:?}, not {expected:?}\n{text}"));
            }
        }
    }
    assert!(failures.is_empty(), "{}\n{}", failures.len(), failures.join("\n"));
}

/// Each text has all solutions and one illegal board. Numbers such as `0 1 2 3` at one board only are
/// not column labels, because labels would stand at every board.
#[test]
fn illegal_board_in_any_notation_is_incorrect() {
    const ALL_SOLUTIONS: &[&str] = &[
        ".Q..\n...Q\nQ...\n..Q.\n\n..Q.\nQ...\n...Q\n.Q..\n",
        "1 3 0 2\n2 0 3 1\n",
        "[1, 3, 0, 2]\n[2, 0, 3, 1]\n",
        "2413\n3142\n",
        "b d a c\nc a d b\n",
        "b1 d2 a3 c4\nc1 a2 d3 b4\n",
    ];
    const ILLEGAL: &[&str] = &[
        "0 1 2 3\n",
        "3 2 1 0\n",
        "0123\n",
        "a b c d\n",
        "Solution 3: 0 1 2 3\n",
        "-> 0 1 2 3\n",
        "0 1 2 3   0 1 2 3\n",
        "b d c a\n",
        "BDCA\n",
        "['b', 'd', 'c', 'a']\n",
        "２ ４ ３ １\n",
        "2413 3142 2431\n",
        "['2413', '2431']\n",
        "1 3 2 0 1 3 0 2\n",
        "1 3 0 2 1 1 3 0\n",
        "#3 2 4 3 1\n",
        "q0=0 q1=1 q2=2 q3=3\n",
        "Queen 1: 1\nQueen 2: 2\nQueen 3: 3\nQueen 4: 4\n",
        "0\n1\n2\n3\n",
        "4\n3\n2\n1\n",
        "row 0 col 1\nrow 1 col 3\nrow 2 col 2\nrow 3 col 0\n",
    ];
    let mut failures = Vec::new();
    for all_solutions in ALL_SOLUTIONS {
        assert_eq!(
            outcome(all_solutions.as_bytes(), 4, AnswerKind::All),
            Outcome::Correct,
            "{all_solutions}"
        );
        for illegal in ILLEGAL {
            for text in [
                format!("{all_solutions}\n{illegal}"),
                format!("{illegal}\n{all_solutions}"),
                format!("{all_solutions}{illegal}"),
            ] {
                if outcome(text.as_bytes(), 4, AnswerKind::All) == Outcome::Correct {
                    failures.push(text);
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}\n{}", failures.len(), failures.join("\n---\n"));
}

/// Words, numbers and symbols in random order are seldom a board, and never all solutions.
#[test]
fn random_words_and_numbers_are_not_solutions() {
    const WORDS: &[&str] = &[
        "queen", "board", "the", "row", "column", "solution", "is", "1", "2", "3", "4", "0", "10", "at",
        "(0,", "1)", "->", "Q", ".", ",", ":", "[", "]", "|", "#", "-", "*", "=", "no", "time", "ms", "0.5",
        "a1", "b2", "\n", "\n", "\n", "\t",
    ];
    let mut rng = Rng::with_seed(5);
    for _ in 0..3000 {
        let length = rng.usize(1..60);
        let words: Vec<&str> = (0..length).map(|_| WORDS[rng.usize(..WORDS.len())]).collect();
        let text = words.join([" ", ""][rng.usize(..2)]);
        for n in [5, 6] {
            assert_ne!(outcome(text.as_bytes(), n, AnswerKind::All), Outcome::Correct, "n = {n}: {text}");
        }
    }
}

/// The text has all solutions, but one number is missing in a line in the middle.
#[test]
fn incomplete_line_among_solutions_is_incorrect() {
    let n = 5;
    let line = |columns: &Vec<usize>, separator: &str| {
        columns.iter().map(usize::to_string).collect::<Vec<_>>().join(separator)
    };
    for (separator, open, close) in
        [(" ", "", ""), (", ", "[", "]"), (",", "", ""), ("; ", "[|", "|]"), ("\t", "", "")]
    {
        let mut lines: Vec<String> = solutions(n)
            .iter()
            .map(|columns| format!("{open}{}{close}\n", line(columns, separator)))
            .collect();
        let complete_text = lines.concat();
        assert_eq!(
            outcome(complete_text.as_bytes(), n, AnswerKind::All),
            Outcome::Correct,
            "{complete_text}"
        );
        let last_separator = lines[3].rfind(separator).expect("a separator");
        lines[3] = format!("{}{close}\n", &lines[3][..last_separator]);
        let incomplete_text = lines.concat();
        assert_ne!(
            outcome(incomplete_text.as_bytes(), n, AnswerKind::All),
            Outcome::Correct,
            "{incomplete_text}"
        );
    }
}
