//! `queenlab certify`: the number of solutions, with a proof.

use std::io::Write;
use std::path::Path;

use crate::board::problem::{Problem, Variant};
use crate::escape::Escaped;
use crate::sat::symmetry::SymmetryGroup;
use crate::verify::certificate::{
    self, AuditError, Audited, BrokenSymmetry, Certificate, CertifyError, CheckedBy, Composition, Format,
    PartsRequest, Phase, ProofMethod, Request, Stated,
};
use anyhow::Error;

use super::args::{CertifyArguments, Global};
use super::{BadInput, Exit, even_unread, terminal, threads, units};

pub fn run(arguments: &CertifyArguments, global: &Global) -> Result<Exit, Error> {
    match &arguments.audit {
        Some(path) => audit(path, arguments, global),
        None => certify(arguments.problem.get()?, arguments, global),
    }
}

fn certify(problem: Problem, arguments: &CertifyArguments, global: &Global) -> Result<Exit, Error> {
    let name = name(problem.n().get(), &problem.to_string());
    let format = arguments.format.into();
    let symmetry = arguments.symmetry.unwrap_or_else(|| certificate::usual_symmetry(&problem, format));
    let shows_phases = global.progress != super::args::ProgressStyle::None;
    let note = |phase: Phase| {
        if shows_phases {
            terminal::note(format_args!("{name}: {}", doing(phase)));
        }
    };
    if arguments.parts.is_some() || is_usually_in_parts(&problem, arguments) {
        let request = PartsRequest {
            problem,
            symmetry,
            binary: arguments.binary,
            threads: threads(arguments.threads),
            directory: arguments.parts.clone(),
            keep: arguments.keep,
            checker: arguments.checker.clone(),
        };
        let certified = certificate::certify_parts(&request, &note);
        return concluded(certified, &name, |composition| print_parts(&composition, arguments));
    }
    if arguments.threads.is_some() {
        refuse!(
            "--threads has no effect on a certificate that is not in parts: add --parts DIR, or leave it out"
        );
    }
    let request = Request {
        problem,
        symmetry,
        first: None,
        method: arguments.method.into(),
        format,
        binary: arguments.binary,
        proof: arguments.proof.clone(),
        checker: arguments.checker.clone(),
    };
    concluded(certificate::certify(&request, note), &name, |certificate| print(&certificate, arguments))
}

/// Whether a certificate is in parts if it is not told how: if its symmetry is broken, and no option is for one proof.
fn is_usually_in_parts(problem: &Problem, arguments: &CertifyArguments) -> bool {
    let format = arguments.format.into();
    let by_default = format == Format::Lrat
        && ProofMethod::from(arguments.method) == ProofMethod::Cubes
        && !arguments.binary
        && arguments.proof.is_none()
        && arguments.checker.is_none();
    by_default && certificate::usual_symmetry(problem, format) != SymmetryGroup::None
}

/// Prints a certificate, or why there is none.
fn concluded<C>(
    certified: Result<C, CertifyError>,
    name: &str,
    print: impl FnOnce(C) -> std::io::Result<()>,
) -> Result<Exit, Error> {
    match certified {
        Ok(certificate) => {
            even_unread(print(certificate).map_err(Error::from))?;
            Ok(Exit::Success)
        }
        Err(error) if error.is_bad_input() => Err(BadInput(error.to_string()).into()),
        Err(error) if error.is_wrong_answer() => {
            terminal::say(format_args!("{name}: not certified: {error}"));
            Ok(Exit::WrongAnswer)
        }
        Err(error) => Err(error.into()),
    }
}

fn audit(path: &Path, arguments: &CertifyArguments, global: &Global) -> Result<Exit, Error> {
    match certificate::audit(path, arguments.checker.as_deref(), threads(arguments.threads)) {
        Ok(audited) => {
            even_unread(print_audited(path, &audited, global).map_err(Error::from))?;
            Ok(Exit::Success)
        }
        Err(AuditError::Wrong(fault)) => {
            terminal::say(format_args!("{}: not valid: {fault}", Escaped(path.display())));
            Ok(Exit::WrongAnswer)
        }
        // A checker that cannot be started is not bad input.
        Err(AuditError::Failed(CertifyError::Io(error))) => Err(error.into()),
        Err(error) => Err(BadInput(error.to_string()).into()),
    }
}

fn print_audited(path: &Path, audited: &Audited, global: &Global) -> std::io::Result<()> {
    let mut out = super::out();
    let Audited { n, variant, solutions, first, checkers, unchecked } = audited;
    let claim = match first {
        Some(first) => format!("the lexicographically first solution is {first}"),
        None => format!("exactly {}", units::counted(*solutions, "solution")),
    };
    writeln!(out, "{}: valid: {}: {claim}", Escaped(path.display()), name(*n, variant))?;
    if global.quiet {
        return Ok(());
    }
    print_checkers(&mut out, checkers)?;
    writeln!(out, "not checked: {}", unchecked.join(", "))
}

/// `n=8`, or `n=8, toroidal` for a problem other than plain queens.
fn name(n: usize, variant: &str) -> String {
    if variant == Variant::Queens.name() { format!("n={n}") } else { format!("n={n}, {}", Escaped(variant)) }
}

fn doing(phase: Phase) -> String {
    let doing = match phase {
        Phase::Enumerate => "enumerating",
        Phase::Formula => "writing the formula",
        Phase::Prove => "proving that there are no other solutions",
        Phase::Check => "checking the proof",
        Phase::Parts { done, total } => return format!("{done} of {total} parts are proved and checked"),
        Phase::Count => "counting the solutions with their images",
    };
    doing.to_owned()
}

fn print_checkers(out: &mut impl Write, checkers: &[CheckedBy]) -> std::io::Result<()> {
    for CheckedBy { name, check_ns, parts } in checkers {
        let of = parts.map_or(String::new(), |parts| format!(" for {}", units::counted(parts, "part")));
        writeln!(out, "checked  {}{of} by {}", units::time(*check_ns), Escaped(name))?;
    }
    Ok(())
}

fn print_symmetry(
    out: &mut impl Write,
    symmetry: Option<&BrokenSymmetry>,
    solutions: u64,
) -> std::io::Result<()> {
    let Some(BrokenSymmetry { clauses, representatives, .. }) = symmetry else { return Ok(()) };
    writeln!(out, "symmetry {clauses} clauses; solutions that satisfy them: {representatives} of {solutions}")
}

fn print_parts(composition: &Composition, arguments: &CertifyArguments) -> std::io::Result<()> {
    let mut out = super::out();
    let Composition { stated, kept, threads, parts } = composition;
    let Stated { n, variant, solutions, symmetry, .. } = stated;
    writeln!(out, "{}: exactly {}, proved", name(*n, variant), units::counted(*solutions, "solution"))?;
    let lemmas: u64 = parts.iter().map(|part| part.lemmas).sum();
    let bytes: u64 = parts.iter().map(|part| part.formula.bytes + part.proof.bytes).sum();
    let number = units::counted(parts.len(), "part");
    writeln!(out, "parts    {number} that cover the board, {lemmas} lemmas, {bytes} bytes")?;
    print_symmetry(&mut out, symmetry.as_ref(), *solutions)?;
    let threads = units::counted(*threads, "thread");
    writeln!(out, "proving  {} with {threads}, with all checks", units::time(stated.prove_ns))?;
    print_checkers(&mut out, &stated.checkers)?;
    if let Some(directory) = &arguments.parts {
        let path = directory.join("certificate.json");
        let files = if *kept { " and the files of the parts" } else { "" };
        writeln!(out, "written  {}{files}", Escaped(path.display()))?;
    }
    Ok(())
}

fn print(certificate: &Certificate, arguments: &CertifyArguments) -> std::io::Result<()> {
    let mut out = super::out();
    let Certificate { stated, formula, proof, lemmas, clauses, .. } = certificate;
    let Stated { n, variant, solutions, symmetry, .. } = stated;
    let name = name(*n, variant);
    writeln!(out, "{name}: exactly {}, proved", units::counted(*solutions, "solution"))?;
    let clauses = units::counted(*clauses, "clause");
    writeln!(out, "formula  {clauses}, {} bytes, SHA-256 {}", formula.bytes, formula.sha256)?;
    print_symmetry(&mut out, symmetry.as_ref(), *solutions)?;
    let lemmas = units::counted(*lemmas, "lemma");
    writeln!(out, "proof    {lemmas}, {} bytes, SHA-256 {}", proof.bytes, proof.sha256)?;
    writeln!(out, "proving  {}", units::time(stated.prove_ns))?;
    print_checkers(&mut out, &stated.checkers)?;
    if let Some(path) = &arguments.proof {
        let [formula, certificate] = [path.with_file_name(&formula.file), path.with_extension("json")];
        let [proof, formula, certificate] =
            [path, &formula, &certificate].map(|path| Escaped(path.display()));
        writeln!(out, "written  {proof} {formula} {certificate}")?;
    }
    Ok(())
}
