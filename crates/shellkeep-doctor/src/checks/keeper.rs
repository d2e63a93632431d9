//! Checks that the keeper runs and answers whenever a server runs.

use shellkeep_keeper::process::Role;

use crate::Setup;
use crate::finding::Finding;
use crate::probe::{self, Answer, Lock};
use crate::setup::quoted;

const NAME: &str = "keeper";

pub(super) fn check(setup: &Setup<'_>) -> Vec<Finding> {
    let socket = setup.beside(".keeper");
    let shown = socket.display();
    let has_server = matches!(probe::lock(&setup.beside(".lock")), Lock::Held { .. });
    vec![match (probe::keeper(&socket), has_server) {
        (Answer::Here(pid), _) if pid > 0 && !probe::is_ours(pid, Role::Keeper) => {
            Finding::problem(
                NAME,
                format!("process {pid} at {shown} is no keeper"),
                format!(
                    "ps -p {pid}: end it, then {}",
                    setup.typed("restart-server")
                ),
            )
        }
        (Answer::Here(pid), true) => Finding::ok(NAME, format!("answers, process {pid}")),
        (Answer::Here(pid), false) => Finding::warning(
            NAME,
            format!("the keeper (process {pid}) holds programs, and no server is running"),
            setup.typed("ls: a new server takes them over"),
        ),
        (Answer::Missing | Answer::NoListener, true) => Finding::problem(
            NAME,
            "the server has no keeper, so programs would end with it",
            setup.typed("restart-server"),
        ),
        (Answer::Missing, false) => Finding::ok(NAME, "there is none, as there is no server"),
        (Answer::NoListener, false) => Finding::ok(
            NAME,
            format!("there is none; {shown} was left behind and does no harm"),
        ),
        (Answer::Silent | Answer::OtherProtocol, _) => Finding::problem(
            NAME,
            format!("the keeper at {shown} does not answer within a second"),
            "ps -C shellkeep-keep -o pid,stat: if it is stopped (T), kill -CONT PID",
        ),
        (Answer::Refused(why), _) => Finding::problem(
            NAME,
            format!("{shown} cannot be connected to: {why}"),
            format!("ls -l {}", quoted(&socket)),
        ),
    }]
}
