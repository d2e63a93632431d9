//! The store: the start with very many sessions, a checkpoint, and disk space.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::figure::Sample;
use super::measure::{Effort, Measure};
use super::measure_flow::build_log;
use super::measure_sleep::wait_for_prompt;
use super::procfs;
use super::subject::Subject;
use super::wait::{pause, wait_until};

/// Longer than the idle time after which a pane is checkpointed.
const QUIET: Duration = Duration::from_secs(8);

/// Imitates a shell: a prompt, a command, and some lines of output.
const SHELL_SCRIPT: &str = "i=0; while [ $i -lt 100 ]; do i=$((i+1)); printf '\\033[1;32mann@host\\033[0m:\\033[1;34m~/project\\033[0m$ git show --stat HEAD~%s\\r\\n src/part_%s.rs | %s ++++---\\r\\n 1 file changed, %s insertions(+)\\r\\n' $i $((i*7%23)) $((i%9)) $((i*3%41)); done
    touch \"$0.done\"; exec cat";

/// Creates a session in which sh runs `script`, and waits for the mark that it makes.
pub(super) fn one_session(subject: &Subject, script: &str) -> Result<()> {
    subject.new_session("one", script)?;
    let mark = subject.scratch("one.sh.done")?;
    wait_until("the pane has printed", || Ok(mark.exists()))?;
    subject.settle()
}

/// Creates a session with the user's shell, which has printed what [`SHELL_SCRIPT`] prints and is back at its prompt.
fn one_shell(subject: &Subject) -> Result<()> {
    let script = subject.scratch("one.sh")?;
    fs::write(&script, SHELL_SCRIPT.replace("exec cat", ""))?;
    subject.call(&["new-session", "-d", "-s", "one", "-x", "80", "-y", "24"])?;
    wait_for_prompt(subject, "one")?;
    let typed = format!("sh {}", script.display());
    subject.call(&["send-keys", "-t", "one", &typed, "Enter"])?;
    let mark = subject.scratch("one.sh.done")?;
    wait_until("the shell has printed", || Ok(mark.exists()))?;
    wait_for_prompt(subject, "one")
}

/// The directory of the only open session.
pub(super) fn session_dir(subject: &Subject) -> Result<PathBuf> {
    let mut entries = fs::read_dir(subject.store().join("sessions"))?;
    let entry = entries.next().context("no session is kept")??;
    Ok(entry.path())
}

/// `shellkeep ls` without a server but with very many sessions, each with a hibernated shell.
pub(super) struct Start {
    name: &'static str,
    /// With a catalogue, without one, with a running server, and the server's memory.
    figures: [&'static str; 4],
    count: usize,
}

impl Start {
    pub(super) const THOUSAND: Self = Start {
        name: "start-1000",
        figures: [
            "start-1000",
            "start-1000-files",
            "list-1000",
            "start-1000-memory",
        ],
        count: 1000,
    };

    pub(super) const TEN_THOUSAND: Self = Start {
        name: "start-10000",
        figures: [
            "start-10000",
            "start-10000-files",
            "list-10000",
            "start-10000-memory",
        ],
        count: 10_000,
    };

    /// From nothing to the list, the list again, and the server's memory afterwards.
    fn list(&self, subject: &Subject) -> Result<[f64; 3]> {
        let mut took = [0.0; 2];
        for took in &mut took {
            let begun = Instant::now();
            let listed = subject.call(&["ls"])?;
            *took = begun.elapsed().as_secs_f64();
            let lines = listed.lines().count();
            ensure!(lines == self.count, "{lines} sessions are listed");
        }
        let processes = subject.server_processes()?;
        let server = processes.first().context("there is no server")?;
        let memory = procfs::resident(*server)? as f64;
        Ok([took[0], took[1], memory])
    }
}

impl Measure for Start {
    fn name(&self) -> &'static str {
        self.name
    }

    fn rounds(&self, effort: Effort) -> usize {
        effort.choose(5, 9)
    }

    fn is_for_tmux(&self) -> bool {
        false
    }

    fn prepare(&self, subject: &Subject) -> Result<()> {
        one_shell(subject)?;
        subject.call(&["hibernate", "-t", "one"])?;
        subject.stop()?;
        let first = session_dir(subject)?;
        multiply(&first, self.count, Files::Linked)?;
        subject.call(&["ls"])?;
        // The catalogue is filled after the server was idle for some seconds.
        pause(Duration::from_secs(3));
        wait_until("the catalogue is there", || {
            Ok(subject.store().join("catalogue.db").exists())
        })?;
        subject.settle()?;
        subject.stop()
    }

    fn round(&self, subject: &Subject, _effort: Effort) -> Result<Vec<Sample>> {
        let [with, again, memory] = self.list(subject)?;
        subject.stop()?;
        let aside = subject.scratch("catalogue.db")?;
        let catalogue = subject.store().join("catalogue.db");
        fs::rename(&catalogue, &aside)?;
        let [without, ..] = self.list(subject)?;
        subject.stop()?;
        // Files of a write that a server may have begun.
        for tail in ["-wal", "-shm"] {
            let _ = fs::remove_file(subject.store().join(format!("catalogue.db{tail}")));
        }
        fs::rename(&aside, &catalogue)?;
        let [catalogue, files, list, bytes] = self.figures;
        Ok(vec![
            Sample::new(catalogue, with),
            Sample::new(files, without),
            Sample::new(list, again),
            Sample::new(bytes, memory),
        ])
    }
}

/// Which files the panes of a copied session have.
#[derive(Clone, Copy)]
pub(super) enum Files {
    /// Links to the original's files, because nothing is written to them.
    Linked,
    Copied,
}

/// Makes many copies of a stored session, each with its own name and ids.
pub(super) fn multiply(first: &Path, count: usize, files: Files) -> Result<()> {
    const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
    let id = first.file_name().and_then(|name| name.to_str());
    let id = id.context("an odd name of a session")?;
    let described = fs::read_to_string(first.join("session.json"))?;
    let described: Value = serde_json::from_str(&described)?;
    for number in 1..count {
        let tail = [15, 10, 5, 0].map(|shift| char::from(DIGITS[number >> shift & 31]));
        let new = format!("{}{}", &id[..id.len() - 4], String::from_iter(tail));
        let mut body: Value =
            serde_json::from_str(&described["body"].to_string().replace(id, &new))?;
        let session = &mut body["session"];
        session["id"] = json!(number);
        session["name"] = json!(format!("session-{number}"));
        session["links"] = json!([[0, number]]);
        let window = &mut body["windows"][0];
        window["id"] = json!(number);
        window["active"] = json!(number);
        window["panes"][0]["id"] = json!(number);
        let dir = first.with_file_name(&new);
        fs::create_dir(&dir)?;
        let check = crc32fast::hash(format!("1\n{body}").as_bytes());
        let text = json!({
            "format": described["format"], "version": 1, "check": format!("{check:08x}"), "body": body,
        });
        fs::write(dir.join("session.json"), format!("{text:#}\n"))?;
        for pane in fs::read_dir(first)? {
            let pane = pane?;
            if pane.file_type()?.is_dir() {
                let copy = dir.join(pane.file_name());
                fs::create_dir(&copy)?;
                for file in fs::read_dir(pane.path())? {
                    let file = file?;
                    let to = copy.join(file.file_name());
                    match files {
                        Files::Linked => fs::hard_link(file.path(), to)?,
                        Files::Copied => fs::copy(file.path(), to).map(drop)?,
                    }
                }
            }
        }
    }
    Ok(())
}

/// The checkpoint of a pane with few changes since the last one, by how much output came before.
pub(super) struct Checkpoint {
    name: &'static str,
    lines: usize,
}

impl Checkpoint {
    pub(super) const SHORT: Self = Checkpoint {
        name: "checkpoint-10000",
        lines: 10_000,
    };

    pub(super) const LONG: Self = Checkpoint {
        name: "checkpoint-1000000",
        lines: 1_000_000,
    };
}

/// The number of checkpoints, and their duration in seconds.
fn checkpoints(subject: &Subject) -> Result<(u64, f64)> {
    let stats: Value = serde_json::from_str(&subject.call(&["stats", "--json"])?)?;
    let made = &stats["checkpoints"];
    let count = made["count"].as_u64().context("no count in stats")?;
    let median = made["median_us"].as_f64().unwrap_or_default();
    Ok((count, median / 1e6))
}

impl Measure for Checkpoint {
    fn name(&self) -> &'static str {
        self.name
    }

    fn rounds(&self, effort: Effort) -> usize {
        effort.choose(3, 5)
    }

    fn is_for_tmux(&self) -> bool {
        false
    }

    fn prepare(&self, subject: &Subject) -> Result<()> {
        let log = subject.scratch("log")?;
        fs::write(&log, build_log(self.lines))?;
        let script = format!(
            "cat {}; touch \"$0.done\"; while read line; do echo \"$line\"; done",
            log.display()
        );
        one_session(subject, &script)?;
        pause(QUIET);
        Ok(())
    }

    fn round(&self, subject: &Subject, _effort: Effort) -> Result<Vec<Sample>> {
        // A new server starts counting again.
        subject.call(&["restart-server"])?;
        subject.call(&["send-keys", "-t", "one", "some words", "Enter"])?;
        let mut took = 0.0;
        wait_until("there was a checkpoint", || {
            let (count, median) = checkpoints(subject)?;
            took = median;
            pause(Duration::from_millis(200));
            Ok(count > 0)
        })?;
        Ok(vec![Sample::new(self.name, took)])
    }
}

/// Bytes on disk of an idle session.
pub(super) struct Disk {
    name: &'static str,
    content: Content,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Content {
    Shell,
    Build,
}

impl Disk {
    pub(super) const SHELL: Self = Disk {
        name: "disk-shell",
        content: Content::Shell,
    };

    pub(super) const BUILD: Self = Disk {
        name: "disk-build",
        content: Content::Build,
    };
}

impl Measure for Disk {
    fn name(&self) -> &'static str {
        self.name
    }

    fn rounds(&self, _effort: Effort) -> usize {
        1
    }

    fn is_for_tmux(&self) -> bool {
        false
    }

    fn round(&self, subject: &Subject, _effort: Effort) -> Result<Vec<Sample>> {
        subject.reset()?;
        if self.content == Content::Shell {
            one_session(subject, SHELL_SCRIPT)?;
        } else {
            let log = subject.scratch("log")?;
            fs::write(&log, build_log(10_000))?;
            let script = format!("cat {}; touch \"$0.done\"; exec cat", log.display());
            one_session(subject, &script)?;
        }
        pause(QUIET);
        let bytes = size_of(&session_dir(subject)?)?;
        Ok(vec![Sample::new(self.name, bytes as f64)])
    }
}

fn size_of(dir: &Path) -> Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        bytes += match entry.file_type()?.is_dir() {
            true => size_of(&entry.path())?,
            false => entry.metadata()?.len(),
        };
    }
    Ok(bytes)
}
