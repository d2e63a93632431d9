//! The sessions of a soak, the work that is done in them, and the check after each round.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};

use shellkeep_testkit::real::{Output, Rig, nothing_happens_for};

use crate::Dice;
use crate::disk::Disk;
use crate::fault::{Fault, Shells};
use crate::session::{Session, Shell};

/// How many sessions may be awake: fewer than there are, so that each round puts some to sleep and wakes others.
const MAX_ACTIVE: usize = 4;

/// How many sessions there are at most; then the oldest are closed, some of them to be opened again.
const MAX_SESSIONS: usize = 24;

/// How long captures are waited for: some times `capture-after`.
const CAPTURES_TAKE: Duration = Duration::from_secs(4);

pub(crate) struct World {
    // Before the rig, whose end kills what has files open on it.
    disk: Option<Disk>,
    rig: Rig,
    dice: Dice,
    seed: u64,
    round: u64,
    shells: Vec<Shell>,
    sessions: Vec<Session>,
    /// How many records of each session were there at the last check.
    checked: BTreeMap<String, usize>,
    made: usize,
    sent: usize,
    possible: Vec<Fault>,
    faults: BTreeMap<Fault, usize>,
}

impl World {
    pub(crate) fn new(seed: u64) -> Self {
        let program = std::env::var_os("SHELLKEEP_TEST_PROGRAM");
        let rig = Rig::new(program.unwrap_or_else(|| env!("CARGO_BIN_EXE_shellkeep").into()));
        rig.write(
            "config/shellkeep/shellkeep.conf",
            // Shells have all the time to tell their state at an orderly end: what is late would count as lost.
            &format!(
                "set -g status off\nset -g max-active {MAX_ACTIVE}\nset -g capture-after 1s\nset -s end-budget 20s\n"
            ),
        );
        rig.write("home/.bashrc", "PS1='$ '\n");
        rig.write("home/.zshrc", "PS1='$ '\n");
        rig.write(
            "config/fish/config.fish",
            "function fish_prompt; echo -n '$ '; end\nfunction fish_greeting; end\n",
        );
        // Without it a new user's fish reads all man pages in the background.
        for dir in ["home/data/fish/generated_completions", "home/ran"] {
            std::fs::create_dir_all(rig.path(dir)).unwrap();
        }
        let disk = Disk::mount(&rig.path("state"));
        if disk.is_none() {
            println!("soak: skipped: no disk can be mounted here, so none is ever full");
        }
        let mut shells = Shell::ALL.to_vec();
        shells.retain(|shell| {
            let is_here = Path::new("/usr/bin").join(shell.name()).is_file();
            if !is_here {
                println!("soak: skipped: {} is not installed", shell.name());
            }
            is_here
        });
        let mut possible = Fault::wanted();
        possible.retain(|fault| disk.is_some() || !fault.needs_disk());
        assert!(!possible.is_empty(), "no fault is left to choose from");
        Self {
            disk,
            rig,
            dice: Dice::new(seed),
            seed,
            round: 0,
            shells,
            sessions: Vec::new(),
            checked: BTreeMap::new(),
            made: 0,
            sent: 0,
            possible,
            faults: BTreeMap::new(),
        }
    }

    pub(crate) fn summary(&self) -> String {
        let faults: Vec<String> = self
            .faults
            .iter()
            .map(|(fault, count)| format!("{fault:?} {count}"))
            .collect();
        format!(
            "{} sessions made, {} lines sent, {}",
            self.made,
            self.sent,
            faults.join(", ")
        )
    }

    pub(crate) fn round(&mut self, round: u64) {
        self.round = round;
        self.open_sessions();
        self.close_sessions();
        self.send_lines();
        if self.dice.one_in(2) {
            self.hibernate();
        }
        let fault = self.possible[self.dice.below(self.possible.len())];
        *self.faults.entry(fault).or_default() += 1;
        println!(
            "soak: round {round}: {} sessions, {fault:?}",
            self.sessions.len()
        );
        self.suffer(fault);
        self.send_lines();
        self.check();
    }

    fn open_sessions(&mut self) {
        for _ in 0..=self.dice.below(3) {
            let shell = self.shells[self.dice.below(self.shells.len())];
            self.made += 1;
            let name = format!("s{}", self.made);
            let path = format!("/usr/bin/{}", shell.name());
            let words = [
                "set",
                "-g",
                "default-shell",
                &path,
                ";",
                "new",
                "-d",
                "-s",
                &name,
                "-x",
                "80",
                "-y",
                "24",
            ];
            let output = self.rig.run(&words);
            self.expect_success(&words, output);
            let record = self.rig.path("home/ran").join(&name);
            self.sessions.push(Session::new(name, shell, record));
        }
    }

    /// Closes what is too many. What is closed is in the archive, and half of it is opened again, with what its shell had.
    fn close_sessions(&mut self) {
        while self.sessions.len() > MAX_SESSIONS {
            let index = self.dice.below(MAX_SESSIONS / 2);
            self.check_lines();
            let name = self.sessions[index].name.clone();
            if self.dice.one_in(2) {
                self.run(&["kill-session", "-t", &name]);
            } else {
                self.exit_shell(&name);
            }
            if self.dice.one_in(2) {
                self.run(&["reopen", &name]);
            } else {
                self.sessions.remove(index);
            }
        }
    }

    /// Has the shell of a session end by itself, and the session with it.
    fn exit_shell(&self, name: &str) {
        self.run(&["send-keys", "-t", name, "exit", "Enter"]);
        let is_gone = self.rig_waits(|| {
            !self
                .run(&["ls", "-F", "<#{session_name}>"])
                .contains(&format!("<{name}>"))
        });
        if !is_gone {
            self.fail(&format!("{name} did not end by exit"));
        }
    }

    /// Sends one to three lines to some of the sessions, asleep or awake, without waiting for any of them.
    fn send_lines(&mut self) {
        for _ in 0..self.dice.below(8) {
            let index = self.dice.below(self.sessions.len());
            for _ in 0..=self.dice.below(3) {
                let session = &mut self.sessions[index];
                let line = session.next_line();
                let name = &session.name;
                let words = [
                    "send-keys",
                    "-t",
                    name,
                    "-l",
                    &line,
                    ";",
                    "send-keys",
                    "-t",
                    name,
                    "Enter",
                ];
                let output = self.rig.run(&words);
                self.sent += 1;
                if output.status != 0 {
                    println!("soak: send-keys to {name} failed: {output:?}");
                    self.sessions[index].doubt_last_line();
                }
            }
        }
    }

    /// Puts one session or all to sleep. What is busy stays awake and is named, which is no failure here.
    fn hibernate(&mut self) {
        if self.dice.one_in(2) {
            self.wait_until_all_has_run();
        }
        if self.dice.one_in(2) {
            let _ = self.rig.run(&["hibernate", "-a"]);
        } else {
            let index = self.dice.below(self.sessions.len());
            let _ = self
                .rig
                .run(&["hibernate", "-t", &self.sessions[index].name]);
        }
    }

    fn suffer(&mut self, fault: Fault) {
        let shells = fault.shells();
        // A shell that ends takes along what it has not read: only where all live on may lines be on their way.
        if shells != Shells::Live || self.dice.one_in(2) {
            self.check_lines();
        }
        if shells == Shells::Die && self.dice.one_in(2) {
            self.wait_for_captures();
        }
        if shells != Shells::Live {
            let kept = self.kept();
            let dies =
                |session: &Session| shells == Shells::Die || fault.ends_at_once(session.shell);
            for session in self.sessions.iter_mut().filter(|session| dies(session)) {
                if kept.contains(&session.name) {
                    session.is_kept();
                }
                session.roll_back();
            }
        }
        if fault.needs_disk() {
            self.disk.as_ref().unwrap().fill();
            self.send_lines();
        }
        fault.strike(&self.rig);
        if fault.needs_disk() {
            // Lines that wait for a shell to wake need a server again, which has to start on the full disk.
            self.run(&["ls"]);
            self.wait_until_all_has_run();
            self.disk.as_ref().unwrap().make_room();
            self.wait_until_all_is_saved();
        }
    }

    /// The sessions of whose shells everything is kept: they sleep, or were asked after the last line ran.
    fn kept(&self) -> BTreeSet<String> {
        let format = "#{session_name} #{pane_hibernated} #{pane_captured}";
        let list = self.run(&["list-panes", "-a", "-F", format]);
        let mut kept = BTreeSet::new();
        for line in list.lines() {
            let mut words = line.split(' ');
            let (name, asleep) = (words.next().unwrap(), words.next());
            // In whole seconds: a capture in the second in which a line ran may have come before it.
            let captured: Option<u64> = words.next().and_then(|word| word.parse().ok());
            let ran = self.sessions.iter().find(|session| session.name == name);
            let ran = ran.map_or(0, Session::last_run_at);
            if asleep == Some("1") || captured.is_some_and(|captured| captured > ran) {
                kept.insert(name.to_owned());
            }
        }
        kept
    }

    /// Waits until every shell sleeps or was asked for its state, but for those that take long and are asked rarely.
    fn wait_for_captures(&self) {
        let until = Instant::now() + CAPTURES_TAKE;
        while self.kept().len() < self.sessions.len() && Instant::now() < until {
            nothing_happens_for(Duration::from_millis(20));
        }
    }

    fn wait_until_all_is_saved(&self) {
        self.rig.wait_until("everything to be saved", || {
            !self.run(&["stats"]).contains("No space left")
        });
    }

    fn wait_until_all_has_run(&self) {
        for session in &self.sessions {
            let ran = self.rig_waits(|| session.has_run_everything());
            if !ran {
                self.fail(&format!(
                    "not everything sent to {} has run: {session:?}",
                    session.name
                ));
            }
        }
    }

    fn rig_waits(&self, mut condition: impl FnMut() -> bool) -> bool {
        let waited = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            self.rig.wait_until("a line to run", &mut condition);
        }));
        waited.is_ok()
    }

    /// Every session is listed, and every line and all output is there.
    fn check(&mut self) {
        let list = self.run(&["ls", "-F", "#{session_name}"]);
        let listed: BTreeSet<&str> = list.lines().collect();
        let expected: BTreeSet<&str> = self
            .sessions
            .iter()
            .map(|session| &session.name[..])
            .collect();
        if listed != expected {
            self.fail(&format!(
                "sessions are {listed:?} and should be {expected:?}"
            ));
        }
        self.check_lines();
        self.check_history();
    }

    /// Every line has run once and in order, and found the variable as the line before it left it.
    fn check_lines(&mut self) {
        self.wait_until_all_has_run();
        let mut wrong = None;
        for session in &mut self.sessions {
            let seen = self.checked.entry(session.name.clone()).or_default();
            if let Err(reason) = session.check(seen) {
                wrong = Some(format!("{}: {reason}", session.name));
            }
        }
        if let Some(reason) = wrong {
            self.fail(&reason);
        }
    }

    /// Every session still shows all output that it has ever shown.
    ///
    /// Output that is new is not asked for: what the terminal echoes of lines that were sent ahead can have a shell's line editor
    /// draw over it, as in any terminal.
    fn check_history(&mut self) {
        for index in 0..self.sessions.len() {
            let name = &self.sessions[index].name;
            let text = self.run(&["capture-pane", "-pJ", "-t", name, "-S", "-"]);
            if let Err(missing) = self.sessions[index].shows(&text) {
                let name = &self.sessions[index].name;
                self.fail(&format!("{name} no longer shows {missing:?}:\n{text}"));
            }
        }
    }

    fn run(&self, words: &[&str]) -> String {
        let output = self.rig.run(words);
        self.expect_success(words, output)
    }

    fn expect_success(&self, words: &[&str], output: Output) -> String {
        if output.status != 0 {
            self.fail(&format!("{words:?} failed: {output:?}"));
        }
        output.stdout
    }

    /// Ends the soak with all that may explain why, and leaves the state directory behind.
    fn fail(&self, reason: &str) -> ! {
        let aside = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join(format!("soak-{}-{}", self.seed, self.round));
        let mut copy = std::process::Command::new("cp");
        let _ = copy
            .arg("-r")
            .arg(self.rig.path("state"))
            .arg(&aside)
            .status();
        panic!(
            "round {} from seed {}: {reason}\nthe state directory is kept in {}; the log ends:\n{}",
            self.round,
            self.seed,
            aside.display(),
            tail(&self.rig.log(), 60)
        );
    }
}

fn tail(text: &str, lines: usize) -> String {
    let all: Vec<&str> = text.lines().collect();
    all[all.len().saturating_sub(lines)..].join("\n")
}
