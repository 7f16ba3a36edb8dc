//! The command line.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use queenlab::board::BoardSize;
use queenlab::board::notation::Notation;
use queenlab::board::sizes::Sizes;
use queenlab::cluster::TaskKind;
use queenlab::experiment::cpus::CpuList;
use queenlab::experiment::runner::process::CELL_COMMAND;
use queenlab::experiment::spec::{is_number_of_jobs, parse_duration, parse_memory};
use queenlab::sat::symmetry::Symmetry;
use queenlab::solver::Goal;
use queenlab::verify::certificate;
use queenlab::verify::submission::GUARD_COMMAND;

/// A research harness for the N-Queens problem: textbook searchers, SAT, cross-checks, sweeps.
#[derive(Parser, Debug)]
#[command(name = "queenlab", version, max_term_width = 100, arg_required_else_help = true)]
#[command(after_help = "Examples:
  queenlab sweep                              the built-in experiment, under two minutes
  queenlab sweep --n 4-12 --solver 'backtrack/*' --solver 'sat/pairwise/*' --timeout 10s
  queenlab verify 1-10                        every backtracker against SAT, set against set
  queenlab check 8 out.txt                    judge solutions that another program printed
  queenlab certify 8 --proof queens8.lrat     a proof that there are exactly 92 solutions
  queenlab solve 8 --all --fundamental        the 12 fundamental solutions
  queenlab shard plan --n 18 -o plan.json     a count in 64 shards for a cluster

Exit codes: 0 all is well, 1 failure, 2 bad input, 3 wrong answer, 4 timeout (--fail-on-timeout),
5 regression (compare), 6 resume refused, 130 interrupted. Data goes to standard output, everything else to standard error.")]
pub struct Arguments {
    #[command(flatten)]
    pub global: Global,
    #[command(subcommand)]
    pub command: Command,
}

/// Options of every command.
#[derive(Args, Clone, Debug)]
pub struct Global {
    /// How progress is shown on standard error.
    #[arg(long, global = true, value_name = "HOW", default_value = "auto")]
    pub progress: ProgressStyle,
    /// The SAT solver behind `sat/*/external`: reads DIMACS, answers with `s` and `v` lines.
    #[arg(long, global = true, value_name = "CMD {cnf}")]
    pub external: Option<String>,
    /// No progress and no summary.
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// Seed of the order of runs, and of solvers that draw [default: 1].
    #[arg(long, global = true, value_name = "S")]
    pub seed: Option<u64>,
    /// A line for every run of a sweep as it ends.
    #[arg(short, long, global = true, conflicts_with = "quiet")]
    pub verbose: bool,
    /// Whether messages are coloured; auto: on a terminal, unless NO_COLOR is set.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: ColorChoice,
}

impl Global {
    /// The seed of solvers that draw.
    pub fn seed(&self) -> u64 {
        self.seed.unwrap_or(1)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ColorChoice {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    Always,
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ProgressStyle {
    /// Bars on a terminal, else plain lines.
    Auto,
    Bar,
    Plain,
    /// A JSON object a line, for scripts.
    Json,
    None,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    Sweep(SweepArguments),
    Init(InitArguments),
    Report(ReportArguments),
    Compare(CompareArguments),
    Reproduce(ReproduceArguments),
    Export(ExportArguments),
    Verify(VerifyArguments),
    Check(CheckArguments),
    Solve(SolveArguments),
    Count(CountArguments),
    Encode(EncodeArguments),
    Certify(CertifyArguments),
    ProofCheck(ProofCheckArguments),
    Shard(ShardArguments),
    List(ListArguments),
    Doctor(DoctorArguments),
    Completions(CompletionsArguments),
    /// Print a man page.
    #[command(after_help = "Examples:
  queenlab man > queenlab.1
  queenlab man | man -l -")]
    Man,
    /// Runs one cell of a sweep and reports in JSON.
    #[command(name = CELL_COMMAND, hide = true)]
    Cell(CellArguments),
    /// Ends what `check` started when `check` is killed.
    #[command(name = GUARD_COMMAND, hide = true)]
    Guard {
        /// The process group of the program.
        group: u32,
        /// How its descendants are known.
        mark: String,
    },
}

// clap makes a line break of a plain `{n}` in help; a style code inside it keeps it, and is never seen.

/// Run an experiment and write its CSVs and plots.
///
/// Each run is a process of its own, with a time limit. A timeout is a row, not an end. The same
/// command goes on where an interrupted one stopped. Without an experiment, sizes or a program: `quick`.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab sweep
  queenlab sweep 4-10
  queenlab sweep textbook --repeat 5
  queenlab sweep 4-8 --program 'python3 my_queens.py {\u{1b}[0mn}'
  queenlab sweep 4-12 --solver 'backtrack/*' --solver 'sat/pairwise/*' --timeout 10s -o results/mine
  queenlab sweep --n 8-30 --goal first --solver backtrack/bitmask --solver sat/pairwise/varisat
  queenlab sweep experiments/textbook.toml --dry-run")]
pub struct SweepArguments {
    /// Board sizes (4-8), the name of a built-in experiment (quick, textbook, sat-vs-backtracking,
    /// sat-vs-backtracking-first, encodings, enumeration, first-solution, counting), or a TOML file.
    pub experiment: Option<PathBuf>,
    /// Board sizes: 8, 4-12, 4-20:2 or 4,8,10-12.
    #[arg(short, long, value_name = "SIZES", allow_hyphen_values = true)]
    pub n: Option<Sizes>,
    /// Glob over solver ids; `*` matches any characters. Replaces the solvers of the experiment and their sizes.
    #[arg(long = "solver", value_name = "PATTERN")]
    pub solvers: Vec<String>,
    /// A program of your own to measure beside them, with the place of the board size in its arguments. Repeat
    /// the option for several programs.
    #[arg(long = "program", value_name = "CMD {n}")]
    pub programs: Vec<String>,
    /// What is asked: first, count or enumerate [default: enumerate].
    #[arg(long)]
    pub goal: Option<Goal>,
    /// Timed runs of each cell [default: 3].
    #[arg(long, value_name = "R", value_parser = clap::value_parser!(u32).range(1..))]
    pub repeat: Option<u32>,
    /// Runs before those, kept and flagged [default: 0].
    #[arg(long, value_name = "W")]
    pub warmup: Option<u32>,
    /// Wall time that a run may take: 500ms, 10s, 5m [default: 60s].
    #[arg(long, value_name = "D", value_parser = parse_duration)]
    pub timeout: Option<Duration>,
    /// Memory that a run may take: 512MiB, 2GiB [default: no limit].
    #[arg(long, value_name = "B", value_parser = parse_memory)]
    pub memory: Option<u64>,
    /// Threads that a solver may use [default: 1].
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u32).range(1..))]
    pub threads: Option<u32>,
    /// Runs side by side; for sweeps that are not about time [default: 1].
    #[arg(short, long, value_name = "J", value_parser = parse_jobs)]
    pub jobs: Option<usize>,
    /// CPUs that runs are bound to: 0, 0-3 or 0,2-3; several jobs share them out [default: any].
    #[arg(long, value_name = "CPUS")]
    pub pin: Option<CpuList>,
    /// Spare larger sizes for a solver that timed out at K sizes in a row [default: never].
    #[arg(long, value_name = "K", value_parser = at_least_one)]
    pub stop_after_timeouts: Option<usize>,
    /// Where the results go [default: results/<experiment>].
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Show what would be run, and run nothing.
    #[arg(long)]
    pub dry_run: bool,
    /// Go on in a directory that was made with another plan, program, executable or machine.
    #[arg(long)]
    pub accept: bool,
    /// Start over; an earlier result directory is kept as DIR.old-1, DIR.old-2 and so on.
    #[arg(long, conflicts_with = "accept")]
    pub fresh: bool,
    /// Exit with 4 if a run was ended by its time or memory limit.
    #[arg(long)]
    pub fail_on_timeout: bool,
}

/// Write a commented experiment with your program in it, for `queenlab sweep`.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab init
  queenlab init 'python3 my_queens.py {\u{1b}[0mn}'
  queenlab init './queens --size {\u{1b}[0mn}' -o queens.toml")]
pub struct InitArguments {
    /// How your program is called, with the place of the board size in its arguments.
    #[arg(value_name = "CMD {n}", default_value = "python3 my_queens.py {n}")]
    pub command: String,
    /// The file to write; one that exists is not replaced.
    #[arg(short, long, value_name = "FILE", default_value = "experiment.toml")]
    pub out: PathBuf,
}

/// Make tables, plots and one HTML page from a result directory.
///
/// Writes DIR/report.html (one file, opens offline), DIR/plots/*.svg, timings.csv and nodes.csv. A sweep does
/// the same when it ends; a directory that was cut off in the middle is reported as far as it is whole.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab report results/quick
  queenlab report results/quick --scatter backtrack/bitmask sat/pairwise/varisat")]
pub struct ReportArguments {
    /// A result directory.
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
    /// The two solvers of the scatter plot: the first across, the second up [default: chosen].
    #[arg(long, num_args = 2, value_names = ["ID", "ID"])]
    pub scatter: Vec<String>,
}

/// Compare two results: answers first, then times.
///
/// A ratio is the second's median over the first's. A cell is a regression beyond PCT when the whole 95 %
/// interval of its ratio (bootstrap) lies above it and the rank test (Mann-Whitney) says p < 0.05, which takes
/// five runs on both sides; or when it was answered in every run and now in none. How machine, program
/// and plan differ is said on standard error. Exit code 3: an answer is wrong now; 5: a regression.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab compare results/before results/after
  queenlab compare results/before results/after --fail-on-regression 5
  queenlab compare results/before results/after --json")]
pub struct CompareArguments {
    /// The result directory that is compared with.
    #[arg(value_name = "DIR")]
    pub first: PathBuf,
    /// The one that is compared.
    #[arg(value_name = "DIR")]
    pub second: PathBuf,
    /// Exit with 5 if a cell is slower by more than so many percent.
    #[arg(long, value_name = "PCT", value_parser = parse_percent)]
    pub fail_on_regression: Option<f64>,
    /// The comparison as JSON on standard output.
    #[arg(long)]
    pub json: bool,
}

/// Run the plan of a result again, and compare.
///
/// Answers and counts must be the same: exit code 3 if not. Times are compared as `compare` does. A plan
/// that starts programs (a [[program]] or --external) may be somebody else's: it is refused, and what it
/// would start is shown, unless --allow-programs says that you have read it.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab reproduce experiments/record/2026-11-21-quick
  queenlab reproduce results/theirs --out results/ours")]
pub struct ReproduceArguments {
    /// A result directory.
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
    /// Where the new results go [default: DIR-reproduced].
    #[arg(long, value_name = "DIR2")]
    pub out: Option<PathBuf>,
    /// Start the programs that the plan names.
    #[arg(long)]
    pub allow_programs: bool,
}

/// Write a result in the format of another tool, to standard output.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab export results/quick --format markdown
  queenlab export results/quick --format latex > table.tex
  queenlab export results/quick --format mkplot --solver backtrack/bitmask > bitmask.json
  queenlab export results/quick --format json | jq .ranking")]
pub struct ExportArguments {
    /// A result directory.
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
    /// Whose format.
    #[arg(long)]
    pub format: ExportFormat,
    /// Only this solver; mkplot reads one file a solver.
    #[arg(long, value_name = "ID")]
    pub solver: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// JSON for mkplot: cactus and scatter plots.
    Mkplot,
    /// Every derived table, growth and ranking.
    Json,
    /// A table of medians.
    Markdown,
    /// A table of medians for booktabs.
    Latex,
}

/// Cross-check solvers: set against set, and against published values.
///
/// Each solver enumerates every size; each board is judged by itself; the sets are compared with
/// SAT's, the counts with A000170, the fundamental solutions with A002562, the search trees with
/// A319284. A disagreement is drawn, and the exit code is 3.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab verify
  queenlab verify 1-10
  queenlab verify 12 --solver 'backtrack/*' --json
  queenlab verify --levels
  queenlab verify --mutants")]
pub struct VerifyArguments {
    /// Board sizes: 8, 4-12, 4-20:2 or 4,8,10-12.
    #[arg(default_value = "1-8", allow_hyphen_values = true)]
    pub sizes: Sizes,
    /// Glob over solver ids [default: every backtracker, count/block and sat/pairwise/varisat].
    #[arg(long = "solver", value_name = "PATTERN")]
    pub solvers: Vec<String>,
    /// Prove that the nodes of each level are all there are, and compare every searcher's (n <= 8).
    #[arg(long)]
    pub levels: bool,
    /// Put faults into searchers, formulas and proofs, and say which check catches which (n <= 9). A fault
    /// that no check catches at these sizes is exit code 3.
    #[arg(long, conflicts_with_all = ["levels", "solvers"])]
    pub mutants: bool,
    /// Everything as JSON on standard output, and nothing else.
    #[arg(long)]
    pub json: bool,
}

/// Judge solutions that some other program printed.
///
/// Reads FILE, standard input, or what a command prints, in any notation. Says which boards are
/// illegal, repeated or missing, and draws the first of each. Exit code 0: all solutions, each once;
/// 3: not; 2: unreadable; 1: the program failed, hung or flooded before a fault showed.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab check 8 out.txt
  python3 my_queens.py 8 | queenlab check 8
  queenlab check 8 --timeout 30s -- python3 my_queens.py 8
  queenlab check 20 --first --json -- ./one_solution 20")]
pub struct CheckArguments {
    /// Board size.
    #[arg(allow_hyphen_values = true, value_parser = parse_size)]
    pub n: BoardSize,
    /// Where the boards are [default: standard input].
    #[arg(conflicts_with = "command")]
    pub file: Option<PathBuf>,
    /// How boards are written [default: found out].
    #[arg(long, value_name = "NOTATION", value_parser = parse_notation)]
    pub notation: Option<Notation>,
    /// Judge one solution, the first board, instead of all.
    #[arg(long)]
    pub first: bool,
    /// The judgement as JSON on standard output.
    #[arg(long)]
    pub json: bool,
    /// Wall time that the command may take: 500ms, 10s, 5m [default: 60s].
    #[arg(long, value_name = "D", value_parser = parse_duration)]
    pub timeout: Option<Duration>,
    /// A command that prints the boards, with its arguments.
    #[arg(last = true, value_name = "CMD ARG")]
    pub command: Vec<OsString>,
}

/// Print solutions.
///
/// One solution, unless --all or --limit says more. That there is none (n = 2 and 3) is said on
/// standard error.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab solve 8
  queenlab solve 4 --all --notation list
  queenlab solve 8 --all --fundamental --notation columns1
  queenlab solve 100 --solver sat/pairwise/varisat --notation columns")]
pub struct SolveArguments {
    /// Board size.
    #[arg(allow_hyphen_values = true, value_parser = parse_size)]
    pub n: BoardSize,
    /// Who solves; see `queenlab list`.
    #[arg(long, value_name = "ID", default_value = "backtrack/bitmask")]
    pub solver: String,
    /// Every solution.
    #[arg(long, conflicts_with = "limit")]
    pub all: bool,
    /// So many solutions at most.
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    pub limit: Option<u64>,
    /// Only solutions that are the lexicographically first of their eight images.
    #[arg(long)]
    pub fundamental: bool,
    /// How boards are written [default: unicode on a terminal, else columns].
    #[arg(long, value_name = "NOTATION", value_parser = parse_notation)]
    pub notation: Option<Notation>,
    /// Threads that the solver may use.
    #[arg(long, value_name = "T", default_value = "1", value_parser = clap::value_parser!(u32).range(1..))]
    pub threads: u32,
}

/// Count solutions, as fast as this machine can.
///
/// Standard output is the number alone. A number that contradicts A000170 is exit code 3.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab count 16
  queenlab count 18 --threads 1
  queenlab count 12 --solver backtrack/bitmask --json")]
pub struct CountArguments {
    /// Board size.
    #[arg(allow_hyphen_values = true, value_parser = parse_size)]
    pub n: BoardSize,
    /// Who counts; see `queenlab list`.
    #[arg(long, value_name = "ID", default_value = "count/auto")]
    pub solver: String,
    /// Threads that the solver may use [default: all].
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u32).range(1..))]
    pub threads: Option<u32>,
    /// Count fundamental solutions: boards that a rotation or reflection relates count once.
    #[arg(long)]
    pub fundamental: bool,
    /// Keep here what is done, and go on from there; for count/* only. A checkpoint of another n, version or
    /// executable is refused.
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// As JSON: n, solver, threads, solutions, nanoseconds, and what the counter did.
    #[arg(long)]
    pub json: bool,
}

/// Write a formula in DIMACS CNF.
///
/// Lines `c square ROW COLUMN VARIABLE` (rows and columns from 0) say which variable stands for
/// which square.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab encode 8 -o queens8.cnf
  queenlab encode 12 --encoding bimander --symmetry full -o queens12.cnf
  queenlab encode 20 | minisat")]
pub struct EncodeArguments {
    /// Board size.
    #[arg(allow_hyphen_values = true, value_parser = parse_size)]
    pub n: BoardSize,
    /// How 'at most one' becomes clauses.
    #[arg(long, value_name = "ID", default_value = "pairwise")]
    pub encoding: String,
    /// Which symmetry is broken by clauses on the border: none, mirror (left and right) or full (all eight
    /// images; a solution may tie with its own image).
    #[arg(long, value_name = "WHICH", default_value = "none", value_parser = parse_symmetry)]
    pub symmetry: Symmetry,
    /// Where it goes [default: standard output].
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Prove that there are exactly so many solutions, and check the proof.
///
/// The formula says `N queens, and none of these solutions`; each of those is judged on the board; the
/// proof shows that the formula has no model. The built-in checker reads it back before anything is
/// claimed: a proof that does not check is exit 3. docs/CERTIFICATES.md says what it proves and what not.
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
    /// Where it goes; p.lrat comes with p.cnf and p.json, the certificate [default: nowhere].
    #[arg(long, value_name = "FILE")]
    pub proof: Option<PathBuf>,
    /// The format of the proof.
    #[arg(long, default_value = "lrat")]
    pub format: ProofFormat,
    /// Binary, which takes less than half of the bytes.
    #[arg(long)]
    pub binary: bool,
    /// Asks this command, too; {cnf} and {proof} stand for the files. Words are split as a shell does.
    #[arg(long, value_name = "CMD")]
    pub checker: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Method {
    /// varisat, a cube at a time; composed into one proof.
    Cubes,
    /// varisat, the whole formula at once.
    Monolithic,
    /// The searcher itself, a lemma a node; no SAT solver.
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

/// Check an LRAT proof that a formula has no model.
///
/// Text or binary, RAT steps too; it shares no code with what writes proofs here. Says `s VERIFIED`
/// and exits 0, or `s NOT VERIFIED` and exits 3 with the step and the reason on standard error. A
/// formula that is no DIMACS CNF is bad input (2).
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab proof-check queens8.cnf queens8.lrat")]
pub struct ProofCheckArguments {
    /// The formula, in DIMACS CNF.
    #[arg(value_name = "CNF")]
    pub formula: PathBuf,
    /// The proof, in LRAT.
    pub proof: PathBuf,
}

/// Cut a count, an enumeration or a sweep into shards for a batch engine.
///
/// `plan` describes the shards, `run` does one of them, `missing` lists those that are left, `merge` adds
/// them up. Any engine that can run a command with an index will do; docs/CLUSTER.md has Slurm,
/// HyperQueue, GNU parallel and a shell loop.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab shard plan --n 18 --shards 64 -o plan.json
  queenlab shard run --plan plan.json --index 3 --out shards
  queenlab shard missing --plan plan.json --out shards --ranges
  queenlab shard merge --plan plan.json --out shards")]
pub struct ShardArguments {
    #[command(subcommand)]
    pub command: ShardCommand,
}

#[derive(Subcommand, Debug)]
pub enum ShardCommand {
    Plan(ShardPlanArguments),
    Run(ShardRunArguments),
    Missing(ShardMissingArguments),
    Merge(ShardMergeArguments),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ShardTask {
    /// How many solutions there are.
    Count,
    /// The same, with the digest of all solutions.
    Enumerate,
    /// The runs of an experiment.
    Sweep,
}

impl From<ShardTask> for TaskKind {
    fn from(task: ShardTask) -> Self {
        match task {
            ShardTask::Count => Self::Count,
            ShardTask::Enumerate => Self::Enumerate,
            ShardTask::Sweep => Self::Sweep,
        }
    }
}

/// Write a plan: what is cut, by which rule, into how many shards.
///
/// The same options give the same plan. Shards weigh alike: their subproblems are dealt in strides.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab shard plan --n 18 --shards 64 -o plan.json
  queenlab shard plan --n 14 --task enumerate --depth 4 -o plan.json
  queenlab shard plan --task sweep --spec experiments/textbook.toml --shards 8 -o plan.json")]
pub struct ShardPlanArguments {
    /// Board size.
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = parse_size)]
    pub n: Option<BoardSize>,
    /// What the shards do together.
    #[arg(long, default_value = "count")]
    pub task: ShardTask,
    /// Rows of a prefix; a count with a depth is searched below prefixes instead of meeting in the middle
    /// [default: enough for shards that weigh alike].
    #[arg(long, value_name = "D")]
    pub depth: Option<usize>,
    /// Shards [default: 64, or as many as there are subproblems].
    #[arg(long, value_name = "K")]
    pub shards: Option<usize>,
    /// Who counts: count/auto, count/block, or a kernel; see `queenlab list`.
    #[arg(long, value_name = "ID")]
    pub solver: Option<String>,
    /// The experiment of --task sweep.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["depth", "solver"])]
    pub spec: Option<PathBuf>,
    /// Where it goes [default: standard output].
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Run one shard.
///
/// A shard that has its result exits 0 at once; one that was killed goes on where it was. The result
/// is DIR/shard-I.json.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab shard run --plan plan.json --index 3 --out shards
  queenlab shard run --plan plan.json --index $SLURM_ARRAY_TASK_ID --out shards --threads 8")]
pub struct ShardRunArguments {
    /// The plan.
    #[arg(long, value_name = "FILE")]
    pub plan: PathBuf,
    /// Which shard, from 0.
    #[arg(long, value_name = "I")]
    pub index: usize,
    /// Where all shards of the plan leave their results.
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Threads; a sweep's runs have those of its spec.
    #[arg(long, value_name = "T", default_value = "1", value_parser = clap::value_parser!(u32).range(1..))]
    pub threads: u32,
}

/// List the shards that have no valid result.
///
/// An index a line, ascending; with --ranges on one line, as `sbatch --array` wants them. Nothing is
/// missing: nothing is printed.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab shard missing --plan plan.json --out shards
  sbatch --array=$(queenlab shard missing --plan plan.json --out shards --ranges --max 1000) job.sh")]
pub struct ShardMissingArguments {
    /// The plan.
    #[arg(long, value_name = "FILE")]
    pub plan: PathBuf,
    /// Where all shards of the plan leave their results.
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// As ranges: 3,9-14.
    #[arg(long)]
    pub ranges: bool,
    /// So many indices at most [default: all].
    #[arg(long, value_name = "M")]
    pub max: Option<usize>,
}

/// Add up all shards.
///
/// Fails unless every shard has a valid result of this plan. Standard output is the total alone; a total
/// that contradicts A000170 is exit code 3. The shards of a sweep become DIR/merged, an ordinary result
/// directory.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab shard merge --plan plan.json --out shards")]
pub struct ShardMergeArguments {
    /// The plan.
    #[arg(long, value_name = "FILE")]
    pub plan: PathBuf,
    /// Where all shards of the plan left their results.
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
}

/// List the solvers: ids, goals, sizes, statistics.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab list
  queenlab list --json")]
pub struct ListArguments {
    /// As JSON, with everything that a solver declares.
    #[arg(long)]
    pub json: bool,
}

/// Find out what about this machine disturbs measurements.
///
/// Governor, turbo, SMT, load, swap, limits of cgroups, virtual machine, steal, container, heat, clock,
/// other processes, and how evenly the machine computes; and the command that mends each. Takes a
/// second; the exit code is 0 whatever it finds.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab doctor
  queenlab doctor --json")]
pub struct DoctorArguments {
    /// The findings as JSON on standard output.
    #[arg(long)]
    pub json: bool,
}

/// Print shell completions.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab completions bash > ~/.local/share/bash-completion/completions/queenlab
  queenlab completions zsh > ~/.zfunc/_queenlab
  queenlab completions fish > ~/.config/fish/completions/queenlab.fish")]
pub struct CompletionsArguments {
    /// Which shell.
    pub shell: clap_complete::Shell,
}

#[derive(Args, Debug)]
pub struct CellArguments {
    /// The cell as JSON.
    pub cell: String,
    /// Who started it: it ends with that process.
    #[arg(long, value_name = "PID")]
    pub parent: Option<u32>,
    /// The CPUs that it may run on.
    #[arg(long, value_name = "CPUS")]
    pub pin: Option<CpuList>,
}

fn parse_jobs(text: &str) -> Result<usize, String> {
    let number = text.parse().map_err(|_| "a whole number from 1".to_owned())?;
    is_number_of_jobs(number)
}

fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err("a whole number from 1".to_owned()),
    }
}

fn parse_percent(text: &str) -> Result<f64, String> {
    let percent =
        text.trim_end_matches('%').parse::<f64>().ok().filter(|&value| value.is_finite() && value >= 0.0);
    percent.ok_or_else(|| format!("'{text}' is no percentage from 0: write 5"))
}

fn parse_size(text: &str) -> Result<BoardSize, String> {
    let n: usize = text.parse().map_err(|_| "a board size is a whole number from 0".to_owned())?;
    BoardSize::new(n).map_err(|error| error.to_string())
}

fn parse_notation(text: &str) -> Result<Notation, String> {
    text.parse().map_err(|error: queenlab::board::notation::NotationError| error.to_string())
}

fn parse_symmetry(text: &str) -> Result<Symmetry, String> {
    text.parse().map_err(|_| format!("unknown symmetry '{text}': none, mirror or full"))
}
