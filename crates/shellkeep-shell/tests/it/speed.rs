//! Measures times and prints them with `--nocapture`. Nothing here fails because it is slow.

use std::time::{Duration, Instant};

use shellkeep_shell::{Kind, RunRc};

use crate::pane::Pane;
use crate::world::World;

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

#[expect(clippy::print_stdout, reason = "figures for whoever asks")]
fn tell(world: &World, bare: &[&str], more: &str) {
    let pane = world.start(Kind::Plain);
    pane.run(more);
    let captures = (0..15).map(|_| world.capture(&pane).took).collect();
    let state = world.capture(&pane).state;
    drop(pane);
    let time = |start: &dyn Fn() -> Pane| {
        let began = Instant::now();
        let pane = start();
        pane.wait("a prompt", |seen| {
            let ends = [&b"# "[..], b"> "];
            seen.is_at_prompt() || seen.raw.windows(2).any(|text| ends.contains(&text))
        });
        began.elapsed()
    };
    let many = |start: &dyn Fn() -> Pane| median((0..15).map(|_| time(start)).collect());
    let bare = many(&|| world.plain(bare));
    let plain = many(&|| world.plain(&[]));
    let ours = many(&|| world.start(Kind::Plain));
    let began = Instant::now();
    let launch = world.revival(&state, RunRc::Off).launch;
    let prepared = began.elapsed();
    let revived = many(&|| world.open(&launch));
    let launch = world.revival(&state, RunRc::On).launch;
    let again = many(&|| world.open(&launch));
    println!(
        "{}: capture {:?}, start without rc {bare:?}, plain {plain:?}, with integration {ours:?}, revival {revived:?} after {prepared:?} of ours, with rc {again:?}",
        world.shell().name(),
        median(captures)
    );
    assert!(state.report().functions >= 200, "{:?}", state.report());
}

#[test]
fn bash_times_are_printed() {
    let world = World::new("/bin/bash".as_ref());
    world.file(".bashrc", crate::bash_state::RC);
    let more = "for i in {1..200}; do eval \"f$i() { echo $i; for x in 1 2 3; do case \\$x in 1) echo a;; esac; done; }; v$i=$i\"; done";
    tell(&world, &["--norc"], more);
}

#[test]
fn zsh_times_are_printed() {
    let world = World::new("/usr/bin/zsh".as_ref());
    world.file(".zshrc", crate::zsh::RC);
    let more = "for i in {1..200}; do eval \"f$i() { echo $i; for x in 1 2 3; do case \\$x in (1) echo a;; esac; done; }; v$i=$i\"; done";
    tell(&world, &["-f"], more);
}

#[test]
fn fish_times_are_printed() {
    let world = World::new("/usr/bin/fish".as_ref());
    world.file(".config/fish/config.fish", crate::fish::RC);
    let more = "for i in (seq 200); eval \"function f$i; echo $i; end; set -g v$i $i\"; end";
    tell(&world, &["-N"], more);
}
