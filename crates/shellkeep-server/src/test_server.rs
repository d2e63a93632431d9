//! A server that is not connected to anything, and a terminal, for tests that play the keeper.

use std::io::{self, ErrorKind};
use std::os::fd::BorrowedFd;
use std::path::Path;
use std::sync::Mutex;
use std::task::{Context, Poll};
use std::time::Duration;

use shellkeep_core::Size;
use shellkeep_keeper::{HostHandle, HostRequest, Pty};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::watch;

use crate::alarms::Timers;
use crate::event_loop::carry_out::carry_out;
use crate::inbox;
use crate::inbox::Inbox;
use crate::model::Environ;
use crate::server::Server;
use crate::shutdown::ending::Ending;

/// A terminal in which nothing is printed.
#[derive(Default)]
pub(crate) struct Quiet(Mutex<Vec<u8>>);

impl Quiet {
    pub(crate) fn typed(&self) -> Vec<u8> {
        self.0.lock().unwrap().clone()
    }
}

impl Pty for Quiet {
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
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn resize(&self, _: Size) -> io::Result<()> {
        Ok(())
    }

    fn fd(&self) -> Option<BorrowedFd<'_>> {
        None
    }
}

/// A server with its files in a directory, what it asks the keeper for, and what its tasks tell it.
pub(crate) fn server(dir: &Path, shell: &str) -> (Server, UnboundedReceiver<HostRequest>, Inbox) {
    let (host, requests) = HostHandle::channel();
    let (events, threads, inbox) = inbox::channels(1000);
    let (escape_time, _) = watch::channel(Duration::ZERO);
    let mut server = Server::new(
        host,
        || 1000,
        dir.join("socket"),
        (events, threads),
        escape_time,
        Box::new(|_: &Ending| {}),
        carry_out,
    );
    server.model.outside.alarms.timers = Timers::Runtime;
    let shell = format!("SHELL={shell}");
    server.model.environ = Environ::from_entries([shell.as_bytes(), b"PATH=/bin:/usr/bin"]);
    (server, requests, inbox)
}
