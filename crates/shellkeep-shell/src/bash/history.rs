//! The history list.

use std::ffi::OsString;
use std::io;
use std::os::unix::ffi::OsStringExt as _;
use std::path::Path;

use super::variables::Variables;
use crate::pieces::{Pieces, Script};
use crate::state::ShellState;
use crate::user_file::{self, MAX_HISTORY};

/// The number of entries of a history with times. Each has one line with its time.
pub(super) fn entries(history: &[u8]) -> usize {
    history
        .split(|byte| *byte == b'\n')
        .filter(|line| is_time(line))
        .count()
}

fn is_time(line: &[u8]) -> bool {
    matches!(line, [b'#', rest @ ..] if rest.first().is_some_and(u8::is_ascii_digit))
}

/// Records how many lines the history file has now. A revived shell counts all of them as read, including lines that
/// other shells have added meanwhile.
pub(super) fn write_seen(variables: &Variables<'_>, pieces: &Pieces) -> io::Result<()> {
    let file = OsString::from_vec(variables.value("HISTFILE").unwrap_or_default());
    let file = user_file::read(Path::new(&file), MAX_HISTORY).unwrap_or_default();
    let lines = file.split_inclusive(|byte| *byte == b'\n');
    let lines = lines.filter(|line| !is_time(line)).count();
    pieces.write("seen", &vec![b'\n'; lines])
}

/// Restores the list, the number of its lines that are in no file, and how far the history file was read. When bash
/// reads a file it counts blank lines but adds no entries for them, so files of blank lines set these counters.
pub(super) fn write(state: &ShellState, pieces: &Pieces) -> io::Result<Vec<u8>> {
    pieces.write("list", state.section("history"))?;
    pieces.write("empty", b"")?;
    let unsaved = entries(state.section("unsaved"));
    let mut script = Script::default();
    script
        .text("builtin unset -v HISTFILE")
        .text("HISTTIMEFORMAT=%s HISTSIZE=-1")
        .text("builtin history -c")
        .text("builtin history -r \"$__shellkeep_from/empty\"")
        .text("builtin shopt -u histappend");
    if unsaved > 0 {
        pieces.write("new", &vec![b'\n'; unsaved])?;
        script.text("builtin history -n \"$__shellkeep_from/new\"");
    }
    script.text("builtin history -r \"$__shellkeep_from/list\"");
    // From 5.3 on, blank lines are added to the entry before them if entries can have several lines, so an extra entry
    // takes them and is deleted. And if readline was initialised before the list, only an added entry tells bash where
    // the list ends.
    script
        .text("((BASH_VERSINFO[0] < 5)) || builtin history -s x")
        .text("[[ ! -s $__shellkeep_from/seen ]] || builtin history -r \"$__shellkeep_from/seen\"")
        .text("((BASH_VERSINFO[0] < 5)) || builtin history -d -1");
    script.text("builtin unset -v HISTTIMEFORMAT");
    Ok(script.0)
}
