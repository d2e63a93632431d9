//! The plain values that all other crates share.
//!
//! Nothing here does I/O, reads a clock or depends on another shellkeep crate, so that protocol, disk, screen and
//! command language can use the same types (see `docs/GLOSSARY.md`).

pub mod base64;
pub mod color_name;
pub mod id;
pub mod key;
pub mod layout;
pub mod rect;
pub mod size;
pub mod style;
pub mod style_text;
pub mod width;

pub use color_name::ColorName;
pub use id::{ClientId, PaneId, SessionId, WindowId};
pub use key::{Key, KeyCode, Modifiers};
pub use layout::Layout;
pub use rect::Rect;
pub use size::Size;
pub use style::{Attrs, Color, CursorShape, Style, Underline};
pub use style_text::{StyleChange, StyleText};
