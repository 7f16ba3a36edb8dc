//! `queenlab sweep`: runs an experiment, then the cross-check, then the report.

use std::path::PathBuf;

use crate::app::sweep::SweepInput;
use crate::app::{self, Event, SweepOutcome};
use crate::count::Shard;
use crate::experiment::PlanProgress;
use crate::model::{ClaimVerdict, Status};
use crate::registry::Registry;
use crate::words::counted;
use anyhow::Error;
use clap::Args;

use super::options::{SweepMessages, invocation, path_except_stdout};
use super::progress::SweepProgress;
use super::sweep_options::SweepOptions;
use super::{BadInput, Exit, RunCommand, exit_after_printing, interrupt, out, summary, terminal};
use crate::spec::FormulaProgram;

/// Run an experiment and write CSV files, plots and a report.
///
/// Each run is a separate process with a time limit. The same command resumes an
/// interrupted sweep. Without arguments, the built-in experiment `quick` is run.
/// Options replace values in `[sweep]`, but not in `[[solver]]` or `[[program]]`.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab sweep
  queenlab sweep textbook --repeat 5
  queenlab sweep 4-8 --program 'python3 my_queens.py {n}'
  queenlab sweep 4-12 --solver 'backtrack/*' --timeout 10s -o results/mine
  queenlab sweep 8-30 --goal first --solver 'sat/pairwise/*'
  queenlab sweep experiments/textbook.toml --retry failed
  queenlab sweep experiments/textbook.toml --dry-run")]
pub struct Sweep {
    #[command(flatten)]
    experiment: SweepOptions,
    /// Directory for the results [default: results/NAME-OF-EXPERIMENT].
    #[arg(short, long, value_name = "DIR", value_parser = path_except_stdout())]
    out: Option<PathBuf>,
    /// Run only the I-th of K parts, for example 3/64. Each part needs its own
    /// --out; `queenlab report DIR DIR...` reads the parts as one result.
    #[arg(long, value_name = "I/K", requires = "out")]
    shard: Option<Shard>,
    /// Print the plan and the remaining runs without running them.
    #[arg(long)]
    dry_run: bool,
    /// Resume even if the plan, a program, queenlab or the machine changed.
    #[arg(long)]
    accept: bool,
    /// Start over; an existing result directory is renamed (DIR.old-1).
    #[arg(long, conflicts_with = "accept")]
    fresh: bool,
    /// Repeat runs with these statuses: crashed, unreadable, unknown, timeout,
    /// memout, skipped, or failed (crashed or unreadable).
    #[arg(long, value_name = "STATUS,...", value_delimiter = ',', value_parser = statuses, conflicts_with = "fresh")]
    retry: Vec<&'static [Status]>,
    /// Exit with code 4 if a limit on time, CPU time or memory stopped a run.
    #[arg(long)]
    fail_on_timeout: bool,
    /// Exit with code 7 if a claim of the experiment fails.
    #[arg(long)]
    fail_on_claim: bool,
    #[command(flatten)]
    messages: SweepMessages,
}

/// The words of --retry, each with the statuses of the runs that are repeated.
const RETRY_WORDS: [(&str, &[Status]); 7] = [
    ("failed", &[Status::Crashed, Status::Unreadable]),
    ("crashed", &[Status::Crashed]),
    ("unreadable", &[Status::Unreadable]),
    ("unknown", &[Status::Unknown]),
    ("timeout", &[Status::Timeout]),
    ("memout", &[Status::Memout]),
    ("skipped", &[Status::Skipped]),
];

fn statuses(word: &str) -> Result<&'static [Status], BadInput> {
    let retry_word = RETRY_WORDS.iter().find(|(name, _)| *name == word);
    retry_word
        .map(|(_, statuses)| *statuses)
        .ok_or_else(|| BadInput(format!("choose among {}", RETRY_WORDS.map(|(word, _)| word).join(", "))))
}

impl RunCommand for Sweep {
    fn run(&self, registry: &Registry) -> Result<Exit, Error> {
        let sat = &self.experiment.sat;
        let registry = &sat.registry_with_solvers(registry);
        let (spec, claims) = self.experiment.resolve()?;
        let plan = app::sweep::plan(spec, registry)?;
        if plan.spec.claims.len() < claims {
            let (checkable, claims) = (plan.spec.claims.len(), counted(claims, "claim"));
            terminal::note(format_args!(
                "this sweep can check {checkable} of {claims}; the other claims need runs that this sweep does not have"
            ));
        }
        let is_used = |program: &FormulaProgram| {
            plan.cells.iter().any(|cell| cell.key.solver.program_id() == Some(&program.id))
        };
        if let Some(FormulaProgram { id, .. }) = sat.programs.iter().find(|program| !is_used(program)) {
            refuse!(
                "--sat {id} has no effect: no solver of this sweep runs that program; add --solver sat/pairwise/{id}, or leave \
                 the option out"
            );
        }
        let plan = match self.shard {
            Some(shard) => app::sweep::restrict_to_shard(plan, shard)?,
            None => plan,
        };
        let invocation = invocation()?;
        let directory =
            self.out.clone().unwrap_or_else(|| PathBuf::from("results").join(plan.spec.name.as_str()));
        if self.dry_run {
            let (progress, differences) = match self.fresh {
                true => (PlanProgress::none(&plan), Vec::new()),
                false => app::sweep::preview(&plan, &directory, &invocation)?,
            };
            summary::print_plan(&plan, &progress.remaining, &mut out())?;
            summary::print_progress(&directory, &progress, &differences, &mut out())?;
            return Ok(Exit::Success);
        }
        let retry = self.retry.concat();
        let input = SweepInput { plan, directory, fresh: self.fresh, accept: self.accept, retry, invocation };
        let progress = SweepProgress::new(&self.messages);
        let observe = |event: Event<'_>| progress.observe(&event);
        let outcome = app::sweep::sweep(input, registry, &interrupt::flag(), &observe)?;
        let quiet = self.messages.messages.quiet.quiet;
        let print_result = summary::print(&outcome, quiet, "repeat the same command to resume");
        if outcome.results.interrupted {
            return exit_after_printing(Exit::Interrupted, print_result);
        }
        let exit = exit_after_printing(self.exit_code(&outcome), print_result)?;
        if quiet && exit != Exit::Success {
            terminal::say(summary::faults(&outcome.faults));
            summary::verdicts(&outcome.claims).iter().for_each(terminal::say);
        }
        Ok(exit)
    }
}

impl Sweep {
    /// The exit code of a completed sweep.
    fn exit_code(&self, SweepOutcome { faults, discrepancies, claims, .. }: &SweepOutcome) -> Exit {
        if faults.wrong > 0 || !discrepancies.is_empty() {
            Exit::WrongAnswer
        } else if faults.failed() > 0 {
            Exit::Failure
        } else if faults.limited > 0 && self.fail_on_timeout {
            Exit::TimedOut
        } else if self.fail_on_claim && claims.iter().any(|claim| claim.verdict == ClaimVerdict::Fails) {
            Exit::Claim
        } else {
            Exit::Success
        }
    }
}
