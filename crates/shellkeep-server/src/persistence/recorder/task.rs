//! The tasks of the recorder's thread.

use std::path::PathBuf;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Weak};
use std::time::Instant;

use shellkeep_store::schema::{CommandEntry, PaneHome as Home};
use shellkeep_store::{Store, StoreError, StoreId};

use crate::event::Event;
use crate::inbox::ThreadEvents;
use crate::panes::screen::Screen;
use crate::persistence::record::ShellFile;
use crate::persistence::recorder::forgotten::Forgotten;
use crate::persistence::recorder::pending_session::Begun;
use crate::persistence::recorder::starts::Start;
use crate::persistence::recorder::unwritten::Slot;

/// Work on files. It is repeated from the start if it fails for lack of space or the like.
pub(crate) type Work = Box<dyn FnMut(&Store) -> Result<(), StoreError> + Send>;

/// Work, with the session whose files it is about.
pub(crate) type Owned = (StoreId, Work);

/// Called with the result of a checkpoint.
pub(crate) type Done = Box<dyn FnOnce(Result<(), String>) + Send>;

pub(crate) struct Asked {
    pub(crate) screen: Arc<Screen>,
    pub(crate) shell: ShellFile,
    pub(crate) done: Done,
}

impl Asked {
    /// The last checkpoint of a server that ends.
    pub(crate) fn for_good(screen: Arc<Screen>) -> Self {
        Self {
            screen,
            shell: ShellFile::Stays,
            done: Box::new(|result| {
                if let Err(error) = result {
                    tracing::error!(error, "cannot write a checkpoint");
                }
            }),
        }
    }
}

pub(crate) enum Task {
    /// A screen has new output.
    Watch(Weak<Screen>),
    /// A screen's journal is long, or broken.
    Hurry(Weak<Screen>),
    /// The pages of a deferred checkpoint are packed.
    Packed(Weak<Screen>),
    /// A screen was loaded from disk.
    Loaded(Weak<Screen>),
    /// A session has changed: write the version in this slot.
    Session {
        id: StoreId,
        slot: Slot,
        begun: Begun,
    },
    /// Write and sync the newest versions of sessions now. Without a slot, the version is in one that was queued
    /// before.
    Sessions(Vec<(StoreId, Option<Slot>)>, Done),
    /// Append an entry to the commands of a pane.
    Command(Home, Box<CommandEntry>),
    /// Report when all earlier entries of commands are written, or cannot be written now.
    CommandsWritten(Sender<()>),
    /// Run work on the files of a session, in its turn.
    Do(Owned),
    /// Write how a program was started; requested at this time.
    Start(Start, Instant),
    /// Delete a session, before everything that waits, and report with this number.
    Forget(Forgotten, u64),
    /// Update the catalogue for a session.
    Changed(StoreId),
    /// Write changed buffers, and report with this number when they are in the page cache.
    Buffers(Vec<(StoreId, Slot)>, u64),
    /// Write a user's file.
    File(PathBuf, Slot),
    /// Write and sync a checkpoint now, and report to the command that asked.
    Checkpoint(Asked),
    /// The event loop has handled this many events and commands.
    Worked(u64),
    /// Write and sync everything now.
    Flush(FlushAnswer),
    /// Report when all earlier tasks are done.
    Settle(Sender<()>),
}

impl Task {
    /// Whether it can wait until a server's first program has started: sessions that clients know of are in the page
    /// cache already.
    pub(crate) fn can_wait(&self) -> bool {
        match self {
            Self::Watch(_) | Self::Session { .. } | Self::Start(..) => true,
            Self::Changed(_) | Self::Worked(_) | Self::Command(..) => true,
            Self::Hurry(_)
            | Self::Packed(_)
            | Self::Loaded(_)
            | Self::Sessions(..)
            | Self::Do(_)
            | Self::CommandsWritten(_)
            | Self::Forget(..)
            | Self::Buffers(..)
            | Self::File(..)
            | Self::Checkpoint(_)
            | Self::Flush(_)
            | Self::Settle(_) => false,
        }
    }
}

/// Reports the result of a flush when it is dropped, so that the loop gets it even if the recorder panics or has no
/// thread.
pub(crate) struct FlushAnswer {
    pub(crate) number: u64,
    /// What could not be written and is in no pane's record: closed panes and buffers.
    pub(crate) left: Option<String>,
    pub(crate) events: ThreadEvents,
}

impl Drop for FlushAnswer {
    fn drop(&mut self) {
        let (number, left) = (self.number, self.left.take());
        self.events.send(Event::Flushed { number, left });
    }
}
