//! Reads boards from text, one by one, in bounded memory.
//!
//! - The beginning of the text, up to its first solution and at least 64 KiB of it, decides the notation: the one in which it
//!   holds the most solutions, or else the most permutations, or the first board. Two notations that say the same of different
//!   boards are an error that names them.
//! - From then on the text is read in this notation. Boards in another one may repeat boards, so they count only if they
//!   are not solutions, and then as malformed. If the notation was given, they are prose.
//! - Text that resembles a board but is not one, such as `[1, 3, None, 2]`, is a malformed board, never prose.
//! - Prose is passed over, even between the rows of a board; [`Shown::passed`] is the first that holds as many numbers as
//!   a board. A text of only prose has no board.
//! - `matrix`, `list`, `underscore`, `stars` and `unicode` are read in the same way. `columns` and `columns1` are
//!   distinguished by a 0 or an n, and `json` is read as `columns`.
//! - n = 1: a lone `0` or `1` may be a count, so it is no board unless the notation is given.

use std::cmp::Reverse;
use std::io::BufRead;
use std::ops::ControlFlow;

use super::boards::{Boards, Certainty, Parsed, ParsedBoard};
use super::line::{Kind, Piece, counts, numbers_in_a_row};
use super::segments::{HEAD, Segment, Segments};
use super::{Notation, NotationError, ReadError, excerpt};
use queens_board::problem::Problem;
use queens_board::{BoardSize, Placement, column};

/// The most text without a board that is read: enough for a trace of a whole search.
const MOST_TEXT: u64 = 64 << 20;

/// Up to here, text without a solution may be a trace of the search, and does not decide on the notation.
const MOST_HEAD: usize = 4 << 20;

/// The notations that are told apart, and where their rows and columns begin.
const FAMILIES: [(Notation, [u32; 2]); 12] = [
    (Notation::Columns, [0, 0]),
    (Notation::Columns1, [0, 1]),
    (Notation::Digits0, [0, 0]),
    (Notation::Digits, [0, 1]),
    (Notation::Binary, [0, 0]),
    (Notation::Matrix, [0, 0]),
    (Notation::Squares, [0, 0]),
    (Notation::Pairs, [0, 0]),
    (Notation::Pairs, [1, 1]),
    (Notation::Pairs, [0, 1]),
    (Notation::Pairs, [1, 0]),
    (Notation::Dimacs, [0, 0]),
];

/// What a text shows besides its boards.
#[derive(Debug)]
pub struct Shown {
    /// The notation of the boards, if it is known.
    pub notation: Option<Notation>,
    /// The first line of prose that holds as many numbers as a board and is not read as one: its number, from 1,
    /// and its beginning.
    pub passed: Option<(u64, String)>,
    /// The beginning of the text: all of it, if it has at most 64 KiB.
    pub head: Vec<u8>,
    /// Why reading stopped before the end of the text.
    pub end: Result<(), ReadError>,
}

/// Reads the boards of a problem, and passes each to `each`, until that breaks. The notation is detected unless it is
/// given; with `first_only`, at the first solution, because nobody waits for more boards. An error if there are no boards
/// to be read, if the notation does not support their size, or if it can only be written (`svg`).
pub fn read(
    input: impl BufRead,
    problem: &Problem,
    notation: Option<Notation>,
    first_only: bool,
    each: &mut dyn FnMut(Parsed) -> ControlFlow<()>,
) -> Result<Shown, NotationError> {
    let n = problem.n().get();
    if n == 0 || n > BoardSize::MAX {
        let max = BoardSize::MAX;
        return Err(NotationError(format!("boards are read from n = 1 to n = {max}, not for n = {n}")));
    }
    if let Some(notation) = notation {
        notation.admit(n)?;
        if !notation.is_readable() {
            let reason = format!("notation {notation} can be written but not read: choose another");
            return Err(NotationError(reason));
        }
    }
    // The longest reasonable model line: every square with its sign, eight digits and a space.
    let limit = HEAD + 16 * n.pow(2);
    let mut reader = Reader {
        segments: Segments::new(input, limit),
        problem,
        given: notation.map(Notation::family),
        first_only,
        each,
        boards: None,
        bits: Vec::new(),
        bytes: 0,
        passed: None,
        nearest: None,
        any_board: false,
        enough: false,
    };
    let end = reader.run();
    let notation = reader.boards.map(|boards| boards.notation);
    Ok(Shown { notation, passed: reader.passed, head: reader.segments.head, end })
}

struct Reader<'a, R> {
    segments: Segments<R>,
    problem: &'a Problem,
    given: Option<Notation>,
    first_only: bool,
    each: &'a mut dyn FnMut(Parsed) -> ControlFlow<()>,
    /// The boards of the notation, once it is known.
    boards: Option<Boards<'a>>,
    /// Rows of zeros and ones among boards of another notation, each with its text and the column of its queen.
    bits: Vec<(Segment, Vec<u8>, u32)>,
    /// Bytes since the last board.
    bytes: u64,
    passed: Option<(u64, String)>,
    /// As long as there was no board: the line that comes nearest to one, and how many numbers it has.
    nearest: Option<(usize, u64, String)>,
    any_board: bool,
    /// Whether `each` wants no more boards.
    enough: bool,
}

impl<'a, R: BufRead> Reader<'a, R> {
    fn run(&mut self) -> Result<(), ReadError> {
        let mut at_end = false;
        while self.boards.is_none() && !at_end {
            at_end = self.decide()?;
        }
        while !at_end && !self.enough {
            let Some(segment) = self.advance()? else { break };
            let text = std::mem::take(&mut self.segments.text);
            self.take(segment, &text);
            self.segments.text = text;
        }
        self.take_rows();
        if let Some(boards) = &mut self.boards {
            boards.end();
        }
        self.deliver(true);
        let n = self.problem.n().get();
        match self.nearest.take() {
            Some((numbers, line, text)) if !self.any_board => {
                Err(ReadError::NoBoard { line, text, n, resembles: numbers >= n.min(2) })
            }
            _ => Ok(()),
        }
    }

    /// The next piece of text; `None` at its end.
    fn advance(&mut self) -> Result<Option<Segment>, ReadError> {
        let segment = self.segments.advance()?;
        self.bytes += self.segments.text.len() as u64 + 1;
        if self.bytes > MOST_TEXT { Err(ReadError::Endless(MOST_TEXT)) } else { Ok(segment) }
    }

    /// Decides on the notation by the beginning of the text, which should hold a solution, then reads that. Without any
    /// board there, it was prose, and the rest of the text decides. Returns whether the text has ended.
    fn decide(&mut self) -> Result<bool, ReadError> {
        let (problem, n) = (self.problem, self.problem.n().get());
        let certainty = if self.given.is_some() { Certainty::Given } else { Certainty::Tried };
        let families = FAMILIES.iter().filter(|(family, _)| self.given.is_none_or(|given| given == *family));
        let mut tried: Vec<Boards<'a>> =
            families.map(|&(family, first)| Boards::new(family, first, certainty, problem)).collect();
        let (mut head, mut bytes, mut has_solution, mut at_end) = (Vec::new(), 0, false, false);
        let enough = if self.first_only { 0 } else { HEAD };
        while bytes <= enough || !has_solution && bytes <= MOST_HEAD + 64 * n.pow(2) {
            let Some(segment) = self.advance()? else {
                tried.iter_mut().for_each(Boards::end);
                at_end = true;
                break;
            };
            let text = self.segments.text.clone();
            let piece = Piece::of(&text, n);
            tried.iter_mut().for_each(|boards| _ = boards.take(segment.line, &piece));
            has_solution = has_solution || tried.iter().any(Boards::ends_in_solution);
            bytes += text.len() + 1;
            head.push((segment, text));
        }
        let best = best(&tried).map_err(|(line, readings)| {
            let text = head.iter().find(|(segment, _)| segment.line == line);
            let text = text.map_or(String::new(), |(_, text)| excerpt(text));
            let names: Vec<&str> = readings.into_iter().map(Notation::name).collect();
            let (readings, flags) = (names.join(" or "), names.join(" or --notation "));
            ReadError::Ambiguous(format!("line {line}: '{text}' may be {readings}: give --notation {flags}"))
        })?;
        self.boards = best.or_else(|| self.given.and(tried.first())).map(Boards::chosen);
        head.iter().for_each(|(segment, text)| self.take(*segment, text));
        if self.boards.is_none() {
            // A board of another size comes nearer than any line.
            let first = tried.iter().filter_map(|boards| boards.found.first()).min_by_key(|found| found.line);
            if let Some(Parsed { line, board: ParsedBoard::Malformed { fault, .. }, .. }) = first {
                self.nearest = Some((usize::MAX, *line, fault.clone()));
            }
        }
        Ok(at_end)
    }

    /// Reads one piece of text. `n` rows of zeros and ones are a board, whatever notation was decided on.
    fn take(&mut self, segment: Segment, text: &[u8]) {
        let n = self.problem.n().get();
        let piece = Piece::of(text, n);
        let reads_others =
            self.given.is_none() && self.boards.as_ref().is_some_and(|own| own.notation != Notation::Binary);
        let queen = match &piece {
            Piece { kind: Kind::Numbers(numbers), frame: None } if reads_others => numbers.lone_one(n),
            _ => None,
        };
        let Some(queen) = queen else {
            self.take_rows();
            return self.take_piece(segment, &piece, text);
        };
        self.bits.push((segment, text.to_vec(), column(queen)));
        if self.bits.len() == n
            && let Some(boards) = &mut self.boards
        {
            let columns: Vec<u32> = self.bits.iter().map(|(.., queen)| *queen).collect();
            boards.end();
            boards.in_other_notation(self.bits[0].0.line, ParsedBoard::Placement(Placement::new(&columns)));
            self.bits.clear();
            self.deliver(segment.open);
        }
    }

    /// Reads rows of zeros and ones that are too few for a board in the notation that was decided on.
    fn take_rows(&mut self) {
        for (segment, text, _) in std::mem::take(&mut self.bits) {
            self.take_piece(segment, &Piece::of(&text, self.problem.n().get()), &text);
        }
    }

    /// Reads one piece of text in the notation that was decided on.
    fn take_piece(&mut self, segment: Segment, piece: &Piece, text: &[u8]) {
        let (n, at) = (self.problem.n().get(), segment.line);
        if let Some(boards) = &mut self.boards
            && !boards.take(at, piece)
        {
            let reads_all_numbers =
                self.given.is_some() || matches!(boards.notation, Notation::Columns | Notation::Columns1);
            match piece {
                Piece { kind: Kind::Numbers(numbers), frame: None } if !reads_all_numbers => {
                    boards.among_others(at, numbers);
                }
                Piece { kind: Kind::Prose, .. } | Piece { frame: Some(_), .. }
                    if self.passed.is_none() && numbers_in_a_row(text, n) >= n =>
                {
                    self.passed = Some((at, excerpt(text)));
                }
                _ => {}
            }
        }
        self.deliver(segment.open);
        if !self.any_board {
            self.come_near(at, piece, text);
        }
    }

    /// Passes the boards on. `open`: whether the text ends in the last one.
    fn deliver(&mut self, open: bool) {
        let Some(boards) = &mut self.boards else { return };
        for found in boards.found.drain(..) {
            (self.bytes, self.any_board) = (0, true);
            self.enough = self.enough || (self.each)(Parsed { open, ..found }).is_break();
        }
    }

    /// Keeps the line that comes nearest to a board: the first one with the most numbers.
    fn come_near(&mut self, at: u64, piece: &Piece, text: &[u8]) {
        let n = self.problem.n().get();
        let numbers = match &piece.kind {
            Kind::Numbers(numbers) => numbers.values.len().min(n),
            // A line that was read in parts comes after one that is only numbers.
            _ => numbers_in_a_row(text, n).min(n.saturating_sub(1)),
        };
        let is_nearer = self.nearest.as_ref().is_none_or(|(known, ..)| numbers > *known);
        // An empty list is no text.
        if is_nearer && !matches!(text.trim_ascii(), b"" | b"[]") {
            self.nearest = Some((numbers, at, format!("'{}'", excerpt(text))));
        }
    }
}

/// How much a text speaks for a notation: its solutions, its permutations, whether it has a whole board; and the line of
/// the first board. Columns that count up or down may number those of a board below.
type Evidence = ((usize, usize, bool), u64);

/// The evidence for a notation; `None` if there is no board.
fn evidence(boards: &Boards<'_>) -> Option<Evidence> {
    let has_shape = |found: &&Parsed| !matches!(found.board, ParsedBoard::Malformed { misshapen: true, .. });
    let mut line = boards.found.iter().find(has_shape)?.line;
    let (mut solutions, mut permutations, mut any) = (0, 0, false);
    for found in &boards.found {
        let ParsedBoard::Placement(placement) = &found.board else { continue };
        if !std::mem::replace(&mut any, true) {
            line = found.line;
        }
        solutions += usize::from(boards.problem.is_solution(placement.columns()));
        permutations += usize::from(is_permutation(placement.columns()));
    }
    // A lone number is a board only if it can be a solution.
    let is_number = matches!(boards.notation, Notation::Digits | Notation::Digits0);
    (!is_number || permutations > 0).then_some(((solutions, permutations, any), line))
}

/// Whether each column occurs once, and they do not just count up or down.
fn is_permutation(columns: &[u32]) -> bool {
    let mut sorted: Vec<u32> = columns.to_vec();
    let is_heading = sorted.len() > 1 && counts(&sorted);
    sorted.sort_unstable();
    !is_heading && (0..).zip(&sorted).all(|(index, &column)| index == column)
}

/// The notation for which most speaks, the first board among equals. An error if that leaves several readings of the
/// same line.
fn best<'t, 'a>(tried: &'t [Boards<'a>]) -> Result<Option<&'t Boards<'a>>, (u64, Vec<Notation>)> {
    let with_evidence = || tried.iter().filter_map(|boards| Some((boards, evidence(boards)?)));
    let rank = |(evidence, line): &Evidence| (Reverse(*evidence), *line);
    let Some((best, most)) = with_evidence().min_by_key(|(_, found)| rank(found)) else { return Ok(None) };
    let differs = |boards: &Boards<'_>| std::ptr::eq(boards, best) || boards.found != best.found;
    let equals = with_evidence().filter(|(boards, found)| *found == most && differs(boards));
    let mut readings: Vec<Notation> = equals.map(|(boards, _)| boards.notation).collect();
    // Where their rows and columns begin may be open.
    readings.dedup();
    let ((_, _, has_board), line) = most;
    if readings.len() > 1 && has_board { Err((line, readings)) } else { Ok(Some(best)) }
}
