//! A window: panes in a layout, one of them active.

use shellkeep_core::layout::{Layout, Preset};
use shellkeep_core::{ClientId, PaneId, Size, WindowId};
use tokio::time::Instant;

use crate::alarm::Timer;
use crate::model::options::Options;
use crate::process::wall::Seconds;

pub(crate) struct Window {
    pub(crate) id: WindowId,
    pub(crate) name: String,
    pub(crate) created: Seconds,
    /// When output last came in it.
    pub(crate) activity: Seconds,
    /// Its layout when no pane is zoomed.
    pub(crate) layout: Layout,
    /// The layout that is shown while its active pane is zoomed.
    pub(crate) zoomed: Option<Layout>,
    /// The active pane, for clients without one of their own.
    pub(crate) active: PaneId,
    pub(crate) last_panes: Vec<PaneId>,
    /// The named layout it was given last, for `next-layout`.
    pub(crate) preset: Option<Preset>,
    /// The layout before the current one, for `select-layout -o`.
    pub(crate) old_layout: Option<String>,
    /// The size set by `resize-window`; until then, as in tmux, the one it was made with.
    pub(crate) manual_size: Option<Size>,
    /// The client that was last used in it.
    pub(crate) latest: Option<ClientId>,
    /// Runs until its automatic name may be computed again.
    pub(crate) naming: Option<Timer>,
    /// Runs until there was no output for `monitor-silence`.
    pub(crate) silence: Option<Silence>,
    pub(crate) options: Options,
}

pub(crate) struct Silence {
    /// When output last came.
    pub(crate) since: Instant,
    pub(crate) _timer: Timer,
}

impl Window {
    pub(crate) fn new(id: WindowId, pane: PaneId, size: Size, now: Seconds) -> Self {
        Self {
            id,
            name: String::new(),
            created: now,
            activity: now,
            layout: Layout::single(pane, size),
            zoomed: None,
            active: pane,
            last_panes: Vec::new(),
            preset: None,
            old_layout: None,
            manual_size: Some(size),
            latest: None,
            naming: None,
            silence: None,
            options: Options::default(),
        }
    }

    /// Its panes in layout order.
    pub(crate) fn panes(&self) -> &[PaneId] {
        self.layout.panes()
    }

    /// The layout that is shown: the whole one, or the zoomed pane alone.
    pub(crate) fn shown(&self) -> &Layout {
        self.zoomed.as_ref().unwrap_or(&self.layout)
    }

    pub(crate) fn size(&self) -> Size {
        self.layout.size()
    }

    pub(crate) fn resize(&mut self, size: Size) {
        self.layout.resize(size);
        if let Some(zoomed) = &mut self.zoomed {
            zoomed.resize(size);
        }
    }

    pub(crate) fn select(&mut self, pane: PaneId) {
        if pane == self.active || !self.layout.contains(pane) {
            return;
        }
        // Like tmux, only one earlier pane is remembered.
        self.last_panes = vec![self.active];
        self.active = pane;
    }

    pub(crate) fn zoom(&mut self, pane: PaneId) {
        if self.layout.panes().len() > 1 && self.layout.contains(pane) {
            self.zoomed = Some(self.layout.zoomed(pane));
        }
    }

    pub(crate) fn unzoom(&mut self) {
        self.zoomed = None;
    }

    pub(crate) fn is_zoomed(&self) -> bool {
        self.zoomed.is_some()
    }

    /// Removes a pane. The previously active one becomes active, or a neighbour.
    pub(crate) fn remove(&mut self, pane: PaneId) {
        self.unzoom();
        self.lose(pane);
        self.layout.remove(pane);
    }

    /// Prepares to move a pane elsewhere: it is no longer active, nor remembered as such. Returns whether another pane
    /// is active now.
    pub(crate) fn lose(&mut self, pane: PaneId) -> bool {
        let order = self.layout.panes();
        let at = order.iter().position(|other| *other == pane);
        let neighbour = at.and_then(|at| {
            let before = at.checked_sub(1).and_then(|before| order.get(before));
            before.or_else(|| order.get(at + 1)).copied()
        });
        self.last_panes.retain(|last| *last != pane);
        let next = self.last_panes.first().copied().or(neighbour);
        let Some(next) = next.filter(|_| self.active == pane) else {
            return false;
        };
        self.active = next;
        self.last_panes.retain(|last| *last != next);
        true
    }
}
