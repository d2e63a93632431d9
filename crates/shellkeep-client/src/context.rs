//! What a client tells the server of its caller: directory, environment, terminal and mask.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;

use nix::sys::stat::{Mode, umask};
use shellkeep_proto::{Context, Terminal};

use crate::tty;

pub(crate) fn gather() -> Context {
    let join =
        |(name, value): (OsString, OsString)| [name.into_vec(), value.into_vec()].join(&b'=');
    let terminal = tty::device().map(|device| {
        let size = tty::size().unwrap_or_default();
        Terminal {
            tty: device.into_os_string().into_vec(),
            rows: size.rows(),
            cols: size.cols(),
            is_shared: cfg!(target_os = "linux"),
        }
    });
    Context {
        cwd: directory(),
        environ: std::env::vars_os().map(join).collect(),
        umask: current_umask(),
        pid: std::process::id(),
        program: program().into_os_string().into_vec(),
        terminal,
    }
}

/// Replaces a variable of the environment in what the server is told.
pub(crate) fn overrule(context: &mut Context, name: &str, value: &str) {
    let prefix = format!("{name}=");
    context
        .environ
        .retain(|entry| !entry.starts_with(prefix.as_bytes()));
    context
        .environ
        .push(format!("{prefix}{value}").into_bytes());
}

/// This program's path. After an upgrade the kernel calls the old file deleted; the new one is in its place.
#[must_use]
pub fn program() -> std::path::PathBuf {
    let path = std::env::current_exe().unwrap_or_default();
    match path
        .to_str()
        .and_then(|text| text.strip_suffix(" (deleted)"))
    {
        Some(new) => new.into(),
        None => path,
    }
}

pub(crate) fn directory() -> Vec<u8> {
    let directory = std::env::current_dir().unwrap_or_else(|_| "/".into());
    directory.into_os_string().into_vec()
}

/// The mask can only be read by setting it.
pub(crate) fn current_umask() -> u32 {
    let mask = umask(Mode::from_bits_truncate(0o077));
    umask(mask);
    mask.bits()
}
