//! An overlay: a menu or popup that covers a client's panes and takes its keys.

mod boxed;
mod menu;
mod popup;
pub(crate) mod tree;

pub(crate) use crate::modes::overlay::boxed::{BoxLines, boxed, titled};
pub(crate) use crate::modes::overlay::menu::{Menu, MenuItem, MenuMouse, MenuPurpose, Pressed};
pub(crate) use crate::modes::overlay::popup::{CloseWhen, Popup};

use shellkeep_core::Size;

use crate::commands::queue::QueueId;

pub(crate) enum Overlay {
    Menu(Box<Menu>),
    Popup(Box<Popup>),
}

impl Overlay {
    /// The queue that waits for its end.
    pub(crate) fn queue(&self) -> Option<QueueId> {
        match self {
            Self::Menu(menu) => menu.queue,
            Self::Popup(popup) => popup.queue,
        }
    }

    pub(crate) fn popup_mut(&mut self) -> Option<&mut Popup> {
        match self {
            Self::Popup(popup) => Some(popup),
            Self::Menu(_) => None,
        }
    }

    pub(crate) fn popup(&self) -> Option<&Popup> {
        match self {
            Self::Popup(popup) => Some(popup),
            Self::Menu(_) => None,
        }
    }

    /// Adapts it to a terminal's new size. Returns whether it still fits.
    pub(crate) fn fit(&mut self, room: Size) -> bool {
        match self {
            Self::Menu(menu) => menu.fit(room),
            Self::Popup(popup) => popup.fit(room),
        }
    }
}
