//! The problem of `solve`, `count`, `encode`, `check` and `certify`: a variant, and squares that must or must not hold
//! a queen; or an instance in a file.

use std::path::{Path, PathBuf};

use anyhow::{Context, Error};
use clap::Args;

use super::values::parse_large_size;
use crate::board::problem::{Diagonal, Problem, Variant, read_diagonals, read_squares};
use crate::board::{BoardSize, Square};
use crate::cli::BadInput;
use crate::{files, instance};

/// The largest instance, in bytes: a board of 1024 rows as a list of squares takes 10 MB.
const MOST_BYTES: u64 = 64 << 20;

/// Rules beside those of plain queens.
#[derive(Args, Clone, Debug)]
pub struct Rules {
    /// Rules of the board: queens, toroidal, semiqueens, superqueens, reflecting or rooks; `queenlab help problems`
    /// defines them.
    #[arg(long, value_name = "NAME", help_heading = "Problem", default_value = "queens", value_parser = str::parse::<Variant>)]
    pub variant: Variant,
    #[command(flatten)]
    pub squares: SquareRules,
}

/// Squares that must or must not hold a queen.
#[derive(Args, Clone, Debug)]
pub struct SquareRules {
    /// Squares that must hold a queen, for example 0:3,5:7. Rows and columns count from 0.
    #[arg(long, value_name = "ROW:COLUMN,...", help_heading = "Problem", value_parser = parse_squares)]
    pub place: Option<List<Square>>,
    /// Squares that must not hold a queen, for example 2:2.
    #[arg(long, value_name = "ROW:COLUMN,...", help_heading = "Problem", value_parser = parse_squares)]
    pub forbid: Option<List<Square>>,
    /// Diagonals that must not hold a queen, for example s5,d-3: the squares with row + column = 5 and those with
    /// row - column = -3.
    #[arg(long, value_name = "DIAGONALS", help_heading = "Problem", value_parser = parse_diagonals)]
    pub exclude_diagonals: Option<List<Diagonal>>,
}

/// A list that is one value of an option.
#[derive(Clone, Debug)]
pub struct List<T>(Vec<T>);

fn parse_squares(text: &str) -> Result<List<Square>, String> {
    read_squares(text).map(List)
}

fn parse_diagonals(text: &str) -> Result<List<Diagonal>, String> {
    read_diagonals(text).map(List)
}

impl Rules {
    /// The problem with these rules on an `n` by `n` board.
    pub fn problem(&self, n: BoardSize) -> Result<Problem, Error> {
        if n.get() > BoardSize::MAX && !self.squares.is_empty() {
            refuse!(
                "n = {n} exceeds {}, the largest board with squares that must or must not hold a queen: leave out \
                 --place, --forbid and --exclude-diagonals",
                BoardSize::MAX
            );
        }
        let SquareRules { place, forbid, exclude_diagonals } = &self.squares;
        let problem = Problem::new(n, self.variant.clone())
            .and_then(|problem| problem.forbid(all(forbid)))
            .and_then(|problem| problem.exclude(all(exclude_diagonals)))
            .and_then(|problem| problem.place(all(place)));
        problem.map_err(|error| BadInput(error.to_string()).into())
    }
}

fn all<T: Copy>(list: &Option<List<T>>) -> Vec<T> {
    list.iter().flat_map(|list| list.0.iter().copied()).collect()
}

impl SquareRules {
    /// The text of a problem of this variant on a board of any size, as in the key `variant` of a spec.
    pub fn text(&self, variant: &Variant) -> String {
        let squares = |list| all(list).iter().map(|s: &Square| format!("{}:{}", s.row, s.column)).collect();
        let excluded = all(&self.exclude_diagonals).iter().map(Diagonal::to_string).collect::<Vec<_>>();
        let lists: [(&str, Vec<String>); 3] =
            [("place", squares(&self.place)), ("forbid", squares(&self.forbid)), ("exclude", excluded)];
        let given = lists.iter().filter(|(_, list)| !list.is_empty());
        given.fold(variant.name().to_owned(), |text, (name, list)| {
            text + &format!(";{name}={}", list.join(","))
        })
    }

    /// Whether there is any.
    pub fn is_empty(&self) -> bool {
        self.place.is_none() && self.forbid.is_none() && self.exclude_diagonals.is_none()
    }
}

/// Rules for a board whose size is given elsewhere, or an instance, which has its own size.
#[derive(Args, Debug)]
pub struct ProblemOptions {
    /// Read the problem from FILE: a region puzzle, an instance of CSPLib prob079 or prob080, or TOML; `queenlab help
    /// problems` shows examples.
    #[arg(
        long,
        value_name = "FILE",
        help_heading = "Problem",
        conflicts_with_all = ["variant", "place", "forbid", "exclude_diagonals"]
    )]
    pub instance: Option<PathBuf>,
    #[command(flatten)]
    pub rules: Rules,
}

impl ProblemOptions {
    /// The problem on the board of this size, or that of the instance.
    pub fn problem(&self, n: Option<BoardSize>) -> Result<Problem, Error> {
        match (&self.instance, n) {
            (None, Some(n)) => self.rules.problem(n),
            (None, None) => {
                refuse!("a board size is missing: write it, for example 8, or give --instance FILE")
            }
            (Some(path), n) => {
                let problem = read(path)?;
                let own = problem.n();
                if let Some(n) = n.filter(|&n| n != own) {
                    refuse!("{} is a board of n = {own}, not {n}: leave out the size", path.display());
                }
                Ok(problem)
            }
        }
    }
}

fn read(path: &Path) -> Result<Problem, Error> {
    let text =
        files::read_regular(path, MOST_BYTES).with_context(|| format!("cannot read {}", path.display()))?;
    let text = String::from_utf8_lossy(&text);
    instance::read(&text).map_err(|error| BadInput(format!("{}: {error}", path.display())).into())
}

/// A board size with rules, or an instance.
#[derive(Args, Debug)]
pub struct ProblemArguments {
    /// Board size, for example 8.
    #[arg(value_name = "N", allow_hyphen_values = true, value_parser = parse_large_size, conflicts_with = "n")]
    size: Option<BoardSize>,
    /// Board size, for example 8; may be given instead of the argument.
    #[arg(short, long = "n", value_name = "N", allow_hyphen_values = true, value_parser = parse_large_size)]
    n: Option<BoardSize>,
    #[command(flatten)]
    pub options: ProblemOptions,
}

impl ProblemArguments {
    /// The problem.
    pub fn get(&self) -> Result<Problem, Error> {
        self.options.problem(self.size.or(self.n))
    }
}
