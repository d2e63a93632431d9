//! Keys to bytes and back.
//!
//! [`InputDecoder`] reads what an outer terminal sends: keys in every encoding, mouse, focus, pastes, and replies to
//! our own queries. [`encode_key`] and the other encoders write what a program in a pane has requested. Between the two
//! is a [`KeyEvent`], whose `key` is what bindings are looked up by.

mod codes;
mod controls;
mod csi;
mod decode;
mod encode;
mod event;
mod input;
mod kitty;
mod legacy;
mod mouse;
mod paste;
mod reply;
mod sequence;
#[cfg(test)]
mod tests;

pub(crate) use controls::use_eight_bit_controls;
pub use decode::InputDecoder;
pub use encode::{Focus, encode_focus, encode_key, encode_key_event};
pub use event::{KeyDetail, KeyEvent, KeyKind};
pub use input::Input;
pub use mouse::{MouseButton, MouseEvent, MouseKind, encode_mouse};
pub use paste::{PasteEncoder, encode_paste};
pub use reply::{ColorScheme, ColorSlot, ModeKind, ModeStatus, TerminalReply};
