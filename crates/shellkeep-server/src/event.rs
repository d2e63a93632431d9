//! Events: everything that can happen to the server, in one enum.

use std::sync::Arc;

use shellkeep_core::{ClientId, PaneId, Size};
use shellkeep_hibernation::Resume;
use shellkeep_keeper::{HostEvent, ProcessId};
use shellkeep_proto::{Core, Role, RunRequest};
use shellkeep_store::Expired;
use shellkeep_term::Effect;
use shellkeep_term::key::Input;

use crate::alarm::Ring;
use crate::clients::control_line::ControlLine;
use crate::commands::captured::Captured;
use crate::commands::ids::{JobId, QueueId};
use crate::commands::job::JobEnd;
use crate::display::client_writer::ClientWriter;
use crate::hibernation::prepared::Prepared;
use crate::model::ticket::Ticket;
use crate::modes::searched::Searched;
use crate::persistence::archived::Archive;
use crate::persistence::record::Facts;
use crate::process::processes::Processes;
use crate::records::answer::Answer;
use crate::search::done::SearchDone;

impl Event {
    /// Whether the event has only keys.
    pub(crate) fn is_keys(&self) -> bool {
        let Self::Typed { input, .. } = self else {
            return false;
        };
        input.iter().all(|input| matches!(input, Input::Key(_)))
    }
}

/// Something that has happened. An event about a program names the process, and an answer names its request: when the
/// event is handled, the pane may have another program, and the request may be out of date.
pub(crate) enum Event {
    /// A client has connected. Its pid is known if the kernel reports it.
    Connected {
        client: ClientId,
        pid: Option<u32>,
        writer: ClientWriter,
    },
    /// A client sends a command line.
    Run {
        client: ClientId,
        request: Box<RunRequest>,
    },
    /// A client says whether it is in control mode.
    Role { client: ClientId, role: Role },
    /// A control client has sent a line.
    ControlLine { client: ClientId, line: ControlLine },
    /// A client sends a request that all versions know.
    Core { client: ClientId, request: Core },
    /// A client's terminal has sent keys or other input.
    Typed { client: ClientId, input: Vec<Input> },
    /// A part of a client's standard input; empty at its end.
    Stdin { client: ClientId, bytes: Vec<u8> },
    /// A client's terminal has another size.
    Resized { client: ClientId, size: Size },
    /// The visible part of a window has moved with the cursor, from this position.
    PartMoved { client: ClientId, last: (u16, u16) },
    /// A client's terminal is in raw mode and prepared; its contents are unknown.
    Ready { client: ClientId },
    /// A client is about to stop, so its terminal must not be painted.
    Paused { client: ClientId },
    /// A client has disconnected.
    Gone { client: ClientId },
    /// A notice of the keeper.
    Host(HostEvent),
    /// A pane's program has printed something, for the first time since this was requested.
    Printed { pane: PaneId, process: ProcessId },
    /// A pane's output has effects for the event loop.
    Effects {
        pane: PaneId,
        process: ProcessId,
        effects: Vec<Effect>,
    },
    /// All output of a pane's program was read.
    Ended { pane: PaneId, process: ProcessId },
    /// A shell command of the server's has ended.
    JobEnded { job: JobId, end: JobEnd },
    /// A long search in copy mode is done.
    Searched(Box<Searched>),
    /// The command of a pipe has printed something for its pane.
    Piped {
        pane: PaneId,
        pipe: Ticket,
        bytes: Vec<u8>,
    },
    /// The command of a pipe reads too slowly, and this many bytes were lost.
    PipeLost { pane: PaneId, lost: u64 },
    /// The present facts of a pane's program.
    Facts {
        pane: PaneId,
        process: ProcessId,
        facts: Facts,
    },
    /// A shell has written an answer.
    ShellAnswered { pane: PaneId, attempt: Ticket },
    /// The scripts of a waking pane's shell are ready, or have failed.
    Prepared {
        pane: PaneId,
        prepared: Box<Prepared>,
    },
    /// The resume rule of a sleeping pane's program was found, with this version of the rules.
    RuleFound {
        pane: PaneId,
        question: Ticket,
        round: u64,
        resume: Resume,
    },
    /// A background process that kept a session awake has ended.
    WakeBlockerEnded,
    /// A pane that is falling asleep was written to disk, or could not be.
    WrittenDown {
        pane: PaneId,
        attempt: Ticket,
        written: Result<(), String>,
    },
    /// The session of a pane that is falling asleep was written to disk, or could not be.
    NotedDown {
        pane: PaneId,
        attempt: Ticket,
        noted: Result<(), String>,
    },
    /// Something cannot be written to disk, or everything can again.
    Keeping { trouble: Option<String> },
    /// Output of a pane cannot be written, or can again.
    PaneGap(PaneId),
    /// Files of the store were removed, and are made anew.
    StoreGone,
    /// The store, which could not be opened when the server started, is open.
    StoreReady,
    /// The archive was read for a command.
    ArchiveRead { number: u64, archive: Arc<Archive> },
    /// A search is done, or its next lines are to be printed.
    SearchDone(Box<SearchDone>),
    /// A question about commands that were run is answered.
    CommandsAnswered {
        number: u64,
        answer: Result<Box<Answer>, String>,
    },
    /// A piece of a long capture is ready, or the last one was.
    Captured(Box<Captured>),
    /// Work on files for a command is done.
    FileWorkDone { number: u64 },
    /// The next turn of a long list of commands.
    NextSlice,
    /// The client of a queue has read earlier output.
    HasRoom { queue: QueueId },
    /// Old sessions were deleted from the archive.
    Expired(Expired),
    /// Programs have begun to wait for memory.
    MemoryShort,
    /// All processes were scanned, or the scan has failed.
    Scanned(Option<Arc<Processes>>),
    /// A request to the recorder is done: changed buffers are in the page cache, closed sessions in the archive. Or it
    /// cannot be done for now.
    Kept {
        /// The number of the request.
        number: u64,
        /// Why closed sessions are not in the archive yet.
        left: Option<String>,
    },
    /// Changes up to this revision are in the page cache, and so safe from the death of all processes.
    Written { revision: u64 },
    /// The recorder has written and synced everything that was requested before.
    Flushed {
        /// The number of the flush.
        number: u64,
        /// Why something is not on disk that is in no record of a pane.
        left: Option<String>,
    },
    /// An alarm has fired.
    Alarm(Ring),
    /// SIGTERM was received.
    Terminated,
}
