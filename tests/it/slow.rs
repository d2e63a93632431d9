//! A client that does not read costs neither memory nor anybody's time.

use std::time::Instant;

use nix::sys::signal::Signal;

use crate::{rig, skip};

/// The flood comes in waves, each of so many bytes: not more than is shown in good time on a busy machine.
const WAVE: u64 = 4_000_000;

/// How many waves: 200 MB in all where it is fast, or where it is asked for; in a debug build so much as
/// takes a few seconds.
fn waves() -> u64 {
    let is_full = !cfg!(debug_assertions) || std::env::var_os("SHELLKEEP_TEST_FULL").is_some();
    if is_full {
        return 50;
    }
    skip("20 MB instead of 200 in a debug build; SHELLKEEP_TEST_FULL=1 prints all of it");
    5
}

#[test]
fn client_stopped_during_a_flood_costs_nothing_and_repaints() {
    let rig = rig();
    let watching = rig.attach(&["new", "-s", "work"], (24, 80));
    watching.wait_for_prompt();
    let stopped = rig.attach(&["attach", "-t", "work"], (24, 80));
    stopped.wait_for_prompt();
    let server = rig.server();
    // Neither the client runs nor does anybody read its terminal.
    stopped.hold().process().signal(Signal::SIGSTOP);
    rig.wait_until("the stop", || stopped.process().is_stopped());
    let before = server.status_number("RssAnon");
    let line = "the quick brown fox jumps over the lazy dog, again";
    let began = Instant::now();
    let mut peak = before;
    let last = waves();
    for wave in 1..=last {
        let flood = format!("yes '{line}' | head -c {WAVE}");
        watching.enter(&format!("clear; {flood}; echo; echo end-$(({wave}+0))-"));
        watching.wait_until("the end of a wave", |screen| {
            peak = peak.max(server.status_number("RssAnon"));
            screen.has(&format!("end-{wave}-"))
        });
    }
    let seconds = began.elapsed().as_secs_f64();
    let grown = peak.saturating_sub(before);
    assert!(
        // Some of it is what the recorder is writing to the disk at the moment, and what waits for it: more where it has to
        // wait for a processor. All that was printed would be far more.
        grown < 32 * 1024,
        "the server grew by {grown} kB in {seconds:.1} s"
    );
    let seen = stopped.bytes_seen();
    stopped.release().process().signal(Signal::SIGCONT);
    stopped.wait_for_text(&format!("end-{last}-"));
    stopped.wait_until("the same as the other", |screen| {
        screen.text() == watching.text()
    });
    let caught_up = stopped.bytes_seen() - seen;
    assert!(
        caught_up < 100_000,
        "it got the newest screen, not the flood: {caught_up} bytes"
    );
    // And it is a client like any other again.
    stopped.enter("clear; echo back-$((40+3))");
    watching.wait_for_text("back-43");
}
