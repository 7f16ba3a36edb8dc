//! Arguments of `queenlab doctor`.

use clap::Args;

/// Find out what about this machine disturbs measurements.
///
/// Governor, turbo, SMT, load, swap, limits of cgroups, virtual machine, steal, container, heat, clock,
/// other processes, and how evenly the machine computes; and the command that mends each. Takes a
/// second; the exit code is 0 whatever it finds.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab doctor
  queenlab doctor --json")]
pub struct DoctorArguments {
    /// The findings as JSON on standard output.
    #[arg(long)]
    pub json: bool,
}
