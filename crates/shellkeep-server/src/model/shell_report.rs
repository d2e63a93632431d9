//! What a pane's shell has reported about itself, as far as it can be trusted. It never takes a command line from what
//! is printed.
//!
//! The shell integration writes what the shell does to a file that only the shell writes ([`Said`]). Marks in the
//! output (OSC 133) can be forged, so they are only hints to read the file, and between two reports they tell how far
//! the prompt is drawn. A shell that was started by a build without that file is known by its marks alone. For such a
//! shell they tell whether it is at its prompt, which the kernel and the shell's own answer have to confirm; they never
//! give a command line.

use std::io;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use shellkeep_hibernation::{Mark, Millis};
use shellkeep_shell::{Phase, Said};
use shellkeep_term::PromptMark;

use crate::model::command_tracker::CommandTracker;

/// A program's start time is known to two seconds, and is rather too early than too late.
const START_TOLERANCE: Millis = 2500;

/// What a shell has reported about itself.
#[derive(Debug, Default)]
pub(crate) struct ShellReport {
    /// The file in which the shell reports what it does. None if it does not.
    file: Option<PathBuf>,
    /// Its phase in the last report.
    last: Option<Last>,
    /// How far its prompt or command is.
    mark: Option<Mark>,
    is_continuation: bool,
    commands: u64,
    exit: Option<i32>,
    /// The commands it has run.
    pub(crate) tracker: CommandTracker,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Last {
    Prompt,
    Runs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShellNews {
    Nothing,
    /// A command was started.
    HasRun,
    /// The prompt is drawn to its end.
    Prompted,
}

impl ShellReport {
    /// For a shell that is about to start, with this directory.
    pub(crate) fn expected(dir: &Path) -> Self {
        Self {
            file: Some(Phase::file(dir)),
            tracker: CommandTracker::expected(dir),
            ..Self::default()
        }
    }

    /// For a shell that an earlier server started, maybe without a report file.
    pub(crate) fn found(dir: &Path, tracker: CommandTracker) -> Self {
        let file = Phase::file(dir);
        let mut report = Self {
            file: file.exists().then_some(file),
            tracker,
            ..Self::default()
        };
        report.read_report();
        // How far the prompt is drawn cannot be known any more.
        report.mark = report.mark.filter(|mark| *mark == Mark::CommandBegins);
        report
    }

    /// How far the shell is; none if nothing is known.
    pub(crate) fn mark(&self) -> Option<Mark> {
        // The file is newer than the output that was read from the terminal.
        let said = self.said();
        if said.is_none() && self.is_writing() {
            return Some(Mark::CommandBegins);
        }
        let is_new = said.as_ref().is_some_and(|it| it.commands != self.commands);
        match said.map(|said| said.phase) {
            Some(Phase::Runs { .. }) => Some(Mark::CommandBegins),
            Some(Phase::Prompt { .. }) if is_new || self.last != Some(Last::Prompt) => {
                Some(Mark::CommandEnds)
            }
            _ => self.mark,
        }
    }

    /// Whether a command runs, or has run since the last [`ShellReport::read_report`].
    pub(crate) fn has_run(&self) -> bool {
        let said = self.said();
        let has_run = match said {
            Some(said) => said.commands != self.commands,
            None => self.is_writing(),
        };
        has_run || self.mark == Some(Mark::CommandBegins)
    }

    /// Whether the shell has begun to write a report that is not complete. Fish empties the file before it writes and
    /// may be interrupted in between, so the report may turn out to be anything.
    fn is_writing(&self) -> bool {
        let is_there = |file: &PathBuf| file.symlink_metadata().is_ok_and(|it| it.is_file());
        self.last.is_some() && self.file.as_ref().is_some_and(is_there)
    }

    /// Writes the last report into a file that was made anew: the shell itself writes none before its next command.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn rewrite(&self) -> io::Result<()> {
        match (&self.file, self.last) {
            (Some(file), Some(Last::Prompt)) => Phase::write_prompt(file, self.commands),
            _ => Ok(()),
        }
    }

    /// Whether the prompt continues a command that was begun (PS2).
    pub(crate) fn is_continuation(&self) -> bool {
        self.is_continuation
    }

    /// How many commands it has run.
    pub(crate) fn commands(&self) -> u32 {
        u32::try_from(self.commands).unwrap_or(u32::MAX)
    }

    /// The exit status of its last command, if the shell reports it.
    pub(crate) fn exit(&self) -> Option<i32> {
        self.exit
    }

    /// The command line that started a program with this start time. A line that was reported later is that of another
    /// command: `fg` did not start the program that it brings to the foreground.
    pub(crate) fn line(&self, started: Millis) -> Option<String> {
        let said = self.said()?;
        let Phase::Runs { line } = said.phase else {
            return None;
        };
        let reported_at = said.when.duration_since(UNIX_EPOCH).ok()?.as_millis();
        let is_earlier = reported_at <= u128::from(started.saturating_add(START_TOLERANCE));
        line.filter(|_| is_earlier)
    }

    /// Reads the latest report. Returns whether a command was started since the last call.
    pub(crate) fn read_report(&mut self) -> ShellNews {
        let Some(said) = self.said() else {
            return ShellNews::Nothing;
        };
        let has_run = said.commands != self.commands;
        let (last, mark) = match said.phase {
            Phase::Prompt { exit } => {
                self.exit = exit;
                (Last::Prompt, Mark::CommandEnds)
            }
            Phase::Runs { .. } => (Last::Runs, Mark::CommandBegins),
        };
        if has_run || self.last != Some(last) {
            (self.mark, self.is_continuation) = (Some(mark), false);
        }
        (self.last, self.commands) = (Some(last), said.commands);
        match has_run {
            true => ShellNews::HasRun,
            false => ShellNews::Nothing,
        }
    }

    /// Takes a mark that was printed in the pane, by the shell or by any program.
    pub(crate) fn take_mark(&mut self, mark: &PromptMark) -> ShellNews {
        if self.file.is_some() {
            return match self.last {
                Some(Last::Prompt) => self.take_prompt_mark(mark),
                // Only a report of the shell ends a command or begins the first prompt.
                Some(Last::Runs) | None => ShellNews::Nothing,
            };
        }
        match mark {
            PromptMark::OutputStart { .. } => {
                self.commands = self.commands.saturating_add(1);
                (self.mark, self.is_continuation) = (Some(Mark::CommandBegins), false);
                ShellNews::HasRun
            }
            PromptMark::CommandEnd { exit } => {
                (self.mark, self.exit) = (Some(Mark::CommandEnds), *exit);
                ShellNews::Nothing
            }
            mark => self.take_prompt_mark(mark),
        }
    }

    fn take_prompt_mark(&mut self, mark: &PromptMark) -> ShellNews {
        match mark {
            PromptMark::PromptStart { secondary } => {
                (self.mark, self.is_continuation) = (Some(Mark::PromptBegins), *secondary);
                ShellNews::Nothing
            }
            PromptMark::InputStart => {
                self.mark = Some(Mark::PromptEnds);
                ShellNews::Prompted
            }
            // The next prompt, if the user typed nothing at the last one.
            PromptMark::CommandEnd { .. } => {
                (self.mark, self.is_continuation) = (Some(Mark::CommandEnds), false);
                ShellNews::Nothing
            }
            PromptMark::OutputStart { .. } | PromptMark::CommandLine(_) => ShellNews::Nothing,
        }
    }

    fn said(&self) -> Option<Said> {
        Said::read(self.file.as_ref()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: PromptMark = PromptMark::PromptStart { secondary: false };
    const B: PromptMark = PromptMark::InputStart;
    const D: PromptMark = PromptMark::CommandEnd { exit: Some(0) };

    fn c() -> PromptMark {
        PromptMark::OutputStart {
            command: Some("touch pwned".to_owned()),
        }
    }

    /// Every mark that a program other than the shell could print.
    fn forgeries() -> Vec<PromptMark> {
        let line = PromptMark::CommandLine("touch pwned".to_owned());
        let secondary = PromptMark::PromptStart { secondary: true };
        vec![c(), line, D, secondary, A, B]
    }

    struct Shell(tempfile::TempDir);

    impl Shell {
        fn new() -> (Self, ShellReport) {
            let temp = tempfile::tempdir().unwrap();
            Phase::expect(temp.path()).unwrap();
            let report = ShellReport::expected(temp.path());
            (Self(temp), report)
        }

        fn says(&self, number: u64, text: &str) {
            let text = format!("#shellkeep {number} {text}\n#shellkeep {number} end\n");
            std::fs::write(Phase::file(self.0.path()), text).unwrap();
        }
    }

    #[test]
    fn forged_marks_before_the_first_prompt_are_nothing() {
        let (_shell, mut report) = Shell::new();
        for mark in forgeries() {
            assert_eq!(report.read_report(), ShellNews::Nothing);
            assert_eq!(report.take_mark(&mark), ShellNews::Nothing, "{mark:?}");
            assert_eq!(report.mark(), None, "{mark:?}");
        }
        assert_eq!((report.commands(), report.line(Millis::MAX)), (0, None));
    }

    #[test]
    fn genuine_marks_of_a_prompt_and_a_command_count() {
        let (shell, mut report) = Shell::new();
        shell.says(0, "prompt");
        assert_eq!(report.read_report(), ShellNews::Nothing);
        assert_eq!(report.take_mark(&D), ShellNews::Nothing);
        assert_eq!(report.take_mark(&A), ShellNews::Nothing);
        assert_eq!(report.mark(), Some(Mark::PromptBegins));
        assert_eq!(report.take_mark(&B), ShellNews::Prompted);
        assert_eq!(report.mark(), Some(Mark::PromptEnds));
        shell.says(1, "runs\nls -l");
        // Before the report is read, too.
        assert_eq!(report.mark(), Some(Mark::CommandBegins));
        assert!(report.has_run());
        assert_eq!(report.read_report(), ShellNews::HasRun);
        assert_eq!(report.line(Millis::MAX), Some("ls -l".to_owned()));
        assert_eq!(report.line(0), None, "what started before it was told");
        shell.says(1, "prompt 3");
        assert_eq!(report.mark(), Some(Mark::CommandEnds));
        assert_eq!(
            (report.read_report(), report.exit()),
            (ShellNews::Nothing, Some(3))
        );
        assert_eq!((report.line(Millis::MAX), report.commands()), (None, 1));
        // A command so quick that its start was never seen.
        shell.says(2, "prompt 0");
        assert_eq!(report.read_report(), ShellNews::HasRun);
        assert_eq!(report.take_mark(&B), ShellNews::Prompted);
    }

    #[test]
    fn shell_that_is_about_to_say_something_may_have_run_anything() {
        let (shell, mut report) = Shell::new();
        assert!(!report.has_run(), "it has not begun yet");
        shell.says(0, "prompt");
        report.read_report();
        report.take_mark(&B);
        assert_eq!(
            (report.mark(), report.has_run()),
            (Some(Mark::PromptEnds), false)
        );
        // A command was reported and not read yet, and the shell now writes that it has ended.
        for text in ["", "#shellkeep 1 prompt 0\n"] {
            std::fs::write(Phase::file(shell.0.path()), text).unwrap();
            assert_eq!(report.read_report(), ShellNews::Nothing);
            assert_eq!(report.take_mark(&c()), ShellNews::Nothing);
            assert_eq!(
                (report.mark(), report.has_run()),
                (Some(Mark::CommandBegins), true)
            );
        }
        shell.says(1, "prompt 0");
        assert_eq!(report.read_report(), ShellNews::HasRun);
        report.take_mark(&B);
        // The server makes the file anew, which is no report of the shell's.
        Phase::expect(shell.0.path()).unwrap();
        report.rewrite().unwrap();
        assert_eq!(
            (report.read_report(), report.has_run()),
            (ShellNews::Nothing, false)
        );
        assert_eq!(report.mark(), Some(Mark::PromptEnds));
    }

    #[test]
    fn forged_and_replayed_marks_change_nothing_while_a_command_runs() {
        let (shell, mut report) = Shell::new();
        shell.says(1, "runs\ntail -f log");
        report.read_report();
        for mark in forgeries() {
            assert_eq!(report.read_report(), ShellNews::Nothing);
            assert_eq!(report.take_mark(&mark), ShellNews::Nothing, "{mark:?}");
            assert_eq!(report.mark(), Some(Mark::CommandBegins), "{mark:?}");
            assert_eq!(report.line(Millis::MAX), Some("tail -f log".to_owned()));
            assert!(!report.is_continuation());
        }
        assert_eq!(report.commands(), 1);
    }

    #[test]
    fn forged_marks_at_a_prompt_begin_no_command() {
        let (shell, mut report) = Shell::new();
        shell.says(4, "prompt");
        report.read_report();
        report.take_mark(&B);
        for mark in forgeries() {
            report.take_mark(&mark);
            assert_ne!(report.mark(), Some(Mark::CommandBegins), "{mark:?}");
        }
        assert_eq!((report.commands(), report.line(Millis::MAX)), (4, None));
    }

    #[test]
    fn server_that_takes_over_knows_what_the_shell_does() {
        let (shell, _) = Shell::new();
        shell.says(3, "runs\nmake");
        let report = ShellReport::found(shell.0.path(), CommandTracker::default());
        assert_eq!(report.mark(), Some(Mark::CommandBegins));
        assert_eq!(report.line(Millis::MAX), Some("make".to_owned()));
        shell.says(3, "prompt 0");
        let mut report = ShellReport::found(shell.0.path(), CommandTracker::default());
        assert_eq!(report.mark(), None);
        assert!(!report.has_run());
        assert_eq!(report.take_mark(&B), ShellNews::Prompted);
    }

    #[test]
    fn marks_of_a_shell_without_a_file_tell_no_line() {
        let temp = tempfile::tempdir().unwrap();
        let mut report = ShellReport::found(temp.path(), CommandTracker::default());
        assert_eq!(report.take_mark(&c()), ShellNews::HasRun);
        assert_eq!(report.mark(), Some(Mark::CommandBegins));
        for mark in forgeries() {
            report.take_mark(&mark);
            assert_eq!(report.line(Millis::MAX), None);
        }
        assert_eq!(report.mark(), Some(Mark::PromptEnds));
    }
}
