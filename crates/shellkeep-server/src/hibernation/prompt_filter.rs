//! The prompt filter: holds back what a revived shell prints before its first prompt, such as messages of its start-up
//! files and zsh's mark of a line without an end. They would push the new prompt away from where the old one was. If no
//! prompt comes, they are shown.
//!
//! Only text and cursor movements are held back. Sequences that switch a mode on (bracketed paste is, before the
//! prompt) or query the terminal (fish waits for the answer) are passed on at once.
//!
//! After that prompt a key makes bash read the part of its state that the prompt did not need. Bash then redraws its
//! prompt from the first column, since it does not know about output that a command has left before it. That redraw is
//! held back, too.

/// The longest sequence that is parsed. A longer one counts as text, to be shown.
const MAX_SEQUENCE: usize = 8 << 10;

/// More output than this is no start-up message and is shown.
const MAX_STARTUP_OUTPUT: usize = 256 << 10;

/// How bash begins and ends the redraw of its prompt.
const REDRAW_BEGINS: &[u8] = b"\r\x1b[K";
const REDRAW_ENDS: &[u8] = b"\x1b]133;B\x07";

#[derive(Debug)]
pub(crate) enum PromptFilter {
    /// What comes before the first prompt.
    Startup(StartupOutput),
    /// A redraw of the same prompt.
    Redraw(Redraw),
}

impl PromptFilter {
    /// Takes output, and appends to `shown` what is to be shown of it.
    pub(crate) fn take(&mut self, bytes: &[u8], shown: &mut Vec<u8>) -> Progress {
        match self {
            Self::Startup(startup) => startup.take(bytes, shown),
            Self::Redraw(redraw) => redraw.take(bytes, shown),
        }
    }

    /// Appends all that was held back.
    pub(crate) fn give_up(&mut self, shown: &mut Vec<u8>) {
        match self {
            Self::Startup(startup) => startup.give_up(shown),
            Self::Redraw(redraw) => shown.append(&mut redraw.held),
        }
    }
}

/// Drops one redraw of a prompt with an empty line. Any other output is shown.
#[derive(Debug, Default)]
pub(crate) struct Redraw {
    held: Vec<u8>,
}

impl Redraw {
    fn take(&mut self, bytes: &[u8], shown: &mut Vec<u8>) -> Progress {
        for (at, byte) in bytes.iter().enumerate() {
            self.held.push(*byte);
            let begins = self.held.iter().zip(REDRAW_BEGINS).all(|(a, b)| a == b);
            let is_drawn = self.held.ends_with(REDRAW_ENDS);
            if is_drawn {
                self.held.clear();
            }
            if is_drawn || !begins || *byte == b'\n' || self.held.len() > MAX_SEQUENCE {
                shown.append(&mut self.held);
                shown.extend_from_slice(bytes.get(at + 1..).unwrap_or_default());
                return Progress::Over;
            }
        }
        Progress::Waiting
    }
}

/// Output before the first prompt.
#[derive(Debug, Default)]
pub(crate) struct StartupOutput {
    hidden: Vec<u8>,
    /// How much of it came before the shell announced a prompt.
    before: Option<usize>,
    /// An incomplete sequence.
    sequence: Vec<u8>,
}

/// How far the shell is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    /// It has shown no prompt yet.
    Waiting,
    /// The prompt begins, or there is too much to hold back: all further output is shown.
    Over,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    Prompt,
    Announced,
    Passed,
    Hidden,
}

impl StartupOutput {
    /// Takes output, and appends to `shown` what is to be shown of it.
    pub(crate) fn take(&mut self, bytes: &[u8], shown: &mut Vec<u8>) -> Progress {
        for (at, byte) in bytes.iter().enumerate() {
            if !self.step(*byte, shown) {
                continue;
            }
            shown.extend_from_slice(bytes.get(at + 1..).unwrap_or_default());
            return Progress::Over;
        }
        if self.hidden.len() > MAX_STARTUP_OUTPUT {
            self.give_up(shown);
            return Progress::Over;
        }
        Progress::Waiting
    }

    /// Appends all that was held back, because no prompt came in time.
    pub(crate) fn give_up(&mut self, shown: &mut Vec<u8>) {
        shown.append(&mut self.hidden);
        shown.append(&mut self.sequence);
    }

    /// Takes one byte. Returns whether the prompt begins with it.
    fn step(&mut self, byte: u8, shown: &mut Vec<u8>) -> bool {
        if byte == 0x1b {
            // ESC may begin the end of a string (ST). Otherwise it aborts the sequence that was begun, as in a
            // terminal.
            if !is_string(&self.sequence) {
                self.hidden.append(&mut self.sequence);
            }
            self.sequence.push(byte);
            return false;
        }
        if self.sequence.is_empty() {
            self.hidden.push(byte);
            return false;
        }
        if matches!(byte, 0x18 | 0x1a) {
            self.hidden.append(&mut self.sequence);
            return false;
        }
        if byte != b'\\' && is_string(&self.sequence) && self.sequence.ends_with(b"\x1b") {
            // ESC was not the start of ST, so it aborted the string and begins a new sequence.
            self.sequence.pop();
            self.hidden.append(&mut self.sequence);
            self.sequence.push(0x1b);
        }
        self.sequence.push(byte);
        if !is_complete(&self.sequence) {
            if self.sequence.len() > MAX_SEQUENCE {
                self.hidden.append(&mut self.sequence);
            }
            return false;
        }
        let purpose = purpose(&self.sequence);
        match purpose {
            Purpose::Hidden => self.hidden.append(&mut self.sequence),
            Purpose::Passed => shown.append(&mut self.sequence),
            Purpose::Announced => {
                self.before = Some(self.hidden.len());
                shown.append(&mut self.sequence);
            }
            Purpose::Prompt => {
                shown.extend_from_slice(self.text_before_mark());
                shown.append(&mut self.sequence);
            }
        }
        purpose == Purpose::Prompt
    }

    /// The text in the prompt's line before its mark, which belongs to the prompt: fish shows the mode of vi keys
    /// there.
    fn text_before_mark(&self) -> &[u8] {
        let text_before_mark = self.before.and_then(|before| self.hidden.get(before..));
        let is_in_line = |text: &&[u8]| !text.iter().any(|byte| matches!(byte, b'\r' | b'\n'));
        text_before_mark.filter(is_in_line).unwrap_or_default()
    }
}

/// Whether a sequence is a string, which ends with `ESC \` or, if it is an OSC, with BEL.
fn is_string(sequence: &[u8]) -> bool {
    matches!(sequence.get(1), Some(b']' | b'P' | b'_' | b'^' | b'X'))
}

fn is_complete(sequence: &[u8]) -> bool {
    let last = sequence.last().copied().unwrap_or_default();
    match sequence.get(1) {
        Some(b']') if last == 0x07 => true,
        _ if is_string(sequence) => sequence.len() > 3 && sequence.ends_with(b"\x1b\\"),
        Some(b'[') => sequence.len() > 2 && (0x40..=0x7e).contains(&last),
        Some(_) => (0x30..=0x7e).contains(&last),
        None => false,
    }
}

fn purpose(sequence: &[u8]) -> Purpose {
    let body = sequence.get(2..).unwrap_or_default();
    match sequence.get(1) {
        Some(b']') if body.starts_with(b"133;A") && !body.starts_with(b"133;A;k=") => {
            Purpose::Prompt
        }
        Some(b']') if body.starts_with(b"133;D") => Purpose::Announced,
        Some(b']' | b'P' | b'=' | b'>') => Purpose::Passed,
        Some(b'[') => control_purpose(body),
        _ => Purpose::Hidden,
    }
}

/// Modes and queries are passed on. Whatever writes, moves, erases or colours is not, nor is a switch to the alternate
/// screen.
fn control_purpose(body: &[u8]) -> Purpose {
    let (last, parameters) = body.split_last().unwrap_or((&0, &[]));
    let is_private = matches!(parameters.first(), Some(b'?' | b'>' | b'<' | b'='));
    let is_screen = [&b"?47"[..], b"?1047", b"?1048", b"?1049"].contains(&parameters);
    let is_passed = match last {
        b'h' | b'l' => !is_screen,
        b'c' | b'n' | b'q' | b't' => true,
        b'u' | b'm' => is_private,
        b'p' => parameters.ends_with(b"$"),
        _ => false,
    };
    match is_passed {
        true => Purpose::Passed,
        false => Purpose::Hidden,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filter(parts: &[&str]) -> (String, Progress, String) {
        let (mut output, mut shown) = (StartupOutput::default(), Vec::new());
        let mut progress = Progress::Waiting;
        for part in parts {
            if progress == Progress::Over {
                shown.extend_from_slice(part.as_bytes());
            } else {
                progress = output.take(part.as_bytes(), &mut shown);
            }
        }
        let mut rest = Vec::new();
        output.give_up(&mut rest);
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (text(shown), progress, text(rest))
    }

    #[test]
    fn text_before_the_prompt_is_held_back_and_modes_are_not() {
        let all = "welcome\r\n\x1b[31mnews\x1b[m\x1b[?2004h\x1b]0;title\x07\r\x1b[J\x1b]133;A\x07$ \x1b]133;B\x07";
        let expected = "\x1b[?2004h\x1b]0;title\x07\x1b]133;A\x07$ \x1b]133;B\x07";
        let hidden = "welcome\r\n\x1b[31mnews\x1b[m\r\x1b[J";
        let (shown, progress, rest) = filter(&[all]);
        assert_eq!((shown.as_str(), progress), (expected, Progress::Over));
        assert_eq!(rest, hidden);
        for cut in 0..all.len() {
            let (front, back) = all.split_at(cut);
            assert_eq!(filter(&[front, back]).0, expected, "cut at {cut}");
        }
    }

    #[test]
    fn nothing_is_lost_if_no_prompt_comes() {
        let all = "Update now? [Y/n] \x1b(B\x1b[3";
        let (shown, progress, rest) = filter(&[all]);
        assert_eq!((shown.as_str(), progress), ("", Progress::Waiting));
        assert_eq!(rest, all);
    }

    #[test]
    fn questions_are_passed_on_and_told_once() {
        let all = "a\x1b[c\x1b[>0q\x1b[?u\x1b[6n\x1bP+q54\x1b\\\x1b[?1$pb\x1b[u\x1b[?1049h\x1bc";
        let (shown, _, rest) = filter(&[all]);
        assert_eq!(
            shown,
            "\x1b[c\x1b[>0q\x1b[?u\x1b[6n\x1bP+q54\x1b\\\x1b[?1$p"
        );
        assert_eq!(rest, "ab\x1b[u\x1b[?1049h\x1bc");
    }

    #[test]
    fn continuation_prompt_is_no_prompt() {
        let (_, progress, _) = filter(&["\x1b]133;A;k=s\x07", "\x1b]133;D\x1b\\"]);
        assert_eq!(progress, Progress::Waiting);
        let (shown, progress, _) = filter(&["x\x1b]133;A;aid=7\x1b\\y"]);
        assert_eq!(
            (shown.as_str(), progress),
            ("\x1b]133;A;aid=7\x1b\\y", Progress::Over)
        );
    }

    #[test]
    fn string_without_an_end_hides_no_prompt() {
        let (shown, progress, _) = filter(&["\x1b]0;half\x1b[31m\x1b]133;A\x07$"]);
        assert_eq!(
            (shown.as_str(), progress),
            ("\x1b]133;A\x07$", Progress::Over)
        );
    }

    #[test]
    fn flood_is_shown() {
        let all = "x".repeat(MAX_STARTUP_OUTPUT + 1);
        let (shown, progress, _) = filter(&[&all]);
        assert_eq!((shown.len(), progress), (all.len(), Progress::Over));
    }

    #[test]
    fn prompt_that_is_drawn_anew_is_held_back_and_nothing_else_is() {
        let shown = |text: &str| {
            let (mut redraw, mut shown) = (Redraw::default(), Vec::new());
            let mut progress = Progress::Waiting;
            for byte in text.bytes() {
                match progress {
                    Progress::Waiting => progress = redraw.take(&[byte], &mut shown),
                    Progress::Over => shown.push(byte),
                }
            }
            (String::from_utf8(shown).unwrap(), progress)
        };
        let prompt = "\r\x1b[K\r\x1b]133;A\x07$ \x1b]133;B\x07";
        let line = format!("{prompt}half\x08\r\x1b[K");
        assert_eq!(
            shown(&line),
            ("half\x08\r\x1b[K".to_owned(), Progress::Over)
        );
        assert_eq!(shown(&prompt[..9]), (String::new(), Progress::Waiting));
        for other in [
            "ls",
            "\rls",
            "\r\x1b[Knews\r\n\x1b]133;A\x07$ \x1b]133;B\x07",
        ] {
            assert_eq!(shown(other), (other.to_owned(), Progress::Over));
        }
    }

    #[test]
    fn text_between_the_announcement_and_the_prompt_belongs_to_it() {
        let shown = |text: &str| {
            let (mut output, mut shown) = (StartupOutput::default(), Vec::new());
            for byte in text.bytes() {
                output.take(&[byte], &mut shown);
            }
            String::from_utf8(shown).unwrap()
        };
        let mode = "hello\r\n\x1b]133;D\x07\x1b[1m[I]\x1b[m \x1b]133;A\x07";
        assert_eq!(shown(mode), "\x1b]133;D\x07\x1b[1m[I]\x1b[m \x1b]133;A\x07");
        let redrawn = "\x1b]133;D\x07late\r\x1b[J\x1b]133;A\x07";
        assert_eq!(shown(redrawn), "\x1b]133;D\x07\x1b]133;A\x07");
    }
}
