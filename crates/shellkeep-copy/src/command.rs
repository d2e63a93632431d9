//! The commands of copy mode, by their names in `send-keys -X`.

use std::fmt;

/// The effect of a command on the highlighted search matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Clear {
    /// Removes them.
    Always,
    /// Keeps them.
    Never,
    /// Removes them with emacs keys, and keeps them with vi keys.
    Emacs,
}

macro_rules! actions {
    ($($(#[$doc:meta])* $variant:ident = $name:literal, $clear:ident, $safe:ident;)*) => {
        /// A command without arguments.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Action {
            $($(#[$doc])* $variant,)*
        }

        const ACTIONS: &[(&str, Action, Clear, Safe)] =
            &[$(($name, Action::$variant, Clear::$clear, Safe::$safe),)*];
    };
}

/// Whether a read-only client may use a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Safe {
    Yes,
    No,
}

actions! {
    /// Append the selection to the newest buffer.
    AppendSelection = "append-selection", Always, No;
    AppendSelectionAndCancel = "append-selection-and-cancel", Always, No;
    /// To the first character of the line that is not blank.
    BackToIndentation = "back-to-indentation", Always, Yes;
    /// Begin a selection at the cursor.
    BeginSelection = "begin-selection", Always, No;
    /// To the lowest visible row.
    BottomLine = "bottom-line", Emacs, Yes;
    Cancel = "cancel", Always, Yes;
    ClearSelection = "clear-selection", Always, No;
    CursorDown = "cursor-down", Emacs, Yes;
    /// One row down; exits at the end.
    CursorDownAndCancel = "cursor-down-and-cancel", Always, Yes;
    CursorLeft = "cursor-left", Emacs, Yes;
    CursorRight = "cursor-right", Emacs, Yes;
    CursorUp = "cursor-up", Emacs, Yes;
    /// To the end of the line.
    EndOfLine = "end-of-line", Emacs, Yes;
    HalfpageDown = "halfpage-down", Emacs, Yes;
    /// Half a page down; exits at the end.
    HalfpageDownAndCancel = "halfpage-down-and-cancel", Always, Yes;
    HalfpageUp = "halfpage-up", Emacs, Yes;
    /// To the end of the text.
    HistoryBottom = "history-bottom", Emacs, Yes;
    /// To the beginning of the text.
    HistoryTop = "history-top", Emacs, Yes;
    JumpAgain = "jump-again", Emacs, No;
    /// Repeat the last jump in the other direction.
    JumpReverse = "jump-reverse", Emacs, No;
    JumpToMark = "jump-to-mark", Always, Yes;
    /// To the middle row of the view.
    MiddleLine = "middle-line", Emacs, Yes;
    /// To the bracket that closes this one.
    NextMatchingBracket = "next-matching-bracket", Always, Yes;
    /// To the next empty line after text.
    NextParagraph = "next-paragraph", Emacs, Yes;
    /// To the next prompt of the shell.
    NextPrompt = "next-prompt", Always, Yes;
    /// To the next word, with words separated by blanks only.
    NextSpace = "next-space", Emacs, Yes;
    /// To the end of the next word, with words separated by blanks only.
    NextSpaceEnd = "next-space-end", Emacs, Yes;
    NextWord = "next-word", Emacs, Yes;
    /// To the end of the next word.
    NextWordEnd = "next-word-end", Emacs, Yes;
    /// To the other end of the selection.
    OtherEnd = "other-end", Emacs, No;
    PageDown = "page-down", Emacs, Yes;
    /// A page down; exits at the end.
    PageDownAndCancel = "page-down-and-cancel", Always, Yes;
    PageUp = "page-up", Emacs, Yes;
    /// To the bracket that opens this one.
    PreviousMatchingBracket = "previous-matching-bracket", Always, Yes;
    /// To the previous empty line before text.
    PreviousParagraph = "previous-paragraph", Emacs, Yes;
    /// To the previous prompt of the shell.
    PreviousPrompt = "previous-prompt", Always, Yes;
    /// To the previous word, with words separated by blanks only.
    PreviousSpace = "previous-space", Emacs, Yes;
    PreviousWord = "previous-word", Emacs, Yes;
    RectangleOn = "rectangle-on", Always, No;
    RectangleOff = "rectangle-off", Always, No;
    /// Switch between a rectangle and lines of text.
    RectangleToggle = "rectangle-toggle", Always, No;
    /// Show the pane as it is now.
    RefreshFromPane = "refresh-from-pane", Always, Yes;
    /// Move the view a row down.
    ScrollDown = "scroll-down", Emacs, Yes;
    /// Move the view a row down; exits at the end.
    ScrollDownAndCancel = "scroll-down-and-cancel", Always, Yes;
    /// Move the view a row up.
    ScrollUp = "scroll-up", Emacs, Yes;
    SearchAgain = "search-again", Always, No;
    /// Repeat the last search in the other direction.
    SearchReverse = "search-reverse", Always, No;
    SelectLine = "select-line", Always, No;
    /// Select the output of the last command, according to the shell's prompt marks.
    SelectOutput = "select-output", Always, No;
    SelectWord = "select-word", Always, No;
    SetMark = "set-mark", Always, Yes;
    /// To the beginning of the line.
    StartOfLine = "start-of-line", Emacs, Yes;
    /// Keep the selection when the cursor moves on.
    StopSelection = "stop-selection", Always, No;
    TogglePosition = "toggle-position", Never, Yes;
    /// To the highest visible row.
    TopLine = "top-line", Emacs, Yes;
}

/// What is copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    Selection,
    /// The line, or as many lines as the repeat count.
    Line,
    /// From the cursor to the end of the line, or of as many lines as the repeat count.
    EndOfLine,
}

/// Where copied text is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sink {
    Buffer,
    /// To a paste buffer and to a command; `None` for the option `copy-command`.
    BufferAndPipe(Option<String>),
    /// To a command only.
    Pipe(Option<String>),
}

/// What happens after copying.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    /// The selection is dropped.
    Clear,
    /// The selection is kept.
    Keep,
    /// Copy mode ends.
    Cancel,
}

/// Up or down the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To older text.
    Backward,
    /// To newer text.
    Forward,
}

impl Direction {
    pub(crate) fn reversed(self) -> Self {
        match self {
            Self::Backward => Self::Forward,
            Self::Forward => Self::Backward,
        }
    }
}

/// Where a jump to a character ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Land {
    On,
    Before,
}

/// How the text of a search is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// As a regular expression.
    Regex,
    Literal,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CopyCommand {
    /// A command without arguments.
    Do(Action),
    /// A command that copies.
    Copy {
        /// What is copied.
        extent: Extent,
        /// Where it is sent.
        sink: Sink,
        /// The prefix of the new buffer's name.
        prefix: Option<String>,
        /// What happens afterwards.
        after: After,
    },
    /// Scroll until the view's top has so many rows of history below it.
    GotoLine(String),
    /// To a character of the line.
    Jump(Direction, Land, String),
    /// Search; does nothing without a text.
    Search(Direction, Pattern, Option<String>),
    /// Search while typing. The text begins with `=`, `+` or `-`, as an incremental prompt sends it.
    SearchIncremental(Direction, String),
}

/// Why words are not a command of copy mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CopyCommandError {
    /// There is no command of this name.
    Unknown(String),
    /// The command takes fewer or more arguments.
    Arguments(String),
}

impl fmt::Display for CopyCommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(name) => write!(f, "unknown copy mode command: {name}"),
            Self::Arguments(name) => write!(f, "wrong number of arguments for {name}"),
        }
    }
}

impl std::error::Error for CopyCommandError {}

/// Commands that copy: name, what is copied, whether it is sent to a buffer and a command, and what happens afterwards.
const COPIES: &[(&str, Extent, Feeds, After)] = &[
    (
        "copy-end-of-line",
        Extent::EndOfLine,
        Feeds::Buffer,
        After::Clear,
    ),
    (
        "copy-end-of-line-and-cancel",
        Extent::EndOfLine,
        Feeds::Buffer,
        After::Cancel,
    ),
    ("copy-line", Extent::Line, Feeds::Buffer, After::Clear),
    (
        "copy-line-and-cancel",
        Extent::Line,
        Feeds::Buffer,
        After::Cancel,
    ),
    ("copy-pipe", Extent::Selection, Feeds::Both, After::Clear),
    (
        "copy-pipe-and-cancel",
        Extent::Selection,
        Feeds::Both,
        After::Cancel,
    ),
    (
        "copy-pipe-end-of-line",
        Extent::EndOfLine,
        Feeds::Both,
        After::Clear,
    ),
    (
        "copy-pipe-end-of-line-and-cancel",
        Extent::EndOfLine,
        Feeds::Both,
        After::Cancel,
    ),
    ("copy-pipe-line", Extent::Line, Feeds::Both, After::Clear),
    (
        "copy-pipe-line-and-cancel",
        Extent::Line,
        Feeds::Both,
        After::Cancel,
    ),
    (
        "copy-pipe-no-clear",
        Extent::Selection,
        Feeds::Both,
        After::Keep,
    ),
    (
        "copy-selection",
        Extent::Selection,
        Feeds::Buffer,
        After::Clear,
    ),
    (
        "copy-selection-and-cancel",
        Extent::Selection,
        Feeds::Buffer,
        After::Cancel,
    ),
    (
        "copy-selection-no-clear",
        Extent::Selection,
        Feeds::Buffer,
        After::Keep,
    ),
    ("pipe", Extent::Selection, Feeds::Command, After::Clear),
    (
        "pipe-and-cancel",
        Extent::Selection,
        Feeds::Command,
        After::Cancel,
    ),
    (
        "pipe-no-clear",
        Extent::Selection,
        Feeds::Command,
        After::Keep,
    ),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Feeds {
    Buffer,
    Both,
    Command,
}

const JUMPS: &[(&str, Direction, Land)] = &[
    ("jump-backward", Direction::Backward, Land::On),
    ("jump-forward", Direction::Forward, Land::On),
    ("jump-to-backward", Direction::Backward, Land::Before),
    ("jump-to-forward", Direction::Forward, Land::Before),
];

const SEARCHES: &[(&str, Direction, Pattern)] = &[
    ("search-backward", Direction::Backward, Pattern::Regex),
    (
        "search-backward-text",
        Direction::Backward,
        Pattern::Literal,
    ),
    ("search-forward", Direction::Forward, Pattern::Regex),
    ("search-forward-text", Direction::Forward, Pattern::Literal),
];

const INCREMENTAL: &[(&str, Direction)] = &[
    ("search-backward-incremental", Direction::Backward),
    ("search-forward-incremental", Direction::Forward),
];

const GOTO_LINE: &str = "goto-line";

impl CopyCommand {
    /// Parses a command.
    ///
    /// # Errors
    /// When there is no command of this name with this number of arguments.
    pub fn parse(words: &[&str]) -> Result<Self, CopyCommandError> {
        let (name, arguments) = words.split_first().map_or(("", words), |(n, a)| (*n, a));
        let owned = |at: usize| arguments.get(at).map(|word| (*word).to_owned());
        let check = |least: usize, most: usize| {
            if (least..=most).contains(&arguments.len()) {
                Ok(())
            } else {
                Err(CopyCommandError::Arguments(name.to_owned()))
            }
        };
        if let Some((_, action, ..)) = ACTIONS.iter().find(|row| row.0 == name) {
            return check(0, 0).map(|()| Self::Do(*action));
        }
        if let Some((_, extent, feeds, after)) = COPIES.iter().find(|row| row.0 == name) {
            let (sink, prefix) = match feeds {
                Feeds::Buffer => (Sink::Buffer, check(0, 1).map(|()| owned(0))?),
                Feeds::Both => (
                    Sink::BufferAndPipe(owned(0)),
                    check(0, 2).map(|()| owned(1))?,
                ),
                Feeds::Command => (Sink::Pipe(owned(0)), check(0, 2).map(|()| owned(1))?),
            };
            return Ok(Self::Copy {
                extent: *extent,
                sink,
                prefix,
                after: *after,
            });
        }
        if let Some((_, direction, land)) = JUMPS.iter().find(|row| row.0 == name) {
            check(1, 1)?;
            return Ok(Self::Jump(*direction, *land, owned(0).unwrap_or_default()));
        }
        if let Some((_, direction, pattern)) = SEARCHES.iter().find(|row| row.0 == name) {
            return check(0, 1).map(|()| Self::Search(*direction, *pattern, owned(0)));
        }
        if let Some((_, direction)) = INCREMENTAL.iter().find(|row| row.0 == name) {
            check(1, 1)?;
            return Ok(Self::SearchIncremental(
                *direction,
                owned(0).unwrap_or_default(),
            ));
        }
        if name == GOTO_LINE {
            return check(1, 1).map(|()| Self::GotoLine(owned(0).unwrap_or_default()));
        }
        Err(CopyCommandError::Unknown(name.to_owned()))
    }

    /// The names of all commands, in order.
    #[must_use]
    pub fn names() -> Vec<&'static str> {
        let mut names: Vec<&str> = ACTIONS.iter().map(|row| row.0).collect();
        names.extend(COPIES.iter().map(|row| row.0));
        names.extend(JUMPS.iter().map(|row| row.0));
        names.extend(SEARCHES.iter().map(|row| row.0));
        names.extend(INCREMENTAL.iter().map(|row| row.0));
        names.push(GOTO_LINE);
        names.sort_unstable();
        names
    }

    /// Whether a read-only client may run it.
    #[must_use]
    pub fn is_safe(&self) -> bool {
        match self {
            Self::Do(action) => {
                let row = ACTIONS.iter().find(|row| row.1 == *action);
                row.is_some_and(|row| row.3 == Safe::Yes)
            }
            Self::GotoLine(_) => true,
            _ => false,
        }
    }

    pub(crate) fn clear(&self) -> Clear {
        match self {
            Self::Do(Action::SearchAgain | Action::SearchReverse)
            | Self::Search(..)
            | Self::SearchIncremental(..) => Clear::Never,
            Self::Do(action) => {
                let row = ACTIONS.iter().find(|row| row.1 == *action);
                row.map_or(Clear::Always, |row| row.2)
            }
            Self::Copy { after, .. } if *after == After::Keep => Clear::Never,
            Self::Copy { .. } => Clear::Always,
            Self::GotoLine(_) | Self::Jump(..) => Clear::Emacs,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_all_parse() {
        let names = CopyCommand::names();
        for pair in names.windows(2) {
            assert!(pair[0] < pair[1], "{pair:?}");
        }
        for name in names {
            let alone = CopyCommand::parse(&[name]);
            let with = CopyCommand::parse(&[name, "x"]);
            assert!(alone.is_ok() || with.is_ok(), "{name}");
            let more = CopyCommand::parse(&[name, "x", "y", "z"]);
            assert_eq!(more, Err(CopyCommandError::Arguments(name.to_owned())));
        }
    }

    #[test]
    fn unknown_name_is_an_error() {
        let error = CopyCommand::parse(&["jump"]).unwrap_err();
        assert_eq!(error.to_string(), "unknown copy mode command: jump");
        assert!(CopyCommand::parse(&[]).is_err());
    }

    #[test]
    fn commands_that_only_look_are_safe() {
        let safe = |words: &[&str]| CopyCommand::parse(words).unwrap().is_safe();
        assert!(safe(&["page-up"]));
        assert!(safe(&["goto-line", "3"]));
        assert!(!safe(&["copy-line"]));
        assert!(!safe(&["begin-selection"]));
    }
}
