//! The cost of a server that does nothing: memory, CPU time, wakeups.

use std::time::Duration;

use anyhow::Result;

use super::figure::Sample;
use super::measure::{Effort, Measure};
use super::procfs::{self, Cost};
use super::subject::Subject;
use super::wait::{pause, wait_until};

/// Creates `count` sessions, and waits until each has printed its `lines` and the server has processed them.
fn fill(subject: &Subject, count: usize, lines: usize) -> Result<()> {
    let script = format!(
        "i=0; while [ $i -lt {lines} ]; do i=$((i+1)); echo \"line $i of the history of this pane\"; done
         touch \"$0.done\"; exec cat"
    );
    for number in 0..count {
        subject.new_session(&format!("s{number}"), &script)?;
    }
    wait_until("all panes have printed", || {
        for number in 0..count {
            if !subject.scratch(&format!("s{number}.sh.done"))?.exists() {
                return Ok(false);
            }
        }
        Ok(true)
    })?;
    subject.settle()
}

/// The memory of the server and its keeper, for one session and for a hundred, each of which has printed some screens.
pub(super) struct Memory;

impl Measure for Memory {
    fn name(&self) -> &'static str {
        "memory"
    }

    fn rounds(&self, effort: Effort) -> usize {
        effort.choose(1, 3)
    }

    fn round(&self, subject: &Subject, _effort: Effort) -> Result<Vec<Sample>> {
        let mut samples = Vec::new();
        for (figure, count) in [("memory-1", 1), ("memory-100", 100)] {
            subject.reset()?;
            fill(subject, count, 200)?;
            let mut bytes = 0;
            for pid in subject.server_processes()? {
                bytes += procfs::memory(pid)?;
            }
            samples.push(Sample::new(figure, bytes as f64));
        }
        subject.reset()?;
        Ok(samples)
    }
}

/// The CPU time and wakeups of a server with fifty sessions in which nothing happens.
pub(super) struct Idle;

impl Measure for Idle {
    fn name(&self) -> &'static str {
        "idle"
    }

    fn rounds(&self, effort: Effort) -> usize {
        effort.choose(1, 3)
    }

    fn prepare(&self, subject: &Subject) -> Result<()> {
        fill(subject, 50, 20)?;
        // Output is written to disk some seconds later; only after that the server is idle.
        pause(Duration::from_secs(15));
        subject.settle()
    }

    fn round(&self, subject: &Subject, effort: Effort) -> Result<Vec<Sample>> {
        // Once, because asking tmux for its pid wakes it.
        let processes = subject.server_processes()?;
        let cost = || -> Result<Cost> {
            let mut sum = Cost::default();
            for pid in &processes {
                let Cost { cpu_nanos, wakeups } = procfs::cost(*pid)?;
                sum.cpu_nanos += cpu_nanos;
                sum.wakeups += wakeups;
            }
            Ok(sum)
        };
        // Wait until the effects of asking are over.
        pause(Duration::from_millis(500));
        let seconds = effort.choose(3.0, 10.0);
        let before = cost()?;
        pause(Duration::from_secs_f64(seconds));
        let after = cost()?;
        let wakeups = (after.wakeups - before.wakeups) as f64;
        let cpu = (after.cpu_nanos - before.cpu_nanos) as f64 / 1e9;
        Ok(vec![
            Sample::new("idle-wakeups", wakeups / seconds),
            Sample::new("idle-cpu", cpu / seconds),
        ])
    }
}
