//! The modes that matter outside the engine: what a program asked for about keys, mouse, focus and painting. The
//! screen's own modes (origin, insert, autowrap, margins) stay inside the engine.

/// Which mouse events the program asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MouseProtocol {
    /// None: shellkeep uses the mouse itself.
    #[default]
    Off,
    /// Presses only (mode 9).
    X10,
    /// Presses and releases (mode 1000).
    Buttons,
    /// As `Buttons`, and motion while a button is held (mode 1002).
    Drag,
    /// As `Buttons`, and all motion (mode 1003).
    Motion,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MouseEncoding {
    /// Three bytes after `CSI M`; positions after 223 cannot be encoded.
    #[default]
    Legacy,
    /// As `Legacy`, with UTF-8 positions (mode 1005).
    Utf8,
    /// `CSI < … M/m` (mode 1006).
    Sgr,
    /// `CSI … M` (mode 1015).
    Urxvt,
    /// As SGR, in pixels (mode 1016).
    SgrPixels,
}

/// The modes that a program has set, for the key encoder, the renderer and the server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Modes {
    /// DECCKM (1): cursor keys send `SS3`.
    pub application_cursor: bool,
    /// DECNKM (66) or `ESC =`: the keypad sends `SS3` sequences.
    pub application_keypad: bool,
    /// LNM (20): Enter sends CR LF.
    pub newline: bool,
    /// DECBKM (67): Backspace sends BS instead of DEL.
    pub backarrow_sends_backspace: bool,
    /// 2004: pastes are wrapped in markers.
    pub bracketed_paste: bool,
    /// 1004: focus changes are reported.
    pub focus_events: bool,
    pub mouse: MouseProtocol,
    pub mouse_encoding: MouseEncoding,
    /// 1007: the wheel sends cursor keys on the alternate screen.
    pub alternate_scroll: bool,
    /// XTMODKEYS 4: modifyOtherKeys level 0, 1 or 2.
    pub modify_other_keys: u8,
    /// XTFMTKEYS 4 = 1: other keys are written as `CSI u`.
    pub format_other_keys_csi_u: bool,
    /// The kitty keyboard flags in force (top of the active screen's stack); 0 is legacy.
    pub kitty_keyboard: u8,
    /// 2026: no painting until the program has finished its update.
    pub synchronized_output: bool,
    /// DECSCNM (5): the whole screen is shown in reverse.
    pub reverse_screen: bool,
    /// 2031: the program wants reports of changes between light and dark.
    pub color_scheme_events: bool,
    /// S8C1T: replies, keys, mouse and focus events are written with 8-bit controls.
    pub eight_bit_controls: bool,
    /// 2048: the program wants reports of size changes as escape sequences.
    pub in_band_resize: bool,
}

impl Modes {
    pub(crate) fn set_mouse(&mut self, protocol: MouseProtocol, on: bool) {
        // There is one protocol at a time. Resetting a protocol that is not set also disables the mouse, as in xterm,
        // because programs reset every protocol they know.
        self.mouse = if on { protocol } else { MouseProtocol::Off };
    }

    pub(crate) fn set_mouse_encoding(&mut self, encoding: MouseEncoding, on: bool) {
        if on {
            self.mouse_encoding = encoding;
        } else if self.mouse_encoding == encoding {
            self.mouse_encoding = MouseEncoding::Legacy;
        }
    }
}
