//! The paths that the doctor looks at, and answers that several checks share.

use std::cell::OnceCell;
use std::ffi::{OsStr, OsString};
use std::io::ErrorKind;
use std::os::unix::fs::FileTypeExt as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use shellkeep_command::call;
use shellkeep_store::StoreError;

use crate::probe::{self, Lock};
use crate::saving::Saving;
use crate::walk::{self, Entry};

/// What the checks have in common: paths, environment, and cached answers.
pub struct Setup<'a> {
    pub(crate) socket: PathBuf,
    pub(crate) state_dir: PathBuf,
    pub(crate) program: PathBuf,
    call: String,
    pub(crate) env: &'a dyn Fn(&str) -> Option<OsString>,
    pub(crate) now: SystemTime,
    /// Everything below the state directory; filled on first use.
    entries: OnceCell<Vec<Entry>>,
    /// Whether the server can save; asked on first use.
    saving: OnceCell<Saving>,
}

impl<'a> Setup<'a> {
    /// `call` is how the user addresses this server (`shellkeep -L work`); `env` reads an environment variable.
    #[must_use]
    pub fn new(
        socket: &Path,
        state_dir: &Path,
        (program, call): (PathBuf, &str),
        env: &'a dyn Fn(&str) -> Option<OsString>,
    ) -> Self {
        Self {
            socket: socket.to_owned(),
            state_dir: state_dir.to_owned(),
            program,
            call: call.to_owned(),
            env,
            now: SystemTime::now(),
            entries: OnceCell::new(),
            saving: OnceCell::new(),
        }
    }

    /// The value of an environment variable, if it is set and UTF-8.
    pub(crate) fn variable(&self, name: &str) -> Option<String> {
        let value = (self.env)(name)?.into_string().ok()?;
        (!value.is_empty()).then_some(value)
    }

    /// A command line for this server.
    pub(crate) fn typed(&self, command: &str) -> String {
        format!("{} {command}", self.call)
    }

    /// A command line for the server with this label.
    pub(crate) fn typed_for(&self, label: &str, command: &str) -> String {
        if label == self.label() {
            return self.typed(command);
        }
        format!("shellkeep -L {} {command}", call::word(label))
    }

    pub(crate) fn beside(&self, suffix: impl AsRef<OsStr>) -> PathBuf {
        let mut name = self.socket.as_os_str().to_owned();
        name.push(suffix);
        name.into()
    }

    /// The label of the server: the name of its socket.
    pub(crate) fn label(&self) -> String {
        let name = self.socket.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }

    /// The command that makes a server read the whole store: each server does so when it starts.
    pub(crate) fn look_anew(&self) -> String {
        self.typed(match self.saving() {
            Saving::NoServer => "ls",
            _ => "restart-server",
        })
    }

    /// The first pipe in the state directory. Opening it as a file would block forever.
    pub(crate) fn pipe(&self) -> Option<&Path> {
        let mut entries = self.entries().iter();
        let pipe = entries.find(|entry| entry.metadata.file_type().is_fifo())?;
        Some(&pipe.path)
    }

    /// The fix for files that the user may not read or write. A running server has given up on them, so it is
    /// restarted.
    pub(crate) fn unlock(&self) -> String {
        let chmod = format!("chmod -R u+rwX {}", quoted(&self.state_dir));
        match probe::lock(&self.beside(".lock")) {
            Lock::Held { .. } => format!("{chmod} && {}", self.typed("restart-server")),
            _ => chmod,
        }
    }

    /// The fix for an error of the store: permissions if that is the cause, else `otherwise`.
    pub(crate) fn fix(&self, error: &StoreError, otherwise: String) -> String {
        match error {
            StoreError::Io { source, .. } if source.kind() == ErrorKind::PermissionDenied => {
                self.unlock()
            }
            _ => otherwise,
        }
    }

    pub(crate) fn saving(&self) -> &Saving {
        self.saving
            .get_or_init(|| Saving::ask(&self.program, &self.socket))
    }

    /// Everything below the state directory.
    pub(crate) fn entries(&self) -> &[Entry] {
        self.entries.get_or_init(|| walk::all(&self.state_dir))
    }
}

/// A path quoted for a shell.
pub(crate) fn quoted(path: &Path) -> String {
    call::word(&path.display().to_string())
}
