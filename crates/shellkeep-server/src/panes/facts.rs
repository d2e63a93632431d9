//! Facts about a session for lists: its age, its size on disk, and why it does not sleep.

use shellkeep_hibernation::Verdict;

use crate::hibernation::asleep;
use crate::hibernation::idle_verdict::idle_verdict;
use crate::model::{Model, Seconds, Session};
use crate::process::processes::Processes;
use crate::stats::bytes;

/// Why a session would not be put to sleep, in the words of `hibernate`. None if it could be, or is asleep.
pub(crate) fn why_awake(model: &Model, session: &Session) -> Option<String> {
    if asleep::is_session_asleep(model, session.id) {
        return None;
    }
    if session.standing.kept.is_none() {
        return Some("private".to_owned());
    }
    let busy = asleep::panes_in(model, session.id).find_map(|pane| {
        if pane.is_asleep() || pane.life.falling().is_some() {
            return None;
        }
        if pane.is_dead() {
            return Some("its program has ended".to_owned());
        }
        let processes = model.changes.process_scan.get_or_init(Processes::scan);
        let verdict = idle_verdict(model, pane, processes);
        (verdict != Verdict::CanSleep).then(|| verdict.to_string())
    });
    let options = model.session_options(Some(session.id));
    let is_off = !options.flag("hibernate");
    busy.or_else(|| session.standing.is_pinned.then(|| "pinned".to_owned()))
        .or_else(|| is_off.then(|| "hibernate is off".to_owned()))
}

/// The size of a session on disk, if it is known.
pub(crate) fn disk_size(model: &Model, session: &Session) -> Option<u64> {
    model.figures.disk_sizes.get(session.standing.kept?)
}

/// The facts about a session, in one line.
pub(crate) fn session_facts(model: &Model, session: &Session) -> String {
    let clients = model.clients_of(session.id).count();
    let size = disk_size(model, session);
    let times = (session.created, session.activity);
    // A session with clients stays awake for that reason alone, and often runs the very command that asks.
    let why = match clients {
        0 => why_awake(model, session),
        _ => None,
    };
    facts(model.now(), times, clients, size, why)
}

/// For example `2 clients, 3h old, used 5m ago, 14 KB; runs: cargo build`.
pub(crate) fn facts(
    now: Seconds,
    (created, activity): (Seconds, Seconds),
    clients: usize,
    size: Option<u64>,
    why_awake: Option<String>,
) -> String {
    let mut facts = Vec::new();
    // A single client is mentioned as the reason below.
    if clients > 1 {
        facts.push(format!("{clients} clients"));
    }
    facts.push(format!("{} old", span(now - created)));
    facts.push(format!("used {} ago", span(now - activity)));
    facts.extend(size.map(bytes));
    let facts = facts.join(", ");
    match why_awake {
        Some(why) => format!("{facts}; {why}"),
        None => facts,
    }
}

/// A duration in the largest unit that fits, as options take it: `45s`, `12m`, `3h`, `20d`.
fn span(seconds: Seconds) -> String {
    match seconds.max(0) {
        seconds @ ..120 => format!("{seconds}s"),
        seconds @ ..7200 => format!("{}m", seconds / 60),
        seconds @ ..172_800 => format!("{}h", seconds / 3600),
        seconds => format!("{}d", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_table() {
        let day = 86_400;
        let now = 1000 * day;
        for (age, idle, clients, size, why, expected) in [
            (5, 0, 0, None, None, "5s old, used 0s ago"),
            (600, 130, 1, Some(500), None, "10m old, used 2m ago, 500 B"),
            (
                3 * 3600,
                7300,
                2,
                Some(14 * 1024),
                Some("runs: cargo build"),
                "2 clients, 3h old, used 2h ago, 14 KB; runs: cargo build",
            ),
            (
                20 * day,
                3 * day,
                0,
                Some(3 << 20),
                None,
                "20d old, used 3d ago, 3.0 MB",
            ),
            // The clock was set back.
            (-100, -5, 0, None, None, "0s old, used 0s ago"),
        ] {
            let times = (now - age, now - idle);
            let why = why.map(str::to_owned);
            assert_eq!(facts(now, times, clients, size, why), expected);
        }
    }
}
