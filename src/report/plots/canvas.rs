//! A sheet to draw on: plotters' SVG backend behind a few shapes in points, with a title for screen
//! readers. The backend knows whole pixels only, so the drawing is [`FINE`] times larger than the
//! picture, and shown at its size by the SVG's own width and height. No font is looked up: where a
//! width matters, [`text_width`] says what it is at most.

use std::io;

use plotters::drawing::DrawingAreaErrorKind;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::style;

const FINE: f64 = 10.0;
const FONTS: &str = "Helvetica Neue, Helvetica, Arial, sans-serif";

/// What a drawing step returns.
pub type Drawn<T = ()> = Result<T, DrawingAreaErrorKind<io::Error>>;

/// A place on the canvas, from the top left.
pub type Point = (f64, f64);

/// What the picture is called, and said in words.
pub struct Caption<'a> {
    /// Prefix of the ids inside the SVG, unique among pictures of a page.
    pub id: &'a str,
    /// What it is.
    pub title: &'a str,
    /// What it shows.
    pub description: &'a str,
}

/// The sheet.
pub struct Canvas<'a> {
    area: DrawingArea<SVGBackend<'a>, plotters::coord::Shift>,
}

/// A size and colour of text.
#[derive(Clone, Copy)]
pub struct Font {
    /// Height of an em.
    pub size: f64,
    /// Colour.
    pub color: RGBColor,
    /// Whether it is bold.
    pub bold: bool,
}

/// Draws a picture of a width and height; returns it as SVG.
pub fn draw(
    (width, height): (f64, f64),
    caption: &Caption<'_>,
    picture: impl FnOnce(&Canvas<'_>) -> Drawn,
) -> Drawn<String> {
    let mut svg = String::new();
    let fine = |length: f64| (length * FINE).round() as u32;
    let canvas =
        Canvas { area: SVGBackend::with_string(&mut svg, (fine(width), fine(height))).into_drawing_area() };
    canvas.rectangle((0.0, 0.0), (width, height), &WHITE)?;
    picture(&canvas)?;
    canvas.area.present()?;
    drop(canvas);
    let body = svg.split_once('>').map_or("", |(_, body)| body);
    let Caption { id, title, description } = caption;
    let (title, description) = (escaped(title), escaped(description));
    Ok(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {} {}\" \
         class=\"queens\" stroke-linejoin=\"round\" stroke-linecap=\"round\" role=\"img\" aria-labelledby=\"{id}-title {id}-desc\">\n\
         <title id=\"{id}-title\">{title}</title>\n<desc id=\"{id}-desc\">{description}</desc>\n<style>\n{}\n</style>{body}",
        fine(width),
        fine(height),
        style::stylesheet(),
    ))
}

impl Canvas<'_> {
    /// A filled rectangle.
    pub fn rectangle(&self, from: Point, to: Point, color: &impl Color) -> Drawn {
        self.area.draw(&Rectangle::new([fine(from), fine(to)], color.filled()))
    }

    /// A line through points.
    pub fn line(&self, points: &[Point], color: &impl Color, width: f64) -> Drawn {
        let style = color.stroke_width((width * FINE).round() as u32);
        self.area.draw(&PathElement::new(points.iter().copied().map(fine).collect::<Vec<_>>(), style))
    }

    /// A line of dashes and gaps of these lengths.
    pub fn dashed(&self, points: &[Point], (dash, gap): (f64, f64), color: &impl Color, width: f64) -> Drawn {
        // How far into dash and gap the last segment ended: corners do not restart the pattern.
        let mut phase = 0.0;
        for segment in points.windows(2) {
            let ((x0, y0), (x1, y1)) = (segment[0], segment[1]);
            let length = (x1 - x0).hypot(y1 - y0);
            let at = |done: f64| (x0 + (x1 - x0) * done / length, y0 + (y1 - y0) * done / length);
            let mut done = -phase;
            while done < length {
                let (from, to) = (done.max(0.0), (done + dash).min(length));
                if from < to {
                    self.line(&[at(from), at(to)], color, width)?;
                }
                done += dash + gap;
            }
            phase = (length + phase) % (dash + gap);
        }
        Ok(())
    }

    /// A filled polygon.
    pub fn polygon(&self, points: &[Point], color: &impl Color) -> Drawn {
        self.area.draw(&Polygon::new(points.iter().copied().map(fine).collect::<Vec<_>>(), color.filled()))
    }

    /// A filled circle.
    pub fn dot(&self, centre: Point, radius: f64, color: &impl Color) -> Drawn {
        self.area.draw(&Circle::new(fine(centre), (radius * FINE).round() as u32, color.filled()))
    }

    /// A line of text, vertically centred on its anchor.
    pub fn text(&self, text: &str, at: Point, align: HPos, font: Font) -> Drawn {
        let weight = if font.bold { FontStyle::Bold } else { FontStyle::Normal };
        // plotters divides by 1.24 what it takes for the height of a line.
        let desc = FontDesc::new(FontFamily::Name(FONTS), font.size * 1.24 * FINE, weight);
        let style = TextStyle::from(desc).color(&font.color).pos(Pos::new(align, VPos::Center));
        self.area.draw_text(&printable(text), &style, fine(at))
    }
}

fn fine((x, y): Point) -> (i32, i32) {
    ((x * FINE).round() as i32, (y * FINE).round() as i32)
}

/// About how wide a line is in the widest of the usual sans-serif fonts.
pub fn text_width(text: &str, font: Font) -> f64 {
    let em = |char: char| match char {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '|' | '!' | '\'' | ' ' => 0.33,
        'f' | 'r' | 't' | '(' | ')' | '/' | '-' | '·' => 0.40,
        'm' | 'w' | 'M' | 'W' | '…' | '–' => 0.97,
        'A'..='Z' => 0.73,
        '\0'..='\u{24f}' => 0.64,
        _ => 1.0,
    };
    let bold = if font.bold { 1.1 } else { 1.0 };
    text.chars().map(em).sum::<f64>() * font.size * bold
}

/// Breaks a text at spaces into lines of at most this width; what is longer than `most` lines is cut.
pub fn wrap(text: &str, font: Font, width: f64, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if text_width(&format!("{line} {word}"), font) <= width => {
                *line = format!("{line} {word}")
            }
            _ => lines.push(word.to_owned()),
        }
    }
    if lines.len() > most {
        lines.truncate(most);
        if let Some(last) = lines.last_mut() {
            last.push_str(" …");
        }
    }
    lines.iter().map(|line| shorten(line, font, width)).collect()
}

/// A text of at most this width: its middle gives way to an ellipsis.
pub fn shorten(text: &str, font: Font, width: f64) -> String {
    let chars: Vec<char> = text.chars().collect();
    let cut = |keep: usize| -> String {
        let head = chars[..keep.div_ceil(2)].iter();
        head.chain(['…'].iter()).chain(&chars[chars.len() - keep / 2..]).collect()
    };
    if text_width(text, font) <= width {
        return text.to_owned();
    }
    (0..chars.len()).rev().map(cut).find(|text| text_width(text, font) <= width).unwrap_or_default()
}

/// XML has no way to write most control characters, and names come from users' files.
fn printable(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') { ' ' } else { c })
        .collect()
}

fn escaped(text: &str) -> String {
    printable(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    const FONT: Font = Font { size: 10.0, color: BLACK, bold: false };

    #[test]
    fn lines_are_broken_at_spaces_and_lose_no_word() {
        let text = "From which n on does SAT enumerate faster than a textbook backtracker?";
        let lines = wrap(text, FONT, 120.0, 9);
        assert!(lines.len() > 2 && lines.iter().all(|line| text_width(line, FONT) <= 120.0));
        assert_eq!(lines.join(" "), text);
        let cut = wrap(text, FONT, 120.0, 2);
        assert!(cut.len() == 2 && cut[1].ends_with('…'), "{cut:?}");
    }

    #[test]
    fn a_long_name_keeps_both_ends() {
        let short = shorten("program/a-very-long-name-of-somebodys-program", FONT, 100.0);
        assert!(short.starts_with("program") && short.ends_with("program") && short.contains('…'), "{short}");
        assert!(text_width(&short, FONT) <= 100.0);
        assert_eq!(shorten("", FONT, 1.0), "");
    }

    #[test]
    fn markup_and_control_characters_do_not_reach_the_svg() {
        let caption = Caption { id: "x", title: "a < b & c\u{7}", description: "" };
        let svg =
            draw((10.0, 10.0), &caption, |canvas| canvas.text("<b>\u{1b}&", (0.0, 5.0), HPos::Left, FONT));
        let svg = svg.expect("drawn");
        assert!(svg.contains("a &lt; b &amp; c ") && svg.contains("&lt;b&gt; &amp;"), "{svg}");
        assert!(!svg.contains(|c: char| c.is_control() && c != '\n'));
    }

    #[test]
    fn dashes_go_on_around_a_corner() {
        let caption = Caption { id: "x", title: "", description: "" };
        // 4 on, 4 off along 10 and then 10: dashes at 0-4, 8-10, 10-12 (the same dash), 16-20.
        let dashed = |canvas: &Canvas<'_>| {
            canvas.dashed(&[(0.0, 0.0), (10.0, 0.0), (10.0, 10.0)], (4.0, 4.0), &BLACK, 1.0)
        };
        let svg = draw((20.0, 20.0), &caption, dashed).expect("drawn");
        for dash in ["0,0 40,0 ", "80,0 100,0 ", "100,0 100,20 ", "100,60 100,100 "] {
            assert!(svg.contains(&format!("points=\"{dash}\"")), "{dash}: {svg}");
        }
        assert_eq!(svg.matches("<polyline").count(), 4);
    }
}
