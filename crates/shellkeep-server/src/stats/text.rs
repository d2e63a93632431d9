//! The figures of `stats` as lines.

use std::time::Duration;

use unicode_width::UnicodeWidthStr as _;

use crate::stats::unit::{ago, bytes, took};
use crate::stats::{Figures, Life, ProcessFigures, Saved, SessionFigures, Timing};

/// The widest name for which the columns are widened.
const MAX_NAME_WIDTH: usize = 32;

pub(crate) fn print(figures: &Figures) -> String {
    let mut lines = Vec::new();
    let mut say = |title: &str, what: String| lines.push(format!("{title:<14}{what}"));
    say(
        "sessions",
        format!(
            "{} active, {} hibernated, {} archived",
            figures.count(Life::Active),
            figures.count(Life::Hibernated),
            figures.archived,
        ),
    );
    say("server", process(&figures.server));
    say(
        "keeper",
        figures.keeper.as_ref().map_or("none".to_owned(), process),
    );
    say("on disk", bytes(figures.disk()));
    let mut lag = match figures.lag() {
        Duration::ZERO => "all that was printed".to_owned(),
        lag => ago(lag),
    };
    match &figures.trouble {
        Some(trouble) => lag.push_str(&format!("; now not: {trouble}")),
        None if figures.lag().is_zero() => lag = "all".to_owned(),
        None => {}
    }
    match figures.lost() {
        0 => {}
        1 => lag.push_str("; but files of 1 session are gone"),
        lost => lag.push_str(&format!("; but files of {lost} sessions are gone")),
    }
    say("saved", lag);
    say("checkpoints", timing(&figures.checkpoints));
    say("hibernations", timing(&figures.hibernations));
    say("revivals", timing(&figures.revivals));
    let mut text = lines.join("\n");
    text.push('\n');
    if !figures.sessions.is_empty() {
        text.push('\n');
        text.push_str(&table(&figures.sessions));
    }
    text
}

fn process(process: &ProcessFigures) -> String {
    match process.memory {
        Some(memory) => format!("{}, process {}", bytes(memory), process.pid),
        None => format!("process {}", process.pid),
    }
}

fn timing(timing: &Timing) -> String {
    match (timing.median, timing.p99) {
        (Some(median), Some(p99)) => format!(
            "{}, half of them within {}, 99 % within {}",
            timing.count,
            took(median),
            took(p99)
        ),
        _ => "none yet".to_owned(),
    }
}

fn table(sessions: &[SessionFigures]) -> String {
    let names = sessions.iter().map(|session| session.name.width());
    let widest = names
        .max()
        .unwrap_or_default()
        .clamp("SESSION".len(), MAX_NAME_WIDTH);
    let line = |[name, state, panes, memory, disk, saved]: [&str; 6]| {
        let pad = " ".repeat(widest.saturating_sub(name.width()));
        format!("{name}{pad}  {state:<10}  {panes:>5}  {memory:>8}  {disk:>8}  {saved}\n")
    };
    let mut text = line(["SESSION", "STATE", "PANES", "MEMORY", "DISK", "SAVED"]);
    for session in sessions {
        let disk = match session.saved {
            Saved::Private => "-".to_owned(),
            _ => bytes(session.disk),
        };
        let memory = match session.state {
            Life::Active => bytes(session.memory),
            Life::Hibernated => "-".to_owned(),
        };
        text.push_str(&line([
            &session.name,
            session.state.name(),
            &session.panes.to_string(),
            &memory,
            &disk,
            &saved(&session.saved),
        ]));
    }
    text
}

fn saved(saved: &Saved) -> String {
    match saved {
        Saved::All => "all".to_owned(),
        Saved::Ago(time) => ago(*time),
        Saved::Private => "never: private".to_owned(),
        Saved::Failing { ago: time, why } => format!("{}; now not: {why}", ago(*time)),
        Saved::Lost(why) => format!("lost: {why}"),
    }
}
