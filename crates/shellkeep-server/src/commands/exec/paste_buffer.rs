//! `paste-buffer`: writes a paste buffer to a pane's program.

use shellkeep_command::cmd::paste_buffer::Args;

use crate::commands::exec::sleeping;
use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::commands::targets;
use crate::model::{Typed, Waker};
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
        let text = buffer.data.split(|byte| *byte == b'\n');
        let text = text.collect::<Vec<_>>().join(separator);
        match args.bracket {
            // An end of paste inside the buffer does not end the paste.
            true => pane.type_in(
                &[Typed::PasteStart, Typed::PasteText(text), Typed::PasteEnd],
                1,
            ),
            false => pane.write(&text),
        }
    }
    if args.delete {
        server.model.buffers.remove(&buffer.name);
    }
    Ok(kept_buffers::buffers_changed(
        &mut server.model,
        &server.persistence,
    ))
}
