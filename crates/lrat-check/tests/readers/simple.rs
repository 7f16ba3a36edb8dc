//! A simple reader of formulas, with which the reader of the checker is compared.

/// The maximum length of a word that the checker reads, in bytes.
const MAX_WORD_BYTES: usize = 20;

/// The number of variables and the clauses of a formula; `None` if the text is not valid. If the meaning of a text is doubtful, this
/// reader refuses it, even if the checker accepts it.
pub fn read(bytes: &[u8]) -> Option<(u32, Vec<Vec<i32>>)> {
    let mut header: Option<(u32, usize)> = None;
    let (mut clauses, mut clause) = (Vec::new(), Vec::new());
    for line in bytes.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii) {
        if line.is_empty() || line == b"c" || line.starts_with(b"c ") || line.starts_with(b"c\t") {
            continue;
        }
        let words: Vec<&str> = std::str::from_utf8(line).ok()?.split_ascii_whitespace().collect();
        if words.iter().any(|word| word.len() > MAX_WORD_BYTES) {
            return None;
        }
        match (words[..].first()?, header) {
            (&"%", _) if words.len() == 1 => break,
            (&"p", None) => {
                let ["p", "cnf", variables, declared_clauses] = words[..] else { return None };
                let variables: i32 = variables.parse().ok()?;
                header = Some((u32::try_from(variables).ok()?, declared_clauses.parse().ok()?));
            }
            (_, None) => return None,
            (_, Some((variables, declared_clauses))) => {
                for word in words {
                    match word.parse::<i32>().ok()? {
                        0 if clauses.len() == declared_clauses => return None,
                        0 => clauses.push(std::mem::take(&mut clause)),
                        literal if literal.unsigned_abs() > variables => return None,
                        literal => clause.push(literal),
                    }
                }
            }
        }
    }
    let (variables, declared_clauses) = header?;
    (clause.is_empty() && clauses.len() == declared_clauses).then_some((variables, clauses))
}
