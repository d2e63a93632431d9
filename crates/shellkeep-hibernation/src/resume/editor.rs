//! vim and its variants: resumed from a session file.

use super::call::Call;
use super::lookup::Lookup;
use super::outcome::{Resume, run};
use super::program::Program;

/// Flags of vim that take the next word.
const VIM_VALUED: &[&str] = &[
    "-c", "--cmd", "-S", "-s", "-w", "-W", "-u", "-U", "-i", "-T", "-t", "-q",
];
/// Of those, the flags that only configure vim.
const VIM_KEPT: &[&str] = &["-u", "-U", "-i", "-T"];

/// The line that loads the session file; `None` without one, because opening the files alone would lose windows and
/// buffers.
pub(super) fn resume(program: &Program<'_>, call: &Call, lookup: &dyn Lookup) -> Option<Resume> {
    let mut kept = Vec::new();
    let mut session = None;
    let mut has_files = false;
    let mut rest = call.parts.args.as_slice();
    while let Some((word, after)) = rest.split_first() {
        rest = after;
        let is_valued = VIM_VALUED.contains(&word.as_str());
        let value = rest.first().filter(|_| is_valued);
        if value.is_some() {
            rest = &rest[1..];
        }
        match (word.as_str(), value) {
            // The text came through a pipe.
            ("-", _) => return None,
            ("-S", Some(file)) => session = Some(file.clone()),
            ("-S", None) => session = Some("Session.vim".to_owned()),
            (flag, Some(value)) if VIM_KEPT.contains(&flag) => {
                kept.extend([word.clone(), value.clone()]);
            }
            // Commands and scripts would run again; positions belong to files.
            (_, Some(_)) => {}
            (word, None) if word.starts_with('+') => {}
            ("--", None) => {
                has_files = !rest.is_empty();
                break;
            }
            (_, None) if word.starts_with('-') => kept.push(word.clone()),
            _ => has_files = true,
        }
    }
    let usual = || {
        let files = lookup.newest_files(program.cwd, "Session.vim");
        let file = files.first()?;
        // A session file that is older than this vim does not hold the files that were opened by name.
        (!has_files || file.modified >= program.started).then(|| "Session.vim".to_owned())
    };
    let session = session.or_else(usual)?;
    let path = match session.starts_with('/') {
        true => session.clone(),
        false => format!("{}/{session}", program.cwd),
    };
    if !lookup.exists(&path) {
        return None;
    }
    let mut args = vec!["-S".to_owned(), session];
    args.append(&mut kept);
    Some(run(call.line(program.shell, &args), None))
}
