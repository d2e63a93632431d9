//! Starts a program on a new PTY.

use std::ffi::{CStr, CString, OsStr};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use nix::errno::Errno;
use nix::fcntl::OFlag;
use nix::spawn::{PosixSpawnAttr, PosixSpawnFileActions, PosixSpawnFlags, posix_spawn};
use nix::sys::signal::SigSet;
use nix::sys::stat::{Mode, umask};
use nix::unistd::{AccessFlags, Pid, access, chdir};
use portable_pty::{PtySize, native_pty_system};

use crate::process;
use crate::protocol::{Program, SpawnRequest};

/// Makes the process the leader of a new session. `nix` has no name for this flag.
#[cfg(not(target_os = "macos"))]
const SET_SID: i32 = libc::POSIX_SPAWN_SETSID as i32;
#[cfg(target_os = "macos")]
const SET_SID: i32 = 0x0400;

/// A program that was started.
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
    // The slave side stays open until the program has opened it.
    let pair = native_pty_system()
        .openpty(size)
        .map_err(|error| format!("cannot open a terminal: {error:#}"))?;
    let master = pair
        .master
        .as_raw_fd()
        .ok_or_else(|| io::Error::other("it has no descriptor"))
        .and_then(process::duplicate)
        .map_err(|error| format!("cannot open a terminal: {error}"))?;
    let tty = pair.master.tty_name();
    let tty = tty.ok_or("cannot open a terminal: it has no name")?;
    process::mark_utf8(&master);
    process::set_terminal(&master, &request.terminal);
    // Directory and umask are inherited, so set them in this process meanwhile. It has only one thread.
    let mask = umask(Mode::from_bits_truncate(request.umask & 0o777));
    let started = enter(request)
        .and_then(|dir| ExecArguments::of(request, &dir))
        .and_then(|words| words.start(&tty));
    umask(mask);
    let _ = chdir("/");
    Ok(Spawned {
        master,
        pid: process::as_u32(started?),
        tty: tty.into_os_string().into_vec(),
    })
}

/// Changes to the requested directory, or to the home directory if that is gone.
fn enter(request: &SpawnRequest) -> Result<PathBuf, String> {
    let asked = PathBuf::from(OsStr::from_bytes(&request.cwd));
    let home = variable(request, b"HOME").map(|home| PathBuf::from(OsStr::from_bytes(home)));
    let places = [Some(asked), home, Some("/".into())];
    let mut places = places.into_iter().flatten();
    places
        .find(|place| chdir(place).is_ok())
        .ok_or_else(|| "no directory can be entered".to_owned())
}

fn variable<'a>(request: &'a SpawnRequest, name: &[u8]) -> Option<&'a [u8]> {
    let mut environ = request.environ.iter().rev();
    environ.find_map(|entry| entry.strip_prefix(name)?.strip_prefix(b"="))
}

/// Program, arguments and environment as `posix_spawn` takes them.
struct ExecArguments {
    program: CString,
    argv: Vec<CString>,
    environ: Vec<CString>,
}

impl ExecArguments {
    fn of(request: &SpawnRequest, dir: &Path) -> Result<Self, String> {
        let (program, argv) = match &request.program {
            // `login` starts a login shell with a dash before its name.
            Program::LoginShell(shell) => {
                let name = shell.rsplit(|byte| *byte == b'/').next();
                let name = [b"-", name.unwrap_or(shell)].concat();
                (PathBuf::from(OsStr::from_bytes(shell)), vec![word(&name)?])
            }
            Program::Argv(argv) => {
                let name = argv.first().ok_or("there is nothing to start")?;
                let path = variable(request, b"PATH").unwrap_or(b"/bin:/usr/bin");
                let program = find(Path::new(OsStr::from_bytes(name)), path, dir)?;
                let argv: Result<Vec<CString>, String> = argv.iter().map(|it| word(it)).collect();
                (program, argv?)
            }
        };
        let environ: Result<Vec<CString>, String> =
            request.environ.iter().map(|it| word(it)).collect();
        Ok(Self {
            program: word(program.as_os_str().as_bytes())?,
            argv,
            environ: environ?,
        })
    }

    fn start(&self, tty: &Path) -> Result<Pid, String> {
        let started = match spawn_on(tty, &self.program, &self.argv, &self.environ) {
            // A script without `#!` is run by `/bin/sh`, as `execvp` does.
            Err(Errno::ENOEXEC) => {
                let shell: &CStr = c"/bin/sh";
                let mut argv = vec![shell.to_owned(), self.program.clone()];
                argv.extend(self.argv.iter().skip(1).cloned());
                spawn_on(tty, shell, &argv, &self.environ)
            }
            started => started,
        };
        started.map_err(|errno| {
            let program = self.program.to_string_lossy();
            format!("cannot start {program}: {}", errno.desc())
        })
    }
}

/// Starts a program as the leader of a session whose terminal is `tty`, with this process's directory and umask.
/// Ignored and blocked signals are reset to their defaults.
///
/// The new process shares the memory of this one until `exec` (`posix_spawn`). A fork would copy the page tables, which
/// took half of the time from the request to the program.
///
/// # Errors
/// The system's error, in this process or in the new one.
fn spawn_on(tty: &Path, program: &CStr, argv: &[CString], environ: &[CString]) -> nix::Result<Pid> {
    let mut streams = PosixSpawnFileActions::init()?;
    // The first terminal that the leader of a new session opens becomes its controlling terminal.
    streams.add_open(0, tty, OFlag::O_RDWR, Mode::empty())?;
    streams.add_dup2(0, 1)?;
    streams.add_dup2(0, 2)?;
    let mut usual = PosixSpawnAttr::init()?;
    usual.set_flags(
        PosixSpawnFlags::POSIX_SPAWN_SETSIGDEF
            | PosixSpawnFlags::POSIX_SPAWN_SETSIGMASK
            | PosixSpawnFlags::from_bits_retain(SET_SID),
    )?;
    // All signals: libc queries each of the others before it resets it.
    usual.set_sigdefault(&SigSet::all())?;
    usual.set_sigmask(&SigSet::empty())?;
    posix_spawn(program, &streams, &usual, argv, environ)
}

fn word(bytes: &[u8]) -> Result<CString, String> {
    CString::new(bytes).map_err(|_| "a word has a NUL in it".to_owned())
}

/// Finds a program: the path itself if the name contains a slash, otherwise the first match in `path`.
fn find(name: &Path, path: &[u8], dir: &Path) -> Result<PathBuf, String> {
    let is_program = |path: &PathBuf| !path.is_dir() && access(path, AccessFlags::X_OK).is_ok();
    let found = if name.components().count() > 1 || name.is_absolute() {
        Some(dir.join(name)).filter(is_program)
    } else {
        let places = path.split(|byte| *byte == b':').map(OsStr::from_bytes);
        let mut places = places.map(|place| dir.join(place).join(name));
        places.find(is_program)
    };
    found.ok_or_else(|| format!("cannot start {}: there is no such program", name.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_found_by_place_and_by_name() {
        let temp = tempfile::tempdir().unwrap();
        let found = |name: &str, path: &str| find(Path::new(name), path.as_bytes(), temp.path());
        assert_eq!(found("/bin/sh", "").unwrap(), Path::new("/bin/sh"));
        assert_eq!(found("sh", "/nowhere:/bin").unwrap(), Path::new("/bin/sh"));
        assert!(found("sh", "/nowhere").is_err());
        assert!(found("/bin", "/").is_err());
        std::os::unix::fs::symlink("/bin/sh", temp.path().join("own")).unwrap();
        assert_eq!(found("./own", "").unwrap(), temp.path().join("./own"));
        assert_eq!(found("own", "").unwrap(), temp.path().join("own"));
        assert!(found("./none", "/bin").is_err());
    }
}
