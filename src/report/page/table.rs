//! Tables of the page: a caption, heads, and rows whose first cell is their head.

/// A table.
pub struct Table {
    /// What it is called; unique on the page.
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
    /// What it says.
    pub name: String,
    /// Whether text stands below it, which is aligned to the left.
    pub text: bool,
}

/// A cell.
#[derive(Clone, Default)]
pub struct Cell {
    /// What it says.
    pub text: String,
    /// What is said below it in small print.
    pub small: Option<String>,
    /// Class of the style sheet.
    pub class: &'static str,
}

impl Table {
    /// A table with these heads; those that end in `:` stand over text.
    pub fn new(label: &str, caption: impl Into<String>, head: impl IntoIterator<Item = String>) -> Self {
        let head = head.into_iter().enumerate().map(|(index, name)| match name.strip_suffix(':') {
            Some(name) => Head { name: name.to_owned(), text: true },
            None => Head { text: index == 0, name },
        });
        Self { label: label.to_owned(), caption: caption.into(), head: head.collect(), rows: Vec::new() }
    }

    /// With a row more.
    pub fn push(&mut self, row: Vec<Cell>) {
        self.rows.push(row);
    }

    /// Cuts the table after this many rows; the caption names the file with all of them.
    pub fn cut(mut self, most: usize, file: &str) -> Self {
        if self.rows.len() > most {
            self.caption =
                format!("{}. The first {most} of {} rows; {file} has all", self.caption, self.rows.len());
            self.rows.truncate(most);
        }
        self
    }

    /// Nothing if there is no row.
    pub fn unless_empty(self) -> Option<Self> {
        Some(self).filter(|table| !table.rows.is_empty())
    }
}

impl Cell {
    /// A number.
    pub fn of(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// Words.
    pub fn words(text: impl Into<String>) -> Self {
        Self { text: text.into(), class: "text", ..Self::default() }
    }

    /// Words that may break into lines.
    pub fn long(text: impl Into<String>) -> Self {
        Self { text: text.into(), class: "text long", ..Self::default() }
    }
}
