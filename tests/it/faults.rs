//! What may go wrong does: processes die at any moment, files are damaged. Never a panic, never a lost session. What disks do
//! is in `faults_disk`.
//!
//! The seeds are fixed, so that a failure can be seen again: `SHELLKEEP_FAULT_SEED` takes another one, `SHELLKEEP_FAULT_ROUNDS`
//! says how long to go on.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use serde_json::Value;
use shellkeep_testkit::real::Rig;

use crate::keeping::{assert_flood_is_whole, everything, kill_both, last_line, start_flood};
use crate::rig;

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
pub(crate) fn stop(rig: &Rig) {
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
        rig.open("quiet", "printf '\\033[35mviolet\\033[m'; cat");
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
        rig.enter(name, "seq 1 40; echo then-$((1+2))");
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

/// A directory of a rig as it was, to be put back after each harm that is done to it.
pub(crate) struct Snapshot {
    dir: PathBuf,
    whole: PathBuf,
}

impl Snapshot {
    /// Copies the directory; no process of the rig may be running.
    pub(crate) fn of(rig: &Rig, dir: &str) -> Self {
        let (dir, whole) = (rig.path(dir), rig.path("whole"));
        copy_tree(&dir, &whole);
        Self { dir, whole }
    }

    /// Where the directory is.
    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    /// Does harm, has it looked at, and puts the directory back.
    pub(crate) fn harm(&self, rig: &Rig, harm: impl FnOnce(), check: impl FnOnce()) {
        harm();
        check();
        self.put_back(rig);
    }

    /// Ends every process, and has the directory as it was.
    pub(crate) fn put_back(&self, rig: &Rig) {
        for process in rig.processes() {
            process.kill_9();
        }
        rig.wait_until("the end", || rig.processes().is_empty());
        std::fs::remove_dir_all(&self.dir).unwrap();
        copy_tree(&self.whole, &self.dir);
    }
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

/// The file whose name begins so, the first of several, anywhere below. What is kept for a damaged newer one (`.old`) only if it is
/// asked for.
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
            } else if name.starts_with(prefix)
                && (!name.ends_with(".old") || prefix.ends_with(".old"))
            {
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
    rig.enter(alpha, "echo awake-$((40+2))");
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
    let snapshot = Snapshot::of(&rig, "state/shellkeep");
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
            snapshot.put_back(&rig);
        }
    }
}
