//! There is room on the disk, and it can be written.

use std::path::Path;

use nix::sys::statvfs::{FsFlags, Statvfs, statvfs};

use crate::Setup;
use crate::finding::Finding;
use crate::setup::quoted;

const NAME: &str = "room";
const MIB: u64 = 1 << 20;

pub(super) fn check(setup: &Setup<'_>) -> Vec<Finding> {
    // Of what is there already, if the directory itself is not.
    let dir = setup.state_dir.ancestors().find(|dir| dir.exists());
    let dir = dir.unwrap_or(Path::new("/"));
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
    judge(&room, dir)
}

/// What the system says of a disk.
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
}

fn judge(room: &Room, dir: &Path) -> Vec<Finding> {
    let shown = dir.display();
    if room.is_read_only {
        let sentence = format!("the file system of {shown} is read-only, so nothing is kept");
        let fix = "look into dmesg for why; then mount it read-write";
        return vec![Finding::problem(NAME, sentence, fix)];
    }
    let mut findings = Vec::new();
    let percent = |free: u64, total: u64| free.saturating_mul(100) / total.max(1);
    let left = format!(
        "{} MiB ({} %)",
        room.free / MIB,
        percent(room.free, room.total)
    );
    let look = format!("df -h {}; then delete something", quoted(dir));
    if room.free < 16 * MIB {
        let sentence =
            format!("no room on the disk of {shown}: {left} left, so nothing more may be kept");
        findings.push(Finding::problem(NAME, sentence, look));
    } else if room.free < 1024 * MIB || Room::is_scarce(room.free, room.total) {
        let sentence = format!("little room on the disk of {shown}: {left} left");
        findings.push(Finding::warning(NAME, sentence, look));
    }
    // Some file systems have no such limit, and say 0.
    if room.total_files > 0 && Room::is_scarce(room.free_files, room.total_files) {
        let sentence = format!(
            "few files can still be made on the disk of {shown}: {} ({} %)",
            room.free_files,
            percent(room.free_files, room.total_files)
        );
        findings.push(Finding::warning(
            NAME,
            sentence,
            format!("df -i {}", quoted(dir)),
        ));
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
            let findings = judge(&room, Path::new("/x"));
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
        assert_eq!(judged(Room { free: 0, ..fine }), [Status::Problem]);
        assert_eq!(
            judged(Room {
                free_files: 49,
                ..fine
            }),
            [Status::Warning]
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
