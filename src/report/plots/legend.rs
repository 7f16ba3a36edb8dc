//! Names of series beside the plot, each as close as possible to the height at which its line ends.

use std::cmp::Reverse;

use super::chart::Series;
use super::style::{Font, LABEL, SMALL};
use super::svg::{Canvas, Point, stroke, text_width, wrap};

/// Space between the plot and the names, for the lines that lead to them.
const LEADER: f64 = 26.0;
/// Width of a piece of a line before a name.
pub const SWATCH: f64 = 28.0;
const WIDEST_NAME: f64 = 280.0;
/// Most lines of a name.
const MOST_LINES: usize = 8;
const LINE: f64 = 15.0;
const GAP: f64 = 3.0;

/// A name of the legend: the height at which the line of its series ends; the order of two at the same height (first the one
/// whose line ends earlier or, at the same n, at the larger value); the series; the end of the line, if it is at the right
/// edge of the plot.
pub type Entry<'a> = (f64, Option<(u64, Reverse<u64>)>, &'a Series, Option<Point>);

/// The width of the legend of these series.
pub fn width(series: &[Series]) -> f64 {
    let lines = series.iter().flat_map(lines);
    let widest = lines.map(|(line, _)| text_width(&line, LABEL)).fold(0.0, f64::max);
    LEADER + SWATCH + widest.min(WIDEST_NAME) + 8.0
}

/// The lines of a name: the first part in black, explanations smaller in grey.
fn lines(series: &Series) -> Vec<(String, Font)> {
    let fonts = std::iter::once(LABEL).chain(std::iter::repeat(SMALL));
    let parts = series.name.iter().zip(fonts);
    let broken = |(part, font): (&String, Font)| {
        wrap(part, font, WIDEST_NAME, MOST_LINES).into_iter().map(move |line| (line, font))
    };
    parts.flat_map(broken).collect()
}

/// The least height of the legend.
pub fn height(series: &[Series]) -> f64 {
    series.iter().map(block).sum()
}

fn block(series: &Series) -> f64 {
    lines(series).len().max(1) as f64 * LINE + GAP
}

/// Draws the names right of a plot that ends at `x`, between two heights.
pub fn draw(canvas: &mut Canvas, x: f64, (top, bottom): (f64, f64), mut entries: Vec<Entry<'_>>) {
    entries.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.1.cmp(&b.1)));
    let wanted: Vec<(f64, f64)> =
        entries.iter().map(|(y, _, series, _)| (y - LINE / 2.0, block(series))).collect();
    let left = x + LEADER;
    for ((.., series, end), y) in entries.into_iter().zip(spread(&wanted, top, bottom)) {
        let y = y + LINE / 2.0;
        let color = series.style.color();
        if let Some(end) = end {
            canvas.line([end, (x, end.1), (left - 4.0, y)], &stroke(color, 0.8).faded(0.45));
        }
        line(canvas, series, (left, y));
        for (index, (line, font)) in lines(series).into_iter().enumerate() {
            canvas.text(&line, (left + SWATCH, y + index as f64 * LINE), "start", font);
        }
    }
}

/// A piece of the line of a series with its marker.
pub fn line(canvas: &mut Canvas, series: &Series, (left, y): Point) {
    canvas.line([(left, y), (left + SWATCH - 8.0, y)], &series.paint(1.8));
    series.style.marker(canvas, (left + SWATCH / 2.0 - 4.0, y), 4.0, true);
}

/// The same as an SVG of its own, for a page.
pub fn swatch(series: &Series) -> String {
    Canvas::alone((SWATCH, 12.0), |canvas| line(canvas, series, (4.0, 6.0)))
}

/// Tops of blocks, given the wanted top (ascending) and the height of each. Blocks neither overlap nor leave the range;
/// blocks that would overlap share the distance (pool adjacent violators).
fn spread(wanted: &[(f64, f64)], top: f64, bottom: f64) -> Vec<f64> {
    // Blocks that touch: their number, and the sum of the starts of the whole column that their tops ask for.
    let mut pools: Vec<(usize, f64)> = Vec::new();
    let mean = |pool: &(usize, f64)| pool.1 / pool.0 as f64;
    let mut height = 0.0;
    for (y, own) in wanted {
        let mut pool = (1, y - height);
        while let Some(above) = pools.pop_if(|above| mean(above) > mean(&pool)) {
            pool = (above.0 + pool.0, above.1 + pool.1);
        }
        pools.push(pool);
        height += own;
    }
    let start = |pool: &(usize, f64)| std::iter::repeat_n(mean(pool).min(bottom - height).max(top), pool.0);
    let offsets = wanted.iter().scan(0.0, |above, (_, own)| Some(std::mem::replace(above, *above + own)));
    pools.iter().flat_map(start).zip(offsets).map(|(start, offset)| start + offset).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_with_room_stay_where_their_lines_end() {
        assert_eq!(spread(&[(10.0, 18.0), (50.0, 18.0)], 0.0, 100.0), [10.0, 50.0]);
    }

    #[test]
    fn names_in_each_others_way_share_the_distance() {
        // Both want 40; 20 high each: 30 and 50 are ten off for either.
        assert_eq!(spread(&[(40.0, 20.0), (40.0, 20.0)], 0.0, 100.0), [30.0, 50.0]);
        assert_eq!(spread(&[(95.0, 20.0)], 0.0, 100.0), [80.0]);
        assert_eq!(spread(&[(0.0, 20.0), (0.0, 20.0)], 0.0, 100.0), [0.0, 20.0]);
    }

    proptest! {
        #[test]
        fn names_never_overlap_and_stay_beside_the_plot(
            mut tops in prop::collection::vec(-50.0..650.0_f64, 1..30),
            heights in prop::collection::vec(15.0..20.0_f64, 30),
        ) {
            tops.sort_by(f64::total_cmp);
            let wanted: Vec<_> = tops.into_iter().zip(heights).collect();
            let placed = spread(&wanted, 0.0, 600.0);
            prop_assert_eq!(placed.len(), wanted.len());
            let mut free = 0.0;
            for (y, (_, height)) in placed.into_iter().zip(wanted) {
                prop_assert!(y >= free - 1e-6);
                free = y + height;
            }
            prop_assert!(free <= 600.0 + 1e-6);
        }
    }
}
