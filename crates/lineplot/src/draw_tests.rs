use crate::island::SeriesValues;
use crate::svg::{Point, text_width};
use crate::{Axis, Style};

use super::*;
use proptest::prelude::*;

/// Formats nanoseconds with all digits.
#[derive(Debug)]
struct Time;

impl crate::Formatter for Time {
    fn format(&self, value: f64) -> String {
        match value {
            ..1e6 => format!("{} µs", value / 1e3),
            _ => format!("{} s", value / 1e9),
        }
    }
}

fn series(rank: usize, line: &[(f64, f64)], limits: &[(f64, f64)]) -> Series {
    Series {
        name: vec![format!("family/variant-{rank}")],
        style: Style(rank),
        line: line.to_vec(),
        dots: line.to_vec(),
        band: line.iter().map(|&(n, value)| (n, value / 2.0, value)).collect(),
        limits: limits.to_vec(),
        ..Series::default()
    }
}

fn svg(series: Vec<Series>) -> String {
    chart(series).draw().expect("finite").svg
}

fn chart(series: Vec<Series>) -> Chart {
    Chart {
        id: "x".into(),
        title: "a question ".repeat(20),
        subtitle: "what is shown ".repeat(20),
        x: Axis { name: "n".into(), scale: Scale::Whole, ..Axis::default() },
        y: Axis { unit: &Time, ..Axis::default() },
        words: crate::Words { limit: "timeout".to_owned(), ..crate::Words::default() },
        series,
        notes: vec!["a note".to_owned()],
        ..Chart::default()
    }
}

/// The pairs of numbers after each occurrence of `begin`, up to `end`.
fn pairs(svg: &str, begin: &str, end: char) -> Vec<Point> {
    let values = svg.split(begin).skip(1).filter_map(|text| text.split(end).next());
    let numbers = values.flat_map(|value| value.split([' ', ','])).filter_map(|number| number.parse().ok());
    numbers.collect::<Vec<f64>>().chunks(2).map(|pair| (pair[0], pair[1])).collect()
}

/// Whether the points of all shapes and the positions of all texts lie on the sheet.
fn is_on_the_sheet(svg: &str) -> bool {
    let (width, height) = pairs(svg, " viewBox=\"", '"')[1];
    let svg = svg.replace("\" y=\"", ",").replace("\" cy=\"", ",");
    let begins = [(" points=\"", '"'), ("\"translate(", ')'), (" x=\"", '"'), (" cx=\"", '"')];
    let points: Vec<Point> = begins.into_iter().flat_map(|(begin, end)| pairs(&svg, begin, end)).collect();
    let on_sheet = |(x, y): &Point| (0.0..=width).contains(x) && (0.0..=height).contains(y);
    points.len() > 4 && points.iter().all(on_sheet)
}

#[test]
fn chart_contains_names_of_series_and_limit() {
    let svg = svg(vec![series(0, &[(4.0, 1000.0), (5.0, 30_000.0)], &[(6.0, 10_000_000_000.0)])]);
    assert!(svg.contains(">family/variant-0</text>"));
    assert!(svg.contains(">timeout 10 s</text>"));
    let description = svg.split(['<', '>']).find(|text| text.contains("1 µs")).expect("a description");
    assert!(["family/variant-0", "30 µs", "n = 6"].iter().all(|part| description.contains(part)), "{svg}");
    let series = &description[description.find("family").expect("its name")..];
    wording::assert_wording!("chart", "description", series.trim());
}

#[test]
fn names_of_stopped_series_are_ordered_by_value() {
    let limit = [(6.0, 10_000_000_000.0), (7.0, 10_000_000_000.0)];
    let slow_series = series(0, &[(4.0, 1000.0), (5.0, 90_000.0)], &limit);
    let fast_series = series(1, &[(4.0, 1000.0), (5.0, 30_000.0)], &limit);
    let svg = svg(vec![fast_series, slow_series]);
    let offset_of = |name: &str| svg.find(&format!(">{name}</text>")).expect("named");
    assert!(offset_of("family/variant-0") < offset_of("family/variant-1"));
}

#[test]
fn chart_of_many_series_colours_only_important_series() {
    let ranked_series = |rank: usize| {
        let line = [(4.0, 1000.0), (5.0, 2000.0 * (40 - rank) as f64)];
        Series { is_emphasised: [7, 9].contains(&rank), ..series(rank, &line, &[]) }
    };
    let coloured_line_count = |picture: &Picture| {
        let polylines = picture.svg.split("<polyline fill=\"none\" stroke=\"").skip(1);
        polylines.filter(|line| line.contains("stroke-width=\"1.80\"")).count()
    };
    let names = |picture: &Picture| picture.key.iter().map(|entry| entry.name.clone()).collect::<Vec<_>>();
    let picture_of_40 = chart((0..40).map(ranked_series).collect()).draw().expect("finite");
    let expected =
        ["family/variant-0", "family/variant-7", "family/variant-9", "family/variant-39", "36 others"];
    assert_eq!(names(&picture_of_40), expected);
    assert!(
        expected.iter().all(|name| picture_of_40.svg.contains(&format!(">{name}</text>"))),
        "{}",
        picture_of_40.svg
    );
    // Eight series are coloured, and all forty have a line.
    assert_eq!(
        (coloured_line_count(&picture_of_40), picture_of_40.svg.matches("\n<title>family").count()),
        (8, 40)
    );
    assert_eq!(picture_of_40.svg.matches(">10 µs</text>").count(), 1, "one axis");
    let picture_of_8 = chart((0..8).map(ranked_series).collect()).draw().expect("finite");
    assert_eq!((names(&picture_of_8).len(), coloured_line_count(&picture_of_8)), (8, 16));
    // A figure has the same names. With panels, each series is coloured in one panel.
    let picture_in_layout =
        |layout| Chart { layout, ..chart((0..40).map(ranked_series).collect()) }.draw().expect("finite");
    let figure = picture_in_layout(PictureLayout::figure(false, None));
    assert!(expected.iter().all(|name| figure.svg.contains(&format!(">{name}</text>"))), "{}", figure.svg);
    let panels = picture_in_layout(PictureLayout::panels());
    assert_eq!((coloured_line_count(&panels), panels.svg.matches("<use ").count()), (40, 39));
    // If larger values are better, the best series has the largest value.
    let chart_of_rates = Chart { more_is_better: true, ..chart((0..12).map(ranked_series).collect()) };
    assert_eq!(names(&chart_of_rates.draw().expect("finite"))[0], "family/variant-0");
    // A line with a single early point is not the worst series. The worst series is 1000 times as slow as the best one at its end.
    let early_series = Series { line: vec![(3.0, 1.0)], ..ranked_series(1) };
    let worst_series = Series { line: vec![(4.0, 1_000_000.0)], ..ranked_series(3) };
    let names = names(
        &chart((4..16).map(ranked_series).chain([early_series, worst_series]).collect())
            .draw()
            .expect("finite"),
    );
    assert_eq!(names[0], "family/variant-3");
    assert_eq!(names.len(), 5, "{names:?}");
}

#[test]
fn long_legend_wraps_into_several_lines() {
    let name = (0..9).map(|rank| format!("family/variant-{rank}")).collect();
    let named_series = Series { name, ..series(0, &[(4.0, 10.0), (5.0, 20.0)], &[]) };
    let svg = Chart { layout: PictureLayout::figure(false, None), ..chart(vec![named_series]) }
        .draw()
        .expect("finite")
        .svg;
    let texts = svg.split("</text>").filter_map(|text| text.rsplit('>').next());
    let widths: Vec<f64> =
        texts.filter(|text| text.contains("family")).map(|text| text_width(text, LABEL)).collect();
    assert!(widths.len() > 2 && widths.iter().all(|width| *width < 370.0), "{widths:?}");
}

/// Converts a map to pairs of numbers, in ascending order of the first number.
fn points(values: std::collections::BTreeMap<u32, f64>) -> Vec<(f64, f64)> {
    values.into_iter().map(|(x, y)| (x.into(), y)).collect()
}

fn point_lists(max_len: usize) -> impl Strategy<Value = Vec<(f64, f64)>> {
    let value = prop_oneof![
        0.0..1e20_f64,
        (0..u64::MAX).prop_map(|value| value as f64),
        Just(f64::MAX),
        Just(1e-300)
    ];
    prop::collection::btree_map(0..40_u32, value, 0..max_len).prop_map(points)
}

proptest! {
    #[test]
    fn drawn_elements_lie_within_the_picture(lines_and_limits in prop::collection::vec((point_lists(8), point_lists(3)), 0..45)) {
        let ranked = lines_and_limits.iter().enumerate();
        let series: Vec<Series> = ranked.map(|(rank, (line, limits))| series(rank, line, limits)).collect();
        for layout in [PictureLayout::default(), PictureLayout::page(), PictureLayout::small(), PictureLayout::panels(), PictureLayout::figure(false, None), PictureLayout::figure(true, Some("Serif"))] {
            let svg = Chart { layout, ..chart(series.clone()) }.draw().expect("finite").svg;
            prop_assert!(is_on_the_sheet(&svg), "{}", svg);
            prop_assert!(!svg.contains("NaN") && !svg.contains("inf"));
        }
    }
}

#[test]
fn invalid_chart_data_is_an_error() {
    let line = [(4.0, 1.0), (5.0, f64::NAN)];
    let name = || "family/variant-0".to_owned();
    let draw = |chart: Chart| chart.draw().map(|_| ());
    assert_eq!(draw(chart(vec![series(0, &line, &[])])), Err(PlotError::NotFinite { series: name() }));
    assert_eq!(
        draw(chart(vec![series(0, &[], &[(f64::INFINITY, 1.0)])])),
        Err(PlotError::NotFinite { series: name() })
    );
    let series_with_one_label =
        Series { labels: vec!["one".to_owned()], ..series(0, &[(1.0, 1.0), (2.0, 2.0)], &[]) };
    assert_eq!(
        draw(chart(vec![series_with_one_label])),
        Err(PlotError::Labels { series: name(), labels: 1, points: 2 })
    );
    let chart_with_scale = |scale| Chart { y: Axis { scale, ..Axis::default() }, ..chart(Vec::new()) };
    assert_eq!(draw(chart_with_scale(Scale::Log { floor: 0.0 })), Err(PlotError::Floor(0.0)));
    assert_eq!(
        draw(chart_with_scale(Scale::Linear { low: 1.0, high: 1.0 })),
        Err(PlotError::Ends { low: 1.0, high: 1.0 })
    );
    assert!(chart_with_scale(Scale::Log { floor: 0.0 }).pgfplots().is_err());
}

/// The groups with a class, each up to the end of the group.
fn groups<'s>(svg: &'s str, class: &str) -> Vec<&'s str> {
    let begin = format!("<g class=\"{class}\"");
    svg.split(&begin).skip(1).map(|text| text.split("</g>").next().expect("an end")).collect()
}

/// A script can position every shape with the island alone, which has the values of all shapes in drawing order.
#[test]
fn every_shape_has_its_value_in_json() {
    let limits = [(6.0, 1e10), (7.0, 1e10), (8.0, 2e12)];
    let with_marks = |series: Series| Series {
        hollow_at: vec![5.0],
        interrupted_before: vec![6.0],
        rejected: vec![(4.0, 0.0), (9.0, 700.0)],
        unanswered: vec![(5.0, 3.0), (8.0, 90.0)],
        ..series
    };
    let long_line: Vec<(f64, f64)> = (1..200).map(|n| (f64::from(n), 1.5 * f64::from(n))).collect();
    let mut all_series: Vec<Series> = (0..14)
        .map(|rank| with_marks(series(rank, &long_line[rank..20 * (rank + 1).min(9)], &limits)))
        .collect();
    all_series.push(Series { dots: Vec::new(), band: Vec::new(), ..series(14, &long_line, &[]) });
    for series in [&all_series[..], &all_series[..3], &all_series[12..]] {
        let shade = Some(crate::Shade { below: 20.0, label: "short".to_owned() });
        let picture = Chart { shade, ..chart(series.to_vec()) }.draw().expect("finite");
        let island = picture.island.expect("no panels");
        let places = &island.places;
        let expected_position = |(x, y): (f64, f64)| {
            let position_on_axis = |side: &PlacedAxis, value: f64| {
                let side = serde_json::to_value(side).expect("JSON");
                let number = |key: &str| side[key].as_f64().expect("a number");
                let scaled = |floor: f64| match side["zero"].as_f64() {
                    Some(zero) if value < floor => zero,
                    _ => value.max(floor).log10(),
                };
                let value = side["floor"].as_f64().map_or(value, scaled);
                number("from")
                    + (value - number("low")) / (number("high") - number("low"))
                        * (number("to") - number("from"))
            };
            (position_on_axis(&places.x, x), position_on_axis(&places.y, y))
        };
        let is_at =
            |actual: Point, (x, y): Point| (actual.0 - x).abs() < 0.051 && (actual.1 - y).abs() < 0.051;
        let assert_positions = |svg: &str, begin: &str, end: char, expected: Vec<Point>| {
            let svg = svg.replace("\" cy=\"", ",").replace("\" y=\"", ",");
            let points = pairs(&svg, begin, end);
            assert_eq!(points.len(), expected.len(), "{begin}: {svg}");
            let is_same = points.iter().zip(&expected).all(|(point, expected)| is_at(*point, *expected));
            assert!(is_same, "{begin}: {points:?}, not {expected:?}");
        };
        let plot = picture.svg.split("<g class=\"plot\">").nth(1).expect("a plot");
        let spread = island.series.iter().filter(|values| !values.band.is_empty() || !values.dots.is_empty());
        let spread: Vec<&SeriesValues> = spread.collect();
        assert_eq!(groups(plot, "spread").len(), spread.len());
        for (group, values) in groups(plot, "spread").into_iter().zip(spread) {
            let breaks: Vec<f64> = values.breaks.iter().map(|&at| values.x[at]).collect();
            let segments =
                values.band.chunk_by(|(before, ..), (x, ..)| !breaks.iter().any(|at| before < at && at <= x));
            let outlines = segments.flat_map(|segment| {
                let upper_edge = segment.iter().map(|&(x, _, high)| expected_position((x, high)));
                upper_edge
                    .chain(segment.iter().rev().map(|&(x, low, _)| expected_position((x, low))))
                    .collect::<Vec<_>>()
            });
            assert_positions(group, " points=\"", '"', outlines.collect());
            assert_positions(
                group,
                "<circle cx=\"",
                '"',
                values.dots.iter().map(|&dot| expected_position(dot)).collect(),
            );
        }
        for (group, values) in groups(plot, "line").into_iter().zip(&island.series) {
            assert!(group.contains(&format!("data-s=\"{}\"", values.id)));
            let points = values.x.iter().zip(&values.y).map(|(&x, &y)| expected_position((x, y)));
            assert_positions(group, " points=\"", '"', points.collect());
            assert_eq!(group.matches("<polyline").count(), 1 + values.breaks.len());
            assert_eq!((values.x.len(), values.x_labels.len()), (values.labels.len(), 0));
        }
        for (group, values) in groups(plot, "marks").into_iter().zip(&island.series) {
            let marked_indices = (0..values.x.len()).step_by(values.every);
            let shapes = marked_indices
                .flat_map(|at| std::iter::repeat_n(at, 1 + usize::from(values.hollow.contains(&at))));
            let shapes: Vec<Point> =
                shapes.map(|at| expected_position((values.x[at], values.y[at]))).collect();
            let begin = if group.contains("<circle") { "<circle cx=\"" } else { "\"translate(" };
            assert_positions(group, begin, if begin.ends_with('(') { ')' } else { '"' }, shapes);
        }
        let lines = groups(plot, "line").len();
        assert_eq!((lines, groups(plot, "marks").len()), (series.len(), series.len()));
        let marks = groups(plot, "limit-mark");
        assert_eq!(marks.len(), places.limits.len());
        for (group, &(series, x, y, offset)) in marks.into_iter().zip(&places.limits) {
            assert!(group.contains(&format!("data-s=\"{}\"", island.series[series].id)));
            let (center, height) = expected_position((x, y));
            assert_positions(group, "\"translate(", ')', vec![(center + offset, height); 2]);
        }
        let rejected_points = island.series.iter().map(|values| &values.rejected).collect();
        let unanswered_points = island.series.iter().map(|values| &values.unanswered).collect();
        let marks: [(&str, Vec<&Vec<_>>); 2] =
            [("rejected", rejected_points), ("unanswered", unanswered_points)];
        for (class, points) in marks {
            let nonempty_points: Vec<_> = points.into_iter().filter(|points| !points.is_empty()).collect();
            assert_eq!(groups(plot, class).len(), nonempty_points.len());
            for (group, points) in groups(plot, class).into_iter().zip(nonempty_points) {
                assert_positions(
                    group,
                    "\"translate(",
                    ')',
                    points.iter().map(|&point| expected_position(point)).collect(),
                );
            }
        }
        let shade = groups(&picture.svg, "shade");
        assert_eq!(shade.len(), usize::from(places.shade.is_some()));
        for (group, below) in shade.into_iter().zip(places.shade) {
            assert!((pairs(group, " points=\"", '"')[0].1 - expected_position((1.0, below)).1).abs() < 0.051);
        }
        let heights = |class: &str, attribute: &str| {
            let height = |group: &str| pairs(&group.replace("\" y=\"", ","), attribute, '"')[0].1;
            groups(plot, class).into_iter().map(height).collect::<Vec<f64>>()
        };
        for (height, &limit) in heights("limit", " points=\"").iter().zip(&places.limit_lines) {
            assert!((height - expected_position((1.0, limit)).1).abs() < 0.051);
        }
        for (height, &limit) in heights("limit-label", "<text x=\"").iter().zip(&places.limit_labels) {
            assert!((height + 13.0 - expected_position((1.0, limit)).1).abs() < 0.051);
        }
    }
}

#[test]
fn json_has_exact_values_and_no_script_tag() {
    let series_with_tag =
        Series { name: vec!["</script>".to_owned()], ..series(0, &[(4.0, 8394.0), (5.0, 0.1)], &[]) };
    let island = chart(vec![series_with_tag]).draw().expect("finite").island;
    let json = crate::json_for_script(&island).expect("JSON");
    assert!(!json.contains('<') && json.contains(r#""x":[4,5],"y":[8394,0.1]"#), "{json}");
}

#[test]
fn zero_has_separate_position_on_log_axis() {
    let series_with_zero = series(0, &[(4.0, 0.0), (5.0, 1.0), (6.0, 10.0)], &[]);
    let line_only = Series { dots: Vec::new(), band: Vec::new(), ..series_with_zero };
    let points = pairs(groups(&svg(vec![line_only]), "line")[0], " points=\"", '"');
    let [zero, one, ten] = &points[..] else { panic!("three points: {points:?}") };
    assert!(zero.1 > one.1 + 15.0 && one.1 > ten.1 + 100.0, "{points:?}");
}

#[test]
fn line_has_a_gap_where_nothing_was_measured() {
    let line = [(4.0, 10.0), (5.0, 20.0), (9.0, 30.0)];
    let segments = |interrupted_before: Vec<f64>| {
        let picture = svg(vec![Series { interrupted_before, ..series(0, &line, &[]) }]);
        groups(&picture, "line")[0].matches("<polyline").count()
    };
    assert_eq!((segments(Vec::new()), segments(vec![9.0])), (1, 2));
}

#[test]
fn wrong_result_is_marked_even_in_grey_series() {
    let ranked_series = |rank: usize| {
        let rejected = if rank == 12 { vec![(6.0, 70.0)] } else { Vec::new() };
        Series { rejected, ..series(rank, &[(4.0, 10.0), (5.0, 20.0)], &[]) }
    };
    let series_without_line = Series { line: Vec::new(), ..ranked_series(12) };
    for series_list in [(0..13).map(ranked_series).collect(), vec![ranked_series(0), series_without_line]] {
        let picture = chart(series_list).draw().expect("finite");
        assert_eq!(groups(&picture.svg, "rejected").len(), 1);
        assert!(picture.key.iter().any(|entry| entry.name == "family/variant-12"), "{:?}", picture.key);
    }
}

#[test]
fn small_chart_omits_title_and_series_names() {
    let all_series = || vec![series(0, &[(4.0, 10.0), (5.0, 20.0)], &[])];
    let [page, small] = [PictureLayout::page(), PictureLayout::small()]
        .map(|layout| Chart { layout, ..chart(all_series()) }.draw().expect("finite"));
    let has_text = |picture: &Picture, text: &str| picture.svg.contains(&format!(">{text}</text>"));
    assert!(has_text(&page, "family/variant-0") && !has_text(&small, "family/variant-0"));
    assert!(!has_text(&page, "a note") && !has_text(&small, "a note"));
    // The values are equal, and the positions differ.
    let [page, small] = [page, small].map(|picture| picture.island.expect("no panels"));
    assert_eq!(page.series, small.series);
    assert_ne!(page.places(), small.places());
}

#[test]
fn style_of_series_depends_only_on_name() {
    let style_and_color = |name: &str| (Style::of_name(name), Style::of_name(name).color());
    assert_eq!(style_and_color("program/mine"), style_and_color("program/mine"));
    let colors: std::collections::BTreeSet<&str> =
        (0..60).map(|number| style_and_color(&format!("program/{number}")).1).collect();
    assert_eq!(colors.len(), 11, "names are spread over all colours");
    let next_style = Style::of_name("program/mine").with_next_marker();
    assert_eq!(next_style.color(), style_and_color("program/mine").1);
    assert_ne!(next_style.outline(), Style::of_name("program/mine").outline());
}
