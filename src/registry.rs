//! One table of every solver: lookup by id, selection by pattern, and the nearest id for a typo.

use std::sync::Arc;

use wildmatch::WildMatch;

use crate::solver::{Info, Solver};
use crate::{backtrack, count, sat};

/// The solvers that a session knows. A clone shares them.
#[derive(Clone)]
pub struct Registry {
    /// With their ids, so that looking one up asks no solver about itself.
    solvers: Vec<(String, Arc<dyn Solver>)>,
}

/// A solver chosen by [`Registry::select`].
#[derive(Clone, Debug)]
pub struct Selected {
    /// What it declares.
    pub info: Info,
    /// Whether its exact id was given, which lifts its pattern limit.
    pub by_exact_id: bool,
}

/// No solver has this id, or none matches this pattern.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown solver '{asked}'; {}see 'queenlab list'", suggestion(nearest))]
pub struct UnknownSolver {
    /// The id or pattern, or its beginning.
    pub asked: String,
    /// The most similar ids, best first.
    pub nearest: Vec<String>,
}

fn suggestion(nearest: &[String]) -> String {
    match nearest {
        [] => String::new(),
        ids => format!("did you mean '{}'? ", ids.join("' or '")),
    }
}

fn entry(solver: Box<dyn Solver>) -> (String, Arc<dyn Solver>) {
    (solver.info().id, Arc::from(solver))
}

impl Registry {
    /// Every solver of this crate.
    pub fn builtin() -> Self {
        let families = [
            backtrack::solvers(),
            count::solvers(),
            sat::solvers(),
            #[cfg(feature = "faults")]
            crate::faults::solvers(),
        ];
        Self { solvers: families.into_iter().flatten().map(entry).collect() }
    }

    /// The same solvers, with the program behind `sat/*/external`, as in `clasp {cnf}`; without a
    /// command nothing changes.
    pub fn with_external(&self, command: Option<&str>) -> Self {
        let mut registry = self.clone();
        let Some(command) = command else { return registry };
        for external in sat::solvers_with(Some(command)) {
            let info = external.info();
            let known = registry.solvers.iter_mut().find(|(id, _)| info.uses_external && *id == info.id);
            if let Some((_, solver)) = known {
                *solver = Arc::from(external);
            }
        }
        registry
    }

    /// Adds a solver; it shadows an earlier one of the same id.
    pub fn register(&mut self, solver: Box<dyn Solver>) {
        let entry = entry(solver);
        self.solvers.retain(|(id, _)| *id != entry.0);
        self.solvers.push(entry);
    }

    /// All solvers, in the order of the tables.
    pub fn iter(&self) -> impl Iterator<Item = &dyn Solver> {
        self.solvers.iter().map(|(_, solver)| solver.as_ref())
    }

    /// The solver with this id.
    pub fn get(&self, id: &str) -> Result<&dyn Solver, UnknownSolver> {
        let found = self.solvers.iter().find(|(own, _)| own == id);
        found.map(|(_, solver)| solver.as_ref()).ok_or_else(|| self.unknown(id))
    }

    /// The solvers whose id matches a pattern, in which `*` stands for any characters, `/` too. Those
    /// that cannot run here are left out, unless there are no others. A pattern that matches nothing
    /// is an error.
    pub fn select(&self, pattern: &str) -> Result<Vec<Selected>, UnknownSolver> {
        let glob = WildMatch::new(pattern);
        let infos = self.iter().map(Solver::info).filter(|info| glob.matches(&info.id));
        let mut selected: Vec<Selected> =
            infos.map(|info| Selected { by_exact_id: info.id == pattern, info }).collect();
        if selected.iter().any(|solver| solver.info.unavailable.is_none()) {
            selected.retain(|solver| solver.info.unavailable.is_none());
        }
        if selected.is_empty() { Err(self.unknown(pattern)) } else { Ok(selected) }
    }

    fn unknown(&self, asked: &str) -> UnknownSolver {
        // The table of a distance is as large as both texts: no id is nearly as long as this.
        const COMPARED: usize = 80;
        let letters: String = asked.chars().filter(|&c| c != '*').take(COMPARED).collect();
        let mut ids: Vec<String> = self.solvers.iter().map(|(id, _)| id.clone()).collect();
        ids.sort_by_cached_key(|id| strsim::damerau_levenshtein(&letters, id));
        let best = ids.first().map_or(0, |id| strsim::damerau_levenshtein(&letters, id));
        // One typo has one answer; a wild guess gets a few to choose from.
        let close = best <= 2;
        ids.truncate(if close { 1 } else { 3 });
        let more = if asked.chars().nth(COMPARED).is_some() { "…" } else { "" };
        let asked = asked.chars().take(COMPARED).collect::<String>() + more;
        UnknownSolver { asked, nearest: ids }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typo_is_answered_with_the_nearest_id() {
        let error = Registry::builtin().get("backtrack/bitmsk").err().expect("no such solver");
        assert_eq!(
            error.to_string(),
            "unknown solver 'backtrack/bitmsk'; did you mean 'backtrack/bitmask'? see 'queenlab list'"
        );
    }

    /// Its distances from all ids would take gigabytes.
    #[test]
    fn an_id_of_ten_megabytes_is_unknown_at_once() {
        let error = Registry::builtin().get(&"q".repeat(10 << 20)).err().expect("no such solver");
        assert!(error.to_string().starts_with(&format!("unknown solver '{}…'; did you", "q".repeat(80))));
    }

    #[test]
    fn a_star_matches_slashes_and_an_exact_id_is_marked() {
        let registry = Registry::builtin();
        let all = registry.select("*").expect("matches all");
        assert!(registry.iter().map(Solver::info).all(|info| {
            info.unavailable.is_some() || all.iter().any(|selected| selected.info.id == info.id)
        }));
        assert!(all.iter().all(|solver| !solver.by_exact_id));
        let one = registry.select("backtrack/bitmask").expect("exists");
        assert!(one.len() == 1 && one[0].by_exact_id);
        assert!(registry.select("nothing/*").is_err());
    }
}
