//! Texts that state the number of solutions, or that there is none.

use queens_judge::AnswerKind;

use super::judged::{Outcome, outcome};

/// Sizes, and texts with the right number of solutions.
const RIGHT_COUNTS: &[(usize, &str)] = &[
    (8, "92\n"),
    (8, "92"),
    (8, "92L\n"),
    (8, "92n\n"),
    (8, "９２\n"),
    (8, "解：９２\n"),
    (8, "ans = 92\n"),
    (8, "How many queens? 8\n92\n"),
    (8, "Number of solutions for 8x8 board: 92\n"),
    (8, "All: 92, fundamental: 12\n"),
    (8, "fundamental: 12\nall: 92\n"),
    (8, "92 total, 12 unique\n"),
    (8, "92 solutions\n"),
    (8, "92 solutions.\n"),
    (8, "Total: 92\n"),
    (8, "Total = 92\n"),
    (8, "total: 92 solutions\n"),
    (8, "solutions: 92\n"),
    (8, "Solutions found: 92\n"),
    (8, "Number of solutions: 92\n"),
    (8, "The number of solutions is 92.\n"),
    (8, "Number of solutions for 8 queens: 92\n"),
    (8, "There are 92 ways to place 8 queens on an 8x8 board.\n"),
    (8, "There are 92 solutions to the 8 queens problem\n"),
    (8, "8 queens: 92\n"),
    (8, "8 queens: found 92 in 0.2 ms\n"),
    (8, "8-queens: 92 solutions\n"),
    (8, "n = 8: 92\n"),
    (8, "N=8 -> 92\n"),
    (8, "n=8, solutions=92\n"),
    (8, "Q(8) = 92\n"),
    (8, "count(8) = 92\n"),
    (8, "8: 92\n"),
    (8, "8,92,0.001\n"),
    (4, "4,2,0.000\n"),
    (4, "n,solutions,seconds\n4,2,0.000\n"),
    (4, "Board size 4 has 2 solutions. Calculated in 7µs.\n"),
    (8, "92 solutions, 1965 nodes\n"),
    (8, "92 solutions (12 fundamental)\n"),
    (8, "92 solutions, 12 of them unique\n"),
    (8, "Total: 92, unique: 12\n"),
    (8, "Unique: 12, total: 92\n"),
    (8, "12 fundamental solutions, 92 solutions in total\n"),
    (8, "Total solutions: 92\nUnique solutions: 12\n"),
    (8, "Fundamental solutions: 12\nAll solutions: 92\n"),
    (8, "Solutions: 92\nNodes: 2057\nBacktracks: 1965\nTime: 0.8 ms\n"),
    (8, "Nodes: 2057\nSolutions: 92\n"),
    (8, "Searching ...\nFound 92 solutions after 15720 steps.\n"),
    (8, "Enter the number of queens: 92\n"),
    (8, "Enter the number of queens: 8\nThere are 92 solutions.\n"),
    (8, "Enter n: Number of solutions: 92\n"),
    (12, "14,200\n"),
    (12, "14200 solutions\n"),
    (12, "14,200 solutions\n"),
    (12, "14.200 Lösungen\n"),
    (12, "14 200 solutions\n"),
    (12, "14_200\n"),
    (12, "14'200 Lösungen\n"),
    (12, "Solutions: 14,200 (1.2 s)\n"),
    (13, "n = 13: 73,712 solutions, 12.5 s\n"),
    (8, "Anzahl der Lösungen: 92\n"),
    (8, "Anzahl der Loesungen: 92\n"),
    (8, "Jumlah solusi: 92\n"),
    (8, "共找到 92 个解\n"),
    (8, "The number of distinct solutions is 92, of which 12 are fundamental.\n"),
    (8, "8 queens => 92 solutions in 2057 steps\n"),
    (8, "val it : int = 92\n"),
    (8, "- : int = 92\n"),
    (8, "{\"n\": 8, \"solutions\": 92}\n"),
    (8, "Es gibt 92 Lösungen.\n"),
    (8, "92 Lösungen gefunden\n"),
    (8, "Lösungen: 92, Knoten: 2057\n"),
    (8, "Número de soluciones: 92\n"),
    (8, "Hay 92 soluciones\n"),
    (8, "Se encontraron 92 soluciones en 3 ms\n"),
    (8, "Nombre de solutions : 92\n"),
    (8, "Il y a 92 solutions\n"),
    (8, "Numero di soluzioni: 92\n"),
    (8, "Número de soluções: 92\n"),
    (8, "Количество решений: 92\n"),
    (8, "Всего решений: 92\n"),
    (8, "解法:92\n"),
    (8, "解法：92\n"),
    (8, "共有92种解法\n"),
    (8, "解の数: 92\n"),
    (8, "Liczba rozwiązań: 92\n"),
    (8, "\u{1b}[32m92\u{1b}[0m solutions\n"),
    (8, "92\r\n"),
    (8, "\u{feff}92\n"),
    (8, "[1] 92\n"),
    (8, "'92'\n"),
    (8, "sum = 92\n"),
    (8, "result: 92\n"),
    (8, "Solution 1\nSolution 2\nTotal: 92\n"),
    (8, "ways: 92\n"),
    (
        6,
        "           4           2\n           5          10\n           6           4\n           7          40\n",
    ),
    (
        7,
        "           4           2\n           5          10\n           6           4\n           7          40\n",
    ),
    (8, "1 1\n2 0\n3 0\n4 2\n5 10\n6 4\n7 40\n8 92\n"),
    (3, "1 1\n2 0\n3 0\n4 2\n"),
    (8, " n  total  unique  time\n 7     40       6  0.1\n 8     92      12  0.4\n 9    352      46  1.9\n"),
    (
        8,
        "N    Solutions   Time (s)\n---  ----------  --------\n6    4           0.000\n8    92          0.001\n",
    ),
    (8, "| n | solutions |\n|---|---|\n| 7 | 40 |\n| 8 | 92 |\n"),
    (8, "n=6: 4\nn=7: 40\nn=8: 92\n"),
    (8, "6 queens: 4 solutions\n7 queens: 40 solutions\n8 queens: 92 solutions\n"),
    (8, "n;solutions\n6;4\n8;92\n"),
    (12, "n total\n11 2,680\n12 14,200\n"),
    (4, "2\n0.000107 time was taken(in miliseconds)\n"),
    (8, "{\"n\": 8, \"solutions\": 92, \"seconds\": 0.01}\n"),
];

/// Sizes, and texts with a wrong number of solutions.
const WRONG_COUNTS: &[(usize, &str)] = &[
    (8, "91\n"),
    (8, "12\n"),
    (8, "12 solutions\n"),
    (8, "Total: 46\n"),
    (8, "Anzahl der Lösungen: 12\n"),
    (8, "91 solutions, 92 nodes\n"),
    (4, "4,3,0.000\n"),
    (12, "14,201\n"),
    (8, "1 1\n2 0\n3 0\n4 2\n5 10\n6 4\n7 40\n8 93\n"),
    (8, "no solution\n"),
];

/// Sizes, and texts with no number of solutions or with two different numbers, which are neither right nor wrong.
const NOT_A_COUNT: &[(usize, &str)] = &[
    (8, "12 unique of 92\n"),
    (8, ""),
    (8, "\n"),
    (8, "error\n"),
    (8, "error 92\n"),
    (8, "Enter the number of queens: "),
    (8, "92\n93\n"),
    (8, "92 solutions\n12 solutions\n"),
    (8, "nodes: 92\n"),
    (8, "92 nodes\n"),
    (8, "took 92 ms\n"),
    (8, "92 ms\n"),
    (8, "92%\n"),
    (8, "line 92: syntax error\n"),
    (8, "Traceback (most recent call last):\n  File \"queens.py\", line 92, in <module>\n"),
    (8, "main.c:92:5: error: expected ';'\n"),
    (8, "error: 92 solutions expected\n"),
    (8, "9 2\n"),
    (8, "version 92\n"),
    (8, "7 40\n9 352\n"),
    (8, "step 1\nstep 2\nstep 92\n"),
    (8, "0x5c\n"),
    (8, "-92\n"),
    (8, "92.5\n"),
    (8, "1e2\n"),
    (8, "Segmentation fault (core dumped)\n"),
    (8, "n = 8\n"),
    (8, "8 queens\n"),
    (8, "Solving the 8 queens problem ...\n"),
];

/// Texts that state that there is no solution. `#` stands for the size.
const NO_SOLUTION: &[&str] = &[
    "No solution\n",
    "no solutions\n",
    "No solution exists.\n",
    "No solution found\n",
    "No solution possible\n",
    "No solutions found!\n",
    "Solution does not exist\n",
    "Solution doesn't exist\n",
    "There is no solution.\n",
    "There are no solutions for this board.\n",
    "Not Possible !!\n",
    "Not possible\n",
    "Impossible\n",
    "NO\n",
    "No\n",
    "False\n",
    "false\n",
    "None\n",
    "null\n",
    "[]\n",
    "0\n",
    "-1\n",
    "No soln\n",
    "N must be at least 4\n",
    "0 ways of placing # queens\n",
    "0 solutions\n",
    "Total solutions: 0\n",
    "Found 0 solutions in 0.001 seconds\n",
    "Number of solutions: 0\n",
    "UNSATISFIABLE\n",
    "unsat\n",
    "UNSAT\n",
    "=====UNSATISFIABLE=====\n",
    "s UNSATISFIABLE\n",
    "false.\n",
    "Keine Lösung\n",
    "Tidak ada solusi\n",
    "Çözüm yok\n",
    "Не существует\n",
    "Unable to place the queens\n",
    "Es gibt keine Lösung.\n",
    "Keine Lösung gefunden\n",
    "Anzahl der Lösungen: 0\n",
    "No hay solución\n",
    "No existe solución\n",
    "Aucune solution\n",
    "Pas de solution\n",
    "Nessuna soluzione\n",
    "Não há solução\n",
    "Нет решений\n",
    "Решений нет\n",
    "无解\n",
    "解なし\n",
    "해가 없습니다\n",
    "Brak rozwiązań\n",
    "Geen oplossing\n",
    "Enter the number of queens: ",
    "Enter the size: No solution\n",
    "Enter the number of queens: Solution does not exist\n",
    "How many queens? 0\n",
    "N-Queens Problem\n================\nNo solution\n",
    "clingo version 5.6.2\nReading from queens.lp\nSolving...\nUNSATISFIABLE\n\nModels       : 0\nCalls        : 1\n\
     Time         : 0.002s (Solving: 0.00s 1st Model: 0.00s Unsat: 0.00s)\nCPU Time     : 0.002s\n",
    "Placing queen at (0, 0)\nbacktrack\nPlacing queen at (0, 1)\nbacktrack\nNo solution\n",
    "No solution\n\nProcess finished with exit code 0\n",
];

/// Texts that do not state whether there is a solution.
const NO_ANSWER: &[&str] = &[
    "error: input file does not exist\n",
    "error: no solution file\n",
    "could not parse input []\n",
    "Traceback: main(argv=[])\n",
    "Segmentation fault (core dumped)\n",
    "no such file or directory\n",
    "usage: queens N\n",
    "Exception in thread \"main\" java.lang.ArrayIndexOutOfBoundsException: Index 0 out of bounds for length 0\n",
    "command not found\n",
    "no solution\n5 solutions\n",
    "TODO\n",
    "Killed\n",
];

fn assert_outcomes(texts: &[(usize, &str)], is_expected: fn(Outcome) -> bool) {
    let judged = texts.iter().map(|&(n, text)| (n, text, outcome(text.as_bytes(), n, AnswerKind::Count)));
    let failures: Vec<String> = judged
        .filter(|&(_, _, result)| !is_expected(result))
        .map(|(n, text, result)| format!("n = {n}: {result:?}: {text:?}"))
        .collect();
    assert!(failures.is_empty(), "{} of {}\n{}", failures.len(), texts.len(), failures.join("\n"));
}

#[test]
fn right_counts_are_correct_in_any_words() {
    assert_outcomes(RIGHT_COUNTS, |result| result == Outcome::Correct);
}

#[test]
fn wrong_counts_are_wrong() {
    assert_outcomes(WRONG_COUNTS, Outcome::is_wrong);
}

#[test]
fn texts_without_exactly_one_count_are_unreadable() {
    assert_outcomes(NOT_A_COUNT, |result| result == Outcome::Unreadable);
}

#[test]
fn stated_unsolvability_is_correct_for_2_and_3() {
    let mut failures = Vec::new();
    for text in NO_SOLUTION {
        for n in [2, 3, 4, 6] {
            let text = text.replace('#', &n.to_string());
            let result = outcome(text.as_bytes(), n, AnswerKind::All);
            let is_expected = if n < 4 { result == Outcome::Correct } else { result != Outcome::Correct };
            if !is_expected {
                failures.push(format!("n = {n}: {result:?}: {text:?}"));
            }
        }
    }
    assert!(failures.is_empty(), "{}\n{}", failures.len(), failures.join("\n"));
}

/// If the task is to state the number of solutions, "no solution" states the number 0.
#[test]
fn stated_unsolvability_is_correct_as_a_count() {
    let statements = NO_SOLUTION.iter().filter(|text| !text.ends_with(": "));
    let texts: Vec<(usize, &str)> =
        statements.filter(|text| !text.contains('#')).flat_map(|&text| [(2, text), (3, text)]).collect();
    assert_outcomes(&texts, |result| result == Outcome::Correct);
}

#[test]
fn error_messages_are_judged_as_unreadable() {
    let texts = NO_ANSWER.iter().flat_map(|text| [2, 3].map(|n| (n, text)));
    let failures: Vec<String> = texts
        .filter(|(n, text)| outcome(text.as_bytes(), *n, AnswerKind::All) != Outcome::Unreadable)
        .map(|(n, text)| format!("n = {n}: {text:?}"))
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
