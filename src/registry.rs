//! The registry of all solvers: lookup by id, selection by pattern, and suggestions for misspelt ids.

use std::sync::{Arc, OnceLock};

use wildmatch::WildMatch;

use crate::model::{family, id_parts, split_selection};
use crate::sat::program::DimacsProgram;
use crate::solver::{ConfiguredSolver, Info, Options, Solver};
use crate::words::nearest;
use crate::{backtrack, construct, counters, cp, local, sat};

/// The available solvers; clones share them. Each family of solvers is constructed on first use, because each run needs only
/// one solver and the family `sat` is large.
#[derive(Clone)]
pub struct Registry {
    families: Arc<[Family]>,
    /// Solvers that [`Registry::register`] added. They take precedence over solvers of a family with the same id.
    registered: Vec<Entry>,
}

/// A solver with its id, so that a lookup need not call [`Solver::info`].
type Entry = (String, Arc<dyn Solver>);

/// The solvers whose ids begin with the same name and a slash.
struct Family {
    name: &'static str,
    make: fn() -> Vec<Box<dyn Solver>>,
    entries: OnceLock<Vec<Entry>>,
}

impl Family {
    const fn new(name: &'static str, make: fn() -> Vec<Box<dyn Solver>>) -> Self {
        Self { name, make, entries: OnceLock::new() }
    }

    fn entries(&self) -> &[Entry] {
        self.entries.get_or_init(|| (self.make)().into_iter().map(entry).collect())
    }
}

fn find_entry<'e>(entries: &'e [Entry], id: &str) -> Option<&'e dyn Solver> {
    entries.iter().find(|(entry_id, _)| entry_id == id).map(|(_, solver)| solver.as_ref())
}

/// A solver chosen by [`Registry::select`].
#[derive(Clone, Debug)]
pub struct SelectedSolver {
    /// The properties of the solver.
    pub info: Info,
    /// The options that were given with the pattern.
    pub options: Options,
    /// Whether the selection gave the exact id. If so, the limit on board sizes for patterns does not apply.
    pub by_exact_id: bool,
}

/// Why a selection is invalid: no solver matches the id or pattern, or a selected solver does not have the option or value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SelectionError(String);

/// Expands the braces of a pattern: `a/{b,c}` becomes `a/b` and `a/c`. A pattern that would expand to more than `MAX_PATTERNS`
/// patterns is returned unchanged and therefore does not match any id.
fn expand_braces(selection_pattern: &str) -> Vec<String> {
    const MAX_PATTERNS: usize = 1000;
    let (mut unexpanded, mut expanded_patterns) = (vec![selection_pattern.to_owned()], Vec::new());
    while let Some(pattern) = unexpanded.pop() {
        // The last opening brace belongs to a pair without nested braces.
        let brace_positions =
            pattern.rfind('{').and_then(|from| Some((from, from + pattern[from..].find('}')?)));
        let Some((from, to)) = brace_positions else {
            expanded_patterns.push(pattern);
            continue;
        };
        let choices = pattern[from + 1..to].split(',').rev();
        unexpanded
            .extend(choices.map(|choice| format!("{}{choice}{}", &pattern[..from], &pattern[to + 1..])));
        if unexpanded.len() + expanded_patterns.len() > MAX_PATTERNS {
            return vec![selection_pattern.to_owned()];
        }
    }
    expanded_patterns
}

/// Whether a selection `PATTERN` or `PATTERN:key=value,key=value` selects a solver with this id.
pub fn is_selected(selection: &str, id: &str) -> bool {
    let (pattern, _) = split_selection(selection);
    expand_braces(pattern).iter().any(|pattern| WildMatch::new(pattern).matches(id))
}

fn entry(solver: Box<dyn Solver>) -> (String, Arc<dyn Solver>) {
    (solver.id(), Arc::from(solver))
}

impl Registry {
    /// All built-in solvers.
    pub fn builtin() -> Self {
        let families = [
            Family::new("backtrack", backtrack::solvers),
            Family::new("local", local::solvers),
            Family::new("construct", construct::solvers),
            Family::new("count", counters::solvers),
            Family::new("sat", sat::solvers),
            Family::new("cp", cp::solvers),
        ];
        Self { families: families.into(), registered: Vec::new() }
    }

    /// Adds the solvers `sat/*/NAME`, which start an external SAT solver.
    pub fn with_sat(&self, program: &DimacsProgram) -> Self {
        let mut registry = self.clone();
        sat::external_solvers(program).into_iter().for_each(|solver| registry.register(solver));
        registry
    }

    /// Adds the solvers `counter/*/NAME`, which start a model counter. The parameter `projects` has the same
    /// meaning as in [`sat::counter::solvers`].
    pub fn with_counter(&self, program: &DimacsProgram, projects: bool) -> Self {
        let mut registry = self.clone();
        let solvers = sat::counter::solvers(program, projects);
        solvers.into_iter().for_each(|solver| registry.register(solver));
        registry
    }

    /// Adds a solver. A solver with the same id is replaced.
    pub fn register(&mut self, solver: Box<dyn Solver>) {
        let entry = entry(solver);
        self.registered.retain(|(id, _)| *id != entry.0);
        self.registered.push(entry);
    }

    fn entries(&self) -> impl Iterator<Item = &Entry> {
        let replacement = |id: &str| self.registered.iter().find(|(registered_id, _)| registered_id == id);
        let family_entries = self.families.iter().flat_map(Family::entries);
        let new_solvers = self.registered.iter().filter(|(id, _)| self.find_in_family(id).is_none());
        family_entries.map(move |entry| replacement(&entry.0).unwrap_or(entry)).chain(new_solvers)
    }

    fn find_in_family(&self, id: &str) -> Option<&dyn Solver> {
        find_entry(self.families.iter().find(|candidate| candidate.name == family(id))?.entries(), id)
    }

    /// All solvers, in the order of lists and tables.
    pub fn iter(&self) -> impl Iterator<Item = &dyn Solver> {
        self.entries().map(|(_, solver)| solver.as_ref())
    }

    /// The solver with this id.
    ///
    /// # Errors
    ///
    /// The solver is unknown.
    pub fn get(&self, id: &str) -> Result<&dyn Solver, SelectionError> {
        self.find(id).ok_or_else(|| self.unknown_solver_error(id))
    }

    fn find(&self, id: &str) -> Option<&dyn Solver> {
        find_entry(&self.registered, id).or_else(|| self.find_in_family(id))
    }

    /// The solver and the options for the full name in a row. `None` if the registry does not have them, for example for an
    /// external program. Unlike [`Self::choose`], this function does not search for similar ids, which would take as long as a
    /// short run.
    pub fn of_full_name(&self, label: &str) -> Option<ConfiguredSolver<'_>> {
        let (id, options) = split_selection(label);
        let solver = self.find(id)?;
        Options::parse(options, &solver.info()).ok().map(|options| ConfiguredSolver { solver, options })
    }

    /// The solver and the options of a selection `ID` or `ID:key=value,key=value`.
    ///
    /// # Errors
    ///
    /// The solver or its option is unknown.
    pub fn choose(&self, selection: &str) -> Result<ConfiguredSolver<'_>, SelectionError> {
        let (id, options) = split_selection(selection);
        let solver = self.get(id)?;
        let options =
            Options::parse(options, &solver.info()).map_err(|error| SelectionError(error.to_string()))?;
        Ok(ConfiguredSolver { solver, options })
    }

    /// The solvers whose ids match the pattern of a selection `PATTERN` or `PATTERN:key=value,key=value`. All of these solvers
    /// must have the options. In a pattern, `*` matches any characters, including `/`, and `{a,b}` matches either text. Solvers
    /// that cannot run on this machine are omitted, unless no matching solver can run on it.
    ///
    /// # Errors
    ///
    /// The pattern does not match any id, or a matching solver does not have an option or value.
    pub fn select(&self, selection: &str) -> Result<Vec<SelectedSolver>, SelectionError> {
        let (pattern, options) = split_selection(selection);
        let mut selected_solvers: Vec<SelectedSolver> = Vec::new();
        for pattern in expand_braces(pattern) {
            let glob = WildMatch::new(&pattern);
            let mut infos: Vec<Info> = self.infos().filter(|info| glob.matches(&info.id)).collect();
            if infos.iter().any(|info| info.unavailable.is_none()) {
                infos.retain(|info| info.unavailable.is_none());
            }
            if infos.is_empty() {
                return Err(self.unknown_solver_error(&pattern));
            }
            infos.retain(|info| selected_solvers.iter().all(|selected| selected.info.id != info.id));
            for info in infos {
                let options =
                    Options::parse(options, &info).map_err(|error| SelectionError(error.to_string()))?;
                selected_solvers.push(SelectedSolver { by_exact_id: info.id == pattern, info, options });
            }
        }
        Ok(selected_solvers)
    }

    /// The solvers that a selection names by their exact ids and that cannot run on this machine, each with the reason. Empty
    /// if the selection is invalid.
    pub fn unavailable_solvers(&self, selection: &str) -> Vec<(Info, String)> {
        let solvers_by_exact_id =
            self.select(selection).unwrap_or_default().into_iter().filter(|solver| solver.by_exact_id);
        solvers_by_exact_id
            .filter_map(|SelectedSolver { info, .. }| info.unavailable.clone().map(|reason| (info, reason)))
            .collect()
    }

    /// The solvers of several selections with their options, without repetitions. For a solver that was selected by a pattern,
    /// the second value is the maximum size at which it is intended to run.
    ///
    /// # Errors
    ///
    /// The errors of [`Self::select`].
    pub fn select_all(
        &self,
        selections: &[String],
    ) -> Result<Vec<(ConfiguredSolver<'_>, Option<usize>)>, SelectionError> {
        let mut solvers: Vec<(ConfiguredSolver<'_>, Option<usize>)> = Vec::new();
        for selection in selections {
            for SelectedSolver { info, options, by_exact_id } in self.select(selection)? {
                let solver = ConfiguredSolver { solver: self.get(&info.id)?, options };
                if solvers.iter().all(|(previous, _)| previous.info().id != solver.id()) {
                    solvers.push((solver, info.pattern_limit.filter(|_| !by_exact_id)));
                }
            }
        }
        Ok(solvers)
    }

    /// The properties of the solvers that match a pattern, including solvers that cannot run on this machine. A pattern without
    /// `*` that is not an id matches all ids that contain it.
    ///
    /// # Errors
    ///
    /// The pattern does not match any id.
    pub fn matching(&self, pattern: &str) -> Result<Vec<Info>, SelectionError> {
        let glob = |pattern: String| {
            let is_part_of_id = !pattern.contains('*') && self.find(&pattern).is_none();
            WildMatch::new(&if is_part_of_id { format!("*{pattern}*") } else { pattern })
        };
        let globs: Vec<WildMatch> = expand_braces(pattern).into_iter().map(glob).collect();
        let is_wanted = |info: &Info| globs.iter().any(|glob| glob.matches(&info.id));
        let matches: Vec<Info> = self.infos().filter(is_wanted).collect();
        if matches.is_empty() { Err(self.unknown_solver_error(pattern)) } else { Ok(matches) }
    }

    fn infos(&self) -> impl Iterator<Item = Info> {
        self.iter().map(Solver::info)
    }

    fn unknown_solver_error(&self, requested: &str) -> SelectionError {
        const MAX_CHARS: usize = 80;
        let ids: Vec<&str> = self.entries().map(|(id, _)| id.as_str()).collect();
        let word = requested.replace('*', "");
        let word = Some(word.trim_matches('/')).filter(|word| !word.is_empty());
        let id_containing = |word: &str| ids.iter().copied().find(|id| id.contains(word));
        let similar_id = |word: &str| nearest(word, ids.iter().copied());
        let id_with_similar_part =
            |word: &str| id_containing(nearest(word, ids.iter().flat_map(|id| id_parts(id)))?);
        let suggestion =
            word.and_then(|word| id_containing(word).or(similar_id(word)).or(id_with_similar_part(word)));
        // For a pattern such as `backtrak/*`, the first part of an id is suggested, with the `*`.
        let first_part = requested.strip_suffix("/*").filter(|word| !word.contains('/'));
        let similar_family = first_part.and_then(|word| nearest(word, ids.iter().map(|id| family(id))));
        let suggestion = similar_family.map(|family| format!("{family}/*")).or(suggestion.map(str::to_owned));
        let hint = suggestion.map_or(String::new(), |suggestion| format!("did you mean '{suggestion}'? "));
        let ellipsis = if requested.chars().nth(MAX_CHARS).is_some() { "…" } else { "" };
        let requested: String = requested.chars().take(MAX_CHARS).collect();
        let hint = if requested.contains(',') {
            "to select several, write {a,b} or repeat --solver; ".into()
        } else {
            hint
        };
        SelectionError(format!("unknown solver '{requested}{ellipsis}'; {hint}see 'queenlab list'"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistyped_solver_id_suggests_the_nearest_id() {
        let error = Registry::builtin().get("backtrack/bitmsk").err().expect("no such solver").to_string();
        assert!(error.contains("'backtrack/bitmask'"), "{error}");
        wording::assert_wording!("registry", "a typo", error);
    }

    #[test]
    fn mistyped_pattern_suggests_a_pattern() {
        let registry = Registry::builtin();
        for (pattern, expected) in [("backtrak/*", "'backtrack/*'"), ("lokal/*", "'local/*'")] {
            let error = registry.select(pattern).expect_err("no such solver").to_string();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn part_of_an_id_suggests_full_ids() {
        let registry = Registry::builtin();
        // The message quotes the text, then the suggested id if there is one, then `queenlab list`.
        let suggested_id = |id: &str| {
            let error = registry.get(id).err().expect("no such solver").to_string();
            let quoted_texts: Vec<&str> = error.split('\'').skip(1).step_by(2).collect();
            assert_eq!(
                (quoted_texts[0], quoted_texts[quoted_texts.len() - 1]),
                (id, "queenlab list"),
                "{error}"
            );
            quoted_texts[1..quoted_texts.len() - 1].first().map(ToString::to_string)
        };
        for (part, expected) in [
            ("bitmask", "backtrack/bitmask"),
            ("cadical", "sat/pairwise/cadical"),
            ("bitmsk", "backtrack/bitmask"),
            ("product/varisat", "sat/product/varisat"),
            ("scan", "backtrack/board-scan"),
            ("count", "count/portable"),
            ("sat", "sat/pairwise/varisat"),
        ] {
            assert_eq!(suggested_id(part).as_deref(), Some(expected), "{part}");
        }
        assert_eq!(suggested_id("nope"), None, "no id is similar");
        assert_eq!(suggested_id("*"), None);
    }

    #[test]
    fn list_accepts_part_of_an_id() {
        let registry = Registry::builtin();
        let ids = |pattern: &str| {
            let matches = registry.matching(pattern).expect("some");
            matches.into_iter().map(|info| info.id).collect::<Vec<_>>()
        };
        assert_eq!(ids("bitmask"), ["backtrack/bitmask", "backtrack/bitmask-recursive"]);
        assert_eq!(ids("backtrack/board-scan"), ["backtrack/board-scan"]);
        assert_eq!(ids("backtrack/board-scan*").len(), 2);
        assert!(ids("cadical").len() > 40, "solvers that cannot run here are listed, too");
        assert!(registry.matching("nothing").is_err());
    }

    /// Computing the edit distance from such a long text to every id would take gigabytes of memory.
    #[test]
    fn id_of_ten_megabytes_is_refused_quickly() {
        let error = Registry::builtin().get(&"q".repeat(10 << 20)).err().expect("no such solver");
        let id = "q".repeat(80);
        assert!(error.to_string().contains(&format!("'{id}…'")), "{error}");
        wording::assert_wording!("registry", "ten megabytes", error.to_string().replace(&id, "ID"));
    }

    #[test]
    fn options_of_a_selection_apply_to_every_match() {
        let registry = Registry::builtin();
        let ids = |selections: &[&str]| -> Vec<String> {
            let selections: Vec<String> = selections.iter().map(ToString::to_string).collect();
            let selected_solvers = registry.select_all(&selections).expect("some solvers");
            selected_solvers.iter().map(|(solver, _)| solver.id()).collect()
        };
        let natural_order = "backtrack/dlx:items=natural";
        assert_eq!(
            ids(&["*/dlx:items=natural", natural_order, "*/bitmask"]),
            [natural_order, "backtrack/bitmask"]
        );
        assert_eq!(
            registry.choose("backtrack/dlx:items=organ-pipe").expect("a default").info().id,
            "backtrack/dlx"
        );
        for (selection, name) in [
            ("backtrack/bit*:items=natural", "'items'"),
            ("backtrack/dlx:item=natural", "'items'"),
            ("backtrack/dl:items=natural", "'backtrack/dl'"),
        ] {
            let error = registry.select(selection).expect_err("refused").to_string();
            assert!(error.contains(name), "{error}");
            wording::assert_wording!("registry", selection, error);
        }
    }

    #[test]
    fn braces_in_a_pattern_expand_to_each_alternative() {
        let registry = Registry::builtin();
        let ids = |pattern: &str| -> Vec<String> {
            let selected_solvers = registry.select(pattern).expect("some solvers");
            selected_solvers.into_iter().map(|solver| solver.info.id).collect()
        };
        assert_eq!(ids("sat/{pairwise,bimander}/varisat"), ["sat/pairwise/varisat", "sat/bimander/varisat"]);
        assert_eq!(ids("backtrack/{bit{mask,m*},{dlx,bit}*}").len(), 3, "nested braces");
        assert_eq!(ids("sat/{pairwise,product}/{varisat,batsat}{,/cubes}").len(), 8);
        assert_eq!(
            ids("{backtrack/flag-arrays,backtrack/fl*}:"),
            ["backtrack/flag-arrays"],
            "each solver occurs once"
        );
        assert_eq!(registry.matching("{flag-arrays,backtrack/dlx}").expect("two").len(), 2);
        assert!(
            registry
                .select("backtrack/{bitmask,exhaustive}")
                .expect("two")
                .iter()
                .all(|solver| solver.by_exact_id)
        );
        let error = registry.select("backtrack/{bitmask,dlxx}").expect_err("a typo").to_string();
        assert!(error.contains("'backtrack/dlxx'") && error.contains("'backtrack/dlx'"), "{error}");
        for oversized_pattern in
            ["{,}".repeat(60), "{".repeat(60), ",".repeat(10_000), format!("{{{}}}", ",".repeat(10_000))]
        {
            assert!(registry.select(&oversized_pattern).is_err());
        }
    }

    #[test]
    fn star_in_a_pattern_also_matches_slashes() {
        let registry = Registry::builtin();
        let all_solvers = registry.select("*").expect("matches all");
        assert!(registry.iter().map(Solver::info).all(|info| {
            info.unavailable.is_some() || all_solvers.iter().any(|solver| solver.info.id == info.id)
        }));
        assert!(all_solvers.iter().all(|solver| !solver.by_exact_id));
        let selected_solvers = registry.select("backtrack/bitmask").expect("exists");
        assert!(selected_solvers.len() == 1 && selected_solvers[0].by_exact_id);
        assert!(registry.select("nothing/*").is_err());
    }
}
