//! Arguments of `queenlab doctor`.

use clap::Args;

/// Check this machine for conditions that disturb time measurements.
///
/// Checks the CPU governor, turbo, SMT, load, swap, cgroup limits, virtualization, stolen time, containers,
/// temperature, clock source, other processes and the variation of a fixed computation, and prints the command that
/// corrects each problem. Takes about a second. The exit code is 0 even if problems are found.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab doctor
  queenlab doctor --json")]
pub struct DoctorArguments {
    /// Print the findings as JSON.
    #[arg(long)]
    pub json: bool,
}
