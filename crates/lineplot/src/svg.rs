//! Writes the elements of an SVG picture. Positions are in pixels from the top-left corner. Font files are not read;
//! [`text_width`] returns an upper bound of the width of a text.

use crate::layout::PictureLayout;
use crate::style::{self, Color, Font, PAPER, SMALL, Style, TITLE};

/// A point of the picture.
pub type Point = (f64, f64);

/// A picture that consists of a plot, its titles and its notes.
pub struct Sheet<'a> {
    /// The prefix of the ids inside the SVG.
    pub id: &'a str,
    /// The title and the subtitle.
    pub titles: (&'a str, &'a str),
    /// A description of the content for screen readers.
    pub description: String,
    /// Remarks below the plot.
    pub notes: &'a [String],
    /// The heights of the plot and of the area below its axis.
    pub heights: (f64, f64),
    /// The layout. A figure of a paper has neither titles nor notes, because these are in its caption.
    pub layout: &'a PictureLayout,
}

/// The attributes that paint a shape.
pub struct Paint(String);

/// The paint of a filled shape.
pub fn fill(color: Color) -> Paint {
    Paint(format!("fill=\"{color}\""))
}

/// The paint of an outline or a line.
pub fn stroke(color: Color, width: f64) -> Paint {
    Paint(format!("fill=\"none\" stroke=\"{color}\" stroke-width=\"{width:.2}\""))
}

impl Paint {
    /// Sets the opacity, from 0 to 1.
    pub fn faded(self, opacity: f64) -> Self {
        Self(format!("{} opacity=\"{opacity}\"", self.0))
    }

    /// Draws the outline in dashes and gaps of these lengths.
    pub fn dashed(self, dash: f64, gap: f64) -> Self {
        Self(format!("{} stroke-dasharray=\"{dash} {gap}\"", self.0))
    }

    /// Adds a rim of another colour around a filled shape.
    pub fn rimmed(self, color: Color, width: f64) -> Self {
        Self(format!("{} stroke=\"{color}\" stroke-width=\"{width:.2}\" paint-order=\"stroke\"", self.0))
    }
}

/// The elements drawn so far.
pub struct Canvas(String);

impl Sheet<'_> {
    /// Draws the picture and returns it as SVG. Calls `plot` with the top and the bottom position of the plot.
    pub fn svg(self, plot: impl FnOnce(&mut Canvas, f64, f64)) -> String {
        let Self { id: prefix, titles: (title, subtitle), description, notes, heights, layout } = self;
        let id = id(prefix);
        let PictureLayout { width, pad, ref font, .. } = *layout;
        let lines = |text: &str, font, max_lines| match layout.has_titles {
            false => Vec::new(),
            true => wrap(text, font, width - 2.0 * pad, max_lines),
        };
        let (titles, subtitles) = (lines(title, TITLE, 3), lines(subtitle, SMALL, 3));
        let notes: Vec<String> = notes.iter().flat_map(|note| lines(note, SMALL, 4)).collect();
        let below_title = pad + 22.0 * titles.len() as f64;
        let head_height = below_title + 16.0 * subtitles.len() as f64;
        let (top, bottom) = (head_height + 28.0, head_height + 28.0 + heights.0);
        let foot_top = bottom + 42.0 + heights.1;
        let height = foot_top + pad + 16.0 * notes.len() as f64;
        let (title, description) = (escaped(title), escaped(&description));
        // A figure of a paper needs no background, because paper is white.
        let (size, background) = match layout.inches {
            Some(inches) => {
                (format!("width=\"{inches}in\" height=\"{:.3}in\"", inches * height / width), String::new())
            }
            None => (
                format!("width=\"{width}\" height=\"{height}\""),
                format!(
                    "<style>\n{}\n</style>\n<rect width=\"{width}\" height=\"{height}\" fill=\"{PAPER}\"/>\n",
                    style::stylesheet()
                ),
            ),
        };
        let mut canvas = Canvas(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" {size} viewBox=\"0 0 {width} {height}\" class=\"lineplot\" \
             font-family=\"{}\" stroke-linejoin=\"round\" \
             stroke-linecap=\"round\" role=\"img\" aria-labelledby=\"{id}-title {id}-desc\">\n\
             <title id=\"{id}-title\">{title}</title>\n<desc id=\"{id}-desc\">{description}</desc>\n{background}",
            escaped(font)
        ));
        for (lines, y, step, font) in [
            (titles, pad + 4.0, 22.0, TITLE),
            (subtitles, below_title, 16.0, SMALL),
            (notes, foot_top + 20.0, 16.0, SMALL),
        ] {
            for (index, line) in lines.iter().enumerate() {
                canvas.text(line, (pad, y + index as f64 * step), "start", font);
            }
        }
        plot(&mut canvas, top, bottom);
        canvas.0 + "</svg>\n"
    }
}

impl Canvas {
    /// Draws a small picture without titles and returns it as SVG. It uses the style sheet of the other pictures on its page.
    pub fn small_svg((width, height): (f64, f64), draw: impl FnOnce(&mut Canvas)) -> String {
        let mut canvas = Canvas(format!(
            "<svg viewBox=\"0 0 {width} {height}\" class=\"lineplot\" stroke-linecap=\"round\">"
        ));
        draw(&mut canvas);
        canvas.0.replace('\n', "") + "</svg>"
    }

    /// Draws a group of shapes with attributes, by which a script finds the group.
    pub fn group(&mut self, attributes: &[(&str, &str)], draw: impl FnOnce(&mut Canvas)) {
        let attributes = attributes.iter().filter(|(_, value)| !value.is_empty());
        let attributes = attributes.map(|(name, value)| format!(" {name}=\"{}\"", escaped(value)));
        self.0 += &format!("<g{}>\n", attributes.collect::<String>());
        draw(self);
        self.0 += "</g>\n";
    }

    /// Draws the group with this id a second time, moved by an offset.
    pub fn reuse(&mut self, id: &str, offset: Point) {
        let (x, y) = rounded(offset);
        self.0 += &format!("<use href=\"#{id}\" x=\"{x}\" y=\"{y}\"/>\n");
    }

    /// Adds the title of a group, which is displayed as a tooltip.
    pub fn title(&mut self, title: &str) {
        self.0 += &format!("<title>{}</title>\n", escaped(title));
    }

    /// Draws a line through these points.
    pub fn line(&mut self, points: impl IntoIterator<Item = Point>, paint: &Paint) {
        self.shape_with_points("polyline", points, paint);
    }

    /// Draws a polygon with these corners.
    pub fn polygon(&mut self, points: impl IntoIterator<Item = Point>, paint: &Paint) {
        self.shape_with_points("polygon", points, paint);
    }

    fn shape_with_points(
        &mut self,
        name: &str,
        points: impl IntoIterator<Item = Point>,
        Paint(paint): &Paint,
    ) {
        let points = points.into_iter().map(rounded).map(|(x, y)| format!("{x},{y}"));
        let points = points.collect::<Vec<_>>().join(" ");
        self.0 += &format!("<{name} {paint} points=\"{points}\"/>\n");
    }

    /// Draws a cross with a rim in the colour of the background.
    pub fn cross(&mut self, centre: Point, radius: f64, color: Color) {
        self.path(style::CROSS, centre, radius, &fill(color).rimmed(PAPER, 2.5 / radius));
    }

    /// Draws a letter centred at a point. Its position is in the attribute `transform`, as for most markers, so that a script can move
    /// both in the same way.
    pub fn letter(&mut self, letter: char, centre: Point, Font { size, color, bold }: Font) {
        let ((x, y), weight) = (rounded(centre), if bold { " font-weight=\"bold\"" } else { "" });
        self.0 += &format!(
            "<text transform=\"translate({x} {y})\" dy=\"0.36em\" text-anchor=\"middle\" font-size=\"{size}\" fill=\"{color}\"{weight}>\
             {letter}</text>\n"
        );
    }

    /// Draws a circle.
    pub fn circle(&mut self, centre: Point, radius: f64, Paint(paint): &Paint) {
        let (x, y) = rounded(centre);
        self.0 += &format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" {paint}/>\n");
    }

    /// Draws an outline in path syntax around the origin, moved to a point and scaled by a factor.
    fn path(&mut self, outline: &str, to: Point, factor: f64, Paint(paint): &Paint) {
        let (x, y) = rounded(to);
        self.0 +=
            &format!("<path d=\"{outline}\" transform=\"translate({x} {y}) scale({factor})\" {paint}/>\n");
    }

    /// Draws the marker of a series with a rim in the colour of the background, filled or as an outline.
    pub fn marker(&mut self, style: Style, centre: Point, radius: f64, filled: bool) {
        let fill_color = if filled { style.color() } else { PAPER };
        self.path(style.outline(), centre, radius, &fill(fill_color).rimmed(PAPER, 2.0 / radius));
        if !filled {
            self.path(style.outline(), centre, radius, &stroke(style.color(), 1.4 / radius));
        }
    }

    /// Draws a line of text, vertically centred at `at`. `anchor` is the part of the text at this position: `start`, `middle` or `end`.
    pub fn text(&mut self, text: &str, at: Point, anchor: &str, font: Font) {
        if text.is_empty() {
            return;
        }
        let ((x, y), text) = (rounded(at), escaped(text));
        let weight = if font.bold { " font-weight=\"bold\"" } else { "" };
        let Font { size, color, .. } = font;
        self.0 += &format!(
            "<text x=\"{x}\" y=\"{y}\" dy=\"0.5ex\" text-anchor=\"{anchor}\" font-size=\"{size}\" fill=\"{color}\"{weight}>\
             {text}</text>\n"
        );
    }
}

/// Rounds to a tenth of a pixel.
fn rounded((x, y): Point) -> Point {
    ((10.0 * x).round() / 10.0, (10.0 * y).round() / 10.0)
}

/// An upper bound of the width of a line in common sans-serif fonts, in pixels.
pub fn text_width(text: &str, font: Font) -> f64 {
    let width_in_ems = |char: char| match char {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '|' | '!' | '\'' | ' ' => 0.33,
        'f' | 'r' | 't' | '(' | ')' | '/' | '-' | '·' => 0.40,
        'm' | 'w' | 'M' | 'W' | '…' | '–' => 0.97,
        'A'..='Z' => 0.73,
        '\0'..='\u{24f}' => 0.64,
        _ => 1.0,
    };
    let bold_factor = if font.bold { 1.1 } else { 1.0 };
    text.chars().map(width_in_ems).sum::<f64>() * font.size * bold_factor
}

/// Breaks a text at spaces into lines of at most this width. A longer word, such as an id with options, is also broken
/// after `,`, `:` and `/`. An ellipsis replaces the text beyond `max_lines` lines.
pub fn wrap(text: &str, font: Font, width: f64, max_lines: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let fits = text_width(word, font) <= width;
        for (index, piece) in word.split_inclusive(|c| !fits && [',', ':', '/'].contains(&c)).enumerate() {
            let gap = if index == 0 { " " } else { "" };
            match lines.last_mut() {
                Some(line) if text_width(&format!("{line}{gap}{piece}"), font) <= width => {
                    *line += &(gap.to_owned() + piece);
                }
                _ => lines.push(piece.to_owned()),
            }
        }
    }
    if lines.len() > max_lines {
        lines.truncate(max_lines);
        if let Some(last) = lines.last_mut() {
            last.push_str(" …");
        }
    }
    lines.iter().map(|line| cut(line, font, width)).collect()
}

/// Shortens a text to this width. An ellipsis replaces the removed characters.
pub fn cut(text: &str, font: Font, width: f64) -> String {
    if text_width(text, font) <= width {
        return text.to_owned();
    }
    let mut remaining_width = width - font.size;
    let fits = |char: &char| {
        remaining_width -= text_width(&char.to_string(), font);
        remaining_width >= 0.0
    };
    text.chars().take_while(fits).chain(['…']).collect()
}

/// Converts a text to the prefix of an id: all characters except ASCII letters, digits, `-` and `_` become `-`.
pub fn id(text: &str) -> String {
    let allowed_char = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_') { c } else { '-' };
    text.chars().map(allowed_char).collect()
}

/// Escapes text for XML. Control characters, which XML cannot represent, are escaped as in [`plaintext::one_line`].
fn escaped(text: &str) -> String {
    let text = plaintext::one_line(text);
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::style::INK;

    const FONT: Font = Font { size: 10.0, color: INK, bold: false };

    #[test]
    fn text_wraps_at_spaces_without_losing_words() {
        let text = (1..12).map(|length| "n".repeat(length)).collect::<Vec<_>>().join(" ");
        let lines = wrap(&text, FONT, 120.0, 9);
        assert!(lines.len() > 2 && lines.iter().all(|line| text_width(line, FONT) <= 120.0));
        assert_eq!(lines.join(" "), text);
        let cut = wrap(&text, FONT, 120.0, 2);
        assert!(cut.len() == 2 && cut[1].ends_with('…'), "{cut:?}");
    }

    #[test]
    fn long_word_wraps_at_its_punctuation() {
        let id = "backtrack/forward-checking:restarts=geometric:20:1.5,rows=smallest,values=random";
        let lines = wrap(&format!("{id} · 2 threads"), FONT, 150.0, 9);
        let expected = [
            "backtrack/",
            "forward-checking:",
            "restarts=geometric:20:1.5,",
            "rows=smallest,",
            "values=random · 2 threads",
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn overlong_word_without_punctuation_is_truncated() {
        let cut = cut("program/a-very-long-name-of-somebodys-program", FONT, 100.0);
        assert!(cut.starts_with("program/a-") && cut.ends_with('…'), "{cut}");
        assert!(text_width(&cut, FONT) <= 100.0);
    }

    #[test]
    fn markup_and_control_characters_do_not_reach_svg() {
        let titles = ("a < b & c\u{7}", "");
        let sheet = Sheet {
            id: "x\"y <",
            titles,
            description: String::new(),
            notes: &[],
            heights: (10.0, 0.0),
            layout: &PictureLayout::default(),
        };
        let draw = |canvas: &mut Canvas, y, _| canvas.text("<b>\u{1b}\u{202e}&", (0.0, y), "start", FONT);
        let svg = sheet.svg(draw);
        assert!(
            svg.contains(r"a &lt; b &amp; c\u{7}") && svg.contains(r"&lt;b&gt;\u{1b}\u{202e}&amp;"),
            "{svg}"
        );
        assert!(svg.chars().all(|c| c == '\n' || plaintext::is_printable(c)));
        assert!(svg.contains("aria-labelledby=\"x-y---title x-y---desc\""), "{svg}");
    }
}
