//! Lists of board sizes as people write them: `8`, `4-12`, `4-20:2`, `4,8,10-12`.

use std::fmt;
use std::str::FromStr;

use super::BoardSize;

/// Board sizes in ascending order, without repetition, at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sizes(Vec<BoardSize>);

impl Sizes {
    /// The maximum number of different sizes in a list, so that it can be printed and read again however it was written.
    const MAX: usize = 10_000;

    /// Every size up to [`BoardSize::MAX`].
    pub fn all() -> Self {
        Self((0..=BoardSize::MAX).filter_map(|n| BoardSize::new(n).ok()).collect())
    }

    /// Reads a list whose sizes may exceed [`BoardSize::MAX`], for sweeps: a few solvers take such boards.
    pub fn of_large(text: &str) -> Result<Self, String> {
        Self::read(text, BoardSize::large)
    }

    fn read(text: &str, size: Size) -> Result<Self, String> {
        let mut sizes = Vec::new();
        for item in text.split(',') {
            sizes.extend(range(item.trim(), size)?);
            // Ranges that repeat each other must not fill the memory.
            if sizes.len() > 2 * Self::MAX {
                Self::sort(&mut sizes)?;
            }
        }
        Self::sort(&mut sizes)?;
        Ok(Self(sizes))
    }

    fn sort(sizes: &mut Vec<BoardSize>) -> Result<(), String> {
        sizes.sort();
        sizes.dedup();
        let max = Self::MAX;
        match sizes.len() > max {
            true => Err(format!(
                "the list has more than {max} sizes: give larger steps, as in 10000-1000000:10000"
            )),
            false => Ok(()),
        }
    }

    /// The sizes, ascending.
    pub fn iter(&self) -> impl Iterator<Item = BoardSize> + '_ {
        self.0.iter().copied()
    }

    /// The sizes that are in both lists; `None` if there are none.
    pub fn common(&self, other: &Sizes) -> Option<Sizes> {
        let common: Vec<BoardSize> = self.iter().filter(|&n| other.contains(n)).collect();
        (!common.is_empty()).then_some(Sizes(common))
    }

    /// Whether the list contains this size.
    pub fn contains(&self, n: BoardSize) -> bool {
        self.0.binary_search(&n).is_ok()
    }
}

impl FromStr for Sizes {
    type Err = String;

    /// Reads a list of sizes up to [`BoardSize::MAX`].
    fn from_str(text: &str) -> Result<Self, String> {
        Self::read(text, BoardSize::new)
    }
}

/// Checks a size.
type Size = fn(usize) -> Result<BoardSize, String>;

fn range(item: &str, size: Size) -> Result<impl Iterator<Item = BoardSize>, String> {
    const FORMS: &str = "write 8, 4-12, 4-20:2 or 4,8,10-12";
    if item.is_empty() {
        return Err(format!("a size is missing: {FORMS}"));
    }
    if let Some((first, last)) = item.split_once("..") {
        let last = last.trim_start_matches('=');
        return Err(format!("'{item}' is not a range: write {first}-{last}"));
    }
    let number = |text: &str| match text.trim().parse::<usize>() {
        Ok(n) => size(n),
        Err(_) => Err(format!("'{item}' is not a board size: {FORMS}")),
    };
    let (span, step) = match item.split_once(':') {
        None => (item, 1),
        Some((span, step)) => {
            let step: usize = step.trim().parse().unwrap_or(0);
            if step == 0 {
                return Err(format!("'{item}': the step must be a whole number, at least 1: {FORMS}"));
            }
            (span, step)
        }
    };
    let (first, last) = match span.split_once('-') {
        None => (number(span)?, number(span)?),
        Some((first, last)) => (number(first)?, number(last)?),
    };
    if first > last {
        return Err(format!("the range {span} is empty: write {last}-{first}"));
    }
    let sizes = (first.get()..=last.get()).step_by(step);
    let (count, most) = ((last.get() - first.get()) / step + 1, Sizes::MAX);
    if count > most {
        return Err(format!(
            "'{item}' are {count} sizes, and a list has at most {most}: give a larger step, as in 10000-1000000:10000"
        ));
    }
    Ok(sizes.filter_map(move |n| size(n).ok()))
}

impl fmt::Display for Sizes {
    /// Formats consecutive sizes as ranges: `1-4,8`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&ranges(&self.0.iter().map(|n| n.get()).collect::<Vec<_>>()))
    }
}

/// Formats ascending numbers as a list of ranges: `3,9-14`.
pub fn ranges(numbers: &[usize]) -> String {
    let runs = numbers.chunk_by(|a, b| a.checked_add(1) == Some(*b));
    let runs = runs.filter_map(|run| match run {
        [one] => Some(one.to_string()),
        [first, .., last] => Some(format!("{first}-{last}")),
        [] => None,
    });
    runs.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Vec<usize>, String> {
        let sizes: Sizes = text.parse()?;
        Ok(sizes.iter().map(BoardSize::get).collect())
    }

    #[test]
    fn sizes_ranges_steps_and_lists_are_read() {
        assert_eq!(parse("8"), Ok(vec![8]));
        assert_eq!(parse("4-7"), Ok(vec![4, 5, 6, 7]));
        assert_eq!(parse("4-9:2"), Ok(vec![4, 6, 8]));
        assert_eq!(parse("10-12, 4,8,11"), Ok(vec![4, 8, 10, 11, 12]));
        assert_eq!(parse("0"), Ok(vec![0]));
    }

    #[test]
    fn nonsense_is_answered_with_what_to_write() {
        let error = |text| parse(text).expect_err(text);
        assert_eq!(error("5-3"), "the range 5-3 is empty: write 3-5");
        assert_eq!(error("4..12"), "'4..12' is not a range: write 4-12");
        assert_eq!(error("4..=12"), "'4..=12' is not a range: write 4-12");
        for text in ["-1", "abc", "", "4,", "8:", "4-8:0", "4-8:x", "1.5", "1025", "99999999999999999999"] {
            assert!(!error(text).is_empty());
        }
        assert!(error("-1").contains("'-1' is not a board size"));
        assert!(error("1025").contains("exceeds the largest board (1024)"));
    }

    #[test]
    fn lists_for_sweeps_have_larger_sizes_but_not_too_many() {
        let large = |text| Sizes::of_large(text).map(|sizes| sizes.to_string());
        assert_eq!(large("10,1000000,10000000"), Ok("10,1000000,10000000".to_owned()));
        assert_eq!(large("10001-20000").as_deref(), Ok("10001-20000"));
        assert_eq!(large("10000-40000:10000").as_deref(), Ok("10000,20000,30000,40000"));
        let error = |text| large(text).expect_err(text);
        assert!(error("10000001").contains("exceeds the largest board (10000000)"));
        assert!(large("1-5000,5001-10000,1-10000").is_ok());
        let repeated = vec!["2-10000"; 1000].join(",");
        assert_eq!(large(&repeated).as_deref(), Ok("2-10000"));
        assert!(error("1-10000,10001").starts_with("the list has more than 10000 sizes"));
        assert!(error("1-10001").starts_with("'1-10001' are 10001 sizes, and a list has at most 10000: "));
    }

    #[test]
    fn lists_are_compared_size_by_size() {
        let sizes = |text: &str| text.parse::<Sizes>().expect(text);
        let common = |a: &str, b: &str| sizes(a).common(&sizes(b)).map(|sizes| sizes.to_string());
        assert_eq!(common("1-4,8", "3-9").as_deref(), Some("3-4,8"));
        assert_eq!(common("1-4", "5-9"), None);
        let (all, some) = (Sizes::all(), sizes("1-4,8"));
        assert!(all.iter().filter(|&n| some.contains(n)).map(BoardSize::get).eq([1, 2, 3, 4, 8]));
        assert_eq!(all.to_string(), "0-1024");
    }

    #[test]
    fn a_list_is_shown_as_ranges() {
        let shown = |text: &str| text.parse::<Sizes>().map(|sizes| sizes.to_string());
        assert_eq!(shown("1,2,3,4,8,10,11").as_deref(), Ok("1-4,8,10-11"));
        assert_eq!(shown("0").as_deref(), Ok("0"));
        assert_eq!(ranges(&[]), "");
        assert_eq!(ranges(&[3, 9, 10, 11, 12, 13, 14]), "3,9-14");
    }
}
