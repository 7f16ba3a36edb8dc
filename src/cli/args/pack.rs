//! Arguments of `queenlab pack`.

use std::path::PathBuf;

use clap::Args;

/// Pack a result directory into one archive for `queenlab reproduce`.
///
/// The archive is a .tar.zst with the plan, all rows and the report, this program and its Cargo.lock, the problems of
/// instances, the digests of the files of programs, and RO-Crate metadata. The same results give the same bytes.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab pack results/textbook -o textbook.tar.zst
  queenlab pack results/mine --spec mine.toml -o mine.tar.zst")]
pub struct PackArguments {
    /// Result directory of a sweep.
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
    /// The archive.
    #[arg(short, long, value_name = "FILE")]
    pub out: PathBuf,
    /// The TOML file of the experiment, to be packed as well.
    #[arg(long, value_name = "FILE")]
    pub spec: Option<PathBuf>,
}
