//! Shell commands that the server runs: `run-shell`, `if-shell`, `#(…)`, `copy-pipe`. They have no pane and no
//! terminal, and end with the server.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::process::Stdio;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::{Child, Command};

/// How many bytes of a command's output are kept.
const MAX_OUTPUT: u64 = 16 << 20;

/// A shell command and its surroundings.
#[derive(Clone, Debug)]
pub(crate) struct JobSpec {
    /// The text for `/bin/sh -c`.
    pub(crate) command: String,
    pub(crate) cwd: Vec<u8>,
    /// As `NAME=value`.
    pub(crate) environ: Vec<Vec<u8>>,
    pub(crate) umask: u32,
    pub(crate) input: Vec<u8>,
}

/// The end of a shell command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct JobEnd {
    /// Its standard output.
    pub(crate) output: Vec<u8>,
    /// Its exit status; 128 plus the signal that has ended it; 127 if it could not be started.
    pub(crate) status: i32,
}

/// Runs a command to its end. Dropping the future kills it.
pub(crate) fn run(spec: &JobSpec) -> impl Future<Output = JobEnd> + Send + use<> {
    let child = spawn(spec);
    let input = spec.input.clone();
    async move {
        match child {
            Ok(child) => attend(child, input).await,
            Err(error) => {
                tracing::info!(%error, "a shell command could not be started");
                JobEnd {
                    status: 127,
                    ..JobEnd::default()
                }
            }
        }
    }
}

pub(crate) fn shell(spec: &JobSpec) -> Command {
    let mut command = Command::new("/bin/sh");
    // The server's own umask keeps its files private and holds for all its threads. So a shell sets the user's umask
    // and then becomes the shell of the command. Setting it between fork and exec would need a full fork of the server
    // for every command.
    let begin = format!("umask {:03o}; exec /bin/sh -c \"$0\"", spec.umask);
    command.arg("-c").arg(begin).arg(&spec.command).env_clear();
    for entry in &spec.environ {
        if let Some(at) = entry.iter().position(|byte| *byte == b'=') {
            let (name, value) = (&entry[..at], &entry[at + 1..]);
            command.env(OsStr::from_bytes(name), OsStr::from_bytes(value));
        }
    }
    let cwd = OsStr::from_bytes(&spec.cwd);
    // If the directory is gone, the command runs all the same.
    if std::path::Path::new(cwd).is_dir() {
        command.current_dir(cwd);
    }
    command
}

fn spawn(spec: &JobSpec) -> std::io::Result<Child> {
    let stdin = if spec.input.is_empty() {
        Stdio::null()
    } else {
        Stdio::piped()
    };
    shell(spec)
        .stdin(stdin)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .process_group(0)
        .kill_on_drop(true)
        .spawn()
}

/// Writes its input, reads its output, and waits for its end.
async fn attend(mut child: Child, input: Vec<u8>) -> JobEnd {
    let stdin = child.stdin.take();
    let feed = async move {
        if let Some(mut stdin) = stdin {
            // It may close its input early.
            let _ = stdin.write_all(&input).await;
        }
    };
    let stdout = child.stdout.take();
    let read = async move {
        let mut output = Vec::new();
        if let Some(stdout) = stdout {
            let _ = stdout.take(MAX_OUTPUT).read_to_end(&mut output).await;
        }
        output
    };
    let ((), output, status) = tokio::join!(feed, read, child.wait());
    let status = status.map_or(127, |status| {
        use std::os::unix::process::ExitStatusExt as _;
        let signal = status.signal().map_or(0, |signal| 128 + signal);
        status.code().unwrap_or(signal)
    });
    JobEnd { output, status }
}
