//! The board cut into quarters, and the diagonals that cross from the top half into the bottom half.
//!
//! n = 2h: four h by h quarters. n = 2h + 1: the same four around a middle row and a middle column,
//! whose queens travel with the top-left quarter (see [`super::quarters`]).
//! A diagonal is named by s = row + column (rising) or t = row - column (falling), both of the whole board.
//!
//! ```text
//!        T_low       s: TL 0 ..= 2h-2      t: TL -(h-1) ..= h-1
//!      +----+----+      TR and BL between     TR below 0
//!      | TL | TR |      BR from 2(n-h)        BL above 0
//!      +----+----+
//!      | BL | BR |   S_low  = rising diagonals of the top half that BR does not reach
//!      +----+----+   S_high = rising diagonals of the top half that TL does not reach
//!                    T_low, T_high: the same for falling ones, BL and TR
//! ```
//!
//! Diagonals that stay within one half never matter to the other. The long diagonals (even n) are left
//! out of the masks: symmetry keeps them free in the top half, see [`super::symmetry`].

/// One of the four quarters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Corner {
    /// Rows and columns below the middle.
    TopLeft,
    /// Rows below, columns above.
    TopRight,
    /// Rows above, columns below.
    BottomLeft,
    /// Rows and columns above.
    BottomRight,
}

/// Sizes of the quarters and of the four fields of crossing diagonals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Geometry {
    /// Side of the board.
    pub n: u32,
    /// Side of a quarter.
    pub h: u32,
    /// Diagonals in S_high and in T_high.
    pub high: u32,
    /// Diagonals in S_low and in T_low.
    pub low: u32,
}

/// Crossing diagonals of queens in the top half.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TopMask {
    /// S_low, then T_low, then one bit for t = -h, which only the top quarters share.
    pub low: u32,
    /// S_high, then T_high.
    pub high: u32,
}

/// Diagonals of queens in a quarter, by row and column of the quarter: rising ones by row + column, falling ones by
/// row - column + h.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Diagonals {
    /// One bit each.
    pub rising: u32,
    /// One bit each.
    pub falling: u32,
}

impl Geometry {
    /// Boards that meeting in the middle can be asked for. Above, a quarter has 2^32 placements or more.
    pub const SIZES: std::ops::RangeInclusive<usize> = 10..=24;

    /// The cut of an n by n board, n within [`Geometry::SIZES`].
    pub fn new(n: usize) -> Self {
        assert!(Self::SIZES.contains(&n), "the masks of n = {n} do not fit");
        let n = n as u32;
        let h = n / 2;
        let (high, low) = if n.is_multiple_of(2) { (h - 1, h - 1) } else { (h - 2, h + 1) };
        Self { n, h, high, low }
    }

    /// Whether there are a middle row and a middle column.
    pub fn odd(&self) -> bool {
        !self.n.is_multiple_of(2)
    }

    /// All rows or columns of a quarter.
    pub fn full(&self) -> u32 {
        (1 << self.h) - 1
    }

    /// Bits of a bottom quarter's mask.
    pub fn bottom_bits(&self) -> u32 {
        2 * self.high + self.low
    }

    /// Crossing diagonals in all: rows of a piece's bit matrix.
    pub fn crossing(&self) -> u32 {
        2 * self.high + 2 * self.low
    }

    /// Row and column of the whole board at which a quarter begins.
    pub fn corner(&self, corner: Corner) -> (u32, u32) {
        let far = self.n - self.h;
        match corner {
            Corner::TopLeft => (0, 0),
            Corner::TopRight => (0, far),
            Corner::BottomLeft => (far, 0),
            Corner::BottomRight => (far, far),
        }
    }

    /// The diagonals through a square of a quarter or of the middle lines, which are row and column h of the top left.
    pub fn diagonals(&self, row: u32, column: u32) -> Diagonals {
        Diagonals { rising: 1 << (row + column), falling: 1 << (row + self.h - column) }
    }

    /// Crossing diagonals among those of a top quarter.
    #[inline(always)]
    pub fn top_mask(&self, corner: Corner, diagonals: Diagonals) -> TopMask {
        let [s_low, s_high, t_low, t_high, apart] = self.fields(corner, diagonals);
        TopMask {
            low: s_low | t_low << self.low | apart << (2 * self.low),
            high: s_high | t_high << self.high,
        }
    }

    /// Crossing diagonals among those of a bottom quarter: S_high, then T_high, then the quarter's own field, which is
    /// S_low (left) or T_low (right). 33 bits for n = 24.
    #[inline(always)]
    pub fn bottom_mask(&self, corner: Corner, diagonals: Diagonals) -> u64 {
        let [s_low, s_high, t_low, t_high, _] = self.fields(corner, diagonals);
        let own = if corner == Corner::BottomLeft { s_low } else { t_low };
        u64::from(s_high | t_high << self.high) | u64::from(own) << (2 * self.high)
    }

    /// S_low, S_high, T_low, T_high, and the diagonal t = -h.
    #[inline(always)]
    fn fields(&self, corner: Corner, Diagonals { rising, falling }: Diagonals) -> [u32; 5] {
        let (row, column) = self.corner(corner);
        let (s, t) = ((row + column) as i32, row as i32 - column as i32);
        let far = (self.n - self.h) as i32;
        let field = |bits: u32, by: i32, width: u32| {
            let moved = if by < 0 { bits >> -by } else { bits << by };
            moved & ((1 << width) - 1)
        };
        [
            field(rising, s - far, self.low),
            field(rising, s - 2 * far, self.high),
            field(falling, t - 1, self.low),
            field(falling, t - far - 1, self.high),
            field(falling, t, 1),
        ]
    }
}
