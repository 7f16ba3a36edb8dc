use super::*;
use crate::record::{Log, Row};
use crate::solver::Goal;

fn row(run_id: &str) -> Row {
    let row = Row::skipped(run_id.into(), "c".into(), 8, Goal::Count, "backtrack/bitmask".into());
    Row { solutions: Some(92), error: Some("a, \"quoted\" error".into()), ..row }
}

/// The columns of a log in these tests: all of them.
fn all() -> Vec<String> {
    columns::<Row>(&BTreeSet::new(), |_| true)
}

fn open(directory: &Path) -> Result<(Log<Row>, Vec<Row>), RecordError> {
    let (log, rows) = Log::open(directory, &all())?;
    Ok((log.with_columns(&rows, &all())?, rows))
}

fn text_of(rows: &[Row]) -> String {
    String::from_utf8(format(rows)).expect("UTF-8")
}

fn rows_of(text: &str) -> Result<Vec<Row>, RecordError> {
    parse(Path::new("runs.csv"), text.as_bytes()).map(|parsed| parsed.rows)
}

#[test]
fn a_column_is_there_if_it_is_needed_or_has_a_value() {
    let counted = Row { stats: [(Stat::Nodes, 2057)].into(), ..row("a") };
    let header = text_of(std::slice::from_ref(&counted)).lines().next().expect("a header").to_owned();
    assert!(
        header.starts_with(
            "schema_version,run_id,cell_id,started_at,round,n,variant,goal,solver,threads,seed,"
        )
    );
    assert!(header.ends_with(",kind,status,verdict,solutions,nodes,error"), "{header}");
    assert_eq!(rows_of(&text_of(std::slice::from_ref(&counted))).expect("a table"), [counted]);
    let default = text_of(&[Row::default()]);
    assert_eq!(rows_of(&default.replace("\n0,", "\n2,")).expect("a table").len(), 1);
}

#[test]
fn columns_are_found_by_name_and_unknown_ones_are_ignored() {
    let text = text_of(&[row("a")]);
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let turned = |line: Vec<&str>| line.into_iter().rev().collect::<Vec<_>>().join(",");
    let plain = Row { error: None, ..row("a") };
    let plain_text = text_of(std::slice::from_ref(&plain));
    let turned: Vec<String> =
        plain_text.lines().map(|line| "mood,".to_owned() + &turned(line.split(',').collect())).collect();
    assert_eq!(rows_of(&(turned.join("\n") + "\n")).expect("a table"), [plain]);
    let header = lines.next().expect("a header").join(",");
    let twice = format!("{header},n\n");
    assert!(rows_of(&twice).expect_err("ambiguous").to_string().contains("it has two columns 'n'"));
    for (bad, expected) in [
        (text.replace(",8,queens,", ",eight,queens,"), "line 2: column n: 'eight' is not a whole number"),
        (
            text.replace(",timed,", ",timid,"),
            "line 2: column kind: 'timid' is none of timed, counting, warmup",
        ),
        (text.replace("cell_id", "cell"), "there is no column 'cell_id'"),
        (
            text.replace("\n2,", "\n1,"),
            "line 2: schema version '1': this queenlab reads and writes version 2 only",
        ),
        (text.replace(",queens,", ",\"queens,"), "line 2: a quote is not closed"),
    ] {
        let error = rows_of(&bad).expect_err(expected).to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn rows_are_read_as_they_were_written() {
    let directory = tempfile::tempdir().expect("temporary directory");
    let (mut log, rows) = open(directory.path()).expect("new table");
    assert_eq!(rows, []);
    log.append(&[row("a"), row("b")]).expect("write");
    let (_, rows) = open(directory.path()).expect("read");
    assert_eq!(rows, [row("a"), row("b")]);
    assert_eq!(read::<Row>(directory.path()).expect("read").0, rows);
}

#[test]
fn factors_of_programs_have_columns_behind_the_statistics() {
    let of = |run_id: &str, solver: &str| Row { solver: solver.into(), ..row(run_id) };
    let rows = [
        of("a", "backtrack/dlx:items=natural"),
        of("b", "program/mine:h=0.5,k=a=b"),
        of("c", "program/mine:h=2"),
    ];
    let text = text_of(&rows);
    assert!(text.lines().next().expect("a header").ends_with(",solutions,factor.h,factor.k,error"), "{text}");
    assert!(text.contains(",92,0.5,a=b,") && text.contains(",92,2,,"), "{text}");
    assert_eq!(rows_of(&text).expect("a table"), rows);
}

#[test]
fn a_torn_last_line_is_cut_off_and_the_log_continues() {
    let directory = tempfile::tempdir().expect("temporary directory");
    let (mut log, _) = open(directory.path()).expect("new table");
    log.append(&[row("a"), row("b")]).expect("write");
    let path = directory.path().join(Row::FILE);
    let whole = std::fs::read(&path).expect("read");
    for torn in [1, 7, 20] {
        std::fs::write(&path, &whole[..whole.len() - torn]).expect("tear");
        let (mut log, rows) = open(directory.path()).expect("mend");
        assert_eq!(rows, [row("a")]);
        log.append(&[row("b")]).expect("go on");
        assert_eq!(std::fs::read(&path).expect("read"), whole);
    }
}

#[test]
fn line_breaks_in_fields_are_escaped() {
    let broken = Row { error: Some("two\nlines, \"quoted\"\r\n".into()), ..row("a") };
    let text = text_of(&[broken, row("b")]);
    assert_eq!(text.lines().count(), 3, "{text}");
    let read = rows_of(&text).expect("a table");
    assert_eq!(read[0].error.as_deref(), Some("two\\nlines, \"quoted\"\\r\\n"));
    assert_eq!(read[1], row("b"));
}

#[test]
fn a_log_that_lacks_a_column_is_written_anew_and_keeps_what_it_has() {
    let directory = tempfile::tempdir().expect("temporary directory");
    let few = columns::<Row>(&BTreeSet::new(), |column| ["solutions", "error"].contains(&column));
    let (mut log, _) = Log::<Row>::open(directory.path(), &few).expect("new table");
    log.append(&[row("a")]).expect("write");
    drop(log);
    let (mut log, rows) = open(directory.path()).expect("written anew");
    assert_eq!(rows, [row("a")]);
    let counted = Row { stats: [(Stat::Nodes, 2057)].into(), ..row("b") };
    log.append(std::slice::from_ref(&counted)).expect("write");
    drop(log);
    let (_, rows) = Log::<Row>::open(directory.path(), &few).expect("it has more columns");
    assert_eq!(rows, [row("a"), counted]);
}

/// Also where its columns are not enough for a row of this version.
#[test]
fn a_table_of_another_version_is_refused_by_its_version() {
    let told = "line 2: schema version '1': this queenlab reads and writes version 2 only";
    let error = rows_of("schema_version,seq,warmup\n1,1,false\n").expect_err("version 1").to_string();
    assert!(error.contains(told), "{error}");
}

/// Texts are texts in JSON, also those of digits.
#[test]
fn values_are_numbers_in_json_only_in_columns_of_numbers() {
    let claim = crate::record::ClaimRow { says: "12".into(), n: "8".into(), claim: 3, ..Default::default() };
    let json = json(&[claim]);
    assert_eq!((&json[0]["says"], &json[0]["n"], &json[0]["claim"]), (&"12".into(), &"8".into(), &3.into()));
    let row = Row { cell_id: "1234567890123456".into(), stats: [(Stat::Nodes, 7)].into(), ..row("a") };
    let json = super::json(&[row]);
    assert_eq!((&json[0]["cell_id"], &json[0]["nodes"]), (&"1234567890123456".into(), &7.into()));
}

#[test]
fn a_table_that_was_changed_since_the_last_row_is_not_written_to() {
    type Change = (&'static str, fn(&Path));
    let changes: [Change; 5] = [
        ("it was deleted", |path| std::fs::remove_file(path).expect("removed")),
        ("another file took its place", |path| {
            // As an editor saves it.
            let copy = path.with_extension("swp");
            std::fs::copy(path, &copy).and_then(|_| std::fs::rename(&copy, path)).expect("replaced");
        }),
        ("bytes instead of", |path| std::fs::write(path, "").expect("truncated")),
        ("bytes instead of", |path| {
            let text = std::fs::read_to_string(path).expect("read");
            std::fs::write(path, text + "x").expect("written");
        }),
        ("another file took its place", |path| {
            std::fs::remove_file(path).and_then(|()| std::fs::create_dir(path)).expect("replaced");
        }),
    ];
    for (expected, change) in changes {
        let directory = tempfile::tempdir().expect("temporary directory");
        let path = directory.path().join(Row::FILE);
        let (mut log, _) = open(directory.path()).expect("new table");
        log.append(&[row("a")]).and_then(|()| log.sync()).expect("written");
        change(&path);
        let before = std::fs::read(&path).ok();
        for error in [log.append(&[row("b")]), log.sync()] {
            let error = error.expect_err("changed").to_string();
            assert!(error.contains(expected) && error.contains("while the sweep was running"), "{error}");
        }
        assert_eq!(std::fs::read(&path).ok(), before);
    }
}

#[test]
fn a_field_of_many_megabytes_is_refused_with_its_line() {
    let whole = text_of(&[row("a")]);
    let long = whole.replace("backtrack", &"b".repeat(32 << 20));
    let error = rows_of(&long).expect_err("too long").to_string();
    assert_eq!(error, "runs.csv: line 2 is longer than 1 MiB, so this is not a table of queenlab");
}
