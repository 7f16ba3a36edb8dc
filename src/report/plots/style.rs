//! How series look: colours that colour-blind readers tell apart (Okabe & Ito 2008, without its
//! yellow, which white paper swallows; then three of Paul Tol's muted scheme and a grey), and a marker
//! each, so that colour is never the only difference. The SVG holds the colours for paper; on a dark
//! screen a style sheet inside it replaces each by its counterpart.

use plotters::style::RGBColor;

use super::canvas::{Canvas, Drawn, Font, Point};
pub use super::keys::Style;

/// Text that is to be read.
pub const INK: RGBColor = RGBColor(34, 34, 34);
/// Text that helps.
pub const GREY: RGBColor = RGBColor(95, 95, 95);
/// Lines of the grid.
pub const GRID: RGBColor = RGBColor(222, 222, 222);
/// Lines between those of the grid.
pub const FAINT: RGBColor = RGBColor(241, 241, 241);

/// The question.
pub const TITLE: Font = Font { size: 17.0, color: INK, bold: true };
/// Names and numbers.
pub const LABEL: Font = Font { size: 12.0, color: INK, bold: false };
/// What explains them.
pub const SMALL: Font = Font { size: 11.0, color: GREY, bold: false };

/// The sheet.
const PAPER: RGBColor = RGBColor(255, 255, 255);

/// What replaces a colour on a dark screen: at least 4.5 to 1 against the dark sheet for text, 3 to 1
/// for lines and markers (WCAG 2.2, 1.4.3 and 1.4.11). A test computes the contrasts.
const DARK: [(RGBColor, RGBColor); 15] = [
    (PAPER, RGBColor(22, 25, 29)),
    (INK, RGBColor(232, 232, 232)),
    (GREY, RGBColor(170, 174, 180)),
    (GRID, RGBColor(62, 67, 74)),
    (FAINT, RGBColor(38, 42, 47)),
    (RGBColor(0, 114, 178), RGBColor(64, 156, 214)),
    (RGBColor(213, 94, 0), RGBColor(238, 122, 36)),
    (RGBColor(0, 158, 115), RGBColor(34, 184, 140)),
    (RGBColor(204, 121, 167), RGBColor(221, 146, 188)),
    (RGBColor(230, 159, 0), RGBColor(240, 178, 40)),
    (RGBColor(86, 180, 233), RGBColor(120, 200, 245)),
    (RGBColor(136, 34, 85), RGBColor(214, 92, 150)),
    (RGBColor(153, 153, 51), RGBColor(184, 184, 80)),
    (RGBColor(140, 140, 140), RGBColor(150, 150, 150)),
    (RGBColor(51, 34, 136), RGBColor(150, 134, 240)),
];

/// The style sheet of every picture. Only on a screen: what is printed goes to paper.
pub fn stylesheet() -> String {
    let hex = |color: RGBColor| format!("#{:02X}{:02X}{:02X}", color.0, color.1, color.2);
    let rule = |(light, dark): &(RGBColor, RGBColor)| {
        let (light, dark) = (hex(*light), hex(*dark));
        format!(".queens [fill=\"{light}\"]{{fill:{dark}}}.queens [stroke=\"{light}\"]{{stroke:{dark}}}\n")
    };
    let rules: String = DARK.iter().map(rule).collect();
    format!("@media screen and (prefers-color-scheme: dark) {{\n{rules}}}")
}

const COLORS: [RGBColor; 11] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(34, 34, 34),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(136, 34, 85),
    RGBColor(153, 153, 51),
    RGBColor(140, 140, 140),
    RGBColor(51, 34, 136),
];

/// Outlines within the unit circle; the first stands for the circle itself.
const MARKERS: [&[Point]; 7] = [
    &[],
    &[(-0.8, -0.8), (0.8, -0.8), (0.8, 0.8), (-0.8, 0.8)],
    &[(0.0, -1.1), (1.0, 0.7), (-1.0, 0.7)],
    &[(0.0, -1.15), (1.15, 0.0), (0.0, 1.15), (-1.15, 0.0)],
    &[(0.0, 1.1), (1.0, -0.7), (-1.0, -0.7)],
    &[
        (-0.4, -1.1),
        (0.4, -1.1),
        (0.4, -0.4),
        (1.1, -0.4),
        (1.1, 0.4),
        (0.4, 0.4),
        (0.4, 1.1),
        (-0.4, 1.1),
        (-0.4, 0.4),
        (-1.1, 0.4),
        (-1.1, -0.4),
        (-0.4, -0.4),
    ],
    &[
        (0.0, -0.5),
        (0.55, -1.05),
        (1.05, -0.55),
        (0.5, 0.0),
        (1.05, 0.55),
        (0.55, 1.05),
        (0.0, 0.5),
        (-0.55, 1.05),
        (-1.05, 0.55),
        (-0.5, 0.0),
        (-1.05, -0.55),
        (-0.55, -1.05),
    ],
];

impl Style {
    /// Its colour.
    pub fn color(self) -> RGBColor {
        COLORS[self.rank % COLORS.len()]
    }

    /// Draws its marker on a white rim that parts it from what lies below, filled or as an outline.
    pub fn marker(self, canvas: &Canvas<'_>, centre: Point, radius: f64, filled: bool) -> Drawn {
        let (rim, inside) =
            (plotters::style::WHITE, if filled { self.color() } else { plotters::style::WHITE });
        let outline = MARKERS[self.rank % MARKERS.len()];
        if outline.is_empty() {
            canvas.dot(centre, radius + 1.0, &rim)?;
            canvas.dot(centre, radius, &self.color())?;
            return if filled { Ok(()) } else { canvas.dot(centre, radius - 1.4, &rim) };
        }
        let at = |&(x, y): &Point| (centre.0 + radius * x, centre.1 + radius * y);
        let mut closed: Vec<Point> = outline.iter().map(at).collect();
        closed.push(closed[0]);
        canvas.line(&closed, &rim, 2.0)?;
        canvas.polygon(&closed, &inside)?;
        if filled { Ok(()) } else { canvas.line(&closed, &self.color(), 1.4) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance as WCAG 2.2 defines it.
    fn luminance(color: RGBColor) -> f64 {
        let linear = |channel: u8| match f64::from(channel) / 255.0 {
            dim if dim <= 0.04045 => dim / 12.92,
            bright => ((bright + 0.055) / 1.055).powf(2.4),
        };
        0.2126 * linear(color.0) + 0.7152 * linear(color.1) + 0.0722 * linear(color.2)
    }

    #[test]
    fn every_colour_has_a_counterpart_that_a_dark_screen_shows() {
        let dark = |color: RGBColor| DARK.iter().find(|(light, _)| *light == color).expect("a counterpart").1;
        let contrast = |color| (luminance(dark(color)) + 0.05) / (luminance(dark(PAPER)) + 0.05);
        assert!([INK, GREY].iter().all(|&text| contrast(text) >= 4.5));
        for color in COLORS {
            assert!(contrast(color) >= 3.0, "{color:?}: {}", contrast(color));
        }
        let looks: std::collections::HashSet<_> =
            COLORS.map(dark).map(|color| (color.0, color.1, color.2)).into();
        assert_eq!(looks.len(), COLORS.len(), "two series look alike on a dark screen");
    }

    #[test]
    fn seventy_seven_series_look_different() {
        let look = |rank: usize| (Style::of_rank(rank).color(), rank % MARKERS.len());
        for rank in 0..77 {
            assert!((0..rank).all(|other| look(other) != look(rank)), "{rank}");
        }
    }
}
