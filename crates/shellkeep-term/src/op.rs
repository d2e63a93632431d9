//! The meaning of control sequences, one value each, so that decoding and executing can be tested separately.

use crate::parser::Csi;

/// The part of the screen or line that is erased.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Erase {
    /// From the cursor to the end.
    After,
    /// From the start to the cursor.
    Before,
    All,
    /// The history (ED 3).
    History,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spare {
    Nothing,
    Protected,
}

/// An operation on rectangles of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RectOp {
    Copy,
    Erase,
    SelectiveErase,
    Fill,
    ChangeAttributes,
    ReverseAttributes,
    Checksum,
}

/// A decoded control sequence. Counts are at least 1. Positions are as in the sequence, from 1, with 0 for "not given".
/// A sequence with a list of parameters has none here: they are read when it is executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    Up(u16),
    Down(u16),
    Right(u16),
    Left(u16),
    NextLine(u16),
    PreviousLine(u16),
    Column(u16),
    Row(u16),
    Position {
        row: u16,
        col: u16,
    },
    RowForward(u16),
    ColumnForward(u16),
    TabForward(u16),
    TabBack(u16),
    EraseDisplay(Erase, Spare),
    EraseLine(Erase, Spare),
    InsertChars(u16),
    DeleteChars(u16),
    EraseChars(u16),
    InsertLines(u16),
    DeleteLines(u16),
    ScrollUp(u16),
    ScrollDown(u16),
    ScrollLeft(u16),
    ScrollRight(u16),
    InsertColumns(u16),
    DeleteColumns(u16),
    Repeat(u16),
    ClearTabs(u16),
    ResetTabs,
    Modes {
        private: bool,
        on: bool,
    },
    SaveModes,
    RestoreModes,
    RequestMode {
        private: bool,
    },
    Sgr,
    PushSgr,
    PopSgr,
    Margins {
        top: u16,
        bottom: u16,
    },
    SideMargins {
        left: u16,
        right: u16,
    },
    RestoreCursor,
    SoftReset,
    CursorShape(u16),
    Protect(u16),
    Conformance,
    PrimaryAttributes,
    SecondaryAttributes,
    TertiaryAttributes,
    Version,
    Status {
        private: bool,
        kind: u16,
    },
    Parameters(u16),
    Presentation(u16),
    Window,
    Columns(u16),
    Lines(u16),
    KeyModifiers,
    KeyModifiersOff,
    QueryKeyModifiers,
    KeyFormat,
    KittyQuery,
    KittyPush(u16),
    KittyPop(u16),
    KittySet {
        flags: u16,
        how: u16,
    },
    Rect(RectOp),
    RectExtent(u16),
    /// Known, but without effect in a terminal window.
    Nothing,
}

impl Op {
    /// Decodes a control sequence; `None` for an unknown one.
    #[expect(clippy::too_many_lines, reason = "the table of the language")]
    pub(crate) fn read(csi: &Csi) -> Option<Self> {
        let count = csi.count(0);
        Some(match (csi.prefix, csi.intermediate(), csi.last) {
            (0, 0, b'@') => Self::InsertChars(count),
            (0, 0, b'A') => Self::Up(count),
            (0, 0, b'B') => Self::Down(count),
            (0, 0, b'C') => Self::Right(count),
            (0, 0, b'D') => Self::Left(count),
            (0, 0, b'E') => Self::NextLine(count),
            (0, 0, b'F') => Self::PreviousLine(count),
            (0, 0, b'G' | b'`') => Self::Column(csi.raw(0)),
            (0, 0, b'H' | b'f') => Self::Position {
                row: csi.raw(0),
                col: csi.raw(1),
            },
            (0, 0, b'I') => Self::TabForward(count),
            (0, 0, b'J') => Self::EraseDisplay(erase(csi)?, Spare::Nothing),
            (b'?', 0, b'J') => Self::EraseDisplay(erase(csi)?, Spare::Protected),
            (0, 0, b'K') => Self::EraseLine(erase_line(csi)?, Spare::Nothing),
            (b'?', 0, b'K') => Self::EraseLine(erase_line(csi)?, Spare::Protected),
            (0, 0, b'L') => Self::InsertLines(count),
            (0, 0, b'M') => Self::DeleteLines(count),
            (0, 0, b'P') => Self::DeleteChars(count),
            (0, 0, b'S') => Self::ScrollUp(count),
            // With more parameters, or with 0, `T` starts highlight mouse tracking, in which xterm hangs until the
            // program answers.
            (0, 0, b'T') if csi.params() == [0] || csi.len > 1 => Self::Nothing,
            (0, 0, b'T') => Self::ScrollDown(count),
            (0, 0, b'^') => Self::ScrollDown(count),
            (b'?', 0, b'W') if csi.raw(0) == 5 => Self::ResetTabs,
            (0, 0, b'X') => Self::EraseChars(count),
            (0, 0, b'Z') => Self::TabBack(count),
            (0, 0, b'a') => Self::ColumnForward(count),
            (0, 0, b'b') => Self::Repeat(count),
            (0, 0, b'c') if csi.raw(0) == 0 => Self::PrimaryAttributes,
            (b'>', 0, b'c') if csi.raw(0) == 0 => Self::SecondaryAttributes,
            (b'=', 0, b'c') if csi.raw(0) == 0 => Self::TertiaryAttributes,
            (0, 0, b'd') => Self::Row(csi.raw(0)),
            (0, 0, b'e') => Self::RowForward(count),
            (0, 0, b'g') => Self::ClearTabs(csi.raw(0)),
            (0 | b'?', 0, b'h') => Self::Modes {
                private: csi.prefix != 0,
                on: true,
            },
            (0 | b'?', 0, b'l') => Self::Modes {
                private: csi.prefix != 0,
                on: false,
            },
            (0, 0, b'm') => Self::Sgr,
            (b'>', 0, b'm') => Self::KeyModifiers,
            (b'?', 0, b'm') => Self::QueryKeyModifiers,
            (b'>', 0, b'n') => Self::KeyModifiersOff,
            (b'>', 0, b'f') => Self::KeyFormat,
            (0 | b'?', 0, b'n') => Self::Status {
                private: csi.prefix != 0,
                kind: csi.raw(0),
            },
            (b'>', 0, b'q') if csi.raw(0) == 0 => Self::Version,
            (0, b' ', b'q') => Self::CursorShape(csi.raw(0)),
            (0, b'"', b'q') => Self::Protect(csi.raw(0)),
            (0, b'"', b'p') => Self::Conformance,
            (0, b'!', b'p') => Self::SoftReset,
            (0 | b'?', b'$', b'p') => Self::RequestMode {
                private: csi.prefix != 0,
            },
            (0, 0, b'r') => Self::Margins {
                top: csi.raw(0),
                bottom: csi.raw(1),
            },
            (b'?', 0, b'r') => Self::RestoreModes,
            (b'?', 0, b's') => Self::SaveModes,
            (0, 0, b's') => Self::SideMargins {
                left: csi.raw(0),
                right: csi.raw(1),
            },
            (0, 0, b'u') => Self::RestoreCursor,
            (b'?', 0, b'u') => Self::KittyQuery,
            (b'>', 0, b'u') => Self::KittyPush(csi.raw(0)),
            (b'<', 0, b'u') => Self::KittyPop(count),
            (b'=', 0, b'u') => Self::KittySet {
                flags: csi.raw(0),
                how: csi.count(1),
            },
            (0, 0, b't') => Self::Window,
            (0, 0, b'x') => Self::Parameters(csi.raw(0)),
            (0, b'$', b'|') => Self::Columns(csi.raw(0)),
            (0, b'*', b'|') => Self::Lines(csi.raw(0)),
            (0, b'$', b'w') => Self::Presentation(csi.raw(0)),
            (0, b' ', b'@') => Self::ScrollLeft(count),
            (0, b' ', b'A') => Self::ScrollRight(count),
            (0, b'\'', b'}') => Self::InsertColumns(count),
            (0, b'\'', b'~') => Self::DeleteColumns(count),
            (0, b'$', b'v') => Self::Rect(RectOp::Copy),
            (0, b'$', b'z') => Self::Rect(RectOp::Erase),
            (0, b'$', b'{') => Self::Rect(RectOp::SelectiveErase),
            (0, b'$', b'x') => Self::Rect(RectOp::Fill),
            (0, b'$', b'r') => Self::Rect(RectOp::ChangeAttributes),
            (0, b'$', b't') => Self::Rect(RectOp::ReverseAttributes),
            (0, b'*', b'y') => Self::Rect(RectOp::Checksum),
            (0, b'*', b'x') => Self::RectExtent(csi.raw(0)),
            (0, b'#', b'{' | b'p') => Self::PushSgr,
            (0, b'#', b'}' | b'q') => Self::PopSgr,
            (0, 0, b'i' | b'q') => Self::Nothing,
            _ => return None,
        })
    }
}

fn erase(csi: &Csi) -> Option<Erase> {
    Some(match csi.raw(0) {
        0 => Erase::After,
        1 => Erase::Before,
        2 => Erase::All,
        3 => Erase::History,
        _ => return None,
    })
}

fn erase_line(csi: &Csi) -> Option<Erase> {
    erase(csi).filter(|part| *part != Erase::History)
}
