//! Prints what a pane shows and what has scrolled off it, or keeps it in a buffer.

use shellkeep_command::cmd::capture_pane::Args;

use super::{Outcome, Reply};
use crate::capture::{Capture, ended, pending, rows_to_read};
use crate::event_loop::{Server, buffers};
use crate::queue::Caller;

/// More rows of history than this are not read while everybody waits.
const LONG: usize = 10_000;

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let id = super::pane(server, caller, args.target.as_deref())?;
    let Some(pane) = server.state.panes.get(&id) else {
        return Err(format!("can't find pane: {id}"));
    };
    let emulator = pane.screen.lock();
    let bytes = if args.pending {
        pending(&emulator.unfinished(), args)
    } else if rows_to_read(&emulator, args) > LONG {
        let copy = emulator.copied();
        drop(emulator);
        return Ok(server.capture_aside(id, copy, args.clone()));
    } else {
        let mut capture = Capture::new(&emulator, args)?;
        let mut text = String::new();
        while capture.push_some(&emulator, &mut text) {}
        text.into_bytes()
    };
    drop(emulator);
    if !args.print {
        let secrecy = buffers::secrecy_of(&server.state, id);
        return server.keep_capture(args.buffer.as_deref(), &bytes, secrecy);
    }
    Ok(Reply {
        stdout: ended(bytes),
        ..Reply::default()
    })
}
