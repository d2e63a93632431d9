//! What may go wrong with the processes and the disk.

use nix::sys::signal::Signal;
use shellkeep_testkit::real::{Rig, Role};

use crate::session::Shell;

/// What happens to the shells in a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shells {
    /// They run on, and so does whatever was sent to them.
    Live,
    /// They end in order: what is idle is kept as it is.
    EndInOrder,
    /// They die without notice: what is kept of them is as of the last time that they were asked.
    Die,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fault {
    None,
    KillServer,
    KillKeeper,
    KillBoth,
    RestartServer,
    EndServer,
    TerminateEverything,
    FillDisk,
    KillServerOnFullDisk,
}

impl Fault {
    const ALL: [Self; 9] = [
        Self::None,
        Self::KillServer,
        Self::KillKeeper,
        Self::KillBoth,
        Self::RestartServer,
        Self::EndServer,
        Self::TerminateEverything,
        Self::FillDisk,
        Self::KillServerOnFullDisk,
    ];

    /// The faults to choose from: all, or those that `SHELLKEEP_SOAK_FAULTS` names, separated by commas.
    pub(crate) fn wanted() -> Vec<Self> {
        let mut faults = Self::ALL.to_vec();
        if let Ok(names) = std::env::var("SHELLKEEP_SOAK_FAULTS") {
            faults.retain(|fault| {
                let name = format!("{fault:?}");
                names.split(',').any(|wanted| wanted == name)
            });
        }
        faults
    }

    pub(crate) const fn shells(self) -> Shells {
        match self {
            Self::None
            | Self::KillServer
            | Self::KillKeeper
            | Self::RestartServer
            | Self::FillDisk
            | Self::KillServerOnFullDisk => Shells::Live,
            Self::EndServer | Self::TerminateEverything => Shells::EndInOrder,
            Self::KillBoth => Shells::Die,
        }
    }

    /// Whether a shell ends at once, and cannot be asked for its state any more: a fish ends at SIGTERM, the others ignore it.
    pub(crate) fn ends_at_once(self, shell: Shell) -> bool {
        self == Self::TerminateEverything && shell == Shell::Fish
    }

    pub(crate) const fn needs_disk(self) -> bool {
        matches!(self, Self::FillDisk | Self::KillServerOnFullDisk)
    }

    /// Lets it happen, but for the disk, and waits until it has.
    pub(crate) fn strike(self, rig: &Rig) {
        match self {
            Self::None | Self::FillDisk => {}
            Self::KillServer | Self::KillServerOnFullDisk => rig.server().kill_9(),
            Self::KillKeeper => rig.keeper().kill_9(),
            Self::KillBoth => {
                let (server, keepers) = (rig.server(), rig.keepers());
                server.signal(Signal::SIGKILL);
                for keeper in &keepers {
                    keeper.signal(Signal::SIGKILL);
                }
                server.wait_gone();
                for keeper in keepers {
                    keeper.wait_gone();
                }
                wait_for_the_end_of_all(rig);
            }
            Self::RestartServer => {
                rig.ok(&["restart-server"]);
            }
            Self::EndServer => {
                rig.ok(&["kill-server", "--keep"]);
                wait_for_the_end_of_all(rig);
            }
            Self::TerminateEverything => {
                // As systemd does: all at once, in no order that could be relied on. Nothing may be left that it would have to kill.
                for process in rig.processes() {
                    process.signal(Signal::SIGTERM);
                }
                wait_for_the_end_of_all(rig);
            }
        }
    }
}

/// Shells get a hang-up when the last holder of their terminal has gone.
fn wait_for_the_end_of_all(rig: &Rig) {
    rig.wait_until("the end of every process", || {
        rig.processes_of(Role::Server).is_empty() && rig.processes().is_empty()
    });
}
