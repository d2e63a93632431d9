//! A program on a new PTY.

use std::ffi::OsString;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStringExt;

use portable_pty::{CommandBuilder, PtySize, native_pty_system};

use crate::process;
use crate::protocol::{Program, SpawnRequest};

/// A program that runs.
pub(crate) struct Spawned {
    pub(crate) master: OwnedFd,
    pub(crate) pid: u32,
    pub(crate) tty: Vec<u8>,
}

/// Opens a PTY and starts the program on it. The error is one sentence for the user.
pub(crate) fn spawn(request: &SpawnRequest) -> Result<Spawned, String> {
    let size = PtySize {
        rows: request.size.rows(),
        cols: request.size.cols(),
        pixel_width: 0,
        pixel_height: 0,
    };
    let pair = native_pty_system()
        .openpty(size)
        .map_err(|error| format!("cannot open a terminal: {error:#}"))?;
    let master = pair
        .master
        .as_raw_fd()
        .ok_or_else(|| io::Error::other("it has no descriptor"))
        .and_then(process::duplicate)
        .map_err(|error| format!("cannot open a terminal: {error}"))?;
    process::mark_utf8(&master);
    process::set_terminal(&master, &request.terminal);
    let child = pair
        .slave
        .spawn_command(command(request))
        .map_err(|error| format!("{error:#}"))?;
    let pid = child
        .process_id()
        .ok_or("the program ended before it began")?;
    let tty = pair
        .master
        .tty_name()
        .map(|path| path.into_os_string().into_vec());
    Ok(Spawned {
        master,
        pid,
        tty: tty.unwrap_or_default(),
    })
}

fn command(request: &SpawnRequest) -> CommandBuilder {
    let os = |bytes: &[u8]| OsString::from_vec(bytes.to_vec());
    let mut command = match &request.program {
        // `portable-pty` starts $SHELL with a dash before its name.
        Program::LoginShell(_) => CommandBuilder::new_default_prog(),
        Program::Argv(argv) => {
            CommandBuilder::from_argv(argv.iter().map(|word| os(word)).collect())
        }
    };
    command.env_clear();
    for entry in &request.environ {
        if let Some(at) = entry.iter().position(|byte| *byte == b'=') {
            command.env(os(&entry[..at]), os(&entry[at + 1..]));
        }
    }
    if let Program::LoginShell(shell) = &request.program {
        command.env("SHELL", os(shell));
    }
    command.cwd(os(&request.cwd));
    command.umask(Some(request.umask & 0o777));
    command
}
