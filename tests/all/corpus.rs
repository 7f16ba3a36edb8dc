//! Runs the readers on files that a fuzzer found, and on texts made to exhaust resources. No reader may panic, hang, take more
//! memory than the length of its input justifies, or fail the checks of tests/readers. fuzz/README.md describes where the files
//! come from. A child process reads the texts, because an endless loop or an exhausted stack or heap would end the test process.
//! The child prints the name of each text before it reads the text.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use rustix::process::{Resource, Rlimit, setrlimit};

use crate::readers::{self, Reader};
use queenlab::model::SolverRef;
use queenlab::record::{
    CrosscheckRow, LevelRow, Meta, NodesRow, Row, SCHEMA_VERSION, Table, TimingsRow, table,
};

/// The limit of CPU time for all texts of a reader, which take less than 2 minutes. Wall time would depend on other programs.
const CPU_LIMIT_S: u64 = 600;

/// The time limit for one text, for readers that wait without using CPU time.
const TIME_LIMIT: Duration = Duration::from_secs(3600);

/// The extent of a test: a sample, or everything.
#[derive(Clone, Copy, PartialEq)]
enum Amount {
    Sample,
    All,
}

/// The environment variable that selects what the child reads: `sample/` or `all/`, followed by `corpus/NAME`, `bombs/NAME`
/// or `random/NAME`.
const SELECTION_VARIABLE: &str = "QUEENLAB_TEST_READS";

/// The prefix of the lines in which the child prints the name of each text before reading it.
const READING_PREFIX: &str = "reading ";

type Texts = Vec<(String, Vec<u8>)>;

fn corpus(reader: &Reader) -> Texts {
    let folder = PathBuf::from("tests/corpus").join(reader.name);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let file = |path: PathBuf| (path.display().to_string(), fs::read(path).expect("a readable file"));
    let mut texts: Texts = entries.map(|entry| file(entry.expect("an entry").path())).collect();
    texts.sort();
    texts
}

/// Texts that exhaust the time or memory of a careless reader, each with a name.
fn bombs(reader: &Reader, amount: Amount) -> Texts {
    let length = if amount == Amount::All { 8 << 20 } else { 128 << 10 };
    let long_text = |byte: &str| byte.repeat(length);
    let texts: Vec<(&str, String)> = match reader.name {
        "notation" | "submission" => vec![
            ("a very long line", format!("8A{}", long_text("7 "))),
            ("a very long row", format!("8A{}", long_text("."))),
            ("a very long list", format!("8A[{}", long_text(",\n"))),
            ("blank lines after a comma", format!("8A[,{}", long_text("\n"))),
            ("brackets", format!("8A{}", long_text("["))),
            ("closing brackets", format!("8A{}", long_text("]"))),
            ("queens on one square", format!("8A{}", "a1 ".repeat(20_000))),
            ("a repeated literal", format!("zL v{} 2 0", " 1".repeat(30_000))),
            ("numbers too large", format!("8A{}", "99999999999999999999 ".repeat(3_000))),
        ],
        "dimacs" => vec![
            ("a header with huge numbers", "p cnf 999999999 999999999\n".to_owned()),
            (
                "a header with numbers that overflow",
                "p cnf 99999999999999999999 99999999999999999999\n".to_owned(),
            ),
            ("a very long line", format!("p cnf 1 1\n{}", long_text("11111111"))),
            ("a very long comment", format!("c {}", long_text("xxxxxxxx"))),
        ],
        "spec" => vec![
            ("arrays in arrays", format!("x = {}", "[".repeat(200 << 10))),
            ("tables in tables", format!("x = {}", "{a=".repeat(60 << 10))),
            ("a key with many parts", format!("{}x = 1", "a.".repeat(100 << 10))),
            ("a very long name", format!("name = \"{}", long_text("x"))),
            ("a very long id", spec(&format!("[[solver]]\nid = \"{}\"\n", "q*".repeat(100_000)))),
            ("very many solvers", spec(&"[[solver]]\nid = \"*\"\n".repeat(9_000))),
            ("very many runs", {
                let limits = "repeat = 4294967295\nwarmup = 4294967295\n[[solver]]\nid = \"*\"\n";
                spec(limits).replace("0-1024", "4")
            }),
        ],
        "instance" => vec![
            ("a very long row", long_text("A")),
            ("very many rows", long_text("A\n")),
            ("a repeated name", format!("n = 4\n{}", "diags ".repeat(length / 6))),
            ("numbers without a name", long_text("1 ")),
            ("very many numbers", format!("n = 4\ndiags = {}", long_text("1 "))),
            ("very many squares", format!("n = 1024\nforbid = \"0:0{}\"", ",0:1".repeat(length / 4))),
            (
                "diagonals without an end",
                format!("n = 1024\nexclude_diagonals = \"s0{}\"", ",s1".repeat(length / 3)),
            ),
            ("very many regions", format!("n = 4\nregions = [\"A\"{}]", ",\"A\"".repeat(length / 4))),
            ("a large board", "n = 1024\nforbid = \"0:0\"\n".to_owned()),
            ("a board size that overflows", "n = 18446744073709551616\n".to_owned()),
            ("arrays in arrays", format!("x = {}", "[".repeat(200 << 10))),
        ],
        "record" => vec![
            ("a very long field", format!("\"{}", long_text("x"))),
            ("very many columns", long_text(",")),
            ("arrays in arrays", long_text("[")),
            ("an array of zeros", format!("[{}0]", long_text("0,"))),
        ],
        "audit" => vec![
            ("arrays in arrays", long_text("[")),
            ("a very long name", certificate(4, 0, &format!("{}.cnf", "x".repeat(1 << 19)), "", "")),
            ("the largest board without clauses", certificate(16, u64::MAX, "p.cnf", "p cnf 256 0\n", "")),
            ("an empty clause of the encoding", certificate(0, 1, "p.cnf", "p cnf 0 1\n0\n", "")),
            ("a header with huge numbers", certificate(4, 0, "p.cnf", "p cnf 999999999 999999999\n", "")),
            (
                "a variable without a square",
                certificate(4, 0, "p.cnf", "p cnf 134217728 1\n134217728 0\n", ""),
            ),
            (
                "a clause without an end",
                certificate(4, 0, "p.cnf", &format!("p cnf 16 1\n{}", long_text("1 ")), ""),
            ),
        ],
        _ => vec![],
    };
    texts.into_iter().map(|(name, text)| (format!("{}: {name}", reader.name), text.into_bytes())).collect()
}

/// Every fourth file of the corpus.
fn sample(reader: &Reader) -> Texts {
    corpus(reader).into_iter().step_by(4).collect()
}

/// Random texts: for most readers, texts of the corpus with random changes. Such nearly valid texts find mistakes in code that the
/// corpus already reaches.
fn random(reader: &Reader, amount: Amount) -> Texts {
    let number = if amount == Amount::All { 10_000 } else { 1_000 };
    let mut random = fastrand::Rng::with_seed(1);
    let seeds = match reader.name {
        "audit" | "directory" | "spec" => corpus(reader),
        "record" => tables(),
        _ => Texts::new(),
    };
    let texts: Vec<Vec<u8>> = match reader.name {
        "audit" | "directory" | "record" | "spec" => {
            // The audit of a certificate is faster than the other readers, which make reports or plans, so it reads more texts.
            let number = if reader.name == "audit" { number } else { number / 4 };
            (0..number).map(|index| mutated_text(&seeds[index % seeds.len()].1, &mut random)).collect()
        }
        // This reader takes bytes as choices, so any bytes are valid input.
        "page" => {
            (0..number / 4).map(|_| (0..random.usize(64..1024)).map(|_| random.u8(..)).collect()).collect()
        }
        _ => Vec::new(),
    };
    texts.into_iter().enumerate().map(|(index, text)| (format!("{} {index}", reader.name), text)).collect()
}

/// The tables in their current format, and the meta.json of the corpus.
fn tables() -> Texts {
    fn three_rows<T: Table + Clone>(row: T) -> (String, Vec<u8>) {
        let rows = std::array::from_fn::<T, 3, _>(|_| row.clone());
        (T::FILE.to_owned(), table::format(&rows))
    }
    let solver: SolverRef = "a/b".parse().expect("a solver");
    let row = Row { schema_version: SCHEMA_VERSION, run_id: "0.1".into(), n: 8, ..Row::default() };
    let row = Row { solver: solver.clone(), ..row };
    let row = Row { outcome_reason: Some("a \"quoted\", torn\nline".into()), solve_ns: Some(1), ..row };
    let meta = fs::read("tests/corpus/record/meta").expect("a readable file");
    let schema_version = SCHEMA_VERSION;
    vec![
        three_rows(row),
        three_rows(LevelRow { schema_version, solver: solver.clone(), ..LevelRow::default() }),
        three_rows(CrosscheckRow { schema_version, solver: solver.clone(), ..CrosscheckRow::default() }),
        three_rows(TimingsRow { solver: solver.clone(), ..TimingsRow::default() }),
        three_rows(NodesRow { solver, ..NodesRow::default() }),
        ("meta.json".to_owned(), meta),
    ]
}

#[test]
fn corpus_tables_are_valid_before_they_are_changed() {
    for (name, text) in tables() {
        let path = Path::new(&name);
        let rows = match name.as_str() {
            "meta.json" => Meta::parse(path, &text).map(|_| 3),
            Row::FILE => table::parse::<Row>(path, &text).map(|parsed| parsed.rows.len()),
            LevelRow::FILE => table::parse::<LevelRow>(path, &text).map(|parsed| parsed.rows.len()),
            CrosscheckRow::FILE => table::parse::<CrosscheckRow>(path, &text).map(|parsed| parsed.rows.len()),
            TimingsRow::FILE => table::parse::<TimingsRow>(path, &text).map(|parsed| parsed.rows.len()),
            _ => table::parse::<NodesRow>(path, &text).map(|parsed| parsed.rows.len()),
        };
        assert_eq!(rows.map_err(|error| error.to_string()), Ok(3), "{name}");
    }
}

/// Bytes with a meaning in CSV and JSON.
const MEANINGFUL_BYTES: &[u8] = b",\"\n\r{}[]:-+.0189eE\\ \0";

/// Changes a few digits, words or parts of a text. Random bytes would never be a certificate or a table.
fn mutated_text(text: &[u8], random: &mut fastrand::Rng) -> Vec<u8> {
    let mut text = text.to_vec();
    for _ in 0..random.usize(1..4) {
        if text.is_empty() {
            break;
        }
        let position = random.usize(..text.len());
        let end = (position + random.usize(1..20)).min(text.len());
        let digit =
            (position..text.len()).find(|&position| text[position].is_ascii_digit()).unwrap_or(position);
        match random.u8(..6) {
            0 | 1 => text[digit] = b'0' + random.u8(..10),
            2 => drop(text.drain(position..end)),
            3 => {
                let (piece, to) = (text[position..end].to_vec(), random.usize(..text.len()));
                text.splice(to..to, piece);
            }
            4 => text[position] = random.u8(..),
            _ => text[position] = MEANINGFUL_BYTES[random.usize(..MEANINGFUL_BYTES.len())],
        }
    }
    text
}

fn certificate(n: usize, clauses: u64, file: &str, formula: &str, proof: &str) -> String {
    let zero_digest = format!("{:064}", 0);
    format!(
        "{{\"schema_version\":2,\"n\":{n},\"solutions\":1,\"solutions_sha256\":\"{zero_digest}\",\"method\":\"cubes\",\
         \"symmetry\":{{\"rows\":[],\"clauses\":{clauses}}},\"cube_rows\":[],\"kept\":true,\"parts\":[{{\"cube\":[],\
         \"solutions\":{clauses},\"formula\":{{\"file\":\"{file}\",\"bytes\":0,\"sha256\":\"{zero_digest}\"}},\"proof\":\
         {{\"file\":\"p.lrat\",\"bytes\":0,\"sha256\":\"{zero_digest}\"}},\"lemmas\":0}}],\"checkers\":[],\"threads\":1,\
         \"enumerate_ns\":0,\"prove_ns\":0,\"queenlab_version\":\"0\"}}\n%\n{formula}\n%\n{proof}"
    )
}

fn spec(lines: &str) -> String {
    format!("schema_version = 1\nname = \"x\"\n[sweep]\nn = \"0-1024\"\n{lines}")
}

fn texts(kind: &str, reader: &Reader, amount: Amount) -> Texts {
    match (kind, amount) {
        ("corpus", Amount::Sample) => sample(reader),
        ("corpus", Amount::All) => corpus(reader),
        ("bombs", amount) => bombs(reader, amount),
        ("random", amount) => random(reader, amount),
        _ => panic!("no texts are called {kind}"),
    }
}

/// The body of the child process: reads the texts that the environment variable selects. Passes if the variable is not set.
#[test]
fn child_process_reads_texts_selected_by_environment_variable() {
    let Ok(selection) = std::env::var(SELECTION_VARIABLE) else { return };
    let cpu_limit = Rlimit { current: Some(CPU_LIMIT_S), maximum: Some(CPU_LIMIT_S) };
    setrlimit(Resource::Cpu, cpu_limit).expect("a lower limit is always permitted");
    let (amount, kind_and_name) = selection.split_once('/').expect("AMOUNT/KIND/NAME");
    let (kind, name) = kind_and_name.split_once('/').expect("AMOUNT/KIND/NAME");
    let amount = if amount == "all" { Amount::All } else { Amount::Sample };
    let reader = Reader::named(name);
    let texts = texts(kind, &reader, amount);
    let default_hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        readers::unlimited();
        default_hook(panic);
    }));
    for (name, text) in texts {
        println!("{READING_PREFIX}{name}");
        reader.read(&text);
    }
}

/// Starts the child process, and returns the number of texts that it read. The error names the text at which the child crashed or
/// hung.
fn read_in_child(kind: &str, reader: &Reader, amount: Amount) -> Result<usize, String> {
    let prefix = if amount == Amount::All { "all" } else { "sample" };
    let mut child = Command::new(std::env::current_exe().expect("this test"))
        .args([
            "--exact",
            "corpus::child_process_reads_texts_selected_by_environment_variable",
            "--nocapture",
        ])
        .env(SELECTION_VARIABLE, format!("{prefix}/{kind}/{}", reader.name))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("this test again");
    let (mut error_text, output) = (child.stderr.take().expect("piped"), child.stdout.take().expect("piped"));
    let error_text = thread::spawn(move || {
        let mut text = String::new();
        error_text.read_to_string(&mut text).map(|_| text).unwrap_or_default()
    });
    let (sender, lines) = channel();
    thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            let _ = sender.send(line);
        }
    });
    let (mut read_count, mut current_text) = (0, "no text".to_owned());
    let has_ended = loop {
        match lines.recv_timeout(TIME_LIMIT) {
            Ok(line) => {
                if let Some((_, name)) = line.split_once(READING_PREFIX) {
                    (read_count, current_text) = (read_count + 1, name.to_owned());
                }
            }
            Err(RecvTimeoutError::Disconnected) => break true,
            Err(RecvTimeoutError::Timeout) => break false,
        }
    };
    if !has_ended {
        child.kill().expect("a child");
    }
    let status = child.wait().expect("a child");
    let error_text = error_text.join().expect("its standard error");
    match (has_ended, status.success()) {
        (false, _) => Err(format!("{current_text}: not read in {TIME_LIMIT:?}")),
        (true, false) => Err(format!("{current_text}: {status}\n{error_text}")),
        (true, true) => Ok(read_count),
    }
}

/// Runs all readers on their texts of this kind, two readers at a time.
fn assert_all_survive(kind: &str, amount: Amount) {
    let fault = |reader: &Reader| match read_in_child(kind, reader, amount) {
        Ok(read_count) => {
            assert_eq!(
                read_count,
                texts(kind, reader, amount).len(),
                "{}: some texts were not read",
                reader.name
            );
            None
        }
        Err(fault) => Some(fault),
    };
    let faults_of_every_second =
        |first| readers::ALL.iter().skip(first).step_by(2).filter_map(fault).collect::<Vec<_>>();
    let faults = thread::scope(|scope| {
        let second_half = scope.spawn(move || faults_of_every_second(1));
        [faults_of_every_second(0), second_half.join().expect("the second half of the readers")].concat()
    });
    assert!(faults.is_empty(), "{} readers failed:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn every_reader_survives_a_sample_of_its_corpus() {
    assert_all_survive("corpus", Amount::Sample);
}

#[test]
#[ignore = "long: hundreds of files"]
fn every_reader_survives_its_whole_corpus() {
    assert_all_survive("corpus", Amount::All);
}

#[test]
fn short_hostile_texts_do_not_exhaust_resources() {
    assert_all_survive("bombs", Amount::Sample);
}

#[test]
#[ignore = "long: texts of 8 MiB"]
fn long_hostile_texts_do_not_exhaust_resources() {
    assert_all_survive("bombs", Amount::All);
}

#[test]
fn every_reader_has_a_corpus_and_vice_versa() {
    for reader in &readers::ALL {
        assert!(corpus(reader).len() > 10, "{}", reader.name);
    }
    for entry in fs::read_dir("tests/corpus").expect("the corpus") {
        let name = entry.expect("an entry").file_name();
        assert!(readers::ALL.iter().any(|reader| name == *reader.name), "{}", name.display());
    }
}

#[test]
fn every_reader_survives_a_sample_of_random_texts() {
    assert_all_survive("random", Amount::Sample);
}

#[test]
#[ignore = "long: thousands of texts"]
fn every_reader_survives_thousands_of_random_texts() {
    assert_all_survive("random", Amount::All);
}
