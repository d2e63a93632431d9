//! Replies: attributes, status, window reports, settings, termcap.

use shellkeep_core::{Attrs, Color, Style, Underline};

use super::exec::Performer;
use super::screen::Screen;
use super::terminal::Terminal;
use crate::charset::Charset;
use crate::effects::Effect;
use crate::parser::Csi;

/// The device control strings we understand.
pub(crate) enum DeviceControl {
    /// DECRQSS.
    Setting,
    /// XTGETTCAP.
    Termcap,
}

impl DeviceControl {
    pub(crate) fn read(header: &Csi) -> Option<Self> {
        match (header.prefix, header.intermediate(), header.last) {
            (0, b'$', b'q') => Some(Self::Setting),
            (0, b'+', b'q') => Some(Self::Termcap),
            _ => None,
        }
    }
}

impl Performer<'_> {
    /// DA1: a VT420 with 132 columns, selective erase, horizontal scrolling, colour, rectangles and
    /// clipboard.
    pub(crate) fn primary_attributes(&mut self) {
        self.reply("\x1b[?64;1;6;21;22;28;52c");
    }

    /// DSR.
    pub(crate) fn report_status(&mut self, private: bool, kind: u16, id: u16) {
        let answer = match (private, kind) {
            (false, 5) => "\x1b[0n".to_owned(),
            (_, 6) => self.cursor_report(private),
            (true, 15) => "\x1b[?13n".to_owned(),
            (true, 25) => "\x1b[?20n".to_owned(),
            (true, 26) => "\x1b[?27;1;0;0n".to_owned(),
            (true, 53 | 55) => "\x1b[?53n".to_owned(),
            (true, 56) => "\x1b[?57;0n".to_owned(),
            (true, 62) => "\x1b[0000*{".to_owned(),
            (true, 63) => format!("\x1bP{id}!~0000\x1b\\"),
            (true, 75) => "\x1b[?70n".to_owned(),
            (true, 85) => "\x1b[?83n".to_owned(),
            (true, 996) => match self.terminal.config.default_colors {
                Some(colors) => {
                    let (r, g, b) = colors.background;
                    let dark = u32::from(r) * 3 + u32::from(g) * 6 + u32::from(b) < 1280;
                    format!("\x1b[?997;{}n", if dark { 1 } else { 2 })
                }
                None => return,
            },
            _ => return,
        };
        self.reply(answer);
    }

    /// DECRQPSR: the cursor and its attributes (DECCIR), or the tab stops (DECTABSR).
    pub(crate) fn report_presentation(&mut self, kind: u16) {
        let text = match kind {
            1 => cursor_information(&self.terminal.screen),
            2 => {
                let cols = 0..self.terminal.size().cols();
                let stops = cols.filter(|col| self.terminal.screen.tabs.is_stop(*col));
                let stops: Vec<String> = stops.map(|col| (col + 1).to_string()).collect();
                stops.join("/")
            }
            _ => return,
        };
        self.reply(format!("\x1bP{kind}$u{text}\x1b\\"));
    }

    fn cursor_report(&self, private: bool) -> String {
        let (row, col) = reported_position(&self.terminal.screen);
        if private {
            format!("\x1b[?{row};{col};1R")
        } else {
            format!("\x1b[{row};{col}R")
        }
    }

    /// XTWINOPS.
    pub(crate) fn window(&mut self, csi: &Csi) {
        let (rows, cols) = (self.terminal.size().rows(), self.terminal.size().cols());
        let pixels = self.terminal.config.cell_pixels;
        match csi.raw(0) {
            4 => {
                if let Some((height, width)) = pixels {
                    let rows = csi.raw(1).checked_div(height).unwrap_or(0);
                    let cols = csi.raw(2).checked_div(width).unwrap_or(0);
                    self.ask_for_size(rows, cols);
                }
            }
            8 => self.ask_for_size(csi.raw(1), csi.raw(2)),
            // DECSLPP.
            rows @ 24.. => self.ask_for_size(rows, 0),
            11 => self.reply("\x1b[1t"),
            13 => self.reply("\x1b[3;0;0t"),
            14 | 15 => {
                if let Some((height, width)) = pixels {
                    let kind = csi.raw(0) - 10;
                    let height = u32::from(height) * u32::from(rows);
                    let width = u32::from(width) * u32::from(cols);
                    self.reply(format!("\x1b[{kind};{height};{width}t"));
                }
            }
            16 => {
                if let Some((height, width)) = pixels {
                    self.reply(format!("\x1b[6;{height};{width}t"));
                }
            }
            18 => self.reply(format!("\x1b[8;{rows};{cols}t")),
            19 => self.reply(format!("\x1b[9;{rows};{cols}t")),
            20 if self.terminal.config.report_title => {
                let answer = format!("\x1b]L{}\x1b\\", self.terminal.titles.icon);
                self.reply(answer);
            }
            21 if self.terminal.config.report_title => {
                let answer = format!("\x1b]l{}\x1b\\", self.terminal.titles.title);
                self.reply(answer);
            }
            22 => self.terminal.titles.push(),
            23 => self.pop_title(csi.raw(1)),
            _ => {}
        }
    }

    /// Asks the server for another size; 0 keeps a side as it is.
    pub(crate) fn ask_for_size(&mut self, rows: u16, cols: u16) {
        let wish = |n: u16| (n > 0).then_some(n);
        let (rows, cols) = (wish(rows), wish(cols));
        if rows.is_some() || cols.is_some() {
            self.effects.push(Effect::ResizeRequest { rows, cols });
        }
    }

    fn pop_title(&mut self, which: u16) {
        let Some((title, icon)) = self.terminal.titles.pushed.pop() else {
            return;
        };
        if which != 2 {
            self.set_icon(icon);
        }
        if which != 1 {
            self.set_title(title);
        }
    }

    pub(crate) fn set_title(&mut self, title: String) {
        if self.terminal.titles.title != title {
            self.terminal.titles.title.clone_from(&title);
            self.effects.push(Effect::Title(title));
        }
    }

    pub(crate) fn set_icon(&mut self, icon: String) {
        if self.terminal.titles.icon != icon {
            self.terminal.titles.icon.clone_from(&icon);
            self.effects.push(Effect::IconName(icon));
        }
    }

    /// DCS: DECRQSS and XTGETTCAP. All other strings were ignored while they were read.
    pub(crate) fn device_control(&mut self, header: &Csi, payload: &[u8]) {
        match DeviceControl::read(header) {
            Some(DeviceControl::Setting) => {
                let answer = match self.terminal.setting(payload) {
                    Some(setting) => format!("\x1bP1$r{setting}\x1b\\"),
                    None => "\x1bP0$r\x1b\\".to_owned(),
                };
                self.reply(answer);
            }
            Some(DeviceControl::Termcap) => self.termcap(payload),
            None => {}
        }
    }

    /// XTGETTCAP: names in hexadecimal, separated by semicolons. Replies to each, up to the first unknown one, as xterm
    /// does.
    fn termcap(&mut self, payload: &[u8]) {
        for name in payload.split(|&byte| byte == b';').take(16) {
            let value = unhex(name).and_then(|name| capability(&name));
            // The program reads a reply as typed input. A file that is printed must not choose the text of that input.
            let is_hex = name.iter().all(u8::is_ascii_hexdigit);
            let name = String::from_utf8_lossy(if is_hex { name } else { b"" });
            match value {
                Some(value) => self.reply(format!("\x1bP1+r{name}={}\x1b\\", hex(value))),
                None => return self.reply(format!("\x1bP0+r{name}\x1b\\")),
            }
        }
    }
}

fn capability(name: &[u8]) -> Option<&'static str> {
    Some(match name {
        b"TN" | b"name" => "xterm-256color",
        b"Co" | b"colors" => "256",
        b"RGB" => "8/8/8",
        b"Tc" | b"Su" => "",
        b"Ms" => "\x1b]52;%p1%s;%p2%s\x07",
        b"Smulx" => "\x1b[4:%p1%dm",
        b"Setulc" => "\x1b[58:2::%p1%{65536}%/%d:%p1%{256}%/%{255}%&%d:%p1%{255}%&%d%;m",
        _ => return None,
    })
}

fn hex(text: &str) -> String {
    text.bytes().map(|byte| format!("{byte:02X}")).collect()
}

fn unhex(text: &[u8]) -> Option<Vec<u8>> {
    if text.is_empty() || !text.len().is_multiple_of(2) || text.len() > 64 {
        return None;
    }
    let digit = |byte: u8| char::from(byte).to_digit(16);
    text.chunks(2)
        .map(|pair| Some((digit(pair[0])? * 16 + digit(pair[1])?) as u8))
        .collect()
}

/// The cursor's row and column as programs number them.
fn reported_position(screen: &Screen) -> (u16, u16) {
    screen.margins.reported(screen.cursor)
}

/// DECCIR: numbers, then bits encoded as characters from `@` on, then the character sets.
fn cursor_information(screen: &Screen) -> String {
    let bits = |bits: &[bool]| {
        let number = bits
            .iter()
            .rev()
            .fold(0, |sum, bit| sum << 1 | u8::from(*bit));
        char::from(b'@' + number)
    };
    let (row, col) = reported_position(screen);
    let style = &screen.pen.style;
    let rendition = bits(&[
        style.attrs.contains(Attrs::BOLD),
        style.underline != Underline::None,
        style.attrs.contains(Attrs::BLINK),
        style.attrs.contains(Attrs::REVERSE),
    ]);
    let protected = bits(&[screen.pen.protected]);
    let charsets = &screen.pen.charsets;
    let flags = bits(&[
        screen.margins.origin,
        charsets.single == Some(2),
        charsets.single == Some(3),
        screen.cursor.pending,
    ]);
    let long = bits(&charsets.sets.map(Charset::is_long));
    let names = charsets.sets.map(|set| char::from(set.designator()));
    let names: String = names.iter().collect();
    let left = charsets.left;
    format!("{row};{col};1;{rendition};{protected};{flags};{left};2;{long};{names}")
}

impl Terminal {
    /// DECRQSS: a setting as the sequence that sets it, without the introducer.
    fn setting(&self, name: &[u8]) -> Option<String> {
        Some(match name {
            b"m" => format!("{}m", sgr_text(&self.screen.pen.style)),
            b"r" => format!(
                "{};{}r",
                self.screen.margins.area.top + 1,
                self.screen.margins.area.bottom + 1
            ),
            b"s" => {
                format!(
                    "{};{}s",
                    self.screen.margins.area.left + 1,
                    self.screen.margins.area.right + 1
                )
            }
            b" q" => format!("{} q", self.cursor_style.shape as u8),
            b"\"q" => format!("{}\"q", u8::from(self.screen.pen.protected)),
            b"\"p" => {
                let seven = u8::from(!self.modes.eight_bit_controls);
                format!("{};{seven}\"p", self.conformance)
            }
            b"t" => format!("{}t", self.size().rows()),
            b"$|" => format!("{}$|", self.size().cols()),
            b"*|" => format!("{}*|", self.size().rows()),
            b"*x" => format!("{}*x", if self.flags.rectangular { 2 } else { 1 }),
            _ => return None,
        })
    }
}

/// The SGR parameters that set a style after a reset.
fn sgr_text(style: &Style) -> String {
    let mut text = String::from("0");
    let names = [
        (Attrs::BOLD, ";1"),
        (Attrs::DIM, ";2"),
        (Attrs::ITALIC, ";3"),
        (Attrs::BLINK, ";5"),
        (Attrs::REVERSE, ";7"),
        (Attrs::HIDDEN, ";8"),
        (Attrs::STRIKE, ";9"),
        (Attrs::OVERLINE, ";53"),
    ];
    for (attr, name) in names {
        if style.attrs.contains(attr) {
            text.push_str(name);
        }
    }
    match style.underline {
        Underline::None => {}
        Underline::Single => text.push_str(";4"),
        kind => text.push_str(&format!(";4:{}", kind as u8)),
    }
    for (base, color) in [(30, style.fg), (40, style.bg), (50, style.underline_color)] {
        match color {
            Color::Default => {}
            Color::Palette(index @ 0..=7) if base < 50 => {
                text.push_str(&format!(";{}", base + i32::from(index)));
            }
            Color::Palette(index @ 8..=15) if base < 50 => {
                text.push_str(&format!(";{}", base + 60 + i32::from(index) - 8));
            }
            Color::Palette(index) => text.push_str(&format!(";{}:5:{index}", base + 8)),
            Color::Rgb(r, g, b) => text.push_str(&format!(";{}:2::{r}:{g}:{b}", base + 8)),
        }
    }
    text
}
