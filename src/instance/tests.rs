use super::*;
use crate::backtrack::dlx::{Items, Links};
use crate::board::Square;
use crate::board::problem::Diagonal;
use std::ops::ControlFlow;

fn solutions(problem: &Problem) -> Vec<Vec<u32>> {
    let mut solutions = Vec::new();
    let control_flow = Links::new(problem, Items::default()).search(&mut |squares, is_solution| {
        if !is_solution {
            return ControlFlow::Continue(());
        }
        let mut squares = squares.to_vec();
        squares.sort_unstable();
        let columns: Vec<u32> = squares.iter().map(|square| square.column as u32).collect();
        assert!(problem.is_solution(&columns), "{problem} {columns:?}");
        solutions.push(columns);
        ControlFlow::Continue(())
    });
    assert!(control_flow.is_continue());
    solutions
}

#[test]
fn instance_formats_are_recognised() {
    let square = |row, column| Square { row, column };
    let diagonals = read("n =  10\nnumdiags =  2\ndiags =  [[4, 1],\n [5, 0]]\n").expect("prob079");
    assert_eq!(diagonals.to_string(), "queens;exclude=s4,d-4");
    let blocked_squares = read("letting n =  4\nletting blocks =  [[1, 4], [2, 1]]").expect("prob080");
    assert_eq!(blocked_squares.to_string(), "queens;forbid=0:3,1:0");
    let completion =
        read("language ESSENCE' 1.0\nletting n be 5 $ rows\nletting init be [[1, 4]]").expect("prob079");
    assert_eq!(completion.placed(), [square(1, 4)]);
    let from_file =
        read("# a torus\nn = 5\nvariant = \"toroidal\"\nplace = \"0:3\"\nexclude_diagonals = \"s1\"")
            .expect("TOML");
    assert_eq!(from_file.to_string(), "toroidal;place=0:3;exclude=s1");
    let mixed_keys = read("n = 6\nplace = \"0:0\"\ninit = [[1, 2]]").expect("keys of both formats");
    assert_eq!(mixed_keys.to_string(), "queens;place=0:0,1:2");
    let puzzle = read("\n\nAAB\r\nABB\nCCC\n\n").expect("a puzzle");
    assert_eq!(puzzle.to_string(), "regions;regions=AAB/ABB/CCC");
    for problem in [diagonals, blocked_squares, completion, from_file, puzzle] {
        assert_eq!(read(to_toml(&problem)), Ok(problem));
    }
    let puzzle_with_other_letters = read("BBA\nCAA\nCCC\n").expect("a puzzle");
    assert!(
        to_toml(&puzzle_with_other_letters).contains(r#"regions = ["BBA", "CAA", "CCC"]"#),
        "the letters stay the same"
    );
}

#[test]
fn comments_and_byte_order_marks_are_ignored() {
    let without_comment = read("n = 8\ndiags = [[4, 1]]").expect("prob079");
    assert_eq!(read("n = 8 # 9\ndiags = [[4, 1]] # 5 0\n# [[6, 1]]\n"), Ok(without_comment.clone()));
    assert_eq!(read("n = 8 $ 9\ndiags = [[4, 1]] $ 5 0"), Ok(without_comment));
    for text in [
        "n = 4\ndiags = [[4, 1]]",
        "letting n = 4\nletting blocks = [[1, 4]]",
        "n = 5\nvariant = \"toroidal\"",
        "AAB\nABB\nCCC",
    ] {
        assert_eq!(read(format!("\u{feff}{text}")), read(text), "{text}");
    }
}

#[test]
fn type_and_encoding_errors_contain_no_rust_terms() {
    let text = "n = 4\nforbid = \"0:0\"\n";
    for saved_text in [text.replace('\n', "\r\n"), text.replace('\n', "\r"), format!("\u{feff}{text}")] {
        assert_eq!(read(&saved_text), read(text));
    }
    let utf16: Vec<u8> = format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let mut messages = format!("{}\n", read(&utf16).expect_err("UTF-16"));
    messages += &format!("{}\n", read(b"AAB\nA\xC4B\n").expect_err("Latin-1"));
    let texts = [
        "n = \"8\"",
        "n = -1",
        "n = 4\nfoo = 1",
        "n = 4\ndiags = [1]",
        "n = 4\ndiags = [[1]]",
        "n = 4\nplace = 0",
        "n = 4\ninit = [[0, -1]]",
        "n = 4\nregions = \"A\"",
        "n = {}",
        "n = 4\nvariant = \"a\\nb\"",
    ];
    for text in texts {
        messages += &format!("{}\n", read(text).expect_err(text));
    }
    for word in ["invalid type", "expected", "u32", "usize", "i64", "sequence", "struct", "field", "`"] {
        assert!(!messages.contains(word), "{word}: {messages}");
    }
    assert_eq!(messages.lines().count(), texts.len() + 2);
    wording::assert_wording!("instance", "errors of types and encodings", messages);
}

#[test]
fn instance_errors_name_line_and_column() {
    for (text, place) in [
        ("", None),
        ("AB\nA\n", None),
        ("\nAB\nA1\n", None),
        ("AB\nCA\n", None),
        ("letting n = 8, 9\nletting init = [[0, 1]]", Some((1, 14))),
        ("n = 8 9\ndiags = []", Some((1, 5))),
        ("n = [8]\ndiags = []", Some((1, 5))),
        ("n 8\ndiags = []", Some((1, 3))),
        ("5\nn = 10\ndiags = []", Some((1, 2))),
        ("n = 8\ndiags = [4, 1]", Some((2, 10))),
        ("n = 10\ndiags = [[4, 1], [2]]", Some((2, 18))),
        ("n = 8\ndiags = [[4, 1]\n", Some((2, 16))),
        ("n = 8\ndiags = []\ndiags = []", Some((3, 1))),
        ("n = 10\ndiags = [[40, 1]]", Some((2, 9))),
        ("n = 10\ndiags = [[4, 7]]", Some((2, 9))),
        ("n = 10\nnumdiags = 2\ndiags = [[4, 1]]", Some((3, 9))),
        ("diags = [[4, 1]]", None),
        ("letting n = 2000\nletting init = [[0, 1]]", Some((1, 13))),
        ("letting n = 4\nletting blocks = [[0, 1]]", Some((2, 18))),
        ("  letting n be 4\n  letting blocks be [[0, 1]]", Some((2, 21))),
        ("letting n = 4\nletting blocks = [[1, 5]]", None),
        ("n = 4\nfoo diags = []", Some((2, 5))),
        ("n = 4\nfoo = 5", Some((2, 1))),
        ("n = 4\nvariant = \"kings\"", Some((2, 11))),
        ("n = 4\nplaces = \"0:1\"", Some((2, 1))),
        ("n = 4\nplace = \"0:1\"\nforbid = \"0:1\"", None),
        ("n = 3\nregions = [\"AB\", \"AB\"]", None),
    ] {
        let error = read(text).expect_err(text);
        assert_eq!(error.place, place, "{text:?}: {error}");
        wording::assert_wording!("instance", &format!("{text:?}"), error);
    }
}

/// The table contains instances of CSPLib, each with the published answer and the number of solutions that another program counted.
#[test]
fn excluded_diagonals_have_the_published_numbers_of_solutions() {
    let table = include_str!("../../tests/data/excluded_diagonals_instances.csv");
    let mut comparison_count = 0;
    for row in table.lines().skip(1) {
        let fields: Vec<&str> = row.split(',').collect();
        let n: usize = fields[0].parse().expect("a size");
        if n > 11 {
            continue;
        }
        let pairs: Vec<String> =
            fields[3].split(' ').map(|pair| format!("[{}]", pair.replace(':', ", "))).collect();
        let problem = read(format!("n = {n}\ndiags = [{}]", pairs.join(", "))).expect(row);
        let count = solutions(&problem).len();
        assert_eq!(count.to_string(), fields[5], "{row}");
        assert_eq!(count > 0, fields[4] == "1", "{row}");
        comparison_count += 1;
    }
    assert!(comparison_count > 40, "{comparison_count}");
}

#[test]
fn generated_instances_match_the_request_and_are_repeatable() {
    let n = |n| BoardSize::new(n).expect("small");
    for seed in 0..20 {
        let diagonals = excluded_diagonals(n(10), 8, 4, seed).expect("eight diagonals");
        assert_eq!(diagonals.to_string().matches(',').count(), 7);
        assert_eq!(Some(diagonals), excluded_diagonals(n(10), 8, 4, seed));
        let completion = completion(n(8), 4, seed).expect("four queens");
        assert_eq!(completion.placed().len(), 4);
        let is_attacked = |a: &Square| completion.placed().iter().any(|b| a.attacks(*b));
        assert!(!completion.placed().iter().any(is_attacked));
    }
    assert_eq!(completion(n(3), 3, 1), None);
    assert_eq!(excluded_diagonals(n(4), 14, 1, 1), None);
    assert_eq!(
        read("n = 10\ndiags = [[4, 1]]").expect("one"),
        Problem::queens(n(10)).exclude([Diagonal::Sum(4)]).expect("one")
    );
}
