//! Instances. An error must have a position in the text or a reason. A problem that was read must stay the same when it is written, as
//! TOML or as canonical text, and read again.

use queenlab::board::problem::Problem;
use queenlab::instance;

pub fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let problem = match instance::read(bytes) {
        Ok(problem) => problem,
        Err(error) => {
            let message = error.to_string();
            assert!(!message.is_empty() && !message.contains(char::is_control), "{message}");
            if let Some((line, column)) = error.place {
                let text = text.replace("\r\n", "\n").replace('\r', "\n");
                let lines: Vec<&str> = text.split('\n').collect();
                assert!((1..=lines.len()).contains(&line), "line {line} of {}", lines.len());
                assert!(
                    (1..=lines[line - 1].chars().count() + 1).contains(&column),
                    "line {line}, column {column}"
                );
            }
            return;
        }
    };
    assert_eq!(instance::read(instance::to_toml(&problem)).as_ref(), Ok(&problem));
    assert_eq!(Problem::from_text(problem.n(), &problem.to_string()).as_ref(), Ok(&problem));
}
