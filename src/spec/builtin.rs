//! The built-in experiments, by name: the files `experiments/*.toml`, except those that start programs of the repository.

use super::experiment::Spec;
use super::place::SpecError;

macro_rules! experiments {
    ($($name:literal),*) => {
        [$(($name, include_str!(concat!("../../experiments/", $name, ".toml")))),*]
    };
}

/// The names and texts of all built-in experiments, in the order in which they are listed. `queenlab sweep` without
/// arguments runs the first experiment.
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

/// Parses the built-in experiment with this name; `None` if there is none.
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
    fn experiment_files_without_programs_are_built_in() {
        let files = std::fs::read_dir("experiments").expect("tests run in the package's directory").flatten();
        let names =
            files.filter_map(|file| Some(file.file_name().to_str()?.strip_suffix(".toml")?.to_owned()));
        // The `paradigms` experiments start programs of the repository, so they cannot be built in.
        let mut names: Vec<String> = names.filter(|name| !name.starts_with("paradigms")).collect();
        names.sort();
        let mut sorted_names = ALL.map(|(name, _)| name.to_owned());
        sorted_names.sort();
        assert_eq!(names, sorted_names);
        for (name, _) in ALL {
            let spec = named(name).expect("listed").expect("a spec");
            assert_eq!(*spec.name, name);
        }
        assert!(named("quick ").is_none());
    }
}
