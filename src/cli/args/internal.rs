//! Arguments of the hidden commands with which queenlab starts processes of its own.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::experiment::cpus::CpuList;
use crate::experiment::runner::process::{CELL_COMMAND, GUARD_COMMAND};
use crate::record::Kind;
use clap::{Args, Parser};

/// A command line of its own: to build that of all commands would double the time of a short run.
#[derive(Parser, Debug)]
#[command(name = "queenlab")]
pub enum InternalCommand {
    /// Runs one cell of a sweep and reports in JSON.
    #[command(name = CELL_COMMAND)]
    Cell(CellArguments),
    /// Runs a program and ends everything that it started, even when the process that wanted it is killed.
    #[command(name = GUARD_COMMAND)]
    Guard {
        /// The program and its arguments.
        #[arg(last = true, required = true)]
        command: Vec<OsString>,
    },
}

impl InternalCommand {
    /// Whether this argument names one of these commands.
    pub fn is_named(argument: &OsString) -> bool {
        argument == CELL_COMMAND || argument == GUARD_COMMAND
    }
}

#[derive(Args, Debug)]
pub struct CellArguments {
    /// The cell as JSON.
    pub cell: String,
    /// What the run is for.
    #[arg(value_parser = kind)]
    pub kind: Kind,
    /// The parent process: this process ends when the parent ends.
    #[arg(long, value_name = "PID")]
    pub parent: Option<u32>,
    /// A directory that this process deletes when the parent ends.
    #[arg(long, value_name = "DIR", requires = "parent")]
    pub scratch: Option<PathBuf>,
    /// The CPUs that the run may use.
    #[arg(long, value_name = "CPUS")]
    pub pin: Option<CpuList>,
}

fn kind(word: &str) -> Result<Kind, String> {
    Kind::named(word).ok_or_else(|| format!("'{word}' is not a kind of run"))
}
