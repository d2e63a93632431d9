//! Operating system commands: titles, colours, links, clipboard, prompts, notifications.

use super::exec::Performer;
use super::palette::{DYNAMIC, PALETTE, Rgb, parse_color};
use super::prompt::ShellPhase;
use super::terminal::Terminal;
use crate::effects::{ClipboardAction, Effect, Progress, PromptMark};
use crate::grid::look::Link;
use crate::parser::StringEnd;
use crate::view::{MARK_END, MARK_INPUT, MARK_OUTPUT, MARK_PROMPT};

/// The longest title kept.
const MAX_TITLE: usize = 1024;
/// The longest path, notification, status or command line kept.
const MAX_TEXT: usize = 8192;
/// The longest link and link id.
const MAX_URI: usize = 2083;
const MAX_LINK_ID: usize = 250;

impl Performer<'_> {
    pub(crate) fn operating_system_command(&mut self, payload: &[u8], end: StringEnd) {
        let payload = String::from_utf8_lossy(payload);
        let (number, rest) = payload.split_once(';').unwrap_or((&payload, ""));
        match number {
            "0" => {
                self.set_icon(clean(rest, MAX_TITLE));
                self.set_title(clean(rest, MAX_TITLE));
            }
            "1" => self.set_icon(clean(rest, MAX_TITLE)),
            "2" => self.set_title(clean(rest, MAX_TITLE)),
            "k" => {
                let name = clean(rest, MAX_TITLE);
                self.effects.push(Effect::WindowName(name));
            }
            "4" => self.palette_colors(rest, end),
            "5" => self.special_colors(rest, end),
            "7" => self.working_directory(rest),
            "8" => self.link(rest),
            "9" => self.notice(rest),
            "10" | "11" | "12" | "13" | "14" | "15" | "16" | "17" | "18" | "19" => {
                self.dynamic_colors(number, rest, end);
            }
            "52" => self.clipboard(rest),
            "104" => self.reset_palette(rest),
            "105" => self.reset_special(rest),
            "110" | "111" | "112" | "113" | "114" | "115" | "116" | "117" | "118" | "119" => {
                self.reset_dynamic(number);
            }
            "133" => self.prompt(rest),
            "777" => self.rxvt_notice(rest),
            "7501" => self.effects.push(Effect::Status(clean(rest, MAX_TEXT))),
            _ => {}
        }
    }

    fn answer_color(&mut self, name: &str, color: Rgb, end: StringEnd) {
        let (r, g, b) = color;
        let end = match end {
            StringEnd::Bell => "\x07",
            StringEnd::StringTerminator => "\x1b\\",
        };
        self.reply(format!(
            "\x1b]{name};rgb:{r:02x}{r:02x}/{g:02x}{g:02x}/{b:02x}{b:02x}{end}"
        ));
    }

    /// OSC 4: pairs of an index and a colour or `?`. The indices after the palette are the special colours.
    fn palette_colors(&mut self, rest: &str, end: StringEnd) {
        self.color_pairs(rest, "4", 0, end);
    }

    /// OSC 5: the colours of bold, underlined, blinking, reversed and italic text. They are stored and reported but not
    /// shown, as in xterm by default.
    fn special_colors(&mut self, rest: &str, end: StringEnd) {
        self.color_pairs(rest, "5", PALETTE, end);
    }

    fn color_pairs(&mut self, rest: &str, command: &str, base: usize, end: StringEnd) {
        let mut parts = rest.split(';');
        let mut changed = false;
        while let (Some(number), Some(color)) = (parts.next(), parts.next()) {
            let Ok(index) = number.parse::<u16>().map(|n| usize::from(n) + base) else {
                continue;
            };
            if color == "?" {
                if let Some(color) = self.color(index) {
                    self.answer_color(&format!("{command};{number}"), color, end);
                }
            } else if let Some(color) = parse_color(color) {
                changed |= self.terminal.palette.set(index, Some(color));
            }
        }
        if changed {
            self.palette_changed();
        }
    }

    /// The current value of a palette or special colour. A special colour that is not set is the foreground.
    fn color(&self, index: usize) -> Option<Rgb> {
        let palette = &self.terminal.palette;
        match u8::try_from(index) {
            Ok(index) => {
                let own = palette.get(index);
                Some(own.unwrap_or_else(|| shellkeep_core::style::palette_rgb(index)))
            }
            Err(_) => {
                let special = palette.special.get(index - PALETTE)?;
                special.or_else(|| Some(self.terminal.config.default_colors?.foreground))
            }
        }
    }

    fn palette_changed(&mut self) {
        self.terminal.screen.canvas.dirty.all();
        self.effects.push(Effect::PaletteChanged);
    }

    fn reset_palette(&mut self, rest: &str) {
        if rest.is_empty() {
            self.terminal.palette.colors = None;
        }
        self.reset_colors(rest, 0);
    }

    fn reset_special(&mut self, rest: &str) {
        if rest.is_empty() {
            self.terminal.palette.special = Default::default();
        }
        self.reset_colors(rest, PALETTE);
    }

    fn reset_colors(&mut self, rest: &str, base: usize) {
        for index in rest.split(';').filter_map(|text| text.parse::<u16>().ok()) {
            self.terminal.palette.set(usize::from(index) + base, None);
        }
        self.palette_changed();
    }

    /// OSC 10 to 19: the colours of one command go to this number and the following ones.
    fn dynamic_colors(&mut self, number: &str, rest: &str, end: StringEnd) {
        let first: usize = number.parse().unwrap_or(10);
        let mut changed = false;
        for (which, color) in (first - 10..DYNAMIC).zip(rest.split(';')) {
            if color == "?" {
                let own = self.terminal.palette.dynamic[which];
                let known = own.or_else(|| {
                    let colors = self.terminal.config.default_colors?;
                    Some(match which {
                        2 => colors.cursor,
                        // The backgrounds of text, pointer and Tektronix window, and text under the selection.
                        1 | 4 | 6 | 9 => colors.background,
                        _ => colors.foreground,
                    })
                });
                if let Some(color) = known {
                    self.answer_color(&(which + 10).to_string(), color, end);
                }
            } else if let Some(color) = parse_color(color) {
                self.terminal.palette.dynamic[which] = Some(color);
                changed = true;
            }
        }
        if changed {
            self.palette_changed();
        }
    }

    /// OSC 110 to 119.
    fn reset_dynamic(&mut self, number: &str) {
        let which = number.parse::<usize>().unwrap_or(0).wrapping_sub(110);
        if let Some(color) = self.terminal.palette.dynamic.get_mut(which) {
            *color = None;
            self.palette_changed();
        }
    }

    /// OSC 7: `file://host/path`, URL-encoded.
    fn working_directory(&mut self, rest: &str) {
        if rest.is_empty() || rest.len() > MAX_TEXT {
            return;
        }
        let path = match rest.strip_prefix("file://") {
            Some(place) => place.find('/').map(|slash| unescape(&place[slash..])),
            None => Some(clean(rest, MAX_TEXT)),
        };
        if let Some(path) = path {
            self.terminal.cwd = Some(path.clone());
            self.effects.push(Effect::Cwd(path));
        }
    }

    /// OSC 8: `params;uri`; an empty URI ends the link.
    fn link(&mut self, rest: &str) {
        let Some((params, uri)) = rest.split_once(';') else {
            return;
        };
        self.terminal.screen.pen_stale = true;
        self.terminal.screen.pen.link = 0;
        if uri.is_empty() || uri.len() > MAX_URI || uri.chars().any(char::is_control) {
            return;
        }
        let id = params
            .split(':')
            .find_map(|param| param.strip_prefix("id="))
            .filter(|id| id.len() <= MAX_LINK_ID && !id.chars().any(char::is_control))
            .unwrap_or("");
        // Interning may collect garbage, and must not find a number in the pen that is about to be replaced.
        if self.terminal.screen.canvas.tables.is_full() {
            self.terminal.screen.collect();
        }
        self.terminal.screen.pen.link = self.terminal.screen.canvas.tables.intern_link(Link {
            id: id.into(),
            uri: uri.into(),
        });
    }

    /// OSC 9: a notification, unless it is ConEmu's progress bar.
    fn notice(&mut self, rest: &str) {
        if let Some(progress) = rest.strip_prefix("4;") {
            if let Some(progress) = parse_progress(progress) {
                self.effects.push(Effect::Progress(progress));
            }
            return;
        }
        // Other numbers are commands of ConEmu and not text to show; 9;9 is a directory.
        if let Some(path) = rest.strip_prefix("9;") {
            let path = clean(path.trim_matches('"'), MAX_TEXT);
            self.terminal.cwd = Some(path.clone());
            return self.effects.push(Effect::Cwd(path));
        }
        self.effects.push(Effect::Notify {
            title: String::new(),
            body: clean(rest, MAX_TEXT),
        });
    }

    /// OSC 777: `notify;title;body`.
    fn rxvt_notice(&mut self, rest: &str) {
        let mut parts = rest.splitn(3, ';');
        if parts.next() != Some("notify") {
            return;
        }
        let title = clean(parts.next().unwrap_or(""), MAX_TEXT);
        let body = clean(parts.next().unwrap_or(""), MAX_TEXT);
        self.effects.push(Effect::Notify { title, body });
    }

    /// OSC 52: `selection;base64`, or `selection;?`.
    fn clipboard(&mut self, rest: &str) {
        let Some((selection, data)) = rest.split_once(';') else {
            return;
        };
        let selection = clean(selection, 16);
        let action = if data == "?" {
            ClipboardAction::Query
        } else {
            // Text that is not base64 clears the selection, as in xterm.
            ClipboardAction::Set(
                shellkeep_core::base64::decode(data.as_bytes()).unwrap_or_default(),
            )
        };
        self.effects.push(Effect::Clipboard { selection, action });
    }

    /// OSC 133.
    fn prompt(&mut self, rest: &str) {
        let mut parts = rest.split(';');
        let kind = parts.next().unwrap_or("");
        let options: Vec<&str> = parts.take(16).collect();
        let option = |name: &str| {
            options
                .iter()
                .find_map(|option| option.strip_prefix(name)?.strip_prefix('='))
        };
        let Terminal { screen, shell, .. } = &mut *self.terminal;
        let (mark, effect) = match kind {
            "A" | "N" | "P" => {
                let secondary = matches!(option("k"), Some("s" | "c" | "r"));
                if secondary {
                    shell.prompt_is_drawn_anew(screen);
                } else {
                    shell.prompt_begins(screen, option("redraw"));
                }
                (MARK_PROMPT, PromptMark::PromptStart { secondary })
            }
            "B" | "I" => {
                shell.input_begins(screen);
                (MARK_INPUT, PromptMark::InputStart)
            }
            "C" => {
                let url = option("cmdline_url").map(unescape);
                let command = url.or_else(|| option("cmdline").map(|text| clean(text, MAX_TEXT)));
                (MARK_OUTPUT, PromptMark::OutputStart { command })
            }
            "D" => {
                let exit = options.first().and_then(|text| text.parse().ok());
                (MARK_END, PromptMark::CommandEnd { exit })
            }
            "E" => {
                let line = rest.split_once(';').map_or("", |(_, line)| line);
                (0, PromptMark::CommandLine(unescape_line(line)))
            }
            _ => return,
        };
        match mark {
            MARK_OUTPUT => shell.phase = ShellPhase::Unknown,
            MARK_END => shell.phase = ShellPhase::Ended,
            _ => {}
        }
        let row = screen.cursor.row;
        screen.canvas.grid.row_mut(row).mark |= mark;
        let line = screen.canvas.line_of_row(row);
        let cell = screen.canvas.cells_before(row, screen.cursor.col);
        let mark = effect;
        self.effects.push(Effect::Prompt { mark, line, cell });
    }
}

/// The text without controls, cut at a length.
fn clean(text: &str, most: usize) -> String {
    let mut out = String::new();
    for c in text.chars().filter(|c| !c.is_control()) {
        if out.len() + c.len_utf8() > most {
            break;
        }
        out.push(c);
    }
    out
}

/// Decodes `%41`.
fn unescape(text: &str) -> String {
    let digit = |byte: Option<&u8>| byte.and_then(|byte| char::from(*byte).to_digit(16));
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let mut at = 0;
    while at < bytes.len() && out.len() < MAX_TEXT {
        match (
            bytes[at],
            digit(bytes.get(at + 1)),
            digit(bytes.get(at + 2)),
        ) {
            (b'%', Some(high), Some(low)) => {
                out.push((high * 16 + low) as u8);
                at += 3;
            }
            (byte, ..) => {
                out.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// Decodes `\x41` and `\\`, which our shell integration and VS Code's use in a command line.
fn unescape_line(text: &str) -> String {
    // An unescaped semicolon ends the command line; a nonce follows it.
    let text = text.split(';').next().unwrap_or("");
    let mut out = Vec::new();
    let bytes = text.as_bytes();
    let digit = |byte: Option<&u8>| byte.and_then(|byte| char::from(*byte).to_digit(16));
    let mut at = 0;
    while at < bytes.len() && out.len() < MAX_TEXT {
        let rest = &bytes[at..];
        match (rest, digit(rest.get(2)), digit(rest.get(3))) {
            ([b'\\', b'x', ..], Some(high), Some(low)) => {
                out.push((high * 16 + low) as u8);
                at += 4;
            }
            ([b'\\', b'\\', ..], ..) => {
                out.push(b'\\');
                at += 2;
            }
            _ => {
                out.push(rest[0]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

fn parse_progress(text: &str) -> Option<Progress> {
    let mut parts = text.split(';');
    let state = parts.next()?;
    let value = parts
        .next()
        .and_then(|n| n.parse::<u8>().ok())
        .unwrap_or(0)
        .min(100);
    Some(match state {
        "0" => Progress::None,
        "1" => Progress::Value(value),
        "2" => Progress::Error(value),
        "3" => Progress::Indeterminate,
        "4" => Progress::Paused(value),
        _ => return None,
    })
}
