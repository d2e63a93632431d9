//! Saves a paste buffer to a file.

use std::fs::{File, OpenOptions, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use shellkeep_command::cmd::save_buffer::Args;

use super::{Outcome, Reply};
use crate::event_loop::Server;
use crate::queue::Caller;

pub(super) fn run(server: &Server, caller: &Caller, args: &Args) -> Outcome {
    let buffer = server.state.buffers.find(args.buffer.as_deref())?;
    if args.path == "-" {
        return Ok(Reply {
            stdout: buffer.data.to_vec(),
            ..Reply::default()
        });
    }
    let path = super::load_buffer::path(server, caller, &args.path);
    let client = super::typist(server, caller);
    let umask = client.map_or(server.state.birth.umask, |client| client.context.umask);
    let written = open(&path, args.append, umask).and_then(|mut file| file.write_all(&buffer.data));
    written.map_err(|error| super::load_buffer::refusal(&path, &error))?;
    Ok(Reply::default())
}

/// A file to be written to. One that is new gets the mode that the user's mask gives, not that of the server's own files.
fn open(path: &Path, append: bool, umask: u32) -> io::Result<File> {
    let mut options = OpenOptions::new();
    if append {
        options.append(true);
    } else {
        options.write(true);
    }
    match options.clone().create_new(true).open(path) {
        Ok(file) => {
            file.set_permissions(Permissions::from_mode(0o666 & !umask))?;
            Ok(file)
        }
        // A link that leads nowhere yet is there, too.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            options.create(true).truncate(!append).open(path)
        }
        Err(error) => Err(error),
    }
}
