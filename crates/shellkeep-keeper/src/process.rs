//! Forking, limits and raw descriptors: the only home of `unsafe` in the project.
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

/// Takes ownership of a descriptor that `recvmsg` has just created for this process.
pub(crate) fn own_received_fd(fd: RawFd) -> OwnedFd {
    // SAFETY: SCM_RIGHTS installed it for us alone, and the caller hands each number in once.
    unsafe { OwnedFd::from_raw_fd(fd) }
}

/// Takes ownership of a descriptor that was left open for the program that this process has become, and closes it to those that come
/// after it.
///
/// # Errors
/// When there is none of this number.
pub(crate) fn own_inherited_fd(fd: RawFd) -> io::Result<OwnedFd> {
    if fd < 0 {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    // SAFETY: `fcntl` takes any number, and says whether it is an open descriptor.
    if unsafe { libc::fcntl(fd, libc::F_SETFD, libc::FD_CLOEXEC) } == -1 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: it is open, and the program that this process was before has left it to us; the caller hands each number in once.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

/// Lets the runtime watch a descriptor that it owns from then on.
///
/// # Errors
/// When the runtime cannot watch it.
pub fn watch(fd: OwnedFd, interest: Interest) -> io::Result<AsyncFd<OwnedFd>> {
    // SAFETY: an `OwnedFd` names the same open descriptor for as long as it lives, and `AsyncFd`
    // takes it off the runtime before it is dropped.
    unsafe { AsyncFd::register_with_interest(fd, interest) }.map_err(Into::into)
}

/// A descriptor that can be read when a process has ended, also one that is not our child.
///
/// # Errors
/// When there is no such process.
pub fn end_of(pid: Pid) -> io::Result<OwnedFd> {
    // SAFETY: the call takes two numbers and touches no memory of ours.
    let fd = unsafe { libc::syscall(libc::SYS_pidfd_open, pid.as_raw(), 0) };
    let fd = RawFd::try_from(fd).map_err(|_| io::ErrorKind::InvalidData)?;
    if fd < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the kernel has just opened it, for us alone.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

/// Gives memory back to the system that was wanted for a moment, as by the start of a server with thousands of sessions.
pub fn give_back_memory() {
    // SAFETY: it takes a number, and looks for whole pages that are not used.
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    unsafe {
        libc::malloc_trim(0);
    }
}

/// Lowers the priority of the calling thread, for work that no client waits for. Linux alone has a priority for each thread; elsewhere
/// nothing changes.
pub fn lower_thread_priority() {
    #[cfg(target_os = "linux")]
    {
        const NICENESS: libc::c_int = 10;
        // SAFETY: the call takes three numbers; 0 is the calling thread.
        unsafe { libc::setpriority(libc::PRIO_PROCESS, 0, NICENESS) };
    }
}

/// Takes over a descriptor that the program this one has replaced kept open for it.
#[must_use]
pub fn adopt_inherited_fd(fd: RawFd) -> OwnedFd {
    // SAFETY: the number comes from our own `exec`, which left exactly this descriptor open for us; it is
    // read from the arguments once. If a user typed it by hand, the worst is an error from the kernel.
    let fd = unsafe { OwnedFd::from_raw_fd(fd) };
    let _ = fcntl(&fd, FcntlArg::F_SETFD(FdFlag::FD_CLOEXEC));
    fd
}

/// Lets a descriptor outlive `exec`; returns its number, for [`adopt_inherited_fd`] on the other side.
///
/// # Errors
/// When the descriptor is not open.
pub fn keep_across_exec(file: impl AsFd) -> io::Result<RawFd> {
    use std::os::fd::AsRawFd;
    let fd = file.as_fd();
    fcntl(fd, FcntlArg::F_SETFD(FdFlag::empty()))?;
    Ok(fd.as_raw_fd())
}

/// A copy of a descriptor that is only known by its number, as `portable-pty` tells it.
///
/// # Errors
/// When no descriptor is left.
pub(crate) fn duplicate(fd: RawFd) -> io::Result<OwnedFd> {
    // SAFETY: the caller holds the object that owns `fd` while this runs.
    unsafe { BorrowedFd::borrow_raw(fd) }.try_clone_to_owned()
}

/// The way into the background: the original process ends with status 0, and its child goes on in `/` as the leader of a session
/// without a terminal, creating files for their owner alone, and without descriptors beyond the standard three, which stay as they
/// were given. Must run before any thread is started, since only the thread that forks goes on in the child.
///
/// # Errors
/// When the system refuses to fork.
pub fn daemonise() -> io::Result<()> {
    settle();
    // SAFETY: there is no other thread, so the child may do anything.
    match unsafe { nix::unistd::fork() }? {
        // `_exit`: whatever runs at the end of a process is for the child to run.
        // SAFETY: it takes a number and never returns.
        ForkResult::Parent { .. } => unsafe { libc::_exit(0) },
        ForkResult::Child => {
            nix::unistd::setsid()?;
            Ok(())
        }
    }
}

/// What a background process of ours is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Server,
    Keeper,
}

impl Role {
    /// What `ps` and `top` call it. The kernel has room for 15 bytes.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Server => "shellkeep-srv",
            Self::Keeper => "shellkeep-keep",
        }
    }

    /// Begins to be it: other processes cannot read its memory, and lists of processes show it. A forked process would otherwise look like the command it was forked from, and
    /// `pkill -f` for that command would find it.
    pub fn take_on(self) {
        refuse_dumps();
        #[cfg(target_os = "linux")]
        if let Ok(name) = std::ffi::CString::new(self.name()) {
            let _ = nix::sys::prctl::set_name(&name);
        }
        set_title(&[self.name().as_bytes()]);
    }
}

/// Changes what `ps` shows of this process, as far as there is room where its arguments are.
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
    // SAFETY: the kernel names the area where it put the arguments; it is writable, as long as the title was
    // made, and nothing refers to it: this program has copied its arguments before it forked.
    unsafe { std::ptr::copy_nonoverlapping(title.as_ptr(), start as *mut u8, title.len()) };
}

/// Where the arguments of this process lie in its memory.
fn arguments_area() -> Option<(usize, usize)> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name in parentheses may hold anything; the fields behind it are numbers, beginning with the third.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(48 - 3);
    let (start, end): (usize, usize) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    (start != 0 && start < end).then_some((start, end))
}

/// Keeps what this process has in memory (the environment, all that was printed and typed) out of core dumps and from other
/// processes of the user. A program that it starts can be dumped again: `exec` takes this back, which a limit of core files
/// would outlive.
pub(crate) fn refuse_dumps() {
    // Tests find the processes of a rig by their environment, which only root can read of a process that cannot be dumped.
    #[cfg(debug_assertions)]
    if std::env::var_os("SK_TEST_DUMPABLE").is_some() {
        return;
    }
    #[cfg(target_os = "linux")]
    let _ = nix::sys::prctl::set_dumpable(false);
}

/// What every background process of ours does first: no inherited descriptor beyond the standard
/// three, root directory, private files.
pub fn settle() {
    refuse_dumps();
    close_inherited();
    nix::sys::stat::umask(nix::sys::stat::Mode::from_bits_truncate(0o077));
    // `/` cannot fail to be there; and if it did, any directory would do.
    let _ = nix::unistd::chdir("/");
}

/// Lets SIGUSR1 pass unheard, also across `exec`, until this process listens for it: a client that finds the lock
/// taken sends it, and by default it would end a server that has only just begun.
pub fn ignore_usr1() {
    use nix::sys::signal::{SigHandler, Signal, signal};
    // SAFETY: no handler is installed, so none can run at a wrong moment.
    let _ = unsafe { signal(Signal::SIGUSR1, SigHandler::SigIgn) };
}

/// Takes that back, for a process whose children are the user's programs.
pub fn heed_usr1() {
    use nix::sys::signal::{SigHandler, Signal, signal};
    // SAFETY: as above.
    let _ = unsafe { signal(Signal::SIGUSR1, SigHandler::SigDfl) };
}

/// Has a file that may grow no more (`ulimit -f`) be an error of the write, and not the end of this process. A signal that is
/// ignored stays so in the programs that are started; one that is caught is theirs again.
pub fn outlive_file_sizes() {
    use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};
    extern "C" fn go_on(_: libc::c_int) {}
    let caught = SigAction::new(
        SigHandler::Handler(go_on),
        SaFlags::SA_RESTART,
        SigSet::empty(),
    );
    // SAFETY: the handler touches nothing, so that it may run at any moment.
    let _ = unsafe { sigaction(Signal::SIGXFSZ, &caught) };
}

/// Closes whatever is open beyond the standard three.
fn close_inherited() {
    // SAFETY: no descriptor beyond those three has an owner in this process yet; see the callers.
    #[cfg(target_os = "linux")]
    if unsafe { libc::syscall(libc::SYS_close_range, 3, u32::MAX, 0u32) } == 0 {
        return;
    }
    for fd in 3..1024 {
        // SAFETY: as above; closing a number that is not open only returns an error.
        unsafe { libc::close(fd) };
    }
}

/// The limits on open files that a user's programs should see, and that this process has raised for
/// itself.
#[derive(Clone, Copy, Debug)]
pub struct FileLimit {
    soft: u64,
    hard: u64,
}

impl FileLimit {
    /// Raises the soft limit to the hard one: a PTY is a descriptor, and the customary 1,024 would be
    /// a limit on sessions. Returns what it was, for the children; that is `before` if a process before
    /// this one had raised it already.
    #[must_use]
    pub fn raise(before: Option<u64>) -> Option<Self> {
        use nix::sys::resource::{Resource, getrlimit, setrlimit};
        let (soft, hard) = getrlimit(Resource::RLIMIT_NOFILE).ok()?;
        setrlimit(Resource::RLIMIT_NOFILE, hard, hard).ok()?;
        let soft = before.unwrap_or(soft).min(hard);
        Some(Self { soft, hard })
    }

    /// The soft limit as it was.
    #[must_use]
    pub fn soft(self) -> u64 {
        self.soft
    }

    /// Runs `work` under the limit as it was, so that a program started by it finds that from its first
    /// instruction on. Not while other threads need descriptors. The hard limit is left as it is by now: another process may have raised it
    /// for this process, and what is lowered is not ours to raise again.
    pub(crate) fn given_back<T>(self, work: impl FnOnce() -> T) -> T {
        use nix::sys::resource::{Resource, getrlimit, setrlimit};
        let hard = getrlimit(Resource::RLIMIT_NOFILE).map_or(self.hard, |(_, hard)| hard);
        let _ = setrlimit(Resource::RLIMIT_NOFILE, self.soft.min(hard), hard);
        let result = work();
        let _ = setrlimit(Resource::RLIMIT_NOFILE, hard, hard);
        result
    }

    /// Gives a child the limit back that has begun to run already.
    #[cfg(target_os = "linux")]
    pub(crate) fn give_back_to(self, pid: u32) {
        let limit = libc::rlimit64 {
            rlim_cur: self.soft,
            rlim_max: self.hard,
        };
        let pid = pid.cast_signed();
        // SAFETY: `limit` outlives the call and the old value is not asked for.
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

/// How many bytes wait to be read from a pipe.
#[must_use]
pub fn bytes_waiting(pipe: impl AsFd) -> usize {
    use std::os::fd::AsRawFd;
    let mut count = 0;
    // SAFETY: the descriptor is open for the call and the number is ours to be written.
    let told = unsafe { fionread(pipe.as_fd().as_raw_fd(), &raw mut count) };
    told.map_or(0, |_| usize::try_from(count).unwrap_or(0))
}

/// Sets a terminal's size; the kernel tells the program by SIGWINCH if it has changed.
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
    // SAFETY: the descriptor is open for the call and the struct is what the request takes.
    unsafe { tiocswinsz(terminal.as_fd().as_raw_fd(), &raw const winsize) }?;
    Ok(())
}

/// A terminal's size; `None` when the descriptor is no terminal or does not know.
#[must_use]
pub fn terminal_size(terminal: impl AsFd) -> Option<Size> {
    use std::os::fd::AsRawFd;
    let mut winsize = libc::winsize {
        ws_row: 0,
        ws_col: 0,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    // SAFETY: as above, and the struct is ours to be written.
    unsafe { tiocgwinsz(terminal.as_fd().as_raw_fd(), &raw mut winsize) }.ok()?;
    (winsize.ws_row > 0 && winsize.ws_col > 0).then(|| Size::new(winsize.ws_row, winsize.ws_col))
}

/// Lets the kernel's line editor erase whole characters instead of bytes.
pub(crate) fn mark_utf8(terminal: impl AsFd) {
    #[cfg(target_os = "linux")]
    if let Ok(mut settings) = tcgetattr(&terminal) {
        settings.input_flags |= InputFlags::IUTF8;
        // A terminal without it still works; only erasing "é" in `cat` looks odd.
        let _ = tcsetattr(&terminal, SetArg::TCSANOW, &settings);
    }
}

/// Sets a terminal as [`crate::SpawnRequest::terminal`] says. One that says nothing of use is left as it is.
pub(crate) fn set_terminal(terminal: impl AsFd, wanted: &[u8]) {
    let Ok(mut settings) = tcgetattr(&terminal) else {
        return;
    };
    if read_settings(wanted, &mut settings).is_some() {
        // A shell on a terminal that is set otherwise still works.
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

/// The process id as the kernel's interfaces want it.
pub(crate) fn as_u32(pid: Pid) -> u32 {
    pid.as_raw().cast_unsigned()
}
