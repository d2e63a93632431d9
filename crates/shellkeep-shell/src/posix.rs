//! POSIX shells without an integration. They are only given a PATH in which `tmux` is this program.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use crate::private_files::unpack;

const START: &str = include_str!("../scripts/start.sh");

/// Interactive shells that read the file named by `ENV` after their profile.
const READ_ENV: &[&str] = &[
    "ash", "dash", "ksh", "ksh93", "lksh", "mksh", "oksh", "posh", "sh",
];

/// Variables that make a shell put the directory of the tmux shim first in PATH again after its start-up files have set
/// another PATH. Empty for a shell that reads no such file, or if the script cannot be written to `dir`, which is
/// private to the user. A start-up file that sets `ENV` wins. `inherited` reads the environment that the shell would
/// have had.
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
    // The environment of a restarted pane already has our variable.
    let user_env = match inherited("ENV") {
        Some(env) if env == script.as_os_str() => inherited("SHELLKEEP_ENV"),
        env => env,
    };
    let mut variables = vec![("ENV", script.into()), ("SHELLKEEP_SHIM", shim.to_owned())];
    variables.extend(user_env.map(|value| ("SHELLKEEP_ENV", value)));
    Some(variables)
}
