//! Archives of results: everything that is needed to check and to repeat an experiment, as one `.tar.zst` with RO-Crate
//! metadata. The same results give the same bytes. An archive may come from an untrusted source: it contains regular files
//! only, none of which is written outside of the directory that it is unpacked into.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::{self, BufReader, Read};
use std::path::{Component, Path, PathBuf};

use ruzstd::decoding::StreamingDecoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use serde_json::{Value, json};
use tar::{Archive, Builder, EntryType, Header};

use crate::files;
use crate::record::{ClaimRow, CrosscheckRow, LevelRow, Meta, NodesRow, Row, Table, TimingsRow, sha256_hex};

/// The folder of an archive that has the result directory.
pub const RESULTS: &str = "results";

/// The Cargo.lock that this program was built with.
const CARGO_LOCK: &str = include_str!("../../Cargo.lock");

/// The largest number of files in an archive, and of bytes that they have together.
const MOST_FILES: usize = 1000;
const MOST_BYTES: u64 = 2 << 30;

/// A file of an archive.
struct Packed {
    name: String,
    content: Vec<u8>,
}

/// The archive of a result directory with this executable, and with the spec that it was made from, if it is given.
///
/// # Errors
///
/// A file that cannot be read or is too large.
pub fn pack(directory: &Path, meta: &Meta, executable: &Path, spec: Option<&Path>) -> io::Result<Vec<u8>> {
    let mut files = Vec::new();
    let mut add = |name: String, content: Vec<u8>| files.push(Packed { name, content });
    for name in result_files(directory)? {
        // In a directory of someone else, a link could lead to a private file of the user.
        let parts = Path::new(&name).ancestors().filter(|part| *part != Path::new(""));
        if let Some(link) = parts.map(|part| directory.join(part)).find(|part| part.is_symlink()) {
            let reason = "this is a link; an archive has only what is in the directory: remove the link";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, format!("{}: {reason}", link.display())));
        }
        add(format!("{RESULTS}/{name}"), read(&directory.join(&name))?);
    }
    add("queenlab".to_owned(), read(executable)?);
    add("Cargo.lock".to_owned(), CARGO_LOCK.into());
    if let Some(spec) = spec {
        add("spec.toml".to_owned(), read(spec)?);
    }
    for (digest, problem) in instances(&meta.plan) {
        add(format!("instances/{digest}.txt"), problem.into());
    }
    files.sort_by(|a, b| a.name.cmp(&b.name));
    let crate_metadata = serde_json::to_vec_pretty(&ro_crate(meta, &files))?;
    files.insert(0, Packed { name: "ro-crate-metadata.json".to_owned(), content: crate_metadata });
    let mut tar = Builder::new(Vec::new());
    for Packed { name, content } in &files {
        let mut header = Header::new_ustar();
        header.set_path(name)?;
        header.set_entry_type(EntryType::Regular);
        header.set_mode(if name == "queenlab" { 0o755 } else { 0o644 });
        header.set_size(content.len() as u64);
        header.set_uid(0);
        header.set_gid(0);
        header.set_mtime(0);
        header.set_cksum();
        tar.append(&header, content.as_slice())?;
    }
    Ok(compress_to_vec(tar.into_inner()?.as_slice(), CompressionLevel::Fastest))
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    let read = files::read_regular(path, MOST_BYTES);
    read.map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))
}

/// The files of a result directory that a sweep writes, as far as they exist.
fn result_files(directory: &Path) -> io::Result<Vec<String>> {
    let tables = [
        Meta::FILE,
        Row::FILE,
        LevelRow::FILE,
        CrosscheckRow::FILE,
        TimingsRow::FILE,
        NodesRow::FILE,
        ClaimRow::FILE,
        "report.html",
    ];
    let mut names: Vec<String> = tables.map(str::to_owned).into();
    if directory.join("plots").is_dir() {
        for entry in std::fs::read_dir(directory.join("plots"))? {
            let name = entry?.file_name().to_string_lossy().into_owned();
            if name.ends_with(".svg") {
                names.push(format!("plots/{name}"));
            }
        }
    }
    names.retain(|name| directory.join(name).is_file());
    Ok(names)
}

/// The problems of the instances of a plan, by the digests of their files.
fn instances(plan: &Value) -> BTreeMap<String, String> {
    let cells = plan["cells"].as_array().into_iter().flatten();
    let instance = |cell: &Value| {
        let digest = cell["instance"]["digest"].as_str()?;
        let is_digest = digest.len() == 64 && digest.bytes().all(|byte| byte.is_ascii_hexdigit());
        let problem = cell["instance"]["problem"].as_str().filter(|_| is_digest)?;
        Some((digest.to_owned(), format!("{problem}\n")))
    };
    cells.filter_map(instance).collect()
}

/// The metadata of the archive, as RO-Crate 1.1 defines it.
fn ro_crate(meta: &Meta, files: &[Packed]) -> Value {
    let text = |key: &str| meta.plan[key].as_str().unwrap_or_default();
    let id = |name: &str| json!({ "@id": name });
    let parts: Vec<Value> = files.iter().map(|file| id(&file.name)).collect();
    let results: Vec<Value> =
        files.iter().filter(|file| file.name.starts_with(RESULTS)).map(|file| id(&file.name)).collect();
    let last = meta.sessions.last();
    let published = last.map(|session| session.ended_at.as_ref().unwrap_or(&session.started_at));
    let mut graph = vec![
        json!({
            "@id": "ro-crate-metadata.json", "@type": "CreativeWork", "about": id("./"),
            "conformsTo": id("https://w3id.org/ro/crate/1.1"),
        }),
        json!({
            "@id": "./", "@type": "Dataset", "name": text("name"), "description": text("question"),
            "datePublished": published, "hasPart": parts,
        }),
    ];
    for Packed { name, content } in files {
        let kind = if name == "queenlab" { json!(["File", "SoftwareApplication"]) } else { json!("File") };
        let mut file = json!({
            "@id": name, "@type": kind, "name": name, "contentSize": content.len().to_string(),
            "sha256": sha256_hex(content),
        });
        if name == "queenlab" {
            file["version"] = json!(env!("CARGO_PKG_VERSION"));
        }
        graph.push(file);
    }
    for (place, session) in meta.sessions.iter().enumerate() {
        graph.push(json!({
            "@id": format!("#session-{}", place + 1), "@type": "CreateAction", "name": session.argv.join(" "),
            "instrument": id("queenlab"), "result": results, "startTime": session.started_at,
            "endTime": session.ended_at,
        }));
    }
    for ((solver, file), digest) in fingerprints(&meta.plan) {
        graph.push(json!({
            "@id": format!("#{digest}-{solver}"), "@type": "SoftwareApplication", "name": file, "sha256": digest,
            "description": format!("a file that {solver} uses, which is not in this archive"),
        }));
    }
    json!({ "@context": "https://w3id.org/ro/crate/1.1/context", "@graph": graph })
}

/// The digests of the files of programs, by solver and file.
fn fingerprints(plan: &Value) -> BTreeMap<(&str, &str), &str> {
    let mut found = BTreeMap::new();
    for cell in plan["cells"].as_array().into_iter().flatten() {
        for (file, digest) in cell["files"].as_object().into_iter().flatten() {
            if let (Some(solver), Some(digest)) = (cell["solver"].as_str(), digest.as_str()) {
                found.insert((solver, file.as_str()), digest);
            }
        }
    }
    found
}

/// An unpacked archive: a temporary directory, which is removed with this value.
pub type Unpacked = files::Temporary<tempfile::TempDir>;

/// Unpacks an archive.
///
/// # Errors
///
/// A file that is no such archive, and an archive with a path that leads out of the directory, with a link or another
/// special file, with a file that occurs twice, or with too many files or bytes.
pub fn unpack(archive: &Path) -> io::Result<Unpacked> {
    let directory = files::temporary_directory()?;
    unpack_into(archive, directory.path())?;
    Ok(directory)
}

fn unpack_into(archive: &Path, directory: &Path) -> io::Result<()> {
    let bad = |reason: String| io::Error::new(io::ErrorKind::InvalidData, reason);
    let file = BufReader::new(files::open_regular(archive)?);
    let text = StreamingDecoder::new(file)
        .map_err(|error| bad(format!("this is not a .tar.zst archive: {error}")))?;
    // Headers count as well, so that the memory and the time for them are limited.
    let mut archive = Archive::new(text.take(MOST_BYTES + (1 << 20)));
    let mut bytes = 0_u64;
    // Raw entries: an extended header with a long name is refused like a link, and is not read into memory.
    for (place, entry) in archive.entries()?.raw(true).enumerate() {
        let mut entry = entry?;
        let path = entry.path()?.into_owned();
        let shown = path.display().to_string().escape_debug().to_string();
        if entry.header().entry_type() != EntryType::Regular {
            return Err(bad(format!(
                "the entry '{shown}' is not a regular file, and an archive of results has only those"
            )));
        }
        let is_inside = path.components().all(|part| matches!(part, Component::Normal(_)));
        if !is_inside || path == PathBuf::new() {
            return Err(bad(format!("the entry '{shown}' leads out of the archive")));
        }
        bytes = bytes.saturating_add(entry.header().size()?);
        if place >= MOST_FILES || bytes > MOST_BYTES {
            let most = MOST_BYTES >> 30;
            return Err(bad(format!("the archive has more than {MOST_FILES} files or {most} GiB")));
        }
        let target = directory.join(&path);
        std::fs::create_dir_all(target.parent().unwrap_or(directory))?;
        let named = |error: io::Error| io::Error::new(error.kind(), format!("the entry '{shown}': {error}"));
        let mut file = OpenOptions::new().write(true).create_new(true).open(&target).map_err(named)?;
        let copied = io::copy(&mut entry, &mut file).map_err(named)?;
        if copied != entry.header().size()? {
            return Err(bad(format!("the archive ends within '{shown}'")));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An archive with these entries: kind, path, size as the header says it, content.
    fn archive(entries: &[(EntryType, &str, u64, &str)]) -> Vec<u8> {
        let mut tar = Builder::new(Vec::new());
        for (kind, path, size, content) in entries {
            let mut header = Header::new_ustar();
            // set_path would refuse what an attacker writes.
            header.as_mut_bytes()[..path.len()].copy_from_slice(path.as_bytes());
            header.set_entry_type(*kind);
            if matches!(kind, EntryType::Symlink | EntryType::Link) {
                header.set_link_name_literal("/etc/passwd").expect("a short name");
            }
            header.set_mode(0o644);
            header.set_size(*size);
            header.set_cksum();
            tar.append(&header, content.as_bytes()).expect("in memory");
        }
        compress_to_vec(tar.into_inner().expect("in memory").as_slice(), CompressionLevel::Fastest)
    }

    /// The error of unpacking, and what is in the directory around the one that it was unpacked into.
    fn unpacked(bytes: &[u8]) -> (Result<(), String>, Vec<String>) {
        let home = tempfile::tempdir().expect("temporary directory");
        let (file, into) = (home.path().join("a.tar.zst"), home.path().join("into"));
        std::fs::write(&file, bytes).expect("written");
        std::fs::create_dir(&into).expect("a directory");
        let result = unpack_into(&file, &into).map_err(|error| error.to_string());
        let entries = std::fs::read_dir(home.path()).expect("a directory").flatten();
        let mut names: Vec<String> =
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        (result, names)
    }

    #[test]
    fn hostile_archives_are_refused_and_write_nothing_outside() {
        use EntryType::{Char, Directory, Fifo, GNULongName, Link, Regular, Symlink, XHeader};
        let fine = (Regular, "results/runs.csv", 1, "x");
        let many: Vec<String> = (0..=MOST_FILES).map(|number| format!("{number}")).collect();
        let many: Vec<_> = many.iter().map(|name| (Regular, name.as_str(), 0, "")).collect();
        let mut attacks = vec![
            (archive(&[fine, (Regular, "../x", 1, "x")]), "the entry '../x' leads out of the archive"),
            (archive(&[(Regular, "results/../../x", 1, "x")]), "leads out of the archive"),
            (archive(&[(Regular, "/tmp/x", 1, "x")]), "leads out of the archive"),
            (archive(&[(Regular, "./../x", 1, "x")]), "leads out of the archive"),
            (archive(&[fine, fine]), "the entry 'results/runs.csv': "),
            (archive(&[fine, (Regular, "results/runs.csv/x", 1, "x")]), ""),
            (archive(&[(Regular, "big", 3 << 30, "")]), "more than 1000 files or 2 GiB"),
            (archive(&[(Regular, "short", 1 << 20, "")]), ""),
            (archive(&many), "more than 1000 files"),
            (b"x".to_vec(), "this is not a .tar.zst archive"),
            (Vec::new(), "this is not a .tar.zst archive"),
            (compress_to_vec(&b"no tar"[..], CompressionLevel::Fastest), ""),
        ];
        for kind in [Symlink, Link, Fifo, Char, Directory, GNULongName, XHeader] {
            attacks.push((archive(&[(kind, "results", 0, "")]), "is not a regular file"));
        }
        for (place, (bytes, expected)) in attacks.into_iter().enumerate() {
            let (result, names) = unpacked(&bytes);
            let error = result.expect_err(expected);
            assert!(error.contains(expected), "{place}: {error}");
            assert_eq!(names, ["a.tar.zst", "into"], "{place}");
        }
        let whole = archive(&[fine, (Regular, "results/meta.json", 2, "{}")]);
        assert_eq!(unpacked(&whole).0, Ok(()));
        for end in 0..whole.len() {
            // Whatever was cut off, nothing panics, and nothing is written elsewhere.
            assert_eq!(unpacked(&whole[..end]).1, ["a.tar.zst", "into"]);
        }
    }
}
