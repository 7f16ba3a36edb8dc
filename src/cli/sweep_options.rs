//! The options of `queenlab sweep` that describe an experiment, and the spec that they make.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use anyhow::Error;
use clap::Args;

use super::BadInput;
use super::options::{SatPrograms, SquareRules};
use crate::app::programs;
use crate::board::problem::Variant;
use crate::board::sizes::Sizes;
use crate::command::quoted;
use crate::model::SolverRef;
use crate::record::sha256_hex;
use crate::solver::Goal;
use crate::spec::axis::{AxisValues, TextValues};
use crate::spec::{
    Located, Place, Program, Settings, SolverChoice, Spec, SpecError, SweepSizes, Variants, builtin,
};
use crate::words::suggestion;

/// The options that describe an experiment.
#[derive(Args, Debug)]
pub struct SweepOptions {
    /// Board sizes (4-8), a TOML file, or a built-in experiment: quick, textbook, sat-vs-backtracking,
    /// sat-vs-backtracking-first, encodings, enumeration, first-solution, counting, variants.
    experiment: Option<PathBuf>,
    /// Board sizes, for example 8, 4-12, 4-20:2 (every second size) or
    /// 4,8,10-12. Above 256, the default solvers are construct/* and local/*.
    #[arg(short, long, value_name = "SIZES", allow_hyphen_values = true)]
    n: Option<SweepSizes>,
    /// Replace the solvers of the experiment by those that match this glob,
    /// for example 'backtrack/*'; see `queenlab list`. Repeatable.
    #[arg(long = "solver", value_name = "PATTERN")]
    solvers: Vec<String>,
    /// Also measure a program, for example 'python3 mine.py {n}'. Repeatable.
    #[arg(long = "program", value_name = "CMD {n}")]
    programs: Vec<String>,
    #[command(flatten)]
    pub sat: SatPrograms,
    #[command(flatten)]
    settings: Settings,
    /// Replace the problems of the experiment: queens, toroidal, semiqueens, superqueens, reflecting or rooks. Repeatable.
    #[arg(long = "variant", value_name = "NAME", help_heading = "Problem", value_parser = str::parse::<Variant>)]
    variants: Vec<Variant>,
    /// Replace the problems by those in files, for example 'puzzles/*.txt'.
    #[arg(long = "instance", value_name = "FILE", help_heading = "Problem")]
    instances: Vec<String>,
    #[command(flatten)]
    squares: SquareRules,
}

impl SweepOptions {
    /// Makes the spec. Also returns the number of claims that the experiment had before options removed some.
    pub fn resolve(&self) -> Result<(Spec, usize), Error> {
        let (experiment, sizes) = self.experiment_and_sizes()?;
        let programs = self.programs.iter().map(|command| Program::of_command("--program", command));
        let programs = programs.collect::<Result<Vec<Program>, SpecError>>()?;
        let is_custom = experiment.is_none();
        let mut spec = match (experiment, &sizes) {
            (Some(spec), _) => spec,
            (None, Some(n)) => spec_without_experiment(n.clone(), !programs.is_empty()),
            (None, None) => {
                spec_without_experiment(Located::from("4-8".parse::<Sizes>().expect("a range")), true)
            }
        };
        let program_count = spec.programs.len();
        add_programs(&mut spec, programs)?;
        let added_ids: Vec<_> =
            spec.programs[program_count..].iter().map(|program| program.id.clone()).collect();
        let claims = spec.claims.len();
        let has_other_goals = self.replace_settings(&mut spec);
        self.replace_problems(&mut spec);
        self.replace_solvers(&mut spec, &added_ids);
        self.add_sat_solvers(&mut spec)?;
        if let Some(n) = &sizes {
            restrict_sizes(&mut spec, n)?;
        }
        if is_custom {
            // Each set of options gets its own directory, so that the same command resumes in it.
            spec.name = "custom".to_owned().into();
            spec.name = format!("custom-{}", &sha256_hex(spec.to_toml().as_bytes())[..8]).into();
        }
        spec.context.is_narrowed = sizes.is_some()
            || has_other_goals
            || !(self.solvers.is_empty() && self.variants.is_empty() && self.instances.is_empty())
            || !self.squares.is_empty();
        spec.check()?;
        Ok((spec, claims))
    }

    /// Replaces the settings of the experiment by those of the command line. Returns whether the goals have changed; in this
    /// case, claims about other goals are removed.
    fn replace_settings(&self, spec: &mut Spec) -> bool {
        let goals = spec.sweep.goals();
        spec.sweep = self.settings.clone().or(std::mem::take(&mut spec.sweep));
        let new_goals = spec.sweep.goals();
        let has_other_goals = new_goals != goals;
        if has_other_goals {
            // A claim without a goal is about the goal of the experiment, so it is removed as well.
            spec.claims.retain(|claim| claim.goal().is_some_and(|goal| new_goals.values().contains(&goal)));
        }
        has_other_goals
    }

    /// If the command line has variants, extra squares or instances, uses them instead of the problems of the experiment. Unless there
    /// are instances, also removes the claims about variants that are no longer measured.
    fn replace_problems(&self, spec: &mut Spec) {
        let variants = match self.variants.as_slice() {
            [] if self.squares.is_empty() => &[],
            [] => &[Variant::Queens][..],
            variants => variants,
        };
        if variants.is_empty() && self.instances.is_empty() {
            return;
        }
        let texts: Vec<String> = variants.iter().map(|variant| self.squares.text(variant)).collect();
        let place = Place::Option(self.squares.option().unwrap_or("--variant"));
        let has_variants = !texts.is_empty();
        spec.sweep.variant = has_variants.then(|| Located::new(Variants(texts), place));
        let files = Located::new(TextValues(self.instances.clone()), Place::Option("--instance"));
        spec.sweep.instances = Some(files).filter(|files| !files.0.is_empty());
        let problems = spec.sweep.variants();
        let has_problem =
            |variant: &str| problems.iter().any(|problem| problem == variant) || !self.instances.is_empty();
        spec.claims.retain(|claim| claim.variant().is_none_or(has_problem));
    }

    /// If the command line has `--solver` patterns, they replace the solvers of the experiment. The programs of the command line,
    /// whose ids are `added_ids`, are always kept.
    fn replace_solvers(&self, spec: &mut Spec, added_ids: &[Located<String>]) {
        if self.solvers.is_empty() {
            return;
        }
        let choice = |pattern: &String| SolverChoice::of(pattern, Place::Option("--solver"));
        let selects =
            |pattern: &str, program: &Program| SolverRef::program(&program.id, []).is_selected_by(pattern);
        let is_for_programs =
            |pattern: &&String| spec.programs.iter().any(|program| selects(pattern, program));
        let (programs, solvers): (Vec<&String>, Vec<&String>) =
            self.solvers.iter().partition(is_for_programs);
        spec.solvers = solvers.into_iter().map(choice).collect();
        retain_programs(spec, |program| {
            added_ids.contains(&program.id) || programs.iter().any(|pattern| selects(pattern, program))
        });
    }

    /// Adds the SAT solvers of the command line.
    fn add_sat_solvers(&self, spec: &mut Spec) -> Result<(), BadInput> {
        for program in &self.sat.programs {
            if spec.sat.iter().any(|other| other.id == program.id) {
                refuse!("--sat: there is a SAT solver '{}' already: choose another name", program.id);
            }
            spec.sat.push(program.clone());
        }
        Ok(())
    }

    /// The experiment and the board sizes that the command line names; each may be missing.
    fn experiment_and_sizes(&self) -> Result<(Option<Spec>, Option<Located<Sizes>>), Error> {
        let sizes = self.n.clone().map(|n| Located::new(n.all, Place::Option("--n")));
        let Some(path) = &self.experiment else {
            let (name, _) = builtin::ALL[0];
            let has_no_input = sizes.is_none()
                && self.programs.is_empty()
                && self.instances.is_empty()
                && self.variants.is_empty()
                && self.squares.is_empty();
            let quick = if has_no_input { builtin::named(name) } else { None };
            let sizes = sizes.or_else(|| (!self.instances.is_empty()).then(|| Sizes::all().into()));
            return Ok((quick.transpose()?, sizes));
        };
        let text = path.to_str().unwrap_or_default();
        let looks_like_sizes =
            !text.is_empty() && text.chars().all(|c| c.is_ascii_digit() || "-,: ".contains(c));
        match Sizes::parse_large(text) {
            Ok(positional_sizes) if sizes.is_none() => {
                return Ok((None, Some(Located::new(positional_sizes, Place::Option("the board sizes")))));
            }
            Ok(positional_sizes) => {
                refuse!("the sizes are given twice, as {positional_sizes} and with --n: leave one out");
            }
            Err(error) if looks_like_sizes && !path.exists() => {
                return Err(BadInput::from_error(error).into());
            }
            Err(_) => {}
        }
        Ok((Some(read_experiment(path)?), sizes))
    }
}

/// Reads an experiment: a built-in one or a TOML file.
pub fn read_experiment(path: &Path) -> Result<Spec, Error> {
    if let Some(spec) = builtin::named(path.to_str().unwrap_or_default()) {
        return Ok(spec?);
    }
    if !path.exists() {
        let (near, names) =
            (suggestion(&path.to_string_lossy(), builtin::ALL.map(|(name, _)| name)), builtin::names());
        let path = plaintext::path(path);
        refuse!(
            "unknown experiment '{path}'; {near}give board sizes (4-8), a built-in experiment ({names}) or an existing \
             TOML file"
        );
    }
    Spec::read(path).map_err(|error| match programs::start_command(path) {
        Some(command) if path.extension().is_none_or(|extension| extension != "toml") => BadInput(format!(
            "{} is a program, not an experiment; to measure it: queenlab sweep 4-8 --program {}",
            plaintext::path(path),
            quoted(&command)
        ))
        .into(),
        _ => error.into(),
    })
}

/// Adds programs to those of a spec. If a program with the same id exists, the name of the folder is prepended to the id, or a
/// number is appended.
fn add_programs(spec: &mut Spec, programs: Vec<Program>) -> Result<(), BadInput> {
    for mut program in programs {
        if spec.programs.iter().any(|other| other.command == program.command) {
            let reason = format!("--program: '{}' is already measured", program.command.join(" "));
            return Err(BadInput(reason));
        }
        let is_used = |id: &str| spec.programs.iter().any(|other| other.id.as_str() == id);
        if is_used(&program.id) {
            let numbered_ids = (2..).map(|number: u32| format!("{}-{number}", program.id));
            let mut candidates = program.longer_id().into_iter().chain(numbered_ids);
            let unused_id = candidates.find(|id| !is_used(id)).unwrap_or_default();
            program.id = program.id.map(|_| unused_id);
        }
        spec.programs.push(program);
    }
    Ok(())
}

/// The sizes at which a SAT solver with blocking clauses takes about a second or less.
const SAT_SIZES: &str = "0-10";

/// The sizes at which a sweep without an experiment compares searchers with SAT solvers. On larger boards, it only finds a
/// first solution, by construction and local search.
const SEARCHED_SIZES: &str = "0-256";

/// The spec of a sweep without an experiment. With programs, fewer solvers are compared, and a SAT solver only on small boards.
fn spec_without_experiment(n: Located<Sizes>, with_programs: bool) -> Spec {
    const SAT: &str = "sat/pairwise/varisat";
    let choice = |pattern: &str| SolverChoice::of(pattern, Place::Nowhere);
    let choice_with_sizes = |pattern: &str, sizes: &str| {
        let n = Some(SweepSizes::of(n.common(&sizes.parse().expect("a range"))?).into());
        Some(SolverChoice { settings: Settings { n, ..Settings::default() }, ..choice(pattern) })
    };
    let searched_sizes = n.common(&SEARCHED_SIZES.parse().expect("a range"));
    let mut sweep = Settings { n: Some(n.clone().map(SweepSizes::of)), ..Settings::default() };
    let solvers = if with_programs {
        let built_in = ["backtrack/column-scan", "backtrack/bitmask"].map(choice);
        built_in.into_iter().chain(choice_with_sizes(SAT, SAT_SIZES)).collect()
    } else if searched_sizes.as_ref() == Some(&*n) {
        ["backtrack/*", SAT].map(choice).into()
    } else {
        if searched_sizes.is_none() {
            sweep.goal = Some(AxisValues::of(Goal::First).into());
        }
        let searchers =
            ["backtrack/*", SAT].into_iter().filter_map(|pattern| choice_with_sizes(pattern, SEARCHED_SIZES));
        searchers.chain(["construct/*", "local/*"].map(choice)).collect()
    };
    Spec { sweep, solvers, ..Spec::empty("the command line") }
}

/// Removes the programs of the spec for which `keep` is false, and the claims about them.
fn retain_programs(spec: &mut Spec, mut keep: impl FnMut(&mut Program) -> bool) {
    let mut removed = HashSet::new();
    spec.programs.retain_mut(|program| {
        let is_kept = keep(program);
        if !is_kept {
            removed.insert(SolverRef::program(&program.id, []).to_string());
        }
        is_kept
    });
    let is_removed = |solver: &SolverRef| removed.contains(solver.id());
    spec.claims.retain(|claim| !claim.solvers().any(is_removed));
}

/// Replaces the sizes of the spec by those of `--n`. A solver or a claim with its own sizes keeps only those that are in both
/// lists.
fn restrict_sizes(spec: &mut Spec, n: &Located<Sizes>) -> Result<(), BadInput> {
    let sizes_by_goal = spec.sweep.n.take().filter(|sizes| sizes.is_by_goal());
    spec.sweep.n = match sizes_by_goal {
        Some(sizes) => sizes.common(n).map(|sizes| n.clone().map(|_| sizes)),
        None => Some(n.clone().map(SweepSizes::of)),
    };
    if spec.sweep.n.is_none() {
        refuse!("n = {n}: the experiment, whose sizes differ by goal, has none of these sizes");
    }
    let restrict = |settings: &mut Settings| {
        let had_sizes = settings.n.is_some();
        settings.n =
            settings.n.take().and_then(|sizes| Some(Located::new(sizes.common(n)?, sizes.place().clone())));
        settings.n.is_some() || !had_sizes
    };
    spec.solvers.retain_mut(|solver| restrict(&mut solver.settings));
    retain_programs(spec, |program| restrict(&mut program.settings));
    spec.claims = spec.claims.iter().filter_map(|claim| claim.restricted_to(n)).collect();
    if spec.solvers.is_empty() && spec.programs.is_empty() {
        refuse!("no solver of {} runs at n = {n}: choose others with --solver", spec.origin());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use proptest::prelude::*;
    use proptest::sample::{select, subsequence};

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        options: SweepOptions,
    }

    const SETTINGS: [(&str, &str); 10] = [
        ("goal", "count,enumerate"),
        ("repeat", "until 2%, at most 30"),
        ("warmup", "2"),
        ("timeout", "1m 500ms"),
        ("cpu_timeout", "30s"),
        ("memory", "1.5GiB"),
        ("threads", "1,2"),
        ("seed", "1-50"),
        ("jobs", "4"),
        ("stop_after_timeouts", "2"),
    ];

    proptest! {
        #[test]
        fn options_and_toml_give_the_same_spec(
            n in select(vec!["4-6", "5,8", "4-20:2"]),
            settings in subsequence(SETTINGS.to_vec(), 0..=SETTINGS.len()),
            solvers in subsequence(vec!["backtrack/*", "sat/pairwise/varisat"], 1..=2),
            with_variant in any::<bool>(),
            with_program in any::<bool>(),
        ) {
            let mut line = vec!["sweep".to_owned(), n.to_owned()];
            let mut toml = format!("schema_version = 1\nname = \"x\"\n[sweep]\nn = \"{n}\"\n");
            for (key, value) in settings {
                line.extend([format!("--{}", key.replace('_', "-")), value.to_owned()]);
                toml += &format!("{key} = \"{value}\"\n");
            }
            if with_variant {
                line.extend(["--variant", "toroidal", "--place", "0:1"].map(str::to_owned));
                toml += "variant = \"toroidal;place=0:1\"\n";
            }
            for pattern in solvers {
                line.extend(["--solver", pattern].map(str::to_owned));
                toml += &format!("[[solver]]\nid = \"{pattern}\"\n");
            }
            if with_program {
                line.extend(["--program", "mine 'a b' {n}"].map(str::to_owned));
                toml += "[[program]]\nid = \"mine\"\ncommand = [\"mine\", \"a b\", \"{n}\"]\n";
            }
            let line = Line::try_parse_from(line).expect("options");
            let (spec_of_options, _) = line.options.resolve().expect("a spec");
            // The name of a sweep without a file contains a digest of its settings.
            let spec_of_toml = Spec { name: spec_of_options.name.clone(), ..Spec::parse("x.toml", &toml).expect("a spec") };
            prop_assert_eq!(spec_of_options, spec_of_toml);
        }
    }
}
