//! Control mode, spoken to the real program and to tmux: the same lines to both, and the same answers and notices.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use shellkeep_testkit::real::Rig;

use crate::{is_installed, rig};

/// Longer than any answer takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// A client in control mode.
pub(crate) struct Speaker {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    marks: usize,
}

impl Speaker {
    pub(crate) fn start(mut command: Command) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (tx, lines) = channel();
        let stdout = child.stdout.take().unwrap();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).split(b'\n') {
                let Ok(line) = line else { return };
                let line = String::from_utf8_lossy(&line).into_owned();
                if tx.send(line).is_err() {
                    return;
                }
            }
        });
        let stdin = child.stdin.take();
        Self {
            child,
            stdin,
            lines,
            marks: 0,
        }
    }

    /// Sends a line, and returns all that is heard until a later one is answered.
    pub(crate) fn line(&mut self, text: &str) -> Vec<String> {
        self.marks += 1;
        let mark = format!("mark-{}", self.marks);
        let stdin = self.stdin.as_mut().unwrap();
        writeln!(stdin, "{text}").unwrap();
        let mut heard = self.hear_answers(1);
        writeln!(self.stdin.as_mut().unwrap(), "display-message -p {mark}").unwrap();
        heard.extend(self.hear_until(&mark));
        // The mark's own block.
        let _ = self.hear_answers(1);
        let begin = heard.iter().rposition(|line| line.starts_with("%begin"));
        heard.remove(begin.unwrap());
        heard.into_iter().filter_map(|line| masked(&line)).collect()
    }

    /// Sends a line, and returns when it is answered.
    pub(crate) fn ask(&mut self, text: &str) {
        writeln!(self.stdin.as_mut().unwrap(), "{text}").unwrap();
        self.hear_answers(1);
    }

    /// Waits until the command that it was started with is answered.
    pub(crate) fn wait_for_start(&self) {
        self.hear_answers(1);
    }

    /// Ends it without a word.
    pub(crate) fn kill(mut self) {
        let _ = self.child.kill();
        self.child.wait().unwrap();
    }

    fn hear(&self) -> String {
        self.lines.recv_timeout(PATIENCE).unwrap()
    }

    /// Waits for so many notices of a kind.
    pub(crate) fn hear_notices(
        &self,
        count: usize,
        is_wanted: impl Fn(&str) -> bool,
    ) -> Vec<String> {
        let mut heard = Vec::new();
        while heard.len() < count {
            let line = self.hear();
            if line.starts_with('%') && is_wanted(&line) {
                heard.push(line);
            }
        }
        heard
    }

    fn hear_until(&self, mark: &str) -> Vec<String> {
        let mut heard = Vec::new();
        loop {
            let line = self.hear();
            if line == mark {
                return heard;
            }
            heard.push(line);
        }
    }

    fn hear_answers(&self, mut count: usize) -> Vec<String> {
        let mut heard = Vec::new();
        while count > 0 {
            let line = self.hear();
            count -= usize::from(line.starts_with("%end ") || line.starts_with("%error "));
            heard.push(line);
        }
        heard
    }

    /// Ends the input; returns what is heard to the end, and the exit status.
    fn end(mut self) -> (Vec<String>, i32) {
        self.stdin = None;
        let rest: Vec<String> = self.lines.iter().collect();
        let status = self.child.wait().unwrap().code().unwrap_or(-1);
        (
            rest.iter().filter_map(|line| masked(line)).collect(),
            status,
        )
    }
}

/// A line without what differs from run to run. Output comes in pieces of any size, and windows are renamed when their
/// program is looked at: neither is compared here.
fn masked(line: &str) -> Option<String> {
    let mut words: Vec<&str> = line.split(' ').collect();
    match words[..] {
        ["%output", ..] => return None,
        [
            "%window-renamed" | "%unlinked-window-renamed",
            _,
            // Before it has become its program, a pane's process may be seen as what it was forked from.
            "cat" | "sh" | "tmux" | "shellkeep-keep",
        ] => return None,
        ["%begin" | "%end" | "%error", _, _, _] => {
            words[1] = "T";
            words[2] = "N";
        }
        _ => {}
    }
    Some(words.join(" "))
}

fn tmux(rig: &Rig, args: &[&str]) -> Command {
    let mut command = rig.other_command("tmux");
    command.args(["-f", "/dev/null"]).args(args);
    command.env("TMUX_TMPDIR", rig.path("run"));
    command
}

/// A session as a tool would have it.
const SCRIPT: &[&str] = &[
    "display-message -p hello",
    "nosuch",
    "has-session -t nope ; display-message -p unheard",
    "display-message -p a ; display-message -p b",
    "new-window -d -n two cat",
    "split-window -d -t one:0 cat",
    "rename-window -t one:0 xx",
    "select-pane -t one:0.1",
    "select-window -t one:1",
    "list-windows -F '#{window_index} #{window_name} #{window_layout}'",
    "new-window -d -t one:5 -n third cat",
    "join-pane -s one:5 -t one:0",
    "break-pane -d -s one:0.1 -n out -t one:5",
    "join-pane -d -h -s one:5 -t one:1",
    "break-pane -s one:1.1 -n out",
    "move-pane -s one:0.1 -t one:1",
    "swap-pane -s one:0.0 -t one:1.0",
    "kill-window -t one:out",
    "set-hook -g after-rename-window 'display-message -p hooked'",
    "rename-window -t one:1 hooks",
    "set-hook -gu after-rename-window",
    "rename-session -t one foo",
    "kill-window -t foo:1",
    "new-session -d -s other cat",
    "new-window -d -t other: -n far cat",
    "rename-window -t other:1 ren",
    "kill-window -t other:1",
    "switch-client -t other",
    "kill-session -t foo",
    "refresh-client -C 100x30",
    "refresh-client -C 0x0",
    "refresh-client -C x",
    "resize-window -x 70 -y 20",
    "select-layout -t nope even-vertical",
    "set-buffer hi",
    "show-buffer",
    "list-clients -F '#{client_control_mode} #{client_session}'",
];

#[test]
fn scripted_session_sounds_as_in_tmux() {
    if !is_installed("tmux") {
        return;
    }
    let rig = rig();
    let first = ["-C", "new-session", "-s", "one", "-n", "main", "cat"];
    let mut ours = Speaker::start(rig.command(&first));
    let mut theirs = Speaker::start(tmux(&rig, &first));
    for line in SCRIPT {
        let (ours, theirs) = (ours.line(line), theirs.line(line));
        // Our errors say more behind tmux's own words.
        let cut = |lines: Vec<String>| -> Vec<String> {
            let lines = lines.into_iter();
            lines
                .map(|line| line.split(" (").next().unwrap_or_default().to_owned())
                .collect()
        };
        assert_eq!(cut(ours), cut(theirs), "{line}: shellkeep left, tmux right");
    }
    assert_eq!(ours.end(), theirs.end());
    let mut end = tmux(&rig, &["kill-server"]);
    let _ = end.stderr(Stdio::null()).status();
}
