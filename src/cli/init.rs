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
    terminal::note(format_args!(
        "wrote {path}: adapt the command and the board sizes in it, then run 'queenlab sweep {path}'"
    ));
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
# Run it: queenlab sweep {file}. Repeat the command to resume an interrupted sweep.
# 'queenlab help formats' explains every key; lines that begin with '# key =' are optional.
schema_version = 1
name = {name}  # the results go to results/<name>
question = \"How does my program compare with a textbook searcher, a bit mask and SAT?\"
expected = \"\"  # write down what you expect before you run it

[sweep]
n = \"4-8\"  # board sizes: 8, 4-12, 4-20:2 or 4,8,10-12
goal = \"enumerate\"  # all solutions; \"first\" is one solution, \"count\" is their number
repeat = 3  # timed runs for each size
timeout = \"10s\"  # for one run
# memory = \"1GiB\"  # for one run
# warmup = 1  # warm-up runs per cell (recorded, excluded from statistics)
# stop_after_timeouts = 2  # skip larger boards after timeouts at this many sizes in a row

# Your program. {{n}} is replaced by the board size. The program must print every solution once, in any order and in
# any notation that 'queenlab check' reads. For goal \"first\" it must print one solution, for goal \"count\" only the
# number.
[[program]]
id = {id}
command = [{words}]
# notation = \"columns\"  # how it prints boards [default: detected]
# accept_exit_codes = [0, 10, 20]  # exit codes that mean success; SAT solvers use 10 and 20
# n = \"4-6\"  # board sizes of this program, if fewer

# Solvers to compare with; 'queenlab list' shows all.
[[solver]]
id = \"backtrack/column-scan\"

[[solver]]
id = \"backtrack/bitmask\"

[[solver]]
id = \"sat/pairwise/varisat\"
"
    )
}
