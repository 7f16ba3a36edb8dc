//! What must hold for any bytes: functions that panic if it does not. `tests/all/main.rs` runs them over files and random bytes,
//! and a fuzzer can run them over what it makes.

pub mod lrat;
pub mod lrat_steps;
pub mod simple;

/// Formulas with more variables are not judged.
pub const MAX_VARIABLES: usize = 16;

/// Whether some assignment of the variables `1..=variables` makes a literal of each clause true.
pub fn has_model(variables: usize, clauses: &[Vec<i32>]) -> bool {
    extends(&mut Vec::with_capacity(variables), variables, clauses)
}

/// Values from the first variable on; gives up where a clause is false already.
fn extends(values: &mut Vec<bool>, variables: usize, clauses: &[Vec<i32>]) -> bool {
    let is_false = |&literal: &i32| {
        let value = values.get(literal.unsigned_abs() as usize - 1);
        value.is_some_and(|&value| value != (literal > 0))
    };
    if clauses.iter().any(|clause| clause.iter().all(is_false)) {
        return false;
    }
    if values.len() == variables {
        return true;
    }
    [false, true].into_iter().any(|value| {
        values.push(value);
        let is_satisfiable = extends(values, variables, clauses);
        values.pop();
        is_satisfiable
    })
}
