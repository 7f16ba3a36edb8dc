//! `queenlab verify`: the cross-check of solvers; with `--levels`, the proof of the number of search nodes on each level.

use std::collections::BTreeSet;
use std::io::{self, Write};

use crate::app;
use crate::app::verify::{BACKTRACKERS, DEFAULT_REFERENCE, VerifyInput};
use crate::board::problem::{Problem, Variant};
use crate::board::sizes::Sizes;
use crate::model::{ComparedWith, SolverRef};
use crate::record::{CrosscheckRow, table};
use crate::registry::Registry;
use crate::solver::{Info, Solver};
use crate::spec::Program;
use crate::verify::crosscheck::{Crosscheck, Entrant};
use crate::verify::levels::ProvedLevels;
use crate::verify::program::ProgramSolver;
use crate::words::{counted, thousands};
use anyhow::Error;
use clap::Args;
use serde_json::json;

use super::options::{Messages, SatPrograms};
use super::progress::VerifyProgress;
use super::{BadInput, Exit, RunCommand, agreement, out, print_json, terminal};

/// The searcher that is proved to visit exactly the legal placements.
const SEARCHER: &str = "backtrack/bitmask";

/// The name of the variant without additional rules.
const PLAIN: &str = "queens";

/// Cross-check solvers against each other and against published values.
///
/// Each solver enumerates all solutions of every size, and each board is checked for attacks. The set of boards is
/// compared with the set of a SAT solver, the counts with OEIS A000170, the fundamental solutions with A002562, and the
/// search trees with A319284. If anything disagrees, the first differing board is drawn and the exit code is 3.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab verify
  queenlab verify 1-10
  queenlab verify 12 --solver 'backtrack/*' --json
  queenlab verify 1-7 --variant all
  queenlab verify 4-8 --program 'python3 queens.py {n}'
  queenlab verify --levels")]
pub struct Verify {
    /// Board sizes, for example 8, 4-12, 4-20:2 (every second size) or 4,8,10-12.
    #[arg(default_value = "1-8", allow_negative_numbers = true)]
    sizes: Sizes,
    /// Solvers to compare: a glob, for example 'backtrack/*' or 'sat/{pairwise,product}/varisat', or an id with options, as in
    /// backtrack/dlx:items=natural. Repeatable. If no selected solver is a built-in SAT solver that encodes the whole board,
    /// sat/pairwise/varisat is added as the reference [default: all backtrackers that can enumerate, and sat/pairwise/varisat].
    #[arg(long = "solver", value_name = "PATTERN")]
    solvers: Vec<String>,
    /// Compare the solutions that your program prints with a SAT solver, the rules and the published counts, for example
    /// 'python3 queens.py {n}'. {n} stands for the board size and {variant} for the rules; docs/FORMATS.md lists the other
    /// placeholders. Repeatable. Other solvers are compared only if --solver selects them.
    #[arg(long = "program", value_name = "CMD", conflicts_with = "levels")]
    programs: Vec<String>,
    /// Prove the number of search nodes on each level with SAT, and compare it with every searcher that visits these nodes. For n
    /// up to 8.
    #[arg(long)]
    levels: bool,
    /// Rules of the board: queens, toroidal, semiqueens, superqueens, reflecting, rooks, or all.
    #[arg(long, value_name = "NAME", default_value = PLAIN, conflicts_with = "levels")]
    variant: String,
    /// Print the results as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    sat: SatPrograms,
    #[command(flatten)]
    messages: Messages,
}

impl RunCommand for Verify {
    fn run(&self, registry: &Registry) -> Result<Exit, Error> {
        let registry = self.sat.registry_with_solvers(registry);
        if let Some((info, reason)) =
            self.solvers.iter().flat_map(|solver| registry.unavailable_solvers(solver)).next()
        {
            refuse!("--solver: {} is unavailable: {reason}", info.id);
        }
        if self.levels { self.levels(&registry) } else { self.crosscheck(&registry) }
    }
}

impl Verify {
    /// The patterns of --solver, or `default`.
    fn patterns(&self, default: &[&str]) -> Vec<String> {
        if !self.solvers.is_empty() {
            return self.solvers.clone();
        }
        default.iter().map(|&pattern| pattern.to_owned()).collect()
    }

    fn crosscheck(&self, registry: &Registry) -> Result<Exit, Error> {
        let programs = self.programs()?;
        let default =
            if programs.is_empty() { &[BACKTRACKERS, DEFAULT_REFERENCE][..] } else { &[DEFAULT_REFERENCE] };
        let solvers = registry.select_all(&self.patterns(default))?;
        let mut entrants: Vec<Entrant<'_>> = programs.iter().map(|program| Entrant::new(program)).collect();
        entrants.extend(solvers.iter().map(|(solver, max_size)| Entrant { solver, max_size: *max_size }));
        let infos: Vec<Info> = entrants.iter().map(|entrant| entrant.solver.info()).collect();
        self.sat.check_use(&infos)?;
        let input = VerifyInput { entrants, problems: self.problems()? };
        let progress = VerifyProgress::new(&self.messages);
        let report = app::verify::verify(input, registry, &|event| progress.observe(&event))?;
        let (agrees, discrepancy_count, total) =
            (report.agrees(), report.discrepancies.len(), report.rows.len());
        if self.json {
            let discrepancies: Vec<String> = report.discrepancies.iter().map(ToString::to_string).collect();
            let comparisons = table::json(&report.rows);
            print_json(
                &json!({ "agrees": agrees, "comparisons": comparisons, "discrepancies": discrepancies }),
            )?;
        } else {
            print(&report, &mut out())?;
        }
        if agrees {
            terminal::note(format_args!("all {} agree", counted(total, "comparison")));
            for program in &programs {
                let program_rows = report.rows.iter().filter(|row| row.solver == *program.id());
                agreement::sentences(program_rows).iter().for_each(terminal::note);
            }
            return Ok(Exit::Success);
        }
        terminal::say(format_args!("{discrepancy_count} of {} disagree", counted(total, "comparison")));
        Ok(Exit::WrongAnswer)
    }

    /// The programs of --program.
    fn programs(&self) -> Result<Vec<ProgramSolver>, Error> {
        let mut programs: Vec<ProgramSolver> = Vec::new();
        for text in &self.programs {
            let program = Program::of_command("--program", text)?;
            if program.mentions("instance") {
                refuse!(
                    "--program: {{instance}} has no value here: no problem of this command is from a file"
                );
            }
            if self.variant != PLAIN && !program.mentions("variant") {
                refuse!(
                    "--program: the command does not contain {{variant}}, so that the program would solve the plain board: add \
                     {{variant}}, or leave out --variant"
                );
            }
            let id = SolverRef::program(&program.id, []).to_string();
            if programs.iter().any(|other| other.id() == id) {
                refuse!("--program: two programs are named '{}': rename one of the files", program.id);
            }
            programs.push(ProgramSolver::new(id, program.command.to_vec()));
        }
        Ok(programs)
    }

    /// The problems: every variant at every size.
    fn problems(&self) -> Result<Vec<Problem>, Error> {
        let variants = match self.variant.as_str() {
            "all" => Variant::NAMED.to_vec(),
            name => vec![name.parse::<Variant>().map_err(BadInput::from_error)?],
        };
        let problems =
            variants.iter().flat_map(|variant| self.sizes.iter().map(|n| Problem::new(n, variant.clone())));
        Ok(problems.collect::<Result<_, _>>().map_err(BadInput::from_error)?)
    }

    fn levels(&self, registry: &Registry) -> Result<Exit, Error> {
        if !self.sat.programs.is_empty() {
            refuse!("--sat has no effect on --levels, which runs no external solver: leave --sat out");
        }
        let solvers = registry.select_all(&self.patterns(&[BACKTRACKERS]))?;
        let report = app::verify::prove_levels(&solvers, &self.sizes.iter().collect::<Vec<_>>())?;
        let agrees = report.agrees();
        if self.json {
            let discrepancies: Vec<String> = report.discrepancies.iter().map(ToString::to_string).collect();
            print_json(
                &json!({ "agrees": agrees, "levels": report.levels, "discrepancies": discrepancies }),
            )?;
        } else {
            print_levels(&report, &mut out())?;
        }
        let levels = counted(report.levels.len(), "level");
        if agrees {
            terminal::note(format_args!(
                "{levels} proved: {SEARCHER} visits every legal placement exactly once, and no others"
            ));
            return Ok(Exit::Success);
        }
        terminal::say(counted(report.discrepancies.len(), "difference"));
        Ok(Exit::WrongAnswer)
    }
}

/// The names of the references of these comparisons, without repetitions.
fn references<'r>(rows: impl IntoIterator<Item = &'r CrosscheckRow>) -> String {
    let references: BTreeSet<&ComparedWith> = rows.into_iter().map(|row| &row.against).collect();
    references.into_iter().map(ComparedWith::as_str).collect::<Vec<_>>().join(", ")
}

/// Prints one line per problem: the number of solutions, the number of solvers, and the references of the comparison.
fn print(report: &Crosscheck, out: &mut impl Write) -> io::Result<()> {
    let has_one_variant = report.rows.iter().all(|row| row.variant == report.rows[0].variant);
    let mut variant = "";
    for rows in report.rows.chunk_by(|a, b| (&a.variant, a.n) == (&b.variant, b.n)) {
        let first = &rows[0];
        if first.variant != variant {
            variant = &first.variant;
            if !has_one_variant {
                writeln!(out, "{variant}")?;
            }
            writeln!(out, "  n     solutions  solvers  {:>32}  compared with", "digest")?;
        }
        let solvers: BTreeSet<&str> = rows.iter().map(|row| row.solver.as_str()).collect();
        let differing_count = rows.iter().filter(|row| !row.agrees).count();
        let verdict =
            if differing_count == 0 { String::new() } else { format!("  {differing_count} DISAGREE") };
        let (n, solutions, solvers) = (first.n, thousands(first.solutions), solvers.len());
        let (digest, against) = (first.digest.as_deref().unwrap_or(""), references(rows));
        writeln!(out, "{n:>3}  {solutions:>12}  {solvers:>7}  {digest:>32}  {against}{verdict}")?;
    }
    report.discrepancies.iter().try_for_each(|discrepancy| writeln!(out, "\n{discrepancy}"))
}

fn print_levels(report: &ProvedLevels, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "  n  level  placements  dead ends  clauses  lemmas  searchers that agree")?;
    for level in &report.levels {
        let (n, depth, solvers) = (level.n, level.level, level.solvers.len());
        let numbers = [level.placements, level.dead_ends, level.clauses, level.lemmas];
        let [placements, dead_ends, clauses, lemmas] = numbers.map(thousands);
        writeln!(
            out,
            "{n:>3}  {depth:>5}  {placements:>10}  {dead_ends:>9}  {clauses:>7}  {lemmas:>6}  {solvers}"
        )?;
    }
    report.discrepancies.iter().try_for_each(|discrepancy| writeln!(out, "\n{discrepancy}"))
}
