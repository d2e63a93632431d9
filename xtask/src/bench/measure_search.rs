//! The time of a search through everything that very many sleeping sessions have printed.

use std::fs;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};

use super::figure::Sample;
use super::measure::{Effort, Measure};
use super::measure_flow::build_log;
use super::measure_store::{Files, multiply, one_session, session_dir};
use super::procfs;
use super::subject::Subject;
use super::wait::{pause, wait_until};

const SESSIONS: usize = 1000;
const LINES: usize = 10_000;

/// Occurs in no build log.
const ABSENT: &str = "no such thing anywhere";
/// As [`ABSENT`], but too short for an index to help.
const SHORT: &str = "~~";

/// `search` through a thousand sessions of ten thousand lines, all asleep.
pub(super) struct Thousand;

impl Thousand {
    fn search(pattern: &str, subject: &Subject) -> Result<f64> {
        let begun = Instant::now();
        let found = subject.call(&[
            "search",
            "-s",
            pattern,
            ";",
            "display-message",
            "-p",
            "over",
        ]);
        let took = begun.elapsed().as_secs_f64();
        // Nothing is found, so the command fails.
        ensure!(found.is_err(), "found: {found:?}");
        Ok(took)
    }
}

/// The number of panes with an index.
fn indexes(subject: &Subject) -> Result<usize> {
    let mut count = 0;
    for session in fs::read_dir(subject.store().join("sessions"))? {
        for entry in fs::read_dir(session?.path())? {
            count += usize::from(entry?.path().join("index").exists());
        }
    }
    Ok(count)
}

impl Measure for Thousand {
    fn name(&self) -> &'static str {
        "search-1000"
    }

    fn rounds(&self, effort: Effort) -> usize {
        effort.choose(5, 15)
    }

    fn is_for_tmux(&self) -> bool {
        false
    }

    fn prepare(&self, subject: &Subject) -> Result<()> {
        let log = subject.scratch("log")?;
        fs::write(&log, build_log(LINES))?;
        let script = format!("cat {}; touch \"$0.done\"; exec cat", log.display());
        one_session(subject, &script)?;
        subject.stop()?;
        multiply(&session_dir(subject)?, SESSIONS, Files::Copied)?;
        subject.call(&["ls"])?;
        // The first search finds no index and makes them for the next.
        Self::search(ABSENT, subject)?;
        wait_until("all panes have an index", || {
            pause(Duration::from_millis(100));
            Ok(indexes(subject)? >= SESSIONS)
        })?;
        subject.settle()
    }

    fn round(&self, subject: &Subject, _effort: Effort) -> Result<Vec<Sample>> {
        let indexed = Self::search(ABSENT, subject)?;
        let read = Self::search(SHORT, subject)?;
        let processes = subject.server_processes()?;
        let server = processes.first().context("there is no server")?;
        Ok(vec![
            Sample::new("search-1000", indexed),
            Sample::new("search-1000-read", read),
            Sample::new("search-1000-memory", procfs::resident(*server)? as f64),
        ])
    }
}
