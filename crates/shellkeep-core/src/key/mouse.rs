//! Mouse events as bindings name them: `MouseDown1Pane`, `WheelUpStatus`, `DoubleClick3Border`.

use std::fmt;

/// The action of the mouse.
///
/// Buttons are numbered as in X: 1 to 3 are left, middle and right; 4 and 5 are the wheel and have names of their own;
/// 6 and 7 are the horizontal wheel; 8 to 11 are extra buttons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MouseAction {
    /// A button went down.
    Down(u8),
    /// A button came up without a drag.
    Up(u8),
    /// The mouse moved with a button held.
    Drag(u8),
    /// The button came up after a drag.
    DragEnd(u8),
    /// The second press of a possible double or triple click.
    SecondClick(u8),
    /// Two clicks and no third.
    DoubleClick(u8),
    TripleClick(u8),
    /// The wheel turned away from the user.
    WheelUp,
    /// The wheel turned towards the user.
    WheelDown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MousePlace {
    Pane,
    /// On a window in the status line.
    Status,
    /// On the left part of the status line.
    StatusLeft,
    /// On the right part of the status line.
    StatusRight,
    /// On any other part of the status line.
    StatusDefault,
    /// On a border between panes.
    Border,
}

impl MousePlace {
    pub const ALL: [Self; 6] = [
        Self::Pane,
        Self::Status,
        Self::StatusLeft,
        Self::StatusRight,
        Self::StatusDefault,
        Self::Border,
    ];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pane => "Pane",
            Self::Status => "Status",
            Self::StatusLeft => "StatusLeft",
            Self::StatusRight => "StatusRight",
            Self::StatusDefault => "StatusDefault",
            Self::Border => "Border",
        }
    }
}

/// A mouse event that can be bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MouseKey {
    pub action: MouseAction,
    pub place: MousePlace,
}

type OfButton = fn(u8) -> MouseAction;

/// The actions with a button, the longest name first where one is a prefix of another.
const BUTTON_ACTIONS: [(&str, OfButton); 7] = [
    ("MouseDown", MouseAction::Down),
    ("MouseUp", MouseAction::Up),
    ("MouseDragEnd", MouseAction::DragEnd),
    ("MouseDrag", MouseAction::Drag),
    ("SecondClick", MouseAction::SecondClick),
    ("DoubleClick", MouseAction::DoubleClick),
    ("TripleClick", MouseAction::TripleClick),
];

const fn is_button(button: u8) -> bool {
    matches!(button, 1..=3 | 6..=11)
}

impl MouseAction {
    /// The button, if the action has one.
    #[must_use]
    pub const fn button(self) -> Option<u8> {
        match self {
            Self::Down(button)
            | Self::Up(button)
            | Self::Drag(button)
            | Self::DragEnd(button)
            | Self::SecondClick(button)
            | Self::DoubleClick(button)
            | Self::TripleClick(button) => Some(button),
            Self::WheelUp | Self::WheelDown => None,
        }
    }

    const fn stem(self) -> &'static str {
        match self {
            Self::Down(_) => "MouseDown",
            Self::Up(_) => "MouseUp",
            Self::Drag(_) => "MouseDrag",
            Self::DragEnd(_) => "MouseDragEnd",
            Self::SecondClick(_) => "SecondClick",
            Self::DoubleClick(_) => "DoubleClick",
            Self::TripleClick(_) => "TripleClick",
            Self::WheelUp => "WheelUp",
            Self::WheelDown => "WheelDown",
        }
    }
}

impl MouseKey {
    /// Whether this key exists: `MouseDown4Pane` would be the wheel.
    pub(super) const fn is_valid(self) -> bool {
        match self.action.button() {
            Some(button) => is_button(button),
            None => true,
        }
    }

    /// Parses a name, ignoring case.
    pub(super) fn parse(name: &str) -> Option<Self> {
        let place = |rest: &str| {
            MousePlace::ALL
                .into_iter()
                .find(|place| place.name().eq_ignore_ascii_case(rest))
        };
        for (stem, action) in [
            ("WheelUp", MouseAction::WheelUp),
            ("WheelDown", MouseAction::WheelDown),
        ] {
            if let Some(rest) = strip_prefix(name, stem) {
                return place(rest).map(|place| Self { action, place });
            }
        }
        let (rest, action) = BUTTON_ACTIONS
            .iter()
            .find_map(|(stem, action)| Some((strip_prefix(name, stem)?, action)))?;
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (digits, rest) = rest.split_at(digits);
        // A leading zero would give the key a second name.
        let button = digits.parse().ok().filter(|&b| is_button(b))?;
        if digits.starts_with('0') {
            return None;
        }
        Some(Self {
            action: action(button),
            place: place(rest)?,
        })
    }
}

impl fmt::Display for MouseKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.action.stem())?;
        if let Some(button) = self.action.button() {
            write!(f, "{button}")?;
        }
        f.write_str(self.place.name())
    }
}

/// As `str::strip_prefix`, ignoring case.
pub(super) fn strip_prefix<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let head = text.get(..prefix.len())?;
    head.eq_ignore_ascii_case(prefix)
        .then(|| &text[prefix.len()..])
}
