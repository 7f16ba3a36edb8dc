//! Arguments of `queenlab certify`.

use std::path::PathBuf;

use crate::board::BoardSize;
use crate::verify::certificate;
use clap::{Args, ValueEnum};

use super::values::parse_size;

/// Prove that there are exactly so many solutions, and check the proof.
///
/// The formula says `N queens, and none of these solutions`; each of those is judged on the board; the
/// proof shows that the formula has no model. The built-in checker reads it back before anything is
/// claimed: a proof that does not check is exit 3. `queenlab help
/// certificates` says what it proves and what not.
#[derive(Args, Debug)]
#[command(
    override_usage = "queenlab certify [OPTIONS] <N>\n       queenlab certify --audit <JSON> [--checker <CMD>]"
)]
#[command(after_help = "Examples:
  queenlab certify 8
  queenlab certify 12 --proof queens12.lrat --binary
  queenlab certify 8 --method backtrack --proof queens8.lrat
  queenlab certify 10 --proof queens10.lrat --checker 'lrat-check {cnf} {proof}'
  queenlab certify 8 --proof queens8.drat --format drat --checker 'drat-trim {cnf} {proof}'
  queenlab certify --audit queens8.json")]
pub struct CertifyArguments {
    /// Board size.
    #[arg(allow_hyphen_values = true, value_parser = parse_size, required_unless_present = "audit")]
    pub n: Option<BoardSize>,
    /// Judge the certificate p.json with p.cnf and p.lrat beside it, by whoever made them: digests, formula,
    /// solutions, proof. One that does not hold is exit 3.
    #[arg(long, value_name = "JSON", conflicts_with_all = ["n", "method", "proof", "format", "binary"])]
    pub audit: Option<PathBuf>,
    /// How the proof is found.
    #[arg(long, default_value = "cubes")]
    pub method: Method,
    /// Write the proof to FILE, and the formula and the certificate beside it as .cnf and .json.
    #[arg(short = 'o', long, value_name = "FILE")]
    pub proof: Option<PathBuf>,
    /// The format of the proof.
    #[arg(long, default_value = "lrat")]
    pub format: ProofFormat,
    /// Write a binary proof, which is less than half as large.
    #[arg(long)]
    pub binary: bool,
    /// Also ask this command; {cnf} and {proof} stand for the files. Words are split as a shell does.
    #[arg(long, value_name = "CMD")]
    pub checker: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Method {
    /// varisat, one cube at a time; composed into one proof.
    Cubes,
    /// varisat, the whole formula at once.
    Monolithic,
    /// The searcher itself, with one lemma per node; no SAT solver.
    Backtrack,
}

impl From<Method> for certificate::Method {
    fn from(method: Method) -> Self {
        match method {
            Method::Cubes => Self::Cubes,
            Method::Monolithic => Self::Monolithic,
            Method::Backtrack => Self::Backtrack,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ProofFormat {
    /// Lemmas with the clauses that each follows from.
    Lrat,
    /// The same lemmas alone; checked in LRAT.
    Drat,
}

impl From<ProofFormat> for certificate::Format {
    fn from(format: ProofFormat) -> Self {
        match format {
            ProofFormat::Lrat => Self::Lrat,
            ProofFormat::Drat => Self::Drat,
        }
    }
}
