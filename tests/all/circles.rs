//! No circles between files: what a file imports never leads back to it. A child may use its parent module, whose room it is in.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// A module path from the root of a crate, which is empty.
type Module = Vec<String>;

/// The module files of a crate, by their paths.
fn modules(source: &Path) -> BTreeMap<Module, PathBuf> {
    let mut modules = BTreeMap::from([(Module::new(), source.join("lib.rs"))]);
    let mut folders = vec![(Module::new(), source.to_owned())];
    while let Some((module, folder)) = folders.pop() {
        for path in fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            let inner = [&module[..], std::slice::from_ref(&name)].concat();
            if path.is_dir() {
                let root = path.join("mod.rs");
                if root.exists() {
                    modules.insert(inner.clone(), root);
                }
                folders.push((inner, path));
            } else if path.extension().is_some_and(|extension| extension == "rs")
                && !["lib", "main", "mod", "tests"].contains(&name.as_str())
            {
                modules.insert(inner, path);
            }
        }
    }
    modules
}

/// The paths in these tokens that begin with `crate`, `super`, `self` or the name of a child, as paths from the root. What is only
/// compiled for tests is left out.
fn paths(tokens: TokenStream, here: &Module, children: &BTreeSet<String>, targets: &mut BTreeSet<Module>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    while at < tokens.len() {
        let is_path = is_colons(&tokens, at + 1);
        let after_colons = at >= 2 && is_colons(&tokens, at - 2);
        match &tokens[at] {
            TokenTree::Punct(mark) if mark.as_char() == '#' && is_test_only(tokens.get(at + 1)) => {
                at += 2;
                // The item ends with a block or a semicolon.
                while at < tokens.len() && !ends_item(&tokens[at]) {
                    at += 1;
                }
            }
            TokenTree::Ident(name) if is_path && !after_colons => {
                let start = match name.to_string().as_str() {
                    "crate" => Some(Module::new()),
                    "self" => Some(here.clone()),
                    "super" => Some(here[..here.len().saturating_sub(1)].to_vec()),
                    child if children.contains(child) => Some([&here[..], &[child.to_owned()]].concat()),
                    _ => None,
                };
                if let Some(start) = start {
                    rest(&tokens[at + 3..], start, targets);
                }
            }
            TokenTree::Group(group) => paths(group.stream(), here, children, targets),
            _ => {}
        }
        at += 1;
    }
}

fn is_colons(tokens: &[TokenTree], at: usize) -> bool {
    let is_colon =
        |at: usize| matches!(tokens.get(at), Some(TokenTree::Punct(mark)) if mark.as_char() == ':');
    is_colon(at) && is_colon(at + 1)
}

fn is_test_only(attribute: Option<&TokenTree>) -> bool {
    attribute.is_some_and(|attribute| attribute.to_string().replace(' ', "") == "[cfg(test)]")
}

fn ends_item(token: &TokenTree) -> bool {
    match token {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        token => matches!(token, TokenTree::Punct(mark) if mark.as_char() == ';'),
    }
}

/// Follows a path, and each branch of its braces, to its end.
fn rest(tokens: &[TokenTree], mut module: Module, targets: &mut BTreeSet<Module>) {
    match tokens.first() {
        Some(TokenTree::Ident(name)) if name == "super" => drop(module.pop()),
        Some(TokenTree::Ident(name)) if name == "self" => {}
        Some(TokenTree::Ident(name)) => module.push(name.to_string()),
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
            let inner: Vec<TokenTree> = group.stream().into_iter().collect();
            let is_comma =
                |token: &TokenTree| matches!(token, TokenTree::Punct(mark) if mark.as_char() == ',');
            inner.split(is_comma).for_each(|branch| rest(branch, module.clone(), targets));
            return;
        }
        _ => {}
    }
    if is_colons(tokens, 1) {
        rest(&tokens[3..], module, targets);
    } else {
        targets.insert(module);
    }
}

/// What each file of a crate imports from the same crate, without its own ancestors.
fn imports(source: &Path) -> BTreeMap<PathBuf, BTreeSet<PathBuf>> {
    let modules = modules(source);
    let mut edges = BTreeMap::new();
    for (module, file) in &modules {
        let text = fs::read_to_string(file).expect("UTF-8");
        let tokens: TokenStream = text.parse().unwrap_or_else(|error| panic!("{file:?}: {error}"));
        let is_child = |other: &&Module| other.len() == module.len() + 1 && other.starts_with(module);
        let children = modules.keys().filter(is_child).filter_map(|child| child.last().cloned()).collect();
        let mut targets = BTreeSet::new();
        paths(tokens, module, &children, &mut targets);
        let file_of = |mut path: Module| {
            while !modules.contains_key(&path) {
                path.pop();
            }
            path
        };
        let targets = targets.into_iter().map(file_of).filter(|target| !module.starts_with(target));
        edges.insert(file.clone(), targets.map(|target| modules[&target].clone()).collect());
    }
    edges
}

/// Everything that a file reaches.
fn reach(from: &Path, edges: &BTreeMap<PathBuf, BTreeSet<PathBuf>>) -> BTreeSet<PathBuf> {
    let mut reached = BTreeSet::new();
    let mut next: Vec<&PathBuf> = edges[from].iter().collect();
    while let Some(file) = next.pop() {
        if reached.insert(file.clone()) {
            next.extend(&edges[file]);
        }
    }
    reached
}

#[test]
fn no_file_imports_what_leads_back_to_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let crates = fs::read_dir(root.join("crates")).expect("a directory").flatten().map(|entry| entry.path());
    for package in crates.chain([root.to_owned()]).filter(|package| package.join("src/lib.rs").exists()) {
        let edges = imports(&package.join("src"));
        assert!(edges.len() == 1 || edges.values().any(|targets| !targets.is_empty()), "{package:?}");
        let reached: BTreeMap<&PathBuf, BTreeSet<PathBuf>> =
            edges.keys().map(|file| (file, reach(file, &edges))).collect();
        for (file, reached_from_file) in &reached {
            let circle: Vec<_> =
                reached_from_file.iter().filter(|other| reached[other].contains(*file)).collect();
            assert!(circle.is_empty(), "the imports of {file:?} lead back to it: {circle:#?}");
        }
    }
}
