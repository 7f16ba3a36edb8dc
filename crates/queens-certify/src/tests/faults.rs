//! Wrong certificates: right ones of every kind with one thing changed, and what the audit says. A changed file gets a new
//! digest, unless a wrong digest is the fault.

use super::*;
use queens_audit::{Digested, Part};
use queens_board::symmetry::Symmetry;
use queens_board::{Placement, column};

/// A certificate whose files are lines. The changes are made to the part with the most solutions.
#[derive(Clone, PartialEq)]
struct Forged {
    certificate: Certificate,
    /// The formula and the proof of each part; the first lines of a formula are comments.
    files: Vec<[Vec<String>; 2]>,
    at: usize,
}

impl Forged {
    /// The right certificate.
    fn right(n: usize, method: Method, symmetry: SymmetryGroup) -> Self {
        let (certificate, files) = claimed(&problem(n, "queens"), symmetry, method);
        let lines = |file: &Digested| {
            let text = String::from_utf8(files[&file.file].clone()).expect("UTF-8");
            text.lines().map(str::to_owned).collect::<Vec<_>>()
        };
        let files = certificate.parts.iter().map(|part| [lines(&part.formula), lines(&part.proof)]).collect();
        let at = (0..certificate.parts.len()).max_by_key(|&at| certificate.parts[at].solutions);
        Self { at: at.expect("a part"), certificate, files }
    }

    /// What the audit says, with digests of the files as they are now.
    fn audited(mut self) -> String {
        let mut all = PartFiles::new();
        for (part, files) in self.certificate.parts.iter_mut().zip(&self.files) {
            for (file, lines) in [&mut part.formula, &mut part.proof].into_iter().zip(files) {
                let content = content(lines);
                *file = Digested::of(file.file.clone(), &content);
                all.insert(file.file.clone(), content);
            }
        }
        said(&self.certificate, &all)
    }

    fn formula(&mut self) -> &mut Vec<String> {
        &mut self.files[self.at][0]
    }

    fn proof(&mut self) -> &mut Vec<String> {
        &mut self.files[self.at][1]
    }

    fn part(&mut self) -> &mut Part {
        &mut self.certificate.parts[self.at]
    }

    /// The first clause that two squares are not both occupied.
    fn first_pair(&mut self) -> &mut String {
        self.formula().iter_mut().find(|clause| clause.starts_with('-')).expect("a pair")
    }

    /// The line of the first clause.
    fn first_clause(&mut self) -> usize {
        self.formula().iter().position(|line| line.starts_with("p cnf")).expect("a header") + 1
    }

    /// The line of the first clause that denies a solution.
    fn first_solution(&mut self) -> usize {
        let solutions = self.certificate.parts[self.at].solutions as usize;
        self.formula().len() - solutions
    }

    /// Makes the number of clauses in the header that of the lines.
    fn recount(&mut self) {
        let first = self.first_clause();
        let (n, clauses) = (self.certificate.n, self.formula().len() - first);
        self.formula()[first - 1] = format!("p cnf {} {clauses}", n * n);
    }

    /// Claims the images of all denied solutions under these symmetries.
    fn claim_images(&mut self, symmetries: &[Symmetry]) {
        let n = self.certificate.n;
        let mut all: Vec<Vec<u32>> = Vec::new();
        for (part, [formula, _]) in self.certificate.parts.iter().zip(&self.files) {
            for clause in &formula[formula.len() - part.solutions as usize..] {
                let queens = clause.split(' ').filter_map(|word| word.strip_prefix('-'));
                let square = queens.map(|word| word.parse::<usize>().expect("a literal") - 1);
                let board: Vec<u32> = square.map(|square| column(square % n)).collect();
                all.extend(symmetries.iter().map(|symmetry| {
                    let mut image = vec![0; n];
                    symmetry.map(&board, &mut image);
                    image
                }));
            }
        }
        all.sort();
        all.dedup();
        self.certificate.solutions = all.len() as u64;
        let lines: String = all.iter().map(|board| format!("{}\n", Placement::new(board))).collect();
        self.certificate.solutions_sha256 = Digested::of(String::new(), lines.as_bytes()).sha256;
    }
}

/// The content of a file. A line that ends in `\` was cut.
fn content(lines: &[String]) -> Vec<u8> {
    let line = |line: &String| line.strip_suffix('\\').map_or(format!("{line}\n"), str::to_owned);
    lines.iter().map(line).collect::<String>().into_bytes()
}

fn said(certificate: &Certificate, files: &PartFiles) -> String {
    match audit::audit(certificate, files, None, NonZeroUsize::MIN) {
        Ok(_) => "valid".to_owned(),
        Err(error) => error.to_string(),
    }
}

/// The kinds of certificates, of one part and of several.
fn kinds() -> Vec<Forged> {
    let mut kinds = Vec::new();
    for n in [5, 8] {
        for method in Method::ALL {
            for symmetry in [SymmetryGroup::None, SymmetryGroup::Full] {
                kinds.push(Forged::right(n, method, symmetry));
            }
        }
    }
    kinds
}

/// The fault in words, what the audit says, and the change. It changes nothing where there is nothing to change.
type Fault = (&'static str, &'static str, fn(&mut Forged));

const REJECTED: &str = "the checker rejects the proof";
const NO_RULE: &str = "no rule of the problem says this";

const FAULTS: [Fault; 36] = [
    ("the first literal of a lemma is negated", REJECTED, |it| {
        let has_literal = |step: &&mut String| !matches!(step.split(' ').nth(1), Some("0" | "d"));
        if let Some(step) = it.proof().iter_mut().find(has_literal) {
            let (id, rest) = step.split_once(' ').expect("a lemma");
            *step = rest.strip_prefix('-').map_or(format!("{id} -{rest}"), |rest| format!("{id} {rest}"));
        }
    }),
    ("the first lemma is missing", REJECTED, |it| drop(it.proof().remove(0))),
    ("the empty clause is missing", REJECTED, |it| drop(it.proof().pop())),
    ("the proof ends within a step", REJECTED, |it| {
        let step = it.proof().last_mut().expect("a step");
        step.truncate(step.len() - 2);
        step.push('\\');
    }),
    ("the proof is one empty lemma", REJECTED, |it| {
        *it.proof() = vec!["99999 0 1 0".to_owned()];
        it.part().lemmas = 1;
    }),
    ("the proof is that of a smaller board", REJECTED, |it| {
        let smaller = Forged::right(it.certificate.n - 1, Method::Cubes, SymmetryGroup::None);
        *it.proof() = smaller.files[0][1].clone();
    }),
    ("a lemma more is claimed", "claims lemmas", |it| it.part().lemmas += 1),
    ("a solution is neither denied nor counted", REJECTED, |it| {
        it.formula().pop();
        it.recount();
        it.part().solutions -= 1;
        let is_broken = it.certificate.symmetry.is_some();
        it.claim_images(&Symmetry::ALL[..if is_broken { 8 } else { 1 }]);
    }),
    ("a solution more is claimed", "claims solutions ", |it| it.certificate.solutions += 1),
    ("a solution more is claimed for a part", "claims solutions of the part ", |it| it.part().solutions += 1),
    ("another list of solutions is claimed", "claims solutions_sha256 ", |it| {
        it.certificate.solutions_sha256.replace_range(..2, "zz");
    }),
    ("a part of a solution is denied", "it does not deny one queen per row", |it| {
        let clause = it.formula().last_mut().expect("a clause");
        *clause = format!("{} 0", clause.rsplitn(3, ' ').last().expect("a literal"));
    }),
    ("another board than a solution is denied", "the board that it denies is not a solution", |it| {
        let n = it.certificate.n as i64;
        let diagonal: Vec<String> = (0..n).map(|row| format!("-{}", row * (n + 1) + 1)).collect();
        *it.formula().last_mut().expect("a clause") = format!("{} 0", diagonal.join(" "));
    }),
    ("a queen is required instead of denied", "it does not deny one queen per row", |it| {
        it.formula().last_mut().expect("a clause").remove(0);
    }),
    ("a solution is denied twice", "it denies a solution twice or out of order", |it| {
        let last = it.formula().last().expect("a clause").clone();
        it.formula().push(last);
        it.recount();
        it.part().solutions += 1;
    }),
    ("a pair says that its first square is empty", NO_RULE, |it| {
        let pair = it.first_pair();
        *pair = format!("{} 0", pair.split_once(' ').expect("two literals").0);
    }),
    ("two squares that do not attack each other exclude each other", NO_RULE, |it| {
        let knight = format!("-1 -{} 0", it.certificate.n + 3);
        *it.first_pair() = knight;
    }),
    ("a square has no variable", NO_RULE, |it| {
        let first = it.first_clause();
        it.formula()[first - 1] = it.formula()[first - 1].replacen("cnf ", "cnf 9", 1);
        it.formula()[first] = "900 0".to_owned();
    }),
    ("a pair comes twice in place of another one", "it is repeated", |it| {
        let pair = it.first_pair().clone();
        let at = it.formula().iter().position(|clause| *clause == pair).expect("it is there");
        it.formula()[at + 1] = pair;
    }),
    ("the formula ends after some clauses of the board", "the formula lacks the clause", |it| {
        let first = it.first_clause();
        it.formula().truncate(first + 20);
        it.recount();
    }),
    ("the formula is no formula", "the formula is unreadable", |it| it.formula().push("x".to_owned())),
    (
        "a clause that breaks symmetry denies two queens of a solution",
        "no symmetry of the problem maps",
        |it| {
            if it.certificate.symmetry.is_some() {
                let first = it.first_solution();
                let queens: Vec<String> = it.formula()[first].split(' ').map(str::to_owned).collect();
                // Queens on the last two rows; the leading row is above them.
                it.formula()[first - 1] = queens[queens.len() - 3..].join(" ");
            }
        },
    ),
    ("a clause breaks symmetry by a required queen", "it does not deny queens", |it| {
        if let Some(broken) = it.certificate.symmetry.clone() {
            let first = it.first_solution() - broken.clauses as usize;
            it.formula()[first] = "1 0".to_owned();
        }
    }),
    ("symmetry is broken, and not claimed", "", |it| it.certificate.symmetry = None),
    ("the last row leads", "no ", |it| {
        let last = it.certificate.n - 1;
        it.certificate.symmetry.iter_mut().for_each(|broken| broken.rows = vec![last]);
    }),
    ("only the denied solutions are counted", "claims solutions ", |it| {
        if it.certificate.symmetry.is_some() {
            it.claim_images(&Symmetry::ALL[..1]);
        }
    }),
    ("another variant is claimed", "no ", |it| it.certificate.variant = "semiqueens".to_owned()),
    ("a forbidden square is claimed", "", |it| it.certificate.variant = "queens;forbid=0:0".to_owned()),
    ("another size is claimed", "", |it| it.certificate.n -= 1),
    ("a part is left out", "no part has queens on ", |it| {
        if it.files.len() > 1 {
            it.files.remove(it.at);
            it.certificate.parts.remove(it.at);
            it.claim_images(&Symmetry::ALL);
        }
    }),
    ("a part is listed twice", "two parts have the same cube", |it| {
        it.files.push(it.files[it.at].clone());
        it.certificate.parts.push(it.certificate.parts[it.at].clone());
    }),
    ("two parts exchange their cubes", "the part 'queens;place=", |it| {
        if let [first, second, ..] = it.certificate.parts.as_mut_slice() {
            std::mem::swap(&mut first.cube, &mut second.cube);
        }
    }),
    ("a part has the proof of another one", "the part 'queens;place=", |it| {
        if let Some(other) = it.files.iter().position(|files| files[0] != it.files[it.at][0]) {
            *it.proof() = it.files[other][1].clone();
        }
    }),
    ("a cube row is claimed twice", "the cube rows are not different rows", |it| {
        if let Some(&row) = it.certificate.cube_rows.first() {
            it.certificate.cube_rows.push(row);
            it.certificate.parts.iter_mut().for_each(|part| part.cube.push(part.cube[0]));
        }
    }),
    ("a cube has one queen less", "", |it| _ = it.part().cube.pop()),
    ("a cube more is listed, outside the board", " is outside the board", |it| {
        if it.files.len() > 1 {
            it.files.push(it.files[0].clone());
            it.certificate.parts.push(it.certificate.parts[0].clone());
            it.certificate.parts.last_mut().expect("a part").cube[0] = it.certificate.n;
        }
    }),
];

#[test]
fn every_fault_is_found_in_every_kind_of_certificate() {
    let kinds = kinds();
    for right in &kinds {
        assert_eq!(right.clone().audited(), "valid");
    }
    for (fault, told, change) in FAULTS {
        let forged = kinds.iter().cloned().map(|mut forged| {
            change(&mut forged);
            forged
        });
        let changed = forged.zip(&kinds).filter(|(forged, right)| forged != *right);
        let said: Vec<String> = changed.map(|(forged, _)| forged.audited()).collect();
        let is_found = |said: &String| said != "valid" && said.contains(told);
        assert!(!said.is_empty() && said.iter().all(is_found), "{fault}: {said:#?}");
    }
}

#[test]
fn a_file_that_is_not_the_described_one_is_named() {
    let (certificate, files) = claimed(&problem(6, "queens"), SymmetryGroup::None, Method::Cubes);
    for name in ["part-0002.cnf", "part-0003.lrat"] {
        let mut changed = files.clone();
        changed.get_mut(name).expect("a file").push(b' ');
        let bytes = files[name].len();
        let told = format!("{name}: the certificate claims bytes {bytes}, but the file has {}", bytes + 1);
        assert!(said(&certificate, &changed).ends_with(&told), "{}", said(&certificate, &changed));
        let content = changed.get_mut(name).expect("a file");
        content.pop();
        *content.last_mut().expect("a byte") = b' ';
        let told = format!("{name}: the certificate claims SHA-256 ");
        assert!(said(&certificate, &changed).contains(&told), "{}", said(&certificate, &changed));
        changed.remove(name);
        assert!(said(&certificate, &changed).starts_with(&format!("cannot read {name}: ")));
    }
}

#[test]
fn a_text_that_is_no_certificate_is_told_why() {
    let (right, _) = claimed(&problem(6, "queens"), SymmetryGroup::Full, Method::Cubes);
    let right = right.to_json();
    assert!(Certificate::parse(right.as_bytes()).is_ok());
    for (from, to, told) in [
        ("{", "[", "line 2"),
        ("\"schema_version\": 2", "\"schema_version\": 1", "schema_version 1 is not supported, only 2"),
        ("\"n\": 6", "\"n\": 17", "n = 17 exceeds 16"),
        ("\"n\": 6", "\"variant\": \"toroidal\", \"n\": 33", "n = 33 exceeds 32"),
        ("\"n\": 6", "\"variant\": \"kings\", \"n\": 6", "variant 'kings': "),
        (
            "\"n\": 6",
            "\"variant\": \"queens;place=1:1,0:3\", \"n\": 6",
            "should be written 'queens;place=0:3,1:1'",
        ),
        ("\"part-0001.cnf\"", "\"../x\"", "'../x' is not the name of a file in the same directory"),
        ("\"part-0001.cnf\"", "\"..\"", "'..' is not the name of a file in the same directory"),
        ("\"bytes\": ", "\"bytes\": 1099511627776", "the limit is 1099511627776"),
        (
            "\"rows\": [",
            "\"rows\": [0, 0, 0, 0, 0,",
            "symmetry.rows has more rows than the board, which has 6",
        ),
    ] {
        let changed = right.replacen(from, to, 1);
        let said = Certificate::parse(changed.as_bytes()).expect_err(to);
        assert!(changed != right && said.contains(told), "{to}: {said}");
    }
    let long = Certificate::parse(&vec![b' '; LONGEST as usize + 1]).expect_err("too long");
    assert_eq!(long, "it is longer than 4 MiB");
}
