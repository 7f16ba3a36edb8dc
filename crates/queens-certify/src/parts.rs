//! The parts of a certificate: which there are, and the formula and the proof of each.
//!
//! A cube is a way to put queens on the cube rows that no clause excludes. The formula of its part is that of the problem
//! which requires these queens, with the same clauses that break symmetry, and it denies the solutions with these queens.
//! Parts do not depend on each other, nor on the number of threads.

use std::collections::{BTreeMap, HashMap};

use super::formula::HintedFormula;
use super::proof::Proof;
use super::solutions::Solutions;
use super::{CertifyError, Method, backtrack, cubes};
use queens_audit::{BrokenSymmetry, Certificate, Digested, Part};
use queens_board::problem::Problem;
use queens_board::{Square, column};
use queens_sat::symmetry::{Breaking, SymmetryGroup};
use queens_search::backtrack::Bitmask;

/// The files of a part, by name.
pub type PartFiles = BTreeMap<String, Vec<u8>>;

/// The claims to prove, before the solutions are known.
pub struct Plan {
    pub problem: Problem,
    pub breaking: Breaking,
    method: Method,
    /// The rows that the cubes of the proofs fix; those of the parts come first.
    rows: Vec<usize>,
    /// One for each part.
    pub cubes: Vec<Vec<Square>>,
    /// The description, without solutions, parts and times.
    pub head: Certificate,
}

impl Plan {
    /// An error if the problem is too large, or does not have the symmetries.
    pub fn new(problem: Problem, symmetry: SymmetryGroup, method: Method) -> Result<Self, CertifyError> {
        let n = problem.n().get();
        let head = Certificate::new(&problem);
        head.problem().map_err(|reason| {
            CertifyError::Request(format!("an audit would not accept this certificate: {reason}"))
        })?;
        if !problem.has_symmetries(symmetry.group()) {
            return Err(CertifyError::Request(format!(
                "--symmetry {symmetry}: rotations or reflections do not map this problem onto itself: choose another \
                 symmetry, or none"
            )));
        }
        let breaking = Breaking::middle(n, symmetry);
        let (rows, of_parts) = match method {
            Method::Cubes => (cube_rows(n, &breaking), cubes::rows_of_parts(n)),
            Method::Backtrack => ((0..n).collect(), backtrack::rows_of_parts(n)),
        };
        let mut cube_rows = rows[..of_parts.min(rows.len())].to_vec();
        let formula = HintedFormula::new(problem.clone(), &breaking, &Solutions::of(n, []));
        let mut cubes = open_cubes(&formula, &cube_rows);
        if cubes.is_empty() {
            // A row has no square for a queen: one part shows that there is no solution.
            (cube_rows, cubes) = (Vec::new(), vec![Vec::new()]);
        }
        let order = [breaking.row, breaking.tie_row()].into_iter().filter(|&row| row < n);
        let broken = BrokenSymmetry { rows: order.collect(), clauses: formula.symmetry_clauses };
        let head = Certificate {
            method: method.name().to_owned(),
            symmetry: (symmetry != SymmetryGroup::None).then_some(broken),
            cube_rows,
            queenlab_version: env!("CARGO_PKG_VERSION").to_owned(),
            ..head
        };
        Ok(Self { problem, breaking, method, rows, cubes, head })
    }
}

/// Makes the parts of a certificate.
pub struct Maker {
    plan: Plan,
    solutions: Solutions,
    /// The positions of the solutions of each cube.
    by_cube: HashMap<Vec<u32>, Vec<usize>>,
}

impl Maker {
    /// The maker that takes these for all solutions.
    pub fn new(plan: Plan, solutions: Solutions) -> Self {
        let by_cube = solutions.by_rows(&plan.head.cube_rows);
        Self { plan, solutions, by_cube }
    }

    /// A part with its formula and its proof.
    pub fn part(&self, index: usize) -> Result<(Part, PartFiles), CertifyError> {
        let Plan { problem, breaking, method, rows, cubes, head } = &self.plan;
        let cube = &cubes[index];
        let of_part = problem.clone().place(cube.iter().copied()).expect("no clause excludes these squares");
        let key: Vec<u32> = cube.iter().map(|queen| column(queen.column)).collect();
        let positions = self.by_cube.get(&key).into_iter().flatten();
        let solutions = Solutions::of(head.n, positions.map(|&position| self.solutions.get(position)));
        let formula = HintedFormula::new(of_part, breaking, &solutions);
        let (mut cnf, mut lrat) = (Vec::new(), Vec::new());
        formula.write(&mut cnf)?;
        let mut proof = Proof::new(formula.cnf.len() as u64, &mut lrat);
        match method {
            Method::Backtrack if problem.is_plain() && breaking.symmetry == SymmetryGroup::None => {
                backtrack::write(|n, lemmas| Bitmask::search(n, lemmas), &formula, &solutions, &mut proof)?;
            }
            _ => cubes::write(&formula, &solutions, cube, rows, &mut proof)?,
        }
        if proof.lemmas == 0 {
            // The clause of the empty board is empty; other checkers expect it in the proof.
            proof.lemma(&[], &[formula.solution(0)])?;
        }
        proof.flush()?;
        let lemmas = proof.lemmas;
        let [formula, proof] = ["cnf", "lrat"].map(|extension| format!("part-{:04}.{extension}", index + 1));
        let part = Part {
            cube: cube.iter().map(|queen| queen.column).collect(),
            solutions: solutions.len() as u64,
            formula: Digested::of(formula.clone(), &cnf),
            proof: Digested::of(proof.clone(), &lrat),
            lemmas,
        };
        Ok((part, BTreeMap::from([(formula, cnf), (proof, lrat)])))
    }
}

/// The rows that the cubes of proofs fix. The condition on the leading row excludes most when this row comes first.
fn cube_rows(n: usize, breaking: &Breaking) -> Vec<usize> {
    let mut rows = cubes::rows(n);
    if breaking.symmetry != SymmetryGroup::None {
        rows.sort_by_key(|&row| row != breaking.row);
    }
    rows
}

/// The ways to put queens on these rows that no clause of the formula excludes.
fn open_cubes(formula: &HintedFormula, rows: &[usize]) -> Vec<Vec<Square>> {
    let mut cubes = vec![Vec::new()];
    for &row in rows {
        let longer = cubes.iter().flat_map(|queens: &Vec<Square>| {
            let cells = (0..formula.n).map(move |column| Square { row, column });
            let open = cells.filter(|&cell| formula.is_open(queens, cell));
            open.map(|cell| [queens.as_slice(), &[cell]].concat())
        });
        cubes = longer.collect();
    }
    cubes
}
