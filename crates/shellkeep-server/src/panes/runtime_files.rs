//! What panes and sessions have in the runtime directory, and its removal: a private directory for each pane's shell,
//! and a link to the ssh agent for each session.
//!
//! Programs get the path of the link instead of the agent's own path. When a client attaches with another agent, the
//! link is pointed there, and programs that already run reach it under the same path.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use shellkeep_core::{PaneId, SessionId};

use crate::model::{Environ, Model};
use crate::panes::shell_dir;
use crate::panes::shell_dir::shell_dir;
use crate::process::runtime_dir;
use crate::process::runtime_dir::{beside, point};

const AGENT_VARIABLE: &str = "SSH_AUTH_SOCK";

fn agents_dir(model: &Model) -> PathBuf {
    beside(&model.socket, ".agents")
}

/// Sets the agent's variable to the session's link, unless the user has taken the variable out of `update-environment`.
pub(crate) fn link_agent(model: &Model, session: SessionId, environ: &mut Environ) {
    let Some(agent) = environ.get(AGENT_VARIABLE).map(<[u8]>::to_vec) else {
        return;
    };
    if let Some(link) = point_agent(model, session, &agent) {
        environ.set(AGENT_VARIABLE, link.as_os_str().as_bytes());
    }
}

/// Points a session's link at an agent. Returns the link's path, if there is an agent.
pub(crate) fn point_agent(model: &Model, session: SessionId, agent: &[u8]) -> Option<PathBuf> {
    let options = model.session_options(Some(session));
    let is_wanted = options
        .texts("update-environment")
        .any(|it| it == AGENT_VARIABLE);
    let agent = real_agent(model, agent);
    if !is_wanted || !agent.is_absolute() {
        return None;
    }
    let dir = agents_dir(model);
    let link = dir.join(session.0.to_string());
    let pointed = runtime_dir::ensure(&dir).and_then(|()| point(&link, &agent));
    pointed
        .inspect_err(|error| tracing::debug!(%session, %error, "no link to the ssh agent"))
        .is_ok()
        .then_some(link)
}

/// The agent's own path, for a link of this server: a program in one session may pass it on to another.
pub(crate) fn real_agent(model: &Model, agent: &[u8]) -> PathBuf {
    let path = PathBuf::from(OsStr::from_bytes(agent));
    if path.parent() == Some(&agents_dir(model)) {
        return std::fs::read_link(&path).unwrap_or(path);
    }
    path
}

/// The value with which a client's variable goes into a session's environment.
pub(crate) fn passed_on(model: &Model, name: &str, value: &str) -> Vec<u8> {
    match name {
        AGENT_VARIABLE => {
            let agent = real_agent(model, value.as_bytes());
            agent.into_os_string().as_bytes().to_vec()
        }
        _ => value.as_bytes().to_vec(),
    }
}

/// A client has attached to a session: points the session's link at the client's agent.
pub(crate) fn agent_changed(model: &Model, id: SessionId) {
    let session = model.sessions.get(&id);
    if let Some(agent) = session.and_then(|session| session.environ.get(AGENT_VARIABLE)) {
        let _ = point_agent(model, id, agent);
    }
}

pub(crate) fn remove_agent(model: &Model, id: SessionId) {
    let _ = std::fs::remove_file(agents_dir(model).join(id.0.to_string()));
}

/// Removes the directory through which a pane's shell and the server communicate.
pub(crate) fn remove_shell_dir(model: &Model, id: PaneId) {
    let _ = std::fs::remove_dir_all(shell_dir(model, id));
}

/// Removes the directories and links of panes and sessions that are gone, left by a server that ended before it could.
pub(crate) fn tidy_runtime_files(model: &Model) {
    for number in numbers_in(&shell_dir::shells_dir(model)) {
        if !model.panes.contains_key(&PaneId(number)) {
            remove_shell_dir(model, PaneId(number));
        }
    }
    for number in numbers_in(&agents_dir(model)) {
        if !model.sessions.contains_key(&SessionId(number)) {
            remove_agent(model, SessionId(number));
        }
    }
}

/// The names in a directory that are numbers. Others were not made by shellkeep.
fn numbers_in(dir: &Path) -> Vec<u32> {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    numbers.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn link_is_made_and_pointed_elsewhere() {
        let temp = tempfile::tempdir().unwrap();
        let dir = temp.path().join("agents");
        let link = dir.join("3");
        for agent in ["/tmp/a", "/tmp/b", "/tmp/b"] {
            runtime_dir::ensure(&dir).unwrap();
            point(&link, Path::new(agent)).unwrap();
            assert_eq!(std::fs::read_link(&link).unwrap(), Path::new(agent));
        }
        assert_eq!(numbers_in(&dir), [3]);
    }
}
