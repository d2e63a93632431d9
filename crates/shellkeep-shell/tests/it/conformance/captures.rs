//! Shells that answer a request and go on: they print nothing, keep the line that is being typed, and read keys
//! meanwhile.

use std::fs;
use std::os::unix::fs::symlink;
use std::time::{Duration, Instant};

use nix::sys::stat::Mode;
use nix::unistd::mkfifo;
use shellkeep_shell::{Purpose, Request, RunRc, Shell, ShellState};

use super::Dialect;
use crate::pane::{Pane, wait_until};
use crate::world::World;

fn ask(world: &World) -> Request {
    Request::place(&world.path("pane"), world.nonce(), Purpose::Capture).unwrap()
}

/// Signals a shell until it has begun to answer: a shell that has just drawn its prompt may miss the signal.
fn signal(pane: &Pane, request: &Request) {
    let mut asked: Option<Instant> = None;
    wait_until("an answer that begins", || {
        if asked.is_none_or(|at| at.elapsed() > Duration::from_millis(300)) {
            pane.signal();
            asked = Some(Instant::now());
        }
        let written = fs::metadata(request.state_path()).unwrap().len();
        (written > 0).then_some(())
    });
}

fn told(pane: &Pane, request: &Request) -> ShellState {
    signal(pane, request);
    wait_until("a state", || request.state())
}

pub(super) fn captured_shell_prints_nothing_and_keeps_the_line_being_typed(shell: &Dialect) {
    for (world, pane) in shell.panes() {
        pane.run(shell.keep_before);
        let name = world.shell().name();
        pane.send(b"echo half");
        wait_until("an echo", || {
            pane.seen().text().ends_with("echo half").then_some(())
        });
        let shown = pane.seen().raw.len();
        for _ in 0..3 {
            let request = ask(&world);
            let state = told(&pane, &request);
            assert!(state.report().functions > 0, "{name}");
            request.withdraw();
        }
        if !shell.colours_what_is_typed {
            let printed = String::from_utf8_lossy(&pane.seen().raw[shown..]).into_owned();
            assert_eq!(printed, "", "{name} printed something");
        }
        pane.send(b" and half\r");
        wait_until("both halves", || {
            let text = pane.seen().text();
            text.contains("\nhalf and half\n").then_some(())
        });
        let left = fs::read_dir(world.path("pane")).unwrap();
        let left = left.filter(|entry| {
            let name = entry.as_ref().unwrap().file_name();
            name.to_string_lossy().contains('-')
        });
        assert_eq!(left.count(), 0, "{name} left lists behind");
    }
}

pub(super) fn captured_shell_runs_commands_while_its_copy_writes_the_old_state(shell: &Dialect) {
    for (world, pane) in shell.panes() {
        pane.run(shell.keep_before);
        let request = ask(&world);
        let asked = fs::read_to_string(world.path("pane").join("request")).unwrap();
        let nonce = asked.lines().next().unwrap();
        let list = world.path("pane").join(format!("history-{nonce}"));
        let lock = list.with_extension("LOCK");
        // The copy blocks: in bash until the test reads from the pipe, in zsh until the lock is gone.
        match world.shell() {
            Shell::Bash => mkfifo(&list, Mode::S_IRWXU).unwrap(),
            _ => symlink("held by a test", &lock).unwrap(),
        }
        signal(&pane, &request);
        pane.run("kept=after; echo went on");
        wait_until("a command that ran", || {
            let text = pane.seen().text();
            text.contains("\nwent on\n").then_some(())
        });
        assert!(request.state().is_none(), "it did not wait");
        match world.shell() {
            Shell::Bash => {
                let lines = fs::read(&list).unwrap();
                fs::remove_file(&list).unwrap();
                fs::write(&list, lines).unwrap();
            }
            _ => fs::remove_file(&lock).unwrap(),
        }
        let state = wait_until("a state", || request.state());
        drop(pane);
        request.withdraw();
        let pane = world.open(&world.revival(&state, RunRc::Off).launch);
        pane.prompt();
        pane.run("echo it was $kept");
        wait_until("the variable", || {
            let text = pane.seen().text();
            text.contains("\nit was before\n").then_some(())
        });
    }
}
