use super::*;

fn stated_count(text: &str, n: usize) -> Option<u64> {
    count(&[(1, text.to_owned())], n).expect("one number")
}

#[test]
fn sentences_about_solutions_state_their_number() {
    for text in [
        "Solution does not exist",
        "No solution possible",
        "no solutions found.",
        "There is no solution for n = 3",
        "[]",
        "Solutions: []",
        "solutions = [ ]",
        "0 solutions",
        "Number of solutions: 0",
        "s UNSATISFIABLE",
        "There are no solutions for n = 2 or 3",
        "It is not possible to place 3 queens on a 3x3 board",
        "Solution doesn't exist!",
        "No solution in 0.1 ms",
        "Solutions found: none",
    ] {
        assert_eq!(stated_count(text, 3), Some(0), "{text}");
    }
    for text in [
        "92 solutions",
        "Found 92 solutions in 0.31 seconds",
        "Total: 92",
        "8 queens: 92 solutions",
        "There are 92 distinct solutions for n = 8",
        "Number of solutions for 8 queens = 92",
        "Total solutions -> 92",
        "92 solutions (took 0.000 s)",
        "Found 92 solutions (0.31s).",
        "Enter n: 92",
        "Board size? 92",
        "How many queens? Total: 92",
        "> 92 solutions",
        "92",
    ] {
        assert_eq!(stated_count(text, 8), Some(92), "{text}");
    }
}

#[test]
fn count_is_not_read_from_errors_or_labels() {
    for text in [
        "error: input file does not exist",
        "does not exist",
        "error []",
        "error: no solution",
        "could not open []",
        "no solution found yet",
        "no more solutions",
        "Is there no solution?",
        "not no solution",
        "No solution for n = 7",
        "Solution 1",
        "Solution #3",
        "n = 3",
        "3 queens",
        "main(String[]",
        "[[]",
        "",
        "Warning: no solutions were written, the disk is full",
        "not found",
        "There is no board file",
        "error: 92",
        "exit code: 0",
        "Solution: 1",
        "Is it 3?",
        "(took 0.000 s)",
    ] {
        assert_eq!(stated_count(text, 3), None, "{text}");
    }
    assert_eq!(stated_count("4 solutions for n = 6", 8), None);
}

#[test]
fn different_counts_on_one_line_are_an_error() {
    for text in [
        "92 solutions 91 solutions",
        "92 solutions  40 solutions",
        "92 solutions, 91 solutions",
        "Solutions: 92 Solutions: 91",
    ] {
        assert!(matches!(count(&[(1, text.to_owned())], 8), Err(StatementError::Several { .. })), "{text}");
    }
    for text in ["92 solutions 92 solutions", "92 solutions 12 fundamental solutions"] {
        assert_eq!(stated_count(text, 8), Some(92), "{text}");
    }
    for text in ["Solution 1   Solution 2", "Solution 1   Solution 2   Solution 3"] {
        assert_eq!(stated_count(text, 8), None, "{text}");
    }
}
