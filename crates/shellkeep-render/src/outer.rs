//! Takes over the outer terminal, and restores it.

use crate::caps::{Caps, Features};
use crate::frame::{MouseReports, OuterModes};

/// Restores the terminal from any state, for a panic hook, a signal handler, or a client whose server is gone.
/// [`leave`] writes the same. It is a constant so that nothing has to be computed in such a situation. Terminals ignore
/// unknown parts of it.
pub const LEAVE: &[u8] = concat!(
    // First finish a half-painted frame, so that what follows is visible.
    "\x1b[?2026l",
    // Mouse, focus and paste reports, which would otherwise be typed into the shell.
    "\x1b[?1003l\x1b[?1002l\x1b[?1000l\x1b[?1006l\x1b[?1004l\x1b[?2004l",
    // Keys: kitty flags of this screen, modifyOtherKeys as it was set up, cursor keys, keypad.
    "\x1b[=0u\x1b[>4m\x1b[?1l\x1b>",
    // Painting: link, charset, insert mode, region, wrap, pen.
    "\x1b]8;;\x1b\\\x0f\x1b(B\x1b[4l\x1b[r\x1b[?7h\x1b[m",
    // For terminals without an alternate screen, clear the screen.
    "\x1b[H\x1b[2J",
    // Cursor shape and visibility, then the main screen, and the original title.
    "\x1b[0 q\x1b[?25h\x1b[?1049l\x1b[23;0t",
)
.as_bytes();

/// Takes over the terminal. Its content is unknown afterwards, so [`crate::repaint`] has to follow.
pub fn enter(caps: &Caps, out: &mut Vec<u8>) {
    if !caps.is_usable() {
        return;
    }
    if caps.has(Features::TITLE) {
        out.extend_from_slice(b"\x1b[22;0t");
    }
    if caps.has(Features::ALTERNATE_SCREEN) {
        out.extend_from_slice(b"\x1b[?1049h");
    }
    // Modes that another program may have left on, and that repaint does not set each time.
    out.extend_from_slice(b"\x1b[?1l\x1b>\x1b[4l\x1b[?6l\x1b[?7h");
}

/// Restores the terminal. Writes nothing for a terminal that was never taken over.
pub fn leave(caps: &Caps, out: &mut Vec<u8>) {
    if caps.is_usable() {
        out.extend_from_slice(LEAVE);
    }
}

/// Prepares the terminal for a program whose bytes are passed through (native mode). Keeps what it shows.
pub fn enter_natively(caps: &Caps, out: &mut Vec<u8>) {
    if !caps.is_usable() {
        return;
    }
    if caps.has(Features::TITLE) {
        out.extend_from_slice(b"\x1b[22;0t");
    }
    out.extend_from_slice(b"\x1b[?1l\x1b>\x1b[4l\x1b[?6l\x1b[?7h");
}

/// Restores the terminal after [`enter_natively`]: as [`LEAVE`], but keeps what it shows, and starts a new line.
pub fn leave_natively(caps: &Caps, out: &mut Vec<u8>) {
    if !caps.is_usable() {
        return;
    }
    out.extend_from_slice(
        concat!(
            "\x1b[?2026l",
            "\x1b[?1003l\x1b[?1002l\x1b[?1000l\x1b[?1006l\x1b[?1004l\x1b[?2004l",
            "\x1b[=0u\x1b[>4m\x1b[?1l\x1b>",
            "\x1b]8;;\x1b\\\x0f\x1b(B\x1b[4l\x1b[?6l\x1b[?7h\x1b[m",
            // Not 1049, which would restore the cursor from before.
            "\x1b[?1047l\x1b[r",
            "\x1b[0 q\x1b[?25h\x1b[23;0t",
            "\x1b[999;1H\r\n",
        )
        .as_bytes(),
    );
}

/// Which screen of the terminal the program in native mode writes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Under {
    /// The main screen, which scrolls.
    Main,
    Alternate,
}

/// Takes over the terminal of a program in native mode for some time; what it shows is covered and not lost. If the
/// program uses the alternate screen already, that has to be painted again afterwards, because switching to it twice
/// would lose the way back.
pub fn cover_natively(under: Under, caps: &Caps, out: &mut Vec<u8>) {
    if !caps.is_usable() {
        return;
    }
    if under == Under::Main && caps.has(Features::ALTERNATE_SCREEN) {
        out.extend_from_slice(b"\x1b[?1049h");
    }
    out.extend_from_slice(b"\x1b[?1l\x1b>\x1b[4l\x1b[?6l\x1b[?7h\x1b[r");
}

/// Switches to the terminal's main screen, after [`cover_natively`] or because the program has left the alternate one.
pub fn show_main(caps: &Caps, out: &mut Vec<u8>) {
    if caps.has(Features::ALTERNATE_SCREEN) {
        out.extend_from_slice(b"\x1b[?1049l");
    }
}

/// Switches to the terminal's alternate screen, because the program has.
pub fn show_alternate(caps: &Caps, out: &mut Vec<u8>) {
    if caps.has(Features::ALTERNATE_SCREEN) {
        out.extend_from_slice(b"\x1b[?1049h");
    }
}

/// Queries the terminal's name and capabilities. `Caps::refine_*` use the replies. The last reply is that to DA1, which
/// every terminal sends, so a waiting client knows when to stop.
pub fn query(caps: &Caps, out: &mut Vec<u8>) {
    if !caps.is_usable() {
        return;
    }
    if caps.has(Features::QUERIES) {
        out.extend_from_slice(b"\x1b[>q\x1b[?2026$p\x1b[?69$p\x1b[?u");
    }
    out.extend_from_slice(b"\x1b[c");
}

/// Writes the changes of modes; `prev` is `None` if the state is unknown.
pub(crate) fn write_modes(
    prev: Option<OuterModes>,
    next: OuterModes,
    caps: &Caps,
    out: &mut Vec<u8>,
) {
    if caps.has(Features::MOUSE) && prev.is_none_or(|prev| prev.mouse != next.mouse) {
        write_mouse(prev.map(|prev| prev.mouse), next.mouse, out);
    }
    let mut switch = |feature, number: &str, was: Option<bool>, is: bool| {
        if caps.has(feature) && was != Some(is) {
            set_mode(number, is, out);
        }
    };
    switch(
        Features::PASTE,
        "2004",
        prev.map(|prev| prev.bracketed_paste),
        next.bracketed_paste,
    );
    switch(
        Features::FOCUS,
        "1004",
        prev.map(|prev| prev.focus_events),
        next.focus_events,
    );
    // An unknown state counts as off: a terminal gets this sequence only if a program has requested extended keys.
    if prev.is_some_and(|prev| prev.extended_keys) != next.extended_keys {
        let level: &[u8] = if next.extended_keys { b";1" } else { b"" };
        out.extend_from_slice(&[b"\x1b[>4", level, b"m"].concat());
    }
}

fn write_mouse(prev: Option<MouseReports>, next: MouseReports, out: &mut Vec<u8>) {
    const MODES: [(MouseReports, &str); 3] = [
        (MouseReports::Motion, "1003"),
        (MouseReports::Drag, "1002"),
        (MouseReports::Buttons, "1000"),
    ];
    for (mouse, number) in MODES {
        if mouse != next && prev.is_none_or(|prev| prev == mouse) {
            set_mode(number, false, out);
        }
    }
    let was_on = prev.is_some_and(|prev| prev != MouseReports::Off);
    let is_on = next != MouseReports::Off;
    if prev.is_none() || was_on != is_on {
        set_mode("1006", is_on, out);
    }
    for (mouse, number) in MODES {
        if mouse == next {
            set_mode(number, true, out);
        }
    }
}

fn set_mode(number: &str, on: bool, out: &mut Vec<u8>) {
    out.extend_from_slice(b"\x1b[?");
    out.extend_from_slice(number.as_bytes());
    out.push(if on { b'h' } else { b'l' });
}
