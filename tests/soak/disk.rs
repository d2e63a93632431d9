//! A state directory on a disk of its own, which can be full.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Enough for everything that a soak keeps, and filled in a moment.
const SIZE: &str = "size=256m,mode=700";

/// A disk in memory, mounted for as long as this is held.
pub(crate) struct Disk {
    at: PathBuf,
}

impl Disk {
    /// Mounts a disk over a directory; `None` where mounting is not allowed.
    pub(crate) fn mount(at: &Path) -> Option<Self> {
        let mut command = Command::new("mount");
        let output = command
            .args(["-t", "tmpfs", "-o", SIZE, "tmpfs"])
            .arg(at)
            .output();
        output
            .is_ok_and(|output| output.status.success())
            .then(|| Self { at: at.to_owned() })
    }

    /// Takes all the room that is left, to the last byte.
    pub(crate) fn fill(&self) {
        let mut file = File::create(self.filler()).unwrap();
        let piece = vec![0_u8; 1 << 20];
        while file.write_all(&piece).is_ok() {}
        while file.write_all(&[0]).is_ok() {}
    }

    pub(crate) fn make_room(&self) {
        std::fs::remove_file(self.filler()).unwrap();
    }

    fn filler(&self) -> PathBuf {
        self.at.join("filler")
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        // Lazily: the processes that have files open in it end after this.
        let _ = Command::new("umount").arg("-l").arg(&self.at).status();
    }
}
