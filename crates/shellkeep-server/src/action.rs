//! What components ask the event loop for, since it is another component's work.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use shellkeep_command::parse::List;
use shellkeep_core::{ClientId, PaneId, SessionId};
use shellkeep_keeper::HostRequest;
use shellkeep_term::key::KeyEvent;

use crate::commands::queue::{Caller, Item, QueueId, Wait};
use crate::commands::reply::Outcome;
use crate::hibernation::report::Told;
use crate::model::Waker;
use crate::model::ticket::Ticket;
use crate::modes::overlay::tree::Question;
use crate::persistence::archived::Archive;
use crate::shutdown::ending::Ending;

/// Something to be done when the function that asks for it has returned: before the next command of a queue runs, and before what
/// follows from the event is worked out. Actions are carried out in the order in which they were asked for.
#[derive(Debug)]
pub(crate) enum Action {
    /// What the command of a queue waited for has come.
    Resume(QueueId, Outcome),
    /// Runs commands whose output and end no client waits for.
    Run(Caller, Vec<Item>),
    /// Shows text over what a client shows, to be scrolled.
    ShowText(ClientId, Vec<u8>),
    /// Asks the keeper for something.
    AskKeeper(HostRequest),
    /// Wakes a pane, if it sleeps.
    Wake(PaneId, Waker),
    /// A client's mouse led to no command: what it did last is forgotten, unless a command of it still runs.
    ForgetPointer(ClientId),
    /// What became of a pane that was to sleep or to wake, for the commands that wait for it.
    SleepTold(Box<Told>),
    /// How a sleeping pane would wake, for the commands that ask.
    WakingTold(Box<Told>),
    /// Writes the notes that are due, before what is asked for behind it.
    WriteNotes,
    /// Ends the shell of a pane whose sleep is noted, unless another attempt has begun.
    EndShell(PaneId, Ticket),
    /// The state of a pane's shell is kept.
    CaptureTold(PaneId),
    /// The state of a pane's shell is not kept, for this reason.
    CaptureMissed(PaneId, String),
    /// Closes a session, which goes into the archive.
    CloseSession(SessionId),
    /// A session may be due to sleep, since one of its panes has been left alone.
    SleeperDue(PaneId),
    /// Something has changed by which the policy decides who sleeps.
    SleepersDue,
    /// A pane that slept is awake again, and took so long.
    Revived(Duration),
    /// A pane that slept is noted down as awake, and then gets what was typed meanwhile, with a key behind so many bytes of it.
    ReleaseInput(PaneId, Option<(usize, &'static [u8])>),
    /// The program of a pane or of a popup has ended, and all its output was read.
    PaneEnded(PaneId),
    /// What asks a client something is taken away from it.
    ClearFront(ClientId),
    /// What lies over a client's panes is taken away.
    CloseOverlay(ClientId),
    /// A client's terminal has another size, to which what lies over its panes is fitted.
    FitOverlay(ClientId),
    /// Runs commands for a caller, as its command line or key.
    RunList(Caller, List),
    /// The user has answered, and these commands come of it. The queue goes on with them, if it waits for the answer.
    Answer {
        caller: Caller,
        queue: Option<QueueId>,
        commands: Result<List, String>,
    },
    /// The user has not answered what a queue may wait for.
    Dismiss(QueueId),
    /// The user has said no, which is a failure to the queue that waits.
    Refuse(QueueId),
    /// What a queue may wait for lies over a client's panes no more. Its program ended with this status.
    OverlayLeft {
        client: ClientId,
        queue: QueueId,
        status: u8,
    },
    /// A long search in a pane's text is done, for which commands may wait.
    CopyDone(PaneId),
    /// Starts a shell command about a session, which nothing waits for.
    StartJob {
        session: Option<SessionId>,
        command: String,
        input: Vec<u8>,
    },
    /// Has a file of the user's written in the background.
    WriteFile(PathBuf, Vec<u8>),
    /// Puts panes to sleep that were chosen, and tells the caller why others stay awake.
    PutToSleep(Caller, Vec<PaneId>),
    WakeAll(Vec<PaneId>),
    /// A key of a client is for the pane that it types into.
    Press(ClientId, KeyEvent),
    /// What a key in the tree of a pane has asked for is done.
    TreeActed(ClientId, PaneId),
    /// A client has answered, or not, what the tree in a pane wants to know.
    TreeAnswered {
        client: ClientId,
        pane: PaneId,
        question: Question,
        answer: Option<String>,
    },
    /// The server ends, if nothing else ends it before.
    End(Ending),
    /// Commands that wait for this are run again, and know then what they have waited for.
    RunAgain(Wait, Awaited),
    /// What commands have waited for has come; this is what they print, or why they fail.
    ResumeAll(Wait, Result<String, String>),
}

/// What commands have waited for that are run again when it has come.
#[derive(Clone, Debug)]
pub(crate) enum Awaited {
    /// The archive was read.
    Archive(Arc<Archive>),
    /// Everything is on disk, or this is why something is not.
    Flushed(Option<String>),
    /// Shells that are about to end have told their state, but for these.
    LastCaptures(Vec<String>),
}
