//! Whether a pane can sleep: a verdict over what the server found out about its shell.
//!
//! Every part rules out something that looks idle and is not. Whatever is in doubt stays awake: a pane that
//! runs for nothing costs some memory, one that was ended by mistake costs somebody's work.

use std::fmt;

use crate::resume::without_interpreter;

/// What a shell last said of itself (OSC 133).
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

/// Who has the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Foreground {
    /// The shell that the pane was started with.
    Shell,
    /// The process group of another process.
    Other {
        /// Its leader.
        pid: i32,
    },
    /// It could not be found out.
    Unknown,
}

/// A process that is not the pane's shell but belongs to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessFact {
    /// Its id.
    pub pid: i32,
    /// Its group, by which a job is known.
    pub group: i32,
    /// Its parent.
    pub parent: i32,
    /// Its name, as the system has it.
    pub name: String,
    /// Its arguments; empty if they could not be read.
    pub argv: Vec<String>,
    /// It is of the shell's session.
    pub same_session: bool,
    /// Its controlling terminal is the pane's.
    pub same_tty: bool,
    /// It is stopped, as by Ctrl-Z.
    pub is_stopped: bool,
    /// It is a copy of the shell, and has become no other program.
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

/// What is known of a pane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// The shell's process; `None` if it has ended.
    pub shell: Option<i32>,
    /// What now runs in the shell's process, if it is no longer the program that was started: `exec`.
    pub replaced_by: Option<Vec<String>>,
    /// The shell tells of its prompts: our integration, or marks of its own.
    pub has_integration: bool,
    /// The last mark.
    pub last_mark: Option<Mark>,
    /// The last prompt goes on with a command that was begun: an open quote, a loop, a here-document.
    pub is_continuation: bool,
    /// Who has the terminal.
    pub foreground: Foreground,
    /// The terminal is in canonical mode: no line editor is at work, somebody reads plain lines.
    pub canonical_tty: bool,
    /// Every other living process that has the shell's session or terminal, or comes from it.
    pub other_processes: Vec<ProcessFact>,
    /// What the shell has open besides its terminal and its own files, as texts for people.
    pub extra_fds: Vec<String>,
    /// The shell has one of our own files open: it still reads what it is to come back with.
    pub is_arriving: bool,
    /// There is output that no client has shown.
    pub unread_output: bool,
    /// `spare-unread` is on.
    pub spare_unread: bool,
    /// Input for the shell waits that it has not read.
    pub unread_input: bool,
}

/// Whether a pane can sleep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is a shell idle at its prompt.
    CanSleep,
    /// A program runs in it, which a resume rule may bring back.
    Runs {
        /// What, as one would type it.
        program: String,
        /// Its process.
        pid: i32,
    },
    /// Something else keeps it awake.
    Refused {
        /// What.
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

/// What keeps a pane awake that has no program in front. The text is one plain sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The shell has ended.
    Dead,
    /// Nothing is known of the shell's prompts.
    NoIntegration,
    /// No prompt was shown yet.
    NoPromptYet,
    /// The prompt is being drawn.
    DrawingPrompt,
    /// The shell runs something of its own: `read`, `wait`, a loop.
    RunsBuiltin,
    /// A command of several lines is half typed.
    Continuation,
    /// Nobody edits a line: something reads plain lines.
    ReadsLines,
    /// A job was stopped.
    StoppedJob(String),
    /// A job runs in the background.
    BackgroundJob(String),
    /// A copy of the shell runs in the background: a job, or what the shell runs to draw its prompt.
    BackgroundCopy(String),
    /// A process that nobody waits for any more still has the terminal.
    LeftBehind(String),
    /// The shell still reads what it is to come back with.
    Arriving,
    /// The shell has files or pipes open.
    OpenFiles(Vec<String>),
    /// Somebody has typed what the shell did not read.
    UnreadInput,
    /// There is output that nobody has seen.
    UnreadOutput,
    /// It could not be found out who has the terminal.
    Unknown,
}

impl Reason {
    /// Whether it may be over in a moment, as when a quick command was just sent: whoever asks had better wait for that.
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
                // Who has the terminal was started after the processes were looked at.
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
            Self::Unknown => "it cannot be found out who uses its terminal",
        };
        f.write_str(text)
    }
}

/// Judges whether a pane can sleep. The first thing that speaks against it is told, what a user would name
/// first before what only the system sees.
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

/// Whether a shell at its prompt has forked for something of its own, as a trap that was called by a change of the window's size:
/// nobody has typed that, and it is over in a moment.
fn is_own_doing(facts: &Facts, shell: i32, leader: i32) -> bool {
    let mut all = facts.other_processes.iter();
    let leader = all.find(|process| process.pid == leader);
    facts.last_mark == Some(Mark::PromptEnds)
        && leader.is_some_and(|it| it.parent == shell && it.is_fork)
}

/// The program that has the terminal.
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
    // The shell's own child before a grandchild: it is what was typed.
    let child = own().find(|process| process.parent == shell);
    if let Some(job) = child {
        let command = job.command();
        return Some(match own().all(|process| process.is_fork) {
            true => Reason::BackgroundCopy(command),
            false => Reason::BackgroundJob(command),
        });
    }
    // A child of the shell that has left its session (setsid, a terminal of its own) is the shell's all the
    // same: `wait` in the shell would wait for it.
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

/// Longest command told in a sentence, in characters.
const LONGEST: usize = 60;

/// A command in one short line that is safe to print: arguments can hold anything.
fn command_text(name: &str, argv: &[String]) -> String {
    let words: Vec<_> = match without_interpreter(argv).split_first() {
        Some((program, rest)) => {
            // A login shell's name begins with a dash, a path says little here.
            let program = program.trim_start_matches('-');
            let program = program.rsplit('/').next().unwrap_or(program);
            let rest = rest.iter().map(String::as_str);
            std::iter::once(program).chain(rest).collect()
        }
        None => vec![name],
    };
    let text = safe(words.join(" ").trim());
    match text.char_indices().nth(LONGEST) {
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
