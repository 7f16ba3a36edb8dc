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

/// A column: its head, which ends in `:` if it holds words, and its cell of an item.
pub type Column<'c, T> = (&'c str, &'c dyn Fn(&T) -> Cell);

/// The largest number of rows that are shown, and the file that has all.
pub type Limit<'l> = (usize, &'l str);

impl Table {
    /// A table with one row per item. If there are more than `most` items, the first of them are shown, and the caption names
    /// the file with all. A column without any text is left out. No table if there is no item.
    pub fn of<T>(
        (label, caption): (&str, &str),
        columns: &[Column<'_, T>],
        mut items: impl Iterator<Item = T>,
        (most, file): Limit<'_>,
    ) -> Option<Self> {
        let shown: Vec<T> = items.by_ref().take(most).collect();
        let mut caption = caption.to_owned();
        let more = items.count();
        if more > 0 {
            caption = format!("{caption}. The first {most} of {} rows; {file} has all", most + more);
        }
        let mut head = Vec::new();
        let mut rows: Vec<Vec<Cell>> = shown.iter().map(|_| Vec::new()).collect();
        for (index, (name, cell)) in columns.iter().enumerate() {
            let cells: Vec<Cell> = shown.iter().map(cell).collect();
            if cells.iter().any(|cell| !cell.text.is_empty()) {
                let words = name.strip_suffix(':');
                head.push(Head {
                    name: words.unwrap_or(name).to_owned(),
                    text: index == 0 || words.is_some(),
                });
                rows.iter_mut().zip(cells).for_each(|(row, cell)| row.push(cell));
            }
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

    /// Small print below it, if there is some.
    pub fn with(self, small: impl IntoIterator<Item = String>) -> Self {
        let small = small.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("; ");
        Self { small: Some(small).filter(|small| !small.is_empty()), ..self }
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
        type Row = (&'static str, &'static str, &'static str);
        let of = |rows: &[Row]| {
            let columns: [Column<'_, Row>; 3] = [
                ("Name", &|row| Cell::words(row.0)),
                ("Number", &|row| Cell::of(row.1)),
                ("Note:", &|row| Cell::of(row.2)),
            ];
            Table::of(("T", "t"), &columns, rows.iter().copied(), (9, "t.csv"))
        };
        let table = of(&[("a", "", ""), ("b", "", "x")]).expect("rows");
        assert_eq!(table.head.iter().map(|head| &*head.name).collect::<Vec<_>>(), ["Name", "Note"]);
        assert_eq!(table.rows[1].iter().map(|cell| &*cell.text).collect::<Vec<_>>(), ["b", "x"]);
        assert!(of(&[]).is_none());
    }
}
