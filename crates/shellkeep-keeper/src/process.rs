//! Forks, limits and raw descriptors: the only module with `unsafe` code.
#![allow(unsafe_code)]

use std::io;
use std::os::fd::{AsFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};

use nix::fcntl::{FcntlArg, FdFlag, fcntl};
use nix::sys::termios::{
    InputFlags, LocalFlags, OutputFlags, SetArg, Termios, tcgetattr, tcsetattr,
};
use nix::unistd::{ForkResult, Pid};
use shellkeep_core::Size;
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

/// Takes ownership of a descriptor that `recvmsg` has just created.
pub(crate) fn own_received_fd(fd: RawFd) -> OwnedFd {
    // SAFETY: SCM_RIGHTS installed it for this process, and callers pass each number once.
    unsafe { OwnedFd::from_raw_fd(fd) }
}

/// Takes ownership of a descriptor that the previous program of this process has left open, and sets its close-on-exec
/// flag.
///
/// # Errors
/// When no descriptor with this number is open.
pub(crate) fn own_inherited_fd(fd: RawFd) -> io::Result<OwnedFd> {
    if fd < 0 {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    // SAFETY: `fcntl` accepts any number and reports whether the descriptor is open.
    if unsafe { libc::fcntl(fd, libc::F_SETFD, libc::FD_CLOEXEC) } == -1 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: it is open, the previous program has left it to this one, and callers pass each number once.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

/// Registers a descriptor with the async runtime and takes ownership of it.
///
/// # Errors
/// When the runtime cannot watch it.
pub fn watch(fd: OwnedFd, interest: Interest) -> io::Result<AsyncFd<OwnedFd>> {
    // SAFETY: an `OwnedFd` refers to the same open descriptor while it lives, and `AsyncFd` deregisters it before
    // dropping it.
    unsafe { AsyncFd::register_with_interest(fd, interest) }.map_err(Into::into)
}

/// A pidfd: readable when the process has ended, even if it is not our child.
///
/// # Errors
/// When there is no such process.
pub fn end_of(pid: Pid) -> io::Result<OwnedFd> {
    // SAFETY: the call takes two numbers and does not access our memory.
    let fd = unsafe { libc::syscall(libc::SYS_pidfd_open, pid.as_raw(), 0) };
    let fd = RawFd::try_from(fd).map_err(|_| io::ErrorKind::InvalidData)?;
    if fd < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the kernel has just opened it for this process.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

/// Returns unused memory to the system, after a short time of high use such as the start of a server with thousands of
/// sessions.
pub fn give_back_memory() {
    // SAFETY: it takes a number, and only releases free pages.
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    unsafe {
        libc::malloc_trim(0);
    }
}

/// Lowers the priority of the calling thread, for work that no client waits for. Only Linux has a priority for each
/// thread; elsewhere this does nothing.
pub fn lower_thread_priority() {
    #[cfg(target_os = "linux")]
    {
        const NICENESS: libc::c_int = 10;
        // SAFETY: the call takes three numbers; 0 is the calling thread.
        unsafe { libc::setpriority(libc::PRIO_PROCESS, 0, NICENESS) };
    }
}

/// Takes ownership of a descriptor that the previous program of this process has kept open.
#[must_use]
pub fn adopt_inherited_fd(fd: RawFd) -> OwnedFd {
    // SAFETY: the number comes from our own `exec`, which left this descriptor open, and is read from the arguments
    // once. If a user typed it by hand, the worst result is an error of the kernel.
    let fd = unsafe { OwnedFd::from_raw_fd(fd) };
    let _ = fcntl(&fd, FcntlArg::F_SETFD(FdFlag::FD_CLOEXEC));
    fd
}

/// Keeps a descriptor open across `exec` and returns its number, for [`adopt_inherited_fd`].
///
/// # Errors
/// When the descriptor is not open.
pub fn keep_across_exec(file: impl AsFd) -> io::Result<RawFd> {
    use std::os::fd::AsRawFd;
    let fd = file.as_fd();
    fcntl(fd, FcntlArg::F_SETFD(FdFlag::empty()))?;
    Ok(fd.as_raw_fd())
}

/// Duplicates a descriptor that is known only by its number, as `portable-pty` returns it.
///
/// # Errors
/// When no descriptor is left.
pub(crate) fn duplicate(fd: RawFd) -> io::Result<OwnedFd> {
    // SAFETY: the caller holds the owner of `fd` during the call.
    unsafe { BorrowedFd::borrow_raw(fd) }.try_clone_to_owned()
}

/// Becomes a daemon: the original process exits with status 0, and its child goes on in `/` as the leader of a session
/// without a terminal, with a private umask and without descriptors except the standard three, which stay as they are.
/// Must be called before any thread is started, because only the forking thread exists in the child.
///
/// # Errors
/// When the system refuses to fork.
pub fn daemonise() -> io::Result<()> {
    settle();
    // SAFETY: there is no other thread, so the child may call anything.
    match unsafe { nix::unistd::fork() }? {
        // `_exit` runs no exit handlers; those belong to the child. SAFETY: it takes a number and never returns.
        ForkResult::Parent { .. } => unsafe { libc::_exit(0) },
        ForkResult::Child => {
            nix::unistd::setsid()?;
            Ok(())
        }
    }
}

/// The kind of a background process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Server,
    Keeper,
}

impl Role {
    /// Its name in `ps` and `top`. The kernel has room for 15 bytes.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Server => "shellkeep-srv",
            Self::Keeper => "shellkeep-keep",
        }
    }

    /// Sets the process's name and title, and keeps other processes from reading its memory. Without the title, a
    /// forked process would look like the command that it was forked from, and `pkill -f` for that command would match
    /// it.
    pub fn take_on(self) {
        refuse_dumps();
        #[cfg(target_os = "linux")]
        if let Ok(name) = std::ffi::CString::new(self.name()) {
            let _ = nix::sys::prctl::set_name(&name);
        }
        set_title(&[self.name().as_bytes()]);
    }
}

/// Overwrites the arguments that `ps` shows, as far as there is room.
fn set_title(words: &[&[u8]]) {
    let Some((start, end)) = arguments_area() else {
        return;
    };
    let mut title = words.join(&0);
    title.push(0);
    title.resize(end - start, 0);
    if let Some(last) = title.last_mut() {
        *last = 0;
    }
    // SAFETY: the kernel reports the area of the arguments; it is writable, the title is not longer, and nothing refers
    // to it, because the program has copied its arguments before.
    unsafe { std::ptr::copy_nonoverlapping(title.as_ptr(), start as *mut u8, title.len()) };
}

/// Where the arguments of this process are in memory.
fn arguments_area() -> Option<(usize, usize)> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name in parentheses may contain anything. Numbers follow it, starting with the third field.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(48 - 3);
    let (start, end): (usize, usize) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    (start != 0 && start < end).then_some((start, end))
}

/// Keeps the memory of this process (the environment, everything printed and typed) out of core dumps and from the
/// user's other processes. A program that it starts can be dumped again, because `exec` resets this; a limit on core
/// files would be inherited.
pub(crate) fn refuse_dumps() {
    // Tests find the processes of a rig by their environment, which only root can read of a process that is not
    // dumpable.
    #[cfg(debug_assertions)]
    if std::env::var_os("SK_TEST_DUMPABLE").is_some() {
        return;
    }
    #[cfg(target_os = "linux")]
    let _ = nix::sys::prctl::set_dumpable(false);
}

/// Prepares a background process: closes inherited descriptors except the standard three, changes to the root
/// directory, and sets a private umask.
pub fn settle() {
    refuse_dumps();
    close_inherited();
    nix::sys::stat::umask(nix::sys::stat::Mode::from_bits_truncate(0o077));
    // `/` always exists; if not, any directory would do.
    let _ = nix::unistd::chdir("/");
}

/// Ignores SIGUSR1, also across `exec`, until the server handles it. A client that finds the lock held sends the
/// signal, and by default it would kill a server that is just starting.
pub fn ignore_usr1() {
    use nix::sys::signal::{SigHandler, Signal, signal};
    // SAFETY: no handler is installed.
    let _ = unsafe { signal(Signal::SIGUSR1, SigHandler::SigIgn) };
}

/// Resets SIGUSR1 to its default, for a process whose children are the user's programs.
pub fn heed_usr1() {
    use nix::sys::signal::{SigHandler, Signal, signal};
    // SAFETY: as above.
    let _ = unsafe { signal(Signal::SIGUSR1, SigHandler::SigDfl) };
}

/// Makes exceeding the file size limit (`ulimit -f`) an error of the write instead of the end of the process. The
/// signal is caught and not ignored, because an ignored signal stays ignored in started programs.
pub fn outlive_file_sizes() {
    use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};
    extern "C" fn go_on(_: libc::c_int) {}
    let caught = SigAction::new(
        SigHandler::Handler(go_on),
        SaFlags::SA_RESTART,
        SigSet::empty(),
    );
    // SAFETY: the handler does nothing, so it may run at any time.
    let _ = unsafe { sigaction(Signal::SIGXFSZ, &caught) };
}

/// Closes all descriptors except the standard three.
fn close_inherited() {
    // SAFETY: no descriptor except those three has an owner in this process yet; see the callers.
    #[cfg(target_os = "linux")]
    if unsafe { libc::syscall(libc::SYS_close_range, 3, u32::MAX, 0u32) } == 0 {
        return;
    }
    for fd in 3..1024 {
        // SAFETY: as above. Closing a number that is not open only returns an error.
        unsafe { libc::close(fd) };
    }
}

/// The limits on open files for the user's programs, which this process has raised for itself.
#[derive(Clone, Copy, Debug)]
pub struct FileLimit {
    soft: u64,
    hard: u64,
}

impl FileLimit {
    /// Raises the soft limit to the hard limit: each PTY is a descriptor, and the usual 1,024 would limit the number of
    /// sessions. Returns the limits for the children. `before` is the original soft limit if a previous program of this
    /// process has raised it already.
    #[must_use]
    pub fn raise(before: Option<u64>) -> Option<Self> {
        use nix::sys::resource::{Resource, getrlimit, setrlimit};
        let (soft, hard) = getrlimit(Resource::RLIMIT_NOFILE).ok()?;
        setrlimit(Resource::RLIMIT_NOFILE, hard, hard).ok()?;
        let soft = before.unwrap_or(soft).min(hard);
        Some(Self { soft, hard })
    }

    /// The original soft limit.
    #[must_use]
    pub fn soft(self) -> u64 {
        self.soft
    }

    /// Runs `work` under the original limit, so that a program that it starts has this limit from its first instruction
    /// on. Must not run while other threads need descriptors. The hard limit stays as it is: another process may have
    /// raised it, and this process could not raise it again.
    pub(crate) fn given_back<T>(self, work: impl FnOnce() -> T) -> T {
        use nix::sys::resource::{Resource, getrlimit, setrlimit};
        let hard = getrlimit(Resource::RLIMIT_NOFILE).map_or(self.hard, |(_, hard)| hard);
        let _ = setrlimit(Resource::RLIMIT_NOFILE, self.soft.min(hard), hard);
        let result = work();
        let _ = setrlimit(Resource::RLIMIT_NOFILE, hard, hard);
        result
    }

    /// Sets the original limit in a child that is already running.
    #[cfg(target_os = "linux")]
    pub(crate) fn give_back_to(self, pid: u32) {
        let limit = libc::rlimit64 {
            rlim_cur: self.soft,
            rlim_max: self.hard,
        };
        let pid = pid.cast_signed();
        // SAFETY: `limit` outlives the call, and no old value is requested.
        unsafe {
            libc::prlimit64(
                pid,
                libc::RLIMIT_NOFILE,
                &raw const limit,
                std::ptr::null_mut(),
            )
        };
    }

    #[cfg(not(target_os = "linux"))]
    pub(crate) fn give_back_to(self, _pid: u32) {
        let _ = (self.soft, self.hard);
    }
}

nix::ioctl_write_ptr_bad!(tiocswinsz, libc::TIOCSWINSZ, libc::winsize);
nix::ioctl_read_bad!(tiocgwinsz, libc::TIOCGWINSZ, libc::winsize);
nix::ioctl_read_bad!(fionread, libc::FIONREAD, libc::c_int);

/// The number of bytes that can be read from a pipe.
#[must_use]
pub fn bytes_waiting(pipe: impl AsFd) -> usize {
    use std::os::fd::AsRawFd;
    let mut count = 0;
    // SAFETY: the descriptor is open during the call, and the number is a local.
    let result = unsafe { fionread(pipe.as_fd().as_raw_fd(), &raw mut count) };
    result.map_or(0, |_| usize::try_from(count).unwrap_or(0))
}

/// Sets the size of a terminal. If it changes, the kernel sends SIGWINCH to the program.
///
/// # Errors
/// When the descriptor is no terminal.
pub fn set_terminal_size(terminal: impl AsFd, size: Size) -> io::Result<()> {
    use std::os::fd::AsRawFd;
    let winsize = libc::winsize {
        ws_row: size.rows(),
        ws_col: size.cols(),
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    // SAFETY: the descriptor is open during the call, and the struct is what the request expects.
    unsafe { tiocswinsz(terminal.as_fd().as_raw_fd(), &raw const winsize) }?;
    Ok(())
}

/// The size of a terminal; `None` if the descriptor is no terminal, or the terminal has no size.
#[must_use]
pub fn terminal_size(terminal: impl AsFd) -> Option<Size> {
    use std::os::fd::AsRawFd;
    let mut winsize = libc::winsize {
        ws_row: 0,
        ws_col: 0,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    // SAFETY: as above, and the struct is a local.
    unsafe { tiocgwinsz(terminal.as_fd().as_raw_fd(), &raw mut winsize) }.ok()?;
    (winsize.ws_row > 0 && winsize.ws_col > 0).then(|| Size::new(winsize.ws_row, winsize.ws_col))
}

/// Makes the kernel's line editing erase whole characters instead of bytes.
pub(crate) fn mark_utf8(terminal: impl AsFd) {
    #[cfg(target_os = "linux")]
    if let Ok(mut settings) = tcgetattr(&terminal) {
        settings.input_flags |= InputFlags::IUTF8;
        // No error: the terminal still works, only erasing "é" in `cat` looks odd.
        let _ = tcsetattr(&terminal, SetArg::TCSANOW, &settings);
    }
}

/// Sets a terminal as in [`crate::SpawnRequest::terminal`]. Malformed settings are ignored.
pub(crate) fn set_terminal(terminal: impl AsFd, wanted: &[u8]) {
    let Ok(mut settings) = tcgetattr(&terminal) else {
        return;
    };
    if read_settings(wanted, &mut settings).is_some() {
        // No error: a shell works with other settings too.
        let _ = tcsetattr(&terminal, SetArg::TCSANOW, &settings);
    }
}

fn read_settings(wanted: &[u8], settings: &mut Termios) -> Option<()> {
    let mut words = std::str::from_utf8(wanted).ok()?.split(':');
    let mut flags = || libc::tcflag_t::from_str_radix(words.next()?, 16).ok();
    settings.input_flags = InputFlags::from_bits_retain(flags()?);
    settings.output_flags = OutputFlags::from_bits_retain(flags()?);
    settings.local_flags = LocalFlags::from_bits_retain(flags()?);
    for (key, word) in settings.control_chars.iter_mut().zip(words) {
        *key = u8::from_str_radix(word, 16).ok()?;
    }
    Some(())
}

/// The process id in the type of the kernel's interfaces.
pub(crate) fn as_u32(pid: Pid) -> u32 {
    pid.as_raw().cast_unsigned()
}
