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
use shellkeep_term::Modes;
use shellkeep_term::key::PasteEncoder;

use crate::model::typed::Typed;

/// Of so many pieces it is remembered what was typed. What follows goes to whatever program comes as it is encoded when it is typed.
const MAX_PIECES: usize = 4096;

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
    /// What was typed last and is held, in order. It is encoded once more when it is released: by then it is known what the program that gets it
    /// wants. The file has it as the program before wanted it, for the case that this server dies.
    pieces: Vec<Piece>,
    /// The paste that the program is in the middle of.
    paste: Option<PasteEncoder>,
}

/// Held input.
struct Piece {
    typed: Typed,
    /// How many bytes it has in what is stored.
    len: usize,
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
            pieces: Vec::new(),
            paste: None,
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

    /// The same, as a program with these modes would get it.
    pub(crate) fn bytes_for(&self, modes: &Modes) -> Vec<u8> {
        let mut inner = self.inner();
        inner.encode_again(modes, None);
        inner.stored.bytes()
    }

    /// Adds input, so many times, that no program may have before a release. The modes for which it is to be encoded are known
    /// only then; `guess` is what a server that takes over delivers, if this one dies before.
    pub(crate) fn hold(&self, typed: &[Typed], times: usize, guess: &Modes) {
        let mut inner = self.inner();
        inner.gate = Gate::Held;
        let mut all = Vec::new();
        for typed in repeated(typed, times) {
            let start = all.len();
            typed.encode(guess, &mut inner.paste, &mut all);
            inner.remember(typed.clone(), &all[start..]);
        }
        inner.push(&all);
    }

    /// The same for a program that gets it at once.
    pub(crate) fn encode(&self, typed: &[Typed], times: usize, modes: &Modes) -> Vec<u8> {
        let mut inner = self.inner();
        let mut all = Vec::new();
        for typed in repeated(typed, times) {
            typed.encode(modes, &mut inner.paste, &mut all);
        }
        all
    }

    pub(crate) fn push(&self, bytes: &[u8]) {
        let mut inner = self.inner();
        inner.push(bytes);
        if !inner.pieces.is_empty() {
            inner.remember(Typed::from(bytes), bytes);
        }
    }

    /// What has a program with these modes get all of it, with a key of ours within. None if there is nothing.
    pub(crate) fn release(
        &self,
        modes: &Modes,
        mut key: Option<(usize, Vec<u8>)>,
    ) -> Option<Release> {
        let mut inner = self.inner();
        inner.encode_again(modes, key.as_mut().map(|(behind, _)| behind));
        if matches!(inner.stored, Stored::Nothing) {
            inner.gate = Gate::Open;
            inner.pieces.clear();
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
        inner.pieces.clear();
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

fn repeated(typed: &[Typed], times: usize) -> impl Iterator<Item = &Typed> {
    typed.iter().cycle().take(typed.len() * times)
}

impl Piece {
    /// Joins more of the same kind to it; gives back what is of another.
    fn join(&mut self, next: Self) -> Option<Self> {
        match (&mut self.typed, &next.typed) {
            (Typed::Bytes(all), Typed::Bytes(more))
            | (Typed::PasteText(all), Typed::PasteText(more)) => {
                all.extend_from_slice(more);
                self.len += next.len;
                None
            }
            _ => Some(next),
        }
    }
}

impl Inner {
    /// Remembers what was typed and is stored as these bytes.
    fn remember(&mut self, typed: Typed, bytes: &[u8]) {
        let len = bytes.len();
        let typed = match typed {
            Typed::Key(_) if self.pieces.len() >= MAX_PIECES => Typed::from(bytes),
            typed => typed,
        };
        let piece = Piece { typed, len };
        let apart = match self.pieces.last_mut() {
            Some(last) => last.join(piece),
            None => Some(piece),
        };
        self.pieces.extend(apart);
    }

    /// Encodes what is held for the program that is about to get it. `place` is one among the bytes, and is put where it belongs then.
    fn encode_again(&mut self, modes: &Modes, place: Option<&mut usize>) {
        if self.pieces.is_empty() {
            return;
        }
        let old = self.stored.bytes();
        let known: usize = self.pieces.iter().map(|piece| piece.len).sum();
        let Some(mut at) = old.len().checked_sub(known) else {
            return;
        };
        let mut new = old[..at].to_vec();
        let wanted = place.as_deref().copied();
        let mut moved = wanted;
        let mut paste = None;
        // Where the last paste begins.
        let mut begun = None;
        for piece in &mut self.pieces {
            let was = &old[at..at + piece.len];
            let start = new.len();
            if matches!(piece.typed, Typed::PasteStart) {
                begun = Some(start);
            }
            match &piece.typed {
                // It began before anything was held, in the modes of that time.
                Typed::PasteText(_) | Typed::PasteEnd if paste.is_none() => {
                    new.extend_from_slice(was);
                }
                typed => typed.encode(modes, &mut paste, &mut new),
            }
            piece.len = new.len() - start;
            if let Some(wanted) = wanted.and_then(|wanted| wanted.checked_sub(at))
                && wanted > 0
            {
                let is_behind = wanted >= was.len();
                moved = match begun {
                    // Not in the middle of one.
                    Some(begun) if paste.is_some() => Some(begun),
                    _ => Some(start + if is_behind { piece.len } else { wanted }),
                };
            }
            at += was.len();
        }
        if begun.is_some() {
            self.paste = paste;
        }
        if new != old {
            if let (Some(place), Some(moved)) = (place, moved) {
                *place = moved;
            }
            // The keeper gets to know of the new file before it is asked to have it delivered.
            self.stored = Stored::Nothing;
            self.push(&new);
        }
    }

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
        self.pieces.clear();
        self.paste = None;
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

    fn bytes(bytes: &[u8]) -> Typed {
        Typed::from(bytes)
    }

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

    fn new_backlog() -> (Backlog, HostHandle, UnboundedReceiver<HostRequest>) {
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
        let (backlog, keeper, mut requests) = new_backlog();
        let paper = Paper::new(4);
        backlog.hold(&[bytes(b"typed ")], 1, &Modes::default());
        backlog.hold(&[bytes(b"ahead")], 1, &Modes::default());
        let release = backlog.release(&Modes::default(), None).unwrap();
        assert!(matches!(backlog.send(&paper), Ok(Sent::All)));
        assert_eq!(paper.text(), "", "not before its turn");
        assert!(backlog.open(release));
        assert!(matches!(backlog.send(&paper), Ok(Sent::Some)));
        assert_eq!(paper.text(), "type");
        // The server dies here.
        let next = Backlog::new(PANE, keeper.clone(), held(&mut requests));
        assert!(next.is_held());
        next.push(b"!");
        let release = next
            .release(&Modes::default(), Some((2, b"<key>".to_vec())))
            .unwrap();
        assert!(next.open(release));
        paper.make_room(100);
        assert!(matches!(next.send(&paper), Ok(Sent::All)));
        assert_eq!(paper.text(), "typed <key>ahead!");
        assert!(next.is_empty() && held(&mut requests).is_none());
    }

    #[test]
    fn release_that_came_too_late_gives_nothing() {
        let (backlog, ..) = new_backlog();
        backlog.hold(&[bytes(b"for the old shell")], 1, &Modes::default());
        let late = backlog.release(&Modes::default(), None).unwrap();
        backlog.program_gone();
        assert!(backlog.is_empty(), "its program is gone");
        backlog.hold(&[bytes(b"for the new one")], 1, &Modes::default());
        backlog.program_gone();
        let release = backlog.release(&Modes::default(), None).unwrap();
        assert!(!backlog.open(late));
        backlog.hold(&[bytes(b", too")], 1, &Modes::default());
        assert!(!backlog.open(release), "it is held again");
        let release = backlog.release(&Modes::default(), None).unwrap();
        assert!(backlog.open(release));
        assert_eq!(backlog.bytes(), b"for the new one, too");
    }

    fn key(name: &str) -> Typed {
        Typed::Key(name.parse::<shellkeep_core::key::Key>().unwrap().into())
    }

    /// What a program asks for that wants everything in another way.
    fn demanding() -> Modes {
        Modes {
            application_cursor: true,
            bracketed_paste: true,
            ..Modes::default()
        }
    }

    fn delivered(backlog: &Backlog, modes: &Modes, key: Option<(usize, Vec<u8>)>) -> String {
        if let Some(release) = backlog.release(modes, key) {
            assert!(backlog.open(release));
        }
        String::from_utf8(backlog.bytes()).unwrap()
    }

    fn paste(text: &[u8]) -> [Typed; 3] {
        [
            Typed::PasteStart,
            Typed::PasteText(text.to_vec()),
            Typed::PasteEnd,
        ]
    }

    #[test]
    fn held_input_is_encoded_for_the_program_that_gets_it() {
        let (old, new) = (Modes::default(), demanding());
        for (guess, modes, expected) in [
            (old, new, "x\x1bOA\x1b[200~one\rtwo\x1b[201~y"),
            (new, old, "x\x1b[Aone\rtwoy"),
        ] {
            let (backlog, _keeper, mut requests) = new_backlog();
            let pasted = paste(b"one\rtwo");
            backlog.hold(&[key("x"), key("Up")], 1, &guess);
            backlog.hold(&pasted, 1, &guess);
            backlog.hold(&[key("y")], 1, &guess);
            assert_eq!(delivered(&backlog, &modes, None), expected);
            // A server that dies now leaves the same to the next one.
            let next = held(&mut requests).unwrap().unsent().unwrap();
            assert_eq!(String::from_utf8(next).unwrap(), expected);
        }
    }

    #[test]
    fn key_of_ours_stays_behind_what_it_was_put_behind() {
        for (behind, expected) in [(0, "!xy\x1bOAz"), (2, "xy!\x1bOAz"), (5, "xy\x1bOA!z")] {
            let (backlog, ..) = new_backlog();
            let keys = ["x", "y", "Up", "z"].map(key);
            backlog.hold(&keys, 1, &Modes::default());
            let key = Some((behind, b"!".to_vec()));
            assert_eq!(delivered(&backlog, &demanding(), key), expected);
        }
    }

    #[test]
    fn key_of_ours_does_not_stand_within_a_paste() {
        let (backlog, ..) = new_backlog();
        backlog.hold(&[key("x")], 1, &Modes::default());
        backlog.hold(&paste(b"one"), 1, &Modes::default());
        assert_eq!(backlog.bytes(), b"xone");
        let key = Some((2, b"!".to_vec()));
        let given = delivered(&backlog, &demanding(), key);
        assert_eq!(given, "x!\x1b[200~one\x1b[201~");
    }

    #[test]
    fn paste_that_goes_on_when_its_program_is_there_ends_as_it_began() {
        let (backlog, ..) = new_backlog();
        let [start, text, end] = paste(b"one\r");
        backlog.hold(&[start, text.clone()], 1, &Modes::default());
        assert_eq!(delivered(&backlog, &demanding(), None), "\x1b[200~one\r");
        let rest = backlog.encode(&[text, end], 1, &Modes::default());
        assert_eq!(rest, b"one\r\x1b[201~");
    }

    #[test]
    fn paste_that_began_before_it_was_held_ends_as_it_began() {
        let (backlog, ..) = new_backlog();
        let [start, text, end] = paste(b"one\r");
        assert_eq!(backlog.encode(&[start], 1, &demanding()), b"\x1b[200~");
        backlog.hold(&[text, end, key("Up")], 1, &demanding());
        let given = delivered(&backlog, &Modes::default(), None);
        assert_eq!(given, "one\r\x1b[201~\x1b[A");
    }

    #[test]
    fn what_follows_a_release_that_is_taken_back_keeps_its_place() {
        let (backlog, ..) = new_backlog();
        backlog.hold(&[key("Up")], 1, &Modes::default());
        drop(backlog.release(&Modes::default(), None));
        backlog.push(b"plain");
        backlog.hold(&[key("Down")], 1, &Modes::default());
        let given = delivered(&backlog, &demanding(), None);
        assert_eq!(given, "\x1bOAplain\x1bOB");
    }

    #[test]
    fn more_keys_than_are_remembered_all_arrive() {
        let (backlog, ..) = new_backlog();
        backlog.hold(&[key("Up")], MAX_PIECES + 2, &Modes::default());
        let given = delivered(&backlog, &demanding(), None);
        assert_eq!(given, "\x1bOA".repeat(MAX_PIECES) + &"\x1b[A".repeat(2));
    }
}
