//! A menu: its items, keys and mouse, and how it is drawn.

use ratatui::text::Line;
use ratatui::widgets::{List, Widget as _};
use shellkeep_command::target::ResolvedTarget;
use shellkeep_core::key::{Key, KeyCode, Modifiers};
use shellkeep_core::{Attrs, PaneId, Rect, Size, Style};
use shellkeep_render::{Frame, MouseReports, styled_width};
use shellkeep_term::key::{MouseButton, MouseEvent, MouseKind};

use crate::commands::queue::{Caller, QueueId};
use crate::display::ratatui_frame::{area, styled_line};
use crate::modes::overlay::{BoxLines, boxed, titled};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum MenuItem {
    /// A separator.
    Rule,
    /// An item that can be chosen.
    Choice {
        /// The text, with `#[…]` and the key's name at the right.
        text: String,
        key: Option<Key>,
        command: String,
    },
    /// A disabled item.
    Off { text: String },
}

impl MenuItem {
    /// An item by its name: a name that begins with `-` is disabled. The key is shown if there is room for it.
    pub(crate) fn new(name: &str, key: Option<Key>, command: String, room: u16) -> Self {
        if let Some(text) = name.strip_prefix('-') {
            let text = text.to_owned();
            return Self::Off { text };
        }
        let hint = key.map(|key| format!("({key})"));
        let hint = hint.filter(|hint| name.len() + hint.len() + 1 < usize::from(room));
        let text = match hint {
            Some(hint) => format!("{name}#[default] #[align=right]{hint}"),
            None => name.to_owned(),
        };
        Self::Choice { text, key, command }
    }

    fn width(&self) -> usize {
        match self {
            Self::Rule => 0,
            Self::Choice { text, .. } | Self::Off { text } => styled_width(text),
        }
    }

    fn can_be_chosen(&self) -> bool {
        matches!(self, Self::Choice { .. })
    }
}

/// How the mouse chooses in a menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MenuMouse {
    /// Not at all, because a key has opened it. Any button but the first closes it.
    Off,
    /// Releasing the button chooses, or closes.
    Hold,
    /// A click chooses, or closes.
    Click,
}

/// The result of a key or click.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Pressed {
    Nothing,
    Changed,
    Close,
    /// This command is to be run, and the menu is closed.
    Chose(String),
}

/// What the commands of the items are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MenuPurpose {
    Commands,
    /// Keys of the tree in this pane.
    Tree(PaneId),
    /// Words for a prompt.
    Prompt,
    /// Actions of a popup's own menu.
    Popup,
}

pub(crate) struct Menu {
    pub(crate) title: String,
    pub(crate) items: Vec<MenuItem>,
    pub(crate) place: Rect,
    pub(crate) mouse: MenuMouse,
    pub(crate) choice: Option<usize>,
    pub(crate) target: Option<ResolvedTarget>,
    /// The caller that has opened it.
    pub(crate) caller: Caller,
    pub(crate) queue: Option<QueueId>,
    /// The style of the selected item.
    pub(crate) chosen_style: Style,
    pub(crate) purpose: MenuPurpose,
}

impl Menu {
    /// The rows and columns it needs.
    pub(crate) fn size_for(title: &str, items: &[MenuItem]) -> (usize, usize) {
        let items_width = items.iter().map(MenuItem::width).max().unwrap_or(0);
        let width = items_width.max(styled_width(title));
        (items.len() + 2, width + 4)
    }

    /// The item selected at first: none if the mouse selects.
    pub(crate) fn first_choice(items: &[MenuItem], mouse: MenuMouse) -> Option<usize> {
        match mouse {
            MenuMouse::Off => items.iter().position(MenuItem::can_be_chosen),
            MenuMouse::Hold | MenuMouse::Click => None,
        }
    }

    /// Moves it so that it fits a terminal of another size, if it can.
    pub(crate) fn fit(&mut self, room: Size) -> bool {
        let (rows, cols) = (room.rows(), room.cols());
        if self.place.rows > rows || self.place.cols > cols {
            return false;
        }
        self.place.row = self.place.row.min(rows - self.place.rows);
        self.place.col = self.place.col.min(cols - self.place.cols);
        true
    }

    fn choose(&self, at: usize) -> Pressed {
        match self.items.get(at) {
            Some(MenuItem::Choice { command, .. }) => Pressed::Chose(command.clone()),
            _ if self.mouse == MenuMouse::Click => Pressed::Nothing,
            _ => Pressed::Close,
        }
    }

    fn select(&mut self, at: Option<usize>) -> Pressed {
        if self.choice == at {
            return Pressed::Nothing;
        }
        self.choice = at;
        Pressed::Changed
    }

    /// The next item that can be chosen, wrapping around.
    fn step(&self, from: Option<usize>, way: Way) -> Option<usize> {
        let count = self.items.len();
        let from = from.unwrap_or(match way {
            Way::Up => 0,
            Way::Down => count.saturating_sub(1),
        });
        let at = |step: usize| match way {
            Way::Up => (from + count - step) % count,
            Way::Down => (from + step) % count,
        };
        (1..=count)
            .map(at)
            .find(|at| self.items[*at].can_be_chosen())
    }

    /// The fifth next item that can be chosen, or the last.
    fn page(&self, way: Way) -> Option<usize> {
        let mut at = self.choice;
        for _ in 0..5 {
            let next = self.step(at, way);
            let goes_on = match way {
                Way::Up => next < at,
                Way::Down => next > at,
            };
            if !goes_on {
                break;
            }
            at = next;
        }
        at
    }

    pub(crate) fn key(&mut self, key: Key) -> Pressed {
        let hit = self.items.iter().position(
            |item| matches!(item, MenuItem::Choice { key: Some(own), .. } if *own == key),
        );
        if let Some(at) = hit {
            return self.choose(at);
        }
        let is_control = key.mods() == Modifiers::CTRL;
        if !key.mods().is_empty() && !is_control {
            return Pressed::Nothing;
        }
        let can = |item: &MenuItem| item.can_be_chosen();
        if self.purpose == MenuPurpose::Prompt {
            // Tab moves through the words, and closes the menu after the last.
            let is_last = self.choice.map(|at| at + 1) == Some(self.items.len());
            match key.code() {
                KeyCode::Tab if is_last => return Pressed::Close,
                KeyCode::Tab => return self.select(self.step(self.choice, Way::Down)),
                KeyCode::BSpace => return Pressed::Close,
                _ => {}
            }
        }
        match (key.code(), is_control) {
            (KeyCode::Up | KeyCode::Char('k'), false) => {
                self.select(self.step(self.choice, Way::Up))
            }
            (KeyCode::Down | KeyCode::Char('j'), false) => {
                self.select(self.step(self.choice, Way::Down))
            }
            (KeyCode::PageUp, false) | (KeyCode::Char('b'), true) => {
                self.select(self.page(Way::Up))
            }
            (KeyCode::PageDown, false) | (KeyCode::Char('f'), true) => {
                self.select(self.page(Way::Down))
            }
            (KeyCode::Home | KeyCode::Char('g'), false) => {
                let first = self.items.iter().position(can);
                self.select(first)
            }
            (KeyCode::End | KeyCode::Char('G'), false) => {
                let last = self.items.iter().rposition(can);
                self.select(last)
            }
            (KeyCode::Enter, false) => self.choice.map_or(Pressed::Close, |at| self.choose(at)),
            (KeyCode::Escape | KeyCode::Char('q'), false) | (KeyCode::Char('c' | 'g'), true) => {
                Pressed::Close
            }
            _ => Pressed::Nothing,
        }
    }

    pub(crate) fn mouse(&mut self, event: &MouseEvent) -> Pressed {
        if self.mouse == MenuMouse::Off {
            return match event.kind {
                MouseKind::Press if event.button != MouseButton::Left => Pressed::Close,
                _ => Pressed::Nothing,
            };
        }
        let is_click = event.kind == MouseKind::Press && !is_wheel(event.button);
        let decides = match self.mouse {
            MenuMouse::Click => is_click,
            _ => event.kind == MouseKind::Release,
        };
        let lines = BoxLines::Single.inside(self.place);
        let is_inside = event.col >= self.place.col
            && event.col < self.place.right()
            && event.row >= lines.row
            && event.row < lines.bottom();
        if !is_inside {
            return if decides {
                Pressed::Close
            } else {
                self.select(None)
            };
        }
        let at = usize::from(event.row - lines.row);
        if decides {
            self.choose(at)
        } else {
            self.select(Some(at))
        }
    }

    pub(crate) fn frame(&self) -> Frame {
        let plain = Style::default();
        let size = Size::new(self.place.rows, self.place.cols);
        let mut buffer = boxed(size, BoxLines::Single, plain);
        let inner = Rect {
            row: 1,
            col: 2,
            rows: size.rows().saturating_sub(2),
            cols: size.cols().saturating_sub(4),
        };
        let lines = self.items.iter().enumerate().map(|(at, item)| match item {
            MenuItem::Rule => Line::default(),
            MenuItem::Choice { text, .. } if self.choice == Some(at) => {
                styled_line(text, inner.cols, self.chosen_style)
            }
            MenuItem::Choice { text, .. } => styled_line(text, inner.cols, plain),
            MenuItem::Off { text } => {
                let attrs = Attrs::DIM;
                styled_line(text, inner.cols, Style { attrs, ..plain })
            }
        });
        List::new(lines).render(area(inner), &mut buffer);
        let rules = (1..).zip(&self.items);
        for (row, _) in rules.filter(|(_, item)| **item == MenuItem::Rule) {
            let across = "─".repeat(usize::from(size.cols().saturating_sub(2)));
            buffer.set_string(
                0,
                row,
                format!("├{across}┤"),
                ratatui::style::Style::reset(),
            );
        }
        let mut frame = titled(&buffer, &self.title, plain);
        if self.mouse != MenuMouse::Off {
            frame.modes.mouse = MouseReports::Motion;
        }
        frame
    }
}

pub(crate) fn is_wheel(button: MouseButton) -> bool {
    matches!(button.number(), Some(4..=7))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Up,
    Down,
}
