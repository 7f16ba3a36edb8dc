//! The layout of pictures.

/// The layout of a picture: for a page, in panels, or for a paper.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// The width in units of the picture, in which numbers have a height of 12.
    pub(crate) width: f64,
    /// The width on paper in inches; the units are pixels if there is none.
    pub(crate) inches: Option<f64>,
    /// The height of the plot.
    pub(crate) height: f64,
    /// Empty space around the content.
    pub(crate) pad: f64,
    /// The families of the font, the preferred one first.
    pub(crate) font: String,
    /// Whether each series has a panel of its own, with the others in grey.
    pub(crate) has_panels: bool,
}

impl Default for Look {
    /// A picture of a page.
    fn default() -> Self {
        let font = "Helvetica Neue, Helvetica, Arial, sans-serif".to_owned();
        Self { width: 960.0, inches: None, height: 420.0, pad: 24.0, font, has_panels: false }
    }
}

impl Look {
    /// A picture of a page, with a panel for each series or group of series.
    pub fn panels() -> Self {
        Self { has_panels: true, ..Self::default() }
    }

    /// A figure of a paper with two columns, one or both of them wide: its text is about 7.5 points high, the names are below
    /// the plot, and it has no title.
    pub fn figure(is_wide: bool, font: Option<&str>) -> Self {
        let page = Self::default();
        let (width, inches, height) = if is_wide { (820.0, 7.16, 400.0) } else { (400.0, 3.5, 240.0) };
        let font = font.map_or(page.font, str::to_owned);
        Self { width, inches: Some(inches), height, pad: 4.0, font, has_panels: false }
    }
}
