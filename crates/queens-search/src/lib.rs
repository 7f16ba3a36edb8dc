#![doc = include_str!("../README.md")]
//!
//! Files:
//!
//! ```text
//! backtrack/     backtracking, look-ahead, dancing links, probes     construct.rs  solutions by a formula
//! local/         local search                                        cp.rs         constraint programming
//! ```

// Tests convert small numbers freely, and may set a deadline.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_sign_loss))]
#![cfg_attr(test, allow(clippy::disallowed_methods))]

pub mod backtrack;
pub mod construct;
pub mod cp;
pub mod local;

#[cfg(test)]
mod tests {
    use queens_solver::{Goal, Info};

    use super::{backtrack, construct, local};

    /// The properties that a solver declares, as text. Scripts depend on ids, goals, sizes, statistics and options.
    fn properties_text(info: &Info) -> String {
        let Info { id, about, goals, sizes, sizes_reason, pattern_limit, statistics, order, options, .. } =
            info;
        let properties = [
            (info.walks_published_tree, "published tree"),
            (info.any_problem, "any problem"),
            (info.uses_threads, "threads"),
            (info.uses_seed, "seed"),
        ];
        let properties: Vec<&str> = properties
            .iter()
            .filter(|(has_property, _)| *has_property)
            .map(|(_, property)| *property)
            .collect();
        let goals: Vec<&str> = goals.iter().map(|goal: &Goal| goal.name()).collect();
        let statistics: Vec<&str> = statistics.iter().map(|stat| stat.name()).collect();
        let mut text =
            format!("{id}: {about}\n  goals {}; sizes {sizes:?} ({sizes_reason})", goals.join(" "));
        text += &format!(", by pattern {pattern_limit:?}; order {order:?}; {}\n", properties.join(", "));
        text += &format!("  statistics {}\n", statistics.join(" "));
        for option in options {
            text += &format!(
                "  option {} = {} of {:?}: {}\n",
                option.name, option.default, option.values, option.about
            );
        }
        text
    }

    /// After an intended change, `INSTA_UPDATE=always cargo test -p queens-search` updates the snapshot.
    #[test]
    fn every_searcher_declares_the_properties_that_scripts_need() {
        let families = [backtrack::solvers(), local::solvers(), construct::solvers()];
        let infos = families.iter().flatten().map(|solver| properties_text(&solver.info()));
        insta::assert_snapshot!("solvers", infos.collect::<String>());
    }
}
