//! The figures of `stats` as JSON.

use std::time::Duration;

use serde_json::{Value, json};

use crate::stats::{Figures, Life, ProcessFigures, Saved, SessionFigures, Timing};

pub(crate) fn print(figures: &Figures) -> Value {
    let sessions: Vec<Value> = figures.sessions.iter().map(session).collect();
    json!({
        "sessions_active": figures.count(Life::Active),
        "sessions_hibernated": figures.count(Life::Hibernated),
        "sessions_archived": figures.archived,
        "server": process(&figures.server),
        "keeper": figures.keeper.as_ref().map(process),
        "disk": figures.disk(),
        "saved_ago_ms": millis(figures.lag()),
        "saved_error": figures.trouble,
        "checkpoints": timing(&figures.checkpoints),
        "hibernations": timing(&figures.hibernations),
        "revivals": timing(&figures.revivals),
        "sessions": sessions,
    })
}

fn process(process: &ProcessFigures) -> Value {
    json!({ "pid": process.pid, "memory": process.memory })
}

fn timing(timing: &Timing) -> Value {
    let micros = |time: Option<Duration>| time.map(|time| saturated(time.as_micros()));
    json!({
        "count": timing.count,
        "median_us": micros(timing.median),
        "p99_us": micros(timing.p99),
    })
}

fn session(session: &SessionFigures) -> Value {
    let kind = match &session.saved {
        Saved::All | Saved::Ago(_) => "yes",
        Saved::Private => "private",
        Saved::Failing { .. } => "failing",
        Saved::Lost(_) => "lost",
    };
    let why = match &session.saved {
        Saved::Failing { why, .. } | Saved::Lost(why) => Some(why),
        _ => None,
    };
    json!({
        "session_name": session.name,
        "session_id": session.id,
        "session_state": session.state.name(),
        "panes": session.panes,
        "memory": session.memory,
        "disk": session.disk,
        "saved": kind,
        "saved_ago_ms": session.saved.lag().map(millis),
        "saved_error": why,
    })
}

fn millis(time: Duration) -> u64 {
    saturated(time.as_millis())
}

fn saturated(number: u128) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}
