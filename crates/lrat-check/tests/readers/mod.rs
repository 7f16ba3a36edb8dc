//! Functions that interpret any bytes as inputs of the checker, and panic if the checker behaves wrongly. `tests/all/main.rs` calls them
//! with files and random bytes, and a fuzzer with the bytes that it generates.

pub mod lrat;
pub mod lrat_steps;
pub mod simple;

/// The maximum number of variables of a formula whose assignments are enumerated.
pub const MAX_VARIABLES: usize = 16;

/// Whether some assignment of the variables `1..=variables` makes a literal of each clause true.
pub fn has_model(variables: usize, clauses: &[Vec<i32>]) -> bool {
    extends(&mut Vec::with_capacity(variables), variables, clauses)
}

/// Whether the values of the first variables can be extended to a model. Backtracks when a clause is false.
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
