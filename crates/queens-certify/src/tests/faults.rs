//! Changes one statement of a valid certificate of each kind, and checks which fault the audit reports. A changed file gets a new
//! digest, unless a wrong digest is the fault.

use super::*;
use queens_audit::{
    CertificateFault, ClauseFault, CubeFault, DescriptionError, Digested, MAX_FILE_BYTES, Part,
};
use queens_board::symmetry::Symmetry;
use queens_board::{Placement, ProblemError, column};

/// A certificate whose files are stored as lists of lines, so that tests can change them. Tests change the part with the most solutions.
#[derive(Clone, PartialEq)]
struct ForgedCertificate {
    certificate: Certificate,
    /// The formula and the proof of each part; the first lines of a formula are comments.
    files: Vec<[Vec<String>; 2]>,
    part_index: usize,
}

impl ForgedCertificate {
    /// A valid certificate.
    fn valid(n: usize, method: Method, symmetry: SymmetryGroup) -> Self {
        let (certificate, files) = make_with_claims(&problem(n, "queens"), symmetry, method);
        let lines = |text: String| text.lines().map(str::to_owned).collect::<Vec<_>>();
        let lines_of_part = |part: &Part| {
            let [formula, proof] = [&part.formula, &part.proof].map(|file| files[&file.file].clone());
            let proof = as_text(&formula, &proof);
            [String::from_utf8(formula).expect("UTF-8"), proof].map(lines)
        };
        let files = certificate.parts.iter().map(lines_of_part).collect();
        let part_index = (0..certificate.parts.len()).max_by_key(|&index| certificate.parts[index].solutions);
        Self { part_index: part_index.expect("a part"), certificate, files }
    }

    /// Updates the digests of the files, and audits the certificate.
    fn audit(mut self) -> Result<(), AuditError> {
        let mut all_files = PartFiles::new();
        for (part, files) in self.certificate.parts.iter_mut().zip(&self.files) {
            for (file, lines) in [&mut part.formula, &mut part.proof].into_iter().zip(files) {
                let content = content(lines);
                *file = Digested::of(file.file.clone(), &content);
                all_files.insert(file.file.clone(), content);
            }
        }
        audit_certificate(&self.certificate, &all_files)
    }

    fn formula(&mut self) -> &mut Vec<String> {
        &mut self.files[self.part_index][0]
    }

    fn proof(&mut self) -> &mut Vec<String> {
        &mut self.files[self.part_index][1]
    }

    fn part(&mut self) -> &mut Part {
        &mut self.certificate.parts[self.part_index]
    }

    /// The first clause that forbids queens on both of two squares.
    fn first_pair(&mut self) -> &mut String {
        self.formula().iter_mut().find(|clause| clause.starts_with('-')).expect("a pair")
    }

    /// The line of the first clause.
    fn first_clause(&mut self) -> usize {
        self.formula().iter().position(|line| line.starts_with("p cnf")).expect("a header") + 1
    }

    /// The line of the first clause that denies a solution.
    fn first_solution(&mut self) -> usize {
        let solutions = self.certificate.parts[self.part_index].solutions as usize;
        self.formula().len() - solutions
    }

    /// Sets the number of clauses in the header to the number of lines.
    fn recount(&mut self) {
        let first_line = self.first_clause();
        let (n, clauses) = (self.certificate.n, self.formula().len() - first_line);
        self.formula()[first_line - 1] = format!("p cnf {} {clauses}", n * n);
    }

    /// Claims the images of all denied solutions under these symmetries.
    fn claim_images(&mut self, symmetries: &[Symmetry]) {
        let n = self.certificate.n;
        let mut all_images: Vec<Vec<u32>> = Vec::new();
        for (part, [formula, _]) in self.certificate.parts.iter().zip(&self.files) {
            for clause in &formula[formula.len() - part.solutions as usize..] {
                let queens = clause.split(' ').filter_map(|word| word.strip_prefix('-'));
                let square = queens.map(|word| word.parse::<usize>().expect("a literal") - 1);
                let board: Vec<u32> = square.map(|square| column(square % n)).collect();
                all_images.extend(symmetries.iter().map(|symmetry| {
                    let mut image = vec![0; n];
                    symmetry.map(&board, &mut image);
                    image
                }));
            }
        }
        all_images.sort();
        all_images.dedup();
        self.certificate.solutions = all_images.len() as u64;
        let lines: String = all_images.iter().map(|board| format!("{}\n", Placement::new(board))).collect();
        self.certificate.solutions_sha256 = Digested::of(String::new(), lines.as_bytes()).sha256;
    }
}

/// The content of a file. A line that ends in `\` gets no line feed.
fn content(lines: &[String]) -> Vec<u8> {
    let line = |line: &String| line.strip_suffix('\\').map_or(format!("{line}\n"), str::to_owned);
    lines.iter().map(line).collect::<String>().into_bytes()
}

fn audit_certificate(certificate: &Certificate, files: &PartFiles) -> Result<(), AuditError> {
    audit::audit(certificate, files, None, NonZeroUsize::MIN).map(drop)
}

/// The fault of a certificate, or of one of its parts.
fn fault(error: &AuditError) -> Option<&CertificateFault> {
    match error {
        AuditError::Wrong(CertificateFault::Part { fault, .. }) => Some(fault),
        AuditError::Wrong(fault) => Some(fault),
        _ => None,
    }
}

/// Valid certificates of all kinds, with one part and with several parts.
fn kinds() -> Vec<ForgedCertificate> {
    let mut kinds = Vec::new();
    for n in [5, 6, 8] {
        for method in Method::ALL {
            for symmetry in [SymmetryGroup::None, SymmetryGroup::Full] {
                kinds.push(ForgedCertificate::valid(n, method, symmetry));
            }
        }
    }
    kinds
}

/// A description of a fault, a predicate on the error of the audit, and the function that makes the change. The function changes
/// nothing if the change is not possible in a certificate.
type Fault = (&'static str, fn(&AuditError) -> bool, fn(&mut ForgedCertificate));

/// A function that matches the fault of a certificate or of a part with patterns.
macro_rules! certificate_fault {
    ($pattern:pat) => {
        |error| matches!(fault(error), Some($pattern))
    };
}

/// Like [`certificate_fault!`], for the fault of a clause.
macro_rules! clause_fault {
    ($pattern:pat) => {
        certificate_fault!(CertificateFault::Clause { fault: $pattern, .. })
    };
}

const ANY_FAULT: fn(&AuditError) -> bool = |error| matches!(error, AuditError::Wrong(_));
const FAULT_IN_PART: fn(&AuditError) -> bool =
    |error| matches!(error, AuditError::Wrong(CertificateFault::Part { .. }));
const PROOF_REJECTED: fn(&AuditError) -> bool = certificate_fault!(CertificateFault::Proof(_));
const NO_SYMMETRY_OR_CUBE: fn(&AuditError) -> bool = certificate_fault!(
    CertificateFault::Clause { fault: ClauseFault::NoSymmetry(_), .. }
        | CertificateFault::Cubes(CubeFault::Missing(_))
);
const NO_RULE_OR_CUBE: fn(&AuditError) -> bool = certificate_fault!(
    CertificateFault::Clause { fault: ClauseFault::NoRule(_), .. }
        | CertificateFault::Cubes(CubeFault::Missing(_))
);
const NO_RULE: fn(&AuditError) -> bool = clause_fault!(ClauseFault::NoRule(_));

const FAULTS: [Fault; 38] = [
    ("the first literal of a lemma is negated", PROOF_REJECTED, |forged| {
        let has_literal = |step: &&mut String| !matches!(step.split(' ').nth(1), Some("0" | "d"));
        if let Some(step) = forged.proof().iter_mut().find(has_literal) {
            let (id, rest) = step.split_once(' ').expect("a lemma");
            *step = rest.strip_prefix('-').map_or(format!("{id} -{rest}"), |rest| format!("{id} {rest}"));
        }
    }),
    ("the first lemma is missing", PROOF_REJECTED, |forged| drop(forged.proof().remove(0))),
    ("the empty clause is missing", PROOF_REJECTED, |forged| drop(forged.proof().pop())),
    ("the proof ends within a step", PROOF_REJECTED, |forged| {
        let step = forged.proof().last_mut().expect("a step");
        step.truncate(step.len() - 2);
        step.push('\\');
    }),
    ("the proof is one empty lemma", PROOF_REJECTED, |forged| {
        *forged.proof() = vec!["99999 0 1 0".to_owned()];
        forged.part().lemmas = 1;
    }),
    ("the proof is that of a smaller board", PROOF_REJECTED, |forged| {
        let smaller_certificate =
            ForgedCertificate::valid(forged.certificate.n - 1, Method::Cubes, SymmetryGroup::None);
        *forged.proof() = smaller_certificate.files[0][1].clone();
    }),
    (
        "one lemma too many is claimed",
        certificate_fault!(CertificateFault::Claim { key: "lemmas", .. }),
        |forged| forged.part().lemmas += 1,
    ),
    ("a solution is neither denied nor counted", PROOF_REJECTED, |forged| {
        forged.formula().pop();
        forged.recount();
        forged.part().solutions -= 1;
        let is_broken = forged.certificate.symmetry.is_some();
        forged.claim_images(&Symmetry::ALL[..if is_broken { 8 } else { 1 }]);
    }),
    (
        "one solution too many is claimed",
        certificate_fault!(CertificateFault::Claim { key: "solutions", .. }),
        |forged| forged.certificate.solutions += 1,
    ),
    (
        "one solution too many is claimed for a part",
        certificate_fault!(CertificateFault::Claim { key: "solutions of the part", .. }),
        |forged| forged.part().solutions += 1,
    ),
    (
        "another list of solutions is claimed",
        certificate_fault!(CertificateFault::Claim { key: "solutions_sha256", .. }),
        |forged| {
            forged.certificate.solutions_sha256.replace_range(..2, "zz");
        },
    ),
    ("only some queens of a solution are denied", clause_fault!(ClauseFault::NotOnePerRow), |forged| {
        let clause = forged.formula().last_mut().expect("a clause");
        *clause = format!("{} 0", clause.rsplitn(3, ' ').last().expect("a literal"));
    }),
    ("a board that is not a solution is denied", clause_fault!(ClauseFault::NotASolution(_)), |forged| {
        let n = forged.certificate.n as i64;
        let diagonal: Vec<String> = (0..n).map(|row| format!("-{}", row * (n + 1) + 1)).collect();
        *forged.formula().last_mut().expect("a clause") = format!("{} 0", diagonal.join(" "));
    }),
    ("a queen is required instead of denied", clause_fault!(ClauseFault::NotOnePerRow), |forged| {
        forged.formula().last_mut().expect("a clause").remove(0);
    }),
    ("a solution is denied twice", clause_fault!(ClauseFault::OutOfOrder(_)), |forged| {
        let last_clause = forged.formula().last().expect("a clause").clone();
        forged.formula().push(last_clause);
        forged.recount();
        forged.part().solutions += 1;
    }),
    ("a pair says that its first square is empty", NO_RULE, |forged| {
        let pair = forged.first_pair();
        *pair = format!("{} 0", pair.split_once(' ').expect("two literals").0);
    }),
    ("a clause excludes queens on two squares that do not attack each other", NO_RULE, |forged| {
        let knight_pair = format!("-1 -{} 0", forged.certificate.n + 3);
        *forged.first_pair() = knight_pair;
    }),
    ("the variable of a clause has no square", NO_RULE, |forged| {
        let first_line = forged.first_clause();
        forged.formula()[first_line - 1] = forged.formula()[first_line - 1].replacen("cnf ", "cnf 9", 1);
        forged.formula()[first_line] = "900 0".to_owned();
    }),
    ("a pair occurs twice, and another pair is missing", clause_fault!(ClauseFault::Repeated(_)), |forged| {
        let pair = forged.first_pair().clone();
        let pair_line = forged.formula().iter().position(|clause| *clause == pair).expect("it is there");
        forged.formula()[pair_line + 1] = pair;
    }),
    (
        "the formula ends after some clauses of the board",
        certificate_fault!(CertificateFault::MissingClause(_)),
        |forged| {
            let first_line = forged.first_clause();
            forged.formula().truncate(first_line + 20);
            forged.recount();
        },
    ),
    ("the formula is not a CNF", certificate_fault!(CertificateFault::Formula(_)), |forged| {
        forged.formula().push("x".to_owned())
    }),
    (
        "a clause that breaks symmetry denies two queens of a solution",
        clause_fault!(ClauseFault::NoSymmetry(_)),
        |forged| {
            if forged.certificate.symmetry.is_some() {
                let first_line = forged.first_solution();
                let queens: Vec<String> =
                    forged.formula()[first_line].split(' ').map(str::to_owned).collect();
                // Queens on the last two rows; the leading row is above them.
                forged.formula()[first_line - 1] = queens[queens.len() - 3..].join(" ");
            }
        },
    ),
    ("a clause breaks symmetry by a required queen", clause_fault!(ClauseFault::NoQueens), |forged| {
        if let Some(broken) = forged.certificate.symmetry.clone() {
            let first_line = forged.first_solution() - broken.clauses as usize;
            forged.formula()[first_line] = "1 0".to_owned();
        }
    }),
    (
        "a part without solutions lacks a clause that breaks symmetry",
        certificate_fault!(CertificateFault::MissingBreaking),
        |forged| {
            let part_without_solutions = forged.certificate.parts.iter().position(|part| part.solutions == 0);
            if let (Some(_), Some(index)) = (&forged.certificate.symmetry, part_without_solutions) {
                forged.part_index = index;
                forged.formula().pop();
                forged.recount();
            }
        },
    ),
    ("symmetry is broken, but the certificate does not claim it", ANY_FAULT, |forged| {
        forged.certificate.symmetry = None
    }),
    ("the last row is claimed to be the leading row of the symmetry", NO_SYMMETRY_OR_CUBE, |forged| {
        let last_row = forged.certificate.n - 1;
        forged.certificate.symmetry.iter_mut().for_each(|broken| broken.rows = vec![last_row]);
    }),
    (
        "only the denied solutions are counted",
        certificate_fault!(CertificateFault::Claim { key: "solutions", .. }),
        |forged| {
            if forged.certificate.symmetry.is_some() {
                forged.claim_images(&Symmetry::ALL[..1]);
            }
        },
    ),
    ("another variant is claimed", NO_RULE_OR_CUBE, |forged| {
        forged.certificate.variant = "semiqueens".to_owned()
    }),
    ("a forbidden square is claimed", ANY_FAULT, |forged| {
        forged.certificate.variant = "queens;forbid=0:0".to_owned()
    }),
    ("another size is claimed", ANY_FAULT, |forged| forged.certificate.n -= 1),
    ("a part is left out", certificate_fault!(CertificateFault::Cubes(CubeFault::Missing(_))), |forged| {
        if forged.files.len() > 1 {
            forged.files.remove(forged.part_index);
            forged.certificate.parts.remove(forged.part_index);
            forged.claim_images(&Symmetry::ALL);
        }
    }),
    ("a part is listed twice", certificate_fault!(CertificateFault::Cubes(CubeFault::Repeated)), |forged| {
        forged.files.push(forged.files[forged.part_index].clone());
        forged.certificate.parts.push(forged.certificate.parts[forged.part_index].clone());
    }),
    ("two parts exchange their cubes", FAULT_IN_PART, |forged| {
        if let [first, second, ..] = forged.certificate.parts.as_mut_slice() {
            std::mem::swap(&mut first.cube, &mut second.cube);
        }
    }),
    ("a part has the proof of another part", FAULT_IN_PART, |forged| {
        if let Some(other) =
            forged.files.iter().position(|files| files[0] != forged.files[forged.part_index][0])
        {
            *forged.proof() = forged.files[other][1].clone();
        }
    }),
    ("a cube row is claimed twice", certificate_fault!(CertificateFault::Cubes(CubeFault::Rows)), |forged| {
        if let Some(&row) = forged.certificate.cube_rows.first() {
            forged.certificate.cube_rows.push(row);
            forged.certificate.parts.iter_mut().for_each(|part| part.cube.push(part.cube[0]));
        }
    }),
    ("one queen is missing from a cube", ANY_FAULT, |forged| _ = forged.part().cube.pop()),
    (
        "a part is listed again with an additional queen in its cube",
        certificate_fault!(CertificateFault::Cubes(CubeFault::Length)),
        |forged| {
            forged.files.push(forged.files[forged.part_index].clone());
            forged.certificate.parts.push(forged.certificate.parts[forged.part_index].clone());
            forged.certificate.parts.last_mut().expect("a part").cube.push(0);
        },
    ),
    (
        "an additional cube is outside the board",
        certificate_fault!(CertificateFault::Cubes(CubeFault::Problem(ProblemError::Outside { .. }))),
        |forged| {
            if forged.files.len() > 1 {
                forged.files.push(forged.files[0].clone());
                forged.certificate.parts.push(forged.certificate.parts[0].clone());
                forged.certificate.parts.last_mut().expect("a part").cube[0] = forged.certificate.n;
            }
        },
    ),
];

#[test]
fn every_fault_is_detected_in_every_certificate_kind() {
    let kinds = kinds();
    for valid in &kinds {
        valid.clone().audit().expect("valid");
    }
    for (name, is_expected, change) in FAULTS {
        let forged = kinds.iter().cloned().map(|mut forged| {
            change(&mut forged);
            forged
        });
        let changed_certificates = forged.zip(&kinds).filter(|(forged, valid)| forged != *valid);
        let results: Vec<_> = changed_certificates.map(|(forged, _)| forged.audit()).collect();
        let has_expected_fault = |result: &Result<(), AuditError>| result.as_ref().is_err_and(is_expected);
        assert!(!results.is_empty() && results.iter().all(has_expected_fault), "{name}: {results:#?}");
    }
}

#[test]
fn audit_error_names_file_that_differs_from_description() {
    let (certificate, files) = make_with_claims(&problem(6, "queens"), SymmetryGroup::None, Method::Cubes);
    let property = |files: &PartFiles, name: &str| {
        let error = audit_certificate(&certificate, files).expect_err("another file");
        let Some(CertificateFault::File { file, property, claimed, actual }) = fault(&error) else {
            panic!("{error}");
        };
        assert_eq!(file, name);
        (*property, claimed.clone(), actual.clone())
    };
    for name in ["part-0002.cnf", "part-0003.lrat"] {
        let mut changed_files = files.clone();
        changed_files.get_mut(name).expect("a file").push(b' ');
        let bytes = files[name].len();
        let expected = ("bytes", bytes.to_string(), (bytes + 1).to_string());
        assert_eq!(property(&changed_files, name), expected);
        let content = changed_files.get_mut(name).expect("a file");
        content.pop();
        *content.last_mut().expect("a byte") = b' ';
        let digest = |files: &PartFiles| Digested::of(String::new(), &files[name]).sha256;
        let expected = ("SHA-256", digest(&files), digest(&changed_files));
        assert_eq!(property(&changed_files, name), expected);
        changed_files.remove(name);
        let error = audit_certificate(&certificate, &changed_files).expect_err("no file");
        assert!(matches!(&error, AuditError::Unreadable { file, .. } if file == name), "{error}");
    }
}

#[test]
fn text_other_than_a_certificate_is_refused() {
    let (certificate, _) = make_with_claims(&problem(6, "queens"), SymmetryGroup::Full, Method::Cubes);
    let valid_text = certificate.to_json();
    assert!(Certificate::parse(valid_text.as_bytes()).is_ok());
    let parse_error = |from: &str, to: &str| {
        let changed_text = valid_text.replacen(from, to, 1);
        assert_ne!(changed_text, valid_text, "{from}");
        Certificate::parse(changed_text.as_bytes()).expect_err(to)
    };
    let error = parse_error("{", "[");
    assert!(matches!(&error, DescriptionError::Json(reason) if reason.contains("line 2")), "{error}");
    let error = parse_error("\"n\": 6", "\"variant\": \"queens;place=1:1,0:3\", \"n\": 6");
    let DescriptionError::NotCanonical { text, problem } = error else { panic!("{error}") };
    assert_eq!(
        (text.as_str(), problem.to_string().as_str()),
        ("queens;place=1:1,0:3", "queens;place=0:3,1:1")
    );
    let text = str::to_owned;
    let large_board_error = |n, maximum, problems| DescriptionError::LargeBoard { n, maximum, problems };
    let unknown_variant_error = || ProblemError::UnknownVariant(text("kings"));
    for (from, to, error) in [
        ("\"schema_version\": 2", "\"schema_version\": 1", DescriptionError::Version(1)),
        ("\"n\": 6", "\"n\": 17", large_board_error(17, 16, "plain queens")),
        ("\"n\": 6", "\"variant\": \"toroidal\", \"n\": 33", large_board_error(33, 32, "other problems")),
        (
            "\"n\": 6",
            "\"variant\": \"kings\", \"n\": 6",
            DescriptionError::Problem { text: text("kings"), error: unknown_variant_error() },
        ),
        ("\"part-0001.cnf\"", "\"../x\"", DescriptionError::FileName(text("../x"))),
        ("\"part-0001.cnf\"", "\"..\"", DescriptionError::FileName(text(".."))),
        ("\"rows\": [", "\"rows\": [0, 0, 0, 0, 0,", DescriptionError::SymmetryRows(6)),
    ] {
        assert_eq!(parse_error(from, to), error, "{to}");
    }
    let error = parse_error("\"bytes\": ", "\"bytes\": 1099511627776");
    let DescriptionError::LargeFile { file, bytes } = error else { panic!("{error}") };
    assert!(file == "part-0001.cnf" && bytes > MAX_FILE_BYTES, "{file}: {bytes}");
    let parse_result = Certificate::parse(&vec![b' '; MAX_DESCRIPTION_BYTES as usize + 1]);
    assert_eq!(parse_result, Err(DescriptionError::Long));
}
