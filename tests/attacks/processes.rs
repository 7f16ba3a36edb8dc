//! What programs leave behind, and what they use up.
