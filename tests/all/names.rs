//! Checks names: a test has at most eight words, and an identifier contains no vague verb and is not only an adjective.

use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};

/// Words that may not be an identifier or a part of one, because they do not say what a thing is.
const VAGUE_VERBS: [&str; 5] = ["asked", "heard", "said", "seen", "told"];

/// Adjectives that may be a part of an identifier, but not the whole identifier.
const LONE_ADJECTIVES: [&str; 4] = ["found", "known", "own", "shown"];

const MAX_WORDS: usize = 8;

/// The folders with code. The programs in `experiments/paradigms` are left out, because recorded results contain their digests, so
/// they must not change.
const FOLDERS: [&str; 7] = ["src", "crates", "tests", "examples", "fuzz/src", "fuzz/fuzz_targets", "scripts"];

/// The files below the folders with this extension.
fn sources(extension: &str) -> Vec<PathBuf> {
    fn collect(folder: &Path, extension: &str, files: &mut Vec<PathBuf>) {
        for path in std::fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path()) {
            // These folders contain data and code of other projects.
            if path.ends_with("tests/corpus") || path.ends_with("tests/data") {
                continue;
            }
            if path.is_dir() {
                collect(&path, extension, files);
            } else if path.extension().unwrap_or_default() == extension {
                files.push(path);
            }
        }
    }
    let mut files = Vec::new();
    FOLDERS.iter().for_each(|folder| collect(Path::new(folder), extension, &mut files));
    files.sort();
    files
}

/// Collects all tokens, including tokens in groups.
fn flatten(stream: TokenStream, tokens: &mut Vec<TokenTree>) {
    for tree in stream {
        let inner = if let TokenTree::Group(group) = &tree { Some(group.stream()) } else { None };
        tokens.push(tree);
        inner.into_iter().for_each(|inner| flatten(inner, tokens));
    }
}

fn identifiers(source: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    flatten(source.parse().expect("Rust"), &mut tokens);
    let name =
        |tree: TokenTree| if let TokenTree::Ident(ident) = tree { Some(ident.to_string()) } else { None };
    tokens.into_iter().filter_map(name).collect()
}

/// The names of the functions that follow `#[test]`, also within macros such as `proptest!`.
fn test_names(source: &str) -> Vec<String> {
    let names = identifiers(source);
    let next_function =
        |at: usize| names[at..].iter().position(|name| name == "fn").map(|next| names[at + next + 1].clone());
    (0..names.len()).filter(|&at| names[at] == "test").filter_map(next_function).collect()
}

fn vague_identifiers(source: &str) -> Vec<String> {
    let is_vague = |name: &String| {
        name.starts_with("MOST_") || name.to_lowercase().split('_').any(|part| VAGUE_VERBS.contains(&part))
    };
    identifiers(source).into_iter().filter(is_vague).collect()
}

fn long_test_names(source: &str) -> Vec<String> {
    test_names(source).into_iter().filter(|name| name.split('_').count() > MAX_WORDS).collect()
}

/// The identifiers in a Rust file that are only an adjective. Uses are checked as well as definitions, because every name that is
/// used is defined in some file.
fn incomplete_identifiers(source: &str) -> Vec<String> {
    let is_incomplete = |name: &String| LONE_ADJECTIVES.contains(&&*name.to_lowercase());
    identifiers(source).into_iter().filter(is_incomplete).collect()
}

/// The lines of a script that define a name, by a keyword, by an assignment or as a parameter, if the name is only an adjective.
fn incomplete_identifiers_in_script(source: &str) -> Vec<String> {
    let names = LONE_ADJECTIVES.join("|");
    let definition_forms = [
        format!(r"\b(?:const|let|var|local|for|function|def|class)\b[^=;]*\b(?:{names})\b"),
        format!(r"(?:^|[\s;.])(?:{names})\s*[+-]?=[^=]"),
        format!(r"\b(?:{names})\b(?:, \w+)*\)? =>"),
    ]
    .map(|form| regex_lite::Regex::new(&form).expect("an expression"));
    let is_prose =
        |line: &&str| ["//", "#", "*", "/*"].iter().any(|sign| line.trim_start().starts_with(sign));
    let is_definition = |line: &&str| definition_forms.iter().any(|form| form.is_match(line));
    source
        .lines()
        .filter(|line| !is_prose(line))
        .filter(is_definition)
        .map(|line| line.trim().to_owned())
        .collect()
}

fn in_all_files(extension: &str, find: fn(&str) -> Vec<String>) -> Vec<String> {
    let names_in_file = |file: PathBuf| {
        let names = find(&std::fs::read_to_string(&file).expect("readable"));
        names.into_iter().map(move |name| format!("{}: {name}", plaintext::path(&file)))
    };
    sources(extension).into_iter().flat_map(names_in_file).collect()
}

#[test]
fn test_names_have_at_most_eight_words() {
    assert_eq!(in_all_files("rs", long_test_names), Vec::<String>::new());
    let example = "mod a { #[test] fn a_b_c_d_e_f_g_h_i() {} #[test] fn a_b() {} fn c_d_e_f_g_h_i_j_k() {} }";
    assert_eq!(long_test_names(example), ["a_b_c_d_e_f_g_h_i"]);
}

#[test]
fn identifiers_contain_no_vague_verb() {
    assert_eq!(in_all_files("rs", vague_identifiers), Vec::<String>::new());
    assert_eq!(
        vague_identifiers("let (told, retold, is_seen) = MOST_ROWS; // said\n"),
        ["told", "is_seen", "MOST_ROWS"]
    );
}

#[test]
fn no_identifier_is_only_an_adjective() {
    assert_eq!(in_all_files("rs", incomplete_identifiers), Vec::<String>::new());
    let definitions =
        "mod found {} const KNOWN: u8 = 1; static SHOWN: u8 = 1; struct Own { own: u8 } enum E { Known }
        fn shown(known: u8) { let (a, found) = x; y.map(|own| own_name); if let Some(shown) = z {} }";
    assert_eq!(
        incomplete_identifiers(definitions),
        ["found", "KNOWN", "SHOWN", "Own", "own", "Known", "shown", "known", "found", "own", "shown"]
    );
    assert_eq!(
        incomplete_identifiers("let found_boards = is_known(\"own\"); // shown\n"),
        Vec::<String>::new()
    );
    for extension in ["js", "sh", "py", ""] {
        assert_eq!(in_all_files(extension, incomplete_identifiers_in_script), Vec::<String>::new());
    }
    let definitions = "const { a, own } = x;\n  this.found += 1;\nlist.map((known, at) => at);\nfor shown in *; do\nknown=1";
    assert_eq!(incomplete_identifiers_in_script(definitions).len(), 5);
    assert_eq!(
        incomplete_identifiers_in_script("const all = 'is shown';\nsay(`${is ? 'own' : ''}`);\n"),
        Vec::<String>::new()
    );
}
