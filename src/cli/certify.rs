//! `queenlab certify`: proves the number of solutions.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Error;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::options::{Messages, ProblemArguments, ProgressStyle, Threads, path_except_stdout};
use super::{BadInput, Exit, RunCommand, out, terminal, units};
use crate::audit::{AuditError, Audited, BrokenSymmetry, Certificate, CheckedBy};
use crate::board::problem::Variant;
use crate::certify::{self, CertifyError, DESCRIPTION, Method, Request};
use crate::registry::Registry;
use crate::sat::symmetry::SymmetryGroup;
use plaintext::Escaped;

/// Prove the number of solutions, and check the proof.
///
/// Enumerates all solutions and divides the search space into parts. For each part, a formula excludes the solutions that
/// were found, and a proof shows that this formula is unsatisfiable, so that there are no other solutions. Every proof is
/// checked before the number is printed; if a check fails, the exit code is 3. docs/CERTIFICATES.md explains what a
/// certificate proves and what it does not.
#[derive(Args, Debug)]
#[command(
    override_usage = "queenlab certify [OPTIONS] <N>\n       queenlab certify [OPTIONS] --instance <FILE>\n       \
                      queenlab certify --audit <FILE> [--checker <CMD>] [--threads <T>]"
)]
#[command(after_help = "Examples:
  queenlab certify 8
  queenlab certify 12 --symmetry full --out queens12
  queenlab certify 10 --method backtrack --out queens10 --keep
  queenlab certify 10 --checker 'cake_lpr {cnf} {proof}'
  queenlab certify 7 --variant toroidal
  queenlab certify --instance puzzle.txt --out puzzle --keep
  queenlab certify --audit queens10/certificate.json")]
pub struct Certify {
    #[command(flatten)]
    problem: ProblemArguments,
    /// Check an existing certificate: its digests, formulas, solutions and proofs. FILE is its certificate.json; the formulas
    /// and proofs must be in the same directory (see --keep). If the check fails, the exit code is 3.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["n", "instance", "variant", "place", "forbid", "exclude_diagonals", "symmetry", "method", "out", "keep"])]
    audit: Option<PathBuf>,
    /// How to find the proofs: cubes (the SAT solver varisat proves one subproblem at a time) or backtrack (a backtracking
    /// search writes one lemma per node, without a SAT solver).
    #[arg(long, value_name = "METHOD", default_value = "cubes", hide_possible_values = true, value_parser = method())]
    method: Method,
    /// Symmetries to break: none or full. With full, the proofs are several times smaller, because they cover only some
    /// solutions of each set of rotations and reflections. All images of these solutions are then generated, checked and
    /// counted; the proofs do not cover this step [default: full for plain queens from n = 13 on, otherwise none].
    #[arg(long, value_name = "GROUP", hide_possible_values = true, value_parser = symmetry())]
    symmetry: Option<SymmetryGroup>,
    /// Write DIR/certificate.json, which lists the sizes and digests of all formulas and proofs. DIR must not exist
    /// [default: write no file].
    #[arg(short, long, value_name = "DIR", value_parser = path_except_stdout())]
    out: Option<PathBuf>,
    /// Also write the formulas and the proofs to DIR.
    #[arg(long, requires = "out")]
    keep: bool,
    #[command(flatten)]
    threads: Threads,
    /// Also check proofs with another program, for example 'cake_lpr {cnf} {proof}': every 20th part, beginning with the first
    /// one; with --audit, all parts. CMD is split into words as in a shell, but no shell is started.
    #[arg(long, value_name = "CMD")]
    checker: Option<String>,
    #[command(flatten)]
    messages: Messages,
}

fn method() -> impl TypedValueParser<Value = Method> {
    PossibleValuesParser::new(Method::WORDS).map(|word| Method::named(&word).expect("one of its words"))
}

fn symmetry() -> impl TypedValueParser<Value = SymmetryGroup> {
    PossibleValuesParser::new(["none", "full"]).try_map(|word| word.parse::<SymmetryGroup>())
}

impl RunCommand for Certify {
    fn run(&self, _registry: &Registry) -> Result<Exit, Error> {
        match &self.audit {
            Some(path) => self.audit(path),
            None => self.certify(),
        }
    }
}

impl Certify {
    fn certify(&self) -> Result<Exit, Error> {
        let problem = self.problem.get()?;
        let name = name(problem.n().get(), &problem.to_string());
        let request = Request {
            symmetry: self.symmetry.unwrap_or_else(|| certify::default_symmetry(&problem)),
            problem,
            method: self.method,
            threads: self.threads.get(),
            directory: self.out.clone(),
            keep: self.keep,
            checker: self.checker.clone(),
        };
        let note = |step: &str| {
            if self.messages.style() != ProgressStyle::None {
                terminal::note(format_args!("{name}: {step}"));
            }
        };
        match certify::certify(&request, &note) {
            Ok(certificate) => {
                print(&certificate, self)?;
                Ok(Exit::Success)
            }
            Err(error @ (CertifyError::Request(_) | CertifyError::Checker(_))) => {
                Err(BadInput::from_error(error).into())
            }
            Err(error @ (CertifyError::Missing(_) | CertifyError::Audit(AuditError::Wrong(_)))) => {
                terminal::say(format_args!("{name}: not certified: {error}"));
                Ok(Exit::WrongAnswer)
            }
            Err(error) => Err(error.into()),
        }
    }

    fn audit(&self, path: &Path) -> Result<Exit, Error> {
        let displayed_path = plaintext::path(path);
        match certify::audit(path, self.checker.as_deref(), self.threads.get()) {
            Ok(audited) => {
                print_audited(path, &audited, self.messages.quiet.quiet)?;
                Ok(Exit::Success)
            }
            Err(CertifyError::Audit(AuditError::Wrong(fault))) => {
                terminal::say(format_args!("{displayed_path}: not valid: {fault}"));
                Ok(Exit::WrongAnswer)
            }
            Err(CertifyError::Audit(error @ (AuditError::NoCertificate(_) | AuditError::NotKept(_)))) => {
                refuse!("{displayed_path}: {error}")
            }
            // A checker that cannot be started is a failure, not bad input.
            Err(error @ CertifyError::Audit(AuditError::Failed(_))) => Err(error.into()),
            Err(error) => Err(BadInput(error.to_string()).into()),
        }
    }
}

/// The name of a problem in messages: `n=8`, or `n=8, toroidal` for a problem other than plain queens.
fn name(n: usize, variant: &str) -> String {
    if variant == Variant::Queens.name() { format!("n={n}") } else { format!("n={n}, {}", Escaped(variant)) }
}

fn print_checkers(out: &mut impl Write, checkers: &[CheckedBy]) -> io::Result<()> {
    for CheckedBy { name, parts, check_ns } in checkers {
        let parts = units::counted(*parts, "part");
        writeln!(out, "checked  {} for {parts} by {}", units::time(*check_ns), Escaped(name))?;
    }
    Ok(())
}

fn print(certificate: &Certificate, arguments: &Certify) -> io::Result<()> {
    let mut out = out();
    let Certificate { n, variant, solutions, symmetry, parts, .. } = certificate;
    writeln!(out, "{}: exactly {}, proved", name(*n, variant), units::counted(*solutions, "solution"))?;
    let lemmas: u64 = parts.iter().map(|part| part.lemmas).sum();
    let bytes: u64 = parts.iter().map(|part| part.formula.bytes + part.proof.bytes).sum();
    let lemmas = units::counted(lemmas, "lemma");
    writeln!(
        out,
        "proof    {}, {lemmas}, {} bytes",
        units::counted(parts.len(), "part"),
        units::thousands(bytes)
    )?;
    if let Some(BrokenSymmetry { clauses, .. }) = symmetry {
        let [denied, solutions] = [certificate.denied_solutions(), *solutions].map(units::thousands);
        writeln!(out, "symmetry {clauses} clauses; solutions that satisfy them: {denied} of {solutions}")?;
    }
    let threads = units::counted(certificate.threads, "thread");
    writeln!(out, "proving  {} with {threads}, including all checks", units::time(certificate.prove_ns))?;
    print_checkers(&mut out, &certificate.checkers)?;
    if let Some(directory) = &arguments.out {
        let path = directory.join(DESCRIPTION);
        let files = if certificate.kept { " and the files of the parts" } else { "" };
        writeln!(out, "written  {}{files}", plaintext::path(&path))?;
    }
    Ok(())
}

fn print_audited(path: &Path, audited: &Audited, quiet: bool) -> io::Result<()> {
    let mut out = out();
    let Audited { n, variant, solutions, checkers, unchecked } = audited;
    let claim = format!("exactly {}", units::counted(*solutions, "solution"));
    writeln!(out, "{}: valid: {}: {claim}", plaintext::path(path), name(*n, variant))?;
    if quiet {
        return Ok(());
    }
    print_checkers(&mut out, checkers)?;
    writeln!(out, "not checked: {}", unchecked.join(", "))
}
