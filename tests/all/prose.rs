//! Assertions must not compare with prose. The wording of messages is only in `tests/wording/`, so that a changed sentence changes
//! only snapshots.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// The files and directories with the checked tests. In a file that is not in a folder `tests` and is not named `tests.rs`, only
/// the modules with `#[cfg(test)]` are checked.
#[rustfmt::skip]
const CHECKED_PATHS: &[&str] = &[
    "crates/lineplot",
    "crates/lrat-check",
    "crates/plaintext",
    "crates/queens-audit",
    "crates/queens-board",
    "crates/queens-certify",
    "crates/queens-count",
    "crates/queens-judge",
    "crates/queens-sat",
    "crates/queens-search",
    "crates/queens-solver",
    "crates/runlab",
    "crates/supervise",
    "crates/timestats",
    "crates/wording",
    "src",
    "tests/all",
    "tests/readers",
];

/// A literal with at least this number of words on one line is prose.
const MIN_PROSE_WORDS: usize = 4;

const COMPARING_METHODS: [&str; 10] = [
    "contains",
    "ends_with",
    "eq",
    "matches",
    "rsplit_once",
    "split",
    "split_once",
    "starts_with",
    "strip_prefix",
    "strip_suffix",
];

#[test]
fn tests_assert_message_texts_only_with_helpers() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut places = Vec::new();
    for place in CHECKED_PATHS {
        for file in sources(&root.join(place)) {
            let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{place}: {error}"));
            let file = file.strip_prefix(root).expect("a file below the root");
            let is_test =
                file.components().any(|part| part.as_os_str() == "tests") || file.ends_with("tests.rs");
            let code = if is_test { parsed(&text) } else { test_modules(parsed(&text)) };
            let prose = prose_in(code).into_iter();
            places.extend(prose.map(|(line, text)| format!("{}:{line}: {text}", file.display())));
        }
    }
    assert!(
        places.is_empty(),
        "use harness::assert_message or wording::assert_wording!:\n{}",
        places.join("\n")
    );
}

#[test]
fn asserted_prose_is_detected_in_every_form() {
    for test in [
        r#"fn f() { assert!(stderr.contains("this is not a board")); }"#,
        r#"fn f() { assert!(stderr.contains(&format!("{n} runs were already done"))); }"#,
        r#"fn f() { assert_eq!(run(&["a"]), (2, String::new(), "this is not a board".to_owned())); }"#,
        r#"fn f() { assert!(lines.any(|line| line == "this is not a board")); }"#,
        r#"fn f() { for (_, expected_text) in [(1, "this is not a board")] { assert!(stderr.ends_with(expected_text)); } }"#,
        r#"fn f() { let expected_text = "this is not a board"; assert_eq!(stderr, expected_text); }"#,
        r#"fn f() { assert_eq!(text, "8 queens\nthis is not a board\n"); }"#,
        r#"const ALL: [(u8, &str); 1] = [(1, "this is not a board")];
           fn f() { for (code, text) in ALL { assert_eq!(run(code), text); } }"#,
        r#"fn f() { let ends = |code, expected_text: &str| assert!(text.contains(expected_text)); ends(2, "this is not a board"); }"#,
        r#"fn g(expected_text: &str) { assert!(text.contains(expected_text)); } fn f() { g("this is not a board"); }"#,
        r#"fn is(n: u8, why: &str) -> (u8, String) { (n, why.to_owned()) } fn f() { assert_eq!(judged(), is(1, "this is not a board")); }"#,
        r#"fn f() { let is = |why: &str| Some(why.to_owned()); assert_eq!(judged(), is("this is not a board")); }"#,
        r#"fn f() { prop_assert_eq!(judged(), "this is not a board"); }"#,
    ] {
        assert_eq!(prose_in(parsed(test)).len(), 1, "{test}");
    }
}

#[test]
fn values_inputs_and_panic_messages_are_not_prose() {
    for test in [
        r#"fn f() { assert!(stderr.contains("'backtrack/bitmask'"), "this is a reason, not a message"); }"#,
        r#"fn f() { assert_eq!(run(&["echo this is an input"]), 0, "this is a reason, too"); }"#,
        r#"fn f() { write("this is the text of a file"); read().expect("this is there at all times"); }"#,
        r#"fn f() { assert!(text.contains("\n8,queens,enumerate,backtrack/dlx,1,complete,92,1049,")); }"#,
        r#"fn f() { assert_eq!(text, "\\toprule\nsolver & nodes\\\\\n\\midrule\n\\bottomrule"); }"#,
        r#"const TEXT: &str = "this is the text of a file"; fn f() { assert_ne!(changed, TEXT); }"#,
        r#"fn g(script: &str) -> u8 { run(script) } fn f() { assert_eq!(g("this is a whole script"), 1); }"#,
        r#"fn f() { assert_eq!(text, "c two words\nc two more words\np cnf 3 1\n1 -2 3 0\n"); }"#,
        r#"fn f() { for (script, code) in [("this is a whole script", 1)] { assert_eq!(run(script), code); } }"#,
    ] {
        assert_eq!(prose_in(parsed(test)), [], "{test}");
    }
}

#[test]
fn asserted_prose_is_detected_only_in_test_modules() {
    let code = r#"fn f() { text.contains("this is not a board") } #[cfg(test)] mod tests { fn g() { assert!(f()) } }"#;
    assert_eq!(prose_in(test_modules(parsed(code))), []);
    let code = r#"#[cfg(test)] mod tests { fn g() { assert!(text.contains("this is not a board")) } }"#;
    assert_eq!(prose_in(test_modules(parsed(code))).len(), 1);
}

fn sources(path: &Path) -> Vec<PathBuf> {
    if !path.is_dir() {
        return vec![path.to_owned()];
    }
    let entries = std::fs::read_dir(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut files: Vec<PathBuf> = entries.flatten().flat_map(|entry| sources(&entry.path())).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "rs"));
    files.sort();
    files
}

fn parsed(source: &str) -> TokenStream {
    source.parse().unwrap_or_else(|error| panic!("{error}: {source:.100}"))
}

/// The modules of a file that are compiled for tests only.
fn test_modules(stream: TokenStream) -> TokenStream {
    let trees = trees(stream);
    let is_for_tests = |tree: &TokenTree| tree.to_string().replace(' ', "") == "[cfg(test)]";
    let items = trees.split(is_for_tests).skip(1).map(|after| {
        let item = after.iter().take_while(|tree| !is_punct(Some(tree), ';'));
        item.skip_while(|tree| ident(Some(tree)).is_none_or(|word| word != "mod"))
    });
    items
        .filter_map(|mut item| item.find(|tree| group(Some(tree), Delimiter::Brace).is_some()))
        .cloned()
        .collect()
}

/// The compared literals that are prose, with their lines.
fn prose_in(stream: TokenStream) -> Vec<(usize, String)> {
    let mut file = Comparisons::default();
    file.read(&trees(stream.clone()));
    let mut literals = std::mem::take(&mut file.literals);
    file.follow(&trees(stream), &mut literals);
    let mut prose: Vec<_> = literals
        .into_iter()
        .filter(|(_, _, text)| words(text) >= MIN_PROSE_WORDS)
        .map(|(line, _, text)| (line, text))
        .collect();
    prose.sort();
    prose.dedup();
    prose
}

/// The maximum number of lower-case words on a line of the text.
fn words(text: &str) -> usize {
    // A LaTeX command is not a word.
    let text = text.replace(r"\\", "\0");
    let is_word = |word: &&str| {
        word.len() > 1
            && word.starts_with(|c: char| c.is_ascii_lowercase())
            && word.chars().all(|c| c.is_ascii_lowercase() || "'-".contains(c))
    };
    let punctuation = |c: char| ",;:.?!'\"()\\".contains(c);
    let words_on = |line: &str| {
        line.split_whitespace().map(|word| word.trim_matches(punctuation)).filter(is_word).count()
    };
    text.split("\\n").map(words_on).max().unwrap_or_default()
}

fn trees(stream: TokenStream) -> Vec<TokenTree> {
    stream.into_iter().collect()
}

fn is_punct(tree: Option<&TokenTree>, c: char) -> bool {
    matches!(tree, Some(TokenTree::Punct(punct)) if punct.as_char() == c)
}

fn ident(tree: Option<&TokenTree>) -> Option<String> {
    if let Some(TokenTree::Ident(ident)) = tree { Some(ident.to_string()) } else { None }
}

fn group(tree: Option<&TokenTree>, delimiter: Delimiter) -> Option<&Group> {
    match tree {
        Some(TokenTree::Group(group)) if group.delimiter() == delimiter => Some(group),
        _ => None,
    }
}

/// The arguments in a group, which are separated by commas.
fn arguments(group: &Group) -> Vec<Vec<TokenTree>> {
    let tokens = trees(group.stream());
    tokens.split(|tree| is_punct(Some(tree), ',')).map(<[TokenTree]>::to_vec).collect()
}

type Literal = (usize, usize, String);

/// The compared parts of assertions: literals, and names and calls whose values are defined elsewhere in the file.
#[derive(Default)]
struct Comparisons {
    literals: BTreeSet<Literal>,
    names: BTreeSet<String>,
    /// Calls whose results are compared.
    calls: Vec<(String, Group)>,
}

impl Comparisons {
    /// Adds the literals and names of a compared expression, including those in tuples, lists, `format!` and wrappers. Arguments of
    /// other functions are inputs, and are added only if these functions return them.
    fn compare(&mut self, expression: &[TokenTree]) {
        for (at, tree) in expression.iter().enumerate() {
            match tree {
                TokenTree::Literal(literal) => {
                    let start = literal.span().start();
                    self.literals.insert((start.line, start.column, literal.to_string()));
                }
                TokenTree::Ident(name) => {
                    let is_value =
                        !is_punct(expression.get(at + 1), '.') || is_conversion(expression.get(at + 2));
                    let called = matches!(expression.get(at + 1), Some(TokenTree::Group(_)));
                    let is_member = is_punct(at.checked_sub(1).and_then(|at| expression.get(at)), '.');
                    if is_value && !called && !is_member {
                        self.names.insert(name.to_string());
                    }
                }
                TokenTree::Group(group) => {
                    let previous_tree = at.checked_sub(1).and_then(|at| expression.get(at));
                    let previous_tree = if is_punct(previous_tree, '!') {
                        expression.get(at.wrapping_sub(2))
                    } else {
                        previous_tree
                    };
                    let is_wrapper = ident(previous_tree).is_none_or(|name| {
                        ["Some", "Ok", "Err", "from", "format", "concat", "vec"].contains(&name.as_str())
                    });
                    if is_wrapper && group.delimiter() != Delimiter::Brace {
                        self.compare(&trees(group.stream()));
                    } else if let Some(name) = ident(previous_tree)
                        && group.delimiter() == Delimiter::Parenthesis
                    {
                        self.calls.push((name, group.clone()));
                    }
                }
                TokenTree::Punct(_) => {}
            }
        }
    }

    fn read(&mut self, scope: &[TokenTree]) {
        for (at, tree) in scope.iter().enumerate() {
            let next_tree = scope.get(at + 1);
            if let Some(name) = ident(Some(tree)) {
                let is_method = at > 0 && is_punct(scope.get(at - 1), '.');
                if let Some(needle) = group(next_tree, Delimiter::Parenthesis)
                    && (is_method && COMPARING_METHODS.contains(&name.as_str()) || name == "contains")
                {
                    self.compare(&trees(needle.stream()));
                }
                if (name.ends_with("assert_eq") || name.ends_with("assert_ne"))
                    && is_punct(next_tree, '!')
                    && let Some(compared) = group(scope.get(at + 2), Delimiter::Parenthesis)
                {
                    let mut compared_sides = Self::default();
                    arguments(compared).iter().take(2).for_each(|side| compared_sides.compare(side));
                    self.literals.append(&mut compared_sides.literals);
                    self.calls.append(&mut compared_sides.calls);
                    // With `assert_ne`, a named text is usually an input that was changed, so it is not compared.
                    if name.ends_with("assert_eq") {
                        self.names.append(&mut compared_sides.names);
                    }
                }
            }
            let is_equality =
                (is_punct(Some(tree), '=') || is_punct(Some(tree), '!')) && is_punct(next_tree, '=');
            if is_equality {
                let sides = [at.checked_sub(1).and_then(|at| scope.get(at)), scope.get(at + 2)];
                sides.into_iter().flatten().for_each(|side| self.compare(std::slice::from_ref(side)));
            }
            if let TokenTree::Group(inner) = tree {
                self.read(&trees(inner.stream()));
            }
        }
    }

    /// Adds the literals that become values of compared names: of variables, of loop variables over lists, of parameters, and of
    /// the results of compared functions.
    fn follow(&self, file: &[TokenTree], literals: &mut BTreeSet<Literal>) {
        let mut functions = Functions::default();
        let mut lists = BTreeMap::new();
        named_lists(file, &mut lists);
        self.follow_in(file, &lists, &mut functions, literals);
        calls(file, &functions.compared, literals);
        for (name, argument_list) in &self.calls {
            if let Some(returned) = functions.returned.get(name) {
                compare_arguments(argument_list, returned, literals);
            }
        }
    }

    fn follow_in(
        &self,
        scope: &[TokenTree],
        lists: &BTreeMap<String, Group>,
        functions: &mut Functions,
        literals: &mut BTreeSet<Literal>,
    ) {
        // A name is followed only in the body that both binds and compares it.
        let mut in_scope = Self::default();
        in_scope.read(scope);
        for (at, tree) in scope.iter().enumerate() {
            let following_trees = &scope[at + 1..];
            match ident(Some(tree)).as_deref() {
                Some("for") => {
                    let Some(end) = following_trees
                        .iter()
                        .position(|tree| ident(Some(tree)).is_some_and(|name| name == "in"))
                    else {
                        continue;
                    };
                    let braces = |tree: &TokenTree| group(Some(tree), Delimiter::Brace).is_some();
                    let Some(begin) = following_trees[end..].iter().position(braces).map(|at| end + at)
                    else {
                        continue;
                    };
                    let mut in_loop_body = Self::default();
                    in_loop_body.read(&following_trees[begin..=begin]);
                    let values = &following_trees[end + 1..begin];
                    let inline_list = values.iter().find_map(|tree| group(Some(tree), Delimiter::Bracket));
                    let named_list = || values.iter().find_map(|tree| lists.get(&ident(Some(tree))?));
                    if let Some(list) = inline_list.or_else(named_list) {
                        in_loop_body.rows(&following_trees[..end], list, literals);
                    }
                }
                Some("let" | "const") => {
                    let Some(end) = following_trees.iter().position(|tree| is_punct(Some(tree), '=')) else {
                        continue;
                    };
                    let value: Vec<TokenTree> = following_trees[end + 1..]
                        .iter()
                        .take_while(|tree| !is_punct(Some(tree), ';'))
                        .cloned()
                        .collect();
                    let Some(name) = following_trees[..end]
                        .iter()
                        .filter_map(|tree| ident(Some(tree)))
                        .find(|name| name != "mut")
                    else {
                        continue;
                    };
                    if value.iter().take(2).any(|tree| is_punct(Some(tree), '|')) {
                        let parts: Vec<&[TokenTree]> =
                            value.splitn(3, |tree| is_punct(Some(tree), '|')).collect();
                        if let [_, parameters, body] = parts[..] {
                            functions.add(&name, parameters, body);
                        }
                    } else if in_scope.names.contains(&name) {
                        let mut comparisons = Self::default();
                        comparisons.compare(&value);
                        literals.extend(comparisons.literals);
                    }
                }
                Some("fn") => {
                    let name = ident(following_trees.first()).unwrap_or_default();
                    let parameters =
                        following_trees.iter().find_map(|tree| group(Some(tree), Delimiter::Parenthesis));
                    let body = following_trees.iter().find_map(|tree| group(Some(tree), Delimiter::Brace));
                    if let (Some(parameters), Some(body)) = (parameters, body) {
                        functions.add(&name, &trees(parameters.stream()), &trees(body.stream()));
                    }
                }
                _ => {}
            }
            if let TokenTree::Group(inner) = tree {
                self.follow_in(&trees(inner.stream()), lists, functions, literals);
            }
        }
    }

    /// Adds the literals of the rows of a list that a pattern binds to compared names.
    fn rows(&self, pattern: &[TokenTree], list: &Group, literals: &mut BTreeSet<Literal>) {
        let tuple = group(pattern.first(), Delimiter::Parenthesis).map(arguments);
        for row in arguments(list) {
            let mut comparisons = Self::default();
            match &tuple {
                Some(names) => {
                    let fields =
                        group(row.first(), Delimiter::Parenthesis).map(arguments).unwrap_or_default();
                    for (name, field) in names.iter().zip(&fields) {
                        if self.binds(name) {
                            comparisons.compare(field);
                        }
                    }
                }
                None if self.binds(pattern) => comparisons.compare(&row),
                None => {}
            }
            literals.extend(comparisons.literals);
        }
    }

    fn binds(&self, pattern: &[TokenTree]) -> bool {
        pattern.iter().any(|tree| match tree {
            TokenTree::Group(group) => self.binds(&trees(group.stream())),
            tree => ident(Some(tree)).is_some_and(|name| self.names.contains(&name)),
        })
    }
}

/// The constants and variables whose values are lists.
fn named_lists(scope: &[TokenTree], lists: &mut BTreeMap<String, Group>) {
    for (at, tree) in scope.iter().enumerate() {
        if matches!(ident(Some(tree)).as_deref(), Some("const" | "let" | "static"))
            && let Some(name) = ident(scope.get(at + 1))
            && let Some(equals) = scope[at..].iter().position(|tree| is_punct(Some(tree), '='))
            && let Some(list) = group(scope.get(at + equals + 1), Delimiter::Bracket)
        {
            lists.insert(name, list.clone());
        }
        if let TokenTree::Group(inner) = tree {
            named_lists(&trees(inner.stream()), lists);
        }
    }
}

fn is_conversion(tree: Option<&TokenTree>) -> bool {
    ident(tree)
        .is_some_and(|name| ["as_str", "clone", "into", "to_owned", "to_string"].contains(&name.as_str()))
}

/// For each function of a file, the parameters that it compares, and the parameters that it returns.
#[derive(Default)]
struct Functions {
    compared: BTreeMap<String, Vec<usize>>,
    returned: BTreeMap<String, Vec<usize>>,
}

impl Functions {
    fn add(&mut self, name: &str, parameters: &[TokenTree], body: &[TokenTree]) {
        let (mut in_body, mut in_result) = (Comparisons::default(), Comparisons::default());
        in_body.read(body);
        let end = body.rsplit(|tree| is_punct(Some(tree), ';')).next().unwrap_or_default();
        in_result.compare(end);
        for (parts, functions) in [(in_body, &mut self.compared), (in_result, &mut self.returned)] {
            let parameters = parameters.split(|tree| is_punct(Some(tree), ',')).enumerate();
            let is_assertion_text = |parameter: &[TokenTree]| {
                parts.binds(parameter.split(|tree| is_punct(Some(tree), ':')).next().unwrap_or_default())
            };
            let positions: Vec<usize> =
                parameters.filter(|(_, parameter)| is_assertion_text(parameter)).map(|(at, _)| at).collect();
            if !positions.is_empty() {
                functions.insert(name.to_owned(), positions);
            }
        }
    }
}

/// Adds the literals in the arguments of these parameters.
fn compare_arguments(argument_list: &Group, parameters: &[usize], literals: &mut BTreeSet<Literal>) {
    let argument_list = arguments(argument_list);
    for argument in parameters.iter().filter_map(|&at| argument_list.get(at)) {
        let mut comparisons = Comparisons::default();
        comparisons.compare(argument);
        literals.extend(comparisons.literals);
    }
}

/// Adds the literals in the arguments of compared parameters.
fn calls(scope: &[TokenTree], functions: &BTreeMap<String, Vec<usize>>, literals: &mut BTreeSet<Literal>) {
    for (at, tree) in scope.iter().enumerate() {
        if let Some(compared) = ident(Some(tree)).and_then(|name| functions.get(&name))
            && let Some(argument_list) = group(scope.get(at + 1), Delimiter::Parenthesis)
        {
            compare_arguments(argument_list, compared, literals);
        }
        if let TokenTree::Group(inner) = tree {
            calls(&trees(inner.stream()), functions, literals);
        }
    }
}
