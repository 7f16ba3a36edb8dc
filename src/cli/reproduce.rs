//! `queenlab reproduce`: repeats the sweep of a result directory in another directory and compares the results.

use std::path::PathBuf;

use crate::app::Event;
use crate::app::reproduce::{ReproduceInput, reproduce};
use crate::registry::Registry;
use crate::report::compare::Comparison;
use crate::words::counted;
use anyhow::Error;
use clap::Args;

use super::options::{SweepMessages, invocation, path_except_stdout};
use super::progress::SweepProgress;
use super::{Exit, RunCommand, comparison, exit_after_printing, interrupt, summary, terminal};

/// Repeat the sweep of a result directory and compare the results.
///
/// If an answer or a count differs or is missing, the exit code is 3. Times are compared as by `queenlab compare`.
///
/// A plan that starts other programs (`[[program]]`, `[[sat]]` or --sat) is refused without --allow-programs, because you may
/// not trust its author. Read the listed commands first.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab reproduce results/quick
  queenlab reproduce results/theirs --out results/ours")]
pub struct Reproduce {
    /// Result directory whose sweep is repeated.
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    /// Directory for the new results, which must not exist [default: DIR-reproduced].
    #[arg(short, long, value_name = "DIR2", value_parser = path_except_stdout())]
    out: Option<PathBuf>,
    /// Allow the sweep to start the programs of its plan.
    #[arg(long)]
    allow_programs: bool,
    #[command(flatten)]
    messages: SweepMessages,
}

impl RunCommand for Reproduce {
    fn run(&self, registry: &Registry) -> Result<Exit, Error> {
        let input = ReproduceInput {
            directory: self.directory.clone(),
            out: self.out.clone(),
            allow_programs: self.allow_programs,
            invocation: invocation()?,
        };
        let progress = SweepProgress::new(&self.messages);
        let observe = |event: Event<'_>| progress.observe(&event);
        let reproduced = reproduce(&input, registry, &interrupt::flag(), &observe)?;
        let quiet = self.messages.messages.quiet.quiet;
        let sweep = &reproduced.sweep;
        let mut print_result = summary::print(sweep, quiet, "to begin again, remove the new directory");
        let Some(comparison) = reproduced.comparison() else { return Ok(Exit::Interrupted) };
        comparison::warn(&comparison);
        if !quiet {
            print_result =
                print_result.and_then(|()| Ok(comparison::print(&comparison, false, &mut super::out())?));
        }
        let Comparison { wrong, changed, lost, gained, one_sided, only_first, only_second, compared, .. } =
            &comparison;
        let difference_count: usize =
            [wrong, changed, lost, gained, one_sided].iter().map(|list| list.len()).sum();
        let unmatched_count = only_first.len() + only_second.len();
        let is_reproduced = difference_count + unmatched_count == 0 && *compared > 0;
        if is_reproduced {
            terminal::note(format_args!(
                "reproduced: all answers and counts are the same ({} compared)",
                counted(*compared, "cell")
            ));
        } else if *compared == 0 {
            terminal::say("not reproduced: the two sweeps have no answered cell in common");
        } else {
            terminal::say(format_args!(
                "not reproduced: {} in {}; {} in only one of the results",
                counted(difference_count, "difference"),
                counted(*compared, "cell"),
                counted(unmatched_count, "cell")
            ));
        }
        let exit = if !is_reproduced || sweep.faults.wrong + sweep.discrepancies.len() > 0 {
            Exit::WrongAnswer
        } else if sweep.faults.failed() > 0 {
            Exit::Failure
        } else {
            Exit::Success
        };
        exit_after_printing(exit, print_result)
    }
}
