//! Pagers and monitors: programs that only show something, so that running them again is safe.

use super::call::Call;
use super::outcome::{Resume, run, unsent};
use super::program::Program;
use super::rules::Input;

/// The program with the same arguments; `None` if it showed its standard input, which is gone.
pub(super) fn resume(program: &Program<'_>, call: &Call, input: Input) -> Option<Resume> {
    let args = &call.parts.args;
    let is_file = |word: &String| !word.starts_with(['-', '+']);
    if input == Input::Files && !args.iter().any(is_file) {
        return None;
    }
    let line = call.line(program.shell, args);
    // less runs a shell command that is given as an initial command (`+!`).
    let acts = |word: &String| word.starts_with('+') && word.contains(['!', '|']);
    if args.iter().any(acts) {
        return Some(unsent(
            line,
            Some("runs a command at its start: press Enter to go on"),
        ));
    }
    Some(run(line, None))
}
