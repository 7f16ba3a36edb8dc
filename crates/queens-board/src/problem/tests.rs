use super::*;
use crate::lines::rows;

fn problem(n: usize, variant: Variant) -> Problem {
    Problem::new(BoardSize::new(n).expect("a small board"), variant).expect("a problem")
}

fn puzzle() -> Variant {
    let rows = ["AAAAAA", "AABBBA", "AACAAA", "AACAAD", "AEEFFD", "AEEDDD"];
    Variant::Regions(Regions::from_rows(rows, 1).expect("six regions"))
}

/// Every assignment of a column to each row.
fn assignments(n: usize) -> impl Iterator<Item = Vec<u32>> {
    let assignment_count = n.pow(n as u32);
    (0..assignment_count).map(move |code| (0..n).map(|row| (code / n.pow(row as u32) % n) as u32).collect())
}

/// Every way to put one queen in each row and column.
fn permutations(n: usize) -> Vec<Vec<u32>> {
    let insert_last = |columns: &Vec<u32>| -> Vec<Vec<u32>> {
        let last = columns.len() as u32;
        let splits = (0..=columns.len()).map(|position| columns.split_at(position));
        splits.map(|(before, after)| [before, &[last], after].concat()).collect()
    };
    (0..n).fold(vec![Vec::new()], |shorter, _| shorter.iter().flat_map(insert_last).collect())
}

/// Whether a placement is a solution according to the lines of the problem, which `is_solution` does not use.
fn satisfies_lines(problem: &Problem, columns: &[u32]) -> bool {
    problem.lines().all(|line| {
        let queens =
            line.squares.iter().filter(|square| columns[square.row] as usize == square.column).count();
        queens == 1 || queens == 0 && line.rule == Rule::AtMostOne
    })
}

#[test]
fn problem_definitions_by_pairs_and_lines_agree() {
    for variant in Variant::NAMED {
        for n in 0..=6 {
            let problem = problem(n, variant.clone());
            for columns in assignments(n) {
                assert_eq!(
                    problem.satisfies_rules(&columns),
                    satisfies_lines(&problem, &columns),
                    "{problem} {columns:?}"
                );
            }
        }
    }
    let puzzle = problem(6, puzzle());
    let solutions: Vec<_> = assignments(6).filter(|columns| puzzle.is_solution(columns)).collect();
    let solutions_by_lines: Vec<_> =
        assignments(6).filter(|columns| satisfies_lines(&puzzle, columns)).collect();
    assert_eq!(solutions, solutions_by_lines);
    assert!(!solutions.is_empty());
}

#[test]
fn plain_problem_has_the_solutions_of_queens() {
    for n in 0..=6 {
        let problem = problem(n, Variant::Queens);
        for columns in assignments(n) {
            assert_eq!(problem.satisfies_rules(&columns), crate::is_solution(&columns));
        }
    }
}

/// Published counts: A000170, A051906, A099152, A051223, A007631, A000142.
#[test]
fn variants_have_the_published_numbers_of_solutions() {
    let published: [(Variant, [usize; 8]); 6] = [
        (Variant::Queens, [1, 1, 0, 0, 2, 10, 4, 40]),
        (Variant::Toroidal, [1, 1, 0, 0, 0, 10, 0, 28]),
        (Variant::Semiqueens, [1, 1, 1, 3, 7, 23, 83, 405]),
        (Variant::Superqueens, [1, 1, 0, 0, 0, 0, 0, 0]),
        (Variant::Reflecting, [1, 1, 0, 0, 2, 4, 0, 2]),
        (Variant::Rooks, [1, 1, 2, 6, 24, 120, 720, 5040]),
    ];
    for (variant, counts) in published {
        for (n, count) in counts.into_iter().enumerate() {
            let problem = problem(n, variant.clone());
            let count_by_definition =
                permutations(n).iter().filter(|columns| problem.is_solution(columns)).count();
            assert_eq!(count_by_definition, count, "{problem}, n = {n}");
        }
    }
}

#[test]
fn placed_and_forbidden_squares_restrict_solutions() {
    let square = |row, column| Square { row, column };
    let board = [1, 3, 0, 2];
    let plain_problem = problem(4, Variant::Queens);
    let allows_board =
        |problem: Result<Problem, ProblemError>| problem.expect("a problem").satisfies_rules(&board);
    assert!(allows_board(plain_problem.clone().place([square(1, 3)])));
    assert!(!allows_board(plain_problem.clone().place([square(1, 2)])));
    assert!(!allows_board(plain_problem.clone().forbid([square(2, 0)])));
    assert!(!allows_board(plain_problem.clone().exclude([Diagonal::Sum(4)])));
    assert!(!allows_board(plain_problem.clone().exclude([Diagonal::Difference(-1)])));
    for board in [&[1, 3, 0][..], &[1, 3, 0, 4], &[0, 2, 3, 1]] {
        assert!(!plain_problem.satisfies_rules(board), "{board:?}");
    }
}

#[test]
fn invalid_problems_are_refused() {
    let n = |n| BoardSize::large(n).expect("a board");
    let square = |row, column| Square { row, column };
    let text = str::to_owned;
    for (problem, error) in [
        ("queens;place=0:4", ProblemError::Outside { square: square(0, 4), n: n(4) }),
        ("queens;place=4:0", ProblemError::Outside { square: square(4, 0), n: n(4) }),
        ("queens;place=0:1;forbid=0:1", ProblemError::Contradiction(square(0, 1))),
        ("queens;place=0:1;exclude=s1", ProblemError::Contradiction(square(0, 1))),
        ("queens;exclude=d4", ProblemError::NoSuchDiagonal { diagonal: Diagonal::Difference(4), n: n(4) }),
        ("queens;exclude=s0,s1,s2,s3", ProblemError::FullLine(FullLine::Row(0))),
        ("queens;forbid=0:2,1:2,2:2,3:2", ProblemError::FullLine(FullLine::Column(2))),
        ("queens;forbid=0:0,1:0,2:0,3:0", ProblemError::FullLine(FullLine::Column(0))),
        (
            "regions;regions=AAAA/BBBB/CCCC/DDDD;forbid=0:3,1:3,2:3,3:3",
            ProblemError::FullLine(FullLine::Column(3)),
        ),
        ("queens;place=0:0;place=1:1", ProblemError::RepeatedPart(text("place"))),
        ("queens;forbid=0:0;place=1:1;forbid=2:0", ProblemError::RepeatedPart(text("forbid"))),
        ("queens;exclude=s1;exclude=s1", ProblemError::RepeatedPart(text("exclude"))),
        ("regions;regions=AB/A", ProblemError::RowLength { line: 2, letters: 1, rows: 2 }),
        ("regions;regions=AB/A1", ProblemError::NotALetter { line: 2, column: 2, letter: '1' }),
        ("regions;regions=AA/AA", ProblemError::RegionCount { regions: 1, rows: 2 }),
        ("regions;regions=AB/BA", ProblemError::OtherSize { rows: 2, n: n(4) }),
        ("regions", ProblemError::MissingRegions),
        ("queens;regions=AB/BA", ProblemError::UnknownPart(text("regions=AB/BA"))),
        ("", ProblemError::UnknownVariant(text(""))),
        ("kings", ProblemError::UnknownVariant(text("kings"))),
        ("queens;place=3", ProblemError::NotASquare(text("3"))),
        ("queens;exclude=x1", ProblemError::NotADiagonal(text("x1"))),
        ("queens;x", ProblemError::UnknownPart(text("x"))),
    ] {
        assert_eq!(Problem::from_text(n(4), problem), Err(error), "{problem}");
    }
    for text in ["toroidal", "queens;place=0:0"] {
        assert_eq!(Problem::from_text(n(2000), text), Err(ProblemError::TooLarge(n(2000))), "{text}");
    }
    assert_eq!(Problem::from_text(n(2000), "queens"), Ok(Problem::queens(n(2000))));
    assert!(Problem::from_text(n(1024), "queens;place=0:0").is_ok());
}

/// A lower-case letter is a different region from the upper-case letter.
#[test]
fn puzzle_with_more_than_26_regions_is_refused() {
    let letters: Vec<String> = ('A'..='Z').chain(['a']).map(|letter| letter.to_string().repeat(27)).collect();
    let error = Regions::from_rows(letters.iter().map(String::as_str), 1);
    assert_eq!(error, Err(ProblemError::TooManyRegions { line: 27, column: 1, letter: 'a' }));
}

#[test]
fn problem_text_round_trips() {
    let n = BoardSize::new(6).expect("small");
    for text in [
        "queens",
        "toroidal;place=0:3,5:1",
        "superqueens;forbid=2:2",
        "queens;place=1:1;forbid=0:0,2:4;exclude=s5,d-3",
        "regions;regions=AAAAAA/AABBBA/AACAAA/AACAAD/AEEFFD/AEEDDD;place=0:0",
    ] {
        let problem = Problem::from_text(n, text).expect(text);
        assert_eq!(problem.to_string(), text);
        assert_eq!(problem.is_plain(), text == "queens");
    }
    let problem = Problem::from_text(n, "queens;place=5:1,0:3").expect("a problem");
    assert_eq!(problem.placed(), [Square { row: 0, column: 3 }, Square { row: 5, column: 1 }]);
}

#[test]
fn canonical_text_renames_regions_but_text_does_not() {
    let n = BoardSize::new(3).expect("small");
    let problem = |rows: [&str; 3]| {
        Problem::new(n, Variant::Regions(Regions::from_rows(rows, 1).expect("three regions")))
            .expect("a puzzle")
    };
    let (original, renamed) = (problem(["BBA", "CAA", "CCC"]), problem(["AAB", "CBB", "CCC"]));
    assert_eq!(original.to_string(), "regions;regions=BBA/CAA/CCC");
    assert_eq!(original.canonical_text(), "regions;regions=AAB/CBB/CCC");
    assert_eq!(renamed.canonical_text(), renamed.to_string());
    let square = |row, column| Square { row, column };
    assert_eq!(original.variant().shared(square(0, 0), square(1, 1)), "touching");
    assert_eq!(original.variant().shared(square(1, 0), square(2, 1)), "same region C");
    assert_eq!(original.variant().shared(square(0, 2), square(1, 1)), "same region A");
    for (puzzle, letter) in [(original, 'B'), (renamed, 'A')] {
        let expected = ProblemError::FullLine(FullLine::Region(letter));
        assert_eq!(puzzle.forbid([square(0, 0), square(0, 1)]), Err(expected));
    }
}

#[test]
fn symmetries_map_solutions_to_solutions() {
    let restricted_problem =
        problem(5, Variant::Queens).forbid([Square { row: 0, column: 0 }]).expect("a problem");
    let counts =
        [(Variant::Queens, 8), (Variant::Toroidal, 8), (Variant::Superqueens, 8), (Variant::Rooks, 8)];
    let mut problems: Vec<(Problem, usize)> =
        counts.into_iter().map(|(variant, count)| (problem(5, variant), count)).collect();
    problems.push((problem(5, Variant::Semiqueens), 4));
    problems.push((problem(5, Variant::Reflecting), 2));
    problems.push((restricted_problem, 2));
    for (problem, count) in problems {
        let symmetries = problem.symmetries();
        assert_eq!(symmetries.len(), count, "{problem}");
        for columns in assignments(5).filter(|columns| problem.is_solution(columns)) {
            for symmetry in &symmetries {
                let mut image = vec![0; 5];
                symmetry.map(&columns, &mut image);
                assert!(problem.is_solution(&image), "{problem} {columns:?} {symmetry:?}");
            }
        }
    }
    let image_columns = rows(3).flatten().map(|square| Symmetry::LEFT_RIGHT.square(3, square).column);
    assert_eq!(image_columns.take(3).collect::<Vec<_>>(), [2, 1, 0]);
}

/// Checks every pair of squares that attack each other.
#[test]
fn description_of_attack_names_the_shared_line() {
    let squares: Vec<Square> = rows(5).flatten().collect();
    for variant in Variant::NAMED {
        for (a, b) in squares.iter().flat_map(|&a| squares.iter().map(move |&b| (a, b))) {
            if a == b || !variant.attacks(5, a, b) {
                continue;
            }
            let shared_lines =
                [("row", a.row == b.row), ("column", a.column == b.column), ("diagonal", a.attacks(b))];
            let special_attack = match &variant {
                Variant::Toroidal => "same diagonal, which continues on the opposite side",
                Variant::Reflecting => "same diagonal, which is reflected at the top",
                _ => "a knight's move apart",
            };
            let shared_line = shared_lines.iter().find(|(_, is_shared)| *is_shared);
            let expected = shared_line.map_or(special_attack.to_owned(), |(line, _)| format!("same {line}"));
            assert_eq!(variant.shared(a, b), expected, "{variant:?} {a:?} {b:?}");
        }
    }
    let puzzle = puzzle();
    let square = |row, column| Square { row, column };
    assert_eq!(puzzle.shared(square(0, 0), square(0, 1)), "same row");
    assert_eq!(puzzle.shared(square(0, 0), square(1, 0)), "same column");
}

#[test]
fn open_squares_exclude_forbidden_squares_and_placed_rows() {
    let problem =
        Problem::from_text(BoardSize::new(5).expect("small"), "queens;place=0:3,2:1,2:4;forbid=1:0");
    let problem = problem.expect("a problem");
    let placed_queens = [(0, 3), (2, 1), (2, 4)];
    for square in rows(5).flatten() {
        let is_compatible = |&(row, column): &(usize, usize)| row != square.row || column == square.column;
        let expected = (square.row, square.column) != (1, 0) && placed_queens.iter().all(is_compatible);
        assert_eq!(problem.is_open(square), expected, "{square:?}");
    }
}

#[test]
fn line_consists_of_distinct_squares_of_the_board() {
    let small_problems =
        Variant::NAMED.into_iter().flat_map(|variant| (0..=6).map(move |n| problem(n, variant.clone())));
    for problem in small_problems.chain([problem(6, puzzle())]) {
        let n = problem.n().get();
        for line in problem.lines() {
            assert!(
                line.squares.iter().all(|square| square.row < n && square.column < n),
                "{problem}: {line:?}"
            );
            assert!(
                line.squares.len() >= if line.rule == Rule::AtMostOne { 2 } else { 1 },
                "{problem}: {line:?}"
            );
            let mut distinct_squares = line.squares.clone();
            distinct_squares.sort_unstable();
            distinct_squares.dedup();
            assert_eq!(distinct_squares.len(), line.squares.len(), "{problem}: {line:?}");
        }
    }
}

#[test]
fn diagonal_has_squares_with_its_sum_or_difference() {
    let squares_with = |condition: &dyn Fn(i32, i32) -> bool| -> Vec<Square> {
        rows(4).flatten().filter(|square| condition(square.row as i32, square.column as i32)).collect()
    };
    for number in -5..=8 {
        let expected_squares = squares_with(&|row, column| row - column == number);
        assert!(Diagonal::Difference(number).squares(4).eq(expected_squares), "d{number}");
        let expected_squares = squares_with(&|row, column| row + column == number.abs());
        assert!(Diagonal::Sum(number.unsigned_abs()).squares(4).eq(expected_squares), "s{}", number.abs());
    }
}

#[test]
fn title_of_problem_states_size_and_rules() {
    let title = |text| Problem::from_text(BoardSize::new(5).expect("small"), text).expect(text).title();
    assert_eq!(title("queens"), "5 queens");
    assert_eq!(title("toroidal"), "5 queens (toroidal)");
    assert_eq!(title("queens;place=0:1,2:2;forbid=4:4"), "5 queens (2 placed, 1 forbidden)");
    assert_eq!(title("rooks;exclude=d4,s1"), "5 queens (rooks, 3 forbidden)");
}

#[test]
fn column_shift_preserves_only_toroidal_and_rook_problems() {
    for (text, is_invariant) in [
        ("queens", false),
        ("toroidal", true),
        ("semiqueens", false),
        ("superqueens", false),
        ("reflecting", false),
        ("rooks", true),
        ("toroidal;place=0:0", false),
        ("toroidal;forbid=0:0", false),
        ("rooks;exclude=d0", false),
    ] {
        let problem = Problem::from_text(BoardSize::new(5).expect("small"), text).expect(text);
        assert_eq!(problem.is_invariant_under_column_shifts(), is_invariant, "{text}");
    }
}

#[test]
fn has_symmetries_requires_all_given_symmetries() {
    for text in ["queens", "toroidal", "semiqueens", "reflecting", "queens;place=0:0", "queens;forbid=0:2"] {
        let problem = Problem::from_text(BoardSize::new(5).expect("small"), text).expect(text);
        let symmetries = problem.symmetries();
        assert!(problem.has_symmetries(&[]) && problem.has_symmetries(&symmetries));
        for (index, symmetry) in Symmetry::ALL.into_iter().enumerate() {
            for subset in [&[symmetry][..], &[Symmetry::ALL[0], symmetry]] {
                assert_eq!(
                    problem.has_symmetries(subset),
                    symmetries.contains(&symmetry),
                    "{text}, symmetry {index}"
                );
            }
        }
    }
}
