//! A pipe, a directory, a link, a device or a huge file in the place of a file of ours: nothing waits, nothing outside is written, and other sessions are
//! as they were. And every file of ours is for its owner alone, whatever the umask.

use std::fs::File;
use std::os::unix::fs::{MetadataExt as _, symlink};
use std::path::{Path, PathBuf};

use nix::sys::stat::{Mode, SFlag, makedev, mknod};
use nix::unistd::mkfifo;
use shellkeep_testkit::real::Rig;

use crate::faults::Snapshot;
use crate::hibernate::hibernate;
use crate::keeping::kill_both;
use crate::rig;

const OUTSIDE: &str = "somebody else's";

/// What lies in the place of a file.
#[derive(Clone, Copy, Debug)]
enum Stranger {
    Pipe,
    Directory,
    Link,
    Device,
    Huge,
}

impl Stranger {
    const ALL: [Self; 5] = [
        Self::Pipe,
        Self::Directory,
        Self::Link,
        Self::Device,
        Self::Huge,
    ];

    fn put(self, path: &Path, outside: &Path) {
        std::fs::remove_file(path).unwrap();
        match self {
            Self::Pipe => mkfifo(path, Mode::S_IRWXU).unwrap(),
            Self::Directory => std::fs::create_dir(path).unwrap(),
            Self::Link => symlink(outside, path).unwrap(),
            Self::Device => {
                // Only root may make one; a link to it is as good for this.
                let zero = makedev(1, 5);
                mknod(path, SFlag::S_IFCHR, Mode::S_IRWXU, zero)
                    .or_else(|_| symlink("/dev/zero", path))
                    .unwrap();
            }
            Self::Huge => File::create(path).unwrap().set_len(3 << 30).unwrap(),
        }
    }
}

/// Everything below a directory, in order. No link is followed.
fn all_below(dir: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(dir).unwrap().flatten() {
        if entry.file_type().unwrap().is_dir() {
            all.extend(all_below(&entry.path()));
        }
        all.push(entry.path());
    }
    all.sort();
    all
}

/// Every plain file below a directory.
fn files_below(dir: &Path) -> Vec<PathBuf> {
    let is_file = |path: &PathBuf| std::fs::symlink_metadata(path).unwrap().is_file();
    all_below(dir).into_iter().filter(is_file).collect()
}

/// Every directory below a directory.
fn dirs_below(dir: &Path) -> Vec<PathBuf> {
    let is_dir = |path: &PathBuf| std::fs::symlink_metadata(path).unwrap().is_dir();
    all_below(dir).into_iter().filter(is_dir).collect()
}

/// All that can be told of what is below a directory: names, kinds, times and contents.
fn state_of(dir: &Path) -> Vec<String> {
    let all = all_below(dir).into_iter();
    let told = all.map(|path| {
        let metadata = std::fs::symlink_metadata(&path).unwrap();
        let bytes = metadata.is_file().then(|| std::fs::read(&path).unwrap());
        let changed = (metadata.mtime(), metadata.mtime_nsec(), metadata.mode());
        format!("{} {changed:?} {bytes:?}", path.display())
    });
    told.collect()
}

/// A store with one of everything, of which both processes were killed.
fn fill(rig: &Rig) {
    rig.write("home/.bashrc", "PS1='$ '\n");
    rig.open("other", "echo text-of-other; cat");
    rig.open_saying("old", "text-of-old");
    rig.ok(&["kill-session", "-t", "old"]);
    rig.ok(&["new", "-d", "-s", "work", "--", "bash"]);
    rig.wait_for_pane("a prompt", "work", |text| text.contains('$'));
    rig.enter("work", "seq 3000; echo text-of-$((40+2))");
    rig.wait_for_pane("its text", "work", |text| text.contains("text-of-42"));
    rig.ok(&["set-buffer", "-b", "one", "copied"]);
    hibernate(rig, "work");
    rig.wait_for_pane("its text", "other", |text| text.contains("text-of-other"));
    rig.wait_until("the archive", || rig.ok(&["ls", "-a"]).contains("old"));
    kill_both(rig);
    rig.wait_until("the end", || rig.processes().is_empty());
}

/// Puts strangers in the places of the files below a directory, one after the other, and has a server start each time.
fn replace_each(rig: &Rig, dir: &str, check: impl Fn(&str)) {
    let outside = rig.write("outside", OUTSIDE);
    let snapshot = Snapshot::of(rig, dir);
    let files = files_below(snapshot.dir());
    assert!(!files.is_empty());
    for file in &files {
        for stranger in Stranger::ALL {
            let case = format!("{stranger:?} in place of {}", file.display());
            let look = || {
                check(&case);
                let found = std::fs::read_to_string(&outside).unwrap();
                assert_eq!(found, OUTSIDE, "{case}");
            };
            snapshot.harm(rig, || stranger.put(file, &outside), look);
        }
    }
}

#[test]
fn stranger_in_place_of_any_file_of_the_store_costs_that_file_only() {
    let rig = rig();
    fill(&rig);
    replace_each(&rig, "state/shellkeep", |case| {
        let capture = |name: &str| rig.run(&["capture-pane", "-p", "-t", name]).stdout;
        let (other, work) = (capture("other"), capture("work"));
        // It is in the place of a file of one of them, or of neither.
        assert!(
            other.contains("text-of-other") || work.contains("text-of-42"),
            "{case}: {other:?} {work:?}"
        );
        let made = rig.run(&["new", "-d", "-s", "fresh", "--", "cat"]);
        assert!(
            made.status == 0 || !made.stderr.is_empty(),
            "{case}: {made:?}"
        );
        // They may have something to say; they must come to an end.
        let _ = rig.run(&["search", "text-of"]);
        let _ = rig.run(&["show-buffer", "-b", "one"]);
        let _ = rig.run(&["doctor"]);
    });
}

/// A link in the place of any directory of the store leads out of it: nothing behind it is read, written, moved or removed. Other sessions are
/// as they were, and the doctor names the link as long as it is there.
#[test]
fn link_in_place_of_any_directory_of_the_store_is_not_followed() {
    let rig = rig();
    fill(&rig);
    let snapshot = Snapshot::of(&rig, "state/shellkeep");
    let whole_store = ["sessions", "servers"].map(|name| snapshot.dir().join(name));
    for dir in dirs_below(snapshot.dir()) {
        let case = format!("link in place of {}", dir.display());
        // All that was kept there: whoever followed the link would find everything in order.
        let outside = rig.path("outside");
        let before = std::cell::OnceCell::new();
        let put = || {
            std::fs::rename(&dir, &outside).unwrap();
            symlink(&outside, &dir).unwrap();
            before.set(state_of(&outside)).unwrap();
        };
        let check = || {
            let said = rig.run(&["doctor"]).stdout;
            assert!(said.contains("symbolic link"), "{case}: {said}");
            let capture = |name: &str| rig.run(&["capture-pane", "-p", "-t", name]).stdout;
            let (other, work) = (capture("other"), capture("work"));
            let is_there = other.contains("text-of-other") || work.contains("text-of-42");
            assert!(is_there || dir == whole_store[0], "{case}: {other} {work}");
            // It may have something to say.
            let made = rig.run(&["new", "-d", "-s", "fresh", "--", "cat"]);
            assert_eq!(made.status, 0, "{case}: {made:?}");
            for argv in ["search text-of", "show-buffer -b one", "ls -a"] {
                let argv: Vec<&str> = argv.split(' ').collect();
                let _ = rig.run(&argv);
            }
            // They write, move and remove.
            let _ = rig.run(&["set-buffer", "-b", "two", "copied too"]);
            let _ = rig.run(&["send-keys", "-t", "work", "echo more", "Enter"]);
            let _ = rig.run(&["archive", "-t", "other"]);
            let _ = rig.run(&["forget", "-y", "old"]);
            let _ = rig.run(&["kill-session", "-t", "work"]);
            let _ = rig.run(&["kill-server"]);
            assert_eq!(state_of(&outside), *before.get().unwrap(), "{case}");
        };
        snapshot.harm(&rig, put, check);
        std::fs::remove_dir_all(&outside).unwrap();
    }
}

#[test]
fn stranger_in_place_of_any_file_beside_the_socket_holds_up_nobody() {
    let rig = rig();
    fill(&rig);
    replace_each(&rig, "run/shellkeep", |case| {
        let made = rig.run(&["new", "-d", "-s", "fresh", "--", "bash"]);
        assert!(
            made.status == 0 || !made.stderr.is_empty(),
            "{case}: {made:?}"
        );
        if made.status == 0 {
            rig.wait_for_pane("a prompt", "fresh", |text| text.contains('$'));
        }
    });
}

#[test]
fn every_file_is_for_its_owner_alone_whatever_the_umask() {
    let rig = rig();
    rig.write("home/.bashrc", "umask 000; PS1='$ '\n");
    rig.write("home/.zshrc", "umask 000; PS1='$ '\n");
    // Where it has none, a first fish has a program make some, and does not sleep meanwhile.
    rig.write("home/data/fish/generated_completions/none", "");
    rig.sh("umask 000; exec shellkeep new -d -s first -- bash")
        .ok();
    rig.ok(&["-L", "usual", "new", "-d"]);
    let mut names = vec!["first"];
    for shell in ["bash", "zsh", "fish"] {
        if rig.sh(&format!("command -v {shell}")).status == 0 {
            rig.ok(&["new", "-d", "-s", shell, "--", shell]);
            names.push(shell);
        }
    }
    let is_private = |path: &Path| {
        let metadata = std::fs::symlink_metadata(path).unwrap();
        let wanted = if metadata.is_dir() { 0o700 } else { 0o600 };
        metadata.is_symlink() || metadata.mode() & 0o777 == wanted
    };
    let open_ones = || {
        let mut open = Vec::new();
        for dir in ["state/shellkeep", "run/shellkeep"] {
            let mut todo = vec![rig.path(dir)];
            while let Some(path) = todo.pop() {
                // The program comes and goes there meanwhile.
                let Ok(metadata) = std::fs::symlink_metadata(&path) else {
                    continue;
                };
                if !is_private(&path) {
                    open.push(format!("{} {:o}", path.display(), metadata.mode()));
                }
                if metadata.is_dir() {
                    let entries = std::fs::read_dir(&path).into_iter().flatten().flatten();
                    todo.extend(entries.map(|entry| entry.path()));
                }
            }
        }
        open
    };
    for name in &names {
        rig.wait_for_pane("a prompt", name, |text| text.contains(['$', '>', '#']));
        rig.enter(
            name,
            "trap 'true' USR1; umask 000; echo said-$(expr 40 + 2)",
        );
        rig.wait_for_pane("its text", name, |text| text.contains("said-42"));
    }
    assert_eq!(open_ones(), Vec::<String>::new());
    for label in ["default", "usual"] {
        for end in ["", ".lock", ".keeper"] {
            let path = rig.path(&format!("run/shellkeep/{label}{end}"));
            assert!(path.exists(), "{}", path.display());
        }
        let log = rig.path(&format!("state/shellkeep/{label}.log"));
        assert!(log.exists(), "{}", log.display());
    }
    rig.ok(&["set-buffer", "-b", "one", "copied"]);
    for name in &names {
        hibernate(&rig, name);
        assert_eq!(open_ones(), Vec::<String>::new(), "{name} sleeps");
        rig.enter(name, "echo again-$(expr 40 + 2)");
        rig.wait_for_pane("its text", name, |text| text.contains("again-42"));
    }
    rig.ok(&["kill-session", "-t", "first"]);
    rig.wait_until("the archive", || rig.ok(&["ls", "-a"]).contains("first"));
    rig.server().kill_9();
    rig.ok(&["ls"]);
    assert_eq!(open_ones(), Vec::<String>::new());
}
