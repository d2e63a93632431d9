//! Other programs, asked something: they get a second or so, no input, and their complaints are not heard.

use std::io::{ErrorKind, Read as _};
use std::os::fd::AsFd as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

/// How long a program is listened to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    /// So long it may take.
    pub(crate) time: Duration,
    /// So many bytes it may say.
    pub(crate) most: usize,
}

/// Nobody has more to say than that, or needs longer to say it.
const USUAL: Patience = Patience {
    time: Duration::from_secs(1),
    most: 1 << 16,
};

/// What a program prints, if it can be run and ends well within the time.
pub(crate) fn output(program: &Path, args: &[&str]) -> Option<String> {
    patiently(program, args, USUAL)
}

/// The same for a program that may take its time, or has much to say.
pub(crate) fn patiently(program: &Path, args: &[&str], patience: Patience) -> Option<String> {
    let mut command = Command::new(program);
    command.args(args).current_dir("/");
    command.stdin(Stdio::null()).stderr(Stdio::null());
    let mut child = command.stdout(Stdio::piped()).spawn().ok()?;
    let said = read(&mut child, patience);
    if said.is_none() {
        let _ = child.kill();
    }
    let status = child.wait().ok()?;
    said.filter(|_| status.success())
}

/// All it prints until it closes its output; `None` if it takes too long.
fn read(child: &mut Child, patience: Patience) -> Option<String> {
    let mut stdout = child.stdout.take()?;
    let deadline = Instant::now() + patience.time;
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
        if bytes.len() > patience.most {
            return None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn program_that_answers_is_heard_and_others_are_not() {
        let sh = Path::new("/bin/sh");
        let said = |script: &str| output(sh, &["-c", script]);
        assert_eq!(said("echo hi; echo no >&2").as_deref(), Some("hi\n"));
        assert_eq!(said("echo hi; exit 3"), None);
        assert_eq!(said("while :; do echo yyyyyyyyyyyyyyyyy; done"), None);
        assert_eq!(output(Path::new("/no/such/program"), &[]), None);
        let begin = Instant::now();
        assert_eq!(said("exec 2>/dev/null; while :; do :; done"), None);
        assert!(begin.elapsed() < Duration::from_secs(30));
    }
}
