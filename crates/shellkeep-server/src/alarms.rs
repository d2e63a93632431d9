//! Setting alarms, which come back as events.

use std::os::fd::OwnedFd;
use std::time::Duration;

use shellkeep_keeper::process;
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;
use tokio::sync::mpsc;

use crate::alarm::{Alarm, Timer};
use crate::event::Event;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Timers {
    /// The kernel's, for long times: the runtime's timer wheel would wake up two or three times for one alarm.
    #[default]
    Kernel,
    /// The runtime's, which tests can stop.
    Runtime,
}

#[derive(Clone)]
pub(crate) struct Alarms {
    pub(crate) timers: Timers,
    events: mpsc::Sender<Event>,
}

impl Alarms {
    pub(crate) fn new(events: mpsc::Sender<Event>) -> Self {
        let timers = Timers::default();
        Self { timers, events }
    }

    /// Sets an alarm. Dropping the timer cancels it.
    pub(crate) fn set(&self, alarm: Alarm, after: Duration) -> Timer {
        set(alarm, after, self.timers, self.events.clone())
    }
}

/// Shorter alarms use the runtime's clock: a descriptor does not pay.
const MIN_KERNEL_TIMER: Duration = Duration::from_millis(900);

pub(crate) fn set(
    alarm: Alarm,
    after: Duration,
    timers: Timers,
    events: mpsc::Sender<Event>,
) -> Timer {
    Timer::start(alarm, |ring| {
        let task = tokio::spawn(async move {
            wait(after, timers).await;
            let _ = events.send(Event::Alarm(ring)).await;
        });
        task.abort_handle()
    })
}

async fn wait(after: Duration, timers: Timers) {
    if timers == Timers::Kernel
        && after >= MIN_KERNEL_TIMER
        && let Ok(timer) = kernel_timer(after)
        && timer.readable().await.is_ok()
    {
        return;
    }
    tokio::time::sleep(after).await;
}

/// A descriptor that becomes readable when the time is over.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn kernel_timer(after: Duration) -> std::io::Result<AsyncFd<OwnedFd>> {
    use nix::sys::timerfd::{ClockId, Expiration, TimerFd, TimerFlags, TimerSetTimeFlags};
    let flags = TimerFlags::TFD_NONBLOCK | TimerFlags::TFD_CLOEXEC;
    let timer = TimerFd::new(ClockId::CLOCK_MONOTONIC, flags)?;
    let once = Expiration::OneShot(after.into());
    timer.set(once, TimerSetTimeFlags::empty())?;
    process::watch(timer.into(), Interest::READABLE)
}

/// timerfd exists on Linux only.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn kernel_timer(_after: Duration) -> std::io::Result<AsyncFd<OwnedFd>> {
    Err(std::io::ErrorKind::Unsupported.into())
}
