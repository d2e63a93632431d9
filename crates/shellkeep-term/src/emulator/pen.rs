//! What the program writes with.

use shellkeep_core::Style;

use crate::charset::Charsets;

/// Style, link, protection and character sets of the text to come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pen {
    pub(crate) style: Style,
    /// Number of the link in force; 0 is none.
    pub(crate) link: u32,
    pub(crate) protected: bool,
    pub(crate) charsets: Charsets,
}
