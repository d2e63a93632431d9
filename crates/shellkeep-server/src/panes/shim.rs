//! The tmux shim: a directory beside the socket with a link `tmux` to this program, put first in PATH.
//!
//! Plugins and scripts call `tmux`. Without the shim they find the real one, and change whatever server the user has running there.

use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use crate::model::Environ;
use crate::process::runtime_dir::{beside, point};

/// What the directory's name ends in, behind that of the socket. Entries of PATH with this ending belong to a shim: the scripts in
/// `shellkeep-shell` know them by it, too.
const SUFFIX: &str = ".tmux-shim";

/// What a program is started as: the option `tmux-shim` may leave panes out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum StartedAs {
    /// The program of a pane.
    #[default]
    Pane,
    /// A shell command of the server, or the program of a popup.
    Command,
}

/// Where the shim of a server is, and what it leads to.
#[derive(Debug)]
pub(crate) struct Shim {
    dir: PathBuf,
    program: PathBuf,
}

impl Shim {
    /// One that a server before this one has left leads to this program from now on: the shells that it started have it in their PATH.
    pub(crate) fn new(socket: &Path, program: PathBuf) -> Self {
        let shim = Self {
            dir: dir(socket),
            program,
        };
        if shim.dir.exists()
            && let Err(error) = shim.ensure()
        {
            tracing::warn!(dir = %shim.dir.display(), %error, "the tmux shim is that of an earlier server");
        }
        shim
    }

    /// Makes the directory and its link, if they are not as they should be: a logout takes the runtime directory away, and after an upgrade
    /// another program serves.
    fn ensure(&self) -> io::Result<()> {
        make_private(&self.dir)?;
        point(&self.dir.join("tmux"), &self.program)
    }

    /// Puts it first in an environment's PATH.
    pub(crate) fn enter(&self, environ: &mut Environ) {
        match self.ensure() {
            Ok(()) => set_path(environ, Some(&self.dir)),
            Err(error) => {
                tracing::warn!(dir = %self.dir.display(), %error, "no tmux shim");
                set_path(environ, None);
            }
        }
    }
}

/// Where the shim of a socket's server is.
pub(crate) fn dir(socket: &Path) -> PathBuf {
    beside(socket, SUFFIX)
}

/// Takes a server's shim away.
pub(crate) fn remove(socket: &Path) {
    let _ = std::fs::remove_dir_all(dir(socket));
}

/// Puts a shim first in PATH. Others go: a program started from the pane of another server has brought that one's.
pub(crate) fn set_path(environ: &mut Environ, shim: Option<&Path>) {
    let old = environ.get("PATH").map(<[u8]>::to_vec);
    let is_shim = |entry: &[u8]| entry.ends_with(SUFFIX.as_bytes());
    let entries = old.as_deref().map(|old| old.split(|byte| *byte == b':'));
    let entries = entries.into_iter().flatten();
    let entries = entries.filter(|entry| !is_shim(entry));
    let shim = shim.map(|dir| dir.as_os_str().as_bytes());
    let new: Vec<&[u8]> = shim.into_iter().chain(entries).collect();
    let new = new.join(&b':');
    if old.is_some() || shim.is_some() {
        environ.set("PATH", new);
    }
}

/// The shim that comes first in this PATH.
pub(crate) fn first_in(path: &[u8]) -> Option<&OsStr> {
    let first = path.split(|byte| *byte == b':').next()?;
    first
        .ends_with(SUFFIX.as_bytes())
        .then(|| OsStr::from_bytes(first))
}

/// Makes a directory that is ours alone. What is there instead goes: the directory around it is private, so it was left by accident.
fn make_private(dir: &Path) -> io::Result<()> {
    match std::fs::symlink_metadata(dir) {
        Ok(found) if found.is_dir() => {
            if found.uid() != nix::unistd::geteuid().as_raw() {
                return Err(io::Error::other("it belongs to another user"));
            }
            if found.mode() & 0o7777 == 0o700 {
                return Ok(());
            }
            return std::fs::set_permissions(dir, std::fs::Permissions::from_mode(0o700));
        }
        Ok(_) => std::fs::remove_file(dir)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    shellkeep_files::make_dir(dir)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path_after(path: Option<&str>, shim: Option<&str>) -> Option<String> {
        let mut environ = Environ::default();
        if let Some(path) = path {
            environ.set("PATH", path);
        }
        set_path(&mut environ, shim.map(Path::new));
        let path = environ.get("PATH")?.to_vec();
        Some(String::from_utf8(path).unwrap())
    }

    #[test]
    fn path_has_one_shim_and_keeps_its_other_entries() {
        let ours = "/run/b.tmux-shim";
        for (before, with, without) in [
            ("/bin", "/run/b.tmux-shim:/bin", "/bin"),
            (
                "/run/a.tmux-shim:/bin::/run/b.tmux-shim",
                "/run/b.tmux-shim:/bin:",
                "/bin:",
            ),
            (ours, ours, ""),
        ] {
            assert_eq!(path_after(Some(before), Some(ours)).unwrap(), with);
            assert_eq!(path_after(Some(before), None).unwrap(), without);
        }
        assert_eq!(path_after(None, Some(ours)).unwrap(), ours);
        assert_eq!(path_after(None, None), None);
    }

    #[test]
    fn directory_is_private_whatever_was_there() {
        let temp = tempfile::tempdir().unwrap();
        let shim = Shim::new(&temp.path().join("sock"), "/opt/shellkeep".into());
        let at = temp.path().join("sock.tmux-shim");
        let befores: [&dyn Fn(); 4] = [
            &|| {},
            &|| std::fs::set_permissions(&at, std::fs::Permissions::from_mode(0o777)).unwrap(),
            &|| {
                std::fs::remove_dir_all(&at).unwrap();
                std::os::unix::fs::symlink(temp.path(), &at).unwrap();
            },
            &|| {
                std::fs::remove_dir_all(&at).unwrap();
                std::fs::create_dir(&at).unwrap();
                std::os::unix::fs::symlink("/opt/older", at.join("tmux")).unwrap();
            },
        ];
        for before in befores {
            before();
            shim.ensure().unwrap();
            let mode = std::fs::symlink_metadata(&at).unwrap().mode();
            assert_eq!(mode & 0o170_777, 0o040_700);
            let link = std::fs::read_link(at.join("tmux")).unwrap();
            assert_eq!(link, Path::new("/opt/shellkeep"));
        }
    }
}
