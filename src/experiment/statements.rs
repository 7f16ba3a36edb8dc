//! Digests of the claims and the expectation of an experiment. They show whether a claim was stated before the runs.

use crate::model::Stated;
use crate::record::{Meta, Statements, sha256_hex};
use crate::spec::Spec;
use crate::spec::claim::Claim;

/// The digests of the claims and the expectation of an experiment.
pub fn of(spec: &Spec) -> Statements {
    let expected = (!spec.expected.is_empty()).then(|| sha256_hex(spec.expected.as_bytes()));
    Statements { expected, claims: spec.claims.iter().map(digest).collect() }
}

/// The SHA-256 of a claim as printed in `experiment.toml`. A change of any key, such as the bound or the wording, changes the
/// digest.
fn digest(claim: &Claim) -> String {
    let text = toml::to_string(claim).expect("a claim has only texts and numbers");
    sha256_hex(text.as_bytes())
}

/// Whether the experiment had the claim when the first session of each result started; `None` if a result has no digests.
pub fn claim_stated<'m>(claim: &Claim, results: impl Iterator<Item = Option<&'m Meta>>) -> Option<Stated> {
    let digest = digest(claim);
    time_of_statement(results, |statements| statements.claims.contains(&digest))
}

/// Whether the experiment had the expectation when the first session of each result started; `None` if a result has no digests.
pub fn expected_stated<'m>(spec: &Spec, results: impl Iterator<Item = Option<&'m Meta>>) -> Option<Stated> {
    let digest = of(spec).expected?;
    time_of_statement(results, |statements| statements.expected.as_ref() == Some(&digest))
}

fn time_of_statement<'m>(
    results: impl Iterator<Item = Option<&'m Meta>>,
    is_in: impl Fn(&Statements) -> bool,
) -> Option<Stated> {
    let statements: Option<Vec<&Statements>> = results.map(|meta| meta?.stated.as_ref()).collect();
    let statements = statements.filter(|statements| !statements.is_empty())?;
    Some(if statements.into_iter().all(is_in) { Stated::Before } else { Stated::Afterwards })
}
