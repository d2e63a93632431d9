//! Follows the commands of each pane by the marks of its shell.

use shellkeep_core::PaneId;
use shellkeep_store::schema::CommandEntry;
use shellkeep_term::{Emulator, PromptMark};

use crate::action::Action;
use crate::model::command_tracker::{CommandMaker, CommandTracker, MarkAt, StoredCommands};
use crate::model::{Model, Pane};
use crate::panes::shell_dir::shell_dir;
use crate::process::wall;

/// Who makes a session that no program says it has made.
const USER: &str = "user";

/// A mark was printed in a pane, on this line behind so many cells.
pub(crate) fn marked(
    model: &mut Model,
    id: PaneId,
    mark: &PromptMark,
    place: Option<(u64, usize)>,
) {
    let Some((maker, pane)) = maker_and_pane(model, id) else {
        return;
    };
    let at = MarkAt {
        place,
        time: wall::now(),
    };
    let screen = pane.screen.clone();
    let is_on_screen = |typed: &str| {
        let above = place.and_then(|(line, _)| line.checked_sub(1));
        above.is_some_and(|above| line_text(&screen.lock(), above).ends_with(typed))
    };
    let tracker = &mut pane.shell_report.tracker;
    let entries = tracker.take_mark(mark, at, &maker, is_on_screen);
    keep(model, id, entries);
}

/// The shell of a pane has ended, or is about to be replaced by another.
pub(crate) fn shell_ended(model: &mut Model, id: PaneId) {
    let Some((maker, pane)) = maker_and_pane(model, id) else {
        return;
    };
    let tracker = &mut pane.shell_report.tracker;
    let entries = tracker.shell_ended(wall::now(), &maker);
    keep(model, id, entries);
}

/// A pane whose shell an earlier server has started: goes on with what is stored of its commands.
pub(crate) fn take_over(model: &Model, pane: &mut Pane) {
    if pane.shell_program.is_none() {
        return;
    }
    let stored = pane
        .screen
        .with_record(|record| record.dir().last_command());
    let (last, ended) = match stored {
        Some(Ok(stored)) => stored,
        Some(Err(error)) => {
            tracing::warn!(pane = %pane.id, %error, "its commands cannot be read");
            (None, None)
        }
        None => (None, None),
    };
    let pid = pane.process().map(|process| process.pid);
    let dir = shell_dir(model, pane.id);
    let stored = StoredCommands { last, ended };
    pane.shell_report.tracker = CommandTracker::found(&dir, pid, stored);
}

fn maker_and_pane(model: &mut Model, id: PaneId) -> Option<(CommandMaker, &mut Pane)> {
    let window = model.panes.get(&id)?.window;
    let session = model.session_with(window);
    let session = session.and_then(|session| model.sessions.get(&session));
    let origin = session.and_then(|session| session.standing.origin.clone());
    let pane = model.panes.get_mut(&id)?;
    let maker = CommandMaker {
        by: origin.unwrap_or_else(|| USER.to_owned()),
        pid: pane.process().map(|process| process.pid),
    };
    Some((maker, pane))
}

/// The text of a line of a pane.
fn line_text(emulator: &Emulator, line: u64) -> String {
    let cols = emulator.size().cols();
    let rows = emulator.lines(line..line + 1, cols);
    let text: String = rows.iter().map(|row| row.text()).collect();
    text.trim_end().to_owned()
}

fn keep(model: &mut Model, id: PaneId, entries: Vec<CommandEntry>) {
    for entry in entries {
        model.act(Action::KeepCommand(id, Box::new(entry)));
    }
}
