//! Wrong certificates: right ones of every kind with one thing changed, and what the audit says. A changed file gets a new
//! digest, unless a wrong digest is the fault.

use super::*;
use crate::audit::Digested;
use crate::board::symmetry::Symmetry;
use crate::board::{Placement, column};

/// A certificate whose files are lines. The changes are made to the part with the most solutions.
#[derive(Clone)]
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
                let content = lines.concat_lines();
                *file = Digested::of(file.file.clone(), content.as_bytes());
                all.insert(file.file.clone(), content.into_bytes());
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

    fn last_step(&mut self) -> &mut String {
        self.proof().last_mut().expect("a step")
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
        let mut all: Vec<Vec<u16>> = Vec::new();
        for (part, [formula, _]) in self.certificate.parts.iter().zip(&self.files) {
            for clause in &formula[formula.len() - part.solutions as usize..] {
                let queens = clause.split(' ').filter_map(|word| word.strip_prefix('-'));
                let square = queens.map(|word| word.parse::<usize>().expect("a literal") - 1);
                let board: Vec<u16> = square.map(|square| column(square % n)).collect();
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

trait Lines {
    fn concat_lines(&self) -> String;
}

impl Lines for Vec<String> {
    /// A line that ends in `\` was cut.
    fn concat_lines(&self) -> String {
        self.iter().map(|line| line.strip_suffix('\\').map_or(format!("{line}\n"), str::to_owned)).collect()
    }
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

/// The fault in words, what the audit says, and the change; `None` if there is nothing to change.
type Fault = (&'static str, &'static str, fn(&mut Forged) -> Option<()>);

const REJECTED: &str = "the checker rejects the proof";

const FAULTS: [Fault; 42] = [
    ("the first literal of a lemma is negated", REJECTED, |it| {
        let has_literal = |step: &&mut String| !matches!(step.split(' ').nth(1), Some("0" | "d"));
        let step = it.proof().iter_mut().find(has_literal)?;
        let (id, rest) = step.split_once(' ')?;
        *step = match rest.strip_prefix('-') {
            Some(rest) => format!("{id} {rest}"),
            None => format!("{id} -{rest}"),
        };
        Some(())
    }),
    ("the last lemma lacks its first hint", REJECTED, |it| {
        let (id, hints) = it.last_step().split_once(" 0 ")?;
        *it.last_step() = format!("{id} 0 {}", hints.split_once(' ')?.1);
        Some(())
    }),
    ("a hint names no clause", REJECTED, |it| {
        *it.last_step() = it.last_step().replacen(" 0 ", " 0 99999999 ", 1);
        Some(())
    }),
    ("a bit of the last hint is flipped", REJECTED, |it| {
        let mut step = it.last_step().clone().into_bytes();
        let digit = step.len().checked_sub(3)?;
        step[digit] ^= 1;
        *it.last_step() = String::from_utf8(step).ok()?;
        Some(())
    }),
    ("the first lemma is missing", REJECTED, |it| {
        it.proof().remove(0);
        Some(())
    }),
    ("the empty clause is missing", REJECTED, |it| it.proof().pop().map(drop)),
    ("the proof ends within a step", REJECTED, |it| {
        let length = it.last_step().len();
        it.last_step().truncate(length - 2);
        it.last_step().push('\\');
        Some(())
    }),
    ("all clauses are deleted before the first lemma", REJECTED, |it| {
        let first = it.first_clause();
        let ids: Vec<String> = (1..=it.formula().len() - first).map(|id| id.to_string()).collect();
        it.proof().insert(0, format!("1 d {} 0", ids.join(" ")));
        Some(())
    }),
    ("the proof is one empty lemma", REJECTED, |it| {
        *it.proof() = vec!["99999 0 1 0".to_owned()];
        it.certificate.parts[it.at].lemmas = 1;
        Some(())
    }),
    ("the proof is that of a smaller board", REJECTED, |it| {
        *it.proof() =
            Forged::right(it.certificate.n - 1, Method::Cubes, SymmetryGroup::None).files[0][1].clone();
        Some(())
    }),
    ("a lemma more is claimed", "claims lemmas", |it| {
        it.certificate.parts[it.at].lemmas += 1;
        Some(())
    }),
    ("a solution is neither denied nor counted", REJECTED, |it| {
        it.formula().pop()?;
        it.recount();
        it.certificate.parts[it.at].solutions -= 1;
        let symmetries =
            if it.certificate.symmetry.is_some() { &Symmetry::ALL[..] } else { &Symmetry::ALL[..1] };
        it.claim_images(symmetries);
        Some(())
    }),
    ("a solution more is claimed", "claims solutions ", |it| {
        it.certificate.solutions += 1;
        Some(())
    }),
    ("a solution more is claimed for a part", "claims solutions of the part ", |it| {
        it.certificate.parts[it.at].solutions += 1;
        Some(())
    }),
    ("another list of solutions is claimed", "claims solutions_sha256 ", |it| {
        it.certificate.solutions_sha256.replace_range(..2, "zz");
        Some(())
    }),
    ("a part of a solution is denied", "it does not deny one queen per row", |it| {
        let clause = it.formula().last_mut()?;
        *clause = format!("{} 0", clause.rsplitn(3, ' ').last()?);
        Some(())
    }),
    ("another board than a solution is denied", "the board that it denies is not a solution", |it| {
        let n = it.certificate.n as i64;
        let diagonal: Vec<String> = (0..n).map(|row| format!("-{}", row * (n + 1) + 1)).collect();
        *it.formula().last_mut()? = format!("{} 0", diagonal.join(" "));
        Some(())
    }),
    ("a queen is required instead of denied", "it does not deny one queen per row", |it| {
        let clause = it.formula().last_mut()?;
        *clause = clause.strip_prefix('-')?.to_owned();
        Some(())
    }),
    ("a solution is denied twice", "it denies a solution twice or out of order", |it| {
        let last = it.formula().last()?.clone();
        it.formula().push(last);
        it.recount();
        it.certificate.parts[it.at].solutions += 1;
        Some(())
    }),
    ("a pair says that its first square is empty", "no rule of the problem says this: -1", |it| {
        let pair = it.formula().iter_mut().find(|clause| clause.starts_with('-'))?;
        *pair = format!("{} 0", pair.split_once(' ')?.0);
        Some(())
    }),
    (
        "two squares that do not attack each other exclude each other",
        "no rule of the problem says this",
        |it| {
            let knight = format!("-1 -{} 0", it.certificate.n + 3);
            *it.formula().iter_mut().find(|clause| clause.starts_with('-'))? = knight;
            Some(())
        },
    ),
    ("a square has no variable", "no rule of the problem says this", |it| {
        let first = it.first_clause();
        it.formula()[first - 1] = it.formula()[first - 1].replacen("cnf ", "cnf 9", 1);
        it.formula()[first] = "900 0".to_owned();
        Some(())
    }),
    ("a pair comes twice in place of another one", "it is repeated", |it| {
        let first = it.formula().iter().position(|clause| clause.starts_with('-'))?;
        it.formula()[first + 1] = it.formula()[first].clone();
        Some(())
    }),
    ("a clause of the board is missing", "clause ", |it| {
        let first = it.first_clause();
        it.formula().remove(first);
        it.recount();
        Some(())
    }),
    ("the formula ends after some clauses of the board", "the formula lacks the clause", |it| {
        let first = it.first_clause();
        it.formula().truncate(first + 20);
        it.recount();
        Some(())
    }),
    ("the formula is no formula", "the formula is unreadable", |it| {
        it.formula().push("x".to_owned());
        Some(())
    }),
    (
        "a clause that breaks symmetry denies two queens of a solution",
        "no symmetry of the problem maps",
        |it| {
            it.certificate.symmetry.as_ref()?;
            let first = it.first_solution();
            let queens: Vec<String> = it.formula()[first].split(' ').map(str::to_owned).collect();
            // Queens on the last two rows; the leading row is above them.
            it.formula()[first - 1] = queens[queens.len() - 3..].join(" ");
            Some(())
        },
    ),
    ("a clause breaks symmetry by a required queen", "it does not deny queens", |it| {
        let breaking = it.certificate.symmetry.as_ref()?.clauses as usize;
        let first = it.first_solution() - breaking;
        it.formula()[first] = "1 0".to_owned();
        Some(())
    }),
    ("symmetry is broken, and not claimed", "", |it| it.certificate.symmetry.take().map(drop)),
    ("the last row leads", "no ", |it| {
        let last = it.certificate.n - 1;
        it.certificate.symmetry.as_mut()?.rows = vec![last];
        Some(())
    }),
    ("only rotations are counted", "claims solutions ", |it| {
        it.certificate.symmetry.as_ref()?;
        let before = it.certificate.solutions;
        it.claim_images(&Symmetry::ROTATIONS);
        (it.certificate.solutions < before).then_some(())
    }),
    ("only the denied solutions are counted", "claims solutions ", |it| {
        it.certificate.symmetry.as_ref()?;
        it.claim_images(&Symmetry::ALL[..1]);
        Some(())
    }),
    ("another variant is claimed", "no ", |it| {
        it.certificate.variant = "semiqueens".to_owned();
        Some(())
    }),
    ("a forbidden square is claimed", "", |it| {
        it.certificate.variant = "queens;forbid=0:0".to_owned();
        Some(())
    }),
    ("another size is claimed", "", |it| {
        it.certificate.n -= 1;
        Some(())
    }),
    ("a part is left out", "no part has queens on ", |it| {
        (it.files.len() > 1).then_some(())?;
        it.files.remove(it.at);
        it.certificate.parts.remove(it.at);
        it.claim_images(&Symmetry::ALL);
        Some(())
    }),
    ("a part is listed twice", "two parts have the same cube", |it| {
        it.files.push(it.files[it.at].clone());
        it.certificate.parts.push(it.certificate.parts[it.at].clone());
        Some(())
    }),
    ("two parts exchange their cubes", "the part 'queens;place=", |it| {
        let [first, second, ..] = it.certificate.parts.as_mut_slice() else { return None };
        std::mem::swap(&mut first.cube, &mut second.cube);
        Some(())
    }),
    ("a part has the proof of another one", "the part 'queens;place=", |it| {
        let other = it.files.iter().position(|files| files[0] != it.files[it.at][0])?;
        *it.proof() = it.files[other][1].clone();
        Some(())
    }),
    ("a cube row is claimed twice", "the cube rows are not different rows", |it| {
        let row = *it.certificate.cube_rows.first()?;
        it.certificate.cube_rows.push(row);
        it.certificate.parts.iter_mut().for_each(|part| part.cube.push(part.cube[0]));
        Some(())
    }),
    ("a cube has one queen less", "", |it| it.certificate.parts[it.at].cube.pop().map(drop)),
    ("a cube more is listed, outside the board", " is outside the board", |it| {
        it.files.push(it.files[0].clone());
        it.certificate.parts.push(it.certificate.parts[0].clone());
        *it.certificate.parts.last_mut()?.cube.first_mut()? = it.certificate.n;
        Some(())
    }),
];

#[test]
fn every_fault_is_found_in_every_kind_of_certificate() {
    let kinds = kinds();
    for right in &kinds {
        assert_eq!(right.clone().audited(), "valid");
    }
    for (fault, told, change) in FAULTS {
        let changed = kinds.iter().filter_map(|right| {
            let mut forged = right.clone();
            change(&mut forged).map(|()| forged.audited())
        });
        let said: Vec<String> = changed.collect();
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
        ("{", "[", "invalid type"),
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
