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
    /// `most` items, the first of them are shown, and the caption names the file with all. No table if there is no item.
    pub fn of<T>(
        (label, caption): (&str, &str),
        heads: impl IntoIterator<Item = impl Into<String>>,
        mut items: impl Iterator<Item = T>,
        row: impl Fn(T) -> Vec<Cell>,
        (most, file): (usize, &str),
    ) -> Option<Self> {
        let rows: Vec<_> = items.by_ref().take(most).map(row).collect();
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
        (!rows.is_empty()).then(|| Self { label: label.to_owned(), caption, head: head.collect(), rows })
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
