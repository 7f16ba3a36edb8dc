use super::*;
use crate::record::{Log, Meta, Row};
use crate::solver::Goal;

fn row(run_id: &str) -> Row {
    let row = Row::skipped(run_id, "c", 8, Goal::Count, "backtrack/bitmask");
    Row { solutions: Some(92), outcome_reason: Some("a, \"quoted\" reason".into()), ..row }
}

/// All columns of `runs.csv`.
fn all_columns() -> Vec<String> {
    columns::<Row>(&BTreeSet::new(), |_| true)
}

fn open(directory: &Path) -> Result<(Log<Row>, Vec<Row>), RecordError> {
    let (log, rows) = Log::open(directory, &all_columns())?;
    Ok((log.with_columns(&rows, &all_columns())?, rows))
}

fn text_of(rows: &[Row]) -> String {
    String::from_utf8(format(rows)).expect("UTF-8")
}

fn rows_of(text: &str) -> Result<Vec<Row>, RecordError> {
    parse(Path::new("runs.csv"), text.as_bytes()).map(|parsed| parsed.rows)
}

#[test]
fn optional_column_exists_only_if_not_empty() {
    let counting_row = Row { stats: [(Stat::Nodes, 2057)].into(), ..row("a") };
    let header = text_of(std::slice::from_ref(&counting_row)).lines().next().expect("a header").to_owned();
    assert!(
        header.starts_with(
            "schema_version,run_id,cell_id,started_at,round,n,variant,goal,solver,threads,seed,"
        )
    );
    assert!(header.ends_with(",kind,status,verdict,solutions,nodes,outcome_reason"), "{header}");
    assert_eq!(rows_of(&text_of(std::slice::from_ref(&counting_row))).expect("a table"), [counting_row]);
    let default_text = text_of(&[Row { solver: "s".into(), ..Row::default() }]);
    assert_eq!(rows_of(&default_text.replace("\n0,", "\n3,")).expect("a table").len(), 1);
}

#[test]
fn columns_are_found_by_name_in_any_order() {
    let text = text_of(&[row("a")]);
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let reverse_fields = |line: Vec<&str>| line.into_iter().rev().collect::<Vec<_>>().join(",");
    let row_without_reason = Row { outcome_reason: None, ..row("a") };
    let plain_text = text_of(std::slice::from_ref(&row_without_reason));
    let reversed_lines: Vec<String> = plain_text
        .lines()
        .map(|line| "mood,".to_owned() + &reverse_fields(line.split(',').collect()))
        .collect();
    assert_eq!(rows_of(&(reversed_lines.join("\n") + "\n")).expect("a table"), [row_without_reason]);
    let header = lines.next().expect("a header").join(",");
    let repeated_header = format!("{header},n\n");
    for (key, bad, place) in [
        ("a column twice", repeated_header, ""),
        ("a size in words", text.replace(",8,queens,", ",eight,queens,"), "line 2: column n: 'eight' "),
        ("an unknown kind", text.replace(",timed,", ",timid,"), "line 2: column kind: 'timid' "),
        ("a column is missing", text.replace("cell_id", "cell"), ""),
        ("version 1", text.replace("\n3,", "\n1,"), "line 2: schema version '1': "),
        ("a quote is not closed", text.replace(",queens,", ",\"queens,"), "line 2: "),
    ] {
        let error = rows_of(&bad).expect_err(key).to_string();
        assert!(error.starts_with(&format!("runs.csv: {place}")), "{error}");
        wording::assert_wording!("record", key, error);
    }
}

#[test]
fn rows_are_read_back_unchanged() {
    let directory = tempfile::tempdir().expect("temporary directory");
    let (mut log, rows) = open(directory.path()).expect("new table");
    assert_eq!(rows, []);
    log.append(&[row("a"), row("b")]).expect("write");
    let (_, rows) = open(directory.path()).expect("read");
    assert_eq!(rows, [row("a"), row("b")]);
    assert_eq!(read::<Row>(directory.path()).expect("read").0, rows);
}

#[test]
fn program_factor_columns_follow_the_statistic_columns() {
    let row_of = |run_id: &str, solver: &str| Row { solver: solver.into(), ..row(run_id) };
    let rows = [
        row_of("a", "backtrack/dlx:items=natural"),
        row_of("b", "program/mine:h=0.5,k=a=b"),
        row_of("c", "program/mine:h=2"),
    ];
    let text = text_of(&rows);
    assert!(
        text.lines().next().expect("a header").ends_with(",solutions,factor.h,factor.k,outcome_reason"),
        "{text}"
    );
    assert!(text.contains(",92,0.5,a=b,") && text.contains(",92,2,,"), "{text}");
    assert_eq!(rows_of(&text).expect("a table"), rows);
}

#[test]
fn torn_last_line_is_removed_and_log_continues() {
    let directory = tempfile::tempdir().expect("temporary directory");
    let (mut log, _) = open(directory.path()).expect("new table");
    log.append(&[row("a"), row("b")]).expect("write");
    let path = directory.path().join(Row::FILE);
    let complete_bytes = std::fs::read(&path).expect("read");
    for torn_bytes in [1, 7, 20] {
        std::fs::write(&path, &complete_bytes[..complete_bytes.len() - torn_bytes]).expect("tear");
        let (mut log, rows) = open(directory.path()).expect("mend");
        assert_eq!(rows, [row("a")]);
        log.append(&[row("b")]).expect("go on");
        assert_eq!(std::fs::read(&path).expect("read"), complete_bytes);
    }
}

#[test]
fn line_breaks_in_fields_are_escaped() {
    let row_with_line_breaks = Row { outcome_reason: Some("two\nlines, \"quoted\"\r\n".into()), ..row("a") };
    let text = text_of(&[row_with_line_breaks, row("b")]);
    assert_eq!(text.lines().count(), 3, "{text}");
    let rows = rows_of(&text).expect("a table");
    assert_eq!(rows[0].outcome_reason.as_deref(), Some("two\\nlines, \"quoted\"\\r\\n"));
    assert_eq!(rows[1], row("b"));
}

#[test]
fn log_without_a_column_is_rewritten_without_loss() {
    let directory = tempfile::tempdir().expect("temporary directory");
    let two_optional_columns =
        columns::<Row>(&BTreeSet::new(), |column| ["solutions", "outcome_reason"].contains(&column));
    let (mut log, _) = Log::<Row>::open(directory.path(), &two_optional_columns).expect("new table");
    log.append(&[row("a")]).expect("write");
    drop(log);
    let (mut log, rows) = open(directory.path()).expect("written anew");
    assert_eq!(rows, [row("a")]);
    let counting_row = Row { stats: [(Stat::Nodes, 2057)].into(), ..row("b") };
    log.append(std::slice::from_ref(&counting_row)).expect("write");
    drop(log);
    let (_, rows) = Log::<Row>::open(directory.path(), &two_optional_columns).expect("it has more columns");
    assert_eq!(rows, [row("a"), counting_row]);
}

/// The version is reported even if columns that this version requires are missing.
#[test]
fn table_of_another_version_is_refused() {
    let error = rows_of("schema_version,seq,warmup\n1,1,false\n").expect_err("version 1").to_string();
    assert!(error.starts_with("runs.csv: line 2: schema version '1': "), "{error}");
    wording::assert_wording!("record", "version 1", error);
}

/// Text columns become JSON strings even if the text consists of digits.
#[test]
fn values_are_json_numbers_only_in_number_columns() {
    let claim = crate::record::ClaimRow { says: "12".into(), n: "8".into(), claim: 3, ..Default::default() };
    let json = json(&[claim]);
    assert_eq!((&json[0]["says"], &json[0]["n"], &json[0]["claim"]), (&"12".into(), &"8".into(), &3.into()));
    let row = Row { cell_id: "1234567890123456".into(), stats: [(Stat::Nodes, 7)].into(), ..row("a") };
    let json = super::json(&[row]);
    assert_eq!((&json[0]["cell_id"], &json[0]["nodes"]), (&"1234567890123456".into(), &7.into()));
}

#[test]
fn table_changed_by_another_program_is_not_overwritten() {
    type Change = (&'static str, fn(&Path));
    let changes: [Change; 5] = [
        ("deleted", |path| std::fs::remove_file(path).expect("removed")),
        ("replaced", |path| {
            // Some editors write a new file and then rename it.
            let swap_file = path.with_extension("swp");
            std::fs::copy(path, &swap_file)
                .and_then(|_| std::fs::rename(&swap_file, path))
                .expect("replaced");
        }),
        ("truncated", |path| std::fs::write(path, "").expect("truncated")),
        ("longer", |path| {
            let text = std::fs::read_to_string(path).expect("read");
            std::fs::write(path, text + "x").expect("written");
        }),
        ("a directory", |path| {
            std::fs::remove_file(path).and_then(|()| std::fs::create_dir(path)).expect("replaced");
        }),
    ];
    for (key, change) in changes {
        let directory = tempfile::tempdir().expect("temporary directory");
        let path = directory.path().join(Row::FILE);
        let (mut log, _) = open(directory.path()).expect("new table");
        log.append(&[row("a")]).and_then(|()| log.sync()).expect("written");
        let written_bytes = std::fs::metadata(&path).expect("written").len();
        change(&path);
        let changed_content = std::fs::read(&path).ok();
        for error in [log.append(&[row("b")]), log.sync()] {
            let error = error.expect_err("changed").to_string();
            let (place, reason) = error.split_once(": ").expect("a place");
            assert_eq!(place, path.display().to_string(), "{error}");
            let message = reason.replace(&(written_bytes + 1).to_string(), "SIZE + 1");
            let message = message.replace(&written_bytes.to_string(), "SIZE");
            wording::assert_wording!("record", &format!("changed while a sweep runs: {key}"), message);
        }
        assert_eq!(std::fs::read(&path).ok(), changed_content);
    }
}

#[test]
fn huge_field_is_refused_with_its_line() {
    let valid_text = text_of(&[row("a")]);
    let text_with_huge_field = valid_text.replace("backtrack", &"b".repeat(32 << 20));
    let error = rows_of(&text_with_huge_field).expect_err("too long").to_string();
    assert!(error.starts_with("runs.csv: line 2 "), "{error}");
    wording::assert_wording!("record", "a line of many megabytes", error);
}

#[test]
fn unprintable_characters_are_escaped_in_every_field() {
    let unprintable_text = "a\0b\u{1b}[2Jc\u{b}d\u{c}e\u{85}f\u{2028}g\u{2029}h\u{202e}i\u{7f}\tj";
    let text = text_of(&[Row {
        outcome_reason: Some(unprintable_text.into()),
        variant: unprintable_text.into(),
        ..row("a")
    }]);
    assert_eq!(text.lines().count(), 2, "{text}");
    assert!(text.lines().all(plaintext::is_plain), "{text}");
    let rows = rows_of(&text).expect("a table");
    let escaped_text = r"a\0b\u{1b}[2Jc\u{b}d\u{c}e\u{85}f\u{2028}g\u{2029}h\u{202e}i\u{7f}\tj";
    assert_eq!((rows[0].outcome_reason.as_deref(), &*rows[0].variant), (Some(escaped_text), escaped_text));
    assert_eq!(text_of(&rows), text);
    // Line breaks that another program wrote into a field are escaped when the field is read.
    let unescaped_table = text.replace(r"\u{2028}", "\u{2028}").replace(r"\0", "\0");
    assert_eq!(rows_of(&unescaped_table).expect("a table"), rows);
    #[derive(serde::Serialize)]
    struct Line {
        name: &'static str,
    }
    let lines = String::from_utf8(spreadsheet_csv([Line { name: "a\n\u{1b}\"b\"" }])).expect("UTF-8");
    assert_eq!(lines, "name\n\"a\\n\\u{1b}\"\"b\"\"\"\n");
    let formulas = ["=1+1", "@x", "-1"].map(|name| Line { name });
    assert_eq!(String::from_utf8(spreadsheet_csv(formulas)).expect("UTF-8"), "name\n'=1+1\n'@x\n-1\n");
}

#[test]
fn columns_of_programs_have_valid_names() {
    let rows_with = |column: &str| {
        let text = text_of(&[Row { program_stats: [("mine".to_owned(), 7)].into(), ..row("a") }]);
        rows_of(&text.replace("stat.mine", column))
    };
    assert_eq!(rows_with("stat.min-e_2").expect("a name")[0].program_stats.len(), 1);
    let long_name = format!("stat.{}", "x".repeat(65));
    for column in ["stat.", "stat.é", "stat. x", "stat.a.b", "factor.", "factor.ö", "stat.\u{1b}", &long_name]
    {
        let error = rows_with(column).expect_err(column);
        assert!(matches!(error, RecordError::Table { .. }), "{error}");
        assert!(plaintext::is_plain(&error.to_string()), "{error}");
    }
    // An invalid factor name does not become a column of a derived table.
    let rows = [Row { solver: "program/x:é=1,ok=2".into(), ..row("a") }];
    assert_eq!(extra_columns(&rows).into_iter().collect::<Vec<_>>(), ["factor.ok"]);
    wording::assert_wording!(
        "record",
        "an invalid column name",
        rows_with("stat.é").expect_err("é").to_string()
    );
}

#[test]
fn table_saved_by_editor_is_read_and_continued() {
    let text = text_of(&[row("a"), row("b")]);
    for saved_text in [
        format!("\u{feff}{text}"),
        text.replace('\n', "\r\n"),
        text.replace('\n', "\r"),
        format!("\u{feff}{}", text.replace('\n', "\r\n")),
    ] {
        let directory = tempfile::tempdir().expect("temporary directory");
        let path = directory.path().join(Row::FILE);
        std::fs::write(&path, &saved_text).expect("written");
        assert_eq!(read::<Row>(directory.path()).expect("read"), (vec![row("a"), row("b")], false));
        let (mut log, rows) = Log::<Row>::open(directory.path(), &columns_of(&[row("a")])).expect("a log");
        assert_eq!(rows.len(), 2, "{saved_text:?}");
        log.append(&[row("c")]).expect("goes on");
        assert_eq!(std::fs::read_to_string(&path).expect("read"), text_of(&[row("a"), row("b"), row("c")]));
    }
}

#[test]
fn table_in_another_encoding_is_refused_and_kept() {
    let text = text_of(&[row("a")]);
    let utf16: Vec<u8> = format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let latin1 = text.replace("backtrack", "b\u{0}cktrack").replace('\0', "?").into_bytes();
    let latin1 = latin1.into_iter().map(|byte| if byte == b'?' { 0xE4 } else { byte }).collect();
    let mut messages = String::new();
    for saved in [utf16, latin1] {
        let directory = tempfile::tempdir().expect("temporary directory");
        let path = directory.path().join(Row::FILE);
        std::fs::write(&path, &saved).expect("written");
        let error = read::<Row>(directory.path()).expect_err("not UTF-8");
        assert!(open(directory.path()).is_err());
        assert_eq!(std::fs::read(&path).expect("read"), saved);
        messages += &error.to_string().replace(&*directory.path().to_string_lossy(), "DIR");
        messages += "\n";
    }
    wording::assert_wording!("record", "a table that is not UTF-8", messages);
}

fn meta() -> Meta {
    let text = r#"{"schema_version": 3, "queenlab_version": "", "executable_sha256": "", "rustc": "", "target": "",
        "target_features": "", "solvers": {}, "machine": {"host": "", "os": "", "kernel": "", "cpu_model": "", "cores": 1},
        "sessions": [], "warnings": []}"#;
    Meta::parse(Path::new("meta.json"), text.as_bytes()).expect("meta.json")
}

#[test]
fn line_breaks_in_meta_json_are_escaped() {
    let path = Path::new("meta.json");
    let valid_meta = meta();
    let mut meta = valid_meta.clone();
    meta.machine.host = "a\nqueenlab: verified\u{1b}[2J\u{2028}".into();
    meta.warnings = vec!["b\u{85}c".into()];
    meta.files = [("d\ne".to_owned(), "0".to_owned())].into();
    let json_text = meta.to_json();
    assert!(json_text.lines().all(plaintext::is_plain), "{json_text}");
    for saved in [json_text.clone(), format!("\u{feff}{json_text}"), json_text.replace('\n', "\r\n")] {
        let parsed_meta = Meta::parse(path, saved.as_bytes()).expect("meta.json");
        assert_eq!(parsed_meta.machine.host, r"a\nqueenlab: verified\u{1b}[2J\u{2028}");
        assert_eq!(
            (parsed_meta.warnings, parsed_meta.files),
            (vec![r"b\u{85}c".to_owned()], meta.files.clone())
        );
    }
    let mut messages = String::new();
    for (from, to) in [
        ("\"schema_version\": 3", "\"schema_version\": \"3\""),
        ("\"sessions\": []", "\"sessions\": {}"),
        ("\"rustc\"", "\"rust\""),
        ("\"cores\"", "\"cores\": 1.5, \"x\""),
        ("{", "["),
    ] {
        let changed_text = valid_meta.to_json().replacen(from, to, 1);
        let error = Meta::parse(path, changed_text.as_bytes()).expect_err(from);
        messages += &format!("{error}\n");
    }
    let utf16: Vec<u8> = json_text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    messages += &Meta::parse(path, &utf16).expect_err("UTF-16").to_string();
    for word in ["invalid", "u32", "usize", "sequence", "struct", "field"] {
        assert!(!messages.contains(word), "{word}: {messages}");
    }
    wording::assert_wording!("record", "an invalid meta.json", messages);
}
