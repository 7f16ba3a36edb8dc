//! Arguments of the process of one run.

use crate::experiment::cpus::CpuList;
use clap::Args;

#[derive(Args, Debug)]
pub struct CellArguments {
    /// The cell as JSON.
    pub cell: String,
    /// Who started it: it ends with that process.
    #[arg(long, value_name = "PID")]
    pub parent: Option<u32>,
    /// The CPUs that it may run on.
    #[arg(long, value_name = "CPUS")]
    pub pin: Option<CpuList>,
}
