//! `queenlab pack`: results, plan and program in one file.

use crate::experiment::{Stored, archive};
use crate::os::own_executable;
use crate::record::{sha256_of_file, write_atomically};
use anyhow::{Context, Error};

use super::args::PackArguments;
use super::{BadInput, Exit, checked, terminal};

pub fn run(arguments: &PackArguments) -> Result<Exit, Error> {
    let directory = &arguments.directory;
    let stored = checked(Stored::read_as(directory, |_| ()))?;
    let meta = stored.meta.ok_or_else(|| {
        BadInput(format!(
            "{}: meta.json is missing; without it there is no plan to pack",
            directory.display()
        ))
    })?;
    let executable = own_executable().context("cannot find this program")?;
    if sha256_of_file(&executable)? != meta.executable_sha256 {
        terminal::warn(format_args!(
            "another queenlab ({}) made these results; the archive contains this one",
            meta.queenlab_version
        ));
    }
    let packed = archive::pack(directory, &meta, &executable, arguments.spec.as_deref());
    let packed = packed.map_err(|error| BadInput(error.to_string()))?;
    write_atomically(&arguments.out, &packed)?;
    terminal::note(format_args!("{}: {} KiB", arguments.out.display(), packed.len().div_ceil(1024)));
    Ok(Exit::Success)
}
