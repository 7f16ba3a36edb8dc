//! Tests with a handwritten certificate for n = 2. Its two parts prove that there is no solution with the first queen in column 0, and
//! no solution with the first queen in column 1.

use super::*;

/// The formula without its last clause. It has comments and extra blanks, which the audit does not copy.
const FORMULA: &str = "c square 0 0 1\np  cnf 4  11\n1 2 0 3 4 0\n 1 3 0\n2 4 0\n-1 -2 0\n-1 -3 0\n-1 -4 0\n\
                       -2 -3 0\n-2 -4 0\n-3 -4 0\n";

/// For each part, the last clause of its formula, and its proof.
const PARTS: [(&str, &str); 2] =
    [("1 0\n", "11 d 3 0\n12  -3 0 11 6 0\n12 d 9 4 0\n13 0 11 7 12 2 0\n"), ("2 0\n", "12 0 11 8 9 2 0\n")];

fn certificate() -> (Certificate, BTreeMap<String, Vec<u8>>) {
    let mut files = BTreeMap::new();
    let mut parts = Vec::new();
    for (column, (queen, proof)) in PARTS.into_iter().enumerate() {
        let formula = Digested::of(format!("{column}.cnf"), format!("{FORMULA}{queen}").as_bytes());
        files.insert(formula.file.clone(), format!("{FORMULA}{queen}").into_bytes());
        let proof_file = Digested::of(format!("{column}.lrat"), proof.as_bytes());
        files.insert(proof_file.file.clone(), proof.as_bytes().to_vec());
        let lemmas = 2 - column as u64;
        parts.push(Part { cube: vec![column], solutions: 0, formula, proof: proof_file, lemmas });
    }
    let certificate = Certificate {
        schema_version: 2,
        n: 2,
        variant: "queens".to_owned(),
        solutions_sha256: Digested::of(String::new(), b"").sha256,
        cube_rows: vec![0],
        kept: true,
        parts,
        ..Certificate::default()
    };
    (certificate, files)
}

/// An external checker that records its input.
#[derive(Default)]
struct RecordingChecker {
    requests: Mutex<Vec<(String, String)>>,
    objection: Option<&'static str>,
}

impl ExternalChecker for RecordingChecker {
    fn check(&self, formula: &str, proof: &str) -> io::Result<Result<CheckedBy, Objection>> {
        self.requests.lock().expect("no panic").push((formula.to_owned(), proof.to_owned()));
        let checked_by = CheckedBy { name: "other".to_owned(), parts: 1, check_ns: 21 };
        Ok(self.objection.map_or(Ok(checked_by), |objection| Err(Objection(objection.to_owned()))))
    }
}

/// Audits a certificate. Returns the number of solutions.
fn audit_and_count(
    certificate: &Certificate,
    files: &dyn Files,
    external: Option<&dyn ExternalChecker>,
) -> Result<u64, AuditError> {
    audit(certificate, files, external, NonZeroUsize::MIN).map(|audited| audited.solutions)
}

/// The fault of a certificate.
fn fault(
    certificate: &Certificate,
    files: &dyn Files,
    external: Option<&dyn ExternalChecker>,
) -> CertificateFault {
    match audit_and_count(certificate, files, external) {
        Err(AuditError::Wrong(fault)) => fault,
        other => panic!("{other:?}"),
    }
}

/// The fault of the part with the queen in the left column.
fn fault_of_first_part(
    certificate: &Certificate,
    files: &dyn Files,
    external: Option<&dyn ExternalChecker>,
) -> CertificateFault {
    match fault(certificate, files, external) {
        CertificateFault::Part { problem, fault } if problem.to_string() == "queens;place=0:0" => *fault,
        other => panic!("{other:?}"),
    }
}

#[test]
fn external_checker_receives_the_audited_parts() {
    let (certificate, files) = certificate();
    let external = RecordingChecker::default();
    let audited = audit(&certificate, &files, Some(&external), NonZeroUsize::MIN).expect("valid");
    assert_eq!((audited.n, audited.variant.as_str(), audited.solutions), (2, "queens", 0));
    let checkers: Vec<_> = audited.checkers.iter().map(|by| (by.name.as_str(), by.parts)).collect();
    assert_eq!(checkers, [(BUILT_IN, 2), ("other", 2)]);
    assert_eq!(audited.checkers[1].check_ns, 42);
    let unchecked = ["method", "checkers", "threads", "enumerate_ns", "prove_ns", "queenlab_version"];
    assert_eq!(audited.unchecked, unchecked);
    let clauses = "1 2 0\n3 4 0\n1 3 0\n2 4 0\n-1 -2 0\n-1 -3 0\n-1 -4 0\n-2 -3 0\n-2 -4 0\n-3 -4 0\n";
    let proofs = ["11 d 3 0\n12 -3 0 11 6 0\n12 d 9 4 0\n13 0 11 7 12 2 0\n", "12 0 11 8 9 2 0\n"];
    let requests = external.requests.into_inner().expect("no panic");
    let expected = ["1 0\n", "2 0\n"].map(|queen| format!("p cnf 4 11\n{clauses}{queen}"));
    assert!(requests.iter().map(|(formula, _)| formula).eq(&expected), "{requests:?}");
    assert!(requests.iter().map(|(_, proof)| proof).eq(&proofs), "{requests:?}");
}

/// For one queen, the only square is both the row and the column, and the formula denies the only solution.
#[test]
fn certificate_for_one_queen_proves_one_solution() {
    let files = [("cnf", "p cnf 1 3\n1 0\n1 0\n-1 0\n"), ("lrat", "4 0 1 3 0\n")];
    let [formula, proof] = files.map(|(name, content)| Digested::of(name.to_owned(), content.as_bytes()));
    let certificate = Certificate {
        n: 1,
        solutions: 1,
        solutions_sha256: Digested::of(String::new(), b"0\n").sha256,
        cube_rows: Vec::new(),
        parts: vec![Part { cube: Vec::new(), solutions: 1, formula, proof, lemmas: 1 }],
        ..certificate().0
    };
    let external = RecordingChecker::default();
    let named_files = files.map(|(name, content)| (name.to_owned(), content.as_bytes().to_vec()));
    assert_eq!(
        audit_and_count(&certificate, &BTreeMap::from(named_files.clone()), Some(&external)).ok(),
        Some(1)
    );
    let requests = external.requests.into_inner().expect("no panic");
    assert_eq!(requests, [(files[0].1.to_owned(), files[1].1.to_owned())]);
    // A part without a cube is not named in the message.
    let wrong_certificate = Certificate { n: 2, ..certificate };
    let fault = fault(&wrong_certificate, &BTreeMap::from(named_files), None);
    let CertificateFault::Clause { number: 1, fault } = fault else { panic!("{fault}") };
    assert_eq!(fault, ClauseFault::NoRule(vec![1]));
}

#[test]
fn rejection_by_external_checker_is_reported() {
    let (certificate, files) = certificate();
    let external = RecordingChecker { objection: Some("not\nverified"), ..RecordingChecker::default() };
    let fault = fault_of_first_part(&certificate, &files, Some(&external));
    let CertificateFault::Objection(objection) = fault else { panic!("{fault}") };
    assert_eq!(objection, Objection("not\nverified".to_owned()));
    assert_eq!(audit_and_count(&certificate, &files, None).ok(), Some(0));
}

#[test]
fn audit_reports_clause_missing_from_a_formula() {
    for (lacks, missing) in [("-2 -3 0\n", &[-3, -2][..]), ("\n1 0", &[1]), ("1 2 0 3 4 0", &[1, 2])] {
        let (mut certificate, mut files) = certificate();
        let formula = String::from_utf8(files["0.cnf"].clone()).expect("UTF-8");
        let clauses = if lacks.starts_with("1 2") { "cnf 4 9" } else { "cnf 4 10" };
        let formula = formula.replace(lacks, "").replace("cnf 4  11", clauses);
        certificate.parts[0].formula = Digested::of("0.cnf".to_owned(), formula.as_bytes());
        files.insert("0.cnf".to_owned(), formula.into_bytes());
        let fault = fault_of_first_part(&certificate, &files, None);
        assert!(matches!(&fault, CertificateFault::MissingClause(clause) if clause == missing), "{fault}");
    }
    let (mut certificate, files) = certificate();
    certificate.symmetry = Some(BrokenSymmetry { rows: vec![0], clauses: 1 });
    let fault = fault_of_first_part(&certificate, &files, None);
    assert!(matches!(fault, CertificateFault::MissingBreaking), "{fault}");
}

#[test]
fn certificate_json_of_maximum_size_is_read() {
    let (mut certificate, _) = certificate();
    certificate.parts[0].solutions = 3;
    certificate.parts[1].solutions = 4;
    assert_eq!(certificate.denied_solutions(), 7);
    certificate.parts[1].proof.bytes = MAX_FILE_BYTES;
    certificate.symmetry = Some(BrokenSymmetry { rows: vec![0, 1], clauses: 0 });
    let mut json = certificate.to_json().into_bytes();
    json.resize(MAX_DESCRIPTION_BYTES as usize, b' ');
    assert_eq!(Certificate::parse(&json), Ok(certificate.clone()));
    json.push(b' ');
    assert_eq!(Certificate::parse(&json), Err(DescriptionError::Long));
    certificate.symmetry = None;
    for (variant, maximum, problems) in [("queens", 16, "plain queens"), ("toroidal", 32, "other problems")] {
        let certificate_of_size = |n| Certificate { n, variant: variant.to_owned(), ..certificate.clone() };
        assert!(certificate_of_size(maximum).problem().is_ok(), "{variant}");
        let n = maximum + 1;
        assert_eq!(
            certificate_of_size(n).problem(),
            Err(DescriptionError::LargeBoard { n, maximum, problems })
        );
    }
    certificate.parts[1].proof.bytes += 1;
    let too_large = DescriptionError::LargeFile { file: "1.lrat".to_owned(), bytes: MAX_FILE_BYTES + 1 };
    assert_eq!(certificate.problem(), Err(too_large));
}

/// Files, one of which returns this error once after its first bytes. After the error `Interrupted`, reading must continue.
struct FailingFiles(BTreeMap<String, Vec<u8>>, io::ErrorKind);

struct PiecewiseReader<'a>(&'a [u8], Option<io::ErrorKind>);

impl Read for PiecewiseReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.0.len() < 20
            && let Some(kind) = self.1.take()
        {
            return Err(kind.into());
        }
        let length = buffer.len().min(7);
        self.0.read(&mut buffer[..length])
    }
}

impl Files for FailingFiles {
    fn open(&self, name: &str) -> io::Result<Box<dyn Read + '_>> {
        let error = Some(self.1).filter(|_| name == "1.cnf");
        Ok(Box::new(PiecewiseReader(&self.0[name], error)))
    }
}

#[test]
fn unreadable_file_is_reported_and_interrupted_read_repeated() {
    let (certificate, files) = certificate();
    let audit_with_error = |kind| audit_and_count(&certificate, &FailingFiles(files.clone(), kind), None);
    assert_eq!(audit_with_error(io::ErrorKind::Interrupted).ok(), Some(0));
    let error = audit_with_error(io::ErrorKind::TimedOut).expect_err("it cannot be read");
    assert!(matches!(&error, AuditError::Unreadable { file, .. } if file == "1.cnf"), "{error}");
}

#[test]
fn parallel_work_returns_results_in_order_or_error() {
    for threads in [1, 2, 5].map(|threads| NonZeroUsize::new(threads).expect("positive")) {
        let squares = in_parallel(threads, 20, |index| Ok::<_, usize>(index * index));
        assert_eq!(squares, Ok((0..20).map(|index| index * index).collect()));
        let result = in_parallel(threads, 20, |index| if index == 3 { Err(index) } else { Ok(()) });
        assert_eq!(result, Err(3));
        assert_eq!(in_parallel(threads, 0, |_| Err::<(), _>(())), Ok(Vec::new()));
    }
    // After an error, no further work begins.
    let call_count = AtomicUsize::new(0);
    let work = |index| {
        call_count.fetch_add(1, Ordering::Relaxed);
        if index == 3 { Err(()) } else { Ok(()) }
    };
    assert_eq!((in_parallel(NonZeroUsize::MIN, 20, work), call_count.into_inner()), (Err(()), 4));
}
