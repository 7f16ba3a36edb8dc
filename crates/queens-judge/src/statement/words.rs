//! The words by which statements about the number of solutions are recognised, in several languages.

/// Beginnings of words for solutions.
pub(super) const SOLUTIONS: &[&str] = &[
    "solu", "soln", "sols", "lösung", "loesung", "losung", "реше", "розв", "rozwi", "oploss", "løsning",
    "lösning", "ratkais", "çözüm", "řešen", "placem", "arrang", "way", "config", "models", "answers",
    "maneras", "formas", "解", "해", "방법",
];

/// Words for a single solution. A number behind them is the label of a board, not a number of solutions.
pub(super) const ONE_SOLUTION: &[&str] = &["solution", "soluzione"];

/// Beginnings of words that announce a total.
pub(super) const TOTALS: &[&str] =
    &["total", "count", "sum", "result", "gesamt", "insges", "всего", "итого", "found", "合計", "总数", "共"];

/// Beginnings of words for solutions up to symmetry.
pub(super) const CLASSES: &[&str] = &["unique", "fundam", "inequiv", "essent", "primit", "symmetr", "basic"];

/// Beginnings of words for other things that are counted or numbered.
pub(super) const OTHERS: &[&str] = &[
    "node", "knoten", "backtr", "step", "schritt", "iterat", "call", "conflict", "recurs", "attempt",
    "version", "line", "error", "exit", "code", "depth", "level", "thread", "row", "column", "byte",
    "solver", "check", "test",
];

/// Beginnings of words of error messages. A line with one of them states no number of solutions.
pub(super) const FAILURES: &[&str] = &[
    "error", "exit", "except", "traceb", "warning", "fault", "fail", "usage", "killed", "abort", "panic",
    "file", "direct", "command", "parse", "fehler", "erreur",
];

/// Negations. A sentence with two of them is not understood.
pub(super) const DENIALS: &[&str] = &[
    "no", "not", "none", "zero", "doesnt", "dont", "cannot", "cant", "isnt", "arent", "kein", "keine",
    "keinen", "nicht", "ningún", "ninguna", "aucune", "aucun", "pas", "nessuna", "nessun", "não", "nenhuma",
    "нет", "brak", "geen", "无", "無", "なし", "ない", "없", "没有", "yok", "tidak", "unable", "не",
];

/// Whole lines that state that there is no solution.
pub(super) const DENYING_LINES: &[&str] = &["no", "none", "false", "null", "nil", "()", "{}"];

/// Beginnings of words that deny without a negation.
pub(super) const IMPOSSIBLE: &[&str] = &["impossi", "unsat", "unsolv", "infeas", "unmögl", "imposib"];

/// Beginnings of words, besides those for solutions, to which a negation may refer.
pub(super) const POSSIBLE: &[&str] = &["possible", "möglich", "posible", "существ", "place"];

/// Units of time and memory. A number before one of them is not a number of solutions.
pub(super) const UNITS: &[&str] = &["s", "ms", "us", "µs", "μs", "ns", "kb", "mb", "mib", "x", "%", "msec"];

/// Beginnings of long names of units of time.
pub(super) const LONG_UNITS: &[&str] = &["sec", "sek", "seg", "milli", "milis", "min"];

/// Beginnings of words in prompts, besides `n`.
pub(super) const PROMPTS: &[&str] =
    &["enter", "input", "how", "please", "bitte", "introduc", "ingrese", "введ", "type", "give", "size"];

/// Beginnings of words for queens. A number before one of them is the size of the board.
pub(super) const SIZES: &[&str] =
    &["queen", "damen", "reinas", "dames", "reines", "regine", "rainhas", "ферз"];

/// Whether a word begins with any element of a list.
pub(super) fn begins_with_any(word: &str, list: &[&str]) -> bool {
    list.iter().any(|beginning| word.starts_with(beginning))
}

/// Whether a word is a unit of time or memory.
pub(super) fn is_unit(word: &str) -> bool {
    UNITS.contains(&word) || begins_with_any(word, LONG_UNITS)
}
