//! Describes a judgement in words: the verdict in the first line, then the evidence, with drawn boards.

use std::fmt::{self, Formatter};

use super::{AnswerKind, CutReason, IllegalBoard, Judgement, SkippedSize, SubmissionVerdict};
use queens_board::number::{counted, seconds, thousands};
use queens_board::{Square, squares};

/// The side of the largest board that is drawn.
const MAX_DRAWN: usize = 40;

/// The maximum number of attacks on one board that are described in words.
const MAX_DESCRIBED_ATTACKS: usize = 3;

impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let title = self.problem.title();
        let title = if self.n() == 1 { title.replacen("queens", "queen", 1) } else { title };
        writeln!(f, "{}: {title}: {}", self.verdict().name(), self.summary())?;
        if let Some(reason) = self.cut_remark() {
            writeln!(f, "  {reason}")?;
        }
        if let Some(notation) = self.notation {
            let notation_source = if self.is_notation_given { "given" } else { "detected" };
            writeln!(f, "notation   {notation} ({notation_source})")?;
        }
        for SkippedSize { side, board_count, first_line } in &self.skipped_sizes {
            let boards = counted(*board_count, "board");
            writeln!(f, "skipped    {boards} of size {side}, the first in line {first_line}")?;
        }
        if self.answer_kind == AnswerKind::All {
            self.write_counts(f)?;
        }
        self.write_illegal_boards(f)?;
        self.write_duplicates(f)?;
        self.write_missing_boards(f)
    }
}

impl Judgement {
    /// The result in one line, without the verdict.
    pub fn summary(&self) -> String {
        if self.stated_count.is_some() && self.verdict() != SubmissionVerdict::Unfinished {
            return self.count_summary();
        }
        let boards = counted(self.board_count, "board");
        match (self.verdict(), self.board_count) {
            (SubmissionVerdict::Correct, 0) => "no solution, and none exists".to_owned(),
            (SubmissionVerdict::Correct, _) if self.answer_kind == AnswerKind::One => "a solution".to_owned(),
            (SubmissionVerdict::Correct, 1) => "the only solution, once".to_owned(),
            (SubmissionVerdict::Correct, _) => {
                format!("all {} solutions, each once", thousands(self.distinct_count))
            }
            (SubmissionVerdict::Wrong, 0) => match self.expected_count {
                Some(1) => "no board in the output; 1 solution exists".to_owned(),
                Some(expected) => {
                    format!("no board in the output; {} solutions exist", thousands(expected))
                }
                None => "no board in the output; solutions exist".to_owned(),
            },
            (SubmissionVerdict::Wrong, _) => {
                format!("{boards}: {}{}", self.fault_counts(), self.wrong_total())
            }
            (SubmissionVerdict::Unfinished, 0) => match &self.cut_reason {
                Some(CutReason::Timeout(limit)) => {
                    format!("the program did not finish within {} and had printed no board", seconds(*limit))
                }
                Some(CutReason::CpuTime(limit)) => {
                    format!(
                        "the program did not finish within {} of CPU time and had printed no board",
                        seconds(*limit)
                    )
                }
                Some(reason) => format!("no board in the output; {reason}"),
                None => "no board in the output".to_owned(),
            },
            (SubmissionVerdict::Unfinished, _) => format!("{boards} read, none wrong"),
            (SubmissionVerdict::Unknown, _) if self.answer_kind == AnswerKind::One => {
                "no board in the output, and it is not known whether a solution exists".to_owned()
            }
            (SubmissionVerdict::Unknown, _) => format!(
                "{boards} read, none wrong; the number of solutions is {}: use --first to judge one solution",
                self.why_count_is_unknown()
            ),
        }
    }

    /// Why the program was cut short, if [`Self::summary`] does not state it.
    pub fn cut_remark(&self) -> Option<&CutReason> {
        let is_in_summary = self.verdict() == SubmissionVerdict::Unfinished && self.board_count == 0;
        self.cut_reason.as_ref().filter(|_| !is_in_summary)
    }

    /// The contradiction between the total that the text states and the number of solutions; empty if there is none.
    fn wrong_total(&self) -> String {
        match (self.stated_total, self.expected_count) {
            (Some(total), Some(expected)) if total != expected => {
                let separator = if self.fault_counts().is_empty() { "" } else { "; " };
                let exist_verb = if expected == 1 { "exists" } else { "exist" };
                let (total, expected) = (counted(total, "solution"), thousands(expected));
                format!("{separator}the output states {total}, but {expected} {exist_verb}")
            }
            _ => String::new(),
        }
    }

    /// The number of boards with each fault: `1 illegal, 2 missing`.
    fn fault_counts(&self) -> String {
        let missing = self.missing.as_ref().map(|missing| missing.count);
        let faults = [
            (self.illegal_count, "illegal"),
            (self.duplicate_count, "duplicate"),
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

    /// The number of solutions that the text states, and the correct number if that is known.
    fn count_summary(&self) -> String {
        let number = self.stated_count.unwrap_or(0);
        let (solutions, source) = (counted(number, "solution"), self.expected_source.unwrap_or_default());
        match self.expected_count {
            Some(expected) if expected == number => format!("{solutions} ({source})"),
            Some(expected) => {
                let exist_verb = if expected == 1 { "exists" } else { "exist" };
                let note = match self.expected_fundamental_count {
                    Some(classes) if classes == number => {
                        format!("; {} is the number up to symmetry (A002562)", thousands(number))
                    }
                    _ => String::new(),
                };
                format!("{solutions} stated, but {} {exist_verb} ({source}){note}", thousands(expected))
            }
            None => format!("{solutions} stated; the correct number is {}", self.why_count_is_unknown()),
        }
    }

    /// Why the number of solutions is unknown: the end of a sentence that begins with `the number is`.
    fn why_count_is_unknown(&self) -> &'static str {
        if self.problem.is_plain() {
            "not published"
        } else {
            "not published, and too large to be counted here"
        }
    }

    fn write_counts(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let of_count = |count: Option<u64>, source: &str| {
            count.map_or(String::new(), |count| format!(" of {} ({source})", thousands(count)))
        };
        let of_expected = of_count(self.expected_count, self.expected_source.unwrap_or_default());
        let (distinct, boards) = (thousands(self.distinct_count), counted(self.board_count, "board"));
        writeln!(f, "solutions  {distinct} different{of_expected}, {boards} read")?;
        let Some(fundamental) = self.fundamental_count.map(thousands) else { return Ok(()) };
        let of_expected = of_count(self.expected_fundamental_count, "A002562");
        writeln!(f, "           {fundamental}{of_expected} up to symmetry")
    }

    fn write_illegal_boards(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.illegal_count == 0 {
            return Ok(());
        }
        writeln!(f, "\nillegal: {}", thousands(self.illegal_count))?;
        for IllegalBoard { line, fault, queens, attacks } in &self.illegal_examples {
            let place = |square: &Square| format!("row {}, column {}", square.row, square.column);
            let attack = |(first, second): &(Square, Square)| {
                let shared_line = self.problem.variant().shared(*first, *second);
                format!("{} and {}: {shared_line}", place(first), place(second))
            };
            let mut reasons: Vec<String> = fault.iter().cloned().collect();
            reasons.extend(attacks.iter().take(MAX_DESCRIBED_ATTACKS).map(attack));
            if attacks.len() > MAX_DESCRIBED_ATTACKS {
                reasons.push("and more (marked X)".to_owned());
            }
            writeln!(f, "  line {line}: {}", reasons.join("; "))?;
            let is_wrong = |queen| {
                !self.problem.may_hold(queen)
                    || attacks.iter().any(|&(first, second)| first == queen || second == queen)
            };
            draw(f, self.n(), queens, is_wrong)?;
        }
        write_unlisted_count(f, self.illegal_count, self.illegal_examples.len())?;
        if self.illegal_count < self.board_count || self.is_notation_given {
            return Ok(());
        }
        let other_notation = self
            .notation
            .map_or("another notation".to_owned(), |notation| format!("a notation other than {notation}"));
        writeln!(f, "  no board is legal: if the boards are in {other_notation}, specify it with --notation")
    }

    fn write_duplicates(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.duplicate_count == 0 {
            return Ok(());
        }
        writeln!(f, "\nduplicate: {}", thousands(self.duplicate_count))?;
        for duplicate in &self.duplicate_examples {
            writeln!(
                f,
                "  line {} repeats line {}: {}",
                duplicate.line, duplicate.first_line, duplicate.board
            )?;
            draw(f, self.n(), &squares(duplicate.board.columns()).collect::<Vec<_>>(), |_| false)?;
        }
        write_unlisted_count(f, self.duplicate_count, self.duplicate_examples.len())
    }

    fn write_missing_boards(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Some(missing) = &self.missing else { return Ok(()) };
        match missing.count {
            Some(count) => writeln!(f, "\nmissing: {}", thousands(count))?,
            None if missing.examples.is_empty() => writeln!(f, "\nmissing: an unknown number")?,
            None => writeln!(f, "\nmissing: at least the following")?,
        }
        if let Some(pattern) = missing.pattern {
            writeln!(f, "  {pattern}")?;
        }
        if self.board_count == 1 && self.expected_count.is_some_and(|expected| expected > 1) {
            writeln!(f, "  if the task was to print one solution, use --first")?;
        }
        for board in &missing.examples {
            writeln!(f, "  {board}")?;
            draw(f, self.n(), &squares(board.columns()).collect::<Vec<_>>(), |_| false)?;
        }
        Ok(())
    }
}

impl fmt::Display for IllegalBoard {
    /// The fault with its line, or else the columns of the queens.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(fault) = &self.fault {
            return write!(f, "line {}: {fault}", self.line);
        }
        let columns: Vec<String> = self.queens.iter().map(|queen| queen.column.to_string()).collect();
        f.write_str(&columns.join(" "))
    }
}

/// Writes how many boards are not listed.
fn write_unlisted_count(f: &mut Formatter<'_>, count: u64, listed_boards: usize) -> fmt::Result {
    match count.saturating_sub(listed_boards as u64) {
        0 => Ok(()),
        more => writeln!(f, "  and {} more", thousands(more)),
    }
}

/// Draws the queens on the board. Wrong queens are `X`.
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
        const JUDGED: &str = "the output up to then is judged";
        match self {
            CutReason::Timeout(limit) => {
                write!(f, "{PROGRAM} at its time limit of {}; {JUDGED}", seconds(*limit))
            }
            CutReason::CpuTime(limit) => {
                write!(f, "{PROGRAM} at its CPU time limit of {}; {JUDGED}", seconds(*limit))
            }
            CutReason::Files(limit) => {
                write!(f, "{PROGRAM} because it wrote more than {} MiB into files", limit >> 20)
            }
            CutReason::ProgramMemory(limit) => {
                write!(f, "{PROGRAM} because it used more than {} MiB of memory", limit >> 20)
            }
            CutReason::Processes(limit) => write!(f, "{PROGRAM} because it had more than {limit} processes"),
            CutReason::Failed { exit_code, signal, message } => {
                match (exit_code, signal) {
                    (Some(code), _) => write!(f, "the program failed with exit code {code}")?,
                    (None, Some(signal)) => write!(f, "the program was killed by signal {signal}")?,
                    (None, None) => f.write_str("the program failed")?,
                }
                message.as_ref().map_or(Ok(()), |message| write!(f, "; its last message: {message}"))
            }
            CutReason::TooManyBoards(limit) => {
                let boards = thousands(*limit);
                write!(f, "{READING} {boards} boards, at least twice the number of solutions")
            }
            CutReason::TextWithoutBoard(limit) => write!(f, "{READING} {} MiB without a board", limit >> 20),
            CutReason::BoardMemory(limit) => {
                let boards = thousands(*limit);
                write!(
                    f,
                    "only the first {boards} legal boards fit into memory; later boards were not compared"
                )
            }
        }
    }
}
