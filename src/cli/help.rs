//! `queenlab help`: prints the help of a command, or a page of the documentation.

use std::io::Write;

use anyhow::Error;

use super::args::{self, HelpArguments};
use super::{Exit, usage};

/// The pages of docs/ for users, so that an installed program has them.
const PAGES: [(&str, &str); 7] = [
    ("formats", include_str!("../../docs/FORMATS.md")),
    ("certificates", include_str!("../../docs/CERTIFICATES.md")),
    ("checking", include_str!("../../docs/CHECKING.md")),
    ("counting", include_str!("../../docs/COUNTING.md")),
    ("problems", include_str!("../../docs/PROBLEMS.md")),
    ("search", include_str!("../../docs/SEARCH.md")),
    ("methodology", include_str!("../../docs/METHODOLOGY.md")),
];

pub fn run(arguments: &HelpArguments) -> Result<Exit, Error> {
    let topic = &arguments.topic;
    if let [page] = &topic[..]
        && let Some((_, text)) = PAGES.iter().find(|(name, _)| name == page)
    {
        std::io::stdout().lock().write_all(text.as_bytes())?;
        return Ok(Exit::Success);
    }
    let mut named = args::command();
    for name in topic {
        let Some(sub) = named.find_subcommand(name) else {
            let pages = PAGES.map(|(name, _)| name).join(", ");
            let topic = topic.join(" ");
            refuse!(
                "unknown topic '{topic}': give a command (see 'queenlab --help') or one of the pages {pages}"
            );
        };
        named = sub.clone();
    }
    let asked = ["queenlab"].into_iter().chain(topic.iter().map(String::as_str)).chain(["--help"]);
    match args::command().try_get_matches_from(asked) {
        Err(error) => usage(&error),
        Ok(_) => Ok(Exit::Success),
    }
}
