//! Lists of board sizes as people write them: `8`, `4-12`, `4-20:2`, `4,8,10-12`.

use std::fmt;
use std::str::FromStr;

use super::{BoardSize, MAX_SIZES, SizeError};

/// A nonempty list of board sizes in ascending order without repetitions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sizes(Vec<BoardSize>);

impl Sizes {
    /// Every size up to [`BoardSize::MAX`].
    pub fn all() -> Self {
        Self((0..=BoardSize::MAX).filter_map(|n| BoardSize::new(n).ok()).collect())
    }

    /// Reads a list whose sizes may exceed [`BoardSize::MAX`], for sweeps of solvers that support such boards.
    ///
    /// # Errors
    ///
    /// An item that is not a size or a range of sizes, or too many sizes.
    pub fn parse_large(text: &str) -> Result<Self, SizeError> {
        Self::parse(text, BoardSize::large)
    }

    fn parse(text: &str, to_size: ToSize) -> Result<Self, SizeError> {
        let mut sizes = Vec::new();
        for item in text.split(',') {
            sizes.extend(range(item.trim(), to_size)?);
            // Repeated sizes are removed while the list is read, so that many overlapping ranges do not fill the memory.
            if sizes.len() > 2 * MAX_SIZES {
                Self::sort(&mut sizes)?;
            }
        }
        Self::sort(&mut sizes)?;
        Ok(Self(sizes))
    }

    fn sort(sizes: &mut Vec<BoardSize>) -> Result<(), SizeError> {
        sizes.sort();
        sizes.dedup();
        if sizes.len() > MAX_SIZES { Err(SizeError::LongList) } else { Ok(()) }
    }

    /// An iterator over the sizes in ascending order.
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
    type Err = SizeError;

    /// Reads a list of sizes up to [`BoardSize::MAX`].
    fn from_str(text: &str) -> Result<Self, SizeError> {
        Self::parse(text, BoardSize::new)
    }
}

/// Converts a number to a size, or fails if the number exceeds a maximum.
type ToSize = fn(usize) -> Result<BoardSize, SizeError>;

/// The sizes of an item of a list: a size, a range, or a range with a step.
fn range(item: &str, to_size: ToSize) -> Result<impl Iterator<Item = BoardSize>, SizeError> {
    if item.is_empty() {
        return Err(SizeError::Missing);
    }
    if let Some((first, last)) = item.split_once("..") {
        let last = last.trim_start_matches('=').to_owned();
        return Err(SizeError::Dots { item: item.to_owned(), first: first.to_owned(), last });
    }
    let number = |text: &str| match text.trim().parse::<usize>() {
        Ok(n) => to_size(n),
        Err(_) => Err(SizeError::NotASize(item.to_owned())),
    };
    let (span, step) = match item.split_once(':') {
        None => (item, 1),
        Some((span, step)) => {
            let step: usize = step.trim().parse().unwrap_or(0);
            if step == 0 {
                return Err(SizeError::Step(item.to_owned()));
            }
            (span, step)
        }
    };
    let (first, last) = match span.split_once('-') {
        None => (number(span)?, number(span)?),
        Some((first, last)) => (number(first)?, number(last)?),
    };
    if first > last {
        return Err(SizeError::EmptyRange { range: span.to_owned(), first, last });
    }
    let sizes = (first.get()..=last.get()).step_by(step);
    let count = (last.get() - first.get()) / step + 1;
    if count > MAX_SIZES {
        return Err(SizeError::LongRange { item: item.to_owned(), count });
    }
    Ok(sizes.filter_map(move |n| to_size(n).ok()))
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
    let ranges = runs.filter_map(|run| match run {
        [single] => Some(single.to_string()),
        [first, .., last] => Some(format!("{first}-{last}")),
        [] => None,
    });
    ranges.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Vec<usize>, SizeError> {
        let sizes: Sizes = text.parse()?;
        Ok(sizes.iter().map(BoardSize::get).collect())
    }

    #[test]
    fn list_of_sizes_and_ranges_is_parsed() {
        assert_eq!(parse("8"), Ok(vec![8]));
        assert_eq!(parse("4-7"), Ok(vec![4, 5, 6, 7]));
        assert_eq!(parse("4-9:2"), Ok(vec![4, 6, 8]));
        assert_eq!(parse("10-12, 4,8,11"), Ok(vec![4, 8, 10, 11, 12]));
        assert_eq!(parse("0"), Ok(vec![0]));
    }

    #[test]
    fn invalid_list_of_sizes_is_refused() {
        let size = |n| BoardSize::new(n).expect("a size");
        let error = SizeError::EmptyRange { range: "5-3".to_owned(), first: size(5), last: size(3) };
        assert_eq!(parse("5-3"), Err(error));
        for item in ["4..12", "4..=12"] {
            let error =
                SizeError::Dots { item: item.to_owned(), first: "4".to_owned(), last: "12".to_owned() };
            assert_eq!(parse(item), Err(error));
        }
        for item in ["-1", "abc", "1.5", "99999999999999999999"] {
            assert_eq!(parse(item), Err(SizeError::NotASize(item.to_owned())));
        }
        for text in ["", "4,"] {
            assert_eq!(parse(text), Err(SizeError::Missing), "{text}");
        }
        for item in ["8:", "4-8:0", "4-8:x"] {
            assert_eq!(parse(item), Err(SizeError::Step(item.to_owned())));
        }
        assert_eq!(parse("1025"), Err(SizeError::TooLarge { n: 1025, maximum: 1024 }));
    }

    #[test]
    fn large_parser_accepts_sizes_above_the_maximum() {
        let parse_and_print = |text| Sizes::parse_large(text).map(|sizes| sizes.to_string());
        assert_eq!(parse_and_print("10,1000000,10000000"), Ok("10,1000000,10000000".to_owned()));
        assert_eq!(parse_and_print("10001-20000").as_deref(), Ok("10001-20000"));
        assert_eq!(parse_and_print("10000-40000:10000").as_deref(), Ok("10000,20000,30000,40000"));
        assert_eq!(
            parse_and_print("10000001"),
            Err(SizeError::TooLarge { n: 10_000_001, maximum: 10_000_000 })
        );
        assert!(parse_and_print("1-5000,5001-10000,1-10000").is_ok());
        let repeated_range = vec!["2-10000"; 1000].join(",");
        assert_eq!(parse_and_print(&repeated_range).as_deref(), Ok("2-10000"));
        assert_eq!(parse_and_print("1-10000,10001"), Err(SizeError::LongList));
        assert_eq!(
            parse_and_print("1-10001"),
            Err(SizeError::LongRange { item: "1-10001".to_owned(), count: 10_001 })
        );
    }

    #[test]
    fn common_sizes_are_the_intersection_of_two_lists() {
        let sizes = |text: &str| text.parse::<Sizes>().expect(text);
        let common_text = |a: &str, b: &str| sizes(a).common(&sizes(b)).map(|sizes| sizes.to_string());
        assert_eq!(common_text("1-4,8", "3-9").as_deref(), Some("3-4,8"));
        assert_eq!(common_text("1-4", "5-9"), None);
        let (all_sizes, list) = (Sizes::all(), sizes("1-4,8"));
        assert!(all_sizes.iter().filter(|&n| list.contains(n)).map(BoardSize::get).eq([1, 2, 3, 4, 8]));
        assert_eq!(all_sizes.to_string(), "0-1024");
    }

    #[test]
    fn list_of_sizes_is_printed_as_ranges() {
        let normalized = |text: &str| text.parse::<Sizes>().map(|sizes| sizes.to_string());
        assert_eq!(normalized("1,2,3,4,8,10,11").as_deref(), Ok("1-4,8,10-11"));
        assert_eq!(normalized("0").as_deref(), Ok("0"));
        assert_eq!(ranges(&[]), "");
        assert_eq!(ranges(&[3, 9, 10, 11, 12, 13, 14]), "3,9-14");
    }
}
