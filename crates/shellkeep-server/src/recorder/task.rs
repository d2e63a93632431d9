//! What the recorder's thread is asked to do.

use std::path::PathBuf;
use std::sync::Weak;
use std::sync::mpsc::Sender;
use std::time::Instant;

use shellkeep_store::{Store, StoreError, StoreId};

use super::packing::Parcel;
use super::starts::Start;
use super::together::Asked;
use super::unwritten::Slot;
use super::{Begun, Forgotten};
use crate::event::Event;
use crate::inbox::ThreadEvents;
use crate::screen::Screen;

/// Something to be done with files. It is done again from the start if it failed for want of room or the like.
pub(super) type Work = Box<dyn FnMut(&Store) -> Result<(), StoreError> + Send>;

/// The same with the session whose files they are.
pub(super) type Owned = (StoreId, Work);

/// Hears how a checkpoint went.
pub(super) type Done = Box<dyn FnOnce(Result<(), String>) + Send>;

/// What the thread is asked to do.
pub(super) enum Task {
    /// Something happens on a screen.
    Watch(Weak<Screen>),
    /// A screen's journal is long, or broken.
    Hurry(Weak<Screen>),
    /// The pages of a checkpoint that was to be written later are packed.
    Packed(Parcel),
    /// A screen was fetched from disk.
    Loaded(Weak<Screen>),
    /// A session has changed: the version in this slot is to be written.
    Session {
        id: StoreId,
        slot: Slot,
        begun: Begun,
    },
    /// The newest versions of sessions are to be written now; the caller wants to know that they are safe. One without a slot is in a
    /// slot that came before.
    Sessions(Vec<(StoreId, Option<Slot>)>, Done),
    /// Something with the files of a session, in its turn.
    Do(Owned),
    /// How a program was started, at this time.
    Start(Start, Instant),
    /// A session is to be deleted, before everything that waits. The number is told when it is, or why it is not.
    Forget(Forgotten, u64),
    /// The files of a session are not what the catalogue says of them.
    Changed(StoreId),
    /// Paste buffers have changed. The number is told when they are safe from the death of all processes.
    Buffers(Vec<(StoreId, Slot)>, u64),
    /// A file of the user's has another content.
    File(PathBuf, Slot),
    /// A checkpoint of a screen, now; the command that asks for it is told how it went.
    Checkpoint(Asked),
    /// Everything, now.
    Flush(FlushAnswer),
    /// Another thread waits until what was asked for before is done.
    Settle(Sender<()>),
}

impl Task {
    /// Whether it can wait until a server's first program has started. Whoever is told of a session knows that it is safe already.
    pub(super) fn can_wait(&self) -> bool {
        match self {
            Self::Watch(_) | Self::Session { .. } | Self::Start(..) | Self::Changed(_) => true,
            Self::Hurry(_)
            | Self::Packed(_)
            | Self::Loaded(_)
            | Self::Sessions(..)
            | Self::Do(_)
            | Self::Forget(..)
            | Self::Buffers(..)
            | Self::File(..)
            | Self::Checkpoint(_)
            | Self::Flush(_)
            | Self::Settle(_) => false,
        }
    }
}

/// Says how a flush went when it is dropped: also if the recorder panics or has no thread, for the loop must not wait in vain.
pub(super) struct FlushAnswer {
    pub(super) number: u64,
    /// What is not on disk and in no record of a pane: closed panes, and what was copied.
    pub(super) left: Option<String>,
    pub(super) events: ThreadEvents,
}

impl Drop for FlushAnswer {
    fn drop(&mut self) {
        let (number, left) = (self.number, self.left.take());
        self.events.send(Event::Flushed { number, left });
    }
}
