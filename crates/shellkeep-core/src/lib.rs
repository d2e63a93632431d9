//! The plain values every other crate speaks in.
//!
//! Nothing here does I/O, reads a clock or knows of any other shellkeep crate, so that the wire, the
//! disk, the screen and the command language can share one vocabulary (see `docs/GLOSSARY.md`).

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
