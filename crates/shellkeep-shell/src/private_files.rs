//! Files and directories that only their owner can read: scripts, and the pieces of a state.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use shellkeep_files::MAX_SMALL;

/// Writes a script, unless the file has exactly this content already.
pub(crate) fn unpack(path: &Path, parts: &[&str]) -> io::Result<()> {
    unpack_bytes(path, parts.concat().as_bytes())
}

pub(crate) fn unpack_bytes(path: &Path, text: &[u8]) -> io::Result<()> {
    if shellkeep_files::read(path, MAX_SMALL).is_ok_and(|old| old == text) {
        return Ok(());
    }
    if let Some(parent) = path.parent() {
        make_dir(parent)?;
    }
    let beside = path.with_extension(beside_extension());
    let _ = fs::remove_file(&beside);
    write_private(&beside, text)?;
    // A shell that starts at this moment reads the old script or the new one, never a part of it.
    fs::rename(&beside, path)
}

/// A file extension that no other thread or process uses. Threads revive several panes at once, and all of them write
/// the same scripts.
fn beside_extension() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("new.{}.{count}", std::process::id())
}

pub(crate) fn make_dir(path: &Path) -> io::Result<()> {
    shellkeep_files::make_dir(path)
}

pub(crate) fn write_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    shellkeep_files::write(path, bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_that_need_the_same_script_do_not_disturb_each_other() {
        let temp = tempfile::tempdir().unwrap();
        for round in 0..50 {
            let path = temp.path().join(format!("{round}/script"));
            std::thread::scope(|scope| {
                for _ in 0..8 {
                    scope.spawn(|| unpack(&path, &["text"]).unwrap());
                }
            });
            assert_eq!(fs::read(&path).unwrap(), b"text");
            let left = fs::read_dir(path.parent().unwrap()).unwrap();
            assert_eq!(left.count(), 1, "nothing is left beside it");
        }
    }
}
