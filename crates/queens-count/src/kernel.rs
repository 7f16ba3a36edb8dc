//! The kernels: instruction sets by name, which are detected at run time.

queens_board::words! {
    /// An instruction set for which the counter is compiled. The variants are in ascending order of speed.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Kernel {
        /// Safe Rust without special instructions, for any machine.
        Portable = "portable",
        /// x86-64 with AVX2, BMI and POPCNT.
        Avx2 = "avx2",
        /// x86-64 with AVX-512 F, BW, DQ, VL, BMI and POPCNT.
        Avx512 = "avx512",
    }
}

/// Runs generic code with the token of a kernel. Returns an error if the machine does not support the kernel.
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
    /// Checks that this machine has the instructions.
    ///
    /// # Errors
    ///
    /// The names of missing instructions.
    pub fn detect(self) -> Result<(), &'static str> {
        dispatch!(self, _k => ())
    }

    /// The fastest kernel that this machine supports.
    pub fn best() -> Self {
        let fastest = Self::ALL.into_iter().rev().find(|kernel| kernel.detect().is_ok());
        fastest.unwrap_or(Kernel::Portable)
    }
}
