//! The list of lines that were typed.

use std::ffi::OsString;
use std::io;
use std::os::unix::ffi::OsStringExt as _;
use std::path::Path;

use super::variables::Variables;
use crate::pieces::{Pieces, Script};
use crate::state::ShellState;
use crate::user_file::{self, MAX_HISTORY};

/// Entries of a history written with times: each has one line with its time.
pub(super) fn entries(history: &[u8]) -> usize {
    history
        .split(|byte| *byte == b'\n')
        .filter(|line| is_time(line))
        .count()
}

fn is_time(line: &[u8]) -> bool {
    matches!(line, [b'#', rest @ ..] if rest.first().is_some_and(u8::is_ascii_digit))
}

/// Notes how many lines the history file has now: a revived shell counts as having read all of it, also lines that other shells have
/// added meanwhile.
pub(super) fn write_seen(variables: &Variables<'_>, pieces: &Pieces) -> io::Result<()> {
    let file = OsString::from_vec(variables.value("HISTFILE").unwrap_or_default());
    let file = user_file::read(Path::new(&file), MAX_HISTORY).unwrap_or_default();
    let lines = file.split_inclusive(|byte| *byte == b'\n');
    let lines = lines.filter(|line| !is_time(line)).count();
    pieces.write("seen", &vec![b'\n'; lines])
}

/// The list as it was; how many of its lines are in no file; how far the history file was read. Bash counts
/// lines of a file it reads even if they are blank, while it adds no entries for these: so counters can be set.
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
    // From 5.3 on blank lines belong to the entry before them, if entries can have lines: to one that goes. And if readline was there before the
    // list, only an entry that is added tells bash where the list ends.
    script
        .text("((BASH_VERSINFO[0] < 5)) || builtin history -s x")
        .text("[[ ! -s $__shellkeep_from/seen ]] || builtin history -r \"$__shellkeep_from/seen\"")
        .text("((BASH_VERSINFO[0] < 5)) || builtin history -d -1");
    script.text("builtin unset -v HISTTIMEFORMAT");
    Ok(script.0)
}
