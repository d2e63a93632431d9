//! `set-buffer`: sets, appends to, or renames a paste buffer.

use shellkeep_command::cmd::set_buffer::Args;

use crate::clients::clipboard;
use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::persistence::kept_buffers;
use crate::server::Server;

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    if let Some(new) = &args.new_name {
        let old = crate::commands::exec::delete_buffer::name(server, args.buffer.as_deref())?;
        server.model.buffers.rename(&old, new)?;
        return Ok(kept_buffers::buffers_changed(
            &mut server.model,
            &server.persistence,
        ));
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
        .and_then(|name| server.model.buffers.get(name));
    let mut data = match old {
        Some(old) if args.append => old.data.to_vec(),
        _ => Vec::new(),
    };
    data.extend_from_slice(more.as_bytes());
    let secrecy = kept_buffers::secrecy_for(&server.model, caller);
    clipboard::store_buffer(&mut server.model, args.buffer.as_deref(), &data, secrecy)?;
    if args.clipboard {
        clipboard::set_clipboard_of(&mut server.model, caller, args.target.as_deref(), &data);
    }
    Ok(kept_buffers::buffers_changed(
        &mut server.model,
        &server.persistence,
    ))
}
