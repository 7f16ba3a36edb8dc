//! Arguments of `queenlab certify`.

use std::path::PathBuf;

use crate::experiment::spec::at_most_1024;
use crate::sat::symmetry::SymmetryGroup;
use crate::verify::certificate;
use clap::{Args, ValueEnum};

use super::ProblemArguments;

/// Prove the number of solutions, and check the proof.
///
/// Enumerates all solutions and checks each one on the board. Then it writes a formula that excludes these solutions,
/// with a proof that the formula is unsatisfiable: there are no other solutions. The built-in checker reads the
/// proof back before the number is printed; if the check fails, the exit code is 3. `queenlab help certificates`
/// explains what a certificate proves and what it does not.
#[derive(Args, Debug)]
#[command(
    override_usage = "queenlab certify [OPTIONS] <N>\n       queenlab certify [OPTIONS] --instance <FILE>\n       \
                      queenlab certify --audit <JSON> [--checker <CMD>] [--threads <T>]"
)]
#[command(after_help = "Examples:
  queenlab certify 8
  queenlab certify 12 --proof queens12.lrat --binary
  queenlab certify 8 --method backtrack --proof queens8.lrat
  queenlab certify 10 --proof queens10.lrat --checker 'lrat-check {cnf} {proof}'
  queenlab certify 8 --proof queens8.drat --format drat --checker 'drat-trim {cnf} {proof}'
  queenlab certify 12 --symmetry full
  queenlab certify 14 --parts queens14 --keep
  queenlab certify 8 --proof queens8.pbp --format veripb --checker 'veripb {cnf} {proof}'
  queenlab certify 7 --variant toroidal
  queenlab certify --instance puzzle.txt --proof puzzle.lrat
  queenlab certify --audit queens8.json")]
pub struct CertifyArguments {
    #[command(flatten)]
    pub problem: ProblemArguments,
    /// Check an existing certificate: its digests, formula, solutions and proof. JSON is the file that --proof wrote,
    /// for example queens8.json with queens8.cnf and queens8.lrat beside it. If the check fails, the exit code is 3.
    #[arg(long, value_name = "JSON", conflicts_with_all = ["size", "n", "instance", "variant", "place", "forbid", "exclude_diagonals", "symmetry", "method", "proof",
        "format", "binary", "parts", "keep"])]
    pub audit: Option<PathBuf>,
    /// Symmetries to break: none, mirror or full. With mirror or full, the formula excludes only some solutions of each
    /// set of rotations and reflections, and the proof is several times smaller. All images of these solutions are then
    /// generated, checked on the board and counted; this step is not part of the proof [default: full for plain queens from n = 13 on, otherwise none].
    #[arg(long, value_name = "GROUP")]
    pub symmetry: Option<SymmetryGroup>,
    /// How to find the proof.
    #[arg(long, default_value = "cubes")]
    pub method: Method,
    /// Write the proof to FILE, and the formula and the certificate beside it with the extensions .cnf (.opb for VeriPB) and .json
    /// [default: keep none of them].
    #[arg(short = 'o', long, value_name = "FILE")]
    pub proof: Option<PathBuf>,
    /// Format of the proof.
    #[arg(long, default_value = "lrat")]
    pub format: ProofFormat,
    /// Write the proof in binary, which takes less than half the space.
    #[arg(long)]
    pub binary: bool,
    /// Divide the board into parts, prove and check one part at a time in memory, and write DIR/certificate.json, which
    /// lists the sizes and digests of all formulas and proofs. DIR must not exist. For plain queens from n = 13 on, this is
    /// the default, without DIR, if none of --proof, --checker, --format, --method and --binary asks for something else.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["proof", "method", "format"])]
    pub parts: Option<PathBuf>,
    /// Also write the formulas and the proofs of all parts to DIR.
    #[arg(long, requires = "parts")]
    pub keep: bool,
    /// Number of threads for a certificate in parts [default: one per processor].
    #[arg(short = 'j', long, value_name = "T", value_parser = at_most_1024::<u32>)]
    pub threads: Option<u32>,
    /// Check the proof with another program as well, for example 'lrat-check {cnf} {proof}'. Its words are split as in
    /// a shell. With --parts, it checks every 20th part; with --audit, all parts.
    #[arg(long, value_name = "CMD")]
    pub checker: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Method {
    /// The SAT solver varisat on one subproblem at a time, composed into one proof.
    Cubes,
    /// The SAT solver varisat on the whole formula.
    Monolithic,
    /// A backtracking search that writes one lemma per node, without a SAT solver.
    Backtrack,
}

impl From<Method> for certificate::ProofMethod {
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
    /// Each lemma, and the clauses from which it follows.
    Lrat,
    /// The lemmas only. The built-in checker checks the same proof in its LRAT form.
    Drat,
    /// A formula in OPB with the extension .opb, and a proof for VeriPB 3.0 that logs each solution. The built-in checker
    /// checks the same lemmas in their LRAT form.
    Veripb,
}

impl From<ProofFormat> for certificate::Format {
    fn from(format: ProofFormat) -> Self {
        match format {
            ProofFormat::Lrat => Self::Lrat,
            ProofFormat::Drat => Self::Drat,
            ProofFormat::Veripb => Self::Veripb,
        }
    }
}
