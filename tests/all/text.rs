//! Texts of unknown origin. They are decoded, or refused with a message that names their encoding. In output, they never start a
//! new line.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;

use crate::harness::{read, run_in, scratch, write};

/// An experiment with these tables.
fn experiment(tables: &str) -> String {
    format!("schema_version = 1\nname = \"t\"\n[sweep]\nn = \"4-5\"\ngoal = \"count\"\nrepeat = 1\n{tables}")
}

/// The JSON data in a page.
fn island(page: &str) -> Value {
    let (_, json) = page.split_once("<script type=\"application/json\" id=\"island\">").expect("the data");
    serde_json::from_str(json.split("</script>").next().expect("an end")).expect("JSON")
}

/// The names of the rows of a table of a page.
fn row_names(page: &str, table: usize) -> Vec<&str> {
    let (_, after) = page.split_once(&format!("<table data-table=\"{table}\"")).expect("the table");
    let (table, _) = after.split_once("</table>").expect("its end");
    let row_heads = table.split("<th scope=\"row\" class=\"text\">").skip(1);
    row_heads.filter_map(|after| after.split("</th>").next()).collect()
}

#[test]
fn series_with_equal_labels_have_separate_runs() {
    let directory = scratch();
    let solvers = ["backtrack/bitmask", "backtrack/backmarking", "backtrack/column-scan"];
    // A label may equal the id of another solver.
    let labels = ["same", "same", "backtrack/bitmask"];
    let tables: String = solvers
        .iter()
        .zip(labels)
        .map(|(id, label)| format!("[[solver]]\nid = \"{id}\"\nlabel = \"{label}\"\n"))
        .collect();
    write(directory.path(), "x.toml", &experiment(&tables));
    let (code, _, stderr) = run_in(directory.path(), &["sweep", "x.toml", "--out", "r", "-q"]);
    assert_eq!((code, &*stderr), (0, ""));
    let page = read(&directory.path().join("r"), "report.html");
    let island = island(&page);
    let series = island["runs"]["series"].as_object().expect("by number");
    assert_eq!(series.len(), solvers.len());
    // Every row of a table with runs has the number of its series.
    let mut rows: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for (number, table) in island["tables"].as_array().expect("a list").iter().enumerate() {
        let names_in_table = row_names(&page, number);
        let numbers = table["series"].as_array().into_iter().flatten();
        for (head, number) in names_in_table.into_iter().zip(numbers) {
            rows.entry(number.to_string()).or_default().insert(head);
        }
    }
    let mut names = Vec::new();
    for (number, series_data) in series {
        let solver = series_data["selection"].as_str().expect("a name");
        assert_eq!(series_data["sizes"].as_object().map(serde_json::Map::len), Some(2), "{solver}");
        assert_eq!(rows[number].len(), 1, "{solver}: the names in the tables differ");
        names.extend(rows[number].iter().map(|name| (solver, (*name).to_owned())));
    }
    names.sort_unstable();
    let distinct_names: BTreeSet<&String> = names.iter().map(|(_, name)| name).collect();
    assert_eq!(distinct_names.len(), solvers.len(), "{names:?}");
}

/// A forged verdict, which must never be at the beginning of a line of output.
const FORGED_VERDICT: &str = "reproduced: 12 cells agree";

/// Every way in which a text could start a line of output.
const LINE_BREAKS: [&str; 6] = ["\n", "\r", "\u{b}", "\u{85}", "\u{2028}", "\u{1b}[2J\u{1b}[1;1H"];

/// Checks that no line of an output begins with the forged verdict, for any convention of line ends.
#[track_caller]
fn assert_not_forged(description: &str, output: &str) {
    let is_end = |c: char| {
        matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' | '\u{1b}')
    };
    for line in output.split(is_end) {
        let line = line.trim_start_matches("[2J").trim_start_matches("[1;1H");
        assert!(!line.starts_with(FORGED_VERDICT), "{description}:\n{output}");
    }
}

/// Runs a command, and checks that neither output contains the forged verdict. Returns the exit code.
#[track_caller]
fn assert_output_not_forged(directory: &Path, arguments: &[&str]) -> i32 {
    let output = crate::harness::queenlab(arguments).current_dir(directory).output().expect("it starts");
    for bytes in [&output.stdout, &output.stderr] {
        assert_not_forged(&format!("{arguments:?}"), &String::from_utf8_lossy(bytes));
    }
    let code = output.status.code().expect("an exit code");
    assert!(code != 101, "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    code
}

/// The files that `report` or `sweep` wrote in a directory.
fn written_files(directory: &Path) -> Vec<std::path::PathBuf> {
    let entries = |folder: &Path| {
        std::fs::read_dir(folder)
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path())
            .collect::<Vec<_>>()
    };
    entries(directory)
        .into_iter()
        .chain(entries(&directory.join("plots")))
        .filter(|path| path.is_file())
        .collect()
}

/// Checks all files of a directory except `input_file`, which is a verbatim copy of the input.
#[track_caller]
fn assert_files_not_forged(input_file: &str, description: &str, directory: &Path) {
    for path in written_files(directory).iter().filter(|path| !path.ends_with(input_file)) {
        assert_not_forged(
            &format!("{description}: {}", path.display()),
            &String::from_utf8_lossy(&std::fs::read(path).expect("a file")),
        );
    }
}

/// A text as a JSON or TOML string.
fn quoted(text: &str) -> String {
    let json = serde_json::to_string(text).expect("a string");
    json.replace('\u{85}', "\\u0085").replace('\u{2028}', "\\u2028")
}

#[test]
fn line_breaks_in_experiment_texts_are_escaped() {
    let program = "[[program]]\nid = \"p\"\ncommand = [\"sh\", \"-c\", \"echo 2\", \"{h}\"]\nh = \"a\"\n";
    let claim = "[[claim]]\nsays = \"x\"\nmeasure = \"solutions\"\nof = \"backtrack/bitmask\"\nvalue = 2\nratio = \"<= 1\"\n";
    let solver = "[[solver]]\nid = \"backtrack/bitmask\"\n";
    let base_experiment = experiment(&format!("{solver}{program}{claim}"));
    assert_eq!(
        {
            let directory = scratch();
            write(directory.path(), "x.toml", &base_experiment);
            assert_output_not_forged(directory.path(), &["sweep", "x.toml", "--out", "r"])
        },
        3,
        "the program gives a wrong count for n = 5"
    );
    for line_break in ["\n", "\u{2028}"] {
        let text = quoted(&format!("a{line_break}{FORGED_VERDICT}"));
        let shell = quoted(&format!("echo 2; echo 'a{line_break}{FORGED_VERDICT}' >&2; exit 1"));
        let mut texts: Vec<String> = Vec::new();
        for key in ["question", "expected", "analysis", "name"] {
            let other_lines =
                base_experiment.lines().filter(|line| !line.starts_with(key)).collect::<Vec<_>>().join("\n");
            texts.push(format!("{key} = {text}\n{other_lines}\n"));
        }
        for (table, keys) in [
            (solver, &["label", "group", "idea", "n", "exclude", "\"key\""][..]),
            (
                program,
                &["label", "group", "answer", "install", "notation", "files", "version", "build", "h2"],
            ),
            (claim, &["source", "note", "compared_with", "variant", "published", "goal", "n"]),
        ] {
            for key in keys {
                let line = format!("{key} = {text}\n");
                texts.push(base_experiment.replace(table, &format!("{table}{line}")));
            }
        }
        for (from, to) in [
            ("says = \"x\"", format!("says = {text}")),
            ("measure = \"solutions\"", format!("measure = {text}")),
            ("of = \"backtrack/bitmask\"", format!("of = {text}")),
            ("id = \"p\"", format!("id = {text}")),
            ("id = \"backtrack/bitmask\"", format!("id = {text}")),
            ("\"echo 2\"", shell.clone()),
            ("\"echo 2\"", text.clone()),
            ("\"sh\", ", format!("{text}, ")),
            ("h = \"a\"", format!("h = {text}")),
            ("goal = \"count\"", format!("variant = {text}")),
            ("goal = \"count\"", format!("instances = {text}")),
            ("goal = \"count\"", format!("timeout = {text}")),
            ("h = \"a\"\n", format!("h = \"a\"\nbuild = [\"sh\", \"-c\", {shell}]\n")),
            ("h = \"a\"\n", format!("h = \"a\"\nversion = [\"sh\", \"-c\", {shell}]\n")),
            ("h = \"a\"\n", format!("h = \"a\"\nversion = {text}\n")),
            (
                "[[claim]]",
                format!(
                    "[[sat]]\nid = \"s\"\ncommand = {}\n[[claim]]",
                    quoted(&format!("sh -c 'echo \"a{line_break}{FORGED_VERDICT}\"' {{cnf}}"))
                ),
            ),
            (
                "[[solver]]",
                format!(
                    "[[sat]]\nid = \"s\"\ncommand = {}\n[[solver]]\nid = \"sat/pairwise/s\"\n[[solver]]",
                    quoted(&format!("sh -c 'echo \"a{line_break}{FORGED_VERDICT}\"' {{cnf}}"))
                ),
            ),
            (
                "[[solver]]",
                format!(
                    "[[counter]]\nid = \"s\"\ncommand = {}\n[[solver]]\nid = \"counter/pairwise/s\"\n[[solver]]",
                    quoted(&format!(
                        "sh -c 'echo \"c s exact arb int a{line_break}{FORGED_VERDICT}\"' {{cnf}}"
                    ))
                ),
            ),
        ] {
            assert!(base_experiment.contains(from), "{from}");
            texts.push(base_experiment.replace(from, &to));
        }
        for experiment in texts {
            let directory = scratch();
            write(directory.path(), "x.toml", &experiment);
            assert_output_not_forged(directory.path(), &["sweep", "x.toml", "--dry-run"]);
            if assert_output_not_forged(directory.path(), &["sweep", "x.toml", "--out", "r", "--verbose"])
                == 2
            {
                continue;
            }
            assert_files_not_forged("experiment.toml", &experiment, &directory.path().join("r"));
            if line_break != "\n" {
                continue;
            }
            for format in ["markdown", "latex", "json"] {
                assert_output_not_forged(directory.path(), &["report", "r", "--format", format]);
            }
            assert_output_not_forged(directory.path(), &["compare", "r", "r"]);
            assert_output_not_forged(directory.path(), &["reproduce", "r", "--out", "again"]);
            // Another experiment in the same directory is refused, and the message lists the differences.
            write(directory.path(), "y.toml", &base_experiment.replace("repeat = 1", "repeat = 2"));
            assert_output_not_forged(directory.path(), &["sweep", "y.toml", "--out", "r"]);
        }
    }
}

/// The result of a small sweep.
fn result() -> tempfile::TempDir {
    let directory = scratch();
    let tables = "[[solver]]\nid = \"backtrack/bitmask\"\n[[solver]]\nid = \"backtrack/backmarking\"\n\
                  [[claim]]\nsays = \"x\"\nmeasure = \"solutions\"\nof = \"backtrack/bitmask\"\nvalue = 2\nratio = \"<= 9\"\n";
    write(directory.path(), "x.toml", &experiment(tables));
    let (code, _, stderr) = run_in(directory.path(), &["sweep", "x.toml", "--out", "r", "-q"]);
    assert_eq!((code, &*stderr), (0, ""));
    directory
}

/// Copies of a JSON document. In each copy, one text is replaced, which is a value or a key.
fn each_text(json: &Value, replacement: &str) -> Vec<Value> {
    match json {
        Value::String(_) => vec![replacement.into()],
        Value::Array(items) => {
            let replace_in_item = |at: usize| {
                each_text(&items[at], replacement).into_iter().map(move |new| {
                    let mut new_items = items.clone();
                    new_items[at] = new;
                    Value::Array(new_items)
                })
            };
            (0..items.len()).flat_map(replace_in_item).collect()
        }
        Value::Object(object) => {
            let replace_in_entry = |(key, value): (&String, &Value)| {
                let mut copies: Vec<Value> = each_text(value, replacement)
                    .into_iter()
                    .map(|new| {
                        let mut new_object = object.clone();
                        new_object.insert(key.clone(), new);
                        new_object.into()
                    })
                    .collect();
                let mut renamed = object.clone();
                let value = renamed.remove(key).expect("there");
                renamed.insert(replacement.to_owned(), value);
                copies.push(renamed.into());
                copies
            };
            object.iter().flat_map(replace_in_entry).collect()
        }
        _ => Vec::new(),
    }
}

/// Runs every command that reads a result directory.
#[track_caller]
fn assert_readers_not_forged(directory: &Path, file: &str, description: &str) {
    for format in ["markdown", "latex", "json"] {
        assert_output_not_forged(directory, &["report", "r", "--format", format]);
    }
    assert_output_not_forged(directory, &["report", "r"]);
    assert_output_not_forged(directory, &["compare", "r", "r"]);
    assert_output_not_forged(directory, &["sweep", "x.toml", "--out", "r"]);
    assert_files_not_forged(file, description, &directory.join("r"));
}

#[test]
fn line_breaks_in_result_texts_are_escaped() {
    let results = result();
    let content_of = |file: &str| read(&results.path().join("r"), file);
    let assert_not_forged_with = |file: &str, text: &str| {
        let directory = scratch();
        write(directory.path(), "x.toml", &read(results.path(), "x.toml"));
        std::fs::create_dir(directory.path().join("r")).expect("a directory");
        for name in ["experiment.toml", "meta.json", "runs.csv", "levels.csv", "crosscheck.csv", "claims.csv"]
        {
            let text = if name == file { text.to_owned() } else { content_of(name) };
            write(&directory.path().join("r"), name, &text);
        }
        assert_readers_not_forged(directory.path(), file, text);
    };
    let forged_text = format!("a\n{FORGED_VERDICT}");
    let meta: Value = serde_json::from_str(&content_of("meta.json")).expect("JSON");
    for changed in each_text(&meta, &forged_text) {
        assert_not_forged_with("meta.json", &changed.to_string());
    }
    for file in ["runs.csv", "levels.csv", "crosscheck.csv"] {
        let text = content_of(file);
        let header = text.lines().next().expect("a header").to_owned();
        for column in 0..header.split(',').count() {
            for (line, forged_text) in [
                (1, format!("\"a\r{FORGED_VERDICT}\"")),
                (1, format!("a\u{2028}{FORGED_VERDICT}")),
                (0, format!("a\u{b}{FORGED_VERDICT}")),
            ] {
                let mut lines: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
                lines[line][column] = &forged_text;
                let lines: Vec<String> = lines.into_iter().map(|fields| fields.join(",")).collect();
                assert_not_forged_with(file, &(lines.join("\n") + "\n"));
            }
        }
    }
}

#[test]
fn line_breaks_in_file_names_are_escaped() {
    let names = [
        format!("a\n{FORGED_VERDICT}"),
        format!("a\r{FORGED_VERDICT}"),
        format!("a\u{2028}{FORGED_VERDICT}"),
    ];
    for name in &names {
        let directory = result();
        let path = |more: &str| format!("{name}{more}");
        std::fs::rename(directory.path().join("r"), directory.path().join(name)).expect("renamed");
        for format in ["markdown", "latex", "json"] {
            assert_output_not_forged(directory.path(), &["report", name, "--format", format]);
        }
        assert_output_not_forged(directory.path(), &["report", name]);
        assert_output_not_forged(directory.path(), &["report", name, name, "--out", &path("out")]);
        assert_output_not_forged(directory.path(), &["compare", name, name]);
        assert_output_not_forged(directory.path(), &["reproduce", name]);
        assert_output_not_forged(directory.path(), &["sweep", "x.toml", "--out", name]);
        assert_output_not_forged(directory.path(), &["sweep", "x.toml", "--out", name, "--fresh"]);
        assert_output_not_forged(directory.path(), &["sweep", &path(".toml")]);
        assert_output_not_forged(directory.path(), &["report", &path("none")]);
        assert_output_not_forged(directory.path(), &["compare", &path("none"), name]);
        // Names of programs, texts and folders.
        let text = format!("1 3 0 2\nx {name}\n");
        std::fs::create_dir(directory.path().join(path("class"))).expect("a directory");
        for file in [path("_4.txt"), path("_5.py"), path("_4.unknown"), format!("{name}/")] {
            if !file.ends_with('/') {
                write(&directory.path().join(path("class")), &file, &text);
            }
        }
        write(directory.path(), &path(".txt"), &text);
        assert_output_not_forged(
            directory.path(),
            &["check", "--batch", &path("class"), "--n", "4", "--csv", "points.csv"],
        );
        assert_output_not_forged(
            directory.path(),
            &["check", "--batch", &path("class"), "--n", "4", "--json"],
        );
        assert_not_forged("points.csv", &read(directory.path(), "points.csv"));
        assert_output_not_forged(directory.path(), &["check", "4", &path(".txt")]);
        assert_output_not_forged(directory.path(), &["check", "4", &path("none")]);
        write(directory.path(), &path(".sh"), "echo 1 3 0 2; printf 'a\\rb\\n' >&2; exit 1\n");
        assert_output_not_forged(directory.path(), &["check", "4", "--", "sh", &path(".sh")]);
        assert_output_not_forged(directory.path(), &["check", "4", "--", &path("none")]);
        let program = format!("sh '{}' {{n}}", path(".sh"));
        assert_output_not_forged(
            directory.path(),
            &["sweep", "4", "--program", &program, "--out", &path("p")],
        );
        assert_output_not_forged(directory.path(), &["report", &path("p")]);
        // Names of instances, counts and certificates.
        write(directory.path(), &path(".pz"), "AAB\nABB\nCCX1\n");
        write(directory.path(), &path("good.pz"), "AAB\nABB\nCCC\n");
        for file in [path(".pz"), path("good.pz"), path("none.pz")] {
            assert_output_not_forged(directory.path(), &["solve", "--instance", &file]);
            assert_output_not_forged(
                directory.path(),
                &["sweep", "--instance", &file, "--solver", "backtrack/dlx", "--out", "i"],
            );
        }
        let _ = std::fs::create_dir(directory.path().join(path("shards")));
        assert_output_not_forged(
            directory.path(),
            &["count", "14", "--shard", "1/2", "--out", &path("shards")],
        );
        write(&directory.path().join(path("shards")), &format!("n14-shard-2-of-2.count{name}"), &text);
        write(&directory.path().join(path("shards")), "n14-shard-2-of-2.count", &text);
        assert_output_not_forged(directory.path(), &["count", "14", "--merge", &path("shards")]);
        assert_output_not_forged(directory.path(), &["count", "14", "--merge", &path("none")]);
        write(directory.path(), &path("checkpoint"), &text);
        assert_output_not_forged(directory.path(), &["count", "14", "--checkpoint", &path("checkpoint")]);
        assert_output_not_forged(
            directory.path(),
            &["certify", "4", "--out", &path("certificate"), "--keep"],
        );
        assert_output_not_forged(directory.path(), &["certify", "4", "--out", &path("certificate")]);
        assert_output_not_forged(
            directory.path(),
            &["certify", "--audit", &path("certificate/certificate.json")],
        );
        assert_output_not_forged(directory.path(), &["certify", "--audit", &path(".txt")]);
        assert_output_not_forged(directory.path(), &["certify", "--audit", &path("none")]);
        assert_output_not_forged(directory.path(), &["encode", "4", "-o", &path("x/y.cnf")]);
    }
}

#[test]
fn line_breaks_in_certificate_texts_are_escaped() {
    let directory = scratch();
    let (code, ..) = run_in(directory.path(), &["certify", "4", "--out", "c", "--keep"]);
    assert_eq!(code, 0);
    let folder = directory.path().join("c");
    let certificate: Value = serde_json::from_str(&read(&folder, "certificate.json")).expect("JSON");
    for line_break in LINE_BREAKS {
        for changed in each_text(&certificate, &format!("a{line_break}{FORGED_VERDICT}")) {
            write(&folder, "certificate.json", &changed.to_string());
            assert_output_not_forged(directory.path(), &["certify", "--audit", "c/certificate.json"]);
        }
    }
}

/// A text in the encodings of other systems and terminals.
fn encodings(text: &str) -> Vec<Vec<u8>> {
    let utf16 =
        |text: &str, bytes: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(bytes).collect::<Vec<u8>>();
    let text_with_bom = format!("\u{feff}{text}");
    let coloured_text: String =
        text.lines().map(|line| format!("\u{1b}[1;32m{line}\u{1b}[0m\u{1b}[K\n")).collect();
    let mut encoded_texts = vec![
        utf16(&text_with_bom, u16::to_le_bytes),
        utf16(&text_with_bom, u16::to_be_bytes),
        utf16(text, u16::to_le_bytes),
    ];
    encoded_texts.extend(
        [text.replace('\n', "\r\n"), text.replace('\n', "\r"), text_with_bom, coloured_text]
            .map(String::into_bytes),
    );
    encoded_texts
}

#[test]
fn answers_of_programs_are_decoded() {
    let directory = scratch();
    let write_file =
        |name: &str, bytes: &[u8]| std::fs::write(directory.path().join(name), bytes).expect("written");
    let assert_succeeds = |arguments: &[&str]| {
        let (code, stdout, stderr) = run_in(directory.path(), arguments);
        assert_eq!(code, 0, "{arguments:?}: {stdout}{stderr}");
    };
    let tables = "[[program]]\nid = \"plain\"\ncommand = [\"sh\", \"-c\", \"cat count\"]\n\
                  [[program]]\nid = \"last\"\ncommand = [\"sh\", \"-c\", \"cat log\"]\nanswer = \"last-line\"\n\
                  [[program]]\nid = \"found\"\ncommand = [\"sh\", \"-c\", \"cat log\"]\nanswer = \"^Models: (\\\\d+)$\"\n\
                  [[counter]]\nid = \"c\"\ncommand = \"sh -c 'cat models' {cnf}\"\n[[solver]]\nid = \"counter/pairwise/c\"\n";
    write_file("x.toml", experiment(tables).replace("4-5", "4").as_bytes());
    let certificate_folder = directory.path().join("c");
    let counts = [
        encodings("2\n"),
        encodings("Solving\nModels: 2\n2\n"),
        encodings("s SATISFIABLE\nc s exact arb int 2\n"),
    ];
    let boards = encodings("1 3 0 2\n2 0 3 1\n");
    let refutation_texts = encodings("c hello\ns UNSATISFIABLE\n");
    let verification_texts = encodings("c hello\ns VERIFIED\n");
    for at in 0..boards.len() {
        write_file("count", &counts[0][at]);
        write_file("log", &counts[1][at]);
        write_file("models", &counts[2][at]);
        write_file("boards", &boards[at]);
        write_file("refuted", &refutation_texts[at]);
        write_file("verified", &verification_texts[at]);
        assert_succeeds(&["sweep", "x.toml", "--out", "r", "--fresh", "-q"]);
        let rows = crate::harness::rows(&directory.path().join("r"));
        assert!(rows.iter().all(|row| row.solutions == Some(2)), "{at}: {rows:?}");
        assert_succeeds(&["check", "4", "boards"]);
        assert_succeeds(&["check", "4", "--count", "count"]);
        assert_succeeds(&[
            "solve",
            "3",
            "--solver",
            "sat/pairwise/external",
            "--sat",
            "external=sh -c 'cat refuted' {cnf}",
        ]);
        let _ = std::fs::remove_dir_all(&certificate_folder);
        assert_succeeds(&["certify", "4", "--out", "c", "--checker", "sh -c 'cat verified' {cnf} {proof}"]);
    }
}

#[test]
fn queenlab_reads_files_with_any_line_ending() {
    let directory = scratch();
    let write_file =
        |name: &str, bytes: &[u8]| std::fs::write(directory.path().join(name), bytes).expect("written");
    let (code, ..) = run_in(directory.path(), &["certify", "4", "--out", "c", "--keep"]);
    assert_eq!(code, 0);
    let (code, ..) = run_in(directory.path(), &["count", "14", "--shard", "1/1", "--out", "s"]);
    assert_eq!(code, 0);
    let shard = std::fs::read_dir(directory.path().join("s"))
        .expect("there")
        .flatten()
        .next()
        .expect("a shard")
        .path();
    let shard = format!("s/{}", shard.file_name().expect("a name").to_string_lossy());
    let experiment = experiment("[[solver]]\nid = \"backtrack/bitmask\"\n");
    write_file("x.toml", experiment.as_bytes());
    write_file("x.pz", b"n = 4\nforbid = \"0:0\"\n");
    let mut messages = String::new();
    for (file, arguments) in [
        ("x.toml", &["sweep", "x.toml", "--out", "r", "--fresh", "-q"][..]),
        ("x.pz", &["solve", "--instance", "x.pz"]),
        ("c/certificate.json", &["certify", "--audit", "c/certificate.json"]),
        (&*shard, &["count", "14", "--merge", "s"]),
    ] {
        let text = read(directory.path(), file);
        let encoded_texts = encodings(&text);
        for bytes in &encoded_texts[3..6] {
            write_file(file, bytes);
            let (code, stdout, stderr) = run_in(directory.path(), arguments);
            assert_eq!(code, 0, "{file}: {stdout}{stderr}");
        }
        for bytes in &encoded_texts[..3] {
            write_file(file, bytes);
            let (code, stdout, stderr) = run_in(directory.path(), arguments);
            assert!(code != 0 && stdout.is_empty(), "{file}: {stdout}");
            assert!(stderr.contains("UTF-16"), "{file}: {stderr}");
            messages += &stderr;
        }
        write_file(file, text.as_bytes());
    }
    wording::assert_wording!("text", "files in UTF-16", messages);
}
