//! Generated drawn boards that stand side by side.

use fastrand::Rng;

use super::around::{PROMPTS, STATISTICS, surround};
use super::boards::Board;
use super::design::{Axis, Combination, Exclusion, all_pairs, assert_covers};
use super::grids::draw;
use super::measure::Measure;

/// The properties of a layout, each with its values.
const AXES: &[Axis] = &[
    Axis { name: "queen", values: &["Q", "♛", "X", "*", "D", "后", "1", "QQ", "red letter"] },
    Axis {
        name: "empty", values: &[".", "-", "_", "*", "0", "blank", "□", "·", "░░", "checks . and blank"]
    },
    Axis { name: "separator", values: &["none", "blank", "tab", "comma", "|", "brackets", "ruled"] },
    Axis { name: "frame", values: &["none", "ASCII", "Unicode", "double"] },
    Axis { name: "labels", values: &["none", "letters below"] },
    Axis { name: "gap", values: &["   ", "      ", "  |  ", "\t\t"] },
    Axis { name: "boards on a line", values: &["2", "3", "4"] },
    Axis { name: "heading", values: &["none", "numbers", "solutions"] },
    Axis { name: "prompt", values: PROMPTS },
    Axis { name: "statistics", values: STATISTICS },
    Axis { name: "n", values: &["4", "6", "5", "7"] },
];

const EXCLUDED_COMBINATIONS: &[Exclusion] = &[
    Exclusion {
        values: &[("queen", &["*"]), ("empty", &["*"])],
        reason: "queen and empty are the same symbol",
    },
    Exclusion {
        values: &[("queen", &["1"]), ("empty", &["blank", "checks . and blank"])],
        reason: "a line with few numbers may be anything",
    },
    Exclusion {
        values: &[
            ("empty", &["blank", "checks . and blank"]),
            ("frame", &["none"]),
            ("separator", &["none", "blank", "tab", "comma"]),
        ],
        reason: "nothing shows where a board ends",
    },
    Exclusion {
        values: &[("gap", &["  |  "]), ("separator", &["|", "ruled"])],
        reason: "squares and boards have the same separator",
    },
    Exclusion {
        values: &[("gap", &["\t\t"]), ("separator", &["tab"])],
        reason: "squares and boards have the same separator",
    },
    Exclusion {
        values: &[
            ("empty", &["blank", "checks . and blank"]),
            ("prompt", &["Enter the size: ", "Bitte n eingeben: ", "How many queens? "]),
        ],
        reason: "the prompt moves the first row",
    },
];

/// The number of characters outside of escape sequences.
fn visible_width(text: &str) -> usize {
    let parts = text.split('\u{1b}').enumerate();
    let behind_escape = |(i, part): (usize, &str)| {
        let escape = if i == 0 { 0 } else { part.find('m').map_or(0, |end| end + 1) };
        part.chars().count() - escape
    };
    parts.map(behind_escape).sum()
}

/// The text of some boards. The last line of boards may have fewer boards than the other lines.
fn text_of(combination: &Combination, boards: &[Board], n: usize) -> Vec<u8> {
    let gap = combination.get("gap");
    let mut body = String::new();
    let mut number = 0;
    for boards_on_line in boards.chunks(combination.get("boards on a line").parse().expect("a number")) {
        let drawings: Vec<Vec<(String, bool)>> =
            boards_on_line.iter().map(|board| draw(combination, board, n)).collect();
        let width = drawings[0].iter().map(|(line, _)| visible_width(line)).max().unwrap_or(0);
        let pad = |text: &str| text.to_owned() + &" ".repeat(width.saturating_sub(visible_width(text)));
        let headings = boards_on_line.iter().map(|_| {
            number += 1;
            pad(&match combination.get("heading") {
                "numbers" => format!("{number}."),
                _ => format!("Solution {number}"),
            })
        });
        let headings: Vec<String> = headings.collect();
        if combination.get("heading") != "none" {
            body += &(headings.join(gap) + "\n");
        }
        for line in 0..drawings[0].len() {
            let parts: Vec<String> = drawings.iter().map(|lines| pad(&lines[line].0)).collect();
            body += &(parts.join(gap) + "\n");
        }
        body.push('\n');
    }
    surround(combination.get("prompt"), combination.get("statistics"), &body, n, boards.len()).into_bytes()
}

#[test]
fn boards_side_by_side_are_judged() {
    let combinations = all_pairs(AXES, EXCLUDED_COMBINATIONS, 11);
    assert_covers(AXES, EXCLUDED_COMBINATIONS, &combinations);
    let mut measure = Measure::default();
    let mut rng = Rng::with_seed(11);
    for combination in &combinations {
        let n = combination.get("n").parse().expect("a size");
        measure.judge(combination, n, &mut rng, &|boards| Some(text_of(combination, boards, n)));
    }
    measure.assert_good("boards beside each other");
}
