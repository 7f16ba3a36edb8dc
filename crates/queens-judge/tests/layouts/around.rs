//! The text around boards: headings, prompts, traces and statistics. `{n}` stands for the size, and `{count}` for the number of
//! boards.

use super::boards::Board;

/// Headings of a board, which stand on a separate line. `1` stands for the number of the board.
pub const HEADINGS: &[&str] = &[
    "none",
    "Solution 1:",
    "Solution #1",
    "1.",
    "No. 1",
    "Lösung Nr. 1",
    "Solución 1:",
    "Solution n° 1 :",
    "解 1",
    "Решение 1:",
    "--- Board 1 ---",
    "[1]",
    "Solution 1 of all",
];

/// The heading of board `i` of `count`.
pub fn heading(pattern: &str, i: usize, count: usize) -> Option<String> {
    match pattern {
        "none" => None,
        "Solution 1 of all" => Some(format!("Solution {i} of {count}")),
        _ => Some(pattern.replace('1', &i.to_string())),
    }
}

/// Text before the boards. [`OPEN_PROMPTS`] are not followed by a line feed, because the input of the user is not part of the
/// output.
pub const PROMPTS: &[&str] = &[
    "none",
    "Enter the size: ",
    "Bitte n eingeben: ",
    "How many queens? ",
    "Introduce el tamaño del tablero: {n}",
    "N-Queens Problem\n================",
    "Solving for n = {n} ...",
    "n={n}",
    "Found {count} solutions:",
    "Es gibt {count} Lösungen:",
];

/// The prompts without a line feed: the first row of a board follows on the same line.
pub const OPEN_PROMPTS: &[&str] = &["Enter the size: ", "Bitte n eingeben: ", "How many queens? "];

/// Prompts with the size behind a name.
pub const NAMED_PROMPTS: &[&str] =
    &["Introduce el tamaño del tablero: {n}", "Solving for n = {n} ...", "n={n}"];

/// Kinds of traces, which a program prints during the search.
pub const TRACES: &[&str] = &["none", "placing", "trying", "checks"];

/// The trace before a board: queens are placed, and some are removed.
pub fn trace(kind: &str, board: &Board) -> Vec<String> {
    let queens = board.iter().take(3);
    match kind {
        "none" => Vec::new(),
        "placing" => {
            let mut lines: Vec<String> =
                queens.map(|(row, column)| format!("Placing queen at ({row}, {column})")).collect();
            lines.push("Removing queen from (2, 0)".to_owned());
            lines
        }
        "trying" => {
            queens.flat_map(|(row, _)| [format!("Trying row {row}"), "backtrack".to_owned()]).collect()
        }
        "checks" => queens.map(|(row, column)| format!("DEBUG is_safe({row}, {column}) -> True")).collect(),
        _ => unreachable!("{kind}"),
    }
}

/// Text after the boards.
pub const STATISTICS: &[&str] = &[
    "none",
    "{count} solutions in 0.013 seconds",
    "Anzahl der Lösungen: {count}",
    "Total: {count}",
    "Total solutions found = {count}",
    "Soluciones encontradas: {count}",
    "Найдено решений: {count}",
    "解の数: {count}",
    "Nodes: 1234, backtracks: 56",
    "Elapsed time: 0.0132 ms",
    "Done.",
    "\nProcess finished with exit code 0",
    "\nreal\t0m0.003s\nuser\t0m0.002s\nsys\t0m0.001s",
];

/// Statistics with the number of boards behind a name.
pub const NAMED_STATISTICS: &[&str] = &[
    "Anzahl der Lösungen: {count}",
    "Total: {count}",
    "Total solutions found = {count}",
    "Soluciones encontradas: {count}",
    "Найдено решений: {count}",
    "解の数: {count}",
];

/// Puts the boards between a prompt and statistics.
pub fn surround(prompt: &str, statistics: &str, body: &str, n: usize, count: usize) -> String {
    let fill = |pattern: &str| pattern.replace("{n}", &n.to_string()).replace("{count}", &count.to_string());
    let mut text = match prompt {
        "none" => String::new(),
        _ if OPEN_PROMPTS.contains(&prompt) => prompt.to_owned(),
        _ => fill(prompt) + "\n",
    };
    text += body;
    if statistics != "none" {
        text += &fill(statistics);
        text.push('\n');
    }
    text
}

/// Encodings and line ends of a text.
pub const ENCODINGS: &[&str] = &[
    "LF",
    "CRLF",
    "CR",
    "no last line end",
    "trailing blanks",
    "UTF-8 with BOM",
    "UTF-16LE with BOM",
    "UTF-16BE with BOM",
];

/// The bytes of a text in an encoding.
pub fn encode(text: &str, encoding: &str) -> Vec<u8> {
    let encode_utf16 = |to_bytes: fn(u16) -> [u8; 2]| {
        ('\u{feff}'.to_string() + text).encode_utf16().flat_map(to_bytes).collect()
    };
    match encoding {
        "LF" => text.into(),
        "CRLF" => text.replace('\n', "\r\n").into(),
        "CR" => text.replace('\n', "\r").into(),
        "no last line end" => text.trim_end_matches('\n').into(),
        "trailing blanks" => text.replace('\n', "  \n").into(),
        "UTF-8 with BOM" => ('\u{feff}'.to_string() + text).into(),
        "UTF-16LE with BOM" => encode_utf16(u16::to_le_bytes),
        "UTF-16BE with BOM" => encode_utf16(u16::to_be_bytes),
        _ => unreachable!("{encoding}"),
    }
}
