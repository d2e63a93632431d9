//! The default shell.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use nix::unistd::{AccessFlags, access};
use shellkeep_core::SessionId;

use crate::model::Model;

/// Whether a program can be started as a login shell.
pub(crate) fn is_shell(path: &Path) -> bool {
    path.is_absolute() && path.is_file() && access(path, AccessFlags::X_OK).is_ok()
}

/// The shell of a session: `default-shell`, or `$SHELL`, or the one in the password file, or `/bin/sh`.
pub(crate) fn shell(model: &Model, session: SessionId) -> Vec<u8> {
    let options = model.session_options(Some(session));
    let set = options.text("default-shell").as_bytes();
    let from_environ = model.environ.get("SHELL").unwrap_or_default();
    usual_shell([set, from_environ])
}

/// The first of these that is a shell, or the one in the password file, or `/bin/sh`.
fn usual_shell<const N: usize>(named: [&[u8]; N]) -> Vec<u8> {
    let is_shell = |path: &[u8]| is_shell(Path::new(OsStr::from_bytes(path)));
    if let Some(shell) = named.into_iter().find(|path| is_shell(path)) {
        return shell.to_vec();
    }
    let user = nix::unistd::User::from_uid(nix::unistd::getuid())
        .ok()
        .flatten();
    let shell = user.map(|user| user.shell.into_os_string().as_bytes().to_vec());
    shell
        .filter(|shell| is_shell(shell))
        .unwrap_or_else(|| b"/bin/sh".to_vec())
}
