//! Boards as text, both ways.
