//! The commands of a pane's shell: which one runs, how the last one ended, and what is to be stored of them.
//!
//! The shell's log ([`CommandLog`]) says which commands ran and how they ended. The marks in the output (OSC 133) only say where that
//! happened in the output and when: a mark without an entry in the log is ignored, since any program can print marks.

use std::collections::VecDeque;
use std::path::Path;

use shellkeep_shell::{CommandLog, Logged};
use shellkeep_store::StoreId;
use shellkeep_store::schema::{CommandBegan, CommandEnded, CommandEntry, CommandLines, Millis};
use shellkeep_term::PromptMark;

/// What is known of a pane's commands when its shell was started by an earlier server.
#[derive(Clone, Debug, Default)]
pub(crate) struct StoredCommands {
    /// The last command that began.
    pub(crate) last: Option<CommandBegan>,
    /// How it ended, if it has.
    pub(crate) ended: Option<CommandEnded>,
}

/// A command that runs.
#[derive(Clone, Debug)]
struct Running {
    id: StoreId,
    /// None if the user keeps it out of the history: then it is not stored.
    line: Option<String>,
    started: Millis,
    /// Where its output begins.
    first: Option<u64>,
    /// Where its end was marked.
    end: Option<(u64, usize)>,
}

/// A command that has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LastCommand {
    pub(crate) id: StoreId,
    /// As typed; none if the user keeps it out of the history.
    pub(crate) line: Option<String>,
    pub(crate) started: Millis,
    pub(crate) ended: Millis,
    pub(crate) exit: Option<i32>,
    pub(crate) lines: Option<CommandLines>,
}

/// A mark in a pane's output.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MarkAt {
    /// The line of the pane, and how many cells of it are before the mark. None on the alternate screen.
    pub(crate) place: Option<(u64, usize)>,
    pub(crate) time: Millis,
}

/// Whose commands they are.
#[derive(Clone, Debug)]
pub(crate) struct CommandMaker {
    /// Who made the session: `user`, or the name of a program.
    pub(crate) by: String,
    /// The shell's process.
    pub(crate) pid: Option<u32>,
}

#[derive(Debug, Default)]
pub(crate) struct CommandTracker {
    /// None if the shell keeps no log.
    log: Option<CommandLog>,
    /// What was read of the log, and has not been seen in the output yet.
    logged: VecDeque<Logged>,
    /// When the last command began, by its name in the store: names sort in the order in which commands began, which may be in the
    /// same millisecond.
    named: Millis,
    /// Commands up to this number were stored by an earlier server.
    stored: u64,
    running: Option<Running>,
    last: Option<LastCommand>,
    /// The last line that the shell has reported.
    last_line: Option<String>,
}

impl CommandTracker {
    /// For a shell that is about to start, with this directory.
    pub(crate) fn expected(dir: &Path) -> Self {
        Self {
            log: Some(CommandLog::new(dir)),
            ..Self::default()
        }
    }

    /// For a shell that an earlier server started, as this process.
    pub(crate) fn found(dir: &Path, pid: Option<u32>, stored: StoredCommands) -> Self {
        let mut tracker = Self::expected(dir);
        let Some(began) = stored.last else {
            return tracker;
        };
        let of_this_shell = began.shell.filter(|(shell, _)| Some(*shell) == pid);
        tracker.named = began.id.made_ms();
        tracker.last_line = Some(began.line.clone());
        tracker.stored = of_this_shell.map_or(0, |(_, number)| number);
        match stored.ended {
            Some(ended) => {
                tracker.last = Some(LastCommand {
                    id: began.id,
                    line: Some(began.line),
                    started: began.started,
                    ended: ended.ended,
                    exit: ended.exit,
                    lines: ended.lines,
                });
            }
            None if of_this_shell.is_some() => {
                tracker.running = Some(Running {
                    id: began.id,
                    line: Some(began.line),
                    started: began.started,
                    first: None,
                    end: None,
                });
            }
            None => {}
        }
        tracker
    }

    /// The last command that has ended.
    pub(crate) fn last(&self) -> Option<&LastCommand> {
        self.last.as_ref()
    }

    /// The line of the command that runs, and when it began.
    pub(crate) fn running(&self) -> Option<(Option<&str>, Millis)> {
        let running = self.running.as_ref()?;
        Some((running.line.as_deref(), running.started))
    }

    /// Takes a mark that was printed. `is_on_screen` says whether a line is what stands above the mark, behind the prompt. Returns what
    /// is to be stored.
    pub(crate) fn take_mark(
        &mut self,
        mark: &PromptMark,
        at: MarkAt,
        maker: &CommandMaker,
        is_on_screen: impl FnOnce(&str) -> bool,
    ) -> Vec<CommandEntry> {
        let mut entries = Vec::new();
        match mark {
            PromptMark::OutputStart { .. } => {
                self.read_log();
                // What came before it in the log had no mark of its own.
                let behind = self
                    .logged
                    .iter()
                    .position(|logged| matches!(logged, Logged::Runs { .. }));
                for _ in 0..behind.unwrap_or(0) {
                    self.take_logged(None, at, maker, &mut entries);
                }
                if behind.is_some() {
                    self.begin_at_mark(at, maker, is_on_screen, &mut entries);
                }
            }
            PromptMark::CommandEnd { .. } => {
                if let Some(running) = &mut self.running {
                    running.end = at.place;
                }
                self.end_at_mark(at, maker, &mut entries);
            }
            PromptMark::PromptStart { secondary: false } | PromptMark::InputStart => {
                self.end_at_mark(at, maker, &mut entries);
            }
            PromptMark::PromptStart { .. } | PromptMark::CommandLine(_) => {}
        }
        entries
    }

    /// Its shell has ended, and the command that runs with it. Returns what is to be stored.
    pub(crate) fn shell_ended(&mut self, time: Millis, maker: &CommandMaker) -> Vec<CommandEntry> {
        let mut entries = Vec::new();
        let at = MarkAt { place: None, time };
        self.read_log();
        while !self.logged.is_empty() {
            self.take_logged(None, at, maker, &mut entries);
        }
        self.end(None, at, &mut entries);
        self.log = None;
        entries
    }

    fn read_log(&mut self) {
        let Some(log) = &mut self.log else {
            return;
        };
        let stored = self.stored;
        let is_running = self.running.is_some();
        self.logged.extend(log.read().into_iter().filter(|logged| {
            let is_end = is_running && matches!(logged, Logged::Ended { .. });
            logged.number() > stored || (logged.number() == stored && is_end)
        }));
    }

    /// The next command of the log begins where its mark is.
    fn begin_at_mark(
        &mut self,
        at: MarkAt,
        maker: &CommandMaker,
        is_on_screen: impl FnOnce(&str) -> bool,
        entries: &mut Vec<CommandEntry>,
    ) {
        if let Some(Logged::Runs { line, .. }) = self.logged.front_mut()
            && line.is_none()
            && let Some(last) = &self.last_line
            && is_on_screen(last)
        {
            // With HISTCONTROL=ignoredups, bash reports no line for a command that is typed again. The line is not taken from
            // the screen, which any program can write to: it is the one that the shell reported before.
            *line = Some(last.clone());
        }
        self.take_logged(at.place, at, maker, entries);
    }

    /// The running command has ended where this mark is, if the log says so.
    fn end_at_mark(&mut self, at: MarkAt, maker: &CommandMaker, entries: &mut Vec<CommandEntry>) {
        // Most marks are those of a prompt at which no command runs: they need no look at the log.
        if self.running.is_none() {
            return;
        }
        self.read_log();
        // A command whose own marks were not printed may stand before its end.
        let ends = |logged: &Logged| matches!(logged, Logged::Ended { .. });
        if self.logged.front().is_some_and(ends) {
            let end = self.running.as_ref().and_then(|running| running.end);
            self.take_logged(end.or(at.place), at, maker, entries);
        }
    }

    /// Takes the first entry of the log.
    fn take_logged(
        &mut self,
        place: Option<(u64, usize)>,
        at: MarkAt,
        maker: &CommandMaker,
        entries: &mut Vec<CommandEntry>,
    ) {
        match self.logged.pop_front() {
            Some(Logged::Runs { number, cwd, line }) => {
                // The end of the one before was not logged.
                self.end(None, at, entries);
                self.named = at.time.max(self.named + 1);
                let running = Running {
                    id: StoreId::new(self.named),
                    line,
                    started: at.time,
                    first: place.map(|(line, _)| line),
                    end: None,
                };
                if let Some(line) = &running.line {
                    self.last_line = Some(line.clone());
                    use std::os::unix::ffi::OsStrExt as _;
                    let cwd = cwd.map(|cwd| cwd.as_os_str().as_bytes().to_vec());
                    entries.push(CommandEntry::Began(CommandBegan {
                        id: running.id,
                        line: line.clone(),
                        cwd: cwd.unwrap_or_default(),
                        started: running.started,
                        by: maker.by.clone(),
                        shell: maker.pid.map(|pid| (pid, number)),
                    }));
                }
                self.running = Some(running);
            }
            Some(Logged::Ended { exit, .. }) => {
                if let Some(running) = &mut self.running {
                    running.end = place;
                }
                self.end(exit, at, entries);
            }
            None => {}
        }
    }

    fn end(&mut self, exit: Option<i32>, at: MarkAt, entries: &mut Vec<CommandEntry>) {
        let Some(running) = self.running.take() else {
            return;
        };
        let lines = running.first.zip(running.end);
        let lines = lines.map(|(first, (line, cell))| CommandLines {
            first,
            // The next prompt goes on in a line that the output has not ended.
            end: line + u64::from(cell > 0),
            last_cells: Some(cell).filter(|cell| *cell > 0),
        });
        let last = LastCommand {
            id: running.id,
            line: running.line,
            started: running.started,
            ended: at.time,
            exit,
            lines: lines.filter(|lines| lines.first <= lines.end),
        };
        if last.line.is_some() {
            entries.push(CommandEntry::Ended(CommandEnded {
                id: last.id,
                ended: last.ended,
                exit,
                lines: last.lines.clone(),
            }));
        }
        self.last = Some(last);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const C: PromptMark = PromptMark::OutputStart { command: None };
    const D: PromptMark = PromptMark::CommandEnd { exit: Some(0) };
    const A: PromptMark = PromptMark::PromptStart { secondary: false };
    const B: PromptMark = PromptMark::InputStart;

    /// A shell that writes its log, and its tracker.
    struct Shell {
        temp: tempfile::TempDir,
        tracker: CommandTracker,
        time: Millis,
        line: u64,
    }

    impl Shell {
        fn new() -> Self {
            let temp = tempfile::tempdir().unwrap();
            CommandLog::expect(temp.path()).unwrap();
            Self {
                tracker: CommandTracker::expected(temp.path()),
                temp,
                time: 1000,
                line: 0,
            }
        }

        fn maker() -> CommandMaker {
            CommandMaker {
                by: "user".to_owned(),
                pid: Some(42),
            }
        }

        fn logs(&self, text: &str) {
            let path = self.temp.path().join("commands");
            let before = std::fs::read_to_string(&path).unwrap();
            std::fs::write(path, before + text).unwrap();
        }

        fn runs(&self, number: u64, line: &str) {
            self.logs(&format!(
                "#shellkeep {number} runs\n/src\n{line}\n#shellkeep {number} end\n"
            ));
        }

        fn ends(&self, number: u64, exit: i32) {
            self.logs(&format!(
                "#shellkeep {number} prompt {exit}\n#shellkeep {number} end\n"
            ));
        }

        /// A mark on the next line; what is to be stored, in short.
        fn mark(&mut self, mark: &PromptMark) -> Vec<String> {
            self.mark_below(mark, "")
        }

        /// The same below this text.
        fn mark_below(&mut self, mark: &PromptMark, above: &str) -> Vec<String> {
            (self.time, self.line) = (self.time + 10, self.line + 1);
            let at = MarkAt {
                place: Some((self.line, 0)),
                time: self.time,
            };
            let is_on_screen = |line: &str| above.ends_with(line);
            let entries = self
                .tracker
                .take_mark(mark, at, &Self::maker(), is_on_screen);
            entries.iter().map(short).collect()
        }

        fn exits(&mut self) -> Vec<String> {
            let entries = self.tracker.shell_ended(self.time, &Self::maker());
            entries.iter().map(short).collect()
        }
    }

    fn short(entry: &CommandEntry) -> String {
        match entry {
            CommandEntry::Began(it) => {
                let (_, number) = it.shell.unwrap();
                format!("{number} {} at {}", it.line, it.started)
            }
            CommandEntry::Ended(it) => {
                let lines = it.lines.as_ref();
                let lines = lines.map(|lines| format!("{}..{}", lines.first, lines.end));
                let exit = it.exit.map(|exit| exit.to_string());
                let [exit, lines] = [exit, lines].map(|it| it.unwrap_or("-".to_owned()));
                format!("ends {exit} lines {lines} at {}", it.ended)
            }
            CommandEntry::Repository(_) => panic!("a tracker knows no repository"),
        }
    }

    #[test]
    fn command_is_stored_with_its_end_and_the_lines_of_its_output() {
        let mut shell = Shell::new();
        assert_eq!(shell.mark(&A), [""; 0]);
        assert_eq!(shell.mark(&B), [""; 0]);
        shell.runs(1, "make");
        assert_eq!(shell.mark(&C), ["1 make at 1030"]);
        assert_eq!(shell.tracker.running(), Some((Some("make"), 1030)));
        shell.line = 20;
        shell.ends(1, 2);
        assert_eq!(shell.mark(&D), ["ends 2 lines 3..21 at 1040"]);
        assert_eq!(shell.tracker.running(), None);
        let last = shell.tracker.last().unwrap();
        assert_eq!((last.line.as_deref(), last.exit), (Some("make"), Some(2)));
        assert_eq!([shell.mark(&A), shell.mark(&B)], [[""; 0]; 2]);
    }

    #[test]
    fn commands_that_ended_before_their_marks_were_read_are_stored_one_by_one() {
        let mut shell = Shell::new();
        for number in 1..=3 {
            shell.runs(number, &format!("c{number}"));
            shell.ends(number, number as i32);
        }
        let marks = [C, D, A, B, C, D, A, B, C, D, A, B];
        let stored: Vec<String> = marks.iter().flat_map(|mark| shell.mark(mark)).collect();
        assert_eq!(
            stored,
            [
                "1 c1 at 1010",
                "ends 1 lines 1..2 at 1020",
                "2 c2 at 1050",
                "ends 2 lines 5..6 at 1060",
                "3 c3 at 1090",
                "ends 3 lines 9..10 at 1100",
            ]
        );
    }

    #[test]
    fn forged_marks_store_nothing_and_end_nothing() {
        let mut shell = Shell::new();
        let forged = PromptMark::OutputStart {
            command: Some("rm -rf /".to_owned()),
        };
        let line = PromptMark::CommandLine("rm -rf /".to_owned());
        let all = [forged, line, D, A, B, C];
        for mark in &all {
            assert_eq!(shell.mark(mark), [""; 0], "{mark:?} at the prompt");
        }
        shell.runs(1, "tail -f log");
        assert_eq!(shell.mark(&C), ["1 tail -f log at 1070"]);
        for mark in &all {
            assert_eq!(shell.mark(mark), [""; 0], "{mark:?} in the output");
        }
        shell.line = 50;
        shell.ends(1, 130);
        assert_eq!(shell.mark(&D), ["ends 130 lines 7..51 at 1140"]);
    }

    #[test]
    fn line_that_is_kept_out_of_the_history_is_not_stored() {
        let mut shell = Shell::new();
        shell.runs(1, "ls");
        shell.mark(&C);
        shell.ends(1, 0);
        shell.mark(&D);
        shell.runs(2, "");
        assert_eq!(shell.mark_below(&C, "$  token=secret"), [""; 0]);
        shell.ends(2, 1);
        assert_eq!(shell.mark(&D), [""; 0]);
        let last = shell.tracker.last().unwrap();
        assert_eq!((&last.line, last.exit), (&None, Some(1)));
        // bash reports no line for one that is typed again.
        shell.runs(3, "");
        assert_eq!(shell.mark_below(&C, "$ ls"), ["3 ls at 1050"]);
    }

    #[test]
    fn names_sort_as_commands_began_even_in_one_millisecond() {
        let mut shell = Shell::new();
        let mut ids = Vec::new();
        for number in 1..=50 {
            shell.runs(number, "true");
            shell.time = 0;
            let at = MarkAt {
                place: None,
                time: 5,
            };
            let entries = shell.tracker.take_mark(&C, at, &Shell::maker(), |_| false);
            let began = entries
                .iter()
                .filter(|it| matches!(it, CommandEntry::Began(_)));
            ids.extend(began.map(CommandEntry::id));
        }
        assert_eq!(ids.len(), 50);
        assert!(ids.is_sorted(), "{ids:?}");
    }

    #[test]
    fn shell_that_exits_ends_its_command() {
        let mut shell = Shell::new();
        shell.runs(1, "exec top");
        shell.mark(&C);
        assert_eq!(shell.exits(), ["ends - lines - at 1010"]);
        assert_eq!(shell.exits(), [""; 0]);
        let mut shell = Shell::new();
        shell.runs(1, "exit 3");
        // Its mark was not read any more.
        assert_eq!(
            shell.exits(),
            ["1 exit 3 at 1000", "ends - lines - at 1000"]
        );
    }

    #[test]
    fn next_server_goes_on_where_the_last_one_ended() {
        let mut shell = Shell::new();
        shell.runs(1, "first");
        let began = {
            let at = MarkAt {
                place: None,
                time: 7,
            };
            let entries = shell.tracker.take_mark(&C, at, &Shell::maker(), |_| false);
            let [CommandEntry::Began(began)] = &entries[..] else {
                panic!("{entries:?}");
            };
            began.clone()
        };
        let take_over = |shell: &Shell, pid, ended: Option<CommandEnded>| {
            let stored = StoredCommands {
                last: Some(began.clone()),
                ended,
            };
            CommandTracker::found(shell.temp.path(), Some(pid), stored)
        };
        // It still runs, and ends under the next server.
        shell.tracker = take_over(&shell, 42, None);
        assert_eq!(shell.tracker.running(), Some((Some("first"), 7)));
        assert_eq!(shell.mark(&A), [""; 0]);
        shell.ends(1, 4);
        let stored = shell.mark(&D);
        assert_eq!(stored, ["ends 4 lines - at 1020"]);
        // Its end was stored.
        let ended = CommandEnded {
            id: began.id,
            ended: 1020,
            exit: Some(4),
            lines: None,
        };
        shell.tracker = take_over(&shell, 42, Some(ended));
        assert_eq!(shell.tracker.last().unwrap().exit, Some(4));
        shell.runs(2, "second");
        assert_eq!(shell.mark(&C), ["2 second at 1030"]);
        // The last command was that of another shell, which is gone.
        shell.tracker = take_over(&shell, 7, None);
        assert_eq!(shell.tracker.running(), None);
        assert_eq!(shell.mark(&C), ["1 first at 1040"], "its log is new");
    }
}
