//! What is closed goes into the archive, and can be reopened; of what is forgotten nothing is left.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use shellkeep_testkit::real::Rig;

use crate::faults::names;
use crate::keeping::{everything, kill_both, state_contains};
use crate::rig;

/// A session whose second pane says something and is closed in this way.
fn close_second_pane(rig: &Rig, by: &[&str]) {
    rig.open("work", "echo marker-first; cat");
    rig.ok(&["split-window", "-t", "work"]);
    rig.wait_for_pane("a prompt", "work:0.1", |text| text.contains('$'));
    rig.enter("work:0.1", "echo marker-$((40+2))");
    rig.wait_for_pane("the text", "work:0.1", |text| text.contains("marker-42"));
    rig.ok(by);
    rig.wait_until("one pane", || {
        rig.ok(&["list-panes", "-t", "work"]).lines().count() == 1
    });
}

#[test]
fn pane_that_was_closed_is_an_entry_of_the_archive_and_can_be_reopened() {
    for by in [
        &["kill-pane", "-t", "work:0.1"][..],
        &["send-keys", "-t", "work:0.1", "exit", "Enter"],
    ] {
        let rig = rig();
        close_second_pane(&rig, by);
        let archived = rig.ok(&["ls", "-a"]);
        assert_eq!(archived.matches("work: ").count(), 2, "{archived}");
        assert_eq!(rig.ok(&["reopen", "work"]), "work-2\n");
        assert!(everything(&rig, "work-2").contains("marker-42"));
        // Both are sessions of their own now.
        kill_both(&rig);
        assert!(everything(&rig, "work-2").contains("marker-42"));
        assert!(everything(&rig, "work").contains("marker-first"));
    }
}

#[test]
fn window_that_was_closed_is_an_entry_of_the_archive_and_can_be_reopened() {
    let rig = rig();
    rig.ok(&["new", "-d", "-s", "work"]);
    rig.ok(&[
        "new-window",
        "-t",
        "work",
        "-n",
        "second",
        "--",
        "sh",
        "-c",
        "echo marker-win; cat",
    ]);
    rig.wait_for_pane("the text", "work:second", |text| {
        text.contains("marker-win")
    });
    rig.ok(&["kill-window", "-t", "work:second"]);
    assert_eq!(rig.ok(&["reopen", "work"]), "work-2\n");
    assert!(everything(&rig, "work-2").contains("marker-win"));
    let name = rig.ok(&["display", "-p", "-t", "work-2", "#{window_name}"]);
    assert_eq!(name, "second\n");
}

#[test]
fn session_forgotten_takes_what_was_closed_in_it_along() {
    let rig = rig();
    rig.ok(&["new", "-d", "-s", "stays"]);
    close_second_pane(&rig, &["kill-pane", "-t", "work:0.1"]);
    rig.ok(&["ls", "-a"]);
    assert!(state_contains(&rig, "marker-42"));
    rig.ok(&["forget", "-y", "work"]);
    rig.wait_until("nothing to be left", || !state_contains(&rig, "marker-"));
    let left = rig.ok(&["ls", "-a"]);
    assert!(!left.contains("work"), "{left}");
    assert!(left.contains("stays"), "{left}");
}

#[test]
fn nothing_is_left_of_a_forgotten_session() {
    let rig = rig();
    rig.ok(&["new", "-d", "-s", "stays", "--", "cat"]);
    rig.ok(&[
        "new",
        "-d",
        "-s",
        "gone",
        "-e",
        "TOKEN=hunter3zz",
        "--",
        "cat",
    ]);
    rig.ok(&["new-window", "-t", "gone:1", "echo hunter3zz; cat"]);
    rig.wait_for_pane("its text", "gone:1", |text| text.contains("hunter3zz"));
    let catalogue = rig.path("state/shellkeep/catalogue.db");
    rig.wait_until("the catalogue to know of it", || {
        ["", "-wal"].iter().any(|tail| {
            let path = format!("{}{tail}", catalogue.display());
            let bytes = std::fs::read(path).unwrap_or_default();
            String::from_utf8_lossy(&bytes).contains("hunter3zz")
        })
    });
    rig.ok(&["kill-window", "-t", "gone:1"]);
    rig.ok(&["kill-session", "-t", "gone"]);
    rig.wait_until("the archive", || {
        rig.ok(&["ls", "-a"]).matches("gone: ").count() == 2
    });
    rig.ok(&["forget", "-y", "gone"]);
    rig.wait_until("no trace of it", || !state_contains(&rig, "hunter3zz"));
    // It is over when the command is.
    for round in 0..4 {
        let name = format!("again{round}");
        rig.ok(&["new", "-d", "-s", &name, "--", "cat"]);
        rig.ok(&["forget", "-y", &name]);
        kill_both(&rig);
        assert!(!rig.ok(&["ls", "-a"]).contains(&name));
    }
}

#[test]
fn what_is_said_to_type_after_closing_a_session_brings_it_back_from_any_server() {
    let rig = rig();
    let path = rig.path("my socket").display().to_string();
    for server in [&["-L", "default"], &["-L", "other"], &["-S", &path]] {
        let call = |words: &[&'static str]| [&server[..], words].concat();
        for name in ["stays", "two words"] {
            rig.ok(&[&server[..], &["new", "-d", "-s", name]].concat());
        }
        let mut terminal = rig.attach(&call(&["kill-session", "-t", "two words"]), (24, 200));
        terminal.wait_for_text("to have it back, type: ");
        assert_eq!(terminal.wait_exit(), 0);
        let said = terminal.text();
        let (_, line) = said.split_once("type: ").unwrap();
        let typed = |line: &str| {
            let mut command = rig.other_command("sh");
            command.args(["-c", line]);
            rig.finish(command)
        };
        let line = line.lines().next().unwrap();
        assert_eq!(typed(line).ok(), "two words\n", "{line}");
        // So does what a name that is unknown is answered.
        let said = rig.run(&call(&["reopen", "nosuch"])).fails();
        let line = said.split_once('(').unwrap().1;
        let line = line.strip_suffix(" lists them)").unwrap();
        assert!(typed(line).ok().contains("two words: "), "{line}");
    }
}

#[test]
fn forget_of_a_session_that_is_not_there_says_so_before_anything_else() {
    let rig = rig();
    rig.ok(&["-L", "other", "new", "-d", "-s", "work"]);
    let said = rig.run(&["-L", "other", "forget", "nosuch"]).fails();
    assert_eq!(
        said,
        "no archived session nosuch (shellkeep -L other ls -a lists them)"
    );
    let said = rig.run(&["-L", "other", "forget", "work"]).fails();
    assert!(
        said.ends_with("type: shellkeep -L other forget -y work"),
        "{said}"
    );
    assert!(rig.ok(&["-L", "other", "ls"]).starts_with("work: "));
}

#[test]
fn forget_asks_on_a_terminal_and_only_yes_is_a_yes() {
    let rig = rig();
    for name in ["stays", "work"] {
        rig.ok(&["new", "-d", "-s", name]);
    }
    let ask = |answer: &str| {
        let mut terminal = rig.attach(&["forget", "-t", "work"], (24, 80));
        terminal.wait_for_text("forget session work for good? [y/N]");
        terminal.enter(answer);
        terminal.wait_exit()
    };
    for answer in ["", "n", "maybe"] {
        assert_eq!(ask(answer), 1);
        assert!(names(&rig).contains("work"));
    }
    assert_eq!(ask("y"), 0);
    assert_eq!(names(&rig), BTreeSet::from(["stays".to_owned()]));
    // Nobody is asked where nobody sits.
    let refused = rig.run(&["forget", "stays"]).fails();
    assert!(refused.contains("forget -y stays"), "{refused}");
    assert!(names(&rig).contains("stays"));
}

/// The directories of sessions below one of the store's folders, with their panes.
fn sessions_in(rig: &Rig, folder: &str) -> Vec<(PathBuf, Vec<PathBuf>)> {
    let dirs = |path: &Path| {
        let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
        let mut dirs: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        dirs.retain(|path| path.is_dir());
        dirs.sort();
        dirs
    };
    let sessions = dirs(&rig.path(folder)).into_iter();
    sessions.map(|path| (path.clone(), dirs(&path))).collect()
}

/// A store in which the second pane of session `work` was closed, and what there was before.
struct Closed {
    rig: Rig,
    /// The pane as a session of its own, in the archive.
    alone: PathBuf,
    pane: std::ffi::OsString,
}

const OPEN: &str = "state/shellkeep/sessions";

impl Closed {
    fn new() -> Self {
        let rig = rig();
        let shows = |text: &str| format!("echo {text}; cat");
        rig.ok(&["new", "-d", "-s", "work", "--", "sh", "-c", &shows("first")]);
        rig.ok(&[
            "split-window",
            "-d",
            "-t",
            "work",
            "--",
            "sh",
            "-c",
            &shows("second"),
        ]);
        rig.wait_for_pane("its text", "work.1", |text| text.contains("second"));
        let mut closed = Self {
            rig,
            alone: PathBuf::new(),
            pane: std::ffi::OsString::new(),
        };
        closed.end();
        closed.copy(&closed.rig.path(OPEN), &closed.rig.path("before"));
        closed.rig.ok(&["kill-pane", "-t", "work.1"]);
        closed.end();
        let months = std::fs::read_dir(closed.rig.path("state/shellkeep/archive"));
        let month = months.unwrap().next().unwrap().unwrap().path();
        let (alone, panes) = sessions_in(&closed.rig, month.to_str().unwrap()).remove(0);
        closed.pane = panes[0].file_name().unwrap().to_owned();
        closed.alone = alone;
        closed
    }

    fn end(&self) {
        self.rig.ok(&["kill-server", "--keep"]);
        let rig = &self.rig;
        rig.wait_until("the end", || rig.processes().is_empty());
    }

    fn copy(&self, from: &Path, to: &Path) {
        let mut cp = self.rig.other_command("cp");
        cp.arg("-a").args([from, to]);
        self.rig.finish(cp).ok();
    }

    /// The sessions as they were before, and the directory of `work`.
    fn put_back(&self) -> PathBuf {
        std::fs::remove_dir_all(self.rig.path(OPEN)).unwrap();
        self.copy(&self.rig.path("before"), &self.rig.path(OPEN));
        sessions_in(&self.rig, OPEN)[0].0.clone()
    }

    /// Puts the session that the pane is by itself among those that are open.
    fn describe(&self) -> PathBuf {
        let open = self.rig.path(OPEN).join(self.alone.file_name().unwrap());
        std::fs::rename(&self.alone, &open).unwrap();
        open
    }

    /// The sessions that are open, and how many panes the first one has.
    fn listed(&self) -> (String, usize) {
        let names = self.rig.ok(&["ls", "-F", "#{session_name}"]);
        let panes = self.rig.ok(&["list-panes", "-s", "-t", "work", "-F", "x"]);
        (names, panes.lines().count())
    }
}

#[test]
fn pane_that_was_moved_when_both_were_killed_gets_to_the_archive() {
    let closed = Closed::new();
    let session = closed.put_back();
    let open = closed.describe();
    std::fs::remove_dir_all(session.join(&closed.pane)).unwrap();
    assert_eq!(closed.listed(), ("work\n".to_owned(), 1));
    closed.end();
    assert!(!open.exists() && closed.alone.join(&closed.pane).is_dir());
}

#[test]
fn pane_that_was_not_moved_yet_when_both_were_killed_is_where_it_was() {
    let closed = Closed::new();
    closed.put_back();
    let open = closed.describe();
    std::fs::remove_dir_all(open.join(&closed.pane)).unwrap();
    assert_eq!(closed.listed(), ("work\n".to_owned(), 2));
    let second = closed.rig.ok(&["capture-pane", "-p", "-t", "work.1"]);
    assert!(second.contains("second"));
    closed.end();
    assert!(!open.exists());
}

#[test]
fn pane_in_the_archive_is_not_also_in_a_session_that_still_names_it() {
    let closed = Closed::new();
    let session = closed.put_back();
    std::fs::remove_dir_all(session.join(&closed.pane)).unwrap();
    assert_eq!(closed.listed(), ("work\n".to_owned(), 1));
    let first = closed.rig.ok(&["capture-pane", "-p", "-t", "work"]);
    assert!(first.contains("first"));
    closed.end();
    assert!(closed.alone.join(&closed.pane).is_dir());
}

#[test]
fn attaching_to_an_archived_session_says_what_to_type() {
    let rig = rig();
    rig.ok(&["new", "-d", "-s", "keep", "cat"]);
    rig.ok(&["new", "-d", "-s", "gone", "cat"]);
    rig.ok(&["archive", "-t", "gone"]);
    let said = rig.run(&["attach", "-t", "gone"]).fails();
    let (what, typed) = said.split_once("type: ").unwrap();
    assert_eq!(what, "session gone is archived; to have it back, ");
    assert_eq!(
        rig.run(&["attach", "-t", "other"]).fails(),
        "can't find session: other"
    );
    // By the other name the words are tmux's.
    let bin = rig.path("bin").display().to_string();
    rig.ok(&["tmux-shim", &bin]);
    let mut tmux = rig.other_command(&format!("{bin}/tmux"));
    tmux.args(["attach", "-t", "gone"]);
    assert_eq!(rig.finish(tmux).fails(), "can't find session: gone");
    let mut reopen = rig.other_command("sh");
    reopen.args(["-c", typed]);
    assert_eq!(rig.finish(reopen).ok(), "gone\n");
}

#[test]
fn session_that_was_picked_is_named() {
    let rig = rig();
    rig.ok(&["new", "-d", "-s", "keep", "cat"]);
    rig.ok(&["new", "-d", "-s", "last", "cat"]);
    assert_eq!(rig.ok(&["pin"]), "session last is pinned\n");
    assert_eq!(rig.ok(&["pin", "-u"]), "session last is no longer pinned\n");
    assert_eq!(rig.ok(&["tag"]), "session last has no tags\n");
    assert_eq!(
        rig.ok(&["tag", "a", "b"]),
        "session last has the tags a, b\n"
    );
    // Where the caller knows which one it is, nothing is said.
    assert_eq!(rig.ok(&["pin", "-t", "keep"]), "");
    assert_eq!(rig.ok(&["tag", "-t", "last"]), "a\nb\n");
    let mut inside = rig.command(&["pin"]);
    let place = format!("{},1,0", rig.socket().display());
    inside.env("SHELLKEEP", place).env("SHELLKEEP_PANE", "%0");
    assert_eq!(rig.finish(inside).ok(), "");
    let said = rig.ok(&["archive"]);
    assert!(said.starts_with("session last is in the archive"), "{said}");
}
