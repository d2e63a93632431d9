//! Everything that can happen to the server, in one closed enum.

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
use crate::search::done::SearchDone;

impl Event {
    /// Whether it is keys and nothing else.
    pub(crate) fn is_keys(&self) -> bool {
        let Self::Typed { input, .. } = self else {
            return false;
        };
        input.iter().all(|input| matches!(input, Input::Key(_)))
    }
}

/// Something that happened. Whatever is about a pane's program names the process, and whatever answers something that was begun names
/// what that was: a pane may have another program, and be about something else, by the time it is heard.
pub(crate) enum Event {
    /// A client has said hello. Its process is known where the kernel tells it.
    Connected {
        client: ClientId,
        pid: Option<u32>,
        writer: ClientWriter,
    },
    /// A client asks for a command.
    Run {
        client: ClientId,
        request: Box<RunRequest>,
    },
    /// A client says what kind it is.
    Role { client: ClientId, role: Role },
    /// A client in control mode has read a line.
    ControlLine { client: ClientId, line: ControlLine },
    /// A client asks for something any version understands.
    Core { client: ClientId, request: Core },
    /// A client's terminal sent keys and other things.
    Typed { client: ClientId, input: Vec<Input> },
    /// Some of a client's standard input; nothing at its end.
    Stdin { client: ClientId, bytes: Vec<u8> },
    /// A client's terminal has another size.
    Resized { client: ClientId, size: Size },
    /// The part of a window that a client's terminal shows has moved with the cursor from where it was.
    PartMoved { client: ClientId, last: (u16, u16) },
    /// A client's terminal is raw and prepared, and its content unknown.
    Ready { client: ClientId },
    /// A client is about to stop: its terminal is to be left alone.
    Paused { client: ClientId },
    /// A client's connection is closed.
    Gone { client: ClientId },
    /// The keeper has something to say.
    Host(HostEvent),
    /// The program in a pane printed something, for the first time since the event loop last wanted to know.
    Printed { pane: PaneId, process: ProcessId },
    /// The program in a pane asked something of the world.
    Asked {
        pane: PaneId,
        process: ProcessId,
        effects: Vec<Effect>,
    },
    /// Nothing more will come from a pane's program.
    Ended { pane: PaneId, process: ProcessId },
    /// A shell command of ours has ended.
    JobEnded { job: JobId, end: JobEnd },
    /// A long search in a pane's text is done.
    Searched(Box<Searched>),
    /// A pipe's command has printed something for its pane.
    Piped {
        pane: PaneId,
        pipe: Ticket,
        bytes: Vec<u8>,
    },
    /// A pipe's command did not keep up, and so much is lost.
    PipeLost { pane: PaneId, lost: u64 },
    /// What the system knows of a pane's program at the moment.
    Facts {
        pane: PaneId,
        process: ProcessId,
        facts: Facts,
    },
    /// A shell that is to sleep has written something.
    ShellAnswered { pane: PaneId, attempt: Ticket },
    /// The shell of a pane that wakes was put together so far, or cannot be.
    Prepared {
        pane: PaneId,
        prepared: Box<Prepared>,
    },
    /// It is known how the program of a sleeping pane comes back, by the rules of this round.
    RuleFound {
        pane: PaneId,
        question: Ticket,
        round: u64,
        resume: Resume,
    },
    /// A process that kept a session awake has ended.
    SleeplessEnded,
    /// A pane that is to sleep is safe on disk, or is not.
    WrittenDown {
        pane: PaneId,
        attempt: Ticket,
        written: Result<(), String>,
    },
    /// That a pane sleeps is safe on disk, or is not.
    NotedDown {
        pane: PaneId,
        attempt: Ticket,
        noted: Result<(), String>,
    },
    /// Something cannot be written to the disk, or all can again.
    Keeping { trouble: Option<String> },
    /// Files in the store were gone, and are made anew.
    StoreGone,
    /// The store, which could not be opened when the server started, is open.
    StoreReady,
    /// The archive was read for a command.
    ArchiveRead { number: u64, archive: Arc<Archive> },
    /// A search through all that was ever printed is done, or goes on being printed.
    SearchDone(Box<SearchDone>),
    /// A long capture of a pane goes on, or is done.
    Captured(Box<Captured>),
    /// A file that a command reads or writes is done with.
    FileWorkDone { number: u64 },
    /// A long list of commands goes on.
    NextSlice,
    /// The client of a list of commands has read what these have printed before.
    HasRoom { queue: QueueId },
    /// What was too old for the archive is gone.
    Expired(Expired),
    /// Programs begin to wait for memory.
    MemoryShort,
    /// All processes were scanned, or could not be.
    Scanned(Option<Arc<Processes>>),
    /// What was asked for is done: changes of paste buffers are safe from the death of all processes, closed sessions are put
    /// away. Or it cannot be done for now.
    Kept {
        /// What.
        number: u64,
        /// Why closed sessions are not put away yet.
        left: Option<String>,
    },
    /// What was changed up to this revision is in the page cache: safe from the death of all processes.
    Written { revision: u64 },
    /// The recorder has written and synced everything that it was asked for before.
    Flushed {
        /// Which flush.
        number: u64,
        /// Why something is not on disk that is in no record of a pane.
        left: Option<String>,
    },
    /// Something is due.
    Alarm(Ring),
    /// The server was told to end in order (SIGTERM).
    Terminated,
}
