mod faults;

use super::*;
use parts::PartFiles;
use queens_audit::Digested;
use queens_board::problem::Variant;
use queens_board::{BoardSize, Placement, published};
use solutions::Solutions;

const PUZZLE: &str = "regions;regions=AAAAAA/AABBBA/AACAAA/AACAAD/AEEFFD/AEEDDD";

fn problem(n: usize, text: &str) -> Problem {
    Problem::from_text(BoardSize::new(n).expect("small"), text).expect(text)
}

/// All solutions in lexicographic order, by brute force.
fn solve_by_brute_force(problem: &Problem) -> Vec<Vec<u32>> {
    let n = problem.n().get();
    let mut boards = vec![Vec::new()];
    for _ in 0..n {
        let extended = |board: &Vec<u32>| {
            let free_columns = (0..n as u32).filter(|column| !board.contains(column));
            free_columns.map(|column| [&board[..], &[column]].concat()).collect::<Vec<_>>()
        };
        boards = boards.iter().flat_map(extended).collect();
    }
    boards.retain(|board| problem.is_solution(board));
    boards
}

/// Converts a valid proof to text.
pub fn as_text(formula: &[u8], proof: &[u8]) -> String {
    let mut text = String::new();
    let mut last_id = 0;
    let checker = lrat_check::Checker::read(formula, |_| last_id += 1).expect("a formula");
    let zero = ["0".to_owned()];
    let verdict = checker.check(proof, |step| {
        let numbers =
            |numbers: &[i64]| numbers.iter().map(i64::to_string).chain(zero.clone()).collect::<Vec<_>>();
        let words = match step {
            lrat_check::Step::Lemma { id, clause, hints } => {
                last_id = id;
                let clause: Vec<i64> = clause.iter().map(|literal| literal.dimacs()).collect();
                [vec![id.to_string()], numbers(&clause), numbers(hints)].concat()
            }
            lrat_check::Step::Deletion { ids } => [vec![format!("{last_id} d")], numbers(ids)].concat(),
        };
        text += &(words.join(" ") + "\n");
    });
    assert!(verdict.expect("readable").is_verified(), "{text}");
    text
}

/// Makes a certificate without an audit and without claims. Returns the description, and the files by name.
fn make(problem: &Problem, symmetry: SymmetryGroup, method: Method) -> (Certificate, PartFiles) {
    let plan = Plan::new(problem.clone(), symmetry, method).expect("a small board");
    let (mut certificate, total) = (Certificate { kept: true, ..plan.head.clone() }, plan.cubes.len());
    let solutions = Solutions::enumerate(problem, plan.breaking).expect("few solutions");
    let maker = PartMaker::new(plan, solutions);
    let mut all_files = PartFiles::new();
    for index in 0..total {
        let (part, files) = maker.part(index).expect("all solutions are there");
        certificate.parts.push(part);
        all_files.extend(files);
    }
    (certificate, all_files)
}

/// Like [`make`], but the certificate claims the number and the digest of the solutions by brute force.
fn make_with_claims(problem: &Problem, symmetry: SymmetryGroup, method: Method) -> (Certificate, PartFiles) {
    let (mut certificate, files) = make(problem, symmetry, method);
    let all_solutions = solve_by_brute_force(problem);
    certificate.solutions = all_solutions.len() as u64;
    let lines: String = all_solutions.iter().map(|board| format!("{}\n", Placement::new(board))).collect();
    certificate.solutions_sha256 = Digested::of(String::new(), lines.as_bytes()).sha256;
    (certificate, files)
}

/// Plain boards, variants, puzzles, and problems with squares that must or must not hold a queen, some of them without solutions.
fn problems() -> Vec<Problem> {
    let mut problems: Vec<Problem> = (7..=8).map(|n| problem(n, "queens")).collect();
    for variant in Variant::NAMED {
        problems.extend((0..=6).map(|n| problem(n, variant.name())));
    }
    let other_problems = [
        (7, "toroidal"),
        (6, PUZZLE),
        (6, &format!("{PUZZLE};place=0:0")),
        (4, "regions;regions=AAAA/BBBB/CCCC/DDDD"),
        (1, "queens;place=0:0"),
        (6, "queens;place=0:1"),
        (6, "queens;place=0:0"),
        (6, "queens;place=0:1,2:5,5:4"),
        (6, "queens;place=0:1,1:1"),
        (6, "queens;place=0:1,0:4"),
        (8, "queens;place=5:0,6:2;forbid=0:0,7:7"),
        (6, "queens;forbid=2:0,2:1,2:2,2:4,2:5;place=0:3"),
        (7, "queens;forbid=0:0,3:3,4:1;exclude=s6,d0"),
        (8, "queens;exclude=s7,d0"),
        (6, "toroidal;forbid=1:1;exclude=s1"),
        (7, "toroidal;place=3:3"),
        (5, "reflecting;place=4:2;forbid=0:0"),
    ];
    problems.extend(other_problems.map(|(n, text)| problem(n, text)));
    problems
}

#[test]
fn every_method_proves_every_small_problem() {
    for problem in problems() {
        for symmetry in [SymmetryGroup::None, SymmetryGroup::Mirror, SymmetryGroup::Full] {
            if !problem.has_symmetries(symmetry.group()) {
                continue;
            }
            for method in Method::ALL {
                let (mut certificate, files) = make_with_claims(&problem, symmetry, method);
                let context = format!("{method}, {symmetry}, n = {}: {problem}", problem.n());
                assert!(!certificate.parts.is_empty(), "{context}");
                let audited = audit::audit(&certificate, &files, None, NonZeroUsize::MIN);
                let audited = audited.unwrap_or_else(|error| panic!("{context}: {error}"));
                // The formula of the empty board contains the empty clause.
                assert_eq!(audited.unchecked.contains(&"lemmas"), problem.n().get() == 0, "{context}");
                certificate.kept = false;
                let audited = audit::audit(&certificate, &files, None, NonZeroUsize::MIN);
                assert!(matches!(audited, Err(AuditError::NotKept(_))), "{context}: {audited:?}");
            }
        }
    }
}

fn request(problem: Problem, method: Method, threads: usize) -> Request {
    let threads = NonZeroUsize::new(threads).expect("a number of threads");
    let symmetry = SymmetryGroup::None;
    Request { problem, symmetry, method, threads, directory: None, keep: false, checker: None }
}

#[test]
fn certificate_parts_do_not_depend_on_thread_count() {
    for method in Method::ALL {
        for n in 0..=9 {
            let [serial, parallel] = [1, 3].map(|threads| {
                let result = certify(&request(problem(n, "queens"), method, threads), &|_| {});
                result.expect("a small board")
            });
            assert_eq!(serial.parts, parallel.parts);
            assert_eq!((Some(serial.solutions), serial.n), (published::solutions(n), n));
            assert_eq!(serial.solutions_sha256, parallel.solutions_sha256);
            assert_eq!(serial.parts.len(), if n < 6 { 1 } else { n });
        }
    }
}

/// A319284: the search tree has 2,057 nodes, of which 92 are solutions and one is the root. Each of the eight parts has its own
/// root.
#[test]
fn search_writes_a_lemma_per_failed_node() {
    let (certificate, _) = make(&problem(8, "queens"), SymmetryGroup::None, Method::Backtrack);
    let lemmas: u64 = certificate.parts.iter().map(|part| part.lemmas).sum();
    assert_eq!(lemmas, 2057 - 92 - 1 + 8);
}

#[test]
fn every_method_names_the_solution_that_is_missing() {
    for method in Method::ALL {
        for n in [1, 4, 6, 8] {
            let all_solutions = solve_by_brute_force(&problem(n, "queens"));
            for missing in [0, all_solutions.len() / 2, all_solutions.len() - 1] {
                let mut remaining_solutions = all_solutions.clone();
                let removed_solution = remaining_solutions.remove(missing);
                let plan = Plan::new(problem(n, "queens"), SymmetryGroup::None, method).expect("small");
                let part_count = plan.cubes.len();
                let maker = PartMaker::new(
                    plan,
                    Solutions::from_sorted(n, remaining_solutions.iter().map(Vec::as_slice)),
                );
                let error =
                    (0..part_count).find_map(|index| maker.part(index).err()).expect("one is missing");
                assert!(
                    matches!(&error, CertifyError::Missing(missing) if missing.columns() == removed_solution),
                    "{method}, n = {n}: {error}"
                );
            }
        }
    }
}

/// The longest possible description of a plan: unknown numbers are replaced by the largest numbers.
fn longest_description(plan: Plan) -> Certificate {
    let file = Digested { bytes: audit::MAX_FILE_BYTES, ..Digested::of("part-9999.lrat".to_owned(), b"") };
    let cube = vec![15; plan.head.cube_rows.len()];
    let maximum = u64::MAX;
    let part = audit::Part { cube, solutions: maximum, formula: file.clone(), proof: file, lemmas: maximum };
    let parts = vec![part; plan.cubes.len()];
    Certificate {
        parts,
        solutions: maximum,
        enumerate_ns: maximum,
        prove_ns: maximum,
        threads: usize::MAX,
        ..plan.head
    }
}

/// Problems on the largest board with the most parts. This test enumerates no solutions.
#[test]
fn every_written_certificate_is_readable_by_the_audit() {
    let rows: Vec<String> = ('A'..='P').map(|row| row.to_string().repeat(16)).collect();
    let regions = format!("regions;regions={};forbid=0:0,0:5,3:7,15:15", rows.join("/"));
    for (text, parts) in [("queens", 2236), (&regions, 2548), ("rooks", 3360)] {
        let plan = Plan::new(problem(16, text), SymmetryGroup::None, Method::Cubes).expect("n = 16");
        assert_eq!(plan.cubes.len(), parts, "{text}");
        let json = longest_description(plan).to_json();
        assert!(json.len() > 1 << 20, "an older limit: {}", json.len());
        assert_eq!(Certificate::parse(json.as_bytes()).err(), None, "{text}");
    }
}

#[test]
fn long_checker_command_is_refused_at_once() {
    let checker = Some(format!("true {}", "x".repeat(1 << 16)));
    let request = Request { checker, ..request(problem(4, "queens"), Method::Cubes, 1) };
    let error = certify(&request, &|step| panic!("{step}")).expect_err("it is too long");
    assert!(matches!(error, CertifyError::Checker(CheckerError::Long)), "{error}");
    wording::assert_wording!("certify", "a long command of a checker", error);
}

#[test]
fn symmetry_is_broken_by_default_on_large_boards() {
    assert_eq!(default_symmetry(&problem(12, "queens")), SymmetryGroup::None);
    assert_eq!(default_symmetry(&problem(13, "queens")), SymmetryGroup::Full);
    assert_eq!(default_symmetry(&problem(13, "toroidal")), SymmetryGroup::None);
}

#[test]
fn cubes_assign_the_middle_rows_first() {
    assert_eq!(cubes::rows(5), Vec::<usize>::new());
    assert_eq!(cubes::rows(8), [4, 3]);
    assert_eq!(cubes::rows(13), [6, 5, 7, 4]);
    assert_eq!(cubes::rows(14), [7, 6, 8, 5, 9]);
}
