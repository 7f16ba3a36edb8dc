//! Measures three sorting algorithms. Each run is a separate process. If the program is killed and started again, it resumes
//! the experiment. Usage: `cargo run --example sorting -- results/sorting`

#![allow(clippy::print_stdout, reason = "the example prints its results")]

use std::collections::BinaryHeap;
use std::error::Error;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use runlab::process::{ProcessExecutor, Processes, serve};
use runlab::results::JsonResults;
use runlab::{Kind, PlannedCell, Repeat, RunPlan, Schedule, execute};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct Job {
    algorithm: String,
    length: u64,
}

/// Sorts numbers in the process of a run, and returns the time in nanoseconds.
fn sort(job: Job, _: Kind) -> u64 {
    let mut numbers: Vec<u64> = (0..job.length).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
    let start = Instant::now();
    match job.algorithm.as_str() {
        "stable" => numbers.sort(),
        "unstable" => numbers.sort_unstable(),
        _ => numbers = BinaryHeap::from(numbers).into_sorted_vec(),
    }
    let time = start.elapsed();
    assert!(numbers.is_sorted());
    time.as_nanos() as u64
}

fn main() -> Result<(), Box<dyn Error>> {
    let argument = std::env::args().nth(1).unwrap_or_default();
    if argument == "--child" {
        return Ok(serve(sort)?);
    }
    let job = |algorithm: &str, length| Job { algorithm: algorithm.to_owned(), length };
    let jobs = ["stable", "unstable", "heap"].map(|name| [1000, 10_000, 100_000].map(|n| job(name, n)));
    let jobs = jobs.into_iter().flatten().collect::<Vec<Job>>();
    let cell = |job: &Job| {
        let cell = PlannedCell::new(format!("{}-{}", job.algorithm, job.length));
        cell.in_series(&job.algorithm, job.length).time_limit(Duration::from_secs(10))
    };
    let schedule = Schedule { repeat: Repeat::times(20), warmup: 1, seed: 1, ..Schedule::default() };
    let plan = RunPlan::new(jobs.iter().map(cell).collect(), schedule);
    let (mut results, mut history) =
        JsonResults::open(Path::new(&argument), &plan, |&ns| Duration::from_nanos(ns))?;
    let executors = &mut [ProcessExecutor::new(Processes::of_this_program(["--child"])?, &plan, &jobs)];
    execute(&plan, &mut history, executors, &mut results, &AtomicBool::new(false), &mut |_| {})?;
    for (index, cell) in plan.cells.iter().enumerate() {
        println!("{}: {:?}", cell.id, history.sample(&plan, index).median());
    }
    Ok(())
}
