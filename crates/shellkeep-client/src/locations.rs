//! Finds the paths of a server: its socket, state directory and configuration. Makes none of them.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

use directories::BaseDirs;
use shellkeep_command::call;

use crate::{ClientError, context};

/// The longest path of a socket: the kernel's limit less the longest suffix that is appended to it.
const MAX_SOCKET_PATH: usize = 100;

/// The name of the program, `shellkeep` or `tmux`. It decides which variables and files count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CalledAs {
    #[default]
    Shellkeep,
    /// `$TMUX` and `$TMUX_TMPDIR` count, and tmux's configuration is read where there is no `shellkeep.conf`.
    Tmux,
}

#[derive(Clone, Debug)]
pub struct Locations {
    pub socket: PathBuf,
    /// The user has named the socket, so its directory is not made.
    pub is_dir_given: bool,
    pub state_dir: PathBuf,
    /// The configuration file that the user named.
    pub named_config: Option<PathBuf>,
    pub usual_config: PathBuf,
    /// How a user addresses this server from here, such as `shellkeep -L work`.
    pub call: String,
    /// Log more if a server is started.
    pub is_verbose: bool,
}

impl Locations {
    /// Finds the paths from the flags and the environment: `-S` before `-L`, before the pane in which this is called,
    /// before the default.
    ///
    /// # Errors
    /// When a flag's value cannot be used.
    pub fn find(
        label: Option<&str>,
        socket: Option<&Path>,
        config: Option<&Path>,
        called_as: CalledAs,
        env: impl Fn(&str) -> Option<OsString>,
    ) -> Result<Self, ClientError> {
        let dirs = BaseDirs::new().ok_or_else(|| {
            ClientError::Usage("cannot find your home directory; set $HOME".to_owned())
        })?;
        let given = |name: &str| env(name).filter(|value| !value.is_empty());
        let label = match label {
            Some(label) if label.is_empty() || label.contains('/') => {
                return Err(ClientError::Usage(format!(
                    "bad label: {label:?} (-L takes a name, -S a path)"
                )));
            }
            other => other,
        };
        if let Some((label, suffix)) = label.and_then(|label| Some((label, own_suffix(label)?))) {
            return Err(ClientError::Usage(format!(
                "bad label: {label:?} (files ending in {suffix} belong to the server before that)"
            )));
        }
        let is_dir_given = socket.is_some();
        let socket = match (socket, label) {
            (Some(path), _) => absolute(path),
            (None, label) => {
                let around = match label {
                    None => inside(called_as, &given),
                    Some(_) => None,
                };
                around.unwrap_or_else(|| {
                    let own = given("TMUX_TMPDIR").filter(|_| called_as == CalledAs::Tmux);
                    let dir = own.map_or_else(|| runtime_dir(&dirs), own_dir);
                    dir.join(label.unwrap_or(call::LABEL))
                })
            }
        };
        if socket.as_os_str().len() > MAX_SOCKET_PATH {
            let reason = format!(
                "socket path too long: {} (use -S with a shorter one)",
                socket.display()
            );
            return Err(ClientError::Usage(reason));
        }
        let around = inside(CalledAs::Shellkeep, &given);
        let call = call::program(
            &socket.to_string_lossy(),
            around.as_deref().map(Path::to_string_lossy).as_deref(),
            &runtime_dir(&dirs).to_string_lossy(),
        );
        Ok(Self {
            socket,
            is_dir_given,
            state_dir: dirs
                .state_dir()
                .unwrap_or(dirs.data_local_dir())
                .join("shellkeep"),
            named_config: config.map(absolute),
            usual_config: usual_config(called_as, &dirs),
            call,
            is_verbose: false,
        })
    }

    /// The directory for sockets under `/tmp`, which another user may have made first.
    pub(crate) fn public_dir(&self) -> Option<&Path> {
        let dir = self.socket.parent()?;
        let is_public = dir.file_name() == Some(OsStr::new(&public_name()));
        is_public.then_some(dir)
    }

    /// The command that runs this program as the server of these paths. Its standard input is to be the connection to
    /// its first client.
    #[must_use]
    pub fn server_command(&self) -> Command {
        let mut command = Command::new(context::program());
        command.arg("__server").arg("--socket").arg(&self.socket);
        command.arg("--state-dir").arg(&self.state_dir);
        match &self.named_config {
            Some(path) => command.arg("--config").arg(path),
            None => command.arg("--usual-config").arg(&self.usual_config),
        };
        if self.is_verbose {
            command.args(["--log", "debug"]);
        }
        command
    }
}

/// The socket of the server in whose pane this is called: `$SHELLKEEP` holds its socket, its pid and the session. When
/// called as tmux, `$TMUX` has the same form, unless it was set by the real tmux.
fn inside(called_as: CalledAs, env: &impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let of_tmux = || socket_in("TMUX", env).filter(|socket| is_ours(socket));
    match called_as {
        CalledAs::Shellkeep => socket_in("SHELLKEEP", env),
        CalledAs::Tmux => of_tmux().or_else(|| socket_in("SHELLKEEP", env)),
    }
}

/// Whether this is called in a pane of the real tmux.
pub fn is_in_real_tmux(env: &impl Fn(&str) -> Option<OsString>) -> bool {
    socket_in("TMUX", env).is_some_and(|socket| !is_ours(&socket))
}

/// The socket in a variable of the form `SOCKET,PID,SESSION`.
fn socket_in(name: &str, env: &impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let value = env(name)?.into_string().ok()?;
    // fzf-tmux leaves the session out.
    let socket = value.rsplitn(3, ',').nth(2).or(value.split(',').next())?;
    let socket = PathBuf::from(socket);
    socket.is_absolute().then_some(socket)
}

/// Whether a socket belongs or belonged to a shellkeep server: the real tmux has no such lock file, and ours remains
/// when the server ends.
fn is_ours(socket: &Path) -> bool {
    beside(socket, ".lock").exists()
}

/// The configuration file if the user named none. When called as tmux, tmux's own counts where there is no
/// shellkeep.conf.
fn usual_config(called_as: CalledAs, dirs: &BaseDirs) -> PathBuf {
    let ours = dirs.config_dir().join("shellkeep/shellkeep.conf");
    if called_as == CalledAs::Shellkeep || ours.exists() {
        return ours;
    }
    let home = dirs.home_dir();
    let theirs = [
        home.join(".tmux.conf"),
        dirs.config_dir().join("tmux/tmux.conf"),
        home.join(".config/tmux/tmux.conf"),
    ];
    theirs
        .into_iter()
        .find(|path| path.exists())
        .unwrap_or(ours)
}

/// The directory for sockets under the directory that `$TMUX_TMPDIR` names. Servers that are separate in tmux are
/// separate here.
fn own_dir(parent: OsString) -> PathBuf {
    absolute(Path::new(&parent)).join(public_name())
}

/// The name of our directory in one that is shared with other users.
fn public_name() -> String {
    format!("shellkeep-{}", nix::unistd::getuid())
}

fn runtime_dir(dirs: &BaseDirs) -> PathBuf {
    dirs.runtime_dir().filter(|dir| dir.is_dir()).map_or_else(
        || Path::new("/tmp").join(public_name()),
        |dir| dir.join("shellkeep"),
    )
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// Suffixes of the files beside a server's socket.
pub(crate) const SUFFIXES: [&str; 9] = [
    ".lock",
    ".start",
    ".keeper",
    ".shells",
    ".agents",
    ".tmux-shim",
    ".slate",
    ".stop-at",
    ".clock",
];

/// The suffix of a label that would give its socket the name of another server's file.
fn own_suffix(label: &str) -> Option<&'static str> {
    SUFFIXES.into_iter().find(|suffix| label.ends_with(suffix))
}

pub(crate) fn beside(socket: &Path, suffix: impl AsRef<OsStr>) -> PathBuf {
    let mut name = socket.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}
