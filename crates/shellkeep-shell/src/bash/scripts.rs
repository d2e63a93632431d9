//! The scripts that a bash reads: what they are made of, and where they lie.

use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::launch::unpack_bytes;
use crate::words::quote;

const INTEGRATION: &str = include_str!("../../scripts/integration.bash");
/// What divides the integration: what is set at once from functions, which can come later.
const FUNCTIONS: &str = "#@ functions\n";
pub(super) const GIVEN: &str = include_str!("../../scripts/given.bash");
pub(super) const PUT: &str = include_str!("../../scripts/put.bash");
pub(super) const FIRST: &str = include_str!("../../scripts/first.bash");
pub(super) const HOOKS: &str = include_str!("../../scripts/hooks.bash");
const ANSWER: &str = include_str!("../../scripts/answer.bash");
const GUARD_SCRIPT: &str = include_str!("../../scripts/guard.bash");
pub(super) const POSIX: &str = include_str!("../../scripts/posix.bash");
const FRESH_SHELL: &str = include_str!("../../scripts/fresh.bash");
const MORE_BEGIN: &str = include_str!("../../scripts/more-begin.bash");
const MORE_END: &str = include_str!("../../scripts/more-end.bash");
pub(super) const ARRIVE: &str = include_str!("../../scripts/arrive.bash");
pub(super) const START: &str = include_str!("../../scripts/start.bash");
pub(super) const LOGIN: &str = include_str!("../../scripts/login.bash");
pub(super) const REVIVE: &str = include_str!("../../scripts/revive.bash");
/// What two of the scripts are made of, summed up when the program is built: a shell that starts need not wait for it.
const ANSWER_SUM: u64 = sum_of(&[ANSWER.as_bytes()]);
const MORE_SUM: u64 = sum_of(&[
    MORE_BEGIN.as_bytes(),
    INTEGRATION.as_bytes(),
    PUT.as_bytes(),
    HOOKS.as_bytes(),
    GUARD_SCRIPT.as_bytes(),
    MORE_END.as_bytes(),
]);
pub(super) const GIVE: &str = "__shellkeep_give() { builtin return \"$__shellkeep_saved\"; }\n";
pub(super) const RUN_RC: &str = include_str!("../../scripts/run-rc.bash");
const LOGIN_FILES: &str = include_str!("../../scripts/login-files.bash");

/// A script with what a login shell reads where it says so.
pub(super) fn with_login_files(script: &str) -> String {
    script.replace("#@ login files\n", LOGIN_FILES)
}

/// A script without its comments and indentation: a shell reads it character by character, and each time it starts.
pub(super) fn lean(script: &str) -> String {
    let lines = script.lines().map(str::trim_start);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// What the integration sets at once; the file that answers questions is there then.
pub(super) fn settings(dir: &Path) -> io::Result<String> {
    Ok(lean(divide().0).replace("@ANSWERS@", &answers(dir)?))
}

/// The file that answers questions, as a word.
fn answers(dir: &Path) -> io::Result<String> {
    named_by_content(dir, "answer", ANSWER_SUM, || lean(ANSWER))
}

/// The functions of the integration.
pub(super) fn functions() -> &'static str {
    divide().1
}

/// What the integration sets at once, and its functions.
fn divide() -> (&'static str, &'static str) {
    INTEGRATION
        .split_once(FUNCTIONS)
        .unwrap_or((INTEGRATION, ""))
}

/// What a new bash reads before its first prompt; the file with the rest is there then.
pub(super) fn fresh(dir: &Path) -> io::Result<String> {
    Ok(lean(GIVEN) + &lean(FRESH_SHELL).replace("@MORE@", &more(dir)?))
}

/// The file with what a new bash reads behind its first prompt, as a word.
fn more(dir: &Path) -> io::Result<String> {
    named_by_content(dir, "more", MORE_SUM, || {
        let parts = [MORE_BEGIN, functions(), PUT, HOOKS, GUARD_SCRIPT, MORE_END];
        parts.map(lean).concat()
    })
}

/// What a login shell reads that was started before it was known what for, with what it is told in the middle: before that nothing depends on
/// the pane, and nothing is the user's. The files that it names are there then.
pub(super) fn ahead(dir: &Path, told: &[u8]) -> io::Result<Vec<u8>> {
    let login = with_login_files(LOGIN);
    let [posix, given, login, arrive] = [POSIX, GIVEN, &login, ARRIVE].map(lean);
    let fresh = lean(FRESH_SHELL).replace("@MORE@", &more(dir)?);
    let before = [settings(dir)?, fresh, posix].concat();
    let after = [given, login, arrive].concat();
    Ok([before.as_bytes(), told, after.as_bytes()].concat())
}

/// Has a script written whose name goes by what it is made of, and gives its path as a word: a shell may read it long after a later
/// version has come. One that is there is whole, and not even put together again.
fn named_by_content(
    dir: &Path,
    name: &str,
    sum: u64,
    text: impl FnOnce() -> String,
) -> io::Result<String> {
    let path = script_named(dir, name, sum, || text().into_bytes())?;
    let word = quote(path.as_os_str().as_bytes());
    String::from_utf8(word).map_err(|_| io::ErrorKind::InvalidInput.into())
}

/// The same, and its path.
pub(super) fn script_named(
    dir: &Path,
    name: &str,
    sum: u64,
    text: impl FnOnce() -> Vec<u8>,
) -> io::Result<PathBuf> {
    let path = dir.join(format!("{name}.{sum:016x}.bash"));
    if !std::fs::metadata(&path).is_ok_and(|file| file.len() > 0) {
        unpack_bytes(&path, &text())?;
    }
    Ok(path)
}

/// A number for texts, which is another for others.
pub(super) const fn sum_of(texts: &[&[u8]]) -> u64 {
    let mut sum = 0xcbf2_9ce4_8422_2325_u64;
    let mut text = 0;
    while text < texts.len() {
        let bytes = texts[text];
        let mut byte = 0;
        while byte < bytes.len() {
            sum = (sum ^ bytes[byte] as u64).wrapping_mul(0x0100_0000_01b3);
            byte += 1;
        }
        text += 1;
    }
    sum
}
