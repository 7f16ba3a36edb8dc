use serde_json::json;

use super::*;
use crate::spec::Spec;

const BEGINNING: &str =
    "schema_version = 1\nname = \"x\"\n[sweep]\nn = \"0-40\"\n[[solver]]\nid = \"a\"\n[[claim]]\n";

/// Parses an experiment with one claim. Returns the claim and the text of the experiment.
fn read(keys: &serde_json::Value) -> (Result<Claim, SpecError>, String) {
    let text = format!("{BEGINNING}{}", toml::to_string(keys).expect("TOML"));
    (Spec::parse("x.toml", &text).map(|mut spec| spec.claims.remove(0)), text)
}

/// The claim with these keys.
pub fn claim_with(keys: &serde_json::Value) -> Claim {
    read(keys).0.expect("a claim")
}

/// The keys of a valid claim, with these changes. A change to `null` removes a key.
fn keys_with(changes: &serde_json::Value) -> serde_json::Value {
    let mut keys = json!({
        "says": "a is faster", "measure": "time", "of": "a", "compared_with": "b", "ratio": "< 1", "n": "4-6",
    });
    for (key, value) in changes.as_object().expect("changes") {
        keys[key] = value.clone();
    }
    without_nulls(keys)
}

#[test]
fn claim_round_trips_through_its_experiment_file() {
    for changes in [
        json!({"goal": "first", "variant": "queens", "threads": 2, "shift": 1, "most": 0.5}),
        json!({"compared_with": null, "value": "1.5ms", "most": true, "measure": "wall"}),
        json!({"compared_with": null, "value": 137_061_093_093_u64, "measure": "nodes"}),
        json!({"compared_with": null, "value": 4.875, "measure": "nodes", "ratio": null, "equal": true}),
    ] {
        let claim = claim_with(&keys_with(&changes));
        let serialized = serde_json::to_value(&claim).expect("JSON");
        assert_eq!(claim_with(&without_nulls(serialized)), claim);
    }
    wording::assert_wording!("claim", "for most sizes", claim_with(&keys_with(&json!({"most": true}))));
    wording::assert_wording!(
        "claim",
        "for 29 % of the sizes",
        claim_with(&keys_with(&json!({"most": 0.29})))
    );
}

fn without_nulls(mut keys: serde_json::Value) -> serde_json::Value {
    keys.as_object_mut().expect("a table").retain(|_, value| !value.is_null());
    keys
}

#[test]
fn claim_restricted_to_given_sizes_omits_other_sizes() {
    let remaining = |changes: serde_json::Value, sizes: &str| {
        claim_with(&keys_with(&changes))
            .restricted_to(&sizes.parse().expect("sizes"))
            .map(|claim| claim.n.expect("sizes").all.to_string())
    };
    assert_eq!(remaining(json!({}), "5-9").as_deref(), Some("5-6"));
    assert_eq!(remaining(json!({}), "7-9"), None);
    assert_eq!(remaining(json!({"shift": 1, "of": "b"}), "4-6").as_deref(), Some("4-5"));
    let growth = json!({"ratio": null, "compared_with": null, "growth_per_n": "5-6"});
    assert_eq!(remaining(growth.clone(), "4,6").as_deref(), Some("4,6"));
    assert_eq!(remaining(growth, "4"), None);
}

#[test]
fn times_have_a_unit_and_counts_have_none() {
    let number = |measure: &str, value: serde_json::Value| {
        let keys = json!({"measure": measure, "compared_with": null, "value": value});
        read(&keys_with(&keys)).0.ok().and_then(|claim| claim.number())
    };
    for (value, nanoseconds) in [("1.5ms", 1.5e6), ("2 µs", 2e3), ("10s", 1e10), ("1m 30s", 9e10)] {
        assert_eq!(number("wall", value.into()), Some(nanoseconds), "{value}");
    }
    assert_eq!([number("nodes", 7.into()), number("nodes", 7.5.into())], [Some(7.0), Some(7.5)]);
    for (measure, value) in
        [("wall", json!("3")), ("wall", json!("x s")), ("wall", json!(3)), ("nodes", json!("3s"))]
    {
        assert_eq!(number(measure, value.clone()), None, "{value}");
    }
}

/// The place of each error is the key, or the header of the claim if the error concerns several keys.
#[test]
fn claim_errors_name_the_invalid_key() {
    let two_sizes = json!({"ratio": null, "growth_per_n": "5-6", "compared_with": null, "n": "4"});
    for (changes, key) in [
        (json!({"says": null}), "[[claim]]"),
        (json!({"measure": null}), "[[claim]]"),
        (json!({"measure": "speed"}), "measure"),
        (json!({"ratio": null}), "[[claim]]"),
        (json!({"ratio": null, "equal": true}), "equal"),
        (json!({"growth_per_n": "< 1"}), "[[claim]]"),
        (json!({"compared_with": null}), "[[claim]]"),
        (json!({"value": "1s"}), "[[claim]]"),
        (json!({"compared_with": null, "value": 7}), "value"),
        (json!({"compared_with": null, "published": "A000170"}), "published"),
        (json!({"ratio": null, "growth_per_n": "5-6"}), "[[claim]]"),
        (two_sizes, "n"),
        (json!({"ratio": null, "growth_per_n": "5-6", "compared_with": null, "most": true}), "most"),
        (json!({"most": 7.5}), "most"),
        (json!({"most": 0.0}), "most"),
        (json!({"most": 0}), "most"),
        (json!({"shift": 0}), "shift"),
        (json!({"compared_with": null, "value": "1s", "shift": 1}), "shift"),
    ] {
        let (claim, text) = read(&keys_with(&changes));
        let error = claim.expect_err(&text);
        let line =
            text.lines().collect::<Vec<_>>().iter().rposition(|line| line.split(" =").next() == Some(key));
        let line = line.expect(key) + 1;
        assert!(error.place.starts_with(&format!("x.toml:{line}:")), "{text}\n{error}");
        wording::assert_wording!("claim", &changes.to_string(), error.reason);
    }
}
