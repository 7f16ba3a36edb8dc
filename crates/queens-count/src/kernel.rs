//! The instruction sets by name, detected when the program runs.

queens_board::words! {
    /// An instruction set that the counter is compiled for; the fastest is the last one.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Kernel {
        /// Safe code for any machine.
        Portable = "portable",
        /// x86-64 with AVX2, BMI and POPCNT.
        Avx2 = "avx2",
        /// x86-64 with AVX-512 F, BW, DQ, VL, BMI and POPCNT.
        Avx512 = "avx512",
    }
}

/// Runs generic code with the token of a kernel; an error if the machine does not support it.
macro_rules! dispatch {
    ($kernel:expr, $k:ident => $body:expr) => {
        match $kernel {
            $crate::kernel::Kernel::Portable => {
                let $k = $crate::portable::Portable;
                Ok($body)
            }
            #[cfg(target_arch = "x86_64")]
            $crate::kernel::Kernel::Avx2 => $crate::arch::avx2::Avx2::detect().map(|$k| $body),
            #[cfg(target_arch = "x86_64")]
            $crate::kernel::Kernel::Avx512 => $crate::arch::avx512::Avx512::detect().map(|$k| $body),
            #[cfg(not(target_arch = "x86_64"))]
            _ => Err("only x86-64 has these instructions"),
        }
    };
}
pub(super) use dispatch;

impl Kernel {
    /// Whether this machine has the instructions; the error names what is missing.
    ///
    /// # Errors
    ///
    /// The name of the instructions that are missing.
    pub fn detect(self) -> Result<(), &'static str> {
        dispatch!(self, _k => ())
    }

    /// The fastest kernel of this machine.
    pub fn best() -> Self {
        let usable = Self::ALL.into_iter().rev().find(|kernel| kernel.detect().is_ok());
        usable.unwrap_or(Kernel::Portable)
    }
}
