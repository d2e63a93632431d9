//! POSIX shells, for which there is no integration: all they are helped with is to find this server as `tmux`.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use crate::private_files::unpack;

const START: &str = include_str!("../scripts/start.sh");

/// Shells that read the file that `ENV` names behind their profile, if they are interactive.
const READ_ENV: &[&str] = &[
    "ash", "dash", "ksh", "ksh93", "lksh", "mksh", "oksh", "posh", "sh",
];

/// Variables by which a shell puts the directory of the tmux shim first in PATH again when its start-up files have set another PATH. None for a
/// shell that reads no such file, or when the script cannot be written to `dir`, which is private to the user. A start-up file that sets `ENV` wins.
/// `inherited` gives a variable of the environment the shell would have had.
#[must_use]
pub fn keep_shim(
    program: &Path,
    dir: &Path,
    shim: &OsStr,
    inherited: &dyn Fn(&str) -> Option<OsString>,
) -> Option<Vec<(&'static str, OsString)>> {
    let name = program.file_name()?.to_str()?;
    let name = name.strip_prefix('-').unwrap_or(name);
    if !READ_ENV.contains(&name) {
        return None;
    }
    let script = dir.join("start.sh");
    unpack(&script, &[START]).ok()?;
    // A pane that is started again has the environment that it had.
    let user_env = match inherited("ENV") {
        Some(env) if env == script.as_os_str() => inherited("SHELLKEEP_ENV"),
        env => env,
    };
    let mut variables = vec![("ENV", script.into()), ("SHELLKEEP_SHIM", shim.to_owned())];
    variables.extend(user_env.map(|value| ("SHELLKEEP_ENV", value)));
    Some(variables)
}
