//! Tables of the page: a caption, heads, and rows whose first cell is their head.

/// A table.
pub struct Table {
    /// Its name, unique on the page.
    pub label: String,
    /// What it shows.
    pub caption: String,
    /// Column heads.
    pub head: Vec<Head>,
    /// Rows; the first cell is the row's head.
    pub rows: Vec<Vec<Cell>>,
}

/// Head of a column.
pub struct Head {
    /// Its text.
    pub name: String,
    /// Whether the column holds words, which are aligned to the left.
    pub text: bool,
}

/// A cell.
#[derive(Clone, Default)]
pub struct Cell {
    /// Its text.
    pub text: String,
    /// Small print below it.
    pub small: Option<String>,
    /// Class of the style sheet.
    pub class: &'static str,
}

impl Table {
    /// A table with these heads and one row per item; heads of columns with words end in `:`. If there are more than
    /// `most` items, the first of them are shown, and the caption names the file with all. A column without any text is
    /// left out. No table if there is no item.
    pub fn of<T>(
        (label, caption): (&str, &str),
        heads: impl IntoIterator<Item = impl Into<String>>,
        mut items: impl Iterator<Item = T>,
        row: impl Fn(T) -> Vec<Cell>,
        (most, file): (usize, &str),
    ) -> Option<Self> {
        let mut rows: Vec<_> = items.by_ref().take(most).map(row).collect();
        let mut caption = caption.to_owned();
        let more = items.count();
        if more > 0 {
            caption = format!("{caption}. The first {most} of {} rows; {file} has all", most + more);
        }
        let head = heads.into_iter().map(Into::into).enumerate().map(|(index, name): (usize, String)| {
            match name.strip_suffix(':') {
                Some(name) => Head { name: name.to_owned(), text: true },
                None => Head { text: index == 0, name },
            }
        });
        let has_text =
            |column: usize| rows.iter().flat_map(|row| row.get(column)).any(|cell| !cell.text.is_empty());
        let (shown, head): (Vec<usize>, Vec<Head>) =
            head.enumerate().filter(|&(column, _)| has_text(column)).unzip();
        for row in &mut rows {
            *row = shown.iter().filter_map(|&column| row.get_mut(column).map(std::mem::take)).collect();
        }
        (!rows.is_empty()).then(|| Self { label: label.to_owned(), caption, head, rows })
    }
}

impl Cell {
    /// A number.
    pub fn of(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// Words.
    pub fn words(text: impl Into<String>) -> Self {
        Self { class: "text", ..Self::of(text) }
    }

    /// Words that may be broken into lines.
    pub fn long(text: impl Into<String>) -> Self {
        Self { class: "text long", ..Self::of(text) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_without_any_text_is_left_out() {
        let row = |(name, number, note): (&str, &str, &str)| {
            vec![Cell::words(name), Cell::of(number), Cell::of(note)]
        };
        let of = |rows: &[(&'static str, &'static str, &'static str)]| {
            Table::of(("T", "t"), ["Name", "Number", "Note:"], rows.iter().copied(), row, (9, "t.csv"))
        };
        let table = of(&[("a", "", ""), ("b", "", "x")]).expect("rows");
        assert_eq!(table.head.iter().map(|head| &*head.name).collect::<Vec<_>>(), ["Name", "Note"]);
        assert_eq!(table.rows[1].iter().map(|cell| &*cell.text).collect::<Vec<_>>(), ["b", "x"]);
        assert!(of(&[]).is_none());
    }
}
