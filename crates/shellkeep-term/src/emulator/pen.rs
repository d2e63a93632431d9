//! The attributes of text that is written next.

use shellkeep_core::Style;

use crate::charset::Charsets;

/// Style, link, protection and character sets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pen {
    pub(crate) style: Style,
    /// The number of the current link; 0 is none.
    pub(crate) link: u32,
    pub(crate) protected: bool,
    pub(crate) charsets: Charsets,
}
