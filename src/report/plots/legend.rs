//! Names of series beside the plot, each as close as possible to the height at which its line ends.

use std::cmp::Reverse;

use super::chart::Series;
use super::style::{LABEL, SMALL};
use super::svg::{Canvas, Point, shorten, stroke, text_width};

/// Space between the plot and the names, for the lines that lead to them.
const LEADER: f64 = 26.0;
const SWATCH: f64 = 28.0;
const WIDEST_NAME: f64 = 280.0;
const LINE: f64 = 15.0;
const GAP: f64 = 3.0;

/// A name of the legend.
pub struct Entry<'a> {
    /// The series.
    pub series: &'a Series,
    /// Height at which its line ends.
    pub y: f64,
    /// The order of two at the same height: first the one whose line ends earlier or, at the same n, at the larger value.
    pub tie: Option<(usize, Reverse<u64>)>,
    /// The end of the line, if it is at the right edge of the plot.
    pub end: Option<Point>,
}

/// The width of the legend of these series.
pub fn width(series: &[Series]) -> f64 {
    let lines = series.iter().flat_map(|series| &series.name);
    let widest = lines.map(|line| text_width(line, LABEL)).fold(0.0, f64::max);
    LEADER + SWATCH + widest.min(WIDEST_NAME) + 8.0
}

/// The least height of the legend.
pub fn height(series: &[Series]) -> f64 {
    series.iter().map(block).sum()
}

fn block(series: &Series) -> f64 {
    series.name.len().max(1) as f64 * LINE + GAP
}

/// Draws the names right of a plot that ends at `x`, between two heights.
pub fn draw(canvas: &mut Canvas, x: f64, (top, bottom): (f64, f64), mut entries: Vec<Entry<'_>>) {
    entries.sort_by(|a, b| a.y.total_cmp(&b.y).then_with(|| a.tie.cmp(&b.tie)));
    let wanted: Vec<(f64, f64)> =
        entries.iter().map(|entry| (entry.y - LINE / 2.0, block(entry.series))).collect();
    let left = x + LEADER;
    for (Entry { series, end, .. }, y) in entries.iter().zip(spread(&wanted, top, bottom)) {
        let y = y + LINE / 2.0;
        let color = series.style.color();
        if let Some(end) = *end {
            canvas.line([end, (x, end.1), (left - 4.0, y)], &stroke(color, 0.8).faded(0.45));
        }
        let paint = stroke(color, 1.8);
        let paint = if series.dashed { paint.dashed(4.0, 4.0) } else { paint };
        canvas.line([(left, y), (left + SWATCH - 8.0, y)], &paint);
        series.style.marker(canvas, (left + SWATCH / 2.0 - 4.0, y), 4.0, true);
        for (index, line) in series.name.iter().enumerate() {
            let font = if index == 0 { LABEL } else { SMALL };
            let place = (left + SWATCH, y + index as f64 * LINE);
            canvas.text(&shorten(line, font, WIDEST_NAME), place, "start", font);
        }
    }
}

/// Tops of blocks, given the wanted top (ascending) and the height of each. Blocks neither overlap nor leave the range,
/// and those that would overlap share the distance (pool adjacent violators).
fn spread(wanted: &[(f64, f64)], top: f64, bottom: f64) -> Vec<f64> {
    /// Blocks that touch: their number, the sum of the tops that each wants for the first, and their height.
    struct Pool {
        blocks: usize,
        sum: f64,
        height: f64,
    }
    let start = |pool: &Pool| (pool.sum / pool.blocks as f64).min(bottom - pool.height).max(top);
    let mut pools: Vec<Pool> = Vec::new();
    for &(y, height) in wanted {
        let mut pool = Pool { blocks: 1, sum: y, height };
        while let Some(above) = pools.pop_if(|above| start(above) + above.height > start(&pool)) {
            pool = Pool {
                blocks: above.blocks + pool.blocks,
                sum: above.sum + pool.sum - above.height * pool.blocks as f64,
                height: above.height + pool.height,
            };
        }
        pools.push(pool);
    }
    let mut heights = wanted.iter().map(|&(_, height)| height);
    let mut tops = Vec::with_capacity(wanted.len());
    for pool in &pools {
        let mut y = start(pool);
        for height in heights.by_ref().take(pool.blocks) {
            tops.push(y);
            y += height;
        }
    }
    tops
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
