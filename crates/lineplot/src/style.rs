//! The styles of series. Colours are distinguishable for colour-blind readers (Okabe & Ito 2008 without yellow, which is
//! too pale on white paper, and four colours of Paul Tol's muted scheme). Each series also has a marker, so that series do not differ
//! in colour only. The SVG contains the colours for paper; on a dark screen, its style sheet replaces them.

/// A colour as `#RRGGBB`.
pub(crate) type Color = &'static str;

/// The colour of the background.
pub(crate) const PAPER: Color = "#FFFFFF";
/// The colour of the main text.
pub(crate) const INK: Color = "#222222";
/// The colour of explanations.
pub(crate) const GREY: Color = "#5F5F5F";
/// The colour of rejected observations.
pub(crate) const FAULT: Color = "#B00020";
/// The colour of the main lines of the grid.
pub(crate) const MAJOR_GRID: Color = "#DEDEDE";
/// The colour of the lines between the main lines of the grid, and of shaded bands.
pub(crate) const MINOR_GRID: Color = "#F1F1F1";

/// A size and colour of text.
#[derive(Clone, Copy)]
pub(crate) struct Font {
    /// The height of an em, in pixels.
    pub size: f64,
    /// The colour.
    pub color: Color,
    /// Whether the text is bold.
    pub bold: bool,
}

/// The title of a picture.
pub(crate) const TITLE: Font = Font { size: 17.0, color: INK, bold: true };
/// Names and numbers.
pub(crate) const LABEL: Font = Font { size: 12.0, color: INK, bold: false };
/// Subtitles and notes.
pub(crate) const SMALL: Font = Font { size: 11.0, color: GREY, bold: false };

/// The colours and their replacements on a dark screen. The colours of series are the first entries. The contrast with the dark
/// background is at least 4.5 to 1 for text and 3 to 1 for lines and markers (WCAG 2.2, 1.4.3 and 1.4.11); a test computes it.
const COLORS: [(Color, Color); 16] = [
    ("#0072B2", "#409CD6"),
    ("#D55E00", "#EE7A24"),
    ("#009E73", "#22B88C"),
    ("#CC79A7", "#DD92BC"),
    (INK, "#E8E8E8"),
    ("#E69F00", "#F0B228"),
    ("#56B4E9", "#78C8F5"),
    ("#882255", "#D65C96"),
    ("#999933", "#B8B850"),
    ("#AA4499", "#CE74BF"),
    ("#332288", "#9686F0"),
    (GREY, "#AAAEB4"),
    (PAPER, "#16191D"),
    (MAJOR_GRID, "#3E434A"),
    (MINOR_GRID, "#262A2F"),
    (FAULT, "#FF8A80"),
];

/// The number of colours of series.
const SERIES_COLORS: usize = 11;

/// The style sheet of every picture. It applies to screens only, because paper is white.
pub(crate) fn stylesheet() -> String {
    let rule = |(light, dark): &(Color, Color)| {
        format!(
            ".lineplot [fill=\"{light}\"]{{fill:{dark}}}.lineplot [stroke=\"{light}\"]{{stroke:{dark}}}\n"
        )
    };
    let rules: String = COLORS.iter().map(rule).collect();
    format!("@media screen and (prefers-color-scheme: dark) {{\n{rules}}}")
}

/// A cross around the origin, about two units wide.
pub(crate) const CROSS: &str = MARKERS[6];

/// Markers around the origin, about two units wide: circle, square, triangle, diamond, inverted triangle, plus, cross.
const MARKERS: [&str; 7] = [
    "M-1 0a1 1 0 0 0 2 0a1 1 0 0 0-2 0z",
    "M-.8-.8H.8V.8H-.8z",
    "M0-1.1L1 .7H-1z",
    "M0-1.15L1.15 0L0 1.15L-1.15 0z",
    "M0 1.1L1-.7H-1z",
    "M-.4-1.1H.4V-.4H1.1V.4H.4V1.1H-.4V.4H-1.1V-.4H-.4z",
    "M0-.5L.55-1.05L1.05-.55L.5 0L1.05 .55L.55 1.05L0 .5L-.55 1.05L-1.05 .55L-.5 0L-1.05-.55L-.55-1.05z",
];

/// The colour and the marker of a series, by number. The first 77 styles are different.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style(pub usize);

impl Style {
    /// The style of a member of a group. The members of a group share a colour and have different markers.
    pub fn of_group(group: usize, member: usize) -> Self {
        let is_member = |style: &usize| {
            style % SERIES_COLORS == group % SERIES_COLORS && style % MARKERS.len() == member % MARKERS.len()
        };
        Self((0..SERIES_COLORS * MARKERS.len()).find(is_member).unwrap_or(member))
    }

    /// A style that depends only on a name, so that it does not change if other series are added or removed. Two names may share a
    /// colour.
    pub fn of_name(name: &str) -> Self {
        // FNV-1a.
        let add = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        Self(name.bytes().fold(0x811c_9dc5, add) as usize % (SERIES_COLORS * MARKERS.len()))
    }

    /// The style with the same colour and the next marker.
    pub fn with_next_marker(self) -> Self {
        Self((self.0 + SERIES_COLORS) % (SERIES_COLORS * MARKERS.len()))
    }

    /// The colour.
    pub(crate) fn color(self) -> Color {
        COLORS[self.0 % SERIES_COLORS].0
    }

    /// The outline of the marker in path syntax, around the origin and about two units wide.
    pub(crate) fn outline(self) -> &'static str {
        MARKERS[self.0 % MARKERS.len()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance as WCAG 2.2 defines it.
    fn luminance(color: Color) -> f64 {
        let linear_component =
            |at: usize| match f64::from(u8::from_str_radix(&color[at..at + 2], 16).expect("two digits"))
                / 255.0
            {
                small if small <= 0.04045 => small / 12.92,
                large => ((large + 0.055) / 1.055).powf(2.4),
            };
        0.2126 * linear_component(1) + 0.7152 * linear_component(3) + 0.0722 * linear_component(5)
    }

    #[test]
    fn every_colour_is_readable_in_the_dark_theme() {
        let (paper, paper_dark) = COLORS[SERIES_COLORS + 1];
        assert_eq!(paper, PAPER);
        for (index, (color, dark)) in COLORS[..=SERIES_COLORS].iter().enumerate() {
            let required = if [INK, GREY].contains(color) { 4.5 } else { 3.0 };
            let contrast = (luminance(dark) + 0.05) / (luminance(paper_dark) + 0.05);
            assert!(contrast >= required, "{color}: {contrast}");
            assert!(
                COLORS[..index].iter().all(|(_, other)| other != dark),
                "two colours are equal on a dark screen"
            );
        }
        assert!([MAJOR_GRID, MINOR_GRID].iter().all(|color| COLORS.iter().any(|(light, _)| light == color)));
    }

    #[test]
    fn seventy_seven_series_look_different() {
        let appearance = |rank: usize| (Style(rank).color(), rank % MARKERS.len());
        for rank in 0..77 {
            assert!((0..rank).all(|other| appearance(other) != appearance(rank)), "{rank}");
        }
    }
}
