//! What lies over a client's panes and has its keys: a menu, or a program in a box.

mod boxed;
mod menu;
mod popup;
pub(crate) mod tree;

pub(crate) use crate::modes::overlay::boxed::{BoxLines, boxed, titled};
pub(crate) use crate::modes::overlay::menu::{Menu, MenuItem, MenuMouse, MenuPurpose, Pressed};
pub(crate) use crate::modes::overlay::popup::{CloseWhen, Popup};

use shellkeep_core::Size;

use crate::commands::queue::QueueId;

/// What lies over a client's panes.
pub(crate) enum Overlay {
    Menu(Box<Menu>),
    Popup(Box<Popup>),
}

impl Overlay {
    /// The commands that wait for its end.
    pub(crate) fn queue(&self) -> Option<QueueId> {
        match self {
            Self::Menu(menu) => menu.queue,
            Self::Popup(popup) => popup.queue,
        }
    }

    /// The program in it.
    pub(crate) fn popup_mut(&mut self) -> Option<&mut Popup> {
        match self {
            Self::Popup(popup) => Some(popup),
            Self::Menu(_) => None,
        }
    }

    /// The program in it.
    pub(crate) fn popup(&self) -> Option<&Popup> {
        match self {
            Self::Popup(popup) => Some(popup),
            Self::Menu(_) => None,
        }
    }

    /// The terminal has another size. Gives back whether it still fits.
    pub(crate) fn fit(&mut self, room: Size) -> bool {
        match self {
            Self::Menu(menu) => menu.fit(room),
            Self::Popup(popup) => popup.fit(room),
        }
    }
}
