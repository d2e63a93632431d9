//! What may go wrong does: processes die at any moment, files are damaged, the disk is full or read-only, directories vanish.
//! Never a panic, never a lost session.
//!
//! The seeds are fixed, so that a failure can be seen again: `SHELLKEEP_FAULT_SEED` takes another one, `SHELLKEEP_FAULT_ROUNDS`
//! says how long to go on.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use serde_json::Value;
use shellkeep_store::{Store, StoreId};
use shellkeep_testkit::real::{Output, Rig, Terminal};

use crate::keeping::{
    assert_flood_is_whole, everything, kill_both, last_line, start_flood, state_contains,
};
use crate::{rig, skip};

/// Numbers that look random and are the same every time.
pub(crate) struct Dice(u64);

impl Dice {
    /// Dice for one test.
    pub(crate) fn new(seed: u64) -> Self {
        let chosen = std::env::var("SHELLKEEP_FAULT_SEED").ok();
        let chosen: Option<u64> = chosen.and_then(|seed| seed.parse().ok());
        Self(chosen.unwrap_or(seed).wrapping_mul(2).wrapping_add(1))
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16
    }

    /// A number below another.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next()).unwrap_or(0) % end.max(1)
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }

    /// Lets a moment go by, of a length nobody knows before.
    fn moment(&mut self) {
        let until = Instant::now() + Duration::from_micros(self.next() % 30_000);
        while Instant::now() < until {
            std::thread::yield_now();
        }
    }
}

/// How often to do something.
pub(crate) fn rounds(usual: usize) -> usize {
    let chosen = std::env::var("SHELLKEEP_FAULT_ROUNDS").ok();
    chosen.and_then(|text| text.parse().ok()).unwrap_or(usual)
}

#[track_caller]
pub(crate) fn assert_no_panic(rig: &Rig) {
    let log = rig.log();
    assert!(!log.contains("panic"), "{log}");
}

pub(crate) fn names(rig: &Rig) -> BTreeSet<String> {
    let list = rig.ok(&["ls", "-F", "#{session_name}"]);
    list.lines().map(str::to_owned).collect()
}

/// Ends the server in order and the keeper not, so that nothing runs and all is in files.
fn stop(rig: &Rig) {
    let keeper = rig.keeper();
    rig.server().signal(Signal::SIGTERM);
    rig.wait_until("the server's end", || rig.find_server().is_none());
    keeper.kill_9();
}

pub(crate) fn doctor(rig: &Rig) -> String {
    rig.run(&["doctor"]).stdout
}

// ---- processes die ----

/// Prints numbered lines for ever, a few at a time.
const COUNT: &str = r#"
n=0
while :; do
  n=$((n + 1))
  echo "line $n of the flood"
  [ $((n % 50)) = 0 ] && sleep 0.02
done
"#;

/// What must be there, as far as commands have said.
#[derive(Default)]
struct Confirmed {
    /// Each name, and under which other one it may be there.
    sessions: BTreeMap<String, Option<String>>,
    made: usize,
}

impl Confirmed {
    /// Does something to the sessions. A command that dies with the server has confirmed nothing.
    fn act(&mut self, rig: &Rig, dice: &mut Dice) {
        let names: Vec<String> = self.sessions.keys().cloned().collect();
        match dice.below(8) {
            0 | 1 if names.len() < 6 => self.make(rig),
            2 if names.len() > 3 => {
                let name = dice.pick(&names);
                let _ = rig.run(&["kill-session", "-t", &name]);
                // Whether it was heard or not, nobody relies on it any more.
                self.sessions.remove(&name);
            }
            3 if !names.is_empty() => {
                let name = dice.pick(&names);
                self.made += 1;
                let new = format!("r{}", self.made);
                let output = rig.run(&["rename", "-t", &name, &new]);
                self.sessions.remove(&name);
                // Without the keeper a new name may be a moment younger than what is on disk.
                let (now, before) = if output.status == 0 {
                    (new, name)
                } else {
                    (name, new)
                };
                self.sessions.insert(now, Some(before));
            }
            4 if !names.is_empty() => {
                let name = dice.pick(&names);
                let _ = rig.run(&["split-window", "-d", "-t", &format!("{name}:0.0")]);
            }
            5 if !names.is_empty() => {
                let (name, cols) = (dice.pick(&names), (50 + dice.below(100)).to_string());
                let _ = rig.run(&["resize-window", "-t", &name, "-x", &cols, "-y", "40"]);
            }
            6 if !names.is_empty() => {
                let _ = rig.run(&["new-window", "-d", "-t", &dice.pick(&names)]);
            }
            _ if names.is_empty() => self.make(rig),
            _ => {}
        }
    }

    fn make(&mut self, rig: &Rig) {
        self.made += 1;
        let name = format!("n{}", self.made);
        let script = rig.path("home/count");
        let args = ["new", "-d", "-s", &name, "-x", "80", "-y", "24", "--", "sh"];
        let output = rig.run(&[&args[..], &[script.to_str().unwrap()]].concat());
        if output.status == 0 {
            self.sessions.insert(name, None);
        }
    }

    #[track_caller]
    fn check(&mut self, rig: &Rig, what: &str) {
        let there = names(rig);
        let wanted = std::mem::take(&mut self.sessions);
        for (name, other) in wanted {
            let found = std::iter::once(name.clone()).chain(other);
            let found = found.into_iter().find(|name| there.contains(name));
            let log = rig.log();
            let found = found.unwrap_or_else(|| panic!("{what}: no {name} in {there:?}\n{log}"));
            self.sessions.insert(found, None);
        }
    }
}

/// Lines follow each other from the first on, as far as the program lived.
#[track_caller]
fn assert_lines_are_consecutive(rig: &Rig, pane: &str, what: &str) {
    let text = rig.ok(&["capture-pane", "-p", "-t", pane, "-S", "-"]);
    let mut expected = 0;
    for line in text.lines().map(str::trim_end) {
        let Some(number) = line.strip_prefix("line ") else {
            continue;
        };
        let Some(number) = number.strip_suffix(" of the flood") else {
            continue;
        };
        expected += 1;
        assert_eq!(number, expected.to_string(), "{what}: {pane}");
    }
}

#[test]
fn anything_killed_at_any_moment_loses_no_session_and_no_line() {
    let rig = rig();
    rig.write("home/count", COUNT);
    let mut dice = Dice::new(4711);
    let mut confirmed = Confirmed::default();
    for _ in 0..3 {
        confirmed.make(&rig);
    }
    for round in 0..rounds(36) {
        for _ in 0..dice.below(3) {
            confirmed.act(&rig, &mut dice);
        }
        if confirmed.sessions.is_empty() {
            confirmed.make(&rig);
        }
        let (server, keepers) = (rig.server(), rig.keepers());
        let victims = dice.below(4);
        dice.moment();
        // Some die while a command is under way.
        let is_busy = dice.below(3) == 0;
        let mut command = rig.command(&["new", "-d", "-s", &format!("busy{round}")]);
        let child = is_busy.then(|| command.spawn().unwrap());
        dice.moment();
        if victims != 1 {
            server.signal(Signal::SIGKILL);
        }
        if victims == 1 || victims == 3 {
            for keeper in &keepers {
                keeper.signal(Signal::SIGKILL);
            }
        }
        if victims != 1 {
            server.wait_gone();
        }
        if let Some(mut child) = child {
            let status = child.wait().unwrap();
            if status.success() {
                confirmed.sessions.insert(format!("busy{round}"), None);
            }
        }
        let what = format!("round {round}, victims {victims}");
        confirmed.check(&rig, &what);
        let names: Vec<String> = confirmed.sessions.keys().cloned().collect();
        assert_lines_are_consecutive(&rig, &format!("{}:0.0", dice.pick(&names)), &what);
        assert_no_panic(&rig);
    }
    for name in confirmed.sessions.keys() {
        assert_lines_are_consecutive(&rig, &format!("{name}:0.0"), "at the end");
    }
}

#[test]
fn orderly_end_keeps_everything_even_without_the_keeper() {
    for keep in [&["kill-server", "--keep"][..], &[]] {
        let rig = rig();
        start_flood(&rig);
        rig.ok(&[
            "new",
            "-d",
            "-s",
            "quiet",
            "--",
            "sh",
            "-c",
            "printf '\\033[35mviolet\\033[m'; cat",
        ]);
        rig.wait_for_pane("its text", "quiet", |text| text.contains("violet"));
        rig.wait_for_pane("a flood", "flood", |text| last_line(text) > 2000);
        rig.write("home/enough", "");
        rig.wait_for_pane("its end", "flood", |text| text.contains("the last was"));
        let before = [everything(&rig, "flood"), everything(&rig, "quiet")];
        if keep.is_empty() {
            stop(&rig);
        } else {
            rig.ok(keep);
            rig.wait_until("everything's end", || rig.processes().is_empty());
        }
        assert_eq!(
            [everything(&rig, "flood"), everything(&rig, "quiet")],
            before
        );
        assert_flood_is_whole(&before[0]);
        assert_no_panic(&rig);
    }
}

// ---- files are damaged ----

/// Three sessions with checkpoints, histories and journals, and nothing that runs. What each shows.
fn damaged_store(rig: &Rig) -> BTreeMap<&'static str, String> {
    let sessions = ["alpha", "beta", "gamma"];
    for name in sessions {
        rig.ok(&["new", "-d", "-s", name, "-x", "80", "-y", "24"]);
        rig.wait_for_pane("a prompt", name, |text| text.contains('$'));
        rig.ok(&[
            "send-keys",
            "-t",
            name,
            &format!("seq 1 3000; echo first-$((1+1))-{name}"),
            "Enter",
        ]);
    }
    for name in sessions {
        rig.wait_for_pane("the text", name, |text| text.contains("first-2-"));
    }
    rig.server().signal(Signal::SIGTERM);
    rig.wait_until("the server's end", || rig.find_server().is_none());
    for name in sessions {
        rig.ok(&[
            "send-keys",
            "-t",
            name,
            "seq 1 40; echo then-$((1+2))",
            "Enter",
        ]);
        rig.wait_for_pane("the text", name, |text| text.contains("then-3\n"));
        rig.ok(&["rename-window", "-t", name, "renamed"]);
    }
    rig.wait_until("all to be written", || {
        let text = rig.ok(&["stats", "--json"]);
        let stats: Value = serde_json::from_str(&text).unwrap();
        let sessions = stats["sessions"].as_array().unwrap();
        let mut lags = sessions
            .iter()
            .map(|session| session["saved_ago_ms"].as_u64());
        lags.all(|lag| lag.is_none_or(|lag| lag == 0))
    });
    let shown = sessions.map(|name| (name, everything(rig, name)));
    kill_both(rig);
    BTreeMap::from(shown)
}

pub(crate) fn copy_tree(from: &Path, to: &Path) {
    let mut command = Command::new("cp");
    let status = command.arg("-a").args([from, to]).status().unwrap();
    assert!(status.success());
}

/// The directory of the session with this name.
pub(crate) fn directory_of(state: &Path, name: &str) -> PathBuf {
    let sessions = std::fs::read_dir(state.join("sessions")).unwrap();
    let mut paths = sessions.map(|entry| entry.unwrap().path());
    let wanted = format!("\"name\": \"{name}\"");
    let is_it = |path: &PathBuf| {
        let text = std::fs::read_to_string(path.join("session.json"));
        text.is_ok_and(|text| text.contains(&wanted))
    };
    paths.find(is_it).unwrap()
}

/// The file whose name begins so, the first of several, anywhere below.
pub(crate) fn file_below(dir: &Path, prefix: &str) -> Option<PathBuf> {
    let mut folders = vec![dir.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if path.is_dir() {
                folders.push(path);
            } else if name.starts_with(prefix) {
                return Some(path);
            }
        }
    }
    None
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Harm {
    Cut,
    Flip,
    /// Nothing of it is left but zeros.
    Blank,
}

fn harm(path: &Path, harm: Harm, dice: &mut Dice) {
    let mut bytes = std::fs::read(path).unwrap();
    match harm {
        Harm::Cut => bytes.truncate(dice.below(bytes.len())),
        Harm::Flip if bytes.is_empty() => bytes.push(7),
        Harm::Flip => {
            let at = dice.below(bytes.len());
            bytes[at] ^= 1 << dice.below(8);
        }
        Harm::Blank => bytes.fill(0),
    }
    // The one digit that says the version has no check: changed alone, it makes a store of the future, which is refused.
    let text = String::from_utf8_lossy(&bytes);
    if ["3", "5", "9"].map(|digit| text.contains(&format!("\"version\": {digit}"))) != [false; 3] {
        bytes[0] = b'?';
    }
    std::fs::write(path, bytes).unwrap();
}

/// One file is damaged; the next server copes.
fn assert_damage_is_survived(
    rig: &Rig,
    shown: &BTreeMap<&str, String>,
    (file, kind): (&str, Harm),
    dice: &mut Dice,
) {
    let state = rig.path("state/shellkeep");
    let path = match file {
        "store.json" => state.join(file),
        "catalogue.db" => {
            let path = state.join(file);
            if !path.exists() {
                std::fs::write(&path, "SQLite format 3\0 and then nothing").unwrap();
            }
            path
        }
        "default.lock" => state.join("servers").join(file),
        _ => file_below(&directory_of(&state, "alpha"), file).unwrap(),
    };
    harm(&path, kind, dice);
    let what = format!("{} {kind:?}", path.display());
    let there = names(rig);
    let others = ["beta", "gamma"];
    assert!(
        others.iter().all(|name| there.contains(*name)),
        "{what}: {there:?}"
    );
    assert_eq!(there.len(), 3, "{what}: {there:?}");
    let alpha = there
        .iter()
        .find(|name| !others.contains(&&name[..]))
        .unwrap();
    for name in others {
        assert_eq!(everything(rig, name), shown[name], "{what}: {name}");
    }
    let text = everything(rig, alpha);
    // A wrong start is found when it is wanted.
    rig.ok(&["send-keys", "-t", alpha, "echo awake-$((40+2))", "Enter"]);
    rig.wait_for_pane("a shell", alpha, |text| text.contains("awake-42"));
    let aside = file_below(&state.join("quarantine"), file);
    let is_same = alpha == "alpha" && text == shown["alpha"];
    // The end of a journal that is cut looks like one that was not written any more.
    let is_cut_journal = file == "journal." && kind == Harm::Cut;
    assert!(
        is_same || is_cut_journal || aside.is_some(),
        "{what}:\n{text}\n{}",
        rig.log()
    );
    if let Some(aside) = aside {
        let name = aside.file_name().unwrap().to_string_lossy().into_owned();
        let said = doctor(rig);
        assert!(said.contains(&name), "{what}: {name} in {said}");
    } else if kind == Harm::Blank && !["default.lock", "catalogue.db"].contains(&file) {
        panic!("{what}: nothing set aside\n{}", rig.log());
    }
    assert_no_panic(rig);
}

#[test]
fn damaged_file_of_any_kind_costs_no_session() {
    let rig = rig();
    let shown = damaged_store(&rig);
    let state = rig.path("state/shellkeep");
    let whole = rig.path("whole");
    copy_tree(&state, &whole);
    let mut dice = Dice::new(815);
    let files = [
        "session.json",
        "screen",
        "journal.",
        "history",
        "start",
        "store.json",
        "catalogue.db",
        "default.lock",
    ];
    for file in files {
        let mut harms = vec![Harm::Blank];
        for _ in 0..rounds(2) {
            harms.extend([Harm::Cut, Harm::Flip]);
        }
        for harm in harms {
            assert_damage_is_survived(&rig, &shown, (file, harm), &mut dice);
            kill_both(&rig);
            std::fs::remove_dir_all(&state).unwrap();
            copy_tree(&whole, &state);
        }
    }
}

// ---- the disk ----

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
    rig.ok(&[
        "new",
        "-d",
        "-s",
        "late",
        "--",
        "sh",
        "-c",
        "echo born-late; cat",
    ]);
    rig.wait_for_pane("its text", "late", |text| text.contains("born-late"));
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

#[test]
fn nothing_ends_in_good_order_that_cannot_be_saved() {
    let rig = rig();
    let args = ["-t", "tmpfs", "-o", "size=8m,mode=700", "tmpfs"];
    let Some(_disk) = Mounted::new(&args, &rig.path("state")) else {
        return;
    };
    for name in ["work", "other"] {
        rig.ok(&["new", "-d", "-s", name, "-x", "80", "-y", "24", "--", "cat"]);
    }
    let terminal = watch(&rig, "work");
    let filler = rig.path("state/filler");
    // As much as there is room for, and no error about the rest.
    let mut room = std::fs::File::create(&filler).unwrap();
    let zeros = vec![0; 4096];
    while std::io::Write::write_all(&mut room, &zeros).is_ok() {}
    drop(room);
    for name in ["work", "other"] {
        let many: String = (0..3000).map(|n| format!("line {n}\n")).collect();
        rig.ok(&[
            "set-buffer",
            "-b",
            "many",
            &many,
            ";",
            "paste-buffer",
            "-b",
            "many",
            "-t",
            name,
        ]);
        rig.wait_for_pane("all of it", name, |text| text.contains("line 2999"));
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
    for command in [&["restart-server"][..], &["kill-server", "--keep"]] {
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
    assert_no_panic(&rig);
}

#[test]
fn read_only_state_directory_hurts_nobody_and_is_caught_up_with() {
    let rig = rig();
    rig.ok(&[
        "new",
        "-d",
        "-s",
        "work",
        "--",
        "sh",
        "-c",
        "echo before; cat",
    ]);
    rig.wait_for_pane("its text", "work", |text| text.contains("before"));
    let terminal = watch(&rig, "work");
    let state = rig.path("state");
    let Some(bound) = Mounted::new(&["--bind", state.to_str().unwrap()], &state) else {
        return;
    };
    let mut command = Command::new("mount");
    let read_only = command.args(["-o", "remount,bind,ro"]).arg(&state).output();
    if !read_only.is_ok_and(|output| output.status.success()) {
        return skip("nothing can be made read-only here");
    }
    rig.ok(&["rename", "-t", "work", "better"]);
    wait_for_red(&terminal);
    assert!(doctor(&rig).contains("read-only"));
    terminal.enter("typed meanwhile");
    terminal.wait_for_text("typed meanwhile");
    rig.ok(&[
        "new",
        "-d",
        "-s",
        "more",
        "--",
        "sh",
        "-c",
        "echo born-late; cat",
    ]);
    rig.wait_for_pane("its text", "more", |text| text.contains("born-late"));
    drop(bound);
    wait_for_peace(&terminal);
    drop(terminal);
    let before = [everything(&rig, "better"), everything(&rig, "more")];
    kill_both(&rig);
    assert_eq!(
        [everything(&rig, "better"), everything(&rig, "more")],
        before
    );
    assert_no_panic(&rig);
}

#[test]
fn state_directory_removed_while_running_is_written_anew() {
    let rig = rig();
    for name in ["work", "other"] {
        rig.ok(&["new", "-d", "-s", name, "-x", "80", "-y", "24"]);
        rig.wait_for_pane("a prompt", name, |text| text.contains('$'));
    }
    rig.ok(&[
        "send-keys",
        "-t",
        "work",
        "seq 1 3000; echo all-$((1+1))",
        "Enter",
    ]);
    rig.wait_for_pane("the text", "work", |text| text.contains("all-2"));
    // Some of it is on disk only.
    rig.wait_until("a checkpoint", || {
        file_below(&rig.path("state"), "screen").is_some()
    });
    // At one stroke, or the server might write into what is being removed.
    std::fs::rename(rig.path("state/shellkeep"), rig.path("state/removed")).unwrap();
    std::fs::remove_dir_all(rig.path("state/removed")).unwrap();
    rig.ok(&["send-keys", "-t", "work", "echo after-$((1+2))", "Enter"]);
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

#[test]
fn two_thousand_sessions_are_listed_and_one_is_attached_to() {
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
    rig.ok(&["send-keys", "-t", "s0", "echo kept-$((40+2))", "Enter"]);
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

// ---- closed, and forgotten ----

/// A session whose second pane says something and is closed in this way.
fn close_second_pane(rig: &Rig, by: &[&str]) {
    rig.ok(&[
        "new",
        "-d",
        "-s",
        "work",
        "--",
        "sh",
        "-c",
        "echo marker-first; cat",
    ]);
    rig.ok(&["split-window", "-t", "work"]);
    rig.wait_for_pane("a prompt", "work:0.1", |text| text.contains('$'));
    rig.ok(&[
        "send-keys",
        "-t",
        "work:0.1",
        "echo marker-$((40+2))",
        "Enter",
    ]);
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
