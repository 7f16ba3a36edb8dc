use super::*;
use crate::board::lines::rows;

fn problem(n: usize, variant: Variant) -> Problem {
    Problem::new(BoardSize::new(n).expect("a small board"), variant).expect("a problem")
}

fn puzzle() -> Variant {
    let rows = ["AAAAAA", "AABBBA", "AACAAA", "AACAAD", "AEEFFD", "AEEDDD"];
    Variant::Regions(Regions::from_rows(rows).expect("six regions"))
}

/// Every assignment of a column to each row.
fn assignments(n: usize) -> impl Iterator<Item = Vec<u16>> {
    let total = n.pow(n as u32);
    (0..total).map(move |code| (0..n).map(|row| (code / n.pow(row as u32) % n) as u16).collect())
}

/// Judges by the lines: an independent reading of the definition.
fn holds_lines(problem: &Problem, columns: &[u16]) -> bool {
    problem.lines().all(|line| {
        let queens =
            line.squares.iter().filter(|square| usize::from(columns[square.row]) == square.column).count();
        queens == 1 || queens == 0 && line.rule == Rule::AtMostOne
    })
}

#[test]
fn the_definition_by_pairs_and_the_lines_agree_on_every_assignment() {
    for variant in Variant::NAMED {
        for n in 0..=6 {
            let problem = problem(n, variant.clone());
            for columns in assignments(n) {
                assert_eq!(
                    problem.fault(&columns).is_none(),
                    holds_lines(&problem, &columns),
                    "{problem} {columns:?}"
                );
            }
        }
    }
    let puzzle = problem(6, puzzle());
    let solutions: Vec<_> = assignments(6).filter(|columns| puzzle.is_solution(columns)).collect();
    let by_lines: Vec<_> = assignments(6).filter(|columns| holds_lines(&puzzle, columns)).collect();
    assert_eq!(solutions, by_lines);
    assert!(!solutions.is_empty());
}

#[test]
fn the_plain_problem_is_the_pairwise_definition_of_queens() {
    for n in 0..=6 {
        let problem = problem(n, Variant::Queens);
        for columns in assignments(n) {
            assert_eq!(problem.fault(&columns).is_none(), crate::board::is_solution(&columns));
        }
    }
}

/// Published counts: A000170, A051906, A099152, A051223, A007631, A000142.
#[test]
fn small_boards_have_the_published_numbers_of_solutions() {
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
            let found = assignments(n).filter(|columns| problem.is_solution(columns)).count();
            assert_eq!(found, count, "{problem}, n = {n}");
        }
    }
}

#[test]
fn restrictions_are_judged() {
    let square = |row, column| Square { row, column };
    let board = [1, 3, 0, 2];
    let plain = problem(4, Variant::Queens);
    let fault = |problem: Result<Problem, ProblemError>| problem.expect("a problem").fault(&board);
    assert_eq!(fault(plain.clone().place([square(1, 3)])), None);
    assert_eq!(fault(plain.clone().place([square(1, 2)])), Some(Fault::Missing(square(1, 2))));
    assert_eq!(fault(plain.clone().forbid([square(2, 0)])), Some(Fault::Forbidden(square(2, 0))));
    assert_eq!(fault(plain.clone().exclude([Diagonal::Sum(4)])), Some(Fault::Forbidden(square(1, 3))));
    assert_eq!(
        fault(plain.clone().exclude([Diagonal::Difference(-1)])),
        Some(Fault::Forbidden(square(0, 1)))
    );
    assert_eq!(plain.fault(&[1, 3, 0]), Some(Fault::OtherSize(3)));
    assert_eq!(plain.fault(&[1, 3, 0, 4]), Some(Fault::Outside(square(3, 4))));
    assert_eq!(plain.fault(&[0, 2, 3, 1]), Some(Fault::Attack(square(1, 2), square(2, 3))));
}

#[test]
fn invalid_problems_are_refused() {
    let square = |row, column| Square { row, column };
    let plain = problem(4, Variant::Queens);
    let outside = plain.clone().place([square(0, 4)]);
    assert_eq!(outside, Err(ProblemError::Outside { square: square(0, 4), n: 4 }));
    let both = plain.clone().forbid([square(0, 1)]).and_then(|problem| problem.place([square(0, 1)]));
    assert_eq!(both, Err(ProblemError::PlacedAndForbidden { square: square(0, 1) }));
    let diagonal = Diagonal::Difference(4);
    assert_eq!(plain.exclude([diagonal]), Err(ProblemError::NoSuchDiagonal { diagonal, n: 4 }));
    let size = Problem::new(BoardSize::new(5).expect("small"), puzzle());
    assert_eq!(size, Err(ProblemError::OtherSize { regions: 6, n: 5 }));
    let regions = |rows: &[&str]| Regions::from_rows(rows.iter().copied());
    assert_eq!(regions(&["AB", "A"]), Err(RegionsError::NotSquare { row: 2, letters: 1, rows: 2 }));
    assert_eq!(regions(&["AB", "A1"]), Err(RegionsError::NoLetter { row: 2, column: 2, found: '1' }));
    assert_eq!(regions(&["AA", "AA"]), Err(RegionsError::Count { regions: 1, rows: 2 }));
}

#[test]
fn the_text_of_a_problem_is_read_back() {
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
    for wrong in
        ["", "kings", "queens;place=3", "queens;place=6:0", "queens;exclude=x1", "queens;x", "regions"]
    {
        assert!(Problem::from_text(n, wrong).is_err(), "{wrong}");
    }
}

#[test]
fn symmetries_are_those_that_map_solutions_to_solutions() {
    let restricted = problem(5, Variant::Queens).forbid([Square { row: 0, column: 0 }]).expect("a problem");
    let counts =
        [(Variant::Queens, 8), (Variant::Toroidal, 8), (Variant::Superqueens, 8), (Variant::Rooks, 8)];
    let mut problems: Vec<(Problem, usize)> =
        counts.into_iter().map(|(variant, count)| (problem(5, variant), count)).collect();
    problems.push((problem(5, Variant::Semiqueens), 4));
    problems.push((problem(5, Variant::Reflecting), 2));
    problems.push((restricted, 2));
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
    let squares = rows(3).flatten().map(|square| Symmetry::LEFT_RIGHT.square(3, square).column);
    assert_eq!(squares.take(3).collect::<Vec<_>>(), [2, 1, 0]);
}
