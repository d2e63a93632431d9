//! The tmux shim: a directory beside the socket that has a link `tmux` to this program, and is first in PATH.
//!
//! Plugins and scripts call `tmux`. Without the shim they would reach the real one, and change a tmux server that the
//! user happens to run.

use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use crate::model::Environ;
use crate::process::runtime_dir::{beside, point};

/// The suffix of the shim directory's name, after the socket's. An entry of PATH with this suffix belongs to a shim;
/// the scripts in `shellkeep-shell` rely on it, too.
const SUFFIX: &str = ".tmux-shim";

/// What a program is started as: the option `tmux-shim` can leave panes out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum StartedAs {
    #[default]
    Pane,
    /// A shell command of the server, or the program of a popup.
    Command,
}

/// A server's shim directory and the program it links to.
#[derive(Debug)]
pub(crate) struct Shim {
    dir: PathBuf,
    program: PathBuf,
}

impl Shim {
    /// Makes the shim. One left by an earlier server is pointed at this program, since shells that server started have
    /// it in their PATH.
    pub(crate) fn new(socket: &Path, program: PathBuf) -> Self {
        let shim = Self {
            dir: dir(socket),
            program,
        };
        if shim.dir.exists()
            && let Err(error) = shim.ensure()
        {
            tracing::warn!(dir = %shim.dir.display(), %error, "cannot update the tmux shim of an earlier server");
        }
        shim
    }

    /// Makes the directory and the link, unless they are right already. A logout removes the runtime directory, and an
    /// upgrade changes the program.
    fn ensure(&self) -> io::Result<()> {
        make_private(&self.dir)?;
        point(&self.dir.join("tmux"), &self.program)
    }

    /// Puts the shim first in an environment's PATH.
    pub(crate) fn enter(&self, environ: &mut Environ) {
        match self.ensure() {
            Ok(()) => set_path(environ, Some(&self.dir)),
            Err(error) => {
                tracing::warn!(dir = %self.dir.display(), %error, "cannot make the tmux shim");
                set_path(environ, None);
            }
        }
    }
}

/// The shim directory of a server.
pub(crate) fn dir(socket: &Path) -> PathBuf {
    beside(socket, SUFFIX)
}

pub(crate) fn remove(socket: &Path) {
    let _ = std::fs::remove_dir_all(dir(socket));
}

/// Puts a shim first in PATH and removes others, which a program started from another server's pane has in its PATH.
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

pub(crate) fn first_in(path: &[u8]) -> Option<&OsStr> {
    let first = path.split(|byte| *byte == b':').next()?;
    first
        .ends_with(SUFFIX.as_bytes())
        .then(|| OsStr::from_bytes(first))
}

/// Makes a directory with access for this user alone. Anything else of that name is removed: the parent directory is
/// private, so it is a leftover.
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
