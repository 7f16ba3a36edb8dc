//! Formulas in conjunctive normal form. Variables are numbered from 1, as in DIMACS.
//! A formula stores the literals of all clauses in one vector, and the end of each clause in another vector, so that clauses need no
//! allocations of their own. Memory: 4 bytes per literal and 4 bytes per clause.

use std::fmt;
use std::num::NonZeroI32;
use std::ops::Not;

/// A variable, from 1.
pub type Variable = u32;

/// Converts the number of a variable, or a count of variables.
///
/// # Panics
/// If the number is 2^32 or more. The largest board has 2^20 squares.
pub fn variable(number: usize) -> Variable {
    Variable::try_from(number).expect("a formula has fewer than 2^32 variables")
}

/// A literal: a variable or its negation, as the non-zero number that DIMACS writes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(NonZeroI32);

impl Lit {
    /// The literal of a DIMACS number; `None` for 0 and for `i32::MIN`, which has no negation.
    pub fn from_dimacs(number: i32) -> Option<Self> {
        NonZeroI32::new(number).filter(|number| number.get() != i32::MIN).map(Self)
    }

    /// The positive literal of a variable.
    ///
    /// # Panics
    /// If the variable is 0 or above `i32::MAX`.
    pub fn positive(variable: Variable) -> Self {
        let number = i32::try_from(variable).ok().and_then(Self::from_dimacs);
        number.expect("variables are numbered 1..=i32::MAX")
    }

    /// The DIMACS number.
    pub fn dimacs(self) -> i32 {
        self.0.get()
    }

    /// The variable.
    pub fn variable(self) -> Variable {
        self.0.get().unsigned_abs()
    }

    /// Whether this is the variable itself, not its negation.
    pub fn is_positive(self) -> bool {
        self.0.get() > 0
    }
}

impl Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(-self.0)
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A formula in conjunctive normal form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cnf {
    variables: u32,
    /// The literals of all clauses.
    literals: Vec<Lit>,
    /// For each clause, the index after its last literal.
    ends: Vec<u32>,
}

impl Cnf {
    /// A formula without clauses over the variables `1..=variables`.
    pub fn new(variables: u32) -> Self {
        Self { variables, ..Self::default() }
    }

    /// Removes all clauses and sets the variables to `1..=variables`. Does not free memory.
    pub fn reset(&mut self, variables: u32) {
        self.variables = variables;
        self.literals.clear();
        self.ends.clear();
    }

    /// The number of variables.
    pub fn variables(&self) -> u32 {
        self.variables
    }

    /// Adds a variable and returns its positive literal.
    pub fn new_variable(&mut self) -> Lit {
        self.variables += 1;
        Lit::positive(self.variables)
    }

    /// Adds one clause.
    ///
    /// # Panics
    /// If the formula would contain 2^32 literals or more; solvers refuse boards with such formulas.
    pub fn add_clause(&mut self, clause: impl IntoIterator<Item = Lit>) {
        self.literals.extend(clause);
        self.ends.push(u32::try_from(self.literals.len()).expect("fewer than 2^32 literals"));
    }

    /// The number of clauses.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no clauses.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The clauses, in the order in which they were added.
    pub fn clauses(&self) -> impl ExactSizeIterator<Item = &[Lit]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let clause = &self.literals[start..end as usize];
            start = end as usize;
            clause
        })
    }

    /// Whether the assignment makes every clause true; `assignment[v - 1]` is the value of `v`.
    #[cfg(test)]
    pub fn is_satisfied_by(&self, assignment: &[bool]) -> bool {
        let is_true = |lit: &Lit| assignment[lit.variable() as usize - 1] == lit.is_positive();
        self.clauses().all(|clause| clause.iter().any(is_true))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lits(numbers: &[i32]) -> Vec<Lit> {
        numbers.iter().filter_map(|&number| Lit::from_dimacs(number)).collect()
    }

    #[test]
    fn literal_converts_to_its_dimacs_number() {
        assert_eq!(Lit::from_dimacs(0), None);
        assert_eq!(Lit::from_dimacs(i32::MIN), None);
        let lit = !Lit::positive(7);
        assert_eq!((lit.dimacs(), lit.variable(), lit.is_positive()), (-7, 7, false));
        assert_eq!(!lit, Lit::positive(7));
    }

    #[test]
    fn formula_iterates_over_clauses_in_order() {
        let mut cnf = Cnf::new(2);
        let third_variable = cnf.new_variable();
        cnf.add_clause(lits(&[1, -2]));
        cnf.add_clause([]);
        cnf.add_clause([third_variable]);
        let clauses: Vec<&[Lit]> = cnf.clauses().collect();
        assert_eq!(clauses, [lits(&[1, -2]), vec![], lits(&[3])]);
        assert_eq!((cnf.variables(), cnf.len()), (3, 3));
    }

    #[test]
    fn assignment_must_satisfy_every_clause() {
        let mut cnf = Cnf::new(2);
        cnf.add_clause(lits(&[1, 2]));
        cnf.add_clause(lits(&[-1, -2]));
        let models = [[false, false], [false, true], [true, false], [true, true]];
        assert_eq!(models.map(|model| cnf.is_satisfied_by(&model)), [false, true, true, false]);
    }
}
