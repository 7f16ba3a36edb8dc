//! `queenlab init`: writes a commented experiment with the user's program in it.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use crate::experiment::spec::{Program, Spec, as_file_name};
use anyhow::Error;

use super::args::InitArguments;
use super::{BadInput, Exit, terminal};

pub fn run(arguments: &InitArguments) -> Result<Exit, Error> {
    let program = Program::of_command("the command", &arguments.command)?;
    let path = &arguments.out;
    let text = experiment(&as_file_name(path), path, &program);
    // The file must be a valid experiment for any text of the command.
    Spec::parse(&path.display().to_string(), &text)?;
    let bad = |reason: String| BadInput(format!("{}: {reason}", path.display()));
    let mut file = match File::create_new(path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            return Err(bad("already exists: give another file with -o".to_owned()).into());
        }
        Err(error) => return Err(bad(format!("cannot be written: {error}")).into()),
    };
    file.write_all(text.as_bytes())?;
    if !program.is_found() {
        let (called, path) = (&program.command[0], path.display());
        terminal::warn(format_args!("'{called}' was not found: correct the command in {path}"));
    }
    let path = path.display();
    terminal::note(format_args!("wrote {path}: read it, then run 'queenlab sweep {path}'"));
    Ok(Exit::Success)
}

fn experiment(name: &str, path: &Path, program: &Program) -> String {
    // JSON strings are valid TOML strings.
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let words: Vec<String> = program.command.iter().map(|word| quoted(word)).collect();
    let (name, id, words) = (quoted(name), quoted(&program.id), words.join(", "));
    // A line break would end the comment.
    let file: String = path.display().to_string().chars().filter(|c| !c.is_control()).collect();
    format!(
        "# An experiment of queenlab. Show its plan: queenlab sweep {file} --dry-run
# Run it: queenlab sweep {file}. An interrupted sweep goes on with the same command.
# 'queenlab help formats' explains every key; what begins with '#' is optional.
schema_version = 1
name = {name}  # the results go to results/<name>
question = \"How does my program compare with a textbook searcher and with a bit mask?\"
expected = \"\"  # write down what you expect before you run it

[sweep]
n = \"4-8\"  # board sizes: 8, 4-12, 4-20:2 or 4,8,10-12
goal = \"enumerate\"  # every solution; \"first\" is one of them, \"count\" their number
repeat = 3  # timed runs for each size
timeout = \"10s\"  # for one run
# memory = \"1GiB\"  # for one run
# warmup = 1  # runs before the timed ones; their times are not used
# stop_after_timeouts = 2  # skip larger boards after timeouts at this many sizes in a row

# Your program. {{n}} becomes the board size. It prints every solution once, in any order and in any notation
# that 'queenlab check' reads; for goal \"first\" one solution, for goal \"count\" the number alone.
[[program]]
id = {id}
command = [{words}]
# notation = \"columns\"  # how it prints boards; found out if left out
# accept_exit_codes = [0, 10, 20]  # exit codes of a run that ended well; 10 and 20 are those of SAT solvers
# n = \"4-6\"  # fewer sizes for this program

# What it is compared with. 'queenlab list' shows all solvers.
[[solver]]
id = \"backtrack/column-scan\"

[[solver]]
id = \"backtrack/bitmask\"
"
    )
}
