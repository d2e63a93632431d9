//! The safe answer: the command as it was typed, waiting for Enter.

use super::call::Call;
use super::lookup::Lookup;
use super::outcome::{Resume, unsent};
use super::program::Program;
use super::words::without_interpreter;

/// The command as it was typed; if the shell did not report it, as the process was called.
pub(super) fn as_typed(
    program: &Program<'_>,
    call: Option<&Call>,
    lookup: &dyn Lookup,
    note: Option<&str>,
) -> Resume {
    // A line of several lines would be sent by its first newline.
    let typed = program.typed.map(str::trim).unwrap_or_default();
    if !typed.is_empty() && !typed.contains(char::is_control) {
        return unsent(typed.to_owned(), note);
    }
    if call.is_some_and(|call| call.is_part) {
        let note = "was part of a longer command, which cannot be typed in one line";
        return unsent(String::new(), Some(note));
    }
    let line = match by_name(program, lookup) {
        Some(words) => program.shell.join(&words),
        None => program.shell.join(program.argv),
    };
    if line.contains(char::is_control) {
        return unsent(
            String::new(),
            Some("the command cannot be typed in one line"),
        );
    }
    unsent(line, note)
}

/// A script by its name, if PATH leads to it: the user typed the name, and the kernel made `interpreter path` of it.
fn by_name(program: &Program<'_>, lookup: &dyn Lookup) -> Option<Vec<String>> {
    let call = without_interpreter(program.argv);
    let (path, args) = call
        .split_first()
        .filter(|_| call.len() < program.argv.len())?;
    let (_, name) = path.rsplit_once('/')?;
    let places = program.variable("PATH")?.split(':');
    let mut places = places.map(|place| format!("{}/{name}", place.trim_end_matches('/')));
    let found = places.find(|place| lookup.exists(place))?;
    (found == *path).then(|| [&[name.to_owned()], args].concat())
}
