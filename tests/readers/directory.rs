//! A whole result directory from one string of bytes, read by reports, comparisons and exports, and by a
//! sweep that resumes it. It must not differ from itself, and a sweep must accept the tables that it
//! repaired.

use std::fs;

use queenlab::experiment::stored::{self, of_plan};
use queenlab::experiment::{self, Stored};
use queenlab::record::Meta;
use queenlab::registry::Registry;
use queenlab::report::compare::Comparison;
use queenlab::report::{self, Data, Material, Part, export};

/// The files, in the order of their contents, which this byte parts.
const FILES: [&str; 5] = ["runs.csv", "meta.json", "levels.csv", "crosscheck.csv", "experiment.toml"];
const END: u8 = 0x1c;

pub fn check(bytes: &[u8]) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let directory = directory.path();
    for (name, content) in FILES.iter().zip(bytes.split(|&byte| byte == END)) {
        fs::write(directory.join(name), content).expect("a writable directory");
    }
    let registry = Registry::builtin();
    let read = Stored::read(directory, &registry);
    match &read {
        Ok(stored) => derive(stored),
        Err(error) => {
            let error = error.to_string();
            assert!(FILES.iter().any(|name| error.contains(name)), "{error}");
        }
    }
    let Ok(meta) = Meta::read(directory) else { return };
    let rows = read.as_ref().map_or(&[][..], |stored| &stored.rows);
    let Ok(plan) = stored::plan(directory, meta.as_ref(), &registry, rows) else { return };
    let Ok((_, rows, _)) = experiment::open(&plan, directory, &|_| {}) else { return };
    if let Ok(stored) = read {
        assert_eq!(of_plan(rows.clone(), &plan), stored.rows, "a sweep reads other rows than a report");
    }
    let (_, again, _) = experiment::open(&plan, directory, &|_| {}).expect("what a sweep has mended");
    assert_eq!(again, rows);
}

fn derive(stored: &Stored) {
    let out = tempfile::tempdir().expect("a temporary directory");
    let material = Material { parts: vec![Part::of(stored, "")], ..Material::default() };
    let data = Data::of(&material);
    report::write(out.path(), &data, &queenlab::report::plots::Look::default())
        .expect("a report of whatever was read");
    export::json(&data);
    let Comparison { wrong, changed, lost, gained, one_sided, only_first, only_second, .. } =
        Comparison::of(stored, stored);
    for changes in [wrong, changed, lost, gained, one_sided] {
        assert_eq!(changes, [], "it differs from itself");
    }
    assert!(only_first.is_empty() && only_second.is_empty());
}
