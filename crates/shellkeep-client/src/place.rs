//! Where things are: socket, state, configuration.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

use directories::BaseDirs;

use crate::ClientError;

/// The longest path a socket can have; the kernel's limit less what is put behind it.
const LONGEST_SOCKET: usize = 100;

/// Makes a copy of this process the server of a place, in the background, with its first client at the other end of the
/// line. The client knows nothing of the server, so the program tells it how.
pub type Launch = fn(&Place, UnixStream) -> io::Result<()>;

/// Where one server and its things are.
#[derive(Clone, Debug)]
pub struct Place {
    /// The socket.
    pub socket: PathBuf,
    /// The state directory.
    pub state_dir: PathBuf,
    /// The configuration the user named, if any.
    pub named_config: Option<PathBuf>,
    /// Where the configuration usually is.
    pub usual_config: PathBuf,
    /// How its server is made from this process.
    pub launch: Launch,
}

impl Place {
    /// Finds the place from the flags and the environment: `-S` over `-L` over the pane this is called
    /// in over the default.
    ///
    /// # Errors
    /// When a flag cannot be meant.
    pub fn find(
        label: Option<&str>,
        socket: Option<&Path>,
        config: Option<&Path>,
        env: impl Fn(&str) -> Option<OsString>,
        launch: Launch,
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
        let socket = match (socket, label) {
            (Some(path), _) => absolute(path),
            (None, None) if inside(&given).is_some() => inside(&given).unwrap_or_default(),
            (None, label) => runtime_dir(&dirs).join(label.unwrap_or("default")),
        };
        if socket.as_os_str().len() > LONGEST_SOCKET {
            let reason = format!(
                "socket path too long: {} (use -S with a shorter one)",
                socket.display()
            );
            return Err(ClientError::Usage(reason));
        }
        Ok(Self {
            socket,
            state_dir: dirs
                .state_dir()
                .unwrap_or(dirs.data_local_dir())
                .join("shellkeep"),
            named_config: config.map(absolute),
            usual_config: dirs.config_dir().join("shellkeep/shellkeep.conf"),
            launch,
        })
    }
}

/// The server whose pane this is called in: `$SHELLKEEP` is its socket, its process and the session.
fn inside(env: &impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let value = env("SHELLKEEP")?.into_string().ok()?;
    let socket = value.rsplitn(3, ',').nth(2)?;
    Path::new(socket)
        .is_absolute()
        .then(|| PathBuf::from(socket))
}

fn runtime_dir(dirs: &BaseDirs) -> PathBuf {
    dirs.runtime_dir().filter(|dir| dir.is_dir()).map_or_else(
        || PathBuf::from(format!("/tmp/shellkeep-{}", nix::unistd::getuid())),
        |dir| dir.join("shellkeep"),
    )
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// A file beside the socket.
pub(crate) fn beside(socket: &Path, suffix: impl AsRef<OsStr>) -> PathBuf {
    let mut name = socket.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}
