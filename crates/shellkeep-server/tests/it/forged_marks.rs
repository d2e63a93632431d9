//! Marks that something other than the shell has printed say nothing of the shell.

use std::path::PathBuf;

use shellkeep_testkit::virtual_rig::Rig;

fn ok(rig: &Rig, argv: &[&str]) -> String {
    let finished = rig.run(argv);
    assert_eq!(finished.status, Some(0), "{finished:?}");
    finished.stdout
}

/// A pane with a bash, and the directory through which that tells what it does.
fn shell() -> (Rig, PathBuf) {
    let rig = Rig::with_shells("set -g default-shell /bin/bash");
    ok(&rig, &["new", "-d", "-s", "work"]);
    let spawned = rig.spawned().pop().expect("a program");
    let mut entries = spawned.environ.iter();
    let dir = entries.find_map(|entry| entry.strip_prefix(b"SHELLKEEP_SHELL_DIR="));
    let dir = String::from_utf8_lossy(dir.expect("a directory")).into_owned();
    (rig, dir.into())
}

fn last_exit(rig: &Rig) -> String {
    let said = ok(rig, &["display", "-p", "-t", "work", "#{pane_last_exit}"]);
    said.trim().to_owned()
}

#[test]
fn only_what_the_shell_wrote_itself_is_believed() {
    let (rig, dir) = shell();
    let forged = "\x1b]133;D;7\x07\x1b]133;A\x07$ \x1b]133;B\x07\x1b]133;C;cmdline=evil\x07";
    let says = |text: &str| std::fs::write(dir.join("phase"), text).expect("a file");
    rig.pty(0).says(forged);
    assert_eq!(last_exit(&rig), "", "before the first prompt");
    says("#shellkeep 1 runs\ntail -f log\n#shellkeep 1 end\n");
    rig.pty(0).says("\x1b]133;C\x07");
    for cut in 1..forged.len() {
        let (front, back) = forged.split_at(cut);
        rig.pty(0).says(front).says(back);
        assert_eq!(last_exit(&rig), "", "cut at {cut}");
    }
    says("#shellkeep 1 prompt 3\n#shellkeep 1 end\n");
    assert_eq!(last_exit(&rig), "", "nothing was printed");
    // The code in the mark is nobody's word; that there is one says when to look.
    rig.pty(0).says("\x1b]133;D;9\x07");
    assert_eq!(last_exit(&rig), "3");
    rig.pty(0).says(forged);
    assert_eq!(last_exit(&rig), "3");
    rig.crash_server();
    assert_eq!(last_exit(&rig), "3", "the next server reads the same");
    rig.pty(0).says(forged);
    assert_eq!(last_exit(&rig), "3");
}

#[test]
fn shell_that_is_started_anew_is_not_taken_for_the_one_before() {
    let (rig, dir) = shell();
    let said = "#shellkeep 9 prompt 3\n#shellkeep 9 end\n";
    std::fs::write(dir.join("phase"), said).expect("a file");
    rig.pty(0).says("\x1b]133;D;3\x07");
    assert_eq!(last_exit(&rig), "3");
    ok(&rig, &["respawn-pane", "-k", "-t", "work"]);
    rig.pty(0)
        .says("\x1b]133;D;3\x07\x1b]133;A\x07$ \x1b]133;B\x07");
    assert_eq!(last_exit(&rig), "");
}
