//! The client that was used last decides how large a window is, also after the death of the server, from which clients come back in any
//! order.

use nix::sys::signal::Signal;
use shellkeep_testkit::real::{Rig, Terminal};

use crate::rig;

const SMALL: (u16, u16) = (20, 60);
const LARGE: (u16, u16) = (30, 100);

fn window_size(rig: &Rig) -> (u16, u16) {
    let size = rig.ok(&[
        "display",
        "-p",
        "-t",
        "work",
        "#{window_height} #{window_width}",
    ]);
    let (rows, cols) = size.trim().split_once(' ').expect("two numbers");
    (rows.parse().unwrap(), cols.parse().unwrap())
}

fn wait_for_clients(rig: &Rig, count: usize) {
    rig.wait_until(&format!("{count} clients"), || {
        rig.ok(&["list-clients"]).lines().count() == count
    });
}

/// Kills the server while one client is stopped, which therefore comes back last; the size then, with one client and with both.
fn sizes_after_crash(rig: &Rig, late: &Terminal) -> [(u16, u16); 2] {
    let server = rig.server();
    late.process().signal(Signal::SIGSTOP);
    server.kill_9();
    wait_for_clients(rig, 1);
    let first = window_size(rig);
    late.process().signal(Signal::SIGCONT);
    wait_for_clients(rig, 2);
    [first, window_size(rig)]
}

#[test]
fn client_used_last_decides_on_sizes_whichever_comes_back_last() {
    let rig = rig();
    rig.ok(&["new", "-d", "-s", "work", "cat"]);
    let small = rig.attach(&["attach", "-t", "work"], SMALL);
    small.wait_until("its size", |_| window_size(&rig) == SMALL);
    let large = rig.attach(&["attach", "-t", "work"], LARGE);
    large.wait_until("both", |_| window_size(&rig) == LARGE);
    for (latest, size, other) in [(&small, SMALL, &large), (&large, LARGE, &small)] {
        latest.enter("used");
        latest.wait_until("its size", |_| window_size(&rig) == size);
        assert_eq!(
            sizes_after_crash(&rig, other),
            [size; 2],
            "the other is last"
        );
        // Also while the one that decides is not back yet.
        assert_eq!(sizes_after_crash(&rig, latest), [size; 2], "it is last");
        // A restart has the same order as a death.
        rig.ok(&["restart-server"]);
        wait_for_clients(&rig, 2);
        assert_eq!(window_size(&rig), size);
    }
    // One that does not come back decides on nothing.
    let server = rig.server();
    large.hang_up();
    rig.wait_until("the other's size", || window_size(&rig) == SMALL);
    server.kill_9();
    wait_for_clients(&rig, 1);
    assert_eq!(window_size(&rig), SMALL);
}
