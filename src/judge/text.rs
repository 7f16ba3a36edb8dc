//! A report in words: the verdict in the first line, then the evidence, with drawn boards.

use std::fmt;

use super::{Asks, Cut, Illegal, Judgement, PrintedOrder, Verdict, counted};
use crate::board::problem::Variant;
use crate::board::{Placement, Square, squares};

/// The largest board that is drawn.
const DRAWN: usize = 40;

/// The most attacks on one board that are described in words.
const ATTACKS: usize = 3;

impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Judgement { problem, distinct, .. } = self;
        let title = problem.title();
        let title = if self.n() == 1 { title.replacen("queens", "queen", 1) } else { title };
        writeln!(f, "{}: {title}: {}", self.verdict().name(), self.summary())?;
        if let Some(cut) = &self.cut {
            writeln!(f, "  {cut}")?;
        }
        if let Some(reading) = self.reading {
            let how = if self.given { "given" } else { "detected" };
            writeln!(f, "notation   {reading} ({how})")?;
        }
        if self.asks == Asks::All {
            let of = |count: Option<u64>, source: &str| {
                count.map_or(String::new(), |count| format!(" of {count} ({source})"))
            };
            let all = of(self.expected, self.expected_source.unwrap_or_default());
            writeln!(f, "solutions  {distinct} different{all}, {} read", boards(self.boards))?;
            if let Some(fundamental) = self.fundamental {
                let all = of(self.expected_fundamental, "A002562");
                writeln!(f, "           {fundamental}{all} up to symmetry")?;
            }
            let order = match self.order {
                PrintedOrder::None => "",
                PrintedOrder::Lexicographic => "lexicographic",
                PrintedOrder::Reversed => "lexicographic, reversed",
                PrintedOrder::Other => "not lexicographic",
            };
            if !order.is_empty() {
                writeln!(f, "order      {order}")?;
            }
        }
        self.illegal_ones(f)?;
        self.duplicate_ones(f)?;
        self.missing_ones(f)
    }
}

impl Judgement {
    /// The result in one line, without the verdict.
    pub fn summary(&self) -> String {
        let mut faults = Vec::new();
        let mut fault = |count: u64, what: &str| {
            if count > 0 {
                faults.push(format!("{count} {what}"));
            }
        };
        fault(self.illegal, "illegal");
        fault(self.duplicates, "duplicate");
        let missing = self.missing.as_ref();
        fault(missing.and_then(|missing| missing.solutions).unwrap_or(0), "missing");
        if missing.is_some_and(|missing| missing.solutions.is_none()) {
            faults.push("an unknown number missing".to_owned());
        }
        match self.verdict() {
            Verdict::Correct | Verdict::Wrong | Verdict::Unknown if self.stated.is_some() => self.count(),
            Verdict::Correct if self.asks == Asks::One && self.boards > 0 => "a solution".to_owned(),
            Verdict::Correct if self.boards == 0 => "no solution, and none exists".to_owned(),
            Verdict::Correct if self.distinct == 1 => "the only solution, once".to_owned(),
            Verdict::Correct => format!("all {} solutions, each once", self.distinct),
            Verdict::Wrong if self.boards == 0 => match self.expected {
                Some(1) => "no solution, but 1 exists".to_owned(),
                Some(expected) => format!("no solution, but {expected} exist"),
                None => "no solution, but solutions exist".to_owned(),
            },
            Verdict::Wrong => format!("{}: {}", boards(self.boards), faults.join(", ")),
            Verdict::Unfinished if self.boards == 0 => "no board read".to_owned(),
            Verdict::Unfinished => format!("{} read, none of them wrong", boards(self.boards)),
            Verdict::Unknown if self.asks == Asks::One => {
                "no board, and it is not known whether a solution exists".to_owned()
            }
            Verdict::Unknown => format!(
                "{}, none of them wrong; the number of solutions is not {}: \
                 use --first to judge one solution",
                boards(self.boards),
                self.known_how()
            ),
        }
    }

    /// The stated number and the published one.
    fn count(&self) -> String {
        let stated = self.stated.unwrap_or(0);
        let source = self.expected_source.unwrap_or_default();
        match self.expected {
            Some(expected) if expected == stated => format!("{} ({source})", counted(stated, "solution")),
            Some(expected) => {
                let classes = self.expected_fundamental == Some(stated);
                let note = if classes {
                    format!("; {stated} is the number up to symmetry (A002562)")
                } else {
                    String::new()
                };
                let (stated, exist) =
                    (counted(stated, "solution"), if expected == 1 { "exists" } else { "exist" });
                format!("{stated} stated, but {expected} {exist} ({source}){note}")
            }
            None => {
                let (stated, how) = (counted(stated, "solution"), self.known_how());
                format!("{stated} stated; the correct number is not {how}")
            }
        }
    }

    /// How the number of solutions would be known.
    fn known_how(&self) -> &'static str {
        if self.problem.is_plain() { "published" } else { "published, and too large to be counted here" }
    }

    fn illegal_ones(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.illegal == 0 {
            return Ok(());
        }
        writeln!(f, "\nillegal: {}", self.illegal)?;
        for Illegal { line, fault, queens, forbidden, attacks } in &self.illegal_shown {
            let mut reasons: Vec<String> = fault.iter().cloned().collect();
            let attack = |&(one, other)| attack(self.problem.variant(), one, other);
            reasons.extend(attacks.iter().take(ATTACKS).map(attack));
            if attacks.len() > ATTACKS {
                reasons.push("and more (marked X)".to_owned());
            }
            writeln!(f, "  line {line}: {}", reasons.join("; "))?;
            let wrong = |queen| {
                forbidden.contains(&queen)
                    || attacks.iter().any(|&(one, other)| one == queen || other == queen)
            };
            draw(f, self.n(), queens, wrong)?;
        }
        self.more(f, self.illegal, self.illegal_shown.len())?;
        if self.illegal == self.boards && !self.given {
            let meant = self.reading.map_or("another notation".to_owned(), |notation| {
                format!("a notation other than {notation}")
            });
            writeln!(f, "  no board is legal: if they are in {meant}, name it with --notation")?;
        }
        Ok(())
    }

    fn duplicate_ones(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.duplicates == 0 {
            return Ok(());
        }
        writeln!(f, "\nduplicate: {}", self.duplicates)?;
        for again in &self.duplicates_shown {
            writeln!(f, "  line {} repeats line {}: {}", again.line, again.first_line, again.board)?;
            solution(f, &again.board)?;
        }
        self.more(f, self.duplicates, self.duplicates_shown.len())
    }

    fn missing_ones(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(missing) = &self.missing else { return Ok(()) };
        match missing.solutions {
            Some(count) => writeln!(f, "\nmissing: {count}")?,
            None => writeln!(f, "\nmissing: at least the following")?,
        }
        if let Some(pattern) = missing.pattern {
            writeln!(f, "  {pattern}")?;
        } else if let (Some(classes @ 1..), true) = (missing.classes, self.distinct > 0) {
            let all = self.expected_fundamental.unwrap_or(0);
            writeln!(f, "  symmetry classes missing completely: {classes} of {all}")?;
        }
        if self.boards == 1 && self.expected.is_some_and(|expected| expected > 1) {
            writeln!(f, "  if the task was to print one solution, use --first")?;
        }
        for (board, class) in missing.shown.iter().zip(&missing.class_sizes) {
            let class = match class {
                Some(1) | None => String::new(),
                Some(2) => " and its image".to_owned(),
                Some(size) => format!(" and its {} images", size - 1),
            };
            writeln!(f, "  {board}{class}")?;
            solution(f, board)?;
        }
        Ok(())
    }

    fn more(&self, f: &mut fmt::Formatter<'_>, count: u64, shown: usize) -> fmt::Result {
        match count.saturating_sub(shown as u64) {
            0 => Ok(()),
            more => writeln!(f, "  and {more} more"),
        }
    }
}

impl fmt::Display for Illegal {
    /// The reason with its line, or else the columns.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(fault) = &self.fault {
            return write!(f, "line {}: {fault}", self.line);
        }
        let columns: Vec<String> = self.queens.iter().map(|queen| queen.column.to_string()).collect();
        f.write_str(&columns.join(" "))
    }
}

fn boards(count: u64) -> String {
    counted(count, "board")
}

/// `row 1, column 2 and row 2, column 3: same diagonal`.
fn attack(variant: &Variant, one: Square, other: Square) -> String {
    let square = |Square { row, column }: Square| format!("row {row}, column {column}");
    format!("{} and {}: {}", square(one), square(other), variant.shared(one, other))
}

fn solution(f: &mut fmt::Formatter<'_>, board: &Placement) -> fmt::Result {
    draw(f, board.size(), &squares(board.columns()).collect::<Vec<_>>(), |_| false)
}

/// Draws the queens on the board; wrong ones are `X`.
fn draw(
    f: &mut fmt::Formatter<'_>,
    n: usize,
    queens: &[Square],
    wrong: impl Fn(Square) -> bool,
) -> fmt::Result {
    for row in (0..n).filter(|_| n <= DRAWN) {
        let cell = |column| match (Square { row, column }) {
            queen if !queens.contains(&queen) => ".",
            queen if wrong(queen) => "X",
            _ => "Q",
        };
        writeln!(f, "    {}", (0..n).map(cell).collect::<Vec<_>>().join(" "))?;
    }
    Ok(())
}

impl fmt::Display for Cut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cut::Timeout(limit) => {
                write!(
                    f,
                    "the program was stopped after {limit:?}, its time limit; its output up to then is judged"
                )
            }
            Cut::Died { exit_code, signal, message } => {
                match (exit_code, signal) {
                    (Some(code), _) => write!(f, "the program failed with exit code {code}")?,
                    (None, Some(signal)) => write!(f, "the program was killed by signal {signal}")?,
                    (None, None) => f.write_str("the program failed")?,
                }
                message.as_ref().map_or(Ok(()), |message| write!(f, "; its last message: {message}"))
            }
            Cut::Boards(limit) => {
                write!(f, "reading stopped after {limit} boards, far more than the number of solutions")
            }
            Cut::Text(limit) => write!(f, "reading stopped after {} MiB without a board", limit >> 20),
            Cut::Memory(limit) => {
                write!(f, "reading stopped after {limit} boards, the most that are kept in memory")
            }
        }
    }
}
