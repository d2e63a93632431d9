//! Sets, adds to, or renames a paste buffer.

use shellkeep_command::cmd::set_buffer::Args;

use super::{Outcome, Reply};
use crate::event_loop::{Server, buffers, clipboard};
use crate::queue::Caller;

pub(super) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    if let Some(new) = &args.new_name {
        let old = super::delete_buffer::name(server, args.buffer.as_deref())?;
        server.state.buffers.rename(&old, new)?;
        return Ok(server.buffers_changed());
    }
    let Some(more) = &args.data else {
        return Err("no data specified".to_owned());
    };
    if more.is_empty() {
        return Ok(Reply::default());
    }
    let old = args
        .buffer
        .as_deref()
        .and_then(|name| server.state.buffers.get(name));
    let mut data = match old {
        Some(old) if args.append => old.data.to_vec(),
        _ => Vec::new(),
    };
    data.extend_from_slice(more.as_bytes());
    let secrecy = buffers::secrecy_for(&server.state, caller);
    clipboard::store_buffer(&mut server.state, args.buffer.as_deref(), &data, secrecy)?;
    if args.clipboard {
        server.tell_clipboard_of(caller, args.target.as_deref(), &data);
    }
    Ok(server.buffers_changed())
}
