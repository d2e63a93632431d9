//! Checks what a logout does to the server, where systemd decides that.

use std::path::{Path, PathBuf};

use nix::unistd::getuid;

use crate::Setup;
use crate::ask;
use crate::finding::Finding;

const NAME: &str = "logout";

const FIX: &str = "loginctl enable-linger; and for a server from boot on: shellkeep doctor --unit";

pub(super) fn check(setup: &Setup<'_>) -> Vec<Finding> {
    if !Path::new("/run/systemd/system").exists() {
        return vec![Finding::ok(
            NAME,
            "systemd does not run here, so a logout ends nothing by itself",
        )];
    }
    let Some(loginctl) = find(setup, "loginctl") else {
        return vec![Finding::ok(
            NAME,
            "there is no loginctl, so a logout is taken to end nothing",
        )];
    };
    let property =
        |args: &[&str]| ask::output(&loginctl, args).map(|output| output.trim() == "yes");
    let user = getuid().to_string();
    // systemd does not know users who are not logged in. The file is what it reads at boot.
    let lingers = property(&["show-user", &user, "--property=Linger", "--value"])
        .or_else(|| has_linger_file(setup));
    // Without the name of a session, `loginctl` shows the manager itself.
    let kills =
        property(&["show-session", "--property=KillUserProcesses", "--value"]).or_else(configured);
    let runtime = Path::new("/run/user").join(&user);
    let socket = if setup.socket.starts_with(&runtime) {
        Socket::Removed
    } else {
        Socket::Stays
    };
    vec![judge(lingers, kills, socket)]
}

/// What a logout does to the socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Socket {
    /// It is in a directory that systemd removes.
    Removed,
    Stays,
}

fn judge(lingers: Option<bool>, kills: Option<bool>, socket: Socket) -> Finding {
    match (lingers, kills, socket) {
        (Some(true), _, _) => Finding::ok(NAME, "your processes outlive a logout: lingering is on"),
        (_, Some(true), _) => Finding::problem(
            NAME,
            "a logout ends everything you run, the server and its programs too: KillUserProcesses is on and lingering is off",
            FIX,
        ),
        (Some(false), _, Socket::Removed) => Finding::warning(
            NAME,
            "a logout removes the directory of the socket, and the server cannot be found until you log in again: lingering is off",
            FIX,
        ),
        (Some(false), _, Socket::Stays) => Finding::ok(NAME, "the server outlives a logout"),
        (None, _, _) => Finding::ok(
            NAME,
            "whether you linger cannot be asked for here; the server is taken to outlive a logout",
        ),
    }
}

fn has_linger_file(setup: &Setup<'_>) -> Option<bool> {
    let dir = Path::new("/var/lib/systemd/linger");
    let user = setup.variable("USER").filter(|name| !name.contains('/'))?;
    dir.is_dir().then(|| dir.join(user).exists())
}

/// `KillUserProcesses` in logind's configuration; the last setting counts.
fn configured() -> Option<bool> {
    let mut files = vec![PathBuf::from("/etc/systemd/logind.conf")];
    for dir in ["/usr/lib/systemd", "/run/systemd", "/etc/systemd"] {
        let entries = std::fs::read_dir(format!("{dir}/logind.conf.d"));
        let mut more: Vec<PathBuf> = entries
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path())
            .collect();
        more.sort();
        files.extend(more);
    }
    let texts = files
        .iter()
        // Opened without `shellkeep-files`: it is the system's configuration.
        .filter_map(|file| std::fs::read_to_string(file).ok());
    texts.filter_map(|text| kill_setting(&text)).next_back()
}

fn kill_setting(text: &str) -> Option<bool> {
    let mut values = text.lines().filter_map(|line| {
        let (name, value) = line.split_once('=')?;
        (name.trim() == "KillUserProcesses").then(|| value.trim().to_lowercase())
    });
    let last = values.next_back()?;
    Some(["yes", "true", "on", "1"].contains(&&last[..]))
}

/// A program in the PATH.
fn find(setup: &Setup<'_>, name: &str) -> Option<PathBuf> {
    let path = setup
        .variable("PATH")
        .unwrap_or_else(|| "/usr/bin:/bin".to_owned());
    let dirs = path.split(':').filter(|dir| dir.starts_with('/'));
    let mut places = dirs.map(|dir| Path::new(dir).join(name));
    places.find(|place| place.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Status;

    #[test]
    fn logout_is_judged_by_lingering_killing_and_the_socket() {
        for (lingers, kills, socket, expected) in [
            (Some(true), Some(true), Socket::Removed, Status::Ok),
            (Some(false), Some(true), Socket::Stays, Status::Problem),
            (None, Some(true), Socket::Stays, Status::Problem),
            (Some(false), Some(false), Socket::Removed, Status::Warning),
            (Some(false), None, Socket::Stays, Status::Ok),
            (None, None, Socket::Removed, Status::Ok),
        ] {
            let finding = judge(lingers, kills, socket);
            assert_eq!(finding.status, expected, "{lingers:?} {kills:?} {socket:?}");
        }
    }

    #[test]
    fn setting_is_read_as_logind_reads_it() {
        assert_eq!(kill_setting("[Login]\n#KillUserProcesses=yes\n"), None);
        assert_eq!(
            kill_setting("KillUserProcesses=yes\n KillUserProcesses = no\n"),
            Some(false)
        );
        assert_eq!(kill_setting("KillUserProcesses=True"), Some(true));
    }
}
