//! The time until a typed key is on the screen.

use std::time::{Duration, Instant};

use anyhow::Result;

use super::figure::Sample;
use super::measure::{Effort, Measure};
use super::subject::Subject;
use super::terminal::Terminal;

/// The typed keys. Each is erased again, so that the echo always appears in the same cell and is a change of one cell
/// for every renderer.
const KEYS: &[char] = &['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

/// The time between two keys; [`Gap`] measures others.
const BETWEEN_KEYS: Duration = Duration::from_millis(20);

pub(super) struct Echo {
    name: &'static str,
    /// The median and the tail of the same readings.
    figures: [&'static str; 2],
    flood: bool,
    /// Of `new-session`.
    flags: &'static [&'static str],
}

impl Echo {
    pub(super) fn idle() -> Self {
        Echo {
            name: "echo-idle",
            figures: ["echo-idle", "echo-idle-p99"],
            flood: false,
            flags: &[],
        }
    }

    /// In a session with these flags, stored or not.
    pub(super) fn kept(flags: &'static [&'static str]) -> Self {
        Echo {
            name: "journal-echo",
            figures: ["journal-echo", "journal-echo-p99"],
            flood: false,
            flags,
        }
    }

    /// While a program in another, detached session prints as fast as it can.
    pub(super) fn under_flood() -> Self {
        Echo {
            name: "echo-flood",
            figures: ["echo-flood", "echo-flood-p99"],
            flood: true,
            flags: &[],
        }
    }
}

impl Measure for Echo {
    fn name(&self) -> &'static str {
        self.name
    }

    fn rounds(&self, effort: Effort) -> usize {
        effort.choose(2, 8)
    }

    fn round(&self, subject: &Subject, effort: Effort) -> Result<Vec<Sample>> {
        subject.reset()?;
        subject.new_session_as(self.flags, TYPING, ECHOING)?;
        if self.flood {
            subject.new_session(
                "flood",
                "exec yes 'a line that is printed over and over again'",
            )?;
        }
        let mut terminal = attach_typing(subject)?;
        let mut samples = Vec::new();
        for key in KEYS.iter().cycle().take(effort.choose(50, 100)) {
            let took = echo(&mut terminal, *key)?.as_secs_f64();
            samples.extend(self.figures.map(|figure| Sample::new(figure, took)));
        }
        terminal.detach()?;
        // At once, so that the flood does not affect the next program.
        subject.reset()?;
        Ok(samples)
    }
}

/// The session in which keys are typed, and its program.
pub(super) const TYPING: &str = "typing";
pub(super) const ECHOING: &str = "printf 'here: '; exec cat";

/// Attaches to the session in which keys are typed.
pub(super) fn attach_typing(subject: &Subject) -> Result<Terminal> {
    let mut terminal = subject.call_in_terminal(&["attach-session", "-t", TYPING])?;
    terminal.wait_for_screen("the screen is painted", |screen| {
        screen.contents().starts_with("here:") && screen.cursor_position() == (0, 6)
    })?;
    Ok(terminal)
}

/// Types one key, waits for it, and erases it. Returns the time of the key.
fn echo(terminal: &mut Terminal, key: char) -> Result<Duration> {
    echo_and_erase(terminal, key).map(|[shown, _]| shown)
}

/// As [`echo`]. Returns the times of the key and of its erasure.
pub(super) fn echo_and_erase(terminal: &mut Terminal, key: char) -> Result<[Duration; 2]> {
    let shown = |screen: &vt100::Screen| screen.cell(0, 6).map(|cell| cell.contents().to_string());
    terminal.idle(BETWEEN_KEYS);
    let pressed = Instant::now();
    terminal.press(&key.to_string())?;
    let arrived = terminal.wait_for_screen("the key is echoed", |screen| {
        shown(screen).is_some_and(|text| text.starts_with(key))
    })?;
    terminal.idle(BETWEEN_KEYS);
    let erased = Instant::now();
    terminal.press("\x7f")?;
    let gone = terminal.wait_for_screen("the key is erased", |screen| {
        shown(screen).is_none_or(|text| text.trim().is_empty())
    })?;
    Ok([
        arrived.saturating_duration_since(pressed),
        gone.saturating_duration_since(erased),
    ])
}

/// The time of a key in a program that echoes itself, such as an editor or pager, at one speed of typing. A multiplexer
/// may paint at once after a pause and delay the next frame for some milliseconds, which users notice when scrolling.
pub(super) struct Gap {
    name: &'static str,
    /// The time from the echo of a key to the next key.
    time: Duration,
}

impl Gap {
    pub(super) const ALL: [Self; 4] = [
        Gap::new("echo-gap-0", 0),
        Gap::new("echo-gap-5", 5),
        Gap::new("echo-gap-20", 20),
        Gap::new("echo-gap-100", 100),
    ];

    const fn new(name: &'static str, milliseconds: u64) -> Self {
        Gap {
            name,
            time: Duration::from_millis(milliseconds),
        }
    }
}

impl Measure for Gap {
    fn name(&self) -> &'static str {
        self.name
    }

    fn rounds(&self, effort: Effort) -> usize {
        effort.choose(2, 8)
    }

    fn round(&self, subject: &Subject, effort: Effort) -> Result<Vec<Sample>> {
        subject.reset()?;
        let script = "stty raw -echo; printf 'here:\\r\\n'; exec cat";
        subject.new_session("typing", script)?;
        let mut terminal = subject.call_in_terminal(&["attach-session", "-t", "typing"])?;
        terminal.wait_for_screen("the screen is painted", |screen| {
            screen.contents().starts_with("here:") && screen.cursor_position() == (1, 0)
        })?;
        let mut samples = Vec::new();
        for key in KEYS.iter().cycle().take(effort.choose(30, 60)) {
            for (pressed, col) in [(*key, 1), ('\r', 0)] {
                terminal.idle(self.time);
                let at = Instant::now();
                terminal.press(&pressed.to_string())?;
                let arrived = terminal.wait_for_screen("the key is echoed", |screen| {
                    let cell = screen.cell(1, 0).map(vt100::Cell::contents);
                    screen.cursor_position() == (1, col)
                        && cell.is_some_and(|it| it.starts_with(*key))
                })?;
                let took = arrived.saturating_duration_since(at).as_secs_f64();
                samples.push(Sample::new(self.name, took));
            }
        }
        terminal.detach()?;
        subject.reset()?;
        Ok(samples)
    }
}
