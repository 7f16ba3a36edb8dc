//! Generated drawn boards. Every pair of values of two axes occurs. The axes are, for example, queens, empty squares, separators,
//! frames, labels and prompts.

use fastrand::Rng;

use super::around::{
    ENCODINGS, HEADINGS, NAMED_PROMPTS, NAMED_STATISTICS, PROMPTS, STATISTICS, TRACES, encode, heading,
    surround, trace,
};
use super::boards::{Board, Fault, solution_boards, with_fault};
use super::design::{Axis, Combination, Exclusion, all_pairs, assert_covers};
use super::judged::{Faults, Outcome, outcome};
use super::measure::{Measure, other_seeds};
use queens_judge::AnswerKind;

/// The symbols of queens. `number` is the number of the row, from 1. `red square` is the empty square in another colour.
const QUEENS: &[&str] = &[
    "Q",
    "q",
    "♕",
    "♛",
    "👑",
    "X",
    "*",
    "#",
    "@",
    "D",
    "R",
    "K",
    "H",
    "W",
    "后",
    "Ф",
    "王",
    "O",
    "■",
    "●",
    "1",
    "number",
    "QQ",
    "Queen",
    "red square",
    "red letter",
    "✓",
];

/// The symbols of empty squares. Values that begin with `checks` alternate between two symbols or colours. `cut` is a blank, but
/// blanks at the end of a line are left out.
const EMPTIES: &[&str] = &[
    ".",
    "*",
    "-",
    "_",
    "0",
    "blank",
    "cut",
    "·",
    "+",
    "o",
    "□",
    "⬜",
    "E",
    "░░",
    "Empty",
    "x",
    "~",
    "checks . and blank",
    "checks / and blank",
    "checks ░ and blank",
    "checks ### and blank",
    "checks ░░ and ▓▓",
    "checks □ and ▪",
    "checks of colours",
];

const SEPARATORS: &[&str] = &[
    "none",
    "blank",
    "two blanks",
    "tab",
    "comma",
    "comma and blank",
    "|",
    " | ",
    "brackets",
    "ruled",
    "ruled Unicode",
];

const FRAMES: &[&str] = &["none", "ASCII", "Unicode", "double", "CP437", "stars", "lines above and below"];

const LABELS: &[&str] = &[
    "none",
    "left from 1",
    "left from 0",
    "ranks left",
    "ranks right",
    "letters above",
    "numbers above",
    "letters below",
    "ranks left, letters below",
    "letters and numbers all around",
];

const SPACINGS: &[&str] = &["none", "between boards", "after every row", "line between boards"];

const SIZES: &[&str] = &["4", "6", "5", "1", "7", "8"];

const AXES: &[Axis] = &[
    Axis { name: "queen", values: QUEENS },
    Axis { name: "empty", values: EMPTIES },
    Axis { name: "separator", values: SEPARATORS },
    Axis { name: "frame", values: FRAMES },
    Axis { name: "labels", values: LABELS },
    Axis { name: "spacing", values: SPACINGS },
    Axis { name: "heading", values: HEADINGS },
    Axis { name: "prompt", values: PROMPTS },
    Axis { name: "trace", values: TRACES },
    Axis { name: "statistics", values: STATISTICS },
    Axis { name: "encoding", values: ENCODINGS },
    Axis { name: "n", values: SIZES },
];

/// Empty squares that are blank, or of which every second one is blank.
const BLANK_EMPTIES: &[&str] = &[
    "blank",
    "cut",
    "checks . and blank",
    "checks / and blank",
    "checks ░ and blank",
    "checks ### and blank",
];

/// Labels with numbers.
const NUMBERED_LABELS: &[&str] = &[
    "left from 1",
    "left from 0",
    "ranks left",
    "ranks right",
    "numbers above",
    "ranks left, letters below",
    "letters and numbers all around",
];

/// Empty squares of several symbols.
const WIDE_EMPTIES: &[&str] = &["░░", "checks ### and blank", "checks ░░ and ▓▓"];

const EXCLUDED_COMBINATIONS: &[Exclusion] = &[
    Exclusion {
        values: &[("queen", &["*"]), ("empty", &["*"])],
        reason: "queen and empty are the same symbol",
    },
    Exclusion {
        values: &[("queen", &["O"]), ("empty", &["0", "o"])],
        reason: "queen and empty look the same",
    },
    Exclusion {
        values: &[("queen", &["X"]), ("empty", &["x"])],
        reason: "queen and empty differ by case alone",
    },
    Exclusion {
        values: &[("queen", &["#"]), ("empty", &["checks ### and blank"])],
        reason: "queen and empty are the same symbol",
    },
    Exclusion {
        values: &[("queen", &["1", "number"]), ("empty", BLANK_EMPTIES)],
        reason: "a line with one number may be a queen's position",
    },
    Exclusion {
        values: &[("queen", &["1", "number"]), ("labels", NUMBERED_LABELS)],
        reason: "labels and queens are numbers",
    },
    Exclusion {
        values: &[("empty", &["0"]), ("labels", NUMBERED_LABELS)],
        reason: "labels and squares are numbers",
    },
    Exclusion {
        values: &[("queen", &["1", "number"]), ("n", &["1"])],
        reason: "a bare 1 may be a number of solutions",
    },
    Exclusion {
        values: &[("heading", &["1.", "[1]"]), ("n", &["1"])],
        reason: "the heading is a number that may be the board",
    },
    Exclusion {
        values: &[("n", &["1"]), ("empty", &["cut", "checks ### and blank", "checks of colours"])],
        reason: "a board of one square has no empty square",
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
        values: &[
            ("n", &["1"]),
            (
                "labels",
                &[
                    "left from 1",
                    "left from 0",
                    "ranks left",
                    "ranks right",
                    "letters above",
                    "numbers above",
                    "letters below",
                    "ranks left, letters below",
                    "letters and numbers all around",
                ],
            ),
        ],
        reason: "the label of one square may be the square",
    },
    Exclusion {
        values: &[("n", &["1"]), ("frame", &["lines above and below"])],
        reason: "the line over one square may be a square",
    },
    Exclusion {
        values: &[("queen", &["red square"]), ("n", &["1"])],
        reason: "one colour alone is not a board",
    },
    Exclusion { values: &[("frame", &["stars"]), ("queen", &["*"])], reason: "the frame is made of queens" },
    Exclusion {
        values: &[("frame", &["stars"]), ("empty", &["*"])],
        reason: "the frame is made of empty squares",
    },
    Exclusion {
        values: &[("frame", &["lines above and below"]), ("empty", &["-"])],
        reason: "the lines are made of empty squares",
    },
    Exclusion {
        values: &[("separator", &["none"]), ("queen", &["Queen"])],
        reason: "words run into each other",
    },
    Exclusion {
        values: &[("separator", &["none"]), ("empty", &["Empty"])],
        reason: "words run into each other",
    },
    Exclusion {
        values: &[("queen", &["Queen"]), ("empty", BLANK_EMPTIES)],
        reason: "a line with one word is prose",
    },
    Exclusion {
        values: &[
            ("queen", &["Queen"]),
            ("empty", &["░░", "checks ░░ and ▓▓", "checks of colours", "checks □ and ▪"]),
        ],
        reason: "a word does not fit into a drawn square",
    },
    Exclusion {
        values: &[("queen", &["QQ", "number"]), ("empty", WIDE_EMPTIES)],
        reason: "numbers and pairs of letters do not occur in wide squares",
    },
    Exclusion {
        values: &[("empty", &["cut"]), ("frame", &["ASCII", "Unicode", "double", "CP437", "stars"])],
        reason: "blanks before a frame are not at the end of a line",
    },
    Exclusion {
        values: &[
            ("empty", &["cut"]),
            ("separator", &["comma", "comma and blank", "|", " | ", "brackets", "ruled", "ruled Unicode"]),
        ],
        reason: "the last separator is at the end of the line",
    },
    Exclusion {
        values: &[("empty", &["cut"]), ("labels", &["ranks right", "letters and numbers all around"])],
        reason: "the label is at the end of the line",
    },
    Exclusion {
        values: &[("empty", &["cut"]), ("encoding", &["trailing blanks"])],
        reason: "blanks at the end are left out and added",
    },
    Exclusion {
        values: &[
            ("empty", BLANK_EMPTIES),
            ("prompt", &["Enter the size: ", "Bitte n eingeben: ", "How many queens? "]),
        ],
        reason: "the prompt moves the first row",
    },
    Exclusion {
        values: &[
            ("queen", &["Queen"]),
            ("prompt", &["Enter the size: ", "Bitte n eingeben: ", "How many queens? "]),
        ],
        reason: "the first row and the prompt are words of one line",
    },
    Exclusion {
        values: &[
            ("empty", &["Empty"]),
            ("prompt", &["Enter the size: ", "Bitte n eingeben: ", "How many queens? "]),
        ],
        reason: "the first row and the prompt are words of one line",
    },
    Exclusion {
        values: &[("frame", &["CP437"]), ("queen", &["♕", "♛", "👑", "后", "Ф", "王", "●", "✓"])],
        reason: "the symbol is not in code page 437",
    },
    Exclusion {
        values: &[("frame", &["CP437"]), ("empty", &["□", "⬜", "checks □ and ▪"])],
        reason: "the symbol is not in code page 437",
    },
    Exclusion {
        values: &[("frame", &["CP437"]), ("heading", &["解 1", "Решение 1:"])],
        reason: "the letters are not in code page 437",
    },
    Exclusion {
        values: &[("frame", &["CP437"]), ("statistics", &["Найдено решений: {count}", "解の数: {count}"])],
        reason: "the letters are not in code page 437",
    },
    Exclusion {
        values: &[
            ("frame", &["CP437"]),
            ("encoding", &["UTF-8 with BOM", "UTF-16LE with BOM", "UTF-16BE with BOM"]),
        ],
        reason: "a text has one encoding",
    },
];

/// The symbols of a layout.
struct Symbols {
    queen: &'static str,
    empty: &'static str,
    width: usize,
}

impl Symbols {
    fn from_combination(combination: &Combination) -> Self {
        let (queen, empty) = (combination.get("queen"), combination.get("empty"));
        let queen_width = match queen {
            "QQ" => 2,
            "Queen" => 5,
            _ => 1,
        };
        let empty_width = match empty {
            "░░" | "checks ░░ and ▓▓" => 2,
            "checks ### and blank" => 3,
            "Empty" => 5,
            _ => 1,
        };
        Self { queen, empty, width: queen_width.max(empty_width) }
    }

    /// A square in the width of all squares.
    fn cell(&self, row: usize, column: usize, is_queen: bool) -> String {
        let is_dark = (row + column) % 2 == 1;
        let empty = match (self.empty, is_dark) {
            ("blank" | "cut", _) => " ",
            ("checks . and blank", true) => ".",
            ("checks / and blank", true) => "/",
            ("checks ░ and blank", true) => "░",
            ("checks ### and blank", true) => "#",
            ("checks ░░ and ▓▓", true) => "░",
            ("checks ░░ and ▓▓", false) => "▓",
            ("checks □ and ▪", true) => "▪",
            ("checks □ and ▪", false) => "□",
            ("░░", _) => "░",
            (empty, _) if empty.starts_with("checks") => " ",
            (empty, _) => empty,
        };
        // A single symbol fills a wide square, unless the squares are as wide as words.
        let empty_cell = if self.width <= 3 && empty.chars().count() == 1 {
            empty.repeat(self.width)
        } else {
            format!("{empty:<width$}", width = self.width)
        };
        let queen = match self.queen {
            "number" => (row + 1).to_string(),
            "red square" => empty_cell.clone(),
            "red letter" => "Q".to_owned(),
            queen => queen.to_owned(),
        };
        let queen = if self.width == 3 {
            format!("{queen:^3}")
        } else {
            format!("{queen:<width$}", width = self.width)
        };
        let symbol = if is_queen { queen } else { empty_cell };
        match (self.queen, self.empty) {
            ("red square", _) if is_queen => format!("\u{1b}[41m{symbol}\u{1b}[0m"),
            (_, "checks of colours") if is_dark => format!("\u{1b}[40m{symbol}\u{1b}[0m"),
            (_, "checks of colours") => format!("\u{1b}[47m{symbol}\u{1b}[0m"),
            ("red letter", _) if is_queen => format!("\u{1b}[31m{symbol}\u{1b}[0m"),
            _ => symbol,
        }
    }
}

/// The symbols of a frame around a board.
struct Frame {
    corners: [&'static str; 4],
    horizontal: &'static str,
    side: &'static str,
}

const fn frame(kind: &str) -> Option<Frame> {
    let (corners, horizontal, side) = match kind.as_bytes() {
        b"ASCII" => (["+", "+", "+", "+"], "-", "|"),
        b"Unicode" => (["┌", "┐", "└", "┘"], "─", "│"),
        b"double" | b"CP437" => (["╔", "╗", "╚", "╝"], "═", "║"),
        b"stars" => (["*", "*", "*", "*"], "*", "*"),
        b"lines above and below" => (["", "", "", ""], "-", ""),
        _ => return None,
    };
    Some(Frame { corners, horizontal, side })
}

/// The column labels at the distances of the squares.
fn column_labels(n: usize, letters: bool, width: usize, separator: &str) -> String {
    let labels: Vec<String> = (0..n)
        .map(|column| if letters { char::from(b'a' + column as u8).to_string() } else { column.to_string() })
        .map(|label| format!("{label:<width$}"))
        .collect();
    let gap = if separator == "\t" { "\t".to_owned() } else { " ".repeat(separator.chars().count()) };
    labels.join(&gap)
}

/// The lines of a drawn board, and whether each line is a row of the board.
pub fn draw(combination: &Combination, board: &Board, n: usize) -> Vec<(String, bool)> {
    let symbols = Symbols::from_combination(combination);
    let separator = combination.get("separator");
    let (between, padding) = match separator {
        "none" => ("", ""),
        "blank" => (" ", ""),
        "two blanks" => ("  ", ""),
        "tab" => ("\t", ""),
        "comma" => (",", ""),
        "comma and blank" => (", ", ""),
        "|" => ("|", ""),
        " | " => (" | ", ""),
        "brackets" => ("][", ""),
        "ruled" => ("|", " "),
        "ruled Unicode" => ("│", " "),
        _ => unreachable!("{separator}"),
    };
    let (open, close) = if separator == "brackets" { ("[", "]") } else { ("", "") };
    let frame = frame(combination.get("frame"));
    let labels = combination.get("labels");
    // If squares are separated by blanks, blanks also separate them from the frame.
    let frame_gap = if frame.is_some() && separator == "blank" { " " } else { "" };
    let (has_left_labels, has_right_labels) = match labels {
        "left from 1" | "left from 0" | "ranks left" | "ranks left, letters below" => (true, false),
        "ranks right" => (false, true),
        "letters and numbers all around" => (true, true),
        _ => (false, false),
    };
    let indent = if has_left_labels { "  " } else { "" };
    let cell_width = symbols.width + 2 * padding.len();
    let width =
        n * cell_width + (n - 1) * between.chars().count() + open.len() + close.len() + 2 * frame_gap.len();
    let side = frame.as_ref().map_or("", |frame| frame.side);
    let mut lines = Vec::new();
    let header = |letters: bool| {
        let gap = " ".repeat(side.chars().count() + frame_gap.len() + open.len() + padding.len());
        let separator = format!("{padding}{between}{padding}");
        format!("{indent}{gap}{}", column_labels(n, letters, symbols.width, &separator))
    };
    match labels {
        "letters above" | "letters and numbers all around" => lines.push((header(true), false)),
        "numbers above" => lines.push((header(false), false)),
        _ => {}
    }
    let crossing = match separator {
        "ruled" => Some(("+", "-")),
        "ruled Unicode" => Some(("┼", "─")),
        _ => None,
    };
    let horizontal_line = |left_corner: &str, right_corner: &str, frame: &Frame| {
        // An ASCII frame of ruled squares has crossings in its upper and lower lines.
        let line = match crossing {
            Some((crossing, _)) if frame.corners[0] == "+" => {
                vec![frame.horizontal.repeat(cell_width); n].join(crossing)
            }
            _ => frame.horizontal.repeat(width),
        };
        format!("{indent}{left_corner}{line}{right_corner}")
    };
    if let Some(frame) = &frame {
        lines.push((horizontal_line(frame.corners[0], frame.corners[1], frame), false));
    }
    for row in 0..n {
        let cells: Vec<String> = (0..n)
            .map(|column| {
                let cell = symbols.cell(row, column, board.contains(&(row, column)));
                format!("{padding}{cell}{padding}")
            })
            .collect();
        let mut line = format!("{side}{frame_gap}{open}{}{close}{frame_gap}{side}", cells.join(between));
        let label = match labels {
            "left from 0" => row,
            "ranks left" | "ranks right" | "ranks left, letters below" => n - row,
            _ => row + 1,
        };
        if has_left_labels {
            line = format!("{label} {line}");
        }
        if has_right_labels {
            line = format!("{line} {label}");
        }
        if combination.get("empty") == "cut" {
            line.truncate(line.trim_end().len());
        }
        if let Some((crossing, horizontal)) = crossing.filter(|_| row > 0) {
            let rule = vec![horizontal.repeat(cell_width); n].join(crossing);
            let (start, end) = match side {
                "|" => ("+", "+"),
                "" => ("", ""),
                side => (side, side),
            };
            lines.push((format!("{indent}{start}{rule}{end}"), false));
        }
        lines.push((line, true));
    }
    if let Some(frame) = &frame {
        lines.push((horizontal_line(frame.corners[2], frame.corners[3], frame), false));
    }
    if matches!(labels, "letters below" | "ranks left, letters below" | "letters and numbers all around") {
        lines.push((header(true), false));
    }
    lines
}

/// Encodes a text in code page 437. Only the characters of these tests are supported.
fn encode_cp437(text: &str) -> Vec<u8> {
    let byte = |c: char| match c {
        '\0'..='\x7f' => c as u8,
        '░' => 0xb0,
        '▓' => 0xb2,
        '│' => 0xb3,
        '║' => 0xba,
        '╗' => 0xbb,
        '╝' => 0xbc,
        '─' => 0xc4,
        '┼' => 0xc5,
        '╚' => 0xc8,
        '╔' => 0xc9,
        '═' => 0xcd,
        '■' => 0xfe,
        '·' => 0xfa,
        'ö' => 0x94,
        'ó' => 0xa2,
        'ñ' => 0xa4,
        '°' => 0xf8,
        _ => panic!("'{c}' is not in the table"),
    };
    text.chars().map(byte).collect()
}

/// The text of some boards in a layout.
fn text_of(combination: &Combination, boards: &[Board], n: usize) -> Vec<u8> {
    let spacing = combination.get("spacing");
    let mut body = String::new();
    for (i, board) in (1..).zip(boards) {
        for line in trace(combination.get("trace"), board) {
            body += &(line + "\n");
        }
        if let Some(heading) = heading(combination.get("heading"), i, boards.len()) {
            body += &(heading + "\n");
        }
        for (line, is_row) in draw(combination, board, n) {
            body += &line;
            body.push('\n');
            if is_row && spacing == "after every row" {
                body.push('\n');
            }
        }
        body += match spacing {
            "none" => "",
            "line between boards" => "====================\n",
            _ => "\n",
        };
    }
    let text = surround(combination.get("prompt"), combination.get("statistics"), &body, n, boards.len());
    if combination.get("frame") == "CP437" {
        let encoding = combination.get("encoding");
        let text = encode(&text, encoding);
        return encode_cp437(&String::from_utf8(text).expect("UTF-8"));
    }
    encode(&text, combination.get("encoding"))
}

/// Judges generated texts.
fn judge_combinations(seed: u64) {
    let combinations = all_pairs(AXES, EXCLUDED_COMBINATIONS, seed);
    assert_covers(AXES, EXCLUDED_COMBINATIONS, &combinations);
    let mut measure = Measure::default();
    let mut rng = Rng::with_seed(seed);
    for combination in &combinations {
        let n = combination.get("n").parse().expect("a size");
        measure.judge(combination, n, &mut rng, &|boards| Some(text_of(combination, boards, n)));
    }
    measure.assert_good(&format!("drawn boards of seed {seed}"));
}

#[test]
fn drawn_layouts_with_any_two_properties_are_judged() {
    judge_combinations(47);
}

#[test]
#[ignore = "takes ten times as long as the test with one seed"]
fn drawn_layouts_with_other_seeds_are_judged() {
    other_seeds().for_each(judge_combinations);
}

/// If the symbol of an empty square also stood once in every row, the empty squares could be read as queens.
#[test]
fn only_queen_symbol_occurs_once_in_every_row() {
    for combination in all_pairs(AXES, EXCLUDED_COMBINATIONS, 47) {
        let n: usize = combination.get("n").parse().expect("a size");
        let symbols = Symbols::from_combination(&combination);
        for board in solution_boards(n).iter().filter(|_| n > 1) {
            let empty_cells = |row: usize| {
                let columns = (0..n).filter(move |&column| !board.contains(&(row, column)));
                columns.map(|column| symbols.cell(row, column, false)).collect::<Vec<String>>()
            };
            let rows: Vec<Vec<String>> = (0..n).map(empty_cells).collect();
            let is_single = |symbol: &String| {
                rows.iter().all(|row| row.iter().filter(|&other| other == symbol).count() == 1)
            };
            assert!(!rows[0].iter().any(is_single), "{:?}", combination.pairs().collect::<Vec<_>>());
        }
    }
}

/// If empty squares are points and blanks, a heading such as `10.` looks like a labelled row without a queen.
#[test]
fn numbered_headings_above_labelled_rows_are_not_rows() {
    let mut rng = Rng::with_seed(1);
    let mut texts = 0;
    for n in [4, 5, 6] {
        for [queen, between, labels] in products(&["Q", "王"], &["", " ", "  "], &["left", "both", "around"])
        {
            for [empty, heading, gap] in
                products(&["./", "/.", ".."], &["1.", "1)", "No. 1", "1:"], &["", "\n"])
            {
                let text_of = |boards: &[Board]| {
                    let mut text = String::new();
                    for (board, i) in boards.iter().zip(1..) {
                        text += &format!("{}\n", heading.replace('1', &i.to_string()));
                        let letters: Vec<&str> = "a b c d e f g h".split(' ').take(n).collect();
                        let letters = format!("  {}\n", letters.join(between));
                        let letters = if labels == "around" { &letters[..] } else { "" };
                        text += letters;
                        for row in 0..n {
                            let square = |column| match (
                                board.contains(&(row, column)),
                                &empty[(row + column) % 2..][..1],
                            ) {
                                (true, _) => queen,
                                (false, "/") => " ",
                                (false, empty) => empty,
                            };
                            let squares: Vec<&str> = (0..n).map(square).collect();
                            let label = row + 1;
                            let right_label =
                                if labels == "left" { String::new() } else { format!(" {label}") };
                            text += &format!("{label} {}{right_label}\n{gap}", squares.join(between));
                        }
                        text += letters;
                    }
                    text
                };
                let boards = solution_boards(n);
                let text = text_of(&boards);
                assert_eq!(outcome(text.as_bytes(), n, AnswerKind::All), Outcome::Correct, "{text}");
                let text = text_of(&with_fault(&boards, Fault::Lost, &mut rng));
                let faults = Faults { missing: 1, ..Faults::default() };
                assert_eq!(outcome(text.as_bytes(), n, AnswerKind::All), Outcome::Wrong(faults), "{text}");
                texts += 1;
            }
        }
    }
    assert_eq!(texts, 3 * 18 * 24);
}

/// All combinations of one value from each list.
fn products(
    first: &[&'static str],
    second: &[&'static str],
    third: &[&'static str],
) -> Vec<[&'static str; 3]> {
    let combinations_with =
        |&a: &&'static str| second.iter().flat_map(move |&b| third.iter().map(move |&c| [a, b, c]));
    first.iter().flat_map(combinations_with).collect()
}
