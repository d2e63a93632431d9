//! What tmux has too works as in tmux: the same words to both, and the same answers.
//!
//! The answers of tmux 3.3a lie in `recorded/`. `RECORD_TMUX=1 cargo nextest run -p shellkeep-server as_in_tmux` asks the tmux that is
//! installed and writes them anew; `git diff` then shows where it answers differently from the one before.

mod buffers;
mod commands;
mod current;
mod customize;
mod hooks;
mod large;
mod lists;
mod options;
mod pair;
mod programs;
mod screens;
mod tmux;
mod tree;
mod walk;
mod windows;

use shellkeep_testkit::tmux::{without_hints, words};
use shellkeep_testkit::virtual_rig::{Finished, Rig};

use tmux::Tmux;

/// What a command came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) status: i32,
}

impl From<Finished> for Answer {
    fn from(finished: Finished) -> Self {
        Self {
            stdout: finished.stdout,
            stderr: finished.stderr,
            status: finished.status.map_or(-1, i32::from),
        }
    }
}

/// A server in memory and a tmux, which get the same commands.
pub(crate) struct Both {
    pub(crate) rig: Rig,
    pub(crate) tmux: Tmux,
}

impl Both {
    /// `name` is that of the recording: one for each test.
    pub(crate) fn start(name: &str) -> Self {
        Self::start_with(name, Rig::with_status(""))
    }

    pub(crate) fn start_with(name: &str, rig: Rig) -> Self {
        let tmux = Tmux::of(name);
        Self { rig, tmux }
    }

    /// What both answer to the same words.
    pub(crate) fn ask(&self, args: &[&str]) -> (Answer, Answer) {
        (self.rig.run(args).into(), self.tmux.run(args))
    }

    /// Asserts that both answer the same.
    #[track_caller]
    pub(crate) fn same(&self, args: &[&str]) {
        let (mut ours, theirs) = self.ask(args);
        ours.stderr = without_hints(&ours.stderr, &theirs.stderr);
        assert_eq!(ours, theirs, "{args:?}: shellkeep left, tmux right");
    }

    /// Runs lines of words, split at blanks; `'` quotes. All that differs is told at once. Returns how many lines there were.
    #[track_caller]
    pub(crate) fn same_script(&self, lines: &str) -> usize {
        let lines = lines.lines().map(str::trim).filter(|line| !line.is_empty());
        let lines: Vec<Vec<String>> = lines.map(words).collect();
        let cases: Vec<Vec<&str>> = lines
            .iter()
            .map(|words| words.iter().map(String::as_str).collect())
            .collect();
        self.same_all(cases.iter().map(Vec::as_slice), |answer| answer);
        lines.len()
    }

    /// Asserts that both answer the same to each of many commands, by what `look` sees of an answer, and tells all that differs.
    #[track_caller]
    pub(crate) fn same_all<'a>(
        &self,
        cases: impl IntoIterator<Item = &'a [&'a str]>,
        look: impl Fn(Answer) -> Answer,
    ) {
        let mut wrong = String::new();
        for args in cases {
            let (mut ours, theirs) = self.ask(args);
            ours.stderr = without_hints(&ours.stderr, &theirs.stderr);
            let (ours, theirs) = (look(ours), look(theirs));
            if ours != theirs {
                wrong.push_str(&format!("{args:?}\n   ours {ours:?}\n   tmux {theirs:?}\n"));
            }
        }
        assert!(wrong.is_empty(), "\n{wrong}");
    }

    /// The program in pane `number` prints this. `shown` is what tmux shows of it in the end.
    pub(crate) fn says(&self, number: u32, text: &str, shown: &str) {
        self.rig.pty(number).says(text);
        self.tmux.says(number, text, shown);
    }
}
