//! The picture of a region puzzle: coloured squares on a terminal, letters elsewhere.

use std::io::{self, Write};

use crate::board::Square;
use crate::board::problem::Regions;

/// Background colours of the regions, from the palette of 256 colours: light ones, so that black letters can be read.
const COLOURS: [u8; 12] = [217, 223, 229, 193, 158, 159, 153, 183, 219, 252, 180, 151];

/// Prints a solution: `Q` for a queen, the letter of its region for any other square. An empty line separates it from
/// an earlier one.
pub fn print(
    out: &mut impl Write,
    regions: &Regions,
    columns: &[u16],
    colour: bool,
    follows: bool,
) -> io::Result<()> {
    if follows {
        writeln!(out)?;
    }
    for (row, &queen) in columns.iter().enumerate() {
        for column in 0..columns.len() {
            let square = Square { row, column };
            let sign = if usize::from(queen) == column { 'Q' } else { regions.letter(square) };
            if colour {
                let background = COLOURS[regions.region(square) % COLOURS.len()];
                let sign = if sign == 'Q' { '♛' } else { ' ' };
                write!(out, "\x1b[30;48;5;{background}m {sign} \x1b[0m")?;
            } else {
                write!(out, "{}{sign}", if column > 0 { " " } else { "" })?;
            }
        }
        writeln!(out)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_queens_are_printed_and_colours_only_where_wanted() {
        let regions = Regions::from_rows(["BBAA", "BBAA", "xxDD", "xxDD"], 1).expect("four regions");
        let text = |colour| {
            let mut out = Vec::new();
            print(&mut out, &regions, &[1, 3, 0, 2], colour, false).expect("a vector takes everything");
            String::from_utf8(out).expect("UTF-8")
        };
        assert_eq!(text(false), "B Q A A\nB B A Q\nQ x D D\nx x Q D\n");
        let coloured = text(true);
        assert_eq!((coloured.matches('♛').count(), coloured.matches("\x1b[0m").count()), (4, 16));
    }
}
