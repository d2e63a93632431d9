//! The order of keys in listings: tmux's, which is the order of its key numbers.

use shellkeep_core::key::{Key, KeyCode, KeypadKey, Modifiers, MouseAction, MouseKey, MousePlace};

/// The sort key of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Order {
    modifiers: u8,
    kind: Kind,
    number: u32,
    /// The key itself, for keys with the same number.
    key: Key,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Character,
    Any,
    Mouse,
    Named,
    Other,
}

impl Order {
    pub(super) fn of(key: Key) -> Self {
        let mut mods = key.mods();
        let (kind, number) = match key.code() {
            KeyCode::Char(c) => {
                let control = mods
                    .contains(Modifiers::CTRL)
                    .then(|| control_code(c))
                    .flatten();
                if control.is_some() {
                    mods.remove(Modifiers::CTRL);
                }
                (Kind::Character, control.unwrap_or(u32::from(c)))
            }
            KeyCode::Tab => (Kind::Character, 9),
            KeyCode::Enter => (Kind::Character, 13),
            KeyCode::Escape => (Kind::Character, 27),
            KeyCode::Any => (Kind::Any, 0),
            KeyCode::Mouse(mouse) => (Kind::Mouse, mouse_number(mouse)),
            KeyCode::User(number) => (Kind::Other, u32::from(number)),
            KeyCode::Functional(number) => (Kind::Other, u32::from(number)),
            KeyCode::None => (Kind::Other, u32::MAX),
            code => (Kind::Named, named_number(code)),
        };
        let bit = |modifier, value: u8| if mods.contains(modifier) { value } else { 0 };
        Self {
            modifiers: bit(Modifiers::META, 1) | bit(Modifiers::CTRL, 2) | bit(Modifiers::SHIFT, 4),
            kind,
            number,
            key,
        }
    }
}

/// The character that a control key sends, if there is one.
fn control_code(c: char) -> Option<u32> {
    match c {
        ' ' => Some(0),
        'a'..='z' | '\\' | ']' | '^' | '_' => Some(u32::from(c) & 0x1f),
        _ => None,
    }
}

fn mouse_number(mouse: MouseKey) -> u32 {
    let (action, button) = match mouse.action {
        MouseAction::Down(button) => (0, button),
        MouseAction::Up(button) => (1, button),
        MouseAction::Drag(button) => (2, button),
        MouseAction::DragEnd(button) => (3, button),
        MouseAction::WheelUp => (4, 0),
        MouseAction::WheelDown => (5, 0),
        MouseAction::SecondClick(button) => (6, button),
        MouseAction::DoubleClick(button) => (7, button),
        MouseAction::TripleClick(button) => (8, button),
    };
    let place = position(&MousePlace::ALL, mouse.place);
    action * 1024 + u32::from(button) * 16 + place
}

fn named_number(code: KeyCode) -> u32 {
    match code {
        KeyCode::BSpace => 0,
        KeyCode::F(number) => u32::from(number),
        KeyCode::Insert => 100,
        KeyCode::Delete => 101,
        KeyCode::Home => 102,
        KeyCode::End => 103,
        KeyCode::PageDown => 104,
        KeyCode::PageUp => 105,
        KeyCode::BTab => 106,
        KeyCode::Up => 107,
        KeyCode::Down => 108,
        KeyCode::Left => 109,
        KeyCode::Right => 110,
        KeyCode::Keypad(key) => 120 + position(&KeypadKey::ALL, key),
        _ => 200,
    }
}

fn position<T: PartialEq>(all: &[T], wanted: T) -> u32 {
    let at = all.iter().position(|one| *one == wanted);
    at.and_then(|at| u32::try_from(at).ok())
        .unwrap_or(u32::MAX / 4096)
}
