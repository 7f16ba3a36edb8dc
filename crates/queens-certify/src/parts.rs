//! The parts of a certificate, each with a formula and a proof.
//!
//! The cube of a part is a placement on the cube rows that no clause excludes. The formula of the part contains the constraints of the
//! problem, unit clauses that require the queens of the cube, the clauses that break symmetry (the same in every part), and clauses that
//! deny the solutions with these queens.
//! Parts are independent of each other and of the number of threads.

use std::collections::{BTreeMap, HashMap};

use super::formula::HintedFormula;
use super::proof::Proof;
use super::solutions::Solutions;
use super::{CertifyError, Method, backtrack, cubes};
use queens_audit::{BrokenSymmetry, Certificate, Digested, Part};
use queens_board::problem::Problem;
use queens_board::{Square, column};
use queens_sat::symmetry::{SymmetryBreaking, SymmetryGroup};
use queens_search::backtrack::Bitmask;

/// The files of a part, by name.
pub type PartFiles = BTreeMap<String, Vec<u8>>;

/// A plan of the parts of a certificate. It is made before the solutions are enumerated.
pub struct Plan {
    pub problem: Problem,
    pub breaking: SymmetryBreaking,
    method: Method,
    /// The cube rows of the proofs. The first of them are the cube rows of the parts.
    rows: Vec<usize>,
    /// The cube of each part.
    pub cubes: Vec<Vec<Square>>,
    /// The description, without solutions, parts and times.
    pub head: Certificate,
}

impl Plan {
    /// Plans the parts. Returns an error if the problem is too large, or does not have the symmetries.
    pub fn new(problem: Problem, symmetry: SymmetryGroup, method: Method) -> Result<Self, CertifyError> {
        let n = problem.n().get();
        let head = Certificate::new(&problem);
        head.problem()
            .map_err(|reason| CertifyError::Request(format!("cannot make this certificate: {reason}")))?;
        if !problem.has_symmetries(symmetry.group()) {
            return Err(CertifyError::Request(format!(
                "--symmetry {symmetry}: rotations or reflections do not map this problem onto itself: choose another \
                 symmetry, or none"
            )));
        }
        let breaking = SymmetryBreaking::on_middle_row(n, symmetry);
        let (rows, part_rows) = match method {
            Method::Cubes => (cube_rows(n, &breaking), cubes::part_row_count(n)),
            Method::Backtrack => ((0..n).collect(), backtrack::part_row_count(n)),
        };
        let mut cube_rows = rows[..part_rows.min(rows.len())].to_vec();
        let formula = HintedFormula::new(problem.clone(), &breaking, &Solutions::from_sorted(n, []));
        let mut cubes = open_cubes(&formula, &cube_rows);
        if cubes.is_empty() {
            // A cube row has no allowed square, so one part proves that there is no solution.
            (cube_rows, cubes) = (Vec::new(), vec![Vec::new()]);
        }
        let ordered_rows = [breaking.row, breaking.tie_row()].into_iter().filter(|&row| row < n);
        let broken_symmetry =
            BrokenSymmetry { rows: ordered_rows.collect(), clauses: formula.symmetry_clauses };
        let head = Certificate {
            method: method.name().to_owned(),
            symmetry: (symmetry != SymmetryGroup::None).then_some(broken_symmetry),
            cube_rows,
            queenlab_version: env!("CARGO_PKG_VERSION").to_owned(),
            ..head
        };
        Ok(Self { problem, breaking, method, rows, cubes, head })
    }
}

/// Makes the parts of a certificate.
pub struct PartMaker {
    plan: Plan,
    solutions: Solutions,
    /// The indices of the solutions of each cube.
    indices_by_cube: HashMap<Vec<u32>, Vec<usize>>,
}

impl PartMaker {
    /// Prepares the parts of a certificate. Their proofs show that every solution is in `solutions` or an image of one of them.
    pub fn new(plan: Plan, solutions: Solutions) -> Self {
        let indices_by_cube = solutions.indices_by_rows(&plan.head.cube_rows);
        Self { plan, solutions, indices_by_cube }
    }

    /// Makes a part with its formula and its proof.
    pub fn part(&self, index: usize) -> Result<(Part, PartFiles), CertifyError> {
        let Plan { problem, breaking, method, rows, cubes, head } = &self.plan;
        let cube = &cubes[index];
        let part_problem =
            problem.clone().place(cube.iter().copied()).expect("no clause excludes these squares");
        let key: Vec<u32> = cube.iter().map(|queen| column(queen.column)).collect();
        let positions = self.indices_by_cube.get(&key).into_iter().flatten();
        let solutions =
            Solutions::from_sorted(head.n, positions.map(|&position| self.solutions.get(position)));
        let formula = HintedFormula::new(part_problem, breaking, &solutions);
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
            // For n = 0, the clause that denies the solution is empty. External checkers expect the empty clause in the proof as well.
            proof.lemma(&[], &[formula.solution_clause(0)])?;
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

/// The cube rows of the proofs. The leading row of the symmetry condition comes first, because the condition then excludes the most
/// cubes.
fn cube_rows(n: usize, breaking: &SymmetryBreaking) -> Vec<usize> {
    let mut rows = cubes::rows(n);
    if breaking.symmetry != SymmetryGroup::None {
        rows.sort_by_key(|&row| row != breaking.row);
    }
    rows
}

/// The placements on these rows that no clause of the formula excludes.
fn open_cubes(formula: &HintedFormula, rows: &[usize]) -> Vec<Vec<Square>> {
    let mut cubes = vec![Vec::new()];
    for &row in rows {
        let extended = cubes.iter().flat_map(|queens: &Vec<Square>| {
            let cells = (0..formula.n).map(move |column| Square { row, column });
            let open_cells = cells.filter(|&cell| formula.is_open(queens, cell));
            open_cells.map(|cell| [queens.as_slice(), &[cell]].concat())
        });
        cubes = extended.collect();
    }
    cubes
}
