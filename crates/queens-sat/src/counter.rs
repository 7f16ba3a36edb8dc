//! Model counters: programs that count the models of a formula without listing them.
//!
//! The program reads a DIMACS file whose line `c p show 1 2 ... 0` lists the square variables, for projected model counting: models that
//! differ only in other variables count once. The answer is a line `c s exact arb int N`, the format of the Model
//! Counting Competition since 2021, or a line of an older format: `s mc N` and `s pmc N` (2020), `s N` (d4), `# solutions N` on one
//! line or on two (sharpSAT). For an unsatisfiable formula, `s UNSATISFIABLE` alone is an answer.

use crate::am1::{self, AtMostOne};
use crate::answer_pattern::AnswerPattern;
use crate::cnf::{Cnf, Lit};
use crate::encoding::encode;
use crate::program::{DimacsProgram, DimacsProgramError, RunError};
use queens_solver::{Goal, Info, Outcome, Phase, Sink, SolveError, Solver, Stat, Statistics, Task};

/// The solvers `counter/<encoding>/NAME` that run a model counter. If the program does not support projected model counting, the solvers
/// whose encoding needs projection are unavailable.
pub fn solvers(program: &DimacsProgram, supports_projection: bool) -> Vec<Box<dyn Solver>> {
    let solver = |at_most_one| ModelCounter { at_most_one, program: program.clone(), supports_projection };
    am1::ALL.into_iter().map(|at_most_one| Box::new(solver(at_most_one)) as Box<dyn Solver>).collect()
}

struct ModelCounter {
    at_most_one: &'static AtMostOne,
    program: DimacsProgram,
    supports_projection: bool,
}

impl Solver for ModelCounter {
    fn info(&self) -> Info {
        let id = self.id();
        let cannot_project = || !self.supports_projection && needs_projection(self.at_most_one);
        let reason = "the squares do not determine the auxiliary variables of the encoding, and the counter has projects = false";
        Info {
            about: format!("at most one by {}; models counted by a program", self.at_most_one.name),
            version: self.program.name().to_owned(),
            goals: vec![Goal::Count],
            any_problem: true,
            uses_external: true,
            sizes: 0..=self.at_most_one.largest_board,
            sizes_reason: "for a larger board, the formula exceeds 2 GiB",
            unavailable: (self.program.check().err().map(|error| error.to_string()))
                .or_else(|| cannot_project().then(|| reason.to_owned())),
            statistics: vec![Stat::Vars, Stat::AuxVars, Stat::Clauses],
            ..Info::named(id)
        }
    }

    fn id(&self) -> String {
        ["counter", self.at_most_one.name, self.program.name()].join("/")
    }

    fn search(&self, task: &Task<'_>, _: &mut dyn Sink) -> Result<Outcome, SolveError> {
        self.count(task).or_else(|error| match error {
            DimacsProgramError::Stopped(stop) => Ok(Outcome { stopped: Some(stop), ..Outcome::default() }),
            error if error.is_unknown() => {
                Err(SolveError::Unknown { id: self.id(), reason: error.to_string() })
            }
            error if error.is_fault_of_machine() => {
                Err(SolveError::Machine { id: self.id(), reason: error.to_string() })
            }
            error => Err(SolveError::Failed { id: self.id(), reason: error.to_string() }),
        })
    }
}

impl ModelCounter {
    fn count(&self, task: &Task<'_>) -> Result<Outcome, DimacsProgramError> {
        task.progress.phase(Phase::Encode);
        let formula = encode(&task.problem, self.at_most_one);
        let squares: String = (1..=formula.squares.len()).map(|variable| format!("{variable} ")).collect();
        let file = self.program.write(&formula.cnf, [format!("p show {squares}0")])?;
        task.progress.phase(Phase::Solve);
        let output = self.program.run(&file, &task.budget)?;
        let code = output.status.code();
        let count = match self.program.answer() {
            Some(pattern) => matched_count(pattern, &output.text),
            None => printed_count(&output.text),
        };
        let count = match count {
            Err(RunError::NoCount | RunError::NoMatch) => None,
            count => Some(count).filter(|_| !code.is_some_and(|code| self.program.gives_up_with(code))),
        };
        let Some(count) = count else {
            let missing = if self.program.answer().is_some() { RunError::NoMatch } else { RunError::NoCount };
            return Err(self.program.missing_answer_error(output, |_| missing));
        };
        // The exit codes 10, 20 and 30 of SAT solvers are accepted, too.
        if !matches!(code, Some(0 | 10 | 20 | 30)) {
            let reason = RunError::Status { status: output.status, message: output.message };
            return Err(self.program.error(reason));
        }
        let solutions = count.map_err(|reason| self.program.error(reason))?;
        let stats = if task.counting { formula.statistics() } else { Statistics::default() };
        Ok(Outcome { solutions, stats, ..Outcome::default() })
    }
}

/// The number of models in the text that a pattern selects. The thousands separators `,`, `_` and `'` are ignored.
fn matched_count(pattern: &AnswerPattern, text: &str) -> Result<u64, RunError> {
    let mut total = None;
    for selected in text.lines().filter_map(|line| pattern.in_line(line)) {
        let uses_last_line = matches!(pattern, AnswerPattern::LastLine);
        let digits: String = selected.trim().chars().filter(|c| !",_'".contains(*c)).collect();
        let count: Result<u64, _> = digits.parse().map_err(|_| RunError::NotACount(selected.to_owned()));
        if !uses_last_line && total.as_ref().is_some_and(|total| *total != count) {
            return Err(RunError::TwoCounts);
        }
        total = Some(count);
    }
    total.unwrap_or(Err(RunError::NoMatch))
}

/// The number of models in the output of a counter, in one of the formats that the module documents.
fn printed_count(text: &str) -> Result<u64, RunError> {
    let mut total = None;
    let mut is_below_heading = false;
    for line in text.lines().map(str::trim) {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let number = |count: &str| count.parse().map_err(|_| RunError::NotACount(line.to_owned()));
        let starts_as_number = |word: &str| word.starts_with(|c: char| c == '-' || c.is_ascii_digit());
        let is_heading = words[..] == ["#", "solutions"];
        let count = match words[..] {
            ["s", "UNSATISFIABLE"] => Ok(0),
            ["c", "s", "exact", "arb", "int", count]
            | ["s", "mc" | "pmc", count]
            | ["#", "solutions", count] => number(count),
            ["s", count] if starts_as_number(count) => number(count),
            [count] if is_below_heading => number(count),
            ["c", "s", "approx", ..] => Err(RunError::Approximate(line.to_owned())),
            _ => {
                is_below_heading = is_heading;
                continue;
            }
        }?;
        is_below_heading = false;
        if total.is_some_and(|total| total != count) {
            return Err(RunError::TwoCounts);
        }
        total = Some(count);
    }
    total.ok_or(RunError::NoCount)
}

/// Whether counting with this encoding needs projection, because two models may differ only in auxiliary variables. Tries all placements
/// of at most one queen on eight squares.
fn needs_projection(at_most_one: &AtMostOne) -> bool {
    const SQUARES: u32 = 8;
    let mut cnf = Cnf::new(SQUARES);
    let squares: Vec<Lit> = (1..=SQUARES).map(Lit::positive).collect();
    (at_most_one.encode)(&squares, &mut cnf);
    let auxiliary = cnf.variables() - SQUARES;
    let placements = std::iter::once(0).chain((0..SQUARES).map(|square| 1_u64 << square));
    let is_model = |values: u64| {
        let is_true = |lit: &Lit| (values >> (lit.variable() - 1) & 1 == 1) == lit.is_positive();
        cnf.clauses().all(|clause| clause.iter().any(is_true))
    };
    placements.into_iter().any(|queens| {
        (0..1_u64 << auxiliary).filter(|values| is_model(queens | values << SQUARES)).take(2).count() == 2
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens_board::BoardSize;
    use queens_solver::sink::Discard;

    #[test]
    fn count_is_read_only_in_documented_formats() {
        assert_eq!(printed_count("c o x\ns SATISFIABLE\nc s type pmc\nc s exact arb int 92\n"), Ok(92));
        assert_eq!(printed_count("s UNSATISFIABLE\n"), Ok(0));
        assert_eq!(printed_count("s UNSATISFIABLE\nc s exact arb int 0\n"), Ok(0));
        for output in
            ["s mc 92", "s pmc 92", "s 92", "c 5\ns 92", "# solutions 92", "# solutions \n92\n# END"]
        {
            assert_eq!(printed_count(output), Ok(92), "{output}");
        }
        for output in ["s SATISFIABLE", "s wmc 0.5", "# solutions\n\n92", "92", "c 92", "s mc"] {
            assert_eq!(printed_count(output), Err(RunError::NoCount), "{output}");
        }
        for output in ["s mc nan", "s -1", "# solutions x", "# solutions\n1e3"] {
            assert!(matches!(printed_count(output), Err(RunError::NotACount(_))), "{output}");
        }
        assert_eq!(printed_count("s mc 92\nc s exact arb int 92"), Ok(92));
        assert_eq!(printed_count("s mc 92\ns 91"), Err(RunError::TwoCounts));
        let approximate_count = "c s approx arb int 92";
        let approximate_error = RunError::Approximate(approximate_count.to_owned());
        for (text, error) in [
            ("", RunError::NoCount),
            (approximate_count, approximate_error.clone()),
            ("c s exact arb int 1\nc s exact arb int 2", RunError::TwoCounts),
            ("s UNSATISFIABLE\nc s exact arb int 2", RunError::TwoCounts),
        ] {
            assert_eq!(printed_count(text), Err(error), "{text}");
        }
        for count in ["-1", "nan", "18446744073709551616"] {
            let line = format!("c s exact arb int {count}");
            assert_eq!(printed_count(&line), Err(RunError::NotACount(line.clone())));
        }
        for (key, error) in [
            ("no count", RunError::NoCount),
            ("an approximate count", approximate_error),
            ("two counts", RunError::TwoCounts),
            ("a negative count", RunError::NotACount("c s exact arb int -1".to_owned())),
        ] {
            wording::assert_wording!("counter", key, error);
        }
    }

    #[cfg(unix)]
    #[test]
    fn giving_up_is_distinguished_from_failure() {
        let solve = |script: &str, codes: &[i32]| {
            let program = DimacsProgram::new("x", format!("sh -c '{script}' {{cnf}}"));
            let solvers = solvers(&program.with_unknown_exit_codes(codes), true);
            let task = Task::new(BoardSize::new(4).expect("small"), Goal::Count);
            solvers[0].solve(&task, &mut Discard).map(|outcome| outcome.solutions)
        };
        for script in ["true", "exit 15", "echo s UNKNOWN", "echo c UNKNOWN; exit 1", "echo s INDETERMINATE"]
        {
            assert!(matches!(solve(script, &[]), Err(SolveError::Unknown { .. })), "{script}");
        }
        let counts = "echo c s exact arb int 2; exit";
        assert_eq!(solve(counts, &[]), Ok(2));
        assert!(matches!(solve(&format!("{counts} 0"), &[0]), Err(SolveError::Unknown { .. })));
        for script in ["exit 1", "exit 10", "kill -KILL $$", "echo c s exact arb int -1"] {
            assert!(matches!(solve(script, &[]), Err(SolveError::Failed { .. })), "{script}");
        }
    }

    #[test]
    fn pattern_selects_a_count_among_other_numbers() {
        let count_selected =
            |pattern: &str, text: &str| matched_count(&pattern.parse().expect("a pattern"), text);
        let models = r"^Models\s*: ([\d,]+)";
        assert_eq!(count_selected(models, "vars 64\nModels : 14,200\nTime : 3\n"), Ok(14_200));
        assert_eq!(count_selected(models, "Models : 2\nModels : 2\n"), Ok(2));
        assert_eq!(count_selected(models, "Models : 2\nModels : 3\n"), Err(RunError::TwoCounts));
        assert_eq!(count_selected(models, "s mc 2\n"), Err(RunError::NoMatch));
        assert_eq!(count_selected(r"\w+$", "models: many"), Err(RunError::NotACount("many".to_owned())));
        assert_eq!(count_selected(AnswerPattern::LAST_LINE, "8\n92\n\n"), Ok(92));
        assert_eq!(count_selected(AnswerPattern::LAST_LINE, " \n"), Err(RunError::NoMatch));
        wording::assert_wording!("counter", "no match of a pattern", RunError::NoMatch);
    }

    /// The expected result agrees with d4, which does not project: for 8 queens, d4 counts 92 models with pairwise and commander, and
    /// more with the other encodings.
    #[test]
    fn pairwise_and_commander_need_no_projection() {
        let encoding_names: Vec<&str> = am1::ALL
            .into_iter()
            .filter(|at_most_one| !needs_projection(at_most_one))
            .map(|at_most_one| at_most_one.name)
            .collect();
        assert_eq!(encoding_names, ["pairwise", "commander"]);
    }

    #[test]
    fn answer_is_the_count_printed_for_formula() {
        // The program computes the printed count from the number of lines and the number of projected variables.
        let command = "sh -c 'set -- $(grep -c . \"$0\") $(grep \"^c p show\" \"$0\"); echo c s exact arb int $(($1 * 1000 + $#))' {cnf}";
        let program = DimacsProgram::new("x", command);
        let solvers = solvers(&program, true);
        let pairwise_solver =
            solvers.iter().find(|solver| solver.id() == "counter/pairwise/x").expect("it is there");
        let task = Task { counting: true, ..Task::new(BoardSize::new(8).expect("small"), Goal::Count) };
        let outcome = pairwise_solver.solve(&task, &mut Discard).expect("a count");
        // The file has 746 lines: 744 clauses, the header and the comment. The 69 arguments are the number of lines, the three words of
        // `c p show`, 64 variables and a 0.
        assert_eq!(outcome.solutions, 746 * 1000 + 69);
        assert_eq!(outcome.stats, [(Stat::Vars, 64), (Stat::AuxVars, 0), (Stat::Clauses, 744)].into());
        let solvers_without_projection = super::solvers(&program, false);
        let unavailable_solvers =
            solvers_without_projection.iter().filter(|solver| solver.info().unavailable.is_some());
        assert_eq!(unavailable_solvers.count(), 5);
    }
}
