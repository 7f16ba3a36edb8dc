#![doc = include_str!("../README.md")]

mod chart;
mod curve;
mod draw;
mod format;
mod frame;
mod island;
mod layout;
mod limits;
mod names;
mod pgfplots;
mod style;
mod svg;

pub use chart::{Axis, Chart, PlotError, Scale, Series, Shade, Words};
pub use curve::KeyEntry;
pub use draw::Picture;
pub use format::{Formatter, Plain};
pub use island::{Island, Places, json_for_script};
pub use layout::PictureLayout;
pub use style::Style;
