//! The disk is full or read-only, the state directory vanishes, holds thousands of sessions, or is of a later version.

use std::path::{Path, PathBuf};
use std::process::Command;

use nix::sys::signal::Signal;
use shellkeep_store::{Store, StoreId};
use shellkeep_testkit::real::{Output, Process, Rig, Terminal};

use crate::faults::{assert_no_panic, doctor, file_below, names, stop};
use crate::keeping::{everything, kill_both, last_line, start_flood};
use crate::{is_installed, rig, skip};

/// A mounted directory, for as long as this is held.
pub(crate) struct Mounted(PathBuf);

impl Mounted {
    /// Mounts something; `None`, with a word why, where that is not allowed.
    pub(crate) fn new(args: &[&str], at: &Path) -> Option<Self> {
        let mut command = Command::new("mount");
        let output = command.args(args).arg(at).output();
        if output.is_ok_and(|output| output.status.success()) {
            return Some(Self(at.to_owned()));
        }
        skip("nothing can be mounted here");
        None
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        // Lazily: somebody may have files open in it.
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

/// A terminal with a status line, in which a session is shown.
pub(crate) fn watch(rig: &Rig, session: &str) -> Terminal {
    rig.ok(&["set", "-g", "status", "on"]);
    let terminal = rig.attach(&["attach", "-t", session], (24, 100));
    // It is there: the session may be renamed from now on.
    let name = format!("[{session}]");
    terminal.wait_until("its status line", |screen| {
        screen.has(&name) || screen.has("not saved")
    });
    terminal
}

/// Waits for the red corner of the status line.
#[track_caller]
pub(crate) fn wait_for_red(terminal: &Terminal) {
    terminal.wait_until("the complaint", |screen| {
        let row = screen.row(23);
        let Some(at) = row.find("not saved: ") else {
            return false;
        };
        let col = u16::try_from(row[..at].chars().count()).unwrap();
        screen
            .cell(23, col)
            .is_some_and(|cell| cell.bgcolor() == vt100::Color::Idx(1))
    });
}

pub(crate) fn wait_for_peace(terminal: &Terminal) {
    terminal.wait_until("the complaint's end", |screen| !screen.has("not saved"));
}

#[test]
fn limit_on_the_size_of_files_ends_no_server_and_programs_still_feel_it() {
    let rig = rig();
    rig.sh("ulimit -f 64; exec shellkeep new -d -s work -x 80 -y 24 bash --norc")
        .ok();
    rig.wait_for_pane("a prompt", "work", |text| text.contains("bash-"));
    let server = rig.server();
    let flood = "for i in $(seq 1 9000); do echo line $i of $RANDOM $RANDOM $RANDOM; done";
    let line = format!("{flood}; echo flood-$((1+1))");
    rig.enter("work", &line);
    rig.wait_for_pane("all of it", "work", |text| text.contains("flood-2"));
    assert_eq!(rig.server(), server);
    // It knows that it cannot keep all of that, and says so.
    rig.wait_until("a complaint", || {
        rig.ok(&["stats"]).contains("File too large")
    });
    let file = rig.path("large");
    let line = format!(
        "head -c 200000 /dev/zero > {}; echo ended-$?",
        file.display()
    );
    rig.enter("work", &line);
    rig.wait_for_pane("its end", "work", |text| text.contains("ended-153"));
    let said = rig.ok(&[
        "run-shell",
        &format!(
            "head -c 200000 /dev/zero > {}; echo ended-$?",
            file.display()
        ),
    ]);
    assert!(said.contains("ended-153"), "{said}");
    assert_eq!(rig.server(), server);
    assert_no_panic(&rig);
}

#[test]
fn full_disk_stops_no_pane_and_keeping_resumes_by_itself() {
    let rig = rig();
    let args = ["-t", "tmpfs", "-o", "size=24m,mode=700", "tmpfs"];
    let Some(_disk) = Mounted::new(&args, &rig.path("state")) else {
        return;
    };
    let filler = rig.path("state/filler");
    std::fs::write(&filler, vec![1; 22 << 20]).unwrap();
    start_flood(&rig);
    let terminal = watch(&rig, "flood");
    wait_for_red(&terminal);
    let reached = last_line(&terminal.text());
    let memory = rig.server().status_number("VmRSS");
    terminal.wait_until("the flood to go on", |screen| {
        last_line(&screen.text()) > reached + 20_000
    });
    let grown = rig.server().status_number("VmRSS").saturating_sub(memory);
    assert!(grown < 64 << 10, "{grown} KiB");
    let said = doctor(&rig);
    assert!(said.contains("no room on the disk"), "{said}");
    let stats = rig.ok(&["stats"]);
    assert!(stats.contains("now not: "), "{stats}");
    // What is made meanwhile is kept later, too.
    rig.open_saying("late", "born-late");
    rig.ok(&["rename", "-t", "late", "latest"]);

    std::fs::remove_file(&filler).unwrap();
    wait_for_peace(&terminal);
    rig.write("home/enough", "");
    terminal.wait_for_text("the last was");
    let before = [everything(&rig, "flood"), everything(&rig, "latest")];
    drop(terminal);
    rig.wait_until("all to be kept", || !rig.ok(&["stats"]).contains("now not"));
    kill_both(&rig);
    assert_eq!(
        [everything(&rig, "flood"), everything(&rig, "latest")],
        before
    );
    assert_no_panic(&rig);
}

/// A small disk for everything that is kept.
pub(crate) fn small_disk(rig: &Rig) -> Option<Mounted> {
    let args = ["-t", "tmpfs", "-o", "size=8m,mode=700", "tmpfs"];
    Mounted::new(&args, &rig.path("state"))
}

/// Takes all the room there is; the file that makes room again when it is removed.
pub(crate) fn fill_disk(rig: &Rig) -> PathBuf {
    let filler = rig.path("state/filler");
    // As much as there is room for, and no error about the rest.
    let mut room = std::fs::File::create(&filler).unwrap();
    let zeros = vec![0; 4096];
    while std::io::Write::write_all(&mut room, &zeros).is_ok() {}
    filler
}

/// Has a session's `cat` say more than fits into what is left of a file's last block.
pub(crate) fn print_much(rig: &Rig, session: &str) {
    let many: String = (0..3000).map(|n| format!("line {n}\n")).collect();
    rig.ok(&["set-buffer", "-b", "many", &many]);
    rig.ok(&["paste-buffer", "-b", "many", "-t", session]);
    rig.wait_for_pane("all of it", session, |text| text.contains("line 2999"));
}

/// What a command says to somebody at a terminal.
fn told_at_a_terminal(rig: &Rig, args: &[&str]) -> String {
    let mut terminal = rig.attach(args, (24, 200));
    assert_eq!(terminal.wait_exit(), 0, "{}", terminal.text());
    terminal.text()
}

#[test]
fn program_does_not_draw_over_what_was_shown_before_a_gap() {
    let rig = rig();
    let Some(_disk) = small_disk(&rig) else {
        return;
    };
    // A line editor draws where it believes the cursor to be.
    let script = r#"stty -echo; echo ready; while read line; do eval "$line"; done"#;
    rig.ok(&[
        "new", "-d", "-s", "work", "-x", "80", "-y", "24", "--", "sh", "-c", script,
    ]);
    rig.wait_for_pane("the program", "work", |text| text.contains("ready"));
    rig.enter("work", "echo kept-1; echo kept-2");
    rig.wait_for_pane("the lines", "work", |text| text.contains("kept-2"));
    rig.wait_until("all to be saved", || {
        rig.ok(&["stats", "--json"]).contains("\"saved_ago_ms\": 0")
    });
    let filler = fill_disk(&rig);
    rig.enter("work", "seq 1 3000; echo lost");
    rig.wait_for_pane("more lines", "work", |text| text.contains("lost"));
    rig.wait_until("the trouble", || {
        rig.ok(&["stats"]).contains("No space left")
    });
    rig.server().kill_9();
    std::fs::remove_file(&filler).unwrap();
    let missing =
        "[shellkeep: output is missing here: it could not be written before the server was killed]";
    rig.wait_for_pane("the gap", "work", |text| {
        text.replace('\n', "").contains(missing)
    });
    let before = everything(&rig, "work");
    rig.enter("work", r"printf '\033[2Adrawn\033[2B'");
    rig.wait_for_pane("the program to draw", "work", |text| text.contains("drawn"));
    let after = everything(&rig, "work");
    let shown = before
        .lines()
        .take_while(|line| !line.contains("[shellkeep:"));
    for line in shown.filter(|line| !line.is_empty()) {
        assert!(
            after.lines().any(|it| it == line),
            "{line:?} is gone:\n{after}"
        );
    }
    assert_no_panic(&rig);
}

#[test]
fn young_pane_of_a_server_that_is_killed_on_a_full_disk_shows_what_was_saved_before() {
    let rig = rig();
    let Some(_disk) = small_disk(&rig) else {
        return;
    };
    let command = ["--", "sh", "-c", "seq 1 500; exec cat"];
    let new = ["new", "-d", "-s", "young", "-x", "80", "-y", "24"];
    rig.ok(&[new.as_slice(), &command].concat());
    rig.wait_for_pane("all of it", "young", |text| text.contains("500"));
    let before = everything(&rig, "young");
    let filler = fill_disk(&rig);
    rig.server().kill_9();
    assert_eq!(everything(&rig, "young"), before);
    std::fs::remove_file(&filler).unwrap();
    rig.wait_until("all to be kept", || !rig.ok(&["stats"]).contains("now not"));
    kill_both(&rig);
    let after = everything(&rig, "young");
    assert!(after.starts_with(before.trim_end()), "{after}");
    assert_no_panic(&rig);
}

#[test]
fn session_closed_on_a_full_disk_is_said_to_be_archived_when_it_is() {
    let rig = rig();
    let Some(_disk) = small_disk(&rig) else {
        return;
    };
    for name in ["work", "other"] {
        rig.ok(&["new", "-d", "-s", name, "-x", "80", "-y", "24", "--", "cat"]);
    }
    let terminal = watch(&rig, "work");
    let filler = fill_disk(&rig);
    print_much(&rig, "other");
    let before = everything(&rig, "other");
    let said = told_at_a_terminal(&rig, &["kill-session", "-t", "other"]);
    assert!(!said.contains("is in the archive"), "{said}");
    assert!(
        said.contains("session other goes into the archive as soon as"),
        "{said}"
    );
    assert!(said.contains("No space left on device"), "{said}");
    std::fs::remove_file(&filler).unwrap();
    wait_for_peace(&terminal);
    rig.wait_until("the archive", || rig.ok(&["ls", "-a"]).contains("other: "));
    rig.ok(&["reopen", "other"]);
    assert_eq!(everything(&rig, "other"), before);
    // With room it is said when it is so; also of the last one, with which the server ends.
    drop(terminal);
    for name in ["other", "work"] {
        let said = told_at_a_terminal(&rig, &["kill-session", "-t", name]);
        let wanted = format!("session {name} is in the archive");
        assert!(said.contains(&wanted), "{said}");
        let archived = std::fs::read_dir(rig.path("state/shellkeep/sessions"));
        assert_eq!(archived.unwrap().count(), usize::from(name == "other"));
    }
    assert_no_panic(&rig);
}

#[test]
fn archive_that_cannot_be_used_is_said_not_to_be_until_it_can() {
    let rig = rig();
    for name in ["work", "other", "old"] {
        rig.ok(&["new", "-d", "-s", name, "--", "cat"]);
    }
    rig.ok(&["kill-session", "-t", "old"]);
    assert!(rig.ok(&["ls", "-a"]).contains("old: "));
    let terminal = watch(&rig, "work");
    let archive = rig.path("state/shellkeep/archive");
    let aside = rig.path("aside");
    std::fs::rename(&archive, &aside).unwrap();
    std::fs::write(&archive, "in the way").unwrap();
    let why = "Not a directory";
    // Whoever looks there is told,
    for command in [&["ls", "-a"][..], &["stats"]] {
        let said = rig.run(command);
        assert_eq!(said.status, 0, "{said:?}");
        assert!(said.stdout.contains("work"), "{said:?}");
        let wanted = "what is archived is not all here: cannot read";
        assert!(said.stderr.starts_with(wanted), "{said:?}");
        assert!(said.stderr.contains(why), "{said:?}");
    }
    for command in [
        &["reopen", "old"][..],
        &["reopen"],
        &["forget", "-y", "old"],
    ] {
        let said = rig.run(command).fails();
        assert!(said.contains(why), "{said}");
        assert!(said.contains("doctor explains"), "{said}");
    }
    // and so is who has something to put there.
    let said = told_at_a_terminal(&rig, &["kill-session", "-t", "other"]);
    assert!(
        said.contains("session other goes into the archive as soon as"),
        "{said}"
    );
    assert!(said.contains(why), "{said}");
    wait_for_red(&terminal);
    let stats = rig.run(&["stats"]).stdout;
    assert!(stats.contains("now not: "), "{stats}");
    std::fs::remove_file(&archive).unwrap();
    std::fs::rename(&aside, &archive).unwrap();
    wait_for_peace(&terminal);
    let listed = rig.run(&["ls", "-a"]);
    assert!(listed.stdout.contains("old: "), "{listed:?}");
    assert!(listed.stdout.contains("other: "), "{listed:?}");
    assert_eq!(listed.stderr, "");
    assert_eq!(rig.ok(&["reopen", "old"]), "old\n");
    rig.ok(&["reopen", "other"]);
    assert_no_panic(&rig);
}

#[test]
fn last_session_that_ends_on_a_full_disk_is_whole_when_there_is_room() {
    let rig = rig();
    let Some(_disk) = small_disk(&rig) else {
        return;
    };
    rig.ok(&[
        "new", "-d", "-s", "last", "-x", "80", "-y", "24", "--", "cat",
    ]);
    let filler = fill_disk(&rig);
    print_much(&rig, "last");
    let before = everything(&rig, "last");
    rig.ok(&["send-keys", "-t", "last", "C-d"]);
    rig.wait_until("the session's end", || names(&rig).is_empty());
    // It has nowhere to go yet, so somebody has to hold on to it.
    let server = rig.server();
    rig.wait_until("the complaint", || rig.log().contains("cannot end yet"));
    std::fs::remove_file(&filler).unwrap();
    server.wait_gone();
    rig.wait_until("everything's end", || rig.processes().is_empty());
    rig.ok(&["reopen", "last"]);
    assert_eq!(everything(&rig, "last"), before);
    assert_no_panic(&rig);
}

/// Has a session print more than a full disk can take, and the server told to end while it cannot save that: the terminal that shows
/// it, what fills the disk, and the server.
fn told_to_end_on_a_full_disk(rig: &Rig, session: &str) -> (Terminal, PathBuf, Process) {
    rig.ok(&[
        "new", "-d", "-s", session, "-x", "80", "-y", "24", "--", "cat",
    ]);
    let terminal = watch(rig, session);
    let filler = fill_disk(rig);
    print_much(rig, session);
    let server = rig.server();
    server.signal(Signal::SIGTERM);
    terminal.wait_for_text("cannot end yet, not saved: ");
    (terminal, filler, server)
}

#[test]
fn sigterm_on_a_full_disk_waits_until_there_is_room_or_for_a_second_one() {
    let rig = rig();
    let Some(_disk) = small_disk(&rig) else {
        return;
    };
    let (mut terminal, filler, server) = told_to_end_on_a_full_disk(&rig, "work");
    let keeper = rig.keeper();
    wait_for_red(&terminal);
    assert!(rig.log().contains("cannot end yet"), "{}", rig.log());
    // All goes on meanwhile.
    terminal.enter("typed meanwhile");
    rig.wait_for_pane("the echo, and what cat prints", "work", |text| {
        text.matches("typed meanwhile").count() == 2
    });
    assert_eq!(rig.server().pid, server.pid);
    let before = everything(&rig, "work");
    std::fs::remove_file(&filler).unwrap();
    server.wait_gone();
    terminal.wait_exit();
    keeper.kill_9();
    assert_eq!(everything(&rig, "work"), before);
    // The second one ends the server, and no program.
    let (_terminal, _, server) = told_to_end_on_a_full_disk(&rig, "more");
    let keeper = rig.keeper();
    server.signal(Signal::SIGTERM);
    server.wait_gone();
    rig.enter("more", "still there");
    rig.wait_for_pane("its program", "more", |text| text.contains("still there"));
    assert_eq!(rig.keeper().pid, keeper.pid);
    assert_no_panic(&rig);
}

#[test]
fn nothing_ends_in_good_order_that_cannot_be_saved() {
    let rig = rig();
    let Some(_disk) = small_disk(&rig) else {
        return;
    };
    for name in ["work", "other"] {
        rig.ok(&["new", "-d", "-s", name, "-x", "80", "-y", "24", "--", "cat"]);
    }
    let terminal = watch(&rig, "work");
    let filler = fill_disk(&rig);
    for name in ["work", "other"] {
        print_much(&rig, name);
    }
    wait_for_red(&terminal);
    // The reason is seen, whichever file it is about.
    let row = terminal
        .text()
        .lines()
        .last()
        .unwrap_or_default()
        .to_owned();
    assert!(row.contains("No space left on device"), "{row}");
    assert!(row.contains("shellkeep doctor"), "{row}");
    let before = [everything(&rig, "work"), everything(&rig, "other")];
    let server = rig.server();
    for command in [
        &["restart-server"][..],
        &["kill-server", "--keep"],
        &["kill-server"],
    ] {
        let said = rig.run(command);
        assert_eq!(said.status, 1, "{said:?}");
        assert!(said.stderr.contains("cannot be saved"), "{said:?}");
    }
    assert_eq!(rig.server().pid, server.pid);
    assert_eq!(everything(&rig, "work"), before[0]);
    // What is closed is put away when there is room.
    rig.ok(&["kill-session", "-t", "other"]);
    std::fs::remove_file(&filler).unwrap();
    wait_for_peace(&terminal);
    rig.wait_until("the archive", || rig.ok(&["ls", "-a"]).contains("other: "));
    rig.ok(&["reopen", "other"]);
    assert_eq!(everything(&rig, "other"), before[1]);
    rig.ok(&["restart-server"]);
    assert_eq!(everything(&rig, "work"), before[0]);
    // What cannot be saved is lost when that is asked for, and only then.
    let _filler = fill_disk(&rig);
    print_much(&rig, "work");
    wait_for_red(&terminal);
    let said = rig.run(&["kill-server"]);
    assert_eq!(said.status, 1, "{said:?}");
    assert!(said.stderr.contains("kill-server --force"), "{said:?}");
    rig.ok(&["has-session", "-t", "work"]);
    rig.ok(&["kill-server", "--force"]);
    rig.wait_until("everything's end", || rig.processes().is_empty());
    assert_no_panic(&rig);
}

#[test]
fn state_directory_removed_while_running_is_written_anew() {
    let rig = rig();
    for name in ["work", "other"] {
        rig.ok(&["new", "-d", "-s", name, "-x", "80", "-y", "24"]);
        rig.wait_for_pane("a prompt", name, |text| text.contains('$'));
    }
    rig.enter("work", "seq 1 3000; echo all-$((1+1))");
    rig.wait_for_pane("the text", "work", |text| text.contains("all-2"));
    // Some of it is on disk only.
    rig.wait_until("a checkpoint", || {
        file_below(&rig.path("state"), "screen").is_some()
    });
    // At one stroke, or the server might write into what is being removed.
    std::fs::rename(rig.path("state/shellkeep"), rig.path("state/removed")).unwrap();
    std::fs::remove_dir_all(rig.path("state/removed")).unwrap();
    rig.enter("work", "echo after-$((1+2))");
    rig.wait_for_pane("the text", "work", |text| text.contains("after-3"));
    let before = [everything(&rig, "work"), everything(&rig, "other")];
    rig.wait_until("checkpoints of both", || {
        let sessions = std::fs::read_dir(rig.path("state/shellkeep/sessions"));
        let sessions = sessions.into_iter().flatten().flatten();
        let whole = sessions.filter(|entry| {
            // Not what is about to become one: a kill at that moment would leave nothing, since all else was removed.
            let has = |name| {
                let found = file_below(&entry.path(), name);
                found.is_some_and(|path| path.file_name() == Some(name.as_ref()))
            };
            has("session.json") && has("screen")
        });
        whole.count() == 2
    });
    kill_both(&rig);
    assert_eq!(names(&rig), ["other", "work"].map(str::to_owned).into());
    assert_eq!(
        [everything(&rig, "work"), everything(&rig, "other")],
        before
    );
}

/// Makes all that is kept read-only, for as long as this is held; `None`, with a word why, where that is not allowed.
pub(crate) fn read_only(rig: &Rig) -> Option<Mounted> {
    let state = rig.path("state");
    let bound = Mounted::new(&["--bind", state.to_str().unwrap()], &state)?;
    let mut command = Command::new("mount");
    let made = command.args(["-o", "remount,bind,ro"]).arg(&state).output();
    if made.is_ok_and(|output| output.status.success()) {
        return Some(bound);
    }
    skip("nothing can be made read-only here");
    None
}

#[test]
fn two_thousand_sessions_are_catalogued_listed_and_one_is_attached_to() {
    let rig = rig();
    // By default the oldest of so many go into the archive.
    let config = "set -g status off\nset -s max-total 0\n";
    rig.write("config/shellkeep/shellkeep.conf", config);
    // In memory, where there is such a place: this is not about the disk.
    let shm = Path::new("/dev/shm");
    let memory = shm.is_dir().then(|| tempfile::tempdir_in(shm).unwrap());
    if let Some(memory) = &memory {
        std::fs::remove_dir(rig.path("state")).unwrap();
        std::os::unix::fs::symlink(memory.path(), rig.path("state")).unwrap();
    }
    rig.ok(&["new", "-d", "-s", "s0", "-x", "80", "-y", "24"]);
    rig.enter("s0", "echo kept-$((40+2))");
    rig.wait_for_pane("the text", "s0", |text| text.contains("kept-42"));
    stop(&rig);
    let state = rig.path("state/shellkeep");
    let store = Store::open(&state, "default").unwrap();
    let first = store.sessions().sessions.remove(0);
    let pane = store.pane(first.id, first.panes[0]).path().to_owned();
    for number in 1..2000 {
        let id = StoreId::new(1_700_000_000_000 + number);
        let mut body = first.body.clone();
        body["session"]["name"] = format!("s{number}").into();
        body["session"]["standing"]["kept"] = id.to_string().into();
        body["session"]["id"] = number.into();
        body["session"]["links"][0][1] = number.into();
        body["windows"][0]["id"] = number.into();
        body["windows"][0]["active"] = number.into();
        body["windows"][0]["panes"][0]["id"] = number.into();
        body["windows"][0]["panes"][0]["home"]["session"] = id.to_string().into();
        store.write_session(id, &body).unwrap();
        let to = store.pane(id, first.panes[0]).path().to_owned();
        std::fs::create_dir(&to).unwrap();
        for entry in std::fs::read_dir(&pane).unwrap().flatten() {
            std::fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
    }
    drop(store);
    rebuild_catalogue(&rig, 2000);
    assert_eq!(names(&rig).len(), 2000);
    let terminal = rig.attach(&["attach", "-t", "s1234"], (24, 80));
    terminal.wait_for_text("kept-42");
    terminal.enter("echo again-$((40+3))");
    terminal.wait_for_text("again-43");
    assert_eq!(rig.ok(&["ls"]).matches("hibernated").count(), 1999);
    rig.server().kill_9();
    terminal.enter("echo still-$((40+4))");
    terminal.wait_for_text("still-44");
    assert_eq!(names(&rig).len(), 2000);
    assert_no_panic(&rig);
}

/// Breaks the catalogue, and has it made anew before somebody's eyes, behind a bar that moves.
fn rebuild_catalogue(rig: &Rig, sessions: usize) {
    if !is_installed("script") {
        return;
    }
    std::fs::write(rig.path("state/shellkeep/catalogue.db"), [0xa5; 9000]).unwrap();
    let seen = rig.path("seen");
    let mut command = rig.other_command("script");
    command
        .args(["-q", "-e", "-c", "shellkeep doctor --rebuild"])
        .arg(&seen);
    let said = rig.finish(command);
    let made = format!("made anew, with {sessions} sessions");
    assert!(said.stdout.contains(&made), "{said:?}");
    let seen = String::from_utf8_lossy(&std::fs::read(seen).unwrap()).into_owned();
    let (bar, rest) = seen.rsplit_once("\r\u{1b}[K").expect("it is cleared away");
    let end = format!(" of {sessions} sessions");
    assert!(!rest.contains(&end), "{rest}");
    let steps = bar.split('\r').filter_map(|step| {
        let (bar, text) = step.split_once(' ')?;
        let done: usize = text.strip_suffix(&end)?.parse().ok()?;
        Some((bar.matches('█').count(), done))
    });
    let steps: Vec<(usize, usize)> = steps.collect();
    assert!(steps.len() > 50, "{steps:?}");
    assert!(steps.is_sorted(), "{steps:?}");
    assert_eq!(steps.last(), Some(&(40, sessions)));
    let steps: Vec<usize> = steps.iter().map(|(_, done)| *done).collect();
    assert!(steps.windows(2).all(|pair| pair[0] < pair[1]), "{steps:?}");
}

#[test]
fn store_of_a_later_version_is_left_alone_and_everybody_is_told() {
    let rig = rig();
    let later = "{\"format\": \"shellkeep store\", \"version\": 9}";
    rig.write("state/shellkeep/store.json", later);
    rig.write("state/shellkeep/sessions/new", "of the future");
    let mut permissions = std::fs::metadata(rig.path("state")).unwrap().permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, 0o700);
    std::fs::set_permissions(rig.path("state/shellkeep"), permissions).unwrap();
    let Output { status, stderr, .. } = rig.run(&["new", "-d", "-s", "work"]);
    assert_eq!(status, 0, "{stderr}");
    assert!(stderr.starts_with("sessions are not kept: "), "{stderr}");
    assert!(
        stderr.contains("written by a later shellkeep (format 9"),
        "{stderr}"
    );
    let terminal = watch(&rig, "work");
    wait_for_red(&terminal);
    assert!(doctor(&rig).contains("written by a later shellkeep (format 9"));
    // All else is as always.
    terminal.enter("echo all-$((40+2))");
    terminal.wait_for_text("all-42");
    rig.server().kill_9();
    terminal.enter("echo still-$((40+3))");
    terminal.wait_for_text("still-43");
    rig.ok(&["kill-server"]);
    rig.wait_until("everything's end", || rig.processes().is_empty());
    assert_eq!(rig.read("state/shellkeep/store.json"), later);
    assert_eq!(rig.read("state/shellkeep/sessions/new"), "of the future");
    assert!(!rig.path("state/shellkeep/archive").exists());
}
