//! Actions: what components request from the event loop because it is another component's work.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use shellkeep_command::parse::List;
use shellkeep_core::{ClientId, PaneId, SessionId};
use shellkeep_keeper::HostRequest;
use shellkeep_store::schema::CommandEntry;
use shellkeep_term::key::KeyEvent;

use crate::commands::queue::{Caller, Item, QueueId, Wait};
use crate::commands::reply::Outcome;
use crate::hibernation::report::PaneOutcome;
use crate::model::Waker;
use crate::model::ticket::Ticket;
use crate::modes::overlay::tree::Question;
use crate::persistence::archived::Archive;
use crate::shutdown::ending::Ending;

/// Work to be done when the requesting function has returned: before the next command of a queue runs, and before the
/// event is settled. Actions are carried out in the order of the requests.
#[derive(Debug)]
pub(crate) enum Action {
    /// Resumes a queue with the outcome of what its command waited for.
    Resume(QueueId, Outcome),
    Run(Caller, Vec<Item>),
    /// Shows text in view mode on a client.
    ShowText(ClientId, Vec<u8>),
    AskKeeper(HostRequest),
    /// Wakes a pane, if it is asleep.
    Wake(PaneId, Waker),
    /// Forgets a client's last mouse event, unless a command of its binding still runs.
    ForgetPointer(ClientId),
    /// Passes the outcome of falling asleep or waking to waiting commands.
    SleepOutcome(Box<PaneOutcome>),
    /// Passes how a sleeping pane would wake to waiting commands.
    WakeDryRun(Box<PaneOutcome>),
    /// Writes the notes that are due, before later requests.
    WriteNotes,
    /// Ends the shell of a pane whose sleep is noted, unless another attempt has begun.
    EndShell(PaneId, Ticket),
    /// The state of a pane's shell was captured.
    CaptureDone(PaneId),
    /// The state of a pane's shell was not captured, for this reason.
    CaptureMissed(PaneId, String),
    /// Closes a session, which goes to the archive.
    CloseSession(SessionId),
    /// A session may be due to sleep, since one of its panes has been left alone.
    PaneLeftAlone(PaneId),
    /// Something has changed that the policy depends on.
    PolicyDue,
    /// A pane was revived, and it took this long.
    Revived(Duration),
    /// Releases the held input of a revived pane, after the note that it is awake, with a key behind so many bytes of
    /// the input.
    ReleaseInput(PaneId, Option<(usize, &'static [u8])>),
    /// The program of a pane or popup has ended, and all its output was read.
    PaneEnded(PaneId),
    RunList(Caller, List),
    /// The user has answered: the queue continues with these commands if it waits for the answer; otherwise they run on
    /// their own.
    Answer {
        caller: Caller,
        queue: Option<QueueId>,
        commands: Result<List, String>,
    },
    /// The user has not answered a question that a queue may wait for.
    Dismiss(QueueId),
    /// The user has answered no, which fails the queue that waits.
    Refuse(QueueId),
    /// A client's overlay was closed; its program ended with this status.
    OverlayLeft {
        client: ClientId,
        queue: QueueId,
        status: u8,
    },
    /// A long search in copy mode is done.
    CopyDone(PaneId),
    /// Starts a shell command in the background, for a session.
    StartJob {
        session: Option<SessionId>,
        command: String,
        input: Vec<u8>,
    },
    /// Writes a user's file in the background.
    WriteFile(PathBuf, Vec<u8>),
    /// Puts panes to sleep that a user has chosen, and shows the caller why others stay awake.
    PutToSleep(Caller, Vec<PaneId>),
    WakeAll(Vec<PaneId>),
    /// Has what is known of a command of a pane stored.
    KeepCommand(PaneId, Box<CommandEntry>),
    /// A client's key is for its active pane.
    Press(ClientId, KeyEvent),
    /// A key in a pane's tree was handled: refreshes the tree.
    TreeActed(ClientId, PaneId),
    /// A client has answered a tree's question, or closed the prompt.
    TreeAnswered {
        client: ClientId,
        pane: PaneId,
        question: Question,
        answer: Option<String>,
    },
    /// Ends the server, unless it ends already.
    End(Ending),
    /// Runs commands again that wait for this, with what they have waited for.
    RunAgain(Wait, Awaited),
    /// Resumes all queues that wait for this, with this output or error.
    ResumeAll(Wait, Result<String, String>),
}

/// What commands that are run again have waited for.
#[derive(Clone, Debug)]
pub(crate) enum Awaited {
    Archive(Arc<Archive>),
    /// Everything is on disk, or why something is not.
    Flushed(Option<String>),
    /// Shells were captured, except for these.
    LastCaptures(Vec<String>),
}
