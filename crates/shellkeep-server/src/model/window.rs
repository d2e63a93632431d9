//! A window.

use shellkeep_core::layout::{Layout, Preset};
use shellkeep_core::{ClientId, PaneId, Size, WindowId};
use tokio::time::Instant;

use crate::alarm::Timer;
use crate::model::options::Options;
use crate::process::wall::Seconds;

/// Panes side by side, one of them active.
pub(crate) struct Window {
    pub(crate) id: WindowId,
    pub(crate) name: String,
    pub(crate) created: Seconds,
    /// When something was last printed in it.
    pub(crate) activity: Seconds,
    /// How its panes share it, when none is zoomed.
    pub(crate) layout: Layout,
    /// The layout that is shown while its active pane is zoomed.
    pub(crate) zoomed: Option<Layout>,
    /// The pane that is typed into.
    pub(crate) active: PaneId,
    /// Those that were before, the latest first.
    pub(crate) last_panes: Vec<PaneId>,
    /// The named layout it was given last, for next-layout.
    pub(crate) preset: Option<Preset>,
    /// The layout before the last, for select-layout -o.
    pub(crate) old_layout: Option<String>,
    /// The size somebody set by hand; until then, as in tmux, the one it was made with.
    pub(crate) manual_size: Option<Size>,
    /// The client that was last used to look at it.
    pub(crate) latest: Option<ClientId>,
    /// Runs until its name may be looked at again.
    pub(crate) naming: Option<Timer>,
    /// Runs until nothing was printed in it for the time set.
    pub(crate) silence: Option<Silence>,
    /// Options set for it alone.
    pub(crate) options: Options,
}

/// Waiting for silence in a window.
pub(crate) struct Silence {
    /// When something was last printed there.
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

    /// Its panes, in their order.
    pub(crate) fn panes(&self) -> &[PaneId] {
        self.layout.panes()
    }

    /// What is shown: the layout, or the zoomed pane alone.
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

    /// Makes a pane the active one.
    pub(crate) fn select(&mut self, pane: PaneId) {
        if pane == self.active || !self.layout.contains(pane) {
            return;
        }
        // tmux remembers one, and no more.
        self.last_panes = vec![self.active];
        self.active = pane;
    }

    /// Shows a pane alone, or all of them again.
    pub(crate) fn zoom(&mut self, pane: PaneId) {
        if self.layout.panes().len() > 1 && self.layout.contains(pane) {
            self.zoomed = Some(self.layout.zoomed(pane));
        }
    }

    pub(crate) fn unzoom(&mut self) {
        self.zoomed = None;
    }

    /// Whether one pane is shown alone.
    pub(crate) fn is_zoomed(&self) -> bool {
        self.zoomed.is_some()
    }

    /// Takes a pane out. The one active before it is active again, or its neighbour.
    pub(crate) fn remove(&mut self, pane: PaneId) {
        self.unzoom();
        self.lose(pane);
        self.layout.remove(pane);
    }

    /// Lets go of a pane that is leaving its place: it is not active, nor was it last. Whether another is active now.
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
