//! Collects what a client tells the server about its caller: directory, environment, terminal and umask.

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

/// Replaces a variable in the environment that is sent to the server. The client's own environment stays as it is.
pub(crate) fn overrule(context: &mut Context, name: &str, value: &str) {
    let prefix = format!("{name}=");
    context
        .environ
        .retain(|entry| !entry.starts_with(prefix.as_bytes()));
    context
        .environ
        .push(format!("{prefix}{value}").into_bytes());
}

/// This program's path. After an upgrade the kernel marks the old file as deleted; the new binary has the path without
/// the mark.
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

/// The umask can only be read by setting it.
pub(crate) fn current_umask() -> u32 {
    let mask = umask(Mode::from_bits_truncate(0o077));
    umask(mask);
    mask.bits()
}
