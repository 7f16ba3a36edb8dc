//! Divides the board into quarters, and numbers the crossing diagonals: those with squares in the top half and in the bottom half.
//!
//! n = 2h: four quarters of h by h squares. n = 2h + 1: the same four quarters around a middle row and a
//! middle column, whose queens are stored with the top-left quarter (see [`super::quarters`]). A diagonal is
//! named by s = row + column (rising) or t = row - column (falling), in coordinates of the whole board.
//!
//! ```text
//!        T_low       s: TL 0 ..= 2h-2      t: TL -(h-1) ..= h-1
//!      +----+----+      TR and BL between     TR below 0
//!      | TL | TR |      BR from 2(n-h)        BL above 0
//!      +----+----+
//!      | BL | BR |   S_low  = rising diagonals of the top half that BR does not reach
//!      +----+----+   S_high = rising diagonals of the top half that TL does not reach
//!                    T_low, T_high: the same for falling diagonals, with BL and TR
//! ```
//!
//! Diagonals within one half do not affect the other half. The long diagonals (even n) are not in
//! the masks: by symmetry, top halves have no queens on them, see [`super::symmetry`].

/// The bit for t = -h, in [`Mask::low`] or in the only word.
const APART: u32 = 28;
const APART_IN_ONE_WORD: u32 = 31;

/// One of the four quarters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Corner {
    /// The top-left quarter.
    TopLeft,
    /// The top-right quarter.
    TopRight,
    /// The bottom-left quarter.
    BottomLeft,
    /// The bottom-right quarter.
    BottomRight,
}

/// Sizes of the quarters and of the four fields of crossing diagonals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Geometry {
    /// The side length of the board.
    pub n: u32,
    /// The side length of a quarter.
    pub h: u32,
    /// The number of diagonals in S_high, and also in T_high.
    pub high: u32,
    /// The number of diagonals in S_low, and also in T_low.
    pub low: u32,
    /// Whether masks have only one word, [`Mask::high`].
    pub one_word: bool,
}

/// A set of crossing diagonals that queens occupy. A word has up to 8 diagonals in each of its three lowest bytes and up to 4 in its
/// highest byte. Some diagonals of S_low and T_low may be in the high word; on boards up to [`Geometry::ONE_WORD`], all of them may be
/// there, with up to 8 diagonals in each byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mask {
    /// S_low, then T_low. In the top half the highest byte also has one bit for t = -h, shared only by the top
    /// quarters.
    pub low: u32,
    /// S_high, then T_high.
    pub high: u32,
}

/// The diagonals of queens in a quarter, in coordinates of the quarter. The bit of a rising diagonal is row + column, and the bit of a
/// falling diagonal is row - column + h.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Diagonals {
    /// Rising diagonals, one bit each.
    pub rising: u32,
    /// Falling diagonals, one bit each.
    pub falling: u32,
}

impl Geometry {
    /// The board sizes that the algorithm supports. For larger boards, S_low and T_low would need more than 28 bits.
    pub const SIZES: std::ops::RangeInclusive<usize> = 10..=28;

    /// The largest board with at most 32 crossing diagonals.
    pub const ONE_WORD: usize = 18;

    /// This geometry with masks of one word.
    pub fn in_one_word(self) -> Self {
        assert!(self.n as usize <= Self::ONE_WORD, "the masks of n = {} need two words", self.n);
        Self { one_word: true, ..self }
    }

    /// The geometry of an n by n board with masks of two words, for n within [`Geometry::SIZES`].
    pub fn new(n: usize) -> Self {
        assert!(Self::SIZES.contains(&n), "the masks of n = {n} do not fit");
        let n = n as u32;
        let h = n / 2;
        let (high, low) = if n.is_multiple_of(2) { (h - 1, h - 1) } else { (h - 2, h + 1) };
        Self { n, h, high, low, one_word: false }
    }

    /// Whether the board has a middle row and a middle column.
    pub fn odd(&self) -> bool {
        !self.n.is_multiple_of(2)
    }

    /// The set of all rows or columns of a quarter.
    pub fn full(&self) -> u32 {
        (1 << self.h) - 1
    }

    /// The rows or columns of a quarter in reverse.
    pub fn reversed(&self, half: u32) -> u32 {
        half.reverse_bits() >> (32 - self.h)
    }

    /// The mask of all crossing diagonals.
    pub fn crossing(&self) -> Mask {
        self.layout().mask((1 << (2 * self.low)) - 1, (1 << (2 * self.high)) - 1)
    }

    /// The positions of the diagonals in a mask. Each byte costs a lookup, so low diagonals that exceed two bytes are moved to
    /// the high word if there is room.
    fn layout(&self) -> DiagonalLayout {
        let (low, high) = (2 * self.low, 2 * self.high);
        if self.one_word {
            return DiagonalLayout { low, high, moved: low, one_word: true };
        }
        let room = if high > 16 { 24 } else { 16 };
        let moved = if low > 16 && low - 16 + high <= room { low - 16 } else { 0 };
        DiagonalLayout { low, high, moved, one_word: false }
    }

    /// The row and the column of the board at which a quarter begins.
    pub fn corner(&self, corner: Corner) -> (u32, u32) {
        let far = self.n - self.h;
        match corner {
            Corner::TopLeft => (0, 0),
            Corner::TopRight => (0, far),
            Corner::BottomLeft => (far, 0),
            Corner::BottomRight => (far, far),
        }
    }

    /// The diagonals through a square, in coordinates of its quarter. The middle row and column of odd boards are row and column h of
    /// the top-left quarter.
    pub fn diagonals(&self, row: u32, column: u32) -> Diagonals {
        Diagonals { rising: 1 << (row + column), falling: 1 << (row + self.h - column) }
    }

    /// The conversion from the diagonals of a quarter to a mask of crossing diagonals.
    pub fn fields(&self, corner: Corner) -> Fields {
        let (row, column) = self.corner(corner);
        let (s, t) = ((row + column) as i32, row as i32 - column as i32);
        let far = (self.n - self.h) as i32;
        let (no_t_low, no_s_low) = (corner == Corner::BottomLeft, corner == Corner::BottomRight);
        let width = |none: bool| if none { 0 } else { self.low };
        Fields {
            s_low: Field::new(s - far, width(no_s_low)),
            t_low: Field::new(t - 1, width(no_t_low)),
            // The diagonal t = -h: only the middle queens of odd boards and the top-right quarter can both use it.
            apart: Field::new(t, u32::from(self.odd())),
            s_high: Field::new(s - 2 * far, self.high),
            t_high: Field::new(t - far - 1, self.high),
            layout: self.layout(),
        }
    }
}

/// A range of a quarter's diagonals, which is shifted to the lowest bits.
#[derive(Clone, Copy, Debug)]
struct Field {
    /// The number of bits of the right shift, which follows a left shift by 32.
    shift: u32,
    bits: u64,
}

impl Field {
    fn new(by: i32, width: u32) -> Self {
        Self { shift: 32_u32.saturating_add_signed(-by), bits: (1 << width) - 1 }
    }

    #[inline(always)]
    fn of(self, diagonals: u32) -> u32 {
        (u64::from(diagonals) << 32 >> self.shift & self.bits) as u32
    }
}

/// The fields of a quarter's diagonals that are crossing diagonals.
#[derive(Clone, Copy, Debug)]
pub struct Fields {
    s_low: Field,
    t_low: Field,
    apart: Field,
    s_high: Field,
    t_high: Field,
    layout: DiagonalLayout,
}

impl Fields {
    /// The mask of the crossing diagonals among these diagonals of the quarter.
    #[inline(always)]
    pub fn mask(&self, Diagonals { rising, falling }: Diagonals) -> Mask {
        let low = self.s_low.of(rising) | self.t_low.of(falling) << (self.layout.low / 2);
        let high = self.s_high.of(rising) | self.t_high.of(falling) << (self.layout.high / 2);
        let mask = self.layout.mask(low, high);
        let apart = self.apart.of(falling);
        match self.layout.one_word {
            true => Mask { high: mask.high | apart << APART_IN_ONE_WORD, ..mask },
            false => Mask { low: mask.low | apart << APART, ..mask },
        }
    }
}

/// A lookup table that replaces [`Fields::mask`]: for each byte of the diagonals and each value of the byte, the mask. Each bit of a
/// mask comes from one diagonal, so the mask of several bytes is the union of their masks.
pub struct MaskTable {
    rising: [[u64; 256]; 4],
    falling: [[u64; 256]; 4],
}

impl MaskTable {
    /// Builds the table of a quarter.
    pub fn new(fields: &Fields) -> Self {
        let word = |diagonals| {
            let Mask { low, high } = fields.mask(diagonals);
            u64::from(high) << 32 | u64::from(low)
        };
        let bytes = |of: &dyn Fn(u32) -> Diagonals| {
            std::array::from_fn(|byte| {
                let mut masks = [0; 256];
                for value in 1..256_usize {
                    let last = value & value.wrapping_neg();
                    masks[value] = masks[value ^ last] | word(of((last as u32) << (8 * byte)));
                }
                masks
            })
        };
        Self {
            rising: bytes(&|rising| Diagonals { rising, falling: 0 }),
            falling: bytes(&|falling| Diagonals { rising: 0, falling }),
        }
    }

    /// Returns the same mask as [`Fields::mask`].
    #[inline(always)]
    pub fn mask(&self, Diagonals { rising, falling }: Diagonals) -> Mask {
        let of = |masks: &[[u64; 256]; 4], diagonals: u32| {
            masks
                .iter()
                .zip(diagonals.to_le_bytes())
                .fold(0, |all, (masks, byte)| all | masks[usize::from(byte)])
        };
        let word = of(&self.rising, rising) | of(&self.falling, falling);
        Mask { low: word as u32, high: (word >> 32) as u32 }
    }
}

/// The positions of diagonals in a mask.
#[derive(Clone, Copy, Debug)]
struct DiagonalLayout {
    /// The number of diagonals of S_low and T_low together.
    low: u32,
    /// The number of diagonals of S_high and T_high together.
    high: u32,
    /// The number of low diagonals that are stored in the high word, after the high diagonals.
    moved: u32,
    one_word: bool,
}

impl DiagonalLayout {
    #[inline(always)]
    fn mask(self, low: u32, high: u32) -> Mask {
        let stay = self.low - self.moved;
        // With two words, more than 24 diagonals need four bytes, of which the lowest three are filled first.
        let bytes = |diagonals| match diagonals {
            _ if self.one_word => 4,
            ..=16 => 2,
            17..=24 => 3,
            _ => 1,
        };
        let spread = |bits, diagonals| spread(bits, diagonals, bytes(diagonals));
        Mask {
            low: spread(low & ((1 << stay) - 1), stay),
            high: spread(high | low >> stay << self.high, self.high + self.moved),
        }
    }
}

/// Distributes bits evenly over the lowest `bytes` bytes of a word. With `bytes` = 1, the bits are not moved.
#[inline(always)]
fn spread(bits: u32, diagonals: u32, bytes: u32) -> u32 {
    if bytes == 1 {
        return bits;
    }
    let mut left = bits;
    let mut spread = 0;
    for byte in 0..bytes {
        let here = (diagonals + bytes - 1 - byte) / bytes;
        spread |= (left & ((1 << here) - 1)) << (8 * byte);
        left >>= here;
    }
    spread
}
