#![doc = include_str!("../README.md")]

mod chart;
mod draw;
mod format;
mod frame;
mod island;
mod look;
mod pgfplots;
mod style;
mod svg;

pub use chart::{Axis, Chart, PlotError, Scale, Series, Shade, Words};
pub use draw::{KeyEntry, Picture};
pub use format::{Formatter, Plain};
pub use island::{Island, Places, json_for_script};
pub use look::Look;
pub use style::Style;
