//! The machine loses its power: what the disk was made to keep is there again, and what it was not is gone.
//!
//! The state directory is a file system of its own, in a file. The kernel can be told to shut one down without another word to its
//! disk, as a power cut does: whatever was not synced is lost when it is mounted again.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use shellkeep_testkit::real::Rig;

use crate::faults::{Dice, assert_no_panic, names, rounds};
use crate::keeping::{assert_flood_is_whole, everything, last_line, start_flood};
use crate::{is_installed, rig, skip};

/// How old what is printed may be and still be lost: a second, and what a busy machine needs to get round to it.
const LOST: Duration = Duration::from_millis(1500);

/// A disk that can lose its power, for as long as this is held.
struct Disk<'a> {
    rig: &'a Rig,
    image: PathBuf,
    at: PathBuf,
}

impl<'a> Disk<'a> {
    /// Puts the rig's state on a disk of its own; `None`, with a word why, where that is not possible.
    fn new(rig: &'a Rig) -> Option<Self> {
        if !is_installed("perl") {
            return None;
        }
        let disk = Self {
            rig,
            image: rig.path("disk"),
            at: rig.path("state"),
        };
        let image = std::fs::File::create(&disk.image).unwrap();
        image.set_len(64 << 20).unwrap();
        let made = Command::new("/usr/sbin/mkfs.ext4")
            .args(["-q", "-F"])
            .arg(&disk.image)
            .status();
        if !made.is_ok_and(|status| status.success()) || !disk.mount() {
            skip("no disk can be made here");
            return None;
        }
        Some(disk)
    }

    fn mount(&self) -> bool {
        let mut command = Command::new("mount");
        let command = command.args(["-o", "loop"]).args([&self.image, &self.at]);
        let mounted = command.output();
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o700);
        mounted.is_ok_and(|output| output.status.success())
            && std::fs::set_permissions(&self.at, mode).is_ok()
    }

    /// The power goes: no file reaches the disk any more, and nothing runs. Then it is there again.
    fn cut(&self) {
        let shutdown = r#"open(D, "<", $ARGV[0]) or die; $how = pack("L", 2); ioctl(D, 0x8004587d, $how) or die"#;
        let mut command = Command::new("perl");
        let cut = command.args(["-e", shutdown]).arg(&self.at).status();
        assert!(cut.unwrap().success());
        self.rig.wait_until("everything's end", || {
            for process in self.rig.processes() {
                process.signal(Signal::SIGKILL);
            }
            self.rig.processes().is_empty()
        });
        self.rig.wait_until("the disk's end", || self.unmount());
        assert!(self.mount(), "the disk is there again");
    }

    fn unmount(&self) -> bool {
        let output = Command::new("umount").arg(&self.at).output();
        output.is_ok_and(|output| output.status.success())
    }
}

impl Drop for Disk<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.at).output();
    }
}

/// Prints numbered lines for ever, a few at a time.
const COUNT: &str = r#"
n=0
while :; do
  n=$((n + 1))
  echo "line $n of the flood"
  [ $((n % 20)) = 0 ] && sleep 0.01
done
"#;

/// The numbers of the lines that a pane has, from the first to the last.
#[track_caller]
fn counted(rig: &Rig, pane: &str, what: &str) -> u64 {
    let text = rig.ok(&["capture-pane", "-p", "-J", "-t", pane, "-S", "-"]);
    let mut expected = 0;
    for line in text.lines().map(str::trim_end) {
        let number = line.strip_prefix("line ");
        if let Some(number) = number.and_then(|rest| rest.strip_suffix(" of the flood")) {
            expected += 1;
            assert_eq!(number, expected.to_string(), "{what}: {pane}");
        }
    }
    expected
}

#[test]
fn power_cut_costs_at_most_the_last_second_and_no_session() {
    let rig = rig();
    let Some(disk) = Disk::new(&rig) else {
        return;
    };
    let script = rig.write("home/count", COUNT);
    let script = script.to_str().unwrap();
    let mut dice = Dice::new(577);
    // Since when each is there.
    let mut made: BTreeMap<String, Instant> = BTreeMap::new();
    for round in 0..rounds(3) {
        let flood = format!("flood{round}");
        rig.ok(&[
            "new", "-d", "-s", &flood, "-x", "80", "-y", "24", "--", "sh", script,
        ]);
        made.insert(flood.clone(), Instant::now());
        let mut seen: Vec<(Instant, u64)> = Vec::new();
        let began = Instant::now();
        let end = began + Duration::from_millis(1600 + dice.below(2500) as u64);
        while Instant::now() < end {
            let shown = last_line(&rig.ok(&["capture-pane", "-p", "-t", &flood]));
            seen.push((Instant::now(), shown));
            if seen.len() % 40 == 20 {
                let name = format!("s{round}-{}", seen.len());
                rig.ok(&["new", "-d", "-s", &name, "--", "cat"]);
                made.insert(name, Instant::now());
            }
        }
        let cut = Instant::now();
        disk.cut();
        let what = format!("round {round}");
        let there = names(&rig);
        for (name, since) in &made {
            let is_due = cut - *since > LOST;
            assert!(
                there.contains(name) || !is_due,
                "{what}: no {name} in {there:?}\n{}",
                rig.log()
            );
        }
        made.retain(|name, _| there.contains(name));
        let due = seen.iter().rev().find(|(when, _)| cut - *when > LOST);
        let due = due.map_or(0, |(_, number)| *number);
        let kept = counted(&rig, &flood, &what);
        let last = seen.last().map_or(0, |(_, number)| *number);
        assert!(kept >= due, "{what}: {kept} of {due} lines, {last} shown");
        assert!(due > 0);
        assert_no_panic(&rig);
    }
}

#[test]
fn power_cut_after_an_orderly_end_costs_nothing() {
    for keep in [&["kill-server", "--keep"][..], &[]] {
        let rig = rig();
        let Some(disk) = Disk::new(&rig) else {
            return;
        };
        start_flood(&rig);
        rig.wait_for_pane("a flood", "flood", |text| last_line(text) > 2000);
        rig.write("home/enough", "");
        rig.wait_for_pane("its end", "flood", |text| text.contains("the last was"));
        // Just now, so that no second has gone by.
        rig.open_saying("young", "here");
        rig.ok(&["set-buffer", "copied"]);
        let shown = || ["flood", "young"].map(|name| everything(&rig, name));
        let before = shown();
        if keep.is_empty() {
            let server = rig.server();
            server.signal(Signal::SIGTERM);
            server.wait_gone();
        } else {
            rig.ok(keep);
            rig.wait_until("everything's end", || rig.processes().is_empty());
        }
        disk.cut();
        assert_eq!(shown(), before);
        assert_flood_is_whole(&before[0]);
        assert_eq!(rig.ok(&["show-buffer"]), "copied");
        assert_no_panic(&rig);
    }
}

#[test]
fn power_cut_after_a_session_was_put_away_finds_it_there() {
    if !is_installed("bash") {
        return;
    }
    let rig = rig();
    let Some(disk) = Disk::new(&rig) else {
        return;
    };
    rig.write(
        "config/shellkeep/shellkeep.conf",
        "set -g status off\nset -g default-shell /bin/bash\n",
    );
    for name in ["asleep", "closed"] {
        rig.ok(&["new", "-d", "-s", name, "-x", "80", "-y", "24"]);
        rig.wait_for_pane("a prompt", name, |text| text.contains('$'));
        let line = format!("kept=it-{name}; echo said-$((40+2))");
        rig.enter(name, &line);
        rig.wait_for_pane("the text", name, |text| text.contains("said-42"));
    }
    let before = ["asleep", "closed"].map(|name| everything(&rig, name));
    rig.ok(&["kill-session", "-t", "closed"]);
    // Its shell is ended when this is over: nobody else has what it had.
    rig.ok(&["hibernate", "-t", "asleep"]);
    disk.cut();
    let asleep = BTreeSet::from(["asleep".to_owned()]);
    let there = names(&rig);
    assert!(there.is_superset(&asleep), "{there:?}");
    assert_eq!(everything(&rig, "asleep"), before[0]);
    rig.enter("asleep", "echo $kept-$((40+3))");
    rig.wait_for_pane("its state", "asleep", |text| text.contains("it-asleep-43"));
    if !there.contains("closed") {
        assert_eq!(rig.ok(&["reopen", "closed"]), "closed\n");
    }
    assert_eq!(everything(&rig, "closed"), before[1]);
    assert_no_panic(&rig);
}
