//! Windows from their notes. A pane gets its cell in the stored layout. A pane without a cell gets a window of its own
//! in the same sessions: no pane is dropped for lack of a cell.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use shellkeep_core::layout::{Layout, Preset};
use shellkeep_core::{PaneId, Size, WindowId};
use shellkeep_keeper::Exit;
use shellkeep_store::schema::{NOTE_VERSION, StoredPane, StoredSession, StoredWindow};

use crate::model::{Seconds, Sleep, Window};
use crate::persistence::notes::{NotedPane, options};

/// The windows of some notes, as far as their panes exist.
#[derive(Default)]
pub(crate) struct Windows {
    pub(crate) placed: Vec<Window>,
    pub(crate) panes: BTreeMap<PaneId, NotedPane>,
    /// Panes without a cell, and the window in whose note they are.
    strays: Vec<(WindowId, StoredWindow)>,
}

/// Panes that got windows of their own, since their window's stored layout had no cell for them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Displaced {
    pub(crate) window: String,
    pub(crate) panes: usize,
}

impl fmt::Display for Displaced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { window, panes } = self;
        match panes {
            1 => write!(
                f,
                "the layout of window {window} had no place for a pane: it has a window of its own now"
            ),
            _ => write!(
                f,
                "the layout of window {window} had no place for {panes} panes: each has a window of its own now"
            ),
        }
    }
}

impl Windows {
    /// Adds a window without the panes that are not in `there`; nothing if none is left.
    pub(crate) fn add(&mut self, mut note: StoredWindow, there: &BTreeSet<PaneId>) {
        note.panes.retain(|pane| there.contains(&PaneId(pane.id)));
        let Some(first) = note.panes.first().map(|pane| PaneId(pane.id)) else {
            return;
        };
        let numbers = note.panes.iter();
        let numbers: Vec<(u32, PaneId)> = numbers.map(number_in_layout).collect();
        let layout = match Layout::restore(&note.layout, &numbers) {
            Ok((layout, _)) => layout,
            Err(error) => {
                tracing::error!(window = note.id, layout = note.layout, %error, "a stored layout cannot be used");
                Layout::single(first, Size::default())
            }
        };
        for pane in note
            .panes
            .extract_if(.., |pane| !layout.contains(PaneId(pane.id)))
        {
            let stray = note_of_stray(&note.name, note.created, layout.size(), pane);
            self.strays.push((WindowId(note.id), stray));
        }
        let window = self.place_panes(note, layout);
        self.placed.push(window);
    }

    fn place_panes(&mut self, note: StoredWindow, layout: Layout) -> Window {
        let id = WindowId(note.id);
        let mut window = Window::new(id, layout.panes()[0], layout.size(), note.created);
        window.name = note.name;
        window.layout = layout;
        window.options = options(&note.options);
        window.manual_size = note.manual_size.map(|(rows, cols)| Size::new(rows, cols));
        window.preset = note.preset.as_deref().and_then(Preset::find);
        window.old_layout = note.old_layout;
        let is_there = |pane: &PaneId| window.layout.contains(*pane);
        let active = Some(PaneId(note.active)).filter(is_there);
        let last = note.last_panes.into_iter().map(PaneId).filter(is_there);
        let last = last.collect();
        window.active = active.unwrap_or_else(|| window.panes()[0]);
        window.last_panes = last;
        if note.is_zoomed {
            window.zoom(window.active);
        }
        for pane in note.panes {
            let pane_id = PaneId(pane.id);
            let rect = window.shown().place_of(pane_id);
            let rect = rect.or_else(|| window.layout.place_of(pane_id));
            let size = rect.map_or(window.size(), |rect| Size::new(rect.rows, rect.cols));
            self.panes.insert(pane_id, place(pane, id, size));
        }
        window
    }

    /// Gives each pane without a cell a window, with ids from `next` on, in every session that has its former window.
    /// Returns which panes these are.
    pub(crate) fn add_strays(
        &mut self,
        mut next: u32,
        sessions: &mut [StoredSession],
    ) -> Vec<Displaced> {
        let mut displaced: BTreeMap<WindowId, Displaced> = BTreeMap::new();
        for (window, mut note) in std::mem::take(&mut self.strays) {
            let entry = displaced.entry(window).or_insert_with(|| Displaced {
                window: note.name.clone(),
                panes: 0,
            });
            entry.panes += note.panes.len();
            note.id = next;
            next += 1;
            let links = sessions.iter_mut().map(|session| &mut session.links);
            for links in links.filter(|links| links.iter().any(|link| link.1 == window.0)) {
                let last = links.iter().map(|link| link.0).max().unwrap_or(0);
                links.push((last.saturating_add(1), note.id));
            }
            let there = note.panes.iter().map(|pane| PaneId(pane.id)).collect();
            self.add(note, &there);
        }
        displaced.into_values().collect()
    }
}

/// The id that the stored layout has for a pane, and the pane's present one.
fn number_in_layout(pane: &StoredPane) -> (u32, PaneId) {
    (pane.number_in_layout.unwrap_or(pane.id), PaneId(pane.id))
}

/// A window for one pane; the caller sets its id.
fn note_of_stray(name: &str, created: Seconds, size: Size, pane: StoredPane) -> StoredWindow {
    let (number, _) = number_in_layout(&pane);
    StoredWindow {
        version: NOTE_VERSION,
        id: 0,
        name: name.to_owned(),
        created,
        layout: Layout::single(PaneId(number), size).to_text(),
        active: pane.id,
        panes: vec![pane],
        last_panes: Vec::new(),
        is_zoomed: false,
        options: Vec::new(),
        manual_size: None,
        preset: None,
        old_layout: None,
    }
}

fn place(pane: StoredPane, window: WindowId, size: Size) -> NotedPane {
    let by_signal = pane.exit_signal.map(Exit::Signal);
    NotedPane {
        window,
        size,
        start_command: pane.start_command,
        start_path: pane.start_path,
        options: options(&pane.options),
        argv: pane.argv,
        title: pane.title,
        input_off: pane.input_off,
        is_secret: pane.is_secret,
        has_gap: pane.has_gap,
        died: pane.died,
        exit: pane.exit_status.map(Exit::Status).or(by_signal),
        home: pane.home,
        sleep: pane.sleep.map(Sleep::from),
        ending: pane.ending,
        facts: pane.facts.into(),
        shell: pane.shell,
    }
}
