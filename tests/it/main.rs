//! The real program, end to end: real processes, sockets and PTYs, seen as a user sees them.
//!
//! One binary with a module a subject; see `shellkeep_testkit::real` for the rig.
#![allow(
    clippy::unwrap_used,
    reason = "a test fails by a panic, also in what several tests share"
)]

mod abuse;
mod answered;
mod attach;
mod capture;
mod closed;
mod commands;
mod configs;
mod control;
mod crash;
mod crash_sizes;
mod doctor;
mod doctor_disk;
mod doctor_panes;
mod echo;
mod ending;
mod exit_traps;
mod faults;
mod faults_disk;
mod faults_forget;
mod faults_state;
mod faults_store;
mod foreground;
mod forged_marks;
mod hibernate;
mod hibernate_asked;
mod hibernate_by_hand;
mod hibernate_idle;
mod hibernate_many;
mod hibernate_prompt;
mod hibernate_steps;
mod hygiene;
mod idle_capture;
mod keeping;
mod keeping_buffers;
mod keeping_moved;
mod leave;
mod lock;
mod orderly_end;
mod orderly_end_steps;
mod plugins;
mod popup;
mod power;

mod pressure;
mod programs;
mod programs_split;
mod records;
mod refused;
mod restart;
mod resume;
mod resume_conversations;
mod resume_shell;
mod resume_waking;
mod search;
mod sharing;
mod shim;
mod sizes;
mod sleep_events;
mod sleep_marks;
mod sleep_policy;
mod slow;
mod start;
mod strangers;
mod tmux;
mod tmux_random;
mod typed_asleep;
mod wake;

use std::io::Write as _;

use shellkeep_testkit::real::Rig;

/// The program under test: `SHELLKEEP_TEST_PROGRAM` names another, e.g. a release.
fn program() -> std::ffi::OsString {
    let other = std::env::var_os("SHELLKEEP_TEST_PROGRAM");
    other.unwrap_or_else(|| env!("CARGO_BIN_EXE_shellkeep").into())
}

/// A world of its own for a test, with the program under test in it.
fn rig() -> Rig {
    Rig::new(program())
}

/// Says why a test, or a part of one, does not run here. Runners hide what tests print that pass, so it goes into the file that
/// `cargo xtask test` shows at the end, too.
fn skip(reason: &str) {
    say(&format!("skipped: {reason}"));
    if let Some(path) = std::env::var_os("SHELLKEEP_TEST_SKIPS") {
        let test = std::thread::current().name().unwrap_or_default().to_owned();
        let mut file = std::fs::OpenOptions::new();
        let file = file.append(true).create(true).open(path);
        let written = file.and_then(|mut file| writeln!(file, "{test}: {reason}"));
        written.unwrap();
    }
}

/// Says something to whoever reads what tests print.
#[expect(clippy::print_stderr, reason = "a skipped test must say so")]
fn say(text: &str) {
    eprintln!("{text}");
}

/// Whether a program is installed; says so if it is not.
fn is_installed(program: &str) -> bool {
    let paths = ["/usr/local/bin", "/usr/bin", "/bin"].map(std::path::Path::new);
    let found = paths.iter().any(|dir| dir.join(program).is_file());
    if !found {
        skip(&format!("{program} is not installed"));
    }
    found
}

/// Checks the rows of a table side by side, each on a thread of its name, so that a failure names its row.
fn side_by_side<T: Sync>(rows: &[(&str, T)], check: impl Fn(&str, &T) + Sync) {
    let test = std::thread::current().name().unwrap_or_default().to_owned();
    let failed: Vec<&str> = std::thread::scope(|scope| {
        let begin = |row| {
            let (name, row): &(&str, T) = row;
            let thread = std::thread::Builder::new().name(format!("{test}: {name}"));
            let check = &check;
            let thread = thread.spawn_scoped(scope, move || check(name, row));
            (*name, thread.unwrap())
        };
        let threads: Vec<_> = rows.iter().map(begin).collect();
        let ended = threads.into_iter();
        let failed = ended.filter_map(|(name, thread)| thread.join().is_err().then_some(name));
        failed.collect()
    });
    assert!(failed.is_empty(), "these rows fail: {failed:?}");
}

#[test]
fn modules_on_disk_are_all_compiled() {
    let own = include_str!("main.rs");
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it");
    for entry in std::fs::read_dir(dir).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let module = name.trim_end_matches(".rs");
        let is_here = module == "main" || own.contains(&format!("\nmod {module};\n"));
        assert!(is_here, "tests/it/{name} is nobody's module");
    }
}
