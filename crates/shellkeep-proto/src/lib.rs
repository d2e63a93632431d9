//! What client and server send each other, over byte slices: no sockets, no clock.
//!
//! A connection opens with a [`Hello`] from each side, fixed bytes coded by hand that never change.
//! Then come [`Frame`]s: length, message number, payload. Three kinds of payload live in them:
//!
//! - **raw** bytes (keyboard input, screen output), never copied;
//! - the **frozen core** ([`Core`], its answers and what a client that shows a session needs), coded by hand so that
//!   any two versions can list, attach, detach, kill, checkpoint and restart each other;
//! - everything else, **bincode** behind [`codec`].
//!
//! Message numbers are explicit and never reused; an unknown one is skipped, so a newer peer may say
//! more than an older one understands.

pub mod codec;
mod frame;
mod frozen;
mod hello;
mod message;

pub use frame::{Frame, FrameDecoder, FrameError, MAX_PAYLOAD, encode_frame};
pub use frozen::{Attached, Core, Leave, LeaveKind, Verb};
pub use hello::{Agreement, BUILD, Hello, HelloError, OLDEST, VERSION};
pub use message::{Context, FromClient, FromServer, MessageError, Role, RunRequest, Terminal};
