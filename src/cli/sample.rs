//! `queenlab count --sample`: estimates a count, and the time that it would take, from some of its column sets.

use std::io::Write;
use std::time::{Duration, Instant};

use crate::board::problem::Variant;
use crate::board::{BoardSize, known};
use crate::cluster::{Estimated, Search, ShardPlan, TOO_MANY};
use crate::count::{self, Estimate, Method, Schedule, Setup, Thin};
use crate::os;
use crate::record::nanoseconds;
use crate::solver::Budget;
use anyhow::Error;
use serde_json::{Value, json};

use super::args::{CountArguments, Global};
use super::count::own_digest;
use super::progress::CountProgress;
use super::{BadInput, Exit, even_unread, interrupt, terminal, units};

/// Numbers of workers whose idle time is simulated.
const WORKERS: [usize; 2] = [64, 1024];

/// What a sample says about the whole count.
struct Found<'a> {
    n: usize,
    solver: &'a str,
    seed: u64,
    column_sets: usize,
    sampled: usize,
    strata: usize,
    /// One in this many top halves was compared.
    thin: u32,
    /// The number of solutions, if every column set was counted.
    exact: Option<u64>,
    solutions: Estimate,
    published: Option<u64>,
    /// `None` if the system does not report CPU times.
    time: Option<Time>,
    /// Peak memory of this process, if the system reports it.
    peak_rss_bytes: Option<u64>,
}

/// What a sample says about the time of the whole count.
struct Time {
    tables: Duration,
    /// CPU time in seconds: the tables and all column sets.
    sum: Estimate,
    schedules: [Schedule; WORKERS.len()],
}

/// Counts the column sets of a sample and prints what they say about all of them.
pub fn run(
    setup: Setup,
    size: BoardSize,
    solver: &str,
    arguments: &CountArguments,
    global: &Global,
) -> Result<Exit, Error> {
    let (n, started) = (size.get(), Instant::now());
    let wanted = arguments.sample.map_or(0, |wanted| wanted as usize);
    if !matches!(setup.method, Method::Meet(_)) {
        refuse!(
            "--sample draws column sets, but {solver} does not divide n = {n} into column sets: choose n = 14 or \
             more and a solver other than count/block, or leave out --sample"
        );
    }
    let (thin, seed) = (arguments.thin, global.seed());
    // The plan refuses other boards.
    let most = if count::better_meets(n) { count::column_sets(n).len() } else { wanted };
    let plan = ShardPlan::sample(n, "count/auto", wanted.min(most), Thin { step: thin, seed }, Some(1))?;
    let path = arguments.checkpoint.as_deref();
    let executable = own_digest(path)?;
    let mut search = Search::single(&plan, path.zip(executable.as_deref()))?;
    let before = os::cpu_time();
    let board = search.open(setup.kernel, setup.threads);
    let mut board = board.map_err(|reason| BadInput(format!("{solver}: {reason}")))?;
    let graceful = interrupt::graceful();
    let tables = before.zip(os::cpu_time()).map(|(before, now)| now.saturating_sub(before));
    CountProgress::plans(global, size, count::peak_bytes(n, setup.threads));
    let sample = search.draw(&mut board).ok_or_else(|| BadInput(TOO_MANY.to_owned()))?;
    let budget = Budget { cancel: Some(graceful.flag()), ..Budget::unlimited() };
    let mut progress = CountProgress::new(global, size, plan.subproblems);
    let earlier = search.tally().clone();
    if earlier.finished > 0 {
        progress.goes_on(earlier.finished);
    }
    let counted = search.run_sample(&board, &sample, &budget, &mut |tally, cost| {
        let (before, done) = (|at: usize| earlier.done[at], |at: usize| tally.done[at]);
        progress.finished(cost, &before, &done, tally.finished, tally.number);
    });
    progress.finish();
    counted.map_err(Error::msg)?;
    search.save().map_err(Error::msg)?;
    let wall = search.wall().unwrap_or_else(|| started.elapsed());
    let tally = search.tally();
    if !tally.is_complete() {
        let (counted, sampled, spent) = (tally.finished, plan.subproblems, units::rough(wall));
        let advice = match path {
            Some(_) => "repeat the same command to resume",
            None => "use --checkpoint FILE to make a sample resumable",
        };
        terminal::say(format_args!(
            "interrupted: {counted} of the {sampled} column sets of the sample counted in {spent}; a part of a \
             sample gives no estimate: {advice}"
        ));
        return Ok(Exit::Interrupted);
    }
    let found = search.sampled(&sample);
    let time = |at: usize| found.get(&at).and_then(|counted| counted.cpu).unwrap_or_default();
    let estimated = Estimated::new(&sample, &found, tables);
    let time = estimated.cpu_s.zip(tables).map(|(sum, tables)| {
        let stand_ins = sample.stand_ins(seed);
        let schedule = |workers| Schedule::new(workers, tables, stand_ins.iter().map(|&at| time(at)));
        Time { tables, sum, schedules: WORKERS.map(schedule) }
    });
    let found = Found {
        n,
        solver,
        seed,
        column_sets: board.subproblems(),
        sampled: plan.subproblems,
        strata: sample.strata(),
        thin,
        exact: if sample.is_all() { Some(u64::try_from(tally.number)?) } else { None },
        solutions: estimated.solutions,
        published: known::solutions(n),
        time,
        peak_rss_bytes: os::peak_memory(None),
    };
    let text = if arguments.json {
        let mut json = found.json();
        json["threads"] = json!(setup.threads);
        json["wall_ns"] = json!(nanoseconds(wall));
        format!("{json}\n")
    } else {
        found.text()
    };
    even_unread(std::io::stdout().lock().write_all(text.as_bytes()).map_err(Error::from))?;
    match found.exact.zip(found.published).filter(|(exact, published)| exact != published) {
        Some((exact, published)) => {
            let source = known::SOLUTIONS_SOURCE;
            terminal::say(format_args!("n={n}: {solver} counted {exact}, but {source} has {published}"));
            Ok(Exit::WrongAnswer)
        }
        None => Ok(Exit::Success),
    }
}

impl Found<'_> {
    fn json(&self) -> Value {
        let Self { n, solver, seed, column_sets, sampled, strata, exact, solutions, published, time, .. } =
            self;
        let mut json = json!({
            "n": n, "variant": Variant::Queens.name(), "solver": solver, "seed": seed, "column_sets": column_sets,
            "sampled": sampled, "strata": strata, "thin": self.thin, "exact": exact.is_some(), "published": published,
        });
        match exact {
            Some(exact) => json["solutions"] = json!(exact),
            None => json["estimated_solutions"] = estimate(solutions),
        }
        json["peak_rss_bytes"] = json!(self.peak_rss_bytes);
        if let Some(Time { tables, sum, schedules }) = time {
            json["estimated_cpu_s"] = estimate(sum);
            json["table_cpu_s"] = json!(tables.as_secs_f64());
            let schedule = |Schedule { workers, wall, idle }: &Schedule| json!({ "workers": workers, "estimated_wall_s": wall.as_secs_f64(), "idle": idle });
            json["schedules"] = schedules.iter().map(schedule).collect();
        }
        json
    }

    fn text(&self) -> String {
        let n = self.n;
        let [sampled, column_sets] =
            [self.sampled, self.column_sets].map(|sets| units::thousands(sets as u64));
        let mut lines = match self.exact {
            Some(exact) => vec![format!(
                "n={n}: exactly {} solutions: the sample has all {column_sets} column sets",
                units::thousands(exact)
            )],
            None => {
                let (thinned, seed) = (thinned(self.thin), self.seed);
                let from = format!("{sampled} of {column_sets} column sets{thinned}, drawn with seed {seed}");
                described(n, &self.solutions, &from)
            }
        };
        if let Some(Time { tables, sum, schedules }) = &self.time {
            let tables = units::computing_time(tables.as_secs_f64());
            lines.push(format!("{}, of which {tables} for the tables", described_time(sum)));
            lines.extend(schedules.iter().map(|Schedule { workers, wall, idle }| {
                format!(
                    "{} workers of this speed, each with tables of its own: estimated {} of wall time, {:.1} % of it \
                     idle at the end",
                    units::thousands(*workers as u64),
                    units::computing_time(wall.as_secs_f64()),
                    100.0 * idle
                )
            }));
        }
        lines.push(String::new());
        lines.join("\n")
    }
}

/// What `--thin` says about a sample.
pub fn thinned(thin: u32) -> String {
    match thin {
        1 => String::new(),
        thin => format!(", with about one in {} of their top halves", units::thousands(thin.into())),
    }
}

/// An estimated number of solutions, in lines: the estimate, what it is from, and the published number.
pub fn described(n: usize, solutions: &Estimate, from: &str) -> Vec<String> {
    let digits = digits(solutions);
    let [low, high] = solutions.ci95();
    let mut lines = vec![
        format!(
            "n={n}: estimated {:.digits$e} solutions, 95 % interval {low:.digits$e} to {high:.digits$e}",
            solutions.sum
        ),
        format!(
            "from {from}; standard error {:.2e}, or {:.3} %",
            solutions.standard_error,
            100.0 * solutions.standard_error / solutions.sum
        ),
    ];
    if let Some(published) = known::solutions(n) {
        let errors = (solutions.sum - published as f64) / solutions.standard_error;
        let side = if errors < 0.0 { "below" } else { "above" };
        lines.push(format!(
            "{} has {}: the estimate is {:.1} standard errors {side} it",
            known::SOLUTIONS_SOURCE,
            units::thousands(published),
            errors.abs()
        ));
    }
    lines
}

/// An estimated CPU time, in a line.
pub fn described_time(sum: &Estimate) -> String {
    let ([low, high], sum) = (sum.ci95().map(units::computing_time), units::computing_time(sum.sum));
    format!("CPU time of the whole count: estimated {sum}, 95 % interval {low} to {high}")
}

fn estimate(estimate: &Estimate) -> Value {
    let [low, high] = estimate.ci95();
    let Estimate { sum, standard_error, .. } = estimate;
    json!({ "estimate": sum, "standard_error": standard_error, "ci95_low": low, "ci95_high": high })
}

/// Digits after the point of a number in scientific notation, so that the standard error has two digits.
fn digits(Estimate { sum, standard_error, .. }: &Estimate) -> usize {
    let digits = (1..12_u8).find(|&digits| 10_f64.powi(digits.into()) > sum / standard_error);
    digits.unwrap_or(12).into()
}
