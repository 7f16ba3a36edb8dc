//! How series look: colours that colour-blind readers tell apart (Okabe & Ito 2008, without its
//! yellow, which white paper swallows; then three of Paul Tol's muted scheme and a grey), and a marker
//! each, so that colour is never the only difference.

use plotters::style::RGBColor;

use super::canvas::{Canvas, Drawn, Font, Point};

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

/// Colour and marker of a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    rank: usize,
}

impl Style {
    /// The look of the series with this rank; the first 77 differ.
    pub fn of_rank(rank: usize) -> Self {
        Self { rank }
    }

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

    #[test]
    fn seventy_seven_series_look_different() {
        let look = |rank: usize| (Style::of_rank(rank).color(), rank % MARKERS.len());
        for rank in 0..77 {
            assert!((0..rank).all(|other| look(other) != look(rank)), "{rank}");
        }
    }
}
