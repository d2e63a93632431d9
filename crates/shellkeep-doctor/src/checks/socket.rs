//! Checks that the server answers, and has this version.

use std::os::unix::fs::MetadataExt as _;

use shellkeep_proto::{Agreement, Hello};

use crate::Setup;
use crate::finding::Finding;
use crate::probe::{self, Answer, Lock};
use crate::setup::quoted;

const NAME: &str = "socket";

pub(super) fn check(setup: &Setup<'_>) -> Vec<Finding> {
    let socket = &setup.socket;
    let shown = socket.display();
    let mut findings = Vec::new();
    let mode = std::fs::symlink_metadata(socket).map_or(0o600, |metadata| metadata.mode());
    if mode & 0o077 != 0 {
        let sentence = format!("{shown} is open to others (mode {:o})", mode & 0o777);
        findings.push(Finding::problem(
            NAME,
            sentence,
            format!("chmod 600 {}", quoted(socket)),
        ));
    }
    let holder = probe::lock(&setup.beside(".lock"));
    findings.push(match probe::server(socket) {
        Answer::Here(hello) => {
            compare(&hello, setup.typed("restart-server: every program goes on"))
        }
        Answer::Missing => match holder {
            Lock::Held { by: Some(pid) } => Finding::problem(
                NAME,
                format!("the server (process {pid}) lives, but its socket {shown} is gone"),
                format!("kill -USR1 {pid}: it makes it anew"),
            ),
            _ => Finding::ok(NAME, "no server is running; the first command starts one"),
        },
        Answer::NoListener => Finding::warning(
            NAME,
            format!("{shown} was left behind by a server that is gone"),
            setup.typed("start-server: a new one takes its place and everything it had"),
        ),
        Answer::Silent => {
            let fix = match holder {
                Lock::Held { by: Some(pid) } => format!(
                    "kill -9 {pid}; {}: programs go on, and nothing that was shown is lost",
                    setup.typed("ls")
                ),
                _ => "ps -C shellkeep-srv: end the one that hangs".to_owned(),
            };
            Finding::problem(
                NAME,
                format!("the server at {shown} does not answer within a second"),
                fix,
            )
        }
        Answer::OtherProtocol => Finding::problem(
            NAME,
            format!("something that is not shellkeep answers at {shown}"),
            "use another socket: shellkeep -L NAME",
        ),
        Answer::Refused(why) => Finding::problem(
            NAME,
            format!("{shown} cannot be connected to: {why}"),
            format!("ls -l {}", quoted(socket)),
        ),
    });
    findings
}

fn compare(server: &Hello, restart: String) -> Finding {
    let ours = Hello::ours();
    let described = format!("{} (protocol {})", server.build, server.version);
    match ours.agree(server) {
        Agreement::Speak(_) if server.build == ours.build => Finding::ok(
            NAME,
            format!("the server answers and is of this version: {described}"),
        ),
        Agreement::Speak(_) => Finding::warning(
            NAME,
            format!("the server is {described}, this program is {}", ours.build),
            restart,
        ),
        Agreement::TheyAreOlder | Agreement::TheyAreNewer => Finding::problem(
            NAME,
            format!(
                "the server is {described}, which this program ({}) cannot talk to",
                ours.build
            ),
            restart,
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Status;

    #[test]
    fn server_of_another_version_is_reported() {
        let hello = |version, build: &str| Hello {
            version,
            oldest: version,
            features: 0,
            build: build.to_owned(),
        };
        let compared = |hello: &Hello| compare(hello, "restart-server".to_owned());
        assert_eq!(compared(&Hello::ours()).status, Status::Ok);
        let ours = Hello::ours().version;
        assert_eq!(
            compared(&hello(ours, "shellkeep 0.0.1")).status,
            Status::Warning
        );
        assert_eq!(
            compared(&hello(ours + 9, "shellkeep 9.0.0")).status,
            Status::Problem
        );
    }
}
