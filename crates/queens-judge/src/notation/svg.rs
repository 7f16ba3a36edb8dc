//! Writes all boards as one SVG document, in a grid that is about as wide as it is high.
//!
//! The document defines colours for light and dark themes and a drawing of a queen. It has no background and uses no font. Each
//! board is one `<g>` whose `<title>` contains the columns of the queens.

use std::io::{self, Write};

/// The side of a square, in user units.
const CELL: usize = 20;
/// The space around and between boards, in user units.
const GAP: usize = 16;
/// The width of the frame around a board, in user units.
const FRAME: usize = 1;

/// The colours, the chequered pattern of two by two squares, and the queen, which is a crown in 20 by 20 units.
const STYLE: &str = "  <style>
    .light { fill: #f2e9d8 } .dark { fill: #c3a581 } .frame { fill: #6f5a41 } .queen { fill: #241a10 }
    @media (prefers-color-scheme: dark) {
      .light { fill: #8d99a8 } .dark { fill: #5d6b7d } .frame { fill: #b9c3cf } .queen { fill: #0c1117 }
    }
  </style>
  <defs>
    <pattern id=\"ground\" width=\"40\" height=\"40\" patternUnits=\"userSpaceOnUse\">
      <path class=\"light\" d=\"M0 0h40v40h-40z\"/>
      <path class=\"dark\" d=\"M20 0h20v20h-20zM0 20h20v20h-20z\"/>
    </pattern>
    <g id=\"q\" class=\"queen\">
      <circle cx=\"3.2\" cy=\"7\" r=\"1.4\"/><circle cx=\"10\" cy=\"4.2\" r=\"1.5\"/><circle cx=\"16.8\" cy=\"7\" r=\"1.4\"/>
      <path d=\"M3.2 7.4L6.9 11.2L10 4.6L13.1 11.2L16.8 7.4L14.9 14.4H5.1z\"/>
      <path d=\"M4.9 15.2H15.1V17H4.9z\"/>
    </g>
  </defs>
";

/// Writes the document. `boards`: placements on boards of side `n`.
pub(super) fn write<W: Write>(out: &mut W, n: usize, boards: &[Box<[u32]>]) -> io::Result<()> {
    let boards_per_line = (1..).find(|k| k * k >= boards.len()).unwrap_or(1);
    let lines = boards.len().div_ceil(boards_per_line);
    let side = n * CELL + 2 * FRAME;
    let step = side + GAP;
    let width = boards.len().min(boards_per_line) * step + GAP;
    let height = lines * step + GAP;

    writeln!(
        out,
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">"#
    )?;
    writeln!(out, "  <title>{}</title>", title(n, boards.len()))?;
    out.write_all(STYLE.as_bytes())?;
    for (index, columns) in boards.iter().enumerate() {
        let x = GAP + index % boards_per_line * step + FRAME;
        let y = GAP + index / boards_per_line * step + FRAME;
        board(out, (x, y), columns)?;
    }
    writeln!(out, "</svg>")
}

fn title(n: usize, boards: usize) -> String {
    let queens = if n == 1 { "queen" } else { "queens" };
    match boards {
        0 => format!("{n} {queens}: no board"),
        1 => format!("{n} {queens}: 1 board"),
        _ => format!("{n} {queens}: {boards} boards"),
    }
}

fn board<W: Write>(out: &mut W, (x, y): (usize, usize), columns: &[u32]) -> io::Result<()> {
    let board_side = columns.len() * CELL;
    let frame_side = board_side + 2 * FRAME;
    let numbers: Vec<String> = columns.iter().map(u32::to_string).collect();
    writeln!(out, r#"  <g transform="translate({x} {y})">"#)?;
    writeln!(out, "    <title>{}</title>", numbers.join(" "))?;
    writeln!(
        out,
        r#"    <path class="frame" d="M-{FRAME} -{FRAME}h{frame_side}v{frame_side}h-{frame_side}z"/>"#
    )?;
    writeln!(out, r#"    <path fill="url(#ground)" d="M0 0h{board_side}v{board_side}h-{board_side}z"/>"#)?;
    for (row, &column) in columns.iter().enumerate() {
        let (x, y) = (column as usize * CELL, row * CELL);
        writeln!(out, r##"    <use href="#q" x="{x}" y="{y}"/>"##)?;
    }
    writeln!(out, "  </g>")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(n: usize, boards: &[Box<[u32]>]) -> String {
        let mut out = Vec::new();
        write(&mut out, n, boards).expect("written to memory");
        String::from_utf8(out).expect("UTF-8")
    }

    #[test]
    fn each_queen_is_drawn_on_its_square() {
        let text = document(4, &[Box::new([1, 3, 0, 2]), Box::new([2, 0, 3, 1])]);
        assert!(text.starts_with(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"212\" height=\"114\" viewBox=\"0 0 212 114\">\n  \
             <title>4 queens: 2 boards</title>\n"
        ));
        let first_board = "    <title>1 3 0 2</title>
    <path class=\"frame\" d=\"M-1 -1h82v82h-82z\"/>
    <path fill=\"url(#ground)\" d=\"M0 0h80v80h-80z\"/>
    <use href=\"#q\" x=\"20\" y=\"0\"/>
    <use href=\"#q\" x=\"60\" y=\"20\"/>
    <use href=\"#q\" x=\"0\" y=\"40\"/>
    <use href=\"#q\" x=\"40\" y=\"60\"/>
  </g>
  <g transform=\"translate(115 17)\">
";
        assert!(text.contains(first_board), "{text}");
        assert!(text.ends_with("  </g>\n</svg>\n"));
    }

    #[test]
    fn boards_are_arranged_in_a_square_grid() {
        let text = document(1, &vec![[0].into(); 5]);
        assert!(text.contains("viewBox=\"0 0 130 92\""), "{text}");
        let places = text.lines().filter_map(|line| line.trim().strip_prefix("<g transform=\"translate("));
        let places: Vec<&str> = places.collect();
        assert_eq!(places, ["17 17", "55 17", "93 17", "17 55", "55 55"].map(|place| format!("{place})\">")));
    }

    #[test]
    fn boards_of_size_0_and_1_are_drawn() {
        let one_square = document(1, &[Box::new([0])]);
        assert!(one_square.contains("<title>1 queen: 1 board</title>"));
        assert_eq!(one_square.matches("<use ").count(), 1);
        let empty_board = document(0, &[Box::new([])]);
        assert!(empty_board.contains("<title>0 queens: 1 board</title>"));
        assert!(empty_board.contains("M-1 -1h2v2h-2z"));
        assert_eq!(empty_board.matches("<use ").count(), 0);
    }

    #[test]
    fn title_states_that_there_is_no_board() {
        let document_without_boards = document(3, &[]);
        assert!(document_without_boards.contains("<title>3 queens: no board</title>"));
        assert!(document_without_boards.contains("viewBox=\"0 0 16 16\""));
        assert!(!document_without_boards.contains("<g transform"));
    }
}
