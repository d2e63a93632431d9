//! `paste-buffer`: writes a paste buffer to a pane's program.

use shellkeep_command::cmd::paste_buffer::Args;
use shellkeep_term::Modes;
use shellkeep_term::key::PasteEncoder;

use crate::commands::exec::sleeping;
use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::commands::targets;
use crate::model::Waker;
use crate::persistence::kept_buffers;
use crate::server::Server;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let id = targets::pane(&server.model, caller, args.target.as_deref())?;
    let buffers = &server.model.buffers;
    let buffer = match args.buffer.as_deref() {
        Some(name) => Some(buffers.find(Some(name))?),
        None => buffers.newest(),
    };
    let buffer = buffer.cloned();
    sleeping::wake(server, id, Waker::Command);
    let Some(pane) = server.model.panes.get_mut(&id) else {
        return Err(format!("can't find pane: {id}"));
    };
    if pane.is_dead() {
        return Err("target pane has exited".to_owned());
    }
    let Some(buffer) = buffer else {
        // As in tmux, no buffer is no error.
        return Ok(Reply::default());
    };
    if !pane.input_off {
        let separator = match &args.separator {
            Some(separator) => separator.as_bytes(),
            None if args.raw => b"\n",
            None => b"\r",
        };
        let modes = pane.screen.lock().modes();
        let modes = Modes {
            bracketed_paste: modes.bracketed_paste && args.bracket,
            ..modes
        };
        pane.write(&typed(&buffer.data, separator, &modes));
    }
    if args.delete {
        server.model.buffers.remove(&buffer.name);
    }
    Ok(kept_buffers::buffers_changed(
        &mut server.model,
        &server.persistence,
    ))
}

/// The bytes that the program gets. A paste-end sequence inside the buffer cannot end the paste.
fn typed(data: &[u8], separator: &[u8], modes: &Modes) -> Vec<u8> {
    let mut out = Vec::with_capacity(data.len());
    let mut encoder = PasteEncoder::start(modes, &mut out);
    for (at, line) in data.split(|byte| *byte == b'\n').enumerate() {
        if at > 0 {
            encoder.chunk(separator, &mut out);
        }
        encoder.chunk(line, &mut out);
    }
    encoder.finish(&mut out);
    out
}
