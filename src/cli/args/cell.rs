//! Arguments of the process of one run.

use std::path::PathBuf;

use crate::experiment::cpus::CpuList;
use clap::Args;

#[derive(Args, Debug)]
pub struct CellArguments {
    /// The cell as JSON.
    pub cell: String,
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
