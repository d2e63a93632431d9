//! What sleeping shells and copied texts are kept in may be damaged, too.

use std::path::PathBuf;

use crate::faults::{Dice, Snapshot, assert_no_panic, directory_of, doctor, file_below, names};
use crate::keeping::{everything, kill_both};
use crate::{is_installed, rig};

/// A file cut and flipped in its head, and everywhere behind it.
fn damaged(bytes: &[u8], dice: &mut Dice) -> Vec<(String, Vec<u8>)> {
    // What the head is made of: magic, version, flags, length; then the packed rest in pieces.
    let mut starts = vec![0, 4, 8, 12, 16];
    let piece = (bytes.len() - 16).div_ceil(4);
    starts.extend((1..=4).map(|number| (16 + number * piece).min(bytes.len())));
    let mut all = Vec::new();
    for part in starts.windows(2).filter(|part| part[0] < part[1]) {
        let at = part[0] + dice.below(part[1] - part[0]);
        let mut flipped = bytes.to_vec();
        flipped[at] ^= 1 << dice.below(8);
        all.push((format!("flipped at {at}"), flipped));
        all.push((format!("cut at {at}"), bytes[..at].to_vec()));
    }
    all
}

#[test]
fn shell_state_cut_or_flipped_gives_the_whole_of_it_or_a_new_shell_that_says_so() {
    if !is_installed("bash") {
        return;
    }
    let rig = rig();
    rig.write(
        "config/shellkeep/shellkeep.conf",
        "set -g status off\nset -g default-shell /bin/bash\n",
    );
    rig.ok(&["new", "-d", "-s", "work", "-x", "80", "-y", "24"]);
    rig.open("other", "echo here; cat");
    rig.wait_for_pane("a prompt", "work", |text| text.contains('$'));
    let line = "mine=whole; say() { echo $mine-$1; }; say $((40+2))";
    rig.enter("work", line);
    // The prompt behind it, too: a shell that is about to show one is not put to sleep.
    let is_back = |text: &str| text.contains("whole-42") && text.trim_end().ends_with('$');
    rig.wait_for_pane("the text and a prompt", "work", is_back);
    rig.ok(&["hibernate", "-t", "work"]);
    let before = everything(&rig, "work");
    kill_both(&rig);
    let snapshot = Snapshot::of(&rig, "state/shellkeep");
    let path = file_below(&directory_of(snapshot.dir(), "work"), "shell").unwrap();
    let bytes = std::fs::read(&path).unwrap();
    let mut dice = Dice::new(161);
    let check = |what: &str| {
        assert_eq!(names(&rig).len(), 2, "{what}");
        assert_eq!(everything(&rig, "work"), before, "{what}");
        rig.enter("work", "say 43; echo end-$((40+4))");
        let text = rig.wait_for_pane("a shell", "work", |text| text.contains("end-44"));
        let is_new = text.contains("[shellkeep: a new shell: ");
        assert_ne!(text.contains("whole-43"), is_new, "{what}: {text}");
        if is_new {
            let aside = file_below(&snapshot.dir().join("quarantine"), "shell.");
            // One of a later version is left where it is.
            let told = rig.log();
            assert!(
                aside.is_some() || told.contains("later shellkeep"),
                "{what}"
            );
            let named = aside.map(|path| path.file_name().unwrap().to_owned());
            let named = named.map(|name| name.to_string_lossy().into_owned());
            assert!(named.is_none_or(|name| doctor(&rig).contains(&name)));
        }
        assert_no_panic(&rig);
    };
    for (what, damaged) in damaged(&bytes, &mut dice) {
        let harm = || std::fs::write(&path, damaged).unwrap();
        snapshot.harm(&rig, harm, || check(&what));
    }
}

#[test]
fn buffer_cut_or_flipped_is_whole_or_gone_and_costs_no_other() {
    let rig = rig();
    rig.ok(&["new", "-d", "-s", "work", "--", "cat"]);
    let long = "a word or two, ".repeat(40);
    rig.ok(&["set-buffer", "-b", "long", &long]);
    rig.ok(&["set-buffer", "-b", "short", "word"]);
    kill_both(&rig);
    let snapshot = Snapshot::of(&rig, "state/shellkeep");
    let buffers = std::fs::read_dir(snapshot.dir().join("buffers")).unwrap();
    let mut buffers: Vec<PathBuf> = buffers.map(|entry| entry.unwrap().path()).collect();
    buffers.sort();
    let path = &buffers[0];
    let bytes = std::fs::read(path).unwrap();
    let mut dice = Dice::new(162);
    let check = |what: &str| {
        assert_eq!(names(&rig).len(), 1, "{what}");
        assert_eq!(rig.ok(&["show-buffer", "-b", "short"]), "word", "{what}");
        let shown = rig.run(&["show-buffer", "-b", "long"]);
        let aside = std::fs::read_dir(snapshot.dir().join("quarantine/buffers"));
        let aside = aside.map_or(0, Iterator::count);
        if shown.status == 0 {
            assert_eq!(shown.stdout, long, "{what}");
        } else {
            let is_told = rig.log().contains("in the store");
            assert!(is_told, "{what}: {}", rig.log());
            // One of a later version is left where it is.
            let is_later = rig.log().contains("later shellkeep");
            assert_eq!(
                (path.exists(), aside),
                (is_later, usize::from(!is_later)),
                "{what}"
            );
        }
        if what == "flipped near its end" {
            assert_eq!((shown.status, aside), (1, 1));
        }
        // The name can be had again, and is kept.
        rig.ok(&["set-buffer", "-b", "long", "again"]);
        kill_both(&rig);
        assert_eq!(rig.ok(&["show-buffer", "-b", "long"]), "again", "{what}");
        assert_no_panic(&rig);
    };
    let mut flipped = bytes.clone();
    flipped[bytes.len() - 2] ^= 0x55;
    let mut all = damaged(&bytes, &mut dice);
    all.push(("flipped near its end".to_owned(), flipped));
    for (what, damaged) in all {
        let harm = || std::fs::write(path, damaged).unwrap();
        snapshot.harm(&rig, harm, || check(&what));
    }
}
