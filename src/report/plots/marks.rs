//! The markers of series, and the limits that they reached.

use std::collections::{BTreeMap, BTreeSet};

use super::axis::Frame;
use super::chart::Series;
use super::style::{GREY, PAPER, SMALL};
use super::svg::{Canvas, Point, fill, stroke};
use crate::report::Unit;

/// The largest number of markers on a line; a longer one has a marker at every second, third, ... point.
const MOST_MARKERS: usize = 60;

/// Markers closer than this fall together.
const TOGETHER: f64 = 5.0;

/// Hollow markers closer than this cannot be distinguished.
const CROWDED: f64 = 7.0;

/// Draws the markers of series.
pub fn draw(canvas: &mut Canvas, frame: &Frame, numbers: &[u64], all: &[Series]) {
    for (series, places) in all.iter().zip(apart(all, frame, numbers)) {
        let every = places.len().div_ceil(MOST_MARKERS).max(1);
        for (place, (n, _)) in places.into_iter().zip(&series.line).step_by(every) {
            series.style.marker(canvas, place, 3.8, !series.hollow_at.contains(n));
        }
    }
}

/// The places of the markers of each series. Markers that would fall together are moved apart to both sides.
fn apart(all: &[Series], frame: &Frame, numbers: &[u64]) -> Vec<Vec<Point>> {
    let mut places: Vec<Vec<Point>> = Vec::new();
    let mut at_number: BTreeMap<u64, Vec<(f64, usize, usize)>> = BTreeMap::new();
    for (rank, series) in all.iter().enumerate() {
        let own = series.line.iter().map(|&(n, value)| (n, frame.at(n, value)));
        for (index, (n, place)) in own.clone().enumerate() {
            at_number.entry(n).or_default().push((place.1, rank, index));
        }
        places.push(own.map(|(_, place)| place).collect());
    }
    for (n, mut markers) in at_number {
        markers.sort_by(|a, b| a.0.total_cmp(&b.0));
        for close in markers.chunk_by(|a, b| b.0 - a.0 < TOGETHER).filter(|close| close.len() > 1) {
            let step = (0.7 * frame.across.room(n, numbers) / close.len() as f64).min(TOGETHER);
            for (index, &(_, rank, at)) in close.iter().enumerate() {
                let place = &mut places[rank][at].0;
                *place += (index as f64 - (close.len() - 1) as f64 / 2.0) * step;
                *place = place.clamp(frame.left, frame.right());
            }
        }
    }
    places
}

/// A labelled line for each limit that was reached, and on it, side by side, the markers of the series that reached it;
/// only their number if there is no room. Limits that are close share a label.
pub fn limits(canvas: &mut Canvas, frame: &Frame, numbers: &[u64], all: &[Series], unit: Unit) {
    let mut at_place: BTreeMap<(u64, u64), Vec<&Series>> = BTreeMap::new();
    for series in all {
        for &place in &series.limits {
            at_place.entry(place).or_default().push(series);
        }
    }
    let mut labels: Vec<(f64, String)> = Vec::new();
    for limit in at_place.keys().map(|&(_, limit)| limit).collect::<BTreeSet<u64>>() {
        let (_, y) = frame.at(0, limit);
        canvas.line([(frame.left, y), (frame.right(), y)], &stroke(GREY, 1.0).dashed(2.0, 4.0));
        let value = unit.show(limit);
        match labels.last_mut() {
            Some((below, label)) if *below - y < 16.0 => (*below, *label) = (y, format!("{label}, {value}")),
            _ => labels.push((y, format!("timeout {value}"))),
        }
    }
    for (y, label) in labels {
        canvas.text(&label, (frame.left + 6.0, y - 13.0), "start", SMALL);
    }
    for (place, reached) in at_place {
        let apart = 0.9 * frame.across.room(place.0, numbers) / reached.len() as f64;
        let crowded = apart < CROWDED;
        let (middle, y) = frame.at(place.0, place.1);
        for (index, series) in reached.iter().enumerate() {
            let aside = (index as f64 - (reached.len() - 1) as f64 / 2.0) * apart.min(12.0);
            let x = if crowded { middle } else { middle + aside };
            if !crowded {
                series.style.marker(canvas, (x, y), 4.2, false);
            }
        }
        if crowded {
            canvas.circle((middle, y), 9.0, &fill(PAPER).rimmed(GREY, 2.0));
            canvas.text(&reached.len().to_string(), (middle, y), "middle", SMALL);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::axis::Axis;
    use super::*;

    #[test]
    fn markers_that_fall_together_are_moved_apart() {
        let series = |line: [(u64, u64); 3]| Series { line: line.into(), ..Series::default() };
        let all = [series([(4, 1000), (5, 2000), (6, 300_000)]), series([(4, 900_000), (5, 2000), (6, 3)])];
        let up = Axis::log([3, 900_000].into_iter(), 400.0, Unit::Time);
        let frame = Frame { across: Axis::numbers(&[4, 5, 6], 600.0), up, left: 50.0, bottom: 450.0 };
        let places = apart(&all, &frame, &[4, 5, 6]);
        let (left, right) = (places[0][1], places[1][1]);
        assert!((right.0 - left.0 - TOGETHER).abs() < 1e-9 && left.1 == right.1, "{left:?} {right:?}");
        assert!((f64::midpoint(left.0, right.0) - frame.at(5, 2000).0).abs() < 1e-9);
        assert!(places[0][0].0 == places[1][0].0, "distant markers stay where they are");
    }
}
