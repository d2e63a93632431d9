//! The subcommands that users never type: the server and the keeper, started by the program itself.

use std::ffi::OsString;
use std::io;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use shellkeep_client::Place;
use shellkeep_keeper::{keeper, process};
use shellkeep_server::daemon::{self, ConfigOrigin, DaemonConfig};

/// `__server --socket PATH --state-dir DIR [--config FILE | --usual-config FILE] [--lock-fd N --file-limit N]`
pub(crate) fn server(args: &[OsString]) -> ExitCode {
    let mut config = config("/".into(), "/".into());
    for pair in args.chunks_exact(2) {
        let value = pair[1].clone();
        match pair[0].to_str() {
            Some("--socket") => config.socket = value.into(),
            Some("--state-dir") => config.state_dir = value.into(),
            Some("--config") => config.config = Some((value.into(), ConfigOrigin::Named)),
            Some("--usual-config") => config.config = Some((value.into(), ConfigOrigin::Usual)),
            Some("--lock-fd") => config.lock_fd = number(&value),
            Some("--file-limit") => config.file_limit = number(&value),
            // A later version's flag, from a server that this one replaces.
            _ => {}
        }
    }
    status(daemon::run(&config))
}

/// Makes a copy of this process the server of a place. That is quicker than starting the program anew, and the first
/// prompt waits for it.
pub(crate) fn launch_server(place: &Place, line: UnixStream) -> io::Result<()> {
    process::fork_off(line, || {
        let mut config = config(place.socket.clone(), place.state_dir.clone());
        config.config = Some(match &place.named_config {
            Some(path) => (path.clone(), ConfigOrigin::Named),
            None => (place.usual_config.clone(), ConfigOrigin::Usual),
        });
        daemon::run(&config)
    })
}

fn config(socket: PathBuf, state_dir: PathBuf) -> DaemonConfig {
    DaemonConfig {
        socket,
        state_dir,
        config: None,
        program: std::env::current_exe().unwrap_or_default(),
        lock_fd: None,
        file_limit: None,
        log_levels: std::env::var("SHELLKEEP_LOG").ok(),
    }
}

fn number<T: std::str::FromStr>(word: &OsString) -> Option<T> {
    word.to_str().and_then(|word| word.parse().ok())
}

/// `__keeper SOCKET [FILE-LIMIT]`, with the line to the server as standard input.
pub(crate) fn keeper(args: &[OsString]) -> ExitCode {
    status(run_keeper(args))
}

fn run_keeper(args: &[OsString]) -> io::Result<()> {
    let path = args
        .first()
        .ok_or_else(|| io::Error::other("no socket named"))?;
    keeper::run(Path::new(path), args.get(1).and_then(number))
}

fn status(result: io::Result<()>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            use std::io::Write as _;
            let _ = writeln!(io::stderr(), "shellkeep: {error}");
            ExitCode::FAILURE
        }
    }
}
