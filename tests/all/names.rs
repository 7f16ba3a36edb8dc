//! Names of tests are short, and no identifier stands for a noun by a verb that does not say which noun.

use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};

/// An identifier that is one of these words, or has one as a part, does not say what it is.
const VAGUE: [&str; 5] = ["asked", "heard", "said", "seen", "told"];

const MAX_WORDS: usize = 8;

/// The files of Rust below the folders of our own code.
fn sources() -> Vec<PathBuf> {
    fn below(folder: &Path, files: &mut Vec<PathBuf>) {
        for path in std::fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                below(&path, files);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    let mut files = Vec::new();
    ["src", "crates", "tests"].iter().for_each(|folder| below(Path::new(folder), &mut files));
    files.sort();
    files
}

/// Every token, those in groups included.
fn flat(stream: TokenStream, tokens: &mut Vec<TokenTree>) {
    for tree in stream {
        let inner = if let TokenTree::Group(group) = &tree { Some(group.stream()) } else { None };
        tokens.push(tree);
        inner.into_iter().for_each(|inner| flat(inner, tokens));
    }
}

fn identifiers(source: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    flat(source.parse().expect("Rust"), &mut tokens);
    let name =
        |tree: TokenTree| if let TokenTree::Ident(ident) = tree { Some(ident.to_string()) } else { None };
    tokens.into_iter().filter_map(name).collect()
}

/// The names of the functions that follow `#[test]`, also within macros such as `proptest!`.
fn tests(source: &str) -> Vec<String> {
    let names = identifiers(source);
    let after =
        |at: usize| names[at..].iter().position(|name| name == "fn").map(|next| names[at + next + 1].clone());
    (0..names.len()).filter(|&at| names[at] == "test").filter_map(after).collect()
}

fn vague(source: &str) -> Vec<String> {
    let is_vague = |name: &String| {
        name.starts_with("MOST_") || name.to_lowercase().split('_').any(|part| VAGUE.contains(&part))
    };
    identifiers(source).into_iter().filter(is_vague).collect()
}

fn long(source: &str) -> Vec<String> {
    tests(source).into_iter().filter(|name| name.split('_').count() > MAX_WORDS).collect()
}

fn everywhere(find: fn(&str) -> Vec<String>) -> Vec<String> {
    let in_file = |file: PathBuf| {
        let names = find(&std::fs::read_to_string(&file).expect("readable"));
        names.into_iter().map(move |name| format!("{}: {name}", plaintext::path(&file)))
    };
    sources().into_iter().flat_map(in_file).collect()
}

#[test]
fn test_names_have_at_most_eight_words() {
    assert_eq!(everywhere(long), Vec::<String>::new());
    let example = "mod a { #[test] fn a_b_c_d_e_f_g_h_i() {} #[test] fn a_b() {} fn c_d_e_f_g_h_i_j_k() {} }";
    assert_eq!(long(example), ["a_b_c_d_e_f_g_h_i"]);
}

#[test]
fn no_identifier_is_a_vague_verb() {
    assert_eq!(everywhere(vague), Vec::<String>::new());
    assert_eq!(vague("let (told, retold, is_seen) = MOST_ROWS; // said\n"), ["told", "is_seen", "MOST_ROWS"]);
}
