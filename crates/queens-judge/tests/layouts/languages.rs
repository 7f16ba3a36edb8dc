//! The output of programs in many languages: debug output, tables, logs, progress and traces. Each layout is judged with all
//! solutions, and with faults.

use fastrand::Rng;
use queens_judge::AnswerKind;

use super::boards::{Fault, solution_boards, with_fault};
use super::judged::{Faults, Outcome, outcome};
use super::numbers::{Numbers, numbers_of};

/// A name, the size, the number of the first row and column, and the function that writes all boards.
type Layout = (&'static str, usize, usize, fn(&[Numbers]) -> String);

/// Writes the boards one by one. `write` gets the number of the board, from 1.
fn write_each(all: &[Numbers], write: impl Fn(usize, &Numbers) -> String) -> String {
    (1..).zip(all).map(|(i, board)| write(i, board)).collect()
}

/// The rows of a board as lines.
fn lines(board: &Numbers, queen: &str, empty: &str, separator: &str) -> String {
    board.rows(queen, empty, separator).join("\n") + "\n"
}

/// Writes the rows of a board one by one. `cells`: the queen, the empty square and the separator. `write` gets the number of the
/// row, from 1, and its squares.
fn rows(board: &Numbers, cells: [&str; 3], write: impl Fn(usize, &str) -> String) -> String {
    (1..).zip(board.rows(cells[0], cells[1], cells[2])).map(|(row, cells)| write(row, &cells)).collect()
}

/// The steps of a backtracking search. A board is written where a solution is found.
fn search(all: &[Numbers], write: impl Fn(&Numbers) -> String) -> String {
    fn extend(columns: &mut Vec<usize>, n: usize, step: &mut dyn FnMut(&[usize])) {
        step(columns);
        let free = if columns.len() < n { 0..n } else { 0..0 };
        for column in free {
            let attacks = |(row, &other): (usize, &usize)| other.abs_diff(column) == columns.len() - row;
            if !columns.contains(&column) && !columns.iter().enumerate().any(attacks) {
                columns.push(column);
                extend(columns, n, step);
                columns.pop();
            }
        }
    }
    let (mut text, mut boards, n) = (String::new(), all.iter(), all[0].n);
    extend(&mut Vec::new(), n, &mut |columns| {
        if let Some(column) = columns.last() {
            text += &format!("Placing queen at ({}, {column})\n", columns.len() - 1);
        }
        if columns.len() == n {
            text += &boards.next().map_or_else(String::new, &write);
        }
    });
    text + &boards.map(write).collect::<String>()
}

#[rustfmt::skip]
const LAYOUTS: &[Layout] = &[
    ("Haskell records", 5, 0, |all| write_each(all, |_, b| format!("Board {{queens = [{}]}}\n", b.join_queens(",", |r, c| format!("Pos {{row = {r}, col = {c}}}"))))),
    ("Rust dbg", 4, 0, |all| write_each(all, |_, b| format!("[src/main.rs:42:9] &board = [\n{}]\n", b.join_queens("", |_, c| format!("    {c},\n"))))),
    ("Rust structs", 5, 0, |all| write_each(all, |_, b| format!("Solution {{ n: 5, queens: [{}] }}\n", b.join_queens(", ", |r, c| format!("Queen {{ row: {r}, col: {c} }}"))))),
    ("OCaml toplevel", 4, 1, |all| format!("- : int list list = [{}]\n", all.iter().map(|b| format!("[{}]", b.values("; "))).collect::<Vec<_>>().join("; "))),
    ("Go structs", 5, 0, |all| write_each(all, |i, b| format!("{}: {{{}}}\n", i - 1, b.join_queens(" ", |r, c| format!("{{{r} {c}}}"))))),
    ("Go pointers", 6, 0, |all| write_each(all, |_, b| format!("&[{}]\n", b.values(" ")))),
    ("Prolog terms", 5, 1, |all| write_each(all, |_, b| format!("Qs = [{}] ;\n", b.join_queens(", ", |r, c| format!("q({r},{c})")))) + "false.\n"),
    ("R matrices", 5, 1, |all| write_each(all, |i, b| format!("[[{i}]]\n     [,1] [,2] [,3] [,4] [,5]\n{}\n", rows(b, ["   1", "   0", " "], |row, cells| format!("[{row},] {cells}\n"))))),
    ("R str", 6, 1, |all| format!("List of {}\n", all.len()) + &write_each(all, |_, b| format!(" $ : num [1:6] {}\n", b.values(" ")))),
    ("data frames", 6, 0, |all| write_each(all, |_, b| format!("   0  1  2  3  4  5\n{}\n", rows(b, ["Q", ".", "  "], |row, cells| format!("{}  {cells}\n", row - 1))))),
    ("Markdown tables", 5, 0, |all| write_each(all, |i, b| format!("## Lösung {i}\n\n| |a|b|c|d|e|\n|-|-|-|-|-|-|\n{}\n", rows(b, ["♕", " ", "|"], |row, cells| format!("|{}|{cells}|\n", 6 - row))))),
    ("indented JSON with ids", 5, 0, |all| format!("{{\n  \"n\": 5,\n  \"solutions\": [\n{}\n  ]\n}}\n", (1..).zip(all).map(|(i, b)| format!("    {{\n      \"id\": {i},\n      \"queens\": [\n        {}\n      ]\n    }}", b.values(",\n        "))).collect::<Vec<_>>().join(",\n"))),
    ("JSON lines", 6, 0, |all| write_each(all, |i, b| format!("{{\"solution\": {i}, \"board\": [\"{}\"]}}\n", b.rows("Q", ".", "").join("\", \"")))),
    ("chess squares", 5, 1, |all| write_each(all, |i, b| format!("{i:>3}. {}\n", b.squares(" ", "", b'A')))),
    ("pieces on squares", 4, 1, |all| write_each(all, |_, b| format!("\\setchessboard{{setpieces={{{}}}}}\n", b.squares(", ", "Q", b'a')))),
    ("CSV with a heading", 5, 1, |all| "no,q1,q2,q3,q4,q5\n".to_owned() + &write_each(all, |i, b| format!("{i},{}\n", b.values(",")))),
    ("tabs with a heading", 6, 0, |all| "row0\trow1\trow2\trow3\trow4\trow5\n".to_owned() + &write_each(all, |_, b| b.values("\t") + "\n")),
    ("a table in ASCII", 5, 0, |all| format!("+----+-----------+\n| Nr | Queens    |\n+----+-----------+\n{}+----+-----------+\n", write_each(all, |i, b| format!("| {i:2} | {} |\n", b.values(" "))))),
    ("console.table", 4, 0, |all| write_each(all, |_, b| format!("┌─────────┬─────┬─────┬─────┬─────┐\n│ (index) │  0  │  1  │  2  │  3  │\n├─────────┼─────┼─────┼─────┼─────┤\n{}└─────────┴─────┴─────┴─────┴─────┘\n", rows(b, ["'Q'", "'.'", " │ "], |row, cells| format!("│    {}    │ {cells} │\n", row - 1))))),
    ("progress in French", 5, 0, |all| format!("Résolution du problème des 5 reines...\n{}Terminé : temps 0,02 s\n", write_each(all, |i, b| format!("Solution n°{i} trouvée après {} essais\n{}", 17 * i + 3, lines(b, "R", ".", " "))))),
    ("progress in Polish", 6, 0, |all| "Szukam rozwiązań...\n".to_owned() + &write_each(all, |i, b| format!("Rozwiązanie {i}:\n{}\n", lines(b, "H", "-", " ")))),
    ("Chinese", 5, 0, |all| "正在求解八皇后...\n".to_owned() + &write_each(all, |i, b| format!("第{i}个解：\n{}", lines(b, "皇", "空", "")))),
    ("wide letters", 6, 0, |all| write_each(all, |i, b| format!("{i}番目\n{}\n", lines(b, "Ｑ", "・", "")))),
    ("coloured letters", 6, 0, |all| write_each(all, |_, b| lines(b, "\u{1b}[1;31mQ\u{1b}[0m", "\u{1b}[2m.\u{1b}[0m", " ") + "\n")),
    ("a trace of tries", 5, 0, |all| write_each(all, |_, b| format!("{}Found: [{}]\n", b.join_queens("", |r, c| format!("{}  try ({r}, {c}) -> ok\n", (0..c).map(|c| format!("  try ({r}, {c}) -> conflict\n")).collect::<String>())), b.values(", ")))),
    ("a trace of partial boards", 4, 0, |all| "place 0\nplace 0 2\nplace 0 3\nplace 0 3 1\nplace 1\n".to_owned() + &write_each(all, |_, b| format!("solution {}\n", b.values(" ")))),
    ("sentences", 5, 1, |all| write_each(all, |i, b| format!("Solution {i}\n{}", b.join_queens("", |r, c| format!("Queen {r} placed at row {r}, column {c}\n"))))),
    ("Spanish sentences", 4, 1, |all| write_each(all, |i, b| format!("Solución {i}: {}\n", b.join_queens(", ", |r, c| format!("reina {r} en columna {c}"))))),
    ("German sentences", 6, 0, |all| write_each(all, |i, b| format!("{i}. Lösung:\n{}\n", b.join_queens("", |r, c| format!("  Dame in Zeile {r} und Spalte {c}\n"))))),
    ("names of arrays", 6, 0, |all| write_each(all, |i, b| format!("Solution{i} = [{}]\n", b.values(", ")))),
    ("Java maps", 5, 0, |all| write_each(all, |_, b| format!("{{{}}}\n", b.join_queens(", ", |r, c| format!("{r}={c}"))))),
    ("rules below rows", 6, 0, |all| write_each(all, |i, b| format!("Solution {i}\n{}\n", rows(b, ["Q", " ", " | "], |_, cells| format!("| {cells} |\n-------------------------\n"))))),
    ("underscores in bars", 5, 0, |all| write_each(all, |_, b| format!(" _ _ _ _ _ \n{}\n", rows(b, ["Q", "_", "|"], |_, cells| format!("|{cells}|\n"))))),
    ("angle brackets", 4, 1, |all| write_each(all, |_, b| format!("({})\n", b.join_queens(",", |r, c| format!("<{r},{c}>"))))),
    ("Kotlin objects", 5, 0, |all| write_each(all, |_, b| b.join_queens(", ", |r, c| format!("Queen(row={r}, col={c})")) + "\n")),
    ("Elixir maps", 6, 0, |all| write_each(all, |_, b| format!("%{{{}}}\n", b.join_queens(", ", |r, c| format!("{r} => {c}"))))),
    ("Lisp pairs", 5, 0, |all| write_each(all, |_, b| format!("({})\n", b.join_queens(" ", |r, c| format!("({r} . {c})"))))),
    ("Lua tables", 4, 1, |all| write_each(all, |_, b| format!("{{ {} }}\n", b.join_queens(", ", |r, c| format!("[{r}] = {c}"))))),
    ("PHP var_dump", 4, 0, |all| write_each(all, |_, b| format!("array(4) {{\n{}}}\n", b.join_queens("", |r, c| format!("  [{r}]=>\n  int({c})\n"))))),
    ("Perl Dumper", 4, 0, |all| format!("$VAR1 = [\n{}\n        ];\n", all.iter().map(|b| format!("          [\n            {}\n          ]", b.values(",\n            "))).collect::<Vec<_>>().join(",\n"))),
    ("Z3 functions", 4, 0, |all| write_each(all, |_, b| format!("sat\n{}", b.join_queens("", |r, c| format!("  (define-fun q{r} () Int\n    {c})\n"))))),
    ("MATLAB vectors", 5, 1, |all| write_each(all, |_, b| format!("ans =\n\n     {}\n\n", b.values("     ")))),
    ("ASP answers", 4, 1, |all| format!("Reading from queens.lp\nSolving...\n{}SATISFIABLE\n\nCalls        : 1\nTime         : 0.004s (Solving: 0.00s 1st Model: 0.00s)\n", write_each(all, |i, b| format!("Answer: {i}\n{}\n", b.join_queens(" ", |r, c| format!("queen({r},{c})")))))),
    ("HTML tables", 4, 0, |all| write_each(all, |_, b| format!("<table>\n{}</table>\n", rows(b, ["Q", "&nbsp;", "</td><td>"], |_, cells| format!("<tr><td>{cells}</td></tr>\n"))))),
    ("a log with times", 5, 0, |all| write_each(all, |i, b| format!("2024-05-13 10:22:{} INFO  [main] solver - solution [{}]\n", i + 10, b.values(", ")))),
    ("a log of rows", 4, 0, |all| write_each(all, |_, b| rows(b, ["Q", ".", ""], |_, cells| format!("[INFO] {cells}\n")) + "[INFO]\n")),
    ("a time behind each board", 5, 0, |all| write_each(all, |i, b| format!("{}time: 0.{i} ms\n", lines(b, "X", "-", " ")))),
    ("a border of hashes", 5, 0, |all| write_each(all, |_, b| format!("#######\n{}#######\n", rows(b, ["Q", " ", ""], |_, cells| format!("#{cells}#\n"))))),
    ("semicolons between boards", 4, 0, |all| all.iter().map(|b| b.values(",")).collect::<Vec<_>>().join(";") + "\n"),
    ("slashes between boards", 5, 1, |all| all.iter().map(|b| b.values(" ")).collect::<Vec<_>>().join(" / ") + "\n"),
    ("numbers in hexadecimal behind boards", 6, 1, |all| write_each(all, |i, b| format!("solution #{i:02} -> {} (0x{i:04x})\n", b.values("-")))),
    ("psql", 5, 1, |all| format!(" q1 | q2 | q3 | q4 | q5 \n----+----+----+----+----\n{}({} rows)\n\n", write_each(all, |_, b| format!("  {}\n", b.values(" |  "))), all.len())),
    ("MySQL", 4, 1, |all| format!("+----+----+----+----+\n| q1 | q2 | q3 | q4 |\n+----+----+----+----+\n{}+----+----+----+----+\n", write_each(all, |_, b| format!("|  {} |\n", b.values(" |  "))))),
    ("a number and a time around boards", 6, 1, |all| write_each(all, |i, b| format!("{i}\t{}\t0.{:03}\n", b.values("\t"), i - 1))),
    ("XML", 5, 0, |all| format!("<solutions>\n{}</solutions>\n", write_each(all, |_, b| format!("  <solution>{}</solution>\n", b.join_queens("", |r, c| format!("<queen row='{r}' col='{c}'/>")))))),
    ("YAML blocks", 4, 0, |all| "solutions:\n".to_owned() + &write_each(all, |_, b| format!("- - {}\n", b.values("\n  - ")))),
    ("wide columns of Fortran", 5, 1, |all| write_each(all, |i, b| format!(" Solution           {i} :{}\n", b.join_queens("", |_, c| format!("{c:12}"))))),
    ("boxes of numbers", 4, 0, |all| write_each(all, |_, b| format!("┌─┬─┬─┬─┐\n│{}│\n└─┴─┴─┴─┘\n", b.values("│")))),
    ("a screen that is cleared", 4, 0, |all| write_each(all, |_, b| "\u{1b}[2J\u{1b}[H".to_owned() + &lines(b, "Q", ".", " "))),
    ("lists above boards", 5, 0, |all| write_each(all, |_, b| format!("[{}]\n{}\n", b.values(", "), lines(b, "Q", ".", "")))),
    ("squares above boards", 5, 0, |all| write_each(all, |_, b| format!("Queens at {}\n{}\n", b.join_queens(" ", |r, c| format!("{}{}", char::from(b'a' + c as u8), r + 1)), lines(b, "Q", ".", " ")))),
    ("pairs below boards", 4, 0, |all| write_each(all, |_, b| format!("{}[{}]\n\n", lines(b, "Q", "-", ""), b.join_queens(", ", |r, c| format!("({r}, {c})"))))),
    ("numbers on lines behind a prompt", 4, 1, |all| "Introduce el tamaño del tablero: 4\n".to_owned() + &write_each(all, |_, b| format!("{}\n-----\n", b.values("\n")))),
    ("boards as digits on one line", 4, 1, |all| all.iter().map(|b| b.values("")).collect::<Vec<_>>().join(" ") + "\n"),
    ("boards as digits on several lines", 6, 0, |all| all.chunks(3).map(|line| line.iter().map(|b| b.values("")).collect::<Vec<_>>().join("  ") + "\n").collect()),
    ("a list of strings of digits", 8, 1, |all| format!("['{}']\n", all.iter().map(|b| b.values("")).collect::<Vec<_>>().join("', '"))),
    ("rows as words on one line", 6, 0, |all| write_each(all, |i, b| format!("{i}: {}\n", b.rows("Q", ".", "").join(" ")))),
    ("rows of words", 5, 0, |all| write_each(all, |_, b| lines(b, "Queen", "Empty", " ") + "\n")),
    ("lists of words", 5, 0, |all| write_each(all, |_, b| format!("[['{}']]\n", b.rows("Queen", "Empty", "', '").join("'], ['")))),
    ("letters behind labels", 6, 0, |all| write_each(all, |i, b| format!("Solution {i}: {}\n", b.join_queens(" ", |_, c| char::from(b'A' + c as u8).to_string())))),
    ("a search and drawn boards, n = 4", 4, 0, |all| search(all, |b| format!("Solution found:\n{}\n", lines(b, "Q", ".", " ")))),
    ("a search and drawn boards, n = 7", 7, 0, |all| search(all, |b| lines(b, "Q", ".", "") + "\n")),
    ("a search and lists, n = 4", 4, 0, |all| search(all, |b| format!("[{}]\n", b.values(", ")))),
    ("a search and lists, n = 7", 7, 0, |all| search(all, |b| format!("found: {}\n", b.values(" ")))),
    ("boards between two long traces", 6, 0, |all| {
        let steps = |what: &str| (0..2000).map(|i| format!("{what} step {i}\n")).collect::<String>();
        steps("forward") + "\n" + &write_each(all, |_, b| lines(b, "Q", ".", "") + "\n") + &steps("back")
    }),
    ("boards beside each other below numbers", 5, 0, |all| all.chunks(3).map(|line| {
        let rows: Vec<Vec<String>> = line.iter().map(|b| b.rows("Q", ".", " ")).collect();
        let numbers = vec!["0 1 2 3 4"; line.len()].join("   ") + "\n";
        numbers + &(0..5).map(|row| rows.iter().map(|rows| rows[row].as_str()).collect::<Vec<_>>().join("   ") + "\n").collect::<String>() + "\n"
    }).collect()),
    ("rows as bits", 5, 0, |all| write_each(all, |_, b| lines(b, "1", "0", "") + "\n")),
];

#[test]
fn layouts_of_many_languages_are_judged() {
    let mut rng = Rng::with_seed(47);
    let mut failures = Vec::new();
    for &(name, n, base, write) in LAYOUTS {
        let boards = solution_boards(n);
        let correct = (boards.clone(), Outcome::Correct);
        let faulty_boards = |fault, illegal, repeated, missing, rng: &mut Rng| {
            (with_fault(&boards, fault, rng), Outcome::Wrong(Faults { illegal, repeated, missing }))
        };
        let lost_board = faulty_boards(Fault::Lost, 0, 0, 1, &mut rng);
        let repeated_board = faulty_boards(Fault::Repeated, 0, 1, 0, &mut rng);
        let moved_queen = faulty_boards(Fault::MovedInRow, 1, 0, 1, &mut rng);
        for (boards, expected) in [correct, lost_board, repeated_board, moved_queen] {
            let numbers = boards.iter().map(|board| numbers_of(board, n, base).expect("all rows"));
            let text = write(&numbers.collect::<Vec<Numbers>>());
            let result = outcome(text.as_bytes(), n, AnswerKind::All);
            if result != expected {
                failures.push(format!("--- {name}, n = {n}: {result:?} instead of {expected:?}\n{text}"));
            }
        }
    }
    assert!(failures.is_empty(), "{}\n{}", failures.len(), failures.join("\n"));
}
