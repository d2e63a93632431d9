//! Checks the disk of the state directory: free bytes, free inodes, and whether it is mounted read-only.

use std::path::Path;

use nix::sys::statvfs::{FsFlags, Statvfs, statvfs};

use crate::Setup;
use crate::finding::Finding;
use crate::setup::quoted;

const NAME: &str = "room";
const MIB: u64 = 1 << 20;

/// A journal and a checkpoint need more than this, so a disk with less is full, however small it is.
const MIN_FREE: u64 = MIB;

pub(super) fn check(setup: &Setup<'_>) -> Vec<Finding> {
    let dir = nearest(&setup.state_dir);
    let room = match statvfs(dir) {
        Ok(room) => Room::of(&room),
        Err(errno) => {
            let sentence = format!("the system does not say how much room there is: {errno}");
            return vec![Finding::warning(
                NAME,
                sentence,
                format!("df -h {}", quoted(dir)),
            )];
        }
    };
    judge(&room, dir, &free(setup, dir))
}

/// The nearest ancestor of a path that exists.
fn nearest(path: &Path) -> &Path {
    let there = path.ancestors().find(|dir| dir.exists());
    there.unwrap_or(Path::new("/"))
}

fn room_of(dir: &Path) -> Option<Room> {
    statvfs(nearest(dir)).ok().map(|room| Room::of(&room))
}

/// Whether the disk of a directory has too few bytes or inodes to keep a pane.
pub(super) fn is_out(dir: &Path) -> bool {
    room_of(dir).is_some_and(|room| room.is_full() || room.has_no_files())
}

/// Whether the disk of a directory is out of inodes.
pub(super) fn is_out_of_files(dir: &Path) -> bool {
    room_of(dir).is_some_and(|room| room.has_no_files())
}

/// The fix for a full disk.
pub(super) fn free(setup: &Setup<'_>, dir: &Path) -> String {
    let forget = setup.typed("forget");
    let df = format!("df -h {}", quoted(nearest(dir)));
    format!("{df}: delete something there; {forget} deletes a session for good")
}

/// The fix for a disk without free inodes.
pub(super) fn free_files(dir: &Path) -> String {
    let df = format!("df -i {}", quoted(nearest(dir)));
    format!("{df}: delete files there, of whatever size")
}

/// The fix for a file system that is mounted read-only.
pub(super) fn remount(dir: &Path) -> String {
    let place = format!("$(findmnt -no TARGET -T {})", quoted(nearest(dir)));
    format!("sudo mount -o remount,rw \"{place}\": if it will not, dmesg may say why")
}

/// The result of `statvfs`.
#[derive(Clone, Copy, Debug)]
struct Room {
    is_read_only: bool,
    free: u64,
    total: u64,
    free_files: u64,
    total_files: u64,
}

impl Room {
    #[allow(
        clippy::useless_conversion,
        reason = "the width of these numbers differs between systems"
    )]
    fn of(stat: &Statvfs) -> Self {
        let unit = u64::from(stat.fragment_size());
        Self {
            is_read_only: stat.flags().contains(FsFlags::ST_RDONLY),
            free: u64::from(stat.blocks_available()).saturating_mul(unit),
            total: u64::from(stat.blocks()).saturating_mul(unit),
            free_files: u64::from(stat.files_available()),
            total_files: u64::from(stat.files()),
        }
    }

    /// Whether less than a twentieth is left.
    const fn is_scarce(free: u64, total: u64) -> bool {
        free < total / 20
    }

    /// Whether the next writes may fail. The share alone does not show it: a small disk can be nearly empty and still
    /// have little free.
    const fn is_full(&self) -> bool {
        self.free < MIN_FREE || self.free < 16 * MIB && Self::is_scarce(self.free, self.total)
    }

    /// Whether all inodes are in use. File systems without a limit report a total of 0.
    const fn has_no_files(&self) -> bool {
        self.total_files > 0 && self.free_files == 0
    }
}

fn judge(room: &Room, dir: &Path, free: &str) -> Vec<Finding> {
    let shown = dir.display();
    if room.is_read_only {
        let sentence = format!("the file system of {shown} is read-only, so nothing is kept");
        return vec![Finding::problem(NAME, sentence, remount(dir))];
    }
    let mut findings = Vec::new();
    let percent = |free: u64, total: u64| free.saturating_mul(100) / total.max(1);
    let left = format!(
        "{} MiB ({} %)",
        room.free / MIB,
        percent(room.free, room.total)
    );
    if room.is_full() {
        let sentence =
            format!("no room on the disk of {shown}: {left} left, so nothing more may be kept");
        findings.push(Finding::problem(NAME, sentence, free));
    } else if room.free < 1024 * MIB || Room::is_scarce(room.free, room.total) {
        let sentence = format!("little room on the disk of {shown}: {left} left");
        // On a disk that is small in itself, there is not much to delete.
        let fix = match room.free < room.total / 2 {
            true => free,
            false => "have XDG_STATE_HOME name a directory on a larger disk",
        };
        findings.push(Finding::warning(NAME, sentence, fix));
    }
    if room.has_no_files() {
        let sentence =
            format!("no file can be made on the disk of {shown}, so nothing new can be kept");
        findings.push(Finding::problem(NAME, sentence, free_files(dir)));
    } else if Room::is_scarce(room.free_files, room.total_files) {
        let sentence = format!(
            "few files can still be made on the disk of {shown}: {} ({} %)",
            room.free_files,
            percent(room.free_files, room.total_files)
        );
        findings.push(Finding::warning(NAME, sentence, free_files(dir)));
    }
    if findings.is_empty() {
        findings.push(Finding::ok(
            NAME,
            format!("{left} left on the disk of {shown}"),
        ));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Status;

    #[test]
    fn room_is_judged_by_size_share_and_files() {
        let fine = Room {
            is_read_only: false,
            free: 50_000 * MIB,
            total: 100_000 * MIB,
            free_files: 500,
            total_files: 1000,
        };
        let judged = |room: Room| {
            let findings = judge(&room, Path::new("/x"), "delete something");
            findings
                .iter()
                .map(|finding| finding.status)
                .collect::<Vec<_>>()
        };
        assert_eq!(judged(fine), [Status::Ok]);
        assert_eq!(
            judged(Room {
                free: 4_000 * MIB,
                ..fine
            }),
            [Status::Warning]
        );
        let small = Room {
            free: 900 * MIB,
            total: 1000 * MIB,
            ..fine
        };
        assert_eq!(judged(small), [Status::Warning]);
        let of = |free, total| Room {
            free: free * MIB / 100,
            total: total * MIB,
            ..fine
        };
        assert_eq!(judged(of(184, 2)), [Status::Warning]);
        assert_eq!(judged(of(2376, 24)), [Status::Warning]);
        assert_eq!(judged(of(90, 24)), [Status::Problem]);
        assert_eq!(judged(of(1500, 1000)), [Status::Problem]);
        assert_eq!(judged(Room { free: 0, ..fine }), [Status::Problem]);
        assert_eq!(
            judged(Room {
                free_files: 49,
                ..fine
            }),
            [Status::Warning]
        );
        assert_eq!(
            judged(Room {
                free_files: 0,
                ..fine
            }),
            [Status::Problem]
        );
        let without = Room {
            free_files: 0,
            total_files: 0,
            ..fine
        };
        assert_eq!(judged(without), [Status::Ok]);
        assert_eq!(
            judged(Room {
                is_read_only: true,
                ..fine
            }),
            [Status::Problem]
        );
    }
}
