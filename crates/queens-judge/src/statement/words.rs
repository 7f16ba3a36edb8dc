//! The words that matter beside a number of solutions, in several languages.

/// Beginnings of words for solutions.
pub(super) const SOLUTIONS: &[&str] = &[
    "solu", "soln", "sols", "lösung", "loesung", "losung", "реше", "розв", "rozwi", "oploss", "løsning",
    "lösning", "ratkais", "çözüm", "řešen", "placem", "arrang", "way", "config", "models", "answers",
    "maneras", "formas", "解", "해", "방법",
];

/// Of these, words for a single solution: a number behind them is a label.
pub(super) const ONE_SOLUTION: &[&str] = &["solution", "soluzione"];

/// Beginnings of words that announce a total.
pub(super) const TOTALS: &[&str] =
    &["total", "count", "sum", "result", "gesamt", "insges", "всего", "итого", "found", "合計", "总数", "共"];

/// Beginnings of words for solutions up to symmetry.
pub(super) const CLASSES: &[&str] = &["unique", "fundam", "inequiv", "essent", "primit", "symmetr", "basic"];

/// Beginnings of words for what else is counted or named by a number.
pub(super) const OTHERS: &[&str] = &[
    "node", "knoten", "backtr", "step", "schritt", "iterat", "call", "conflict", "recurs", "attempt",
    "version", "line", "error", "exit", "code", "depth", "level", "thread", "row", "column", "byte",
    "solver", "check", "test",
];

/// Beginnings of words of messages about something else: their lines state nothing.
pub(super) const FAILURES: &[&str] = &[
    "error", "exit", "except", "traceb", "warning", "fault", "fail", "usage", "killed", "abort", "panic",
    "file", "direct", "command", "parse", "fehler", "erreur",
];

/// Words that deny; a sentence with two of them is not understood.
pub(super) const DENIALS: &[&str] = &[
    "no", "not", "none", "zero", "doesnt", "dont", "cannot", "cant", "isnt", "arent", "kein", "keine",
    "keinen", "nicht", "ningún", "ninguna", "aucune", "aucun", "pas", "nessuna", "nessun", "não", "nenhuma",
    "нет", "brak", "geen", "无", "無", "なし", "ない", "없", "没有", "yok", "tidak", "unable", "не",
];

/// Lines that deny.
pub(super) const DENYING_LINES: &[&str] = &["no", "none", "false", "null", "nil", "()", "{}"];

/// Beginnings of words that are a denial alone or of anything.
pub(super) const IMPOSSIBLE: &[&str] = &["impossi", "unsat", "unsolv", "infeas", "unmögl", "imposib"];

/// Beginnings of what a denial may be about, besides solutions.
pub(super) const POSSIBLE: &[&str] = &["possible", "möglich", "posible", "существ", "place"];

/// Units, which stand behind a number that counts no solutions.
pub(super) const UNITS: &[&str] = &["s", "ms", "us", "µs", "μs", "ns", "kb", "mb", "mib", "x", "%", "msec"];

/// Beginnings of names of units.
pub(super) const LONG_UNITS: &[&str] = &["sec", "sek", "seg", "milli", "milis", "min"];

/// Beginnings of words of questions to the user, besides `n`.
pub(super) const PROMPTS: &[&str] =
    &["enter", "input", "how", "please", "bitte", "introduc", "ingrese", "введ", "type", "give", "size"];

/// Beginnings of words for queens.
pub(super) const SIZES: &[&str] =
    &["queen", "damen", "reinas", "dames", "reines", "regine", "rainhas", "ферз"];

/// Whether a word begins like one of a list.
pub(super) fn begins(word: &str, list: &[&str]) -> bool {
    list.iter().any(|beginning| word.starts_with(beginning))
}

/// Whether a word is a unit of time or memory.
pub(super) fn is_unit(word: &str) -> bool {
    UNITS.contains(&word) || begins(word, LONG_UNITS)
}
