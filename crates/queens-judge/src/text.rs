//! A judgement in words: the verdict in the first line, then the evidence, with drawn boards.

use std::fmt::{self, Formatter};

use super::{AnswerKind, CutReason, Illegal, Judgement, SubmissionVerdict};
use queens_board::number::{counted, thousands};
use queens_board::{Square, squares};

/// The side of the largest board that is drawn.
const MAX_DRAWN: usize = 40;

/// The maximum number of attacks on one board that are described in words.
const MAX_ATTACKS: usize = 3;

impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let title = self.problem.title();
        let title = if self.n() == 1 { title.replacen("queens", "queen", 1) } else { title };
        writeln!(f, "{}: {title}: {}", self.verdict().name(), self.summary())?;
        if let Some(cut) = self.remark() {
            writeln!(f, "  {cut}")?;
        }
        if let Some(reading) = self.reading {
            let how = if self.given { "given" } else { "detected" };
            writeln!(f, "notation   {reading} ({how})")?;
        }
        for (side, boards, line) in &self.skipped {
            let boards = counted(*boards, "board");
            writeln!(f, "skipped    {boards} of size {side}, the first in line {line}")?;
        }
        if self.answer_kind == AnswerKind::All {
            self.numbers(f)?;
        }
        self.illegal_ones(f)?;
        self.duplicate_ones(f)?;
        self.missing_ones(f)
    }
}

impl Judgement {
    /// The result in one line, without the verdict.
    pub fn summary(&self) -> String {
        if self.stated.is_some() && self.verdict() != SubmissionVerdict::Unfinished {
            return self.count();
        }
        let read = counted(self.boards, "board");
        let known_how = self.known_how();
        match (self.verdict(), self.boards) {
            (SubmissionVerdict::Correct, 0) => "no solution, and none exists".to_owned(),
            (SubmissionVerdict::Correct, _) if self.answer_kind == AnswerKind::One => "a solution".to_owned(),
            (SubmissionVerdict::Correct, 1) => "the only solution, once".to_owned(),
            (SubmissionVerdict::Correct, _) => {
                format!("all {} solutions, each once", thousands(self.distinct))
            }
            (SubmissionVerdict::Wrong, 0) => match self.expected {
                Some(1) => "it printed no board; 1 solution exists".to_owned(),
                Some(expected) => format!("it printed no board; {} solutions exist", thousands(expected)),
                None => "it printed no board; solutions exist".to_owned(),
            },
            (SubmissionVerdict::Wrong, _) => format!("{read}: {}{}", self.faults(), self.miscount()),
            (SubmissionVerdict::Unfinished, 0) => match &self.cut {
                Some(CutReason::Timeout(limit)) => {
                    format!("it did not finish within {limit:?} and had printed no board")
                }
                Some(CutReason::CpuTime(limit)) => {
                    format!("it did not finish within {limit:?} of CPU time and had printed no board")
                }
                Some(cut) => format!("it printed no board; {cut}"),
                None => "it printed no board".to_owned(),
            },
            (SubmissionVerdict::Unfinished, _) => format!("{read} read, none of them wrong"),
            (SubmissionVerdict::Unknown, _) if self.answer_kind == AnswerKind::One => {
                "no board, and it is not known whether a solution exists".to_owned()
            }
            (SubmissionVerdict::Unknown, _) => format!(
                "{read}, none of them wrong; the number of solutions is not {known_how}: use --first to judge one \
                 solution"
            ),
        }
    }

    /// Why the program was cut short, if [`Self::summary`] does not say it.
    pub fn remark(&self) -> Option<&CutReason> {
        self.cut.as_ref().filter(|_| self.verdict() != SubmissionVerdict::Unfinished || self.boards > 0)
    }

    /// The contradiction between the number of solutions that the text states and that which exists.
    fn miscount(&self) -> String {
        match (self.total, self.expected) {
            (Some(total), Some(expected)) if total != expected => {
                let separator = if self.faults().is_empty() { "" } else { "; " };
                let expected = thousands(expected);
                format!("{separator}it states {}, but {expected} exist", counted(total, "solution"))
            }
            _ => String::new(),
        }
    }

    /// `1 illegal, 2 missing`.
    fn faults(&self) -> String {
        let missing = self.missing.as_ref().map(|missing| missing.solutions);
        let faults = [
            (self.illegal, "illegal"),
            (self.duplicates, "duplicate"),
            (missing.flatten().unwrap_or(0), "missing"),
        ];
        let faults = faults.iter().filter(|(count, _)| *count > 0);
        let mut faults: Vec<String> =
            faults.map(|(count, what)| format!("{} {what}", thousands(*count))).collect();
        if missing == Some(None) {
            faults.push("an unknown number missing".to_owned());
        }
        faults.join(", ")
    }

    /// The stated number and the published one.
    fn count(&self) -> String {
        let number = self.stated.unwrap_or(0);
        let (stated, source) = (counted(number, "solution"), self.expected_source.unwrap_or_default());
        match self.expected {
            Some(expected) if expected == number => format!("{stated} ({source})"),
            Some(expected) => {
                let exist = if expected == 1 { "exists" } else { "exist" };
                let note = match self.expected_fundamental {
                    Some(classes) if classes == number => {
                        format!("; {} is the number up to symmetry (A002562)", thousands(number))
                    }
                    _ => String::new(),
                };
                format!("{stated} stated, but {} {exist} ({source}){note}", thousands(expected))
            }
            None => format!("{stated} stated; the correct number is not {}", self.known_how()),
        }
    }

    /// How the number of solutions would be known.
    fn known_how(&self) -> &'static str {
        if self.problem.is_plain() { "published" } else { "published, and too large to be counted here" }
    }

    fn numbers(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let of = |count: Option<u64>, source: &str| {
            count.map_or(String::new(), |count| format!(" of {} ({source})", thousands(count)))
        };
        let all = of(self.expected, self.expected_source.unwrap_or_default());
        let (distinct, read) = (thousands(self.distinct), counted(self.boards, "board"));
        writeln!(f, "solutions  {distinct} different{all}, {read} read")?;
        let Some(fundamental) = self.fundamental.map(thousands) else { return Ok(()) };
        writeln!(f, "           {fundamental}{} up to symmetry", of(self.expected_fundamental, "A002562"))
    }

    fn illegal_ones(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.illegal == 0 {
            return Ok(());
        }
        writeln!(f, "\nillegal: {}", thousands(self.illegal))?;
        for Illegal { line, fault, queens, attacks } in &self.illegal_shown {
            let at = |square: &Square| format!("row {}, column {}", square.row, square.column);
            let shared = |one: &Square, other: &Square| self.problem.variant().shared(*one, *other);
            let attack = |(one, other): &(Square, Square)| {
                format!("{} and {}: {}", at(one), at(other), shared(one, other))
            };
            let mut reasons: Vec<String> = fault.iter().cloned().collect();
            reasons.extend(attacks.iter().take(MAX_ATTACKS).map(attack));
            if attacks.len() > MAX_ATTACKS {
                reasons.push("and more (marked X)".to_owned());
            }
            writeln!(f, "  line {line}: {}", reasons.join("; "))?;
            let is_wrong = |queen| {
                !self.problem.may_hold(queen)
                    || attacks.iter().any(|&(one, other)| one == queen || other == queen)
            };
            draw(f, self.n(), queens, is_wrong)?;
        }
        more(f, self.illegal, self.illegal_shown.len())?;
        if self.illegal < self.boards || self.given {
            return Ok(());
        }
        let other = self
            .reading
            .map_or("another notation".to_owned(), |notation| format!("a notation other than {notation}"));
        writeln!(f, "  no board is legal: if they are in {other}, name it with --notation")
    }

    fn duplicate_ones(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.duplicates == 0 {
            return Ok(());
        }
        writeln!(f, "\nduplicate: {}", thousands(self.duplicates))?;
        for duplicate in &self.duplicates_shown {
            writeln!(
                f,
                "  line {} repeats line {}: {}",
                duplicate.line, duplicate.first_line, duplicate.board
            )?;
            draw(f, self.n(), &squares(duplicate.board.columns()).collect::<Vec<_>>(), |_| false)?;
        }
        more(f, self.duplicates, self.duplicates_shown.len())
    }

    fn missing_ones(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Some(missing) = &self.missing else { return Ok(()) };
        match missing.solutions {
            Some(count) => writeln!(f, "\nmissing: {}", thousands(count))?,
            None => writeln!(f, "\nmissing: at least the following")?,
        }
        if let Some(pattern) = missing.pattern {
            writeln!(f, "  {pattern}")?;
        }
        if self.boards == 1 && self.expected.is_some_and(|expected| expected > 1) {
            writeln!(f, "  if the task was to print one solution, use --first")?;
        }
        for board in &missing.examples {
            writeln!(f, "  {board}")?;
            draw(f, self.n(), &squares(board.columns()).collect::<Vec<_>>(), |_| false)?;
        }
        Ok(())
    }
}

impl fmt::Display for Illegal {
    /// The reason with its line, or else the columns.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(fault) = &self.fault {
            return write!(f, "line {}: {fault}", self.line);
        }
        let columns: Vec<String> = self.queens.iter().map(|queen| queen.column.to_string()).collect();
        f.write_str(&columns.join(" "))
    }
}

fn more(f: &mut Formatter<'_>, count: u64, listed: usize) -> fmt::Result {
    match count.saturating_sub(listed as u64) {
        0 => Ok(()),
        more => writeln!(f, "  and {} more", thousands(more)),
    }
}

/// Draws the queens on the board; wrong ones are `X`.
fn draw(
    f: &mut Formatter<'_>,
    n: usize,
    queens: &[Square],
    is_wrong: impl Fn(Square) -> bool,
) -> fmt::Result {
    for row in (0..n).filter(|_| n <= MAX_DRAWN) {
        let cell = |column| match (Square { row, column }) {
            queen if !queens.contains(&queen) => ".",
            queen if is_wrong(queen) => "X",
            _ => "Q",
        };
        writeln!(f, "    {}", (0..n).map(cell).collect::<Vec<_>>().join(" "))?;
    }
    Ok(())
}

impl fmt::Display for CutReason {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        const PROGRAM: &str = "the program was stopped";
        const READING: &str = "reading stopped after";
        const JUDGED: &str = "its output up to then is judged";
        match self {
            CutReason::Timeout(limit) => write!(f, "{PROGRAM} after {limit:?}, its time limit; {JUDGED}"),
            CutReason::CpuTime(limit) => {
                write!(f, "{PROGRAM} after {limit:?} of CPU time, its limit; {JUDGED}")
            }
            CutReason::Files(limit) => {
                write!(f, "{PROGRAM} because it wrote more than {} MiB into files", limit >> 20)
            }
            CutReason::ProgramMemory(limit) => {
                write!(f, "{PROGRAM} because it used more than {} MiB of memory", limit >> 20)
            }
            CutReason::Processes(limit) => write!(f, "{PROGRAM} because it had more than {limit} processes"),
            CutReason::Died { exit_code, signal, message } => {
                match (exit_code, signal) {
                    (Some(code), _) => write!(f, "the program failed with exit code {code}")?,
                    (None, Some(signal)) => write!(f, "the program was killed by signal {signal}")?,
                    (None, None) => f.write_str("the program failed")?,
                }
                message.as_ref().map_or(Ok(()), |message| write!(f, "; its last message: {message}"))
            }
            CutReason::Boards(limit) => {
                let boards = thousands(*limit);
                write!(f, "{READING} {boards} boards, far more than the number of solutions")
            }
            CutReason::Text(limit) => write!(f, "{READING} {} MiB without a board", limit >> 20),
            CutReason::Memory(limit) => {
                write!(f, "only {} boards fit into memory, and were compared", thousands(*limit))
            }
        }
    }
}
