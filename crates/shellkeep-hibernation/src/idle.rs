//! Whether a pane can sleep: a verdict over what the server found out about its shell.
//!
//! Each rule excludes a pane that looks idle and is not. In doubt a pane stays awake: an idle pane that runs costs some
//! memory, a busy one that is ended costs the user's work.

use std::fmt;

use crate::resume::without_interpreter;

/// The last prompt mark that a shell printed (OSC 133).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// `A`: a prompt begins.
    PromptBegins,
    /// `B`: the prompt is complete, a command can be typed.
    PromptEnds,
    /// `C`: a command runs.
    CommandBegins,
    /// `D`: a command has ended, and no prompt is there yet.
    CommandEnds,
}

/// The process group in the foreground of the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Foreground {
    /// The shell that the pane was started with.
    Shell,
    /// The process group of another process.
    Other {
        /// Its leader.
        pid: i32,
    },
    /// The system did not report it.
    Unknown,
}

/// A process that is not the pane's shell but belongs to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessFact {
    /// Its pid.
    pub pid: i32,
    /// Its process group, which identifies a job.
    pub group: i32,
    /// Its parent's pid.
    pub parent: i32,
    /// Its name in the process table.
    pub name: String,
    /// Its arguments; empty if they could not be read.
    pub argv: Vec<String>,
    /// It is in the shell's session.
    pub same_session: bool,
    /// Its controlling terminal is the pane's.
    pub same_tty: bool,
    /// It is stopped, as by Ctrl-Z.
    pub is_stopped: bool,
    /// It is a fork of the shell that has not executed another program.
    pub is_fork: bool,
}

impl ProcessFact {
    fn belongs(&self) -> bool {
        self.same_session || self.same_tty
    }

    fn command(&self) -> String {
        command_text(&self.name, &self.argv)
    }
}

/// The facts about a pane, gathered by the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// The shell's process; `None` if it has ended.
    pub shell: Option<i32>,
    /// The program that replaced the shell in its process (`exec`).
    pub replaced_by: Option<Vec<String>>,
    /// The shell marks its prompts, by our integration or by its own.
    pub has_integration: bool,
    /// The last prompt mark.
    pub last_mark: Option<Mark>,
    /// The last prompt goes on with a command that was begun: an open quote, a loop, a here-document.
    pub is_continuation: bool,
    /// The foreground process group.
    pub foreground: Foreground,
    /// The terminal is in canonical mode: a program reads plain lines, and no line editor is active.
    pub canonical_tty: bool,
    /// Every other living process that has the shell's session or terminal, or descends from it.
    pub other_processes: Vec<ProcessFact>,
    /// Files that the shell has open besides its terminal and its own files, as shown to the user.
    pub extra_fds: Vec<String>,
    /// The shell has one of our files open: it is still reading the state that it is revived with.
    pub is_arriving: bool,
    /// There is output that no client has shown.
    pub unread_output: bool,
    /// `spare-unread` is on.
    pub spare_unread: bool,
    /// The terminal holds input that the shell has not read.
    pub unread_input: bool,
}

/// Whether a pane can sleep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The shell is idle at its prompt.
    CanSleep,
    /// A program runs in it, which a resume rule may bring back.
    Runs {
        /// Its command line, as the user would type it.
        program: String,
        /// Its pid.
        pid: i32,
    },
    /// Something else keeps it awake.
    Refused {
        /// The reason.
        reason: Reason,
    },
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CanSleep => f.write_str("idle at its prompt"),
            Self::Runs { program, .. } => write!(f, "runs: {program}"),
            Self::Refused { reason } => reason.fmt(f),
        }
    }
}

/// The reason why a pane without a foreground program stays awake. Its text is one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The shell has ended.
    Dead,
    /// The shell does not mark its prompts.
    NoIntegration,
    /// No prompt was shown yet.
    NoPromptYet,
    /// The prompt is being drawn.
    DrawingPrompt,
    /// The shell runs something of its own: `read`, `wait`, a loop.
    RunsBuiltin,
    /// A command of several lines is half typed.
    Continuation,
    /// The terminal is in canonical mode: a program reads plain lines.
    ReadsLines,
    /// A job was stopped.
    StoppedJob(String),
    /// A job runs in the background.
    BackgroundJob(String),
    /// A copy of the shell runs in the background: a job, or what the shell runs to draw its prompt.
    BackgroundCopy(String),
    /// An orphaned process still uses the terminal.
    LeftBehind(String),
    /// The shell is still reading the state that it is revived with.
    Arriving,
    /// The shell has files or pipes open.
    OpenFiles(Vec<String>),
    /// The user has typed input that the shell has not read.
    UnreadInput,
    /// No client has shown the last output.
    UnreadOutput,
    /// The system did not report the foreground process group.
    Unknown,
}

impl Reason {
    /// Whether the reason may pass within a moment, as when a quick command was just sent. The caller then waits and
    /// judges again.
    #[must_use]
    pub fn is_passing(&self) -> bool {
        matches!(
            self,
            Self::DrawingPrompt
                | Self::RunsBuiltin
                | Self::ReadsLines
                | Self::UnreadInput
                | Self::Arriving
                | Self::BackgroundCopy(_)
                // The foreground process was started after the process table was read.
                | Self::Unknown
        )
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::Dead => "its shell has ended",
            Self::NoIntegration => "its shell does not tell where its prompt is",
            Self::NoPromptYet => "its shell has not shown a prompt yet",
            Self::DrawingPrompt => "its shell is about to show a prompt",
            Self::RunsBuiltin => "its shell runs a command",
            Self::Continuation => "a half-typed command of several lines",
            Self::ReadsLines => "something reads lines from the terminal",
            Self::StoppedJob(command) => return write!(f, "a stopped job: {command}"),
            Self::BackgroundJob(command) | Self::BackgroundCopy(command) => {
                return write!(f, "a background job: {command}");
            }
            Self::LeftBehind(command) => return write!(f, "a process left behind: {command}"),
            Self::OpenFiles(files) => {
                f.write_str("its shell has open files")?;
                let mut separator = ": ";
                for file in files.iter().take(3) {
                    write!(f, "{separator}{}", safe(file))?;
                    separator = ", ";
                }
                return f.write_str(if files.len() > 3 { ", …" } else { "" });
            }
            Self::Arriving => "its shell has not read all of its state yet",
            Self::UnreadInput => "its shell has not read what was typed",
            Self::UnreadOutput => "nobody has seen its output",
            Self::Unknown => "it is unknown which process uses its terminal",
        };
        f.write_str(text)
    }
}

/// Judges whether a pane can sleep. The verdict names the first obstacle: those that the user sees come before those
/// that only the system sees.
#[must_use]
pub fn judge(facts: &Facts) -> Verdict {
    let refused = |reason| Verdict::Refused { reason };
    let Some(shell) = facts.shell else {
        return refused(Reason::Dead);
    };
    if let Some(argv) = &facts.replaced_by {
        let program = command_text("", argv);
        let pid = shell;
        return Verdict::Runs { program, pid };
    }
    match facts.foreground {
        Foreground::Shell => {}
        Foreground::Other { pid } if is_own_doing(facts, shell, pid) => {
            return refused(Reason::DrawingPrompt);
        }
        Foreground::Other { pid } => return in_front(facts, pid),
        Foreground::Unknown => return refused(Reason::Unknown),
    }
    match processes(facts, shell).or_else(|| prompt(facts)) {
        Some(reason) => refused(reason),
        None => Verdict::CanSleep,
    }
}

/// Whether a shell at its prompt has forked for work of its own, such as a trap on SIGWINCH. The user did not start it,
/// and it ends within a moment.
fn is_own_doing(facts: &Facts, shell: i32, leader: i32) -> bool {
    let mut all = facts.other_processes.iter();
    let leader = all.find(|process| process.pid == leader);
    facts.last_mark == Some(Mark::PromptEnds)
        && leader.is_some_and(|it| it.parent == shell && it.is_fork)
}

/// The verdict on the program in the foreground.
fn in_front(facts: &Facts, leader: i32) -> Verdict {
    let processes = &facts.other_processes;
    // The leader of a pipeline may have ended before the rest of it.
    let program = processes
        .iter()
        .find(|process| process.pid == leader)
        .or_else(|| processes.iter().find(|process| process.group == leader));
    match program {
        Some(process) => Verdict::Runs {
            program: process.command(),
            pid: process.pid,
        },
        None => Verdict::Refused {
            reason: Reason::Unknown,
        },
    }
}

fn processes(facts: &Facts, shell: i32) -> Option<Reason> {
    let own = || facts.other_processes.iter().filter(|one| one.belongs());
    if let Some(stopped) = own().find(|process| process.is_stopped) {
        return Some(Reason::StoppedJob(stopped.command()));
    }
    // The shell's own child rather than a grandchild, because the user typed the child's command.
    let child = own().find(|process| process.parent == shell);
    if let Some(job) = child {
        let command = job.command();
        return Some(match own().all(|process| process.is_fork) {
            true => Reason::BackgroundCopy(command),
            false => Reason::BackgroundJob(command),
        });
    }
    // A child of the shell that has left its session (setsid, or a terminal of its own) still belongs to the shell:
    // `wait` in the shell would wait for it.
    let away = facts.other_processes.iter();
    if let Some(job) = away.clone().find(|process| process.parent == shell) {
        return Some(Reason::BackgroundJob(job.command()));
    }
    own().next().map(|left| Reason::LeftBehind(left.command()))
}

fn prompt(facts: &Facts) -> Option<Reason> {
    if !facts.has_integration {
        return Some(Reason::NoIntegration);
    }
    match facts.last_mark {
        None => return Some(Reason::NoPromptYet),
        Some(Mark::PromptBegins | Mark::CommandEnds) => return Some(Reason::DrawingPrompt),
        Some(Mark::CommandBegins) => return Some(Reason::RunsBuiltin),
        Some(Mark::PromptEnds) => {}
    }
    if facts.is_continuation {
        return Some(Reason::Continuation);
    }
    if facts.canonical_tty {
        return Some(Reason::ReadsLines);
    }
    if facts.unread_input {
        return Some(Reason::UnreadInput);
    }
    if facts.is_arriving {
        return Some(Reason::Arriving);
    }
    if !facts.extra_fds.is_empty() {
        return Some(Reason::OpenFiles(facts.extra_fds.clone()));
    }
    (facts.spare_unread && facts.unread_output).then_some(Reason::UnreadOutput)
}

/// A longer command is cut off in sentences; in characters.
const MAX_COMMAND_SHOWN: usize = 60;

/// A command in one short line without control characters.
fn command_text(name: &str, argv: &[String]) -> String {
    let words: Vec<_> = match without_interpreter(argv).split_first() {
        Some((program, rest)) => {
            // A login shell's name begins with a dash, and the path is of no interest here.
            let program = program.trim_start_matches('-');
            let program = program.rsplit('/').next().unwrap_or(program);
            let rest = rest.iter().map(String::as_str);
            std::iter::once(program).chain(rest).collect()
        }
        None => vec![name],
    };
    let text = safe(words.join(" ").trim());
    match text.char_indices().nth(MAX_COMMAND_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

fn safe(text: &str) -> String {
    let printable = |c: char| if c.is_control() { ' ' } else { c };
    text.chars().map(printable).collect()
}

#[cfg(test)]
mod tests;
