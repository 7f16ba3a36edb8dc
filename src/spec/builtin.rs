//! The built-in experiments: every file `experiments/*.toml`, by name.

use super::experiment::Spec;
use super::place::SpecError;

macro_rules! experiments {
    ($($name:literal),*) => {
        [$(($name, include_str!(concat!("../../experiments/", $name, ".toml")))),*]
    };
}

/// The names and texts of all built-in experiments, in the order of lists. `queenlab sweep` without arguments runs the first
/// one.
pub const ALL: [(&str, &str); 9] = experiments![
    "quick",
    "textbook",
    "sat-vs-backtracking",
    "sat-vs-backtracking-first",
    "encodings",
    "enumeration",
    "first-solution",
    "counting",
    "variants"
];

/// The experiment with this name, if there is one.
pub fn named(name: &str) -> Option<Result<Spec, SpecError>> {
    let (name, text) = ALL.into_iter().find(|(experiment, _)| *experiment == name)?;
    Some(Spec::parse(&format!("the built-in experiment {name}"), text))
}

/// All names, separated by commas: `quick, textbook, ...`.
pub fn names() -> String {
    ALL.map(|(name, _)| name).join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_experiment_file_is_builtin_by_its_name() {
        let files = std::fs::read_dir("experiments").expect("tests run in the package's directory").flatten();
        let names =
            files.filter_map(|file| Some(file.file_name().to_str()?.strip_suffix(".toml")?.to_owned()));
        // The `paradigms` experiments start programs that are files of the repository, so they cannot be built in.
        let mut names: Vec<String> = names.filter(|name| !name.starts_with("paradigms")).collect();
        names.sort();
        let mut sorted = ALL.map(|(name, _)| name.to_owned());
        sorted.sort();
        assert_eq!(names, sorted);
        for (name, _) in ALL {
            let spec = named(name).expect("listed").expect("a spec");
            assert_eq!(*spec.name, name);
        }
        assert!(named("quick ").is_none());
    }
}
