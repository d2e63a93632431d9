//! The input backlog of a pane: what was typed before the pane's program could read it, and what did not fit into its
//! terminal.
//!
//! It is in a file that the keeper holds as well (`shellkeep_keeper::input_file`), so a server that dies or is replaced
//! loses no input, and its successor sends none of it twice.

use std::io::{self, ErrorKind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use shellkeep_core::PaneId;
use shellkeep_keeper::{Delivery, HostHandle, HostRequest, InputFile, Pty};

/// The input of one pane, shared with the task that writes to the pane's terminal.
#[derive(Default)]
pub(crate) struct Backlog(Mutex<Inner>);

#[derive(Default)]
struct Inner {
    stored: Stored,
    gate: Gate,
    /// How many releases were requested so far.
    releases: u64,
    /// The pane, and the keeper that holds its file. None for a pane that the next server does not take over, such as a
    /// popup's.
    kept: Option<(PaneId, HostHandle)>,
}

/// Whether the pane's program may have the input.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Gate {
    /// The input is sent as soon as the terminal has room.
    #[default]
    Open,
    /// The input waits for [`Backlog::release`].
    Held,
    /// The input waits until the release of this number is carried out.
    Opening(u64),
}

#[derive(Default)]
enum Stored {
    #[default]
    Nothing,
    File(Arc<InputFile>),
    /// Used where no file can be made. It is lost if the server dies.
    Memory(Vec<u8>),
}

pub(crate) enum Sent {
    /// All input that may be sent was sent.
    All,
    /// The terminal is full; some input is left.
    Some,
}

/// A requested release. It is carried out once the keeper has handled all earlier requests.
#[must_use]
pub(crate) struct Release {
    number: u64,
    /// A key that the server sends to the shell, and behind how many bytes of the input it belongs.
    key: Option<(usize, Vec<u8>)>,
}

impl Backlog {
    /// A backlog for a new pane, or for the input file that an earlier server left with the keeper.
    pub(crate) fn new(pane: PaneId, keeper: HostHandle, found: Option<Arc<InputFile>>) -> Self {
        let is_empty = |file: &Arc<InputFile>| file.waiting().unwrap_or(0) == 0;
        if found.as_ref().is_some_and(is_empty) {
            // The earlier server died after it had sent everything and before it could tell the keeper.
            keeper.request(HostRequest::ForgetInput(pane));
        }
        let stored = match found.filter(|file| !is_empty(file)) {
            Some(file) => Stored::File(file),
            None => Stored::Nothing,
        };
        let gate = match stored {
            Stored::Nothing => Gate::Open,
            _ => Gate::Held,
        };
        Self(Mutex::new(Inner {
            stored,
            gate,
            releases: 0,
            kept: Some((pane, keeper)),
        }))
    }

    pub(crate) fn is_empty(&self) -> bool {
        matches!(self.inner().stored, Stored::Nothing)
    }

    /// Whether input is on its way to the program without a further release.
    pub(crate) fn is_on_its_way(&self) -> bool {
        let inner = self.inner();
        !matches!(inner.stored, Stored::Nothing) && inner.gate != Gate::Held
    }

    /// Whether the input waits for a release.
    pub(crate) fn is_held(&self) -> bool {
        self.inner().gate == Gate::Held
    }

    pub(crate) fn len(&self) -> usize {
        self.inner().stored.len()
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.inner().stored.bytes()
    }

    /// Adds input that is not sent before the next release.
    pub(crate) fn hold(&self, bytes: &[u8]) {
        let mut inner = self.inner();
        inner.gate = Gate::Held;
        inner.push(bytes);
    }

    pub(crate) fn push(&self, bytes: &[u8]) {
        self.inner().push(bytes);
    }

    /// Requests the release of all input, with a key of the server's inserted. None if there is no input: then nothing
    /// has to wait.
    pub(crate) fn release(&self, key: Option<(usize, Vec<u8>)>) -> Option<Release> {
        let mut inner = self.inner();
        if matches!(inner.stored, Stored::Nothing) {
            inner.gate = Gate::Open;
            return None;
        }
        inner.releases += 1;
        let number = inner.releases;
        inner.gate = Gate::Opening(number);
        Some(Release { number, key })
    }

    /// Carries a release out and returns true, unless the backlog was held again or released anew since: then the input
    /// belongs to a later program.
    pub(crate) fn open(&self, release: Release) -> bool {
        let mut inner = self.inner();
        if inner.gate != Gate::Opening(release.number) {
            return false;
        }
        if let Some((behind, key)) = release.key {
            inner.stored.insert(behind, &key);
        }
        inner.gate = Gate::Open;
        true
    }

    /// Runs `deliver` once the keeper has handled all earlier requests. A pane that was noted as asleep must be noted
    /// as awake before its program gets input, or the next server would end the program that has read it.
    pub(crate) fn request(&self, deliver: impl FnOnce() + Send + 'static) {
        let kept = self.inner().kept.clone();
        match kept {
            Some((_, keeper)) => keeper.request(HostRequest::Deliver(Delivery::new(deliver))),
            None => deliver(),
        }
    }

    /// Sends as much as the terminal has room for.
    ///
    /// # Errors
    /// If the terminal is broken. The input is dropped then.
    pub(crate) fn send(&self, pty: &dyn Pty) -> io::Result<Sent> {
        let mut inner = self.inner();
        let sent = inner.send(|stored| stored.try_send(pty));
        match sent {
            Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(Sent::Some),
            Err(error) => {
                inner.clear();
                Err(error)
            }
            Ok(()) => Ok(Sent::All),
        }
    }

    /// Like [`Backlog::send`], but waits for room.
    pub(crate) fn poll_send(&self, cx: &mut Context<'_>, pty: &dyn Pty) -> Poll<io::Result<()>> {
        let mut inner = self.inner();
        let sent = inner.send(|stored| match stored.poll_send(cx, pty) {
            Poll::Ready(result) => result,
            Poll::Pending => Err(ErrorKind::WouldBlock.into()),
        });
        match sent {
            Err(error) if error.kind() == ErrorKind::WouldBlock => Poll::Pending,
            Err(error) => {
                inner.clear();
                Poll::Ready(Err(error))
            }
            Ok(()) => Poll::Ready(Ok(())),
        }
    }

    /// Drops the input that the program which has ended was to get. Held input is for the next program and stays.
    pub(crate) fn program_gone(&self) {
        let mut inner = self.inner();
        if inner.gate != Gate::Held {
            inner.clear();
        }
    }

    /// Drops all input: the pane is gone.
    pub(crate) fn forget(&self) {
        self.inner().clear();
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn push(&mut self, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        self.stored.push(bytes);
        if let (Some((pane, keeper)), Stored::File(file)) = (&self.kept, &self.stored) {
            let (pane, file) = (*pane, file.clone());
            keeper.request(HostRequest::HoldInput { pane, file });
        }
    }

    /// Sends until no input is left that may be sent, or `send` fails.
    fn send(&mut self, mut send: impl FnMut(&mut Stored) -> io::Result<()>) -> io::Result<()> {
        while self.gate == Gate::Open && self.stored.len() > 0 {
            send(&mut self.stored)?;
        }
        if self.gate == Gate::Open {
            self.clear();
        }
        Ok(())
    }

    fn clear(&mut self) {
        self.gate = Gate::Open;
        if let Stored::File(_) = std::mem::take(&mut self.stored)
            && let Some((pane, keeper)) = &self.kept
        {
            keeper.request(HostRequest::ForgetInput(*pane));
        }
    }
}

impl Stored {
    fn push(&mut self, bytes: &[u8]) {
        if let Self::Nothing = self {
            *self = match InputFile::new() {
                Ok(file) => Self::File(Arc::new(file)),
                Err(error) => {
                    tracing::error!(%error, "no file for input can be made; if the server dies, the input is lost");
                    Self::Memory(Vec::new())
                }
            };
        }
        match self {
            Self::Nothing => {}
            Self::Memory(memory) => memory.extend_from_slice(bytes),
            Self::File(file) => {
                if let Err(error) = file.append(bytes) {
                    tracing::error!(%error, bytes = bytes.len(), "input was lost: its file cannot be extended");
                }
            }
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::Nothing => 0,
            Self::Memory(memory) => memory.len(),
            Self::File(file) => file
                .waiting()
                .map_or(0, |it| usize::try_from(it).unwrap_or(usize::MAX)),
        }
    }

    fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Nothing => Vec::new(),
            Self::Memory(memory) => memory.clone(),
            Self::File(file) => file.unsent().unwrap_or_default(),
        }
    }

    fn insert(&mut self, behind: usize, bytes: &[u8]) {
        match self {
            Self::Nothing => {}
            Self::Memory(memory) => {
                let at = behind.min(memory.len());
                memory.splice(at..at, bytes.iter().copied());
            }
            Self::File(file) => {
                if let Err(error) = file.insert(behind, bytes) {
                    tracing::error!(%error, "the key that restores a shell's half-typed line was lost");
                }
            }
        }
    }

    fn try_send(&mut self, pty: &dyn Pty) -> io::Result<()> {
        match self {
            Self::Nothing => Ok(()),
            Self::Memory(memory) => pty
                .try_write(memory)
                .map(|count| drop(memory.drain(..count))),
            Self::File(file) => pty.try_send(file).map(drop),
        }
    }

    fn poll_send(&mut self, cx: &mut Context<'_>, pty: &dyn Pty) -> Poll<io::Result<()>> {
        match self {
            Self::Nothing => Poll::Ready(Ok(())),
            Self::Memory(memory) => pty
                .poll_write(cx, memory)
                .map_ok(|count| drop(memory.drain(..count))),
            Self::File(file) => pty.poll_send(cx, file).map_ok(drop),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::fd::BorrowedFd;

    use shellkeep_core::Size;
    use tokio::sync::mpsc::UnboundedReceiver;

    use super::*;

    const PANE: PaneId = PaneId(1);

    /// A terminal with room for so many bytes.
    struct Paper(Mutex<(Vec<u8>, usize)>);

    impl Paper {
        fn new(room: usize) -> Self {
            Self(Mutex::new((Vec::new(), room)))
        }

        fn make_room(&self, room: usize) {
            self.0.lock().unwrap().1 = room;
        }

        fn text(&self) -> String {
            String::from_utf8(self.0.lock().unwrap().0.clone()).unwrap()
        }
    }

    impl Pty for Paper {
        fn poll_read(&self, _: &mut Context<'_>, _: &mut [u8]) -> Poll<io::Result<usize>> {
            Poll::Pending
        }
        fn try_read(&self, _: &mut [u8]) -> io::Result<usize> {
            Err(ErrorKind::WouldBlock.into())
        }
        fn poll_write(&self, _: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
            Poll::Ready(self.try_write(bytes))
        }
        fn try_write(&self, bytes: &[u8]) -> io::Result<usize> {
            let mut paper = self.0.lock().unwrap();
            let count = bytes.len().min(paper.1);
            if count == 0 {
                return Err(ErrorKind::WouldBlock.into());
            }
            paper.0.extend_from_slice(&bytes[..count]);
            paper.1 -= count;
            Ok(count)
        }
        fn resize(&self, _: Size) -> io::Result<()> {
            Ok(())
        }
        fn fd(&self) -> Option<BorrowedFd<'_>> {
            None
        }
    }

    fn new() -> (Backlog, HostHandle, UnboundedReceiver<HostRequest>) {
        let (keeper, requests) = HostHandle::channel();
        (Backlog::new(PANE, keeper.clone(), None), keeper, requests)
    }

    /// The input file that the keeper holds after handling these requests.
    fn held(requests: &mut UnboundedReceiver<HostRequest>) -> Option<Arc<InputFile>> {
        let mut held = None;
        while let Ok(request) = requests.try_recv() {
            match request {
                HostRequest::HoldInput { file, .. } => held = Some(file),
                HostRequest::ForgetInput(_) => held = None,
                _ => {}
            }
        }
        held
    }

    #[test]
    fn next_server_finds_what_no_program_has_and_nothing_else() {
        let (backlog, keeper, mut requests) = new();
        let paper = Paper::new(4);
        backlog.hold(b"typed ");
        backlog.hold(b"ahead");
        let release = backlog.release(None).unwrap();
        assert!(matches!(backlog.send(&paper), Ok(Sent::All)));
        assert_eq!(paper.text(), "", "not before its turn");
        assert!(backlog.open(release));
        assert!(matches!(backlog.send(&paper), Ok(Sent::Some)));
        assert_eq!(paper.text(), "type");
        // The server dies here.
        let next = Backlog::new(PANE, keeper.clone(), held(&mut requests));
        assert!(next.is_held());
        next.push(b"!");
        let release = next.release(Some((2, b"<key>".to_vec()))).unwrap();
        assert!(next.open(release));
        paper.make_room(100);
        assert!(matches!(next.send(&paper), Ok(Sent::All)));
        assert_eq!(paper.text(), "typed <key>ahead!");
        assert!(next.is_empty() && held(&mut requests).is_none());
    }

    #[test]
    fn release_that_came_too_late_gives_nothing() {
        let (backlog, ..) = new();
        backlog.hold(b"for the old shell");
        let late = backlog.release(None).unwrap();
        backlog.program_gone();
        assert!(backlog.is_empty(), "its program is gone");
        backlog.hold(b"for the new one");
        backlog.program_gone();
        let release = backlog.release(None).unwrap();
        assert!(!backlog.open(late));
        backlog.hold(b", too");
        assert!(!backlog.open(release), "it is held again");
        let release = backlog.release(None).unwrap();
        assert!(backlog.open(release));
        assert_eq!(backlog.bytes(), b"for the new one, too");
    }
}
