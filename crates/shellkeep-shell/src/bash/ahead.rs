//! A bash that is started before it is known what it comes back as.

use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use super::scripts::{FIRST, GIVE, PUT, REVIVE, WAIT, script_named, settings, sum_of};
use super::{Variables, launch_with};
use crate::launch::Launch;
use crate::pieces::{Pieces, Script};
use crate::revive::RunRc;
use crate::spare::Change;
use crate::state::State;
use crate::words::quote;

/// The variables that decide on the language, and on what readline reads: both take their time. A spare shell has had both done.
pub(super) fn alike(state: &State) -> Vec<u8> {
    let mut script = Script::default();
    for (_, name, whole) in Variables::of(state).0 {
        let names = ["HOME", "INPUTRC", "LANG", "LANGUAGE", "LOCPATH"];
        let begins = ["LC_", "TERMINFO"];
        if names.contains(&name) || begins.iter().any(|begin| name.starts_with(begin)) {
            script.line(&[whole]);
        }
    }
    script.0
}

fn change(script: &mut Script, name: &str, value: Option<&[u8]>) {
    match value {
        Some(value) => script.line(&[b"builtin export ", name.as_bytes(), b"=", &quote(value)]),
        None => script.line(&[b"builtin unset -v ", name.as_bytes()]),
    };
}

/// How a spare shell is started that this one could come back in. What is the same for all is read before it waits.
pub(crate) fn spare(
    program: &Path,
    state: &State,
    scripts: &Path,
    dir: &Path,
) -> io::Result<Launch> {
    let settings = settings(scripts)?;
    let alike = alike(state);
    let before = [settings.as_str(), FIRST, GIVE, PUT, REVIVE].map(str::as_bytes);
    let script = [&before.concat()[..], &alike, WAIT.as_bytes()].concat();
    let script = script_named(scripts, "spare", sum_of(&[&script]), || script.clone())?;
    Ok(launch_with(program, state, &script, dir).with_little(RunRc::Off))
}

/// What a spare shell changes to be as one that was started for this pane.
pub(crate) fn begin_spare(wanted: &Change, pieces: &Pieces) -> Vec<u8> {
    let mut script = Script::default();
    script.text("{");
    for (name, value) in &wanted.environ {
        change(&mut script, name, value.as_deref());
    }
    for (name, place) in [("dir", pieces.pane_dir()), ("from", pieces.dir())] {
        let place = quote(place.as_os_str().as_bytes());
        script.line(&[b"__shellkeep_", name.as_bytes(), b"=", &place]);
    }
    // If the state's own is gone, this is where it is.
    script.line(&[b"builtin cd -- ", &quote(&wanted.cwd)]);
    // Readline looks at its terminal again, which may have another size by now.
    script.text("builtin unset -v COLUMNS LINES");
    script.text("} >/dev/null 2>&1");
    script.0
}
