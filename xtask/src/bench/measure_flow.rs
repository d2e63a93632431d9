//! The time that a pane needs for much output, with a terminal attached and without.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::os::fd::AsFd;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::stat::Mode;

use super::figure::Sample;
use super::measure::{Effort, Measure};
use super::subject::Subject;
use super::wait::ANSWER_TIMEOUT;

/// Printed after the payload. No payload has these characters, so no renderer can omit them because they are on the
/// screen already.
const MARKER: &str = "~@~@~@~@";

/// Makes this many bytes.
type Payload = fn(usize) -> Vec<u8>;

/// One kind of payload in one kind of pane. There is a measure for each, so that the programs alternate after every
/// payload.
pub(super) struct Flow {
    /// The name of the measure and of its figure.
    name: &'static str,
    attached: bool,
    payload: Payload,
}

impl Flow {
    /// Every payload, first attached, then detached.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        const ALL: [(&str, bool, Payload); 6] = [
            ("attached-ascii", true, ascii),
            ("attached-colour", true, colour),
            ("attached-unicode", true, unicode),
            ("detached-ascii", false, ascii),
            ("detached-colour", false, colour),
            ("detached-unicode", false, unicode),
        ];
        ALL.into_iter().map(|(name, attached, payload)| Flow {
            name,
            attached,
            payload,
        })
    }
}

impl Measure for Flow {
    fn name(&self) -> &'static str {
        self.name
    }

    fn rounds(&self, effort: Effort) -> usize {
        effort.choose(3, 7)
    }

    fn round(&self, subject: &Subject, effort: Effort) -> Result<Vec<Sample>> {
        let megabytes = effort.choose(1, 5);
        let took = self.print(subject, &[], &(self.payload)(megabytes * 1_000_000))?;
        Ok(vec![Sample::new(
            self.name,
            took.as_secs_f64() / megabytes as f64,
        )])
    }
}

impl Flow {
    /// A pane without a terminal that prints a mixture.
    pub(super) fn mixed() -> Self {
        Flow {
            name: "mixed",
            attached: false,
            payload: mixed,
        }
    }

    /// Some bytes to print.
    pub(super) fn some(&self, size: usize) -> Vec<u8> {
        (self.payload)(size)
    }

    /// Prints `payload` in a new pane, and returns how long the program needed to print it.
    pub(super) fn print(
        &self,
        subject: &Subject,
        flags: &[&str],
        payload: &[u8],
    ) -> Result<Duration> {
        subject.reset()?;
        let mut printing = Printing::prepare(subject, flags, payload)?;
        let took = if self.attached {
            let mut terminal = subject.call_in_terminal(&["attach-session", "-t", "printing"])?;
            terminal.wait_for_screen("the screen is painted", |screen| {
                screen.contents().starts_with("here:")
            })?;
            let begun = Instant::now();
            printing.begin()?;
            terminal.wait_for_bytes(MARKER.as_bytes())? - begun
        } else {
            let begun = Instant::now();
            printing.begin()?;
            // The rest is in the kernel's buffer: some kilobytes.
            let is_done = printing.is_done_within(ANSWER_TIMEOUT)?;
            ensure!(is_done, "waited in vain until the payload was printed");
            begun.elapsed()
        };
        subject.reset()?;
        Ok(took)
    }
}

/// A pane that prints on request.
pub(super) struct Printing {
    go: File,
    done: File,
}

impl Printing {
    /// Makes the pane, in a session of its own without a client.
    pub(super) fn prepare(subject: &Subject, flags: &[&str], payload: &[u8]) -> Result<Self> {
        let [file, go, done] = ["payload", "go", "done"].map(|name| subject.scratch(name));
        let (file, go, done) = (file?, go?, done?);
        std::fs::write(&file, payload)?;
        let pipes = Self {
            go: pipe(&go)?,
            done: pipe(&done)?,
        };
        let script = format!(
            "printf 'here: '; read x <{}; cat {}; echo >{}; printf '\\033[2J\\033[H{MARKER}'; exec cat",
            go.display(),
            file.display(),
            done.display(),
        );
        subject.new_session_as(flags, "printing", &script)?;
        Ok(pipes)
    }

    pub(super) fn begin(&mut self) -> Result<()> {
        Ok(self.go.write_all(b"\n")?)
    }

    /// Waits until everything is printed, but not longer than this. Returns whether it is.
    pub(super) fn is_done_within(&self, time: Duration) -> Result<bool> {
        let mut polled = [PollFd::new(self.done.as_fd(), PollFlags::POLLIN)];
        Ok(poll(&mut polled, PollTimeout::try_from(time)?)? == 1)
    }
}

/// Makes a named pipe and opens it in both directions, so that neither opening nor writing waits for the script at the
/// other end.
fn pipe(path: &Path) -> Result<File> {
    nix::unistd::mkfifo(path, Mode::S_IRUSR | Mode::S_IWUSR).context("cannot make a pipe")?;
    OpenOptions::new()
        .read(true)
        .write(true)
        .open(path)
        .context("cannot open a pipe")
}

/// A random number generator with the same numbers in every run.
struct Dice(u64);

impl Dice {
    fn new() -> Self {
        Dice(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `sides`.
    fn roll(&mut self, sides: usize) -> usize {
        // Marsaglia's xorshift.
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % sides
    }

    fn one_of<'a, T: ?Sized>(&mut self, all: &[&'a T]) -> &'a T {
        all[self.roll(all.len())]
    }
}

const WORDS: &[&str] = &[
    "the",
    "session",
    "is",
    "kept",
    "0x7ffe",
    "error:",
    "fn",
    "main()",
    "{",
    "}",
    "1024",
    "window",
    "warning",
    "=",
    "-->",
    "src/main.rs:17",
    "ok",
    "pane",
    "[INFO]",
    "2026-11-16T02:23:00Z",
];

/// Lines as a build or a log prints them.
fn ascii(size: usize) -> Vec<u8> {
    lines(size, |dice, line| {
        for _ in 0..=dice.roll(16) {
            line.push_str(dice.one_of(WORDS));
            line.push(' ');
        }
    })
}

/// A new colour for every word: 16, 256 or 16 million of them, with attributes.
fn colour(size: usize) -> Vec<u8> {
    lines(size, |dice, line| {
        for _ in 0..=dice.roll(12) {
            let style = match dice.roll(4) {
                0 => format!("\x1b[{}m", 30 + dice.roll(8)),
                1 => format!("\x1b[1;38;5;{}m", dice.roll(256)),
                2 => format!("\x1b[48;5;{};4m", dice.roll(256)),
                _ => {
                    let [r, g, b] = [(); 3].map(|()| dice.roll(256));
                    format!("\x1b[38;2;{r};{g};{b}m")
                }
            };
            line.push_str(&style);
            line.push_str(dice.one_of(WORDS));
            line.push_str("\x1b[0m ");
        }
    })
}

/// Accents, other alphabets, wide characters, boxes and emoji.
fn unicode(size: usize) -> Vec<u8> {
    const FOREIGN: &[&str] = &[
        "naïve",
        "Größe",
        "cœur",
        "żółw",
        "сессия",
        "παράθυρο",
        "حفظ",
        "端末",
        "多重化",
        "세션",
        "保存",
        "┌──┬──┐",
        "│",
        "└──┴──┘",
        "→",
        "✓",
        "🚀",
        "🦀",
        "日本語",
        "ok",
    ];
    lines(size, |dice, line| {
        for _ in 0..=dice.roll(10) {
            line.push_str(dice.one_of(FOREIGN));
            line.push(' ');
        }
    })
}

fn mixed(size: usize) -> Vec<u8> {
    let part = (size / 8).max(1);
    let parts = [ascii(part), colour(part), ascii(part), unicode(part)].concat();
    [parts.clone(), parts].concat()
}

/// What a build prints: the same words again and again, other names and numbers each time.
pub(super) fn build_log(count: usize) -> Vec<u8> {
    const CRATES: &[&str] = &[
        "serde",
        "tokio",
        "regex-syntax",
        "libc",
        "hyper",
        "rustls",
        "clap_builder",
        "proc-macro2",
        "unicode-ident",
        "memchr",
        "tracing-core",
        "indexmap",
        "hashbrown",
        "parking_lot",
    ];
    let mut dice = Dice::new();
    let mut text = String::new();
    let mut lines = 0;
    while lines < count {
        let name = dice.one_of(CRATES);
        let numbers = [(); 3].map(|()| dice.roll(40));
        let [a, b, c] = numbers;
        text.push_str(&format!(
            "\x1b[1m\x1b[32m   Compiling\x1b[0m {name} v{a}.{b}.{c}\n"
        ));
        lines += 1;
        if dice.roll(6) == 0 {
            let (line, column) = (dice.roll(900), dice.roll(80));
            let word = dice.one_of(WORDS);
            text.push_str(&format!(
                "\x1b[33mwarning\x1b[0m: unused variable: `{word}`\n   --> crates/{name}/src/part_{a}.rs:{line}:{column}\n    |\n{line:<4}|     let {word} = compute_{b}({c});\n    |         ^^^^ help: if this is intentional, prefix it with an underscore\n\n"
            ));
            lines += 6;
        }
    }
    text.into_bytes()
}

fn lines(size: usize, mut fill: impl FnMut(&mut Dice, &mut String)) -> Vec<u8> {
    let mut dice = Dice::new();
    let mut text = String::with_capacity(size + 1024);
    while text.len() < size {
        fill(&mut dice, &mut text);
        text.push('\n');
    }
    text.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn payloads_have_their_size_and_no_marker() {
        for payload in [ascii, colour, unicode] {
            let bytes = payload(100_000);
            assert!((100_000..102_000).contains(&bytes.len()), "{}", bytes.len());
            assert!(!bytes.iter().any(|byte| MARKER.as_bytes().contains(byte)));
            assert_eq!(bytes, payload(100_000));
        }
        assert!(ascii(1000).is_ascii());
    }
}
