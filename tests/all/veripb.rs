//! `certify --format veripb`: the proofs go through a small checker of this file, and through VeriPB where it is
//! installed.

use std::path::PathBuf;
use std::process::Command;

use tempfile::TempDir;

use crate::harness::run;

/// A formula and a proof in a directory of their own.
struct Written {
    _directory: TempDir,
    proof: PathBuf,
}

impl Written {
    fn new(n: usize, options: &[&str]) -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let proof = directory.path().join("queens.pbp");
        let (n, path) = (n.to_string(), proof.to_str().expect("UTF-8").to_owned());
        let arguments = [&["certify", &n, "--proof", &path, "--format", "veripb"], options].concat();
        let (code, out, err) = run(&arguments);
        assert_eq!(code, 0, "{options:?}: {out}{err}");
        Self { _directory: directory, proof }
    }

    fn read(&self, extension: &str) -> String {
        std::fs::read_to_string(self.proof.with_extension(extension)).expect("a file of the certificate")
    }
}

/// A clause or a partial assignment: for each literal its variable, from 0, and its value.
type Literals = Vec<(usize, bool)>;

fn literals<'a>(words: impl Iterator<Item = &'a str>) -> Literals {
    let read = |word: &str| {
        let value = !word.starts_with('~');
        let number: usize =
            word.trim_start_matches('~').strip_prefix('x').expect("a literal").parse().expect("a number");
        (number - 1, value)
    };
    words.map(read).collect()
}

/// `1 x1 1 ~x2 >= 1`.
fn clause(text: &str) -> Literals {
    let terms = text.strip_suffix(">= 1").expect("a clause").trim();
    let words: Vec<&str> = terms.split_whitespace().collect();
    assert!(words.chunks(2).all(|term| term[0] == "1"), "{text}");
    literals(words.chunks(2).map(|term| term[1]))
}

/// Propagates units; `None` if a clause is falsified.
fn propagate(clauses: &[Option<Literals>], mut values: Vec<Option<bool>>) -> Option<Vec<Option<bool>>> {
    loop {
        let mut changed = false;
        for clause in clauses.iter().flatten() {
            if clause.iter().any(|&(variable, value)| values[variable] == Some(value)) {
                continue;
            }
            let mut open = clause.iter().filter(|(variable, _)| values[*variable].is_none());
            match (open.next(), open.next()) {
                (None, _) => return None,
                (Some(&(variable, value)), None) => {
                    values[variable] = Some(value);
                    changed = true;
                }
                _ => {}
            }
        }
        if !changed {
            return Some(values);
        }
    }
}

/// The number of solutions that a proof logs, if it also refutes that there are more.
fn checked(formula: &str, proof: &str) -> Result<usize, String> {
    let constraints = formula.lines().filter(|line| !line.starts_with('*'));
    let mut clauses: Vec<Option<Literals>> =
        constraints.map(|line| Some(clause(line.strip_suffix(" ;").expect("an end")))).collect();
    let given = clauses.len();
    let variables = clauses.iter().flatten().flatten().map(|literal| literal.0 + 1).max().unwrap_or(0);
    let mut lines = proof.lines();
    assert_eq!(lines.next(), Some("pseudo-Boolean proof version 3.0"));
    assert_eq!(lines.next(), Some(format!("f {given};").as_str()));
    let (mut solutions, mut is_complete) = (0, false);
    for line in lines.by_ref() {
        let rule = line.strip_suffix(';').expect("an end");
        let assigned = |literals: &Literals, is_negated: bool| {
            let mut values = vec![None; variables];
            literals.iter().for_each(|&(variable, value)| values[variable] = Some(value != is_negated));
            propagate(&clauses, values)
        };
        if let Some(queens) = rule.strip_prefix("solx ") {
            let queens = literals(queens.split(' '));
            let values = assigned(&queens, false).ok_or_else(|| format!("no solution: {line}"))?;
            if values.contains(&None) {
                return Err(format!("it leaves variables open: {line}"));
            }
            clauses.push(Some(queens.into_iter().map(|(variable, value)| (variable, !value)).collect()));
            solutions += 1;
        } else if let Some(lemma) = rule.strip_prefix("@complete rup ").or(rule.strip_prefix("rup ")) {
            let lemma = clause(lemma);
            if assigned(&lemma, true).is_some() {
                return Err(format!("it does not follow: {line}"));
            }
            is_complete |= lemma.is_empty() && line.starts_with('@');
            clauses.push(Some(lemma));
        } else if let Some(ids) = rule.strip_prefix("del id ") {
            for id in ids.split(' ').map(|id| id.parse::<usize>().expect("an id")) {
                assert!(
                    id > given + solutions,
                    "it deletes a constraint of the problem or a solution: {line}"
                );
                clauses[id - 1].take().ok_or_else(|| format!("not there: {line}"))?;
            }
        } else {
            assert_eq!(rule, "output NONE");
            break;
        }
    }
    let conclusion = if solutions == 0 { "conclusion UNSAT : @complete;" } else { "conclusion SAT;" };
    assert_eq!(lines.collect::<Vec<_>>(), [conclusion, "end pseudo-Boolean proof;"]);
    if is_complete { Ok(solutions) } else { Err("it does not show that there are no more solutions".into()) }
}

#[test]
fn proofs_for_veripb_log_each_solution_and_refute_the_rest() {
    for (n, solutions) in [(1, 1), (2, 0), (3, 0), (4, 2), (5, 10), (6, 4)] {
        for method in ["cubes", "monolithic", "backtrack"] {
            let written = Written::new(n, &["--method", method]);
            let (formula, proof) = (written.read("opb"), written.read("pbp"));
            assert_eq!(checked(&formula, &proof), Ok(solutions), "n = {n}, {method}");
            let json: serde_json::Value = serde_json::from_str(&written.read("json")).expect("JSON");
            assert_eq!(json["format"], "veripb");
            assert_eq!(json["solutions"].as_u64(), Some(solutions as u64));
            let files = std::fs::read_dir(written.proof.parent().expect("a directory")).expect("readable");
            assert_eq!(files.count(), 3, "the LRAT proof that was checked is gone");
        }
    }
    let written = Written::new(5, &["--variant", "toroidal"]);
    assert_eq!(checked(&written.read("opb"), &written.read("pbp")), Ok(10));
}

/// The constraints of the board are the clauses that `encode` writes.
#[test]
fn the_formula_for_veripb_is_the_board_without_its_solutions() {
    let formula = Written::new(6, &[]).read("opb");
    let (_, dimacs, _) = run(&["encode", "6"]);
    let clauses = dimacs.lines().filter(|line| !line.starts_with(['c', 'p'])).map(|line| {
        let numbers = line.split(' ').map(|word| word.parse::<i64>().expect("a number"));
        let numbers = numbers.filter(|&number| number != 0);
        numbers.map(|number| (number.unsigned_abs() as usize - 1, number > 0)).collect::<Literals>()
    });
    let constraints = formula.lines().filter(|line| !line.starts_with('*'));
    let constraints: Vec<Literals> =
        constraints.map(|line| clause(line.strip_suffix(" ;").expect("an end"))).collect();
    assert_eq!(clauses.collect::<Vec<_>>(), constraints);
    assert!(formula.starts_with("* #variable= 36 #constraint= 302\n"));
}

#[test]
fn a_proof_for_veripb_with_a_fault_is_noticed() {
    let written = Written::new(6, &[]);
    let (formula, proof) = (written.read("opb"), written.read("pbp"));
    let without = |part: &str| {
        let kept = proof.lines().filter(|line| !line.starts_with(part)).map(|line| format!("{line}\n"));
        kept.collect::<String>()
    };
    assert!(checked(&formula, &without("@complete")).is_err());
    let moved = proof.replacen("solx x2 ", "solx x3 ", 1);
    assert!(moved != proof && checked(&formula, &moved).is_err());
    let first = proof.lines().find(|line| line.starts_with("solx")).expect("a solution");
    // Without deletions, whose numbers would change.
    let missing: String = proof
        .lines()
        .filter(|line| *line != first && !line.starts_with("del"))
        .map(|l| format!("{l}\n"))
        .collect();
    assert!(checked(&formula, &missing).is_err(), "a proof without its first solution");
}

#[test]
fn requests_that_veripb_cannot_check_are_bad_input() {
    for (arguments, told) in [
        (&["certify", "6", "--format", "veripb", "--symmetry", "full"][..], "cannot break symmetry"),
        (&["certify", "6", "--format", "veripb", "--binary"], "no binary form"),
        (&["certify", "0", "--format", "veripb"], "choose a size from 1 on"),
        (&["certify", "4", "--format", "veripb", "--proof", "p.opb"], "choose a name for the proof"),
    ] {
        let (code, _, err) = run(arguments);
        assert!(code == 2 && err.contains(told), "{arguments:?}: {err}");
    }
    let written = Written::new(4, &[]);
    let json = written.proof.with_extension("json");
    let (code, _, err) = run(&["certify", "--audit", json.to_str().expect("UTF-8")]);
    assert!(code == 2 && err.contains("run veripb queens.opb queens.pbp"), "{err}");
}

#[test]
fn veripb_accepts_the_proofs() {
    if Command::new("veripb").arg("--version").output().is_err() {
        println!("skipped: veripb not found; proofs for VeriPB are checked only by a test");
        return;
    }
    for n in 1..=8 {
        Written::new(n, &["--checker", "veripb {cnf} {proof}"]);
    }
}
