//! Checks that the server's lock is free, or held by a running server.

use shellkeep_keeper::process::Role;

use crate::Setup;
use crate::finding::Finding;
use crate::probe::{self, Lock};
use crate::setup::quoted;

const NAME: &str = "lock";

pub(super) fn check(setup: &Setup<'_>) -> Vec<Finding> {
    let path = setup.beside(".lock");
    vec![match probe::lock(&path) {
        Lock::Missing => Finding::ok(NAME, "no server was here yet"),
        Lock::Held { by: Some(pid) } if probe::is_ours(pid, Role::Server) => {
            Finding::ok(NAME, format!("held by the server, process {pid}"))
        }
        Lock::Held { by: Some(pid) } => Finding::problem(
            NAME,
            format!(
                "{} is held by process {pid}, which is no server, so none can start",
                path.display()
            ),
            format!("ps -p {pid}: end it, or use another socket: shellkeep -L NAME"),
        ),
        Lock::Held { by: None } => Finding::warning(
            NAME,
            format!(
                "{} is held by a process that cannot be seen from here",
                path.display()
            ),
            format!("fuser -v {}", quoted(&path)),
        ),
        // A server that exits in order removes its socket.
        Lock::Free { last: Some(pid) } if setup.socket.exists() => Finding::warning(
            NAME,
            format!("the server that held it (process {pid}) ended without a word"),
            setup.typed("ls brings everything back that it had"),
        ),
        Lock::Free { .. } => Finding::ok(NAME, "free: no server is running"),
    }]
}
