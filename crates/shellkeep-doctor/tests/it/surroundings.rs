//! Directories that others may use or that cannot be made, and the terminal and the shell of the user.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use serde_json::Value;
use shellkeep_command::cmd::doctor::Args;
use shellkeep_testkit::doctor::keep_session;

use crate::{World, type_command, type_it};

fn permit(path: &Path, mode: u32) {
    std::fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

#[test]
fn permissions_that_are_too_wide_are_a_problem_until_the_fix_is_typed() {
    let world = World::new();
    let id = keep_session(&world.state(), "work");
    let file = world.state().join(format!("sessions/{id}/session.json"));
    permit(&file, 0o644);
    permit(&world.state(), 0o755);
    let said = world.doctor();
    assert_eq!(said.status, 1);
    let fix = said.says("state-directory", "problem", "(mode 755)");
    type_it(&fix);
    let fix = said.says("permissions", "problem", "session.json (mode 644)");
    type_it(&fix);
    let said = world.doctor();
    assert_eq!(said.problems(), Vec::<&Value>::new());
    assert_eq!(said.status, 0);
}

#[test]
fn state_directory_behind_a_link_to_nowhere_is_a_problem_until_the_fix_is_typed() {
    let world = World::new();
    std::fs::remove_dir_all(world.above_state()).unwrap();
    std::os::unix::fs::symlink("far/away", world.above_state()).unwrap();
    let said = world.doctor();
    let fix = said.says(
        "state-directory",
        "problem",
        "is a link to what is not there",
    );
    assert_eq!(said.status, 1);
    type_command(&fix);
    world.doctor().finding("state-directory", "ok");
}

#[test]
fn runtime_directory_that_others_can_write_to_is_a_problem_until_the_fix_is_typed() {
    let world = World::new();
    permit(&world.runtime(), 0o777);
    let said = world.doctor();
    assert_eq!(said.status, 1);
    let fix = said.says(
        "runtime-directory",
        "problem",
        "(mode 777), so no server can start",
    );
    type_it(&fix);
    world.doctor().finding("runtime-directory", "ok");
}

#[test]
fn terminal_and_shell_are_judged_by_the_environment() {
    let world = World::new();
    let said =
        |variables: &[(&str, &str)]| world.examine_as("default", &Args::default(), variables);
    let ill = said(&[("TERM", "dumb"), ("LANG", "C"), ("SHELL", "/no/such/shell")]);
    assert_eq!(ill.status, 1);
    for (check, status, expected) in [
        ("terminal", "problem", "TERM=dumb"),
        ("terminal", "warning", "the locale C is not UTF-8"),
        ("shell", "problem", "SHELL=/no/such/shell is no program"),
    ] {
        let (sentence, _) = ill.finding(check, status);
        assert!(sentence.contains(expected), "{sentence}");
    }
    for shell in ["bash", "zsh", "fish"] {
        let path = format!("/usr/bin/{shell}");
        if Path::new(&path).exists() {
            said(&[("SHELL", &path)]).says("shell", "ok", &format!(" is {shell} "));
        }
    }
}
