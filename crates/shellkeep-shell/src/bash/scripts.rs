//! The scripts that bash reads: their parts, and where they are written.

use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use crate::private_files::unpack_bytes;
use crate::words::quote;

/// A script, or a part of one, without its comments; see `build.rs`.
macro_rules! script {
    ($name:literal) => {
        include_str!(concat!(env!("OUT_DIR"), "/", $name, ".bash"))
    };
}

/// What the integration sets first, and what its functions need besides.
const INTEGRATION: &str = script!("integration");
const LATER: &str = script!("integration-later");
pub(super) const FUNCTIONS: &str = script!("integration-functions");
pub(super) const GIVEN: &str = script!("given");
pub(super) const PUT: &str = script!("put");
pub(super) const FIRST: &str = script!("first");
pub(super) const HOOKS: &str = script!("hooks");
const ANSWER: &str = script!("answer");
const POSIX: &str = script!("posix");
const FRESH_SHELL: &str = script!("fresh");
const ARRIVE: &str = concat!(script!("shim"), script!("arrive"));
pub(super) const SHIM: &str = script!("shim");
const LOGIN: &str = script!("login");
pub(super) const REVIVE: &str = script!("revive");
pub(super) const RUN_RC: &str = script!("run-rc");
pub(super) const GIVE: &str = "__shellkeep_give() { builtin return \"$__shellkeep_saved\"; }\n";
/// What a new bash reads after its first prompt.
const MORE: &str = concat!(
    script!("more-begin"),
    script!("integration-later"),
    script!("integration-functions"),
    script!("put"),
    script!("hooks"),
    script!("guard"),
    script!("more-end"),
);
/// Computed at compile time, so that no starting shell waits for it.
const ANSWER_SUM: u64 = sum_of(&[ANSWER.as_bytes()]);
const MORE_SUM: u64 = sum_of(&[MORE.as_bytes(), ANSWER.as_bytes()]);

/// Everything that the integration sets first. Also writes the file that answers requests.
pub(super) fn settings(dir: &Path) -> io::Result<String> {
    let later = LATER.replace("@ANSWERS@", &answers(dir)?);
    Ok([INTEGRATION, &later].concat())
}

/// The file that answers requests, as a quoted word.
fn answers(dir: &Path) -> io::Result<String> {
    named_by_content(dir, "answer", ANSWER_SUM, || ANSWER.to_owned())
}

/// What the first prompt of a new bash needs. Also writes the file with the rest.
fn fresh(dir: &Path) -> io::Result<String> {
    Ok(FRESH_SHELL.replace("@MORE@", &more(dir)?))
}

/// The file that a new bash reads after its first prompt, as a quoted word.
fn more(dir: &Path) -> io::Result<String> {
    let answers = answers(dir)?;
    named_by_content(dir, "more", MORE_SUM, || {
        MORE.replace("@ANSWERS@", &answers)
    })
}

/// What a new bash reads instead of the user's file, which it reads from there.
pub(super) fn plain(dir: &Path) -> io::Result<String> {
    let (begin, files) = (script!("start"), script!("start-files"));
    Ok([begin, INTEGRATION, GIVEN, &fresh(dir)?, files, ARRIVE].concat())
}

/// What a new login shell reads, which reads the user's files from there.
pub(super) fn login(dir: &Path) -> io::Result<String> {
    Ok([INTEGRATION, GIVEN, &fresh(dir)?, POSIX, LOGIN, ARRIVE].concat())
}

/// Writes a script under a name that depends on its content, and returns its path as a quoted word. A shell may read
/// the script long after a newer version was installed. An existing file is complete and is not written again.
fn named_by_content(
    dir: &Path,
    name: &str,
    sum: u64,
    text: impl FnOnce() -> String,
) -> io::Result<String> {
    let path = dir.join(format!("{name}.{sum:016x}.bash"));
    if !std::fs::metadata(&path).is_ok_and(|file| file.len() > 0) {
        unpack_bytes(&path, text().as_bytes())?;
    }
    let word = quote(path.as_os_str().as_bytes());
    String::from_utf8(word).map_err(|_| io::ErrorKind::InvalidInput.into())
}

/// A hash of texts.
const fn sum_of(texts: &[&[u8]]) -> u64 {
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
