//! Divides the board into quarters, and numbers the crossing diagonals: those with squares in the top half and in the bottom half.
//!
//! An even board (n = 2h) has four quarters of h by h squares. An odd board (n = 2h + 1) has the same four quarters around a middle row
//! and a middle column, whose queens are stored with the top-left quarter (see [`super::quarters`]). A rising diagonal has the number
//! s = row + column, and a falling diagonal the number t = row - column, in coordinates of the whole board.
//!
//! ```text
//!      +----+----+   s: TL 0 ..= 2h-2      t: TL -(h-1) ..= h-1
//!      | TL | TR |      TR and BL between     TR below 0
//!      +----+----+      BR from 2(n-h)        BL above 0
//!      | BL | BR |
//!      +----+----+   S_low  = crossing rising diagonals that BR does not reach
//!                    S_high = crossing rising diagonals that TL does not reach
//!                    T_low  = crossing falling diagonals that BL does not reach
//!                    T_high = crossing falling diagonals that TR does not reach
//! ```
//!
//! Masks contain only crossing diagonals, because the other diagonals lie within one half. Masks do not contain the long diagonals of
//! even boards, because only top halves without queens on long diagonals are counted (see [`super::symmetry`]).

/// The bit of the diagonal t = -h in [`Mask::low`]. This diagonal does not cross, but both top quarters of an odd board may use it.
const TOP_DIAGONAL: u32 = 28;

/// The bit of the diagonal t = -h in [`Mask::high`], if masks have one word.
const TOP_DIAGONAL_IN_ONE_WORD: u32 = 31;

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

/// The sizes of the quarters and of the four sets of crossing diagonals.
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
/// highest byte. Some diagonals of S_low and T_low may be in the high word. On boards up to [`Geometry::MAX_ONE_WORD_SIZE`], the high
/// word may contain all diagonals, up to 8 in each byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mask {
    /// The diagonals of S_low, then those of T_low. In the top quarters of odd boards, the highest byte also has a bit for the
    /// diagonal t = -h.
    pub low: u32,
    /// The diagonals of S_high, then those of T_high, then the diagonals of S_low and T_low that are not in the low word.
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

    /// The size of the largest board with at most 32 crossing diagonals.
    pub const MAX_ONE_WORD_SIZE: usize = 18;

    /// This geometry with masks of one word.
    pub fn in_one_word(self) -> Self {
        assert!(self.n as usize <= Self::MAX_ONE_WORD_SIZE, "the masks of n = {} need two words", self.n);
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
    pub fn is_odd(&self) -> bool {
        !self.n.is_multiple_of(2)
    }

    /// The set of all rows or columns of a quarter.
    pub fn full_set(&self) -> u32 {
        (1 << self.h) - 1
    }

    /// The mirror image of a set of rows or columns of a quarter.
    pub fn mirrored_set(&self, set: u32) -> u32 {
        set.reverse_bits() >> (32 - self.h)
    }

    /// The mask of all crossing diagonals.
    pub fn all_crossing(&self) -> Mask {
        self.layout().mask((1 << (2 * self.low)) - 1, (1 << (2 * self.high)) - 1)
    }

    /// The positions of the diagonals in a mask. Each byte costs a lookup, so low diagonals that exceed two bytes are moved to
    /// the high word if there is room.
    fn layout(&self) -> DiagonalLayout {
        let (low, high) = (2 * self.low, 2 * self.high);
        if self.one_word {
            return DiagonalLayout { low, high, moved_count: low, one_word: true };
        }
        let high_word_capacity = if high > 16 { 24 } else { 16 };
        let moved_count = if low > 16 && low - 16 + high <= high_word_capacity { low - 16 } else { 0 };
        DiagonalLayout { low, high, moved_count, one_word: false }
    }

    /// The row and the column of the board at which a quarter begins.
    pub fn start_square(&self, corner: Corner) -> (u32, u32) {
        let second_start = self.n - self.h;
        match corner {
            Corner::TopLeft => (0, 0),
            Corner::TopRight => (0, second_start),
            Corner::BottomLeft => (second_start, 0),
            Corner::BottomRight => (second_start, second_start),
        }
    }

    /// The diagonals through a square, in coordinates of its quarter. The middle row and column of odd boards are row and column h of
    /// the top-left quarter.
    pub fn diagonals(&self, row: u32, column: u32) -> Diagonals {
        Diagonals { rising: 1 << (row + column), falling: 1 << (row + self.h - column) }
    }

    /// The conversion from the diagonals of a quarter to a mask of crossing diagonals.
    pub fn fields(&self, corner: Corner) -> Fields {
        let (row, column) = self.start_square(corner);
        let (s, t) = ((row + column) as i32, row as i32 - column as i32);
        let second_start = (self.n - self.h) as i32;
        let width = |has_field: bool| if has_field { self.low } else { 0 };
        Fields {
            s_low: Field::new(s - second_start, width(corner != Corner::BottomRight)),
            t_low: Field::new(t - 1, width(corner != Corner::BottomLeft)),
            // The diagonal t = -h has squares of the middle column and of the top-right quarter, but none of a bottom quarter.
            top_diagonal: Field::new(t, u32::from(self.is_odd())),
            s_high: Field::new(s - 2 * second_start, self.high),
            t_high: Field::new(t - second_start - 1, self.high),
            layout: self.layout(),
        }
    }
}

/// A range of a quarter's diagonals, and the shift that moves this range to the lowest bits.
#[derive(Clone, Copy, Debug)]
struct Field {
    /// The number of bits of the right shift, which follows a left shift by 32.
    shift: u32,
    /// The mask of the range after the shifts.
    mask: u64,
}

impl Field {
    /// A field of `width` diagonals. `left_shift` may be negative.
    fn new(left_shift: i32, width: u32) -> Self {
        Self { shift: 32_u32.saturating_add_signed(-left_shift), mask: (1 << width) - 1 }
    }

    #[inline(always)]
    fn extract(self, diagonals: u32) -> u32 {
        (u64::from(diagonals) << 32 >> self.shift & self.mask) as u32
    }
}

/// The ranges of a quarter's diagonals that masks contain, and their positions in a mask.
#[derive(Clone, Copy, Debug)]
pub struct Fields {
    s_low: Field,
    t_low: Field,
    top_diagonal: Field,
    s_high: Field,
    t_high: Field,
    layout: DiagonalLayout,
}

impl Fields {
    /// The mask of the crossing diagonals among these diagonals of the quarter.
    #[inline(always)]
    pub fn mask(&self, Diagonals { rising, falling }: Diagonals) -> Mask {
        let low = self.s_low.extract(rising) | self.t_low.extract(falling) << (self.layout.low / 2);
        let high = self.s_high.extract(rising) | self.t_high.extract(falling) << (self.layout.high / 2);
        let mask = self.layout.mask(low, high);
        let top_diagonal = self.top_diagonal.extract(falling);
        match self.layout.one_word {
            true => Mask { high: mask.high | top_diagonal << TOP_DIAGONAL_IN_ONE_WORD, ..mask },
            false => Mask { low: mask.low | top_diagonal << TOP_DIAGONAL, ..mask },
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
        let byte_tables = |to_diagonals: &dyn Fn(u32) -> Diagonals| {
            std::array::from_fn(|byte| {
                let mut masks = [0; 256];
                for value in 1..256_usize {
                    let lowest_bit = value & value.wrapping_neg();
                    let diagonal = to_diagonals((lowest_bit as u32) << (8 * byte));
                    masks[value] = masks[value ^ lowest_bit] | word(diagonal);
                }
                masks
            })
        };
        Self {
            rising: byte_tables(&|rising| Diagonals { rising, falling: 0 }),
            falling: byte_tables(&|falling| Diagonals { rising: 0, falling }),
        }
    }

    /// Returns the same mask as [`Fields::mask`].
    #[inline(always)]
    pub fn mask(&self, Diagonals { rising, falling }: Diagonals) -> Mask {
        let union = |tables: &[[u64; 256]; 4], diagonals: u32| {
            tables
                .iter()
                .zip(diagonals.to_le_bytes())
                .fold(0, |mask, (table, byte)| mask | table[usize::from(byte)])
        };
        let word = union(&self.rising, rising) | union(&self.falling, falling);
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
    moved_count: u32,
    one_word: bool,
}

impl DiagonalLayout {
    #[inline(always)]
    fn mask(self, low: u32, high: u32) -> Mask {
        let low_word_len = self.low - self.moved_count;
        // With two words, more than 24 diagonals are not spread: they fill the lowest three bytes and a part of the fourth.
        let bytes = |diagonals| match diagonals {
            _ if self.one_word => 4,
            ..=16 => 2,
            17..=24 => 3,
            _ => 1,
        };
        let spread = |bits, diagonals| spread(bits, diagonals, bytes(diagonals));
        Mask {
            low: spread(low & ((1 << low_word_len) - 1), low_word_len),
            high: spread(high | low >> low_word_len << self.high, self.high + self.moved_count),
        }
    }
}

/// Distributes one bit per diagonal evenly over the lowest `bytes` bytes of a word. With `bytes` = 1, the bits are not moved.
#[inline(always)]
fn spread(bits: u32, diagonals: u32, bytes: u32) -> u32 {
    if bytes == 1 {
        return bits;
    }
    let mut remaining_bits = bits;
    let mut spread = 0;
    for byte in 0..bytes {
        let bits_in_byte = (diagonals + bytes - 1 - byte) / bytes;
        spread |= (remaining_bits & ((1 << bits_in_byte) - 1)) << (8 * byte);
        remaining_bits >>= bits_in_byte;
    }
    spread
}
