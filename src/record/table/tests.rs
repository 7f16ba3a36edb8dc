use super::*;
use crate::record::disk::faulty::Faulty;
use crate::record::{CrosscheckRow, LevelRow, NodesRow, Row, TimingsRow};
use crate::solver::Goal;

fn row(run_id: &str) -> Row {
    let row = Row::skipped(run_id.into(), "c".into(), 8, Goal::Count, "backtrack/bitmask".into());
    Row { solutions: Some(92), error: Some("a, \"quoted\" error".into()), ..row }
}

/// The columns that serde writes for a row. They must equal the columns that the table declares.
fn serde_names<T: Table>(example: &T) -> Vec<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.serialize(example).expect("plain row");
    let text = String::from_utf8(writer.into_inner().expect("in memory")).expect("ASCII");
    text.lines().next().expect("header").split(',').map(str::to_owned).collect()
}

#[test]
fn declared_columns_are_the_fields_in_order() {
    assert_eq!(serde_names(&row("r")), Row::columns());
    assert_eq!(serde_names(&LevelRow::default()), LevelRow::columns());
    assert_eq!(serde_names(&CrosscheckRow::default()), CrosscheckRow::columns());
    assert_eq!(serde_names(&TimingsRow::default()), TimingsRow::columns());
    assert_eq!(serde_names(&NodesRow::default()), NodesRow::columns());
}

#[test]
fn rows_are_read_as_they_were_written() {
    let directory = tempfile::tempdir().expect("temporary directory");
    let (mut log, rows) = Log::<Row>::open(directory.path()).expect("new table");
    assert_eq!(rows, []);
    log.append(&[row("a"), row("b")]).expect("write");
    let (_, rows) = Log::<Row>::open(directory.path()).expect("read");
    assert_eq!(rows, [row("a"), row("b")]);
    assert_eq!(read::<Row>(directory.path()).expect("read"), rows);
}

#[test]
fn factors_of_programs_have_columns_behind_all_others() {
    let directory = tempfile::tempdir().expect("temporary directory");
    let of = |run_id: &str, options: &str| Row {
        solver: "program/mine".into(),
        options: Some(options.into()),
        ..row(run_id)
    };
    let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<BTreeSet<_>>();
    let (mut log, _) = Log::<Row>::open_with(directory.path(), names(&["h"])).expect("new table");
    let plain = Row { options: Some("items=natural".into()), ..row("a") };
    log.append(&[plain.clone(), of("b", "h=0.5")]).expect("write");
    let text = || std::fs::read_to_string(directory.path().join(Row::FILE)).expect("read");
    let ends = || text().lines().map(|line| line.rsplit(',').next().map(str::to_owned)).collect::<Vec<_>>();
    assert_eq!(ends(), ["factor.h", "", "0.5"].map(|end| Some(end.to_owned())));
    assert_eq!(text().into_bytes(), format(&[plain.clone(), of("b", "h=0.5")]).expect("in memory"));
    drop(log);
    // Another factor is added to the plan: the rows that are there get its column, too.
    let (mut log, rows) = Log::<Row>::open_with(directory.path(), names(&["k"])).expect("written anew");
    assert_eq!(rows, [plain, of("b", "h=0.5")]);
    log.append(&[of("c", "k=2")]).expect("write");
    assert!(text().starts_with(&(Row::columns().join(",") + ",factor.h,factor.k\n")));
    assert_eq!(ends()[3].as_deref(), Some("2"));
    assert_eq!(Log::<Row>::open(directory.path()).expect("opened").1.len(), 3);
}

#[test]
fn a_torn_last_line_is_cut_off_and_the_log_continues() {
    let directory = tempfile::tempdir().expect("temporary directory");
    let (mut log, _) = Log::<Row>::open(directory.path()).expect("new table");
    log.append(&[row("a"), row("b")]).expect("write");
    let path = directory.path().join(Row::FILE);
    let whole = std::fs::read(&path).expect("read");
    for torn in [1, 7, 20] {
        std::fs::write(&path, &whole[..whole.len() - torn]).expect("tear");
        let (mut log, rows) = Log::<Row>::open(directory.path()).expect("mend");
        assert_eq!(rows, [row("a")]);
        log.append(&[row("b")]).expect("go on");
        assert_eq!(std::fs::read(&path).expect("read"), whole);
    }
}

#[test]
fn a_row_torn_within_a_quoted_line_break_is_cut_off_and_no_other_row_is() {
    let directory = tempfile::tempdir().expect("temporary directory");
    let path = directory.path().join(Row::FILE);
    let text = String::from_utf8(format(&[row("a"), row("b")]).expect("in memory")).expect("ASCII");
    // As versions wrote it that did not escape line breaks.
    let broken = text.replace("a, \"\"quoted\"\" error", "a,\nquoted\r\n\nerror");
    let (kept, torn) = broken.rsplit_once("1,b,").expect("the second row");
    for end in 0..torn.len() {
        std::fs::write(&path, format!("{kept}1,b,{}", &torn[..end])).expect("write");
        let mut rows = Vec::new();
        let is_torn = for_each_complete(directory.path(), |row: Row| {
            rows.push(row);
            Ok(())
        });
        assert!(is_torn.expect("read") && rows.len() == 1, "{end}");
        let (mut log, rows) =
            Log::<Row>::open(directory.path()).unwrap_or_else(|error| panic!("{end}: {error}"));
        assert_eq!(rows.len(), 1, "{end}");
        assert_eq!(std::fs::read_to_string(&path).expect("read"), kept);
        log.append(&[row("b")]).expect("write");
    }
    // A quote that a disk made of something else must not cost the rows behind it.
    let plain = |run_id| Row { error: None, ..row(run_id) };
    let text = String::from_utf8(format(&[plain("a"), plain("b")]).expect("in memory")).expect("ASCII");
    let stray = text.replace("1,a,", "1,\"a,");
    std::fs::write(&path, &stray).expect("write");
    let error = Log::<Row>::open(directory.path()).err().expect("refused").to_string();
    assert!(error.ends_with("runs.csv: line 2: a quote is not closed"), "{error}");
    assert_eq!(std::fs::read_to_string(&path).expect("read"), stray);
}

#[test]
fn line_breaks_in_fields_are_escaped() {
    let broken = Row { error: Some("two\nlines, \"quoted\"\r\n".into()), ..row("a") };
    let text = String::from_utf8(format(&[broken.clone(), row("b")]).expect("in memory")).expect("ASCII");
    assert_eq!(text.lines().count(), 3, "{text}");
    let read: Vec<Row> = parse(Path::new("runs.csv"), text.as_bytes()).expect("a table");
    assert_eq!(read[0].error.as_deref(), Some("two\\nlines, \"quoted\"\\r\\n"));
    assert_eq!(read[1], row("b"));
}

#[test]
fn rows_are_not_appended_where_they_would_not_fit() {
    let directory = tempfile::tempdir().expect("temporary directory");
    let path = directory.path().join(Row::FILE);
    let text = String::from_utf8(format(&[row("a")]).expect("in memory")).expect("ASCII");
    let newer: String =
        text.lines().zip(["mood", "good"]).map(|(line, field)| format!("{line},{field}\n")).collect();
    std::fs::write(&path, &newer).expect("write");
    assert_eq!(read::<Row>(directory.path()).expect("it can be read"), [row("a")]);
    let error = Log::<Row>::open(directory.path()).err().expect("refused").to_string();
    assert!(error.contains("a newer queenlab wrote the column 'mood'"), "{error}");
    assert_eq!(std::fs::read_to_string(&path).expect("read"), newer);
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
        let (mut log, _) = Log::<Row>::open(directory.path()).expect("new table");
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
fn a_full_disk_is_an_error_at_every_byte_and_leaves_whole_rows() {
    let intact = tempfile::tempdir().expect("temporary directory");
    let (mut log, _) = Log::<Row>::open(intact.path()).expect("new table");
    log.append(&[row("a")]).and_then(|()| log.append(&[row("b"), row("c")])).expect("write");
    let whole = std::fs::read(intact.path().join(Row::FILE)).expect("read");
    let ends: Vec<usize> = (1..=whole.len()).filter(|&end| whole[end - 1] == b'\n').collect();
    // After the header, after a, after b and c: those two are written at once.
    let ends = [0, ends[0], ends[1], ends[3]];
    for room in 0..whole.len() {
        let directory = tempfile::tempdir().expect("temporary directory");
        let path = directory.path().join(Row::FILE);
        let written =
            Log::<Row>::open_on(Box::new(Faulty::with_room(room)), directory.path(), BTreeSet::new())
                .and_then(|(mut log, _)| log.append(&[row("a")]).map(|()| log))
                .and_then(|mut log| log.append(&[row("b"), row("c")]));
        let error = written.expect_err("there is no room").to_string();
        assert!(error.starts_with(&path.display().to_string()), "{error}");
        let kept = ends.into_iter().rev().find(|&end| end <= room).expect("0");
        assert_eq!(std::fs::read(&path).expect("read"), &whole[..kept], "room for {room}");
        // There is room again: the rows that are missing complete the file.
        let (mut log, rows) = Log::<Row>::open(directory.path()).expect("goes on");
        let missing = [&[row("a")][..], &[row("b"), row("c")]].concat().split_off(rows.len());
        log.append(&missing).expect("write");
        assert_eq!(std::fs::read(&path).expect("read"), whole);
    }
}

#[test]
fn a_disk_that_cannot_sync_is_an_error_that_names_the_file() {
    let directory = tempfile::tempdir().expect("temporary directory");
    let disk = Faulty { syncs: false, ..Faulty::with_room(usize::MAX) };
    let (mut log, _) =
        Log::<Row>::open_on(Box::new(disk), directory.path(), BTreeSet::new()).expect("new table");
    log.append(&[row("a")]).expect("write");
    let error = log.sync().expect_err("it cannot").to_string();
    assert!(error.contains("runs.csv: input/output error"), "{error}");
    assert_eq!(read::<Row>(directory.path()).expect("read"), [row("a")]);
}

#[test]
fn a_table_of_an_older_version_is_read_but_not_resumed() {
    let directory = tempfile::tempdir().expect("temporary directory");
    let (mut log, _) = Log::<Row>::open(directory.path()).expect("new table");
    log.append(&[Row { jobs: None, ..row("a") }]).expect("write");
    let path = directory.path().join(Row::FILE);
    let text = std::fs::read_to_string(&path).expect("read");
    // Without `jobs` and the columns behind it.
    let place = Row::columns().iter().position(|column| *column == "jobs").expect("a column");
    let later = Row::columns().len() - place;
    let cut = |line: &str| line.rsplitn(later + 1, ',').last().expect("columns").to_owned() + "\n";
    let older: String = text.lines().map(cut).collect();
    assert!(older.starts_with("schema_version,") && !older.contains(",jobs"));
    std::fs::write(&path, &older).expect("write");
    assert_eq!(read::<Row>(directory.path()).expect("read"), [row("a")]);
    let error = Log::<Row>::open(directory.path()).err().expect("refused").to_string();
    assert!(error.contains("no column 'jobs': an older queenlab made this table"), "{error}");
    assert_eq!(std::fs::read_to_string(&path).expect("read"), older);
}

#[test]
fn a_row_of_another_schema_version_is_refused() {
    assert_eq!(VERSION, crate::record::SCHEMA_VERSION.to_string());
    let directory = tempfile::tempdir().expect("temporary directory");
    let (mut log, _) = Log::<Row>::open(directory.path()).expect("new table");
    log.append(&[row("a"), Row { schema_version: 2, ..row("b") }]).expect("write");
    let error = read::<Row>(directory.path()).expect_err("another version").to_string();
    assert!(error.contains("line 3: schema version '2' instead of 1: written by another"), "{error}");
}

#[test]
fn a_table_without_a_column_is_refused_by_name() {
    let directory = tempfile::tempdir().expect("temporary directory");
    std::fs::write(directory.path().join("runs.csv"), "schema_version,run_id\n1,x\n").expect("write");
    let error = read::<Row>(directory.path()).expect_err("incomplete");
    assert!(error.to_string().contains("no column 'cell_id'"), "{error}");
}

#[test]
fn a_field_of_many_megabytes_is_refused_with_its_line() {
    let whole = String::from_utf8(format(&[row("a")]).expect("in memory")).expect("ASCII");
    let path = Path::new("runs.csv");
    assert_eq!(parse::<Row>(path, whole.as_bytes()).expect("a table"), [row("a")]);
    let long = whole.replace("backtrack", &"b".repeat(32 << 20));
    let error = parse::<Row>(path, long.as_bytes()).expect_err("too long").to_string();
    assert_eq!(error, "runs.csv: line 2 is longer than 1 MiB, so this is not a table of queenlab");
}
