//! The bounded queue of a client in control mode: lines and the output of panes.
//!
//! The event loop adds lines and panes add output; the client writer takes them as fast as the client reads. A client
//! that does not read takes at most [`MAX_KEPT_BYTES`] and delays nothing. If it has set `pause-after`, a pane that
//! falls behind is paused, and the client gets a notice and none of its output until it continues it. Any other client
//! that falls behind is ended with a notice.

use std::collections::{BTreeMap, VecDeque};
use std::io::Write as _;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use shellkeep_core::PaneId;
use tokio::sync::Notify;
use tokio::time::Instant;

use crate::panes::tap::Tap;

/// How many bytes are kept for a client that does not read.
const MAX_KEPT_BYTES: usize = 32 << 20;

/// Beyond this many bytes no more commands are read: their answers would only wait.
const FULL_BYTES: usize = 1 << 20;

/// What one piece costs besides its bytes.
const PIECE_OVERHEAD: usize = 64;

/// Whether a client gets a pane's output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Flow {
    #[default]
    On,
    /// The client has turned it off.
    Off,
    /// The client was behind, or has asked for a pause. It continues it by a command.
    Paused,
}

#[derive(Default)]
pub(crate) struct ControlFeed {
    inner: Mutex<Inner>,
    grown: Notify,
    shrunk: Notify,
}

#[derive(Default)]
struct Inner {
    pieces: VecDeque<Piece>,
    /// The size of the pieces that the client has not asked for.
    cost: usize,
    /// The size of unread answers. They are not limited, since the client has asked for them, but no more commands are
    /// read meanwhile.
    owed: usize,
    flows: BTreeMap<PaneId, Flow>,
    /// The client wants no output of panes.
    is_silent: bool,
    /// Output older than this pauses its pane.
    pause_after: Option<Duration>,
    is_over: bool,
    /// How many barriers were added, and how many of them are open.
    barriers: u64,
    open: u64,
}

/// A place in the queue. Pieces behind it are not sent until it is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Barrier(u64);

enum Piece {
    Line(Vec<u8>),
    /// A command's answer, from this byte on.
    Answer(Vec<u8>, usize),
    Output {
        pane: PaneId,
        bytes: Vec<u8>,
        at: Instant,
    },
    /// Pieces after this wait until the barrier is opened.
    Barrier(Barrier),
    /// The last piece: the client ends with this status.
    End(u8),
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Next {
    Bytes(Vec<u8>),
    /// Its end, with this status.
    End(u8),
}

impl ControlFeed {
    /// Adds a line; the newline is added here.
    pub(crate) fn line(&self, text: &[u8]) {
        let mut inner = self.lock();
        let mut line = Vec::with_capacity(text.len() + 1);
        line.extend_from_slice(text);
        line.push(b'\n');
        inner.push(Piece::Line(line));
        self.grown.notify_one();
    }

    /// Adds the answer to a command; the newline of its last line is added here.
    pub(crate) fn answer(&self, mut text: Vec<u8>) {
        let mut inner = self.lock();
        if !inner.is_over {
            text.push(b'\n');
            inner.owed += text.len();
            inner.pieces.push_back(Piece::Answer(text, 0));
        }
        self.grown.notify_one();
    }

    /// Adds a barrier: whatever is added later waits, in order, until it is opened.
    pub(crate) fn bar(&self) -> Barrier {
        let mut inner = self.lock();
        inner.barriers += 1;
        let barrier = Barrier(inner.barriers);
        inner.pieces.push_back(Piece::Barrier(barrier));
        barrier
    }

    /// Opens a barrier, and all before it.
    pub(crate) fn open(&self, Barrier(number): Barrier) {
        let mut inner = self.lock();
        inner.open = inner.open.max(number);
        self.grown.notify_one();
    }

    /// Adds the end. Nothing may be added after it.
    pub(crate) fn end(&self, status: u8) {
        let mut inner = self.lock();
        if !inner.is_over {
            inner.push(Piece::End(status));
            inner.is_over = true;
        }
        self.grown.notify_one();
    }

    /// Turns the output of all panes on or off.
    pub(crate) fn set_silent(&self, silence: Silence) {
        self.lock().is_silent = silence == Silence::On;
    }

    /// Sets the age of output at which its pane is paused.
    pub(crate) fn set_pause_after(&self, age: Option<Duration>) {
        self.lock().pause_after = age;
    }

    /// Turns a pane's output on or off, with the notices that tmux sends.
    pub(crate) fn set_flow(&self, pane: PaneId, flow: Flow) {
        let mut inner = self.lock();
        let before = inner.flow(pane);
        match (before, flow) {
            (Flow::Paused, Flow::On) => {
                inner.flows.remove(&pane);
                inner.push(Piece::Line(format!("%continue {pane}\n").into_bytes()));
            }
            (Flow::On | Flow::Off, Flow::Paused) => inner.pause(pane),
            _ => {
                inner.flows.insert(pane, flow);
            }
        }
        self.grown.notify_one();
    }

    pub(crate) fn flow(&self, pane: PaneId) -> Flow {
        self.lock().flow(pane)
    }

    /// Whether answers of further commands would only wait.
    pub(crate) fn is_full(&self) -> bool {
        let inner = self.lock();
        inner.cost + inner.owed > FULL_BYTES
    }

    /// Waits until the client has read most of the queue.
    pub(crate) async fn room(&self) {
        while self.is_full() {
            self.shrunk.notified().await;
        }
        // Other tasks may wait for the same.
        self.shrunk.notify_one();
    }

    /// Waits until there is something to take.
    pub(crate) async fn filled(&self) {
        while !self.lock().has_next() {
            self.grown.notified().await;
        }
    }

    /// Takes the next pieces, about `enough` bytes.
    pub(crate) fn take(&self, enough: usize) -> Option<Next> {
        let mut inner = self.lock();
        let mut bytes = Vec::new();
        let now = Instant::now();
        while bytes.len() < enough {
            if !inner.has_next() {
                break;
            }
            let Some(piece) = inner.pieces.pop_front() else {
                break;
            };
            match piece {
                Piece::End(status) if bytes.is_empty() => return Some(Next::End(status)),
                end @ Piece::End(_) => {
                    inner.pieces.push_front(end);
                    break;
                }
                Piece::Answer(text, from) => {
                    let to = text.len().min(from + enough - bytes.len());
                    bytes.extend_from_slice(&text[from..to]);
                    inner.owed -= to - from;
                    if to < text.len() {
                        inner.pieces.push_front(Piece::Answer(text, to));
                    }
                }
                piece => {
                    inner.cost = inner.cost.saturating_sub(piece.cost());
                    inner.write(piece, now, &mut bytes);
                }
            }
        }
        self.shrunk.notify_one();
        (!bytes.is_empty()).then_some(Next::Bytes(bytes))
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a client wants no output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Silence {
    On,
    Off,
}

impl Tap for ControlFeed {
    fn printed(&self, pane: PaneId, bytes: &[u8]) {
        let mut inner = self.lock();
        if inner.is_silent || inner.is_over || inner.flow(pane) != Flow::On {
            return;
        }
        let at = Instant::now();
        if inner.is_too_old(inner.oldest(pane), at) {
            inner.pause(pane);
        } else {
            let bytes = bytes.to_vec();
            inner.push(Piece::Output { pane, bytes, at });
        }
        self.grown.notify_one();
    }
}

impl Piece {
    fn cost(&self) -> usize {
        let bytes = match self {
            Self::Line(line) => line.len(),
            Self::Output { bytes, .. } => bytes.len(),
            Self::Answer(..) | Self::Barrier(_) => return 0,
            Self::End(_) => 0,
        };
        bytes + PIECE_OVERHEAD
    }
}

impl Inner {
    /// Whether a piece can be sent.
    fn has_next(&self) -> bool {
        match self.pieces.front() {
            None => false,
            Some(Piece::Barrier(Barrier(number))) => *number <= self.open,
            Some(_) => true,
        }
    }

    fn flow(&self, pane: PaneId) -> Flow {
        self.flows.get(&pane).copied().unwrap_or_default()
    }

    fn oldest(&self, wanted: PaneId) -> Option<Instant> {
        // Only the age of output that can be paused is needed.
        self.pause_after?;
        self.pieces.iter().find_map(|piece| match piece {
            Piece::Output { pane, at, .. } if *pane == wanted => Some(*at),
            _ => None,
        })
    }

    fn is_too_old(&self, at: Option<Instant>, now: Instant) -> bool {
        match (at, self.pause_after) {
            (Some(at), Some(age)) => now.duration_since(at) > age,
            _ => false,
        }
    }

    fn push(&mut self, piece: Piece) {
        if self.is_over {
            return;
        }
        let cost = piece.cost();
        if self.cost + cost > MAX_KEPT_BYTES {
            return self.overflow(piece);
        }
        self.cost += cost;
        self.pieces.push_back(piece);
    }

    fn overflow(&mut self, piece: Piece) {
        if let (Piece::Output { pane, .. }, Some(_)) = (&piece, self.pause_after) {
            return self.pause(*pane);
        }
        self.pieces.clear();
        (self.cost, self.owed) = (0, 0);
        self.pieces
            .push_back(Piece::Line(b"%exit too far behind\n".to_vec()));
        self.pieces.push_back(Piece::End(1));
        self.is_over = true;
    }

    /// Drops a pane's queued output, and adds the notice that it is paused.
    fn pause(&mut self, pane: PaneId) {
        self.flows.insert(pane, Flow::Paused);
        self.pieces
            .retain(|piece| !matches!(piece, Piece::Output { pane: of, .. } if *of == pane));
        self.cost = self.pieces.iter().map(Piece::cost).sum();
        self.push(Piece::Line(format!("%pause {pane}\n").into_bytes()));
    }

    fn write(&mut self, piece: Piece, now: Instant, out: &mut Vec<u8>) {
        match piece {
            Piece::Line(line) => out.extend_from_slice(&line),
            Piece::Output { pane, at, .. } if self.is_too_old(Some(at), now) => self.pause(pane),
            Piece::Output { pane, bytes, at } => {
                let _ = match self.pause_after {
                    Some(_) => {
                        let age = now.duration_since(at).as_millis();
                        write!(out, "%extended-output {pane} {age} : ")
                    }
                    None => write!(out, "%output {pane} "),
                };
                escape(&bytes, out);
                out.push(b'\n');
            }
            Piece::Answer(..) | Piece::Barrier(_) | Piece::End(_) => {}
        }
    }
}

/// Escapes output as control mode does: control characters and the backslash in octal.
fn escape(bytes: &[u8], out: &mut Vec<u8>) {
    for byte in bytes {
        match byte {
            b'\\' | 0..b' ' => {
                let digit = |shift: u8| b'0' + (byte >> shift & 7);
                out.extend_from_slice(&[b'\\', digit(6), digit(3), digit(0)]);
            }
            other => out.push(*other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PANE: PaneId = PaneId(3);

    fn taken(feed: &ControlFeed) -> String {
        match feed.take(1 << 20) {
            Some(Next::Bytes(bytes)) => String::from_utf8_lossy(&bytes).into_owned(),
            other => format!("{other:?}"),
        }
    }

    #[tokio::test(start_paused = true)]
    async fn output_is_escaped_in_octal_and_keeps_its_place_among_lines() {
        let feed = ControlFeed::default();
        feed.line(b"%one");
        feed.printed(PANE, b"a\\\x1b[m\r\n\xc3\xa4\x7f");
        feed.line(b"%two");
        let Some(Next::Bytes(bytes)) = feed.take(1 << 20) else {
            panic!("nothing");
        };
        assert_eq!(
            bytes,
            b"%one\n%output %3 a\\134\\033[m\\015\\012\xc3\xa4\x7f\n%two\n"
        );
        assert_eq!(feed.take(1), None);
    }

    #[tokio::test(start_paused = true)]
    async fn answer_of_any_length_is_given_whole_and_output_beside_it_has_its_limit() {
        let feed = ControlFeed::default();
        let long = vec![b'x'; MAX_KEPT_BYTES + 10];
        feed.line(b"%before");
        feed.answer(long.clone());
        feed.printed(PANE, b"after");
        let mut bytes = Vec::new();
        while let Some(Next::Bytes(more)) = feed.take(1 << 16) {
            assert!(more.len() <= (1 << 16) + 100, "{}", more.len());
            bytes.extend_from_slice(&more);
        }
        let wanted = [&b"%before\n"[..], &long, b"\n%output %3 after\n"].concat();
        assert!(bytes == wanted, "{} bytes", bytes.len());
        feed.answer(long);
        (0..=MAX_KEPT_BYTES / 1000).for_each(|_| feed.printed(PANE, &[b'y'; 1000]));
        assert_eq!(taken(&feed), "%exit too far behind\n");
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_behind_a_barrier_waits_in_its_order_until_that_is_opened() {
        let feed = ControlFeed::default();
        feed.line(b"%before");
        let first = feed.bar();
        feed.answer(b"%end 1".to_vec());
        let second = feed.bar();
        feed.answer(b"%end 2".to_vec());
        feed.line(b"%notice");
        feed.printed(PANE, b"output");
        feed.end(0);
        assert_eq!(taken(&feed), "%before\n");
        assert_eq!(feed.take(1), None);
        tokio::select! {
            biased;
            () = feed.filled() => panic!("it waits for the barrier"),
            () = tokio::task::yield_now() => {}
        }
        feed.open(first);
        feed.filled().await;
        assert_eq!(taken(&feed), "%end 1\n");
        feed.open(second);
        assert_eq!(taken(&feed), "%end 2\n%notice\n%output %3 output\n");
        assert_eq!(feed.take(1), Some(Next::End(0)));
    }

    #[tokio::test(start_paused = true)]
    async fn end_comes_last_and_nothing_behind_it() {
        let feed = ControlFeed::default();
        feed.line(b"%exit");
        feed.end(4);
        feed.line(b"more");
        feed.end(5);
        assert_eq!(taken(&feed), "%exit\n");
        assert_eq!(feed.take(1), Some(Next::End(4)));
        assert_eq!(feed.take(1), None);
    }

    #[tokio::test(start_paused = true)]
    async fn old_output_pauses_its_pane_until_the_client_goes_on() {
        let feed = ControlFeed::default();
        feed.set_pause_after(Some(Duration::from_secs(2)));
        feed.printed(PANE, b"one");
        tokio::time::advance(Duration::from_secs(1)).await;
        assert_eq!(taken(&feed), "%extended-output %3 1000 : one\n");
        feed.printed(PANE, b"two");
        feed.printed(PaneId(4), b"other");
        tokio::time::advance(Duration::from_secs(3)).await;
        feed.printed(PANE, b"three");
        feed.printed(PANE, b"four");
        assert_eq!(taken(&feed), "%pause %3\n%pause %4\n");
        feed.set_flow(PANE, Flow::On);
        feed.printed(PANE, b"five");
        assert_eq!(taken(&feed), "%continue %3\n%extended-output %3 0 : five\n");
    }

    #[tokio::test(start_paused = true)]
    async fn reader_that_stands_still_is_too_far_behind_and_costs_no_more() {
        let feed = ControlFeed::default();
        let piece = vec![b'x'; 1 << 16];
        for _ in 0..MAX_KEPT_BYTES / piece.len() + 5 {
            feed.printed(PANE, &piece);
        }
        assert_eq!(taken(&feed), "%exit too far behind\n");
        assert_eq!(feed.take(1), Some(Next::End(1)));
    }

    #[tokio::test(start_paused = true)]
    async fn reader_that_may_be_paused_is_paused_instead() {
        let feed = ControlFeed::default();
        feed.set_pause_after(Some(Duration::from_secs(60)));
        let piece = vec![b'x'; 1 << 16];
        for _ in 0..2 * MAX_KEPT_BYTES / piece.len() {
            feed.printed(PANE, &piece);
        }
        assert_eq!(taken(&feed), "%pause %3\n");
    }

    #[tokio::test(start_paused = true)]
    async fn pane_off_or_silence_gives_nothing() {
        let feed = ControlFeed::default();
        feed.set_flow(PANE, Flow::Off);
        feed.printed(PANE, b"a");
        feed.set_flow(PANE, Flow::On);
        feed.set_silent(Silence::On);
        feed.printed(PANE, b"b");
        feed.set_silent(Silence::Off);
        feed.printed(PANE, b"c");
        assert_eq!(taken(&feed), "%output %3 c\n");
    }
}
