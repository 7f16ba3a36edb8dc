//! Generated boards that are written as numbers, squares or lists, in the syntax of many languages.

use fastrand::Rng;

use super::around::{
    ENCODINGS, NAMED_PROMPTS, NAMED_STATISTICS, PROMPTS, STATISTICS, TRACES, encode, surround, trace,
};
use super::boards::Board;
use super::design::{Axis, Combination, Exclusion, all_pairs, assert_covers};
use super::measure::{Measure, other_seeds};

/// A board as numbers. The tests also use it with rows and columns exchanged.
pub struct Numbers {
    pub n: usize,
    /// The number of the first row and column: 0 or 1.
    pub base: usize,
    /// The row and column of each queen, counted from `base`.
    pub queens: Vec<(usize, usize)>,
}

impl Numbers {
    /// The texts of all queens, with a separator between them.
    pub fn join_queens(&self, separator: &str, format: impl Fn(usize, usize) -> String) -> String {
        let numbers: Vec<String> = self.queens.iter().map(|&(i, value)| format(i, value)).collect();
        numbers.join(separator)
    }

    /// The columns of all queens.
    pub fn values(&self, separator: &str) -> String {
        self.join_queens(separator, |_, value| value.to_string())
    }

    /// The squares in chess notation: a letter and a number from 1.
    pub fn squares(&self, separator: &str, prefix: &str, letter: u8) -> String {
        self.join_queens(separator, |i, value| {
            format!("{prefix}{}{}", char::from(letter + (i - self.base) as u8), value - self.base + 1)
        })
    }

    /// The letters of the columns.
    fn letters(&self, separator: &str, first: u8) -> String {
        self.join_queens(separator, |_, value| char::from(first + (value - self.base) as u8).to_string())
    }

    /// The rows as strings.
    pub fn rows(&self, queen: &str, empty: &str, separator: &str) -> Vec<String> {
        let cell = |value: usize, column: usize| if value == column + self.base { queen } else { empty };
        let row = |&(_, value): &(usize, usize)| {
            (0..self.n).map(|column| cell(value, column)).collect::<Vec<_>>().join(separator)
        };
        self.queens.iter().map(row).collect()
    }
}

/// A function that writes one board.
type WriteBoard = fn(&Numbers) -> String;

/// Syntaxes of one board on one line or on several lines.
pub const SYNTAXES: &[(&str, WriteBoard)] = &[
    ("Python list", |b| format!("[{}]", b.values(", "))),
    ("letters", |b| b.letters(" ", b'a')),
    ("capital letters without blanks", |b| b.letters("", b'A')),
    ("list of letters of columns", |b| format!("['{}']", b.letters("', '", b'a'))),
    ("full-width digits", |b| b.join_queens(" ", |_, value| full_width_digit(value))),
    ("Python tuple", |b| format!("({})", b.values(", "))),
    ("NumPy", |b| format!("[{}]", b.values(" "))),
    ("NumPy 2", |b| format!("[{}]", b.join_queens(", ", |_, value| format!("np.int64({value})")))),
    ("NumPy repr", |b| format!("array([{}])", b.values(", "))),
    ("Python dict", |b| format!("{{{}}}", b.join_queens(", ", |i, value| format!("{i}: {value}")))),
    ("Ruby hash", |b| format!("{{{}}}", b.join_queens(", ", |i, value| format!("{i}=>{value}")))),
    ("JavaScript", |b| format!("[ {} ]", b.values(", "))),
    ("JavaScript join", |b| b.values(",")),
    ("Haskell", |b| format!("[{}]", b.values(","))),
    ("Haskell tuples", |b| format!("[{}]", b.join_queens(",", |i, value| format!("({i},{value})")))),
    ("OCaml list", |b| format!("[{}]", b.values("; "))),
    ("OCaml array", |b| format!("[|{}|]", b.values("; "))),
    ("Rust pretty", |b| format!("[\n{}]", b.join_queens("", |_, value| format!("    {value},\n")))),
    ("C blanks", |b| b.values(" ")),
    ("C trailing blank", |b| b.values(" ") + " "),
    ("C columns", |b| b.join_queens("", |_, value| format!("{value:3}"))),
    ("C tabs", |b| b.values("\t")),
    ("C comma and blank", |b| b.values(", ")),
    ("Scala List", |b| format!("List({})", b.values(", "))),
    ("Scala Vector", |b| format!("Vector({})", b.values(", "))),
    ("Clojure list", |b| format!("({})", b.values(" "))),
    ("Scheme vector", |b| format!("#({})", b.values(" "))),
    ("Prolog", |b| format!("[{}]", b.values(","))),
    ("Prolog answer", |b| format!("Qs = [{}] ;", b.values(", "))),
    ("Prolog fractions", |b| format!("[{}]", b.join_queens(",", |i, value| format!("{i}/{value}")))),
    ("Erlang tuple", |b| format!("{{{}}}", b.values(","))),
    ("Erlang tuples", |b| format!("[{}]", b.join_queens(",", |i, value| format!("{{{i},{value}}}")))),
    ("R", |b| format!("[1] {}", b.values(" "))),
    ("Mathematica", |b| format!("{{{}}}", b.values(", "))),
    ("Julia column", |b| {
        format!("{}-element Vector{{Int64}}:\n{}", b.n, b.join_queens("\n", |_, value| format!(" {value}")))
    }),
    ("Go slice", |b| format!("[]int{{{}}}", b.values(", "))),
    ("PHP print_r", |b| {
        format!("Array\n(\n{})\n", b.join_queens("", |i, value| format!("    [{i}] => {value}\n")))
    }),
    ("MiniZinc", |b| format!("q = [{}];\n----------", b.values(", "))),
    ("MiniZinc array1d", |b| format!("queens = array1d(1..{}, [{}]);", b.n, b.values(", "))),
    ("names q1=2", |b| b.join_queens(" ", |i, value| format!("q{i}={value}"))),
    ("names Q1: 2;", |b| b.join_queens("; ", |i, value| format!("Q{i}: {value}"))),
    ("names x[1]=2", |b| b.join_queens(" ", |i, value| format!("x[{i}]={value}"))),
    ("names q1 = 2,", |b| b.join_queens(", ", |i, value| format!("q{i} = {value}"))),
    ("Z3 model", |b| format!("[{}]", b.join_queens(",\n ", |i, value| format!("q_{i} = {value}")))),
    ("names on lines", |b| b.join_queens("\n", |i, value| format!("Q{i} = {value}"))),
    ("ASP queen(1,2)", |b| b.join_queens(" ", |i, value| format!("queen({i},{value})"))),
    ("ASP in any order", |b| {
        let mut queens = b.queens.clone();
        queens.reverse();
        queens.rotate_left(1);
        Numbers { queens, ..*b }.join_queens(" ", |i, value| format!("q({i},{value})"))
    }),
    ("pairs with commas", |b| b.join_queens(", ", |i, value| format!("({i},{value})"))),
    ("pairs with blanks", |b| b.join_queens(" ", |i, value| format!("({i}, {value})"))),
    ("Python list of tuples", |b| format!("[{}]", b.join_queens(", ", |i, value| format!("({i}, {value})")))),
    ("list of pairs", |b| format!("[{}]", b.join_queens(",", |i, value| format!("[{i},{value}]")))),
    ("objects", |b| {
        format!("[{}]", b.join_queens(",", |i, value| format!("{{\"row\":{i},\"col\":{value}}}")))
    }),
    ("arrows between pairs", |b| b.join_queens(", ", |i, value| format!("{i} -> {value}"))),
    ("dashes in pairs", |b| b.join_queens(", ", |i, value| format!("{i}-{value}"))),
    ("dashes in pairs, full stop", |b| b.join_queens(", ", |i, value| format!("{i}-{value}")) + ", ."),
    ("dashes", |b| b.values("-")),
    ("dashes and blanks", |b| b.values(" - ")),
    ("arrows", |b| b.values(" -> ")),
    ("digits", |b| b.values("")),
    ("squares", |b| b.squares(" ", "", b'a')),
    ("squares with commas", |b| b.squares(",", "", b'A')),
    ("squares without blanks", |b| b.squares("", "", b'a')),
    ("squares with Q", |b| b.squares(" ", "Q", b'a')),
    ("queens on lines", |b| {
        b.join_queens("\n", |i, value| format!("Queen {}: row {i}, column {value}", i - b.base + 1))
    }),
    ("pairs on lines", |b| b.join_queens("\n", |i, value| format!("({i}, {value})"))),
    ("sentences on lines", |b| {
        b.join_queens("\n", |i, value| format!("The queen of row {i} stands in column {value}."))
    }),
    ("numbers on lines", |b| b.values("\n")),
    ("strings of rows", |b| format!("['{}']", b.rows("Q", ".", "").join("', '"))),
    ("JSON of rows", |b| format!("[\"{}\"]", b.rows("Q", ".", "").join("\",\""))),
    ("rows without quotes", |b| format!("[{}]", b.rows("Q", ".", "").join(", "))),
    ("lists of letters", |b| {
        let rows = b.rows("'Q'", "'.'", ", ");
        rows.iter().map(|row| format!("[{row}]")).collect::<Vec<_>>().join("\n")
    }),
    ("lists of zeros and ones", |b| format!("[[{}]]", b.rows("1", "0", ", ").join("], ["))),
    ("lists of true and false", |b| format!("[[{}]]", b.rows("True", "False", ", ").join("], ["))),
    ("NumPy matrix", |b| format!("[[{}]]", b.rows("1", "0", " ").join("]\n ["))),
    ("NumPy floats", |b| format!("[[{}]]", b.rows("1.", "0.", " ").join("]\n ["))),
    ("FEN", |b| {
        let row = |row: &String| {
            let Some(at) = row.find('Q') else { return row.len().to_string() };
            let count = |count: usize| if count == 0 { String::new() } else { count.to_string() };
            format!("{}Q{}", count(at), count(row.len() - at - 1))
        };
        b.rows("Q", ".", "").iter().map(row).collect::<Vec<_>>().join("/")
    }),
];

/// A function that writes all boards.
type WriteBoards = fn(&[Numbers]) -> String;

/// Syntaxes of all boards in one list.
const LISTS: &[(&str, WriteBoards)] = &[
    ("Python list of all", |all| format!("[[{}]]\n", join_boards(all, "], [", |b| b.values(", ")))),
    ("Python pprint of all", |all| format!("[[{}]]\n", join_boards(all, "],\n [", |b| b.values(", ")))),
    ("Node list of all", |all| {
        format!("[\n{}\n]\n", join_boards(all, ",\n", |b| format!("  [ {} ]", b.values(", "))))
    }),
    ("Haskell list of all", |all| format!("[[{}]]\n", join_boards(all, "],[", |b| b.values(",")))),
    ("OCaml list of all", |all| format!("[[|{}|]]\n", join_boards(all, "|]; [|", |b| b.values("; ")))),
    ("Scala list of all", |all| {
        format!("List({})\n", join_boards(all, ", ", |b| format!("List({})", b.values(", "))))
    }),
    ("Clojure list of all", |all| format!("(({}))\n", join_boards(all, ") (", |b| b.values(" ")))),
    ("Go list of all", |all| format!("[[{}]]\n", join_boards(all, "] [", |b| b.values(" ")))),
    ("Mathematica list of all", |all| format!("{{{{{}}}}}\n", join_boards(all, "}, {", |b| b.values(", ")))),
    ("JSON of all", |all| format!("{{\"solutions\":[[{}]]}}\n", join_boards(all, "],[", |b| b.values(",")))),
    ("JSON of all rows", |all| {
        format!("[[\"{}\"]]\n", join_boards(all, "\"],[\"", |b| b.rows("Q", ".", "").join("\",\"")))
    }),
    ("Java list of all rows", |all| {
        format!("[[{}]]\n", join_boards(all, "], [", |b| b.rows("Q", ".", "").join(", ")))
    }),
    ("Go list of all rows", |all| {
        format!("[[{}]]\n", join_boards(all, "] [", |b| b.rows("Q", ".", "").join(" ")))
    }),
    ("Python list of all pairs", |all| {
        let pairs = |b: &Numbers| b.join_queens(", ", |i, value| format!("({i}, {value})"));
        format!("[[{}]]\n", join_boards(all, "], [", pairs))
    }),
];

fn join_boards(all: &[Numbers], separator: &str, format: impl Fn(&Numbers) -> String) -> String {
    all.iter().map(format).collect::<Vec<_>>().join(separator)
}

/// Headings before a board. A heading that ends in a line feed stands on a separate line.
const HEADINGS: &[&str] = &[
    "none",
    "Solution 1: ",
    "Solution 1 - ",
    "Solution #1 -> ",
    "#1  ",
    "1) ",
    "1. ",
    "Lösung Nr. 1: ",
    "Solución 1 = ",
    "解1：",
    "Решение 1: ",
    "Solution 1:\n",
    "Lösung Nr. 1\n",
    "解 1\n",
];

const SPACINGS: &[&str] = &["none", "between boards", "line between boards"];

const AXES: &[Axis] = &[
    Axis { name: "syntax", values: &SYNTAX_NAMES },
    Axis { name: "base", values: &["0", "1"] },
    Axis { name: "order", values: &["rows first", "columns first"] },
    Axis { name: "heading", values: HEADINGS },
    Axis { name: "spacing", values: SPACINGS },
    Axis { name: "prompt", values: PROMPTS },
    Axis { name: "trace", values: TRACES },
    Axis { name: "statistics", values: STATISTICS },
    Axis { name: "encoding", values: ENCODINGS },
    Axis { name: "n", values: &["4", "6", "5", "1", "7", "8"] },
];

const SYNTAX_NAMES: [&str; SYNTAXES.len() + LISTS.len()] = {
    let mut names = [""; SYNTAXES.len() + LISTS.len()];
    let mut i = 0;
    while i < names.len() {
        names[i] = if i < SYNTAXES.len() { SYNTAXES[i].0 } else { LISTS[i - SYNTAXES.len()].0 };
        i += 1;
    }
    names
};

/// Headings on the line of the board.
const INLINE_HEADINGS: &[&str] = &[
    "Solution 1: ",
    "Solution 1 - ",
    "Solution #1 -> ",
    "#1  ",
    "1) ",
    "1. ",
    "Lösung Nr. 1: ",
    "Solución 1 = ",
    "解1：",
    "Решение 1: ",
];

/// Syntaxes of all boards in one list.
const LIST_SYNTAXES: &[&str] = &[
    "Python list of all",
    "Python pprint of all",
    "Node list of all",
    "Haskell list of all",
    "OCaml list of all",
    "Scala list of all",
    "Clojure list of all",
    "Go list of all",
    "Mathematica list of all",
    "JSON of all",
    "JSON of all rows",
    "Java list of all rows",
    "Go list of all rows",
    "Python list of all pairs",
];

/// Syntaxes in which a board has several lines.
const MULTILINE_SYNTAXES: &[&str] = &[
    "Rust pretty",
    "Julia column",
    "PHP print_r",
    "names on lines",
    "queens on lines",
    "pairs on lines",
    "sentences on lines",
    "numbers on lines",
    "lists of letters",
    "NumPy matrix",
    "NumPy floats",
    "Z3 model",
    "MiniZinc",
];

const EXCLUDED_COMBINATIONS: &[Exclusion] = &[
    Exclusion {
        values: &[
            ("syntax", LIST_SYNTAXES),
            (
                "heading",
                &[
                    "Solution 1: ",
                    "Solution 1 - ",
                    "Solution #1 -> ",
                    "#1  ",
                    "1) ",
                    "1. ",
                    "Lösung Nr. 1: ",
                    "Solución 1 = ",
                    "解1：",
                    "Решение 1: ",
                    "Solution 1:\n",
                    "Lösung Nr. 1\n",
                    "解 1\n",
                ],
            ),
        ],
        reason: "a list of all boards has no headings",
    },
    Exclusion {
        values: &[("syntax", LIST_SYNTAXES), ("spacing", &["between boards", "line between boards"])],
        reason: "a list of all boards has nothing between them",
    },
    Exclusion {
        values: &[("syntax", MULTILINE_SYNTAXES), ("heading", INLINE_HEADINGS)],
        reason: "the heading belongs to the first line alone",
    },
    Exclusion {
        values: &[
            (
                "syntax",
                &[
                    "numbers on lines",
                    "names on lines",
                    "queens on lines",
                    "pairs on lines",
                    "sentences on lines",
                ],
            ),
            ("spacing", &["none"]),
            ("heading", &["none"]),
        ],
        reason: "nothing shows where a board ends",
    },
    Exclusion {
        values: &[
            (
                "syntax",
                &[
                    "numbers on lines",
                    "names on lines",
                    "queens on lines",
                    "pairs on lines",
                    "sentences on lines",
                ],
            ),
            ("prompt", &["Enter the size: ", "Bitte n eingeben: ", "How many queens? "]),
        ],
        reason: "the first queen stands behind the prompt",
    },
    Exclusion {
        values: &[
            ("syntax", &["queens on lines", "pairs on lines", "sentences on lines", "names on lines"]),
            ("trace", &["placing", "trying", "checks"]),
        ],
        reason: "the trace looks like the queens of a board",
    },
    Exclusion {
        values: &[("syntax", &["numbers on lines"]), ("trace", &["placing", "trying", "checks"])],
        reason: "numbers on lines between lines with numbers are a list of anything",
    },
    Exclusion {
        values: &[
            ("n", &["1"]),
            (
                "syntax",
                &[
                    "C blanks",
                    "C trailing blank",
                    "C columns",
                    "C tabs",
                    "C comma and blank",
                    "JavaScript join",
                    "dashes",
                    "dashes and blanks",
                    "arrows",
                    "digits",
                    "numbers on lines",
                    "R",
                    "full-width digits",
                ],
            ),
        ],
        reason: "a bare number may be a number of solutions",
    },
    Exclusion {
        values: &[
            ("n", &["1"]),
            (
                "syntax",
                &[
                    "FEN",
                    "strings of rows",
                    "JSON of rows",
                    "rows without quotes",
                    "lists of letters",
                    "JSON of all rows",
                    "Java list of all rows",
                    "Go list of all rows",
                    "squares",
                    "squares with commas",
                    "squares without blanks",
                    "squares with Q",
                    "lists of zeros and ones",
                    "lists of true and false",
                    "NumPy matrix",
                    "NumPy floats",
                    "letters",
                    "capital letters without blanks",
                    "list of letters of columns",
                ],
            ),
        ],
        reason: "one symbol alone is a word",
    },
    Exclusion {
        values: &[("syntax", &["dashes and blanks"]), ("heading", &["Solution 1 - "])],
        reason: "the number of the board stands before the same sign as each column",
    },
    Exclusion {
        values: &[("syntax", &["arrows", "arrows between pairs"]), ("heading", &["Solution #1 -> "])],
        reason: "the number of the board stands before the same sign as each column",
    },
    Exclusion {
        values: &[("n", &["1"]), ("prompt", NAMED_PROMPTS)],
        reason: "a name with the number 1 may be the board",
    },
    Exclusion {
        values: &[("n", &["1"]), ("statistics", NAMED_STATISTICS)],
        reason: "a name with the number 1 may be the board",
    },
    Exclusion {
        values: &[("n", &["1"]), ("trace", &["placing", "trying", "checks"])],
        reason: "a trace that places one queen is a board",
    },
    Exclusion {
        values: &[("n", &["1"]), ("heading", &["#1  ", "1) ", "1. "])],
        reason: "the heading is a number that may be the board",
    },
];

fn full_width_digit(value: usize) -> String {
    char::from_u32(0xFF10 + value as u32).expect("a digit").to_string()
}

/// The numbers of a board; `None` if it does not have one queen in each row.
pub fn numbers_of(board: &Board, n: usize, base: usize) -> Option<Numbers> {
    let has_all_rows = board.iter().enumerate().all(|(i, &(row, _))| i == row);
    has_all_rows.then(|| Numbers {
        n,
        base,
        queens: board.iter().map(|&(row, column)| (row + base, column + base)).collect(),
    })
}

/// The text of some boards; `None` if one of them does not have one queen in each row.
fn text_of(combination: &Combination, boards: &[Board], n: usize) -> Option<Vec<u8>> {
    let base = combination.get("base").parse().expect("a number");
    let numbers: Option<Vec<Numbers>> = boards.iter().map(|board| numbers_of(board, n, base)).collect();
    let (numbers, syntax) = (numbers?, combination.get("syntax"));
    let mut body = String::new();
    if let Some((_, list)) = LISTS.iter().find(|(name, _)| *name == syntax) {
        for board in boards {
            for line in trace(combination.get("trace"), board) {
                body += &(line + "\n");
            }
        }
        body += &list(&numbers);
    } else {
        let (_, write) = SYNTAXES.iter().find(|(name, _)| *name == syntax).expect("a syntax");
        for (i, (board, numbers)) in (1..).zip(boards.iter().zip(&numbers)) {
            for line in trace(combination.get("trace"), board) {
                body += &(line + "\n");
            }
            match combination.get("heading") {
                "none" => {}
                heading => body += &heading.replace('1', &i.to_string()),
            }
            body += &write(numbers);
            body += match combination.get("spacing") {
                "none" => "\n",
                "between boards" => "\n\n",
                _ => "\n--------------------\n",
            };
        }
    }
    let text = surround(combination.get("prompt"), combination.get("statistics"), &body, n, boards.len());
    Some(encode(&text, combination.get("encoding")))
}

/// The board with rows and columns exchanged. It has one queen in each row if the board has one queen in each column.
fn transposed(board: &Board) -> Board {
    let mut board: Board = board.iter().map(|&(row, column)| (column, row)).collect();
    board.sort_unstable();
    board
}

/// Judges generated texts.
fn judge_combinations(seed: u64) {
    let combinations = all_pairs(AXES, EXCLUDED_COMBINATIONS, seed);
    assert_covers(AXES, EXCLUDED_COMBINATIONS, &combinations);
    let mut measure = Measure::default();
    let mut rng = Rng::with_seed(seed);
    for combination in &combinations {
        let n = combination.get("n").parse().expect("a size");
        // If columns come first, a fault moves a queen along a column, and the text contains the row of each column.
        let is_transposed = combination.get("order") == "columns first";
        measure.judge(combination, n, &mut rng, &|boards| {
            // Exchanging rows and columns maps the set of all solutions to itself.
            let boards: Vec<Board> = if is_transposed && boards.iter().all(is_permutation) {
                boards.iter().map(transposed).collect()
            } else {
                boards.to_vec()
            };
            text_of(combination, &boards, n)
        });
    }
    measure.assert_good("boards as numbers");
}

fn is_permutation(board: &Board) -> bool {
    transposed(board).iter().enumerate().all(|(i, &(row, _))| i == row)
}

#[test]
fn number_layouts_with_any_two_properties_are_judged() {
    judge_combinations(74);
}

#[test]
#[ignore = "takes ten times as long as the test with one seed"]
fn number_layouts_with_other_seeds_are_judged() {
    other_seeds().for_each(judge_combinations);
}
