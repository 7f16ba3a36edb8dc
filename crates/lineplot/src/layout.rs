//! The layout of pictures.

/// The position of the names of series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Names {
    /// Beside the plot, at the ends of the lines.
    Beside,
    /// Side by side below the plot.
    Below,
    /// Not in the picture, because the page has a key.
    Absent,
}

/// The layout of a picture: for a page, in panels, or for a paper.
#[derive(Clone, Debug, PartialEq)]
pub struct PictureLayout {
    /// The width of the picture, in units of 1/12 of the font size of numbers.
    pub(crate) width: f64,
    /// The width on paper in inches; `None` for screens, where the units are pixels.
    pub(crate) inches: Option<f64>,
    /// The height of the plot.
    pub(crate) height: f64,
    /// The empty space around the content.
    pub(crate) pad: f64,
    /// The font families, in order of preference.
    pub(crate) font: String,
    /// The position of the names.
    pub(crate) names: Names,
    /// Whether the title, the subtitle and the notes are part of the picture.
    pub(crate) has_titles: bool,
    /// Whether each series has a separate panel, in which the other series are grey.
    pub(crate) has_panels: bool,
}

impl Default for PictureLayout {
    /// A picture with titles, notes and names.
    fn default() -> Self {
        let font = "Helvetica Neue, Helvetica, Arial, sans-serif".to_owned();
        Self {
            width: 960.0,
            inches: None,
            height: 420.0,
            pad: 24.0,
            font,
            names: Names::Beside,
            has_titles: true,
            has_panels: false,
        }
    }
}

impl PictureLayout {
    /// A picture with a panel for each series or group of series.
    pub fn panels() -> Self {
        Self { has_panels: true, ..Self::default() }
    }

    /// A picture on a page that has its titles and notes as text.
    pub fn page() -> Self {
        Self { width: 1056.0, height: 340.0, pad: 14.0, has_titles: false, ..Self::default() }
    }

    /// A small picture for a page with titles and notes as text. It is as wide as a phone and has no names.
    pub fn small() -> Self {
        Self { width: 390.0, height: 270.0, pad: 8.0, names: Names::Absent, ..Self::page() }
    }

    /// Whether each series has a separate panel.
    pub fn has_panels(&self) -> bool {
        self.has_panels
    }

    /// A figure for a paper with two columns. It is two columns wide if `is_wide`, otherwise one column. The text is about 7.5 points high,
    /// the names are below the plot, and there is no title.
    pub fn figure(is_wide: bool, font: Option<&str>) -> Self {
        let standard = Self::default();
        let (width, inches, height) = if is_wide { (820.0, 7.16, 400.0) } else { (400.0, 3.5, 240.0) };
        let font = font.map_or(standard.font.clone(), str::to_owned);
        let (names, has_titles) = (Names::Below, false);
        Self { width, inches: Some(inches), height, pad: 4.0, font, names, has_titles, ..standard }
    }
}
