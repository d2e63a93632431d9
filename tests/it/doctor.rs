//! `doctor`: what it says of a setup that is well and of whoever asks (terminal, shell, limits, clock), and how it is asked, with
//! the real program. What it says to type is typed.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde_json::Value;
use shellkeep_store::schema::{SessionFile, StoredPane, StoredSession, StoredWindow};
use shellkeep_store::{Store, StoreId};
use shellkeep_testkit::real::{Output, Rig};

use crate::{rig, skip};

/// What one `doctor --json` has said.
pub(crate) struct Said {
    pub(crate) status: i32,
    pub(crate) checks: Vec<Value>,
}

impl Said {
    #[track_caller]
    pub(crate) fn of(output: &Output) -> Self {
        assert_eq!(output.stderr, "", "{output:?}");
        let json: Value = serde_json::from_str(&output.stdout).unwrap();
        assert_eq!(json["version"], env!("CARGO_PKG_VERSION"));
        Self {
            status: output.status,
            checks: json["checks"].as_array().unwrap().clone(),
        }
    }

    /// The finding of a check that has this status, as its sentence and its fix.
    #[track_caller]
    pub(crate) fn finding(&self, name: &str, status: &str) -> (String, String) {
        let mut found = self.checks.iter().filter(|check| check["name"] == name);
        let found = found.find(|check| check["status"] == status);
        let found = found.unwrap_or_else(|| panic!("{name} {status}: {:#?}", self.checks));
        let text = |field: &str| found[field].as_str().unwrap_or_default().to_owned();
        (text("sentence"), text("fix"))
    }

    pub(crate) fn problems(&self) -> Vec<&Value> {
        let problems = self
            .checks
            .iter()
            .filter(|check| check["status"] == "problem");
        problems.collect()
    }
}

pub(crate) fn doctor(rig: &Rig) -> Said {
    Said::of(&rig.run(&["doctor", "--json"]))
}

/// Types what the doctor said to type.
#[track_caller]
pub(crate) fn type_it(rig: &Rig, fix: &str) {
    let mut command = rig.other_command("sh");
    command.args(["-c", fix]);
    rig.finish(command).ok();
}

/// Types the command that a fix begins with, before it says what for. What only root may is done here by root, or not at all.
#[track_caller]
pub(crate) fn type_command(rig: &Rig, fix: &str) {
    let command = fix.split(": ").next().unwrap_or_default();
    if command.contains("sudo ") && !nix::unistd::geteuid().is_root() {
        return skip("only root may do what the doctor says");
    }
    let mut shell = rig.other_command("sh");
    shell.args(["-c", &command.replace("sudo ", "")]);
    let output = rig.finish(shell);
    assert_eq!(output.status, 0, "{command}: {output:?}");
}

pub(crate) fn state(rig: &Rig) -> PathBuf {
    rig.path("state/shellkeep")
}

/// Keeps a session in the store, as a server would; returns its id.
pub(crate) fn keep_session(rig: &Rig, name: &str) -> StoreId {
    let store = Store::open(&state(rig), "default").unwrap();
    let id = StoreId::new(1_700_000_000_000);
    let session = SessionFile {
        session: StoredSession {
            name: name.to_owned(),
            created: 1,
            activity: 2,
            ..StoredSession::default()
        },
        windows: vec![StoredWindow {
            panes: vec![StoredPane::default()],
            ..StoredWindow::default()
        }],
        part_of: None,
    };
    let body = serde_json::to_value(session).unwrap();
    store.write_session(id, &body).unwrap();
    id
}

/// Cuts a file in half.
pub(crate) fn halve(path: &Path) {
    let file = File::options().write(true).open(path).unwrap();
    let length = file.metadata().unwrap().len();
    assert!(length > 1, "{}", path.display());
    file.set_len(length / 2).unwrap();
}

#[test]
fn setup_that_is_well_has_no_problem() {
    let rig = rig();
    rig.ok(&["new", "-d", "-s", "work"]);
    let (server, keeper) = (rig.server(), rig.keeper());
    let said = doctor(&rig);
    assert_eq!(said.problems(), Vec::<&Value>::new());
    assert_eq!(said.status, 0);
    for name in [
        "state-directory",
        "permissions",
        "sessions",
        "quarantine",
        "runtime-directory",
    ] {
        said.finding(name, "ok");
    }
    let (sentence, _) = said.finding("socket", "ok");
    assert!(
        sentence.contains("of this version: shellkeep "),
        "{sentence}"
    );
    let (sentence, _) = said.finding("lock", "ok");
    assert!(
        sentence.ends_with(&format!("process {}", server.pid)),
        "{sentence}"
    );
    let (sentence, _) = said.finding("keeper", "ok");
    assert!(
        sentence.ends_with(&format!("process {}", keeper.pid)),
        "{sentence}"
    );
    // Being looked at has cost the server neither its keeper nor its sessions.
    rig.ok(&["new", "-d", "-s", "more"]);
    assert_eq!(rig.ok(&["ls"]).lines().count(), 2);
    assert_eq!((rig.server(), rig.keeper()), (server, keeper));
}

#[test]
fn doctor_without_a_server_starts_none_and_makes_nothing() {
    let rig = rig();
    let output = rig.run(&["doctor"]);
    assert_eq!((output.status, &output.stderr[..]), (0, ""), "{output:?}");
    assert!(
        output
            .stdout
            .contains("\nok       socket             no server is running"),
        "{}",
        output.stdout
    );
    assert!(rig.processes().is_empty());
    assert!(!state(&rig).exists() && !rig.path("run/shellkeep").exists());
    let output = rig.run(&["doctor", "--rebuild"]);
    assert!(
        output.stdout.contains("nothing to rebuild"),
        "{}",
        output.stdout
    );
    assert!(!state(&rig).exists());
    let refused = rig.run(&["doctor", "--nonsense"]).fails();
    assert!(
        refused.starts_with("command doctor: unknown flag --nonsense"),
        "{refused}"
    );
    assert!(
        rig.ok(&["doctor", "--help"])
            .starts_with("Say what is wrong")
    );
}

#[test]
fn what_the_doctor_says_to_type_names_the_server_it_was_asked_about() {
    let rig = rig();
    keep_session(&rig, "work");
    rig.write("state/shellkeep/catalogue.db", "broken");
    let path = rig.path("its socket").display().to_string();
    for (server, named) in [
        (["-L", "default"], String::new()),
        (["-L", "other"], "-L other ".to_owned()),
        (["-S", &path], format!("-S '{path}' ")),
    ] {
        let words = [&server[..], &["doctor", "--json"]].concat();
        let (_, fix) = Said::of(&rig.run(&words)).finding("catalogue", "problem");
        assert_eq!(fix, format!("shellkeep {named}doctor --rebuild"));
    }
}

#[test]
fn files_from_the_future_are_told() {
    let rig = rig();
    let id = keep_session(&rig, "work");
    let file = state(&rig).join(format!("sessions/{id}/session.json"));
    let future = SystemTime::now() + Duration::from_secs(3 * 3600 + 30);
    File::options()
        .write(true)
        .open(&file)
        .unwrap()
        .set_modified(future)
        .unwrap();
    let (sentence, _) = doctor(&rig).finding("clock", "warning");
    assert!(
        sentence.contains("was written 3 hours in the future"),
        "{sentence}"
    );
}

#[test]
fn terminal_and_shell_are_judged_by_the_environment() {
    let rig = rig();
    let mut command = rig.command(&["doctor", "--json"]);
    command
        .env("TERM", "dumb")
        .env("LANG", "C")
        .env("SHELL", "/no/such/shell");
    let said = Said::of(&rig.finish(command));
    assert_eq!(said.status, 1);
    assert!(said.finding("terminal", "problem").0.contains("TERM=dumb"));
    assert!(
        said.finding("terminal", "warning")
            .0
            .contains("the locale C is not UTF-8")
    );
    assert!(
        said.finding("shell", "problem")
            .0
            .contains("SHELL=/no/such/shell is no program")
    );
    for shell in ["bash", "zsh", "fish"] {
        if crate::is_installed(shell) {
            let mut command = rig.command(&["doctor", "--json"]);
            command.env("SHELL", format!("/usr/bin/{shell}"));
            let (sentence, _) = Said::of(&rig.finish(command)).finding("shell", "ok");
            assert!(sentence.contains(&format!(" is {shell} ")), "{sentence}");
        }
    }
}

#[test]
fn limits_of_the_caller_are_judged() {
    let rig = rig();
    let mut command = rig.other_command("sh");
    command.args([
        "-c",
        "ulimit -n 512; ulimit -f 100000; exec shellkeep doctor --json",
    ]);
    let said = Said::of(&rig.finish(command));
    let told = said
        .checks
        .iter()
        .filter(|check| check["name"] == "limits" && check["status"] == "warning");
    assert_eq!(told.count(), 2, "{:#?}", said.checks);
}

#[test]
fn unit_names_this_program() {
    let rig = rig();
    let unit = rig.ok(&["doctor", "--unit"]);
    let program = env!("CARGO_BIN_EXE_shellkeep");
    assert!(
        unit.contains(&format!("ExecStart=\"{program}\" start-server")),
        "{unit}"
    );
    assert!(
        unit.contains("ExecStop=") && unit.contains("kill-server --keep"),
        "{unit}"
    );
}

#[test]
fn doctor_inside_of_a_server_says_where_it_belongs() {
    let rig = rig();
    rig.ok(&["new", "-d"]);
    let said = rig.run(&["run-shell", "-C", "doctor"]).fails();
    assert_eq!(said, "doctor is for a shell: shellkeep doctor");
}
