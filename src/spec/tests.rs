use std::path::Path;
use std::time::Duration;

use proptest::prelude::*;

use super::axis::AxisValues;
use super::*;
use crate::solver::Goal;

const VALID_SPEC: &str = r#"
schema_version = 1
name = "test"
[sweep]
n = "4-6"
[[solver]]
id = "backtrack/*"
"#;

fn error(text: &str) -> String {
    Spec::parse("x.toml", text).expect_err("an error").to_string()
}

/// Checks that an error begins with `place`, and compares its text with the snapshot `name`.
#[track_caller]
fn assert_error(name: &str, text: &str, place: &str) {
    let error = error(text);
    assert!(error.starts_with(&format!("x.toml:{place}: ")), "{name}: {error}");
    wording::assert_wording!("spec", name, error);
}

#[test]
fn missing_keys_of_a_spec_have_defaults() {
    let spec = Spec::parse("x.toml", VALID_SPEC).expect("complete");
    assert_eq!(
        (spec.sweep.goals(), spec.sweep.repeats().to_string()),
        (AxisValues::of(Goal::Enumerate), "7".to_owned())
    );
    assert_eq!((spec.sweep.warmups(), spec.sweep.time_limit()), (0, Duration::from_secs(60)));
    assert_eq!(spec.error_at("", spec.solvers[0].pattern.place(), "").place, "x.toml:7:6");
}

#[test]
fn spec_errors_are_reported_with_line_and_column() {
    for (key, text, place) in [
        ("an unknown key", VALID_SPEC.replace("n = \"4-6\"", "n = \"4-6\"\nrepeats = 5"), "6:1"),
        ("an empty range", VALID_SPEC.replace("4-6", "6-4"), "5:5"),
        ("sizes outside the sweep", format!("{VALID_SPEC}n = \"4-9\"\n"), "8:5"),
        ("an idea of several solvers", format!("{VALID_SPEC}idea = \"search\"\n"), "8:8"),
        ("another version", VALID_SPEC.replace("schema_version = 1", "schema_version = 2"), "2:18"),
        ("a text without an end", VALID_SPEC.replace("name = \"test\"", "name = \"test"), "3:13"),
    ] {
        assert_error(key, &text, place);
    }
}

#[test]
fn claim_error_is_reported_with_line_and_column() {
    let claim =
        "[[claim]]\nsays = \"x\"\nmeasure = \"nodes\"\nof = \"a\"\ncompared_with = \"b\"\nratio = \"< 1\"\n";
    let changed_claim = |from: &str, to: &str| format!("{VALID_SPEC}{}", claim.replace(from, to));
    let spec = Spec::parse("x.toml", &format!("{VALID_SPEC}{claim}")).expect("a claim");
    assert_eq!(
        (
            spec.claims[0].n.as_ref().map(ToString::to_string).as_deref(),
            &*spec.error_at("", spec.claims[0].of.place(), "").place
        ),
        (Some("4-6"), "x.toml:11:6")
    );
    assert_error("claim: no bound", &changed_claim("< 1", "1"), "13:9");
    assert_error("claim: an unknown key", &changed_claim("says", "sais"), "9:1");
    assert_error("claim: the ratio is missing", &changed_claim("ratio = \"< 1\"", ""), "8:1");
    assert_error("claim: sizes outside the sweep", &changed_claim("ratio", "n = \"4-7\"\nratio"), "13:5");
}

#[test]
fn oversized_files_are_not_read_to_their_end() {
    let oversized =
        Spec::parse("x.toml", &format!("{VALID_SPEC}#{}", "x".repeat(256 << 10))).expect_err("long");
    assert_eq!(oversized.place, "x.toml");
    wording::assert_wording!("spec", "an oversized file", oversized.reason);
    assert!(error(&format!("x = {}", "[".repeat(200 << 10))).starts_with("x.toml:1:"));
    #[cfg(target_os = "linux")]
    {
        let error = Spec::read(Path::new("/dev/zero")).expect_err("no end");
        assert_eq!((&*error.place, error.reason), ("/dev/zero", oversized.reason));
    }
}

#[test]
fn invalid_values_are_refused_with_position() {
    let no_solver = VALID_SPEC.split("[[solver]]").next().expect("head").to_owned();
    wording::assert_wording!("spec", "no solver", error(&no_solver));
    for (key, value) in [
        ("repeat", "\"until 2%, at most 0\""),
        ("threads", "0"),
        ("timeout", "\"0s\""),
        ("timeout", "\"ten\""),
        ("memory", "\"0\""),
        ("memory", "\"much\""),
        ("goal", "\"all\""),
        ("repeat", "-1"),
        ("repeat", "\"until 2\""),
        ("repeat", "{ at_most = 5 }"),
        ("jobs", "0"),
        ("jobs", "2000"),
        ("pin", "\"\""),
        ("pin", "\"3-1\""),
        ("stop_after_timeouts", "0"),
    ] {
        let text = VALID_SPEC.replace("n = \"4-6\"", &format!("n = \"4-6\"\n{key} = {value}"));
        assert!(error(&text).starts_with("x.toml:6:"), "{key} = {value}: {}", error(&text));
    }
    let program = |lines: &str| format!("{VALID_SPEC}[[program]]\n{lines}\n");
    assert_error("program: an empty command", &program("id = \"p\"\ncommand = []"), "10:11");
    for codes in ["[]", "[256]", "[-1]", "[true]"] {
        let text = program(&format!("id = \"p\"\ncommand = [\"p\"]\naccept_exit_codes = {codes}"));
        assert!(error(&text).starts_with("x.toml:11:"), "{codes}: {}", error(&text));
    }
    assert_error("program: a path as its id", &program("id = \"../p\"\ncommand = [\"p\"]"), "9:6");
    let notation = program("id = \"p\"\ncommand = [\"p\"]\nnotation = \"x\"");
    assert_error("program: an unknown notation", &notation, "11:12");
    let spec_with_command = |command: &str| program(&format!("id = \"p\"\ncommand = [\"p\", \"{command}\"]"));
    for command in ["{size}", "{cnf}"] {
        assert_error(&format!("program: {command}"), &spec_with_command(command), "10:11");
    }
    for command in ["x{n}{", "${x} {} {1}"] {
        assert!(Spec::parse("x.toml", &spec_with_command(command)).is_ok(), "{command}");
    }
    for (keys, place) in [
        ("exclude = [{ h = 3 }]", "11:11"),
        ("exclude = [{ g = 1 }]", "11:11"),
        ("exclude = [{}]", "11:11"),
        ("answer = \"(\"", "11:10"),
        ("n = { all = \"4\" }", "11:7"),
    ] {
        let text = program(&format!("id = \"p\"\ncommand = [\"{{h}}\"]\n{keys}\nh = [1, 2]"));
        assert_error(&format!("program: {keys}"), &text, place);
    }
    let formula_program = |table: &str, keys: &str| format!("{VALID_SPEC}[[{table}]]\nid = \"x\"\n{keys}\n");
    let spec_with_unknown_key = formula_program("sat", "command = \"k {cnf}\"\nprojects = true");
    assert_error("sat: an unknown key", &spec_with_unknown_key, "11:1");
    let placeholder = formula_program("counter", "command = \"k {cnf} {m}\"");
    assert_error("counter: an unknown placeholder", &placeholder, "10:11");
    let spec_with_equal_ids =
        program("id = \"p\"\ncommand = [\"p\"]\n[[program]]\nid = \"p\"\ncommand = [\"q\"]");
    assert_error("program: an id twice", &spec_with_equal_ids, "12:6");
}

/// The `experiment.toml` of a result directory describes the experiment that was run.
#[test]
fn printed_experiment_parses_to_the_same_spec() {
    let unusual_text = r#"
schema_version = 1
name = "odd"
question = "A \"quoted\" question, on\ntwo lines, with \\ and \u20ac?"
[sweep]
n = { count = "4-5,8:1", first = "5" }
goal = ["first", "count"]
variant = ["queens", "toroidal;place=0:1"]
repeat = "until 0.00001%, at most 7"
warmup = 4294967295
timeout = "3000000000s"
cpu_timeout = "1day 2h 3m 4s 5ms 6us 7ns"
memory = "1.5GiB"
threads = [1, 2]
seed = ["18446744073709551615", 3, "5-7"]
stop_after_timeouts = 1
[[sat]]
id = "mine"
command = "'my solver' \"{cnf}\" --flag='a b'"
[[solver]]
id = "sat/pairwise/mine"
[[solver]]
id = "backtrack/dlx"
items = ["natural", "organ-pipe"]
n = "5"
[[solver]]
id = "backtrack/dlx"
items = "natural"
label = "DLX, natural"
group = "covers"
memory = 1000000001
[[program]]
id = "p.1"
command = ["sh", "-c", "echo '{n}' \"{h}\" {goal} {seed} {q-1}", "", "\ttab\nline"]
h = ["a=b", "c:d", "e f", "{n}", "ü€", "", 'x"y\z', 0.10, 1e3, true, -7]
q-1 = 5
exclude = [{ h = "a=b" }, { h = ["c:d", true], q-1 = 5 }]
label = "P {h}"
group = "mine"
answer = "^(\\d+) found$"
files = ["a.py", "b.py"]
install = "apt-get install p"
accept_exit_codes = [0, 20]
version = ["p", "--version"]
[[claim]]
says = "more"
measure = "solutions"
of = "program/p.1:h=e f,q-1=5"
goal = "count"
value = 2.5
ratio = "<= 0.5"
variant = "queens"
most = 0.99
"#;
    let unusual_spec = Spec::parse("unusual.toml", unusual_text).expect("a spec");
    let built_in = builtin::ALL.map(|(name, _)| builtin::named(name).expect("listed").expect("a spec"));
    for spec in built_in.into_iter().chain([unusual_spec]) {
        let text = spec.to_toml();
        let read_back = Spec::parse("again.toml", &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(read_back, spec);
        assert_eq!(read_back.to_toml(), text);
    }
}

#[test]
fn refusal_of_non_utf8_spec_names_the_encoding() {
    let directory = tempfile::tempdir().expect("temporary directory");
    let path = directory.path().join("x.toml");
    let read_bytes = |bytes: &[u8]| {
        std::fs::write(&path, bytes).expect("write");
        Spec::read(&path)
    };
    let text = VALID_SPEC.replace("name", "question = \"é\"\nname");
    for variant in
        [text.clone(), format!("\u{feff}{text}"), text.replace('\n', "\r\n"), text.replace('\n', "\r")]
    {
        assert_eq!(
            read_bytes(variant.as_bytes()).expect("UTF-8").to_toml(),
            Spec::parse("x", &text).expect("a spec").to_toml()
        );
    }
    let utf16: fn(&str) -> Vec<u8> = |text| text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let latin1: Vec<u8> = text.chars().map(|c| c as u8).collect();
    let mut messages = String::new();
    for bytes in [utf16(&format!("\u{feff}{text}")), utf16(&text), latin1] {
        let SpecError { place, reason, .. } = read_bytes(&bytes).expect_err("not UTF-8");
        assert_eq!(place, path.display().to_string());
        messages += &(reason + "\n");
    }
    wording::assert_wording!("spec", "not UTF-8", messages);
}

#[test]
fn text_with_line_breaks_is_refused_with_position() {
    let parse_with = |table: &str| Spec::parse("x.toml", &format!("{VALID_SPEC}{table}"));
    let program = "[[program]]\nid = \"p\"\ncommand = [\"p\", \"{h}\"]\nh = \"a\"\n";
    let mut messages = String::new();
    for (table, place) in [
        ("label = \"a\\nverified\"", "8:9"),
        ("group = \"a\\u001b[2J\"", "8:9"),
        ("items = [\"a\", \"b\\u2028c\"]", "8:15"),
        ("exclude = [{ items = \"\\u202e\" }]", "8:22"),
        ("\"a\\nb\" = 1", "8:1"),
        ("idea = \"a\\u0000\"", "8:8"),
        ("[[claim]]\nof = \"a\\nb\"", "9:6"),
        ("[[sat]]\nid = \"x\\ny\"\ncommand = \"s {cnf}\"", "9:6"),
        (&format!("{program}label = \"a\\rb\""), "12:9"),
    ] {
        let error = parse_with(table).expect_err(table);
        assert_eq!(error.place, format!("x.toml:{place}"), "{table}: {error}");
        messages += &format!("{error}\n");
    }
    wording::assert_wording!("spec", "texts of several lines", messages);
    // Texts for reports become one line. Commands are kept unchanged.
    let text = VALID_SPEC
        .replace("name =", "question = \"\"\"Is it\n  so?\u{2028}\"\"\"\nanalysis = \"a\\r\\n\\tb\"\nname =");
    let text = format!("{text}[[program]]\nid = \"p\"\ncommand = [\"sh\", \"-c\", \"echo\\n{{n}}\"]\n");
    let spec = Spec::parse("x.toml", &text).expect("a spec");
    assert_eq!([&*spec.question, &*spec.analysis], ["Is it so?", "a b"]);
    assert_eq!(spec.programs[0].command[2], "echo\n{n}");
}

#[test]
fn wrong_brackets_and_types_are_explained_in_errors() {
    let mut messages = String::new();
    for (from, to) in [
        ("[[solver]]", "[solver]"),
        ("[sweep]", "[[sweep]]"),
        ("[sweep]\nn", "sweep"),
        ("schema_version = 1", "schema_version = \"1\""),
        ("schema_version = 1", ""),
        ("schema_version = 1", "schema_version = -1"),
        ("name = \"test\"", "name = 1"),
        ("name = \"test\"", "name = \"test\"\nsolver = 1"),
        ("name = \"test\"", "name = \"test\"\nprogram = {}"),
        ("name = \"test\"", "name = \"test\"\nquestion = [\"a\"]"),
        ("name = \"test\"", "name = \"test\"\nclaims = 1"),
        ("id =", "name ="),
    ] {
        let text = VALID_SPEC.replace(from, to);
        assert_ne!(text, VALID_SPEC);
        messages += &(error(&text) + "\n");
    }
    wording::assert_wording!("spec", "wrong types", messages);
}

/// The author of an experiment need not know the terms of Rust and serde.
#[test]
fn errors_about_types_avoid_terms_of_rust() {
    let program = "id = \"p\"\ncommand = [\"p\", \"{h}\"]\n";
    let claim = "says = \"x\"\nmeasure = \"nodes\"\nof = \"a\"\nvalue = 1\nratio = \"< 1\"\n";
    let sat = "id = \"s\"\ncommand = \"s {cnf}\"\n";
    let solver = "id = \"backtrack/dlx\"\n";
    let sweep = "n goal variant instances repeat warmup timeout cpu_timeout memory threads seed jobs pin stop_after_timeouts";
    let solver_keys = "n goal timeout cpu_timeout memory threads seed label group exclude";
    let programs =
        "id command notation answer accept_exit_codes unknown_exit_codes files build version install h";
    let claims = "says source note measure of compared_with shift value published ratio growth_per_n equal n most goal \
                  variant threads";
    let tables = [
        (
            "",
            "schema_version name question expected analysis headline sweep solver program sat counter claim"
                .to_owned(),
            "",
        ),
        ("[sweep]", sweep.to_owned(), ""),
        ("[[solver]]", format!("id idea items {solver_keys}"), solver),
        ("[[program]]", format!("{programs} {solver_keys}"), program),
        ("[[sat]]", "id command version install unknown_exit_codes".to_owned(), sat),
        ("[[counter]]", "id command version install unknown_exit_codes answer projects".to_owned(), sat),
        ("[[claim]]", claims.to_owned(), claim),
    ];
    let values = [
        "\"\"",
        "\"x\"",
        "\"1\"",
        "\"true\"",
        "1",
        "-1",
        "99999999999",
        "1.5",
        "true",
        "[]",
        "[1]",
        "[\"x\"]",
        "[[1]]",
        "[{}]",
        "{}",
        "{ a = 1 }",
        "{ count = \"4\" }",
        "1979-05-27",
    ];
    let terms = [
        "invalid type",
        "invalid value",
        "invalid length",
        "expected",
        "u32",
        "u64",
        "usize",
        "i32",
        "i64",
        "f64",
        "sequence",
        "struct",
        "field",
        "variant `",
        "`",
        "untagged",
        "serde",
    ];
    let mut refused_count = 0;
    for (header, keys, required) in tables {
        for key in keys.split(' ') {
            for value in values {
                let other_lines: String = required
                    .lines()
                    .filter(|line| !line.starts_with(&format!("{key} =")))
                    .fold(String::new(), |all, line| all + line + "\n");
                let line = format!("{key} = {value}\n");
                let text = match header {
                    "" => {
                        let is_other_key = |line: &&str| !line.starts_with(&format!("{key} ="));
                        line + &VALID_SPEC.lines().filter(is_other_key).collect::<Vec<_>>().join("\n")
                    }
                    "[sweep]" => VALID_SPEC.replace(
                        "n = \"4-6\"\n",
                        &(if key == "n" { line } else { format!("n = \"4-6\"\n{line}") }),
                    ),
                    header => format!("{VALID_SPEC}{header}\n{other_lines}{line}"),
                };
                let Err(error) = Spec::parse("x.toml", &text) else { continue };
                // Keys and quotations from the file may contain these terms.
                let reason = error.reason.replace("expected,", "").replace("expected:", "");
                for term in terms {
                    assert!(!reason.contains(term), "{term}: {error}\n{text}");
                }
                refused_count += 1;
            }
        }
    }
    assert!(refused_count > 500, "{refused_count}");
}

/// An experiment with these keys of `[sweep]` and of `[[solver]]`.
fn experiment(sweep: &str, solver: &str) -> String {
    format!(
        "schema_version = 1\nname = \"x\"\n[sweep]\n{sweep}\n[[solver]]\nid = \"backtrack/dlx\"\n{solver}\n"
    )
}

/// Values of the settings that both `[sweep]` and `[[solver]]` have.
const SHARED_SETTINGS: [(&str, &[&str]); 6] = [
    ("goal", &["\"first\"", "[\"count\", \"enumerate\"]"]),
    ("timeout", &["\"500ms\"", "\"1day 2h 3m 4s 5ms 6us 7ns\"", "\"3000000000s\""]),
    ("cpu_timeout", &["\"1.5s\"", "\"10m\""]),
    ("memory", &["\"1.5GiB\"", "1000000001", "\"2MiB\""]),
    ("threads", &["2", "\"1-4,9\"", "[3, 1]"]),
    ("seed", &["[\"18446744073709551615\", 3, \"5-7\"]", "\"1-50\"", "7"]),
];
/// Values of the settings that only `[sweep]` has.
const SWEEP_ONLY_SETTINGS: [(&str, &[&str]); 7] = [
    ("variant", &["\"toroidal\"", "[\"queens\", \"toroidal;place=0:1\"]"]),
    ("instances", &["\"a/*.txt\"", "[\"b\", \"c d\"]"]),
    ("repeat", &["5", "\"until 0.00001%, at most 7\"", "0"]),
    ("warmup", &["4294967295", "0"]),
    ("jobs", &["4"]),
    ("pin", &["\"0-3\"", "\"7,0,2-3\""]),
    ("stop_after_timeouts", &["1"]),
];

type Keys = Vec<(&'static str, &'static str)>;

/// Some of these keys, each with one of its values.
fn random_keys(all: &'static [(&'static str, &'static [&'static str])]) -> impl Strategy<Value = Keys> {
    let key = |(key, values): &'static (&'static str, &'static [&'static str])| {
        let value = proptest::option::of(proptest::sample::select(*values));
        value.prop_map(move |value| value.map(|value| (*key, value)))
    };
    all.iter().map(key).collect::<Vec<_>>().prop_map(|keys| keys.into_iter().flatten().collect())
}

fn lines(keys: &Keys) -> String {
    keys.iter().map(|(key, value)| format!("{key} = {value}\n")).collect()
}

proptest! {
    /// The random sizes include adjacent ranges, which are printed as one range.
    #[test]
    fn random_experiment_survives_printing_and_parsing(
        parts in proptest::collection::vec((0..30_000_usize, 0..12_000_usize, 1..4_usize), 1..5),
        is_contiguous in any::<bool>(),
        sweep in random_keys(&SWEEP_ONLY_SETTINGS),
        shared in random_keys(&SHARED_SETTINGS),
        solver in random_keys(&SHARED_SETTINGS),
    ) {
        let mut next_number = 0;
        let items: Vec<String> = parts.iter().map(|&(first, length, step)| {
            let first = if is_contiguous { next_number } else { first };
            next_number = first + length + 1;
            if step == 1 { format!("{first}-{}", first + length) } else { format!("{first}-{}:{step}", first + length) }
        }).collect();
        let items = items.join(",");
        // Some of these lists are invalid: too many or too large sizes.
        let n = items.parse::<SweepSizes>().map_or("4-6", |_| &items);
        let text = experiment(&format!("n = \"{n}\"\n{}{}", lines(&sweep), lines(&shared)), &lines(&solver));
        let spec = Spec::parse("x.toml", &text).expect("a spec");
        let read_back = Spec::parse("again.toml", &spec.to_toml());
        prop_assert_eq!(read_back.expect("the printed experiment"), spec.clone());
        // The text of the file is kept, because the experiment was not changed.
        prop_assert_eq!(spec.text(), text);
        let name = Located::from("renamed".to_owned());
        let renamed_spec = Spec { name, ..spec };
        prop_assert_eq!(renamed_spec.text(), renamed_spec.to_toml());
    }

    /// Compares [`Settings::or`] with merging tables of TOML key by key.
    #[test]
    fn settings_are_merged_key_by_key(
        [base, replacing] in [random_keys(&SHARED_SETTINGS), random_keys(&SHARED_SETTINGS)],
        [base_sweep, replacing_sweep] in [random_keys(&SWEEP_ONLY_SETTINGS), random_keys(&SWEEP_ONLY_SETTINGS)],
    ) {
        let settings = |keys: &[&Keys]| {
            let keys: String = keys.iter().map(|keys| lines(keys)).collect();
            Spec::parse("x.toml", &experiment(&format!("n = \"4-6\"\n{keys}"), "")).expect("a spec").sweep
        };
        let (base, replacing) = (settings(&[&base, &base_sweep]), settings(&[&replacing, &replacing_sweep]));
        let table = |settings: &Settings| toml::Table::try_from(settings).expect("a table");
        let mut merged_table = table(&base);
        merged_table.extend(table(&replacing));
        prop_assert_eq!(table(&replacing.or(base)), merged_table);
    }
}

#[test]
fn too_many_sizes_are_refused_in_any_form() {
    for n in
        ["1-10000,10001-20000", "1-5000,5001-10000,10001", "{ count = \"1-10000\", first = \"10001-10002\" }"]
    {
        let value = if n.starts_with('{') { n.to_owned() } else { format!("\"{n}\"") };
        let error = error(&VALID_SPEC.replace("\"4-6\"", &value));
        assert!(error.starts_with("x.toml:5:5: "), "{error}");
    }
}
