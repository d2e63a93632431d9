//! How a shell is started so that it has the integration.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use shellkeep_files::MAX_SMALL;

use crate::bash;
use crate::fish;
use crate::revive::RunRc;
use crate::shell::Shell;
use crate::state::State;
use crate::zsh;

/// Whether a shell is to be a login shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// As `login` starts it, and as new panes do unless told otherwise.
    Login,
    /// As typed at another shell's prompt.
    Plain,
}

/// What to start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// The program and its words.
    pub argv: Vec<OsString>,
    /// Variables to set above the environment it would have had.
    pub env: Vec<(OsString, OsString)>,
    /// It gets next to nothing of the environment it would have had; see [`Launch::takes`].
    pub is_bare: bool,
    /// How its terminal is to be set before it begins, if not as a new one is: as [`crate::State::set_terminal`] noted it.
    pub terminal: Vec<u8>,
}

/// What belongs to the terminal or the session: even a shell that brings its own environment takes these from outside, and they are part
/// of its state only if it has changed them itself. The scripts have this list, too.
pub(crate) const OUTSIDE: &[&str] = &[
    "DISPLAY",
    "SSH_AGENT_PID",
    "SSH_ASKPASS",
    "SSH_AUTH_SOCK",
    "SSH_CLIENT",
    "SSH_CONNECTION",
    "SSH_TTY",
    "STY",
    "TERM",
    "TERM_PROGRAM",
    "TERM_PROGRAM_VERSION",
    "TMUX",
    "TMUX_PANE",
    "WAYLAND_DISPLAY",
    "XAUTHORITY",
];
const OUTSIDE_BEGINNINGS: &[&str] = &["SSH_", "TMUX"];

/// Whether a variable belongs to the terminal or the session.
pub(crate) fn is_outside(name: &str) -> bool {
    let begins = |begin: &&str| name.starts_with(begin);
    OUTSIDE.contains(&name) || OUTSIDE_BEGINNINGS.iter().any(begins)
}

impl Launch {
    pub(crate) fn new(program: &Path) -> Self {
        Self {
            argv: vec![program.into()],
            env: Vec::new(),
            is_bare: false,
            terminal: Vec::new(),
        }
    }

    /// Whether this variable of the environment it would have had is for it. A shell that comes back brings its own, and to
    /// take the others away by itself would cost it half the time of a start.
    #[must_use]
    pub fn takes(&self, name: &str) -> bool {
        let is_anyones = matches!(name, "PWD" | "SHLVL") || name.starts_with("SHELLKEEP_");
        !self.is_bare || is_anyones || is_outside(name)
    }

    /// Starts it with next to nothing, unless the user's files are to run.
    pub(crate) fn with_little(mut self, run_rc: RunRc) -> Self {
        self.is_bare = run_rc == RunRc::Off;
        self
    }

    /// Starts it on a terminal that is set as the shell had it that slept.
    pub(crate) fn on_terminal_of(mut self, state: &State) -> Self {
        self.terminal = state.section("terminal").to_vec();
        self
    }

    pub(crate) fn arg(mut self, word: impl AsRef<OsStr>) -> Self {
        self.argv.push(word.as_ref().to_owned());
        self
    }

    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.env.push((name.into(), value.as_ref().to_owned()));
        self
    }
}

/// How to start this shell with the integration: `None` for a shell there is none for, or when the scripts
/// cannot be written to `dir`, which is private to the user. `inherited` gives a variable of the environment the
/// shell would have had.
pub fn prepare(
    program: &Path,
    kind: Kind,
    dir: &Path,
    inherited: &dyn Fn(&str) -> Option<OsString>,
) -> Option<Launch> {
    match Shell::of(program)? {
        Shell::Bash => bash::start(program, kind, dir, inherited),
        Shell::Zsh => zsh::start(program, kind, dir, inherited),
        Shell::Fish => fish::start(program, kind, dir, inherited),
    }
    .ok()
}

/// Writes a script unless it is there already, word for word.
pub(crate) fn unpack(path: &Path, parts: &[&str]) -> io::Result<()> {
    unpack_bytes(path, parts.concat().as_bytes())
}

pub(crate) fn unpack_bytes(path: &Path, text: &[u8]) -> io::Result<()> {
    if shellkeep_files::read(path, MAX_SMALL).is_ok_and(|old| old == text) {
        return Ok(());
    }
    if let Some(parent) = path.parent() {
        make_dir(parent)?;
    }
    let beside = path.with_extension(beside_extension());
    let _ = fs::remove_file(&beside);
    write_private(&beside, text)?;
    // A shell that starts at this moment reads the old one or the new one, never half of it.
    fs::rename(&beside, path)
}

/// A name that no other thread and no other process writes to: several panes are revived at once, each by a thread, and all of them
/// need the same scripts.
fn beside_extension() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("new.{}.{count}", std::process::id())
}

pub(crate) fn make_dir(path: &Path) -> io::Result<()> {
    shellkeep_files::make_dir(path)
}

pub(crate) fn write_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    shellkeep_files::write(path, bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_that_need_the_same_script_do_not_disturb_each_other() {
        let temp = tempfile::tempdir().unwrap();
        for round in 0..50 {
            let path = temp.path().join(format!("{round}/script"));
            std::thread::scope(|scope| {
                for _ in 0..8 {
                    scope.spawn(|| unpack(&path, &["text"]).unwrap());
                }
            });
            assert_eq!(fs::read(&path).unwrap(), b"text");
            let left = fs::read_dir(path.parent().unwrap()).unwrap();
            assert_eq!(left.count(), 1, "nothing is left beside it");
        }
    }

    #[test]
    fn scripts_know_what_comes_from_outside() {
        let answers = [
            include_str!("../scripts/answer.bash"),
            include_str!("../scripts/integration.zsh"),
            include_str!("../scripts/given.fish"),
        ];
        let given = [
            include_str!("../scripts/given.bash"),
            include_str!("../scripts/integration.zsh"),
        ];
        for name in OUTSIDE {
            let listed = format!(" {name} ");
            let listed = |text: &&str| text.replace('\n', " ").contains(&listed);
            assert!(answers.iter().all(listed), "{name}");
            let kept = format!("${{{name}+{name}=${name}$__shellkeep_break}}");
            assert!(given.iter().all(|text| text.contains(&kept)), "{name}");
            let kept = format!(" {name}=${name}");
            assert!(answers[2].contains(&kept), "{name}");
        }
    }
}
