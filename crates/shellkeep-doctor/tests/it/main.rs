//! The doctor over made-up stores and surroundings, without a server. See `tests/it/doctor*.rs` for those that need one.
#![allow(
    clippy::unwrap_used,
    reason = "a test fails by a panic, also in what several tests share"
)]

mod catalogue;
mod store;
mod surroundings;

use std::ffi::OsString;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use shellkeep_command::cmd::doctor::Args;
use shellkeep_doctor::{Color, Setup, examine};
use shellkeep_testkit::doctor::Said;
use tempfile::TempDir;

/// A state and a runtime directory of its own.
struct World(TempDir);

impl World {
    fn new() -> Self {
        let world = Self(tempfile::tempdir().unwrap());
        for dir in [world.above_state(), world.state(), world.runtime()] {
            make_dir(&dir);
        }
        world
    }

    /// Where the state directory of all programs would be.
    fn above_state(&self) -> PathBuf {
        self.0.path().join("home")
    }

    fn state(&self) -> PathBuf {
        self.above_state().join("shellkeep")
    }

    fn runtime(&self) -> PathBuf {
        self.0.path().join("run")
    }

    /// What is said of the default server's world.
    fn doctor(&self) -> Said {
        self.examine(&Args::default())
    }

    fn rebuild(&self) -> Said {
        self.examine(&Args {
            rebuild: true,
            ..Args::default()
        })
    }

    fn examine(&self, args: &Args) -> Said {
        let usual = [("TERM", "xterm-256color"), ("LANG", "C.UTF-8")];
        self.examine_as("default", args, &usual)
    }

    /// What the doctor says of the server with this label, with these variables in its environment.
    fn examine_as(&self, label: &str, args: &Args, variables: &[(&str, &str)]) -> Said {
        let env = |name: &str| -> Option<OsString> {
            let mut variables = variables.iter();
            let found = variables.find(|(found, _)| *found == name);
            match (found, name) {
                (Some((_, value)), _) => Some((*value).into()),
                (None, "HOME") => Some(self.0.path().into()),
                (None, "SHELL") => Some("/bin/sh".into()),
                (None, "PATH") => std::env::var_os("PATH"),
                (None, _) => None,
            }
        };
        let call = match label {
            "default" => "shellkeep".to_owned(),
            label => format!("shellkeep -L {label}"),
        };
        let socket = self.runtime().join(label);
        let program = ("/no/such/shellkeep".into(), &call[..]);
        let setup = Setup::new(&socket, &self.state(), program, &env);
        let args = Args {
            json: true,
            ..args.clone()
        };
        let (printed, status) = examine(&setup, &args, Color::Off);
        Said::of(&printed, status.into())
    }

    /// Writes a file of the state directory, for its owner alone.
    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        use std::os::unix::fs::PermissionsExt as _;
        let path = self.state().join(name);
        make_dir(path.parent().unwrap());
        std::fs::write(&path, content).unwrap();
        let mode = std::fs::Permissions::from_mode(0o600);
        std::fs::set_permissions(&path, mode).unwrap();
        path
    }
}

fn make_dir(path: &Path) {
    let mut dir = std::fs::DirBuilder::new();
    dir.mode(0o700).recursive(true).create(path).unwrap();
}

/// Types what the doctor said to type.
#[track_caller]
fn type_it(fix: &str) {
    let status = Command::new("sh").args(["-c", fix]).status().unwrap();
    assert!(status.success(), "{fix}");
}

/// Types the command that a fix begins with, before it says what for.
#[track_caller]
fn type_command(fix: &str) {
    type_it(fix.split(": ").next().unwrap_or_default());
}
