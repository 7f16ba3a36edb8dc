//! The allowed imports of crates and of the folders of `src`, and the dependencies. The code must agree with docs/ARCHITECTURE.md.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use toml::Table;

/// The dependencies of each package of the workspace, without those of tests and build scripts.
pub fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let crates = fs::read_dir(root.join("crates")).expect("a directory").flatten().map(|entry| entry.path());
    let manifests = crates.chain([root.to_owned()]).map(|package| package.join("Cargo.toml"));
    manifests.filter(|manifest| manifest.exists()).map(|manifest| read(&manifest)).collect()
}

fn read(manifest: &Path) -> (String, BTreeSet<String>) {
    let manifest: Table = fs::read_to_string(manifest).expect("UTF-8").parse().expect("TOML");
    let names = |table: &Table| table.keys().cloned().collect();
    let dependencies = manifest.get("dependencies").and_then(|table| table.as_table()).map(names);
    let name = manifest["package"]["name"].as_str().expect("a name").to_owned();
    (name, dependencies.unwrap_or_default())
}

/// All direct and indirect dependencies of a package.
fn all_dependencies(name: &str, packages: &BTreeMap<String, BTreeSet<String>>) -> BTreeSet<String> {
    let direct = packages.get(name).into_iter().flatten();
    direct
        .flat_map(|dependency| all_dependencies(dependency, packages).into_iter().chain([dependency.clone()]))
        .collect()
}

#[test]
fn base_crates_depend_on_no_solver() {
    let packages = dependencies();
    for name in ["lrat-check", "plaintext", "queens-board"] {
        assert_eq!(packages[name], BTreeSet::new(), "{name}");
    }
    for name in ["queens-judge", "queens-audit", "queens-count"] {
        let workspace_dependencies: BTreeSet<String> = all_dependencies(name, &packages)
            .into_iter()
            .filter(|name| packages.contains_key(name))
            .collect();
        let mut allowed = BTreeSet::from(["plaintext", "queens-board"]);
        allowed.extend((name == "queens-audit").then_some("lrat-check"));
        assert_eq!(
            workspace_dependencies.iter().map(String::as_str).collect::<BTreeSet<_>>(),
            allowed,
            "{name}"
        );
    }
}

#[test]
fn every_crate_is_described_with_its_imports() {
    let packages = dependencies();
    let rows =
        include_str!("../../docs/ARCHITECTURE.md").lines().filter(|line| line.starts_with("| `crates/"));
    let mut described_crates = BTreeSet::new();
    for row in rows {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let name = cells[1].trim_matches('`').trim_start_matches("crates/").to_owned();
        let imports: BTreeSet<String> = cells[3].split('`').skip(1).step_by(2).map(str::to_owned).collect();
        let workspace_dependencies =
            packages[&name].iter().filter(|name| packages.contains_key(*name)).cloned().collect();
        assert_eq!(imports, workspace_dependencies, "{name}");
        described_crates.insert(name);
    }
    let crates = packages.into_keys().filter(|name| name != "queenlab").collect();
    assert_eq!(described_crates, crates);
}

#[test]
fn every_dependency_has_its_reason() {
    let packages = dependencies();
    let rows: Vec<&str> =
        include_str!("../../docs/ARCHITECTURE.md").lines().filter(|line| line.starts_with("| ")).collect();
    let external: BTreeSet<&String> =
        packages.values().flatten().filter(|name| !packages.contains_key(*name)).collect();
    for name in external {
        let users: Vec<&String> =
            packages.iter().filter(|(_, used)| used.contains(name)).map(|(user, _)| user).collect();
        let names_dependency = |row: &&&str| {
            row.split('|').nth(1).is_some_and(|cell| cell.split([',', ' ']).any(|word| word == name))
        };
        let row = rows.iter().find(names_dependency).unwrap_or_else(|| panic!("{name} has no row"));
        let users_cell = row.split('|').nth(2).expect("a cell");
        let named_users: BTreeSet<&str> = users_cell.split('`').skip(1).step_by(2).collect();
        assert_eq!(named_users, users.iter().map(|user| user.as_str()).collect(), "{name}");
    }
}

/// The names that follow `crate::` in the sources of a folder or file of `src`.
fn collect_imports(path: &Path, modules: &mut BTreeSet<String>) {
    if path.is_dir() {
        let entries = fs::read_dir(path).expect("a directory").flatten();
        return entries.for_each(|entry| collect_imports(&entry.path(), modules));
    }
    let text = fs::read_to_string(path).expect("UTF-8");
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join(" ");
    for after_crate in code.split("crate::").skip(1) {
        let group = after_crate.strip_prefix('{').and_then(|group| group.split('}').next());
        let names = group
            .unwrap_or(after_crate.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or(""));
        modules.extend(names.split(|c: char| !c.is_alphanumeric() && c != '_').map(str::to_owned));
    }
}

#[test]
fn modules_import_only_what_the_table_lists() {
    let (_, section) =
        include_str!("../../docs/ARCHITECTURE.md").split_once("## The package").expect("a section");
    let rows =
        section.lines().take_while(|line| !line.starts_with("## ")).filter(|line| line.starts_with("| `"));
    let quoted = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    let cells: Vec<Vec<&str>> = rows.map(|row| row.split('|').collect()).collect();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let module_name = |file: &str| file.trim_end_matches(".rs").trim_end_matches('/').to_owned();
    let described: BTreeMap<String, (String, BTreeSet<String>)> = cells
        .iter()
        .map(|row| {
            let file = quoted(row[1]).remove(0);
            (module_name(&file), (file, quoted(row[3]).into_iter().collect()))
        })
        .collect();
    let modules = fs::read_dir(&source).expect("a directory").flatten();
    let modules = modules.map(|entry| module_name(&entry.file_name().to_string_lossy()));
    let modules: BTreeSet<String> = modules.filter(|name| name != "lib" && name != "main").collect();
    assert_eq!(described.keys().cloned().collect::<BTreeSet<_>>(), modules);
    for (name, (file, imports)) in &described {
        let mut names = BTreeSet::new();
        collect_imports(&source.join(file), &mut names);
        let names: BTreeSet<String> =
            names.intersection(&modules).filter(|other| *other != name).cloned().collect();
        assert_eq!(names, *imports, "{name}");
    }
}

/// The sources below a folder, without their tests.
fn code_below(path: &Path, code: &mut Vec<(String, String)>) {
    if path.is_dir() {
        let entries = fs::read_dir(path).expect("a directory").flatten();
        return entries.for_each(|entry| code_below(&entry.path(), code));
    }
    let name = path.to_string_lossy().replace('\\', "/");
    if path.extension().is_some_and(|extension| extension == "rs") && !name.ends_with("/tests.rs") {
        let text = fs::read_to_string(path).expect("UTF-8");
        let text = text.split("#[cfg(test)]\nmod tests {").next().expect("text").to_owned();
        code.push((name, text));
    }
}

/// Ids of solvers, texts of problems and names of columns are parsed and printed only in `src/model`.
#[test]
fn only_the_model_builds_solver_ids() {
    let mut code = Vec::new();
    code_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut code);
    let parts = ["program/", "sat/", "counter/", "instance:", "stat.", "factor."];
    let pieces = parts.iter().flat_map(|part| [format!("\"{part}\""), format!("\"{part}{{")]);
    let pieces: Vec<String> = pieces.chain(["['/', ':']".to_owned()]).collect();
    let (model, others): (Vec<_>, Vec<_>) = code.iter().partition(|(name, _)| name.contains("/src/model/"));
    assert!(!model.is_empty() && others.len() > 50);
    for (name, text) in others {
        for piece in &pieces {
            let line = text.lines().position(|line| line.contains(piece));
            assert_eq!(line, None, "{name}: {piece}");
        }
    }
}

/// Values whose text may be examined only by the code that parses and prints them.
const OPAQUE_VALUES: [&str; 13] = [
    "against",
    "argv",
    "id",
    "label",
    "measure",
    "problem",
    "reason",
    "selection",
    "series",
    "solver",
    "variant",
    "verdict",
    "warning",
];

/// Methods that examine a text.
const TEXT_METHODS: [&str; 12] = [
    ".contains(\"",
    ".contains('",
    ".ends_with(",
    ".find('",
    ".rsplit",
    ".split(",
    ".split_once(",
    ".starts_with(",
    ".strip_prefix(",
    ".strip_suffix(",
    ".startsWith(",
    ".includes('",
];

/// The names of the [`OPAQUE_VALUES`] whose text a line of code examines, for example `solver.split(':')` or
/// `row.variant.as_str().contains("x")`.
fn examined_values(line: &str) -> Vec<&str> {
    let code = line.split("//").next().expect("text");
    let calls = TEXT_METHODS.iter().flat_map(|method| code.match_indices(method));
    let receivers = calls.map(|(at, _)| {
        let receiver = ["()", ".as_str", ".to_string", ".id"].iter().fold(&code[..at], |receiver, end| {
            match receiver.strip_suffix(end) {
                Some(before) if !before.is_empty() => before,
                _ => receiver,
            }
        });
        receiver.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().expect("a part")
    });
    receivers.filter(|receiver| OPAQUE_VALUES.contains(receiver)).collect()
}

/// Code does not examine the text of an id, a label, a warning or a problem, but uses fields and methods of its type.
#[test]
fn only_the_model_parses_ids_and_labels() {
    assert_eq!(examined_values("let (id, _) = row.solver.as_str().split_once(':')?;"), ["solver"]);
    assert_eq!(examined_values("if solver.id().starts_with(SAT) && !is_x { // label.split(1)"), ["solver"]);
    assert_eq!(examined_values("solver.startsWith('program/') ? solver.split(':')[0] : solver,").len(), 2);
    assert!(
        examined_values("let valid = text.split(','); ids.contains(&id); solvers.contains(\"x\")").is_empty()
    );
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut code = Vec::new();
    code_below(&root, &mut code);
    code.push(("page.js".to_owned(), fs::read_to_string(root.join("report/page/page.js")).expect("UTF-8")));
    for (name, text) in code.iter().filter(|(name, _)| !name.contains("/src/model/")) {
        for (number, line) in (1..).zip(text.lines()) {
            assert_eq!(examined_values(line), [""; 0], "{name}:{number}: {line}");
        }
    }
}

/// The expressions in a line of the page's script that read a position, a label or a text from a picture or a table, although the
/// embedded data has all of them. Attributes `aria-*` are states of controls.
fn reads_of_the_page(line: &str) -> Vec<&str> {
    let attributes = line
        .match_indices(".getAttribute(")
        .map(|(at, _)| &line[at..])
        .filter(|read| !read.starts_with(".getAttribute('aria-"));
    let texts = [".textContent", ".innerText"]
        .into_iter()
        .flat_map(|text| line.match_indices(text).map(move |(at, name)| &line[at + name.len()..]));
    let island = "document.getElementById('island').textContent";
    attributes.chain(texts.filter(|after| !after.starts_with(" = ") && !line.contains(island))).collect()
}

#[test]
fn page_script_reads_values_from_embedded_data_only() {
    let script = include_str!("../../src/report/page/page.js");
    for (number, line) in (1..).zip(script.lines()) {
        assert_eq!(reads_of_the_page(line), [""; 0], "page.js:{number}: {line}");
    }
    for read in [
        "name.querySelector('text').getAttribute('y')",
        "const title = svg.querySelector('title').textContent;",
    ] {
        assert_ne!(reads_of_the_page(read), [""; 0], "{read}");
    }
}
