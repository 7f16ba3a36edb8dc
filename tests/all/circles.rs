//! The imports of files form no cycles. A child module may import its parent. If it imports a name that the parent imports from
//! another file, this counts as an import of the other file.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The path of a module from the root of a crate. The path of the root is empty.
type Module = Vec<String>;

/// The module files of a crate, by their paths.
fn modules(source: &Path) -> BTreeMap<Module, PathBuf> {
    let mut modules = BTreeMap::from([(Module::new(), source.join("lib.rs"))]);
    let mut folders = vec![(Module::new(), source.to_owned())];
    while let Some((module, folder)) = folders.pop() {
        for path in fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            let inner_module = [&module[..], std::slice::from_ref(&name)].concat();
            if path.is_dir() {
                let root = path.join("mod.rs");
                if root.exists() {
                    modules.insert(inner_module.clone(), root);
                }
                folders.push((inner_module, path));
            } else if path.extension().is_some_and(|extension| extension == "rs")
                && !["lib", "main", "mod", "tests"].contains(&name.as_str())
            {
                modules.insert(inner_module, path);
            }
        }
    }
    modules
}

/// The paths in these tokens that begin with `crate`, `super`, `self` or the name of a child, as paths from the root. Code for
/// tests is skipped.
fn paths(tokens: TokenStream, module: &Module, children: &BTreeSet<String>, targets: &mut BTreeSet<Module>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut position = 0;
    while position < tokens.len() {
        let is_path = is_colons(&tokens, position + 1);
        let after_colons = position >= 2 && is_colons(&tokens, position - 2);
        match &tokens[position] {
            TokenTree::Punct(mark) if mark.as_char() == '#' && is_test_only(tokens.get(position + 1)) => {
                position += 2;
                // Skips the test item, which ends with a block or a semicolon.
                while position < tokens.len() && !ends_item(&tokens[position]) {
                    position += 1;
                }
            }
            TokenTree::Ident(name) if is_path && !after_colons => {
                if let Some(origin) = first_module(&name.to_string(), module, children) {
                    let mut leaves = Vec::new();
                    follow_path(&tokens[position + 3..], origin, &mut leaves);
                    targets.extend(leaves.into_iter().map(|(_, path)| path));
                }
            }
            TokenTree::Group(group) => paths(group.stream(), module, children, targets),
            _ => {}
        }
        position += 1;
    }
}

/// The module at which a path with this first word begins; `None` for a path into another crate or the path of an item.
fn first_module(word: &str, module: &Module, children: &BTreeSet<String>) -> Option<Module> {
    match word {
        "crate" => Some(Module::new()),
        "self" => Some(module.clone()),
        "super" => Some(module[..module.len().saturating_sub(1)].to_vec()),
        child if children.contains(child) => Some([&module[..], &[child.to_owned()]].concat()),
        _ => None,
    }
}

/// The names that a module takes from other modules of its crate with `use`, and the paths to them.
fn imported_names(
    tokens: TokenStream,
    module: &Module,
    children: &BTreeSet<String>,
) -> BTreeMap<String, Module> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_use = |position: &usize| matches!(&tokens[*position], TokenTree::Ident(word) if word == "use");
    let mut leaves = Vec::new();
    for position in (0..tokens.len()).filter(is_use) {
        let first_name = tokens.get(position + 1).map(ToString::to_string).unwrap_or_default();
        if is_colons(&tokens, position + 2)
            && let Some(origin) = first_module(&first_name, module, children)
        {
            follow_path(&tokens[position + 4..], origin, &mut leaves);
        }
    }
    leaves.into_iter().collect()
}

fn is_colons(tokens: &[TokenTree], position: usize) -> bool {
    let is_colon =
        |index: usize| matches!(tokens.get(index), Some(TokenTree::Punct(mark)) if mark.as_char() == ':');
    is_colon(position) && is_colon(position + 1)
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

/// Follows a path and each branch of its braces to the end. Adds the local name and the whole path of each item to `leaves`.
fn follow_path(tokens: &[TokenTree], mut module: Module, leaves: &mut Vec<(String, Module)>) {
    match tokens.first() {
        Some(TokenTree::Ident(name)) if name == "super" => drop(module.pop()),
        Some(TokenTree::Ident(name)) if name == "self" => {}
        Some(TokenTree::Ident(name)) => module.push(name.to_string()),
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
            let tokens_in_braces: Vec<TokenTree> = group.stream().into_iter().collect();
            let is_comma =
                |token: &TokenTree| matches!(token, TokenTree::Punct(mark) if mark.as_char() == ',');
            tokens_in_braces.split(is_comma).for_each(|branch| follow_path(branch, module.clone(), leaves));
            return;
        }
        _ => {}
    }
    if is_colons(tokens, 1) {
        follow_path(&tokens[3..], module, leaves);
    } else {
        let renamed = match (tokens.get(1), tokens.get(2)) {
            (Some(TokenTree::Ident(word)), Some(TokenTree::Ident(name))) if word == "as" => {
                Some(name.to_string())
            }
            _ => None,
        };
        leaves.push((renamed.or_else(|| module.last().cloned()).unwrap_or_default(), module));
    }
}

/// For each file of a crate, the files of the crate that it imports, without the files of its ancestor modules.
fn imports(source: &Path) -> BTreeMap<PathBuf, BTreeSet<PathBuf>> {
    let modules = modules(source);
    let (mut all_targets, mut all_names) = (Vec::new(), BTreeMap::new());
    for (module, file) in &modules {
        let text = fs::read_to_string(file).expect("UTF-8");
        let tokens: TokenStream = text.parse().unwrap_or_else(|error| panic!("{file:?}: {error}"));
        let is_child = |other: &&Module| other.len() == module.len() + 1 && other.starts_with(module);
        let children = modules.keys().filter(is_child).filter_map(|child| child.last().cloned()).collect();
        all_names.insert(module.clone(), imported_names(tokens.clone(), module, &children));
        let mut targets = BTreeSet::new();
        paths(tokens, module, &children, &mut targets);
        all_targets.push((module, file, targets));
    }
    let mut edges = BTreeMap::new();
    for (module, file, targets) in all_targets {
        let targets = targets.iter().map(|path| defining_module(path, &all_names));
        let targets = targets.filter(|target| !module.starts_with(target));
        edges.insert(file.clone(), targets.map(|target| modules[&target].clone()).collect());
    }
    edges
}

/// The module that defines the item at a path, also if another module re-exports the item.
fn defining_module(path: &Module, imported_names: &BTreeMap<Module, BTreeMap<String, Module>>) -> Module {
    let mut path = path.clone();
    // No item is re-exported ten times, so a longer chain is circular.
    for _ in 0..10 {
        let length =
            (0..=path.len()).rev().find(|&length| imported_names.contains_key(&path[..length])).unwrap_or(0);
        let (module, item) = path.split_at(length);
        match item.first().and_then(|name| imported_names[module].get(name)) {
            Some(other) => path = [&other[..], &item[1..]].concat(),
            None => return module.to_vec(),
        }
    }
    panic!("{path:?} leads back to itself")
}

/// All files that a file imports directly or indirectly.
fn reachable_files(from: &Path, edges: &BTreeMap<PathBuf, BTreeSet<PathBuf>>) -> BTreeSet<PathBuf> {
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
fn source_files_have_no_circular_imports() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let crates = fs::read_dir(root.join("crates")).expect("a directory").flatten().map(|entry| entry.path());
    for package in crates.chain([root.to_owned()]).filter(|package| package.join("src/lib.rs").exists()) {
        let edges = imports(&package.join("src"));
        assert!(edges.len() == 1 || edges.values().any(|targets| !targets.is_empty()), "{package:?}");
        let reached: BTreeMap<&PathBuf, BTreeSet<PathBuf>> =
            edges.keys().map(|file| (file, reachable_files(file, &edges))).collect();
        for (file, reached_from_file) in &reached {
            let cycle: Vec<_> =
                reached_from_file.iter().filter(|other| reached[other].contains(*file)).collect();
            assert!(cycle.is_empty(), "the imports of {file:?} lead back to it: {cycle:#?}");
        }
    }
}

/// A child that imports a name of its sibling through the parent depends on the sibling.
#[test]
fn circular_import_through_re_export_is_detected() {
    let directory = tempfile::tempdir().expect("a directory");
    let write = |name: &str, text: &str| fs::write(directory.path().join(name), text).expect("written");
    write("lib.rs", "mod a;\nmod b;\npub use a::A;\npub use b::{self as c, B as D};\n");
    write("a.rs", "use super::D;\npub struct A(D);\n");
    write("b.rs", "pub struct B;\nfn f(a: crate::A) {}\n");
    let edges = imports(directory.path());
    let [a, b] = ["a.rs", "b.rs"].map(|name| directory.path().join(name));
    assert_eq!((&edges[&a], &edges[&b]), (&[b.clone()].into(), &[a.clone()].into()));
    assert!(reachable_files(&a, &edges).contains(&a));
}
