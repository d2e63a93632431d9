//! Runs other programs for what they print: without input, without their error output, and within limits of time and
//! size.

use std::io::{ErrorKind, Read as _};
use std::os::fd::AsFd as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

/// A program that exceeds either limit is killed, and its output is dropped.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OutputLimits {
    pub(crate) time: Duration,
    pub(crate) bytes: usize,
}

const SMALL_OUTPUT: OutputLimits = OutputLimits {
    time: Duration::from_secs(1),
    bytes: 1 << 16,
};

/// The output of a program that answers in a line or two; `None` if it fails or exceeds the limits.
pub(crate) fn output(program: &Path, args: &[&str]) -> Option<String> {
    output_within(program, args, SMALL_OUTPUT)
}

/// The output of a program with limits of its own; `None` if it fails or exceeds them.
pub(crate) fn output_within(program: &Path, args: &[&str], limits: OutputLimits) -> Option<String> {
    let mut command = Command::new(program);
    command.args(args).current_dir("/");
    command.stdin(Stdio::null()).stderr(Stdio::null());
    let mut child = command.stdout(Stdio::piped()).spawn().ok()?;
    let output_of_child = read(&mut child, limits);
    if output_of_child.is_none() {
        let _ = child.kill();
    }
    let status = child.wait().ok()?;
    output_of_child.filter(|_| status.success())
}

/// Everything that the child prints until it closes its output; `None` beyond the limits.
fn read(child: &mut Child, limits: OutputLimits) -> Option<String> {
    let mut stdout = child.stdout.take()?;
    let deadline = Instant::now() + limits.time;
    let mut bytes = Vec::new();
    loop {
        let left = deadline.checked_duration_since(Instant::now())?;
        let left = PollTimeout::try_from(left).ok()?;
        let mut fds = [PollFd::new(stdout.as_fd(), PollFlags::POLLIN)];
        match poll(&mut fds, left) {
            Ok(0) => return None,
            Ok(_) | Err(nix::errno::Errno::EINTR) => {}
            Err(_) => return None,
        }
        if fds[0].any() != Some(true) {
            continue;
        }
        let mut chunk = [0; 4096];
        match stdout.read(&mut chunk) {
            Ok(0) => return Some(String::from_utf8_lossy(&bytes).into_owned()),
            Ok(count) => bytes.extend_from_slice(&chunk[..count]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => return None,
        }
        if bytes.len() > limits.bytes {
            return None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_of_a_program_that_fails_or_floods_is_dropped() {
        let sh = Path::new("/bin/sh");
        let output_of_child = |script: &str| output(sh, &["-c", script]);
        assert_eq!(
            output_of_child("echo hi; echo no >&2").as_deref(),
            Some("hi\n")
        );
        assert_eq!(output_of_child("echo hi; exit 3"), None);
        assert_eq!(
            output_of_child("while :; do echo yyyyyyyyyyyyyyyyy; done"),
            None
        );
        assert_eq!(output(Path::new("/no/such/program"), &[]), None);
        let begin = Instant::now();
        assert_eq!(
            output_of_child("exec 2>/dev/null; while :; do :; done"),
            None
        );
        assert!(begin.elapsed() < Duration::from_secs(30));
    }
}
