//! Names of series beside the plot, each as near as can be to the height at which its line ends.

use std::cmp::Reverse;

use plotters::style::Color;
use plotters::style::text_anchor::HPos;

use super::canvas::{Canvas, Drawn, Font, Point, shorten, text_width};
use super::style::{GREY, LABEL, SMALL, Style};

/// Space between the plot and the names, for the lines that lead to them.
const LEADER: f64 = 26.0;
const SWATCH: f64 = 28.0;
const WIDEST_NAME: f64 = 280.0;
const LINE: f64 = 15.0;
const GAP: f64 = 3.0;

/// A name of the legend.
pub struct Entry<'a> {
    /// The name, and lines that explain it.
    pub lines: &'a [String],
    /// The look of the series.
    pub style: Style,
    /// Whether its line is dashed.
    pub dashed: bool,
    /// Height at which the line ends.
    pub y: f64,
    /// Which of two at the same height comes first: the one whose line ends earlier or, at the same n,
    /// at the larger value.
    pub tie: Option<(usize, Reverse<u64>)>,
    /// Where the line ends, if it reaches the right edge of the plot.
    pub end: Option<Point>,
}

/// Width that a legend takes.
pub fn width<'a>(entries: impl Iterator<Item = &'a [String]>) -> f64 {
    let widest = entries.flatten().map(|line| text_width(line, LABEL)).fold(0.0, f64::max);
    LEADER + SWATCH + widest.min(WIDEST_NAME) + 8.0
}

/// Height that it takes at least.
pub fn height<'a>(entries: impl Iterator<Item = &'a [String]>) -> f64 {
    entries.map(block).sum()
}

fn block(lines: &[String]) -> f64 {
    lines.len().max(1) as f64 * LINE + GAP
}

/// Draws the names right of a plot that ends at `x`, between two heights.
pub fn draw(canvas: &Canvas<'_>, x: f64, (top, bottom): (f64, f64), entries: &mut [Entry<'_>]) -> Drawn {
    entries.sort_by(|a, b| a.y.total_cmp(&b.y).then_with(|| a.tie.cmp(&b.tie)));
    let wanted: Vec<(f64, f64)> =
        entries.iter().map(|entry| (entry.y - LINE / 2.0, block(entry.lines))).collect();
    let left = x + LEADER;
    for (entry, y) in entries.iter().zip(spread(&wanted, top, bottom)) {
        let y = y + LINE / 2.0;
        if let Some(end) = entry.end {
            canvas.line(&[end, (x, end.1), (left - 4.0, y)], &entry.style.color().mix(0.45), 0.8)?;
        }
        let sample = [(left, y), (left + SWATCH - 8.0, y)];
        if entry.dashed {
            canvas.dashed(&sample, (4.0, 4.0), &entry.style.color(), 1.8)?;
        } else {
            canvas.line(&sample, &entry.style.color(), 1.8)?;
        }
        entry.style.marker(canvas, (left + SWATCH / 2.0 - 4.0, y), 4.0, true)?;
        for (index, line) in entry.lines.iter().enumerate() {
            let font = if index == 0 { LABEL } else { Font { color: GREY, ..SMALL } };
            let place = (left + SWATCH, y + index as f64 * LINE);
            canvas.text(&shorten(line, font, WIDEST_NAME), place, HPos::Left, font)?;
        }
    }
    Ok(())
}

/// Tops of blocks, given the top that each wants (ascending) and its height: no two overlap, none lies
/// outside, and blocks that get in each other's way share the distance (pool adjacent violators).
fn spread(wanted: &[(f64, f64)], top: f64, bottom: f64) -> Vec<f64> {
    /// Blocks that touch: how many, the sum of the tops that they want for the first, their height.
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
