//! What a program asked of the world, in the order it asked.

use shellkeep_core::Size;

/// Effects of one feed, oldest first. The caller hands an empty list in and acts on what it finds.
pub type Effects = Vec<Effect>;

/// A request of a program that the engine cannot fulfil itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// An answer: write these bytes back to the program.
    Reply(Vec<u8>),
    Bell,
    /// The window's title changed (OSC 0, 2, or the title stack).
    Title(String),
    /// The program named the window of a multiplexer (`ESC k`); an empty name takes that back.
    WindowName(String),
    /// The icon's name changed (OSC 0, 1).
    IconName(String),
    /// The shell said where it is (OSC 7): a path, or the URL if it is not a `file:` one.
    Cwd(String),
    /// A program wants to set or read the clipboard (OSC 52).
    Clipboard {
        /// Which ones, as the program wrote it: `c`, `p`, `s0` and so on. Empty means the usual one.
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
    /// The shell marked a place in its cycle (OSC 133).
    Prompt(PromptMark),
    /// A program told its state (OSC 7501), as it wrote it.
    Status(String),
    /// A program wants another size (XTWINOPS 4 and 8, DECSLPP, DECSCPP, DECSNLS).
    ResizeRequest {
        /// Rows wanted, if any.
        rows: Option<u16>,
        /// Columns wanted, if any.
        cols: Option<u16>,
    },
    /// Colours were changed or put back (OSC 4, 5, 10 to 19, 104, 105, 110 to 119): ask the engine for them.
    PaletteChanged,
    /// The program threw the history away (ED 3): sealed pages are void.
    HistoryCleared,
    /// The program was reset (RIS): everything it had asked for is void.
    Reset,
    /// The size report of mode 2048 is due; the server sends one on every resize as well.
    SizeReport(Size),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClipboardAction {
    /// Put this in; empty clears it.
    Set(Vec<u8>),
    /// Tell the program what is in it. The server decides whether to answer.
    Query,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    None,
    /// Running, percent done.
    Value(u8),
    /// Failed, percent done.
    Error(u8),
    /// Running, and the program has not said how far.
    Indeterminate,
    /// Paused, percent done.
    Paused(u8),
}

/// A place in the shell's cycle of prompt, command and output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PromptMark {
    /// A: the prompt begins.
    PromptStart {
        /// Whether this is a continuation or a right-hand prompt (`k=s`, `k=c`, `k=r`), not a first one.
        secondary: bool,
    },
    /// B: the prompt ends, what follows is typed.
    InputStart,
    /// C: the command runs, what follows is its output. The command line, if the shell told it.
    OutputStart {
        /// What was typed (`cmdline=` or `cmdline_url=`).
        command: Option<String>,
    },
    /// D: the command ended.
    CommandEnd {
        /// Its exit code, if told.
        exit: Option<i32>,
    },
    /// E (ours and VS Code's): the command line as typed.
    CommandLine(String),
}
