//! Broken outputs, odd arguments and signals.
