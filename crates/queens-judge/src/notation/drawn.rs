//! Converts lines to symbols, one for each place on a terminal.

use super::cells::{self, BLANK, Style, Symbol, character, is_blank, without_colours};
use super::lines::Line;

/// How symbols are distinguished.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SymbolRules {
    /// Whether characters of different colours are different symbols.
    pub colours: bool,
    /// Whether each byte, rather than each character of UTF-8, is a symbol, as in old code pages.
    pub bytes: bool,
}

/// A line as symbols.
#[derive(Clone, Debug)]
pub(super) struct DrawnLine {
    pub number: u64,
    pub symbols: Vec<Symbol>,
}

impl DrawnLine {
    /// The lines of a text.
    pub fn lines(lines: &[Line], symbol_rules: SymbolRules) -> Vec<Self> {
        let mut style = Style::default();
        let drawn_line = |line: &Line| {
            let mut symbols = Vec::new();
            draw(&line.text, &mut style, symbol_rules, &mut symbols);
            Self { number: line.number, symbols }
        };
        lines.iter().map(drawn_line).collect()
    }

    /// Removes labels and prompts before the first rows of boards. Such a line is longer than the rows below it. Returns `None`
    /// if there are no labels and prompts.
    pub fn without_labels(lines: &[Self], n: usize) -> Option<Vec<Self>> {
        let mut lines = lines.to_vec();
        let mut is_changed = false;
        for at in 0..lines.len() {
            let Some(rows_below) = lines.get(at + 1..at + n) else { break };
            let length = rows_below.first().map_or(0, |line| line.symbols.len());
            let symbols = &lines[at].symbols;
            let are_equal = rows_below.iter().all(|line| line.symbols.len() == length);
            if length < n || symbols.len() <= length || !are_equal {
                continue;
            }
            let label = symbols.len() - length;
            if ends_label(symbols[label - 1]) {
                lines[at].symbols.drain(..label);
                is_changed = true;
            }
        }
        is_changed.then_some(lines)
    }
}

/// Whether a symbol may be the last one of a label or a prompt.
pub(super) fn ends_label(symbol: Symbol) -> bool {
    is_blank(symbol) || character(symbol).is_some_and(|c| ":?>.)=".contains(c))
}

/// Converts a line to symbols, without the blanks at its end. `style`: the colours at the end of the previous line.
pub(super) fn draw(text: &[u8], style: &mut Style, symbol_rules: SymbolRules, symbols: &mut Vec<Symbol>) {
    cells::symbols(text, style, symbol_rules.bytes, symbols);
    if !symbol_rules.colours {
        symbols.iter_mut().for_each(|symbol| *symbol = without_colours(*symbol));
    }
    let end = symbols.iter().rposition(|&symbol| symbol != BLANK).map_or(0, |last| last + 1);
    symbols.truncate(end);
}
