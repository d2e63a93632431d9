//! Frames and their differences: what the terminal of one client should show, and the bytes that bring it there.
//!
//! A [`Frame`] is composed for each client. [`diff()`] brings the client's terminal from the last frame to it, and
//! [`repaint`] from any state. [`Caps`] has the capabilities of that terminal; missing ones are replaced by the nearest
//! thing. Pure: nothing here does I/O or reads the environment.

pub mod border;
pub mod canvas;
pub mod caps;
mod cell;
pub mod color;
pub mod compose;
mod diff;
mod drawing;
pub mod frame;
pub mod message;
pub mod outer;
mod paint;
mod scroll;
mod sgr;
pub mod styled;

pub use border::{BorderIndicators, BorderLines, BorderLook, draw_borders};
pub use canvas::{Canvas, Rect};
pub use caps::{Caps, Colors, Environment, Features};
pub use compose::{
    RowPainter, compose_pane, draw_outside, draw_pane, draw_pane_rows, draw_picture, outer_modes,
    pane_cursor,
};
pub use diff::{diff, diff_rows, repaint};
pub use frame::{Frame, FrameCursor, MouseReports, OuterModes};
pub use message::{PromptLine, draw_message, draw_prompt};
pub use outer::{
    LEAVE, Under, cover_natively, enter, enter_natively, leave, leave_natively, query,
    show_alternate, show_main,
};
pub use sgr::write_style;
pub use styled::{ClickRange, draw_styled, styled_width};
