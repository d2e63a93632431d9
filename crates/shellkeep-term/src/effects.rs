//! Requests of a program that the engine cannot fulfil itself, in the order in which they were made.

use shellkeep_core::Size;

/// Effects of one feed, oldest first. The caller passes an empty list, and carries out what it contains afterwards.
pub type Effects = Vec<Effect>;

/// A request of a program that the engine cannot fulfil itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// An answer: write these bytes back to the program.
    Reply(Vec<u8>),
    Bell,
    /// The window's title changed (OSC 0, 2, or the title stack).
    Title(String),
    /// A program named its window as in screen and tmux (`ESC k`). An empty name restores automatic naming.
    WindowName(String),
    /// The icon's name changed (OSC 0, 1).
    IconName(String),
    /// The shell reported its directory (OSC 7): a path, or the URL if it is not a `file:` one.
    Cwd(String),
    /// A program wants to set or read the clipboard (OSC 52).
    Clipboard {
        /// The selections, as the program wrote them: `c`, `p`, `s0` and so on. Empty means the default one.
        selection: String,
        action: ClipboardAction,
    },
    /// A notice for the user (OSC 9, OSC 777).
    Notify {
        /// Its title; empty for OSC 9.
        title: String,
        body: String,
    },
    /// A progress bar (OSC 9;4).
    Progress(Progress),
    /// The shell marked a point of its cycle of prompt, command and output (OSC 133).
    Prompt {
        mark: PromptMark,
        /// The number of the logical line with the mark, which it has or will have in the history. `None` on the
        /// alternate screen, and without a history.
        line: Option<u64>,
        /// How many cells of that line are before the mark.
        cell: usize,
    },
    /// A program reported its state (OSC 7501), as it wrote it.
    Status(String),
    /// A program asked for another size (XTWINOPS 4 and 8, DECSLPP, DECSCPP, DECSNLS).
    ResizeRequest {
        /// Rows wanted, if any.
        rows: Option<u16>,
        /// Columns wanted, if any.
        cols: Option<u16>,
    },
    /// Colours were set or reset (OSC 4, 5, 10 to 19, 104, 105, 110 to 119). The engine has the current ones.
    PaletteChanged,
    /// The program erased the history (ED 3): all sealed pages are void.
    HistoryCleared,
    /// The program reset the terminal (RIS): all earlier requests are void.
    Reset,
    /// A size report of mode 2048 is due. The server sends one on every resize as well.
    SizeReport(Size),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClipboardAction {
    /// Set the clipboard; empty clears it.
    Set(Vec<u8>),
    /// Send the clipboard's content to the program. The server decides whether to answer.
    Query,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    None,
    /// Running, percent done.
    Value(u8),
    /// Failed, percent done.
    Error(u8),
    /// Running, at an unknown percentage.
    Indeterminate,
    /// Paused, percent done.
    Paused(u8),
}

/// A point of the shell's cycle of prompt, command and output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PromptMark {
    /// A: the prompt begins.
    PromptStart {
        /// Whether it is a continuation prompt or a right-hand prompt (`k=s`, `k=c`, `k=r`).
        secondary: bool,
    },
    /// B: the prompt ends, and what follows is typed.
    InputStart,
    /// C: the command runs, and what follows is its output.
    OutputStart {
        /// The command line, if the shell reported it (`cmdline=` or `cmdline_url=`).
        command: Option<String>,
    },
    /// D: the command ended.
    CommandEnd {
        /// Its exit status, if reported.
        exit: Option<i32>,
    },
    /// E (ours and VS Code's): the command line as typed.
    CommandLine(String),
}
