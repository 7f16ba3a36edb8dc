//! A type name has one meaning among the types that a package can use, and no error type is `String`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::walls::dependencies;

/// Type names that several files of a crate define for the same purpose, one in each file: the state of a searcher, its squares,
/// and the parts of a reader of notations.
const SHARED_NAMES: [(&str, &str); 7] = [
    ("queens-search", "Search"),
    ("queens-search", "Squares"),
    ("queens-judge", "Layout"),
    ("queens-judge", "Part"),
    ("queens-judge", "Piece"),
    ("queens-judge", "Reader"),
    ("queens-judge", "Splitter"),
];

/// Type names that a package defines although a dependency exports the same name. No file of the package uses the exported type. In
/// `queens-judge`, `Line` is a line of text; in `queens-board`, it is a line of squares.
const UNRELATED_NAMES: [(&str, &str); 1] = [("queens-judge", "Line")];

/// The code of a file, without its tests.
#[derive(Default)]
struct Code {
    /// The types that it defines, and for each whether it is `pub`.
    types: Vec<(String, bool)>,
    /// The modules that it declares, and for each whether it is `pub`; modules of tests are skipped.
    modules: BTreeMap<String, bool>,
    /// The names that it re-exports.
    exported: BTreeSet<String>,
    /// The functions and fields with `Result<_, String>`.
    string_errors: usize,
}

fn word(token: Option<&TokenTree>) -> Option<String> {
    if let Some(TokenTree::Ident(word)) = token { Some(word.to_string()) } else { None }
}

fn is_mark(token: Option<&TokenTree>, mark: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == mark)
}

/// Splits tokens into items. An item ends with a block or a semicolon. Items for tests are skipped.
fn items(tokens: TokenStream) -> Vec<Vec<TokenTree>> {
    let (mut items, mut item, mut is_test, mut is_attribute) = (Vec::new(), Vec::new(), false, false);
    for token in tokens {
        let is_end = match &token {
            TokenTree::Group(group) if is_attribute => {
                is_test |= group.stream().to_string().replace(' ', "") == "cfg(test)";
                false
            }
            TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
            token => is_mark(Some(token), ';'),
        };
        is_attribute = is_mark(Some(&token), '#') || (is_attribute && is_mark(Some(&token), '!'));
        item.push(token);
        if is_end {
            let item = std::mem::take(&mut item);
            items.extend((!std::mem::take(&mut is_test)).then_some(item));
        }
    }
    items.push(item);
    items
}

impl Code {
    fn from_source(source: &str) -> Self {
        let mut code = Self::default();
        for item in items(source.parse().expect("Rust")) {
            code.string_errors += count_string_errors(&item);
            code.read(&item);
        }
        code
    }

    fn read(&mut self, item: &[TokenTree]) {
        let keyword = |token: &TokenTree| {
            ["struct", "enum", "union", "trait", "type", "mod", "use", "fn", "impl", "const", "static"]
                .contains(&word(Some(token)).unwrap_or_default().as_str())
        };
        let Some(at) = item.iter().position(keyword) else {
            // A macro call such as `words!` may contain definitions.
            if let Some(TokenTree::Group(group)) = item.last() {
                items(group.stream()).iter().for_each(|inner| self.read(inner));
            }
            return;
        };
        let is_public = word(at.checked_sub(1).map(|previous| &item[previous])).as_deref() == Some("pub");
        let name = word(item.get(at + 1)).unwrap_or_default();
        match word(Some(&item[at])).unwrap_or_default().as_str() {
            "struct" | "enum" | "union" | "trait" | "type" => self.types.push((name, is_public)),
            "mod" => drop(self.modules.insert(name, is_public)),
            "use" if is_public => self.exported.extend(words(item[at + 1..].iter().cloned().collect())),
            _ => {}
        }
    }
}

fn words(tokens: TokenStream) -> Vec<String> {
    let in_token = |token: TokenTree| match token {
        TokenTree::Group(group) => words(group.stream()),
        token => word(Some(&token)).into_iter().collect(),
    };
    tokens.into_iter().flat_map(in_token).collect()
}

/// The number of types `Result<_, String>` in these tokens.
fn count_string_errors(tokens: &[TokenTree]) -> usize {
    let inner = tokens.iter().map(|token| match token {
        TokenTree::Group(group) => count_string_errors(&group.stream().into_iter().collect::<Vec<_>>()),
        _ => 0,
    });
    let is_result =
        |at: &usize| word(tokens.get(*at)).as_deref() == Some("Result") && is_mark(tokens.get(at + 1), '<');
    let results = (0..tokens.len()).filter(is_result).filter(|at| second_argument_is_text(&tokens[at + 2..]));
    inner.sum::<usize>() + results.count()
}

/// Whether the second of these generic arguments is `String`.
fn second_argument_is_text(tokens: &[TokenTree]) -> bool {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate() {
        let is_arrow = at > 0 && is_mark(Some(&tokens[at - 1]), '-');
        match token {
            token if is_mark(Some(token), '<') => depth += 1,
            token if is_mark(Some(token), '>') && !is_arrow && depth == 0 => return false,
            token if is_mark(Some(token), '>') && !is_arrow => depth -= 1,
            token if is_mark(Some(token), ',') && depth == 0 => {
                let is_last = is_mark(tokens.get(at + 2), '>') || is_mark(tokens.get(at + 2), ',');
                return word(tokens.get(at + 1)).as_deref() == Some("String") && is_last;
            }
            _ => {}
        }
    }
    false
}

/// The types of a package, and the names that it exports.
#[derive(Default)]
struct Package {
    /// For each type name, the files that define it, and for each file whether other packages can use the type.
    types: BTreeMap<String, Vec<(PathBuf, bool)>>,
    /// The files that contain `Result<_, String>`.
    string_errors: Vec<PathBuf>,
}

impl Package {
    fn read(source: &Path) -> Self {
        let mut files = Vec::new();
        let mut open_files = vec![(source.join("lib.rs"), source.to_owned(), true)];
        open_files.extend([source.join("main.rs")].map(|main| (main, source.to_owned(), false)));
        while let Some((file, folder, is_public)) = open_files.pop() {
            let Ok(text) = fs::read_to_string(&file) else { continue };
            let code = Code::from_source(&text);
            for (name, is_public_module) in &code.modules {
                let inner = folder.join(name);
                for file in [folder.join(format!("{name}.rs")), inner.join("mod.rs")] {
                    open_files.push((file, inner.clone(), is_public && *is_public_module));
                }
            }
            files.push((file, is_public, code));
        }
        let exported_names: BTreeSet<&String> =
            files.iter().flat_map(|(_, _, code)| &code.exported).collect();
        let mut package = Self::default();
        for (file, is_public, code) in &files {
            for (name, is_public_type) in &code.types {
                let is_visible = *is_public_type && (*is_public || exported_names.contains(name));
                package.types.entry(name.clone()).or_default().push((file.clone(), is_visible));
            }
            package.string_errors.extend((code.string_errors > 0).then(|| file.clone()));
        }
        package
    }

    fn exports(&self, name: &str) -> bool {
        self.types.get(name).is_some_and(|files| files.iter().any(|(_, is_visible)| *is_visible))
    }
}

/// All packages of the workspace by name.
fn packages() -> BTreeMap<String, Package> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = |name: &String| match name.as_str() {
        "queenlab" => root.join("src"),
        name => root.join("crates").join(name).join("src"),
    };
    dependencies().into_keys().map(|name| (name.clone(), Package::read(&folder(&name)))).collect()
}

#[test]
fn type_name_has_one_meaning_in_each_package() {
    let (packages, dependencies) = (packages(), dependencies());
    assert!(packages["queenlab"].types.len() > 200 && packages["runlab"].exports("RunPlan"));
    for (name, package) in &packages {
        let visible_packages: Vec<&String> =
            dependencies[name].iter().filter(|other| packages.contains_key(*other)).collect();
        for (type_name, files) in &package.types {
            let is_shared = SHARED_NAMES.contains(&(name, type_name));
            assert!(files.len() == 1 || is_shared, "{name} defines {type_name} several times: {files:?}");
            let exporting_package =
                visible_packages.iter().find(|other| packages[**other].exports(type_name));
            let exporting_package =
                exporting_package.filter(|_| !UNRELATED_NAMES.contains(&(name, type_name)));
            assert!(
                exporting_package.is_none(),
                "{name} and {} define {type_name}: {files:?}",
                exporting_package.expect("a package")
            );
        }
        let mut exported = BTreeMap::new();
        for other in visible_packages {
            for type_name in
                packages[other].types.keys().filter(|type_name| packages[other].exports(type_name))
            {
                let earlier_package = exported.insert(type_name, other);
                assert_eq!(
                    earlier_package, None,
                    "{name} sees {type_name} of {other} and of another package"
                );
            }
        }
    }
}

#[test]
fn no_function_returns_a_string_as_error() {
    for (name, package) in packages() {
        assert_eq!(package.string_errors, Vec::<PathBuf>::new(), "{name}");
    }
    for (code, expected) in [
        ("fn a() -> Result<u8, String> { b::<Result<(), String>>() }", 2),
        ("fn a(b: impl Fn() -> Result<Vec<(u8, String)>, String>) {}", 1),
        (
            "type A = Result<Vec<String>, E>; fn a() -> Result<String, E> {} struct B(Result<Option<String>>);",
            0,
        ),
        ("#[cfg(test)] mod tests { fn a() -> Result<u8, String> {} }", 0),
    ] {
        assert_eq!(Code::from_source(code).string_errors, expected, "{code}");
    }
}
