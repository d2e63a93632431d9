//! `stats`: prints what persistence costs.

use std::os::unix::net::UnixStream;
use std::time::Duration;

use nix::sys::socket::getsockopt;
use nix::sys::socket::sockopt::PeerCredentials;
use shellkeep_command::cmd::stats::Args;

use crate::commands::queue::Caller;
use crate::commands::reply::{Outcome, Reply};
use crate::hibernation::asleep;
use crate::model::Session;
use crate::persistence::archive;
use crate::persistence::archived::Archived;
use crate::process::keeper_socket::keeper_socket;
use crate::server::Server;
use crate::stats::{Figures, Life, ProcessFigures, Saved, SessionFigures, Timing, memory_of};

pub(crate) fn run(server: &mut Server, caller: &Caller, args: &Args) -> Outcome {
    let archived = match archive::archived(
        &mut server.model,
        &mut server.persistence,
        &server.thread_events,
    ) {
        Ok(archived) => archived,
        Err(wait) => return Ok(wait),
    };
    let figures = figures(server, &archived.sessions);
    archive::complain_of_archive(&mut server.model, caller, &archived);
    let text = if args.json {
        format!("{:#}\n", figures.to_json())
    } else {
        figures.to_text()
    };
    Ok(Reply {
        stdout: text.into_bytes(),
        ..Reply::default()
    })
}

fn figures(server: &Server, archived: &[Archived]) -> Figures {
    let keeping = server.persistence.keeping.as_ref();
    let status = keeping.map(|keeping| keeping.recorder.status());
    let sessions = server.model.sessions_by_name().into_iter();
    Figures {
        server: process(std::process::id()),
        keeper: keeper(server).map(process),
        archived: archived.len() as u64,
        archived_disk: archived.iter().map(|each| each.size).sum(),
        sessions: sessions
            .map(|session| of_session(server, session))
            .collect(),
        checkpoints: status.map_or_else(Timing::default, |status| status.checkpoints.summary()),
        hibernations: server.hibernation.sleeps.hibernations.summary(),
        revivals: server.hibernation.sleeps.revivals.summary(),
        trouble: server.persistence.trouble.clone(),
    }
}

fn process(pid: u32) -> ProcessFigures {
    let memory = memory_of(pid);
    ProcessFigures { pid, memory }
}

/// The keeper's pid, from its socket.
fn keeper(server: &Server) -> Option<u32> {
    let line = UnixStream::connect(keeper_socket(&server.model.socket)).ok()?;
    let peer = getsockopt(&line, PeerCredentials).ok()?;
    u32::try_from(peer.pid()).ok()
}

fn of_session(server: &Server, session: &Session) -> SessionFigures {
    let panes = || asleep::panes_in(&server.model, session.id);
    let kept = session.standing.kept;
    let disk = kept.zip(server.persistence.keeping.as_ref());
    let saved = match kept {
        Some(_) => saved(server, session),
        None => Saved::Private,
    };
    SessionFigures {
        name: session.name.clone(),
        id: session.id.to_string(),
        state: if asleep::is_session_asleep(&server.model, session.id) {
            Life::Hibernated
        } else {
            Life::Active
        },
        panes: panes().count() as u64,
        memory: panes().map(|pane| pane.screen.memory() as u64).sum(),
        disk: disk.map_or(0, |(id, keeping)| {
            // The recorder has measured it; reading the files of thousands of sessions would block the loop.
            let known = keeping.recorder.sizes().get(id);
            let known = known.filter(|_| !matches!(saved, Saved::Lost(_)));
            known.unwrap_or_else(|| keeping.store.disk_use(id))
        }),
        saved,
    }
}

/// How much of a session is on disk: as much as of its worst pane.
fn saved(server: &Server, session: &Session) -> Saved {
    let mut lag: Option<Duration> = None;
    let mut trouble = None;
    for pane in asleep::panes_in(&server.model, session.id) {
        if let Some(path) = pane.screen.lost_place() {
            return Saved::Lost(format!("{} is gone", path.display()));
        }
        pane.screen.with_record(|record| {
            let (this, why) = record.lag();
            lag = lag.max(this);
            trouble = trouble.take().or(why.map(str::to_owned));
        });
    }
    match (lag, trouble) {
        (lag, Some(why)) => Saved::Failing {
            ago: lag.unwrap_or_default(),
            why,
        },
        (Some(ago), None) => Saved::Ago(ago),
        (None, None) => Saved::All,
    }
}
