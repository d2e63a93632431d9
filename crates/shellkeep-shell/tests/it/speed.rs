//! How long it takes. Figures for whoever asks with `--nocapture`; nothing here can fail for being slow.

use std::time::{Duration, Instant};

use shellkeep_shell::{Kind, RunRc};

use crate::bash_state::RC;
use crate::world::World;

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

#[test]
fn bash_times_are_told() {
    let world = World::new("/bin/bash".as_ref());
    world.file(".bashrc", RC);
    let pane = world.start(Kind::Plain);
    pane.run("for i in {1..200}; do eval \"f$i() { echo $i; for x in 1 2 3; do case \\$x in 1) echo a;; esac; done; }; v$i=$i\"; done");
    let mut captures = Vec::new();
    for _ in 0..15 {
        captures.push(world.capture(&pane).took);
    }
    let state = world.capture(&pane).state;
    drop(pane);
    let time = |start: &dyn Fn() -> crate::pane::Pane| {
        let began = Instant::now();
        let pane = start();
        pane.wait("a prompt", |seen| {
            seen.raw
                .windows(2)
                .any(|two| two == b"> " || two == b"# " || two == b"$ ")
        });
        began.elapsed()
    };
    let many =
        |start: &dyn Fn() -> crate::pane::Pane| median((0..15).map(|_| time(start)).collect());
    let bare = many(&|| world.plain(&["--norc"]));
    let plain = many(&|| world.plain(&[]));
    let ours = many(&|| world.start(Kind::Plain));
    let began = Instant::now();
    let launch = world.revival(&state, RunRc::Off).launch;
    let prepared = began.elapsed();
    let revived = many(&|| world.open(&launch));
    let launch = world.revival(&state, RunRc::On).launch;
    let again = many(&|| world.open(&launch));
    println!(
        "bash: capture {:?}, start without rc {bare:?}, plain {plain:?}, with integration {ours:?}, revival {revived:?} after {prepared:?} of ours, with rc {again:?}",
        median(captures)
    );
    assert!(state.report().functions >= 200);
}
