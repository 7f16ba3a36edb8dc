//! Print-outs that look right and are not.
