//! Result directories that were damaged, edited or forged.
