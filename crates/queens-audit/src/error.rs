//! The faults that an audit finds, and the reasons why an audit cannot be carried out.

use std::io;

use lrat_check::{FormulaError, Rejection};
use plaintext::{Escaped, NotUtf8};
use queens_board::problem::Problem;
use queens_board::{Placement, ProblemError, Square};

use super::{MAX_DESCRIPTION_BYTES, MAX_FILE_BYTES, VERSION};

/// A false statement in a certificate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CertificateFault {
    /// One of several parts has a fault.
    #[error("the part '{problem}': {fault}")]
    Part {
        /// The problem of the part.
        problem: Box<Problem>,
        /// The fault.
        fault: Box<CertificateFault>,
    },
    /// The certificate claims a wrong number or a wrong digest.
    #[error("the certificate claims {key} {}, but the correct value is {correct}", Escaped(claimed))]
    Claim {
        /// The key with the claim.
        key: &'static str,
        /// The value in the certificate.
        claimed: String,
        /// The correct value.
        correct: String,
    },
    /// A file differs from its description.
    #[error(
        "{}: the certificate claims {property} {}, but the file has {actual}",
        Escaped(file),
        Escaped(claimed)
    )]
    File {
        /// The name of the file.
        file: String,
        /// The property that differs.
        property: &'static str,
        /// The value in the certificate.
        claimed: String,
        /// The value of the file.
        actual: String,
    },
    /// The cubes do not cover the board.
    #[error("the cubes: {0}")]
    Cubes(CubeFault),
    /// A formula is not valid.
    #[error("the formula is unreadable: {0}")]
    Formula(FormulaError),
    /// A clause is not allowed in the formula.
    #[error("clause {number} of the formula: {fault}")]
    Clause {
        /// The number of the clause, from 1.
        number: u64,
        /// The fault.
        fault: ClauseFault,
    },
    /// The formula lacks this clause.
    #[error("the formula lacks the clause {}", clause_text(.0))]
    MissingClause(Vec<i64>),
    /// The formula lacks a clause that breaks symmetry.
    #[error("the formula lacks a clause that breaks symmetry")]
    MissingBreaking,
    /// The proof is not valid.
    #[error("the checker rejects the proof: {0}")]
    Proof(Rejection),
    /// An external checker does not verify the proof.
    #[error("{0}")]
    Objection(Objection),
    /// The image of a solution under a symmetry of the problem is this board, which is not a solution.
    #[error("the image of a solution under a symmetry of the problem is not a solution: {0}")]
    Image(Placement),
}

/// The reason why an external checker does not verify a proof.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", Escaped(.0))]
pub struct Objection(pub String);

/// The reason why cubes do not cover the board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CubeFault {
    /// A cube does not have one column for each cube row.
    #[error("a cube does not have exactly one column per cube row")]
    Length,
    /// A queen of a cube is outside the board or on a square that must not hold a queen.
    #[error("{0}")]
    Problem(ProblemError),
    /// A cube row is repeated, or outside the board.
    #[error("a cube row is repeated or outside the board")]
    Rows,
    /// There are too many placements on the cube rows.
    #[error("there are more than {0} ways to put queens on the cube rows")]
    TooManyPlacements(usize),
    /// Two parts have the same cube.
    #[error("two parts have the same cube")]
    Repeated,
    /// No part has these queens.
    #[error("no part has queens on {}", squares_text(.0))]
    Missing(Vec<Square>),
}

/// The reason why a clause is not allowed in a formula.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ClauseFault {
    /// The clause occurs too often.
    #[error("it is repeated: {}", clause_text(.0))]
    Repeated(Vec<i64>),
    /// The clause does not follow from the problem.
    #[error("no rule of the problem requires it: {}", clause_text(.0))]
    NoRule(Vec<i64>),
    /// A clause that breaks symmetry is expected here, but the clause does not deny queens.
    #[error("it does not deny queens, so it breaks no symmetry")]
    NoQueens,
    /// The clause denies queens that may belong to the first solution of an orbit.
    #[error("no symmetry of the problem maps every solution with these queens to an earlier solution: {}", clause_text(.0))]
    NoSymmetry(Vec<i64>),
    /// A clause that denies a solution is expected here, but the clause does not deny one queen per row in order.
    #[error("it does not deny one queen per row, top row first")]
    NotOnePerRow,
    /// The clause denies this board, which is not a solution.
    #[error("the board that it denies is not a solution: {0}")]
    NotASolution(Placement),
    /// The clause denies this solution, which is not lexicographically after the previous solution.
    #[error("it denies a solution twice or out of order: {0}")]
    OutOfOrder(Placement),
}

fn clause_text(clause: &[i64]) -> String {
    clause.iter().map(i64::to_string).collect::<Vec<_>>().join(" ")
}

fn squares_text(queens: &[Square]) -> String {
    queens.iter().map(|queen| format!("{}:{}", queen.row, queen.column)).collect::<Vec<_>>().join(",")
}

/// The reason why a text is not the description of a certificate that can be audited.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DescriptionError {
    /// The text is too long.
    #[error("it is longer than {} MiB", MAX_DESCRIPTION_BYTES >> 20)]
    Long,
    /// The text is not UTF-8.
    #[error("{0}")]
    NotUtf8(NotUtf8),
    /// The text is not the JSON of a description. The string is the reason, with line and column.
    #[error("{}", Escaped(.0))]
    Json(String),
    /// The description has another version.
    #[error("schema_version {0} is not supported, only {VERSION}: make the certificate again")]
    Version(u32),
    /// The board is too large.
    #[error("n = {n} exceeds {maximum}, the largest board for certificates of {problems}")]
    LargeBoard {
        /// The size of the board.
        n: usize,
        /// The size of the largest board.
        maximum: usize,
        /// The problems with this maximum.
        problems: &'static str,
    },
    /// The text of the problem is not valid.
    #[error("variant '{}': {}", Escaped(text), Escaped(error))]
    Problem {
        /// The text.
        text: String,
        /// The error in the text.
        error: ProblemError,
    },
    /// The text of the problem is not canonical.
    #[error("variant '{}' should be written '{problem}'", Escaped(text))]
    NotCanonical {
        /// The text.
        text: String,
        /// The problem, which displays as its canonical text.
        problem: Box<Problem>,
    },
    /// Symmetry is broken on more rows than the board of this size has.
    #[error("symmetry.rows has more rows than the board, which has {0}")]
    SymmetryRows(usize),
    /// The name of a file is not a plain file name.
    #[error("'{}' is not the name of a file in the same directory", Escaped(.0))]
    FileName(String),
    /// A file has too many bytes.
    #[error("the claimed size of '{}' is {bytes} bytes; the limit is {MAX_FILE_BYTES}", Escaped(file))]
    LargeFile {
        /// The name of the file.
        file: String,
        /// The claimed number of bytes.
        bytes: u64,
    },
}

/// The reason why an audit does not accept a certificate.
#[derive(Debug, thiserror::Error)]
pub enum AuditError {
    /// The certificate is wrong.
    #[error("{0}")]
    Wrong(#[from] CertificateFault),
    /// The description is not valid, or the audit does not support it.
    #[error("not a certificate of queenlab certify: {0}")]
    NoCertificate(DescriptionError),
    /// A file cannot be read.
    #[error("cannot read {}: {source}", Escaped(file))]
    Unreadable {
        /// The name of the file.
        file: String,
        /// The reason.
        source: io::Error,
    },
    /// The files of the parts were not kept.
    #[error(
        "the cubes of the {0} parts cover the board, but their files were not kept, so that the number of solutions and \
         the digests cannot be checked: make the certificate again with --keep, or compare the digests with those of \
         your own run of certify"
    )]
    NotKept(usize),
    /// An external checker could not be run.
    #[error(transparent)]
    Failed(#[from] io::Error),
}

#[cfg(test)]
mod tests {
    use super::*;
    use lrat_check::{Fault, FormulaFault};
    use queens_board::BoardSize;

    const HOSTILE_TEXT: &str = "a 'b' \"c\" \\d\n\u{1b}[31m\u{202e}";

    fn problem() -> Problem {
        let n = BoardSize::new(2).expect("a size");
        Problem::from_text(n, "queens;place=0:0").expect("a problem")
    }

    #[test]
    fn audit_fault_is_described_on_one_line() {
        let clause = || vec![-3, -2];
        let board = || Placement::new(&[0, 1]);
        let hostile_text = || HOSTILE_TEXT.to_owned();
        let cubes = CertificateFault::Cubes;
        let clause_fault = |fault| CertificateFault::Clause { number: 7, fault };
        let formula = FormulaError::Invalid { line: 2, fault: FormulaFault::OpenClause };
        let proof = Rejection { step: 2, id: Some(6), byte: 21, fault: Fault::NoConflict };
        let part = CertificateFault::Part {
            problem: Box::new(problem()),
            fault: Box::new(CertificateFault::Objection(Objection(hostile_text()))),
        };
        let queens = [(2, 0), (3, 5)].map(|(row, column)| Square { row, column }).to_vec();
        let (claimed, file) = (hostile_text(), hostile_text());
        for (key, fault) in [
            ("part", part),
            (
                "claim",
                CertificateFault::Claim { key: "solutions", claimed: hostile_text(), correct: "3".into() },
            ),
            ("file", CertificateFault::File { file, property: "bytes", claimed, actual: "3".into() }),
            ("formula", CertificateFault::Formula(formula)),
            ("missing clause", CertificateFault::MissingClause(clause())),
            ("missing breaking", CertificateFault::MissingBreaking),
            ("proof", CertificateFault::Proof(proof)),
            ("image", CertificateFault::Image(board())),
            ("cubes, length", cubes(CubeFault::Length)),
            ("cubes, problem", cubes(CubeFault::Problem(ProblemError::MissingRegions))),
            ("cubes, rows", cubes(CubeFault::Rows)),
            ("cubes, too many placements", cubes(CubeFault::TooManyPlacements(1 << 20))),
            ("cubes, repeated", cubes(CubeFault::Repeated)),
            ("cubes, missing", cubes(CubeFault::Missing(queens))),
            ("clause, repeated", clause_fault(ClauseFault::Repeated(clause()))),
            ("clause, no rule", clause_fault(ClauseFault::NoRule(clause()))),
            ("clause, no queens", clause_fault(ClauseFault::NoQueens)),
            ("clause, no symmetry", clause_fault(ClauseFault::NoSymmetry(clause()))),
            ("clause, not one per row", clause_fault(ClauseFault::NotOnePerRow)),
            ("clause, not a solution", clause_fault(ClauseFault::NotASolution(board()))),
            ("clause, out of order", clause_fault(ClauseFault::OutOfOrder(board()))),
        ] {
            let message = fault.to_string();
            assert_eq!(message, Escaped(&message).to_string(), "{key}");
            wording::assert_wording!("fault", key, message);
        }
    }

    #[test]
    fn invalid_certificate_description_is_refused_on_one_line() {
        let (text, file) = (HOSTILE_TEXT.to_owned(), HOSTILE_TEXT.to_owned());
        let error = ProblemError::UnknownVariant(text.clone());
        for (key, error) in [
            ("long", DescriptionError::Long),
            ("not UTF-8", DescriptionError::NotUtf8(NotUtf8::Utf16)),
            ("not JSON", DescriptionError::Json(text.clone())),
            ("version", DescriptionError::Version(1)),
            ("large board", DescriptionError::LargeBoard { n: 17, maximum: 16, problems: "plain queens" }),
            ("problem", DescriptionError::Problem { text: text.clone(), error }),
            ("not canonical", DescriptionError::NotCanonical { text, problem: Box::new(problem()) }),
            ("symmetry rows", DescriptionError::SymmetryRows(6)),
            ("file name", DescriptionError::FileName(file.clone())),
            ("large file", DescriptionError::LargeFile { file, bytes: MAX_FILE_BYTES + 1 }),
        ] {
            let message = AuditError::NoCertificate(error).to_string();
            assert_eq!(message, Escaped(&message).to_string(), "{key}");
            wording::assert_wording!("description", key, message);
        }
    }
}
