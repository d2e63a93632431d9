//! `capture-pane`: prints a pane's screen and history, or puts it into a buffer.

use shellkeep_command::cmd::capture_pane::Args;

use crate::commands::capture_text::{Capture, ended, pending, rows_to_read};
use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::commands::{capture_job, targets};
use crate::persistence::kept_buffers;
use crate::server::Server;

/// With more rows of history than this, the capture is made on a thread.
const MAX_ROWS_IN_LOOP: usize = 10_000;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let id = targets::pane(&server.model, caller, args.target.as_deref())?;
    let Some(pane) = server.model.panes.get(&id) else {
        return Err(format!("can't find pane: {id}"));
    };
    let emulator = pane.screen.lock();
    let bytes = if args.pending {
        pending(&emulator.unfinished(), args)
    } else if rows_to_read(&emulator, args) > MAX_ROWS_IN_LOOP {
        let copy = emulator.copied();
        drop(emulator);
        return Ok(capture_job::start_capture(server, id, copy, args.clone()));
    } else {
        let mut capture = Capture::new(&emulator, args)?;
        let mut text = String::new();
        while capture.push_some(&emulator, &mut text) {}
        text.into_bytes()
    };
    drop(emulator);
    if !args.print {
        let secrecy = kept_buffers::secrecy_of(&server.model, id);
        return capture_job::keep_capture(server, args.buffer.as_deref(), &bytes, secrecy);
    }
    Ok(Reply {
        stdout: ended(bytes),
        ..Reply::default()
    })
}
