//! What the recorder's thread is asked to do.

use std::path::PathBuf;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Weak};
use std::time::Instant;

use shellkeep_store::{Store, StoreError, StoreId};

use crate::event::Event;
use crate::inbox::ThreadEvents;
use crate::panes::screen::Screen;
use crate::persistence::record::ShellFile;
use crate::persistence::recorder::forgotten::Forgotten;
use crate::persistence::recorder::pending_session::Begun;
use crate::persistence::recorder::starts::Start;
use crate::persistence::recorder::unwritten::Slot;

/// Something to be done with files. It is done again from the start if it failed for want of room or the like.
pub(crate) type Work = Box<dyn FnMut(&Store) -> Result<(), StoreError> + Send>;

/// The same with the session whose files they are.
pub(crate) type Owned = (StoreId, Work);

/// Hears how a checkpoint went.
pub(crate) type Done = Box<dyn FnOnce(Result<(), String>) + Send>;

/// A checkpoint that somebody waits for.
pub(crate) struct Asked {
    pub(crate) screen: Arc<Screen>,
    pub(crate) shell: ShellFile,
    pub(crate) done: Done,
}

impl Asked {
    /// The last one of a server that ends.
    pub(crate) fn for_good(screen: Arc<Screen>) -> Self {
        Self {
            screen,
            shell: ShellFile::Stays,
            done: Box::new(|result| {
                if let Err(error) = result {
                    tracing::error!(error, "cannot keep a screen");
                }
            }),
        }
    }
}

/// What the thread is asked to do.
pub(crate) enum Task {
    /// Something happens on a screen.
    Watch(Weak<Screen>),
    /// A screen's journal is long, or broken.
    Hurry(Weak<Screen>),
    /// The pages of a checkpoint that was to be written later are packed.
    Packed(Weak<Screen>),
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
    /// The event loop has handled so many events and commands.
    Worked(u64),
    /// Everything, now.
    Flush(FlushAnswer),
    /// Another thread waits until what was asked for before is done.
    Settle(Sender<()>),
}

impl Task {
    /// Whether it can wait until a server's first program has started. Whoever is told of a session knows that it is safe already.
    pub(crate) fn can_wait(&self) -> bool {
        match self {
            Self::Watch(_) | Self::Session { .. } | Self::Start(..) => true,
            Self::Changed(_) | Self::Worked(_) => true,
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
pub(crate) struct FlushAnswer {
    pub(crate) number: u64,
    /// What is not on disk and in no record of a pane: closed panes, and what was copied.
    pub(crate) left: Option<String>,
    pub(crate) events: ThreadEvents,
}

impl Drop for FlushAnswer {
    fn drop(&mut self) {
        let (number, left) = (self.number, self.left.take());
        self.events.send(Event::Flushed { number, left });
    }
}
