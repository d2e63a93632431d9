//! What is closed goes into the archive, and can be reopened; of what is forgotten nothing is left.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use shellkeep_testkit::real::Rig;

use crate::faults::{Snapshot, names};
use crate::keeping::{everything, kill_both, state_contains};
use crate::rig;

/// What is closed: how it is opened in session `work`, its name, what closes it, and what is reopened.
struct Closing {
    open: &'static [&'static str],
    target: &'static str,
    close: &'static [&'static str],
    reopened: &'static str,
}

const CLOSINGS: &[Closing] = &[
    Closing {
        open: &["split-window", "-t", "work"],
        target: "work:0.1",
        close: &["kill-pane", "-t", "work:0.1"],
        reopened: "work-2",
    },
    Closing {
        open: &["split-window", "-t", "work"],
        target: "work:0.1",
        close: &["send-keys", "-t", "work:0.1", "exit", "Enter"],
        reopened: "work-2",
    },
    Closing {
        open: &["new-window", "-t", "work", "-n", "second"],
        target: "work:second",
        close: &["kill-window", "-t", "work:second"],
        reopened: "work-2",
    },
    Closing {
        open: &["new-window", "-t", "work", "-n", "second"],
        target: "work:second",
        close: &["kill-session", "-t", "work"],
        reopened: "work",
    },
];

impl Closing {
    /// Has session `work` say something, and its second pane or window, and closes that.
    fn begin(&self, rig: &Rig) {
        rig.open_saying("work", "marker-first");
        rig.ok(self.open);
        rig.wait_for_pane("a prompt", self.target, |text| text.contains('$'));
        rig.enter(self.target, "echo marker-$((40+2))");
        rig.wait_for_pane("the text", self.target, |text| text.contains("marker-42\n"));
    }

    fn close(&self, rig: &Rig) {
        let is_session = self.reopened == "work";
        rig.ok(self.close);
        rig.wait_until("it to be closed", || {
            let panes = rig.run(&["list-panes", "-s", "-t", "work"]);
            panes.stdout.lines().count() == usize::from(!is_session)
        });
    }
}

#[test]
fn what_was_closed_is_an_entry_of_the_archive_and_can_be_reopened() {
    for closing in CLOSINGS {
        let (rig, what) = (rig(), closing.close);
        rig.ok(&["new", "-d", "-s", "stays"]);
        closing.begin(&rig);
        let shown = everything(&rig, closing.target);
        closing.close(&rig);
        let (listed, archived) = (rig.ok(&["ls"]), rig.ok(&["ls", "-a"]));
        let count = archived.matches("work: ").count();
        if closing.reopened == "work" {
            assert!(!listed.contains("work"), "{what:?}: {listed}");
            assert!(archived.contains("work: 2 windows"), "{what:?}: {archived}");
        } else {
            assert_eq!(count, 2, "{what:?}: {archived}");
        }
        assert_eq!(
            rig.ok(&["reopen", "work"]),
            format!("{}\n", closing.reopened)
        );
        let target = closing
            .target
            .replace("work:", &format!("{}:", closing.reopened));
        let target = if closing.open[0] == "split-window" {
            closing.reopened
        } else {
            let name = rig.ok(&["display", "-p", "-t", &target, "#{window_name}"]);
            assert_eq!(name, "second\n", "{what:?}");
            &target
        };
        let is_whole = || {
            assert!(everything(&rig, target).contains("marker-42"), "{what:?}");
            assert!(
                everything(&rig, "work:0").contains("marker-first"),
                "{what:?}"
            );
        };
        is_whole();
        if closing.reopened == "work" {
            assert_eq!(everything(&rig, target), shown);
            let left = rig.ok(&["ls", "-a"]);
            assert!(!left.contains("archived"), "{left}");
            let said = rig.run(&["reopen", "nothing"]).fails();
            assert!(said.contains("no archived session nothing"), "{said}");
        }
        // Both are sessions of their own now.
        kill_both(&rig);
        is_whole();
    }
}

#[test]
fn nothing_is_left_of_a_forgotten_session_and_what_was_closed_in_it() {
    let rig = rig();
    rig.ok(&["new", "-d", "-s", "stays", "--", "cat"]);
    CLOSINGS[0].begin(&rig);
    CLOSINGS[0].close(&rig);
    rig.ok(&["ls", "-a"]);
    assert!(state_contains(&rig, "marker-42"));
    rig.ok(&["forget", "-y", "work"]);
    rig.wait_until("nothing to be left", || !state_contains(&rig, "marker-"));
    let left = rig.ok(&["ls", "-a"]);
    assert!(!left.contains("work"), "{left}");
    assert!(left.contains("stays"), "{left}");

    let gone = ["new", "-d", "-s", "gone", "-e", "TOKEN=hunter3zz"];
    rig.ok(&[&gone[..], &["--", "cat"]].concat());
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
fn what_is_said_to_type_about_a_closed_session_works_with_any_server() {
    let rig = rig();
    let path = rig.path("my socket").display().to_string();
    for (server, called) in [
        (&["-L", "default"], "shellkeep".to_owned()),
        (&["-L", "other"], "shellkeep -L other".to_owned()),
        (&["-S", &path], format!("shellkeep -S '{path}'")),
    ] {
        let call = |words: &[&'static str]| [&server[..], words].concat();
        for name in ["stays", "two words"] {
            rig.ok(&[&server[..], &["new", "-d", "-s", name]].concat());
        }
        let mut terminal = rig.attach(&call(&["kill-session", "-t", "two words"]), (24, 200));
        terminal.wait_for_text("to have it back, type: ");
        assert_eq!(terminal.wait_exit(), 0);
        let said = terminal.text();
        let (_, line) = said.split_once("type: ").unwrap();
        let line = line.lines().next().unwrap();
        assert_eq!(rig.sh(line).ok(), "two words\n", "{line}");
        // So does what somebody is told who attaches to it,
        rig.ok(&call(&["archive", "-t", "two words"]));
        let said = rig.run(&call(&["attach", "-t", "two words"])).fails();
        let (what, line) = said.split_once("type: ").unwrap();
        assert_eq!(what, "session two words is archived; to have it back, ");
        assert_eq!(rig.sh(line).ok(), "two words\n", "{line}");
        // and what a name that is unknown is answered.
        let said = rig.run(&call(&["reopen", "nosuch"])).fails();
        let line = said.split_once('(').unwrap().1;
        let line = line.strip_suffix(" lists them)").unwrap();
        assert!(rig.sh(line).ok().contains("two words: "), "{line}");
        let said = rig.run(&call(&["forget", "nosuch"])).fails();
        assert_eq!(
            said,
            format!("no archived session nosuch ({called} ls -a lists them)")
        );
        let said = rig.run(&call(&["forget", "stays"])).fails();
        let line = format!("type: {called} forget -y stays");
        assert!(said.ends_with(&line), "{said}");
        assert!(rig.ok(&call(&["ls"])).contains("stays: "));
    }
    assert_eq!(
        rig.run(&["attach", "-t", "other"]).fails(),
        "can't find session: other"
    );
    // By the other name the words are tmux's.
    let bin = rig.path("bin").display().to_string();
    rig.ok(&["tmux-shim", &bin]);
    rig.ok(&["new", "-d", "-s", "last", "cat"]);
    // The session that was picked is named, where the caller does not know which one it is.
    let said = rig.ok(&["archive"]);
    assert!(said.starts_with("session last is in the archive"), "{said}");
    let mut tmux = rig.other_command(&format!("{bin}/tmux"));
    tmux.args(["attach", "-t", "last"]);
    assert_eq!(rig.finish(tmux).fails(), "can't find session: last");
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
        rig.open("work", "echo first; cat");
        let split = ["split-window", "-d", "-t", "work", "--", "sh", "-c"];
        rig.ok(&[&split[..], &["echo second; cat"]].concat());
        rig.wait_for_pane("its text", "work.1", |text| text.contains("second"));
        let mut closed = Self {
            rig,
            alone: PathBuf::new(),
            pane: std::ffi::OsString::new(),
        };
        closed.rig.end_and_keep();
        closed.copy(&closed.rig.path(OPEN), &closed.rig.path("before"));
        closed.rig.ok(&["kill-pane", "-t", "work.1"]);
        closed.rig.end_and_keep();
        let months = std::fs::read_dir(closed.rig.path("state/shellkeep/archive"));
        let month = months.unwrap().next().unwrap().unwrap().path();
        let (alone, panes) = sessions_in(&closed.rig, month.to_str().unwrap()).remove(0);
        closed.pane = panes[0].file_name().unwrap().to_owned();
        closed.alone = alone;
        closed
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

    /// Where the session that the pane is by itself would be if it were open.
    fn open(&self) -> PathBuf {
        self.rig.path(OPEN).join(self.alone.file_name().unwrap())
    }

    /// Puts the session that the pane is by itself among those that are open.
    fn describe(&self) -> PathBuf {
        std::fs::rename(&self.alone, self.open()).unwrap();
        self.open()
    }

    /// The sessions that are open, and how many panes the first one has.
    fn listed(&self) -> (String, usize) {
        let names = self.rig.ok(&["ls", "-F", "#{session_name}"]);
        let panes = self.rig.ok(&["list-panes", "-s", "-t", "work", "-F", "x"]);
        (names, panes.lines().count())
    }
}

/// The death of everything while a pane was on its way to the archive: what it has left, how many panes `work` has then, and where
/// the closed one is.
struct Halfway {
    what: &'static str,
    leave: fn(&Closed),
    panes: usize,
}

const HALFWAY: &[Halfway] = &[
    Halfway {
        what: "the pane was moved, and its own session is still among those that are open",
        leave: |closed| {
            let session = closed.put_back();
            closed.describe();
            std::fs::remove_dir_all(session.join(&closed.pane)).unwrap();
        },
        panes: 1,
    },
    Halfway {
        what: "the pane was not moved yet",
        leave: |closed| {
            closed.put_back();
            let open = closed.describe();
            std::fs::remove_dir_all(open.join(&closed.pane)).unwrap();
        },
        panes: 2,
    },
    Halfway {
        what: "the pane is in the archive, and its session names it still",
        leave: |closed| {
            let session = closed.put_back();
            std::fs::remove_dir_all(session.join(&closed.pane)).unwrap();
        },
        panes: 1,
    },
];

#[test]
fn pane_is_in_its_session_or_in_the_archive_wherever_its_way_there_was_cut() {
    let closed = Closed::new();
    let snapshot = Snapshot::of(&closed.rig, "state/shellkeep");
    for Halfway { what, leave, panes } in HALFWAY {
        leave(&closed);
        assert_eq!(closed.listed(), ("work\n".to_owned(), *panes), "{what}");
        let capture = |pane: &str| closed.rig.ok(&["capture-pane", "-p", "-t", pane]);
        assert!(capture("work.0").contains("first"), "{what}");
        if *panes == 2 {
            assert!(capture("work.1").contains("second"), "{what}");
        }
        closed.rig.end_and_keep();
        assert!(!closed.open().exists(), "{what}");
        assert_eq!(
            closed.alone.join(&closed.pane).is_dir(),
            *panes == 1,
            "{what}"
        );
        snapshot.put_back(&closed.rig);
    }
}
